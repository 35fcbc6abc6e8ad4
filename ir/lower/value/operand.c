/* What an expression stands for: its description, and its value where it has to have one. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

IrValue *lower_poison(FnState *f, Span span)
{
    f->lower->poisons++;
    return ir_value(f->arena, OP_zero, type_error, span, 0);
}

/* A value, by its type. */
static const char *describe_value(FnState *f, Operand operand)
{
    const Type *type = operand.value->type;
    if (type->kind == TY_NONE)
        return "nothing";
    if (type_is_range(type))
        return "a range";
    if (type_is_slice(type))
        return "a slice";
    if (type_is_thing(type))
        return describe(f, thing_operand(f, operand));
    bool array = type_is_array(type) && !type_is_record_ref(type);
    const Type *first = type_is_vector(type) ? type->tuple.items[0]
                        : array              ? type->array.element
                                             : type;
    bool an = type_is_signed(first); /* an int32 */
    if (type_is_enum(type))
        return arena_printf(f->arena, "a member of %s", type_name(f->arena, type));
    if (type->kind == TY_ERROR)
        return "of an unknown type";
    an &= !(array && type->array.readonly);
    return arena_printf(f->arena, "a%s %s%s", an ? "n" : "", type_name(f->arena, type),
                        array ? " array" : "");
}

const char *describe(FnState *f, Operand operand)
{
    switch (operand.kind) {
    case OPD_ERROR:
        return "an error";
    case OPD_VALUE:
        return describe_value(f, operand);
    case OPD_NONE:
        return "None";
    case OPD_STRING:
        return operand.string.bytes ? "bytes" : "a string";
    case OPD_TYPE:
        return arena_printf(f->arena, "the type %s", type_name(f->arena, operand.type));
    case OPD_FUNCTION:
        return arena_printf(f->arena, "the function %s", operand.function->name);
    case OPD_INTRINSIC:
        if (operand.intrinsic == INTR_grid_group)
            return "the grid";
        if (ir_intrinsics[operand.intrinsic].rule == RULE_DIM3)
            return arena_printf(f->arena, "%s (which has x, y and z)",
                                ir_intrinsics[operand.intrinsic].path);
        return arena_printf(f->arena, "the function %s", ir_intrinsics[operand.intrinsic].path);
    case OPD_FIXED:
        return arena_printf(f->arena, "the function %s", operand.fixed->path);
    case OPD_NAMED:
        return arena_printf(f->arena, "the namedtuple %s", operand.named->names.name);
    case OPD_ENUM:
        return arena_printf(f->arena, "the enumeration %s", operand.enumeration->names.name);
    case OPD_NAMESPACE:
        return arena_printf(f->arena, "the module %s", operand.path);
    case OPD_MODULE:
        return arena_printf(f->arena, "the %s %s",
                            module_is_class(operand.module->of) ? "class" : "module",
                            operand.module->name);
    case OPD_BUNDLE:
        return bundle_describe(f, operand.bundle);
    case OPD_RANGE:
        return "a range";
    case OPD_LIMITS:
        return arena_printf(f->arena, "the limits of %s", type_name(f->arena, operand.type));
    case OPD_UNROLL:
        return "what literal_unroll gives";
    case OPD_SEQUENCE:
        return "a sequence";
    case OPD_SLICE:
        return "a slice";
    case OPD_ELLIPSIS:
        return "'...'";
    case OPD_LITERAL:
        return describe(f, operand_value(operand.value));
    case OPD_ITERATOR:
        return "an iterator";
    case OPD_WALK:
        return "a sequence of elements";
    case OPD_METHOD:
        return arena_printf(f->arena, "the method %s", operand.method.name);
    }
    return "this";
}

bool line_failed(const FnState *f, Span span)
{
    const Diags *diags = f->lower->diags;
    for (size_t i = diags->count; i-- > 0;) {
        const Diag *diag = &diags->list[i];
        if (diag->level == DIAG_ERROR)
            return diag->span.source == span.source && span.source &&
                   source_place(span.source, diag->span.begin).line ==
                       source_place(span.source, span.begin).line;
    }
    return false;
}

IrValue *operand_as_value(FnState *f, Operand operand, const AstExpr *expr)
{
    operand = optional_unwrap(f, operand);
    if (operand.kind == OPD_VALUE && operand.value->type->kind != TY_NONE)
        return operand.value;
    if (operand.kind != OPD_ERROR && !line_failed(f, expr->span))
        fail(f, expr->span, "a value is needed here, and this is %s%s", describe(f, operand),
             operand.kind == OPD_VALUE    ? ": the function returns no value"
             : operand.kind != OPD_STRING ? ""
             : operand.string.bytes
                 ? "; put them in an array of the module, np.frombuffer(b\"...\", np.uint8)"
                 : "; kernels make no strings: give print() its parts one by one");
    return lower_poison(f, expr->span);
}

/* The same, but what may be None stays so. */
IrValue *operand_as_value_maybe(FnState *f, Operand operand, const AstExpr *expr)
{
    bool optional = operand.kind == OPD_VALUE && type_is_optional(operand.value->type);
    return optional ? operand.value : operand_as_value(f, operand, expr);
}

IrValue *lower_value(FnState *f, const AstExpr *expr)
{
    return operand_as_value(f, lower_expr(f, expr), expr);
}

/* object.name, whatever the object: a number, a type, a module, threadIdx, a slice. Those of arrays
** are in array/array.c, and other families have theirs with them. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* NumPy's letter for what a dtype is of: "i", "f". */
static const char *letter_of(const Type *type)
{
    return type->kind == TY_BOOL        ? "b"
           : type_is_unsigned(type)     ? "u"
           : type_is_integer(type)      ? "i"
           : type_is_float(type)        ? "f"
           : type_is_complex(type)      ? "c"
           : type->kind == TY_DATETIME  ? "M"
           : type->kind == TY_TIMEDELTA ? "m"
                                        : "V";
}

/* x.dtype.type, float32.itemsize, in constants x.dtype.kind */
static Operand type_attribute(FnState *f, Operand type, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    if (strcmp(name, "type") == 0)
        return type;
    if (strcmp(name, "itemsize") == 0)
        return operand_value(
            ir_integer(f->arena, type_int64, (int64_t)type_size(type.type), expr->span));
    if (f->constant_only && strcmp(name, "kind") == 0)
        return operand_text(f->arena, letter_of(type.type), 1, expr->span);
    return fail_operand(f, expr->attribute.name_span, "%s has no attribute '%s'", describe(f, type),
                        name);
}

static Operand scalar_attribute(FnState *f, IrValue *value, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    bool real = strcmp(name, "real") == 0, imag = strcmp(name, "imag") == 0;
    if (!real && !imag)
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { value, name } };
    if (!type_is_complex(value->type))
        return operand_value(real ? value : ir_zero(f->arena, value->type, expr->span));
    if (ir_is_constant(value)) {
        double number = real ? value->constant.complex.real : value->constant.complex.imag;
        return operand_value(
            ir_number(f->arena, type_complex_part(value->type), number, expr->span));
    }
    IrValue *part =
        ir_value(f->arena, real ? OP_real : OP_imag, type_complex_part(value->type), expr->span, 1);
    part->operands[0] = value;
    return operand_value(part);
}

static Operand namespace_attribute(FnState *f, const char *path, const AstExpr *expr)
{
    const char *whole = arena_printf(f->arena, "%s.%s", path, expr->attribute.name);
    Operand found = builtin_find(f->arena, whole, expr->span);
    if (found.kind == OPD_ERROR)
        found = library_find(f, whole, expr->span);
    if (found.kind == OPD_ERROR)
        found = library_find_array(f, whole, expr->span);
    if (found.kind != OPD_ERROR)
        return lower_builtin(f, found);
    library_missing(f, whole, expr->span);
    return found;
}

/* cuda.threadIdx.x */
static Operand dim3_attribute(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    if (strlen(name) != 1 || !strchr("xyz", name[0]))
        return fail_operand(f, expr->attribute.name_span, "%s has x, y and z",
                            ir_intrinsics[intrinsic].path);
    return operand_value(ir_axis(f->arena, intrinsic, name[0] - 'x', expr->span));
}

/* cuda.cg.this_grid().sync, and what the library has of the grid */
static Operand grid_attribute(FnState *f, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    if (strcmp(name, "sync") == 0)
        return (Operand){ .kind = OPD_INTRINSIC, .span = expr->span, .intrinsic = INTR_grid_sync };
    const TupleNames names = { .name = "cg.grid" };
    const Type grid = { .kind = TY_TUPLE, .tuple = { .names = &names } };
    const Function *function = library_method(f, &grid, name, expr->span);
    if (function)
        return (Operand){ .kind = OPD_FUNCTION, .span = expr->span, .function = function };
    return fail_operand(
        f, expr->attribute.name_span,
        "a grid has sync, thread_rank, num_threads, block_rank and num_blocks, not '%s'", name);
}

/* What slice() was not given is what numba makes of it: as far as 64 bits go. */
static Operand slice_attribute(FnState *f, const Operand *slice, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    IrValue *step =
        slice->slice.step ? slice->slice.step : ir_integer(f->arena, type_int64, 1, expr->span);
    IrValue *least = ir_integer(f->arena, type_int64, INT64_MIN, expr->span);
    IrValue *most = ir_integer(f->arena, type_int64, INT64_MAX, expr->span);
    IrValue *zero = ir_integer(f->arena, type_int64, 0, expr->span);
    IrValue *back = ir_binary(f->arena, OP_lt, step, zero, expr->span);
    if (strcmp(name, "step") == 0)
        return operand_value(step);
    if (strcmp(name, "start") == 0)
        return operand_value(slice->slice.start
                                 ? slice->slice.start
                                 : ir_select(f->arena, back, most, zero, expr->span));
    if (strcmp(name, "stop") == 0)
        return operand_value(slice->slice.stop
                                 ? slice->slice.stop
                                 : ir_select(f->arena, back, least, most, expr->span));
    return fail_operand(f, expr->attribute.name_span, "a slice has start, stop and step");
}

/* The names of a namedtuple's items, as texts. */
static Operand names_of_fields(FnState *f, const NamedTuple *named, Span span)
{
    Operand *items = arena_array(f->arena, Operand, named->count + 1);
    for (int i = 0; i < named->count; i++) {
        const char *name = named->names.items[i];
        items[i] = operand_text(f->arena, name, strlen(name), span);
    }
    return tuple_of_operands(f, items, named->count, span);
}

static Operand attribute_of(FnState *f, const AstExpr *expr)
{
    const AstExpr *owner = expr->attribute.object;
    Operand fact;
    if (lower_fact(f, expr, &fact))
        return fact;
    Operand object =
        owner->kind == AST_ATTRIBUTE ? lower_attribute(f, owner) : lower_expr(f, owner);
    switch (object.kind) {
    case OPD_ERROR:
        return operand_error(expr->span);
    case OPD_MODULE:
        return module_attribute(f, object.module, expr);
    case OPD_BUNDLE:
        return bundle_attribute(f, object.bundle, expr);
    case OPD_NAMESPACE:
        return namespace_attribute(f, object.path, expr);
    case OPD_INTRINSIC:
        if (ir_intrinsics[object.intrinsic].rule == RULE_DIM3)
            return dim3_attribute(f, object.intrinsic, expr);
        if (object.intrinsic == INTR_grid_group)
            return grid_attribute(f, expr);
        break;
    case OPD_LIMITS:
        return limits_attribute(f, &object, expr);
    case OPD_RANGE:
        return range_attribute(f, &object, expr);
    case OPD_METHOD:
        return part_attribute(f, object, expr);
    case OPD_TYPE:
        return type_attribute(f, object, expr);
    case OPD_ENUM:
        return enum_member(f, object.enumeration, expr->attribute.name, expr->attribute.name_span);
    case OPD_VALUE:
        if (object.value->type->kind == TY_ERROR)
            return operand_error(expr->span);
        if (type_is_array(object.value->type))
            return array_attribute(f, object.value, expr);
        if (type_is_scalar(object.value->type))
            return scalar_attribute(f, object.value, expr);
        if (type_has_items(object.value->type))
            return tuple_attribute(f, object.value, expr);
        break;
    case OPD_SLICE:
        return slice_attribute(f, &object, expr);
    case OPD_NAMED:
        if (f->constant_only && strcmp(expr->attribute.name, "_fields") == 0)
            return names_of_fields(f, object.named, expr->span);
        break;
    default:
        break;
    }
    return fail_operand(f, expr->attribute.name_span, "%s has no attribute '%s'%s",
                        describe(f, object), expr->attribute.name,
                        object.kind == OPD_STRING
                            ? ": kernels make no strings; give print() its parts one by one"
                        : object.kind == OPD_FUNCTION || object.kind == OPD_INTRINSIC
                            ? "; write '()' behind the function to call it"
                            : "");
}

Operand lower_attribute(FnState *f, const AstExpr *expr)
{
    Operand what = attribute_of(f, expr);
    Span defined = what.kind == OPD_FUNCTION ? what.function->ast->name_span : (Span){ 0 };
    meaning_note(f, expr->attribute.name_span, what, defined);
    return what;
}

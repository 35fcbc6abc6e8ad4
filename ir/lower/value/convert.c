/* Numba's casts of whole values, and Python's truth. */
#include "ir/lower/array.h"
#include "ir/lower/values.h"

static IrValue *convert_tuple(FnState *f, IrValue *value, const Type *type, Span span)
{
    IrValue *tuple = ir_value(f->arena, OP_tuple, type, span, type->tuple.count);
    for (int i = 0; i < type->tuple.count; i++)
        tuple->operands[i] =
            convert(f, ir_item(f->arena, value, i, span), type->tuple.items[i], span);
    return tuple;
}

IrValue *convert(FnState *f, IrValue *value, const Type *type, Span span)
{
    if (value->type == type || is_poison(value) || type->kind == TY_ERROR)
        return value;
    if (type_is_optional(type))
        return optional_convert(f, value, type, span);
    if (type_is_optional(value->type))
        return convert(f, optional_unwrap(f, operand_value(value)).value, type, span);
    value = plain_value(f, value);
    if (type_is_time(type))
        return time_convert(f, value, type, span);
    if (type_is_tuple(type))
        return convert_tuple(f, value, type, span);
    if (type_is_complex(type) && !type_is_complex(value->type)) {
        const Type *part = type_complex_part(type);
        return ir_complex(f->arena, type, ir_cast(f->arena, part, value, span),
                          ir_number(f->arena, part, 0, span), span);
    }
    return ir_cast(f->arena, type, value, span);
}

IrValue *truth_of(FnState *f, IrValue *value, Span span)
{
    value = array_single(f, value);
    value = plain_value(f, value);
    const Type *type = value->type;
    if (is_poison(value))
        return ir_integer(f->arena, type_bool, 1, span);
    if (type->kind == TY_BOOL)
        return value;
    if (type_is_optional(type))
        return optional_truth(f, value, span);
    if (is_characters(value))
        return ir_cast(f->arena, type_bool, characters_length(f, value, span), span);
    if (type_is_tuple(type))
        return ir_integer(f->arena, type_bool, type->tuple.count > 0, span);
    if (type_is_complex(type))
        return ir_binary(f->arena, OP_ne, value, ir_zero(f->arena, type, span), span);
    if (type_is_scalar(type))
        return ir_cast(f->arena, type_bool, value, span);
    fail(f, span, "%s is neither true nor false; compare its %s", describe(f, operand_value(value)),
         type_is_record_ref(type) ? "fields"
         : type_is_vector(type)   ? "parts"
         : type_is_enum(type)     ? "value"
         : type_is_time(type)     ? "size"
                                  : "elements");
    note_types(f, value, NULL);
    return NULL;
}

IrValue *lower_truth(FnState *f, IrValue *value, Span span)
{
    IrValue *truth = truth_of(f, value, span);
    return truth ? truth : ir_integer(f->arena, type_bool, 1, span);
}

/* The truth of `a and b`, or of `a or b`, which is that of their truths: the value that Python
** gives, one of the two operands, is not needed. */
static IrValue *condition_of_boolean(FnState *f, const AstExpr *expr)
{
    bool both = expr->binary.op == AST_AND;
    IrValue *left = lower_condition(f, expr->binary.left);
    if (ir_is_constant(left) && (left->constant.integer != 0) != both)
        return left;
    Apart apart;
    apart_open(f, &apart);
    IrValue *right = lower_condition(f, expr->binary.right);
    apart_close(f, &apart);
    return apart_combine(f, both ? OP_and_then : OP_or_else, left, &apart, right, expr->span);
}

IrValue *lower_condition(FnState *f, const AstExpr *expr)
{
    if (expr->kind == AST_BOOLEAN)
        return condition_of_boolean(f, expr);
    Operand operand = lower_maybe(f, expr);
    if (operand.kind == OPD_NONE)
        return ir_integer(f->arena, type_bool, 0, expr->span);
    IrValue *value = operand_as_value_maybe(f, operand, expr);
    if (is_poison(value)) {
        /* neither branch may be pruned on a guess */
        IrValue *unknown = ir_value(f->arena, OP_zero, type_bool, expr->span, 0);
        return unknown;
    }
    return lower_truth(f, value, expr->span);
}

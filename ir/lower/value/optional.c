/* Values that may be None: numba's Optional(T).
**
** A name that is None on one path and a T on another holds an optional T, as the result of a
** function does that returns both. It is a pair in the IR, whether there is a value and the value,
** of a tuple type that is marked as optional. `is None` reads the first item; whatever needs a T
** takes the second. Without debug nothing checks whether there is one: a None is all zeros. */
#include "ir/lower/values.h"

static bool is_optional(Operand operand)
{
    return operand.kind == OPD_VALUE && type_is_optional(operand.value->type);
}

bool operand_is_none(Operand operand)
{
    if (is_optional(operand))
        return type_optional_value(operand.value->type)->kind == TY_NONE;
    return operand.kind == OPD_NONE ||
           (operand.kind == OPD_VALUE && operand.value->type->kind == TY_NONE);
}

static IrValue *present(FnState *f, IrValue *value, Span span)
{
    return ir_item(f->arena, value, 0, span);
}

Operand optional_unwrap(FnState *f, Operand operand)
{
    if (!is_optional(operand))
        return operand;
    if (operand_is_none(operand)) /* an item of a tuple */
        return (Operand){ .kind = OPD_NONE, .span = operand.span };
    IrValue *value = operand.value;
    Span span = operand.span;
    if (is_reported(f)) {
        value = lower_stable(f, value, "_optional");
        const char *message = arena_printf(f->arena, "TypeError: expected %s, got None",
                                           type_name(f->arena, type_optional_value(value->type)));
        lower_fault_if(f, ir_unary(f->arena, OP_not, present(f, value, span), span), message, span);
    }
    operand.value = ir_item(f->arena, value, 1, span);
    return operand;
}

IrValue *optional_value(FnState *f, Operand operand, const AstExpr *expr)
{
    if (operand_is_none(operand))
        return ir_value(f->arena, OP_zero, type_none, expr->span, 0);
    return is_optional(operand) ? operand.value : operand_as_value(f, operand, expr);
}

IrValue *optional_item(FnState *f, Operand operand, const AstExpr *expr)
{
    if (operand_is_none(operand))
        return ir_zero(f->arena, type_optional(f->types, type_none), expr->span);
    IrValue *thing = thing_value(f, operand);
    return thing ? thing : optional_value(f, operand, expr);
}

IrValue *optional_convert(FnState *f, IrValue *value, const Type *type, Span span)
{
    if (operand_is_none(operand_value(value)))
        return ir_zero(f->arena, type, span);
    bool optional = type_is_optional(value->type);
    IrValue *pair = ir_value(f->arena, OP_tuple, type, span, 2);
    pair->operands[0] =
        optional ? present(f, value, span) : ir_integer(f->arena, type_bool, true, span);
    pair->operands[1] = convert(f, optional ? ir_item(f->arena, value, 1, span) : value,
                                type_optional_value(type), span);
    return pair;
}

IrValue *optional_truth(FnState *f, IrValue *value, Span span)
{
    IrValue *truth = lower_truth(f, ir_item(f->arena, value, 1, span), span);
    return ir_binary(f->arena, OP_and_then, present(f, value, span), truth, span);
}

static IrValue *negated(FnState *f, IrValue *value, bool negate, Span span)
{
    return negate && !is_poison(value) ? ir_unary(f->arena, OP_not, value, span) : value;
}

/* a == b, where None equals None alone. */
static IrValue *equal(FnState *f, IrValue *a, IrValue *b, Span span)
{
    bool both = type_is_optional(a->type) && type_is_optional(b->type);
    IrValue *x = type_is_optional(a->type) ? ir_item(f->arena, a, 1, span) : a;
    IrValue *y = type_is_optional(b->type) ? ir_item(f->arena, b, 1, span) : b;
    IrValue *same = compare_values(f, AST_EQ, x, y, span);
    if (is_poison(same))
        return same;
    IrValue *there = present(f, type_is_optional(a->type) ? a : b, span);
    if (!both)
        return ir_binary(f->arena, OP_and_then, there, same, span);
    IrValue *alike = ir_binary(f->arena, OP_eq, there, present(f, b, span), span);
    same = ir_binary(f->arena, OP_or_else, ir_unary(f->arena, OP_not, there, span), same, span);
    return ir_binary(f->arena, OP_and_then, alike, same, span);
}

IrValue *optional_compare(FnState *f, AstOp op, Operand a, Operand b, Span span)
{
    bool unequal = op == AST_IS_NOT || op == AST_NE;
    if (!unequal && op != AST_IS && op != AST_EQ)
        return NULL;
    if (operand_is_none(a) && operand_is_none(b))
        return ir_integer(f->arena, type_bool, !unequal, span);
    if (operand_is_none(a) || operand_is_none(b)) {
        Operand other = operand_is_none(a) ? b : a;
        if (other.kind == OPD_ERROR || (other.kind == OPD_VALUE && is_poison(other.value)))
            return lower_poison(f, span);
        return is_optional(other) ? negated(f, present(f, other.value, span), !unequal, span)
                                  : ir_integer(f->arena, type_bool, unequal, span);
    }
    bool values = a.kind == OPD_VALUE && b.kind == OPD_VALUE;
    if (!values || (!is_optional(a) && !is_optional(b)))
        return NULL;
    return negated(f, equal(f, a.value, b.value, span), unequal, span);
}

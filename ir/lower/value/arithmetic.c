/* Arithmetic with one and two operands, by numba's types: what they are converted to, and what
** Python raises. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- operations ------------------------------------------------------------------------------ */

static IrOp ir_op(AstOp op)
{
    switch (op) {
    case AST_ADD:
        return OP_add;
    case AST_SUB:
        return OP_sub;
    case AST_MUL:
        return OP_mul;
    case AST_DIV:
        return OP_div;
    case AST_FLOORDIV:
        return OP_floordiv;
    case AST_MOD:
        return OP_mod;
    case AST_POW:
        return OP_pow;
    case AST_LSHIFT:
        return OP_shl;
    case AST_RSHIFT:
        return OP_shr;
    case AST_BITAND:
        return OP_and;
    case AST_BITOR:
        return OP_or;
    case AST_BITXOR:
        return OP_xor;
    case AST_EQ:
    case AST_IS:
        return OP_eq;
    case AST_NE:
    case AST_IS_NOT:
        return OP_ne;
    case AST_LT:
        return OP_lt;
    case AST_LE:
        return OP_le;
    case AST_GT:
        return OP_gt;
    case AST_GE:
        return OP_ge;
    default:
        return OP_COUNT;
    }
}

static bool is_half(const Type *type)
{
    return type->kind == TY_FLOAT16 || type->kind == TY_BFLOAT16;
}

/* An operation on two operands already of the types it works in. 16-bit floats are computed in
** float32 and rounded, which gives the same bits as hardware that has the operation. */
IrValue *lower_compute(FnState *f, AstOp op, IrValue *a, IrValue *b, Span span)
{
    if (!is_half(a->type))
        return ir_binary(f->arena, ir_op(op), a, b, span);
    const Type *half = a->type;
    IrValue *wide = ir_binary(f->arena, ir_op(op), ir_cast(f->arena, type_float32, a, span),
                              ir_cast(f->arena, type_float32, b, span), span);
    return wide->type->kind == TY_BOOL ? wide : ir_cast(f->arena, half, wide, span);
}

static bool is_text(const Type *type)
{
    return type_is_record_ref(type) && type_is_characters(type->array.element);
}

const char *operation_advice(const Type *left, const Type *right)
{
    if (is_text(left) || is_text(right))
        return "; texts of arrays can only be stored and compared";
    if (type_is_record_ref(left) || type_is_record_ref(right))
        return "; take the record's fields";
    if (type_is_vector(left) || type_is_vector(right))
        return "; take the vector's parts";
    if (left->kind == TY_ENUM || right->kind == TY_ENUM)
        return "; take the member's value";
    if (type_is_tuple(left) != type_is_tuple(right))
        return "; take one of the tuple's items";
    return type_is_array(left) || type_is_array(right)
               ? "; kernels work on elements: index the arrays"
               : "";
}

IrValue *lower_no_operation(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                            Span span)
{
    fail(f, span, "there is no '%s' between %s and %s%s", ast_op_spelling(op),
         type_name(f->arena, left->type), type_name(f->arena, right->type),
         op == AST_BITXOR && (type_is_float(left->type) || type_is_float(right->type))
             ? "; a power is written **"
             : operation_advice(left->type, right->type));
    note_types(f, left, right);
    return lower_poison(f, span);
}

static bool raises_on_zero(const FnState *f)
{
    return is_debugged(f) && !library_divides(f->lower, f->module);
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* A uint64 exponent as one that int64 can hold. What lies beyond does what the end of int64 does:
** the power is 0, 1 or out of bounds either way. */
static IrValue *bound_exponent(FnState *f, IrValue *exponent, Span span)
{
    IrValue *top = ir_integer(f->arena, type_uint64, INT64_MAX, span);
    exponent = lower_stable(f, exponent, "_exponent");
    return ir_select(f->arena, ir_binary(f->arena, OP_lt, exponent, top, span), exponent, top,
                     span);
}

/* An integer exponent that is not negative where the base is 0, of whose powers Python has none. */
static IrValue *checked_exponent(FnState *f, IrValue *base, IrValue *exponent, Span span)
{
    exponent = lower_stable(f, exponent, "_exponent");
    IrValue *zero = ir_unary(f->arena, OP_not, lower_truth(f, base, span), span);
    IrValue *negative =
        ir_binary(f->arena, OP_lt, exponent, ir_zero(f->arena, exponent->type, span), span);
    lower_fault_if(f, ir_binary(f->arena, OP_and_then, zero, negative, span),
                   "ZeroDivisionError: 0 cannot be raised to a negative power", span);
    return exponent;
}

IrValue *lower_power(FnState *f, Typing typing, IrValue *left, IrValue *right, Span span)
{
    if (right->type->kind == TY_UINT64 && !type_is_complex(typing.result) &&
        typing.result != type_uint64)
        right = bound_exponent(f, right, span);
    if (raises_on_zero(f) && type_is_integer(typing.result) && type_is_signed(right->type))
        right = checked_exponent(f, left, right, span);
    IrValue *base = convert(f, left, typing.left, span);
    bool counted = type_is_float(typing.left) && !type_is_float(typing.right);
    IrValue *exponent = convert(f, right, counted ? type_int64 : typing.result, span);
    if (!counted)
        return ir_binary(f->arena, OP_pow, convert(f, base, typing.result, span), exponent, span);
    IrValue *value = ir_value(f->arena, OP_pow, typing.result, span, 2);
    value->operands[0] = base;
    value->operands[1] = exponent;
    return value;
}

/* ---- two operands ---------------------------------------------------------------------------- */

/* Tuples add and multiply as sequences; only + is there. */
static IrValue *concatenate(FnState *f, IrValue *a, IrValue *b, Span span)
{
    int count = a->type->tuple.count + b->type->tuple.count;
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, span, count);
    for (int i = 0; i < count; i++) {
        bool first = i < a->type->tuple.count;
        tuple->operands[i] =
            ir_item(f->arena, first ? a : b, first ? i : i - a->type->tuple.count, span);
        types[i] = tuple->operands[i]->type;
    }
    tuple->type = type_tuple(f->types, types, count);
    return tuple;
}

static bool is_zero(const IrValue *value)
{
    if (!ir_is_constant(value) || type_is_complex(value->type))
        return false;
    return type_is_float(value->type) ? value->constant.number == 0 : value->constant.integer == 0;
}

/* A divisor that is not zero: Python raises, which numba's kernels do under debug only. */
static IrValue *checked_divisor(FnState *f, IrValue *divisor, Span span)
{
    divisor = lower_stable(f, divisor, "_divisor");
    IrValue *zero = ir_unary(f->arena, OP_not, lower_truth(f, divisor, span), span);
    lower_fault_if(f, zero, "ZeroDivisionError: division by zero", span);
    return divisor;
}

IrValue *lower_arithmetic(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD;
    bool fast = op == AST_DIV && right->type == type_float32 && !f->constant_only &&
                f->fn->options.fastmath; /* numba's fast division raises nothing */
    if (divides && !fast && raises_on_zero(f))
        right = checked_divisor(f, right, span);
    IrValue *known = lower_constant_of_numpy(f, op, left, right, span);
    return known ? known : lower_compute(f, op, left, right, span);
}

/* Whether Python's integers go beyond 64 bits here, which those of kernels do not. */
static bool exceeds_int64(AstOp op, const IrValue *left, const IrValue *right)
{
    int64_t result;
    if (!ir_is_constant(left) || !ir_is_constant(right) || left->type != type_int64 ||
        right->type != type_int64)
        return false;
    int64_t a = left->constant.integer, b = right->constant.integer;
    return (op == AST_ADD && __builtin_add_overflow(a, b, &result)) ||
           (op == AST_SUB && __builtin_sub_overflow(a, b, &result)) ||
           (op == AST_MUL && __builtin_mul_overflow(a, b, &result));
}

/* Whether a constant is computed by NumPy: of a number that has one of its types. */
static bool is_numpys(const FnState *f, const IrValue *left, const IrValue *right)
{
    return f->constant_only && type_is_real(left->type) && type_is_real(right->type) &&
           !(left->weak && right->weak);
}

IrValue *lower_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    if (is_poison(left) || is_poison(right))
        return lower_poison(f, span);
    if (f->constant_only && (type_is_array(left->type) || type_is_array(right->type)))
        return lower_table_binary(f, op, left, right, span);
    left = array_single(f, left);
    right = array_single(f, right);
    left = plain_value(f, left);
    right = plain_value(f, right);
    bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD;
    if (f->constant_only && divides && is_zero(right)) { /* Python computes these, and raises */
        return fail_value(f, span, "a constant is divided by zero");
    }
    if (f->constant_only && f->lower->evaluating && exceeds_int64(op, left, right))
        return fail_value(f, span, "this integer does not fit 64 bits");
    IrValue *known = lower_constant_binary(f, op, left, right, span);
    if (known)
        return known;
    if (type_is_time(left->type) || type_is_time(right->type))
        return time_binary(f, op, left, right, span);
    if (op == AST_ADD && type_is_tuple(left->type) && type_is_tuple(right->type))
        return concatenate(f, left, right, span);
    if (op == AST_MUL && type_is_tuple(left->type) && type_is_integer(right->type))
        return tuple_repeat(f, left, right, span);
    if (op == AST_MUL && type_is_tuple(right->type) && type_is_integer(left->type))
        return tuple_repeat(f, right, left, span);
    if (is_nep50(f) || is_numpys(f, left, right))
        return lower_nep50(f, op, left, right, span);
    Typing typing = typing_binary(op, left->type, right->type);
    if (!typing.result)
        return lower_no_operation(f, op, left, right, span);
    bool weak = left->weak && right->weak;
    remark_binary(f, op, left, right, typing.result, span);
    if (op == AST_POW)
        return lower_power(f, typing, left, right, span);
    if (op == AST_LSHIFT || op == AST_RSHIFT) /* the count's sign does not matter in range */
        typing.right = typing.result;
    else if (!is_half(typing.result))
        typing.left = typing.right = typing.result;
    left = convert(f, left, typing.left, span);
    right = convert(f, right, typing.right, span);
    IrValue *result = lower_arithmetic(f, op, left, right, span);
    result->weak = weak && ir_is_constant(result);
    return result;
}

/* ---- one operand ----------------------------------------------------------------------------- */

static IrValue *lower_unary_value(FnState *f, AstOp op, IrValue *operand, Span span)
{
    if (is_poison(operand))
        return operand;
    if (f->constant_only && type_is_array(operand->type) && op != AST_POS)
        return op == AST_NEG ? lower_table_negated(f, operand, span)
                             : lower_table_inverted(f, operand, span);
    operand = plain_value(f, operand);
    operand = array_single(f, operand);
    if (type_is_time(operand->type))
        return time_unary(f, op, operand, span);
    Typing typing = typing_unary(op, operand->type);
    if (!typing.result) {
        fail(f, span, "there is no unary '%s' for %s", ast_op_spelling(op),
             type_name(f->arena, operand->type));
        note_types(f, operand, NULL);
        return lower_poison(f, span);
    }
    IrValue *value = convert(f, operand, typing.left, span);
    if (op == AST_NEG && is_half(typing.left))
        value = ir_cast(
            f->arena, typing.left,
            ir_unary(f->arena, OP_neg, ir_cast(f->arena, type_float32, value, span), span), span);
    else if (op != AST_POS)
        value = ir_unary(f->arena, op == AST_NEG ? OP_neg : OP_invert, value, span);
    bool keeps = (is_nep50(f) || f->constant_only) && operand->type->kind != TY_BOOL;
    value = convert(f, value, keeps ? operand->type : typing.result, span);
    value->weak = operand->weak && ir_is_constant(value);
    return value;
}

Operand lower_unary(FnState *f, const AstExpr *expr)
{
    const AstExpr *of = expr->unary.operand;
    IrValue *written = lower_written(f, expr);
    if (written)
        return operand_value(written);
    if (expr->unary.op != AST_NOT)
        return operand_value(lower_unary_value(f, expr->unary.op, lower_value(f, of), expr->span));
    Operand operand = lower_maybe(f, of);
    if (operand_is_none(operand))
        return operand_value(ir_integer(f->arena, type_bool, true, expr->span));
    IrValue *value = operand_as_value_maybe(f, operand, of);
    return operand_value(
        is_poison(value)
            ? value
            : ir_unary(f->arena, OP_not, lower_truth(f, value, expr->span), expr->span));
}

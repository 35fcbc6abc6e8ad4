/* Arithmetic by NumPy 2's rules (NEP 50), for kernels with typing="nep50": a literal takes the type
** of the other operand, and integers keep their width. The result of each operation has the type
** that typing_nep50() says; it may be computed in a wider one. */
#include "ir/lower/function.h"

/* The type to compute in: C has no arithmetic on less than 32 bits, and no `//`, `%` and `**` of
** halves. */
static const Type *working_type(AstOp op, const Type *type)
{
    bool small = type_size(type) < 4;
    if (small && (type_is_integer(type) || type->kind == TY_BOOL))
        return op == AST_BITAND || op == AST_BITOR || op == AST_BITXOR ? type : type_int32;
    bool whole = op == AST_FLOORDIV || op == AST_MOD || op == AST_POW;
    return small && type_is_float(type) && whole ? type_float32 : type;
}

/* Whether a literal is one of the values of an integer type; a complaint if not. */
static bool literal_fits(FnState *f, const IrValue *value, const Type *type)
{
    if (!value->weak || !ir_is_constant(value) || !type_is_integer(value->type) ||
        !type_is_integer(type))
        return true;
    int64_t number = value->constant.integer;
    int bits = 8 * (int)type_size(type);
    bool huge = value->type->kind == TY_UINT64 && number < 0;
    bool fits = type_is_unsigned(type)
                    ? huge ? bits == 64 : number >= 0 && (bits == 64 || number >> bits == 0)
                    : !huge && (bits == 64 ||
                                (number >= -(1ll << (bits - 1)) && number < 1ll << (bits - 1)));
    if (!fits)
        fail(f, value->span, "%lld does not fit %s, the type of the other operand",
             (long long)number, type_name(f->arena, type));
    return fits;
}

/* An integer exponent of a float stays one: powers of it are products. */
static IrValue *power(FnState *f, const Typing *typing, IrValue *left, IrValue *right, Span span)
{
    const Type *type = typing->result;
    left = left->weak ? convert(f, left, type, span) : left;
    if (right->weak && !(type_is_integer(right->type) && !type_is_integer(type)))
        right = convert(f, right, type, span);
    Typing numba = typing_binary(AST_POW, left->type, right->type);
    return convert(f, lower_power(f, numba, left, right, span), type, span);
}

/* A name that stands for one literal is as good as that. */
static IrValue *written(FnState *f, IrValue *value)
{
    IrValue *literal = value->op == OP_var ? literal_known(f, value) : NULL;
    if (!literal || !literal->weak)
        return value;
    IrValue *copy = arena_new(f->arena, IrValue);
    *copy = *literal;
    copy->span = value->span;
    return copy;
}

IrValue *lower_nep50(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    left = written(f, left);
    right = written(f, right);
    Typing typing = typing_nep50(op, left->type, left->weak, right->type, right->weak);
    if (!typing.result)
        return lower_no_operation(f, op, left, right, span);
    if (!literal_fits(f, left, typing.result) || !literal_fits(f, right, typing.result))
        return lower_poison(f, span);
    remark_binary(f, op, left, right, typing.result, span);
    if (op == AST_POW)
        return power(f, &typing, left, right, span);
    const Type *work = working_type(op, typing.result);
    IrValue *a = convert(f, left, work, span), *b = convert(f, right, work, span);
    IrValue *result = convert(f, lower_arithmetic(f, op, a, b, span), typing.result, span);
    result->weak = left->weak && right->weak && ir_is_constant(result);
    return result;
}

const Type *nep50_common(FnState *f, IrValue *left, IrValue *right)
{
    left = written(f, left);
    right = written(f, right);
    return typing_nep50(AST_ADD, left->type, left->weak, right->type, right->weak).result;
}

static bool is_number(const IrValue *value)
{
    return type_is_scalar(value->type) && value->type->kind != TY_BOOL;
}

const Type *lower_common(FnState *f, IrValue *a, IrValue *b)
{
    bool numbers = is_number(a) && is_number(b);
    bool weak = numbers && is_nep50(f) && written(f, a)->weak != written(f, b)->weak;
    const Type *type = weak ? nep50_common(f, a, b) : typing_unify(f->types, a->type, b->type);
    if (type && numbers)
        remark_meeting(f, a, b, type);
    return type;
}

/* Arithmetic on constants, with the meaning ops.def gives each operation.
**
** Floats are folded in double and rounded once, which is exact for float32 since double carries
** more than twice its digits. Of complex numbers, and of 16-bit floats, which have no arithmetic of
** their own, only what is needed to write constants is folded. */
#include "base/arith.h"
#include "ir/ir.h"

#include <math.h>

static bool folds(const Type *type)
{
    return type_is_integral(type) || type->kind == TY_FLOAT32 || type->kind == TY_FLOAT64;
}

static IrValue *complex_of(Arena *arena, const Type *type, double real, double imag, Span span)
{
    const Type *part = type_complex_part(type);
    return ir_complex(arena, type, ir_number(arena, part, real, span),
                      ir_number(arena, part, imag, span), span);
}

static IrValue *boolean(Arena *arena, bool value, Span span)
{
    return ir_integer(arena, type_bool, value, span);
}

IrValue *fold_unary(Arena *arena, IrOp op, const Type *type, const IrValue *a, Span span)
{
    if (ir_is_constant(a) && type_is_complex(a->type) && op == OP_neg)
        return complex_of(arena, type, -a->constant.complex.real, -a->constant.complex.imag, span);
    if (!ir_is_constant(a) || !folds(a->type))
        return NULL;
    IrConstant c = a->constant;
    bool integral = type_is_integral(a->type);
    switch (op) {
    case OP_not:
        return boolean(arena, !c.integer, span);
    case OP_neg:
        return integral ? ir_integer(arena, type, (int64_t)(0 - (uint64_t)c.integer), span)
                        : ir_number(arena, type, -c.number, span);
    case OP_invert:
        return a->type->kind == TY_BOOL ? boolean(arena, !c.integer, span)
                                        : ir_integer(arena, type, ~c.integer, span);
    default:
        return NULL;
    }
}

/* Up to this exponent powers are products that wrap; beyond, they are left for run time. */
#define POWER_MAX 65536

static IrValue *compare(Arena *arena, IrOp op, int order, bool unordered, Span span)
{
    switch (op) {
    case OP_eq:
        return boolean(arena, !unordered && order == 0, span);
    case OP_ne:
        return boolean(arena, unordered || order != 0, span);
    case OP_lt:
        return boolean(arena, !unordered && order < 0, span);
    case OP_le:
        return boolean(arena, !unordered && order <= 0, span);
    case OP_gt:
        return boolean(arena, !unordered && order > 0, span);
    case OP_ge:
        return boolean(arena, !unordered && order >= 0, span);
    default:
        return NULL;
    }
}

static IrValue *fold_integers(Arena *arena, IrOp op, const Type *type, const IrValue *left,
                              const IrValue *right, Span span)
{
    int64_t a = left->constant.integer, b = right->constant.integer;
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool is_signed = !type_is_unsigned(left->type);
    switch (op) {
    case OP_add:
        return ir_integer(arena, type, (int64_t)(ua + ub), span);
    case OP_sub:
        return ir_integer(arena, type, (int64_t)(ua - ub), span);
    case OP_mul:
        return ir_integer(arena, type, (int64_t)(ua * ub), span);
    case OP_floordiv:
        if (is_signed && b)
            return ir_integer(arena, type, has_quotient(a, b) ? floor_quotient(a, b) : 0, span);
        return ub ? ir_integer(arena, type, (int64_t)(ua / ub), span) : NULL;
    case OP_mod: /* as above: of a division by zero the checker is to tell when it happens */
        if (is_signed && b)
            return ir_integer(arena, type, floor_rest(a, b), span);
        return ub ? ir_integer(arena, type, (int64_t)(ua % ub), span) : NULL;
    case OP_pow:
        return ub > POWER_MAX ? NULL
                              : ir_integer(arena, type, (int64_t)integer_power(ua, ub), span);
    case OP_and:
        return ir_integer(arena, type, a & b, span);
    case OP_or:
        return ir_integer(arena, type, a | b, span);
    case OP_xor:
        return ir_integer(arena, type, a ^ b, span);
    case OP_shl:
        return ub < 64 ? ir_integer(arena, type, (int64_t)(ua << ub), span) : NULL;
    case OP_shr:
        return ub < 64 ? ir_integer(arena, type, is_signed ? a >> b : (int64_t)(ua >> ub), span)
                       : NULL;
    case OP_and_then:
        return boolean(arena, a && b, span);
    case OP_or_else:
        return boolean(arena, a || b, span);
    default:
        return compare(arena, op, is_signed ? (a > b) - (a < b) : (ua > ub) - (ua < ub), false,
                       span);
    }
}

static IrValue *fold_floats(Arena *arena, IrOp op, const Type *type, double a, double b, Span span)
{
    switch (op) {
    case OP_add:
        return ir_number(arena, type, a + b, span);
    case OP_sub:
        return ir_number(arena, type, a - b, span);
    case OP_mul:
        return ir_number(arena, type, a * b, span);
    case OP_div:
        return ir_number(arena, type, a / b, span);
    case OP_floordiv:
    case OP_mod:
    case OP_pow:
        return NULL;
    default:
        return compare(arena, op, (a > b) - (a < b), isnan(a) || isnan(b), span);
    }
}

/* 3 + 4j, and such. */
static IrValue *fold_complex(Arena *arena, IrOp op, const Type *type, IrConstant a, IrConstant b,
                             Span span)
{
    double ar = a.complex.real, ai = a.complex.imag, br = b.complex.real, bi = b.complex.imag;
    if (op == OP_add)
        return complex_of(arena, type, ar + br, ai + bi, span);
    if (op == OP_sub)
        return complex_of(arena, type, ar - br, ai - bi, span);
    if (op == OP_mul && type->kind == TY_COMPLEX128)
        return complex_of(arena, type, ar * br - ai * bi, ar * bi + ai * br, span);
    return NULL;
}

IrValue *fold_binary(Arena *arena, IrOp op, const Type *type, const IrValue *a, const IrValue *b,
                     Span span)
{
    if (!ir_is_constant(a) || !ir_is_constant(b) || a->type != b->type)
        return NULL;
    if (type_is_complex(a->type))
        return fold_complex(arena, op, type, a->constant, b->constant, span);
    if (!folds(a->type) && !(type_is_half(a->type) && ir_ops[op].result == RESULT_BOOL))
        return NULL;
    if (type_is_integral(a->type))
        return fold_integers(arena, op, type, a, b, span);
    return fold_floats(arena, op, type, a->constant.number, b->constant.number, span);
}

/* The integer that a float becomes, toward zero; NULL if there is none such, of which the checker
** is to tell when it happens. */
static IrValue *truncate(Arena *arena, const Type *type, double number, Span span)
{
    int bits = 8 * (int)type_size(type);
    bool is_signed = type_is_signed(type);
    double top = ldexp(1.0, is_signed ? bits - 1 : bits), bottom = is_signed ? -top : 0.0;
    double whole = trunc(number);
    if (!(whole >= bottom && whole < top))
        return NULL;
    return ir_integer(arena, type,
                      whole >= 9223372036854775808.0 ? (int64_t)(uint64_t)whole : (int64_t)whole,
                      span);
}

/* An integer of 64 bits as a double that rounds to a bfloat16 as the integer does: the bits that
** 53 do not hold are gathered in the lowest. */
static double rounds_alike(int64_t integer, bool is_unsigned)
{
    bool minus = !is_unsigned && integer < 0;
    uint64_t size = minus ? 0 - (uint64_t)integer : (uint64_t)integer;
    if (size >> 53)
        size = (size & ~UINT64_C(2047)) | (size & 2047 ? 2048 : 0);
    return minus ? -(double)size : (double)size;
}

IrValue *fold_cast(Arena *arena, const Type *type, const IrValue *a, Span span)
{
    if (!ir_is_constant(a))
        return NULL;
    IrConstant c = a->constant;
    if (type_is_complex(a->type) && type_is_complex(type))
        return complex_of(arena, type, c.complex.real, c.complex.imag, span);
    if (!(folds(a->type) || type_is_half(a->type)) || !(folds(type) || type_is_half(type)))
        return NULL;
    if (type_is_integral(a->type)) {
        if (type_is_integral(type))
            return ir_integer(arena, type, c.integer, span);
        bool is_unsigned = a->type->kind == TY_UINT64;
        if (type->kind == TY_FLOAT32) /* one rounding, not two by way of double */
            return ir_number(arena, type,
                             is_unsigned ? (float)(uint64_t)c.integer : (float)c.integer, span);
        if (type->kind == TY_BFLOAT16)
            return ir_number(arena, type, rounds_alike(c.integer, is_unsigned), span);
        return ir_number(arena, type, is_unsigned ? (double)(uint64_t)c.integer : (double)c.integer,
                         span);
    }
    if (type->kind == TY_BOOL)
        return boolean(arena, c.number != 0, span);
    return type_is_integral(type) ? truncate(arena, type, c.number, span)
                                  : ir_number(arena, type, c.number, span);
}

/* Constants of a module: what Python computes before a kernel is compiled, where a kernel's own
** operations have other types or are left for run time. */
#include "ir/lower_function.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_of(Arena *arena, const IrValue *value)
{
    return fold_cast(arena, type_float64, value, value->span)->constant.number;
}

/* The remainder with the divisor's sign; as CPython has it. */
static double float_mod(double a, double b)
{
    double rest = fmod(a, b);
    if (rest != 0)
        return (rest < 0) != (b < 0) ? rest + b : rest;
    return copysign(0.0, b);
}

static double float_floordiv(double a, double b)
{
    double rest = fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0.0, a / b);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

IrValue *lower_constant_binary(FnState *f, AstOp op, const IrValue *left, const IrValue *right,
                               Span span)
{
    bool real = type_is_real(left->type) && type_is_real(right->type);
    if (!f->constant_only || !real || !ir_is_constant(left) || !ir_is_constant(right))
        return NULL;
    bool floats = type_is_float(left->type) || type_is_float(right->type);
    bool fraction = op == AST_POW && type_is_signed(right->type) && right->constant.integer < 0;
    if ((op != AST_POW && op != AST_FLOORDIV && op != AST_MOD) || !(floats || fraction))
        return NULL;
    const Type *type = floats ? typing_binary(op, left->type, right->type).result : type_float64;
    if (!type || !type_is_float(type))
        return NULL;
    double a = number_of(f->arena, left), b = number_of(f->arena, right);
    double result = op == AST_POW        ? pow(a, b)
                    : op == AST_FLOORDIV ? float_floordiv(a, b)
                                         : float_mod(a, b);
    if (isnan(result) && !isnan(a) && !isnan(b)) {
        fail(f, span, "a constant is not a real number");
        return lower_poison(f, span);
    }
    IrValue *value = ir_number(f->arena, type, result, span);
    value->weak = left->weak && right->weak;
    return value;
}

IrValue *lower_constant_round(FnState *f, const IrValue *value, const IrValue *digits, Span span)
{
    if (!f->constant_only || !ir_is_constant(value) || !type_is_float(value->type))
        return NULL;
    double number = number_of(f->arena, value);
    if (!digits)
        return fold_cast(f->arena, type_int64,
                         ir_number(f->arena, type_float64, nearbyint(number), span), span);
    if (!ir_is_constant(digits) || digits->constant.integer < 0 || digits->constant.integer > 300)
        return NULL;
    /* the nearest decimal, as CPython finds it */
    const char *text = arena_printf(f->arena, "%.*f", (int)digits->constant.integer, number);
    return ir_number(f->arena, value->type, strtod(text, NULL), span);
}

Operand lower_constant_callee(FnState *f, Operand callee)
{
    if (!f->constant_only || callee.kind != OPD_FUNCTION ||
        !library_is_namespace(f->lower, callee.function->module))
        return callee;
    Operand found = builtin_find(f->arena, arena_printf(f->arena, "math.%s", callee.function->name),
                                 callee.span);
    return found.kind == OPD_INTRINSIC ? found : callee;
}

/* np.finfo(float32).eps, np.iinfo(int16).max: constants, of the type they tell of. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

#include <math.h>

/* np.finfo(type or value), np.iinfo(type or value) */
Operand lower_limits(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    bool floats = call->intrinsic == INTR_finfo;
    Operand arg = call->args[0];
    const Type *type = arg.kind == OPD_TYPE    ? arg.type
                       : arg.kind == OPD_VALUE ? arg.value->type
                                               : type_none;
    if (arg.kind == OPD_INTRINSIC && arg.intrinsic == (floats ? INTR_float_ : INTR_int_))
        type = floats ? type_float64 : type_int64;
    if (floats && type_is_complex(type))
        type = type_complex_part(type);
    if (floats ? type_is_float(type) : type_is_integer(type))
        return (Operand){ .kind = OPD_LIMITS, .span = call->span, .type = type };
    if (arg.kind != OPD_ERROR && type->kind != TY_ERROR)
        fail(f, arg.span, "%s takes %s, and this is %s", call->name,
             floats ? "a type of floats" : "a type of integers", describe(f, arg));
    return operand_error(call->span);
}

/* Bits behind the point, and the exponent of the least normal number. */
static void float_format(const Type *type, int *mantissa, int *exponent)
{
    bool brain = type->kind == TY_BFLOAT16, e4m3 = type->kind == TY_FLOAT8_E4M3;
    *mantissa = type == type_float64   ? 52
                : type == type_float32 ? 23
                : brain                ? 7
                : e4m3                 ? 3
                : type_is_float8(type) ? 2
                                       : 10;
    *exponent = type == type_float64            ? -1022
                : type == type_float32 || brain ? -126
                : e4m3                          ? -6
                                                : -14;
}

/* NAN if floats have no such thing. */
static double float_limit(const Type *type, const char *name)
{
    int mantissa, exponent;
    float_format(type, &mantissa, &exponent);
    double most = ldexp(2 - ldexp(1, -mantissa), 1 - exponent);
    if (type->kind == TY_FLOAT8_E4M3)
        most = 448; /* its numbers go on where others have infinity */
    return strcmp(name, "eps") == 0                  ? ldexp(1, -mantissa)
           : strcmp(name, "epsneg") == 0             ? ldexp(1, -mantissa - 1)
           : strcmp(name, "max") == 0                ? most
           : strcmp(name, "min") == 0                ? -most
           : strcmp(name, "tiny") == 0               ? ldexp(1, exponent)
           : strcmp(name, "smallest_normal") == 0    ? ldexp(1, exponent)
           : strcmp(name, "smallest_subnormal") == 0 ? ldexp(1, exponent - mantissa)
                                                     : NAN;
}

static int64_t integer_limit(const Type *type, bool most)
{
    int bits = 8 * (int)type_size(type);
    if (type_is_unsigned(type))
        return most ? (int64_t)(~UINT64_C(0) >> (64 - bits)) : 0;
    int64_t greatest = INT64_MAX >> (64 - bits);
    return most ? greatest : -greatest - 1;
}

Operand limits_attribute(FnState *f, const Operand *limits, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    const Type *type = limits->type;
    bool most = strcmp(name, "max") == 0, floats = type_is_float(type);
    if (strcmp(name, "bits") == 0)
        return operand_value(
            ir_integer(f->arena, type_int64, 8 * (int)type_size(type), expr->span));
    if (strcmp(name, "dtype") == 0)
        return (Operand){ .kind = OPD_TYPE, .span = expr->span, .type = type };
    double number = floats ? float_limit(type, name) : NAN;
    if (floats && !isnan(number))
        return operand_value(ir_number(f->arena, type, number, expr->span));
    if (!floats && (most || strcmp(name, "min") == 0))
        return operand_value(ir_integer(f->arena, type, integer_limit(type, most), expr->span));
    fail(f, expr->attribute.name_span, "%s have %s", describe(f, *limits),
         floats ? "bits, dtype, eps, epsneg, max, min, tiny, smallest_normal and smallest_subnormal"
                : "bits, dtype, max and min");
    return operand_error(expr->span);
}

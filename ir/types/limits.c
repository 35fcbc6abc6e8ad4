/* What numbers there are of a type: what np.finfo() and np.iinfo() tell. */
#include "ir/types/types.h"

#include <math.h>

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

bool type_float_limit(const Type *type, const char *name, double *limit)
{
    int mantissa, exponent;
    float_format(type, &mantissa, &exponent);
    double most = ldexp(2 - ldexp(1, -mantissa), 1 - exponent);
    if (type->kind == TY_FLOAT8_E4M3)
        most = 448; /* its numbers go on where others have infinity */
    *limit = strcmp(name, "eps") == 0                  ? ldexp(1, -mantissa)
             : strcmp(name, "epsneg") == 0             ? ldexp(1, -mantissa - 1)
             : strcmp(name, "max") == 0                ? most
             : strcmp(name, "min") == 0                ? -most
             : strcmp(name, "tiny") == 0               ? ldexp(1, exponent)
             : strcmp(name, "smallest_normal") == 0    ? ldexp(1, exponent)
             : strcmp(name, "smallest_subnormal") == 0 ? ldexp(1, exponent - mantissa)
                                                       : (double)NAN;
    return !isnan(*limit);
}

int64_t type_integer_limit(const Type *type, bool most)
{
    int bits = 8 * (int)type_size(type);
    if (type_is_unsigned(type))
        return most ? (int64_t)(~UINT64_C(0) >> (64 - bits)) : 0;
    int64_t greatest = INT64_MAX >> (64 - bits);
    return most ? greatest : -greatest - 1;
}

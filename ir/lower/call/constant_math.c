/* What Python itself computes for a constant of a module: math's functions of numbers that are
** known. Its ceil, floor and trunc give integers, where a kernel's and NumPy's give floats; its
** results take the type of what they meet, where NumPy's have one. */
#include "ir/lower/builtin.h"

#include <math.h>

typedef double OfOne(double x);
typedef double OfTwo(double x, double y);

static double degrees(double x)
{
    return x * (180 / M_PI);
}

static double radians(double x)
{
    return x * (M_PI / 180);
}

static const struct {
    IrIntrinsic intrinsic;
    OfOne *one;
    OfTwo *two;
} known[] = {
#define ONE(name)                                                                                  \
    {                                                                                              \
        INTR_##name, name, NULL                                                                    \
    }
#define RENAMED(id, name)                                                                          \
    {                                                                                              \
        INTR_##id, name, NULL                                                                      \
    }
#define TWO(name)                                                                                  \
    {                                                                                              \
        INTR_##name, NULL, name                                                                    \
    }
    ONE(acos),
    ONE(acosh),
    ONE(asin),
    ONE(asinh),
    ONE(atan),
    ONE(atanh),
    ONE(cos),
    ONE(cosh),
    ONE(sin),
    ONE(sinh),
    ONE(tan),
    ONE(tanh),
    ONE(exp),
    ONE(exp2),
    ONE(expm1),
    ONE(log),
    ONE(log2),
    ONE(log10),
    ONE(log1p),
    ONE(sqrt),
    ONE(cbrt),
    ONE(fabs),
    ONE(erf),
    ONE(erfc),
    ONE(lgamma),
    ONE(degrees),
    ONE(radians),
    ONE(ceil),
    ONE(floor),
    ONE(trunc),
    RENAMED(gamma, tgamma),
    TWO(atan2),
    TWO(hypot),
    TWO(fmod),
    TWO(copysign),
    TWO(nextafter),
    TWO(remainder),
    { INTR_math_pow, NULL, pow },
};

static bool is_numpy(FnState *f, const Call *call)
{
    const char *path = module_path_of(f->arena, f->module, call->expr->call.function);
    return path && strncmp(path, "np.", 3) == 0;
}

IrValue *constant_math(FnState *f, const Call *call, const Type *type, double x, const double *y)
{
    bool numpy = is_numpy(f, call);
    for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
        if (known[i].intrinsic != call->intrinsic || (y ? !known[i].two : !known[i].one))
            continue;
        double result = y ? known[i].two(x, *y) : known[i].one(x);
        bool whole = !numpy &&
                     (call->intrinsic == INTR_ceil || call->intrinsic == INTR_floor ||
                      call->intrinsic == INTR_trunc) &&
                     fabs(result) < 9e18;
        IrValue *value = whole
                             ? ir_integer(f->arena, type_int64, (int64_t)result, call->span)
                             : ir_number(f->arena, numpy ? type : type_float64, result, call->span);
        value->weak = !numpy;
        return value;
    }
    return fail_value(f, call->span, "%s cannot be computed in a constant", call->name);
}

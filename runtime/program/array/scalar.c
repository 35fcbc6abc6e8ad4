/* NumPy's functions of scalars, which need no kernel: by the C library, as on the processor. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

#include <math.h>

typedef struct Function {
    const char *name;
    double (*wide)(double);
    float (*narrow)(float);
} Function;

static const double DEGREES = 57.29577951308232;

static double wide_degrees(double x)
{
    return x * DEGREES;
}

static double wide_radians(double x)
{
    return x / DEGREES;
}

static float narrow_degrees(float x)
{
    return (float)(x * DEGREES);
}

static float narrow_radians(float x)
{
    return (float)(x / DEGREES);
}

static const Function functions[] = {
    { "sqrt", sqrt, sqrtf },
    { "exp", exp, expf },
    { "exp2", exp2, exp2f },
    { "expm1", expm1, expm1f },
    { "log", log, logf },
    { "log2", log2, log2f },
    { "log10", log10, log10f },
    { "log1p", log1p, log1pf },
    { "sin", sin, sinf },
    { "cos", cos, cosf },
    { "tan", tan, tanf },
    { "arcsin", asin, asinf },
    { "arccos", acos, acosf },
    { "arctan", atan, atanf },
    { "sinh", sinh, sinhf },
    { "cosh", cosh, coshf },
    { "tanh", tanh, tanhf },
    { "arcsinh", asinh, asinhf },
    { "arccosh", acosh, acoshf },
    { "arctanh", atanh, atanhf },
    { "cbrt", cbrt, cbrtf },
    { "rint", nearbyint, nearbyintf },
    { "fabs", fabs, fabsf },
    { "deg2rad", wide_radians, narrow_radians },
    { "radians", wide_radians, narrow_radians },
    { "rad2deg", wide_degrees, narrow_degrees },
    { "degrees", wide_degrees, narrow_degrees },
};

/* floor, ceil, trunc: integers stay what they are. */
static const Function roundings[] = { { "floor", floor, floorf },
                                      { "ceil", ceil, ceilf },
                                      { "trunc", trunc, truncf } };

static const Function *find(const Function *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static void apply(const Function *function, kjit_dtype dtype, HostValue value, HostValue *out)
{
    double x = host_as_double(value);
    kjit_arg scalar = kjit_arg_float64(
        dtype == KJIT_DTYPE_FLOAT64 ? function->wide(x) : (double)function->narrow((float)x));
    scalar = scalar_cast(&scalar, dtype);
    *out = host_number(dtype, &scalar);
}

static bool question(const char *name, double x, HostValue *out)
{
    int answer = strcmp(name, "isnan") == 0      ? x != x
                 : strcmp(name, "isinf") == 0    ? isinf(x) != 0
                 : strcmp(name, "isfinite") == 0 ? isfinite(x) != 0
                                                 : -1;
    const kjit_arg truth = kjit_arg_bool(answer > 0);
    if (answer >= 0)
        *out = host_number(KJIT_DTYPE_BOOL, &truth);
    return answer >= 0;
}

bool scalar_function(const char *name, const HostValue *operands, int count, HostValue *out)
{
    kjit_dtype dtype = operands[0].dtype;
    if (dtype_is_complex(dtype) && strncmp(name, "conj", 4) == 0) {
        *out = operands[0];
        out->imaginary = -out->imaginary;
        return true;
    }
    if (dtype_is_complex(dtype) && strncmp(name, "abs", 3) == 0) {
        const kjit_arg size = kjit_arg_float64(hypot(operands[0].number, operands[0].imaginary));
        const kjit_arg part = scalar_cast(&size, dtype_part(dtype));
        return host_give(out, host_number(part.dtype, &part));
    }
    if (count != 1 || (!dtype_is_float(dtype) && !dtype_is_integer(dtype)))
        return false;
    const Function *function = find(functions, ARRAY_COUNT(functions), name);
    const Function *rounding = find(roundings, ARRAY_COUNT(roundings), name);
    if (function)
        apply(function, dtype_promote(dtype, KJIT_DTYPE_FLOAT16), operands[0], out);
    else if (rounding && dtype_is_float(dtype))
        apply(rounding, dtype, operands[0], out);
    else
        return question(name, host_as_double(operands[0]), out);
    return true;
}

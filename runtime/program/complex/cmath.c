/* Python's cmath. */
#include "runtime/program/complex/library.h"
#include "runtime/program/program.h"

#include <complex.h>
#include <float.h>
#include <math.h>

typedef double complex OfComplex(double complex z);

static bool number_of(Program *p, HostValue value, Complex *z)
{
    if (!host_is_number(value))
        return host_fail(p, "TypeError", "must be real number, not %s", host_type_name(p, value));
    *z = host_parts(value);
    return true;
}

/* As CPython has it: scaled where the parts are small, so that no digit is lost. */
static double complex root(double complex number)
{
    double real = creal(number), imaginary = cimag(number), a = fabs(real), b = fabs(imaginary), s;
    if (!isfinite(real) || !isfinite(imaginary))
        return csqrt(number);
    if (real == 0 && imaginary == 0)
        return complex_of(0, imaginary);
    if (a < DBL_MIN && b < DBL_MIN && (a > 0 || b > 0)) {
        a = ldexp(a, 54);
        s = ldexp(sqrt(a + hypot(a, ldexp(b, 54))), -27);
    } else {
        a /= 8;
        s = 2 * sqrt(a + hypot(a, b / 8));
    }
    double d = b / (2 * s);
    return real >= 0 ? complex_of(s, copysign(d, imaginary))
                     : complex_of(d, copysign(s, imaginary));
}

static double complex exponential(double complex z)
{
    double real = creal(z), angle = cimag(z);
    if (!isfinite(real) || !isfinite(angle) || real > 708)
        return cexp(z);
    double size = exp(real);
    return complex_of(size * cos(angle), size * sin(angle));
}

static double complex logarithm(double complex z)
{
    double a = fabs(creal(z)), b = fabs(cimag(z)), size = hypot(a, b);
    bool ordinary = isfinite(a) && isfinite(b) && a <= DBL_MAX / 4 && b <= DBL_MAX / 4 &&
                    !(a < DBL_MIN && b < DBL_MIN);
    if (!ordinary)
        return clog(z);
    double most = a > b ? a : b, least = a > b ? b : a, real = log(size);
    if (size >= 0.71 && size <= 1.73)
        real = log1p((most - 1) * (most + 1) + least * least) / 2;
    return complex_of(real, atan2(cimag(z), creal(z)));
}

static double complex logarithm10(double complex z)
{
    double complex natural = logarithm(z);
    return complex_of(creal(natural) / log(10.0), cimag(natural) / log(10.0));
}

static bool apply(Program *p, const HostArgs *args, OfComplex *function, HostValue *out)
{
    Complex z;
    if (!number_of(p, args->values[0], &z))
        return false;
    const double complex result = function(complex_of(z.real, z.imaginary));
    bool finite = isfinite(z.real) && isfinite(z.imaginary);
    if (finite && (isinf(creal(result)) || isinf(cimag(result))))
        return host_fail(p, "OverflowError", "math range error");
    return host_give(out, host_complex(creal(result), cimag(result)));
}

static bool of_one(Program *p, HostArgs *args, HostValue *out)
{
    return apply(p, args, *(OfComplex *const *)args->builtin->with, out);
}

static bool cmath_log(Program *p, HostArgs *args, HostValue *out)
{
    Complex z;
    HostValue base;
    if (!number_of(p, args->values[0], &z))
        return false;
    if (z.real == 0 && z.imaginary == 0)
        return host_fail(p, "ValueError", "math domain error");
    if (!apply(p, args, logarithm, out) || args->count == 1)
        return !p->failed;
    HostArgs second = { .values = args->values + 1, .count = 1 };
    return cmath_log(p, &second, &base) && complex_python(p, AST_DIV, *out, base, out);
}

static bool cmath_phase(Program *p, HostArgs *args, HostValue *out)
{
    Complex z;
    if (!number_of(p, args->values[0], &z))
        return false;
    return host_give(out, host_float(atan2(z.imaginary, z.real)));
}

static bool cmath_polar(Program *p, HostArgs *args, HostValue *out)
{
    Complex z;
    if (!number_of(p, args->values[0], &z))
        return false;
    const HostValue pair[] = { host_float(hypot(z.real, z.imaginary)),
                               host_float(atan2(z.imaginary, z.real)) };
    return host_give(out, host_items(p, HOST_TUPLE, pair, 2));
}

static bool cmath_rect(Program *p, HostArgs *args, HostValue *out)
{
    double size, angle;
    if (!host_double(p, args->values[0], &size) || !host_double(p, args->values[1], &angle))
        return false;
    return host_give(out, host_complex(size * cos(angle), size * sin(angle)));
}

static bool ask(Program *p, HostArgs *args, HostValue *out)
{
    Complex z;
    const char *name = args->builtin->name + strlen("cmath.");
    if (!number_of(p, args->values[0], &z))
        return false;
    bool finite = isfinite(z.real) && isfinite(z.imaginary);
    return host_give(out,
                     host_bool(strcmp(name, "isfinite") == 0 ? finite
                               : strcmp(name, "isinf") == 0  ? isinf(z.real) || isinf(z.imaginary)
                                                            : isnan(z.real) || isnan(z.imaginary)));
}

static bool cmath_isclose(Program *p, HostArgs *args, HostValue *out)
{
    Complex a, b;
    double relative, absolute;
    if (!number_of(p, args->values[0], &a) || !number_of(p, args->values[1], &b) ||
        !host_double(p, args_get(args, SIZE_MAX, "rel_tol", host_float(1e-9)), &relative) ||
        !host_double(p, args_get(args, SIZE_MAX, "abs_tol", host_float(0)), &absolute))
        return false;
    double apart = hypot(a.real - b.real, a.imaginary - b.imaginary);
    double x = hypot(a.real, a.imaginary), y = hypot(b.real, b.imaginary), most = x > y ? x : y;
    bool same = a.real == b.real && a.imaginary == b.imaginary;
    return host_give(out, host_bool(same || (isfinite(apart) && isfinite(most) &&
                                             (apart <= relative * most || apart <= absolute))));
}

/* clang-format off */
#define ONE(name, function) { "cmath." #name, 1, 1, of_one, NULL, &(OfComplex *const){ function } }

const HostBuiltin cmath_functions[] = {
    ONE(sqrt, root), ONE(exp, exponential), ONE(log10, logarithm10), ONE(sin, csin), ONE(cos, ccos),
    ONE(tan, ctan), ONE(asin, casin), ONE(acos, cacos), ONE(atan, catan), ONE(sinh, csinh),
    ONE(cosh, ccosh), ONE(tanh, ctanh), ONE(asinh, casinh), ONE(acosh, cacosh), ONE(atanh, catanh),
    { "cmath.log", 1, 2, cmath_log, NULL },
    { "cmath.phase", 1, 1, cmath_phase, NULL },
    { "cmath.polar", 1, 1, cmath_polar, NULL },
    { "cmath.rect", 2, 2, cmath_rect, NULL },
    { "cmath.isfinite", 1, 1, ask, NULL },
    { "cmath.isinf", 1, 1, ask, NULL },
    { "cmath.isnan", 1, 1, ask, NULL },
    { "cmath.isclose", 2, 2, cmath_isclose, "rel_tol abs_tol" },
    { NULL, 0, 0, NULL, NULL },
};
/* clang-format on */

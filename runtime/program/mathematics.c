/* Python's `math` and `time`. */
#include "runtime/program/program.h"

#include <errno.h>
#include <math.h>
#include <time.h>

/* ---- functions of numbers ------------------------------------------------------------------- */

typedef double OfOne(double x);

/* Python raises where C gives a NaN or an infinity that the argument is not. */
static bool check(Program *p, double result, bool finite, bool nan, bool overflows, HostValue *out)
{
    *out = host_float(result);
    if (isnan(result) && !nan)
        return host_fail(p, "ValueError", "math domain error");
    if (isinf(result) && finite)
        return host_fail(p, overflows ? "OverflowError" : "ValueError", "math %s error",
                         overflows ? "range" : "domain");
    return true;
}

static bool apply_one(Program *p, HostArgs *args, OfOne *function, bool overflows, HostValue *out)
{
    double x;
    return host_double(p, args->values[0], &x) &&
           check(p, function(x), isfinite(x), isnan(x), overflows, out);
}

static double to_degrees(double x)
{
    return x * (180 / 3.14159265358979323846);
}

static double to_radians(double x)
{
    return x * (3.14159265358979323846 / 180);
}

static double spacing(double x)
{
    const double size = fabs(x), above = nextafter(size, HUGE_VAL);
    return isnan(x) || isinf(x) ? size : isinf(above) ? size - nextafter(size, 0) : above - size;
}

/* A function of one number, and whether an infinity is an overflow. */
typedef struct RealFunction {
    OfOne *function;
    bool overflows;
} RealFunction;

static bool math_of_one(Program *p, HostArgs *args, HostValue *out)
{
    const RealFunction *of = args->builtin->with;
    return apply_one(p, args, of->function, of->overflows, out);
}

typedef double OfTwo(double x, double y);

static bool math_of_two(Program *p, HostArgs *args, HostValue *out)
{
    OfTwo *const function = *(OfTwo *const *)args->builtin->with;
    double x, y;
    return host_double(p, args->values[0], &x) && host_double(p, args->values[1], &y) &&
           check(p, function(x, y), isfinite(x) && isfinite(y), isnan(x) || isnan(y), true, out);
}

static bool math_pow(Program *p, HostArgs *args, HostValue *out)
{
    double x, y;
    if (!host_double(p, args->values[0], &x) || !host_double(p, args->values[1], &y))
        return false;
    if (x == 0 && y < 0 && isfinite(y))
        return host_fail(p, "ValueError", "math domain error");
    return check(p, pow(x, y), isfinite(x) && isfinite(y), isnan(x) || isnan(y), true, out);
}

static bool math_log(Program *p, HostArgs *args, HostValue *out)
{
    HostValue bottom;
    if (!apply_one(p, args, log, false, out) || args->count == 1)
        return !p->failed;
    HostArgs base = { .values = args->values + 1, .count = 1 };
    return apply_one(p, &base, log, false, &bottom) && host_binary(p, AST_DIV, *out, bottom, out);
}

/* The root of a sum of squares, in numbers of more digits and of a wider range. */
static double length_of(long double squares, bool infinite)
{
    return infinite ? HUGE_VAL : (double)sqrtl(squares);
}

static bool math_hypot(Program *p, HostArgs *args, HostValue *out)
{
    long double squares = 0;
    bool infinite = false;
    double x;
    for (size_t i = 0; i < args->count; i++) {
        if (!host_double(p, args->values[i], &x))
            return false;
        infinite |= isinf(x);
        squares += (long double)x * x;
    }
    return host_give(out, host_float(length_of(squares, infinite)));
}

static bool math_dist(Program *p, HostArgs *args, HostValue *out)
{
    HostValue from, to;
    long double squares = 0;
    bool infinite = false;
    double x, y;
    if (!host_collect(p, HOST_TUPLE, args->values[0], &from) ||
        !host_collect(p, HOST_TUPLE, args->values[1], &to))
        return false;
    if (from.list->count != to.list->count)
        return host_fail(p, "ValueError", "both points must have the same number of dimensions");
    for (size_t i = 0; i < from.list->count; i++) {
        if (!host_double(p, from.list->items[i], &x) || !host_double(p, to.list->items[i], &y))
            return false;
        infinite |= isinf(x - y);
        squares += (long double)(x - y) * (x - y);
    }
    return host_give(out, host_float(length_of(squares, infinite)));
}

static bool math_frexp(Program *p, HostArgs *args, HostValue *out)
{
    double x;
    int exponent = 0;
    if (!host_double(p, args->values[0], &x))
        return false;
    const double part = isfinite(x) ? frexp(x, &exponent) : x;
    const HostValue parts[] = { host_float(part), host_int(exponent) };
    return host_give(out, host_items(p, HOST_TUPLE, parts, 2));
}

static bool math_modf(Program *p, HostArgs *args, HostValue *out)
{
    double x, whole;
    if (!host_double(p, args->values[0], &x))
        return false;
    const double part = modf(x, &whole);
    const HostValue parts[] = { host_float(part), host_float(whole) };
    return host_give(out, host_items(p, HOST_TUPLE, parts, 2));
}

static bool math_ldexp(Program *p, HostArgs *args, HostValue *out)
{
    double x;
    int64_t exponent;
    if (!host_double(p, args->values[0], &x))
        return false;
    if (!host_is_integer(args->values[1]))
        return host_fail(p, "TypeError", "Expected an int as second argument to ldexp.");
    if (!host_integer(p, args->values[1], &exponent))
        return false;
    exponent = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
    return check(p, ldexp(x, (int)exponent), isfinite(x), isnan(x), true, out);
}

/* floor(), ceil(), trunc() */
static bool math_whole(Program *p, HostArgs *args, HostValue *out)
{
    OfOne *const function = *(OfOne *const *)args->builtin->with;
    HostArgs rounded = *args;
    HostValue value = args->values[0], integer;
    const char *name = strrchr(args->builtin->name, '.') + 1;
    if (object_calls(p, value, arena_printf(&p->scratch, "__%s__", name), NULL, 0, out) ||
        p->failed || (strcmp(name, "trunc") != 0 && !object_number(p, "__float__", &value)))
        return !p->failed;
    if (value.kind == HOST_WIDE)
        return host_give(out, value);
    if (host_is_integer(value))
        return host_give(out, host_int(value.integer));
    if (!host_is_number(value) || host_is_complex(value))
        return host_fail(p, "TypeError",
                         *name == 't' ? "type %s doesn't define __trunc__ method"
                                      : "must be real number, not %s",
                         host_type_name(p, value));
    value = host_float(function(value.number));
    rounded.values = &value;
    if (!module_builtin(p, "int", &integer))
        return false;
    return host_call(p, integer, &rounded, out);
}

/* isnan(), isinf(), isfinite(), whose rows have the first letter. */
static bool math_is(Program *p, HostArgs *args, HostValue *out)
{
    double x;
    if (!host_double(p, args->values[0], &x))
        return false;
    return host_give(out, host_bool((isnan(x)   ? 'n'
                                     : isinf(x) ? 'i'
                                                : 'f') == *(const char *)args->builtin->with));
}

static bool math_isclose(Program *p, HostArgs *args, HostValue *out)
{
    double a, b, relative, absolute;
    if (!host_double(p, args->values[0], &a) || !host_double(p, args->values[1], &b) ||
        !host_double(p, args_get(args, SIZE_MAX, "rel_tol", host_float(1e-9)), &relative) ||
        !host_double(p, args_get(args, SIZE_MAX, "abs_tol", host_float(0)), &absolute))
        return false;
    double bound = fmax(relative * fmax(fabs(a), fabs(b)), absolute);
    return host_give(out,
                     host_bool(a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= bound)));
}

/* ---- integers ------------------------------------------------------------------------------- */

static uint64_t divisor(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* Of two ints, of which one is beyond 64 bits. */
static bool wide_divisor(Program *p, HostValue a, HostValue b, HostValue *out)
{
    bool more = true;
    while (host_truth(p, b, &more) && more) {
        const HostValue before = b;
        if (!host_binary(p, AST_MOD, a, b, &b))
            return false;
        a = before;
    }
    const HostValue value = a;
    return (a.kind == HOST_WIDE ? a.wide->negative : a.integer < 0)
               ? host_unary(p, AST_NEG, value, out)
               : host_give(out, value);
}

static bool math_gcd(Program *p, HostArgs *args, HostValue *out)
{
    int64_t x = 0;
    *out = host_int(0);
    for (size_t i = 0; i < args->count; i++) {
        const HostValue value = args->values[i];
        if (value.kind != HOST_WIDE && !host_integer(p, value, &x))
            return false;
        if (value.kind != HOST_WIDE && out->kind == HOST_INT && x > INT64_MIN)
            *out = host_int((int64_t)divisor(out->integer, x));
        else if (!wide_divisor(p, *out, value.kind == HOST_WIDE ? value : host_int(x), out))
            return false;
    }
    return true;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Exactly rounded: the parts of the sum do not overlap (Shewchuk's). */
static bool math_fsum(Program *p, HostArgs *args, HostValue *out)
{
    double parts[64], x;
    int count = 0;
    HostIterator it;
    HostValue item;
    if (!host_iterate(p, args->values[0], &it))
        return false;
    while (host_next(p, &it, &item)) {
        int kept = 0;
        if (!host_double(p, item, &x))
            return false;
        for (int i = 0; i < count; i++) {
            double y = parts[i];
            if (fabs(x) < fabs(y)) {
                double other = x;
                x = y;
                y = other;
            }
            volatile double high = x + y, low = y - (high - x);
            if (low != 0)
                parts[kept++] = low;
            x = high;
        }
        count = kept;
        parts[count++] = x;
    }
    double sum = 0;
    for (int i = count; i-- > 0;) {
        volatile double before = sum, rest;
        sum = before + parts[i];
        rest = parts[i] - (sum - before);
        if (rest == 0)
            continue;
        bool halfway = i > 0 && (rest < 0) == (parts[i - 1] < 0);
        double twice = 2 * rest;
        volatile double next = sum + twice;
        if (halfway && twice == next - sum)
            sum = next;
        break;
    }
    return host_give(out, host_float(sum));
}

/* ---- time ----------------------------------------------------------------------------------- */

static bool time_of(Program *p, HostArgs *args, HostValue *out)
{
    struct timespec now;
    (void)p;
    clock_gettime(*(const clockid_t *)args->builtin->with, &now);
    return host_give(out, host_float((double)now.tv_sec + 1e-9 * (double)now.tv_nsec));
}

static bool time_ns(Program *p, HostArgs *args, HostValue *out)
{
    struct timespec now;
    (void)p;
    (void)args;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return host_give(out, host_int((int64_t)now.tv_sec * 1000000000 + now.tv_nsec));
}

static bool time_sleep(Program *p, HostArgs *args, HostValue *out)
{
    double length;
    (void)out;
    if (!host_double(p, args->values[0], &length))
        return false;
    if (!(length >= 0))
        return host_fail(p, "ValueError", "sleep length must be non-negative");
    struct timespec left = { (time_t)length, (long)((length - floor(length)) * 1e9) };
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
    return true;
}

/* clang-format off */
#define ROW(name, count) { "math." #name, count, count, math_##name, NULL }
#define ONE(name, function, overflows)                                                             \
    { "math." #name, 1, 1, math_of_one, NULL, &(const RealFunction){ function, overflows } }
#define TWO(name) { "math." #name, 2, 2, math_of_two, NULL, &(OfTwo *const){ name } }
#define WHOLE(name) { "math." #name, 1, 1, math_whole, NULL, &(OfOne *const){ name } }
#define CLOCK(name, which) { name, 0, 0, time_of, NULL, &(const clockid_t){ which } }

const HostBuiltin math_functions[] = {
    ONE(sqrt, sqrt, false), ONE(cbrt, cbrt, false), ONE(exp, exp, true), ONE(exp2, exp2, true),
    ONE(expm1, expm1, true), ONE(log2, log2, false), ONE(log10, log10, false),
    ONE(log1p, log1p, false), ONE(sin, sin, false), ONE(cos, cos, false), ONE(tan, tan, false),
    ONE(asin, asin, false), ONE(acos, acos, false), ONE(atan, atan, false), ONE(sinh, sinh, true),
    ONE(cosh, cosh, true), ONE(tanh, tanh, false), ONE(asinh, asinh, false),
    ONE(acosh, acosh, false), ONE(atanh, atanh, false), ONE(fabs, fabs, false),
    ONE(erf, erf, false), ONE(erfc, erfc, false), ONE(gamma, tgamma, true),
    ONE(lgamma, lgamma, true), ONE(degrees, to_degrees, true), ONE(radians, to_radians, false),
    ONE(ulp, spacing, false), TWO(atan2), TWO(fmod), TWO(copysign), TWO(remainder), TWO(nextafter),
    WHOLE(floor), WHOLE(ceil), WHOLE(trunc),
    { "math.isnan", 1, 1, math_is, NULL, "n" },
    { "math.isinf", 1, 1, math_is, NULL, "i" },
    { "math.isfinite", 1, 1, math_is, NULL, "f" },
    ROW(pow, 2), ROW(fsum, 1), ROW(dist, 2),
    ROW(frexp, 1), ROW(modf, 1), ROW(ldexp, 2),
    { "math.log", 1, 2, math_log, NULL },
    { "math.hypot", 0, -1, math_hypot, NULL },
    { "math.gcd", 0, -1, math_gcd, NULL },
    { "math.isclose", 2, 2, math_isclose, "rel_tol abs_tol" },
    CLOCK("time.time", CLOCK_REALTIME),
    CLOCK("time.perf_counter", CLOCK_MONOTONIC),
    CLOCK("timeit.default_timer", CLOCK_MONOTONIC),
    CLOCK("time.monotonic", CLOCK_MONOTONIC),
    CLOCK("time.process_time", CLOCK_PROCESS_CPUTIME_ID),
    { "time.perf_counter_ns", 0, 0, time_ns, NULL },
    { "time.sleep", 1, 1, time_sleep, NULL },
    { NULL, 0, 0, NULL, NULL },
};
/* clang-format on */

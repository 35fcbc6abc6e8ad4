/* Functions of math on the processor, in loops of vectors, against the C library's in long double:
** docs/accuracy.md says by how much they may be off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <float.h>
#include <math.h>
#include <cmocka.h>

#include "tests/unit/library.h"

typedef struct Function {
    const char *name;
    long double (*one)(long double);
    long double (*two)(long double, long double);
    int units; /* that float64 may be off from the result rounded */
} Function;

#define ONE(name) #name, name##l, NULL
#define TWO(name) #name, NULL, name##l
static const Function functions[] = {
    { ONE(acos), 2 },  { ONE(acosh), 3 }, { ONE(asin), 2 },  { ONE(asinh), 2 }, { ONE(atan), 1 },
    { ONE(atanh), 2 }, { ONE(cos), 1 },   { ONE(cosh), 1 },  { ONE(sin), 1 },   { ONE(sinh), 2 },
    { ONE(tan), 1 },   { ONE(tanh), 1 },  { ONE(exp), 1 },   { ONE(exp2), 1 },  { ONE(expm1), 1 },
    { ONE(log), 1 },   { ONE(log2), 1 },  { ONE(log10), 1 }, { ONE(log1p), 1 }, { ONE(cbrt), 1 },
    { TWO(atan2), 2 }, { TWO(hypot), 1 }, { TWO(pow), 1 },
};
enum { FUNCTIONS = ARRAY_COUNT(functions), COUNT = 40003 };

static double x[COUNT], y[COUNT];
static float x32[COUNT], y32[COUNT];
static double to[FUNCTIONS][COUNT];
static float to32[FUNCTIONS][COUNT];

static double uniform(void)
{
    static uint64_t state = 88172645463325252u; /* G. Marsaglia, "Xorshift RNGs", 2003 */

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* Numbers of all sizes that the type has, and more of those that programs have. */
static double any_number(double sizes)
{
    static const double ranges[] = { 1, 10, 100, 1000 };
    double sign = uniform() < 0.5 ? -1 : 1;
    int way = (int)(uniform() * 6);

    if (way < 4)
        return sign * ranges[way] * uniform();
    return way == 4 ? 1 + sign * 0.1 * uniform() : sign * exp2((2 * uniform() - 1) * sizes);
}

static const double edges[] = {
    0.0,     -0.0,    1,       -1,    INFINITY, -INFINITY, NAN,   5e-324,  -5e-324, 1e-45,
    2e-308,  DBL_MAX, FLT_MAX, 88.72, 88.73,    -103.9,    -104,  709.78,  709.79,  -745.1,
    -746,    710.4,   0.5,     -0.5,  2,        -2,        3,     -3,      1e22,    1e-20,
    DBL_MIN, FLT_MIN, 1.5,     -1.5,  1e300,    -1e300,    1e30f, 0x1p-28, 3.5,     1e-30,
};

static void fill(void)
{
    enum { EDGES = ARRAY_COUNT(edges) };

    for (int i = 0; i < COUNT; i++) {
        bool edge = i < EDGES * EDGES;
        x[i] = edge ? edges[i % EDGES] : any_number(1020);
        y[i] = edge ? edges[i / EDGES] : any_number(1020);
        x32[i] = edge ? (float)x[i] : (float)any_number(125);
        y32[i] = edge ? (float)y[i] : (float)any_number(125);
    }
}

/* A kernel of all functions that take so many numbers: rows of `to` in their order. */
static kjit_kernel *kernel_of_all(int operands)
{
    Arena arena;
    jmp_buf exhausted;

    arena_init(&arena, &exhausted);
    Buf text = buf_in(&arena);
    buf_puts(&text, "import math\nfrom numba import cuda\n@cuda.jit\ndef all(x, y, to):\n"
                    "    i = cuda.grid(1)\n    if i < x.size:\n");
    for (int f = 0; f < FUNCTIONS; f++)
        if ((functions[f].two != NULL) == (operands == 2))
            buf_printf(&text, "        to[%d, i] = %s.%s(x[i]%s)\n", f,
                       strcmp(functions[f].name, "cbrt") ? "math" : "cuda", functions[f].name,
                       operands == 2 ? ", y[i]" : "");
    kjit_kernel *kernel = kernel_of(buf_text(&text));
    arena_free(&arena);
    return kernel;
}

static void compute(int operands)
{
    kjit_kernel *kernel = kernel_of_all(operands);

    expect_ok(KJIT_CALL(kernel, KJIT_GRID(COUNT / 256 + 1), KJIT_BLOCK(256), KJIT_ARRAY(x, COUNT),
                        KJIT_ARRAY(y, COUNT), KJIT_ARRAY(&to[0][0], FUNCTIONS, COUNT)));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(COUNT / 256 + 1), KJIT_BLOCK(256), KJIT_ARRAY(x32, COUNT),
                        KJIT_ARRAY(y32, COUNT), KJIT_ARRAY(&to32[0][0], FUNCTIONS, COUNT)));
}

static long double exact(const Function *function, long double a, long double b)
{
    return function->one ? function->one(a) : function->two(a, b);
}

/* What a type of so many bits holds: its largest number, and its least normal one, 2 ** least. */
typedef struct Range {
    int bits, least;
    double largest;
} Range;

static const Range wide = { 53, -1022, DBL_MAX }, narrow = { 24, -126, (double)FLT_MAX };

/* Units in the last place from `want`, that is `rounded`, to `got`; -1 where one is NaN, infinite
** or 0 and the other is not beside it, or the sign of 0 is not right. */
static double units_off(const Range *range, double got, long double want, double rounded)
{
    int exponent;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : -1;
    if (got == rounded)
        return !signbit(got) == !signbit(rounded) || rounded != 0 ? 0 : -1;
    if (isinf(got) || isinf(rounded))
        return fabs(isinf(got) ? rounded : got) == range->largest ? 1 : -1;
    frexpl(want, &exponent);
    exponent = exponent - 1 < range->least ? range->least : exponent - 1;
    return (double)(fabsl(got - want) / ldexpl(1, exponent + 1 - range->bits));
}

static void check_units(const Function *function, double units, double most, double a, double b)
{
    if (units < 0 || units > most)
        fail_msg("%s(%a, %a) is off by %g units", function->name, a, b, units);
}

/* Those of long double, which has 11 bits more, or as many again. */
static void functions_are_as_exact_as_documented(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("fma"))
        skip();
    fill();
    compute(1);
    compute(2);
    for (int f = 0; f < FUNCTIONS; f++) {
        const Function *function = &functions[f];
        for (int i = 0; i < COUNT; i++) {
            long double want = exact(function, x[i], y[i]);
            check_units(function, units_off(&wide, to[f][i], want, (double)want),
                        function->units + 0.5, x[i], y[i]);
            want = exact(function, x32[i], y32[i]);
            check_units(function, units_off(&narrow, (double)to32[f][i], want, (double)(float)want),
                        0.51, (double)x32[i], (double)y32[i]);
        }
    }
}

/* Behind the last whole vector numbers come out as within one. */
static void results_do_not_depend_on_the_place(void **state)
{
    static double row[FUNCTIONS][COUNT];
    kjit_kernel *kernel = kernel_of_all(1);

    (void)state;
    fill();
    compute(1);
    for (int skipped = 1; skipped < 16; skipped += 7) {
        int64_t count = COUNT - 2 * skipped;
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(COUNT / 256 + 1), KJIT_BLOCK(256),
                            KJIT_ARRAY(x + skipped, count), KJIT_ARRAY(y, COUNT),
                            KJIT_ARRAY(&row[0][0], FUNCTIONS, COUNT)));
        for (int f = 0; f < FUNCTIONS; f++)
            if (functions[f].one)
                assert_memory_equal(row[f], to[f] + skipped, (size_t)count * sizeof row[f][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_as_exact_as_documented),
        cmocka_unit_test(results_do_not_depend_on_the_place),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* Divisions by what is the same at each turn of a loop: what multiplications make of them is what
** a division gives, to the last bit, for every kind of number. On the processor, for which the pass
** runs if it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tests/unit/library.h"

enum { NUMBERS = 1 << 15, DIVISORS = 160 };

static const char float_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def k(x, w, y):\n"
                                 "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                                 "        y[i] = x[i] / w\n";

static const char shifted_text[] = "from numba import cuda\n"
                                   "@cuda.jit\n"
                                   "def k(x, w, y):\n"
                                   "    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n"
                                   "        y[i] = (x[i] * 3.7e-20 - 0.1) / w\n";

static const char constant_text[] = "from numba import cuda\n"
                                    "@cuda.jit\n"
                                    "def k(x, w, y):\n"
                                    "    i = cuda.grid(1)\n"
                                    "    if i < x.size:\n"
                                    "        y[i] = x[i] / W\n";

static uint64_t seed = 1;

static uint64_t next_random(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 32 | (seed * 0x9e3779b97f4a7c15u) << 32;
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Those at which something ends or begins, then any bits. */
static void fill_floats(float *x)
{
    static const float edges[] = { 0,
                                   -0.0f,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   1,
                                   -1,
                                   0x1p-149,
                                   -0x1p-149,
                                   0x1p-126,
                                   0x1.fffffep127f,
                                   16777215,
                                   3,
                                   1e-40f,
                                   0x1.fffffcp-127f };
    for (int i = 0; i < NUMBERS; i++) {
        uint32_t bits = (uint32_t)next_random();
        memcpy(&x[i], &bits, sizeof x[i]);
        if (i < (int)(sizeof edges / sizeof edges[0]))
            x[i] = edges[i];
    }
}

/* The same of divisors: also significands all ones, the smallest normal ones, and those at the
** limits of what is multiplied by. */
static double divisor(int i)
{
    static const double edges[] = {
        0.0,
        -0.0,
        INFINITY,
        -INFINITY,
        NAN,
        1.0,
        -1.0,
        3.0,
        1.0 / 3,
        0x1p-1074,
        0x1p-1022,
        0x1.fffffffffffffp1023,
        0x1p700,
        0x1p-700,
        0x1.fffffffffffffp699,
        0x1.0000000000001p-700,
        0x1.fffffffffffffp0,
        0x1.0000000000001p0,
        0x1.fffffffffffffp-1,
        150.0,
        0.1,
        -0x1.5555555555555p300,
        0x1.ffffffffffffep-600,
    };
    if (i < (int)(sizeof edges / sizeof edges[0]))
        return edges[i];
    double any = double_of(next_random());
    return i % 2 ? any : ldexp(1 + fabs(remainder(any, 1)), i % 60 - 30);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static kjit_kernel *reciprocal_kernel(const char *text)
{
    kjit_load_options options = { .size = sizeof options, .passes = "none,reciprocal" };
    return kernel_with(text, &options);
}

/* What the processor's own code has instead of a division. */
static void expect_multiplied(kjit_kernel *kernel, const kjit_arg *args)
{
    kjit_emit_options emit = {
        .size = sizeof emit, .stage = "c", .args = args, .arg_count = 3, .facts = "common"
    };
    char *text;
    size_t length;

    expect_ok(kjit_emit(kernel, &emit, &text, &length));
    assert_non_null(strstr(text, "= div_by_f64("));
    kjit_free(text);
}

static void floats_divide_as_ever(void **state)
{
    kjit_kernel *kernel = reciprocal_kernel(float_text);
    static float x[NUMBERS];
    static double y[NUMBERS];

    (void)state;
    fill_floats(x);
    for (int k = 0; k < DIVISORS; k++) {
        double w = divisor(k);
        kjit_arg args[] = { KJIT_ARRAY(x, NUMBERS), KJIT_ARG(w), KJIT_ARRAY(y, NUMBERS) };
        if (k == 0)
            expect_multiplied(kernel, args);
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, NUMBERS), w,
                            KJIT_ARRAY(y, NUMBERS)));
        for (int i = 0; i < NUMBERS; i++)
            if (!same(y[i], (double)x[i] / w))
                fail_msg("%a / %a gives %a", (double)x[i], w, y[i]);
    }
}

static void integers_divide_as_ever(void **state)
{
    kjit_kernel *kernel = reciprocal_kernel(float_text);
    static int64_t x[NUMBERS];
    static double y[NUMBERS];

    (void)state;
    for (int i = 0; i < NUMBERS; i++)
        x[i] = i < 4 ? i - 2 : (int64_t)next_random() >> i % 64;
    for (int k = 0; k < DIVISORS; k++) {
        double w = divisor(k);
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, NUMBERS), w,
                            KJIT_ARRAY(y, NUMBERS)));
        for (int i = 0; i < NUMBERS; i++)
            if (!same(y[i], (double)x[i] / w))
                fail_msg("%lld / %a gives %a", (long long)x[i], w, y[i]);
    }
}

/* Of 53 bits, which x alone has not: the same kernel without the pass says what is right, as the
** compiler joins products and sums as it likes, but does so in both. */
static void sums_and_products_divide_as_ever(void **state)
{
    kjit_load_options none = { .size = sizeof none, .passes = "none" };
    kjit_kernel *kernel = reciprocal_kernel(shifted_text);
    kjit_kernel *plain = kernel_with(shifted_text, &none);
    static float x[NUMBERS];
    static double y[NUMBERS], wanted[NUMBERS];

    (void)state;
    fill_floats(x);
    for (int k = 0; k < DIVISORS; k++) {
        double w = divisor(k);
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, NUMBERS), w,
                            KJIT_ARRAY(y, NUMBERS)));
        expect_ok(KJIT_CALL(plain, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, NUMBERS), w,
                            KJIT_ARRAY(wanted, NUMBERS)));
        for (int i = 0; i < NUMBERS; i++)
            if (!same(y[i], wanted[i]))
                fail_msg("%a gives %a, not %a", (double)x[i], y[i], wanted[i]);
    }
}

static void constants_divide_as_ever(void **state)
{
    static const char *const constants[] = { "3.0", "0.1",   "-7e-200", "1.7976931348623157e308",
                                             "4.0", "5e-324" };
    static const bool multiplied[] = { true, true, true, false, false, false };
    static float x[NUMBERS];
    static double y[NUMBERS];

    (void)state;
    fill_floats(x);
    for (size_t k = 0; k < sizeof constants / sizeof constants[0]; k++) {
        char text[512];
        double w = strtod(constants[k], NULL);
        snprintf(text, sizeof text, "W = %s\n%s", constants[k], constant_text);
        kjit_kernel *kernel = reciprocal_kernel(text);
        kjit_arg args[] = { KJIT_ARRAY(x, NUMBERS), KJIT_ARG(w), KJIT_ARRAY(y, NUMBERS) };
        if (multiplied[k])
            expect_multiplied(kernel, args);
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(NUMBERS / 64), KJIT_BLOCK(64), KJIT_ARRAY(x, NUMBERS),
                            w, KJIT_ARRAY(y, NUMBERS)));
        for (int i = 0; i < NUMBERS; i++)
            if (!same(y[i], (double)x[i] / w))
                fail_msg("%a / %s gives %a", (double)x[i], constants[k], y[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_divide_as_ever),
        cmocka_unit_test(integers_divide_as_ever),
        cmocka_unit_test(sums_and_products_divide_as_ever),
        cmocka_unit_test(constants_divide_as_ever),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* Arithmetic as Python has it: base/arith.h. The numbers are CPython's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arith.h"

#include <math.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void integers_are_rounded_down(void **state)
{
    static const struct {
        int64_t a, b, quotient, rest;
    } rows[] = {
        { INT64_C(7), INT64_C(2), INT64_C(3), INT64_C(1) },
        { INT64_C(-7), INT64_C(2), INT64_C(-4), INT64_C(1) },
        { INT64_C(7), INT64_C(-2), INT64_C(-4), INT64_C(-1) },
        { INT64_C(-7), INT64_C(-2), INT64_C(3), INT64_C(-1) },
        { INT64_C(6), INT64_C(-3), INT64_C(-2), INT64_C(0) },
        { INT64_C(0), INT64_C(-5), INT64_C(0), INT64_C(0) },
        { INT64_MIN, INT64_C(3), INT64_C(-3074457345618258603), INT64_C(1) },
        { INT64_MAX, INT64_C(-2), INT64_C(-4611686018427387904), INT64_C(-1) },
        { INT64_MIN, INT64_MAX, INT64_C(-2), INT64_C(9223372036854775806) },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(has_quotient(rows[i].a, rows[i].b));
        assert_int_equal(floor_quotient(rows[i].a, rows[i].b), rows[i].quotient);
        assert_int_equal(floor_rest(rows[i].a, rows[i].b), rows[i].rest);
    }
    assert_false(has_quotient(1, 0));
    assert_false(has_quotient(INT64_MIN, -1));
    assert_int_equal(floor_quotient(INT64_MIN, -1), INT64_MIN);
    assert_int_equal(floor_rest(INT64_MIN, -1), 0);
    assert_true(integer_power(3, 40) == UINT64_C(12157665459056928801));
    assert_true(integer_power(2, 64) == 0 && integer_power(0, 0) == 1);
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void floats_are_rounded_down(void **state)
{
    static const struct {
        double a, b, quotient, rest;
    } rows[] = {
        { 0x1.c000000000000p+2, 0x1.0000000000000p+1, 0x1.8000000000000p+1, 0x1.0000000000000p+0 },
        { -0x1.c000000000000p+2, 0x1.0000000000000p+1, -0x1.0000000000000p+2,
          0x1.0000000000000p+0 },
        { 0x1.c000000000000p+2, -0x1.0000000000000p+1, -0x1.0000000000000p+2,
          -0x1.0000000000000p+0 },
        { -0x1.c000000000000p+2, -0x1.0000000000000p+1, 0x1.8000000000000p+1,
          -0x1.0000000000000p+0 },
        { 0x1.0000000000000p+0, 0x1.999999999999ap-4, 0x1.2000000000000p+3, 0x1.9999999999996p-4 },
        { 0x1.4000000000000p+2, 0x1.999999999999ap-4, 0x1.8800000000000p+5, 0x1.9999999999986p-4 },
        { 0x1.4000000000000p+2, -INFINITY, -0x1.0000000000000p+0, -INFINITY },
        { -0x1.4000000000000p+2, INFINITY, -0x1.0000000000000p+0, INFINITY },
        { 0x1.4000000000000p+2, INFINITY, 0x0.0p+0, 0x1.4000000000000p+2 },
        { -0x0.0p+0, 0x1.8000000000000p+1, -0x0.0p+0, 0x0.0p+0 },
        { 0x1.8000000000000p+2, -0x1.8000000000000p+1, -0x1.0000000000000p+1, -0x0.0p+0 },
        { -0x1.56e1fc2f8f359p-997, 0x1.8000000000000p+1, -0x1.0000000000000p+0,
          0x1.8000000000000p+1 },
        { 0x1.7e43c8800759cp+996, -0x1.cac083126e979p-8, -0x1.aaa2820ee3a1ep+1003,
          -0x1.c37b0d3ad0474p-9 },
        { 0x1.3333333333333p-2, -0x1.999999999999ap-4, -0x1.8000000000000p+1,
          -0x1.0000000000000p-55 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!same(float_floor_quotient(rows[i].a, rows[i].b), rows[i].quotient) ||
            !same(float_floor_rest(rows[i].a, rows[i].b), rows[i].rest))
            fail_msg("%a by %a: %a, %a", rows[i].a, rows[i].b,
                     float_floor_quotient(rows[i].a, rows[i].b),
                     float_floor_rest(rows[i].a, rows[i].b));
}

static void complex_quotients_are_scaled(void **state)
{
    static const struct {
        double a[2], b[2], quotient[2];
    } rows[] = {
        { { 0x1.0000000000000p+0, 0x1.0000000000000p+1 },
          { 0x1.8000000000000p+1, -0x1.0000000000000p+2 },
          { -0x1.999999999999ap-3, 0x1.999999999999ap-2 } },
        { { 0x1.4e718d7d7625ap+664, 0x1.4e718d7d7625ap+664 },
          { 0x1.4e718d7d7625ap+664, 0x1.0b8e0acac4eafp+661 },
          { 0x1.16cfd7720f354p+0, 0x1.c83cd4e930289p-1 } },
        { { -0x1.0000000000000p+0, 0x0.0p+0 },
          { 0x1.0000000000000p-1, 0x0.0p+0 },
          { -0x1.0000000000000p+1, 0x0.0p+0 } },
        { { 0x0.0p+0, 0x1.0000000000000p+1 },
          { -0x1.8000000000000p+0, 0x1.0000000000000p-2 },
          { 0x1.bacf914c1bacfp-3, -0x1.4c1bacf914c1bp+0 } },
    };
    static const double half[] = { 0.5, 0 }, minus[] = { -1, 0 };
    double out[2];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        complex_quotient(rows[i].a, rows[i].b, out);
        assert_true(same(out[0], rows[i].quotient[0]) && same(out[1], rows[i].quotient[1]));
    }
    complex_power(minus, half, out);
    assert_true(fabs(out[0]) < 1e-15 && out[1] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_rounded_down),
        cmocka_unit_test(floats_are_rounded_down),
        cmocka_unit_test(complex_quotients_are_scaled),
    };

    return cmocka_run_group_tests_name("arith", tests, NULL, NULL);
}

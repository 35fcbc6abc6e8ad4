/* What the integers of a kernel can be: arithmetic on intervals, and what the walk over a kernel
** finds of its variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"
#include "tests/unit/kernels.h"

/* Lowers kernel k(x, y, n) for two int32 arrays and an int64, for launches that are narrow. */
static IrUnit *lower(Fixture *f, const char *text, bool small)
{
    IrUnit *unit = lower_xyn(f, text);
    unit->launch = arena_new(&f->arena, IrLaunch);
    unit->launch->facts.narrow = true;
    unit->launch->facts.scalars_30_bits = small ? 4 : 0;
    return unit;
}

static Interval found(Fixture *f, const char *text, const char *name, bool small)
{
    IrUnit *unit = lower(f, text, small);
    IrBounds *bounds = ir_bounds(unit);
    return bounds_of_var(bounds, var_of(unit->kernel, name));
}

static bool fits_32(Interval range)
{
    return interval_fits(range, type_int32);
}

#define KERNEL "@cuda.jit\ndef k(x, y, n):\n"

static void is(Interval range, int64_t low, int64_t high)
{
    assert_true(range.low == low && range.high == high);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static void extents_and_threads_fit_together_but_not_twice(void **state)
{
    Interval extent = interval_reaching(0, REACH_EXTENT, 0);
    Interval threads = interval_reaching(1, REACH_THREADS, 0);
    (void)state;
    assert_true(fits_32(interval_add(extent, threads)));
    assert_false(fits_32(interval_add(extent, extent)));
    assert_false(fits_32(interval_add(interval_add(extent, threads), threads)));
}

static void quotients_and_remainders_floor(void **state)
{
    (void)state;
    is(interval_binary(OP_floordiv, interval_from(-7, 7), interval_from(2, 2)), -4, 3);
    is(interval_binary(OP_floordiv, interval_from(-7, 5), interval_from(-3, 3)), -7, 7);
    is(interval_binary(OP_floordiv, interval_from(3, 7), interval_from(0, 2)), 0, 7);
    is(interval_binary(OP_mod, interval_from(-7, 7), interval_from(5, 5)), 0, 4);
    is(interval_binary(OP_mod, interval_from(0, 99), interval_from(-4, 6)), -3, 5);
}

static void products_of_the_ends_of_64_bits_are_not_known(void **state)
{
    Interval all = interval_of_type(type_uint64);
    (void)state;
    assert_false(interval_fits(interval_multiply(all, all), type_uint64));
    is(interval_multiply(interval_from(-3, 2), interval_from(-5, 7)), -21, 15);
    Interval large = interval_from(INT64_MAX / 2, INT64_MAX / 2);
    Interval product = interval_meet(interval_multiply(large, large), interval_everything());
    assert_false(interval_empty(product));
}

static void masks_and_shifts_keep_within_their_bits(void **state)
{
    (void)state;
    is(interval_binary(OP_and, interval_from(-9, 9), interval_from(0, 15)), 0, 15);
    is(interval_binary(OP_xor, interval_from(0, 9), interval_from(0, 4)), 0, 15);
    is(interval_binary(OP_shr, interval_from(-9, 9), interval_from(1, 1)), -5, 4);
    is(interval_binary(OP_shl, interval_from(-1, 3), interval_from(0, 2)), -4, 12);
}

/* ---- variables ------------------------------------------------------------------------------- */

static void the_greater_of_two_may_hang_on_what_the_variable_was(void **state)
{
    static const char text[] = KERNEL "    a = n % 7\n"
                                      "    a = max(a + a, 3)\n"
                                      "    b = a + 1\n"
                                      "    x[b] = a\n";
    is(found(*state, text, "b", false), 4, 13);
}

static void a_counter_with_a_step_of_the_grid_fits(void **state)
{
    Interval i = found(*state,
                       KERNEL "    i = cuda.grid(1)\n"
                              "    while i < x.size:\n"
                              "        x[i] = 1\n"
                              "        i += cuda.gridsize(1)\n",
                       "i", false);
    assert_true(i.low == 0 && fits_32(i));
}

static void a_counter_without_an_end_does_not_fit(void **state)
{
    assert_false(fits_32(found(*state,
                               KERNEL "    i = 0\n"
                                      "    while x[0]:\n"
                                      "        i += 1\n"
                                      "    x[0] = i\n",
                               "i", false)));
}

static void what_is_small_fits_and_what_is_not_does_not(void **state)
{
    static const char text[] = KERNEL "    m = n * 2\n    x[0] = m\n";
    assert_true(fits_32(found(*state, text, "m", true)));
    assert_false(fits_32(found(*state, text, "m", false)));
}

static void a_condition_holds_in_its_branch_and_behind_a_return(void **state)
{
    is(found(*state,
             KERNEL "    m = 5\n"
                    "    if 0 <= n < 10:\n"
                    "        m = n\n"
                    "    x[0] = m\n",
             "m", false),
       0, 9);
    is(found(*state,
             KERNEL "    if n < 3 or n > 7:\n"
                    "        return\n"
                    "    m = n - 3\n"
                    "    x[0] = m\n",
             "m", false),
       0, 4);
}

static void a_condition_is_of_what_was_there_before_its_branch(void **state)
{
    is(found(*state,
             KERNEL "    m = n\n"
                    "    if m >= 0 and m < 16:\n"
                    "        m = m * 2\n"
                    "    else:\n"
                    "        return\n"
                    "    o = m + 1\n"
                    "    x[0] = o\n",
             "o", false),
       1, 31);
}

static void what_both_branches_set_is_known_by_neither_condition(void **state)
{
    is(found(*state,
             KERNEL "    a = int64(x[0])\n"
                    "    m = int64(0)\n"
                    "    if a < 10:\n"
                    "        m = a\n"
                    "    else:\n"
                    "        m = a\n"
                    "    o = m + 1\n"
                    "    x[0] = o\n",
             "o", false),
       (int64_t)INT32_MIN + 1, (int64_t)INT32_MAX + 1);
}

static void a_difference_is_known_until_either_is_set(void **state)
{
    static const char text[] = KERNEL "    a = n\n"
                                      "    b = int64(x[0])\n"
                                      "    if a >= b:\n"
                                      "        m = a - b\n"
                                      "        x[0] = m\n"
                                      "        b = b + 1\n"
                                      "        o = a - b\n"
                                      "        x[0] = o\n";
    assert_true(found(*state, text, "m", true).low == 0);
    assert_true(found(*state, text, "o", true).low == -1);
}

static void what_a_loop_sets_is_anything_at_its_next_turn(void **state)
{
    is(found(*state,
             KERNEL "    m = 0\n"
                    "    for k in range(n):\n"
                    "        o = m\n"
                    "        m = 7\n"
                    "        x[k] = o\n",
             "o", true),
       0, 7);
}

static void a_loop_counts_down_to_before_its_stop(void **state)
{
    is(found(*state,
             KERNEL "    for k in range(9, -1, -2):\n"
                    "        x[k] = 1\n",
             "k", true),
       0, 9);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_greater_of_two_may_hang_on_what_the_variable_was,
                                        set_up, tear_down),
        TEST(extents_and_threads_fit_together_but_not_twice),
        TEST(quotients_and_remainders_floor),
        TEST(products_of_the_ends_of_64_bits_are_not_known),
        TEST(masks_and_shifts_keep_within_their_bits),
        TEST(a_counter_with_a_step_of_the_grid_fits),
        TEST(a_counter_without_an_end_does_not_fit),
        TEST(what_is_small_fits_and_what_is_not_does_not),
        TEST(a_condition_holds_in_its_branch_and_behind_a_return),
        TEST(a_condition_is_of_what_was_there_before_its_branch),
        TEST(what_both_branches_set_is_known_by_neither_condition),
        TEST(a_difference_is_known_until_either_is_set),
        TEST(what_a_loop_sets_is_anything_at_its_next_turn),
        TEST(a_loop_counts_down_to_before_its_stop),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}

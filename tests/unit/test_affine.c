/* Indices as sums, of kernels written as IR. tests/brute/ holds all claims against
** what happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/analysis/affine.h"
#include "tests/unit/kernels.h"

/* The unit whose kernel has these statements. */
static const IrUnit *read_kernel(Fixture *f, const char *body)
{
    const char *text =
        arena_printf(&f->arena, "kernel k(x: int64[::1], n: int64, w: uint64)\n%s", body);
    return read_unit(f, text);
}

/* What the last statement sets its variable to. */
static const IrValue *last_value(const IrUnit *unit)
{
    assert_int_equal(unit->kernel->body.last->kind, IR_SET);
    return unit->kernel->body.last->set.value;
}

static int bits(Fixture *f, const char *body)
{
    const IrUnit *unit = read_kernel(f, body);
    return magnitude_bits(ir_magnitude(&f->arena, unit->kernel, unit->launch), last_value(unit));
}

static void unsigned_numbers_from_below_0_are_large(void **state)
{
    assert_int_equal(bits(*state, "    a: uint64 = sub(2:uint64, 6:uint64)\n"), 64);
    assert_int_equal(bits(*state, "    a: uint64 = cast<uint64>(sub(1, 2))\n"), 64);
    assert_int_equal(bits(*state, "    a: uint64 = add(2:uint64, 6:uint64)\n"), 4);
    assert_int_equal(bits(*state, "    a: int64 = sub(2, 6)\n"), 4);
}

static void what_a_loop_leaves_is_not_what_it_was_in_the_loop(void **state)
{
    const IrUnit *unit = read_kernel(*state, "    for i: int64 in 0 to n by 1\n"
                                             "        a: int64 = add(i, 1)\n"
                                             "        store x[a] = add(i, 1)\n"
                                             "    b: int64 = a\n");
    const IrAffine affine = ir_affine(unit, NULL);
    const IrStmt *store = unit->kernel->body.first->for_.body.last;
    assert_false(affine_same_apart(&affine, store->store.indices[0], last_value(unit)));
    assert_false(affine_same_apart(&affine, store->store.value, last_value(unit)));
}

static void only_what_is_at_least_1_makes_a_loop_rise(void **state)
{
    static const char *const steps[] = {
        "gridsize(0)", "max(n, 1)", "add(extent(x, 0), 1)",    "extent(x, 0)",
        "n",           "w",         "floordiv(gridsize(0), 2)"
    };
    for (int i = 0; i < 7; i++) {
        const char *body =
            arena_printf(&((Fixture *)*state)->arena,
                         "    s: int64 = cast<int64>(%s)\n    for i: int64 in 0 to n by s\n"
                         "        store x[i] = n\n",
                         steps[i]);
        assert_int_equal(ir_rises(read_kernel(*state, body)->kernel->body.last), i < 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(unsigned_numbers_from_below_0_are_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_loop_leaves_is_not_what_it_was_in_the_loop, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_what_is_at_least_1_makes_a_loop_rise, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

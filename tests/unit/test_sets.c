/* What sets each variable, and what is the same all through a loop: of kernels written as IR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/analysis/flow/sets.h"
#include "tests/unit/kernels.h"

static const char *const text = "kernel k(x: int64[::1], n: int64)\n"
                                "    tx: int32 = thread_idx(0)\n"
                                "    bx: int32 = block_idx(0)\n"
                                "    bw: int32 = block_dim(0)\n"
                                "    at: int64 = add(cast<int64>(tx), mul(cast<int64>(bw), "
                                "cast<int64>(bx)))\n"
                                "    far: int64 = mul(cast<int64>(grid_dim(0)), cast<int64>(bw))\n"
                                "    name: int64 = at\n"
                                "    total: int64 = 0\n"
                                "    for i: int64 in name to n by far\n"
                                "        total = add(total, mul(i, n))\n"
                                "        inner: int64 = load(x, n)\n"
                                "        store x[add(at, n)] = inner\n"
                                "    store x[0] = total\n";

static const IrFunc *kernel_of(Fixture *f)
{
    return read_unit(f, text)->kernel;
}

static const IrStmt *loop_of(const IrFunc *fn)
{
    const IrStmt *loop = fn->body.last->prev;
    assert_int_equal(loop->kind, IR_FOR);
    return loop;
}

static void the_only_set_is_what_a_variable_stands_for(void **state)
{
    Fixture *f = *state;
    const IrFunc *fn = kernel_of(f);
    const IrSets sets = ir_sets(&f->arena, fn, &fn->body);

    assert_int_equal(sets_value(&sets, var_of(fn, "tx"))->intrinsic, INTR_thread_idx);
    assert_null(sets_value(&sets, var_of(fn, "total")));
    assert_true(sets_any(&sets, var_of(fn, "total")));
    assert_null(sets_value(&sets, var_of(fn, "i")));
    assert_ptr_equal(sets_loop(&sets, var_of(fn, "i")), loop_of(fn));
    assert_false(sets_any(&sets, var_of(fn, "n")));
    assert_int_equal(sets_behind(&sets, loop_of(fn)->for_.start)->op, OP_add);
}

static void indices_of_the_grid_are_known_through_names_and_casts(void **state)
{
    Fixture *f = *state;
    const IrFunc *fn = kernel_of(f);
    const IrSets sets = ir_sets(&f->arena, fn, &fn->body);

    assert_int_equal(ir_thread_axis(&sets, loop_of(fn)->for_.start), 0);
    assert_int_equal(ir_threads_axis(&sets, loop_of(fn)->for_.step), 0);
    assert_int_equal(ir_thread_axis(&sets, loop_of(fn)->for_.step), -1);
    assert_int_equal(ir_threads_axis(&sets, loop_of(fn)->for_.start), -1);
}

static void what_a_loop_sets_or_reads_from_memory_is_not_invariant(void **state)
{
    Fixture *f = *state;
    const IrFunc *fn = kernel_of(f);
    const IrStmt *total = loop_of(fn)->for_.body.first, *inner = total->next;
    IrSets sets = ir_sets_of_loop(&f->arena, fn, loop_of(fn));
    const IrValue *product = total->set.value->operands[1];

    assert_false(sets_invariant(&sets, product, NULL));
    assert_true(sets_invariant(&sets, product, var_of(fn, "i")));
    assert_false(sets_invariant(&sets, total->set.value, var_of(fn, "i")));
    assert_false(sets_invariant(&sets, inner->set.value, NULL));
    assert_true(sets_invariant(&sets, inner->next->store.indices[0], NULL));
    assert_false(sets_invariant(&sets, inner->next->store.value, NULL));
    sets_drop(&sets, var_of(fn, "inner"));
    assert_true(sets_invariant(&sets, inner->next->store.value, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_only_set_is_what_a_variable_stands_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(indices_of_the_grid_are_known_through_names_and_casts,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_loop_sets_or_reads_from_memory_is_not_invariant,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

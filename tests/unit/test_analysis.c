/* The analyses of the IR, on kernels lowered from text: effects and accesses, ranges, uniformity,
** and device functions put in the place of their calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/analysis/divergence.h"
#include "ir/ir.h"
#include "tests/unit/kernels.h"

static bool is_uniform(const IrUnit *unit, const char *name)
{
    return var_of(unit->kernel, name)->uniform;
}

static bool is_nonnegative(const IrUnit *unit, const char *name)
{
    return var_of(unit->kernel, name)->nonnegative;
}

/* ---- effects --------------------------------------------------------------------------- */

static void access_goes_through_views_and_variables(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    a = x[1:]\n"
                                           "    if n > 0:\n"
                                           "        a = y\n"
                                           "    a[0] = 1\n"
                                           "    b = y[2:]\n"
                                           "    print(b[0])\n");
    assert_int_equal(unit->kernel->access[0], ACCESS_WRITE);
    assert_int_equal(unit->kernel->access[1], ACCESS_WRITE | ACCESS_READ);
    assert_int_equal(unit->kernel->access[2], ACCESS_NONE);
    assert_int_equal(unit->kernel->effects, EFFECT_READ | EFFECT_WRITE | EFFECT_IO);
}

static void access_goes_through_calls(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "def put(a, i, v):\n"
                                           "    a[i] = v\n"
                                           "def add(a, b):\n"
                                           "    put(a, 0, b[1])\n"
                                           "    cuda.atomic.add(b, 0, 1)\n"
                                           "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    add(x, y)\n");
    assert_int_equal(unit->kernel->access[0], ACCESS_WRITE);
    assert_int_equal(unit->kernel->access[1], ACCESS_READ | ACCESS_ATOMIC);
    assert_int_equal(unit->kernel->effects, EFFECT_READ | EFFECT_WRITE | EFFECT_ATOMIC);
}

static void own_arrays_are_nobody_elses(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    s = cuda.shared.array(8, int32)\n"
                                           "    s[0] = x[0]\n"
                                           "    cuda.syncthreads()\n"
                                           "    y[0] = s[0]\n");
    assert_int_equal(unit->kernel->access[0], ACCESS_READ);
    assert_int_equal(unit->kernel->access[1], ACCESS_WRITE);
    assert_true(unit->kernel->effects & EFFECT_BLOCK_SYNC);
}

/* ---- ranges ---------------------------------------------------------------------------- */

static void counters_and_indices_are_nonnegative(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    i = cuda.grid(1) * 2 + 1\n"
                                           "    last = x.size - 1\n"
                                           "    m = n % 8\n"
                                           "    for j in range(i, n, cuda.gridsize(1)):\n"
                                           "        y[j] = m + i\n"
                                           "    for d in range(last, -1, -1):\n"
                                           "        y[d] = x[d] + last\n"
                                           "    for e in range(n, 10):\n"
                                           "        y[e] = 2\n");
    assert_true(is_nonnegative(unit, "i"));
    assert_true(is_nonnegative(unit, "j"));
    assert_true(is_nonnegative(unit, "m"));
    assert_true(is_nonnegative(unit, "d"));
    assert_false(is_nonnegative(unit, "e"));
    assert_false(is_nonnegative(unit, "last"));
    assert_false(is_nonnegative(unit, "n"));
}

static void one_negative_set_spreads(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    a = 0\n"
                                           "    b = 0\n"
                                           "    c = 0\n"
                                           "    while x[a] > 0:\n"
                                           "        c = c + 1\n"
                                           "        a = b\n"
                                           "        b = b - 1\n"
                                           "    y[c] = a\n");
    assert_false(is_nonnegative(unit, "a"));
    assert_false(is_nonnegative(unit, "b"));
    assert_true(is_nonnegative(unit, "c"));
}

/* ---- uniformity -------------------------------------------------------------------------- */

static void uniform_is_what_all_threads_share(void **state)
{
    const IrUnit *unit =
        lower_xyn(*state, "@cuda.jit\n"
                          "def k(x, y, n):\n"
                          "    t = cuda.threadIdx.x\n"
                          "    u = x[cuda.blockIdx.x] + n\n"
                          "    v = x[t]\n"
                          "    w = u\n"
                          "    z = u\n"
                          "    if u > 3:\n"
                          "        w = 1\n"
                          "    if v > 3:\n"
                          "        z = 1\n"
                          "    y[t] = u * 2 + u + v * 3 + v + w * 5 + w + z * 7 + z\n");
    assert_true(is_uniform(unit, "u"));
    assert_true(is_uniform(unit, "w"));
    assert_false(is_uniform(unit, "v"));
    assert_false(is_uniform(unit, "z"));
}

static int bits_of(const IrDivergence *divergence, const IrUnit *unit, const char *name)
{
    return divergence->vars[var_of(unit->kernel, name)->id];
}

static void what_arrays_hold_varies_by_stores_through_variables(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "def fill(pair, v):\n"
                                           "    pair[0][0] = v\n"
                                           "\n"
                                           "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    same = cuda.local.array(4, int32)\n"
                                           "    one = cuda.local.array(4, int32)\n"
                                           "    other = cuda.local.array(4, int32)\n"
                                           "    matrix = cuda.local.array((4, 4), int32)\n"
                                           "    given = cuda.local.array(4, int32)\n"
                                           "    block = cuda.shared.array(4, int32)\n"
                                           "    chosen = one if n > 3 else other\n"
                                           "    chosen[0] = cuda.threadIdx.x\n"
                                           "    matrix[cuda.threadIdx.y][0] = 1\n"
                                           "    same[0] = n\n"
                                           "    fill((given, x), 2)\n"
                                           "    of_block = block\n"
                                           "    if n > 4:\n"
                                           "        of_block = block[::-1]\n"
                                           "    of_block[0] = cuda.blockIdx.x\n"
                                           "    y[0] = same[0] + one[0] + other[0] + matrix[0, 0]\n"
                                           "    y[1] = given[0] + block[0] + of_block[0]\n");
    const IrDivergence divergence = ir_divergence(unit, NULL);
    assert_int_equal(bits_of(&divergence, unit, "same"), 0);
    assert_int_equal(bits_of(&divergence, unit, "one"), DIVERGES_THREAD);
    assert_int_equal(bits_of(&divergence, unit, "other"), DIVERGES_THREAD);
    assert_int_equal(bits_of(&divergence, unit, "matrix"), DIVERGES_THREAD << 1);
    assert_int_equal(bits_of(&divergence, unit, "given"), DIVERGES_OTHER);
    assert_int_equal(bits_of(&divergence, unit, "block"), DIVERGES_BLOCK);
}

static void loops_left_at_different_turns_are_not_uniform(void **state)
{
    const IrUnit *unit = lower_xyn(*state, "@cuda.jit\n"
                                           "def k(x, y, n):\n"
                                           "    t = cuda.threadIdx.x\n"
                                           "    a = 0\n"
                                           "    b = 0\n"
                                           "    for i in range(n):\n"
                                           "        a += i\n"
                                           "    for j in range(n):\n"
                                           "        b += j\n"
                                           "        if x[t] == j:\n"
                                           "            break\n"
                                           "    y[t] = a + b\n");
    assert_true(is_uniform(unit, "a"));
    assert_true(is_uniform(unit, "i"));
    assert_false(is_uniform(unit, "b"));
    assert_false(is_uniform(unit, "j"));
}

static void synchronisation_under_divergent_control_is_seen(void **state)
{
    static const char *const heads[] = { "if n > 1", "if cuda.threadIdx.x > 1", "for i in range(n)",
                                         "for i in range(x[cuda.grid(1)])" };
    for (int i = 0; i < 4; i++) {
        Fixture *f = *state;
        const char *text = arena_printf(&f->arena,
                                        "@cuda.jit\n"
                                        "def k(x, y, n):\n"
                                        "    %s:\n"
                                        "        cuda.syncthreads()\n",
                                        heads[i]);
        assert_int_equal(ir_syncs_divergently(lower_xyn(f, text)->kernel), i % 2);
    }
}

/* ---- inlining -------------------------------------------------------------------------- */

static bool waits(const IrFunc *fn)
{
    return fn->effects & EFFECT_BLOCK_SYNC;
}

static void look_for_call(void *context, IrValue *value)
{
    *(int *)context += value->op == OP_call;
}

static int count_calls(const IrFunc *fn)
{
    int calls = 0;
    for (const IrStmt *stmt = fn->body.first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, look_for_call, &calls);
    return calls;
}

static void a_tail_return_stays_splittable(void **state)
{
    Fixture *f = *state;
    IrUnit *unit = lower_xyn(f, "def wait(v, n):\n"
                                "    if n == 1:\n"
                                "        return v\n"
                                "    cuda.syncthreads()\n"
                                "    return v + 1\n"
                                "@cuda.jit\n"
                                "def k(x, y, n):\n"
                                "    t = cuda.threadIdx.x\n"
                                "    v = wait(x[t], n)\n"
                                "    y[t] = wait(v, n)\n");
    assert_int_equal(count_calls(unit->kernel), 2);
    IrUnit *inlined = ir_inline(&f->arena, unit, waits);
    assert_null(ir_verify(inlined, "inline"));
    assert_int_equal(inlined->count, 0);
    assert_int_equal(count_calls(inlined->kernel), 0);
    assert_int_equal(count_calls(unit->kernel), 2);
    assert_false(ir_syncs_divergently(inlined->kernel));
}

static void a_return_in_a_loop_becomes_a_flag(void **state)
{
    Fixture *f = *state;
    IrUnit *unit = lower_xyn(f, "def wait(x, n):\n"
                                "    for i in range(n):\n"
                                "        cuda.syncthreads()\n"
                                "        for j in range(i):\n"
                                "            if x[j] == i:\n"
                                "                return j\n"
                                "    return -1\n"
                                "@cuda.jit\n"
                                "def k(x, y, n):\n"
                                "    y[0] = wait(x, n)\n");
    IrUnit *inlined = ir_inline(&f->arena, unit, waits);
    assert_null(ir_verify(inlined, "inline"));
    assert_int_equal(count_calls(inlined->kernel), 0);
    assert_false(ir_syncs_divergently(inlined->kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(access_goes_through_views_and_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(access_goes_through_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(own_arrays_are_nobody_elses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counters_and_indices_are_nonnegative, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_negative_set_spreads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(uniform_is_what_all_threads_share, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_arrays_hold_varies_by_stores_through_variables, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(loops_left_at_different_turns_are_not_uniform, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(synchronisation_under_divergent_control_is_seen, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_tail_return_stays_splittable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_return_in_a_loop_becomes_a_flag, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launches on the device "check" that are rehearsed: which are run at once, and that what is found
** in the others is what the checker finds without a rehearsal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

enum { BLOCKS = 3, THREADS = 16, COUNT = 45, SIDE = 20 };

static int forget(void **state)
{
    (void)state;
    kjit_check_clear(context);
    return setenv("KJIT_REHEARSE", "always", 1);
}

static bool was_rehearsed(void)
{
    kjit_report report = { .size = sizeof report };

    kjit_last_report(&report);
    return report.rehearsed;
}

/* ---- bodies of k(x, y, out, n) --------------------------------------------------------------- */

/* x, y and out are COUNT float32, n is COUNT; 3 blocks of 16 threads. */
typedef struct Body {
    const char *lines;
    const char *rule; /* of the first finding; NULL: none */
    bool at_once;     /* no thread is looked at */
} Body;

#define GUARD "    if i >= n:\n        return\n"

static const Body bodies[] = {
    /* each thread its own element */
    { GUARD "    out[i] = x[i] + y[i]\n", NULL, true },
    { "    if i < out.size:\n        out[i] += 1\n", NULL, true },
    { "    if i < n and x[i] > 0:\n        out[i] = y[i]\n", NULL, true },
    { "    for k in range(i, n, cuda.gridsize(1)):\n        out[k] = x[k]\n", NULL, true },
    { GUARD "    out[n - 1 - i] = x[i]\n", NULL, true },
    { GUARD "    out[i] = x[min(i + 1, n - 1)]\n", NULL, true },
    { GUARD "    out[i] = x[i + 1] if i + 1 < n else x[0]\n", NULL, true },
    { GUARD "    out[i] = x[-1]\n", NULL, true },
    { "    if i * 2 < n:\n        out[i * 2] = x[i]\n", NULL, true },
    { GUARD "    out[i] = twice(x, i)\n", NULL, true },
    { "    if w == 1:\n        out[t] = x[t]\n", NULL, true },
    { GUARD "    m = 1\n    while m < 30:\n        m *= 2\n    out[i] = x[m]\n", NULL, true },
    { GUARD "    for k in range(5):\n        if k > t:\n            break\n        out[i] = x[k]\n",
      NULL, true },
    /* in range, but a negative index of some: that is looked at */
    { GUARD "    out[i] = x[i - 1]\n", NULL, false },
    /* out of range */
    { "    out[i] = x[0]\n", "out-of-bounds", false },
    { GUARD "    out[i] = x[i + 1]\n", "out-of-bounds", false },
    { GUARD "    out[i] = x[-2 - i]\n", "out-of-bounds", false },
    { "    if i <= n:\n        out[i] = 0\n", "out-of-bounds", false },
    { "    if x[0] < 0:\n        out[i] = 0\n", "out-of-bounds", false },
    { "    if x[0] > 0:\n        out[i] = 0\n", NULL, false },
    /* where two threads meet */
    { "    if i + 1 < n:\n        out[i] = out[i + 1]\n", "race", false },
    { GUARD "    out[t] = x[i]\n", "race", false },
    { GUARD "    out[i // 2] = x[i]\n", "race", false },
    { GUARD
      "    if t == 15:\n        out[i] = 1\n    elif i > 0 and t == 0:\n        out[i - 1] = 1\n",
      "race", false },
    { "    out[0] = 1\n", "race", false },
    /* shared memory */
    { "    s[t] = x[min(i, n - 1)]\n    cuda.syncthreads()\n" GUARD "    out[i] = s[15 - t]\n",
      NULL, true },
    { "    if i < n:\n        s[t] = x[i]\n    cuda.syncthreads()\n    if i + 1 < n and t < 15:\n"
      "        out[i] = s[t + 1]\n",
      NULL, true },
    { "    s[t] = 1\n    cuda.syncthreads()\n    m = 8\n    while m > 0:\n        if t < m:\n"
      "            s[t] += s[t + m]\n        cuda.syncthreads()\n        m //= 2\n"
      "    if t == 0:\n        out[w] = s[0]\n",
      NULL, true },
    { "    s[t] = 1\n    cuda.syncthreads()\n    m = 8\n    while m > 0:\n        if t < m:\n"
      "            s[t] += s[t + m]\n        m //= 2\n    if t == 0:\n        out[w] = s[0]\n",
      "race", false },
    { "    s[t] = 1\n" GUARD "    out[i] = s[15 - t]\n", "race", false },
    { "    if t > 0:\n        s[t] = 1\n    cuda.syncthreads()\n" GUARD "    out[i] = s[t]\n",
      "unwritten", false },
    { "    if x[0] > 5:\n        s[t] = 1\n    cuda.syncthreads()\n" GUARD "    out[i] = s[t]\n",
      "unwritten", false },
    { "    s[t + 1] = 1\n", "out-of-bounds", false },
    { "    s[t] = 1\n    if t < 3:\n        cuda.syncthreads()\n    else:\n        "
      "cuda.syncthreads()\n",
      "divergent-barrier", false },
    { GUARD "    s[t] = x[i]\n    cuda.syncthreads()\n    out[i] = s[0]\n", "divergent-barrier",
      false },
    /* local variables */
    { GUARD "    if t < 20:\n        a = x[i]\n    out[i] = a\n", NULL, true },
    { GUARD "    if t < 5:\n        a = x[i]\n    out[i] = a\n", "unwritten", false },
    { GUARD "    if t < 5:\n        a = x[i]\n    if t < 4:\n        out[i] = a\n", NULL, false },
    /* local memory */
    { GUARD "    for k in range(4):\n        own[k] = x[k]\n    out[i] = own[t % 4]\n", NULL,
      true },
    { GUARD "    own[1] = 1\n    out[i] = own[0]\n", "unwritten", false },
    /* arithmetic */
    { GUARD "    out[i] = x[(i + 1) // (t + 1)]\n", NULL, true },
    { GUARD "    out[t // (t - 3)] = 1\n", "zero-division", false },
    { GUARD "    out[i] = 1 << (t + 60)\n", "invalid-shift", false },
    { GUARD "    out[i] = x[int(y[i])]\n", NULL, false },
    { GUARD "    k = int32(i * 100000000)\n    if k < 0:\n        out[i] = x[k]\n",
      "index-overflow", false },
    /* what it does not follow */
    { GUARD "    part = x[1:]\n    out[i] = part[min(i, n - 2)]\n", NULL, false },
    { GUARD "    part = x[1:]\n    out[i] = part[i]\n", "out-of-bounds", false },
    { "    cuda.syncwarp()\n" GUARD "    out[i] = 1\n", NULL, false },
};

static kjit_kernel *kernel_with_body(const char *lines)
{
    static const char head[] = "from numba import cuda, float32, int32\n"
                               "def twice(x, i):\n"
                               "    return x[i] + x[i]\n"
                               "@cuda.jit\n"
                               "def k(x, y, out, n):\n"
                               "    s = cuda.shared.array(16, float32)\n"
                               "    own = cuda.local.array(4, float32)\n"
                               "    i = cuda.grid(1)\n"
                               "    t = cuda.threadIdx.x\n"
                               "    w = cuda.blockIdx.x\n";
    char text[2048];

    snprintf(text, sizeof text, "%s%s", head, lines);
    return kernel_of(text);
}

static void launch_body(kjit_kernel *kernel, float *out)
{
    float x[COUNT], y[COUNT];

    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 7 - 3);
        y[i] = (float)(i % 5);
        out[i] = (float)i;
    }
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT),
                        KJIT_ARRAY(y, COUNT), KJIT_ARRAY(out, COUNT), (int64_t)COUNT));
}

static const char *first_rule(void)
{
    kjit_check_finding finding = { .size = sizeof finding };

    if (!kjit_check_count(context))
        return "nothing";
    expect_ok(kjit_check_finding_at(context, 0, &finding));
    return finding.rule;
}

static void what_is_clean_is_run_at_once(void **state)
{
    int others = 0;

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const Body *body = &bodies[i];
        float out[COUNT];
        forget(state);
        launch_body(kernel_with_body(body->lines), out);
        if (strcmp(first_rule(), body->rule ? body->rule : "nothing") == 0 &&
            was_rehearsed() == body->at_once)
            continue;
        print_error("found %s, and %s rehearsed:\n%s", first_rule(),
                    was_rehearsed() ? "it was" : "it was not", body->lines);
        others++;
    }
    assert_int_equal(others, 0);
}

static void nothing_depends_on_it(void **state)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        kjit_kernel *kernel = kernel_with_body(bodies[i].lines);
        float with[COUNT], without[COUNT];
        forget(state);
        launch_body(kernel, with);
        size_t found = kjit_check_count(context);
        kjit_check_clear(context);
        setenv("KJIT_REHEARSE", "never", 1);
        launch_body(kernel, without);
        assert_false(was_rehearsed());
        assert_int_equal(kjit_check_count(context), found);
        if (!found)
            assert_memory_equal(with, without, sizeof with);
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const char copy_text[] = "from numba import cuda\n"
                                "@cuda.jit\n"
                                "def k(x, out):\n"
                                "    i = cuda.grid(1)\n"
                                "    if i < out.size:\n"
                                "        out[i] = x[i]\n";

static void arrays_that_overlap_are_looked_at(void **state)
{
    kjit_kernel *kernel = kernel_of(copy_text);
    float x[COUNT + 1] = { 0 };
    const int64_t shape[] = { COUNT + 1 };
    kjit_array host = kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, shape), all, from, to;

    (void)state;
    expect_ok(kjit_to_device(context, &host, &all));
    from = to = all;
    from.shape[0] = to.shape[0] = COUNT;
    from.data = (float *)all.data + 1;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), from, to));
    assert_false(was_rehearsed());
    assert_string_equal(first_rule(), "race");
    kjit_check_clear(context);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), to, to));
    assert_false(was_rehearsed());
    assert_string_equal(first_rule(), "nothing");
    expect_ok(kjit_array_free(context, &all));
}

static void what_nobody_wrote_is_looked_at(void **state)
{
    kjit_kernel *kernel = kernel_of(copy_text);
    const int64_t shape[] = { COUNT };
    kjit_array a, b;
    float back[COUNT], x[COUNT] = { 3, 4 };

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &a));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &b));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), a, b));
    assert_false(was_rehearsed());
    assert_string_equal(first_rule(), "unwritten");
    kjit_check_clear(context);
    /* a is written in part, which is seen, and then whole */
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT), a));
    assert_false(was_rehearsed());
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), a, KJIT_ARRAY(back, COUNT)));
    assert_string_equal(first_rule(), "unwritten");
    kjit_check_clear(context);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT), a));
    assert_true(was_rehearsed());
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), a, KJIT_ARRAY(back, COUNT)));
    assert_true(was_rehearsed());
    assert_float_equal(back[1], 4, 0);
    /* and goes on having values when it is looked at */
    setenv("KJIT_REHEARSE", "never", 1);
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), a, KJIT_ARRAY(back, COUNT)));
    assert_string_equal(first_rule(), "nothing");
    expect_ok(kjit_array_free(context, &a));
    expect_ok(kjit_array_free(context, &b));
}

static void elements_in_the_same_bytes_are_looked_at(void **state)
{
    kjit_kernel *kernel = kernel_of(copy_text);
    const int64_t shape[] = { COUNT };
    float x[COUNT] = { 0 }, out[COUNT] = { 0 };
    kjit_array host = kjit_host_array(out, KJIT_DTYPE_FLOAT32, 1, shape), there;

    (void)state;
    expect_ok(kjit_to_device(context, &host, &there));
    there.strides[0] = 0;
    expect_ok(
        KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT), there));
    assert_false(was_rehearsed());
    assert_string_equal(first_rule(), "race");
    expect_ok(kjit_array_free(context, &there));
}

/* ---- launches -------------------------------------------------------------------------------- */

static void axes_of_the_grid_are_told_apart(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def turn(a, out):\n"
                               "    column, row = cuda.grid(2)\n"
                               "    if row < a.shape[0] and column < a.shape[1]:\n"
                               "        out[column, row] = a[row, column]\n"
                               "@cuda.jit\n"
                               "def fold(a, out):\n"
                               "    column, row = cuda.grid(2)\n"
                               "    if row < a.shape[0] and column < a.shape[1]:\n"
                               "        out[0, column] = a[row, column]\n";
    kjit_module *module;
    kjit_kernel *turn, *fold;
    float a[SIDE][SIDE], out[SIDE][SIDE] = { { 0 } };

    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        (&a[0][0])[i] = (float)i;
    expect_ok(kjit_load_source(context, text, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, "turn", &turn));
    expect_ok(kjit_get_kernel(module, "fold", &fold));
    expect_ok(KJIT_CALL(turn, KJIT_GRID(3, 6), KJIT_BLOCK(8, 4), KJIT_ARRAY(&a[0][0], SIDE, SIDE),
                        KJIT_ARRAY(&out[0][0], SIDE, SIDE)));
    assert_true(was_rehearsed());
    assert_float_equal(out[3][7], a[7][3], 0);
    expect_ok(KJIT_CALL(fold, KJIT_GRID(3, 6), KJIT_BLOCK(8, 4), KJIT_ARRAY(&a[0][0], SIDE, SIDE),
                        KJIT_ARRAY(&out[0][0], SIDE, SIDE)));
    assert_false(was_rehearsed());
    assert_string_equal(first_rule(), "race");
}

static void sums_of_integers_go_together(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(out):\n"
                               "    cuda.atomic.add(out, cuda.grid(1) % 2, 1)\n";
    kjit_kernel *kernel = kernel_of(text);
    int32_t whole[2] = { 0 };
    float near[2] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(whole, 2)));
    assert_true(was_rehearsed());
    assert_int_equal(whole[0], BLOCKS * THREADS / 2);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(near, 2)));
    assert_false(was_rehearsed()); /* of whose sum the order shows */
    assert_float_equal(near[1], BLOCKS * THREADS / 2, 0);
}

static void small_launches_are_looked_at(void **state)
{
    kjit_kernel *kernel = kernel_of(copy_text);
    float x[COUNT] = { 0 }, out[COUNT];

    (void)state;
    unsetenv("KJIT_REHEARSE");
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT),
                        KJIT_ARRAY(out, COUNT)));
    assert_false(was_rehearsed());
}

static void advice_and_nan_need_each_thread(void **state)
{
    kjit_check_options wanted = { .size = sizeof wanted, .advise = 1 };
    kjit_kernel *kernel = kernel_of(copy_text);
    float x[COUNT] = { 0 }, out[COUNT];

    (void)state;
    expect_ok(kjit_check_set(context, &wanted));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT),
                        KJIT_ARRAY(out, COUNT)));
    assert_false(was_rehearsed());
    wanted = (kjit_check_options){ .size = sizeof wanted, .nan = 1 };
    expect_ok(kjit_check_set(context, &wanted));
    kernel = kernel_of(copy_text);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(BLOCKS), KJIT_BLOCK(THREADS), KJIT_ARRAY(x, COUNT),
                        KJIT_ARRAY(out, COUNT)));
    assert_false(was_rehearsed());
    wanted = (kjit_check_options){ .size = sizeof wanted };
    expect_ok(kjit_check_set(context, &wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_clean_is_run_at_once, forget),
        cmocka_unit_test_setup(nothing_depends_on_it, forget),
        cmocka_unit_test_setup(arrays_that_overlap_are_looked_at, forget),
        cmocka_unit_test_setup(what_nobody_wrote_is_looked_at, forget),
        cmocka_unit_test_setup(elements_in_the_same_bytes_are_looked_at, forget),
        cmocka_unit_test_setup(axes_of_the_grid_are_told_apart, forget),
        cmocka_unit_test_setup(sums_of_integers_go_together, forget),
        cmocka_unit_test_setup(small_launches_are_looked_at, forget),
        cmocka_unit_test_setup(advice_and_nan_need_each_thread, forget),
    };

    return cmocka_run_group_tests(tests, open_check, close_check);
}

/* What launches do, counted: the examples against numbers worked out by hand, then rules one by
** one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

/* Every number of a kjit_work but the blocks. */
typedef struct Wanted {
    uint64_t float32_ops, float64_ops, loads, stores, atomics, least;
} Wanted;

static void check_work(const char *what, const kjit_work *work, const Wanted *wanted)
{
    const uint64_t got[] = { work->float32_ops, work->float64_ops,  work->load_bytes,
                             work->store_bytes, work->atomic_bytes, work->least_bytes };
    const uint64_t all[] = { wanted->float32_ops, wanted->float64_ops, wanted->loads,
                             wanted->stores,      wanted->atomics,     wanted->least };
    static const char *const names[] = {
        "float32", "float64", "loads", "stores", "atomics", "least"
    };

    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++) {
        if (got[i] != all[i])
            fail_msg("%s: %s: %llu, not %llu", what, names[i], (unsigned long long)got[i],
                     (unsigned long long)all[i]);
    }
}

/* The library's clock: a second goes by between two looks, as on a machine that is very busy. */
double __wrap_clock_ms(void);

double __wrap_clock_ms(void)
{
    static double now;

    return now += 1000;
}

/* ---- the examples, on their own arguments --------------------------------------------------- */

static kjit_work count_example(const char *file, const char *name)
{
    kjit_launch_config config = { .size = sizeof config };
    kjit_work work = { .size = sizeof work };
    kjit_arg args[KJIT_RANK_MAX];
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_values *values;

    expect_ok(kjit_load_file(context, file, NULL, &module));
    expect_ok(kjit_get_kernel(module, name, &kernel));
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_values_example(values, kernel));
    expect_ok(kjit_example_config(kernel, &config));
    size_t count = kjit_param_count(kernel);
    for (size_t i = 0; i < count; i++)
        args[i] = *kjit_values_get(values, kjit_param_name(kernel, i));
    expect_ok(kjit_count_work(kernel, &config, args, count, &work));
    kjit_values_close(values);
    kjit_close_module(module);
    assert_int_equal(work.counted_blocks, work.blocks);
    return work;
}

static void examples_do_what_was_worked_out_by_hand(void **state)
{
    static const struct {
        const char *file, *kernel;
        Wanted wanted;
    } rows[] = {
        /* 250 x 210 sums of 180 products; each matrix once */
        { "examples/matmul.k",
          "matmul",
          { 2 * 52500 * 180, 0, 8 * 52500 * 180, 210000, 0, 180000 + 151200 + 210000 } },
        /* all 57344 threads make 12 tiles of 16 steps; a row of tiles has 180 columns inside, and
        ** 14 columns of blocks fetch it, 16 rows of blocks those of b */
        { "examples/matmul_shared.k",
          "matmul_shared",
          { 57344 * 12 * 16 * 2, 0, 4 * (250 * 14 * 180 + 210 * 16 * 180), 210000, 0, 541200 } },
        { "examples/transpose.k", "transpose_naive", { 0, 0, 600000, 600000, 0, 1200000 } },
        { "examples/transpose.k", "transpose_shared", { 0, 0, 600000, 600000, 0, 1200000 } },
        { "examples/transpose.k", "transpose_padded", { 0, 0, 600000, 600000, 0, 1200000 } },
        /* a tree of 256 leaves has 255 sums */
        { "examples/reduce.k", "sum_interleaved", { 255 * 391, 0, 400000, 1564, 0, 401564 } },
        { "examples/reduce.k", "sum_sequential", { 255 * 391, 0, 400000, 1564, 0, 401564 } },
        /* 40 blocks add to one int64, which is read and written */
        { "examples/reduce.k", "sum_all", { 0, 0, 800000, 0, 320, 800016 } },
        /* two sums and a quotient of three loads for each of 59998 */
        { "examples/convolution.k",
          "smooth",
          { 3 * 59998, 0, 12 * 59998, 239992, 0, 240000 + 239992 } },
        /* 468 of the 469 blocks have two more elements to fetch */
        { "examples/convolution.k",
          "smooth_shared",
          { 3 * 59998, 0, 4 * (60000 + 936), 239992, 0, 240000 + 239992 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kjit_work work = count_example(rows[i].file, rows[i].kernel);
        check_work(rows[i].kernel, &work, &rows[i].wanted);
    }
}

/* ---- rules ---------------------------------------------------------------------------------- */

enum { ELEMENTS = 100 };

static float x[ELEMENTS], y[ELEMENTS];

static kjit_arg floats(float *data)
{
    return kjit_arg_host_array(data, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ ELEMENTS });
}

/* Of one block of 100 threads with two arrays of as many floats: x[i] is i. */
static kjit_work count_text(const char *text)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 1, 1, 1 },
                                        .block = { ELEMENTS, 1, 1 } };
    const kjit_arg args[] = { floats(x), floats(y) };
    kjit_work work = { .size = sizeof work };

    for (int i = 0; i < ELEMENTS; i++) {
        x[i] = (float)i;
        y[i] = -1;
    }
    expect_ok(kjit_count_work(kernel_with(text, NULL), &config, args, 2, &work));
    for (int i = 0; i < ELEMENTS; i++)
        assert_true(x[i] == (float)i && y[i] == -1);
    return work;
}

/* Kernels of a few lines, each for a rule of counting, and the work that is found in them. */
static const struct {
    const char *what, *text;
    Wanted wanted;
} rules[] = {
    { "operations",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = -abs(x[i]) * x[i] + math.sqrt(x[i]) / float32(3) - min(x[i], y[i])\n",
      { 500, 0, 2000, 400, 0, 400 + 400 + 400 } },
    { "a fused multiply-add",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = cuda.fma(x[i], x[i], x[i])\n",
      { 200, 0, 1200, 400, 0, 800 } },
    { "an operand that is not always evaluated",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = x[i] * x[i] if i < 30 else x[i]\n",
      { 30, 0, 2 * 120 + 280, 400, 0, 800 } },
    { "conditions that end early",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    if i < 10 and x[i] < 5 or i >= 90 and x[i] + x[i] > 0:\n"
      "        y[i] = 1\n",
      { 10, 0, 40 + 80, 60, 0, 60 + 120 } },
    { "an early return",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    if i >= 40:\n"
      "        return\n"
      "    y[i] = x[i] + x[i]\n",
      { 40, 0, 320, 160, 0, 320 + 160 } },
    { "a loop that is left, and turns that are cut short",
      "def f(x, y):\n"
      "    for k in range(50):\n"
      "        if k == 20:\n"
      "            break\n"
      "        if k % 2:\n"
      "            continue\n"
      "        y[cuda.grid(1)] = x[k]\n",
      { 0, 0, 4 * 10 * 100, 4 * 10 * 100, 0, 800 } },
    { "a condition with loads, evaluated once more than the body",
      "def f(x, y):\n"
      "    k = 0\n"
      "    while x[k] < 7:\n"
      "        k += 1\n"
      "    y[cuda.grid(1)] = k\n",
      { 0, 0, 8 * 400, 400, 0, 800 } },
    { "a search that returns from a loop",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    for k in range(x.size):\n"
      "        if x[k] == i:\n"
      "            y[i] = k\n"
      "            return\n",
      { 0, 0, 4 * 5050, 400, 0, 800 } },
    { "functions",
      "def half(a):\n"
      "    return a / float32(2)\n"
      "\n"
      "@cuda.jit\n"
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = half(half(x[i]))\n",
      { 200, 0, 400, 400, 0, 800 } },
    { "float64",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = x[i] * 2.0\n",
      { 0, 100, 400, 400, 0, 800 } },
    { "complex numbers",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    z = complex64(complex(x[i], x[i]))\n"
      "    y[i] = (z * z + z).real\n",
      { 800, 0, 800, 400, 0, 800 } },
    { "atomics",
      "def f(x, y):\n"
      "    cuda.atomic.add(y, 0, x[cuda.grid(1)])\n"
      "    cuda.atomic.max(y, 1, x[0])\n",
      { 100, 0, 800, 0, 800, 400 + 2 * 400 } },
    { "shared and private memory are not global",
      "def f(x, y):\n"
      "    a = cuda.shared.array(100, float32)\n"
      "    b = cuda.local.array(4, float32)\n"
      "    i = cuda.grid(1)\n"
      "    a[i] = x[i]\n"
      "    cuda.syncthreads()\n"
      "    b[i % 4] = a[99 - i] + a[i]\n"
      "    y[i] = b[i % 4]\n",
      { 100, 0, 400, 400, 0, 800 } },
    { "views",
      "def f(x, y):\n"
      "    part = x[10:50]\n"
      "    for k in range(part.size):\n"
      "        y[cuda.grid(1)] += part[k]\n",
      { 4000, 0, 16000 + 16000, 16000, 0, 400 + 400 + 400 } },
    { "branches that go by what the kernel writes",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    y[i] = x[i]\n"
      "    if y[i] < 10:\n"
      "        y[i] = y[i] + y[i]\n",
      { 10, 0, 400 + 400 + 80, 440, 0, 400 + 400 + 400 } },
    { "branches that go by shared memory",
      "def f(x, y):\n"
      "    a = cuda.shared.array(100, float32)\n"
      "    i = cuda.grid(1)\n"
      "    a[i] = x[i]\n"
      "    cuda.syncthreads()\n"
      "    if a[99 - i] < 10:\n"
      "        y[i] = a[i]\n",
      { 0, 0, 400, 40, 0, 440 } },
    { "a thread that ends at an assert",
      "def f(x, y):\n"
      "    i = cuda.grid(1)\n"
      "    assert x[i] < 40\n"
      "    print(i)\n"
      "    y[i] = 1\n",
      { 0, 0, 400, 160, 0, 400 + 160 } },
    { "nothing", "def f(x, y):\n    pass\n", { 0, 0, 0, 0, 0, 0 } },
};

static void each_rule_counts_as_it_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rules); i++) {
        char text[1024];
        bool two = strstr(rules[i].text, "@cuda.jit") != NULL;
        snprintf(text, sizeof text, "import math\n%s%s", two ? "" : "@cuda.jit\n", rules[i].text);
        kjit_work work = count_text(text);
        check_work(rules[i].what, &work, &rules[i].wanted);
        assert_int_equal(work.counted_blocks, 1);
    }
}

static void what_calls_itself_is_refused(void **state)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 1, 1, 1 },
                                        .block = { 1, 1, 1 } };
    const kjit_arg args[] = { floats(x) };
    kjit_work work = { .size = sizeof work };

    (void)state;
    expect(kjit_count_work(kernel_with("def down(n):\n"
                                       "    return 0 if n <= 0 else down(n - 1) + 1\n"
                                       "@cuda.jit\n"
                                       "def f(x):\n"
                                       "    x[0] = down(5)\n",
                                       NULL),
                           &config, args, 1, &work),
           KJIT_UNSUPPORTED, "f does cannot be counted: it calls a function that calls itself");
    expect(kjit_count_work(kernel_with("@cuda.jit\ndef f(x):\n    x[0] = 1\n", NULL), &config, args,
                           0, &work),
           KJIT_ARGUMENT, "f");
}

static void enormous_grids_are_judged_by_some_blocks(void **state)
{
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 1 << 20, 1 << 15, 3 },
                                        .block = { 256, 2, 1 } };
    const kjit_arg args[] = { floats(x) };
    const uint64_t blocks = UINT64_C(3) << 35;
    kjit_work work = { .size = sizeof work };

    (void)state;
    expect_ok(kjit_count_work(kernel_with("@cuda.jit\n"
                                          "def f(x):\n"
                                          "    i, j, k = cuda.grid(3)\n"
                                          "    if cuda.threadIdx.x < 100 and "
                                          "i // 256 == cuda.blockIdx.x and "
                                          "cuda.gridDim.x == 1 << 20:\n"
                                          "        x[0] = x[1] * x[2]\n",
                                          NULL),
                              &config, args, 1, &work));
    assert_int_equal(work.blocks, blocks);
    assert_in_range(work.counted_blocks, 64, blocks - 1);
    assert_int_equal(work.float32_ops, blocks * 200);
    assert_int_equal(work.load_bytes, blocks * 1600);
    assert_int_equal(work.least_bytes, 800);
}

/* Which tile a block has is what it finds in memory that others wrote, by way of shared memory: no
** block is run twice over the same arrays. */
static void blocks_that_draw_tiles_are_run_once(void **state)
{
    static float tiles[128];
    static int64_t drawn[1];
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 128, 1, 1 },
                                        .block = { 32, 1, 1 } };
    const kjit_arg args[] = {
        kjit_arg_host_array(tiles, KJIT_DTYPE_FLOAT32, 0, 1, (int64_t[]){ 128 }),
        kjit_arg_host_array(drawn, KJIT_DTYPE_INT64, 0, 1, (int64_t[]){ 1 })
    };
    kjit_work work = { .size = sizeof work };

    (void)state;
    expect_ok(kjit_count_work(kernel_with("@cuda.jit\n"
                                          "def f(x, drawn):\n"
                                          "    tile = cuda.shared.array(1, int64)\n"
                                          "    mine = cuda.local.array(1, int64)\n"
                                          "    if cuda.threadIdx.x == 0:\n"
                                          "        tile[0] = cuda.atomic.add(drawn, 0, 1)\n"
                                          "    cuda.syncthreads()\n"
                                          "    mine[0] = tile[0]\n"
                                          "    if cuda.threadIdx.x == 0 and mine[0] < 128:\n"
                                          "        x[mine[0]] = 1\n",
                                          NULL),
                              &config, args, 2, &work));
    assert_int_equal(work.counted_blocks, 128);
    assert_int_equal(work.store_bytes, 4 * 128);
    assert_int_equal(drawn[0], 0);
}

static void tuples_records_and_repeated_elements_have_their_bytes(void **state)
{
    static const kjit_field fields[] = {
        { "a", KJIT_DTYPE_INT8, NULL, 0, 0, { 0 } },
        { "b", KJIT_DTYPE_FLOAT64, NULL, 8, 0, { 0 } },
    };
    static const kjit_record pair = { fields, 2, 16 };
    static char records[16 * ELEMENTS];
    const kjit_launch_config config = { .size = sizeof config,
                                        .grid = { 1, 1, 1 },
                                        .block = { ELEMENTS, 1, 1 } };
    kjit_array one = kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ 1 }), many;
    kjit_work work = { .size = sizeof work };

    (void)state;
    expect_ok(kjit_array_broadcast(&one, 1, (int64_t[]){ ELEMENTS }, &many));
    const kjit_arg items[] = { kjit_arg_array(many), floats(y) };
    const kjit_arg args[] = { kjit_arg_tuple(items, 2),
                              kjit_arg_array(
                                  kjit_record_array(records, &pair, 1, (int64_t[]){ ELEMENTS })) };
    expect_ok(kjit_count_work(kernel_with("@cuda.jit\n"
                                          "def f(t, r):\n"
                                          "    i = cuda.grid(1)\n"
                                          "    r[i].b = t[0][i] + r[i].a\n",
                                          NULL),
                              &config, args, 2, &work));
    /* a float32 and an int8 of each are read, a float64 is written; of 404 bytes of the tuple's
    ** arrays 400 are asked for, of 1600 bytes of records 100 and 800 */
    const Wanted wanted = { 100, 0, 500, 800, 0, 400 + 100 + 800 };
    check_work("records", &work, &wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_do_what_was_worked_out_by_hand),
        cmocka_unit_test(each_rule_counts_as_it_says),
        cmocka_unit_test(what_calls_itself_is_refused),
        cmocka_unit_test(enormous_grids_are_judged_by_some_blocks),
        cmocka_unit_test(blocks_that_draw_tiles_are_run_once),
        cmocka_unit_test(tuples_records_and_repeated_elements_have_their_bytes),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* Spaces of kernels that are tuned: what @tune says, what follows from a configuration, and which
** are allowed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define OWN_CACHE
#include "tests/unit/library.h"

static const char product_text[] =
    "block_size_x = 16\n"
    "block_size_y = 4\n"
    "tile = 2\n"
    "rows = block_size_y * tile\n"
    "wide = (4, 4)\n"
    "@tune(block_size_x=[16, 32, 2048], block_size_y=[1, 4], tile=[1, 2], junk=[1, 2.5, True],\n"
    "      block=('block_size_x', 'block_size_y'), problem=('C.shape[1]', 'C.shape[0]'),\n"
    "      grid_div_y='rows', restrict=['block_size_x * block_size_y <= 64 or tile == 2',\n"
    "                                   'n < 3 or tile in (1, 4)'])\n"
    "@cuda.jit\n"
    "def product(A, C, n):\n"
    "    s = cuda.shared.array((tile, 1024), dtype=float64)\n"
    "    x = cuda.grid(2)[0]\n"
    "    y = cuda.blockIdx.y * rows + cuda.threadIdx.y\n"
    "    for t in range(tile):\n"
    "        row = y + t * block_size_y\n"
    "        if x < C.shape[1] and row < C.shape[0]:\n"
    "            C[row, x] = A[row, x] + n * 100 + tile * 10 + wide[0]\n";

enum { ROWS = 9, COLUMNS = 40 };

static float a_data[ROWS][COLUMNS], c_data[ROWS][COLUMNS];

/* Arguments of the product. */
static void fill_args(kjit_arg args[3], int n)
{
    args[0] = kjit_arg_array(
        kjit_host_array(a_data, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS }));
    args[1] = kjit_arg_array(
        kjit_host_array(c_data, KJIT_DTYPE_FLOAT32, 2, (int64_t[]){ ROWS, COLUMNS }));
    args[2] = kjit_arg_int64(n);
}

static kjit_space *space_of(const char *text)
{
    kjit_space *space;

    expect_ok(kjit_space_new(kernel_of(text), &space));
    return space;
}

static void tunes_own_names_are_told(void **state)
{
    kjit_space *space = space_of(product_text);
    int found = 0;

    (void)state;
    for (size_t i = 0; kjit_space_name_at(i); i++)
        found +=
            !strcmp(kjit_space_name_at(i), "restrict") || !strcmp(kjit_space_name_at(i), "unroll");
    assert_int_equal(found, 2);
    expect_ok(kjit_space_set(space, "unroll", "[1, 2]"));
    assert_int_equal(kjit_space_param_is_own(space, 0), 0);
    assert_int_equal(kjit_space_param_is_own(space, 4), 1);
    assert_int_equal(kjit_space_param_is_own(space, 5), 0);
    kjit_space_close(space);
}

static void parameters_and_values_are_in_order(void **state)
{
    kjit_space *space = space_of(product_text);
    double number = 0;

    (void)state;
    assert_int_equal(kjit_space_param_count(space), 4);
    assert_string_equal(kjit_space_param_name(space, 0), "block_size_x");
    assert_null(kjit_space_param_name(space, 4));
    assert_int_equal(kjit_space_value_count(space, 0), 3);
    assert_int_equal(kjit_space_value_count(space, 4), 0);
    assert_string_equal(kjit_space_value_text(space, 0, 1), "32");
    assert_string_equal(kjit_space_value_text(space, 3, 1), "2.5");
    assert_string_equal(kjit_space_value_text(space, 3, 2), "True");
    assert_null(kjit_space_value_text(space, 0, 3));
    assert_int_equal(kjit_space_value_number(space, 3, 1, &number), 1);
    assert_true(number == 2.5);
    assert_string_equal(kjit_space_unread_at(space, 0), "junk");
    assert_null(kjit_space_unread_at(space, 1));
    kjit_space_close(space);
    kjit_space_close(NULL);
}

static void what_tunes_says_so(void **state)
{
    (void)state;
    assert_int_equal(kjit_kernel_tunes(kernel_of(product_text)), 1);
    assert_int_equal(kjit_kernel_tunes(kernel_of(double_text)), 0);
}

/* What is in the way of a configuration; "" if nothing is. */
static const char *why_not(kjit_space *space, const uint32_t *config, int n)
{
    kjit_arg args[3];
    const char *why;

    fill_args(args, n);
    expect_ok(kjit_space_allows(space, config, args, 3, &why));
    return why ? why : "";
}

static void restrictions_and_limits_are_checked(void **state)
{
    static const struct {
        uint32_t config[4];
        int n;
        const char *why;
    } cases[] = {
        { { 0, 0, 0, 0 }, 1, "" },
        { { 1, 1, 0, 0 }, 1, "block_size_x * block_size_y <= 64 or tile == 2 does not hold" },
        { { 1, 1, 1, 0 }, 1, "" },
        { { 1, 1, 1, 0 }, 3, "n < 3 or tile in (1, 4) does not hold" },
        { { 2, 0, 1, 0 }, 1, "the block is 2048 in x" },
    };
    kjit_space *space = space_of(product_text);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = why_not(space, cases[i].config, cases[i].n);
        if (!strstr(why, cases[i].why) || (!*cases[i].why && *why))
            fail_msg("%zu: %s", i, why);
    }
    /* either axis is small enough, and both together are not */
    expect_ok(kjit_space_set(space, "block", "(64, 32)"));
    assert_non_null(strstr(why_not(space, cases[0].config, 1), "a block has 2048 threads"));
    expect_ok(kjit_space_set(space, "block", "(32, 32)"));
    assert_string_equal(why_not(space, cases[0].config, 1), "");
    kjit_space_close(space);
}

static void shared_arrays_that_do_not_fit_are_seen_in_the_text(void **state)
{
    static const uint32_t few[] = { 0, 0, 0, 0 }, many[] = { 0, 0, 1, 0 };
    kjit_space *space = space_of(product_text);

    (void)state;
    expect_ok(kjit_space_set(space, "tile", "[2, 2000000]"));
    assert_string_equal(why_not(space, few, 1), "");
    assert_non_null(strstr(why_not(space, many, 1), "16384000000 bytes of shared memory"));
    kjit_space_close(space);
}

/* What only other configurations, or no launch at all, would have is no hindrance. */
static void shared_arrays_in_branches_not_taken_do_not_count(void **state)
{
    static const char text[] = "mode = 0\n"
                               "size = 1000000\n"
                               "last = 3\n"
                               "def fill(x):\n"
                               "    s = cuda.shared.array(size, float32)\n"
                               "    s[0] = x[0]\n"
                               "@tune(mode=[0, 1, 2, 3, 4, 5], block=1, problem=1)\n"
                               "@cuda.jit\n"
                               "def f(x, size):\n"
                               "    if mode == 1:\n"
                               "        s = cuda.shared.array(1000000, float32)\n"
                               "        s[0] = x[0]\n"
                               "    elif mode == 2 and 1 < last:\n"
                               "        fill(x)\n"
                               "    elif x[0] > 0:\n"
                               "        x[0] = 1\n"
                               "    if last == mode:\n"
                               "        x[0] = 2\n"
                               "        return\n"
                               "    if mode < 4:\n"
                               "        pass\n"
                               "    elif mode == 4:\n"
                               "        return\n"
                               "    else:\n"
                               "        return\n"
                               "    if mode >= 3:\n"
                               "        s = cuda.shared.array(1000000, float64)\n";
    static const char *const bytes[] = { "", "4000000 bytes", "4000000 bytes", "", "", "" };
    kjit_space *space = space_of(text);
    float x[1] = { 0 };
    const kjit_arg args[] = { kjit_arg_array(
                                  kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ 1 })),
                              kjit_arg_int64(1) };

    (void)state;
    for (uint32_t mode = 0; mode < 6; mode++) {
        const char *why;
        expect_ok(kjit_space_allows(space, &mode, args, 2, &why));
        if (!why != !*bytes[mode] || !strstr(why ? why : "", bytes[mode]))
            fail_msg("mode %u: %s", mode, why ? why : "allowed");
    }
    kjit_space_close(space);
}

static void shapes_follow_and_kernels_have_the_constants(void **state)
{
    static const uint32_t configs[][4] = { { 0, 0, 0, 0 }, { 1, 1, 1, 0 }, { 0, 1, 1, 0 } };
    static const uint32_t shapes[][4] = { { 3, 9, 16, 1 }, { 2, 2, 32, 4 }, { 3, 2, 16, 4 } };
    kjit_space *space = space_of(product_text);
    kjit_launch_config shape = { .size = sizeof shape };
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg args[3];

    (void)state;
    fill_args(args, 1);
    for (size_t i = 0; i < 3; i++) {
        memset(c_data, 0, sizeof c_data);
        expect_ok(kjit_space_shape(space, configs[i], args, 3, &shape));
        assert_int_equal(shape.grid[0], shapes[i][0]);
        assert_int_equal(shape.grid[1], shapes[i][1]);
        assert_int_equal(shape.block[0], shapes[i][2]);
        assert_int_equal(shape.block[1], shapes[i][3]);
        assert_int_equal(shape.grid[2] * shape.block[2], 1);
        expect_ok(kjit_space_kernel(space, configs[i], &module, &kernel));
        expect_ok(kjit_launch(kernel, &shape, args, 3));
        for (int k = 0; k < ROWS * COLUMNS; k++)
            assert_true(c_data[k / COLUMNS][k % COLUMNS] == 104 + 10 * (configs[i][2] + 1));
        kjit_close_module(module);
    }
    kjit_space_close(space);
}

static void kernels_come_from_the_text_that_was_loaded(void **state)
{
    char path[256];
    kjit_module *module, *again;
    kjit_kernel *kernel;
    kjit_space *space;
    int32_t a[1] = { 0 };

    (void)state;
    write_file("part.k", "def part():\n    return 4\n");
    write_file("whole.k", "from part import part\nN = 3\n@tune(N=[3, 5], block=1, problem=1)\n"
                          "@cuda.jit\ndef k(a):\n    a[0] = 10 * N + part()\n");
    snprintf(path, sizeof path, "%s/whole.k", folder);
    expect_ok(kjit_load_file(context, path, NULL, &module));
    expect_ok(kjit_get_kernel(module, "k", &kernel));
    write_file("part.k", "def part():\n    return 9\n");
    write_file("whole.k", "nothing of it\n");
    expect_ok(kjit_space_new(kernel, &space));
    expect_ok(kjit_space_kernel(space, (uint32_t[]){ 1 }, &again, &kernel));
    kjit_space_close(space);
    kjit_close_module(module);
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a, 1)));
    assert_int_equal(a[0], 54);
}

static void what_is_set_is_checked(void **state)
{
    static const struct {
        const char *name, *text, *complaint;
    } wrong[] = {
        { "tile", "[1, 1]", "'tile' is to try 1 already" },
        { "tile", "[8, 2 * 4]", "'tile' is to try 8 already" },
        { "tile", "16", "takes the values to try as a list: tile=[16]" },
        { "tile", "[]", "'tile' has no values to try" },
        { "tile", "[nope]", "there is no value 'nope'" },
        { "tile", "[None]", "None is no value of a constant" },
        { "tile", "[1e308 * 10]", "a value to try is an int64, a float64" },
        { "tile", "[3j]", "a value to try is a number" },
        { "tile", "[1", "'[' was never closed" },
        { "n", "[1]", "'n' is a parameter of product" },
        { "block", "(1, 2, 3, 4)", "block takes one to three sizes" },
        { "restrict", "a b", "unexpected 'b'" },
        { "unroll", "[65]", "'unroll' cannot be 65: it takes a whole number from 1" },
        { "max_registers", "[0]", "'max_registers' cannot be 0: it takes a whole number" },
        { "fastmath", "[1]", "'fastmath' cannot be 1: it takes True or False" },
        { "passes", "[1]", "'passes' cannot be 1: it takes what --passes takes" },
        { "passes", "['none', '-tails']", "there is no pass '-tails'" },
        { "tile", "['a']", "'tile' is a number in the module, and this is a string" },
        { "options", "[-O2]", "there is no value 'O2'" },
    };
    kjit_space *space = space_of(product_text);

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(kjit_space_set(space, wrong[i].name, wrong[i].text), KJIT_ARGUMENT,
               wrong[i].complaint);
    assert_int_equal(kjit_space_param_count(space), 4);
    assert_int_equal(kjit_space_value_count(space, 2), 2);
    kjit_space_close(space);
}

static void expressions_without_sense_are_told_where_they_are_asked(void **state)
{
    static const struct {
        const char *name, *text, *complaint;
    } wrong[] = {
        { "restrict", "nope > 1", "there is no value 'nope'" },
        { "restrict", "A.shape", "a condition is a number, True or False" },
        { "restrict", "A[0, 0] > 1", "of 'A' the shape alone is known" },
        { "restrict", "A.shape < 2", "'<' not supported between instances of 'tuple' and 'int'" },
        { "restrict", "tile in 3", "argument of type 'int' is not iterable" },
        { "restrict", "1 // (tile - tile)", "integer division or modulo by zero" },
        { "block", "tile - 5", "the block is -4 in x" },
        { "block", "1.5", "a size is a whole number, and this is 1.5" },
        { "grid_div_x", "tile - 1", "a product of numbers from 1, and this is 0" },
        { "problem", "-tile", "in x: it takes 1 to" },
    };
    static const uint32_t config[] = { 0, 0, 0, 0 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kjit_space *space = space_of(product_text);
        kjit_arg args[3];
        const char *why;
        fill_args(args, 1);
        expect_ok(kjit_space_set(space, wrong[i].name, wrong[i].text));
        expect(kjit_space_allows(space, config, args, 3, &why), KJIT_ARGUMENT, wrong[i].complaint);
        assert_null(why);
        kjit_space_close(space);
    }
}

static void conditions_are_pythons(void **state)
{
    static const struct {
        const char *condition;
        bool holds;
    } cases[] = {
        { "1 < tile + 1 <= 2 < 3", true },
        { "1 < 3 < 2", false },
        { "tile == 1.0 and not tile == 2", true },
        { "tile != 1 or tile is 1", true },
        { "tile not in [1, 2]", false },
        { "tile in (3, 1)", true },
        { "'a' == 'a' and 'a' != 'b'", true },
        { "'' or 0", false },
        { "None is None", true },
        { "True if tile == 1 else nope", true },
        { "0 and nope", false },
        { "A.shape == (9, 40)", true },
        { "A.shape[0] % 4 == 1", true },
        { "A.ndim in A.shape", false },
        { "wide == (4, 4)", true },
        { "tile > 1e300 * 1e300", false },
        { "A.dtype == float32", true },
        { "len(A) == 9 and A.T.shape[0] == 40", true },
        { "min(A.shape) == 9 and max(A.shape[0], tile, 41.5) == 41.5", true },
        { "abs(tile - 5) == 4 == round(3.5) == -7 // 2 + 2 ** 3", true },
        { "math.ceil(A.shape[1] / 16) == 3 and math.log2(32) % 2 == 1", true },
        { "divmod(A.shape[1], 16) == (2, 8) and warpsize == 32", true },
    };
    static const uint32_t config[] = { 0, 0, 0, 0 };
    kjit_space *space = space_of(product_text);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_ok(kjit_space_set(space, "restrict", cases[i].condition));
        if (!*why_not(space, config, 1) != cases[i].holds)
            fail_msg("%s", cases[i].condition);
    }
    kjit_space_close(space);
}

static void without_tune_the_space_is_empty(void **state)
{
    static const uint32_t config[] = { 0 };
    kjit_space *space = space_of(double_text);
    kjit_launch_config shape = { .size = sizeof shape };
    double x[2] = { 1, 2 };
    const int64_t extents[] = { 2 };
    kjit_arg array = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT64, 1, extents));
    const kjit_arg args[] = { array, array };

    (void)state;
    assert_int_equal(kjit_space_param_count(space), 0);
    assert_null(kjit_space_unread_at(space, 0));
    expect(kjit_space_shape(space, config, args, 2, &shape), KJIT_ARGUMENT,
           "nothing says the block of twice");
    expect_ok(kjit_space_set(space, "block_size_x", "[32]"));
    expect(kjit_space_shape(space, config, args, 2, &shape), KJIT_ARGUMENT,
           "nothing says the grid of twice");
    expect_ok(kjit_space_set(space, "problem", "a.size / 2"));
    expect(kjit_space_shape(space, config, args, 2, &shape), KJIT_ARGUMENT,
           "a size is a whole number, and this is 1.0");
    expect_ok(kjit_space_set(space, "problem", "max(min(a.size, 10 ** 6), math.ceil(a.size / 3))"));
    expect_ok(kjit_space_shape(space, config, args, 2, &shape));
    assert_int_equal(shape.block[0], 32);
    assert_int_equal(shape.grid[0], 1);
    assert_null(kjit_space_unread_at(space, 0));
    expect(kjit_space_shape(space, (uint32_t[]){ 1 }, args, 2, &shape), KJIT_ARGUMENT,
           "'block_size_x' has 1 values, and 1 is none of them");
    expect(kjit_space_shape(space, config, args, 1, &shape), KJIT_ARGUMENT, "takes 2 arguments");
    kjit_space_close(space);
}

/* The text of a stage of the kernel with one parameter at one value. */
static char *emitted(const char *name, const char *values, const char *stage)
{
    static const char text[] = "@tune(block=1, problem=1)\n@cuda.jit\n"
                               "def sum_up(x, y):\n"
                               "    s = float32(0)\n"
                               "    for i in range(x.shape[0]):\n"
                               "        s += x[i] * x[i] / 3\n"
                               "    y[0] = s\n";
    kjit_emit_options wanted = { .size = sizeof wanted,
                                 .stage = stage,
                                 .facts = "common",
                                 .signature = "(float32[::1], float32[::1])" };
    kjit_space *space = space_of(text);
    kjit_module *module;
    kjit_kernel *kernel;
    char *data;
    size_t length;

    expect_ok(kjit_space_set(space, name, values));
    expect_ok(kjit_space_kernel(space, (uint32_t[]){ 0 }, &module, &kernel));
    expect_ok(kjit_emit(kernel, &wanted, &data, &length));
    kjit_close_module(module);
    kjit_space_close(space);
    return data;
}

static void own_parameters_reach_the_code(void **state)
{
    static const struct {
        const char *name, *values, *stage, *part;
        bool there;
    } cases[] = {
        { "unroll", "[None]", "c", "UNROLL(5)", false },
        { "unroll", "[5]", "c", "UNROLL(5)", true },
        { "unroll", "[5]", "cuda", "_k < 5", true },
        { "unroll", "[1]", "cuda", "#pragma unroll 1", true },
        { "passes", "['none']", "cuda", "_k < ", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = emitted(cases[i].name, cases[i].values, cases[i].stage);
        if (!strstr(text, cases[i].part) == cases[i].there)
            fail_msg("%s=%s: %s", cases[i].name, cases[i].values, text);
        kjit_free(text);
    }
}

static void numbers_of_a_module_are_checked(void **state)
{
    kjit_load_options options = { .size = sizeof options, .unroll = 65 };
    kjit_module *module;

    (void)state;
    expect(kjit_load_source(context, double_text, "t.k", &options, &module), KJIT_ARGUMENT,
           "unroll is 65");
    options = (kjit_load_options){ .size = sizeof options, .max_registers = -1 };
    expect(kjit_load_source(context, double_text, "t.k", &options, &module), KJIT_ARGUMENT,
           "max_registers is -1");
    options = (kjit_load_options){ .size = sizeof options, .compiler_options = "-O2 '-D x" };
    expect(kjit_load_source(context, double_text, "t.k", &options, &module), KJIT_ARGUMENT,
           "a quote or backslash is not closed");
}

static void a_wrong_compiler_option_is_named(void **state)
{
    static const struct {
        const char *options, *named;
    } cases[] = {
        { "-O1 --no-such-option", "'--no-such-option'" },
        { "'-fno such' -O2", "'-fno such'" },
        { "-O2 -c", "cannot be loaded" },
        { "-DKJIT_X=\"a b\" -include /nowhere.h -g", "'-include'" },
    };
    double x[2] = { 1, 2 }, y[2] = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kjit_load_options options = { .size = sizeof options,
                                      .compiler_options = cases[i].options };
        kjit_kernel *kernel = kernel_with(double_text, &options);
        expect(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2), KJIT_ARRAY(x, 2), KJIT_ARRAY(y, 2)),
               KJIT_ARGUMENT, cases[i].named);
    }
}

/* Options that are words of their own, or one with a blank, and are part of the cache's key. */
static void compiler_options_are_not_mistaken_for_others(void **state)
{
    static const char *const options[] = { "-DA -DB", "'-DA -DB'", "-DA", NULL };
    double x[2] = { 1, 2 }, y[2] = { 0 };
    kjit_report report = { .size = sizeof report };

    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        kjit_load_options wanted = { .size = sizeof wanted, .compiler_options = options[i] };
        for (int again = 0; again < 2; again++) {
            kjit_kernel *kernel = kernel_with(double_text, &wanted);
            expect_ok(
                KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2), KJIT_ARRAY(x, 2), KJIT_ARRAY(y, 2)));
            kjit_last_report(&report);
            assert_int_equal(report.compiled, !again);
            assert_true(y[1] == 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_and_values_are_in_order),
        cmocka_unit_test(tunes_own_names_are_told),
        cmocka_unit_test(what_tunes_says_so),
        cmocka_unit_test(restrictions_and_limits_are_checked),
        cmocka_unit_test(shared_arrays_that_do_not_fit_are_seen_in_the_text),
        cmocka_unit_test(shared_arrays_in_branches_not_taken_do_not_count),
        cmocka_unit_test(shapes_follow_and_kernels_have_the_constants),
        cmocka_unit_test(kernels_come_from_the_text_that_was_loaded),
        cmocka_unit_test(what_is_set_is_checked),
        cmocka_unit_test(expressions_without_sense_are_told_where_they_are_asked),
        cmocka_unit_test(conditions_are_pythons),
        cmocka_unit_test(without_tune_the_space_is_empty),
        cmocka_unit_test(own_parameters_reach_the_code),
        cmocka_unit_test(numbers_of_a_module_are_checked),
        cmocka_unit_test(a_wrong_compiler_option_is_named),
        cmocka_unit_test(compiler_options_are_not_mistaken_for_others),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}

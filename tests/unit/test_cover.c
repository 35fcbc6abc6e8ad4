/* Arrays that a launch overwrites whole: when that is so, and that what they held does not show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>

#include "runtime/launch/pack.h"
#include "tests/unit/library.h"
#include "runtime/array/array.h"

enum { MOST_PARAMS = 32 };

/* ---- when ------------------------------------------------------------------------------------ */

static kjit_launch_config config_of(uint32_t blocks, uint32_t threads)
{
    return (kjit_launch_config){ .size = sizeof(kjit_launch_config),
                                 .grid = { blocks, 1, 1 },
                                 .block = { threads, 1, 1 } };
}

/* Whether a launch copies an argument in. */
static bool is_copied_in(kjit_kernel *kernel, kjit_launch_config config, const kjit_arg *args,
                         size_t count, size_t which)
{
    uint32_t transfers[MOST_PARAMS];

    expect_ok(kjit_transfers(kernel, &config, args, count, transfers));
    return transfers[which] & KJIT_COPIED_IN;
}

static void transfers_are_what_a_launch_needs(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[10] = { 0 }, b[10] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 10), KJIT_ARRAY(b, 10) };
    kjit_launch_config config = config_of(2, 5);
    uint32_t transfers[2];

    (void)state;
    expect_ok(kjit_transfers(kernel, &config, args, 2, transfers));
    assert_int_equal(transfers[0], KJIT_COPIED_IN);
    assert_int_equal(transfers[1], KJIT_COPIED_BACK);
    config.grid[0] = 1;
    expect_ok(kjit_transfers(kernel, &config, args, 2, transfers));
    assert_int_equal(transfers[1], KJIT_COPIED_IN | KJIT_COPIED_BACK);
    config.grid[0] = 0;
    expect(kjit_transfers(kernel, &config, args, 2, transfers), KJIT_ARGUMENT, "no blocks");
}

static void too_few_threads_leave_elements(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[64] = { 0 }, b[64];

    (void)state;
    for (int n = 0; n <= 64; n++) {
        kjit_arg args[] = { KJIT_ARRAY(a, 64), KJIT_ARRAY(b, n) };
        assert_int_equal(is_copied_in(kernel, config_of(3, 11), args, 2, 1), n > 33);
    }
}

static void a_guard_of_another_array_must_reach_as_far(void **state)
{
    kjit_kernel *kernel = kernel_of(double_text);
    float a[64] = { 0 }, b[64];

    (void)state;
    for (int n = 1; n <= 64; n++) {
        kjit_arg args[] = { KJIT_ARRAY(a, 40), KJIT_ARRAY(b, n) };
        assert_int_equal(is_copied_in(kernel, config_of(2, 32), args, 2, 1), n > 40);
    }
}

static const char bounded[] = "from numba import cuda\n"
                              "@cuda.jit\n"
                              "def k(out, n):\n"
                              "    i = cuda.grid(1)\n"
                              "    if i < n:\n"
                              "        out[i] = 1\n";

static void a_scalar_counts_as_the_kernel_gets_it(void **state)
{
    kjit_kernel *kernel = kernel_of(bounded);
    float out[10];
    const struct {
        kjit_arg n;
        bool whole;
    } rows[] = {
        { kjit_arg_int64(10), true },
        { kjit_arg_int64(9), false },
        { kjit_arg_int64(INT64_MAX), true },
        { kjit_arg_int64(INT64_MIN), false },
        { kjit_arg_int32(-1), false },
        { kjit_arg_uint8(10), true },
        { kjit_arg_uint64(UINT64_MAX), false },
        { kjit_arg_float64(10), false },
        { kjit_arg_bool(1), false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        kjit_arg args[] = { KJIT_ARRAY(out, 10), rows[i].n };
        assert_int_equal(is_copied_in(kernel, config_of(1, 16), args, 2, 0), !rows[i].whole);
    }
    kjit_arg wide[] = { KJIT_ARRAY(out, 10), kjit_arg_uint8(0) };
    wide[1].as.integer = 256 + 9; /* of which the kernel gets 8 bits */
    assert_true(is_copied_in(kernel, config_of(1, 16), wide, 2, 0));
}

static void a_bound_that_overflows_promises_nothing(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(out, n, m):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < n * m + out.size:\n"
                               "        out[i] = 1\n";
    kjit_kernel *kernel = kernel_of(text);
    float out[10];
    kjit_arg args[] = { KJIT_ARRAY(out, 10), kjit_arg_int64(1), kjit_arg_int64(3) };

    (void)state;
    assert_false(is_copied_in(kernel, config_of(1, 16), args, 3, 0));
    args[1].as.integer = -1;
    assert_true(is_copied_in(kernel, config_of(1, 16), args, 3, 0));
    args[1].as.integer = INT64_MAX;
    args[2].as.integer = 1;
    assert_true(is_copied_in(kernel, config_of(1, 16), args, 3, 0));
    args[2].as.integer = INT64_MAX;
    assert_true(is_copied_in(kernel, config_of(1, 16), args, 3, 0));
}

static void debug_promises_nothing(void **state)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(double_text, &options);
    float a[10] = { 0 }, b[10];
    kjit_arg args[] = { KJIT_ARRAY(a, 10), KJIT_ARRAY(b, 10) };

    (void)state;
    assert_true(is_copied_in(kernel, config_of(1, 16), args, 2, 1));
}

static void device_arrays_are_not_copied(void **state)
{
    float a[10] = { 0 };
    kjit_arg args[] = { KJIT_ARRAY(a, 10), KJIT_ARRAY(a, 10) };
    kjit_launch_config config = config_of(1, 10);
    uint32_t transfers[2];

    (void)state;
    args[0].as.array.flags |= KJIT_ON_DEVICE;
    expect_ok(kjit_transfers(kernel_of(double_text), &config, args, 2, transfers));
    assert_int_equal(transfers[0], 0);
    assert_int_equal(transfers[1], KJIT_COPIED_BACK);
}

/* ---- what it held does not show -------------------------------------------------------------- */

/* A launch that can be repeated: what its arrays held at first. */
typedef struct Trial {
    kjit_kernel *kernel;
    kjit_launch_config config;
    kjit_arg args[MOST_PARAMS];
    size_t count;
    char *before[MOST_PARAMS], *after[MOST_PARAMS];
} Trial;

static size_t trial_bytes(const Trial *trial, size_t i, char **first)
{
    int64_t low = 0, high = 0;

    if (trial->args[i].kind == KJIT_ARG_ARRAY) {
        array_span(&trial->args[i].as.array, &low, &high);
        *first = (char *)trial->args[i].as.array.data + low;
    }
    return (size_t)(high - low);
}

/* Launches with every argument as it was, but those that `poisoned` names full of a byte. */
static void launch_poisoned(Trial *trial, const bool *poisoned, int byte)
{
    for (size_t i = 0; i < trial->count; i++) {
        char *bytes;
        size_t count = trial_bytes(trial, i, &bytes);
        if (count)
            memcpy(bytes, trial->before[i], count);
        if (count && poisoned[i])
            memset(bytes, byte, count);
    }
    expect_ok(kjit_launch(trial->kernel, &trial->config, trial->args, trial->count));
}

static void compare_poisoned(Trial *trial, const bool *poisoned)
{
    launch_poisoned(trial, poisoned, 0x5A);
    for (size_t i = 0; i < trial->count; i++) {
        char *bytes;
        size_t count = trial_bytes(trial, i, &bytes);
        trial->after[i] = malloc(count + 1);
        assert_non_null(trial->after[i]);
        if (count)
            memcpy(trial->after[i], bytes, count);
    }
    launch_poisoned(trial, poisoned, 0xA5);
    for (size_t i = 0; i < trial->count; i++) {
        char *bytes;
        size_t count = trial_bytes(trial, i, &bytes);
        if (count && memcmp(bytes, trial->after[i], count) != 0)
            fail_msg("%s: %s shows what an overwritten array held", kjit_kernel_name(trial->kernel),
                     kjit_param_name(trial->kernel, i));
        free(trial->after[i]);
    }
}

static bool overlaps(const Trial *trial, size_t i)
{
    char *own = NULL, *other = NULL;
    size_t bytes = trial_bytes(trial, i, &own);

    for (size_t k = 0; k < trial->count; k++) {
        size_t others = trial_bytes(trial, k, &other);
        if (k != i && bytes && others && own < other + others && other < own + bytes)
            return true;
    }
    return false;
}

/* The arguments that are claimed to be overwritten whole, and how many. */
static int find_claims(const Trial *trial, bool *claimed)
{
    uint32_t transfers[MOST_PARAMS];
    int claims = 0;

    expect_ok(kjit_transfers(trial->kernel, &trial->config, trial->args, trial->count, transfers));
    for (size_t i = 0; i < trial->count; i++) {
        char *first;
        claimed[i] = transfers[i] == KJIT_COPIED_BACK && trial_bytes(trial, i, &first) &&
                     array_is_dense(&trial->args[i].as.array) && !overlaps(trial, i);
        claims += claimed[i];
    }
    return claims;
}

/* Whether an argument has arrays that a trial does not put back as they were. */
static bool hides_arrays(const kjit_arg *arg)
{
    return arg->kind == KJIT_ARG_TUPLE && arg_arrays(arg) > 0;
}

/* Tries what is claimed of a kernel's example, and counts the claims. */
static int try_example(kjit_kernel *kernel, const kjit_launch_config *grids, int grid_count)
{
    Trial trial = { .kernel = kernel, .count = kjit_param_count(kernel) };
    kjit_values *values;
    bool hidden = false;
    int claims = 0;

    expect_ok(kjit_values_new(&values));
    if (trial.count > MOST_PARAMS || kjit_values_example(values, kernel) != KJIT_OK) {
        kjit_values_close(values);
        return 0;
    }
    for (size_t i = 0; i < trial.count; i++) {
        char *bytes;
        trial.args[i] = *kjit_values_get(values, kjit_param_name(kernel, i));
        hidden = hidden || hides_arrays(&trial.args[i]);
        size_t count = trial_bytes(&trial, i, &bytes);
        trial.before[i] = malloc(count + 1);
        assert_non_null(trial.before[i]);
        if (count)
            memcpy(trial.before[i], bytes, count);
    }
    for (int i = 0; i < (grid_count ? grid_count : 1); i++) {
        bool claimed[MOST_PARAMS];
        trial.config = grid_count ? grids[i] : config_of(1, 32);
        trial.config.size = sizeof trial.config;
        if (!grid_count)
            kjit_example_config(kernel, &trial.config);
        int found = hidden ? 0 : find_claims(&trial, claimed);
        if (found)
            compare_poisoned(&trial, claimed);
        claims += found;
    }
    for (size_t i = 0; i < trial.count; i++)
        free(trial.before[i]);
    kjit_values_close(values);
    return claims;
}

static int try_file(const char *path, const kjit_launch_config *grids, int grid_count)
{
    kjit_module *module;
    int claims = 0;

    expect_ok(kjit_load_file(context, path, NULL, &module));
    for (size_t i = 0; i < kjit_kernel_count(module); i++) {
        kjit_kernel *kernel;
        expect_ok(kjit_get_kernel(module, kjit_kernel_name_at(module, i), &kernel));
        claims += try_example(kernel, grids, grid_count);
    }
    kjit_close_module(module);
    return claims;
}

static int try_files(const char *pattern, const kjit_launch_config *grids, int grid_count)
{
    glob_t found;
    int claims = 0;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        claims += try_file(found.gl_pathv[i], grids, grid_count);
    globfree(&found);
    return claims;
}

static void examples_do_not_show_what_they_overwrite(void **state)
{
    (void)state;
    assert_true(try_files("examples/*.k", NULL, 0) >= 10);
}

enum { SHAPES = 8, ALONG_X = 4 };

/* The first ALONG_X give no element to two threads. */
static void fill_grids(kjit_launch_config grids[SHAPES])
{
    const uint32_t shapes[SHAPES][6] = {
        { 1, 1, 1, 1, 1, 1 },  { 2, 1, 1, 8, 1, 1 }, { 16, 1, 1, 1, 1, 1 }, { 1, 1, 1, 16, 1, 1 },
        { 1, 1, 1, 16, 4, 2 }, { 4, 4, 4, 1, 1, 1 }, { 3, 2, 1, 2, 2, 2 },  { 8, 2, 1, 5, 3, 1 },
    };

    for (int i = 0; i < SHAPES; i++) {
        grids[i] = (kjit_launch_config){ .size = sizeof grids[i] };
        memcpy(grids[i].grid, shapes[i], sizeof grids[i].grid);
        memcpy(grids[i].block, shapes[i] + 3, sizeof grids[i].block);
    }
}

static void no_launch_shows_what_it_overwrites(void **state)
{
    kjit_launch_config grids[SHAPES];

    (void)state;
    fill_grids(grids);
    assert_true(try_files("tests/unit/cover.k", grids, SHAPES) >= 10);
    assert_true(try_files("tests/unit/cover_alone.k", grids, ALONG_X) >= 6);
}

static void what_is_not_overwritten_is_not_claimed(void **state)
{
    (void)state;
    assert_int_equal(try_files("tests/golden/ir/not_overwritten_*.k", NULL, 0), 0);
    assert_true(try_files("tests/golden/ir/overwritten_*.k", NULL, 0) >= 12);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_what_a_launch_needs),
        cmocka_unit_test(too_few_threads_leave_elements),
        cmocka_unit_test(a_guard_of_another_array_must_reach_as_far),
        cmocka_unit_test(a_scalar_counts_as_the_kernel_gets_it),
        cmocka_unit_test(a_bound_that_overflows_promises_nothing),
        cmocka_unit_test(debug_promises_nothing),
        cmocka_unit_test(device_arrays_are_not_copied),
        cmocka_unit_test(examples_do_not_show_what_they_overwrite),
        cmocka_unit_test(no_launch_shows_what_it_overwrites),
        cmocka_unit_test(what_is_not_overwritten_is_not_claimed),
    };

    (void)argc;
    (void)argv;
    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* What is captured on a GPU, and what its replay leaves there and on the processor. Skipped where
** there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <glob.h>

#include "include/kjit_tools.h"

enum { N = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def spread(x, t, out, total):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < out.shape[0]:\n"
                           "        out[i] = x[i] + t[0][i] * t[1]\n"
                           "        cuda.atomic.add(total, 0, out[i])\n"
                           "\n"
                           "@cuda.jit\n"
                           "def far(x, n):\n"
                           "    x[n] = 1\n";

static char folder[64];

static int open_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/kjit-capture-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("KJIT_CAPTURE", folder, 1) != 0;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    unsetenv("KJIT_CAPTURE");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void ok(kjit_status status)
{
    if (status != KJIT_OK)
        fail_msg("%s", kjit_error_message());
}

static kjit_context *open_gpu(void)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };
    kjit_context *context;
    kjit_status status = kjit_open(&options, &context);

    if (status == KJIT_NO_DEVICE)
        skip();
    ok(status);
    return context;
}

static kjit_kernel *load(kjit_context *context, const char *name)
{
    kjit_module *module;
    kjit_kernel *kernel;

    ok(kjit_load_source(context, text, "gpu.k", NULL, &module));
    ok(kjit_get_kernel(module, name, &kernel));
    return kernel;
}

/* The one launch that is captured. */
static kjit_replay *replay_of_one(void)
{
    char pattern[96];
    glob_t found;
    kjit_replay *replay;

    snprintf(pattern, sizeof pattern, "%s/*/launch.txt", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    ok(kjit_replay_open(found.gl_pathv[0], &replay));
    globfree(&found);
    return replay;
}

static const kjit_array *array_of(const kjit_values *values, const char *name)
{
    const kjit_arg *arg = kjit_values_get(values, name);

    assert_non_null(arg);
    assert_int_equal(arg->kind, KJIT_ARG_ARRAY);
    return &arg->as.array;
}

static float number_of(const kjit_array *array, int64_t index)
{
    float number;

    memcpy(&number, (char *)array->data + index * array->strides[0], sizeof number);
    return number;
}

/* Replays the launch on a device: `out` is what was captured, and `total` but for rounding. */
static void expect_same_on(const char *device)
{
    kjit_open_options options = { .size = sizeof options, .device = device, .no_disk_cache = 1 };
    kjit_replay_facts facts = { .size = sizeof facts };
    kjit_replay *replay = replay_of_one();
    kjit_values *before, *after;
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_arg args[4];

    unsetenv("KJIT_CAPTURE");
    kjit_replay_tell(replay, &facts);
    ok(kjit_open(&options, &context));
    ok(kjit_load_file(context, facts.file, NULL, &module));
    ok(kjit_get_kernel(module, facts.kernel, &kernel));
    ok(kjit_values_new(&before));
    ok(kjit_values_new(&after));
    ok(kjit_replay_values(replay, 0, before));
    ok(kjit_replay_values(replay, 1, after));
    for (size_t i = 0; i < 4; i++)
        args[i] = *kjit_values_get(before, kjit_param_name(kernel, i));
    ok(kjit_launch(kernel, &facts.config, args, 4));
    for (int64_t i = 0; i < N; i++)
        assert_true(number_of(array_of(before, "out"), i) == number_of(array_of(after, "out"), i));
    float sum = number_of(array_of(before, "total"), 0);
    float captured = number_of(array_of(after, "total"), 0);
    assert_true(captured > 1000000 && sum > captured - 10 && sum < captured + 10);
    kjit_values_close(before);
    kjit_values_close(after);
    kjit_replay_close(replay);
    kjit_close(context);
    setenv("KJIT_CAPTURE", folder, 1);
}

/* Device arrays, one of them backwards with gaps, one in a tuple; written on a stream just before
** the launch. */
static void a_launch_on_a_stream_is_replayed_everywhere(void **state)
{
    kjit_context *context = open_gpu();
    kjit_launch_config config = { .size = sizeof config, .grid = { 8 }, .block = { 128 } };
    static float host[2 * N], zeros[N];
    kjit_array x, t, out, total;
    const int64_t twice = 2 * N, once = N, one = 1;

    (void)state;
    for (int i = 0; i < 2 * N; i++)
        host[i] = (float)i;
    kjit_array from = kjit_host_array(host, KJIT_DTYPE_FLOAT32, 1, &twice);
    kjit_array part = kjit_host_array(host, KJIT_DTYPE_FLOAT32, 1, &once);
    kjit_array none = kjit_host_array(zeros, KJIT_DTYPE_FLOAT32, 1, &one);
    ok(kjit_stream_new(context, NULL, &config.stream));
    ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, &twice, NULL, &x));
    ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, &once, NULL, &t));
    ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, &once, NULL, &out));
    ok(kjit_array_zero(context, NULL, &out));
    ok(kjit_to_device(context, &none, &total));
    ok(kjit_synchronize(context));
    ok(kjit_copy_on(context, config.stream, &x, &from));
    ok(kjit_copy_on(context, config.stream, &t, &part));
    kjit_array back = x;
    back.data = (float *)x.data + (2 * N - 1);
    back.shape[0] = N;
    back.strides[0] = -8;
    kjit_arg items[] = { kjit_arg_array(t), kjit_arg_float32(2) };
    kjit_arg args[] = { kjit_arg_array(back), kjit_arg_tuple(items, 2), kjit_arg_array(out),
                        kjit_arg_array(total) };
    ok(kjit_launch(load(context, "spread"), &config, args, 4));
    ok(kjit_stream_synchronize(config.stream));
    kjit_array to = kjit_host_array(zeros, KJIT_DTYPE_FLOAT32, 1, &once);
    ok(kjit_copy_to_host(context, &out, &to));
    for (int i = 0; i < N; i++)
        assert_true(zeros[i] == (float)(2 * N - 1));
    kjit_stream_close(config.stream);
    kjit_close(context);
    expect_same_on("cpu");
    expect_same_on("cuda");
}

/* With what was in its arrays: the device cannot be asked any more. */
static void a_launch_that_breaks_the_device_is_kept(void **state)
{
    kjit_context *context = open_gpu();
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    kjit_replay_facts facts = { .size = sizeof facts };
    float host[4] = { 1, 2, 3, 4 };
    const int64_t four = 4;
    kjit_array from = kjit_host_array(host, KJIT_DTYPE_FLOAT32, 1, &four), device;
    kjit_values *before;

    (void)state;
    ok(kjit_to_device(context, &from, &device));
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_int64((int64_t)1 << 30) };
    (void)kjit_launch(load(context, "far"), &config, args, 2);
    assert_int_equal(kjit_synchronize(context), KJIT_BROKEN);
    assert_non_null(strstr(kjit_error_message(), "far"));
    kjit_replay *replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_non_null(facts.failure);
    ok(kjit_values_new(&before));
    ok(kjit_replay_values(replay, 0, before));
    assert_true(number_of(array_of(before, "x"), 2) == 3);
    kjit_values_close(before);
    kjit_replay_close(replay);
    (void)kjit_reset(context);
    kjit_close(context);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_launch_on_a_stream_is_replayed_everywhere),
        TEST(a_launch_that_breaks_the_device_is_kept),
    };

    return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}

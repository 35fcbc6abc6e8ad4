/* Launches captured on a pretended GPU: what is copied off it, and when. They are replayed on the
** processor, which is no pretence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <unistd.h>

#include "include/kjit_tools.h"
#include "tests/unit/cuda.h"

static char folder[] = "/tmp/kjit-capture-XXXXXX";
static float x[N], y[N], out[N];

static int begin(void **state)
{
    (void)state;
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder))
        return -1;
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    setenv("KJIT_CAPTURE", folder, 1);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1000;
        out[i] = -1;
    }
    return 0;
}

static int end(void **state)
{
    char command[128];

    (void)state;
    unsetenv("KJIT_CAPTURE");
    fake_cuda_lazy(false);
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    return system(command);
}

/* The launches that are captured; `path` gets the folder of the last. */
static size_t captured(char path[256])
{
    char pattern[64];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*/launch.txt", folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    size_t count = found.gl_pathc;
    if (path)
        snprintf(path, 256, "%s", found.gl_pathv[count - 1]);
    globfree(&found);
    return count;
}

static kjit_replay *replay_of_one(void)
{
    char path[256];
    kjit_replay *replay;

    assert_int_equal(captured(path), 1);
    expect_ok(kjit_replay_open(path, &replay));
    return replay;
}

static float value_of(const kjit_replay *replay, int after, const char *name, int64_t index)
{
    kjit_values *values;

    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_replay_values(replay, after, values));
    const kjit_arg *arg = kjit_values_get(values, name);
    assert_non_null(arg);
    float value = *(float *)((char *)arg->as.array.data + index * arg->as.array.strides[0]);
    kjit_values_close(values);
    return value;
}

/* Launches the one launch again on the processor: it leaves what the GPU did. */
static void expect_same_on_the_processor(const char *written)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_replay_facts facts = { .size = sizeof facts };
    kjit_replay *replay = replay_of_one();
    kjit_context *context;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_values *values;
    kjit_arg args[8];

    unsetenv("KJIT_CAPTURE");
    expect_ok(kjit_open(&options, &context));
    kjit_replay_tell(replay, &facts);
    assert_string_equal(facts.device, "cuda:0");
    expect_ok(kjit_load_file(context, facts.file, NULL, &module));
    expect_ok(kjit_get_kernel(module, facts.kernel, &kernel));
    expect_ok(kjit_values_new(&values));
    expect_ok(kjit_replay_values(replay, 0, values));
    for (size_t i = 0; i < kjit_param_count(kernel); i++)
        args[i] = *kjit_values_get(values, kjit_param_name(kernel, i));
    expect_ok(kjit_launch(kernel, &facts.config, args, kjit_param_count(kernel)));
    const kjit_array *array = &kjit_values_get(values, written)->as.array;
    for (int64_t i = 0; i < array->shape[0]; i++) {
        float now = *(float *)((char *)array->data + i * array->strides[0]);
        assert_true(now == value_of(replay, 1, written, i));
    }
    kjit_values_close(values);
    kjit_close(context);
    kjit_replay_close(replay);
}

static kjit_array floats(float *data)
{
    return kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });
}

static void host_arrays_are_captured(void **state)
{
    kjit_context *context = open_gpu("cuda");

    (void)state;
    expect_ok(KJIT_CALL(must_load(context, kernels, "add"), KJIT_GRID(2), KJIT_BLOCK(64),
                        KJIT_ARRAY(x, N), KJIT_ARRAY(y, N), KJIT_ARRAY(out, N)));
    close_gpu(context);
    kjit_replay *replay = replay_of_one();
    assert_true(value_of(replay, 0, "out", 7) == -1);
    assert_true(value_of(replay, 1, "out", 7) == 1007);
    kjit_replay_close(replay);
    expect_same_on_the_processor("out");
}

/* Work that is waited for late is done before it is read, and the launch before what it left is. */
static void device_arrays_are_copied_in_the_order_of_the_stream(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;
    kjit_kernel *scale = must_load(context, kernels, "scale");

    (void)state;
    fake_cuda_lazy(true);
    expect_ok(kjit_stream_new(context, NULL, &config.stream));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }, NULL, &device));
    expect_ok(kjit_copy_on(context, config.stream, &device, &host));
    const kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(3) };
    expect_ok(kjit_launch(scale, &config, args, 2));
    expect_ok(kjit_launch(scale, &config, args, 2));
    expect_ok(kjit_stream_synchronize(config.stream));
    kjit_stream_close(config.stream);
    expect_ok(kjit_array_free(context, &device));
    close_gpu(context);
    kjit_replay *replay = replay_of_one();
    assert_true(value_of(replay, 0, "x", 5) == 5);
    assert_true(value_of(replay, 1, "x", 5) == 15);
    kjit_replay_close(replay);
    expect_same_on_the_processor("x");
}

static void prepared_launches_are_captured_once(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;
    kjit_prepared *prepared;

    (void)state;
    expect_ok(kjit_to_device(context, &host, &device));
    const kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(2) };
    expect_ok(kjit_prepare(must_load(context, kernels, "scale"), &config, args, 2, &prepared));
    assert_int_equal(captured(NULL), 0);
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_launch_prepared(prepared));
    kjit_close_prepared(prepared);
    expect_ok(kjit_array_free(context, &device));
    close_gpu(context);
    kjit_replay *replay = replay_of_one();
    assert_true(value_of(replay, 0, "x", 9) == 9 && value_of(replay, 1, "x", 9) == 18);
    kjit_replay_close(replay);
}

static void what_is_recorded_is_left_alone(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;
    kjit_prepared *prepared;
    kjit_graph *graph;
    kjit_kernel *scale = must_load(context, kernels, "scale");

    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &config.stream));
    expect_ok(kjit_to_device(context, &host, &device));
    const kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(2) };
    expect_ok(kjit_prepare(scale, &config, args, 2, &prepared));
    expect_ok(kjit_capture_begin(config.stream));
    expect_ok(kjit_launch(scale, &config, args, 2));
    expect_ok(kjit_launch_prepared(prepared));
    expect_ok(kjit_capture_end(config.stream, &graph));
    expect_ok(kjit_graph_launch(graph, config.stream));
    assert_int_equal(captured(NULL), 0);
    expect_ok(kjit_launch_prepared(prepared));
    assert_int_equal(captured(NULL), 1);
    expect_ok(kjit_stream_synchronize(config.stream));
    kjit_graph_close(graph);
    kjit_close_prepared(prepared);
    kjit_stream_close(config.stream);
    expect_ok(kjit_array_free(context, &device));
    close_gpu(context);
}

static void do_break(const FakeLaunch *launch)
{
    (void)launch;
    fake_cuda_break(700);
}

static void what_breaks_the_device_is_captured(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;
    kjit_replay_facts facts = { .size = sizeof facts };

    (void)state;
    fake_cuda_kernel("scale", do_break);
    expect_ok(kjit_to_device(context, &host, &device));
    const kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(2) };
    (void)kjit_launch(must_load(context, kernels, "scale"), &config, args, 2);
    assert_int_equal(kjit_synchronize(context), KJIT_BROKEN);
    assert_non_null(strstr(kjit_error_message(), "scale"));
    kjit_replay *replay = replay_of_one();
    kjit_replay_tell(replay, &facts);
    assert_non_null(facts.failure);
    assert_true(value_of(replay, 0, "x", 3) == 3);
    kjit_replay_close(replay);
    kjit_close(context);
}

/* Whatever call of the driver fails, capturing or not: the launch fails too, or is done. */
static void failures_of_the_driver_leave_nothing_behind(void **state)
{
    enum { MOST = 400 };
    int n = 1;

    (void)state;
    for (bool failed = true; failed && n < MOST; n++) {
        kjit_context *context = open_gpu("cuda");
        kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
        kjit_array host = floats(x), device;
        kjit_kernel *add = must_load(context, kernels, "add");
        end(NULL);
        expect_ok(kjit_to_device(context, &host, &device));
        const kjit_arg args[] = { kjit_arg_array(device), kjit_arg_array(floats(y)),
                                  kjit_arg_array(floats(out)) };
        fake_cuda_fail(n, 2);
        kjit_status status = kjit_launch(add, &config, args, 3);
        const char *call = fake_cuda_failed();
        /* What a context is not entered for cannot be given back. */
        bool lost = strcmp(call, "cuCtxPushCurrent") == 0;
        failed = *call != '\0';
        fake_cuda_fail(0, 0);
        assert_true(status == KJIT_OK || failed);
        if (status == KJIT_OK)
            assert_true(out[4] == 1004);
        expect_ok(kjit_array_free(context, &device));
        kjit_close(context);
        assert_string_equal(fake_cuda_misuse(), "");
        assert_int_equal(fake_cuda_depth(), 0);
        assert_true(lost || fake_cuda_leaks() == 0);
        begin(NULL);
    }
    assert_true(n < MOST);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(host_arrays_are_captured),
        TEST(device_arrays_are_copied_in_the_order_of_the_stream),
        TEST(prepared_launches_are_captured_once),
        TEST(what_is_recorded_is_left_alone),
        TEST(what_breaks_the_device_is_captured),
        TEST(failures_of_the_driver_leave_nothing_behind),
    };

    int failed = cmocka_run_group_tests_name("capture on a pretended GPU", tests, pretend, NULL);
    rmdir(folder);
    return failed;
}

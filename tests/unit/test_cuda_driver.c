/* The CUDA path on a pretended GPU: what it asks of the driver, and what comes of that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/cuda/driver.h"
#include "tests/unit/cuda.h"

/* The driver's own functions, as other CUDA code of the process would call them. */
#define DRIVER(name, symbol, params) CuResult other_##name params __asm__(symbol);
#include "runtime/cuda/cuda_api.def"

static int begin(void **state)
{
    (void)state;
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    fake_cuda_record(true);
    fake_cuda_events();
    return 0;
}

static float x[N], y[N], out[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1000;
        out[i] = -1;
    }
}

static void check_sums(void)
{
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (float)(1000 + i));
}

static kjit_array floats(float *data)
{
    return kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });
}

static void host_arrays_go_there_and_come_back(void **state)
{
    kjit_context *context = open_gpu("cuda");

    (void)state;
    fill();
    expect_ok(KJIT_CALL(must_load(context, kernels, "add"), KJIT_GRID(2), KJIT_BLOCK(64),
                        KJIT_ARRAY(x, N), KJIT_ARRAY(y, N), KJIT_ARRAY(out, N)));
    check_sums();
    close_gpu(context);
}

static void what_is_only_read_does_not_come_back(void **state)
{
    kjit_context *context = open_gpu("cuda");
    const char *events;

    (void)state;
    fill();
    expect_ok(KJIT_CALL(must_load(context, kernels, "scale"), KJIT_GRID(1), KJIT_BLOCK(128),
                        KJIT_ARRAY(x, N), 2.0f));
    events = fake_cuda_events();
    assert_non_null(strstr(events, "copy_in 400\n"));
    assert_non_null(strstr(events, "copy_out 400\n"));
    expect_ok(KJIT_CALL(must_load(context, kernels, "add"), KJIT_GRID(1), KJIT_BLOCK(128),
                        KJIT_ARRAY(x, N), KJIT_ARRAY(x, N), KJIT_ARRAY(out, N)));
    events = fake_cuda_events();
    const char *back = strstr(events, "copy_out 400\n");
    assert_non_null(back);
    assert_null(strstr(back + 1, "copy_out"));
    assert_true(x[3] == 6 && out[3] == 12);
    close_gpu(context);
}

static void an_array_passed_twice_goes_once(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_report report = { .size = sizeof report };

    (void)state;
    fill();
    expect_ok(KJIT_CALL(must_load(context, kernels, "add"), KJIT_GRID(1), KJIT_BLOCK(128),
                        KJIT_ARRAY(x, N), KJIT_ARRAY(x, N), KJIT_ARRAY(x, N)));
    kjit_last_report(&report);
    assert_int_equal(report.bytes_in, sizeof x);
    assert_int_equal(report.bytes_out, sizeof x);
    assert_true(x[3] == 6);
    close_gpu(context);
}

/* Through page-locked memory, whose every chunk is used several times. */
static void large_arrays_arrive_whole(void **state)
{
    enum { COUNT = 20000000 };
    float *large = malloc(COUNT * sizeof *large);
    kjit_context *context = open_gpu("cuda");

    (void)state;
    assert_non_null(large);
    for (int i = 0; i < COUNT; i++)
        large[i] = (float)(i & 0xfffff);
    expect_ok(KJIT_CALL(must_load(context, kernels, "scale"), KJIT_GRID(COUNT / 256),
                        KJIT_BLOCK(256), KJIT_ARRAY(large, COUNT), 2.0f));
    for (int i = 0; i < COUNT; i++) {
        if (large[i] != (float)(2 * (i & 0xfffff)))
            fail_msg("element %d is %g", i, (double)large[i]);
    }
    free(large);
    close_gpu(context);
}

static void device_arrays_stay_where_they_are(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;

    (void)state;
    fill();
    expect_ok(kjit_to_device(context, &host, &device));
    fake_cuda_events();
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(3) };
    expect_ok(kjit_launch(scale, &config, args, 2));
    assert_null(strstr(fake_cuda_events(), "copy"));
    expect_ok(kjit_copy_to_host(context, &device, &host));
    assert_true(x[5] == 15);
    kjit_array_free(context, &device);
    close_gpu(context);
}

static void a_prepared_launch_is_one_call(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_array host = floats(x), device;
    kjit_prepared *prepared;

    (void)state;
    fill();
    expect_ok(kjit_to_device(context, &host, &device));
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_float32(2) };
    expect_ok(kjit_prepare(scale, &config, args, 2, &prepared));
    fake_cuda_events();
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_launch_prepared(prepared));
    assert_string_equal(fake_cuda_events(), "launch scale 1x1x1 128x1x1\n"
                                            "launch scale 1x1x1 128x1x1\n"
                                            "launch scale 1x1x1 128x1x1\n");
    kjit_close_prepared(prepared);
    expect_ok(kjit_copy_to_host(context, &device, &host));
    assert_true(x[5] == 40);
    kjit_array_free(context, &device);
    close_gpu(context);
}

static void forall_asks_the_driver(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_launch_config config = { .size = sizeof config };
    kjit_arg args[] = { KJIT_ARRAY(x, N), kjit_arg_float32(2) };

    (void)state;
    expect_ok(kjit_forall(must_load(context, kernels, "scale"), args, 2, 1000, &config));
    assert_int_equal(config.block[0], 256);
    assert_int_equal(config.grid[0], 4);
    close_gpu(context);
}

static void arrays_left_open_go_with_their_context(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_array host = floats(x), device;

    (void)state;
    for (int i = 0; i < 3; i++)
        expect_ok(kjit_to_device(context, &host, &device));
    close_gpu(context);
}

/* Every kind of parameter at once, as codegen.h lists them. */
static void do_kinds(const FakeLaunch *launch)
{
    double *result = PARAM(launch, 0, double *);
    const struct {
        int8_t small;
        double large;
        const int32_t *data;
        int64_t shape[1], strides[1];
    } *tuple = launch->params[7];
    const int16_t *strided = PARAM(launch, 2, const int16_t *);

    assert_int_equal(launch->param_count, 9);
    assert_int_equal(PARAM(launch, 3, int64_t), 2); /* extents */
    assert_int_equal(PARAM(launch, 4, int64_t), 3);
    assert_int_equal(PARAM(launch, 5, int64_t), 12); /* strides */
    assert_int_equal(PARAM(launch, 6, int64_t), 4);
    result[0] = strided[2 * 6 / 2 + 2] + tuple->small + tuple->large + tuple->data[1] +
                PARAM(launch, 8, bool);
}

static void every_kind_of_parameter_arrives(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def kinds(out, a, t, flag):\n"
                               "    out[0] = a[1, 1] + t[0] + t[1] + t[2][1] + flag\n";
    kjit_context *context = open_gpu("cuda");
    int16_t grid[2][6];
    int32_t list[2] = { 0, 1000 };
    double result[1] = { 0 };
    kjit_array view = {
        .data = grid, .dtype = KJIT_DTYPE_INT16, .rank = 2, .shape = { 2, 3 }, .strides = { 12, 4 }
    };

    (void)state;
    for (int i = 0; i < 12; i++)
        grid[i / 6][i % 6] = (int16_t)i;
    fake_cuda_kernel("kinds", do_kinds);
    expect_ok(KJIT_CALL(
        must_load(context, text, "kinds"), KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(result, 1), view,
        KJIT_TUPLE(kjit_arg_int8(100), 10000.5, KJIT_CONST_ARRAY(list, 2)), kjit_arg_bool(1)));
    assert_true(result[0] == 8 + 100 + 10000.5 + 1000 + 1);
    close_gpu(context);
}

/* A kernel that uses too many registers for a block is compiled once more for larger ones. */
static void larger_blocks_are_compiled_for(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");

    (void)state;
    fake_cuda_most_threads("scale", 512);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(256), KJIT_ARRAY(x, N), 1.0f));
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(1024), KJIT_ARRAY(x, N), 1.0f));
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(768), KJIT_ARRAY(x, N), 1.0f));
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 2);
    fake_cuda_most_threads("scale", 0);
    close_gpu(context);
}

static void shared_memory_is_asked_for(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def dynamic(a):\n"
                               "    s = cuda.shared.array(0, float32)\n"
                               "    s[0] = a[0]\n"
                               "    a[0] = s[0]\n";
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *kernel = must_load(context, text, NULL);
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    kjit_arg args[] = { KJIT_ARRAY(x, N) };

    (void)state;
    config.shared_bytes = 48 << 10;
    expect_ok(kjit_launch(kernel, &config, args, 1));
    config.shared_bytes = 200 << 10;
    expect_ok(kjit_launch(kernel, &config, args, 1));
    config.shared_bytes = 100 << 10;
    expect_ok(kjit_launch(kernel, &config, args, 1));
    config.shared_bytes = 228 << 10;
    expect(kjit_launch(kernel, &config, args, 1), KJIT_ARGUMENT, "shared memory");
    close_gpu(context);
}

static void a_grid_that_waits_must_fit(void **state)
{
    static const char text[] = "@cuda.jit\n"
                               "def waits(a):\n"
                               "    cuda.cg.this_grid().sync()\n"
                               "    a[0] = 1\n";
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *kernel = must_load(context, text, NULL);

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(132), KJIT_BLOCK(1024), KJIT_ARRAY(x, N)));
    assert_non_null(strstr(fake_cuda_events(), "launch waits 132x1x1 1024x1x1 together\n"));
    expect(KJIT_CALL(kernel, KJIT_GRID(265), KJIT_BLOCK(1024), KJIT_ARRAY(x, N)), KJIT_LAUNCH,
           "265 blocks of 1024 threads do not run at once");
    if (!strstr(kjit_error_message(), "runs 264"))
        fail_msg("%s", kjit_error_message());
    close_gpu(context);
}

static void a_full_gpu_leaves_everything_usable(void **state)
{
    static float large[1 << 20];
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");

    (void)state;
    fill();
    fake_cuda_capacity(0, 1 << 20);
    expect(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(large, 1 << 20), 2.0f),
           KJIT_MEMORY, "GPU");
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f));
    assert_true(x[5] == 10);
    fake_cuda_capacity(0, (size_t)141 << 30);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(large, 1 << 20), 2.0f));
    close_gpu(context);
}

/* What is kept for later is given up before a launch is refused. */
static void memory_kept_for_later_makes_room(void **state)
{
    static float half[150000], whole[240000];
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");

    (void)state;
    fake_cuda_capacity(0, 1 << 20);
    for (int i = 0; i < 3; i++) {
        expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(half, 150000), 2.0f));
        expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(whole, 240000), 2.0f));
    }
    close_gpu(context);
    fake_cuda_capacity(0, (size_t)141 << 30);
}

static void every_gpu_has_its_own_context(void **state)
{
    kjit_context *first = open_gpu("cuda:0"), *second = open_gpu("cuda:1"), *third;
    kjit_open_options options = { .size = sizeof options, .device = "cuda:2" };
    kjit_array host = floats(x), device;

    (void)state;
    fill();
    assert_string_equal(kjit_device_name(second), "cuda:1");
    assert_string_equal(kjit_device_model(second), "Pretended GPU 1");
    expect_ok(kjit_to_device(second, &host, &device));
    assert_int_equal(fake_cuda_bytes(0), 0);
    assert_true(fake_cuda_bytes(1) >= sizeof x);
    expect_ok(KJIT_CALL(must_load(first, kernels, "scale"), KJIT_GRID(1), KJIT_BLOCK(128),
                        KJIT_ARRAY(x, N), 2.0f));
    assert_true(x[5] == 10);
    expect(kjit_open(&options, &third), KJIT_NO_DEVICE, "this machine has 2 GPUs");
    kjit_close(first);
    assert_int_equal(fake_cuda_bytes(0), 0);
    expect_ok(kjit_copy_to_host(second, &device, &host));
    assert_true(x[5] == 5);
    close_gpu(second);
}

/* Other CUDA code of the process finds its context current, and its memory there. */
static void the_primary_context_is_shared_politely(void **state)
{
    CuContext own, current;
    CuPointer memory;
    kjit_context *context = open_gpu("cuda:0");

    (void)state;
    fill();
    assert_int_equal(other_primary_retain(&own, 1), CU_OK);
    assert_int_equal(other_context_push(own), CU_OK);
    expect_ok(KJIT_CALL(must_load(context, kernels, "add"), KJIT_GRID(2), KJIT_BLOCK(64),
                        KJIT_ARRAY(x, N), KJIT_ARRAY(y, N), KJIT_ARRAY(out, N)));
    check_sums();
    assert_int_equal(other_context_current(&current), CU_OK);
    assert_ptr_equal(current, own);
    assert_int_equal(fake_cuda_depth(), 1);
    assert_int_equal(other_context_pop(&current), CU_OK);
    assert_int_equal(other_primary_release(1), CU_OK);

    assert_int_equal(other_primary_retain(&own, 0), CU_OK);
    assert_int_equal(other_context_push(own), CU_OK);
    assert_int_equal(other_mem_alloc(&memory, 100), CU_OK);
    expect_ok(kjit_synchronize(context));
    kjit_close(context);
    assert_int_equal(other_mem_free(memory), CU_OK);
    assert_int_equal(other_context_pop(&current), CU_OK);
    assert_int_equal(other_primary_release(0), CU_OK);
    assert_string_equal(fake_cuda_misuse(), "");
    assert_int_equal(fake_cuda_leaks(), 0);
}

static void a_loaded_kernel_goes_with_its_module(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_module *module;
    kjit_kernel *scale;

    (void)state;
    expect_ok(kjit_load_source(context, kernels, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, "scale", &scale));
    expect_ok(KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f));
    fake_cuda_events();
    kjit_close_module(module);
    assert_non_null(strstr(fake_cuda_events(), "unload scale\n"));
    close_gpu(context);
}

/* ---- faults --------------------------------------------------------------------------- */

static kjit_context *waited_for; /* meanwhile, if it is not NULL */

static void do_break(const FakeLaunch *launch)
{
    (void)launch;
    if (waited_for)
        expect_ok(kjit_synchronize(waited_for));
    fake_cuda_break(700);
}

static void launch_and_break(kjit_context *context)
{
    kjit_kernel *add = must_load(context, kernels, "add");

    expect_ok(KJIT_CALL(add, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                        KJIT_ARRAY(out, N)));
    fake_cuda_kernel("scale", do_break);
    expect(KJIT_CALL(must_load(context, kernels, "scale"), KJIT_GRID(1), KJIT_BLOCK(64),
                     KJIT_ARRAY(x, N), 2.0f),
           KJIT_BROKEN, "error: scale(float32[::1], float32) reached outside of its arrays: CUDA");
}

static void a_fault_names_its_kernel(void **state)
{
    kjit_context *context = open_gpu("cuda");

    (void)state;
    launch_and_break(context);
    close_gpu(context);
}

/* As another thread may, between the launch and its fault. */
static void a_fault_names_its_kernel_whoever_waited(void **state)
{
    (void)state;
    waited_for = open_gpu("cuda");
    launch_and_break(waited_for);
    close_gpu(waited_for);
    waited_for = NULL;
}

/* Without a call of the driver's. */
static void a_broken_gpu_repeats_the_first_cause(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_array host = floats(x), device;
    kjit_stream *stream;

    (void)state;
    launch_and_break(context);
    long calls = fake_cuda_calls(NULL);
    expect(kjit_synchronize(context), KJIT_BROKEN, "error: scale(float32[::1], float32) reached");
    expect(kjit_to_device(context, &host, &device), KJIT_BROKEN, "error: scale(");
    expect(kjit_stream_new(context, NULL, &stream), KJIT_BROKEN, "error: scale(");
    assert_null(device.data);
    assert_null(stream);
    assert_int_equal(fake_cuda_calls(NULL), calls);
    expect_ok(kjit_reset(context));
    fake_cuda_kernel("scale", do_scale);
    expect_ok(kjit_to_device(context, &host, &device));
    expect_ok(kjit_array_free(context, &device));
    close_gpu(context);
}

/* Drivers may insist on a new process. */
static void a_driver_may_keep_a_broken_gpu(void **state)
{
    kjit_context *context = open_gpu("cuda:0"), *other = open_gpu("cuda:1"), *again;
    kjit_open_options options = { .size = sizeof options, .device = "cuda:0" };

    (void)state;
    fake_cuda_keep_broken(true);
    launch_and_break(context);
    for (int i = 0; i < 2; i++)
        expect(kjit_reset(context), KJIT_BROKEN, "does not give cuda:0 back to this process");
    expect(kjit_synchronize(context), KJIT_BROKEN, "error: scale(");
    assert_int_not_equal(kjit_open(&options, &again), KJIT_OK);
    expect_ok(kjit_synchronize(other));
    kjit_close(context);
    fake_cuda_keep_broken(false);
    close_gpu(other);
}

/* What a child says of its parent's context; it asks nothing of the driver. */
static int child_status(kjit_context *context, kjit_kernel *scale)
{
    long calls = fake_cuda_calls(NULL);
    kjit_context *own;
    kjit_open_options options = { .size = sizeof options, .device = "cuda" };
    bool refused =
        kjit_synchronize(context) != KJIT_OK && strstr(kjit_error_message(), "forked") &&
        KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f) != KJIT_OK &&
        strstr(kjit_error_message(), "forked") && kjit_open(&options, &own) != KJIT_OK &&
        strstr(kjit_error_message(), "forked");

    kjit_close(context);
    return refused && fake_cuda_calls(NULL) == calls ? 0 : 1;
}

static void a_forked_child_is_refused(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *scale = must_load(context, kernels, "scale");
    int status = -1;

    (void)state;
    fill();
    expect_ok(KJIT_CALL(scale, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(child_status(context, scale));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_ok(KJIT_CALL(scale, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f));
    assert_true(x[5] == 20);
    close_gpu(context);
}

static int begin_late(void **state)
{
    fake_cuda_lazy(true);
    return begin(state);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(host_arrays_go_there_and_come_back),
        TEST(what_is_only_read_does_not_come_back),
        TEST(an_array_passed_twice_goes_once),
        TEST(large_arrays_arrive_whole),
        { "large_arrays_arrive_whole_late", large_arrays_arrive_whole, begin_late, end_late, NULL },
        TEST(device_arrays_stay_where_they_are),
        TEST(a_prepared_launch_is_one_call),
        TEST(forall_asks_the_driver),
        TEST(arrays_left_open_go_with_their_context),
        TEST(every_kind_of_parameter_arrives),
        TEST(larger_blocks_are_compiled_for),
        TEST(shared_memory_is_asked_for),
        TEST(a_grid_that_waits_must_fit),
        TEST(a_full_gpu_leaves_everything_usable),
        TEST(memory_kept_for_later_makes_room),
        TEST(every_gpu_has_its_own_context),
        TEST(the_primary_context_is_shared_politely),
        TEST(a_loaded_kernel_goes_with_its_module),
        TEST(a_fault_names_its_kernel),
        TEST(a_fault_names_its_kernel_whoever_waited),
        TEST(a_broken_gpu_repeats_the_first_cause),
        TEST(a_driver_may_keep_a_broken_gpu),
        TEST(a_forked_child_is_refused),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}

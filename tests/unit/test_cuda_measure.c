/* Launches that are timed on a pretended GPU, whose clock ticks once an event: what is between the
** events, and what becomes of calls that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/measure/measure.h"
#include "tests/unit/cuda.h"

static float x[N], y[N], out[N];
static const kjit_launch_config config = { .size = sizeof config,
                                           .grid = { 2, 1, 1 },
                                           .block = { 64, 1, 1 } };

static int begin(void **state)
{
    (void)state;
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1000;
    }
    return 0;
}

static kjit_arg floats(float *data)
{
    return kjit_arg_array(kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }));
}

static kjit_status time_add(kjit_context *context, const MeasureOptions *options, Timing *timing)
{
    const kjit_arg args[] = { floats(x), floats(y), floats(out) };
    kjit_kernel *kernel = must_load(context, kernels, "add");
    DeviceArgs *copies;
    kjit_status status = device_args_new(context, args, 3, &copies);

    *timing = (Timing){ 0 };
    if (status == KJIT_OK)
        status = measure_launches(context, kernel, &config, device_args_list(copies), 3, options,
                                  timing);
    device_args_free(copies);
    return status;
}

static void a_sample_is_what_lies_between_two_events(void **state)
{
    const MeasureOptions options = { .warm_up = 2, .least = 20, .most = 20 };
    kjit_context *context = open_gpu("cuda");
    Timing timing;

    (void)state;
    expect_ok(time_add(context, &options, &timing));
    assert_int_equal(timing.count, 20);
    assert_int_equal(timing.batch, 1); /* a tick is a millisecond, which is long enough */
    assert_true(timing.median == 1 && timing.low == 1 && timing.high == 1);
    assert_int_equal(fake_cuda_launches("add"), 2 + 1 + 20);
    timing_free(&timing);
    close_gpu(context);
}

static void caches_are_emptied_and_arrays_restored_before_each_launch(void **state)
{
    const kjit_arg args[] = { floats(x), kjit_arg_float32(2) };
    MeasureOptions options = { .least = 5, .most = 5, .cold = true };
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *kernel = must_load(context, kernels, "scale");
    DeviceArgs *copies;
    Timing timing;
    float now[N];

    (void)state;
    expect_ok(device_args_new(context, args, 2, &copies));
    expect_ok(device_args_keep(copies, NULL));
    options.restore = copies;
    long before = fake_cuda_calls("cuMemsetD8Async"), launches = fake_cuda_launches("scale");
    expect_ok(
        measure_launches(context, kernel, &config, device_args_list(copies), 2, &options, &timing));
    launches = fake_cuda_launches("scale") - launches;
    assert_int_equal(launches, 1 + 1 + 5);
    assert_true(fake_cuda_calls("cuMemsetD8Async") - before >= launches);
    const kjit_arg fetched = floats(now);
    expect_ok(kjit_copy(context, &fetched.as.array, &device_args_list(copies)[0].as.array));
    assert_true(now[7] == 14);
    assert_true(x[7] == 7);
    timing_free(&timing);
    device_args_free(copies);
    close_gpu(context);
}

/* A tick between events is a millisecond, so what is known to be long is. */
static void launches_that_are_known_need_no_warm_up(void **state)
{
    const MeasureOptions options = { .warm_up = 3, .least = 7, .narrow = 0.01, .known_ms = 3 };
    kjit_context *context = open_gpu("cuda");
    Timing timing;

    (void)state;
    long before = fake_cuda_launches("add");
    expect_ok(time_add(context, &options, &timing));
    assert_int_equal(timing.count, 7);
    assert_int_equal(timing.launches, 7);
    assert_int_equal(fake_cuda_launches("add") - before, 7);
    assert_false(timing.gave_up);
    timing_free(&timing);
    close_gpu(context);
}

/* One more shows whether it was chance; what is slower by far needs no third. */
static void what_is_known_to_be_hopeless_is_soon_given_up(void **state)
{
    static const struct {
        double above;
        size_t launches;
        bool gave_up;
    } cases[] = { { 0.1, 1, true }, { 0.9, 2, true }, { 1.1, 7, false } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        MeasureOptions options = {
            .least = 7, .narrow = 0.01, .stop_above_ms = cases[i].above, .known_ms = 3
        };
        kjit_context *context = open_gpu("cuda");
        Timing timing;
        expect_ok(time_add(context, &options, &timing));
        assert_int_equal(timing.launches, cases[i].launches);
        assert_int_equal(timing.gave_up, cases[i].gave_up);
        assert_true(timing.median == 1);
        timing_free(&timing);
        close_gpu(context);
    }
}

/* Work that runs only when it is waited for: then no wait may be for the host. */
static void a_lazy_device_is_timed_too(void **state)
{
    const MeasureOptions options = { .least = 3, .most = 3 };
    kjit_context *context = open_gpu("cuda");
    Timing timing;

    (void)state;
    fake_cuda_lazy(true);
    expect_ok(time_add(context, &options, &timing));
    fake_cuda_lazy(false);
    assert_int_equal(timing.count, 3);
    timing_free(&timing);
    close_gpu(context);
}

/* Every call in turn; what was begun is given back. */
static void a_call_that_fails_is_told_and_leaves_nothing(void **state)
{
    const MeasureOptions options = { .least = 3, .most = 3 };
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        kjit_context *context = open_gpu("cuda");
        Timing timing;
        fake_cuda_fail(n, 999);
        kjit_status status = time_add(context, &options, &timing);
        failed = *fake_cuda_failed() != '\0';
        fake_cuda_fail(0, 0);
        if (!failed)
            expect_ok(status);
        else if (status != KJIT_OK)
            assert_non_null(strstr(kjit_error_message(), "CUDA_ERROR_UNKNOWN"));
        timing_free(&timing);
        kjit_close(context);
        assert_string_equal(fake_cuda_misuse(), "");
        assert_int_equal(fake_cuda_depth(), 0);
    }
}

static void caches_that_cannot_be_emptied_are_told_of(void **state)
{
    const MeasureOptions options = { .least = 3, .most = 3, .cold = true };
    kjit_context *context = open_gpu("cuda");
    Timing timing;

    (void)state;
    for (long n = 1; n <= 3; n++) {
        fake_cuda_fail_at("cuMemsetD8Async", n, 999);
        expect(time_add(context, &options, &timing), KJIT_LAUNCH, "CUDA_ERROR_UNKNOWN");
        timing_free(&timing);
    }
    fake_cuda_capacity(0, 64 << 20);
    expect(time_add(context, &options, &timing), KJIT_MEMORY, "has no room for 125829120");
    fake_cuda_capacity(0, (size_t)141 << 30);
    timing_free(&timing);
    close_gpu(context);
}

static void what_the_driver_tells_of_the_gpu_is_told(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_device_info info = { .size = sizeof info };

    (void)state;
    expect_ok(kjit_device_facts(context, &info));
    assert_string_equal(info.arch, "sm_90");
    assert_string_equal(info.driver, "CUDA 13.0");
    assert_int_equal(info.processors, 132);
    assert_int_equal(info.warp, 32);
    assert_int_equal(info.block_threads, 1024);
    assert_int_equal(info.max_block[2], 64);
    assert_int_equal(info.max_grid[1], 65535);
    assert_int_equal(info.resident_threads, 2048);
    assert_int_equal(info.resident_blocks, 32);
    assert_int_equal(info.block_registers, 65536);
    assert_int_equal(info.l2_bytes, 62914560);
    assert_int_equal(info.memory_bytes, (int64_t)141 << 30);
    assert_int_equal(info.clock_khz, 1980000);
    assert_int_equal(info.memory_clock_khz, 3201000);
    assert_int_equal(info.memory_bus_bits, 6144);
    close_gpu(context);
}

static void what_the_driver_does_not_tell_is_not_known(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_device_info info = { .size = sizeof info };

    (void)state;
    fake_cuda_fail_at("cuDeviceGetAttribute", 1, 1);
    expect_ok(kjit_device_facts(context, &info));
    assert_int_equal(info.processors, -1);
    assert_int_equal(info.warp, 32);
    fake_cuda_fail_at("cuMemGetInfo", 1, 999);
    expect(kjit_device_facts(context, &info), KJIT_LAUNCH, "CUDA_ERROR_UNKNOWN");
    close_gpu(context);
}

/* What branches go by is fetched from the device; nothing is launched there. */
static void what_a_launch_does_is_counted_on_the_host(void **state)
{
    const kjit_arg args[] = { floats(x), floats(out) };
    kjit_work work = { .size = sizeof work };
    kjit_context *context = open_gpu("cuda");
    kjit_kernel *kernel = must_load(context,
                                    "@cuda.jit\n"
                                    "def f(x, out):\n"
                                    "    i = cuda.grid(1)\n"
                                    "    if i < x.size and x[i] < 10:\n"
                                    "        out[i] = x[i] * x[i]\n",
                                    "f");
    DeviceArgs *copies;

    (void)state;
    expect_ok(device_args_new(context, args, 2, &copies));
    expect_ok(kjit_count_work(kernel, &config, device_args_list(copies), 2, &work));
    assert_int_equal(work.float32_ops, 10);
    assert_int_equal(work.load_bytes, 400 + 80);
    assert_int_equal(work.store_bytes, 40);
    assert_int_equal(fake_cuda_launches("f"), 0);
    fake_cuda_fail_at("cuMemcpyDtoHAsync", 1, 999);
    expect(kjit_count_work(kernel, &config, device_args_list(copies), 2, &work), KJIT_LAUNCH,
           "CUDA_ERROR_UNKNOWN");
    device_args_free(copies);
    close_gpu(context);
}

static kjit_sensors read_sensors(const char *fail, const char *reasons)
{
    kjit_context *context = open_gpu("cuda:1");
    kjit_sensors sensors = { .size = sizeof sensors };

    setenv("FAKE_NVML_FAIL", fail, 1);
    setenv("FAKE_NVML_REASONS", reasons, 1);
    expect_ok(kjit_device_sensors(context, &sensors));
    close_gpu(context);
    return sensors;
}

static void sensors_are_read(void **state)
{
    kjit_sensors sensors = read_sensors("", "0");

    (void)state;
    assert_string_equal(sensors.why_not, "");
    assert_string_equal(sensors.driver, "580.00");
    assert_int_equal(sensors.clock_mhz, 1980);
    assert_int_equal(sensors.memory_clock_mhz, 3201);
    assert_int_equal(sensors.throttled, 0);
    assert_string_equal(sensors.throttle, "");
    assert_int_equal(sensors.celsius, 41);
    assert_int_equal(sensors.milliwatts, 350500);
    int64_t before = sensors.millijoules;
    assert_true(before > 0);
    assert_int_equal(read_sensors("", "0").millijoules, before + 1000);
}

static void reasons_are_words(void **state)
{
    (void)state;
    assert_string_equal(read_sensors("", "1").throttle, "idle");
    assert_int_equal(read_sensors("", "1").throttled, 0);
    assert_string_equal(read_sensors("", "24").throttle, "power cap, heat");
    assert_int_equal(read_sensors("", "24").throttled, 1);
    kjit_sensors all = read_sensors("", "fff");
    assert_true(strlen(all.throttle) < sizeof all.throttle);
    assert_non_null(strstr(all.throttle, "power brake"));
}

static void what_cannot_be_read_is_not_known(void **state)
{
    (void)state;
    assert_int_equal(read_sensors("nvmlDeviceGetClockInfo:3", "0").clock_mhz, -1);
    assert_int_equal(read_sensors("nvmlDeviceGetClockInfo:3", "0").celsius, 41);
    assert_int_equal(read_sensors("nvmlDeviceGetCurrentClocksThrottleReasons:3", "4").throttled,
                     -1);
    assert_int_equal(read_sensors("nvmlDeviceGetTemperature:3", "0").celsius, -1);
    assert_int_equal(read_sensors("nvmlDeviceGetPowerUsage:3", "0").milliwatts, -1);
    assert_int_equal(read_sensors("nvmlDeviceGetTotalEnergyConsumption:3", "0").millijoules, -1);
    assert_string_equal(read_sensors("nvmlSystemGetDriverVersion:3", "0").driver, "");
    kjit_sensors none = read_sensors("nvmlDeviceGetHandleByPciBusId:6", "0");
    assert_non_null(strstr(none.why_not, "does not know the GPU at 0000:01:00.0"));
    assert_int_equal(none.clock_mhz, -1);
    fake_cuda_fail_at("cuDeviceGetPCIBusId", 1, 999);
    assert_non_null(strstr(read_sensors("", "0").why_not, "CUDA_ERROR_UNKNOWN"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_sample_is_what_lies_between_two_events, begin),
        cmocka_unit_test_setup(caches_are_emptied_and_arrays_restored_before_each_launch, begin),
        cmocka_unit_test_setup(a_lazy_device_is_timed_too, begin),
        cmocka_unit_test_setup(launches_that_are_known_need_no_warm_up, begin),
        cmocka_unit_test_setup(what_is_known_to_be_hopeless_is_soon_given_up, begin),
        cmocka_unit_test_setup(a_call_that_fails_is_told_and_leaves_nothing, begin),
        cmocka_unit_test_setup(caches_that_cannot_be_emptied_are_told_of, begin),
        cmocka_unit_test_setup(what_the_driver_tells_of_the_gpu_is_told, begin),
        cmocka_unit_test_setup(what_the_driver_does_not_tell_is_not_known, begin),
        cmocka_unit_test_setup(what_a_launch_does_is_counted_on_the_host, begin),
        cmocka_unit_test_setup(sensors_are_read, begin),
        cmocka_unit_test_setup(reasons_are_words, begin),
        cmocka_unit_test_setup(what_cannot_be_read_is_not_known, begin),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}

/* Streams of a pretended GPU that record graphs, or that have work left; what a reset takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/cuda.h"

static kjit_context *context;
static kjit_stream *stream, *other;
static kjit_event *event;
static kjit_array device, host;
static float numbers[N];

static int open_each(void **state)
{
    (void)state;
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    for (int i = 0; i < N; i++)
        numbers[i] = (float)i;
    host = kjit_host_array(numbers, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });
    context = open_gpu("cuda");
    expect_ok(kjit_stream_new(context, NULL, &stream));
    expect_ok(kjit_stream_new(context, NULL, &other));
    expect_ok(kjit_event_new(context, 1, &event));
    expect_ok(kjit_to_device(context, &host, &device));
    return 0;
}

static int open_each_late(void **state)
{
    fake_cuda_lazy(true);
    return open_each(state);
}

static int close_each(void **state)
{
    (void)state;
    expect_ok(kjit_array_free(context, &device));
    kjit_event_close(event);
    kjit_stream_close(stream);
    kjit_stream_close(other);
    close_gpu(context);
    fake_cuda_lazy(false);
    return 0;
}

static float first_but_one(void)
{
    float back[N];
    kjit_array array = kjit_host_array(back, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });

    expect_ok(kjit_copy_to_host(context, &device, &array));
    return back[1];
}

/* The kernel that triples the array on a stream. */
static kjit_launch_config on(kjit_stream *where)
{
    return (kjit_launch_config){
        .size = sizeof(kjit_launch_config), .grid = { 2 }, .block = { 64 }, .stream = where
    };
}

static kjit_kernel *scale_with(int debug)
{
    kjit_load_options options = { .size = sizeof options, .debug = debug };
    kjit_module *module;
    kjit_kernel *scale;

    expect_ok(kjit_load_source(context, kernels, "t.k", &options, &module));
    expect_ok(kjit_get_kernel(module, "scale", &scale));
    return scale;
}

static kjit_status triple(kjit_kernel *scale, kjit_stream *where, kjit_array array)
{
    kjit_launch_config config = on(where);

    return kjit_launch(scale, &config, (kjit_arg[]){ kjit_arg_array(array), kjit_arg_float32(3) },
                       2);
}

static kjit_prepared *prepare(kjit_kernel *scale, kjit_stream *where)
{
    kjit_launch_config config = on(where);
    kjit_prepared *prepared;

    expect_ok(kjit_prepare(
        scale, &config, (kjit_arg[]){ kjit_arg_array(device), kjit_arg_float32(3) }, 2, &prepared));
    return prepared;
}

/* ---- recording ------------------------------------------------------------------------ */

static void a_stream_that_joined_records_as_the_first(void **state)
{
    kjit_array_options options = { .size = sizeof options, .stream = other };
    kjit_kernel *scale = scale_with(0), *checked = scale_with(1);
    kjit_array array;
    kjit_graph *graph;
    int done;

    (void)state;
    expect_ok(kjit_capture_begin(stream));
    expect_ok(kjit_event_record(event, stream));
    expect_ok(kjit_event_wait(event, other));
    expect(kjit_capture_begin(other), KJIT_ARGUMENT, "recording a graph already");
    expect_ok(triple(scale, other, device));
    expect(triple(scale, other, host), KJIT_ARGUMENT, "'x' is a host array");
    expect(triple(checked, other, device), KJIT_ARGUMENT, "loaded for debug");
    expect(kjit_array_zero(context, other, &host), KJIT_ARGUMENT, "setting a host array to 0");
    expect(kjit_stream_synchronize(other), KJIT_ARGUMENT, "waiting for it");
    expect(kjit_stream_query(other, &done), KJIT_ARGUMENT, "asking whether it is done");
    expect(kjit_array_new(context, KJIT_DTYPE_INT8, 0, NULL, &options, &array), KJIT_ARGUMENT,
           "allocating memory cannot be recorded");
    expect(kjit_array_free_on(context, other, &device), KJIT_ARGUMENT, "freeing memory");
    expect(kjit_copy_on(context, other, &host, &host), KJIT_ARGUMENT, "between host arrays");
    expect_ok(kjit_event_record(event, other));
    expect(kjit_event_synchronize(event), KJIT_ARGUMENT, "recorded into a graph");
    expect(kjit_event_query(event, &done), KJIT_ARGUMENT, "recorded into a graph");
    expect_ok(kjit_event_wait(event, stream));
    expect_ok(kjit_capture_end(stream, &graph));
    assert_true(first_but_one() == 1);
    expect_ok(kjit_graph_launch(graph, other));
    expect_ok(kjit_stream_synchronize(other));
    assert_true(first_but_one() == 3);
    kjit_graph_close(graph);
}

static void a_prepared_debug_kernel_is_not_recorded(void **state)
{
    kjit_kernel *scale = scale_with(1);
    kjit_prepared *prepared = prepare(scale, stream), *none;
    kjit_launch_config config = on(stream);
    kjit_graph *graph;

    (void)state;
    expect_ok(kjit_capture_begin(stream));
    expect(kjit_launch_prepared(prepared), KJIT_ARGUMENT, "loaded for debug");
    expect(kjit_prepare(scale, &config, (kjit_arg[]){ kjit_arg_array(device), kjit_arg_float32(3) },
                        2, &none),
           KJIT_ARGUMENT, "loaded for debug");
    expect_ok(kjit_capture_end(stream, &graph));
    kjit_graph_close(graph);
    expect_ok(kjit_launch_prepared(prepared));
    assert_true(first_but_one() == 3);
    kjit_close_prepared(prepared);
}

/* Asking costs something: it is not asked where nothing depends on it. */
static void launches_do_not_ask_whether_they_are_recorded(void **state)
{
    kjit_kernel *scale = scale_with(0);
    kjit_prepared *prepared = prepare(scale, stream);
    long asked = fake_cuda_calls("cuStreamIsCapturing");

    (void)state;
    expect_ok(triple(scale, stream, device));
    expect_ok(triple(scale, NULL, host));
    expect_ok(kjit_launch_prepared(prepared));
    expect_ok(kjit_copy_on(context, NULL, &host, &device));
    assert_int_equal(fake_cuda_calls("cuStreamIsCapturing") - asked, 0);
    expect_ok(triple(scale, stream, host));
    assert_int_equal(fake_cuda_calls("cuStreamIsCapturing") - asked, 1);
    kjit_close_prepared(prepared);
}

/* The legacy default stream by its handle, which other code has: it cannot record, and asking it
** is an error while another stream does. */
static void the_legacy_stream_never_records(void **state)
{
    kjit_stream *legacy;
    long asked = fake_cuda_calls("cuStreamIsCapturing");

    (void)state;
    expect_ok(kjit_stream_foreign(context, (void *)(uintptr_t)1, &legacy));
    expect_ok(kjit_copy_on(context, legacy, &host, &device));
    expect_ok(kjit_event_record(event, legacy));
    expect_ok(kjit_event_synchronize(event));
    assert_int_equal(fake_cuda_calls("cuStreamIsCapturing") - asked, 0);
    kjit_stream_close(legacy);
}

/* ---- order ---------------------------------------------------------------------------- */

static void zeros_in_pinned_memory_come_in_order(void **state)
{
    kjit_array_options options = { .size = sizeof options, .memory = KJIT_MEMORY_PINNED };
    kjit_array pinned;

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, host.shape, &options, &pinned));
    for (int round = 0; round < 2; round++) {
        kjit_stream *where = round ? stream : NULL;
        memset(pinned.data, 1, sizeof numbers);
        expect_ok(kjit_copy_on(context, where, &pinned, &device));
        expect_ok(kjit_array_zero(context, where, &pinned));
        expect_ok(kjit_synchronize(context));
        assert_true(((float *)pinned.data)[1] == 0);
    }
    expect_ok(kjit_array_free(context, &pinned));
}

/* ---- what a reset takes ------------------------------------------------------------------- */

static void a_prepared_launch_is_lost_in_a_reset(void **state)
{
    kjit_prepared *plain = prepare(scale_with(0), NULL), *checked = prepare(scale_with(1), stream);

    (void)state;
    expect_ok(kjit_launch_prepared(checked));
    expect_ok(kjit_reset(context));
    expect(kjit_launch_prepared(plain), KJIT_ARGUMENT,
           "the prepared launch was lost in kjit_reset()");
    expect(kjit_launch_prepared(checked), KJIT_ARGUMENT, "prepared launch was lost");
    kjit_close_prepared(plain);
    kjit_close_prepared(checked);
    assert_string_equal(fake_cuda_misuse(), "");
    device.data = NULL;
}

/* ---- several devices ------------------------------------------------------------------------ */

static void events_of_different_devices_have_no_common_clock(void **state)
{
    kjit_context *second = open_gpu("cuda:1"), *processor = open_gpu("cpu");
    kjit_event *far, *near;
    double ms = 1;

    (void)state;
    expect_ok(kjit_event_new(second, 1, &far));
    expect_ok(kjit_event_new(processor, 1, &near));
    expect_ok(kjit_event_record(event, stream));
    expect_ok(kjit_event_record(far, NULL));
    expect_ok(kjit_event_record(near, NULL));
    expect(kjit_event_elapsed(event, far, &ms), KJIT_ARGUMENT,
           "first event is of cuda:0 and the second of cuda:1");
    expect(kjit_event_elapsed(event, near, &ms), KJIT_ARGUMENT, "cuda:0 and the second of cpu");
    expect(kjit_event_elapsed(near, event, &ms), KJIT_ARGUMENT, "no common clock");
    assert_true(ms == 0);
    kjit_event_close(near);
    kjit_event_close(far);
    kjit_close(processor);
    kjit_close(second);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_each, close_each)
#define LATE(name)                                                                                 \
    {                                                                                              \
#name "_late", name, open_each_late, close_each, NULL                                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_stream_that_joined_records_as_the_first),
        TEST(a_prepared_debug_kernel_is_not_recorded),
        TEST(launches_do_not_ask_whether_they_are_recorded),
        TEST(the_legacy_stream_never_records),
        LATE(zeros_in_pinned_memory_come_in_order),
        TEST(a_prepared_launch_is_lost_in_a_reset),
        LATE(a_prepared_launch_is_lost_in_a_reset),
        TEST(events_of_different_devices_have_no_common_clock),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}

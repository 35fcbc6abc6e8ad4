/* Arrays in memory of its own, on a pretended GPU: copies of every layout between all kinds of
** memory, and what other libraries are told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlpack/dlpack.h>

#include "tests/unit/copies.h"
#include "tests/unit/cuda.h"

static int begin(void **state)
{
    (void)state;
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    return 0;
}

static int begin_late(void **state)
{
    fake_cuda_lazy(true);
    return begin(state);
}

static void copies_go_between_any_two_layouts(void **state)
{
    kjit_context *context = open_gpu("cuda");

    (void)state;
    copy_at_random(context, 2000);
    close_gpu(context);
}

/* Pinned memory that the stream is still writing is not read by the host before. */
static void a_copy_between_host_arrays_waits_for_the_stream(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_array_options options = { .size = sizeof options, .memory = KJIT_MEMORY_PINNED };
    float numbers[N], back[N] = { 0 };
    kjit_array host = kjit_host_array(numbers, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });
    kjit_array end = host, device, pinned;
    kjit_stream *stream;

    (void)state;
    end.data = back;
    for (int i = 0; i < N; i++)
        numbers[i] = (float)i;
    expect_ok(kjit_stream_new(context, NULL, &stream));
    expect_ok(kjit_to_device(context, &host, &device));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, host.shape, &options, &pinned));
    memset(pinned.data, 0, sizeof numbers);
    expect_ok(kjit_copy_on(context, stream, &pinned, &device));
    expect_ok(kjit_copy_on(context, stream, &end, &pinned));
    assert_memory_equal(back, numbers, sizeof back);
    expect_ok(kjit_capture_begin(stream));
    expect(kjit_copy_on(context, stream, &end, &pinned), KJIT_ARGUMENT, "between host arrays");
    kjit_graph *graph;
    expect_ok(kjit_capture_end(stream, &graph));
    kjit_graph_close(graph);
    expect_ok(kjit_array_free(context, &pinned));
    expect_ok(kjit_array_free(context, &device));
    kjit_stream_close(stream);
    close_gpu(context);
}

static void tensors_say_where_they_are(void **state)
{
    static const int types[] = { kDLCUDA, kDLCUDAHost, kDLCUDAHost, kDLCUDAManaged, kDLCPU };
    kjit_context *context = open_gpu("cuda:1");
    float numbers[N];

    (void)state;
    for (int place = 0; place < PLACES; place++) {
        kjit_array_options options = { .size = sizeof options };
        kjit_array array = kjit_host_array(numbers, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }), back;
        static const kjit_slice tail[] = { KJIT_SPAN(-3, KJIT_OMIT) };
        DLManagedTensor *tensor;
        options.memory = (kjit_memory)(place % HOST);
        if (place != HOST)
            expect_ok(
                kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, array.shape, &options, &array));
        kjit_array view;
        expect_ok(kjit_array_slice(&array, tail, 1, &view));
        expect_ok(kjit_to_dlpack(context, &view, NULL, NULL, &tensor));
        assert_int_equal(tensor->dl_tensor.device.device_type, types[place]);
        assert_int_equal(tensor->dl_tensor.device.device_id, place == 0);
        expect_ok(kjit_from_dlpack(context, tensor, &back));
        assert_int_equal(back.flags, place == KJIT_MEMORY_MAPPED ? 0 : view.flags);
        tensor->dl_tensor.device = (DLDevice){ kDLCUDA, 0 };
        expect(kjit_from_dlpack(context, tensor, &back), KJIT_ARGUMENT,
               "the tensor is on cuda:0, and the context is one of cuda:1");
        kjit_dlpack_release(tensor);
        if (place != HOST)
            expect_ok(kjit_array_free(context, &array));
    }
    close_gpu(context);
}

static void interfaces_name_the_stream(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_interface interface = { .size = sizeof interface };
    kjit_stream *stream, *thread;
    kjit_array array, back;

    (void)state;
    expect_ok(kjit_stream_new(context, NULL, &stream));
    expect_ok(kjit_stream_per_thread(context, &thread));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_INT16, 1, (int64_t[]){ N }, NULL, &array));
    expect_ok(kjit_array_interface(context, NULL, &array, &interface));
    assert_int_equal(interface.stream, 1);
    expect_ok(kjit_array_interface(context, thread, &array, &interface));
    assert_int_equal(interface.stream, 2);
    expect_ok(kjit_array_interface(context, stream, &array, &interface));
    assert_ptr_equal((void *)(uintptr_t)interface.stream, kjit_stream_handle(stream));
    expect_ok(kjit_interface_array(&interface, KJIT_ON_DEVICE, &back));
    assert_memory_equal(&back, &array, sizeof back);
    array.flags = 0; /* the host's */
    expect_ok(kjit_array_interface(context, stream, &array, &interface));
    assert_int_equal(interface.stream, 0);
    array = back;
    expect_ok(kjit_array_free(context, &array));
    kjit_stream_close(thread);
    kjit_stream_close(stream);
    close_gpu(context);
}

static void elements_are_read_and_written(void **state)
{
    kjit_context *context = open_gpu("cuda");
    kjit_array array;
    kjit_arg value;

    (void)state;
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT16, 2, (int64_t[]){ 3, 4 }, NULL, &array));
    expect_ok(kjit_array_zero(context, NULL, &array));
    expect_ok(kjit_array_set(context, &array, (int64_t[]){ 1, -1 }, kjit_arg_float64(1.5)));
    expect_ok(kjit_array_get(context, &array, (int64_t[]){ 1, 3 }, &value));
    assert_true(value.as.number == 1.5);
    expect_ok(kjit_array_get(context, &array, (int64_t[]){ 1, 2 }, &value));
    assert_true(value.as.number == 0);
    expect_ok(kjit_array_free(context, &array));
    close_gpu(context);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)
#define LATE(name)                                                                                 \
    {                                                                                              \
#name "_late", name, begin_late, end_late, NULL                                            \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(copies_go_between_any_two_layouts),
        LATE(copies_go_between_any_two_layouts),
        LATE(a_copy_between_host_arrays_waits_for_the_stream),
        TEST(tensors_say_where_they_are),
        TEST(interfaces_name_the_stream),
        LATE(elements_are_read_and_written),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}

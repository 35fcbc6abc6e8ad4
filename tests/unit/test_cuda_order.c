/* What a GPU still does when a call returns: no memory goes, or is written, before that is
** done; and what it did wrong is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/cuda.h"

static kjit_context *gpu;
static kjit_stream *stream;

static int begin(void **state)
{
    fake_cuda_forget();
    fake_nvrtc_forget();
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_kernel("total", do_total);
    fake_cuda_kernel("total_round", do_total_round);
    if (pretend(state) != 0)
        return -1;
    gpu = open_gpu("cuda:0");
    expect_ok(kjit_stream_new(gpu, NULL, &stream));
    return 0;
}

static int end(void **state)
{
    (void)state;
    fake_cuda_lazy(false);
    kjit_stream_close(stream);
    close_gpu(gpu);
    return 0;
}

static kjit_array array_of(kjit_memory memory, int64_t count)
{
    kjit_array_options options = { .size = sizeof options, .memory = memory };
    kjit_array array;

    expect_ok(kjit_array_new(gpu, KJIT_DTYPE_FLOAT32, 1, &count, &options, &array));
    return array;
}

static kjit_status scale_on(kjit_stream *on, kjit_kernel *scale, kjit_array array)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = on
    };

    return kjit_launch(scale, &config, (kjit_arg[]){ kjit_arg_array(array), kjit_arg_float32(2) },
                       2);
}

/* Helpers would each have a stream of their own, in no order. */
static void a_large_copy_on_a_threads_own_stream_is_its_own_work(void **state)
{
    enum { COUNT = 4 << 20 };
    float *host = calloc(COUNT, sizeof *host);
    kjit_array device = array_of(KJIT_MEMORY_DEVICE, COUNT);
    kjit_array there = kjit_host_array(host, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ COUNT });
    kjit_array few = device, few_there = there;
    kjit_stream *own;

    (void)state;
    assert_non_null(host);
    few.shape[0] = few_there.shape[0] = N;
    expect_ok(kjit_stream_per_thread(gpu, &own));
    expect_ok(kjit_copy_on(gpu, own, &device, &there));
    long begun = fake_cuda_calls("cuCtxPushCurrent");
    expect_ok(kjit_copy_on(gpu, own, &few_there, &few));
    long each = fake_cuda_calls("cuCtxPushCurrent") - begun;
    for (int i = 0; i < 4; i++)
        expect_ok(kjit_copy_on(gpu, own, &there, &device));
    assert_int_equal(fake_cuda_calls("cuCtxPushCurrent"), begun + 5 * each);
    kjit_stream_close(own);
    expect_ok(kjit_array_free(gpu, &device));
    free(host);
}

static kjit_status add_up(kjit_kernel *total, kjit_stream *on, kjit_array values, kjit_array sums)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = on
    };

    return kjit_launch(total, &config, (kjit_arg[]){ kjit_arg_array(values), kjit_arg_array(sums) },
                       2);
}

static void sums_are_rounded_behind_their_kernel_in_memory_of_each_launch(void **state)
{
    float ones[N], got[2] = { 0 };
    kjit_array values = array_of(KJIT_MEMORY_DEVICE, N), sums = array_of(KJIT_MEMORY_DEVICE, 2);
    kjit_array from = kjit_host_array(ones, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N });
    kjit_array to = kjit_host_array(got, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ 2 });
    kjit_kernel *total = must_load(gpu, kernels, "total");

    (void)state;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    expect_ok(kjit_copy_on(gpu, stream, &values, &from));
    expect_ok(kjit_copy_on(gpu, stream, &sums, &to));
    fake_cuda_lazy(true);
    for (int i = 0; i < 3; i++)
        expect_ok(add_up(total, stream, values, sums));
    expect_ok(kjit_copy_on(gpu, stream, &to, &sums));
    expect_ok(kjit_stream_synchronize(stream));
    assert_true(got[0] == 3 * N / 2 && got[1] == 3 * N / 2);
    assert_int_equal(fake_cuda_launches("total_round"), 3);
    expect_ok(kjit_array_free(gpu, &values));
    expect_ok(kjit_array_free(gpu, &sums));
}

static void sums_beside_arrays_that_overlap_or_are_recorded_are_refused(void **state)
{
    kjit_array values = array_of(KJIT_MEMORY_DEVICE, N), sums = values;
    kjit_kernel *total = must_load(gpu, kernels, "total");

    (void)state;
    sums.shape[0] = 2;
    expect(add_up(total, stream, values, sums), KJIT_ARGUMENT,
           "error: 'sums' may overlap another argument of total");
    sums = array_of(KJIT_MEMORY_DEVICE, 2);
    expect_ok(kjit_capture_begin(stream));
    expect(add_up(total, stream, values, sums), KJIT_UNSUPPORTED, "a graph cannot record yet");
    kjit_graph *graph;
    expect_ok(kjit_capture_end(stream, &graph));
    kjit_graph_close(graph);
    expect_ok(kjit_array_free(gpu, &values));
    expect_ok(kjit_array_free(gpu, &sums));
}

static const char both_text[] = "@cuda.jit\n"
                                "def both(x, y):\n"
                                "    x[cuda.threadIdx.x] += 1\n"
                                "    y[cuda.threadIdx.x] += 1\n";

static void do_both(const FakeLaunch *launch)
{
    memset(PARAM(launch, 0, void *), 1, N * sizeof(float));
    memset(PARAM(launch, 2, void *), 1, N * sizeof(float));
}

static void a_failed_launch_leaves_no_copy_on_its_way(void **state)
{
    kjit_array one = array_of(KJIT_MEMORY_PINNED, N), other = array_of(KJIT_MEMORY_PINNED, N);
    kjit_kernel *both = must_load(gpu, both_text, "both");
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { N }, .stream = stream
    };
    kjit_arg args[] = { kjit_arg_array(one), kjit_arg_array(other) };

    (void)state;
    memset(one.data, 0, N * sizeof(float));
    memset(other.data, 0, N * sizeof(float));
    expect_ok(kjit_compile(both, args, 2));
    fake_cuda_lazy(true);
    fake_cuda_kernel("both", do_both);
    fake_cuda_fail_at("cuMemcpyDtoHAsync", 2, 1);
    expect(kjit_launch(both, &config, args, 2), KJIT_LAUNCH, "copying from the GPU");
    memset(one.data, 7, N * sizeof(float)); /* it is the program's again */
    memset(other.data, 7, N * sizeof(float));
    expect_ok(kjit_stream_synchronize(stream));
    assert_int_equal(*(char *)one.data, 7);
    assert_int_equal(*(char *)other.data, 7);
    expect_ok(kjit_array_free(gpu, &one));
    expect_ok(kjit_array_free(gpu, &other));
}

static const void *seen;

static void note_address(const FakeLaunch *launch)
{
    seen = PARAM(launch, 0, const void *);
}

/* One backwards, in smaller steps: what they share begins before the place. */
static void arrays_from_one_place_stay_aligned(void **state)
{
    _Alignas(16) float memory[8] = { 0 };
    int64_t count = 3;
    kjit_array forward = kjit_host_array(&memory[4], KJIT_DTYPE_FLOAT32, 1, &count);
    kjit_array back = kjit_host_array(&memory[4], KJIT_DTYPE_INT8, 1, &count);
    kjit_kernel *add = must_load(gpu, kernels, "add");
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };

    (void)state;
    back.strides[0] = -1;
    fake_cuda_kernel("add", note_address);
    expect_ok(kjit_launch(
        add, &config,
        (kjit_arg[]){ kjit_arg_array(forward), kjit_arg_array(back), kjit_arg_array(forward) }, 3));
    assert_int_equal((uintptr_t)seen % 16, 0);
}

static void do_break(const FakeLaunch *launch)
{
    (void)launch;
    fake_cuda_break(700);
}

static void a_fault_names_its_kernel_though_its_module_is_closed(void **state)
{
    kjit_array device = array_of(KJIT_MEMORY_DEVICE, N);
    kjit_module *module;
    kjit_kernel *scale;

    (void)state;
    expect_ok(kjit_load_source(gpu, kernels, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, "scale", &scale));
    fake_cuda_kernel("scale", do_break);
    fake_cuda_lazy(true);
    expect_ok(scale_on(NULL, scale, device));
    kjit_close_module(module);
    expect(kjit_synchronize(gpu), KJIT_BROKEN, "error: scale(");
    fake_cuda_lazy(false);
    expect_ok(kjit_reset(gpu));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_large_copy_on_a_threads_own_stream_is_its_own_work),
        TEST(sums_are_rounded_behind_their_kernel_in_memory_of_each_launch),
        TEST(sums_beside_arrays_that_overlap_or_are_recorded_are_refused),
        TEST(a_failed_launch_leaves_no_copy_on_its_way),
        TEST(arrays_from_one_place_stay_aligned),
        TEST(a_fault_names_its_kernel_though_its_module_is_closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

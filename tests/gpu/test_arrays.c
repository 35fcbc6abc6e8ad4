/* Arrays, streams, events and graphs on a real GPU: memory of its own, work beside other work, a
** device that is full, and one that a kernel broke. All are skipped where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <dlpack/dlpack.h>

#include "tests/unit/copies.h"

enum { N = 1000 };

static const char text[] = "@cuda.jit\n"
                           "def twice(a, b):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < a.shape[0]:\n"
                           "        b[i] = 2 * a[i]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def wait_for(flag, seen):\n"
                           "    for i in range(2000000):\n"
                           "        if cuda.atomic.add(flag, 0, 0) != 0:\n"
                           "            seen[0] = 1\n"
                           "            break\n"
                           "\n"
                           "@cuda.jit\n"
                           "def raise_flag(flag):\n"
                           "    cuda.atomic.add(flag, 0, 1)\n"
                           "\n"
                           "@cuda.jit\n"
                           "def far(x, n):\n"
                           "    x[n] = 1\n";

static kjit_context *context;
static kjit_module *module;
static const int64_t shape[] = { N };

static int open_device(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };

    (void)state;
    kjit_status status = kjit_open(&options, &context);
    if (status == KJIT_NO_DEVICE)
        return 0;
    return status != KJIT_OK || kjit_load_source(context, text, "gpu.k", NULL, &module) != KJIT_OK;
}

static int close_device(void **state)
{
    (void)state;
    kjit_close(context);
    return 0;
}

static kjit_kernel *kernel(const char *name)
{
    kjit_kernel *found;

    if (!context)
        skip();
    works(kjit_get_kernel(module, name, &found));
    return found;
}

static void refused(kjit_status got, kjit_status wanted, const char *part)
{
    if (got != wanted || !strstr(kjit_error_message(), part))
        fail_msg("%s (%s), not %s (%s)", kjit_status_name(got), kjit_error_message(),
                 kjit_status_name(wanted), part);
}

static kjit_array new_array(kjit_dtype dtype, kjit_memory memory, kjit_stream *stream)
{
    kjit_array_options options = { .size = sizeof options, .memory = memory, .stream = stream };
    kjit_array array;

    works(kjit_array_new(context, dtype, 1, shape, &options, &array));
    return array;
}

static kjit_status launch_on(kjit_stream *stream, const char *name, const kjit_array *arrays,
                             size_t count)
{
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { 1024 }, .stream = stream
    };
    kjit_arg args[2];

    if (strcmp(name, "twice") != 0)
        config.block[0] = 1;
    for (size_t i = 0; i < count; i++)
        args[i] = kjit_arg_array(arrays[i]);
    return kjit_launch(kernel(name), &config, args, count);
}

static kjit_status twice_on(kjit_stream *stream, kjit_array a, kjit_array b)
{
    return launch_on(stream, "twice", (kjit_array[]){ a, b }, 2);
}

static double first(const kjit_array *array)
{
    kjit_arg value;

    works(kjit_array_get(context, array, (int64_t[]){ 0 }, &value));
    return value.as.number;
}

/* ---- arrays --------------------------------------------------------------------------- */

static void copies_go_between_any_two_layouts(void **state)
{
    (void)state;
    kernel("twice");
    copy_at_random(context, 1500);
}

static void kernels_work_on_every_kind_of_memory(void **state)
{
    (void)state;
    kernel("twice");
    for (int kind = KJIT_MEMORY_DEVICE; kind <= KJIT_MEMORY_MANAGED; kind++) {
        kjit_array a = new_array(KJIT_DTYPE_FLOAT64, (kjit_memory)kind, NULL);
        kjit_array b = new_array(KJIT_DTYPE_FLOAT64, (kjit_memory)kind, NULL), all;
        double three = 3;
        kjit_array number = kjit_host_array(&three, KJIT_DTYPE_FLOAT64, 0, NULL);
        works(kjit_array_broadcast(&number, 1, shape, &all));
        works(kjit_copy(context, &a, &all));
        works(twice_on(NULL, a, b));
        works(kjit_synchronize(context));
        assert_true(first(&b) == 6);
        if (kind != KJIT_MEMORY_DEVICE)
            assert_true(((double *)b.data)[N - 1] == 6);
        works(kjit_array_free(context, &a));
        works(kjit_array_free(context, &b));
    }
}

static void a_pinned_array_of_the_program_is_copied_like_any(void **state)
{
    static double numbers[N], back[N];
    kjit_array a = kjit_host_array(numbers, KJIT_DTYPE_FLOAT64, 1, shape), b = a, device;

    (void)state;
    kernel("twice");
    b.data = back;
    numbers[N - 1] = 7;
    works(kjit_pin(context, &a));
    works(kjit_to_device(context, &a, &device));
    works(kjit_copy(context, &b, &device));
    works(kjit_unpin(context, &a));
    assert_true(back[N - 1] == 7);
    works(kjit_array_free(context, &device));
}

static kjit_memory_info usage(void)
{
    kjit_memory_info info = { .size = sizeof info };

    works(kjit_memory_usage(context, &info));
    return info;
}

static void the_pool_counts_and_gives_back(void **state)
{
    kjit_stream *stream;

    (void)state;
    kernel("twice");
    works(kjit_stream_new(context, NULL, &stream));
    works(kjit_memory_trim(context, 0));
    kjit_memory_info before = usage();
    kjit_array a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, stream);
    works(kjit_array_zero(context, stream, &a));
    works(kjit_stream_synchronize(stream));
    kjit_memory_info during = usage();
    assert_true(during.pool_used >= before.pool_used + sizeof(double) * N);
    assert_true(during.pool_used_most >= during.pool_used);
    assert_true(during.pool_reserved >= during.pool_used);
    assert_true(during.arrays == before.arrays + 1 && during.bytes == before.bytes + 8 * N);
    works(kjit_array_free_on(context, stream, &a));
    works(kjit_stream_synchronize(stream));
    kjit_memory_info after = usage();
    assert_true(after.pool_used == before.pool_used && after.pool_reserved > 0);
    works(kjit_memory_trim(context, 0));
    assert_true(usage().pool_reserved < after.pool_reserved);
    kjit_stream_close(stream);
}

static void tensors_and_interfaces_say_where_they_are(void **state)
{
    static const int types[] = { kDLCUDA, kDLCUDAHost, kDLCUDAHost, kDLCUDAManaged };
    kjit_interface interface = { .size = sizeof interface };

    (void)state;
    kernel("twice");
    for (int kind = KJIT_MEMORY_DEVICE; kind <= KJIT_MEMORY_MANAGED; kind++) {
        kjit_array array = new_array(KJIT_DTYPE_FLOAT32, (kjit_memory)kind, NULL);
        DLManagedTensor *tensor;
        works(kjit_to_dlpack(context, &array, NULL, NULL, &tensor));
        assert_int_equal(tensor->dl_tensor.device.device_type, types[kind]);
        kjit_dlpack_release(tensor);
        works(kjit_array_interface(context, NULL, &array, &interface));
        assert_int_equal(interface.stream, kind != KJIT_MEMORY_PINNED);
        works(kjit_array_free(context, &array));
    }
}

/* ---- streams and events --------------------------------------------------------------------- */

/* Two streams, and arrays for one kernel that waits until another has run. */
typedef struct Pair {
    kjit_stream *one, *two;
    kjit_array flag, seen;
} Pair;

/* Both kernels have run once, so that nothing has to be loaded any more. */
static void open_pair(Pair *pair)
{
    kjit_stream_options apart = { .size = sizeof apart, .independent = 1 };

    kernel("twice");
    works(kjit_stream_new(context, &apart, &pair->one));
    works(kjit_stream_new(context, &apart, &pair->two));
    pair->flag = new_array(KJIT_DTYPE_INT32, KJIT_MEMORY_DEVICE, NULL);
    pair->seen = new_array(KJIT_DTYPE_INT32, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_zero(context, NULL, &pair->flag));
    works(launch_on(NULL, "raise_flag", &pair->flag, 1));
    works(launch_on(NULL, "wait_for", (kjit_array[]){ pair->flag, pair->seen }, 2));
    works(kjit_array_zero(context, NULL, &pair->flag));
    works(kjit_array_zero(context, NULL, &pair->seen));
    works(kjit_synchronize(context));
}

static void close_pair(Pair *pair)
{
    works(kjit_array_free(context, &pair->flag));
    works(kjit_array_free(context, &pair->seen));
    kjit_stream_close(pair->one);
    kjit_stream_close(pair->two);
}

static void streams_run_beside_each_other(void **state)
{
    kjit_event *begin, *end;
    kjit_arg seen;
    double ms = 0;
    int done = 1;
    Pair pair;

    (void)state;
    open_pair(&pair);
    works(kjit_event_new(context, 1, &begin));
    works(kjit_event_new(context, 1, &end));
    works(kjit_event_record(begin, pair.one));
    works(launch_on(pair.one, "wait_for", (kjit_array[]){ pair.flag, pair.seen }, 2));
    works(kjit_event_record(end, pair.one));
    works(kjit_event_query(end, &done));
    assert_false(done);
    works(kjit_stream_query(pair.one, &done));
    assert_false(done);
    refused(kjit_event_elapsed(begin, end, &ms), KJIT_ARGUMENT, "has not passed both events yet");
    works(launch_on(pair.two, "raise_flag", &pair.flag, 1));
    works(kjit_event_synchronize(end));
    works(kjit_event_query(end, &done));
    assert_true(done);
    works(kjit_event_elapsed(begin, end, &ms));
    assert_true(ms > 0);
    works(kjit_array_get(context, &pair.seen, (int64_t[]){ 0 }, &seen));
    assert_int_equal(seen.as.integer, 1);
    kjit_event_close(begin);
    kjit_event_close(end);
    close_pair(&pair);
}

static void a_stream_waits_for_an_event_of_another(void **state)
{
    kjit_array a, b;
    kjit_event *event;
    Pair pair;

    (void)state;
    open_pair(&pair);
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    b = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_zero(context, NULL, &a));
    works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(1)));
    works(kjit_event_new(context, 0, &event));
    works(launch_on(pair.one, "wait_for", (kjit_array[]){ pair.flag, pair.seen }, 2));
    works(twice_on(pair.one, a, a));
    works(kjit_event_record(event, pair.one));
    works(kjit_event_wait(event, pair.two));
    works(twice_on(pair.two, a, b));
    works(launch_on(NULL, "raise_flag", &pair.flag, 1));
    works(kjit_stream_synchronize(pair.two));
    assert_true(first(&b) == 4);
    works(kjit_array_free(context, &a));
    works(kjit_array_free(context, &b));
    kjit_event_close(event);
    close_pair(&pair);
}

static void streams_of_others_and_default_ones_serve(void **state)
{
    kjit_array a, b;
    kjit_stream *own, *foreign, *thread, *whole;

    (void)state;
    kernel("twice");
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    b = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(1)));
    works(kjit_stream_new(context, NULL, &own));
    works(kjit_stream_foreign(context, kjit_stream_handle(own), &foreign));
    works(kjit_stream_per_thread(context, &thread));
    works(kjit_stream_default(context, &whole));
    works(twice_on(foreign, a, b));
    works(kjit_stream_synchronize(own));
    kjit_stream_close(foreign); /* which leaves the stream alone */
    works(twice_on(own, b, a));
    works(kjit_stream_synchronize(own));
    works(twice_on(thread, a, b));
    works(kjit_stream_synchronize(thread));
    works(twice_on(whole, b, a));
    works(kjit_stream_synchronize(whole));
    assert_true(first(&a) == 16);
    kjit_stream_close(thread);
    kjit_stream_close(whole);
    kjit_stream_close(own);
    works(kjit_array_free(context, &a));
    works(kjit_array_free(context, &b));
}

static void two_contexts_share_a_device(void **state)
{
    kjit_open_options options = { .size = sizeof options, .no_disk_cache = 1 };
    kjit_context *second;
    kjit_stream *stream;
    kjit_array a, b;

    (void)state;
    kernel("twice");
    options.device = kjit_device_name(context);
    works(kjit_open(&options, &second));
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(5)));
    works(kjit_array_new(second, KJIT_DTYPE_FLOAT64, 1, shape, NULL, &b));
    works(kjit_stream_new(second, NULL, &stream));
    works(kjit_copy(second, &b, &a));
    works(twice_on(stream, b, a));
    works(kjit_stream_synchronize(stream));
    assert_true(first(&a) == 10);
    refused(kjit_array_free(context, &b), KJIT_ARGUMENT, "not an array of this context");
    kjit_stream_close(stream);
    kjit_close(second); /* and its array */
    works(twice_on(NULL, a, a));
    assert_true(first(&a) == 20);
    works(kjit_array_free(context, &a));
}

/* ---- graphs --------------------------------------------------------------------------- */

static void count_call(void *calls)
{
    __atomic_fetch_add((int *)calls, 1, __ATOMIC_SEQ_CST);
}

static void a_graph_is_replayed_with_what_is_there_then(void **state)
{
    kjit_array a, b, back;
    kjit_graph *graph;
    kjit_event *fork, *join;
    int calls = 0;
    double host[N];
    kjit_array args[2];
    Pair pair;

    (void)state;
    open_pair(&pair);
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    b = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    back = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_PINNED, NULL);
    works(kjit_event_new(context, 0, &fork));
    works(kjit_event_new(context, 0, &join));
    works(kjit_capture_begin(pair.one));
    works(twice_on(pair.one, a, b));
    works(kjit_event_record(fork, pair.one));
    works(kjit_event_wait(fork, pair.two));
    works(twice_on(pair.two, b, b));
    works(kjit_event_record(join, pair.two));
    works(kjit_event_wait(join, pair.one));
    works(kjit_copy_on(context, pair.one, &back, &b));
    works(kjit_array_zero(context, pair.one, &b));
    works(kjit_stream_callback(pair.one, count_call, &calls));
    args[0] = args[1] = kjit_host_array(host, KJIT_DTYPE_FLOAT64, 1, shape);
    refused(launch_on(pair.one, "twice", args, 2), KJIT_ARGUMENT, "is a host array");
    refused(kjit_stream_synchronize(pair.one), KJIT_ARGUMENT, "cannot be recorded");
    works(kjit_capture_end(pair.one, &graph));
    assert_int_equal(calls, 0);
    for (int round = 1; round <= 3; round++) {
        works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(round)));
        works(kjit_graph_launch(graph, pair.two));
        works(kjit_stream_synchronize(pair.two));
        assert_true(((double *)back.data)[0] == 4 * round && first(&b) == 0);
        assert_int_equal(calls, round);
    }
    kjit_graph_close(graph);
    kjit_event_close(fork);
    kjit_event_close(join);
    works(kjit_array_free(context, &a));
    works(kjit_array_free(context, &b));
    works(kjit_array_free(context, &back));
    close_pair(&pair);
}

/* ---- limits --------------------------------------------------------------------------- */

static void a_full_gpu_leaves_everything_usable(void **state)
{
    enum { MOST = 1024 };
    static kjit_array parts[MOST];
    kjit_array a, b, huge;
    int count = 0;
    kjit_status status = KJIT_OK;

    (void)state;
    kernel("twice");
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    b = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(1)));
    works(twice_on(NULL, a, b));
    refused(
        kjit_array_new(context, KJIT_DTYPE_UINT8, 1, (int64_t[]){ 10000000000000 }, NULL, &huge),
        KJIT_MEMORY, "10000000000000 bytes");
    while (count < MOST && status == KJIT_OK) {
        status = kjit_array_new(context, KJIT_DTYPE_UINT8, 1, (int64_t[]){ 1 << 30 }, NULL,
                                &parts[count]);
        count += status == KJIT_OK;
    }
    refused(status, KJIT_MEMORY, "1073741824 bytes");
    works(twice_on(NULL, b, a));
    assert_true(first(&a) == 4);
    while (count > 0)
        works(kjit_array_free(context, &parts[--count]));
    works(kjit_array_new(context, KJIT_DTYPE_UINT8, 1, (int64_t[]){ 1 << 30 }, NULL, &huge));
    works(kjit_array_free(context, &huge));
    works(kjit_array_free(context, &a));
    works(kjit_array_free(context, &b));
}

/* The last test: what a driver does not give back stays away from the process. */
static void a_broken_gpu_comes_back(void **state)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    double numbers[4] = { 1, 2, 3, 4 }, doubled[4] = { 0 };
    kjit_array a, b;
    kjit_stream *stream;
    kjit_arg args[2];

    (void)state;
    kernel("far");
    works(kjit_stream_new(context, NULL, &stream));
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    args[0] = kjit_arg_array(a);
    args[1] = kjit_arg_int64((int64_t)1 << 30);
    works(kjit_launch(kernel("far"), &config, args, 2));
    refused(kjit_synchronize(context), KJIT_BROKEN, "far(float64[::1], int64)");
    refused(twice_on(NULL, a, a), KJIT_BROKEN, "far(float64[::1], int64)");
    refused(kjit_array_new(context, KJIT_DTYPE_INT8, 0, NULL, NULL, &b), KJIT_BROKEN,
            "kjit_reset()");
    if (kjit_reset(context) != KJIT_OK) {
        if (!strstr(kjit_error_message(), "insist on a new process"))
            fail_msg("%s", kjit_error_message());
        kjit_stream_close(stream);
        skip();
    }
    refused(kjit_stream_synchronize(stream), KJIT_ARGUMENT, "lost in kjit_reset()");
    kjit_stream_close(stream);
    works(KJIT_CALL(kernel("twice"), KJIT_GRID(1), KJIT_BLOCK(32), KJIT_ARRAY(numbers, 4),
                    KJIT_ARRAY(doubled, 4)));
    assert_true(doubled[3] == 8);
    a = new_array(KJIT_DTYPE_FLOAT64, KJIT_MEMORY_DEVICE, NULL);
    works(kjit_array_set(context, &a, (int64_t[]){ 0 }, kjit_arg_float64(1)));
    works(twice_on(NULL, a, a));
    assert_true(first(&a) == 2);
    works(kjit_array_free(context, &a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_go_between_any_two_layouts),
        cmocka_unit_test(kernels_work_on_every_kind_of_memory),
        cmocka_unit_test(a_pinned_array_of_the_program_is_copied_like_any),
        cmocka_unit_test(the_pool_counts_and_gives_back),
        cmocka_unit_test(tensors_and_interfaces_say_where_they_are),
        cmocka_unit_test(streams_run_beside_each_other),
        cmocka_unit_test(a_stream_waits_for_an_event_of_another),
        cmocka_unit_test(streams_of_others_and_default_ones_serve),
        cmocka_unit_test(two_contexts_share_a_device),
        cmocka_unit_test(a_graph_is_replayed_with_what_is_there_then),
        cmocka_unit_test(a_full_gpu_leaves_everything_usable),
        cmocka_unit_test(a_broken_gpu_comes_back),
    };

    return cmocka_run_group_tests_name("arrays of a GPU", tests, open_device, close_device);
}

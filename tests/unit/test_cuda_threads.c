/* One pretended GPU, 64 threads. Meant for the thread sanitizer: the pretended driver takes no lock
** where it launches, so that it does not order what the library has to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <cmocka.h>

#include "tests/unit/cuda.h"

enum { THREADS = 64, ROUNDS = 8, DTYPES = 6 };

typedef struct Shared {
    kjit_context *context;
    kjit_kernel *add, *scale;
    pthread_barrier_t start;
    atomic_int next, compiled;
} Shared;

static int begin(void **state)
{
    Shared *shared = calloc(1, sizeof *shared);

    *state = shared;
    if (!shared)
        return -1;
    pthread_barrier_init(&shared->start, NULL, THREADS);
    fake_cuda_kernel("add", do_add);
    fake_cuda_kernel("scale", do_scale);
    fake_cuda_forget();
    fake_nvrtc_forget();
    shared->context = open_gpu("cuda");
    shared->add = must_load(shared->context, kernels, "add");
    shared->scale = must_load(shared->context, kernels, "scale");
    return 0;
}

static int end(void **state)
{
    Shared *shared = *state;

    close_gpu(shared->context);
    pthread_barrier_destroy(&shared->start);
    free(shared);
    return 0;
}

/* Runs `body` in all threads at once; each returns NULL, or a complaint. */
static void run_threads(Shared *shared, void *(*body)(void *))
{
    pthread_t threads[THREADS];
    const char *failed = NULL;
    void *result;

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, shared), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &result);
        failed = result ? result : failed;
    }
    if (failed)
        fail_msg("%s", failed);
}

/* The thread's message, which ends with it. Lost, and so is the test. */
static void *complaint(void)
{
    return strdup(kjit_error_message());
}

static void note_report(Shared *shared)
{
    kjit_report report = { .size = sizeof report };

    kjit_last_report(&report);
    atomic_fetch_add(&shared->compiled, report.compiled);
}

/* ---- the same kernel -------------------------------------------------------------------- */

static void *add_arrays(void *context)
{
    Shared *shared = context;
    float x[N], y[N], out[N];

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            x[i] = (float)i;
            y[i] = (float)round;
        }
        if (KJIT_CALL(shared->add, KJIT_GRID(2), KJIT_BLOCK(64), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                      KJIT_ARRAY(out, N)) != KJIT_OK)
            return complaint();
        note_report(shared);
        for (int i = 0; i < N; i++) {
            if (out[i] != (float)(i + round))
                return "a wrong element";
        }
    }
    return NULL;
}

static void the_same_kernel_is_compiled_once(void **state)
{
    Shared *shared = *state;
    long before = fake_cuda_launches("add");

    run_threads(shared, add_arrays);
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1);
    assert_int_equal(fake_cuda_calls("cuModuleLoadDataEx"), 1);
    assert_int_equal(shared->compiled, 1);
    assert_int_equal(fake_cuda_launches("add") - before, THREADS * ROUNDS);
}

/* Through page-locked memory, of which there is less than there are threads. */
static void *scale_large(void *context)
{
    enum { COUNT = 100000 };
    Shared *shared = context;
    float *x = malloc(COUNT * sizeof *x);
    const char *wrong = NULL;

    for (int i = 0; i < COUNT; i++)
        x[i] = (float)i;
    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < 2 && !wrong; round++) {
        if (KJIT_CALL(shared->scale, KJIT_GRID(1000), KJIT_BLOCK(100), KJIT_ARRAY(x, COUNT),
                      2.0f) != KJIT_OK)
            wrong = complaint();
    }
    for (int i = 0; i < COUNT && !wrong; i++)
        wrong = x[i] == (float)(4 * i) ? NULL : "a wrong element";
    free(x);
    return (void *)(uintptr_t)wrong;
}

static void large_arrays_pass_side_by_side(void **state)
{
    run_threads(*state, scale_large);
}

static void large_arrays_pass_late(void **state)
{
    fake_cuda_lazy(true);
    run_threads(*state, scale_large);
    fake_cuda_lazy(false);
}

/* ---- the same kernel for other types ------------------------------------------------------ */

static void *scale_own_type(void *context)
{
    Shared *shared = context;
    _Alignas(8) char data[8 * N] = { 0 };
    kjit_dtype dtype = (kjit_dtype)(KJIT_DTYPE_INT16 + atomic_fetch_add(&shared->next, 1) % DTYPES);
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 64 } };
    kjit_arg args[] = { kjit_arg_host_array(data, dtype, 0, 1, (int64_t[]){ N }),
                        kjit_arg_int64(1) };

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (kjit_launch(shared->scale, &config, args, 2) != KJIT_OK)
            return complaint();
        note_report(shared);
    }
    return NULL;
}

static void each_signature_is_compiled_once(void **state)
{
    Shared *shared = *state;
    long before = fake_cuda_launches("scale");

    fake_cuda_kernel("scale", NULL);
    run_threads(shared, scale_own_type);
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), DTYPES);
    assert_int_equal(shared->compiled, DTYPES);
    assert_int_equal(fake_cuda_launches("scale") - before, THREADS * ROUNDS);
}

/* ---- device arrays, streams, prepared launches ---------------------------------------------- */

/* Three times by a launch, and three times by a prepared one. */
static kjit_status triple_six_times(Shared *shared, kjit_stream *stream, const kjit_array *device)
{
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 128 } };
    kjit_arg args[] = { kjit_arg_array(*device), kjit_arg_float32(3) };
    kjit_prepared *prepared;

    config.stream = stream;
    kjit_status status = kjit_prepare(shared->scale, &config, args, 2, &prepared);
    for (int i = 0; i < 3 && status == KJIT_OK; i++)
        status = kjit_launch(shared->scale, &config, args, 2);
    for (int i = 0; i < 3 && status == KJIT_OK; i++)
        status = kjit_launch_prepared(prepared);
    kjit_close_prepared(prepared);
    return status;
}

static void *work_on_a_stream(void *context)
{
    Shared *shared = context;
    float x[N];
    kjit_array host = kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }), device;
    kjit_array_options options = { .size = sizeof options };
    kjit_stream *stream;

    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    pthread_barrier_wait(&shared->start);
    if (kjit_stream_new(shared->context, NULL, &stream) != KJIT_OK)
        return complaint();
    options.stream = stream;
    if (kjit_array_new(shared->context, KJIT_DTYPE_FLOAT32, 1, host.shape, &options, &device) !=
            KJIT_OK ||
        kjit_copy_on(shared->context, stream, &device, &host) != KJIT_OK ||
        triple_six_times(shared, stream, &device) != KJIT_OK ||
        kjit_copy_on(shared->context, stream, &host, &device) != KJIT_OK ||
        kjit_stream_synchronize(stream) != KJIT_OK ||
        kjit_array_free_on(shared->context, stream, &device) != KJIT_OK)
        return complaint();
    kjit_stream_close(stream);
    return x[5] == 5 * 729 ? NULL : "a wrong element";
}

static void every_thread_has_its_stream(void **state)
{
    run_threads(*state, work_on_a_stream);
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1);
}

/* The driver, too, leaves work for later here, and does it in whichever thread waits. */
static void every_thread_waits_for_its_stream(void **state)
{
    fake_cuda_lazy(true);
    run_threads(*state, work_on_a_stream);
    fake_cuda_lazy(false);
}

/* ---- modules and contexts ----------------------------------------------------------------- */

static void *load_launch_close(void *context)
{
    Shared *shared = context;
    kjit_module *module;
    kjit_kernel *scale;
    float x[N] = { 0 };

    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < 3; round++) {
        if (kjit_load_source(shared->context, kernels, "t.k", NULL, &module) != KJIT_OK ||
            kjit_get_kernel(module, "scale", &scale) != KJIT_OK ||
            KJIT_CALL(scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f) != KJIT_OK)
            return complaint();
        kjit_close_module(module);
    }
    return NULL;
}

/* Every second thread launches meanwhile. */
static void *load_or_launch(void *context)
{
    Shared *shared = context;

    return atomic_fetch_add(&shared->next, 1) % 2 ? load_launch_close(shared) : add_arrays(shared);
}

static void modules_come_and_go_beside_launches(void **state)
{
    run_threads(*state, load_or_launch);
    assert_int_equal(fake_nvrtc_calls("nvrtcCompileProgram"), 1 + 3 * THREADS / 2);
    assert_int_equal(fake_cuda_calls("cuModuleUnload"), 3 * THREADS / 2);
}

static void *open_and_close(void *context)
{
    Shared *shared = context;
    kjit_open_options options = { .size = sizeof options, .no_disk_cache = 1 };
    kjit_context *own;

    options.device = atomic_fetch_add(&shared->next, 1) % 2 ? "cuda:1" : "cuda:0";
    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        if (kjit_open(&options, &own) != KJIT_OK)
            return complaint();
        if (strcmp(kjit_device_name(own), options.device) != 0)
            return "another device";
        kjit_close(own);
    }
    return NULL;
}

static void contexts_open_side_by_side(void **state)
{
    run_threads(*state, open_and_close);
}

/* ---- faults --------------------------------------------------------------------------- */

static atomic_int left; /* launches until one faults */

static void do_break(const FakeLaunch *launch)
{
    (void)launch;
    if (atomic_fetch_sub(&left, 1) == 1)
        fake_cuda_break(700);
}

/* Launches until that fails, which it has to, and then tells the cause whatever is asked. */
static void *launch_until_broken(void *context)
{
    Shared *shared = context;
    float x[N] = { 0 };
    kjit_status status = KJIT_OK;

    pthread_barrier_wait(&shared->start);
    while (status == KJIT_OK)
        status = KJIT_CALL(shared->scale, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(x, N), 2.0f);
    if (status != KJIT_BROKEN || !strstr(kjit_error_message(), "reached outside of its arrays"))
        return complaint();
    if (kjit_synchronize(shared->context) != KJIT_BROKEN ||
        !strstr(kjit_error_message(), "reached outside of its arrays"))
        return complaint();
    return NULL;
}

static void all_threads_learn_of_a_fault(void **state)
{
    Shared *shared = *state;

    atomic_store(&left, 2 * THREADS);
    fake_cuda_kernel("scale", do_break);
    run_threads(shared, launch_until_broken);
    fake_cuda_kernel("scale", do_scale);
    expect_ok(kjit_reset(shared->context));
    run_threads(shared, add_arrays);
}

static kjit_status begin_behind(kjit_context **context)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };

    return kjit_open_behind(&options, context);
}

/* All threads need it at once, while it is being started. */
static void a_gpu_that_starts_behind_is_waited_for(void **state)
{
    Shared *shared = *state;
    kjit_context *before = shared->context;

    expect_ok(begin_behind(&shared->context));
    shared->add = must_load(shared->context, kernels, "add");
    run_threads(shared, add_arrays);
    kjit_close(shared->context);
    shared->context = before;
}

/* Whatever fails on the way, it is told by then, and each time. */
static void a_gpu_that_does_not_start_is_told_by_who_needs_it(void **state)
{
    float data[N] = { 0 };
    kjit_array host = kjit_host_array(data, KJIT_DTYPE_FLOAT32, 1, (int64_t[]){ N }), array;
    kjit_context *context;

    (void)state;
    fake_cuda_fail_at("cuDevicePrimaryCtxRetain", 1, 999);
    expect_ok(begin_behind(&context));
    for (int i = 0; i < 2; i++)
        expect(kjit_to_device(context, &host, &array), KJIT_LAUNCH,
               "starting the GPU (cuDevicePrimaryCtxRetain) failed: CUDA_ERROR_UNKNOWN");
    fake_cuda_fail(0, 0);
    kjit_close(context);
    expect_ok(begin_behind(&context)); /* and it is not needed */
    kjit_close(context);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_kernel_is_compiled_once),
        TEST(large_arrays_pass_side_by_side),
        TEST(large_arrays_pass_late),
        TEST(each_signature_is_compiled_once),
        TEST(every_thread_has_its_stream),
        TEST(every_thread_waits_for_its_stream),
        TEST(modules_come_and_go_beside_launches),
        TEST(contexts_open_side_by_side),
        TEST(all_threads_learn_of_a_fault),
        TEST(a_gpu_that_starts_behind_is_waited_for),
        TEST(a_gpu_that_does_not_start_is_told_by_who_needs_it),
    };

    return cmocka_run_group_tests(tests, pretend, NULL);
}

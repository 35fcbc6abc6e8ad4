/* What only a GPU can show: memory of its own, launches that do not wait, its limits, its faults.
** All are skipped where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <string.h>
#include <cmocka.h>

#include "include/kjit.h"

enum { N = 1000, THREADS = 8, ROUNDS = 50 };

static const char text[] = "@cuda.jit\n"
                           "def add(x, y, out):\n"
                           "    i = cuda.grid(1)\n"
                           "    if i < out.shape[0]:\n"
                           "        out[i] = x[i] + y[i]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def count(counter):\n"
                           "    cuda.atomic.add(counter, 0, 1)\n"
                           "\n"
                           "@cuda.jit\n"
                           "def reverse(x):\n"
                           "    s = cuda.shared.array(0, int32)\n"
                           "    n = x.shape[0]\n"
                           "    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):\n"
                           "        s[i] = x[i]\n"
                           "    cuda.syncthreads()\n"
                           "    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):\n"
                           "        x[i] = s[n - 1 - i]\n"
                           "\n"
                           "@cuda.jit\n"
                           "def twice(x):\n"
                           "    i, j = cuda.grid(2)\n"
                           "    if i < x.shape[0] and j < x.shape[1]:\n"
                           "        x[i, j] *= 2\n"
                           "\n"
                           "@cuda.jit\n"
                           "def far(x, n):\n"
                           "    x[n] = 1\n"
                           "\n"
                           "def deep(n):\n"
                           "    if n > 5:\n"
                           "        raise ValueError('deep', n)\n"
                           "    return 0 if n < 0 else deep(n + 1)\n"
                           "\n"
                           "@cuda.jit\n"
                           "def marks(x, limit):\n"
                           "    i = cuda.grid(1)\n"
                           "    x[i] = 1\n"
                           "    cuda.syncthreads()\n"
                           "    if i >= limit:\n"
                           "        deep(i)\n"
                           "    x[i] = 2\n";

typedef struct Device {
    kjit_context *context;
    kjit_module *module;
} Device;

static Device device;

static int open_device(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cuda", .no_disk_cache = 1 };

    (void)state;
    kjit_status status = kjit_open(&options, &device.context);
    if (status == KJIT_NO_DEVICE)
        return 0;
    return status != KJIT_OK ||
           kjit_load_source(device.context, text, "gpu.k", NULL, &device.module) != KJIT_OK;
}

static int close_device(void **state)
{
    (void)state;
    kjit_close(device.context);
    return 0;
}

static kjit_kernel *kernel(const char *name)
{
    kjit_kernel *found;

    if (!device.context)
        skip();
    assert_int_equal(kjit_get_kernel(device.module, name, &found), KJIT_OK);
    return found;
}

static void ok(kjit_status status)
{
    if (status != KJIT_OK)
        fail_msg("%s", kjit_error_message());
}

static void host_arrays_are_copied_only_as_needed(void **state)
{
    kjit_kernel *add = kernel("add");
    float x[N], y[N], out[N];
    kjit_report report = { .size = sizeof report };

    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    ok(KJIT_CALL(add, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                 KJIT_ARRAY(out, N)));
    for (int i = 0; i < N; i++)
        assert_true(out[i] == (float)i + 1);
    kjit_last_report(&report);
    assert_int_equal(report.bytes_out, sizeof out);
}

static void an_array_given_twice_is_one_array(void **state)
{
    kjit_kernel *add = kernel("add");
    float x[N];

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    ok(KJIT_CALL(add, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N), KJIT_ARRAY(x, N),
                 KJIT_ARRAY(x, N)));
    for (int i = 0; i < N; i++)
        assert_true(x[i] == 2 * (float)i);
}

static void prepared_launches_add_up(void **state)
{
    kjit_kernel *count = kernel("count");
    int32_t counter = 0;
    int64_t one = 1;
    kjit_array host = kjit_host_array(&counter, KJIT_DTYPE_INT32, 1, &one), array;
    kjit_launch_config config = { .size = sizeof config, .grid = { 4 }, .block = { 32 } };
    kjit_prepared *prepared;

    (void)state;
    ok(kjit_to_device(device.context, &host, &array));
    kjit_arg arg = kjit_arg_array(array);
    ok(kjit_prepare(count, &config, &arg, 1, &prepared));
    for (int i = 0; i < ROUNDS; i++)
        ok(kjit_launch_prepared(prepared));
    ok(kjit_synchronize(device.context));
    ok(kjit_copy_to_host(device.context, &array, &host));
    assert_int_equal(counter, ROUNDS * 128);
    kjit_close_prepared(prepared);
    kjit_array_free(device.context, &array);
}

static void host_arrays_cannot_be_prepared(void **state)
{
    kjit_kernel *count = kernel("count");
    int32_t counter = 0;
    kjit_arg arg = KJIT_ARRAY(&counter, 1);
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    kjit_prepared *prepared;

    (void)state;
    assert_int_equal(kjit_prepare(count, &config, &arg, 1, &prepared), KJIT_ARGUMENT);
    assert_null(prepared);
}

static void dynamic_shared_memory_beyond_48_kb(void **state)
{
    enum { WORDS = 20000 };
    static int32_t x[WORDS];
    kjit_kernel *reverse = kernel("reverse");
    kjit_arg arg = KJIT_ARRAY(x, WORDS);
    kjit_launch_config config = {
        .size = sizeof config, .grid = { 1 }, .block = { 256 }, .shared_bytes = sizeof x
    };

    (void)state;
    for (int i = 0; i < WORDS; i++)
        x[i] = i;
    ok(kjit_launch(reverse, &config, &arg, 1));
    for (int i = 0; i < WORDS; i++)
        assert_int_equal(x[i], WORDS - 1 - i);
    config.shared_bytes = (size_t)1 << 30;
    assert_int_equal(kjit_launch(reverse, &config, &arg, 1), KJIT_ARGUMENT);
}

static void what_lies_between_a_strided_arrays_elements_stays(void **state)
{
    int32_t memory[4][6];
    int64_t shape[2] = { 3, 4 };
    kjit_kernel *twice = kernel("twice");
    kjit_arg arg = KJIT_ARRAY(&memory[0][0], 3, 4);
    kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 8, 8 } };

    (void)state;
    for (int i = 0; i < 24; i++)
        memory[i / 6][i % 6] = i;
    arg.as.array = kjit_host_array(&memory[3][5], KJIT_DTYPE_INT32, 2, shape);
    arg.as.array.strides[0] = -(int64_t)sizeof memory[0];
    arg.as.array.strides[1] = -(int64_t)sizeof memory[0][0];
    ok(kjit_launch(twice, &config, &arg, 1));
    for (int i = 0; i < 24; i++)
        assert_int_equal(memory[i / 6][i % 6], i / 6 >= 1 && i % 6 >= 2 ? 2 * i : i);
}

static void impossible_launches_are_refused(void **state)
{
    kjit_kernel *count = kernel("count");
    int32_t counter = 0;
    kjit_arg arg = KJIT_ARRAY(&counter, 1);
    const uint32_t grids[][3] = { { 0 }, { 1, 70000 }, { 1, 1, 70000 } };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        kjit_launch_config config = { .size = sizeof config, .block = { 1 } };
        memcpy(config.grid, grids[i], sizeof config.grid);
        assert_int_equal(kjit_launch(count, &config, &arg, 1), KJIT_ARGUMENT);
    }
    kjit_launch_config wide = { .size = sizeof wide, .grid = { 1 }, .block = { 64, 32 } };
    assert_int_equal(kjit_launch(count, &wide, &arg, 1), KJIT_ARGUMENT);
    assert_int_equal(counter, 0);
}

static void a_fault_is_told_and_the_context_goes_on(void **state)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_module *module;
    kjit_kernel *far;
    int32_t x[4] = { 0 };

    (void)state;
    kernel("far");
    ok(kjit_load_source(device.context, text, "gpu.k", &options, &module));
    ok(kjit_get_kernel(module, "far", &far));
    assert_int_equal(KJIT_CALL(far, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(x, 4), 4), KJIT_FAULT);
    assert_non_null(strstr(kjit_error_message(),
                           "IndexError: index 4 is out of range for axis 0 of size 4 "
                           "(block (0, 0, 0), thread (0, 0, 0))"));
    ok(KJIT_CALL(far, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(x, 4), -1));
    assert_int_equal(x[3], 1);
}

/* With debug one of those that fail is told, without it none; all of them stop, and no others. */
static void threads_that_fail_stop(void **state)
{
    (void)state;
    for (int debug = 0; debug < 2; debug++) {
        kjit_load_options options = { .size = sizeof options, .debug = debug };
        kjit_module *module;
        kjit_kernel *marks;
        int32_t x[1024] = { 0 };

        kernel("marks");
        ok(kjit_load_source(device.context, text, "gpu.k", &options, &module));
        ok(kjit_get_kernel(module, "marks", &marks));
        for (int round = 0; round < 2; round++) {
            kjit_status status =
                KJIT_CALL(marks, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, 1024), 100);
            assert_int_equal(status, debug ? KJIT_FAULT : KJIT_OK);
            if (debug)
                assert_non_null(strstr(kjit_error_message(), "ValueError: ('deep', "));
            for (int i = 0; i < 1024; i++)
                assert_int_equal(x[i], i < 100 ? 2 : 1);
        }
        ok(KJIT_CALL(marks, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, 1024), 1024));
        assert_int_equal(x[1023], 2);
    }
}

static void *add_many_times(void *context)
{
    kjit_kernel *add = context;
    double x[N], y[N], out[N];
    uintptr_t wrong = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            x[i] = i;
            y[i] = round;
            out[i] = -1;
        }
        wrong += KJIT_CALL(add, KJIT_GRID(8), KJIT_BLOCK(128), KJIT_ARRAY(x, N), KJIT_ARRAY(y, N),
                           KJIT_ARRAY(out, N)) != KJIT_OK;
        for (int i = 0; i < N; i++)
            wrong += out[i] != i + round;
    }
    return (void *)wrong;
}

static void many_threads_share_a_context(void **state)
{
    kjit_kernel *add = kernel("add");
    pthread_t threads[THREADS];

    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many_times, add), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_arrays_are_copied_only_as_needed),
        cmocka_unit_test(an_array_given_twice_is_one_array),
        cmocka_unit_test(prepared_launches_add_up),
        cmocka_unit_test(host_arrays_cannot_be_prepared),
        cmocka_unit_test(dynamic_shared_memory_beyond_48_kb),
        cmocka_unit_test(what_lies_between_a_strided_arrays_elements_stays),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(a_fault_is_told_and_the_context_goes_on),
        cmocka_unit_test(threads_that_fail_stop),
        cmocka_unit_test(many_threads_share_a_context),
    };
    return cmocka_run_group_tests_name("a GPU", tests, open_device, close_device);
}

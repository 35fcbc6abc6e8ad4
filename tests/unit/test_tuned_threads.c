/* Threads that launch one kernel by wisdom, of several sizes, while another writes new records of
** it. Meant for ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "tests/unit/library.h"

enum { THREADS = 4, ROUNDS = 40, LENGTH = 64 };

static const char text[] = "T = 4\n"
                           "@tune(T=[4, 8, 16], block='T', problem='x.shape[0]')\n"
                           "@cuda.jit\n"
                           "def twice(x):\n"
                           "    i = cuda.blockIdx.x * T + cuda.threadIdx.x\n"
                           "    if i < x.shape[0]:\n"
                           "        x[i] *= 2\n";
static kjit_kernel *twice;
static pthread_barrier_t together;

static int launch(int64_t count)
{
    double x[LENGTH];
    int wrong = 0;
    kjit_arg arg = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT64, 1, &count));
    kjit_tuned tuned = { .size = sizeof tuned };

    for (int i = 0; i < LENGTH; i++)
        x[i] = i;
    if (kjit_launch_tuned(twice, NULL, &arg, 1) != KJIT_OK ||
        kjit_tuned_find(twice, &arg, 1, &tuned) != KJIT_OK || !strstr(tuned.configuration, "T="))
        return LENGTH;
    for (int i = 0; i < LENGTH; i++)
        wrong += x[i] != (i < count ? 2 * i : i);
    return wrong;
}

static void *launch_all(void *wrong)
{
    pthread_barrier_wait(&together);
    for (int i = 0; i < ROUNDS; i++)
        *(int *)wrong += launch(1 + i * 7 % LENGTH);
    return NULL;
}

/* A record for each of a few sizes. */
static int add_records(void)
{
    double x[LENGTH] = { 0 };
    kjit_space *space;
    int failed = 0;

    expect_ok(kjit_space_new(twice, &space));
    for (uint32_t i = 0; i < 6; i++) {
        const int64_t count = 8 * (i + 1);
        kjit_arg arg = kjit_arg_array(kjit_host_array(x, KJIT_DTYPE_FLOAT64, 1, &count));
        failed += kjit_wisdom_add(space, &(uint32_t){ i % 3 }, &arg, 1, "time", 1, NULL) != KJIT_OK;
    }
    kjit_space_close(space);
    return failed;
}

static void launches_are_right_while_records_are_written(void **state)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = { 0 };
    kjit_module *module;
    char path[256];

    (void)state;
    write_file("twice.k", text);
    snprintf(path, sizeof path, "%s/twice.k", folder);
    expect_ok(kjit_load_file(context, path, NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &twice));
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS + 1), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_all, &wrong[i]), 0);
    pthread_barrier_wait(&together);
    int failed = add_records();
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
    assert_int_equal(failed, 0);
    pthread_barrier_destroy(&together);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_right_while_records_are_written),
    };

    return cmocka_run_group_tests(tests, open_all, close_all);
}

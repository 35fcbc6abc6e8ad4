/* Threads that launch under KJIT_CAPTURE, the same and different kinds at once: each kind is
** captured once. Meant for ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <pthread.h>

#include "tests/unit/library.h"

enum { THREADS = 8, KINDS = 5, ROUNDS = 4 };

static kjit_kernel *twice;
static pthread_barrier_t together;

static void *launch_all(void *failed)
{
    double a[KINDS] = { 1, 2, 3, 4, 5 }, b[KINDS];

    pthread_barrier_wait(&together);
    for (int i = 0; i < ROUNDS * KINDS; i++) {
        int64_t count = i % KINDS + 1;
        kjit_status status = KJIT_CALL(twice, KJIT_GRID(1), KJIT_BLOCK(KINDS), KJIT_ARRAY(a, count),
                                       KJIT_ARRAY(b, count));
        if (status != KJIT_OK || b[count - 1] != (double)(2 * count))
            *(int *)failed = 1;
    }
    return NULL;
}

static void each_kind_is_captured_once(void **state)
{
    kjit_counters done = { .size = sizeof done };
    pthread_t threads[THREADS];
    int failed[THREADS] = { 0 };
    char pattern[128];
    glob_t found;

    (void)state;
    twice = kernel_of(double_text);
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_all, &failed[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failed[i], 0);
    }
    pthread_barrier_destroy(&together);
    kjit_count(context, &done);
    assert_int_equal(done.captures, KINDS);
    assert_int_equal(done.capture_failures, 0);
    assert_int_equal(done.launches, THREADS * ROUNDS * KINDS);
    snprintf(pattern, sizeof pattern, "%s/twice-*/launch.txt", getenv("KJIT_CAPTURE"));
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, KINDS);
    for (int i = 0; i < KINDS; i++) {
        kjit_replay *replay;
        expect_ok(kjit_replay_open(found.gl_pathv[i], &replay));
        kjit_replay_close(replay);
    }
    globfree(&found);
}

static int open_capturing(void **state)
{
    static char captures[] = "/tmp/kjit-capture-XXXXXX";

    if (!mkdtemp(captures))
        return -1;
    setenv("KJIT_CAPTURE", captures, 1);
    return open_all(state);
}

static int close_capturing(void **state)
{
    char command[192];

    snprintf(command, sizeof command, "rm -rf %s", getenv("KJIT_CAPTURE"));
    return close_all(state) || system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_kind_is_captured_once) };

    return cmocka_run_group_tests_name("capture by threads", tests, open_capturing,
                                       close_capturing);
}

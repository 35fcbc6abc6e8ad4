/* The threads that work is shared out to: every part is done once, whoever asks, from wherever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/crew.h"
#include "tests/unit/library.h"

enum { PARTS = 1000, CALLERS = 6, ROUNDS = 200, THREADS = 4 };

typedef struct Work {
    atomic_int next, done[PARTS];
    atomic_uint members; /* a bit each */
    int inner;           /* jobs that each part gives out in turn */
} Work;

static void do_parts(void *job, int member);

static void do_all(Work *work)
{
    crew_run(do_parts, work, THREADS);
}

static void do_parts(void *job, int member)
{
    Work *work = job;
    int part;

    atomic_fetch_or(&work->members, 1u << member);
    while ((part = atomic_fetch_add(&work->next, 1)) < PARTS) {
        atomic_fetch_add(&work->done[part], 1);
        if (part % 100 == 0 && work->inner) {
            Work *own = calloc(1, sizeof *own);
            do_all(own);
            free(own);
        }
    }
}

static bool all_done_once(Work *work)
{
    bool once = true;

    for (int i = 0; i < PARTS; i++)
        once = once && atomic_load(&work->done[i]) == 1;
    return once && (atomic_load(&work->members) & 1) && atomic_load(&work->members) < 1u << THREADS;
}

/* NULL, or what is wrong. */
static void *ask_often(void *asked)
{
    static char wrong[] = "a part was not done once";
    const int *inner = asked;

    for (int round = 0; round < ROUNDS; round++) {
        Work *work = calloc(1, sizeof *work);
        work->inner = *inner;
        do_all(work);
        bool right = all_done_once(work);
        free(work);
        if (!right)
            return wrong;
    }
    return NULL;
}

static void every_part_is_done_once(void **state)
{
    int inner = 0;

    (void)state;
    assert_null(ask_often(&inner));
}

static void many_ask_at_once_and_from_within(void **state)
{
    pthread_t callers[CALLERS];
    int inner[CALLERS];
    void *wrong;

    (void)state;
    for (int i = 0; i < CALLERS; i++) {
        inner[i] = i % 2;
        assert_int_equal(pthread_create(&callers[i], NULL, ask_often, &inner[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i], &wrong);
        assert_null(wrong);
    }
}

static void a_child_has_helpers_of_its_own(void **state)
{
    int inner = 0, status;

    (void)state;
    assert_null(ask_often(&inner));
    pid_t child = fork();
    if (child == 0)
        _exit(ask_often(&inner) != NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void as_many_threads_as_a_context_says(void **state)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu", .threads = 2000 };
    kjit_device_info info = { .size = sizeof info };
    kjit_context *opened;

    (void)state;
    expect(kjit_open(&options, &opened), KJIT_ARGUMENT, "cannot have 2000 threads");
    options.threads = -1;
    expect(kjit_open(&options, &opened), KJIT_ARGUMENT, "from 1 to 1024");
    options.threads = 3;
    expect_ok(kjit_open(&options, &opened));
    expect_ok(kjit_device_facts(opened, &info));
    assert_int_equal(info.processors, 3);
    kjit_close(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_once),
        cmocka_unit_test(many_ask_at_once_and_from_within),
        cmocka_unit_test(a_child_has_helpers_of_its_own),
        cmocka_unit_test(as_many_threads_as_a_context_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

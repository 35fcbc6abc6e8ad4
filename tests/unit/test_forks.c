/* Processes that are forked while a thread of theirs is in the middle of something: the child lacks
** that thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "runtime/check/check.h"
#include "tests/unit/library.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool inside, left, may_go;

static void wait_until(atomic_bool *flag)
{
    while (!*flag)
        usleep(100);
}

static void *be_inside(void *none)
{
    forks_lock(&lock);
    inside = true;
    usleep(20000);
    left = true;
    forks_unlock(&lock);
    return none;
}

static void expect_exit(pid_t child, int wanted)
{
    int ended;

    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), wanted);
}

static void a_fork_waits_for_short_locks(void **state)
{
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, be_inside, NULL), 0);
    wait_until(&inside);
    pid_t child = fork();
    if (child == 0) {
        alarm(600);
        bool whole = left;
        forks_lock(&lock);
        forks_unlock(&lock);
        _exit(whole ? 0 : 1);
    }
    expect_exit(child, 0);
    pthread_join(thread, NULL);
}

/* Compiles again and again, so that some fork finds it in the front end. */
static void *go_on_compiling(void *none)
{
    while (!may_go) {
        kjit_module *module;
        kjit_kernel *kernel;
        if (kjit_load_source(context, double_text, "t.k", NULL, &module) != KJIT_OK)
            break;
        float a[4] = { 0 };
        if (kjit_get_kernel(module, NULL, &kernel) == KJIT_OK)
            kjit_compile(kernel, (kjit_arg[]){ KJIT_ARRAY(a, 4), KJIT_ARRAY(a, 4) }, 2);
        kjit_close_module(module);
    }
    return none;
}

/* The address sanitizer allocates under locks of its own, which a child may find taken for good. */
#if defined __SANITIZE_ADDRESS__
#define CHILDREN_ALLOCATE 0
#elif defined __has_feature
#define CHILDREN_ALLOCATE !__has_feature(address_sanitizer)
#else
#define CHILDREN_ALLOCATE 1
#endif

static void children_compile_whatever_their_parents_did(void **state)
{
    pthread_t threads[2];
    float a[4] = { 1, 2, 3, 4 }, b[4];

    (void)state;
    if (!CHILDREN_ALLOCATE)
        skip();
    may_go = false;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, go_on_compiling, NULL), 0);
    for (int i = 0; i < 20; i++) {
        usleep(1000);
        pid_t child = fork();
        if (child == 0) {
            alarm(600);
            _exit(KJIT_CALL(kernel_of(double_text), KJIT_GRID(1), KJIT_BLOCK(4), KJIT_ARRAY(a, 4),
                            KJIT_ARRAY(b, 4)) != KJIT_OK ||
                  b[3] != 8);
        }
        expect_exit(child, 0);
    }
    may_go = true;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void linger(KjitCheck *c, void *const *params)
{
    (void)c, (void)params;
    inside = true;
    while (!may_go)
        usleep(100);
}

static void end_at_once(KjitCheck *c, void *const *params)
{
    (void)c, (void)params;
}

static kjit_status check(void thread(KjitCheck *, void *const *))
{
    CheckRequest request = { .thread = thread, .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
    CheckReport report = { 0 };
    kjit_status status = check_run(&request, &report);

    check_report_free(&report);
    return status;
}

static void *check_for_long(void *status)
{
    *(kjit_status *)status = check(linger);
    return NULL;
}

static void a_child_of_a_checking_process_says_so(void **state)
{
    kjit_status status = KJIT_INTERNAL;
    pthread_t thread;

    (void)state;
    inside = may_go = false;
    assert_int_equal(pthread_create(&thread, NULL, check_for_long, &status), 0);
    wait_until(&inside);
    pid_t child = fork();
    if (child == 0) {
        alarm(600);
        _exit(check(end_at_once) != KJIT_UNSUPPORTED ||
              !strstr(kjit_error_message(), "was forked"));
    }
    expect_exit(child, 0);
    may_go = true;
    pthread_join(thread, NULL);
    assert_int_equal(status, KJIT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fork_waits_for_short_locks),
        cmocka_unit_test(children_compile_whatever_their_parents_did),
        cmocka_unit_test(a_child_of_a_checking_process_says_so),
    };

    return cmocka_run_group_tests_name("forks", tests, open_all, close_all);
}

/* Threads that launch one kernel over arrays that overlap and arrays that do not, while better code
** is compiled behind them, and contexts that are closed meanwhile. Meant for ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "tests/unit/library.h"

enum { THREADS = 4, ROUNDS = 6, LENGTH = 40 };

static const char after_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def after(a, b):\n"
                                 "    for i in range(b.size):\n"
                                 "        a[i] = b[i] + 1\n";
static kjit_kernel *after;
static pthread_barrier_t together;

/* How many elements are wrong, with `distance` elements between the arrays. */
static int launch_at(kjit_kernel *kernel, int distance)
{
    float a[2 * LENGTH] = { 0 };
    int wrong = 0;

    if (KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), KJIT_ARRAY(a + distance, LENGTH),
                  KJIT_ARRAY(a, LENGTH)) != KJIT_OK)
        return LENGTH;
    for (int i = 0; i < LENGTH; i++) /* each is one more than the one so far before it */
        wrong += a[i + distance] != (float)(i / distance + 1);
    return wrong;
}

static void *launch_all(void *wrong)
{
    pthread_barrier_wait(&together);
    for (int i = 0; i < ROUNDS; i++)
        *(int *)wrong += launch_at(after, i % 2 ? LENGTH : 1 + i);
    return NULL;
}

static void launches_of_all_kinds_are_right_at_once(void **state)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = { 0 };

    (void)state;
    after = kernel_of(after_text);
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_all, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
    pthread_barrier_destroy(&together);
}

/* Another context with the kernel, which has something to compile behind its launches. */
static kjit_context *open_busy(kjit_module **module)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *other;
    kjit_kernel *kernel;

    expect_ok(kjit_open(&options, &other));
    expect_ok(kjit_load_source(other, after_text, "t.k", NULL, module));
    expect_ok(kjit_get_kernel(*module, NULL, &kernel));
    assert_int_equal(launch_at(kernel, 1), 0);
    assert_int_equal(launch_at(kernel, LENGTH), 0);
    return other;
}

static void a_context_may_be_closed_while_code_is_compiled_behind(void **state)
{
    kjit_module *module;

    (void)state;
    for (int i = 0; i < 2; i++)
        kjit_close(open_busy(&module));
}

static void a_module_may_be_closed_while_code_is_compiled_behind(void **state)
{
    kjit_module *module;
    kjit_context *other = open_busy(&module);
    kjit_kernel *kernel;

    (void)state;
    kjit_close_module(module);
    expect_ok(kjit_load_source(other, after_text, "t.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    assert_int_equal(launch_at(kernel, 1), 0);
    kjit_close(other);
}

static void a_prepared_launch_waits_for_code_that_is_compiled_behind(void **state)
{
    kjit_module *module;
    kjit_context *other = open_busy(&module);
    kjit_kernel *kernel;
    float a[2 * LENGTH] = { 0 };
    const kjit_arg args[] = { KJIT_ARRAY(a + LENGTH, LENGTH), KJIT_ARRAY(a, LENGTH) };
    const kjit_launch_config config = { .size = sizeof config, .grid = { 1 }, .block = { 1 } };
    kjit_prepared *prepared;

    (void)state;
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared));
    size_t count = kjit_specialisation_count(kernel);
    assert_true(count >= 2);
    expect_ok(kjit_launch_prepared(prepared));
    assert_true(a[LENGTH] == 1);
    kjit_close_prepared(prepared);
    assert_int_equal(launch_at(kernel, LENGTH), 0);
    assert_int_equal(kjit_specialisation_count(kernel), count);
    kjit_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_of_all_kinds_are_right_at_once),
        cmocka_unit_test(a_context_may_be_closed_while_code_is_compiled_behind),
        cmocka_unit_test(a_module_may_be_closed_while_code_is_compiled_behind),
        cmocka_unit_test(a_prepared_launch_waits_for_code_that_is_compiled_behind),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

/* What debug reports to the program that launches, and what goes on after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

static void debug_names_line_block_and_thread(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(a):\n"
                               "    i = cuda.grid(1)\n"
                               "    a[i] = 1\n";
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(text, &options);
    int32_t a[5] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(5), KJIT_ARRAY(a, 5)));
    expect(KJIT_CALL(kernel, KJIT_GRID(3), KJIT_BLOCK(2), KJIT_ARRAY(a, 5)), KJIT_FAULT, "t.k:5:");
    assert_non_null(strstr(kjit_error_message(), " (block (2, 0, 0), thread (1, 0, 0))"));
}

/* Every thread marks its place, fails where `limit` says, and then marks it again. */
static const char marks_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def k(a, limit):\n"
                                 "    i = cuda.grid(1)\n"
                                 "    a[i] = 1\n"
                                 "    cuda.syncthreads()\n"
                                 "    assert i < limit, (i, limit)\n"
                                 "    a[i] = 2\n";

static int count_of(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void one_thread_is_reported_and_all_that_fail_stop(void **state)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(marks_text, &options);
    int32_t a[64] = { 0 };

    (void)state;
    expect(KJIT_CALL(kernel, KJIT_GRID(8), KJIT_BLOCK(8), KJIT_ARRAY(a, 64), 4), KJIT_FAULT,
           ", 4) (block (");
    assert_int_equal(count_of(kjit_error_message(), "AssertionError"), 1);
    for (int i = 0; i < 64; i++)
        assert_int_equal(a[i], i < 4 ? 2 : 1);
}

static void the_next_launch_works(void **state)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(marks_text, &options);
    int32_t a[16] = { 0 };

    (void)state;
    for (int round = 0; round < 3; round++) {
        expect(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(8), KJIT_ARRAY(a, 16), 0), KJIT_FAULT,
               "t.k:7:5: AssertionError");
        assert_int_equal(a[15], 1);
        expect_ok(KJIT_CALL(kernel, KJIT_GRID(2), KJIT_BLOCK(8), KJIT_ARRAY(a, 16), 16));
        assert_int_equal(a[15], 2);
    }
}

static void a_prepared_launch_reports_and_goes_on(void **state)
{
    kjit_load_options options = { .size = sizeof options, .debug = 1 };
    kjit_kernel *kernel = kernel_with(marks_text, &options);
    kjit_launch_config config = { .size = sizeof config,
                                  .grid = { 1, 1, 1 },
                                  .block = { 2, 1, 1 } };
    int32_t a[2] = { 0 }, limit[1] = { 1 };
    kjit_array host = kjit_host_array(a, KJIT_DTYPE_INT32, 1, (int64_t[]){ 2 }), device;
    kjit_prepared *prepared;

    (void)state;
    expect_ok(kjit_to_device(context, &host, &device));
    kjit_arg args[] = { kjit_arg_array(device), kjit_arg_int32(*limit) };
    expect_ok(kjit_prepare(kernel, &config, args, 2, &prepared));
    for (int round = 0; round < 2; round++)
        expect(kjit_launch_prepared(prepared), KJIT_FAULT,
               "AssertionError: (1, 1) (block (0, 0, 0)");
    kjit_close_prepared(prepared);
    expect_ok(kjit_copy_to_host(context, &device, &host));
    assert_int_equal(a[0], 2);
    assert_int_equal(a[1], 1);
    kjit_array_free(context, &device);
}

static void without_debug_nothing_is_said(void **state)
{
    int32_t a[64] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel_of(marks_text), KJIT_GRID(8), KJIT_BLOCK(8), KJIT_ARRAY(a, 64), 4));
    for (int i = 0; i < 64; i++)
        assert_int_equal(a[i], i < 4 ? 2 : 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debug_names_line_block_and_thread),
        cmocka_unit_test(one_thread_is_reported_and_all_that_fail_stop),
        cmocka_unit_test(the_next_launch_works),
        cmocka_unit_test(a_prepared_launch_reports_and_goes_on),
        cmocka_unit_test(without_debug_nothing_is_said),
    };

    return cmocka_run_group_tests_name("debug", tests, open_all, close_all);
}

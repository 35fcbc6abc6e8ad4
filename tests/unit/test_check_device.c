/* The device "check" from outside: what is found, and what else a context can do there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/library.h"

static int forget(void **state)
{
    const kjit_check_options plain = { .size = sizeof plain };

    (void)state;
    kjit_check_clear(context);
    return kjit_check_set(context, &plain);
}

static const char count_text[] = "from numba import cuda\n"
                                 "@cuda.jit\n"
                                 "def count(out):\n"
                                 "    out[0] += 1\n";

static const char sum_text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def add(x, out):\n"
                               "    i = cuda.grid(1)\n"
                               "    if i < x.size:\n"
                               "        out[i] += x[i]\n";

static kjit_check_finding finding_at(size_t index)
{
    kjit_check_finding finding = { .size = sizeof finding };

    expect_ok(kjit_check_finding_at(context, index, &finding));
    return finding;
}

static void a_race_is_found_with_both_places(void **state)
{
    kjit_kernel *kernel = kernel_of(count_text);
    int32_t out[1] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(out, 1)));
    assert_true(kjit_check_count(context) > 0);
    kjit_check_finding finding = finding_at(0);
    assert_string_equal(finding.rule, "race");
    assert_string_equal(finding.kernel, "count");
    assert_string_equal(finding.element, "out[0]");
    assert_int_equal(finding.advice, 0);
    assert_true(finding.times > 1);
    assert_string_equal(finding.at.file, "t.k");
    assert_int_equal(finding.at.line, 4);
    assert_int_equal(finding.other.line, 4);
    assert_true(finding.at.known && finding.other.known);
    assert_int_not_equal(finding.at.thread[0], finding.other.thread[0]);
    assert_non_null(strstr(finding.text, "t.k:4:"));
    assert_non_null(strstr(finding.text, "    4 |     out[0] += 1\n"));
}

static void findings_of_the_same_lines_are_one(void **state)
{
    kjit_kernel *kernel = kernel_of(count_text);
    int32_t out[1] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(out, 1)));
    size_t count = kjit_check_count(context);
    uint64_t times = finding_at(0).times;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(out, 1)));
    assert_int_equal(kjit_check_count(context), count);
    assert_int_equal(finding_at(0).times, 2 * times);
    kjit_check_clear(context);
    assert_int_equal(kjit_check_count(context), 0);
}

static void findings_outlive_their_module(void **state)
{
    kjit_module *module;
    kjit_kernel *kernel;
    int32_t out[1] = { 0 };

    (void)state;
    expect_ok(kjit_load_source(context, count_text, "gone.k", NULL, &module));
    expect_ok(kjit_get_kernel(module, NULL, &kernel));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(64), KJIT_ARRAY(out, 1)));
    kjit_close_module(module);
    assert_non_null(strstr(finding_at(0).text, "gone.k:4:"));
}

static void host_arrays_count_as_written_unless_they_say(void **state)
{
    kjit_kernel *kernel = kernel_of(sum_text);
    float x[32] = { 1 }, out[32] = { 2 };
    kjit_arg args[] = { KJIT_ARRAY(x, 32), KJIT_ARRAY(out, 32) };

    (void)state;
    expect_ok(kjit_call(kernel, KJIT_GRID(1), KJIT_BLOCK(32), args, 2));
    assert_int_equal(kjit_check_count(context), 0);
    assert_float_equal(out[0], 3, 0);
    args[1].as.array.flags = KJIT_UNWRITTEN;
    expect_ok(kjit_call(kernel, KJIT_GRID(1), KJIT_BLOCK(32), args, 2));
    assert_int_equal(kjit_check_count(context), 1);
    assert_string_equal(finding_at(0).rule, "unwritten");
    assert_string_equal(finding_at(0).element, "out[0]");
}

static void device_arrays_are_unwritten_until_something_is_copied(void **state)
{
    kjit_kernel *kernel = kernel_of(sum_text);
    const int64_t shape[] = { 32 };
    float x[32] = { 1 }, back[32];
    kjit_array host = kjit_host_array(x, KJIT_DTYPE_FLOAT32, 1, shape), there, out;
    kjit_array result = kjit_host_array(back, KJIT_DTYPE_FLOAT32, 1, shape);

    (void)state;
    expect_ok(kjit_to_device(context, &host, &there));
    expect_ok(kjit_array_new(context, KJIT_DTYPE_FLOAT32, 1, shape, NULL, &out));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(32), there, out));
    assert_int_equal(kjit_check_count(context), 1);
    assert_string_equal(finding_at(0).rule, "unwritten");
    kjit_check_clear(context);
    expect_ok(kjit_array_zero(context, NULL, &out));
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(32), there, out));
    assert_int_equal(kjit_check_count(context), 0);
    expect_ok(kjit_copy(context, &result, &out));
    assert_float_equal(back[0], 1, 0);
    expect_ok(kjit_array_free(context, &there));
    expect_ok(kjit_array_free(context, &out));
}

static void other_devices_check_nothing(void **state)
{
    const kjit_check_options plain = { .size = sizeof plain };

    (void)state;
    expect(kjit_check_set(processor, &plain), KJIT_ARGUMENT, "device cpu checks nothing");
    assert_int_equal(kjit_check_count(processor), 0);
    kjit_check_clear(processor);
}

static void there_is_no_finding_beyond_the_last(void **state)
{
    kjit_check_finding finding = { .size = sizeof finding };

    (void)state;
    expect(kjit_check_finding_at(context, 0, &finding), KJIT_ARGUMENT, "no finding 0");
}

static void rules_have_names_and_sentences(void **state)
{
    kjit_check_rule rule = { .size = sizeof rule };
    int advice = 0, count = 0;

    (void)state;
    for (; kjit_check_rule_at((size_t)count, &rule); count++) {
        assert_true(*rule.name);
        assert_int_equal(rule.about[strlen(rule.about) - 1], '.');
        assert_true(rule.advice >= advice); /* advice comes last */
        advice = rule.advice;
    }
    assert_true(count > 15 && advice);
}

static void kernels_without_source_are_refused(void **state)
{
    kjit_kernel *kernel = kernel_of(count_text);
    int32_t out[1] = { 0 };
    const kjit_arg args[] = { KJIT_ARRAY(out, 1) };

    (void)state;
    expect(kjit_replace_text(kernel, args, 1, "c", "int x;", "x.c"), KJIT_UNSUPPORTED,
           "text of its own");
}

static void tuples_of_arrays_have_their_names(void **state)
{
    static const char text[] = "from numba import cuda\n"
                               "@cuda.jit\n"
                               "def k(t):\n"
                               "    t[1][0][1] = cuda.grid(1)\n";
    kjit_kernel *kernel = kernel_of(text);
    int32_t a[4] = { 0 };

    (void)state;
    expect_ok(KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(2),
                        KJIT_TUPLE(1, KJIT_TUPLE(KJIT_ARRAY(a, 4)))));
    assert_true(kjit_check_count(context) > 0);
    assert_string_equal(finding_at(0).element, "t[1][0][1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_race_is_found_with_both_places, forget),
        cmocka_unit_test_setup(findings_of_the_same_lines_are_one, forget),
        cmocka_unit_test_setup(findings_outlive_their_module, forget),
        cmocka_unit_test_setup(host_arrays_count_as_written_unless_they_say, forget),
        cmocka_unit_test_setup(device_arrays_are_unwritten_until_something_is_copied, forget),
        cmocka_unit_test_setup(other_devices_check_nothing, forget),
        cmocka_unit_test_setup(there_is_no_finding_beyond_the_last, forget),
        cmocka_unit_test_setup(rules_have_names_and_sentences, forget),
        cmocka_unit_test_setup(kernels_without_source_are_refused, forget),
        cmocka_unit_test_setup(tuples_of_arrays_have_their_names, forget),
    };

    return cmocka_run_group_tests(tests, open_check, close_check);
}

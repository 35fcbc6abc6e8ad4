/* What findings say: rules, elements, messages, how often; and advice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/check.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static void outside(KjitCheck *c, void *const *params)
{
    int32_t *place = GLOBAL < COUNT ? c->ops->access(c, 0, &Y[GLOBAL], 4, CHECK_WRITE)
                                    : c->ops->outside(c, 0, 0, GLOBAL, COUNT, 4, CHECK_WRITE);
    *place = 1;
    c->ops->end(c);
}

static void unwritten_global(KjitCheck *c, void *const *params)
{
    load(c, 0, &Y[GLOBAL + 5]);
    c->ops->end(c);
}

static void unwritten_shared(KjitCheck *c, void *const *params)
{
    (void)params;
    if (THREAD != 7)
        store(c, 0, &TILE[THREAD], 1);
    sync(c, 1);
    load(c, 2, &TILE[THREAD]);
    c->ops->end(c);
}

static void unwritten_local(KjitCheck *c, void *const *params)
{
    int32_t local[4];
    c->ops->local(c, 0, local, sizeof local);
    store(c, 1, &local[GLOBAL % 2], 1);
    store(c, 3, &Y[GLOBAL], load(c, 2, &local[1]));
    c->ops->end(c);
}

static void written_local(KjitCheck *c, void *const *params)
{
    int32_t local[4];
    c->ops->local(c, 0, local, sizeof local);
    for (int i = 0; i < 4; i++)
        store(c, 1, &local[i], i);
    sync(c, 4);
    store(c, 3, &Y[GLOBAL], load(c, 2, &local[THREAD % 4]));
    c->ops->end(c);
}

static void misaligned(KjitCheck *c, void *const *params)
{
    store(c, 0, (int32_t *)((char *)X + 4 * GLOBAL + 2), 1);
    c->ops->end(c);
}

static void wrong(KjitCheck *c, void *const *params)
{
    double big = 1e10, one = 1;
    int64_t bits, other;
    (void)params;
    memcpy(&bits, &big, sizeof bits);
    memcpy(&other, &one, sizeof other);
    c->ops->wrong(c, 0, CHECK_ZERO_DIVISION, 5, 0);
    c->ops->wrong(c, 1, CHECK_INDEX_OVERFLOW, INT32_MAX, 2);
    c->ops->wrong(c, 2, CHECK_SHIFT, 1, 64);
    c->ops->wrong(c, 3, CHECK_CAST, bits, 32);
    c->ops->wrong(c, 4, CHECK_NAN, other, other);
    c->ops->wrong(c, 5, CHECK_INFINITY, other, other);
    c->ops->end(c);
}

static void fails(KjitCheck *c, void *const *params)
{
    int64_t integers[FAULT_VALUES] = { THREAD };
    double floats[FAULT_VALUES] = { 0, 2.5 };
    (void)params;
    if (THREAD == 3)
        c->ops->fault(c, 1, integers, floats);
    c->ops->end(c);
}

static void columns(KjitCheck *c, void *const *params)
{
    store(c, 0, &Y[32 * THREAD], load(c, 1, &X[THREAD]));
    store(c, 2, &TILE[32 * THREAD % 1024], 1);
    c->ops->branch(c, 3, THREAD % 2);
    atomic_add(c, 4, &X[0], 1);
    c->ops->end(c);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const CheckFinding *only_finding(const Trial *trial, CheckRule rule)
{
    if (trial->report.count != 1)
        fail_msg("%d findings; the last: %s", trial->report.count,
                 trial->report.count ? trial->report.findings[trial->report.count - 1].message
                                     : "none");
    assert_int_equal(trial->report.findings[0].rule, rule);
    return &trial->report.findings[0];
}

static void test_an_index_out_of_range_is_told_once_and_counted(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, outside, 100, 2, 64);
    trial.sites[0].array = "y";
    trial_run(&trial);
    const CheckFinding *found = only_finding(&trial, FOUND_OUT_OF_BOUNDS);
    assert_string_equal(found->message, "index 100 is out of range for axis 0 of size 100");
    assert_int_equal(found->times, 28);
    assert_int_equal(found->at.block[0], 1);
    assert_int_equal(found->at.thread[0], 36);
    trial_run(&trial);
    assert_int_equal(only_finding(&trial, FOUND_OUT_OF_BOUNDS)->times, 56);
    trial_close(&trial);
}

static void test_memory_that_nobody_wrote_is_told_wherever_it_is(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, unwritten_global, 100, 1, 32);
    trial_run(&trial);
    assert_string_equal(only_finding(&trial, FOUND_UNWRITTEN)->element, "y[5]");
    trial_close(&trial);
    trial_open(&trial, unwritten_shared, 100, 2, 32);
    trial_run(&trial);
    const CheckFinding *found = only_finding(&trial, FOUND_UNWRITTEN);
    assert_string_equal(found->element, "tile[7]");
    assert_int_equal(found->times, 2);
    trial_close(&trial);
    trial_open(&trial, unwritten_local, 100, 1, 32);
    trial_run(&trial);
    found = only_finding(&trial, FOUND_UNWRITTEN);
    assert_string_equal(found->element, "local");
    assert_int_equal(found->times, 16);
    trial_close(&trial);
    trial_open(&trial, written_local, 100, 1, 64);
    trial_run(&trial);
    assert_int_equal(trial.report.count, 0);
    trial_close(&trial);
}

static void test_what_the_host_marks_has_values_to_the_byte(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, unwritten_global, 1000, 1, 512);
    check_memory_mark(trial.y, 4 * 517, true);
    trial_run(&trial);
    assert_int_equal(trial.report.count, 0);
    check_memory_mark(&trial.y[516], 4, false);
    trial_run(&trial);
    assert_string_equal(only_finding(&trial, FOUND_UNWRITTEN)->element, "y[516]");
    check_memory_mark(trial.y, 4 * 300, false);
    trial_run(&trial);
    assert_int_equal(only_finding(&trial, FOUND_UNWRITTEN)->times, 1 + 1 + 295);
    trial_close(&trial);
}

static void test_elements_at_odd_addresses_are_told_and_not_touched(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, misaligned, 100, 1, 32);
    trial_run(&trial);
    assert_string_equal(only_finding(&trial, FOUND_MISALIGNED)->element, "x[0]");
    for (int i = 0; i < 100; i++)
        assert_int_equal(trial.x[i], 0);
    trial_close(&trial);
}

static void test_arithmetic_tells_its_numbers(void **state)
{
    (void)state;
    static const struct {
        CheckRule rule;
        const char *message;
    } expected[] = { { FOUND_ZERO_DIVISION, "5 is divided by zero" },
                     { FOUND_INDEX_OVERFLOW, "2147483647 and 2" },
                     { FOUND_INVALID_SHIFT, "1 is shifted by 64 bits" },
                     { FOUND_CAST_OVERFLOW, "1e+10 is beyond the integers of 32 bits" },
                     { FOUND_NAN_BORN, "NaN" },
                     { FOUND_INFINITY_BORN, "infinity" } };
    for (int nan = 0; nan < 2; nan++) {
        Trial trial;
        trial_open(&trial, wrong, 100, 1, 32);
        trial.request.nan = nan;
        trial_run(&trial);
        assert_int_equal(trial.report.count, nan ? 6 : 4);
        for (int i = 0; i < trial.report.count; i++) {
            assert_int_equal(trial.report.findings[i].rule, expected[i].rule);
            assert_non_null(strstr(trial.report.findings[i].message, expected[i].message));
            assert_int_equal(trial.report.findings[i].times, 32);
        }
        trial_close(&trial);
    }
}

static void test_an_assertion_says_its_message(void **state)
{
    (void)state;
    static const EmitFault faults[] = { { .message = "other" }, { .message = "%d of %g, 100 %%" } };
    Trial trial;
    trial_open(&trial, fails, 100, 2, 32);
    trial.request.faults = faults;
    trial_run(&trial);
    const CheckFinding *found = only_finding(&trial, FOUND_ASSERTION);
    assert_string_equal(found->message, "3 of 2.5, 100 %");
    assert_int_equal(found->fault, 1);
    assert_int_equal(found->times, 2);
    trial_close(&trial);
}

static void test_elements_of_arrays_with_any_strides_are_named(void **state)
{
    (void)state;
    Trial trial;
    trial_open(&trial, unwritten_global, 100, 1, 1);
    int64_t shape[] = { 4, 5 }, strides[] = { -20, 4 };
    trial.arrays[1] = (CheckArray){ "y", trial.y + 15, 2, shape, strides, 4, false };
    trial_run(&trial); /* 5 elements from where the last row begins */
    assert_string_equal(only_finding(&trial, FOUND_UNWRITTEN)->element, "y[2, 0]");
    trial_close(&trial);
}

static void test_advice_counts_what_a_warp_does_at_once(void **state)
{
    (void)state;
    static const struct {
        CheckRule rule;
        int site;
        const char *message;
    } expected[] = { { FOUND_UNCOALESCED, 0, "8.0 times" },
                     { FOUND_BANK_CONFLICT, 2, "32.0 rounds" },
                     { FOUND_DIVERGENT_BRANCH, 3, "100 %" },
                     { FOUND_CONTENTION, 4, "32.0 lanes" } };
    Trial trial;
    trial_open(&trial, columns, 2048, 1, 32);
    trial_run(&trial);
    for (int i = 0; i < trial.report.count; i++)
        assert_false(check_rule_is_advice(trial.report.findings[i].rule));
    check_report_free(&trial.report);
    trial.request.advise = true;
    trial_run(&trial);
    int at = 0;
    for (int i = 0; i < trial.report.count; i++) {
        const CheckFinding *found = &trial.report.findings[i];
        if (!check_rule_is_advice(found->rule))
            continue;
        assert_true(at < (int)ARRAY_COUNT(expected));
        assert_int_equal(found->rule, expected[at].rule);
        assert_int_equal(found->at.site, expected[at].site);
        assert_non_null(strstr(found->message, expected[at].message));
        at++;
    }
    assert_int_equal(at, ARRAY_COUNT(expected));
    trial_close(&trial);
    trial_open(&trial, outside, 100, 1, 80);
    trial.request.advise = true;
    trial_run(&trial);
    assert_non_null(strstr(only_finding(&trial, FOUND_PARTIAL_WARP)->message, "16 lanes of 96"));
    trial_close(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_index_out_of_range_is_told_once_and_counted),
        cmocka_unit_test(test_memory_that_nobody_wrote_is_told_wherever_it_is),
        cmocka_unit_test(test_what_the_host_marks_has_values_to_the_byte),
        cmocka_unit_test(test_elements_at_odd_addresses_are_told_and_not_touched),
        cmocka_unit_test(test_arithmetic_tells_its_numbers),
        cmocka_unit_test(test_an_assertion_says_its_message),
        cmocka_unit_test(test_elements_of_arrays_with_any_strides_are_named),
        cmocka_unit_test(test_advice_counts_what_a_warp_does_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

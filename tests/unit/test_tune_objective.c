/* What a search is after: expressions over what was measured, and which sense they have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/search/tune.h"

/* A record with a time of 2 ms, 3 mJ, and 40 registers. */
static double value_of(const char *text)
{
    json_t *record = json_pack("{s:f,s:f,s:i}", "ms", 2.0, "energy", 3.0, "registers", 40);
    Objective *objective = objective_new(text, SENSE_LEAST);
    assert_non_null(objective);
    double value = objective_value(objective, record);
    objective_free(objective);
    json_decref(record);
    return value;
}

static void expressions_have_pythons_precedence(void **state)
{
    (void)state;
    assert_true(value_of("time") == 2);
    assert_true(value_of("time * energy + registers") == 46);
    assert_true(value_of("registers - time - 1") == 37);
    assert_true(value_of("registers / time / 2") == 10);
    assert_true(value_of("-time ** 2") == -4);
    assert_true(value_of("(-time) ** 2") == 4);
    assert_true(value_of("time ** energy ** 2") == 512);
    assert_true(value_of("4 ** -1 + 0 * time") == 0.25);
    assert_true(value_of("--time") == 2);
    assert_true(value_of(" ( time+1 )*1e1 ") == 30);
}

static void what_was_not_measured_has_no_value(void **state)
{
    (void)state;
    assert_true(isnan(value_of("gflops")));
    assert_true(isnan(value_of("time + gbs")));
    assert_true(isnan(value_of("time / (time - 2)")));
}

static void wrong_ones_are_refused(void **state)
{
    static const char *const wrong[] = { "",         "time +",    "tiem",  "(time",
                                         "time)",    "time time", "2 ** ", ".",
                                         "time % 2", "*",         "time$" };
    char deep[1024];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(objective_new(wrong[i], SENSE_BY_NAME));
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_null(objective_new(deep, SENSE_BY_NAME));
    memset(deep, '-', sizeof deep - 1);
    assert_null(objective_new(deep, SENSE_BY_NAME));
    for (size_t i = 0; i + 1 < sizeof deep; i++)
        deep[i] = i % 2 ? '+' : '1';
    assert_null(objective_new(deep, SENSE_BY_NAME));
}

static void check_sense(const char *text, int sense, bool most, bool follows)
{
    Objective *objective = objective_new(text, sense);
    assert_non_null(objective);
    assert_int_equal(objective_is_most(objective), most);
    assert_int_equal(objective_follows_time(objective), follows);
    assert_true(objective_sought(objective, 5) == (most ? -5 : 5));
    assert_true(isinf(objective_sought(objective, (double)NAN)));
    objective_free(objective);
}

static void rates_are_sought_high_and_all_else_low(void **state)
{
    (void)state;
    check_sense("time", SENSE_BY_NAME, false, true);
    check_sense("gflops", SENSE_BY_NAME, true, true);
    check_sense("gbs", SENSE_LEAST, false, false);
    check_sense("energy", SENSE_BY_NAME, false, false);
    check_sense("registers", SENSE_BY_NAME, false, false);
    check_sense("time * energy", SENSE_BY_NAME, false, false);
    check_sense("gflops / energy", SENSE_MOST, true, false);
}

/* What an expression is made of says which way it is better, or nothing does. */
static void the_sense_of_an_expression_follows(void **state)
{
    static const struct {
        const char *text;
        bool most, by_time;
    } clear[] = {
        { "-time", true, true },
        { "1 / time", true, true },
        { "-1 / time", false, true },
        { "(time + 1) ** 2", false, true },
        { "time ** -0.5", true, true },
        { "2 ** time", false, true },
        { "gflops * 1", true, true },
        { "gflops + gbs", true, true },
        { "-3 * gbs", false, true },
        { "gflops / time", true, true },
        { "gflops / energy", true, false },
        { "occupancy / registers", true, false },
        { "time * energy - 4", false, false },
        { "time + 0 * gflops", false, true },
    };
    static const char *const unclear[] = {
        "time * gflops",   "registers - time", "time / energy", "time / (time - 2)",
        "(time - 2) ** 2", "time ** energy",   "0 * time",      "time * (gbs - 1)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof clear / sizeof clear[0]; i++) {
        check_sense(clear[i].text, SENSE_BY_NAME, clear[i].most, clear[i].by_time);
        Objective *least = objective_new(clear[i].text, SENSE_LEAST);
        assert_int_equal(objective_is_reversed(least), clear[i].most);
        objective_free(least);
    }
    for (size_t i = 0; i < sizeof unclear / sizeof unclear[0]; i++) {
        assert_null(objective_new(unclear[i], SENSE_BY_NAME));
        check_sense(unclear[i], SENSE_MOST, true, false);
        Objective *least = objective_new(unclear[i], SENSE_LEAST);
        assert_false(objective_is_reversed(least));
        objective_free(least);
    }
}

static void it_says_what_it_needs(void **state)
{
    (void)state;
    Objective *objective = objective_new("time * energy", SENSE_BY_NAME);
    assert_true(objective_needs(objective, "energy"));
    assert_false(objective_needs(objective, "gflops"));
    objective_free(objective);
}

static void it_says_what_a_record_lacks(void **state)
{
    json_t *record = json_pack("{s:f,s:s}", "ms", 2.0, "gflops", "none");
    Objective *all = objective_new("time + 1", SENSE_BY_NAME);
    Objective *some = objective_new("time * (gflops + energy)", SENSE_LEAST);

    (void)state;
    assert_null(objective_lacks(all, record));
    assert_string_equal(objective_lacks(some, record), "gflops");
    objective_free(some);
    objective_free(all);
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_pythons_precedence),
        cmocka_unit_test(what_was_not_measured_has_no_value),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(rates_are_sought_high_and_all_else_low),
        cmocka_unit_test(the_sense_of_an_expression_follows),
        cmocka_unit_test(it_says_what_it_needs),
        cmocka_unit_test(it_says_what_a_record_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

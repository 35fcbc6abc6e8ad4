/* Medians, their intervals and the Mann-Whitney test, against what SciPy 1.17 computed
** (scipy.stats.binom, scipy.stats.mannwhitneyu). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cli/measure/measure.h"

static void expect_near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%.17g, not %.17g", got, wanted);
}

static void medians_are_between(void **state)
{
    const double odd[] = { 5, 1, 3 }, even[] = { 4, 1, 3, 2 };

    (void)state;
    expect_near(statistics_median(odd, 3), 3, 0);
    expect_near(statistics_median(even, 4), 2.5, 0);
    expect_near(statistics_median(even, 1), 4, 0);
    expect_near(statistics_median(even, 0), 0, 0);
    assert_true(even[0] == 4 && even[3] == 2); /* they stay as they are */
}

static void intervals_have_the_ranks_and_the_confidence_they_should(void **state)
{
    static const struct {
        size_t count, outside; /* values left out on either side, and one more */
        double confidence;
    } rows[] = {
        { 5, 1, 0.9375 },
        { 6, 1, 0.96875 },
        { 8, 1, 0.9921875 },
        { 9, 2, 0.9609375 },
        { 10, 2, 0.978515625 },
        { 20, 6, 0.9586105346679688 },
        { 21, 6, 0.9733963012695312 },
        { 50, 18, 0.9671608624357315 },
        { 100, 40, 0.9647997997822951 },
        { 1000, 469, 0.9537088026395019 },
        { 1001, 470, 0.9500154764972456 },
        { 100000, 49690, 0.9504442853304776 },
    };
    static double values[100000];

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        size_t count = rows[row].count;
        double low, high, confidence;
        for (size_t i = 0; i < count; i++)
            values[count - 1 - i] = (double)(i + 1);
        statistics_interval(values, count, &low, &high, &confidence);
        expect_near(low, (double)rows[row].outside, 0);
        expect_near(high, (double)(count + 1 - rows[row].outside), 0);
        expect_near(confidence, rows[row].confidence, 1e-8);
    }
}

static void an_interval_of_few_is_all_of_them(void **state)
{
    const double one = 7, two[] = { 9, 8 };
    double low, high, confidence;

    (void)state;
    statistics_interval(&one, 1, &low, &high, &confidence);
    assert_true(low == 7 && high == 7 && confidence == 0);
    statistics_interval(two, 2, &low, &high, &confidence);
    assert_true(low == 8 && high == 9 && confidence == 0.5);
    statistics_interval(two, 0, &low, &high, NULL);
    assert_true(low == 0 && high == 0);
}

static void the_test_is_exact_for_few(void **state)
{
    const double a[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
    const double b[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06001, 3.14, 1.2901 };
    const double low[] = { 1, 2, 3 }, high[] = { 4, 5, 6, 7 };
    double x[20], y[20];

    (void)state;
    expect_near(statistics_mann_whitney(a, 9, b, 9), 0.13591114767585355, 1e-12);
    expect_near(statistics_mann_whitney(b, 9, a, 9), 0.13591114767585355, 1e-12);
    expect_near(statistics_mann_whitney(low, 3, high, 4), 0.05714285714285714, 1e-12);
    for (int i = 0; i < 20; i++) {
        x[i] = i * 37 % 101 / 10.0;
        y[i] = i * 53 % 97 / 10.0 + 2.05;
    }
    expect_near(statistics_mann_whitney(x, 20, y, 20), 0.16534001940492238, 1e-12);
}

static void the_test_is_asymptotic_for_many_and_for_ties(void **state)
{
    double x[40], y[30];

    (void)state;
    for (int i = 0; i < 40; i++)
        x[i] = i * 37 % 101 / 10.0;
    for (int i = 0; i < 30; i++)
        y[i] = i * 53 % 97 / 10.0 + 0.5;
    expect_near(statistics_mann_whitney(x, 40, y, 30), 0.9479520994130229, 1e-9);
    for (int i = 0; i < 12; i++)
        x[i] = i / 3;
    for (int i = 0; i < 9; i++)
        y[i] = i / 2 + 1;
    expect_near(statistics_mann_whitney(x, 12, y, 9), 0.05431429898586554, 1e-9);
}

static void samples_that_say_nothing_differ_in_nothing(void **state)
{
    const double same[] = { 2, 2, 2 };

    (void)state;
    expect_near(statistics_mann_whitney(same, 3, same, 3), 1, 0);
    expect_near(statistics_mann_whitney(same, 3, same, 0), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_are_between),
        cmocka_unit_test(intervals_have_the_ranks_and_the_confidence_they_should),
        cmocka_unit_test(an_interval_of_few_is_all_of_them),
        cmocka_unit_test(the_test_is_exact_for_few),
        cmocka_unit_test(the_test_is_asymptotic_for_many_and_for_ties),
        cmocka_unit_test(samples_that_say_nothing_differ_in_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

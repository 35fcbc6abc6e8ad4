/* The model-based search: what it makes of what is expected beforehand, and of configurations that
** fail. Recorded spaces: tests/cli/tune_model.sh. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cli/search/tune.h"
#include "tests/unit/spaces.h"

static const double powers[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 };

/* A space over powers of two whose values are taken as they are, with what `expect` says of each,
** to be free()d; NULL: it says nothing. */
static double *make_powers(Space *made, size_t params, const size_t *counts, Worth *worth,
                           Worth *expect)
{
    static const double *const numbers[] = { powers, powers, powers, powers };
    make_space(made, params, counts, numbers, worth);
    double *expected = malloc((made->space.count + 1) * sizeof *expected);
    for (size_t i = 0; expect && i < made->space.count; i++) {
        const uint32_t *config = search_config(&made->space, i);
        double at[PARAMS_MAX];
        for (size_t p = 0; p < params; p++)
            at[p] = powers[config[p]];
        expected[i] = expect(at, config);
    }
    made->space.expected = expect ? expected : NULL;
    return expected;
}

/* The median of 30 seeds with `budget` evaluations. */
static double median_over(size_t params, const size_t *counts, Worth *worth, Worth *expect,
                          const char *strategy, size_t budget)
{
    Space made;
    double *expected = make_powers(&made, params, counts, worth, expect);
    double median = median_found(&made, strategy, budget);
    free(expected);
    free_space(&made);
    return median;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t throw; /* another is another noise */

/* From 0 up to 1, the same for the same configuration. The mixing is that of SplitMix64. */
static double chance(const uint32_t *config, size_t params)
{
    uint64_t z = throw;
    for (size_t i = 0; i < params; i++) {
        z = (z ^ config[i]) + 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return (double)(z >> 11) * 0x1p-53;
}

static double square(double x)
{
    return x * x;
}

static double worth_bowl(const double *at, const uint32_t *config)
{
    double apart = 0.10 * square(log2(at[0]) - 2.7) + 0.06 * square(log2(at[1]) - 0.8) +
                   0.20 * square(log2(at[2]) - 1.6);
    return exp(apart) * (1 + 0.02 * chance(config, 3));
}

/* Faster with the product of the first two, until they are too large together; that is where the
** best are. */
static double worth_cliff(const double *at, const uint32_t *config)
{
    double product = log2(at[0]) + log2(at[1]);
    if (product > 6.5)
        return (double)INFINITY;
    return exp(0.4 * (6 - product) + 0.1 * square(log2(at[0]) - 3) +
               0.05 * square(log2(at[2]) - 2)) *
           (1 + 0.02 * chance(config, 3));
}

static double worth_noise(const double *at, const uint32_t *config)
{
    (void)at;
    return 1 + 0.1 * chance(config, 3);
}

/* ---- expectations ---------------------------------------------------------------------------- */

/* Not far from the bowl. */
static double expect_near(const double *at, const uint32_t *config)
{
    (void)config;
    return 0.1 * (fabs(log2(at[0]) - 3) + fabs(log2(at[1]) - 1) + fabs(log2(at[2]) - 1));
}

/* Half of the worst are expected to be the best, and the other way round. */
static double expect_contrary(const double *at, const uint32_t *config)
{
    return -0.5 * log(worth_bowl(at, config));
}

/* What fails is expected to be best. */
static double expect_beyond_cliff(const double *at, const uint32_t *config)
{
    (void)config;
    return -0.2 * log2(at[0] * at[1]);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const size_t small[] = { 5, 4, 3 }, large[] = { 8, 7, 6 };

static void a_bowl_is_found_in_few_evaluations(void **state)
{
    (void)state;
    assert_true(median_over(3, large, worth_bowl, NULL, "model", 25) <= 1.03);
    assert_true(median_over(3, small, worth_bowl, NULL, "model", 15) <= 1.05);
}

static void a_good_guess_is_taken_first(void **state)
{
    (void)state;
    double guessed = median_over(3, large, worth_bowl, expect_near, "model", 5);
    assert_true(guessed <= 1.05);
    assert_true(guessed < median_over(3, large, worth_bowl, NULL, "model", 5));
}

static void a_wrong_guess_is_unlearnt(void **state)
{
    (void)state;
    double misled = median_over(3, large, worth_bowl, expect_contrary, "model", 40);
    assert_true(misled <= 1.05);
    assert_true(misled < median_over(3, large, worth_bowl, NULL, "random", 40));
}

static void a_cliff_of_failures_is_not_run_over(void **state)
{
    (void)state;
    double chance = median_over(3, large, worth_cliff, NULL, "random", 30);
    double model = median_over(3, large, worth_cliff, NULL, "model", 30);
    double misled = median_over(3, large, worth_cliff, expect_beyond_cliff, "model", 30);
    assert_true(model <= 1.05 && model < chance);
    assert_true(misled <= 1.05 && misled < chance);
}

/* Where there is nothing to learn it does as well as chance does, on the average of some spaces: a
** tenth of what the values differ by is allowed to chance. */
static void noise_is_no_worse_than_chance(void **state)
{
    double chance = 0, model = 0;
    enum { THROWS = 10 };
    (void)state;
    for (throw = 1; throw <= THROWS; throw ++) {
        chance += median_over(3, small, worth_noise, NULL, "random", 15) / THROWS;
        model += median_over(3, small, worth_noise, NULL, "model", 15) / THROWS;
    }
    throw = 0;
    assert_true(model <= chance + 0.01);
}

/* The same values, less where more is better, as a search for the most has them. */
static double worth_rate(const double *at, const uint32_t *config)
{
    return -1000 / worth_bowl(at, config);
}

static void rates_are_learnt_as_times_are(void **state)
{
    Space times, rates;
    (void)state;
    free(make_powers(&times, 3, large, worth_bowl, NULL));
    free(make_powers(&rates, 3, large, worth_rate, NULL));
    found(&times, "model", 20, 4);
    found(&rates, "model", 20, 4);
    assert_memory_equal(times.asked, rates.asked, 10 * sizeof times.asked[0]);
    free_space(&times);
    free_space(&rates);
}

/* ---- what the shapes of launches say --------------------------------------------------------- */

/* Of two shapes: the x of the block, its threads, the grid's blocks. */
static void assert_better(const int64_t better[3], const int64_t worse[3])
{
    json_t *shapes = json_array();
    for (int i = 0; i < 6; i++)
        json_array_append_new(shapes, json_integer(i < 3 ? better[i] : worse[i - 3]));
    double *expected = expected_times(shapes, 2);
    assert_non_null(expected);
    assert_true(expected[0] < expected[1]);
    free(expected);
    json_decref(shapes);
}

static void shapes_are_better_or_worse(void **state)
{
    (void)state;
    /* more work for fewer threads */
    assert_better((int64_t[]){ 32, 128, 1000 }, (int64_t[]){ 32, 128, 4000 });
    /* whole warps */
    assert_better((int64_t[]){ 96, 96, 1000 }, (int64_t[]){ 80, 80, 1200 });
    /* blocks neither small nor very large */
    assert_better((int64_t[]){ 32, 128, 1000 }, (int64_t[]){ 32, 32, 4000 });
    assert_better((int64_t[]){ 32, 256, 1000 }, (int64_t[]){ 32, 1024, 250 });
    /* rows of a warp */
    assert_better((int64_t[]){ 32, 128, 1000 }, (int64_t[]){ 8, 128, 1000 });
    /* enough blocks, even if each thread does less then */
    assert_better((int64_t[]){ 32, 128, 256 }, (int64_t[]){ 32, 128, 8 });
}

static void shapes_that_are_not_known_are_as_good_as_others(void **state)
{
    const int64_t numbers[] = { 32, 128, 4000, 0, 0, 0, 32, 128, 1000 };
    json_t *shapes = json_array();
    (void)state;
    assert_null(expected_times(shapes, 3));
    assert_null(expected_times(NULL, 3));
    for (size_t i = 0; i < 9; i++)
        json_array_append_new(shapes, json_integer(numbers[i]));
    assert_null(expected_times(shapes, 2));
    double *expected = expected_times(shapes, 3);
    assert_true(expected[2] < expected[1] && expected[1] < expected[0]);
    free(expected);
    json_decref(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bowl_is_found_in_few_evaluations),
        cmocka_unit_test(a_good_guess_is_taken_first),
        cmocka_unit_test(a_wrong_guess_is_unlearnt),
        cmocka_unit_test(a_cliff_of_failures_is_not_run_over),
        cmocka_unit_test(noise_is_no_worse_than_chance),
        cmocka_unit_test(rates_are_learnt_as_times_are),
        cmocka_unit_test(shapes_are_better_or_worse),
        cmocka_unit_test(shapes_that_are_not_known_are_as_good_as_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

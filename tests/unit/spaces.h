/* For tests of search strategies: spaces whose values are numbers that a test made up, and how near
** to the best a strategy comes. Include it behind cmocka.h's headers. */
#ifndef KJIT_TESTS_SPACES_H
#define KJIT_TESTS_SPACES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/search/search.h"

enum { PARAMS_MAX = 8, EVALUATIONS_MAX = 4096 };

typedef struct Space {
    SearchSpace space;
    size_t counts[PARAMS_MAX];
    const double *numbers[PARAMS_MAX];
    uint32_t *configs;
    double *values;
    double least;
    /* what a search did */
    size_t asked[EVALUATIONS_MAX], asked_count, stop_at, said;
} Space;

typedef double Worth(const double *numbers, const uint32_t *config);

/* All configurations that have a worth, NAN being that of those which are not allowed. */
static void make_space(Space *made, size_t params, const size_t *counts,
                       const double *const *numbers, Worth *worth)
{
    size_t all = 1;
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < params; i++) {
        made->counts[i] = counts[i];
        made->numbers[i] = numbers[i];
        all *= counts[i];
    }
    made->configs = malloc((all * params + 1) * sizeof *made->configs);
    made->values = malloc((all + 1) * sizeof *made->values);
    made->space = (SearchSpace){ .params = params,
                                 .value_counts = made->counts,
                                 .numbers = made->numbers,
                                 .configs = made->configs };
    made->least = (double)INFINITY;
    made->stop_at = SIZE_MAX;
    for (size_t index = 0; index < all; index++) {
        uint32_t config[PARAMS_MAX];
        double at[PARAMS_MAX] = { 0 };
        size_t rest = index;
        for (size_t i = params; i-- > 0; rest /= counts[i]) {
            config[i] = (uint32_t)(rest % counts[i]);
            at[i] = numbers[i] ? numbers[i][config[i]] : 0;
        }
        double value = worth(at, config);
        if (isnan(value))
            continue;
        memcpy(made->configs + made->space.count * params, config, params * sizeof *config);
        made->values[made->space.count++] = value;
        made->least = fmin(made->least, value);
    }
}

static void free_space(Space *made)
{
    free(made->configs);
    free(made->values);
}

static bool evaluate(void *context, size_t index, double *value)
{
    Space *made = context;
    if (made->asked_count >= made->stop_at)
        return false;
    assert_true(index < made->space.count);
    for (size_t i = 0; i < made->asked_count; i++)
        assert_int_not_equal(made->asked[i], index);
    assert_true(made->asked_count < EVALUATIONS_MAX);
    made->asked[made->asked_count++] = index;
    *value = made->values[index];
    return true;
}

static void coming(void *context, const size_t *indices, size_t count, bool certain)
{
    Space *made = context;
    (void)certain;
    for (size_t i = 0; i < count; i++)
        assert_true(indices[i] < made->space.count);
    made->said += count;
}

/* The best found over the least there is; INFINITY if none worked. */
static double found(Space *made, const char *strategy, size_t budget, uint64_t seed)
{
    Search search = { .space = &made->space,
                      .seed = seed,
                      .budget = budget,
                      .evaluate = evaluate,
                      .coming = coming,
                      .context = made };
    made->asked_count = 0;
    assert_true(search_run(&search, strategy_find(strategy)));
    assert_int_equal(search.done, made->asked_count);
    double best = search.best == SIZE_MAX ? (double)INFINITY : made->values[search.best];
    search_free(&search);
    return best / made->least;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of 30 seeds. */
static double median_found(Space *made, const char *strategy, size_t budget)
{
    double all[30];
    for (size_t i = 0; i < 30; i++)
        all[i] = found(made, strategy, budget, i + 1);
    qsort(all, 30, sizeof all[0], compare);
    print_message("%s, %zu of %zu: median %.3f, quartiles %.3f and %.3f, worst %.3f\n", strategy,
                  budget, made->space.count, (all[14] + all[15]) / 2, all[7], all[22], all[29]);
    return (all[14] + all[15]) / 2;
}

#endif

/* Whether the winner is significantly better than the source's own constants.
**
** Compared are the medians of rounds in which both alternated: samples within a round are not
** independent, since disturbances last longer than a launch. Two kernels differ if their medians
** are at least LEAST apart, as for `kjit bench --compare`, and either a Mann-Whitney test at LEVEL
** rejects equality on the rounds that did not choose the winner, or the gap between their rounds is
** so large compared with the ranges of the rounds that a few suffice. */
#include <math.h>

#include "cli/measure/measure.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

static const double LEVEL = 0.05;
static const double LEAST = 0.02; /* of the smaller: the least difference that matters */
static const double APART = 3;    /* times the range of rounds: clear without a test */
static const double SAME = 0.005; /* tolerance for values that are no times */

typedef struct RoundTimes {
    double *ms;
    size_t count;
    double median, low, high;
} RoundTimes;

static RoundTimes rounds_of(const json_t *record)
{
    const json_t *list = json_object_get(record, "rounds");
    RoundTimes rounds = { .count = json_array_size(list), .low = INFINITY, .high = -INFINITY };
    rounds.ms = must_alloc((rounds.count + 1) * sizeof *rounds.ms);
    for (size_t i = 0; i < rounds.count; i++) {
        rounds.ms[i] = json_number_value(json_array_get(list, i));
        rounds.low = fmin(rounds.low, rounds.ms[i]);
        rounds.high = fmax(rounds.high, rounds.ms[i]);
    }
    rounds.median = statistics_median(rounds.ms, rounds.count);
    return rounds;
}

static bool are_apart(const RoundTimes *less, const RoundTimes *more)
{
    double range = fmax(less->high - less->low, more->high - more->low);
    return more->low - less->high > APART * range;
}

/* Tests only the rounds after those that chose the winner. */
static bool differ_by_test(const RoundTimes *a, const RoundTimes *b)
{
    if (a->count <= TUNE_ROUNDS || b->count <= TUNE_ROUNDS)
        return false;
    return statistics_mann_whitney(a->ms + TUNE_ROUNDS, a->count - TUNE_ROUNDS, b->ms + TUNE_ROUNDS,
                                   b->count - TUNE_ROUNDS) <= LEVEL;
}

static Verdict compare(const RoundTimes *winner, const RoundTimes *untuned)
{
    if (winner->count < TUNE_ROUNDS || untuned->count < TUNE_ROUNDS)
        return VERDICT_UNKNOWN;
    bool faster = winner->median < untuned->median;
    const RoundTimes *less = faster ? winner : untuned, *more = faster ? untuned : winner;
    bool enough = more->median - less->median >= LEAST * less->median;
    if (!enough || (!are_apart(less, more) && !differ_by_test(winner, untuned)))
        return VERDICT_SAME;
    return faster ? VERDICT_FASTER : VERDICT_SLOWER;
}

Verdict verdict_of(const json_t *winner, const json_t *untuned)
{
    RoundTimes one = rounds_of(winner), other = rounds_of(untuned);
    Verdict verdict = compare(&one, &other);
    free(one.ms);
    free(other.ms);
    return verdict;
}

Verdict tune_verdict(const TuneRun *run)
{
    if (run->best == SIZE_MAX || !record_is_good(run->untuned))
        return VERDICT_UNKNOWN;
    if (run->best == run->own)
        return VERDICT_SAME;
    return verdict_of(tune_last_record(run, run->best), run->untuned);
}

/* The winner's improvement, relative to the untuned kernel's value. */
static double gain(const TuneRun *run)
{
    const Objective *objective = run->options->objective;
    double untuned = objective_value(objective, run->untuned);
    double less = objective_sought(objective, untuned);
    return (less - objective_sought(objective, run->best_value)) / fmax(fabs(untuned), 1e-300);
}

bool tune_is_worse(const TuneRun *run)
{
    if (!json_array_size(run->again) || run->best == run->own || !record_is_good(run->untuned))
        return false;
    return objective_follows_time(run->options->objective) ? tune_verdict(run) == VERDICT_SLOWER
                                                           : gain(run) < -SAME;
}

bool tune_is_better(const TuneRun *run)
{
    if (!json_array_size(run->again) || run->best == run->own)
        return false;
    if (!record_is_good(run->untuned))
        return true;
    return objective_follows_time(run->options->objective) ? tune_verdict(run) == VERDICT_FASTER
                                                           : gain(run) > SAME;
}

/* Who is best, measured once more: what a search found first and fast may have been luck.
**
** The best few and the untuned kernel take turns, so that what changes with time is the same for
** each; who wins, and how much faster than untuned that is, comes from these rounds alone. The
** untuned kernel stands for the configuration that the source has, if that is one of them. Where
** these rounds do not tell whether the best and the untuned kernel differ, the two take more turns
** by themselves; if nothing is found then, the source's own configuration is the winner. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/measure.h"
#include "measure/memory.h"
#include "tune/tune.h"

enum { WINNERS = 5, DUEL = 7, PASSES = 3 };
static const double CLOSE = 0.05; /* to the best: measured again */
static const double FAR = 1.5;    /* times the best: a few launches tell by how much */

/* Those that may be the best, the best first, without what the source has: what is within CLOSE of
** it, or whose interval of times overlaps its own if these are what counts, and what is better than
** `bound`, which is a search's value. */
static size_t near_winners(const TuneRun *run, double bound, size_t winners[WINNERS])
{
    size_t *list = tune_sorted(run), count = 0;
    double best = NAN, high = NAN;
    bool first = true;
    bool by_time = objective_follows_time(run->options->objective);
    for (size_t i = 0; i < run->done && count < WINNERS; i++) {
        const json_t *record = run->records[list[i]];
        double value = tune_worth(run, record);
        if (!record_is_good(record) || !isfinite(value))
            continue;
        if (first) {
            best = value;
            high = record_number(record, "high");
            first = false;
        }
        bool overlaps = by_time && record_number(record, "low") <= high;
        bool near = value - best <= CLOSE * fabs(best) || overlaps || value < bound;
        if (near && list[i] != run->own)
            winners[count++] = list[i];
    }
    free(list);
    return count;
}

/* What a child has measured, without what belongs to the conversation; NULL if it is not good. */
static json_t *take_answer(json_t *answer, const char *record)
{
    bool slow = answer && !strcmp(record_text(answer, "outcome"), "slow");
    if (!answer || (!record_is_good(answer) && !slow)) {
        json_decref(answer);
        return NULL;
    }
    json_object_del(answer, "say");
    json_object_set_new(answer, "record", json_string(record));
    json_object_set_new(answer, "outcome", json_string("ok"));
    json_object_set_new(answer, "rounds", json_pack("[f]", record_number(answer, "ms")));
    return answer;
}

static json_t *measure_again(TuneRun *run, size_t index)
{
    json_t *answer =
        flight_ask(run, json_pack("{s:s,s:I,s:o}", "do", "again", "id", (json_int_t)index, "config",
                                  space_indices(&run->space, index)));
    answer = take_answer(answer, "again");
    if (answer)
        json_object_set_new(answer, "config", space_config(&run->space, index));
    return answer;
}

static void set_number(json_t *record, const char *key, double number)
{
    if (!isnan(number))
        json_object_set_new(record, key, json_real(number));
}

/* The samples of all rounds become one record's; `from` is of the round behind so many. */
static void merge(json_t *into, const json_t *from, int rounds)
{
    json_t *times = json_object_get(into, "times");
    json_array_extend(times, json_object_get(from, "times"));
    json_array_extend(json_object_get(into, "rounds"), json_object_get(from, "rounds"));
    size_t count = json_array_size(times);
    double *all = must_alloc(count * sizeof *all), low = 0, high = 0;
    for (size_t i = 0; i < count; i++)
        all[i] = json_number_value(json_array_get(times, i));
    double before = record_number(into, "ms"), median = statistics_median(all, count);
    statistics_interval(all, count, &low, &high, NULL);
    free(all);
    set_number(into, "kernel_ms",
               record_number(into, "kernel_ms") + record_number(from, "kernel_ms"));
    if (json_object_get(from, "throttle"))
        json_object_set(into, "throttle", json_object_get(from, "throttle"));
    set_number(into, "ms", median);
    set_number(into, "low", low);
    set_number(into, "high", high);
    set_number(into, "least", fmin(record_number(into, "least"), record_number(from, "least")));
    double energy = record_number(into, "energy") * rounds + record_number(from, "energy");
    set_number(into, "energy", energy / (rounds + 1));
    static const char *const rates[] = { "gflops", "gbs" };
    for (size_t i = 0; i < 2 && median > 0; i++)
        set_number(into, rates[i], record_number(into, rates[i]) * before / median);
}

/* A round's record joins those of so many rounds before, if there were any; takes it. */
static json_t *join(json_t *before, json_t *record, int rounds)
{
    if (!before)
        return record;
    merge(before, record, rounds);
    json_decref(record);
    return before;
}

/* The untuned kernel, which failed at first if it is not good: then there is nothing to compare. */
static json_t *measure_untuned_again(TuneRun *run)
{
    if (run->interrupted || !record_is_good(run->untuned))
        return NULL;
    double best = record_number(tune_last_record(run, run->best), "ms");
    bool by_time = objective_follows_time(run->options->objective) && best > 0;
    json_t *answer = flight_ask(run, json_pack("{s:s,s:b,s:f}", "do", "untuned", "again", 1,
                                               "above", by_time ? FAR * best : 0.0));
    return take_answer(answer, "untuned");
}

/* Rounds over all of them. `*untuned` is NULL if the untuned kernel did not survive its own. */
static bool measure_rounds(TuneRun *run, const size_t *winners, size_t count, json_t **untuned)
{
    bool asks = true;
    for (int round = 0; round < TUNE_ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            json_t *answer = run->interrupted ? NULL : measure_again(run, winners[i]);
            if (!answer)
                return false;
            json_t *before = json_array_get(run->again, i);
            if (before)
                join(before, answer, round);
            else
                json_array_append_new(run->again, answer);
        }
        json_t *own = asks ? measure_untuned_again(run) : NULL;
        asks = own != NULL;
        if (own)
            *untuned = join(*untuned, own, round);
    }
    return true;
}

/* Who is best by what was measured again; its value as a search has it. */
static double choose_winner(TuneRun *run, const size_t *winners, size_t count)
{
    const Objective *objective = run->options->objective;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = objective_value(objective, json_array_get(run->again, i));
        if (objective_sought(objective, value) < least) {
            least = objective_sought(objective, value);
            run->best = winners[i];
            run->best_value = value;
        }
    }
    return least;
}

/* What was measured again of a configuration. */
static json_t *again_of(const TuneRun *run, const size_t *winners, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (winners[i] == index)
            return json_array_get(run->again, i);
    return NULL;
}

/* More rounds of the winner and the untuned kernel alone, if it is not clear yet whether they
** differ. */
static void fight(TuneRun *run, json_t *winner, json_t *untuned)
{
    if (!winner || !untuned || verdict_of(winner, untuned) != VERDICT_SAME)
        return;
    for (int round = TUNE_ROUNDS; round < TUNE_ROUNDS + DUEL; round++) {
        json_t *one = run->interrupted ? NULL : measure_again(run, run->best);
        json_t *other = one ? measure_untuned_again(run) : NULL;
        if (!other) {
            json_decref(one);
            return;
        }
        join(winner, one, round);
        join(untuned, other, round);
    }
    run->best_value = objective_value(run->options->objective, winner);
}

/* What was measured of the untuned kernel beside the winners is what the log has last of it. */
static void keep_untuned(TuneRun *run, json_t *untuned)
{
    if (!untuned)
        return;
    json_object_del(untuned, "config");
    double ran = record_number(untuned, "kernel_ms") + record_number(run->untuned, "kernel_ms");
    if (isfinite(ran))
        json_object_set_new(untuned, "kernel_ms", json_real(ran));
    run->untuned = untuned;
    log_add(&run->log, untuned);
}

/* Of equals the one that the source has. */
static void prefer_own(TuneRun *run)
{
    if (run->own == SIZE_MAX || !record_is_good(run->records[run->own]) ||
        !record_is_good(run->untuned) || tune_is_better(run))
        return;
    run->best = run->own;
    run->best_value = objective_value(run->options->objective, run->untuned);
}

/* The best is measured again, with those it may have beaten by chance; and if all of these were
** lucky the first time, with those that look better now. */
void tune_confirm(TuneRun *run)
{
    size_t winners[WINNERS], count = 0, index;
    json_t *record, *untuned = NULL;
    double least = (double)-INFINITY;
    for (int pass = 0; pass < PASSES && !run->interrupted && !run->lost; pass++) {
        json_t *before = run->again;
        run->again = NULL;
        size_t now_count = near_winners(run, least, winners);
        run->again = before;
        /* fewer: what was found out has brought the bound down */
        if (now_count <= count || (now_count < 2 && !record_is_good(run->untuned)))
            break;
        count = now_count;
        json_decref(run->again);
        json_decref(untuned);
        run->again = json_array();
        untuned = NULL;
        if (!measure_rounds(run, winners, count, &untuned)) {
            json_array_clear(run->again);
            json_decref(untuned);
            return;
        }
        least = choose_winner(run, winners, count);
    }
    fight(run, again_of(run, winners, count, run->best), untuned);
    json_array_foreach(run->again, index, record) log_add(&run->log, json_incref(record));
    keep_untuned(run, untuned);
    if (count)
        prefer_own(run);
}

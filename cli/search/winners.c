/* Confirms the winner by measuring again: the best time of a search may have been luck.
**
** The best few and the untuned kernel alternate in rounds, so that drift affects all alike; the
** winner and its speedup come from these rounds alone. The untuned kernel represents the source's
** own configuration, if that is allowed. If the rounds do not show whether the best and the untuned
** kernel differ, the two get more rounds; if those do not either, that is reported. A configuration
** that was measured once and looks better than the winner is measured again as well, so that the
** winner is the best by the last figures of all.
**
** Disturbed configurations are measured again, too. If they still are disturbed, no winner is
** named: one of them might be it. */
#include <math.h>

#include "cli/measure/measure.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

enum { WINNERS = 5, DUEL = 7, PASSES = 3 };

/* The configurations measured again, in the order of run->again. */
typedef struct Winners {
    size_t *list;
    size_t count;
    json_t *untuned; /* measured with them, or NULL */
} Winners;

static const double CLOSE = 0.05; /* within this of the best: measured again */
static const double FAR = 1.5;    /* times the best: a few launches suffice */

/* The candidates, best first, without the source's own configuration: those within CLOSE of the
** best, those whose interval of times overlaps its own if the objective follows the time, and those
** better than the search value `bound`. */
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

static void leave_undecided(TuneRun *run, const json_t *record)
{
    const char *why = record_text(record, "why");
    free(run->undecided);
    run->undecided = must_strndup(why, strlen(why));
}

/* A child's reply as a record, without the keys of the protocol; NULL if it is no good
** measurement. */
static json_t *take_answer(TuneRun *run, json_t *answer, const char *record)
{
    if (record_is_disturbed(answer))
        leave_undecided(run, answer);
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
    answer = take_answer(run, answer, "again");
    if (answer)
        json_object_set_new(answer, "config", space_config(&run->space, index));
    return answer;
}

static void set_number(json_t *record, const char *key, double number)
{
    if (!isnan(number))
        json_object_set_new(record, key, json_real(number));
}

/* Merges the samples of a round into a record of `rounds` rounds. */
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

/* Merges a round's record, which it takes over, with that of the rounds before, if any. */
static json_t *join(json_t *before, json_t *record, int rounds)
{
    if (!before)
        return record;
    merge(before, record, rounds);
    json_decref(record);
    return before;
}

/* Whether the untuned kernel has been timed. */
static bool is_untuned_timed(const TuneRun *run)
{
    return record_is_good(run->untuned) || record_is_disturbed(run->untuned);
}

static json_t *measure_untuned_again(TuneRun *run)
{
    if (run->interrupted || !is_untuned_timed(run))
        return NULL;
    double best = record_number(tune_last_record(run, run->best), "ms");
    bool by_time = objective_follows_time(run->options->objective) && best > 0;
    json_t *answer = flight_ask(run, json_pack("{s:s,s:b,s:f}", "do", "untuned", "again", 1,
                                               "above", by_time ? FAR * best : 0.0));
    return take_answer(run, answer, "untuned");
}

/* Measures all in rounds; the untuned kernel may fail. */
static bool measure_rounds(TuneRun *run, Winners *winners)
{
    bool asks = true;
    for (int round = 0; round < TUNE_ROUNDS; round++) {
        for (size_t i = 0; i < winners->count; i++) {
            json_t *answer = run->interrupted ? NULL : measure_again(run, winners->list[i]);
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
            winners->untuned = join(winners->untuned, own, round);
        if (run->undecided)
            return false;
    }
    return true;
}

/* Makes a configuration the best if it is better than `least`; returns the least search value. */
static double choose(TuneRun *run, size_t index, const json_t *record, double least)
{
    const Objective *objective = run->options->objective;
    double value = objective_value(objective, record);
    if (!(objective_sought(objective, value) < least))
        return least;
    run->best = index;
    run->best_value = value;
    return objective_sought(objective, value);
}

/* Chooses the best by the measurements in rounds, on ties the source's own; returns its search
** value. */
static double choose_winner(TuneRun *run, const Winners *winners)
{
    double least = INFINITY;
    if (run->own != SIZE_MAX && record_is_good(run->records[run->own]) && winners->untuned)
        least = choose(run, run->own, winners->untuned, least);
    for (size_t i = 0; i < winners->count; i++)
        least = choose(run, winners->list[i], json_array_get(run->again, i), least);
    return least;
}

/* The record in rounds of a configuration. */
static json_t *again_of(const TuneRun *run, const Winners *winners, size_t index)
{
    for (size_t i = 0; i < winners->count; i++)
        if (winners->list[i] == index)
            return json_array_get(run->again, i);
    return NULL;
}

/* Runs more rounds of the winner and the untuned kernel if it is undecided whether they differ.
** Whether it did. */
static bool measure_duel(TuneRun *run, json_t *winner, json_t *untuned)
{
    if (!winner || !untuned || verdict_of(winner, untuned) != VERDICT_SAME ||
        json_array_size(json_object_get(winner, "rounds")) > TUNE_ROUNDS)
        return false;
    for (int round = TUNE_ROUNDS; round < TUNE_ROUNDS + DUEL; round++) {
        json_t *one = run->interrupted ? NULL : measure_again(run, run->best);
        json_t *other = one ? measure_untuned_again(run) : NULL;
        if (!other) {
            json_decref(one);
            return false;
        }
        join(winner, one, round);
        join(untuned, other, (int)json_array_size(json_object_get(untuned, "rounds")));
    }
    return true;
}

/* A configuration that was measured once and looks better than the best; or SIZE_MAX. */
static size_t find_straggler(const TuneRun *run, const Winners *winners)
{
    double best = objective_sought(run->options->objective, run->best_value);
    for (size_t i = 0; i < run->done; i++) {
        size_t index = run->order[i];
        const json_t *record = run->records[index];
        if (index != run->own && record_is_good(record) && tune_worth(run, record) < best &&
            !again_of(run, winners, index))
            return index;
    }
    return SIZE_MAX;
}

/* Measures it in rounds, as long as it remains better. */
static bool measure_straggler(TuneRun *run, Winners *winners, size_t index)
{
    const Objective *objective = run->options->objective;
    double best = objective_sought(objective, run->best_value);
    json_t *record = NULL;
    for (int round = 0; round < TUNE_ROUNDS; round++) {
        json_t *answer = run->interrupted ? NULL : measure_again(run, index);
        if (!answer) {
            json_decref(record);
            return false;
        }
        record = join(record, answer, round);
        if (!(objective_sought(objective, objective_value(objective, record)) < best))
            break;
    }
    must_push(winners->list, winners->count) = index;
    json_array_append_new(run->again, record);
    return true;
}

/* Repeats until the best is best by all last figures and compared with the untuned kernel. Each
** configuration takes part once. */
static void settle(TuneRun *run, Winners *winners)
{
    for (;;) {
        choose_winner(run, winners);
        if (run->undecided || run->interrupted || run->lost)
            return;
        size_t straggler = find_straggler(run, winners);
        if (straggler != SIZE_MAX
                ? !measure_straggler(run, winners, straggler)
                : !measure_duel(run, again_of(run, winners, run->best), winners->untuned))
            return;
    }
}

/* Logs the measurement of the untuned kernel beside the winners. */
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

/* ---- disturbed configurations ---------------------------------------------------------------- */

/* Chooses the best again after records have changed. */
static void choose_again(TuneRun *run)
{
    double least = INFINITY;
    run->best = SIZE_MAX;
    for (size_t i = 0; i < run->done; i++)
        if (record_is_good(run->records[run->order[i]]))
            least = choose(run, run->order[i], run->records[run->order[i]], least);
}

void tune_drop_disturbed(TuneRun *run)
{
    if (record_is_disturbed(run->untuned))
        leave_undecided(run, run->untuned);
    for (size_t i = 0; i < run->done && !run->undecided; i++)
        if (record_is_disturbed(run->records[run->order[i]]))
            leave_undecided(run, run->records[run->order[i]]);
    if (run->undecided)
        run->best = SIZE_MAX;
}

/* Measures disturbed configurations again. Those that still are may be the best. */
static void measure_disturbed(TuneRun *run)
{
    for (size_t i = 0; i < run->done; i++) {
        size_t index = run->order[i];
        if (!record_is_disturbed(run->records[index]))
            continue;
        leave_undecided(run, run->records[index]);
        json_t *record = run->interrupted || run->lost ? NULL : measure_again(run, index);
        if (!record)
            return;
        free(run->undecided);
        run->undecided = NULL;
        json_object_del(record, "rounds");
        flight_keep(run, index, record);
        choose_again(run);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* False if it was interrupted. */
static bool measure_winners(TuneRun *run, Winners *winners)
{
    double least = (double)-INFINITY;
    for (int pass = 0; pass < PASSES && !run->interrupted && !run->lost; pass++) {
        json_t *before = run->again;
        size_t now[WINNERS];
        run->again = NULL;
        size_t count = near_winners(run, least, now);
        run->again = before;
        /* fewer: the rounds have lowered the bound */
        if (count <= winners->count || (count < 2 && !is_untuned_timed(run)))
            break;
        json_decref(run->again);
        json_decref(winners->untuned);
        winners->list = must_grow(winners->list, count * sizeof *now);
        memcpy(winners->list, now, count * sizeof *now);
        winners->count = count;
        winners->untuned = NULL;
        run->again = json_array();
        if (!measure_rounds(run, winners))
            return false;
        least = choose_winner(run, winners);
    }
    if (winners->count)
        settle(run, winners);
    return !run->undecided;
}

/* Measures the best again with those it may have beaten by chance; and, if all of these were lucky
** at first, with those that look better then. */
void tune_confirm(TuneRun *run)
{
    Winners winners = { 0 };
    size_t index;
    json_t *record;
    measure_disturbed(run);
    bool measured = !run->undecided && measure_winners(run, &winners);
    if (measured) {
        json_array_foreach(run->again, index, record) log_add(&run->log, json_incref(record));
        keep_untuned(run, winners.untuned);
    } else {
        json_array_clear(run->again);
        json_decref(winners.untuned);
        choose_again(run);
    }
    if (run->undecided)
        run->best = SIZE_MAX;
    free(winners.list);
}

/* The end of a run as people read it: the best configurations, what became of the others, and what
** the source's own constants take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/memory.h"
#include "tune/tune.h"

enum { ROWS = 10 };

static const struct {
    const char *outcome, *text;
} failures[] = {
    { "slow", "given up early, being clearly slower" },
    { "wrong", "WRONG: another output than expected" },
    { "compile", "do not compile" },
    { "launch", "cannot be launched" },
    { "crash", "crashed" },
    { "timeout", "did not end in time" },
};
enum { FAILURES = sizeof failures / sizeof failures[0] };

const json_t *tune_last_record(const TuneRun *run, size_t index)
{
    const json_t *found = run->records[index];
    if (!json_array_size(run->again))
        return found;
    json_t *config = space_config(&run->space, index), *record;
    size_t at;
    json_array_foreach(run->again, at, record)
    {
        if (json_equal(json_object_get(record, "config"), config))
            found = record;
    }
    json_decref(config);
    return found;
}

static void print_row(FILE *out, const TuneRun *run, size_t index)
{
    const json_t *record = tune_last_record(run, index);
    const Objective *objective = run->options->objective;
    json_t *config = space_config(&run->space, index);
    char *text = config_text(config), value[64];
    objective_format(objective, objective_value(objective, record), value, sizeof value);
    double low = record_number(record, "low"), high = record_number(record, "high");
    fprintf(out, "%c %-14s", index == run->best ? '*' : ' ', value);
    if (strcmp(objective_text(objective), "time") != 0)
        fprintf(out, "  %9.4g ms", record_number(record, "ms"));
    else if (!isnan(low))
        fprintf(out, "  %9.4g to %-9.4g", low, high);
    fprintf(out, "  %s\n", text);
    free(text);
    json_decref(config);
}

/* Why configurations failed, in the words of the first; `all`: there are no others. */
static void print_reason(FILE *out, const TuneRun *run, size_t first, bool all)
{
    const char *why = record_text(run->records[first], "why");
    if (!*why)
        return;
    json_t *config = space_config(&run->space, first);
    char *text = config_text(config);
    fprintf(out, "; %s: %.*s", all ? "all of them" : text, (int)strcspn(why, "\n"), why);
    free(text);
    json_decref(config);
}

static void print_failures(FILE *out, const TuneRun *run)
{
    for (size_t f = 0; f < FAILURES; f++) {
        size_t count = 0, same = 0, first = SIZE_MAX;
        for (size_t i = 0; i < run->done; i++) {
            const json_t *record = run->records[run->order[i]];
            if (strcmp(record_text(record, "outcome"), failures[f].outcome) != 0)
                continue;
            first = count++ ? first : run->order[i];
            same += !strcmp(record_text(record, "why"), record_text(run->records[first], "why"));
        }
        if (!count)
            continue;
        fprintf(out, "%zu %s", count, failures[f].text);
        print_reason(out, run, first, count > 1 && same == run->done);
        fputc('\n', out);
    }
}

/* How much faster than untuned the best is: from rounds of both in turns, where there were any. */
static void print_gain(FILE *out, const TuneRun *run)
{
    double ms = record_number(run->untuned, "ms");
    double best = record_number(tune_last_record(run, run->best), "ms");
    bool sure = json_array_size(run->again) > 0;
    if (!(ms > 0) || !(best > 0))
        return;
    if (fabs(ms / best - 1) < 0.005)
        fprintf(out, "; the best is%s as fast", sure ? "" : " about");
    else if (best > ms)
        fprintf(out, "; the best takes %s%.3g times as long", sure ? "" : "about ", best / ms);
    else
        fprintf(out, "; the best is %s%.3g times as fast", sure ? "" : "about ", ms / best);
    fputs(sure ? "" : " (measured once)", out);
}

static void print_untuned(FILE *out, const TuneRun *run)
{
    const json_t *untuned = run->untuned;
    if (!untuned)
        return;
    if (!record_is_good(untuned)) {
        fprintf(out, "untuned: %s\n", record_text(untuned, "why"));
        return;
    }
    const Objective *objective = run->options->objective;
    char text[64];
    objective_format(objective, objective_value(objective, untuned), text, sizeof text);
    fprintf(out, "untuned: %s", text);
    if (run->best != SIZE_MAX)
        print_gain(out, run);
    fputc('\n', out);
}

static size_t counted(const TuneRun *run, const char *outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < run->done; i++)
        count += !strcmp(record_text(run->records[run->order[i]], "outcome"), outcome);
    return count;
}

void table_print(FILE *out, const TuneRun *run)
{
    size_t *list = tune_sorted(run), shown = 0;
    fprintf(out, "%s: %zu of %zu configurations, %s %s\n", record_text(run->hello, "kernel"),
            run->done, run->space.search.count,
            objective_is_most(run->options->objective) ? "most" : "least",
            objective_text(run->options->objective));
    if (run->best != SIZE_MAX) {
        print_row(out, run, run->best);
        shown++;
    }
    for (size_t i = 0; i < run->done && shown < ROWS; i++) {
        if (!record_is_good(run->records[list[i]]) || list[i] == run->best)
            continue;
        print_row(out, run, list[i]);
        shown++;
    }
    if (tune_untuned_is_best(run))
        fprintf(out, "the source's own constants are the fastest: nothing else was timed to the "
                     "end\n");
    else if (!shown)
        fprintf(out, "no configuration %s\n",
                counted(run, "slow") ? "was timed to the end" : "works");
    else if (run->best == SIZE_MAX)
        fprintf(out, "of none of these there is a value of %s\n",
                objective_text(run->options->objective));
    print_failures(out, run);
    print_untuned(out, run);
    free(list);
}

/* The results of a run as text: the best configurations, outcomes of the others, and the untuned
** kernel. */
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/search/tune.h"

enum { ROWS = 10 };

static const struct {
    const char *outcome, *text;
} failures[] = {
    { "slow", "given up early, being clearly slower than the best until then" },
    { "disturbed", "could not be timed" },
    { "wrong", "WRONG: another output than expected" },
    { "compile", "do not compile" },
    { "launch", "cannot be launched" },
    { "crash", "crashed" },
    { "timeout", "did not end in time" },
};
enum { FAILURES = sizeof failures / sizeof failures[0] };

/* The width of the terminal; 0: it is none. */
static size_t width_of(FILE *out)
{
    struct winsize size;
    int file = fileno(out);
    if (file < 0 || !isatty(file))
        return 0;
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* Prints a configuration from a column on, wrapped to the terminal's width. */
static void print_config(FILE *out, const char *text, size_t column)
{
    size_t width = width_of(out), at = column;
    while (*text) {
        const char *end = strstr(text, ", ");
        size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
        if (width && at > column && at + length > width) {
            fprintf(out, "\n%*s", (int)column, "");
            at = column;
        }
        at += (size_t)fprintf(out, "%.*s%s", (int)length, text, end ? " " : "");
        text += length + (end ? 1 : 0);
    }
}

/* `*` marks the winner. A better one that was not measured again is marked as measured once. */
static void print_row(FILE *out, const TuneRun *run, size_t index)
{
    const json_t *record = tune_last_record(run, index);
    const Objective *objective = run->options->objective;
    json_t *config = space_config(&run->space, index);
    char *text = config_text(config), value[64], low[32], high[32];
    double worth = objective_value(objective, record);
    objective_format(objective, worth, value, sizeof value);
    int column = fprintf(out, "%c %-14s", index == run->best ? '*' : ' ', value);
    time_format(record_number(record, objective_is_time(objective) ? "low" : "ms"), low,
                sizeof low);
    time_format(record_number(record, "high"), high, sizeof high);
    if (!objective_is_time(objective))
        column += fprintf(out, "  %12s", low);
    else if (!isnan(record_number(record, "low")))
        column += fprintf(out, "  %8s to %-8s", low, high);
    column += fprintf(out, "  ");
    print_config(out, text, (size_t)column);
    if (json_array_size(run->again) && record == run->records[index] &&
        objective_sought(objective, worth) < objective_sought(objective, run->best_value))
        fputs("  (measured once)", out);
    fputc('\n', out);
    free(text);
    json_decref(config);
}

/* The reason of the first failure of a kind; `all`: it holds for all of them. */
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

/* 1.04, 62.7, 1690 */
static void print_times(FILE *out, double times)
{
    fprintf(out, times < 1000 ? "%.3g" : "%.0f", times);
}

/* The speedup over the untuned kernel, from rounds of both if there are any. */
static void print_gain(FILE *out, const TuneRun *run)
{
    double ms = record_number(run->untuned, "ms");
    double best = record_number(tune_last_record(run, run->best), "ms");
    Verdict verdict = tune_verdict(run);
    bool sure = verdict != VERDICT_UNKNOWN;
    const char *of = objective_follows_time(run->options->objective) ? "the best" : "the winner";
    if (!(ms > 0) || !(best > 0))
        return;
    if (run->best == run->own) {
        fprintf(out, "; that is %s", of);
        return;
    }
    if (verdict == VERDICT_SAME) {
        fprintf(out, "; no difference %sfrom %s can be measured",
                objective_follows_time(run->options->objective) ? "" : "in time ", of);
        return;
    }
    fprintf(out, "; %s %s %s", of, best > ms ? "takes" : "is", sure ? "" : "about ");
    print_times(out, best > ms ? best / ms : ms / best);
    fprintf(out, " times as %s%s", best > ms ? "long" : "fast", sure ? "" : " (measured once)");
}

static void print_untuned(FILE *out, const TuneRun *run)
{
    const json_t *untuned = run->untuned;
    const Objective *objective = run->options->objective;
    char text[64];
    if (!untuned)
        return;
    if (!record_is_good(untuned)) {
        fprintf(out, "untuned: %s\n", record_text(untuned, "why"));
        return;
    }
    objective_format(objective, objective_value(objective, untuned), text, sizeof text);
    fprintf(out, "untuned: %s", text);
    if (objective_is_time(objective) && !isnan(record_number(untuned, "low"))) {
        char low[32], high[32];
        time_format(record_number(untuned, "low"), low, sizeof low);
        time_format(record_number(untuned, "high"), high, sizeof high);
        fprintf(out, ", %s to %s", low, high);
    } else {
        time_format(record_number(untuned, "ms"), text, sizeof text);
        fprintf(out, ", %s a launch", text);
    }
    if (run->best != SIZE_MAX)
        print_gain(out, run);
    fputc('\n', out);
    if (*record_text(untuned, "throttle"))
        fprintf(out, "the clock was held down meanwhile: %s\n", record_text(untuned, "throttle"));
}

static size_t counted(const TuneRun *run, const char *outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < run->done; i++)
        count += !strcmp(record_text(run->records[run->order[i]], "outcome"), outcome);
    return count;
}

/* How many configurations restrictions and the device have excluded. */
static void print_excluded(FILE *out, const TuneRun *run)
{
    double restricted = json_number_value(json_object_get(run->hello, "restricted"));
    double large = json_number_value(json_object_get(run->hello, "too_large"));
    if (!(restricted > 0) && !(large > 0))
        return;
    fprintf(out, " (of %.0f, ", (double)run->space.search.count + restricted + large);
    if (restricted > 0)
        fprintf(out, "%.0f excluded by restrict%s", restricted, large > 0 ? ", " : ")");
    if (large > 0)
        fprintf(out, "%.0f by what the device has)", large);
}

void table_print(FILE *out, const TuneRun *run)
{
    size_t *list = tune_sorted(run), shown = 0;
    fprintf(out, "%s: %zu of %zu configurations, %s %s", record_text(run->hello, "kernel"),
            run->done, run->space.search.count,
            objective_is_most(run->options->objective) ? "most" : "least",
            objective_text(run->options->objective));
    print_excluded(out, run);
    fputc('\n', out);
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
    else if (run->undecided)
        fprintf(out, "no winner is named: %s, as others ran while it was timed\n", run->undecided);
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

/* What a run writes to NAME.wisdom: usually the best configuration. If the source's own constants
** are as good or better, nothing, unless launches would use a record that this run has found to be
** worse: then the source's constants replace it.
**
** Launches should be fast, whatever the objective was. So a configuration slower than the source's
** own constants is not written, unless the objective was energy and it takes less. */
#include <math.h>

#include "cli/tune/tune.h"

json_t *note_ask(TuneRun *run, const char *what)
{
    json_t *config = space_indices(&run->space, run->best);
    return flight_ask(run,
                      json_pack("{s:s,s:o,s:s,s:f}", "do", what, "config", config, "objective",
                                objective_text(run->options->objective), "value", run->best_value));
}

/* Why launches would gain nothing by the best, for the user; NULL: they do. */
static const char *why_not_noted(const TuneRun *run)
{
    const Objective *objective = run->options->objective;
    bool by_time = objective_follows_time(objective);
    Verdict verdict = tune_verdict(run);
    if (objective_is_reversed(objective))
        return objective_is_most(objective)
                   ? "--maximize asked for the most of what launches want little of"
                   : "--minimize asked for the least of what launches want much of";
    if (run->best == SIZE_MAX || tune_is_worse(run))
        return by_time ? "the source's own constants are faster"
                       : "the source's own constants are better";
    if (run->best == run->own)
        return "the source's own constants are the best";
    if (!json_array_size(run->again))
        return "the best could not be measured once more";
    if (!tune_is_better(run))
        return "no difference from the source's own constants can be measured";
    if (verdict == VERDICT_SLOWER && !objective_needs(objective, "energy"))
        return "its launches take longer than with the source's own constants";
    return NULL;
}

/* Reports a best that is slower than the untuned kernel. */
static void report_slower(const TuneRun *run)
{
    double best = record_number(tune_last_record(run, run->best), "ms");
    double untuned = record_number(run->untuned, "ms");
    if (tune_verdict(run) == VERDICT_SLOWER)
        complain("its launches take %.3g times as long as with the source's own constants",
                 best / untuned);
}

/* Reports the child's reply, which it takes over. An exit status. */
static int report_noted(const TuneRun *run, json_t *answer, const char *what)
{
    const char *failed = answer ? record_text(answer, "failed") : "nothing could be asked";
    bool unwanted = json_is_true(json_object_get(answer, "unwanted"));
    int status = *failed && !unwanted ? EXIT_FAILED : EXIT_DONE;
    failed += strncmp(failed, "error: ", 7) ? 0 : 7;
    const char *file = record_text(run->hello, "file");
    size_t length = strlen(file);
    if (length > 2 && !strcmp(file + length - 2, ".k"))
        length -= 2;
    if (!*failed)
        complain("%s noted in %.*s.wisdom, where launches find it", what, (int)length, file);
    if (*failed)
        complain("%s not noted for launches: %.*s (%s)", what, (int)strcspn(failed, "\n"), failed,
                 unwanted ? "say it in @tune" : "--no-wisdom leaves it out");
    json_decref(answer);
    return status;
}

/* The configuration of the record that launches use, if this run has measured it; or SIZE_MAX. */
static size_t looked_at(const TuneRun *run, const json_t *taken)
{
    const json_t *indices = json_object_get(taken, "config");
    size_t params = run->space.search.params;
    for (size_t i = 0; json_is_array(indices) && i < run->done; i++) {
        const uint32_t *config = search_config(&run->space.search, run->order[i]);
        size_t same = 0;
        while (same < params &&
               json_integer_value(json_array_get(indices, same)) == (json_int_t)config[same])
            same++;
        if (same == params)
            return run->order[i];
    }
    return SIZE_MAX;
}

/* Whether a measured configuration is worse than the untuned kernel, or fails. */
static bool is_worse_than_untuned(const TuneRun *run, size_t index)
{
    const Objective *objective = run->options->objective;
    const json_t *record = tune_last_record(run, index);
    double untuned = objective_sought(objective, objective_value(objective, run->untuned));
    double own = objective_sought(objective, objective_value(objective, record));
    return !record_is_good(record) || own - untuned > 0.02 * fabs(untuned);
}

/* Handles a run without improvement: writes the source's own constants if launches use a worse
** record. */
static int note_own(TuneRun *run, const char *why_not)
{
    const Objective *objective = run->options->objective;
    double value = objective_value(objective, run->untuned);
    json_t *taken = flight_ask(run, json_pack("{s:s}", "do", "taken"));
    const char *why = taken ? record_text(taken, "why") : "";
    bool other = taken && !strcmp(record_text(taken, "objective"), objective_text(objective)) &&
                 !json_is_true(json_object_get(taken, "own"));
    size_t looked = other ? looked_at(run, taken) : SIZE_MAX;
    bool worse = looked != SIZE_MAX && is_worse_than_untuned(run, looked);
    int status = EXIT_DONE;
    complain("%s%s", worse ? "" : "not noted for launches: ", why_not);
    if (other && looked == SIZE_MAX)
        complain("launches go on taking %s (%s), which this run has not measured: delete that "
                 "record, or have it measured by -T",
                 record_text(taken, "configuration"), why);
    if (worse) {
        complain("launches took %s (%s)", record_text(taken, "configuration"), why);
        status =
            report_noted(run,
                         flight_ask(run, json_pack("{s:s,s:s,s:f}", "do", "own_wisdom", "objective",
                                                   objective_text(objective), "value", value)),
                         "they are");
    }
    json_decref(taken);
    return status;
}

int note_best(const TuneCommand *command, TuneRun *run)
{
    bool is_own = run->best == SIZE_MAX && tune_untuned_is_best(run);
    if (command->no_wisdom || !run->flight || run->interrupted || run->lost ||
        (run->best == SIZE_MAX && !is_own))
        return EXIT_DONE;
    const char *why_not = why_not_noted(run);
    if (!why_not)
        report_slower(run);
    if (!why_not)
        return report_noted(run, note_ask(run, "wisdom"), "the best is");
    if (!objective_is_reversed(run->options->objective))
        return note_own(run, why_not);
    complain("not noted for launches: %s", why_not);
    return EXIT_DONE;
}

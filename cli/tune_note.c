/* What of a run goes into NAME.wisdom. As a rule the best; where the source's own constants are
** better than all that was measured, nothing, unless launches would go on taking a record that this
** run has found to be worse: then these constants take its place. */
#include <stdlib.h>
#include <string.h>

#include "cli/tune.h"

json_t *note_ask(TuneRun *run, const char *what)
{
    json_t *config = space_indices(&run->space, run->best);
    return flight_ask(run,
                      json_pack("{s:s,s:o,s:s,s:f}", "do", what, "config", config, "objective",
                                objective_text(run->options->objective), "value", run->best_value));
}

/* What launches would be worse off with, for the user; NULL: it is worth noting. */
static const char *why_not_noted(const TuneRun *run)
{
    if (objective_is_reversed(run->options->objective))
        return objective_is_most(run->options->objective)
                   ? "--maximize asked for the most of what launches want little of"
                   : "--minimize asked for the least of what launches want much of";
    if (run->best == SIZE_MAX || tune_is_worse(run))
        return objective_follows_time(run->options->objective)
                   ? "the source's own constants are faster"
                   : "the source's own constants are better";
    return NULL;
}

/* Tells what came of the child's attempt; takes the answer. An exit status. */
static int tell_noted(const TuneCommand *command, const TuneRun *run, json_t *answer,
                      const char *what)
{
    const char *failed = answer ? record_text(answer, "failed") : "nothing could be asked";
    int status = *failed ? EXIT_FAILED : EXIT_DONE;
    failed += strncmp(failed, "error: ", 7) ? 0 : 7;
    const char *file = record_text(run->hello, "file");
    size_t length = strlen(file);
    if (length > 2 && !strcmp(file + length - 2, ".k"))
        length -= 2;
    if (!*failed && !command->run.quiet)
        complain("%s noted in %.*s.wisdom, where launches find it", what, (int)length, file);
    if (*failed)
        complain("%s not noted for launches: %.*s (--no-wisdom leaves it out)", what,
                 (int)strcspn(failed, "\n"), failed);
    json_decref(answer);
    return status;
}

/* Whether this run has looked at the configuration of the record that launches take. */
static bool was_looked_at(const TuneRun *run, const json_t *taken)
{
    const json_t *indices = json_object_get(taken, "config");
    size_t params = run->space.search.params;
    bool looked = false;
    for (size_t i = 0; json_is_array(indices) && i < run->done && !looked; i++) {
        const uint32_t *config = search_config(&run->space.search, run->order[i]);
        size_t same = 0;
        while (same < params &&
               json_integer_value(json_array_get(indices, same)) == (json_int_t)config[same])
            same++;
        looked = same == params;
    }
    return looked;
}

/* The source's own constants are better than what was measured: are launches to know? */
static int note_own(const TuneCommand *command, TuneRun *run, const char *why_not)
{
    const Objective *objective = run->options->objective;
    double value = objective_value(objective, run->untuned);
    json_t *taken = flight_ask(run, json_pack("{s:s}", "do", "taken"));
    const char *why = taken ? record_text(taken, "why") : "";
    bool other = taken && !strcmp(record_text(taken, "objective"), objective_text(objective)) &&
                 !json_is_true(json_object_get(taken, "own"));
    bool worse = other && was_looked_at(run, taken);
    int status = EXIT_DONE;
    complain("%s%s", worse ? "" : "not noted for launches: ", why_not);
    if (other && !worse)
        complain("launches go on taking %s (%s), which this run has not measured: delete that "
                 "record, or have it measured by -T",
                 record_text(taken, "configuration"), why);
    if (worse) {
        complain("launches took %s (%s)", record_text(taken, "configuration"), why);
        status =
            tell_noted(command, run,
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
        return tell_noted(command, run, note_ask(run, "wisdom"), "the best is");
    if (!objective_is_reversed(run->options->objective))
        return note_own(command, run, why_not);
    complain("not noted for launches: %s", why_not);
    return EXIT_DONE;
}

/* The figures that all outputs show of a configuration: those of its last measurement. */

#include "cli/search/tune.h"

const json_t *tune_last_record(const TuneRun *run, size_t index)
{
    const json_t *found = run->records[index];
    if (!json_array_size(run->again))
        return found;
    if (index == run->own && record_is_good(found) && record_is_good(run->untuned))
        return run->untuned; /* the same kernel, measured with the winners */
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

json_t *tune_shown_record(const TuneRun *run, size_t index)
{
    static const char *const figures[] = { "ms",     "low", "high",   "least", "times",
                                           "rounds", "gbs", "gflops", "energy" };
    json_t *shown = json_copy(run->records[index]);
    const json_t *last = tune_last_record(run, index);
    json_t *first = json_object_get(shown, "ms");
    if (last == run->records[index])
        return shown;
    if (first)
        json_object_set(shown, "search_ms", first);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (json_object_get(last, figures[i]))
            json_object_set(shown, figures[i], json_object_get(last, figures[i]));
    return shown;
}

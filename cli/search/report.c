/* The run as a self-contained page: report.html with the run's data, as cli/page/ makes them. */
#include <math.h>

#include "cli/page/page.h"
#include "cli/search/tune.h"

static const char page[] =
#include "cli/search/report.html.inc"
    ;

/* With the texts of values, since JavaScript does not distinguish 3 and 3.0. */
static json_t *params_of(const TuneRun *run)
{
    json_t *list = json_array(), *value;
    for (size_t i = 0; i < run->space.search.params; i++) {
        json_t *texts = json_array();
        size_t at;
        json_array_foreach(run->space.params[i].values, at, value)
        {
            char *text = config_value_text(value);
            json_array_append_new(texts, json_string(text));
            free(text);
        }
        json_array_append_new(list,
                              json_pack("{s:s,s:O,s:o}", "name", run->space.params[i].name,
                                        "values", run->space.params[i].values, "texts", texts));
    }
    return list;
}

static json_t *data_of(const TuneRun *run, json_t *source)
{
    json_t *root = export_summary(run), *values = json_array(), *seen = json_array(),
           *places = json_array();
    json_int_t best = -1;
    for (size_t i = 0; i < run->done; i++) {
        const json_t *record = tune_last_record(run, run->order[i]);
        double value = objective_value(run->options->objective, record);
        bool good = record_is_good(record) && !isnan(value);
        json_array_append_new(values, good ? json_real(value) : json_null());
        json_array_append_new(places, space_indices(&run->space, run->order[i]));
        if (run->order[i] == run->best)
            best = (json_int_t)i;
        bool given_up = !good && isfinite(tune_worth(run, record));
        json_array_append_new(seen, given_up ? json_real(value) : json_null());
    }
    json_object_set_new(root, "params", params_of(run));
    json_object_set_new(root, "values", values);
    json_object_set_new(root, "seen", seen);     /* times of "slow" results */
    json_object_set_new(root, "places", places); /* per result, the indices of its values */
    json_object_set_new(root, "winner", json_integer(best)); /* index in the results */
    if (run->untuned && record_is_good(run->untuned)) {
        double value = objective_value(run->options->objective, run->untuned);
        json_object_set_new(root, "untuned_value", json_real(value));
    }
    json_object_set_new(root, "unit", json_string(objective_unit(run->options->objective)));
    json_object_set(root, "source", source ? source : json_null());
    return root;
}

bool report_write(const TuneRun *run, json_t *source, const char *path)
{
    json_t *root = data_of(run, source);
    bool saved = page_save(page, root, path);
    json_decref(root);
    return saved;
}

/* The run as a self-contained page: report.html with the run's data inserted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/draft.h"
#include "cli/search/tune.h"

static const char page[] =
#include "cli/search/report.html.inc"
    ;

static const char placeholder[] = "@DATA@";

/* JSON inside a script element, escaped so that no text can end the element. */
static void put_json(FILE *out, json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    for (const char *at = text; at && *at; at++) {
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
    }
    free(text);
}

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
    json_object_set_new(root, "unit", json_string(objective_unit(run->options->objective)));
    json_object_set(root, "source", source ? source : json_null());
    return root;
}

bool report_write(const TuneRun *run, json_t *source, const char *path)
{
    Draft out;
    const char *at = strstr(page, placeholder);
    json_t *root = data_of(run, source);
    draft_open(&out);
    fwrite(page, 1, (size_t)(at - page), out.file);
    put_json(out.file, root);
    fputs(at + strlen(placeholder), out.file);
    json_decref(root);
    return draft_close(&out, "--report", path);
}

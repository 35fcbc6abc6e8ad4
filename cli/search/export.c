/* A run's results for other programs: the T4 format that tuners exchange, CSV, and a summary.
**
** Source of T4: "results-schema.json" 1.0.0 of https://github.com/odgaard/TuningSchema, which
** Kernel Tuner writes, too. */
#include <math.h>

#include "cli/measure/draft.h"
#include "cli/search/tune.h"

/* ---- T4 -------------------------------------------------------------------------------------- */

/* "slow" has no comparable time: it exceeded its limit. Neither has "disturbed", for which T4 has
** no word of its own. */
static const char *invalidity(const json_t *record)
{
    static const char *const words[][2] = {
        { "ok", "correct" },      { "slow", "timeout" },   { "wrong", "correctness" },
        { "compile", "compile" }, { "launch", "runtime" }, { "crash", "runtime" },
        { "timeout", "timeout" },
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(record_text(record, "outcome"), words[i][0]))
            return words[i][1];
    return "runtime";
}

static void add_measurement(json_t *list, const json_t *record, const char *key, const char *name,
                            const char *unit)
{
    json_t *value = json_object_get(record, key);
    if (json_is_number(value))
        json_array_append_new(
            list, json_pack("{s:s,s:O,s:s}", "name", name, "value", value, "unit", unit));
}

/* The objective is added as a measurement unless it is one of the others. */
static void add_objective(const TuneRun *run, json_t *list, const json_t *record)
{
    const char *text = objective_text(run->options->objective);
    double value = objective_value(run->options->objective, record);
    size_t index;
    json_t *measured;
    json_array_foreach(list, index, measured)
    {
        if (!strcmp(record_text(measured, "name"), text))
            return;
    }
    if (!isnan(value))
        json_array_append_new(list,
                              json_pack("{s:s,s:f,s:s}", "name", text, "value", value, "unit", ""));
}

static json_t *plain_config(const TuneRun *run, size_t index)
{
    json_t *config = space_config(&run->space, index), *value;
    const char *name;
    void *next;
    json_object_foreach_safe(config, next, name, value)
    {
        json_object_set_new(config, name, config_plain_value(value));
    }
    return config;
}

static json_t *t4_result(const TuneRun *run, size_t index)
{
    json_t *record = tune_shown_record(run, index);
    json_t *times = json_object_get(record, "times"), *measured = json_array();
    const char *why = record_text(record, "why");
    double compile = record_number(record, "compile_ms");
    static const char *const keys[][3] = {
        { "ms", "time", "ms" },           { "gflops", "gflops", "GFLOP/s" },
        { "gbs", "gbs", "GB/s" },         { "energy", "energy", "mJ" },
        { "registers", "registers", "" }, { "shared", "shared", "bytes" },
        { "local", "local", "bytes" },    { "spills", "spills", "bytes" },
        { "occupancy", "occupancy", "" }, { "compile_ms", "compile", "ms" },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        add_measurement(measured, record, keys[i][0], keys[i][1], keys[i][2]);
    add_objective(run, measured, record);
    if (*why)
        json_array_append_new(measured,
                              json_pack("{s:s,s:s,s:s}", "name", "why", "value", why, "unit", ""));
    json_t *result = json_pack(
        "{s:o,s:{s:f,s:f,s:f,s:f,s:o},s:s,s:i,s:o,s:[s]}", "configuration",
        plain_config(run, index), "times", "compilation_time", isnan(compile) ? 0 : compile,
        "framework", 0.0, "search_algorithm", 0.0, "validation", 0.0, "runtimes",
        times ? json_incref(times) : json_array(), "invalidity", invalidity(record), "correctness",
        strcmp(record_text(record, "outcome"), "wrong") != 0, "measurements", measured,
        "objectives", objective_text(run->options->objective));
    json_t *stamp = json_object_get(record, "timestamp");
    if (json_is_string(stamp))
        json_object_set(result, "timestamp", stamp);
    json_decref(record);
    return result;
}

bool export_t4(const TuneRun *run, const char *path)
{
    json_t *results = json_array();
    Draft out;
    for (size_t i = 0; i < run->done; i++)
        json_array_append_new(results, t4_result(run, run->order[i]));
    json_t *root = json_pack("{s:s,s:o,s:{s:s}}", "schema_version", "1.0.0", "results", results,
                             "metadata", "timeunit", "milliseconds");
    draft_open(&out);
    json_dumpf(root, out.file, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    json_decref(root);
    return draft_close(&out, "--t4", path);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static const char *const columns[] = { "outcome",    "ms",    "low",       "high",
                                       "gflops",     "gbs",   "energy",    "registers",
                                       "shared",     "local", "spills",    "occupancy",
                                       "compile_ms", "at",    "search_ms", "why" };
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* RFC 4180: quotes around what has commas, quotes or newlines. */
static void put_text(FILE *out, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quoted)
        fputc('"', out);
}

static void put_value(FILE *out, const json_t *value)
{
    char text[40];
    if (json_is_string(value))
        put_text(out, json_string_value(value));
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "True" : "False", out);
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    number_text(json_real_value(value), text, sizeof text);
    if (json_is_real(value))
        fputs(text, out);
}

static void put_row(FILE *out, const TuneRun *run, size_t index)
{
    json_t *record = tune_shown_record(run, index);
    const uint32_t *config = search_config(&run->space.search, index);
    for (size_t i = 0; i < run->space.search.params; i++) {
        json_t *plain = config_plain_value(json_array_get(run->space.params[i].values, config[i]));
        put_value(out, json_is_null(plain) ? json_array_get(run->space.params[i].values, config[i])
                                           : plain);
        json_decref(plain);
        fputc(',', out);
    }
    double value = objective_value(run->options->objective, record);
    char text[40];
    number_text(value, text, sizeof text);
    if (record_is_good(record) && !isnan(value))
        fputs(text, out);
    for (size_t i = 0; i < COLUMNS; i++) {
        fputc(',', out);
        put_value(out, json_object_get(record, columns[i]));
    }
    fputs("\r\n", out);
    json_decref(record);
}

bool export_csv(const TuneRun *run, const char *path)
{
    Draft out;
    draft_open(&out);
    for (size_t i = 0; i < run->space.search.params; i++) {
        put_text(out.file, run->space.params[i].name);
        fputc(',', out.file);
    }
    fputs("objective", out.file);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out.file, ",%s", columns[i]);
    fputs("\r\n", out.file);
    for (size_t i = 0; i < run->done; i++)
        put_row(out.file, run, run->order[i]);
    return draft_close(&out, "--csv", path);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static const char *verdict_word(const TuneRun *run)
{
    static const char *const words[] = { [VERDICT_UNKNOWN] = NULL,
                                         [VERDICT_SAME] = "same",
                                         [VERDICT_FASTER] = "faster",
                                         [VERDICT_SLOWER] = "slower" };
    return words[tune_verdict(run)];
}

json_t *export_summary(const TuneRun *run)
{
    json_t *outcomes = json_object(), *records = json_array(), *best = json_null();
    for (size_t i = 0; i < run->done; i++) {
        const json_t *record = run->records[run->order[i]];
        const char *outcome = record_text(record, "outcome");
        json_int_t had = json_integer_value(json_object_get(outcomes, outcome));
        json_object_set_new(outcomes, outcome, json_integer(had + 1));
        json_array_append_new(records, tune_shown_record(run, run->order[i]));
    }
    if (run->best != SIZE_MAX)
        best = json_pack("{s:o,s:f,s:o,s:s?,s:b}", "config", space_config(&run->space, run->best),
                         "objective", run->best_value, "record", tune_shown_record(run, run->best),
                         "than_untuned", verdict_word(run), "own", run->best == run->own);
    return json_pack(
        "{s:O?,s:O?,s:O?,s:s,s:s,s:I,s:I,s:o,s:s?,s:o,s:o,s:O?,s:O?,s:O?,s:b}", "file",
        json_object_get(run->hello, "file"), "kernel", json_object_get(run->hello, "kernel"), "key",
        json_object_get(run->hello, "key"), "objective", objective_text(run->options->objective),
        "sense", objective_is_most(run->options->objective) ? "most" : "least", "configurations",
        (json_int_t)run->space.search.count, "evaluated", (json_int_t)run->done, "best", best,
        "undecided", run->undecided, "outcomes", outcomes, "results", records, "untuned",
        run->untuned, "again", run->again, "timeline", run->timeline, "interrupted",
        run->interrupted || run->lost);
}

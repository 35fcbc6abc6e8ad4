/* Replaying a run: strategies over logged measurements, without a device.
**
** The space is that of the configurations in the log; of an exhaustive run it is the whole. */
#include <math.h>

#include "cli/measure/complain.h"
#include "cli/measure/measure.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

/* ---- the space ------------------------------------------------------------------------------- */

enum { SHAPE = 3 }; /* numbers of a launch's shape, after the indices of a row */

typedef struct LoggedRows {
    uint32_t *numbers;
    size_t width, stride, count;
    size_t others; /* results of another space */
} LoggedRows;

static int compare_rows(const void *a, const void *b, void *context)
{
    const LoggedRows *rows = context;
    const uint32_t *x = a, *y = b;
    for (size_t i = 0; i < rows->width; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* The indices of a configuration's values; false if it is not of the space. */
static bool read_row(const json_t *params, const json_t *config, uint32_t *row)
{
    size_t index;
    json_t *param;
    json_array_foreach((json_t *)params, index, param)
    {
        const json_t *values = json_object_get(param, "values");
        const json_t *value = json_object_get(config, record_text(param, "name"));
        size_t value_index = 0, count = json_array_size(values);
        while (value_index < count && !json_equal(json_array_get(values, value_index), value))
            value_index++;
        if (value_index == count)
            return false;
        row[index] = (uint32_t)value_index;
    }
    return true;
}

/* The block's x, its threads, the blocks; zeros if it was never launched. */
static void read_shape(const json_t *record, uint32_t shape[SHAPE])
{
    const json_t *block = json_object_get(record, "block"), *grid = json_object_get(record, "grid");
    double threads = 1, blocks = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        threads *= (double)json_integer_value(json_array_get(block, axis));
        blocks *= (double)json_integer_value(json_array_get(grid, axis));
    }
    shape[0] = (uint32_t)fmin(json_number_value(json_array_get(block, 0)), UINT32_MAX);
    shape[1] = (uint32_t)fmin(threads, UINT32_MAX);
    shape[2] = (uint32_t)fmin(blocks, UINT32_MAX);
}

static void read_rows(LoggedRows *rows, const json_t *params, const json_t *records)
{
    size_t index;
    json_t *record;
    rows->width = json_array_size(params);
    rows->stride = rows->width + SHAPE;
    rows->numbers =
        must_alloc((json_array_size(records) + 1) * rows->stride * sizeof *rows->numbers);
    json_array_foreach((json_t *)records, index, record)
    {
        uint32_t *row = rows->numbers + rows->count * rows->stride;
        if (strcmp(record_text(record, "record"), "result") != 0)
            continue;
        read_shape(record, row + rows->width);
        const json_t *config = json_object_get(record, "config");
        bool fits = json_object_size(config) == rows->width && read_row(params, config, row);
        rows->count += fits;
        rows->others += !fits;
    }
    qsort_r(rows->numbers, rows->count, rows->stride * sizeof *rows->numbers, compare_rows, rows);
}

/* The space of a log's records, as a child would list it. */
static json_t *noted_space(const json_t *records, const json_t *key, const char **file)
{
    json_t *params = NULL, *record, *configs = json_array(), *shapes = json_array();
    bool gpu = !strncmp(record_text(key, "architecture"), "sm_", 3);
    LoggedRows rows = { 0 };
    size_t index;
    json_array_foreach((json_t *)records, index, record)
    {
        if (!strcmp(record_text(record, "record"), "space")) {
            params = json_object_get(record, "params");
            *file = record_text(record, "file");
        }
    }
    read_rows(&rows, params, records);
    if (rows.others)
        complain("%zu of %zu results are of another space, tuned with another @tune or -T than the "
                 "last one in the log: they are not played",
                 rows.others, rows.others + rows.count);
    for (size_t i = 0; i < rows.count; i++) {
        const uint32_t *row = rows.numbers + i * rows.stride;
        if (i && !compare_rows(row, row - rows.stride, &rows))
            continue;
        for (size_t p = 0; p < rows.width; p++)
            json_array_append_new(configs, json_integer(row[p]));
        for (size_t p = rows.width; gpu && p < rows.stride; p++)
            json_array_append_new(shapes, json_integer(row[p]));
    }
    free(rows.numbers);
    return json_pack("{s:O?,s:o,s:o}", "params", params, "configs", configs, "shapes", shapes);
}

/* ---- playing --------------------------------------------------------------------------------- */

static int open_log(TuneRun *run, const TuneOptions *options, const char *path)
{
    json_t *key = NULL;
    *run = (TuneRun){
        .options = options, .best = SIZE_MAX, .best_value = (double)NAN, .own = SIZE_MAX
    };
    if (options->seconds > 0)
        return bad_usage(
            "--budget with a time makes no sense with --replay, which takes none: give a "
            "count or a percentage");
    if (!log_read(&run->log, path, &key))
        return EXIT_FAILED;
    const char *file = "";
    json_t *had = json_object_get(key, "key"), *noted = noted_space(run->log.records, had, &file);
    run->hello =
        json_pack("{s:O?,s:s,s:s}", "key", had, "file", file, "kernel", record_text(had, "kernel"));
    json_decref(key);
    int status = EXIT_FAILED;
    if (!json_array_size(json_object_get(noted, "configs")))
        complain("%s has no measured configuration", path);
    else
        status = tune_open_space(run, noted);
    json_decref(noted);
    if (status == EXIT_DONE)
        tune_resume(run);
    return status;
}

int replay_log(TuneRun *run, const TuneOptions *options, const char *path)
{
    int status = open_log(run, options, path);
    if (status == EXIT_DONE && !tune_search(run))
        status = EXIT_FAILED;
    if (status == EXIT_DONE)
        tune_drop_disturbed(run);
    return status;
}

/* The value of a search's best relative to the best of the log: 1 is optimal. */
static double nearness(const TuneRun *run, double best)
{
    if (run->best == SIZE_MAX)
        return (double)INFINITY;
    if (run->best_value == best)
        return 1; /* if there is no best, too */
    return objective_is_most(run->options->objective) ? best / run->best_value
                                                      : run->best_value / best;
}

static bool search_once(TuneRun *run, const TuneOptions *options)
{
    run->options = options;
    tune_forget(run);
    return tune_search(run);
}

/* "1.043", or "none" if the search found nothing that works. */
static void put_nearness(FILE *out, const char *before, double near, int width)
{
    char text[32] = "none";
    if (isfinite(near))
        snprintf(text, sizeof text, "%.3f", near);
    fprintf(out, "%s%*s", before, width, text);
}

/* Prints a row of sorted results; searches that found nothing come last. */
static void print_strategy(FILE *out, const TuneRun *run, const char *name, const double *near,
                           size_t repeat)
{
    size_t within = 0, failed = 0;
    for (size_t i = 0; i < repeat; i++) {
        within += near[i] <= 1.05;
        failed += !isfinite(near[i]);
    }
    fprintf(out, "%-10s  %4zu of %zu", name, run->budget, run->space.search.count);
    put_nearness(out, "  ",
                 near[(repeat - 1) / 2] + (near[repeat / 2] - near[(repeat - 1) / 2]) / 2, 6);
    put_nearness(out, "  ", near[repeat / 4], 6);
    put_nearness(out, " to ", near[repeat - 1 - repeat / 4], 0);
    put_nearness(out, "  ", near[repeat - 1], 6);
    fprintf(out, "  %zu of %zu", within, repeat);
    if (failed)
        fprintf(out, "; %zu found nothing that works", failed);
    fputc('\n', out);
}

static bool repeat_strategy(FILE *out, TuneRun *run, const TuneOptions *options, double best,
                            size_t repeat, const Strategy *strategy)
{
    double *near = must_alloc(repeat * sizeof *near);
    bool memory = true;
    for (size_t i = 0; i < repeat && memory; i++) {
        TuneOptions own = *options;
        own.strategy = strategy;
        own.seed = options->seed + i;
        memory = search_once(run, &own);
        near[i] = nearness(run, best);
        run->options = options;
    }
    qsort(near, repeat, sizeof *near, statistics_compare);
    if (memory)
        print_strategy(out, run, strategy->name, near, repeat);
    free(near);
    return memory;
}

/* Reports why the log has no best to compare with. */
static void report_no_best(const TuneRun *run, const char *path)
{
    size_t slow = 0, timed = 0;
    for (size_t i = 0; i < run->done; i++) {
        const json_t *record = run->records[run->order[i]];
        slow += !strcmp(record_text(record, "outcome"), "slow");
        timed += record_is_good(record);
    }
    if (slow && !timed)
        complain("%s: all configurations that work, %zu, were given up early, being slower than "
                 "the source's own constants: none was timed to the end, and there is no best "
                 "that searches could be compared by",
                 path, slow);
    else
        complain("%s has no configuration that worked and has a value of %s", path,
                 objective_text(run->options->objective));
}

int replay_compare_strategies(FILE *out, const TuneOptions *options, const char *path,
                              size_t repeat, const Strategy *const *strategies)
{
    TuneRun run;
    TuneOptions counting = *options; /* a search that evaluates a "slow" one has found it */
    counting.takes_slow = true;
    options = &counting;
    int status = open_log(&run, options, path);
    TuneOptions all = *options;
    all.strategy = strategy_find("exhaustive");
    if (status == EXIT_DONE) {
        size_t budget = run.budget;
        run.budget = run.space.search.count;
        if (!search_once(&run, &all))
            status = EXIT_FAILED;
        run.budget = budget;
    }
    bool found = status == EXIT_DONE && run.best != SIZE_MAX;
    if (status == EXIT_DONE && (!found || !record_is_good(run.records[run.best]))) {
        report_no_best(&run, path);
        status = EXIT_FAILED;
    }
    double best = run.best_value;
    if (status == EXIT_DONE)
        fprintf(out, "strategy    evaluated  median  quartiles        worst  within 5 %%\n");
    for (; status == EXIT_DONE && *strategies; strategies++)
        if (!repeat_strategy(out, &run, options, best, repeat, *strategies))
            status = EXIT_FAILED;
    tune_free(&run);
    return status;
}

/* A complete run: the child's greeting, the log, the search. */
#include <math.h>
#include <sys/wait.h>

#include "cli/measure/clock.h"
#include "cli/measure/complain.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

/* ---- records --------------------------------------------------------------------------------- */

const char *record_text(const json_t *record, const char *key)
{
    const char *text = json_string_value(json_object_get(record, key));
    return text ? text : "";
}

double record_number(const json_t *record, const char *key)
{
    const json_t *value = json_object_get(record, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool record_is_good(const json_t *record)
{
    return record && !strcmp(record_text(record, "outcome"), "ok");
}

/* Adds a stage to the run's timeline. */
static void tune_mark(TuneRun *run, const char *name)
{
    json_object_set_new(run->timeline, name, json_real(clock_seconds() - run->started));
}

/* ---- interruption ---------------------------------------------------------------------------- */

bool tune_interrupted(TuneRun *run)
{
    run->interrupted = run->interrupted || worker_signalled();
    return run->interrupted;
}

/* ---- the beginning --------------------------------------------------------------------------- */

/* Waits for the child's greeting, and forwards its standard error until then. */
static int greet(TuneRun *run)
{
    json_t *line = NULL;
    WorkerEvent event;
    if (!worker_start(&run->worker, run->options->child))
        return EXIT_FAILED;
    worker_send(&run->worker, json_pack("{s:s}", "do", "begin"));
    while ((event = worker_receive(&run->worker, -1, &line)) == WORKER_LINE &&
           !json_object_get(line, "key")) {
        progress_listing(run, line);
        json_decref(line);
    }
    progress_listing(run, NULL);
    if (event == WORKER_INTERRUPTED) {
        worker_stop(&run->worker);
        return EXIT_FAILED;
    }
    fputs(run->worker.stderr_tail, stderr);
    run->worker.stderr_length = 0;
    run->worker.stderr_tail[0] = '\0';
    if (event == WORKER_LINE) {
        run->hello = line;
        return EXIT_DONE;
    }
    int status = run->worker.status;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILED;
    char fate[512];
    worker_fate(&run->worker, fate, sizeof fate);
    return complain_failed("the kernel with the source's own constants cannot be launched: %s",
                           fate);
}

/* NAME.KERNEL.tune.jsonl beside NAME.k; to be free()d. */
static char *usual_path(const TuneRun *run)
{
    const char *file = record_text(run->hello, "file");
    const char *kernel = record_text(run->hello, "kernel");
    size_t length = strlen(file), room = length + strlen(kernel) + sizeof "..tune.jsonl";
    char *path = must_alloc(room);
    if (length > 2 && !strcmp(file + length - 2, ".k"))
        length -= 2;
    snprintf(path, room, "%.*s.%s.tune.jsonl", (int)length, file, kernel);
    return path;
}

/* Why a record of an earlier run must be measured again; NULL: it need not. */
static const char *why_again(const TuneRun *run, const json_t *record)
{
    const TuneOptions *options = run->options;
    const char *outcome = record_text(record, "outcome");
    if (!options->child)
        return NULL; /* a replay measures nothing */
    if (!strcmp(outcome, "timeout") && record_number(record, "timeout") < options->timeout)
        return "timed out in less than --timeout";
    if (record_is_disturbed(record))
        return "were disturbed by other programs";
    if ((record_is_good(record) || !strcmp(outcome, "slow")) &&
        objective_lacks(options->objective, record))
        return "lack what --objective asks for";
    return NULL;
}

bool record_is_disturbed(const json_t *record)
{
    return record && !strcmp(record_text(record, "outcome"), "disturbed");
}

static bool is_slow(const json_t *record)
{
    return record && !strcmp(record_text(record, "outcome"), "slow");
}

/* A record that is "slow" by comparison with configurations outside this space may be among the
** best of it: it is kept only if something of this space is faster. */
static void recheck_slow(TuneRun *run, const char **again)
{
    double least = INFINITY;
    if (!run->options->child)
        return; /* a replay measures nothing */
    if (run->own != SIZE_MAX && record_is_good(run->untuned))
        least = record_number(run->untuned, "ms");
    for (size_t i = 0; i < run->space.search.count; i++)
        if (record_is_good(run->records[i]))
            least = fmin(least, record_number(run->records[i], "ms"));
    for (size_t i = 0; i < run->space.search.count; i++) {
        if (!is_slow(run->records[i]) || record_number(run->records[i], "ms") > least)
            continue;
        run->records[i] = NULL;
        again[i] = "were given up beside faster ones, which are not in this space";
    }
}

/* Takes over the records of earlier runs. */
static void resume(TuneRun *run)
{
    size_t index, found = 0, left = 0;
    const char *why_left = NULL, **again = must_alloc(run->space.search.count * sizeof *again);
    json_t *record;
    json_array_foreach(run->log.records, index, record)
    {
        const char *what = record_text(record, "record");
        double at = record_number(record, "at");
        if (at > run->before)
            run->before = at;
        const char *why =
            !strcmp(what, "void") ? "were lost with the device" : why_again(run, record);
        if (!strcmp(what, "untuned") && !why)
            run->untuned = record;
        if (strcmp(what, "result") != 0 && strcmp(what, "void") != 0)
            continue;
        size_t config = space_find(&run->space, json_object_get(record, "config"));
        if (config == SIZE_MAX)
            continue;
        run->records[config] = why ? NULL : record;
        again[config] = why;
    }
    if (run->own != SIZE_MAX && is_slow(run->records[run->own]))
        run->records[run->own] = NULL; /* it is the untuned kernel, which has a record of its own */
    recheck_slow(run, again);
    for (size_t i = 0; i < run->space.search.count; i++) {
        found += run->records[i] != NULL;
        left += again[i] != NULL;
        why_left = again[i] ? again[i] : why_left;
    }
    free(again);
    if (found && run->log.path)
        complain("%s: %zu of %zu configurations are measured already", run->log.path, found,
                 run->space.search.count);
    if (left)
        complain("%s: %zu %s: they are measured again", run->log.path, left, why_left);
}

static int open_space(TuneRun *run, json_t *description)
{
    if (!space_open(&run->space, description))
        return complain_failed("a description of the space makes no sense");
    if (objective_follows_time(run->options->objective))
        run->space.search.expected = run->space.expected;
    run->records = must_alloc(run->space.search.count * sizeof *run->records);
    run->order = must_alloc(run->space.search.count * sizeof *run->order);
    return EXIT_DONE;
}

/* The configuration that equals the source's own constants. */
static size_t find_own(const TuneRun *run)
{
    json_t *config = json_object(), *param;
    size_t index;
    json_array_foreach(json_object_get(run->hello, "own"), index, param)
    {
        json_object_set(config, record_text(param, "name"),
                        json_array_get(json_object_get(param, "values"), 0));
    }
    size_t own = space_find(&run->space, config);
    json_decref(config);
    return own;
}

static void choose_budget(TuneRun *run)
{
    const TuneOptions *options = run->options;
    size_t count = run->space.search.count;
    run->budget = options->count < count ? options->count : count;
    if (options->fraction > 0) {
        size_t part = (size_t)(options->fraction * (double)count + 1e-9);
        part = part ? part : 1;
        run->budget = part < run->budget ? part : run->budget;
    }
}

/* ---- the search ------------------------------------------------------------------------------ */

/* The value of a record for the search. The partial time of a "slow" one is good enough to avoid
** it; a "disturbed" one has no better time until the end. */
double tune_worth(const TuneRun *run, const json_t *record)
{
    const Objective *objective = run->options->objective;
    bool seen = is_slow(record) || record_is_disturbed(record);
    if (!record_is_good(record) && !(seen && objective_follows_time(objective)))
        return (double)INFINITY;
    return objective_sought(objective, objective_value(objective, record));
}

static void note_record(TuneRun *run, size_t index, const json_t *record, double value)
{
    run->order[run->done++] = index;
    bool counts = record_is_good(record) || run->options->takes_slow;
    if (counts && isfinite(value) &&
        (run->best == SIZE_MAX ||
         value < objective_sought(run->options->objective, run->best_value))) {
        run->best = index;
        run->best_value = objective_value(run->options->objective, record);
    }
    progress_step(run, index, record);
}

static bool out_of_time(const TuneRun *run)
{
    double seconds = run->options->seconds;
    return seconds > 0 && run->before + clock_seconds() - run->began >= seconds;
}

static void measure_untuned(TuneRun *run)
{
    if (run->untuned || run->interrupted)
        return;
    json_t *answer = flight_ask(run, json_pack("{s:s}", "do", "untuned"));
    if (!answer && (run->interrupted || run->lost))
        return;
    if (!answer)
        answer = json_pack("{s:s,s:s}", "outcome", "crash", "why",
                           "it ended the process, or was not done in time");
    json_object_del(answer, "say");
    json_object_set_new(answer, "record", json_string("untuned"));
    run->untuned = answer;
    log_add(&run->log, answer);
    tune_mark(run, "untuned");
}

/* The source's own configuration is the untuned kernel, which is not measured twice. */
static void keep_own(TuneRun *run)
{
    if (run->own == SIZE_MAX || run->records[run->own] || !record_is_good(run->untuned))
        return;
    json_t *record = json_deep_copy(run->untuned);
    json_object_del(record, "kernel_ms"); /* it is of a single launch */
    flight_keep(run, run->own, record);
}

/* Prepares the child for the first configuration. */
static bool begin(TuneRun *run, size_t index)
{
    if (!flight_begin(run, index))
        return false;
    measure_untuned(run);
    keep_own(run);
    return !run->lost && !tune_interrupted(run);
}

static bool evaluate(void *context, size_t index, double *value)
{
    TuneRun *run = context;
    json_t *record = run->records[index];
    if (!record && (tune_interrupted(run) || out_of_time(run)))
        return false;
    if (!record && !begin(run, index))
        return false;
    record = run->records[index] ? run->records[index] : flight_measure(run, index);
    if (!record)
        return false;
    *value = tune_worth(run, record);
    note_record(run, index, record, *value);
    return true;
}

static void coming(void *context, const size_t *indices, size_t count, bool certain)
{
    flight_announce(context, indices, count, certain);
}

static bool search(TuneRun *run, SearchAnnounce *tell)
{
    Search search = {
        .space = &run->space.search,
        .seed = run->options->seed,
        .budget = run->budget,
        .evaluate = evaluate,
        .coming = tell,
        .context = run,
    };
    bool memory = search_run(&search, run->options->strategy);
    search_free(&search);
    if (!memory)
        complain("out of memory");
    return memory;
}

/* ---- ranking --------------------------------------------------------------------------------- */

static int compare_worth(const void *a, const void *b, void *context)
{
    const TuneRun *run = context;
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    const json_t *x = tune_last_record(run, one), *y = tune_last_record(run, other);
    double first = record_is_good(x) ? tune_worth(run, x) : (double)INFINITY;
    double second = record_is_good(y) ? tune_worth(run, y) : (double)INFINITY;
    if (first != second)
        return first < second ? -1 : 1;
    return one < other ? -1 : one > other;
}

size_t *tune_sorted(const TuneRun *run)
{
    size_t *list = must_alloc(run->done * sizeof *list);
    if (run->done)
        memcpy(list, run->order, run->done * sizeof *list);
    qsort_r(list, run->done, sizeof *list, compare_worth, (void *)run);
    return list;
}

bool tune_untuned_is_best(const TuneRun *run)
{
    size_t slow = 0;
    double untuned = record_number(run->untuned, "ms");
    if (run->best != SIZE_MAX || run->undecided || !record_is_good(run->untuned) ||
        !objective_follows_time(run->options->objective))
        return false;
    for (size_t i = 0; i < run->done; i++) {
        const json_t *record = run->records[run->order[i]];
        if (record_is_good(record) || (is_slow(record) && !(record_number(record, "ms") > untuned)))
            return false;
        slow += is_slow(record);
    }
    return slow > 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Logs the parameters' values, for replays. */
static void log_space(TuneRun *run)
{
    json_t *params = json_object_get(run->hello, "params"), *had = NULL, *record;
    size_t index;
    json_array_foreach(run->log.records, index, record)
    {
        if (!strcmp(record_text(record, "record"), "space"))
            had = json_object_get(record, "params");
    }
    if (!json_equal(params, had))
        log_add(&run->log, json_pack("{s:s,s:s,s:O}", "record", "space", "file",
                                     record_text(run->hello, "file"), "params", params));
}

static int search_space(TuneRun *run)
{
    choose_budget(run);
    log_space(run);
    flight_open(run);
    run->began = clock_seconds();
    progress_open(run);
    bool memory = search(run, coming);
    tune_mark(run, "search");
    if (!run->untuned && !run->status && !run->lost && !tune_interrupted(run) &&
        flight_begin(run, SIZE_MAX))
        measure_untuned(run); /* all configurations have records already */
    tune_confirm(run);
    tune_mark(run, "winners");
    progress_close(run);
    if (run->status)
        return run->status;
    if (run->lost)
        complain("it cannot go on: %s; what was measured is kept in %s", run->lost, run->log.path);
    if (run->interrupted)
        complain("interrupted; what was measured is kept in %s, and the same command goes on",
                 run->log.path);
    return run->lost || run->interrupted || !memory ? EXIT_FAILED : EXIT_DONE;
}

int tune_run(TuneRun *run, const TuneOptions *options)
{
    *run = (TuneRun){ .options = options, .best = SIZE_MAX, .best_value = NAN, .own = SIZE_MAX };
    run->started = clock_seconds();
    run->timeline = json_object();
    worker_catch_signals();
    int status = greet(run);
    tune_mark(run, "greeting");
    if (status == EXIT_DONE)
        status = open_space(run, run->hello);
    if (status == EXIT_DONE)
        run->own = find_own(run);
    if (status != EXIT_DONE)
        return status;
    char *usual = usual_path(run);
    bool opened = log_open(&run->log, options->log_path ? options->log_path : usual,
                           json_object_get(run->hello, "key"));
    free(usual);
    if (!opened)
        return EXIT_FAILED;
    resume(run);
    return search_space(run);
}

/* ---- for replay.c ---------------------------------------------------------------------------- */

bool tune_search(TuneRun *run)
{
    return search(run, NULL);
}

int tune_open_space(TuneRun *run, json_t *description)
{
    int status = open_space(run, description);
    if (status == EXIT_DONE)
        choose_budget(run);
    return status;
}

void tune_resume(TuneRun *run)
{
    resume(run);
}

void tune_forget(TuneRun *run)
{
    free(run->order);
    run->order = must_alloc(run->space.search.count * sizeof *run->order);
    run->done = 0;
    run->best = SIZE_MAX;
    run->best_value = (double)NAN;
}

void tune_free(TuneRun *run)
{
    flight_close(run);
    worker_free(&run->worker);
    space_close(&run->space);
    log_close(&run->log);
    free(run->records);
    free(run->order);
    free((char *)run->lost);
    free(run->undecided);
    json_decref(run->hello);
    json_decref(run->timeline);
    json_decref(run->again);
    *run = (TuneRun){ 0 };
}

/* Configurations in flight in the child: compiled ahead and measured one by one; and what happens
** when the child does not survive one.
**
** If the next configuration is certain, it is requested while the child still verifies the last. A
** child that ends or exceeds the timeout is replaced, and its pending requests are repeated, except
** for the configuration it was measuring. */
#include <math.h>
#include <time.h>

#include "cli/measure/clock.h"
#include "cli/measure/complain.h"
#include "cli/measure/memory.h"
#include "cli/search/tune.h"

enum { ASKED_MOST = 2, RESTARTS_MOST = 3 };
static const double SLOW = 1.25; /* times the best: clearly slower, beyond noise */

typedef struct Flight {
    size_t cores;
    bool quiet_device;                           /* compilation would disturb timing */
    size_t *coming;                              /* configurations that the search announced */
    size_t coming_count, coming_room, coming_at; /* those before coming_at have records */
    bool certain;
    size_t careful;  /* compile so many one at a time, after one that was compiled ahead ended
                        the child */
    bool *compiling; /* per configuration: the child has been asked to compile it */
    size_t ahead;    /* how many of those have no record yet */
    size_t asked[ASKED_MOST], asked_count; /* requests to measure, in order */
    size_t busy;                           /* the configuration that is being measured, or
                                              SIZE_MAX */
    double busy_since;
    int restarts;    /* consecutive restarts without a record in between */
    bool leaving;    /* the child has announced that it exits, since its last kernel broke the
                        device */
    size_t last;     /* that kernel's configuration; SIZE_MAX: none of the search */
    bool ready;      /* the child has the expected output */
    size_t children; /* restarts */
    bool blamed;     /* the last child ended by the configuration it measured, which has a record
                        now */
} Flight;

void flight_open(TuneRun *run)
{
    Flight *flight = must_alloc(sizeof *flight);
    json_int_t cores = json_integer_value(json_object_get(run->hello, "cores"));
    flight->cores = cores > 0 ? (size_t)cores : 1;
    flight->quiet_device = json_is_true(json_object_get(run->hello, "quiet"));
    flight->compiling = must_alloc(run->space.search.count * sizeof *flight->compiling);
    flight->busy = flight->last = SIZE_MAX;
    run->flight = flight;
}

void flight_close(TuneRun *run)
{
    if (run->flight) {
        free(run->flight->coming);
        free(run->flight->compiling);
    }
    free(run->flight);
    run->flight = NULL;
}

/* ---- requests -------------------------------------------------------------------------------- */

static bool is_asked(const Flight *flight, size_t index)
{
    for (size_t i = 0; i < flight->asked_count; i++)
        if (flight->asked[i] == index)
            return true;
    return false;
}

static void compile(TuneRun *run, size_t index)
{
    Flight *flight = run->flight;
    if (flight->compiling[index] || run->records[index])
        return;
    if (worker_send(&run->worker,
                    json_pack("{s:s,s:I,s:o}", "do", "compile", "id", (json_int_t)index, "config",
                              space_indices(&run->space, index)))) {
        flight->compiling[index] = true;
        flight->ahead++;
    }
}

/* Requests compilation of the next configurations on all cores. Where that would disturb timing it
** is done in batches: the next one begins when all of the last are measured. */
static void compile_ahead(TuneRun *run, size_t index)
{
    Flight *flight = run->flight;
    size_t most = 2 * flight->cores;
    while (flight->coming_at < flight->coming_count &&
           run->records[flight->coming[flight->coming_at]])
        flight->coming_at++;
    if (flight->quiet_device && flight->compiling[index])
        return;
    compile(run, index);
    for (size_t i = flight->coming_at;
         i < flight->coming_count && flight->ahead < most && !flight->careful; i++)
        compile(run, flight->coming[i]);
}

/* The time in ms of the best so far, or of the source's own configuration if it is allowed; 0:
** there is none. */
static double fastest(const TuneRun *run)
{
    double best = INFINITY;
    if (run->best != SIZE_MAX)
        best = record_number(run->records[run->best], "ms");
    bool all = run->budget == run->space.search.count && !(run->options->seconds > 0);
    if (all && run->own != SIZE_MAX && record_is_good(run->untuned))
        best = fmin(best, record_number(run->untuned, "ms"));
    return isfinite(best) ? best : 0;
}

static void request_measure(TuneRun *run, size_t index)
{
    Flight *flight = run->flight;
    double above = 0;
    if (flight->asked_count == ASKED_MOST || is_asked(flight, index) || run->records[index])
        return;
    if (objective_follows_time(run->options->objective))
        above = SLOW * fastest(run);
    if (!flight->asked_count && flight->busy == SIZE_MAX)
        flight->busy_since = clock_seconds();
    flight->asked[flight->asked_count++] = index;
    worker_send(&run->worker,
                json_pack("{s:s,s:I,s:o,s:f}", "do", "measure", "id", (json_int_t)index, "config",
                          space_indices(&run->space, index), "above", above));
}

void flight_announce(TuneRun *run, const size_t *indices, size_t count, bool certain)
{
    Flight *flight = run->flight;
    if (count > flight->coming_room) {
        flight->coming_room = count;
        flight->coming = must_grow(flight->coming, count * sizeof *flight->coming);
    }
    memcpy(flight->coming, indices, count * sizeof *indices);
    flight->coming_count = count;
    flight->certain = certain;
    flight->coming_at = 0;
}

/* ---- a child that ended ---------------------------------------------------------------------- */

/* Makes the child's reply the record of a configuration; the log will own it. */
static void add_record(TuneRun *run, size_t index, json_t *record)
{
    Flight *flight = run->flight;
    if (flight->compiling[index]) {
        flight->compiling[index] = false;
        flight->ahead--;
    }
    flight->restarts = 0;
    flight->careful -= flight->careful > 0;
    json_object_set_new(record, "record", json_string("result"));
    json_object_set_new(record, "config", space_config(&run->space, index));
    json_object_set_new(record, "at", json_real(run->before + clock_seconds() - run->began));
    run->records[index] = record;
}

static void add_failure(TuneRun *run, size_t index, const char *outcome, const char *why)
{
    char text[32];
    time_t at = time(NULL);
    struct tm utc;
    gmtime_r(&at, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    add_record(run, index,
               json_pack("{s:s,s:s#,s:s}", "outcome", outcome, "why", why, (int)strcspn(why, "\n"),
                         "timestamp", text));
}

void flight_keep(TuneRun *run, size_t index, json_t *record)
{
    add_record(run, index, record);
    log_add(&run->log, json_incref(record));
    json_decref(record); /* the log owns it */
}

static void forget(Flight *flight, size_t count)
{
    flight->asked_count = 0;
    flight->busy = SIZE_MAX;
    flight->ahead = 0;
    flight->leaving = false;
    flight->last = SIZE_MAX;
    memset(flight->compiling, 0, count * sizeof *flight->compiling);
}

static void note_lost(TuneRun *run, const char *why)
{
    free((char *)run->lost);
    run->lost = must_strndup(why, strlen(why));
}

/* Starts a new child, whose greeting must be that of the first. */
static bool greet_new_child(TuneRun *run)
{
    char fate[512];
    json_t *line = NULL;
    forget(run->flight, run->space.search.count);
    worker_stop(&run->worker);
    if (!worker_start(&run->worker, run->options->child) ||
        !worker_send(&run->worker, json_pack("{s:s,s:b}", "do", "begin", "again", 1))) {
        note_lost(run, "the processes to measure in end by themselves");
        return false;
    }
    WorkerEvent event = worker_receive(&run->worker, -1, &line);
    while (event == WORKER_LINE && !json_object_get(line, "key")) {
        json_decref(line);
        event = worker_receive(&run->worker, -1, &line);
    }
    json_t *key = json_object_get(line, "key");
    bool same = event == WORKER_LINE && json_equal(key, json_object_get(run->hello, "key"));
    run->flight->children++;
    if (event == WORKER_LINE && !same)
        note_lost(run, "the device, or the kernel, is another now");
    if (event == WORKER_INTERRUPTED)
        tune_interrupted(run);
    if (event == WORKER_ENDED) {
        worker_fate(&run->worker, fate, sizeof fate);
        note_lost(run, fate);
    }
    json_decref(line);
    return same;
}

static void add_marks(TuneRun *run, const json_t *line)
{
    const char *name;
    json_t *at;
    json_object_foreach(json_object_get(line, "marks"), name, at)
    {
        json_object_set_new(run->timeline, name, json_real(json_number_value(at) - run->started));
    }
}

/* Waits without limit until the child has the expected output, or has failed to compute it. */
static WorkerEvent await_ready(TuneRun *run)
{
    json_t *line;
    WorkerEvent event;
    worker_send(&run->worker, json_pack("{s:s}", "do", "expect"));
    while ((event = worker_receive(&run->worker, -1, &line)) == WORKER_LINE) {
        const char *say = record_text(line, "say");
        run->flight->ready = !strcmp(say, "ready");
        if (run->flight->ready)
            add_marks(run, line);
        if (!strcmp(say, "failed"))
            run->status = (int)json_integer_value(json_object_get(line, "status"));
        json_decref(line);
        if (run->flight->ready || run->status)
            break;
    }
    return event;
}

/* Replaces a child that has ended. */
static bool restart_child(TuneRun *run)
{
    char fate[512];
    if (++run->flight->restarts > RESTARTS_MOST) {
        note_lost(run, "the processes to measure in end by themselves");
        return false;
    }
    run->flight->ready = false;
    if (!greet_new_child(run))
        return false;
    WorkerEvent event = await_ready(run);
    if (event == WORKER_INTERRUPTED)
        tune_interrupted(run);
    if (run->status || event == WORKER_ENDED) {
        run->status = 0;
        worker_stop(&run->worker);
        worker_fate(&run->worker, fate, sizeof fate);
        note_lost(run, fate);
    }
    return run->flight->ready;
}

/* Replaces a child that has exited on its own. If the device is lost, that may have been the cause
** rather than the configuration: the log says so, and a later run measures it again. */
static bool replace_leaving(TuneRun *run)
{
    size_t last = run->flight->last;
    if (restart_child(run))
        return true;
    if (run->lost && last != SIZE_MAX)
        log_add(&run->log, json_pack("{s:s,s:o}", "record", "void", "config",
                                     space_config(&run->space, last)));
    return false;
}

static void failure_text(TuneRun *run, bool measuring, bool late, char *why, size_t room)
{
    char fate[512];
    if (late) {
        snprintf(why, room, "%s %g s (--timeout)",
                 measuring ? "it still ran after" : "it was not compiled within",
                 run->options->timeout);
        return;
    }
    worker_fate(&run->worker, fate, sizeof fate);
    snprintf(why, room, "%s: %s",
             measuring ? "it ended the process" : "compiling it ended the process", fate);
}

/* Handles a child that has ended, or is ended for being late. The configuration that it measured
** gets the blame. If it measured none, one of those it compiled is to blame: from then on it
** compiles one at a time, so that next time it is clear which. */
static bool handle_end(TuneRun *run, size_t index, bool late)
{
    Flight *flight = run->flight;
    char why[640];
    bool measuring = flight->busy != SIZE_MAX;
    flight->blamed = flight->leaving && flight->last != SIZE_MAX;
    if (flight->leaving)
        return replace_leaving(run);
    size_t guilty = measuring ? flight->busy : index;
    flight->blamed = guilty != SIZE_MAX;
    if (late)
        worker_stop(&run->worker);
    if (!measuring && !flight->careful) {
        flight->careful = 4 * flight->cores;
        return restart_child(run);
    }
    if (guilty != SIZE_MAX) {
        failure_text(run, measuring, late, why, sizeof why);
        add_failure(run, guilty, late ? "timeout" : "crash", why);
        if (late)
            json_object_set_new(run->records[guilty], "timeout", json_real(run->options->timeout));
        log_add(&run->log, run->records[guilty]);
    }
    return restart_child(run);
}

/* ---- receiving ------------------------------------------------------------------------------- */

static void take_result(TuneRun *run, json_t *line, size_t index)
{
    Flight *flight = run->flight;
    for (size_t i = 0; i < flight->asked_count; i++) {
        if (flight->asked[i] == index) {
            memmove(&flight->asked[i], &flight->asked[i + 1],
                    (flight->asked_count - i - 1) * sizeof flight->asked[0]);
            flight->asked_count--;
            break;
        }
    }
    if (flight->busy == index)
        flight->busy = SIZE_MAX;
    flight->busy_since = clock_seconds();
    if (run->records[index])
        return;
    json_object_del(line, "say");
    json_object_del(line, "id");
    add_record(run, index, line);
    log_add(&run->log, json_incref(line));
}

/* Handles a message of the child; returns replies that are not about a configuration. */
static json_t *take_line(TuneRun *run, json_t *line)
{
    Flight *flight = run->flight;
    const char *say = record_text(line, "say");
    json_int_t id = json_integer_value(json_object_get(line, "id"));
    bool known = json_object_get(line, "id") && id >= 0 && (size_t)id < run->space.search.count;
    if (json_object_get(line, "leaves")) {
        flight->leaving = true;
        flight->last = known ? (size_t)id : SIZE_MAX;
        json_object_del(line, "leaves");
    }
    if (!strcmp(say, "result") && known) {
        take_result(run, line, (size_t)id);
    } else if (!strcmp(say, "measuring")) {
        flight->busy = known ? (size_t)id : SIZE_MAX;
        flight->busy_since = clock_seconds();
    } else if (!strcmp(say, "measured")) {
        flight->busy = SIZE_MAX; /* its output is not verified yet */
        flight->busy_since = clock_seconds();
    } else if (!strcmp(say, "compiled")) {
        if (flight->busy == SIZE_MAX)
            flight->busy_since = clock_seconds();
    } else {
        flight->restarts = 0;
        return line;
    }
    json_decref(line);
    return NULL;
}

/* Handles one event while waiting for the configuration `index`, or with SIZE_MAX for a reply,
** which is returned in `*answer`. False if the run must stop. */
static bool step(TuneRun *run, size_t index, json_t **answer)
{
    json_t *line;
    double left = run->flight->busy_since + run->options->timeout - clock_seconds();
    switch (worker_receive(&run->worker, left > 0 ? left : 0, &line)) {
    case WORKER_LINE:
        *answer = take_line(run, line);
        return true;
    case WORKER_ENDED:
        return handle_end(run, index, false);
    case WORKER_LATE:
        return handle_end(run, index, true);
    case WORKER_INTERRUPTED:
        break;
    }
    return !tune_interrupted(run);
}

/* Requests the next configuration early, if it is certain and already being compiled. */
static void ask_next(TuneRun *run)
{
    const Flight *flight = run->flight;
    for (size_t i = flight->coming_at;
         flight->certain && i < flight->coming_count && flight->asked_count < ASKED_MOST; i++) {
        if (!flight->compiling[flight->coming[i]] || run->done + flight->asked_count >= run->budget)
            break;
        request_measure(run, flight->coming[i]);
    }
}

/* If the child ends meanwhile, the cause may be a configuration it compiles: tries again
** without. */
bool flight_begin(TuneRun *run, size_t index)
{
    Flight *flight = run->flight;
    char fate[512];
    if (flight->ready)
        return true;
    if (index != SIZE_MAX)
        compile_ahead(run, index);
    WorkerEvent event = await_ready(run);
    if (event == WORKER_ENDED && flight->ahead) {
        flight->careful = 4 * flight->cores;
        if (!greet_new_child(run))
            return false;
        event = await_ready(run);
    }
    if (event == WORKER_INTERRUPTED)
        tune_interrupted(run);
    if (event == WORKER_ENDED) {
        worker_fate(&run->worker, fate, sizeof fate);
        complain("the kernel with the source's own constants cannot be launched: %s", fate);
        run->status = EXIT_FAILED;
    } else if (run->status) {
        worker_stop(&run->worker); /* collects the rest of its standard error */
        fputs(run->worker.stderr_tail, stderr);
    }
    return flight->ready;
}

json_t *flight_measure(TuneRun *run, size_t index)
{
    while (!run->records[index]) {
        json_t *answer = NULL;
        if (run->flight->leaving && !replace_leaving(run))
            return NULL;
        compile_ahead(run, index);
        request_measure(run, index);
        ask_next(run);
        bool going = !tune_interrupted(run) && step(run, index, &answer);
        json_decref(answer);
        if (!going)
            return NULL;
    }
    return run->records[index];
}

/* Sends a request to the current child, which first completes pending ones that are no longer
** needed; `*again`: it ended by one of those, so the next child can be asked. */
static json_t *ask_child(TuneRun *run, json_t *message, bool *again)
{
    Flight *flight = run->flight;
    json_t *answer = NULL;
    *again = false;
    flight->busy_since = clock_seconds();
    if ((!run->worker.pid || flight->leaving) && !replace_leaving(run))
        return NULL;
    size_t child = flight->children;
    bool going = true;
    worker_send(&run->worker, json_incref(message)); /* a failure shows when receiving */
    while (!answer && going && flight->children == child)
        going = !tune_interrupted(run) && step(run, SIZE_MAX, &answer);
    *again = !answer && going && flight->blamed;
    return answer;
}

json_t *flight_ask(TuneRun *run, json_t *message)
{
    bool again;
    json_t *answer = ask_child(run, message, &again);
    while (again)
        answer = ask_child(run, message, &again);
    json_decref(message);
    return answer;
}

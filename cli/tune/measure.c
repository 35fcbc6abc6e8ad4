/* Measuring one configuration: launching, comparing with the expected outputs, timing. */
#include <pthread.h>

#include "cli/tune/child.h"
#include "cli/page/page.h"

/* The first line of a message of the library, without "error: ". */
json_t *failure_record(const char *outcome, const char *message)
{
    message += strncmp(message, "error: ", 7) ? 0 : 7; /* unless it begins with a location */
    return json_pack("{s:s,s:s#}", "outcome", outcome, "why", message, (int)strcspn(message, "\n"));
}

const char *outcome_of(kjit_status status)
{
    return status == KJIT_INVALID ? "compile" : "launch";
}

static void add_facts(Child *child, json_t *record, const Job *job)
{
    kjit_facts facts = { .size = sizeof facts };
    json_object_set_new(record, "grid", page_shape(job->shape.grid));
    json_object_set_new(record, "block", page_shape(job->shape.block));
    if (job->ms > 0)
        json_object_set_new(record, "compile_ms", json_real(job->ms));
    if (kjit_kernel_facts(job->kernel, &job->shape, child->device_args, child->count, &facts) !=
            KJIT_OK ||
        child->quiet)
        return;
    json_object_set_new(record, "registers", json_integer(facts.registers));
    json_object_set_new(record, "shared",
                        json_integer((json_int_t)(facts.shared_bytes + job->shape.shared_bytes)));
    json_object_set_new(record, "local", json_integer((json_int_t)facts.local_bytes));
    if (facts.spill_store_bytes >= 0)
        json_object_set_new(
            record, "spills",
            json_integer((json_int_t)(facts.spill_store_bytes + facts.spill_load_bytes)));
    json_object_set_new(record, "occupancy", json_real(facts.occupancy));
}

/* Rates are of the untuned launch's work: work that a configuration adds does not count. */
static void add_rates(Child *child, json_t *record, double ms)
{
    const kjit_work *work = &child->work;
    double ops = (double)work->float16_ops + (double)work->float32_ops + (double)work->float64_ops;
    if (child->counted && ms > 0) {
        json_object_set_new(record, "gflops", json_real(ops / ms / 1e6));
        json_object_set_new(record, "gbs", json_real((double)work->least_bytes / ms / 1e6));
    }
    if (child->command->energy)
        json_object_set_new(record, "energy", json_real(child->energy));
}

/* The energy of a launch, from so many launches that they last long compared with the driver's
** sampling interval. */
static kjit_status energy_measure(Child *child, const Job *job, double ms)
{
    static const double LONG_MS = 500;
    kjit_sensors before = { .size = sizeof before }, after = { .size = sizeof after };
    kjit_prepared *prepared = NULL;
    size_t count = ms > 0 && ms < LONG_MS ? (size_t)(LONG_MS / ms) + 1 : 1;
    kjit_status status =
        kjit_prepare(job->kernel, &job->shape, child->device_args, child->count, &prepared);
    if (status == KJIT_OK)
        status = kjit_device_sensors(child->context, &before);
    for (size_t i = 0; i < count && status == KJIT_OK; i++)
        status = kjit_launch_prepared(prepared);
    kjit_status waited = kjit_synchronize(child->context);
    kjit_close_prepared(prepared);
    if (status == KJIT_OK)
        status = waited;
    if (status == KJIT_OK)
        status = kjit_device_sensors(child->context, &after);
    child->energy = (double)(after.millijoules - before.millijoules) / (double)count;
    return status;
}

/* Whether the objective depends on times, which other programs can disturb. */
static bool counts_time(const Child *child)
{
    static const char *const of_time[] = { "time", "gflops", "gbs", "energy" };
    for (size_t i = 0; i < sizeof of_time / sizeof of_time[0]; i++)
        if (objective_needs(child->command->run.objective, of_time[i]))
            return true;
    return false;
}

static json_t *timing_record(const Child *child, const Timing *timing)
{
    enum { SAMPLES_KEPT = 100 };
    json_t *times = json_array();
    for (size_t i = 0; i < timing->count && i < SAMPLES_KEPT; i++)
        json_array_append_new(times, json_real(timing->ms[i]));
    json_t *record =
        json_pack("{s:s,s:f,s:f,s:f,s:f,s:o}", "outcome", timing->gave_up ? "slow" : "ok", "ms",
                  timing->median, "low", timing->low, "high", timing->high, "least", timing->least,
                  "times", times);
    if (*timing->disturbed && counts_time(child)) {
        json_object_set_new(record, "outcome", json_string("disturbed"));
        json_object_set_new(record, "why", json_string(timing->disturbed));
    }
    return record;
}

/* Restores initial contents: of the arrays that the kernel writes, or of all, since a kernel with
** accesses out of bounds may have written anywhere. */
static kjit_status restore(Child *child, Restoring what)
{
    if (what == RESTORE_NOTHING)
        return KJIT_OK;
    kjit_status status = kjit_synchronize(child->context);
    return status == KJIT_OK ? device_args_restore(child->copies, NULL,
                                                   what == RESTORE_ALL ? NULL : child->written)
                             : status;
}

/* One launch, and its time on a GPU by events, which includes the host's launch overhead. */
static kjit_status launch_prepared(Child *child, kjit_prepared *prepared, double *ms)
{
    kjit_event *from = child->from, *to = child->to;
    kjit_status status = from && to ? kjit_event_record(from, NULL) : KJIT_OK;
    if (status == KJIT_OK)
        status = kjit_launch_prepared(prepared);
    if (status == KJIT_OK && from && to)
        status = kjit_event_record(to, NULL);
    if (status == KJIT_OK)
        status = kjit_synchronize(child->context);
    if (status == KJIT_OK && from && to)
        status = kjit_event_elapsed(from, to, ms);
    return status;
}

kjit_status launch_once(Child *child, Job *job, Restoring what, Outputs *outputs)
{
    kjit_prepared *prepared = NULL;
    kjit_status status = restore(child, what);
    if (status == KJIT_OK && !child->quiet && !child->from)
        status = kjit_event_new(child->context, 1, &child->from);
    if (status == KJIT_OK && !child->quiet && !child->to)
        status = kjit_event_new(child->context, 1, &child->to);
    if (status == KJIT_OK)
        status =
            kjit_prepare(job->kernel, &job->shape, child->device_args, child->count, &prepared);
    if (status == KJIT_OK)
        status = launch_prepared(child, prepared, &job->launch_ms);
    kjit_close_prepared(prepared);
    if (status == KJIT_OK && outputs)
        status = outputs_fetch(outputs, child->context);
    return status;
}

/* Compares outputs with the expected ones: on a GPU in parallel to the timing, on the processor
** before it. */
typedef struct Comparing {
    Child *child;
    char *wrong; /* the difference, to be free()d; or NULL */
    pthread_t thread;
    bool apart;
} Comparing;

static void *compare(void *context)
{
    Comparing *comparing = context;
    const Child *child = comparing->child;
    comparing->wrong = outputs_differ(&child->now, &child->expected, child->command->tolerance);
    return NULL;
}

static void compare_begin(Comparing *comparing, Child *child)
{
    *comparing = (Comparing){ .child = child };
    comparing->apart =
        !child->quiet && pthread_create(&comparing->thread, NULL, compare, comparing) == 0;
    if (!comparing->apart)
        compare(comparing);
}

static void compare_end(Comparing *comparing)
{
    if (comparing->apart)
        pthread_join(comparing->thread, NULL);
    comparing->apart = false;
}

/* Verifies again with all arrays restored: an earlier kernel may have overwritten them. */
static kjit_status verify_again(Child *child, Job *job, char **wrong)
{
    free(*wrong);
    *wrong = NULL;
    kjit_status status = launch_once(child, job, RESTORE_ALL, &child->now);
    if (status == KJIT_OK)
        *wrong = outputs_differ(&child->now, &child->expected, child->command->tolerance);
    if (*wrong)
        restore(child, RESTORE_ALL);
    return status;
}

static kjit_status time_job(Child *child, const Job *job, const MeasureOptions *options,
                            Timing *timing)
{
    MeasureOptions own = *options;
    own.cold = child->command->cold;
    own.restore = child->copies;
    own.known_ms = own.cold ? 0 : job->launch_ms; /* the known time is of warm caches */
    return measure_launches(child->context, job->kernel, &job->shape, child->device_args,
                            child->count, &own, timing);
}

/* Launches, compares, and times a job. */
static kjit_status verify_and_time(Child *child, Job *job, const MeasureOptions *options,
                                   char **wrong, Timing *timing)
{
    Comparing comparing = { 0 };
    kjit_status status = KJIT_OK;
    if (!child->command->unverified) {
        status = launch_once(child, job, RESTORE_WRITTEN, &child->now);
        if (status == KJIT_OK)
            compare_begin(&comparing, child);
    }
    if (status == KJIT_OK && (comparing.apart || !comparing.wrong))
        status = time_job(child, job, options, timing);
    compare_end(&comparing);
    if (status == KJIT_OK && comparing.wrong) {
        status = verify_again(child, job, &comparing.wrong);
        if (status == KJIT_OK && !comparing.wrong) {
            timing_free(timing);
            status = time_job(child, job, options, timing);
        }
    }
    *wrong = comparing.wrong;
    return status;
}

static json_t *measured_record(Child *child, Job *job, kjit_status status, const char *wrong,
                               const Timing *timing)
{
    json_t *record;
    if (wrong)
        record = failure_record("wrong", wrong);
    else if (status != KJIT_OK)
        record = failure_record(outcome_of(status), kjit_error_message());
    else
        record = timing_record(child, timing);
    if (timing->count) {
        double ran = timing->median * (double)timing->launches;
        json_object_set_new(record, "kernel_ms", json_real(ran + job->launch_ms));
    }
    if (status == KJIT_OK && !wrong) {
        add_facts(child, record, job);
        add_rates(child, record, timing->median);
    }
    child->broken =
        status == KJIT_BROKEN || (status != KJIT_OK && kjit_synchronize(child->context) != KJIT_OK);
    return record;
}

json_t *measure_job(Child *child, Job *job, double above)
{
    const MeasureOptions options = {
        .warm_up = 1, .least = 7, .most_seconds = 0.05, .narrow = 0.01, .stop_above_ms = above
    };
    char *wrong = NULL;
    Timing timing = { 0 };
    kjit_status status = job->status;
    if (status != KJIT_OK)
        return failure_record(job->uncompiled ? "compile" : outcome_of(status), job->message);
    status = verify_and_time(child, job, &options, &wrong, &timing);
    if (status == KJIT_OK && !wrong && child->command->energy)
        status = energy_measure(child, job, timing.median);
    json_t *record = measured_record(child, job, status, wrong, &timing);
    free(wrong);
    timing_free(&timing);
    return record;
}

json_t *measure_again(Child *child, Job *job, double above)
{
    static const double LONG_MS = 2;
    MeasureOptions options = {
        .warm_up = 1, .least = 7, .most_seconds = 0.05, .narrow = 0.01, .stop_above_ms = above
    };
    Timing timing = { 0 };
    kjit_status status = job->status;
    if (status != KJIT_OK)
        return failure_record(job->uncompiled ? "compile" : outcome_of(status), job->message);
    if (job->launch_ms >= LONG_MS) { /* long launches vary little, and there are several rounds */
        options.least = 3;
        options.most_seconds = 0.01;
    }
    status = time_job(child, job, &options, &timing);
    if (status == KJIT_OK && child->command->energy)
        status = energy_measure(child, job, timing.median);
    json_t *record = measured_record(child, job, status, NULL, &timing);
    if (timing.count) /* it was not launched by launch_once() */
        json_object_set_new(record, "kernel_ms",
                            json_real(timing.median * (double)timing.launches));
    timing_free(&timing);
    return record;
}

/* The measuring child of `kjit tune`, which is `kjit tune --measuring-child` and the rest of the
** command line.
**
** It reads lines of JSON from its standard input, and replies on its original standard output; what
** kernels print goes to standard error. Requests:
**     {"do": "begin"}                                      greet, and list the space
**     {"do": "expect"}                                     determine the expected outputs
**     {"do": "compile", "id": 3, "config": [0, 2]}         queue its compilation
**     {"do": "measure", "id": 3, "config": [0, 2], "above": 1.5}   verify and time it
**     {"do": "again", "id": 3, "config": ..}               time it with no compilation meanwhile
**     {"do": "untuned", "again": false, "above": 4.5}
**     {"do": "source", "config": ..}, {"do": "wisdom", "config": .., "value": ..}
**     {"do": "own_wisdom", "value": ..}                    write the source's own constants
**     {"do": "taken"}                                      which record launches use
** It ends with its input, or after a kernel has broken the device, which it announces in that reply
** by "leaves": a new process finds the device intact. */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/measure/clock.h"
#include "cli/tune/child.h"
#include "cli/tune/tune.h"

/* ---- saying ---------------------------------------------------------------------------------- */

void child_say(Child *child, json_t *line)
{
    if (!line || json_dumpf(line, child->out, JSON_COMPACT | JSON_REAL_PRECISION(17)) != 0 ||
        fputc('\n', child->out) == EOF || fflush(child->out) != 0)
        exit(EXIT_FAILED); /* the parent has gone */
    json_decref(line);
}

/* Records the time of a stage. */
void child_mark(Child *child, const char *name)
{
    json_object_set_new(child->marks, name, json_real(clock_seconds()));
}

/* ---- preparation --------------------------------------------------------------------------- */

/* Copies the arguments to the device, once. */
static int place_arguments(Child *child)
{
    if (child->copies)
        return EXIT_DONE;
    kjit_status status = device_args_new(child->context, child->args, child->count, &child->copies);
    if (status != KJIT_OK)
        return complain_status(status);
    child->device_args = device_args_list(child->copies);
    status = device_args_keep(child->copies, child->written);
    if (status != KJIT_OK)
        return complain_status(status);
    child_mark(child, "arguments");
    return EXIT_DONE;
}

/* ---- requests -------------------------------------------------------------------------------- */

static bool read_config(const Child *child, const json_t *message, uint32_t *config)
{
    const json_t *list = json_object_get(message, "config");
    size_t params = kjit_space_param_count(child->space);
    if (json_array_size(list) != params)
        return false;
    for (size_t i = 0; i < params; i++) {
        json_int_t value = json_integer_value(json_array_get(list, i));
        if (value < 0 || (size_t)value >= kjit_space_value_count(child->space, i))
            return false;
        config[i] = (uint32_t)value;
    }
    return true;
}

/* Makes the kernel of a configuration and has it compiled; a record of failure, or NULL. */
json_t *begin_compile(Child *child, kjit_space *space, const uint32_t *config, size_t id)
{
    kjit_module *module = NULL;
    kjit_kernel *kernel = NULL;
    kjit_launch_config shape;
    if (ahead_has(child->ahead, id))
        return NULL;
    kjit_status status = kjit_space_kernel(space, config, &module, &kernel);
    if (status == KJIT_OK)
        status = child_shape(child, space, config, &shape);
    if (status == KJIT_OK) {
        ahead_add(child->ahead, id, module, kernel, &shape);
        return NULL;
    }
    json_t *record = failure_record(outcome_of(status), kjit_error_message());
    kjit_close_module(module);
    return record;
}

/* Waits for a configuration's job, the caller's; or NULL and a record of failure. */
static Job *take_job(Child *child, kjit_space *space, const uint32_t *config, size_t id,
                     json_t **record)
{
    *record = begin_compile(child, space, config, id);
    return *record ? NULL : ahead_take(child->ahead, id, child->quiet);
}

static void say_measuring(Child *child, json_int_t id)
{
    child_say(child, json_pack("{s:s,s:I}", "say", "measuring", "id", id));
}

/* Adds the time, and whether this process ends. */
static void add_end(const Child *child, json_t *record)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_object_set_new(record, "timestamp", json_string(text));
    if (child->broken)
        json_object_set_new(record, "leaves", json_true());
}

static void do_measure(Child *child, const json_t *message, const uint32_t *config)
{
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    double above = json_number_value(json_object_get(message, "above"));
    json_t *record;
    Job *job = take_job(child, child->space, config, (size_t)id, &record);
    if (job) {
        say_measuring(child, id);
        record = measure_job(child, job, above);
    }
    bool good = !strcmp(json_string_value(json_object_get(record, "outcome")), "ok");
    add_end(child, record);
    json_object_set_new(record, "say", json_string("result"));
    json_object_set_new(record, "id", json_integer(id));
    double ms = json_number_value(json_object_get(record, "ms"));
    child_say(child, record);
    if (good)
        kept_add(child, job, ms);
    else
        job_free(job);
}

static void answer(Child *child, json_t *record)
{
    add_end(child, record);
    json_object_set_new(record, "say", json_string("answer"));
    child_say(child, record);
}

static void do_again(Child *child, const json_t *message, const uint32_t *config)
{
    json_t *record = NULL;
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    Job *kept = kept_find(child, (size_t)id);
    Job *job = kept ? kept : take_job(child, child->space, config, (size_t)id, &record);
    if (job) {
        say_measuring(child, id);
        record = measure_again(child, job, 0);
    }
    double ms = json_number_value(json_object_get(record, "ms"));
    answer(child, record);
    if (!kept && job)
        kept_add(child, job, ms);
}

/* Adds why the clock is throttled while the winners are measured, once per round. */
static void add_throttle(Child *child, json_t *record)
{
    kjit_sensors sensors = { .size = sizeof sensors };
    if (!child->quiet && kjit_device_sensors(child->context, &sensors) == KJIT_OK &&
        sensors.throttled == 1)
        json_object_set_new(record, "throttle", json_string(sensors.throttle));
}

static void do_untuned(Child *child, const json_t *message)
{
    uint32_t config[PARAMS_MOST] = { 0 };
    json_t *record = NULL;
    double above = json_number_value(json_object_get(message, "above"));
    bool again = json_is_true(json_object_get(message, "again"));
    if (!child->untuned)
        child->untuned = take_job(child, child->own, config, ID_UNTUNED, &record);
    if (child->untuned) {
        say_measuring(child, ID_UNTUNED);
        record = again ? measure_again(child, child->untuned, above)
                       : measure_job(child, child->untuned, above);
        if (again && !child->broken)
            add_throttle(child, record);
    }
    answer(child, record);
}

/* Determines the expected outputs after the greeting, while configurations are being compiled. */
static void do_expect(Child *child)
{
    if (child->done == EXIT_DONE)
        child->done = child_learn_expected(child);
    child_mark(child, "ready");
    if (child->done == EXIT_DONE)
        child_say(child, json_pack("{s:s,s:O}", "say", "ready", "marks", child->marks));
    else
        child_say(child, json_pack("{s:s,s:i}", "say", "failed", "status", child->done));
}

static void do_source(Child *child, const uint32_t *config)
{
    kjit_module *module = NULL;
    kjit_kernel *kernel = NULL;
    kjit_launch_config shape;
    char *text = NULL;
    size_t length = 0;
    kjit_status status = kjit_space_kernel(child->space, config, &module, &kernel);
    if (status == KJIT_OK)
        status = child_shape(child, child->space, config, &shape);
    if (status == KJIT_OK) {
        kjit_emit_options wanted = { .size = sizeof wanted,
                                     .stage = child->quiet ? "c" : "cuda",
                                     .args = child->args,
                                     .arg_count = child->count,
                                     .facts = "launch",
                                     .config = &shape };
        status = kjit_emit(kernel, &wanted, &text, &length);
    }
    json_t *line = json_pack("{s:s,s:s}", "say", "answer", "text",
                             status == KJIT_OK ? text : kjit_error_message());
    kjit_free(text);
    kjit_close_module(module);
    child_say(child, line);
}

static void handle_request(Child *child, const json_t *message)
{
    const char *what = json_string_value(json_object_get(message, "do"));
    uint32_t config[PARAMS_MOST] = { 0 };
    bool has_config = what && read_config(child, message, config);
    if (!what)
        exit(EXIT_FAILED);
    if (strcmp(what, "compile") != 0 && (child->done = place_arguments(child)) != EXIT_DONE &&
        strcmp(what, "expect") != 0)
        return;
    if (!strcmp(what, "untuned"))
        do_untuned(child, message);
    else if (!strcmp(what, "expect"))
        do_expect(child);
    else if (!strcmp(what, "taken"))
        child_report_taken(child);
    else if (!strcmp(what, "own_wisdom"))
        child_note(child, message, child->own, config);
    else if (!has_config)
        exit(EXIT_FAILED);
    else if (!strcmp(what, "measure"))
        do_measure(child, message, config);
    else if (!strcmp(what, "again"))
        do_again(child, message, config);
    else if (!strcmp(what, "source"))
        do_source(child, config);
    else if (!strcmp(what, "wisdom"))
        child_note(child, message, child->space, config);
    else if (!strcmp(what, "compile"))
        /* a failure is reported when it is measured */
        json_decref(begin_compile(child, child->space, config,
                                  (size_t)json_integer_value(json_object_get(message, "id"))));
}

static json_t *next_message(void)
{
    static char *line;
    static size_t room;
    ssize_t length = getline(&line, &room, stdin);
    json_t *message = length > 0 ? json_loadb(line, (size_t)length, 0, NULL) : NULL;
    if (!message) {
        free(line);
        line = NULL;
        room = 0;
    }
    return message;
}

/* ---- the beginning and the end --------------------------------------------------------------- */

static size_t cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? (size_t)CPU_COUNT(&allowed) : 1;
}

/* Takes the values computed by start.c, or computes them here. */
static int open_values(Child *child, const kjit_values **values)
{
    *values = start_values(child->start);
    if (*values)
        return EXIT_DONE;
    kjit_status status = kjit_values_new(&child->values);
    *values = child->values;
    return status == KJIT_OK ? launching_values(&child->command->launch, child->session.module,
                                                child->kernel, child->values)
                             : complain_status(status);
}

static int open_arguments(Child *child)
{
    const kjit_values *values;
    int done = open_values(child, &values);
    if (done == EXIT_DONE)
        done = session_args(child->kernel, values, &child->args);
    if (done != EXIT_DONE)
        return done;
    child_mark(child, "values");
    child->count = kjit_param_count(child->kernel);
    child->access = must_alloc(child->count * sizeof *child->access);
    child->written = must_alloc(child->count * sizeof *child->written);
    kjit_status status = kjit_access(child->kernel, child->args, child->count, child->access);
    if (status != KJIT_OK)
        return complain_status(status);
    for (size_t i = 0; i < child->count; i++)
        child->written[i] = child->access[i] & KJIT_WRITES;
    if (child->quiet)
        done = place_arguments(child);
    if (done != EXIT_DONE)
        return done;
    /* One core is left to this thread, which queues launches. */
    size_t threads = !child->quiet && cores() > 1 ? cores() - 1 : cores();
    child->ahead = ahead_new(threads, child->quiet ? child->device_args : child->args, child->count,
                             !child->quiet);
    return EXIT_DONE;
}

static int open_all(Child *child)
{
    TuneCommand *command = child->command;
    int done = session_open(&child->session, command->target.file, &command->launch.session);
    child->context = child->session.context;
    child_mark(child, "opened");
    if (done == EXIT_DONE)
        done = session_kernel(&child->session, &command->target, &child->kernel);
    if (done == EXIT_DONE && !strcmp(kjit_device_name(child->context), "check")) {
        complain("the checking device takes other times than kernels do: tune on cuda or cpu");
        done = EXIT_COMMAND;
    }
    if (done != EXIT_DONE)
        return done;
    child->quiet = strncmp(kjit_device_name(child->context), "cuda", 4) != 0;
    done = child_check_objective(child);
    if (done == EXIT_DONE)
        done = child_open_space(child);
    if (done == EXIT_DONE)
        done = open_arguments(child);
    if (done == EXIT_DONE && command->schedules)
        done = child_find_schedules(child);
    if (done == EXIT_DONE)
        done = child_open_own_space(child);
    return done;
}

static void warn_unread(Child *child)
{
    const char *name;
    for (size_t i = 0; i < kjit_space_param_count(child->space); i++) {
        name = kjit_space_param_name(child->space, i);
        if (child->quiet && kjit_space_param_is_own(child->space, i) &&
            !strcmp(name, "max_registers"))
            complain("warning: max_registers is of a GPU: on the processor all its values give "
                     "the same kernel");
        if (!strcmp(name, "unroll") && kjit_space_param_is_own(child->space, i) &&
            !child_unrolls(child, i))
            complain("warning: unroll finds no loop of %s here: all its values give the same "
                     "kernel",
                     kjit_kernel_name(child->kernel));
    }
    for (size_t i = 0; (name = kjit_space_unread_at(child->space, i)) != NULL; i++)
        complain("warning: nothing reads the parameter '%s': all its values give the same kernel",
                 name);
}

static int greet(Child *child, const json_t *message)
{
    bool again = json_is_true(json_object_get(message, "again"));
    const uint32_t untuned[PARAMS_MOST] = { 0 };
    json_t *hello = json_pack("{s:s}", "say", "hello");
    int done = again ? EXIT_DONE : child_configs(child, hello);
    if (done == EXIT_DONE && !again)
        warn_unread(child);
    if (done == EXIT_DONE && child->command->rates)
        done = child_count_work(child);
    if (done != EXIT_DONE) {
        json_decref(hello);
        return done;
    }
    json_decref(begin_compile(child, child->own, untuned, ID_UNTUNED));
    json_t *rest = json_pack("{s:o,s:o,s:o,s:s,s:s,s:I,s:b}", "key", child_key(child), "params",
                             child_params(child->space), "own", child_params(child->own), "file",
                             child->command->target.file, "kernel", kjit_kernel_name(child->kernel),
                             "cores", (json_int_t)cores(), "quiet", child->quiet);
    json_object_update(hello, rest);
    json_decref(rest);
    child_say(child, hello);
    return EXIT_DONE;
}

static void close_all(Child *child)
{
    kept_free(child);
    job_free(child->untuned);
    ahead_free(child->ahead);
    kjit_event_close(child->from);
    kjit_event_close(child->to);
    outputs_pin(&child->now, child->context, false);
    outputs_free(&child->expected);
    outputs_free(&child->now);
    device_args_free(child->copies);
    kjit_space_close(child->own);
    kjit_space_close(child->space);
    free(child->schedules);
    free(child->args);
    free(child->access);
    free(child->written);
    kjit_values_close(child->values);
    session_close(&child->session);
    start_free(child->start);
    json_decref(child->marks);
    fclose(child->out);
}

/* Replies go to the original standard output; everything else that is printed, to standard
** error. */
static FILE *take_output(void)
{
    int own = dup(STDOUT_FILENO);
    FILE *out = own >= 0 ? fdopen(own, "w") : NULL;
    if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        exit(EXIT_FAILED);
    return out;
}

int tune_child(TuneCommand *command)
{
    Child child = { .command = command };
    signal(SIGINT, SIG_IGN); /* left to the parent */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    child.out = take_output();
    json_t *message = next_message();
    child.marks = json_object();
    child_mark(&child, "child");
    command->launch.session.defines = &command->launch.defines;
    command->launch.file = command->target.file;
    if (objective_needs(command->run.objective, "compile"))
        setenv("KJIT_CACHE_SIZE", "0", 1); /* compile times are part of the objective: no disk
                                              cache */
    child.start = start_new(command);
    child.done = message ? open_all(&child) : EXIT_FAILED;
    if (child.done == EXIT_DONE)
        child.done = greet(&child, message);
    json_decref(message);
    while (child.done == EXIT_DONE && (message = next_message()) != NULL) {
        handle_request(&child, message);
        json_decref(message);
        if (child.broken)
            _exit(EXIT_FAILED); /* closing a broken device may hang */
    }
    close_all(&child);
    return child.done;
}

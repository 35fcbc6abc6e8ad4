/* Tuning: the part of `kjit tune` that does not use the device. It controls measuring child
** processes, writes the log, searches, and reports the results.
**
** Nothing here calls the library: kernels are compiled, launched and timed by a child process
** (cli/tune/child.c), so that a crash or endless loop costs only the configuration at hand.
** Messages of a child are lines of JSON, and so are the records of configurations, which have these
** keys:
**
**     record      "result"; "untuned", of the source's own constants, the last one measured with
**                 the winners; "again", another measurement of a winner; "void": the device was
**                 lost when this configuration's result came, which does not count
**     config      an object, a value per parameter; none in "untuned"
**     outcome     "ok"; "slow": given up early, and `ms` is the time until then; "disturbed": timed
**                 while other programs used the processor, so that `ms` is unreliable; "wrong":
**                 output differs from the untuned kernel's; "compile", "launch": refused; "crash",
**                 "timeout": ended its process, or did not end
**     why         a sentence, unless "ok"
**     timeout     for "timeout", the limit in seconds
**     ms, low, high, least, times    the median of a launch in ms, its 95 % interval, samples
**     rounds      of measurements in rounds: the median of each round, ms
**     gflops, gbs, energy            per second; mJ per launch
**     registers, shared, local, spills, occupancy, compile_ms, grid, block
**     throttle    of the untuned kernel, measured with the winners: why the clock was throttled
**     objective   the objective's value; null if it failed
**     at          seconds since the run began */
#pragma once

#include <jansson.h>

#include "cli/search/search.h"

/* ---- space.c: the space as a child lists it ------------------------------------------------- */

typedef struct ListedParam {
    const char *name;
    json_t *values;  /* a list of numbers, or texts of other values */
    double *numbers; /* NULL unless all values are numbers */
} ListedParam;

typedef struct ListedSpace {
    json_t *description; /* owns the names */
    ListedParam *params;
    size_t *value_counts;
    const double **numbers;
    uint32_t *configs;
    double *expected; /* per configuration, by expected_times(); NULL: shapes are unknown */
    SearchSpace search;
} ListedSpace;

/* From {"params": [{"name": .., "values": [..]}], "configs": [..]}, the latter the indices of
** values of all configurations, concatenated; keeps a reference. For a GPU also "shapes": per
** configuration the block's x, the block's threads and the grid's blocks, or zeros if unknown.
** False if it is invalid. */
bool space_open(ListedSpace *space, json_t *description);
void space_close(ListedSpace *space);
/* A configuration as an object. The caller's. */
json_t *space_config(const ListedSpace *space, size_t index);
/* A configuration as sent to a child: the index of each parameter's value. The caller's. */
json_t *space_indices(const ListedSpace *space, size_t index);
/* The index of a configuration given as an object; SIZE_MAX if it is not allowed. */
size_t space_find(const ListedSpace *space, const json_t *config);
/* `block_size_x=16, tile=4` of an object, and `16` of a value; to be free()d. */
char *config_text(const json_t *config);
char *config_value_text(const json_t *value);
/* A value for other programs: a string without its quotes, null for None. The caller's. */
json_t *config_plain_value(const json_t *value);
/* The shortest text that reads back as the same float; it never looks like an integer: `3.0`. */
void number_text(double number, char *text, size_t room);

/* ---- expect.c -------------------------------------------------------------------------------- */

/* Estimates for `count` configurations on a GPU, from the shapes of their launches as in
** space_open(): logarithms of times, up to a constant. NULL if the shapes do not match in number.
** To be free()d. */
double *expected_times(const json_t *shapes, size_t count);

/* ---- objective.c ----------------------------------------------------------------------------- */

typedef struct Objective Objective;

enum { SENSE_BY_NAME, SENSE_LEAST, SENSE_MOST };

/* `text` is time, gflops, gbs, energy, registers, or an expression over them and shared, local,
** spills, occupancy and compile, with + - * / ** and parentheses. SENSE_BY_NAME: whether to
** minimise or maximise is derived from the quantities. NULL after an error, for example where that
** is ambiguous. */
Objective *objective_new(const char *text, int sense);
void objective_free(Objective *objective);
/* The value of a record; NAN if it lacks a quantity. */
double objective_value(const Objective *objective, const json_t *record);
/* The value with the sign that a search minimises. */
double objective_sought(const Objective *objective, double value);
/* Whether it improves when the time alone decreases. */
bool objective_follows_time(const Objective *objective);
/* Whether it optimises for the worst: the most time, the fewest GFLOP/s, the least of 1 / time. */
bool objective_is_reversed(const Objective *objective);
bool objective_needs(const Objective *objective, const char *quantity);
/* Whether it is the time, and nothing else. */
bool objective_is_time(const Objective *objective);
/* The first quantity it needs that a record lacks, or NULL. */
const char *objective_lacks(const Objective *objective, const json_t *record);
const char *objective_text(const Objective *objective);
bool objective_is_most(const Objective *objective);
/* "ms", "GB/s", or "" if it has none. */
const char *objective_unit(const Objective *objective);
/* "4.49 ms": a value with its unit, if it has one. */
void objective_format(const Objective *objective, double value, char *text, size_t room);
/* "4.49 ms", "13.7 us", "229 ns", "-" of NAN. */
void time_format(double ms, char *text, size_t room);

/* ---- worker.c: a child and its messages ------------------------------------------------------ */

typedef struct Worker {
    char *const *argv;
    long pid; /* 0: none runs */
    int in, out, errors;
    char *line; /* received bytes, of which `used` have been returned */
    size_t length, used;
    char stderr_tail[8192]; /* the end of its standard error */
    size_t stderr_length;
    int status; /* of waitpid(), after it has ended */
} Worker;

typedef enum WorkerEvent {
    WORKER_LINE,
    WORKER_ENDED,
    WORKER_LATE,       /* timeout */
    WORKER_INTERRUPTED /* a signal has come since worker_catch_signals() */
} WorkerEvent;

/* From now on the first SIGINT or SIGTERM ends the waiting for a child instead of the process; the
** second ends the process. The state is global: one run at a time. */
void worker_catch_signals(void);
/* Whether a signal has come. */
bool worker_signalled(void);

bool worker_start(Worker *worker, char *const *argv);
/* False if the child has ended. */
bool worker_send(Worker *worker, json_t *message);
/* Waits up to `seconds`; below 0, without limit. `*line` is the caller's. */
WorkerEvent worker_receive(Worker *worker, double seconds, json_t **line);
/* Ends the child, with SIGKILL if need be. */
void worker_stop(Worker *worker);
void worker_free(Worker *worker);
/* How it ended: "signal 11 (Segmentation fault)", or its last message; always UTF-8. */
void worker_fate(const Worker *worker, char *text, size_t room);

/* ---- log.c ----------------------------------------------------------------------------------- */

typedef struct TuneLog {
    FILE *file;
    char *path;
    json_t *records;   /* those of earlier runs with the same key, and of this one */
    bool write_failed; /* a failure to write was reported */
} TuneLog;

/* Opens a log to append to. A file with another key is renamed; one with this key that was renamed
** before is renamed back and resumed. Remarks go to stderr. False after an error. */
bool log_open(TuneLog *log, const char *path, json_t *key);
/* Reads a log only; `*key` is a new reference. False after an error. */
bool log_read(TuneLog *log, const char *path, json_t **key);
/* Appends a record, whose reference it takes over, and flushes it to disk. */
void log_add(TuneLog *log, json_t *record);
void log_close(TuneLog *log);

/* ---- run.c ----------------------------------------------------------------------------------- */

typedef struct TuneOptions {
    const Strategy *strategy;
    uint64_t seed;
    size_t count;    /* budget: maximum number of evaluations; SIZE_MAX: all */
    double seconds;  /* budget: time; 0: unlimited */
    double fraction; /* budget: part of the space; 0: all */
    double timeout;  /* seconds for a configuration */
    Objective *objective;
    const char *log_path; /* NULL: beside the file */
    char *const *child;   /* argument vector */
    bool quiet;
    bool takes_slow; /* "slow" records count as found, with the time measured so far */
} TuneOptions;

typedef struct TuneRun {
    const TuneOptions *options;
    Worker worker;
    json_t *hello;
    ListedSpace space;
    TuneLog log;
    json_t **records; /* per configuration its "result", borrowed from the log; or NULL */
    size_t *order;    /* indices in the order of evaluation */
    size_t done, budget;
    json_t *untuned;   /* borrowed; NULL: not measured */
    json_t *again;     /* list of the winners' last measurements */
    size_t best;       /* SIZE_MAX: none */
    double best_value; /* its objective, as measured last */
    char *undecided;   /* why no best is named: how timing was disturbed; or NULL */
    bool interrupted;
    int status;           /* exit status of a run that cannot begin, for a reported reason */
    const char *lost;     /* the message when the device was lost; or NULL */
    size_t own;           /* the source's own configuration; SIZE_MAX: not allowed */
    json_t *timeline;     /* seconds from the run's start to its stages */
    double started;       /* time of the start */
    double listed;        /* time of the last progress message about listing the space; 0: none */
    double began, before; /* time at which the search began; seconds that earlier runs took */

    struct Flight *flight;
    struct Progress *progress;
} TuneRun;

/* A complete run, from the first child to the winner. Returns an exit status; measurements stay in
** `run` in any case. Then tune_free(). */
int tune_run(TuneRun *run, const TuneOptions *options);
void tune_free(TuneRun *run);
/* For replay.c: opens a space without a child; takes over records; searches; forgets the
** results. */
int tune_open_space(TuneRun *run, json_t *description);
void tune_resume(TuneRun *run);
bool tune_search(TuneRun *run);
/* Whether a signal has interrupted the run. */
bool tune_interrupted(TuneRun *run);
void tune_forget(TuneRun *run);
/* The value of a record for the search: less is better, INFINITY if it failed. */
double tune_worth(const TuneRun *run, const json_t *record);
/* Whether the record's configuration may win; or whether other programs disturbed its timing. */
bool record_is_good(const json_t *record);
bool record_is_disturbed(const json_t *record);
double record_number(const json_t *record, const char *key);
const char *record_text(const json_t *record, const char *key);
/* The configurations with records, from best to worst, failures last. The caller's, `run->done` of
** them. */
size_t *tune_sorted(const TuneRun *run);
/* Whether all configurations that work are "slow", and slower than the untuned kernel. */
bool tune_untuned_is_best(const TuneRun *run);
/* shown.c: the last measurement of a configuration; and its record with these figures, and the
** search's time as "search_ms": the caller's. */
const json_t *tune_last_record(const TuneRun *run, size_t index);
json_t *tune_shown_record(const TuneRun *run, size_t index);

/* replay.c: a search over the measurements in a log, which is not changed; `run` becomes as after
** tune_run(), without a child. */
int replay_log(TuneRun *run, const TuneOptions *options, const char *path);
/* The same with `repeat` consecutive seeds for each strategy of a list that ends in NULL: prints
** how near to the best they come. */
int replay_compare_strategies(FILE *out, const TuneOptions *options, const char *path,
                              size_t repeat, const Strategy *const *strategies);

/* winners.c: measures the best few again, alternating with the untuned kernel, and chooses the
** winner by the last measurements. */
void tune_confirm(TuneRun *run);
/* The same when nothing can be measured again: disturbed timings then leave no winner. */
void tune_drop_disturbed(TuneRun *run);

/* verdict.c: comparing times by rounds in which two kernels alternate. */
enum {
    TUNE_ROUNDS = 3
}; /* the first rounds, which choose the winner; later ones are of it and
                             the untuned kernel alone */
typedef enum Verdict {
    VERDICT_UNKNOWN, /* there are no such rounds */
    VERDICT_SAME,    /* no significant difference, or the same configuration */
    VERDICT_FASTER,
    VERDICT_SLOWER
} Verdict;
/* Of two records with "rounds". */
Verdict verdict_of(const json_t *winner, const json_t *untuned);
/* Of the best and the untuned kernel. */
Verdict tune_verdict(const TuneRun *run);
/* Whether the best is worse, or better, than the untuned kernel by the objective; if that follows
** the time, by the verdict. It counts as better if there is no untuned kernel. */
bool tune_is_worse(const TuneRun *run);
bool tune_is_better(const TuneRun *run);

/* flight.c: configurations in flight in the child. */
void flight_open(TuneRun *run);
void flight_close(TuneRun *run);
/* Has the child compute the expected output, while it compiles the configurations that are certain
** to come, of which `index` is the first; SIZE_MAX: there are none. False if the run cannot begin,
** or must stop: see `run->status`. */
bool flight_begin(TuneRun *run, size_t index);
/* Measures a configuration; its record, or NULL: the run must stop. */
json_t *flight_measure(TuneRun *run, size_t index);
void flight_announce(TuneRun *run, const size_t *indices, size_t count, bool certain);
/* Adds the record of a configuration that was measured otherwise; takes it over. */
void flight_keep(TuneRun *run, size_t index, json_t *record);
/* Sends a request {"do": what}, which it takes over, and returns the reply; NULL: there was
** none. */
json_t *flight_ask(TuneRun *run, json_t *message);

/* ---- output ---------------------------------------------------------------------------------- */

/* progress.c */
/* A child's progress in listing the space, "of" and "count"; NULL: it is done. */
void progress_listing(TuneRun *run, const json_t *line);
void progress_open(TuneRun *run);
void progress_step(TuneRun *run, size_t index, const json_t *record);
void progress_close(TuneRun *run);

/* table.c: the best configurations, and outcomes of the others. */
void table_print(FILE *out, const TuneRun *run);

/* export.c: false after an error. */
bool export_t4(const TuneRun *run, const char *path);
bool export_csv(const TuneRun *run, const char *path);
json_t *export_summary(const TuneRun *run);

/* landscape.c: an .svg, the objective over each parameter. */
bool landscape_plot(const TuneRun *run, const char *path);

/* report.c: a self-contained .html. `source` is the winner's source, as a child sends it, or
** NULL. */
bool report_write(const TuneRun *run, json_t *source, const char *path);

/* Tuning: what `kjit tune` does beside the device. It speaks with measuring children, keeps the
** log, searches, and tells what came of it.
**
** Nothing here calls the library: kernels are compiled, launched and timed by a child process
** (cli/tune/child.c), so that one that crashes or hangs costs itself alone. What a child says is a
** line of JSON, and so is what is kept of each configuration, a record. Its keys:
**
**     record      "result"; "untuned", of the source's own constants, the last one beside the
**                 winners; "again", of a winner that was measured once more; "void": the device
**                 was gone when this configuration's result came, which is none
**     config      an object, a value a parameter; none of "untuned"
**     outcome     "ok"; "slow": given up early, and `ms` is what was seen until then; "disturbed":
**                 timed while other programs had the processor, so that `ms` tells little; "wrong":
**                 another output than the untuned kernel's; "compile", "launch": refused; "crash",
**                 "timeout": ended its process, or did not end
**     why         a sentence, where it is not "ok"
**     timeout     of a "timeout", the seconds it was given
**     ms, low, high, least, times    the median of a launch in ms, its 95 % interval, samples
**     rounds      of what was measured again, in turns: the median of each round, ms
**     gflops, gbs, energy            per second; mJ a launch
**     registers, shared, local, spills, occupancy, compile_ms, grid, block
**     throttle    of the untuned kernel beside the winners: what held the clock down meanwhile
**     objective   what the search is after; null where it failed
**     at          seconds since the run began */
#ifndef KJIT_TUNE_H
#define KJIT_TUNE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/search/search.h"

/* ---- space.c: the space as a child tells it ------------------------------------------------- */

typedef struct TuneParam {
    const char *name;
    json_t *values;  /* a list; numbers where they are numbers */
    double *numbers; /* NULL if some are none */
} TuneParam;

typedef struct TuneSpace {
    json_t *told; /* whose strings are used */
    TuneParam *params;
    size_t *value_counts;
    const double **numbers;
    uint32_t *configs;
    double *expected; /* of a configuration, as of expected_times(); NULL: no shapes are told */
    SearchSpace search;
} TuneSpace;

/* From {"params": [{"name": .., "values": [..]}], "configs": [..]}, the latter the values' indices
** of one configuration after the other; keeps a reference. Of a GPU also "shapes": of a
** configuration the x of its block, the block's threads, the grid's blocks, or zeros where that is
** not known. False if it makes no sense. */
bool space_open(TuneSpace *space, json_t *told);
void space_close(TuneSpace *space);
/* A configuration as an object. The caller's. */
json_t *space_config(const TuneSpace *space, size_t index);
/* And as a child is told of it: the index of each parameter's value. The caller's. */
json_t *space_indices(const TuneSpace *space, size_t index);
/* Which one an object is; SIZE_MAX if it is none that is allowed. */
size_t space_find(const TuneSpace *space, const json_t *config);
/* `block_size_x=16, tile=4` of an object, and `16` of a value; to be free()d. */
char *config_text(const json_t *config);
char *config_value_text(const json_t *value);
/* A value for other programs: a string without its quotes, null for None. The caller's. */
json_t *config_plain_value(const json_t *value);
/* As few digits as tell a number from all others, and that it is no integer: `3.0`. */
void number_text(double number, char *text, size_t room);

/* ---- expect.c -------------------------------------------------------------------------------- */

/* What to expect of `count` configurations on a GPU before any is measured, of the shapes of their
** launches as in space_open(): logarithms of times, but for a constant. NULL if the shapes are not
** as many numbers. The caller's, to be free()d. */
double *expected_times(const json_t *shapes, size_t count);

/* ---- objective.c ----------------------------------------------------------------------------- */

typedef struct Objective Objective;

enum { SENSE_BY_NAME, SENSE_LEAST, SENSE_MOST };

/* `text` is time, gflops, gbs, energy, registers, or an expression over them and shared, local,
** spills, occupancy and compile, with + - * / ** and parentheses. SENSE_BY_NAME: which way it is
** better follows from what it is made of. NULL after a complaint, as where that does not follow. */
Objective *objective_new(const char *text, int sense);
void objective_free(Objective *objective);
/* Of a record; NAN if it lacks what is asked for. */
double objective_value(const Objective *objective, const json_t *record);
/* Less is better: the value as a search wants it. */
double objective_sought(const Objective *objective, double value);
/* Whether it is better where the time is less, all else being equal. */
bool objective_follows_time(const Objective *objective);
/* Whether it asks for the worst: the most time, the fewest GFLOP/s, the least of 1 / time. */
bool objective_is_reversed(const Objective *objective);
bool objective_needs(const Objective *objective, const char *quantity);
/* Whether it is that quantity, and nothing else. */
bool objective_is(const Objective *objective, const char *quantity);
/* The first quantity it needs that was not measured; NULL: all are there. */
const char *objective_lacks(const Objective *objective, const json_t *record);
const char *objective_text(const Objective *objective);
bool objective_is_most(const Objective *objective);
/* "ms", "GB/s", or "" if it has none. */
const char *objective_unit(const Objective *objective);
/* "4.49 ms": a value with its unit, if it has one. */
void objective_format(const Objective *objective, double value, char *text, size_t room);
/* "4.49 ms", "13.7 us", "229 ns", "-" of NAN. */
void time_format(double ms, char *text, size_t room);

/* ---- worker.c: a child and the lines between ------------------------------------------------- */

typedef struct Worker {
    char *const *argv;
    long pid; /* 0: none runs */
    int in, out, errors;
    char *line; /* what has come of it, and how much of that was given back */
    size_t length, used;
    char said[8192]; /* on its standard error, the end of it */
    size_t said_length;
    int status; /* as of waitpid(), of one that ended */
} Worker;

typedef enum WorkerEvent {
    WORKER_LINE,
    WORKER_ENDED,
    WORKER_LATE,       /* nothing in time */
    WORKER_INTERRUPTED /* a signal, now or before, since they are caught */
} WorkerEvent;

/* From now on SIGINT and SIGTERM end the waiting for a child, and not the process; the second of
** either ends that. They are the process's: one run at a time. */
void worker_catch_signals(void);
/* Whether one has come since. */
bool worker_signalled(void);

bool worker_start(Worker *worker, char *const *argv);
/* False if the child does not take it: it has ended. */
bool worker_send(Worker *worker, json_t *message);
/* Waits up to `seconds`, below 0 for ever. `*line` is the caller's. */
WorkerEvent worker_receive(Worker *worker, double seconds, json_t **line);
/* Ends the child, by force if need be. */
void worker_stop(Worker *worker);
void worker_free(Worker *worker);
/* How it ended: "signal 11 (Segmentation fault)", or what it said last; UTF-8 in any case. */
void worker_fate(const Worker *worker, char *text, size_t room);

/* ---- log.c ----------------------------------------------------------------------------------- */

typedef struct TuneLog {
    FILE *file;
    char *path;
    json_t *records; /* of earlier runs with the same key, and of this one */
    bool told;       /* that it cannot be written */
} TuneLog;

/* Opens a log to go on with: reads what is there if its key is `key`, else puts it aside under
** another name, and goes on with one that was put aside before and has it. Remarks go to stderr.
** False after a complaint. */
bool log_open(TuneLog *log, const char *path, json_t *key);
/* Reads a finished one; `*key` is a new reference. Writes nothing. False after a complaint. */
bool log_read(TuneLog *log, const char *path, json_t **key);
/* Adds a record, of which it takes the reference, and sees to it that it is on disk. */
void log_add(TuneLog *log, json_t *record);
void log_close(TuneLog *log);

/* ---- run.c ----------------------------------------------------------------------------------- */

typedef struct TuneOptions {
    const Strategy *strategy;
    uint64_t seed;
    size_t count;    /* the budget: evaluations at most, SIZE_MAX: all */
    double seconds;  /* and time at most, 0: as long as it takes */
    double fraction; /* and of the space at most, 0: all */
    double timeout;  /* seconds for a configuration */
    Objective *objective;
    const char *log_path; /* NULL: beside the file */
    char *const *child;   /* its argument vector */
    bool quiet;
    bool takes_slow; /* what was given up counts as found with the time that was seen */
} TuneOptions;

typedef struct TuneRun {
    const TuneOptions *options;
    Worker worker;
    json_t *hello;
    TuneSpace space;
    TuneLog log;
    json_t **records; /* a configuration's "result", borrowed from the log; NULL: none yet */
    size_t *order;    /* in which they were asked for */
    size_t done, budget;
    json_t *untuned;   /* borrowed; NULL: not measured */
    json_t *again;     /* of the winners: what was measured at last, a list */
    size_t best;       /* SIZE_MAX: none */
    double best_value; /* its objective, measured again if it was */
    char *undecided;   /* no best is named since others disturbed what was timed: how; or NULL */
    bool interrupted;
    int status;           /* of a run that cannot begin, an exit status that was told of */
    const char *lost;     /* the device is gone: what was said */
    size_t own;           /* the configuration that the source has, SIZE_MAX: it is not allowed */
    json_t *timeline;     /* seconds from the run's start until it had come so far */
    double started;       /* on the clock */
    double listed;        /* likewise: when it was said how far listing the space is; 0: never */
    double began, before; /* on the clock; seconds that earlier runs took */

    struct Flight *flight;
    struct Progress *progress;
} TuneRun;

/* All of it, from the first child to the winner. An exit status; what was measured stays in `run`
** in any case. Afterwards tune_free(). */
int tune_run(TuneRun *run, const TuneOptions *options);
void tune_free(TuneRun *run);
/* For replay.c: a space without a child; the search alone; forgetting what a search found. */
int tune_open_space(TuneRun *run, json_t *told);
void tune_resume(TuneRun *run);
bool tune_search(TuneRun *run);
/* Whether somebody has said that the run is to end. */
bool tune_interrupted(TuneRun *run);
void tune_again(TuneRun *run);
/* What a record is worth to the search, less being better; INFINITY: nothing. */
double tune_worth(const TuneRun *run, const json_t *record);
/* That the run has come so far, for its timeline. */
void tune_mark(TuneRun *run, const char *name);
/* Whether the record tells of a configuration that may be chosen; or might, if others had not
** disturbed the measuring. */
bool record_is_good(const json_t *record);
bool record_is_disturbed(const json_t *record);
double record_number(const json_t *record, const char *key);
const char *record_text(const json_t *record, const char *key);
/* From the best to the worst, those that failed last: configurations that have records. The
** caller's, `run->done` of them. */
size_t *tune_sorted(const TuneRun *run);
/* Whether all that work were given up, and took longer than the untuned kernel. */
bool tune_untuned_is_best(const TuneRun *run);
/* shown.c: what was measured last of a configuration: again, if it was; its record with these
** figures, and as "search_ms" the time of the search: the caller's. */
const json_t *tune_last_record(const TuneRun *run, size_t index);
json_t *tune_shown_record(const TuneRun *run, size_t index);

/* replay.c: a search over what a log has of a run, which stays as it is; `run` is as of tune_run(),
** without a child. */
int replay_log(TuneRun *run, const TuneOptions *options, const char *path);
/* The same with `repeat` seeds from that of the options on, for each strategy of the list, which a
** NULL ends: prints how near to the best they come. */
int replay_compare_strategies(FILE *out, const TuneOptions *options, const char *path,
                              size_t repeat, const Strategy *const *strategies);

/* winners.c: measures the best few once more, in turns with the untuned kernel, and chooses: that
** of which no other's last figure is better. */
void tune_confirm(TuneRun *run);
/* The same where nothing can be measured again: what others disturbed leaves no winner. */
void tune_doubt(TuneRun *run);

/* verdict.c: what rounds of two in turns tell of their times. */
enum { TUNE_ROUNDS = 3 }; /* that choose the winner; what comes behind is of it and untuned alone */
typedef enum Verdict {
    VERDICT_UNKNOWN, /* there were no such rounds */
    VERDICT_SAME,    /* no difference can be told, or it is that configuration */
    VERDICT_FASTER,
    VERDICT_SLOWER
} Verdict;
/* Of two records with "rounds". */
Verdict verdict_of(const json_t *winner, const json_t *untuned);
/* Of the best against the untuned kernel. */
Verdict tune_verdict(const TuneRun *run);
/* Whether the objective's value of the best is worse, or better, than that of the untuned kernel:
** of objectives that follow the time, by the verdict. It is better if there is none to compare. */
bool tune_is_worse(const TuneRun *run);
bool tune_is_better(const TuneRun *run);

/* flight.c: configurations on their way through the child. */
bool flight_open(TuneRun *run);
void flight_close(TuneRun *run);
/* Has the child find out what is right, while it compiles what surely comes, of which `index` is
** the first; SIZE_MAX: nothing does. False if the run cannot begin, or is to stop: `run->status`
** says why. */
bool flight_begin(TuneRun *run, size_t index);
/* The record of a configuration, measured now; NULL: the run is to stop. */
json_t *flight_measure(TuneRun *run, size_t index);
void flight_coming(TuneRun *run, const size_t *indices, size_t count, bool certain);
/* The record of a configuration that was measured otherwise; takes it. */
void flight_keep(TuneRun *run, size_t index, json_t *record);
/* {"do": what} and what comes of it; takes `message`. NULL: nothing came. */
json_t *flight_ask(TuneRun *run, json_t *message);

/* ---- what people see ------------------------------------------------------------------------- */

/* progress.c */
/* What a child says of how far it is with listing the space, an "of" and a "count"; NULL: it is
** done. */
void progress_listing(TuneRun *run, const json_t *line);
void progress_open(TuneRun *run);
void progress_step(TuneRun *run, size_t index, const json_t *record);
void progress_close(TuneRun *run);

/* table.c: the best ones, and what became of the others. */
void table_print(FILE *out, const TuneRun *run);

/* export.c: false after a complaint. */
bool export_t4(const TuneRun *run, const char *path);
bool export_csv(const TuneRun *run, const char *path);
json_t *export_summary(const TuneRun *run);

/* landscape.c: an .svg, the objective over each parameter. */
bool landscape_plot(const TuneRun *run, const char *path);

/* report.c: an .html that needs nothing else. `source` is the winner's, as a child tells it, or
** NULL. */
bool report_write(const TuneRun *run, json_t *source, const char *path);

#endif

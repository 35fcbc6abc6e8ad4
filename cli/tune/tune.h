/* `kjit tune`: its command line, and the parts of the measuring child. */
#pragma once

#include <jansson.h>

#include "cli/cli.h"
#include "cli/search/tune.h"

typedef struct TuneCommand {
    LaunchOptions launch;
    Target target;
    Pairs tunes;      /* -T: parameters and keywords of @tune, in the order they were said */
    Pairs references; /* NAME=FILE.npy */
    double tolerance; /* below 0: that of each dtype */
    bool unverified, cold, schedules;
    bool energy, rates; /* the objective needs them */
    const char *objective;
    int sense;
    TuneOptions run;
    const char *strategy, *replay, *plot, *report, *csv, *t4;
    uint64_t repeat;
    bool json, no_wisdom, child;
} TuneCommand;

/* child.c: the measuring child, which serves requests on its standard input. An exit status. */
int tune_child(TuneCommand *command);

/* options.c: whether the options are compatible. An exit status. */
int options_check(const TuneCommand *command);

/* outputs.c: whether all output files can be written without overwriting anything but results of
** earlier runs. An exit status. */
int outputs_check(const TuneCommand *command);

/* ---- note.c ---------------------------------------------------------------------------------- */

/* Writes the best configuration to NAME.wisdom, where launches find it. An exit status. */
int note_best(const TuneCommand *command, TuneRun *run);
/* Sends a request about the best configuration, "source" or "wisdom"; the child's reply. The
** caller's; NULL: there was none. */
json_t *note_ask(TuneRun *run, const char *what);

/* ---- ahead.c: compiling on threads ----------------------------------------------------------- */

typedef struct Job {
    size_t id;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_launch_config shape;
    kjit_status status;
    char *message;    /* if it failed */
    bool uncompiled;  /* it failed to compile, for any launch */
    double ms;        /* of compilation; 0: from the disk cache */
    double launch_ms; /* of its last single launch, on a GPU; 0: unknown */
    int state;
    struct Job *next;
} Job;

typedef struct Ahead Ahead;

/* Starts threads that compile jobs in order, for launches with these arguments. `early`: the
** arguments are still on the host; launches will use copies on a GPU. */
Ahead *ahead_new(size_t threads, const kjit_arg *args, size_t count, bool early);
/* Waits for the threads, and frees the jobs that are left. */
void ahead_free(Ahead *ahead);
/* Takes over the module. */
void ahead_add(Ahead *ahead, size_t id, kjit_module *module, kjit_kernel *kernel,
               const kjit_launch_config *shape);
bool ahead_has(Ahead *ahead, size_t id);
/* Waits for a job, or with `quiet` for all jobs, and removes it from the queue; NULL if there is
** none. */
Job *ahead_take(Ahead *ahead, size_t id, bool quiet);
void job_free(Job *job);

/* ---- verify.c: outputs of kernels ----------------------------------------------------------- */

/* The arrays that a kernel writes, as they are after a launch. */
typedef struct Outputs {
    struct Output {
        char *name;
        kjit_array array; /* row-major, of the host */
        kjit_array device;
        bool given; /* from a file, so not fetched */
    } * list;
    size_t count;
} Outputs;

/* Allocates arrays for the outputs of a kernel, whose arguments are on the device. */
void outputs_new(Outputs *outputs, kjit_kernel *kernel, const kjit_arg *args,
                 const uint32_t *access);
void outputs_free(Outputs *outputs);
/* Page-locks the arrays for faster copies, if the device supports that; false: unlocks them. */
void outputs_pin(const Outputs *outputs, kjit_context *context, bool pinned);
/* Copies from the device after the launches in progress, except for arrays from files. */
kjit_status outputs_fetch(Outputs *outputs, kjit_context *context);
/* Replaces an array by that of a file; an exit status. */
int outputs_read(Outputs *outputs, const char *name, const char *path);
/* Whether all are from files. */
bool outputs_are_given(const Outputs *outputs);
/* A sentence about the first difference above the tolerance, to be free()d; NULL: there is none. */
char *outputs_differ(const Outputs *now, const Outputs *then, double tolerance);

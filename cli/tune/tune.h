/* `kjit tune`: what its command line says, and the parts of the measuring child. */
#ifndef KJIT_CLI_TUNE_H
#define KJIT_CLI_TUNE_H

#include <jansson.h>

#include "cli/cli.h"
#include "cli/search/tune.h"

typedef struct TuneCommand {
    LaunchOptions launch;
    Target target;
    Pairs tunes;      /* -T: parameters and keywords of @tune, in the order they were said */
    Pairs references; /* NAME=FILE.npy */
    double tolerance; /* below 0: that of each dtype */
    bool unverified, cold;
    bool energy, rates; /* the objective needs them */
    const char *objective;
    int sense;
    TuneOptions run;
    const char *strategy, *replay, *plot, *report, *csv, *t4;
    uint64_t repeat;
    bool json, no_wisdom, child;
} TuneCommand;

/* child.c: measures what it is told to on its standard input. An exit status. */
int tune_child(TuneCommand *command);

/* options.c: whether the options go together. An exit status. */
int options_check(const TuneCommand *command);

/* outputs.c: whether all files that the command line names can be written, and hold nothing
** but what an earlier run wrote. An exit status. */
int outputs_check(const TuneCommand *command);

/* ---- note.c ---------------------------------------------------------------------------------- */

/* Puts what is best into NAME.wisdom, where launches find it. An exit status. */
int note_best(const TuneCommand *command, TuneRun *run);
/* What the child has to say of the best configuration: its "source", that it is noted as "wisdom".
** The caller's; NULL: nothing came. */
json_t *note_ask(TuneRun *run, const char *what);

/* ---- ahead.c: compiling on threads ----------------------------------------------------------- */

typedef struct Job {
    size_t id;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_launch_config shape;
    kjit_status status;
    char *message;    /* of a failure */
    bool uncompiled;  /* which no other launch would change */
    double ms;        /* that compiling took, 0: it came from disk */
    double launch_ms; /* its last launch by itself, on a GPU; 0: not known */
    int state;
    struct Job *next;
} Job;

typedef struct Ahead Ahead;

/* Threads that compile jobs for a launch with these arguments, in the order they were given.
** `early`: the arguments are of the host, and copies of them on a GPU will be launched with. */
Ahead *ahead_new(size_t threads, const kjit_arg *args, size_t count, bool early);
/* Waits for the threads, and closes the jobs that nobody took. */
void ahead_free(Ahead *ahead);
/* Takes over the module. */
void ahead_add(Ahead *ahead, size_t id, kjit_module *module, kjit_kernel *kernel,
               const kjit_launch_config *shape);
bool ahead_has(Ahead *ahead, size_t id);
/* Waits for a job, or with `quiet` for all, and takes it out; NULL if there is none. */
Job *ahead_take(Ahead *ahead, size_t id, bool quiet);
void job_free(Job *job);

/* ---- verify.c: what kernels leave in their arrays -------------------------------------------- */

/* The arrays that a kernel writes, as they were after a launch. */
typedef struct Outputs {
    struct Output {
        char *name;
        kjit_array array; /* row-major, of the host */
        kjit_array device;
        bool given; /* by a file: it is not fetched */
    } * list;
    size_t count;
} Outputs;

/* Room for what the kernel writes of these arguments, which are on the device. */
void outputs_new(Outputs *outputs, kjit_kernel *kernel, const kjit_arg *args,
                 const uint32_t *access);
void outputs_free(Outputs *outputs);
/* Page-locks the room, so that copies are faster, where the device has a use for that; false: lets
** go of it. */
void outputs_pin(const Outputs *outputs, kjit_context *context, bool pinned);
/* Copies from the device, when what runs there is done, but for what files have given. */
kjit_status outputs_fetch(Outputs *outputs, kjit_context *context);
/* Puts the array of a file in place of one; an exit status. */
int outputs_read(Outputs *outputs, const char *name, const char *path);
/* Whether files have given all of them. */
bool outputs_are_given(const Outputs *outputs);
/* What differs by more than the tolerance, a sentence to be free()d; NULL: nothing. */
char *outputs_differ(const Outputs *now, const Outputs *then, double tolerance);

#endif

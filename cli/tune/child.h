/* What the files of the measuring child share. */
#ifndef KJIT_CLI_TUNE_CHILD_H
#define KJIT_CLI_TUNE_CHILD_H

#include "cli/tune/start.h"

enum { PARAMS_MOST = 256, KEPT = 8, SPACE_MOST = 10000000 /* configurations that are allowed */ };
/* Of jobs that the parent has no number for. */
#define ID_AGAIN   (SIZE_MAX / 2)
#define ID_UNTUNED (ID_AGAIN + 1)

typedef struct Child {
    TuneCommand *command;
    FILE *out;
    Start *start;
    json_t *marks; /* seconds on the clock when the child had come so far */
    int done;      /* an exit status; not EXIT_DONE: it ends */
    Session session;
    kjit_context *context;
    kjit_kernel *kernel;
    kjit_values *values;
    kjit_arg *args;
    size_t count;
    uint32_t *access, *written; /* of each argument; `written` is 0 where it is only read */
    kjit_space *space, *own;    /* the latter has the source's own values alone */
    DeviceArgs *copies;
    const kjit_arg *device_args;
    Ahead *ahead;
    Job *untuned; /* NULL: not compiled yet */
    bool learnt;  /* what is expected */
    Outputs expected, now;
    kjit_event *from, *to; /* around a launch on a GPU; NULL: not needed yet */
    Job *kept[KEPT];       /* of those that may be measured again, the fastest; NULL: none */
    double kept_ms[KEPT];
    kjit_work work; /* of an untuned launch, if it was counted */
    bool counted;
    double energy; /* mJ a launch, of what was measured last */
    bool quiet;    /* the processor: nothing may be compiled while it is measured */
    bool broken;   /* the device: this process is of no more use */
} Child;

/* ---- space.c --------------------------------------------------------------------------------- */

/* Opens child->space, of the @tune and of -T, and child->own, of the same keywords, but with the
** one value of each parameter that the source has. An exit status. */
int child_open_space(Child *child);
int child_open_own_space(Child *child);
/* The parameters and their values, for the greeting. */
json_t *child_params(const kjit_space *space);
/* The launch's shape that follows. */
kjit_status child_shape(Child *child, kjit_space *space, const uint32_t *config,
                        kjit_launch_config *shape);

/* listing.c: tells the values' indices of all configurations that are allowed as "configs",
** and on a GPU the shapes of their launches as "shapes", both as of space_open() in
** cli/search/tune.h, how many restrictions exclude ("restricted"), and how many the device
** ("too_large"). EXIT_COMMAND if none is allowed. Where it takes a while, says {"say": "listing",
** "count": .., "of": ..} meanwhile. */
int child_configs(Child *child, json_t *told);

/* ---- measure.c ------------------------------------------------------------------------------- */

/* "compile" or "launch": what becomes of a configuration with such a status. */
const char *outcome_of(kjit_status status);
/* A record of a failure, with the first line of what was said. */
json_t *failure_record(const char *outcome, const char *message);
/* A configuration's record: verified and timed. `above` ms: it is clearly slower; 0: that does not
** matter. */
json_t *measure_job(Child *child, Job *job, double above);
/* The same for one that is known to be right: timed alone, and where a launch is long with fewer
** samples, since it will be measured in several rounds. */
json_t *measure_again(Child *child, Job *job, double above);

/* What gets back, before a launch, what it held at first: all arrays, or those that the kernel
** should write, or none, since nothing was launched yet. */
typedef enum Restoring { RESTORE_NOTHING, RESTORE_WRITTEN, RESTORE_ALL } Restoring;

/* Launches once, notes how long that took, and brings back what it leaves, unless `outputs` is
** NULL. */
kjit_status launch_once(Child *child, Job *job, Restoring what, Outputs *outputs);

/* ---- expect.c: an exit status each ----------------------------------------------------------- */

/* What the untuned kernel leaves, or a reference, is what all others are to leave. Nothing has been
** launched before. Once is enough. */
int child_learn_expected(Child *child);
/* How much work an untuned launch is, into child->work. */
int child_count_work(Child *child);
/* Whether the device tells what the objective asks for. */
int child_check_objective(Child *child);

/* ---- kept.c: those that may be measured again ----------------------------------------------- */

/* Takes over a job that took so long, and keeps it if it is among the fastest. */
void kept_add(Child *child, Job *job, double ms);
/* A job that is kept, which stays; NULL: it is not. */
Job *kept_find(Child *child, size_t id);
void kept_free(Child *child);

/* ---- wisdom.c -------------------------------------------------------------------------------- */

/* Writes a configuration of a space into the wisdom, as the message says, and answers. */
void child_note(Child *child, const json_t *message, kjit_space *space, const uint32_t *config);
/* Answers which record a launch would take: its "objective", "why", its "configuration", and as
** "config" that of the space, if it is one; "own": it is the source as it stands. */
void child_tell_taken(Child *child);

/* ---- child.c --------------------------------------------------------------------------------- */

/* Answers, and takes the line. */
void child_say(Child *child, json_t *line);
/* Notes when the child has come so far. */
void child_mark(Child *child, const char *name);
/* Makes the kernel of a configuration and has it compiled; a record of failure, or NULL. */
json_t *begin_compile(Child *child, kjit_space *space, const uint32_t *config, size_t id);

/* key.c: all that a time depends on besides the configuration. */
json_t *child_key(Child *child);

#endif

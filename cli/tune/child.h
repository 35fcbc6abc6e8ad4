/* What the files of the measuring child share. */
#pragma once

#include "cli/tune/start.h"

enum { PARAMS_MOST = 256, KEPT = 8, SPACE_MOST = 10000000 /* configurations that are allowed */ };
/* Ids of jobs that are not the parent's. */
#define ID_AGAIN   (SIZE_MAX / 2)
#define ID_UNTUNED (ID_AGAIN + 1)

typedef struct Child {
    TuneCommand *command;
    FILE *out;
    Startup *start;
    json_t *marks; /* times at which stages were reached, in seconds */
    int done;      /* exit status; the child ends unless it is EXIT_DONE */
    Session session;
    kjit_context *context;
    kjit_kernel *kernel;
    kjit_values *values;
    kjit_arg *args;
    size_t count;
    uint32_t *access, *written; /* per argument; `written` is 0 if it is only read */
    kjit_space *space, *own;    /* the latter only with the source's own values */
    char *schedules;            /* the values of `schedule` that --schedules asks for; or NULL */
    DeviceArgs *copies;
    const kjit_arg *device_args;
    Ahead *ahead;
    Job *untuned; /* NULL: not compiled yet */
    bool learnt;  /* `expected` is filled in */
    Outputs expected, now;
    kjit_event *from, *to; /* events around a launch on a GPU; NULL: not created yet */
    Job *kept[KEPT];       /* the fastest jobs, to be measured again; or NULL */
    double kept_ms[KEPT];
    kjit_work work; /* of an untuned launch, if `counted` */
    bool counted;
    double energy; /* mJ per launch, of the last measurement */
    bool quiet;    /* on the processor: no compilation during measurements */
    bool broken;   /* the device is: the process must be replaced */
} Child;

/* ---- space.c --------------------------------------------------------------------------------- */

/* Opens child->space, from @tune and -T, and child->own, the same but reduced to the source's own
** values. An exit status. */
int child_open_space(Child *child);
int child_open_own_space(Child *child);
/* schedules.c: finds schedules to try, and adds them to the space. An exit status. */
int child_find_schedules(Child *child);
/* Whether values of the parameter, `unroll`, give different kernels, where the others have their
** first. */
bool child_unrolls(Child *child, size_t param);
/* The parameters and their values, for the greeting. */
json_t *child_params(const kjit_space *space);
/* The shape of a configuration's launch. */
kjit_status child_shape(Child *child, kjit_space *space, const uint32_t *config,
                        kjit_launch_config *shape);

/* listing.c: adds all allowed configurations to a message as "configs", and on a GPU the shapes of
** their launches as "shapes", both as in space_open() of cli/search/tune.h; and how many are
** excluded by restrictions ("restricted") and by the device ("too_large"). EXIT_COMMAND if none is
** allowed. If it takes long, sends {"say": "listing", "count": .., "of": ..} meanwhile. */
int child_configs(Child *child, json_t *message);

/* ---- measure.c ------------------------------------------------------------------------------- */

/* The outcome of a configuration with such a status: "compile" or "launch". */
const char *outcome_of(kjit_status status);
/* The record of a failure, with the first line of the message. */
json_t *failure_record(const char *outcome, const char *message);
/* Verifies and times a configuration; its record. Above `above` ms it is given up as slow; 0:
** never. */
json_t *measure_job(Child *child, Job *job, double above);
/* The same without verification, and with fewer samples if a launch is long, since there are
** several rounds. */
json_t *measure_again(Child *child, Job *job, double above);

/* The arrays to restore to their initial contents before a launch: none, as nothing was launched
** yet; those that the kernel writes; or all. */
typedef enum Restoring { RESTORE_NOTHING, RESTORE_WRITTEN, RESTORE_ALL } Restoring;

/* Launches once, records the time, and fetches the outputs, unless `outputs` is NULL. */
kjit_status launch_once(Child *child, Job *job, Restoring what, Outputs *outputs);

/* ---- expect.c: an exit status each ----------------------------------------------------------- */

/* Determines the expected outputs, once: from references, or by the first launch of the untuned
** kernel. */
int child_learn_expected(Child *child);
/* Counts the work of an untuned launch into child->work. */
int child_count_work(Child *child);
/* Whether the device can measure the quantities of the objective. */
int child_check_objective(Child *child);

/* ---- kept.c: jobs that may be measured again ------------------------------------------------ */

/* Takes over a job, and keeps it if it is among the fastest. */
void kept_add(Child *child, Job *job, double ms);
/* A job that is kept, borrowed; or NULL. */
Job *kept_find(Child *child, size_t id);
void kept_free(Child *child);

/* ---- wisdom.c -------------------------------------------------------------------------------- */

/* Writes a configuration into the wisdom, as a message requests, and replies. */
void child_note(Child *child, const json_t *message, kjit_space *space, const uint32_t *config);
/* Replies which record launches use: its "objective", "why", its "configuration", and as "config"
** its indices, if it is in the space; "own": launches use the source's own constants. */
void child_report_taken(Child *child);

/* ---- child.c --------------------------------------------------------------------------------- */

/* Sends a message, which it takes over. */
void child_say(Child *child, json_t *line);
/* Records the time of a stage. */
void child_mark(Child *child, const char *name);
/* Loads the kernel of a configuration and queues its compilation; a record of failure, or NULL. */
json_t *begin_compile(Child *child, kjit_space *space, const uint32_t *config, size_t id);

/* key.c: everything but the configuration that a time depends on. */
json_t *child_key(Child *child);

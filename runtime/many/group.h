/* A launch over the ranks of a group: what a process prepares, and what each rank does. */
#ifndef KJIT_MANY_GROUP_H
#define KJIT_MANY_GROUP_H

#include "runtime/many/engine.h"
#include "runtime/many/part.h"

enum { SAYS_ARGS = 32, SAYS_TEXT = 2048 };

/* What a rank says when all meet: whether something failed, and digests of what must be the same
** for all. It is sent as it lies in memory. */
typedef struct Says {
    int32_t status;           /* kjit_status */
    uint64_t text, launch;    /* of the kernel; of the grid, and of what is said of arrays */
    uint64_t args[SAYS_ARGS]; /* the last stands for all that follow, too */
    char message[SAYS_TEXT];
} Says;

/* What a process knows of a launch before its ranks begin. */
typedef struct Job {
    kjit_kernel *kernel;
    kjit_launch_config config;
    const kjit_arg *args;
    size_t count;
    const kjit_wish *said;
    size_t said_count;
    int ranks;
    Arena arena; /* of what follows */
    ManyWish *wishes;
    SplitPlan plan;
    Specialisation *spec; /* of the kernel as a part of the grid */
    int axis;             /* of what is launched, along which that is split */
    uint64_t together;    /* threads asked for that a block of it stands for along the axis */
} Job;

/* ---- job.c ----------------------------------------------------------------------------------- */

/* Plans and compiles. job_close() it, whatever comes of it. */
kjit_status job_open(Job *job);
void job_close(Job *job);
/* The digests. */
void job_say(const Job *job, Says *says);
/* Carries the blocks of a rank out, on these arguments. */
kjit_status job_launch(const Job *job, int rank, const kjit_arg *args);

/* ---- rank.c ---------------------------------------------------------------------------------- */

/* All ranks meet: KJIT_OK if all of them say so. Else the message of the first that does not, with
** its rank in front unless they all say the same. */
kjit_status ranks_meet(Engine *engine, const Says *says);
/* The same with what `status` left as a message. */
kjit_status ranks_agree(Engine *engine, kjit_status status);
/* What one rank does of a launch. On rank 0 the arrays of the job then hold what came of it. */
kjit_status rank_run(Engine *engine, const Job *job);

#endif

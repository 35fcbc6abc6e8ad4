/* A launch before its ranks begin: its plan, the kernel of a part of its grid, and what each rank
** needs and writes of each array. Found again for the next launch that is the same but for the
** values of floats and of arrays. */
#pragma once

#include "runtime/many/plan.h"
#include "runtime/many/region.h"

struct Says;

/* What ranks do with one array, in bytes of what is spread that it lies in. */
typedef struct JobArray {
    bool changes;
    bool whole; /* each rank has all of it */
    Region all;
    Region *need;  /* by rank */
    Region *own;   /* by rank: what it may write, unless `whole` */
    Region *inner; /* by rank: what its inner blocks may touch, unless `whole` */
} JobArray;

/* What a process knows of a launch. */
typedef struct Job {
    struct Job *next;
    CacheKey key;
    kjit_kernel *kernel;
    kjit_launch_config config;
    const kjit_wish *said;
    size_t said_count, count;
    int ranks;
    bool alike;  /* several processes are to come to the same code, wherever their arrays lie */
    Arena arena; /* of what follows */
    ManyWish *wishes;
    SplitPlan plan;
    Specialisation *spec; /* of the kernel as a part of the grid, with code for the first device */
    Code **codes;         /* for each device */
    Device **devices;
    int device_count;
    JobArray *arrays;
    int axis;          /* of what is launched, along which that is split */
    bool anywhere;     /* which blocks do what of it does not matter, nor what ranks hold of arrays
                          that are read: plan.first counts blocks */
    bool exchanged;    /* its blocks do iterations of other threads than the text says */
    uint64_t together; /* threads asked for that a block of it stands for along the axis */
    bool refused;      /* it cannot be split: the message is in `why` */
    char *why;
} Job;

/* Plans and compiles, for these devices; `args` as the first of them has them. job_close() it,
** whatever comes of it. */
kjit_status job_open(Job *job, const kjit_arg *args);
void job_close(Job *job);
/* What ranks need and write, of arrays whose spread memory begins so on the host; `args` as the
** host has them. */
kjit_status job_place(Job *job, const kjit_arg *args, char *const *begins);
/* The digests; what `spread` says of an array is not looked into. */
void job_say(const Job *job, const kjit_arg *args, const bool *held, struct Says *says);
/* Whether a rank has blocks. */
bool job_works(const Job *job, int rank);
/* Carries blocks of a rank out on one of the devices: those from `from` to before `to` of what is
** launched. */
kjit_status job_launch(const Job *job, int device, void *stream, uint64_t from, uint64_t to,
                       const kjit_arg *args);
/* The blocks of a rank. */
void job_blocks(const Job *job, int rank, uint64_t *from, uint64_t *to);
/* Those of them that touch nothing of other ranks; false if there are none. */
bool job_inner(const Job *job, int rank, uint64_t *from, uint64_t *to);
/* What of an array a rank changes comes back rank after rank. */
bool job_is_ordered(const Job *job);

/* How many threads a job gets while other programs want processors, too.
**
** A thread that is interrupted in the middle of its share is waited for, and fewer threads that run
** on are then faster than all. What counts is the rate: the time that the work takes, of the time
** that the job took. When it has been worse for a while than that of fewer threads, as it was
** measured or is expected, jobs get fewer, the caller alone in the end. After some time more are
** tried again; the longer, the more such trials have failed.
**
** The time that the work takes is what threads computed, by their own clocks. Several may need more
** of it than one, for data that goes from one to the other: jobs of a kind that one thread has done
** alone are taken to be as much work as that was. */
#pragma once

#include "base/base.h"

/* The last has one thread of CREW_MOST. */
enum { CREW_LEVELS = 12, CREW_KINDS = 64 };

typedef struct CrewLevel {
    double since, until;  /* it was begun; the level before it is tried again */
    double period;        /* ms for which it was left for the next when it was left last */
    double worked, could; /* ms of work, of those that threads had time for, lately */
    double measured;      /* when that was: all by CrewSize.clock */
} CrewLevel;

/* Jobs that are alike. */
typedef struct CrewKind {
    uint64_t kind; /* 0: none */
    unsigned seen; /* of several threads */
    double alone;  /* ms that one thread computes, or 0 */
} CrewKind;

/* All zero at first. */
typedef struct CrewSize {
    double clock;  /* ms that jobs took, and a little of what was between them */
    double last;   /* when the last job was over, by the machine's clock */
    int level;     /* 0: all threads */
    double credit; /* ms that jobs took less than with fewer threads, within bounds */
    CrewLevel levels[CREW_LEVELS];
    CrewKind kinds[CREW_KINDS];
} CrewSize;

/* A job that is over. */
typedef struct CrewDone {
    uint64_t kind;       /* the same for jobs that are alike, or 0 */
    int most, threads;   /* that it may have had, and had */
    double took, worked; /* ms, and those that threads computed, together */
} CrewDone;

/* Threads for a job that may have `most`. */
int crew_size(CrewSize *size, uint64_t kind, int most);
/* At `now`, in ms from any origin. Jobs that are not measured need not be noted. */
void crew_size_note(CrewSize *size, const CrewDone *done, double now);
/* All threads work, and lately gained as much as counts: to measure a few jobs is enough. */
bool crew_size_settled(const CrewSize *size);

/* Whether a job gets all threads, or only the caller's, while other programs want processors, too.
**
** A thread that is interrupted in the middle of its share is waited for, and one that runs on is
** then faster than all. What counts is the rate: the time that the work takes, of the time that the
** job took. When it has been worse for a while than that of one thread, as it was measured or is
** expected, the caller works alone. After some time all are tried again; the longer, the more such
** trials have failed.
**
** The time that the work takes is what threads computed, by their own clocks. Several may need more
** of it than one, for data that goes from one to the other: short jobs of a kind that one thread
** has done alone are taken to be as much work as that was. */
#pragma once

#include "base/base.h"

enum { CREW_KINDS = 64 };

/* Jobs that are alike. */
typedef struct CrewKind {
    uint64_t kind; /* 0: none */
    unsigned seen; /* short ones */
    double alone;  /* ms that one thread computes, or 0 */
} CrewKind;

/* All zero at first. Times are ms. */
typedef struct CrewSize {
    bool alone;
    double clock;         /* what jobs took, and a little of what was between them */
    double last;          /* when the last job was over, by the machine's clock */
    double since, until;  /* by `clock`: all threads work; they are tried again */
    double period;        /* for which the caller was alone last, or 0 */
    double credit;        /* that jobs took less than they would have alone, within bounds */
    double worked, could; /* what one thread computed, of what it could have, lately */
    double measured;      /* when that was, by `clock` */
    CrewKind kinds[CREW_KINDS];
} CrewSize;

/* A job that is over. */
typedef struct CrewDone {
    uint64_t kind;       /* the same for jobs that are alike, or 0 */
    int threads;         /* that it had */
    double took, worked; /* ms, and those that threads computed, together */
} CrewDone;

/* Threads for a job that may have `most`. */
int crew_size(CrewSize *size, uint64_t kind, int most);
/* At `now`, in ms from any origin. Jobs that are not measured need not be noted. */
void crew_size_note(CrewSize *size, const CrewDone *done, double now);
/* All threads work, and lately gained as much as counts: to measure a few jobs is enough. */
bool crew_size_settled(const CrewSize *size);

/* How many threads a job gets while other programs want processors, too.
**
** A thread that is interrupted in the middle of its share is waited for, and fewer threads that run
** on are then faster than all. What counts is the rate: the time that threads computed, by their
** own clocks, of the time that the job took. When it has been worse for a while than that of fewer
** threads, as it was measured or is expected, jobs get fewer, the caller alone in the end. After
** some time more are tried again; the longer, the more such trials have failed. */
#pragma once

#include "base/base.h"

/* The last has one thread of CREW_MOST. */
enum { CREW_LEVELS = 12 };

typedef struct CrewLevel {
    double since, until;  /* it was begun; the level before it is tried again */
    double period;        /* ms for which it was left for the next when it was left last */
    double worked, could; /* ms that threads computed, of those that they could have, lately */
    double measured;      /* when that was */
} CrewLevel;

/* All zero at first. */
typedef struct CrewSize {
    int level;     /* 0: all threads */
    double credit; /* ms that its threads have computed more than the next level's would */
    CrewLevel levels[CREW_LEVELS];
} CrewSize;

/* Threads for a job that may have `most`. Times are milliseconds of one clock, from any origin in
** the past. */
int crew_size(CrewSize *size, int most, double now);
/* A job that may have had `most` threads had `threads`; it is over, took `took` ms, and threads
** computed for `worked` ms together. Jobs that are not measured need not be noted. */
void crew_size_note(CrewSize *size, int most, int threads, double now, double took, double worked);
/* All threads work, and lately gained as much as counts: to measure a few jobs is enough. */
bool crew_size_settled(const CrewSize *size);

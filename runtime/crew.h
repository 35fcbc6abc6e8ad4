/* A few threads that stand by to help with one thing at a time. */
#ifndef KJIT_CREW_H
#define KJIT_CREW_H

#include "base/base.h"

#include <pthread.h>

enum { CREW_MAX = 4 }; /* the caller included */

/* A share of the work, done by several threads at once; `member` is 0 for who asked. */
typedef void CrewTask(void *job, int member);

typedef struct Crew {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t wake, idle;
    bool busy, closing;
    CrewTask *task; /* NULL: nothing to join */
    void *job;
    unsigned serial; /* of the job */
    int active;      /* helpers at work */
    int count;       /* of helpers */
    pthread_t threads[CREW_MAX - 1];
} Crew;

void crew_init(Crew *crew);
/* Ends the helpers. Nothing may be under way. */
void crew_close(Crew *crew);
/* Runs the task here and, as soon as they wake up, on the helpers; returns when all that began have
** ended. Who finds the others at work already runs it alone. The task itself sees to it that every
** part is done once, by however many. */
void crew_run(Crew *crew, CrewTask *task, void *job);

#endif

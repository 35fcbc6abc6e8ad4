/* Helpers for one job at a time. A helper that wakes up late finds no job and sleeps on: nobody
** waits for it. */
#include "runtime/crew.h"

#include <sched.h>

/* A helper knows its place by the address of its handle. */
typedef struct Helper {
    Crew *crew;
    int member;
} Helper;

void crew_init(Crew *crew)
{
    *crew = (Crew){ 0 };
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    pthread_cond_init(&crew->idle, NULL);
}

static void *help(void *context)
{
    Helper self = *(Helper *)context;
    Crew *crew = self.crew;
    unsigned seen = 0;

    memory_free(context);
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (!crew->closing && (!crew->task || crew->serial == seen))
            pthread_cond_wait(&crew->wake, &crew->lock);
        if (crew->closing)
            break;
        CrewTask *task = crew->task;
        void *job = crew->job;
        seen = crew->serial;
        crew->active++;
        pthread_mutex_unlock(&crew->lock);
        task(job, self.member);
        pthread_mutex_lock(&crew->lock);
        if (--crew->active == 0)
            pthread_cond_signal(&crew->idle);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* As many as may run beside the caller. What cannot be had is done without. */
static void start_helpers(Crew *crew)
{
    cpu_set_t allowed;
    int wanted = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) - 1 : 0;

    while (crew->count < wanted && crew->count < CREW_MAX - 1) {
        Helper *helper = memory_alloc(sizeof *helper);
        if (!helper)
            return;
        *helper = (Helper){ crew, crew->count + 1 };
        if (pthread_create(&crew->threads[crew->count], NULL, help, helper) != 0) {
            memory_free(helper);
            return;
        }
        crew->count++;
    }
}

void crew_run(Crew *crew, CrewTask *task, void *job)
{
    pthread_mutex_lock(&crew->lock);
    bool ours = !crew->busy;
    if (ours) {
        crew->busy = true;
        if (!crew->count)
            start_helpers(crew);
        crew->task = task;
        crew->job = job;
        crew->serial++;
        pthread_cond_broadcast(&crew->wake);
    }
    pthread_mutex_unlock(&crew->lock);
    task(job, 0);
    if (!ours)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->task = NULL;
    while (crew->active)
        pthread_cond_wait(&crew->idle, &crew->lock);
    crew->busy = false;
    pthread_mutex_unlock(&crew->lock);
}

void crew_close(Crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->count; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_cond_destroy(&crew->wake);
    pthread_cond_destroy(&crew->idle);
    pthread_mutex_destroy(&crew->lock);
}

/* Threads for one thing: starting one takes some ten microseconds, so a part should take more. */
#include "runtime/share.h"

#include "runtime/device.h"

#include <pthread.h>
#include <stdatomic.h>

enum { HELPERS_MOST = 63 };

typedef struct Sharing {
    SharedTask *task;
    void *job;
    int64_t parts;
    _Atomic int64_t next;
} Sharing;

static void *take_parts(void *context)
{
    Sharing *sharing = context;
    int64_t part;

    while ((part = atomic_fetch_add(&sharing->next, 1)) < sharing->parts)
        sharing->task(sharing->job, part);
    return NULL;
}

void share_out(int64_t parts, SharedTask *task, void *job)
{
    Sharing sharing = { .task = task, .job = job, .parts = parts };
    pthread_t helpers[HELPERS_MOST];
    int64_t wanted = parts > 1 ? cpu_threads() - 1 : 0;
    int count = 0;

    wanted = wanted < parts - 1 ? wanted : parts - 1;
    wanted = wanted < HELPERS_MOST ? wanted : HELPERS_MOST;
    while (count < wanted && pthread_create(&helpers[count], NULL, take_parts, &sharing) == 0)
        count++;
    take_parts(&sharing);
    while (count > 0)
        pthread_join(helpers[--count], NULL);
}

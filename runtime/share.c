/* Parts are handed out by a counter, one at a time. */
#include "runtime/share.h"

#include "runtime/crew.h"

#include <stdatomic.h>

typedef struct Sharing {
    SharedTask *task;
    void *job;
    int64_t parts;
    _Atomic int64_t next;
} Sharing;

static void take_parts(void *context, int member)
{
    Sharing *sharing = context;
    int64_t part;

    (void)member;
    while ((part = atomic_fetch_add(&sharing->next, 1)) < sharing->parts)
        sharing->task(sharing->job, part);
}

void share_out(int64_t parts, SharedTask *task, void *job)
{
    Sharing sharing = { .task = task, .job = job, .parts = parts };
    int threads = crew_threads();

    crew_run(take_parts, &sharing, parts < threads ? (int)parts : threads);
}

/* A callback of the host in the stream, which waits on a condition. */
#include "cli/measure/hold.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "cli/measure/memory.h"

enum { MOST_MS = 200 };

struct Hold {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t host;
    bool let_go, timed_out;
};

Hold *hold_new(void)
{
    Hold *hold = must_alloc(sizeof *hold);

    pthread_mutex_init(&hold->lock, NULL);
    pthread_cond_init(&hold->changed, NULL);
    return hold;
}

void hold_free(Hold *hold)
{
    pthread_cond_destroy(&hold->changed);
    pthread_mutex_destroy(&hold->lock);
    free(hold);
}

/* Runs on a thread of the driver's. Where it does not, as on the processor, nothing is held. */
static void wait_for_host(void *data)
{
    Hold *hold = data;
    struct timespec until;

    if (pthread_equal(pthread_self(), hold->host))
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += MOST_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&hold->lock);
    while (!hold->let_go && !hold->timed_out)
        hold->timed_out = pthread_cond_timedwait(&hold->changed, &hold->lock, &until) == ETIMEDOUT;
    pthread_mutex_unlock(&hold->lock);
}

kjit_status hold_begin(Hold *hold, kjit_stream *stream)
{
    hold->let_go = hold->timed_out = false;
    hold->host = pthread_self();
    return kjit_stream_callback(stream, wait_for_host, hold);
}

bool hold_end(Hold *hold)
{
    pthread_mutex_lock(&hold->lock);
    hold->let_go = true;
    bool lasted = !hold->timed_out;
    pthread_cond_broadcast(&hold->changed);
    pthread_mutex_unlock(&hold->lock);
    return lasted;
}

/* Whether this process was forked since: what belongs to its parent's threads and devices is then
** no longer there. */
#include "runtime/runtime.h"

static atomic_uint forks;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void note_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, note_fork);
}

void forks_watch(void)
{
    pthread_once(&watch_once, watch);
}

unsigned forks_seen(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

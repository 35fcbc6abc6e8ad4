/* Which launch a thread runs: runtime/cpu/running.h. A handler of a signal reads it, in whichever
** thread. So it is a value of a key: reading a thread-local variable of a library allocates where
** the thread has read none before. */
#include "runtime/cpu/running.h"
#include "runtime/runtime.h"

#include <limits.h>
#include <pthread.h>

static pthread_key_t running_key;
static pthread_once_t running_once = PTHREAD_ONCE_INIT;
static atomic_bool running_ready;

static void make_key(void)
{
    atomic_store(&running_ready, pthread_key_create(&running_key, NULL) == 0);
}

void running_open(void)
{
    pthread_once(&running_once, make_key);
}

static Running *current(void)
{
    return atomic_load(&running_ready) ? pthread_getspecific(running_key) : NULL;
}

Running *running_set(Running *running)
{
    Running *before = current();

    if (atomic_load(&running_ready))
        pthread_setspecific(running_key, running);
    return before;
}

const char *kjit_running_call(void)
{
    const Running *running = current();

    return running ? running->call : NULL;
}

/* ---- stopping ------------------------------------------------------------------------------- */

/* A signal may come between any two of these: whichever is last sees the other. */
static void leave_out(Running *running)
{
    long long *next = __atomic_load_n(&running->next, __ATOMIC_SEQ_CST);

    if (next && __atomic_load_n(&running->stopped, __ATOMIC_SEQ_CST))
        __atomic_store_n(next, LLONG_MAX / 2, __ATOMIC_RELAXED);
}

bool running_share(long long *next)
{
    Running *running = current();

    if (!running)
        return true;
    if (next && __atomic_load_n(&running->stopped, __ATOMIC_RELAXED))
        return false;
    __atomic_store_n(&running->next, next, __ATOMIC_SEQ_CST);
    leave_out(running);
    return true;
}

bool running_stopped(void)
{
    const Running *running = current();

    return running && __atomic_load_n(&running->stopped, __ATOMIC_RELAXED);
}

kjit_status error_stopped(void)
{
    return error_set(KJIT_LAUNCH,
                     "error: the launch was interrupted: what it writes is incomplete");
}

void kjit_stop_running(void)
{
    Running *running = current();

    if (!running)
        return;
    __atomic_store_n(&running->stopped, true, __ATOMIC_SEQ_CST);
    leave_out(running);
}

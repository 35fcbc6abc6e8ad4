/* Whether this process was forked since: what belongs to its parent's threads and devices is then
** no longer there. */
#include "runtime/runtime.h"

static atomic_uint forks;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static pthread_mutex_t renewal = PTHREAD_MUTEX_INITIALIZER;
/* Read under a lock of forks_lock(), written by the thread that forks. */
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

/* Nothing is renewed while the process forks, or is within a lock of forks_lock(): in the child
** it would stay half done. */
static void before_fork(void)
{
    pthread_rwlock_wrlock(&gate);
    pthread_mutex_lock(&renewal);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&renewal);
    pthread_rwlock_unlock(&gate);
}

/* The gate identifies its writer by a number that is the parent's; a child begins with one
** thread. */
static void in_child(void)
{
    atomic_fetch_add(&forks, 1);
    pthread_mutex_unlock(&renewal);
    gate = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}

static void watch(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

void forks_watch(void)
{
    pthread_once(&watch_once, watch);
}

unsigned forks_seen(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

void forks_renew(atomic_uint *seen, void renew(void *), void *what)
{
    if (atomic_load_explicit(seen, memory_order_acquire) == forks_seen())
        return;
    pthread_mutex_lock(&renewal);
    if (atomic_load_explicit(seen, memory_order_relaxed) != forks_seen()) {
        renew(what);
        atomic_store_explicit(seen, forks_seen(), memory_order_release);
    }
    pthread_mutex_unlock(&renewal);
}

void forks_lock(pthread_mutex_t *lock)
{
    pthread_rwlock_rdlock(&gate);
    pthread_mutex_lock(lock);
}

void forks_unlock(pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
    pthread_rwlock_unlock(&gate);
}

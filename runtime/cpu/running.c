/* Which kernel a thread runs: runtime/cpu/running.h. A handler of a signal reads it, in whichever
** thread. So it is a value of a key: reading a thread-local variable of a library allocates where
** the thread has read none before. */
#include "runtime/cpu/running.h"
#include "runtime/runtime.h"

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

void running_set(const char *call)
{
    if (atomic_load_explicit(&running_ready, memory_order_acquire))
        pthread_setspecific(running_key, call);
}

const char *kjit_running_call(void)
{
    return atomic_load(&running_ready) ? pthread_getspecific(running_key) : NULL;
}

/* What a context is doing at this moment, noted by the threads that do it and read by whoever asks:
** kjit_watch().
**
** Noting costs a launch some stores to memory of its own. Each thread has a place in every context,
** as it has for counting, and holds no lock; threads beyond COUNTER_OWNERS are not seen. */
#pragma once

#include "runtime/device.h"

/* What one thread does. All of it is written by that thread, but for `next` and `joined`. */
typedef struct WatchPlace {
    atomic_uint version;          /* odd while what follows is being changed */
    atomic_int doing;             /* kjit_doing */
    atomic_uint forks;            /* forks_seen() as of then: a child does nothing of it */
    _Atomic(const char *) what;   /* a kernel's name, or its call; or NULL */
    _Atomic double since;         /* clock_ms() */
    atomic_uint_least64_t blocks; /* that were asked for; 0: how many are done is unknown */
    /* What they are shared out as: so many, `chunk` at a time, of which `next` is the first that is
    ** not taken. */
    atomic_llong count, chunk;
    char apart[64];    /* a cache line: others write what follows */
    long long next;    /* by way of __atomic_ functions: kernels are given its address */
    atomic_int joined; /* threads, each of which has a chunk at hand */
    char behind[64];
} WatchPlace;

/* All zero but for the lock, before anything is done. */
typedef struct Watch {
    pthread_mutex_t lock; /* held while names are read */
    WatchPlace places[COUNTER_OWNERS];
} Watch;

/* Before names go: no thread reads them any more when it returns. What they stood for is over. */
void watch_settle(Watch *watch);

/* Notes what the calling thread begins to do. `what` stays until watch_settle() and may be NULL; it
** is shown up to its bracket. `watch` may be NULL, and so may what is returned, if nothing is
** noted. */
WatchPlace *watch_begin(Watch *watch, kjit_doing doing, const char *what, double since_ms);
/* The same of a launch, which observes so many blocks. */
WatchPlace *watch_launch(Watch *watch, const char *what, double since_ms, uint64_t blocks);
/* That is over. NULL is harmless. */
void watch_end(WatchPlace *place);

/* Waits for a GPU as `wait` does, and notes that; for other devices `wait` alone. */
kjit_status watch_wait(Device *device, kjit_status (*wait)(Device *device, void *handle),
                       void *handle);

/* A launch whose blocks are not counted after all. */
void watch_unobserved(WatchPlace *place);
/* That they are shared out as `count`, `chunk` at a time. Who takes part calls watch_join() and
** takes them from `*next`, which is returned. */
long long *watch_share(WatchPlace *place, long long count, long long chunk);
void watch_join(WatchPlace *place);
/* That so many of the `count` are done, where they are not shared out. */
void watch_reach(WatchPlace *place, long long done);

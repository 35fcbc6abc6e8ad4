/* What a context is doing: runtime/watch.h. */
#include "runtime/runtime.h"

void watch_settle(Watch *watch)
{
    forks_lock(&watch->lock);
    forks_unlock(&watch->lock);
}

/* ---- who does something ---------------------------------------------------------------------- */

/* A reader that sees one of the new values sees the odd count, too: they are released behind it. */
static void begin(WatchPlace *place, kjit_doing doing, const char *what, double since_ms,
                  uint64_t blocks)
{
    unsigned version = atomic_load_explicit(&place->version, memory_order_relaxed);

    atomic_store_explicit(&place->version, version + 1, memory_order_relaxed);
    atomic_store_explicit(&place->doing, (int)doing, memory_order_release);
    atomic_store_explicit(&place->forks, forks_seen(), memory_order_release);
    atomic_store_explicit(&place->what, what, memory_order_release);
    atomic_store_explicit(&place->since, since_ms, memory_order_release);
    atomic_store_explicit(&place->blocks, blocks, memory_order_release);
    atomic_store_explicit(&place->count, 0, memory_order_release);
    atomic_store_explicit(&place->version, version + 2, memory_order_release);
}

static WatchPlace *begin_of(Watch *watch, kjit_doing doing, const char *what, double since_ms,
                            uint64_t blocks)
{
    int own = watch ? counters_place() : COUNTER_OWNERS;

    if (own == COUNTER_OWNERS)
        return NULL;
    begin(&watch->places[own], doing, what, since_ms, blocks);
    return &watch->places[own];
}

WatchPlace *watch_begin(Watch *watch, kjit_doing doing, const char *what, double since_ms)
{
    return begin_of(watch, doing, what, since_ms, 0);
}

WatchPlace *watch_launch(Watch *watch, const char *what, double since_ms, uint64_t blocks)
{
    return begin_of(watch, KJIT_RUNNING, what, since_ms, blocks);
}

/* What else there is stays as it was, for who is reading it. */
void watch_end(WatchPlace *place)
{
    if (place)
        atomic_store_explicit(&place->doing, KJIT_IDLE, memory_order_release);
}

kjit_status watch_wait(Device *device, kjit_status (*wait)(Device *device, void *handle),
                       void *handle)
{
    bool gpu = device_is_gpu(device);
    WatchPlace *place = gpu ? watch_begin(device->watch, KJIT_WAITING, NULL, clock_ms()) : NULL;
    kjit_status status = wait(device, handle);

    watch_end(place);
    return status;
}

void watch_unobserved(WatchPlace *place)
{
    if (place)
        atomic_store_explicit(&place->blocks, 0, memory_order_relaxed);
}

long long *watch_share(WatchPlace *place, long long count, long long chunk)
{
    __atomic_store_n(&place->next, 0, __ATOMIC_RELAXED);
    atomic_store_explicit(&place->joined, 0, memory_order_relaxed);
    atomic_store_explicit(&place->chunk, chunk, memory_order_relaxed);
    atomic_store_explicit(&place->count, count, memory_order_release);
    return &place->next;
}

void watch_join(WatchPlace *place)
{
    atomic_fetch_add_explicit(&place->joined, 1, memory_order_relaxed);
}

void watch_reach(WatchPlace *place, long long done)
{
    if (place)
        __atomic_store_n(&place->next, done, __ATOMIC_RELAXED);
}

/* ---- who asks -------------------------------------------------------------------------------- */

/* What a place says, as of one moment. */
typedef struct Seen {
    kjit_doing doing;
    unsigned forks;
    const char *what;
    double since;
    uint64_t blocks, done;
} Seen;

/* Of the blocks that were asked for: what is shared out may be others, of which each does more or
** less. Each thread that joined has a chunk at hand, its first or one behind the last. */
static uint64_t blocks_done(const WatchPlace *place, uint64_t blocks)
{
    long long count = atomic_load_explicit(&place->count, memory_order_acquire);
    long long chunk = atomic_load_explicit(&place->chunk, memory_order_relaxed);
    long long joined = atomic_load_explicit(&place->joined, memory_order_relaxed);
    long long done = __atomic_load_n(&place->next, __ATOMIC_RELAXED) - joined * chunk;

    if (done <= 0 || count <= 0)
        return 0;
    if (done >= count)
        return blocks;
    return (uint64_t)((double)blocks * ((double)done / (double)count));
}

/* False: it is being changed. */
static bool look(const WatchPlace *place, Seen *seen)
{
    unsigned version = atomic_load_explicit(&place->version, memory_order_acquire);

    seen->doing = (kjit_doing)atomic_load_explicit(&place->doing, memory_order_acquire);
    seen->forks = atomic_load_explicit(&place->forks, memory_order_acquire);
    seen->what = atomic_load_explicit(&place->what, memory_order_acquire);
    seen->since = atomic_load_explicit(&place->since, memory_order_acquire);
    seen->blocks = atomic_load_explicit(&place->blocks, memory_order_acquire);
    seen->done = blocks_done(place, seen->blocks);
    return !(version & 1) && atomic_load_explicit(&place->version, memory_order_acquire) == version;
}

static void describe(const Seen *seen, kjit_activity *activity)
{
    const char *what = seen->what ? seen->what : "";

    activity->doing = seen->doing;
    activity->seconds = (clock_ms() - seen->since) / 1e3;
    activity->blocks = seen->blocks;
    activity->blocks_done = seen->done;
    snprintf(activity->kernel, sizeof activity->kernel, "%.*s", (int)strcspn(what, "("), what);
}

/* A place that is being changed belongs to something that has just begun or ended. */
static void find_longest(Watch *watch, kjit_activity *activity)
{
    Seen longest = { .doing = KJIT_IDLE };

    for (int i = 0; i < COUNTER_OWNERS; i++) {
        Seen seen;
        if (!look(&watch->places[i], &seen) || seen.doing == KJIT_IDLE ||
            seen.forks != forks_seen())
            continue;
        activity->others += longest.doing != KJIT_IDLE;
        if (longest.doing == KJIT_IDLE || seen.since < longest.since)
            longest = seen;
    }
    if (longest.doing != KJIT_IDLE)
        describe(&longest, activity);
}

kjit_status kjit_watch(kjit_context *context, kjit_activity *activity)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_activity all = { .size = activity->size };
    forks_lock(&context->watch.lock);
    find_longest(&context->watch, &all);
    forks_unlock(&context->watch.lock);
    SIZED_GIVE(activity, &all);
    return KJIT_OK;
}

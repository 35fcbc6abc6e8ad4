/* Release and acquire: what fences and atomic operations order.
**
** A thread that has fenced and then does an atomic operation on an address releases, there, what
** was before the fence: what it did, and by barriers, by warp operations, by what it had acquired,
** what others did. A thread that does an atomic operation on that address later acquires all that.
** The PTX manual requires a fence of the reader too ("memory consistency model", release and
** acquire patterns), lest its later reads be done earlier. kjit does not: the reader branches on
** the value it got, CUDA's own samples (threadFenceReduction) leave the fence out, and a missing
** fence of the writer is found anyway. A reader that does need the fence is thus missed.
**
** So each thread has three vector clocks: what it has acquired, and what was before its last fence,
** of the device and of the block; and each address has one, what was released there. A fence of the
** block releases for threads of that block alone, for which there is a second SyncAddress of the
** same address. Barriers and warp operations join the clocks of their threads. A kernel without
** fences pays for one test in each atomic operation.
**
** After FastTrack's locks (Flanagan and Freund, PLDI 2009) and BARRACUDA's (Eizenberg et al., PLDI
** 2017), which treat a fence next to an atomic operation as a release, too.
**
** Joining clocks of many threads with little in common takes long: after very many such operations
** in a run all releases go into one clock, and acquiring any acquires all. Races with a thread
** whose release was not really acquired are missed then. */
#include "runtime/check/vector_clock.h"
#include "runtime/check/run.h"

/* Limits from which on there is one clock for all: about a second of joins, or as much memory. */
#define WORK_MAX  (1ull << 24)
#define BYTES_MAX (1ull << 29)

typedef struct SyncAddress {
    const void *address;
    uint64_t owner;        /* 1 + the block that may acquire from it, or 0: all */
    VectorClock *released; /* NULL: the bucket is empty */
} SyncAddress;

struct Releases {
    ClockHeap heap;
    SyncAddress *addresses; /* open addressing; the capacity is a power of 2 */
    size_t count, capacity;
    bool near;        /* there are entries of one block in global memory */
    VectorClock *all; /* the one clock of all releases, or NULL */
};

static struct Releases *get_releases(CheckRun *run)
{
    if (!run->releases) {
        run->releases = memory_zeroed(1, sizeof *run->releases);
        if (!run->releases)
            schedule_fail(run, KJIT_MEMORY);
    }
    return run->releases;
}

void release_close(CheckRun *run)
{
    if (!run->releases)
        return;
    vector_clocks_close(&run->releases->heap);
    memory_free(run->releases->addresses);
    memory_free(run->releases);
    run->releases = NULL;
}

/* ---- clocks of threads ----------------------------------------------------------------------- */

/* Replaces a clock by another, whose reference it takes over. */
static void set(CheckRun *run, VectorClock **clock, VectorClock *other)
{
    vector_clock_drop(&run->releases->heap, *clock);
    *clock = other;
    if (run->releases->heap.out)
        schedule_fail(run, KJIT_MEMORY);
}

static void add(CheckRun *run, VectorClock **clock, VectorClock *other)
{
    if (*clock != other && other)
        set(run, clock, vector_clock_join(&run->releases->heap, *clock, other));
}

void release_reset(Thread *t)
{
    for (int kind = 0; kind < CLOCK_KINDS; kind++)
        if (t->clock[kind])
            set(t->run, &t->clock[kind], NULL);
}

/* All that happens before the thread's next operation; with one clock for all, what the thread adds
** to it. */
static VectorClock *clock_of(Thread *t)
{
    struct Releases *all = t->run->releases;
    ClockHeap *heap = &all->heap;
    VectorClock *acquired = t->clock[ACQUIRED];
    const Warp *warp = t->warp;
    ClockRow row = { .warp = (uint32_t)t->index / 32 };

    if (warp->known && warp->known_barrier == t->block->barrier)
        memcpy(row.time, warp->known[t->index % 32], sizeof row.time);
    row.time[t->index % 32] = 1 + order_time(t);
    VectorClock *own = vector_clock_new(heap, t->block->number, t->block->barrier, &row);
    VectorClock *both = vector_clock_join(
        heap, all->all ? vector_clock_of_block(acquired, t->block->number) : acquired, own);
    vector_clock_drop(heap, own);
    return both;
}

void release_fence(Thread *t, int scope)
{
    if (!get_releases(t->run))
        return;
    VectorClock *clock = clock_of(t);
    if (scope != CHECK_FENCE_BLOCK)
        set(t->run, &t->clock[FENCED], vector_clock_retain(clock));
    set(t->run, &t->clock[FENCED_BLOCK], clock);
    order_tick(t);
}

/* Joins one clock of a synchronising thread into the common one. */
static void join(CheckRun *run, int kind, VectorClock **joined, VectorClock *clock)
{
    struct Releases *all = run->releases;

    add(run, joined, clock && kind == ACQUIRED && all->all ? all->all : clock);
}

/* Joins the clocks of threads that synchronise. */
static void join_threads(CheckRun *run, Thread *first, uint64_t words, const uint32_t *lanes)
{
    for (int kind = 0; kind < CLOCK_KINDS; kind++) {
        VectorClock *joined = NULL;
        for (uint64_t i = 0; i < 32 * words; i++)
            if (lanes[i / 32] >> i % 32 & 1)
                join(run, kind, &joined, first[i].clock[kind]);
        for (uint64_t i = 0; i < 32 * words; i++)
            if (lanes[i / 32] >> i % 32 & 1 && first[i].clock[kind] != joined)
                set(run, &first[i].clock[kind], vector_clock_retain(joined));
        vector_clock_drop(&run->releases->heap, joined);
    }
}

void release_barrier(CheckRun *run, CheckBlock *block)
{
    uint32_t all[32] = { 0 };

    if (!run->releases)
        return;
    for (int i = 0; i < block->count; i++)
        all[i / 32] |= 1u << i % 32;
    join_threads(run, block->threads, (uint64_t)(block->count + 31) / 32, all);
}

void release_warp(CheckBlock *block, uint32_t warp, uint32_t lanes)
{
    Thread *first = block->threads + 32 * warp;

    if (first->run->releases)
        join_threads(first->run, first, 1, &lanes);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The bucket of an entry, or the empty one where it would be. */
static SyncAddress *look_up(const struct Releases *all, const void *address, uint64_t owner)
{
    uint64_t hash = ((uintptr_t)address ^ owner << 40) * 0x9e3779b97f4a7c15;
    size_t at = (size_t)(hash >> 20) & (all->capacity - 1);

    while (all->addresses[at].released &&
           (all->addresses[at].address != address || all->addresses[at].owner != owner))
        at = (at + 1) & (all->capacity - 1);
    return &all->addresses[at];
}

static bool grow_addresses(CheckRun *run)
{
    struct Releases *all = run->releases, old = *all;

    if (4 * all->count < 3 * all->capacity)
        return true;
    all->capacity = old.capacity ? 2 * old.capacity : 64;
    all->addresses = memory_zeroed(all->capacity, sizeof *all->addresses);
    if (!all->addresses) {
        all->addresses = old.addresses;
        all->capacity = old.capacity;
        schedule_fail(run, KJIT_MEMORY);
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++)
        if (old.addresses[i].released)
            *look_up(all, old.addresses[i].address, old.addresses[i].owner) = old.addresses[i];
    memory_free(old.addresses);
    return true;
}

/* The clock released at an address, or NULL. */
static VectorClock *released_at(const struct Releases *all, const void *address, uint64_t owner)
{
    return all->count ? look_up(all, address, owner)->released : NULL;
}

/* Merges all releases into one clock. */
static void make_one(CheckRun *run)
{
    struct Releases *all = run->releases;

    for (size_t i = 0; i < all->capacity; i++)
        if (all->addresses[i].released)
            add(run, &all->all, all->addresses[i].released);
    for (size_t i = 0; i < all->capacity; i++)
        if (all->addresses[i].released)
            set(run, &all->addresses[i].released, vector_clock_retain(all->all));
}

static void release_at(Thread *t, const void *address, uint64_t owner, VectorClock *clock)
{
    struct Releases *all = t->run->releases;

    if (!clock || !grow_addresses(t->run))
        return;
    SyncAddress *entry = look_up(all, address, owner);
    if (all->all) {
        /* The thread's clock contains what it acquired here. */
        add(t->run, &all->all, vector_clock_of_block(clock, t->block->number));
        clock = all->all;
    }
    if (!entry->released) {
        *entry = (SyncAddress){ address, owner, vector_clock_retain(clock) };
        all->count++;
    } else if (!all->all) {
        add(t->run, &entry->released, clock);
        if (all->heap.work > WORK_MAX || all->heap.bytes > BYTES_MAX)
            make_one(t->run);
    }
}

static void acquire_from(Thread *t, const void *address, uint64_t owner)
{
    struct Releases *all = t->run->releases;
    VectorClock *clock = released_at(all, address, owner);

    if (clock && all->all && t->clock[ACQUIRED] != all->all)
        set(t->run, &t->clock[ACQUIRED], vector_clock_retain(all->all));
    else
        add(t->run, &t->clock[ACQUIRED], clock);
}

void release_atomic(Thread *t, const void *address, int access)
{
    struct Releases *all = t->run->releases;

    if (!all)
        return;
    bool shared = find_is_shared(t->run, t->block, address), writes = access & CHECK_WRITE;
    uint64_t own = 1 + (uint64_t)t->block->number;
    bool near = shared || t->clock[FENCED_BLOCK] != t->clock[FENCED];
    if (!shared)
        acquire_from(t, address, 0);
    if (shared || all->near)
        acquire_from(t, address, own);
    if (writes && !shared)
        release_at(t, address, 0, t->clock[FENCED]);
    if (writes && near) {
        all->near = true;
        release_at(t, address, own, t->clock[FENCED_BLOCK]);
    }
}

bool release_has_address(Thread *t, const void *address)
{
    const struct Releases *all = t->run->releases;

    return all && (released_at(all, address, 0) ||
                   released_at(all, address, 1 + (uint64_t)t->block->number));
}

/* ---- queries --------------------------------------------------------------------------------- */

bool release_before(const Thread *t, uint64_t record)
{
    const CheckRun *run = t->run;
    const Phase *phase = &run->phases[rec_phase(record) - run->phase_base];

    return vector_clock_has(t->clock[ACQUIRED], phase->block, (uint32_t)rec_thread(record),
                            phase->barrier, phase->ext * CLOCKS + rec_clock(record));
}

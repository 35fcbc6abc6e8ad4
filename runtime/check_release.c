/* Releases and acquisitions: what fences and atomic operations order.
**
** A thread that has fenced and then does an atomic operation on a place releases, there, what it
** did before the fence, and what was before that: by barriers, by warp operations, by what it had
** acquired itself. A thread that does an atomic operation on the place later acquires all that. The
** PTX manual asks for a fence of the reader too ("memory consistency model", release and acquire
** patterns), to keep what it reads after from being read before. kjit does not insist: the reader
** branches on what it got, programs in CUDA's own samples (threadFenceReduction) leave it out, and
** who forgot the writer's fence is found either way. Missed, so: a reader that needs the fence; and
** what a thread acquired between its fence and its release goes on with it, as if it were earlier.
**
** Clocks of many thousands of threads would be long. So each place keeps a log of its releases,
** each told by its thread's epoch, and what a thread has acquired is a view: for each log, how much
** of it. A release holds its thread's view. Whether a record is before a thread is looked up in its
** logs, and those that their releases' views lead to. Kernels whose atomics follow no fence have no
** log, and pay for one test.
**
** After FastTrack's locks (Flanagan and Freund, PLDI 2009) and BARRACUDA's (Eizenberg et al., PLDI
** 2017), which take a fence next to an atomic operation for a release, too. */
#include "runtime/check_run.h"

#include <string.h>

enum { CHUNK = 1 << 16, PLACES = 4096 };

/* What each thread of a block had fenced when it came to a barrier: who goes on releases it. */
typedef struct FenceCut {
    struct {
        uint32_t barrier, time; /* 0: nothing */
    } upto[1];
} FenceCut;

typedef struct Release {
    uint32_t block, thread;
    uint32_t fence, fence_barrier, near, near_barrier; /* as the thread's */
    uint32_t known_barrier;
    const uint32_t *known; /* what it knew of the lanes of its warp, or NULL */
    const FenceCut *cut;
    const View *view;
    uint32_t previous; /* 1 + number of the block's last one in the log */
} Release;

/* A block's last release in a log. */
typedef struct Head {
    uint32_t block, last; /* 1 + its number */
} Head;

typedef struct Log {
    const void *address;
    uint64_t owner; /* of a place in shared memory, 1 + the block's number */
    struct Log *next;
    Release *releases;
    uint32_t count, capacity;
    Head *heads; /* by block, open addressing */
    uint32_t head_count, head_capacity;
    uint32_t *foreign; /* numbers of those whose views tell of other logs */
    uint32_t foreign_count, foreign_capacity;
    uint64_t visit; /* the last search that came here, and how far it looked */
    uint32_t visited;
} Log;

typedef struct Seen {
    Log *log;
    uint32_t upto;
} Seen;

struct View {
    int count;
    Seen seen[]; /* by the logs' addresses */
};

/* What is allocated here goes with the run. */
typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
    char bytes[] __attribute__((aligned(16)));
} Chunk;

struct Releases {
    Log *places[PLACES];
    Chunk *chunks;
    Seen *todo; /* of a search */
    size_t todo_count, todo_capacity;
    uint64_t visit;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static struct Releases *get_releases(Run *run)
{
    if (!run->releases) {
        run->releases = memory_zeroed(1, sizeof *run->releases);
        if (!run->releases)
            schedule_fail(run, KJIT_MEMORY);
    }
    return run->releases;
}

/* Zeroed; NULL if the run is over for want of memory. */
static void *take(Run *run, size_t bytes)
{
    struct Releases *all = get_releases(run);

    bytes = (bytes + 15) / 16 * 16;
    if (!all)
        return NULL;
    if (!all->chunks || all->chunks->size - all->chunks->used < bytes) {
        size_t size = bytes > CHUNK ? bytes : CHUNK;
        Chunk *chunk = memory_zeroed(1, sizeof *chunk + size);
        if (!chunk) {
            schedule_fail(run, KJIT_MEMORY);
            return NULL;
        }
        chunk->next = all->chunks;
        chunk->size = size;
        all->chunks = chunk;
    }
    void *memory = all->chunks->bytes + all->chunks->used;
    all->chunks->used += bytes;
    return memory;
}

static bool grow(Run *run, void **array, uint32_t count, uint32_t *capacity, size_t item)
{
    if (count < *capacity)
        return true;
    uint32_t more = *capacity ? 2 * *capacity : 4;
    void *grown = memory_resize(*array, more * item);
    if (!grown) {
        schedule_fail(run, KJIT_MEMORY);
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

static void free_log(Log *log)
{
    memory_free(log->releases);
    memory_free(log->heads);
    memory_free(log->foreign);
}

void release_close(Run *run)
{
    struct Releases *all = run->releases;

    if (!all)
        return;
    for (int i = 0; i < PLACES; i++)
        for (Log *log = all->places[i]; log; log = log->next)
            free_log(log);
    while (all->chunks) {
        Chunk *chunk = all->chunks;
        all->chunks = chunk->next;
        memory_free(chunk);
    }
    memory_free(all->todo);
    memory_free(all);
    run->releases = NULL;
}

/* ---- views ----------------------------------------------------------------------------------- */

static uint32_t seen_of(const View *view, const Log *log)
{
    for (int i = 0; view && i < view->count; i++)
        if (view->seen[i].log == log)
            return view->seen[i].upto;
    return 0;
}

static bool includes(const View *view, const View *other)
{
    for (int i = 0; i < other->count; i++)
        if (seen_of(view, other->seen[i].log) < other->seen[i].upto)
            return false;
    return true;
}

/* What either tells. */
static const View *join(Run *run, const View *a, const View *b)
{
    if (!b || a == b || (a && includes(a, b)))
        return a;
    if (!a || includes(b, a))
        return b;
    View *both = take(run, sizeof *both + (size_t)(a->count + b->count) * sizeof *both->seen);
    if (!both)
        return a;
    for (int i = 0, k = 0; i < a->count || k < b->count;) {
        bool from_a = i < a->count && (k == b->count || a->seen[i].log <= b->seen[k].log);
        bool from_b = k < b->count && (i == a->count || b->seen[k].log <= a->seen[i].log);
        Seen seen = from_a ? a->seen[i] : b->seen[k];
        if (from_a && from_b && b->seen[k].upto > seen.upto)
            seen.upto = b->seen[k].upto;
        both->seen[both->count++] = seen;
        i += from_a;
        k += from_b;
    }
    return both;
}

static const View *add_seen(Run *run, const View *view, Log *log, uint32_t upto)
{
    if (!upto || seen_of(view, log) >= upto)
        return view;
    View *one = take(run, sizeof *one + sizeof *one->seen);
    if (!one)
        return view;
    one->count = 1;
    one->seen[0] = (Seen){ log, upto };
    return join(run, one, view);
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* A place in shared memory is another for each block that has it. */
static uint64_t owner_of(const Thread *t, const void *address)
{
    const CheckRequest *request = t->run->request;
    uint64_t bytes = (request->static_shared + 255) / 256 * 256 + request->dynamic_shared;
    bool shared = (uintptr_t)address - (uintptr_t)t->front.shared < bytes;

    return shared ? 1 + (uint64_t)t->block->number : 0;
}

static Log *find_log(Thread *t, const void *address, bool make)
{
    struct Releases *all = make ? get_releases(t->run) : t->run->releases;
    uint64_t owner = owner_of(t, address);

    if (!all)
        return NULL;
    Log **place = &all->places[((uintptr_t)address / 4 ^ (uintptr_t)address >> 16) % PLACES];
    for (Log *log = *place; log; log = log->next)
        if (log->address == address && log->owner == owner)
            return log;
    Log *log = make ? take(t->run, sizeof *log) : NULL;
    if (log) {
        log->address = address;
        log->owner = owner;
        log->next = *place;
        *place = log;
    }
    return log;
}

static Head *find_head(const Log *log, uint32_t block)
{
    uint32_t at = block * 2654435761u & (log->head_capacity - 1);

    while (log->heads[at].last && log->heads[at].block != block)
        at = (at + 1) & (log->head_capacity - 1);
    return &log->heads[at];
}

static bool grow_heads(Run *run, Log *log)
{
    if (4 * log->head_count < 3 * log->head_capacity)
        return true;
    Log bigger = { .head_capacity = log->head_capacity ? 2 * log->head_capacity : 8 };
    bigger.heads = memory_zeroed(bigger.head_capacity, sizeof *bigger.heads);
    if (!bigger.heads) {
        schedule_fail(run, KJIT_MEMORY);
        return false;
    }
    for (uint32_t i = 0; i < log->head_capacity; i++)
        if (log->heads[i].last)
            *find_head(&bigger, log->heads[i].block) = log->heads[i];
    memory_free(log->heads);
    log->heads = bigger.heads;
    log->head_capacity = bigger.head_capacity;
    return true;
}

static bool is_foreign(const View *view, const Log *log)
{
    return view && (view->count > 1 || view->seen[0].log != log);
}

/* Whether the log's last release says all that this one would. */
static bool repeats(const Log *log, const Release *release)
{
    if (!log->count || release->known)
        return false;
    const Release *last = &log->releases[log->count - 1];
    return last->block == release->block && last->thread == release->thread &&
           last->fence == release->fence && last->fence_barrier == release->fence_barrier &&
           last->near == release->near && last->near_barrier == release->near_barrier &&
           last->cut == release->cut && !is_foreign(release->view, log);
}

static void append(Run *run, Log *log, Release release)
{
    if (repeats(log, &release) ||
        !grow(run, (void **)&log->releases, log->count, &log->capacity, sizeof *log->releases) ||
        !grow(run, (void **)&log->foreign, log->foreign_count, &log->foreign_capacity,
              sizeof *log->foreign) ||
        !grow_heads(run, log))
        return;
    Head *head = find_head(log, release.block);
    log->head_count += !head->last;
    release.previous = head->last;
    if (is_foreign(release.view, log))
        log->foreign[log->foreign_count++] = log->count;
    log->releases[log->count++] = release;
    *head = (Head){ release.block, log->count };
}

/* ---- what threads do ------------------------------------------------------------------------- */

void release_fence(Thread *t, int scope)
{
    t->near = 1 + order_time(t);
    t->near_barrier = t->block->barrier;
    if (scope != CHECK_FENCE_BLOCK) {
        t->fence = t->near;
        t->fence_barrier = t->near_barrier;
        t->block->fenced = true;
    }
    order_tick(t);
}

static const uint32_t *copy_known(Thread *t)
{
    const Warp *warp = t->warp;

    if (!warp->known || warp->known_barrier != t->block->barrier)
        return NULL;
    uint32_t *copy = take(t->run, sizeof *warp->known);
    return copy ? memcpy(copy, warp->known[t->index % 32], sizeof *warp->known) : NULL;
}

void release_atomic(Thread *t, const void *address, int access)
{
    bool releases = access & CHECK_WRITE && (t->near || t->block->cut);

    if (!releases && !t->run->releases)
        return;
    Log *log = find_log(t, address, releases);
    if (!log)
        return;
    t->view = add_seen(t->run, t->view, log, log->count);
    if (releases)
        append(t->run, log,
               (Release){ .block = t->block->number,
                          .thread = (uint32_t)t->index,
                          .fence = t->fence,
                          .fence_barrier = t->fence_barrier,
                          .near = t->near,
                          .near_barrier = t->near_barrier,
                          .known_barrier = t->block->barrier,
                          .known = copy_known(t),
                          .cut = t->block->cut,
                          .view = t->view });
}

bool release_is_place(Thread *t, const void *address)
{
    return find_log(t, address, false);
}

/* What the threads have fenced goes on with any of them. */
static void cut_fences(Run *run, CheckBlock *block)
{
    size_t item = sizeof block->cut->upto[0];
    FenceCut *cut = take(run, (size_t)block->count * item);

    block->fenced = false;
    if (!cut)
        return;
    for (int i = 0; i < block->count; i++) {
        cut->upto[i].barrier = block->threads[i].fence_barrier;
        cut->upto[i].time = block->threads[i].fence;
    }
    block->cut = cut;
}

void release_barrier(Run *run, CheckBlock *block)
{
    const View *all = NULL;

    if (block->fenced)
        cut_fences(run, block);
    if (!run->releases)
        return;
    for (int i = 0; i < block->count; i++)
        all = join(run, all, block->threads[i].view);
    for (int i = 0; i < block->count; i++)
        block->threads[i].view = all;
}

void release_warp(CheckBlock *block, uint32_t warp, uint32_t lanes)
{
    Thread *first = block->threads + 32 * warp;
    Run *run = first->run;
    const View *all = NULL;

    if (!run->releases)
        return;
    for (uint32_t left = lanes; left; left &= left - 1)
        all = join(run, all, first[__builtin_ctz(left)].view);
    for (uint32_t left = lanes; left; left &= left - 1)
        first[__builtin_ctz(left)].view = all;
}

/* ---- the question ---------------------------------------------------------------------------- */

/* An access that may be before the thread that asks. */
typedef struct Query {
    uint32_t block, thread, barrier, time;
    uint32_t asker; /* its block */
} Query;

/* Whether a fence at `time` of the phase after `barrier` barriers is behind it. */
static bool fenced(const Query *query, uint32_t thread, uint32_t barrier, uint32_t time)
{
    return time && (query->barrier < barrier ||
                    (query->barrier == barrier && query->thread == thread && query->time < time));
}

static bool is_released(const Query *query, const Release *release)
{
    bool near = release->near && query->asker == release->block;
    uint32_t other = query->thread;

    if (fenced(query, release->thread, release->fence_barrier, release->fence) ||
        (near && fenced(query, release->thread, release->near_barrier, release->near)))
        return true;
    if (release->known && (near || release->fence) && other / 32 == release->thread / 32 &&
        query->barrier == release->known_barrier && release->known[other % 32] > query->time)
        return true;
    return release->cut &&
           fenced(query, other, release->cut->upto[other].barrier, release->cut->upto[other].time);
}

/* Whether one of the first `upto` releases of a log tells of it. */
static bool search_log(const Log *log, uint32_t upto, const Query *query)
{
    if (!log->head_capacity)
        return false;
    for (uint32_t at = find_head(log, query->block)->last; at; at = log->releases[at - 1].previous)
        if (at <= upto && is_released(query, &log->releases[at - 1]))
            return true;
    return false;
}

static void push_view(Run *run, const View *view)
{
    struct Releases *all = run->releases;

    for (int i = 0; view && i < view->count; i++) {
        if (all->todo_count == all->todo_capacity) {
            size_t capacity = all->todo_capacity ? 2 * all->todo_capacity : 64;
            Seen *more = memory_resize(all->todo, capacity * sizeof *more);
            if (!more) {
                schedule_fail(run, KJIT_MEMORY);
                return;
            }
            all->todo = more;
            all->todo_capacity = capacity;
        }
        all->todo[all->todo_count++] = view->seen[i];
    }
}

/* The views of releases in [from, upto) that a thread of the asker's block can rely on. */
static void push_foreign(Run *run, const Log *log, uint32_t from, uint32_t upto, uint32_t asker)
{
    uint32_t low = 0, high = log->foreign_count;

    while (low < high) { /* numbers ascend */
        uint32_t middle = (low + high) / 2;
        if (log->foreign[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low; i < log->foreign_count && log->foreign[i] < upto; i++) {
        const Release *release = &log->releases[log->foreign[i]];
        if (release->fence || release->cut || release->block == asker)
            push_view(run, release->view);
    }
}

bool release_before(const Thread *t, uint64_t record)
{
    Run *run = t->run;
    struct Releases *all = run->releases;
    const Phase *phase = &run->phases[rec_phase(record) - run->phase_base];
    const Query query = { phase->block, (uint32_t)rec_thread(record), phase->barrier,
                          phase->ext * CLOCKS + rec_clock(record), t->block->number };

    all->visit++;
    all->todo_count = 0;
    push_view(run, t->view);
    while (all->todo_count) {
        Seen seen = all->todo[--all->todo_count];
        uint32_t from = seen.log->visit == all->visit ? seen.log->visited : 0;
        if (from >= seen.upto)
            continue;
        if (search_log(seen.log, seen.upto, &query))
            return true;
        seen.log->visit = all->visit;
        seen.log->visited = seen.upto;
        push_foreign(run, seen.log, from, seen.upto, query.asker);
    }
    return false;
}

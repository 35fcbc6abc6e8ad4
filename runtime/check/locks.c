/* Deadlocks by locks that threads take in different orders.
**
** A thread holds a lock from an exchange, or compare and swap, that changes an integer, until it
** restores the integer. A lock taken while another is held gives an edge of the lock graph
** (Goodlock, Havelund, SPIN 2000). A cycle in it may be harmless: a barrier, a third lock, or a
** mere try of the second lock can prevent the deadlock. So the kernel runs again, and a thread that
** holds a lock of the cycle is held back before it takes the next, until there is such a thread for
** each edge, or nothing else can run (DeadlockFuzzer, Joshi et al., PLDI 2009). A deadlock is
** reported only if they then wait for ever. */
#include "runtime/check/run.h"

enum {
    HELD = 8,
    INNER = 8
};                             /* limits: locks of a thread; locks taken while one is
                                              held */
enum { EDGES_MOST = 1 << 14 }; /* of edges of the graph */
enum {
    RESUMED_MOST = 64,
    ALIKE_MOST = 2
}; /* limits: resumptions of threads held back in a run;
                                              cycles of the same lines */

/* An edge of the lock graph, by keys of locks. */
typedef struct LockEdge {
    uint64_t from, to;
    uint64_t line; /* where `to` was taken */
} LockEdge;

struct Locks {
    LockEdge *edges; /* sorted and unique up to the last tidy(), then unsorted */
    size_t count, capacity;
    bool full; /* no more edges are added */
};

typedef struct InnerLock {
    uint64_t key;
    int site;
} InnerLock;

typedef struct HeldLock {
    const void *address;
    uint64_t key; /* its address; for shared memory, block and offset */
    uint64_t before, after;
    uint32_t bytes;
    int inner_count;
    InnerLock inner[INNER];
} HeldLock;

struct ThreadLocks {
    int count;
    bool held_back;   /* it was held back since its locks last changed */
    const void *next; /* address of its last atomic operation while it held a lock */
    int site;
    HeldLock locks[HELD]; /* oldest first */
};

/* ---- locks that are held --------------------------------------------------------------------- */

void locks_reset(Thread *t)
{
    if (t->held)
        t->held->count = 0;
}

static uint64_t key_of(const Thread *t, const void *address)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)t->block->shared;

    if (find_is_shared(t->run, t->block, address))
        return 1ull << 63 | (uint64_t)t->block->number << 24 | offset;
    return (uintptr_t)address;
}

/* Whether the lock still has the value that the thread set. */
static bool is_held(const HeldLock *lock)
{
    uint64_t now = 0;

    memcpy(&now, lock->address, lock->bytes);
    return now == lock->after;
}

static HeldLock *find_lock(const Thread *t, const void *address)
{
    for (int i = 0; t->held && i < t->held->count; i++)
        if (t->held->locks[i].address == address)
            return &t->held->locks[i];
    return NULL;
}

static void drop_lock(struct ThreadLocks *held, HeldLock *lock)
{
    held->count--;
    memmove(lock, lock + 1, (size_t)(held->locks + held->count - lock) * sizeof *lock);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static int by_locks(const void *a, const void *b)
{
    const LockEdge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Sorts the edges and removes duplicates. */
static void tidy(struct Locks *locks)
{
    size_t kept = 0;

    if (locks->count)
        qsort(locks->edges, locks->count, sizeof *locks->edges, by_locks);
    for (size_t i = 0; i < locks->count; i++)
        if (!kept || by_locks(&locks->edges[kept - 1], &locks->edges[i]) != 0)
            locks->edges[kept++] = locks->edges[i];
    locks->count = kept;
}

static bool make_room(struct Locks *locks)
{
    if (locks->count < locks->capacity)
        return true;
    if (locks->full)
        return false;
    tidy(locks);
    if (2 * locks->count < locks->capacity)
        return true;
    size_t capacity = locks->capacity ? 2 * locks->capacity : 256;
    LockEdge *more =
        capacity <= EDGES_MOST ? memory_resize(locks->edges, capacity * sizeof *more) : NULL;
    locks->full = !more;
    if (!more)
        return locks->count < locks->capacity;
    locks->edges = more;
    locks->capacity = capacity;
    return true;
}

static void add_edges(CheckRun *run, const HeldLock *lock)
{
    if (lock->inner_count && !run->locks)
        run->locks = memory_zeroed(1, sizeof *run->locks);
    for (int i = 0; i < lock->inner_count && run->locks && make_room(run->locks); i++)
        run->locks->edges[run->locks->count++] =
            (LockEdge){ lock->key, lock->inner[i].key, run->sites[lock->inner[i].site].line };
}

void locks_close(CheckRun *run)
{
    if (run->locks)
        memory_free(run->locks->edges);
    memory_free(run->locks);
    run->locks = NULL;
}

static void take_lock(Thread *t, HeldLock lock)
{
    struct ThreadLocks *held = t->held;

    for (int i = 0; i < held->count; i++) {
        HeldLock *outer = &held->locks[i];
        if (outer->inner_count < INNER && is_held(outer))
            outer->inner[outer->inner_count++] = (InnerLock){ lock.key, t->front.site };
    }
    if (held->count == HELD)
        drop_lock(held, held->locks);
    held->locks[held->count++] = lock;
}

void locks_swapped(KjitCheck *c, const void *address, uint32_t bytes, uint64_t before,
                   uint64_t after)
{
    Thread *t = (Thread *)c;
    HeldLock *lock = find_lock(t, address);

    if (!in_region(address))
        return;
    if (!t->held)
        t->held = memory_zeroed(1, sizeof *t->held);
    if (!t->held)
        return;
    t->held->held_back = false;
    if (!lock) {
        take_lock(t,
                  (HeldLock){ address, key_of(t, address), before, after, bytes, 0, { { 0, 0 } } });
    } else if (after == lock->before) {
        add_edges(t->run, lock);
        drop_lock(t->held, lock);
    } else {
        lock->after = after;
    }
}

/* ---- cycles --------------------------------------------------------------------------------- */

/* A breadth-first search of the graph. */
typedef struct CycleSearch {
    const LockEdge *edges;
    size_t count;
    int32_t *reached; /* per edge: 1 + the edge it was reached from, 0: not reached; the first
                         edge has itself */
    int32_t *queue;
} CycleSearch;

/* The first edge from a lock. */
static size_t first_from(const CycleSearch *search, uint64_t from)
{
    size_t low = 0, high = search->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (search->edges[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The edge that leads back to the origin of the first; -1: there is none. */
static int32_t find_way_back(CycleSearch *search, int32_t first)
{
    const LockEdge *edges = search->edges;
    size_t head = 0, tail = 0;

    memset(search->reached, 0, search->count * sizeof *search->reached);
    search->reached[first] = 1 + first;
    search->queue[tail++] = first;
    while (head < tail) {
        int32_t at = search->queue[head++];
        if (edges[at].to == edges[first].from)
            return at;
        for (size_t i = first_from(search, edges[at].to);
             i < search->count && edges[i].from == edges[at].to; i++)
            if (!search->reached[i]) {
                search->reached[i] = 1 + at;
                search->queue[tail++] = (int32_t)i;
            }
    }
    return -1;
}

/* The cycle that is closed by edge `last`, rotated to begin at its least line; empty if it is too
** long. */
static LockCycle cycle_to(const CycleSearch *search, int32_t first, int32_t last)
{
    LockCycle found = { 0 }, rotated;
    int least = 0;

    for (int32_t at = last;; at = search->reached[at] - 1) {
        if (found.count == CYCLE_LOCKS)
            return (LockCycle){ 0 };
        found.keys[found.count] = search->edges[at].from;
        found.lines[found.count++] = search->edges[at].line;
        if (at == first)
            break;
    }
    for (int i = 1; i < found.count; i++)
        if (found.lines[i] < found.lines[least])
            least = i;
    rotated.count = found.count;
    for (int i = 0; i < found.count; i++) { /* the path is found backwards */
        int k = (least - i + found.count) % found.count;
        rotated.keys[i] = found.keys[k];
        rotated.lines[i] = found.lines[k];
    }
    return rotated;
}

static bool same_lines(const LockCycle *a, const LockCycle *b)
{
    return a->count == b->count && !memcmp(a->lines, b->lines, (size_t)a->count * sizeof *a->lines);
}

static void add_cycle(LockCycles *cycles, const LockCycle *cycle)
{
    int alike = 0;

    for (int i = 0; i < cycles->count; i++)
        alike += same_lines(&cycles->list[i], cycle);
    if (cycle->count > 1 && alike < ALIKE_MOST && cycles->count < CYCLES)
        cycles->list[cycles->count++] = *cycle;
}

/* Finds the shortest cycle through each edge, once: from the least edge of each. */
static void search_cycles(CycleSearch *search, LockCycles *cycles)
{
    enum { LOOKS = 1 << 26 };
    size_t most = LOOKS / (search->count + 1);

    for (size_t i = 0; i < search->count && i < most && cycles->count < CYCLES; i++) {
        int32_t last = find_way_back(search, (int32_t)i), least = last;
        if (last < 0)
            continue;
        for (int32_t at = last; at != (int32_t)i; at = search->reached[at] - 1)
            least = at < least ? at : least;
        LockCycle cycle = cycle_to(search, (int32_t)i, last);
        if (least >= (int32_t)i)
            add_cycle(cycles, &cycle);
    }
}

void locks_find_cycles(const CheckRun *run, LockCycles *cycles)
{
    if (!run->locks)
        return;
    tidy(run->locks);
    CycleSearch search = { .edges = run->locks->edges, .count = run->locks->count };
    search.reached = memory_alloc(search.count * sizeof *search.reached);
    search.queue = memory_alloc(search.count * sizeof *search.queue);
    if (search.reached && search.queue)
        search_cycles(&search, cycles);
    memory_free(search.reached);
    memory_free(search.queue);
}

/* ---- the run that provokes a cycle ----------------------------------------------------------- */

bool locks_resume(CheckRun *run)
{
    bool any = false;

    for (int i = 0; run->cycle && i < run->cycle->count; i++) {
        if (!run->held_back[i])
            continue;
        schedule_unpark(run->held_back[i]);
        run->held_back[i] = NULL;
        any = true;
    }
    run->resumed += any;
    return any;
}

/* The edge of the cycle that a thread is about to add; -1: none. */
static int edge_of(const Thread *t, const void *address)
{
    const LockCycle *cycle = t->run->cycle;
    uint64_t key = key_of(t, address);

    for (int i = 0; i < cycle->count; i++) {
        if (cycle->keys[(i + 1) % cycle->count] != key)
            continue;
        for (int k = 0; k < t->held->count; k++)
            if (t->held->locks[k].key == cycle->keys[i] && is_held(&t->held->locks[k]))
                return i;
    }
    return -1;
}

static bool all_are_held_back(const CheckRun *run)
{
    for (int i = 0; i < run->cycle->count; i++)
        if (!run->held_back[i])
            return false;
    return true;
}

void locks_before_atomic(Thread *t, int site, const void *address)
{
    CheckRun *run = t->run;

    if (!t->held->count)
        return;
    t->held->next = address;
    t->held->site = site;
    if (!run->cycle || t->held->held_back || run->resumed == RESUMED_MOST)
        return;
    int edge = edge_of(t, address);
    if (edge < 0 || run->held_back[edge])
        return;
    t->held->held_back = true;
    run->held_back[edge] = t;
    if (all_are_held_back(run)) {
        run->held_back[edge] = NULL;
        locks_resume(run);
    } else {
        schedule_park(t);
    }
}

/* ---- the deadlock ---------------------------------------------------------------------------- */

static bool waits_for_lock(const Thread *t)
{
    return t->state == RUNNABLE && t->spinning && t->held && t->held->count && t->held->next;
}

/* The thread that holds the lock another waits for, or NULL. */
static const Thread *holder_for(const CheckRun *run, const Thread *t)
{
    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++) {
            const Thread *other = &run->blocks[i]->threads[k];
            const HeldLock *lock =
                other == t || !waits_for_lock(other) ? NULL : find_lock(other, t->held->next);
            if (lock && is_held(lock))
                return other;
        }
    return NULL;
}

/* The cycle of waiting threads that is reached from one; how many they are. */
static int find_waiting(const CheckRun *run, const Thread *t, const Thread **waiting)
{
    int count = 0;

    for (; t; t = holder_for(run, t)) {
        for (int i = 0; i < count; i++)
            if (waiting[i] == t) {
                memmove(waiting, waiting + i, (size_t)(count - i) * sizeof(const Thread *));
                return count - i;
            }
        if (count == CYCLE_LOCKS)
            return 0;
        waiting[count++] = t;
    }
    return 0;
}

/* "locks[0] and waits for locks[1]". */
static void put_wait(const CheckRun *run, const Thread *t, const Thread *before, char *out,
                     size_t size)
{
    char has[CHECK_ELEMENT], wants[CHECK_ELEMENT];

    find_element(run, t->block, before->held->site, before->held->next, has);
    find_element(run, t->block, t->held->site, t->held->next, wants);
    snprintf(out, size, "%.48s and waits for %.48s", has, wants);
}

static void report_waiting(CheckRun *run, const Thread **waiting, int count)
{
    const Thread *at = waiting[0], *other = waiting[1];
    CheckFinding *found = find_add(run, FOUND_DEADLOCK, at->held->site, other->held->site);
    char one[CHECK_MESSAGE / 2], two[CHECK_MESSAGE / 2];

    if (!found)
        return;
    found->at = find_event(at, at->held->site, 0);
    found->other = find_event(other, other->held->site, 0);
    put_wait(run, at, waiting[count - 1], one, sizeof one);
    put_wait(run, other, at, two, sizeof two);
    if (count == 2)
        snprintf(found->message, sizeof found->message,
                 "two threads take locks in opposite orders: one has %.80s, the other has %.80s",
                 one, two);
    else
        snprintf(found->message, sizeof found->message,
                 "%d threads take locks in a cycle: one has %.80s, another has %.80s", count, one,
                 two);
    snprintf(found->note, sizeof found->note,
             "take locks in one order everywhere, as that of their indices, or give back what is "
             "held before waiting");
}

bool locks_report(CheckRun *run)
{
    const Thread *waiting[CYCLE_LOCKS];

    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++) {
            const Thread *t = &run->blocks[i]->threads[k];
            int count = waits_for_lock(t) ? find_waiting(run, t, waiting) : 0;
            if (count < 2)
                continue;
            report_waiting(run, waiting, count);
            return true;
        }
    return false;
}

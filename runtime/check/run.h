/* What the files of the checker say to one another. */
#ifndef KJIT_CHECK_RUN_H
#define KJIT_CHECK_RUN_H

#include "runtime/check/check.h"
#include "runtime/fiber.h"

#define CHECK_FAST(condition) __builtin_expect(!!(condition), 1)

typedef struct Run Run;
typedef struct Thread Thread;
typedef struct Warp Warp;
typedef struct CheckBlock CheckBlock;

/* ---- records -------------------------------------------------------------------------------- */

/* One access, in the shadow of what it touched:
**     phase 26 bits | thread of its block 10 | clock 8 | site 17 | REC_ flags 3
** A phase is a block between two of its barriers; the clock counts, within it, what else orders a
** thread with others. Phase 0 is what was before the launch. */
enum { REC_THERE = 1, REC_ATOMIC = 2, REC_BYTES = 4 };
enum { REC_SITE = 3, REC_CLOCK = 20, REC_THREAD = 28, REC_WARP = 33, REC_PHASE = 38 };
enum { CLOCKS = 256, PHASE_MAX = 1 << 26, SITE_MAX = (1 << 17) - 1 };

static inline uint32_t rec_phase(uint64_t record)
{
    return (uint32_t)(record >> REC_PHASE);
}

static inline int rec_thread(uint64_t record)
{
    return (int)(record >> REC_THREAD) & 1023;
}

static inline uint32_t rec_clock(uint64_t record)
{
    return (uint32_t)(record >> REC_CLOCK) & (CLOCKS - 1);
}

static inline int rec_site(uint64_t record)
{
    return (int)(record >> REC_SITE) & SITE_MAX;
}

/* Marks of words, in the plane behind their records, of reads that would leave nothing new there:
** of any thread, where the phase is the first that is not over; of threads of the phase; of those
** of the warp, at the clock. They are no records: those are there (REC_THERE). */
enum { MARK_ALL = 2, MARK_BLOCK = 4, MARK_WARP = 6 };

/* ---- threads -------------------------------------------------------------------------------- */

typedef enum ThreadState { TO_START, RUNNABLE, AT_BARRIER, AT_WARP, AT_GRID, ENDED } ThreadState;

/* What a thread has acquired; all that was before its last fence, of the device or of the block. */
enum { ACQUIRED, FENCED, FENCED_NEAR, PASTS };

struct Thread {      /* what each thread needs, however short it is, comes first */
    KjitCheck front; /* what the kernel sees */
    uint64_t tag;    /* of its records: all but site and flags */
    Run *run;
    CheckBlock *block;
    Warp *warp;
    Fiber *fiber;         /* while it has started and not ended */
    uint32_t since, span; /* the phases that the block passed just before this one, and how many */
    int32_t index;        /* in its block */
    ThreadState state;
    uint32_t ext;             /* clocks of this phase that did not fit, in CLOCKS */
    struct Past *past[PASTS]; /* what is before it and what it releases: release.c */
    int32_t granted;          /* the last budget */
    uint32_t unprobed;        /* calls since the last probe */
    uint64_t calls;           /* all of them, but for the last budget */
    bool probing, spinning;
    struct Held *held;       /* locks: locks.c; NULL until it took one */
    struct Probe *probe;     /* of the thread, if it ever took long */
    struct Wrap *wraps;      /* by bits of front.wraps: index.c; NULL until one is set */
    struct Unheard *unheard; /* what shuffles had of absent lanes, or NULL: lanes.c */
    int kind;                /* of what it waits at */
    uint32_t mask;           /* of a warp operation */
    int32_t argument;
    int64_t value;   /* what it says */
    uint64_t answer; /* and hears */
};

/* What a thread touches that seems to spin. */
enum { PROBED = 16 };

typedef struct Probe {
    int count;
    bool changed; /* it is not spinning */
    bool waits;   /* it does what those do that wait: atomic operations, or to meet others */
    struct {
        const void *address;
        uint64_t content;
        uint32_t bytes;
    } seen[PROBED];
} Probe;

struct Warp {
    uint32_t there;         /* lanes that have not ended */
    uint32_t blocked;       /* of these, those that wait for something */
    uint32_t waiting;       /* of these, those at a warp operation */
    uint32_t (*known)[32];  /* [lane][other]: 1 + the last time of the other's that is before what
                               the lane does now; NULL until a warp operation */
    uint32_t known_barrier; /* the phase it is about */
    struct WarpLog *log;    /* for advice; NULL if it is not looked at */
};

struct CheckBlock {
    uint32_t number; /* of the grid's, linear */
    int32_t place[3];
    int count, live, to_start; /* threads */
    int arrived, agreed;       /* of those, at the barrier; said other than 0 there */
    int at_grid;
    uint32_t phase, since, /* its phase, and the first since which there were no others' */
        barrier;           /* the barriers it has passed */
    uint64_t turn, step;   /* the order in which its threads start */
    Thread *threads;
    Warp *warps;
    char *shared;
    bool atomics;          /* one of its threads has done an atomic operation on global memory */
    Thread *first, *stray; /* at the barrier: who came first, and one that is at another */
    CheckBlock *next;      /* among those with threads to start, or those to be used again */
    int slot;              /* in Run.blocks */
};

/* What there is to know of a phase. */
typedef struct Phase {
    uint32_t block, barrier;
    uint32_t ext;
} Phase;

/* A place of the source, ready to be compared. */
typedef struct SiteKey {
    uint64_t line; /* the same for sites on one line */
    uint64_t span; /* for sites at one place */
    uint32_t low;  /* bits that an address must not have */
} SiteKey;

enum { CIRCLE = 6, CIRCLES = 8 }; /* locks of a circle, and circles, that are looked at */

struct Run {
    const CheckRequest *request;
    CheckReport *report;
    KjitCheckOps ops, watching; /* of threads, and of those being probed */
    kjit_status status;
    bool stop;
    Fiber host;
    SiteKey *sites;
    /* schedule */
    uint64_t random;
    uint64_t grid_count, next_block, block_turn, block_step;
    int block_threads;
    CheckBlock *starting, **starting_end; /* with threads to start */
    CheckBlock **blocks;                  /* that have not ended */
    int block_count, block_capacity;
    CheckBlock *idle;
    Thread **queue; /* a ring of those that can go on; the capacity is a power of 2 */
    size_t queue_head, queue_count, queue_capacity;
    uint64_t live, spinning; /* threads; of those in the queue */
    uint64_t looks;          /* probes of spinning threads since something last changed */
    uint64_t calm;           /* the same, those that look like waiting counted more */
    uint64_t ended_blocks;
    uint64_t at_grid; /* threads */
    Thread *current;
    /* order */
    Phase *phases; /* by number, from base on */
    uint32_t phase_base, phase_count, phase_capacity;
    uint32_t streak;           /* the first phase from which on all are of one block */
    uint32_t before;           /* phases under it are before all that happens now */
    struct Releases *releases; /* NULL until some thread has fenced */
    struct Locks *locks;       /* NULL until a thread has given one back, while it held others */
    const struct LockCircle *circle; /* whose threads are to get in each other's way, or NULL */
    Thread *kept[CIRCLE];            /* those that are kept from the lock behind theirs */
    int let_go;                      /* how often they were let go */
    uint32_t stored_wraps;           /* bits of what was cut for arrays */
    struct Wrap *wraps;              /* by these bits */
    struct Endless *endless;         /* of a thread that may be; NULL until there is one */
    /* findings */
    struct FindTable *found;
    void *scratch;
    size_t scratch_bytes;
    struct Advice *advice;
};

/* A block's shared memory: static arrays, from here on the dynamic one; all of it. */
static inline uint64_t shared_dynamic(const CheckRequest *request)
{
    enum { ALIGNMENT = 256 };

    return (request->static_shared + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static inline uint64_t shared_bytes(const CheckRequest *request)
{
    return shared_dynamic(request) + request->dynamic_shared;
}

/* ---- memory.c ------------------------------------------------------------------------------- */

/* All memory that kernels reach: bytes [base, base + size), half for arrays, half for stacks. The
** shadow of each aligned word of four bytes is eight records. They lie in as many planes, so that
** what most words need, the first one or two, lies together, and pages of the others are never
** touched. Nothing is zero. A word that is only touched as a whole needs four, and a mark. */
typedef struct CheckRegion {
    uintptr_t base;
    uint64_t size;
    char *shadow;      /* the first plane */
    uint64_t stride;   /* bytes from a plane to the next */
    uint64_t *written; /* a bit for each 256 bytes that the host wrote as a whole */
} CheckRegion;

enum { PLANES = 8, MARK_PLANE = 4 };

extern CheckRegion check_region;

static inline bool in_region(const void *address)
{
    return (uintptr_t)address - check_region.base < check_region.size;
}

/* The first record of a word, of which this is the address, or that of a byte of it. */
static inline uint64_t *shadow_of(const void *address)
{
    return (uint64_t *)check_region.shadow + ((uintptr_t)address - check_region.base) / 4;
}

/* The record `k` planes on. */
static inline uint64_t *shadow_plane(uint64_t *record, int k)
{
    return (uint64_t *)((char *)record + (uint64_t)k * check_region.stride);
}

static inline bool host_wrote(const void *address)
{
    uint64_t granule = ((uintptr_t)address - check_region.base) / 256;

    return check_region.written[granule / 64] >> granule % 64 & 1;
}

bool check_memory_open(void);
/* Fibers with stacks in the region, of bytes that nobody else has; NULL without memory. */
Fiber *check_stack_get(void);
void check_stack_put(Fiber *fiber);
/* After a run: gives back what a large one needed. */
void check_stacks_trim(void);
bool is_stack(const void *address);
/* These bytes have not been written. */
void check_memory_forget(void *memory, uint64_t bytes);
/* All records are of what is long over. */
void check_memory_age(void);

/* ---- shadow.c ------------------------------------------------------------------------------- */

void *shadow_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
void *shadow_read(KjitCheck *c, int site, void *address);
void *shadow_write(KjitCheck *c, int site, void *address);
/* The same, and notes what a thread that seems to spin looks at. */
void *shadow_watch(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
/* Whether a probe looked at few places, which did not change. */
bool shadow_spins(const Probe *probe);
void shadow_local(KjitCheck *c, int site, void *address, uint64_t bytes);
void shadow_given(KjitCheck *c, void *address, uint64_t bytes);
/* Has the four bytes of a word tell their own stories: shadow.c. */
void shadow_split(uint64_t *first);
/* Bytes for an access that must not happen. */
void *shadow_scratch(Run *run, uint32_t bytes);

/* ---- order.c -------------------------------------------------------------------------------- */

void order_open(Run *run);
void order_close(Run *run);
/* Whether a record of another thread or phase is before what the thread does now. */
bool order_before(const Thread *t, uint64_t record);
/* The block that a record is of; UINT32_MAX if it is before all that happens now. */
uint32_t order_block(const Run *run, uint64_t record);
/* Another phase begins for the block. */
void order_phase(Run *run, CheckBlock *block);
/* Sets the tags of a thread to a phase, or to the block's. */
static inline void order_tag(Thread *t, uint32_t phase)
{
    uint64_t *told = t->front.told;

    t->tag = (uint64_t)phase << REC_PHASE | (uint64_t)t->index << REC_THREAD;
    told[CHECK_TOLD_ALL] = (uint64_t)t->run->before << REC_PHASE | MARK_ALL;
    told[CHECK_TOLD_BLOCK] = (uint64_t)phase << REC_PHASE | MARK_BLOCK;
    told[CHECK_TOLD_WARP] = t->tag >> REC_WARP << REC_WARP | MARK_WARP;
}

static inline void order_enter(Thread *t)
{
    t->ext = 0;
    t->since = t->block->since;
    t->span = t->block->phase - t->since;
    order_tag(t, t->block->phase);
}

/* What the thread did so far can be told from what it does next. */
void order_tick(Thread *t);
/* Lanes of a warp have met. */
void order_warp(CheckBlock *block, Warp *warp, uint32_t lanes);
/* All blocks have. */
void order_grid(Run *run);
/* All threads of the block that have not ended are at a barrier; they are to enter what is next. */
void order_barrier(Run *run, CheckBlock *block);
static inline uint32_t order_time(const Thread *t)
{
    return t->ext * CLOCKS + rec_clock(t->tag);
}

/* ---- release.c ------------------------------------------------------------------------------ */

/* A thread begins. */
void release_reset(Thread *t);
void release_fence(Thread *t, int scope);
/* An atomic operation: hands on what was fenced, and takes up what others did. */
void release_atomic(Thread *t, const void *address, int access);
/* Whether a thread has released anything there. */
bool release_is_place(Thread *t, const void *address);
bool release_before(const Thread *t, uint64_t record);
void release_barrier(Run *run, CheckBlock *block);
void release_warp(CheckBlock *block, uint32_t warp, uint32_t lanes);
void release_close(Run *run);

/* ---- schedule.c ----------------------------------------------------------------------------- */

kjit_status schedule_run(Run *run);
void schedule_close(Run *run);
/* Ends the run at once. */
void schedule_fail(Run *run, kjit_status status);
/* The thread cannot go on; schedule_leave() gives the turn to others, until it can. */
void schedule_block(Thread *t, ThreadState state);
void schedule_leave(Thread *t);
/* It can. */
void schedule_ready(Thread *t);
/* Others have a turn, if any can go on. */
void schedule_yield(Thread *t);
/* The thread has no turn until it is let go. */
void schedule_park(Thread *t);
void schedule_unpark(Thread *t);
/* Something has changed: who spins is to look again. */
void schedule_stir(Run *run);
void schedule_end(KjitCheck *c);
uint64_t schedule_random(Run *run);

/* ---- slice.c -------------------------------------------------------------------------------- */

/* A thread has used up its turn. */
void schedule_slice(Thread *t);
/* A thread has its turn. */
void slice_begin(Thread *t);
/* Whether a thread's accesses are all said, and looked at. */
void slice_watch(Thread *t, bool probing);
/* Whether so many threads, all that can go on, have been seen to spin for long enough. */
bool slice_is_calm(const Run *run, uint64_t threads);

static inline void schedule_count(Thread *t)
{
    if (!CHECK_FAST(--t->front.budget >= 0))
        schedule_slice(t);
}

/* ---- meet.c --------------------------------------------------------------------------------- */

int64_t meet_barrier(KjitCheck *c, int site, int kind, int64_t value);
uint64_t meet_warp(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value,
                   int32_t argument, int32_t width);
void meet_grid(KjitCheck *c, int site);
/* A thread has ended: those go on that waited for it alone. */
void meet_end(Thread *t);
/* No thread can go on but by spinning: lanes that ask who is there hear it. Whether any did. */
bool meet_active(Run *run);

/* ---- index.c -------------------------------------------------------------------------------- */

/* As KjitCheckOps.cut and .used. */
void index_cut(KjitCheck *c, int site, int number, bool stored, bool data, int64_t a, int bits);
void index_used(KjitCheck *c, int site, uint32_t whole, uint32_t part, int64_t extent);
/* What goes into an index has wrapped, and that was told. */
void index_wrapped(Thread *t, int site);

/* ---- lanes.c -------------------------------------------------------------------------------- */

/* What a mask is wrong with, by itself; mends it so that it names the lane itself. */
void lanes_check_mask(Thread *t);
/* Lanes that t's mask names have ended. */
void lanes_report_ended(Thread *t, uint32_t lanes);
/* Lanes that t waits for will not come; whether one of them is at the same place. */
void lanes_report_absent(Thread *t, uint32_t lanes, bool meet);
/* A shuffle reads a lane that is not there, or not in the mask. */
void lanes_unheard(Thread *t, int source);
/* As KjitCheckOps.heard. */
void lanes_heard(KjitCheck *c, int from, int to);

/* ---- locks.c -------------------------------------------------------------------------------- */

/* Locks that threads took in a circle: each while they held the one before. */
typedef struct LockCircle {
    int count;
    uint64_t places[CIRCLE];
    uint64_t lines[CIRCLE]; /* where each was taken: SiteKey.line */
} LockCircle;
typedef struct LockCircles {
    int count;
    LockCircle list[CIRCLES];
} LockCircles;

void locks_close(Run *run);
/* The circles in the order in which the threads of a run took locks. */
void locks_find_circles(const Run *run, LockCircles *circles);
/* A thread begins. */
void locks_reset(Thread *t);
/* As KjitCheckOps.swapped. */
void locks_swapped(KjitCheck *c, const void *place, uint32_t bytes, uint64_t before,
                   uint64_t after);
/* The thread, which holds a lock, comes to an atomic operation. */
void locks_meet(Thread *t, int site, const void *place);
/* Lets threads go on that are kept from a lock; whether there were any. */
bool locks_let_go(Run *run);
/* Whether threads that wait for ever do so for one another's locks; then that is told. */
bool locks_report(Run *run);

/* ---- wait.c --------------------------------------------------------------------------------- */

/* Nothing can go on: says who waits for what. */
void wait_report(Run *run);

/* ---- endless.c ------------------------------------------------------------------------------ */

/* A thread begins. */
void endless_reset(Thread *t);
void endless_close(Run *run);
/* As KjitCheckOps.iteration. */
void endless_iteration(KjitCheck *c, int site);
/* The thread has used up a budget: ends the run if it has made too many calls. */
void endless_calls(Thread *t);

/* ---- overflow.c ----------------------------------------------------------------------------- */

void overflow_open(Run *run);
void overflow_close(void);

/* ---- advice.c ------------------------------------------------------------------------------- */

/* Where there is no memory for it, there is less advice. */
void advice_open(Run *run);
void advice_close(Run *run);
/* A block begins, ends, or is given up. */
void advice_begin(Run *run, CheckBlock *block);
void advice_end(Run *run, CheckBlock *block);
void advice_drop(Run *run, CheckBlock *block);
void advice_tell(Run *run);
void *advice_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
void advice_branch(KjitCheck *c, int site, int taken);

/* ---- report.c ------------------------------------------------------------------------------- */

bool find_open(Run *run);
void find_close(Run *run);
/* The finding to fill in, all of it zero but the rule, its sites and how often; NULL if it is
** known, and was counted, or there are too many. */
CheckFinding *find_add(Run *run, CheckRule rule, int site, int other);
/* The finding that find_add() knew; NULL if there were too many. */
CheckFinding *find_known(Run *run, CheckRule rule, int site, int other);
CheckPlace find_place(const Thread *t, int site, int access);
/* The place that a record tells of. */
CheckPlace find_recorded(const Run *run, uint64_t record, int access);
void find_unwritten(Thread *t, int site, const void *address, uint32_t bytes, int access);
void find_misaligned(Thread *t, int site, const void *address, uint32_t bytes, int access);
void *find_outside(KjitCheck *c, int site, int axis, int64_t index, int64_t extent, uint32_t bytes,
                   int access);
void find_wrong(KjitCheck *c, int site, int kind, int64_t a, int64_t b);
void find_fault(KjitCheck *c, int fault, const int64_t *integers, const double *floats);
/* Whether it is the block's shared memory. */
bool find_is_shared(const Run *run, const CheckBlock *block, const void *address);
/* "x[3, 5]", or "". `block` may be NULL: what it has is not looked through. */
void find_element(const Run *run, const CheckBlock *block, int site, const void *address,
                  char *out);

/* ---- race.c --------------------------------------------------------------------------------- */

/* An access and the one that a record tells of, which may only have read. */
void find_race(Thread *t, int site, const void *address, int access, uint64_t record, bool read);

#endif

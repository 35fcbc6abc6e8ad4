/* What the files of the checker share. Not for other folders. */
#pragma once

#include "runtime/check/check.h"
#include "runtime/fiber.h"

#define CHECK_FAST(condition) __builtin_expect(!!(condition), 1)

typedef struct CheckRun CheckRun;
typedef struct Thread Thread;
typedef struct Warp Warp;
typedef struct CheckBlock CheckBlock;

/* ---- records -------------------------------------------------------------------------------- */

/* One access, as recorded in shadow memory:
**     phase 26 bits | thread of its block 10 | clock 8 | site 17 | REC_ flags 3
** A phase is a block between two of its barriers; the clock counts the thread's other
** synchronisations within it. Phase 0 is before the launch. */
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

/* Marks of words, in the plane behind their records, by which reads are redundant: those of any
** thread, if the mark's phase is the first that is not over; of threads of the phase; of threads of
** the warp at that clock. They are no records, which have REC_THERE. */
enum { MARK_ALL = 2, MARK_BLOCK = 4, MARK_WARP = 6 };

/* ---- threads -------------------------------------------------------------------------------- */

typedef enum ThreadState { TO_START, RUNNABLE, AT_BARRIER, AT_WARP, AT_GRID, ENDED } ThreadState;

/* Vector clocks of a thread: what it has acquired; what was before its last fence, of the device or
** of the block. */
enum { ACQUIRED, FENCED, FENCED_BLOCK, CLOCK_KINDS };

struct Thread {      /* fields that every access uses come first */
    KjitCheck front; /* the part that the kernel sees */
    uint64_t tag;    /* of its records: all bits but site and flags */
    CheckRun *run;
    CheckBlock *block;
    Warp *warp;
    Fiber *fiber;         /* from start to end */
    uint32_t since, span; /* the block's phases immediately before this one: the first, and how
                             many */
    int32_t index;        /* in its block */
    ThreadState state;
    uint32_t ext; /* overflow of the clock in this phase, in units of CLOCKS */
    struct VectorClock *clock[CLOCK_KINDS]; /* release.c */
    int32_t granted;                        /* the last time slice, in calls */
    uint32_t unprobed;                      /* calls since the last probe */
    uint64_t calls;                         /* all of them, but for the last time slice */
    bool probing, spinning;
    bool failed;                      /* it ended by an assert or an exception */
    struct ThreadLocks *held;         /* locks.c; NULL until it took a lock */
    struct Probe *probe;              /* if it ever used up its time slice */
    struct Wrap *wraps;               /* by bits of front.wraps: index.c; NULL until one is set */
    struct UndefinedReads *undefined; /* undefined results of shuffles: lanes.c; or NULL */
    int kind;                         /* of the operation it waits at */
    uint32_t mask;                    /* of a warp operation */
    int32_t argument;
    int64_t value;   /* its operand */
    uint64_t answer; /* and result */
};

/* The memory that a thread accesses during a probe: it spins if nothing there changes. */
enum { PROBED = 16 };

typedef struct Probe {
    int count;
    bool changed; /* it is not spinning */
    bool waits;   /* it does atomic operations, or synchronises: probably it waits */
    struct {
        const void *address;
        uint64_t content;
        uint32_t bytes;
    } seen[PROBED];
} Probe;

struct Warp {
    uint32_t there;         /* mask of lanes that have not ended */
    uint32_t blocked;       /* of these, those that are blocked */
    uint32_t waiting;       /* of these, those at a warp operation */
    uint32_t (*known)[32];  /* [lane][other]: 1 + the last time of `other` that happens before
                               what `lane` does now; NULL until a warp operation */
    uint32_t known_barrier; /* the phase of `known` */
    struct WarpLog *log;    /* for advice; NULL: not sampled */
};

struct CheckBlock {
    uint32_t number; /* linear index in the grid */
    int32_t position[3];
    int count, live, to_start; /* threads */
    int arrived, agreed;       /* threads at the barrier; of these, with an operand other than 0 */
    int at_grid;
    uint32_t phase, since,      /* its phase, and the first of the consecutive phases up to it that
                              are all its own */
        barrier;                /* the number of barriers passed */
    uint64_t first_index, step; /* thread index = (start + k * step) % count */
    Thread *threads;
    Warp *warps;
    char *shared;
    bool atomics;          /* a thread of it has done an atomic operation on global memory */
    Thread *first, *stray; /* the first thread at the barrier, and one at another barrier */
    CheckBlock *next;      /* in `starting`, or in `idle` */
    int slot;              /* index in CheckRun.blocks */
};

/* A phase. */
typedef struct Phase {
    uint32_t block, barrier;
    uint32_t ext;
} Phase;

/* A source location, for comparison. */
typedef struct SiteKey {
    uint64_t line; /* equal for sites on one line */
    uint64_t span; /* equal for sites at one position */
    uint32_t low;  /* alignment - 1 */
} SiteKey;

enum { CYCLE_LOCKS = 6, CYCLES = 8 }; /* limits: locks in a cycle, and cycles */

struct CheckRun {
    const CheckRequest *request;
    CheckReport *report;
    KjitCheckOps ops, watching; /* for threads in general, and for those being probed */
    kjit_status status;
    bool stop;
    Fiber host;
    SiteKey *sites;
    /* schedule */
    uint64_t random;
    uint64_t grid_count, next_block, block_first, block_step;
    int block_threads;
    CheckBlock *starting, **starting_end; /* blocks with threads to start, a list */
    CheckBlock **blocks;                  /* that have not ended */
    int block_count, block_capacity;
    CheckBlock *idle;
    Thread **queue; /* a ring of runnable threads; the capacity is a power of 2 */
    size_t queue_head, queue_count, queue_capacity;
    uint64_t live, spinning; /* threads that have not ended; of those in the queue, those that
                                spin */
    uint64_t looks;          /* probes of spinning threads since the last change of memory */
    uint64_t weighted_looks; /* the same, weighted: see slice.c */
    uint64_t unshared;       /* calls since a thread's time slice last made blocks start */
    uint64_t sharing;        /* how many did then */
    uint64_t ended_blocks;
    uint64_t at_grid; /* threads */
    Thread *current;
    /* order */
    Phase *phases; /* by number - phase_base */
    uint32_t phase_base, phase_count, phase_capacity;
    uint32_t streak;                /* the first of the latest phases that are all of one block */
    uint32_t before;                /* phases below it happen before everything that runs now */
    struct Releases *releases;      /* NULL until a thread executes a fence */
    struct Locks *locks;            /* NULL until a thread takes a lock while it holds another */
    const struct LockCycle *cycle;  /* the cycle to be provoked in this run, or NULL */
    Thread *held_back[CYCLE_LOCKS]; /* per edge of the cycle: the thread held back from its next
                                        lock */
    int resumed;                    /* how often these were let go on */
    uint32_t stored_wraps;          /* KjitCheck.stored */
    struct Wrap *wraps;             /* by its bits */
    struct Endless *endless;        /* the thread that may be endless, or NULL */
    /* findings */
    struct FindTable *found;
    bool strayed; /* threads waited at different barriers: others may end for that alone */
    void *scratch;
    size_t scratch_bytes;
    struct Advice *advice;
};

/* Layout of a block's shared memory: static arrays, then the dynamic one; its size. */
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
** shadow of each aligned word of four bytes is eight records, each in a plane of its own: the one
** or two that most words need lie densely, and pages of the other planes are never touched. An
** empty record is zero. A word that is only accessed as a whole needs four records and a mark. */
typedef struct CheckRegion {
    uintptr_t base;
    uint64_t size;
    char *shadow;      /* the first plane */
    uint64_t stride;   /* bytes from a plane to the next */
    uint64_t *written; /* a bit for each 256 bytes that the host has written entirely */
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

/* Reserves the region that arrays and stacks lie in, once for the process; false without memory. */
bool check_memory_open(void);
/* Fibers with stacks in the region; NULL without memory. */
Fiber *check_stack_get(void);
void check_stack_put(Fiber *fiber);
/* After a run: returns memory that a large run needed. */
void check_stacks_trim(void);
bool is_stack(const void *address);
/* Marks bytes as unwritten and clears their records. */
void check_memory_unwritten(void *memory, uint64_t bytes);
/* Makes all records ones of phase 0. */
void check_memory_age(void);

/* ---- shadow.c ------------------------------------------------------------------------------- */

/* KjitCheckOps.access; and the same of a word that is read, or written. */
void *shadow_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
void *shadow_read(KjitCheck *c, int site, void *address);
void *shadow_write(KjitCheck *c, int site, void *address);
/* The same during a probe, which notes the address. */
void *shadow_watch(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
/* Whether a probe saw few addresses, whose memory did not change. */
bool shadow_spins(const Probe *probe);
void shadow_local(KjitCheck *c, int site, void *address, uint64_t bytes);
void shadow_escaped(KjitCheck *c, void *address, uint64_t bytes);
/* Gives each of the four bytes of a word records of its own. */
void shadow_split(uint64_t *first);
/* Scratch bytes for an access that must not be carried out. */
void *shadow_scratch(CheckRun *run, uint32_t bytes);

/* ---- order.c -------------------------------------------------------------------------------- */

/* Begins the phases of a run, behind those of all runs before. */
void order_open(CheckRun *run);
void order_close(CheckRun *run);
/* Whether a record of another thread or phase happens before what the thread does now. */
bool order_before(const Thread *t, uint64_t record);
/* The block of a record; UINT32_MAX if it happens before everything that runs now. */
uint32_t order_block(const CheckRun *run, uint64_t record);
/* Begins another phase of the block. */
void order_phase(CheckRun *run, CheckBlock *block);
/* Sets the tag and marks of a thread to a phase; order_enter(): to the block's. */
static inline void order_tag(Thread *t, uint32_t phase)
{
    uint64_t *redundant = t->front.redundant;

    t->tag = (uint64_t)phase << REC_PHASE | (uint64_t)t->index << REC_THREAD;
    redundant[CHECK_REDUNDANT_ALL] = (uint64_t)t->run->before << REC_PHASE | MARK_ALL;
    redundant[CHECK_REDUNDANT_BLOCK] = (uint64_t)phase << REC_PHASE | MARK_BLOCK;
    redundant[CHECK_REDUNDANT_WARP] = t->tag >> REC_WARP << REC_WARP | MARK_WARP;
}

static inline void order_enter(Thread *t)
{
    t->ext = 0;
    t->since = t->block->since;
    t->span = t->block->phase - t->since;
    order_tag(t, t->block->phase);
}

/* Advances the thread's clock, which separates what it did from what it does next. */
void order_tick(Thread *t);
/* Lanes of a warp have synchronised. */
void order_warp(CheckBlock *block, Warp *warp, uint32_t lanes);
/* All blocks have synchronised. */
void order_grid(CheckRun *run);
/* All threads of the block that have not ended are at a barrier; the caller then has them enter the
** next phase. */
void order_barrier(CheckRun *run, CheckBlock *block);
static inline uint32_t order_time(const Thread *t)
{
    return t->ext * CLOCKS + rec_clock(t->tag);
}

/* ---- release.c ------------------------------------------------------------------------------ */

/* A thread begins. */
void release_reset(Thread *t);
void release_fence(Thread *t, int scope);
/* An atomic operation: releases what was before the last fence, and acquires what others
** released. */
void release_atomic(Thread *t, const void *address, int access);
/* Whether a thread has released at that address. */
bool release_has_address(Thread *t, const void *address);
bool release_before(const Thread *t, uint64_t record);
void release_barrier(CheckRun *run, CheckBlock *block);
void release_warp(CheckBlock *block, uint32_t warp, uint32_t lanes);
void release_close(CheckRun *run);

/* ---- schedule.c ----------------------------------------------------------------------------- */

/* Runs all blocks, to their end or to what ends the run. */
kjit_status schedule_run(CheckRun *run);
void schedule_close(CheckRun *run);
/* Ends the run at once. */
void schedule_fail(CheckRun *run, kjit_status status);
/* The thread is blocked; schedule_leave() runs others until it is ready. */
void schedule_block(Thread *t, ThreadState state);
void schedule_leave(Thread *t);
/* Makes a blocked thread runnable. */
void schedule_ready(Thread *t);
/* Runs other threads, if any are runnable. */
void schedule_yield(Thread *t);
/* Counts a time slice that was used up: more blocks start once those that have started have made
** many calls. */
void schedule_share(CheckRun *run, int32_t calls);
/* Suspends the thread until schedule_unpark(). */
void schedule_park(Thread *t);
void schedule_unpark(Thread *t);
/* Memory has changed: threads that spin are to be probed again. */
void schedule_changed(CheckRun *run);
void schedule_end(KjitCheck *c);
uint64_t schedule_random(CheckRun *run);

/* ---- slice.c -------------------------------------------------------------------------------- */

/* The thread's time slice is used up. */
void schedule_slice(Thread *t);
/* Begins a time slice. */
void slice_begin(Thread *t);
/* Switches probing on or off, during which all accesses of the thread are reported and noted. */
void slice_watch(Thread *t, bool probing);
/* Whether so many threads, all that are runnable, have spun long enough to wait for ever. */
bool slice_spins_for_ever(const CheckRun *run, uint64_t threads);

static inline void schedule_count(Thread *t)
{
    if (!CHECK_FAST(--t->front.budget >= 0))
        schedule_slice(t);
}

/* ---- meet.c --------------------------------------------------------------------------------- */

/* KjitCheckOps.barrier, .warp and .grid: the thread waits for those that it is to meet, and gets
** what they agree on. */
int64_t meet_barrier(KjitCheck *c, int site, int kind, int64_t value);
uint64_t meet_warp(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value,
                   int32_t argument, int32_t width);
void meet_grid(KjitCheck *c, int site);
/* A thread has ended: resumes those that waited for it alone. */
void meet_end(Thread *t);
/* Called when all runnable threads spin: completes activemask() of waiting lanes. Whether there
** were any. */
bool meet_active(CheckRun *run);

/* ---- index.c -------------------------------------------------------------------------------- */

/* As KjitCheckOps.cut and .used. */
void index_cut(KjitCheck *c, int site, int number, bool stored, bool data, int64_t a, int bits);
void index_used(KjitCheck *c, int site, uint32_t whole, uint32_t part, int64_t extent);
/* Index arithmetic has wrapped, and that was reported. */
void index_wrapped(Thread *t, int site);

/* ---- lanes.c -------------------------------------------------------------------------------- */

/* Checks a mask by itself, and adds the lane's own bit if it lacks it. */
void lanes_check_mask(Thread *t);
/* Reports that lanes of t's mask have ended. */
void lanes_report_ended(Thread *t, uint32_t lanes);
/* Reports that lanes t waits for will not arrive; `meet`: one of them is at the same operation. */
void lanes_report_absent(Thread *t, uint32_t lanes, bool meet);
/* A shuffle reads a lane that does not exist, has ended, or is not in the mask. */
void lanes_read_undefined(Thread *t, int source);
/* As KjitCheckOps.undefined. */
void lanes_undefined(KjitCheck *c, int from, int to);

/* ---- locks.c -------------------------------------------------------------------------------- */

/* A cycle in the lock order: each lock was taken while the one before was held. */
typedef struct LockCycle {
    int count;
    uint64_t keys[CYCLE_LOCKS];
    uint64_t lines[CYCLE_LOCKS]; /* where each was taken, as SiteKey.line */
} LockCycle;
typedef struct LockCycles {
    int count;
    LockCycle list[CYCLES];
} LockCycles;

/* Frees what is known of locks. */
void locks_close(CheckRun *run);
/* Finds the cycles in the lock order of a run. */
void locks_find_cycles(const CheckRun *run, LockCycles *cycles);
/* A thread begins. */
void locks_reset(Thread *t);
/* As KjitCheckOps.swapped. */
void locks_swapped(KjitCheck *c, const void *address, uint32_t bytes, uint64_t before,
                   uint64_t after);
/* The thread, which holds a lock, is about to do an atomic operation. */
void locks_before_atomic(Thread *t, int site, const void *address);
/* Resumes the threads that are held back; whether there were any. */
bool locks_resume(CheckRun *run);
/* Reports threads that wait for ever for one another's locks; whether there are any. */
bool locks_report(CheckRun *run);

/* ---- wait.c --------------------------------------------------------------------------------- */

/* No thread can continue: reports what they wait for. */
void wait_report(CheckRun *run);

/* ---- endless.c ------------------------------------------------------------------------------ */

/* A thread begins. */
void endless_reset(Thread *t);
void endless_close(CheckRun *run);
/* As KjitCheckOps.iteration. */
void endless_iteration(KjitCheck *c, int site);
/* A time slice is used up: ends the run if the thread has made too many calls. */
void endless_calls(Thread *t);

/* ---- overflow.c ----------------------------------------------------------------------------- */

/* Between the two a signal handler notices that a stack of the run is full; without memory for it
** none does. */
void overflow_open(CheckRun *run);
void overflow_close(void);

/* ---- advice.c ------------------------------------------------------------------------------- */

/* Without memory for it there is less advice. */
void advice_open(CheckRun *run);
void advice_close(CheckRun *run);
/* A block begins, ends, or is abandoned. */
void advice_begin(CheckRun *run, CheckBlock *block);
void advice_end(CheckRun *run, CheckBlock *block);
void advice_drop(CheckRun *run, CheckBlock *block);
void advice_report(CheckRun *run);
void *advice_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access);
void advice_branch(KjitCheck *c, int site, int taken);

/* ---- report.c ------------------------------------------------------------------------------- */

/* Begins with the findings of the report, of which others may be more of the same; false without
** memory. */
bool find_open(CheckRun *run);
void find_close(CheckRun *run);
/* A new finding to fill in, zero but for its rule, sites and count; NULL if it exists already, and
** was counted, or there are too many. */
CheckFinding *find_add(CheckRun *run, CheckRule rule, int site, int other);
/* The existing finding for which find_add() returned NULL; NULL if there were too many. */
CheckFinding *find_known(CheckRun *run, CheckRule rule, int site, int other);
CheckEvent find_event(const Thread *t, int site, int access);
/* The event of a record. */
CheckEvent find_recorded(const CheckRun *run, uint64_t record, int access);
void find_unwritten(Thread *t, int site, const void *address, uint32_t bytes, int access);
void find_misaligned(Thread *t, int site, const void *address, uint32_t bytes, int access);
void *find_outside(KjitCheck *c, int site, int axis, int64_t index, int64_t extent, uint32_t bytes,
                   int access);
void find_wrong(KjitCheck *c, int site, int kind, int64_t a, int64_t b);
void find_fault(KjitCheck *c, int fault, const int64_t *integers, const double *floats);
/* Whether an address is in the block's shared memory. */
bool find_is_shared(const CheckRun *run, const CheckBlock *block, const void *address);
/* "x[3, 5]", or "". `block`, whose shared memory is searched too, may be NULL. */
void find_element(const CheckRun *run, const CheckBlock *block, int site, const void *address,
                  char *out);

/* ---- race.c --------------------------------------------------------------------------------- */

/* Reports a race of an access with a recorded one; `read`: the latter only read. */
void find_race(Thread *t, int site, const void *address, int access, uint64_t record, bool read);

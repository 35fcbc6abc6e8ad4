/* The scheduler of the kernel's threads.
**
** A thread runs until it blocks, ends, or has used up its time slice, a number of calls. Runnable
** threads are in a queue. A thread starts on the stack of one that has just ended, if possible, so
** that a kernel that never waits needs one stack and no switch. A block starts only when nothing
** else is runnable, or all that is seems to spin: they may be waiting for its threads; or when the
** started ones have run for long, since one that waits may write too, such as how often it looked.
** With seed 0 threads start and continue in order; otherwise orders and time slices are drawn from
** the seed (slice.c). */
#include "runtime/check/run.h"
#include "runtime/cpu/running.h"
#include "runtime/watch.h"

/* Calls of each thread, on average, after which more blocks start: so many that where threads only
** have much to do few blocks are there at a time. */
enum { SHARED_CALLS = 160000 };

uint64_t schedule_random(CheckRun *run)
{
    /* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) */
    uint64_t z = run->random += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void schedule_changed(CheckRun *run)
{
    run->looks = run->weighted_looks = 0;
}

void schedule_fail(CheckRun *run, kjit_status status)
{
    run->status = status;
    run->stop = true;
    if (run->current)
        fiber_switch(run->current->fiber, &run->host);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* A permutation of 0 to count - 1: its k-th element is (first + k * step) % count. */
static void draw_order(CheckRun *run, uint64_t count, uint64_t *first, uint64_t *step)
{
    *first = 0;
    *step = 1;
    if (!run->request->seed)
        return;
    *first = schedule_random(run) % count;
    do
        *step = 1 + schedule_random(run) % count;
    while (common_divisor(*step, count) != 1);
}

static void position_of(uint64_t number, const uint32_t extents[3], int32_t position[3])
{
    position[0] = (int32_t)(number % extents[0]);
    position[1] = (int32_t)(number / extents[0] % extents[1]);
    position[2] = (int32_t)(number / extents[0] / extents[1]);
}

static void init_thread(CheckRun *run, CheckBlock *block, int index)
{
    const CheckRequest *request = run->request;
    Thread *t = &block->threads[index];

    t->index = index;
    t->run = run;
    t->block = block;
    t->warp = &block->warps[index / 32];
    position_of((uint64_t)index, request->block, t->front.thread);
    for (int i = 0; i < 3; i++) {
        t->front.block_dim[i] = (int32_t)request->block[i];
        t->front.grid_dim[i] = (int32_t)request->grid[i];
    }
    t->front.shared = block->shared;
    t->front.dynamic = block->shared ? block->shared + shared_dynamic(request) : NULL;
    t->front.dynamic_shared = request->dynamic_shared;
    t->front.advise = request->advise;
    t->front.base = check_region.base;
    t->front.stored = &run->stored_wraps;
    t->front.mark = shadow_plane((uint64_t *)check_region.shadow, MARK_PLANE);
}

static void free_block(CheckBlock *block)
{
    for (int i = 0; block->warps && i < (block->count + 31) / 32; i++)
        memory_free(block->warps[i].known);
    for (int i = 0; block->threads && i < block->count; i++) {
        memory_free(block->threads[i].probe);
        memory_free(block->threads[i].undefined);
        memory_free(block->threads[i].held);
        memory_free(block->threads[i].wraps);
    }
    memory_free(block->threads);
    memory_free(block->warps);
    check_memory_free(block->shared);
    memory_free(block);
}

static CheckBlock *new_block(CheckRun *run)
{
    CheckBlock *block = memory_zeroed(1, sizeof *block);
    uint64_t shared = shared_bytes(run->request);

    if (!block)
        return NULL;
    block->count = run->block_threads;
    block->threads = memory_zeroed((size_t)block->count, sizeof *block->threads);
    block->warps = memory_zeroed((size_t)(block->count + 31) / 32, sizeof *block->warps);
    block->shared = shared ? check_memory_alloc(shared) : NULL;
    if (!block->threads || !block->warps || (shared && !block->shared)) {
        free_block(block);
        return NULL;
    }
    for (int i = 0; i < block->count; i++)
        init_thread(run, block, i);
    return block;
}

/* A block to be filled in, added to those that have not ended. */
static CheckBlock *take_block(CheckRun *run)
{
    CheckBlock *block = run->idle;

    if (!memory_more(run->blocks, run->block_count, run->block_capacity))
        return NULL;
    if (block)
        run->idle = block->next;
    else
        block = new_block(run);
    if (!block)
        return NULL;
    block->slot = run->block_count;
    run->blocks[run->block_count++] = block;
    return block;
}

/* Makes the queue large enough for all threads. */
static bool grow_queue(CheckRun *run)
{
    size_t needed = (size_t)run->block_count * (size_t)run->block_threads;

    if (needed <= run->queue_capacity)
        return true;
    size_t capacity = 64;
    while (capacity < needed)
        capacity *= 2;
    Thread **more = memory_alloc(capacity * sizeof *more);
    if (!more)
        return false;
    for (size_t i = 0; i < run->queue_count; i++)
        more[i] = run->queue[(run->queue_head + i) & (run->queue_capacity - 1)];
    memory_free(run->queue);
    run->queue = more;
    run->queue_head = 0;
    run->queue_capacity = capacity;
    return true;
}

static void reset_thread(Thread *t)
{
    memcpy(t->front.block, t->block->position, sizeof t->front.block);
    t->state = TO_START;
    t->spinning = false;
    if (t->run->releases)
        release_reset(t);
    slice_watch(t, false);
    t->unprobed = 0;
    t->calls = 0;
    t->front.site = t->front.called = t->front.left = -1;
    t->front.undefined = t->front.wraps = 0;
    endless_reset(t);
    locks_reset(t);
    order_enter(t);
}

static void reset_warps(CheckBlock *block)
{
    for (int i = 0; i < (block->count + 31) / 32; i++) {
        Warp *warp = &block->warps[i];
        int lanes = block->count - 32 * i;
        warp->there = lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
        warp->blocked = warp->waiting = 0;
        warp->known_barrier = UINT32_MAX;
    }
}

static void reset_block(CheckRun *run, CheckBlock *block)
{
    uint64_t number = (run->block_first + run->next_block++ * run->block_step) % run->grid_count;

    block->number = (uint32_t)number;
    position_of(number, run->request->grid, block->position);
    block->live = block->to_start = block->count;
    block->arrived = block->agreed = block->at_grid = 0;
    block->barrier = 0;
    block->atomics = false;
    block->first = block->stray = NULL;
    if (block->shared)
        check_memory_unwritten(block->shared, shared_bytes(run->request));
    block->phase = 0;
    order_phase(run, block);
    reset_warps(block);
    draw_order(run, (uint64_t)block->count, &block->first_index, &block->step);
    advice_begin(run, block);
}

static void start_block(CheckRun *run)
{
    CheckBlock *block = take_block(run);

    if (!block || !grow_queue(run)) {
        schedule_fail(run, KJIT_MEMORY);
        return;
    }
    reset_block(run, block);
    block->next = NULL;
    *run->starting_end = block;
    run->starting_end = &block->next;
    run->live += (uint64_t)block->count;
    schedule_changed(run);
}

static void end_block(CheckRun *run, CheckBlock *block)
{
    advice_end(run, block);
    run->blocks[block->slot] = run->blocks[--run->block_count];
    run->blocks[block->slot]->slot = block->slot;
    watch_reach(run->request->place, (long long)++run->ended_blocks);
    block->next = run->idle;
    run->idle = block;
}

/* ---- the queue ------------------------------------------------------------------------------- */

static void enqueue(CheckRun *run, Thread *t)
{
    run->queue[(run->queue_head + run->queue_count++) & (run->queue_capacity - 1)] = t;
    run->spinning += t->spinning;
}

static Thread *dequeue(CheckRun *run)
{
    size_t mask = run->queue_capacity - 1;

    if (run->request->seed) {
        size_t other = (run->queue_head + schedule_random(run) % run->queue_count) & mask;
        Thread *swapped = run->queue[other];
        run->queue[other] = run->queue[run->queue_head];
        run->queue[run->queue_head] = swapped;
    }
    Thread *t = run->queue[run->queue_head];
    run->queue_head = (run->queue_head + 1) & mask;
    run->queue_count--;
    run->spinning -= t->spinning;
    if (run->queue_count) /* the next to run, as a rule */
        fiber_fetch(run->queue[run->queue_head]->fiber);
    return t;
}

/* Prefetches what a thread uses first. */
static void fetch(const Thread *t)
{
    enum { LINE = 64 };

    for (size_t at = 0; at < offsetof(Thread, calls); at += LINE)
        __builtin_prefetch((const char *)t + at, 1);
}

static Thread *next_to_start(CheckRun *run)
{
    CheckBlock *block = run->starting;
    Thread *t = &block->threads[block->first_index];

    if (--block->to_start == 0) {
        run->starting = block->next;
        if (!run->starting)
            run->starting_end = &run->starting;
    }
    block->first_index += block->step;
    if (block->first_index >= (uint64_t)block->count)
        block->first_index -= (uint64_t)block->count;
    fetch(&block->threads[block->first_index]); /* the next to run */
    reset_thread(t);
    return t;
}

void schedule_block(Thread *t, ThreadState state)
{
    t->state = state;
    t->warp->blocked |= 1u << t->index % 32;
}

void schedule_ready(Thread *t)
{
    uint32_t lane = 1u << t->index % 32;

    t->state = RUNNABLE;
    t->warp->blocked &= ~lane;
    t->warp->waiting &= ~lane;
    if (!t->spinning)
        schedule_changed(t->run);
    if (t != t->run->current)
        enqueue(t->run, t);
}

/* ---- switching ------------------------------------------------------------------------------- */

static void start_blocks(CheckRun *run, uint64_t count)
{
    for (uint64_t i = 0; i < count && run->next_block < run->grid_count && !run->stop; i++)
        start_block(run);
}

void schedule_share(CheckRun *run, int32_t calls)
{
    run->unshared += (uint64_t)calls;
    if (run->unshared < SHARED_CALLS * run->live)
        return;
    run->unshared = 0;
    run->sharing = run->sharing ? 2 * run->sharing : 1;
    start_blocks(run, run->sharing);
}

/* All runnable threads spin: does what may help them, or ends the run. Whether choose() is to look
** again. */
static bool help_spinning(CheckRun *run)
{
    if (run->looks < run->queue_count) /* some have not been probed since the last change */
        return false;
    if (run->next_block < run->grid_count) {
        /* threads that spin may be waiting for all blocks */
        start_blocks(run, run->queue_count ? (uint64_t)run->block_count : 1);
        return true;
    }
    if (meet_active(run) || locks_resume(run))
        return true;
    bool over = run->queue_count == 0 || slice_spins_for_ever(run, run->queue_count);
    if (over && run->live)
        wait_report(run);
    run->stop = over;
    return over;
}

/* The next thread to run; NULL: the run is over. */
static Thread *choose(CheckRun *run)
{
    if (running_stopped()) {
        run->status = error_stopped();
        run->stop = true;
    }
    while (!run->stop) {
        if (!run->starting && run->queue_count == run->spinning && help_spinning(run))
            continue;
        if (run->starting && (!run->queue_count || !run->request->seed || schedule_random(run) & 1))
            return next_to_start(run);
        return dequeue(run);
    }
    return NULL;
}

static void run_threads(void *argument);

static void begin_running(Thread *t)
{
    t->state = RUNNABLE;
    slice_begin(t);
}

/* Returns to the host's fiber: the run is over, or has failed. */
static void go_back(CheckRun *run, Fiber *self)
{
    if (self != &run->host) /* which is still running if there is no stack for the first thread */
        fiber_switch(self, &run->host);
}

/* Switches from a fiber, whose thread has ended or not, to the next thread. */
static void go(CheckRun *run, Fiber *self, bool over, Thread *next)
{
    run->current = next;
    if (!next) {
        go_back(run, self);
        return;
    }
    if (next->state == TO_START) {
        begin_running(next);
        if (over) {
            next->fiber = self;
            fiber_restart(self, run_threads, next);
        }
        next->fiber = check_stack_get();
        if (!next->fiber) {
            run->current = NULL;
            run->status = KJIT_MEMORY;
            go_back(run, self);
            return;
        }
        fiber_prepare(next->fiber, run_threads, next);
    } else if (over) {
        check_stack_put(self);
    }
    fiber_switch(self, next->fiber);
}

/* Switches to the next thread; returns when this one runs again. */
static void switch_thread(Thread *t)
{
    CheckRun *run = t->run;
    Thread *next = choose(run);

    if (next == t)
        run->current = t;
    else
        go(run, t->fiber, false, next);
}

void schedule_leave(Thread *t)
{
    if (t->state == RUNNABLE)
        return;
    t->run->current = NULL; /* so that schedule_ready() may choose it */
    switch_thread(t);
}

void schedule_yield(Thread *t)
{
    t->run->current = NULL;
    enqueue(t->run, t);
    switch_thread(t);
}

void schedule_park(Thread *t)
{
    t->run->current = NULL;
    switch_thread(t);
}

void schedule_unpark(Thread *t)
{
    schedule_changed(t->run);
    enqueue(t->run, t);
}

/* Ends the thread; the next one to run. */
static Thread *end_thread(Thread *t)
{
    CheckRun *run = t->run;
    CheckBlock *block = t->block;

    t->state = ENDED;
    t->fiber = NULL;
    run->live--;
    block->live--;
    t->warp->there &= ~(1u << t->index % 32);
    schedule_changed(run);
    if (block->arrived || t->warp->waiting || run->at_grid)
        meet_end(t);
    if (!block->live)
        end_block(run, block);
    run->current = NULL;
    return choose(run);
}

/* The function of a fiber: runs threads one after another while the next one is yet to start. */
static void run_threads(void *argument)
{
    Thread *t = argument;
    CheckRun *run = t->run;

    for (;;) {
        Fiber *self = t->fiber;
        run->request->thread(&t->front, run->request->params);
        t = end_thread(t);
        if (!t || t->state != TO_START)
            go(run, self, true, t); /* does not return */
        begin_running(t);
        t->fiber = self;
        run->current = t;
    }
}

void schedule_end(KjitCheck *c)
{
    Thread *t = (Thread *)c;
    Fiber *self = t->fiber;

    go(t->run, self, true, end_thread(t));
}

/* ---- the run --------------------------------------------------------------------------------- */

kjit_status schedule_run(CheckRun *run)
{
    run->random = run->request->seed;
    run->starting_end = &run->starting;
    draw_order(run, run->grid_count, &run->block_first, &run->block_step);
    if (run->request->place)
        watch_share(run->request->place, (long long)run->grid_count, 0);
    fiber_open_thread(&run->host);
    while (run->request->cooperative && !run->stop && run->next_block < run->grid_count)
        start_block(run);
    Thread *first = choose(run);
    if (first)
        go(run, &run->host, false, first);
    advice_report(run);
    return run->status;
}

void schedule_close(CheckRun *run)
{
    for (int i = 0; i < run->block_count; i++) {
        advice_drop(run, run->blocks[i]);
        free_block(run->blocks[i]);
    }
    while (run->idle) {
        CheckBlock *block = run->idle;
        run->idle = block->next;
        free_block(block);
    }
    memory_free(run->blocks);
    memory_free(run->queue);
}

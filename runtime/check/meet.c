/* Synchronisation: barriers of a block, warp operations, barriers of the grid.
**
** A barrier opens when all threads of the block that have not ended are at any barrier (as on
** hardware since Volta). That they are at different ones is a finding, and that some have ended:
** CUDA wants all threads of the block at a barrier.
**
** A warp operation completes when all lanes that the mask names and that have not ended are at it
** with the same mask. When all lanes of a warp are blocked and no operation completes, some lanes
** will never arrive: a finding, and those that have arrived continue. A mask that names lanes that
** have ended or do not exist is a finding too, except in syncwarp, which needs nothing from them.
** activemask() completes when no lane of the warp can continue otherwise; its result is the lanes
** that have arrived by then, as a rule those that are converged on hardware. */
#include "runtime/check/run.h"

/* Begins an operation at which the thread may block. */
static Thread *arrive(KjitCheck *c)
{
    Thread *t = (Thread *)c;

    schedule_count(t);
    if (t->probing)
        t->probe->waits = true;
    return t;
}

static bool same_position(const CheckRun *run, int a, int b)
{
    return a == b || (a >= 0 && b >= 0 && run->sites[a].span == run->sites[b].span);
}

/* ---- the block ------------------------------------------------------------------------------- */

static void report_stray(CheckRun *run, const CheckBlock *block)
{
    const Thread *at = block->stray, *other = block->first;
    CheckFinding *found = find_add(run, FOUND_DIVERGENT_BARRIER, at->front.site, other->front.site);

    if (!found)
        return;
    found->at = find_event(at, at->front.site, 0);
    found->other = find_event(other, other->front.site, 0);
    snprintf(found->message, sizeof found->message,
             "threads of one block wait at different barriers");
    snprintf(found->note, sizeof found->note,
             "move the barrier to where all threads of the block pass, out of the branch");
}

/* Threads wait that those which have ended will never meet: once for each return, whichever
** barriers follow. */
static void report_ended(CheckRun *run, const CheckBlock *block)
{
    const Thread *at = block->first, *ended = block->threads;

    while (ended->state != ENDED || ended->failed)
        if (++ended == block->threads + block->count)
            return;
    int left = ended->front.left;
    CheckFinding *found =
        find_add(run, FOUND_DIVERGENT_BARRIER, left >= 0 ? left : at->front.site, -1);
    if (!found)
        return;
    found->at = find_event(at, at->front.site, 0);
    if (left >= 0)
        found->other = find_event(ended, left, 0);
    snprintf(found->message, sizeof found->message,
             "threads of one block wait at a barrier that others, which have ended, never come to");
    snprintf(found->note, sizeof found->note,
             "let all threads of the block come to the barrier, and guard what they do instead");
}

static int64_t barrier_answer(int kind, int64_t count, int64_t all)
{
    switch (kind) {
    case CHECK_BARRIER_COUNT:
        return count;
    case CHECK_BARRIER_AND:
        return count == all;
    case CHECK_BARRIER_OR:
        return count > 0;
    default:
        return 0;
    }
}

static void open_barrier(CheckRun *run, CheckBlock *block)
{
    int64_t count = block->agreed, all = block->arrived;

    if (block->stray)
        report_stray(run, block);
    run->strayed |= block->stray != NULL;
    if (!run->strayed && block->first && block->live < block->count)
        report_ended(run, block);
    order_barrier(run, block);
    block->arrived = block->agreed = 0;
    block->first = block->stray = NULL;
    for (int i = 0; i < block->count; i++) {
        Thread *t = &block->threads[i];
        order_enter(t);
        if (t->state != AT_BARRIER)
            continue;
        t->answer = (uint64_t)barrier_answer(t->kind, count, all);
        schedule_ready(t);
    }
}

static void check_blocked(CheckRun *run, CheckBlock *block, Warp *warp);

int64_t meet_barrier(KjitCheck *c, int site, int kind, int64_t value)
{
    Thread *t = arrive(c);
    CheckBlock *block = t->block;

    t->front.site = site;
    t->kind = kind;
    block->agreed += value != 0;
    schedule_block(t, AT_BARRIER);
    if (!block->first)
        block->first = t;
    else if (!block->stray && !same_position(t->run, block->first->front.site, site))
        block->stray = t;
    if (++block->arrived == block->live)
        open_barrier(t->run, block);
    else
        check_blocked(t->run, block, t->warp);
    schedule_leave(t);
    return (int64_t)t->answer;
}

/* ---- the grid -------------------------------------------------------------------------------- */

static void try_grid(CheckRun *run)
{
    if (!run->at_grid || run->at_grid != run->live || run->ended_blocks ||
        run->next_block != run->grid_count)
        return;
    order_grid(run);
    run->at_grid = 0;
    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++)
            if (run->blocks[i]->threads[k].state == AT_GRID)
                schedule_ready(&run->blocks[i]->threads[k]);
}

void meet_grid(KjitCheck *c, int site)
{
    Thread *t = arrive(c);

    t->front.site = site;
    schedule_block(t, AT_GRID);
    t->run->at_grid++;
    try_grid(t->run);
    if (t->state != RUNNABLE)
        check_blocked(t->run, t->block, t->warp);
    schedule_leave(t);
}

/* ---- results of warp operations -------------------------------------------------------------- */

/* The lane that a shuffle reads; the reader itself where that is outside its segment. */
static int source_lane(const Thread *t, int lane, int width)
{
    int by = t->argument & 31, first = lane & ~(width - 1);

    switch (t->kind) {
    case CHECK_WARP_SHUFFLE:
        return first + (by & (width - 1));
    case CHECK_WARP_SHUFFLE_UP:
        return lane - by >= first ? lane - by : lane;
    case CHECK_WARP_SHUFFLE_DOWN:
        return lane + by < first + width ? lane + by : lane;
    default:
        return (lane ^ by) < first + width ? lane ^ by : lane;
    }
}

static uint64_t shuffled(Thread *t, uint32_t lanes)
{
    int lane = t->index % 32;
    /* An invalid width means 32. */
    int width = (int)(t->answer & 0xff), source = source_lane(t, lane, width);

    if (lanes >> source & 1)
        return (uint64_t)(t - lane + source)->value;
    lanes_read_undefined(t, source);
    return (uint64_t)t->value;
}

static uint64_t warp_answer(Thread *t, uint32_t lanes)
{
    const Thread *first = t - t->index % 32;
    uint32_t yes = 0, same = 0;

    if (t->kind >= CHECK_WARP_SHUFFLE && t->kind <= CHECK_WARP_SHUFFLE_XOR)
        return shuffled(t, lanes);
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        yes |= (uint32_t)(first[lane].value != 0) << lane;
        same |= (uint32_t)(first[lane].value == t->value) << lane;
    }
    switch (t->kind) {
    case CHECK_WARP_SYNC:
        return 0;
    case CHECK_WARP_ALL:
        return yes == lanes;
    case CHECK_WARP_ANY:
        return yes != 0;
    case CHECK_WARP_EQUAL:
        return yes == lanes || !yes;
    case CHECK_WARP_BALLOT:
        return yes;
    case CHECK_WARP_MATCH:
        return same;
    default: /* CHECK_WARP_ACTIVE */
        return lanes;
    }
}

/* Completes the operation at which some lanes wait. */
static void release_lanes(CheckBlock *block, Warp *warp, uint32_t lanes)
{
    Thread *first = block->threads + 32 * (warp - block->warps);
    uint64_t answers[32];

    for (uint32_t left = lanes; left; left &= left - 1)
        answers[__builtin_ctz(left)] = warp_answer(first + __builtin_ctz(left), lanes);
    if (first[__builtin_ctz(lanes)].kind != CHECK_WARP_ACTIVE)
        order_warp(block, warp, lanes);
    for (uint32_t left = lanes; left; left &= left - 1) {
        Thread *t = first + __builtin_ctz(left);
        t->answer = answers[__builtin_ctz(left)];
        schedule_ready(t);
    }
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* The lanes that wait at the same operation as t, with the same mask. */
static uint32_t matching_lanes(const Thread *t)
{
    const Thread *first = t - t->index % 32;
    uint32_t lanes = 0;

    for (uint32_t left = t->warp->waiting; left; left &= left - 1) {
        const Thread *other = first + __builtin_ctz(left);
        if (other->mask == t->mask && other->kind == t->kind &&
            same_position(t->run, other->front.site, t->front.site))
            lanes |= left & -left;
    }
    return lanes;
}

/* Whether another lane waits at the same operation. */
static bool at_same_operation(const Thread *t, const Thread *other)
{
    return other->state == AT_WARP && same_position(t->run, other->front.site, t->front.site);
}

/* Completes t's operation if all lanes it waits for have arrived; whether they have. */
static bool try_warp(Thread *t)
{
    uint32_t lanes = matching_lanes(t);

    if (t->kind == CHECK_WARP_ACTIVE || (t->mask & t->warp->there & ~lanes))
        return false;
    release_lanes(t->block, t->warp, lanes);
    return true;
}

/* The first lane that waits in activemask(). */
static Thread *first_activemask(CheckBlock *block, const Warp *warp)
{
    Thread *first = block->threads + 32 * (warp - block->warps);

    for (uint32_t left = warp->waiting; left; left &= left - 1)
        if (first[__builtin_ctz(left)].kind == CHECK_WARP_ACTIVE)
            return first + __builtin_ctz(left);
    return NULL;
}

/* If all lanes of the warp are blocked, and no other thread of the block will free them, lets some
** continue. */
static void check_blocked(CheckRun *run, CheckBlock *block, Warp *warp)
{
    if (!warp->waiting || warp->blocked != warp->there)
        return;
    Thread *asker = first_activemask(block, warp);
    if (asker) {
        release_lanes(block, warp, matching_lanes(asker));
        return;
    }
    Thread *t = block->threads + 32 * (warp - block->warps) + __builtin_ctz(warp->waiting);
    uint32_t lanes = matching_lanes(t);
    (void)run;
    uint32_t absent = t->mask & warp->there & ~lanes;
    lanes_report_absent(t, absent, at_same_operation(t, t - t->index % 32 + __builtin_ctz(absent)));
    release_lanes(block, warp, lanes);
}

bool meet_active(CheckRun *run)
{
    bool any = false;

    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < (run->block_threads + 31) / 32; k++) {
            Thread *asker = first_activemask(run->blocks[i], &run->blocks[i]->warps[k]);
            if (asker) {
                release_lanes(run->blocks[i], asker->warp, matching_lanes(asker));
                any = true;
            }
        }
    return any;
}

uint64_t meet_warp(KjitCheck *c, int site, int kind, uint32_t mask, uint64_t value,
                   int32_t argument, int32_t width)
{
    Thread *t = arrive(c);

    t->front.site = site;
    t->kind = kind;
    t->mask = kind == CHECK_WARP_ACTIVE ? UINT32_MAX : mask;
    t->value = (int64_t)value;
    t->argument = argument;
    t->front.shuffle_undefined = false;
    t->answer = width > 0 && width < 32 && !(width & (width - 1)) ? (uint64_t)width : 32;
    if (kind != CHECK_WARP_ACTIVE)
        lanes_check_mask(t);
    schedule_block(t, AT_WARP);
    t->warp->waiting |= 1u << t->index % 32;
    if (!try_warp(t))
        check_blocked(t->run, t->block, t->warp);
    schedule_leave(t);
    return t->answer;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void end_of_lane(Thread *t)
{
    Warp *warp = t->warp;
    Thread *first = t - t->index % 32;
    uint32_t own = 1u << t->index % 32;

    for (uint32_t left = warp->waiting; left; left &= left - 1) {
        Thread *other = first + __builtin_ctz(left);
        if (!(warp->waiting & left & -left) || !(other->mask & own) ||
            other->kind == CHECK_WARP_ACTIVE)
            continue;
        lanes_report_ended(other, own);
        try_warp(other);
    }
    check_blocked(t->run, t->block, warp);
}

void meet_end(Thread *t)
{
    CheckBlock *block = t->block;

    if (block->arrived && block->arrived == block->live)
        open_barrier(t->run, block);
    end_of_lane(t);
    /* The grid's barrier does without threads that have ended, but not without a whole block. */
    if (block->live)
        try_grid(t->run);
}

/* The happens-before relation.
**
** Two accesses of different threads are ordered if between them lies
**   - a barrier of their block, or the grid's;
**   - a warp operation in which both lanes take part (with independent thread scheduling nothing
**     else orders the lanes of a warp; CUDA guarantees it for syncwarp, here it is assumed for
**     shuffles and votes too);
**   - a chain of releases and acquisitions: release.c.
** Launches order everything. A record holds its thread's epoch, as in FastTrack (Flanagan and
** Freund, PLDI 2009), but an epoch here is a phase, that is a block between two barriers, and a
** clock within it. The threads of a block share the phase, so a barrier costs one number for all
** of them; BARRACUDA (Eizenberg et al., PLDI 2017) compresses the clocks of converged threads
** alike. */
#include "runtime/check/run.h"

enum { RUN_PHASES = 1 << 25 };

/* The first unused phase: records outlive runs. There is one run at a time. */
static uint32_t next_phase = 1;

/* ---- phases ---------------------------------------------------------------------------------- */

void order_open(CheckRun *run)
{
    if (next_phase > PHASE_MAX - RUN_PHASES) {
        check_memory_age();
        next_phase = 1;
    }
    run->phase_base = run->before = next_phase;
}

void order_close(CheckRun *run)
{
    release_close(run);
    memory_free(run->phases);
    next_phase = run->phase_base + run->phase_count;
}

static bool grow_phases(CheckRun *run)
{
    if (memory_more(run->phases, run->phase_count, run->phase_capacity))
        return true;
    schedule_fail(run, KJIT_MEMORY);
    return false;
}

/* The phases of a run are used up: all records so far count as ordered, and races with them are
** missed. Threads that have started get new phases. */
static void start_over(CheckRun *run)
{
    check_memory_age();
    run->phase_base = run->before = 1;
    run->phase_count = 0;
    for (int i = 0; i < run->block_count; i++) {
        order_phase(run, run->blocks[i]);
        for (int k = 0; k < run->blocks[i]->count; k++)
            order_enter(&run->blocks[i]->threads[k]);
    }
}

static uint32_t new_phase(CheckRun *run, const CheckBlock *block, uint32_t ext)
{
    if (run->phase_count >= RUN_PHASES)
        start_over(run);
    if (!grow_phases(run))
        return block->phase;
    if (!run->phase_count || run->phases[run->phase_count - 1].block != block->number)
        run->streak = run->phase_base + run->phase_count;
    run->phases[run->phase_count] = (Phase){ block->number, block->barrier, ext };
    return run->phase_base + run->phase_count++;
}

void order_phase(CheckRun *run, CheckBlock *block)
{
    block->phase = new_phase(run, block, 0);
    block->since = run->streak;
}

void order_tick(Thread *t)
{
    if (rec_clock(t->tag) < CLOCKS - 1) {
        t->tag += 1ull << REC_CLOCK;
        t->front.redundant[CHECK_REDUNDANT_WARP] += 1ull << REC_CLOCK;
    } else {
        order_tag(t, new_phase(t->run, t->block, ++t->ext));
    }
}

/* ---- synchronisation ------------------------------------------------------------------------- */

void order_barrier(CheckRun *run, CheckBlock *block)
{
    release_barrier(run, block);
    block->barrier++;
    order_phase(run, block);
}

void order_grid(CheckRun *run)
{
    uint32_t before = run->phase_base + run->phase_count;

    for (int i = 0; i < run->block_count; i++)
        order_barrier(run, run->blocks[i]);
    if (run->phase_base + run->phase_count > before) /* unless start_over() has been called */
        run->before = before;
    for (int i = 0; i < run->block_count; i++)
        for (int k = 0; k < run->blocks[i]->count; k++)
            order_enter(&run->blocks[i]->threads[k]);
}

/* Makes warp->known that of the current phase, empty at first; false without memory. */
static bool open_known(CheckBlock *block, Warp *warp)
{
    if (!warp->known) {
        warp->known = memory_zeroed(32, sizeof *warp->known);
        warp->known_barrier = block->barrier;
    } else if (warp->known_barrier != block->barrier) {
        memset(warp->known, 0, 32 * sizeof *warp->known);
        warp->known_barrier = block->barrier;
    }
    return warp->known;
}

void order_warp(CheckBlock *block, Warp *warp, uint32_t lanes)
{
    int number = (int)(warp - block->warps);
    Thread *first = block->threads + 32 * number;
    uint32_t all[32] = { 0 };

    if (!open_known(block, warp)) {
        schedule_fail(first->run, KJIT_MEMORY);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        for (int i = 0; i < 32; i++)
            all[i] = warp->known[lane][i] > all[i] ? warp->known[lane][i] : all[i];
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        all[lane] = 1 + order_time(first + lane);
        order_tick(first + lane);
    }
    for (uint32_t left = lanes; left; left &= left - 1)
        memcpy(warp->known[__builtin_ctz(left)], all, sizeof all);
    release_warp(block, (uint32_t)number, lanes);
}

/* ---- queries --------------------------------------------------------------------------------- */

static bool known_to(const Thread *t, int other, uint32_t time)
{
    const Warp *warp = t->warp;

    return other / 32 == t->index / 32 && warp->known && warp->known_barrier == t->block->barrier &&
           warp->known[t->index % 32][other % 32] > time;
}

uint32_t order_block(const CheckRun *run, uint64_t record)
{
    uint32_t at = rec_phase(record) - run->phase_base;

    return rec_phase(record) < run->before || at >= run->phase_count ? UINT32_MAX
                                                                     : run->phases[at].block;
}

bool order_before(const Thread *t, uint64_t record)
{
    const CheckRun *run = t->run;
    uint32_t at = rec_phase(record) - run->phase_base;

    if (rec_phase(record) < run->before || at >= run->phase_count)
        return true;
    const Phase *phase = &run->phases[at];
    if (phase->block == t->block->number) {
        int other = rec_thread(record);
        if (phase->barrier < t->block->barrier || other == t->index ||
            known_to(t, other, phase->ext * CLOCKS + rec_clock(record)))
            return true;
    }
    return run->releases && release_before(t, record);
}

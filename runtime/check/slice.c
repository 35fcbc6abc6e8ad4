/* Time slices, and probes that find threads which spin.
**
** A thread that has used up a long time slice is probed: during a short one its accesses are
** recorded. It spins if they are to few addresses, and nothing there has changed. If all runnable
** threads spin, and have for many probes, they wait for ever. */
#include "runtime/check/run.h"

/* Calls in a time slice: enough that a switch, of some hundred nanoseconds, costs little beside
** them, and few enough that others wait less than a millisecond. */
enum { SLICE = 10000 };
/* In a probe: enough for an iteration of a waiting loop, which has few accesses; fewer once the
** thread is known to spin. */
enum { PROBE = 128, SPIN = 32 };
/* With a seed, seven slices in eight are of 500 to 4499 calls, so that threads interleave
** differently each time; the eighth is of 1 to 24, to preempt within a few lines. */
enum { DRAWN = 8, DRAWN_LEAST = 500, DRAWN_MORE = 4000, DRAWN_SHORT = 24 };
/* Probes in which a thread spins before it counts as waiting for ever: a loop that only reads the
** same addresses may still end by a counter, and 6000 probes are some 200,000 accesses. Of very
** many threads those beyond the first 64 need fewer probes. Atomic accesses and synchronisation
** suggest that a thread waits: its probes count 16 times. */
enum { SPIN_PROBES = 6000, MANY_THREADS = 64, SPIN_PROBES_OF_MANY = 500, WAITS = 16 };

bool slice_spins_for_ever(const CheckRun *run, uint64_t threads)
{
    uint64_t few = threads < MANY_THREADS ? threads : MANY_THREADS;

    return run->weighted_looks >
           WAITS * (SPIN_PROBES * few + SPIN_PROBES_OF_MANY * (threads - few));
}

void slice_watch(Thread *t, bool probing)
{
    t->probing = probing;
    t->front.ops = probing ? &t->run->watching : &t->run->ops;
    t->front.words = probing || t->run->request->advise ? 0 : check_region.size / 4;
}

void slice_begin(Thread *t)
{
    CheckRun *run = t->run;
    int32_t budget = SLICE;

    if (t->probing)
        budget = t->spinning ? SPIN : PROBE;
    else if (run->request->seed) {
        uint64_t draw = schedule_random(run), more = draw / DRAWN;
        budget = (int32_t)(draw % DRAWN ? DRAWN_LEAST + more % DRAWN_MORE : 1 + more % DRAWN_SHORT);
    }
    t->front.budget = t->granted = budget;
}

static void begin_probe(Thread *t)
{
    if (!t->probe)
        t->probe = memory_alloc(sizeof *t->probe);
    t->unprobed = 0;
    slice_watch(t, t->probe);
}

static void end_probe(Thread *t)
{
    bool spins = shadow_spins(t->probe);

    if (spins && t->spinning) {
        t->run->looks++;
        t->run->weighted_looks += t->probe->waits ? WAITS : 1;
    } else {
        schedule_changed(t->run);
    }
    t->spinning = spins;
    slice_watch(t, spins);
}

void schedule_slice(Thread *t)
{
    t->calls += (uint64_t)t->granted;
    t->unprobed += (uint32_t)t->granted;
    endless_calls(t);
    if (t->probing)
        end_probe(t);
    else if (t->unprobed >= SLICE)
        begin_probe(t);
    schedule_share(t->run, t->granted);
    schedule_yield(t);
    slice_begin(t);
    if (t->probing)
        *t->probe = (Probe){ .count = 0 };
}

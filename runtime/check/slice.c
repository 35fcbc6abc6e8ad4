/* How long a thread has its turn, and whether it gets anywhere in it.
**
** A thread that has used up a long budget is probed: over a short one its accesses are looked at.
** It spins if it touched few places, and nothing changed there. If all that can go on spin, and
** have for many probes, nothing will ever change. */
#include "runtime/check/run.h"

/* Calls that a thread may make before others have a turn: so many that the switch, of some hundred
** nanoseconds, is nothing beside them, and so few that who waits for this thread waits for less
** than a millisecond. */
enum { SLICE = 10000 };
/* Of one that is probed: enough to come round a loop that waits, which has few accesses; once it
** is known to spin, fewer: it only sees again that it does. */
enum { PROBE = 128, SPIN = 32 };
/* With a seed, seven slices in eight are of 500 to 4499 calls, as above, but so that threads meet
** at other places each time; the eighth is of 1 to 24, to break up what is a few lines. */
enum { DRAWN = 8, DRAWN_LEAST = 500, DRAWN_MORE = 4000, DRAWN_SHORT = 24 };
/* Probes of one thread that spins before it counts as waiting for ever: a loop that only reads the
** same places may still count to a number, and 6000 probes are some 200,000 accesses. Where very
** many threads spin, those beyond the first 64 are asked for less, for all together go on as long
** already. A thread whose accesses are atomic, or that comes to meet others, looks like one that
** waits, and each of its probes counts for 16. */
enum { CALM_PROBES = 6000, MANY_THREADS = 64, CALM_PROBES_OF_MANY = 500, WAITS = 16 };

bool slice_is_calm(const Run *run, uint64_t threads)
{
    uint64_t few = threads < MANY_THREADS ? threads : MANY_THREADS;

    return run->calm > WAITS * (CALM_PROBES * few + CALM_PROBES_OF_MANY * (threads - few));
}

void slice_watch(Thread *t, bool probing)
{
    t->probing = probing;
    t->front.ops = probing ? &t->run->watching : &t->run->ops;
    t->front.words = probing || t->run->request->advise ? 0 : check_region.size / 4;
}

void slice_begin(Thread *t)
{
    Run *run = t->run;
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
        t->run->calm += t->probe->waits ? WAITS : 1;
    } else {
        schedule_stir(t->run);
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
    schedule_yield(t);
    slice_begin(t);
    if (t->probing)
        *t->probe = (Probe){ .count = 0 };
}

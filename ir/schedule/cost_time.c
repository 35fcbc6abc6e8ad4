/* What machines can do, and how long one takes for what a launch does. */
#include "ir/schedule/cost.h"

#include <math.h>

#include "ir/analysis/warp.h"

enum {
    ISSUED = 4,         /* instructions a clock: a multiprocessor has four schedulers, */
    SECTORS_A_CLOCK = 4 /* and a first cache of 128 bytes a clock (CUDA C++ Programming Guide) */
};

/* Set so that estimates of bench/kernels come in the order of their times on an H100
** (docs/optimisation.md). */
enum {
    LATENCY = 550, /* clocks until memory answers */
    LATENCY_CACHED = 60,
    CHAIN = 2,      /* clocks from one instruction of a warp to the next */
    STARTING = 1800 /* ns that a launch takes to begin and to end */
};

static const Machine machines[] = {
#define MACHINE(arch, ...) { #arch, __VA_ARGS__ },
#include "ir/schedule/machines.def"
#undef MACHINE
};

const Machine *machine_of(const char *arch)
{
    const Machine *found = &machines[0];
    for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
        if (atoi(machines[i].arch + 3) <= atoi(arch + 3))
            found = &machines[i];
    return found;
}

static void limit(Cost *c, double time, const char *by)
{
    if (time <= c->time)
        return;
    c->time = time;
    c->limit = by;
}

void cost_find_time(Cost *c, const Machine *m)
{
    const double streamed = 0.9; /* of the memory's, for what comes in order */
    double tail = c->waves > 1 ? ceil(c->waves) / c->waves : 1;
    double busy = fmin(m->multiprocessors, c->blocks), clocks = m->clock * busy;
    double lanes = WARP_LANES / clocks * tail, warps = c->blocks * ceil(c->threads / WARP_LANES);
    limit(c, c->bytes / (m->memory * streamed), "memory");
    limit(c, c->cached / (m->cache), "cache");
    limit(c, c->sectors / SECTORS_A_CLOCK / clocks * tail, "sectors");
    limit(c, c->accesses / clocks * tail, "accesses");
    limit(c, c->words / clocks * tail, "banks");
    limit(c, c->instructions / ISSUED / clocks * tail, "instructions");
    limit(c, c->instructions / warps * CHAIN / m->clock * fmax(1, ceil(c->waves)), "chains");
    limit(c, c->doubles / m->doubles * lanes, "float64");
    limit(c, c->products / m->products / clocks * tail, "tensor cores");
    limit(c, c->special / m->special * lanes, "functions");
    limit(c, c->atomics, "atomics");
    limit(c,
          (c->steps * LATENCY + c->cached_steps * LATENCY_CACHED) / m->clock *
              fmax(1, ceil(c->waves)),
          "latency");
    c->time += STARTING;
}

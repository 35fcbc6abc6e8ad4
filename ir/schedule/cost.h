/* What a kernel costs on a GPU: one table of what the machines can do, and one estimate.
**
**     time = max(bytes / rate of the memory, of the second cache and of the first;
**                instructions / issue; shared words / banks; special units; latency) x tail
**
** Global accesses cost sectors of 32 bytes that a warp accesses, shared ones the words that lie in
** one bank; what a warp does is multiplied by how often loops make it. Estimates need the right
** order, not the right value: `make bench-gpu` prints how well they rank what was measured. */
#pragma once

#include "ir/optimise.h"

typedef struct Machine {
    const char *arch;
    double multiprocessors, clock, memory, cache; /* GHz; bytes a ns */
    double doubles, special;                      /* operations a clock and multiprocessor */
    double shared;                                /* KB of a multiprocessor */
    double products;                              /* of tensor cores a clock and multiprocessor */
} Machine;

/* The table's entry for "sm_90", the nearest older one if there is none. */
const Machine *machine_of(const char *arch);

/* What all warps of a launch do together, and what comes of it. */
typedef struct Cost {
    double blocks, threads;                /* launched; threads of a block */
    double instructions, doubles, special; /* of warps */
    double accesses;                       /* of warps to global memory */
    double sectors;                        /* that these access, each for itself */
    double bytes;                          /* of memory that has to come at least once */
    double cached;                         /* bytes that the second cache is asked for */
    double words;                          /* of shared memory, one bank after the other */
    double products;          /* of tensor cores, as many as float16 would be in that time */
    double atomics;           /* ns that atomics take, which wait for one another */
    double steps;             /* memory's answers that a thread waits for, one after the other */
    double cached_steps;      /* and those of caches */
    double registers, shared; /* of a thread; bytes of a block */
    double fit, waves; /* blocks that a multiprocessor has at a time; times that it is filled */
    double time;       /* ns */
    const char *limit; /* what it is that takes so long */
} Cost;

/* A launch: the blocks and threads that were asked for, and if `facts` has them, its values. */
typedef struct CostLaunch {
    const IrFacts *facts; /* NULL: nothing is known of the arguments */
    uint32_t grid[3], block[3];
} CostLaunch;

/* What a launch of the kernel as passes left it costs. Loops whose iterations are not known are
** taken for some. */
Cost cost_of(IrUnit *unit, const Machine *machine, const CostLaunch *launch);
/* Whether a value is that of a function that takes the special units, or long. */
bool cost_is_special(const IrValue *value);
/* How many instructions an operation takes, about, without its operands. */
double cost_instructions(const IrValue *value);
/* The time that comes of the rest, of which cost_of() makes use. */
void cost_find_time(Cost *cost, const Machine *machine);
void cost_print(Buf *out, const Cost *cost, const Machine *machine);

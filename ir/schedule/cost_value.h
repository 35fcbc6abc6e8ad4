/* Values as far as a launch shows them, which cost.c multiplies by. Not for others. */
#pragma once

#include "ir/analysis/warp.h"
#include "ir/schedule/cost.h"

typedef struct CostWalk {
    IrUnit *unit;
    IrAffine steps;
    IrSets sets;
    const CostLaunch *launch;
    uint32_t grid[3], block[3]; /* that is launched */
    double weight;              /* how often a thread comes by */
    bool waits;                 /* the statements at hand wait for memory */
    double *accessed;           /* by parameter: bytes in sectors, all of them */
    double *again;        /* by parameter: how often each of its bytes comes, as of a walk before */
    int *first_value;     /* by parameter: its first number of IrFacts.values; -1: it has none */
    double *held;         /* by IrVar.id: what a variable that is set again and again holds now */
    bool last;            /* loops' counters are asked for in their last iteration */
    bool loops;           /* the statements at hand are repeated */
    const IrValue **seen; /* loads of them that were counted */
    int seen_count, seen_capacity;
    bool far; /* some of the statements at hand wait for memory itself */
    Cost cost;
} CostWalk;

/* What a value is, for threads in the middle; NAN: it is not known. */
double cost_number(const CostWalk *w, const IrValue *value);
/* What the launch shows of a parameter: an extent, or with -1 what a number is. */
double cost_launched(const CostWalk *w, const IrVar *param, int axis);
/* The bytes of an array, as the launch shows. */
double cost_array_bytes(const CostWalk *w, const IrVar *array);
/* Of a thread, if others share the loop's iterations; of a loop that is not counted, some. */
double cost_iterations(const CostWalk *w, const IrStmt *loop);

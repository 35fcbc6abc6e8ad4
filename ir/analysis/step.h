/* How integer values change from one thread to its neighbour along an axis of the block. */
#ifndef KJIT_STEP_H
#define KJIT_STEP_H

#include "ir/analysis/divergence.h"

typedef struct IrSteps {
    IrDivergence divergence;
    const IrValue *
        *sets; /* by IrVar.id: what a variable that is set once holds, or a counter's start;
                             else NULL */
} IrSteps;

/* Of the kernel. */
IrSteps ir_steps(const IrUnit *unit);
/* By how much `value` grows with each thread along `axis`; false if that is not known, or differs
** between threads. */
bool ir_step(const IrSteps *steps, const IrValue *value, int axis, int64_t *step);

/* Elements that lie one behind the other in an array, 1, or further apart: how far an access at
** `indices` moves from one thread to the next along `axis`. */
typedef enum IrReach {
    REACH_SAME, /* the same element */
    REACH_NEXT, /* the one beside it */
    REACH_NEAR, /* a few elements on: `*distance` of them, or back */
    REACH_FAR   /* in another row, or who knows where */
} IrReach;
IrReach ir_reach(const IrSteps *steps, const IrValue *array, IrValue *const *indices, int count,
                 int axis, int64_t *distance);

/* The array that an array value is or is a part of: a variable that is no local one; or NULL. */
IrVar *ir_memory_of(const IrValue *array);

#endif

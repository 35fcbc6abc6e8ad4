/* What values differ by between the threads of a launch: along which axes of their place in the
** block, and of the block's in the grid.
**
** A value varies along an axis if two threads that differ in their index along it alone may have
** different ones when both come to the same point. Loads vary as their indices do: threads that
** read one element at one point see one value unless the program has a race. */
#ifndef KJIT_VARY_H
#define KJIT_VARY_H

#include "ir/ir.h"

enum {
    VARY_THREAD = 1, /* << axis: thread_idx */
    VARY_BLOCK = 8,  /* << axis: block_idx */
    VARY_BLOCKS = 7 * VARY_BLOCK,
    VARY_OTHER = 64 /* by something else: a lane, what an atomic found, another function */
};

typedef struct IrVary {
    int *vars; /* by IrVar.id: the bits; of private and shared arrays those of what they hold */
} IrVary;

/* Of the kernel. What happens in `within` is taken as seen from there: conditions and loops around
** it do not count, all threads in question being inside. NULL: the whole body. */
IrVary ir_vary(const IrUnit *unit, const IrRegion *within);

/* The same, where more is known than the text says. */
typedef struct IrVaryRules {
    const IrRegion *const *joint; /* branches which are entered by all threads in question if by
                                     one: their conditions do not count for what is set in them */
    int joint_count;
    const int *least; /* by IrVar.id: bits that variables have whatever sets them; NULL: none */
} IrVaryRules;
IrVary ir_vary_by(const IrUnit *unit, const IrVaryRules *rules);

int ir_vary_value(const IrVary *vary, const IrValue *value);

#endif

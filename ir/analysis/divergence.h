/* What values differ by between the threads of a launch: along which axes of their place in the
** block, and of the block's in the grid.
**
** A value varies along an axis if two threads that differ in their index along it alone may have
** different ones when both come to the same point. Loads vary as their indices do: threads that
** read one element at one point see one value unless the program has a race. */
#pragma once

#include "ir/ir.h"

enum {
    DIVERGES_THREAD = 1, /* << axis: thread_idx */
    DIVERGES_BLOCK = 8,  /* << axis: block_idx */
    DIVERGES_BLOCKS = 7 * DIVERGES_BLOCK,
    DIVERGES_OTHER = 64 /* by something else: a lane, what an atomic found, another function */
};

/* A quotient that is taken to be the same for all threads in question along an axis, or a remainder
** that belongs to such a one: it grows as what is divided does. */
typedef struct IrSteady {
    const IrValue *value; /* floordiv or mod, in the kernel */
    int axis;
} IrSteady;

typedef struct IrDivergence {
    int *vars; /* by IrVar.id: the bits; of private and shared arrays those of what they hold */
    const IrSteady *steady;
    int steady_count;
} IrDivergence;

/* The axis along which a value is taken to be steady, as quotients are, or remainders; -1: none. */
int ir_steady_axis(const IrDivergence *divergence, const IrValue *value);

/* Of the kernel. What happens in `within` is taken as seen from there: conditions and loops around
** it do not count, all threads in question being inside. NULL: the whole body. */
IrDivergence ir_divergence(const IrUnit *unit, const IrRegion *within);

/* The same, where more is known than the text says. */
typedef struct IrDivergenceRules {
    const IrRegion *const *joint; /* branches which are entered by all threads in question if by
                                     one: their conditions do not count for what is set in them */
    int joint_count;
    const int *least; /* by IrVar.id: bits that variables have whatever sets them; NULL: none */
    const IrSteady *steady;
    int steady_count;
    const IrRegion *within; /* as ir_divergence() has it */
} IrDivergenceRules;
IrDivergence ir_divergence_by(const IrUnit *unit, const IrDivergenceRules *rules);

/* DIVERGES_ flags of a value; 0: it is the same for all threads of the launch. */
int ir_divergence_of(const IrDivergence *divergence, const IrValue *value);

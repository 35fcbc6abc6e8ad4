/* What the files of ir/predict/split.h share. Not for other folders. */
#pragma once

#include "ir/predict/split.h"

/* The kernel for one way to split it. */
typedef struct SplitUnit {
    IrUnit *unit;
    int axis;                            /* of the grid */
    IrValue *first, *behind;             /* constants in the kernel: its threads along the axis, */
    IrValue *first_block, *behind_block; /* and blocks that have some of them */
    IrVar **strides; /* variables that count what loops by the grid's stride have gone on */
    int64_t *steps;  /* by how much each grows */
    int stride_count, stride_capacity;
} SplitUnit;

/* What the blocks of one rank do to a parameter. */
typedef struct SplitAccess {
    bool reads, writes, atomics;
    bool used;                /* the result of an atomic is used */
    bool mixed;               /* its atomics do not all have one operation */
    Combine combine;          /* that they have */
    Span read, write, atomic; /* the first of each */
    SplitStretch accessed[RANK_MAX], written[RANK_MAX]; /* along each axis */
} SplitAccess;

/* ---- split_unit.c ---------------------------------------------------------------------------- */

/* What a kernel does that no split may do; NULL: nothing. Puts functions in place of calls. */
const char *split_refused(IrUnit **unit, Span *where);
/* The unit with device functions in the place of their calls, as far as they may stand there. */
IrUnit *split_inlined(IrUnit *unit);
/* A copy of the kernel with the launch's numbers in it. */
SplitUnit split_unit(const SplitRequest *request, const IrUnit *unit, int axis);

/* ---- split_walk.c ---------------------------------------------------------------------------- */

/* What the threads from `first` to before `behind` access: one for each parameter. */
SplitAccess *split_walk(const SplitRequest *request, const SplitUnit *split, uint64_t first,
                        uint64_t behind);

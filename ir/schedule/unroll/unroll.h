/* What unroll.c decides and make.c builds. Not for others. */
#ifndef KJIT_UNROLL_H
#define KJIT_UNROLL_H

#include "ir/analysis/accesses.h"
#include "ir/analysis/divergence.h"
#include "ir/optimise.h"

enum { LIFTED_MOST = 12, CHUNKS_MOST = 8, WIDE_BYTES = 16, STEP_MOST = 1 << 30 };

/* A load that comes before all iterations, or a store that comes behind them. */
typedef struct Lifted {
    const Access *access;
    bool wide;   /* neighbours at neighbouring iterations, which can be had at once */
    IrVar *held; /* private array of what the iterations at hand have */
} Lifted;

/* A loop, and how it is to be unrolled. */
typedef struct Unroll {
    IrUnit *unit;
    IrRegion *region; /* in which it stands */
    IrStmt *loop;
    Accesses accesses;
    Lifted lifted[LIFTED_MOST];
    int count;
    bool *own;       /* by IrVar.id: set in the loop, and of no use outside of the iteration */
    bool chunks;     /* iterations are shared out anew among the grid's threads, `width` to each */
    bool rows;       /* the counter goes by 1 from a multiple of `width` on */
    int width;       /* elements of a wide access */
    int iterations;  /* chunks, or iterations, that are begun at once */
    bool small_step; /* at most STEP_MOST, whatever the launch */
} Unroll;

/* ---- lift.c -------------------------------------------------------------------------------- */

/* Whether a value is the loop's counter; whether nothing in the iteration but that changes it. */
bool unroll_is_counter(const Unroll *u, const IrValue *value);
bool unroll_is_known_before(const Unroll *u, const IrValue *value);
/* Whether two arrays may have memory in common. */
bool unroll_meet(const Unroll *u, const Access *a, const Access *b);
/* Fill u->lifted, each element once. */
void unroll_lift_loads(Unroll *u);
void unroll_lift_stores(Unroll *u);
Lifted *unroll_find_lifted(Unroll *u, const Access *access);
/* Fills u->own; `uses` and `inside` say how often the kernel and the body read each variable.
** False if the counter is read outside of the loop. */
bool unroll_find_own(Unroll *u, const int *uses, const int *inside);

/* ---- make.c -------------------------------------------------------------------------------- */

/* Puts the unrolled loop in front of the loop, which keeps what is left over. */
void unroll_make(Unroll *u);

#endif

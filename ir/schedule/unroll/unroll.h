/* What unroll.c decides and make.c builds. Not for others. */
#ifndef KJIT_UNROLL_H
#define KJIT_UNROLL_H

#include "ir/analysis/accesses.h"
#include "ir/analysis/divergence.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum {
    LIFTED_MOST = 12,
    CLAIMS_MOST = 4,
    CHUNKS_MOST = 8,
    WIDE_BYTES = 16,
    WIDEST_BYTES = 64,
    STEP_MOST = 1 << 30
};

/* A load that comes before all iterations, or a store that comes behind them. */
typedef struct Lifted {
    const Access *access;
    bool wide;   /* neighbours at neighbouring iterations, which can be had at once */
    IrVar *held; /* private array of what the iterations at hand have */
} Lifted;

/* An atomic whose result is used, and that comes before all iterations at hand. */
typedef struct Claim {
    IrStmt *stmt;
    bool one; /* it is one for all lanes and iterations */
    bool *
        unknown; /* by IrVar.id: set on the way to it, to what is not known before all iterations */
    IrVar *held; /* private array of what each iteration found */
} Claim;

/* A loop, and how it is to be unrolled. */
typedef struct Unroll {
    IrUnit *unit;
    IrRegion *region; /* in which it stands */
    IrStmt *loop;
    Accesses accesses;
    Lifted lifted[LIFTED_MOST];
    int count;
    Claim claims[CLAIMS_MOST];
    int claim_count;
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

/* ---- claims.c ------------------------------------------------------------------------------ */

/* Whether what is lifted is the same at any time of the kernel. */
bool unroll_only_read(const Unroll *u);
/* Fills u->claims. */
void unroll_find_claims(Unroll *u);
/* Appends what tells whether an iteration comes to an atomic; and where it does, what clone->stmt
** makes of the atomic. */
void unroll_clone_way(const IrClone *clone, const Unroll *u, const Claim *claim, IrRegion *out);

/* ---- make.c -------------------------------------------------------------------------------- */

/* Puts the unrolled loop in front of the loop, which keeps what is left over. */
void unroll_make(Unroll *u);

#endif

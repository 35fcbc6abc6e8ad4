/* What the files of the pass `wraps` share: wraps.c says what it does. */
#pragma once

#include "ir/analysis/flow/sets.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Wraps {
    IrUnit *unit;
    IrSets sets;
    int *reads;                /* by IrVar.id: how often the kernel reads a variable */
    const IrVar *index;        /* the counter of the loop that is looked at */
    int inside;                /* reads of it in the loop */
    bool wraps;                /* an array is accessed at it */
    struct WrapsPiece *pieces; /* of loops that were split, */
    int piece_count, piece_capacity;
} Wraps;

/* A loop that what is the same at each iteration can be taken out of. */
typedef struct WrapsPiece {
    IrRegion *region; /* in which it stands */
    IrStmt *loop;
} WrapsPiece;

/* Variables that are a loop's own get others in a copy of it. */
void wraps_take_own(const Wraps *w, const IrBuilder *b, IrUses part, IrVar **vars);

/* ---- wraps_apart.c --------------------------------------------------------------------------- */

/* Splits a loop where its counter is the thread's index, if it asks for that; false if not. */
bool wraps_split_apart(Wraps *w, IrRegion *region, IrStmt *loop);

/* ---- wraps_once.c ---------------------------------------------------------------------------- */

/* Puts a loop under a condition, and a copy of it where that does not hold, if it pays; false if it
** does not. */
bool wraps_ask_once(Wraps *w, IrRegion *region, IrStmt *loop);

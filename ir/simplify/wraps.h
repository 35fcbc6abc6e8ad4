/* What the files of the pass `wraps` share: wraps.c says what it does. */
#pragma once

#include "ir/analysis/flow/sets.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Wraps {
    IrUnit *unit;
    IrSets sets;
    int *reads;         /* by IrVar.id: how often the kernel reads a variable */
    const IrVar *index; /* the counter of the loop that is looked at */
    int inside;         /* reads of it in the loop */
    bool wraps;         /* an array is accessed at it */
} Wraps;

/* ---- wraps_once.c ---------------------------------------------------------------------------- */

/* Puts a loop under a condition, and a copy of it where that does not hold, if it pays; false if it
** does not. */
bool wraps_ask_once(Wraps *w, IrStmt *loop);

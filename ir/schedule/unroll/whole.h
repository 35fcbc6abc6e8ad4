/* What whole.c and exits.c share: a copy of a kernel's body in which loops are laid out. */
#pragma once

#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum { TRIPS_MOST = 16 };

/* The numbers that a variable may hold: that of the last of `going` which holds, or the first. */
typedef struct Exits {
    int count;
    IrVar *const *going; /* booleans: going[k] holds only where going[k - 1] does; [0] is NULL */
    const int64_t *numbers;
} Exits;

typedef struct Whole {
    IrUnit *unit;
    IrSets sets;
    const bool *left;
    IrVar **vars;    /* by IrVar.id of what is copied: what stands for it at the moment */
    IrValue **known; /* likewise: the number that it holds; NULL: something else */
    int count;       /* of both */
    int nodes, most; /* of the copy */
    bool any;        /* loop was laid out */
    /* What a block has along each axis: loops in which its threads meet are laid out, `while` loops
    ** too, and no others. NULL: any `for` loops are. */
    const uint32_t *block;
    /* exits.c; by IrVar.id: private arrays whose indices are to be numbers, NULL: none are; and
    ** which numbers a variable may hold, NULL: others */
    const bool *elements;
    const Exits **exits;
    bool failed; /* an index of these cannot be a number */
} Whole;

/* ---- exits.c ------------------------------------------------------------------------------- */

/* Whether a `while` comes to arrays of Whole.elements; appends it laid out. */
bool exits_wanted(const Whole *w, const IrStmt *loop);
void exits_copy(const IrClone *clone, const IrStmt *loop, IrRegion *out);
/* What stands for a load of these, or NULL: it is as any; appends a store, false: likewise. */
IrValue *exits_load(const IrClone *clone, const IrValue *load);
bool exits_store(const IrClone *clone, const IrStmt *store, IrRegion *out);

/* What ragged.c finds and ragged_make.c builds. Not for others. */
#pragma once

#include "ir/analysis/points_to.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/stage/front.h"

enum {
    RAGGED_ELEMENTS = 4,      /* that an iteration has in shared memory, or on the way there */
    RAGGED_ITERATIONS = 1024, /* of a warp's rows that are there at a time, */
    RAGGED_GROUP = 8,         /* and that a lane loads at once */
    RAGGED_MOST = 2048,       /* of a warp's rows together, or the loop goes on as it was */
    RAGGED_BYTES = 36 << 10   /* of a block's shared memory */
};

/* An element that an iteration accesses, whichever thread makes it: at indices of the counter, of
** arguments, and of elements before it in the list. */
typedef struct RaggedElement {
    const IrVar *array;
    IrValue *const *index;
    int count; /* of indices */
    bool stored;
    bool loaded;        /* before any store */
    bool used;          /* by the iteration itself, not only for where others are */
    IrVar *near, *held; /* of ragged_make.c */
} RaggedElement;

typedef struct RaggedLoop {
    IrStmt *loop;
    RaggedElement elements[RAGGED_ELEMENTS];
    int count;
    Directive *directive;
} RaggedLoop;

typedef struct Ragged {
    IrUnit *unit;
    IrSets sets;
    IrPointsTo points_to;
    RaggedLoop *loops;
    int count, capacity;
    bool pays;     /* some loop finds something through the rows, or stores */
    bool remarked; /* remarks on what forbids them were made */
} Ragged;

/* The element of a loop that an access is of, or NULL. */
const RaggedElement *ragged_find(const RaggedLoop *loop, const IrValue *array,
                                 IrValue *const *index, int count);
/* The loop of Ragged.loops that a statement is, or NULL; whether it has one in it. */
const RaggedLoop *ragged_loop(const Ragged *r, const IrStmt *stmt);
bool ragged_inside(const Ragged *r, const IrStmt *stmt);
/* Finds the loops, also again, when variables have new numbers. */
void ragged_look(Ragged *r, const Guarded *guarded);

/* ---- ragged_make.c -------------------------------------------------------------------------- */

/* Puts the loops that were found through shared memory, and says so. */
void ragged_make(Ragged *r, Guarded *guarded);

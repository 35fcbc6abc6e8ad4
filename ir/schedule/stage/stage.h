/* What stage.c finds and stage_make.c builds. Not for others. */
#pragma once

#include "ir/analysis/affine.h"
#include "ir/optimise.h"

enum {
    STAGED_MOST = 4, /* arrays, or parts of them, that a loop reads through shared memory */
    SPAN_MOST = 512  /* indices of a block along an axis */
};

/* An integer as a sum: what all threads of a block have, and so much for each step of a thread
** along each axis, and numbers. Tiles that move back from an end (coarsen/shift.c) have no more
** than `most` of what the threads and the number `within` come to. */
typedef struct TileIndex {
    IrValue *block; /* NULL: nothing */
    int64_t slope[3], number;
    IrValue *most; /* the same for all threads of a block; NULL: no matter */
    int64_t within;
} TileIndex;

/* Elements of an array that the block's threads read in one iteration: those at the counter along
** one of its axes, and at consecutive indices along another. */
typedef struct Staged {
    IrValue *const *index; /* of one of the loads that read it */
    const IrVar *array;
    int count;          /* of indices */
    int counter, along; /* the number of the index that is the counter, and the index */
    int axis;           /* of the launch, along which indices go */
    IrValue *first;     /* the block's first index is this and `low` */
    IrValue *most;      /* of TileIndex; then no index beyond it and `reach` is read */
    int64_t reach;
    int64_t group; /* neighbours that move back together, of which each thread reads no other: in
                      the shared array they stay where they were; 0: there are none */
    int64_t low, span;    /* indices */
    int width;            /* neighbours in memory that every read has, from a multiple on */
    bool seen[SPAN_MOST]; /* which of the indices some thread reads, from 0 */
    IrVar *near;          /* the shared array, by counter and index */
    struct Directive *directive;
} Staged;

typedef struct Stage {
    IrUnit *unit;
    IrAffine affine;
    IrStmt *branch, *loop; /* the branch around all the tile's work, the loop in its first part */
    IrRegion *region;  /* where the loop stands: there, or under conditions that a block shares */
    IrSets inside;     /* of all that the loop repeats */
    uint32_t block[3]; /* of real threads */
    Staged staged[STAGED_MOST];
    int count;
    int iterations; /* that are staged at once */
    int ahead;      /* how often as many are on their way meanwhile; 0: threads wait for them */
} Stage;

/* What a load, or a wide load, of the loop is made of; false if it is no such read. */
typedef struct StageRead {
    const IrVar *array;
    IrValue *const *index;
    int count, width; /* elements that it reads, along the last index */
} StageRead;

bool staged_read(const IrValue *value, StageRead *read);
/* Which of s->staged a read belongs to, and its index in the block; NULL if none, or if some of
** what it reads is not among that, as only threads that meet a condition ask for it. */
Staged *staged_find(Stage *s, const StageRead *read, TileIndex *index);

/* ---- stage_make.c ---------------------------------------------------------------------------- */

/* Puts the staged loop in front of the loop, which keeps the iterations that are left over. */
void stage_make(Stage *s);

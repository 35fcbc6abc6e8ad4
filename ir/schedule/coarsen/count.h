/* What the kernel reads and writes, counted by how it moves along the axes of the grid: for
** choose.c, which decides by it. */
#pragma once

#include "ir/analysis/polynomial.h"
#include "ir/analysis/warp.h"
#include "ir/schedule/coarsen/coarsen.h"

/* Weighed by how deep in loops they stand. */
typedef struct Along {
    bool used;   /* the kernel asks for indices along it */
    int dense;   /* accesses that move by one element */
    int always;  /* of these, those that always happen, of whole arrays */
    int wide;    /* of these, those of rows that begin at 16's, at multiples of 16 bytes */
    int sliding; /* loads that would be, but for the counter of the loop around, by whose step they
                    move as well */
    int close;   /* that move by one along the last axis but one, as interleaved channels do, or by
                    a few elements along the last */
    int strided; /* of these, those that move by more than one element */
    int far;     /* that move otherwise */
    int jumping; /* of these, those of which it is not known how */
    int inside;  /* accesses that stay in a row of elements, or of groups, however they move */
    int shared;  /* loads in loops that do not move */
    int spread[3]; /* of these, those that move along another axis, by that */
    int stored;    /* of the dense ones, stores */
    int pieces;    /* stores at a remainder of the index: those move by one, mostly */
    int turned; /* of those that always happen, others than the lanes of another axis would share */
    int queued; /* atomics that move by one: a warp's go on their way together as they are */
    int summed; /* atomics on one element for all along it, that a tile does at once; */
    bool grouped; /* some of them because so many threads have one quotient */
    int apart;   /* that move by whole rows of the most axes: 0 none, else the axes behind, and 1 */
    int both[3]; /* accesses in loops that move along this axis and another */
    size_t bytes; /* of the largest element among dense ones; 0: none */
} Along;

typedef struct Count {
    IrUnit *unit;
    const IrAffine *affine;
    IrPolynomials sums; /* of the kernel, whole */
    Along along[3];
    const IrValue **loads; /* of whole arrays */
    int load_count, load_capacity;
    int bytes;            /* that loads bring which differ between threads */
    const IrVar *counter; /* of the loop around, which goes by 1; NULL: there is none */
    bool few;             /* that loop has no more iterations than a group has elements */
    int total, weight, depth, conditions;
    int nodes;
    bool asked[3];     /* by axis: some condition in a loop differs along it */
    bool divergent[3]; /* by axis of the grid: some loop's iterations vary along it */
    bool privates;     /* a thread has an array of its own */
    bool checkered[3]; /* every other thread along the axis has something to do */
    bool slants;       /* loops were split that begin or end at the index (slant.c) */
    bool functions;    /* it computes some that take long (cost_is_special()) */
    int doubles;       /* how many of these, of float64 */
} Count;

/* Whether two loads of an array in one axis, at i * w + j, are of one element where they stand in
** threads that are apart along an axis. */
bool count_apart_in_rows(const Count *c, const IrValue *a, const IrValue *b, int axis);
/* Whether an access is of another element for the next index along an axis. */
bool count_varies(const Count *c, const IrValue *array, IrValue *const *indices, int axis);
/* Counts what the kernel does behind its guard, into `c`, of which unit, affine and a weight of 1
** are set. */
void count_all(Count *c, const IrUnit *unit, const Guarded *guarded);

/* How a kernel's accesses move from a thread to the next along each axis of the grid, counted for
** choose.c. Of float32 a, b and c of two axes, with i = grid(0) and k the counter of a loop:
**
**     load(a, k, i)    dense along x: it moves by one element
**     load(b, i, k)    far along x: it moves by a row
**     load(c, k, 0)    shared along x: it does not move */
#pragma once

#include "ir/analysis/polynomial.h"
#include "ir/analysis/warp.h"
#include "ir/schedule/coarsen/coarsen.h"

/* Accesses along one axis, each counted LOOP_WEIGHT times as often in a loop. */
typedef struct Along {
    bool used;     /* the kernel asks for indices along it */
    int dense;     /* that move by one element; of these */
    int always;    /*     those of whole parameters that no condition leaves out, */
    int turned;    /*     of which other indices of the grid are part, too, as in transposes; */
    int wide;      /*     those that are one wide access for neighbours; */
    int sliding;   /*     loads that would be, but that move with the loop's counter, too; */
    int stored;    /*     stores */
    int close;     /* that move by a group, as interleaved channels, or few elements; of these */
    int strided;   /*     those that move by a few elements, */
    int spaced;    /*     stores of elements of 4 bytes or more */
    int far;       /* that move otherwise; of these */
    int jumping;   /*     those of which it is not known by how much; */
    int pieces;    /*     stores at a remainder of the index, which mostly move by one */
    int inside;    /* that stay in a row of elements, or of groups, however they move */
    int shared;    /* loads in loops that do not move; of these */
    int spread[3]; /*     those that move along another axis, by that */
    int both[3];   /* accesses in loops that move along this axis and another, by that */
    int queued;    /* atomics that move by one: a warp's are on their way together as they are */
    int summed;    /* atomics on one element for all along it, which a tile does at once; */
    bool grouped;  /*     some of them because so many threads have one quotient */
    int apart;     /* the most axes of an array from the first on that an access moves in */
    size_t bytes;  /* of the largest element of dense ones; 0: there is none */
} Along;

typedef struct Count {
    IrUnit *unit;
    const IrAffine *affine;
    IrPolynomials sums; /* of the kernel, whole */
    Along along[3];
    const IrValue **loads; /* each as it stands in the text */
    int load_count, load_capacity;
    int bytes;            /* of loads that differ between threads */
    const IrVar *counter; /* of the loop around, which goes by 1; NULL: there is none */
    bool few;             /* that loop has no more iterations than a group has elements */
    int total;            /* accesses, weighed */
    int weight, depth;    /* of what is at hand: how often it counts, loops around it, */
    int conditions;       /* and conditions around it that differ between threads */
    int nodes;            /* of the text */
    bool asked[3];        /* by axis: some condition in a loop differs along it */
    bool divergent[3];    /* by axis of the grid: some loop's iterations vary along it */
    bool privates;        /* a thread has an array of its own */
    bool checkered[3];    /* every other thread along the axis has something to do */
    bool slants;          /* loops were split that begin or end at the index (slant.c) */
    bool functions;       /* it computes some that take long (cost_is_special()) */
    bool alike;           /* some of those in loops are the same for all threads */
    int doubles;          /* how many of these, of float64 */
} Count;

/* Whether two loads of an array in one axis, at i * w + j, are of one element where they stand in
** threads that are apart along an axis. */
bool count_apart_in_rows(const Count *c, const IrValue *a, const IrValue *b, int axis);
/* Whether an access is of another element for the next index along an axis. */
bool count_varies(const Count *c, const IrValue *array, IrValue *const *indices, int axis);
/* Counts what the kernel does behind its guard, into `c`, of which unit, affine and a weight of 1
** are set. */
void count_all(Count *c, const IrUnit *unit, const Guarded *guarded);

/* ---- share.c ------------------------------------------------------------------------------- */

/* Whether threads do the work of several as their loads jump, and which tile: where lanes go along
** the tile's axis for them; where channels lie along it, which are too few. */
bool tile_jumping(const Count *c, const Guarded *guarded, Tile *tile);
bool tile_pixels(const Count *c, const Guarded *guarded, Tile *tile);

/* ---- choose.c ------------------------------------------------------------------------------ */

/* Whether a machine is filled by what is left if a thread does the work of eight. */
bool tile_has_plenty(const Count *c);

/* What the files share that put a tiled product in a kernel's place. Not for others. */
#pragma once

#include "ir/schedule/tensor/tensor.h"

/* A factor's elements by their place in memory: what of that a thread has for each of its rows, and
** what there is for each k of a step. */
enum { GATHERED = 2, MASKS_MOST = 4 }; /* parts of an index: the row's, k's; conditions */
typedef struct GatherMask {
    const IrValue
        *index; /* that conditions compare with what is the same for all rows and each k */
    IrValue *parts[GATHERED];
    IrVar *own, *steps; /* of them, in shared memory; NULL: of none */
} GatherMask;

typedef struct Gather {
    const IrValue *load; /* NULL: they are loaded by indices */
    IrValue *place[GATHERED];
    IrVar *own, *steps, *flat;
    bool wraps; /* a part may be negative, or both together no place */
    GatherMask mask[MASKS_MOST];
    int masks;
} Gather;

typedef struct TensorBuild {
    IrBuilder b[1];
    Product *p;
    const TensorTile *tile;
    IrVar *const *threads;
    IrVar *index[3]; /* by axis of the grid: what stands for grid(axis) where a value is put */
    IrVar *k;        /* the iteration of all loops together that a value is put for */
    IrVar *counter[NEST_MOST];            /* what stands for the loops' counters then */
    IrValue *trips[NEST_MOST];            /* of each but the outermost */
    IrVar *part, *base;                   /* the part of its axis at hand, and where that begins */
    IrVar *at_part[2];                    /* the first index that a block has of it, and the last */
    IrVar *first[FACTORS], *end[FACTORS]; /* of the block's indices; of all */
    IrVar *flat;  /* how many values the index has that is split; NULL: none is split */
    IrVar *width; /* of two axes that are joined: how many indices there are of the nearer one */
    IrVar *self, *lane;   /* a thread's number in the block, and in its warp */
    IrVar *warp[FACTORS]; /* where its warp's sums begin in the tile */
    IrVar *near[FACTORS], *sums;
    IrVar *held; /* what lanes hold of a form that works ahead */
    Gather gather[FACTORS];
    IrVar *stop;
    TileForm form; /* by which it multiplies */
    int depth;     /* iterations of a step */
    int stages;    /* steps that shared memory has room for */
    int ahead;     /* steps that are loaded before they are multiplied */
    bool inside;   /* all of the tile that is being loaded is within its array, and the loop */
    IrVar *ready;  /* mbarriers, one a buffer, by which boxes come; NULL: none do */
} TensorBuild;

/* ---- make_value.c -------------------------------------------------------------------------- */

/* A clone in which a value of the kernel stands where indices and counter are held in variables. */
IrClone clone_of(const TensorBuild *m);
IrValue *put(const TensorBuild *m, const IrValue *value);
/* Has values stand for the first index of the part at hand, if there are parts. */
void put_in_part(TensorBuild *m);
/* Whether an index is in that part. */
IrValue *is_in_part(const TensorBuild *m, IrVar *index);
/* Sums, comparisons and minima of variables and values. */
IrValue *sum_of(const TensorBuild *m, const IrVar *a, IrValue *b);
IrValue *below(const TensorBuild *m, const IrVar *index, const IrVar *end);
/* `all`, and that these hold. */
IrValue *hold(const TensorBuild *m, const Terms *terms, IrValue *all);
/* Which of so many buffers holds the iterations from `step` on. */
IrValue *buffer_of(const TensorBuild *m, const IrVar *step, int buffers);
int block_threads(const TensorTile *tile);
/* Whether a factor's indices are those of two axes. */
bool is_joined(const TensorBuild *m, int f);
/* Has a variable stand for the index of a factor's axis, or axes. */
void put_index(TensorBuild *m, int f, IrVar *index, IrRegion *out);

/* ---- make_tile.c --------------------------------------------------------------------------- */

/* Whether a group of warps reads a factor's tile. */
bool is_grouped(const TensorBuild *m, int f);
IrVar *new_near(const TensorBuild *m, int f);
/* The element of a tile. */
void near_indices(const TensorBuild *m, int f, IrVar *buffer, IrVar *at, IrVar *k,
                  IrValue *indices[3]);
/* What the block loads of a factor for the iterations from `step` on; with `rolled`, in as few
** statements as that takes. */
void append_tile(TensorBuild *m, int f, IrVar *step, IrVar *buffer, bool rolled, IrRegion *out);
/* The index in the grid of what is at a place of the tile; with `held`, that of the last there is
** for those beyond, and that of the first for those of other parts in front. */
IrVar *append_own(TensorBuild *m, int f, IrValue *at, bool held, IrRegion *out);
/* So many elements on their way to a tile, from an array's on. */
IrStmt *async_copy_stmt(const TensorBuild *m, int f, IrValue *const near[3], IrValue *array,
                        IrValue *const *indices, int rank, int count);
/* What stands for a factor where there is none: a zero; and that in its place. */
IrValue *filling(const TensorBuild *m, int f);
IrStmt *fill_stmt(const TensorBuild *m, int f, IrValue *const near[3], IrValue *value);
/* What a thread has loaded of a factor, as it is multiplied. */
void append_split(TensorBuild *m, int f, IrVar *buffer, IrRegion *out);

/* ---- make_boxes.c -------------------------------------------------------------------------- */

/* Makes the mbarriers, m->ready. */
void boxes_new(TensorBuild *m);
/* Appends what initialises them, by all threads of a block. */
void boxes_begin(TensorBuild *m, IrRegion *out);
/* Appends what one thread loads for a step that lies within the loop. */
void boxes_load(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out);
/* Appends that no bytes come for a step that does not, whose elements threads copy themselves. */
void boxes_skip(TensorBuild *m, IrVar *buffer, IrRegion *out);
/* Appends the wait for what was loaded for a step. */
void boxes_wait(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out);

/* ---- make_gather.c ------------------------------------------------------------------------- */

/* Finds which factors can be loaded so; axes of those that cannot are not joined. */
void gather_find(TensorBuild *m);
bool gather_any(const TensorBuild *m);
/* Sets what a thread has for its rows. */
void gather_begin(TensorBuild *m, IrRegion *out);
/* Sets what there is for each k from a step on, in the buffer of that step: behind a barrier it can
** be read. */
void gather_steps(TensorBuild *m, IrValue *step, IrRegion *out);
/* As append_tile(), of a step that lies within the loop. */
void gather_tile(TensorBuild *m, int f, IrVar *step, IrVar *buffer, IrRegion *out);

/* ---- make_loops.c -------------------------------------------------------------------------- */

/* Sets m->stop and what loops have of trips; gives where k starts. */
IrVar *append_bounds(TensorBuild *m, IrRegion *out);
/* Sets m->k and m->counter for an iteration so many behind a step. */
void append_counters(TensorBuild *m, IrVar *step, IrVar *behind, IrRegion *out);
/* The loop over the parts of an axis that a block has rows or columns of; gives its body. */
IrRegion *append_parts_of_block(TensorBuild *m, IrRegion *out);

/* ---- make_axes.c --------------------------------------------------------------------------- */

/* Appends the loop over a block's tiles, and sets where each begins and ends; gives its body. */
IrRegion *axes_tiles(TensorBuild *m, IrRegion *out);
/* Whether the axes' indices are those of a thread that was asked for; NULL: no index is split. */
IrValue *axes_have(const TensorBuild *m);

/* ---- slant.c -------------------------------------------------------------------------------- */

/* Sets where the indices end that are bounded by others. */
void slant_ends(TensorBuild *m, IrRegion *out);
/* Whether the block's tile has elements within these bounds; NULL: there are none. */
IrValue *slant_any(TensorBuild *m);

/* ---- make_sum.c ---------------------------------------------------------------------------- */

/* The private arrays of a lane: its sums, and the factors that it holds ahead. */
void new_sums(TensorBuild *m);
/* Sets a lane's sums to what they begin with. */
void append_begin(TensorBuild *m, IrRegion *out);
/* What followed the loop, for each sum; a thread does the loop again for its own if it has some
** that conditions in the loop may have changed. */
void append_end(TensorBuild *m, IrRegion *out);
/* Whether any of a lane's sums is infinite or NaN; or, of float64, 0. */
IrVar *append_odd(TensorBuild *m, IrRegion *out);

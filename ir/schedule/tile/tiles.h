/* What the files of the pass `tiles` share: tiles.c says what it does. */
#pragma once

#include "ir/analysis/flow/uses.h"
#include "ir/schedule/coarsen/coarsen.h"

typedef enum TilePartKind {
    TILE_NEST,  /* statements for each thread of the tile: loops over its indices */
    TILE_ONCE,  /* a set that is the same for all of them */
    TILE_IF,    /* a branch that all of them take, or none */
    TILE_CLIP,  /* a branch that those between two bounds take */
    TILE_LOOP,  /* a loop whose iterations are the same for all */
    TILE_WHILE, /* the same, of a block that meets in it */
    TILE_STRIDE /* a loop from grid(axis) by gridsize(axis) */
} TilePartKind;

/* One end of the indices along an axis that come into a branch: below `end` if `high`, else from
** `end` on. Variables of indices are resolved in it: it is the same for all threads. */
typedef struct TileBound {
    int axis;
    bool high;
    bool only; /* with the other end it leaves one index */
    IrValue *end;
} TileBound;

typedef struct TilePart TilePart;
struct TilePart {
    TilePartKind kind;
    const IrStmt *stmt; /* all but a nest */
    TilePart *next, *then, *otherwise;
    int axis;             /* of a stride */
    bool of_block;        /* of a stride: that of the block */
    unsigned whole;       /* of a stride: the axes that go through it at once */
    bool in_whole;        /* it stands in one that some go through at once */
    bool repeated;        /* a loop stands around */
    bool in_order;        /* of a nest: no vectors, as each thread goes along memory of its own */
    const IrStmt **stmts; /* of a nest */
    int count, capacity;
    TileBound *bounds; /* of a clip */
    int bound_count, bound_capacity;
    unsigned char *uses; /* of a nest, by IrVar.id: USE_ flags */
};

/* How a variable of the kernel is had in the loops. */
typedef enum TileVar {
    TILE_VAR_OWN,   /* a local of the one nest that has it */
    TILE_VAR_AGAIN, /* computed again in each nest */
    TILE_VAR_ONCE,  /* one for the tile */
    TILE_VAR_KEPT   /* an element of an array, one for each thread of the tile */
} TileVar;

typedef struct Tiles {
    IrUnit *unit;
    bool block;   /* a tile is a block, and indices are those in it: block.c */
    bool *common; /* by IrVar.id: set more than once, each time for the whole block */
    IrAffine affine;
    TilePart *plan;
    TilePart **nests;
    int nest_count, nest_capacity;
    TileVar *vars;        /* by IrVar.id */
    int *stride_axes;     /* by IrVar.id of what a stride counts in */
    const IrStmt **again; /* the sets of variables that are computed again, in order */
    int again_count, again_capacity;
    const IrRegion **joint; /* the clipped branches */
    int joint_count, joint_capacity;
    bool by_threads; /* no loop is gone through at once */
    bool heavy;      /* a loop stands around a nest */
    bool inside;     /* a loop along memory stands in one */
    bool across;     /* tiles follow each other along the last axis but one */
    bool shared;     /* any number of threads may share the iterations of the kernel's one loop */
    const char *why; /* it cannot be done; NULL: it can */
    Span where;
    int order[3];     /* the axes of the loops, outermost first */
    int axes;         /* how many */
    int64_t along[3]; /* by axis: indices of a tile */
} Tiles;

/* ---- conditions.c ------------------------------------------------------------------------- */

/* Has the kernel's conditions stand where they are asked for, as one value each. */
void tiles_join_conditions(IrUnit *unit);

/* A comparison of integers that is as it `holds` where `left < right`, with `or_equal` <=. */
typedef struct TileLess {
    const IrValue *node, *left, *right;
    bool or_equal, holds;
} TileLess;
typedef void TileLessVisitor(void *context, const TileLess *less);
/* Visits the comparisons that all together have a condition be as `wanted`. Looks behind names by
** `sets`, but not those that are invariant in a loop, of whose sets `loop` is (NULL: there is
** none). Parts of a condition that are no comparisons are left out. */
void tiles_each_less(const IrSets *sets, const IrSets *loop, const IrValue *condition, bool wanted,
                     TileLessVisitor *visit, void *context);

/* ---- windows.c ---------------------------------------------------------------------------- */

/* Has loops over windows that are cut off at borders ask for these in each iteration. */
void tiles_ask_in_windows(IrUnit *unit);

/* ---- inside.c ----------------------------------------------------------------------------- */

/* Has blocks of a kernel whose threads meet run a copy of it that asks for no borders where they
** lie inside of these. */
void tiles_inside(IrUnit *unit, const uint32_t block[3]);

/* ---- strides.c ---------------------------------------------------------------------------- */

/* Has loops by the size of a block begin at the thread's index. */
void tiles_begin_strides(IrUnit *unit, const uint32_t block[3]);

/* ---- whole.c ------------------------------------------------------------------------------ */

/* The axes of a block, 1 << axis, whose threads go through the iterations of a loop all at once, as
** its counter is all that it shows of them; 0: they do not. */
unsigned tiles_whole(const Tiles *tiles, const IrStmt *loop, const bool *left);

/* ---- plan.c ------------------------------------------------------------------------------- */

/* The parts of a kernel and what becomes of its variables. False if some variable cannot be had. */
bool tiles_plan(Tiles *tiles);

/* ---- bounds.c ------------------------------------------------------------------------------ */

/* What a value differs by between the threads of a tile: DIVERGES_ bits. */
int tiles_bits(const Tiles *tiles, const IrValue *value);

typedef enum Made {
    MADE_OUTSIDE = 0,
    MADE_AGAIN = 1, /* also of what a thread computes again */
    MADE_STABLE = 2 /* of nothing that changes */
} Made;
/* Whether a value is cheap, and made of parameters and of variables that there are outside of the
** loops, or as the flags say. */
bool tiles_made_of(const Tiles *tiles, const IrValue *value, Made made);
/* Whether a value is the same for all threads of the tile, and there outside of the loops. */
bool tiles_outside(const Tiles *tiles, const IrValue *value);
/* The index in the grid, along the axis of `grid`, of a block's first thread. */
IrValue *tiles_base(Arena *arena, const IrValue *grid);
/* Fills the bounds that `condition`, or with `wanted` false its contrary, is on indices; gives what
** is left of it, NULL if nothing is. */
IrValue *tiles_clip(const Tiles *tiles, const IrValue *condition, bool wanted, TilePart *clip);

/* ---- sums.c ------------------------------------------------------------------------------- */

/* What the threads of a nest add to elements that are the same for all of them. */
typedef struct TileSums {
    struct TileSum {
        const IrStmt *stmt; /* eval atomic_add(...) */
        IrVar *sum, *met;   /* what comes together; how many add, NULL: it need not be known */
    } * list;
    int count, capacity;
    bool whole; /* the nest has no other effects of which the order shows */
} TileSums;

/* The atomic sums of a nest that may be gathered. */
TileSums tiles_sums(const Tiles *tiles, const TilePart *nest);
/* Sets the sums to nothing; what stands for such a statement in the loop; adds them up behind it,
** where `value` says what stands for a value outside of the loops. */
void tiles_sums_begin(const Tiles *tiles, TileSums *sums, IrRegion *out);
bool tiles_sums_stmt(const IrClone *clone, const TileSums *sums, const IrStmt *stmt, IrRegion *out);
void tiles_sums_end(const Tiles *tiles, const TileSums *sums, const IrClone *outside,
                    IrRegion *out);
/* The variables of sums, for the loop to know. */
IrVar **tiles_sums_vars(const Tiles *tiles, const TileSums *sums, int *count);

/* ---- block.c ------------------------------------------------------------------------------ */

/* Makes loops of the threads of a kernel that uses its block, if that is legal; else gives the
** reason. `block`: what it has along each axis, NULL: as launched. */
void tiles_of_block(IrUnit *unit, const uint32_t *block);

/* ---- warps.c ------------------------------------------------------------------------------ */

/* Appends the kernel's statements with barriers in place of what lanes of a warp do together, and
** says how many threads of a block lie along which axis of it then; else gives the reason. */
const char *tiles_lay_warps(IrUnit *unit, IrRegion *body, uint32_t block[3], Span *where);

/* ---- tiles.c -------------------------------------------------------------------------------- */

/* Puts `axes`, 1 << axis, and those that the kernel asks for in order, that along which memory goes
** last. */
void tiles_choose_order(Tiles *tiles, unsigned axes);
/* Whether an access goes along memory by what a stride along `axis` counts. */
bool tiles_go_by_stride(const Tiles *tiles, const IrValue *array, IrValue *const *indices,
                        int axis);
/* Which axis of what is launched stands for one that was asked for: blocks follow each other along
** the first, which is the innermost or, if `across`, the one around it. */
int tiles_launched(const Tiles *tiles, int axis);
enum { STACK_MOST = 256 << 10 }; /* bytes that a tile may keep: they lie on the stack */

/* What an index of a tile keeps between nests, in bytes. */
int64_t tiles_kept_bytes(const Tiles *tiles);

/* ---- prefetch.c --------------------------------------------------------------------------- */

/* An iteration of a loop by strides, or the first of several that are done at once: what it counts
** lies from `low` up to `high`. */
typedef struct TileIteration {
    IrVar *low, *high;
    const IrValue *step;
    int at_once;
} TileIteration;

/* Asks for what as many later iterations will read. */
void tiles_prefetch(const Tiles *tiles, const TilePart *stride, const TileIteration *iteration,
                    IrRegion *out);

/* ---- along.c ------------------------------------------------------------------------------ */

/* Whether a loop goes along memory by its iterations, and the threads do not. */
bool tiles_along(const Tiles *tiles, const IrStmt *loop);
/* Whether an index is what a loop counts in, or so far from it. */
bool tiles_is_counter(const Tiles *tiles, const IrVar *counter, const IrValue *index);
/* Whether a nest has such loops. */
bool tiles_along_any(const Tiles *tiles, const TilePart *nest);

/* ---- rows.c ------------------------------------------------------------------------------- */

/* Has some threads of one axis run side by side, if each goes along memory of its own; false: the
** kernel is what it was. */
bool tiles_jam_rows(Tiles *tiles);

/* ---- stage.c ------------------------------------------------------------------------------ */

/* Loads of a nest that are the same for all but the lanes, to be collected in front of it. */
typedef struct TileStage {
    const IrValue **loads;
    int count, capacity;
} TileStage;

/* The loads of a nest that are collected in front of it. */
TileStage tiles_stage(const Tiles *tiles, const TilePart *nest);
/* Whether an array is a parameter that the kernel does not write, by no other name either. */
bool tiles_read_only(const IrUnit *unit, const IrValue *array);
/* Whether any nest has such loads, the order of the axes being known. */
bool tiles_stage_any(const Tiles *tiles);

/* ---- transposed.c ------------------------------------------------------------------------- */

/* Loads of a loop's one nest that go along rows of memory, a row for each thread: ROWS_LOADED
** iterations of as many threads are loaded at once. */
TileStage tiles_transposed(const Tiles *tiles, const TilePart *loop);
/* Whether that is how the loops of the kernel load whatever its threads have rows of. */
bool tiles_transposed_all(const Tiles *tiles);

/* ---- through.c ---------------------------------------------------------------------------- */

/* Leaves out the shared arrays of a kernel that is loops which elements only go through. */
void tiles_through(IrUnit *unit);

/* ---- make.c ------------------------------------------------------------------------------- */

/* The kernel's body for a tile; `threads` by axis: how many there are in all. */
IrRegion tiles_make(const Tiles *tiles, IrVar *const *threads);

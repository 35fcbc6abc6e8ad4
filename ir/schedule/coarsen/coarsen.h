/* What the files of the pass `coarsen` share: coarsen.c says what it does. */
#pragma once

#include "ir/analysis/affine.h"
#include "ir/clone.h"
#include "ir/optimise.h"
#include "ir/schedule/privatise/privatise.h"
#include "ir/schedule/schedule.h"

/* Which of the threads asked for one real thread stands for: along two axes of the grid, the lanes'
** and another, `count[side][NEAR]` neighbours, and that `count[side][APART]` times, `gap` apart. */
enum { LANES, ACROSS, SIDES };
enum { NEAR, APART, STEPS };
enum {
    TILE_MAX = 64,      /* threads that one stands for */
    LEAST_BLOCKS = 1024 /* that fill the largest machine, each having few threads */
};

typedef struct Tile {
    int axis[SIDES]; /* of the grid asked for; ACROSS: -1 if there is no other */
    int count[SIDES][STEPS];
    int64_t gap[SIDES];
    uint32_t block[3];   /* of real threads: by axis of what is launched */
    uint8_t launched[3]; /* axis k of what is launched stands for which of what was asked */
    bool scalar[SIDES];  /* accesses of neighbours stay apart */
} Tile;

/* Which of the threads of a tile: how many steps from the first. */
typedef struct TileCoord {
    int at[SIDES][STEPS];
} TileCoord;

/* Steps of a tile, as bits: 1 << (side * STEPS + step). */
typedef unsigned Steps;
enum { STEP_BITS = SIDES * STEPS };

/* The threads of a tile; those along one side of it. */
int tile_size(const Tile *tile);
int tile_along(const Tile *tile, int side);
/* Goes to the next thread of the tile that differs in `steps` alone; false behind the last, `coord`
** as it began. Neighbours come first. */
bool coord_next(const Tile *tile, Steps steps, TileCoord *coord);
/* A thread's number in the tile, where only `steps` count. */
int coord_number(const Tile *tile, Steps steps, TileCoord coord);

/* ---- grid.c ------------------------------------------------------------------------------- */

/* Has the kernel ask for indices by grid(axis) and gridsize(axis) where it can. */
void ir_grid_indices(IrUnit *unit);
/* Whether a value is the same for all threads of a block of what is launched: uniform, or made of
** indices along axes of which the blocks of a free shape have one thread. */
bool ir_one_of_block(const IrUnit *unit, const IrSets *sets, const IrValue *value);
/* Puts variables instead of grid(axis) and gridsize(axis), by axis; those of axes that the
** statements do not ask for may be NULL, and `indices` if those are to stay. */
void ir_put_indices(Arena *arena, const IrRegion *body, IrVar *const *indices,
                    IrVar *const *threads);

/* Whether a kernel, after that, asks for no more than the thread's index along the first so many
** axes; and, with `size`, how many there are. */
bool ir_goes_along(const IrFunc *fn, int axes, bool size);
/* The axes along which a kernel, after ir_grid_indices(), asks for the thread's index: a bit each.
*/
unsigned ir_axes_asked(const IrFunc *fn);
/* Blocks of so many threads along what is launched first, of which each stands for one that was
** asked for; axes that were exchanged stay so. */
void ir_shape_blocks(IrUnit *unit, int threads);

/* ---- independent.c ------------------------------------------------------------------------ */

/* Whether the user has said something of blocks or registers, which was said of those asked for. */
bool ir_is_bound(const IrOptions *options);
/* Whether a variable of a function holds arrays. */
bool ir_holds_arrays(const IrFunc *fn);
/* Whether what the kernel writes overlaps no other argument. */
bool ir_writes_alone(const IrUnit *unit);
/* Whether threads wait for one another, or others see what they do when. Of IrFunc.effects. */
bool ir_shows_order(const IrFunc *fn);
/* What keeps the kernel's threads from being on their own, and where; NULL: nothing. */
const char *ir_dependent(IrUnit *unit, Span *span);
/* The same of threads that may do one after the other all that they do, but not side by side: they
** may use what atomics found, if they have no loops. */
const char *ir_dependent_but_found(IrUnit *unit, Span *span);
/* What keeps the threads of a block from being on their own between the points where all of them
** wait for one another. */
const char *ir_dependent_in_block(IrUnit *unit, Span *span);

/* ---- apart.c -------------------------------------------------------------------------------- */

/* Has a thread's index in its block and its block's index go along an axis of the grid each, where
** the kernel asks for both along one. The caller sees whether that is legal, and may put back the
** body, the shape and the launch. False: there is nothing to do. */
bool apart_put(IrUnit *unit);
/* The first axis along which blocks have one thread that is none of `asked`, which it then is one
** of; -1: there is none. */
int apart_axis(IrUnit *unit, unsigned *asked);
/* What stands for an index in a block or a block's, or for a size: the index in the grid, or the
** grid's size, along an axis. */
IrValue *apart_index(IrUnit *unit, const IrValue *value, IrIntrinsic asked, int axis);

/* ---- strides.c ------------------------------------------------------------------------------ */

/* The loop that is all the kernel does, whose iterations may be distributed over threads in any
** way, or NULL. In it may be atomics on the `count` arrays of `counted`, whose order is
** unobservable. */
IrStmt *strides_find(IrUnit *unit, const IrAffine *affine, Private *const *counted, int count);
/* Notes how many iterations it has; false if a launch does not show that. */
bool strides_count(const IrAffine *affine, const IrStmt *loop, IrShape *shape);

/* ---- guard.c: `if i < n: ...` around all that a kernel does ---------------------------------- */

/* The statements of a kernel taken apart: sets that are harmless wherever they run, conditions
** around all else, and that. */
typedef struct Guarded {
    const IrStmt **sets;
    int set_count, set_capacity;
    const IrValue **terms; /* all of which hold where the rest runs */
    int term_count;
    const IrRegion
        *within; /* where the rest stands: from `rest` on, which is NULL if it is empty */
    const IrStmt *rest;
} Guarded;

/* What stands around all that a kernel does, and the rest. */
Guarded guard_find(Arena *arena, const IrFunc *fn);
/* The same, where of two ways that threads go the one with loops is the rest: the other is what
** threads do for which the terms do not hold. */
Guarded guard_find_loops(Arena *arena, const IrFunc *fn);
/* Analyses a kernel for a pass that has threads do the work of others; false: it may not. */
bool guard_begin(IrUnit *unit);
/* Makes `if i < n: if x[i] > 0: ...` of `if i < n and x[i] > 0: ...` around all that a kernel does,
** where the conditions in front read no memory: these are found then, and what was found before
** is not to be used any more. */
void guard_split(Arena *arena, IrFunc *fn);

/* Whether there is a loop in the rest. */
bool guard_has_loop(const Guarded *guarded);

typedef struct Terms {
    const IrValue **list;
    int count, capacity;
} Terms;

/* Takes `a and b` apart, or if it is to be false, `a or b`: the terms that must all hold. */
void guard_terms(Arena *arena, Terms *terms, const IrValue *condition, bool wanted);

/* From `index < end`, or a comparison that says the same of the index along an axis of the grid,
** the end, an int64 made of arguments alone; NULL of another condition. From `index <= last` it is
** last and 1, which wraps where last is the greatest number. */
IrValue *guard_end(Arena *arena, const IrAffine *affine, const IrValue *term, int axis);

/* The same of any value: the end of `place < end`, or NULL. */
IrValue *guard_bound(Arena *arena, const IrAffine *affine, const IrValue *term,
                     const IrValue **place);
/* A value as an int64 of arguments alone, names looked through; NULL: it is none. */
IrValue *guard_in_arguments(Arena *arena, const IrAffine *affine, const IrValue *value);
/* The same value, of arguments and indices in the grid alone; NULL: it is none. */
IrValue *guard_in_front(Arena *arena, const IrAffine *affine, const IrValue *value);
/* Whether a value can be had in front of the kernel: made of arguments alone. */
bool guard_of_arguments(const IrValue *value);

/* ---- inside.c ------------------------------------------------------------------------------- */

/* A copy of the kernel's body for tiles well inside: short loops laid out, borders not asked for.
** False if loops are left in it, or it would be what the body is. */
bool inside_copy(IrUnit *unit, IrRegion *copy);
/* Forgets the variables of a copy that is thrown away: all beyond the first `count`. */
void inside_discard(IrUnit *unit, int count);
/* Puts a branch around all of a region. */
void inside_put_under(IrUnit *unit, IrRegion *region, IrValue *condition);

/* Runs ir_range() on a copy that stands in the kernel: what it says of the first `count` variables,
** which the kernel had before, stays. */
void inside_range(IrUnit *unit, int count);

/* ---- slant.c --------------------------------------------------------------------------------- */

/* A loop that was split, by its counter, and the axis of the grid along which a bound moves. */
typedef struct Slant {
    const IrVar *counter;
    int axis;
    Span span;
} Slant;

typedef struct Slants {
    Slant *list;
    int count;
} Slants;

/* A copy of the kernel's body in which neighbours make most iterations together of loops that begin
** or end at the index. False if there are none such. */
bool slant_copy(IrUnit *unit, Slants *slants, IrRegion *copy);
/* Whether a tile takes neighbours along such an axis. */
bool slant_pays(const Slants *slants, const Tile *tile);
void slant_done(IrUnit *unit, const Slants *slants);

/* ---- clipped.c ------------------------------------------------------------------------------- */

/* Has loops of the kernel's body, a copy, go over whole windows, and puts what must hold for that
** around it. False if there are none that end at borders. */
bool clipped_leave(IrUnit *unit);

/* ---- borders.c ------------------------------------------------------------------------------ */

/* Has loops of the kernel's body, a copy, ask for no borders, and puts what must hold for that
** around it. False if they ask for none. */
bool borders_leave(IrUnit *unit);

/* ---- coarsen.c ---------------------------------------------------------------------------- */

/* Has so many neighbours along an axis run jammed, whatever pays, the launch's blocks having one
** thread each. Of threads that are on their own; false: the kernel is what it was. */
bool coarsen_jam(IrUnit *unit, int axis, int count);

/* ---- choose.c ----------------------------------------------------------------------------- */

/* What of a kernel pays with which tile. False if it is best left alone. With `enough`, however few
** threads there are. */
bool tile_choose(IrUnit *unit, const IrAffine *affine, const Guarded *guarded, bool enough,
                 Tile *tile);

/* Blocks of so many threads along the lanes and across. */
void tile_set_block(Tile *tile, int lanes, uint32_t along, uint32_t across);
/* The second and the third axis of what is launched change places: as many threads as blocks have
** across they then have along the third axis. */
void tile_swap_block(Tile *tile);

/* Along which axis of an array its elements lie one behind the other, or -1; whether an access
** moves by one element with each index along an axis of the grid, and stays in its row. */
int dense_axis(const Type *array);
/* Whether a launch shows an array's axis, an OP_extent, to have LONG_AXIS elements or more. */
bool is_long_axis(IrLaunch *launch, const IrValue *extent);
bool moves_by_one(const IrAffine *affine, const IrValue *array, IrValue *const *indices, int axis);

/* ---- given.c ------------------------------------------------------------------------------ */

/* The tile that the unit's schedule asks for, its lanes' axes chosen before; false if it asks for
** none or for what cannot be, which is noted there. With `privates` threads have arrays of their
** own. */
bool tile_given(IrUnit *unit, bool privates, Tile *tile);
/* Notes a tile that was made as the kernel's schedule; `wide` tells along which sides there are
** wide accesses. */
void tile_done(IrUnit *unit, const Tile *tile, const bool wide[SIDES]);

/* ---- steady.c ------------------------------------------------------------------------------ */

typedef struct Jam Jam;

typedef struct Steady {
    IrSteady *list; /* first those that are sure to be */
    int sure, count;
    int near[3]; /* by axis of the grid: how many neighbours have the same quotient at most */
} Steady;

/* The tile that pays, and the quotients that are steady in it. */
bool steady_choose(IrUnit *unit, const Guarded *guarded, Steady *steady, Tile *tile);
/* That the quotients are steady that are not sure to be: what a tile whose threads run jammed
** passes, too. NULL: all are. */
IrValue *steady_asked(Jam *jam, const Steady *steady);
/* Whether most neighbours load the same element, as an index that differs between them does so only
** as a quotient: a number that a channel has, scale[i // size % channels]. */
bool steady_is_slow(const IrAffine *affine, const IrValue *load);
/* As ir_affine(), of the threads of one tile. */
IrAffine steady_affine(IrUnit *unit, const IrRegion *within, const Steady *steady);

/* ---- jam.c -------------------------------------------------------------------------------- */

struct Jam {
    IrUnit *unit;
    const Tile *tile;
    const IrAffine *affine;
    const Steady *steadies; /* NULL: none */
    IrVar *first[3];   /* by axis of the grid asked for: the index of the tile's first thread */
    IrVar **group[3];  /* by axis, by step apart: the index of the first of the neighbours, where
                            they move back within a block (shift.c); NULL: first and the gaps */
    IrVar *own[3];     /* by axis: the first index whose work is the block's own, where tiles move
                            back (shift.c); NULL: all that a tile does is done, again if need be */
    IrVar *threads[3]; /* by axis: gridsize; NULL: any number will do */
    IrValue *end[3];   /* by axis: where the kernel's own conditions end its work; NULL: nowhere */
    const bool *outside;   /* by IrVar.id: it stays itself, set outside; NULL: none is */
    IrVar ***copies;       /* by IrVar.id, by coordinate: what stands for a variable; NULL: none */
    bool wide[SIDES];      /* there are wide accesses along it: tiles begin at multiples of NEAR */
    bool steady[SIDES];    /* quotients along it are: tiles begin at multiples of NEAR, too */
    bool loops;            /* the threads go through loops */
    bool rows[SIDES];      /* some array's rows, aligned, go along it, and so end at multiples */
    struct JamLoad *loads; /* jam_wide.c: `kept` of the branches around, then those of the statement
                              at hand */
    int load_count, load_capacity, kept;
    bool inside; /* what is jammed is for tiles well inside alone (inside.c) */
    bool broken; /* what is being made is of no use */
};

/* For threads of the tile, of a kernel with this analysis. */
Jam jam_new(IrUnit *unit, const IrAffine *affine, const Tile *tile);
/* Appends what does to all threads of the tile what the statements from `first` on do to one. */
void jam_stmts(Jam *jam, const IrStmt *first, TileCoord coord, Steps fixed, IrRegion *out);
/* A value as the thread at `coord` has it. */
IrValue *jam_value(Jam *jam, const IrValue *value, TileCoord coord);
/* Steps along which a value, or a variable, differs; all that there are. */
Steps jam_steps(const Jam *jam, const IrValue *value);
Steps jam_var_steps(const Jam *jam, const IrVar *var);
Steps jam_all_steps(const Jam *jam);
/* What stands for a variable in a thread of the tile. */
IrVar *jam_var(Jam *jam, const IrVar *var, TileCoord coord);
/* Where a thread of the tile stores what may not be stored twice. */
IrRegion *jam_own(const Jam *jam, TileCoord coord, Span span, IrRegion *out);
/* The index along an axis of the grid, of a thread of the tile. */
IrValue *jam_index(const Jam *jam, int axis, TileCoord coord, Span span);

/* ---- jam_sums.c: what several threads do to one element by atomics --------------------------- */

/* Whether a statement is an atomic that threads of a tile may have done at once, if they all name
** one element. */
bool jam_adds_up(const IrUnit *unit, const IrStmt *stmt);
/* Such an atomic that a statement is, or that is all that a branch does, if sums without it are the
** same; else NULL. */
const IrStmt *jam_only_sum(const IrUnit *unit, const IrStmt *stmt);
/* Appends what it does for all coordinates of `steps`, once for those that name one element; false:
** it is no such statement, or each names one of its own. */
bool jam_sums(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, IrRegion *out);

/* ---- first.c ------------------------------------------------------------------------------ */

/* A value times a number. */
IrValue *tile_times(Arena *arena, IrValue *value, int64_t factor);
/* Where a real thread's tile begins along axis k of what is launched: of tiles that lie one behind
** the other, or interleaved over the threads of a block, where parts of them are apart. */
IrValue *first_in_turn(const Jam *jam, int k, int side, Span span);
/* Makes the variables for the first thread of a real thread's tile, by axis, of which nothing is
** set yet. */
void first_new(Jam *jam, Span span);
/* Sets them in `out`: where that is depends on what is loaded and stored at once. */
void first_set(Jam *jam, IrRegion *out, Span span);

/* ---- rim.c -------------------------------------------------------------------------------- */

/* Whether to jam the plain work, `rest`, of tiles that do not lie well inside; `rim` is for it. */
bool rim_pays(const Jam *rim, const IrRegion *rest);

/* ---- jam_wide.c: what a statement reads and writes, for several threads at once -------------- */

/* Notes in jam->rows what the statements from `first` on say of it. */
void jam_note_rows(Jam *jam, const IrStmt *first);
/* Loads what a statement reads that runs for all coordinates of `steps`: once what they share, at
** once what lies side by side. With `all`, everything, before any of them goes on. */
void jam_load_ahead(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, bool all,
                    IrRegion *out);
void jam_loads_done(Jam *jam);
/* Loads what threads read that take a branch, whose condition differs along `steps`, and that they
** share along these: once, where `any` takes it. Until the branch is done, when Jam.kept is to be
** what it was. False if there is nothing such. */
bool jam_load_shared(Jam *jam, const IrStmt *branch, TileCoord coord, Steps steps, Steps fixed,
                     IrRegion *any);
/* What was loaded for a load of the statement at hand, or NULL. */
IrValue *jam_loaded(Jam *jam, const IrValue *load, TileCoord coord);
/* A store at all coordinates of `steps`, if wide ones do; false: nothing was appended. */
bool jam_store_wide(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, IrRegion *out);

/* ---- shift.c -------------------------------------------------------------------------------- */

/* Whether tiles may move back along an axis of the grid from where no thread does anything;
** whether they then leave alone what is another block's work; and whether single threads' tiles do
** within their block. */
bool shift_may(const Jam *jam, int axis);
bool shift_owns(const Jam *jam, int axis);
bool shift_threads(const Jam *jam, int axis);
/* That a thread's work is its block's own; NULL: it is to be done anyway. */
IrValue *shift_is_own(const Jam *jam, IrValue *const indices[3], Span span);
/* A side of a tile as it lies along an axis that is launched: so many neighbours that begin at
** multiples of `multiple`, and that `apart` times, `gap` apart. */
typedef struct Shift {
    int axis, launched; /* of what was asked, and of what is launched */
    int near, apart;
    int64_t gap, width; /* of a block */
    int64_t multiple;
} Shift;
/* Notes in jam->end where the conditions around a kernel's body, as it is written, end its work. */
void shift_note_ends(Jam *jam, IrRegion body);
/* Appends sets of jam->group of the axis, if it has any; gives where a thread's tile begins. */
IrValue *shift_tiles(Jam *jam, const Shift *shift, Span span, IrRegion *out);

/* What the files that make a kernel for a tile share: make.c has the kernel. */
#pragma once

#include "ir/builder.h"
#include "ir/schedule/tile/tiles.h"

/* What is being made. */
typedef struct TileBuild {
    const Tiles *tiles;
    Arena *arena;
    IrFunc *fn;
    IrVar *const *threads; /* by axis: how many there are in all */
    IrVar *first[3];       /* by axis: the tile's first index, in a block 0 */
    IrVar *base[3];        /* of a block, by axis: the grid's index of its first thread */
    IrVar **kept;          /* by IrVar.id: the array; NULL: none */
    int var_count;         /* of the kernel as it was */
    IrVar none, one, all;  /* bounds of ranges that are 0, 1 and ROWS_LOADED: no variables */
} TileBuild;

/* What was loaded for the threads of a nest and some iterations: transposed.c. */
typedef struct Transposed {
    TileStage stage;
    IrVar **near;  /* by number of the load */
    IrVar *column; /* the iteration at hand */
} Transposed;

/* Where the row begins that a stride's counter goes along, which is not negative then; NULL: there
** is none, or that is not known. */
typedef struct TileRow {
    const IrVar *begin, *off;
} TileRow;

/* Where the loops at hand begin and end, by axis. In a loop by strides they count what that counts:
** `shift` beyond a thread's index; NULL: it is its index. `origin` is what they count for the first
** thread of the tile. */
typedef struct Range {
    IrVar *low[3], *high[3], *origin[3], *shift[3];
    IrVar *base[3]; /* what is to be added to the counter for the thread's index; NULL: nothing */
    const Transposed *transposed; /* what its nest has loaded already; NULL: nothing */
    TileRow row;
    unsigned only; /* 1 << axis: along which there is one index, if any */
} Range;

/* ---- make_value.c -------------------------------------------------------------------------- */

/* A thread of the tile: the context of make_value(). */
typedef struct Here {
    const TileBuild *make;
    const Range *range;
    IrVar *at[3]; /* by axis: the counter of the loop over its indices; NULL: there is none */
} Here;

/* What builds statements for a place of the source. */
static inline IrBuilder make_at(const TileBuild *m, Span span)
{
    return (IrBuilder){ m->arena, m->fn, span };
}

/* An int64. */
IrValue *make_number(const TileBuild *m, int64_t value, Span span);
/* A variable, read. A block's first thread is at 0. */
IrValue *make_read(const TileBuild *m, IrVar *var, Span span);
/* a - b, which is not negative. */
IrValue *make_distance(const TileBuild *m, IrValue *a, IrValue *b);
/* A new int64 that is the same for all threads of the tile, and not negative. */
IrVar *make_var(const TileBuild *m, const char *name, Span span);
/* What stands for a value of the kernel: an IrClone's `value`. The clone's context begins with a
** Here. */
IrValue *make_value(const IrClone *clone, const IrValue *value);
/* A value of the kernel that is the same for all threads of the tile. */
IrValue *make_outside(const TileBuild *m, const IrValue *value);
/* What stands for a variable that is computed again, if that is simple; else NULL. */
const IrValue *make_simple(const TileBuild *m, const IrVar *var);

/* ---- make_nest.c --------------------------------------------------------------------------- */

/* Several iterations of a loop by strides at once, one behind the other for each thread: how far
** each is beyond the first. */
enum { ITERATIONS = 4 };
typedef struct Iterations {
    const IrVar *iteration;
    IrVar *ahead[ITERATIONS]; /* of the first NULL */
} Iterations;

/* A loop of the tile, whose body is empty. */
IrStmt *make_for(const TileBuild *m, IrVar *var, IrValue *start, IrValue *stop, IrValue *step,
                 Span span);
/* The arrays of variables that are kept. */
void make_kept(TileBuild *m);
/* Variables that may be read before they are set begin as 0, as they do elsewhere. */
void make_clear(const TileBuild *m, const Range *range, IrRegion *out, Span span);
/* Loops over the range around the statements of a nest. `iterations`: NULL for the one at hand. */
void make_nest(const TileBuild *m, const TilePart *nest, const Range *range,
               const Iterations *iterations, IrRegion *out);
/* What is computed again, as far as some loads' indices need it, for the thread at hand. */
void make_again(const TileBuild *m, const TileStage *loads, const Here *here, IrClone *clone,
                IrRegion *out);
/* An array of a thread's own, for what is loaded ahead of a nest. */
IrVar *make_near(const TileBuild *m, const IrValue *load, const int64_t *shape, int rank);

/* ---- transposed.c -------------------------------------------------------------------------- */

/* A loop of which tiles_transposed() gives `stage`. */
void make_transposed(const TileBuild *m, const TilePart *part, const TileStage *stage,
                     const Range *range, IrRegion *out);

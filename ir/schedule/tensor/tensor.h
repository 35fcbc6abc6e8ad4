/* What the files of the pass `tensor` share: tensor.c says what it does. Not for others. */
#pragma once

#include "ir/analysis/affine.h"
#include "ir/analysis/points_to.h"
#include "ir/analysis/warp.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"
#include "ir/schedule/coarsen/coarsen.h"

/* The two factors of the products: of the rows and of the columns of the result. */
enum { FACTOR_ROWS, FACTOR_COLUMNS, FACTORS };

/* One factor: a value of its axis of the grid, of k, and of what all threads of a block share. */
typedef struct Factor {
    const IrValue *value;
    const IrValue *load; /* the value itself, if it is an element of an array's; else NULL */
    const Type *type;    /* of what is multiplied */
    int axis;            /* of the grid, along which it varies */
    bool wide;           /* neighbours can be copied at once, 16 bytes of them */
    bool unaligned;      /* they could be if rows were known to begin at multiples of that */
    bool placed;         /* they are loaded by their places in memory (make_gather.c) */
    bool deep;           /* neighbours in memory lie along k, not along the axis */
    Terms mask;          /* conditions without which it counts as 0 (guards.c) */
    Terms bounds; /* that what it is made of lies within its arrays, where that is not known */
    int along;    /* if not -1: boxes of the array can be loaded, whose rows are side by side
                            along that axis of it */
} Factor;

/* Axes of the grid that the kernel's text does not have (unfold.c). */
typedef struct Axes {
    bool made;
    IrValue *count[3]; /* by axis: how many indices there are, NULL: as many as threads. With
                          `levels`: the divisor whose remainders they are */
    int levels;        /* how many divisors split the index along x; 0: the axes were loops */
    IrValue *index;    /* with `levels`: the index that is split, computed from the axes */
    IrValue *flat;     /* how many values it has; NULL: as many as threads */
    IrRegion before;   /* the kernel as it was */
} Axes;

enum { NEST_MOST = 5 }; /* loops in one another that count k together */

/* A loop that is a product of matrices, or loops one in the other that are. */
typedef struct Product {
    IrUnit *unit;
    Axes axes;
    TileForm form;
    IrAffine affine;
    Guarded guarded;
    const IrStmt *loop;            /* the outermost */
    const IrStmt *nest[NEST_MOST]; /* all, from that inward: k counts the iterations of the last */
    int nested;
    const IrStmt *around;  /* the loop, or the branch for those who make an iteration of it */
    const IrStmt *adds;    /* the one statement of the loop that adds to the sum */
    Terms guards;          /* on which the loops do so */
    IrValue *left, *right; /* what it multiplies, and whether it takes that off */
    bool takes_off;
    IrVar *sum;
    bool less;            /* products are taken off, and the factors stay as they are */
    bool unnamed;         /* sums are of a type that goes to tensor cores by name alone */
    bool rounded;         /* the kernel rounds each product, or each sum, to 16 bits */
    const IrValue *begin; /* what the sum is before the loop */
    Factor factor[FACTORS];
    int layer;           /* the third axis of the grid */
    const IrValue *part; /* what splits an axis into parts: floordiv(grid(axis), number), of which
                              and not of the index the factor is that does not go along it. NULL:
                              nothing has to */
    int part_axis;
    int joined,
        joined_to; /* the third axis, if its indices and those of a factor's axis are counted
                              as one; -1: they are not */
    IrSets inside, behind; /* of the loop, and of what follows it */
    IrValue *end[3]; /* by axis: indices from here on do nothing; NULL: the conditions name none */
    const IrValue *slant; /* the condition that the index along one factor's axis is at most that
                              along the other's plus a constant (slant.c); NULL: there is none */
    int slant_factor;
    int64_t slant_most;
    IrValue *flat_end; /* the same of axes.index; NULL: no condition names one */
    const char *why;   /* it is none; NULL: it may be one, as far as was looked */
    Span span;         /* of that */
} Product;

/* What one instruction of a warp adds to. */
enum {
    SUM_ROWS = 16, /* of one instruction */
    SUM_COLUMNS = 8,
    SUMS = 4 /* that a lane has of these */
};

/* How a block shares out its sums. */
typedef struct TensorTile {
    int size[FACTORS];   /* rows and columns of a block's tile */
    int warps[FACTORS];  /* warps along both */
    TileForm form;       /* by which it multiplies: the product's, or that of a GROUP */
    int blocks;          /* that a multiprocessor is to have room for */
    int stages;          /* steps of the loop that shared memory has room for, where neighbours are
                           copied at once */
    IrVar *map[FACTORS]; /* by which boxes of the factors' arrays are loaded; NULL: none are */
} TensorTile;

/* How many elements of a factor WIDE_BYTES are, which are copied at once. */
int factor_width(const Factor *factor);

/* ---- find.c -------------------------------------------------------------------------------- */

/* Looks for such a loop in the kernel; false if there is none. Where something looks like one,
** p->why tells what keeps it from being one. */
bool product_find(Product *p);

/* Notes the statement that adds to the sum, and what it multiplies; false if it does not. */
bool product_take(Product *p, const IrStmt *adds);
/* How many products there are for each sum; -1: that is not known. */
int64_t product_trips(const Product *p);
/* The number of the loop that counts in a variable, among p->nest; -1: none does. */
int product_counts(const Product *p, const IrVar *var);
/* Whether a value is the same for all threads, made of what nothing changes while they run. */
bool product_known(const Product *p, const IrValue *value);
/* The same of values that may depend on the loops' counters, and on a thread's indices. */
bool product_counted(const Product *p, const IrValue *value);
/* Notes the statement that adds to what the loops do not set anew; false: it does not, or another
** does. */
bool product_adds(Product *p, const IrStmt *stmt);
/* Notes why it is none, if nothing is noted yet; false. */
bool product_refuse(Product *p, Span span, const char *why);

/* ---- guards.c ------------------------------------------------------------------------------- */

/* What varies, names taken for what they are set to: conditions in loops leave no other behind. */
IrAffine product_affine(const Product *p, const Steady *steady);
/* The first loop in a region, or on the way that its conditions have. */
const IrStmt *product_inner(const IrRegion *region);
/* Notes the conditions on the way to an inner loop, or to what adds where that is NULL; false if
** more is done. */
bool product_walk(Product *p, const IrRegion *body, const IrStmt *inner);
/* Which factors count as 0 where a condition does not hold; false if there is none. */
bool product_guard(Product *p);

/* ---- slant.c -------------------------------------------------------------------------------- */

/* Notes a condition around the loop that bounds one factor's index by the other's; false if it is
** none, or none that is legal. */
bool product_slants(Product *p, const IrValue *term);

/* ---- find_axes.c --------------------------------------------------------------------------- */

/* The axes of the grid that the left and the right factor go along, the loop's result in mind; sets
** p->part. False if there are none. */
bool product_axes(Product *p, const IrValue *left, const IrValue *right, int axes[FACTORS]);
/* Looks whether two axes may be counted as one, and leaves them apart if not. */
void product_join(Product *p);
/* What a condition holds the index along an axis below, or its quotient; NULL: it is no bound. */
IrValue *product_end(const Product *p, const IrValue *term, int axis);
/* Whether neighbours along an axis of the grid store the result side by side. */
bool product_stores_along(const Product *p, int axis);

/* ---- unfold.c ------------------------------------------------------------------------------- */

/* Gives the kernel such axes in one of these ways; false, and as it was, if it can have none. */
enum { AXES_WAYS = 3 };
bool axes_unfold(IrUnit *unit, Axes *axes, int way);
/* Takes them away again. */
void axes_fold(IrUnit *unit, Axes *axes);

/* ---- measure.c ------------------------------------------------------------------------------ */

/* Has the loop add up in float64, for others to be measured by. */
void product_widen(Product *p);

/* ---- make_boxes.c --------------------------------------------------------------------------- */

/* Makes the maps of a tile that is loaded by boxes, if it can be. Variables get new numbers. */
void boxes_find(const Product *p, TensorTile *tile);

/* ---- make.c -------------------------------------------------------------------------------- */

/* Puts the tiled product in the kernel's place. `threads`, by axis, are how many were asked for. */
void product_make(Product *p, const TensorTile *tile, IrVar *const *threads);

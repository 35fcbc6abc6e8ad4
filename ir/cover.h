/* Arrays that a kernel overwrites whole, whatever they held, how far along each axis of the grid a
** kernel has anything to do, and which blocks its text is written for: all as facts of a launch.
**
** Numbers that a launch decides are sums of products of facts: extent(out, 0), or block_dim(0) *
** grid_dim(0). A cover names a parameter and lists what it needs, each a sum that must not be less
** than another. All of it is plain data, places in it are indices, so that it can be kept apart
** from the unit. */
#pragma once

#include "base/base.h"

enum { TERM_FACTS = 4, SUM_TERMS = 8 }; /* at most; what is longer is not known */

typedef enum IrFactKind {
    FACT_NONE,
    FACT_BLOCK,  /* threads of a block along `axis` */
    FACT_GRID,   /* blocks of the grid along `axis` */
    FACT_EXTENT, /* elements of parameter `index` along `axis` */
    FACT_SCALAR, /* the value of parameter `index`, an integer */
    /* while the analysis runs, what differs within a launch; never less than 0 */
    FACT_THREAD_AT, /* the thread's index in its block along `axis` */
    FACT_BLOCK_AT,  /* the block's index in the grid along `axis` */
    FACT_ITERATION  /* how many iterations loop number `index` has made */
} IrFactKind;

typedef struct IrFact {
    uint16_t kind, axis;
    int32_t index;
} IrFact;

/* A factor times facts; FACT_NONE stands in the places left over. */
typedef struct IrTerm {
    int64_t factor;
    IrFact facts[TERM_FACTS];
} IrTerm;

/* terms[left], left_count of them, are no less than terms[right] and so on; none are 0. */
typedef struct IrNeed {
    int left, left_count, right, right_count;
} IrNeed;

/* One way to overwrite a parameter whole: needs[first] and so on all hold. If they do not, and
** `sole`, elements stay as they were: nothing but stores of this element writes to the parameter.
** Of a `part` it is only what the kernel's own conditions let it write, such as the inner elements
** of a stencil, and the kernel may read what was there. */
typedef struct IrCover {
    int param, first, count, sole, part;
} IrCover;

/* One access, or one condition that holds where it stands, bounds the grid along `axis`: threads,
** or blocks, whose position times `weight` reaches `bound` do not come to the access. Both are
** sums. Limits of the same `access` all hold, so the smallest counts; the launch is to serve the
** access that goes furthest. */
typedef struct IrLimit {
    int axis, access;
    int blocks;   /* positions of blocks are bounded, else those of threads in the grid */
    int required; /* a store without any condition: a position beyond is out of bounds */
    int weight, weight_count, bound, bound_count;
} IrLimit;

typedef enum IrFitKind { FIT_EQUAL, FIT_MOST, FIT_LEAST } IrFitKind;
typedef enum IrFitForce {
    FIT_WISH, /* of use where a block is chosen */
    FIT_WARN, /* a launch with another block gets a warning */
    FIT_MUST  /* no block may be chosen that breaks it */
} IrFitForce;
/* How closely a FIT_LEAST is to be followed where a block is chosen: a larger block is as good; or
** it is, where some FIT_MOST asks for one; or it is not. */
typedef enum IrFitTight { FIT_LOOSE, FIT_CLOSE, FIT_TIGHT } IrFitTight;

/* What one access demands of the block: a sum in which sizes of the block stand is 0, at most 0, or
** at least 0. */
typedef struct IrFit {
    int kind, force, tight;
    int line; /* of the access, in the kernel's file */
    int first, count;
} IrFit;

typedef struct IrCovers {
    IrCover *ways;
    IrNeed *needs;
    IrLimit *limits;
    IrFit *fits;
    IrTerm *terms;
    int way_count, need_count, limit_count, fit_count, term_count;
    int way_capacity, need_capacity, limit_capacity, fit_capacity, term_capacity;
} IrCovers;

/* ---- cover_print.c ------------------------------------------------------------------------- */

/* "block_dim(0) * grid_dim(0) >= extent(out, 0)", all needs of a way; `names` are the
** parameters'. */
void cover_print(Buf *out, const IrCovers *covers, const IrCover *way, const char *const *names);
/* "block_dim(0) == 32". */
void cover_print_fit(Buf *out, const IrCovers *covers, const IrFit *fit, const char *const *names);

/* A launch split over ranks: each carries out some of its blocks, neighbours along one axis of the
** grid, on memory of its own. What the blocks of a rank may access of each array decides what
** becomes of it:
**
**     only read             a part for each rank along an axis of the array, with what lies beside
**                           it as far as it is read (the halo); or a copy for each
**     written a part for each, if along some axis no rank accesses what another writes only written
**     what ranks changed, put together, if it is in no such parts changed by atomics put together
**     with their operation, if all have one, and none's result
**                           is used
**
** and anything else is refused, with its place. What a rank may access is an interval of indices
** along each axis: for its blocks, and for the extents and scalars of the launch, by
** ir/analysis/range/. So a part may be larger than what is accessed, and never smaller. Loops that
** go by the stride of the grid along the axis that is split access such an interval repeatedly,
** a period apart.
**
** Parts are only of use to one launch: nothing here says that the next one may go on with them.
**
** split.c         roles, and the axis
** split_unit.c    the kernel as it is looked at
** split_walk.c    what the blocks of a rank access
** split_part.c    the kernel of a rank
** split_print.c   the plan as text */
#pragma once

#include "ir/ir.h"

enum { SPLIT_RANKS = 256 }; /* at most */

typedef enum SplitRole {
    SPLIT_UNUSED,
    SPLIT_COPIED,  /* only read: all of it, for each rank */
    SPLIT_PARTS,   /* each rank has what it accesses */
    SPLIT_REDUCED, /* each rank has all of it; put together with `combine` */
    SPLIT_MERGED   /* each rank has all of it; of each element what some rank changed counts */
} SplitRole;

/* The indices from low to high along an axis; with a period these are repeated at all multiples of
** it. */
typedef struct SplitStretch {
    int64_t low, high, period; /* low > high: none */
} SplitStretch;

/* What is said of a parameter. All zero: nothing. SPLIT_PARTS says that no rank reads what another
** one writes. */
typedef struct SplitWish {
    SplitRole role;  /* SPLIT_UNUSED: not said */
    int axis;        /* SPLIT_PARTS: of the array */
    bool has_halo;   /* likewise: so many beside what it writes */
    int64_t halo;    /* that it reads at the most */
    Combine combine; /* SPLIT_REDUCED */
} SplitWish;

/* What a parameter of the kernel is. */
typedef struct SplitArg {
    bool known; /* it is an integer or bool, `value` */
    int64_t value;
    bool array;
    int64_t shape[RANK_MAX];
    uint64_t item; /* bytes of an element */
    SplitWish wish;
} SplitArg;

typedef struct SplitRequest {
    IrUnit *unit; /* compiled for facts of no launch; must not be used any more */
    int ranks;
    int axis;         /* of the grid; -1: the one that costs least */
    bool wants_inner; /* the plan is to have its `inner` */
    uint32_t grid[3], block[3];
    uint64_t together[3]; /* threads along each axis that are not split: at least a block */
    const SplitArg *args; /* one for each parameter */
} SplitRequest;

typedef struct SplitArray {
    SplitRole role;
    bool reads, writes, atomics;
    int axis;                /* of SPLIT_PARTS */
    Combine combine;         /* of SPLIT_REDUCED */
    int64_t shared;          /* likewise: indices that neighbours both hold, at the most */
    SplitStretch *held;      /* of SPLIT_PARTS, by rank: what it may access */
    SplitStretch *own;       /* likewise: what it alone may write */
    SplitStretch *inner;     /* likewise: what the inner threads of the rank may access */
    uint64_t held_bytes_all; /* of all ranks together */
} SplitArray;

typedef struct SplitPlan {
    const char *why;  /* it is refused, for this reason; else NULL */
    const char *help; /* what would let it pass; or NULL */
    Span where;
    int axis; /* of the grid */
    int ranks;
    uint64_t *first; /* the first thread of each rank along it; ranks + 1 of them */
    uint64_t
        *inner; /* two for each rank: from the first of them to before the second threads access
                           nothing that another rank reads or writes, of arrays in parts; none if
                           they are the same */
    SplitArray *arrays; /* one for each parameter */
    uint64_t text;      /* a digest of the kernel */
    uint64_t cost;      /* bytes that all ranks need, and bring back */
    const char **names; /* of the parameters */
    const SplitRequest *request;
} SplitPlan;

/* The plan lies in the unit's arena. */
SplitPlan ir_split(const SplitRequest *request);
/* Has a kernel, as passes left it, run as a part of a larger grid, split along an axis of what is
** launched: among its hidden parameters are, of HIDDEN_PART, the first block of the part, how many
** the whole grid has, and the same in threads. `*unit` may become another. False if a function that
** cannot stand in the place of its calls asks for its place in the grid. */
enum { SPLIT_FIRST_BLOCK, SPLIT_BLOCKS, SPLIT_FIRST_THREAD, SPLIT_THREADS, SPLIT_PARAMS };
bool ir_split_part(IrUnit **unit, int axis);
/* How many indices of an axis with `extent` a stretch has; calls `each`, unless it is NULL, for
** every run of them, in order. */
int64_t split_runs(SplitStretch stretch, int64_t extent,
                   void (*each)(void *context, int64_t low, int64_t high), void *context);
/* The bytes of an array that a stretch along an axis of it has. */
uint64_t split_bytes(const SplitArg *arg, int rank, int axis, SplitStretch stretch);
/* What each rank computes, holds and brings back. */
void split_print(Buf *out, const SplitPlan *plan);
/* sum, max, min, and, or, xor: its operation, COMBINE_NONE if it is none; and the name. */
Combine split_combine(const char *name, size_t length);
const char *split_combine_name(Combine combine);

/* Intervals of integers: what a value can be.
**
** Beside numbers, an upper end may be known relative to what a launch has: the elements that its
** largest array spans, and with that its longest extent, or the number of its threads along an
** axis. Their sum is bounded (ir/launch.h), each alone is not
** bounded by much less: so `i < n` and a step of as many threads as there are give a counter that
** fits 32 bits, which numbers alone would not show. */
#pragma once

#include "ir/ir.h"

__extension__ typedef __int128 IrWide;

enum { REACH_EXTENT = 1, REACH_THREADS = 2 };

typedef struct Interval {
    IrWide low, high; /* none at all if low > high */
    int reach;        /* not 0: it is at most the sum of these, plus `beyond` */
    int64_t beyond;
} Interval;

/* No number; all from `low` to `high`. */
Interval interval_none(void);
Interval interval_from(IrWide low, IrWide high);
/* All values of an integer type or bool. */
Interval interval_of_type(const Type *type);
/* From `low` to what `reach` and `beyond` say. */
Interval interval_reaching(IrWide low, int reach, int64_t beyond);

/* Whether it has no number; all of it is in `b`; a type holds all of it; both are the same. */
bool interval_empty(Interval a);
bool interval_within(Interval a, Interval b);
bool interval_fits(Interval a, const Type *type);
bool interval_same(Interval a, Interval b);

/* What has the numbers of both; what has those that both have. */
Interval interval_join(Interval a, Interval b);
Interval interval_meet(Interval a, Interval b);

/* What the operations of ops.def give, computed without a limit: interval_everything(), of which
** all others are part, where nothing better is known. */
Interval interval_everything(void);
Interval interval_add(Interval a, Interval b);
Interval interval_negate(Interval a);
Interval interval_multiply(Interval a, Interval b);
Interval interval_scale(Interval a, int64_t factor);
Interval interval_binary(IrOp op, Interval a, Interval b);
Interval interval_min(Interval a, Interval b);
Interval interval_max(Interval a, Interval b);

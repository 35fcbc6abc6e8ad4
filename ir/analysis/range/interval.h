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

/* Far from the ends of IrWide, so that sums of some never overflow, nor do products of two. */
#define INTERVAL_EDGE  ((IrWide)1 << 62)
#define INTERVAL_WHOLE (INTERVAL_EDGE << 4)

/* What is asked a thousand times a kernel is inline here. */

/* All from `low` to `high`; no number. */
static inline Interval interval_from(IrWide low, IrWide high)
{
    return (Interval){ .low = low, .high = high };
}

static inline Interval interval_none(void)
{
    return interval_from(1, 0);
}

/* All values of an integer type or bool. */
Interval interval_of_type(const Type *type);
/* From `low` to what `reach` and `beyond` say. */
Interval interval_reaching(IrWide low, int reach, int64_t beyond);

/* Whether it has no number; all of it is in `b`; a type holds all of it; both are the same. */
static inline bool interval_empty(Interval a)
{
    return a.low > a.high;
}

static inline bool interval_within(Interval a, Interval b)
{
    return interval_empty(a) || (a.low >= b.low && a.high <= b.high);
}

bool interval_fits(Interval a, const Type *type);

static inline bool interval_same(Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_empty(a) && interval_empty(b);
    return a.low == b.low && a.high == b.high && a.reach == b.reach && a.beyond == b.beyond;
}

/* Whether sums and products with it stay far from where numbers of 128 bits end. */
static inline bool interval_tame(Interval a)
{
    return a.low >= -INTERVAL_EDGE && a.high <= INTERVAL_EDGE;
}

/* What has the numbers of both; what has those that both have. */
Interval interval_join(Interval a, Interval b);
Interval interval_meet(Interval a, Interval b);

/* What the operations of ops.def give, computed without a limit: interval_everything(), of which
** all others are part, where nothing better is known. */
static inline Interval interval_everything(void)
{
    return interval_from(-INTERVAL_WHOLE, INTERVAL_WHOLE);
}

/* The same where an end may be relative. */
Interval interval_add_reaching(Interval a, Interval b);

static inline Interval interval_add(Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_none();
    return a.reach | b.reach ? interval_add_reaching(a, b)
                             : interval_from(a.low + b.low, a.high + b.high);
}

static inline Interval interval_negate(Interval a)
{
    return interval_from(-a.high, -a.low);
}

Interval interval_multiply(Interval a, Interval b);

Interval interval_scale(Interval a, int64_t factor);

Interval interval_binary(IrOp op, Interval a, Interval b);
Interval interval_min(Interval a, Interval b);
Interval interval_max(Interval a, Interval b);

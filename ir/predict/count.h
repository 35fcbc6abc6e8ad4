/* How much work a launch does, as the kernel is written: a kernel that counts in its place.
**
** What runs a number of times as a whole, a run of statements that nothing jumps into or out of, is
** one counter; what it does each time is known beforehand. Of the kernel's own statements those
** stay that decide where it goes: what is only computed and stored is left out, barriers too. If it
** goes by what it writes itself, all of it stays. */
#pragma once

#include "ir/analysis/points_to.h"

/* Floating-point operations, by the width of their type: 16, 32 and 64 bits. */
enum { COUNT_WIDTHS = 3 };

/* What a run of statements does each time. */
typedef struct IrWork {
    uint64_t flops[COUNT_WIDTHS];
    uint64_t *loads, *stores, *atomics; /* bytes of global memory, for each parameter that it is of;
                                           behind the last, what is not of one known parameter */
} IrWork;

/* The parameters that the counting kernel has behind its own: of each axis the first block that is
** run, how many lie from one to the next, and how many blocks the grid has; and int64[::1], to
** which each counter is added. */
enum { COUNT_PARAMS = 10, COUNT_SCALARS = 9 };

typedef struct IrCount {
    int params; /* the kernel's own */
    IrWork *works;
    int count, capacity; /* of counters */
    bool *reads;         /* the parameters whose memory must be there */
    bool whole;          /* it does all that the kernel does */
    bool together;       /* what a block does may depend on others: all must run */
} IrCount;

/* Makes the unit's kernel count. NULL, or what the kernel does that keeps it from being counted.
** Effects, ranges and uniformity are set again. */
const char *ir_count(IrUnit **unit, IrCount *count);

/* ---- count_work.c: what values do ----------------------------------------------------------- */

/* Adds what a value does itself, its operands left out. `points_to` are the kernel's. */
void count_value(const IrPointsTo *points_to, int params, IrWork *work, const IrValue *value);
/* Adds what a store does itself. */
void count_store(const IrPointsTo *points_to, int params, IrWork *work, const IrStmt *stmt);
IrWork count_no_work(Arena *arena, int params);
bool count_is_work(const IrWork *work, int params);
/* The parameter whose memory an array lies in; `params`: more than one may be, or it is not known;
** -1: none, it is shared, private or constant. */
int count_param_of(const IrPointsTo *points_to, int params, const IrValue *array);

/* ---- count_slice.c -------------------------------------------------------------------------- */

/* Leaves out what does not decide where the kernel goes, unless it goes by what it writes. The
** variables of `counters`, by their ids, and what is set to them stay. */
void count_slice(IrFunc *fn, const IrPointsTo *points_to, const bool *counters, IrCount *count);

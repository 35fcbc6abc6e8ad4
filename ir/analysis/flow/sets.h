/* What sets each variable, in a function or in a part of it.
**
** A local variable that one statement of the function sets stands for what that sets it to:
** lowering lets no variable be read before it is set, in a loop's next iteration neither, since
** what a loop carries is set in front of it too. Whether the value would still be the same where
** the variable is read is another question: sets_invariant(), sets_stable(). A variable that one
** statement of a mere part sets may also be what it was before. Nothing sets parameters and arrays
** with memory of their own (ir_verify()). */
#pragma once

#include "ir/ir.h"

typedef struct IrSets {
    int var_count;       /* of the function, then */
    int *count;          /* by IrVar.id: how many statements set it */
    const IrStmt **only; /* likewise: the one, an IR_SET or IR_FOR; NULL if there is none or more */
    IrValue **value;     /* what it sets it to, if it is an IR_SET, whatever becomes of it */
} IrSets;

/* Of all statements in a region. */
IrSets ir_sets(Arena *arena, const IrFunc *fn, const IrRegion *region);
/* Of all that a loop repeats, its counter among them, or that either arm of a branch does. */
IrSets ir_sets_of_loop(Arena *arena, const IrFunc *fn, const IrStmt *loop);

/* Whether some statement sets the variable; false of one that is newer than the sets. */
bool sets_any(const IrSets *sets, const IrVar *var);
/* Whether one of the variables that are set, of `fn`, holds an array. */
bool sets_arrays(const IrSets *sets, const IrFunc *fn);
/* The statement that sets it if there is only one, else NULL. */
const IrStmt *sets_only(const IrSets *sets, const IrVar *var);
/* What a variable is set to that one IR_SET sets; the loop that counts in it if nothing else sets
** it. Else NULL. */
IrValue *sets_value(const IrSets *sets, const IrVar *var);
const IrStmt *sets_loop(const IrSets *sets, const IrVar *var);
/* The value behind names for it; and behind casts, too, that keep it. */
const IrValue *sets_behind(const IrSets *sets, const IrValue *value);
const IrValue *sets_behind_casts(const IrSets *sets, const IrValue *value);
/* Whether a value with names looked through has fewer than 256 nodes: sums of sums and squares of
** squares double with each name. */
bool sets_is_short(const IrSets *sets, const IrValue *value);

/* Calls `visit` for the loads that a value is made of, with names looked through; for none if it is
** not short. */
void sets_each_load(const IrSets *sets, const IrValue *value, IrValueVisitor *visit, void *context);

/* Whether a value is the same wherever it stands in the region, whatever is done there between: no
** memory is read, nothing is called, no variable that is set there is read, but for `but`, which
** may be NULL. */
bool sets_invariant(const IrSets *sets, const IrValue *value, const IrVar *but);
/* Of the sets of a whole function: whether a value is the same wherever it stands in one iteration
** of all loops around: each local variable that it reads is set by one statement alone, no memory
** is read, nothing is called. So what a variable is set to may be computed again where that is
** read. */
bool sets_stable(const IrSets *sets, const IrValue *value);

/* The variables of a function, by IrVar.id, that a region reads outside of the innermost loop
** around what sets them, as results of calls that were put in their place may be: there they hold
** what the last iteration gave. Those that the innermost loop around the read sets first do not
** count. */
bool *ir_left_by_loops(Arena *arena, const IrFunc *fn, const IrRegion *region);

/* The axis along which a value is the thread's index among all, however that is written:
** block_idx * block_dim + thread_idx, names and casts between; along which it is the number of all
** threads. Else -1. Sums and products of indices are taken not to overflow. */
int ir_thread_axis(const IrSets *sets, const IrValue *value);
int ir_threads_axis(const IrSets *sets, const IrValue *value);
/* The axis along which a `for` goes by the stride of the grid, from the thread's index on by the
** number of all threads: together they make each iteration once. Else -1. */
int ir_stride_axis(const IrSets *sets, const IrStmt *loop);

/* That a statement that sets the variable is no longer there. */
void sets_drop(IrSets *sets, const IrVar *var);

/* Loops that wait for other threads: what spin.c finds and spin_yield.c changes. */
#pragma once

#include "ir/analysis/points_to.h"

/* What decides something in a loop: the variables, by IrVar.id, and the memory that they are read
** from. */
typedef struct SpinSlice {
    const IrPointsTo *points_to;
    const IrRegion *body;
    bool effects; /* what decides its effects on memory counts, too, not only when it ends */
    bool *vars;
    uint64_t *memory;
    bool atomics; /* some of it is read by atomic operations */
    bool changed;
} SpinSlice;

/* Fills `slice`, in which points_to and effects are set. */
void spin_slice(SpinSlice *slice, const IrStmt *loop);
/* Whether an atomic operation leaves memory as it is, whatever that holds: by adding 0, say. */
bool spin_only_reads(const IrValue *atomic);
/* Whether a loop of `fn` waits for other threads. */
bool spin_waits(const IrPointsTo *points_to, const uint64_t *written, const IrStmt *loop);
/* What the statements of a function write. */
uint64_t *spin_written(const IrPointsTo *points_to);
/* The unit with all functions that write or synchronise put in place of their calls; NULL if
** that would make too much of it. */
IrUnit *spin_whole(Arena *arena, const IrUnit *unit);

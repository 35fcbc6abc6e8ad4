/* What the accesses of a warp cost, by where its lanes find their elements: the sectors of global
** memory that they ask for together, or the words that one bank of shared memory gives one by one.
** Of float32, with lanes along i, load(a, k, i) takes 4 sectors, load(a, i, k) 32. */
#pragma once

#include "ir/analysis/affine.h"

/* Times that a loop's text is taken to run for once of what is around it. */
enum { LOOP_WEIGHT = 8 };

/* How far an access moves with each thread along each axis, in bytes. */
typedef struct IrMoves {
    int64_t by[3];
    bool shared; /* in shared memory */
} IrMoves;

/* How values change from one thread of a block to the next, as far as it matters for costs. */
IrAffine ir_steps(const IrUnit *unit);
IrMoves ir_moves(const IrAffine *steps, const IrValue *array, IrValue *const *indices);
/* How often memory has to be asked for a block's first warp: pieces of global memory, or words of
** one bank of shared memory. */
int64_t ir_warp_cost(const uint32_t block[3], const IrMoves *moves);
/* The same where each lane has so many bytes side by side. */
int64_t ir_warp_units(const uint32_t block[3], const IrMoves *moves, int64_t bytes);
/* How many of the warp's lanes find an element that another has. */
int64_t ir_warp_queue(const uint32_t block[3], const IrMoves *moves);

/* What a statement or value does to elements of an array. */
typedef struct WarpAccess {
    const IrValue *array;
    IrValue *const *indices;
    IrEffect effect; /* EFFECT_READ, EFFECT_WRITE or EFFECT_ATOMIC */
    int64_t weight;  /* how often its text is taken to run: LOOP_WEIGHT times as often in a loop */
    Span span;
} WarpAccess;

/* Visits each access of elements in a region. */
typedef void WarpVisitor(void *context, const WarpAccess *access);
void ir_each_warp_access(const IrRegion *region, WarpVisitor *visit, void *context);

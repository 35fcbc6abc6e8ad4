/* Indices as sums: how they move with a thread's index in the grid, what they are multiples of,
** which constant is added to them. Of values after ir_grid_indices(), whose indices are grid(axis).
**
** A value is read from the bottom up as  constant + rest,  and along each axis as  slope * index +
** what does not depend on that index. Both go through sums, differences, products with constants,
** casts that keep the value (ir_keeps_value) and names: variables that one statement of the kernel
** sets stand for what that sets them to (sets.h).
**
** Signed sums and products are taken not to overflow, so what is said of them holds of integers
** without bounds; unsigned ones may wrap, and nothing is said of these. Products of two values that
** vary, quotients and remainders have no slope, but for an estimate or steady ones
** (divergence.h). What is not known is said so:
** no answer here is a guess but those with `estimate`. Two values are the same only if they are the
** same operations on the same, not if they come to the same number.
**
** tests/brute/ holds each answer against what random kernels do. */
#pragma once

#include "ir/analysis/range/bounds.h"
#include "ir/analysis/divergence.h"
#include "ir/analysis/flow/sets.h"

typedef struct IrLeft IrLeft;

typedef struct IrAffine {
    IrDivergence divergence;
    IrSets sets;
    IrMagnitude *magnitude;
    IrLeft *left;     /* of affine.c */
    int64_t unit[3];  /* what grid(axis) is a multiple of */
    IrLaunch *launch; /* asked what scalars are multiples of; NULL: nothing is known of that */
    bool in_block;    /* "index along an axis" is that in the block, not in the grid */
    bool estimate; /* casts and unsigned sums are taken not to wrap, and counters of loops for what
                        they start with: for what only costs */
} IrAffine;

/* Of the kernel, seen from inside of `within` (ir_divergence). */
IrAffine ir_affine(const IrUnit *unit, const IrRegion *within);
/* Whether a value differs between threads that differ in their index along `axis`. */
bool affine_varies(const IrAffine *affine, const IrValue *value, int axis);
/* By how much it grows from each index along `axis` to the next, as integers without bounds; false
** if that is not known or not always the same. */
bool affine_slope(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope);
/* Whether neighbours along an axis have the same value, but for those between which a quotient in
** it goes on. */
bool affine_shared(const IrAffine *affine, const IrValue *value, int axis);
/* A power of two, at most 64, that divides the value. */
int64_t affine_multiple(const IrAffine *affine, const IrValue *value);
/* What a sum is without the constants in it, which come to `*constant`; NULL of a constant. Names
** stand for what `sets`, of the whole function, has for them; NULL: for themselves. */
const IrValue *affine_split(const IrSets *sets, const IrValue *value, int64_t *constant);
/* What a signed sum is without a variable that is added to it once, of the sum's own parts; NULL if
** it is no such sum. */
const IrValue *affine_without(Arena *arena, const IrValue *value, const IrVar *var);
/* Whether two values are equal wherever both stand in one statement. */
bool affine_same(const IrValue *a, const IrValue *b);
/* The same of two statements in one iteration of all loops around both, whatever stands between
** them. */
bool affine_same_apart(const IrAffine *affine, const IrValue *a, const IrValue *b);

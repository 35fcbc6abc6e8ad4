/* State of the data-flow analysis of index arithmetic, shared by flow.c (backwards) and origin.c
** (forwards). */
#pragma once

#include "ir/analysis/flow/sets.h"
#include "codegen/check/check.h"

typedef struct IndexFlow {
    Emitter *e;
    CheckState *check;
    uint8_t **vars;     /* per function, the kernel last, and variable: how it goes into an index */
    uint8_t **elements; /* the same for elements of arrays, by the array's variable */
    uint8_t *results;   /* per function: how its result does */
    int fn;             /* the current function */
    uint8_t how;        /* of the value that is being marked */
    IrSets *sets;       /* per function */
    bool changed, collects;
} IndexFlow;

/* ---- flow.c -------------------------------------------------------------------------------- */

/* The variable of the array that a view is taken from, or NULL. */
const IrVar *array_behind(const IrValue *array);

/* ---- origin.c ------------------------------------------------------------------------------ */

/* Propagates the masks of variables, elements and results through the statements of a function;
** sets flow->changed if any has grown. */
void pass_function(IndexFlow *flow, const IrFunc *fn);

/* What is followed of a unit's arithmetic into its indices. Shared by flow.c, which follows it
** backwards, and origin.c, which does forwards. */
#ifndef KJIT_CHECK_FLOW_H
#define KJIT_CHECK_FLOW_H

#include "codegen/check/check.h"

typedef struct Flow {
    Emitter *e;
    Check *check;
    uint8_t **vars;     /* of each function, the kernel last: how its variables go into an index */
    uint8_t **elements; /* the same of arrays' elements, by the arrays' variables */
    uint8_t *results;   /* of each function: how what it returns does */
    int fn;             /* the function at hand */
    uint8_t how;        /* what is marked goes into an index */
    const IrValue ***only; /* of each function: what its variables hold that are set once */
    int **sets;
    bool changed, collects;
} Flow;

/* ---- flow.c -------------------------------------------------------------------------------- */

/* A function's number in the unit, the kernel's last. */
int function_number(const Flow *flow, const IrFunc *fn);
/* The variable of the array that an array is a part of, or NULL. */
const IrVar *array_behind(const IrValue *array);

/* ---- origin.c ------------------------------------------------------------------------------ */

/* Adds to what variables, elements and results of functions may be made of what the statements of a
** function pass on; flow->changed tells if that was something new. */
void pass_function(Flow *flow, const IrFunc *fn);

#endif

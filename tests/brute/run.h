/* What the files that run a kernel share. Not for others.
**
** run.c         statements, and the numbers of nodes
** run_value.c   values, and elements of arrays */
#ifndef KJIT_TESTS_BRUTE_RUN_H
#define KJIT_TESTS_BRUTE_RUN_H

#include "tests/brute/brute.h"

/* An array, or a part of one. */
typedef struct Ref {
    int owner; /* the parameter; ARRAYS: private */
    int rank;
    int64_t base, shape[2], stride[2]; /* in elements */
} Ref;

typedef struct Thread {
    int number;
    Ref *refs; /* by IrVar.id */
    int64_t own[OWN_MEMORY];
    uint32_t thread_idx[3], block_idx[3];
    int64_t *vars; /* by IrVar.id */
    bool *set;
    uint64_t when;
    int depth, steps;
} Thread;

/* Threads that came to an element of the memory: 0 none, else their number plus 1; MANY of them. */
enum { MANY = -1 };
typedef struct Traffic {
    int wrote[MEMORY], came[MEMORY];
} Traffic;

typedef struct Runner {
    Run *run;
    Thread thread;
    Traffic traffic;
} Runner;

/* Ends the run: something is not defined, or not known here. Both give 0. */
bool run_undefined(Run *run);
int64_t run_unsupported(Run *run);
/* The slot for a value's number plus 1. */
int *run_slot(const Run *run, const IrValue *value);
/* The number in as many bits as the type has; a comparison of two of that type, 0 or 1. */
int64_t run_wrapped(const Type *type, int64_t value);
int64_t run_compared(IrOp op, const Type *type, int64_t a, int64_t b);
int64_t run_evaluate(Runner *r, const IrValue *value);
Ref run_array(Runner *r, const IrValue *array);
/* Where in the memory an element is, which is come to; below 0: nowhere. And what is there. */
int64_t run_element(Runner *r, const void *access, const IrValue *array, IrValue *const *indices,
                    int count, int how);
int64_t *run_cell(Runner *r, int64_t at);

#endif

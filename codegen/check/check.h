/* What the files of DIALECT_CHECK share. Not for other folders.
**
** check.c           the kernel, synchronisation
** number.c          arithmetic that may fail
** access.c          loads, stores and atomics, at addresses that the checker gives
** iteration.c       iterations of loops, and calls
** flow.c            which arithmetic goes into an index
** origin.c          which of that each index is computed from
** undefined.c       variables that no path has set, or from lanes that do not take part
** prelude/check.c   the functions that the text calls */
#pragma once

#include "codegen/checked.h"
#include "codegen/emit/emit.h"

/* Arithmetic that goes into an index and may wrap. */
typedef enum CheckIndexKind {
    INDEX_NONE,
    INDEX_EXACT, /* it must not wrap */
    INDEX_CUT,   /* it is narrowed to an unsigned type, maybe on purpose: the axis decides */
    INDEX_STORED /* the same for a value stored in an array whose elements are indices */
} CheckIndexKind;

typedef struct CheckIndex {
    const IrValue *value;
    CheckIndexKind kind;
    int number; /* of its bit; CHECK_WRAPS or more: not tracked */
} CheckIndex;

/* What says whether a variable's value is undefined. */
typedef struct Undefined {
    int bit;           /* 1 + that of KjitCheck.undefined; 0: no shuffle sets it */
    const char *unset; /* a bool of the text; NULL: every path sets it */
} Undefined;

/* The emitter's state for a checked unit. */
typedef struct CheckState {
    EmitSite *sites;
    int site_count, site_capacity;
    EmitShared *shared;
    int shared_count, shared_capacity;
    CheckIndex *indices; /* arithmetic that goes into an index, by address */
    int index_count, index_capacity;
    uint64_t **index_vars;     /* per function and variable: check_index_mask() of its value */
    uint64_t **index_elements; /* the same for elements of arrays, by the array's variable */
    uint64_t *index_results;   /* the same for functions' results */
    Undefined *undefined;      /* per variable of the function (undefined.c) */
    int shuffled_count;        /* of bits in use in the unit */
    bool undefined_changed;    /* while they are found */
    const IrVar *copied;       /* by the current statement, which does not count as a use */
} CheckState;

/* Adds a source location; its index in Emitted.sites. */
int check_site(Emitter *e, Span span, const char *array, const char *what, size_t alignment);

/* Finds the arithmetic that goes into indices. */
void check_find_indices(Emitter *e);
/* `text`, an index along an axis, with a test whether arithmetic it is computed from has
** wrapped. */
const char *check_used_index(Emitter *e, const IrValue *index, const char *text, const char *array,
                             const char *extent);
/* The index arithmetic that a value is; .kind INDEX_NONE if it is none. */
CheckIndex check_index(const Emitter *e, const IrValue *value);
/* The tracked operations that a value may be computed from: in the lower half bits of those it is
** unchanged, in the upper half of those that went through more arithmetic. */
uint64_t check_index_mask(const Emitter *e, const IrValue *value);

/* Finds the variables of the function whose value may be undefined. */
void check_find_undefined(Emitter *e);

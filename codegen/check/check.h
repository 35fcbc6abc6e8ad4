/* What the files of DIALECT_CHECK share. Not for other folders.
**
** check.c           the kernel, what threads do together
** number.c          what may go wrong in arithmetic
** access.c          loads, stores and atomics, each with the checker's leave
** iteration.c       iterations of loops, and calls
** flow.c            what of a program's arithmetic goes into an index
** origin.c          what of that an index may be made of
** heard.c           what shuffles hear of lanes that are not there
** prelude/check.c   the functions that the text calls */
#ifndef KJIT_CHECK_CODE_H
#define KJIT_CHECK_CODE_H

#include "codegen/checked.h"
#include "codegen/emit/emit.h"

/* Arithmetic that goes into an index and may wrap. */
typedef enum CheckIndexKind {
    INDEX_NONE,
    INDEX_EXACT, /* it must not wrap */
    INDEX_CUT,   /* it is cut to an unsigned type, and may be meant to be: the axis tells */
    INDEX_STORED /* the same of what becomes an element, whose array has indices */
} CheckIndexKind;

typedef struct CheckIndex {
    const IrValue *value;
    CheckIndexKind kind;
    int number; /* of its bit; CHECK_WRAPS and more: it has none */
} CheckIndex;

/* What the emitter keeps of a checked unit. */
typedef struct Check {
    EmitSite *sites;
    int site_count, site_capacity;
    EmitShared *shared;
    int shared_count, shared_capacity;
    CheckIndex *indices; /* arithmetic that goes into an index, by address */
    int index_count, index_capacity;
    uint64_t **index_vars;     /* what of it variables hold, of each function: check_index_mask() */
    uint64_t **index_elements; /* the same of the elements of arrays, by the array's variable */
    uint64_t *index_results;   /* of functions' results */
    int *heard;                /* of each variable of the function 1 + its bit, 0: none (heard.c) */
    int heard_count;           /* bits that the unit has given */
    const IrVar *copied;       /* by the statement at hand, which is no use of it */
} Check;

/* The number of a place in the source. */
int check_site(Emitter *e, Span span, const char *array, const char *what, size_t alignment);

/* Finds what goes into indices. */
void check_find_indices(Emitter *e);
/* `text`, an index of an axis, that tells if what it is made of has wrapped. */
const char *check_used_index(Emitter *e, const IrValue *index, const char *text, const char *array,
                             const char *extent);
/* The arithmetic of an index that a value is; .kind INDEX_NONE if it is none. */
CheckIndex check_index(const Emitter *e, const IrValue *value);
/* Which of it a value may be made of: the lower half of the bits where it is as it came, the upper
** half where it was added to something, and the like. */
uint64_t check_index_mask(const Emitter *e, const IrValue *value);

/* Which variables of the function hold what a shuffle gave. */
void check_find_heard(Emitter *e);

#endif

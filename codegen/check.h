/* What the files of DIALECT_CHECK share. Not for other folders.
**
** emit_check.c     the kernel, what threads do together
** check_number.c   what may go wrong in arithmetic
** emit_access.c    loads, stores and atomics, each with the checker's leave
** check_turn.c     turns of loops, and calls
** check_flow.c     what of a program's arithmetic goes into an index
** check_heard.c    what shuffles hear of lanes that are not there
** prelude_check.c  the functions that the text calls */
#ifndef KJIT_CHECK_CODE_H
#define KJIT_CHECK_CODE_H

#include "codegen/checked.h"
#include "codegen/emit.h"

/* What the emitter keeps of a checked unit. */
typedef struct Check {
    EmitSite *sites;
    int site_count, site_capacity;
    EmitShared *shared;
    int shared_count, shared_capacity;
    const IrValue **indices; /* arithmetic that goes into an index, by address */
    int index_count, index_capacity;
    int *heard;          /* of each variable of the function 1 + its bit, 0: none (check_heard.c) */
    int heard_count;     /* bits that the unit has given */
    const IrVar *copied; /* by the statement at hand, which is no use of it */
} Check;

/* The number of a place in the source. */
int check_site(Emitter *e, Span span, const char *array, const char *what, size_t alignment);

/* Finds what goes into indices, and tells. */
void check_find_indices(Emitter *e);
bool check_is_index(const Emitter *e, const IrValue *value);

/* Which variables of the function hold what a shuffle gave. */
void check_find_heard(Emitter *e);

#endif

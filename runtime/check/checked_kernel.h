/* What the checker is told of a kernel beside its code: places in the source, shared arrays, and
** where its array parameters stand. */
#ifndef KJIT_CHECKED_KERNEL_H
#define KJIT_CHECKED_KERNEL_H

#include "runtime/check/check.h"
#include "runtime/runtime.h"

/* An array among the parameters, maybe inside a tuple. */
typedef struct CheckedParam {
    const char *name; /* "x", "t[1][0]" */
    const Type *type;
    int first;     /* of the parameters that stand for it */
    size_t offset; /* in a tuple, whose members are all in one parameter */
    bool member;   /* of one */
} CheckedParam;

typedef struct CheckedKernel {
    Arena arena; /* of this and all it points to */
    const char *name;
    const Emitted *emitted;
    CheckedParam *params;
    int count, capacity;
    Span span;                /* of its def */
    struct CheckPlain *plain; /* for launches that need not be checked; NULL: all do */
    const Diag *widened;      /* as in KernelRequest */
    size_t widened_count;
} CheckedKernel;

/* Of a translation for DIALECT_CHECK, in its arena. */
CheckedKernel *checked_new(Arena *arena, const KernelRequest *translation);
/* Gives it the arena that it and the translation lie in, to go with it. */
CheckedKernel *checked_keep(CheckedKernel *checked, const Arena *arena);
void checked_free(CheckedKernel *checked); /* NULL too */
/* How many parameters stand for an argument of a type: codegen.h lists them. */
int checked_params_of(const Type *type);
/* The arrays of a launch, to be memory_free()d: one for each of `params`. NULL without memory. */
CheckArray *checked_arrays(const CheckedKernel *checked, void *const *params);

#endif

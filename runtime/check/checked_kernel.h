/* What the checker needs of a kernel beside its code: source locations, shared arrays, array
** parameters. */
#pragma once

#include "runtime/check/check.h"
#include "runtime/compile/compile.h"

/* An array among the parameters, maybe inside a tuple. */
typedef struct CheckedParam {
    const char *name; /* "x", "t[1][0]" */
    const Type *type;
    int first;     /* of its parameters */
    size_t offset; /* in a tuple, which is passed as one parameter */
    bool member;   /* of a tuple */
} CheckedParam;

typedef struct CheckedKernel {
    Arena arena; /* of this and all it points to */
    const char *name;
    const Emitted *emitted;
    CheckedParam *params;
    int count, capacity;
    Span span;                /* of its def */
    struct CheckPlain *plain; /* for launches that need no checking; NULL: all do */
    const Diag *widened;      /* as in KernelRequest */
    size_t widened_count;
} CheckedKernel;

/* Of a translation for DIALECT_CHECK, in its arena. */
CheckedKernel *checked_new(Arena *arena, const KernelRequest *translation);
/* Hands over the arena that it and the translation lie in, which checked_free() frees. */
CheckedKernel *checked_keep(CheckedKernel *checked, const Arena *arena);
void checked_free(CheckedKernel *checked); /* NULL too */
/* The number of parameters that an argument of a type becomes: codegen.h lists them. */
int checked_params_of(const Type *type);
/* The arrays of a launch, to be memory_free()d: one for each of `params`. NULL without memory. */
CheckArray *checked_arrays(const CheckedKernel *checked, void *const *params);

/* The memory that an array may lie in: a parameter's, a shared, private or constant array's.
**
** Every variable that holds an array, or a tuple with arrays in it, has a set of the variables
** whose own memory it may point into. The sets ignore the order of statements: an assignment only
** adds. */
#ifndef KJIT_ROOTS_H
#define KJIT_ROOTS_H

#include "ir/ir.h"

enum { ROOTS_BITS = 64 };

/* Of one function, for the variables that it had by then and scalars made since. In a set, bit i is
** variable number i; the bit behind says: perhaps elsewhere. */
typedef struct IrRoots {
    Arena *arena;
    const IrFunc *fn;
    int count;       /* of variables */
    int words;       /* in a set */
    uint64_t **sets; /* by IrVar.id */
} IrRoots;

IrRoots ir_roots(Arena *arena, const IrFunc *fn);
/* The set of an array value, or of a tuple with arrays; empty of anything else. */
uint64_t *ir_roots_of(const IrRoots *roots, const IrValue *value);
bool ir_roots_have(const uint64_t *set, int id);
bool ir_roots_elsewhere(const IrRoots *roots, const uint64_t *set);
/* Two variables whose memories are one or may overlap, of either set one, as far as is known of the
** launch. False if there are none: what lies in the one never lies in the other. `a` and `b` are
** NULL where that is elsewhere. */
bool ir_roots_meet(const IrRoots *roots, IrLaunch *launch, const uint64_t *left,
                   const uint64_t *right, const IrVar **a, const IrVar **b);

#endif

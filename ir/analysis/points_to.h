/* The memory that an array may lie in: a parameter's, a shared, private or constant array's.
**
** Every variable that holds an array, or a tuple with arrays in it, has a set of the variables
** whose own memory it may point into. The sets ignore the order of statements: an assignment only
** adds. */
#pragma once

#include "ir/ir.h"

enum { POINTEES_BITS = 64 };

/* Of one function, for the variables that it had by then and scalars made since. In a set, bit i is
** variable number i; the bit behind says: perhaps elsewhere. */
typedef struct IrPointsTo {
    Arena *arena;
    const IrFunc *fn;
    int count;       /* of variables */
    int words;       /* in a set */
    uint64_t **sets; /* by IrVar.id */
} IrPointsTo;

/* The sets of all variables of a function; they live as long as the arena. */
IrPointsTo ir_points_to(Arena *arena, const IrFunc *fn);
/* The set of an array value, or of a tuple with arrays; empty of anything else. */
const uint64_t *ir_pointees(const IrPointsTo *points_to, const IrValue *value);
/* Whether a set has variable number `id`. */
bool ir_pointees_have(const uint64_t *set, int id);
/* The first variable of a set from `from` on; the number of variables if there is none. */
int ir_pointees_next(const IrPointsTo *points_to, const uint64_t *set, int from);
/* The variables of a set. */
#define for_each_pointee(id, points_to, set)                                                       \
    for (int id = ir_pointees_next(points_to, set, 0); id < (points_to)->count;                    \
         id = ir_pointees_next(points_to, set, id + 1))
/* Whether a set may have memory that is no variable's of the function. */
bool ir_pointees_elsewhere(const IrPointsTo *points_to, const uint64_t *set);
/* The private arrays whose accesses may as well be to memory of another kind, by IrVar.id: an array
** variable, a conditional expression or what a call returns may be either. */
bool *ir_private_among_others(const IrPointsTo *points_to);
/* Two variables whose memories are one or may overlap, of either set one, as far as is known of the
** launch. False if there are none: what lies in the one never lies in the other. `a` and `b` are
** NULL where that is elsewhere. */
bool ir_may_alias(const IrPointsTo *points_to, IrLaunch *launch, const uint64_t *left,
                  const uint64_t *right, const IrVar **a, const IrVar **b);

/* The elements of arrays that a loop reads and writes, and which of them are the same at each
** iteration. For passes that keep elements elsewhere while a loop runs.
**
** Two elements are the same if the text of array and indices is, and are different if some index of
** the two is, of one array whose elements have a place each: not negative, and the same but for a
** constant. Both are said of one moment. They hold for the whole loop of an access that is
** invariant in it, and of any other with it: then nothing that either text has in common with it
** changes meanwhile. Memory that may be reached by two names overlaps unless points_to.h or what is
** known of the launch says no. */
#pragma once

#include "ir/analysis/points_to.h"
#include "ir/analysis/flow/sets.h"

typedef enum AccessKind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_OTHER /* any element may be accessed, and `written` */
} AccessKind;

typedef struct Access {
    AccessKind kind;
    const IrValue *array;
    IrValue *const *indices;
    int count;
    IrStmt *stmt;
    const IrValue *load; /* of ACCESS_LOAD */
    bool written;
    bool hinted; /* the text says how caches are to treat it */
} Access;

/* A loop as it stands. */
typedef struct Accesses {
    IrUnit *unit;
    const IrPointsTo *points_to;
    IrStmt *loop;
    Access *list;
    int count, capacity;
    IrSets sets;     /* of all that the loop repeats */
    const char *why; /* memory cannot be held back while it runs; NULL: it can */
    bool found;      /* which is but for what plain atomics found, and is used */
} Accesses;

/* What a loop does, its condition included if it is a while. */
Accesses accesses_of(IrUnit *unit, const IrPointsTo *points_to, IrStmt *loop);
/* What a statement's own values access, as the bounds of a for do; without `sets`. */
Accesses accesses_of_values(IrUnit *unit, const IrPointsTo *points_to, IrStmt *stmt);
/* Whether an access is of the same element at each iteration. */
bool access_invariant(const Accesses *accesses, const Access *access);
/* Whether two accesses are of the one element that both name, and are sure to be of different ones.
** If neither, `*other` says what may be the same as the first's array; NULL: that is not known. */
bool same_element(const Access *a, const Access *b);
bool disjoint_elements(const Accesses *accesses, const Access *a, const Access *b,
                       const IrVar **other);
/* Whether something in the loop, other than the access `but` (NULL: whatever it is), may write to
** memory that an array has. */
bool accesses_write(const Accesses *accesses, const IrValue *array, const Access *but);
/* Whether no iteration of the loop, which counts up by a constant, loads what one before it stores.
** The load may stand in a loop inside, `inner`, whose counter stays below that of the iteration
** that stores, plus `end`. Names stand for what `sets`, of the whole function, has for them. */
bool loads_before(const Accesses *accesses, const IrSets *sets, const Access *store,
                  const Access *load, const IrStmt *inner, int64_t end);

/* The atomic that a statement is, its result used (IR_SET) or not; NULL if it is none. */
const IrValue *atomic_of(const IrStmt *stmt);
/* The operation by which a value, an atomic, changes an element: a difference is a sum.
** COMBINE_NONE of one that does so in another way, and of what is no atomic. */
Combine atomic_combine(const IrValue *value);
/* Whether a value is an atomic that changes an element and orders nothing else. */
bool atomic_is_plain(const IrValue *value);
/* Whether an atomic adds a constant other than 0 to an integer of a parameter, of one number for
** all threads of a block that come there. */
bool atomic_counts(const IrValue *atomic);

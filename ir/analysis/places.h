/* The elements of arrays that a loop reads and writes, and which of them are the same at each
** iteration. For passes that keep elements elsewhere while a loop runs. */
#ifndef KJIT_PLACES_H
#define KJIT_PLACES_H

#include "ir/analysis/roots.h"

typedef enum TouchKind {
    TOUCH_LOAD,
    TOUCH_STORE,
    TOUCH_OTHER /* any element may be touched, and `written` */
} TouchKind;

typedef struct Touch {
    TouchKind kind;
    const IrValue *array;
    IrValue *const *indices;
    int count;
    IrStmt *stmt;
    const IrValue *load; /* of TOUCH_LOAD */
    bool written;
    bool hinted; /* the text says how caches are to treat it */
} Touch;

/* A loop as it stands. */
typedef struct Places {
    IrUnit *unit;
    const IrRoots *roots;
    IrStmt *loop;
    Touch *touches;
    int count, capacity;
    bool *sets;      /* by IrVar.id: set in the loop */
    int var_count;   /* of the function, then */
    const char *why; /* memory cannot be held back while it runs; NULL: it can */
} Places;

/* What a loop does, its condition included if it is a while. */
Places places_of(IrUnit *unit, const IrRoots *roots, IrStmt *loop);
IrRegion *loop_body(IrStmt *loop);
/* Whether a value is the same wherever it stands in the loop, and reads no memory. */
bool places_fixed(const Places *places, const IrValue *value);
/* Whether two touches are of the one element that both name, and are sure to be of different ones.
** If neither, `*other` says what may be the same as the first's array; NULL: that is not known. */
bool places_same(const Touch *a, const Touch *b);
bool places_apart(const Places *places, const Touch *a, const Touch *b, const IrVar **other);

/* Whether two values are the same text: equal if nothing that they read changes between them. */
bool ir_same_value(const IrValue *a, const IrValue *b);

#endif

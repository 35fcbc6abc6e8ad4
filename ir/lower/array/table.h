/* What the files share that make constant arrays: a call like np.zeros(...) being evaluated, and
** their elements. */
#pragma once

#include "ir/lower/array.h"
#include "ir/lower/function.h"

enum { SLOTS = 7 };

/* A call taken apart: an expression for each parameter, NULL where none is given. */
typedef struct Maker {
    FnState *f;
    const AstExpr *call;
    const char *path;
    const AstExpr *slots[SLOTS];
} Maker;

/* Puts the call's arguments into their slots, by place and name; false after a complaint. */
bool take_arguments(Maker *m, const char *const names[SLOTS]);
/* Whether the order in a slot, if any, is one that rows lie whole in; complains if not. */
bool take_order(const Maker *m, int slot);
/* The type that a slot names; `*type` stays as it is where nothing is given. */
bool take_dtype(const Maker *m, int slot, const Type **type);
/* A number that is known; NULL after a complaint. */
IrValue *take_scalar(const Maker *m, const AstExpr *expr);
/* An array of zeros, to be filled; NULL after a complaint that it is too big. */
IrTable *maker_table(FnState *f, const Type *element, int rank, const int64_t *shape, Span span);

static inline unsigned char *table_element(IrTable *table, int64_t index)
{
    return (unsigned char *)table->bytes + (size_t)index * type_size(table->element);
}

/* np.array(object, dtype) and np.asarray; NULL after a complaint. */
IrTable *make_array(Maker *m);
/* np.frombuffer(bytes, dtype, count, offset), likewise. */
IrTable *make_frombuffer(Maker *m);

/* Goes over the elements of a view in the order of rows; each gives where it lies, NULL behind the
** last. */
typedef struct TableWalk {
    const TableView *view;
    int64_t left, at[RANK_MAX];
} TableWalk;

TableWalk table_walk(const TableView *view);
const unsigned char *table_next(TableWalk *walk);

/* Marks the tables that a value is made of: in NumPy each may be one with another. */
void table_mark_viewed(const IrValue *value);

/* Building for passes that write many statements, all for one place of the source. */
#pragma once

#include "ir/ir.h"

/* Passes have one in a struct of theirs, as an array of one: `m->b` is its address. */
typedef struct IrBuilder {
    Arena *arena;
    IrFunc *fn; /* gets the new variables */
    Span span;
} IrBuilder;

/* A mention of a variable; a constant; an operation on two values. */
IrValue *build_var(const IrBuilder *b, const IrVar *var);
IrValue *build_integer(const IrBuilder *b, const Type *type, int64_t value);
IrValue *build_int(const IrBuilder *b, int64_t value);
IrValue *build_op(const IrBuilder *b, IrOp op, IrValue *left, IrValue *right);
/* An int64 and a number, which is not mentioned if it is 0; an int64 so many times. */
IrValue *build_plus(const IrBuilder *b, IrValue *value, int64_t number);
IrValue *build_times(const IrBuilder *b, IrValue *value, int64_t number);
/* Of two int64. */
IrValue *build_min(const IrBuilder *b, IrValue *left, IrValue *right);
IrValue *build_max(const IrBuilder *b, IrValue *left, IrValue *right);
IrValue *build_cast(const IrBuilder *b, const Type *type, IrValue *value);
/* Appends a call of an intrinsic without a result; `operand` may be NULL. */
void build_call(const IrBuilder *b, IrIntrinsic intrinsic, IrValue *operand, IrRegion *out);
IrValue *build_copy(const IrBuilder *b, const IrValue *value);
/* A thread's index in its block, int64. */
IrValue *build_thread_index(const IrBuilder *b, int axis);
/* The element of an array of one axis, or of two if `column` is not NULL. */
IrValue *build_load(const IrBuilder *b, const IrVar *array, IrValue *row, IrValue *column);

/* A temporary of that type; an int64 that is never negative. */
IrVar *build_temporary(const IrBuilder *b, const char *name, const Type *type);
IrVar *build_counter(const IrBuilder *b, const char *name);
/* A temporary in place of a variable: of its name, its type and what is known of it. */
IrVar *build_own(const IrBuilder *b, const IrVar *var);
/* How often a function, or a part of it, sets and reads each variable, by IrVar.id. */
typedef struct IrUses {
    const int *sets, *reads;
} IrUses;
/* Gives each of the first `count` variables that a part of the function alone sets and reads, and
** that holds no array, one of its own for a copy of the part. */
void build_own_vars(const IrBuilder *b, int count, IrUses part, IrUses all, IrVar **vars);

/* These append to `out`. */
void build_set(const IrBuilder *b, IrVar *var, IrValue *value, IrRegion *out);
void build_store(const IrBuilder *b, const IrVar *array, IrValue *row, IrValue *column,
                 IrValue *value, IrRegion *out);
/* Gives a new variable, an int64 that is never negative. */
IrVar *build_let(const IrBuilder *b, const char *name, IrValue *value, IrRegion *out);
/* Gives the region for where the condition holds. */
IrRegion *build_if(const IrBuilder *b, IrValue *condition, IrRegion *out);

/* A loop with steps of that number, and how many of its iterations to lay side by side. */
IrStmt *build_for(const IrBuilder *b, IrVar *var, IrValue *start, IrValue *stop, int64_t step,
                  int unroll);

/* Where these take a value, a variable stands for what it holds and a number for itself, an int64:
** build_op(b, OP_add, var, 1). */
#define BUILT(b, of)                                                                               \
    _Generic((of), IrVar *: build_var, const IrVar *: build_var, IrValue *: built_value,           \
             void *: built_nothing, default: build_int)((b), (of))
static inline IrValue *built_value(const IrBuilder *b, IrValue *value)
{
    (void)b;
    return value;
}
static inline IrValue *built_nothing(const IrBuilder *b, void *null)
{
    (void)b;
    return null;
}
#define build_op(b, op, left, right)      build_op(b, op, BUILT(b, left), BUILT(b, right))
#define build_min(b, left, right)         build_min(b, BUILT(b, left), BUILT(b, right))
#define build_max(b, left, right)         build_max(b, BUILT(b, left), BUILT(b, right))
#define build_plus(b, of, number)         build_plus(b, BUILT(b, of), number)
#define build_times(b, of, number)        build_times(b, BUILT(b, of), number)
#define build_cast(b, type, of)           build_cast(b, type, BUILT(b, of))
#define build_call(b, intrinsic, of, out) build_call(b, intrinsic, BUILT(b, of), out)
#define build_load(b, array, row, column) build_load(b, array, BUILT(b, row), BUILT(b, column))
#define build_set(b, var, to, out)        build_set(b, var, BUILT(b, to), out)
#define build_store(b, array, row, column, of, out)                                                \
    build_store(b, array, BUILT(b, row), BUILT(b, column), BUILT(b, of), out)
#define build_let(b, name, of, out) build_let(b, name, BUILT(b, of), out)
#define build_if(b, condition, out) build_if(b, BUILT(b, condition), out)
#define build_for(b, var, start, stop, step, unroll)                                               \
    build_for(b, var, BUILT(b, start), BUILT(b, stop), step, unroll)

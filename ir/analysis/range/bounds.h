/* What the integers of a kernel can be, point by point.
**
** A walk over the kernel, in the order of its text, has for each variable the value it was last set
** to, and the conditions that hold there. At the head of a loop a variable is anything that the
** loop sets it to. */
#pragma once

#include "ir/analysis/range/interval.h"

typedef struct IrBounds IrBounds;

/* ---- magnitude.c: by the bit, without a walk ------------------------------------------------- */

/* A statement that sets a variable, among all. */
typedef struct IrSetStmt {
    const IrStmt *stmt;
    const struct IrSetStmt *next;
} IrSetStmt;

/* How many bits the integers of a function take, sign left out: 2 to that many is not less than
** any of them, of either sign. Sums add a bit, products add bits, counters lie between the ends of
** their loops; conditions are not used. What is added to over and over may be all that its
** type has, unless `steps_count`: then steps of few bits are taken to stop before 62. That is no
** proof, and for the choice of how a sum is written alone. */
typedef struct IrMagnitude {
    Arena *arena;
    const IrFunc *fn;
    IrLaunch *launch; /* asked for small scalars; NULL: none is known to be */
    bool steps_count;
    bool least;             /* of what is never negative a minimum is as small as the least */
    const IrSetStmt **sets; /* by IrVar.id; NULL until they are asked for */
    int *bits;              /* likewise, one more; 0: not found yet */
} IrMagnitude;

enum { FAR_BITS = 62 }; /* what has no more is far from where numbers of 64 bits end */

/* Of a function that does not change meanwhile. */
IrMagnitude *ir_magnitude(Arena *arena, const IrFunc *fn, IrLaunch *launch);
const IrSetStmt *magnitude_sets(IrMagnitude *m, const IrVar *var);
/* The bits that a value takes. */
int magnitude_bits(IrMagnitude *m, const IrValue *value);
/* The same as if its type had room for every number: if these are more than the type has, the value
** may overflow. */
int magnitude_open_bits(IrMagnitude *m, const IrValue *value);
/* The bits that some number of a type takes. */
int magnitude_type_bits(const Type *type);

/* ---- bounds.c -------------------------------------------------------------------------------- */

/* Goes over the kernel until nothing changes. Variables keep their types meanwhile. */
IrBounds *ir_bounds(IrUnit *unit);

/* All that a variable is ever set to, or counts through. Of integers. */
Interval bounds_of_var(const IrBounds *b, const IrVar *var);
/* Whether a variable that loops count in stays within int32 with a step beyond each of its
** iterations, and is not read outside of them. */
bool bounds_count_fits(const IrBounds *b, const IrVar *var);

/* One more walk: `visit` is called at each statement, before its regions are walked, and may put
** other values in it. */
typedef void IrBoundsVisitor(void *context, IrBounds *b, IrStmt *stmt);
void bounds_walk(IrBounds *b, IrBoundsVisitor *visit, void *context);

/* At the point where a walk is: what a value of the kernel as it was is. */
Interval bounds_of(IrBounds *b, const IrValue *value);
/* What x - y is, as if their type had room for every number: it does not wrap. */
Interval bounds_difference(IrBounds *b, const IrValue *x, const IrValue *y);
/* What an integer is beside a multiple of a variable: factor * var + something in `rest`; false if
** it is not known to be such a sum. The sum does not wrap. */
bool bounds_beside(IrBounds *b, const IrValue *value, const IrVar *var, int64_t *factor,
                   Interval *rest);
/* Whether the value of a float is known to be a number that lies, without its fraction, within a
** type of integers, so that a cast needs no care for what does not. */
bool bounds_float_fits(IrBounds *b, const IrValue *value, const Type *type);
/* Takes a condition to hold, or not to, until all that was assumed since the mark is forgotten. */
int bounds_mark(const IrBounds *b);
void bounds_assume(IrBounds *b, const IrValue *condition, bool holds);
void bounds_forget(IrBounds *b, int mark);
/* Takes what holds wherever operand `i` of a value is evaluated, which of `and`, `or` and selects
** the first one decides; gives the mark. */
int bounds_enter(IrBounds *b, const IrValue *value, int i);

/* What the integers of a kernel can be, point by point.
**
** A walk over the kernel, in the order of its text, knows for each variable what it was last set
** to, and what the conditions say that hold where it stands. Where loops come round again, a
** variable is anything that it is ever set to. */
#ifndef KJIT_BOUNDS_H
#define KJIT_BOUNDS_H

#include "ir/analysis/interval.h"

typedef struct IrBounds IrBounds;

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
/* Whether the value of a float is known to be a number, so that bounds_of() a cast of it to an
** integer says what it is without the fraction. */
bool bounds_is_number(IrBounds *b, const IrValue *value);
/* Takes a condition to hold, or not to, until all that was assumed since the mark is forgotten. */
int bounds_mark(const IrBounds *b);
void bounds_assume(IrBounds *b, const IrValue *condition, bool holds);
void bounds_forget(IrBounds *b, int mark);

#endif

/* What the files of the pass `narrow` share: narrow.c says what it does. */
#pragma once

#include "ir/analysis/range/bounds.h"
#include "ir/optimise.h"

typedef struct Narrow {
    IrUnit *unit;
    IrFunc *fn;
    Arena *arena;
    IrBounds *bounds;
    bool *narrowed; /* by IrVar.id: it becomes an int32 */
    bool *cut;      /* likewise: as its low bits alone are asked for */
    bool *index;    /* likewise: it is a sum that only indices are made of, and stays wide */
    bool shrinks;   /* some view has smaller elements than what it looks at */
} Narrow;

/* Whether an array is seen as elements smaller than its own. */
bool narrow_shrinks(const IrValue *array);

/* ---- narrow_value.c: copies of values, where a walk over the bounds is ----------------------- */

/* A copy of the value's own type. */
IrValue *narrow_value(Narrow *n, const IrValue *value);
/* A value that fits, as an int32. */
IrValue *narrow_as_int32(Narrow *n, const IrValue *value);
/* The low 32 bits of a value, as an int32. */
IrValue *narrow_cut(Narrow *n, const IrValue *value);
/* A sum that fits as a processor computes addresses: of 64 bits, where it does not wrap. */
IrValue *narrow_wide_sum(Narrow *n, const IrValue *value);
/* Whether the low bits of the result depend on those of the operands alone. */
bool narrow_keeps_low_bits(Narrow *n, const IrValue *value);
/* A value as an index of `array`. */
IrValue *narrow_index(Narrow *n, const IrValue *array, const IrValue *index);

/* ---- narrow_ring.c ------------------------------------------------------------------------- */

/* A remainder that fits, of what goes around once, as an int32 without a division of 64 bits; or
** NULL. */
IrValue *narrow_ring(Narrow *n, const IrValue *value);

/* ---- narrow_quotient.c ----------------------------------------------------------------------- */

/* A quotient or remainder that fits, by what may take more bits, as an int32; or NULL. */
IrValue *narrow_quotient(Narrow *n, const IrValue *value);

/* ---- narrow_least.c -------------------------------------------------------------------------- */

/* The low 32 bits of the lesser or greater of two sums, as an int32 without numbers of 64 bits; or
** NULL. */
IrValue *narrow_least(Narrow *n, const IrValue *value);

/* ---- narrow_value.c, narrow.c ---------------------------------------------------------------- */

/* Whether it is an integer of 64 bits. */
bool narrow_is_wide(const Type *type);
/* Whether an integer fits an int32. */
bool narrow_fits(Narrow *n, const IrValue *value);
/* Whether a value is never less than 0. */
bool narrow_nonnegative(Narrow *n, const IrValue *value);

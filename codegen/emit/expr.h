/* What the files that write values share: expr.c and those that it calls. */
#pragma once

#include "codegen/emit/emit.h"

/* ---- natural.c ----------------------------------------------------------------------------- */

/* Whether the type of a cast has every value that its operand can have. */
bool changes_no_value(const IrValue *cast);
/* Whether an integer that becomes a float is to be hidden from the C compiler. */
bool rounds_hidden(const Emitter *e, const Type *from, const Type *to);
/* The type that value_text() has in C. */
const Type *natural_type(Emitter *e, const IrValue *value);
/* Integers whose quotient and remainder C computes as Python does. */
bool divides_as_c(const Emitter *e, const IrValue *value);
/* Which operands of an operator must be exactly of the IR's type. The others may be written as what
** C converts to it: only floats are rounded, and C computes in the IR's type if it is a float. */
void need_exact(Emitter *e, const IrValue *value, bool exact[2]);

/* ---- operator.c: templates ----------------------------------------------------------------- */

/* What one expansion of a template of text.def needs to know. */
typedef struct Expansion {
    const IrValue *value;
    const char *operands[4]; /* texts, NULL: as arguments */
    const Type *type;        /* for %{...} and %m */
    bool raw;                /* half floats are not widened */
} Expansion;

/* A row's text with what its marks stand for (text.def). */
const char *expand(Emitter *e, const char *text, const Expansion *x);
/* A half float as the float that C computes with. */
const char *widened_text(Emitter *e, const IrValue *value);
/* `text`, a float that is a value, rounded to the half float that the value is. */
const char *narrowed_text(Emitter *e, const IrValue *value, const char *text);
/* An argument in a call: floats of just their type, since CUDA's functions are overloaded. */
const char *argument_text(Emitter *e, const IrValue *value, bool exact);
/* A name for an operand that is used more than once, or before something else; in `out`. */
const char *held_operand(Emitter *e, const Type *type, const char *text, Buf *out);

/* ---- operator.c: operators ----------------------------------------------------------------- */

/* An operation of numbers: arithmetic, comparisons, bits, what acts like these. */
const char *operator_text(Emitter *e, const IrValue *value, Prec needs);
/* `not value`, by the opposite comparison where there is one. */
const char *not_text(Emitter *e, const IrValue *value, Prec prec);

/* ---- call.c -------------------------------------------------------------------------------- */

/* A call of a device function, and of what is built in. */
const char *call_text(Emitter *e, const IrValue *value);
const char *intrinsic_text(Emitter *e, const IrValue *value, Prec needs);

/* ---- cast.c -------------------------------------------------------------------------------- */

/* Whether a cast makes an int of a float, a number, that has room in it; and that, `hidden` if the
** compiler does not see what becomes of it. */
bool is_fitting(const IrValue *value);
const char *fitting_text(Emitter *e, const IrValue *value, bool hidden, Prec prec);
/* Any other cast of scalars. */
const char *conversion_text(Emitter *e, const IrValue *value, Prec prec);

/* ---- expr.c -------------------------------------------------------------------------------- */

/* Whether a value is frexp() or modf(), whose items are functions of their own each. */
bool is_split(const IrValue *value);
/* A tuple's struct, made of its items. */
const char *tuple_text(Emitter *e, const IrValue *value);

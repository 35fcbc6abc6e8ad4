/* What the files share that lower calls of what is built in: the call, its arguments, and which
** function sees to it. */
#pragma once

#include "ir/lower/lower.h"

/* The arguments of a call to something built in. */
struct Call {
    const AstExpr *expr;
    IrIntrinsic intrinsic;
    const char *name; /* as messages call it */
    Span span;
    Operand *args;
    int count;
};

/* ---- call/intrinsic.c ------------------------------------------------------------------------ */

Operand lower_intrinsic(FnState *f, const Call *call);
/* What a built-in stands for where it is not called: warpsize is a number. */
Operand lower_builtin(FnState *f, Operand operand);
/* Whether there are as many arguments as are taken; complains if not. */
enum { ANY_COUNT = 1000 }; /* for `most` */
bool call_takes(FnState *f, const Call *call, int least, int most);
/* Argument `index` as a value; poison after a complaint. */
IrValue *call_value(FnState *f, const Call *call, int index);
/* The call with the items of its only argument, if that is a tuple, in place of it. */
Call call_spread(FnState *f, const Call *call, const char *name);
/* Complains, once, of argument `index`: "NAME takes WANTED, and this is ..."; poison. */
Operand call_refuse(FnState *f, const Call *call, int index, const char *wanted);
/* What stands for the result after a complaint. */
Operand call_poison(FnState *f, const Call *call);
/* The call's own intrinsic, of up to three values. */
Operand call_intrinsic(FnState *f, const Call *call, const Type *type, IrValue *a, IrValue *b,
                       IrValue *c);
/* A number as another type. */
IrValue *cast(FnState *f, const Type *type, IrValue *value);

/* ---- the functions of names/tables/rules.def ------------------------------------------------- */

#define UNCALLED(id)
#define RULE(id, function, least, most, keywords) Operand function(FnState *f, const Call *call);
#include "ir/names/tables/rules.def"

/* ---- others ---------------------------------------------------------------------------------- */

/* call/fixed.c: a function whose types are fixed. */
Operand lower_fixed(FnState *f, const Call *call, const FixedFunction *function);
/* A function of math of numbers that are known, of x alone if y is NULL. Poison after a
** complaint. */
IrValue *constant_math(FnState *f, const Call *call, const Type *type, double x, const double *y);
/* float_text.c: what float("...") is; NULL, or what is wrong with the text. */
const char *float_of_text(Arena *arena, const char *text, size_t length, double *number);

/* Checks what every pass may rely on, most of it read off ops.def:
**
** - operations have as many operands as their row says, and operands and results agree in type;
** - effects that show in order stand alone as the value of an IR_SET or IR_EVAL;
** - a statement's values have the types the statement demands; break and continue stand in loops;
** - variables belong to the function, arrays have the memory that they need, and no type is
**   type_error;
** - what is set is a local variable: a parameter holds what it was given, whoever reads it.
**
** What is broken cannot be walked through: each check says whether to go on. */
#pragma once

#include "ir/ir.h"

typedef struct Verifier {
    const IrUnit *unit;
    const IrFunc *fn;
    IrBroken *broken;
} Verifier;

static inline bool verify_broken(const Verifier *v, Span span, const char *what)
{
    *v->broken = (IrBroken){ v->fn, span, what };
    return false;
}

static inline bool check(const Verifier *v, bool ok, Span span, const char *what)
{
    return __builtin_expect(ok, 1) || verify_broken(v, span, what);
}

/* A variable of the function; what its kind asks of its type, and of what is said of its memory. */
bool verify_var(const Verifier *v, const IrVar *var, Span span);
bool verify_memory(const Verifier *v, const IrVar *var);
/* A value and all in it; `root`: it is the whole value of a set or of an IR_EVAL. */
bool verify_value(const Verifier *v, const IrValue *value, bool root);
bool verify_values(const Verifier *v, IrValue *const *values, int count);
/* One index an axis of an array, each of a type that indices have. */
bool verify_indices(const Verifier *v, const IrValue *array, IrValue *const *indices, int count,
                    Span span);
/* A value that a statement needs to be of a type. */
bool verify_typed(const Verifier *v, const IrValue *value, const Type *type, Span span);

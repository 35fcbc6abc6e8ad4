/* What the files share that run statements for constants. */
#pragma once

#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* A call, or a statement of the module, while it runs. */
typedef struct Evaluation {
    FnState *f;               /* where its names are bound */
    const Function *function; /* NULL: of a statement */
    bool changes;             /* names of the run may be given values: its call is a statement */
    Operand result;
} Evaluation;

/* Complains that it cannot be run: `what` is the end of "'f' is called for a constant, and ...".
** False. */
bool evaluate_fails(Evaluation *e, Span span, const char *what);
/* An expression's value; false after a complaint. */
bool evaluate_expr(Evaluation *e, const AstExpr *expr, Operand *out);
/* Gives a target, a name or several or a place in something, a value; false after a complaint. */
bool evaluate_assign(Evaluation *e, const AstExpr *target, Operand value);

/* ---- evaluate_store.c ------------------------------------------------------------------------ */

/* object[index] = value, for what shows in no constant yet; false after a complaint. */
bool evaluate_store(Evaluation *e, const AstExpr *target, Operand value);
/* namespace.name = value, of SimpleNamespace and its like. */
bool evaluate_set_attribute(Evaluation *e, const AstExpr *target, Operand value);
/* target op= value */
bool evaluate_augmented(Evaluation *e, const AstStmt *stmt);
/* object.method(...) as a statement, where it changes the object: 1; 0: it is another call; -1
** after a complaint. */
int evaluate_method(Evaluation *e, const AstExpr *call);

/* Copies of values and statements, all the way down, with other variables or values in place of
** some. What is not said to change stays: variables, functions, constants. */
#pragma once

#include "ir/ir.h"

typedef struct IrClone IrClone;
struct IrClone {
    Arena *arena;
    IrVar **vars; /* by IrVar.id, what stands for each variable; NULL: itself */
    /* each may be NULL, and answer that nothing stands in place of what it is shown */
    IrValue *(*value)(const IrClone *clone, const IrValue *value); /* NULL: a copy */
    bool (*stmt)(const IrClone *clone, const IrStmt *stmt, IrRegion *out);
    IrFunc *(*function)(const IrClone *clone, IrFunc *callee); /* never NULL */
    void *context;
};

/* A copy of a value as it is. */
IrValue *ir_copy_value(Arena *arena, const IrValue *value);
/* NULL of NULL. */
IrValue *ir_clone_value(const IrClone *clone, const IrValue *value);
IrStmt *ir_clone_stmt(const IrClone *clone, const IrStmt *stmt);
/* Appends copies of all statements. */
void ir_clone_region(const IrClone *clone, const IrRegion *region, IrRegion *out);
/* For IrClone.stmt: of a branch whose condition becomes a constant, appends the part that runs. */
bool ir_clone_decided(const IrClone *clone, const IrStmt *stmt, IrRegion *out);
/* What stands for a variable. */
IrVar *ir_clone_var(const IrClone *clone, IrVar *var);

/* Puts a loop under a condition, and where that does not hold a copy of it, which passes take for
** one of few iterations and leave as it is. */
void ir_ask_loop(const IrClone *clone, IrRegion *region, IrStmt *loop, IrValue *condition);

/* Appends the statements themselves: `from` is not to be used any more. */
void ir_append_region(IrRegion *to, IrRegion from);
void ir_insert_region(IrRegion *to, IrStmt *before, IrRegion from);
/* Takes what follows `stmt` out of its region. */
IrRegion ir_take_rest(IrRegion *region, IrStmt *stmt);

/* ---- simplify/returns.c --------------------------------------------------------------------- */

/* Makes branches of the returns in a region that is a function's body: what follows `if c: return`
** goes into that if's other branch, a return in a loop raises a flag and breaks, and what follows
** the loop asks the flag. `result`, unless NULL, is set to what they return; the flag, if there
** need be one, becomes a variable of `fn`, set at the region's begin. */
void ir_structure_returns(Arena *arena, IrFunc *fn, IrRegion *body, IrVar *result, Span span);

/* Finds the function that returns an array which ends with it: one of cuda.local.array's, or a view
** of one.
**
** As in effects.c, the order of statements is left aside: a variable may point into such an array
** if any assignment to it does. */
#include "ir/ir.h"

typedef struct Escape {
    bool *own; /* by IrVar.id: may point into an array of the function's */
    bool changed;
    const IrStmt *found;
} Escape;

static bool is_own(const Escape *e, const IrValue *value)
{
    if (!type_holds_arrays(value->type))
        return false;
    if (value->op == OP_call)
        return value->callee->hands_out;
    if (value->op == OP_var)
        return value->var->kind == VAR_PRIVATE || e->own[value->var->id];
    for (int i = 0; i < value->count; i++)
        if (is_own(e, value->operands[i]))
            return true;
    return false;
}

static void visit_stmt(void *context, IrStmt *stmt)
{
    Escape *e = context;
    if (stmt->kind == IR_SET && !e->own[stmt->set.var->id] && is_own(e, stmt->set.value))
        e->own[stmt->set.var->id] = e->changed = true;
    if (stmt->kind == IR_RETURN && stmt->return_.value && is_own(e, stmt->return_.value))
        e->found = stmt;
}

const IrStmt *ir_escape(Arena *arena, const IrFunc *fn)
{
    Escape e = { .own = arena_array(arena, bool, fn->var_count + 1) };
    do {
        e.changed = false;
        ir_each_stmt(&fn->body, visit_stmt, &e);
    } while (e.changed);
    return e.found;
}

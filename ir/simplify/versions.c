/* An integer that is set again and again, one after the other, is another variable each time:
**
**     i = grid(0)                              i.2 = grid(0)
**     i = add(i, offset)                =>     i = add(i.2, offset)
**     if lt(i, n)                              if lt(i, n)
**         store x[i] = 0.0                         store x[i] = 0.0
**
** LEGAL where the second set stands in the same region as the first, and nothing between them sets
** the variable: all that reads it there, and in the second set, has what the first gave. Within a
** loop nothing between may leave the iteration: behind the loop the variable would hold it.
**
** What a branch sets such an integer to is a choice, and one more version:
**
**     y = sub(i, 2)                            y.2 = sub(i, 2)
**     if lt(y, 0)                       =>     y = select(lt(y.2, 0), neg(y.2), y.2)
**         y = neg(y)
**
** LEGAL where the branch does nothing else, and neither its condition nor what it sets reads memory
** or has an effect. It is for what has been set in the same region before, or is set either way, as
** indices are at borders: so what a loop adds up stays as it is.
**
** PAYS always: a variable that one statement sets stands for what that sets it to (flow/sets.h), so
** that passes see through `i += offset` as they do through another name. Sums of floats keep their
** one name. */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/flow/sets.h"
#include "ir/optimise.h"

typedef struct Versions {
    IrUnit *unit;
    IrSets sets;
    const IrVar *from; /* what is being replaced, and by what */
    IrVar *to;
    bool found;
} Versions;

static void note_set(void *context, IrStmt *stmt)
{
    Versions *v = context;
    v->found |= ir_set_var(stmt) == v->from;
}

/* Whether a statement, or one in it, sets the variable. */
static bool sets(Versions *v, IrStmt *stmt)
{
    v->found = false;
    ir_each_stmt_of(stmt, note_set, v);
    return v->found;
}

static bool may_leave(IrStmt *stmt)
{
    return stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE ||
           (stmt->kind == IR_IF &&
            (flow_jumps(&stmt->if_.then) || flow_jumps(&stmt->if_.otherwise)));
}

/* The statement behind `first` that sets its variable anew; NULL: there is none, or in between it
** may be set, too. */
static IrStmt *set_again(Versions *v, IrStmt *first, bool loop)
{
    v->from = first->set.var;
    for (IrStmt *stmt = first->next; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_SET && stmt->set.var == v->from)
            return stmt;
        if (sets(v, stmt) || (loop && may_leave(stmt)))
            return NULL;
    }
    return NULL;
}

static void rename_node(void *context, IrValue *value)
{
    const Versions *v = context;
    if (ir_is_var(value, v->from))
        value->var = v->to;
}

static void rename_between(Versions *v, IrStmt *first, IrStmt *last)
{
    const IrVar *from = v->from;
    v->to =
        ir_var_new(v->unit->arena, v->unit->kernel, from->name, from->type, VAR_LOCAL, from->span);
    v->to->temporary = from->temporary;
    first->set.var = v->to;
    for (IrStmt *stmt = first->next; stmt != last; stmt = stmt->next)
        ir_each_node_of(stmt, rename_node, v);
    ir_each_node(last->set.value, rename_node, v);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void note_heavy(void *context, IrValue *value)
{
    bool *heavy = context;
    *heavy |= value->op == OP_load || value->op == OP_call || value->op == OP_floordiv ||
              value->op == OP_mod || ir_value_effects(value) != EFFECT_NONE;
}

static bool is_light(IrValue *value)
{
    bool heavy = false;
    ir_each_node(value, note_heavy, &heavy);
    return !heavy;
}

/* The set of an int64 that an arm of a branch is, or NULL. */
static const IrStmt *only_set(const IrRegion *arm)
{
    const IrStmt *stmt = arm->first;
    return stmt && !stmt->next && stmt->kind == IR_SET && stmt->set.var->type == type_int64 &&
                   is_light(stmt->set.value)
               ? stmt
               : NULL;
}

static bool is_set_before(const IrStmt *stmt, const IrVar *var)
{
    for (const IrStmt *before = stmt->prev; before; before = before->prev)
        if (before->kind == IR_SET && before->set.var == var)
            return true;
    return false;
}

static void choose(void *context, IrRegion *region, IrStmt *stmt)
{
    IrUnit *unit = context;
    const IrStmt *then = stmt->kind == IR_IF ? only_set(&stmt->if_.then) : NULL;
    if (!then || !is_light(stmt->if_.condition))
        return;
    IrVar *var = then->set.var;
    IrValue *other = ir_var(unit->arena, var, stmt->span);
    if (stmt->if_.otherwise.first) {
        const IrStmt *otherwise = only_set(&stmt->if_.otherwise);
        if (!otherwise || otherwise->set.var != var)
            return;
        other = otherwise->set.value;
    } else if (!is_set_before(stmt, var)) {
        return;
    }
    IrValue *value =
        ir_select(unit->arena, stmt->if_.condition, then->set.value, other, stmt->span);
    ir_insert_before(region, stmt, ir_set(unit->arena, var, value, stmt->span));
    ir_remove(region, stmt);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void visit_region(Versions *v, IrRegion *region, bool loop)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool again = ir_is_loop(stmt);
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            visit_region(v, regions[i], loop || again);
        if (stmt->kind != IR_SET || sets_only(&v->sets, stmt->set.var) ||
            !type_is_integer(stmt->set.var->type))
            continue;
        IrStmt *last = set_again(v, stmt, loop);
        if (last)
            rename_between(v, stmt, last);
    }
}

void ir_versions(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    ir_change_stmts(&fn->body, choose, unit);
    Versions v = { .unit = unit, .sets = ir_sets(unit->arena, fn, &fn->body) };
    visit_region(&v, &fn->body, false);
}

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
    if (value->op == OP_var && value->var == v->from)
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

static void visit_region(Versions *v, IrRegion *region, bool loop)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool again = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
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
    Versions v = { .unit = unit, .sets = ir_sets(unit->arena, fn, &fn->body) };
    visit_region(&v, &fn->body, false);
}

/* Takes calls out of values, as far as that is possible: see inlined.c.
**
** The values of a statement read memory, and what writes happens after they are evaluated. So a
** call in them may be made before the statement, if the statement is sure to make it: if it does
** not stand behind an `and`, an `or` or in an arm of a choice. A function that only returns a value
** needs no statement: the value stands in place of the call, wherever that is, as long as no
** argument need be evaluated twice. */
#include "ir/clone.h"
#include "ir/optimise.h"

enum { MOST_NODES = 64 };

typedef struct Take {
    IrUnit *unit;
    IrFunc *fn;
    IrRegion *region;
    IrStmt *stmt; /* in front of which there is room */
    bool trying;  /* what stays a call may yet be taken */
} Take;

static bool has_others(const IrValue *value)
{
    if (value->op == OP_var && value->var->kind != VAR_PARAM)
        return true;
    for (int i = 0; i < value->count; i++)
        if (has_others(value->operands[i]))
            return true;
    return false;
}

/* The value that is all a function does: of its parameters alone, and not long. NULL: it does
** more. */
static const IrValue *whole_value(const IrFunc *callee)
{
    const IrStmt *only = callee->body.first;
    if (callee->recursive || !only || only->next || only->kind != IR_RETURN)
        return NULL;
    const IrValue *value = only->return_.value;
    return value && !has_others(value) && ir_node_count(value) <= MOST_NODES ? value : NULL;
}

static bool is_plain(const IrValue *value)
{
    return value->op == OP_var || value->op == OP_constant || value->op == OP_zero;
}

/* Sets a variable to a value before the statement; reads it. */
static IrValue *set_before(const Take *t, const char *name, IrValue *value)
{
    Arena *arena = t->unit->arena;
    IrVar *var = ir_temporary(arena, t->fn, name, value->type, value->span);
    ir_insert_before(t->region, t->stmt, ir_set(arena, var, value, value->span));
    return ir_var(arena, var, value->span);
}

static IrValue *argument(const IrClone *clone, const IrValue *value)
{
    IrValue *const *arguments = clone->context;
    const IrClone copy = { .arena = clone->arena };
    return value->op == OP_var ? ir_clone_value(&copy, arguments[value->var->param]) : NULL;
}

/* Puts a function's value in place of its call; false if an argument would be evaluated
** twice. */
static bool substitute(const Take *t, IrValue **slot, const IrValue *whole, bool sure)
{
    IrValue *call = *slot;
    for (int i = 0; i < call->count && !sure; i++)
        if (!is_plain(call->operands[i]) && ir_mentions(whole, call->callee->vars[i]) > 1)
            return false;
    for (int i = 0; i < call->count; i++)
        if (!is_plain(call->operands[i]) && ir_mentions(whole, call->callee->vars[i]) > 1)
            call->operands[i] = set_before(t, "_argument", call->operands[i]);
    const IrClone clone = { .arena = t->unit->arena, .value = argument, .context = call->operands };
    *slot = ir_clone_value(&clone, whole);
    return true;
}

/* Takes calls out of a value; those that stay where they are mark their functions. `sure`: it is
** evaluated whenever the statement is carried out. `root`: it is all of a statement's value that
** may call. */
static void take(const Take *t, IrValue **slot, bool sure, bool root)
{
    IrValue *value = *slot;
    int certain = ir_certain_operands(value);
    for (int i = 0; i < value->count; i++)
        take(t, &value->operands[i], sure && i < certain, false);
    if (value->op != OP_call)
        return;
    const IrValue *whole = whole_value(value->callee);
    if ((whole && substitute(t, slot, whole, sure)) || (root && !value->callee->recursive))
        return;
    if (sure && !root && !value->callee->recursive)
        *slot = set_before(t, "_called", value);
    else if (!t->trying)
        value->callee->stays = true;
}

static bool is_call(const IrValue *value)
{
    return value->op == OP_call && !value->callee->recursive;
}

/* `while c` becomes `while true` with `if not c: break` in front, if calls are left in c. */
static void open_while(Take *t)
{
    Arena *arena = t->unit->arena;
    t->trying = true;
    take(t, &t->stmt->while_.condition, false, false);
    t->trying = false;
    IrValue *condition = t->stmt->while_.condition;
    if (!ir_has_node(condition, is_call))
        return;
    IrStmt *ask =
        ir_if(arena, ir_unary(arena, OP_not, condition, condition->span), condition->span);
    ir_append(&ask->if_.then, ir_stmt(arena, IR_BREAK, condition->span));
    ir_insert_before(&t->stmt->while_.body, t->stmt->while_.body.first, ask);
    t->stmt->while_.condition = ir_integer(arena, type_bool, 1, condition->span);
}

static void take_from_region(IrUnit *unit, IrFunc *fn, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        Take t = { unit, fn, region, stmt, false };
        if (stmt->kind == IR_WHILE)
            open_while(&t);
        bool root = stmt->kind == IR_SET || stmt->kind == IR_EVAL;
        for_each_slot (slot, stmt)
            take(&t, slot, stmt->kind != IR_WHILE, root);
        IrRegion *regions[2];
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            take_from_region(unit, fn, regions[i]);
    }
}

void ir_take_calls(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        unit->functions[i]->stays = false;
    for (int i = 0; i < unit->count; i++) /* callees come first */
        take_from_region(unit, unit->functions[i], &unit->functions[i]->body);
    take_from_region(unit, unit->kernel, &unit->kernel->body);
    ir_prune(unit);
}

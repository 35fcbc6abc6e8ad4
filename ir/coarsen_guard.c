/* `i = grid(0)`, `if i < n: ...` and no more: what stands around all that a kernel does.
**
** The sets in front of the conditions run without harm for threads that fail these, or that nobody
** asked for: they read no memory. */
#include "ir/coarsen.h"

static bool is_harmless(const IrValue *value)
{
    return ir_value_effects(value) == EFFECT_NONE;
}

/* What holds where `value` does not. */
static IrValue *negated(Arena *arena, const IrValue *value)
{
    IrValue *a = value->count ? value->operands[0] : NULL;
    if (value->op == OP_not)
        return a;
    if (ir_is_comparison(value->op) && type_is_integer(a->type))
        return ir_binary(arena, ir_opposite(value->op), a, value->operands[1], value->span);
    return ir_unary(arena, OP_not, (IrValue *)value, value->span);
}

void guard_terms(Arena *arena, Terms *terms, const IrValue *condition, bool wanted)
{
    if (condition->op == (wanted ? OP_and_then : OP_or_else)) {
        guard_terms(arena, terms, condition->operands[0], wanted);
        guard_terms(arena, terms, condition->operands[1], wanted);
        return;
    }
    array_push(arena, terms->list, terms->count, terms->capacity) =
        wanted ? condition : negated(arena, condition);
}

/* The branch that a region consists of, but for harmless sets in front, and that has one way
** alone; NULL if it is not so. */
static const IrStmt *only_branch(const IrRegion *region)
{
    const IrStmt *last = region->last;
    if (!last || last->kind != IR_IF || (last->if_.then.first && last->if_.otherwise.first) ||
        !is_harmless(last->if_.condition))
        return NULL;
    for (const IrStmt *stmt = region->first; stmt != last; stmt = stmt->next)
        if (stmt->kind != IR_SET || !is_harmless(stmt->set.value))
            return NULL;
    return last;
}

Guarded guard_find(Arena *arena, const IrFunc *fn)
{
    Guarded g = { .within = &fn->body };
    Terms terms = { 0 };
    const IrStmt *branch;
    while ((branch = only_branch(g.within))) {
        for (const IrStmt *stmt = g.within->first; stmt != branch; stmt = stmt->next)
            array_push(arena, g.sets, g.set_count, g.set_capacity) = stmt;
        bool wanted = branch->if_.then.first;
        guard_terms(arena, &terms, branch->if_.condition, wanted);
        g.within = wanted ? &branch->if_.then : &branch->if_.otherwise;
    }
    g.terms = terms.list;
    g.term_count = terms.count;
    g.rest = g.within->first;
    while (g.rest && g.rest->kind == IR_SET && is_harmless(g.rest->set.value) &&
           g.within == &fn->body) {
        array_push(arena, g.sets, g.set_count, g.set_capacity) = g.rest;
        g.rest = g.rest->next;
    }
    return g;
}

/* Conditions of several parts, which lowering spells out, as one:
**
**     both: bool = lt(0, x)
**     if both                             if and_then(lt(0, x), lt(x, n))
**         both = lt(x, n)         becomes     ...
**     if both
**         ...
**
** so that what they bound can be seen. Legal where the parts only read, and the second does not
** read the variable itself: and_then comes to it where the branch did. A variable that is asked for
** at once and never again goes. And conditions taken apart again, into what they compare. */
#include "ir/analysis/flow/sets.h"
#include "ir/schedule/tile/tiles.h"

typedef struct Conditions {
    Arena *arena;
    IrSets sets;
    int *reads; /* by IrVar.id */
} Conditions;

static bool only_reads(const IrValue *value)
{
    return !(ir_value_effects(value) & ~EFFECT_READ);
}

/* `both = a; if both: both = b` as `both = and_then(a, b)`, where b does not ask what a was. */
static void join_condition(Conditions *c, IrRegion *region, IrStmt *set)
{
    IrStmt *branch = set->next;
    const IrStmt *inner = branch && branch->kind == IR_IF ? branch->if_.then.first : NULL;
    const IrValue *asked = inner ? branch->if_.condition : NULL;
    if (set->kind != IR_SET || set->set.var->type != type_bool || !inner || inner->next ||
        branch->if_.otherwise.first || !ir_is_var(asked, set->set.var) || inner->kind != IR_SET ||
        inner->set.var != set->set.var || !only_reads(inner->set.value) ||
        !only_reads(set->set.value) || ir_mentions(inner->set.value, set->set.var))
        return;
    set->set.value = ir_binary(c->arena, OP_and_then, set->set.value, inner->set.value, set->span);
    c->sets.count[set->set.var->id]--;
    c->reads[set->set.var->id]--;
    ir_remove(region, branch);
}

/* `both = a; if both: ...` as `if a: ...`. */
static void sink_condition(const Conditions *c, IrRegion *region, IrStmt *set)
{
    IrStmt *branch = set->next;
    const IrVar *var = set->kind == IR_SET ? set->set.var : NULL;
    const IrValue *asked = branch && branch->kind == IR_IF ? branch->if_.condition : NULL;
    if (!var || !asked || !ir_is_var(asked, var) || var->kind != VAR_LOCAL ||
        c->sets.count[var->id] != 1 || c->reads[var->id] != 1 || !only_reads(set->set.value))
        return;
    branch->if_.condition = set->set.value;
    ir_remove(region, set);
}

static void join_region(Conditions *c, IrRegion *region)
{
    IrStmt *next;
    for (IrStmt *stmt = region->first; stmt; stmt = next) {
        for_each_region (inner, stmt)
            join_region(c, inner);
        join_condition(c, region, stmt);
        next = stmt->next;
        sink_condition(c, region, stmt);
    }
}

void tiles_join_conditions(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Conditions c = { unit->arena, ir_sets(unit->arena, fn, &fn->body),
                     ir_reads(unit->arena, fn, &fn->body) };
    join_region(&c, &fn->body);
}

void tiles_each_less(const IrSets *sets, const IrSets *loop, const IrValue *condition, bool wanted,
                     TileLessVisitor *visit, void *context)
{
    const IrValue *const *at = (const IrValue *const *)condition->operands;
    const IrValue *set = condition->op == OP_var ? sets_value(sets, condition->var) : NULL;
    if (set && !(loop && sets_invariant(loop, condition, NULL)))
        tiles_each_less(sets, loop, set, wanted, visit, context);
    if (condition->op == OP_not)
        tiles_each_less(sets, loop, at[0], !wanted, visit, context);
    if (condition->op == (wanted ? OP_and_then : OP_or_else))
        for (int i = 0; i < 2; i++)
            tiles_each_less(sets, loop, at[i], wanted, visit, context);
    bool less = condition->op == OP_lt || condition->op == OP_le,
         more = condition->op == OP_gt || condition->op == OP_ge,
         or_equal = condition->op == OP_le || condition->op == OP_ge,
         swapped = more == wanted; /* a > b is b < a, and its contrary a <= b */
    if ((less || more) && type_is_integer(at[0]->type))
        visit(context,
              &(TileLess){ condition, at[swapped], at[!swapped], or_equal == wanted, wanted });
}

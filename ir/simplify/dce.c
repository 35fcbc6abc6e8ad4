/* Takes out what is not needed: sets of variables that are never read, where computing the value
** has no effect, and branches that became empty. Loops stay: they might not end. */
#include "ir/ir.h"

static bool is_dead(const int *reads, const IrStmt *stmt)
{
    if (stmt->kind == IR_SET)
        return reads[stmt->set.var->id] == 0 &&
               !(ir_value_effects(stmt->set.value) & EFFECT_ORDERED);
    if (stmt->kind == IR_IF)
        return !stmt->if_.then.first && !stmt->if_.otherwise.first &&
               !(ir_value_effects(stmt->if_.condition) & EFFECT_ORDERED);
    return false;
}

static bool sweep(const int *reads, IrRegion *region)
{
    bool removed = false;
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        for_each_region (inner, stmt)
            removed |= sweep(reads, inner);
        if (is_dead(reads, stmt)) {
            ir_remove(region, stmt);
            removed = true;
        }
    }
    return removed;
}

static void clean(Arena *arena, IrFunc *fn)
{
    while (sweep(ir_reads(arena, fn, &fn->body), &fn->body))
        ;
}

void ir_dce(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        clean(unit->arena, unit->functions[i]);
    clean(unit->arena, unit->kernel);
}

/* Takes out what is not needed: sets of variables that are never read, where computing the value
** has no effect, and branches that became empty. Loops stay: they might not end. */
#include "ir/ir.h"

typedef struct Dead {
    const int *reads;
    bool removed;
} Dead;

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

static void sweep(void *context, IrRegion *region, IrStmt *stmt)
{
    Dead *dead = context;
    if (is_dead(dead->reads, stmt)) {
        ir_remove(region, stmt);
        dead->removed = true;
    }
}

static void clean(Arena *arena, IrFunc *fn)
{
    for (Dead dead = { .removed = true }; dead.removed;) {
        dead = (Dead){ .reads = ir_reads(arena, fn, &fn->body) };
        ir_change_stmts(&fn->body, sweep, &dead);
    }
}

void ir_dce(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        clean(unit->arena, unit->functions[i]);
    clean(unit->arena, unit->kernel);
}

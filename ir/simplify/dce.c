/* Takes out what is not needed: sets of variables that are never read, where computing the value
** has no effect, and branches that became empty. Loops stay: they might not end. */
#include "ir/ir.h"

static void count_reads(void *context, IrValue *value)
{
    int *reads = context;
    if (value->op == OP_var)
        reads[value->var->id]++;
    for (int i = 0; i < value->count; i++)
        count_reads(context, value->operands[i]);
}

static void count_region(int *reads, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_value(stmt, count_reads, reads);
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            count_region(reads, regions[i]);
    }
}

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
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            removed |= sweep(reads, regions[i]);
        if (is_dead(reads, stmt)) {
            ir_remove(region, stmt);
            removed = true;
        }
    }
    return removed;
}

static void clean(Arena *arena, IrFunc *fn)
{
    int *reads;
    do {
        reads = arena_array(arena, int, fn->var_count + 1);
        count_region(reads, &fn->body);
    } while (sweep(reads, &fn->body));
}

void ir_dce(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        clean(unit->arena, unit->functions[i]);
    clean(unit->arena, unit->kernel);
}

/* Leaves out functions that are not called: only passes of the lowering that were thrown away
** did. */
#include "base/table.h"
#include "ir/ir.h"

static void mark_value(Table *used, const IrValue *value)
{
    if (value->op == OP_call)
        table_put(used, value->callee->name, value->callee);
    for (int i = 0; i < value->count; i++)
        mark_value(used, value->operands[i]);
}

static void mark_visit(void *context, IrValue *value)
{
    mark_value(context, value);
}

static void mark_region(Table *used, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_value(stmt, mark_visit, used);
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            mark_region(used, regions[i]);
    }
}

/* Callees come before callers, so one walk from the back finds all that are reached. */
void ir_prune(IrUnit *unit)
{
    Table used;
    table_init(&used, unit->arena);
    mark_region(&used, &unit->kernel->body);
    for (int i = unit->count - 1; i >= 0; i--)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            mark_region(&used, &unit->functions[i]->body);
    int kept = 0;
    for (int i = 0; i < unit->count; i++)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            unit->functions[kept++] = unit->functions[i];
    unit->count = kept;
}

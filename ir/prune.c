/* Leaves out functions that are not called: only passes of the lowering that were thrown away
** did. */
#include "base/table.h"
#include "ir/ir.h"

static void mark_call(void *context, IrValue *value)
{
    if (value->op == OP_call)
        table_put(context, value->callee->name, value->callee);
}

/* Callees come before callers, so one walk from the back finds all that are reached. */
void ir_prune(IrUnit *unit)
{
    Table used;
    table_init(&used, unit->arena);
    ir_each_node_in(&unit->kernel->body, mark_call, &used);
    for (int i = unit->count - 1; i >= 0; i--)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            ir_each_node_in(&unit->functions[i]->body, mark_call, &used);
    int kept = 0;
    for (int i = 0; i < unit->count; i++)
        if (table_get(&used, unit->functions[i]->name) == unit->functions[i])
            unit->functions[kept++] = unit->functions[i];
    unit->count = kept;
}

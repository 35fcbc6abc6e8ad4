#include "ir/analysis/flow/uses.h"

/* A variable, and the parameters that say how long an array's rows are. */
static void mention_var(unsigned char *uses, const IrVar *var)
{
    if (!(uses[var->id] & USE_MENTIONED))
        uses[var->id] |= USE_MENTIONED | USE_INCOMING;
    for (int i = 0; var->extents && i < var->type->array.rank - 1; i++)
        if (ir_length_param(var->extents[i]))
            mention_var(uses, ir_length_param(var->extents[i]));
}

static void mention_node(void *context, IrValue *value)
{
    if (value->op == OP_var)
        mention_var(context, value->var);
}

void uses_of_value(unsigned char *uses, const IrValue *value)
{
    ir_each_node((IrValue *)value, mention_node, uses);
}

void uses_of_set(unsigned char *uses, const IrVar *var, bool surely)
{
    if (!(uses[var->id] & USE_MENTIONED))
        uses[var->id] |= surely ? USE_MENTIONED : USE_MENTIONED | USE_INCOMING;
    uses[var->id] |= USE_SET;
}

void uses_of_stmt(unsigned char *uses, const IrStmt *stmt, bool surely)
{
    ir_each_own_node(stmt, mention_node, uses);
    if (ir_set_var(stmt)) /* a counter has no value but inside its loop */
        uses_of_set(uses, ir_set_var(stmt), surely || stmt->kind == IR_FOR);
    for_each_region (region, stmt)
        for (const IrStmt *inner = region->first; inner; inner = inner->next)
            uses_of_stmt(uses, inner, false);
}

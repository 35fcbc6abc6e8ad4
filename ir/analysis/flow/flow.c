#include "ir/analysis/flow/flow.h"

bool flow_may_stop(const IrStmt *stmt)
{
    for_each_value (value, stmt)
        if (ir_value_effects(value) & EFFECT_STOP)
            return true;
    return false;
}

int flow_stmt_ways_out(const IrStmt *stmt)
{
    int ways = flow_may_stop(stmt) ? OUT_THREAD : 0;
    switch (stmt->kind) {
    case IR_BREAK:
        return ways | OUT_LOOP;
    case IR_CONTINUE:
        return ways | OUT_ITERATION;
    case IR_RETURN:
    case IR_FAULT:
    case IR_STOP:
        return OUT_THREAD;
    case IR_IF:
        return ways | flow_ways_out(&stmt->if_.then) | flow_ways_out(&stmt->if_.otherwise);
    case IR_WHILE:
        return ways | (flow_ways_out(&stmt->while_.body) & OUT_THREAD);
    case IR_FOR:
        return ways | (flow_ways_out(&stmt->for_.body) & OUT_THREAD);
    case IR_SET:
    case IR_STORE:
    case IR_EVAL:
    case IR_PRINT:
        return ways;
    }
    return ways;
}

int flow_ways_out(const IrRegion *region)
{
    int ways = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        ways |= flow_stmt_ways_out(stmt);
    return ways;
}

bool flow_jumps(const IrRegion *region)
{
    return flow_ways_out(region) & (OUT_LOOP | OUT_ITERATION);
}

bool flow_never_ends(const IrRegion *region)
{
    if (!region->last)
        return false;
    switch ((int)region->last->kind) {
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_FAULT:
    case IR_STOP:
        return true;
    default:
        return false;
    }
}

typedef struct SetCount {
    const IrVar *var;
    int sets;
} SetCount;

static void count_set(void *context, IrStmt *stmt)
{
    SetCount *count = context;
    count->sets += ir_set_var(stmt) == count->var;
}

bool flow_sets_once(const IrRegion *region, const IrVar *var)
{
    SetCount count = { var, 0 };
    ir_each_stmt(region, count_set, &count);
    return count.sets == 1;
}

const IrValue *flow_step(const IrStmt *stmt)
{
    if (stmt->kind != IR_SET || stmt->set.value->op != OP_add)
        return NULL;
    IrValue **sides = stmt->set.value->operands;
    for (int i = 0; i < 2; i++) {
        if (ir_is_var(sides[i], stmt->set.var))
            return sides[1 - i];
    }
    return NULL;
}

/* ---- what is sure to be evaluated ------------------------------------------------------------ */

static bool is_certain_in(const IrValue *value, const IrValue *part)
{
    bool found = value == part;
    for (int i = 0; i < ir_certain_operands(value) && !found; i++)
        found = is_certain_in(value->operands[i], part);
    return found;
}

bool flow_evaluates(const IrStmt *stmt, const IrValue *part)
{
    for_each_value (value, stmt)
        if (is_certain_in(value, part))
            return true;
    return false;
}

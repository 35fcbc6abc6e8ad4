/* Functions that call themselves on every way through them: no call of one could return. */
#include "ir/ir.h"

/* Whether evaluating a value is sure to call the function. */
static bool calls(const IrFunc *fn, const IrValue *value)
{
    if (value->op == OP_call && value->callee == fn)
        return true;
    for (int i = 0; i < ir_certain_operands(value); i++)
        if (calls(fn, value->operands[i]))
            return true;
    return false;
}

static bool always_calls(const IrFunc *fn, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_value (value, stmt)
            if (calls(fn, value))
                return true;
        if (stmt->kind == IR_IF && always_calls(fn, &stmt->if_.then) &&
            always_calls(fn, &stmt->if_.otherwise))
            return true;
        if (ir_stmt_has(stmt, 1 << IR_RETURN | 1 << IR_STOP | 1 << IR_FAULT))
            return false;
    }
    return false;
}

bool ir_is_endless(const IrFunc *fn)
{
    return always_calls(fn, &fn->body);
}

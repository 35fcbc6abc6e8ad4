/* Puts device functions in the place of their calls, so that the other passes see a kernel whole:
**
**     total = add(total, square(load(x, i)))
** becomes
**     a = load(x, i)
**     total = add(total, mul(a, a))
**
** Legal for every function that does not call itself. It pays as long as the text does not grow
** out of bounds: else all calls stay. */
#include "ir/optimise.h"

enum { MOST_STATEMENTS = 2000 };

static bool any(const IrFunc *callee)
{
    (void)callee;
    return true;
}

static void count_call(void *context, IrValue *value)
{
    *(int *)context += value->op == OP_call;
}

static void count_alone(void *context, IrStmt *stmt)
{
    const IrValue *value = stmt->kind == IR_SET    ? stmt->set.value
                           : stmt->kind == IR_EVAL ? stmt->eval.value
                                                   : NULL;
    *(int *)context -= value && value->op == OP_call;
}

/* Whether calls stand inside of other values, from where they cannot be taken. */
static bool has_inner_calls(const IrFunc *fn)
{
    int inner = 0;
    for (const IrStmt *stmt = fn->body.first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, count_call, &inner);
    ir_each_stmt(&fn->body, count_alone, &inner);
    return inner > 0;
}

void ir_inlined(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        if (has_inner_calls(unit->functions[i]))
            return;
    if (has_inner_calls(unit->kernel))
        return;
    const IrFunc *large = ir_inline_excess(unit, any, MOST_STATEMENTS);
    if (large) {
        ir_remark(unit, large->span,
                  "the calls of '%s' stay calls: in their place its statements "
                  "would be too many",
                  large->name);
        return;
    }
    const IrUnit *made = ir_inline(unit->arena, unit, any);
    unit->kernel = made->kernel;
    unit->functions = made->functions;
    unit->count = made->count;
    unit->capacity = made->capacity;
}

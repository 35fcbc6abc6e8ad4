/* Has the device's compiler lay iterations of loops side by side, as many as were asked for
** (kjit_load_options.unroll): in innermost loops that nothing else is said of, and that unroll.c
** has left as they are. */
#include "ir/optimise.h"

static void ask(void *context, IrStmt *stmt)
{
    const IrUnit *unit = context;
    if (stmt->kind == IR_FOR && !stmt->for_.unroll && !ir_has_loop(&stmt->for_.body))
        stmt->for_.unroll = unit->unroll;
}

void ir_unroll_ask(IrUnit *unit)
{
    if (!unit->unroll)
        return;
    ir_each_stmt(&unit->kernel->body, ask, unit);
    for (int i = 0; i < unit->count; i++)
        ir_each_stmt(&unit->functions[i]->body, ask, unit);
}

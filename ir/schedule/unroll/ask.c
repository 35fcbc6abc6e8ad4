/* Has the device's compiler lay iterations of loops side by side, as many as were asked for
** (kjit_load_options.unroll): in innermost loops that nothing else is said of, and that unroll.c
** has left as they are. */
#include "ir/optimise.h"

static void note_loop(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
}

static void ask(void *context, IrStmt *stmt)
{
    const IrUnit *unit = context;
    bool has_loop = false;
    if (stmt->kind != IR_FOR || stmt->for_.unroll)
        return;
    ir_each_stmt(&stmt->for_.body, note_loop, &has_loop);
    if (!has_loop)
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

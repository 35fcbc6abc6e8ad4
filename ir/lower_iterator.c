/* iter() and next(): a sequence with a place in it. What it is of is settled when the kernel is
** compiled, as for a loop; the place is a variable that next() and loops move on. */
#include "ir/lower_builtin.h"
#include "ir/lower_values.h"

static void set_place(FnState *f, IrVar *place, IrValue *value, Span span)
{
    IrStmt *stmt = ir_stmt(f->arena, IR_SET, span);
    stmt->set.var = place;
    stmt->set.value = value;
    emit(f, stmt);
}

Operand lower_iter(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    if (call->args[0].kind == OPD_ITERATOR)
        return call->args[0];
    Operand *over = arena_new(f->arena, Operand);
    *over = call->args[0];
    IrValue *length = sequence_length(f, over, call->span);
    if (!length)
        return operand_error(call->span);
    Operand iterator = { .kind = OPD_ITERATOR, .span = call->span };
    iterator.iterator.over = over;
    iterator.iterator.length = lower_stable(f, length, "_length");
    iterator.iterator.place =
        ir_var_new(f->arena, f->fn, "_place", type_int64, VAR_LOCAL, call->span);
    set_place(f, iterator.iterator.place, ir_integer(f->arena, type_int64, 0, call->span),
              call->span);
    return iterator;
}

void iterator_move(FnState *f, const Operand *iterator, IrValue *at, Span span)
{
    IrValue *one = ir_integer(f->arena, type_int64, 1, span);
    set_place(f, iterator->iterator.place, ir_binary(f->arena, OP_add, at, one, span), span);
}

/* At the end the thread ends, as it does for everything that Python raises. */
Operand lower_next(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    Operand *iterator = &call->args[0];
    if (iterator->kind != OPD_ITERATOR) {
        if (iterator->kind != OPD_ERROR)
            fail(f, iterator->span, "next takes what iter() gives, and this is %s",
                 describe(f, *iterator));
        return operand_error(call->span);
    }
    IrValue *place = ir_var(f->arena, iterator->iterator.place, call->span);
    lower_stop_if(f, ir_binary(f->arena, OP_ge, place, iterator->iterator.length, call->span),
                  "StopIteration", call->span);
    IrValue *item = sequence_item(f, iterator->iterator.over, place, call->span).value;
    if (!type_is_tuple(item->type) || item->op != OP_tuple)
        item = lower_stable(f, item, "_item");
    else
        for (int i = 0; i < item->count; i++)
            item->operands[i] = lower_stable(f, item->operands[i], "_item");
    iterator_move(f, iterator, place, call->span);
    return operand_value(item);
}

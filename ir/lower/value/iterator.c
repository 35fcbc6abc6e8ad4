/* iter() and next(): a sequence and a position in it. What it is of is settled when the
** kernel is compiled, as for a loop; the position is a variable that next() and loops move
** on. enumerate() and zip() that are given a name are iterators as well; those that walk
** iterators take from them. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

static void set_position(FnState *f, IrVar *position, IrValue *value, Span span)
{
    IrStmt *stmt = ir_stmt(f->arena, IR_SET, span);
    stmt->set.var = position;
    stmt->set.value = value;
    emit(f, stmt);
}

bool is_iterator(const Operand *operand)
{
    return operand->kind == OPD_ITERATOR ||
           (operand->kind == OPD_SEQUENCE && operand->sequence.taken);
}

Operand iterator_of(FnState *f, Operand walked, Span span)
{
    if (is_iterator(&walked))
        return walked;
    Operand *over = arena_new(f->arena, Operand);
    *over = walked;
    IrValue *length = sequence_length(f, over, span);
    if (!length)
        return operand_error(span);
    Operand iterator = { .kind = OPD_ITERATOR, .span = span };
    iterator.iterator.over = over;
    iterator.iterator.length = lower_stable(f, length, "_length");
    iterator.iterator.position =
        ir_var_new(f->arena, f->fn, "_position", type_int64, VAR_LOCAL, span);
    set_position(f, iterator.iterator.position, ir_integer(f->arena, type_int64, 0, span), span);
    return iterator;
}

/* The numbers that enumerate() counts: more than there can be items. */
static Operand counted(FnState *f, IrValue *start, Span span)
{
    IrValue *many = ir_integer(f->arena, type_int64, INT64_MAX / 2, span);
    Operand range = { .kind = OPD_RANGE, .span = span };
    range.range[0] = start;
    range.range[1] = ir_binary(f->arena, OP_add, start, many, span);
    range.range[2] = ir_integer(f->arena, type_int64, 1, span);
    return range;
}

void iterator_join(FnState *f, Operand *sequence)
{
    bool taken = false;
    int count = sequence->sequence.count, extra = sequence->sequence.start != NULL;
    for (int i = 0; i < count; i++)
        taken = taken || is_iterator(&sequence->sequence.parts[i]);
    if (!taken)
        return;
    Operand *parts = arena_array(f->arena, Operand, count + extra);
    if (extra)
        parts[0] =
            iterator_of(f, counted(f, sequence->sequence.start, sequence->span), sequence->span);
    for (int i = 0; i < count; i++)
        parts[i + extra] =
            iterator_of(f, sequence->sequence.parts[i], sequence->sequence.parts[i].span);
    for (int i = 0; i < count + extra; i++)
        if (parts[i].kind == OPD_ERROR)
            *sequence = parts[i];
    if (sequence->kind == OPD_ERROR)
        return;
    sequence->sequence.parts = parts;
    sequence->sequence.count = count + extra;
    sequence->sequence.start = NULL;
    sequence->sequence.taken = true;
}

Operand lower_iter(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    return iterator_of(f, call->args[0], call->span);
}

/* An item, computed now. */
static IrValue *stable_item(FnState *f, IrValue *item)
{
    if (!type_is_tuple(item->type) || item->op != OP_tuple)
        return lower_stable(f, item, "_item");
    for (int i = 0; i < item->count; i++)
        item->operands[i] = stable_item(f, item->operands[i]);
    return item;
}

static IrValue *take_one(FnState *f, const Operand *iterator, Loop *loop, Span span)
{
    IrValue *position = ir_var(f->arena, iterator->iterator.position, span);
    IrValue *length = iterator->iterator.length;
    if (loop)
        loop_leave(f, loop, ir_binary(f->arena, OP_lt, position, length, span), span);
    else
        lower_stop_if(f, ir_binary(f->arena, OP_ge, position, length, span), "StopIteration", span);
    IrValue *item = stable_item(f, sequence_item(f, iterator->iterator.over, position, span).value);
    IrValue *one = ir_integer(f->arena, type_int64, 1, span);
    set_position(f, iterator->iterator.position, ir_binary(f->arena, OP_add, position, one, span),
                 span);
    return item;
}

Operand iterator_take(FnState *f, const Operand *iterator, Loop *loop, Span span)
{
    if (iterator->kind == OPD_ITERATOR)
        return operand_value(take_one(f, iterator, loop, span));
    int count = iterator->sequence.count;
    const Type **types = arena_array(f->arena, const Type *, count);
    IrValue **items = arena_array(f->arena, IrValue *, count);
    for (int i = 0; i < count; i++) {
        items[i] = iterator_take(f, &iterator->sequence.parts[i], loop, span).value;
        types[i] = items[i]->type;
    }
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, count), span, count);
    tuple->operands = items;
    return operand_value(tuple);
}

/* At the end the thread ends, as it does for everything that Python raises. */
Operand lower_next(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, f->constant_only ? 2 : 1))
        return operand_error(call->span);
    Operand iterator = call->args[0];
    int64_t count = f->constant_only ? evaluate_count(f, &iterator) : -1;
    if (count > 0) /* of a constant, the first that a generator gives */
        return evaluate_item(f, &iterator, 0, call->span);
    if (count == 0 && call->count == 2)
        return call->args[1];
    if (iterator.kind == OPD_SEQUENCE)
        iterator = iterator_of(f, iterator, iterator.span);
    if (is_iterator(&iterator))
        return iterator_take(f, &iterator, NULL, call->span);
    bool known = iterator.kind != OPD_VALUE || !is_poison(iterator.value);
    if (iterator.kind != OPD_ERROR && known)
        fail(f, iterator.span, "next takes what iter() gives, and this is %s",
             describe(f, iterator));
    return operand_error(call->span);
}

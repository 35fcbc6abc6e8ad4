/* Replaces what merely names another value, so that the text reads as it was written:
**
** - a temporary of lowering's that is set once, to a variable set once, is that variable;
** - a cast of a variable that is set once, to a constant, is a constant (`acc = 0` before a loop
**   that adds floats to it);
** - item k of a variable that is set once, to a tuple of such things, is the k-th of them, as where
**   loops over filters' weights are laid out.
**
** Being set once is enough: lowering binds names so that a set comes before every read of it. */
#include "ir/analysis/flow/sets.h"

typedef struct Forward {
    Arena *arena;
    IrSets sets;
} Forward;

/* A value that is the same wherever it is read. */
static bool is_settled(const IrSets *sets, const IrValue *value)
{
    if (ir_is_constant(value))
        return true;
    if (value->op != OP_var)
        return false;
    return value->var->kind != VAR_LOCAL ||
           (sets_value(sets, value->var) && !value->var->temporary);
}

/* What a read of `value`'s variable stands for, or NULL. */
static IrValue *origin(const IrSets *sets, const IrValue *value)
{
    return value->op == OP_var ? sets_value(sets, value->var) : NULL;
}

/* Which item of a tuple a value is; -1: it is none, or one at an index that is computed. */
static int64_t item_number(const IrValue *value)
{
    bool at = value->op == OP_item_at && ir_is_constant(value->operands[1]);
    return at ? value->operands[1]->constant.integer : value->op == OP_item ? value->index : -1;
}

static void forward(void *context, IrValue **slot)
{
    Forward *f = context;
    const IrSets *sets = &f->sets;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        forward(f, &value->operands[i]);
    IrValue *from = origin(sets, value);
    if (from && value->var->temporary && is_settled(sets, from)) {
        *slot = from;
        return;
    }
    if (value->count == 2 && ir_ops[value->op].result != RESULT_OWN) {
        IrValue *folded = fold_binary(f->arena, value->op, value->type, value->operands[0],
                                      value->operands[1], value->span);
        *slot = folded ? folded : value;
    }
    if (value->op == OP_cast) {
        IrValue *source = origin(sets, value->operands[0]);
        if (source && ir_is_constant(source))
            *slot = ir_cast(f->arena, value->type, source, value->span);
        else if (ir_is_constant(value->operands[0]))
            *slot = ir_cast(f->arena, value->type, value->operands[0], value->span);
    }
    int64_t item = item_number(value);
    if (item >= 0) {
        IrValue *tuple = origin(sets, value->operands[0]);
        if (!tuple && value->operands[0]->op == OP_tuple)
            tuple = value->operands[0];
        if (tuple && tuple->op == OP_tuple && item < tuple->count &&
            is_settled(sets, tuple->operands[item]))
            *slot = tuple->operands[item];
    }
}

static void forward_function(Arena *arena, IrFunc *fn)
{
    Forward f = { arena, ir_sets(arena, fn, &fn->body) };
    ir_each_slot_in(&fn->body, forward, &f);
}

void ir_forward(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        forward_function(unit->arena, unit->functions[i]);
    forward_function(unit->arena, unit->kernel);
}

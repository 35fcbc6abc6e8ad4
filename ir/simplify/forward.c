/* Replaces what merely names another value, so that the text reads as it was written:
**
** - a temporary of lowering's that is set once, to a variable set once, is that variable;
** - a cast of a variable that is set once, to a constant, is a constant (`acc = 0` before a loop
**   that adds floats to it);
** - item k of a variable that is set once, to a tuple of such things, is the k-th of them.
**
** Being set once is enough: lowering binds names so that a set comes before every read of it. */
#include "ir/ir.h"

typedef struct Sets {
    int *count;      /* by variable: how often it is set */
    IrValue **value; /* by variable: what it is set to, if that happens once */
    Arena *arena;
} Sets;

static void note_set(Sets *sets, const IrVar *var, IrValue *value)
{
    sets->count[var->id]++;
    sets->value[var->id] = value;
}

static void count_sets(Sets *sets, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_SET)
            note_set(sets, stmt->set.var, stmt->set.value);
        if (stmt->kind == IR_FOR) /* between two iterations it changes: not a name for a value */
            note_set(sets, stmt->for_.var, NULL);
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            count_sets(sets, regions[i]);
    }
}

/* A value that is the same wherever it is read. */
static bool is_settled(const Sets *sets, const IrValue *value)
{
    if (ir_is_constant(value))
        return true;
    if (value->op != OP_var)
        return false;
    return value->var->kind != VAR_LOCAL || (sets->count[value->var->id] == 1 &&
                                             sets->value[value->var->id] && !value->var->temporary);
}

/* What a read of `value`'s variable stands for, or NULL. */
static IrValue *origin(const Sets *sets, const IrValue *value)
{
    if (value->op != OP_var || value->var->kind != VAR_LOCAL || sets->count[value->var->id] != 1)
        return NULL;
    return sets->value[value->var->id];
}

static void forward(void *context, IrValue **slot)
{
    Sets *sets = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        forward(sets, &value->operands[i]);
    IrValue *from = origin(sets, value);
    if (from && value->var->temporary && is_settled(sets, from)) {
        *slot = from;
        return;
    }
    if (value->count == 2 && ir_ops[value->op].result != RESULT_OWN) {
        IrValue *folded = fold_binary(sets->arena, value->op, value->type, value->operands[0],
                                      value->operands[1], value->span);
        *slot = folded ? folded : value;
    }
    if (value->op == OP_cast) {
        IrValue *source = origin(sets, value->operands[0]);
        if (source && ir_is_constant(source))
            *slot = ir_cast(sets->arena, value->type, source, value->span);
        else if (ir_is_constant(value->operands[0]))
            *slot = ir_cast(sets->arena, value->type, value->operands[0], value->span);
    }
    if (value->op == OP_item) {
        IrValue *tuple = origin(sets, value->operands[0]);
        if (!tuple && value->operands[0]->op == OP_tuple)
            tuple = value->operands[0];
        if (tuple && tuple->op == OP_tuple && is_settled(sets, tuple->operands[value->index]))
            *slot = tuple->operands[value->index];
    }
}

static void forward_region(Sets *sets, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_slot(stmt, forward, sets);
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++)
            forward_region(sets, regions[i]);
    }
}

static void forward_function(Arena *arena, IrFunc *fn)
{
    Sets sets = { arena_array(arena, int, fn->var_count + 1),
                  arena_array(arena, IrValue *, fn->var_count + 1), arena };
    count_sets(&sets, &fn->body);
    forward_region(&sets, &fn->body);
}

void ir_forward(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        forward_function(unit->arena, unit->functions[i]);
    forward_function(unit->arena, unit->kernel);
}

#include "ir/clone.h"

IrVar *ir_clone_var(const IrClone *clone, IrVar *var)
{
    IrVar *other = clone->vars ? clone->vars[var->id] : NULL;
    return other ? other : var;
}

IrValue *ir_copy_value(Arena *arena, const IrValue *value)
{
    return ir_clone_value(&(IrClone){ .arena = arena }, value);
}

IrValue *ir_clone_value(const IrClone *clone, const IrValue *value)
{
    IrValue *other = value && clone->value ? clone->value(clone, value) : NULL;
    if (!value || other)
        return other;
    IrValue *copy = arena_new(clone->arena, IrValue);
    *copy = *value;
    if (value->op == OP_var)
        copy->var = ir_clone_var(clone, value->var);
    if (value->op == OP_call && clone->function)
        copy->callee = clone->function(clone, value->callee);
    copy->operands = arena_array(clone->arena, IrValue *, value->count + 1);
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = ir_clone_value(clone, value->operands[i]);
    return copy;
}

/* ---- statements -------------------------------------------------------------------------- */

static IrValue **clone_values(const IrClone *clone, IrValue *const *values, int count)
{
    IrValue **copies = arena_array(clone->arena, IrValue *, count + 1);
    for (int i = 0; i < count; i++)
        copies[i] = ir_clone_value(clone, values[i]);
    return copies;
}

static void clone_print(const IrClone *clone, IrStmt *copy, const IrStmt *stmt)
{
    copy->print.items = arena_array(clone->arena, IrPrintItem, stmt->print.count + 1);
    for (int i = 0; i < stmt->print.count; i++)
        copy->print.items[i] = (IrPrintItem){ stmt->print.items[i].text,
                                              ir_clone_value(clone, stmt->print.items[i].value) };
}

static void clone_for(const IrClone *clone, IrStmt *copy, const IrStmt *stmt)
{
    copy->for_.var = ir_clone_var(clone, stmt->for_.var);
    copy->for_.start = ir_clone_value(clone, stmt->for_.start);
    copy->for_.stop = ir_clone_value(clone, stmt->for_.stop);
    copy->for_.step = ir_clone_value(clone, stmt->for_.step);
}

/* The regions of a copy are empty at first. */
static void clone_regions(const IrClone *clone, IrStmt *copy, const IrStmt *stmt)
{
    IrRegion *to[2], *from[2];
    int count = ir_regions((IrStmt *)stmt, from);
    ir_regions(copy, to);
    for (int i = 0; i < count; i++) {
        *to[i] = (IrRegion){ NULL, NULL };
        ir_clone_region(clone, from[i], to[i]);
    }
}

IrStmt *ir_clone_stmt(const IrClone *clone, const IrStmt *stmt)
{
    IrStmt *copy = arena_new(clone->arena, IrStmt);
    *copy = *stmt;
    copy->next = copy->prev = NULL;
    switch (stmt->kind) {
    case IR_SET:
        copy->set.var = ir_clone_var(clone, stmt->set.var);
        copy->set.value = ir_clone_value(clone, stmt->set.value);
        break;
    case IR_STORE:
        copy->store.array = ir_clone_value(clone, stmt->store.array);
        copy->store.indices = clone_values(clone, stmt->store.indices, stmt->store.count);
        copy->store.value = ir_clone_value(clone, stmt->store.value);
        break;
    case IR_EVAL:
        copy->eval.value = ir_clone_value(clone, stmt->eval.value);
        break;
    case IR_IF:
        copy->if_.condition = ir_clone_value(clone, stmt->if_.condition);
        break;
    case IR_WHILE:
        copy->while_.condition = ir_clone_value(clone, stmt->while_.condition);
        break;
    case IR_FOR:
        clone_for(clone, copy, stmt);
        break;
    case IR_RETURN:
        copy->return_.value = ir_clone_value(clone, stmt->return_.value);
        break;
    case IR_PRINT:
        clone_print(clone, copy, stmt);
        break;
    case IR_FAULT:
        copy->fault.values = clone_values(clone, stmt->fault.values, stmt->fault.count);
        break;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_STOP:
        break;
    }
    clone_regions(clone, copy, stmt);
    return copy;
}

void ir_clone_region(const IrClone *clone, const IrRegion *region, IrRegion *out)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (!clone->stmt || !clone->stmt(clone, stmt, out))
            ir_append(out, ir_clone_stmt(clone, stmt));
}

bool ir_clone_decided(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    if (stmt->kind != IR_IF)
        return false;
    const IrValue *condition = ir_clone_value(clone, stmt->if_.condition);
    if (condition->op != OP_constant)
        return false;
    ir_clone_region(clone, condition->constant.integer ? &stmt->if_.then : &stmt->if_.otherwise,
                    out);
    return true;
}

void ir_ask_loop(const IrClone *clone, IrRegion *region, IrStmt *loop, IrValue *condition)
{
    IrStmt *branch = ir_if(clone->arena, condition, loop->span);
    IrStmt *copy = ir_clone_stmt(clone, loop);
    copy->for_.unroll = 1;
    copy->for_.rest = true;
    ir_insert_before(region, loop, branch);
    ir_remove(region, loop);
    ir_append(&branch->if_.then, loop);
    ir_append(&branch->if_.otherwise, copy);
}

void ir_insert_region(IrRegion *to, IrStmt *before, IrRegion from)
{
    for (IrStmt *stmt = from.first, *next; stmt; stmt = next) {
        next = stmt->next;
        ir_insert_before(to, before, stmt);
    }
}

void ir_append_region(IrRegion *to, IrRegion from)
{
    ir_insert_region(to, NULL, from);
}

IrRegion ir_take_rest(IrRegion *region, IrStmt *stmt)
{
    IrRegion rest = { stmt->next, stmt->next ? region->last : NULL };
    if (stmt->next)
        stmt->next->prev = NULL;
    stmt->next = NULL;
    region->last = stmt;
    return rest;
}

/* For the processor, where a function cannot end the thread that called it: functions that call
** themselves report it to their callers.
**
** Other functions that may end a thread are put in place of their calls (inline.c), and end it
** as the kernel does. What calls itself cannot; its result becomes a tuple, whose last item says
** whether the thread has ended, and behind each call stands a look at that. */
#include "ir/ir.h"

typedef struct Ends {
    Arena *arena;
    Types types;
    IrFunc *fn; /* whose statements are being changed */
} Ends;

static const Type *reported_result(Ends *e, const Type *result)
{
    const Type *items[] = { result, type_bool };
    bool none = result->kind == TY_NONE;
    return type_tuple(&e->types, items + none, none ? 1 : 2);
}

static IrValue *call_of(IrStmt *stmt)
{
    IrValue *value = ir_stmt_value(stmt);
    return value && value->op == OP_call && value->callee->ends ? value : NULL;
}

/* `x = f()` becomes `_returned = f(); if _returned[1]: stop; x = _returned[0]`. */
static void look_behind(Ends *e, IrRegion *region, IrStmt *stmt, IrValue *call)
{
    Span span = stmt->span;
    IrStmt *next = stmt->next;
    IrVar *wanted = stmt->kind == IR_SET ? stmt->set.var : NULL;
    call->type = call->callee->result;
    IrVar *returned = ir_temporary(e->arena, e->fn, "_returned", call->type, span);
    stmt->kind = IR_SET;
    stmt->set.var = returned;
    stmt->set.value = call;
    IrStmt *look = ir_if(
        e->arena,
        ir_item(e->arena, ir_var(e->arena, returned, span), call->type->tuple.count - 1, span),
        span);
    ir_append(&look->if_.then, ir_stmt(e->arena, e->fn->kernel ? IR_RETURN : IR_STOP, span));
    ir_insert_before(region, next, look);
    if (wanted)
        ir_insert_before(region, next,
                         ir_set(e->arena, wanted,
                                ir_item(e->arena, ir_var(e->arena, returned, span), 0, span),
                                span));
}

static void report_end(Ends *e, IrStmt *stmt)
{
    int count = e->fn->result->tuple.count;
    IrValue *tuple = ir_value(e->arena, OP_tuple, e->fn->result, stmt->span, count);
    tuple->operands[0] = stmt->return_.value;
    tuple->operands[count - 1] = ir_integer(e->arena, type_bool, 0, stmt->span);
    stmt->return_.value = tuple;
}

static void change_region(Ends *e, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        IrValue *call = call_of(stmt);
        if (call)
            look_behind(e, region, stmt, call);
        else if (stmt->kind == IR_RETURN && e->fn->ends)
            report_end(e, stmt);
        for_each_region (inner, stmt)
            change_region(e, inner);
    }
}

static void change_function(Ends *e, IrFunc *fn)
{
    const IrStmt *last = fn->body.last;
    e->fn = fn;
    if (fn->ends && !(last && last->kind == IR_RETURN) && fn->result->tuple.count == 1)
        ir_append(&fn->body, ir_stmt(e->arena, IR_RETURN, fn->span));
    change_region(e, &fn->body);
}

void ir_report_ends(IrUnit *unit)
{
    Ends e = { .arena = unit->arena };
    bool any = false;
    types_init(&e.types, unit->arena);
    for (int i = 0; i < unit->count; i++) {
        IrFunc *fn = unit->functions[i];
        if (fn->ends || !fn->recursive || !(fn->effects & EFFECT_STOP))
            continue;
        fn->ends = any = true;
        fn->result = reported_result(&e, fn->result);
    }
    if (!any)
        return;
    for (int i = 0; i < unit->count; i++)
        change_function(&e, unit->functions[i]);
    change_function(&e, unit->kernel);
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
}

/* DIALECT_CHECK: which sums, products and the like go into an index, so that an overflow there is
** an error and not what the program means to happen.
**
** Backwards from the indices of all accesses, through variables, parameters and results of
** functions. What hashes and generators do to their numbers, %, &, >> and so on, ends the search:
** there overflows are meant. So does a cast to a narrower unsigned type, which cuts as & does; one
** to a narrower signed type is an index's own, and is to lose nothing. */
#include "codegen/check.h"

#include <stdlib.h>

typedef struct Flow {
    Emitter *e;
    Check *check;
    bool **vars;   /* of each function, the kernel last: what of its variables goes into an index */
    bool *results; /* of each function: whether what it returns does */
    int fn;        /* the function at hand */
    bool changed, collects;
} Flow;

static int function_number(const Flow *flow, const IrFunc *fn)
{
    int i = 0;
    while (i < flow->e->unit->count && flow->e->unit->functions[i] != fn)
        i++;
    return i;
}

static void note(Flow *flow, bool *flag)
{
    flow->changed |= !*flag;
    *flag = true;
}

static void mark(Flow *flow, const IrValue *value);

static void mark_operands(Flow *flow, const IrValue *value, int first)
{
    for (int i = first; i < value->count; i++)
        mark(flow, value->operands[i]);
}

static void collect(Flow *flow, const IrValue *value)
{
    if (flow->collects)
        array_push(flow->e->arena, flow->check->indices, flow->check->index_count,
                   flow->check->index_capacity) = value;
}

/* What an unsigned type cuts off is not meant to count. */
static void mark_cast(Flow *flow, const IrValue *cast)
{
    const IrValue *from = cast->operands[0];
    bool narrows = type_is_integer(from->type) && type_size(cast->type) < type_size(from->type);
    if (narrows && type_is_unsigned(cast->type))
        return;
    if (narrows)
        collect(flow, cast);
    mark(flow, from);
}

/* A value goes into an index. */
static void mark(Flow *flow, const IrValue *value)
{
    if (!type_is_integer(value->type))
        return;
    switch ((int)value->op) {
    case OP_var:
        note(flow, &flow->vars[flow->fn][value->var->id]);
        return;
    case OP_call:
        note(flow, &flow->results[function_number(flow, value->callee)]);
        return;
    case OP_neg:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_shl:
        collect(flow, value);
        mark_operands(flow, value, 0);
        return;
    case OP_cast:
        mark_cast(flow, value);
        return;
    case OP_floordiv:
        mark_operands(flow, value, 0);
        return;
    case OP_select:
        mark_operands(flow, value, 1);
        return;
    case OP_item:
        if (value->operands[0]->op == OP_tuple)
            mark(flow, value->operands[0]->operands[value->index]);
        return;
    case OP_intrinsic:
        if (value->intrinsic == INTR_min || value->intrinsic == INTR_max)
            mark_operands(flow, value, 0);
        return;
    default:
        return;
    }
}

static void mark_arguments(Flow *flow, const IrValue *call)
{
    const bool *vars = flow->vars[function_number(flow, call->callee)];
    for (int i = 0; i < call->count; i++)
        if (vars[i])
            mark(flow, call->operands[i]);
}

/* Not the counts of slices, which are held in range. */
static void mark_view(Flow *flow, const IrValue *view)
{
    IrValue *const *operand = view->operands + 1;
    for (const char *axis = view->axes; *axis; axis++) {
        if (*axis != 'n')
            mark(flow, *operand);
        operand += *axis == 'i' ? 1 : *axis == 's' ? 3 : 0;
    }
}

/* The indices that a value itself has. */
static void mark_node(void *context, IrValue *value)
{
    Flow *flow = context;
    switch ((int)value->op) {
    case OP_view:
        mark_view(flow, value);
        return;
    case OP_load:
    case OP_item_at:
        mark_operands(flow, value, 1);
        return;
    case OP_call:
        mark_arguments(flow, value);
        return;
    case OP_intrinsic:
        for (int i = 0; i < emit_atomic_indices(value); i++)
            mark(flow, value->operands[1 + i]);
        return;
    default:
        return;
    }
}

static void mark_stmt(void *context, IrStmt *stmt)
{
    Flow *flow = context;
    const bool *vars = flow->vars[flow->fn];
    switch (stmt->kind) {
    case IR_STORE:
        for (int i = 0; i < stmt->store.count; i++)
            mark(flow, stmt->store.indices[i]);
        return;
    case IR_SET:
        if (vars[stmt->set.var->id])
            mark(flow, stmt->set.value);
        return;
    case IR_FOR:
        if (vars[stmt->for_.var->id]) {
            mark(flow, stmt->for_.start);
            mark(flow, stmt->for_.step);
        }
        return;
    case IR_RETURN:
        if (stmt->return_.value && flow->results[flow->fn])
            mark(flow, stmt->return_.value);
        return;
    default:
        return;
    }
}

static void mark_function(Flow *flow, const IrFunc *fn)
{
    flow->fn = function_number(flow, fn);
    for (IrStmt *stmt = fn->body.first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, mark_node, flow);
    ir_each_stmt(&fn->body, mark_stmt, flow);
}

static void mark_unit(Flow *flow)
{
    const IrUnit *unit = flow->e->unit;
    flow->changed = false;
    mark_function(flow, unit->kernel);
    for (int i = unit->count; i-- > 0;)
        mark_function(flow, unit->functions[i]);
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (const IrValue *const *)a;
    uintptr_t y = (uintptr_t) * (const IrValue *const *)b;
    return (x > y) - (x < y);
}

void check_find_indices(Emitter *e)
{
    const IrUnit *unit = e->unit;
    Flow flow = { .e = e, .check = e->check };
    flow.vars = arena_array(e->arena, bool *, unit->count + 1);
    flow.results = arena_array(e->arena, bool, unit->count + 1);
    for (int i = 0; i <= unit->count; i++) {
        const IrFunc *fn = i < unit->count ? unit->functions[i] : unit->kernel;
        flow.vars[i] = arena_array(e->arena, bool, fn->var_count + 1);
    }
    do
        mark_unit(&flow);
    while (flow.changed);
    flow.collects = true;
    mark_unit(&flow);
    if (e->check->index_count)
        qsort(e->check->indices, (size_t)e->check->index_count, sizeof *e->check->indices,
              by_address);
}

bool check_is_index(const Emitter *e, const IrValue *value)
{
    const Check *check = e->check;
    return check->index_count && bsearch(&value, check->indices, (size_t)check->index_count,
                                         sizeof *check->indices, by_address) != NULL;
}

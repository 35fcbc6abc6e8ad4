/* DIALECT_CHECK: which arithmetic and which casts an index may be computed from.
**
** A forward analysis from the operations that flow.c found, through variables, elements of arrays,
** parameters and results of functions. Its facts are masks of operations: check_index_mask(). */
#include "codegen/check/flow.h"

static CheckIndex find_index(const CheckState *check, const IrValue *value)
{
    int low = 0, high = check->index_count;

    while (low < high) {
        int middle = (low + high) / 2;
        if ((uintptr_t)check->indices[middle].value < (uintptr_t)value)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < check->index_count && check->indices[low].value == value)
        return check->indices[low];
    return (CheckIndex){ NULL, INDEX_NONE, CHECK_WRAPS };
}

CheckIndex check_index(const Emitter *e, const IrValue *value)
{
    return find_index(e->check, value);
}

static uint64_t mask_of(const CheckState *check, const IrUnit *unit, int fn, const IrValue *value);

/* The union over operands, from `first` on. */
static uint64_t mask_of_operands(const CheckState *check, const IrUnit *unit, int fn,
                                 const IrValue *value, int first)
{
    uint64_t mask = 0;

    for (int i = first; i < value->count; i++)
        mask |= mask_of(check, unit, fn, value->operands[i]);
    return mask;
}

static uint64_t moved(uint64_t mask)
{
    return (mask | mask << 32) >> 32 << 32;
}

static uint64_t mask_of(const CheckState *check, const IrUnit *unit, int fn, const IrValue *value)
{
    CheckIndex index = find_index(check, value);
    uint64_t own = index.number < CHECK_WRAPS ? 1ull << index.number : 0;
    const IrVar *array;

    if (!type_is_integer(value->type))
        return 0;
    switch ((int)value->op) {
    case OP_var:
        return check->index_vars[fn][value->var->id];
    case OP_call:
        return check->index_results[ir_function_number(unit, value->callee)];
    case OP_cast:
        if (index.kind == INDEX_CUT || index.kind == INDEX_STORED)
            return own;
        return own | mask_of(check, unit, fn, value->operands[0]);
    case OP_load:
        array = array_behind(value->operands[0]);
        return array ? check->index_elements[fn][array->id] : 0;
    case OP_neg:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_shl:
    case OP_floordiv:
        return own | moved(mask_of_operands(check, unit, fn, value, 0));
    case OP_select:
        return mask_of_operands(check, unit, fn, value, 1);
    case OP_item:
        return value->operands[0]->op == OP_tuple
                   ? mask_of(check, unit, fn, value->operands[0]->operands[value->index])
                   : 0;
    case OP_intrinsic:
        return value->intrinsic == INTR_min || value->intrinsic == INTR_max
                   ? mask_of_operands(check, unit, fn, value, 0)
                   : 0;
    default:
        return 0;
    }
}

uint64_t check_index_mask(const Emitter *e, const IrValue *value)
{
    return e->check->index_count
               ? mask_of(e->check, e->unit, ir_function_number(e->unit, e->fn), value)
               : 0;
}

/* ---- through the unit ------------------------------------------------------------------------ */

static void add_mask(IndexFlow *flow, uint64_t *mask, uint64_t more)
{
    flow->changed |= (*mask | more) != *mask;
    *mask |= more;
}

static uint64_t mask_here(const IndexFlow *flow, const IrValue *value)
{
    return mask_of(flow->check, flow->e->unit, flow->fn, value);
}

static void pass_call(void *context, IrValue *value)
{
    IndexFlow *flow = context;
    CheckState *check = flow->check;

    if (value->op != OP_call)
        return;
    int callee = ir_function_number(flow->e->unit, value->callee);
    for (int i = 0; i < value->count; i++) {
        const IrVar *array = array_behind(value->operands[i]);
        if (array) {
            uint64_t *own = &check->index_elements[flow->fn][array->id];
            add_mask(flow, own, check->index_elements[callee][i]);
            add_mask(flow, &check->index_elements[callee][i], *own);
        } else {
            add_mask(flow, &check->index_vars[callee][i], mask_here(flow, value->operands[i]));
        }
    }
}

static void pass_set(IndexFlow *flow, const IrStmt *stmt)
{
    CheckState *check = flow->check;
    const IrVar *var = stmt->set.var, *array = array_behind(stmt->set.value);
    uint64_t *elements = check->index_elements[flow->fn];

    if (array && type_is_array(var->type)) {
        add_mask(flow, &elements[var->id], elements[array->id]);
        add_mask(flow, &elements[array->id], elements[var->id]);
    } else {
        add_mask(flow, &check->index_vars[flow->fn][var->id], mask_here(flow, stmt->set.value));
    }
}

static void pass_stmt(void *context, IrStmt *stmt)
{
    IndexFlow *flow = context;
    CheckState *check = flow->check;
    const IrVar *array;

    switch (stmt->kind) {
    case IR_STORE:
        array = array_behind(stmt->store.array);
        if (array)
            add_mask(flow, &check->index_elements[flow->fn][array->id],
                     mask_here(flow, stmt->store.value) & UINT32_MAX);
        return;
    case IR_SET:
        pass_set(flow, stmt);
        return;
    case IR_FOR:
        add_mask(flow, &check->index_vars[flow->fn][stmt->for_.var->id],
                 mask_here(flow, stmt->for_.start) | mask_here(flow, stmt->for_.step));
        return;
    case IR_RETURN:
        if (stmt->return_.value)
            add_mask(flow, &check->index_results[flow->fn], mask_here(flow, stmt->return_.value));
        return;
    default:
        return;
    }
}

void pass_function(IndexFlow *flow, const IrFunc *fn)
{
    flow->fn = ir_function_number(flow->e->unit, fn);
    ir_each_node_in(&fn->body, pass_call, flow);
    ir_each_stmt(&fn->body, pass_stmt, flow);
}

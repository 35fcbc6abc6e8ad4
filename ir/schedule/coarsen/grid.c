/* A thread's index among all, however it is written, as grid(axis), and their number as
** gridsize(axis):
**
**     pos = add(cast<int64>(tx), mul(cast<int64>(ty), cast<int64>(bw)))
** becomes, where tx is set to thread_idx(0), ty to block_idx(0) and bw to block_dim(0),
**     pos = grid(0)
**
** Legal everywhere: sums and products of indices are taken not to overflow. It pays where a pass
** asks what of its index a kernel knows. */
#include "ir/schedule/coarsen/coarsen.h"

typedef struct Grid {
    Arena *arena;
    IrValue **sets; /* by IrVar.id: what a variable is set to that is set once; else NULL */
    bool *many;
} Grid;

static void visit_stmt(void *context, IrStmt *stmt)
{
    Grid *p = context;
    IrVar *var = ir_set_var(stmt);
    if (!var)
        return;
    p->many[var->id] |= p->sets[var->id] || stmt->kind == IR_FOR;
    p->sets[var->id] = stmt->kind == IR_SET ? stmt->set.value : NULL;
}

/* The value behind names for it and casts that keep it: indices are small and not negative. */
static const IrValue *plain(const Grid *p, const IrValue *value)
{
    for (;;) {
        if (value->op == OP_cast && type_is_integer(value->type) && type_size(value->type) >= 4 &&
            type_is_integer(value->operands[0]->type))
            value = value->operands[0];
        else if (value->op == OP_var && value->var->kind == VAR_LOCAL && !p->many[value->var->id] &&
                 p->sets[value->var->id])
            value = p->sets[value->var->id];
        else
            return value;
    }
}

static bool is_intrinsic(const IrValue *value, IrIntrinsic intrinsic, int axis)
{
    return value->op == OP_intrinsic && value->intrinsic == intrinsic && value->index == axis;
}

static bool is_product(const Grid *p, const IrValue *value, IrIntrinsic factor, int axis)
{
    value = plain(p, value);
    if (value->op != OP_mul)
        return false;
    const IrValue *a = plain(p, value->operands[0]), *b = plain(p, value->operands[1]);
    return (is_intrinsic(a, factor, axis) && is_intrinsic(b, INTR_block_dim, axis)) ||
           (is_intrinsic(b, factor, axis) && is_intrinsic(a, INTR_block_dim, axis));
}

static bool is_thread_index(const Grid *p, const IrValue *value, int axis)
{
    if (value->op != OP_add)
        return false;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    return (is_intrinsic(plain(p, a), INTR_thread_idx, axis) &&
            is_product(p, b, INTR_block_idx, axis)) ||
           (is_intrinsic(plain(p, b), INTR_thread_idx, axis) &&
            is_product(p, a, INTR_block_idx, axis));
}

static void replace(void *context, IrValue **slot)
{
    const Grid *p = context;
    IrValue *value = *slot;
    for (int axis = 0; axis < 3 && type_is_integer(value->type); axis++) {
        IrIntrinsic is = is_thread_index(p, value, axis) ? INTR_grid
                         : value->op == OP_mul && is_product(p, value, INTR_grid_dim, axis)
                             ? INTR_gridsize
                             : INTR_COUNT;
        if (is == INTR_COUNT)
            continue;
        IrValue *grid = ir_intrinsic(p->arena, is, type_int64, value->span, NULL, NULL, NULL);
        grid->index = axis;
        *slot = ir_cast(p->arena, value->type, grid, value->span);
        return;
    }
    for (int i = 0; i < value->count; i++)
        replace(context, &value->operands[i]);
}

static void visit_indices(void *context, IrStmt *stmt)
{
    ir_each_slot(stmt, replace, context);
}

void ir_grid_indices(IrUnit *unit)
{
    size_t count = (size_t)unit->kernel->var_count + 1;
    Grid p = { unit->arena, arena_array(unit->arena, IrValue *, count),
               arena_array(unit->arena, bool, count) };
    ir_each_stmt(&unit->kernel->body, visit_stmt, &p);
    ir_each_stmt(&unit->kernel->body, visit_indices, &p);
    ir_dce(unit);
}

/* ---- others in their stead ------------------------------------------------------------------- */

typedef struct Put {
    Arena *arena;
    IrVar *const *indices, *const *threads;
} Put;

static void put_in_value(void *context, IrValue **slot)
{
    const Put *put = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        put_in_value(context, &value->operands[i]);
    if (value->op != OP_intrinsic)
        return;
    if (value->intrinsic == INTR_grid)
        *slot = ir_var(put->arena, put->indices[value->index], value->span);
    else if (value->intrinsic == INTR_gridsize)
        *slot = ir_var(put->arena, put->threads[value->index], value->span);
}

static void put_in_stmt(void *context, IrStmt *stmt)
{
    ir_each_slot(stmt, put_in_value, context);
}

void ir_put_indices(Arena *arena, const IrRegion *body, IrVar *const *indices,
                    IrVar *const *threads)
{
    Put put = { arena, indices, threads };
    ir_each_stmt(body, put_in_stmt, &put);
}

/* A thread's place among all, however it is written, as grid(axis), and their number as
** gridsize(axis):
**
**     pos = add(cast<int64>(tx), mul(cast<int64>(ty), cast<int64>(bw)))
** becomes, where tx is set to thread_idx(0), ty to block_idx(0) and bw to block_dim(0),
**     pos = grid(0)
**
** Legal everywhere: sums and products of places are taken not to overflow. It pays where a pass
** asks what of the place a kernel knows. */
#include "ir/schedule/coarsen/coarsen.h"

typedef struct Places {
    Arena *arena;
    IrValue **sets; /* by IrVar.id: what a variable is set to that is set once; else NULL */
    bool *many;
} Places;

static void visit_stmt(void *context, IrStmt *stmt)
{
    Places *p = context;
    IrVar *var = ir_set_var(stmt);
    if (!var)
        return;
    p->many[var->id] |= p->sets[var->id] || stmt->kind == IR_FOR;
    p->sets[var->id] = stmt->kind == IR_SET ? stmt->set.value : NULL;
}

/* The value behind names for it and casts that keep it: places are small and not negative. */
static const IrValue *plain(const Places *p, const IrValue *value)
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

static bool is_product(const Places *p, const IrValue *value, IrIntrinsic factor, int axis)
{
    value = plain(p, value);
    if (value->op != OP_mul)
        return false;
    const IrValue *a = plain(p, value->operands[0]), *b = plain(p, value->operands[1]);
    return (is_intrinsic(a, factor, axis) && is_intrinsic(b, INTR_block_dim, axis)) ||
           (is_intrinsic(b, factor, axis) && is_intrinsic(a, INTR_block_dim, axis));
}

static bool is_place(const Places *p, const IrValue *value, int axis)
{
    if (value->op != OP_add)
        return false;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    return (is_intrinsic(plain(p, a), INTR_thread_idx, axis) &&
            is_product(p, b, INTR_block_idx, axis)) ||
           (is_intrinsic(plain(p, b), INTR_thread_idx, axis) &&
            is_product(p, a, INTR_block_idx, axis));
}

static void replace(void *context, IrValue **place)
{
    const Places *p = context;
    IrValue *value = *place;
    for (int axis = 0; axis < 3 && type_is_integer(value->type); axis++) {
        IrIntrinsic is = is_place(p, value, axis) ? INTR_grid
                         : value->op == OP_mul && is_product(p, value, INTR_grid_dim, axis)
                             ? INTR_gridsize
                             : INTR_COUNT;
        if (is == INTR_COUNT)
            continue;
        IrValue *grid = ir_intrinsic(p->arena, is, type_int64, value->span, NULL, NULL, NULL);
        grid->index = axis;
        *place = ir_cast(p->arena, value->type, grid, value->span);
        return;
    }
    for (int i = 0; i < value->count; i++)
        replace(context, &value->operands[i]);
}

static void visit_places(void *context, IrStmt *stmt)
{
    ir_each_place(stmt, replace, context);
}

void ir_grid_places(IrUnit *unit)
{
    size_t count = (size_t)unit->kernel->var_count + 1;
    Places p = { unit->arena, arena_array(unit->arena, IrValue *, count),
                 arena_array(unit->arena, bool, count) };
    ir_each_stmt(&unit->kernel->body, visit_stmt, &p);
    ir_each_stmt(&unit->kernel->body, visit_places, &p);
    ir_dce(unit);
}

/* ---- others in their place ------------------------------------------------------------------- */

typedef struct Put {
    Arena *arena;
    IrVar *const *places, *const *threads;
} Put;

static void put_in_value(void *context, IrValue **place)
{
    const Put *put = context;
    IrValue *value = *place;
    for (int i = 0; i < value->count; i++)
        put_in_value(context, &value->operands[i]);
    if (value->op != OP_intrinsic)
        return;
    if (value->intrinsic == INTR_grid)
        *place = ir_var(put->arena, put->places[value->index], value->span);
    else if (value->intrinsic == INTR_gridsize)
        *place = ir_var(put->arena, put->threads[value->index], value->span);
}

static void put_in_stmt(void *context, IrStmt *stmt)
{
    ir_each_place(stmt, put_in_value, context);
}

void ir_put_places(Arena *arena, const IrRegion *body, IrVar *const *places, IrVar *const *threads)
{
    Put put = { arena, places, threads };
    ir_each_stmt(body, put_in_stmt, &put);
}

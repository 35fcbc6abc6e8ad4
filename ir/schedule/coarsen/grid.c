/* A thread's index among all, however it is written, as grid(axis), and their number as
** gridsize(axis):
**
**     pos = add(cast<int64>(tx), mul(cast<int64>(ty), cast<int64>(bw)))
** becomes, where tx is set to thread_idx(0), ty to block_idx(0) and bw to block_dim(0),
**     pos = grid(0)
**
** Legal everywhere: sums and products of indices are taken not to overflow. It pays before passes
** that look for grid(). */
#include "ir/schedule/coarsen/coarsen.h"

typedef struct Grid {
    Arena *arena;
    IrSets sets;
} Grid;

static void replace(void *context, IrValue **slot)
{
    const Grid *p = context;
    IrValue *value = *slot;
    int index = value->op == OP_add ? ir_thread_axis(&p->sets, value) : -1;
    int threads = value->op == OP_mul ? ir_threads_axis(&p->sets, value) : -1;
    if (type_is_integer(value->type) && (index >= 0 || threads >= 0)) {
        IrValue *grid = index >= 0 ? ir_axis(p->arena, INTR_grid, index, value->span)
                                   : ir_axis(p->arena, INTR_gridsize, threads, value->span);
        *slot = ir_cast(p->arena, value->type, grid, value->span);
        return;
    }
    for (int i = 0; i < value->count; i++)
        replace(context, &value->operands[i]);
}

void ir_grid_indices(IrUnit *unit)
{
    Grid p = { unit->arena, ir_sets(unit->arena, unit->kernel, &unit->kernel->body) };
    ir_each_slot_in(&unit->kernel->body, replace, &p);
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
    if (value->intrinsic == INTR_grid && put->indices)
        *slot = ir_var(put->arena, put->indices[value->index], value->span);
    else if (value->intrinsic == INTR_gridsize)
        *slot = ir_var(put->arena, put->threads[value->index], value->span);
}

void ir_put_indices(Arena *arena, const IrRegion *body, IrVar *const *indices,
                    IrVar *const *threads)
{
    Put put = { arena, indices, threads };
    ir_each_slot_in(body, put_in_value, &put);
}

/* ---- which axes ---------------------------------------------------------------------------- */

typedef struct Asked {
    bool fine, size;
} Asked;

static void note_index(void *context, IrValue *value)
{
    Asked *asked = context;
    if (value->op == OP_intrinsic && value->intrinsic == INTR_grid)
        asked->fine &= value->index == 0;
    if (value->op == OP_intrinsic && value->intrinsic == INTR_gridsize)
        asked->fine &= asked->size && value->index == 0;
}

bool ir_goes_along_x(const IrFunc *fn, bool size)
{
    Asked asked = { true, size };
    ir_each_node_in(&fn->body, note_index, &asked);
    return asked.fine;
}

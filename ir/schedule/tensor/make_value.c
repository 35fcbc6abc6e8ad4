/* Values of the kernel where a tiled product needs them. */
#include "ir/schedule/tensor/make.h"

/* What stands for a value of the kernel where indices and counter are held in variables. */
static IrValue *elsewhere(const IrClone *clone, const IrValue *value)
{
    const Build *m = clone->context;
    const Product *p = m->p;
    if (value->op == OP_intrinsic && value->intrinsic == INTR_grid)
        return build_var(m->b, m->index[value->index]);
    if (value->op == OP_intrinsic && value->intrinsic == INTR_gridsize)
        return build_var(m->b, m->threads[value->index]);
    if (value->op != OP_var || value->var->kind != VAR_LOCAL || value->var == p->sum ||
        sets_any(&p->behind, value->var))
        return NULL;
    if (value->var == p->loop->for_.var)
        return build_var(m->b, m->k);
    return ir_clone_value(clone, sets_value(&p->affine.sets, value->var));
}

IrClone clone_of(const Build *m)
{
    return (IrClone){ .arena = m->b->arena, .value = elsewhere, .context = (void *)m };
}

IrValue *put(const Build *m, const IrValue *value)
{
    IrClone clone = clone_of(m);
    return ir_clone_value(&clone, value);
}

IrValue *sum_of(const Build *m, const IrVar *a, IrValue *b)
{
    return build_op(m->b, OP_add, build_var(m->b, a), b);
}

IrValue *below(const Build *m, const IrVar *index, const IrVar *end)
{
    return build_op(m->b, OP_lt, build_var(m->b, index), build_var(m->b, end));
}

IrValue *smaller(const Build *m, IrValue *a, IrValue *b)
{
    return ir_intrinsic(m->b->arena, INTR_min, type_int64, m->b->span, a, b, NULL);
}

int block_threads(const TensorTile *tile)
{
    return WARP * tile->warps[FACTOR_ROWS] * tile->warps[FACTOR_COLUMNS];
}

/* Values of the kernel where a tiled product needs them. */
#include "ir/schedule/tensor/make.h"

/* Whether a value is of what splits the axis, as an operation, by the same number. */
static bool splits(const TensorBuild *m, const IrValue *value, IrOp op)
{
    const IrValue *part = m->p->part;
    return m->part && value->op == op && affine_same(value->operands[0], part->operands[0]) &&
           affine_same(value->operands[1], part->operands[1]);
}

/* What is left of an index in the part at hand: as far as it is from where the part begins. By 0 it
** is 0. */
static IrValue *rest_of(const TensorBuild *m)
{
    IrValue *number = put(m, m->p->part->operands[1]);
    IrValue *index = build_var(m->b, m->index[m->p->part_axis]);
    return build_min(m->b, build_op(m->b, OP_sub, index, m->base),
                     build_max(m->b, build_plus(m->b, number, -1), 0));
}

/* What stands for a value of the kernel where indices and counter are held in variables. */
static IrValue *elsewhere(const IrClone *clone, const IrValue *value)
{
    const TensorBuild *m = clone->context;
    const Product *p = m->p;
    if (splits(m, value, OP_floordiv))
        return build_var(m->b, m->part);
    if (splits(m, value, OP_mod))
        return rest_of(m);
    if (ir_is_intrinsic(value, INTR_grid))
        return build_var(m->b, m->index[value->index]);
    if (ir_is_intrinsic(value, INTR_gridsize))
        return build_var(m->b, m->threads[value->index]);
    if (value->op != OP_var || value->var->kind != VAR_LOCAL || value->var == p->sum ||
        sets_any(&p->behind, value->var))
        return NULL;
    int counts = product_counts(p, value->var);
    if (counts >= 0)
        return build_var(m->b, m->counter[counts]);
    return ir_clone_value(clone, sets_value(&p->affine.sets, value->var));
}

IrClone clone_of(const TensorBuild *m)
{
    return (IrClone){ .arena = m->b->arena, .value = elsewhere, .context = (void *)m };
}

IrValue *put(const TensorBuild *m, const IrValue *value)
{
    IrClone clone = clone_of(m);
    return ir_clone_value(&clone, value);
}

void put_in_part(TensorBuild *m)
{
    if (m->part)
        m->index[m->p->part_axis] = m->at_part[0];
}

IrValue *is_in_part(const TensorBuild *m, IrVar *index)
{
    IrValue *first = build_var(m->b, m->at_part[0]), *until = build_var(m->b, m->at_part[1]);
    return ir_both(m->b->arena, build_op(m->b, OP_le, first, index),
                   build_op(m->b, OP_le, index, until));
}

IrValue *sum_of(const TensorBuild *m, const IrVar *a, IrValue *b)
{
    return build_op(m->b, OP_add, build_var(m->b, a), b);
}

IrValue *below(const TensorBuild *m, const IrVar *index, const IrVar *end)
{
    return build_op(m->b, OP_lt, build_var(m->b, index), build_var(m->b, end));
}

IrValue *hold(const TensorBuild *m, const Terms *terms, IrValue *all)
{
    for (int i = 0; i < terms->count; i++)
        all = ir_both(m->b->arena, all, put(m, terms->list[i]));
    return all;
}

IrValue *buffer_of(const TensorBuild *m, const IrVar *step, int buffers)
{
    IrValue *number = build_op(m->b, OP_floordiv, step, m->depth);
    return build_op(m->b, OP_mod, number, build_int(m->b, buffers));
}

bool is_joined(const TensorBuild *m, int f)
{
    const Product *p = m->p;
    return p->joined >= 0 && p->factor[f].axis == p->joined_to;
}

void put_index(TensorBuild *m, int f, IrVar *index, IrRegion *out)
{
    const Product *p = m->p;
    m->index[p->factor[f].axis] = index;
    if (!is_joined(m, f))
        return;
    IrValue *width = build_max(m->b, m->width, 1);
    IrValue *near = build_op(m->b, OP_mod, index, width);
    IrValue *far = build_op(m->b, OP_floordiv, index, build_copy(m->b, width));
    m->index[p->joined_to] = build_let(m->b, "_near", near, out);
    m->index[p->joined] = build_let(m->b, "_far", far, out);
}

int block_threads(const TensorTile *tile)
{
    return WARP_LANES * tile->warps[FACTOR_ROWS] * tile->warps[FACTOR_COLUMNS];
}

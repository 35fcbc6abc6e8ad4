/* Conditions that bound the index along one axis of a product by that along the other, as of a
** triangle of the result:
**
**     if j <= i                                   for each tile, if it has such an element
**         for k in 0 to depth by 1                    all its sums
**             total = total + ..         ->           for each of a lane's sums
**         store c[i, j] = total                           if j <= i
**                                                             store c[i, j] = sums[..]
**
** Legal if no element is loaded that no thread loads. Of j <= i + n, n not negative, each row has
** the thread (i, 0), and each column that ends where the rows do the thread (last, j). Where n is
** negative the first rows have none: they are loaded if their index in the array is just the
** row's, since a row behind them is there then. With a second such condition, or where the last row
** of threads is not whole, there may be rows and columns without any.
**
** Pays as the product does: a tile without such an element is left out. */
#include "ir/schedule/tensor/make.h"

/* The factor along whose axis a value is the index in the grid, plus a constant; -1: neither. */
static int factor_of(const Product *p, const IrValue *value, int64_t *constant)
{
    const IrValue *rest = affine_split(&p->affine.sets, value, constant);
    rest = rest ? sets_behind_casts(&p->affine.sets, rest) : NULL;
    for (int f = 0; f < FACTORS && rest; f++)
        if (ir_is_intrinsic(rest, INTR_grid) && rest->index == p->factor[f].axis)
            return f;
    return -1;
}

/* Whether the elements of a factor are those of an array at just the index along its axis. */
static bool is_plain(const Product *p, const Factor *factor)
{
    const IrValue *load = factor->load;
    for (int i = 1; load && i < load->count; i++) {
        const IrValue *index = sets_behind_casts(&p->affine.sets, load->operands[i]);
        bool own = ir_is_intrinsic(index, INTR_grid);
        if (!own && affine_varies(&p->affine, index, factor->axis))
            return false;
    }
    return load != NULL;
}

bool product_slants(Product *p, const IrValue *term)
{
    bool less = term->op == OP_lt || term->op == OP_le;
    bool strict = term->op == OP_lt || term->op == OP_gt;
    if (p->slant || p->part || p->axes.levels || (!less && term->op != OP_gt && term->op != OP_ge))
        return false;
    int64_t low, high, most;
    int lesser = factor_of(p, term->operands[!less], &low);
    int greater = factor_of(p, term->operands[less], &high);
    if (lesser < 0 || greater < 0 || lesser == greater ||
        __builtin_sub_overflow(high, low, &most) || __builtin_sub_overflow(most, strict, &most) ||
        most > INT32_MAX || most < INT32_MIN)
        return false;
    if (most < 0 && !(is_plain(p, &p->factor[0]) && is_plain(p, &p->factor[1])))
        return false;
    p->slant = term;
    p->slant_factor = lesser;
    p->slant_most = most;
    return true;
}

void slant_ends(TensorBuild *m, IrRegion *out)
{
    int f = m->p->slant_factor;
    if (!m->p->slant)
        return;
    IrValue *other = build_plus(m->b, m->end[!f], m->p->slant_most);
    m->end[f] = build_let(m->b, "_asked", build_min(m->b, m->end[f], other), out);
}

IrValue *slant_any(TensorBuild *m)
{
    int f = m->p->slant_factor;
    if (!m->p->slant)
        return NULL;
    IrValue *behind = build_plus(m->b, m->first[!f], m->tile->size[!f]);
    IrValue *last = build_plus(m->b, build_min(m->b, behind, m->end[!f]), m->p->slant_most - 1);
    return build_op(m->b, OP_le, build_var(m->b, m->first[f]), last);
}

/* Elements that are numbered through: of a number n,
**
**     q, r = divmod(n, extent(dst, 1));  dst[q, r]         is the n-th element of dst
**
** and so for any axes next to each other of an array, of which then one index is left, n, and one
** axis, as long as they are together. Every other way to take the number apart is not known.
**
** Legal where what is divided by are these extents: an element is there only where none of them is
** 0, and then 0 <= n < their product says in which element n comes out. Where n is negative nothing
** is claimed: the caller of a Write's index chooses n among the elements. */
#include "ir/predict/cover_parts.h"

/* NULL where one is not known; loose where the type of the result may be too narrow. */
static const Split *split_new(Arena *arena, const Type *type, const IrSum *of, const IrSum *by,
                              const IrSum *below)
{
    Split *split = arena_new(arena, Split);
    *split = (Split){ of && type_size(type) < 8 ? sum_loose(arena, of) : of, by, below };
    return of && by && type_size(type) >= 4 ? split : NULL;
}

/* Whether it is a product of extents, which is not negative. */
static bool is_of_extents(const IrSum *sum)
{
    if (!sum || sum->loose || sum->count != 1 || sum->terms[0].factor != 1)
        return false;
    for (int i = 0; i < TERM_FACTS; i++) {
        IrFactKind kind = sum->terms[0].facts[i].kind;
        if (kind != FACT_NONE && kind != FACT_EXTENT)
            return false;
    }
    return true;
}

static const Split *split_of_division(const Knowledge *k, const IrValue *value)
{
    const IrSum *by = known_sum(k, value->operands[1]), *one = sum_constant(k->arena, 1);
    Split inner = { known_sum(k, value->operands[0]), one, NULL };
    const Split *before = inner.of ? &inner : known_split(k, value->operands[0]);
    if (!is_of_extents(by) || !before || before->below)
        return NULL;
    return value->op == OP_mod ? split_new(k->arena, value->type, before->of, before->by, by)
                               : split_new(k->arena, value->type, before->of,
                                           sum_mul(k->arena, before->by, by), NULL);
}

const Split *known_split(const Knowledge *k, const IrValue *value)
{
    if (!type_is_integer(value->type))
        return NULL;
    if (value->op == OP_var || value->op == OP_item)
        return known_value(k, value).split;
    if (value->op == OP_floordiv || value->op == OP_mod)
        return split_of_division(k, value);
    const Split *split = value->op == OP_cast ? known_split(k, value->operands[0]) : NULL;
    return split ? split_new(k->arena, value->type, split->of, split->by, split->below) : NULL;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* The extents of axes [first, end) of a parameter, multiplied. */
static const IrSum *extents(Arena *arena, int param, int first, int end)
{
    const IrSum *product = sum_constant(arena, 1);
    for (int axis = first; axis < end; axis++)
        product = sum_mul(arena, product, sum_fact(arena, FACT_EXTENT, axis, param));
    return product;
}

const IrSum *write_extent(Arena *arena, const Write *write, int axis)
{
    int more = write->flat ? write->flat - 1 : 0,
        first = axis > write->flat_from ? axis + more : axis;
    int end = axis == write->flat_from ? first + more + 1 : first + 1;
    return extents(arena, write->param, first, end);
}

/* Whether indices [first, end) of a parameter are one number taken apart. */
static bool is_taken_apart(Arena *arena, const Split *const *splits, int param, int first, int end)
{
    for (int axis = first; axis < end; axis++) {
        const Split *split = splits[axis];
        const IrSum *extent = sum_fact(arena, FACT_EXTENT, axis, param);
        if (!split || !sum_equal(split->of, splits[first]->of) ||
            !sum_equal(split->by, extents(arena, param, axis + 1, end)) ||
            (axis == first ? split->below != NULL : !sum_equal(split->below, extent)))
            return false;
    }
    return true;
}

/* By axis of the parameter. */
static const Split **find_splits(const Knowledge *k, const ArrayView *view, IrValue *const *indices)
{
    const Split **splits = arena_array(k->arena, const Split *, RANK_MAX);
    int64_t start, step;
    for (int i = 0; i < view->param->type->array.rank; i++) {
        const ViewAxis *axis = &view->axes[i];
        bool plain = axis->along >= 0 && sum_is_constant(axis->start, &start) && start == 0 &&
                     sum_is_constant(axis->step, &step) && step == 1;
        splits[i] = plain ? known_split(k, indices[axis->along]) : NULL;
    }
    return splits;
}

bool write_flatten(const Knowledge *k, const ArrayView *view, IrValue *const *indices, Write *write)
{
    int first = 0, end = write->rank, kept = 0;
    const Split **splits = find_splits(k, view, indices);
    const IrSum **index = arena_array(k->arena, const IrSum *, write->rank);
    while (first < end && write->index[first])
        first++;
    while (end > first && write->index[end - 1])
        end--;
    if (end - first < 2 || !is_taken_apart(k->arena, splits, write->param, first, end))
        return false;
    for (int axis = 0; axis < write->rank; axis++) {
        if (axis <= first || axis >= end)
            index[kept++] = axis == first ? splits[first]->of : write->index[axis];
    }
    write->index = index;
    write->rank = kept;
    write->flat_from = first;
    write->flat = end - first;
    return true;
}

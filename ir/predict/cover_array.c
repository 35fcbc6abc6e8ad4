/* Views of arrays: a parameter, or the part of one that views leave, and which of the parameter's
** elements an index of the part names. Each axis of the parameter is at
**
**     start + step * index[axis]
**
** for one axis of the part, or at its start alone. */
#include "ir/predict/cover_parts.h"

const ArrayView *view_whole(Arena *arena, const IrVar *param)
{
    ArrayView *view = arena_new(arena, ArrayView);
    *view = (ArrayView){ .param = param, .rank = param->type->array.rank };
    for (int i = 0; i < view->rank; i++) {
        view->axes[i] = (ViewAxis){ sum_constant(arena, 0), sum_constant(arena, 1), i };
        view->extent[i] = sum_fact(arena, FACT_EXTENT, i, param->param);
    }
    return view;
}

/* The axis of the parameter that an axis of the part goes along; NULL: none, it is a new one. */
static ViewAxis *axis_along(ArrayView *view, const ViewAxis *axes, int axis)
{
    for (int i = 0; i < view->param->type->array.rank; i++) {
        if (axes[i].along == axis)
            return &view->axes[i];
    }
    return NULL;
}

const ArrayView *view_within(Arena *arena, const ArrayView *of, const char *kinds,
                             const IrSum *const *operands)
{
    ArrayView *view = arena_new(arena, ArrayView);
    *view = *of;
    view->rank = 0;
    for (int from = 0; *kinds; kinds++) {
        ViewAxis *axis = *kinds == 'n' ? NULL : axis_along(view, of->axes, from++);
        int along = *kinds == 'i' ? -1 : view->rank++;
        const IrSum *start = *kinds == 'n' ? NULL : operands[0];
        if (along >= 0)
            view->extent[along] = *kinds == 's' ? operands[1] : sum_constant(arena, 1);
        if (axis) {
            axis->start = sum_add(arena, axis->start, 1, sum_mul(arena, axis->step, start));
            axis->step = *kinds == 's' ? sum_mul(arena, axis->step, operands[2]) : axis->step;
            axis->along = along;
        }
        operands += *kinds == 's' ? 3 : *kinds == 'i';
    }
    return view;
}

const ArrayView *view_transposed(Arena *arena, const ArrayView *of)
{
    ArrayView *view = arena_new(arena, ArrayView);
    *view = *of;
    for (int i = 0; i < of->param->type->array.rank; i++) {
        if (of->axes[i].along >= 0)
            view->axes[i].along = of->rank - 1 - of->axes[i].along;
    }
    for (int i = 0; i < of->rank; i++)
        view->extent[i] = of->extent[of->rank - 1 - i];
    return view;
}

const IrSum **view_element(Arena *arena, const ArrayView *view, const IrSum *const *index)
{
    int rank = view->param->type->array.rank;
    const IrSum **element = arena_array(arena, const IrSum *, rank + 1);
    for (int i = 0; i < rank; i++) {
        const ViewAxis *axis = &view->axes[i];
        element[i] = axis->start;
        if (axis->along >= 0)
            element[i] =
                sum_add(arena, axis->start, 1, sum_mul(arena, axis->step, index[axis->along]));
    }
    return element;
}

/* Arrays as places: a parameter, or the part of one that views leave, and which of the parameter's
** elements an index of the part names. Each axis of the parameter is at
**
**     start + step * index[axis]
**
** for one axis of the part, or at its start alone. */
#include "ir/predict/cover_parts.h"

const Place *place_whole(Arena *arena, const IrVar *param)
{
    Place *place = arena_new(arena, Place);
    *place = (Place){ .param = param, .rank = param->type->array.rank };
    for (int i = 0; i < place->rank; i++) {
        place->axes[i] = (PlaceAxis){ sum_constant(arena, 0), sum_constant(arena, 1), i };
        place->extent[i] = sum_fact(arena, FACT_EXTENT, i, param->param);
    }
    return place;
}

/* The axis of the parameter that an axis of the part goes along; NULL: none, it is a new one. */
static PlaceAxis *axis_along(Place *place, const PlaceAxis *axes, int axis)
{
    for (int i = 0; i < place->param->type->array.rank; i++) {
        if (axes[i].along == axis)
            return &place->axes[i];
    }
    return NULL;
}

static void move_start(Arena *arena, PlaceAxis *axis, const IrSum *by)
{
    axis->start = sum_add(arena, axis->start, 1, sum_mul(arena, axis->step, by));
}

const Place *place_view(Arena *arena, const Place *of, const char *kinds,
                        const IrSum *const *operands)
{
    Place *place = arena_new(arena, Place);
    *place = *of;
    place->rank = 0;
    for (int from = 0; *kinds; kinds++) {
        PlaceAxis *axis = *kinds == 'n' ? NULL : axis_along(place, of->axes, from++);
        int along = *kinds == 'i' ? -1 : place->rank++;
        const IrSum *start = *kinds == 'n' ? NULL : operands[0];
        if (along >= 0)
            place->extent[along] = *kinds == 's' ? operands[1] : sum_constant(arena, 1);
        if (axis) {
            move_start(arena, axis, start);
            axis->step = *kinds == 's' ? sum_mul(arena, axis->step, operands[2]) : axis->step;
            axis->along = along;
        }
        operands += *kinds == 's' ? 3 : *kinds == 'i';
    }
    return place;
}

const Place *place_transposed(Arena *arena, const Place *of)
{
    Place *place = arena_new(arena, Place);
    *place = *of;
    for (int i = 0; i < of->param->type->array.rank; i++) {
        if (of->axes[i].along >= 0)
            place->axes[i].along = of->rank - 1 - of->axes[i].along;
    }
    for (int i = 0; i < of->rank; i++)
        place->extent[i] = of->extent[of->rank - 1 - i];
    return place;
}

const IrSum **place_element(Arena *arena, const Place *place, const IrSum *const *index)
{
    int rank = place->param->type->array.rank;
    const IrSum **element = arena_array(arena, const IrSum *, rank + 1);
    for (int i = 0; i < rank; i++) {
        const PlaceAxis *axis = &place->axes[i];
        element[i] = axis->start;
        if (axis->along >= 0)
            element[i] =
                sum_add(arena, axis->start, 1, sum_mul(arena, axis->step, index[axis->along]));
    }
    return element;
}

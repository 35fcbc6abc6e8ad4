/* Views as parts of whole rows, for the kernels of expressions.
**
** before: a0[i0, i1], a view whose rows do not lie one behind the other: u[1:-1, 1:-1]
** after:  a0[i0 + 1, i1 + 1], the same elements of all rows of its memory; and where that is
**         written, a0[i0 + 1, i1] of the i1 from 1 on: threads are counted from where rows begin,
**         so that each has elements that are aligned
** Legal if the strides are those of whole rows: the smallest is an element, each is a multiple of
** the next, none is negative, and the view does not go beyond a row's end. Axes along which one
** element stands for all take no part in the index.
** Pays where rows are taken from OFFSET_MOST elements behind their start at the most, as stencils
** do: rows of known layout are read as they lie, several at once; and views of one array become one
** parameter, whose elements the compiler can tell apart by their indices. Offsets are part of the
** text, so that a loop whose slices begin elsewhere in each iteration would make a kernel for each
** of them: of rows that are further away, the first is where the array begins. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

enum { OFFSET_MOST = 4 };

/* Axes with steps, from the longest to the shortest; how many, or -1 if one goes backwards. */
static int axes_of(const kjit_array *view, int *axis)
{
    int count = 0;
    for (int i = 0; i < view->rank; i++) {
        int at = count;
        if (view->shape[i] == 1 || view->strides[i] == 0)
            continue;
        if (view->strides[i] < 0)
            return -1;
        for (; at > 0 && view->strides[axis[at - 1]] < view->strides[i]; at--)
            axis[at] = axis[at - 1];
        axis[at] = i;
        count++;
    }
    return count;
}

/* Whether the steps are those of whole rows. */
static bool is_regular(const kjit_array *view, const int *axis, int count)
{
    if (count < 1 || view->strides[axis[count - 1]] != (int64_t)kjit_array_itemsize(view))
        return false;
    for (int k = 0; k + 1 < count; k++) {
        const int64_t step = view->strides[axis[k]], next = view->strides[axis[k + 1]];
        if (step == next || step % next != 0)
            return false;
    }
    return true;
}

bool dense_of(const HostBlock *block, const kjit_array *view, Dense *dense)
{
    int64_t left = (const char *)view->data - block->begin;
    *dense = (Dense){ 0 };
    dense->count = axes_of(view, dense->axis);
    if (!is_regular(view, dense->axis, dense->count) || left < 0 ||
        left % (int64_t)kjit_array_itemsize(view) != 0)
        return false;
    int64_t extents[KJIT_RANK_MAX], around = (int64_t)block->bytes;
    for (int k = 0; k < dense->count; k++) {
        const int64_t step = view->strides[dense->axis[k]];
        extents[k] = around / step;
        dense->offset[k] = left / step;
        left %= step;
        around = step;
        if (dense->offset[k] + view->shape[dense->axis[k]] > extents[k] ||
            (k && dense->offset[k] > OFFSET_MOST))
            return false;
    }
    char *begin = block->begin;
    if (dense->offset[0] > OFFSET_MOST) {
        begin += dense->offset[0] * view->strides[dense->axis[0]];
        extents[0] -= dense->offset[0];
        dense->offset[0] = 0;
    }
    dense->rows = kjit_host_array(begin, view->dtype, dense->count, extents);
    dense->rows.flags = view->flags;
    dense->rows.record = view->record;
    return true;
}

/* Indices that are arrays: masks, and lists and arrays of integers, beside slices and numbers.
**
** The slices, `None` and `...` are taken first, as a view in which the axes of the arrays are still
** whole. The arrays are broadcast to one shape; each of its elements is an offset into that view,
** behind which lie the axes that are left. Their place in the result is that of the arrays if those
** stand side by side, else the front. A mask is as many arrays as it has axes: where it is true.
** Source: NumPy's manual, "Indexing on ndarrays". */
#include "runtime/program/array/gather.h"
#include "runtime/array/array.h"

static bool is_index_array(HostValue value)
{
    return is_arrays(value) || value.kind == HOST_LIST || value.kind == HOST_RANGE ||
           (value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_BOOL) || value.kind == HOST_BOOL;
}

/* The same of an item beside others, where a tuple is one, too. */
static bool is_item_array(HostValue value)
{
    return is_index_array(value) || value.kind == HOST_TUPLE;
}

bool gather_is(HostValue index)
{
    if (is_index_array(index))
        return true;
    for (size_t i = 0; index.kind == HOST_TUPLE && i < index.list->count; i++)
        if (is_item_array(index.list->items[i]))
            return true;
    return false;
}

static bool add_index(Gather *g, HostArray *index, int axis)
{
    if (g->count == KJIT_RANK_MAX)
        return host_fail(g->program, "IndexError", "too many indices for array");
    g->indices[g->count] = index;
    g->axes[g->count++] = axis;
    return true;
}

bool gather_where(Program *p, HostArray *mask, HostArray *places[KJIT_RANK_MAX])
{
    const kjit_array *view = &mask->view;
    int64_t index[KJIT_RANK_MAX] = { 0 }, total = array_elements(view), count = 0, at = 0;
    if (gather_by_kernels(p, mask, total))
        return gather_where_by_kernels(p, mask, places);
    if (!host_array_read(p, mask))
        return false;
    for (int64_t i = 0; i < total; i++, index_next(view, index))
        count += host_truth_of(host_array_element(view, index));
    memset(index, 0, sizeof index);
    for (int k = 0; k < view->rank; k++)
        if (!host_array_new(p, KJIT_DTYPE_INT64, 1, &count, false, &places[k]))
            return false;
    for (int64_t i = 0; i < total; i++, index_next(view, index))
        if (host_truth_of(host_array_element(view, index))) {
            for (int k = 0; k < view->rank; k++)
                ((int64_t *)places[k]->view.data)[at] = index[k];
            at++;
        }
    return true;
}

/* A mask, for the array's axes from `axis` on. */
static bool add_mask(Gather *g, HostArray *mask, int axis)
{
    Program *p = g->program;
    HostArray *places[KJIT_RANK_MAX];
    const kjit_array *view = &g->array->view;
    for (int i = 0; i < mask->view.rank; i++)
        if (axis + i >= view->rank || mask->view.shape[i] != view->shape[axis + i])
            return host_fail(p, "IndexError",
                             "boolean index did not match indexed array along axis %d", axis + i);
    if (!gather_where(p, mask, places))
        return false;
    g->masked += g->masked == g->count ? mask->view.rank : 0;
    for (int i = 0; i < mask->view.rank; i++)
        if (!add_index(g, places[i], axis + i))
            return false;
    return true;
}

/* How many of the array's axes an item takes. */
static bool axes_of(Gather *g, HostValue *item, int *taken)
{
    Program *p = g->program;
    HostArray *array;
    *taken = item->kind == HOST_NONE || item->kind == HOST_ELLIPSIS ? 0 : 1;
    if (!is_item_array(*item))
        return true;
    if (!host_array_from(p, *item, KJIT_DTYPE_NONE, &array))
        return false;
    *item = host_object(array);
    bool mask = array->view.dtype == KJIT_DTYPE_BOOL;
    if (!mask && !dtype_is_integer(array->view.dtype) && array_elements(&array->view))
        return host_fail(p, "IndexError",
                         "arrays used as indices must be of integer (or boolean) type");
    if (mask && !array->view.rank)
        return host_fail(p, "NotImplementedError", "a mask has axes");
    *taken = mask ? array->view.rank : 1;
    return true;
}

/* An integer beside arrays is one, too. */
static bool add_item(Gather *g, HostValue item, int axis)
{
    Program *p = g->program;
    HostArray *array;
    if (item.kind == HOST_ARRAY && item.array->view.dtype == KJIT_DTYPE_BOOL)
        return add_mask(g, item.array, axis);
    if (!host_array_from(p, item, KJIT_DTYPE_NONE, &array))
        return false;
    if (!array_elements(&array->view) && !host_array_copy_as(p, array, KJIT_DTYPE_INT64, &array))
        return false; /* [] is of floats */
    return add_index(g, array, axis);
}

static bool slice_of(Program *p, HostValue item, kjit_slice *slice)
{
    *slice = (kjit_slice){ KJIT_SLICE_SPAN, KJIT_OMIT, KJIT_OMIT, 1 };
    if (item.kind == HOST_NONE)
        slice->kind = KJIT_SLICE_NEW_AXIS;
    if (item.kind != HOST_SLICE)
        return true;
    int64_t *parts[] = { &slice->start, &slice->stop, &slice->step };
    for (int i = 0; i < 3; i++)
        if (item.slice->parts[i].kind != HOST_NONE &&
            !host_integer(p, item.slice->parts[i], parts[i]))
            return false;
    return true;
}

static bool read_items(Gather *g, HostValue *items, size_t count, int left)
{
    Program *p = g->program;
    kjit_slice slices[2 * KJIT_RANK_MAX];
    int axis = 0, made = 0, slice_count = 0, taken;
    bool behind = false;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == HOST_NONE || items[i].kind == HOST_ELLIPSIS ||
            items[i].kind == HOST_SLICE) {
            int times = items[i].kind == HOST_ELLIPSIS ? left : 1;
            for (int k = 0; k < times && slice_count < (int)ARRAY_COUNT(slices); k++, made++)
                if (!slice_of(p, items[i], &slices[slice_count++]))
                    return false;
            axis += items[i].kind == HOST_SLICE ? 1 : items[i].kind == HOST_ELLIPSIS ? left : 0;
            behind |= g->count > 0;
            continue;
        }
        int before = g->count;
        g->apart |= behind;
        if (!add_item(g, items[i], axis))
            return false;
        for (int k = before; k < g->count && slice_count < (int)ARRAY_COUNT(slices); k++) {
            g->axes[k] = made++;
            slice_of(p, (HostValue){ .kind = HOST_ELLIPSIS }, &slices[slice_count++]);
        }
        if (!axes_of(g, &items[i], &taken))
            return false;
        axis += taken;
    }
    kjit_status status = kjit_array_slice(&g->array->view, slices, (size_t)slice_count, &g->whole);
    return status == KJIT_OK || host_failed(p, status);
}

/* The shape of all arrays together. */
static bool broadcast_indices(Gather *g)
{
    for (int i = 0; i < g->count; i++) {
        const kjit_array *view = &g->indices[i]->view;
        if (!shape_join(&g->rank, g->shape, view->rank, view->shape))
            return host_fail(g->program, "IndexError",
                             "shape mismatch: indexing arrays could not be broadcast together");
    }
    return true;
}

/* Takes the axes of the arrays out of the view. */
static void take_axes(Gather *g)
{
    int kept = 0, at = 0;
    g->rest = g->whole;
    g->front = g->apart ? 0 : g->axes[0];
    for (int axis = 0; axis < g->whole.rank; axis++) {
        if (at < g->count && g->axes[at] == axis) {
            at++;
            continue;
        }
        g->rest.shape[kept] = g->whole.shape[axis];
        g->rest.strides[kept++] = g->whole.strides[axis];
    }
    g->rest.rank = kept;
}

/* Makes the indices host arrays of int64, row by row, that count from the front; complains if one
** is beyond its axis. */
static bool settle_indices(Gather *g)
{
    Program *p = g->program;
    for (int i = 0; i < g->count; i++) {
        if (!host_array_copy_as(p, g->indices[i], KJIT_DTYPE_INT64, &g->indices[i]) ||
            !host_array_read(p, g->indices[i]))
            return false;
        int64_t *at = g->indices[i]->view.data, limit = g->whole.shape[g->axes[i]];
        for (int64_t k = 0, count = array_elements(&g->indices[i]->view); k < count; k++) {
            const int64_t given = at[k];
            if (!index_wrap(&at[k], limit))
                return host_fail(p, "IndexError",
                                 "index %lld is out of bounds for axis %d with size %lld",
                                 (long long)given, g->axes[i], (long long)limit);
        }
    }
    return true;
}

static bool gather_begin(Gather *g, Program *p, HostArray *array, HostValue index)
{
    HostValue copy = index.kind == HOST_TUPLE
                         ? host_items(p, HOST_TUPLE, index.list->items, index.list->count)
                         : host_items(p, HOST_TUPLE, &index, 1);
    int taken = 0, one;
    *g = (Gather){ .program = p, .array = array };
    for (size_t i = 0; i < copy.list->count; i++) {
        if (!axes_of(g, &copy.list->items[i], &one))
            return false;
        taken += one;
    }
    if (taken > array->view.rank)
        return host_fail(p, "IndexError",
                         "too many indices for array: array is %d-dimensional, but %d were "
                         "indexed",
                         array->view.rank, taken);
    if (!read_items(g, copy.list->items, copy.list->count, array->view.rank - taken) ||
        !broadcast_indices(g))
        return false;
    take_axes(g);
    return g->rest.rank + g->rank <= KJIT_RANK_MAX ||
           host_fail(p, "IndexError", "an array has %d axes at the most", KJIT_RANK_MAX);
}

int gather_shape(const Gather *g, int64_t *shape)
{
    int at = 0;
    for (int i = 0; i < g->front; i++)
        shape[at++] = g->rest.shape[i];
    for (int i = 0; i < g->rank; i++)
        shape[at++] = g->shape[i];
    for (int i = g->front; i < g->rest.rank; i++)
        shape[at++] = g->rest.shape[i];
    return at;
}

/* Copies element by element of the arrays, between the array and `other`, of the result's shape. */
static bool gather_copy(Gather *g, const kjit_array *other, bool stores)
{
    kjit_array views[KJIT_RANK_MAX], part = g->rest, to = *other;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    const kjit_array all = { .rank = g->rank };
    kjit_array counter = all;
    memcpy(counter.shape, g->shape, sizeof counter.shape);
    for (int i = 0; i < g->count; i++)
        kjit_array_broadcast(&g->indices[i]->view, g->rank, g->shape, &views[i]);
    to.rank = g->rest.rank;
    for (int i = 0; i < g->rest.rank; i++) {
        int axis = i < g->front ? i : i + g->rank;
        to.shape[i] = other->shape[axis];
        to.strides[i] = other->strides[axis];
    }
    for (int64_t n = array_elements(&counter); n > 0; n--, index_next(&counter, index)) {
        part.data = g->whole.data;
        to.data = other->data;
        for (int i = 0; i < g->count; i++) {
            const char *at = views[i].data;
            for (int k = 0; k < g->rank; k++)
                at += index[k] * views[i].strides[k];
            part.data = (char *)part.data +
                        *(const int64_t *)(const void *)at * g->whole.strides[g->axes[i]];
        }
        for (int k = 0; k < g->rank; k++)
            to.data = (char *)to.data + index[k] * other->strides[g->front + k];
        if (stores)
            array_copy(&part, &to);
        else
            array_copy(&to, &part);
    }
    return true;
}

/* Sets *kernels to whether kernels take or store the elements. If not, readies the indices for the
** host: also where one is beyond its axis, for the message. */
static bool by_kernels(Gather *g, int rank, const int64_t *shape, bool *kernels)
{
    int64_t count = 1;
    bool beyond = false;
    for (int i = 0; i < rank; i++)
        count *= shape[i];
    *kernels = gather_by_kernels(g->program, g->array, count);
    if (*kernels && !gather_is_beyond(g, &beyond))
        return false;
    *kernels &= !beyond;
    return *kernels || settle_indices(g);
}

/* A mask of all axes of what lies row by row is one of a single axis. */
static bool flatten(Program *p, HostArray **array, HostValue *index)
{
    HostArray *mask;
    const int64_t all = -1;
    kjit_array view, whole;
    if (!is_arrays(*index) || operand_dtype(*index) != KJIT_DTYPE_BOOL || (*array)->view.rank < 2)
        return true;
    if (!host_array_from(p, *index, KJIT_DTYPE_NONE, &mask))
        return false;
    *index = host_object(mask);
    bool same = mask->view.rank == (*array)->view.rank;
    for (int i = 0; same && i < mask->view.rank; i++)
        same = mask->view.shape[i] == (*array)->view.shape[i];
    if (!same || !kjit_array_is_contiguous(&mask->view, 0) ||
        !kjit_array_is_contiguous(&(*array)->view, 0))
        return true;
    kjit_array_reshape(&mask->view, 1, &all, &view);
    kjit_array_reshape(&(*array)->view, 1, &all, &whole);
    whole.flags = (*array)->view.flags;
    *index = host_object(host_array_of(p, mask->block, &view));
    *array = host_array_of(p, (*array)->block, &whole);
    return true;
}

bool host_gather_take(Program *p, HostArray *array, HostValue index, HostValue *out)
{
    Gather g;
    HostArray *made;
    int64_t shape[2 * KJIT_RANK_MAX];
    bool kernels;
    if (!flatten(p, &array, &index) || !gather_begin(&g, p, array, index))
        return false;
    int rank = gather_shape(&g, shape);
    if (!by_kernels(&g, rank, shape, &kernels) ||
        !host_array_like(p, &array->view, rank, shape, false, false, &made))
        return false;
    *out = host_object(made);
    if (kernels)
        return gather_take_by_kernel(&g, made);
    return host_array_read(p, array) && gather_copy(&g, &made->view, false);
}

/* a[mask] = number is an expression: the number, as an element, where it is true, else what stands
** there. */
static bool put_number(Program *p, HostArray *array, HostValue mask, HostValue number, bool *done)
{
    int64_t shape[KJIT_RANK_MAX];
    const kjit_array *view = &array->view;
    HostValue chosen;
    *done = is_arrays(mask) && operand_dtype(mask) == KJIT_DTYPE_BOOL && host_is_number(number) &&
            operand_shape(mask, shape) == view->rank &&
            memcmp(shape, view->shape, (size_t)view->rank * sizeof *shape) == 0 &&
            gather_by_kernels(p, array, array_elements(view));
    if (!*done)
        return true;
    const kjit_arg given = host_scalar(number), element = scalar_cast(&given, view->dtype);
    const HostValue operands[] = { mask, host_number(view->dtype, &element), host_object(array) };
    return expression_new(p, "%1 if %0 else %2", KJIT_DTYPE_NONE, view->dtype, operands,
                          ARRAY_COUNT(operands), &chosen) &&
           expression_store(p, chosen, array);
}

/* What is stored: a number, or an array of the elements' dtype that has other memory. */
static bool value_to_put(Gather *g, int rank, const int64_t *shape, bool kernels, HostValue *value)
{
    Program *p = g->program;
    const kjit_dtype dtype = g->array->view.dtype;
    HostArray *whole;
    if (host_is_number(*value) && !host_fits(p, *value, dtype))
        return false;
    if (kernels && host_is_number(*value))
        return true;
    if (!host_array_like(p, &g->array->view, rank, shape, false, false, &whole) ||
        !host_array_assign(p, whole, *value)) /* which it is broadcast to */
        return false;
    *value = host_object(whole);
    return true;
}

bool gather_put(Program *p, HostArray *array, HostValue index, HostValue value)
{
    Gather g;
    int64_t shape[2 * KJIT_RANK_MAX];
    bool kernels;
    if (!wide_as(p, array->view.dtype, &value) ||
        (host_is_number(value) && !host_fits(p, value, array->view.dtype)))
        return false;
    if (!put_number(p, array, index, value, &kernels) || kernels)
        return kernels && !p->failed;
    if (!flatten(p, &array, &index) || !gather_begin(&g, p, array, index))
        return false;
    int rank = gather_shape(&g, shape);
    if (!by_kernels(&g, rank, shape, &kernels) || !value_to_put(&g, rank, shape, kernels, &value))
        return false;
    if (array->view.flags & KJIT_READONLY)
        return host_fail(p, "ValueError", "assignment destination is read-only");
    if (kernels)
        return gather_put_by_kernels(&g, value);
    return host_array_read(p, value.array) && host_array_write(p, array) &&
           gather_copy(&g, &value.array->view, true);
}

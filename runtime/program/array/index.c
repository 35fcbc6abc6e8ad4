/* Elements and views of arrays: reading and storing. */
#include "runtime/program/arrays.h"
#include "runtime/program/fuse.h"

#include <string.h>

/* ---- basic indices -------------------------------------------------------------------------- */

static bool slice_part(Program *p, HostValue value, int64_t missing, int64_t *out)
{
    *out = missing;
    return value.kind == HOST_NONE || host_integer(p, value, out);
}

static bool as_slice(Program *p, HostValue index, kjit_slice *slice)
{
    *slice = (kjit_slice){ KJIT_SLICE_SPAN, KJIT_OMIT, KJIT_OMIT, 1 };
    if (index.kind == HOST_NONE)
        slice->kind = KJIT_SLICE_NEW_AXIS;
    else if (index.kind == HOST_ELLIPSIS)
        slice->kind = KJIT_SLICE_REST;
    else if (index.kind == HOST_SLICE)
        return slice_part(p, index.slice->parts[0], KJIT_OMIT, &slice->start) &&
               slice_part(p, index.slice->parts[1], KJIT_OMIT, &slice->stop) &&
               slice_part(p, index.slice->parts[2], 1, &slice->step);
    else if (host_is_integer(index))
        *slice = (kjit_slice){ KJIT_SLICE_AT, index.integer, 0, 0 };
    else
        return host_fail(p, "IndexError",
                         "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
                         "and integer or boolean arrays are valid indices");
    return true;
}

static bool check_index(Program *p, const kjit_array *array, const kjit_slice *slices, size_t count)
{
    int taken = 0, axis = 0;
    for (size_t i = 0; i < count; i++)
        taken += slices[i].kind == KJIT_SLICE_SPAN || slices[i].kind == KJIT_SLICE_AT;
    if (taken > array->rank)
        return host_fail(p, "IndexError",
                         "too many indices for array: array is %d-dimensional, but %d were "
                         "indexed",
                         array->rank, taken);
    for (size_t i = 0; i < count; i++) {
        if (slices[i].kind == KJIT_SLICE_REST)
            axis += array->rank - taken;
        if (slices[i].kind != KJIT_SLICE_SPAN && slices[i].kind != KJIT_SLICE_AT)
            continue;
        int64_t at = slices[i].start, length = array->shape[axis];
        if (slices[i].kind == KJIT_SLICE_AT && !index_wrap(&at, length))
            return host_fail(p, "IndexError",
                             "index %lld is out of bounds for axis %d with size %lld",
                             (long long)slices[i].start, axis, (long long)length);
        axis++;
    }
    return true;
}

/* The view that an index of integers, slices, None and ... takes. */
static bool view_of(Program *p, HostArray *array, HostValue index, kjit_array *view)
{
    kjit_slice slices[2 * KJIT_RANK_MAX];
    bool several = index.kind == HOST_TUPLE;
    size_t count = several ? index.list->count : 1;
    if (count > ARRAY_COUNT(slices))
        return host_fail(p, "IndexError", "too many indices for array");
    for (size_t i = 0; i < count; i++)
        if (!as_slice(p, several ? index.list->items[i] : index, &slices[i]))
            return false;
    if (!check_index(p, &array->view, slices, count))
        return false;
    kjit_status status = kjit_array_slice(&array->view, slices, count, view);
    return status == KJIT_OK || host_failed(p, status);
}

static bool is_element(const HostArray *array, HostValue index)
{
    size_t count = index.kind == HOST_TUPLE ? index.list->count : 1;
    if (count != (size_t)array->view.rank)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!host_is_integer(index.kind == HOST_TUPLE ? index.list->items[i] : index))
            return false;
    return true;
}

/* ---- indices that are arrays ---------------------------------------------------------------- */

static bool is_array(HostValue value)
{
    return value.kind == HOST_ARRAY || value.kind == HOST_EXPRESSION || value.kind == HOST_LIST;
}

/* Where the true elements of a mask are, or what a list of integers says, wrapped; all along the
** first axis, or with a mask of the array's own shape along the array as one row. */
static bool positions(Program *p, HostArray *array, HostValue index, HostArray **out, bool *mask)
{
    HostArray *given;
    int64_t count = 0, at = 0, index_of[KJIT_RANK_MAX] = { 0 };
    if (!host_array_from(p, index, KJIT_DTYPE_NONE, &given) || !host_array_read(p, given))
        return false;
    const kjit_array *view = &given->view;
    *mask = view->dtype == KJIT_DTYPE_BOOL;
    if (!*mask && !dtype_is_integer(view->dtype) && array_elements(view))
        return host_fail(p, "IndexError",
                         "arrays used as indices must be of integer (or boolean) "
                         "type");
    int64_t length = array_elements(view), limit = array->view.rank ? array->view.shape[0] : 0;
    for (int i = 0; *mask && i < view->rank; i++)
        if (i >= array->view.rank || view->shape[i] != array->view.shape[i])
            return host_fail(p, "IndexError",
                             "boolean index did not match indexed array along axis %d", i);
    if (*mask && view->rank > 1 && view->rank != array->view.rank)
        return host_fail(p, "NotImplementedError", "a mask has one axis, or as many as the array");
    for (int64_t i = 0; i < length; i++, index_next(view, index_of))
        count += !*mask || host_array_element(view, index_of).integer;
    if (!host_array_new(p, KJIT_DTYPE_INT64, 1, &count, false, out))
        return false;
    int64_t *to = (*out)->view.data;
    memset(index_of, 0, sizeof index_of);
    for (int64_t i = 0; i < length; i++, index_next(view, index_of)) {
        const HostValue element = host_array_element(view, index_of);
        int64_t position = *mask ? i : element.integer;
        if (*mask && !element.integer)
            continue;
        if (!*mask && !index_wrap(&position, limit))
            return host_fail(p, "IndexError",
                             "index %lld is out of bounds for axis 0 with size %lld",
                             (long long)element.integer, (long long)limit);
        to[at++] = position;
    }
    *mask = *mask && view->rank > 1;
    if (!*mask && view->rank != 1 && view->dtype != KJIT_DTYPE_BOOL)
        return host_fail(p, "NotImplementedError", "an array as an index has one axis");
    return true;
}

/* The array as rows that positions count: itself, or as one axis. */
static bool rows_of(Program *p, HostArray *array, bool flat, HostArray **out)
{
    const int64_t all = array_elements(&array->view);
    kjit_array view;
    *out = array;
    if (!flat)
        return true;
    if (kjit_array_reshape(&array->view, 1, &all, &view) != KJIT_OK)
        return host_fail(p, "NotImplementedError",
                         "a mask of several axes is for arrays that lie row by row: .copy() them");
    *out = host_array_of(p, array->block, &view);
    return true;
}

static kjit_array row_at(const kjit_array *view, int64_t at)
{
    kjit_array row = *view;
    row.data = (char *)view->data + at * view->strides[0];
    row.rank--;
    memmove(row.shape, row.shape + 1, (size_t)row.rank * sizeof *row.shape);
    memmove(row.strides, row.strides + 1, (size_t)row.rank * sizeof *row.strides);
    return row;
}

static bool take(Program *p, HostArray *array, HostValue index, HostValue *out)
{
    HostArray *where, *rows, *made;
    bool flat;
    int64_t shape[KJIT_RANK_MAX];
    if (!positions(p, array, index, &where, &flat) || !rows_of(p, array, flat, &rows) ||
        !host_array_read(p, rows))
        return false;
    memcpy(shape, rows->view.shape, sizeof shape);
    shape[0] = where->view.shape[0];
    if (!host_array_new(p, rows->view.dtype, rows->view.rank, shape, false, &made))
        return false;
    for (int64_t i = 0; i < shape[0]; i++) {
        const kjit_array from = row_at(&rows->view, ((int64_t *)where->view.data)[i]);
        const kjit_array to = row_at(&made->view, i);
        array_copy(&to, &from);
    }
    *out = host_object(made);
    return true;
}

static bool put(Program *p, HostArray *array, HostValue index, HostValue value)
{
    HostArray *where, *rows, *from = NULL;
    bool flat;
    if (!positions(p, array, index, &where, &flat) || !rows_of(p, array, flat, &rows) ||
        !host_array_write(p, rows))
        return false;
    int64_t count = where->view.shape[0];
    if (is_array(value)) {
        if (!host_array_from(p, value, rows->view.dtype, &from) ||
            (from->block == rows->block && !host_array_copy_as(p, from, from->view.dtype, &from)) ||
            !host_array_read(p, from))
            return false;
        if (from->view.rank != rows->view.rank || from->view.shape[0] != count)
            return host_fail(p, "ValueError",
                             "shape mismatch: value array cannot be broadcast to "
                             "the elements that the index takes");
    }
    for (int64_t i = 0; i < count; i++) {
        const kjit_array to = row_at(&rows->view, ((int64_t *)where->view.data)[i]);
        HostArray *row = host_array_of(p, rows->block, &to);
        const kjit_array part = from ? row_at(&from->view, i) : to;
        if (from)
            array_copy(&to, &part);
        else if (!host_array_assign(p, row, value))
            return false;
    }
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool host_array_index(Program *p, HostArray *array, HostValue index, HostValue *out)
{
    kjit_array view;
    if (index.kind == HOST_STRING) {
        kjit_status status = kjit_array_field(&array->view, index.string->text, &view);
        if (status != KJIT_OK)
            return host_failed(p, status);
        *out = host_object(host_array_of(p, array->block, &view));
        return true;
    }
    if (is_array(index))
        return take(p, array, index, out);
    if (!view_of(p, array, index, &view))
        return false;
    HostArray *part = host_array_of(p, array->block, &view);
    *out = host_object(part);
    if (!is_element(array, index) || !host_array_read(p, part))
        return !p->failed;
    *out = host_array_or_number(part);
    return true;
}

static bool assign_number(Program *p, HostArray *to, HostValue value)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    kjit_arg scalar = host_scalar(value);
    if (to->view.dtype == KJIT_DTYPE_RECORD)
        return host_fail(p, "NotImplementedError", "a record is assigned field by field");
    if (to->view.rank && array_elements(&to->view) > FUSE_LEAST)
        return expression_store(p, value, to);
    if (!host_array_write(p, to))
        return false;
    scalar = scalar_cast(&scalar, to->view.dtype);
    int64_t count = array_elements(&to->view);
    for (int64_t i = 0; i < count; i++) {
        char *at = to->view.data;
        for (int k = 0; k < to->view.rank; k++)
            at += index[k] * to->view.strides[k];
        scalar_store(&scalar, at);
        index_next(&to->view, index);
    }
    return true;
}

bool host_array_assign(Program *p, HostArray *to, HostValue value)
{
    HostArray *from;
    if (host_is_number(value))
        return host_fits(p, value, to->view.dtype) && assign_number(p, to, value);
    if (value.kind == HOST_LIST || value.kind == HOST_TUPLE || value.kind == HOST_RANGE) {
        if (!host_array_from(p, value, to->view.dtype, &from))
            return false;
        value = host_object(from);
    }
    if (value.kind != HOST_ARRAY && value.kind != HOST_EXPRESSION)
        return host_fail(p, "TypeError", "an array holds numbers, not '%s'",
                         host_type_name(p, value));
    return expression_store(p, value, to);
}

bool host_array_set_index(Program *p, HostArray *array, HostValue index, HostValue value)
{
    kjit_array view;
    if (is_array(index))
        return put(p, array, index, value);
    if (index.kind == HOST_STRING) {
        kjit_status status = kjit_array_field(&array->view, index.string->text, &view);
        if (status != KJIT_OK)
            return host_failed(p, status);
    } else if (!view_of(p, array, index, &view)) {
        return false;
    }
    view.flags |= array->view.flags & KJIT_READONLY;
    return host_array_assign(p, host_array_of(p, array->block, &view), value);
}

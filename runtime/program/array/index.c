/* Elements and views of arrays: reading and storing. */
#include "runtime/program/arrays.h"
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

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

/* ---- all of them ---------------------------------------------------------------------------- */

bool host_array_index(Program *p, HostArray *array, HostValue index, HostValue *out)
{
    kjit_array view;
    if (index.kind == HOST_STRING) {
        kjit_status status = kjit_array_field(&array->view, index.string->text, &view);
        if (status != KJIT_OK)
            return host_failed(p, status);
        HostArray *field = host_array_of(p, array->block, &view);
        *out = host_object(field);
        if (!view.rank && record_is_text(&view))
            return host_array_read_one(p, field) && record_as_text(p, &view, out);
        if (view.rank || !dtype_has_numbers(view.dtype))
            return true;
        if (!host_array_read_one(p, field))
            return false;
        return host_give(out, host_array_or_number(field));
    }
    if (gather_is(index))
        return host_gather_take(p, array, index, out);
    if (!view_of(p, array, index, &view))
        return false;
    HostArray *part = host_array_of(p, array->block, &view);
    *out = host_object(part);
    if (!view.rank && record_is_text(&view))
        return host_array_read_one(p, part) && record_as_text(p, &view, out);
    if (!is_element(array, index) || !host_array_read_one(p, part))
        return !p->failed;
    return host_give(out, host_array_or_number(part));
}

static bool assign_number(Program *p, HostArray *to, HostValue value)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    kjit_arg scalar = host_scalar(value);
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
    const bool like = value.kind == HOST_ARRAY && value.array->view.dtype == KJIT_DTYPE_RECORD;
    if (like)
        return record_copy(p, value.array, to);
    if (to->view.dtype == KJIT_DTYPE_RECORD)
        return record_assign(p, to, value);
    if (!wide_as(p, to->view.dtype, &value))
        return false;
    if (host_is_number(value))
        return host_fits(p, value, to->view.dtype) && assign_number(p, to, value);
    if (value.kind == HOST_LIST || value.kind == HOST_TUPLE || value.kind == HOST_RANGE) {
        if (!host_array_from(p, value, to->view.dtype, &from))
            return false;
        value = host_object(from);
    }
    if (value.kind != HOST_ARRAY && value.kind != HOST_EXPRESSION)
        return host_lacks(p, "TypeError", "an array holds numbers, not '%s'",
                          host_type_name(p, value));
    return expression_store(p, value, to);
}

bool host_array_set_index(Program *p, HostArray *array, HostValue index, HostValue value)
{
    kjit_array view;
    if (gather_is(index))
        return gather_put(p, array, index, value);
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

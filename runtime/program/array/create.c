/* Arrays made like others, of lists and of parts; what fills them is in make.c. */
#include "runtime/array/array.h"
#include "runtime/many/group.h"
#include "runtime/program/arrays.h"

/* ---- like others ---------------------------------------------------------------------------- */

static bool like(Program *p, const HostArgs *args, HostArray **out)
{
    HostArray *array;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
        return false;
    const HostValue dtype = args_get(args, SIZE_MAX, "dtype", host_none());
    kjit_array element = array->view;
    char layout;
    if (dtype.kind != HOST_NONE)
        element.record = NULL;
    return (dtype.kind == HOST_NONE || element_from(p, dtype, &element)) &&
           host_array_layout(p, args, SIZE_MAX, 'K', &array->view, &layout) &&
           host_array_new_like(p, &element, &array->view, layout, out);
}

/* zeros_like(), ones_like(), full_like(). */
static bool filled_like(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue *value = args->builtin->with;
    const HostValue fill = value ? *value : args->values[1];
    HostArray *array;
    if (!like(p, args, &array))
        return false;
    *out = host_object(array);
    return fill.kind == HOST_NONE || host_array_assign(p, array, fill);
}

static bool empty_like(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    if (!like(p, args, &array))
        return false;
    array->block->unwritten = true;
    array->block->of_device = strncmp(args->builtin->name, "cuda.", 5) == 0;
    return host_give(out, host_object(array));
}

/* ---- of lists and arrays -------------------------------------------------------------------- */

static bool of_object(Program *p, HostValue object, HostValue dtype, HostArray **out)
{
    kjit_array element = { .dtype = KJIT_DTYPE_NONE };
    if (!element_from(p, dtype, &element))
        return false;
    if (element.dtype != KJIT_DTYPE_RECORD)
        return host_array_from(p, object, element.dtype, out);
    if (object.kind != HOST_ARRAY)
        return record_array(p, object, &element, out);
    HostArray *from = object.array;
    if (from->view.dtype == KJIT_DTYPE_RECORD &&
        !dtype_same_record(from->view.record, element.record))
        return host_array_like(p, &element, from->view.rank, from->view.shape, false, false, out) &&
               record_copy(p, from, *out);
    return host_array_from(p, object, element.dtype, out);
}

/* Axes of one element in front of its own, until there are `least`. */
static bool with_axes(Program *p, HostArray *array, HostValue least, HostValue *out)
{
    int64_t wanted;
    kjit_array view = array->view;
    if (!host_integer(p, least, &wanted))
        return false;
    if (wanted > KJIT_RANK_MAX)
        return host_lacks(p, "ValueError", "an array has %d axes at the most", KJIT_RANK_MAX);
    for (; view.rank < wanted; view.rank++) {
        memmove(view.shape + 1, view.shape, (size_t)view.rank * sizeof *view.shape);
        memmove(view.strides + 1, view.strides, (size_t)view.rank * sizeof *view.strides);
        view.shape[0] = 1;
        view.strides[0] = (int64_t)array_item_bytes(&view);
    }
    return host_give(
        out,
        host_object(view.rank == array->view.rank ? array : host_array_of(p, array->block, &view)));
}

static bool from_list(Program *p, HostArgs *args, bool copies, HostValue *out)
{
    HostArray *array;
    const HostValue object = args_get(args, 0, "object", host_none());
    if (!of_object(p, object, args_get(args, 1, "dtype", host_none()), &array))
        return false;
    bool same = object.kind == HOST_ARRAY && object.array == array, asked = true;
    char layout;
    if (!host_array_layout(p, args, 2, 'K', &array->view, &layout) ||
        !host_truth(p, args_get(args, SIZE_MAX, "copy", host_bool(copies)), &asked))
        return false;
    const bool laid = layout == 'K' || kjit_array_is_contiguous(&array->view, layout == 'F');
    if (((same && asked) || !laid) &&
        !host_array_copy_in(p, array, array->view.dtype, layout, &array))
        return false;
    return with_axes(p, array, args_get(args, SIZE_MAX, "ndmin", host_int(0)), out);
}

static bool np_array(Program *p, HostArgs *args, HostValue *out)
{
    return from_list(p, args, true, out);
}

static bool np_asarray(Program *p, HostArgs *args, HostValue *out)
{
    return from_list(p, args, false, out);
}

/* The array itself, if its elements lie side by side, in rows or in columns. */
static bool np_contiguous(Program *p, HostArgs *args, HostValue *out)
{
    const bool columns = strcmp(args->builtin->name, "np.asfortranarray") == 0;
    const HostValue dtype = args_get(args, 1, "dtype", host_none());
    HostValue values[] = { args->values[0], dtype, host_text(p, columns ? "F" : "C") };
    HostArgs call = { .values = values, .count = ARRAY_COUNT(values) };
    return from_list(p, &call, false, out);
}

static bool np_eye(Program *p, HostArgs *args, HostValue *out)
{
    int64_t shape[2], above;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;
    HostArray *array;
    HostValue columns = args_get(args, 1, "M", host_none());
    if (columns.kind == HOST_NONE)
        columns = args->values[0];
    if (!host_integer(p, args->values[0], &shape[0]) || !host_integer(p, columns, &shape[1]) ||
        !host_integer(p, args_get(args, 2, "k", host_int(0)), &above) ||
        !dtype_from(p, args_get(args, 3, "dtype", host_none()), &dtype))
        return false;
    if (!host_array_new(p, dtype, 2, shape, true, &array))
        return false;
    kjit_arg one = kjit_arg_int64(1);
    one = scalar_cast(&one, dtype);
    for (int64_t row = 0; row < shape[0]; row++)
        if (row + above >= 0 && row + above < shape[1])
            scalar_store(&one, (char *)array->view.data + row * array->view.strides[0] +
                                   (row + above) * array->view.strides[1]);
    return host_give(out, host_object(array));
}

static bool np_identity(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs call = *args;
    call.count = 1;
    return np_eye(p, &call, out);
}

/* What is joined, as arrays that differ along the axis alone; their dtype and the whole's shape. */
static bool measure_parts(Program *p, HostList *parts, int64_t *axis, kjit_dtype *dtype,
                          int64_t *shape)
{
    int64_t total = 0;
    for (size_t i = 0; i < parts->count; i++) {
        HostArray *array;
        if (!host_array_from(p, parts->items[i], KJIT_DTYPE_NONE, &array))
            return false;
        parts->items[i] = host_object(array);
        const kjit_array *view = &array->view, *first = &parts->items[0].array->view;
        if (!view->rank)
            return host_fail(p, "ValueError", "zero-dimensional arrays cannot be concatenated");
        if (!i && !index_wrap(axis, view->rank))
            return host_fail(p, "numpy.exceptions.AxisError",
                             "axis %lld is out of bounds for array of dimension %d",
                             (long long)*axis, view->rank);
        for (int k = 0; k < view->rank || k < first->rank; k++)
            if (view->rank != first->rank || (k != *axis && view->shape[k] != first->shape[k]))
                return host_fail(p, "ValueError",
                                 "all the input array dimensions except for the concatenation "
                                 "axis must match exactly");
        *dtype = i ? dtype_promote(*dtype, view->dtype) : view->dtype;
        total += view->shape[*axis];
    }
    memcpy(shape, parts->items[0].array->view.shape, KJIT_RANK_MAX * sizeof *shape);
    shape[*axis] = total;
    return true;
}

static bool np_concatenate(Program *p, HostArgs *args, HostValue *out)
{
    HostValue parts, along = args_get(args, 1, "axis", host_int(0));
    int64_t shape[KJIT_RANK_MAX], at = 0, axis = 0;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    HostArray *made;
    if (!host_collect(p, HOST_LIST, args->values[0], &parts))
        return false;
    if (!parts.list->count)
        return host_fail(p, "ValueError", "need at least one array to concatenate");
    bool flat = along.kind == HOST_NONE;
    for (size_t i = 0; flat && i < parts.list->count; i++) {
        HostValue ravel;
        HostArgs one = { .values = &parts.list->items[i], .count = 1 };
        if (!module_path(p, "np.ravel", &ravel) ||
            !host_call(p, ravel, &one, &parts.list->items[i]))
            return false;
    }
    if ((!flat && !host_integer(p, along, &axis)) ||
        !measure_parts(p, parts.list, &axis, &dtype, shape) ||
        !host_array_new(p, dtype, parts.list->items[0].array->view.rank, shape, false, &made))
        return false;
    for (size_t i = 0; i < parts.list->count; i++) {
        int64_t length = parts.list->items[i].array->view.shape[axis];
        kjit_array view = made->view;
        view.shape[axis] = length;
        view.data = (char *)view.data + at * view.strides[axis];
        if (!host_array_assign(p, host_array_of(p, made->block, &view), parts.list->items[i]))
            return false;
        at += length;
    }
    return host_give(out, host_object(made));
}

static bool np_save(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    HostValue opened;
    const char *name;
    if (object_has(args->values[0], "write") && !p->group)
        return modules_find(p, "np._save_opened", &opened) && host_call(p, opened, args, out);
    if (!path_text(p, args->values[0], &name) ||
        !host_array_from(p, args->values[1], KJIT_DTYPE_NONE, &array) ||
        (!array->block->spread && !host_array_read(p, array)))
        return false;
    const char *dot = strrchr(name, '.');
    /* NumPy's save() makes an .npy of any name; the language's own takes pictures, too. */
    const bool whole = (dot && strcmp(dot, ".npy") == 0) ||
                       (picture_is_named(name) && strcmp(args->builtin->name, "save") == 0);
    const char *path = whole ? name : arena_printf(&p->scratch, "%s.npy", name);
    kjit_status status =
        p->group ? group_save(p->group, path, &array->view) : kjit_save_array(path, &array->view);
    return status == KJIT_OK || host_failed(p, status);
}

static const HostValue zeroed = { .kind = HOST_NONE }, one = { .kind = HOST_INT, .integer = 1 };

const HostBuiltin create_functions[] = {
    { "np.zeros_like", 1, 1, filled_like, "dtype order", &zeroed },
    { "np.ones_like", 1, 1, filled_like, "dtype order", &one },
    { "np.empty_like", 1, 1, empty_like, "dtype order" },
    { "np.full_like", 2, 2, filled_like, "dtype order" },
    { "cuda.device_array_like", 1, 2, empty_like, "stream" },
    { "cuda.pinned_array_like", 1, 2, empty_like, NULL },
    { "cuda.mapped_array_like", 1, 2, empty_like, NULL },
    { "np.array", 1, 2, np_array, "object dtype copy order ndmin" },
    { "np.asarray", 1, 3, np_asarray, "dtype order copy" },
    { "np.ascontiguousarray", 1, 2, np_contiguous, "dtype" },
    { "np.asfortranarray", 1, 2, np_contiguous, "dtype" },
    { "np.copy", 1, 1, np_array, "order" },
    { "np.eye", 1, 4, np_eye, "M k dtype" },
    { "np.identity", 1, 2, np_identity, "dtype" },
    { "np.concatenate", 1, 2, np_concatenate, "axis" },
    { "np.save", 2, 2, np_save, NULL },
    { "save", 2, 2, np_save, NULL },
    { NULL, 0, 0, NULL, NULL },
};

/* What goes along an axis one element after the other: sorting, running sums; and counting. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

#include <stdlib.h>
#include <string.h>

/* What is made of one row along the axis. */
typedef bool AlongRow(Program *p, const kjit_array *from, const kjit_array *to);

/* The row of an array at a place of the other axes. */
static kjit_array row_at(const kjit_array *view, const int64_t *index, int axis)
{
    kjit_array row = *view;
    for (int k = 0; k < view->rank; k++)
        if (k != axis)
            row.data = (char *)row.data + index[k] * view->strides[k];
    row.rank = 1;
    row.shape[0] = view->shape[axis];
    row.strides[0] = view->strides[axis];
    return row;
}

static bool each_row(Program *p, const kjit_array *from, const kjit_array *to, int axis,
                     AlongRow *make)
{
    kjit_array places = *from;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    places.shape[axis] = 1;
    for (int64_t i = 0, n = array_elements(&places); i < n; i++, index_next(&places, index)) {
        const kjit_array row = row_at(from, index, axis), made = row_at(to, index, axis);
        if (!make(p, &row, &made))
            return false;
    }
    return true;
}

/* Along the axis that is given, the last one without; None is all of the array as one row. */
static bool along(Program *p, HostArgs *args, int otherwise, kjit_dtype dtype, AlongRow *make,
                  HostValue *out)
{
    HostArray *array, *made;
    HostValue given = args_get(args, 1, "axis", otherwise < 0 ? host_int(-1) : host_none());
    int64_t axis = -1;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) || !host_array_read(p, array))
        return false;
    if (given.kind == HOST_NONE && array->view.rank != 1) {
        const int64_t count = array_elements(&array->view);
        if (!host_array_copy_as(p, array, array->view.dtype, &array))
            return false;
        const kjit_array flat = kjit_host_array(array->view.data, array->view.dtype, 1, &count);
        array = host_array_of(p, array->block, &flat);
    } else if (given.kind != HOST_NONE && !host_integer(p, given, &axis)) {
        return false;
    }
    if (!index_wrap(&axis, array->view.rank))
        return host_fail(p, "AxisError", "axis %lld is out of bounds for array of dimension %d",
                         (long long)axis, array->view.rank);
    dtype = dtype == KJIT_DTYPE_NONE ? array->view.dtype : dtype;
    if (!host_array_new(p, dtype, array->view.rank, array->view.shape, false, &made))
        return false;
    *out = host_object(made);
    return !array_elements(&made->view) || each_row(p, &array->view, &made->view, (int)axis, make);
}

static void store_at(const kjit_array *row, int64_t at, const kjit_arg *scalar)
{
    const kjit_arg cast = scalar_cast(scalar, row->dtype);
    scalar_store(&cast, (char *)row->data + at * row->strides[0]);
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* What is sorted: numbers with the places that they had. NaN goes to the end. */
typedef struct Placed {
    HostValue value;
    int64_t place;
} Placed;

static int by_value(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    int order;
    if (dtype_is_float(x->value.dtype)) {
        double v = x->value.number, w = y->value.number;
        order = v != v || w != w ? (v != v) - (w != w) : v < w ? -1 : v > w;
    } else if (x->value.dtype == KJIT_DTYPE_UINT64) {
        uint64_t v = (uint64_t)x->value.integer, w = (uint64_t)y->value.integer;
        order = v < w ? -1 : v > w;
    } else {
        order = x->value.integer < y->value.integer ? -1 : x->value.integer > y->value.integer;
    }
    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

static bool sort_row(Program *p, const kjit_array *from, const kjit_array *to, bool places)
{
    size_t count = (size_t)from->shape[0];
    Placed *items = memory_zeroed(count + 1, sizeof *items);
    if (!items)
        arena_give_up(p->arena);
    for (int64_t i = 0; i < (int64_t)count; i++)
        items[i] = (Placed){ host_array_element(from, &i), i };
    qsort(items, count, sizeof *items, by_value);
    for (size_t i = 0; i < count; i++) {
        const kjit_arg scalar =
            places ? kjit_arg_int64(items[i].place) : host_scalar(items[i].value);
        store_at(to, (int64_t)i, &scalar);
    }
    memory_free(items);
    return true;
}

static bool sorted_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    return sort_row(p, from, to, false);
}

static bool places_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    return sort_row(p, from, to, true);
}

/* Sorts along an axis, or finds the places. */
static bool sorting(Program *p, HostArgs *args, kjit_dtype dtype, AlongRow *make, HostValue *out)
{
    HostValue value = args->values[0];
    if (!numpy_operand(p, &value))
        return false;
    if (dtype_is_complex(operand_dtype(value)))
        return host_fail(p, "NotImplementedError",
                         "complex numbers have no order here: take abs() or a part of them");
    return along(p, args, -1, dtype, make, out);
}

static bool np_sort(Program *p, HostArgs *args, HostValue *out)
{
    return sorting(p, args, KJIT_DTYPE_NONE, sorted_row, out);
}

static bool np_argsort(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    int64_t shape[KJIT_RANK_MAX] = { 1 };
    HostArray *made;
    if (!numpy_operand(p, &value))
        return false;
    if (operand_shape(value, shape) == 0) { /* one element, at its place */
        shape[0] = 1;
        if (!host_array_new(p, KJIT_DTYPE_INT64, 1, shape, true, &made))
            return false;
        *out = host_object(made);
        return true;
    }
    return sorting(p, args, KJIT_DTYPE_INT64, places_row, out);
}

static bool method_sort(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs call = { .values = &args->self,
                      .count = 1,
                      .names = args->names,
                      .named = args->named,
                      .named_count = args->named_count };
    HostValue made;
    (void)out;
    return np_sort(p, &call, &made) && host_array_assign(p, args->self.array, made);
}

/* ---- running sums --------------------------------------------------------------------------- */

static bool run_row(Program *p, const kjit_array *from, const kjit_array *to, AstOp op)
{
    HostValue total = host_none();
    for (int64_t i = 0; i < from->shape[0]; i++) {
        HostValue value = host_array_element(from, &i);
        if (!numpy_cast(p, to->dtype, &value) || (i && !host_binary(p, op, total, value, &value)))
            return false;
        total = value;
        const kjit_arg scalar = host_scalar(total);
        store_at(to, i, &scalar);
    }
    return true;
}

static bool sums_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    return run_row(p, from, to, AST_ADD);
}

static bool products_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    return run_row(p, from, to, AST_MUL);
}

static bool running(Program *p, HostArgs *args, AlongRow *make, HostValue *out)
{
    HostValue value = args->values[0];
    kjit_dtype given = KJIT_DTYPE_NONE;
    if (!numpy_operand(p, &value) ||
        !dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &given))
        return false;
    kjit_dtype dtype = operand_dtype(value);
    bool natural = dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64;
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype))
        dtype = natural ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
    return along(p, args, 0, given == KJIT_DTYPE_NONE ? dtype : given, make, out);
}

static bool np_cumsum(Program *p, HostArgs *args, HostValue *out)
{
    return running(p, args, sums_row, out);
}

static bool np_cumprod(Program *p, HostArgs *args, HostValue *out)
{
    return running(p, args, products_row, out);
}

/* ---- counting ------------------------------------------------------------------------------- */

static bool count_of(Program *p, const HostArgs *args, HostArray *array, int64_t *count)
{
    int64_t most = -1, least = 0;
    if (!host_integer(p, args_get(args, SIZE_MAX, "minlength", host_int(0)), &least))
        return false;
    if (!dtype_is_integer(array->view.dtype) && array_elements(&array->view))
        return host_fail(p, "TypeError",
                         "Cannot cast array data from dtype('%s') to dtype('int64') according to "
                         "the rule 'safe'",
                         kjit_dtype_name(array->view.dtype));
    for (int64_t i = 0; i < array->view.shape[0]; i++) {
        int64_t value = host_array_element(&array->view, &i).integer;
        if (value < 0)
            return host_fail(p, "ValueError", "'list' argument must have no negative elements");
        most = value > most ? value : most;
    }
    *count = most + 1 > least ? most + 1 : least;
    return *count < HOST_ITEMS_MOST ||
           host_fail(p, "MemoryError", "%lld bins are too many", (long long)*count);
}

static bool np_bincount(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array, *made, *weights = NULL;
    int64_t count;
    const HostValue weigh = args_get(args, 1, "weights", host_none());
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) || !host_array_read(p, array))
        return false;
    if (array->view.rank != 1)
        return host_fail(p, "ValueError", "object of too small depth for desired array");
    if (weigh.kind != HOST_NONE &&
        (!host_array_from(p, weigh, KJIT_DTYPE_NONE, &weights) || !host_array_read(p, weights)))
        return false;
    if (weights && (weights->view.rank != 1 || weights->view.shape[0] != array->view.shape[0]))
        return host_fail(p, "ValueError", "The weights and list don't have the same length.");
    if (!count_of(p, args, array, &count) ||
        !host_array_new(p, weights ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_INT64, 1, &count, true, &made))
        return false;
    for (int64_t i = 0; i < array->view.shape[0]; i++) {
        int64_t at = host_array_element(&array->view, &i).integer;
        if (weights)
            ((double *)made->view.data)[at] +=
                host_as_double(host_array_element(&weights->view, &i));
        else
            ((int64_t *)made->view.data)[at]++;
    }
    *out = host_object(made);
    return true;
}

const HostBuiltin order_functions[] = {
    { "array.sort", 0, 0, method_sort, "axis kind" },
    { "np.sort", 1, 2, np_sort, "axis kind" },
    { "np.argsort", 1, 2, np_argsort, "axis kind" },
    { "np.cumsum", 1, 2, np_cumsum, "axis dtype" },
    { "np.cumprod", 1, 2, np_cumprod, "axis dtype" },
    { "np.bincount", 1, 2, np_bincount, "weights minlength" },
    { NULL, 0, 0, NULL, NULL },
};

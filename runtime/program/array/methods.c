/* Methods of arrays, and NumPy's functions that give views or other orders of elements. */
#include "runtime/program/fuse.h"

#include <stdlib.h>
#include <string.h>

static bool give_view(Program *p, HostArray *array, kjit_status status, const kjit_array *view,
                      HostValue *out)
{
    if (status != KJIT_OK)
        return host_failed(p, status);
    *out = host_object(host_array_of(p, array->block, view));
    return true;
}

/* A view where that can be, else of a copy. */
static bool reshaped(Program *p, HostArray *array, int rank, const int64_t *shape, HostValue *out)
{
    kjit_array view;
    int64_t fitted[KJIT_RANK_MAX];
    if (rank)
        memcpy(fitted, shape, (size_t)rank * sizeof *shape);
    if (!shape_fit(fitted, rank, array_elements(&array->view))) {
        Buf text;
        buf_init(&text, &p->scratch);
        host_str(p, &text, shape_value(p, rank, shape));
        Buf plain;
        buf_init(&plain, &p->scratch);
        for (const char *at = buf_text(&text); *at; at++)
            if (*at != ' ')
                buf_putc(&plain, *at);
        return host_fail(p, "ValueError", "cannot reshape array of size %lld into shape %s",
                         (long long)array_elements(&array->view), buf_text(&plain));
    }
    if (kjit_array_reshape(&array->view, rank, fitted, &view) != KJIT_OK) {
        if (!host_array_copy_as(p, array, array->view.dtype, &array))
            return false;
        kjit_array_reshape(&array->view, rank, fitted, &view);
    }
    *out = host_object(host_array_of(p, array->block, &view));
    return true;
}

static bool own_array(Program *p, HostArgs *args, HostArray **out)
{
    return host_array_from(p, args->self, KJIT_DTYPE_NONE, out);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static bool method_reshape(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    HostValue given = args->values[0];
    if (args->count > 1)
        given = host_items(p, HOST_TUPLE, args->values, args->count);
    return own_array(p, args, &array) && shape_from(p, given, shape, &rank) &&
           reshaped(p, array, rank, shape, out);
}

static bool np_reshape(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs method = { .self = args->values[0], .values = args->values + 1, .count = 1 };
    return method_reshape(p, &method, out);
}

static bool method_ravel(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    const int64_t all = -1;
    return own_array(p, args, &array) && reshaped(p, array, 1, &all, out);
}

static bool method_flatten(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    const int64_t all = -1;
    return own_array(p, args, &array) && host_array_copy_as(p, array, array->view.dtype, &array) &&
           reshaped(p, array, 1, &all, out);
}

static bool np_ravel(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs method = { .self = args->values[0] };
    return method_ravel(p, &method, out);
}

static bool method_transpose(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    kjit_array view;
    int32_t axes[KJIT_RANK_MAX];
    int64_t given[KJIT_RANK_MAX];
    int rank = 0;
    HostValue list =
        args->count == 1 ? args->values[0] : host_items(p, HOST_TUPLE, args->values, args->count);
    if (!own_array(p, args, &array) || !shape_from(p, list, given, &rank))
        return false;
    for (int i = 0; i < rank; i++)
        axes[i] = (int32_t)given[i];
    if (rank && rank != array->view.rank)
        return host_fail(p, "ValueError", "axes don't match array");
    kjit_status status = kjit_array_transpose(&array->view, rank ? axes : NULL, &view);
    return give_view(p, array, status, &view, out);
}

static bool np_transpose(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs method = { .self = args->values[0],
                        .values = args->values + 1,
                        .count = args->count - 1 };
    return method_transpose(p, &method, out);
}

static bool method_squeeze(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    kjit_array view;
    if (!own_array(p, args, &array))
        return false;
    kjit_status status = kjit_array_squeeze(&array->view, NULL, 0, &view);
    return give_view(p, array, status, &view, out);
}

/* ---- copies --------------------------------------------------------------------------------- */

static bool method_copy(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    if (!own_array(p, args, &array) || !host_array_copy_as(p, array, array->view.dtype, &array))
        return false;
    *out = host_object(array);
    return true;
}

static bool method_astype(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    HostValue cast;
    if (!dtype_from(p, args->values[0], &dtype) || !own_array(p, args, &array))
        return false;
    if (array_elements(&array->view) <= FUSE_LEAST) {
        if (!host_array_copy_as(p, array, dtype, &array))
            return false;
        *out = host_object(array);
        return true;
    }
    HostValue value = host_object(array);
    if (!expression_new(p, "%0", dtype, dtype, &value, 1, &cast))
        return false;
    *out = cast;
    return true;
}

static bool method_fill(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    (void)out;
    return own_array(p, args, &array) && host_array_assign(p, array, args->values[0]);
}

static HostValue plain(HostValue number)
{
    return number.dtype == KJIT_DTYPE_BOOL ? host_bool(number.integer)
           : dtype_is_float(number.dtype)  ? host_float(number.number)
                                           : host_int(number.integer);
}

static bool method_item(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (host_is_number(args->self)) {
        *out = plain(args->self);
        return true;
    }
    if (!own_array(p, args, &array) || !host_array_read(p, array))
        return false;
    if (args->count) {
        if (!host_array_index(p, array, args->values[0], out))
            return false;
        *out = plain(*out);
        return true;
    }
    if (array_elements(&array->view) != 1)
        return host_fail(p, "ValueError", "can only convert an array of size 1 to a Python scalar");
    *out = plain(host_array_element(&array->view, index));
    return true;
}

bool host_array_list(Program *p, HostArray *array, HostValue *out)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (!array->view.rank) {
        *out = plain(host_array_element(&array->view, index));
        return true;
    }
    *out = host_items(p, HOST_LIST, NULL, 0);
    for (int64_t i = 0; i < array->view.shape[0]; i++) {
        const kjit_slice slice[] = { KJIT_AT(i) };
        kjit_array view;
        HostValue item;
        kjit_array_slice(&array->view, slice, 1, &view);
        if (!host_array_list(p, host_array_of(p, array->block, &view), &item))
            return false;
        host_append(p, out->list, item);
    }
    return true;
}

static bool method_tolist(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    return own_array(p, args, &array) && host_array_read(p, array) &&
           host_array_list(p, array, out);
}

/* ---- orders --------------------------------------------------------------------------------- */

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

static bool one_axis(Program *p, HostArray *array)
{
    return array->view.rank == 1 || host_fail(p, "NotImplementedError",
                                              "this is for arrays of one axis: take them row by "
                                              "row");
}

static bool sorted(Program *p, HostArray *array, bool places, HostArray **out)
{
    if (!one_axis(p, array) || !host_array_read(p, array))
        return false;
    size_t count = (size_t)array->view.shape[0];
    Placed *items = memory_zeroed(count + 1, sizeof *items);
    if (!items)
        arena_give_up(p->arena);
    for (int64_t i = 0; i < (int64_t)count; i++)
        items[i] = (Placed){ host_array_element(&array->view, &i), i };
    qsort(items, count, sizeof *items, by_value);
    kjit_dtype dtype = places ? KJIT_DTYPE_INT64 : array->view.dtype;
    bool fine = host_array_new(p, dtype, 1, array->view.shape, false, out);
    for (size_t i = 0; fine && i < count; i++) {
        const kjit_arg scalar =
            places ? kjit_arg_int64(items[i].place) : host_scalar(items[i].value);
        scalar_store(&scalar, (char *)(*out)->view.data + i * kjit_dtype_bytes(dtype));
    }
    memory_free(items);
    return fine;
}

static bool sort_as(Program *p, HostArgs *args, bool places, HostValue *out)
{
    HostArray *array, *made;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) ||
        !sorted(p, array, places, &made))
        return false;
    *out = host_object(made);
    return true;
}

static bool np_sort(Program *p, HostArgs *args, HostValue *out)
{
    return sort_as(p, args, false, out);
}

static bool np_argsort(Program *p, HostArgs *args, HostValue *out)
{
    return sort_as(p, args, true, out);
}

static bool method_sort(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array, *made;
    (void)out;
    return own_array(p, args, &array) && sorted(p, array, false, &made) &&
           host_array_assign(p, array, host_object(made));
}

static bool np_cumsum(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array, *made;
    HostValue total = host_int(0);
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) || !one_axis(p, array) ||
        !host_array_read(p, array))
        return false;
    bool floats = dtype_is_float(array->view.dtype);
    bool natural = array->view.dtype >= KJIT_DTYPE_UINT8 && array->view.dtype <= KJIT_DTYPE_UINT64;
    kjit_dtype dtype = floats ? array->view.dtype : natural ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
    if (!host_array_new(p, dtype, 1, array->view.shape, false, &made))
        return false;
    total = (HostValue){ .kind = HOST_NUMBER, .dtype = dtype };
    for (int64_t i = 0; i < array->view.shape[0]; i++) {
        if (!host_binary(p, AST_ADD, total, host_array_element(&array->view, &i), &total))
            return false;
        kjit_arg scalar = host_scalar(total);
        scalar = scalar_cast(&scalar, dtype);
        scalar_store(&scalar, (char *)made->view.data + (size_t)i * kjit_dtype_bytes(dtype));
    }
    *out = host_object(made);
    return true;
}

static bool np_bincount(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array, *made;
    int64_t most = -1, least = 0;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) || !one_axis(p, array) ||
        !host_array_read(p, array) ||
        !host_integer(p, args_get(args, SIZE_MAX, "minlength", host_int(0)), &least))
        return false;
    if (!dtype_is_integer(array->view.dtype))
        return host_fail(p, "TypeError", "bincount counts integers");
    for (int64_t i = 0; i < array->view.shape[0]; i++) {
        int64_t value = host_array_element(&array->view, &i).integer;
        if (value < 0)
            return host_fail(p, "ValueError", "'list' argument must have no negative elements");
        most = value > most ? value : most;
    }
    most = most + 1 > least ? most + 1 : least;
    if (!host_array_new(p, KJIT_DTYPE_INT64, 1, &most, true, &made))
        return false;
    for (int64_t i = 0; i < array->view.shape[0]; i++)
        ((int64_t *)made->view.data)[host_array_element(&array->view, &i).integer]++;
    *out = host_object(made);
    return true;
}

/* ---- methods that are functions ------------------------------------------------------------- */

/* x.sum(axis=0) is np.sum(x, axis=0). */
static bool as_function(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs call = *args;
    HostValue function, values = host_items(p, HOST_LIST, &args->self, 1);
    const char *path = arena_printf(&p->scratch, "np.%s", args->builtin->name + strlen("array."));
    for (size_t i = 0; i < args->count; i++)
        host_append(p, values.list, args->values[i]);
    call.values = values.list->items;
    call.count = values.list->count;
    return module_path(p, path, &function) && host_call(p, function, &call, out);
}

#define FUNCTION(name, most, keywords)                                                             \
    {                                                                                              \
        "array." name, 0, most, as_function, keywords                                              \
    }

const HostBuiltin array_methods[] = {
    FUNCTION("sum", 1, "axis dtype keepdims"),
    FUNCTION("prod", 1, "axis dtype keepdims"),
    FUNCTION("min", 1, "axis keepdims"),
    FUNCTION("max", 1, "axis keepdims"),
    FUNCTION("any", 1, "axis keepdims"),
    FUNCTION("all", 1, "axis keepdims"),
    FUNCTION("mean", 1, "axis keepdims"),
    FUNCTION("var", 1, "axis keepdims"),
    FUNCTION("std", 1, "axis keepdims"),
    FUNCTION("argmin", 1, "axis"),
    FUNCTION("argmax", 1, "axis"),
    FUNCTION("dot", 1, NULL),
    FUNCTION("clip", 2, NULL),
    FUNCTION("cumsum", 0, NULL),
    FUNCTION("argsort", 0, NULL),
    { "array.reshape", 1, KJIT_RANK_MAX, method_reshape, NULL },
    { "array.ravel", 0, 0, method_ravel, NULL },
    { "array.flatten", 0, 0, method_flatten, NULL },
    { "array.transpose", 0, KJIT_RANK_MAX, method_transpose, NULL },
    { "array.squeeze", 0, 0, method_squeeze, NULL },
    { "array.copy", 0, 0, method_copy, NULL },
    { "array.astype", 1, 1, method_astype, "copy" },
    { "array.fill", 1, 1, method_fill, NULL },
    { "array.item", 0, 1, method_item, NULL },
    { "array.tolist", 0, 0, method_tolist, NULL },
    { "array.sort", 0, 0, method_sort, NULL },
    { "np.reshape", 2, 2, np_reshape, NULL },
    { "np.ravel", 1, 1, np_ravel, NULL },
    { "np.transpose", 1, 2, np_transpose, NULL },
    { "np.sort", 1, 1, np_sort, NULL },
    { "np.argsort", 1, 1, np_argsort, "kind" },
    { "np.cumsum", 1, 1, np_cumsum, NULL },
    { "np.bincount", 1, 1, np_bincount, "minlength" },
    { NULL, 0, 0, NULL, NULL },
};

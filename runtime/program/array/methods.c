/* Methods of arrays, and NumPy's functions that give views or other orders of elements. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

static bool give_view(Program *p, HostArray *array, kjit_status status, const kjit_array *view,
                      HostValue *out)
{
    if (status != KJIT_OK)
        return host_failed(p, status);
    return host_give(out, host_object(host_array_of(p, array->block, view)));
}

/* A view where that can be, else of a copy. */
static bool reshaped(Program *p, HostArray *array, int rank, const int64_t *shape, HostValue *out)
{
    kjit_array view;
    int64_t fitted[KJIT_RANK_MAX];
    if (rank)
        memcpy(fitted, shape, (size_t)rank * sizeof *shape);
    if (!shape_fit(fitted, rank, array_elements(&array->view))) {
        Buf text = buf_in(&p->scratch);
        host_str(p, &text, shape_value(p, rank, shape));
        Buf plain = buf_in(&p->scratch);
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
    return host_give(out, host_object(host_array_of(p, array->block, &view)));
}

static bool own_array(Program *p, HostArgs *args, HostArray **out)
{
    return host_array_from(p, args->self, KJIT_DTYPE_NONE, out);
}

/* The array as `order` has its elements one after the other, by rows. */
static bool own_flat(Program *p, HostArgs *args, HostArray **out)
{
    char layout;
    return own_array(p, args, out) && host_array_layout(p, args, 0, 'C', &(*out)->view, &layout) &&
           host_array_in(p, layout, out);
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
    char layout;
    if (!own_array(p, args, &array) ||
        !host_array_layout(p, args, SIZE_MAX, 'C', &array->view, &layout) ||
        !shape_from(p, given, shape, &rank))
        return false;
    if (layout == 'K')
        return host_fail(p, "ValueError", "order 'K' is not permitted for reshaping");
    const bool columns = layout == 'F';
    for (int i = 0; columns && i < rank / 2; i++) {
        const int64_t first = shape[i];
        shape[i] = shape[rank - 1 - i];
        shape[rank - 1 - i] = first;
    }
    return (!columns || host_array_transpose(p, &array)) && reshaped(p, array, rank, shape, out) &&
           (!columns || host_array_transpose(p, &out->array));
}

static bool np_reshape(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs method = { .self = args->values[0],
                        .values = args->values + 1,
                        .count = args->count - 1,
                        .names = args->names,
                        .named = args->named,
                        .named_count = args->named_count };
    return method_reshape(p, &method, out);
}

/* A view of what lies row by row, else a copy, even where a view could have the order. */
static bool method_ravel(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    const int64_t all = -1;
    if (!own_flat(p, args, &array) || (!kjit_array_is_contiguous(&array->view, 0) &&
                                       !host_array_copy_as(p, array, array->view.dtype, &array)))
        return false;
    return reshaped(p, array, 1, &all, out);
}

static bool method_flatten(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    const int64_t all = -1;
    return own_flat(p, args, &array) && host_array_copy_as(p, array, array->view.dtype, &array) &&
           reshaped(p, array, 1, &all, out);
}

static bool np_ravel(Program *p, HostArgs *args, HostValue *out)
{
    HostValue order = args_get(args, 1, "order", host_text(p, "C"));
    HostArgs method = { .self = args->values[0], .values = &order, .count = 1 };
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
    char layout;
    if (!own_array(p, args, &array) || !host_array_layout(p, args, 0, 'C', &array->view, &layout) ||
        !host_array_copy_in(p, array, array->view.dtype, layout, &array))
        return false;
    return host_give(out, host_object(array));
}

/* Whether a dtype is one of texts: str, "U8". */
static bool is_of_texts(HostValue dtype)
{
    const char *name = dtype.kind == HOST_STRING ? dtype.string->text : "";
    return (dtype.kind == HOST_BUILTIN && strcmp(dtype.builtin->name, "str") == 0) ||
           name[strspn(name, "<=")] == 'U' || strcmp(name, "str") == 0;
}

static bool texts_of(Program *p, HostArgs *args, HostValue *out)
{
    HostValue function, values[2] = { args->self, args->values[0] };
    HostArgs call = { .values = values, .count = 2 };
    return modules_find(p, "_texts.of_numbers", &function) && host_call(p, function, &call, out);
}

static bool method_astype(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    HostValue cast;
    bool copies = true;
    HostValue texts[2] = { args->self, args->values[0] };
    if (args->self.kind == HOST_ARRAY && record_is_text(&args->self.array->view))
        return modules_call(p, "_methods.record_astype", texts, 2, out);
    if (is_of_texts(args->values[0]))
        return texts_of(p, args, out);
    if (!dtype_from(p, args->values[0], &dtype) || !own_array(p, args, &array) ||
        !host_truth(p, args_get(args, SIZE_MAX, "copy", host_bool(true)), &copies))
        return false;
    if (!copies && array->view.dtype == dtype)
        return host_give(out, host_object(array));
    if (p->eval || array_elements(&array->view) <= FUSE_LEAST) {
        if (!host_array_copy_in(p, array, dtype, 'K', &array))
            return false;
        return host_give(out, host_object(array));
    }
    HostValue value = host_object(array);
    if (!expression_new(p, "%0", dtype, dtype, &value, 1, &cast))
        return false;
    return host_give(out, cast);
}

static bool np_astype(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs method = { .self = args->values[0], .values = args->values + 1, .count = 1 };
    return method_astype(p, &method, out);
}

/* The same bytes as elements of another dtype. */
static bool method_view(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    kjit_array like = { 0 }, view;
    if (!element_from(p, args_get(args, 0, "dtype", host_none()), &like) ||
        !own_array(p, args, &array))
        return false;
    if (like.dtype == KJIT_DTYPE_NONE)
        like = array->view;
    kjit_status status = kjit_array_view(&array->view, like.dtype, like.record, &view);
    return give_view(p, array, status, &view, out);
}

static bool method_fill(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    (void)out;
    return own_array(p, args, &array) && host_array_assign(p, array, args->values[0]);
}

/* A NumPy scalar as Python's number. */
static HostValue plain(Program *p, HostValue number)
{
    if (number.dtype == KJIT_DTYPE_UINT64 && wide_plain(p, number, &number))
        return number;
    if (dtype_is_complex(number.dtype))
        return host_complex(number.number, number.imaginary);
    return number.dtype == KJIT_DTYPE_BOOL ? host_bool(number.integer)
           : dtype_is_float(number.dtype)  ? host_float(number.number)
                                           : host_int(number.integer);
}

static bool method_item(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (host_is_number(args->self)) {
        *out = plain(p, args->self);
        return !p->failed;
    }
    if (!own_array(p, args, &array) || !host_array_read(p, array))
        return false;
    if (args->count) {
        HostValue place = args->values[0];
        const int64_t all = -1;
        if (host_is_integer(place) && array->view.rank != 1 &&
            (!reshaped(p, array, 1, &all, out) || !host_array_from(p, *out, 0, &array)))
            return false;
        if (!host_array_index(p, array, place, out))
            return false;
        if (!host_is_number(*out))
            return host_fail(p, "ValueError", "incorrect number of indices for array");
        *out = plain(p, *out);
        return !p->failed;
    }
    if (array_elements(&array->view) != 1)
        return host_fail(p, "ValueError", "can only convert an array of size 1 to a Python scalar");
    *out = plain(p, host_array_element(&array->view, index));
    return !p->failed;
}

bool host_array_list(Program *p, HostArray *array, HostValue *out)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (!array->view.rank) {
        *out = plain(p, host_array_element(&array->view, index));
        return !p->failed;
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

/* Of arrays of the device. */
static bool is_by_rows(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    return host_give(out, host_bool(kjit_array_is_contiguous(&args->self.array->view, 0)));
}

static bool is_by_columns(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    return host_give(out, host_bool(array_is_columns(&args->self.array->view)));
}

static bool method_tolist(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    HostValue function;
    if (args->self.kind == HOST_ARRAY && args->self.array->view.dtype == KJIT_DTYPE_RECORD)
        return modules_find(p, "_methods.record_list", &function) &&
               host_call_one(p, function, args->self, out);
    return own_array(p, args, &array) && host_array_read(p, array) &&
           host_array_list(p, array, out);
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
    FUNCTION("sum", 1, "axis dtype keepdims out"),
    FUNCTION("prod", 1, "axis dtype keepdims out"),
    FUNCTION("min", 1, "axis keepdims out"),
    FUNCTION("max", 1, "axis keepdims out"),
    FUNCTION("any", 1, "axis keepdims out"),
    FUNCTION("all", 1, "axis keepdims out"),
    FUNCTION("mean", 1, "axis dtype keepdims out"),
    FUNCTION("var", 1, "axis dtype keepdims ddof out"),
    FUNCTION("std", 1, "axis dtype keepdims ddof out"),
    FUNCTION("argmin", 1, "axis keepdims"),
    FUNCTION("argmax", 1, "axis keepdims"),
    FUNCTION("dot", 1, NULL),
    FUNCTION("clip", 2, "min max out"),
    FUNCTION("cumsum", 1, "axis dtype out"),
    FUNCTION("cumprod", 1, "axis dtype out"),
    FUNCTION("argsort", 1, "axis kind"),
    FUNCTION("conj", 0, NULL),
    FUNCTION("conjugate", 0, NULL),
    { "array.reshape", 1, KJIT_RANK_MAX, method_reshape, "order" },
    { "array.ravel", 0, 1, method_ravel, "order" },
    { "array.flatten", 0, 1, method_flatten, "order" },
    { "array.transpose", 0, KJIT_RANK_MAX, method_transpose, NULL },
    { "array.squeeze", 0, 0, method_squeeze, NULL },
    { "array.copy", 0, 1, method_copy, "order" },
    { "array.astype", 1, 1, method_astype, "copy" },
    { "array.view", 0, 1, method_view, "dtype" },
    { "array.fill", 1, 1, method_fill, NULL },
    { "array.item", 0, 1, method_item, NULL },
    { "array.tolist", 0, 0, method_tolist, NULL },
    { "array.is_c_contiguous", 0, 0, is_by_rows, NULL },
    { "array.is_f_contiguous", 0, 0, is_by_columns, NULL },
    { "np.reshape", 2, 1 + KJIT_RANK_MAX, np_reshape, "order" },
    { "np.ravel", 1, 2, np_ravel, "order" },
    { "np.astype", 2, 2, np_astype, NULL },
    { "np.transpose", 1, 2, np_transpose, NULL },
    { NULL, 0, 0, NULL, NULL },
};

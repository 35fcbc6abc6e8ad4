/* Arrays as values: made of lists, numbers and files, copied, asked. */
#include "runtime/program/arrays.h"
#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

#include <ctype.h>

enum { CONVERTED_LEAST = 1 << 14 }; /* elements: fewer are converted by the host meanwhile */

/* ---- shapes and dtypes ---------------------------------------------------------------------- */

/* Types by one letter, as array.array has them. */
static const char letters[] = "?bBhHiIlLqQefdFD";
static const kjit_dtype lettered[] = {
    KJIT_DTYPE_BOOL,    KJIT_DTYPE_INT8,    KJIT_DTYPE_UINT8,     KJIT_DTYPE_INT16,
    KJIT_DTYPE_UINT16,  KJIT_DTYPE_INT32,   KJIT_DTYPE_UINT32,    KJIT_DTYPE_INT64,
    KJIT_DTYPE_UINT64,  KJIT_DTYPE_INT64,   KJIT_DTYPE_UINT64,    KJIT_DTYPE_FLOAT16,
    KJIT_DTYPE_FLOAT32, KJIT_DTYPE_FLOAT64, KJIT_DTYPE_COMPLEX64, KJIT_DTYPE_COMPLEX128,
};

bool dtype_from(Program *p, HostValue value, kjit_dtype *dtype)
{
    const char *name = value.kind == HOST_BUILTIN  ? value.builtin->name
                       : value.kind == HOST_STRING ? value.string->text
                                                   : "";
    bool swapped = false;
    if (value.kind == HOST_NONE)
        return true;
    if (value.kind == HOST_LIST || (value.kind == HOST_DTYPE && value.dtype == KJIT_DTYPE_RECORD))
        return records_refused(p);
    *dtype = value.kind == HOST_DTYPE ? value.dtype : value_dtype_named(name);
    if (*dtype == KJIT_DTYPE_NONE && value.kind == HOST_STRING) {
        const char *code = strchr("<>|=", *name) ? name : arena_printf(&p->scratch, "<%s", name);
        *dtype = descr_dtype(code, &swapped);
        const char *letter = name[0] && !name[1] ? strchr(letters, *name) : NULL;
        if (letter)
            *dtype = lettered[letter - letters];
    }
    if (*dtype != KJIT_DTYPE_NONE && !swapped)
        return true;
    return host_fail(p, "TypeError", "a dtype is needed here, like np.float32, not '%s'",
                     *name ? name : host_type_name(p, value));
}

bool element_from(Program *p, HostValue value, kjit_array *like)
{
    if (value.kind == HOST_LIST && !record_dtype(p, value, false, &value))
        return false;
    if (value.kind != HOST_DTYPE || value.dtype != KJIT_DTYPE_RECORD)
        return dtype_from(p, value, &like->dtype);
    like->dtype = value.dtype;
    like->record = value.record;
    return true;
}

bool shape_from(Program *p, HostValue value, int64_t shape[KJIT_RANK_MAX], int *rank)
{
    bool several = value.kind == HOST_TUPLE || value.kind == HOST_LIST;
    size_t count = several ? value.list->count : 1;
    if (count > KJIT_RANK_MAX)
        return host_lacks(p, "ValueError", "an array has %d axes at the most", KJIT_RANK_MAX);
    for (size_t i = 0; i < count; i++)
        if (!host_integer(p, several ? value.list->items[i] : value, &shape[i]))
            return false;
    *rank = (int)count;
    return true;
}

HostValue shape_value(Program *p, int rank, const int64_t *shape)
{
    HostValue tuple = host_items(p, HOST_TUPLE, NULL, 0);
    for (int i = 0; i < rank; i++)
        host_append(p, tuple.list, host_int(shape[i]));
    return tuple;
}

/* ---- elements ------------------------------------------------------------------------------- */

static char *element_at(const kjit_array *view, const int64_t *index)
{
    char *at = view->data;
    for (int i = 0; i < view->rank; i++)
        at += index[i] * view->strides[i];
    return at;
}

HostValue host_array_element(const kjit_array *view, const int64_t *index)
{
    const kjit_arg scalar = scalar_load(view->dtype, element_at(view, index));
    return host_number(view->dtype, &scalar);
}

bool index_next(const kjit_array *view, int64_t *index)
{
    for (int i = view->rank; i-- > 0;) {
        if (++index[i] < view->shape[i])
            return true;
        index[i] = 0;
    }
    return false;
}

/* ---- made of lists -------------------------------------------------------------------------- */

typedef struct NestedRows {
    Program *program;
    int rank;
    int64_t shape[KJIT_RANK_MAX];
    kjit_dtype dtype; /* of what was met */
    kjit_dtype given; /* KJIT_DTYPE_NONE: what was met decides */
    char *at;         /* NULL: they are only counted */
} NestedRows;

/* An object that is like a list: not one of bytes, nor one that is a dictionary. */
static bool is_sequence_object(HostValue value)
{
    return value.kind == HOST_INSTANCE && value.instance->held.kind != HOST_DICT &&
           object_has(value, "__len__") && object_has(value, "__getitem__") &&
           !object_has(value, "decode");
}

static bool is_row(HostValue value)
{
    return is_sequence_object(value) || value.kind == HOST_LIST || value.kind == HOST_TUPLE ||
           value.kind == HOST_RANGE || (value.kind == HOST_ARRAY && value.array->view.rank);
}

static bool ragged(Program *p)
{
    return host_fail(p, "ValueError",
                     "setting an array element with a sequence. The requested array has an "
                     "inhomogeneous shape");
}

static bool take_number(NestedRows *rows, HostValue value)
{
    if (value.kind == HOST_ARRAY) {
        if (!host_array_read(rows->program, value.array))
            return false;
        value = host_array_element(&value.array->view, NULL);
    }
    if (value.kind == HOST_STRING && rows->program->eval &&
        (isdigit((unsigned char)*value.string->text) || strcmp(value.string->text, "NaT") == 0) &&
        !value_time(rows->program, value, &value))
        return false;
    if (rows->given == KJIT_DTYPE_NONE)
        wide_natural(value, &value);
    else if (!wide_as(rows->program, rows->given, &value))
        return false;
    if (value.kind == HOST_WIDE)
        return host_lacks(rows->program, "OverflowError",
                          "arrays hold integers of 64 bits: give the dtype of floats");
    if (!host_is_number(value))
        return host_lacks(rows->program, "TypeError", "an array is made of numbers, not of '%s'",
                          host_type_name(rows->program, value));
    if (!rows->at) {
        kjit_dtype dtype = host_dtype_of(value);
        rows->dtype = rows->dtype == KJIT_DTYPE_NONE ? dtype : dtype_promote(rows->dtype, dtype);
        return true;
    }
    if (!host_fits(rows->program, value, rows->dtype))
        return false;
    kjit_arg scalar = host_scalar(value);
    scalar = scalar_cast(&scalar, rows->dtype);
    scalar_store(&scalar, rows->at);
    rows->at += kjit_dtype_bytes(rows->dtype);
    return true;
}

static bool take_rows(NestedRows *rows, HostValue value, int axis)
{
    Program *p = rows->program;
    HostIterator it;
    HostValue item;
    int64_t length;
    if (!is_row(value))
        return axis == rows->rank ? take_number(rows, value) : ragged(p);
    if (axis == rows->rank || !host_length(p, value, &length) || length != rows->shape[axis])
        return p->failed ? false : ragged(p);
    if (!host_iterate(p, value, &it))
        return false;
    while (host_next(p, &it, &item))
        if (!take_rows(rows, item, axis + 1))
            return false;
    return !p->failed;
}

static bool measure(NestedRows *rows, HostValue value)
{
    Program *p = rows->program;
    while (is_row(value)) {
        HostIterator it;
        if (rows->rank == KJIT_RANK_MAX)
            return host_lacks(p, "ValueError", "an array has %d axes at the most", KJIT_RANK_MAX);
        if (!host_length(p, value, &rows->shape[rows->rank++]) || !host_iterate(p, value, &it))
            return false;
        if (!host_next(p, &it, &value))
            return !p->failed;
    }
    return true;
}

static bool array_of_rows(Program *p, HostValue value, kjit_dtype dtype, HostArray **out)
{
    NestedRows rows = { .program = p, .given = dtype };
    if (!measure(&rows, value) || !take_rows(&rows, value, 0))
        return false;
    if (dtype == KJIT_DTYPE_NONE)
        dtype = rows.dtype == KJIT_DTYPE_NONE ? KJIT_DTYPE_FLOAT64 : rows.dtype;
    if (!host_array_new(p, dtype, rows.rank, rows.shape, true, out))
        return false;
    rows.dtype = dtype;
    rows.at = (*out)->view.data;
    return take_rows(&rows, value, 0);
}

bool host_array_from(Program *p, HostValue value, kjit_dtype dtype, HostArray **out)
{
    if (object_calls(p, value, "__array__", NULL, 0, &value) && value.kind != HOST_ARRAY)
        return host_fail(p, "ValueError", "object __array__ method not producing an array");
    if (p->failed)
        return false;
    if (value.kind == HOST_EXPRESSION && !expression_array(p, value.expression, out))
        return false;
    if (value.kind == HOST_ARRAY)
        *out = value.array;
    if (value.kind != HOST_ARRAY && value.kind != HOST_EXPRESSION)
        return array_of_rows(p, value, dtype, out);
    return dtype == KJIT_DTYPE_NONE || dtype == (*out)->view.dtype ||
           host_array_copy_in(p, *out, dtype, 'K', out);
}

bool dtype_has_numbers(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_BOOL || dtype_is_integer(dtype) || dtype_is_float(dtype) ||
           dtype_is_complex(dtype);
}

/* Row by row, of the same dtype. */
static bool copy_memory(Program *p, HostArray *from, HostArray *to)
{
    kjit_array views[2];
    if (!host_array_launch(p, from, &views[0]) || !host_array_launch(p, to, &views[1]))
        return false;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = kjit_copy(p->context, &views[1], &views[0]);
    host_array_launched(p, to, true);
    return status == KJIT_OK || host_failed(p, status);
}

/* A copy where kernels work. */
static bool copy_by_kernel(Program *p, HostArray *from, kjit_dtype dtype, HostArray **out)
{
    HostValue value = host_object(from), cast;
    if (!host_array_new(p, dtype, from->view.rank, from->view.shape, false, out))
        return false;
    (*out)->block->unwritten = true;
    if (dtype == from->view.dtype && kjit_array_is_contiguous(&from->view, 0))
        return copy_memory(p, from, *out);
    return expression_new(p, "%0", dtype, dtype, &value, 1, &cast) &&
           expression_store(p, cast, *out);
}

/* Whether a kernel is to copy it: the host would have to fetch it first, or to convert many. */
static bool is_for_kernels(const Program *p, const HostArray *array, kjit_dtype dtype)
{
    const bool away = !array->block->host_current && array->block->device.data;
    const bool many = dtype != array->view.dtype && p->context && !p->eval &&
                      array_elements(&array->view) >= CONVERTED_LEAST;
    return (away || many) && !p->group && dtype_has_numbers(dtype) &&
           dtype_has_numbers(array->view.dtype) && view_is_aligned(&array->view) &&
           array_elements(&array->view);
}

bool host_array_copy_as(Program *p, HostArray *from, kjit_dtype dtype, HostArray **out)
{
    HostArray *to;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (is_for_kernels(p, from, dtype))
        return copy_by_kernel(p, from, dtype, out);
    const bool same = dtype == from->view.dtype;
    const kjit_array like = { .dtype = dtype, .record = same ? from->view.record : NULL };
    if (!same && (dtype == KJIT_DTYPE_RECORD || from->view.dtype == KJIT_DTYPE_RECORD))
        return records_refused(p);
    if (!host_array_read(p, from) ||
        !host_array_like(p, &like, from->view.rank, from->view.shape, false, false, &to))
        return false;
    *out = to;
    to->block->unwritten = from->block->unwritten;
    if (same) {
        array_copy(&to->view, &from->view);
        return true;
    }
    char *at = to->view.data;
    int64_t count = array_elements(&from->view);
    for (int64_t i = 0; i < count; i++, at += kjit_dtype_bytes(dtype)) {
        kjit_arg scalar = scalar_load(from->view.dtype, element_at(&from->view, index));
        scalar = scalar_cast(&scalar, dtype);
        scalar_store(&scalar, at);
        index_next(&from->view, index);
    }
    return true;
}

bool host_array_aligned(Program *p, HostArray **array)
{
    return view_is_aligned(&(*array)->view) ||
           host_array_copy_in(p, *array, (*array)->view.dtype, 'K', array);
}

HostValue host_array_or_number(HostArray *array)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    return array->view.rank || array->view.dtype == KJIT_DTYPE_RECORD
               ? host_object(array)
               : host_array_element(&array->view, index);
}

HostValue dtype_value(kjit_dtype dtype, const kjit_record *record)
{
    HostValue value = { .kind = HOST_DTYPE, .dtype = dtype, .integer = 1 };
    if (record)
        value.record = record;
    return value;
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* The real or the imaginary parts of an array: a view, or of a real one itself and zeros. */
static bool parts(Program *p, HostArray *array, bool real, HostValue *out)
{
    kjit_array view = array->view;
    bool complex = dtype_is_complex(view.dtype);
    if (!complex && !real) {
        HostArray *zeros;
        if (!host_array_new(p, view.dtype, view.rank, view.shape, true, &zeros))
            return false;
        zeros->view.flags |= KJIT_READONLY;
        return host_give(out, host_object(zeros));
    }
    view.dtype = dtype_part(view.dtype);
    if (!real)
        view.data = (char *)view.data + kjit_dtype_bytes(view.dtype);
    return host_give(out, host_object(complex ? host_array_of(p, array->block, &view) : array));
}

/* Its elements in a row: a view, or, where none is that, a copy that may not be written. */
static bool flat(Program *p, HostArray *array, HostValue *out)
{
    const int64_t count = array_elements(&array->view);
    HostArray *from = array;
    const bool whole = kjit_array_is_contiguous(&array->view, 0);
    if (!whole && !host_array_copy_as(p, array, array->view.dtype, &from))
        return false;
    kjit_array view = kjit_host_array(from->view.data, from->view.dtype, 1, &count);
    view.record = from->view.record;
    view.strides[0] = (int64_t)array_item_bytes(&view);
    view.flags = array->view.flags | (whole ? 0 : KJIT_READONLY);
    return host_give(out, host_object(host_array_of(p, from->block, &view)));
}

bool host_array_attribute(Program *p, HostValue value, const char *name, HostValue *out)
{
    HostArray *array;
    if (!host_array_from(p, value, KJIT_DTYPE_NONE, &array))
        return false;
    const kjit_array *view = &array->view;
    if (strcmp(name, "shape") == 0)
        *out = shape_value(p, view->rank, view->shape);
    else if (strcmp(name, "size") == 0)
        *out = host_int(array_elements(view));
    else if (strcmp(name, "ndim") == 0)
        *out = host_int(view->rank);
    else if (strcmp(name, "nbytes") == 0)
        *out = host_int(array_elements(view) * (int64_t)array_item_bytes(view));
    else if (strcmp(name, "itemsize") == 0)
        *out = host_int((int64_t)array_item_bytes(view));
    else if (strcmp(name, "strides") == 0)
        *out = shape_value(p, view->rank, view->strides);
    else if (strcmp(name, "flags") == 0)
        *out = host_flags(view);
    else if (strcmp(name, "dtype") == 0)
        *out = dtype_value(view->dtype, view->record);
    else if (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0)
        return parts(p, array, *name == 'r', out);
    else if (strcmp(name, "flat") == 0)
        return flat(p, array, out);
    else if (strcmp(name, "T") == 0) {
        if (!host_array_transpose(p, &array))
            return false;
        *out = host_object(array);
    } else
        return false;
    return true;
}

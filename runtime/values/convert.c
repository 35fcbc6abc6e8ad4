/* The functions and methods of value expressions that make something of what there is: arrays of
** arrays and lists, lengths, times of texts. */
#include "runtime/values/call.h"

#include <string.h>

/* The array a function works on: its first argument, or the object of a method. */
static bool read_array(ValueCall *call, kjit_array *array)
{
    const Value *value = call->self ? call->self : &call->args[0];

    if (value->kind != VALUE_ARG || value->arg.kind != KJIT_ARG_ARRAY)
        return call_fail(call, "this is for arrays");
    *array = value->arg.as.array;
    return true;
}

/* A row-major copy in any dtype. */
static bool copy_as(ValueCall *call, const kjit_array *from, kjit_dtype dtype, Value *out)
{
    kjit_array *to = &out->arg.as.array, whole;
    int64_t count = array_elements(from);

    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
    if (!value_new_like(call->eval, call->expr->span, from, from->rank, from->shape, false, false,
                        &whole))
        return false;
    array_copy(&whole, from);
    *to = whole;
    if (dtype == from->dtype)
        return true;
    if (dtype_is_time(from->dtype) && dtype_is_time(dtype) &&
        dtype_type(from->dtype)->kind != dtype_type(dtype)->kind)
        return call_fail(call, "a time is no span of time, and none is a time");
    if (from->dtype == KJIT_DTYPE_RECORD)
        return call_fail(call, "records cannot become numbers: take one of their fields");
    if (!value_new_array(call->eval, call->expr->span, dtype, from->rank, from->shape, false, false,
                         to))
        return false;
    for (int64_t i = 0; i < count; i++) {
        kjit_arg scalar = scalar_load(whole.dtype, (char *)whole.data +
                                                       (size_t)i * kjit_dtype_bytes(whole.dtype));
        bool nat = scalar.as.integer == INT64_MIN;
        scalar = scalar_cast(&scalar, dtype);
        if (dtype_is_time(from->dtype) && dtype_is_time(dtype) && !nat &&
            scalar.as.integer == INT64_MIN)
            return call_fail(call, "a time does not fit 64 bits in this unit");
        scalar_store(&scalar, (char *)to->data + (size_t)i * kjit_dtype_bytes(dtype));
    }
    return true;
}

static bool read_extents(ValueCall *call, int first, int64_t *shape, int *rank)
{
    const Value *value = &call->args[first];
    bool tuple = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_TUPLE;

    *rank = 0;
    if (tuple && value->arg.as.tuple.count > KJIT_RANK_MAX)
        return call_fail(call, "an array has 8 axes at the most");
    for (size_t i = 0; tuple && i < value->arg.as.tuple.count; i++) {
        Value item = *value;
        item.arg = value->arg.as.tuple.items[i];
        if (!value_integer(call->eval, &item, &shape[(*rank)++]))
            return false;
    }
    for (int i = first; !tuple && i < ARGS_MAX && call_given(call, i); i++) {
        if (!value_integer(call->eval, &call->args[i], &shape[(*rank)++]))
            return false;
    }
    return true;
}

bool make_reshape(ValueCall *call, Value *out)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    kjit_array array;

    if (!read_array(call, &array) || !read_extents(call, call->self ? 0 : 1, shape, &rank))
        return false;
    if (!shape_fit(shape, rank, array_elements(&array)))
        return call_fail(call, "the new shape holds another number of elements");
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY, .as.array = array } };
    if (array_layout(&array) != LAYOUT_C && !copy_as(call, &array, array.dtype, out))
        return false;
    out->arg.as.array = kjit_host_array(out->arg.as.array.data, array.dtype, rank, shape);
    out->arg.as.array.record = array.record;
    array_set_strides(&out->arg.as.array, false);
    return true;
}

bool make_copy(ValueCall *call, Value *out)
{
    kjit_array array;

    return read_array(call, &array) && copy_as(call, &array, array.dtype, out);
}

bool make_astype(ValueCall *call, Value *out)
{
    kjit_array array;
    kjit_dtype dtype = KJIT_DTYPE_NONE;

    return read_array(call, &array) && call_dtype(call, call->self ? 0 : 1, &dtype) &&
           copy_as(call, &array, dtype, out);
}

/* What the first parameter was given as, written. */
static const AstExpr *first_written(const ValueCall *call)
{
    const AstExprs *args = &call->expr->call.args;
    const AstKeyword *keyword = call->expr->call.keywords;

    if (args->count)
        return args->items[0];
    while (strcmp(keyword->name, "object") != 0)
        keyword++;
    return keyword->value;
}

/* array([1, 2, 3], dtype): the list is an array already, a tuple becomes one, and a number one
** without axes. */
bool make_array_of(ValueCall *call, Value *out)
{
    const Value *object = &call->args[0];
    bool array_already = object->kind == VALUE_ARG && object->arg.kind == KJIT_ARG_ARRAY;
    kjit_array array;
    kjit_dtype dtype = KJIT_DTYPE_NONE;

    if (!array_already &&
        !value_list(call->eval, first_written(call), KJIT_DTYPE_NONE, &call->args[0]))
        return false;
    if (!read_array(call, &array) || !call_dtype(call, 1, &dtype))
        return false;
    if ((!array_already || first_written(call)->kind == AST_LIST) && dtype != KJIT_DTYPE_NONE &&
        !dtype_is_time(dtype)) /* each number by itself: int64 and uint64 together are float64 */
        return value_list(call->eval, first_written(call), dtype, out);
    return copy_as(call, &array, dtype == KJIT_DTYPE_NONE ? array.dtype : dtype, out);
}

bool make_view(ValueCall *call, Value *out)
{
    kjit_array array, like = { 0 };

    if (!read_array(call, &array) || !call_element(call, call->self ? 0 : 1, &like))
        return false;
    Value dtype = { .dtype = like.dtype, .record = like.record };
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY } };
    return value_view(call->eval, call->expr->span, &array, &dtype, &out->arg.as.array);
}

bool make_transpose(ValueCall *call, Value *out)
{
    kjit_array array;

    if (!read_array(call, &array))
        return false;
    array_reverse_axes(&array);
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY, .as.array = array } };
    return true;
}

/* ndarray(shape, dtype, buffer, offset, strides): NumPy's constructor of views. */
bool make_ndarray(ValueCall *call, Value *out)
{
    const Value *buffer = &call->args[2];
    kjit_array array = { 0 };
    int64_t offset = 0;
    int axes;

    if (buffer->kind != VALUE_ARG || buffer->arg.kind != KJIT_ARG_ARRAY)
        return call_fail(call, "the buffer is an array");
    if (!call_element(call, 1, &array) || !call_integer(call, 3, &offset) ||
        !value_shape(call->eval, &call->args[0], array.shape, &array.rank))
        return false;
    array_set_strides(&array, false);
    if (call_given(call, 4) && !read_extents(call, 4, array.strides, &axes))
        return false;
    if (call_given(call, 4) && axes != array.rank)
        return call_fail(call, "the shape and the strides have different numbers of axes");
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY } };
    out->arg.as.array = array;
    return value_ndarray(call->eval, call->expr->span, &buffer->arg.as.array, offset,
                         &out->arg.as.array);
}

/* The same array, which kernels may not write. */
bool make_readonly(ValueCall *call, Value *out)
{
    kjit_array array;

    if (!read_array(call, &array))
        return false;
    array.flags |= KJIT_READONLY;
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY, .as.array = array } };
    return true;
}

bool make_len(ValueCall *call, Value *out)
{
    const Value *value = &call->args[0];
    bool tuple = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_TUPLE;
    kjit_array array = { 0 };

    if (!tuple && !read_array(call, &array))
        return false;
    if (!tuple && !array.rank)
        return call_fail(call, "an array without axes has no length");
    *out = (Value){ .kind = VALUE_ARG,
                    .arg = kjit_arg_int64(tuple ? (int64_t)value->arg.as.tuple.count
                                                : array.shape[0]) };
    return true;
}

/* datetime64("2001-12-31", "ns"), timedelta64(5, "s") */
bool make_time(ValueCall *call, Value *out)
{
    const Value *value = &call->args[0], *named = &call->args[1];
    bool date = *call->name == 'd', text = value->kind == VALUE_STRING;
    TimeUnit unit = TIME_NONE;
    int64_t count = 0;

    if (call_given(call, 1) &&
        (named->kind != VALUE_STRING || !time_unit_named(named->text, strlen(named->text), &unit)))
        return call_fail(call, "a unit is one of Y M W D h m s ms us ns ps fs as, as a string");
    if (text && (!time_parse(value->text, &unit, &count) || (!date && count != INT64_MIN)))
        return call_fail(call, date ? "a time is written 2001-12-31T23:59:59.999"
                                    : "a span of time is a number and a unit");
    if (!text && !value_integer(call->eval, value, &count))
        return false;
    *out = (Value){ .kind = VALUE_ARG, .arg = kjit_arg_int64(count) };
    out->arg.dtype = type_dtype(type_time(date, unit));
    return true;
}

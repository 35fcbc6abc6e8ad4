/* The functions of value expressions.
**
** Each has a row in `functions` with its parameters as Python would write them; binding by
** position and by name is the same for all. */
#include "runtime/values/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARGS_MAX = 8 };

/* A call after binding: a value for each parameter, VALUE_MISSING where none was given. */
typedef struct ValueCall {
    Eval *eval;
    const AstExpr *expr;
    const char *name;
    Value args[ARGS_MAX];
    const Value *self;
} ValueCall;

typedef bool ValueMake(ValueCall *call, Value *out);

typedef struct ValueFunction {
    const char *name;
    const char *params[ARGS_MAX]; /* "a|b": two names for one */
    int required;
    ValueMake *make;
} ValueFunction;

/* ---- reading arguments ------------------------------------------------------------------ */

static bool call_given(const ValueCall *call, int index)
{
    return call->args[index].kind != VALUE_MISSING && call->args[index].kind != VALUE_NONE;
}

static bool call_fail(ValueCall *call, const char *message)
{
    diag_error(call->eval->diags, call->expr->span, "%s: %s", call->name, message);
    return false;
}

/* Scalars read as numbers; `*number` stays where nothing was given. */
static bool call_number(ValueCall *call, int index, double *number)
{
    const Value *value = &call->args[index];

    if (!call_given(call, index))
        return true;
    if (value->kind != VALUE_ARG || value->arg.kind != KJIT_ARG_SCALAR ||
        dtype_is_complex(value->arg.dtype)) {
        diag_error(call->eval->diags, value->span, "a number is needed here");
        return false;
    }
    *number = scalar_cast(&value->arg, KJIT_DTYPE_FLOAT64).as.number;
    return true;
}

static bool call_integer(ValueCall *call, int index, int64_t *integer)
{
    return !call_given(call, index) || value_integer(call->eval, &call->args[index], integer);
}

static bool call_scalar(ValueCall *call, int index, kjit_arg *scalar)
{
    const Value *value = &call->args[index];

    if (!call_given(call, index))
        return true;
    if (value->kind != VALUE_ARG || value->arg.kind != KJIT_ARG_SCALAR) {
        diag_error(call->eval->diags, value->span, "a number is needed here");
        return false;
    }
    *scalar = value->arg;
    return true;
}

static bool call_dtype(ValueCall *call, int index, kjit_dtype *dtype)
{
    const Value *value = &call->args[index];
    kjit_dtype named = value->dtype;

    if (!call_given(call, index))
        return true;
    if (value->kind == VALUE_STRING)
        named = value_dtype_named(value->text);
    if (value->kind == VALUE_DTYPE && named == KJIT_DTYPE_RECORD)
        return call_fail(call, "this is for numbers, not for records");
    if ((value->kind != VALUE_DTYPE && value->kind != VALUE_STRING) || named == KJIT_DTYPE_NONE) {
        diag_error(call->eval->diags, value->span, "a dtype is needed here, like float32");
        return false;
    }
    *dtype = named;
    return true;
}

/* The same where records will do: as the dtype of `like`. */
static bool call_element(ValueCall *call, int index, kjit_array *like)
{
    const Value *value = &call->args[index];

    if (value->kind != VALUE_DTYPE || value->dtype != KJIT_DTYPE_RECORD)
        return call_dtype(call, index, &like->dtype);
    like->dtype = value->dtype;
    like->record = value->record;
    return true;
}

/* order="C" or "F" */
static bool call_order(ValueCall *call, int index, bool *columns)
{
    const Value *value = &call->args[index];

    *columns = false;
    if (!call_given(call, index))
        return true;
    bool c = value->kind == VALUE_STRING && strcmp(value->text, "C") == 0;
    *columns = value->kind == VALUE_STRING && strcmp(value->text, "F") == 0;
    if (c || *columns)
        return true;
    diag_error(call->eval->diags, value->span, "the order is \"C\" or \"F\"");
    return false;
}

/* An array of the shape that argument `index` says. */
static bool make_array(ValueCall *call, int index, const kjit_array *like, bool columns,
                       bool poison, Value *out)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;

    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
    return value_shape(call->eval, &call->args[index], shape, &rank) &&
           value_new_like(call->eval, call->expr->span, like, rank, shape, columns, poison,
                          &out->arg.as.array);
}

static bool make_numbers(ValueCall *call, int index, kjit_dtype dtype, Value *out)
{
    kjit_array like = { .dtype = dtype };

    return make_array(call, index, &like, false, false, out);
}

/* ---- arrays that are made ----------------------------------------------------------------- */

static bool make_plain(ValueCall *call, bool poison, const kjit_arg *fill, Value *out)
{
    kjit_array like = { .dtype = KJIT_DTYPE_FLOAT64 };
    bool columns;

    if (!call_element(call, 1, &like) || !call_order(call, 2, &columns) ||
        !make_array(call, 0, &like, columns, poison, out))
        return false;
    if (fill)
        fill_scalar(&out->arg.as.array, fill);
    return true;
}

static bool make_zeros(ValueCall *call, Value *out)
{
    return make_plain(call, false, NULL, out);
}

static bool make_ones(ValueCall *call, Value *out)
{
    kjit_arg one = kjit_arg_int64(1);

    return make_plain(call, false, &one, out);
}

static bool make_empty(ValueCall *call, Value *out)
{
    if (!make_plain(call, true, NULL, out))
        return false;
    out->arg.as.array.flags |= KJIT_UNWRITTEN;
    return true;
}

static bool make_full(ValueCall *call, Value *out)
{
    kjit_arg fill = { 0 };
    bool columns;

    if (!call_scalar(call, 1, &fill))
        return false;
    kjit_array like = { .dtype = fill.dtype };
    if (!call_element(call, 2, &like) || !call_order(call, 3, &columns) ||
        !make_array(call, 0, &like, columns, false, out))
        return false;
    fill_scalar(&out->arg.as.array, &fill);
    return true;
}

/* How many steps lead from start to below stop; -1 if that is no number. */
static int64_t range_count(const kjit_arg *start, const kjit_arg *stop, const kjit_arg *step)
{
    bool integers = start->dtype == KJIT_DTYPE_INT64 && stop->dtype == KJIT_DTYPE_INT64 &&
                    step->dtype == KJIT_DTYPE_INT64;

    if (integers) {
        __int128 distance = (__int128)stop->as.integer - start->as.integer, by = step->as.integer;
        if (by == 0)
            return -1;
        __int128 count = by > 0 ? (distance + by - 1) / by : (distance + by + 1) / by;
        return count < 0 ? 0 : count > INT64_MAX ? INT64_MAX : (int64_t)count;
    }
    double count = ceil((scalar_cast(stop, KJIT_DTYPE_FLOAT64).as.number -
                         scalar_cast(start, KJIT_DTYPE_FLOAT64).as.number) /
                        scalar_cast(step, KJIT_DTYPE_FLOAT64).as.number);
    return isfinite(count) && count < 0x1p62 ? (count > 0 ? (int64_t)count : 0) : -1;
}

static bool make_arange(ValueCall *call, Value *out)
{
    kjit_arg start = kjit_arg_int64(0), stop = start, step = kjit_arg_int64(1);

    if (!call_scalar(call, 0, &start) || !call_scalar(call, 1, &stop) ||
        !call_scalar(call, 2, &step))
        return false;
    if (!call_given(call, 1)) {
        stop = start;
        start = kjit_arg_int64(0);
    }
    bool floats =
        dtype_is_float(start.dtype) || dtype_is_float(stop.dtype) || dtype_is_float(step.dtype);
    kjit_dtype dtype = floats ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_INT64;
    kjit_arg *parts[] = { &start, &stop, &step };
    for (int i = 0; i < 3; i++)
        *parts[i] = scalar_cast(parts[i], dtype);
    int64_t count = range_count(&start, &stop, &step);
    if (count < 0)
        return call_fail(call, "this range has no end");
    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
    if (!call_dtype(call, 3, &dtype) || !value_new_array(call->eval, call->expr->span, dtype, 1,
                                                         &count, false, false, &out->arg.as.array))
        return false;
    fill_range(&out->arg.as.array, &start, &step);
    return true;
}

static bool make_linspace(ValueCall *call, Value *out)
{
    double start = 0, stop = 0;
    int64_t endpoint = 1;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;

    if (!call_given(call, 2)) {
        call->args[2] =
            (Value){ .kind = VALUE_ARG, .span = call->expr->span, .arg = kjit_arg_int64(50) };
    }
    if (!call_number(call, 0, &start) || !call_number(call, 1, &stop) ||
        !call_dtype(call, 3, &dtype) || !call_integer(call, 4, &endpoint) ||
        !make_numbers(call, 2, dtype, out))
        return false;
    fill_line(&out->arg.as.array, start, stop, endpoint != 0);
    return true;
}

static bool make_normal(ValueCall *call, Value *out)
{
    double mean = 0, deviation = 1;
    int64_t seed = 0;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;

    if (!call_integer(call, 1, &seed) || !call_dtype(call, 2, &dtype) ||
        !call_number(call, 3, &mean) || !call_number(call, 4, &deviation) ||
        !make_numbers(call, 0, dtype, out))
        return false;
    fill_normal(&out->arg.as.array, (uint64_t)seed, mean, deviation);
    return true;
}

static bool make_uniform(ValueCall *call, Value *out)
{
    double low = 0, high = 1;
    int64_t seed = 0;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;

    if (!call_integer(call, 1, &seed) || !call_dtype(call, 2, &dtype) ||
        !call_number(call, 3, &low) || !call_number(call, 4, &high) ||
        !make_numbers(call, 0, dtype, out))
        return false;
    fill_uniform(&out->arg.as.array, (uint64_t)seed, low, high);
    return true;
}

static bool make_randint(ValueCall *call, Value *out)
{
    int64_t low = 0, high = 0, seed = 0;
    kjit_dtype dtype = KJIT_DTYPE_INT64;

    if (!call_integer(call, 0, &low) || !call_integer(call, 1, &high) ||
        !call_integer(call, 3, &seed) || !call_dtype(call, 4, &dtype))
        return false;
    if (low >= high)
        return call_fail(call, "no integer is between these bounds; the upper one is left out");
    if (!make_numbers(call, 2, dtype, out))
        return false;
    fill_integers(&out->arg.as.array, (uint64_t)seed, low, (uint64_t)high - (uint64_t)low);
    return true;
}

/* A seed or a place in a sequence: negative ones by their bits. */
static bool read_word(ValueCall *call, int index, uint64_t *word)
{
    const kjit_arg *arg = &call->args[index].arg;
    int64_t integer = (int64_t)*word;

    if (call_given(call, index) && call->args[index].kind == VALUE_ARG &&
        arg->kind == KJIT_ARG_SCALAR && arg->dtype == KJIT_DTYPE_UINT64) {
        *word = (uint64_t)arg->as.integer;
        return true;
    }
    bool fine = call_integer(call, index, &integer);
    *word = (uint64_t)integer;
    return fine;
}

static bool make_states(ValueCall *call, Value *out)
{
    int64_t count = 0;
    uint64_t seed = 1, start = 0;
    kjit_array *array = &out->arg.as.array;
    kjit_array like = { .dtype = KJIT_DTYPE_RECORD, .record = kjit_xoroshiro128p_record() };

    if (!call_integer(call, 0, &count) || !read_word(call, 1, &seed) || !read_word(call, 2, &start))
        return false;
    if (count < 0)
        return call_fail(call, "there cannot be fewer than 0");
    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
    if (!value_new_like(call->eval, call->expr->span, &like, 1, &count, false, false, array))
        return false;
    kjit_status status = kjit_xoroshiro128p_states(array->data, (size_t)count, seed, start);
    return status == KJIT_OK || value_failed(call->eval, call->expr->span, status);
}

/* ---- files ---------------------------------------------------------------------------- */

static bool load_raw(ValueCall *call, const char *path, LoadedArray *loaded, kjit_status *status)
{
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    int64_t shape[KJIT_RANK_MAX];
    int rank = -1;

    if (!call_dtype(call, 2, &dtype) ||
        (call_given(call, 3) && !value_shape(call->eval, &call->args[3], shape, &rank)))
        return false;
    if (dtype == KJIT_DTYPE_NONE)
        return call_fail(call, path_refused(call->eval->arena, path));
    *status = raw_load(path, dtype, rank, shape, loaded);
    return true;
}

static bool make_load(ValueCall *call, Value *out)
{
    const Value *file = &call->args[0], *key = &call->args[1];
    const char *directory = call->eval->directory;
    LoadedArray loaded = { 0 };
    kjit_status status = KJIT_OK;

    if (file->kind != VALUE_STRING || (call_given(call, 1) && key->kind != VALUE_STRING))
        return call_fail(call, "the file, and the member of a .npz, are strings");
    const char *path = directory && *directory && file->text[0] != '/'
                           ? arena_printf(call->eval->arena, "%s/%s", directory, file->text)
                           : file->text;
    bool npz = path_ends_in(path, ".npz"), npy = path_ends_in(path, ".npy");
    if ((npz || npy) && (call_given(call, 2) || call_given(call, 3)))
        return call_fail(call,
                         "the file says its dtype and shape itself; .astype() and .reshape() make "
                         "others of them");
    if (!npz && call_given(call, 1))
        return call_fail(call, "only a .npz has members");
    if (npz)
        status = npz_load(path, call_given(call, 1) ? key->text : NULL, &loaded);
    else if (npy)
        status = npy_load(path, &loaded);
    else if (!load_raw(call, path, &loaded, &status))
        return false;
    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_ARRAY };
    return value_adopt_loaded(call->eval, call->expr->span, status, &loaded, &out->arg.as.array);
}

/* ---- arrays and numbers that are changed ---------------------------------------------------- */

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

static bool make_reshape(ValueCall *call, Value *out)
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

static bool make_copy(ValueCall *call, Value *out)
{
    kjit_array array;

    return read_array(call, &array) && copy_as(call, &array, array.dtype, out);
}

static bool make_astype(ValueCall *call, Value *out)
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
static bool make_array_of(ValueCall *call, Value *out)
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

static bool make_view(ValueCall *call, Value *out)
{
    kjit_array array, like = { 0 };

    if (!read_array(call, &array) || !call_element(call, call->self ? 0 : 1, &like))
        return false;
    Value dtype = { .dtype = like.dtype, .record = like.record };
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY } };
    return value_view(call->eval, call->expr->span, &array, &dtype, &out->arg.as.array);
}

static bool make_transpose(ValueCall *call, Value *out)
{
    kjit_array array;

    if (!read_array(call, &array))
        return false;
    array_reverse_axes(&array);
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY, .as.array = array } };
    return true;
}

/* ndarray(shape, dtype, buffer, offset, strides): NumPy's constructor of views. */
static bool make_ndarray(ValueCall *call, Value *out)
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
static bool make_readonly(ValueCall *call, Value *out)
{
    kjit_array array;

    if (!read_array(call, &array))
        return false;
    array.flags |= KJIT_READONLY;
    *out = (Value){ .kind = VALUE_ARG, .arg = { .kind = KJIT_ARG_ARRAY, .as.array = array } };
    return true;
}

static bool make_len(ValueCall *call, Value *out)
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
static bool make_time(ValueCall *call, Value *out)
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

/* ---- the table, and binding ------------------------------------------------------------------ */

static const ValueFunction functions[] = {
    { "zeros", { "shape", "dtype", "order" }, 1, make_zeros },
    { "ones", { "shape", "dtype", "order" }, 1, make_ones },
    { "empty", { "shape", "dtype", "order" }, 1, make_empty },
    { "full", { "shape", "fill_value", "dtype", "order" }, 2, make_full },
    { "arange", { "start", "stop", "step", "dtype" }, 1, make_arange },
    { "linspace", { "start", "stop", "num", "dtype", "endpoint" }, 2, make_linspace },
    { "normal", { "size|shape", "seed", "dtype", "mean|loc", "std|scale" }, 1, make_normal },
    { "uniform", { "size|shape", "seed", "dtype", "low", "high" }, 1, make_uniform },
    { "randint", { "low", "high", "size|shape", "seed", "dtype" }, 3, make_randint },
    { "create_xoroshiro128p_states", { "n", "seed", "subsequence_start" }, 1, make_states },
    { "array", { "object", "dtype" }, 1, make_array_of },
    { "ndarray", { "shape", "dtype", "buffer", "offset", "strides" }, 3, make_ndarray },
    { "readonly", { "array" }, 1, make_readonly },
    { "load", { "file", "key", "dtype", "shape" }, 1, make_load },
    { "reshape", { "array", "shape", "", "", "", "", "", "" }, 2, make_reshape },
    { "transpose", { "array" }, 1, make_transpose },
    { "astype", { "array", "dtype" }, 2, make_astype },
    { "copy", { "array" }, 1, make_copy },
    { "len", { "array" }, 1, make_len },
    { "datetime64", { "value", "unit" }, 1, make_time },
    { "timedelta64", { "value", "unit" }, 1, make_time },
};

static const ValueFunction methods[] = {
    { "reshape", { "shape", "", "", "", "", "", "", "" }, 1, make_reshape },
    { "astype", { "dtype" }, 1, make_astype },
    { "view", { "dtype" }, 1, make_view },
    { "transpose", { NULL }, 0, make_transpose },
    { "copy", { NULL }, 0, make_copy },
};

kjit_dtype value_dtype_named(const char *name)
{
    static const struct {
        const char *name;
        kjit_dtype dtype;
    } pythons[] = {
        { "bool", KJIT_DTYPE_BOOL },          { "bool_", KJIT_DTYPE_BOOL },
        { "int", KJIT_DTYPE_INT64 },          { "float", KJIT_DTYPE_FLOAT64 },
        { "complex", KJIT_DTYPE_COMPLEX128 }, { "half", KJIT_DTYPE_FLOAT16 },
        { "single", KJIT_DTYPE_FLOAT32 },     { "double", KJIT_DTYPE_FLOAT64 },
    };

    for (size_t i = 0; i < ARRAY_COUNT(pythons); i++) {
        if (strcmp(pythons[i].name, name) == 0)
            return pythons[i].dtype;
    }
    const Type *type = type_by_name(name);
    if (!type)
        type = type_time_by_name(name);
    return type ? type_dtype(type) : KJIT_DTYPE_NONE;
}

/* The parts of complex64(1.5, -2): real and imaginary. */
static bool construct_parts(Eval *eval, const AstExprs *args, kjit_dtype dtype, Value *out)
{
    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_SCALAR, .dtype = dtype };
    for (int i = 0; i < 2; i++) {
        Value part;
        if (!value_eval(eval, args->items[i], &part))
            return false;
        if (part.kind != VALUE_ARG || part.arg.kind != KJIT_ARG_SCALAR ||
            dtype_is_complex(part.arg.dtype)) {
            diag_error(eval->diags, args->items[i]->span, "a real number is needed here");
            return false;
        }
        out->arg.as.complex_parts[i] = scalar_cast(&part.arg, KJIT_DTYPE_FLOAT64).as.number;
    }
    return true;
}

/* float32(-4): a dtype called with a number. */
bool value_construct(Eval *eval, const AstExpr *call, kjit_dtype dtype, Value *out)
{
    Value value = { 0 };
    const AstExprs *args = &call->call.args;

    if (args->count == 2 && !call->call.keyword_count && dtype_is_complex(dtype))
        return construct_parts(eval, args, dtype, out);
    if (args->count > 1 || call->call.keyword_count) {
        diag_error(eval->diags, call->span, "%s takes one number", kjit_dtype_name(dtype));
        return false;
    }
    out->kind = VALUE_ARG;
    out->arg = kjit_arg_int64(0);
    if (args->count) {
        if (!value_eval(eval, args->items[0], &value))
            return false;
        if (value.kind != VALUE_ARG || value.arg.kind != KJIT_ARG_SCALAR) {
            diag_error(eval->diags, args->items[0]->span, "a number is needed here");
            return false;
        }
        out->arg = value.arg;
    }
    out->arg = scalar_cast(&out->arg, dtype);
    return true;
}

/* Whether `name` is one of the names in `param`, separated by |. */
static bool param_called(const char *param, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = param; at; at = strchr(at, '|'), at = at ? at + 1 : NULL) {
        if (length && strncmp(at, name, length) == 0 && (at[length] == '|' || !at[length]))
            return true;
    }
    return false;
}

/* The value of an argument. A list is the fields of a record where a dtype is wanted. */
static bool evaluate(ValueCall *call, const ValueFunction *function, int index, const AstExpr *expr)
{
    if (expr->kind == AST_LIST && param_called(function->params[index], "dtype"))
        return value_dtype(call->eval, expr, &call->args[index]);
    return value_eval(call->eval, expr, &call->args[index]);
}

static bool bind_positions(ValueCall *call, const ValueFunction *function)
{
    const AstExprs *args = &call->expr->call.args;

    for (int i = 0; i < args->count; i++) {
        if (i >= ARGS_MAX || !function->params[i]) {
            diag_error(call->eval->diags, args->items[i]->span,
                       "%s takes %d argument%s at the most", function->name, i, i == 1 ? "" : "s");
            return false;
        }
        if (!evaluate(call, function, i, args->items[i]))
            return false;
    }
    return true;
}

static bool bind_keyword(ValueCall *call, const ValueFunction *function, const AstKeyword *keyword)
{
    for (int i = 0; keyword->name && i < ARGS_MAX && function->params[i]; i++) {
        if (!param_called(function->params[i], keyword->name))
            continue;
        if (call->args[i].kind != VALUE_MISSING) {
            diag_error(call->eval->diags, keyword->span, "'%s' is given twice", keyword->name);
            return false;
        }
        return evaluate(call, function, i, keyword->value);
    }
    diag_error(call->eval->diags, keyword->span, "%s has no parameter '%s'", function->name,
               keyword->name ? keyword->name : "**");
    return false;
}

static bool call_bind(ValueCall *call, const ValueFunction *function)
{
    if (!bind_positions(call, function))
        return false;
    for (int i = 0; i < call->expr->call.keyword_count; i++) {
        if (!bind_keyword(call, function, &call->expr->call.keywords[i]))
            return false;
    }
    for (int i = 0; i < function->required; i++) {
        if (call->args[i].kind == VALUE_MISSING) {
            diag_error(call->eval->diags, call->expr->span, "%s needs '%.*s'", function->name,
                       (int)strcspn(function->params[i], "|"), function->params[i]);
            return false;
        }
    }
    return true;
}

static const ValueFunction *find(const ValueFunction *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

/* What somebody who knows NumPy looks for, and what to write. */
static const char *written_instead(const char *name)
{
    static const struct {
        const char *name, *instead;
    } table[] = {
        { "random", "uniform(n)" },
        { "rand", "uniform(n)" },
        { "random_sample", "uniform(n)" },
        { "randn", "normal(n)" },
        { "standard_normal", "normal(n)" },
        { "integers", "randint(low, high, n)" },
        { "asarray", "array(object)" },
        { "range", "arange(n)" },
        { "zeros_like", "zeros(x.shape, dtype=x.dtype)" },
        { "ones_like", "ones(x.shape, dtype=x.dtype)" },
        { "empty_like", "empty(x.shape, dtype=x.dtype)" },
        { "full_like", "full(x.shape, v, dtype=x.dtype)" },
    };

    for (size_t i = 0; i < ARRAY_COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].instead;
    return NULL;
}

/* Says what there is. */
static void list_functions(Eval *eval, const char **list, size_t count, const char *what)
{
    Buf names;

    buf_init(&names, eval->arena);
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", list[i]);
    diag_note(eval->diags, (Span){ 0 }, "%s: %s", what, buf_text(&names));
}

static bool unknown_function(Eval *eval, const AstExpr *call, const char *name, bool method)
{
    enum { NAMES_MOST = 128 };
    const ValueFunction *list = method ? methods : functions;
    size_t count = method ? ARRAY_COUNT(methods) : ARRAY_COUNT(functions);
    const char *names[NAMES_MOST], *what = method ? "method" : "function", *number;
    const char *instead = method ? NULL : written_instead(name);
    Span span = call->call.function->span;

    for (size_t i = 0; i < count; i++)
        names[i] = list[i].name;
    for (size_t i = 0; !method && (number = value_number_function(i)) != NULL; i++)
        names[count++] = number;
    const char *near = instead ? NULL : diag_nearest(name, names, count);
    if (instead)
        diag_error(eval->diags, span, "there is no %s '%s': write %s", what, name, instead);
    else if (near)
        diag_error(eval->diags, span, "there is no %s '%s'; did you mean '%s'?", what, name, near);
    else
        diag_error(eval->diags, span, "there is no %s '%s'", what, name);
    if (!near && !instead)
        list_functions(eval, names, count,
                       method ? "arrays have the methods" : "a value may call any dtype, and");
    return false;
}

bool value_call(Eval *eval, const AstExpr *expr, const char *name, const Value *self, Value *out)
{
    kjit_dtype dtype = self ? KJIT_DTYPE_NONE : value_dtype_named(name);
    const ValueFunction *function = self ? find(methods, ARRAY_COUNT(methods), name)
                                         : find(functions, ARRAY_COUNT(functions), name);
    ValueCall call = { .eval = eval, .expr = expr, .name = name, .self = self };

    if (dtype != KJIT_DTYPE_NONE && !dtype_is_time(dtype))
        return value_construct(eval, expr, dtype, out);
    for (size_t i = 0; !self && !function && value_number_function(i); i++) {
        if (strcmp(value_number_function(i), name) == 0)
            return value_number_call(eval, expr, name, out);
    }
    if (!function)
        return unknown_function(eval, expr, name, self != NULL);
    if (!call_bind(&call, function) || !function->make(&call, out))
        return false;
    out->span = expr->span;
    return true;
}

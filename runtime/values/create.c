/* The functions of value expressions that make arrays: filled, random, or read from files. */
#include "runtime/values/call.h"

#include <math.h>

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

bool make_zeros(ValueCall *call, Value *out)
{
    return make_plain(call, false, NULL, out);
}

bool make_ones(ValueCall *call, Value *out)
{
    kjit_arg one = kjit_arg_int64(1);

    return make_plain(call, false, &one, out);
}

bool make_empty(ValueCall *call, Value *out)
{
    if (!make_plain(call, true, NULL, out))
        return false;
    out->arg.as.array.flags |= KJIT_UNWRITTEN;
    return true;
}

bool make_full(ValueCall *call, Value *out)
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

bool make_arange(ValueCall *call, Value *out)
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

bool make_linspace(ValueCall *call, Value *out)
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

bool make_normal(ValueCall *call, Value *out)
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

bool make_uniform(ValueCall *call, Value *out)
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

bool make_randint(ValueCall *call, Value *out)
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

bool make_states(ValueCall *call, Value *out)
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

bool make_load(ValueCall *call, Value *out)
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

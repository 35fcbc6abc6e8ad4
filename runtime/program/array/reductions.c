/* NumPy's reductions by name: which axes, and what is made of sums. */
#include "runtime/program/array/gather.h"
#include "runtime/array/array.h"

#include <math.h>

/* ---- axes ----------------------------------------------------------------------------------- */

/* The axes that are reduced, in order. */
typedef struct ReducedAxes {
    int list[KJIT_RANK_MAX];
    int count, rank;
    bool all, keep;
} ReducedAxes;

static bool add_axis(Program *p, HostValue given, ReducedAxes *axes)
{
    int64_t wanted;
    int at = axes->count;
    if (!host_integer(p, given, &wanted))
        return false;
    if (!index_wrap(&wanted, axes->rank))
        return host_fail(p, "numpy.exceptions.AxisError",
                         "axis %lld is out of bounds for array of dimension %d",
                         (long long)given.integer, axes->rank);
    for (int i = 0; i < axes->count; i++)
        if (axes->list[i] == wanted)
            return host_fail(p, "ValueError", "duplicate value in 'axis'");
    for (; at > 0 && axes->list[at - 1] > wanted; at--)
        axes->list[at] = axes->list[at - 1];
    axes->list[at] = (int)wanted;
    axes->count++;
    return true;
}

/* All, where none is given; of a ufunc's reduce() the first. */
static bool read_axes(Program *p, const HostArgs *args, HostValue value, ReducedAxes *axes)
{
    int64_t shape[KJIT_RANK_MAX];
    const bool first = args->builtin && strstr(args->builtin->name, ".reduce");
    const HostValue given = args_get(args, 1, "axis", first ? host_int(0) : host_none());
    const HostValue *keep = args_named(args, "keepdims");
    *axes = (ReducedAxes){ .rank = operand_shape(value, shape), .keep = keep && keep->integer };
    axes->all = given.kind == HOST_NONE;
    for (int i = 0; axes->all && i < axes->rank; i++)
        axes->list[axes->count++] = i;
    if (axes->all)
        return true;
    if (given.kind != HOST_TUPLE)
        return add_axis(p, given, axes);
    for (size_t i = 0; i < given.list->count; i++)
        if (!add_axis(p, given.list->items[i], axes))
            return false;
    axes->all = axes->count == axes->rank;
    return true;
}

/* keepdims=True: the axes stay, with one element. */
static bool keep_axes(Program *p, const ReducedAxes *axes, HostValue *out)
{
    HostArray *array;
    kjit_array view;
    if (!host_array_from(p, *out, KJIT_DTYPE_NONE, &array))
        return false;
    for (int i = 0; i < axes->count; i++) {
        kjit_status status = kjit_array_expand(&array->view, axes->list[i], &view);
        if (status != KJIT_OK)
            return host_failed(p, status);
        array = host_array_of(p, array->block, &view);
    }
    return host_give(out, host_object(array));
}

/* Several axes are reduced one after the other, the last first. */
static bool reduce_axes(Program *p, Reduction what, HostValue value, const ReducedAxes *axes,
                        HostValue *out)
{
    if (axes->all)
        return reduce(p, what, value, axes->rank, out);
    *out = value;
    for (int i = axes->count; i-- > 0;)
        if (!reduce(p, what, *out, axes->list[i], out))
            return false;
    return true;
}

bool numpy_cast(Program *p, kjit_dtype dtype, HostValue *value)
{
    if (is_arrays(*value))
        return expression_new(p, "%0", dtype, dtype, value, 1, value);
    kjit_arg scalar = host_scalar(*value);
    scalar = scalar_cast(&scalar, dtype);
    *value = host_number(dtype, &scalar);
    return true;
}

/* ---- sums, extremes, questions -------------------------------------------------------------- */

static bool finish(Program *p, const HostArgs *args, const ReducedAxes *axes, HostValue *out)
{
    return host_settle(p, out) && (!axes->keep || keep_axes(p, axes, out)) &&
           store_out(p, args, out);
}

/* What kernels reduce: an array or an expression that they can read. */
static bool reduced_operand(Program *p, HostValue *value)
{
    return numpy_operand(p, value) &&
           (value->kind != HOST_ARRAY || host_array_aligned(p, &value->array));
}

static bool np_reduction(Program *p, HostArgs *args, HostValue *out)
{
    const Reduction what = *(const Reduction *)args->builtin->with;
    HostValue value = args->values[0];
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    ReducedAxes axes;
    if (!reduced_operand(p, &value) || !read_axes(p, args, value, &axes) ||
        !dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &dtype))
        return false;
    if (what == REDUCE_ANY || what == REDUCE_ALL) {
        HostValue zero = host_int(0);
        if (!host_array_binary(p, AST_NE, value, zero, &value))
            return false;
    } else if (dtype != KJIT_DTYPE_NONE && !numpy_cast(p, dtype, &value)) {
        return false;
    }
    if (!reduce_axes(p, what, value, &axes, out))
        return false;
    if (dtype != KJIT_DTYPE_NONE && operand_dtype(*out) != dtype && !numpy_cast(p, dtype, out))
        return false;
    return finish(p, args, &axes, out);
}

/* ---- means ---------------------------------------------------------------------------------- */

static int64_t count_of(HostValue value, const ReducedAxes *axes)
{
    int64_t shape[KJIT_RANK_MAX], count = 1;
    operand_shape(value, shape);
    for (int i = 0; i < axes->count; i++)
        count *= shape[axes->list[i]];
    return count;
}

/* The sum by a number: integers are added as float64. */
static bool divided_sum(Program *p, HostValue value, const ReducedAxes *axes, double by,
                        HostValue *out)
{
    kjit_dtype dtype = operand_dtype(value);
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype) &&
        !numpy_cast(p, KJIT_DTYPE_FLOAT64, &value))
        return false;
    return reduce_axes(p, REDUCE_SUM, value, axes, out) &&
           host_binary(p, AST_DIV, *out, host_float(by), out) && host_settle(p, out);
}

/* float16 is added as float32. */
static bool mean_of(Program *p, HostValue value, const ReducedAxes *axes, HostValue *out)
{
    bool half = operand_dtype(value) == KJIT_DTYPE_FLOAT16;
    if (half && !numpy_cast(p, KJIT_DTYPE_FLOAT32, &value))
        return false;
    return divided_sum(p, value, axes, (double)count_of(value, axes), out) &&
           (!half || (numpy_cast(p, KJIT_DTYPE_FLOAT16, out) && host_settle(p, out)));
}

static bool np_mean(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    ReducedAxes axes;
    return reduced_operand(p, &value) && read_axes(p, args, value, &axes) &&
           dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &dtype) &&
           (dtype == KJIT_DTYPE_NONE || numpy_cast(p, dtype, &value)) &&
           mean_of(p, value, &axes, out) &&
           (!dtype_is_integer(dtype) || numpy_cast(p, dtype, out)) && finish(p, args, &axes, out);
}

/* The square of a number, or of a complex one's size. */
static bool squared_size(Program *p, HostValue value, HostValue *out)
{
    kjit_dtype dtype = operand_dtype(value);
    if (!dtype_is_complex(dtype))
        return host_binary(p, AST_POW, value, host_int(2), out);
    return expression_new(p, "(%0).real * (%0).real + (%0).imag * (%0).imag", dtype,
                          dtype_part(dtype), &value, 1, out);
}

/* The dtype that sums of a variance are asked to have; KJIT_DTYPE_NONE: none is. */
static bool summed_dtype(Program *p, const HostArgs *args, HostValue value, kjit_dtype *dtype)
{
    if (!dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), dtype))
        return false;
    return *dtype == KJIT_DTYPE_NONE ||
           (dtype_is_float(*dtype) && !dtype_is_complex(operand_dtype(value))) ||
           host_fail(p, "NotImplementedError",
                     "a variance has a dtype of floats, and real numbers to be of");
}

/* The mean of the squares of what there is beside the mean. */
static bool variance(Program *p, const HostArgs *args, HostValue *out, ReducedAxes *axes)
{
    HostValue value = args->values[0], mean, square;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    int64_t freedom;
    if (!reduced_operand(p, &value) || !read_axes(p, args, value, axes) ||
        !summed_dtype(p, args, value, &dtype) ||
        !host_integer(p, args_get(args, SIZE_MAX, "ddof", host_int(0)), &freedom))
        return false;
    const bool asked = dtype != KJIT_DTYPE_NONE;
    double count = (double)count_of(value, axes);
    HostValue summed = value;
    if ((asked && !numpy_cast(p, dtype, &summed)) || !divided_sum(p, summed, axes, count, &mean) ||
        (!axes->all && !keep_axes(p, axes, &mean)))
        return false;
    double left = count - (double)freedom;
    return host_binary(p, AST_SUB, value, mean, &square) && squared_size(p, square, &square) &&
           (!asked || numpy_cast(p, dtype, &square)) &&
           divided_sum(p, square, axes, left > 0 ? left : 0, out);
}

static bool np_var(Program *p, HostArgs *args, HostValue *out)
{
    ReducedAxes axes;
    return variance(p, args, out, &axes) && finish(p, args, &axes, out);
}

static bool np_std(Program *p, HostArgs *args, HostValue *out)
{
    ReducedAxes axes;
    HostValue found;
    const HostBuiltin root = { .name = "np.sqrt" };
    const HostArgs call = { .builtin = &root };
    return variance(p, args, &found, &axes) &&
           numpy_apply(p, &call, "math.sqrt(%0)", GIVES_FLOAT, &found, 1, out) &&
           finish(p, args, &axes, out);
}

/* ---- places of extremes --------------------------------------------------------------------- */

/* From so many on those of all axes are found by kernels, which take several launches. */
enum { PLACES_LEAST = 4096 };

/* The first place of an extreme, row by row; that of a NaN, if there is one. */
static bool extreme_place(Program *p, const kjit_array *view, bool most, int64_t *best)
{
    int64_t index[KJIT_RANK_MAX] = { 0 }, count = array_elements(view);
    HostValue extreme = host_array_element(view, index);
    *best = 0;
    for (int64_t i = 0; i < count; i++, index_next(view, index)) {
        const HostValue value = host_array_element(view, index);
        bool less, nan = dtype_is_float(value.dtype) && isnan(value.number);
        bool done = dtype_is_float(value.dtype) && isnan(extreme.number);
        if (!(most ? host_less(p, extreme, value, &less) : host_less(p, value, extreme, &less)))
            return false;
        if ((less || nan) && !done) {
            extreme = value;
            *best = i;
        }
    }
    return true;
}

/* For each place of the other axes the one along `axis`. */
static bool places_along(Program *p, const HostArray *array, int axis, bool most, HostArray **out)
{
    kjit_array row = array->view, others = array->view;
    int64_t index[KJIT_RANK_MAX] = { 0 };
    row.rank = 1;
    row.shape[0] = array->view.shape[axis];
    row.strides[0] = array->view.strides[axis];
    others.rank--;
    for (int i = axis; i < others.rank; i++) {
        others.shape[i] = array->view.shape[i + 1];
        others.strides[i] = array->view.strides[i + 1];
    }
    if (!host_array_new(p, KJIT_DTYPE_INT64, others.rank, others.shape, false, out))
        return false;
    int64_t *to = (*out)->view.data;
    for (int64_t i = 0, n = array_elements(&others); i < n; i++, index_next(&others, index)) {
        row.data = array->view.data;
        for (int k = 0; k < others.rank; k++)
            row.data = (char *)row.data + index[k] * others.strides[k];
        if (!extreme_place(p, &row, most, &to[i]))
            return false;
    }
    return true;
}

/* By kernels, where there are many or they are on the device; *done: they were found. */
static bool places_by_kernels(Program *p, HostArray *array, const ReducedAxes *axes, bool most,
                              HostValue *out, bool *done)
{
    const int64_t count = array_elements(&array->view);
    HostValue values[] = { host_object(array), host_bool(most) };
    const bool along = axes->count == 1 && axes->rank > 1;
    *done = !dtype_is_complex(array->view.dtype) && gather_by_kernels(p, array, count) &&
            (along || count >= PLACES_LEAST);
    if (!*done)
        return true;
    return along ? reduce(p, most ? REDUCE_ARGMAX : REDUCE_ARGMIN, values[0], axes->list[0], out)
                 : modules_call(p, "np._extreme_place", values, ARRAY_COUNT(values), out);
}

static bool np_argument(Program *p, HostArgs *args, HostValue *out)
{
    const bool most = args->builtin->with; /* else the least */
    HostArray *array, *made;
    ReducedAxes axes;
    int64_t best;
    bool done;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) ||
        !read_axes(p, args, host_object(array), &axes))
        return false;
    const bool along = axes.count == 1 && axes.rank > 1;
    if (along ? !array->view.shape[axes.list[0]] : !array_elements(&array->view))
        return host_fail(p, "ValueError", "attempt to get %s of an empty sequence",
                         most ? "argmax" : "argmin");
    if (!axes.all && !along && axes.rank != 1)
        return host_fail(p, "TypeError", "argmin and argmax take one axis");
    if (!places_by_kernels(p, array, &axes, most, out, &done) || done)
        return done && !p->failed && finish(p, args, &axes, out);
    if (!host_array_read(p, array))
        return false;
    if (along) {
        if (!places_along(p, array, axes.list[0], most, &made))
            return false;
        *out = host_object(made);
        return finish(p, args, &axes, out);
    }
    if (!extreme_place(p, &array->view, most, &best))
        return false;
    const kjit_arg scalar = kjit_arg_int64(best);
    *out = host_number(KJIT_DTYPE_INT64, &scalar);
    return finish(p, args, &axes, out);
}

static const Reduction sums = REDUCE_SUM, products = REDUCE_PROD, least = REDUCE_MIN,
                       most = REDUCE_MAX, any = REDUCE_ANY, all = REDUCE_ALL;

const HostBuiltin reduction_functions[] = {
    { "np.sum", 1, 2, np_reduction, "axis dtype keepdims out", &sums },
    { "np.prod", 1, 2, np_reduction, "axis dtype keepdims out", &products },
    { "np.min", 1, 2, np_reduction, "axis keepdims out", &least },
    { "np.max", 1, 2, np_reduction, "axis keepdims out", &most },
    { "np.amin", 1, 2, np_reduction, "axis keepdims out", &least },
    { "np.amax", 1, 2, np_reduction, "axis keepdims out", &most },
    { "np.any", 1, 2, np_reduction, "axis keepdims out", &any },
    { "np.all", 1, 2, np_reduction, "axis keepdims out", &all },
    { "np.mean", 1, 2, np_mean, "axis dtype keepdims out" },
    { "np.var", 1, 2, np_var, "axis dtype keepdims ddof out" },
    { "np.std", 1, 2, np_std, "axis dtype keepdims ddof out" },
    { "np.argmin", 1, 2, np_argument, "axis keepdims" },
    { "np.argmax", 1, 2, np_argument, "axis keepdims", &most },
    { "np.add.reduce", 1, 2, np_reduction, "axis dtype keepdims", &sums },
    { "np.multiply.reduce", 1, 2, np_reduction, "axis dtype keepdims", &products },
    { "np.minimum.reduce", 1, 2, np_reduction, "axis keepdims", &least },
    { "np.maximum.reduce", 1, 2, np_reduction, "axis keepdims", &most },
    { "np.logical_and.reduce", 1, 2, np_reduction, "axis keepdims", &all },
    { "np.logical_or.reduce", 1, 2, np_reduction, "axis keepdims", &any },
    { NULL, 0, 0, NULL, NULL },
};

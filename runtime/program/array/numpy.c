/* NumPy's functions, and the methods of arrays. */
#include "runtime/program/fuse.h"
#include "runtime/values/call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators by name ---------------------------------------------------------------------- */

#define OPERATION(name, op)                                                                        \
    static bool np_##name(Program *p, HostArgs *args, HostValue *out)                              \
    {                                                                                              \
        return host_binary(p, op, args->values[0], args->values[1], out);                          \
    }
OPERATION(add, AST_ADD)
OPERATION(subtract, AST_SUB)
OPERATION(multiply, AST_MUL)
OPERATION(divide, AST_DIV)
OPERATION(floor_divide, AST_FLOORDIV)
OPERATION(mod, AST_MOD)
OPERATION(power, AST_POW)

static bool np_where(Program *p, HostArgs *args, HostValue *out)
{
    HostValue operands[3];
    kjit_dtype result;
    for (int i = 0; i < 3; i++) {
        operands[i] = args->values[i];
        if (!host_is_number(operands[i]) && !numpy_operand(p, &operands[i]))
            return false;
    }
    HostValue kinds[2];
    for (int i = 0; i < 2; i++)
        kinds[i] = is_arrays(operands[i + 1])
                       ? (HostValue){ .kind = HOST_NUMBER, .dtype = operand_dtype(operands[i + 1]) }
                       : operands[i + 1];
    kjit_dtype dtype = dtype_operands(AST_ADD, kinds[0], kinds[1], &result);
    HostValue zero = host_int(0), condition = operands[0];
    if (operand_dtype(condition) != KJIT_DTYPE_BOOL &&
        !host_compare(p, AST_NE, condition, zero, &condition))
        return false;
    HostValue all[3] = { condition, operands[1], operands[2] };
    if (is_arrays(condition))
        return expression_new(p, "%1 if %0 != 0 else %2", dtype, dtype, all, 3, out);
    bool truth;
    if (!host_truth(p, condition, &truth))
        return false;
    *out = operands[truth ? 1 : 2];
    return true;
}

static bool np_clip(Program *p, HostArgs *args, HostValue *out)
{
    HostValue low = args_get(args, 1, "a_min", host_none()),
              high = args_get(args, 2, "a_max", host_none()), value = args->values[0];
    if (low.kind != HOST_NONE) {
        HostValue operands[2] = { value, low };
        if (!numpy_apply(p, "np.maximum(%0, %1)", GIVES_SAME, operands, 2, &value))
            return false;
    }
    *out = value;
    if (high.kind == HOST_NONE)
        return true;
    HostValue operands[2] = { value, high };
    return numpy_apply(p, "np.minimum(%0, %1)", GIVES_SAME, operands, 2, out);
}

/* ---- reductions ----------------------------------------------------------------------------- */

static bool axis_of(Program *p, const HostArgs *args, HostValue value, int *axis)
{
    int64_t shape[KJIT_RANK_MAX], wanted;
    int rank = operand_shape(value, shape);
    const HostValue given = args_get(args, 1, "axis", host_none());
    *axis = rank;
    if (given.kind == HOST_NONE)
        return true;
    if (given.kind == HOST_TUPLE)
        return host_fail(p, "NotImplementedError", "one axis at a time: write it twice");
    if (!host_integer(p, given, &wanted))
        return false;
    if (!index_wrap(&wanted, rank))
        return host_fail(p, "AxisError", "axis %lld is out of bounds for array of dimension %d",
                         (long long)given.integer, rank);
    *axis = (int)wanted;
    return true;
}

/* keepdims=True: the axis stays, with one element. */
static bool keep_axis(Program *p, const HostArgs *args, int axis, HostValue *out)
{
    const HostValue *keep = args_named(args, "keepdims");
    kjit_array view;
    if (!keep || !keep->integer)
        return true;
    if (out->kind != HOST_ARRAY)
        return host_fail(p, "NotImplementedError",
                         "keepdims is for one axis: .reshape() what there is without it");
    kjit_status status = kjit_array_expand(&out->array->view, axis, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    *out = host_object(host_array_of(p, out->array->block, &view));
    return true;
}

static bool cast_to(Program *p, kjit_dtype dtype, HostValue *value)
{
    if (is_arrays(*value))
        return expression_new(p, "%0", dtype, dtype, value, 1, value);
    kjit_arg scalar = host_scalar(*value);
    scalar = scalar_cast(&scalar, dtype);
    *value = host_number(dtype, &scalar);
    return true;
}

static bool reduction(Program *p, HostArgs *args, Reduction what, HostValue *out)
{
    HostValue value = args->values[0];
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    int axis;
    if (!numpy_operand(p, &value) || !axis_of(p, args, value, &axis) ||
        !dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &dtype))
        return false;
    if (what == REDUCE_ANY || what == REDUCE_ALL) {
        HostValue zero = host_int(0);
        if (!host_array_binary(p, AST_NE, value, zero, &value))
            return false;
    } else if (dtype != KJIT_DTYPE_NONE &&
               !expression_new(p, "%0", dtype, dtype, &value, 1, &value)) {
        return false;
    }
    if (!reduce(p, what, value, axis, out))
        return false;
    if (dtype != KJIT_DTYPE_NONE && operand_dtype(*out) != dtype && !cast_to(p, dtype, out))
        return false;
    return keep_axis(p, args, axis, out);
}

#define REDUCTION(name, what)                                                                      \
    static bool np_##name(Program *p, HostArgs *args, HostValue *out)                              \
    {                                                                                              \
        return reduction(p, args, what, out);                                                      \
    }
REDUCTION(sum, REDUCE_SUM)
REDUCTION(prod, REDUCE_PROD)
REDUCTION(min, REDUCE_MIN)
REDUCTION(max, REDUCE_MAX)
REDUCTION(any, REDUCE_ANY)
REDUCTION(all, REDUCE_ALL)

static bool mean_of(Program *p, HostValue value, int axis, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX], count = 1;
    int rank = operand_shape(value, shape);
    for (int i = 0; i < rank; i++)
        count *= axis == rank || i == axis ? shape[i] : 1;
    return reduce(p, REDUCE_SUM, value, axis, out) &&
           host_binary(p, AST_DIV, *out, host_int(count), out) && host_settle(p, out);
}

static bool np_mean(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    int axis;
    return numpy_operand(p, &value) && axis_of(p, args, value, &axis) &&
           mean_of(p, value, axis, out) && keep_axis(p, args, axis, out);
}

static bool np_var(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0], mean, square;
    kjit_array view;
    int axis;
    if (!numpy_operand(p, &value) || !axis_of(p, args, value, &axis) ||
        !mean_of(p, value, axis, &mean))
        return false;
    if (mean.kind == HOST_ARRAY) {
        kjit_status status = kjit_array_expand(&mean.array->view, axis, &view);
        if (status != KJIT_OK)
            return host_failed(p, status);
        mean = host_object(host_array_of(p, mean.array->block, &view));
    }
    return host_binary(p, AST_SUB, value, mean, &square) &&
           host_binary(p, AST_POW, square, host_int(2), &square) && mean_of(p, square, axis, out) &&
           keep_axis(p, args, axis, out);
}

static bool np_std(Program *p, HostArgs *args, HostValue *out)
{
    HostValue variance;
    if (!np_var(p, args, &variance))
        return false;
    return numpy_apply(p, "math.sqrt(%0)", GIVES_FLOAT, &variance, 1, out) && host_settle(p, out);
}

/* The first place of an extreme, row by row. */
static bool extreme_place(Program *p, HostArgs *args, bool most, HostValue *out)
{
    HostArray *array;
    int64_t index[KJIT_RANK_MAX] = { 0 }, best = 0;
    if (args->count > 1 || args_named(args, "axis"))
        return host_fail(p, "NotImplementedError", "argmin and argmax take no axis: write a loop");
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) || !host_array_read(p, array))
        return false;
    int64_t count = array_elements(&array->view);
    if (!count)
        return host_fail(p, "ValueError", "attempt to get %s of an empty sequence",
                         most ? "argmax" : "argmin");
    HostValue extreme = host_array_element(&array->view, index);
    for (int64_t i = 0; i < count; i++, index_next(&array->view, index)) {
        const HostValue value = host_array_element(&array->view, index);
        bool less, nan = dtype_is_float(value.dtype) && isnan(value.number);
        bool done = dtype_is_float(value.dtype) && isnan(extreme.number);
        if (!(most ? host_less(p, extreme, value, &less) : host_less(p, value, extreme, &less)))
            return false;
        if ((less || nan) && !done) {
            extreme = value;
            best = i;
        }
    }
    const kjit_arg scalar = kjit_arg_int64(best);
    *out = host_number(KJIT_DTYPE_INT64, &scalar);
    return true;
}

static bool np_argmin(Program *p, HostArgs *args, HostValue *out)
{
    return extreme_place(p, args, false, out);
}

static bool np_argmax(Program *p, HostArgs *args, HostValue *out)
{
    return extreme_place(p, args, true, out);
}

/* ---- products ------------------------------------------------------------------------------- */

static bool sliced(Program *p, HostValue value, const kjit_slice *slices, size_t count,
                   HostValue *out)
{
    kjit_array view;
    kjit_status status = kjit_array_slice(&value.array->view, slices, count, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    *out = host_object(host_array_of(p, value.array->block, &view));
    return true;
}

/* A row of a with a column of b for each element of the result, summed along the axis behind. */
bool host_array_product(Program *p, HostValue a, HostValue b, HostValue *out)
{
    const kjit_slice rows[] = { KJIT_ALL, KJIT_NEW_AXIS, KJIT_ALL };
    const kjit_slice columns[] = { KJIT_NEW_AXIS, KJIT_ALL, KJIT_ALL };
    HostArray *left, *right;
    if (!host_array_from(p, a, KJIT_DTYPE_NONE, &left) ||
        !host_array_from(p, b, KJIT_DTYPE_NONE, &right))
        return false;
    int x = left->view.rank, y = right->view.rank;
    if (x < 1 || x > 2 || y < 1 || y > 2)
        return host_fail(p, "NotImplementedError", "products are of arrays of 1 or 2 axes");
    int64_t inner = left->view.shape[x - 1];
    if (inner != right->view.shape[0])
        return host_fail(p, "ValueError",
                         "shapes do not fit: %lld columns on the left, %lld rows on the right",
                         (long long)inner, (long long)right->view.shape[0]);
    HostValue l = host_object(left), r = host_object(right), product;
    kjit_array view;
    if (y == 2) {
        kjit_array_transpose(&right->view, NULL, &view);
        r = host_object(host_array_of(p, right->block, &view));
    }
    if (x == 2 && y == 2 && (!sliced(p, l, rows, 3, &l) || !sliced(p, r, columns, 3, &r)))
        return false;
    int rank = x == 2 && y == 2 ? 3 : x == 2 || y == 2 ? 2 : 1;
    if (!host_binary(p, AST_MUL, l, r, &product) || !reduce(p, REDUCE_SUM, product, rank - 1, out))
        return false;
    return operand_dtype(*out) == operand_dtype(product) ||
           cast_to(p, operand_dtype(product), out); /* a sum is wider */
}

static bool np_dot(Program *p, HostArgs *args, HostValue *out)
{
    return host_array_product(p, args->values[0], args->values[1], out);
}

/* ---- comparisons of arrays ------------------------------------------------------------------ */

/* How many elements are further apart than atol + rtol * |b|; NaN is near NaN alone. */
static bool count_far(Program *p, const HostArgs *args, double rtol, double atol, bool nan_equal,
                      int64_t *far, int64_t *count, double *worst)
{
    HostArray *a, *b;
    HostValue operands[2] = { args->values[0], args->values[1] }, sum;
    int64_t shape[KJIT_RANK_MAX], index[KJIT_RANK_MAX] = { 0 };
    kjit_array x, y;
    for (int i = 0; i < 2; i++)
        if (!numpy_operand(p, &operands[i]))
            return false;
    if (!host_array_from(p, operands[0], KJIT_DTYPE_NONE, &a) ||
        !host_array_from(p, operands[1], KJIT_DTYPE_NONE, &b) || !host_array_read(p, a) ||
        !host_array_read(p, b) ||
        !expression_new(p, "%0", KJIT_DTYPE_NONE, KJIT_DTYPE_FLOAT64,
                        (HostValue[]){ host_object(a), host_object(b) }, 2, &sum))
        return false;
    int rank = operand_shape(sum, shape);
    kjit_array_broadcast(&a->view, rank, shape, &x);
    kjit_array_broadcast(&b->view, rank, shape, &y);
    *count = array_elements(&x);
    *far = 0;
    *worst = 0;
    for (int64_t i = 0; i < *count; i++, index_next(&x, index)) {
        double v = host_as_double(host_array_element(&x, index));
        double w = host_as_double(host_array_element(&y, index));
        bool near = v == w || (nan_equal && isnan(v) && isnan(w)) ||
                    (isfinite(v) && isfinite(w) && fabs(v - w) <= atol + rtol * fabs(w));
        *far += !near;
        if (!near && fabs(v - w) > *worst)
            *worst = fabs(v - w);
    }
    return true;
}

static bool tolerances(Program *p, const HostArgs *args, double *rtol, double *atol)
{
    return host_double(p, args_get(args, 2, "rtol", host_float(*rtol)), rtol) &&
           host_double(p, args_get(args, 3, "atol", host_float(*atol)), atol);
}

static bool np_allclose(Program *p, HostArgs *args, HostValue *out)
{
    double rtol = 1e-5, atol = 1e-8, worst;
    int64_t far, count;
    const HostValue *nan = args_named(args, "equal_nan");
    if (!tolerances(p, args, &rtol, &atol) ||
        !count_far(p, args, rtol, atol, nan && nan->integer, &far, &count, &worst))
        return false;
    *out = host_bool(far == 0);
    return true;
}

static bool same_shape(HostValue a, HostValue b)
{
    int64_t x[KJIT_RANK_MAX], y[KJIT_RANK_MAX];
    int rank = operand_shape(a, x);
    return rank == operand_shape(b, y) && memcmp(x, y, (size_t)rank * sizeof *x) == 0;
}

static bool np_array_equal(Program *p, HostArgs *args, HostValue *out)
{
    double worst;
    int64_t far = 0, count;
    HostValue a = args->values[0], b = args->values[1];
    if (!numpy_operand(p, &a) || !numpy_operand(p, &b))
        return false;
    bool same = same_shape(a, b);
    if (same && !count_far(p, args, 0, 0, false, &far, &count, &worst))
        return false;
    *out = host_bool(same && far == 0);
    return true;
}

static bool assert_near(Program *p, HostArgs *args, double rtol, double atol)
{
    double worst;
    int64_t far, count;
    if (!tolerances(p, args, &rtol, &atol) ||
        !count_far(p, args, rtol, atol, true, &far, &count, &worst))
        return false;
    if (!far)
        return true;
    Buf text;
    buf_init(&text, &p->scratch);
    float_repr(&text, worst);
    return host_fail(p, "AssertionError",
                     "Not equal to tolerance rtol=%g, atol=%g: mismatched elements: %lld / %lld, "
                     "max absolute difference: %s",
                     rtol, atol, (long long)far, (long long)count, buf_text(&text));
}

static bool np_assert_allclose(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return assert_near(p, args, 1e-7, 0);
}

static bool np_assert_equal(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs two = { .values = args->values, .count = 2 };
    *out = host_none();
    return assert_near(p, &two, 0, 0);
}

const HostBuiltin numpy_functions[] = {
    { "np.add", 2, 2, np_add, NULL },
    { "np.subtract", 2, 2, np_subtract, NULL },
    { "np.multiply", 2, 2, np_multiply, NULL },
    { "np.divide", 2, 2, np_divide, NULL },
    { "np.true_divide", 2, 2, np_divide, NULL },
    { "np.floor_divide", 2, 2, np_floor_divide, NULL },
    { "np.mod", 2, 2, np_mod, NULL },
    { "np.remainder", 2, 2, np_mod, NULL },
    { "np.power", 2, 2, np_power, NULL },
    { "np.where", 3, 3, np_where, NULL },
    { "np.clip", 1, 3, np_clip, "a_min a_max" },
    { "np.sum", 1, 2, np_sum, "axis dtype keepdims" },
    { "np.prod", 1, 2, np_prod, "axis dtype keepdims" },
    { "np.min", 1, 2, np_min, "axis keepdims" },
    { "np.max", 1, 2, np_max, "axis keepdims" },
    { "np.amin", 1, 2, np_min, "axis keepdims" },
    { "np.amax", 1, 2, np_max, "axis keepdims" },
    { "np.any", 1, 2, np_any, "axis keepdims" },
    { "np.all", 1, 2, np_all, "axis keepdims" },
    { "np.mean", 1, 2, np_mean, "axis keepdims" },
    { "np.var", 1, 2, np_var, "axis keepdims" },
    { "np.std", 1, 2, np_std, "axis keepdims" },
    { "np.argmin", 1, 2, np_argmin, "axis" },
    { "np.argmax", 1, 2, np_argmax, "axis" },
    { "np.dot", 2, 2, np_dot, NULL },
    { "np.matmul", 2, 2, np_dot, NULL },
    { "np.allclose", 2, 4, np_allclose, "rtol atol equal_nan" },
    { "np.array_equal", 2, 2, np_array_equal, NULL },
    { "np.testing.assert_allclose", 2, 4, np_assert_allclose, "rtol atol err_msg" },
    { "np.testing.assert_array_equal", 2, 2, np_assert_equal, "err_msg" },
    { "np.testing.assert_equal", 2, 2, np_assert_equal, "err_msg" },
    { NULL, 0, 0, NULL, NULL },
};

/* NumPy's functions, and the methods of arrays. */
#include "runtime/array/array.h"
#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

#include <math.h>

/* ---- operators by name ---------------------------------------------------------------------- */

/* Of Python's numbers they give NumPy's; lists are arrays. */
static bool np_operation(Program *p, HostArgs *args, HostValue *out)
{
    const AstOp op = *(const AstOp *)args->builtin->with;
    HostValue operands[2] = { args->values[0], args->values[1] };
    bool numbers = host_is_number(operands[0]) && host_is_number(operands[1]);
    for (int i = 0; i < 2; i++)
        if (!host_is_number(operands[i]) && !numpy_operand(p, &operands[i]))
            return false;
    if (numbers && operands[0].kind != HOST_NUMBER && operands[1].kind != HOST_NUMBER)
        numpy_scalars(operands, 2);
    if (op >= AST_EQ && op <= AST_GE)
        return host_compare(p, op, operands[0], operands[1], out);
    return host_binary(p, op, operands[0], operands[1], out) && store_out(p, args, out);
}

/* np.where(mask): where it is true, an array an axis. */
static bool true_places(Program *p, HostValue value, HostValue *out)
{
    HostArray *array, *places[KJIT_RANK_MAX];
    if (!host_array_from(p, value, KJIT_DTYPE_NONE, &array))
        return false;
    if (!array->view.rank)
        return host_fail(p, "ValueError", "Calling nonzero on 0d arrays is not allowed.");
    if (!gather_where(p, array, places))
        return false;
    *out = host_items(p, HOST_TUPLE, NULL, 0);
    for (int i = 0; i < array->view.rank; i++)
        host_append(p, out->list, host_object(places[i]));
    return true;
}

static bool np_where(Program *p, HostArgs *args, HostValue *out)
{
    if (args->count == 1)
        return true_places(p, args->values[0], out);
    if (args->count == 2)
        return host_fail(p, "ValueError", "either both or neither of x and y should be given");
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
    for (int i = 1; i < 3; i++) /* what is too large for the dtype is cut, not refused */
        if (operands[i].kind == HOST_INT && dtype_is_integer(dtype) &&
            (!numpy_cast(p, KJIT_DTYPE_INT64, &operands[i]) || !numpy_cast(p, dtype, &operands[i])))
            return false;
    HostValue all[3] = { condition, operands[1], operands[2] };
    bool arrays = false;
    for (int i = 0; i < 3; i++)
        arrays |= is_arrays(all[i]);
    if (is_arrays(condition) || (arrays && numpy_operand(p, &all[0])))
        return expression_new(p, "%1 if %0 != 0 else %2", dtype, dtype, all, 3, out);
    HostArray *array;
    bool truth;
    if (!host_truth(p, condition, &truth))
        return false;
    if (!host_array_from(p, operands[truth ? 1 : 2], dtype, &array))
        return false;
    return host_give(out, host_object(array));
}

/* Whether a bound of clip() is a Python int that no element of the dtype is beyond. */
static bool bounds_nothing(HostValue value, HostValue bound, bool above)
{
    const kjit_dtype dtype = is_arrays(value) ? operand_dtype(value) : host_dtype_of(value);
    if (bound.kind != HOST_INT || !dtype_is_integer(dtype))
        return false;
    if (dtype >= KJIT_DTYPE_UINT8 && !above)
        return bound.integer <= 0;
    const int bits = (int)kjit_dtype_bytes(dtype) * 8 - (dtype < KJIT_DTYPE_UINT8);
    if (bits >= 63)
        return bits == 63 && bound.integer == (above ? INT64_MAX : INT64_MIN);
    return above ? bound.integer >= (1LL << bits) - 1 : bound.integer <= -(1LL << bits);
}

static bool np_clip(Program *p, HostArgs *args, HostValue *out)
{
    HostValue low = args_get(args, 1, "a_min", args_get(args, SIZE_MAX, "min", host_none())),
              high = args_get(args, 2, "a_max", args_get(args, SIZE_MAX, "max", host_none())),
              value = args->values[0];
    if (!host_is_number(value) && !numpy_operand(p, &value))
        return false;
    numpy_scalars(&value, 1);
    if (bounds_nothing(value, low, false))
        low = host_none();
    if (bounds_nothing(value, high, true))
        high = host_none();
    if (low.kind == HOST_NONE && high.kind == HOST_NONE)
        return numpy_apply(p, NULL, "%0", GIVES_SAME, &value, 1, out) && store_out(p, args, out);
    if (low.kind != HOST_NONE) {
        HostValue operands[2] = { value, low };
        if (!numpy_apply(p, NULL, "np.maximum(%0, %1)", GIVES_SAME, operands, 2, &value))
            return false;
    }
    *out = value;
    HostValue operands[2] = { value, high };
    return (high.kind == HOST_NONE ||
            numpy_apply(p, NULL, "np.minimum(%0, %1)", GIVES_SAME, operands, 2, out)) &&
           store_out(p, args, out);
}

/* ---- products ------------------------------------------------------------------------------- */

static bool sliced(Program *p, HostValue value, const kjit_slice *slices, size_t count,
                   HostValue *out)
{
    kjit_array view;
    kjit_status status = kjit_array_slice(&value.array->view, slices, count, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    return host_give(out, host_object(host_array_of(p, value.array->block, &view)));
}

/* The same with a new axis before the last `kept` ones. */
static bool widened(Program *p, HostValue value, int kept, HostValue *out)
{
    kjit_slice slices[KJIT_RANK_MAX + 1];
    const int rank = value.array->view.rank;
    for (int i = 0; i <= rank; i++)
        slices[i] = (kjit_slice)KJIT_ALL;
    slices[rank - kept] = (kjit_slice)KJIT_NEW_AXIS;
    return sliced(p, value, slices, (size_t)rank + 1, out);
}

/* The same with its last two axes exchanged. */
static HostArray *columns_first(Program *p, HostArray *array)
{
    int32_t axes[KJIT_RANK_MAX];
    kjit_array view;
    const int rank = array->view.rank;
    for (int i = 0; i < rank; i++)
        axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    kjit_array_transpose(&array->view, axes, &view);
    return host_array_of(p, array->block, &view);
}

/* A row of a with a column of b for each element of the result, summed along the axis behind; of
** stacks of matrices, those that stand side by side. */
bool host_array_product(Program *p, HostValue a, HostValue b, HostValue *out)
{
    HostArray *left, *right;
    if (!host_array_from(p, a, KJIT_DTYPE_NONE, &left) ||
        !host_array_from(p, b, KJIT_DTYPE_NONE, &right))
        return false;
    const int x = left->view.rank, y = right->view.rank;
    if (x < 1 || y < 1)
        return host_fail(p, "ValueError", "matmul: Input operand does not have enough dimensions");
    int64_t inner = left->view.shape[x - 1], rows = right->view.shape[y > 1 ? y - 2 : 0];
    if (inner != rows)
        return host_fail(p, "ValueError",
                         "shapes do not fit: %lld columns on the left, %lld rows on the right",
                         (long long)inner, (long long)rows);
    HostValue l = host_object(left), r = host_object(y > 1 ? columns_first(p, right) : right);
    if (x > 1 && y > 1 && (!widened(p, l, 1, &l) || !widened(p, r, 2, &r)))
        return false;
    HostValue product;
    int64_t shape[KJIT_RANK_MAX];
    if (!host_binary(p, AST_MUL, l, r, &product) ||
        !reduce(p, REDUCE_SUM, product, operand_shape(product, shape) - 1, out))
        return false;
    return operand_dtype(*out) == operand_dtype(product) ||
           numpy_cast(p, operand_dtype(product), out); /* a sum is wider */
}

/* Each matrix of a stack with each of another, as np.dot() has it. */
static bool product_of_each(Program *p, HostValue a, HostValue b, HostValue *out)
{
    HostValue function, axes[] = { host_int(-1), host_int(-2) };
    HostValue values[] = { a, b, host_items(p, HOST_TUPLE, axes, 2) };
    HostArgs call = { .values = values, .count = 3 };
    return modules_find(p, "np.tensordot", &function) && host_call(p, function, &call, out);
}

/* Of a number, 0. */
static int rank_of(HostValue value)
{
    int64_t shape[KJIT_RANK_MAX];
    return host_is_number(value) ? 0 : operand_shape(value, shape);
}

static bool np_dot(Program *p, HostArgs *args, HostValue *out)
{
    HostValue operands[2] = { args->values[0], args->values[1] };
    const bool matmul = strcmp(args->builtin->name, "np.matmul") == 0;
    for (int i = 0; i < 2; i++)
        if (!host_is_number(operands[i]) && !numpy_operand(p, &operands[i]))
            return false;
    const int x = rank_of(operands[0]), y = rank_of(operands[1]);
    numpy_scalars(operands, 2);
    bool fine;
    if (x && y && !matmul && y > 1 && x + y > 4)
        fine = product_of_each(p, operands[0], operands[1], out);
    else if (matmul || (x && y))
        fine = host_array_product(p, operands[0], operands[1], out) && host_settle(p, out);
    else
        fine = host_binary(p, AST_MUL, operands[0], operands[1], out);
    return fine && store_out(p, args, out);
}

/* ---- comparisons of arrays ------------------------------------------------------------------ */

static bool is_nan(Complex z)
{
    return isnan(z.real) || isnan(z.imaginary);
}

/* How many elements are further apart than atol + rtol * |b|; NaN is near NaN alone. */
static bool count_far(Program *p, const HostArgs *args, double rtol, double atol, bool nan_equal,
                      int64_t *far, int64_t *count, double *worst)
{
    HostArray *a, *b;
    HostValue operands[2] = { args->values[0], args->values[1] };
    int64_t shape[KJIT_RANK_MAX], index[KJIT_RANK_MAX] = { 0 };
    int rank;
    kjit_array x, y;
    for (int i = 0; i < 2; i++)
        if (!numpy_operand(p, &operands[i]))
            return false;
    if (!host_array_from(p, operands[0], KJIT_DTYPE_NONE, &a) ||
        !host_array_from(p, operands[1], KJIT_DTYPE_NONE, &b) || !host_array_read(p, a) ||
        !host_array_read(p, b) ||
        !operands_shape(p, (HostValue[]){ host_object(a), host_object(b) }, 2, &rank, shape))
        return false;
    kjit_array_broadcast(&a->view, rank, shape, &x);
    kjit_array_broadcast(&b->view, rank, shape, &y);
    *count = array_elements(&x);
    *far = 0;
    *worst = 0;
    for (int64_t i = 0; i < *count; i++, index_next(&x, index)) {
        const Complex v = host_parts(host_array_element(&x, index));
        const Complex w = host_parts(host_array_element(&y, index));
        double apart = hypot(v.real - w.real, v.imaginary - w.imaginary);
        bool same = v.real == w.real && v.imaginary == w.imaginary;
        bool finite =
            isfinite(v.real) && isfinite(v.imaginary) && isfinite(w.real) && isfinite(w.imaginary);
        bool near = same || (nan_equal && is_nan(v) && is_nan(w)) ||
                    (finite && apart <= atol + rtol * hypot(w.real, w.imaginary));
        *far += !near;
        if (!near && apart > *worst)
            *worst = apart;
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
    return host_give(out, host_bool(far == 0));
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
    return host_give(out, host_bool(same && far == 0));
}

/* Of arrays that are not of one shape, where neither is a number: nothing of them is compared. */
static bool shapes_differ(Program *p, HostValue a, HostValue b, const Buf *head)
{
    const HostValue both[2] = { a, b };
    int64_t shape[KJIT_RANK_MAX];
    Buf text = buf_in(&p->scratch);
    for (int i = 0; i < 2; i++) {
        const int rank = operand_shape(both[i], shape);
        const HostValue sizes = host_room(p, HOST_TUPLE, (size_t)rank);
        for (int axis = 0; axis < rank; axis++)
            host_append(p, sizes.list, host_int(shape[axis]));
        buf_puts(&text, i ? ", " : "\n(shapes ");
        host_repr(p, &text, sizes);
    }
    buf_puts(&text, " mismatch)");
    for (int i = 0; i < 2; i++) {
        buf_puts(&text, i ? "\n DESIRED: " : "\n ACTUAL: ");
        host_repr(p, &text, both[i]);
    }
    return p->failed || !host_fail(p, "AssertionError", "\n%s%s", buf_text(head), buf_text(&text));
}

/* `what` is said where they are not. */
static bool assert_near(Program *p, HostArgs *args, double rtol, double atol, const char *what)
{
    double worst;
    int64_t far, count;
    const HostValue *nan = args_named(args, "equal_nan"), *said = args_named(args, "err_msg");
    bool equal_nan = true;
    Buf text = buf_in(&p->scratch);
    HostValue a = args->values[0], b = args->values[1];
    int64_t shape[KJIT_RANK_MAX];
    if (!tolerances(p, args, &rtol, &atol))
        return false;
    buf_printf(&text, what, rtol, atol);
    buf_puts(&text, "\n");
    if (said && said->kind == HOST_STRING)
        buf_puts(&text, said->string->text);
    if (!numpy_operand(p, &a) || !numpy_operand(p, &b) ||
        (operand_shape(a, shape) && operand_shape(b, shape) && !same_shape(a, b) &&
         shapes_differ(p, a, b, &text)))
        return false;
    if ((nan && !host_truth(p, *nan, &equal_nan)) ||
        !count_far(p, args, rtol, atol, equal_nan, &far, &count, &worst))
        return false;
    if (!far)
        return true;
    buf_printf(&text,
               "\nMismatched elements: %lld / %lld (%.3g%%)\nMax absolute difference among "
               "violations: ",
               (long long)far, (long long)count, 100.0 * (double)far / (double)count);
    float_repr(&text, worst);
    return host_fail(p, "AssertionError", "\n%s", buf_text(&text));
}

static bool np_assert_allclose(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return assert_near(p, args, 1e-7, 0, "Not equal to tolerance rtol=%g, atol=%g");
}

static bool np_assert_equal(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs two = *args;
    two.count = 2;
    *out = host_none();
    return assert_near(p, &two, 0, 0, "Arrays are not equal");
}

/* ---- views and dtypes ----------------------------------------------------------------------- */

static bool np_broadcast_to(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    kjit_array view;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array) ||
        !shape_from(p, args->values[1], shape, &rank))
        return false;
    kjit_status status = kjit_array_broadcast(&array->view, rank, shape, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    view.flags |= KJIT_READONLY;
    return host_give(out, host_object(host_array_of(p, array->block, &view)));
}

/* {"names": ["x", "y"], "formats": [np.float32, np.int32]} as a list of pairs. */
static bool fields_of(Program *p, HostValue *dict)
{
    HostValue *names, *formats, all[2];
    if (!dict_find(p, dict->dict, host_text(p, "names"), &names) ||
        !dict_find(p, dict->dict, host_text(p, "formats"), &formats))
        return false;
    if (!names || !formats || dict->dict->live != 2)
        return host_fail(p, "NotImplementedError",
                         "a dtype's dictionary has names and formats here, and no offsets: write a "
                         "list of fields, and align=True");
    if (!host_collect(p, HOST_LIST, *names, &all[0]) ||
        !host_collect(p, HOST_LIST, *formats, &all[1]))
        return false;
    if (all[0].list->count != all[1].list->count)
        return host_fail(p, "ValueError", "all items in the dictionary must have the same length.");
    *dict = host_room(p, HOST_LIST, all[0].list->count);
    for (size_t i = 0; i < all[0].list->count; i++) {
        const HostValue pair[2] = { all[0].list->items[i], all[1].list->items[i] };
        host_append(p, dict->list, host_items(p, HOST_TUPLE, pair, 2));
    }
    return true;
}

static bool np_dtype(Program *p, HostArgs *args, HostValue *out)
{
    kjit_array like = { .dtype = KJIT_DTYPE_FLOAT64 };
    HostValue given = args->values[0], align = args_get(args, 1, "align", host_bool(false));
    bool padded = false;
    if (!host_truth(p, align, &padded))
        return false;
    if (given.kind == HOST_DICT && !fields_of(p, &given))
        return false;
    if (given.kind == HOST_LIST)
        return record_dtype(p, given, padded, out);
    if (!element_from(p, given, &like))
        return false;
    return host_give(out, dtype_value(like.dtype, like.record));
}

/* The dtype that NumPy promotes all of them to. */
static bool np_result_type(Program *p, HostArgs *args, HostValue *out)
{
    kjit_dtype dtype = KJIT_DTYPE_NONE, next, result;
    for (size_t i = 0; i < args->count; i++) {
        HostValue value = args->values[i];
        if (is_arrays(value) || host_is_number(value))
            next = operand_dtype(value);
        else if (!dtype_from(p, value, &next))
            return false;
        const HostValue two[2] = { { .kind = HOST_NUMBER, .dtype = dtype },
                                   { .kind = HOST_NUMBER, .dtype = next } };
        const HostValue other = host_is_weak(value) ? value : two[1];
        dtype = i ? dtype_operands(AST_ADD, two[0], other, &result) : next;
    }
    return host_give(out, (HostValue){ .kind = HOST_DTYPE, .dtype = dtype, .integer = 1 });
}

/* np.iinfo and np.finfo. */
static bool np_limits(Program *p, HostArgs *args, HostValue *out)
{
    const bool floats = strcmp(args->builtin->name, "np.finfo") == 0;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    HostValue value = args->values[0];
    if (is_arrays(value) || host_is_number(value))
        dtype = operand_dtype(value);
    else if (!dtype_from(p, value, &dtype))
        return false;
    if (floats && dtype_is_complex(dtype))
        dtype = dtype_part(dtype);
    if (floats ? !dtype_is_float(dtype) : !dtype_is_integer(dtype))
        return host_fail(p, "ValueError", "np.%cinfo() takes a dtype of %s, not %s",
                         floats ? 'f' : 'i', floats ? "floats" : "integers",
                         kjit_dtype_name(dtype));
    return host_give(out, (HostValue){ .kind = HOST_LIMITS, .dtype = dtype });
}

bool host_limits_attribute(Program *p, kjit_dtype dtype, const char *name, HostValue *out)
{
    const Type *type = dtype_type(dtype);
    const bool most = strcmp(name, "max") == 0;
    kjit_arg limit = kjit_arg_float64(0);
    if (strcmp(name, "bits") == 0)
        *out = host_int(8 * (int)kjit_dtype_bytes(dtype));
    else if (strcmp(name, "dtype") == 0)
        *out = (HostValue){ .kind = HOST_DTYPE, .dtype = dtype, .integer = 1 };
    else if (dtype_is_float(dtype) && type_float_limit(type, name, &limit.as.number))
        *out = host_number(dtype, &limit);
    else if (dtype_is_float(dtype) || (!most && strcmp(name, "min") != 0))
        return false;
    else if (most && dtype == KJIT_DTYPE_UINT64)
        return wide_plain(p, (HostValue){ .kind = HOST_NUMBER, .dtype = dtype, .integer = -1 },
                          out);
    else
        *out = host_int(type_integer_limit(type, most));
    return true;
}

/* clang-format off */
#define OPERATION(name, op) { "np." #name, 2, 2, np_operation, "out", &(const AstOp){ AST_##op } }
#define COMPARISON(name, op) { "np." #name, 2, 2, np_operation, NULL, &(const AstOp){ AST_##op } }

const HostBuiltin numpy_functions[] = {
    OPERATION(add, ADD), OPERATION(subtract, SUB), OPERATION(multiply, MUL),
    OPERATION(divide, DIV), OPERATION(true_divide, DIV), OPERATION(floor_divide, FLOORDIV),
    OPERATION(mod, MOD), OPERATION(remainder, MOD), OPERATION(power, POW),
    OPERATION(bitwise_and, BITAND), OPERATION(bitwise_or, BITOR), OPERATION(bitwise_xor, BITXOR),
    OPERATION(left_shift, LSHIFT), OPERATION(right_shift, RSHIFT),
    COMPARISON(equal, EQ), COMPARISON(not_equal, NE), COMPARISON(less, LT),
    COMPARISON(less_equal, LE), COMPARISON(greater, GT), COMPARISON(greater_equal, GE),
    { "np.broadcast_to", 2, 2, np_broadcast_to, NULL },
    { "np.dtype", 1, 2, np_dtype, "align" },
    { "numba.from_dtype", 1, 1, np_dtype, NULL },
    { "np.result_type", 1, -1, np_result_type, NULL },
    { "np.promote_types", 2, 2, np_result_type, NULL },
    { "np.iinfo", 1, 1, np_limits, NULL },
    { "np.finfo", 1, 1, np_limits, NULL },
    { "np.where", 1, 3, np_where, NULL },
    { "np.clip", 1, 3, np_clip, "a_min a_max min max out" },
    { "np.dot", 2, 2, np_dot, "out" },
    { "np.matmul", 2, 2, np_dot, "out" },
    { "np.allclose", 2, 4, np_allclose, "rtol atol equal_nan" },
    { "np.array_equal", 2, 2, np_array_equal, NULL },
    { "np.testing.assert_allclose", 2, 4, np_assert_allclose,
      "rtol atol equal_nan err_msg verbose" },
    { "np.testing.assert_array_equal", 2, 2, np_assert_equal, "err_msg verbose" },
    { "np.testing.assert_equal", 2, 2, np_assert_equal, "err_msg verbose" },
    { NULL, 0, 0, NULL, NULL },
};
/* clang-format on */

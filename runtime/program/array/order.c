/* What goes along an axis one element after the other: sorting, running sums; and counting. Large
** arrays are left to kernels, those of the standard library or one a row, and stay where they are:
** legal where NumPy's bits do not depend on the order, or a row is one thread's; pays from as many
** elements as a launch takes the host to do. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

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

/* The same of all rows, by kernels; leaves *out None if they are not worth it. */
typedef bool ByKernels(Program *p, HostArray *array, int axis, kjit_dtype dtype, HostValue *out);

enum { DEVICE_LEAST = 4096, HOST_LEAST = 1 << 20, ROWS_LEAST = 64 };

/* Whether kernels are worth their launches: the host has smaller arrays done meanwhile. The
** library has places as int32, and ranks of a group would wait for one another. */
static bool is_large(const Program *p, const kjit_array *view)
{
    const int64_t count = array_elements(view);
    return p->context && !p->group && count >= (host_shares(p) ? HOST_LEAST : DEVICE_LEAST) &&
           count < INT32_MAX;
}

/* A new array with the shape of another, whose axes lie as there, as NumPy has it. */
static bool new_along(Program *p, const HostArray *array, kjit_dtype dtype, HostArray **made)
{
    kjit_array element = array->view;
    element.dtype = dtype == KJIT_DTYPE_NONE ? element.dtype : dtype;
    return host_array_new_like(p, &element, &array->view, 'K', made);
}

static bool places_row(Program *p, const kjit_array *from, const kjit_array *to);

/* What kernels have left by rows, as the axes of another array lie. */
static bool lay_out(Program *p, const HostArray *array, HostValue *out)
{
    HostArray *made;
    if (array->view.rank < 2 || kjit_array_is_contiguous(&array->view, 0))
        return true;
    if (!new_along(p, array, operand_dtype(*out), &made) || !host_array_assign(p, made, *out))
        return false;
    return host_give(out, host_object(made));
}

/* Along the axis that is given, else `otherwise`; None is all of the array as one row. */
static bool along(Program *p, HostArgs *args, HostValue otherwise, kjit_dtype dtype, AlongRow *make,
                  ByKernels *by_kernels, HostValue *out)
{
    HostArray *array, *made;
    HostValue given = args_get(args, 1, "axis", otherwise);
    int64_t axis = -1;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
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
        return host_fail(p, "numpy.exceptions.AxisError",
                         "axis %lld is out of bounds for array of dimension %d", (long long)axis,
                         array->view.rank);
    *out = host_none();
    if (by_kernels && is_large(p, &array->view) && !by_kernels(p, array, (int)axis, dtype, out))
        return false;
    const bool places = make == places_row; /* which NumPy leaves by rows */
    if (out->kind != HOST_NONE)
        return places || lay_out(p, array, out);
    if (places ? !host_array_new(p, dtype, array->view.rank, array->view.shape, false, &made)
               : !new_along(p, array, dtype, &made))
        return false;
    *out = host_object(made);
    return !array_elements(&made->view) ||
           (host_array_read(p, array) && each_row(p, &array->view, &made->view, (int)axis, make));
}

static void store_at(const kjit_array *row, int64_t at, const kjit_arg *scalar)
{
    const kjit_arg cast = scalar_cast(scalar, row->dtype);
    scalar_store(&cast, (char *)row->data + at * row->strides[0]);
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* What is sorted: unsigned numbers that are ordered as the elements, with their places. NaN goes to
** the end, and zeros are equal. */
typedef struct Placed {
    uint64_t key;
    int64_t place;
} Placed;

static uint64_t order_key(HostValue value)
{
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits;
    if (!dtype_is_float(value.dtype))
        return (uint64_t)value.integer ^ (value.dtype == KJIT_DTYPE_UINT64 ? 0 : sign);
    if (value.number != value.number)
        return UINT64_MAX;
    const double number = value.number + 0.0;
    memcpy(&bits, &number, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

/* Sorts by eight bits at a time, from the least on; those that all have are left out. */
static void sort_placed(Placed **items, Placed **spare, size_t count)
{
    for (int bit = 0; bit < 64; bit += 8) {
        size_t starts[257] = { 0 };
        for (size_t i = 0; i < count; i++)
            starts[((*items)[i].key >> bit & 255) + 1]++;
        if (starts[((*items)[0].key >> bit & 255) + 1] == count)
            continue;
        for (int d = 0; d < 256; d++)
            starts[d + 1] += starts[d];
        for (size_t i = 0; i < count; i++)
            (*spare)[starts[(*items)[i].key >> bit & 255]++] = (*items)[i];
        Placed *sorted = *spare;
        *spare = *items;
        *items = sorted;
    }
}

static bool sort_row(Program *p, const kjit_array *from, const kjit_array *to, bool places)
{
    const size_t count = (size_t)from->shape[0], bytes = kjit_dtype_bytes(from->dtype);
    Placed *memory = memory_zeroed(2 * count + 1, sizeof *memory);
    Placed *items = memory, *spare = memory ? memory + count : NULL;
    if (!memory)
        arena_give_up(p->arena);
    for (int64_t i = 0; i < (int64_t)count; i++)
        items[i] = (Placed){ order_key(host_array_element(from, &i)), i };
    sort_placed(&items, &spare, count);
    for (size_t i = 0; i < count; i++) {
        char *at = (char *)to->data + (int64_t)i * to->strides[0];
        const char *element = (const char *)from->data + items[i].place * from->strides[0];
        memcpy(at, places ? (const char *)&items[i].place : element, places ? 8 : bytes);
    }
    memory_free(memory);
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

static bool sort_by_kernels(Program *p, HostArray *array, int axis, kjit_dtype dtype,
                            HostValue *out)
{
    const bool places = dtype != KJIT_DTYPE_NONE;
    HostValue values[] = { host_object(array), host_int(axis), host_bool(places) };
    return modules_call(p, "np._sorted", values, ARRAY_COUNT(values), out);
}

/* Sorts along an axis, or finds the places. */
static bool sorting(Program *p, HostArgs *args, kjit_dtype dtype, AlongRow *make, HostValue *out)
{
    HostValue value = args->values[0];
    if (!numpy_operand(p, &value))
        return false;
    if (!dtype_is_complex(operand_dtype(value)))
        return along(p, args, host_int(-1), dtype, make, sort_by_kernels, out);
    HostValue values[] = { value, args_get(args, 1, "axis", host_int(-1)),
                           host_bool(dtype != KJIT_DTYPE_NONE) };
    return modules_call(p, "np._sorted_complex", values, ARRAY_COUNT(values), out);
}

/* Records are sorted by their fields, first by those of order=: functions of the library. */
static bool sorts_records(Program *p, const char *name, HostValue value, const HostArgs *args,
                          HostValue *out)
{
    const HostValue order = args_get(args, SIZE_MAX, "order", host_none());
    HostValue values[2] = { value, order };
    if (value.kind == HOST_ARRAY && value.array->view.dtype == KJIT_DTYPE_RECORD) {
        modules_call(p, name, values, ARRAY_COUNT(values), out);
        return true;
    }
    if (order.kind != HOST_NONE)
        host_fail(p, "ValueError", "Cannot specify order when the array has no fields.");
    return p->failed;
}

static bool np_sort(Program *p, HostArgs *args, HostValue *out)
{
    if (sorts_records(p, "np._sort_records", args->values[0], args, out))
        return !p->failed;
    return sorting(p, args, KJIT_DTYPE_NONE, sorted_row, out);
}

static bool np_argsort(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    int64_t shape[KJIT_RANK_MAX] = { 1 };
    HostArray *made;
    if (sorts_records(p, "np._argsort_records", value, args, out))
        return !p->failed;
    if (!numpy_operand(p, &value))
        return false;
    if (operand_shape(value, shape) == 0) { /* one element, at its place */
        shape[0] = 1;
        if (!host_array_new(p, KJIT_DTYPE_INT64, 1, shape, true, &made))
            return false;
        return host_give(out, host_object(made));
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

/* The body of run_fast() for one type: sums or products of a row so far, in place. */
#define RUN(type)                                                                                  \
    {                                                                                              \
        char *at = row->data;                                                                      \
        type total = *(type *)(void *)at;                                                          \
        for (int64_t i = 1; i < row->shape[0]; i++) {                                              \
            at += row->strides[0];                                                                 \
            type *element = (type *)(void *)at;                                                    \
            total = adds ? total + *element : total * *element;                                    \
            *element = total;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

/* As run_row() from a row to itself, but without a value an element; false: not of its dtype. */
static bool run_fast(const kjit_array *row, bool adds)
{
    switch (row->shape[0] ? row->dtype : KJIT_DTYPE_NONE) {
    case KJIT_DTYPE_FLOAT64:
        RUN(double)
    case KJIT_DTYPE_FLOAT32:
        RUN(float)
    case KJIT_DTYPE_INT64:
    case KJIT_DTYPE_UINT64:
        RUN(uint64_t)
    default:
        return false;
    }
}

static bool run_row(Program *p, const kjit_array *from, const kjit_array *to, AstOp op)
{
    HostValue total = host_none();
    if (from->dtype == to->dtype)
        array_copy(to, from);
    for (int64_t i = 0; from->dtype != to->dtype && i < from->shape[0]; i++) {
        const kjit_arg scalar =
            scalar_load(from->dtype, (const char *)from->data + i * from->strides[0]);
        store_at(to, i, &scalar);
    }
    if (run_fast(to, op == AST_ADD))
        return true;
    for (int64_t i = 0; i < to->shape[0]; i++) {
        HostValue value = host_array_element(to, &i);
        if (i && !host_binary(p, op, total, value, &value))
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

/* Sums of one row of integers are the library's: they may be added in any order. Floats are not, so
** that a single row is the host's. */
static bool sums_by_kernels(Program *p, HostArray *array, int axis, kjit_dtype dtype,
                            HostValue *out)
{
    HostValue value = host_object(array);
    const int64_t rows = array_elements(&array->view) / array->view.shape[axis];
    if (rows >= ROWS_LEAST || host_shares(p))
        return reduce_running(p, REDUCE_SUM, array, dtype, axis, out);
    return !dtype_is_integer(dtype) || array->view.rank > 1 ||
           (numpy_cast(p, dtype, &value) && host_settle(p, &value) &&
            modules_call(p, "np._summed", &value, 1, out));
}

static bool products_by_kernels(Program *p, HostArray *array, int axis, kjit_dtype dtype,
                                HostValue *out)
{
    const int64_t rows = array_elements(&array->view) / array->view.shape[axis];
    return (rows < ROWS_LEAST && !host_shares(p)) ||
           reduce_running(p, REDUCE_PROD, array, dtype, axis, out);
}

/* Without an axis cumsum() takes all elements as one row, accumulate() goes along the first. */
static bool running(Program *p, HostArgs *args, HostValue *out)
{
    AlongRow *const make = *(AlongRow *const *)args->builtin->with;
    const bool flat = !strstr(args->builtin->name, ".accumulate");
    HostValue value = args->values[0];
    kjit_dtype given = KJIT_DTYPE_NONE;
    if (!numpy_operand(p, &value) ||
        !dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &given))
        return false;
    kjit_dtype dtype = operand_dtype(value);
    bool natural = dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64;
    if (!dtype_is_float(dtype) && !dtype_is_complex(dtype))
        dtype = natural ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
    return along(p, args, flat ? host_none() : host_int(0),
                 given == KJIT_DTYPE_NONE ? dtype : given, make,
                 make == sums_row ? sums_by_kernels : products_by_kernels, out) &&
           store_out(p, args, out);
}

/* The least or the greatest up to each element; from the first NaN on it is NaN. */
static bool extremes_row(const kjit_array *from, const kjit_array *to, bool greatest)
{
    const size_t bytes = kjit_dtype_bytes(from->dtype);
    const bool floats = dtype_is_float(from->dtype);
    uint64_t best = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < from->shape[0]; i++) {
        const uint64_t key = order_key(host_array_element(from, &i));
        const bool ended = i && floats && best == UINT64_MAX;
        if (!i ||
            (!ended && ((floats && key == UINT64_MAX) || (greatest ? key > best : key < best)))) {
            best = key;
            at = i;
        }
        memcpy((char *)to->data + i * to->strides[0],
               (const char *)from->data + at * from->strides[0], bytes);
    }
    return true;
}

static bool least_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    (void)p;
    return extremes_row(from, to, false);
}

static bool greatest_row(Program *p, const kjit_array *from, const kjit_array *to)
{
    (void)p;
    return extremes_row(from, to, true);
}

static bool extremes(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    if (!numpy_operand(p, &value))
        return false;
    if (dtype_is_complex(operand_dtype(value)))
        return reduce_unordered(p);
    return along(p, args, host_int(0), KJIT_DTYPE_NONE, *(AlongRow *const *)args->builtin->with,
                 NULL, out);
}

/* ---- counting ------------------------------------------------------------------------------- */

/* Makes it a host array of a dtype whose elements lie side by side. */
static bool settle_row(Program *p, HostArray **array, kjit_dtype dtype)
{
    const kjit_array *view = &(*array)->view;
    const bool settled = view->dtype == dtype && kjit_array_is_contiguous(view, 0);
    return (settled || host_array_copy_as(p, *array, dtype, array)) && host_array_read(p, *array);
}

/* Of an array that is not empty. */
static bool least_and_most(Program *p, HostArray *array, bool large, int64_t *least, int64_t *most)
{
    HostValue value = host_object(array), found[2];
    if (!large) {
        const int64_t *items = array->view.data;
        *least = INT64_MAX;
        *most = INT64_MIN;
        for (int64_t i = 0; i < array->view.shape[0]; i++) {
            *least = items[i] < *least ? items[i] : *least;
            *most = items[i] > *most ? items[i] : *most;
        }
        return true;
    }
    if (!reduce(p, REDUCE_MIN, value, 1, &found[0]) || !reduce(p, REDUCE_MAX, value, 1, &found[1]))
        return false;
    *least = found[0].integer;
    *most = found[1].integer;
    return true;
}

static bool count_of(Program *p, const HostArgs *args, HostArray *array, bool large, int64_t *count)
{
    int64_t most = -1, least = 0, low = 0;
    if (!host_integer(p, args_get(args, SIZE_MAX, "minlength", host_int(0)), &least))
        return false;
    if (!dtype_is_integer(array->view.dtype) && array_elements(&array->view))
        return host_fail(p, "TypeError",
                         "Cannot cast array data from dtype('%s') to dtype('int64') according to "
                         "the rule 'safe'",
                         kjit_dtype_name(array->view.dtype));
    if (array_elements(&array->view) && !least_and_most(p, array, large, &low, &most))
        return false;
    if (low < 0)
        return host_fail(p, "ValueError", "'list' argument must have no negative elements");
    *count = most + 1 > least ? most + 1 : least;
    return *count < HOST_ITEMS_MOST ||
           host_lacks(p, "MemoryError", "%lld bins are too many", (long long)*count);
}

static bool count_on_host(Program *p, const HostArray *array, HostArray *weights, HostArray *made)
{
    const int64_t *at = array->view.data;
    if (weights && !settle_row(p, &weights, KJIT_DTYPE_FLOAT64))
        return false;
    const double *weight = weights ? weights->view.data : NULL;
    for (int64_t i = 0; i < array->view.shape[0]; i++)
        if (weight)
            ((double *)made->view.data)[at[i]] += weight[i];
        else
            ((int64_t *)made->view.data)[at[i]]++;
    return true;
}

static bool np_bincount(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array, *made, *weights = NULL;
    int64_t count;
    const HostValue weigh = args_get(args, 1, "weights", host_none());
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
        return false;
    if (array->view.rank != 1)
        return host_fail(p, "ValueError", "object of too small depth for desired array");
    if (weigh.kind != HOST_NONE && !host_array_from(p, weigh, KJIT_DTYPE_NONE, &weights))
        return false;
    if (weights && (weights->view.rank != 1 || weights->view.shape[0] != array->view.shape[0]))
        return host_fail(p, "ValueError", "The weights and list don't have the same length.");
    const bool large = is_large(p, &array->view) && !(weights && host_shares(p));
    if (!large && dtype_is_integer(array->view.dtype) && !settle_row(p, &array, KJIT_DTYPE_INT64))
        return false;
    if (!count_of(p, args, array, large, &count))
        return false;
    HostValue values[] = { host_object(array), host_int(count),
                           weights ? host_object(weights) : host_none() };
    if (large)
        return modules_call(p, weights ? "np._weighed" : "np._counted", values, weights ? 3 : 2,
                            out);
    if (!host_array_new(p, weights ? KJIT_DTYPE_FLOAT64 : KJIT_DTYPE_INT64, 1, &count, true, &made))
        return false;
    *out = host_object(made);
    return count_on_host(p, array, weights, made);
}

#define ROW(make)                                                                                  \
    &(AlongRow *const)                                                                             \
    {                                                                                              \
        make                                                                                       \
    }

const HostBuiltin order_functions[] = {
    { "array.sort", 0, 0, method_sort, "axis kind order" },
    { "np.sort", 1, 2, np_sort, "axis kind order" },
    { "np.argsort", 1, 2, np_argsort, "axis kind order" },
    { "np.cumsum", 1, 2, running, "axis dtype out", ROW(sums_row) },
    { "np.cumprod", 1, 2, running, "axis dtype out", ROW(products_row) },
    { "np.add.accumulate", 1, 2, running, "axis dtype out", ROW(sums_row) },
    { "np.multiply.accumulate", 1, 2, running, "axis dtype out", ROW(products_row) },
    { "np.minimum.accumulate", 1, 2, extremes, "axis", ROW(least_row) },
    { "np.maximum.accumulate", 1, 2, extremes, "axis", ROW(greatest_row) },
    { "np.bincount", 1, 2, np_bincount, "weights minlength" },
    { NULL, 0, 0, NULL, NULL },
};

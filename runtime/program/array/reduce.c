/* Sums, products, extremes of expressions: over an axis, with one thread a result, one element
** after the other, as NumPy does; or over all, with some thousand threads that take a part each,
** whose results the host joins. Floats whose sum depends on the order are added up in sum.c, and
** multiplied by one thread. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

#include <math.h>

enum { PARTS_MOST = 1024, PART_LEAST = 512, BLOCKS_LEAST = 1 << 16 };

static bool finds_place(Reduction what)
{
    return what == REDUCE_ARGMIN || what == REDUCE_ARGMAX;
}

static kjit_dtype result_dtype(Reduction what, kjit_dtype dtype)
{
    if (what == REDUCE_ANY || what == REDUCE_ALL)
        return KJIT_DTYPE_BOOL;
    if (finds_place(what))
        return KJIT_DTYPE_INT64;
    if (what == REDUCE_MIN || what == REDUCE_MAX || dtype_is_float(dtype) ||
        dtype_is_complex(dtype))
        return dtype;
    bool natural = dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64;
    return natural ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
}

static const char *numpy_name(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_BOOL ? "bool_" : kjit_dtype_name(dtype);
}

static const char *step_of(Reduction what)
{
    static const char *const steps[] = {
        [REDUCE_SUM] = "total = total + value",
        [REDUCE_PROD] = "total = total * value",
        [REDUCE_MIN] = "total = value if value < total or value != value else total",
        [REDUCE_MAX] = "total = value if value > total or value != value else total",
        [REDUCE_ANY] = "total = total or value",
        [REDUCE_ALL] = "total = total and value",
#define FIRST(order)                                                                               \
    "if " order " or (value != value and total == total):\n"                                       \
    "                total = value\n                at = k"
        [REDUCE_ARGMIN] = FIRST("value < total"),
        [REDUCE_ARGMAX] = FIRST("value > total"),
#undef FIRST
    };
    return steps[what];
}

static bool empty(Program *p, Reduction what, kjit_dtype dtype, HostValue *out)
{
    if (what == REDUCE_MIN || what == REDUCE_MAX)
        return host_fail(p, "ValueError",
                         "zero-size array to reduction operation %s which has no identity",
                         what == REDUCE_MIN ? "minimum" : "maximum");
    const kjit_arg one = kjit_arg_int64(what == REDUCE_PROD || what == REDUCE_ALL);
    const kjit_arg scalar = scalar_cast(&one, dtype);
    return host_give(out, host_number(dtype, &scalar));
}

/* ---- the text ------------------------------------------------------------------------------- */

static void put_head(Fusion *f, Buf *text, const char *more)
{
    fusion_head(f, text);
    buf_printf(text, "@cuda.jit(typing=\"nep50\", fma=False)\ndef reduction(out%s%s):\n",
               buf_text(&f->params), more);
}

/* The indices along all axes of element number i. */
static void put_indices(const Fusion *f, Buf *text, const char *margin)
{
    int rank = f->flat ? 1 : f->rank;
    for (int k = rank; k-- > 0;) {
        buf_printf(text, "%si%d = rest", margin, k);
        if (k)
            buf_printf(text, " %% n%d\n%srest = rest // n%d", k, margin, k);
        buf_putc(text, '\n');
    }
}

static void put_element(const Fusion *f, Buf *text, const char *margin, kjit_dtype dtype,
                        const char *name)
{
    put_indices(f, text, margin);
    buf_printf(text, "%s%s = np.%s(%s)\n", margin, name, numpy_name(dtype), buf_text(&f->element));
}

/* That of a kernel over all axes: how many elements there are, and the extents but the first. */
static void put_head_of_all(Fusion *f, Buf *text)
{
    int rank = f->flat ? 1 : f->rank;
    Buf more = buf_in(&f->program->scratch);
    buf_puts(&more, ", count");
    for (int k = 1; k < rank; k++)
        buf_printf(&more, ", n%d", k);
    put_head(f, text, buf_text(&more));
}

/* A thread adds up a part of neighbouring elements, in their order. */
static const char *text_of_all(Fusion *f, Reduction what, kjit_dtype dtype)
{
    Buf text;
    put_head_of_all(f, &text);
    buf_puts(&text, "    t = cuda.grid(1)\n    parts = out.shape[0]\n    if t < parts:\n"
                    "        first = count * t // parts\n        rest = first\n");
    put_element(f, &text, "        ", dtype, "total");
    buf_puts(&text, "        for i in range(first + 1, count * (t + 1) // parts):\n"
                    "            rest = i\n");
    put_element(f, &text, "            ", dtype, "value");
    buf_printf(&text, "            %s\n        out[t] = total\n", step_of(what));
    return buf_text(&text);
}

/* For a GPU, where any order gives the same: neighbouring threads take neighbouring elements, and
** each block joins what its threads have into one part. */
static const char *text_of_blocks(Fusion *f, Reduction what, kjit_dtype dtype)
{
    static const char *const joined[] = {
        [REDUCE_SUM] = "a + b",
        [REDUCE_PROD] = "a * b",
        [REDUCE_MIN] = "a if a < b or a != a else b",
        [REDUCE_MAX] = "a if a > b or a != a else b",
        [REDUCE_ANY] = "a | b",
        [REDUCE_ALL] = "a & b",
    };
    Buf text;
    buf_printf(&f->functions,
               "from reduce import block_reduce\n\n\ndef join(a, b):\n    return %s\n\n\n",
               joined[what]);
    put_head_of_all(f, &text);
    buf_puts(&text, "    t = cuda.grid(1)\n    rest = min(t, count - 1)\n");
    put_element(f, &text, "    ", dtype, "total");
    if (what == REDUCE_SUM || what == REDUCE_PROD)
        buf_printf(&text, "    if t >= count:\n        total = np.%s(%d)\n", numpy_name(dtype),
                   what == REDUCE_PROD);
    buf_puts(&text, "    for i in range(t + cuda.gridsize(1), count, cuda.gridsize(1)):\n"
                    "        rest = i\n");
    put_element(f, &text, "        ", dtype, "value");
    buf_puts(&text, "        total = join(total, value)\n    total = block_reduce(total, join)\n"
                    "    if cuda.threadIdx.x == 0:\n        out[cuda.blockIdx.x] = total\n");
    return buf_text(&text);
}

/* ---- over all ------------------------------------------------------------------------------- */

static kjit_arg join_two(Reduction what, kjit_arg total, kjit_arg value)
{
    bool floats = dtype_is_float(total.dtype), natural = total.dtype == KJIT_DTYPE_UINT64;
    double a = total.as.number, b = value.as.number;
    uint64_t x = (uint64_t)total.as.integer, y = (uint64_t)value.as.integer;
    bool less = floats ? b < a || b != b : natural ? y < x : (int64_t)y < (int64_t)x;
    bool more = floats ? b > a || b != b : natural ? y > x : (int64_t)y > (int64_t)x;
    if (what == REDUCE_MIN || what == REDUCE_MAX)
        return (what == REDUCE_MIN ? less : more) ? value : total;
    if (what == REDUCE_ANY || what == REDUCE_ALL)
        total.as.integer = what == REDUCE_ANY ? x || y : x && y;
    else if (floats)
        total.as.number = what == REDUCE_SUM ? a + b : a * b;
    else
        total.as.integer = (int64_t)(what == REDUCE_SUM ? x + y : x * y);
    return total;
}

static HostValue join(Reduction what, const kjit_array *parts)
{
    kjit_arg total = scalar_load(parts->dtype, parts->data);
    size_t bytes = kjit_dtype_bytes(parts->dtype);
    for (int64_t i = 1; i < parts->shape[0]; i++)
        total = join_two(what, total,
                         scalar_load(parts->dtype, (char *)parts->data + (size_t)i * bytes));
    return host_number(parts->dtype, &total);
}

/* Whether blocks of a GPU's threads may take elements interleaved, and there are enough of them. */
static bool goes_by_blocks(const Program *p, Reduction what, kjit_dtype dtype, int64_t count)
{
    const bool free = dtype_is_integer(dtype) || dtype == KJIT_DTYPE_BOOL || what == REDUCE_MIN ||
                      what == REDUCE_MAX;
    return free && !dtype_is_complex(dtype) && count >= BLOCKS_LEAST && !host_shares(p) &&
           !p->group && !p->ufunc;
}

static bool reduce_all(Program *p, Reduction what, HostValue value, int rank, const int64_t *shape,
                       HostValue *out)
{
    Fusion f;
    kjit_dtype result = result_dtype(what, operand_dtype(value)), dtype = result;
    int64_t count = 1;
    HostArray *parts;
    for (int i = 0; i < rank; i++)
        count *= shape[i];
    if (!count)
        return empty(p, what, result, out);
    if (!fusion_begin(&f, p, value, rank, shape, NULL))
        return false;
    fusion_write(&f, value);
    const bool blocks = goes_by_blocks(p, what, result, count);
    if (blocks && dtype == KJIT_DTYPE_BOOL)
        dtype = KJIT_DTYPE_INT32;
    kjit_kernel *kernel =
        fusion_kernel(p, (blocks ? text_of_blocks : text_of_all)(&f, what, dtype));
    bool ordered = what == REDUCE_PROD && !dtype_is_integer(dtype); /* one after the other */
    int64_t pieces = ordered ? 1 : (count + PART_LEAST - 1) / PART_LEAST;
    pieces = pieces > PARTS_MOST ? PARTS_MOST : pieces;
    if (!kernel || !host_array_new(p, dtype, 1, &pieces, false, &parts))
        return false;
    f.numbers[f.number_count++] = kjit_arg_int64(count);
    for (int k = 1; !f.flat && k < rank; k++)
        f.numbers[f.number_count++] = kjit_arg_int64(shape[k]);
    const int64_t threads = blocks ? pieces * FUSION_BLOCK : pieces;
    if (!fusion_launch(&f, kernel, parts, &parts->view, &threads, 1) || !host_array_read(p, parts))
        return false;
    kjit_arg scalar = host_scalar(join(what, &parts->view));
    scalar = scalar_cast(&scalar, result);
    return host_give(out, host_number(result, &scalar));
}

/* ---- over an axis --------------------------------------------------------------------------- */

/* The parameters behind the arrays: how many elements a row has, how many rows there are, and the
** extents of the other axes; their values are those of the launch. */
static const char *put_extents(Fusion *f, int axis)
{
    int64_t rows = 1;
    Buf more = buf_in(&f->program->scratch);
    buf_puts(&more, ", count, rows");
    for (int k = 0; k < f->rank; k++)
        rows *= k == axis ? 1 : f->shape[k];
    f->numbers[f->number_count++] = kjit_arg_int64(f->shape[axis]);
    f->numbers[f->number_count++] = kjit_arg_int64(rows);
    for (int k = f->rank; k-- > 0;) {
        if (k == axis)
            continue;
        buf_printf(&more, ", a_n%d", k);
        f->numbers[f->number_count++] = kjit_arg_int64(f->shape[k]);
    }
    return buf_text(&more);
}

/* The indices of the result's axes are those of the others, in their order; along `axis` goes k.
** What is running is stored at each step. */
static const char *text_of_axis(Fusion *f, Reduction what, kjit_dtype dtype, int axis,
                                const int32_t *order, bool running)
{
    Buf text;
    const char *stored = running ? arena_printf(&f->program->scratch, "out[%s] = total\n", f->index)
                         : finds_place(what) ? "out[t] = at\n"
                                             : "out[t] = total\n";
    put_head(f, &text, put_extents(f, axis));
    buf_puts(&text, "    t = cuda.grid(1)\n    if t < rows:\n        rest = t\n");
    for (int i = f->rank - 1; i-- > 0;)
        buf_printf(&text, "        i%d = rest %% a_n%d\n        rest = rest // a_n%d\n", order[i],
                   order[i], order[i]);
    buf_printf(&text, "        i%d = 0\n        total = np.%s(%s)%s\n", axis, numpy_name(dtype),
               buf_text(&f->element), what == REDUCE_SUM && !running ? " + 0" : "");
    if (running)
        buf_printf(&text, "        %s", stored);
    if (finds_place(what))
        buf_puts(&text, "        at = 0\n");
    buf_printf(&text,
               "        for k in range(1, count):\n            i%d = k\n"
               "            value = np.%s(%s)\n",
               axis, numpy_name(dtype), buf_text(&f->element));
    buf_printf(&text, "            %s\n        %s%s", step_of(what), running ? "    " : "", stored);
    return buf_text(&text);
}

/* The axes but one. */
static void others_in_order(int rank, int axis, int32_t order[KJIT_RANK_MAX])
{
    int kept = 0;
    for (int i = 0; i < rank; i++)
        if (i != axis)
            order[kept++] = i;
}

/* Axes are distinguished in what is written here. */
static void unflatten(Fusion *f)
{
    f->flat = false;
    f->index = fusion_indices(f->rank);
}

bool reduce_running(Program *p, Reduction what, HostArray *array, kjit_dtype dtype, int axis,
                    HostValue *out)
{
    const kjit_array *view = &array->view;
    const HostValue value = host_object(array);
    const int64_t rows = array_elements(view) / view->shape[axis];
    int32_t order[KJIT_RANK_MAX];
    HostArray *made;
    Fusion f;
    others_in_order(view->rank, axis, order);
    if (!host_array_new(p, dtype, view->rank, view->shape, false, &made) ||
        !fusion_begin(&f, p, value, view->rank, view->shape, made))
        return false;
    made->block->unwritten = true;
    *out = host_object(made);
    unflatten(&f);
    fusion_write(&f, value);
    kjit_kernel *kernel = fusion_kernel(p, text_of_axis(&f, what, dtype, axis, order, true));
    return kernel && fusion_launch(&f, kernel, made, &made->view, &rows, 1);
}

/* What each row gives, one after the other, `order` telling how the other axes go on. */
static bool reduce_rows(Program *p, Reduction what, HostValue value, int rank, const int64_t *shape,
                        int axis, const int32_t *order, HostArray *made)
{
    Fusion f;
    const kjit_dtype dtype = finds_place(what) ? operand_dtype(value) : made->view.dtype;
    const int64_t count = array_elements(&made->view);
    HostValue none;
    if (!shape[axis])
        return empty(p, what, made->view.dtype, &none) && host_array_assign(p, made, none);
    if (!count)
        return true;
    if (!fusion_begin(&f, p, value, rank, shape, made))
        return false;
    unflatten(&f);
    fusion_write(&f, value);
    kjit_kernel *kernel = fusion_kernel(p, text_of_axis(&f, what, dtype, axis, order, false));
    const kjit_array flat = kjit_host_array(made->view.data, made->view.dtype, 1, &count);
    return kernel && fusion_launch(&f, kernel, made, &flat, &count, 1);
}

static bool reduce_axis(Program *p, Reduction what, HostValue value, int rank, const int64_t *shape,
                        int axis, HostValue *out)
{
    int64_t others[KJIT_RANK_MAX];
    int32_t order[KJIT_RANK_MAX], back[KJIT_RANK_MAX];
    HostArray *made;
    axes_without(value, axis, order, back);
    if (finds_place(what)) { /* which NumPy leaves by rows */
        others_in_order(rank, axis, order);
        others_in_order(rank, rank, back);
    }
    for (int i = 0; i < rank - 1; i++)
        others[i] = shape[order[i]];
    if (!host_array_new(p, result_dtype(what, operand_dtype(value)), rank - 1, others, true,
                        &made) ||
        !reduce_rows(p, what, value, rank, shape, axis, order, made) ||
        !host_array_permute(p, back, &made))
        return false;
    return host_give(out, host_object(made));
}

bool reduce_unordered(Program *p)
{
    return host_fail(p, "NotImplementedError",
                     "complex numbers have no order here: take abs() or a part of them");
}

bool reduce(Program *p, Reduction what, HostValue value, int axis, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX], count = 1;
    int rank = operand_shape(value, shape);
    for (int i = 0; i < rank; i++)
        count *= shape[i];
    kjit_dtype dtype = operand_dtype(value);
    bool complex = dtype_is_complex(dtype);
    if (complex && (what == REDUCE_MIN || what == REDUCE_MAX))
        return reduce_unordered(p);
    bool floats = what == REDUCE_SUM && (dtype_is_float(dtype) || complex) && count;
    if (floats && (axis == rank || rank < 2))
        return sum_all(p, value, out);
    if (floats && sum_is_by_halves(value, axis))
        return sum_axis(p, value, axis, out);
    if (what == REDUCE_PROD && !dtype_is_integer(dtype) && (axis == rank || rank < 2) &&
        !in_order_of_memory(p, value, rank, shape, &value))
        return false;
    if (axis < rank && rank > 1)
        return reduce_axis(p, what, value, rank, shape, axis, out);
    return reduce_all(p, what, value, rank, shape, out);
}

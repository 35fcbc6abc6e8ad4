/* Sums of floats, added in NumPy's order, so that they are its sums bit by bit.
**
** Where the axis that is summed is the one whose elements lie closest together, NumPy adds by
** halves: up to 128 elements in eight sums that are then joined, more as the sum of two halves, of
** which the first is a multiple of eight (Higham, "The accuracy of floating point summation", SIAM
** J. Sci. Comput. 14, 1993). Along other axes it adds one element after the other (reduce.c). Over
** Complex numbers are added by halves of their parts: up to 64 of them in four sums each. Over
** all axes it goes through memory: at once where that is one row, else in chunks, of as many whole
** rows as 8192 elements hold, that are added up by halves each, and then one after the other.
**
** A thread adds up the 128 elements at the most of one leaf of that tree: it finds them by going
** down from the root, as the bits of its number say. A leaf above the last level belongs to the
** first of the threads below it; the others add -0.0, which changes nothing. What the threads leave
** is joined in pairs. */
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/array/array.h"

#include <math.h>

enum { LEAF = 128, BUFFER = 8192, HOST_PARTS = 4096, GROUP = 256 };

/* Rows of elements, all but the last of one length, each of which is added up by halves. */
typedef struct Sum {
    Program *program;
    kjit_dtype dtype, kept; /* of the elements; that partial sums have */
    int64_t count, length, rows;
    int64_t parts;  /* threads a row, a power of two */
    int leaf, sums; /* the elements at the most, and the sums, of a leaf */
} Sum;

/* ---- order ---------------------------------------------------------------------------------- */

bool sum_is_by_halves(HostValue value, int axis)
{
    int64_t shape[KJIT_RANK_MAX];
    int32_t order[KJIT_RANK_MAX];
    int rank = operand_shape(value, shape), last = -1;
    axes_by_steps(value, order);
    for (int i = 0; i < rank; i++)
        if (shape[order[i]] != 1)
            last = order[i];
    return last == axis || last < 0;
}

/* How many elements of an array NumPy takes at once, where it goes over all of it. */
static int64_t chunk_of(HostValue value, int rank, const int64_t *shape, const int32_t *order)
{
    int64_t sizes[KJIT_RANK_MAX], strides[KJIT_RANK_MAX], chunk;
    int dims = 0;
    if (value.kind != HOST_ARRAY)
        return INT64_MAX;
    for (int i = 0; i < rank; i++) {
        int64_t size = shape[order[i]], stride = value.array->view.strides[order[i]];
        if (size == 1)
            continue;
        if (dims && strides[dims - 1] == stride * size) {
            sizes[dims - 1] *= size;
            strides[dims - 1] = stride;
        } else {
            sizes[dims] = size;
            strides[dims++] = stride;
        }
    }
    if (dims < 2)
        return INT64_MAX;
    for (chunk = sizes[--dims]; dims > 0 && chunk * sizes[dims - 1] <= BUFFER; dims--)
        chunk *= sizes[dims - 1];
    return dims > 0 && chunk < BUFFER ? BUFFER / chunk * chunk : chunk;
}

/* The tree with its axes in another order. */
static bool permuted(Program *p, HostValue value, int rank, const int64_t *shape,
                     const int32_t *order, HostValue *out)
{
    kjit_array wide, view;
    *out = value;
    if (value.kind == HOST_ARRAY) {
        if (kjit_array_broadcast(&value.array->view, rank, shape, &wide) != KJIT_OK ||
            kjit_array_transpose(&wide, order, &view) != KJIT_OK)
            return host_failed(p, KJIT_ARGUMENT);
        if (!(value.array->view.flags & KJIT_READONLY) && wide.rank == value.array->view.rank)
            view.flags = value.array->view.flags;
        return host_give(out, host_object(host_array_of(p, value.array->block, &view)));
    }
    if (value.kind != HOST_EXPRESSION)
        return true;
    HostExpression *copy = host_new(p, HOST_EXPRESSION, sizeof *copy);
    const HostObject head = copy->head;
    *copy = *value.expression;
    copy->head = head;
    *out = host_object(copy);
    for (int i = 0; i < rank; i++)
        copy->shape[i] = shape[order[i]];
    copy->rank = rank;
    for (int i = 0; i < copy->count; i++)
        if (!permuted(p, value.expression->operands[i], rank, shape, order, &copy->operands[i]))
            return false;
    return true;
}

bool in_order_of_memory(Program *p, HostValue value, int rank, int64_t *shape, HostValue *out)
{
    int32_t order[KJIT_RANK_MAX];
    int64_t before[KJIT_RANK_MAX];
    axes_by_steps(value, order);
    for (int i = 0; i < rank; i++)
        before[i] = shape[i];
    for (int i = 0; i < rank; i++)
        shape[i] = before[order[i]];
    return permuted(p, value, rank, before, order, out);
}

/* ---- the text ------------------------------------------------------------------------------- */

static const char *extents(const Fusion *f, Buf *out)
{
    int rank = f->flat ? 1 : f->rank;
    *out = buf_in(&f->program->scratch);
    for (int k = 1; k < rank; k++)
        buf_printf(out, ", n%d", k);
    return buf_text(out);
}

static void put_element(const Fusion *f, Buf *text, const char *params, kjit_dtype kept)
{
    int rank = f->flat ? 1 : f->rank;
    buf_printf(text, "def element(i%s):\n", params);
    for (int k = rank; k-- > 1;)
        buf_printf(text, "    i%d = i %% n%d\n    i = i // n%d\n", k, k, k);
    buf_printf(text, "%s    return np.%s(%s)\n\n\n", rank ? "    i0 = i\n" : "",
               kjit_dtype_name(kept), buf_text(&f->element));
}

/* Fewer elements than there are sums one after the other, else in those. */
static void put_leaf(Buf *text, const char *params, const Sum *s)
{
    const char *dtype = kjit_dtype_name(s->kept);
    buf_printf(text, "def leaf(begin, count%s):\n    if count < %d:\n        total = np.%s(%s)\n",
               params, s->sums, dtype, dtype_is_complex(s->kept) ? "complex(-0.0, -0.0)" : "-0.0");
    buf_printf(text,
               "        for i in range(begin, begin + count):\n"
               "            total = total + element(i%s)\n        return total\n",
               params);
    for (int k = 0; k < s->sums; k++)
        buf_printf(text, "    r%d = element(begin + %d%s)\n", k, k, params);
    buf_printf(text,
               "    whole = count - count %% %d\n"
               "    for i in range(begin + %d, begin + whole, %d):\n",
               s->sums, s->sums, s->sums);
    for (int k = 0; k < s->sums; k++)
        buf_printf(text, "        r%d = r%d + element(i + %d%s)\n", k, k, k, params);
    buf_printf(text,
               "    total = %s\n"
               "    for i in range(begin + whole, begin + count):\n"
               "        total = total + element(i%s)\n    return total\n\n\n",
               s->sums == 4 ? "(r0 + r1) + (r2 + r3)"
                            : "((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7))",
               params);
}

static const char *text_of_parts(Fusion *f, const Sum *s)
{
    Buf text, more;
    extents(f, &more);
    Buf params = buf_in(&f->program->scratch);
    buf_printf(&params, "%s%s", buf_text(&f->params), buf_text(&more));
    fusion_head(f, &text);
    put_element(f, &text, buf_text(&params), s->kept);
    put_leaf(&text, buf_text(&params), s);
    buf_printf(&text,
               "@cuda.jit(typing=\"nep50\", fma=False)\n"
               "def sums(out%s, elements, length, parts%s):\n"
               "    t = cuda.grid(1)\n    if t < out.shape[0]:\n"
               "        part = t %% parts\n        begin = t // parts * length\n"
               "        count = min(length, elements - begin)\n        level = parts // 2\n"
               "        while level > 0:\n"
               "            right = (part & level) != 0\n"
               "            if count > %d:\n"
               "                first = %s\n"
               "                if right:\n"
               "                    begin = begin + first\n"
               "                    count = count - first\n"
               "                else:\n                    count = first\n"
               "            elif right:\n                count = 0\n"
               "            level = level // 2\n"
               "        out[t] = leaf(begin, count%s)\n",
               buf_text(&f->params), buf_text(&more), s->leaf,
               s->sums == 4 ? "(count - count % 8) // 2" : "count // 2 // 8 * 8",
               buf_text(&params));
    return buf_text(&text);
}

/* Joins each group of so many parts, a power of two, in pairs. */
static const char *const join_text =
    "from numba import cuda\n\n\n@cuda.jit\ndef joined(parts, out, group):\n"
    "    t = cuda.grid(1)\n    if t < out.shape[0]:\n"
    "        first = t * group\n        left = group // 2\n        while left > 0:\n"
    "            for i in range(left):\n"
    "                parts[first + i] = parts[first + 2 * i] + parts[first + 2 * i + 1]\n"
    "            left = left // 2\n        out[t] = parts[first]\n";

/* ---- running -------------------------------------------------------------------------------- */

static int64_t parts_of(const Sum *s)
{
    int64_t parts = 1;
    for (int64_t length = s->length; length > s->leaf; parts *= 2) /* the larger half */
        length -= s->sums == 4 ? (length - length % 8) / 2 : length / 2 / 8 * 8;
    return parts;
}

/* Joins groups on the device until the host has few to join. */
static bool join_groups(Sum *s, HostArray **parts)
{
    Program *p = s->program;
    while (s->parts > 1 && (s->rows > 1 || s->parts > HOST_PARTS)) {
        kjit_kernel *kernel = fusion_kernel(p, join_text);
        int64_t group = s->parts < GROUP ? s->parts : GROUP, count = s->rows * s->parts / group;
        HostArray *joined;
        kjit_array given[2];
        kjit_launch_config config = { .size = sizeof config, .grid = { 1, 1, 1 } };
        if (!kernel || !host_array_new(p, s->kept, 1, &count, false, &joined))
            return false;
        joined->block->unwritten = true;
        if (!host_array_launch(p, *parts, &given[0]) || !host_array_launch(p, joined, &given[1]))
            return false;
        kjit_arg args[] = { kjit_arg_array(given[0]), kjit_arg_array(given[1]),
                            kjit_arg_int64(group) };
        config.block[0] = 128;
        config.block[1] = config.block[2] = 1;
        config.grid[0] = (uint32_t)((count + 127) / 128);
        const HostWork work = { "joined", kernel, &config, args, ARRAY_COUNT(args), 0, 0, false };
        kjit_status status = program_launch(p, &work);
        host_array_launched(p, *parts, true);
        host_array_launched(p, joined, true);
        if (status != KJIT_OK)
            return host_failed(p, status);
        *parts = joined;
        s->parts /= group;
    }
    return true;
}

static HostValue rounded(kjit_dtype dtype, HostValue number)
{
    kjit_arg scalar = host_scalar(number);
    scalar = scalar_cast(&scalar, dtype);
    return host_number(dtype, &scalar);
}

/* Rounded to a dtype; real numbers have an imaginary part of 0. */
static HostValue sum_of_two(kjit_dtype dtype, HostValue a, HostValue b)
{
    a.number += b.number;
    a.imaginary += b.imaginary;
    return rounded(dtype, a);
}

static HostValue join_parts(const Sum *s, const HostArray *parts, int64_t first, int64_t count)
{
    if (count == 1)
        return host_array_element(&parts->view, &first);
    return sum_of_two(s->kept, join_parts(s, parts, first, count / 2),
                      join_parts(s, parts, first + count / 2, count / 2));
}

/* A sum a thread: of one leaf. */
static bool sum_parts(Sum *s, HostValue value, int rank, const int64_t *shape, HostArray **parts)
{
    Program *p = s->program;
    Fusion f;
    int64_t threads = s->rows * s->parts;
    if (threads > UINT32_MAX)
        return host_fail(p, "NotImplementedError", "a sum of so many elements: add parts of it");
    if (!fusion_begin(&f, p, value, rank, shape, NULL))
        return false;
    fusion_write(&f, value);
    kjit_kernel *kernel = fusion_kernel(p, text_of_parts(&f, s));
    if (!kernel || !host_array_new(p, s->kept, 1, &threads, false, parts))
        return false;
    f.numbers[f.number_count++] = kjit_arg_int64(s->count);
    f.numbers[f.number_count++] = kjit_arg_int64(s->length);
    f.numbers[f.number_count++] = kjit_arg_int64(s->parts);
    for (int k = 1; k < (f.flat ? 1 : rank); k++)
        f.numbers[f.number_count++] = kjit_arg_int64(shape[k]);
    (*parts)->block->unwritten = true;
    return fusion_launch(&f, kernel, *parts, &(*parts)->view, &threads, 1);
}

static bool sum_rows(Sum *s, HostValue value, int rank, const int64_t *shape, const int32_t *order,
                     HostArray **parts)
{
    int64_t ordered[KJIT_RANK_MAX];
    bool same = true;
    for (int i = 0; i < rank; i++) {
        ordered[i] = shape[order[i]];
        same &= order[i] == i;
    }
    s->rows = (s->count + s->length - 1) / s->length;
    s->parts = parts_of(s);
    return (same || permuted(s->program, value, rank, shape, order, &value)) &&
           sum_parts(s, value, rank, ordered, parts) && join_groups(s, parts);
}

static Sum sum_of(Program *p, HostValue value, int rank, const int64_t *shape)
{
    kjit_dtype dtype = operand_dtype(value);
    Sum s = { .program = p,
              .dtype = dtype,
              .kept = dtype == KJIT_DTYPE_FLOAT16 ? KJIT_DTYPE_FLOAT32 : dtype,
              .count = 1,
              .leaf = dtype_is_complex(dtype) ? LEAF / 2 : LEAF,
              .sums = dtype_is_complex(dtype) ? 4 : 8 };
    for (int i = 0; i < rank; i++)
        s.count *= shape[i];
    return s;
}

bool sum_all(Program *p, HostValue value, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX];
    int32_t order[KJIT_RANK_MAX];
    int rank = operand_shape(value, shape);
    HostArray *parts;
    Sum s = sum_of(p, value, rank, shape);
    HostValue total = { .kind = HOST_NUMBER, .dtype = s.dtype };
    axes_by_steps(value, order);
    s.length = chunk_of(value, rank, shape, order);
    s.length = s.length > s.count ? s.count : s.length;
    if (s.count && (!sum_rows(&s, value, rank, shape, order, &parts) || !host_array_read(p, parts)))
        return false;
    for (int64_t row = 0; s.count && row < s.rows; row++)
        total = sum_of_two(s.dtype, total, join_parts(&s, parts, row * s.parts, s.parts));
    return host_give(out, total);
}

bool sum_axis(Program *p, HostValue value, int axis, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX], others[KJIT_RANK_MAX];
    int32_t order[KJIT_RANK_MAX], back[KJIT_RANK_MAX];
    const int rank = operand_shape(value, shape), kept = rank - 1;
    HostArray *parts;
    kjit_array view;
    Sum s = sum_of(p, value, rank, shape);
    axes_without(value, axis, order, back);
    for (int i = 0; i < kept; i++)
        others[i] = shape[order[i]];
    order[kept] = axis;
    s.length = shape[axis];
    if (!sum_rows(&s, value, rank, shape, order, &parts))
        return false;
    if (s.parts > 1) { /* of a single row, which the host joins */
        if (!host_array_read(p, parts) ||
            !host_array_from(p, join_parts(&s, parts, 0, s.parts), s.kept, &parts))
            return false;
    }
    kjit_status status = kjit_array_reshape(&parts->view, kept, others, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    const HostValue two[2] = { host_object(host_array_of(p, parts->block, &view)), host_int(0) };
    if (!expression_new(p, "%0 + %1", s.kept, s.dtype, two, 2, out) || !host_settle(p, out))
        return false;
    if (out->kind != HOST_ARRAY)
        return true;
    if (!host_array_permute(p, back, &out->array))
        return false;
    return host_give(out, host_object(out->array));
}

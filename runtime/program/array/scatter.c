/* Indices that are arrays, by kernels, so that what is on the device stays there:
**
**     y = a[i, :, j]      ->  y[e, k] = a[i[e], k, j[e]], a thread an element
**     a[i, :, j] = v      ->  a[i[e], k, j[e]] = v[e, k]
**
** Legal if no index is beyond its axis, which a reduction finds out first. Of several elements that
** are stored in one place the last has to stay. That needs no care where all are the same number,
** or where a mask chooses the places, which differ. Else a kernel before writes to each place the
** greatest number of an element that goes there, by atomics, and only that element is stored. */
#include "runtime/program/array/gather.h"
#include "runtime/array/array.h"

enum { DEVICE_LEAST = 4096, HOST_LEAST = 1 << 16 }; /* elements from which on kernels pay */

bool gather_by_kernels(Program *p, const HostArray *array, int64_t count)
{
    if (!p->context || p->group || p->ufunc || !dtype_has_numbers(array->view.dtype) ||
        count <= 0 || count >= INT32_MAX)
        return false;
    return count >= (host_shares(p) ? HOST_LEAST : DEVICE_LEAST) || !array->block->host_current;
}

bool gather_is_beyond(Gather *g, bool *beyond)
{
    Program *p = g->program;
    *beyond = false;
    for (int i = g->masked; i < g->count && !*beyond; i++) {
        const int64_t length = g->whole.shape[g->axes[i]];
        HostValue below, above, index = host_object(g->indices[i]);
        if (!host_array_binary(p, AST_LT, index, host_int(-length), &below) ||
            !host_array_binary(p, AST_GE, index, host_int(length), &above) ||
            !host_array_binary(p, AST_BITOR, below, above, &above) ||
            !reduce(p, REDUCE_ANY, above, g->indices[i]->view.rank, &above))
            return false;
        *beyond = above.integer;
    }
    return true;
}

/* ---- the text ------------------------------------------------------------------------------- */

/* "i2, i3": the place in the arrays, whose axes are those from `first` on. */
static const char *place_text(const Gather *g, int first)
{
    Buf text = buf_in(&g->program->scratch);
    for (int k = 0; k < g->rank; k++)
        buf_printf(&text, "%si%d", k ? ", " : "", first + k);
    return g->rank ? buf_text(&text) : "()";
}

/* The number of that place, one after the other; the extents are parameters from `extent` on. */
static const char *number_text(const Gather *g, int first, int extent)
{
    const char *text = "0";
    for (int k = 0; k < g->rank; k++)
        text = k ? arena_printf(&g->program->scratch, "(%s) * c%d + i%d", text, extent + first + k,
                                first + k)
                 : arena_printf(&g->program->scratch, "i%d", first);
    return arena_printf(&g->program->scratch, "np.int32(%s)", text);
}

/* Adds the arrays of indices as parameters; the number of the first. */
static int add_indices(Gather *g, Fusion *f)
{
    int first = f->param_count;
    for (int i = 0; i < g->count; i++) {
        kjit_array view;
        kjit_array_broadcast(&g->indices[i]->view, g->rank, g->shape, &view);
        fusion_add(f, g->indices[i], &view);
    }
    return first;
}

/* "a1[i0], i1": the index into what the slices take, at a place of the result. */
static const char *index_text(const Gather *g, int param)
{
    const char *place = place_text(g, g->front);
    int at = 0, kept = 0;
    Buf text = buf_in(&g->program->scratch);
    for (int axis = 0; axis < g->whole.rank; axis++) {
        buf_puts(&text, axis ? ", " : "");
        if (at < g->count && g->axes[at] == axis) {
            buf_printf(&text, "a%d[%s]", param + at++, place);
        } else {
            buf_printf(&text, "i%d", kept < g->front ? kept : kept + g->rank);
            kept++;
        }
    }
    return buf_text(&text);
}

/* The same along the arrays' axes alone, from the front where an index counts from the end. */
static const char *claim_text(const Gather *g, int param, int first, const char *of)
{
    const char *place = place_text(g, first);
    Buf text = buf_in(&g->program->scratch);
    for (int i = 0; i < g->count; i++)
        buf_printf(&text, "%swrapped(np.int64(a%d[%s]), %s.shape[%d])", i ? ", " : "", param + i,
                   place, of, i);
    return buf_text(&text);
}

static const char wrapped_text[] = "def wrapped(i, n):\n"
                                   "    return i + n if i < 0 else i\n\n\n";

/* ---- the kernels ---------------------------------------------------------------------------- */

static bool launch(Fusion *f, const char *text, HostArray *out, const kjit_array *view,
                   const int64_t *extents)
{
    const int axes = f->rank > 3 ? 3 : f->rank;
    kjit_kernel *kernel = fusion_kernel(f->program, text);
    f->operations = 1;
    return kernel && fusion_launch(f, kernel, out, view, extents + f->rank - axes, axes);
}

bool gather_take_by_kernel(Gather *g, HostArray *made)
{
    Fusion f;
    Buf text;
    fusion_empty(&f, g->program, made->view.rank);
    fusion_add(&f, g->array, &g->whole);
    const int param = add_indices(g, &f);
    fusion_name(&f);
    made->block->unwritten = true;
    const int margin = fusion_elements(&f, &text, "take");
    buf_printf(&text, "%*sout[%s] = a0[%s]\n", margin, "", f.index, index_text(g, param));
    return launch(&f, buf_text(&text), made, &made->view, made->view.shape);
}

/* For each element along the arrays' axes the number of the last place that names it, else -1. */
static bool claim(Gather *g, HostArray **owners)
{
    Program *p = g->program;
    int64_t shape[KJIT_RANK_MAX];
    Fusion f;
    Buf text;
    for (int i = 0; i < g->count; i++)
        shape[i] = g->whole.shape[g->axes[i]];
    if (!host_array_new(p, KJIT_DTYPE_INT32, g->count, shape, false, owners) ||
        !host_array_assign(p, *owners, host_int(-1)))
        return false;
    fusion_empty(&f, p, g->rank);
    const int param = add_indices(g, &f);
    fusion_count(&f, g->shape);
    fusion_name(&f);
    buf_puts(&f.functions, wrapped_text);
    const int margin = fusion_elements(&f, &text, "claim");
    const char *place = claim_text(g, param, 0, "out");
    buf_printf(&text,
               g->count > 1 ? "%*scuda.atomic.max(out, (%s), %s)\n"
                            : "%*scuda.atomic.max(out, %s, %s)\n",
               margin, "", place, number_text(g, 0, 0));
    return launch(&f, buf_text(&text), *owners, &(*owners)->view, g->shape);
}

/* Adds what is stored as a parameter; the text of its element. */
static const char *add_value(Gather *g, Fusion *f, HostValue value, const int64_t *shape)
{
    kjit_array view;
    if (value.kind == HOST_ARRAY) {
        kjit_array_broadcast(&value.array->view, f->rank, shape, &view);
        return arena_printf(&g->program->scratch, "a%d[%s]", fusion_add(f, value.array, &view),
                            f->index);
    }
    const kjit_arg scalar = host_scalar(value);
    f->numbers[f->number_count++] = scalar_cast(&scalar, g->array->view.dtype);
    return arena_printf(&g->program->scratch, "c%d", f->number_count - 1);
}

/* Copies the arrays of indices that lie in the memory that is stored to: x[x] = 0. */
static bool set_apart(Gather *g)
{
    for (int i = 0; i < g->count; i++)
        if (g->indices[i]->block == g->array->block &&
            !host_array_copy_as(g->program, g->indices[i], KJIT_DTYPE_INT64, &g->indices[i]))
            return false;
    return true;
}

bool gather_put_by_kernels(Gather *g, HostValue value)
{
    int64_t shape[2 * KJIT_RANK_MAX];
    HostArray *owners = NULL;
    Fusion f;
    Buf text;
    const int rank = gather_shape(g, shape);
    /* to the checker it is a race if threads store the same number in one place */
    const bool checked = g->program->context->device->findings != NULL;
    const bool same = g->masked == g->count || (value.kind != HOST_ARRAY && !checked);
    if (!set_apart(g) || (!same && !claim(g, &owners)))
        return false;
    fusion_empty(&f, g->program, rank);
    fusion_count(&f, shape);
    const char *element = add_value(g, &f, value, shape);
    const int param = add_indices(g, &f), owner = f.param_count;
    if (owners)
        fusion_add(&f, owners, &owners->view);
    fusion_name(&f);
    buf_puts(&f.functions, owners ? wrapped_text : "");
    int margin = fusion_elements(&f, &text, "put");
    if (owners) {
        const char *name = arena_printf(&g->program->scratch, "a%d", owner);
        buf_printf(&text, "%*sif %s[%s] == %s:\n", margin, "", name,
                   claim_text(g, param, g->front, name), number_text(g, g->front, 0));
        margin += 4;
    }
    buf_printf(&text, "%*sout[%s] = %s\n", margin, "", index_text(g, param), element);
    return launch(&f, buf_text(&text), g->array, &g->whole, shape);
}

/* ---- masks ---------------------------------------------------------------------------------- */

bool gather_where_by_kernels(Program *p, HostArray *mask, HostArray *places[KJIT_RANK_MAX])
{
    HostValue value = host_object(mask), found;
    if (mask->view.dtype != KJIT_DTYPE_BOOL &&
        (!host_array_binary(p, AST_NE, value, host_int(0), &value) || !host_settle(p, &value)))
        return false;
    if (!modules_call(p, "np._places", &value, 1, &found))
        return false;
    for (int k = 0; k < mask->view.rank; k++)
        if (!host_array_from(p, found.list->items[k], KJIT_DTYPE_INT64, &places[k]))
            return false;
    return true;
}

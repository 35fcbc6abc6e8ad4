/* From an expression of arrays to one kernel: its parameters, and the launch. */
#include "runtime/compile/compile.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"

/* ---- leaves --------------------------------------------------------------------------------- */

static bool same_view(const kjit_array *a, const kjit_array *b)
{
    if (a->data != b->data || a->dtype != b->dtype || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->shape[i] != b->shape[i] || a->strides[i] != b->strides[i])
            return false;
    return true;
}

/* The view with strides of 0 along the axes that it has not, and without those in front that it has
** too many: they are of one element. */
static bool broadcast(Fusion *f, const kjit_array *from, kjit_array *to)
{
    kjit_array fewer = *from;
    if (from->rank > f->rank) {
        const int more = from->rank - f->rank;
        memmove(fewer.shape, fewer.shape + more, (size_t)f->rank * sizeof *fewer.shape);
        memmove(fewer.strides, fewer.strides + more, (size_t)f->rank * sizeof *fewer.strides);
        fewer.rank = f->rank;
        from = &fewer;
    }
    if (from->rank == f->rank && memcmp(from->shape, f->shape, (size_t)f->rank * 8) == 0) {
        *to = *from;
        return true;
    }
    kjit_status status = kjit_array_broadcast(from, f->rank, f->shape, to);
    return status == KJIT_OK || host_failed(f->program, status);
}

static bool find_leaves(Fusion *f, HostValue value)
{
    if (value.kind == HOST_EXPRESSION) {
        for (int i = 0; i < value.expression->count; i++)
            if (!find_leaves(f, value.expression->operands[i]))
                return false;
        return true;
    }
    if (value.kind != HOST_ARRAY)
        return true;
    kjit_array view;
    if (!broadcast(f, &value.array->view, &view))
        return false;
    for (int i = 0; i < f->array_count; i++)
        if (same_view(&f->views[i], &view))
            return true;
    f->views[f->array_count] = view;
    f->arrays[f->array_count++] = value.array;
    return true;
}

int fusion_leaf(Fusion *f, const HostArray *array)
{
    kjit_array view;
    if (broadcast(f, &array->view, &view))
        for (int i = 0; i < f->array_count; i++)
            if (same_view(&f->views[i], &view))
                return i;
    return -1;
}

static bool is_flat(const Fusion *f, const HostArray *out)
{
    for (int i = 0; i < f->array_count; i++)
        if (!kjit_array_is_contiguous(&f->views[i], 0) || (f->views[i].flags & KJIT_READONLY))
            return false;
    return !out || kjit_array_is_contiguous(&out->view, 0);
}

static kjit_array flattened(const kjit_array *view)
{
    const int64_t count = array_elements(view);
    kjit_array flat = kjit_host_array(view->data, view->dtype, 1, &count);
    flat.flags = view->flags;
    return flat;
}

/* Which parameter each leaf is of: views of the same rows are of one. */
static void find_params(Fusion *f)
{
    for (int i = 0; i < f->array_count; i++) {
        const bool rows = f->rank > 1 && !f->flat && !kjit_array_is_contiguous(&f->views[i], 0) &&
                          dense_of(f->arrays[i]->block, &f->views[i], &f->dense[i]);
        if (!rows)
            f->dense[i].count = 0;
        f->param[i] = -1;
        for (int k = 0; rows && k < i && f->param[i] < 0; k++)
            if (f->dense[k].count && same_view(&f->dense[k].rows, &f->dense[i].rows))
                f->param[i] = f->param[k];
        if (f->param[i] < 0)
            f->param[i] = f->param_count++;
    }
}

const char *fusion_indices(int rank)
{
    static const char *const indices[] = { "()",
                                           "i0",
                                           "i0, i1",
                                           "i0, i1, i2",
                                           "i0, i1, i2, i3",
                                           "i0, i1, i2, i3, i4",
                                           "i0, i1, i2, i3, i4, i5",
                                           "i0, i1, i2, i3, i4, i5, i6",
                                           "i0, i1, i2, i3, i4, i5, i6, i7" };
    _Static_assert(ARRAY_COUNT(indices) == KJIT_RANK_MAX + 1, "an index for each rank");
    return indices[rank];
}

bool fusion_begin(Fusion *f, Program *p, HostValue value, int rank, const int64_t *shape,
                  const HostArray *out)
{
    *f = (Fusion){ .program = p, .rank = rank };
    if (!program_context(p))
        return false;
    if (rank)
        memcpy(f->shape, shape, (size_t)rank * sizeof *shape);
    f->params = buf_in(&p->scratch);
    f->element = buf_in(&p->scratch);
    f->functions = buf_in(&p->scratch);
    if (!find_leaves(f, value))
        return false;
    f->flat = rank > 1 && is_flat(f, out);
    f->index = fusion_indices(f->flat ? 1 : rank);
    find_params(f);
    return true;
}

void fusion_empty(Fusion *f, Program *p, int rank)
{
    *f = (Fusion){ .program = p, .rank = rank, .index = fusion_indices(rank) };
    f->params = buf_in(&p->scratch);
    f->element = buf_in(&p->scratch);
    f->functions = buf_in(&p->scratch);
}

int fusion_add(Fusion *f, HostArray *array, const kjit_array *view)
{
    f->views[f->array_count] = *view;
    f->param[f->array_count] = f->param_count;
    f->arrays[f->array_count++] = array;
    return f->param_count++;
}

/* ---- launching ------------------------------------------------------------------------------ */

kjit_kernel *fusion_kernel(Program *p, const char *text)
{
    kjit_module *module;
    kjit_kernel *kernel = table_get(&p->kernels, text);
    if (kernel)
        return kernel;
    /* the library's, whatever file of that name lies where the program runs */
    const kjit_text reduce = { .name = "reduce", .file = "std", .text = stdlib_find("reduce") };
    kjit_load_options options = { .size = sizeof options, .texts = &reduce, .text_count = 1 };
    kjit_status status = kjit_load_source(p->context, text, "<expression>", &options, &module);
    if (status == KJIT_OK)
        host_module(p, module);
    if (status == KJIT_OK)
        status = kjit_get_kernel(module, NULL, &kernel);
    if (status != KJIT_OK) {
        host_failed(p, status);
        return NULL;
    }
    table_put(&p->kernels, arena_strdup(p->arena, text), kernel);
    return kernel;
}

static void shape_launch(kjit_launch_config *config, const int64_t *threads, int axes)
{
    static const uint32_t blocks[4][3] = {
        { 1 }, { FUSION_BLOCK, 1, 1 }, { 64, 4, 1 }, { 32, 4, 2 }
    };
    for (int i = 0; i < 3; i++) {
        uint32_t block = axes ? blocks[axes][i] : 1;
        int64_t wanted = i < axes ? threads[axes - 1 - i] : 1;
        config->block[i] = block;
        config->grid[i] = (uint32_t)((wanted + block - 1) / block);
    }
}

/* Findings and remarks are of the program's statement that launches it. */
static void show_statement(const Program *p, kjit_kernel *kernel)
{
    Source *source = (Source *)(uintptr_t)kernel->module->main->source;
    source->shown = p->at.source;
    source->shown_begin = p->at.begin;
    source->shown_end = p->at.end;
}

bool fusion_launch(Fusion *f, kjit_kernel *kernel, HostArray *out, const kjit_array *out_view,
                   const int64_t *threads, int axes)
{
    Program *p = f->program;
    kjit_arg args[LEAVES_MOST + NUMBERS_MOST + 8];
    kjit_launch_config config = { .size = sizeof config };
    int count = 0;
    HostArray *views[LEAVES_MOST + 2];
    views[0] = host_array_of(p, out->block, out_view);
    for (int i = 0; i < f->array_count; i++) {
        const kjit_array flat = flattened(&f->views[i]);
        views[f->param[i] + 1] = host_array_of(p, f->arrays[i]->block,
                                               f->flat             ? &flat
                                               : f->dense[i].count ? &f->dense[i].rows
                                                                   : &f->views[i]);
    }
    for (int i = 0; i <= f->param_count; i++) {
        kjit_array array;
        if (!host_array_launch(p, views[i], &array))
            return false;
        args[count++] = kjit_arg_array(array);
    }
    for (int i = 0; i < f->number_count; i++)
        args[count++] = f->numbers[i];
    shape_launch(&config, threads, axes);
    show_statement(p, kernel);
    const HostWork work = { .name = p->ufunc ? p->ufunc->name : kjit_kernel_name(kernel),
                            .kernel = kernel,
                            .config = &config,
                            .args = args,
                            .count = (size_t)count,
                            .operations = f->operations,
                            .arrays = f->param_count,
                            .apart = f->apart };
    kjit_status status = program_launch(p, &work);
    host_array_launched(p, out, true);
    return status == KJIT_OK || host_failed(p, status);
}

/* Whether a leaf shares memory with what is written, and is not written just where it is read. */
static bool overlaps(const Fusion *f, const HostArray *out)
{
    int64_t low, high, from, to;
    array_span(&out->view, &low, &high);
    for (int i = 0; i < f->array_count; i++) {
        const kjit_array *view = &f->views[i];
        if (f->arrays[i]->block != out->block || same_view(view, &out->view))
            continue;
        array_span(view, &from, &to);
        const char *a = out->view.data, *b = view->data;
        if (a + low < b + to && b + from < a + high)
            return true;
    }
    return false;
}

static int64_t shifted_extent(const Fusion *f, int axis)
{
    return f->shape[axis] + (axis == f->shift_axis ? f->shift : 0);
}

/* Writes whole rows where the result is a part of them. */
static void find_out(Fusion *f, const HostArray *out)
{
    if (f->rank < 2 || f->flat || kjit_array_is_contiguous(&out->view, 0) ||
        !dense_of(out->block, &out->view, &f->out)) {
        f->out.count = 0;
        return;
    }
    const int last = f->out.count - 1;
    if (f->rank - f->out.axis[last] <= 3) { /* it is one of the grid's */
        f->shift_axis = f->out.axis[last];
        f->shift = f->out.offset[last];
    }
    int64_t extents[KJIT_RANK_MAX];
    for (int i = 0; i < f->rank; i++)
        extents[i] = shifted_extent(f, i);
    fusion_count(f, extents);
}

static bool compute(Fusion *f, HostValue value, HostArray *out)
{
    Program *p = f->program;
    find_out(f, out);
    const char *text = fusion_elementwise(f, value, out->view.dtype);
    kjit_kernel *kernel =
        p->ufunc ? ufunc_kernel(p, p->ufunc, text, "expression") : fusion_kernel(p, text);
    if (!kernel)
        return false;
    const kjit_array flat = flattened(&out->view);
    int rank = f->flat ? 1 : f->rank, axes = rank > 3 ? 3 : rank;
    int64_t threads[3] = { flat.rank ? flat.shape[0] : 0 };
    for (int i = 0; i < axes && !f->flat; i++)
        threads[i] = shifted_extent(f, rank - axes + i);
    return fusion_launch(f, kernel, out,
                         f->flat        ? &flat
                         : f->out.count ? &f->out.rows
                                        : &out->view,
                         threads, axes);
}

bool expression_array(Program *p, HostExpression *expression, HostArray **out)
{
    Fusion fusion;
    HostValue value = host_object(expression);
    if (!host_array_for(p, expression, out))
        return false;
    (*out)->block->unwritten = true;
    if (!array_elements(&(*out)->view))
        return true;
    return fusion_begin(&fusion, p, value, expression->rank, expression->shape, *out) &&
           compute(&fusion, value, *out);
}

static bool fits(HostValue value, const HostArray *to)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank = operand_shape(value, shape);
    while (rank > to->view.rank && shape[0] == 1)
        memmove(shape, shape + 1, (size_t)--rank * sizeof *shape);
    for (int i = 0; i < rank && i < to->view.rank; i++)
        if (shape[rank - 1 - i] != 1 &&
            shape[rank - 1 - i] != to->view.shape[to->view.rank - 1 - i])
            return false;
    return rank <= to->view.rank;
}

/* Where kernels cannot write: computed apart, and copied by the host. */
static bool store_by_host(Program *p, HostValue value, HostArray *to)
{
    HostArray *apart;
    if (!host_array_new(p, to->view.dtype, to->view.rank, to->view.shape, false, &apart) ||
        !expression_store(p, value, apart) || !host_array_read(p, apart) ||
        !host_array_write(p, to))
        return false;
    array_copy(&to->view, &apart->view);
    return true;
}

bool expression_store(Program *p, HostValue value, HostArray *to)
{
    Fusion fusion;
    HostArray *apart;
    if (!fits(value, to))
        return host_fail(p, "ValueError",
                         "could not broadcast input array from shape %s into shape %s",
                         shape_text(p, value), shape_text(p, host_object(to)));
    if (to->view.flags & KJIT_READONLY)
        return host_fail(p, "ValueError", "assignment destination is read-only");
    if (!array_elements(&to->view))
        return true;
    if (!view_is_aligned(&to->view))
        return store_by_host(p, value, to);
    if (!fusion_begin(&fusion, p, value, to->view.rank, to->view.shape, to))
        return false;
    if (overlaps(&fusion, to)) { /* what is read must not have been written */
        if (!host_array_new(p, to->view.dtype, to->view.rank, to->view.shape, false, &apart) ||
            !fusion_begin(&fusion, p, value, to->view.rank, to->view.shape, apart))
            return false;
        fusion.apart = true;
        if (!compute(&fusion, value, apart))
            return false;
        value = host_object(apart);
        if (!fusion_begin(&fusion, p, value, to->view.rank, to->view.shape, to))
            return false;
    }
    bool copies = value.kind == HOST_ARRAY && value.array->view.dtype == to->view.dtype;
    if (copies && host_shares(p)) {
        if (!host_array_write(p, to))
            return false;
        array_copy(&to->view, &fusion.views[0]);
        return true;
    }
    return compute(&fusion, value, to);
}

/* The plan of a captured launch: its arrays' memory as files, and its arguments as value
** expressions (docs/values.md).
**
** A contiguous array that shares its memory with no other is a .npy file. Others are views of a
** file that holds all the memory they share. */
#include "runtime/capture/capture.h"
#include "runtime/array/array.h"

#include <math.h>

enum { KEEP_ALIGN = 16 };

/* ---- the arrays ----------------------------------------------------------------------- */

/* A record with the size only, which is all that copies need. */
static const kjit_record *sized_record(CapturePlan *plan, const kjit_record *record)
{
    kjit_record *own = arena_new(&plan->arena, kjit_record);

    own->bytes = record->bytes;
    return own;
}

static void add_view(CapturePlan *plan, const kjit_array *array, const char *name, bool top,
                     bool written)
{
    uintptr_t data = (uintptr_t)array->data; /* may be 0 for an empty array */
    int64_t low, high;

    if (array->dtype == KJIT_DTYPE_RECORD && !descr_can_list(array->record))
        plan->why_not = "a .npy file cannot hold records whose fields share bytes";
    array_span(array, &low, &high);
    array_push(&plan->arena, plan->views, plan->view_count, plan->view_room) =
        (CaptureView){ .array = *array,
                       .record = array->record,
                       .name = name,
                       .low = (char *)(data + (uintptr_t)low),
                       .high = (char *)(data + (uintptr_t)high),
                       .top = top,
                       .written = written && !(array->flags & KJIT_READONLY) };
    if (array->record)
        plan->views[plan->view_count - 1].array.record = sized_record(plan, array->record);
}

static void add_views(CapturePlan *plan, const kjit_arg *arg, const char *name, bool top,
                      bool written)
{
    if (arg->kind == KJIT_ARG_ARRAY)
        add_view(plan, &arg->as.array, name, top, written);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        add_views(plan, &arg->as.tuple.items[i], arena_printf(&plan->arena, "%s.%zu", name, i),
                  false, written);
}

static int lower_first(const void *a, const void *b)
{
    const CaptureView *x = *(CaptureView *const *)a, *y = *(CaptureView *const *)b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Whether two arrays are identical, so that one value serves for both. */
static bool same_view(const CaptureView *a, const CaptureView *b)
{
    const kjit_array *x = &a->array, *y = &b->array;
    size_t axes = sizeof x->shape[0] * (size_t)x->rank;

    return x->data == y->data && x->dtype == y->dtype && x->rank == y->rank &&
           x->flags == y->flags && memcmp(x->shape, y->shape, axes) == 0 &&
           memcmp(x->strides, y->strides, axes) == 0 && dtype_same_record(a->record, b->record);
}

/* ---- files ---------------------------------------------------------------------------- */

static bool is_param(const kjit_kernel *kernel, const char *name)
{
    for (int i = 0; i < kernel->param_count; i++) {
        if (strcmp(kernel->param_names[i], name) == 0)
            return true;
    }
    return false;
}

static bool is_file(const CapturePlan *plan, const char *name)
{
    const CaptureFile *file = plan->files;

    while (file && strcmp(file->name, name) != 0)
        file = file->next;
    return file != NULL;
}

/* "x_memory", or "memory" for several arrays: a name that no parameter or other file has. */
static const char *memory_name(CapturePlan *plan, const kjit_kernel *kernel,
                               const CaptureView *alone)
{
    const char *front =
        alone && alone->top ? arena_printf(&plan->arena, "%s_memory", alone->name) : "memory";
    const char *name = front;

    for (int i = 2; is_param(kernel, name) || is_file(plan, name); i++)
        name = arena_printf(&plan->arena, "%s%d", front, i);
    return name;
}

/* The file of one contiguous array. */
static void form_of_view(CaptureFile *file, const CaptureView *view)
{
    file->form = view->array;
    file->form.record = view->record;
    file->columns = array_layout(&view->array) == LAYOUT_F;
}

/* The file of shared memory: elements if its arrays have one dtype, else bytes. */
static void form_of_memory(CaptureFile *file, CaptureView *const *views, int count)
{
    const kjit_array *first = &views[0]->array;
    int64_t bytes = (int64_t)array_item_bytes(first);
    bool alike = true;

    file->lead = (uintptr_t)file->low % KEEP_ALIGN;
    for (int i = 1; i < count; i++)
        alike = alike && views[i]->array.dtype == first->dtype &&
                dtype_same_record(views[i]->record, views[0]->record);
    if (alike && file->lead % (size_t)bytes != 0 && (size_t)bytes % KEEP_ALIGN == 0)
        file->lead = 0;
    alike = alike && (int64_t)(file->lead + file->bytes) % bytes == 0;
    kjit_dtype dtype = alike ? first->dtype : KJIT_DTYPE_UINT8;
    int64_t extent = (int64_t)(file->lead + file->bytes) / (alike ? bytes : 1);
    file->form = kjit_host_array(file->low - file->lead, dtype, 1, &extent);
    file->form.record = alike ? views[0]->record : NULL;
    array_set_strides(&file->form, false);
}

/* Adds one file for the first `count` arrays of a list, which share memory. */
static void add_file(CapturePlan *plan, const kjit_kernel *kernel, CaptureView **views, int count)
{
    CaptureFile *file = arena_new(&plan->arena, CaptureFile), **link = &plan->files;
    CaptureView *first = views[0];
    bool alike = array_layout(&first->array) != LAYOUT_A;
    char *high = first->high;

    file->low = first->low;
    for (int i = 0; i < count; i++) {
        const kjit_array *array = &views[i]->array;
        alike = alike && same_view(views[i], views[0]);
        first = views[i] < first ? views[i] : first;
        high = views[i]->high > high ? views[i]->high : high;
        file->written = file->written || views[i]->written;
        file->on_device =
            file->on_device || (array->flags & KJIT_ON_DEVICE && !plan->device->ops->host_memory);
        views[i]->file = file;
    }
    file->bytes = (size_t)(high - file->low);
    if (alike)
        form_of_view(file, first);
    else
        form_of_memory(file, views, count);
    bool own = count == 1 || (first->top && !(first->array.flags & KJIT_READONLY));
    file->name = alike && own ? first->name : memory_name(plan, kernel, count == 1 ? first : NULL);
    file->variable = count > 1 || !alike ? file->name : NULL;
    file->head = npy_header(&plan->arena, &file->form, file->columns, &file->head_length);
    plan->bytes += (1 + file->written) * (file->head_length + file->lead + file->bytes);
    while (*link)
        link = &(*link)->next;
    *link = file;
}

/* Assigns arrays to files: one file for those that overlap. */
static void make_files(CapturePlan *plan, const kjit_kernel *kernel)
{
    int count = plan->view_count;

    plan->by_address = arena_array(&plan->arena, CaptureView *, count);
    for (int i = 0; i < count; i++)
        plan->by_address[i] = &plan->views[i];
    if (count > 1)
        qsort(plan->by_address, (size_t)count, sizeof *plan->by_address, lower_first);
    for (int i = 0, next; i < count; i = next) {
        CaptureView *const *views = plan->by_address;
        char *high = views[i]->high;
        next = i + 1;
        while (next < count && views[next]->low < high && views[next]->low < views[next]->high) {
            high = views[next]->high > high ? views[next]->high : high;
            next++;
        }
        add_file(plan, kernel, &plan->by_address[i], next - i);
    }
}

/* ---- values as text ------------------------------------------------------------------- */

static void put_real(Buf *out, double number)
{
    char text[DECIMAL_TEXT];

    if (isnan(number) || isinf(number)) {
        buf_printf(out, "%s", isnan(number) ? "np.nan" : number < 0 ? "-np.inf" : "np.inf");
        return;
    }
    decimal_text(text, number, 1);
    buf_printf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_time(Buf *out, const kjit_arg *arg)
{
    const char *name = kjit_dtype_name(arg->dtype), *unit = strchr(name, '[');

    buf_printf(out, "%.*s(", (int)strcspn(name, "["), name);
    if (arg->as.integer == INT64_MIN)
        buf_puts(out, "\"NaT\"");
    else
        buf_printf(out, "%lld", (long long)arg->as.integer);
    if (unit)
        buf_printf(out, ", \"%.*s\"", (int)strcspn(unit + 1, "]"), unit + 1);
    buf_putc(out, ')');
}

static void put_integer(Buf *out, const kjit_arg *arg)
{
    if (arg->dtype == KJIT_DTYPE_UINT64)
        buf_printf(out, "%llu", (unsigned long long)arg->as.integer);
    else if (arg->as.integer == INT64_MIN)
        buf_printf(out, "%lld - 1", (long long)INT64_MIN + 1);
    else
        buf_printf(out, "%lld", (long long)arg->as.integer);
}

static void put_scalar(Buf *out, const kjit_arg *arg)
{
    bool plain = arg->dtype == KJIT_DTYPE_INT64 || arg->dtype == KJIT_DTYPE_FLOAT64;

    if (arg->dtype == KJIT_DTYPE_BOOL) {
        buf_puts(out, arg->as.integer ? "True" : "False");
        return;
    }
    if (dtype_is_time(arg->dtype)) {
        put_time(out, arg);
        return;
    }
    if (!plain)
        buf_printf(out, "%s(", kjit_dtype_name(arg->dtype));
    if (dtype_is_complex(arg->dtype)) {
        put_real(out, arg->as.complex_parts[0]);
        buf_puts(out, ", ");
        put_real(out, arg->as.complex_parts[1]);
    } else if (dtype_is_float(arg->dtype)) {
        put_real(out, arg->as.number);
    } else {
        put_integer(out, arg);
    }
    if (!plain)
        buf_putc(out, ')');
}

static void put_load(Buf *out, const CaptureFile *file, bool after)
{
    buf_printf(out, "load(\"%s%s.npy\")", file->name, after && file->written ? ".after" : "");
}

/* The dtype as an argument of ndarray(). */
static void put_element(Buf *out, const CaptureView *view)
{
    const kjit_array *form = &view->file->form;

    if (view->array.dtype == KJIT_DTYPE_RECORD && form->dtype == KJIT_DTYPE_RECORD) {
        buf_printf(out, "%s.dtype", view->file->variable);
    } else if (view->array.dtype == KJIT_DTYPE_RECORD) {
        buf_puts(out, "dtype(");
        descr_put(out, view->array.dtype, view->record);
        buf_putc(out, ')');
    } else {
        buf_printf(out, "\"%s\"", kjit_dtype_name(view->array.dtype));
    }
}

static void put_view(Buf *out, const CaptureView *view, bool after)
{
    const CaptureFile *file = view->file;
    const kjit_array *array = &view->array, *form = &file->form;
    bool whole = array->data == form->data && array->dtype == form->dtype &&
                 array->rank == form->rank && array_layout(array) != LAYOUT_A &&
                 memcmp(array->shape, form->shape, sizeof form->shape[0] * (size_t)form->rank) == 0;

    if (array->flags & KJIT_READONLY)
        buf_puts(out, "readonly(");
    if (!whole) {
        buf_puts(out, "ndarray(");
        descr_put_shape(out, array->shape, array->rank);
        buf_puts(out, ", ");
        put_element(out, view);
        buf_puts(out, ", ");
    }
    if (file->variable)
        buf_puts(out, file->variable);
    else
        put_load(out, file, after);
    if (!whole) {
        buf_printf(out, ", %lld, ", (long long)((char *)array->data - (char *)form->data));
        descr_put_shape(out, array->strides, array->rank);
        buf_putc(out, ')');
    }
    if (array->flags & KJIT_READONLY)
        buf_putc(out, ')');
}

/* The value of an argument; `*view` is its first array, and is advanced past its arrays. */
static void put_arg(Buf *out, const kjit_arg *arg, const CaptureView **view, bool after)
{
    if (arg->kind == KJIT_ARG_SCALAR) {
        put_scalar(out, arg);
        return;
    }
    if (arg->kind == KJIT_ARG_ARRAY) {
        put_view(out, (*view)++, after);
        return;
    }
    buf_putc(out, '(');
    for (size_t i = 0; i < arg->as.tuple.count; i++) {
        if (i)
            buf_puts(out, ", ");
        put_arg(out, &arg->as.tuple.items[i], view, after);
    }
    buf_puts(out, arg->as.tuple.count == 1 ? ",)" : ")");
}

/* ---- launch.txt ----------------------------------------------------------------------- */

static bool any_written(const CaptureView *views, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (views[i].file->written)
            return true;
    }
    return false;
}

/* Whether the outputs need no file: the kernel does not write it, and no tuple has a part of it. */
static bool is_left_out(const CapturePlan *plan, const CaptureFile *file)
{
    for (int i = 0; i < plan->view_count; i++) {
        if (plan->views[i].file == file && (file->written || !plan->views[i].top))
            return false;
    }
    return true;
}

/* The lines that read memory shared by several arrays. */
static void put_memories(Buf *out, const CapturePlan *plan, bool after)
{
    for (const CaptureFile *file = plan->files; file; file = file->next) {
        if (!file->variable || (after && is_left_out(plan, file)))
            continue;
        buf_printf(out, "%s = ", file->variable);
        put_load(out, file, after);
        buf_putc(out, '\n');
    }
}

/* All arguments; with `after`, those with memory that the kernel writes. */
static const char *values_text(CapturePlan *plan, const CaptureLaunch *launch, bool after)
{
    const CaptureView *view = plan->views;
    Buf out = buf_in(&plan->arena);
    put_memories(&out, plan, after);
    for (size_t i = 0; i < launch->count; i++) {
        const kjit_arg *arg = &launch->args[i];
        size_t arrays = arg_arrays(arg);
        const char *name = launch->kernel->param_names[i];
        bool said = arg->kind == KJIT_ARG_ARRAY && view->file->variable &&
                    strcmp(view->file->variable, name) == 0; /* put_memories() */
        if (said || (after && !any_written(view, arrays))) {
            view += arrays;
            continue;
        }
        buf_printf(&out, "%s = ", name);
        put_arg(&out, arg, &view, after);
        buf_putc(&out, '\n');
    }
    return buf_text(&out);
}

/* Replaces line breaks in a text. */
static const char *one_line(Arena *arena, const char *text)
{
    char *line = arena_strdup(arena, text);

    for (char *at = line; *at; at++) {
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    }
    return line;
}

/* A schedule in one line, without its comments. */
static void put_schedule(Buf *out, const Source *schedule)
{
    for (const char *at = schedule->text; *at;) {
        bool comment = *at == '#' && (at == schedule->text || strchr(" \t\r\n;", at[-1]));
        size_t length = strcspn(at, "\r\n");
        if (comment)
            at += length;
        else if (!length)
            buf_puts(out, *at++ == '\n' ? "; " : "");
        else
            buf_putc(out, *at++);
    }
    buf_puts(out, " ;\n");
}

/* The module's load options, if any. */
static void put_options(Buf *out, CapturePlan *plan, const kjit_module *module)
{
    const char *options = module_options_text(&plan->arena, module);

    if (module->max_registers)
        buf_printf(out, "max_registers = %d\n", module->max_registers);
    if (module->unroll)
        buf_printf(out, "unroll = %d\n", module->unroll);
    if (options)
        buf_printf(out, "options = %s\n", one_line(&plan->arena, options));
    if (module->passes.with || module->passes.without) {
        buf_puts(out, "passes = ");
        ir_write_passes(out, &module->passes);
        buf_putc(out, '\n');
    }
    if (module->schedule) {
        buf_puts(out, "schedule = ");
        put_schedule(out, module->schedule);
    }
}

static const char *launch_text(CapturePlan *plan, const CaptureLaunch *launch)
{
    const kjit_module *module = launch->kernel->module;
    const uint32_t *grid = launch->request->grid, *block = launch->request->block;
    Buf out = buf_in(&plan->arena);
    buf_printf(&out,
               "# A launch that kjit %s captured. `kjit run FOLDER` replays it. What stands\n"
               "# behind a = may be edited; docs/values.md says what values there are.\n"
               "# %s\n\n"
               "[launch]\nformat = 1\nfile = %s\nkernel = %s\ngrid = %u, %u, %u\n"
               "block = %u, %u, %u\nshared = %zu\ndevice = %s\nmodel = %s\n",
               kjit_version(), plan->call, plan->sources ? plan->sources->name : module->main->path,
               launch->kernel->info->name, grid[0], grid[1], grid[2], block[0], block[1], block[2],
               launch->shared_bytes, plan->device->name,
               one_line(&plan->arena, plan->device->model));
    if (module->debug)
        buf_puts(&out, "debug = 1\n");
    if (module->fastmath)
        buf_puts(&out, "fastmath = 1\n");
    if (module->matmul)
        buf_printf(&out, "matmul = %s\n", ir_tile_name((TileForm)module->matmul));
    put_options(&out, plan, module);
    return buf_text(&out);
}

static const char *before_text(CapturePlan *plan, const CaptureLaunch *launch)
{
    const kjit_module *module = launch->kernel->module;

    Buf out = buf_in(&plan->arena);
    if (plan->sources)
        buf_puts(&out, "\n[files]\n");
    for (const CaptureSource *source = plan->sources; source; source = source->next)
        buf_printf(&out, "%s = %s\n", source->name, source->digest.name);
    if (module->define_count)
        buf_puts(&out, "\n[define]\n");
    for (int i = 0; i < module->define_count; i++) {
        const Define *define = &module->defines[i];
        buf_printf(&out, "%s = %s\n", define->name,
                   one_line(&plan->arena, define->value->span.source->text));
    }
    buf_printf(&out, "\n[before]\n%s", values_text(plan, launch, false));
    return buf_text(&out);
}

/* ---- all of it ------------------------------------------------------------------------ */

void capture_describe(CapturePlan *plan, const CaptureLaunch *launch)
{
    plan->call = arena_strdup(&plan->arena, launch->spec->call);
    capture_sources(plan, launch);
    for (size_t i = 0; i < launch->count; i++) {
        bool written = launch->spec->access[i] & (ACCESS_WRITE | ACCESS_ATOMIC);
        add_views(plan, &launch->args[i], launch->kernel->param_names[i], true, written);
    }
    make_files(plan, launch->kernel);
    plan->launch = launch_text(plan, launch);
    plan->before = before_text(plan, launch);
    plan->after = values_text(plan, launch, true);
    plan->bytes += strlen(plan->launch) + strlen(plan->before) + strlen(plan->after);
}

/* The entry of a kernel in C, which has the blocks done by several workers, and the arguments that
** it takes out of a launch. */
#include "codegen/emit/threads/threads.h"

/* ---- parameters and arguments ---------------------------------------------------------- */

const char *threads_parameters(Threads *th, const bool *wanted)
{
    const char *parameters = emit_parameters_of(th->e, wanted);
    bool none = !strcmp(parameters, "void") || !*parameters;
    return none ? "" : arena_printf(th->e->arena, ", %s", parameters);
}

static void put_argument(Buf *out, const char *type, int *number)
{
    buf_printf(out, ", *(%s const *)params[%d]", type, (*number)++);
}

/* One parameter of the kernel, from the values that stand for it. */
static void put_parameter(Threads *th, Buf *out, const IrVar *param, int *number)
{
    Emitter *e = th->e;
    if (!type_is_array(param->type)) {
        put_argument(out, type_text(e, param->type), number);
        return;
    }
    int rank = ir_given_axes(param);
    if (param->merged) {
        buf_printf(out, ", %s", merge_name(th, param));
        ++*number;
    } else {
        put_argument(out, "void *", number);
    }
    for (int i = 0; i < rank; i++)
        put_argument(out, "long long", number);
    for (int i = 0; i < rank && param->type->array.layout == LAYOUT_A; i++)
        put_argument(out, "long long", number);
}

const char *threads_entry_arguments(Threads *th)
{
    Emitter *e = th->e;
    Buf out = buf_in(e->arena);
    int number = 0;
    for (int i = 0; i < th->fn->param_count; i++)
        put_parameter(th, &out, th->fn->vars[i], &number);
    if (e->fault_name)
        put_argument(&out, "KjitFault *", &number);
    buf_puts(&out, exact_entry_arguments(th));
    return buf_text(&out);
}

const char *threads_arguments(Threads *th, const bool *wanted)
{
    Emitter *e = th->e;
    Buf out = buf_in(e->arena);
    for (int i = 0; i < th->fn->param_count; i++) {
        const IrVar *param = th->fn->vars[i];
        const VarInfo *info = &e->vars[param->id];
        if (wanted && !wanted[i])
            continue;
        const char *name =
            info->form == FORM_PARTS && type_is_array(param->type) ? info->parts : info->name;
        buf_printf(&out, ", %s", name);
        for (int k = 0; type_is_array(param->type) && k < ir_given_axes(param); k++)
            buf_printf(&out, ", %s_%d", name, k);
        bool strides = type_is_array(param->type) && param->type->array.layout == LAYOUT_A;
        for (int k = 0; strides && k < param->type->array.rank; k++)
            buf_printf(&out, ", %s_s%d", name, k);
    }
    if (e->fault_name)
        buf_printf(&out, ", %s", e->fault_name);
    if (exact_any(e))
        buf_printf(&out, ", %s", exact_arguments(e));
    return buf_text(&out);
}

/* ---- workers --------------------------------------------------------------------------- */

/* Gets memory for a worker. */
static void emit_get_worker(Threads *th)
{
    Emitter *e = th->e;
    bool dynamic = threads_are_dynamic(th);
    line(e, "Worker *w = %s;", threads_get_memory(th));
    if (!dynamic)
        return;
    line(e, "if (w)");
    line(e, "    w->dynamic_size = launch->dynamic_shared;");
}

/* What each worker does: gets its memory, and takes blocks while there are some. They are shared
** out by a counter: a loop of OpenMP's own would take memory for that each time. */
static void emit_blocks(Threads *th)
{
    Emitter *e = th->e;
    if (th->has_worker)
        emit_get_worker(th);
    merge_begin(th);
    exact_begin_worker(th);
    line(e, "long long b, end;");
    open_block(e, "while ((b = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED)) < blocks)");
    line(e, "end = b + chunk < blocks ? b + chunk : blocks;");
    open_block(e, "for (; b < end; b++)");
    line(e, "const dim3 blockIdx = %s(b, gridDim);", prelude(e, "block_number", NULL));
    line(e, "const int status = %s%s%s(%sblockIdx, blockDim, gridDim%s);",
         exact_any(e) ? "!own ? 1 : " : "", th->has_worker ? "!w ? 1 : " : "", th->block_name,
         th->has_worker ? "w, " : "", threads_entry_arguments(th));
    line(e, "failed = status > failed ? status : failed;");
    close_block(e, "");
    close_block(e, "");
    merge_end(th);
    exact_end_worker(th);
    if (th->has_worker)
        line(e, "free(w);");
}

static void emit_sizes(Threads *th)
{
    Emitter *e = th->e;
    line(e, "const dim3 blockDim = { launch->block[0], launch->block[1], launch->block[2] };");
    line(e, "const dim3 gridDim = { launch->grid[0], launch->grid[1], launch->grid[2] };");
    line(e, "const long long blocks = (long long)gridDim.x * gridDim.y * gridDim.z;");
}

/* Opens a function that several threads call, of type KjitHostWork. */
static void open_work(Threads *th, const char *name)
{
    Emitter *e = th->e;
    emit_place_none(e, "kjit");
    line(e,
         "static int %s(void *const *params, const %s *launch, long long chunk, long long *next, "
         "void *shared)",
         name, prelude(e, "KjitHostLaunch", NULL));
    line(e, "{");
    e->depth++;
}

/* emit_blocks() as a function. Where one thread does it all the entry calls it itself. */
static void emit_work(Threads *th)
{
    Emitter *e = th->e;
    open_work(th, arena_printf(e->arena, "%s_work", th->block_name));
    emit_sizes(th);
    line(e, "int failed = 0;");
    line(e, "%s", "");
    line(e, "(void)params, (void)shared;");
    if (threads_yield(th)) {
        emit_yield_work(th);
    } else if (threads_of_grid(th)) {
        emit_grid_work(th);
    } else {
        exact_begin_work(th);
        emit_blocks(th);
    }
    line(e, "return failed;");
    close_block(e, "");
    if (!exact_any(e))
        return;
    open_work(th, arena_printf(e->arena, "%s_round", th->block_name));
    line(e, "(void)launch;");
    exact_round_work(th);
    line(e, "return 0;");
    close_block(e, "");
}

/* ---- the entry ------------------------------------------------------------------------- */

/* Text that has the blocks done, by one thread if they have to come one after the other or are not
** worth more, else by several. */
void threads_share(Threads *th, const char *shared)
{
    Emitter *e = th->e;
    const char *alone = arena_printf(
        e->arena, "failed = %s_work(params, launch, blocks, &next, %s);", th->block_name, shared);
    if (th->fn->options.deterministic && ir_order_shows(th->e->unit)) {
        line(e, "%s", alone);
        return;
    }
    line(e, "if (blocks <= %u)", th->e->unit->shape.light ? th->e->unit->shape.light : 1);
    line(e, "    %s", alone);
    line(e, "else");
    line(e, "    failed = launch->share(%s_work, params, launch, blocks, %s);", th->block_name,
         shared);
}

void emit_entry(Threads *th)
{
    Emitter *e = th->e;
    emit_work(th);
    emit_place_none(e, "kjit");
    line(e, "int kjit_entry(void *const *params, const %s *launch)",
         prelude(e, "KjitHostLaunch", NULL));
    line(e, "{");
    e->depth++;
    line(e, "const long long blocks = (long long)launch->grid[0] * launch->grid[1] * "
            "launch->grid[2];");
    line(e, "long long next = 0;");
    line(e, "int failed;");
    line(e, "%s", "");
    if (threads_yield(th)) {
        emit_yield_entry(th);
    } else if (threads_of_grid(th)) {
        emit_grid_entry(th);
    } else {
        exact_begin(th);
        threads_share(th, exact_any(e) ? "sums" : "NULL");
        exact_end(th);
    }
    line(e, "return failed;");
    close_block(e, "");
}

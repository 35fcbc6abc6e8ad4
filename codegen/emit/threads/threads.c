/* A kernel in C: a function that runs one block, and the entry that runs all of them.
**
** A worker takes blocks one after the other. What the threads of its block share, and what they
** keep from one stretch to the next, lies in the worker's memory, which lives as long as the
** entry. */
#include "codegen/emit/threads/threads.h"

#include "ir/analysis/points_to.h"

#include <string.h>

typedef enum Shape { SHAPE_LOOP, SHAPE_SPLIT, SHAPE_RESUME } Shape;

/* ---- device functions ---------------------------------------------------------------------- */

static bool has_shared_array(const IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++)
        if (fn->vars[i]->kind == VAR_SHARED || fn->vars[i]->kind == VAR_SHARED_DYNAMIC)
            return true;
    return false;
}

static bool must_inline(const IrFunc *fn)
{
    return (fn->effects & (EFFECT_SYNC | EFFECT_STOP)) || has_shared_array(fn);
}

/* On a GPU atomics have no order. */
static bool is_ordered(const IrUnit *unit, Dialect dialect, Diags *diags)
{
    const IrValue *atomic = unit->kernel->options.deterministic && dialect == DIALECT_CUDA
                                ? ir_order_shows(unit)
                                : NULL;
    if (atomic)
        diag_error(diags, atomic->span,
                   "a GPU cannot do this atomic operation in the same order each time, and '%s' "
                   "has deterministic=True; add to a contiguous array of float32 or float64 that "
                   "the kernel does nothing else with, or run it on the device cpu",
                   unit->kernel->name);
    return !atomic;
}

bool emit_fits(const IrUnit *unit, Dialect dialect, Diags *diags)
{
    enum { MOST = 20000 }; /* statements: what a C compiler takes some seconds for */
    const IrFunc *fn = dialect == DIALECT_C ? ir_inline_excess(unit, must_inline, MOST) : NULL;
    if (fn)
        diag_error(diags, fn->span,
                   "'%s' becomes too long for the processor: a function that waits for other "
                   "threads, has a shared array or may end the thread stands in place of each "
                   "of its calls, which makes more than %d statements here; call it in a loop",
                   fn->name, MOST);
    return !fn && is_ordered(unit, dialect, diags);
}

const IrUnit *emit_threads_unit(Arena *arena, const IrUnit *unit)
{
    const IrUnit *yielding = ir_yield_in_waits(arena, unit);
    IrUnit *whole = ir_inline(arena, yielding ? yielding : unit, must_inline);

    ir_tell_ends(whole);
    return whole;
}

void emit_threads_begin(Emitter *e)
{
    prelude(e, "dim3", NULL);
    name_unique(e, &e->globals, "Worker");
    name_unique(e, &e->globals, "Frame");
    e->context_param = "dim3 threadIdx, dim3 blockIdx, dim3 blockDim, dim3 gridDim";
    threads_of_block(e, false);
}

/* ---- threads --------------------------------------------------------------------------- */

void threads_of_block(Emitter *e, bool whole)
{
    e->context_arg = whole ? "(dim3){ 0, 0, 0 }, blockIdx, blockDim, gridDim"
                           : "threadIdx, blockIdx, blockDim, gridDim";
}

void threads_open(Threads *th, bool numbered, bool simd)
{
    Emitter *e = th->e;
    open_block(e, "%s(%s, %s, %s)", prelude(e, simd ? "EACH_THREAD_SIMD" : "EACH_THREAD", NULL),
               th->x, th->y, th->z);
    line(e, "const dim3 threadIdx = { %s, %s, %s };", th->x, th->y, th->z);
    if (numbered)
        line(e, "const long long %s = (%s * (long long)blockDim.y + %s) * blockDim.x + %s;", th->t,
             th->z, th->y, th->x);
}

void threads_assign(Threads *th, const IrStmt *stmt, const IrVar *var, const char *text)
{
    Emitter *e = th->e;
    const VarInfo *info = &e->vars[var->id];
    const char *left = info->storage == STORAGE_PLAIN && info->declare == stmt && info->own
                           ? declarator_text(e, var, info->name)
                           : var_text(e, var);
    line(e, "%s = %s;", left, text);
}

static bool returns_in_loop(const IrRegion *region, bool in_loop)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool leaves = stmt->kind == IR_RETURN || stmt->kind == IR_STOP || stmt->kind == IR_FAULT;
        if (leaves && in_loop)
            return true;
        IrRegion *regions[2];
        bool loop = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            if (returns_in_loop(regions[i], in_loop || loop))
                return true;
    }
    return false;
}

static void leave_by_continue(Emitter *e)
{
    line(e, "continue;");
}

static void leave_by_goto(Emitter *e)
{
    line(e, "goto leave;");
}

/* Whether every block is one thread, which does the work of many. */
static bool is_one_thread(const IrUnit *unit)
{
    const IrShape *shape = &unit->shape;
    return shape->whole ||
           (shape->free && shape->block[0] * shape->block[1] * shape->block[2] == 1);
}

/* The body of a block whose threads never wait: one loop. */
static void emit_loop_body(Threads *th)
{
    Emitter *e = th->e;
    bool far = returns_in_loop(&th->fn->body, false);
    if (is_one_thread(e->unit)) {
        line(e, "const dim3 threadIdx = { 0, 0, 0 };");
        emit_fixed_arrays(e, STORAGE_PLAIN);
        emit_region(e, &th->fn->body);
        line(e, "return 0;");
        return;
    }
    e->leave = far ? leave_by_goto : leave_by_continue;
    threads_open(th, false, !(th->fn->effects & EFFECT_ORDERED & ~(EFFECT_WRITE | EFFECT_STOP)));
    emit_fixed_arrays(e, STORAGE_PLAIN);
    emit_region(e, &th->fn->body);
    if (far) {
        e->depth--;
        line(e, "leave:;");
        e->depth++;
    }
    close_block(e, "");
    line(e, "return 0;");
}

/* ---- the worker ------------------------------------------------------------------------ */

static bool is_shared(const IrVar *var)
{
    return var->kind == VAR_SHARED;
}

static bool has_dynamic_array(const IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++)
        if (fn->vars[i]->kind == VAR_SHARED_DYNAMIC)
            return true;
    return false;
}

bool threads_are_dynamic(const Threads *th)
{
    return has_dynamic_array(th->fn);
}

bool threads_of_grid(const Threads *th)
{
    return th->fn->effects & EFFECT_GRID_SYNC;
}

bool threads_yield(const Threads *th)
{
    return th->fn->effects & EFFECT_YIELD;
}

enum { WORKER_ALIGN = 256 }; /* of its memory, which suits vectors */

/* The greatest alignment that the kernel's arrays of one kind ask for, or `least`. */
static int alignment_of(const Threads *th, IrVarKind kind, int least)
{
    for (int i = 0; i < th->fn->var_count; i++)
        if (th->fn->vars[i]->kind == kind && th->fn->vars[i]->alignment > least)
            least = th->fn->vars[i]->alignment;
    return least;
}

const char *threads_get_memory(Threads *th)
{
    Emitter *e = th->e;
    int align = alignment_of(th, VAR_PRIVATE, alignment_of(th, VAR_SHARED, WORKER_ALIGN));
    align = alignment_of(th, VAR_SHARED_DYNAMIC, align);
    const char *size =
        threads_are_dynamic(th) ? "sizeof(Worker) + launch->dynamic_shared" : "sizeof(Worker)";
    if (align > WORKER_ALIGN)
        return arena_printf(e->arena, "%s(%d, %s)", prelude(e, "worker_memory_at", NULL), align,
                            size);
    return arena_printf(e->arena, "%s(%s)", prelude(e, "worker_memory", NULL), size);
}

static void emit_worker(Threads *th, Shape shape)
{
    Emitter *e = th->e;
    line(e, "/* What one worker needs to run a block. */");
    open_block(e, "typedef struct Worker");
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (!is_shared(var))
            continue;
        emit_count_shared(&e->static_shared, var);
        line(e, "%s%s;", var->alignment > 0 ? "" : "_Alignas(64) ",
             declarator_text(e, var, e->vars[i].name));
    }
    if (shape == SHAPE_SPLIT)
        emit_split_members(th);
    else if (shape == SHAPE_RESUME)
        emit_resume_members(th);
    line(e, "unsigned long long dynamic_size;");
    if (has_dynamic_array(th->fn))
        line(e, "_Alignas(%d) unsigned char dynamic[];",
             alignment_of(th, VAR_SHARED_DYNAMIC, WORKER_ALIGN));
    close_block(e, " Worker;");
    line(e, "%s", "");
}

/* Whether a variable may point into the worker, which has the shared arrays and those of the
** threads. */
static bool points_into_worker(const Threads *th, const IrPointsTo *points_to, const IrVar *var)
{
    const uint64_t *set = points_to->sets[var->id];
    if (var->kind != VAR_LOCAL || !type_holds_arrays(var->type))
        return false;
    for (int i = 0; i < th->fn->var_count; i++) {
        IrVarKind kind = th->fn->vars[i]->kind;
        if (ir_pointees_have(set, i) && kind != VAR_PARAM && kind != VAR_CONSTANT)
            return true;
    }
    return ir_pointees_elsewhere(points_to, set);
}

const char *threads_worker(const Threads *th, bool earlier)
{
    const IrPointsTo points_to = ir_points_to(th->e->arena, th->fn);
    bool found = false;
    for (int i = 0; earlier && i < th->fn->var_count; i++)
        found |= points_into_worker(th, &points_to, th->fn->vars[i]);
    return arena_printf(th->e->arena, "Worker *%s%s", found ? "" : "restrict ", th->w);
}

static bool is_led_to(const Threads *th, const IrPointsTo *points_to, int param)
{
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (var->kind == VAR_LOCAL && type_holds_arrays(var->type) &&
            (ir_pointees_have(points_to->sets[i], param) ||
             ir_pointees_elsewhere(points_to, points_to->sets[i])))
            return true;
    }
    return false;
}

void threads_within(Threads *th, bool within)
{
    const IrPointsTo points_to = ir_points_to(th->e->arena, th->fn);
    for (int i = 0; i < th->fn->param_count; i++)
        th->e->vars[i].led_to = within && is_led_to(th, &points_to, i);
}

/* From here on a shared array's name leads to the worker. */
static void name_shared_arrays(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++)
        if (is_shared(th->fn->vars[i]))
            e->vars[i].name = arena_printf(e->arena, "%s->%s", th->w, e->vars[i].name);
}

/* ---- names ----------------------------------------------------------------------------- */

static void name_things(Threads *th)
{
    Emitter *e = th->e;
    th->block_name = name_unique(e, &e->globals, arena_printf(e->arena, "%s_block", th->fn->name));
    th->w = local_name(e, "w");
    th->t = local_name(e, "t");
    th->x = local_name(e, "x");
    th->y = local_name(e, "y");
    th->z = local_name(e, "z");
    th->threads = local_name(e, "threads");
    th->done = local_name(e, "done");
    th->sent = local_name(e, "sent");
    th->votes = local_name(e, "votes");
    th->warps = local_name(e, "warps");
    th->skips = local_name(e, "skips");
    th->lane = local_name(e, "lane");
    th->frame = local_name(e, "frame");
    th->opened = local_name(e, "opened");
    th->late = local_name(e, "late");
    th->masks = local_name(e, "masks");
    th->seen = local_name(e, "seen");
    th->ended = local_name(e, "ended");
    th->moved = local_name(e, "moved");
}

/* Finds out which buffers the meetings of a split kernel need, and names their results. */
static void prepare_meetings(Threads *th, const Part *part)
{
    for (; part; part = part->next) {
        prepare_meetings(th, part->then);
        prepare_meetings(th, part->otherwise);
        if (part->kind != PART_MEET || part->stmt->kind != IR_SET)
            continue;
        const IrValue *meet = meet_value(part->stmt);
        th->needs_sent |= meet_is_shuffle(meet) || meet_is_match(meet);
        th->needs_votes |= meet_is_vote(meet) || meet_is_count(meet);
        th->needs_warps |= meet_is_vote(meet);
        if (meet_is_count(meet))
            th->totals[part->slot] = local_name(th->e, "total");
    }
}

/* Says where loops over the threads of a block would not do. */
static void tell_parting(const Threads *th)
{
    Diags *remarks = th->e->unit->remarks;
    if (remarks && th->parting)
        diag_remark(
            remarks, th->parting->span,
            "each thread of a block stops and goes on by itself, which is slower than loops "
            "over them: not all may come to what they wait for in this %s",
            th->parting->kind == IR_IF ? "branch"
            : meet_value(th->parting)  ? "operation"
                                       : "loop");
}

static void tell_turn(void *context, IrStmt *stmt)
{
    Threads *th = context;
    Diags *remarks = th->e->unit->remarks;
    if (remarks && meet_value(stmt) && meet_value(stmt)->intrinsic == INTR_yield)
        diag_remark(remarks, stmt->span,
                    "each thread of a block stops and goes on by itself, which is slower than "
                    "loops over them: this loop repeats until another thread does something");
}

static Shape choose_shape(Threads *th)
{
    if (!(th->fn->effects & EFFECT_SYNC))
        return SHAPE_LOOP;
    if (threads_yield(th)) {
        ir_each_stmt(&th->fn->body, tell_turn, th);
        return SHAPE_RESUME;
    }
    if (threads_of_grid(th) || !split_plan(th)) {
        tell_parting(th);
        return SHAPE_RESUME;
    }
    split_place_vars(th);
    th->totals = arena_array(th->e->arena, const char *, th->meetings + 1);
    prepare_meetings(th, th->plan);
    return SHAPE_SPLIT;
}

/* ---- a block --------------------------------------------------------------------------- */

void threads_dynamic_arrays(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (var->kind != VAR_SHARED_DYNAMIC)
            continue;
        const char *type = type_text(e, var->type->array.element), *parts = e->vars[i].parts;
        line(e, "%s *const %s = (%s *)%s->dynamic;", type, parts, type, th->w);
        line(e, "const long long %s_0 = (long long)(%s->dynamic_size / sizeof(%s));", parts, th->w,
             type);
    }
}

static void emit_block(Threads *th, Shape shape)
{
    Emitter *e = th->e;
    bool earlier = shape == SHAPE_RESUME; /* blocks that wait for the grid are called again */
    line(e, "static int %s(%s%sdim3 blockIdx, dim3 blockDim, dim3 gridDim%s)", th->block_name,
         th->has_worker ? threads_worker(th, earlier) : "", th->has_worker ? ", " : "",
         threads_parameters(th, NULL));
    line(e, "{");
    e->depth++;
    if (shape != SHAPE_LOOP)
        line(e, "const int %s = blockDim.x * blockDim.y * blockDim.z;", th->threads);
    if (shape != SHAPE_RESUME)
        threads_dynamic_arrays(th);
    switch (shape) {
    case SHAPE_LOOP:
        emit_loop_body(th);
        break;
    case SHAPE_SPLIT:
        emit_split_body(th);
        break;
    case SHAPE_RESUME:
        emit_resume_body(th);
        break;
    }
    close_block(e, "");
    line(e, "%s", "");
    e->leave = NULL;
}

/* ---- the entry --------------------------------------------------------------------------- */

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
    int rank = param->type->array.rank;
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
    Buf out;
    buf_init(&out, e->arena);
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
    Buf out;
    buf_init(&out, e->arena);
    for (int i = 0; i < th->fn->param_count; i++) {
        const IrVar *param = th->fn->vars[i];
        const VarInfo *info = &e->vars[param->id];
        if (wanted && !wanted[i])
            continue;
        const char *name =
            info->form == FORM_PARTS && type_is_array(param->type) ? info->parts : info->name;
        buf_printf(&out, ", %s", name);
        for (int k = 0; type_is_array(param->type) && k < param->type->array.rank; k++)
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

/* Gets memory for a worker. */
static void emit_get_worker(Threads *th)
{
    Emitter *e = th->e;
    bool dynamic = has_dynamic_array(th->fn);
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

/* Whether blocks have to come one after the other. */
static bool is_in_order(const Threads *th)
{
    return th->fn->options.deterministic && ir_order_shows(th->e->unit);
}

static uint32_t light_blocks(const Threads *th)
{
    return th->e->unit->shape.light ? th->e->unit->shape.light : 1;
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

/* Text that has the blocks done, by one thread if they have to come one after the other or are not
** worth more, else by several. */
void threads_share(Threads *th, const char *before, const char *shared)
{
    Emitter *e = th->e;
    const char *alone = arena_printf(e->arena, "%s%s_work(params, launch, blocks, &next, %s);",
                                     before, th->block_name, shared);
    if (is_in_order(th)) {
        line(e, "%s", alone);
        return;
    }
    line(e, "if (blocks <= %u)", light_blocks(th));
    line(e, "    %s", alone);
    line(e, "else");
    line(e, "    %slaunch->share(%s_work, params, launch, blocks, %s);", before, th->block_name,
         shared);
}

static void emit_entry(Threads *th)
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
        threads_share(th, "failed = ", exact_any(e) ? "sums" : "NULL");
        exact_end(th);
    }
    line(e, "return failed;");
    close_block(e, "");
}

static void emit_split_functions(Threads *th)
{
    emit_split_prepare(th);
    if (split_is_apart(th))
        emit_split_apart(th);
    emit_split_rest(th);
}

void emit_threads_kernel(Emitter *e, const IrFunc *fn)
{
    emit_enter_function(e, fn);
    Threads th = { .e = e, .fn = fn };
    e->threads = &th;
    name_things(&th);
    Shape shape = choose_shape(&th);
    th.has_worker = shape != SHAPE_LOOP || has_shared_array(fn);
    emit_place_none(e, "kjit");
    if (shape == SHAPE_RESUME)
        emit_resume_frame(&th);
    if (th.has_worker)
        emit_worker(&th, shape);
    name_shared_arrays(&th);
    threads_within(&th, true);
    if (shape == SHAPE_RESUME)
        emit_resume_thread(&th);
    if (shape == SHAPE_SPLIT)
        emit_split_functions(&th);
    threads_within(&th, false);
    emit_block(&th, shape);
    emit_entry(&th);
    e->threads = NULL;
}

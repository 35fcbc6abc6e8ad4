/* A kernel in C: a function that runs one block, in one of three shapes.
**
** A worker takes blocks one after the other. What the threads of its block share, and what they
** keep from one stretch to the next, lies in the worker's memory, which lives as long as the
** entry. */
#include "codegen/emit/threads/threads.h"

/* ---- device functions ---------------------------------------------------------------------- */

static bool has_shared_array(const IrFunc *fn)
{
    return ir_has_kind(fn, VAR_SHARED) || ir_has_kind(fn, VAR_SHARED_DYNAMIC);
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
    return !fn && is_ordered(unit, dialect, diags) && foreign_fits(unit, dialect, diags);
}

const IrUnit *emit_threads_unit(Arena *arena, const IrUnit *unit)
{
    const IrUnit *yielding = ir_yield_in_waits(arena, unit);
    IrUnit *whole = ir_inline(arena, yielding ? yielding : unit, must_inline);

    ir_report_ends(whole);
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
    const char *each = !simd                          ? "EACH_THREAD"
                       : emit_has_own_arrays(e->unit) ? "EACH_THREAD_OWN"
                                                      : "EACH_THREAD_SIMD";
    open_block(e, "%s(%s, %s, %s)", prelude(e, each, NULL), th->x, th->y, th->z);
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
        bool loop = ir_is_loop(stmt);
        for_each_region (inner, stmt)
            if (returns_in_loop(inner, in_loop || loop))
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

bool emit_threads_are_one(const IrUnit *unit)
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
    if (emit_threads_are_one(e->unit)) {
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

/* ---- what threads wait for ------------------------------------------------------------- */

bool threads_of_grid(const Threads *th)
{
    return th->fn->effects & EFFECT_GRID_SYNC;
}

bool threads_yield(const Threads *th)
{
    return th->fn->effects & EFFECT_YIELD;
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

/* ---- the kernel ------------------------------------------------------------------------ */

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

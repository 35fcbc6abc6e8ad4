/* A kernel that cannot be split, as C: a function that runs one thread until it must wait.
**
** The function is one switch over where the thread stopped, with a case behind each
** synchronisation, wherever among the loops and branches that stands. All variables are in the
** thread's frame. A scheduler calls the function for one thread after the other, and opens the
** gates: a warp's when all lanes named by a mask wait at it, the block's when every thread that has
** not ended waits there. That is what the GPU does, whatever the control flow. The lanes of a mask
** meet that wait at the same operation with the same mask, wherever that stands (open_warp()). */
#include "codegen/emit/threads/threads.h"

typedef struct Resume {
    Threads *th;
    int stops; /* written so far */
    int loops;
} Resume;

static void resume_region(Resume *r, const IrRegion *region);

/* ---- the frame --------------------------------------------------------------------------- */

static bool in_frame(const IrVar *var)
{
    return var->kind == VAR_LOCAL || var->kind == VAR_PRIVATE;
}

static bool waits(const IrStmt *stmt)
{
    return ir_stmt_effects(stmt) & EFFECT_SYNC;
}

/* Where a loop that waits keeps its stop and step, evaluated once. */
static void emit_bounds(Threads *th, const IrRegion *region)
{
    Emitter *e = th->e;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_FOR && waits(stmt)) {
            Bounds bounds = { local_name(e, "stop"), local_name(e, "step") };
            array_push(e->arena, th->bounds, th->bounds_count, th->bounds_capacity) = bounds;
            line(e, "%s %s, %s;", type_text(e, stmt->for_.var->type), bounds.stop, bounds.step);
        }
        for_each_region (inner, stmt)
            emit_bounds(th, inner);
    }
}

void emit_resume_frame(Threads *th)
{
    Emitter *e = th->e;
    int members = 0;
    line(e, "/* The variables of one thread. */");
    open_block(e, "typedef struct Frame");
    for (int i = 0; i < th->fn->var_count; i++) {
        if (!in_frame(th->fn->vars[i]))
            continue;
        line(e, "%s;", declarator_text(e, th->fn->vars[i], e->vars[i].name));
        members++;
    }
    emit_bounds(th, &th->fn->body);
    if (!members && !th->bounds_count)
        line(e, "char none;");
    close_block(e, " Frame;");
    line(e, "%s", "");
}

/* ---- statements that wait ------------------------------------------------------------------ */

static void resume_if(Resume *r, const IrStmt *stmt)
{
    Emitter *e = r->th->e;
    open_block(e, "if (%s)", value_text(e, stmt->if_.condition, PREC_ARGUMENT));
    resume_region(r, &stmt->if_.then);
    if (stmt->if_.otherwise.first) {
        close_block(e, " else {");
        e->depth++;
        resume_region(r, &stmt->if_.otherwise);
    }
    close_block(e, "");
}

static void resume_for(Resume *r, const IrStmt *stmt)
{
    Emitter *e = r->th->e;
    const Type *type = stmt->for_.var->type;
    Bounds bounds = r->th->bounds[r->loops++];
    const char *var = var_text(e, stmt->for_.var);
    const char *stop = arena_printf(e->arena, "%s->%s", e->frame, bounds.stop);
    const char *step = arena_printf(e->arena, "%s->%s", e->frame, bounds.step);
    line(e, "%s = %s;", stop, value_text(e, stmt->for_.stop, PREC_ARGUMENT));
    line(e, "%s = %s;", step, value_text(e, stmt->for_.step, PREC_ARGUMENT));
    line(e, "%s = %s;", var, value_text(e, stmt->for_.start, PREC_ARGUMENT));
    open_block(e, "for (; %s(%s, %s, %s); %s = %s(%s, %s, %s))", prelude(e, "range_short", type),
               var, stop, step, var, prelude(e, "range_next", type), var, stop, step);
    resume_region(r, &stmt->for_.body);
    close_block(e, "");
}

static void resume_stmt(Resume *r, const IrStmt *stmt)
{
    Emitter *e = r->th->e;
    if (!waits(stmt)) {
        emit_stmt(e, stmt);
        return;
    }
    emit_location(e, stmt->span);
    const IrValue *meet = meet_value(stmt);
    if (meet && meet->intrinsic == INTR_yield) {
        emit_yield(r->th, ++r->stops);
    } else if (meet && meet->intrinsic == INTR_progressed) {
        emit_moved(r->th, meet->operands[0]);
    } else if (meet) {
        meet_resume(r->th, stmt, ++r->stops);
    } else if (stmt->kind == IR_IF) {
        resume_if(r, stmt);
    } else if (stmt->kind == IR_FOR) {
        resume_for(r, stmt);
    } else {
        open_block(e, "while (%s)", value_text(e, stmt->while_.condition, PREC_ARGUMENT));
        resume_region(r, &stmt->while_.body);
        close_block(e, "");
    }
}

static void resume_region(Resume *r, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        resume_stmt(r, stmt);
}

/* ---- the whole --------------------------------------------------------------------------- */

static void leave_frame(Emitter *e)
{
    line(e, "return AT_END;");
}

void emit_resume_thread(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++)
        if (in_frame(th->fn->vars[i]))
            e->vars[i].storage = STORAGE_FRAME;
    e->frame = th->frame;
    e->leave = leave_frame;
    line(e, "static int %s_thread(%s *%s, Frame *%s, Worker *%s, %s%s)", th->block_name,
         prelude(e, "Lane", NULL), th->lane, th->frame, th->w, e->context_param,
         threads_parameters(th, NULL));
    line(e, "{");
    e->depth++;
    threads_dynamic_arrays(th);
    open_block(e, "switch (%s->stop)", th->lane);
    e->depth--;
    line(e, "case 0:");
    e->depth++;
    Resume r = { .th = th };
    resume_region(&r, &th->fn->body);
    close_block(e, "");
    leave_frame(e);
    close_block(e, "");
    line(e, "%s", "");
    e->leave = NULL;
}

void emit_resume_members(Threads *th)
{
    Emitter *e = th->e;
    line(e, "%s lanes[%d];", prelude(e, "Lane", NULL), (int)BLOCK_THREADS);
    line(e, "Frame frames[%d];", (int)BLOCK_THREADS);
    if (threads_yield(th))
        emit_yield_members(th);
}

void emit_resume_body(Threads *th)
{
    Emitter *e = th->e;
    bool grid = threads_of_grid(th);
    if (threads_yield(th)) {
        emit_yield_body(th);
        return;
    }
    line(e, "int %s;", th->opened);
    if (grid) {
        line(e, "%s(%s->lanes, %s);", prelude(e, "pass_grid_gate", NULL), th->w, th->threads);
    } else {
        line(e, "memset(%s->lanes, 0, sizeof %s->lanes);", th->w, th->w);
        line(e, "memset(%s->frames, 0, sizeof(Frame) * %s);", th->w, th->threads);
    }
    line(e, "do {");
    e->depth++;
    threads_open(th, true, false);
    line(e, "%s *const %s = &%s->lanes[%s];", prelude(e, "Lane", NULL), th->lane, th->w, th->t);
    line(e, "if (%s->at == AT_WORK)", th->lane);
    line(e, "    %s->at = %s_thread(%s, &%s->frames[%s], %s, %s%s);", th->lane, th->block_name,
         th->lane, th->w, th->t, th->w, e->context_arg, threads_arguments(th, NULL));
    close_block(e, "");
    line(e, "%s = %s(%s->lanes, %s);", th->opened, prelude(e, "open_gates", NULL), th->w,
         th->threads);
    close_block(e, arena_printf(e->arena, " while (%s > 0);", th->opened));
    if (grid) {
        line(e, "if (%s(%s->lanes, %s))", prelude(e, "waits_for_grid", NULL), th->w, th->threads);
        line(e, "    return -1;");
    }
    line(e, "return -%s;", th->opened);
}

/* A split kernel as C: its plan, part by part. */
#include "codegen/emit/threads/threads.h"

static void emit_parts(Threads *th, const Part *part);
static void emit_parts_until(Threads *th, const Part *part, const Part *end);

/* ---- what the worker keeps ---------------------------------------------------------------- */

static const char *kept_text(const Threads *th, const IrVar *var)
{
    return arena_printf(th->e->arena, "%s->%s[%s]", th->w, th->e->vars[var->id].name, th->t);
}

void emit_split_members(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (th->allocation[i] != ALLOC_SPILLED && th->allocation[i] != ALLOC_ARRAY)
            continue;
        const char *name = arena_printf(e->arena, "%s[%d]", e->vars[i].name, (int)BLOCK_THREADS);
        line(e, "%s;", declarator_text(e, var, name));
    }
    if (th->needs_sent)
        line(e, "_Alignas(64) unsigned long long %s[2][%d];", th->sent, (int)BLOCK_THREADS);
    if (th->needs_votes)
        line(e, "unsigned char %s[%d];", th->votes, (int)BLOCK_THREADS);
    if (th->needs_warps)
        line(e, "%s %s[%d];", prelude(e, "Votes", NULL), th->warps,
             (int)(BLOCK_THREADS / WARP_LANES));
    if (th->needs_masks)
        line(e, "unsigned int %s[%d][%d];", th->masks, th->view_count + 1, (int)BLOCK_THREADS);
    if (th->needs_late)
        line(e, "%s %s;", prelude(e, "Late", NULL), th->late);
    if (th->view_count)
        line(e, "bool %s[%d];", th->seen, th->view_count);
    if (th->needs_done)
        line(e, "unsigned char %s[%d];", th->done, (int)BLOCK_THREADS);
    if (th->guards)
        line(e, "unsigned char %s[%d][%d];", th->skips, th->guards, (int)BLOCK_THREADS);
}

/* ---- one stretch ------------------------------------------------------------------------- */

static const char *skips_text(const Threads *th, int guard)
{
    return arena_printf(th->e->arena, "%s->%s[%d]", th->w, th->skips, guard - 1);
}

/* Which threads must be passed over in a part; NULL: none. */
static const char *passed_over(const Threads *th, const Part *part)
{
    if (part->guard)
        return skips_text(th, part->guard);
    bool ended = th->needs_done && (part->number > th->first_leaving ||
                                    (part->in_loop && part->number == th->first_leaving));
    bool asked = th->in_rest && part->number <= th->second_leaving && !part->in_loop;
    asked = asked || (th->in_rest && th->second_leaving == th->part_count);
    return ended ? arena_printf(th->e->arena, "%s%s%s->%s", asked ? th->ended : "",
                                asked ? " && " : "", th->w, th->done)
                 : NULL;
}

static bool is_kept(const Threads *th, const Part *part, int id, int use)
{
    return th->allocation[id] == ALLOC_SPILLED && (part->uses[id] & use) == use;
}

static bool keeps_any(const Threads *th, const Part *part)
{
    for (int i = 0; i < th->fn->var_count; i++)
        if (is_kept(th, part, i, USE_MENTIONED) ||
            (th->allocation[i] == ALLOC_ARRAY && (part->uses[i] & USE_MENTIONED)))
            return true;
    return false;
}

static bool meets(const Part *part)
{
    for (int i = 0; i < part->count; i++)
        if (part->steps[i].role != STEP_RUN)
            return true;
    return false;
}

/* Whether the iterations of a part may be mixed: threads that do not synchronise do not depend on
** one another, unless they use atomics, which are plain operations to the vectoriser. */
static bool is_simd(const Part *part)
{
    int effects = EFFECT_NONE;
    for (int i = 0; i < part->count; i++) {
        const IrStmt *stmt = part->steps[i].stmt;
        if (part->steps[i].role == STEP_RUN)
            effects |= ir_stmt_effects(stmt);
        else if (part->steps[i].role == STEP_GUARD)
            effects |= ir_region_effects(split_unguarded(stmt));
    }
    return !(effects & EFFECT_ORDERED & ~EFFECT_WRITE);
}

/* The first step that mentions `var` if it sets it: the place of its declaration. */
static const IrStmt *first_set(const Part *part, const IrVar *var)
{
    for (int i = 0; i < part->count; i++) {
        const IrStmt *stmt = part->steps[i].stmt;
        if (part->steps[i].role != STEP_SEND && stmt->kind == IR_SET && stmt->set.var == var)
            return stmt;
    }
    return NULL;
}

/* Declares what the part computes again and what it finds in the worker. */
static void emit_incoming(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    const IrStmt **sets = arena_array(e->arena, const IrStmt *, th->fn->var_count + 1);
    int count = split_again(th, part, sets);
    for (int i = 0; i < count; i++) {
        e->vars[sets[i]->set.var->id].declare = sets[i];
        e->vars[sets[i]->set.var->id].own = true;
        threads_assign(th, sets[i], sets[i]->set.var,
                       value_assigned(e, sets[i]->set.value, PREC_ARGUMENT));
    }
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (!is_kept(th, part, i, USE_MENTIONED))
            continue;
        bool incoming = part->uses[i] & USE_INCOMING;
        e->vars[i].declare = incoming ? NULL : first_set(part, var);
        e->vars[i].own = e->vars[i].declare != NULL;
        const char *declared = declarator_text(e, var, e->vars[i].name);
        if (incoming)
            line(e, "%s = %s;", declared, kept_text(th, var));
        else if (!e->vars[i].declare)
            line(e, "%s;", declared);
    }
}

static void emit_private_arrays(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++)
        if (th->fn->vars[i]->kind == VAR_PRIVATE && th->allocation[i] == ALLOC_PLAIN &&
            (part->uses[i] & USE_MENTIONED))
            line(e, "%s;", declarator_text(e, th->fn->vars[i], e->vars[i].name));
}

static void emit_outgoing(Threads *th, const Part *part)
{
    for (int i = 0; i < th->fn->var_count; i++)
        if (is_kept(th, part, i, USE_SET) && !part->last)
            line(th->e, "%s = %s;", kept_text(th, th->fn->vars[i]), th->e->vars[i].name);
}

/* Notes which threads go into a guarded branch; the others go through its other side at once. */
static void emit_guard_step(Threads *th, const Step *step)
{
    Emitter *e = th->e;
    const IrStmt *stmt = step->stmt;
    bool then = split_guarded(stmt) == &stmt->if_.then;
    const char *skips = skips_text(th, step->slot);
    line(e, "%s[%s] = %s%s%s;", skips, th->t, then ? "!(" : "",
         value_text(e, stmt->if_.condition, PREC_ARGUMENT), then ? ")" : "");
    if (!split_unguarded(stmt)->first)
        return;
    open_block(e, "if (%s[%s])", skips, th->t);
    emit_region(e, split_unguarded(stmt));
    close_block(e, "");
}

static void emit_step(Threads *th, const Step *step)
{
    bool again = step->role == STEP_RUN && step->stmt->kind == IR_SET &&
                 th->allocation[step->stmt->set.var->id] == ALLOC_REMATERIALISED;
    if (again)
        return;
    if (step->role == STEP_RUN) {
        emit_stmt(th->e, step->stmt);
        return;
    }
    emit_location(th->e, step->stmt->span);
    if (step->role == STEP_GUARD)
        emit_guard_step(th, step);
    else if (step->role == STEP_SEND)
        meet_send(th, step);
    else
        meet_receive(th, step);
}

static const char *leaving_label(const Threads *th, const Part *part)
{
    return arena_printf(th->e->arena, "leave_%d", part->number + 1);
}

static void leave_part(Emitter *e)
{
    line(e, "goto %s;", leaving_label(e->threads, e->threads->at));
}

bool split_is_empty(const Threads *th, const Part *part)
{
    for (int i = 0; i < part->count; i++) {
        const Step *step = &part->steps[i];
        if (step->role != STEP_RUN || step->stmt->kind != IR_SET ||
            th->allocation[step->stmt->set.var->id] != ALLOC_REMATERIALISED)
            return false;
    }
    return true;
}

static void emit_leaving(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    if (!part->leaves)
        return;
    line(e, "continue;");
    e->depth--;
    line(e, "%s:", leaving_label(th, part));
    e->depth++;
    if (part->last)
        line(e, ";");
    else
        line(e, "%s->%s[%s] = 1;", th->w, th->done, th->t);
}

void emit_split_stretch(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    const char *pass = passed_over(th, part);
    bool numbered = pass || keeps_any(th, part) || meets(part) || (part->leaves && !part->last);
    th->at = part;
    e->leave = leave_part;
    for (int i = 0; i < part->count; i++)
        if (part->steps[i].role == STEP_GUARD)
            line(e, "memset(%s, 1, sizeof %s);", skips_text(th, part->steps[i].slot),
                 skips_text(th, part->steps[i].slot));
    threads_open(th, numbered, is_simd(part));
    if (pass) {
        line(e, "if (%s[%s])", pass, th->t);
        line(e, "    continue;");
    }
    emit_incoming(th, part);
    emit_private_arrays(th, part);
    for (int i = 0; i < part->count; i++)
        emit_step(th, &part->steps[i]);
    emit_outgoing(th, part);
    emit_leaving(th, part);
    close_block(e, "");
}

static void emit_threads_part(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    if (split_is_empty(th, part))
        return;
    if (th->functions)
        emit_split_call(th, part);
    else
        emit_split_stretch(th, part);
    if (part->leaves && !part->last) {
        line(e, "if (%s(%s->%s, %s))", prelude(e, "all_done", NULL), th->w, th->done, th->threads);
        line(e, "    return 0;");
    }
}

/* ---- what stands around ------------------------------------------------------------------ */

static void emit_branch(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    open_block(e, "if (%s)", value_text(e, part->stmt->if_.condition, PREC_ARGUMENT));
    emit_parts(th, part->then);
    if (!part->otherwise) {
        close_block(e, "");
        return;
    }
    close_block(e, " else {");
    e->depth++;
    emit_parts(th, part->otherwise);
    close_block(e, "");
}

static void emit_guard(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->view_count; i++)
        if (th->views[i]->guard == part->slot)
            line(e, "%s->%s[%d] = false;", th->w, th->seen, i);
    open_block(e, "if (!%s(%s, %s))", prelude(e, "all_done", NULL), skips_text(th, part->slot),
               th->threads);
    emit_parts(th, part->then);
    close_block(e, "");
}

static void emit_loop(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    if (part->stmt->kind == IR_WHILE) {
        open_block(e, "while (%s)", value_text(e, part->stmt->while_.condition, PREC_ARGUMENT));
    } else {
        const char *head = emit_for_head(e, part->stmt);
        emit_unroll(e, part->stmt);
        open_block(e, "%s", head);
    }
    emit_parts(th, part->then);
    close_block(e, "");
}

static void emit_parts(Threads *th, const Part *part)
{
    emit_parts_until(th, part, NULL);
}

static void emit_parts_until(Threads *th, const Part *part, const Part *end)
{
    threads_of_block(th->e, true);
    for (; part && part != end; part = part->next) {
        if (part->kind != PART_THREADS)
            emit_location(th->e, part->stmt->span);
        switch (part->kind) {
        case PART_THREADS:
            threads_of_block(th->e, false);
            emit_threads_part(th, part);
            threads_of_block(th->e, true);
            break;
        case PART_ONCE:
        case PART_JUMP:
            emit_stmt(th->e, part->stmt);
            break;
        case PART_MEET:
            meet_between(th, part);
            break;
        case PART_IF:
            emit_branch(th, part);
            break;
        case PART_LOOP:
            emit_loop(th, part);
            break;
        case PART_GUARD:
            emit_guard(th, part);
            break;
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Finds the variables, by IrVar.id, whose declaration can stay where the plain walk puts it. */
static void find_declared(const Emitter *e, const Part *part, bool *declared)
{
    for (; part; part = part->next) {
        const IrStmt *stmt = part->stmt;
        const IrVar *var = stmt ? ir_set_var(stmt) : NULL;
        if (var && e->vars[var->id].declare == stmt)
            declared[var->id] = e->vars[var->id].own;
        find_declared(e, part->then, declared);
        find_declared(e, part->otherwise, declared);
    }
}

/* Declares the variables of the block that parts up to `end` have to do with and none before. */
static void declare_block_vars(Threads *th, const Part *part, const Part *end)
{
    Emitter *e = th->e;
    bool *declared = arena_array(e->arena, bool, th->fn->var_count + 1);
    find_declared(e, th->plan, declared);
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (th->allocation[i] != ALLOC_BLOCK || declared[i] ||
            !split_parts_have(th, part, end, var) || split_parts_have(th, th->plan, part, var))
            continue;
        e->vars[i].declare = NULL;
        line(e, "%s%s;", declarator_text(e, var, e->vars[i].name), zero_initializer(var->type));
    }
}

static void clear_kept(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++)
        if (th->allocation[i] == ALLOC_SPILLED && e->vars[i].init)
            line(e, "memset(%s->%s, 0, sizeof %s->%s);", th->w, e->vars[i].name, th->w,
                 e->vars[i].name);
    if (th->needs_done)
        line(e, "memset(%s->%s, 0, sizeof %s->%s);", th->w, th->done, th->w, th->done);
    if (th->needs_late)
        line(e, "%s->%s.any = false;", th->w, th->late);
    if (th->view_count)
        line(e, "memset(%s->%s, 0, sizeof %s->%s);", th->w, th->seen, th->w, th->seen);
}

static void bind_arrays(Threads *th)
{
    Emitter *e = th->e;
    for (int i = 0; i < th->fn->var_count; i++) {
        if (th->allocation[i] != ALLOC_ARRAY)
            continue;
        e->vars[i].name = arena_printf(e->arena, "%s->%s", th->w, e->vars[i].name);
        e->vars[i].storage = STORAGE_THREAD;
    }
}

void emit_split_parts(Threads *th, const Part *part, const Part *end)
{
    declare_block_vars(th, part, end);
    emit_parts_until(th, part, end);
}

void emit_split_prepare(Threads *th)
{
    th->e->thread_index = th->t;
    bind_arrays(th);
}

void emit_split_body(Threads *th)
{
    const Part *rest = split_rest(th);
    clear_kept(th);
    emit_split_parts(th, th->plan, rest);
    if (rest)
        emit_split_call_rest(th);
    else
        line(th->e, "return 0;");
}

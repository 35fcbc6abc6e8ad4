/* Where the variables of a split kernel live.
**
** One for the block: what control around synchronisations depends on, and what is uniform and costs
** nothing to compute outside of the threads. A local: what only one stretch has. Of the rest,
** cheap values of the thread's index in the grid are computed again in each stretch, which keeps
** indices plain to the C compiler's vectoriser; others wait in the worker between stretches. */
#include "codegen/emit/threads/threads.h"

#include "ir/analysis/points_to.h"

/* ---- variables of the block ---------------------------------------------------------------- */

typedef struct BlockVars {
    Threads *th;
    bool *block;  /* by IrVar.id */
    bool *needed; /* control depends on them */
    bool changed;
} BlockVars;

typedef struct Check {
    const bool *block;
    bool ok;
} Check;

static void check_node(void *context, IrValue *value)
{
    Check *check = context;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL && !check->block[value->var->id])
        check->ok = false;
}

/* Whether a value is one for the block, given which variables are. */
static bool is_block_value(const bool *block, const IrValue *value)
{
    Check check = { block, ir_uniform_value(value) };
    ir_each_node((IrValue *)value, check_node, &check);
    return check.ok;
}

static bool is_block_set(const bool *block, const IrStmt *stmt)
{
    if (!block[stmt->set.var->id])
        return false;
    const IrValue *meet = meet_value(stmt);
    if (meet)
        return meet_is_count(meet);
    return !(ir_value_effects(stmt->set.value) & EFFECT_ORDERED) &&
           is_block_value(block, stmt->set.value);
}

static bool is_block_stmt(const bool *block, const IrStmt *stmt);

static bool is_block_region(const bool *block, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (!is_block_stmt(block, stmt))
            return false;
    return true;
}

/* Whether a statement does nothing but set variables of the block. */
static bool is_block_stmt(const bool *block, const IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_SET:
        return is_block_set(block, stmt);
    case IR_IF:
        return is_block_value(block, stmt->if_.condition) &&
               is_block_region(block, &stmt->if_.then) &&
               is_block_region(block, &stmt->if_.otherwise);
    case IR_WHILE:
        return is_block_value(block, stmt->while_.condition) &&
               is_block_region(block, &stmt->while_.body);
    case IR_FOR:
        return block[stmt->for_.var->id] && is_block_value(block, stmt->for_.start) &&
               is_block_value(block, stmt->for_.stop) && is_block_value(block, stmt->for_.step) &&
               is_block_region(block, &stmt->for_.body);
    case IR_BREAK:
    case IR_CONTINUE:
        return true;
    case IR_STORE:
    case IR_EVAL:
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP:
        return false;
    }
    return false;
}

static void demote(BlockVars *v, const IrVar *var)
{
    v->changed |= v->block[var->id];
    v->block[var->id] = false;
}

static void demote_set(void *context, IrStmt *stmt)
{
    if (ir_set_var(stmt))
        demote(context, ir_set_var(stmt));
}

/* Demotes what is set by statements that belong to the threads. */
static void demote_region(BlockVars *v, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (!split_is_outside(stmt)) {
            if (!is_block_stmt(v->block, stmt))
                ir_each_stmt_of(stmt, demote_set, v);
            continue;
        }
        const IrRegion *guarded = split_guarded(stmt);
        if (guarded)
            ir_each_stmt(split_unguarded(stmt), demote_set, v);
        for_each_region (inner, stmt)
            if (!guarded || inner == guarded)
                demote_region(v, inner);
    }
}

static void need_node(void *context, IrValue *value)
{
    BlockVars *v = context;
    if (value->op != OP_var || v->needed[value->var->id])
        return;
    v->needed[value->var->id] = true;
    v->changed = true;
}

/* Marks what control depends on, and what that is computed from. */
static void need_region(BlockVars *v, const IrRegion *region, bool outside)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool control = outside && split_is_outside(stmt);
        bool sets_needed = stmt->kind == IR_SET && v->needed[stmt->set.var->id];
        bool inner = !control && stmt->kind != IR_SET && is_block_stmt(v->block, stmt);
        if ((control && !split_guarded(stmt)) || sets_needed || inner)
            ir_each_own_node(stmt, need_node, v);
        if (stmt->kind == IR_FOR && (control || inner))
            v->needed[stmt->for_.var->id] = true;
        for_each_region (within, stmt)
            need_region(v, within, control);
    }
}

static bool is_cheap(const VarInfo *info)
{
    return info->sets == 1 && info->only && !(ir_value_effects(info->only) & ~EFFECT_BLOCK_SYNC);
}

/* What is not needed and what would cut a stretch in two stays with the threads. */
static void demote_unneeded(BlockVars *v)
{
    const IrFunc *fn = v->th->fn;
    for (int i = 0; i < fn->var_count; i++)
        if (v->block[i] && !v->needed[i] && !is_cheap(&v->th->e->vars[i]))
            demote(v, fn->vars[i]);
}

/* Whether all threads go the same way around synchronisations; else `*parting` is where they may
** not. */
static bool control_is_block(const bool *block, const IrRegion *region, const IrStmt **parting)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (!split_is_outside(stmt))
            continue;
        Check check = { block, true };
        const IrRegion *guarded = split_guarded(stmt);
        if (guarded)
            check.ok = true;
        else if (stmt->kind == IR_IF)
            check.ok = is_block_value(block, stmt->if_.condition);
        else if (stmt->kind == IR_WHILE)
            check.ok = is_block_value(block, stmt->while_.condition);
        else
            check.ok = block[stmt->for_.var->id] && is_block_value(block, stmt->for_.start) &&
                       is_block_value(block, stmt->for_.stop) &&
                       is_block_value(block, stmt->for_.step);
        if (!check.ok) {
            *parting = stmt;
            return false;
        }
        for_each_region (inner, stmt)
            if ((!guarded || inner == guarded) && !control_is_block(block, inner, parting))
                return false;
    }
    return true;
}

bool split_find_block_vars(Threads *th)
{
    const IrFunc *fn = th->fn;
    Arena *arena = th->e->arena;
    BlockVars v = { .th = th, .block = arena_array(arena, bool, fn->var_count + 1) };
    for (int i = 0; i < fn->var_count; i++)
        v.block[i] = fn->vars[i]->uniform && fn->vars[i]->kind == VAR_LOCAL;
    do {
        v.changed = false;
        demote_region(&v, &fn->body);
    } while (v.changed);

    v.needed = arena_array(arena, bool, fn->var_count + 1);
    do {
        v.changed = false;
        need_region(&v, &fn->body, true);
    } while (v.changed);
    demote_unneeded(&v);
    do {
        v.changed = false;
        demote_region(&v, &fn->body);
    } while (v.changed);
    th->block = v.block;
    return control_is_block(v.block, &fn->body, &th->parting);
}

bool split_sets_block_vars(const Threads *th, const IrStmt *stmt)
{
    bool sets = stmt->kind == IR_SET || ir_is_loop(stmt) || stmt->kind == IR_IF;
    return sets && is_block_stmt(th->block, stmt);
}

/* ---- what each stretch has to do with each variable ----------------------------------------- */

static void use_guard(unsigned char *uses, const IrStmt *stmt)
{
    uses_of_value(uses, stmt->if_.condition);
    for (const IrStmt *inner = split_unguarded(stmt)->first; inner; inner = inner->next)
        uses_of_stmt(uses, inner, false);
}

static void use_step(unsigned char *uses, const Step *step)
{
    if (step->role == STEP_RUN) {
        uses_of_stmt(uses, step->stmt, true);
        return;
    }
    if (step->role == STEP_GUARD) {
        use_guard(uses, step->stmt);
        return;
    }
    const IrValue *meet = meet_value(step->stmt);
    for (int i = 0; i < meet->count; i++)
        uses_of_value(uses, meet->operands[i]);
    if (step->role == STEP_RECEIVE)
        uses_of_set(uses, step->stmt->set.var, true);
}

/* A part that has a variable which may point into an array of the thread has to do with the array
** too, whether it names it or not. */
static void use_held(const Threads *th, const IrPointsTo *points_to, unsigned char *uses)
{
    for (int i = 0; i < th->fn->var_count; i++) {
        const IrVar *var = th->fn->vars[i];
        if (!(uses[i] & USE_MENTIONED) || var->kind != VAR_LOCAL || !type_holds_arrays(var->type))
            continue;
        for (int k = 0; k < th->fn->var_count; k++)
            if (th->fn->vars[k]->kind == VAR_PRIVATE && ir_pointees_have(points_to->sets[i], k))
                uses[k] |= USE_MENTIONED;
    }
}

static void use_parts(Threads *th)
{
    const IrPointsTo points_to = ir_points_to(th->e->arena, th->fn);
    for (int i = 0; i < th->part_count; i++) {
        Part *part = th->parts[i];
        part->uses = arena_array(th->e->arena, unsigned char, th->fn->var_count + 1);
        for (int k = 0; k < part->count; k++)
            use_step(part->uses, &part->steps[k]);
        use_held(th, &points_to, part->uses);
    }
}

/* ---- values that are cheap to compute again -------------------------------------------------- */

typedef struct Again {
    const Threads *th;
    const bool *known; /* by IrVar.id: can be computed again */
    bool ok;
} Again;

static bool again_intrinsic(IrIntrinsic intrinsic)
{
    switch ((int)intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_grid:
    case INTR_gridsize:
    case INTR_laneid:
    case INTR_warpsize:
    case INTR_min:
    case INTR_max:
        return true;
    default:
        return false;
    }
}

static bool again_var(const Again *again, const IrVar *var)
{
    switch (var->kind) {
    case VAR_PARAM:
    case VAR_SHARED:
    case VAR_SHARED_DYNAMIC:
    case VAR_CONSTANT:
        return true;
    case VAR_LOCAL:
        return again->known[var->id];
    case VAR_PRIVATE:
        return false;
    }
    return false;
}

static void again_node(void *context, IrValue *value)
{
    Again *again = context;
    switch ((int)value->op) {
    case OP_var:
        again->ok &= again_var(again, value->var);
        return;
    case OP_intrinsic:
        again->ok &= again_intrinsic(value->intrinsic);
        return;
    case OP_floordiv:
    case OP_mod:
        again->ok &= ir_is_constant(value->operands[1]);
        return;
    case OP_load:
    case OP_call:
    case OP_pow:
    case OP_div:
        again->ok = false;
        return;
    default:
        return;
    }
}

/* Marks the variables with one set, at the top of the kernel, to a cheap value of things that do
** not change. */
static void find_again(const Threads *th, bool *known)
{
    for (const IrStmt *stmt = th->fn->body.first; stmt; stmt = stmt->next) {
        if (stmt->kind != IR_SET || th->e->vars[stmt->set.var->id].sets != 1)
            continue;
        if (stmt->set.var->kind != VAR_LOCAL || meet_value(stmt))
            continue;
        Again again = { th, known, true };
        ir_each_node(stmt->set.value, again_node, &again);
        known[stmt->set.var->id] = again.ok;
    }
}

/* ---- where each variable is kept ------------------------------------------------------------- */

static int count_parts(const Threads *th, int id, const Part **only)
{
    int count = 0;
    for (int i = 0; i < th->part_count; i++) {
        if (!(th->parts[i]->uses[id] & USE_MENTIONED))
            continue;
        *only = th->parts[i];
        count++;
    }
    return count;
}

/* Whether a variable holds something from one stretch to the next, or from one iteration to the
** next. */
static bool is_carried(const Threads *th, const IrVar *var)
{
    const Part *only = NULL;
    int count = count_parts(th, var->id, &only);
    if (count != 1)
        return count > 1;
    return only->in_loop && (var->kind == VAR_PRIVATE || (only->uses[var->id] & USE_INCOMING)) &&
           (var->kind == VAR_PRIVATE || th->e->vars[var->id].init);
}

static Allocation allocation_of(const Threads *th, const IrVar *var, const bool *known)
{
    if (var->kind != VAR_LOCAL && var->kind != VAR_PRIVATE)
        return ALLOC_PLAIN;
    if (th->block[var->id])
        return ALLOC_BLOCK;
    if (!is_carried(th, var))
        return ALLOC_PLAIN;
    if (var->kind == VAR_PRIVATE)
        return ALLOC_ARRAY;
    return known[var->id] ? ALLOC_REMATERIALISED : ALLOC_SPILLED;
}

typedef struct Spread {
    Threads *th;
    bool changed;
} Spread;

static void spread_node(void *context, IrValue *value)
{
    Spread *s = context;
    if (value->op != OP_var || value->var->kind != VAR_LOCAL)
        return;
    Allocation *allocation = &s->th->allocation[value->var->id];
    if (*allocation == ALLOC_PLAIN || *allocation == ALLOC_SPILLED) {
        *allocation = ALLOC_REMATERIALISED;
        s->changed = true;
    }
}

/* What a value that is computed again is made of is computed again too. */
static void spread_again(Threads *th)
{
    Spread s = { th, true };
    while (s.changed) {
        s.changed = false;
        for (int i = 0; i < th->fn->var_count; i++)
            if (th->allocation[i] == ALLOC_REMATERIALISED)
                ir_each_node((IrValue *)th->e->vars[i].only, spread_node, &s);
    }
}

void split_place_vars(Threads *th)
{
    const IrFunc *fn = th->fn;
    use_parts(th);
    bool *known = arena_array(th->e->arena, bool, fn->var_count + 1);
    find_again(th, known);
    th->allocation = arena_array(th->e->arena, Allocation, fn->var_count + 1);
    for (int i = 0; i < fn->var_count; i++)
        th->allocation[i] = allocation_of(th, fn->vars[i], known);
    spread_again(th);
}

typedef struct Wanted {
    const Threads *th;
    bool *wanted; /* by IrVar.id */
} Wanted;

static void want_node(void *context, IrValue *value)
{
    Wanted *w = context;
    if (value->op != OP_var || w->wanted[value->var->id] ||
        w->th->allocation[value->var->id] != ALLOC_REMATERIALISED)
        return;
    w->wanted[value->var->id] = true;
    ir_each_node((IrValue *)w->th->e->vars[value->var->id].only, want_node, w);
}

/* Whether a part reads a variable, rather than only sets it. */
static void want_step(Wanted *w, const Step *step)
{
    if (step->role == STEP_RUN) {
        bool again = step->stmt->kind == IR_SET &&
                     w->th->allocation[step->stmt->set.var->id] == ALLOC_REMATERIALISED;
        if (!again)
            ir_each_node_of(step->stmt, want_node, w);
        return;
    }
    if (step->role == STEP_GUARD) {
        ir_each_node(step->stmt->if_.condition, want_node, w);
        for (IrStmt *inner = split_unguarded(step->stmt)->first; inner; inner = inner->next)
            ir_each_node_of(inner, want_node, w);
        return;
    }
    const IrValue *meet = meet_value(step->stmt);
    for (int i = 0; i < meet->count; i++)
        ir_each_node(meet->operands[i], want_node, w);
}

int split_again(const Threads *th, const Part *part, const IrStmt **sets)
{
    Wanted w = { th, arena_array(th->e->arena, bool, th->fn->var_count + 1) };
    for (int i = 0; i < part->count; i++)
        want_step(&w, &part->steps[i]);
    int count = 0;
    for (const IrStmt *stmt = th->fn->body.first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_SET && w.wanted[stmt->set.var->id])
            sets[count++] = stmt;
    return count;
}

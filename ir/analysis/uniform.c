/* Which variables are uniform: the same for all threads of a block that get there.
**
** Everything is held uniform until the contrary shows. A variable stops being uniform when it is
** set to a value that is not, or is set where only some come of the threads that use it: under a
** condition that is not uniform, unless all that has to do with the variable stands there, or in a
** loop that the threads leave at different iterations. Demotions go on until nothing changes. A
** thread that returns is no longer one of those that get there.
**
** A load is uniform if its array and its indices are, because threads of one block that read one
** element at one point see one value unless the program has a race. */
#include "ir/ir.h"

/* A region on the way down from a function's body. */
typedef struct RegionLevel {
    const struct RegionLevel *outer;
    const IrRegion *region;
    const IrStmt *owner; /* NULL: the body */
    int depth;
    bool divergent; /* not all come here that come to the owner, or not equally often */
} RegionLevel;

typedef struct Uniform {
    Arena *arena;
    const RegionLevel *
        *homes; /* by IrVar.id: the smallest region around all that mentions it; NULL:
                                variables stay as they are */
    const RegionLevel *at;
    bool changed;
    bool skipped;        /* some threads may have gone to the next iteration of the loop, or out */
    bool divergent_sync; /* a synchronisation where only some threads may come */
} Uniform;

static bool function_knows_thread(const IrFunc *fn);

static bool intrinsic_knows_thread(IrIntrinsic intrinsic)
{
    switch ((int)intrinsic) {
    case INTR_thread_idx:
    case INTR_grid:
    case INTR_laneid:
        return true;
    case INTR_syncthreads_count:
    case INTR_syncthreads_and:
    case INTR_syncthreads_or:
        return false;
    default:
        return ir_intrinsics[intrinsic].effect & (EFFECT_ATOMIC | EFFECT_WARP_SYNC);
    }
}

static void look_for_thread(void *context, IrValue *value)
{
    bool *found = context;
    if (*found)
        return;
    if (value->op == OP_intrinsic)
        *found = intrinsic_knows_thread(value->intrinsic);
    else if (value->op == OP_call)
        *found = function_knows_thread(value->callee);
}

/* Whether a function's result may differ between threads that give it equal arguments. */
static bool function_knows_thread(const IrFunc *fn)
{
    bool found = fn->recursive || (fn->effects & EFFECT_ORDERED);
    ir_each_node_in(&fn->body, look_for_thread, &found);
    return found;
}

bool ir_uniform_value(const IrValue *value)
{
    if (value->op == OP_var)
        return value->var->uniform;
    if (value->op == OP_intrinsic) {
        if (intrinsic_knows_thread(value->intrinsic))
            return false;
        if (ir_intrinsics[value->intrinsic].effect & EFFECT_BLOCK_SYNC)
            return true; /* what a barrier counts is the same for all that wait at it */
    }
    if (value->op == OP_call && function_knows_thread(value->callee))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!ir_uniform_value(value->operands[i]))
            return false;
    return true;
}

/* Whether a break of the loop around `region` is under a condition that is not uniform. */
static bool breaks_divergently(const IrRegion *region, bool divergent, bool *skipped)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        divergent |= *skipped;
        if (stmt->kind == IR_BREAK && divergent)
            return true;
        if (stmt->kind == IR_CONTINUE && divergent)
            *skipped = true;
        if (stmt->kind != IR_IF)
            continue;
        bool inside = divergent || !ir_uniform_value(stmt->if_.condition);
        if (breaks_divergently(&stmt->if_.then, inside, skipped) ||
            breaks_divergently(&stmt->if_.otherwise, inside, skipped))
            return true;
    }
    return false;
}

bool ir_uniform_loop(const IrStmt *loop)
{
    bool skipped = false;
    if (loop->kind == IR_WHILE)
        return ir_uniform_value(loop->while_.condition) &&
               !breaks_divergently(&loop->while_.body, false, &skipped);
    return ir_uniform_value(loop->for_.start) && ir_uniform_value(loop->for_.stop) &&
           ir_uniform_value(loop->for_.step) &&
           !breaks_divergently(&loop->for_.body, false, &skipped);
}

/* ---- where variables are at home ------------------------------------------------------------- */

static void note_var(Uniform *u, const IrVar *var)
{
    const RegionLevel *home = u->homes[var->id], *at = u->at;
    while (home && home != at) {
        if (home->depth >= at->depth)
            home = home->outer;
        else
            at = at->outer;
    }
    u->homes[var->id] = at;
}

static void note_node(void *context, IrValue *value)
{
    if (value->op == OP_var)
        note_var(context, value->var);
}

static void note_region(Uniform *u, const IrRegion *region, const IrStmt *owner)
{
    RegionLevel *level = arena_new(u->arena, RegionLevel);
    *level = (RegionLevel){ u->at, region, owner, u->at ? u->at->depth + 1 : 0, false };
    u->at = level;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_own_node(stmt, note_node, u);
        if (ir_set_var(stmt))
            note_var(u, ir_set_var(stmt));
        for_each_region (inner, stmt)
            note_region(u, inner, stmt);
    }
    u->at = level->outer;
}

/* ---- demotions --------------------------------------------------------------------------- */

/* Whether what stands here is left out, or run more often, by some threads that come to the
** region `home`. What a loop repeats is new each time, so its iterations always count. */
static bool diverges_within(const Uniform *u, const RegionLevel *home)
{
    bool inside = true;
    for (const RegionLevel *level = u->at; level; level = level->outer) {
        inside = inside && (!home || level->region != home->region);
        if (level->divergent && (inside || (level->owner && level->owner->kind != IR_IF)))
            return true;
    }
    return u->skipped;
}

static void set_var(Uniform *u, IrVar *var, bool uniform)
{
    if (!u->homes)
        return;
    uniform = uniform && !diverges_within(u, u->homes[var->id]);
    u->changed |= var->uniform && !uniform;
    var->uniform &= uniform;
}

static void visit_region(Uniform *u, const IrRegion *region, const IrStmt *owner, bool divergent);

static void visit_loop(Uniform *u, IrStmt *stmt)
{
    bool outer = u->skipped, divergent = !ir_uniform_loop(stmt);
    if (stmt->kind == IR_FOR)
        set_var(u, stmt->for_.var, !divergent);
    u->skipped = false;
    visit_region(u, ir_loop_body(stmt), stmt, divergent || outer);
    u->skipped = outer;
}

static void visit_alone(Uniform *u, const IrValue *value)
{
    if ((ir_value_effects(value) & EFFECT_MEETS) && diverges_within(u, NULL))
        u->divergent_sync = true;
}

static void visit_stmt(Uniform *u, IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_SET:
        visit_alone(u, stmt->set.value);
        set_var(u, stmt->set.var, ir_uniform_value(stmt->set.value));
        return;
    case IR_EVAL:
        visit_alone(u, stmt->eval.value);
        return;
    case IR_IF: {
        bool divergent = !ir_uniform_value(stmt->if_.condition);
        visit_region(u, &stmt->if_.then, stmt, divergent);
        visit_region(u, &stmt->if_.otherwise, stmt, divergent);
        return;
    }
    case IR_WHILE:
    case IR_FOR:
        visit_loop(u, stmt);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
        u->skipped = u->skipped || diverges_within(u, NULL);
        return;
    case IR_STORE:
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP:
        return;
    }
}

static void visit_region(Uniform *u, const IrRegion *region, const IrStmt *owner, bool divergent)
{
    const RegionLevel level = { u->at, region, owner, 0, divergent };
    u->at = &level;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        visit_stmt(u, stmt);
    u->at = level.outer;
}

static void visit_function(Arena *arena, IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        var->uniform = var->kind != VAR_PRIVATE && (var->kind != VAR_PARAM || fn->kernel);
    }
    Uniform u = { .arena = arena,
                  .homes = arena_array(arena, const RegionLevel *, fn->var_count + 1) };
    note_region(&u, &fn->body, NULL);
    do {
        u.changed = u.skipped = false;
        visit_region(&u, &fn->body, NULL, false);
    } while (u.changed);
}

bool ir_syncs_divergently(const IrFunc *fn)
{
    Uniform u = { .changed = false };
    visit_region(&u, &fn->body, NULL, false);
    return u.divergent_sync;
}

void ir_uniform(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        visit_function(unit->arena, unit->functions[i]);
    visit_function(unit->arena, unit->kernel);
}

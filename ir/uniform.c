/* Which variables are uniform: the same for all threads of a block that get there.
**
** Everything is held uniform until the contrary shows. A variable stops being uniform when it is
** set to a value that is not, or is set where only some threads come: under a condition that is not
** uniform, or in a loop that the threads leave at different turns. Demotions go on until nothing
** changes. A thread that returns is no longer one of those that get there.
**
** A load is uniform if its array and its indices are, because threads of one block that read one
** element at one point see one value unless the program has a race. */
#include "ir/ir.h"

typedef struct Uniform {
    bool changed;
    bool skipped;            /* some threads may have gone to the next turn of the loop, or out */
    bool divergent_sync;     /* a synchronisation where only some threads may come */
} Uniform;

static bool function_knows_thread(const IrFunc *fn);

static bool intrinsic_knows_thread(IrIntrinsic intrinsic)
{
    switch ((int)intrinsic) {
    case INTR_thread_idx:
    case INTR_grid:
    case INTR_laneid: return true;
    case INTR_syncthreads_count:
    case INTR_syncthreads_and:
    case INTR_syncthreads_or: return false;
    default: return ir_intrinsics[intrinsic].effect & (EFFECT_ATOMIC | EFFECT_WARP_SYNC);
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
    for (const IrStmt *stmt = fn->body.first; stmt && !found; stmt = stmt->next)
        ir_each_node_of(stmt, look_for_thread, &found);
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
            return true;   /* what a barrier counts is the same for all that wait at it */
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

static void set_var(Uniform *u, IrVar *var, bool uniform)
{
    u->changed |= var->uniform && !uniform;
    var->uniform &= uniform;
}

static void visit_region(Uniform *u, const IrRegion *region, bool divergent);

static void visit_loop(Uniform *u, IrStmt *stmt, bool divergent)
{
    bool outer = u->skipped;
    u->skipped = false;
    divergent |= !ir_uniform_loop(stmt);
    if (stmt->kind == IR_FOR)
        set_var(u, stmt->for_.var, !divergent);
    visit_region(u, stmt->kind == IR_FOR ? &stmt->for_.body : &stmt->while_.body, divergent);
    u->skipped = outer;
}

static void visit_stmt(Uniform *u, IrStmt *stmt, bool divergent)
{
    const IrValue *alone = NULL;
    switch (stmt->kind) {
    case IR_SET:
        alone = stmt->set.value;
        set_var(u, stmt->set.var, !divergent && ir_uniform_value(stmt->set.value));
        break;
    case IR_EVAL: alone = stmt->eval.value; break;
    case IR_IF: {
        bool inside = divergent || !ir_uniform_value(stmt->if_.condition);
        visit_region(u, &stmt->if_.then, inside);
        visit_region(u, &stmt->if_.otherwise, inside);
        break;
    }
    case IR_WHILE:
    case IR_FOR: visit_loop(u, stmt, divergent); break;
    case IR_BREAK:
    case IR_CONTINUE: u->skipped |= divergent; break;
    case IR_STORE:
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP: break;
    }
    if (alone && divergent && (ir_value_effects(alone) & (EFFECT_BLOCK_SYNC | EFFECT_WARP_SYNC)))
        u->divergent_sync = true;
}

static void visit_region(Uniform *u, const IrRegion *region, bool divergent)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        visit_stmt(u, stmt, divergent || u->skipped);
}

static void visit_function(IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        var->uniform = var->kind != VAR_PRIVATE && (var->kind != VAR_PARAM || fn->kernel);
    }
    Uniform u;
    do {
        u = (Uniform){ .changed = false };
        visit_region(&u, &fn->body, false);
    } while (u.changed);
}

bool ir_syncs_divergently(const IrFunc *fn)
{
    Uniform u = { .changed = false };
    visit_region(&u, &fn->body, false);
    return u.divergent_sync;
}

void ir_uniform(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        visit_function(unit->functions[i]);
    visit_function(unit->kernel);
}

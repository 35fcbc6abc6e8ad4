/* Which kernels' threads are on their own, so that it is unobservable which of the GPU's threads
** stands for which of those asked for, nor in what order they run.
**
** A thread of such a kernel depends on nothing of its own but its index in the whole grid, and
** waits for no other thread: any order of the threads' statements is one that could have happened,
** as long as each thread's own keep theirs. */
#include "ir/schedule/coarsen/coarsen.h"

#include "ir/analysis/accesses.h"

typedef struct IndependentCheck {
    IrUnit *unit;
    bool found;    /* what plain atomics found may be used; in a block outside of loops */
    bool in_block; /* they may know their index in the block, share its memory and meet */
    Refusal refusal;
} IndependentCheck;

bool ir_is_bound(const IrOptions *options)
{
    return options->launch_blocks || options->launch_cluster || options->max_registers;
}

bool ir_holds_arrays(const IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++)
        if (fn->vars[i]->kind == VAR_LOCAL && type_holds_arrays(fn->vars[i]->type))
            return true;
    return false;
}

bool ir_writes_alone(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    for (int i = 0; i < fn->param_count; i++)
        if (ir_writes(fn, i) && !launch_alone(unit->launch, i))
            return false;
    return true;
}

bool ir_shows_order(const IrFunc *fn)
{
    return fn->effects & EFFECT_BEYOND_MEMORY;
}

/* What of the effects lets others notice; NULL: nothing. */
static const char *noticed(int effects)
{
    if (effects & EFFECT_BLOCK_SYNC)
        return "threads wait for one another";
    if (effects & EFFECT_WARP_SYNC)
        return "lanes of a warp exchange values";
    if (effects & EFFECT_FENCE)
        return "a fence orders what threads do";
    if (effects & EFFECT_IO)
        return "threads print or report";
    return effects & EFFECT_STOP ? "threads end early" : NULL;
}

static const char *asks_for(const IndependentCheck *c, const IrValue *value)
{
    if (c->in_block && (value->intrinsic <= INTR_gridsize || value->intrinsic == INTR_syncthreads))
        return NULL;
    switch ((int)value->intrinsic) {
    case INTR_laneid:
        return "a thread knows its lane";
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
        return "a thread knows its index in the block";
    default:
        return noticed(ir_intrinsics[value->intrinsic].effect);
    }
}

static void check_node(void *context, IrValue *value)
{
    IndependentCheck *c = context;
    if (value->op == OP_call)
        refuse_for(&c->refusal, value->span, "a function is called that calls itself or is large");
    if (value->op == OP_intrinsic && asks_for(c, value))
        refuse_for(&c->refusal, value->span, asks_for(c, value));
}

/* A loop that reads what another thread may write could be waiting for it. */
static void check_spin_node(void *context, IrValue *value)
{
    IndependentCheck *c = context;
    if (value->op != OP_load)
        return;
    const IrVar *var = value->operands[0]->op == OP_var ? value->operands[0]->var : NULL;
    if (!(var && var->kind == VAR_PRIVATE) && !ir_only_read(c->unit, var))
        refuse_for(&c->refusal, value->span, "a while loop reads what other threads may write");
}

/* A loop could go on until others have done something to what an atomic finds. */
static void check_found(void *context, IrStmt *stmt)
{
    IndependentCheck *c = context;
    if (stmt->kind == IR_SET && atomic_of(stmt))
        refuse_for(&c->refusal, stmt->span, "what an atomic operation found is used in a loop");
}

static void check_stmt(void *context, IrStmt *stmt)
{
    IndependentCheck *c = context;
    bool writes = c->unit->kernel->effects & (EFFECT_WRITE | EFFECT_ATOMIC);
    ir_each_own_node(stmt, check_node, c);
    bool found = c->found && atomic_of(stmt) && atomic_is_plain(atomic_of(stmt));
    if (stmt->kind == IR_SET && ir_value_effects(stmt->set.value) & EFFECT_ORDERED && !found)
        refuse_for(&c->refusal, stmt->span, "what an atomic operation found is used");
    bool meets = c->in_block && ir_stmt_effects(stmt) & EFFECT_BLOCK_SYNC;
    if (stmt->kind == IR_WHILE && writes && !meets)
        ir_each_node_of(stmt, check_spin_node, c);
    if (c->in_block && ir_is_loop(stmt))
        ir_each_stmt_of(stmt, check_found, c);
    int effects = ir_stmt_effects(stmt) & ~(c->in_block ? EFFECT_BLOCK_SYNC : 0);
    if (noticed(effects))
        refuse_for(&c->refusal, stmt->span, noticed(effects));
    if (stmt->kind == IR_RETURN)
        refuse_for(&c->refusal, stmt->span, "threads return from within a loop");
}

static void check_spins(IndependentCheck *c)
{
    const IrStmt *loop = c->refusal.why ? NULL : ir_spin(c->unit->arena, c->unit);
    if (loop)
        refuse_for(&c->refusal, loop->span, "a loop waits for other threads");
}

static const char *check(IndependentCheck *c, Span *span)
{
    ir_each_stmt(&c->unit->kernel->body, check_stmt, c);
    check_spins(c);
    *span = c->refusal.where;
    return c->refusal.why;
}

static const char *dependent(IrUnit *unit, bool found, Span *span)
{
    const IrFunc *fn = unit->kernel;
    IndependentCheck c = { .unit = unit, .found = found, .refusal.where = fn->span };
    for (int i = fn->param_count; i < fn->var_count; i++)
        if (ir_is_shared(fn->vars[i]))
            refuse_for(&c.refusal, fn->vars[i]->span, "a block has memory of its own");
    return check(&c, span);
}

const char *ir_dependent(IrUnit *unit, Span *span)
{
    return dependent(unit, false, span);
}

/* A thread that is alone with what it found, and has no loop to wait in, takes it as it comes. */
const char *ir_dependent_but_found(IrUnit *unit, Span *span)
{
    return dependent(unit, !ir_has_loop(&unit->kernel->body), span);
}

const char *ir_dependent_in_block(IrUnit *unit, Span *span)
{
    IndependentCheck c = {
        .unit = unit, .found = true, .refusal.where = unit->kernel->span, .in_block = true
    };
    return check(&c, span);
}

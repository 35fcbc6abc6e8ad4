/* Statements, for all threads of a block side by side: those at work are a mask. */
#include "ir/predict/rehearsal.h"

static void count(Rehearsal *r, Mask *mask)
{
    mask->count = 0;
    for (int i = 0; i < r->threads; i++)
        mask->count += mask->on[i];
}

static void copy(const Rehearsal *r, Mask *to, const Mask *from)
{
    memcpy(to->on, from->on, (size_t)r->threads);
    to->count = from->count;
    to->sure = from->sure;
}

static void leave(Mask *mask, int threads)
{
    memset(mask->on, 0, (size_t)threads);
    mask->count = 0;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void set_var(Rehearsal *r, const IrVar *var, Spread value, const Mask *mask)
{
    int id = var->id;
    bool all = mask->sure && mask->count + r->gone_count == r->threads;

    if (r->set[id] && !all)
        value = mask->sure ? spread_merge(r, value, mask, r->vars[id]) : spread_unknown();
    if (value.known && value.lanes) {
        if (!r->homes[id])
            r->homes[id] = arena_array(r->arena, int64_t, r->threads);
        if (value.lanes != r->homes[id])
            memcpy(r->homes[id], value.lanes, sizeof(int64_t) * (size_t)r->threads);
        value.lanes = r->homes[id];
    }
    r->vars[id] = value;
    r->set[id] = true;
}

/* The same, whatever is set to what its lanes come from. */
static Spread held(Rehearsal *r, Spread value)
{
    if (value.lanes)
        value.lanes = memcpy(rehearsal_room(r), value.lanes, sizeof(int64_t) * (size_t)r->threads);
    return value;
}

/* ---- what threads do together ---------------------------------------------------------------- */

/* All must come. */
static void barrier(Rehearsal *r, const Mask *mask)
{
    if (!mask->sure || mask->count != r->threads)
        rehearsal_give_up(r);
    r->stretch++;
    r->waits += (uint64_t)mask->count;
}

static bool is_sum(IrIntrinsic intrinsic)
{
    return intrinsic == INTR_atomic_add || intrinsic == INTR_atomic_sub ||
           intrinsic == INTR_atomic_max || intrinsic == INTR_atomic_min ||
           intrinsic == INTR_atomic_and || intrinsic == INTR_atomic_or ||
           intrinsic == INTR_atomic_xor;
}

/* Whatever the order, the same comes of it, as long as what was there before is not used. */
static void atomic(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    Spread array = value_of(r, value->operands[0], mask, false);

    if (!is_sum(value->intrinsic) || !array.memory || !array.memory->arg ||
        array.memory->access != ACCESS_ATOMIC ||
        !type_is_integer(value->operands[0]->type->array.element))
        rehearsal_give_up(r);
    value_of(r, value->operands[value->count - 1], mask, false);
    memory_access(r, array.memory, value->operands + 1, value->count - 2, ACCESS_ATOMIC, mask);
}

/* A value that does something beside being computed, or not. Its result is unknown where
** it did. */
static Spread deed(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    if (value->op != OP_intrinsic || ir_intrinsics[value->intrinsic].effect == EFFECT_NONE)
        return value_of(r, value, mask, index);
    int effect = ir_intrinsics[value->intrinsic].effect;
    if (effect == EFFECT_BLOCK_SYNC) {
        for (int i = 0; i < value->count; i++)
            value_of(r, value->operands[i], mask, false);
        barrier(r, mask);
    } else if (effect != EFFECT_FENCE || value->count) {
        rehearsal_give_up(r);
    }
    return spread_unknown();
}

static void evaluate(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect == EFFECT_ATOMIC)
        atomic(r, value, mask);
    else
        deed(r, value, mask, false);
}

static void store(Rehearsal *r, const IrStmt *stmt, const Mask *mask)
{
    Spread array = value_of(r, stmt->store.array, mask, false);

    if (!array.memory)
        rehearsal_give_up(r);
    value_of(r, stmt->store.value, mask, false);
    memory_access(r, array.memory, stmt->store.indices, stmt->store.count, ACCESS_WRITE, mask);
}

/* ---- branches and loops ---------------------------------------------------------------------- */

static void branch(Rehearsal *r, const IrStmt *stmt, Mask *mask)
{
    Mask yes, no;

    value_branch(r, stmt->if_.condition, mask, &yes, &no);
    if (yes.count + no.count == mask->count && (!yes.count || !no.count)) {
        flow_run(r, yes.count ? &stmt->if_.then : &stmt->if_.otherwise, mask);
        return;
    }
    flow_run(r, &stmt->if_.then, &yes);
    flow_run(r, &stmt->if_.otherwise, &no);
    if (!yes.sure) /* then none left */
        return;
    for (int i = 0; i < r->threads; i++)
        mask->on[i] = yes.on[i] | no.on[i];
    count(r, mask);
}

/* Takes from a mask the threads that a condition ends the loop for. */
static void ask(Rehearsal *r, Mask *active, const Mask *yes, const Mask *no)
{
    if (yes->count + no->count != active->count)
        rehearsal_give_up(r);
    if (no->count)
        copy(r, active, yes);
}

/* An iteration of the threads of `active`, which then holds those that reach the next. */
static void make_iteration(Rehearsal *r, const IrRegion *body, Mask *active, RehearsedLoop *loop)
{
    r->loop = loop;
    flow_run(r, body, active);
    r->loop = loop->outer;
    if (!loop->any)
        return;
    for (int i = 0; i < r->threads; i++)
        active->on[i] |= loop->next[i];
    count(r, active);
    memset(loop->next, 0, (size_t)r->threads);
    loop->any = false;
}

/* Behind a loop come all that have not returned in it. */
static void end_loop(Rehearsal *r, Mask *mask)
{
    for (int i = 0; r->gone_count && i < r->threads; i++)
        mask->on[i] &= !r->gone[i];
    count(r, mask);
}

static uint8_t *no_lanes(Rehearsal *r)
{
    return memset(rehearsal_room(r), 0, (size_t)r->threads);
}

static void run_while(Rehearsal *r, const IrStmt *stmt, Mask *mask)
{
    RehearsedLoop loop = { r->loop, no_lanes(r), false };
    Mask active = rehearsal_mask(r, mask), yes, no;
    int mark = r->room_used;

    while (active.count) {
        r->room_used = mark;
        value_branch(r, stmt->while_.condition, &active, &yes, &no);
        ask(r, &active, &yes, &no);
        if (active.count)
            make_iteration(r, &stmt->while_.body, &active, &loop);
    }
    end_loop(r, mask);
}

static void run_for(Rehearsal *r, const IrStmt *stmt, Mask *mask)
{
    const IrVar *var = stmt->for_.var;
    bool index = r->index[var->id];
    Spread at = held(r, value_of(r, stmt->for_.start, mask, index));
    Spread stop = held(r, value_of(r, stmt->for_.stop, mask, false));
    Spread step = value_of(r, stmt->for_.step, mask, index);
    RehearsedLoop loop = { r->loop, no_lanes(r), false };
    Mask active = rehearsal_mask(r, mask), yes, no;
    int mark = r->room_used;

    if (!at.known || !stop.known || !step.known || step.low != step.high || !step.low)
        rehearsal_give_up(r);
    step = spread_number(step.low);
    while (active.count) {
        r->room_used = mark;
        Spread goes = spread_compare(r, step.low > 0 ? OP_lt : OP_gt, at, stop, &active);
        value_part(r, &goes, &active, &yes, &no);
        ask(r, &active, &yes, &no);
        if (!active.count)
            break;
        r->vars[var->id] = at;
        r->set[var->id] = true;
        make_iteration(r, &stmt->for_.body, &active, &loop);
        if (active.count) /* of numbers: the lanes are the same */
            at = spread_add(r, var->type, at, step, 1, &active);
    }
    r->vars[var->id] = spread_unknown();
    end_loop(r, mask);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void go_on(Rehearsal *r, Mask *mask, bool next)
{
    if (!mask->sure || !r->loop)
        rehearsal_give_up(r);
    for (int i = 0; next && i < r->threads; i++)
        r->loop->next[i] |= mask->on[i];
    r->loop->any |= next;
    leave(mask, r->threads);
}

static void end_threads(Rehearsal *r, Mask *mask)
{
    if (!mask->sure)
        rehearsal_give_up(r);
    for (int i = 0; i < r->threads; i++)
        r->gone[i] |= mask->on[i];
    r->gone_count += mask->count;
    leave(mask, r->threads);
}

static void run_stmt(Rehearsal *r, const IrStmt *stmt, Mask *mask)
{
    switch (stmt->kind) {
    case IR_SET:
        set_var(r, stmt->set.var, deed(r, stmt->set.value, mask, r->index[stmt->set.var->id]),
                mask);
        return;
    case IR_STORE:
        store(r, stmt, mask);
        return;
    case IR_EVAL:
        evaluate(r, stmt->eval.value, mask);
        return;
    case IR_IF:
        branch(r, stmt, mask);
        return;
    case IR_WHILE:
        run_while(r, stmt, mask);
        return;
    case IR_FOR:
        run_for(r, stmt, mask);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
        go_on(r, mask, stmt->kind == IR_CONTINUE);
        return;
    case IR_RETURN:
    case IR_STOP:
        end_threads(r, mask);
        return;
    case IR_PRINT:
    case IR_FAULT:
        rehearsal_give_up(r);
    }
}

void flow_run(Rehearsal *r, const IrRegion *region, Mask *mask)
{
    for (const IrStmt *stmt = region->first; stmt && mask->count; stmt = stmt->next) {
        int mark = r->room_used;
        run_stmt(r, stmt, mask);
        r->room_used = mark;
    }
}

/* ---- what goes into an index ----------------------------------------------------------------- */

typedef struct RehearsalFlow {
    Rehearsal *r;
    bool changed;
} RehearsalFlow;

static void mark(void *context, IrValue *value)
{
    RehearsalFlow *flow = context;
    bool *index = flow->r->index;

    if (value->op == OP_var && !index[value->var->id])
        index[value->var->id] = flow->changed = true;
}

static void mark_node(void *context, IrValue *value)
{
    bool atomic = value->op == OP_intrinsic && (ir_value_effects(value) & EFFECT_ATOMIC);

    for (int i = 1; (value->op == OP_load || atomic) && i < value->count; i++)
        ir_each_node(value->operands[i], mark, context);
}

/* More than what the checker takes to go there: whatever it is computed of. */
static void mark_stmt(void *context, IrStmt *stmt)
{
    RehearsalFlow *flow = context;
    const bool *index = flow->r->index;

    ir_each_node_of(stmt, mark_node, context);
    if (stmt->kind == IR_STORE)
        for (int i = 0; i < stmt->store.count; i++)
            ir_each_node(stmt->store.indices[i], mark, context);
    if (stmt->kind == IR_SET && index[stmt->set.var->id])
        ir_each_node(stmt->set.value, mark, context);
    if (stmt->kind == IR_FOR && index[stmt->for_.var->id]) {
        ir_each_node(stmt->for_.start, mark, context);
        ir_each_node(stmt->for_.step, mark, context);
    }
}

void flow_find_indices(Rehearsal *r)
{
    RehearsalFlow flow = { .r = r };

    do {
        flow.changed = false;
        ir_each_stmt(&r->request->unit->kernel->body, mark_stmt, &flow);
    } while (flow.changed);
}

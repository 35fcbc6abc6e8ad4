/* The statements that decide where a kernel goes. A variable is needed if a branch, or a loop's
** bounds, or a needed variable's value reads it, however far below; order does not matter. So is
** what threads put into shared or private memory that a needed value is read from. */
#include "ir/predict/count.h"

#include "ir/analysis/flow/flow.h"

typedef struct Slice {
    const IrFunc *fn;
    const IrPointsTo *points_to;
    const bool *counters;
    IrCount *count;
    bool *needed;     /* by IrVar.id */
    uint64_t *memory; /* whose own memory is read for what is needed, as of ir_pointees() */
    bool changed;
} Slice;

/* ---- what is needed ------------------------------------------------------------------------- */

static void need_memory(Slice *s, const uint64_t *set)
{
    for (int i = 0; i < s->points_to->words; i++) {
        s->changed |= (set[i] & ~s->memory[i]) != 0;
        s->memory[i] |= set[i];
    }
}

static bool is_needed_memory(const Slice *s, const IrValue *array)
{
    const uint64_t *set = ir_pointees(s->points_to, array);
    bool needed = false;

    for (int i = 0; i < s->points_to->words; i++)
        needed = needed || (set[i] & s->memory[i]);
    return needed;
}

/* The memory that a needed value reads must not be what the kernel writes. */
static void need_load(Slice *s, const IrValue *array)
{
    IrCount *count = s->count;
    int param = count_param_of(s->points_to, count->params, array);

    if (param >= 0 && param < count->params) {
        count->reads[param] = true;
        if (ir_writes(s->fn, param))
            count->whole = count->together = true;
        return;
    }
    const uint64_t *set = ir_pointees(s->points_to, array);
    bool constant = true;
    for (int id = 0; id < s->points_to->count; id++)
        constant =
            constant && (!ir_pointees_have(set, id) || s->fn->vars[id]->kind == VAR_CONSTANT);
    if (param == count->params)
        count->together = true;
    if (constant && param != count->params)
        return;
    count->whole = true;
    need_memory(s, set);
}

static void need_intrinsic(Slice *s, const IrValue *value)
{
    int effect = ir_intrinsics[value->intrinsic].effect;

    if (effect == EFFECT_NONE)
        return;
    s->count->whole = true;
    if (effect & EFFECT_ATOMIC &&
        count_param_of(s->points_to, s->count->params, value->operands[0]) >= 0)
        s->count->together = true;
    if (effect & EFFECT_GRID_SYNC)
        s->count->together = true;
}

static void need_node(void *context, IrValue *value)
{
    Slice *s = context;

    if (value->op == OP_var && !s->needed[value->var->id])
        s->needed[value->var->id] = s->changed = true;
    else if (value->op == OP_load)
        need_load(s, value->operands[0]);
    else if (value->op == OP_intrinsic)
        need_intrinsic(s, value);
}

/* ---- what is live --------------------------------------------------------------------------- */

typedef struct Puts {
    const Slice *slice;
    bool found;
} Puts;

static void find_put(void *context, IrValue *value)
{
    Puts *puts = context;

    puts->found =
        puts->found || (value->op == OP_intrinsic && value->count &&
                        ir_intrinsics[value->intrinsic].effect & (EFFECT_WRITE | EFFECT_ATOMIC) &&
                        is_needed_memory(puts->slice, value->operands[0]));
}

/* Whether a statement, or any in it, puts something into memory that is needed: all stays then. */
static bool puts_needed(const Slice *s, IrStmt *stmt)
{
    Puts puts = { s, stmt->kind == IR_STORE && is_needed_memory(s, stmt->store.array) };

    ir_each_own_node(stmt, find_put, &puts);
    for_each_region (inner, stmt) {
        for (IrStmt *each = inner->first; each && !puts.found; each = each->next)
            puts.found = puts_needed(s, each);
    }
    return puts.found;
}

static bool is_kept_set(const Slice *s, const IrStmt *stmt)
{
    int id = stmt->kind == IR_SET ? stmt->set.var->id : -1;

    return id >= 0 && (s->counters[id] || s->needed[id]);
}

/* Whether a region matters to what comes behind its loop, if it is a loop's. */
static bool has_core(const Slice *s, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (is_kept_set(s, stmt) || stmt->kind == IR_RETURN || stmt->kind == IR_STOP)
            return true;
        for_each_region (inner, stmt) {
            if (has_core(s, inner))
                return true;
        }
    }
    return false;
}

/* Of a statement in a region that is live. */
static bool is_live(const Slice *s, const IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_SET:
        return is_kept_set(s, stmt);
    case IR_IF:
        return has_core(s, &stmt->if_.then) || has_core(s, &stmt->if_.otherwise) ||
               flow_jumps(&stmt->if_.then) || flow_jumps(&stmt->if_.otherwise);
    case IR_WHILE:
        return has_core(s, &stmt->while_.body);
    case IR_FOR:
        return has_core(s, &stmt->for_.body);
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_STOP:
        return true;
    case IR_STORE:
    case IR_EVAL:
    case IR_PRINT:
    case IR_FAULT:
        return false;
    }
    return false;
}

static void mark(Slice *s, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (!is_live(s, stmt) && !puts_needed(s, stmt))
            continue;
        ir_each_own_node(stmt, need_node, s);
        for_each_region (inner, stmt)
            mark(s, inner);
    }
}

static void sweep(const Slice *s, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        if (!is_live(s, stmt)) {
            ir_remove(region, stmt);
            continue;
        }
        for_each_region (inner, stmt)
            sweep(s, inner);
    }
}

void count_slice(IrFunc *fn, const IrPointsTo *points_to, const bool *counters, IrCount *count)
{
    Slice s = { .fn = fn, .points_to = points_to, .counters = counters, .count = count };

    s.needed = arena_array(points_to->arena, bool, fn->var_count + 1);
    s.memory = arena_array(points_to->arena, uint64_t, points_to->words);
    do {
        s.changed = false;
        mark(&s, &fn->body);
    } while (s.changed);
    if (!count->whole)
        sweep(&s, &fn->body);
}

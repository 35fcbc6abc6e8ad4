#include "ir/analysis/points_to.h"

static void add(uint64_t *set, int id)
{
    set[id / POINTEES_BITS] |= UINT64_C(1) << id % POINTEES_BITS;
}

bool ir_pointees_have(const uint64_t *set, int id)
{
    return set[id / POINTEES_BITS] >> id % POINTEES_BITS & 1;
}

int ir_pointees_next(const IrPointsTo *points_to, const uint64_t *set, int from)
{
    uint64_t mask = UINT64_MAX << from % POINTEES_BITS;
    int id = points_to->count;
    for (int i = from / POINTEES_BITS; i < points_to->words && id == points_to->count; i++) {
        if (set[i] & mask)
            id = i * POINTEES_BITS + __builtin_ctzll(set[i] & mask);
        mask = UINT64_MAX;
    }
    return id < points_to->count ? id : points_to->count;
}

bool ir_pointees_elsewhere(const IrPointsTo *points_to, const uint64_t *set)
{
    return ir_pointees_have(set, points_to->count);
}

static void add_pointees(const IrPointsTo *points_to, uint64_t *set, const IrValue *value)
{
    if (!type_holds_arrays(value->type))
        return;
    if (value->op == OP_var) {
        for (int i = 0; i < points_to->words; i++)
            set[i] |= points_to->sets[value->var->id][i];
        return;
    }
    if (value->op == OP_call) /* perhaps a shared array of its own */
        add(set, points_to->count);
    for (int i = 0; i < value->count; i++)
        add_pointees(points_to, set, value->operands[i]);
}

const uint64_t *ir_pointees(const IrPointsTo *points_to, const IrValue *value)
{
    if (value->op == OP_var && type_holds_arrays(value->type))
        return points_to->sets[value->var->id];
    uint64_t *set = arena_array(points_to->arena, uint64_t, points_to->words);
    add_pointees(points_to, set, value);
    return set;
}

/* ---- flow ------------------------------------------------------------------------------------ */

typedef struct PointsToFlow {
    const IrPointsTo *points_to;
    bool changed;
} PointsToFlow;

static void flow_stmt(void *context, IrStmt *stmt)
{
    PointsToFlow *flow = context;
    if (stmt->kind != IR_SET || !type_holds_arrays(stmt->set.var->type))
        return;
    uint64_t *set = flow->points_to->sets[stmt->set.var->id];
    const uint64_t *from = ir_pointees(flow->points_to, stmt->set.value);
    for (int i = 0; i < flow->points_to->words; i++) {
        flow->changed |= (from[i] & ~set[i]) != 0;
        set[i] |= from[i];
    }
}

IrPointsTo ir_points_to(Arena *arena, const IrFunc *fn)
{
    int count = fn->var_count;
    IrPointsTo points_to = { arena, fn, count, count / POINTEES_BITS + 1,
                             arena_array(arena, uint64_t *, count + 1) };
    PointsToFlow flow = { .points_to = &points_to };
    uint64_t *nothing = arena_array(arena, uint64_t, points_to.words); /* of all other variables */
    for (int i = 0; i < count; i++) {
        bool local = fn->vars[i]->kind == VAR_LOCAL, holds = type_holds_arrays(fn->vars[i]->type);
        points_to.sets[i] =
            local && !holds ? nothing : arena_array(arena, uint64_t, points_to.words);
        if (!local)
            add(points_to.sets[i], i);
        flow.changed |= local && holds;
    }
    while (flow.changed) {
        flow.changed = false;
        ir_each_stmt(&fn->body, flow_stmt, &flow);
    }
    return points_to;
}

/* ---- private memory among other -------------------------------------------------------------- */

typedef struct Mixture {
    const IrPointsTo *points_to;
    bool *among;
} Mixture;

static bool is_private(const IrPointsTo *points_to, int id)
{
    return points_to->fn->vars[id]->kind == VAR_PRIVATE;
}

static void mark_mixed(const Mixture *mixture, const uint64_t *set)
{
    const IrPointsTo *points_to = mixture->points_to;
    bool mixed = ir_pointees_elsewhere(points_to, set);

    for_each_pointee (i, points_to, set)
        mixed |= !is_private(points_to, i);
    for_each_pointee (i, points_to, set)
        mixture->among[i] |= mixed && is_private(points_to, i);
}

static void mark_mixed_value(void *context, IrValue *value)
{
    const Mixture *mixture = context;

    if (value->op != OP_var && type_holds_arrays(value->type))
        mark_mixed(mixture, ir_pointees(mixture->points_to, value));
}

bool *ir_private_among_others(const IrPointsTo *points_to)
{
    Mixture mixture = { points_to, arena_array(points_to->arena, bool, points_to->count + 1) };

    for (int i = 0; i < points_to->count; i++)
        mark_mixed(&mixture, points_to->sets[i]);
    ir_each_node_in(&points_to->fn->body, mark_mixed_value, &mixture);
    return mixture.among;
}

/* ---- meeting --------------------------------------------------------------------------------- */

static bool is_alone(IrLaunch *launch, const IrVar *var)
{
    return type_is_array(var->type) && launch_alone(launch, var->param);
}

/* Whether the memories of two variables are one or may overlap. */
static bool vars_meet(IrLaunch *launch, const IrVar *a, const IrVar *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == VAR_PARAM)
        return !is_alone(launch, a) && !is_alone(launch, b);
    return a->kind == VAR_SHARED_DYNAMIC;
}

/* Looks among the variables of `set` for one that `a` meets. */
static const IrVar *var_met(const IrPointsTo *points_to, IrLaunch *launch, const IrVar *a,
                            const uint64_t *set)
{
    for_each_pointee (i, points_to, set)
        if (vars_meet(launch, a, points_to->fn->vars[i]))
            return points_to->fn->vars[i];
    return NULL;
}

static bool is_empty(const IrPointsTo *points_to, const uint64_t *set)
{
    for (int i = 0; i < points_to->words; i++)
        if (set[i])
            return false;
    return true;
}

bool ir_may_alias(const IrPointsTo *points_to, IrLaunch *launch, const uint64_t *left,
                  const uint64_t *right, const IrVar **a, const IrVar **b)
{
    *a = *b = NULL;
    if (is_empty(points_to, left) || is_empty(points_to, right))
        return false;
    if (ir_pointees_elsewhere(points_to, left) || ir_pointees_elsewhere(points_to, right))
        return true;
    for_each_pointee (i, points_to, left) {
        *a = points_to->fn->vars[i];
        if ((*b = var_met(points_to, launch, *a, right)))
            return true;
    }
    return false;
}

#include "ir/analysis/roots.h"

#include <string.h>

static void add(uint64_t *set, int id)
{
    set[id / ROOTS_BITS] |= UINT64_C(1) << id % ROOTS_BITS;
}

bool ir_roots_have(const uint64_t *set, int id)
{
    return set[id / ROOTS_BITS] >> id % ROOTS_BITS & 1;
}

bool ir_roots_elsewhere(const IrRoots *roots, const uint64_t *set)
{
    return ir_roots_have(set, roots->count);
}

static void add_roots(const IrRoots *roots, uint64_t *set, const IrValue *value)
{
    if (!type_holds_arrays(value->type))
        return;
    if (value->op == OP_var) {
        for (int i = 0; i < roots->words; i++)
            set[i] |= roots->sets[value->var->id][i];
        return;
    }
    if (value->op == OP_call) /* perhaps a shared array of its own */
        add(set, roots->count);
    for (int i = 0; i < value->count; i++)
        add_roots(roots, set, value->operands[i]);
}

uint64_t *ir_roots_of(const IrRoots *roots, const IrValue *value)
{
    uint64_t *set = arena_array(roots->arena, uint64_t, roots->words);
    add_roots(roots, set, value);
    return set;
}

/* ---- flow ------------------------------------------------------------------------------------ */

typedef struct Flow {
    const IrRoots *roots;
    bool changed;
} Flow;

static void flow_stmt(void *context, IrStmt *stmt)
{
    Flow *flow = context;
    if (stmt->kind != IR_SET || !type_holds_arrays(stmt->set.var->type))
        return;
    uint64_t *set = flow->roots->sets[stmt->set.var->id];
    uint64_t *from = ir_roots_of(flow->roots, stmt->set.value);
    for (int i = 0; i < flow->roots->words; i++) {
        flow->changed |= (from[i] & ~set[i]) != 0;
        set[i] |= from[i];
    }
}

IrRoots ir_roots(Arena *arena, const IrFunc *fn)
{
    int count = fn->var_count;
    IrRoots roots = { arena, fn, count, count / ROOTS_BITS + 1,
                      arena_array(arena, uint64_t *, count + 1) };
    for (int i = 0; i < count; i++) {
        roots.sets[i] = arena_array(arena, uint64_t, roots.words);
        if (fn->vars[i]->kind != VAR_LOCAL)
            add(roots.sets[i], i);
    }
    Flow flow = { .roots = &roots };
    do {
        flow.changed = false;
        ir_each_stmt(&fn->body, flow_stmt, &flow);
    } while (flow.changed);
    return roots;
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
static const IrVar *var_met(const IrRoots *roots, IrLaunch *launch, const IrVar *a,
                            const uint64_t *set)
{
    for (int i = 0; i < roots->count; i++)
        if (ir_roots_have(set, i) && vars_meet(launch, a, roots->fn->vars[i]))
            return roots->fn->vars[i];
    return NULL;
}

static bool is_empty(const IrRoots *roots, const uint64_t *set)
{
    for (int i = 0; i < roots->words; i++)
        if (set[i])
            return false;
    return true;
}

bool ir_roots_meet(const IrRoots *roots, IrLaunch *launch, const uint64_t *left,
                   const uint64_t *right, const IrVar **a, const IrVar **b)
{
    *a = *b = NULL;
    if (is_empty(roots, left) || is_empty(roots, right))
        return false;
    if (ir_roots_elsewhere(roots, left) || ir_roots_elsewhere(roots, right))
        return true;
    for (int i = 0; i < roots->count; i++) {
        *a = roots->fn->vars[i];
        if (ir_roots_have(left, i) && (*b = var_met(roots, launch, *a, right)))
            return true;
    }
    return false;
}

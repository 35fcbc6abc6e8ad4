/* Tells the compiler which of the kernel's arrays nothing else points into:
**
**     kernel scale(x: float32[::1], y: float32[::1])
** becomes
**     kernel scale(x: float32[::1] restricted, y: float32[::1] restricted)
**
** so that a load need not wait for the stores before it, and what is only read may be kept by the
** read-only cache.
**
** Legal for all arrays of a kernel if each that it writes is alone: what is not written may well
** overlap. Left out are arrays through which threads may speak to one another, since C's `restrict`
** lets a compiler keep in a register what it has read or written itself: those both read and
** written where there are barriers, warp operations or atomics, those with atomics that are also
** read or stored to, those that the condition of a while reads or a load asks for anew. Where there
** are fences, nothing is restricted: they are there for what comes from outside; nor is it where a
** call may end the thread.
**
** It pays where one array is written and another is read. */
#include "ir/optimise.h"

typedef struct Restrict {
    IrUnit *unit;
    IrFunc *fn;
    bool *watched; /* by parameter: a load of it may wait for others */
} Restrict;

/* ---- waiting for memory --------------------------------------------------------------------- */

static void watch_points_to(Restrict *r, const IrValue *array)
{
    if (array->op == OP_var && array->var->kind == VAR_PARAM)
        r->watched[array->var->param] = true;
    else if (array->op == OP_var && type_holds_arrays(array->type))
        memset(r->watched, true, (size_t)r->fn->param_count); /* it may be a view of any */
    for (int i = 0; i < array->count; i++)
        watch_points_to(r, array->operands[i]);
}

static void watch_condition(void *context, IrValue *value)
{
    if (value->op == OP_load)
        watch_points_to(context, value->operands[0]);
}

static void watch_fresh_load(void *context, IrValue *value)
{
    if (value->op == OP_load && strcmp(ir_cache_names[value->index], "cv") == 0)
        watch_points_to(context, value->operands[0]);
}

static void watch_stmt(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_WHILE)
        ir_each_node(stmt->while_.condition, watch_condition, context);
}

static void watch(Restrict *r)
{
    r->watched = arena_array(r->unit->arena, bool, r->fn->param_count + 1);
    ir_each_stmt(&r->fn->body, watch_stmt, r);
    ir_each_node_in(&r->fn->body, watch_fresh_load, r);
}

/* ---- the arrays ------------------------------------------------------------------------------ */

/* Whether threads may tell one another something through a parameter's memory. */
static bool is_shared(const Restrict *r, const IrVar *param)
{
    int access = r->fn->access[param->param];

    if (r->watched[param->param])
        return true;
    if (access & ACCESS_ATOMIC && access != ACCESS_ATOMIC)
        return true;
    return r->fn->effects & (EFFECT_MEETS | EFFECT_ATOMIC) && access & ACCESS_READ &&
           access & ACCESS_WRITE;
}

/* A parameter that is written where another is read, or NULL. */
static const IrVar *conflict(const IrFunc *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        for (int k = 0; k < fn->param_count && ir_writes(fn, i); k++)
            if (k != i && fn->access[k] & ACCESS_READ)
                return fn->vars[i];
    return NULL;
}

/* The first written parameter that may overlap another, or NULL. */
static const IrVar *overlapping(Restrict *r)
{
    for (int i = 0; i < r->fn->param_count; i++) {
        const IrVar *param = r->fn->vars[i];
        if (ir_writes(r->fn, i) &&
            (!type_is_array(param->type) || !launch_alone(r->unit->launch, i)))
            return param;
    }
    return NULL;
}

/* Whether a function that is still called may end the thread. What was stored before the call then
** stays, which a compiler that trusts `restrict` and a return would leave out for what is stored
** after it. */
static bool calls_may_end(const IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        if (unit->functions[i]->effects & EFFECT_STOP)
            return true;
    return false;
}

void ir_restrict(IrUnit *unit)
{
    Restrict r = { .unit = unit, .fn = unit->kernel };

    ir_effects(unit);
    const IrVar *written = conflict(r.fn);
    if (!written)
        return;
    if (r.fn->effects & EFFECT_FENCE) {
        ir_remark(unit, r.fn->span, "loads wait for stores: the kernel has fences");
        return;
    }
    if (calls_may_end(unit)) {
        ir_remark(unit, r.fn->span, "loads wait for stores: a call may end the thread");
        return;
    }
    const IrVar *other = overlapping(&r);
    if (other) {
        ir_remark(unit, other->span, "loads wait for stores: '%s' is written and may overlap %s",
                  other->name, "another argument");
        return;
    }
    watch(&r);
    for (int i = 0; i < r.fn->param_count; i++)
        if (type_is_array(r.fn->vars[i]->type))
            r.fn->vars[i]->restricted = !is_shared(&r, r.fn->vars[i]);
}

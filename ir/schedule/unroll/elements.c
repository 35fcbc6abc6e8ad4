/* Small private arrays whose indices are numbers once loops are laid out become variables:
**
**     private a: int32[::1] of 2               a_0 = load(x, 0)
**     for k in 0 to 2 by 1                     a_1 = load(x, 1)
**         store a[k] = load(x, k)        =>    if gt(a_0, a_1)
**     if gt(load(a, 0), load(a, 1))                a_0 = a_1
**         store a[0] = load(a, 1)
**
** Loops of few known iterations are laid out one iteration after the other (whole.c), and so are
** those that threads leave early, each after its own number of iterations (exits.c).
**
** Legal for an array of which nothing but elements is read and written, all at numbers within it.
**
** Pays if threads compute indices, each its own: else the device's compiler finds the same out by
** itself. Registers have no index, and what lies in memory is waited for. */
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/schedule.h"

enum {
    ELEMENTS_MOST = 32, /* of an array */
    NODES_MOST = 6000   /* of the kernel that is laid out */
};

typedef struct Elements {
    IrBuilder b[1];
    bool *fine;    /* by IrVar.id: all indices of it are numbers within */
    int count;     /* of variables, then */
    IrVar ***vars; /* by IrVar.id, by element */
} Elements;

/* ---- which ----------------------------------------------------------------------------------- */

static int64_t element_of(const IrVar *array, const IrValue *index)
{
    bool inside = ir_is_constant(index) && index->constant.integer >= 0 &&
                  index->constant.integer < array->shape[0];
    return inside ? index->constant.integer : -1;
}

static bool is_one(const Elements *e, const IrValue *array)
{
    return array->op == OP_var && array->var->id < e->count && e->fine[array->var->id];
}

static void check_node(void *context, IrValue *value)
{
    const Elements *e = context;
    if (value->op == OP_load && is_one(e, value->operands[0]) &&
        element_of(value->operands[0]->var, value->operands[1]) < 0)
        e->fine[value->operands[0]->var->id] = false;
}

static void check_stmt(void *context, IrStmt *stmt)
{
    const Elements *e = context;
    ir_each_own_node(stmt, check_node, context);
    if (stmt->kind == IR_STORE && is_one(e, stmt->store.array) &&
        element_of(stmt->store.array->var, stmt->store.indices[0]) < 0)
        e->fine[stmt->store.array->var->id] = false;
}

/* Leaves the small ones of some arrays; false if there are none. */
static bool keep_small(const IrFunc *fn, bool *arrays, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        any |= arrays[i] = arrays[i] && fn->vars[i]->type->array.rank == 1 &&
                           fn->vars[i]->shape[0] <= ELEMENTS_MOST;
    return any;
}

/* Leaves those that the schedule has; false if there are none. */
static bool keep_taken(IrUnit *unit, Elements *e)
{
    bool any = false;
    for (int i = 0; i < e->count; i++) {
        const IrVar *var = e->b->fn->vars[i];
        Directive own = { DO_ELEMENTS, .array = var->name, .site = var, .span = var->span };
        Directive *taken = e->fine[i] ? schedule_take(unit, own, true) : NULL;
        e->fine[i] = taken != NULL;
        if (!taken)
            continue;
        schedule_done(taken);
        ir_remark(unit, var->span, "'%s' lies in registers: its indices are known", var->name);
        any = true;
    }
    return any;
}

/* ---- in their place -------------------------------------------------------------------------- */

static IrVar *var_of(const Elements *e, const IrValue *array, const IrValue *index)
{
    return e->vars[array->var->id][element_of(array->var, index)];
}

static void change_load(const Elements *e, IrValue **slot)
{
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        change_load(e, &value->operands[i]);
    if (value->op == OP_load && is_one(e, value->operands[0]))
        *slot = build_var(e->b, var_of(e, value->operands[0], value->operands[1]));
}

static void change_stmt(void *context, IrStmt *stmt)
{
    const Elements *e = context;
    for_each_slot (slot, stmt)
        change_load(e, slot);
    if (stmt->kind != IR_STORE || !is_one(e, stmt->store.array))
        return;
    IrVar *var = var_of(e, stmt->store.array, stmt->store.indices[0]);
    IrValue *value = stmt->store.value;
    stmt->kind = IR_SET;
    stmt->set.var = var;
    stmt->set.value = value;
}

/* Variables for the elements, which hold something from the beginning. */
static void make_vars(Elements *e, IrVar *array, IrRegion *out)
{
    const Type *type = array->type->array.element;
    IrVar **vars = arena_array(e->b->arena, IrVar *, array->shape[0] + 1);
    for (int64_t i = 0; i < array->shape[0]; i++) {
        const char *name = arena_printf(e->b->arena, "%s_%d", array->name, (int)i);
        vars[i] = ir_var_new(e->b->arena, e->b->fn, name, type, VAR_LOCAL, array->span);
        build_set(e->b, vars[i], ir_zero(e->b->arena, type, array->span), out);
    }
    e->vars[array->id] = vars;
}

void ir_elements(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    IrRegion body, begin = { NULL, NULL };
    Elements e = { .b = { { unit->arena, fn, fn->span } }, .count = fn->var_count };
    e.fine = ir_computed_arrays(unit);
    if (!e.fine || !keep_small(fn, e.fine, e.count))
        return;
    bool laid = ir_unroll_whole(unit, &fn->body, NODES_MOST, e.fine, &body) > 0;
    if (laid)
        ir_each_stmt(&body, check_stmt, &e);
    if (!laid || !keep_taken(unit, &e)) {
        fn->var_count = e.count;
        return;
    }
    e.vars = arena_array(unit->arena, IrVar **, e.count + 1);
    for (int i = 0; i < e.count; i++)
        if (e.fine[i])
            make_vars(&e, fn->vars[i], &begin);
    ir_each_stmt(&body, change_stmt, &e);
    ir_append_region(&begin, body);
    fn->body = begin;
    ir_forward(unit);
    ir_dce(unit);
}

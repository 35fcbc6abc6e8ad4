/* What an iteration reads that the one before has stored is carried to it in a register:
**
**     for k in 1 to n by 1                       if lt(1, n)
**         store a[i, k] = add(load(a, i, k),         a_last = load(a, i, 0)
**                             load(a, i, k - 1))     for k in 1 to n by 1
**                                            =>          a_last = add(load(a, i, k), a_last)
**                                                        store a[i, k] = a_last
**
** and what the iterations before that have stored, as table[i, l - 2] reads it beside
** table[i, l - 1], in registers that hand it on.
**
** Legal for a store that every iteration comes to, of a loop with a constant step, at an index
** that is the counter and a number, the others and the array staying the same; and for loads of the
** elements one, two, ... steps behind, all of them before the store: what they read is what the
** store of those iterations wrote, if nothing else in the loop writes what may be the array. What
** other threads write shows at barriers, fences and atomics alone, of which the loop has none. The
** first iteration's are loaded in front of the loop, which is right if that is sure to load them.
**
** Pays always: a load less in each iteration, and none that waits for the store before it. */
#include "ir/analysis/accesses.h"
#include "ir/analysis/affine.h"
#include "ir/analysis/flow/flow.h"
#include "ir/builder.h"
#include "ir/schedule/schedule.h"

enum { CARRY_MOST = 4 }; /* iterations before, and registers of what they have stored */

typedef struct Carry {
    IrBuilder b[1];
    IrUnit *unit;
    IrRegion *region; /* in which the loop stands */
    IrStmt *loop;
    Accesses accesses;
    bool entered;                /* a thread that gets to the loop makes an iteration */
    int store;                   /* which of these */
    int axis;                    /* whose index is the counter and a number */
    int reach;                   /* so many iterations before are read of, each for certain */
    IrVar *vars[CARRY_MOST + 1]; /* what they have stored, from the last on, at 1, 2, ... */
} Carry;

/* ---- which ----------------------------------------------------------------------------------- */

/* Whether a value is the loop's counter and `*number`. */
static bool is_counted(const Carry *c, const IrValue *value, int64_t *number)
{
    const IrValue *rest = affine_split(NULL, value, number);
    return rest && ir_is_var(rest, c->loop->for_.var);
}

static const Access *the_store(const Carry *c)
{
    return &c->accesses.list[c->store];
}

static bool is_in_body(const Carry *c, const IrStmt *wanted)
{
    for (const IrStmt *stmt = c->loop->for_.body.first; stmt; stmt = stmt->next)
        if (stmt == wanted)
            return true;
    return false;
}

/* Whether a store can be carried from, which sets c->axis. */
static bool is_candidate(Carry *c)
{
    const Access *store = the_store(c);
    int64_t number;
    c->axis = -1;
    if (store->kind != ACCESS_STORE || store->hinted || store->array->op != OP_var ||
        sets_any(&c->accesses.sets, store->array->var) ||
        !type_is_scalar(store->array->type->array.element) || !is_in_body(c, store->stmt))
        return false;
    for (int i = 0; i < store->count; i++) {
        if (sets_invariant(&c->accesses.sets, store->indices[i], NULL))
            continue;
        if (c->axis >= 0 || !is_counted(c, store->indices[i], &number))
            return false;
        c->axis = i;
    }
    return c->axis >= 0;
}

/* How many iterations before an access is a load of what that one stores; 0: it is none. */
static int behind(const Carry *c, const Access *load)
{
    const Access *store = the_store(c);
    int64_t at, before, step = c->loop->for_.step->constant.integer;
    if (load->kind != ACCESS_LOAD || load->count != store->count ||
        !ir_same_value(load->array, store->array))
        return 0;
    for (int i = 0; i < load->count; i++)
        if (i != c->axis && !ir_same_value(load->indices[i], store->indices[i]))
            return 0;
    if (!is_counted(c, store->indices[c->axis], &at) ||
        !is_counted(c, load->indices[c->axis], &before) ||
        load->indices[c->axis]->type != store->indices[c->axis]->type)
        return 0;
    for (int k = 1; k <= CARRY_MOST; k++)
        if (at - before == k * step)
            return k;
    return 0;
}

static bool is_carried(const Carry *c, const Access *load)
{
    int far = behind(c, load);
    return far > 0 && far <= c->reach;
}

/* Whether each iteration is sure to come to a load. */
static bool is_certain(const Carry *c, const Access *load)
{
    return is_in_body(c, load->stmt) && flow_evaluates(load->stmt, load->load);
}

/* Whether there are loads that can be left out. */
static bool can_carry(Carry *c)
{
    bool certain[CARRY_MOST + 1] = { false };
    c->reach = 0;
    if (!is_candidate(c))
        return false;
    for (int i = 0; i < c->accesses.count; i++) {
        const Access *load = &c->accesses.list[i];
        int far = behind(c, load);
        if (!far)
            continue;
        if (i > c->store || load->hinted)
            return false;
        certain[far] |= is_certain(c, load);
    }
    while (c->reach < CARRY_MOST && certain[c->reach + 1])
        c->reach++;
    return c->reach > 0 && !accesses_write(&c->accesses, the_store(c)->array, the_store(c));
}

static bool has_steps(const IrStmt *loop)
{
    const IrValue *step = loop->for_.step;
    return ir_is_constant(step) && step->constant.integer && loop->for_.body.first &&
           !flow_ways_out(&loop->for_.body);
}

/* ---- in its place ---------------------------------------------------------------------------- */

static IrValue *carried(void *context, IrValue *value)
{
    const Carry *c = context;
    for (int i = 0; i < c->store; i++)
        if (c->accesses.list[i].load == value && is_carried(c, &c->accesses.list[i]))
            return build_var(c->b, c->vars[behind(c, &c->accesses.list[i])]);
    return NULL;
}

/* An end of the loop, which is then asked for twice. */
static IrValue *held(const Carry *c, const char *name, IrValue **slot)
{
    if (!ir_is_constant(*slot)) {
        IrVar *var = build_temporary(c->b, name, (*slot)->type);
        ir_take_range(var, *slot);
        var->uniform = ir_uniform_value(*slot);
        ir_insert_before(c->region, c->loop, ir_set(c->b->arena, var, *slot, (*slot)->span));
        *slot = build_var(c->b, var);
    }
    return build_copy(c->b, *slot);
}

/* What the first iteration reads. */
static IrValue *first_of(const Carry *c, const Access *load, IrValue *start)
{
    IrValue **index = arena_array(c->b->arena, IrValue *, load->count);
    int64_t number;
    for (int i = 0; i < load->count; i++)
        index[i] = build_copy(c->b, load->indices[i]);
    is_counted(c, load->indices[c->axis], &number);
    index[c->axis] = build_op(c->b, OP_add, start, build_integer(c->b, start->type, number));
    return ir_load(c->b->arena, build_copy(c->b, load->array), index, load->count, c->b->span);
}

static const Access *some_load(const Carry *c, int far)
{
    int i = 0;
    while (behind(c, &c->accesses.list[i]) != far)
        i++;
    return &c->accesses.list[i];
}

/* Puts the loop under the condition that it makes an iteration; gives the region there. */
static IrRegion *enter(const Carry *c)
{
    IrStmt *loop = c->loop;
    IrOp goes_on = loop->for_.step->constant.integer > 0 ? OP_lt : OP_gt;
    IrValue *start = held(c, "_start", &loop->for_.start);
    IrValue *stop = held(c, "_stop", &loop->for_.stop);
    IrStmt *branch = ir_if(c->b->arena, build_op(c->b, goes_on, start, stop), loop->span);
    ir_insert_before(c->region, loop, branch);
    ir_remove(c->region, loop);
    ir_append(&branch->if_.then, loop);
    return &branch->if_.then;
}

static void set_before(const Carry *c, IrStmt *store, IrVar *var, IrValue *value)
{
    ir_insert_before(&c->loop->for_.body, store, ir_set(c->b->arena, var, value, store->span));
}

static void carry(Carry *c)
{
    IrStmt *store = the_store(c)->stmt, *loop = c->loop;
    const IrVar *array = the_store(c)->array->var;
    c->b->span = store->span;
    c->region = c->entered ? c->region : enter(c);
    for (int k = 1; k <= c->reach; k++) {
        const char *name = arena_printf(c->b->arena, "%s_last", array->name);
        if (k > 1)
            name = arena_printf(c->b->arena, "%s_%d", name, k);
        c->vars[k] = build_temporary(c->b, name, array->type->array.element);
        IrValue *first = first_of(c, some_load(c, k), build_copy(c->b, loop->for_.start));
        ir_insert_before(c->region, loop, ir_set(c->b->arena, c->vars[k], first, c->b->span));
    }
    ir_replace_in(&loop->for_.body, carried, c);
    IrVar *last = c->vars[1];
    if (c->reach > 1)
        last = build_temporary(c->b, arena_printf(c->b->arena, "%s_next", array->name), last->type);
    set_before(c, store, last, store->store.value);
    for (int k = c->reach; k > 1; k--)
        set_before(c, store, c->vars[k], build_var(c->b, c->vars[k - 1]));
    if (c->reach > 1)
        set_before(c, store, c->vars[1], build_var(c->b, last));
    store->store.value = build_var(c->b, last);
    ir_remark(c->unit, store->span, "what an iteration stores to '%s' is carried to the next",
              array->name);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static Directive directive_of(const Carry *c)
{
    const IrStmt *store = the_store(c)->stmt;
    return (Directive){ .primitive = DO_CARRY,
                        .array = the_store(c)->array->var->name,
                        .loop = schedule_loop(c->loop),
                        .site = store,
                        .span = store->span };
}

/* Carries what one store of the loop leaves; false if there is none. */
static bool carry_one(Carry *c)
{
    IrPointsTo points_to = ir_points_to(c->unit->arena, c->unit->kernel);
    c->accesses = accesses_of(c->unit, &points_to, c->loop);
    for (c->store = 0; c->store < c->accesses.count && !c->accesses.why; c->store++) {
        Directive *directive = can_carry(c) ? schedule_take(c->unit, directive_of(c), true) : NULL;
        if (!directive)
            continue;
        carry(c);
        schedule_done(directive);
        return true;
    }
    return false;
}

static void try_loop(void *context, IrRegion *region, IrStmt *loop)
{
    IrUnit *unit = context;
    Carry c = { .b = { { unit->arena, unit->kernel, loop->span } },
                .unit = unit,
                .region = region,
                .loop = loop };
    while (loop->kind == IR_FOR && has_steps(loop) && carry_one(&c))
        c.entered = true;
}

void ir_carry(IrUnit *unit)
{
    ir_change_stmts(&unit->kernel->body, try_loop, unit);
}

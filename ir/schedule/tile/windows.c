/* For the processor: loops over windows that are cut off at borders ask for these in each
** iteration instead:
**
**     for k in max(0, x - r) to min(n, x + r + 1) by 1    for off in 0 - r to r + 1 by 1
**         ... a[k] ...                          becomes       k = x + off
**                                                             if and_then(le(0, k), lt(k, n))
**                                                                 ... a[k] ...
**
** All threads have the same iterations then, which stand around the loops over them (plan.c), and
** where a thread is inside of the borders nothing is asked (borders.c).
**
** LEGAL where both ends are sums of one variable and what is the same for all threads, and far
** from where 64 bits end; iterations keep their order. Those in which no thread is inside of the
** borders are left out, as windows may reach far beyond: where the variable lies is to be known.
** PAYS if threads become loops. */
#include "ir/analysis/affine.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/schedule/tile/tiles.h"

typedef struct AskedWindows {
    IrUnit *unit;
    IrSets sets;
    IrDivergence divergence;
    IrMagnitude *magnitude;
    const bool *left;                   /* by IrVar.id: read behind the loop that sets it */
    IrStmt *loop;                       /* at hand */
    IrValue *low, *high, *least, *most; /* its ends, and where they are cut off; NULL: nowhere */
    IrVar *place;                       /* of which both are sums; NULL: none */
    IrValue *from, *to;                 /* without that */
} AskedWindows;

static bool is_alike(const AskedWindows *c, const IrValue *value)
{
    return !ir_divergence_of(&c->divergence, value) && ir_value_effects(value) == EFFECT_NONE;
}

/* An end without where it is cut off. */
static IrValue *own_end(const AskedWindows *c, const IrValue *end, IrIntrinsic by, IrValue **cut)
{
    end = sets_behind(&c->sets, end);
    *cut = NULL;
    for (int i = 0; i < 2 && end->op == OP_intrinsic && end->intrinsic == by; i++)
        if (is_alike(c, end->operands[i]) && !is_alike(c, end->operands[!i])) {
            *cut = end->operands[i];
            return end->operands[!i];
        }
    return (IrValue *)end;
}

static bool is_tame(const AskedWindows *c, const IrValue *value)
{
    return !value || (value->type == type_int64 && sets_stable(&c->sets, value) &&
                      magnitude_bits(c->magnitude, value) < FAR_BITS);
}

static void look_at_place(void *context, IrValue *value)
{
    AskedWindows *c = context;
    Arena *arena = c->unit->arena;
    IrVar *var = value->var;
    if (c->place || value->op != OP_var || var->type != type_int64 || is_alike(c, value))
        return;
    c->from = (IrValue *)affine_without(arena, c->low, var);
    c->to = c->from ? (IrValue *)affine_without(arena, c->high, var) : NULL;
    if (c->to && is_alike(c, c->from) && is_alike(c, c->to))
        c->place = var;
}

/* Whether so few iterations come of an end that all may be made, wherever the borders are. */
static bool is_near(const IrValue *end)
{
    enum { FEW = 4096 };
    return ir_is_constant(end) && end->constant.integer >= -FEW && end->constant.integer <= FEW;
}

/* More than the variable ever is, for any thread; NULL: that is not known. */
static IrValue *beyond_all(const AskedWindows *c, const IrBuilder *b, int axis)
{
    const IrStmt *loop = sets_loop(&c->sets, c->place);
    if (axis >= 0)
        return ir_axis(b->arena, INTR_gridsize, axis, b->span);
    bool counts = loop && loop->for_.var == c->place && ir_rises(loop) &&
                  is_alike(c, loop->for_.stop) && is_tame(c, loop->for_.stop);
    return counts ? build_copy(b, loop->for_.stop) : NULL;
}

/* Has no thread go on where all are beyond the borders, however far windows reach; false: where
** that is cannot be said. */
static bool stay_near(AskedWindows *c)
{
    const IrBuilder b[1] = { { c->unit->arena, c->unit->kernel, c->loop->span } };
    const IrValue *place = build_var(b, c->place);
    int axis = ir_thread_axis(&c->sets, place);
    IrValue *beyond = beyond_all(c, b, axis);
    bool low = c->least && !is_near(c->from), high = c->most && !is_near(c->to);
    if ((low && !beyond) || (high && axis < 0 && !ir_nonnegative(place)))
        return false;
    if (low)
        c->from = build_max(b, c->from, build_op(b, OP_sub, build_copy(b, c->least), beyond));
    if (high)
        c->to = build_min(b, c->to, build_copy(b, c->most));
    return true;
}

typedef struct Distance {
    const IrBuilder *b;
    const IrVar *at, *place, *off;
} Distance;

/* How far the counter is from the variable is what is counted now. */
static void put_distance(void *context, IrValue *value)
{
    const Distance *d = context;
    if (value->op == OP_sub && value->operands[0]->op == OP_var &&
        value->operands[1]->op == OP_var && value->operands[0]->var == d->at &&
        value->operands[1]->var == d->place)
        *value = *build_var(d->b, d->off);
}

static void ask(const AskedWindows *c)
{
    IrStmt *loop = c->loop;
    const IrBuilder b[1] = { { c->unit->arena, c->unit->kernel, loop->span } };
    IrVar *off = build_temporary(b, "off", type_int64), *at = loop->for_.var;
    IrValue *all = NULL;
    if (c->least)
        all = ir_both(b->arena, all, build_op(b, OP_le, build_copy(b, c->least), at));
    if (c->most)
        all = ir_both(b->arena, all, build_op(b, OP_lt, at, build_copy(b, c->most)));
    Distance distance = { b, at, c->place, off };
    IrStmt *branch = ir_if(b->arena, all, b->span);
    ir_each_node_in(&loop->for_.body, put_distance, &distance);
    branch->if_.then = loop->for_.body;
    loop->for_.body = (IrRegion){ NULL, NULL };
    build_set(b, at, build_op(b, OP_add, c->place, off), &loop->for_.body);
    ir_append(&loop->for_.body, branch);
    loop->for_.var = off;
    loop->for_.start = c->from;
    loop->for_.stop = c->to;
}

static void visit_stmt(void *context, IrStmt *loop)
{
    AskedWindows *c = context;
    if (loop->kind != IR_FOR || loop->for_.var->type != type_int64 ||
        !ir_is_integer(loop->for_.step, 1) || sets_loop(&c->sets, loop->for_.var) != loop ||
        c->left[loop->for_.var->id] || ir_region_effects(&loop->for_.body) & EFFECT_BLOCK_SYNC)
        return;
    c->loop = loop;
    c->place = NULL;
    c->low = own_end(c, loop->for_.start, INTR_max, &c->least);
    c->high = own_end(c, loop->for_.stop, INTR_min, &c->most);
    if ((!c->least && !c->most) || !is_tame(c, c->low) || !is_tame(c, c->high) ||
        !is_tame(c, c->least) || !is_tame(c, c->most))
        return;
    ir_each_node(c->low, look_at_place, c);
    if (c->place && stay_near(c))
        ask(c);
}

void tiles_ask_in_windows(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    AskedWindows c = { .unit = unit,
                       .sets = ir_sets(unit->arena, fn, &fn->body),
                       .divergence = ir_divergence(unit, NULL),
                       .magnitude = ir_magnitude(unit->arena, fn, unit->launch),
                       .left = ir_left_by_loops(unit->arena, fn, &fn->body) };
    ir_each_stmt(&fn->body, visit_stmt, &c);
}

/* Loops that count in a variable of their own become loops over a range:
**
**     i = grid(0)                           i = grid(0)
**     while lt(i, n)                        for i.2 in i to n by gridsize(0)
**         s = add(s, load(x, i))    =>          s = add(s, load(x, i.2))
**         i = add(i, gridsize(0))
**
** Legal if `i` is an int64 that the region around sets in front of the loop, the loop at its end
** alone, and nothing reads elsewhere; if n and the step are the same in every iteration, and the
** step is known to be positive; and if no iteration is cut short, which would not count. That the
** sum does not overflow is what is taken of all signed sums.
**
** Pays always: of such a loop it is known how far it goes, and which elements it comes to.
**
** Loops that count around a variable count what is added to it:
**
**     for y in sub(i, 3) to add(i, 4) by 1        for off in -3 to 4 by 1
**         s = add(s, load(x, y))             =>       y = add(i, off)
**                                                     s = add(s, load(x, y))
**
** Legal if both ends are signed sums that do not overflow, with an int64 variable in them that the
** loop does not set.
** It pays where that differs between threads, or where numbers alone are left: they all make the
** same iterations then, which other passes share out, stage and lay out. */
#include "ir/analysis/affine.h"
#include "ir/analysis/range/bounds.h"
#include "ir/analysis/flow/flow.h"
#include "ir/builder.h"
#include "ir/optimise.h"

typedef struct Counted {
    IrUnit *unit;
    int *reads; /* by IrVar.id: how often the kernel reads a variable */
    IrVar *counter;
    IrVar *own; /* stands for the counter in the loop; NULL: reads are but counted */
    int inside; /* reads of the counter in the loop */
} Counted;

static void count_inside(void *context, IrValue *value)
{
    Counted *c = context;
    if (value->op != OP_var || value->var != c->counter)
        return;
    c->inside++;
    if (c->own)
        value->var = c->own;
}

static bool is_counter(const Counted *c, const IrValue *value)
{
    return value->op == OP_var && value->var == c->counter;
}

/* What a loop goes on below, and `*counter`; NULL if it goes on by something else. */
static IrValue *end_of(const IrStmt *loop, IrVar **counter)
{
    const IrValue *condition = loop->while_.condition;
    if (condition->op != OP_lt && condition->op != OP_gt)
        return NULL;
    bool turned = condition->op == OP_gt;
    const IrValue *left = condition->operands[turned];
    *counter = left->op == OP_var && left->var->kind == VAR_LOCAL ? left->var : NULL;
    return *counter && left->type == type_int64 ? condition->operands[!turned] : NULL;
}

/* The last set of a variable in front of a loop, at its depth; NULL if there is none. */
static const IrStmt *set_before(const IrStmt *loop, const IrVar *var)
{
    const IrStmt *stmt = loop->prev;
    while (stmt && !(stmt->kind == IR_SET && stmt->set.var == var))
        stmt = stmt->prev;
    return stmt;
}

/* What a counter begins with: a number, if that is all that sets it in front. */
static IrValue *start_of(const Counted *c, const IrBuilder *b, const IrStmt *loop)
{
    const IrSets sets = ir_sets(b->arena, b->fn, &b->fn->body);
    const IrValue *value = set_before(loop, c->counter)->set.value;
    bool known = sets_value(&sets, c->counter) == value && ir_is_constant(value);
    return known ? build_copy(b, value) : build_var(b, c->counter);
}

/* The step of a loop to `end` that may be changed; NULL of others. */
static IrValue *step_of(Counted *c, const IrStmt *loop, const IrValue *end)
{
    const IrSets sets = ir_sets_of_loop(c->unit->arena, c->unit->kernel, loop);
    const IrStmt *last = loop->while_.body.last;
    if (!last || last->kind != IR_SET || sets_only(&sets, c->counter) != last ||
        flow_ways_out(&loop->while_.body) & OUT_ITERATION || !set_before(loop, c->counter))
        return NULL;
    const IrValue *step = flow_step(last);
    if (!step || !is_counter(c, last->set.value->operands[0]) || !ir_positive(step) ||
        !sets_invariant(&sets, step, NULL) || !sets_invariant(&sets, end, NULL))
        return NULL;
    c->inside = 0;
    ir_each_node_of(loop, count_inside, c);
    return c->inside == c->reads[c->counter->id] ? (IrValue *)step : NULL;
}

static void replace(Counted *c, IrRegion *region, IrStmt *loop, IrValue *end, IrValue *step)
{
    const IrBuilder b[1] = { { c->unit->arena, c->unit->kernel, loop->span } };
    ir_remove(&loop->while_.body, loop->while_.body.last);
    c->own = ir_temporary(b->arena, b->fn, c->counter->name, type_int64, loop->span);
    c->own->nonnegative = c->counter->nonnegative;
    IrStmt *made = ir_for(b->arena, c->own, start_of(c, b, loop), end, step, loop->span);
    made->for_.rises = true;
    ir_each_node_of(loop, count_inside, c);
    c->own = NULL;
    made->for_.body = loop->while_.body;
    ir_insert_before(region, loop, made);
    ir_remove(region, loop);
}

/* ---- loops around a variable ----------------------------------------------------------------- */

typedef struct Around {
    IrUnit *unit;
    IrDivergence divergence;
    IrMagnitude *magnitude;
    IrSets sets; /* of the loop at hand */
    const IrStmt *loop;
    IrVar *place; /* what its ends have in common; NULL: nothing, so far */
} Around;

static const IrValue *without(const Around *a, const IrValue *end, const IrVar *place)
{
    return affine_without(a->unit->arena, end, place);
}

static void look_at_place(void *context, IrValue *value)
{
    Around *a = context;
    IrVar *var = value->var;
    if (a->place || value->op != OP_var || var->type != type_int64 || sets_any(&a->sets, var))
        return;
    const IrValue *start = without(a, a->loop->for_.start, var);
    const IrValue *stop = start ? without(a, a->loop->for_.stop, var) : NULL;
    if (stop && ((ir_is_constant(start) && ir_is_constant(stop)) || a->divergence.vars[var->id]))
        a->place = var;
}

static void count_around(void *context, IrStmt *loop)
{
    Around *a = context;
    if (loop->kind != IR_FOR || loop->for_.var->type != type_int64)
        return;
    a->loop = loop;
    a->place = NULL;
    a->sets = ir_sets_of_loop(a->unit->arena, a->unit->kernel, loop);
    if (magnitude_open_bits(a->magnitude, loop->for_.start) <= FAR_BITS &&
        magnitude_open_bits(a->magnitude, loop->for_.stop) <= FAR_BITS)
        ir_each_node(loop->for_.start, look_at_place, a);
    if (!a->place)
        return;
    const IrBuilder b[1] = { { a->unit->arena, a->unit->kernel, loop->span } };
    IrVar *off = build_temporary(b, "off", type_int64);
    loop->for_.start = (IrValue *)without(a, loop->for_.start, a->place);
    loop->for_.stop = (IrValue *)without(a, loop->for_.stop, a->place);
    IrValue *index = build_op(b, OP_add, build_var(b, a->place), build_var(b, off));
    ir_insert_before(&loop->for_.body, loop->for_.body.first,
                     ir_set(b->arena, loop->for_.var, index, loop->span));
    loop->for_.var = off;
}

/* ---- all loops ------------------------------------------------------------------------------- */

static void visit_region(Counted *c, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        IrRegion *regions[2];
        next = stmt->next;
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            visit_region(c, regions[i]);
        IrValue *end = stmt->kind == IR_WHILE ? end_of(stmt, &c->counter) : NULL;
        IrValue *step = end ? step_of(c, stmt, end) : NULL;
        if (step)
            replace(c, region, stmt, end, step);
    }
}

void ir_counted(IrUnit *unit)
{
    Counted c = { .unit = unit, .reads = ir_reads(unit->arena, unit->kernel, &unit->kernel->body) };
    ir_range(unit); /* which steps are positive */
    visit_region(&c, &unit->kernel->body);
    Around around = { .unit = unit,
                      .divergence = ir_divergence(unit, NULL),
                      .magnitude = ir_magnitude(unit->arena, unit->kernel, unit->launch) };
    ir_each_stmt(&unit->kernel->body, count_around, &around);
}

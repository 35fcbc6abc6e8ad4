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
** and so do those that begin where a thread's part does,
**
**     for k in mul(i, m) to min(mul(add(i, 1), m), n) by 1
**         s = add(s, load(x, k))
** becomes
**     for off in 0 to min(m, sub(n, mul(i, m))) by 1
**         k = add(mul(i, m), off)
**         s = add(s, load(x, k))
**
** Legal if both ends are signed sums that do not overflow, of int64, without effects, and where
** they begin, or the variable in both, is nothing that the loop sets.
** It pays where that differs between threads and the number of iterations, or the most there are,
** does not, or where numbers alone are left: they all make the same iterations then, which other
** passes share out, stage and lay out.
**
** An end that is cut off where something else ends is the lesser of both, for all this:
**
**     end = add(start, m)
**     if gt(end, n)                 =>     end = min(add(start, m), n)
**         end = n
**
** Legal for int64 if n has no effect and is not made of `end`.
** Pays always: a variable that one statement sets stands for what that sets it to. */
#include "ir/analysis/affine.h"
#include "ir/analysis/polynomial.h"
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
    if (!ir_is_var(value, c->counter))
        return;
    c->inside++;
    if (c->own)
        value->var = c->own;
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

/* Whether a step is known to be positive; for the processor one that has a name, too, and a product
** of sizes. */
static bool is_positive(const Counted *c, const IrValue *step)
{
    Arena *arena = c->unit->arena;
    const IrFunc *fn = c->unit->kernel;
    if (ir_positive(step) || !c->unit->processor)
        return ir_positive(step);
    const IrSets sets = ir_sets(arena, fn, &fn->body);
    step = sets_behind_casts(&sets, step);
    if (step->op != OP_mul || step->type != type_int64)
        return ir_positive(step);
    IrMagnitude *magnitude = ir_magnitude(arena, fn, c->unit->launch);
    return magnitude_open_bits(magnitude, step) <= FAR_BITS && is_positive(c, step->operands[0]) &&
           is_positive(c, step->operands[1]);
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
    if (!step || !ir_is_var(last->set.value->operands[0], c->counter) || !is_positive(c, step) ||
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
    c->own = build_own(b, c->counter);
    IrStmt *made = ir_for(b->arena, c->own, start_of(c, b, loop), end, step, loop->span);
    made->for_.rises = true;
    ir_each_node_of(loop, count_inside, c);
    c->own = NULL;
    made->for_.body = loop->while_.body;
    ir_insert_before(region, loop, made);
    ir_remove(region, loop);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The lesser or greater of two that a branch behind a set chooses; NULL of other branches. */
static IrValue *choice_of(Arena *arena, const IrStmt *set, const IrStmt *branch)
{
    const IrStmt *cut = branch->if_.then.first;
    const IrValue *condition = branch->if_.condition;
    if (set->set.var->type != type_int64 || branch->if_.otherwise.first || !cut || cut->next ||
        cut->kind != IR_SET || cut->set.var != set->set.var || !ir_is_comparison(condition->op) ||
        condition->op == OP_eq || condition->op == OP_ne)
        return NULL;
    bool turned = ir_same_value(condition->operands[0], cut->set.value);
    const IrValue *own = condition->operands[turned], *other = condition->operands[!turned];
    if (!ir_is_var(own, set->set.var) || !ir_same_value(other, cut->set.value) ||
        ir_value_effects(other) != EFFECT_NONE || ir_mentions(other, set->set.var))
        return NULL;
    bool less = (condition->op == OP_gt || condition->op == OP_ge) != turned;
    return ir_intrinsic(arena, less ? INTR_min : INTR_max, type_int64, branch->span, set->set.value,
                        cut->set.value, NULL);
}

/* ---- loops around a variable ----------------------------------------------------------------- */

typedef struct CountedPass {
    IrUnit *unit;
    IrDivergence divergence;
    IrMagnitude *magnitude;
    IrPolynomials sums;
    IrSets sets; /* of the loop at hand */
    const IrStmt *loop;
    IrVar *place; /* what its ends have in common; NULL: nothing, so far */
} CountedPass;

static const IrValue *without(const CountedPass *a, const IrValue *end, const IrVar *place)
{
    return affine_without(a->unit->arena, end, place);
}

static void look_at_place(void *context, IrValue *value)
{
    CountedPass *a = context;
    IrVar *var = value->var;
    if (a->place || value->op != OP_var || var->type != type_int64 || sets_any(&a->sets, var))
        return;
    const IrValue *start = without(a, a->loop->for_.start, var);
    const IrValue *stop = start ? without(a, a->loop->for_.stop, var) : NULL;
    if (stop && ((ir_is_constant(start) && ir_is_constant(stop)) || a->divergence.vars[var->id]))
        a->place = var;
}

static bool has_alike(const CountedPass *a, const IrPolynomial *sum)
{
    for (int i = 0; i < sum->count; i++)
        for (int k = 0; k < sum->terms[i].count; k++)
            if (ir_divergence_of(&a->divergence, sum->terms[i].atoms[k]))
                return false;
    return sum->count >= 0;
}

static bool is_least(const IrValue *value)
{
    return ir_is_intrinsic(value, INTR_min);
}

static bool is_far(const CountedPass *a, const IrValue *value)
{
    return magnitude_open_bits(a->magnitude, value) <= FAR_BITS;
}

/* How far a loop goes; `*alike`: that, or one of what it is the least of, is the same for all
** threads. NULL: a difference may overflow. */
static IrValue *length_of(const CountedPass *a, IrValue *stop, bool *alike)
{
    IrValue *start = a->loop->for_.start;
    IrValue *named = stop->op == OP_var ? a->sums.named[stop->var->id] : NULL;
    const IrBuilder b[1] = { { a->unit->arena, a->unit->kernel, a->loop->span } };
    if (named && is_least(named))
        stop = named;
    if (is_least(stop)) {
        IrValue *left = length_of(a, stop->operands[0], alike);
        IrValue *right = length_of(a, stop->operands[1], alike);
        return left && right ? ir_min(b->arena, left, right, b->span) : NULL;
    }
    IrPolynomial end = polynomial_of(&a->sums, stop), begin = polynomial_of(&a->sums, start),
                 length = polynomial_plus(&end, &begin, -1);
    bool same = has_alike(a, &length);
    IrValue *value = same ? polynomial_value(&a->sums, &length, b->span)
                          : build_op(b, OP_sub, build_copy(b, stop), build_copy(b, start));
    *alike |= same;
    return is_far(a, same ? value : stop) ? value : NULL;
}

/* The loop counts from 0 on, and what it counted in is that and `from`. */
static void count_from(const CountedPass *a, IrStmt *loop, IrValue *start, IrValue *stop,
                       IrValue *from)
{
    const IrBuilder b[1] = { { a->unit->arena, a->unit->kernel, loop->span } };
    IrVar *off = build_temporary(b, "off", type_int64);
    loop->for_.start = start;
    loop->for_.stop = stop;
    IrValue *index = build_op(b, OP_add, from, off);
    ir_insert_before(&loop->for_.body, loop->for_.body.first,
                     ir_set(b->arena, loop->for_.var, index, loop->span));
    loop->for_.var = off;
}

/* Where each thread begins elsewhere. */
static void count_apart(const CountedPass *a, IrStmt *loop)
{
    IrValue *start = loop->for_.start, *stop = loop->for_.stop;
    bool alike = false;
    if (!ir_divergence_of(&a->divergence, start) || ir_value_effects(start) != EFFECT_NONE ||
        ir_value_effects(stop) != EFFECT_NONE || !sets_invariant(&a->sets, start, NULL))
        return;
    IrValue *length = length_of(a, stop, &alike);
    if (length && alike)
        count_from(a, loop, ir_integer(a->unit->arena, type_int64, 0, loop->span), length, start);
}

static void count_around(void *context, IrStmt *loop)
{
    CountedPass *a = context;
    if (loop->kind != IR_FOR || loop->for_.var->type != type_int64)
        return;
    a->loop = loop;
    a->place = NULL;
    a->sets = ir_sets_of_loop(a->unit->arena, a->unit->kernel, loop);
    if (!is_far(a, loop->for_.start) ||
        magnitude_open_bits(a->magnitude, loop->for_.stop) > magnitude_type_bits(type_int64))
        return;
    if (is_far(a, loop->for_.stop))
        ir_each_node(loop->for_.start, look_at_place, a);
    if (a->place)
        count_from(a, loop, (IrValue *)without(a, loop->for_.start, a->place),
                   (IrValue *)without(a, loop->for_.stop, a->place),
                   ir_var(a->unit->arena, a->place, loop->span));
    else
        count_apart(a, loop);
}

/* ---- all loops ------------------------------------------------------------------------------- */

static void visit_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    Counted *c = context;
    bool behind = stmt->kind == IR_IF && stmt->prev && stmt->prev->kind == IR_SET;
    IrValue *choice = behind ? choice_of(c->unit->arena, stmt->prev, stmt) : NULL;
    if (choice) {
        stmt->prev->set.value = choice;
        ir_remove(region, stmt);
        return;
    }
    IrValue *end = stmt->kind == IR_WHILE ? end_of(stmt, &c->counter) : NULL;
    IrValue *step = end ? step_of(c, stmt, end) : NULL;
    if (step)
        replace(c, region, stmt, end, step);
}

void ir_counted(IrUnit *unit)
{
    Counted c = { .unit = unit, .reads = ir_reads(unit->arena, unit->kernel, &unit->kernel->body) };
    ir_range(unit); /* which steps are positive */
    ir_change_stmts(&unit->kernel->body, visit_stmt, &c);
    CountedPass around = { .unit = unit,
                           .sums = ir_polynomials(unit->arena, unit->kernel),
                           .divergence = ir_divergence(unit, NULL),
                           .magnitude = ir_magnitude(unit->arena, unit->kernel, unit->launch) };
    around.sums.whole = true;
    ir_each_stmt(&unit->kernel->body, count_around, &around);
    ir_change_stmts(&unit->kernel->body, ir_counted_congruent, unit);
}

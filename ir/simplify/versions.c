/* An integer that is set again and again, one after the other, is another variable each time:
**
**     i = grid(0)                              i.2 = grid(0)
**     i = add(i, offset)                =>     i = add(i.2, offset)
**     if lt(i, n)                              if lt(i, n)
**         store x[i] = 0.0                         store x[i] = 0.0
**
** LEGAL where the second set stands in the same region as the first, and nothing between them sets
** the variable: all that reads it there, and in the second set, has what the first gave. Within a
** loop nothing between may leave the iteration: behind the loop the variable would hold it.
**
** What a branch sets such an integer to is a choice, and one more version:
**
**     y = sub(i, 2)                            y.2 = sub(i, 2)
**     if lt(y, 0)                       =>     y = select(lt(y.2, 0), neg(y.2), y.2)
**         y = neg(y)
**
** LEGAL where the branch does nothing else, and neither its condition nor what it sets reads memory
** or has an effect. It is for what has been set in the same region before, or is set either way, as
** indices are at borders: so what a loop adds up stays as it is.
**
** Where all that reads such an integer stands behind a set in its own region, or in one around it,
** and within loops no iteration sees what another set, the sets have nothing to do with each other:
** each is a variable of its own, as the index is that two loops compute anew in each iteration.
**
** A loop whose counter is only taken away from something counts in the index that this gives:
**
**     for j in 0 to sub(n, 1) by 1             for i in sub(n, 2) to -1 by -1
**         i = sub(sub(n, 2), j)         =>         store x[s, i] = load(x, s, add(i, 1))
**         store x[s, i] = load(x, s, add(i, 1))
**
** and one whose index is but another name for its counter, as of indices that the text reads behind
** their loop, counts in that.
**
** LEGAL where one statement sets the index, nothing reads it or the counter elsewhere, and the ends
** are far from where int64 overflows.
**
** PAYS always: a variable that one statement sets stands for what that sets it to (flow/sets.h), so
** that passes see through `i += offset` as they do through another name. Sums of floats keep their
** one name. */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/polynomial.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/optimise.h"

typedef struct Versions {
    IrUnit *unit;
    IrSets sets;
    const IrVar *from; /* what is being replaced, and by what */
    IrVar *to;
    bool found;
} Versions;

static void note_set(void *context, IrStmt *stmt)
{
    Versions *v = context;
    v->found |= ir_set_var(stmt) == v->from;
}

/* Whether a statement, or one in it, sets the variable. */
static bool sets(Versions *v, IrStmt *stmt)
{
    v->found = false;
    ir_each_stmt_of(stmt, note_set, v);
    return v->found;
}

static bool may_leave(IrStmt *stmt)
{
    return stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE ||
           (stmt->kind == IR_IF &&
            (flow_jumps(&stmt->if_.then) || flow_jumps(&stmt->if_.otherwise)));
}

/* The statement behind `first` that sets its variable anew; NULL: there is none, or in between it
** may be set, too. */
static IrStmt *set_again(Versions *v, IrStmt *first, bool loop)
{
    v->from = first->set.var;
    for (IrStmt *stmt = first->next; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_SET && stmt->set.var == v->from)
            return stmt;
        if (sets(v, stmt) || (loop && may_leave(stmt)))
            return NULL;
    }
    return NULL;
}

static void rename_node(void *context, IrValue *value)
{
    const Versions *v = context;
    if (ir_is_var(value, v->from))
        value->var = v->to;
}

static void rename_between(Versions *v, IrStmt *first, IrStmt *last)
{
    const IrVar *from = v->from;
    v->to =
        ir_var_new(v->unit->arena, v->unit->kernel, from->name, from->type, VAR_LOCAL, from->span);
    v->to->temporary = from->temporary;
    first->set.var = v->to;
    for (IrStmt *stmt = first->next; stmt != last; stmt = stmt->next)
        ir_each_node_of(stmt, rename_node, v);
    ir_each_node(last->set.value, rename_node, v);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void note_heavy(void *context, IrValue *value)
{
    bool *heavy = context;
    *heavy |= value->op == OP_load || value->op == OP_call || value->op == OP_floordiv ||
              value->op == OP_mod || ir_value_effects(value) != EFFECT_NONE;
}

static bool is_light(IrValue *value)
{
    bool heavy = false;
    ir_each_node(value, note_heavy, &heavy);
    return !heavy;
}

/* The set of an int64 that an arm of a branch is, or NULL. */
static const IrStmt *only_set(const IrRegion *arm)
{
    const IrStmt *stmt = arm->first;
    return stmt && !stmt->next && stmt->kind == IR_SET && stmt->set.var->type == type_int64 &&
                   is_light(stmt->set.value)
               ? stmt
               : NULL;
}

static bool is_set_before(const IrStmt *stmt, const IrVar *var)
{
    for (const IrStmt *before = stmt->prev; before; before = before->prev)
        if (before->kind == IR_SET && before->set.var == var)
            return true;
    return false;
}

static void choose(void *context, IrRegion *region, IrStmt *stmt)
{
    IrUnit *unit = context;
    const IrStmt *then = stmt->kind == IR_IF ? only_set(&stmt->if_.then) : NULL;
    if (!then || !is_light(stmt->if_.condition))
        return;
    IrVar *var = then->set.var;
    IrValue *other = ir_var(unit->arena, var, stmt->span);
    if (stmt->if_.otherwise.first) {
        const IrStmt *otherwise = only_set(&stmt->if_.otherwise);
        if (!otherwise || otherwise->set.var != var)
            return;
        other = otherwise->set.value;
    } else if (!is_set_before(stmt, var)) {
        return;
    }
    IrValue *value =
        ir_select(unit->arena, stmt->if_.condition, then->set.value, other, stmt->span);
    ir_insert_before(region, stmt, ir_set(unit->arena, var, value, stmt->span));
    ir_remove(region, stmt);
}

/* ---- sets that have nothing to do with each other -------------------------------------------- */

static void note_read(void *context, IrValue *value)
{
    Versions *v = context;
    v->found |= ir_is_var(value, v->from);
}

static bool reads(Versions *v, IrStmt *stmt)
{
    v->found = false;
    ir_each_own_node(stmt, note_read, v);
    return v->found;
}

/* Whether every read of v->from in a region has what one certain set gave: the last in front of it,
** which stands in this region or, if `known`, around it. With `rename`, the variables are made. */
static bool is_parted(Versions *v, const IrRegion *region, bool known, bool rename)
{
    IrVar *outer = v->to;
    bool fine = true;
    for (IrStmt *stmt = region->first; stmt && fine; stmt = stmt->next) {
        bool anew = stmt->kind == IR_SET && stmt->set.var == v->from,
             inside = !anew && sets(v, stmt);
        bool loop = ir_is_loop(stmt), before = known && !(loop && inside);
        IrRegion *regions[2];
        fine = (stmt->kind != IR_FOR || stmt->for_.var != v->from) && (before || !reads(v, stmt));
        if (rename && v->to)
            ir_each_own_node(stmt, rename_node, v);
        for (int i = ir_regions(stmt, regions); i-- > 0 && fine;)
            fine = is_parted(v, regions[i], before, rename);
        known = anew || (known && !inside);
        if (anew && rename)
            stmt->set.var = v->to =
                ir_var_like(v->unit->arena, v->unit->kernel, v->from, v->from->name);
    }
    v->to = outer;
    return fine;
}

/* Of a variable that several statements set. */
static void part(Versions *v, IrVar *var)
{
    const IrRegion *body = &v->unit->kernel->body;
    v->from = var;
    v->to = NULL;
    if (is_parted(v, body, false, false))
        is_parted(v, body, false, true);
}

/* ---- loops that count down ------------------------------------------------------------------- */

typedef struct Downward {
    IrUnit *unit;
    IrSets sets;
    int *reads; /* by IrVar.id, in the kernel */
    IrPolynomials sums;
    IrMagnitude *magnitude;
} Downward;

/* What the counter is taken away from to give an index of the body; NULL if it gives none. */
static IrValue *minuend_of(const Downward *d, const IrStmt *loop, const IrStmt *index)
{
    if (index->kind != IR_SET || index->set.var->type != type_int64 ||
        sets_only(&d->sets, index->set.var) != index ||
        !ir_mentions(index->set.value, loop->for_.var))
        return NULL;
    const IrSets inside = ir_sets_of_loop(d->unit->arena, d->unit->kernel, loop);
    IrPolynomial sum = polynomial_of(&d->sums, index->set.value), rest = { 0 };
    for (int i = 0; i < sum.count; i++)
        if (sum.terms[i].factor != -1 || sum.terms[i].count != 1 ||
            !ir_is_var(sum.terms[i].atoms[0], loop->for_.var))
            rest.terms[rest.count++] = sum.terms[i];
    IrValue *value = polynomial_value(&d->sums, &rest, index->span);
    return rest.count + 1 == sum.count && sets_invariant(&inside, value, NULL) ? value : NULL;
}

/* An end of a loop, taken away from a sum; NULL if it may overflow. */
static IrValue *end_from(const Downward *d, IrValue *minuend, IrValue *end)
{
    IrPolynomial sum = polynomial_of(&d->sums, minuend), less = polynomial_of(&d->sums, end);
    sum = polynomial_plus(&sum, &less, -1);
    IrValue *value = sum.count >= 0 ? polynomial_value(&d->sums, &sum, end->span) : NULL;
    return value && magnitude_open_bits(d->magnitude, value) <= FAR_BITS ? value : NULL;
}

/* Whether a loop's counter serves for nothing but an index, and that for nothing outside. */
static bool is_for(const Downward *d, const IrStmt *loop, const IrVar *index)
{
    const int *inside = ir_reads(d->unit->arena, d->unit->kernel, &loop->for_.body);
    return sets_loop(&d->sets, loop->for_.var) == loop && d->reads[loop->for_.var->id] == 1 &&
           inside[index->id] == d->reads[index->id];
}

static void count_in(IrStmt *loop, IrStmt *index)
{
    loop->for_.var = index->set.var;
    ir_remove(&loop->for_.body, index);
}

/* A loop whose index is a name for the counter counts in that. */
static void count_by_name(const Downward *d, IrStmt *loop)
{
    IrStmt *index = loop->for_.body.first;
    if (index && index->kind == IR_SET && ir_is_var(index->set.value, loop->for_.var) &&
        index->set.var->type == loop->for_.var->type &&
        sets_only(&d->sets, index->set.var) == index && is_for(d, loop, index->set.var))
        count_in(loop, index);
}

static void count_down(void *context, IrStmt *loop)
{
    Downward *d = context;
    if (loop->kind != IR_FOR || loop->for_.unroll || loop->for_.sum_count)
        return;
    count_by_name(d, loop);
    if (loop->for_.var->type != type_int64 || !ir_is_integer(loop->for_.step, 1) ||
        ir_value_effects(loop->for_.start) != EFFECT_NONE ||
        ir_value_effects(loop->for_.stop) != EFFECT_NONE)
        return;
    IrStmt *index = loop->for_.body.first;
    IrValue *minuend = NULL;
    while (index && !(minuend = minuend_of(d, loop, index)))
        index = index->next;
    IrValue *start = index ? end_from(d, minuend, loop->for_.start) : NULL;
    IrValue *stop = index ? end_from(d, minuend, loop->for_.stop) : NULL;
    if (!start || !stop || !is_for(d, loop, index->set.var))
        return;
    loop->for_.start = start;
    loop->for_.stop = stop;
    loop->for_.step = ir_integer(d->unit->arena, type_int64, -1, loop->span);
    loop->for_.rises = false;
    count_in(loop, index);
}

static void count_all_down(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Downward d = { .unit = unit,
                   .sets = ir_sets(unit->arena, fn, &fn->body),
                   .reads = ir_reads(unit->arena, fn, &fn->body),
                   .sums = ir_polynomials(unit->arena, fn),
                   .magnitude = ir_magnitude(unit->arena, fn, unit->launch) };
    ir_each_stmt(&fn->body, count_down, &d);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void visit_region(Versions *v, IrRegion *region, bool loop)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool again = ir_is_loop(stmt);
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            visit_region(v, regions[i], loop || again);
        if (stmt->kind != IR_SET || sets_only(&v->sets, stmt->set.var) ||
            !type_is_integer(stmt->set.var->type))
            continue;
        IrStmt *last = set_again(v, stmt, loop);
        if (last)
            rename_between(v, stmt, last);
    }
}

void ir_versions(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    ir_change_stmts(&fn->body, choose, unit);
    Versions v = { .unit = unit, .sets = ir_sets(unit->arena, fn, &fn->body) };
    visit_region(&v, &fn->body, false);
    v.sets = ir_sets(unit->arena, fn, &fn->body);
    for (int i = 0, count = fn->var_count; i < count; i++)
        if (v.sets.count[i] > 1 && fn->vars[i]->kind == VAR_LOCAL &&
            type_is_integer(fn->vars[i]->type))
            part(&v, fn->vars[i]);
    count_all_down(unit);
}

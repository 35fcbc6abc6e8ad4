/* The walk over a kernel, and the rounds of it until what variables are ever set to is known. */
#include "ir/analysis/range/bounds_state.h"
#include "ir/analysis/flow/flow.h"

/* ---- loops ----------------------------------------------------------------------------------- */

static void enter_loop(IrBounds *b, IrWide trips)
{
    array_push(b->arena, b->trips, b->loop_count, b->loop_capacity) = trips;
}

/* At most, of a `for` that counts through `count`. */
static IrWide trips_of(Interval count, Interval step)
{
    IrWide by = step.low > 0 ? step.low : step.high < 0 ? -step.high : 0;
    if (interval_empty(count))
        return 0;
    return by ? (count.high - count.low) / by + 1 : TRIPS_MANY;
}

static const SetsInside *next_nest(IrBounds *b)
{
    return &b->nests[b->nest++];
}

/* Where iterations of a loop meet. */
static void set_all(IrBounds *b, const SetsInside *nest)
{
    for (int i = 0; i < nest->count; i++)
        bounds_set_guess(b, b->fn->vars[nest->vars[i]]);
}

/* ---- branches -------------------------------------------------------------------------------- */

static bool walk_region(IrBounds *b, const IrRegion *region);

static BoundedValue *save(const IrBounds *b, const SetsInside *nest)
{
    BoundedValue *saved = arena_array(b->arena, BoundedValue, nest->count + 1);
    for (int i = 0; i < nest->count; i++)
        saved[i] = b->vars[nest->vars[i]].now;
    return saved;
}

static void restore(IrBounds *b, const SetsInside *nest, const BoundedValue *saved)
{
    for (int i = 0; i < nest->count; i++)
        b->vars[nest->vars[i]].now = saved[i];
    b->sets++;
}

static int *save_versions(const IrBounds *b, const SetsInside *nest)
{
    int *saved = arena_array(b->arena, int, nest->count + 1);
    for (int i = 0; i < nest->count; i++)
        saved[i] = b->vars[nest->vars[i]].version;
    return saved;
}

static void restore_versions(IrBounds *b, const SetsInside *nest, const int *saved)
{
    for (int i = 0; i < nest->count; i++)
        b->vars[nest->vars[i]].version = saved[i];
    b->sets++;
}

/* As save(), with all that is known of each put in its range. */
static BoundedValue *save_ranges(IrBounds *b, const SetsInside *nest)
{
    BoundedValue *saved = save(b, nest);
    for (int i = 0; i < nest->count; i++)
        if (saved[i].form.count >= 0)
            saved[i].range = interval_meet(saved[i].range, linear_range(b, &saved[i].form));
    return saved;
}

static bool same_form(const Linear *x, const Linear *y)
{
    return x->count == 1 && y->count == 1 && linear_atom(x) >= 0 &&
           linear_atom(x) == linear_atom(y);
}

/* The earlier of two guesses that values are; 0: neither is one. */
static int guess_in(const IrBounds *b, const Linear *x, const Linear *y)
{
    int one = linear_atom(x), other = linear_atom(y);
    one = one < 0 ? 0 : b->atoms[one].guess;
    other = other < 0 ? 0 : b->atoms[other].guess;
    return !one || (other && other < one) ? other : one;
}

static void join(IrBounds *b, const SetsInside *nest, const BoundedValue *x, const BoundedValue *y)
{
    for (int i = 0; i < nest->count; i++) {
        const IrVar *var = b->fn->vars[nest->vars[i]];
        Interval range = interval_join(x[i].range, y[i].range);
        if (same_form(&x[i].form, &y[i].form)) {
            b->vars[var->id].now.range = range;
            continue;
        }
        int guess = guess_in(b, &x[i].form, &y[i].form);
        bounds_set_unknown(b, var, range);
        if (guess)
            b->atoms[linear_atom(&b->vars[var->id].now.form)].guess = guess;
    }
    b->sets++;
}

/* Walks one branch; what it assumed holds on if the walk goes on behind it alone. */
static bool walk_branch(IrBounds *b, const IrStmt *stmt, const IrValue *condition, bool holds)
{
    bounds_assume(b, condition, holds);
    return walk_region(b, holds ? &stmt->if_.then : &stmt->if_.otherwise);
}

/* Assumes a condition of what it read: variables, and versions of arrays, as they were before a
** branch that may have set them. Leaves the variables at that. */
static void assume_of(IrBounds *b, const SetsInside *nest, const IrValue *condition,
                      const BoundedValue *before, const int *versions)
{
    int *since = save_versions(b, nest);
    restore(b, nest, before);
    restore_versions(b, nest, versions);
    bounds_assume(b, condition, true);
    restore_versions(b, nest, since);
}

/* Whether nothing comes after it. */
static bool walk_if(IrBounds *b, const IrStmt *stmt, const IrValue *condition)
{
    const SetsInside *nest = next_nest(b);
    BoundedValue *before = save(b, nest);
    int *versions = save_versions(b, nest), mark = bounds_mark(b);
    bool ended = walk_branch(b, stmt, condition, true);
    BoundedValue *then = save_ranges(b, nest);

    bounds_forget(b, mark);
    restore(b, nest, before);
    if (walk_branch(b, stmt, condition, false)) {
        bounds_forget(b, mark);
        assume_of(b, nest, condition, before, versions);
        restore(b, nest, then);
        return ended;
    }
    if (ended)
        return false;
    BoundedValue *otherwise = save_ranges(b, nest);
    bounds_forget(b, mark);
    join(b, nest, then, otherwise);
    return false;
}

static void visit(IrBounds *b, IrStmt *stmt)
{
    if (b->visit)
        b->visit(b->context, b, stmt);
}

static void walk_while(IrBounds *b, IrStmt *stmt)
{
    const IrValue *condition = stmt->while_.condition;
    const SetsInside *nest = next_nest(b);
    int mark = bounds_mark(b);

    set_all(b, nest);
    bounds_assume_accesses(b, stmt);
    visit(b, stmt);
    bounds_assume(b, condition, true);
    enter_loop(b, TRIPS_MANY);
    walk_region(b, &stmt->while_.body);
    b->loop_count--;
    bounds_forget(b, mark);
    set_all(b, nest);
    if (!(flow_ways_out(&stmt->while_.body) & OUT_LOOP))
        bounds_assume(b, condition, false);
}

/* What a counter is in the body. */
static Interval count_range(const BoundedValue *start, const BoundedValue *stop,
                            const BoundedValue *step)
{
    Interval last = interval_add(stop->range, interval_from(-1, -1));
    Interval first = interval_add(stop->range, interval_from(1, 1));
    Interval up = last, down = start->range;
    up.low = start->range.low;
    down.low = first.low;
    if (interval_empty(start->range) || interval_empty(stop->range) || interval_empty(step->range))
        return interval_none();
    if (step->range.low >= 0)
        return up;
    return step->range.high <= 0 ? down : interval_join(up, down);
}

/* Whether the counter fits int32 on every way, a step beyond its last iteration too. */
static bool count_fits(const BoundedValue *start, const BoundedValue *stop,
                       const BoundedValue *step, Interval count)
{
    bool all = interval_fits(start->range, type_int32) && interval_fits(stop->range, type_int32) &&
               interval_fits(step->range, type_int32);
    return all && interval_fits(interval_add(count, step->range), type_int32);
}

/* What is known of `end`, a sum of one atom, holds for the counter as well, which is at least as
** much (factor 1), or at most (factor -1): `beyond` is how far they are apart. */
static void add_facts_of_end(IrBounds *b, const Linear *end, const Linear *beyond, int factor)
{
    int atom = linear_atom(end), count = b->fact_count;
    for (int i = count > FACTS_SEEN ? count - FACTS_SEEN : 0; i < count && atom >= 0; i++)
        for (int k = 0; k < b->facts[i].form.count; k++) {
            const Linear *fact = &b->facts[i].form;
            if (fact->term[k].atom != atom || fact->term[k].factor != factor)
                continue;
            Linear sum = linear_add(b, fact, beyond, 1);
            if (sum.count >= 0)
                bounds_add_fact(b, &sum);
            break;
        }
}

/* What the end of a loop is the least of. */
typedef struct Least {
    int count;
    BoundedValue parts[LEAST_MOST];
} Least;

static void find_least(IrBounds *b, const IrValue *stop, Least *least)
{
    if (ir_is_intrinsic(stop, INTR_min)) {
        find_least(b, stop->operands[0], least);
        find_least(b, stop->operands[1], least);
    } else if (least->count < LEAST_MOST) {
        least->parts[least->count++] = bounds_known(b, stop);
    }
}

/* How a counter lies between the ends of its loop. */
static void add_count_facts(IrBounds *b, const IrVar *var, const BoundedValue *start,
                            const BoundedValue *stop, const Least *least, const BoundedValue *step)
{
    const Linear *count = &b->vars[var->id].now.form;
    if (step->range.low >= 0) {
        Linear above = linear_add(b, count, &start->form, -1);
        Linear below = linear_add(b, &stop->form, count, -1);
        add_facts_of_end(b, &start->form, &above, 1);
        add_facts_of_end(b, &stop->form, &below, -1);
        bounds_add_difference(b, count, &start->form, 0);
        bounds_add_difference(b, &stop->form, count, 1);
        for (int i = 0; i < least->count && least->count > 1; i++)
            bounds_add_difference(b, &least->parts[i].form, count, 1);
    } else if (step->range.high <= 0) {
        bounds_add_difference(b, &start->form, count, 0);
        bounds_add_difference(b, count, &stop->form, 1);
    }
}

/* A loop whose body runs has iterations. */
static void assume_entered(IrBounds *b, const BoundedValue *start, const BoundedValue *stop,
                           const BoundedValue *step)
{
    if (step->range.low >= 1)
        bounds_assume_less(b, start, stop);
    else if (step->range.high <= -1)
        bounds_assume_less(b, stop, start);
}

static void walk_for(IrBounds *b, IrStmt *stmt)
{
    const IrVar *var = stmt->for_.var;
    VarState *state = &b->vars[var->id];
    BoundedValue start = bounds_known(b, stmt->for_.start), stop = bounds_known(b, stmt->for_.stop),
                 step = bounds_known(b, stmt->for_.step);
    Least least = { 0 };
    Interval count = interval_meet(count_range(&start, &stop, &step), interval_of_type(var->type));
    const SetsInside *nest = next_nest(b);
    int mark = bounds_mark(b);

    visit(b, stmt);
    find_least(b, stmt->for_.stop, &least);
    assume_entered(b, &start, &stop, &step);
    bounds_grow(state, var->type, count, b);
    state->unfit |= b->visit == NULL && !count_fits(&start, &stop, &step, count);
    b->changed |= !state->counts && state->uncounted;
    state->counts = true;
    state->inside++;
    set_all(b, nest);
    bounds_set_unknown(b, var, count);
    add_count_facts(b, var, &start, &stop, &least, &step);
    bounds_assume_iteration(b, stmt, nest);
    enter_loop(b, trips_of(count, step.range));
    walk_region(b, &stmt->for_.body);
    b->loop_count--;
    bounds_forget(b, mark);
    state->inside--;
    set_all(b, nest);
    bounds_set_unknown(b, var, interval_of_type(var->type));
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Whether nothing comes after the statement. */
static bool walk_stmt(IrBounds *b, IrStmt *stmt)
{
    if (stmt->kind != IR_WHILE) /* at each iteration, in walk_while() */
        bounds_assume_accesses(b, stmt);
    switch (stmt->kind) {
    case IR_IF: {
        const IrValue *condition = stmt->if_.condition;
        visit(b, stmt);
        return walk_if(b, stmt, condition);
    }
    case IR_WHILE:
        walk_while(b, stmt);
        return false;
    case IR_FOR:
        walk_for(b, stmt);
        return false;
    case IR_SET: {
        const IrValue *value = stmt->set.value;
        visit(b, stmt);
        bounds_set_var(b, stmt, value);
        if (b->regions == 1)
            bounds_fix_var(b, stmt->set.var, value);
        return false;
    }
    case IR_STORE:
    case IR_EVAL:
    case IR_PRINT:
        visit(b, stmt);
        return false;
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_FAULT:
    case IR_STOP:
        visit(b, stmt);
        return true;
    }
    return false;
}

static bool walk_region(IrBounds *b, const IrRegion *region)
{
    bool ended = false;
    b->regions++;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        ended |= walk_stmt(b, stmt);
    b->regions--;
    return ended;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static Interval param_range(IrBounds *b, const IrVar *var)
{
    Interval all = interval_of_type(var->type);
    int hidden = var->param - (b->fn->param_count - b->unit->hidden_count);
    if (hidden >= 0 && b->unit->hidden_count && b->unit->hidden[hidden].kind != HIDDEN_MAP)
        return interval_reaching(1, REACH_THREADS, 0);
    if (type_size(var->type) >= 4 && launch_scalar_30_bits(b->unit->launch, var->param))
        all = interval_meet(all, interval_from(-LIMIT_30_BITS + 1, LIMIT_30_BITS - 1));
    if (var->positive)
        all.low = all.low < 1 ? 1 : all.low;
    /* An extent and a short step fit 32 bits together. */
    if (var->positive && b->vars[var->id].is_step &&
        launch_axes_to_32768(b->unit->launch, var->param))
        all = interval_meet(all, interval_from(1, SHORT_AXIS));
    return all;
}

static void start_walk(IrBounds *b)
{
    bounds_undo_all(b);
    b->nest = 0;
    for (int i = 0; i < b->fn->var_count; i++) {
        VarState *state = &b->vars[i];
        bounds_set_guess(b, b->fn->vars[i]);
        state->version = 0;
        state->fixed = state->uncounted = state->summed = false;
        state->guessed = state->grew = 0;
        state->holds = NULL;
        state->unfit &= b->visit != NULL;
    }
}

void bounds_walk(IrBounds *b, IrBoundsVisitor *visitor, void *context)
{
    b->visit = visitor;
    b->context = context;
    start_walk(b);
    walk_region(b, &b->fn->body);
    b->visit = NULL;
}

static bool reshapes(const IrValue *value)
{
    return value->op == OP_recast || value->op == OP_field;
}

/* Walks once more from the bounds that hold for all values a variable is ever set to. What it finds
** holds as well, and is narrower where conditions bound the variable that is added to. */
static void narrow_all(IrBounds *b)
{
    for (int i = 0; i < b->fn->var_count; i++)
        b->vars[i].next = b->fn->vars[i]->kind == VAR_PARAM ? b->vars[i].all : interval_none();
    b->narrowing = true;
    bounds_walk(b, NULL, NULL);
    b->narrowing = false;
    for (int i = 0; i < b->fn->var_count; i++) {
        VarState *var = &b->vars[i];
        if (interval_same(var->next, var->all))
            continue;
        var->all = interval_meet(var->all, var->next);
        var->home = NULL; /* its sums were found without conditions: they exceed these bounds */
    }
}

/* Whether a round has gone by less than a variable is set to. */
static bool is_outdated(const IrBounds *b)
{
    for (int i = 0; i < b->fn->var_count; i++)
        if (b->vars[i].guessed && b->vars[i].grew > b->vars[i].guessed)
            return true;
    return false;
}

IrBounds *ir_bounds(IrUnit *unit)
{
    IrBounds *b = arena_new(unit->arena, IrBounds);
    b->unit = unit; /* what is kept in it is large, and zero as it comes */
    b->fn = unit->kernel;
    b->arena = unit->arena;
    b->time = 1;
    b->vars = arena_array(b->arena, VarState, b->fn->var_count + 1);
    bounds_find_homes(b);
    b->reshapes = ir_region_has_node(&b->fn->body, reshapes);
    for (int i = 0; i < unit->count; i++)
        b->reshapes |= ir_region_has_node(&unit->functions[i]->body, reshapes);
    for (int i = 0; i < b->fn->var_count; i++) {
        const IrVar *var = b->fn->vars[i];
        bool param = var->kind == VAR_PARAM && type_is_integer(var->type);
        b->vars[i].all = param ? param_range(b, var) : interval_none();
        b->vars[i].base = interval_none();
    }
    do {
        b->changed = b->cuts = false;
        b->round++;
        bounds_walk(b, NULL, NULL);
    } while (b->changed || is_outdated(b));
    if (b->cuts)
        narrow_all(b);
    return b;
}

Interval bounds_of_var(const IrBounds *b, const IrVar *var)
{
    return b->vars[var->id].all;
}

bool bounds_count_fits(const IrBounds *b, const IrVar *var)
{
    return !b->vars[var->id].unfit;
}

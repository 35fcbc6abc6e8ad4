/* What a variable is set to: once, by several statements, or by sums in loops. */
#include "ir/analysis/range/bounds_state.h"

/* Rounds of the walk: from the first on a variable that still grows goes to the next of a few ends,
** from the second on to those of its type. */
enum { WIDEN_AFTER = 3, GIVE_UP_AFTER = 9 };

/* ---- variables ------------------------------------------------------------------------------- */

void bounds_grow(VarState *var, const Type *type, Interval range, IrBounds *b)
{
    static const int64_t ends[] = { 0, -1, INT32_MAX - NARROW_SLACK - 1, INT32_MAX, INT32_MIN };
    Interval all = interval_join(var->all, range), own = interval_of_type(type), best = own;

    if (b->narrowing)
        var->next = interval_join(var->next, range);
    if (b->narrowing || interval_same(all, var->all))
        return;
    if (b->round < WIDEN_AFTER || interval_empty(var->all)) {
        var->grew = ++b->time;
        var->all = all;
        return;
    }
    for (size_t i = 0; i < ARRAY_COUNT(ends) && b->round < GIVE_UP_AFTER; i++) {
        best.low = ends[i] <= all.low && ends[i] > best.low ? ends[i] : best.low;
        best.high = ends[i] >= all.high && ends[i] < best.high ? ends[i] : best.high;
    }
    all.low = all.low < var->all.low ? best.low : all.low;
    all.high = all.high > var->all.high ? best.high : all.high;
    if (all.reach != var->all.reach || all.beyond != var->all.beyond)
        all.reach = 0;
    all = interval_meet(all, own);
    if (!interval_same(all, var->all)) /* joining may bring back a reach, to no end */
        var->grew = ++b->time;
    var->all = all;
}

void bounds_set_unknown(IrBounds *b, const IrVar *var, Interval range)
{
    VarState *state = &b->vars[var->id];
    b->sets++;
    state->version++;
    state->now.range = range;
    state->now.form =
        type_is_number(var->type) ? linear_of_atom(bounds_new_atom(b, range)) : linear_unknown();
}

void bounds_set_guess(IrBounds *b, const IrVar *var)
{
    bool integer = type_is_integer(var->type);
    bounds_set_unknown(b, var, integer ? b->vars[var->id].all : interval_everything());
    if (integer)
        b->atoms[linear_atom(&b->vars[var->id].now.form)].guess = b->time;
}

void bounds_add_difference(IrBounds *b, const Linear *x, const Linear *y, int less)
{
    Linear difference = linear_add(b, x, y, -1), number = linear_number(-less);
    difference = linear_add(b, &difference, &number, 1);
    if (difference.count >= 0)
        bounds_add_fact(b, &difference);
}

/* Whether a value is the lesser or the greater of two of its type. */
static bool is_outer(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_min || value->intrinsic == INTR_max) &&
           value->operands[0]->type == value->type && value->operands[1]->type == value->type;
}

/* A variable is set to something in `range`, the lesser or the greater of two values, which may
** depend on what it was before. */
static void set_outer(IrBounds *b, const IrVar *var, const IrValue *value, Interval range)
{
    bool least = value->intrinsic == INTR_min;
    const Linear one = bounds_known(b, value->operands[0]).form,
                 other = bounds_known(b, value->operands[1]).form;
    bounds_set_unknown(b, var, range);
    const Linear *form = &b->vars[var->id].now.form;
    bounds_add_difference(b, least ? &one : form, least ? form : &one, 0);
    bounds_add_difference(b, least ? &other : form, least ? form : &other, 0);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A variable that a region begins by setting, and to which only what stands behind that adds:
**
**     s = 0
**     for i in 0 to 3 by 1
**         s = add(s, d)
** is never more than what it was set to and what is added come to, once for each iteration
** of the loops between them. */

/* What is added where a variable is set to a value, times `*sign`; NULL if it is no such sum. */
static const IrValue *step_of(const IrVar *var, const IrValue *value, int *sign)
{
    *sign = value->op == OP_sub ? -1 : 1;
    for (int i = 0; i < 2 && (value->op == OP_add || (value->op == OP_sub && i == 0)); i++)
        if (ir_is_var(value->operands[i], var))
            return value->operands[1 - i];
    return NULL;
}

typedef struct Homes {
    IrBounds *b;
    const IrRegion **open; /* around the statement at hand */
    int count, capacity, loops;
    bool *seen; /* by IrVar.id: it was set */
    int *sets;  /* what was set so far, once for each nest that has ended */
    int set_count, set_capacity;
} Homes;

static bool is_open(const Homes *h, const IrRegion *region)
{
    for (int i = 0; i < h->count; i++)
        if (h->open[i] == region)
            return true;
    return false;
}

static void note_home(Homes *h, const IrStmt *stmt)
{
    const IrVar *var = ir_set_var(stmt);
    int sign;
    if (!var)
        return;
    VarState *state = &h->b->vars[var->id];
    array_push(h->b->arena, h->sets, h->set_count, h->set_capacity) = var->id;
    state->set_count++;
    bool plain = stmt->kind == IR_SET && type_is_integer(var->type);
    if (!h->seen[var->id] && plain && !step_of(var, stmt->set.value, &sign)) {
        state->home = h->open[h->count - 1];
        state->home_loops = h->loops;
    } else if (!plain || !state->home || !is_open(h, state->home)) {
        state->home = NULL;
    }
    h->seen[var->id] = true;
}

static void note_step(Homes *h, const IrValue *step)
{
    while (step->op == OP_cast)
        step = step->operands[0];
    if (step->op == OP_var)
        h->b->vars[step->var->id].is_step = true;
}

/* What was set since `first`, each variable once. */
static SetsInside nest_of(Homes *h, int first)
{
    IrBounds *b = h->b;
    int count = first;
    if (h->set_count == first)
        return (SetsInside){ 0 };
    b->mark++;
    for (int i = first; i < h->set_count; i++) {
        int var = h->sets[i];
        if (b->marks[var] != b->mark)
            h->sets[count++] = var;
        b->marks[var] = b->mark;
    }
    h->set_count = count;
    count -= first;
    return (SetsInside){ arena_grow(b->arena, &h->sets[first], sizeof *h->sets * (size_t)count,
                                    sizeof *h->sets * (size_t)(count + 1)),
                         count };
}

static void find_homes(Homes *h, const IrRegion *region);

/* Of a branch or a loop. */
static void find_inside(Homes *h, const IrStmt *stmt)
{
    IrBounds *b = h->b;
    bool loop = stmt->kind != IR_IF;
    int nest = b->nest_count, first = h->set_count;
    array_push(b->arena, b->nests, b->nest_count, b->nest_capacity) = (SetsInside){ 0 };
    h->loops += loop;
    for_each_region (inner, stmt)
        find_homes(h, inner);
    h->loops -= loop;
    b->nests[nest] = nest_of(h, first);
}

static void find_homes(Homes *h, const IrRegion *region)
{
    array_push(h->b->arena, h->open, h->count, h->capacity) = region;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        note_home(h, stmt);
        if (stmt->kind == IR_FOR)
            note_step(h, stmt->for_.step);
        if (stmt->kind == IR_FOR || stmt->kind == IR_WHILE || stmt->kind == IR_IF)
            find_inside(h, stmt);
    }
    h->count--;
}

static VarSteps *steps_of(IrBounds *b, VarState *state, const IrStmt *stmt)
{
    for (int i = 0; i < state->step_count; i++)
        if (state->steps[i].stmt == stmt)
            return &state->steps[i];
    VarSteps *steps = &array_push(b->arena, state->steps, state->step_count, state->step_capacity);
    *steps = (VarSteps){ stmt, interval_from(0, 0) };
    return steps;
}

/* What all times come to that a statement adds `step`; false if it is not known how often. */
static bool sum_of_steps(IrBounds *b, const VarState *state, const IrValue *step, int sign,
                         Interval *sum)
{
    IrWide times = 1;
    for (int i = state->home_loops; i < b->loop_count && times < TRIPS_MANY; i++)
        times *= b->trips[i] < TRIPS_MANY ? b->trips[i] : TRIPS_MANY;
    *sum = interval_join(
        interval_from(0, 0),
        interval_multiply(bounds_known(b, step).range, interval_from(sign * times, sign * times)));
    return times < TRIPS_MANY;
}

/* A part of a variable's sums comes to more: a round that has used them by then is repeated. One
** that is made of the sums themselves may grow without an end: they are given up then. */
static void add_to_sums(IrBounds *b, VarState *state, Interval *part, Interval range)
{
    Interval more = interval_join(*part, range);
    bool grows = state->summed && !interval_same(more, *part);
    b->changed |= grows;
    if (grows && b->round >= GIVE_UP_AFTER)
        state->home = NULL;
    *part = more;
}

/* All that a variable is ever set to by its sums, of which `value` of the statement is one, or else
** what it is set to: `range`, where nothing is known of how often. */
static Interval summed(IrBounds *b, const IrStmt *stmt, const IrValue *value, Interval range)
{
    VarState *state = &b->vars[stmt->set.var->id];
    int sign;
    const IrValue *step = step_of(stmt->set.var, value, &sign);
    if (!state->home)
        return range;
    if (!step) {
        add_to_sums(b, state, &state->base, range);
        return range;
    }
    Interval sum;
    VarSteps *steps = steps_of(b, state, stmt);
    bool known = sum_of_steps(b, state, step, sign, &sum);
    add_to_sums(b, state, &steps->sum, sum);
    Interval all = state->base;
    for (int i = 0; i < state->step_count; i++)
        all = interval_add(all, state->steps[i].sum);
    if (known && interval_fits(all, stmt->set.var->type)) {
        state->summed = true;
        return all;
    }
    state->home = NULL; /* then nothing was known of its other sums either */
    b->changed |= state->summed;
    return range;
}

void bounds_set_var(IrBounds *b, const IrStmt *stmt, const IrValue *value)
{
    const IrVar *var = stmt->set.var;
    VarState *state = &b->vars[var->id];
    if (!type_is_integer(var->type)) {
        bool copies = type_is_float(var->type) && value->op == OP_var;
        BoundedValue same = copies ? b->vars[value->var->id].now : (BoundedValue){ 0 };
        bool ends =
            value->type == var->type && (var->type == type_float32 || var->type == type_float64);
        bool number = ends && bounds_is_number(b, value); /* before the variable changes */
        bounds_set_unknown(b, var, ends ? bounds_of_float(b, value) : interval_everything());
        if (number)
            b->atoms[linear_atom(&state->now.form)].number = true;
        if (copies && same.form.count >= 0)
            state->now = same;
        return;
    }
    BoundedValue known = bounds_known(b, value);
    Interval all = summed(b, stmt, value, known.range);
    b->cuts |= interval_fits(known.range, type_int32) && !interval_fits(all, type_int32);
    if (!interval_same(all, known.range))
        known.range = interval_meet(known.range, all);
    bounds_grow(state, var->type, b->narrowing ? known.range : all, b);
    if (known.form.count >= 0) {
        state->now = known;
        b->sets++;
        return;
    }
    if (is_outer(value))
        set_outer(b, var, value, known.range);
    else
        bounds_set_unknown(b, var, known.range);
}

/* ---- what stays as it is ---------------------------------------------------------------*/

typedef struct FixedParts {
    const IrBounds *b;
    bool all;
} FixedParts;

static void note_part(void *context, IrValue *value)
{
    FixedParts *parts = context;
    const VarState *state = value->op == OP_var ? &parts->b->vars[value->var->id] : NULL;
    parts->all &= value->op != OP_load && value->op != OP_call;
    parts->all &= !state || state->fixed || (value->var->kind == VAR_PARAM && !state->set_count);
}

/* So that a condition that has a name says the same wherever it is asked for. */
void bounds_fix_var(IrBounds *b, const IrVar *var, const IrValue *value)
{
    VarState *state = &b->vars[var->id];
    FixedParts parts = { b, state->set_count == 1 };
    ir_each_node((IrValue *)value, note_part, &parts);
    state->fixed = state->set_count == 1;
    state->holds = parts.all && var->type == type_bool ? value : NULL;
}

void bounds_find_homes(IrBounds *b)
{
    Homes homes = { .b = b, .seen = arena_array(b->arena, bool, b->fn->var_count + 1) };
    b->marks = arena_array(b->arena, int, b->fn->var_count + 1);
    find_homes(&homes, &b->fn->body);
}

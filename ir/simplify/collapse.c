/* Loops over the rows and columns of what lies in one stretch become one loop:
**
**     for y in 0 to extent(a, 1) by 1
**         for x in 0 to extent(a, 2) by 1
**             total = add(total, load(a, i, y, x))
** becomes
**     for x in 0 to mul(extent(a, 1), extent(a, 2)) by 1
**         total = add(total, load(a, i, 0, x))
**
** The iterations come in the order in which they came. Loops of three axes become one in two steps.
** An index that runs on beyond its row reaches the element that lies there: arrays of which that is
** so are marked (IrVar.runs_on), and their accesses say nothing of their indices any more.
**
** LEGAL of loops from 0 by 1 of which the inner one is all that the outer one does, and makes as
** many iterations whatever the outer one counts; that is the number of elements behind the axis
** that the outer one counts along, of an array in C's order whose other arrays of as many axes have
** the same extents (the fact `alike`). No iteration leaves the loop. If the kernel writes the
** array, all of its accesses are changed alike: then two are of one element if and only if their
** indices are the same, as before. What else uses the counters gets a quotient and a remainder.
**
** It PAYS for loops that the text does not show to be short: passes behind find longer rows, and
** one loop to share out. Uses of the counters beside may stand in branches alone, which are taken
** to be taken rarely. What such a branch keeps of them is found behind the loop, from the last
** iteration that came there:
**
**     if gt(load(a, i, y, x), most)             if gt(load(a, i, 0, x), most)
**         row = y                          =>       _at = x
**                                           and behind the loop
**                                           if ge(_at, 0)
**                                               row = floordiv(_at, extent(a, 2)) */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/polynomial.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum { COLLAPSE_LEAST = 64 }; /* iterations of both loops together, if that is known */

typedef struct CollapseNest {
    IrRegion *region;
    IrStmt *outer, *inner;
    bool fine;
} CollapseNest;

typedef struct Collapse {
    IrUnit *unit;
    IrFunc *fn;
    IrSets sets;
    IrPolynomials sums;
    const bool *left; /* by IrVar.id: variables that are read behind the loop that sets them */
    const int *reads; /* likewise: how often they are */
    int *accesses;    /* by parameter: how many there are of an array */
    int *changed;     /* those that nests which are fine have changed */
    CollapseNest *nests;
    int count, capacity;
    const CollapseNest *nest; /* the one that is looked at */
    bool *made;               /* by IrVar.id: counters of loops that were two */
} Collapse;

/* ---- how many elements ----------------------------------------------------------------------- */

/* The first array parameter of as many axes, whose extents an array has that the launch says so
** of. */
static IrVar *first_alike(const Collapse *c, const IrVar *array)
{
    for (int i = 0; i < c->fn->param_count; i++) {
        IrVar *param = c->fn->vars[i];
        if (type_is_array(param->type) && ir_given_axes(param) == ir_given_axes(array))
            return param;
    }
    return NULL;
}

/* Names give way to what they stand for, extents to those of the first array that is alike. */
static IrValue *resolve(const IrClone *clone, const IrValue *value)
{
    const Collapse *c = clone->context;
    const IrValue *known = value->op == OP_var ? sets_behind(&c->sets, value) : value;
    int param = known->op == OP_extent ? ir_array_param(known->operands[0]) : -1;
    if (known != value)
        return sets_stable(&c->sets, known) ? ir_clone_value(clone, known) : NULL;
    if (param < 0 || known->operands[0]->var->extents)
        return NULL;
    IrVar *first = first_alike(c, known->operands[0]->var);
    if (!first || first->param == param || !launch_alike(c->unit->launch, param))
        return NULL;
    return ir_extent(clone->arena, ir_var(clone->arena, first, value->span), value->index,
                     value->span);
}

static IrValue *resolved(Collapse *c, const IrValue *value)
{
    return ir_clone_value(&(IrClone){ .arena = c->unit->arena, .value = resolve, .context = c },
                          value);
}

/* Along an axis behind the first. */
static IrValue *extent_of(const Collapse *c, IrVar *array, int axis, Span span)
{
    Arena *arena = c->unit->arena;
    if (array->shape && array->shape[axis] != EXTENT_UNKNOWN)
        return ir_integer(arena, type_int64, array->shape[axis], span);
    return array->extents ? ir_copy_value(arena, array->extents[axis - 1])
                          : ir_extent(arena, ir_var(arena, array, span), axis, span);
}

/* Whether a loop makes as many iterations as an array has elements behind an axis. */
static bool goes_over(Collapse *c, const IrStmt *loop, IrVar *array, int axis)
{
    Arena *arena = c->unit->arena;
    Span span = loop->span;
    IrValue *count = ir_integer(arena, type_int64, 1, span);
    for (int i = axis + 1; i < array->type->array.rank; i++)
        count = ir_binary(arena, OP_mul, count, extent_of(c, array, i, span), span);
    IrPolynomial elements = polynomial_of(&c->sums, resolved(c, count));
    IrPolynomial trips = polynomial_of(&c->sums, resolved(c, loop->for_.stop));
    IrPolynomial apart = polynomial_plus(&elements, &trips, -1);
    return trips.count >= 0 && apart.count == 0;
}

/* Whether the end of a loop is no less than 0, and far from where int64 ends. */
static bool is_count(Collapse *c, const IrValue *stop)
{
    if (ir_is_constant(stop))
        return stop->constant.integer >= 0 && stop->constant.integer < LIMIT_30_BITS;
    if (stop->op == OP_mul)
        return is_count(c, stop->operands[0]) && is_count(c, stop->operands[1]);
    const IrVar *param = polynomial_is_length(stop) ? ir_length_param(stop) : NULL;
    if (param)
        return launch_positive_scalar(c->unit->launch, param->param) &&
               launch_scalar_30_bits(c->unit->launch, param->param);
    return stop->op == OP_extent && ir_array_param(stop->operands[0]) >= 0;
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* The axis that the outer loop counts along in an access that can be changed; -1 of others. */
static int axis_of(Collapse *c, const IrValue *array, IrValue *const *indices, int count)
{
    int axis = count - 2;
    if (ir_array_param(array) < 0 || array->type->array.layout != LAYOUT_C ||
        array->type->array.unaligned || count != array->type->array.rank || count < 2 ||
        !ir_is_var(indices[count - 1], c->nest->inner->for_.var))
        return -1;
    while (axis > 0 && ir_is_integer(indices[axis], 0))
        axis--;
    bool fits = ir_is_var(indices[axis], c->nest->outer->for_.var) &&
                goes_over(c, c->nest->inner, array->var, axis);
    return fits ? axis : -1;
}

static int uses_of(const Collapse *c, const IrValue *value)
{
    return ir_mentions(value, c->nest->outer->for_.var) +
           ir_mentions(value, c->nest->inner->for_.var);
}

/* How many uses of the counters are others than of accesses that can be changed; counts these if
** `changed` is not NULL. */
static int other_uses(Collapse *c, const IrValue *value, int *changed)
{
    int others = value->op == OP_var ? uses_of(c, value) : 0;
    if (value->op == OP_load &&
        axis_of(c, value->operands[0], value->operands + 1, value->count - 1) >= 0) {
        others -= 2;
        if (changed)
            changed[ir_array_param(value->operands[0])]++;
    }
    for (int i = 0; i < value->count; i++)
        others += other_uses(c, value->operands[i], changed);
    return others;
}

/* The same of a statement's own values. */
static int other_uses_of(Collapse *c, const IrStmt *stmt, int *changed)
{
    int others = 0;
    for_each_value (value, stmt)
        others += other_uses(c, value, changed);
    if (stmt->kind == IR_STORE &&
        axis_of(c, stmt->store.array, stmt->store.indices, stmt->store.count) >= 0) {
        others -= 2;
        if (changed)
            changed[ir_array_param(stmt->store.array)]++;
    }
    return others;
}

/* ---- nests ----------------------------------------------------------------------------------- */

static bool counts_up(const Collapse *c, const IrStmt *stmt)
{
    return stmt && stmt->kind == IR_FOR && stmt->for_.var->type == type_int64 &&
           !stmt->for_.sum_count && !stmt->for_.unroll && ir_is_integer(stmt->for_.start, 0) &&
           ir_is_integer(stmt->for_.step, 1) && sets_loop(&c->sets, stmt->for_.var) == stmt &&
           !c->left[stmt->for_.var->id] && !(flow_ways_out(&stmt->for_.body) & OUT_LOOP);
}

/* The loop that is all that another one does; what is set and never read does not count. */
static IrStmt *only_loop(const Collapse *c, const IrStmt *outer)
{
    IrStmt *inner = NULL;
    for (IrStmt *stmt = outer->for_.body.first; stmt; stmt = stmt->next) {
        bool idle = stmt->kind == IR_SET && !c->reads[stmt->set.var->id] &&
                    ir_value_effects(stmt->set.value) == EFFECT_NONE;
        if (!idle && (inner || stmt->kind != IR_FOR))
            return NULL;
        inner = idle ? inner : stmt;
    }
    return inner;
}

static bool is_short(const IrStmt *outer, const IrStmt *inner)
{
    int64_t rows = ir_trip_count(outer), columns = ir_trip_count(inner);
    return rows >= 0 && columns >= 0 && rows * columns < COLLAPSE_LEAST;
}

static void find_nest(void *context, IrRegion *region, IrStmt *stmt)
{
    Collapse *c = context;
    if (!counts_up(c, stmt))
        return;
    IrStmt *inner = only_loop(c, stmt);
    if (!counts_up(c, inner) || is_short(stmt, inner))
        return;
    const IrSets inside = ir_sets_of_loop(c->unit->arena, c->fn, stmt);
    if (sets_invariant(&inside, inner->for_.stop, NULL))
        array_push(c->unit->arena, c->nests, c->count, c->capacity) =
            (CollapseNest){ region, stmt, inner, true };
}

/* Whether what a nest does can be done by one loop, as far as it alone tells. */
static bool fits(Collapse *c, const IrRegion *region, bool branch, int *matched)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        int uses = 0, others = other_uses_of(c, stmt, NULL);
        for_each_value (value, stmt)
            uses += uses_of(c, value);
        if (others && !branch)
            return false;
        *matched += uses - others;
        for_each_region (inside, stmt)
            if (!fits(c, inside, branch || stmt->kind == IR_IF, matched))
                return false;
    }
    return true;
}

static bool is_fine(Collapse *c, CollapseNest *nest)
{
    int matched = 0;
    c->nest = nest;
    return is_count(c, resolved(c, nest->outer->for_.stop)) &&
           is_count(c, resolved(c, nest->inner->for_.stop)) &&
           fits(c, &nest->inner->for_.body, false, &matched) && matched > 0;
}

static void count_changed(void *context, IrStmt *stmt)
{
    Collapse *c = context;
    other_uses_of(c, stmt, c->changed);
}

/* Whether a nest changes an array that is written, of which not all accesses are changed. */
static bool changes_some(Collapse *c, const CollapseNest *nest)
{
    int *own = arena_array(c->unit->arena, int, c->fn->param_count + 1);
    int *all = c->changed;
    c->nest = nest;
    c->changed = own;
    ir_each_stmt(&nest->inner->for_.body, count_changed, c);
    c->changed = all;
    for (int i = 0; i < c->fn->param_count; i++)
        if (own[i] && ir_writes(c->fn, i) && all[i] != c->accesses[i])
            return true;
    return false;
}

/* Leaves those that can all be changed together. */
static void choose(Collapse *c)
{
    bool again = true;
    for (int i = 0; i < c->count; i++)
        c->nests[i].fine = is_fine(c, &c->nests[i]);
    while (again) {
        again = false;
        c->changed = arena_array(c->unit->arena, int, c->fn->param_count + 1);
        for (int i = 0; i < c->count; i++) {
            c->nest = &c->nests[i];
            if (c->nest->fine)
                ir_each_stmt(&c->nest->inner->for_.body, count_changed, c);
        }
        for (int i = 0; i < c->count; i++)
            if (c->nests[i].fine && changes_some(c, &c->nests[i])) {
                c->nests[i].fine = false;
                again = true;
            }
    }
}

/* ---- one loop -------------------------------------------------------------------------------- */

static void run_on(Collapse *c, const IrValue *array, IrValue **indices, int count)
{
    int axis = axis_of(c, array, indices, count);
    if (axis < 0)
        return;
    indices[axis] = ir_integer(c->unit->arena, type_int64, 0, indices[axis]->span);
    array->var->runs_on = true;
}

/* The last index of an access that runs on is the only use of a counter that stays. */
static IrValue *instead(Collapse *c, IrValue *value)
{
    const CollapseNest *nest = c->nest;
    IrOp op = ir_is_var(value, nest->outer->for_.var)   ? OP_floordiv
              : ir_is_var(value, nest->inner->for_.var) ? OP_mod
                                                        : OP_COUNT;
    if (op == OP_COUNT)
        return value;
    IrValue *count = ir_var(c->unit->arena, nest->inner->for_.var, value->span);
    return ir_never_negative(ir_binary(c->unit->arena, op, count,
                                       ir_copy_value(c->unit->arena, nest->inner->for_.stop),
                                       value->span));
}

static IrValue *change_value(Collapse *c, IrValue *value)
{
    int kept = -1;
    if (value->op == OP_load &&
        axis_of(c, value->operands[0], value->operands + 1, value->count - 1) >= 0) {
        run_on(c, value->operands[0], value->operands + 1, value->count - 1);
        kept = value->count - 1;
    }
    for (int i = 0; i < value->count; i++)
        if (i != kept)
            value->operands[i] = change_value(c, value->operands[i]);
    return instead(c, value);
}

static void change_stmt(void *context, IrStmt *stmt)
{
    Collapse *c = context;
    IrValue **kept = NULL;
    if (stmt->kind == IR_STORE &&
        axis_of(c, stmt->store.array, stmt->store.indices, stmt->store.count) >= 0) {
        run_on(c, stmt->store.array, stmt->store.indices, stmt->store.count);
        kept = &stmt->store.indices[stmt->store.count - 1];
    }
    for_each_slot (slot, stmt)
        if (slot != kept)
            *slot = change_value(c, *slot);
}

static void make(Collapse *c, CollapseNest *nest)
{
    IrStmt *outer = nest->outer, *inner = nest->inner;
    c->nest = nest;
    ir_each_stmt(&inner->for_.body, change_stmt, c);
    ir_remark(c->unit, outer->span,
              "the loop over %s and the one over %s are one, over elements that follow each other",
              outer->for_.var->name, inner->for_.var->name);
    inner->for_.stop =
        ir_binary(c->unit->arena, OP_mul, outer->for_.stop, inner->for_.stop, inner->span);
    ir_remove(&outer->for_.body, inner);
    ir_insert_before(nest->region, outer, inner);
    ir_remove(nest->region, outer);
}

/* ---- what branches keep ---------------------------------------------------------------------- */

typedef struct KeptCounter {
    IrBuilder b[1];
    IrRegion *region; /* around the loop */
    IrStmt *loop;
    IrSets inside;
    const IrVar *var; /* whose reads are counted */
    int reads;
} KeptCounter;

static void count_read(void *context, IrValue *value)
{
    KeptCounter *k = context;
    k->reads += ir_is_var(value, k->var);
}

/* Whether a statement sets a variable, of which nothing else in the loop knows, to a quotient or a
** remainder of the counter. */
static bool is_kept(KeptCounter *k, const IrStmt *stmt)
{
    const IrVar *counter = k->loop->for_.var;
    if (stmt->kind != IR_SET || sets_only(&k->inside, stmt->set.var) != stmt)
        return false;
    const IrValue *value = stmt->set.value;
    if ((value->op != OP_floordiv && value->op != OP_mod) || !ir_mentions(value, counter) ||
        !sets_invariant(&k->inside, value, counter))
        return false;
    k->var = stmt->set.var;
    k->reads = 0;
    ir_each_node_in(&k->loop->for_.body, count_read, k);
    return !k->reads;
}

static void put_off(void *context, IrStmt *stmt)
{
    KeptCounter *k = context;
    if (!is_kept(k, stmt))
        return;
    const IrBuilder *b = k->b;
    IrVar *at = build_temporary(b, "_at", type_int64);
    IrClone clone = { .arena = b->arena,
                      .vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1) };
    clone.vars[k->loop->for_.var->id] = at;
    IrValue *value = ir_clone_value(&clone, stmt->set.value);
    IrStmt *any = ir_if(b->arena, build_op(b, OP_ge, at, 0), b->span);
    ir_append(&any->if_.then, ir_set(b->arena, stmt->set.var, value, stmt->span));
    ir_insert_before(k->region, k->loop, ir_set(b->arena, at, build_int(b, -1), b->span));
    ir_insert_before(k->region, k->loop->next, any);
    stmt->set.var = at;
    stmt->set.value = build_var(b, k->loop->for_.var);
}

static void put_off_in(void *context, IrRegion *region, IrStmt *stmt)
{
    const Collapse *c = context;
    if (stmt->kind != IR_FOR || !c->made[stmt->for_.var->id])
        return;
    KeptCounter k = { .b = { { c->unit->arena, c->fn, stmt->span } },
                      .region = region,
                      .loop = stmt,
                      .inside = ir_sets_of_loop(c->unit->arena, c->fn, stmt) };
    ir_each_stmt(&stmt->for_.body, put_off, &k);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static void count_access(void *context, IrValue *value)
{
    Collapse *c = context;
    for (int i = 0; i < c->fn->param_count; i++)
        c->accesses[i] += ir_counts_access(value, c->fn->vars[i]);
}

/* Once more each time, for the loop around what has become one; whether anything did. */
static bool collapse(IrUnit *unit, bool *made)
{
    IrFunc *fn = unit->kernel;
    Collapse c = { .unit = unit,
                   .fn = fn,
                   .sets = ir_sets(unit->arena, fn, &fn->body),
                   .sums = ir_polynomials(unit->arena, fn),
                   .left = ir_left_by_loops(unit->arena, fn, &fn->body),
                   .reads = ir_reads(unit->arena, fn, &fn->body),
                   .accesses = arena_array(unit->arena, int, fn->param_count + 1),
                   .made = made };
    bool any = false;
    c.sums.whole = true;
    ir_change_stmts(&fn->body, find_nest, &c);
    if (!c.count)
        return false;
    ir_each_node_in(&fn->body, count_access, &c);
    choose(&c);
    for (int i = 0; i < c.count; i++)
        if (c.nests[i].fine) {
            make(&c, &c.nests[i]);
            made[c.nests[i].inner->for_.var->id] = any = true;
        }
    return any;
}

void ir_collapse(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Collapse c = { .unit = unit,
                   .fn = fn,
                   .made = arena_array(unit->arena, bool, fn->var_count + 1) };
    bool any = false;
    if (!launch_narrow(unit->launch))
        return;
    while (collapse(unit, c.made))
        any = true;
    if (any)
        ir_change_stmts(&fn->body, put_off_in, &c);
}

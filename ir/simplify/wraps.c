/* Loops whose counter is an index, and may begin below 0, where indices count from the end, are
** split at 0:
**
**     for k in load(start, i) to n by 1        from = load(start, i)
**         s = add(s, load(x, k))               to = n
**                                              if lt(from, 0)
** becomes                                          for k.2 in from to min(to, 0) by 1
**                                                      s = add(s, load(x, k.2))
**                                              for k in max(from, 0) to to by 1
**                                                  s = add(s, load(x, k))
**
** Legal in loops that count by one, which nothing leaves early, and whose counter nothing reads
** elsewhere: the same iterations come in the same order.
**
** Pays where the counter itself is an index, and begins where memory says: no iteration of the
** second loop asks whether it counts from the end, and elements lie one behind the other there, as
** far as can be known. Loops that are not split may ask once (wraps_once.c), or be split where they
** leave the thread's own index out (wraps_apart.c).
**
** Indices that end at the last element of the axis they go along do not count from its end:
**
**     y0 = min(max(y, 0), sub(extent(a, 0), 1))
**     s = load(a, y0, x)                           y0 is never negative there
**
** Legal since y0 is negative only if the axis has no elements. Then it is -1, and stays that where
** the extent is added, 0, so that the element which is accessed is the same with or without. */
#include "ir/analysis/affine.h"
#include "ir/simplify/wraps.h"
#include "ir/analysis/flow/flow.h"

static bool is_counter(const Wraps *w, const IrValue *value)
{
    while (value->op == OP_cast && ir_keeps_value(value))
        value = value->operands[0];
    return ir_is_var(value, w->index);
}

static void look_at_value(void *context, IrValue *value)
{
    Wraps *w = context;
    w->inside += ir_is_var(value, w->index);
    for (int i = 1; i < value->count && value->op == OP_load; i++)
        w->wraps |= is_counter(w, value->operands[i]);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    Wraps *w = context;
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        w->wraps |= is_counter(w, stmt->store.indices[i]);
    ir_each_own_node(stmt, look_at_value, w);
}

/* Whether a bound comes out of memory, so that its sign is not known. */
static bool is_data(const Wraps *w, const IrValue *bound)
{
    return ir_has_node(sets_behind_casts(&w->sets, bound), ir_is_load);
}

static bool may_split(Wraps *w, const IrStmt *loop)
{
    const IrVar *counter = loop->for_.var;
    if (counter->nonnegative || !type_is_signed(counter->type) || type_size(counter->type) < 4 ||
        !ir_is_integer(loop->for_.step, 1) || !is_data(w, loop->for_.start) ||
        loop->for_.sum_count || loop->for_.unroll || sets_loop(&w->sets, counter) != loop ||
        flow_ways_out(&loop->for_.body) & OUT_LOOP)
        return false;
    w->index = counter;
    w->inside = 0;
    w->wraps = false;
    ir_each_stmt(&loop->for_.body, look_at_stmt, w);
    return w->wraps && w->inside == w->reads[counter->id];
}

void wraps_take_own(const Wraps *w, const IrBuilder *b, IrUses part, IrVar **vars)
{
    build_own_vars(b, w->sets.var_count, part, (IrUses){ w->sets.count, w->reads }, vars);
}

static IrVar *let(const IrBuilder *b, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *var = build_temporary(b, name, value->type);
    build_set(b, var, value, out);
    return var;
}

/* `wanted` of a bound and 0. */
static IrValue *beside_zero(const IrBuilder *b, IrIntrinsic wanted, const IrVar *bound)
{
    return ir_intrinsic(b->arena, wanted, bound->type, b->span, build_var(b, bound),
                        build_integer(b, bound->type, 0), NULL);
}

/* The loop once more, as far as 0. */
static IrStmt *below_zero(const IrBuilder *b, const IrStmt *loop, const IrVar *from,
                          const IrVar *to)
{
    IrVar *counter = build_temporary(b, loop->for_.var->name, loop->for_.var->type);
    IrClone clone = { .arena = b->arena,
                      .vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1) };
    IrStmt *made = ir_for(b->arena, counter, build_var(b, from), beside_zero(b, INTR_min, to),
                          build_integer(b, counter->type, 1), b->span);
    made->for_.unroll = 1;
    made->for_.rest = true;
    clone.vars[loop->for_.var->id] = counter;
    ir_clone_region(&clone, &loop->for_.body, &made->for_.body);
    return made;
}

static void split(Wraps *w, IrRegion *region, IrStmt *loop)
{
    const IrBuilder b[1] = { { w->unit->arena, w->unit->kernel, loop->span } };
    IrRegion front = { NULL, NULL };
    IrVar *from = let(b, "_from", loop->for_.start, &front);
    IrVar *to = let(b, "_to", loop->for_.stop, &front);
    IrValue *below = build_op(b, OP_lt, from, build_integer(b, from->type, 0));
    ir_append(build_if(b, below, &front), below_zero(b, loop, from, to));
    loop->for_.start = beside_zero(b, INTR_max, from);
    loop->for_.stop = build_var(b, to);
    ir_insert_region(region, loop, front);
}

static void visit_region(Wraps *w, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        IrRegion *regions[2];
        next = stmt->next;
        if (stmt->kind == IR_FOR && !ir_has_loop(&stmt->for_.body) && may_split(w, stmt))
            split(w, region, stmt);
        else if (stmt->kind == IR_FOR && !ir_has_loop(&stmt->for_.body) &&
                 wraps_split_apart(w, region, stmt))
            continue;
        else if (stmt->kind != IR_FOR || !wraps_ask_once(w, region, stmt))
            for (int i = ir_regions(stmt, regions); i-- > 0;)
                visit_region(w, regions[i]);
    }
}

/* ---- indices that are clamped ---------------------------------------------------------------- */

typedef struct Clamped {
    const IrSets *sets;
    const IrVar *array;
    int axis;
} Clamped;

/* Whether a value is the last index of the axis. */
static bool is_last(const Clamped *c, const IrValue *value)
{
    int64_t plus;
    const IrValue *rest = affine_split(c->sets, value, &plus);
    rest = rest && plus == -1 ? sets_behind_casts(c->sets, rest) : NULL;
    return rest && rest->op == OP_extent && rest->index == c->axis &&
           ir_is_var(rest->operands[0], c->array);
}

/* Whether a value is 0 or more where the axis has elements, and not less than -1 where not. */
static bool is_clamped(const Clamped *c, const IrValue *value)
{
    if (ir_nonnegative(value))
        return true;
    value = sets_behind_casts(c->sets, value);
    IrValue *const *of = value->operands;
    if (ir_is_intrinsic(value, INTR_min))
        return is_clamped(c, of[0]) && is_clamped(c, of[1]);
    if (ir_is_intrinsic(value, INTR_max))
        return is_clamped(c, of[0]) || is_clamped(c, of[1]);
    return ir_nonnegative(value) || is_last(c, value);
}

static void look_at_access(const IrSets *sets, const IrValue *array, IrValue **indices)
{
    int param = ir_array_param(array);
    for (int i = 0; i < array->type->array.rank && param >= 0 && !array->var->extents; i++) {
        const Clamped c = { sets, array->var, i };
        if (!ir_nonnegative(indices[i]) && is_clamped(&c, indices[i]))
            indices[i] = ir_never_negative(indices[i]);
    }
}

static void look_at_load(void *context, IrValue *value)
{
    const Wraps *w = context;
    if (value->op == OP_load)
        look_at_access(&w->sets, value->operands[0], value->operands + 1);
}

static void look_at_store(void *context, IrStmt *stmt)
{
    const Wraps *w = context;
    if (stmt->kind == IR_STORE)
        look_at_access(&w->sets, stmt->store.array, stmt->store.indices);
}

static void note_clamped(Wraps *w)
{
    IrRegion *body = &w->unit->kernel->body;
    ir_each_node_in(body, look_at_load, w);
    ir_each_stmt(body, look_at_store, w);
}

void ir_wraps(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Wraps w = { .unit = unit,
                .sets = ir_sets(unit->arena, fn, &fn->body),
                .reads = ir_reads(unit->arena, fn, &fn->body) };
    note_clamped(&w);
    visit_region(&w, &fn->body);
    for (int i = 0; i < w.piece_count; i++)
        ir_registers_of(unit, w.pieces[i].region, w.pieces[i].loop);
}

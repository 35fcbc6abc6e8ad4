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
** leave the thread's own index out (wraps_apart.c). */
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

static bool is_load(const IrValue *value)
{
    return value->op == OP_load;
}

/* Whether a bound comes out of memory, so that its sign is not known. */
static bool is_data(const Wraps *w, const IrValue *bound)
{
    return ir_has_node(sets_behind_casts(&w->sets, bound), is_load);
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

void ir_wraps(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Wraps w = { .unit = unit,
                .sets = ir_sets(unit->arena, fn, &fn->body),
                .reads = ir_reads(unit->arena, fn, &fn->body) };
    visit_region(&w, &fn->body);
    for (int i = 0; i < w.piece_count; i++)
        ir_registers_of(unit, w.pieces[i].region, w.pieces[i].loop);
}

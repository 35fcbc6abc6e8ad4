/* Loops that make a few iterations at most, whatever the thread, as windows have that end at a
** border, are laid out, each iteration under its condition:
**
**     for b in max(x, 0) to min(add(x, 3), w) by 1
**         best = max(best, load(a, b))
** becomes
**     _first = max(x, 0)
**     _stop = min(add(x, 3), w)
**     for _of in 0 to 3 by 1 unroll
**         if lt(add(_first, _of), _stop)
**             b = add(_first, _of)
**             best = max(best, load(a, b))
**
** Legal for loops that count by one, if bounds say that so many iterations are all there are and
** that none of their counters wraps, and if no thread waits for others in them.
**
** Pays where they read memory, and begin or end where the thread says: as their number is not
** known, the device's compiler would have each load wait for the one before. The text may hold no
** more than the iterations of a loop that is unrolled. */
#include "ir/analysis/range/bounds.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/unroll.h"

enum { MASKED_MOST = 8 }; /* iterations */

/* A loop that makes so many iterations at most. */
typedef struct FewStmt {
    const IrStmt *loop;
    int most;
} FewStmt;

typedef struct MaskLoops {
    IrUnit *unit;
    IrSets names;
    bool any; /* loops that end at a border */
    FewStmt *list;
    int count, capacity;
} MaskLoops;

/* ---- which loops make few iterations --------------------------------------------------------- */

static bool is_clipped(const MaskLoops *m, const IrValue *value)
{
    const IrValue *found = sets_behind_casts(&m->names, value);
    return found->op == OP_intrinsic &&
           (found->intrinsic == INTR_min || found->intrinsic == INTR_max);
}

static bool may_mask(const MaskLoops *m, const IrStmt *stmt)
{
    return stmt->kind == IR_FOR && !stmt->for_.unroll && stmt->for_.var->type == type_int64 &&
           ir_is_integer(stmt->for_.step, 1) &&
           (is_clipped(m, stmt->for_.start) || is_clipped(m, stmt->for_.stop));
}

static void look_for_any(void *context, IrStmt *stmt)
{
    MaskLoops *m = context;
    m->any |= may_mask(m, stmt);
}

static void note_few(void *context, IrBounds *b, IrStmt *stmt)
{
    MaskLoops *m = context;
    if (!may_mask(m, stmt))
        return;
    IrWide most = bounds_difference(b, stmt->for_.stop, stmt->for_.start).high;
    bool fits = bounds_of(b, stmt->for_.start).high <= INT64_MAX - MASKED_MOST;
    if (most >= 2 && most <= MASKED_MOST && fits)
        array_push(m->unit->arena, m->list, m->count, m->capacity) = (FewStmt){ stmt, (int)most };
}

/* ---- what they come to ----------------------------------------------------------------------- */

typedef struct MaskedText {
    int nodes; /* more than NODES_MOST: too many */
    bool loads;
} MaskedText;

static void count_node(void *context, IrValue *value)
{
    MaskedText *text = context;
    text->nodes += value->op == OP_call ? NODES_MOST + 1 : 1;
    text->loads |= value->op == OP_load && ir_array_param(value->operands[0]) >= 0;
}

static MaskedText text_of(const IrRegion *region)
{
    MaskedText text = { 0 };
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        int64_t times = stmt->kind == IR_FOR ? ir_trip_count(stmt) : 1;
        ir_each_own_node(stmt, count_node, &text);
        if (times < 0 || times > UNROLL_MOST || stmt->kind == IR_WHILE)
            times = NODES_MOST;
        for_each_region (inner, stmt) {
            MaskedText inside = text_of(inner);
            text.loads |= inside.loads;
            text.nodes += (int)times * (inside.nodes + 1);
        }
        if (text.nodes > NODES_MOST)
            text.nodes = NODES_MOST + 1;
    }
    return text;
}

/* ---- what becomes of them -------------------------------------------------------------------- */

static void lay_out(IrUnit *unit, IrRegion *region, IrStmt *loop, int most)
{
    IrBuilder b[1] = { { unit->arena, unit->kernel, loop->span } };
    IrVar *first = build_temporary(b, "_first", type_int64);
    IrVar *stop = build_temporary(b, "_stop", type_int64), *of = build_counter(b, "_of");
    IrRegion before = { NULL, NULL }, whole = { NULL, NULL };
    build_set(b, first, loop->for_.start, &before);
    build_set(b, stop, loop->for_.stop, &before);
    while (before.first) {
        IrStmt *set = before.first;
        ir_remove(&before, set);
        ir_insert_before(region, loop, set);
    }
    IrValue *at = build_op(b, OP_add, first, of);
    IrRegion *inside = build_if(b, build_op(b, OP_lt, at, stop), &whole);
    build_set(b, loop->for_.var, build_copy(b, at), inside);
    ir_append_region(inside, loop->for_.body);
    loop->for_.var = of;
    loop->for_.start = build_int(b, 0);
    loop->for_.stop = build_int(b, most);
    loop->for_.body = whole;
    loop->for_.unroll = UNROLL_ALL;
}

static void visit_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    MaskLoops *m = context;
    int most = 0;
    for (int i = 0; i < m->count; i++)
        most = m->list[i].loop == stmt ? m->list[i].most : most;
    if (!most)
        return;
    MaskedText text = text_of(&stmt->for_.body);
    Directive own = { DO_MASK, .loop = schedule_loop(stmt), .site = stmt, .span = stmt->span,
                      .number = most };
    if (ir_region_effects(&stmt->for_.body) & EFFECT_MEETS) {
        schedule_refuse(m->unit, own, stmt->span, "threads wait for others in it");
        return;
    }
    IrDivergence divergence = ir_divergence(m->unit, region);
    bool pays = text.loads && most * text.nodes <= NODES_MOST &&
                (ir_divergence_of(&divergence, stmt->for_.start) ||
                 ir_divergence_of(&divergence, stmt->for_.stop));
    Directive *directive = schedule_take(m->unit, own, pays);
    if (!directive)
        return;
    if (directive->number != most) {
        schedule_refuse(m->unit, own, stmt->span, "it makes another number of iterations at most");
        return;
    }
    lay_out(m->unit, region, stmt, most);
    ir_remark(m->unit, stmt->span, "the loop is laid out: it makes %d iterations at most", most);
    schedule_done(directive);
}

void unroll_mask(IrUnit *unit)
{
    MaskLoops m = { .unit = unit,
                    .names = ir_sets(unit->arena, unit->kernel, &unit->kernel->body) };
    ir_each_stmt(&unit->kernel->body, look_for_any, &m);
    if (!m.any)
        return;
    bounds_walk(ir_bounds(unit), note_few, &m);
    if (m.count)
        ir_change_stmts(&unit->kernel->body, visit_stmt, &m);
}

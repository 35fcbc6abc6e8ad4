/* The loops of the kernel as one, in which k counts, and the parts of a block.
**
**     for c in c0 to c1 by 1                      stop = (c1 - c0) * (i1 - i0)
**         for i in i0 to i1 by 1        ->        for k in 0 to stop by 1
**             total = total + a * b                   c, i = c0 + k / (i1 - i0), i0 + k % (i1 - i0)
**                                                     total = total + a * b
**
** k goes through the same iterations in the same order, since none of the bounds depends on a
** counter. */
#include "ir/schedule/tensor/make.h"

/* ---- bounds ---------------------------------------------------------------------------------- */

/* How many iterations a loop has: it is not more than a number below 2^31 in all if they read as
** many elements of one array. */
static IrValue *trips_of(TensorBuild *m, int loop, IrRegion *out)
{
    const IrStmt *stmt = m->p->nest[loop];
    int64_t trips = ir_trip_count(stmt);
    if (trips >= 0)
        return build_int(m->b, trips);
    IrValue *stop = put(m, stmt->for_.stop);
    if (!ir_is_integer(stmt->for_.start, 0))
        stop = build_op(m->b, OP_sub, stop, put(m, stmt->for_.start));
    if (!ir_nonnegative(stop))
        stop = build_max(m->b, stop, 0);
    return build_var(
        m->b,
        build_let(m->b, arena_printf(m->b->arena, "_count_%s", stmt->for_.var->name), stop, out));
}

/* Which of the loops counts in an index; -1: none, or it is more than its counter and what does not
** change. */
static int counting(const Product *p, const IrValue *index)
{
    index = sets_behind_casts(&p->affine.sets, index);
    return index->op == OP_var ? product_counts(p, index->var) : -1;
}

/* Whether each iteration reads an element of its own of the factor's array: each counter is one of
** the indices. */
static bool reads_apart(const Product *p, const Factor *factor)
{
    int found = 0;
    if (!factor->load || dense_axis(factor->load->operands[0]->type) < 0)
        return false;
    for (int i = 1; i < factor->load->count; i++) {
        int loop = counting(p, factor->load->operands[i]);
        found |= loop >= 0 ? 1 << loop : 0;
    }
    return found == (1 << p->nested) - 1;
}

/* All iterations together. No array spans more elements than fit an int32, with what is added to
** them, where launches are narrow: so there are no more iterations that read one each. */
static IrValue *all_trips(TensorBuild *m)
{
    const Product *p = m->p;
    IrValue *all = build_copy(m->b, m->trips[0]);
    bool apart = reads_apart(p, &p->factor[0]) || reads_apart(p, &p->factor[1]);
    bool few = product_trips(p) < 0 && apart && launch_narrow(p->unit->launch);
    for (int i = 1; i < p->nested; i++) {
        all = build_op(m->b, OP_mul, all, build_copy(m->b, m->trips[i]));
        if (few)
            all = build_min(m->b, all, INT32_MAX - NARROW_SLACK);
    }
    return all;
}

IrVar *append_bounds(TensorBuild *m, IrRegion *out)
{
    const IrStmt *loop = m->p->loop;
    put_in_part(m);
    bool one = m->p->nested == 1;
    IrVar *start =
        build_let(m->b, "_start", one ? put(m, loop->for_.start) : build_int(m->b, 0), out);
    m->stop = build_temporary(m->b, "_stop", type_int64);
    if (one) {
        build_set(m->b, m->stop, put(m, loop->for_.stop), out);
        return start;
    }
    for (int i = 0; i < m->p->nested; i++)
        m->trips[i] = trips_of(m, i, out);
    build_set(m->b, m->stop, all_trips(m), out);
    return start;
}

/* ---- counters -------------------------------------------------------------------------------- */

/* A loop's counter, so many iterations behind its start. */
static IrVar *counter(TensorBuild *m, int loop, IrValue *behind, IrRegion *out)
{
    const IrStmt *stmt = m->p->nest[loop];
    const IrValue *start = stmt->for_.start;
    if (!ir_is_integer(start, 0))
        behind = build_op(m->b, OP_add, behind, put(m, start));
    return build_let(m->b, stmt->for_.var->name, behind, out);
}

/* A number to divide by: where it is 0 there are no iterations. */
static IrValue *at_least_one(const TensorBuild *m, const IrValue *trips)
{
    IrValue *own = build_copy(m->b, trips);
    return ir_is_constant(own) ? own : build_max(m->b, own, 1);
}

void append_counters(TensorBuild *m, IrVar *step, IrVar *behind, IrRegion *out)
{
    int last = m->p->nested - 1;
    IrValue *k = sum_of(m, step, build_var(m->b, behind));
    if (!last) {
        m->k = m->counter[0] = build_let(m->b, m->p->loop->for_.var->name, k, out);
        return;
    }
    IrVar *rest = m->k = build_let(m->b, "_k", k, out);
    for (int i = last; i > 0; i--) {
        IrValue *count = at_least_one(m, m->trips[i]);
        m->counter[i] = counter(m, i, build_op(m->b, OP_mod, rest, build_copy(m->b, count)), out);
        IrValue *above = build_op(m->b, OP_floordiv, rest, build_copy(m->b, count));
        if (i > 1)
            rest = build_let(m->b, "_rest", above, out);
        else
            m->counter[0] = counter(m, 0, above, out);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The part that an index lies in. */
static IrVar *part_of(TensorBuild *m, const char *name, IrVar *index, IrRegion *out)
{
    m->index[m->p->part_axis] = index;
    return build_let(m->b, name, put(m, m->p->part), out);
}

/* What a block has of the part at hand, from its first index on to its last. By 0 all quotients are
** 0: there is one part. */
static void append_part(TensorBuild *m, IrVar *first, IrVar *last, IrRegion *out)
{
    IrValue *size = put(m, m->p->part->operands[1]);
    m->base =
        build_let(m->b, "_base", build_min(m->b, build_op(m->b, OP_mul, m->part, size), last), out);
    m->at_part[0] = build_let(m->b, "_first", build_max(m->b, m->base, first), out);
    IrValue *next = sum_of(m, m->base, build_plus(m->b, build_copy(m->b, size), -1));
    IrValue *until = build_min(m->b, next, last);
    IrValue *none = build_op(m->b, OP_eq, build_copy(m->b, size), 0);
    m->at_part[1] =
        build_let(m->b, "_until",
                  ir_select(m->b->arena, none, build_var(m->b, last), until, m->b->span), out);
    put_in_part(m);
}

IrRegion *append_parts_of_block(TensorBuild *m, IrRegion *out)
{
    const Product *p = m->p;
    int f = p->factor[FACTOR_ROWS].axis == p->part_axis ? FACTOR_ROWS : FACTOR_COLUMNS;
    IrVar *first = m->first[f];
    IrValue *behind = build_plus(m->b, first, m->tile->size[f]);
    IrValue *end = build_min(m->b, behind, m->end[f]);
    IrVar *last = build_let(m->b, "_last", build_plus(m->b, end, -1), out);
    IrVar *from = part_of(m, "_part_first", first, out), *to = part_of(m, "_part_last", last, out);
    m->part = build_counter(m->b, "_part");
    IrStmt *loop = build_for(m->b, m->part, from, build_plus(m->b, to, 1), 1, 1);
    ir_append(out, loop);
    append_part(m, first, last, &loop->for_.body);
    return &loop->for_.body;
}

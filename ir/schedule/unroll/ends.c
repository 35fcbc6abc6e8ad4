/* Whether a loop's ends are so far from where its counter wraps that several iterations may begin
** at once. See unroll.c. */
#include "ir/schedule/unroll/unroll.h"

static bool is_near_zero(const UnrollBuild *m, const IrValue *value)
{
    const IrUnit *unit = m->u->unit;
    return magnitude_bits(ir_magnitude(unit->arena, unit->kernel, unit->launch), value) <= FAR_BITS;
}

/* That `stop` is not so near where numbers end that a few steps beyond it wrap; NULL: it is
** sure. */
static IrValue *far_from_end(const UnrollBuild *m, IrVar *stop)
{
    const int64_t near = INT64_C(1) << FAR_BITS;
    const IrStmt *loop = m->u->loop;
    if (ir_is_integer(loop->for_.step, 1))
        return NULL;
    if (is_near_zero(m, loop->for_.stop))
        return NULL;
    return build_op(m->b, OP_le, build_var(m->b, stop), unroll_number(m, near));
}

/* That `stop` less some steps does not wrap: it lies behind `next`, and that far from where numbers
** begin. */
static IrValue *far_from_begin(const UnrollBuild *m, IrVar *next, IrVar *stop)
{
    const int64_t near = INT64_C(1) << FAR_BITS;
    IrValue *behind = build_op(m->b, OP_lt, next, stop);
    if (next->nonnegative || is_near_zero(m, m->u->loop->for_.start))
        return behind;
    return ir_both(m->b->arena, behind, build_op(m->b, OP_le, unroll_number(m, -near), next));
}

IrValue *unroll_may_look_ahead(const UnrollBuild *m, IrVar *next, IrVar *stop, const IrValue *step)
{
    IrValue *few = m->u->small_step ? NULL
                                    : build_op(m->b, OP_le, unroll_steps(m, step, 1),
                                               unroll_number(m, STEP_MOST));
    few = ir_both(m->b->arena, few, far_from_end(m, stop));
    return stop->nonnegative || m->u->down
               ? few
               : ir_both(m->b->arena, far_from_begin(m, next, stop), few);
}

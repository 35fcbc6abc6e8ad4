/* Loops that go by the stride of the block from where a row begins count from the thread's index:
**
**     for k in ptr[row] + thread_idx(0)              first = ptr[row]
**             to ptr[row + 1] by block_dim(0)        beyond = ptr[row + 1] - first
**         ... x[k] ...                     becomes   for off in thread_idx(0) to beyond
**                                                            by block_dim(0)
**                                                        ... x[first + off] ...
**
** so that the plan takes all threads of the block through an iteration at once (plan.c).
** Legal where both ends are the same for all threads that come to the loop but for that index, do
** nothing but read, and are so far from where 64 bits end that their difference is none that wraps.
** They are computed once, in front of the loop, as they were.
**
** Other strides by which threads of a block go side by side, as two blocks at a time or all of the
** grid's, are the same for all threads where each asks whether it goes on:
**
**     for k in base + thread_idx(0) to n by s        for off in base to n by s
**         ... x[k] ...                     becomes       k = off + thread_idx(0)
**                                                        if k < n
**                                                            ... x[k] ...
*/
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/schedule/tile/tiles.h"

typedef struct Strides {
    IrUnit *unit;
    IrSets sets;
    IrDivergence divergence;
    IrMagnitude *magnitude;
} Strides;

static bool is_index(const Strides *s, const IrValue *value, int axis)
{
    value = sets_behind_casts(&s->sets, value);
    return value->op == OP_intrinsic && value->index == axis && value->intrinsic == INTR_thread_idx;
}

/* A sum without the one term in it that is the thread's index; NULL: there is none. */
static IrValue *without_index(const Strides *s, IrValue *value, int axis)
{
    Arena *arena = s->unit->arena;
    if (is_index(s, value, axis))
        return ir_integer(arena, value->type, 0, value->span);
    if (value->op != OP_add)
        return NULL;
    for (int side = 0; side < 2; side++) {
        IrValue *other = value->operands[!side];
        IrValue *rest = without_index(s, value->operands[side], axis);
        if (rest)
            return ir_is_integer(rest, 0) ? other
                                          : ir_binary(arena, OP_add, rest, other, value->span);
    }
    return NULL;
}

/* Along which axis a loop goes by the size of the block, as launched or by its number; -1. */
static int axis_of_step(const Strides *s, const IrValue *step, const uint32_t block[3])
{
    step = sets_behind_casts(&s->sets, step);
    if (ir_is_intrinsic(step, INTR_block_dim))
        return step->index;
    for (int axis = 0; axis < 3; axis++)
        if (block[axis] > 1 && ir_is_integer(step, block[axis]))
            return axis;
    return -1;
}

/* Whether an end of a loop may be computed in front of it, once for all threads. */
static bool is_common(const Strides *s, const IrValue *end)
{
    return !(ir_divergence_of(&s->divergence, end) & ~DIVERGES_BLOCKS) &&
           !(ir_value_effects(end) & ~EFFECT_READ) && magnitude_bits(s->magnitude, end) < FAR_BITS;
}

typedef struct StrideVisit {
    const Strides *s;
    const uint32_t *block;
    const bool *left; /* by IrVar.id: read behind the loop that sets it */
} StrideVisit;

typedef struct RowCounter {
    const IrBuilder *b;
    const IrVar *from;
    IrVar *begin, *off;
} RowCounter;

static void count_node(void *context, IrValue *value)
{
    const RowCounter *c = context;
    if (ir_is_var(value, c->from))
        *value = *build_op(c->b, OP_add, c->begin, c->off);
}

/* Whether a step is made of sizes of blocks or of the grid, or a number no less than a block. */
static bool is_wide(const StrideVisit *v, const IrStmt *loop, int axis)
{
    const IrValue *step = sets_behind_casts(&v->s->sets, loop->for_.step);
    if (ir_is_constant(step))
        return step->constant.integer >= v->block[axis];
    return loop->for_.rises && step->op == OP_mul && sets_is_short(&v->s->sets, step) &&
           (sets_behind_casts(&v->s->sets, step->operands[0])->op == OP_intrinsic ||
            sets_behind_casts(&v->s->sets, step->operands[1])->op == OP_intrinsic);
}

/* A loop by such a stride: `first` is where it begins for the first thread along an axis. */
static void count_alike(const StrideVisit *v, IrRegion *region, IrStmt *loop, IrValue *first,
                        int axis)
{
    const IrBuilder b[1] = { { v->s->unit->arena, v->s->unit->kernel, loop->span } };
    IrVar *begin = build_temporary(b, "first", type_int64),
          *beyond = build_temporary(b, "beyond", type_int64),
          *step = build_temporary(b, "step", type_int64),
          *off = build_temporary(b, "off", type_int64);
    IrValue *index = build_cast(b, type_int64, build_thread_index(b, axis));
    IrStmt *branch = ir_if(b->arena, build_op(b, OP_lt, loop->for_.var, beyond), b->span);
    off->nonnegative = ir_nonnegative(first);
    ir_insert_before(region, loop, ir_set(b->arena, begin, first, b->span));
    ir_insert_before(region, loop, ir_set(b->arena, beyond, loop->for_.stop, b->span));
    ir_insert_before(region, loop, ir_set(b->arena, step, loop->for_.step, b->span));
    branch->if_.then = loop->for_.body;
    loop->for_.body = (IrRegion){ NULL, NULL };
    build_set(b, loop->for_.var, build_op(b, OP_add, off, index), &loop->for_.body);
    ir_append(&loop->for_.body, branch);
    loop->for_.var = off;
    loop->for_.start = build_var(b, begin);
    loop->for_.stop = build_var(b, beyond);
    loop->for_.step = build_var(b, step);
}

/* Where a loop starts, behind its name if that may be computed again here. */
static IrValue *start_of(const StrideVisit *v, const IrStmt *loop)
{
    IrValue *start = loop->for_.start;
    const IrValue *named = sets_behind(&v->s->sets, start);
    bool again = named != start && !v->left[start->var->id] && sets_stable(&v->s->sets, named);
    return again ? (IrValue *)named : start;
}

/* Along which axis threads of a block lie side by side in a loop by a wide stride, and where it
** begins for the first of them; -1. */
static int axis_alike(const StrideVisit *v, const IrStmt *loop, IrValue **first)
{
    const Strides *s = v->s;
    for (int axis = 0; axis < 3; axis++) {
        *first = v->block[axis] > 1 ? without_index(s, start_of(v, loop), axis) : NULL;
        if (*first && is_wide(v, loop, axis) && is_common(s, *first) &&
            is_common(s, loop->for_.step) &&
            !(ir_region_effects(&loop->for_.body) & EFFECT_BLOCK_SYNC))
            return axis;
    }
    return -1;
}

static void visit_stmt(void *context, IrRegion *region, IrStmt *loop)
{
    const StrideVisit *v = context;
    const Strides *s = v->s;
    if (loop->kind != IR_FOR || loop->for_.var->type != type_int64)
        return;
    int axis = axis_of_step(s, loop->for_.step, v->block);
    IrValue *first = axis >= 0 ? without_index(s, loop->for_.start, axis) : NULL;
    if (sets_loop(&s->sets, loop->for_.var) != loop || v->left[loop->for_.var->id] ||
        !is_common(s, loop->for_.stop))
        return;
    int alike = axis < 0 ? axis_alike(v, loop, &first) : -1;
    if (alike >= 0)
        count_alike(v, region, loop, first, alike);
    if (axis < 0 || !first || ir_is_integer(first, 0) || !is_common(s, first))
        return;
    const IrBuilder b[1] = { { s->unit->arena, s->unit->kernel, loop->span } };
    RowCounter c = { b, loop->for_.var, build_temporary(b, "first", type_int64),
                     build_counter(b, "off") };
    IrVar *beyond = build_temporary(b, "beyond", type_int64);
    IrValue *length = build_op(b, OP_sub, loop->for_.stop, c.begin);
    ir_insert_before(region, loop, ir_set(b->arena, c.begin, first, b->span));
    ir_insert_before(region, loop, ir_set(b->arena, beyond, length, b->span));
    ir_each_node_in(&loop->for_.body, count_node, &c);
    loop->for_.var = c.off;
    loop->for_.start = build_cast(b, type_int64, build_thread_index(b, axis));
    loop->for_.stop = build_var(b, beyond);
}

void tiles_begin_strides(IrUnit *unit, const uint32_t block[3])
{
    IrFunc *fn = unit->kernel;
    Strides s = { unit, ir_sets(unit->arena, fn, &fn->body), ir_divergence(unit, NULL),
                  ir_magnitude(unit->arena, fn, unit->launch) };
    StrideVisit visit = { &s, block, ir_left_by_loops(unit->arena, fn, &fn->body) };
    ir_change_stmts(&fn->body, visit_stmt, &visit);
}

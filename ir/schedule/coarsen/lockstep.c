/* Loops over a window that moves with the thread's index: the lanes of a warp go through all
** iterations that any of them makes, in step, and each makes those of its own:
**
**     for j in max(0, sub(t, 63)) to add(t, 1) by 1
**         s = add(s, load(k, j, 0))
** becomes
**     _from = max(0, sub(t, 63))
**     _to = add(t, 1)
**     _lane = mod(thread_idx(0), 32)
**     for _at in max(0, sub(sub(t, 63), _lane)) to add(add(t, 1), sub(31, _lane)) by 1
**         if and_then(ge(_at, _from), lt(_at, _to))
**             j = _at
**             s = add(s, load(k, j, 0))
**
** so that all lanes read the same row at a time, which comes once, and not 32 rows.
**
** Legal for a loop that counts by one, whose counter nothing reads elsewhere, in which threads do
** not meet, and whose bounds are sums that grow by one from each thread to the next, or the greater
** or the lesser of such ones and of others that are the same for all: no lane makes more than 31
** iterations less or more than the first one of its warp, and each makes the same as before, in the
** same order.
**
** Pays where lanes read rows at the counter, by themselves the same for all, and windows are known
** to be as long as a warp at least: there are 31 more iterations for each. */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/warp.h"
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/schedule.h"

typedef struct Lockstep {
    IrUnit *unit;
    IrAffine affine;
    const int *reads; /* of the kernel's variables */
    int axis;         /* along which a warp's lanes are neighbours */
} Lockstep;

/* ---- bounds ---------------------------------------------------------------------------------- */

static bool is_choice(const IrValue *value)
{
    return ir_is_intrinsic(value, INTR_min) || ir_is_intrinsic(value, INTR_max);
}

static bool slides(const Lockstep *l, const IrValue *value)
{
    int64_t slope;
    return affine_slope(&l->affine, value, l->axis, &slope) && slope == 1;
}

/* The part of a bound that moves, by one from each thread to the next; NULL: there is none. */
static const IrValue *moving_part(const Lockstep *l, const IrValue *bound)
{
    bound = sets_behind(&l->affine.sets, bound);
    if (!is_choice(bound))
        return slides(l, bound) ? bound : NULL;
    const IrValue *first = moving_part(l, bound->operands[0]);
    return first ? first : moving_part(l, bound->operands[1]);
}

/* A bound as another lane has it, which lies so many further; NULL: that is not known. */
static IrValue *bound_there(const Lockstep *l, const IrBuilder *b, const IrValue *bound,
                            IrValue *further)
{
    const IrValue *value = sets_behind(&l->affine.sets, bound);
    if (bound->type != type_int64)
        return NULL;
    if (!affine_varies(&l->affine, bound, l->axis))
        return build_copy(b, bound);
    if (!is_choice(value))
        return slides(l, bound) ? build_op(b, OP_add, build_copy(b, bound), build_copy(b, further))
                                : NULL;
    IrValue *first = bound_there(l, b, value->operands[0], further);
    IrValue *second = bound_there(l, b, value->operands[1], further);
    return first && second
               ? ir_intrinsic(b->arena, value->intrinsic, type_int64, b->span, first, second, NULL)
               : NULL;
}

/* ---- whether --------------------------------------------------------------------------------- */

/* Whether each warp's lanes are neighbours along the axis that is launched first. */
static bool has_whole_warps(const IrUnit *unit)
{
    const IrShape *shape = &unit->shape;
    uint32_t block[3];
    bool own = shape->free && !shape->whole && !shape->team && !shape->share;
    for (int k = 0; k < 3; k++)
        own &= shape->tile[k] == 1;
    if (shape->changed)
        return own && shape->block[0] % WARP_LANES == 0;
    return launch_block(unit->launch, block) && block[0] % WARP_LANES == 0;
}

/* What forbids it; NULL: nothing. */
static const char *forbids(const Lockstep *l, const IrStmt *loop)
{
    const IrVar *counter = loop->for_.var;
    const int *inside = ir_reads(l->unit->arena, l->unit->kernel, &loop->for_.body);
    if (!has_whole_warps(l->unit))
        return "lanes of its warps are not neighbours along one axis";
    if (counter->type != type_int64 || !ir_is_integer(loop->for_.step, 1) || loop->for_.sum_count ||
        loop->for_.unroll || sets_loop(&l->affine.sets, counter) != loop ||
        inside[counter->id] != l->reads[counter->id])
        return "it does not count by one, or its counter is read elsewhere";
    if (ir_region_effects(&loop->for_.body) & (EFFECT_MEETS | EFFECT_GRID_SYNC))
        return "threads meet in it";
    if (flow_ways_out(&loop->for_.body) & ~OUT_ITERATION)
        return "threads may leave it early";
    return NULL;
}

/* Whether a window is known to have as many iterations as a warp has lanes, at its longest. */
static bool is_long(const Lockstep *l, const IrStmt *loop)
{
    int64_t first = 0, last = 0;
    const IrValue *start = moving_part(l, loop->for_.start);
    const IrValue *stop = moving_part(l, loop->for_.stop);
    const IrValue *from = start ? affine_split(&l->affine.sets, start, &first) : NULL;
    const IrValue *to = stop ? affine_split(&l->affine.sets, stop, &last) : NULL;
    return from && to && affine_same(from, to) && last - first >= WARP_LANES;
}

typedef struct WindowRows {
    const Lockstep *l;
    IrAffine affine; /* estimates: conditions do not count */
    const IrVar *counter;
    bool any;
} WindowRows;

static bool is_same(const WindowRows *r, const IrValue *index)
{
    int64_t slope;
    return affine_slope(&r->affine, index, r->l->axis, &slope) && slope == 0;
}

/* Whether an index is the counter, and what is the same for all lanes. */
static bool is_at_counter(const WindowRows *r, const IrValue *index)
{
    const IrValue *rest = affine_without(r->l->unit->arena, index, r->counter);
    return ir_is_var(index, r->counter) || (rest && is_same(r, rest));
}

static void note_rows(void *context, const WarpAccess *access)
{
    WindowRows *r = context;
    bool rows = false, same = access->effect == EFFECT_READ;
    int count = access->array->type->array.rank;
    for (int k = 0; k < count; k++) {
        bool at = is_at_counter(r, access->indices[k]);
        same &= at || is_same(r, access->indices[k]);
        rows |= at && k + 1 < count;
    }
    r->any |= rows && same && ir_array_param(access->array) >= 0;
}

static bool reads_rows(const Lockstep *l, const IrStmt *loop)
{
    WindowRows rows = { l, l->affine, loop->for_.var, false };
    rows.affine.estimate = true;
    ir_each_warp_access(&loop->for_.body, note_rows, &rows);
    return rows.any;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static void make(Lockstep *l, IrRegion *region, IrStmt *loop)
{
    const IrBuilder b[1] = { { l->unit->arena, l->unit->kernel, loop->span } };
    IrVar *counter = loop->for_.var, *at = build_temporary(b, "_at", type_int64);
    IrVar *lane = build_counter(b, "_lane");
    IrVar *from = build_temporary(b, "_from", type_int64);
    IrVar *to = build_temporary(b, "_to", type_int64);
    IrValue *first = bound_there(l, b, loop->for_.start, build_op(b, OP_sub, 0, lane));
    IrValue *last = bound_there(l, b, loop->for_.stop, build_op(b, OP_sub, WARP_LANES - 1, lane));
    IrRegion front = { NULL, NULL }, body = { NULL, NULL };
    build_set(b, from, loop->for_.start, &front);
    build_set(b, to, loop->for_.stop, &front);
    build_set(b, lane, build_op(b, OP_mod, build_thread_index(b, l->axis), WARP_LANES), &front);
    ir_insert_region(region, loop, front);
    IrRegion *own = build_if(
        b, build_op(b, OP_and_then, build_op(b, OP_ge, at, from), build_op(b, OP_lt, at, to)),
        &body);
    build_set(b, counter, build_var(b, at), own);
    ir_append_region(own, loop->for_.body);
    loop->for_.body = body;
    loop->for_.var = at;
    loop->for_.start = first;
    loop->for_.stop = last;
    ir_remark(l->unit, loop->span,
              "the lanes of a warp go through the loop in step, each in the iterations of its own");
}

static void visit_stmt(void *context, IrRegion *region, IrStmt *loop)
{
    Lockstep *l = context;
    if (loop->kind != IR_FOR || !affine_varies(&l->affine, loop->for_.start, l->axis) ||
        !affine_varies(&l->affine, loop->for_.stop, l->axis))
        return;
    const IrBuilder b[1] = { { l->unit->arena, l->unit->kernel, loop->span } };
    Directive own = { DO_LOCKSTEP, .loop = schedule_loop(loop), .site = loop, .span = loop->span };
    const char *why = forbids(l, loop);
    if (!why && (!bound_there(l, b, loop->for_.start, build_int(b, 0)) ||
                 !bound_there(l, b, loop->for_.stop, build_int(b, 0))))
        why = "it does not begin and end one later from each thread to the next";
    if (why)
        schedule_refuse(l->unit, own, loop->span, why);
    Directive *directive =
        why ? NULL : schedule_take(l->unit, own, is_long(l, loop) && reads_rows(l, loop));
    if (!directive)
        return;
    make(l, region, loop);
    schedule_done(directive);
}

/* Whether a loop's bounds may both move; most kernels have none, and need no analysis. */
static void note_window(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_FOR && !ir_is_constant(stmt->for_.start) &&
                        !ir_is_constant(stmt->for_.stop) && ir_is_integer(stmt->for_.step, 1);
}

void ir_lockstep(IrUnit *unit)
{
    bool any = false;
    ir_each_stmt(&unit->kernel->body, note_window, &any);
    if (!any)
        return;
    ir_effects(unit);
    ir_grid_indices(unit);
    Lockstep l = { unit, ir_affine(unit, NULL),
                   ir_reads(unit->arena, unit->kernel, &unit->kernel->body),
                   launch_axis(&unit->shape, 0) };
    ir_change_stmts(&unit->kernel->body, visit_stmt, &l);
}

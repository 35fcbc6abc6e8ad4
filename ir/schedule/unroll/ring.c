/* A loop whose loads are under way several groups of iterations ahead, through a ring in shared
** memory in which each thread has places of its own:
**
**     for k in 0 to n by 1                   two groups of 16 iterations are begun
**         total = total + a[k, i]    =>      for _i in 0 to n - 47 by 16
**                                                a_near[_place, _k, self] = a[_i + 32 + _k, i],
**                                                    begun for 16 _k
**                                                waits for a_near[_slot]
**                                                for _k in 0 to 16 by 1
**                                                    total = total + a_near[_slot, _k, self]
**                                            the last two groups, which are on their way
**
** (here with three groups in the ring). The copies are asynchronous: they take no registers, and
** the thread goes on. Loops of fewer iterations than the ring has take none of it.
**
** Legal where loads may come before all iterations (unroll.c). A thread reads what it has copied
** itself, so no barrier is needed; it copies to places again that it read a group before.
**
** Pays for few threads (spread.c): the fewer there are, the more each must have on its way; not for
** so many warps that a multiprocessor has no room for the rings of all of its own. Not for
** steps that are not known, by which threads may go along rows, unless neighbours read side by
** side: copies of words that lie apart come one by one. Nor where an iteration has loads beside
** those: each group of iterations would wait for them, as it has fewer than if there were no ring.
*/
#include "ir/analysis/warp.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/unroll.h"

enum {
    RING_GROUP = 16,      /* iterations of a ring that are waited for together, */
    RING_PLACES = 128,    /* and that it has, */
    RING_BYTES = 32 << 10 /* at most so many bytes */
};

/* ---- what is made ---------------------------------------------------------------------------- */

IrValue *ring_load(const UnrollBuild *m, const Lifted *lifted)
{
    IrValue *index[] = { build_var(m->b, m->slot), build_var(m->b, m->held_at),
                         build_var(m->b, m->self) };
    return ir_load(m->b->arena, build_var(m->b, lifted->near), index, 3, m->b->span);
}

/* What another loop's ring was in, all of which a thread has waited for by now. */
static IrVar *near_again(const UnrollBuild *m, const Type *element)
{
    const Unroll *u = m->u;
    for (int i = 0; i < m->b->fn->var_count; i++) {
        IrVar *var = m->b->fn->vars[i];
        bool taken = var->kind != VAR_SHARED || var->type->array.element != element ||
                     var->type->array.rank != 3 || var->shape[0] != u->groups ||
                     var->shape[1] != u->iterations || var->shape[2] != u->unit->shape.block[0];
        for (int k = 0; k < u->count; k++)
            taken |= u->lifted[k].near == var;
        if (!taken)
            return var;
    }
    return NULL;
}

static IrVar *near_for(const UnrollBuild *m, const Lifted *lifted)
{
    const IrVar *array = lifted->access->array->var;
    IrVar *again = near_again(m, array->type->array.element);
    if (again)
        return again;
    return ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", array->name),
                        array->type->array.element, VAR_SHARED,
                        (int64_t[]){ m->u->groups, m->u->iterations, m->u->unit->shape.block[0] },
                        3, m->b->span);
}

/* The group in the ring so many behind another. */
static IrValue *further(const UnrollBuild *m, IrVar *slot, int groups)
{
    return build_op(m->b, OP_mod, build_plus(m->b, slot, groups), build_int(m->b, m->u->groups));
}

static void append_copy(const UnrollBuild *m, const Lifted *lifted, IrVar *slot, IrVar *k,
                        IrVar *at, IrRegion *out)
{
    const Access *access = lifted->access;
    IrValue *value = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, access->count + 6);
    value->intrinsic = INTR_async_copy;
    value->operands[0] = build_var(m->b, lifted->near);
    value->operands[1] = build_var(m->b, slot);
    value->operands[2] = build_var(m->b, k);
    value->operands[3] = build_var(m->b, m->self);
    value->operands[4] = build_copy(m->b, access->array);
    for (int i = 0; i < access->count; i++)
        value->operands[5 + i] = unroll_at(m, access->indices[i], at);
    value->operands[5 + access->count] = build_integer(m->b, type_int32, 1);
    ir_append(out, ir_eval(m->b->arena, value, m->b->span));
}

/* Begins to load what the iterations from `first` on need, as group `slot` of the ring. */
static void append_copies(const UnrollBuild *m, IrVar *first, IrVar *slot, const IrValue *step,
                          IrRegion *out)
{
    const Unroll *u = m->u;
    IrVar *k = build_counter(m->b, "_k");
    IrStmt *loop = build_for(m->b, k, 0, u->iterations, 1, UNROLL_ALL);
    IrVar *at = unroll_let(
        m, &loop->for_.body, u->loop->for_.var->name,
        build_op(m->b, OP_add, first, build_op(m->b, OP_mul, k, unroll_steps(m, step, 1))));
    at->nonnegative = u->loop->for_.var->nonnegative;
    for (int i = 0; i < u->count; i++)
        append_copy(m, &u->lifted[i], slot, k, at, &loop->for_.body);
    ir_append(out, loop);
    build_call(m->b, INTR_async_commit, NULL, out);
}

/* All groups but one, before the first. */
static void append_front(const UnrollBuild *m, IrVar *next, const IrValue *step, IrRegion *out)
{
    const Unroll *u = m->u;
    IrVar *group = build_counter(m->b, "_group");
    IrStmt *loop = build_for(m->b, group, 0, u->groups - 1, 1, 1);
    IrVar *first =
        unroll_let(m, &loop->for_.body, "_first",
                   build_op(m->b, OP_add, next,
                            build_op(m->b, OP_mul, group, unroll_steps(m, step, u->iterations))));
    append_copies(m, first, group, step, &loop->for_.body);
    ir_append(out, loop);
}

/* Groups from `next` on that end before `stop`; `ahead`: each begins to load for another. */
static void append_groups(UnrollBuild *m, IrVar *next, IrValue *stop, const IrValue *step,
                          bool ahead, IrRegion *out)
{
    const Unroll *u = m->u;
    IrStmt *loop = unroll_new_loop(m, "_i", build_var(m->b, next), stop,
                                   unroll_steps(m, step, u->iterations), 1);
    IrRegion *body = &loop->for_.body;
    if (ahead) {
        IrVar *coming =
            unroll_let(m, body, "_coming",
                       build_op(m->b, OP_add, loop->for_.var,
                                unroll_steps(m, step, (u->groups - 1) * u->iterations)));
        append_copies(m, coming,
                      build_let(m->b, "_place", further(m, m->slot, u->groups - 1), body), step,
                      body);
        build_call(m->b, INTR_async_wait, build_integer(m->b, type_int32, u->groups - 1), body);
    }
    unroll_group(m, loop->for_.var, step, body);
    build_set(m->b, m->slot, further(m, m->slot, 1), body);
    build_set(m->b, next,
              build_op(m->b, OP_add, loop->for_.var, unroll_steps(m, step, u->iterations)), body);
    ir_append(out, loop);
}

void ring_make(UnrollBuild *m, IrVar *next, IrVar *stop, const IrValue *step, IrRegion *out)
{
    const Unroll *u = m->u;
    IrVar *steady = unroll_let(
        m, out, "_steady",
        build_op(m->b, OP_sub, stop, unroll_steps(m, step, u->groups * u->iterations - 1)));
    IrRegion *within = build_if(m->b, build_op(m->b, OP_lt, next, steady), out);
    for (int i = 0; i < u->count; i++)
        m->u->lifted[i].near = near_for(m, &u->lifted[i]);
    m->self = build_let(m->b, "_self", build_thread_index(m->b, 0), within);
    append_front(m, next, step, within);
    m->slot = build_let(m->b, "_slot", 0, within);
    append_groups(m, next, build_var(m->b, steady), step, true, within);
    build_call(m->b, INTR_async_wait, build_integer(m->b, type_int32, 0), within);
    append_groups(m, next, build_op(m->b, OP_sub, stop, unroll_steps(m, step, u->iterations - 1)),
                  step, false, within);
}

/* ---- whether --------------------------------------------------------------------------------- */

/* Whether blocks are of one warp each because there are few (spread.c). */
static bool has_few_threads(const IrUnit *unit)
{
    const IrShape *shape = &unit->shape;
    return shape->changed && shape->free && !shape->whole && shape->block[0] == WARP_LANES &&
           shape->block[1] == 1 && shape->block[2] == 1 && shape->tile[0] == 1;
}

static bool is_uniform(const Access *access)
{
    bool uniform = true;
    for (int k = 0; k < access->count; k++)
        uniform &= ir_uniform_value(access->indices[k]);
    return uniform;
}

/* How much farther the next thread is, in the same iteration; false where that is unknown. */
static bool lane_slope(const Unroll *u, const IrAffine *affine, const IrValue *index,
                       int64_t *slope)
{
    const IrValue *rest = affine_without(u->unit->arena, index, u->loop->for_.var);
    int64_t start = 0;
    if (rest && !affine_slope(affine, u->loop->for_.start, 0, &start))
        return false;
    if (!affine_slope(affine, rest ? rest : index, 0, slope))
        return false;
    *slope += start;
    return true;
}

/* Whether the loop's counter is a part of a sum or a difference, once. */
static bool counts(const Unroll *u, const IrValue *sum)
{
    const IrVar *counter = u->loop->for_.var;
    if ((sum->op != OP_add && sum->op != OP_sub) || !type_is_signed(sum->type))
        return ir_is_var(sum, counter);
    bool second = ir_mentions(sum->operands[1], counter) != 0;
    return counts(u, sum->operands[second]) && (!second || !ir_mentions(sum->operands[0], counter));
}

/* Whether a thread comes in later iterations to what its neighbours read now, or reads what they
** do, also where threads make different numbers of iterations. */
static bool is_shared(const Unroll *u, const IrAffine *affine, const Access *access)
{
    int64_t slope = 0;
    for (int k = 0; k < access->count; k++)
        if (slope || !lane_slope(u, affine, access->indices[k], &slope))
            return false;
    if (!access->count || slope < -1 || slope > 1)
        return false;
    return !slope ||
           (ir_is_constant(u->loop->for_.step) && counts(u, access->indices[access->count - 1]));
}

/* Loads at which all threads read the same element stay as they are, or neighbours one after the
** other: a cache has it after the first, and each lane would make a copy of its own. */
static Unroll without_shared(Unroll u)
{
    IrAffine affine = ir_affine(u.unit, NULL);
    affine.estimate = true; /* it only says what pays */
    int count = 0;
    for (int i = 0; i < u.count; i++)
        if (!is_uniform(u.lifted[i].access) && !is_shared(&u, &affine, u.lifted[i].access))
            u.lifted[count++] = u.lifted[i];
    u.count = count;
    return u;
}

bool ring_shares(const Unroll *u)
{
    IrAffine affine = ir_affine(u->unit, NULL);
    bool any = false;
    affine.estimate = true; /* it only says what pays */
    for (int i = 0; i < u->count; i++) {
        const Access *access = u->lifted[i].access;
        int64_t slope;
        for (int k = 0; k < access->count && is_shared(u, &affine, access); k++)
            any |= lane_slope(u, &affine, access->indices[k], &slope) && slope;
    }
    return any;
}

/* Whether what neighbours load in one iteration lies side by side. */
static bool lies_side_by_side(const Unroll *u)
{
    const IrAffine affine = ir_affine(u->unit, NULL);
    bool fine = true;
    for (int i = 0; i < u->count && fine; i++) {
        const Access *access = u->lifted[i].access;
        int64_t slope;
        for (int k = 0; k < access->count && fine; k++)
            fine = lane_slope(u, &affine, access->indices[k], &slope) &&
                   slope == (k == access->count - 1 ? 1 : 0);
        fine = fine && access->count && access->array->type->array.layout == LAYOUT_C;
    }
    return fine;
}

/* Groups in a ring of RING_PLACES or, of what takes more bytes, fewer; 0 where there is no room, or
** the loop too short for all. */
static int groups_of_ring(const Unroll *u)
{
    int groups = RING_PLACES / RING_GROUP, bytes = 0;
    int64_t iterations = ir_trip_count(u->loop);
    for (int i = 0; i < u->count; i++) {
        const Type *array = u->lifted[i].access->array->type;
        int size = (int)type_size(array->array.element);
        /* What a copy takes lies at a multiple of its bytes. */
        if ((size != 4 && size != 8) || (int)type_align(array->array.element) != size ||
            array->array.unaligned)
            return 0;
        bytes += size * RING_GROUP * WARP_LANES;
    }
    while (groups * bytes > RING_BYTES || (iterations >= 0 && iterations < groups * RING_GROUP))
        groups /= 2;
    return groups > 1 ? groups : 0;
}

/* What forbids a ring; NULL: nothing. */
static const char *forbids_ring(const Unroll *u, int nodes)
{
    if (!u->unit->processor && u->unit->arch < 80)
        return "its copies are asynchronous, for which a GPU of sm_80 or later is needed";
    if (!has_few_threads(u->unit))
        return "blocks are not of one warp each";
    if (u->claim_count || unroll_is_short(u->loop, nodes) || nodes * RING_GROUP > NODES_MOST)
        return "its iterations are few, or large, or do atomics";
    if (ir_shared_bytes(u->unit->kernel) + RING_BYTES > SHARED_BYTES)
        return "it has no room in shared memory";
    return NULL;
}

bool ring_try(Unroll u, int nodes)
{
    const char *why = forbids_ring(&u, nodes);
    int loads = u.count;
    if (!why)
        u = without_shared(u);
    u.groups = u.count && !why ? groups_of_ring(&u) : 0;
    u.iterations = RING_GROUP;
    if (!why && !u.groups)
        why = "what can be loaded ahead does not make two groups of 16 iterations in 32 KB";
    if (why) {
        schedule_refuse(u.unit, unroll_directive(&u, DO_RING), u.loop->span, why);
        return false;
    }
    bool pays = !u.unit->unroll && u.count == loads &&
                !launch_large_grid(u.unit->launch, GRID_FROM_32768) &&
                (ir_is_constant(u.loop->for_.step) || lies_side_by_side(&u));
    Directive *directive = schedule_take(u.unit, unroll_directive(&u, DO_RING), pays);
    if (!directive)
        return false;
    unroll_make(&u);
    ir_remark(u.unit, u.loop->span,
              "the loop loads %d iterations ahead, by asynchronous copies through shared memory",
              (u.groups - 1) * u.iterations);
    schedule_done(directive);
    return true;
}

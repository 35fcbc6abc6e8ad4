/* Launches of few threads, each with a loop to go through, get blocks of one warp:
**
**     i = grid(0)                            if lt(grid(0), threads)
**     if lt(i, n)                    =>          i = grid(0)
**         for k in 0 to m by 1                   if lt(i, n)
**             ...                                    ...
**
** with blocks of 32 threads, so that all multiprocessors have some of the warps, not those alone
** that the few blocks asked for go to: 64 blocks of 128 threads leave half of an H100 idle, 256 of
** 32 give each multiprocessor one or two.
**
** Legal where it is unobservable which thread does what (independent.c) and the kernel asks for no
** more than the thread's indices, or than its index along x and how many threads there are, which
** it then takes from the launch that was asked for. Threads beyond those do nothing. Axes may have
** been exchanged (axes.c): it is the first of what is launched that blocks go along then.
**
** Pays for fewer threads than fill the multiprocessors, if something is done again and again, but
** no atomics, of which a block's can be gathered, and no iterations that are shared out among
** threads in any way (strides.c), which unroll.c then takes several of at once; along several axes,
** where threads share what they read along no other than the first, and that is as long as a warp;
** or a part of one, where threads are so few that each multiprocessor has few warps even so.
** Threads whose axes were exchanged may share what they read along the others: elements side by
** side for the lanes of a warp, which the next warps find in the multiprocessor's cache. */
#include "ir/analysis/warp.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/schedule.h"

enum { LANES_LEAST = 8 }; /* of a warp, whose others have nothing to do */

/* Whether blocks have another shape than that asked for, but for the order of its axes. */
static bool has_shape(const IrShape *shape)
{
    bool whole = !shape->free;
    for (int k = 0; k < 3 && shape->changed; k++)
        whole &= shape->divide[k] == 1 && shape->merge[k] == 1;
    return shape->changed && !whole;
}

/* What forbids it; NULL: nothing. */
static const char *forbids(IrUnit *unit, Span *where)
{
    const IrFunc *fn = unit->kernel;
    *where = fn->span;
    if (has_shape(&unit->shape) || ir_is_bound(&fn->options))
        return "blocks have a shape already";
    if (!fn->body.first || !ir_has_loop(&fn->body))
        return "threads go through no loop";
    if (ir_shows_order(fn) || fn->effects & EFFECT_ATOMIC)
        return "others see in which order its threads run, or it does atomics";
    ir_grid_indices(unit);
    if (!ir_goes_along(fn, 3, false) && !ir_goes_along(fn, 1, true))
        return "threads ask for more than their indices";
    bool exchanged = launch_axis(&unit->shape, 0) != 0;
    if (launch_large_grid(unit->launch, exchanged ? GRID_COARSENS_4 : GRID_TALL))
        return "more threads lie along y or z than blocks may";
    IrAffine affine = ir_affine(unit, NULL);
    if (strides_find(unit, &affine, NULL, 0))
        return "its iterations are shared out among threads in any way";
    return ir_dependent(unit, where);
}

typedef struct Alone {
    const IrAffine *affine;
    unsigned axes; /* that the kernel asks for */
    bool fine;
} Alone;

static void note_load(void *context, IrValue *value)
{
    Alone *alone = context;
    for (int axis = 1; axis < 3 && value->op == OP_load; axis++) {
        bool varies = !(alone->axes >> axis & 1);
        for (int i = 0; i < value->count; i++)
            varies |= affine_varies(alone->affine, value->operands[i], axis);
        alone->fine &= varies;
    }
}

/* Whether enough lanes have something to do where a warp's are along the first axis alone. */
static bool fills_lanes(const IrUnit *unit)
{
    uint32_t block[3];
    int first = launch_axis(&unit->shape, 0);
    return launch_along_64(unit->launch, first) ||
           (first && launch_along_32(unit->launch, first)) ||
           (launch_large_grid(unit->launch, GRID_BELOW_8192) && launch_block(unit->launch, block) &&
            block[first] >= LANES_LEAST);
}

/* Whether blocks may have one thread along all axes but the first: they have, or what threads read
** is another element for each along these, else a block of several would have it nearer; or axes
** were exchanged, so that what they share is a row of elements, which the cache has. */
static bool one_by_one(const IrUnit *unit)
{
    uint32_t block[3];
    if (ir_goes_along(unit->kernel, 1, true) ||
        (launch_block(unit->launch, block) && block[1] == 1 && block[2] == 1))
        return true;
    if (!fills_lanes(unit))
        return false;
    const IrAffine affine = ir_affine(unit, guard_find(unit->arena, unit->kernel).within);
    Alone alone = { &affine, ir_axes_asked(unit->kernel), true };
    ir_each_node_in(&unit->kernel->body, note_load, &alone);
    return alone.fine || launch_axis(&unit->shape, 0);
}

static void guard(IrUnit *unit)
{
    const IrBuilder b[1] = { { unit->arena, unit->kernel, unit->kernel->body.first->span } };
    IrVar *threads = ir_hidden(unit, HIDDEN_THREADS, launch_axis(&unit->shape, 0));
    ir_put_indices(unit->arena, &unit->kernel->body, NULL, &threads);
    IrValue *place = ir_axis(unit->arena, INTR_grid, 0, b->span);
    IrRegion body = { NULL, NULL };
    IrRegion *inside = build_if(b, build_op(b, OP_lt, place, threads), &body);
    ir_append_region(inside, unit->kernel->body);
    unit->kernel->body = body;
}

void ir_spread(IrUnit *unit)
{
    Span where;
    ir_effects(unit);
    const char *why = forbids(unit, &where);
    if (why) {
        schedule_refuse_all(unit, DO_SPREAD, where, why);
        return;
    }
    Directive *directive = schedule_take(
        unit, (Directive){ DO_SPREAD, .site = unit->kernel, .span = unit->kernel->span },
        !launch_large_grid(unit->launch, GRID_COARSENS_4) && one_by_one(unit));
    if (!directive)
        return;
    schedule_done(directive);
    guard(unit);
    ir_shape_blocks(unit, WARP_LANES);
    ir_remark(unit, unit->kernel->span, "blocks of %d threads: there are few", WARP_LANES);
}

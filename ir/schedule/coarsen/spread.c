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
** more than the thread's index along x. Threads beyond those asked for do nothing.
**
** Pays for fewer threads than fill the multiprocessors, if something is done again and again, but
** no atomics, of which a block's can be gathered. */
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/schedule.h"

enum { WARP = 32 };

/* What forbids it; NULL: nothing. */
static const char *forbids(IrUnit *unit, Span *where)
{
    const IrFunc *fn = unit->kernel;
    *where = fn->span;
    if (unit->shape.changed || ir_is_bound(&fn->options))
        return "blocks have a shape already";
    if (!fn->body.first || !ir_has_loop(&fn->body))
        return "threads go through no loop";
    if (ir_shows_order(fn) || fn->effects & EFFECT_ATOMIC)
        return "others see in which order its threads run, or it does atomics";
    ir_grid_indices(unit);
    if (!ir_goes_along(fn, 1, false))
        return "threads ask for more than their index along x";
    return ir_dependent(unit, where);
}

static void guard(IrUnit *unit)
{
    const IrBuilder b[1] = { { unit->arena, unit->kernel, unit->kernel->body.first->span } };
    IrVar *threads = ir_hidden(unit, HIDDEN_THREADS, 0);
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
        !launch_large_grid(unit->launch, GRID_COARSENS_4));
    if (!directive)
        return;
    schedule_done(directive);
    guard(unit);
    ir_shape_blocks(unit, WARP);
    ir_remark(unit, unit->kernel->span, "blocks of %d threads: there are few", WARP);
}

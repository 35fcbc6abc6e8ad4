/* Loops that warps share out and that add to elements, wherever these are. See team.c.
**
**     mine: a thread's own array                    if team != 0: mine[v] = 0, for all v
**     for r in 0 to n by 1                          else: near[v, lane] = 0, for all v
**         store mine[x[r, c]] =                     for r in team to n by 16
**             add(mine[x[r, c]], 1)            =>       store mine[x[r, c]] = ...
**                                                   eval syncthreads()
**                                                   eval atomic_add(near, v, lane, mine[v])
**                                                   eval syncthreads()
**                                                   mine[v] = near[v, lane]
**
** Legal of integers, whose sums wrap and so come to the same in any order, if the loop does nothing
** else with the array. What else is done with it all of the team do, each with its own. Atomics
** on arrays that are parameters stay what they are: each iteration has its own still, and other
** threads' come between them in any case; privatise.c gathers them.
**
** Pays where threads are few: other ways have been tried before. */
#include "ir/builder.h"
#include "ir/schedule/stage/team_make.h"

enum { ADDS_BYTES = 16 << 10 };

bool team_adds_fit(const TeamLoop *loop)
{
    int64_t bytes = 0;
    for (int i = 0; i < loop->tally_count; i++) {
        const IrVar *array = loop->tallies[i].array;
        bool own = array->kind == VAR_PRIVATE;
        if (own && array->type->array.rank > 1)
            return false;
        bytes += own ? WARP_LANES * ir_array_bytes(array) : 0;
    }
    return bytes <= ADDS_BYTES;
}

/* A loop over the elements of an array of the thread's own. */
static IrStmt *over(const TeamBuild *m, const IrVar *array, IrRegion *out)
{
    IrStmt *each = build_for(m->b, build_counter(m->b, "_v"), 0, array->shape[0], 1, UNROLL_ALL);
    ir_append(out, each);
    return each;
}

void team_begin_adds(TeamBuild *m, TeamLoop *loop, IrRegion *out)
{
    for (int i = 0; i < loop->tally_count; i++) {
        TeamTally *tally = &loop->tallies[i];
        const IrVar *array = tally->array;
        const Type *element = array->type->array.element;
        if (array->kind != VAR_PRIVATE)
            continue;
        tally->near = ir_array_var(
            m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", array->name), element,
            VAR_SHARED, (int64_t[]){ array->shape[0], WARP_LANES }, 2, m->b->span);
        IrStmt *zeros = over(m, array, build_if(m->b, build_op(m->b, OP_eq, m->member, 0), out));
        build_store(m->b, tally->near, build_var(m->b, zeros->for_.var), build_var(m->b, m->lane),
                    build_integer(m->b, element, 0), &zeros->for_.body);
        zeros = over(m, array, build_if(m->b, build_op(m->b, OP_ne, m->member, 0), out));
        build_store(m->b, array, build_var(m->b, zeros->for_.var), NULL,
                    build_integer(m->b, element, 0), &zeros->for_.body);
    }
}

static void append_adds(const TeamBuild *m, const TeamTally *tally, IrRegion *out)
{
    IrStmt *each = over(m, tally->array, out);
    IrValue *own = build_load(m->b, tally->array, build_var(m->b, each->for_.var), NULL);
    IrValue *atomic = ir_value(m->b->arena, OP_intrinsic, own->type, m->b->span, 4);
    atomic->intrinsic = INTR_atomic_add;
    atomic->operands[0] = build_var(m->b, tally->near);
    atomic->operands[1] = build_var(m->b, each->for_.var);
    atomic->operands[2] = build_var(m->b, m->lane);
    atomic->operands[3] = own;
    ir_append(&each->for_.body, ir_eval(m->b->arena, atomic, m->b->span));
}

void team_end_adds(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < loop->tally_count; i++)
        any |= loop->tallies[i].near != NULL;
    if (!any)
        return;
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    IrRegion *own = build_if(m->b, m->active, out);
    for (int i = 0; i < loop->tally_count; i++)
        if (loop->tallies[i].near)
            append_adds(m, &loop->tallies[i], own);
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    own = build_if(m->b, m->active, out);
    for (int i = 0; i < loop->tally_count; i++) {
        const TeamTally *tally = &loop->tallies[i];
        IrStmt *each = tally->near ? over(m, tally->array, own) : NULL;
        if (each)
            build_store(m->b, tally->array, build_var(m->b, each->for_.var), NULL,
                        build_load(m->b, tally->near, build_var(m->b, each->for_.var),
                                   build_var(m->b, m->lane)),
                        &each->for_.body);
    }
}

/* Loops along rows in teams of as many warps as a warp has lanes: each warp takes the row of one of
** the team's threads, and its lanes share the iterations out.
**
**     for k in 0 to m by 1                 of lane number `warp`: i_row, most_row
**         most = max(most, a[i, k])   =>   for k in lane to m by 32
**                                              most_row = max(most_row, a[i_row, k])
**                                          lanes put most_row together: most_parts[warp]
**                                          eval barrier()
**                                          most = most_parts[lane]
**
** All warps have the same 32 threads, a lane each, which come to the same outside of loops. So each
** lane has what its thread brings to the loop, and hands it to the others of the warp that takes
** this thread's row. */
#include "ir/schedule/stage/team_make.h"

/* ---- what a thread brings to a loop ---------------------------------------------------------- */

typedef struct Brought {
    const IrFunc *fn;
    IrSets sets; /* of the loop */
    bool *mentioned, fine;
} Brought;

static void note_var(void *context, IrValue *value)
{
    Brought *brought = context;
    if (value->op != OP_var)
        return;
    const IrVar *var = value->var;
    bool array = value->type->kind == TY_ARRAY;
    bool number = type_is_number(var->type);
    brought->mentioned[var->id] |= var->kind == VAR_LOCAL && !sets_any(&brought->sets, var);
    brought->fine &= array ? var->kind == VAR_PARAM || var->kind == VAR_CONSTANT
                           : !brought->mentioned[var->id] || (number && type_size(var->type) >= 4);
}

static Brought brought_of(Arena *arena, const IrFunc *fn, const IrStmt *loop)
{
    Brought brought = { fn, ir_sets_of_loop(arena, fn, loop),
                        arena_array(arena, bool, fn->var_count + 1), true };
    ir_each_node_of(loop, note_var, &brought);
    return brought;
}

bool team_hands(const Team *t, const IrStmt *loop)
{
    return brought_of(t->unit->arena, t->unit->kernel, loop).fine;
}

/* A variable as the thread has it whose row the warp takes. */
static IrValue *handed(const TeamBuild *m, const IrVar *var)
{
    return ir_intrinsic(m->b->arena, INTR_shfl_sync, var->type, m->b->span,
                        build_integer(m->b, type_uint32, 0xffffffff), build_var(m->b, var),
                        build_cast(m->b, type_int32, m->member));
}

static IrValue *index_of_row(const IrClone *clone, const IrValue *value)
{
    const TeamBuild *m = clone->context;
    if (ir_thread_axis(&m->t->affine.sets, value) != 0)
        return NULL;
    IrValue *row = build_var(m->b, m->row);
    return value->type == type_int64 ? row : build_cast(m->b, value->type, row);
}

IrClone team_hand_over(const TeamBuild *m, const IrStmt *loop, IrRegion *out)
{
    const IrFunc *fn = m->b->fn;
    int count = fn->var_count;
    Brought brought = brought_of(m->b->arena, fn, loop);
    IrClone clone = { .arena = m->b->arena,
                      .vars = arena_array(m->b->arena, IrVar *, count + 1),
                      .value = index_of_row,
                      .context = (void *)m };
    for (int i = 0; i < count; i++) {
        IrVar *var = fn->vars[i];
        IrValue *known = build_var(m->b, var);
        if (!brought.mentioned[var->id] || ir_thread_axis(&m->t->affine.sets, known) == 0)
            continue;
        IrValue *argument = guard_in_arguments(m->b->arena, &m->t->affine, known);
        bool same = argument && var->type == type_int64;
        clone.vars[var->id] = build_temporary(m->b, var->name, var->type);
        ir_take_range(clone.vars[var->id], known);
        build_set(m->b, clone.vars[var->id], same ? argument : handed(m, var), out);
    }
    return clone;
}

/* ---- what the team comes to ------------------------------------------------------------------ */

IrVar *team_parts(const TeamBuild *m, const IrVar *var)
{
    return ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_parts", var->name),
                        var->type, VAR_SHARED, (int64_t[]){ WARP_LANES }, 1, m->b->span);
}

void team_spread(const TeamBuild *m, const TeamLoop *loop, IrVar *const *parts, IrRegion *out)
{
    if (!loop->sum_count)
        return;
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    IrRegion *own = build_if(m->b, m->active, out);
    for (int i = 0; i < loop->sum_count; i++)
        build_set(m->b, loop->sums[i].var, build_load(m->b, parts[i], m->lane, NULL), own);
}

void team_rows(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    IrVar *parts[TEAM_SUMS];
    IrRegion *own = build_if(m->b, m->taken, out);
    TeamBuild lanes = *m;
    TeamLoop of_row = *loop;
    IrClone clone = team_hand_over(m, loop->loop, own);
    lanes.member = m->lane;
    lanes.size = WARP_LANES;
    for (int i = 0; i < loop->sum_count; i++) {
        IrVar *var = loop->sums[i].var, *sum = build_temporary(m->b, var->name, var->type);
        parts[i] = team_parts(m, var);
        if (i != 1 || !loop->pick_count)
            build_set(m->b, sum, handed(m, var), own);
        clone.vars[var->id] = of_row.sums[i].var = sum;
    }
    team_begin(&lanes, &of_row, own);
    team_share(&lanes, ir_clone_stmt(&clone, loop->loop), own);
    team_exchange(&lanes, &of_row, own);
    for (int i = 0; i < loop->sum_count; i++) {
        build_store(m->b, parts[i], m->member, NULL, of_row.sums[i].var, own);
    }
    team_spread(m, loop, parts, out);
}

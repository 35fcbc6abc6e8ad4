/* Blocks whose threads share out a loop by themselves are teams already, and what their iterations
** add by atomics to one row meets in shared memory, as of other teams (team_tally.c):
**
**     row = block_idx(0)                                 _for all v: store near[v] = 0
**     for j in thread_idx(0) to m by block_dim(0)        eval syncthreads()
**         eval atomic_add(hist, row, x[row, j], 1)  =>   for j in thread_idx(0) to m by ...
**                                                            eval atomic_add(near, x[row, j], 1)
**                                                        eval syncthreads()
**                                                        for all v: if near[v] != 0:
**                                                            eval atomic_add(hist, row, v, near[v])
**
** Legal if all threads of a block come to the loop, and name one row there; the loop does nothing
** else with the array, which has no byte in common with another argument; and no other thread can
** wait for what it adds: the kernel has no fence, nothing ends a thread, no loop waits for memory.
**
** Pays for loops of LONG_AXIS iterations and more. Arrays of few elements are left to privatise.c,
** which has copies of all of them. */
#include "ir/schedule/stage/team_make.h"

#include "ir/analysis/accesses.h"

typedef struct Blocks {
    Team t;
    TeamBuild m;
    bool any;
} Blocks;

typedef struct LoopAdds {
    const Team *t;
    TeamLoop *loop;
} LoopAdds;

static void note_adds(void *context, IrStmt *stmt)
{
    LoopAdds *adds = context;
    if (stmt->kind == IR_EVAL)
        team_take_tally(adds->t, adds->loop, stmt);
}

static bool is_for_block(const Team *t, const TeamLoop *loop, const TeamTally *tally)
{
    int param = tally->array->kind == VAR_PARAM ? tally->array->param : -1;
    bool fine = tally->room && tally->atomic && param >= 0 &&
                !launch_elements_to_4096(t->unit->launch, param) &&
                launch_alone(t->unit->launch, param) && team_tally_alone(t, loop, tally);
    for (int i = 0; fine && i < tally->array->type->array.rank - 1; i++)
        fine = ir_uniform_value(tally->row[i]);
    return fine;
}

/* Whether the block's threads together make no more iterations than the loop's end, and a block's
** threads: it has one axis, and each goes on by the block. */
static bool shares_iterations(const Blocks *s, const IrStmt *loop)
{
    const IrValue *step = sets_behind_casts(&s->t.affine.sets, loop->for_.step);
    uint32_t block[3];
    return launch_block(s->t.unit->launch, block) && block[1] == 1 && block[2] == 1 &&
           ((ir_is_intrinsic(step, INTR_block_dim) && step->index == 0) ||
            ir_is_integer(step, block[0]));
}

/* Keeps the arrays that a loop adds to one row of, as schedules have it. */
static bool find_tallies(Blocks *s, TeamLoop *loop)
{
    LoopAdds adds = { &s->t, loop };
    int count = 0;
    if (ir_stmt_effects(loop->loop) & EFFECT_BEYOND_MEMORY)
        return false;
    ir_each_stmt(&loop->loop->for_.body, note_adds, &adds);
    for (int i = 0; i < loop->tally_count; i++) {
        const TeamTally *tally = &loop->tallies[i];
        const Directive own = { .primitive = DO_TALLY,
                                .array = tally->array->name,
                                .loop = schedule_loop(loop->loop),
                                .site = loop->loop,
                                .span = loop->loop->span };
        bool pays = front_is_long(s->t.unit, &s->t.affine.sets, loop->loop, loop->loop->for_.stop);
        if (!is_for_block(&s->t, loop, tally)) {
            schedule_refuse(s->t.unit, own, loop->loop->span,
                            "it does not add along one row of a block's alone");
            continue;
        }
        Directive *taken = schedule_take(s->t.unit, own, pays);
        if (!taken)
            continue;
        schedule_done(taken);
        loop->tallies[count] = *tally;
        if (!shares_iterations(s, loop->loop))
            loop->tallies[count].held = tally->array->type->array.element;
        count++;
    }
    loop->tally_count = count;
    return count > 0;
}

/* The thread's number in the block, and what it has to be known of that. */
static bool begin(Blocks *s)
{
    IrUnit *unit = s->t.unit;
    uint32_t block[3];
    IrRegion front = { NULL, NULL };
    if (!launch_block(unit->launch, block))
        return false;
    s->m = (TeamBuild){ .b = { { unit->arena, unit->kernel, unit->kernel->span } },
                        .t = &s->t,
                        .teams = 1,
                        .size = (int)(block[0] * block[1] * block[2]) };
    IrValue *self = build_int(s->m.b, 0);
    for (int axis = 2; axis >= 0; axis--)
        if (block[axis] > 1)
            self = build_op(s->m.b, OP_add, build_times(s->m.b, self, block[axis]),
                            build_thread_index(s->m.b, axis));
    s->m.member = build_let(s->m.b, "_self", self, &front);
    ir_insert_before(&unit->kernel->body, unit->kernel->body.first, front.first);
    return true;
}

static void make(Blocks *s, IrRegion *region, TeamLoop *loop)
{
    IrRegion before = { NULL, NULL }, behind = { NULL, NULL };
    s->m.b->span = loop->loop->span;
    team_begin_tallies(&s->m, loop, &before);
    team_change_tallies(&s->m, loop);
    team_meet(&s->m, &behind);
    team_end_tallies(&s->m, loop, &behind);
    ir_insert_region(region, loop->loop, before);
    ir_insert_region(region, loop->loop->next, behind);
    for (int i = 0; i < loop->tally_count; i++)
        ir_remark(s->t.unit, loop->loop->span,
                  "what it adds to '%s' meets in shared memory, and is brought there behind it",
                  loop->tallies[i].array->name);
}

static void go(Blocks *s, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        TeamLoop loop = { .loop = stmt };
        next = stmt->next;
        if (stmt->kind == IR_FOR && find_tallies(s, &loop)) {
            if (s->any || (s->any = begin(s)))
                make(s, region, &loop);
            continue;
        }
        bool all = stmt->kind == IR_IF    ? ir_uniform_value(stmt->if_.condition)
                   : stmt->kind == IR_FOR ? ir_uniform_loop(stmt) && !flow_jumps(&stmt->for_.body)
                                          : false;
        if (all)
            for_each_region (inner, stmt)
                go(s, inner);
    }
}

void team_blocks(IrUnit *unit)
{
    enum { WAITS = EFFECT_FENCE | EFFECT_GRID_SYNC | EFFECT_STOP };
    IrFunc *fn = unit->kernel;
    uint32_t block[3];
    int effects = ir_region_effects(&fn->body);
    if (!(effects & EFFECT_ATOMIC) || effects & WAITS || unit->shape.changed ||
        ir_region_has(&fn->body, 1 << IR_RETURN) || ir_holds_arrays(fn) ||
        ir_has_kind(fn, VAR_SHARED_DYNAMIC) || !launch_block(unit->launch, block) ||
        ir_spin(unit->arena, unit))
        return;
    ir_uniform(unit);
    Blocks s = { .t = { .unit = unit } };
    s.t.affine.sets = ir_sets(unit->arena, fn, &fn->body);
    go(&s, &fn->body);
}

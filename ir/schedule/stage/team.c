/* The lanes of a warp, or the warps of a block, do together what one thread was asked to do:
**
**     i = grid(0)                            i = block_idx(0) * 4 + thread_idx(0) / 32
**     if i < n                               if i < threads and i < n
**         total = 0.0                            total = 0.0
**         for k in 0 to m by 1                   if lane != 0: total = -0.0
**             total = total + a[i, k]   =>       for k in lane to m by 32
**         sums[i] = total                            total = total + a[i, k]
**                                                total = total + shfl_xor(total, 16), 8, 4, 2, 1
**                                                if lane == 0: sums[i] = total
**
** Lanes do so where a thread's elements lie one behind the other, `a[i, k]`: they read what lies
** side by side. Where those of neighbouring threads do, `a[k, i]`, the warps of a block do: lanes
** stay neighbours, and sums meet in shared memory.
**
** Loops whose iterations come in a certain order warps share in another way: one of them makes the
** iterations, of what all bring to shared memory (team_order.c). Then 32 warps have 32 threads, and
** each warp takes the row of one of these in loops along rows (team_rows.c).
**
** Legal where it is unobservable which thread does what (independent.c), and all of a team come to
** the same outside of the loops that are shared out: they read no array that the kernel writes,
** which overlaps no other argument. One of them stores. Loops are shared out that count upward by
** a number, from one that is never negative, and that nothing leaves early. What their iterations
** hand on are sums that may be added up in any order (team_sums.c): of integers, minima, maxima,
** bits, and what one branch picks; of floats with reassociate=True alone. What they store lies at
** the counter along an axis, where no other iteration comes, or is added to integers, which may be
** done in any order (team_tally.c). For warps, which all have to meet,
** nothing may stand around the loops but conditions around the kernel.
**
** Of few threads a whole block does what one was asked to, along any axes of the grid: lanes put
** together what they have, then warps through shared memory.
**
** Of threads along several axes teams go along x, and have one index along each other axis. That
** pays if some access is of one thread alone: what threads along an axis share, tiles read once.
**
** Pays for loops of LONG_AXIS iterations and more, if each of the kernel's loops is shared out;
** for warps, if there are too few threads to fill the multiprocessors. With loops in order it pays
** along rows that two loops read: so few rows are at hand then that caches have them when the
** second loop begins; and down columns of few threads that compute much in a loop that is shared
** out, which a few warps could not do as fast as memory brings it; and wherever threads are so few
** that most of the machine would wait with them, along any axes of the grid. */
#include "ir/schedule/stage/team.h"

#include "ir/analysis/accesses.h"

/* ---- what all of a team come to the same by -------------------------------------------------- */

static bool is_written(const Team *t, const IrVar *array)
{
    return array->kind == VAR_PARAM && ir_writes(t->unit->kernel, array->param);
}

/* Whether an array is one that a thread has alone, or that is not written. */
static bool is_steady(const Team *t, const IrValue *array)
{
    return array->op == OP_var && (array->var->kind == VAR_PRIVATE ||
                                   array->var->kind == VAR_CONSTANT || !is_written(t, array->var));
}

static void check_node(void *context, IrValue *value)
{
    Team *t = context;
    if (value->op == OP_load && !is_steady(t, value->operands[0]))
        refuse_for(&t->refusal, value->span,
                   "what the kernel writes is read outside of the loops to share out");
    if (value->op == OP_intrinsic && value->intrinsic != INTR_grid &&
        (!value->count || ir_intrinsics[value->intrinsic].effect & EFFECT_ORDERED))
        refuse_for(&t->refusal, value->span, "threads may come to different numbers here");
}

static void check_operands(Team *t, const IrValue *atomic)
{
    for (int i = 1; i < atomic->count; i++)
        ir_each_node(atomic->operands[i], check_node, t);
}

bool team_is_for_one(const IrStmt *stmt)
{
    return stmt->kind == IR_EVAL ||
           (stmt->kind == IR_STORE && ir_array_param(stmt->store.array) >= 0);
}

static void check_own(Team *t, const IrStmt *stmt)
{
    const IrValue *atomic = stmt->kind == IR_EVAL ? atomic_of(stmt) : NULL;
    bool kept = stmt->kind != IR_STORE || team_is_for_one(stmt) ||
                (stmt->store.array->op == OP_var && stmt->store.array->var->kind == VAR_PRIVATE);
    if (atomic && atomic_is_plain(atomic) && ir_array_param(atomic->operands[0]) >= 0)
        check_operands(t, atomic);
    else if (!kept || team_own_effects(stmt) & EFFECT_ORDERED & ~EFFECT_WRITE)
        refuse_for(&t->refusal, stmt->span, "what is done here one thread cannot do for others");
    else
        ir_each_own_node(stmt, check_node, t);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A number that is not large, as are an extent and what the launch says so of. */
static bool is_step(const Team *t, const IrValue *step)
{
    const IrValue *known = sets_behind_casts(&t->affine.sets, step);
    int param = known->op == OP_var && known->var->kind == VAR_PARAM ? known->var->param : -1;
    if (ir_is_constant(step))
        return step->constant.integer > 0 && step->constant.integer <= TEAM_STEP;
    return step->type == type_int64 &&
           ((known->op == OP_extent && ir_array_param(known->operands[0]) >= 0) ||
            (param >= 0 && launch_scalar_30_bits(t->unit->launch, param) &&
             launch_positive_scalar(t->unit->launch, param)));
}

static bool is_counted(const Team *t, const IrStmt *loop)
{
    return loop->for_.var->type == type_int64 && !loop->for_.sum_count && !loop->for_.unroll &&
           sets_loop(&t->affine.sets, loop->for_.var) == loop && is_step(t, loop->for_.step) &&
           ir_nonnegative(loop->for_.start) && loop->for_.var->nonnegative &&
           !flow_jumps(&loop->for_.body);
}

static bool may_share(const Team *t, TeamLoop *loop)
{
    return team_stores(t, loop) && team_sums(t, loop);
}

/* ---- what pays ------------------------------------------------------------------------------- */

typedef struct Ways {
    Team *team;
    const IrStmt *loop;
    const IrVar *counter;
    int along, across;
    uint64_t reads; /* the parameters, as far as they have bits, that are read along it */
    bool rereads;   /* it reads what the kernel writes */
    bool elsewhere; /* and that is not what the loop itself stores */
    bool own;
} Ways;

static bool varies(const Team *t, IrValue *const *indices, int count)
{
    for (int axis = 0; axis < 3; axis++)
        if (front_apart(&t->affine, 1u << axis, indices, count))
            return true;
    return false;
}

/* Counts an access; whether it goes along. */
static bool count_node(Ways *w, const IrValue *array, IrValue *const *indices, int count)
{
    const Team *t = w->team;
    int dense = dense_axis(array->type);
    if (ir_array_param(array) < 0 || dense < 0)
        return false;
    const IrValue *at = indices[dense];
    int64_t plus;
    if (!varies(t, indices, count))
        return false;
    w->own |= front_apart(&t->affine, t->axes, indices, count);
    bool moves =
        team_at_counter(t, at, w->counter, &plus) || affine_without(t->unit->arena, at, w->counter);
    bool along = moves && ir_is_constant(w->loop->for_.step);
    int64_t slope;
    w->along += along;
    for (int axis = 0; axis < 3 && !along; axis++)
        w->across += moves
                         ? affine_slope(&t->affine, w->loop->for_.start, axis, &slope) && slope == 1
                         : moves_by_one(&t->affine, array, indices, axis);
    return along;
}

static void count_way(void *context, IrValue *value)
{
    Ways *w = context;
    if (value->op != OP_load)
        return;
    int param = ir_array_param(value->operands[0]);
    bool along = count_node(w, value->operands[0], value->operands + 1, value->count - 1);
    if (along && param < LAUNCH_PARAMS)
        w->reads |= UINT64_C(1) << param;
    const IrValue *array = value->operands[0];
    if (is_steady(w->team, array))
        return;
    w->rereads = true;
    w->elsewhere |= array->op != OP_var || !team_stores_to(&w->loop->for_.body, array->var);
}

static void count_ways(void *context, IrStmt *stmt)
{
    Ways *w = context;
    ir_each_own_node(stmt, count_way, w);
    if (stmt->kind == IR_STORE)
        count_node(w, stmt->store.array, stmt->store.indices, stmt->store.count);
}

/* How a loop's iterations are made by all of a team. Loops that go by no element, with others
** inside that may: these are looked at instead. */
static bool choose_way(Team *t, TeamLoop *loop, const Ways *ways)
{
    bool ordered = !may_share(t, loop);
    loop->reads = ways->reads;
    loop->along = ways->along > ways->across;
    loop->ordered = ordered;
    if (ordered)
        return t->in_order && (!loop->along || team_hands(t, loop->loop)) && team_order(t, loop);
    loop->along &= team_hands(t, loop->loop);
    if ((loop->tally_count || loop->owns) && t->in_order)
        return false;
    return ways->along || ways->across || (t->adds && loop->tally_count) ||
           !ir_has_loop(&loop->loop->for_.body);
}

static bool take_loop(Team *t, IrStmt *stmt, bool outer)
{
    TeamLoop loop = { .loop = stmt, .outer = outer };
    Ways ways = { .team = t, .loop = stmt, .counter = stmt->for_.var };
    if (!is_counted(t, stmt))
        return false;
    ir_each_stmt(&stmt->for_.body, count_ways, &ways);
    if (!choose_way(t, &loop, &ways))
        return false;
    for (int i = 0; i < t->count; i++)
        t->again |= (t->loops[i].reads & loop.reads) != 0;
    t->along += ways.along;
    t->across += ways.across;
    t->own |= ways.own;
    t->ordered |= loop.ordered;
    t->tallies |= loop.tally_count > 0 || loop.owns;
    /* Loops in order read ahead, and so what their own iterations store, too. In others an
    ** iteration reads of that what it stores itself, as team_stores() has seen. */
    t->meets |= (loop.ordered ? ways.rereads : ways.elsewhere) || team_stores_again(t, &loop);
    array_push(t->unit->arena, t->loops, t->count, t->capacity) = loop;
    return true;
}

static void note_param(void *context, IrValue *value)
{
    bool *any = context;
    *any |= value->op == OP_var && type_is_array(value->type) && value->var->kind == VAR_PARAM;
}

/* Whether a loop does a little with what a thread has of its own, or brings that to arrays: each of
** a team does it, too. */
static bool is_little(const Team *t, IrStmt *stmt)
{
    enum { ITERATIONS_MOST = 64 }; /* of a loop that each of a team makes whole */
    bool params = false;
    int64_t trips = stmt->kind == IR_FOR ? ir_trip_count(stmt) : -1;
    ir_each_node_of(stmt, note_param, &params);
    return trips >= 0 && trips <= ITERATIONS_MOST && (!params || t->adds) &&
           !ir_has_loop(&stmt->for_.body);
}

static void find_loops(Team *t, IrStmt *first, bool outer)
{
    for (IrStmt *stmt = first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        int before = t->count, count = ir_regions(stmt, regions);
        check_own(t, stmt);
        if (stmt->kind == IR_FOR && take_loop(t, stmt, outer))
            continue;
        for (int i = 0; i < count; i++)
            find_loops(t, regions[i]->first, false);
        t->all &= !ir_is_loop(stmt) || t->count > before || is_little(t, stmt);
    }
}

const TeamLoop *team_loop(const Team *t, const IrStmt *stmt)
{
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].loop == stmt)
            return &t->loops[i];
    return NULL;
}

/* ---- the pass -------------------------------------------------------------------------------- */

void team_look(Team *t, const Guarded *guarded)
{
    *t = (Team){ .unit = t->unit,
                 .in_order = t->in_order,
                 .adds = t->adds,
                 .all = true,
                 .line = ir_goes_along(t->unit->kernel, 1, false),
                 .axes = ir_axes_asked(t->unit->kernel) };
    t->affine = ir_affine(t->unit, guarded->within);
    for (int i = 0; i < guarded->set_count; i++)
        check_own(t, guarded->sets[i]);
    for (int i = 0; i < guarded->term_count; i++)
        ir_each_node((IrValue *)guarded->terms[i], check_node, t);
    find_loops(t, (IrStmt *)guarded->rest, true);
}

bool team_is_line(const Team *t, bool lanes)
{
    return t->line || (t->own && (!lanes || launch_large_grid(t->unit->launch, GRID_X_32)));
}

static bool are_outer(const Team *t)
{
    for (int i = 0; i < t->count; i++)
        if (!t->loops[i].outer)
            return false;
    return true;
}

/* What forbids that any threads are a team's; NULL: nothing. */
static const char *forbids_any(Team *t, const Guarded *guarded)
{
    IrUnit *unit = t->unit;
    const char *why = ir_dependent(unit, &t->refusal.where);
    if (why)
        return why;
    t->refusal.where = unit->kernel->span;
    if (!ir_goes_along(unit->kernel, 3, false))
        return "threads ask for more than their index";
    if (!guarded->rest || !ir_has_loop(&unit->kernel->body))
        return "threads go through no loop";
    return ir_holds_arrays(unit->kernel) ? "an array has a name of its own" : NULL;
}

/* What forbids it of the loops; NULL: nothing. */
static const char *forbids(Team *t, const Guarded *guarded)
{
    team_look(t, guarded);
    if (t->refusal.why)
        return t->refusal.why;
    t->refusal.where = t->unit->kernel->span;
    return t->count ? team_forbids_own(t) : "no loop's iterations can be shared out";
}

static void remark(const Team *t, const char *who)
{
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].ordered)
            ir_remark(t->unit, t->loops[i].loop->span,
                      "one warp makes its iterations of what %s bring to shared memory", who);
        else
            ir_remark(t->unit, t->loops[i].loop->span, "its iterations are shared out among %s",
                      who);
}

static void make_block(Team *t, const Guarded *guarded, Directive *directive)
{
    remark(t, "the threads of a block");
    team_make_block(t, guarded, (int)directive->warps);
    schedule_done(directive);
}

static void make_lanes(Team *t, const Guarded *guarded, Directive *directive)
{
    remark(t, "the lanes of a warp");
    team_make_lanes(t, guarded);
    schedule_done(directive);
}

static void make_warps(Team *t, const Guarded *guarded, Directive *directive)
{
    if (!t->ordered)
        directive->warps = team_warps_with_room(t, directive->warps);
    remark(t, directive->blocks ? arena_printf(t->unit->arena, "the warps of %lld blocks",
                                               (long long)directive->blocks)
                                : "the warps of a block");
    team_make_warps(t, guarded, (int)directive->warps, (int)directive->blocks,
                    directive->lanes ? (int)directive->lanes : WARP_LANES);
    schedule_done(directive);
}

/* What forbids that a block does what a thread was asked to. */
static const char *forbids_block(const Directive *given)
{
    int64_t warps = given->warps;
    bool fine = warps >= 2 && warps <= WARP_LANES && !(warps & (warps - 1));
    return fine ? NULL : "a block has 2, 4, 8, 16 or 32 warps";
}

/* Warps of a block: as many as there can be where blocks are so few that a multiprocessor has one
** at most. */
static int64_t warps_of_choice(IrUnit *unit, unsigned few)
{
    return launch_large_grid(unit->launch, few) ? WARP_LANES : TEAM_WARPS;
}

/* A block for each thread of so few that even the warps that stand for them leave most of the
** machine idle, or of any number with long rows. */
static bool make_blocks(Team *t, const Guarded *guarded)
{
    IrUnit *unit = t->unit;
    Directive block = { DO_TEAM_BLOCK, .site = unit, .span = unit->kernel->span,
                        .warps = warps_of_choice(unit, GRID_TO_256) };
    bool pays = team_is_long(t) && (t->across <= t->along || !t->line || !are_outer(t));
    bool few = launch_large_grid(unit->launch, GRID_BELOW_1024);
    int64_t warps = pays && !few && team_is_line(t, false) ? team_warps_of_row(t) : 0;
    block.warps = warps ? warps : block.warps;
    Directive *taken = schedule_take(unit, block, pays && (few || warps));
    const char *why = taken ? forbids_block(taken) : NULL;
    if (why)
        schedule_refuse(unit, block, unit->kernel->span, why);
    if (why || !taken)
        return false;
    make_block(t, guarded, taken);
    return true;
}

/* Warps that share out loops which add to elements wherever (team_adds.c), if that is legal and
** asked for. */
static bool make_adding(IrUnit *unit, const Guarded *guarded)
{
    Team t = { .unit = unit, .adds = true };
    Directive own = { DO_TEAM_WARPS, .site = unit, .span = unit->kernel->span,
                      .warps = TEAM_WARPS };
    IrLaunch before = *unit->launch;
    bool legal = !forbids(&t, guarded) && t.all && t.tallies && are_outer(&t) &&
                 ir_writes_alone(unit) && team_warps_with_room(&t, 2) >= 2;
    bool pays = legal && team_is_long(&t) && t.across >= t.along && team_is_line(&t, true) &&
                !launch_large_grid(unit->launch, GRID_COARSENS_4);
    Directive *taken = legal ? schedule_take(unit, own, pays) : NULL;
    if (taken && !taken->blocks && !taken->lanes) {
        make_warps(&t, guarded, taken);
        return true;
    }
    if (taken)
        schedule_refuse(unit, own, unit->kernel->span,
                        "warps of one block add to elements together, of 32 threads");
    *unit->launch = before;
    return false;
}

static void make(Team *t, const Guarded *guarded)
{
    IrUnit *unit = t->unit;
    const Directive lanes = { DO_TEAM_LANES, .site = unit->kernel, .span = unit->kernel->span };
    Directive warps = { DO_TEAM_WARPS, .site = unit, .span = unit->kernel->span,
                        .warps = warps_of_choice(unit, GRID_BELOW_1024) };
    if (make_blocks(t, guarded))
        return;
    bool pays = t->along != t->across && team_is_long(t) && team_is_line(t, false);
    Directive *taken = schedule_take(unit, lanes, pays && t->along > t->across);
    if (taken) {
        make_lanes(t, guarded, taken);
        return;
    }
    if (!are_outer(t)) {
        schedule_refuse(unit, warps, unit->kernel->span,
                        "more than conditions around the kernel stands around a loop");
        return;
    }
    if (t->tallies) {
        if (!make_adding(unit, guarded))
            schedule_refuse(unit, warps, unit->kernel->span,
                            "a loop adds to elements that iterations choose");
        return;
    }
    if (team_warps_with_room(t, 2) < 2) {
        schedule_refuse(unit, warps, unit->kernel->span,
                        "sums of two warps have no room in shared memory");
        return;
    }
    bool few = pays && t->across > t->along && team_is_line(t, true) &&
               !launch_large_grid(unit->launch, GRID_COARSENS_4);
    warps.blocks = few ? team_blocks_of_choice(t) : 0;
    if (warps.blocks)
        warps.warps = TEAM_WARPS; /* so that a multiprocessor has several blocks */
    taken = schedule_take(unit, warps, few);
    if (taken &&
        (taken->lanes || (taken->blocks && (taken->blocks > TEAM_BLOCKS || !team_stays_apart(t)))))
        schedule_refuse(unit, warps, unit->kernel->span,
                        taken->lanes ? "warps have 32 threads where no loop is in order"
                                     : "blocks share what no other one needs, 32 of them at most");
    else if (taken)
        make_warps(t, guarded, taken);
}

/* Warps that share some loops out and have others in order, if that is legal and asked for. Few
** threads are a few of each block, so that more multiprocessors load what they need. */
static bool make_in_order(IrUnit *unit, const Guarded *guarded)
{
    Team t = { .unit = unit, .in_order = true };
    Directive own = { DO_TEAM_WARPS, .site = unit, .span = unit->kernel->span, .warps = TEAM_ROWS };
    IrLaunch before = *unit->launch;
    bool legal =
        !forbids(&t, guarded) && t.all && t.ordered && are_outer(&t) && ir_writes_alone(unit);
    bool pays = legal && team_is_long(&t) && team_order_pays(&t);
    own.lanes = pays ? team_order_lanes(&t) : 0;
    Directive *taken = legal ? schedule_take(unit, own, pays) : NULL;
    const char *why = taken ? team_forbids_order(&t, taken) : NULL;
    if (taken && !why) {
        make_warps(&t, guarded, taken);
        return true;
    }
    if (why)
        schedule_refuse(unit, own, unit->kernel->span, why);
    *unit->launch = before;
    return false;
}

/* The first loop that adds up floats. */
static const TeamLoop *adds_floats(const Team *t)
{
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->loops[i].sum_count; k++)
            if (type_is_float(t->loops[i].sums[k].var->type))
                return &t->loops[i];
    return NULL;
}

/* Whether a team would pay that is legal if sums may be taken apart. */
static bool would_pay(Team *t, const Guarded *guarded)
{
    bool found =
        !forbids(t, guarded) && t->all && t->line && team_is_long(t) && ir_writes_alone(t->unit);
    bool few = !launch_large_grid(t->unit->launch, GRID_COARSENS_4);
    return found && (t->along > t->across || (t->along < t->across && few && are_outer(t)));
}

/* Says so of a kernel whose order of sums alone prevents it. The code depends on nothing that is
** asked for that. */
static void say_what_prevents(IrUnit *unit, const Guarded *guarded)
{
    IrOptions *options = &unit->kernel->options;
    Team t = { .unit = unit };
    if (!unit->remarks || options->reassociate || options->fastmath)
        return;
    IrLaunch before = *unit->launch;
    options->reassociate = true;
    if (!forbids_any(&t, guarded) && would_pay(&t, guarded) && adds_floats(&t))
        ir_remark(unit, adds_floats(&t)->loop->span,
                  "its iterations could be shared out among %s, but floats are added in the order "
                  "of the text without reassociate=True",
                  t.along > t.across ? "the lanes of a warp" : "the warps of a block");
    options->reassociate = false;
    *unit->launch = before;
}

void ir_team(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Team t = { .unit = unit, .refusal.where = fn->span };
    if (!guard_begin(unit)) {
        team_blocks(unit);
        return;
    }
    IrLaunch before = *unit->launch;
    Guarded guarded = guard_find(unit->arena, fn);
    const char *why = forbids_any(&t, &guarded);
    bool any = !why;
    why = any ? forbids(&t, &guarded) : why;
    if (any && (why || !t.all) && (make_in_order(unit, &guarded) || make_adding(unit, &guarded)))
        return;
    if (why || !(schedule_is_given(unit) || t.all))
        *unit->launch = before; /* the code depends on none of what was asked */
    else if (ir_writes_alone(unit))
        make(&t, &guarded);
    else
        why = "an array that is written may overlap another argument";
    for (Primitive team = DO_TEAM_BLOCK; why && team <= DO_TEAM_WARPS; team++)
        schedule_refuse_all(unit, team, t.refusal.where, why);
    if (!unit->shape.changed) {
        say_what_prevents(unit, &guarded);
        team_blocks(unit);
    }
}

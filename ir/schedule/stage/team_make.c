/* Teams: loops shared out, and what their iterations come to put together. See team.c. */
#include "ir/schedule/stage/team_make.h"

static IrValue *warp_of(const TeamBuild *m, IrVar *self)
{
    return build_op(m->b, OP_floordiv, build_var(m->b, self), build_int(m->b, WARP_LANES));
}

/* ---- sums ------------------------------------------------------------------------------------ */

static IrValue *operation(const TeamBuild *m, const TeamSum *sum, IrValue *a, IrValue *b)
{
    if (sum->op == OP_intrinsic)
        return ir_intrinsic(m->b->arena, sum->intrinsic, sum->var->type, m->b->span, a, b, NULL);
    return build_op(m->b, sum->op, a, b);
}

/* Whether what a variable holds before the loop changes nothing by coming in more than once. */
static bool is_idempotent(const TeamSum *sum)
{
    return sum->op == OP_intrinsic || sum->op == OP_and || sum->op == OP_or;
}

/* What changes nothing when it comes in: to floats -0.0 is added, which leaves -0.0 as it is. */
static IrValue *nothing(const TeamBuild *m, const TeamSum *sum)
{
    double one = sum->op == OP_mul;
    const Type *type = sum->var->type;
    if (type_is_float(type))
        return ir_number(m->b->arena, type, one ? one : -0.0, m->b->span);
    return build_integer(m->b, type, (int64_t)one);
}

static IrRegion *build_if_member(const TeamBuild *m, IrOp comparison, IrRegion *out)
{
    return build_if(m->b, build_op(m->b, comparison, m->member, 0), out);
}

/* What was there before the loop comes in by one of the team. */
void team_begin(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    IrRegion *others = NULL;
    for (int i = 0; i < loop->sum_count; i++) {
        const TeamSum *sum = &loop->sums[i];
        if (i == 1 && loop->pick_count)
            build_set(m->b, sum->var, -1, out); /* picked before all iterations */
        if (i < loop->pick_count || is_idempotent(sum))
            continue;
        if (!others)
            others = build_if_member(m, OP_ne, out);
        build_set(m->b, sum->var, nothing(m, sum), others);
    }
}

/* What others have picked comes in place of what is worse, or was picked later. */
static void append_better(const TeamBuild *m, const TeamLoop *loop, IrVar *const *others,
                          IrRegion *out)
{
    IrVar *best = loop->sums[0].var, *key = loop->sums[1].var;
    IrValue *same = build_op(m->b, OP_eq, others[0], best);
    IrValue *first = build_op(m->b, loop->pick_last ? OP_gt : OP_lt, others[1], key);
    IrValue *better = build_op(m->b, loop->pick_better, others[0], best);
    IrRegion *then = build_if(
        m->b, build_op(m->b, OP_or_else, better, build_op(m->b, OP_and_then, same, first)), out);
    for (int i = 0; i < loop->pick_count; i++)
        build_set(m->b, loop->sums[i].var, others[i], then);
}

/* What others have come to comes in. */
static void append_others(const TeamBuild *m, const TeamLoop *loop, IrVar *const *others,
                          IrRegion *out)
{
    if (loop->pick_count)
        append_better(m, loop, others, out);
    for (int i = loop->pick_count; i < loop->sum_count; i++) {
        const TeamSum *sum = &loop->sums[i];
        build_set(m->b, sum->var,
                  operation(m, sum, build_var(m->b, sum->var), build_var(m->b, others[i])), out);
    }
}

/* Sets `other` to what a variable is in the lane whose number differs by a power of two. Lanes
** exchange no numbers of fewer bytes than four. */
static void set_of_other(const TeamBuild *m, IrVar *other, IrVar *var, int apart, IrRegion *out)
{
    bool small = type_size(var->type) < 4;
    IrVar *wide = small ? build_temporary(m->b, "_wide", type_int32) : other;
    IrValue *own = build_cast(m->b, wide->type, var);
    build_set(m->b, wide,
              ir_intrinsic(m->b->arena, INTR_shfl_xor_sync, wide->type, m->b->span,
                           build_integer(m->b, type_uint32, 0xffffffff), own,
                           build_integer(m->b, type_int32, apart)),
              out);
    if (small)
        build_set(m->b, other, build_cast(m->b, var->type, wide), out);
}

/* The first `lanes` lanes of a warp, and others of as many, put together what they have. */
static void exchange_lanes(const TeamBuild *m, const TeamLoop *loop, int lanes, IrRegion *out)
{
    for (int apart = lanes / 2; apart && loop->sum_count; apart /= 2) {
        IrVar *others[TEAM_SUMS];
        for (int i = 0; i < loop->sum_count; i++) {
            IrVar *var = loop->sums[i].var;
            others[i] = build_temporary(m->b, "_other", var->type);
            set_of_other(m, others[i], var, apart, out);
        }
        append_others(m, loop, others, out);
    }
}

/* The warps of a block for one thread: each has stored its own, and takes all of them, a lane one.
*/
static void exchange_warps(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    int warps = m->size / WARP_LANES;
    IrVar *parts[TEAM_SUMS];
    for (int i = 0; i < loop->sum_count; i++) {
        parts[i] = team_parts(m, loop->sums[i].var);
        build_store(m->b, parts[i], warp_of(m, m->member), NULL, loop->sums[i].var, out);
    }
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    for (int i = 0; i < loop->sum_count; i++)
        build_set(m->b, loop->sums[i].var,
                  build_load(m->b, parts[i], build_op(m->b, OP_mod, m->lane, warps), NULL), out);
    exchange_lanes(m, loop, warps, out);
}

void team_exchange(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    exchange_lanes(m, loop, WARP_LANES, out);
    if (m->size > WARP_LANES && loop->sum_count)
        exchange_warps(m, loop, out);
}

/* What warp number `warp` of the block has come to. */
static IrValue *part_of(const TeamBuild *m, IrVar *parts, IrValue *warp)
{
    return build_load(m->b, parts, warp, build_var(m->b, m->lane));
}

/* Sums of all warps of the block meet in `parts`, one for each. */
static void append_meeting(const TeamBuild *m, const TeamLoop *loop, IrVar **parts, IrRegion *out)
{
    if (!loop->sum_count)
        return;
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    IrRegion *own = build_if(m->b, m->active, out);
    for (int i = 0; i < loop->sum_count; i++)
        build_set(m->b, loop->sums[i].var, part_of(m, parts[i], build_int(m->b, 0)), own);
    IrVar *warp = build_counter(m->b, "_warp"), *others[TEAM_SUMS];
    IrStmt *each = build_for(m->b, warp, 1, m->size, 1, UNROLL_ALL);
    for (int i = 0; i < loop->sum_count; i++) {
        others[i] = build_temporary(m->b, "_other", loop->sums[i].var->type);
        build_set(m->b, others[i], part_of(m, parts[i], build_var(m->b, warp)), &each->for_.body);
    }
    append_others(m, loop, others, &each->for_.body);
    ir_append(own, each);
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
}

static void append_parts(const TeamBuild *m, const TeamLoop *loop, IrVar **parts, IrRegion *out)
{
    for (int i = 0; i < loop->sum_count; i++) {
        const IrVar *var = loop->sums[i].var;
        parts[i] =
            ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_parts", var->name),
                         var->type, VAR_SHARED, (int64_t[]){ m->size, WARP_LANES }, 2, m->b->span);
        build_store(m->b, parts[i], m->member, m->lane, var, out);
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A loop with every iteration of its own of one of the team. The first is not to wrap: of bounds
** that are not known it is looked at whether there is one. */
void team_share(const TeamBuild *m, IrStmt *loop, IrRegion *out)
{
    IrValue *start = loop->for_.start, *step = loop->for_.step;
    IrValue *ahead = build_op(m->b, OP_mul, m->member, build_copy(m->b, step));
    if (!ir_is_constant(start) || start->constant.integer > TEAM_STEP) {
        IrValue *any =
            build_op(m->b, OP_lt, build_copy(m->b, start), build_copy(m->b, loop->for_.stop));
        IrValue *left =
            build_op(m->b, OP_sub, build_copy(m->b, loop->for_.stop), build_copy(m->b, start));
        out = build_if(
            m->b,
            build_op(m->b, OP_and_then, any, build_op(m->b, OP_lt, build_copy(m->b, ahead), left)),
            out);
    }
    loop->for_.start = ir_never_negative(build_op(m->b, OP_add, start, ahead));
    loop->for_.step = ir_is_constant(step) ? build_int(m->b, step->constant.integer * m->size)
                                           : build_times(m->b, step, m->size);
    loop->for_.bounded = false;
    ir_append(out, loop);
}

void team_meet(const TeamBuild *m, IrRegion *out)
{
    if (m->teams == 1)
        ir_append(out, ir_barrier(m->b->arena, m->b->span));
    else
        front_meet(m->b, out);
}

static void append_lanes(TeamBuild *m, TeamLoop *loop, IrRegion *out)
{
    bool block = m->size > WARP_LANES;
    if (m->t->meets || (block && loop->sum_count))
        team_meet(m, out); /* a loop before may be read yet of what it brought */
    team_begin_tallies(m, loop, out);
    team_begin(m, loop, out);
    team_change_tallies(m, loop);
    team_share(m, loop->loop, out);
    team_exchange(m, loop, out);
    if (m->t->meets)
        team_meet(m, out);
    team_end_tallies(m, loop, out);
}

static void append_across(TeamBuild *m, TeamLoop *loop, IrRegion *out)
{
    IrVar *parts[TEAM_SUMS];
    IrRegion *own = build_if(m->b, m->active, out);
    if (m->t->adds)
        team_begin_adds(m, loop, own);
    team_begin(m, loop, own);
    team_share(m, loop->loop, own);
    append_parts(m, loop, parts, own);
    append_meeting(m, loop, parts, out);
    if (m->t->adds)
        team_end_adds(m, loop, out);
}

static void append_warps(TeamBuild *m, TeamLoop *loop, IrRegion *out)
{
    if (m->t->meets)
        ir_append(out, ir_barrier(m->b->arena, m->b->span));
    if (loop->ordered)
        team_in_order(m, loop, out);
    else if (loop->along && m->row)
        team_rows(m, loop, out);
    else
        append_across(m, loop, out);
    if (m->t->meets && !loop->sum_count)
        ir_append(out, ir_barrier(m->b->arena, m->b->span));
}

/* ---- statements ------------------------------------------------------------------------------ */

/* What all of a team do, but for what one of them does for all. */
static void append_region(TeamBuild *m, IrStmt *stmt, IrRegion *out)
{
    for (IrStmt *next; stmt; stmt = next) {
        const TeamLoop *loop = team_loop(m->t, stmt);
        next = stmt->next;
        stmt->next = stmt->prev = NULL;
        m->b->span = stmt->span;
        if (loop) {
            append_lanes(m, (TeamLoop *)loop, out);
            continue;
        }
        ir_append(team_is_for_one(stmt) ? build_if_member(m, OP_eq, out) : out, stmt);
        for_each_region (inner, stmt) {
            IrStmt *first = inner->first;
            *inner = (IrRegion){ NULL, NULL };
            append_region(m, first, inner);
        }
    }
}

static void append_rest(TeamBuild *m, IrStmt *stmt, IrRegion *out)
{
    IrRegion *own = NULL;
    for (IrStmt *next; stmt; stmt = next) {
        const TeamLoop *loop = team_loop(m->t, stmt);
        next = stmt->next;
        stmt->next = stmt->prev = NULL;
        m->b->span = stmt->span;
        if (loop) {
            append_warps(m, (TeamLoop *)loop, out);
            own = NULL;
            continue;
        }
        if (!own)
            own = build_if(m->b, m->active, out);
        append_region(m, stmt, own);
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Blocks of `warps` warps that do the work of so many of the threads asked for. */
static void set_shape(IrUnit *unit, int warps, int threads)
{
    ir_shape_blocks(unit, warps * WARP_LANES);
    unit->shape.team = (uint32_t)(warps * WARP_LANES / threads);
}

static IrValue *block_of(const TeamBuild *m)
{
    return build_cast(m->b, type_int64, ir_axis(m->b->arena, INTR_block_idx, 0, m->b->span));
}

/* Of `blocks` blocks side by side which have the same threads' work each has other members. */
static void append_blocks(TeamBuild *m, int blocks, IrRegion *out)
{
    IrValue *part = build_op(m->b, OP_mod, block_of(m), build_int(m->b, blocks));
    m->block = build_let(m->b, "_block",
                         build_op(m->b, OP_floordiv, block_of(m), build_int(m->b, blocks)), out);
    m->member = build_let(
        m->b, "_member",
        build_op(m->b, OP_add, build_times(m->b, part, m->size), build_var(m->b, m->member)), out);
    m->size *= blocks;
}

/* The thread asked for is so many of the block's behind those of the blocks before. */
static void append_place(TeamBuild *m, int threads, IrValue *inside, IrRegion *out)
{
    IrValue *at = build_times(m->b, m->block ? build_var(m->b, m->block) : block_of(m), threads);
    m->place = build_let(m->b, "_place", inside ? build_op(m->b, OP_add, at, inside) : at, out);
}

/* A branch that picks tells the iteration, too. */
static void note_picks(const TeamBuild *m, TeamLoop *loop)
{
    IrVar *key = build_temporary(m->b, "_picked", type_int64);
    loop->sums[1].var = key;
    build_set(m->b, key, loop->loop->for_.var, &loop->pick->if_.then);
}

/* Along the other axes a block has threads of one index. */
static void append_beside(TeamBuild *m, IrRegion *out)
{
    if (!m->t->line)
        front_beside(m->b, m->beside, out);
}

static TeamBuild begin(Team *t, const Guarded *guarded, IrVar **threads)
{
    *threads = ir_hidden(t->unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    team_look(t, guarded);
    TeamBuild m = { .b = { { t->unit->arena, t->unit->kernel, t->unit->kernel->body.first->span } },
                    .t = t };
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].pick_count)
            note_picks(&m, &t->loops[i]);
    m.share_count = t->unit->kernel->var_count;
    m.shares = arena_array(t->unit->arena, bool, m.share_count + 1);
    for (int i = 0; i < m.share_count; i++)
        m.shares[i] = team_shares_own(t, t->unit->kernel->vars[i]);
    return m;
}

static void end(TeamBuild *m, IrRegion body)
{
    team_move_own(m, &body);
    ir_put_indices(m->b->arena, &body, (IrVar *[]){ m->place, m->beside[0], m->beside[1] }, NULL);
    m->t->unit->kernel->body = body;
}

void team_make_lanes(Team *t, const Guarded *guarded)
{
    enum { WARPS = TEAM_TALLY_TEAMS };
    IrVar *threads;
    IrRegion body = { NULL, NULL };
    TeamBuild m = begin(t, guarded, &threads);
    IrVar *self = build_let(m.b, "_self", build_thread_index(m.b, 0), &body);
    m.size = WARP_LANES;
    m.teams = WARPS;
    m.lane = build_let(m.b, "_lane", build_op(m.b, OP_mod, self, WARP_LANES), &body);
    m.member = m.lane;
    append_place(&m, WARPS, warp_of(&m, self), &body);
    append_beside(&m, &body);
    IrRegion *own = build_if(m.b, build_op(m.b, OP_lt, m.place, threads), &body);
    append_region(&m, t->unit->kernel->body.first, own);
    end(&m, body);
    set_shape(t->unit, WARPS, WARPS);
}

/* A block stands for each thread that was asked for. */
void team_make_block(Team *t, const Guarded *guarded, int warps)
{
    IrVar *threads;
    IrRegion body = { NULL, NULL };
    TeamBuild m = begin(t, guarded, &threads);
    m.size = warps * WARP_LANES;
    m.teams = 1;
    m.member = build_let(m.b, "_self", build_thread_index(m.b, 0), &body);
    m.lane = build_let(m.b, "_lane", build_op(m.b, OP_mod, m.member, WARP_LANES), &body);
    append_place(&m, 1, NULL, &body);
    append_beside(&m, &body);
    append_region(&m, t->unit->kernel->body.first, &body);
    end(&m, body);
    set_shape(t->unit, warps, 1);
}

/* The thread whose row the warp takes. */
static void append_row(TeamBuild *m, IrRegion *out)
{
    IrVar *mask = front_vote(m->b, m->active, out);
    IrValue *first = ir_never_negative(build_op(m->b, OP_sub, m->place, m->lane));
    m->row = build_let(m->b, "_row", build_op(m->b, OP_add, first, m->member), out);
    IrValue *bit = build_op(m->b, OP_shr, mask, build_cast(m->b, type_uint32, m->member));
    bit = build_op(m->b, OP_and, bit, build_integer(m->b, type_uint32, 1));
    m->taken = build_temporary(m->b, "_taken", type_bool);
    build_set(m->b, m->taken, build_op(m->b, OP_ne, bit, build_integer(m->b, type_uint32, 0)), out);
}

void team_make_warps(Team *t, const Guarded *guarded, int warps, int blocks, int lanes)
{
    IrVar *threads;
    IrRegion body = { NULL, NULL };
    TeamBuild m = begin(t, guarded, &threads);
    IrVar *self = build_let(m.b, "_self", build_thread_index(m.b, 0), &body);
    m.lanes = lanes;
    m.alone = t->ordered && team_order_alone(t);
    m.size = warps * WARP_LANES / lanes;
    m.lane = build_let(m.b, "_lane",
                       build_op(m.b, OP_mod, build_var(m.b, self), build_int(m.b, lanes)), &body);
    m.member =
        build_let(m.b, "_team",
                  build_op(m.b, OP_floordiv, build_var(m.b, self), build_int(m.b, lanes)), &body);
    if (blocks > 1)
        append_blocks(&m, blocks, &body);
    append_place(&m, lanes, build_var(m.b, m.lane), &body);
    append_beside(&m, &body);
    m.active = front_active(m.b, guarded, m.place, threads, &body);
    if (m.size == TEAM_ROWS && lanes == WARP_LANES && blocks <= 1)
        append_row(&m, &body);
    team_room(t, warps, lanes);
    append_rest(&m, (IrStmt *)guarded->rest, &body);
    end(&m, body);
    set_shape(t->unit, warps, lanes);
    t->unit->shape.share = blocks > 1 ? (uint32_t)blocks : 0;
    if (t->ordered) /* registers are for the loads of the warp that makes the iterations */
        t->unit->kernel->options.launch_blocks = team_order_alone(t);
}

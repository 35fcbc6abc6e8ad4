/* Elements that the iterations of a loop add to, wherever in an array. See team.c.
**
**     for j in 0 to m by 1                          for v in lane to bins by 32
**         store hist[i, x[i, j]] =                      store near[warp, v] = 0
**             add(hist[i, x[i, j]], 1)              for j in lane to m by 32
**                                              =>       eval atomic_add(near, warp, x[i, j], 1)
**                                                   for v in lane to bins by 32
**                                                       if near[warp, v] != 0
**                                                           store hist[i, v] = add(hist[i, v],
**                                                               near[warp, v])
**
** Legal of integers, whose sums wrap and so come to the same in any order, if the loop does nothing
** else with the array: the thread alone came to the elements that it added to, or atomics would
** have been asked for; these stay atomics. An element that is not added to is not touched.
**
** Where all iterations add along one row of at most SLIM_AXIS elements the row's sums are in shared
** memory while the loop runs. Others are added to by atomics where they are. */
#include "ir/builder.h"
#include "ir/schedule/stage/team_make.h"

#include "ir/analysis/accesses.h"

/* ---- which ----------------------------------------------------------------------------------- */

/* What is added to an element. */
typedef struct TallyAdd {
    IrValue *array;
    IrValue *const *indices;
    int count;
    const IrValue *added; /* as the element's type, its sign turned if `less` */
    bool less, atomic;
} TallyAdd;

/* Behind casts that keep the low bits. */
static IrValue *behind_casts(IrValue *value, const Type *element)
{
    while (value->op == OP_cast && type_is_integer(value->type) &&
           type_is_integer(value->operands[0]->type) &&
           type_size(value->type) >= type_size(element) &&
           type_size(value->operands[0]->type) >= type_size(element))
        value = value->operands[0];
    return value;
}

static bool is_element(const TallyAdd *add, const IrValue *value)
{
    bool same = value->op == OP_load && value->index == 0 && value->count == add->count + 1 &&
                ir_same_value(value->operands[0], add->array);
    for (int i = 0; same && i < add->count; i++)
        same = ir_same_value(value->operands[i + 1], add->indices[i]);
    return same;
}

/* Whether a store adds to what the element holds. */
static bool is_store_add(const IrStmt *stmt, TallyAdd *add)
{
    const Type *element = stmt->store.array->type->array.element;
    const IrValue *sum = behind_casts(stmt->store.value, element);
    *add = (TallyAdd){ .array = stmt->store.array,
                       .indices = stmt->store.indices,
                       .count = stmt->store.count,
                       .less = sum->op == OP_sub };
    if (stmt->store.cache || (sum->op != OP_add && sum->op != OP_sub) ||
        !type_is_integer(sum->type) || type_size(sum->type) < type_size(element))
        return false;
    for (int side = 0; side < (add->less ? 1 : 2); side++) {
        add->added = sum->operands[!side];
        if (is_element(add, behind_casts(sum->operands[side], element)))
            return true;
    }
    return false;
}

static bool is_atomic_add(const IrValue *atomic, TallyAdd *add)
{
    if (!atomic || atomic_combine(atomic) != COMBINE_SUM)
        return false;
    *add = (TallyAdd){ .array = atomic->operands[0],
                       .indices = atomic->operands + 1,
                       .count = atomic->count - 2,
                       .added = atomic->operands[atomic->count - 1],
                       .less = atomic->intrinsic == INTR_atomic_sub,
                       .atomic = true };
    return true;
}

static bool is_add(const IrStmt *stmt, TallyAdd *add)
{
    bool fine = stmt->kind == IR_STORE ? type_is_integer(stmt->store.array->type->array.element) &&
                                             is_store_add(stmt, add)
                : stmt->kind == IR_EVAL ? is_atomic_add(atomic_of(stmt), add)
                                        : false;
    bool own = fine && team_is_own(add->array);
    if (!fine || (!own && ir_array_param(add->array) < 0))
        return false;
    const Type *type = add->array->type, *element = type->array.element;
    for (int i = 0; i < add->count; i++)
        fine &= !(ir_value_effects(add->indices[i]) & EFFECT_ORDERED);
    return fine && add->count == type->array.rank && type->array.layout == LAYOUT_C &&
           !type->array.unaligned && type_is_integer(element) && type_size(element) >= 4 &&
           !(ir_value_effects(add->added) & EFFECT_ORDERED);
}

static TeamTally *tally_of(const TeamLoop *loop, const IrVar *array)
{
    for (int i = 0; i < loop->tally_count; i++)
        if (loop->tallies[i].array == array)
            return (TeamTally *)&loop->tallies[i];
    return NULL;
}

/* How many elements shared memory has to hold of an array's row; 0: more than it has room for. */
static int64_t row_room(const Team *t, const IrVar *array)
{
    int last = array->type->array.rank - 1;
    if (array->kind == VAR_PRIVATE)
        return 0;
    if (array->shape && array->shape[last] != EXTENT_UNKNOWN)
        return array->shape[last] <= SLIM_AXIS ? array->shape[last] : 0;
    const IrValue *extent = last && array->extents ? array->extents[last - 1] : NULL;
    if (extent && ir_is_constant(extent))
        return extent->constant.integer <= SLIM_AXIS ? extent->constant.integer : 0;
    int param = extent && extent->op == OP_var ? extent->var->param : array->param;
    return launch_rows_to_1024(t->unit->launch, param) ? SLIM_AXIS : 0;
}

/* Whether all iterations add along one row. */
static bool is_one_row(const TeamLoop *loop, const IrSets *sets, const TallyAdd *add)
{
    const TeamTally *before = tally_of(loop, add->array->var);
    bool one = true;
    for (int i = 0; i < add->count - 1; i++)
        one &= sets_invariant(sets, add->indices[i], NULL) &&
               (!before || ir_same_value(before->row[i], add->indices[i]));
    return one;
}

/* Whether a number, and a block's threads more, fits in 31 bits, as extents do of launches that are
** narrow. */
static bool fits(const Team *t, const IrValue *value)
{
    value = sets_behind_casts(&t->affine.sets, value);
    if (ir_is_constant(value))
        return value->constant.integer >= 0 && value->constant.integer <= LIMIT_30_BITS;
    if (value->op == OP_extent)
        return ir_array_param(value->operands[0]) >= 0 && launch_narrow(t->unit->launch);
    return value->op == OP_var && value->var->kind == VAR_PARAM &&
           launch_scalar_30_bits(t->unit->launch, value->var->param);
}

/* As what a row's sums are held: 64 bits have no atomics in shared memory but loops. Where an
** iteration adds 1, or takes it away, once, an element comes to no more than the iterations. */
static const Type *held_as(const Team *t, const TeamLoop *loop, const TallyAdd *add)
{
    const Type *element = add->array->type->array.element;
    bool one = ir_is_constant(add->added) &&
               (add->added->constant.integer == 1 || add->added->constant.integer == -1);
    return type_size(element) > 4 && one && !ir_has_loop(&loop->loop->for_.body) &&
                   ir_nonnegative(loop->loop->for_.start) && fits(t, loop->loop->for_.stop)
               ? type_int32
               : element;
}

bool team_take_tally(const Team *t, TeamLoop *loop, const IrStmt *stmt)
{
    TallyAdd add;
    if (!is_add(stmt, &add))
        return false;
    const IrSets sets = ir_sets_of_loop(t->unit->arena, t->unit->kernel, loop->loop);
    TeamTally *tally = tally_of(loop, add.array->var);
    bool row = is_one_row(loop, &sets, &add);
    if (!tally && loop->tally_count == TEAM_TALLIES)
        return false;
    if (!tally) {
        tally = &loop->tallies[loop->tally_count++];
        *tally = (TeamTally){ .array = add.array->var,
                              .row = add.indices,
                              .room = row ? row_room(t, add.array->var) : 0,
                              .held = held_as(t, loop, &add) };
    } else {
        tally->held = add.array->type->array.element;
    }
    if (!row)
        tally->room = 0;
    tally->atomic |= add.atomic;
    tally->accesses += add.atomic ? 1 : 2;
    if (t->adds)
        return add.atomic || (team_is_own(add.array) && team_adds_fit(loop));
    return !add.atomic || (tally->room && add.count > 1);
}

bool team_tally_alone(const Team *t, const TeamLoop *loop, const TeamTally *tally)
{
    return tally->accesses == team_accesses(t, &loop->loop->for_.body, tally->array);
}

/* ---- in their place -------------------------------------------------------------------------- */

static IrValue *row_end(const TeamBuild *m, const TeamTally *tally)
{
    return ir_extent(m->b->arena, build_var(m->b, tally->array), tally->array->type->array.rank - 1,
                     m->b->span);
}

/* A loop over a row's elements, shared out. */
static IrStmt *over_row(const TeamBuild *m, const TeamTally *tally)
{
    return build_for(m->b, build_counter(m->b, "_v"), build_var(m->b, m->member), row_end(m, tally),
                     m->size, 0);
}

/* The team's number in the block. */
static IrValue *team_number(const TeamBuild *m)
{
    return m->teams == 1 ? build_int(m->b, 0)
                         : build_op(m->b, OP_floordiv, build_thread_index(m->b, 0), WARP_LANES);
}

static bool make_near(TeamBuild *m, TeamTally *tally)
{
    int64_t bytes = m->teams * tally->room * (int64_t)type_size(tally->held);
    if (!tally->room || ir_shared_bytes(m->b->fn) + bytes > BROUGHT_BYTES)
        return false;
    tally->near = ir_array_var(
        m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", tally->array->name),
        tally->held, VAR_SHARED, (int64_t[]){ m->teams, tally->room }, 2, m->b->span);
    return true;
}

void team_begin_tallies(TeamBuild *m, TeamLoop *loop, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < loop->tally_count; i++) {
        TeamTally *tally = &loop->tallies[i];
        if (!make_near(m, tally))
            continue;
        any = true;
        IrStmt *zeros = over_row(m, tally);
        build_store(m->b, tally->near, team_number(m), zeros->for_.var,
                    build_integer(m->b, tally->held, 0), &zeros->for_.body);
        ir_append(out, zeros);
    }
    if (any)
        team_meet(m, out);
}

static IrValue *atomic_add(const TeamBuild *m, const IrVar *array, IrValue *const *indices,
                           IrValue *added)
{
    int rank = array->type->array.rank;
    IrValue *atomic = ir_value(m->b->arena, OP_intrinsic, added->type, m->b->span, rank + 2);
    atomic->intrinsic = INTR_atomic_add;
    atomic->operands[0] = build_var(m->b, array);
    for (int i = 0; i < rank; i++)
        atomic->operands[i + 1] = indices[i];
    atomic->operands[rank + 1] = added;
    return atomic;
}

/* The index along a row, which may count from its end. */
static IrValue *from_front(const TeamBuild *m, const TeamTally *tally, IrValue *index,
                           IrRegion *region, IrStmt *before)
{
    if (ir_nonnegative(index))
        return build_cast(m->b, type_int64, index);
    IrVar *held = build_temporary(m->b, "_index", type_int64);
    ir_insert_before(region, before,
                     ir_set(m->b->arena, held, build_cast(m->b, type_int64, index), m->b->span));
    IrValue *low = build_op(m->b, OP_lt, held, 0);
    IrValue *end = build_op(m->b, OP_add, held, row_end(m, tally));
    return ir_never_negative(ir_select(m->b->arena, low, end, build_var(m->b, held), m->b->span));
}

typedef struct TallyChange {
    TeamBuild *m;
    const TeamLoop *loop;
} TallyChange;

static void change_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    const TallyChange *c = context;
    const TeamBuild *m = c->m;
    TallyAdd add;
    if (!is_add(stmt, &add) || !tally_of(c->loop, add.array->var))
        return;
    const TeamTally *tally = tally_of(c->loop, add.array->var);
    const Type *element = add.array->type->array.element;
    IrValue *added = (IrValue *)add.added;
    if (add.less)
        added = build_op(m->b, OP_sub, build_integer(m->b, added->type, 0), added);
    added = build_cast(m->b, tally->near ? tally->held : element, added);
    IrValue *near[2] = { NULL };
    if (tally->near) {
        near[0] = team_number(m);
        near[1] = from_front(m, tally, add.indices[add.count - 1], region, stmt);
    }
    IrValue *atomic = tally->near ? atomic_add(m, tally->near, near, added)
                                  : atomic_add(m, add.array->var, add.indices, added);
    stmt->kind = IR_EVAL;
    stmt->eval.value = atomic;
}

void team_change_tallies(TeamBuild *m, const TeamLoop *loop)
{
    TallyChange change = { m, loop };
    if (loop->tally_count)
        ir_change_stmts(&loop->loop->for_.body, change_stmt, &change);
}

/* What was added to an element comes to it. */
static void bring(const TeamBuild *m, const TeamTally *tally, IrRegion *out)
{
    int rank = tally->array->type->array.rank;
    const Type *element = tally->array->type->array.element;
    IrStmt *each = over_row(m, tally);
    IrVar *total = build_temporary(m->b, "_total", element);
    IrValue *at[RANK_MAX], *again[RANK_MAX];
    build_set(
        m->b, total,
        build_cast(m->b, element, build_load(m->b, tally->near, team_number(m), each->for_.var)),
        &each->for_.body);
    IrRegion *changed = build_if(
        m->b, build_op(m->b, OP_ne, total, build_integer(m->b, element, 0)), &each->for_.body);
    for (int i = 0; i < rank; i++) {
        at[i] = i < rank - 1 ? build_copy(m->b, tally->row[i]) : build_var(m->b, each->for_.var);
        again[i] = build_copy(m->b, at[i]);
    }
    IrValue *array = build_var(m->b, tally->array);
    if (tally->atomic)
        ir_append(changed,
                  ir_eval(m->b->arena, atomic_add(m, tally->array, at, build_var(m->b, total)),
                          m->b->span));
    else
        ir_append(changed, ir_store(m->b->arena, array, at, rank,
                                    build_op(m->b, OP_add,
                                             ir_load(m->b->arena, build_var(m->b, tally->array),
                                                     again, rank, m->b->span),
                                             total),
                                    m->b->span));
    ir_append(out, each);
}

void team_end_tallies(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < loop->tally_count; i++)
        if (loop->tallies[i].near) {
            bring(m, &loop->tallies[i], out);
            any = true;
        }
    if (any)
        team_meet(m, out);
}

/* ---- own arrays ------------------------------------------------------------------------------ */

typedef struct OwnChange {
    TeamBuild *m;
    IrVar **near; /* by IrVar.id: the shared array that takes its place */
    int count;
} OwnChange;

static IrVar *near_of(const OwnChange *c, const IrValue *array)
{
    return team_is_own(array) && array->var->id < c->count ? c->near[array->var->id] : NULL;
}

/* What an access has by way of indices, behind the team's number. */
static IrValue **with_team(const OwnChange *c, IrValue *const *indices, int count)
{
    IrValue **all = arena_array(c->m->b->arena, IrValue *, count + 1);
    all[0] = team_number(c->m);
    for (int i = 0; i < count; i++)
        all[i + 1] = indices[i];
    return all;
}

static void change_access(void *context, IrValue **slot)
{
    OwnChange *c = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        change_access(c, &value->operands[i]);
    bool access = value->op == OP_load || ir_is_atomic(value);
    IrVar *near = access && value->count ? near_of(c, value->operands[0]) : NULL;
    if (!near)
        return;
    value->operands = with_team(c, value->operands, value->count);
    value->operands[1] = value->operands[0];
    value->operands[0] = build_var(c->m->b, near);
    value->count++;
}

static void change_own_store(void *context, IrStmt *stmt)
{
    OwnChange *c = context;
    IrVar *near = stmt->kind == IR_STORE ? near_of(c, stmt->store.array) : NULL;
    if (!near)
        return;
    stmt->store.indices = with_team(c, stmt->store.indices, stmt->store.count);
    stmt->store.count++;
    stmt->store.array = build_var(c->m->b, near);
}

static IrVar *near_own(const TeamBuild *m, const IrVar *array)
{
    int rank = array->type->array.rank;
    int64_t shape[RANK_MAX] = { m->teams };
    for (int k = 0; k < rank; k++)
        shape[k + 1] = array->shape[k];
    return ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", array->name),
                        array->type->array.element, VAR_SHARED, shape, rank + 1, array->span);
}

void team_move_own(TeamBuild *m, IrRegion *body)
{
    IrFunc *fn = m->b->fn;
    OwnChange change = { m, arena_array(m->b->arena, IrVar *, m->share_count + 1), m->share_count };
    for (int i = 0; i < change.count; i++)
        if (m->shares[i])
            change.near[i] = near_own(m, fn->vars[i]);
    ir_each_slot_in(body, change_access, &change);
    ir_each_stmt(body, change_own_store, &change);
}

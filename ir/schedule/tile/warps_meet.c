/* Where lanes of a warp meet: an exchange by shared memory, between two barriers. */
#include "ir/schedule/tile/warps.h"

static void meet(Warps *w, IrRegion *out)
{
    w->guarded = NULL;
    build_call(w->b, INTR_syncthreads, NULL, out);
    for (int i = 0; i < w->exchange_count; i++)
        w->exchanges[i].read = false;
}

void warps_settle(Warps *w, IrRegion *out)
{
    for (int i = 0; i < w->exchange_count; i++)
        if (w->exchanges[i].read) {
            meet(w, out);
            return;
        }
}

static int threads_of(const Warps *w)
{
    return (int)(w->block[0] * w->block[1] * w->block[2]);
}

static IrVar *exchange(Warps *w, const Type *type)
{
    for (int i = 0; i < w->exchange_count; i++)
        if (w->exchanges[i].type == type && !w->exchanges[i].read)
            return w->exchanges[i].array;
    int64_t room = threads_of(w) + 2 * WARP_LANES; /* for lanes that are not there, and not used */
    Exchange made = { .type = type };
    made.array =
        ir_array_var(w->unit->arena, w->b->fn, "sent", type, VAR_SHARED, &room, 1, w->b->span);
    made.array->temporary = true;
    array_push(w->unit->arena, w->exchanges, w->exchange_count, w->exchange_capacity) = made;
    return made.array;
}

static void note_read(Warps *w, const IrVar *array)
{
    for (int i = 0; i < w->exchange_count; i++)
        w->exchanges[i].read |= w->exchanges[i].array == array;
}

/* The number of the thread in its block. */
static IrValue *thread(const Warps *w)
{
    IrValue *index = build_thread_index(w->b, 0);
    if (w->block[1] * w->block[2] == 1)
        return index;
    IrValue *row = build_op(w->b, OP_mul, build_thread_index(w->b, 2), (int)w->block[1]);
    row = build_op(w->b, OP_add, row, build_thread_index(w->b, 1));
    return build_op(w->b, OP_add, build_op(w->b, OP_mul, row, (int)w->block[0]), index);
}

static IrValue *lane(const Warps *w)
{
    if (w->block[0] == WARP_LANES)
        return build_thread_index(w->b, 0);
    return build_op(w->b, OP_and, build_thread_index(w->b, 0), WARP_LANES - 1);
}

/* An element for a thread that is `by` threads behind, or in front of, this one or its warp's
** first. There is room for a warp's more at both ends. */
static IrValue *slot(const Warps *w, IrOp op, IrValue *by, bool first)
{
    IrValue *index = thread(w);
    if (first)
        index = build_op(w->b, OP_sub, index, lane(w));
    return ir_never_negative(build_op(w->b, OP_add, index, build_op(w->b, op, WARP_LANES, by)));
}

static IrValue *load_at(const Warps *w, const IrVar *array, IrOp op, IrValue *by, bool first)
{
    return build_load(w->b, array, slot(w, op, by, first), NULL);
}

static void store_own(Warps *w, const IrVar *array, IrValue *value, IrRegion *out)
{
    build_store(w->b, array, slot(w, OP_add, build_int(w->b, 0), false), NULL, value, out);
}

/* What lies so far away is loaded whether the lane wants it or not, which vectors do at once. */
static IrValue *found(const Warps *w, const IrVar *array, IrOp op, const IrValue *by, IrRegion *out)
{
    IrVar *found = build_temporary(w->b, "found", array->type->array.element);
    build_set(w->b, found, load_at(w, array, op, build_copy(w->b, by), false), out);
    return build_var(w->b, found);
}

static bool is_power(const IrValue *value)
{
    return ir_is_constant(value) && value->constant.integer > 0 &&
           !(value->constant.integer & (value->constant.integer - 1));
}

static IrValue *is_here(const Warps *w, IrValue *here)
{
    return ir_binary(w->b->arena, OP_ne, here, ir_zero(w->b->arena, here->type, w->b->span),
                     w->b->span);
}

/* What a lane gets of one so far behind it, or in front, if `there`; else what it has itself. */
static IrValue *from_beside(Warps *w, const IrVar *array, IrOp op, IrValue *by, IrValue *there,
                            IrValue *own, IrRegion *out)
{
    IrValue *value = found(w, array, op, by, out);
    if (w->here)
        there = build_op(w->b, OP_and_then, there, is_here(w, found(w, w->here, op, by, out)));
    return ir_select(w->b->arena, there, value, own, w->b->span);
}

/* The same of a lane of that number. */
static IrValue *from_lane(Warps *w, const IrVar *array, IrValue *number, IrValue *own)
{
    IrValue *value = load_at(w, array, OP_add, number, true);
    if (!w->here)
        return value;
    IrValue *here = load_at(w, w->here, OP_add, build_copy(w->b, number), true);
    return ir_select(w->b->arena, is_here(w, here), value, own, w->b->span);
}

/* What a lane gets, given what all have put there. */
static IrValue *received(Warps *w, const IrValue *shuffle, const IrVar *array, IrValue *own,
                         IrRegion *out)
{
    const IrBuilder *b = w->b;
    IrValue *by = build_cast(b, type_int64, build_copy(b, shuffle->operands[2]));
    by = build_op(b, OP_and, by, WARP_LANES - 1);
    IrValue *there, *behind;
    switch ((int)shuffle->intrinsic) {
    case INTR_shfl_down_sync:
        there = build_op(b, OP_lt, build_op(b, OP_add, lane(w), build_copy(b, by)), WARP_LANES);
        return from_beside(w, array, OP_add, by, there, own, out);
    case INTR_shfl_up_sync:
        there = build_op(b, OP_ge, lane(w), build_copy(b, by));
        return from_beside(w, array, OP_sub, by, there, own, out);
    case INTR_shfl_xor_sync:
        if (!is_power(by) || w->here)
            return from_lane(w, array, build_op(b, OP_xor, lane(w), by), own);
        there = build_op(b, OP_and, lane(w), build_copy(b, by));
        behind = found(w, array, OP_add, by, out);
        return ir_select(b->arena, build_op(b, OP_eq, there, 0), behind,
                         found(w, array, OP_sub, by, out), b->span);
    default:
        return from_lane(w, array, by, own);
    }
}

static void lay_shuffle(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    const IrBuilder *b = w->b;
    const IrValue *shuffle = stmt->set.value;
    IrVar *array = exchange(w, shuffle->type);
    IrValue *own = build_copy(b, shuffle->operands[1]);
    if (own->op != OP_var) {
        IrVar *kept = build_temporary(b, "own", shuffle->type);
        build_set(b, kept, own, warps_guarded(w, out));
        own = build_var(b, kept);
    }
    store_own(w, array, build_copy(b, own), warps_guarded(w, out));
    meet(w, out);
    IrValue *value = received(w, shuffle, array, own, warps_guarded(w, out));
    build_set(b, stmt->set.var, value, warps_guarded(w, out));
    note_read(w, array);
    bool same = shuffle->intrinsic == INTR_shfl_sync && warps_same(w, shuffle->operands[2]);
    w->alike |= same;
    if (same && !w->here)
        warps_note_same(w, stmt->set.var);
}

void warps_part(Warps *w, IrRegion *out)
{
    int64_t room = threads_of(w) + 2 * WARP_LANES;
    w->here = ir_array_var(w->unit->arena, w->b->fn, "here", type_int32, VAR_SHARED, &room, 1,
                           w->b->span);
    store_own(w, w->here,
              ir_select(w->b->arena, build_var(w->b, w->guard), build_integer(w->b, type_int32, 1),
                        build_integer(w->b, type_int32, 0), w->b->span),
              out);
}

static IrValue *warp(const Warps *w)
{
    return ir_never_negative(build_op(w->b, OP_floordiv, thread(w), WARP_LANES));
}

/* What a warp's lanes said, put together by the first, a slot for each warp. */
static IrVar *collect(Warps *w, const IrVar *said, IrRegion *out)
{
    const IrBuilder *b = w->b;
    note_read(w, said);
    IrVar *put = exchange(w, said->type->array.element);
    IrRegion *each = build_if(b, build_op(b, OP_eq, lane(w), 0), out);
    IrVar *all = build_temporary(b, "votes", put->type->array.element);
    build_set(b, all, ir_zero(b->arena, all->type, b->span), each);
    IrVar *at = build_counter(b, "lane");
    IrStmt *loop = build_for(b, at, 0, WARP_LANES, 1, 0);
    IrValue *one = load_at(w, said, OP_add, build_var(b, at), false);
    build_set(b, all, build_op(b, OP_or, all, one), &loop->for_.body);
    ir_append(each, loop);
    build_store(b, put, warp(w), NULL, build_var(b, all), each);
    return put;
}

static void lay_vote(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    const IrBuilder *b = w->b;
    const IrValue *vote = stmt->set.value;
    const Type *type = type_uint32;
    IrVar *said = exchange(w, type);
    IrValue *truth = build_copy(b, vote->operands[1]);
    if (truth->type != type_bool)
        truth = ir_binary(b->arena, OP_ne, truth, ir_zero(b->arena, truth->type, b->span), b->span);
    if (vote->intrinsic == INTR_all_sync) /* no lane says no */
        truth = ir_unary(b->arena, OP_not, truth, b->span);
    if (w->here) { /* lanes that are not there say nothing */
        truth = build_op(b, OP_and_then, w->guard, truth);
        w->guarded = NULL;
    }
    IrValue *bit = build_op(b, OP_shl, build_integer(b, type, 1), build_cast(b, type, lane(w)));
    bit = ir_select(b->arena, truth, bit, build_integer(b, type, 0), b->span);
    store_own(w, said, bit, w->here ? out : warps_guarded(w, out));
    meet(w, out);
    IrVar *put = collect(w, said, out);
    meet(w, out);
    IrValue *value = build_load(b, put, warp(w), NULL);
    if (vote->intrinsic == INTR_ballot_sync)
        value = build_cast(b, vote->type, value);
    else
        value = ir_binary(b->arena, vote->intrinsic == INTR_any_sync ? OP_ne : OP_eq, value,
                          build_integer(b, type, 0), b->span);
    build_set(b, stmt->set.var, value, warps_guarded(w, out));
    note_read(w, put);
    w->alike = true;
    warps_note_same(w, stmt->set.var);
}

static bool names_all(const IrValue *mask)
{
    while (mask->op == OP_cast)
        mask = mask->operands[0];
    return ir_is_constant(mask) && type_is_integer(mask->type) &&
           (uint32_t)mask->constant.integer == UINT32_MAX;
}

void warps_lay_meeting(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    const IrValue *value = ir_stmt_value(stmt);
    w->b->span = stmt->span;
    if (value->intrinsic == INTR_syncthreads && !w->guard) {
        meet(w, out);
        return;
    }
    if (!(ir_intrinsics[value->intrinsic].effect & EFFECT_WARP_SYNC) || !value->count ||
        !names_all(value->operands[0])) {
        warps_refuse(w, stmt->span, "not all of a block or of a warp meet");
        return;
    }
    switch ((int)value->intrinsic) {
    case INTR_syncwarp:
        meet(w, out);
        return;
    case INTR_shfl_sync:
    case INTR_shfl_up_sync:
    case INTR_shfl_down_sync:
    case INTR_shfl_xor_sync:
        if (!type_is_number(value->type) || type_size(value->type) < 4)
            warps_refuse(w, stmt->span, "lanes exchange small values or pairs");
        else if (stmt->kind == IR_SET)
            lay_shuffle(w, stmt, out);
        return;
    case INTR_all_sync:
    case INTR_any_sync:
    case INTR_ballot_sync:
        if (stmt->kind == IR_SET)
            lay_vote(w, stmt, out);
        return;
    default:
        warps_refuse(w, stmt->span, "lanes of a warp ask who is there");
    }
}

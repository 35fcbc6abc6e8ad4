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
    int64_t room = threads_of(w) + 2 * WARP; /* for lanes that are not there, and not used */
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
    return build_op(w->b, OP_and, build_thread_index(w->b, 0), WARP - 1);
}

/* An element for a thread that is `by` threads behind, or in front of, this one or its warp's
** first. There is room for a warp's more at both ends. */
static IrValue *place(const Warps *w, IrOp op, IrValue *by, bool first)
{
    IrValue *index = thread(w);
    if (first)
        index = build_op(w->b, OP_sub, index, lane(w));
    return ir_never_negative(build_op(w->b, OP_add, index, build_op(w->b, op, WARP, by)));
}

static IrValue *load_at(const Warps *w, const IrVar *array, IrOp op, IrValue *by, bool first)
{
    return build_load(w->b, array, place(w, op, by, first), NULL);
}

static void store_own(Warps *w, const IrVar *array, IrValue *value, IrRegion *out)
{
    build_store(w->b, array, place(w, OP_add, build_int(w->b, 0), false), NULL, value, out);
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

/* What a lane gets, given what all have put there. */
static IrValue *received(Warps *w, const IrValue *shuffle, const IrVar *array, IrValue *own,
                         IrRegion *out)
{
    const IrBuilder *b = w->b;
    IrValue *by = build_cast(b, type_int64, build_copy(b, shuffle->operands[2]));
    by = build_op(b, OP_and, by, WARP - 1);
    IrValue *there, *behind;
    switch ((int)shuffle->intrinsic) {
    case INTR_shfl_down_sync:
        there = build_op(b, OP_lt, build_op(b, OP_add, lane(w), build_copy(b, by)), (int)WARP);
        return ir_select(b->arena, there, found(w, array, OP_add, by, out), own, b->span);
    case INTR_shfl_up_sync:
        there = build_op(b, OP_ge, lane(w), build_copy(b, by));
        return ir_select(b->arena, there, found(w, array, OP_sub, by, out), own, b->span);
    case INTR_shfl_xor_sync:
        there = build_op(b, OP_and, lane(w), build_copy(b, by));
        if (!is_power(by))
            return load_at(w, array, OP_add, build_op(b, OP_xor, lane(w), by), true);
        behind = found(w, array, OP_add, by, out);
        return ir_select(b->arena, build_op(b, OP_eq, there, 0), behind,
                         found(w, array, OP_sub, by, out), b->span);
    default:
        return load_at(w, array, OP_add, by, true);
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
    if (shuffle->intrinsic == INTR_shfl_sync && warps_same(w, shuffle->operands[2]))
        warps_note_same(w, stmt->set.var);
}

/* The first lane of each warp puts together what the others say. */
static void lay_vote(Warps *w, const IrStmt *stmt, IrRegion *out)
{
    const IrBuilder *b = w->b;
    const IrValue *vote = stmt->set.value;
    const Type *type = type_uint32;
    IrVar *said = exchange(w, type);
    IrValue *truth = build_copy(b, vote->operands[1]);
    if (truth->type != type_bool)
        truth = ir_binary(b->arena, OP_ne, truth, ir_zero(b->arena, truth->type, b->span), b->span);
    truth =
        ir_select(b->arena, truth, build_integer(b, type, 1), build_integer(b, type, 0), b->span);
    store_own(w, said, truth, warps_guarded(w, out));
    meet(w, out);
    note_read(w, said);
    IrVar *put = exchange(w, type), *all = build_temporary(b, "votes", type);
    IrRegion *first = build_if(b, build_op(b, OP_eq, lane(w), 0), warps_guarded(w, out));
    IrVar *at = build_counter(b, "lane");
    build_set(b, all, build_integer(b, type, 0), first);
    IrStmt *loop = build_for(b, at, 0, WARP, 1, 0);
    IrValue *one = load_at(w, said, OP_add, build_var(b, at), false);
    one = build_op(b, OP_shl, one, build_cast(b, type, at));
    build_set(b, all, build_op(b, OP_or, all, one), &loop->for_.body);
    ir_append(first, loop);
    store_own(w, put, build_var(b, all), first);
    meet(w, out);
    IrValue *value = load_at(w, put, OP_add, build_int(b, 0), true);
    if (vote->intrinsic == INTR_ballot_sync)
        value = build_cast(b, vote->type, value);
    else
        value =
            ir_binary(b->arena, vote->intrinsic == INTR_any_sync ? OP_ne : OP_eq, value,
                      build_integer(b, type, vote->intrinsic == INTR_any_sync ? 0 : -1), b->span);
    build_set(b, stmt->set.var, value, warps_guarded(w, out));
    note_read(w, put);
    warps_note_same(w, stmt->set.var);
}

static bool names_all(const IrValue *mask)
{
    while (mask->op == OP_cast)
        mask = mask->operands[0];
    return ir_is_constant(mask) && type_is_integer(mask->type) &&
           (uint32_t)mask->constant.integer == UINT32_MAX;
}

static bool can_exchange(const Type *type)
{
    return (type_is_integer(type) || type_is_float(type)) && type_size(type) >= 4;
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
        if (!can_exchange(value->type))
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

/* What a kernel begins with whose warps stay together, whether their threads do anything or not:
** sets and conditions around it (guard.c) become a name for whether the thread is active. */
#include "ir/schedule/stage/front.h"

static IrValue *all_lanes(const IrBuilder *b)
{
    return build_integer(b, type_uint32, 0xffffffff);
}

void front_meet(const IrBuilder *b, IrRegion *out)
{
    IrValue *meet =
        ir_intrinsic(b->arena, INTR_syncwarp, type_none, b->span, all_lanes(b), NULL, NULL);
    ir_append(out, ir_eval(b->arena, meet, b->span));
}

IrVar *front_vote(const IrBuilder *b, const IrVar *own, IrRegion *out)
{
    IrVar *votes = build_temporary(b, "_votes", type_int32);
    build_set(b, votes,
              ir_intrinsic(b->arena, INTR_ballot_sync, type_int32, b->span, all_lanes(b),
                           build_var(b, own), NULL),
              out);
    IrVar *mask = build_temporary(b, "_mask", type_uint32);
    build_set(b, mask, build_cast(b, type_uint32, votes), out);
    return mask;
}

/* What lane 0 has of something that is one more with each lane. */
static IrVar *let_before(const IrBuilder *b, const Front *f, const char *name, IrVar *own,
                         IrRegion *out)
{
    IrValue *value = build_op(b, OP_sub, own, f->lane);
    return build_let(b, name, ir_never_negative(value), out);
}

static void append_sets(const IrBuilder *b, const Guarded *guarded, IrRegion *out)
{
    for (int i = 0; i < guarded->set_count; i++)
        ir_append(out, ir_set(b->arena, guarded->sets[i]->set.var, guarded->sets[i]->set.value,
                              guarded->sets[i]->span));
}

/* Whether the thread with an index does something, in a lane that has one. */
static IrVar *let_active(const IrBuilder *b, const Guarded *guarded, const IrVar *place,
                         const IrVar *threads, IrValue *has, IrRegion *out)
{
    IrValue *value = build_op(b, OP_lt, place, threads);
    value = has ? build_op(b, OP_and_then, has, value) : value;
    for (int i = 0; i < guarded->term_count; i++)
        value = build_op(b, OP_and_then, value, (IrValue *)guarded->terms[i]);
    IrVar *active = build_temporary(b, "_active", type_bool);
    build_set(b, active, value, out);
    return active;
}

IrVar *front_active(const IrBuilder *b, const Guarded *guarded, const IrVar *place,
                    const IrVar *threads, IrRegion *out)
{
    append_sets(b, guarded, out);
    return let_active(b, guarded, place, threads, NULL, out);
}

/* The index of a thread that is one of a warp's first `lanes`. */
static IrVar *let_place(const IrBuilder *b, const Front *f, int lanes, IrRegion *out)
{
    IrValue *block = build_cast(b, type_int64, ir_axis(b->arena, INTR_block_idx, 0, b->span));
    IrValue *warp = build_op(b, OP_floordiv, f->self, WARP_LANES);
    IrValue *warps = build_op(b, OP_add, build_times(b, block, FRONT_THREADS / WARP_LANES), warp);
    return build_let(b, "_place", build_op(b, OP_add, build_times(b, warps, lanes), f->lane), out);
}

Front front_make(const IrBuilder *b, const Guarded *guarded, IrVar *threads, int lanes,
                 IrRegion *out)
{
    Front f;
    if (lanes == WARP_LANES)
        append_sets(b, guarded, out);
    f.self = build_let(b, "_self", build_thread_index(b, 0), out);
    f.lane = build_let(b, "_lane", build_op(b, OP_mod, f.self, WARP_LANES), out);
    f.place = lanes == WARP_LANES
                  ? build_let(b, "_place", ir_axis(b->arena, INTR_grid, 0, b->span), out)
                  : let_place(b, &f, lanes, out);
    if (lanes < WARP_LANES)
        append_sets(b, guarded, out);
    f.base = let_before(b, &f, "_base", f.self, out);
    f.first = let_before(b, &f, "_first", f.place, out);
    IrValue *has = build_op(b, OP_lt, f.lane, lanes);
    f.active = let_active(b, guarded, f.place, threads, lanes < WARP_LANES ? has : NULL, out);
    return f;
}

bool front_apart(const IrAffine *affine, unsigned axes, IrValue *const *index, int count)
{
    for (int i = 0; i < 3 * count; i++)
        if (affine_varies(affine, index[i / 3], i % 3))
            axes &= ~(1u << i % 3);
    return !axes;
}

void front_beside(const IrBuilder *b, IrVar *beside[2], IrRegion *out)
{
    for (int k = 1; k < 3; k++)
        beside[k - 1] = build_let(
            b, "_place", build_cast(b, type_int64, ir_axis(b->arena, INTR_block_idx, k, b->span)),
            out);
}

typedef struct Visit {
    FrontAccess *visit;
    void *context;
} Visit;

static void visit_load(void *context, IrValue *value)
{
    const Visit *v = context;
    if (value->op == OP_load)
        v->visit(v->context, value->operands[0], value->operands + 1, value->count - 1, false);
}

void front_accesses(const IrStmt *loop, FrontAccess *visit, void *context)
{
    enum { KINDS = 1 << IR_SET | 1 << IR_EVAL | 1 << IR_STORE | 1 << IR_IF | 1 << IR_FOR };
    Visit loads = { visit, context };
    for (const IrStmt *stmt = loop->for_.body.first; stmt; stmt = stmt->next) {
        if (KINDS >> stmt->kind & 1)
            for_each_value (value, stmt)
                ir_each_certain(value, visit_load, &loads);
        if (stmt->kind == IR_STORE)
            visit(context, stmt->store.array, stmt->store.indices, stmt->store.count, true);
    }
}

static bool is_size(const IrSets *sets, const IrValue *value)
{
    value = sets_behind_casts(sets, value);
    return value->op == OP_extent || (value->op == OP_var && value->var->kind == VAR_PARAM);
}

static bool is_long(IrUnit *unit, const IrSets *sets, const IrValue *stop)
{
    stop = sets_behind_casts(sets, stop);
    bool least = ir_is_intrinsic(stop, INTR_min);
    if (ir_is_constant(stop))
        return stop->constant.integer >= LONG_AXIS;
    if (stop->op == OP_mul && is_size(sets, stop->operands[0]) && is_size(sets, stop->operands[1]))
        return true; /* rows times columns: taken to be enough */
    if (stop->op == OP_extent)
        return is_long_axis(unit->launch, stop);
    if (least || stop->op == OP_add || stop->op == OP_mul) {
        bool left = is_long(unit, sets, stop->operands[0]);
        return left != least ? left : is_long(unit, sets, stop->operands[1]);
    }
    /* taken to leave enough */
    if ((stop->op == OP_floordiv && ir_is_constant(stop->operands[1])) ||
        (stop->op == OP_sub && guard_of_arguments(stop->operands[1])))
        return is_long(unit, sets, stop->operands[0]);
    return stop->op == OP_var && stop->var->kind == VAR_PARAM &&
           launch_axes_from_128(unit->launch, stop->var->param);
}

bool front_is_long(IrUnit *unit, const IrSets *sets, const IrStmt *loop, const IrValue *stop)
{
    int64_t count = ir_trip_count(loop);
    return count >= 0 ? count >= LONG_AXIS : is_long(unit, sets, stop);
}

int64_t front_length(IrUnit *unit, const IrSets *sets, const IrStmt *loop)
{
    int64_t count = ir_trip_count(loop);
    const IrValue *stop = sets_behind_casts(sets, loop->for_.stop);
    int param = stop->op == OP_extent && stop->index ? ir_array_param(stop->operands[0]) : -1;
    if (count >= 0)
        return count;
    bool row = param >= 0 && stop->index == stop->operands[0]->type->array.rank - 1;
    return row && !launch_rows_to_1024(unit->launch, param) ? 4 * SLIM_AXIS : 0;
}

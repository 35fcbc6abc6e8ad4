/* What the blocks of one rank access: a walk over the kernel with the bounds of its indices
** (bounds.h), where parameters of the kernel say which blocks these are (split_unit.c). */
#include "base/arith.h"
#include "ir/analysis/accesses.h"
#include "ir/analysis/range/bounds.h"
#include "ir/analysis/points_to.h"
#include "ir/predict/split_parts.h"

typedef struct SplitWalk {
    const SplitRequest *request;
    const SplitUnit *split;
    IrFunc *fn;
    IrPointsTo points_to;
    IrBounds *bounds;
    SplitAccess *accesses;
    const IrStmt *stmt; /* at hand */
} SplitWalk;

typedef enum Deed { DEED_READ, DEED_WRITE, DEED_ATOMIC } Deed;

/* ---- stretches ------------------------------------------------------------------------------- */

/* No index at all; one more stretch beside what is there. */
static SplitStretch split_none(void)
{
    return (SplitStretch){ 1, 0, 0 };
}

static bool is_none(SplitStretch a)
{
    return a.low > a.high;
}

/* One without a period is, where the other has one, part of what it is with that. Two periods are
** the lesser's as often as that goes; else each index may be accessed. */
static SplitStretch split_join(SplitStretch a, SplitStretch b)
{
    if (is_none(a) || is_none(b))
        return is_none(a) ? b : a;
    SplitStretch both = { integer_min(a.low, b.low), integer_max(a.high, b.high),
                          integer_max(a.period, b.period) };
    if (a.period && b.period && a.period != b.period)
        both.period = 1;
    return both;
}

static SplitStretch whole(int64_t extent)
{
    return (SplitStretch){ 0, extent - 1, 0 };
}

static int64_t held_in(IrWide value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : (int64_t)value;
}

/* The period that an index has in a loop by the stride of the grid, and what it is beside that;
** false if it does not move with one such loop alone. */
static bool find_period(const SplitWalk *w, const IrValue *index, SplitStretch *out)
{
    for (int i = 0; i < w->split->stride_count; i++) {
        int64_t factor, period;
        Interval rest;
        if (!bounds_beside(w->bounds, index, w->split->strides[i], &factor, &rest) || !factor ||
            __builtin_mul_overflow(factor, w->split->steps[i], &period))
            continue;
        if (period < 0 || rest.low < 0 || rest.high > INT64_MAX / 4 || interval_empty(rest))
            return false;
        *out = (SplitStretch){ (int64_t)rest.low, (int64_t)rest.high, period };
        return true;
    }
    return false;
}

/* What an index along an axis may be. One that may count from the end may be any. */
static SplitStretch stretch_of(const SplitWalk *w, const IrValue *index, int64_t extent)
{
    Interval range = bounds_of(w->bounds, index);
    SplitStretch out;

    if (interval_empty(range) || extent < 1)
        return split_none();
    if (range.low < 0 && range.high < 0)
        range = interval_add(range, interval_from(extent, extent));
    if (range.low < 0)
        return whole(extent);
    if (find_period(w, index, &out))
        return out;
    /* beyond the end nothing is right, and nothing is promised */
    return (SplitStretch){ held_in(range.low, 0, extent - 1), held_in(range.high, 0, extent - 1),
                           0 };
}

/* ---- accesses -------------------------------------------------------------------------------- */

static void note(SplitAccess *access, Deed deed, Span span)
{
    bool *did = deed == DEED_READ    ? &access->reads
                : deed == DEED_WRITE ? &access->writes
                                     : &access->atomics;
    Span *where = deed == DEED_READ    ? &access->read
                  : deed == DEED_WRITE ? &access->write
                                       : &access->atomic;
    if (!*did)
        *where = span;
    *did = true;
}

/* An access at `indices`; NULL: at any. */
static void access_param(const SplitWalk *w, int param, Deed deed, IrValue *const *indices,
                         Span span)
{
    SplitAccess *access = &w->accesses[param];
    const Type *type = w->fn->vars[param]->type;
    SplitStretch stretch[RANK_MAX];
    int rank = type_is_array(type) ? type->array.rank : 0;

    for (int k = 0; k < rank; k++) {
        int64_t extent = w->request->args[param].shape[k];
        stretch[k] = indices ? stretch_of(w, indices[k], extent) : whole(extent);
        if (is_none(stretch[k]))
            return; /* no thread comes here, or there is no element */
    }
    note(access, deed, span);
    for (int k = 0; k < rank; k++) {
        access->accessed[k] = split_join(access->accessed[k], stretch[k]);
        if (deed != DEED_READ)
            access->written[k] = split_join(access->written[k], stretch[k]);
    }
}

/* The parameter whose elements an array has, at the same indices; -1. */
static int param_of(const IrValue *array, int count)
{
    while (array->op == OP_field && array->operands[0]->type->array.rank == count)
        array = array->operands[0];
    bool param = array->op == OP_var && array->var->kind == VAR_PARAM;
    return param && array->type->array.rank == count ? array->var->param : -1;
}

static void access_array(const SplitWalk *w, const IrValue *array, Deed deed,
                         IrValue *const *indices, int count, Span span)
{
    int param = param_of(array, count);
    if (param >= 0) {
        access_param(w, param, deed, indices, span);
        return;
    }
    const uint64_t *set = ir_pointees(&w->points_to, array);
    bool any = ir_pointees_elsewhere(&w->points_to, set);
    for (int i = 0; i < w->fn->param_count; i++)
        if (type_holds_arrays(w->fn->vars[i]->type) && (any || ir_pointees_have(set, i)))
            access_param(w, i, deed, NULL, span);
}

/* ---- atomics --------------------------------------------------------------------------------- */

static void note_operation(const SplitWalk *w, int param, const IrValue *value)
{
    SplitAccess *access = &w->accesses[param];
    Combine combine = atomic_combine(value);
    access->mixed |= combine == COMBINE_NONE || (access->combine && access->combine != combine);
    access->combine = combine;
    access->used |= w->stmt->kind != IR_EVAL || w->stmt->eval.value != value;
}

static void look_at_atomic(const SplitWalk *w, const IrValue *value)
{
    const IrValue *array = value->operands[0];
    int rank = array->type->array.rank, param = param_of(array, rank);
    const uint64_t *set = ir_pointees(&w->points_to, array);

    access_array(w, array, DEED_ATOMIC, value->operands + 1, rank, value->span);
    for (int i = 0; i < w->fn->param_count; i++)
        if (i == param || ir_pointees_have(set, i) || ir_pointees_elsewhere(&w->points_to, set))
            note_operation(w, i, value);
    if (param >= 0 && array->op != OP_var) /* a field of what would be combined whole */
        w->accesses[param].mixed = true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* An intrinsic that does more to memory than it says: to any element. */
static void look_at_intrinsic(const SplitWalk *w, const IrValue *value)
{
    int effect = ir_intrinsics[value->intrinsic].effect;
    if (effect & EFFECT_ATOMIC && value->count > 1 && type_is_array(value->operands[0]->type)) {
        look_at_atomic(w, value);
        return;
    }
    for (int i = 0; i < value->count; i++) {
        if (!type_holds_arrays(value->operands[i]->type))
            continue;
        access_array(w, value->operands[i], DEED_READ, NULL, -1, value->span);
        if (effect & (EFFECT_WRITE | EFFECT_ATOMIC))
            access_array(w, value->operands[i], DEED_WRITE, NULL, -1, value->span);
    }
}

static void look_at(const SplitWalk *w, const IrValue *value)
{
    if (value->op == OP_load)
        access_array(w, value->operands[0], DEED_READ, value->operands + 1, value->count - 1,
                     value->span);
    else if (value->op == OP_intrinsic)
        look_at_intrinsic(w, value);
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(w->bounds, value, i);
        look_at(w, value->operands[i]);
        bounds_forget(w->bounds, mark);
    }
}

static void look_at_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    SplitWalk *w = context;
    w->bounds = bounds;
    w->stmt = stmt;
    for_each_value (value, stmt)
        look_at(w, value);
    if (stmt->kind == IR_STORE)
        access_array(w, stmt->store.array, DEED_WRITE, stmt->store.indices, stmt->store.count,
                     stmt->span);
}

SplitAccess *split_walk(const SplitRequest *request, const SplitUnit *split, uint64_t first,
                        uint64_t behind)
{
    IrFunc *fn = split->unit->kernel;
    Arena *arena = split->unit->arena;
    SplitWalk w = { .request = request, .split = split, .fn = fn };

    w.accesses = arena_array(arena, SplitAccess, fn->param_count + 1);
    for (int i = 0; i < fn->param_count; i++)
        for (int k = 0; k < RANK_MAX; k++)
            w.accesses[i].accessed[k] = w.accesses[i].written[k] = split_none();
    if (first == behind)
        return w.accesses;
    uint64_t block = request->block[split->axis];
    split->first->constant.integer = (int64_t)first;
    split->behind->constant.integer = (int64_t)behind;
    split->first_block->constant.integer = (int64_t)(first / block);
    split->behind_block->constant.integer = (int64_t)((behind + block - 1) / block);
    w.points_to = ir_points_to(arena, fn);
    w.bounds = ir_bounds(split->unit);
    bounds_walk(w.bounds, look_at_stmt, &w);
    return w.accesses;
}

/* Arrays of which each thread has a record. See records.c. */
#include "ir/schedule/records/records.h"

#include "ir/analysis/flow/flow.h"

enum {
    ELEMENTS_MOST = 1 << 12, /* of a record */
    LOOPS_MOST = 4,          /* around a store that covers a record */
    UNKNOWN_TRIPS = 16       /* iterations of a loop of which it is not known */
};

/* A store that each thread is sure to make, and the loops of known iterations around it. */
typedef struct CertainStore {
    const IrStmt *stmt, *loops[LOOPS_MOST];
    int count;
} CertainStore;

typedef struct Find {
    Records *r;
    IrBuilder b[1];
    IrBounds *bounds;
    CertainStore *certain;
    int certain_count, certain_capacity;
    bool **single; /* by parameter: elements that stores of one are sure to go to */
} Find;

static bool is_index(const Records *r, const IrValue *value)
{
    value = sets_behind_casts(&r->sets, value);
    return ir_is_intrinsic(value, INTR_grid) && value->index == 0;
}

/* ---- how often accesses are made, and which are sure to be ----------------------------------- */

/* How many iterations a loop from 0 by 1 makes; -1: that is not known, or it is another. */
static int64_t trips_of(const Records *r, const IrStmt *loop)
{
    const IrValue *stop = sets_behind_casts(&r->sets, loop->for_.stop);
    return ir_is_integer(loop->for_.start, 0) && ir_is_integer(loop->for_.step, 1) &&
                   ir_is_constant(stop)
               ? stop->constant.integer
               : -1;
}

typedef struct Touch {
    Find *f;
    int64_t times;
    const IrStmt *loop; /* the innermost around; NULL: none */
} Touch;

static void touch(void *context, IrValue *value)
{
    const Touch *t = context;
    int param = value->op == OP_load ? ir_array_param(value->operands[0]) : -1;
    if (param < 0)
        return;
    int64_t plus;
    const IrValue *last = affine_split(&t->f->r->sets, value->operands[value->count - 1], &plus);
    bool along = last && t->loop && t->loop->kind == IR_FOR &&
                 ir_mentions(last, t->loop->for_.var) == 1 &&
                 affine_without(t->f->b->arena, last, t->loop->for_.var);
    int64_t trips = along ? trips_of(t->f->r, t->loop) : -1;
    Record *record = &t->f->r->list[param];
    record->touched += t->times;
    record->along = trips > 0 && (!record->along || record->along == trips) ? trips : -1;
}

/* `around` has the loops of known iterations around `first`; NULL: it may not be come to. */
static void walk(Find *f, const IrStmt *first, const IrStmt *within, int64_t times,
                 const CertainStore *around)
{
    for (const IrStmt *stmt = first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        Touch t = { f, times, within };
        ir_each_own_node((IrStmt *)stmt, touch, &t);
        int param = stmt->kind == IR_STORE ? ir_array_param(stmt->store.array) : -1;
        if (param >= 0)
            f->r->list[param].touched += times;
        if (param >= 0 && around) {
            CertainStore store = *around;
            store.stmt = stmt;
            array_push(f->b->arena, f->certain, f->certain_count, f->certain_capacity) = store;
        }
        int64_t trips = stmt->kind == IR_FOR ? trips_of(f->r, stmt) : -1;
        bool sure =
            around && trips > 0 && around->count < LOOPS_MOST && !flow_ways_out(&stmt->for_.body);
        CertainStore inner = around ? *around : (CertainStore){ 0 };
        if (sure)
            inner.loops[inner.count++] = stmt;
        bool loop = ir_is_loop(stmt);
        int64_t more = !loop ? 1 : trips >= 0 ? trips : UNKNOWN_TRIPS;
        more = times > ELEMENTS_MOST ? 1 : more;
        for (int i = ir_regions((IrStmt *)stmt, regions); i-- > 0;)
            walk(f, regions[i]->first, loop ? stmt : within, times * more, sure ? &inner : NULL);
        if (flow_stmt_ways_out(stmt))
            around = NULL;
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Where indices behind the first lead, in elements, from `at` rows on. */
static IrValue *linear(const Record *record, const IrBuilder *b, IrValue *at,
                       IrValue *const *indices)
{
    at = build_cast(b, type_int64, at);
    for (int k = 1; k < record->array->type->array.rank; k++) {
        IrValue *more = build_cast(b, type_int64, build_copy(b, indices[k]));
        at = ir_is_integer(at, 0)
                 ? more
                 : build_op(b, OP_add, build_times(b, at, record->extent[k]), more);
    }
    return at;
}

/* What a sum is without the thread's index so many times; NULL: that is none of its parts. */
static IrValue *without_index(const Records *r, const IrBuilder *b, const IrValue *sum,
                              int64_t times)
{
    const IrValue *known = sets_behind_casts(&r->sets, sum);
    bool product = known->op == OP_mul && times > 1;
    for (int i = 0; product && i < 2; i++)
        if (ir_is_integer(known->operands[!i], times) && is_index(r, known->operands[i]))
            return build_int(b, 0);
    if (times == 1 && is_index(r, known))
        return build_int(b, 0);
    for (int i = 0; known->op == OP_add && i < 2; i++) {
        IrValue *left = without_index(r, b, known->operands[i], times);
        IrValue *other = build_cast(b, type_int64, build_copy(b, known->operands[!i]));
        if (left)
            return ir_is_integer(left, 0) ? other : build_op(b, OP_add, left, other);
    }
    return NULL;
}

IrValue *records_offset(const Records *r, const Record *record, const IrBuilder *b,
                        IrValue *const *indices)
{
    int64_t rows = record->size;
    if (!record->flat)
        return linear(record, b, build_int(b, 0), indices);
    for (int k = 1; k < record->array->type->array.rank; k++)
        rows /= record->extent[k];
    IrValue *left = without_index(r, b, indices[0], rows);
    if (left)
        return linear(record, b, left, indices);
    return build_op(
        b, OP_sub, linear(record, b, build_copy(b, indices[0]), indices),
        build_times(b, build_cast(b, type_int64, build_var(b, r->index)), record->size));
}

static bool is_within(Interval a, int64_t size)
{
    return !interval_empty(a) && interval_within(a, interval_from(0, size - 1));
}

/* Whether an access is of the thread's own record, and by that what a record is. An array without
** axes is the same element for all. */
static bool is_own(const Find *f, Record *record, IrValue *const *indices)
{
    int64_t factor;
    Interval rest;
    if (!record->array->type->array.rank)
        return false;
    if (!record->flat) {
        bool own = is_index(f->r, indices[0]);
        for (int k = 1; own && k < record->array->type->array.rank; k++)
            own = is_within(bounds_of(f->bounds, indices[k]), record->extent[k]);
        return own;
    }
    if (!f->r->index ||
        !bounds_beside(f->bounds, linear(record, f->b, build_copy(f->b, indices[0]), indices),
                       f->r->index, &factor, &rest) ||
        factor < 2 || factor > ELEMENTS_MOST || (record->size && record->size != factor))
        return false;
    record->size = factor;
    return is_within(rest, factor);
}

/* Whether a store in loops goes to each element of a record once: the counters are its digits. */
static bool covers(const Find *f, const Record *record, const CertainStore *store)
{
    IrValue *offset = records_offset(f->r, record, f->b, store->stmt->store.indices);
    Interval all = bounds_of(f->bounds, offset);
    int64_t below = 1;
    for (int found = 0; found < store->count; found++) {
        const IrStmt *next = NULL;
        for (int i = 0; i < store->count && !next; i++) {
            int64_t factor;
            Interval rest;
            if (bounds_beside(f->bounds, offset, store->loops[i]->for_.var, &factor, &rest) &&
                factor == below)
                next = store->loops[i];
        }
        if (!next)
            return false;
        below *= trips_of(f->r, next);
    }
    return below == record->size && all.low == 0 && all.high == record->size - 1;
}

static void note_covered(const Find *f, Record *record, const IrStmt *stmt)
{
    const CertainStore *store = NULL;
    for (int i = 0; i < f->certain_count; i++)
        if (f->certain[i].stmt == stmt)
            store = &f->certain[i];
    if (!store)
        return;
    bool **single = &f->single[record->array->param];
    if (!*single)
        *single = arena_array(f->b->arena, bool, record->size + 1);
    Interval at = bounds_of(f->bounds, records_offset(f->r, record, f->b, stmt->store.indices));
    if (at.low == at.high && is_within(at, record->size))
        (*single)[at.low] = true;
    else
        record->covered |= covers(f, record, store);
}

static void check_load(void *context, IrValue *value)
{
    const Find *f = context;
    for (int i = 0; i < value->count; i++) {
        int param = ir_array_param(value->operands[i]);
        Record *record = param >= 0 ? &f->r->list[param] : NULL;
        if (!record || value->op == OP_extent)
            continue;
        record->loads++;
        record->bad |=
            value->op != OP_load || i || value->index || !is_own(f, record, value->operands + 1);
    }
}

static void check_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Find *f = context;
    f->bounds = bounds;
    ir_each_own_node(stmt, check_load, f);
    int param = stmt->kind == IR_STORE ? ir_array_param(stmt->store.array) : -1;
    if (param < 0)
        return;
    Record *record = &f->r->list[param];
    record->stores++;
    record->bad |= stmt->store.cache || !is_own(f, record, stmt->store.indices);
    if (!record->bad)
        note_covered(f, record, stmt);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Along an axis behind the first; EXTENT_UNKNOWN. */
static int64_t extent_of(const IrVar *array, int axis)
{
    if (array->extents)
        return ir_is_constant(array->extents[axis - 1]) ? array->extents[axis - 1]->constant.integer
                                                        : EXTENT_UNKNOWN;
    return array->shape ? array->shape[axis] : EXTENT_UNKNOWN;
}

static bool may_have_records(const IrVar *array)
{
    const Type *type = array->type;
    return type_is_array(type) && type->array.layout == LAYOUT_C && !type->array.unaligned &&
           !array->runs_on && type_is_real(type->array.element) &&
           type_size(type->array.element) >= 4;
}

/* Gives whether extents are to be guessed. */
static bool begin_record(Record *record, IrVar *array)
{
    bool guesses = false;
    record->array = array;
    record->bad = !may_have_records(array);
    record->flat = !record->bad && ir_given_axes(array) == 1;
    for (int k = 1; !record->bad && k < array->type->array.rank; k++) {
        record->extent[k] = extent_of(array, k);
        record->guessed[k] = record->extent[k] == EXTENT_UNKNOWN && !record->flat;
        record->extent[k] = record->guessed[k] ? 0 : record->extent[k];
        guesses |= record->guessed[k];
    }
    return guesses;
}

/* Extents that are not known are as long as what is accessed along them. */
static void guess(const Find *f, const IrValue *array, IrValue *const *indices, int count)
{
    int param = ir_array_param(array);
    Record *record = param >= 0 ? &f->r->list[param] : NULL;
    for (int k = 1; record && !record->bad && k < count; k++) {
        Interval at = record->guessed[k] ? bounds_of(f->bounds, indices[k]) : interval_none();
        if (!record->guessed[k])
            continue;
        record->bad |= !is_within(at, ELEMENTS_MOST);
        if (!record->bad && at.high >= record->extent[k])
            record->extent[k] = (int64_t)at.high + 1;
    }
}

static void guess_by_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        guess(context, value->operands[0], value->operands + 1, value->count - 1);
}

static void guess_by_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Find *f = context;
    f->bounds = bounds;
    ir_each_own_node(stmt, guess_by_load, f);
    if (stmt->kind == IR_STORE)
        guess(f, stmt->store.array, stmt->store.indices, stmt->store.count);
}

static void set_size(Record *record)
{
    record->size = record->flat || record->bad ? 0 : 1;
    for (int k = 1; !record->bad && k < record->array->type->array.rank; k++) {
        record->bad |= record->extent[k] < 1 || record->extent[k] > ELEMENTS_MOST;
        record->size *= record->bad ? 1 : record->extent[k];
        record->bad |= record->size > ELEMENTS_MOST;
    }
}

bool records_find(Records *r, const Guarded *guarded)
{
    const IrFunc *fn = r->unit->kernel;
    Arena *arena = r->unit->arena;
    *r = (Records){ .unit = r->unit, .within = guarded->within, .rest = guarded->rest };
    r->sets = ir_sets(arena, fn, &fn->body);
    r->count = fn->param_count;
    r->list = arena_array(arena, Record, r->count + 1);
    Find f = { .r = r, .b = { { arena, r->unit->kernel, fn->span } } };
    f.single = arena_array(arena, bool *, r->count + 1);
    bool any = false, guesses = false;
    for (int i = 0; i < r->count; i++)
        guesses |= begin_record(&r->list[i], fn->vars[i]);
    for (int i = fn->param_count; i < fn->var_count; i++) {
        const IrValue *set = sets_value(&r->sets, fn->vars[i]);
        if (!r->index && set && is_index(r, set))
            r->index = fn->vars[i];
    }
    walk(&f, guarded->rest, NULL, 1, &(CertainStore){ 0 });
    IrBounds *bounds = ir_bounds(r->unit);
    if (guesses)
        bounds_walk(bounds, guess_by_stmt, &f);
    for (int i = 0; i < r->count; i++)
        set_size(&r->list[i]);
    bounds_walk(bounds, check_stmt, &f);
    for (int i = 0; i < r->count; i++) {
        Record *record = &r->list[i];
        record->bad |=
            !record->size || !(record->loads + record->stores) || !launch_alone(r->unit->launch, i);
        bool all = f.single[i] && !record->bad;
        for (int64_t e = 0; all && e < record->size; e++)
            all = f.single[i][e];
        record->covered |= all;
        any |= !record->bad;
    }
    return any;
}

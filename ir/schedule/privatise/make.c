/* The copies of arrays in shared memory: their zeros, the atomics that go to them, their merging.
** See privatise.c. */
#include "ir/schedule/privatise/privatise.h"

#include <math.h>

#include "ir/builder.h"
#include "ir/clone.h"

typedef struct PrivateBuild {
    IrBuilder b[1];
    IrUnit *unit;
    Private *const *arrays;
    int count;
    IrVar *threads, *self; /* of the block; this one's number in it: uint32 */
} PrivateBuild;

/* ---- values ---------------------------------------------------------------------------------- */

static IrValue *wide(const PrivateBuild *m, IrVar *var)
{
    return build_cast(m->b, type_int64, build_var(m->b, var));
}

static IrValue *geometry(const PrivateBuild *m, IrIntrinsic intrinsic, int axis)
{
    return build_cast(m->b, type_uint32, ir_axis(m->b->arena, intrinsic, axis, m->b->span));
}

static IrValue *extent(const PrivateBuild *m, const Private *array, int axis)
{
    return ir_extent(m->b->arena, build_var(m->b, array->param), axis, m->b->span);
}

/* The value behind the copies' begin, as an index. */
static IrValue *shaped(const PrivateBuild *m, const Private *array, IrValue *offset)
{
    return array->begin ? build_op(m->b, OP_add, wide(m, array->begin), offset) : offset;
}

/* What combines with any number to that number: of float sums -0.0, as 0.0 + -0.0 is 0.0. */
static IrValue *identity(const PrivateBuild *m, const Private *array)
{
    const Type *type = array->param->type->array.element;
    unsigned bits = (unsigned)type_size(type) * 8;
    bool is_signed = type_is_signed(type), most = array->combine == COMBINE_MIN;
    if (type_is_float(type))
        return ir_number(m->b->arena, type,
                         array->combine == COMBINE_SUM ? -0.0
                         : most                        ? INFINITY
                                                       : -INFINITY,
                         m->b->span);
    if (array->combine == COMBINE_AND || (most && !is_signed))
        return build_integer(m->b, type, -1);
    if (most)
        return build_integer(m->b, type, (int64_t)(UINT64_MAX >> (65 - bits)));
    if (array->combine == COMBINE_MAX && is_signed)
        return build_integer(m->b, type, (int64_t)(UINT64_MAX << (bits - 1)));
    return build_integer(m->b, type, 0);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* A new uniform variable, or not, set to `value`. */
static IrVar *let(const PrivateBuild *m, IrRegion *out, const char *name, IrValue *value,
                  bool uniform)
{
    IrVar *var = build_temporary(m->b, name, value->type);
    var->uniform = uniform;
    ir_take_range(var, value);
    build_set(m->b, var, value, out);
    return var;
}

static const char *called(const PrivateBuild *m, const Private *array, const char *what)
{
    return arena_printf(m->b->arena, "_%s%s", array->param->name, what);
}

/* A loop over what the threads of the block share out: self, self + threads, ... below `stop`. */
static IrStmt *share_out(const PrivateBuild *m, const char *name, IrValue *stop)
{
    return ir_for(m->b->arena, build_counter(m->b, name), wide(m, m->self), stop,
                  wide(m, m->threads), m->b->span);
}

/* ---- before ---------------------------------------------------------------------------------- */

static void append_threads(PrivateBuild *m, IrRegion *out)
{
    IrValue *x = geometry(m, INTR_block_dim, 0), *y = geometry(m, INTR_block_dim, 1);
    IrValue *self = geometry(m, INTR_thread_idx, 2);
    self = build_op(m->b, OP_add, build_op(m->b, OP_mul, self, y), geometry(m, INTR_thread_idx, 1));
    self = build_op(m->b, OP_add, build_op(m->b, OP_mul, self, x), geometry(m, INTR_thread_idx, 0));
    m->self = let(m, out, "_self", self, false);
    x = geometry(m, INTR_block_dim, 0);
    y = geometry(m, INTR_block_dim, 1);
    m->threads = let(
        m, out, "_threads",
        build_op(m->b, OP_mul, build_op(m->b, OP_mul, x, y), geometry(m, INTR_block_dim, 2)), true);
}

/* How many copies launch_copies() made room for. */
static IrValue *copies(const PrivateBuild *m, const Private *array, IrRegion *out)
{
    int64_t bytes = (int64_t)type_size(array->param->type->array.element);
    IrValue *room =
        build_op(m->b, OP_mul, m->threads, build_integer(m->b, type_uint32, array->room / bytes));
    IrValue *most = build_integer(m->b, type_uint32, COPIES_ROOM / bytes);
    room = ir_intrinsic(m->b->arena, INTR_min, type_uint32, m->b->span, room, most, NULL);
    IrVar *held = let(m, out, called(m, array, "_room"), room, true);
    IrValue *copies = build_integer(m->b, type_uint32, 1);
    for (int64_t more = 2; more <= COPIES_MOST; more *= 2) {
        IrValue *all = build_op(m->b, OP_mul, array->count, build_integer(m->b, type_uint32, more));
        IrValue *fits = build_op(m->b, OP_le, all, held);
        copies = ir_select(m->b->arena, fits, build_integer(m->b, type_uint32, more), copies,
                           m->b->span);
    }
    return copies;
}

static void append_count(const PrivateBuild *m, Private *array, IrRegion *out)
{
    IrValue *count = build_cast(m->b, type_uint32, extent(m, array, 0));
    for (int i = 1; i < array->param->type->array.rank; i++)
        count = build_op(m->b, OP_mul, count, build_cast(m->b, type_uint32, extent(m, array, i)));
    array->count = let(m, out, called(m, array, "_count"), count, true);
    array->copies = let(m, out, called(m, array, "_copies"), copies(m, array, out), true);
    if (!array->pitched)
        return;
    IrValue *all = build_op(m->b, OP_mul, array->count, array->copies);
    all = build_op(m->b, OP_and, all, build_integer(m->b, type_uint32, -32));
    array->mixed = let(m, out, called(m, array, "_mixed"), all, true);
}

/* Where the copies begin that come behind those of `before`, in elements of their own. */
static void append_begin(const PrivateBuild *m, Private *array, const Private *before,
                         IrRegion *out)
{
    int64_t bytes = (int64_t)type_size(array->param->type->array.element);
    int64_t others = (int64_t)type_size(before->param->type->array.element);
    IrValue *all = build_op(m->b, OP_mul, before->count, before->copies);
    all = build_op(m->b, OP_mul, all, build_integer(m->b, type_uint32, others));
    all = build_op(m->b, OP_add, all, build_integer(m->b, type_uint32, COPIES_ALIGN - 1));
    all = build_op(m->b, OP_and, all, build_integer(m->b, type_uint32, -COPIES_ALIGN));
    if (before->begin)
        all = build_op(
            m->b, OP_add, all,
            build_op(m->b, OP_mul, before->begin, build_integer(m->b, type_uint32, others)));
    all = build_op(m->b, OP_shr, all, build_integer(m->b, type_uint32, bytes == 8 ? 3 : 2));
    array->begin = let(m, out, called(m, array, "_begin"), all, true);
}

static void append_zeros(const PrivateBuild *m, Private *array, IrRegion *out)
{
    IrValue *all = build_op(m->b, OP_mul, array->count, array->copies);
    IrStmt *loop = share_out(m, "_k", build_cast(m->b, type_int64, all));
    build_store(m->b, array->shared, shaped(m, array, build_var(m->b, loop->for_.var)), NULL,
                identity(m, array), &loop->for_.body);
    ir_append(out, loop);

    IrValue *last = build_op(m->b, OP_sub, array->copies, build_integer(m->b, type_uint32, 1));
    IrValue *mine = build_op(m->b, OP_and, m->self, last);
    if (array->begin && !array->pitched)
        mine = build_op(m->b, OP_add, array->begin, mine);
    array->mine = let(m, out, called(m, array, "_mine"), mine, false);
}

static void make_shared(const PrivateBuild *m, Private *array)
{
    array->shared =
        ir_array_var(m->b->arena, m->b->fn, called(m, array, ""), array->param->type->array.element,
                     VAR_SHARED_DYNAMIC, NULL, 1, m->b->span);
}

/* ---- the atomics ----------------------------------------------------------------------------- */

/* An index that is not negative; `out` is where it can be given a name. */
static IrValue *wrapped(const PrivateBuild *m, const Private *array, int axis, IrValue *index,
                        IrRegion *out)
{
    if (ir_nonnegative(index))
        return index;
    IrVar *held = let(m, out, "_index", index, false);
    IrValue *low = build_op(m->b, OP_lt, held, 0);
    IrValue *end = build_op(m->b, OP_add, held, extent(m, array, axis));
    return ir_select(m->b->arena, low, end, build_var(m->b, held), m->b->span);
}

/* The place, an uint32, of what comes in a place of the copies: the same, or, as far as lines of
** banks are full, one of the same line. */
static IrValue *place(const PrivateBuild *m, const Private *array, IrValue *of, IrRegion *out)
{
    int64_t banks = type_size(array->param->type->array.element) == 8 ? 16 : 32;
    if (!array->pitched)
        return of;
    IrVar *at = let(m, out, "_at", of, false);
    IrValue *line =
        build_op(m->b, OP_shr, at, build_integer(m->b, type_uint32, banks == 16 ? 4 : 5));
    line = build_op(m->b, OP_and, line, build_integer(m->b, type_uint32, banks - 1));
    IrValue *full = build_op(m->b, OP_lt, at, array->mixed);
    return ir_select(m->b->arena, full, build_op(m->b, OP_xor, at, line), build_var(m->b, at),
                     m->b->span);
}

/* Where element `indices` lies in this thread's copy. */
static IrValue *own_index(const PrivateBuild *m, const Private *array, IrValue *const *indices,
                          IrRegion *out)
{
    IrValue *offset = NULL;
    for (int i = 0; i < array->param->type->array.rank; i++) {
        IrValue *index = build_cast(m->b, type_uint32, wrapped(m, array, i, indices[i], out));
        IrValue *more = build_cast(m->b, type_uint32, extent(m, array, i));
        offset =
            offset ? build_op(m->b, OP_add, build_op(m->b, OP_mul, offset, more), index) : index;
    }
    offset = build_op(m->b, OP_mul, offset, array->copies);
    offset = place(m, array, build_op(m->b, OP_add, offset, array->mine), out);
    if (array->begin && array->pitched)
        offset = build_op(m->b, OP_add, array->begin, offset);
    return build_cast(m->b, type_uint64, offset);
}

static void redirect(PrivateBuild *m, Private *array, IrStmt *stmt, IrRegion *region)
{
    IrValue *atomic = stmt->eval.value;
    IrRegion before = { NULL, NULL };
    m->b->span = stmt->span;
    IrValue *index = own_index(m, array, atomic->operands + 1, &before);
    IrValue *value = atomic->operands[atomic->count - 1];
    stmt->eval.value = ir_intrinsic(m->b->arena, atomic->intrinsic, atomic->type, atomic->span,
                                    build_var(m->b, array->shared), index, value);
    ir_insert_region(region, stmt, before);
}

static void redirect_region(PrivateBuild *m, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        Private *array =
            stmt->kind == IR_EVAL ? privatise_find(m->arrays, m->count, stmt->eval.value) : NULL;
        if (array)
            redirect(m, array, stmt, region);
        for (int i = ir_regions(stmt, regions); i-- > 0;)
            redirect_region(m, regions[i]);
    }
}

/* ---- after ----------------------------------------------------------------------------------- */

static IrIntrinsic merging(const Private *array)
{
    switch (array->combine) {
    case COMBINE_MAX:
        return INTR_atomic_max;
    case COMBINE_MIN:
        return INTR_atomic_min;
    case COMBINE_AND:
        return INTR_atomic_and;
    case COMBINE_OR:
        return INTR_atomic_or;
    case COMBINE_XOR:
        return INTR_atomic_xor;
    case COMBINE_SUM:
    case COMBINE_NONE:
        break;
    }
    return INTR_atomic_add;
}

static IrValue *combined(const PrivateBuild *m, const Private *array, IrVar *a, IrVar *b)
{
    static const IrOp ops[] = {
        [COMBINE_SUM] = OP_add, [COMBINE_MAX] = OP_gt, [COMBINE_MIN] = OP_lt,
        [COMBINE_AND] = OP_and, [COMBINE_OR] = OP_or,  [COMBINE_XOR] = OP_xor
    };
    IrValue *value = build_op(m->b, ops[array->combine], b, a);
    if (value->type != type_bool)
        return value;
    return ir_select(m->b->arena, value, build_var(m->b, b), build_var(m->b, a), m->b->span);
}

/* Whether anything came to an element. */
static IrValue *is_changed(const PrivateBuild *m, const Private *array, IrVar *total)
{
    const Type *bits = type_size(total->type) == 8 ? type_uint64 : type_uint32;
    IrValue *value = build_var(m->b, total), *none = identity(m, array);
    if (type_is_float(total->type) && array->combine == COMBINE_SUM) { /* 0.0 == -0.0 */
        value = ir_value(m->b->arena, OP_bits, bits, m->b->span, 1);
        value->operands[0] = build_var(m->b, total);
        none = build_integer(m->b, bits, bits == type_uint64 ? INT64_MIN : INT32_MIN);
    }
    return build_op(m->b, OP_ne, value, none);
}

/* The atomic that brings what element number `which`, an int64, has to the array. */
static IrStmt *bring(const PrivateBuild *m, const Private *array, IrVar *which, IrVar *total)
{
    int rank = array->param->type->array.rank;
    IrValue *atomic = ir_value(m->b->arena, OP_intrinsic, total->type, m->b->span, rank + 2);
    IrValue *rest = build_cast(m->b, type_uint32, which);
    atomic->intrinsic = merging(array);
    atomic->operands[0] = build_var(m->b, array->param);
    atomic->operands[rank + 1] = build_var(m->b, total);
    for (int i = rank - 1; i > 0; i--) {
        IrValue *along = build_cast(m->b, type_uint32, extent(m, array, i));
        atomic->operands[i + 1] =
            build_cast(m->b, type_uint64, build_op(m->b, OP_mod, rest, along));
        rest = build_op(m->b, OP_floordiv, rest, along);
    }
    atomic->operands[1] = rank > 1 ? build_cast(m->b, type_uint64, rest) : build_var(m->b, which);
    return ir_eval(m->b->arena, atomic, m->b->span);
}

/* The copies of an element are gone through from another one on for each thread, so that these do
** not queue for a bank. */
static void append_merge(const PrivateBuild *m, Private *array, IrRegion *out)
{
    IrStmt *loop = share_out(m, "_e", wide(m, array->count));
    IrVar *which = loop->for_.var;
    IrVar *total = let(m, &loop->for_.body, "_total", identity(m, array), false);
    IrStmt *inner = ir_for(m->b->arena, build_counter(m->b, "_c"), build_int(m->b, 0),
                           wide(m, array->copies), build_int(m->b, 1), m->b->span);
    IrValue *last = build_op(m->b, OP_sub, wide(m, array->copies), 1);
    IrValue *copy = build_op(m->b, OP_add, inner->for_.var, which);
    IrValue *index = build_op(m->b, OP_mul, which, wide(m, array->copies));
    index = build_op(m->b, OP_add, index, build_op(m->b, OP_and, copy, last));
    if (array->pitched)
        index =
            build_cast(m->b, type_int64,
                       place(m, array, build_cast(m->b, type_uint32, index), &inner->for_.body));
    IrVar *item = let(m, &inner->for_.body, "_item",
                      build_load(m->b, array->shared, shaped(m, array, index), NULL), false);
    build_set(m->b, total, combined(m, array, total, item), &inner->for_.body);
    ir_append(&loop->for_.body, inner);

    ir_append(build_if(m->b, is_changed(m, array, total), &loop->for_.body),
              bring(m, array, which, total));
    ir_append(out, loop);
}

static void note_shape(const PrivateBuild *m)
{
    IrShape *shape = &m->unit->shape;
    for (int i = 0; i < 3 && !shape->changed; i++)
        shape->axis[i] = (uint8_t)i;
    shape->changed = true;
    for (int i = 0; i < m->count; i++) {
        const IrVar *param = m->arrays[i]->param;
        uint32_t bytes = (uint32_t)type_size(param->type->array.element);
        shape->shared[shape->shared_count].param = param->param;
        shape->shared[shape->shared_count].bytes = bytes;
        shape->shared[shape->shared_count++].room = m->arrays[i]->room;
    }
}

void privatise_make(IrUnit *unit, Private *const *arrays, int count)
{
    IrFunc *fn = unit->kernel;
    PrivateBuild m = {
        { { unit->arena, fn, fn->body.first->span } }, unit, arrays, count, NULL, NULL
    };
    IrRegion body = fn->body, out = { NULL, NULL };

    ir_structure_returns(unit->arena, fn, &body, NULL, m.b->span);
    append_threads(&m, &out);
    for (int i = 0; i < count; i++) {
        make_shared(&m, arrays[i]);
        append_count(&m, arrays[i], &out);
        if (i > 0)
            append_begin(&m, arrays[i], arrays[i - 1], &out);
        append_zeros(&m, arrays[i], &out);
    }
    ir_append(&out, ir_barrier(unit->arena, m.b->span));
    redirect_region(&m, &body);
    ir_append_region(&out, body);
    m.b->span = arrays[0]->span;
    ir_append(&out, ir_barrier(unit->arena, m.b->span));
    for (int i = 0; i < count; i++)
        append_merge(&m, arrays[i], &out);
    fn->body = out;
    note_shape(&m);
}

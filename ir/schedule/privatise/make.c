/* The copies of arrays in shared memory: their zeros, the atomics that go to them, their merging.
** See privatise.c. */
#include "ir/schedule/privatise/privatise.h"

#include <math.h>

#include "ir/clone.h"

typedef struct Make {
    IrUnit *unit;
    Arena *arena;
    IrFunc *fn;
    Private *const *arrays;
    int count;
    Span span;             /* of what is made */
    IrVar *threads, *self; /* of the block; this one's number in it: uint32 */
} Make;

/* ---- values ---------------------------------------------------------------------------------- */

static IrValue *get(const Make *m, IrVar *var)
{
    return ir_var(m->arena, var, m->span);
}

static IrValue *number(const Make *m, const Type *type, int64_t value)
{
    return ir_integer(m->arena, type, value, m->span);
}

static IrValue *binary(const Make *m, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(m->arena, op, a, b, m->span);
}

static IrValue *cast(const Make *m, const Type *type, IrValue *value)
{
    return ir_cast(m->arena, type, value, m->span);
}

static IrValue *wide(const Make *m, IrVar *var)
{
    return cast(m, type_int64, get(m, var));
}

static IrValue *geometry(const Make *m, IrIntrinsic intrinsic, int axis)
{
    IrValue *value = ir_intrinsic(m->arena, intrinsic, type_int32, m->span, NULL, NULL, NULL);
    value->index = axis;
    return cast(m, type_uint32, value);
}

static IrValue *extent(const Make *m, const Private *array, int axis)
{
    IrValue *value = ir_value(m->arena, OP_extent, type_int64, m->span, 1);
    value->operands[0] = get(m, array->param);
    value->index = axis;
    return value;
}

/* The value behind the copies' begin, as an index. */
static IrValue *shaped(const Make *m, const Private *array, IrValue *offset)
{
    return array->begin ? binary(m, OP_add, wide(m, array->begin), offset) : offset;
}

static IrValue *element(const Make *m, const Private *array, IrValue *index)
{
    IrValue *load = ir_value(m->arena, OP_load, array->shared->type->array.element, m->span, 2);
    load->operands[0] = get(m, array->shared);
    load->operands[1] = index;
    return load;
}

/* What combines with any number to that number: of float sums -0.0, as 0.0 + -0.0 is 0.0. */
static IrValue *identity(const Make *m, const Private *array)
{
    const Type *type = array->param->type->array.element;
    unsigned bits = (unsigned)type_size(type) * 8;
    bool is_signed = type_is_signed(type), most = array->combine == COMBINE_MIN;
    if (type_is_float(type))
        return ir_number(m->arena, type,
                         array->combine == COMBINE_SUM ? -0.0
                         : most                        ? INFINITY
                                                       : -INFINITY,
                         m->span);
    if (array->combine == COMBINE_AND || (most && !is_signed))
        return number(m, type, -1);
    if (most)
        return number(m, type, (int64_t)(UINT64_MAX >> (65 - bits)));
    if (array->combine == COMBINE_MAX && is_signed)
        return number(m, type, (int64_t)(UINT64_MAX << (bits - 1)));
    return number(m, type, 0);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* A new uniform variable, or not, set to `value`. */
static IrVar *let(const Make *m, IrRegion *out, const char *name, IrValue *value, bool uniform)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, value->type, m->span);
    var->uniform = uniform;
    var->nonnegative = ir_nonnegative(value);
    ir_append(out, ir_set(m->arena, var, value, m->span));
    return var;
}

static const char *called(const Make *m, const Private *array, const char *what)
{
    return arena_printf(m->arena, "_%s%s", array->param->name, what);
}

static void append_barrier(const Make *m, IrRegion *out)
{
    IrStmt *eval = ir_stmt(m->arena, IR_EVAL, m->span);
    eval->eval.value =
        ir_intrinsic(m->arena, INTR_syncthreads, type_none, m->span, NULL, NULL, NULL);
    ir_append(out, eval);
}

/* A loop over what the threads of the block share out: self, self + threads, ... below `stop`. */
static IrStmt *share_out(const Make *m, const char *name, IrValue *stop)
{
    IrStmt *loop = ir_stmt(m->arena, IR_FOR, m->span);
    loop->for_.var = ir_temporary(m->arena, m->fn, name, type_int64, m->span);
    loop->for_.var->nonnegative = true;
    loop->for_.start = wide(m, m->self);
    loop->for_.stop = stop;
    loop->for_.step = wide(m, m->threads);
    return loop;
}

/* ---- before ---------------------------------------------------------------------------------- */

static void append_threads(Make *m, IrRegion *out)
{
    IrValue *x = geometry(m, INTR_block_dim, 0), *y = geometry(m, INTR_block_dim, 1);
    IrValue *self = geometry(m, INTR_thread_idx, 2);
    self = binary(m, OP_add, binary(m, OP_mul, self, y), geometry(m, INTR_thread_idx, 1));
    self = binary(m, OP_add, binary(m, OP_mul, self, x), geometry(m, INTR_thread_idx, 0));
    m->self = let(m, out, "_self", self, false);
    x = geometry(m, INTR_block_dim, 0);
    y = geometry(m, INTR_block_dim, 1);
    m->threads =
        let(m, out, "_threads",
            binary(m, OP_mul, binary(m, OP_mul, x, y), geometry(m, INTR_block_dim, 2)), true);
}

/* How many copies launch_copies() made room for. */
static IrValue *copies(const Make *m, const Private *array, IrRegion *out)
{
    int64_t bytes = (int64_t)type_size(array->param->type->array.element);
    IrValue *room =
        binary(m, OP_mul, get(m, m->threads), number(m, type_uint32, array->room / bytes));
    IrValue *most = number(m, type_uint32, COPIES_ROOM / bytes);
    room = ir_intrinsic(m->arena, INTR_min, type_uint32, m->span, room, most, NULL);
    IrVar *held = let(m, out, called(m, array, "_room"), room, true);
    IrValue *copies = number(m, type_uint32, 1);
    for (int64_t more = 2; more <= COPIES_MOST; more *= 2) {
        IrValue *all = binary(m, OP_mul, get(m, array->count), number(m, type_uint32, more));
        IrValue *fits = binary(m, OP_le, all, get(m, held));
        copies = ir_select(m->arena, fits, number(m, type_uint32, more), copies, m->span);
    }
    return copies;
}

static void append_count(const Make *m, Private *array, IrRegion *out)
{
    IrValue *count = cast(m, type_uint32, extent(m, array, 0));
    for (int i = 1; i < array->param->type->array.rank; i++)
        count = binary(m, OP_mul, count, cast(m, type_uint32, extent(m, array, i)));
    array->count = let(m, out, called(m, array, "_count"), count, true);
    array->copies = let(m, out, called(m, array, "_copies"), copies(m, array, out), true);
}

/* Where the copies begin that come behind those of `before`, in elements of their own. */
static void append_begin(const Make *m, Private *array, const Private *before, IrRegion *out)
{
    int64_t bytes = (int64_t)type_size(array->param->type->array.element);
    int64_t others = (int64_t)type_size(before->param->type->array.element);
    IrValue *all = binary(m, OP_mul, get(m, before->count), get(m, before->copies));
    all = binary(m, OP_mul, all, number(m, type_uint32, others));
    all = binary(m, OP_add, all, number(m, type_uint32, COPIES_ALIGN - 1));
    all = binary(m, OP_and, all, number(m, type_uint32, -COPIES_ALIGN));
    if (before->begin)
        all = binary(m, OP_add, all,
                     binary(m, OP_mul, get(m, before->begin), number(m, type_uint32, others)));
    all = binary(m, OP_shr, all, number(m, type_uint32, bytes == 8 ? 3 : 2));
    array->begin = let(m, out, called(m, array, "_begin"), all, true);
}

static void append_zeros(const Make *m, Private *array, IrRegion *out)
{
    IrValue *all = binary(m, OP_mul, get(m, array->count), get(m, array->copies));
    IrStmt *loop = share_out(m, "_k", cast(m, type_int64, all));
    IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
    store->store.array = get(m, array->shared);
    store->store.indices = arena_array(m->arena, IrValue *, 1);
    store->store.indices[0] = shaped(m, array, get(m, loop->for_.var));
    store->store.count = 1;
    store->store.value = identity(m, array);
    ir_append(&loop->for_.body, store);
    ir_append(out, loop);

    IrValue *last = binary(m, OP_sub, get(m, array->copies), number(m, type_uint32, 1));
    IrValue *mine = binary(m, OP_and, get(m, m->self), last);
    if (array->begin)
        mine = binary(m, OP_add, get(m, array->begin), mine);
    array->mine = let(m, out, called(m, array, "_mine"), mine, false);
}

static void make_shared(const Make *m, Private *array)
{
    Type *type = arena_new(m->arena, Type);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = array->param->type->array.element;
    type->array.rank = 1;
    type->array.layout = LAYOUT_C;
    array->shared =
        ir_var_new(m->arena, m->fn, called(m, array, ""), type, VAR_SHARED_DYNAMIC, m->span);
}

/* ---- the atomics ----------------------------------------------------------------------------- */

/* An index that is not negative; `out` is where it can be given a name. */
static IrValue *wrapped(const Make *m, const Private *array, int axis, IrValue *index,
                        IrRegion *out)
{
    if (ir_nonnegative(index))
        return index;
    IrVar *held = let(m, out, "_index", index, false);
    IrValue *low = binary(m, OP_lt, get(m, held), number(m, type_int64, 0));
    IrValue *end = binary(m, OP_add, get(m, held), extent(m, array, axis));
    return ir_select(m->arena, low, end, get(m, held), m->span);
}

/* Where element `indices` lies in this thread's copy. */
static IrValue *own_index(const Make *m, const Private *array, IrValue *const *indices,
                          IrRegion *out)
{
    IrValue *offset = NULL;
    for (int i = 0; i < array->param->type->array.rank; i++) {
        IrValue *index = cast(m, type_uint32, wrapped(m, array, i, indices[i], out));
        IrValue *more = cast(m, type_uint32, extent(m, array, i));
        offset = offset ? binary(m, OP_add, binary(m, OP_mul, offset, more), index) : index;
    }
    offset = binary(m, OP_mul, offset, get(m, array->copies));
    return cast(m, type_uint64, binary(m, OP_add, offset, get(m, array->mine)));
}

static void redirect(Make *m, Private *array, IrStmt *stmt, IrRegion *region)
{
    IrValue *atomic = stmt->eval.value;
    IrRegion before = { NULL, NULL };
    m->span = stmt->span;
    IrValue *index = own_index(m, array, atomic->operands + 1, &before);
    IrValue *value = atomic->operands[atomic->count - 1];
    stmt->eval.value = ir_intrinsic(m->arena, atomic->intrinsic, atomic->type, atomic->span,
                                    get(m, array->shared), index, value);
    for (IrStmt *set = before.first, *next; set; set = next) {
        next = set->next;
        ir_insert_before(region, stmt, set);
    }
}

static void redirect_region(Make *m, IrRegion *region)
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

static IrValue *combined(const Make *m, const Private *array, IrVar *a, IrVar *b)
{
    static const IrOp ops[] = {
        [COMBINE_SUM] = OP_add, [COMBINE_MAX] = OP_gt, [COMBINE_MIN] = OP_lt,
        [COMBINE_AND] = OP_and, [COMBINE_OR] = OP_or,  [COMBINE_XOR] = OP_xor
    };
    IrValue *value = binary(m, ops[array->combine], get(m, b), get(m, a));
    if (value->type != type_bool)
        return value;
    return ir_select(m->arena, value, get(m, b), get(m, a), m->span);
}

/* Whether anything came to an element. */
static IrValue *is_changed(const Make *m, const Private *array, IrVar *total)
{
    const Type *bits = type_size(total->type) == 8 ? type_uint64 : type_uint32;
    IrValue *value = get(m, total), *none = identity(m, array);
    if (type_is_float(total->type) && array->combine == COMBINE_SUM) { /* 0.0 == -0.0 */
        value = ir_value(m->arena, OP_bits, bits, m->span, 1);
        value->operands[0] = get(m, total);
        none = number(m, bits, bits == type_uint64 ? INT64_MIN : INT32_MIN);
    }
    return binary(m, OP_ne, value, none);
}

/* The atomic that brings what element number `which`, an int64, has to the array. */
static IrStmt *bring(const Make *m, const Private *array, IrVar *which, IrVar *total)
{
    int rank = array->param->type->array.rank;
    IrStmt *eval = ir_stmt(m->arena, IR_EVAL, m->span);
    IrValue *atomic = ir_value(m->arena, OP_intrinsic, total->type, m->span, rank + 2);
    IrValue *rest = cast(m, type_uint32, get(m, which));
    atomic->intrinsic = merging(array);
    atomic->operands[0] = get(m, array->param);
    atomic->operands[rank + 1] = get(m, total);
    for (int i = rank - 1; i > 0; i--) {
        IrValue *along = cast(m, type_uint32, extent(m, array, i));
        atomic->operands[i + 1] = cast(m, type_uint64, binary(m, OP_mod, rest, along));
        rest = binary(m, OP_floordiv, rest, along);
    }
    atomic->operands[1] = rank > 1 ? cast(m, type_uint64, rest) : get(m, which);
    eval->eval.value = atomic;
    return eval;
}

/* The copies of an element are gone through from another one on for each thread, so that these do
** not queue for a bank. */
static void append_merge(const Make *m, Private *array, IrRegion *out)
{
    IrStmt *loop = share_out(m, "_e", wide(m, array->count));
    IrStmt *inner = ir_stmt(m->arena, IR_FOR, m->span);
    IrVar *which = loop->for_.var;
    IrVar *total = let(m, &loop->for_.body, "_total", identity(m, array), false);
    inner->for_.var = ir_temporary(m->arena, m->fn, "_c", type_int64, m->span);
    inner->for_.var->nonnegative = true;
    inner->for_.start = number(m, type_int64, 0);
    inner->for_.stop = wide(m, array->copies);
    inner->for_.step = number(m, type_int64, 1);

    IrValue *last = binary(m, OP_sub, wide(m, array->copies), number(m, type_int64, 1));
    IrValue *copy = binary(m, OP_add, get(m, inner->for_.var), get(m, which));
    IrValue *index = binary(m, OP_mul, get(m, which), wide(m, array->copies));
    index = binary(m, OP_add, index, binary(m, OP_and, copy, last));
    IrVar *item =
        let(m, &inner->for_.body, "_item", element(m, array, shaped(m, array, index)), false);
    ir_append(&inner->for_.body, ir_set(m->arena, total, combined(m, array, total, item), m->span));
    ir_append(&loop->for_.body, inner);

    IrStmt *ask = ir_stmt(m->arena, IR_IF, m->span);
    ask->if_.condition = is_changed(m, array, total);
    ir_append(&ask->if_.then, bring(m, array, which, total));
    ir_append(&loop->for_.body, ask);
    ir_append(out, loop);
}

static void note_shape(const Make *m)
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
    Make m = { unit, unit->arena, fn, arrays, count, fn->body.first->span, NULL, NULL };
    IrRegion body = fn->body, out = { NULL, NULL };

    ir_structure_returns(m.arena, fn, &body, NULL, m.span);
    append_threads(&m, &out);
    for (int i = 0; i < count; i++) {
        make_shared(&m, arrays[i]);
        append_count(&m, arrays[i], &out);
        if (i > 0)
            append_begin(&m, arrays[i], arrays[i - 1], &out);
        append_zeros(&m, arrays[i], &out);
    }
    append_barrier(&m, &out);
    redirect_region(&m, &body);
    ir_append_region(&out, body);
    m.span = arrays[0]->span;
    append_barrier(&m, &out);
    for (int i = 0; i < count; i++)
        append_merge(&m, arrays[i], &out);
    fn->body = out;
    note_shape(&m);
}

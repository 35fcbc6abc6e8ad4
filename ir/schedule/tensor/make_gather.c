/* Elements of a factor by where they lie in memory.
**
**     for each row i of a thread, each k of a step        flat = recast<float32[::1]>(x, ..)
**         c, h, l = k taken apart by quotients            own[i] = (n * X1 * X2 + i) * X3 + j
**         eval async_copy(near, .., x, n, c,       ->     steps[k] = (c * X2 + h) * X3 + l, a step
**                         i + h, j + l, 1)                ahead, a thread each
**                                                         for each row and each k
**                                                             eval async_copy(near, .., flat,
**                                                                             own[i] + steps[k], 1)
**
** Legal of an array that lies in memory in the order of its axes, where each index is a sum of what
** depends on the row alone and of what depends on k alone, neither of them ever negative: so is the
** place in memory, and both its parts are no greater than it. An int32 holds that where launches
** are narrow. A step beyond the loop's end is loaded as it is without.
**
** Where conditions leave out what has an index below 0 (guards.c), parts may be negative: their sum
** is the place all the same, to 32 bits, wherever the conditions hold. What these compare is taken
** apart likewise, as numbers of 64 bits.
**
** Pays where elements are not copied several at once: what is left to do for each is a sum. Where
** several loops are one k is taken apart by divisions, for which a thread each is enough. */
#include "ir/schedule/tensor/make.h"

/* ---- the two parts of an index --------------------------------------------------------------- */

static bool counts(const Product *p, const IrValue *value)
{
    if (value->op == OP_var && value->var->kind == VAR_LOCAL) {
        const IrValue *set = sets_value(&p->affine.sets, value->var);
        return product_counts(p, value->var) >= 0 || (set && counts(p, set));
    }
    for (int i = 0; i < value->count; i++)
        if (counts(p, value->operands[i]))
            return true;
    return false;
}

static IrValue *plus(const TensorBuild *m, IrValue *a, IrValue *b)
{
    return a && b ? build_op(m->b, OP_add, a, b) : a ? a : b;
}

static IrValue *minus(const TensorBuild *m, IrValue *a, IrValue *b)
{
    return !b ? a : build_op(m->b, OP_sub, a ? a : build_int(m->b, 0), b);
}

static bool varies(const TensorBuild *m, int f, const IrValue *value)
{
    const Product *p = m->p;
    return affine_varies(&p->affine, value, p->factor[f].axis) ||
           (is_joined(m, f) && affine_varies(&p->affine, value, p->joined));
}

/* Takes an index apart; NULL stands for 0. Neither part is ever negative, unless they may be. */
static bool split(const TensorBuild *m, int f, const IrValue *index, bool negative,
                  IrValue *parts[GATHERED])
{
    const Product *p = m->p;
    index = sets_behind_casts(&p->affine.sets, index);
    parts[0] = parts[1] = NULL;
    if (!type_is_integer(index->type) || !type_is_signed(index->type))
        return false;
    bool moves = counts(p, index);
    if (!moves || !varies(m, f, index)) {
        parts[moves] = build_cast(m->b, type_int64, build_copy(m->b, index));
        return negative || ir_nonnegative(index);
    }
    IrValue *left[GATHERED], *right[GATHERED];
    if ((index->op != OP_add && (index->op != OP_sub || !negative)) ||
        !split(m, f, index->operands[0], negative, left) ||
        !split(m, f, index->operands[1], negative, right))
        return false;
    for (int i = 0; i < GATHERED; i++)
        parts[i] = (index->op == OP_add ? plus : minus)(m, left[i], right[i]);
    return true;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* The load that is all of a factor but for a cast. */
static const IrValue *load_of(const Product *p, int f)
{
    const Factor *factor = &p->factor[f];
    const IrValue *value = sets_behind(&p->affine.sets, factor->value);
    if (value->op == OP_cast)
        value = sets_behind(&p->affine.sets, value->operands[0]);
    return value->op == OP_load ? value : NULL;
}

static bool lies_in_order(const IrValue *array)
{
    return array->op == OP_var && array->var->kind == VAR_PARAM && array->type->array.rank > 0 &&
           array->type->array.layout == LAYOUT_C && !array->type->array.unaligned;
}

/* Whether conditions leave out elements whose index is below 0. */
static bool is_held(const TensorBuild *m, int f, const IrValue *index)
{
    const Product *p = m->p;
    const Terms *mask = &p->factor[f].mask;
    index = sets_behind_casts(&p->affine.sets, index);
    for (int i = 0; i < mask->count; i++) {
        const IrValue *term = mask->list[i];
        bool less = term->op == OP_le;
        if (!less && term->op != OP_ge)
            continue;
        const IrValue *least = sets_behind_casts(&p->affine.sets, term->operands[!less]);
        if (ir_is_constant(least) && type_is_integer(least->type) && !least->constant.integer &&
            affine_same(sets_behind_casts(&p->affine.sets, term->operands[less]), index))
            return true;
    }
    return false;
}

/* Where an element lies, as a sum of two parts. */
static bool find_place(const TensorBuild *m, int f, const IrValue *load, bool *wraps,
                       IrValue *place[GATHERED])
{
    IrValue *parts[GATHERED];
    place[0] = place[1] = NULL;
    for (int axis = 0; axis + 1 < load->count; axis++) {
        const IrValue *index = load->operands[axis + 1];
        bool held = is_held(m, f, index);
        *wraps |= held;
        if (!split(m, f, index, held, parts))
            return false;
        for (int i = 0; i < GATHERED; i++) {
            IrValue *extent =
                ir_extent(m->b->arena, build_copy(m->b, load->operands[0]), axis, m->b->span);
            IrValue *above = place[i] ? build_op(m->b, OP_mul, place[i], extent) : NULL;
            place[i] = plus(m, above, parts[i]);
        }
    }
    return place[0] && place[1];
}

/* How many elements a thread has along the axis: rows that it goes through with one k, or places
** that are a warp apart. */
static int own_count(const TensorBuild *m, int f)
{
    int64_t size = m->tile->size[f];
    return (int)(m->p->factor[f].deep ? size * m->depth / block_threads(m->tile)
                                      : size / WARP_LANES);
}

static IrVar *numbers(const TensorBuild *m, const char *name, int f, IrVarKind kind,
                      const int64_t *shape, int rank)
{
    const IrValue *array = load_of(m->p, f)->operands[0];
    name = arena_printf(m->b->arena, "%s_%s", array->var->name, name);
    return ir_array_var(m->b->arena, m->b->fn, name, type_int32, kind, shape, rank, m->b->span);
}

/* An array in shared memory for a part of what is compared; NULL of no part. */
static IrVar *mask_array(const TensorBuild *m, const char *name, int number, const IrValue *part,
                         const int64_t *shape, int rank)
{
    name = arena_printf(m->b->arena, "_%s_%d", name, number);
    return part ? ir_array_var(m->b->arena, m->b->fn, name, type_int64, VAR_SHARED, shape, rank,
                               m->b->span)
                : NULL;
}

/* Which operand of a condition depends on the row or on k: -1, none or both. */
static int masked_side(const TensorBuild *m, int f, const IrValue *term)
{
    bool depends[2];
    if (!ir_is_comparison(term->op) || term->operands[0]->type != type_int64 ||
        term->operands[1]->type != type_int64)
        return -1;
    for (int i = 0; i < 2; i++)
        depends[i] = counts(m->p, term->operands[i]) || varies(m, f, term->operands[i]);
    return depends[0] == depends[1] ? -1 : depends[1];
}

static GatherMask *mask_of(const TensorBuild *m, Gather *gather, const IrValue *index)
{
    index = sets_behind_casts(&m->p->affine.sets, index);
    for (int i = 0; i < gather->masks; i++)
        if (affine_same(gather->mask[i].index, index))
            return &gather->mask[i];
    return NULL;
}

/* Takes apart what conditions compare. */
static bool find_masks(const TensorBuild *m, int f, Gather *gather)
{
    const Terms *mask = &m->p->factor[f].mask;
    for (int i = 0; i < mask->count; i++) {
        int side = masked_side(m, f, mask->list[i]);
        const IrValue *index = side < 0 ? NULL : mask->list[i]->operands[side];
        if (index && mask_of(m, gather, index))
            continue;
        if (!index || gather->masks == MASKS_MOST)
            return false;
        GatherMask *own = &gather->mask[gather->masks];
        own->index = sets_behind_casts(&m->p->affine.sets, index);
        if (!split(m, f, index, true, own->parts))
            return false;
        gather->masks++;
    }
    for (int i = 0; i < gather->masks; i++) {
        GatherMask *own = &gather->mask[i];
        own->own = mask_array(m, "at_row", i, own->parts[0], (int64_t[]){ m->tile->size[f] }, 1);
        own->steps = mask_array(m, "at_k", i, own->parts[1], (int64_t[]){ 2, m->depth }, 2);
    }
    return true;
}

static bool find_gather(TensorBuild *m, int f)
{
    const Factor *factor = &m->p->factor[f];
    const IrValue *load = load_of(m->p, f);
    Gather found = { .load = load };
    IrValue **place = found.place;
    if (factor->wide || !load || !lies_in_order(load->operands[0]) ||
        !find_place(m, f, load, &found.wraps, place) || !launch_narrow(m->p->unit->launch) ||
        !find_masks(m, f, &found))
        return false;
    const Type *element = load->operands[0]->type->array.element;
    const IrVar *array = load->operands[0]->var;
    found.wraps |= factor->mask.count || factor->bounds.count;
    found.own = numbers(m, "own", f, VAR_PRIVATE, (int64_t[]){ own_count(m, f) }, 1);
    found.steps = numbers(m, "steps", f, VAR_SHARED, (int64_t[]){ 2, m->depth }, 2);
    found.flat =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_flat", array->name),
                     element, VAR_LOCAL, NULL, 1, m->b->span);
    m->gather[f] = found;
    return true;
}

void gather_find(TensorBuild *m)
{
    for (int f = 0; f < FACTORS; f++) {
        bool joined = is_joined(m, f);
        m->p->factor[f].placed = find_gather(m, f);
        if (m->p->factor[f].placed || !joined)
            continue;
        m->p->joined = -1;
        m->p->factor[f].placed = find_gather(m, f);
    }
}

bool gather_any(const TensorBuild *m)
{
    return m->gather[FACTOR_ROWS].load || m->gather[FACTOR_COLUMNS].load;
}

/* ---- making ---------------------------------------------------------------------------------- */

static IrValue *as_int32(const TensorBuild *m, IrValue *value)
{
    return build_cast(m->b, type_int32, value);
}

/* The array in one axis. */
static void append_flat(TensorBuild *m, const Gather *gather, IrRegion *out)
{
    const IrValue *array = gather->load->operands[0];
    IrValue *size = NULL;
    for (int axis = 0; axis < array->type->array.rank; axis++) {
        IrValue *extent = ir_extent(m->b->arena, build_copy(m->b, array), axis, m->b->span);
        size = size ? build_op(m->b, OP_mul, size, extent) : extent;
    }
    IrValue *flat = ir_value(m->b->arena, OP_recast, gather->flat->type, m->b->span, 2);
    flat->operands[0] = build_copy(m->b, array);
    flat->operands[1] = size;
    ir_append(out, ir_set(m->b->arena, gather->flat, flat, m->b->span));
}

/* A thread's place in the tile: along the axis for each of its own elements, and k. */
static IrValue *own_at(const TensorBuild *m, int f, IrVar *own)
{
    IrValue *self = build_var(m->b, m->self), *number = build_var(m->b, own);
    if (!m->p->factor[f].deep)
        return build_op(m->b, OP_add, build_op(m->b, OP_mod, self, WARP_LANES),
                        build_times(m->b, number, WARP_LANES));
    return build_op(m->b, OP_add, build_op(m->b, OP_floordiv, self, m->depth),
                    build_times(m->b, number, block_threads(m->tile) / m->depth));
}

static IrValue *first_k(const TensorBuild *m, int f)
{
    bool deep = m->p->factor[f].deep;
    return build_op(m->b, deep ? OP_mod : OP_floordiv, build_var(m->b, m->self),
                    build_int(m->b, deep ? m->depth : WARP_LANES));
}

static IrRegion *append_each(const TensorBuild *m, IrVar **var, const char *name, int count,
                             IrRegion *out)
{
    *var = build_counter(m->b, name);
    IrStmt *loop = build_for(m->b, *var, 0, count, 1, UNROLL_ALL);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* What conditions compare of each row: threads share them. */
static void append_mask_rows(TensorBuild *m, int f, IrRegion *out)
{
    const Gather *gather = &m->gather[f];
    IrVar *row = build_counter(m->b, "_row");
    IrStmt *loop = build_for(m->b, row, m->self, m->tile->size[f], block_threads(m->tile), 1);
    ir_append(out, loop);
    append_own(m, f, build_var(m->b, row), true, &loop->for_.body);
    for (int i = 0; i < gather->masks; i++)
        if (gather->mask[i].own)
            build_store(m->b, gather->mask[i].own, row, NULL, put(m, gather->mask[i].parts[0]),
                        &loop->for_.body);
}

void gather_begin(TensorBuild *m, IrRegion *out)
{
    for (int f = 0; f < FACTORS; f++) {
        const Gather *gather = &m->gather[f];
        IrVar *own;
        if (!gather->load)
            continue;
        append_flat(m, gather, out);
        IrRegion *body = append_each(m, &own, "_own", own_count(m, f), out);
        append_own(m, f, own_at(m, f, own), true, body);
        build_store(m->b, gather->own, own, NULL, as_int32(m, put(m, gather->place[0])), body);
        if (gather->masks)
            append_mask_rows(m, f, out);
    }
}

static void append_steps_of(const TensorBuild *m, const IrVar *at, const IrVar *steps,
                            IrValue *value, IrRegion *out)
{
    build_store(m->b, steps, buffer_of(m, at, 2), m->self, value, out);
}

void gather_steps(TensorBuild *m, IrValue *step, IrRegion *out)
{
    IrVar *at = build_let(m->b, "_steps", step, out);
    IrRegion *body = build_if(m->b, build_op(m->b, OP_lt, m->self, m->depth), out);
    put_in_part(m);
    append_counters(m, at, m->self, body);
    body = build_if(m->b, below(m, m->k, m->stop), body);
    for (int f = 0; f < FACTORS; f++) {
        const Gather *gather = &m->gather[f];
        if (gather->load)
            append_steps_of(m, at, gather->steps, as_int32(m, put(m, gather->place[1])), body);
        for (int i = 0; i < gather->masks; i++)
            if (gather->mask[i].steps)
                append_steps_of(m, at, gather->mask[i].steps, put(m, gather->mask[i].parts[1]),
                                body);
    }
}

/* What a thread loads of one row and one k. */
static IrStmt *element_stmt(const TensorBuild *m, int f, IrValue *place, IrValue *const near[3])
{
    const Factor *factor = &m->p->factor[f];
    IrValue *flat = build_var(m->b, m->gather[f].flat);
    if (factor->load && type_size(factor->type) >= 4)
        return async_copy_stmt(m, f, near, flat, &place, 1, 1);
    IrValue *load = ir_load(m->b->arena, flat, &place, 1, m->b->span);
    if (load->type != factor->type)
        load = build_cast(m->b, factor->type, load);
    return ir_store(m->b->arena, build_var(m->b, m->near[f]), near, 3, load, m->b->span);
}

/* An element of an array as an int64. */
static IrValue *number_at(const TensorBuild *m, const IrVar *array, IrValue *row, IrValue *column)
{
    return build_cast(m->b, type_int64, build_load(m->b, array, row, column));
}

/* Where an element lies. */
static IrValue *place_of(const TensorBuild *m, const Gather *gather, IrVar *own, IrVar *behind)
{
    IrValue *first = number_at(m, gather->own, build_var(m->b, own), NULL);
    IrValue *place = build_op(m->b, OP_add, first, behind);
    if (gather->wraps)
        place = build_cast(m->b, type_int64, build_cast(m->b, type_of(UINT32), place));
    return ir_never_negative(place);
}

/* What is left out, in front of what is not: the conditions, of the parts of what they compare. */
static IrValue *is_there(TensorBuild *m, int f, IrVar *at, IrVar *const behind[MASKS_MOST])
{
    Gather *gather = &m->gather[f];
    const Terms *mask = &m->p->factor[f].mask;
    IrValue *all = NULL;
    put_in_part(m);
    for (int i = 0; i < mask->count; i++) {
        const IrValue *term = mask->list[i];
        int side = masked_side(m, f, term);
        const GatherMask *own = mask_of(m, gather, term->operands[side]);
        IrValue *row = own->own ? build_load(m->b, own->own, at, NULL) : NULL;
        IrValue *k = own->steps ? build_var(m->b, behind[own - gather->mask]) : NULL;
        IrValue *both[2] = { plus(m, row, k), put(m, term->operands[!side]) };
        all = ir_both(m->b->arena, all, build_op(m->b, term->op, both[side], both[!side]));
    }
    return all;
}

/* What the conditions compare of a k. */
static void append_mask_steps(const TensorBuild *m, const Gather *gather, IrVar *step, IrVar *k,
                              IrVar *behind[MASKS_MOST], IrRegion *out)
{
    for (int i = 0; i < gather->masks; i++) {
        const IrVar *steps = gather->mask[i].steps;
        behind[i] = steps ? build_temporary(m->b, "_at_k", type_int64) : NULL;
        if (steps)
            build_set(m->b, behind[i], build_load(m->b, steps, buffer_of(m, step, 2), k), out);
    }
}

/* The place within the array, where it may lie beyond: what is read then is multiplied by 0. */
static IrValue *is_within(const TensorBuild *m, const Gather *gather, IrVar *place)
{
    IrValue *end = ir_extent(m->b->arena, build_var(m->b, gather->flat), 0, m->b->span);
    return build_op(m->b, OP_lt, build_var(m->b, place), end);
}

/* An element of a row and a k, or what stands for it where conditions leave it out. */
static void append_gathered(TensorBuild *m, int f, IrValue *place, IrValue *there,
                            IrValue *const near[3], IrRegion *out)
{
    if (!there) {
        ir_append(out, element_stmt(m, f, place, near));
        return;
    }
    IrValue *again[3];
    for (int i = 0; i < 3; i++)
        again[i] = build_copy(m->b, near[i]);
    IrStmt *branch = ir_if(m->b->arena, there, m->b->span);
    ir_append(&branch->if_.then, element_stmt(m, f, place, near));
    ir_append(&branch->if_.otherwise, fill_stmt(m, f, again, filling(m, f)));
    ir_append(out, branch);
}

void gather_tile(TensorBuild *m, int f, IrVar *step, IrVar *buffer, IrRegion *out)
{
    const Gather *gather = &m->gather[f];
    bool deep = m->p->factor[f].deep;
    int warps = block_threads(m->tile) / WARP_LANES;
    IrVar *round, *own;
    IrValue *near[3];
    IrRegion *body = append_each(m, &round, "_round", deep ? 1 : m->depth / warps, out);
    IrVar *k =
        build_let(m->b, "_near_k",
                  build_op(m->b, OP_add, first_k(m, f), build_times(m->b, round, warps)), body);
    IrVar *behind = build_temporary(m->b, "_behind", type_int64);
    behind->nonnegative = !gather->wraps;
    build_set(m->b, behind, number_at(m, gather->steps, buffer_of(m, step, 2), build_var(m->b, k)),
              body);
    IrVar *masks[MASKS_MOST];
    append_mask_steps(m, gather, step, k, masks, body);
    body = append_each(m, &own, "_own", own_count(m, f), body);
    IrVar *at = build_let(m->b, "_at", own_at(m, f, own), body);
    near_indices(m, f, buffer, at, k, near);
    IrValue *place = place_of(m, gather, own, behind), *there = is_there(m, f, at, masks);
    if (m->p->factor[f].bounds.count) {
        IrVar *held = build_let(m->b, "_place", place, body);
        there = ir_both(m->b->arena, there, is_within(m, gather, held));
        place = build_var(m->b, held);
    }
    append_gathered(m, f, place, there, near, body);
}

/* Assignment to whole views, x[1:3] = y, as loops over their elements.
**
** What is assigned is a number, an array whose shape broadcasts to the view's as NumPy has it, or a
** tuple. Where both sides may be views of one array, elements are moved in the order in which none
** is overwritten before it is read (overlap.c). */
#include "ir/lower/array.h"

/* ---- nests of loops ----------------------------------------------------------------------- */

void nest_open(FnState *f, Nest *nest, IrValue *const *extents, int rank, Span span)
{
    *nest = (Nest){ .outer = f->region, .rank = rank };
    for (int axis = 0; axis < rank; axis++) {
        IrStmt *loop = ir_for(f->arena, ir_temporary(f->arena, f->fn, "_i", type_int64, span),
                              ir_integer(f->arena, type_int64, 0, span), extents[axis],
                              ir_integer(f->arena, type_int64, 1, span), span);
        nest->at[axis] = ir_var(f->arena, loop->for_.var, span);
        emit(f, loop);
        f->region = &loop->for_.body;
    }
}

void nest_close(FnState *f, const Nest *nest)
{
    f->region = nest->outer;
}

void stable_extents(FnState *f, IrValue *array, IrValue **extents, Span span)
{
    for (int axis = 0; axis < array->type->array.rank; axis++)
        extents[axis] = lower_stable(f, array_extent(f, array, axis, span), "_extent");
}

IrValue *stable_array(FnState *f, IrValue *array)
{
    if (array->op == OP_var)
        return array;
    if (!ir_is_part(array))
        return lower_stable(f, array, "_array");
    IrValue *copy = ir_value(f->arena, array->op, array->type, array->span, array->count);
    IrValue **operands = copy->operands;
    *copy = *array;
    copy->operands = operands;
    operands[0] = stable_array(f, array->operands[0]);
    for (int i = 1; i < array->count; i++)
        operands[i] = ir_value_effects(array->operands[i]) == EFFECT_NONE
                          ? array->operands[i]
                          : lower_stable(f, array->operands[i], "_index");
    return copy;
}

IrValue *array_read(FnState *f, IrValue *element)
{
    return type_is_float8(element->type) ? ir_cast(f->arena, type_float32, element, element->span)
                                         : element;
}

IrValue *array_element(FnState *f, IrValue *array, IrValue *const *indices, Span span)
{
    return array_read(f, ir_load(f->arena, array, indices, array->type->array.rank, span));
}

void array_store(FnState *f, IrValue *array, IrValue *const *indices, IrValue *value, Span span)
{
    emit(f, ir_store(f->arena, array, indices, array->type->array.rank, value, span));
}

/* ---- broadcasting --------------------------------------------------------------------------- */

/* One assignment: view[...] = source, or view[...] op= source. */
typedef struct Fill {
    FnState *f;
    Span span;
    IrValue *view, *extents[RANK_MAX];
    IrValue *source; /* an array, or a number of any type */
    IrValue *source_extents[RANK_MAX];
    bool augmented;
    AstOp op;
} Fill;

/* Complains of extents that are known and do not fit; under debug has those that are not
** checked. */
static bool check_shape(Fill *fill)
{
    FnState *f = fill->f;
    int rank = fill->view->type->array.rank, own = fill->source->type->array.rank;
    if (own > rank)
        return fail(f, fill->span, "an array of %d axes does not fit a view of %d", own, rank);
    for (int axis = 0; axis < own; axis++) {
        IrValue *have = fill->source_extents[axis], *want = fill->extents[rank - own + axis];
        IrValue *one = ir_integer(f->arena, type_int64, 1, fill->span);
        IrValue *differ =
            ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_ne, have, one, fill->span),
                      ir_binary(f->arena, OP_ne, have, want, fill->span), fill->span);
        if (ir_is_constant(have) && ir_is_constant(want) && !ir_is_integer(have, 1) &&
            !ir_is_integer(want, have->constant.integer))
            return fail(f, fill->span, "cannot assign %lld elements to %lld",
                        (long long)have->constant.integer, (long long)want->constant.integer);
        if (is_reported(f) && !ir_is_integer(have, 1))
            lower_fault_if(f, differ, "ValueError: what is assigned has another shape", fill->span);
    }
    return true;
}

/* The source's index along `axis`, given that of the view: 0 along an axis of one element. */
static IrValue *source_index(Fill *fill, int axis, IrValue *at, const IrValue *want)
{
    FnState *f = fill->f;
    IrValue *have = fill->source_extents[axis];
    IrValue *zero = ir_integer(f->arena, at->type, 0, fill->span);
    if (ir_is_integer(have, 1))
        return zero;
    if (ir_is_constant(have) ||
        (have->op == OP_var && want->op == OP_var && have->var == want->var))
        return at;
    IrValue *single = ir_binary(f->arena, OP_eq, have,
                                ir_integer(f->arena, type_int64, 1, fill->span), fill->span);
    return ir_select(f->arena, single, zero, at, fill->span);
}

static IrValue *source_element(Fill *fill, IrValue *const *at)
{
    if (!type_is_array(fill->source->type))
        return fill->source;
    int rank = fill->view->type->array.rank, own = fill->source->type->array.rank;
    IrValue *indices[RANK_MAX];
    for (int axis = 0; axis < own; axis++)
        indices[axis] =
            source_index(fill, axis, at[rank - own + axis], fill->extents[rank - own + axis]);
    return array_element(fill->f, fill->source, indices, fill->span);
}

/* ---- order ---------------------------------------------------------------------------------- */

static IrValue *address(FnState *f, IrValue *array, Span span)
{
    IrValue *data = ir_value(f->arena, OP_data, type_uint64, span, 1);
    data->operands[0] = array;
    return data;
}

static IrValue *combine(const Fill *fill, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(fill->f->arena, op, a, b, fill->span);
}

static IrValue *number(const Fill *fill, int64_t value)
{
    return ir_integer(fill->f->arena, type_int64, value, fill->span);
}

/* The index along an axis of the iteration `at`, if iterations begin at `first`. */
static IrValue *rotated(Fill *fill, IrValue *first, IrValue *at, IrValue *extent)
{
    IrValue *sum = lower_stable(fill->f, combine(fill, OP_add, at, first), "_i");
    return ir_select(fill->f->arena, combine(fill, OP_ge, sum, extent),
                     combine(fill, OP_sub, sum, extent), sum, fill->span);
}

/* Makes of the counters `at` indices that go from the end, or from `first`, where they have to. */
static void order_indices(Fill *fill, IrValue *const *back, IrValue *const *first, IrValue **at)
{
    Arena *arena = fill->f->arena;
    for (int axis = 0; axis < fill->view->type->array.rank; axis++) {
        IrValue *extent = fill->extents[axis];
        IrValue *last = combine(fill, OP_sub, extent, number(fill, 1));
        IrValue *index = ir_select(arena, back[axis], combine(fill, OP_sub, last, at[axis]),
                                   at[axis], fill->span);
        if (first[axis])
            index =
                ir_select(arena, combine(fill, OP_eq, fill->source_extents[axis], number(fill, 1)),
                          rotated(fill, first[axis], at[axis], extent), index, fill->span);
        at[axis] = lower_stable(fill->f, ir_cast(arena, type_uint64, index, fill->span), "_at");
    }
}

/* The depth of each axis's loop: the number of axes with longer strides. */
static void find_depths(Fill *fill, IrValue **depth)
{
    FnState *f = fill->f;
    int rank = fill->view->type->array.rank;
    IrValue *length[RANK_MAX];
    for (int axis = 0; axis < rank; axis++) {
        IrValue *stride = array_stride(f, fill->view, axis, fill->span);
        IrValue *less = combine(fill, OP_sub, number(fill, 0), stride);
        length[axis] = lower_stable(f, ir_max(f->arena, stride, less, fill->span), "_length");
    }
    for (int axis = 0; axis < rank; axis++) {
        IrValue *sum = number(fill, 0);
        for (int other = 0; other < rank; other++)
            if (other != axis)
                sum = combine(fill, OP_add, sum,
                              ir_cast(f->arena, type_int64,
                                      combine(fill, other < axis ? OP_ge : OP_gt, length[other],
                                              length[axis]),
                                      fill->span));
        depth[axis] = lower_stable(f, sum, "_depth");
    }
}

/* Of values, one for each axis, the one of the axis whose loop is at a depth. */
static IrValue *at_depth(Fill *fill, IrValue *const *depth, IrValue *const *values, int of)
{
    IrValue *found = values[0];
    for (int axis = 1; axis < fill->view->type->array.rank; axis++)
        found = ir_select(fill->f->arena, combine(fill, OP_eq, depth[axis], number(fill, of)),
                          values[axis], found, fill->span);
    return lower_stable(fill->f, found, "_extent");
}

/* The counter of an axis, given those of the loops. */
static IrValue *counter_of(Fill *fill, IrValue *const *depth, IrValue *const *counters, int axis)
{
    IrValue *found = counters[0];
    for (int of = 1; of < fill->view->type->array.rank; of++)
        found = ir_select(fill->f->arena, combine(fill, OP_eq, depth[axis], number(fill, of)),
                          counters[of], found, fill->span);
    return lower_stable(fill->f, found, "_i");
}

/* Whether the source may have one element along an axis where the view has more. */
static bool may_be_single(const Fill *fill, int axis)
{
    const IrValue *have = fill->source_extents[axis];
    return !ir_same_value(have, fill->extents[axis]) &&
           (!ir_is_constant(have) || ir_is_integer(have, 1));
}

static bool any_may_be_single(const Fill *fill)
{
    for (int axis = 0; axis < fill->view->type->array.rank; axis++)
        if (may_be_single(fill, axis))
            return true;
    return false;
}

/* How far the source begins behind the view, in bytes. */
static IrValue *find_distance(Fill *fill)
{
    IrValue *apart = combine(fill, OP_sub, address(fill->f, fill->source, fill->span),
                             address(fill->f, fill->view, fill->span));
    return lower_stable(fill->f, ir_cast(fill->f->arena, type_int64, apart, fill->span), "_apart");
}

/* Takes the distance apart, axis by axis from the longest stride: steps[axis] is how many elements
** the source begins behind the view along it, where they overlap. Returns what is left of the
** distance without the axes along which the source has a single element.
**
** Of views that overlap in an array of N elements along an axis, one is shifted by less than N / 2;
** a single element lies 0 to n - 1 elements behind the beginning of the n of the view. Twice the
** distance, less (n - 1) strides for each single element, is therefore a sum of multiples of the
** strides in which no factor is above N - 1: what is left by all shorter strides is less than one
** of the longer, and rounding finds the factor. Axes of one element, whose strides may be any, have
** no part in it. */
static IrValue *find_steps(Fill *fill, IrValue *const *depth, IrValue **steps)
{
    FnState *f = fill->f;
    int rank = fill->view->type->array.rank;
    IrValue *zero = number(fill, 0), *one = number(fill, 1), *two = number(fill, 2);
    IrValue *strides[RANK_MAX], *counts[RANK_MAX], *found[RANK_MAX];
    IrValue *shift = find_distance(fill), *rest = combine(fill, OP_mul, shift, two);
    for (int axis = 0; axis < rank; axis++) {
        IrValue *stride = array_stride(f, fill->view, axis, fill->span);
        IrValue *single = combine(fill, OP_eq, fill->source_extents[axis], one);
        strides[axis] = lower_stable(
            f, ir_select(f->arena, combine(fill, OP_eq, stride, zero), one, stride, fill->span),
            "_stride");
        counts[axis] = lower_stable(
            f, ir_select(f->arena, single, fill->extents[axis], one, fill->span), "_n");
        IrValue *more = combine(fill, OP_sub, counts[axis], one);
        rest = combine(fill, OP_sub, rest, combine(fill, OP_mul, more, strides[axis]));
    }
    for (int of = 0; of < rank; of++) {
        IrValue *stride = depth ? at_depth(fill, depth, strides, of) : strides[of];
        IrValue *count = depth ? at_depth(fill, depth, counts, of) : counts[of];
        IrValue *extent = depth ? at_depth(fill, depth, fill->extents, of) : fill->extents[of];
        IrValue *sum = combine(fill, OP_add, rest, combine(fill, OP_mul, count, stride));
        IrValue *nearest = combine(fill, OP_floordiv, sum, combine(fill, OP_mul, stride, two));
        found[of] = lower_stable(
            f, ir_select(f->arena, combine(fill, OP_eq, extent, one), zero, nearest, fill->span),
            "_steps");
        IrValue *factor = combine(fill, OP_sub, combine(fill, OP_mul, found[of], two),
                                  combine(fill, OP_sub, count, one));
        rest = lower_stable(f, combine(fill, OP_sub, rest, combine(fill, OP_mul, factor, stride)),
                            "_rest");
    }
    for (int axis = 0; axis < rank; axis++) {
        steps[axis] = depth ? counter_of(fill, depth, found, axis) : found[axis];
        IrValue *single = combine(fill, OP_eq, fill->source_extents[axis], one);
        IrValue *own = combine(fill, OP_mul, steps[axis], strides[axis]);
        shift = combine(fill, OP_sub, shift, ir_select(f->arena, single, own, zero, fill->span));
    }
    return shift;
}

/* For each axis, whether to go along it from its end, given how far the source begins behind the
** view: elements are taken by falling addresses where they move up, and by rising ones where they
** move down, so that none is read after it was written. */
static void find_ways(Fill *fill, IrValue *shift, IrValue **back)
{
    FnState *f = fill->f;
    IrValue *up = lower_stable(f, combine(fill, OP_lt, shift, number(fill, 0)), "_up");
    for (int axis = 0; axis < fill->view->type->array.rank; axis++) {
        IrValue *stride = array_stride(f, fill->view, axis, fill->span);
        IrValue *rising = combine(fill, OP_ge, stride, number(fill, 0));
        back[axis] = lower_stable(f, combine(fill, OP_eq, rising, up), "_back");
    }
}

/* For each axis, where the iterations along it begin if the source has one element there, which all
** read: behind the view's own copy of it, so that this is written last. NULL if it has as many as
** the view. */
static void find_firsts(Fill *fill, IrValue *const *steps, IrValue **first)
{
    FnState *f = fill->f;
    IrValue *one = number(fill, 1);
    for (int axis = 0; axis < fill->view->type->array.rank; axis++) {
        first[axis] = NULL;
        if (!may_be_single(fill, axis))
            continue;
        IrValue *most = ir_max(f->arena, fill->extents[axis], one, fill->span);
        IrValue *behind = combine(fill, OP_mod, combine(fill, OP_add, steps[axis], one), most);
        first[axis] = lower_stable(f, behind, "_first");
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* view[at] = value, or view[at] op= value. */
static void fill_element(Fill *fill, IrValue *const *at, IrValue *value)
{
    FnState *f = fill->f;
    const Type *element = fill->view->type->array.element;
    if (fill->augmented)
        value = lower_binary(f, fill->op, array_element(f, fill->view, at, fill->span), value,
                             fill->span);
    if (!is_poison(value) && value->type != element && !typing_can_store(value->type, element))
        fail(f, fill->span, "cannot store %s in an array of %s%s",
             describe(f, operand_value(value)), type_name(f->arena, element),
             store_advice(value->type, element));
    else if (!is_poison(value))
        array_store(f, fill->view, at, convert(f, value, element, fill->span), fill->span);
}

static void fill_apart(Fill *fill)
{
    Nest nest;
    nest_open(fill->f, &nest, fill->extents, fill->view->type->array.rank, fill->span);
    fill_element(fill, nest.at, source_element(fill, nest.at));
    nest_close(fill->f, &nest);
}

/* Both have the same strides. Arrays in C's order have the longest in front. */
static void fill_in_order(Fill *fill)
{
    FnState *f = fill->f;
    int rank = fill->view->type->array.rank;
    bool sorted = rank == 1 || fill->view->type->array.layout == LAYOUT_C;
    IrValue *back[RANK_MAX], *first[RANK_MAX], *depth[RANK_MAX], *at[RANK_MAX],
        *steps[RANK_MAX] = { NULL }, *extents[RANK_MAX] = { NULL };
    if (!sorted)
        find_depths(fill, depth);
    bool single = any_may_be_single(fill);
    find_ways(fill, single ? find_steps(fill, sorted ? NULL : depth, steps) : find_distance(fill),
              back);
    find_firsts(fill, steps, first);
    for (int i = 0; i < rank; i++)
        extents[i] = sorted ? fill->extents[i] : at_depth(fill, depth, fill->extents, i);
    Nest nest;
    nest_open(f, &nest, extents, rank, fill->span);
    for (int axis = 0; axis < rank; axis++)
        at[axis] = sorted ? nest.at[axis] : counter_of(fill, depth, nest.at, axis);
    order_indices(fill, back, first, at);
    fill_element(fill, at, source_element(fill, at));
    nest_close(f, &nest);
}

/* The source has fewer axes: each of its elements is read once, before any element that it is
** assigned to is written. */
static void fill_rows(Fill *fill)
{
    FnState *f = fill->f;
    int own = fill->source->type->array.rank, more = fill->view->type->array.rank - own;
    IrValue *at[RANK_MAX];
    Nest outer, inner;
    nest_open(f, &outer, fill->extents + more, own, fill->span);
    for (int axis = 0; axis < own; axis++)
        at[more + axis] = outer.at[axis];
    IrValue *value = lower_stable(f, source_element(fill, at), "_value");
    nest_open(f, &inner, fill->extents, more, fill->span);
    for (int axis = 0; axis < more; axis++)
        at[axis] = inner.at[axis];
    fill_element(fill, at, value);
    nest_close(f, &inner);
    nest_close(f, &outer);
}

static void fill_loops(Fill *fill)
{
    if (!views_may_overlap(fill->f, fill->view, fill->source))
        fill_apart(fill);
    else if (!views_can_be_ordered(fill->f, fill->view, fill->source))
        fail(fill->f, fill->span,
             "what is read here may overlap what is written, in another order; assign the elements "
             "in a loop, or copy them first");
    else if (fill->source->type->array.rank < fill->view->type->array.rank)
        fill_rows(fill);
    else
        fill_in_order(fill);
}

/* view[:] = (a, b, c) */
static void fill_from_tuple(Fill *fill)
{
    FnState *f = fill->f;
    int64_t count = fill->source->type->tuple.count;
    IrValue *expected = ir_integer(f->arena, type_int64, count, fill->span);
    if (fill->view->type->array.rank != 1 || fill->augmented) {
        fail(f, fill->span, "a tuple is assigned to views of one axis only");
        return;
    }
    IrValue *differ = ir_binary(f->arena, OP_ne, fill->extents[0], expected, fill->span);
    if (ir_is_constant(differ) && differ->constant.integer) {
        fail(f, fill->span, "cannot assign %lld elements to %lld", (long long)count,
             (long long)fill->extents[0]->constant.integer);
        return;
    }
    if (is_reported(f))
        lower_fault_if(f, differ, "ValueError: what is assigned has another shape", fill->span);
    IrValue *tuple = stable_tuple(f, fill->source, "_tuple");
    for (int i = 0; i < count; i++) {
        IrValue *item = ir_item(f->arena, tuple, i, fill->span);
        IrValue *at = ir_integer(f->arena, type_int64, i, fill->span);
        const Type *element = fill->view->type->array.element;
        if (!typing_can_store(item->type, element))
            fail(f, fill->span, "cannot store %s in an array of %s%s",
                 describe(f, operand_value(item)), type_name(f->arena, element),
                 store_advice(item->type, element));
        else
            array_store(f, fill->view, &at, convert(f, item, element, fill->span), fill->span);
    }
}

static void fill_view(Fill *fill)
{
    FnState *f = fill->f;
    if (is_poison(fill->source) || is_poison(fill->view))
        return;
    fill->view = stable_array(f, fill->view);
    stable_extents(f, fill->view, fill->extents, fill->span);
    if (type_is_tuple(fill->source->type)) {
        fill_from_tuple(fill);
        return;
    }
    if (type_is_array(fill->source->type)) {
        fill->source = stable_array(f, fill->source);
        stable_extents(f, fill->source, fill->source_extents, fill->span);
        if (!check_shape(fill))
            return;
    } else {
        fill->source = lower_stable(f, fill->source, "_value");
    }
    fill_loops(fill);
}

void lower_fill(FnState *f, IrValue *view, IrValue *source, Span span)
{
    Fill fill = { .f = f, .span = span, .view = view, .source = source };
    fill_view(&fill);
}

void lower_fill_op(FnState *f, IrValue *view, AstOp op, IrValue *source, Span span)
{
    Fill fill = {
        .f = f, .span = span, .view = view, .source = source, .augmented = true, .op = op
    };
    fill_view(&fill);
}

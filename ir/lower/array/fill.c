/* Assignment to whole views, x[1:3] = y, as loops over their elements.
**
** What is assigned is a number, an array whose shape broadcasts to the view's as NumPy has it, or a
** tuple. Where both sides are views of one variable, elements are moved in the order in which none
** is overwritten before it is read, given that both have the same strides; arrays that overlap in
** other ways are written element by element, the first first. */
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
    if (own > rank) {
        fail(f, fill->span, "an array of %d axes does not fit a view of %d", own, rank);
        return false;
    }
    for (int axis = 0; axis < own; axis++) {
        IrValue *have = fill->source_extents[axis], *want = fill->extents[rank - own + axis];
        IrValue *one = ir_integer(f->arena, type_int64, 1, fill->span);
        IrValue *differ =
            ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_ne, have, one, fill->span),
                      ir_binary(f->arena, OP_ne, have, want, fill->span), fill->span);
        if (ir_is_constant(have) && ir_is_constant(want) && !ir_is_integer(have, 1) &&
            !ir_is_integer(want, have->constant.integer)) {
            fail(f, fill->span, "cannot assign %lld elements to %lld",
                 (long long)have->constant.integer, (long long)want->constant.integer);
            return false;
        }
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

static IrValue *address(FnState *f, IrValue *array, Span span)
{
    IrValue *data = ir_value(f->arena, OP_data, type_uint64, span, 1);
    data->operands[0] = array;
    return data;
}

/* Whether views of one variable may overlap, so that the order of their elements matters. */
static bool may_overlap(const Fill *fill)
{
    return type_is_array(fill->source->type) && ir_array_base(fill->view) &&
           ir_array_base(fill->view) == ir_array_base(fill->source);
}

/* For each axis, whether to go along it from its end: elements are taken by falling addresses where
** they move up, and by rising ones where they move down, so that none is read after it was
** written. */
static void find_ways(Fill *fill, IrValue **back)
{
    FnState *f = fill->f;
    IrValue *zero = ir_integer(f->arena, type_int64, 0, fill->span);
    IrValue *up = ir_binary(f->arena, OP_lt, address(f, fill->source, fill->span),
                            address(f, fill->view, fill->span), fill->span);
    up = lower_stable(f, up, "_up");
    for (int axis = 0; axis < fill->view->type->array.rank; axis++) {
        IrValue *stride = array_stride(f, fill->view, axis, fill->span);
        IrValue *rising = ir_binary(f->arena, OP_ge, stride, zero, fill->span);
        back[axis] = lower_stable(f, ir_binary(f->arena, OP_eq, rising, up, fill->span), "_back");
    }
}

static void turn_back(Fill *fill, IrValue *const *back, IrValue **at)
{
    Arena *arena = fill->f->arena;
    for (int axis = 0; axis < fill->view->type->array.rank; axis++) {
        IrValue *last = ir_binary(arena, OP_sub, fill->extents[axis],
                                  ir_integer(arena, type_int64, 1, fill->span), fill->span);
        IrValue *index =
            ir_select(arena, back[axis], ir_binary(arena, OP_sub, last, at[axis], fill->span),
                      at[axis], fill->span);
        at[axis] = lower_stable(fill->f, ir_cast(arena, type_uint64, index, fill->span), "_at");
    }
}

static void fill_loops(Fill *fill)
{
    FnState *f = fill->f;
    const Type *element = fill->view->type->array.element;
    IrValue *back[RANK_MAX];
    Nest nest;
    if (may_overlap(fill))
        find_ways(fill, back);
    nest_open(f, &nest, fill->extents, fill->view->type->array.rank, fill->span);
    if (may_overlap(fill))
        turn_back(fill, back, nest.at);
    IrValue *value = source_element(fill, nest.at);
    if (fill->augmented)
        value = lower_binary(f, fill->op, array_element(f, fill->view, nest.at, fill->span), value,
                             fill->span);
    if (!is_poison(value) && value->type != element && !typing_can_store(value->type, element))
        fail(f, fill->span, "cannot store %s in an array of %s", describe(f, operand_value(value)),
             type_name(f->arena, element));
    else if (!is_poison(value))
        array_store(f, fill->view, nest.at, convert(f, value, element, fill->span), fill->span);
    nest_close(f, &nest);
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
            fail(f, fill->span, "cannot store %s in an array of %s",
                 describe(f, operand_value(item)), type_name(f->arena, element));
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

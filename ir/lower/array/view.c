/* Views: what slices, `...` and None between brackets make of an array. */
#include "ir/lower/array.h"

typedef struct View {
    FnState *f;
    IrValue *array;
    Span span;
    char *axes;
    IrValue **operands;    /* what OP_view takes behind the array */
    int count, axis_count; /* operands; entries of `axes` */
    int axis;              /* of the array, next to be taken */
    int rank;              /* of the view so far */
    bool c, fortran;       /* still contiguous in that order */
    bool inner_seen;       /* C: a kept axis was seen, so later ones must be whole */
    bool part_seen;        /* F: an index, or an axis not whole: no axis may be kept behind it */
} View;

static void view_put(View *view, char kind, IrValue *a, IrValue *b, IrValue *c)
{
    IrValue *operands[] = { a, b, c };
    view->axes[view->axis_count++] = kind;
    for (int i = 0; i < 3 && operands[i]; i++)
        view->operands[view->count++] = operands[i];
}

static IrValue *number(View *view, int64_t value)
{
    return ir_integer(view->f->arena, type_int64, value, view->span);
}

static IrValue *combine(View *view, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(view->f->arena, op, a, b, view->span);
}

static IrValue *clamp(View *view, IrValue *value, IrValue *low, IrValue *high)
{
    Arena *arena = view->f->arena;
    bool known = ir_is_constant(value) && ir_is_constant(low);
    IrValue *above = !known ? ir_max(arena, value, low, view->span)
                     : value->constant.integer <= low->constant.integer ? low
                                                                        : value;
    if (ir_is_constant(above) && above->constant.integer == 0)
        return above;
    if (ir_is_constant(above) && ir_is_constant(high))
        return above->constant.integer < high->constant.integer ? above : high;
    return ir_min(arena, above, high, view->span);
}

/* A bound of a slice as Python reads it: negative from the end, held in [low, high]. */
static IrValue *slice_end(View *view, IrValue *bound, IrValue *extent, IrValue *low, IrValue *high,
                          IrValue *missing)
{
    if (!bound)
        return missing;
    Arena *arena = view->f->arena;
    if (type_is_optional(bound->type)) {
        IrValue *given =
            slice_end(view, ir_item(arena, bound, 1, view->span), extent, low, high, NULL);
        return ir_select(arena, ir_item(arena, bound, 0, view->span), given, missing, view->span);
    }
    IrValue *negative = combine(view, OP_lt, bound, number(view, 0));
    IrValue *wrapped =
        ir_select(arena, negative, combine(view, OP_add, bound, extent), bound, view->span);
    return clamp(view, wrapped, low, high);
}

/* An index that is a slice: its start, count and step in elements. */
static void view_slice(View *view, const Operand *slice)
{
    FnState *f = view->f;
    IrValue *extent = array_extent(f, view->array, view->axis, view->span);
    IrValue *zero = number(view, 0), *one = number(view, 1);
    IrValue *step = slice->slice.step ? slice->slice.step : one;
    if (ir_is_constant(step) && step->constant.integer == 0) {
        fail(f, slice->span, "a slice's step cannot be 0");
        step = one;
    }
    if (is_reported(f) && !ir_is_constant(step)) {
        step = lower_stable(f, step, "_step");
        lower_fault_if(f, combine(view, OP_eq, step, zero),
                       "ValueError: the step of a slice is zero", view->span);
    }
    IrValue *forward = combine(view, OP_gt, step, zero);
    IrValue *last = combine(view, OP_sub, extent, one), *before = number(view, -1);
    IrValue *low = ir_select(f->arena, forward, zero, before, view->span);
    IrValue *high = ir_select(f->arena, forward, extent, last, view->span);
    IrValue *start = slice_end(view, slice->slice.start, extent, low, high,
                               ir_select(f->arena, forward, zero, last, view->span));
    IrValue *stop = slice_end(view, slice->slice.stop, extent, low, high,
                              ir_select(f->arena, forward, extent, before, view->span));
    bool whole = !slice->slice.start && !slice->slice.stop && !slice->slice.step;
    bool unit = ir_is_constant(step) && step->constant.integer == 1;
    start = lower_stable(f, start, "_start");
    IrValue *length = combine(view, OP_sub, stop, start);
    if (!unit) {
        IrValue *round =
            combine(view, OP_sub, step, ir_select(f->arena, forward, one, before, view->span));
        length = combine(view, OP_floordiv, combine(view, OP_add, length, round), step);
    }
    if (!whole && !(ir_is_constant(length) && length->constant.integer >= 0))
        length = ir_max(f->arena, length, zero, view->span);
    view_put(view, 's', start, lower_stable(f, length, "_count"), step);
    view->c = view->c && unit && (whole || !view->inner_seen);
    view->fortran = view->fortran && unit && !view->part_seen;
    view->part_seen |= !whole;
    view->inner_seen = true;
    view->rank++;
    view->axis++;
}

static void view_index(View *view, Operand operand)
{
    IrValue *index = cast_index(view->f, operand, false);
    if (index)
        lower_bound(view->f, view->array, view->axis, &index, view->span);
    view_put(view, 'i', index ? index : number(view, 0), NULL, NULL);
    view->c &= !view->inner_seen;
    view->part_seen = true;
    view->axis++;
}

static void view_rest(View *view, int axes)
{
    Operand whole = { .kind = OPD_SLICE, .span = view->span };
    for (int i = 0; i < axes; i++)
        view_slice(view, &whole);
}

Operand lower_view(FnState *f, IrValue *array, const Operand *operands, int count, Span span)
{
    const Type *type = array->type;
    int taken = 0, ellipses = 0;
    for (int i = 0; i < count; i++) {
        taken += operands[i].kind == OPD_VALUE || operands[i].kind == OPD_SLICE;
        ellipses += operands[i].kind == OPD_ELLIPSIS;
    }
    if (ellipses > 1)
        return fail_operand(f, span, "only one '...' may stand in an index");
    if (taken > type->array.rank) {
        fail_index_count(f, NULL, array, taken, span);
        note_whole(f, array);
        return operand_error(span);
    }
    View view = { .f = f,
                  .array = array,
                  .span = span,
                  .c = type->array.layout == LAYOUT_C,
                  .fortran = type->array.layout == LAYOUT_F };
    view.axes = arena_array(f->arena, char, count + type->array.rank + 1);
    view.operands = arena_array(f->arena, IrValue *, 3 * (count + type->array.rank) + 1);
    for (int i = 0; i < count; i++) {
        if (operands[i].kind == OPD_SLICE)
            view_slice(&view, &operands[i]);
        else if (operands[i].kind == OPD_ELLIPSIS)
            view_rest(&view, type->array.rank - taken);
        else if (operands[i].kind == OPD_NONE) {
            view_put(&view, 'n', NULL, NULL, NULL);
            view.rank++;
            view.c = view.fortran = false;
        } else
            view_index(&view, operands[i]);
    }
    view_rest(&view, type->array.rank - view.axis);
    if (view.rank > RANK_MAX)
        return fail_operand(f, span, "an array has at most %d axes", RANK_MAX);
    ArrayLayout layout = view.c || view.rank == 0 ? LAYOUT_C : view.fortran ? LAYOUT_F : LAYOUT_A;
    if (view.rank == 1 && view.fortran)
        layout = LAYOUT_C;
    IrValue *value = ir_value(f->arena, OP_view,
                              type_array_like(f->types, type, type->array.element, view.rank,
                                              layout, type->array.unaligned),
                              span, view.count + 1);
    value->operands[0] = array;
    memcpy(value->operands + 1, view.operands, (size_t)view.count * sizeof(view.operands[0]));
    value->axes = view.axes;
    return operand_value(value);
}

IrValue *view_extent(FnState *f, IrValue *array, int axis, Span span)
{
    if (array->op == OP_recast)
        return array->operands[1 + axis];
    if (array->op == OP_transpose)
        return array_extent(f, array->operands[0], array->type->array.rank - 1 - axis, span);
    if (array->op != OP_view)
        return NULL;
    int from = 0, operand = 1;
    for (const char *kind = array->axes; *kind; kind++) {
        if (*kind == 'n' && axis-- == 0)
            return ir_integer(f->arena, type_int64, 1, span);
        if (*kind == 's' && axis-- == 0)
            return array->operands[operand + 1];
        operand += *kind == 'i' ? 1 : *kind == 's' ? 3 : 0;
        from += *kind != 'n';
    }
    return array_extent(f, array->operands[0], from + axis, span);
}

IrValue *lower_row(FnState *f, IrValue *array, IrValue *index, Span span)
{
    if (array->type->array.rank == 1)
        return lower_load(f, array, &index, span);
    Operand operand = operand_value(index);
    Operand row = lower_view(f, array, &operand, 1, span);
    return row.kind == OPD_VALUE ? row.value : lower_poison(f, span);
}

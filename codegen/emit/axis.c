/* The axes of arrays: how many elements lie along one, and how many bytes are between them.
**
** Of a view they are those of the array that it looks into, with what the view does to them. */
#include "codegen/emit/text.h"

bool emit_extents_are_int(const Emitter *e)
{
    return e->dialect == DIALECT_CUDA && e->unit->narrow && e->fn->kernel;
}

const IrValue *array_uncast(const IrValue *array)
{
    while (array->op == OP_cast)
        array = array->operands[0];
    return array;
}

static const VarInfo *info_of(Emitter *e, const IrValue *array)
{
    return array->op == OP_var ? &e->vars[array->var->id] : NULL;
}

ArrayForm array_form(Emitter *e, const IrValue *array)
{
    const VarInfo *info = info_of(e, array);

    return info ? info->form : FORM_STRUCT;
}

const char *array_parts(Emitter *e, const IrValue *array)
{
    return info_of(e, array)->parts;
}

/* How many operands of a view come before those of axis `n` of `axes`. */
static int operands_before(const char *axes, int n)
{
    int count = 1;

    for (int i = 0; i < n; i++)
        count += axes[i] == 'i' ? 1 : axes[i] == 's' ? 3 : 0;
    return count;
}

IrValue *const *emit_view_axis(const IrValue *view, int axis, int *source)
{
    const char *axes = view->axes;
    int from = 0, to = 0, n;

    for (n = 0; axes[n]; n++) {
        if (axes[n] != 'i' && to++ == axis) {
            *source = axes[n] == 'n' ? -1 : from;
            return axes[n] == 'n' ? NULL : view->operands + operands_before(axes, n);
        }
        from += axes[n] != 'n';
    }
    *source = from + axis - to;
    return NULL;
}

const RecordField *view_field(const IrValue *view, int *outer)
{
    const Type *records = view->operands[0]->type;

    *outer = records->array.rank;
    return &records->array.element->record.fields[view->index];
}

/* ---- extents --------------------------------------------------------------------------- */

static Text field_extent(Emitter *e, const IrValue *view, int axis)
{
    int outer;
    const RecordField *field = view_field(view, &outer);

    return axis < outer ? axis_extent(e, view->operands[0], axis)
                        : text_number(field->shape[axis - outer]);
}

/* An extent of a parameter that comes with fewer axes (IrVar.extents). */
static Text added_extent(Emitter *e, const IrVar *array, int axis)
{
    const IrValue *length = array->extents[axis ? axis - 1 : 0];
    Text text = text_wide(e, length), whole;

    if (ir_is_constant(length))
        text = text_number(length->constant.integer);
    else if (emit_extents_are_int(e))
        text = text_shaped(arena_printf(e->arena, "(int)%s", text_at(e, text, PREC_UNARY)),
                           PREC_UNARY, INDEX_RISES);
    text.narrow = emit_extents_are_int(e) && !text.known;
    if (axis)
        return text;
    for (int i = 1; i < array->type->array.rank - 1; i++)
        text = text_times(e, text, added_extent(e, array, i + 1));
    /* rows, of which the last may end early; none if they have no length */
    const char *length_text = text_at(e, text, PREC_UNARY);
    whole = text_shaped(arena_printf(e->arena, "(%s > 0 ? (%s_0 - 1) / %s + 1 : 0)", length_text,
                                     e->vars[array->id].parts, length_text),
                        PREC_POSTFIX, INDEX_RISES);
    whole.narrow = emit_extents_are_int(e);
    return whole;
}

Text axis_extent(Emitter *e, const IrValue *array, int axis)
{
    IrValue *const *slice;
    int source;
    Text text;

    array = array_uncast(array);
    if (array->op == OP_transpose)
        return axis_extent(e, array->operands[0], array->type->array.rank - 1 - axis);
    if (array->op == OP_view) {
        slice = emit_view_axis(array, axis, &source);
        if (slice)
            return text_wide(e, slice[1]);
        return source < 0 ? text_number(1) : axis_extent(e, array->operands[0], source);
    }
    if (array->op == OP_field)
        return field_extent(e, array, axis);
    if (array->op == OP_recast)
        return text_wide(e, array->operands[1 + axis]);
    switch (array_form(e, array)) {
    case FORM_FIXED:
        return text_number(array->var->shape[axis]);
    case FORM_PARTS:
        if (array->var->kind == VAR_PARAM && array->var->shape &&
            array->var->shape[axis] != EXTENT_UNKNOWN)
            return text_number(array->var->shape[axis]);
        if (array->var->extents)
            return added_extent(e, array->var, axis);
        text = text_shaped(arena_printf(e->arena, "%s_%d", array_parts(e, array), axis),
                           PREC_POSTFIX, INDEX_RISES);
        text.narrow = emit_extents_are_int(e) && array->var->kind == VAR_PARAM;
        return text;
    case FORM_STRUCT:
        break;
    }
    return text_shaped(
        arena_printf(e->arena, "%s.shape[%d]", value_text(e, array, PREC_POSTFIX), axis),
        PREC_POSTFIX, INDEX_RISES);
}

/* An extent that is multiplied by bytes. */
static Text wide_extent(Emitter *e, const IrValue *array, int axis)
{
    Text text = axis_extent(e, array, axis);

    if (!text.narrow)
        return text;
    return text_shaped(arena_printf(e->arena, "(long long)%s", text_at(e, text, PREC_UNARY)),
                       PREC_UNARY, text.shape);
}

bool emit_extent_is_int(Emitter *e, const IrValue *array, int axis)
{
    return emit_extents_are_int(e) && axis_extent(e, array, axis).narrow;
}

const char *extent_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return text_at(e, axis_extent(e, array, axis), prec);
}

/* ---- strides --------------------------------------------------------------------------- */

/* The stride of a dense array: what lies inside the axis. */
static Text dense_stride(Emitter *e, const IrValue *array, int axis)
{
    const Type *type = array->type;
    Text stride = text_number((int64_t)type_size(type->array.element));

    if (type->array.layout == LAYOUT_F)
        for (int i = axis - 1; i >= 0; i--)
            stride = text_times(e, wide_extent(e, array, i), stride);
    else
        for (int i = type->array.rank - 1; i > axis; i--)
            stride = text_times(e, wide_extent(e, array, i), stride);
    return stride;
}

static Text field_stride(Emitter *e, const IrValue *view, int axis)
{
    int outer;
    const RecordField *field = view_field(view, &outer);
    int64_t bytes = (int64_t)type_size(field->type);

    if (axis < outer)
        return axis_stride(e, view->operands[0], axis);
    for (int i = field->rank - 1; i > axis - outer; i--)
        bytes *= field->shape[i];
    return text_number(bytes);
}

/* A stride for a struct, hidden where the compiler may take it for a negative number. */
static Text hidden_stride(Emitter *e, Text stride)
{
    bool falls = stride.known ? stride.number < 0
                              : stride.shape & (INDEX_FALLS | INDEX_FALLS_FAST | INDEX_NEGATIVE);

    return falls && e->dialect == DIALECT_CUDA ? text_hidden(e, stride) : stride;
}

Text axis_stride(Emitter *e, const IrValue *array, int axis)
{
    IrValue *const *slice;
    Text along;
    int source;

    array = array_uncast(array);
    if (array->op == OP_transpose)
        return axis_stride(e, array->operands[0], array->type->array.rank - 1 - axis);
    if (array->op == OP_view) {
        slice = emit_view_axis(array, axis, &source);
        if (source < 0)
            return text_number(0);
        along = axis_stride(e, array->operands[0], source);
        return slice ? hidden_stride(e, text_times(e, along, text_wide(e, slice[2]))) : along;
    }
    if (array->op == OP_field)
        return field_stride(e, array, axis);
    if (array->op == OP_recast)
        return array->type->array.layout == LAYOUT_A
                   ? hidden_stride(
                         e, text_wide(e, array->operands[1 + array->type->array.rank + axis]))
                   : dense_stride(e, array, axis);
    if (array_form(e, array) == FORM_STRUCT)
        return text_shaped(
            arena_printf(e->arena, "%s.strides[%d]", value_text(e, array, PREC_POSTFIX), axis),
            PREC_POSTFIX, INDEX_RISES);
    if (array_form(e, array) == FORM_PARTS && array->type->array.layout == LAYOUT_A)
        return text_shaped(arena_printf(e->arena, "%s_s%d", array_parts(e, array), axis),
                           PREC_POSTFIX, INDEX_RISES);
    return dense_stride(e, array, axis);
}

const char *stride_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return text_at(e, axis_stride(e, array, axis), prec);
}

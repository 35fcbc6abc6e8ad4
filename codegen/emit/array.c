/* Arrays: elements, extents, strides, addresses.
**
** Views cost nothing where they are read at once: an element of a view is an element of the array
** that it looks into, `x[i][j]` is `x[i * x_1 + j]`. Only where a view is kept, passed or chosen
** does it become a struct. */
#include "codegen/emit/emit.h"

#include <stdlib.h>
#include <string.h>

/* A piece of C: a number, a value, or a text with how tightly it binds. Numbers and values get
** their text when the place where they go is known. */
typedef struct Text {
    const char *text; /* NULL: that of the value, or the number */
    Prec prec;
    const IrValue *value;
    bool exact;  /* the value is written as just its type */
    bool narrow; /* its type in C is int */
    bool known;  /* it is `number` */
    int64_t number;
    IndexShape shape;
} Text;

/* Where an element lies: `text` is the element, or the pointer to it. */
typedef struct Lvalue {
    Text text;
    bool pointed;
} Lvalue;

/* One more than RANK_MAX: views with new axes in between may go beyond. */
enum { AXES_MAX = 4 * RANK_MAX };

static Text text_written(const char *text, Prec prec)
{
    return (Text){ .text = text, .prec = prec };
}

static Text text_shaped(const char *text, Prec prec, IndexShape shape)
{
    return (Text){ .text = text, .prec = prec, .shape = shape };
}

static const char *text_at(Emitter *e, Text text, Prec prec)
{
    if (text.value)
        return text.exact ? value_exact(e, text.value, prec) : value_text(e, text.value, prec);
    if (text.text)
        return parenthesize(e, text.text, text.prec, prec);
    return parenthesize(e, arena_printf(e->arena, "%lld", (long long)text.number),
                        text.number < 0 ? PREC_UNARY : PREC_POSTFIX, prec);
}

static bool text_is(Text text, int64_t number)
{
    return text.known && text.number == number;
}

/* Never the least one, which C cannot write. */
static Text text_number(int64_t value)
{
    return (Text){ .known = true, .number = value };
}

static Text text_plus(Emitter *e, Text a, Text b)
{
    int64_t sum;

    if (text_is(a, 0))
        return b;
    if (text_is(b, 0))
        return a;
    if (a.known && b.known && !__builtin_add_overflow(a.number, b.number, &sum) && sum > INT64_MIN)
        return text_number(sum);
    if (b.known && b.number < 0 && b.number > INT64_MIN)
        return text_shaped(
            arena_printf(e->arena, "%s - %lld", text_at(e, a, PREC_ADD), (long long)-b.number),
            PREC_ADD, a.shape);
    return text_shaped(
        arena_printf(e->arena, "%s + %s", text_at(e, a, PREC_ADD), text_at(e, b, PREC_ADD)),
        PREC_ADD, a.shape | b.shape);
}

/* A factor beside a number, which C might take for one of 32 bits. */
static Text factor(Text text, Text other)
{
    text.exact = text.exact || (text.value && !text.known && other.known);
    return text;
}

static Text text_times(Emitter *e, Text a, Text b)
{
    int64_t product;

    if (text_is(a, 0) || text_is(b, 1))
        return a;
    if (text_is(b, 0) || text_is(a, 1))
        return b;
    if (a.known && b.known && !__builtin_mul_overflow(a.number, b.number, &product) &&
        product > INT64_MIN)
        return text_number(product);
    return text_shaped(arena_printf(e->arena, "%s * %s", text_at(e, factor(a, b), PREC_MULTIPLY),
                                    text_at(e, factor(b, a), PREC_UNARY)),
                       PREC_MULTIPLY,
                       a.known   ? shape_times_number(b.shape, a.number)
                       : b.known ? shape_times_number(a.shape, b.number)
                                 : shape_times(a.shape, b.shape));
}

/* An index or a stride of which the compiler knows nothing, where its factors would mislead it. */
static Text text_hidden(Emitter *e, Text text)
{
    return text_written(arena_printf(e->arena, "%s(%s)", prelude(e, "hidden", type_int64),
                                     text_at(e, text, PREC_ARGUMENT)),
                        PREC_POSTFIX);
}

static Text text_index(Emitter *e, Text text)
{
    return text.shape & INDEX_FALLS_FAST ? text_hidden(e, text) : text;
}

static Text text_of_value(const Emitter *e, const IrValue *value, bool exact)
{
    Text text = { .value = value, .exact = exact, .shape = index_shape(e, value) };

    text.known =
        value->op == OP_zero || (value->op == OP_constant &&
                                 !(type_is_unsigned(value->type) && value->constant.integer < 0));
    text.number = value->op == OP_constant ? value->constant.integer : 0;
    return text;
}

/* An integer value of 64 bits, or a constant, which goes beside anything. */
static Text text_wide(const Emitter *e, const IrValue *value)
{
    return text_of_value(e, value, value->op != OP_constant);
}

/* ---- what an array is ------------------------------------------------------------------ */

bool emit_extents_are_int(const Emitter *e)
{
    return e->dialect == DIALECT_CUDA && e->unit->narrow && e->fn->kernel;
}

static const VarInfo *info_of(Emitter *e, const IrValue *array)
{
    return array->op == OP_var ? &e->vars[array->var->id] : NULL;
}

/* How a base array, no view, is written. */
static ArrayForm array_form(Emitter *e, const IrValue *array)
{
    const VarInfo *info = info_of(e, array);

    return info ? info->form : FORM_STRUCT;
}

static const char *array_parts(Emitter *e, const IrValue *array)
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

/* Without casts, which only forget an array's layout. */
static const IrValue *array_uncast(const IrValue *array)
{
    while (array->op == OP_cast)
        array = array->operands[0];
    return array;
}

static Text axis_extent(Emitter *e, const IrValue *array, int axis);

/* The field that a view of one looks at, and the number of axes before the field's own. */
static const RecordField *view_field(const IrValue *view, int *outer)
{
    const Type *records = view->operands[0]->type;

    *outer = records->array.rank;
    return &records->array.element->record.fields[view->index];
}

static Text field_extent(Emitter *e, const IrValue *view, int axis)
{
    int outer;
    const RecordField *field = view_field(view, &outer);

    return axis < outer ? axis_extent(e, view->operands[0], axis)
                        : text_number(field->shape[axis - outer]);
}

static Text axis_extent(Emitter *e, const IrValue *array, int axis)
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
        if (array->var->kind == VAR_PARAM && array->var->shape)
            return text_number(array->var->shape[axis]);
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

static Text axis_stride(Emitter *e, const IrValue *array, int axis);

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

/* A stride for a struct, which is hidden where it may be negative. */
static Text positive(Emitter *e, Text stride)
{
    bool falls =
        stride.known ? stride.number < 0 : (stride.shape & (INDEX_FALLS | INDEX_FALLS_FAST)) != 0;

    return falls && e->dialect == DIALECT_CUDA ? text_hidden(e, stride) : stride;
}

/* Bytes from one element of an axis to the next. */
static Text axis_stride(Emitter *e, const IrValue *array, int axis)
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
        return slice ? positive(e, text_times(e, along, text_wide(e, slice[2]))) : along;
    }
    if (array->op == OP_field)
        return field_stride(e, array, axis);
    if (array->op == OP_recast)
        return array->type->array.layout == LAYOUT_A
                   ? text_wide(e, array->operands[1 + array->type->array.rank + axis])
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

/* ---- indices --------------------------------------------------------------------------- */

/* An index along an axis, a negative one counted from the end. */
static Text index_along(Emitter *e, const IrValue *array, int axis, const IrValue *index)
{
    Text count;

    if (type_is_unsigned(index->type) || ir_nonnegative(index))
        return text_of_value(e, index, false);
    count = axis_extent(e, array, axis);
    if (index->op == OP_constant)
        return text_plus(e, count, text_of_value(e, index, false));
    return text_shaped(
        arena_printf(e->arena, "%s(%s, %s)",
                     prelude(e, index->type == type_int32 ? "wrap_int" : "wrap", NULL),
                     value_text(e, index, PREC_ARGUMENT), text_at(e, count, PREC_ARGUMENT)),
        PREC_POSTFIX, index_shape(e, index));
}

/* From indices of a view to those of the array it looks into. */
static void through_view(Emitter *e, const IrValue *view, const Text *inner, Text *outer)
{
    const IrValue *array = view->operands[0];
    IrValue *const *operand = view->operands + 1;
    int from = 0, to = 0;

    for (const char *axis = view->axes; *axis; axis++) {
        switch (*axis) {
        case 'n':
            to++;
            break;
        case 'i':
            outer[from] = index_along(e, array, from, operand[0]);
            from++;
            operand++;
            break;
        default:
            outer[from++] = text_plus(e, text_wide(e, operand[0]),
                                      text_times(e, inner[to++], text_wide(e, operand[2])));
            operand += 3;
            break;
        }
    }
    while (from < array->type->array.rank)
        outer[from++] = inner[to++];
}

/* The array behind all views, with the indices made its own. */
static const IrValue *base_of(Emitter *e, const IrValue *array, Text *indices)
{
    Text outer[AXES_MAX];

    array = array_uncast(array);
    while (array->op == OP_view || array->op == OP_transpose) {
        int rank = array->operands[0]->type->array.rank;
        if (array->op == OP_view)
            through_view(e, array, indices, outer);
        else
            for (int i = 0; i < rank; i++)
                outer[i] = indices[rank - 1 - i];
        memcpy(indices, outer, sizeof *indices * (size_t)rank);
        array = array_uncast(array->operands[0]);
    }
    return array;
}

/* ---- elements -------------------------------------------------------------------------- */

static Text data_of(Emitter *e, const IrValue *array);

/* The memory of another array, read as elements of this one's type. */
static Text recast_data(Emitter *e, const IrValue *array)
{
    const char *element = type_text(e, array->type->array.element);
    Text data = data_of(e, array->operands[0]);

    if (array->index == 0 &&
        array->type->array.element == array->operands[0]->type->array.element &&
        array_uncast(array->operands[0])->op == OP_var)
        return data;
    if (array->index == 0)
        return text_written(
            arena_printf(e->arena, "(%s *)%s", element, text_at(e, data, PREC_UNARY)), PREC_UNARY);
    return text_written(arena_printf(e->arena, "(%s *)((char *)%s + %d)", element,
                                     text_at(e, data, PREC_UNARY), array->index),
                        PREC_UNARY);
}

/* The pointer to a base array's first element. */
static Text base_data(Emitter *e, const IrValue *array)
{
    int rank = array->type->array.rank;
    Buf out;

    if (array->op == OP_recast)
        return recast_data(e, array);
    switch (array_form(e, array)) {
    case FORM_PARTS:
        return text_written(array_parts(e, array), PREC_POSTFIX);
    case FORM_STRUCT:
        return text_written(arena_printf(e->arena, "%s.data", value_text(e, array, PREC_POSTFIX)),
                            PREC_POSTFIX);
    case FORM_FIXED:
        break;
    }
    bool constant = array->var->kind == VAR_CONSTANT; /* const, which no other array is */
    if ((rank == 1 || e->dialect == DIALECT_CHECK) && !constant) /* checked ones have one axis */
        return text_written(var_text(e, array->var), PREC_POSTFIX);
    buf_init(&out, e->arena);
    if (constant)
        buf_printf(&out, "(%s *)", type_text(e, array->type->array.element));
    buf_printf(&out, "&%s", var_text(e, array->var));
    for (int i = 0; i < rank; i++)
        buf_puts(&out, "[0]");
    return text_written(buf_text(&out), PREC_UNARY);
}

const char *emit_base_text(Emitter *e, const IrValue *array)
{
    return text_at(e, base_data(e, array), PREC_UNARY);
}

static Text fixed_element(Emitter *e, const IrValue *array, const Text *indices)
{
    Buf out;

    buf_init(&out, e->arena);
    buf_puts(&out, var_text(e, array->var));
    for (int i = 0; i < array->type->array.rank; i++)
        buf_printf(&out, "[%s]", text_at(e, text_index(e, indices[i]), PREC_ARGUMENT));
    return text_written(buf_text(&out), PREC_POSTFIX);
}

/* `((i * n1 + j) * n2 + k)`: how many elements lie before one of a dense array. */
static Text dense_offset(Emitter *e, const IrValue *array, const Text *indices)
{
    int rank = array->type->array.rank;
    bool columns = array->type->array.layout == LAYOUT_F;
    Text offset = text_number(0);

    for (int i = 0; i < rank; i++) {
        int axis = columns ? rank - 1 - i : i;
        offset = text_plus(e, text_times(e, offset, axis_extent(e, array, axis)), indices[axis]);
    }
    return offset;
}

/* Whether an array is one that a kernel is given, or part of it. */
static bool is_given(const Emitter *e, const IrValue *array)
{
    while (array->op != OP_var && array->count)
        array = array->operands[0];
    return array->op == OP_var && array->var->kind == VAR_PARAM && e->fn->kernel;
}

/* A pointer to elements that may lie anywhere, as one to structs that hold one each. Where a
** function's own arrays lie the compiler is not to know: unit.c. */
static Text unaligned_data(Emitter *e, const IrValue *array, const char *data)
{
    if (e->dialect == DIALECT_CUDA && !is_given(e, array))
        data = arena_printf(e->arena, "%s((void *)%s)", prelude(e, "hidden_address", NULL), data);
    return text_written(
        arena_printf(e->arena, "(%s *)%s", unaligned_name(e, array->type->array.element), data),
        PREC_UNARY);
}

/* The address of an element, by a call of the prelude or by hand. */
static Text strided_address(Emitter *e, const IrValue *array, const Text *indices)
{
    const Type *element = array->type->array.element;
    Text offset = text_number(0);

    for (int i = 0; i < array->type->array.rank; i++)
        offset = text_plus(e, offset, text_times(e, indices[i], axis_stride(e, array, i)));
    offset = text_index(e, offset);
    if (!type_is_scalar(element))
        return text_written(arena_printf(e->arena, "(%s *)((char *)%s + %s)", type_text(e, element),
                                         text_at(e, base_data(e, array), PREC_UNARY),
                                         text_at(e, offset, PREC_ADD)),
                            PREC_UNARY);
    return text_written(arena_printf(e->arena, "%s(%s, %s)", prelude(e, "element", element),
                                     text_at(e, base_data(e, array), PREC_ARGUMENT),
                                     text_at(e, offset, PREC_ARGUMENT)),
                        PREC_POSTFIX);
}

static Lvalue base_element(Emitter *e, const IrValue *array, const Text *indices);

/* What lies in a record or struct: `a[i].x`, `r->x`. */
static Text member_of(Emitter *e, Lvalue record, const char *member)
{
    return text_written(arena_printf(e->arena, "%s%s%s", text_at(e, record.text, PREC_POSTFIX),
                                     record.pointed ? "->" : ".", member),
                        PREC_POSTFIX);
}

/* The element of a field's view: a member of a record, `a[i].x`, `r->x[k]`. */
static Text field_element(Emitter *e, const IrValue *view, const Text *indices)
{
    Text outer[AXES_MAX];
    int axes;
    const RecordField *field = view_field(view, &axes);
    const char *member = member_name(e, view->operands[0]->type->array.element, view->index);
    Buf out;

    memcpy(outer, indices, sizeof *outer * (size_t)axes);
    const IrValue *array = base_of(e, view->operands[0], outer);
    buf_init(&out, e->arena);
    buf_puts(&out, member_of(e, base_element(e, array, outer), member).text);
    for (int i = 0; i < field->rank; i++)
        buf_printf(&out, "[%s]", text_at(e, text_index(e, indices[axes + i]), PREC_ARGUMENT));
    return text_written(buf_text(&out), PREC_POSTFIX);
}

/* Element `offset` behind a pointer. */
static Text indexed(Emitter *e, Text data, Text offset)
{
    return text_written(arena_printf(e->arena, "%s[%s]", text_at(e, data, PREC_POSTFIX),
                                     text_at(e, text_index(e, offset), PREC_ARGUMENT)),
                        PREC_POSTFIX);
}

/* An element that its type's alignment says nothing of. */
static Text unaligned_element(Emitter *e, const IrValue *array, const Text *indices)
{
    bool strided = array->type->array.layout == LAYOUT_A && array->type->array.rank > 0;
    Text address = strided ? strided_address(e, array, indices) : base_data(e, array);
    Text data = unaligned_data(e, array, text_at(e, address, PREC_UNARY));

    if (strided || array->type->array.rank == 0)
        return member_of(e, (Lvalue){ data, true }, "value");
    return member_of(e, (Lvalue){ indexed(e, data, dense_offset(e, array, indices)), false },
                     "value");
}

/* An element of a base array. */
static Lvalue base_element(Emitter *e, const IrValue *array, const Text *indices)
{
    if (array->op == OP_field)
        return (Lvalue){ field_element(e, array, indices), false };
    if (array_form(e, array) == FORM_FIXED)
        return (Lvalue){ fixed_element(e, array, indices), false };
    if (array->type->array.unaligned)
        return (Lvalue){ unaligned_element(e, array, indices), false };
    if (array->type->array.rank == 0)
        return (Lvalue){ base_data(e, array), true };
    if (array->type->array.layout == LAYOUT_A)
        return (Lvalue){ strided_address(e, array, indices), true };
    return (Lvalue){ indexed(e, base_data(e, array), dense_offset(e, array, indices)), false };
}

static Text address_of(Emitter *e, Lvalue lvalue)
{
    if (lvalue.pointed)
        return lvalue.text;
    return text_written(arena_printf(e->arena, "&%s", text_at(e, lvalue.text, PREC_UNARY)),
                        PREC_UNARY);
}

static Lvalue element_at(Emitter *e, const IrValue *array, IrValue *const *indices, int count)
{
    Text texts[AXES_MAX];

    for (int i = 0; i < array->type->array.rank; i++)
        texts[i] = i < count ? index_along(e, array, i, indices[i]) : text_number(0);
    array = base_of(e, array, texts);
    return base_element(e, array, texts);
}

const char *element_text(Emitter *e, const IrValue *array, IrValue *const *indices, int count,
                         Prec prec)
{
    Lvalue lvalue = element_at(e, array, indices, count);

    if (!lvalue.pointed)
        return text_at(e, lvalue.text, prec);
    return parenthesize(e, arena_printf(e->arena, "*%s", text_at(e, lvalue.text, PREC_UNARY)),
                        PREC_UNARY, prec);
}

const char *element_address_text(Emitter *e, const IrValue *array, IrValue *const *indices,
                                 int count, Prec prec)
{
    return text_at(e, address_of(e, element_at(e, array, indices, count)), prec);
}

bool emit_extent_is_int(Emitter *e, const IrValue *array, int axis)
{
    return emit_extents_are_int(e) && axis_extent(e, array, axis).narrow;
}

const char *extent_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return text_at(e, axis_extent(e, array, axis), prec);
}

const char *stride_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return text_at(e, axis_stride(e, array, axis), prec);
}

/* ---- arrays as values ------------------------------------------------------------------ */

static Text data_of(Emitter *e, const IrValue *array)
{
    Text texts[AXES_MAX];
    bool first = true;

    if (e->dialect == DIALECT_CHECK)
        return text_written(check_data_text(e, array), PREC_ADD);
    for (int i = 0; i < array->type->array.rank; i++)
        texts[i] = text_number(0);
    array = base_of(e, array, texts);
    for (int i = 0; i < array->type->array.rank; i++)
        first = first && text_is(texts[i], 0);
    if (first && array->op != OP_field)
        return base_data(e, array);
    return address_of(e, base_element(e, array, texts));
}

const char *data_text(Emitter *e, const IrValue *array, Prec prec)
{
    return text_at(e, data_of(e, array), prec);
}

const char *array_text(Emitter *e, const IrValue *array, Prec prec)
{
    IrOp op = array_uncast(array)->op;
    bool view = op == OP_view || op == OP_transpose || op == OP_recast || op == OP_field;
    int rank = array->type->array.rank;
    Buf out;

    array = array_uncast(array);
    if (!view && array_form(e, array) == FORM_STRUCT)
        return array->op == OP_var ? var_text(e, array->var) : value_text(e, array, prec);
    buf_init(&out, e->arena);
    buf_printf(&out, "%s(%s", make_name(e, array->type), data_text(e, array, PREC_ARGUMENT));
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", text_at(e, axis_extent(e, array, i), PREC_ARGUMENT));
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", text_at(e, axis_stride(e, array, i), PREC_ARGUMENT));
    buf_putc(&out, ')');
    return buf_text(&out);
}

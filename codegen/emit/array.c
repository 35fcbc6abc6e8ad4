/* Arrays: where their elements lie.
**
** Views cost nothing where they are read at once: an element of a view is an element of the array
** that it looks into, `x[i][j]` is `x[i * x_1 + j]`. Only where a view is kept, passed or chosen
** does it become a struct. */
#include "codegen/emit/expr.h"
#include "codegen/emit/text.h"

/* Where an element lies: `text` is the element, or the pointer to it. */
typedef struct Lvalue {
    Text text;
    bool pointed;
} Lvalue;

/* One more than RANK_MAX: views with new axes in between may go beyond. */
enum { AXES_MAX = 4 * RANK_MAX };

/* ---- indices --------------------------------------------------------------------------- */

/* An index or what a slice begins with; to be hidden where gcc would gather by a mask. */
static Text index_of(Emitter *e, const IrValue *index, bool exact)
{
    Text text = text_of_value(e, index, exact);

    text.hides = index_decides(e, index);
    if (!text.hides || !is_fitting(index))
        return text;
    text.value = NULL;
    text.text = arena_printf(e->arena, "(long long)%s", fitting_text(e, index, true, PREC_UNARY));
    text.prec = PREC_UNARY;
    return text;
}

/* An index along an axis, a negative one counted from the end. */
static Text index_along(Emitter *e, const IrValue *array, int axis, const IrValue *index)
{
    if (type_is_unsigned(index->type) || ir_nonnegative(index))
        return index_of(e, index, false);
    Text count = axis_extent(e, array, axis);
    if (index->op == OP_constant)
        return text_plus(e, count, text_of_value(e, index, false));
    bool narrow = index->type == type_int32;
    const char *wrap = e->by_branch ? prelude(e, "wrap_seldom", narrow ? type_int32 : type_int64)
                                    : prelude(e, narrow ? "wrap_int" : "wrap", NULL);
    Text along = index_of(e, index, false);
    Text wrapped =
        text_shaped(arena_printf(e->arena, "%s(%s, %s)", wrap, text_at(e, along, PREC_ARGUMENT),
                                 text_at(e, count, PREC_ARGUMENT)),
                    PREC_POSTFIX, index_shape(e, index));
    wrapped.hides = along.hides;
    return wrapped;
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
            outer[from++] = text_plus(e, index_of(e, operand[0], operand[0]->op != OP_constant),
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
    Buf out = buf_in(e->arena);
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
    Buf out = buf_in(e->arena);
    buf_puts(&out, var_text(e, array->var));
    for (int i = 0; i < array->type->array.rank; i++)
        buf_printf(&out, "[%s]", text_at(e, text_index(e, array, indices[i]), PREC_ARGUMENT));
    return text_written(buf_text(&out), PREC_POSTFIX);
}

/* `((i * n1 + j) * n2 + k)`: how many elements lie before one of a dense array. Which row it is in
** is hidden by itself, for loops along rows to go along memory all the same. */
static Text dense_offset(Emitter *e, const IrValue *array, const Text *indices)
{
    int rank = array->type->array.rank;
    bool columns = array->type->array.layout == LAYOUT_F;
    Text offset = text_number(0);

    for (int i = 0; i < rank; i++) {
        Text index = indices[columns ? rank - 1 - i : i];
        if (index.hides && i < rank - 1) {
            index = text_hidden(e, index);
            index.hides = false;
        }
        offset = text_plus(
            e, text_times(e, offset, axis_extent(e, array, columns ? rank - 1 - i : i)), index);
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
** function's own arrays lie the compiler is not to know: fixed.c. */
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
    offset = text_index(e, array, offset);
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

    memcpy(outer, indices, sizeof *outer * (size_t)axes);
    const IrValue *array = base_of(e, view->operands[0], outer);
    Buf out = buf_in(e->arena);
    buf_puts(&out, member_of(e, base_element(e, array, outer), member).text);
    for (int i = 0; i < field->rank; i++)
        buf_printf(&out, "[%s]", text_at(e, text_index(e, view, indices[axes + i]), PREC_ARGUMENT));
    return text_written(buf_text(&out), PREC_POSTFIX);
}

/* Element `offset` behind a pointer. */
static Text indexed(Emitter *e, const IrValue *array, Text data, Text offset)
{
    return text_written(arena_printf(e->arena, "%s[%s]", text_at(e, data, PREC_POSTFIX),
                                     text_at(e, text_index(e, array, offset), PREC_ARGUMENT)),
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
    return member_of(e, (Lvalue){ indexed(e, array, data, dense_offset(e, array, indices)), false },
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
    return (Lvalue){ indexed(e, array, base_data(e, array), dense_offset(e, array, indices)),
                     false };
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

    array = array_uncast(array);
    if (!view && array_form(e, array) == FORM_STRUCT)
        return array->op == OP_var ? var_text(e, array->var) : value_text(e, array, prec);
    Buf out = buf_in(e->arena);
    buf_printf(&out, "%s(%s", make_name(e, array->type), data_text(e, array, PREC_ARGUMENT));
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", text_at(e, axis_extent(e, array, i), PREC_ARGUMENT));
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", text_at(e, axis_stride(e, array, i), PREC_ARGUMENT));
    buf_putc(&out, ')');
    return buf_text(&out);
}

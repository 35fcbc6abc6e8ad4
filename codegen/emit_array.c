/* Arrays: elements, extents, strides, addresses.
**
** Views cost nothing where they are read at once: an element of a view is an element of the array
** that it looks into, `x[i][j]` is `x[i * x_1 + j]`. Only where a view is kept, passed or chosen
** does it become a struct. */
#include "codegen/emit.h"

#include <stdlib.h>
#include <string.h>

/* A piece of C text and how tightly it binds. */
typedef struct Text {
    const char *text;
    Prec prec;
} Text;

/* One more than RANK_MAX: views with new axes in between may go beyond. */
enum { AXES_MAX = 4 * RANK_MAX };

static const Text zero = { "0", PREC_POSTFIX }, one = { "1", PREC_POSTFIX };

static const char *at(Emitter *e, Text text, Prec prec)
{
    return parenthesize(e, text.text, text.prec, prec);
}

static bool is(Text text, const char *what)
{
    return !strcmp(text.text, what);
}

static Text plus(Emitter *e, Text a, Text b)
{
    if (is(a, "0"))
        return b;
    if (is(b, "0"))
        return a;
    return (Text){ arena_printf(e->arena, "%s + %s", at(e, a, PREC_ADD),
                                at(e, b, *b.text == '-' ? PREC_POSTFIX : PREC_ADD)),
                   PREC_ADD };
}

static Text number(Emitter *e, int64_t value)
{
    return (Text){ arena_printf(e->arena, "%lld", (long long)value), PREC_POSTFIX };
}

/* Whether a text is a number so small that a product of two is one of 64 bits. */
static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits < 10 && !text[digits];
}

static Text times(Emitter *e, Text a, Text b)
{
    if (is(a, "0") || is(b, "1"))
        return a;
    if (is(b, "0") || is(a, "1"))
        return b;
    if (is_number(a.text) && is_number(b.text))
        return number(e, strtoll(a.text, NULL, 10) * strtoll(b.text, NULL, 10));
    return (Text){ arena_printf(e->arena, "%s * %s", at(e, a, PREC_MULTIPLY), at(e, b, PREC_UNARY)),
                   PREC_MULTIPLY };
}

/* How tightly a text of the emitter's own binds: its operators stand between blanks. */
static Text measured(const char *text)
{
    Prec prec = strchr("-!~(*&", *text) ? PREC_UNARY : PREC_POSTFIX;
    int depth = 0;

    for (const char *p = text; *p; p++) {
        depth += *p == '(' || *p == '[' ? 1 : *p == ')' || *p == ']' ? -1 : 0;
        if (depth || p[0] != ' ')
            continue;
        if ((p[1] == '+' || p[1] == '-') && p[2] == ' ')
            prec = prec < PREC_ADD ? prec : PREC_ADD;
        else if (strchr("*/%", p[1]) && p[2] == ' ')
            prec = prec < PREC_MULTIPLY ? prec : PREC_MULTIPLY;
        else if (strchr("?:<>=&|^!", p[1]))
            prec = PREC_ARGUMENT;
    }
    return (Text){ text, prec };
}

/* An integer value of 64 bits, or a constant, which goes beside anything. */
static Text wide(Emitter *e, const IrValue *value)
{
    return measured(value->op == OP_constant ? value_text(e, value, PREC_ARGUMENT)
                                             : value_exact(e, value, PREC_ARGUMENT));
}

/* ---- what an array is ------------------------------------------------------------------ */

static const VarInfo *info_of(Emitter *e, const IrValue *array)
{
    return array->op == OP_var ? &e->vars[array->var->id] : NULL;
}

/* How a base array, no view, is written. */
static ArrayForm form_of(Emitter *e, const IrValue *array)
{
    const VarInfo *info = info_of(e, array);

    return info ? info->form : FORM_STRUCT;
}

static const char *parts_of(Emitter *e, const IrValue *array)
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

/* What axis `axis` of a view is: sets `*source` to the axis it looks along, -1 for a new one;
** gives the first operand of a slice, or NULL where the axis is whole. */
static IrValue *const *view_axis(const IrValue *view, int axis, int *source)
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
static const IrValue *uncast(const IrValue *array)
{
    while (array->op == OP_cast)
        array = array->operands[0];
    return array;
}

static Text extent(Emitter *e, const IrValue *array, int axis);

/* The field that a view of one looks at, and the number of axes before the field's own. */
static const RecordField *field_of(const IrValue *view, int *outer)
{
    const Type *records = view->operands[0]->type;

    *outer = records->array.rank;
    return &records->array.element->record.fields[view->index];
}

static Text field_extent(Emitter *e, const IrValue *view, int axis)
{
    int outer;
    const RecordField *field = field_of(view, &outer);

    return axis < outer ? extent(e, view->operands[0], axis)
                        : number(e, field->shape[axis - outer]);
}

static Text extent(Emitter *e, const IrValue *array, int axis)
{
    IrValue *const *slice;
    int source;

    array = uncast(array);
    if (array->op == OP_transpose)
        return extent(e, array->operands[0], array->type->array.rank - 1 - axis);
    if (array->op == OP_view) {
        slice = view_axis(array, axis, &source);
        if (slice)
            return wide(e, slice[1]);
        return source < 0 ? one : extent(e, array->operands[0], source);
    }
    if (array->op == OP_field)
        return field_extent(e, array, axis);
    if (array->op == OP_recast)
        return wide(e, array->operands[1 + axis]);
    switch (form_of(e, array)) {
    case FORM_FIXED:
        return number(e, array->var->shape[axis]);
    case FORM_PARTS:
        return (Text){ arena_printf(e->arena, "%s_%d", parts_of(e, array), axis), PREC_POSTFIX };
    case FORM_STRUCT:
        break;
    }
    return (Text){ arena_printf(e->arena, "%s.shape[%d]", value_text(e, array, PREC_POSTFIX), axis),
                   PREC_POSTFIX };
}

/* The stride of a dense array: what lies inside the axis. */
static Text dense_stride(Emitter *e, const IrValue *array, int axis)
{
    const Type *type = array->type;
    Text stride = number(e, (int64_t)type_size(type->array.element));

    if (type->array.layout == LAYOUT_F)
        for (int i = axis - 1; i >= 0; i--)
            stride = times(e, extent(e, array, i), stride);
    else
        for (int i = type->array.rank - 1; i > axis; i--)
            stride = times(e, extent(e, array, i), stride);
    return stride;
}

static Text stride(Emitter *e, const IrValue *array, int axis);

static Text field_stride(Emitter *e, const IrValue *view, int axis)
{
    int outer;
    const RecordField *field = field_of(view, &outer);
    int64_t bytes = (int64_t)type_size(field->type);

    if (axis < outer)
        return stride(e, view->operands[0], axis);
    for (int i = field->rank - 1; i > axis - outer; i--)
        bytes *= field->shape[i];
    return number(e, bytes);
}

/* Bytes from one element of an axis to the next. */
static Text stride(Emitter *e, const IrValue *array, int axis)
{
    IrValue *const *slice;
    Text along;
    int source;

    array = uncast(array);
    if (array->op == OP_transpose)
        return stride(e, array->operands[0], array->type->array.rank - 1 - axis);
    if (array->op == OP_view) {
        slice = view_axis(array, axis, &source);
        if (source < 0)
            return zero;
        along = stride(e, array->operands[0], source);
        return slice ? times(e, along, wide(e, slice[2])) : along;
    }
    if (array->op == OP_field)
        return field_stride(e, array, axis);
    if (array->op == OP_recast)
        return array->type->array.layout == LAYOUT_A
                   ? wide(e, array->operands[1 + array->type->array.rank + axis])
                   : dense_stride(e, array, axis);
    if (form_of(e, array) == FORM_STRUCT)
        return (Text){ arena_printf(e->arena, "%s.strides[%d]", value_text(e, array, PREC_POSTFIX),
                                    axis),
                       PREC_POSTFIX };
    if (form_of(e, array) == FORM_PARTS && array->type->array.layout == LAYOUT_A)
        return (Text){ arena_printf(e->arena, "%s_s%d", parts_of(e, array), axis), PREC_POSTFIX };
    return dense_stride(e, array, axis);
}

/* ---- indices --------------------------------------------------------------------------- */

/* An index along an axis, a negative one counted from the end. */
static Text index_along(Emitter *e, const IrValue *array, int axis, const IrValue *index)
{
    Text count;

    if (type_is_unsigned(index->type) || ir_nonnegative(index))
        return measured(value_text(e, index, PREC_ARGUMENT));
    count = extent(e, array, axis);
    if (index->op == OP_constant)
        return (Text){ arena_printf(e->arena, "%s - %lld", at(e, count, PREC_ADD),
                                    (long long)-(uint64_t)index->constant.integer),
                       PREC_ADD };
    return (Text){ arena_printf(e->arena, "%s(%s, %s)", prelude(e, "wrap", NULL),
                                value_text(e, index, PREC_ARGUMENT), at(e, count, PREC_ARGUMENT)),
                   PREC_POSTFIX };
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
            outer[from++] =
                plus(e, wide(e, operand[0]), times(e, inner[to++], wide(e, operand[2])));
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

    array = uncast(array);
    while (array->op == OP_view || array->op == OP_transpose) {
        int rank = array->operands[0]->type->array.rank;
        if (array->op == OP_view)
            through_view(e, array, indices, outer);
        else
            for (int i = 0; i < rank; i++)
                outer[i] = indices[rank - 1 - i];
        memcpy(indices, outer, sizeof *indices * (size_t)rank);
        array = uncast(array->operands[0]);
    }
    return array;
}

/* ---- elements -------------------------------------------------------------------------- */

/* The memory of another array, read as elements of this one's type. */
static Text recast_data(Emitter *e, const IrValue *array)
{
    const char *element = type_text(e, array->type->array.element);
    const char *data = data_text(e, array->operands[0], PREC_UNARY);

    if (array->index == 0 &&
        array->type->array.element == array->operands[0]->type->array.element &&
        uncast(array->operands[0])->op == OP_var)
        return measured(data);
    if (array->index == 0)
        return (Text){ arena_printf(e->arena, "(%s *)%s", element, data), PREC_UNARY };
    return (Text){ arena_printf(e->arena, "(%s *)((char *)%s + %d)", element, data, array->index),
                   PREC_UNARY };
}

/* The pointer to a base array's first element. */
static Text base_data(Emitter *e, const IrValue *array)
{
    int rank = array->type->array.rank;
    Buf out;

    if (array->op == OP_recast)
        return recast_data(e, array);
    switch (form_of(e, array)) {
    case FORM_PARTS:
        return (Text){ parts_of(e, array), PREC_POSTFIX };
    case FORM_STRUCT:
        return (Text){ arena_printf(e->arena, "%s.data", value_text(e, array, PREC_POSTFIX)),
                       PREC_POSTFIX };
    case FORM_FIXED:
        break;
    }
    bool constant = array->var->kind == VAR_CONSTANT; /* const, which no other array is */
    if (rank == 1 && !constant)
        return (Text){ var_text(e, array->var), PREC_POSTFIX };
    buf_init(&out, e->arena);
    if (constant)
        buf_printf(&out, "(%s *)", type_text(e, array->type->array.element));
    buf_printf(&out, "&%s", var_text(e, array->var));
    for (int i = 0; i < rank; i++)
        buf_puts(&out, "[0]");
    return (Text){ buf_text(&out), PREC_UNARY };
}

static Text fixed_element(Emitter *e, const IrValue *array, const Text *indices)
{
    Buf out;

    buf_init(&out, e->arena);
    buf_puts(&out, var_text(e, array->var));
    for (int i = 0; i < array->type->array.rank; i++)
        buf_printf(&out, "[%s]", indices[i].text);
    return (Text){ buf_text(&out), PREC_POSTFIX };
}

/* `((i * n1 + j) * n2 + k)`: how many elements lie before one of a dense array. */
static Text dense_offset(Emitter *e, const IrValue *array, const Text *indices)
{
    int rank = array->type->array.rank;
    bool columns = array->type->array.layout == LAYOUT_F;
    Text offset = zero;

    for (int i = 0; i < rank; i++) {
        int axis = columns ? rank - 1 - i : i;
        offset = plus(e, times(e, offset, extent(e, array, axis)), indices[axis]);
    }
    return offset;
}

/* A pointer to elements that may lie anywhere, as one to structs that hold one each. */
static Text unaligned_data(Emitter *e, const IrValue *array, const char *data)
{
    return (Text){ arena_printf(e->arena, "(%s *)%s", unaligned_name(e, array->type->array.element),
                                data),
                   PREC_UNARY };
}

/* The address of an element, by a call of the prelude or by hand. */
static Text strided_address(Emitter *e, const IrValue *array, const Text *indices)
{
    const Type *element = array->type->array.element;
    Text offset = zero;

    for (int i = 0; i < array->type->array.rank; i++)
        offset = plus(e, offset, times(e, indices[i], stride(e, array, i)));
    if (!type_is_scalar(element))
        return (Text){ arena_printf(e->arena, "(%s *)((char *)%s + %s)", type_text(e, element),
                                    at(e, base_data(e, array), PREC_UNARY),
                                    at(e, offset, PREC_ADD)),
                       PREC_UNARY };
    return (Text){ arena_printf(e->arena, "%s(%s, %s)", prelude(e, "element", element),
                                at(e, base_data(e, array), PREC_ARGUMENT), offset.text),
                   PREC_POSTFIX };
}

static Text base_element(Emitter *e, const IrValue *array, const Text *indices);

/* The element of a field's view: a member of a record, `a[i].x`, `r->x[k]`. */
static Text field_element(Emitter *e, const IrValue *view, const Text *indices)
{
    Text outer[AXES_MAX], record;
    int axes;
    const RecordField *field = field_of(view, &axes);
    const char *member = member_name(e, view->operands[0]->type->array.element, view->index);
    Buf out;

    memcpy(outer, indices, sizeof *outer * (size_t)axes);
    const IrValue *array = base_of(e, view->operands[0], outer);
    record = base_element(e, array, outer);
    buf_init(&out, e->arena);
    if (*record.text == '*' && record.prec == PREC_UNARY)
        buf_printf(&out, "%s->%s", at(e, measured(record.text + 1), PREC_POSTFIX), member);
    else
        buf_printf(&out, "%s.%s", at(e, record, PREC_POSTFIX), member);
    for (int i = 0; i < field->rank; i++)
        buf_printf(&out, "[%s]", indices[axes + i].text);
    return (Text){ buf_text(&out), PREC_POSTFIX };
}

/* An element that its type's alignment says nothing of. */
static Text unaligned_element(Emitter *e, const IrValue *array, const Text *indices)
{
    bool strided = array->type->array.layout == LAYOUT_A && array->type->array.rank > 0;
    Text address = strided ? strided_address(e, array, indices) : base_data(e, array);
    Text data = unaligned_data(e, array, at(e, address, PREC_UNARY));

    if (strided || array->type->array.rank == 0)
        return (Text){ arena_printf(e->arena, "(%s)->value", data.text), PREC_POSTFIX };
    return (Text){ arena_printf(e->arena, "(%s)[%s].value", data.text,
                                dense_offset(e, array, indices).text),
                   PREC_POSTFIX };
}

/* An element of a base array, as an lvalue. */
static Text base_element(Emitter *e, const IrValue *array, const Text *indices)
{
    Text data;

    if (array->op == OP_field)
        return field_element(e, array, indices);
    if (form_of(e, array) == FORM_FIXED)
        return fixed_element(e, array, indices);
    if (array->type->array.unaligned)
        return unaligned_element(e, array, indices);
    data = base_data(e, array);
    if (array->type->array.rank == 0)
        return (Text){ arena_printf(e->arena, "*%s", at(e, data, PREC_UNARY)), PREC_UNARY };
    if (array->type->array.layout == LAYOUT_A)
        return (Text){ arena_printf(e->arena, "*%s", strided_address(e, array, indices).text),
                       PREC_UNARY };
    return (Text){ arena_printf(e->arena, "%s[%s]", at(e, data, PREC_POSTFIX),
                                dense_offset(e, array, indices).text),
                   PREC_POSTFIX };
}

const char *element_text(Emitter *e, const IrValue *array, IrValue *const *indices, int count,
                         Prec prec)
{
    Text texts[AXES_MAX];

    for (int i = 0; i < array->type->array.rank; i++)
        texts[i] = i < count ? index_along(e, array, i, indices[i]) : zero;
    array = base_of(e, array, texts);
    return at(e, base_element(e, array, texts), prec);
}

const char *extent_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return at(e, extent(e, array, axis), prec);
}

const char *stride_text(Emitter *e, const IrValue *array, int axis, Prec prec)
{
    return at(e, stride(e, array, axis), prec);
}

/* ---- arrays as values ------------------------------------------------------------------ */

const char *data_text(Emitter *e, const IrValue *array, Prec prec)
{
    Text texts[AXES_MAX], element;
    bool first = true;

    for (int i = 0; i < array->type->array.rank; i++)
        texts[i] = zero;
    array = base_of(e, array, texts);
    for (int i = 0; i < array->type->array.rank; i++)
        first = first && is(texts[i], "0");
    if (first && array->op != OP_field)
        return at(e, base_data(e, array), prec);
    element = base_element(e, array, texts);
    if (*element.text == '*')
        return parenthesize(e, element.text + 1, PREC_POSTFIX, prec);
    return parenthesize(e, arena_printf(e->arena, "&%s", element.text), PREC_UNARY, prec);
}

const char *array_text(Emitter *e, const IrValue *array, Prec prec)
{
    IrOp op = uncast(array)->op;
    bool view = op == OP_view || op == OP_transpose || op == OP_recast || op == OP_field;
    int rank = array->type->array.rank;
    Buf out;

    array = uncast(array);
    if (!view && form_of(e, array) == FORM_STRUCT)
        return array->op == OP_var ? var_text(e, array->var) : value_text(e, array, prec);
    buf_init(&out, e->arena);
    buf_printf(&out, "%s(%s", make_name(e, array->type), data_text(e, array, PREC_ARGUMENT));
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", extent(e, array, i).text);
    for (int i = 0; i < rank; i++)
        buf_printf(&out, ", %s", stride(e, array, i).text);
    buf_putc(&out, ')');
    return buf_text(&out);
}

/* Texts of indices, extents and offsets: sums and products of them, as short as C can have them.
**
** What is known is computed here, so that no `* 1` and no `+ 0` is written. */
#include "codegen/emit/text.h"

Text text_written(const char *text, Prec prec)
{
    return (Text){ .text = text, .prec = prec };
}

Text text_shaped(const char *text, Prec prec, IndexShape shape)
{
    return (Text){ .text = text, .prec = prec, .shape = shape };
}

Text text_number(int64_t value)
{
    return (Text){ .known = true, .number = value, .shape = shape_of_number(value) };
}

Text text_of_value(const Emitter *e, const IrValue *value, bool exact)
{
    Text text = { .value = value, .exact = exact, .shape = index_shape(e, value) };

    text.known =
        value->op == OP_zero || (value->op == OP_constant &&
                                 !(type_is_unsigned(value->type) && value->constant.integer < 0));
    text.number = value->op == OP_constant ? value->constant.integer : 0;
    return text;
}

Text text_wide(const Emitter *e, const IrValue *value)
{
    return text_of_value(e, value, value->op != OP_constant);
}

const char *text_at(Emitter *e, Text text, Prec prec)
{
    if (text.value)
        return text.exact ? value_exact(e, text.value, prec) : value_text(e, text.value, prec);
    if (text.text)
        return parenthesize(e, text.text, text.prec, prec);
    return parenthesize(e, arena_printf(e->arena, "%lld", (long long)text.number),
                        text.number < 0 ? PREC_UNARY : PREC_POSTFIX, prec);
}

bool text_is(Text text, int64_t number)
{
    return text.known && text.number == number;
}

/* A text that is made of two others. */
static Text made_of(Text made, Text a, Text b)
{
    made.hides = a.hides || b.hides;
    return made;
}

Text text_plus(Emitter *e, Text a, Text b)
{
    int64_t sum;

    if (text_is(a, 0))
        return b;
    if (text_is(b, 0))
        return a;
    if (a.known && b.known && !__builtin_add_overflow(a.number, b.number, &sum) && sum > INT64_MIN)
        return text_number(sum);
    if (b.known && b.number < 0 && b.number > INT64_MIN)
        return made_of(text_shaped(arena_printf(e->arena, "%s - %lld", text_at(e, a, PREC_ADD),
                                                (long long)-b.number),
                                   PREC_ADD, a.shape),
                       a, b);
    return made_of(text_shaped(arena_printf(e->arena, "%s + %s", text_at(e, a, PREC_ADD),
                                            text_at(e, b, PREC_ADD)),
                               PREC_ADD, shape_plus(a.shape, b.shape)),
                   a, b);
}

/* A factor beside a number, which C might take for one of 32 bits. */
static Text factor(Text text, Text other)
{
    text.exact = text.exact || (text.value && !text.known && other.known);
    return text;
}

Text text_times(Emitter *e, Text a, Text b)
{
    int64_t product;

    if (text_is(a, 0) || text_is(b, 1))
        return a;
    if (text_is(b, 0) || text_is(a, 1))
        return b;
    if (a.known && b.known && !__builtin_mul_overflow(a.number, b.number, &product) &&
        product > INT64_MIN)
        return text_number(product);
    return made_of(
        text_shaped(arena_printf(e->arena, "%s * %s", text_at(e, factor(a, b), PREC_MULTIPLY),
                                 text_at(e, factor(b, a), PREC_UNARY)),
                    PREC_MULTIPLY,
                    a.known   ? shape_times_number(b.shape, a.number)
                    : b.known ? shape_times_number(a.shape, b.number)
                              : shape_times(a.shape, b.shape)),
        a, b);
}

Text text_hidden(Emitter *e, Text text)
{
    return text_shaped(arena_printf(e->arena, "%s(%s)", prelude(e, "hidden", type_int64),
                                    text_at(e, text, PREC_ARGUMENT)),
                       PREC_POSTFIX, INDEX_RISES);
}

Text text_index(Emitter *e, const IrValue *array, Text text)
{
    bool misleads = text.shape & INDEX_FALLS_FAST && index_matters(e, array);

    return text.hides || misleads ? text_hidden(e, text) : text;
}

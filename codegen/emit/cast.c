/* Casts of scalars. */
#include "codegen/emit/expr.h"

static const char *typed_call(Emitter *e, const char *name, const Type *type, const char *argument)
{
    return arena_printf(e->arena, "%s(%s)", prelude(e, name, type), argument);
}

const char *half_from(Emitter *e, const Type *half)
{
    return arena_printf(e->arena, "%s_from", type_suffix(half));
}

/* Rounds `text`, of float32, float64 or an integer type, to a half float. */
static const char *to_half(Emitter *e, const Type *to, const Type *from, const char *text,
                           Span span)
{
    const char *name = half_from(e, to);
    bool wide = from == type_float64 || (type_is_integer(from) && type_size(from) >= 4);

    /* what a double cannot hold: a bfloat16 would be rounded twice, a float16 is infinite */
    if (type_is_integer(from) && type_size(from) == 8 && to->kind == TY_BFLOAT16)
        return typed_call(e, name, from, text);
    return typed_call(e, name, wide ? type_float64 : type_float32,
                      check_narrowed(e, to, text, span));
}

static const char *to_complex(Emitter *e, const Type *to, const IrValue *from)
{
    if (type_is_complex(from->type))
        return typed_call(e, arena_printf(e->arena, "%s_from", type_suffix(to)), from->type,
                          value_text(e, from, PREC_ARGUMENT));
    return arena_printf(e->arena, "%s(%s, 0)", prelude(e, "make_complex", to),
                        cast_text(e, type_complex_part(to), from, PREC_ARGUMENT));
}

static const char *to_bool(Emitter *e, const IrValue *from, Prec prec)
{
    const char *text;

    if (type_is_complex(from->type))
        return typed_call(e, "complex_true", from->type, value_text(e, from, PREC_ARGUMENT));
    if (type_is_half(from->type))
        text = typed_call(e, "f32_from", from->type, value_text(e, from, PREC_ARGUMENT));
    else
        text = value_text(e, from, PREC_EQUALITY);
    return parenthesize(e, arena_printf(e->arena, "%s != 0", text), PREC_EQUALITY, prec);
}

/* A float as an integer. */
static const char *integer_call(Emitter *e, const Type *to, const Type *from, const char *text,
                                Span span, bool clamps)
{
    if (e->dialect == DIALECT_CHECK && !clamps)
        text = check_cast_argument(e, to, text, span);
    return typed_call(e, arena_printf(e->arena, "%s_from", type_suffix(to)), from, text);
}

/* The int32 below or above a float, in one conversion: a GPU has few units for these, and a
** compiler that finds floor() in both arms of a branch computes it in front of that. NULL: it is
** neither. */
static const char *beside_call(Emitter *e, const Type *to, const IrValue *from)
{
    bool floors = ir_is_intrinsic(from, INTR_floor), ceils = ir_is_intrinsic(from, INTR_ceil);
    if (e->dialect != DIALECT_CUDA || to != type_int32 || (!floors && !ceils) ||
        (from->type != type_float32 && from->type != type_float64))
        return NULL;
    return typed_call(e, floors ? "i32_floor" : "i32_ceil", from->type,
                      value_text(e, from->operands[0], PREC_ARGUMENT));
}

bool result_is_cut(const Emitter *e, const Type *type)
{
    return e->dialect == DIALECT_CUDA && type_is_integer(type) &&
           (type_size(type) == 2 || (type_size(type) == 1 && type_is_signed(type)));
}

static const char *convert(Emitter *e, const Type *to, const IrValue *from, bool clamps, Prec prec)
{
    const Type *type = from->type;
    const char *text = beside_call(e, to, from);

    if (text)
        return text;
    if (to == type)
        return value_exact(e, from, prec);
    if (type_is_complex(to))
        return to_complex(e, to, from);
    if (to == type_bool)
        return to_bool(e, from, prec);
    if (type_is_half(to) && !type_is_half(type))
        return to_half(e, to, type, value_text(e, from, PREC_ARGUMENT), from->span);
    if (type_is_half(type)) {
        text = typed_call(e, "f32_from", type, value_text(e, from, PREC_ARGUMENT));
        if (to == type_float32)
            return text;
        if (type_is_half(to))
            return to_half(e, to, type_float32, text, from->span);
        if (type_is_integer(to))
            return integer_call(e, to, type_float32, text, from->span, clamps);
        return parenthesize(e, arena_printf(e->arena, "(%s)%s", type_text(e, to), text), PREC_UNARY,
                            prec);
    }
    if (type_is_integer(to) && type_is_float(type))
        return integer_call(e, to, type, value_exact(e, from, PREC_ARGUMENT), from->span, clamps);
    if (result_is_cut(e, to) && type_size(type) > 2 && from->op != OP_constant)
        return typed_call(e, "cut", to, value_text(e, from, PREC_ARGUMENT));
    text = value_text(e, from, PREC_UNARY);
    if (type_size(type) == 8 && type_is_integer(to) && type_size(to) == 4 &&
        may_be_negated(e, from))
        text = typed_call(e, "hidden", type_int64, value_text(e, from, PREC_ARGUMENT));
    if (rounds_hidden(e, type, to) && from->op != OP_constant)
        text =
            arena_printf(e->arena, "(%s)%s", type_text(e, type),
                         typed_call(e, "hidden", type_int64, value_text(e, from, PREC_ARGUMENT)));
    if (type == type_float64 && to == type_float32)
        text = check_narrowed(e, to, text, from->span);
    return parenthesize(e, arena_printf(e->arena, "(%s)%s", type_text(e, to), text), PREC_UNARY,
                        prec);
}

const char *cast_text(Emitter *e, const Type *to, const IrValue *from, Prec prec)
{
    return convert(e, to, from, false, prec);
}

bool is_fitting(const IrValue *value)
{
    return value->op == OP_cast && value->index == CAST_FITS &&
           !type_is_integer(value->operands[0]->type);
}

const char *fitting_text(Emitter *e, const IrValue *value, bool hidden, Prec prec)
{
    const IrValue *from = value->operands[0];
    const Type *type = type_is_half(from->type) ? type_float32 : from->type;
    bool plain = hidden || e->dialect == DIALECT_CUDA;
    const char *text = beside_call(e, value->type, from);
    if (text)
        return text;
    text = type_is_half(from->type) ? widened_text(e, from)
                                    : value_text(e, from, plain ? PREC_UNARY : PREC_ARGUMENT);

    if (!plain)
        return arena_printf(e->arena, "%s(%s)", prelude(e, "i32_fitting", type), text);
    return parenthesize(e, arena_printf(e->arena, "(%s)%s", type_text(e, value->type), text),
                        PREC_UNARY, prec);
}

const char *conversion_text(Emitter *e, const IrValue *value, Prec prec)
{
    if (e->dialect == DIALECT_CHECK && check_narrows_index(e, value))
        return check_index_cast(e, value);
    if (value->index == CAST_CLAMPS)
        return convert(e, value->type, value->operands[0], true, prec);
    return cast_text(e, value->type, value->operands[0], prec);
}

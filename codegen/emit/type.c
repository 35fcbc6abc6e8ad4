/* Types as C spells them, declarations of variables, and constants. */
#include "codegen/emit/emit.h"

#include <math.h>

/* Of each scalar type: its name in C, and what typed names end in. A type with a `piece` is
** defined by the prelude under that name. */
static const struct {
    const char *text, *suffix;
    bool piece;
} scalars[TY_KINDS] = {
    [TY_NONE] = { "void", "none", false },
    [TY_BOOL] = { "bool", "bool", false },
    [TY_INT8] = { "signed char", "i8", false },
    [TY_INT16] = { "short", "i16", false },
    [TY_INT32] = { "int", "i32", false },
    [TY_INT64] = { "long long", "i64", false },
    [TY_UINT8] = { "unsigned char", "u8", false },
    [TY_UINT16] = { "unsigned short", "u16", false },
    [TY_UINT32] = { "unsigned int", "u32", false },
    [TY_UINT64] = { "unsigned long long", "u64", false },
    [TY_FLOAT16] = { "float16", "f16", true },
    [TY_BFLOAT16] = { "bfloat16", "bf16", true },
    [TY_FLOAT32] = { "float", "f32", false },
    [TY_FLOAT64] = { "double", "f64", false },
    [TY_COMPLEX64] = { "complex64", "c64", true },
    [TY_COMPLEX128] = { "complex128", "c128", true },
    [TY_FLOAT8_E4M3] = { "float8_e4m3", "e4m3", true },
    [TY_FLOAT8_E5M2] = { "float8_e5m2", "e5m2", true },
};

const char *type_suffix(const Type *type)
{
    return scalars[type->kind].suffix;
}

const char *type_text(Emitter *e, const Type *type)
{
    if (type_is_array(type) || type_has_items(type) || type_is_record(type))
        return struct_of(e, type)->name;
    if (scalars[type->kind].piece)
        return prelude(e, scalars[type->kind].text, NULL);
    return scalars[type->kind].text;
}

/* ---- declarations ---------------------------------------------------------------------- */

/* `float x[2][3]`, aligned as asked for. */
static const char *fixed_text(Emitter *e, const IrVar *var, const char *name)
{
    Buf out = buf_in(e->arena);
    if (var->alignment > 0)
        buf_printf(&out, e->dialect == DIALECT_CUDA ? "__align__(%d) " : "_Alignas(%d) ",
                   var->alignment);
    buf_printf(&out, "%s %s", type_text(e, var->type->array.element), name);
    for (int i = 0; i < var->type->array.rank; i++)
        buf_printf(&out, "[%lld]", var->shape[i] > 0 ? (long long)var->shape[i] : 1LL);
    return buf_text(&out);
}

bool is_in_struct(const Emitter *e, const IrVar *var)
{
    return e->dialect == DIALECT_C && var->kind == VAR_PRIVATE && var->alignment > 0;
}

const char *declarator_text(Emitter *e, const IrVar *var, const char *name)
{
    if (var->kind != VAR_SHARED && var->kind != VAR_PRIVATE)
        return arena_printf(e->arena, "%s %s", type_text(e, var->type), name);
    if (is_in_struct(e, var))
        return arena_printf(e->arena, "struct { %s; } %s", fixed_text(e, var, "array"), name);
    return fixed_text(e, var, name);
}

static bool is_struct(const Type *type)
{
    return !type_is_scalar(type) || type_is_complex(type);
}

const char *zero_initializer(const Type *type)
{
    if (is_struct(type))
        return " = { 0 }";
    return type == type_bool ? " = false" : " = 0";
}

const char *zero_text(Emitter *e, const Type *type)
{
    if (is_struct(type))
        return arena_printf(e->arena, e->dialect == DIALECT_CUDA ? "%s{}" : "(%s){ 0 }",
                            type_text(e, type));
    return type == type_bool ? "false" : "0";
}

/* ---- constants ------------------------------------------------------------------------- */

/* Binds a text that begins with a minus as tightly as asked. */
static const char *signed_text(Emitter *e, const char *text, Prec prec)
{
    return parenthesize(e, text, *text == '-' ? PREC_UNARY : PREC_POSTFIX, prec);
}

static const char *integer_text(Emitter *e, const Type *type, int64_t value, Prec prec, bool exact)
{
    bool small = value >= INT32_MIN + 1LL && value <= INT32_MAX;

    if (type_is_unsigned(type) && type_size(type) >= 4 &&
        (type_size(type) == 8 ? value == -1 : (uint32_t)value == UINT32_MAX))
        return type == type_uint64 ? "0xffffffffffffffffULL" : "0xffffffffu";
    if (type == type_uint64 && !(small && value >= 0))
        return arena_printf(e->arena, "%lluULL", (unsigned long long)value);
    if (type == type_uint32 && !(small && value >= 0))
        return arena_printf(e->arena, "%lluu", (unsigned long long)(uint32_t)value);
    if (value == INT64_MIN)
        return "(-9223372036854775807LL - 1)";
    if (type == type_int32 && value == INT32_MIN)
        return "(-2147483647 - 1)";
    if (!small)
        return signed_text(e, arena_printf(e->arena, "%lldLL", (long long)value), prec);
    return signed_text(e,
                       arena_printf(e->arena, "%lld%s", (long long)value,
                                    !exact                ? ""
                                    : type == type_int64  ? "LL"
                                    : type == type_uint64 ? "ULL"
                                    : type == type_uint32 ? "u"
                                                          : ""),
                       prec);
}

/* The shortest digits that read back as the same number; whole numbers of everyday size in full. */
static const char *float_digits(Emitter *e, const Type *type, double number)
{
    const char *suffix = type == type_float32 ? "f" : "";
    char text[40];

    if (fabs(number) < 1e7 && number == trunc(number))
        return arena_printf(e->arena, "%.1f%s", number, suffix);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (type == type_float32 ? strtof(text, NULL) == (float)number
                                 : strtod(text, NULL) == number)
            break;
    }
    return arena_printf(e->arena, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", suffix);
}

static const char *float_text(Emitter *e, const Type *type, double number, Prec prec)
{
    if (isnan(number))
        return arena_printf(e->arena, "%s()", prelude(e, "nan", type));
    if (isinf(number))
        return signed_text(
            e,
            arena_printf(e->arena, "%s%s()", number < 0 ? "-" : "", prelude(e, "infinity", type)),
            prec);
    return signed_text(e, float_digits(e, type, number), prec);
}

const char *constant_text(Emitter *e, const Type *type, IrConstant constant, Prec prec, bool exact)
{
    const Type *part;

    switch (type_class(type)) {
    case CLASS_BOOL:
        return constant.integer ? "true" : "false";
    case CLASS_SIGNED:
    case CLASS_UNSIGNED:
        return integer_text(e, type, constant.integer, prec, exact);
    case CLASS_FLOAT:
        if (type_size(type) <= 2)
            return arena_printf(e->arena, "%s(%s)", prelude(e, half_from(e, type), type_float32),
                                float_text(e, type_float32, constant.number, PREC_ARGUMENT));
        return float_text(e, type, constant.number, prec);
    case CLASS_COMPLEX:
        part = type_complex_part(type);
        return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "make_complex", type),
                            float_text(e, part, constant.complex.real, PREC_ARGUMENT),
                            float_text(e, part, constant.complex.imag, PREC_ARGUMENT));
    case CLASS_OTHER:
        break;
    }
    return zero_text(e, type);
}

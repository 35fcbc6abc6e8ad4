/* The types that texts of values have in C.
**
** C has conversions of its own, and text that relies on them reads better: `n * 2.0`, not
** `(double)n * 2.0`. When a cast's text may be left out:
**
** - Anywhere, if the cast changes no value (changes_no_value()): then the text, of whatever C type,
**   equals the value, and any conversion that follows gives the same. This is what value_text()
**   promises, so it may stand where the context's type is not known or not the value's: under
**   another cast, in a comparison, a condition, an index, a shift. The C type that such a text has
**   is the value's natural type.
** - If it rounds an integer to a float (only_rounds()), where C itself converts to just the cast's
**   type, and one such cast alone: what assignment, initialisation, return and arguments of
**   functions with prototypes do, value_assigned(), and an operator whose other operand makes C
**   compute in that type, beside_text(). Under another conversion it is written.
** - Never otherwise.
**
** Where the text must have just the value's type, since C chooses by it, stands value_exact(). */
#include "codegen/emit/expr.h"

static bool is_wide_float(const Type *type)
{
    return type == type_float32 || type == type_float64;
}

bool changes_no_value(const IrValue *cast)
{
    const Type *to = cast->type, *from = cast->operands[0]->type;

    if (is_wide_float(to) && type_is_integral(from))
        return 8 * (int)type_size(from) <= (to == type_float64 ? 53 : 24);
    if (type_is_integer(to) && type_is_integral(from))
        return type_size(from) < type_size(to) && ir_keeps_value(cast);
    return from == type_float32 && to == type_float64;
}

/* Told to heed how numbers are rounded (prelude.c), gcc 12 keeps conversions of constants and takes
** that of -1 as an unsigned int for that of -1 as an unsigned long long where the processor has an
** instruction for each (AVX-512). The longer one is hidden from it. */
bool rounds_hidden(const Emitter *e, const Type *from, const Type *to)
{
    return e->dialect != DIALECT_CUDA && from == type_uint64 && is_wide_float(to);
}

/* Whether a cast makes an integer a float, and C's own conversion does the same. */
static bool only_rounds(const Emitter *e, const IrValue *value)
{
    return value->op == OP_cast && is_wide_float(value->type) &&
           type_is_integral(value->operands[0]->type) && !changes_no_value(value) &&
           !rounds_hidden(e, value->operands[0]->type, value->type);
}

static const Type *natural_intrinsic(const Emitter *e, const IrValue *value)
{
    switch (value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
        return e->dialect == DIALECT_CUDA ? type_uint32 : type_int32;
    case INTR_grid:
    case INTR_gridsize:
        return value->type == type_int32 && e->dialect == DIALECT_CUDA ? type_uint32 : value->type;
    default:
        return value->type;
    }
}

static bool is_small_integer(const IrValue *value)
{
    return value->constant.integer > INT32_MIN && value->constant.integer <= INT32_MAX &&
           !(type_is_unsigned(value->type) && value->constant.integer < 0);
}

/* What C's arithmetic makes of operands of two real types. */
static const Type *usual_type(const Type *a, const Type *b)
{
    if (a == type_float64 || b == type_float64)
        return type_float64;
    if (a == type_float32 || b == type_float32)
        return type_float32;
    if (type_size(a) < 4)
        a = type_int32;
    if (type_size(b) < 4)
        b = type_int32;
    const Type *wide = type_size(b) > type_size(a) ? b : a;
    const Type *other = wide == a ? b : a;
    return type_size(wide) == type_size(other) && type_is_unsigned(other) ? other : wide;
}

/* Whether a sum or product of 64 bits, and what it is made of, does not wrap. */
static bool fits(const Emitter *e, const IrValue *value)
{
    bool made = value->op == OP_add || value->op == OP_sub || value->op == OP_mul;

    if (!made || type_size(value->type) < 8)
        return magnitude_bits(e->magnitude, value) <= FAR_BITS;
    return fits(e, value->operands[0]) && fits(e, value->operands[1]) &&
           magnitude_open_bits(e->magnitude, value) <= magnitude_type_bits(value->type);
}

/* Whether a number that is positive as numbers without bounds go may have wrapped to 0, by which a
** processor does not divide. */
static bool wraps_to_zero(const Emitter *e, const IrValue *divisor)
{
    bool given =
        divisor->op == OP_constant || (divisor->op == OP_var && divisor->var->kind != VAR_LOCAL);

    return e->dialect != DIALECT_CUDA && type_size(divisor->type) == 8 && !given &&
           !fits(e, divisor);
}

bool divides_as_c(const Emitter *e, const IrValue *value)
{
    if ((value->op != OP_floordiv && value->op != OP_mod) || !type_is_integer(value->type))
        return false;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    return type_size(value->type) >= 4 && ir_positive(b) && !wraps_to_zero(e, b) &&
           ir_nonnegative(a) && (type_size(a->type) < 8 || type_is_unsigned(a->type) || fits(e, a));
}

/* Whether an operation of integers that are not negative gives the same at any width. */
static bool is_width_free(const Emitter *e, const IrValue *value)
{
    if (value->op == OP_and || value->op == OP_or || value->op == OP_xor)
        return type_is_integer(value->type) && type_size(value->type) >= 4 &&
               ir_nonnegative(value->operands[0]) && ir_nonnegative(value->operands[1]);
    return divides_as_c(e, value);
}

const Type *natural_type(Emitter *e, const IrValue *value)
{
    const Type *then;

    switch ((int)value->op) {
    case OP_constant:
        return type_is_integer(value->type) && is_small_integer(value) ? type_int32 : value->type;
    case OP_zero:
        return type_is_integer(value->type) ? type_int32 : value->type;
    case OP_cast:
        return changes_no_value(value) ? natural_type(e, value->operands[0]) : value->type;
    case OP_select:
        then = natural_type(e, value->operands[1]);
        return then == natural_type(e, value->operands[2]) ? then : value->type;
    case OP_item:
        if (value->operands[0]->op == OP_tuple)
            return natural_type(e, value->operands[0]->operands[value->index]);
        return value->type;
    case OP_floordiv:
    case OP_mod:
    case OP_and:
    case OP_or:
    case OP_xor:
        if (is_width_free(e, value))
            return usual_type(natural_type(e, value->operands[0]),
                              natural_type(e, value->operands[1]));
        return value->type;
    case OP_intrinsic:
        return natural_intrinsic(e, value);
    case OP_extent:
        if (!e->unit->narrow)
            return value->type;
        return emit_extent_is_int(e, value->operands[0], value->index) ? type_int32 : type_int64;
    default:
        return value->type;
    }
}

/* The C type of a value's text where C converts it to the value's own type. */
static const Type *assigned_type(Emitter *e, const IrValue *value)
{
    return natural_type(e, only_rounds(e, value) ? value->operands[0] : value);
}

const char *value_assigned(Emitter *e, const IrValue *value, Prec prec)
{
    return value_text(e, only_rounds(e, value) ? value->operands[0] : value, prec);
}

const char *beside_text(Emitter *e, const IrValue *value, const Type *type, Prec prec)
{
    bool kept = type_size(type) < 4 || usual_type(type, assigned_type(e, value)) == type;

    return kept ? value_assigned(e, value, prec) : value_exact(e, value, prec);
}

/* Whether C, which converts operands of types `a` and `b` to their usual type, compares the values
** as the IR does in `type`: that is the usual type, or has room for both. */
static bool same_comparison(const IrValue *value, const Type *a, const Type *b, const Type *type)
{
    const Type *usual = usual_type(a, b);

    if (usual == type || type_size(type) < 4)
        return true;
    if (!type_is_signed(type) || !type_is_integral(usual))
        return false;
    return type_is_signed(usual) || (a == b && type_is_integral(a)) ||
           (ir_nonnegative(value->operands[0]) && ir_nonnegative(value->operands[1]));
}

void need_exact(Emitter *e, const IrValue *value, bool exact[2])
{
    const Type *type = value->operands[0]->type;
    const Type *a = assigned_type(e, value->operands[0]), *b;

    exact[0] = exact[1] = false;
    if (type_is_half(type) || type == type_bool || is_width_free(e, value))
        return;
    if (value->count == 1 || value->op == OP_shl || value->op == OP_shr) {
        exact[0] = type_size(type) >= 4;
        return;
    }
    b = assigned_type(e, value->operands[1]);
    if (ir_is_comparison(value->op) ? same_comparison(value, a, b, type)
                                    : usual_type(a, b) == type || type_size(type) < 4)
        return;
    exact[0] = true;
    exact[1] = usual_type(type, b) != type;
}

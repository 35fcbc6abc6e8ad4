/* Which type comes of which: the rules of numba-cuda's type tables, on scalars and tuples.
**
** Source: what numba-cuda 0.30.4 answers for every pair; tests/conformance/ holds its answers and
** the tests compare these rules with them, entry by entry. */
#include "ir/types/types.h"

static int size(const Type *type)
{
    return (int)type_size(type);
}

/* The float type that a real type becomes beside a float. Integers beyond `exact_bytes` (which
** counts a sign bit for unsigned ones where `strict`) need float64. */
static const Type *as_float(const Type *type, bool strict)
{
    if (type_is_float(type))
        return type->kind == TY_BFLOAT16 ? type_float32 : type;
    int bytes = size(type);
    if (strict && type_is_unsigned(type))
        bytes *= 2;
    if (bytes == 1)
        return type_of(FLOAT16);
    return bytes == 2 ? type_float32 : type_float64;
}

static const Type *wider(const Type *a, const Type *b)
{
    return size(a) >= size(b) ? a : b;
}

static bool is_byte(const Type *type)
{
    return type->kind == TY_INT8 || type->kind == TY_UINT8;
}

/* The common type of two scalars of which one is float or complex. Operators are strict: they
** take uint16 beside float32 to float64, where a join takes it to float32. */
static const Type *mix_floats(const Type *a, const Type *b, bool strict)
{
    if ((a->kind == TY_BFLOAT16 && is_byte(b)) || (b->kind == TY_BFLOAT16 && is_byte(a)))
        return type_of(BFLOAT16);
    if (!type_is_complex(a) && !type_is_complex(b))
        return a == b ? a : wider(as_float(a, strict), as_float(b, strict));
    const Type *part_a = type_is_complex(a) ? type_complex_part(a) : as_float(a, strict);
    const Type *part_b = type_is_complex(b) ? type_complex_part(b) : as_float(b, strict);
    return size(wider(part_a, part_b)) > 4 ? type_of(COMPLEX128) : type_of(COMPLEX64);
}

static bool is_inexact(const Type *type)
{
    return type_is_float(type) || type_is_complex(type);
}

/* bool and integers, where signs differ into the next wider signed type. */
static const Type *mix_integers(const Type *a, const Type *b)
{
    if (a->kind == TY_BOOL || b->kind == TY_BOOL)
        return a->kind == TY_BOOL ? b : a;
    if (type_is_signed(a) == type_is_signed(b))
        return wider(a, b);
    const Type *s = type_is_signed(a) ? a : b, *u = type_is_signed(a) ? b : a;
    if (size(s) > size(u))
        return s;
    static const TypeKind next[] = {
        [1] = TY_INT16, [2] = TY_INT32, [4] = TY_INT64, [8] = TY_FLOAT64
    };
    return &type_table[next[size(u)]];
}

const Type *typing_common(const Type *a, const Type *b)
{
    return is_inexact(a) || is_inexact(b) ? mix_floats(a, b, false) : mix_integers(a, b);
}

static Typing all(const Type *type)
{
    return (Typing){ type, type, type };
}

static const Type *wide_integer(const Type *type)
{
    return type_is_unsigned(type) ? type_uint64 : type_int64;
}

/* Integers widen to 64 bits each by its own sign; one signed operand makes the result signed. */
static Typing integer_arithmetic(const Type *left, const Type *right)
{
    Typing typing = { wide_integer(left), wide_integer(right), type_int64 };
    if (typing.left == type_uint64 && typing.right == type_uint64)
        typing.result = type_uint64;
    return typing;
}

/* numba has no `//`, `%` and `**` of half floats: they work in float32. */
static const Type *at_least_float32(const Type *type)
{
    return type_is_float(type) && size(type) == 2 ? type_float32 : type;
}

static Typing power(const Type *left, const Type *right)
{
    if (type_is_complex(left) || type_is_complex(right))
        return all(mix_floats(left, right, true));
    if (type_is_float(left) && !type_is_float(right)) {
        const Type *base = left->kind == TY_FLOAT64 ? left : type_float32;
        const Type *exponent = right->kind == TY_UINT64 || right->kind == TY_INT64 ? right
                               : type_is_unsigned(right)                           ? type_uint64
                                                                                   : type_int32;
        return (Typing){ base, exponent, base };
    }
    if (is_inexact(left) || is_inexact(right))
        return all(at_least_float32(mix_floats(left, right, true)));
    if (left->kind == TY_BOOL && right->kind == TY_INT32)
        return (Typing){ type_float32, type_int32, type_float32 }; /* numba's own oddity */
    return integer_arithmetic(left, right);
}

static Typing bitwise(const Type *left, const Type *right)
{
    if (is_inexact(left) || is_inexact(right))
        return (Typing){ 0 };
    if (left->kind == TY_BOOL && right->kind == TY_BOOL)
        return all(type_bool);
    return integer_arithmetic(left, right);
}

static Typing shift(const Type *left, const Type *right)
{
    if (is_inexact(left) || is_inexact(right))
        return (Typing){ 0 };
    const Type *result = wide_integer(left);
    return (Typing){ result, wide_integer(right), result };
}

Typing typing_binary(AstOp op, const Type *left, const Type *right)
{
    if (!type_is_scalar(left) || !type_is_scalar(right))
        return (Typing){ 0 };
    bool complex = type_is_complex(left) || type_is_complex(right);
    bool inexact = is_inexact(left) || is_inexact(right);
    switch (op) {
    case AST_ADD:
    case AST_SUB:
    case AST_MUL:
        return inexact ? all(mix_floats(left, right, true)) : integer_arithmetic(left, right);
    case AST_DIV:
        return all(inexact ? mix_floats(left, right, true) : type_float64);
    case AST_FLOORDIV:
    case AST_MOD:
        if (complex)
            return (Typing){ 0 };
        return inexact ? all(at_least_float32(mix_floats(left, right, true)))
                       : integer_arithmetic(left, right);
    case AST_POW:
        return power(left, right);
    case AST_BITAND:
    case AST_BITOR:
    case AST_BITXOR:
        return bitwise(left, right);
    case AST_LSHIFT:
    case AST_RSHIFT:
        return shift(left, right);
    default:
        return (Typing){ 0 };
    }
}

Typing typing_compare(AstOp op, const Type *left, const Type *right)
{
    if (!type_is_scalar(left) || !type_is_scalar(right))
        return (Typing){ 0 };
    bool complex = type_is_complex(left) || type_is_complex(right);
    if (complex && op != AST_EQ && op != AST_NE)
        return (Typing){ 0 };
    const Type *common = is_inexact(left) || is_inexact(right) ? mix_floats(left, right, true)
                                                               : mix_integers(left, right);
    return (Typing){ common, common, type_bool };
}

Typing typing_unary(AstOp op, const Type *operand)
{
    if (!type_is_scalar(operand))
        return (Typing){ 0 };
    if (is_inexact(operand))
        return op == AST_INVERT ? (Typing){ 0 } : all(operand);
    if (operand->kind == TY_BOOL)
        return all(op == AST_INVERT ? type_bool : type_int64);
    return (Typing){ operand, NULL, wide_integer(operand) };
}

const Type *typing_float(const Type *type)
{
    return type_is_scalar(type) && type_is_real(type) ? at_least_float32(as_float(type, true))
                                                      : NULL;
}

bool typing_can_store(const Type *from, const Type *to)
{
    if (from != to)
        from = type_plain(from);
    if (from->kind == TY_ERROR || to->kind == TY_ERROR || from == to)
        return true;
    if (type_is_tuple(from) && type_is_tuple(to) && from->tuple.count == to->tuple.count) {
        for (int i = 0; i < from->tuple.count; i++)
            if (!typing_can_store(from->tuple.items[i], to->tuple.items[i]))
                return false;
        return true;
    }
    if (type_is_time(from) && from->kind == to->kind)
        return time_castable(from->kind == TY_DATETIME, time_unit(from), time_unit(to));
    if (!type_is_scalar(from) || !type_is_scalar(to))
        return false;
    return !type_is_complex(from) || type_is_complex(to);
}

/* ---- conversions ---------------------------------------------------------------------------- */

static TypeConversion convert_scalar(const Type *from, const Type *to)
{
    if (type_is_complex(from) && !type_is_complex(to))
        return CONVERSION_NONE;
    if (type_is_complex(from) || (type_is_float(from) && type_is_float(to)))
        return size(to) > size(from) ? CONVERSION_PROMOTE : CONVERSION_UNSAFE;
    if (is_inexact(to)) { /* it is safe where an operator would take the two to `to` */
        const Type *part = type_is_complex(to) ? type_complex_part(to) : to;
        bool holds = size(as_float(from, true)) <= size(part) && part->kind != TY_BFLOAT16;
        return holds ? CONVERSION_SAFE : CONVERSION_UNSAFE;
    }
    if (from->kind == TY_BOOL)
        return CONVERSION_SAFE;
    if (!type_is_integer(from) || to->kind == TY_BOOL || size(to) <= size(from))
        return CONVERSION_UNSAFE;
    if (type_is_signed(from) == type_is_signed(to))
        return CONVERSION_PROMOTE;
    return type_is_signed(to) ? CONVERSION_SAFE : CONVERSION_UNSAFE;
}

/* The worst of a tuple's items. */
static TypeConversion convert_tuple(const Type *from, const Type *to)
{
    TypeConversion worst = CONVERSION_EXACT;
    for (int i = 0; i < from->tuple.count; i++) {
        TypeConversion how = typing_conversion(from->tuple.items[i], to->tuple.items[i]);
        if (how == CONVERSION_NONE)
            return how;
        worst = how > worst ? how : worst;
    }
    return worst;
}

/* None becomes what may be None, and so does a value; back, it takes a None to go wrong. */
static TypeConversion convert_optional(const Type *from, const Type *to)
{
    if (from->kind == TY_NONE)
        return CONVERSION_PROMOTE;
    TypeConversion how =
        typing_conversion(type_is_optional(from) ? type_optional_value(from) : from,
                          type_is_optional(to) ? type_optional_value(to) : to);
    TypeConversion least = type_is_optional(to) ? CONVERSION_PROMOTE : CONVERSION_UNSAFE;
    return how != CONVERSION_NONE && how < least ? least : how;
}

/* A member of an IntEnum becomes what its integer does, but prefers to stay what it is. */
static TypeConversion convert_member(const Type *from, const Type *to)
{
    TypeConversion how = typing_conversion(type_plain(from), to);
    return how != CONVERSION_NONE && how < CONVERSION_SAFE ? CONVERSION_SAFE : how;
}

TypeConversion typing_conversion(const Type *from, const Type *to)
{
    if (from == to || from->kind == TY_ERROR || to->kind == TY_ERROR)
        return CONVERSION_EXACT;
    if (type_plain(from) != from)
        return convert_member(from, to);
    if (type_is_optional(to) || (type_is_optional(from) && to->kind != TY_NONE))
        return convert_optional(from, to);
    if (type_is_scalar(from) && type_is_scalar(to))
        return convert_scalar(from, to);
    if (type_is_tuple(from) && type_is_tuple(to) && from->tuple.count == to->tuple.count)
        return convert_tuple(from, to);
    if (!type_is_array(from) || !type_is_array(to))
        return CONVERSION_NONE;
    bool fits = from->array.element == to->array.element && from->array.rank == to->array.rank &&
                (to->array.layout == LAYOUT_A || to->array.layout == from->array.layout) &&
                (to->array.readonly || !from->array.readonly);
    return fits ? CONVERSION_SAFE : CONVERSION_NONE;
}

const Type *typing_ufunc(const Type *a, const Type *b)
{
    if (type_is_complex(a) || type_is_complex(b)) {
        bool wide = a->kind == TY_COMPLEX128 || b->kind == TY_COMPLEX128 || a->kind == TY_FLOAT64 ||
                    b->kind == TY_FLOAT64;
        return wide ? type_of(COMPLEX128) : type_of(COMPLEX64);
    }
    if (type_is_float(a) || type_is_float(b))
        return a->kind == TY_FLOAT64 || b->kind == TY_FLOAT64 ? type_float64 : type_float32;
    return a == b ? a : mix_integers(a, b);
}

const Type *typing_ufunc_float(const Type *a, const Type *b)
{
    const Type *type = typing_ufunc(a, b);
    if (type_is_complex(type) || type_is_float(a) || type_is_float(b))
        return type;
    return type_size(a) <= 2 && type_size(b) <= 2 ? type_float32 : type_float64;
}

/* ---- NumPy 2 -------------------------------------------------------------------------------- */

/* The float with at least as many bits as all values of an integer type need, by NumPy. */
static const Type *float_for(const Type *integer)
{
    return type_size(integer) == 1   ? type_of(FLOAT16)
           : type_size(integer) == 2 ? type_float32
                                     : type_float64;
}

static const Type *wider_float(const Type *a, const Type *b)
{
    if (a == b)
        return a;
    if (type_size(a) == type_size(b)) /* float16 and bfloat16 */
        return type_float32;
    return type_size(a) > type_size(b) ? a : b;
}

static const Type *complex_of(const Type *part)
{
    return part->kind == TY_FLOAT64 ? type_of(COMPLEX128) : type_of(COMPLEX64);
}

/* numpy.promote_types */
static const Type *promote(const Type *a, const Type *b)
{
    if (a == b || b->kind == TY_BOOL)
        return a;
    if (a->kind == TY_BOOL)
        return b;
    if (type_is_complex(a) || type_is_complex(b)) {
        const Type *x = type_is_complex(a) ? type_complex_part(a) : a;
        const Type *y = type_is_complex(b) ? type_complex_part(b) : b;
        return complex_of(promote(promote(x, y), type_float32));
    }
    if (type_is_float(a) || type_is_float(b))
        return wider_float(type_is_float(a) ? a : float_for(a),
                           type_is_float(b) ? b : float_for(b));
    return mix_integers(a, b);
}

/* What a literal becomes beside an operand that is none. */
static const Type *weak_beside(const Type *weak, const Type *other)
{
    if (type_is_complex(weak))
        return type_is_complex(other) ? other
               : type_is_float(other) ? complex_of(other)
                                      : type_of(COMPLEX128);
    if (type_is_float(weak))
        return type_is_float(other) || type_is_complex(other) ? other : type_float64;
    if (weak->kind == TY_BOOL)
        return promote(weak, other);
    return other->kind == TY_BOOL ? type_int64 : other;
}

Typing typing_nep50(AstOp op, const Type *left, bool left_weak, const Type *right, bool right_weak)
{
    if (!type_is_scalar(left) || !type_is_scalar(right))
        return (Typing){ 0 };
    const Type *type = left_weak == right_weak ? promote(left, right)
                       : left_weak             ? promote(weak_beside(left, right), right)
                                               : promote(left, weak_beside(right, left));
    bool inexact = is_inexact(type),
         bitwise = op == AST_BITAND || op == AST_BITOR || op == AST_BITXOR;
    bool shift = op == AST_LSHIFT || op == AST_RSHIFT;
    bool whole = op == AST_FLOORDIV || op == AST_MOD;
    if ((inexact && (bitwise || shift)) || (type_is_complex(type) && whole))
        return (Typing){ 0 };
    if (op == AST_DIV && !inexact)
        type = type_float64;
    if (type->kind == TY_BOOL && !bitwise && op != AST_DIV)
        type = op == AST_ADD || op == AST_SUB || op == AST_MUL ? type_int64 : type_of(INT8);
    return all(type);
}

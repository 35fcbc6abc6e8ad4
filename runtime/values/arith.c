/* Arithmetic on scalars in value expressions, with Python's meaning and numba's types: integers
** are computed in 64 bits, floats in the wider of their dtypes, / gives a float. A signed integer
** that 64 bits do not hold is refused: its low 64 bits are never what was meant. */
#include "base/arith.h"
#include "runtime/values/values.h"

#include <math.h>

static bool is_integer(kjit_dtype dtype)
{
    return dtype != KJIT_DTYPE_NONE && !dtype_is_float(dtype) && !dtype_is_complex(dtype);
}

static bool is_unsigned(kjit_dtype dtype)
{
    return dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64;
}

/* Whether a dtype's precision is float32's at the most; integers count as float64. */
static bool is_single(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_COMPLEX64 || (dtype_is_float(dtype) && dtype != KJIT_DTYPE_FLOAT64);
}

static bool is_float8(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_FLOAT8_E4M3 || dtype == KJIT_DTYPE_FLOAT8_E5M2;
}

static kjit_dtype common_dtype(kjit_dtype a, kjit_dtype b)
{
    if (dtype_is_complex(a) || dtype_is_complex(b))
        return is_single(a) && is_single(b) ? KJIT_DTYPE_COMPLEX64 : KJIT_DTYPE_COMPLEX128;
    if (dtype_is_float(a) || dtype_is_float(b))
        return a == b && !is_float8(a)        ? a
               : is_single(a) && is_single(b) ? KJIT_DTYPE_FLOAT32
                                              : KJIT_DTYPE_FLOAT64;
    return is_unsigned(a) && is_unsigned(b) ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
}

/* False if the result does not fit, or is no integer. */
static bool signed_power(int64_t base, int64_t exponent, int64_t *result)
{
    bool fits = true; /* the base, which is squared once more than it is used */

    *result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1 && (!fits || __builtin_mul_overflow(*result, base, result)))
            return false;
        fits = !__builtin_mul_overflow(base, base, &base) && fits;
    }
    return exponent == 0;
}

/* Floor division and modulo as Python has them; by 0 is refused. */
static bool signed_division(AstOp op, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return false;
    *out = op == AST_MOD ? floor_rest(a, b) : floor_quotient(a, b);
    return op == AST_MOD || has_quotient(a, b);
}

bool value_integers(AstOp op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case AST_BITAND:
        *out = a & b;
        return true;
    case AST_BITOR:
        *out = a | b;
        return true;
    case AST_BITXOR:
        *out = a ^ b;
        return true;
    case AST_ADD:
        return !__builtin_add_overflow(a, b, out);
    case AST_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case AST_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case AST_FLOORDIV:
    case AST_MOD:
        return signed_division(op, a, b, out);
    case AST_POW:
        return signed_power(a, b, out);
    case AST_LSHIFT:
        return a == 0 ? (*out = 0, b >= 0)
                      : b >= 0 && b < 64 && !__builtin_mul_overflow(a, (__int128)1 << b, out);
    case AST_RSHIFT:
        *out = a >> (b < 63 ? b & 63 : 63);
        return b >= 0;
    default:
        return false;
    }
}

/* Unsigned integers wrap, as everywhere. */
static bool unsigned_binary(AstOp op, uint64_t a, uint64_t b, uint64_t *out)
{
    switch (op) {
    case AST_ADD:
        *out = a + b;
        return true;
    case AST_SUB:
        *out = a - b;
        return true;
    case AST_MUL:
        *out = a * b;
        return true;
    case AST_FLOORDIV:
    case AST_MOD:
        if (b)
            *out = op == AST_MOD ? a % b : a / b;
        return b != 0;
    case AST_POW:
        *out = integer_power(a, b);
        return true;
    case AST_LSHIFT:
        *out = b < 64 ? a << b : 0;
        return true;
    case AST_RSHIFT:
        *out = b < 64 ? a >> b : 0;
        return true;
    default:
        return false;
    }
}

static bool integer_binary(AstOp op, kjit_dtype dtype, int64_t a, int64_t b, int64_t *out)
{
    bool bits = op == AST_BITAND || op == AST_BITOR || op == AST_BITXOR;
    uint64_t result = 0;

    if (bits || dtype == KJIT_DTYPE_INT64)
        return value_integers(op, a, b, out);
    bool fine = unsigned_binary(op, (uint64_t)a, (uint64_t)b, &result);
    *out = (int64_t)result;
    return fine;
}

static bool float_binary(AstOp op, double a, double b, double *out)
{
    switch (op) {
    case AST_ADD:
        *out = a + b;
        return true;
    case AST_SUB:
        *out = a - b;
        return true;
    case AST_MUL:
        *out = a * b;
        return true;
    case AST_DIV:
        *out = a / b;
        return b != 0;
    case AST_FLOORDIV:
        *out = float_floor_quotient(a, b);
        return b != 0;
    case AST_MOD:
        *out = float_floor_rest(a, b);
        return b != 0;
    case AST_POW:
        *out = pow(a, b);
        return true;
    default:
        return false;
    }
}

static bool complex_binary(AstOp op, const double a[2], const double b[2], double out[2])
{
    switch (op) {
    case AST_ADD:
        out[0] = a[0] + b[0], out[1] = a[1] + b[1];
        return true;
    case AST_SUB:
        out[0] = a[0] - b[0], out[1] = a[1] - b[1];
        return true;
    case AST_MUL:
        out[0] = a[0] * b[0] - a[1] * b[1], out[1] = a[0] * b[1] + a[1] * b[0];
        return true;
    case AST_DIV:
        if (b[0] != 0 || b[1] != 0)
            complex_quotient(a, b, out);
        return b[0] != 0 || b[1] != 0;
    case AST_POW:
        if (b[0] == 0 && b[1] == 0)
            out[0] = 1, out[1] = 0;
        else if (a[0] != 0 || a[1] != 0)
            complex_power(a, b, out);
        else
            out[0] = out[1] = 0;
        return a[0] != 0 || a[1] != 0 || b[0] >= 0;
    default:
        return false;
    }
}

bool value_binary(AstOp op, const kjit_arg *a, const kjit_arg *b, kjit_arg *out)
{
    kjit_dtype dtype = common_dtype(a->dtype, b->dtype);
    if (dtype_is_time(a->dtype) || dtype_is_time(b->dtype))
        return false;
    bool negative_power =
        op == AST_POW && is_integer(dtype) && dtype == KJIT_DTYPE_INT64 && b->as.integer < 0;

    if (is_integer(dtype) && (op == AST_DIV || negative_power))
        dtype = KJIT_DTYPE_FLOAT64;
    kjit_arg left = scalar_cast(a, dtype), right = scalar_cast(b, dtype);
    *out = (kjit_arg){ .kind = KJIT_ARG_SCALAR, .dtype = dtype };
    bool fine =
        dtype_is_complex(dtype) ? complex_binary(op, left.as.complex_parts, right.as.complex_parts,
                                                 out->as.complex_parts)
        : dtype_is_float(dtype)
            ? float_binary(op, left.as.number, right.as.number, &out->as.number)
            : integer_binary(op, dtype, left.as.integer, right.as.integer, &out->as.integer);
    *out = scalar_cast(out, dtype);
    return fine;
}

bool value_unary(AstOp op, const kjit_arg *a, kjit_arg *out)
{
    bool integer = is_integer(a->dtype);

    if (dtype_is_time(a->dtype))
        return false;
    *out = a->dtype == KJIT_DTYPE_BOOL && op != AST_NOT ? scalar_cast(a, KJIT_DTYPE_INT64) : *a;
    switch (op) {
    case AST_POS:
        return true;
    case AST_NOT:
        *out = scalar_cast(a, KJIT_DTYPE_BOOL);
        out->as.integer = !out->as.integer;
        return true;
    case AST_INVERT:
        out->as.integer = ~out->as.integer;
        break;
    case AST_NEG:
        if (integer) {
            /* The least integer is written as minus one that only unsigned ones reach. */
            if (a->dtype == KJIT_DTYPE_UINT64 && a->as.integer == INT64_MIN)
                out->dtype = KJIT_DTYPE_INT64;
            out->as.integer = (int64_t)(0 - (uint64_t)out->as.integer);
        } else if (dtype_is_float(a->dtype)) {
            out->as.number = -out->as.number;
        } else {
            out->as.complex_parts[0] = -out->as.complex_parts[0];
            out->as.complex_parts[1] = -out->as.complex_parts[1];
        }
        break;
    default:
        return false;
    }
    *out = scalar_cast(out, out->dtype);
    return op != AST_INVERT || integer;
}

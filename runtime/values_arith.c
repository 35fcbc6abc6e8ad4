/* Arithmetic on scalars in value expressions, with Python's meaning and numba's types: integers
** are computed in 64 bits, floats in the wider of their dtypes, / gives a float. */
#include "runtime/values.h"

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

static kjit_dtype common_dtype(kjit_dtype a, kjit_dtype b)
{
    if (dtype_is_complex(a) || dtype_is_complex(b))
        return is_single(a) && is_single(b) ? KJIT_DTYPE_COMPLEX64 : KJIT_DTYPE_COMPLEX128;
    if (dtype_is_float(a) || dtype_is_float(b))
        return a == b ? a : is_single(a) && is_single(b) ? KJIT_DTYPE_FLOAT32 : KJIT_DTYPE_FLOAT64;
    return is_unsigned(a) && is_unsigned(b) ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64;
}

static uint64_t integer_power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent; exponent >>= 1, base *= base) {
        if (exponent & 1)
            result *= base;
    }
    return result;
}

/* Floor division and modulo as Python has them; by 0 is refused. */
static bool signed_division(AstOp op, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return false;
    if (b == -1) {
        *out = op == AST_MOD ? 0 : (int64_t)(0 - (uint64_t)a);
        return true;
    }
    int64_t quotient = a / b, rest = a % b;
    if (rest && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
    }
    *out = op == AST_MOD ? rest : quotient;
    return true;
}

static bool integer_binary(AstOp op, kjit_dtype dtype, int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool is_signed = dtype == KJIT_DTYPE_INT64;

    switch (op) {
    case AST_ADD:
        *out = (int64_t)(x + y);
        return true;
    case AST_SUB:
        *out = (int64_t)(x - y);
        return true;
    case AST_MUL:
        *out = (int64_t)(x * y);
        return true;
    case AST_FLOORDIV:
    case AST_MOD:
        if (is_signed)
            return signed_division(op, a, b, out);
        if (!y)
            return false;
        *out = (int64_t)(op == AST_MOD ? x % y : x / y);
        return true;
    case AST_POW:
        *out = (int64_t)integer_power(x, y);
        return !is_signed || b >= 0;
    case AST_LSHIFT:
        *out = y < 64 ? (int64_t)(x << y) : 0;
        return true;
    case AST_RSHIFT:
        *out = is_signed ? a >> (y < 63 ? y : 63) : y < 64 ? (int64_t)(x >> y) : 0;
        return true;
    case AST_BITAND:
        *out = a & b;
        return true;
    case AST_BITOR:
        *out = a | b;
        return true;
    case AST_BITXOR:
        *out = a ^ b;
        return true;
    default:
        return false;
    }
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
        *out = floor(a / b);
        return b != 0;
    case AST_MOD:
        *out = a - b * floor(a / b);
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
    double size = b[0] * b[0] + b[1] * b[1];

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
        out[0] = (a[0] * b[0] + a[1] * b[1]) / size, out[1] = (a[1] * b[0] - a[0] * b[1]) / size;
        return size != 0;
    default:
        return false;
    }
}

bool value_binary(AstOp op, const kjit_arg *a, const kjit_arg *b, kjit_arg *out)
{
    kjit_dtype dtype = common_dtype(a->dtype, b->dtype);
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

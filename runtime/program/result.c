/* The dtypes that NumPy computes in and gives: promotion, and NEP 50 for Python's numbers.
** Source: NumPy's manual, "Data type promotion in NumPy". */
#include "runtime/program/program.h"

bool dtype_is_integer(kjit_dtype dtype)
{
    return dtype >= KJIT_DTYPE_INT8 && dtype <= KJIT_DTYPE_UINT64;
}

static bool is_unsigned(kjit_dtype dtype)
{
    return dtype >= KJIT_DTYPE_UINT8 && dtype <= KJIT_DTYPE_UINT64;
}

static kjit_dtype signed_of(size_t bytes)
{
    return bytes <= 1   ? KJIT_DTYPE_INT8
           : bytes <= 2 ? KJIT_DTYPE_INT16
           : bytes <= 4 ? KJIT_DTYPE_INT32
                        : KJIT_DTYPE_INT64;
}

static kjit_dtype promote_integers(kjit_dtype a, kjit_dtype b)
{
    size_t x = kjit_dtype_bytes(a), y = kjit_dtype_bytes(b);
    if (is_unsigned(a) == is_unsigned(b))
        return x >= y ? a : b;
    size_t plain = is_unsigned(a) ? y : x, natural = is_unsigned(a) ? x : y;
    if (plain > natural)
        return signed_of(plain);
    return natural == 8 ? KJIT_DTYPE_FLOAT64 : signed_of(2 * natural);
}

/* The least float that holds what an integer dtype does. */
static kjit_dtype float_for(kjit_dtype dtype)
{
    size_t bytes = kjit_dtype_bytes(dtype);
    return bytes <= 1 ? KJIT_DTYPE_FLOAT16 : bytes <= 2 ? KJIT_DTYPE_FLOAT32 : KJIT_DTYPE_FLOAT64;
}

static kjit_dtype promote_floats(kjit_dtype a, kjit_dtype b)
{
    if (a == b)
        return a;
    size_t x = kjit_dtype_bytes(a), y = kjit_dtype_bytes(b);
    return x == y ? KJIT_DTYPE_FLOAT32 : x > y ? a : b;
}

kjit_dtype dtype_promote(kjit_dtype a, kjit_dtype b)
{
    if (a == b || b == KJIT_DTYPE_BOOL)
        return a;
    if (a == KJIT_DTYPE_BOOL)
        return b;
    if (dtype_is_integer(a) && dtype_is_integer(b))
        return promote_integers(a, b);
    if (dtype_is_float(a) && dtype_is_float(b))
        return promote_floats(a, b);
    if (dtype_is_float(a) && dtype_is_integer(b))
        return promote_floats(a, float_for(b));
    if (dtype_is_integer(a) && dtype_is_float(b))
        return promote_floats(float_for(a), b);
    return KJIT_DTYPE_NONE;
}

/* A Python number beside a dtype: an int stays what that is, a float makes integers float64. */
static kjit_dtype promote_weak(kjit_dtype dtype, HostKind kind)
{
    if (kind == HOST_INT)
        return dtype == KJIT_DTYPE_BOOL ? KJIT_DTYPE_INT64 : dtype;
    return dtype_is_float(dtype) ? dtype : KJIT_DTYPE_FLOAT64;
}

static bool is_weak(HostValue value)
{
    return value.kind == HOST_INT || value.kind == HOST_FLOAT;
}

static kjit_dtype common(HostValue a, HostValue b)
{
    kjit_dtype x = host_dtype_of(a), y = host_dtype_of(b);
    if (is_weak(a) && is_weak(b))
        return dtype_promote(x, y);
    if (is_weak(a))
        return promote_weak(y, a.kind);
    return is_weak(b) ? promote_weak(x, b.kind) : dtype_promote(x, y);
}

kjit_dtype dtype_operands(AstOp op, HostValue a, HostValue b, kjit_dtype *result)
{
    kjit_dtype dtype = common(a, b);
    bool integer = dtype == KJIT_DTYPE_BOOL || dtype_is_integer(dtype);
    *result = dtype;
    switch (op) {
    case AST_DIV:
        if (integer)
            dtype = KJIT_DTYPE_FLOAT64;
        break;
    case AST_SUB:
        if (dtype == KJIT_DTYPE_BOOL)
            return KJIT_DTYPE_NONE;
        break;
    case AST_FLOORDIV:
    case AST_MOD:
    case AST_POW:
    case AST_LSHIFT:
    case AST_RSHIFT:
        if (dtype == KJIT_DTYPE_BOOL)
            dtype = KJIT_DTYPE_INT8;
        if ((op == AST_LSHIFT || op == AST_RSHIFT) && !integer)
            return KJIT_DTYPE_NONE;
        break;
    case AST_BITAND:
    case AST_BITOR:
    case AST_BITXOR:
        if (!integer)
            return KJIT_DTYPE_NONE;
        break;
    case AST_EQ:
    case AST_NE:
    case AST_LT:
    case AST_LE:
    case AST_GT:
    case AST_GE:
        *result = KJIT_DTYPE_BOOL;
        return dtype;
    default:
        break;
    }
    return *result = dtype;
}

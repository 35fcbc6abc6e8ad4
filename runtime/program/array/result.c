/* The dtypes that NumPy computes in and gives: promotion, and NEP 50 for Python's numbers.
** Source: NumPy's manual, "Data type promotion in NumPy". */
#include "runtime/program/program.h"
#include "runtime/array/array.h"

bool dtype_is_integer(kjit_dtype dtype)
{
    return dtype >= KJIT_DTYPE_INT8 && dtype <= KJIT_DTYPE_UINT64;
}

kjit_dtype dtype_promote(kjit_dtype a, kjit_dtype b)
{
    if (a == KJIT_DTYPE_NONE || b == KJIT_DTYPE_NONE)
        return KJIT_DTYPE_NONE;
    if (a == b || b == KJIT_DTYPE_BOOL)
        return a;
    if (a == KJIT_DTYPE_BOOL)
        return b;
    if (dtype_is_time(a) || dtype_is_time(b) || a == KJIT_DTYPE_RECORD || b == KJIT_DTYPE_RECORD)
        return KJIT_DTYPE_NONE;
    return type_dtype(typing_nep50(AST_ADD, dtype_type(a), false, dtype_type(b), false).result);
}

/* A Python number beside a dtype: an int stays what that is, a float makes integers float64, a
** complex number makes complex64 of floats up to float32. */
static kjit_dtype promote_weak(kjit_dtype dtype, HostKind kind)
{
    if (kind == HOST_INT)
        return dtype == KJIT_DTYPE_BOOL ? KJIT_DTYPE_INT64 : dtype;
    if (dtype_is_complex(dtype))
        return dtype;
    if (kind == HOST_COMPLEX)
        return dtype_is_float(dtype) && dtype != KJIT_DTYPE_FLOAT64 ? KJIT_DTYPE_COMPLEX64
                                                                    : KJIT_DTYPE_COMPLEX128;
    return dtype_is_float(dtype) ? dtype : KJIT_DTYPE_FLOAT64;
}

bool host_is_weak(HostValue value)
{
    return (value.kind == HOST_INT && !value.enumerated) || value.kind == HOST_FLOAT ||
           value.kind == HOST_COMPLEX;
}

static kjit_dtype common(HostValue a, HostValue b)
{
    kjit_dtype x = host_dtype_of(a), y = host_dtype_of(b);
    if (host_is_weak(a) && host_is_weak(b))
        return dtype_promote(x, y);
    if (host_is_weak(a))
        return promote_weak(y, a.kind);
    return host_is_weak(b) ? promote_weak(x, b.kind) : dtype_promote(x, y);
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
        if (op != AST_POW && dtype_is_complex(dtype))
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

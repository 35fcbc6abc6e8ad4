/* Complex numbers in expressions given as text: computed as values are everywhere in those. */
#include "runtime/program/arrays.h"
#include "runtime/values/values.h"

bool complex_value(Program *p, const kjit_arg *scalar, HostValue *out)
{
    (void)p;
    *out = host_number(scalar->dtype, scalar);
    if (scalar->dtype == KJIT_DTYPE_COMPLEX128)
        out->kind = HOST_COMPLEX;
    return true;
}

bool number_scalar(HostValue value, kjit_arg *out)
{
    *out = host_scalar(value);
    return host_is_number(value);
}

/* complex64(1.5, -2), complex64(x) */
bool complex_call(Program *p, kjit_dtype dtype, const HostArgs *args, HostValue *out)
{
    kjit_arg parts[2] = { kjit_arg_int64(0), kjit_arg_int64(0) };
    if (args->count > 2 || args->named_count)
        return host_fail(p, "TypeError", "%s takes one number, or two", kjit_dtype_name(dtype));
    for (size_t i = 0; i < args->count; i++)
        if (!number_scalar(args->values[i], &parts[i]) ||
            (args->count == 2 && dtype_is_complex(parts[i].dtype)))
            return host_fail(p, "TypeError", "a real number is needed here");
    kjit_arg whole = scalar_cast(&parts[0], dtype);
    if (args->count == 2)
        whole.as.complex_parts[1] = scalar_cast(&parts[1], KJIT_DTYPE_FLOAT64).as.number;
    whole = scalar_cast(&whole, dtype);
    return complex_value(p, &whole, out);
}

bool complex_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    kjit_arg left, right, result;
    if (!number_scalar(a, &left) || !number_scalar(b, &right))
        return host_fail(p, "TypeError", "a number is needed here");
    if (!value_binary(op, &left, &right, &result))
        return host_fail(p, "ZeroDivisionError", "'%s' cannot be computed for these numbers",
                         ast_op_spelling(op));
    return complex_value(p, &result, out);
}

/* Functions of elements that NumPy has: the form of each in a kernel, and the dtype it gives. */
#include "runtime/program/fuse.h"
#include "runtime/array/array.h"

/* X(name, form, operands, what it gives) */
/* clang-format off */
#define ELEMENTWISE(X) \
    X(sqrt, "math.sqrt(%0)", 1, FLOAT) \
    X(exp, "math.exp(%0)", 1, FLOAT) \
    X(exp2, "math.exp2(%0)", 1, FLOAT) \
    X(expm1, "math.expm1(%0)", 1, FLOAT) \
    X(log, "math.log(%0)", 1, FLOAT) \
    X(log2, "math.log2(%0)", 1, FLOAT) \
    X(log10, "math.log10(%0)", 1, FLOAT) \
    X(log1p, "math.log1p(%0)", 1, FLOAT) \
    X(sin, "math.sin(%0)", 1, FLOAT) \
    X(cos, "math.cos(%0)", 1, FLOAT) \
    X(tan, "math.tan(%0)", 1, FLOAT) \
    X(arcsin, "math.asin(%0)", 1, FLOAT) \
    X(arccos, "math.acos(%0)", 1, FLOAT) \
    X(arctan, "math.atan(%0)", 1, FLOAT) \
    X(sinh, "math.sinh(%0)", 1, FLOAT) \
    X(cosh, "math.cosh(%0)", 1, FLOAT) \
    X(tanh, "math.tanh(%0)", 1, FLOAT) \
    X(arcsinh, "math.asinh(%0)", 1, FLOAT) \
    X(arccosh, "math.acosh(%0)", 1, FLOAT) \
    X(arctanh, "math.atanh(%0)", 1, FLOAT) \
    X(cbrt, "np.cbrt(%0)", 1, FLOAT) \
    X(rint, "np.rint(%0)", 1, FLOAT) \
    X(floor, "np.floor(%0)", 1, ROUND) \
    X(ceil, "np.ceil(%0)", 1, ROUND) \
    X(trunc, "np.trunc(%0)", 1, ROUND) \
    X(abs, "abs(%0)", 1, SAME) \
    X(absolute, "abs(%0)", 1, SAME) \
    X(fabs, "abs(%0)", 1, FLOAT) \
    X(square, "%0 * %0", 1, SAME) \
    X(negative, "-%0", 1, SAME) \
    X(sign, "%0 if %0 != %0 else (0 < %0) - (%0 < 0)", 1, SAME) \
    X(conjugate, "%0", 1, SAME) \
    X(conj, "%0", 1, SAME) \
    X(isnan, "math.isnan(%0)", 1, BOOL) \
    X(isinf, "math.isinf(%0)", 1, BOOL) \
    X(isfinite, "math.isfinite(%0)", 1, BOOL) \
    X(logical_not, "not %0", 1, BOOL) \
    X(fmin, "%1 if %0 != %0 else %0 if %1 != %1 else np.minimum(%0, %1)", 2, SAME) \
    X(fmax, "%1 if %0 != %0 else %0 if %1 != %1 else np.maximum(%0, %1)", 2, SAME) \
    X(logical_xor, "%0 != %1", 2, BOOL) \
    X(positive, "%0", 1, SAME) \
    X(deg2rad, "math.radians(%0)", 1, FLOAT) \
    X(radians, "math.radians(%0)", 1, FLOAT) \
    X(rad2deg, "math.degrees(%0)", 1, FLOAT) \
    X(degrees, "math.degrees(%0)", 1, FLOAT) \
    X(reciprocal, "1 / %0", 1, FLOAT) \
    X(minimum, "np.minimum(%0, %1)", 2, SAME) \
    X(maximum, "np.maximum(%0, %1)", 2, SAME) \
    X(arctan2, "math.atan2(%0, %1)", 2, FLOAT) \
    X(hypot, "math.hypot(%0, %1)", 2, FLOAT) \
    X(copysign, "math.copysign(%0, %1)", 2, FLOAT) \
    X(fmod, "math.fmod(%0, %1)", 2, FLOAT) \
    X(logical_and, "%0 and %1", 2, BOOL) \
    X(logical_or, "%0 or %1", 2, BOOL)
/* clang-format on */

/* The forms for complex numbers, of those that have one. */
static const char *complex_form(const char *name)
{
    static const char *const forms[][2] = {
        { "sqrt", "cmath.sqrt(%0)" },
        { "exp", "cmath.exp(%0)" },
        { "log", "cmath.log(%0)" },
        { "log10", "cmath.log10(%0)" },
        { "sin", "cmath.sin(%0)" },
        { "cos", "cmath.cos(%0)" },
        { "tan", "cmath.tan(%0)" },
        { "arcsin", "cmath.asin(%0)" },
        { "arccos", "cmath.acos(%0)" },
        { "arctan", "cmath.atan(%0)" },
        { "sinh", "cmath.sinh(%0)" },
        { "cosh", "cmath.cosh(%0)" },
        { "tanh", "cmath.tanh(%0)" },
        { "arcsinh", "cmath.asinh(%0)" },
        { "arccosh", "cmath.acosh(%0)" },
        { "arctanh", "cmath.atanh(%0)" },
        { "abs", "abs(%0)" },
        { "absolute", "abs(%0)" },
        { "square", "%0 * %0" },
        { "negative", "-%0" },
        { "positive", "%0" },
        { "conj", "(%0).conjugate()" },
        { "conjugate", "(%0).conjugate()" },
        { "reciprocal", "reciprocal(%0)" },
        { "isnan", "math.isnan((%0).real) or math.isnan((%0).imag)" },
        { "isinf", "math.isinf((%0).real) or math.isinf((%0).imag)" },
        { "isfinite", "math.isfinite((%0).real) and math.isfinite((%0).imag)" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        if (strcmp(forms[i][0], name) == 0)
            return forms[i][1];
    return NULL;
}

/* A scalar stands for an array without axes, and comes back as a NumPy scalar. */
bool numpy_operand(Program *p, HostValue *value)
{
    HostArray *array;
    if (is_arrays(*value))
        return true;
    if (!host_array_from(p, *value, KJIT_DTYPE_NONE, &array))
        return false;
    *value = host_object(array);
    return true;
}

void numpy_scalars(HostValue *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i].kind != HOST_NUMBER && host_is_number(values[i])) {
            kjit_dtype dtype = host_dtype_of(values[i]);
            values[i].kind = HOST_NUMBER;
            values[i].dtype = dtype;
        }
}

bool store_out_of(Program *p, const char *name, const HostArgs *args, HostValue *out)
{
    const HostValue *to = args_named(args, "out");
    if (!to || to->kind == HOST_NONE)
        return true;
    if (to->kind != HOST_ARRAY)
        return host_fail(p, "TypeError", "return arrays must be of ArrayType");
    const HostValue value = *out;
    *out = *to;
    return host_same_kind(p, name, value, *to) && host_array_assign(p, to->array, value);
}

bool store_out(Program *p, const HostArgs *args, HostValue *out)
{
    return store_out_of(p, args->builtin ? args->builtin->name + strlen("np.") : "", args, out);
}

/* What has no meaning for bools, or gives integers of them. */
static bool of_bools(Program *p, const char *name, kjit_dtype *dtype)
{
    static const char *const none[] = { "negative", "positive", "sign" };
    if (*dtype != KJIT_DTYPE_BOOL)
        return true;
    if (TEXT_IS_AMONG(name, none))
        return host_fail(p, "TypeError", "ufunc '%s' has no loop for bool", name);
    if (strcmp(name, "square") == 0 || strcmp(name, "reciprocal") == 0)
        *dtype = KJIT_DTYPE_INT8;
    return true;
}

/* Python's number beside a scalar of NumPy's takes its dtype, as it does beside an array. */
static bool strengthen(Program *p, HostValue *operands, int count)
{
    kjit_dtype result;
    for (int i = 0; count == 2 && i < 2; i++) {
        if (operands[1 - i].kind != HOST_NUMBER || operands[i].kind == HOST_NUMBER)
            continue;
        const kjit_dtype dtype = dtype_operands(AST_ADD, operands[0], operands[1], &result);
        if (dtype == KJIT_DTYPE_NONE)
            return true;
        if (!host_fits(p, operands[i], dtype))
            return false;
        const kjit_arg scalar = host_scalar(operands[i]), cast = scalar_cast(&scalar, dtype);
        operands[i] = host_number(dtype, &cast);
    }
    return true;
}

/* The floats that each operand goes into by itself: those of an int16 and a uint16 have 32 bits,
** what both have in common 64. */
static kjit_dtype float_of(const HostValue *kinds, int count, kjit_dtype common)
{
    const kjit_dtype least = KJIT_DTYPE_FLOAT16;
    if (count < 2 || host_is_weak(kinds[0]) || host_is_weak(kinds[1]))
        return dtype_promote(common, least);
    return dtype_promote(dtype_promote(host_dtype_of(kinds[0]), least),
                         dtype_promote(host_dtype_of(kinds[1]), least));
}

bool numpy_apply(Program *p, const HostArgs *args, const char *form, Gives gives,
                 HostValue *operands, int count, HostValue *out)
{
    bool arrays = false;
    HostValue kinds[2];
    const char *name = args && args->builtin ? args->builtin->name + strlen("np.") : "";
    const bool truths = gives == GIVES_BOOL && (count == 2 || strcmp(name, "logical_not") == 0);
    for (int i = 0; i < count; i++) {
        if (!host_is_number(operands[i]) && !numpy_operand(p, &operands[i]))
            return false;
        if (truths && host_is_number(operands[i])) /* any number is true or false */
            operands[i] = host_bool(host_truth_of(operands[i]));
        arrays |= is_arrays(operands[i]);
    }
    if (!arrays && !strengthen(p, operands, count))
        return false;
    if (!arrays)
        numpy_scalars(operands, count);
    if (!arrays && scalar_function(name, operands, count, out))
        return true;
    if (!arrays && !numpy_operand(p, &operands[0]))
        return false;
    for (int i = 0; i < count; i++)
        kinds[i] = is_arrays(operands[i])
                       ? (HostValue){ .kind = HOST_NUMBER, .dtype = operand_dtype(operands[i]) }
                       : operands[i];
    kjit_dtype result, dtype = operand_dtype(operands[0]);
    if (count == 2)
        dtype = dtype_operands(AST_ADD, kinds[0], kinds[1], &result);
    if (strcmp(name, "fmod") == 0 && dtype_is_integer(dtype))
        return numpy_apply(p, NULL,
                           "%0 % %1 if %0 % %1 == 0 or (%0 < 0) == (%1 < 0) else %0 % %1 - %1",
                           GIVES_SAME, operands, count, out);
    if (!of_bools(p, name, &dtype))
        return false;
    if (strcmp(name, "reciprocal") == 0 && dtype_is_integer(dtype)) {
        form = "%0 if abs(%0) == 1 else 0"; /* 1 / %0 without what is behind the point */
        gives = GIVES_SAME;
    }
    if (gives == GIVES_FLOAT)
        dtype = float_of(kinds, count, dtype);
    if (gives == GIVES_ROUND && !dtype_is_float(dtype))
        form = "%0";
    if (truths)
        dtype = KJIT_DTYPE_BOOL;
    kjit_dtype given = gives == GIVES_BOOL ? KJIT_DTYPE_BOOL : dtype;
    if (dtype_is_complex(dtype) && *name) {
        form = complex_form(name);
        if (!form)
            return host_fail(p, "TypeError",
                             "ufunc '%s' not supported for the input types, and the inputs could "
                             "not be safely coerced to any supported types according to the "
                             "casting rule ''safe''",
                             name);
        given = strncmp(name, "abs", 3) == 0 ? dtype_part(dtype) : given;
    }
    if (!expression_new(p, form, dtype, given, operands, count, out))
        return false;
    return (arrays || host_settle(p, out)) && (!args || store_out(p, args, out));
}

static bool np_elementwise(Program *p, HostArgs *args, HostValue *out)
{
#define FORM(name, form, count, gives) { #name, form, count, GIVES_##gives },
    static const struct {
        const char *name, *form;
        int count;
        Gives gives;
    } forms[] = { ELEMENTWISE(FORM) };
    const char *name = args->builtin->name + strlen("np.");
    size_t i = 0;
    while (strcmp(forms[i].name, name) != 0)
        i++;
    return numpy_apply(p, args, forms[i].form, forms[i].gives, args->values, forms[i].count, out);
}

#define ROW(name, form, count, gives) { "np." #name, count, count, np_elementwise, "out" },
const HostBuiltin elementwise_functions[] = { ELEMENTWISE(ROW){ NULL, 0, 0, NULL, NULL } };

/* Arithmetic: of Python's numbers, of NumPy's scalars, and what operators do to texts and lists. */
#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

#include <math.h>

bool host_is_number(HostValue value)
{
    return value.kind == HOST_BOOL || value.kind == HOST_INT || value.kind == HOST_FLOAT ||
           value.kind == HOST_COMPLEX || value.kind == HOST_NUMBER;
}

/* A number, an int of any size among them. */
static bool is_counted(HostValue value)
{
    return host_is_number(value) || value.kind == HOST_WIDE;
}

bool host_is_integer(HostValue value)
{
    return value.kind == HOST_BOOL || value.kind == HOST_INT ||
           (value.kind == HOST_NUMBER && dtype_is_integer(value.dtype));
}

kjit_dtype host_dtype_of(HostValue value)
{
    return value.kind == HOST_BOOL      ? KJIT_DTYPE_BOOL
           : value.kind == HOST_INT     ? KJIT_DTYPE_INT64
           : value.kind == HOST_FLOAT   ? KJIT_DTYPE_FLOAT64
           : value.kind == HOST_COMPLEX ? KJIT_DTYPE_COMPLEX128
           : value.kind == HOST_NUMBER  ? value.dtype
                                        : KJIT_DTYPE_NONE;
}

kjit_arg host_scalar(HostValue value)
{
    kjit_arg scalar = { .kind = KJIT_ARG_SCALAR, .dtype = host_dtype_of(value) };
    if (dtype_is_complex(scalar.dtype)) {
        scalar.as.complex_parts[0] = value.number;
        scalar.as.complex_parts[1] = value.imaginary;
    } else if (dtype_is_float(scalar.dtype)) {
        scalar.as.number = value.number;
    } else {
        scalar.as.integer = value.integer;
    }
    return scalar;
}

HostValue host_number(kjit_dtype dtype, const kjit_arg *scalar)
{
    HostValue value = { .kind = HOST_NUMBER, .dtype = dtype };
    if (dtype_is_complex(dtype)) {
        value.number = scalar->as.complex_parts[0];
        value.imaginary = scalar->as.complex_parts[1];
    } else if (dtype_is_float(dtype)) {
        value.number = scalar->as.number;
    } else {
        value.integer = scalar->as.integer;
    }
    return value;
}

double host_as_double(HostValue value)
{
    const kjit_arg scalar = host_scalar(value);
    return scalar_cast(&scalar, KJIT_DTYPE_FLOAT64).as.number;
}

bool host_integer(Program *p, HostValue value, int64_t *integer)
{
    if (!object_number(p, "__index__", &value))
        return false;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (value.kind == HOST_WIDE)
        return host_lacks(p, "OverflowError", "cannot fit 'int' into an index-sized integer");
    if (!host_is_integer(value))
        return host_fail(p, "TypeError", "'%s' object cannot be interpreted as an integer",
                         host_type_name(p, value));
    *integer = value.integer;
    return true;
}

bool host_double(Program *p, HostValue value, double *number)
{
    if (!object_number(p, "__float__", &value))
        return false;
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (value.kind == HOST_WIDE)
        return wide_double(p, value, number);
    if (!host_is_number(value) || host_is_complex(value))
        return host_fail(p, "TypeError", "must be real number, not %s", host_type_name(p, value));
    *number = host_as_double(value);
    return true;
}

const char *host_type_name(Program *p, HostValue value)
{
    static const char *const names[HOST_KINDS] = {
        [HOST_NONE] = "NoneType",
        [HOST_BOOL] = "bool",
        [HOST_INT] = "int",
        [HOST_FLOAT] = "float",
        [HOST_COMPLEX] = "complex",
        [HOST_DTYPE] = "type",
        [HOST_TYPE] = "Type",
        [HOST_ELLIPSIS] = "ellipsis",
        [HOST_MODULE] = "module",
        [HOST_FILE] = "module",
        [HOST_FOREIGN] = "module",
        [HOST_DEVICE] = "device",
        [HOST_FLAGS] = "numpy.flagsobj",
        [HOST_BUILTIN] = "builtin_function_or_method",
        [HOST_EXCEPTION_CLASS] = "type",
        [HOST_CLASS] = "type",
        [HOST_STRING] = "str",
        [HOST_TUPLE] = "tuple",
        [HOST_LIST] = "list",
        [HOST_SET] = "set",
        [HOST_FROZEN_SET] = "frozenset",
        [HOST_RANGE] = "range",
        [HOST_SLICE] = "slice",
        [HOST_ARRAY] = "numpy.ndarray",
        [HOST_EXPRESSION] = "numpy.ndarray",
        [HOST_KERNEL] = "kernel",
        [HOST_LAUNCH] = "launch",
        [HOST_UFUNC] = "ufunc",
        [HOST_STREAM] = "stream",
        [HOST_EVENT] = "event",
        [HOST_FUNCTION] = "function",
        [HOST_METHOD] = "builtin_function_or_method",
        [HOST_PARTIAL] = "functools.partial",
        [HOST_SUPER] = "super",
        [HOST_WIDE] = "int",
    };
    if (class_of(value))
        return class_of(value)->name;
    if (value.kind == HOST_NUMBER)
        return arena_printf(&p->scratch, "numpy.%s", kjit_dtype_name(value.dtype));
    if (value.kind == HOST_GENERATOR)
        return value.generator->source.modern ? "numpy.random._generator.Generator"
                                              : "numpy.random.mtrand.RandomState";
    if (value.kind == HOST_LIMITS)
        return dtype_is_float(value.dtype) ? "finfo" : "iinfo";
    if (value.kind == HOST_EXCEPTION)
        return value.exception->class_;
    if (value.kind == HOST_PRODUCER)
        return value.producer->class_;
    if (value.kind == HOST_DICT)
        return value.dict->form == DICT_COUNTER ? "Counter" : dict_path(value.dict);
    if (value.kind == HOST_VIEW)
        return value.view->of == VIEW_KEYS     ? "dict_keys"
               : value.view->of == VIEW_VALUES ? "dict_values"
                                               : "dict_items";
    return names[value.kind] ? names[value.kind] : "object";
}

HostValue host_nan(Program *p)
{
    HostValue value = host_float((double)NAN);
    value.integer |= (int64_t)(++p->nan_count) << 8;
    return value;
}

/* ---- Python's numbers ----------------------------------------------------------------------- */

static bool by_zero(Program *p, AstOp op, bool floats)
{
    const char *text = op == AST_DIV        ? floats ? "float division by zero" : "division by zero"
                       : op == AST_FLOORDIV ? floats ? "float floor division by zero"
                                                     : "integer division or modulo by zero"
                       : floats             ? "float modulo"
                                            : "integer modulo by zero";
    return host_fail(p, "ZeroDivisionError", "%s", text);
}

static bool python_power(Program *p, double a, double b, HostValue *out)
{
    if (a == 0 && b < 0)
        return host_fail(p, "ZeroDivisionError", "0.0 cannot be raised to a negative power");
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b))
        return complex_python(p, AST_POW, host_float(a), host_float(b), out);
    double result = pow(a, b);
    if (isinf(result) && isfinite(a) && isfinite(b))
        return host_fail(p, "OverflowError", "(34, 'Numerical result out of range')");
    return host_give(out, host_float(result));
}

static bool no_operator(Program *p, AstOp op, HostValue a, HostValue b, const char *suffix)
{
    const char *sign = op == AST_POW && !*suffix ? "** or pow()" : ast_op_spelling(op);
    return host_fail(p, "TypeError", "unsupported operand type(s) for %s%s: '%s' and '%s'", sign,
                     suffix, host_type_name(p, a), host_type_name(p, b));
}

/* Whether a float is no other number than an int. */
static bool exact(HostValue integer)
{
    return integer.integer >= -(1LL << 53) && integer.integer <= 1LL << 53;
}

static bool python_numbers(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    bool floats = a.kind == HOST_FLOAT || b.kind == HOST_FLOAT;
    const kjit_arg left = host_scalar(a), right = host_scalar(b);
    kjit_arg result;
    if (a.kind == HOST_COMPLEX || b.kind == HOST_COMPLEX)
        return complex_python(p, op, a, b, out);
    if (op == AST_POW && (floats || b.integer < 0))
        return python_power(p, host_as_double(a), host_as_double(b), out);
    if ((op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD) && host_as_double(b) == 0)
        return by_zero(p, op, floats);
    if ((op == AST_LSHIFT || op == AST_RSHIFT) && !floats && b.integer < 0)
        return host_fail(p, "ValueError", "negative shift count");
    if (op == AST_DIV && !floats && (!exact(a) || !exact(b)))
        return wide_binary(p, op, a, b, out);
    if (!value_binary(op, &left, &right, &result))
        return floats ? no_operator(p, op, a, b, "") : wide_binary(p, op, a, b, out);
    bool bits = op == AST_BITAND || op == AST_BITOR || op == AST_BITXOR;
    if (dtype_is_float(result.dtype))
        *out = isnan(result.as.number) ? host_nan(p) : host_float(result.as.number);
    else if (bits && a.kind == HOST_BOOL && b.kind == HOST_BOOL)
        *out = host_bool(result.as.integer);
    else
        *out = host_int(result.as.integer);
    return true;
}

/* ---- NumPy's scalars ------------------------------------------------------------------------ */

/* What 64 bits cannot hold, or has no answer: dividing by 0 gives 0, the least integer by -1 is
** itself, and a shift by fewer bits than none leaves nothing but signs. */
static kjit_arg compute_odd(AstOp op, kjit_dtype dtype, kjit_arg a, kjit_arg b)
{
    if (dtype_is_float(dtype) && op == AST_DIV)
        return kjit_arg_float64(a.as.number / b.as.number);
    if (dtype_is_float(dtype))
        return kjit_arg_float64(op == AST_FLOORDIV ? a.as.number / b.as.number : (double)NAN);
    if (op == AST_FLOORDIV && b.as.integer)
        return a;
    return kjit_arg_int64(op == AST_RSHIFT && a.as.integer < 0 ? -1 : 0);
}

/* Integers wrap; floats divide by 0. */
static kjit_arg compute(AstOp op, kjit_dtype dtype, kjit_arg a, kjit_arg b)
{
    bool wraps = dtype == KJIT_DTYPE_INT64 && (op == AST_ADD || op == AST_SUB || op == AST_MUL ||
                                               op == AST_POW || op == AST_LSHIFT);
    kjit_dtype in = wraps ? KJIT_DTYPE_UINT64 : dtype;
    kjit_arg result = { 0 };
    a = scalar_cast(&a, in);
    b = scalar_cast(&b, in);
    if (!value_binary(op, &a, &b, &result))
        result = compute_odd(op, dtype, a, b);
    return scalar_cast(&result, dtype);
}

bool dtype_holds(kjit_dtype dtype, HostValue value)
{
    const kjit_arg scalar = host_scalar(value);
    if (value.kind != HOST_INT || !dtype_is_integer(dtype))
        return true;
    const kjit_arg cast = scalar_cast(&scalar, dtype);
    return cast.as.integer == value.integer && (dtype != KJIT_DTYPE_UINT64 || value.integer >= 0);
}

bool host_fits(Program *p, HostValue value, kjit_dtype dtype)
{
    if (value.kind == HOST_FLOAT && dtype_is_integer(dtype) && !isfinite(value.number))
        return host_whole(p, value.number, &value);
    if (host_is_complex(value) && !dtype_is_complex(dtype))
        return host_fail(p, "TypeError",
                         dtype_is_integer(dtype)
                             ? "int() argument must be a string, a bytes-like object or a real "
                               "number, not '%s'"
                             : "float() argument must be a string or a real number, not '%s'",
                         host_type_name(p, value));
    return dtype_holds(dtype, value) ||
           host_fail(p, "OverflowError", "Python integer %lld out of bounds for %s",
                     (long long)value.integer, kjit_dtype_name(dtype));
}

static HostValue complex_numbers(AstOp op, kjit_dtype dtype, HostValue a, HostValue b)
{
    kjit_arg left = host_scalar(a), right = host_scalar(b);
    left = scalar_cast(&left, dtype);
    right = scalar_cast(&right, dtype);
    const Complex result = complex_numpy(op, dtype, host_parts(host_number(dtype, &left)),
                                         host_parts(host_number(dtype, &right)));
    return (HostValue){
        .kind = HOST_NUMBER, .dtype = dtype, .number = result.real, .imaginary = result.imaginary
    };
}

/* Numbers of which one is an int beyond 64 bits: what meets NumPy's is of the dtype that it meets,
** what meets a float of Python's a float. */
static bool wide_numbers(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    const HostValue other = a.kind == HOST_WIDE ? b : a;
    HostValue *const wide = a.kind == HOST_WIDE ? &a : &b;
    const bool shifts = op == AST_LSHIFT || op == AST_RSHIFT;
    if (host_is_whole(other))
        return wide_binary(p, op, a, b, out);
    if (other.kind != HOST_NUMBER && (shifts || !wide_as(p, KJIT_DTYPE_FLOAT64, wide)))
        return !p->failed && no_operator(p, op, a, b, "");
    if (other.kind == HOST_NUMBER && !wide_as(p, other.dtype, wide))
        return false;
    return host_binary(p, op, a, b, out);
}

static bool numpy_numbers(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    kjit_dtype result, dtype = dtype_operands(op, a, b, &result);
    if (dtype == KJIT_DTYPE_NONE)
        return no_operator(p, op, a, b, "");
    if (!host_fits(p, a, dtype) || !host_fits(p, b, dtype))
        return false;
    if (op == AST_POW && dtype_is_integer(dtype) && b.integer < 0 && dtype != KJIT_DTYPE_UINT64)
        return host_fail(p, "ValueError", "Integers to negative integer powers are not allowed.");
    if (dtype_is_complex(dtype))
        return host_give(out, complex_numbers(op, dtype, a, b));
    const kjit_arg scalar = compute(op, dtype, host_scalar(a), host_scalar(b));
    return host_give(out, host_number(result, &scalar));
}

/* ---- texts and lists ------------------------------------------------------------------------ */

static bool is_sequence(HostValue value)
{
    return value.kind == HOST_STRING || value.kind == HOST_LIST || value.kind == HOST_TUPLE;
}

static bool join(Program *p, HostValue a, HostValue b, HostValue *out)
{
    if (a.kind == HOST_STRING) {
        *out = host_string(p, NULL, a.string->length + b.string->length);
        memcpy(out->string->text, a.string->text, a.string->length);
        memcpy(out->string->text + a.string->length, b.string->text, b.string->length);
        return true;
    }
    *out = host_items(p, a.kind, a.list->items, a.list->count);
    for (size_t i = 0, count = b.list->count; i < count; i++)
        host_append(p, out->list, b.list->items[i]);
    return true;
}

static bool repeat(Program *p, HostValue a, int64_t times, HostValue *out)
{
    size_t length = a.kind == HOST_STRING ? a.string->length : a.list->count;
    times = times > 0 ? times : 0;
    if (length && times > (int64_t)(HOST_ITEMS_MOST / length))
        return host_lacks(p, "MemoryError", "%zu items %lld times are too many", length,
                          (long long)times);
    if (a.kind == HOST_STRING) {
        *out = host_string(p, NULL, length * (size_t)times);
        for (int64_t i = 0; i < times; i++)
            memcpy(out->string->text + (size_t)i * length, a.string->text, length);
        return true;
    }
    *out = host_items(p, a.kind, NULL, 0);
    for (int64_t i = 0; i < times; i++)
        for (size_t k = 0; k < length; k++)
            host_append(p, out->list, a.list->items[k]);
    return true;
}

static bool sequences(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    if (op == AST_ADD && is_sequence(a)) {
        if (a.kind == b.kind)
            return join(p, a, b, out);
        return host_fail(p, "TypeError", "can only concatenate %s (not \"%s\") to %s",
                         host_type_name(p, a), host_type_name(p, b), host_type_name(p, a));
    }
    if (op == AST_MUL && (a.kind == HOST_WIDE || b.kind == HOST_WIDE))
        return host_fail(p, "OverflowError", "cannot fit 'int' into an index-sized integer");
    if (op == AST_MUL && is_sequence(a) && host_is_integer(b))
        return repeat(p, a, b.integer, out);
    if (op == AST_MUL && is_sequence(b) && host_is_integer(a))
        return repeat(p, b, a.integer, out);
    if (op == AST_MUL)
        return host_fail(p, "TypeError", "can't multiply sequence by non-int of type '%s'",
                         host_type_name(p, is_sequence(a) ? b : a));
    return no_operator(p, op, a, b, "");
}

bool host_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    bool text = op == AST_MOD && a.kind == HOST_STRING;
    if ((a.kind == HOST_FOREIGN || b.kind == HOST_FOREIGN) && !text)
        return foreign_needed(p, a.kind == HOST_FOREIGN ? a : b);
    const bool objects = a.kind == HOST_INSTANCE || b.kind == HOST_INSTANCE;
    const bool tuples = (a.kind == HOST_TUPLE && class_of(a)) || /* with operators of their own */
                        (b.kind == HOST_TUPLE && class_of(b) && a.kind != HOST_NUMBER);
    if ((objects || tuples) && !text && !is_arrays(a)) {
        if (host_settle(p, &b) && object_binary(p, op, a, b, out))
            return true;
        if (p->failed || objects)
            return !p->failed && no_operator(p, op, a, b, "");
    }
    if ((is_arrays(a) || is_arrays(b)) && !text)
        return op == AST_MATMUL ? host_array_product(p, a, b, out)
                                : host_array_binary(p, op, a, b, out);
    if (text)
        return host_settle(p, &b) && host_percent(p, a.string, b, out);
    if (enum_flags(p, op, a, b, out))
        return true;
    if (host_is_number(a) && host_is_number(b) && op != AST_MATMUL) {
        bool numpy = a.kind == HOST_NUMBER || b.kind == HOST_NUMBER;
        return (numpy ? numpy_numbers : python_numbers)(p, op, a, b, out);
    }
    if ((a.kind == HOST_WIDE && is_counted(b)) || (b.kind == HOST_WIDE && is_counted(a)))
        return op == AST_MATMUL ? no_operator(p, op, a, b, "") : wide_numbers(p, op, a, b, out);
    if (is_sequence(a) || is_sequence(b))
        return sequences(p, op, a, b, out);
    if (host_set_binary(p, op, a, b, out) || (!p->failed && dict_binary(p, op, a, b, out)))
        return true;
    return !p->failed && no_operator(p, op, a, b, "");
}

/* Bools, unsigned and signed integers, floats, complex numbers: what is stored in place may not be
** of a later one than what it is stored in. */
static int rank_of_kind(kjit_dtype dtype)
{
    return dtype == KJIT_DTYPE_BOOL   ? 0
           : dtype_is_complex(dtype)  ? 4
           : !dtype_is_integer(dtype) ? 3
           : dtype < KJIT_DTYPE_UINT8 ? 2
                                      : 1;
}

const char *ufunc_name(AstOp op)
{
    static const char *const names[AST_OP_COUNT] = {
        [AST_ADD] = "add",
        [AST_SUB] = "subtract",
        [AST_MUL] = "multiply",
        [AST_DIV] = "divide",
        [AST_FLOORDIV] = "floor_divide",
        [AST_MOD] = "remainder",
        [AST_POW] = "power",
        [AST_LSHIFT] = "left_shift",
        [AST_RSHIFT] = "right_shift",
        [AST_BITAND] = "bitwise_and",
        [AST_BITOR] = "bitwise_or",
        [AST_BITXOR] = "bitwise_xor",
        [AST_MATMUL] = "matmul",
        [AST_LT] = "less",
        [AST_LE] = "less_equal",
        [AST_GT] = "greater",
        [AST_GE] = "greater_equal",
    };
    return names[op];
}

bool host_same_kind(Program *p, const char *ufunc, HostValue result, HostValue to)
{
    kjit_dtype from = operand_dtype(result), dtype = operand_dtype(to);
    return rank_of_kind(from) <= rank_of_kind(dtype) ||
           host_fail(p, "numpy._core._exceptions._UFuncOutputCastingError",
                     "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting "
                     "rule 'same_kind'",
                     ufunc, kjit_dtype_name(from), kjit_dtype_name(dtype));
}

bool host_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    HostValue items;
    if (a.kind == HOST_INSTANCE) {
        if (host_settle(p, &b) && object_in_place(p, op, a, b, out))
            return true;
        return !p->failed && host_binary(p, op, a, b, out);
    }
    if (a.kind == HOST_ARRAY) {
        *out = a;
        return host_binary(p, op, a, b, &items) && host_same_kind(p, ufunc_name(op), items, a) &&
               host_array_assign(p, a.array, items);
    }
    if (is_arrays(b))
        return host_binary(p, op, a, b, out) && host_settle(p, out);
    if (op == AST_ADD && a.kind == HOST_LIST) {
        if (!host_collect(p, HOST_LIST, b, &items))
            return false;
        for (size_t i = 0; i < items.list->count; i++)
            host_append(p, a.list, items.list->items[i]);
        return host_give(out, a);
    }
    if (op == AST_MUL && a.kind == HOST_LIST) {
        if (!host_binary(p, op, a, b, &items))
            return false;
        const HostList made = *items.list;
        *items.list = *a.list;
        items.list->head = made.head;
        a.list->items = made.items;
        a.list->count = made.count;
        a.list->capacity = made.capacity;
        return host_give(out, a);
    }
    if (is_set(a))
        return host_set_augmented(p, op, a, b, out) ||
               (!p->failed && no_operator(p, op, a, b, "="));
    if (a.kind == HOST_DICT)
        return dict_augmented(p, op, a, b, out) || (!p->failed && no_operator(p, op, a, b, "="));
    bool known = (is_counted(a) && is_counted(b)) || is_sequence(a) ||
                 (op == AST_MUL && is_sequence(b)) || enum_has_flags(a) ||
                 b.kind == HOST_INSTANCE || (b.kind == HOST_TUPLE && class_of(b));
    return known ? host_binary(p, op, a, b, out) : no_operator(p, op, a, b, "=");
}

bool host_unary(Program *p, AstOp op, HostValue a, HostValue *out)
{
    kjit_arg result;
    if (is_arrays(a))
        return host_array_unary(p, op, a, out);
    if (object_unary(p, op, a, out))
        return true;
    if (p->failed)
        return false;
    if (op == AST_INVERT && enum_flags(p, op, a, host_int(0), out))
        return true;
    if (a.kind == HOST_WIDE || (op == AST_NEG && a.kind == HOST_INT && a.integer == INT64_MIN))
        return wide_unary(p, op, a, out);
    if (!host_is_number(a) || (op == AST_INVERT && !host_is_integer(a) &&
                               !(a.kind == HOST_NUMBER && a.dtype == KJIT_DTYPE_BOOL)))
        return host_fail(p, "TypeError", "bad operand type for unary %s: '%s'",
                         op == AST_NEG   ? "-"
                         : op == AST_POS ? "+"
                                         : "~",
                         host_type_name(p, a));
    kjit_arg scalar = host_scalar(a);
    if (op == AST_NEG && a.kind == HOST_NUMBER && a.dtype == KJIT_DTYPE_BOOL)
        return host_array_unary(p, op, a, out);
    if (a.kind == HOST_NUMBER) {
        value_unary(op == AST_INVERT && a.dtype == KJIT_DTYPE_BOOL ? AST_NOT : op, &scalar,
                    &result);
        result = scalar_cast(&result, a.dtype);
        return host_give(out, host_number(a.dtype, &result));
    }
    value_unary(op, &scalar, &result);
    return host_give(out, a.kind == HOST_COMPLEX
                              ? host_complex(result.as.complex_parts[0], result.as.complex_parts[1])
                          : a.kind == HOST_FLOAT ? host_float(result.as.number)
                                                 : host_int(result.as.integer));
}

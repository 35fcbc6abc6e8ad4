/* The functions of value expressions.
**
** Each has a row in `functions` with its parameters as Python would write them; binding by
** position and by name is the same for all. */
#include "runtime/values/call.h"

#include <string.h>

static const ValueFunction functions[] = {
    { "zeros", { "shape", "dtype", "order" }, 1, make_zeros },
    { "ones", { "shape", "dtype", "order" }, 1, make_ones },
    { "empty", { "shape", "dtype", "order" }, 1, make_empty },
    { "full", { "shape", "fill_value", "dtype", "order" }, 2, make_full },
    { "arange", { "start", "stop", "step", "dtype" }, 1, make_arange },
    { "linspace", { "start", "stop", "num", "dtype", "endpoint" }, 2, make_linspace },
    { "normal", { "size|shape", "seed", "dtype", "mean|loc", "std|scale" }, 1, make_normal },
    { "uniform", { "size|shape", "seed", "dtype", "low", "high" }, 1, make_uniform },
    { "randint", { "low", "high", "size|shape", "seed", "dtype" }, 3, make_randint },
    { "create_xoroshiro128p_states", { "n", "seed", "subsequence_start" }, 1, make_states },
    { "array", { "object", "dtype" }, 1, make_array_of },
    { "ndarray", { "shape", "dtype", "buffer", "offset", "strides" }, 3, make_ndarray },
    { "readonly", { "array" }, 1, make_readonly },
    { "load", { "file", "key", "dtype", "shape" }, 1, make_load },
    { "reshape", { "array", "shape", "", "", "", "", "", "" }, 2, make_reshape },
    { "transpose", { "array" }, 1, make_transpose },
    { "astype", { "array", "dtype" }, 2, make_astype },
    { "copy", { "array" }, 1, make_copy },
    { "len", { "array" }, 1, make_len },
    { "datetime64", { "value", "unit" }, 1, make_time },
    { "timedelta64", { "value", "unit" }, 1, make_time },
};

static const ValueFunction methods[] = {
    { "reshape", { "shape", "", "", "", "", "", "", "" }, 1, make_reshape },
    { "astype", { "dtype" }, 1, make_astype },
    { "view", { "dtype" }, 1, make_view },
    { "transpose", { NULL }, 0, make_transpose },
    { "copy", { NULL }, 0, make_copy },
};

kjit_dtype value_dtype_named(const char *name)
{
    static const struct {
        const char *name;
        kjit_dtype dtype;
    } pythons[] = {
        { "bool", KJIT_DTYPE_BOOL },          { "bool_", KJIT_DTYPE_BOOL },
        { "int", KJIT_DTYPE_INT64 },          { "float", KJIT_DTYPE_FLOAT64 },
        { "complex", KJIT_DTYPE_COMPLEX128 }, { "half", KJIT_DTYPE_FLOAT16 },
        { "single", KJIT_DTYPE_FLOAT32 },     { "double", KJIT_DTYPE_FLOAT64 },
    };

    for (size_t i = 0; i < ARRAY_COUNT(pythons); i++) {
        if (strcmp(pythons[i].name, name) == 0)
            return pythons[i].dtype;
    }
    const Type *type = type_by_name(name);
    if (!type)
        type = type_time_by_name(name);
    return type ? type_dtype(type) : KJIT_DTYPE_NONE;
}

/* The parts of complex64(1.5, -2): real and imaginary. */
static bool construct_parts(Eval *eval, const AstExprs *args, kjit_dtype dtype, Value *out)
{
    out->kind = VALUE_ARG;
    out->arg = (kjit_arg){ .kind = KJIT_ARG_SCALAR, .dtype = dtype };
    for (int i = 0; i < 2; i++) {
        Value part;
        if (!value_eval(eval, args->items[i], &part))
            return false;
        if (part.kind != VALUE_ARG || part.arg.kind != KJIT_ARG_SCALAR ||
            dtype_is_complex(part.arg.dtype)) {
            diag_error(eval->diags, args->items[i]->span, "a real number is needed here");
            return false;
        }
        out->arg.as.complex_parts[i] = scalar_cast(&part.arg, KJIT_DTYPE_FLOAT64).as.number;
    }
    return true;
}

/* float32(-4): a dtype called with a number. */
bool value_construct(Eval *eval, const AstExpr *call, kjit_dtype dtype, Value *out)
{
    Value value = { 0 };
    const AstExprs *args = &call->call.args;

    if (args->count == 2 && !call->call.keyword_count && dtype_is_complex(dtype))
        return construct_parts(eval, args, dtype, out);
    if (args->count > 1 || call->call.keyword_count) {
        diag_error(eval->diags, call->span, "%s takes one number", kjit_dtype_name(dtype));
        return false;
    }
    out->kind = VALUE_ARG;
    out->arg = kjit_arg_int64(0);
    if (args->count) {
        if (!value_eval(eval, args->items[0], &value))
            return false;
        if (value.kind != VALUE_ARG || value.arg.kind != KJIT_ARG_SCALAR) {
            diag_error(eval->diags, args->items[0]->span, "a number is needed here");
            return false;
        }
        out->arg = value.arg;
    }
    out->arg = scalar_cast(&out->arg, dtype);
    return true;
}

static const ValueFunction *find(const ValueFunction *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

const ValueFunction *value_function(const char *name)
{
    return find(functions, ARRAY_COUNT(functions), name);
}

/* What somebody who knows NumPy looks for, and what to write. */
static const char *written_instead(const char *name)
{
    static const struct {
        const char *name, *instead;
    } table[] = {
        { "random", "uniform(n)" },
        { "rand", "uniform(n)" },
        { "random_sample", "uniform(n)" },
        { "randn", "normal(n)" },
        { "standard_normal", "normal(n)" },
        { "integers", "randint(low, high, n)" },
        { "asarray", "array(object)" },
        { "range", "arange(n)" },
        { "zeros_like", "zeros(x.shape, dtype=x.dtype)" },
        { "ones_like", "ones(x.shape, dtype=x.dtype)" },
        { "empty_like", "empty(x.shape, dtype=x.dtype)" },
        { "full_like", "full(x.shape, v, dtype=x.dtype)" },
    };

    for (size_t i = 0; i < ARRAY_COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].instead;
    return NULL;
}

/* Says what there is. */
static void list_functions(Eval *eval, const char **list, size_t count, const char *what)
{
    Buf names;

    buf_init(&names, eval->arena);
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", list[i]);
    diag_note(eval->diags, (Span){ 0 }, "%s: %s", what, buf_text(&names));
}

static bool unknown_function(Eval *eval, const AstExpr *call, const char *name, bool method)
{
    enum { NAMES_MOST = 128 };
    const ValueFunction *list = method ? methods : functions;
    size_t count = method ? ARRAY_COUNT(methods) : ARRAY_COUNT(functions);
    const char *names[NAMES_MOST], *what = method ? "method" : "function", *number;
    const char *instead = method ? NULL : written_instead(name);
    Span span = call->call.function->span;

    for (size_t i = 0; i < count; i++)
        names[i] = list[i].name;
    for (size_t i = 0; !method && (number = value_number_function(i)) != NULL; i++)
        names[count++] = number;
    const char *near = instead ? NULL : diag_nearest(name, names, count);
    if (instead)
        diag_error(eval->diags, span, "there is no %s '%s': write %s", what, name, instead);
    else if (near)
        diag_error(eval->diags, span, "there is no %s '%s'; did you mean '%s'?", what, name, near);
    else
        diag_error(eval->diags, span, "there is no %s '%s'", what, name);
    if (!near && !instead)
        list_functions(eval, names, count,
                       method ? "arrays have the methods" : "a value may call any dtype, and");
    return false;
}

bool value_call(Eval *eval, const AstExpr *expr, const char *name, const Value *self, Value *out)
{
    kjit_dtype dtype = self ? KJIT_DTYPE_NONE : value_dtype_named(name);
    const ValueFunction *function = self ? find(methods, ARRAY_COUNT(methods), name)
                                         : find(functions, ARRAY_COUNT(functions), name);
    ValueCall call = { .eval = eval, .expr = expr, .name = name, .self = self };

    if (dtype != KJIT_DTYPE_NONE && !dtype_is_time(dtype))
        return value_construct(eval, expr, dtype, out);
    for (size_t i = 0; !self && !function && value_number_function(i); i++) {
        if (strcmp(value_number_function(i), name) == 0)
            return value_number_call(eval, expr, name, out);
    }
    if (!function)
        return unknown_function(eval, expr, name, self != NULL);
    if (!call_bind(&call, function) || !function->make(&call, out))
        return false;
    out->span = expr->span;
    return true;
}

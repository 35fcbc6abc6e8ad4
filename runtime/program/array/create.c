/* Arrays that functions of value expressions make: zeros, arange, load, random ones. They are those
** of @example and of the command line; here arguments are brought to them. */
#include "runtime/program/arrays.h"
#include "runtime/values/call.h"

#include <string.h>

static bool to_scalar(HostValue value, kjit_arg *out)
{
    *out = host_scalar(value);
    return host_is_number(value);
}

static bool to_tuple(Program *p, const HostList *list, kjit_arg *out)
{
    kjit_arg *items = arena_array(&p->scratch, kjit_arg, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        if (!to_scalar(list->items[i], &items[i]))
            return host_fail(p, "TypeError", "'%s' object cannot be interpreted as an integer",
                             host_type_name(p, list->items[i]));
    *out = kjit_arg_tuple(items, list->count);
    return true;
}

static bool to_value(Program *p, HostValue value, Value *out)
{
    out->kind = VALUE_ARG;
    if (value.kind == HOST_NONE) {
        out->kind = VALUE_NONE;
    } else if (value.kind == HOST_STRING) {
        out->kind = VALUE_STRING;
        out->text = value.string->text;
    } else if (value.kind == HOST_DTYPE || value.kind == HOST_BUILTIN) {
        out->kind = VALUE_DTYPE;
        return dtype_from(p, value, &out->dtype);
    } else if (value.kind == HOST_TUPLE || value.kind == HOST_LIST) {
        return to_tuple(p, value.list, &out->arg);
    } else if (!to_scalar(value, &out->arg)) {
        return host_fail(p, "TypeError", "a number is needed here, not '%s'",
                         host_type_name(p, value));
    }
    return true;
}

static bool bind(Program *p, const ValueFunction *function, const HostArgs *args, ValueCall *call)
{
    for (int i = 0; i < ARGS_MAX && function->params[i]; i++) {
        const HostValue *given = (size_t)i < args->count ? &args->values[i] : NULL;
        for (size_t k = 0; k < args->named_count; k++)
            if (param_called(function->params[i], args->names[k]))
                given = &args->named[k];
        if (given && !to_value(p, *given, &call->args[i]))
            return false;
        if (!given && i < function->required)
            return host_fail(p, "TypeError", "%s() missing required argument '%.*s' (pos %d)",
                             function->name, (int)strcspn(function->params[i], "|"),
                             function->params[i], i + 1);
    }
    return true;
}

/* Takes the array's memory from the values, in whose list it comes first. */
static HostValue adopt(Program *p, const kjit_array *view)
{
    ValueBlock *block = p->values->blocks;
    kjit_array array = *view;
    HostBlock *own =
        block_adopt(p, block->raw, block->begin, (uint64_t)(block->end - block->begin));
    p->values->blocks = block->next;
    memory_free(block);
    own->unwritten = (array.flags & KJIT_UNWRITTEN) != 0;
    array.flags = 0;
    return host_object(host_array_of(p, own, &array));
}

static bool complain(Program *p, const Diags *diags, kjit_status status)
{
    const char *message = diags->count ? diags->list[0].message : "the call is wrong";
    const char *class_ = status == KJIT_FILE     ? "FileNotFoundError"
                         : status == KJIT_MEMORY ? "MemoryError"
                                                 : "ValueError";
    return host_fail(p, class_, "%s", message);
}

static bool create(Program *p, HostArgs *args, HostValue *out)
{
    const char *dot = strrchr(args->builtin->name, '.');
    const ValueFunction *function = value_function(dot ? dot + 1 : args->builtin->name);
    static const AstExpr nowhere = { .kind = AST_CALL };
    Diags diags;
    Value made = { .kind = VALUE_MISSING };
    diags_init(&diags, &p->scratch);
    Eval eval = {
        .arena = &p->scratch, .diags = &diags, .values = p->values, .status = KJIT_ARGUMENT
    };
    ValueCall call = { .eval = &eval, .expr = &nowhere, .name = function->name };
    if (!bind(p, function, args, &call))
        return false;
    if (!function->make(&call, &made))
        return complain(p, &diags, eval.status);
    *out = adopt(p, &made.arg.as.array);
    return strcmp(function->name, "full") != 0 ||
           host_fits(p, args_get(args, 1, "fill_value", host_none()), out->array->view.dtype);
}

/* ---- like others ---------------------------------------------------------------------------- */

static bool like(Program *p, const HostArgs *args, HostArray **out)
{
    HostArray *array;
    if (!host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
        return false;
    kjit_dtype dtype = array->view.dtype;
    return dtype_from(p, args_get(args, SIZE_MAX, "dtype", host_none()), &dtype) &&
           host_array_new(p, dtype, array->view.rank, array->view.shape, true, out);
}

static bool filled(Program *p, const HostArgs *args, HostValue fill, HostValue *out)
{
    HostArray *array;
    if (!like(p, args, &array))
        return false;
    *out = host_object(array);
    return fill.kind == HOST_NONE || host_array_assign(p, array, fill);
}

static bool zeros_like(Program *p, HostArgs *args, HostValue *out)
{
    return filled(p, args, host_none(), out);
}

static bool ones_like(Program *p, HostArgs *args, HostValue *out)
{
    return filled(p, args, host_int(1), out);
}

static bool empty_like(Program *p, HostArgs *args, HostValue *out)
{
    if (!filled(p, args, host_none(), out))
        return false;
    out->array->block->unwritten = true;
    return true;
}

static bool full_like(Program *p, HostArgs *args, HostValue *out)
{
    return filled(p, args, args->values[1], out);
}

/* ---- of lists and arrays -------------------------------------------------------------------- */

static bool from_list(Program *p, HostArgs *args, bool copies, HostValue *out)
{
    HostArray *array;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    if (!dtype_from(p, args_get(args, 1, "dtype", host_none()), &dtype) ||
        !host_array_from(p, args->values[0], dtype, &array))
        return false;
    bool same = args->values[0].kind == HOST_ARRAY && args->values[0].array == array;
    if (same && copies && !host_array_copy_as(p, array, array->view.dtype, &array))
        return false;
    *out = host_object(array);
    return true;
}

static bool np_ndarray(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    (void)out;
    return host_fail(p, "NotImplementedError", "write np.empty(), np.zeros() or np.array()");
}

static bool np_array(Program *p, HostArgs *args, HostValue *out)
{
    return from_list(p, args, true, out);
}

static bool np_asarray(Program *p, HostArgs *args, HostValue *out)
{
    return from_list(p, args, false, out);
}

static bool np_eye(Program *p, HostArgs *args, HostValue *out)
{
    int64_t shape[2], above;
    kjit_dtype dtype = KJIT_DTYPE_FLOAT64;
    HostArray *array;
    HostValue columns = args_get(args, 1, "M", host_none());
    if (columns.kind == HOST_NONE)
        columns = args->values[0];
    if (!host_integer(p, args->values[0], &shape[0]) || !host_integer(p, columns, &shape[1]) ||
        !host_integer(p, args_get(args, 2, "k", host_int(0)), &above) ||
        !dtype_from(p, args_get(args, 3, "dtype", host_none()), &dtype))
        return false;
    if (!host_array_new(p, dtype, 2, shape, true, &array))
        return false;
    kjit_arg one = kjit_arg_int64(1);
    one = scalar_cast(&one, dtype);
    for (int64_t row = 0; row < shape[0]; row++)
        if (row + above >= 0 && row + above < shape[1])
            scalar_store(&one, (char *)array->view.data + row * array->view.strides[0] +
                                   (row + above) * array->view.strides[1]);
    *out = host_object(array);
    return true;
}

static bool np_identity(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs call = *args;
    call.count = 1;
    return np_eye(p, &call, out);
}

/* What is joined, as arrays that differ along the axis alone; their dtype and the whole's shape. */
static bool measure_parts(Program *p, HostList *parts, int64_t *axis, kjit_dtype *dtype,
                          int64_t *shape)
{
    int64_t total = 0;
    for (size_t i = 0; i < parts->count; i++) {
        HostArray *array;
        if (!host_array_from(p, parts->items[i], KJIT_DTYPE_NONE, &array))
            return false;
        parts->items[i] = host_object(array);
        const kjit_array *view = &array->view, *first = &parts->items[0].array->view;
        if (!view->rank)
            return host_fail(p, "ValueError", "zero-dimensional arrays cannot be concatenated");
        if (!i && !index_wrap(axis, view->rank))
            return host_fail(p, "AxisError", "axis %lld is out of bounds for array of dimension %d",
                             (long long)*axis, view->rank);
        for (int k = 0; k < view->rank || k < first->rank; k++)
            if (view->rank != first->rank || (k != *axis && view->shape[k] != first->shape[k]))
                return host_fail(p, "ValueError",
                                 "all the input array dimensions except for the concatenation "
                                 "axis must match exactly");
        *dtype = i ? dtype_promote(*dtype, view->dtype) : view->dtype;
        total += view->shape[*axis];
    }
    memcpy(shape, parts->items[0].array->view.shape, KJIT_RANK_MAX * sizeof *shape);
    shape[*axis] = total;
    return true;
}

static bool np_concatenate(Program *p, HostArgs *args, HostValue *out)
{
    HostValue parts, along = args_get(args, 1, "axis", host_int(0));
    int64_t shape[KJIT_RANK_MAX], at = 0, axis = 0;
    kjit_dtype dtype = KJIT_DTYPE_NONE;
    HostArray *made;
    if (!host_collect(p, HOST_LIST, args->values[0], &parts))
        return false;
    if (!parts.list->count)
        return host_fail(p, "ValueError", "need at least one array to concatenate");
    bool flat = along.kind == HOST_NONE;
    for (size_t i = 0; flat && i < parts.list->count; i++) {
        HostValue ravel;
        HostArgs one = { .values = &parts.list->items[i], .count = 1 };
        if (!module_path(p, "np.ravel", &ravel) ||
            !host_call(p, ravel, &one, &parts.list->items[i]))
            return false;
    }
    if ((!flat && !host_integer(p, along, &axis)) ||
        !measure_parts(p, parts.list, &axis, &dtype, shape) ||
        !host_array_new(p, dtype, parts.list->items[0].array->view.rank, shape, false, &made))
        return false;
    for (size_t i = 0; i < parts.list->count; i++) {
        int64_t length = parts.list->items[i].array->view.shape[axis];
        kjit_array view = made->view;
        view.shape[axis] = length;
        view.data = (char *)view.data + at * view.strides[axis];
        if (!host_array_assign(p, host_array_of(p, made->block, &view), parts.list->items[i]))
            return false;
        at += length;
    }
    *out = host_object(made);
    return true;
}

static bool np_save(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    (void)out;
    if (args->values[0].kind != HOST_STRING)
        return host_fail(p, "TypeError", "the file is a string");
    if (!host_array_from(p, args->values[1], KJIT_DTYPE_NONE, &array) || !host_array_read(p, array))
        return false;
    const char *name = args->values[0].string->text, *dot = strrchr(name, '.');
    const char *path =
        dot && strcmp(dot, ".npy") == 0 ? name : arena_printf(&p->scratch, "%s.npy", name);
    kjit_status status = kjit_save_npy(path, &array->view);
    return status == KJIT_OK || host_failed(p, status);
}

#define CREATE(name, most, keywords)                                                               \
    {                                                                                              \
        name, 0, most, create, keywords                                                            \
    }

const HostBuiltin create_functions[] = {
    CREATE("np.zeros", 3, "shape dtype order"),
    CREATE("np.ones", 3, "shape dtype order"),
    CREATE("np.empty", 3, "shape dtype order"),
    CREATE("np.full", 4, "shape fill_value dtype order"),
    CREATE("np.arange", 4, "start stop step dtype"),
    CREATE("np.linspace", 3, "start stop num dtype endpoint"),
    CREATE("np.load", 2, "file"),
    CREATE("zeros", 3, "shape dtype order"),
    CREATE("ones", 3, "shape dtype order"),
    CREATE("empty", 3, "shape dtype order"),
    CREATE("full", 4, "shape fill_value dtype order"),
    CREATE("arange", 4, "start stop step dtype"),
    CREATE("linspace", 5, "start stop num dtype endpoint"),
    CREATE("load", 4, "file key dtype shape"),
    CREATE("normal", 5, "size shape seed dtype mean loc std scale"),
    CREATE("uniform", 5, "size shape seed dtype low high"),
    CREATE("randint", 5, "low high size shape seed dtype"),
    CREATE("cuda.random.create_xoroshiro128p_states", 3, "n seed subsequence_start"),
    { "np.zeros_like", 1, 1, zeros_like, "dtype" },
    { "np.ones_like", 1, 1, ones_like, "dtype" },
    { "np.empty_like", 1, 1, empty_like, "dtype" },
    { "np.full_like", 2, 2, full_like, "dtype" },
    { "cuda.device_array_like", 1, 2, empty_like, "stream" },
    { "cuda.pinned_array_like", 1, 2, empty_like, NULL },
    { "cuda.mapped_array_like", 1, 2, empty_like, NULL },
    { "np.array", 1, 2, np_array, "dtype" },
    { "np.ndarray", 0, -1, np_ndarray, "*" },
    { "np.asarray", 1, 2, np_asarray, "dtype" },
    { "np.ascontiguousarray", 1, 2, np_array, "dtype" },
    { "np.copy", 1, 1, np_array, NULL },
    { "np.eye", 1, 4, np_eye, "M k dtype" },
    { "np.identity", 1, 2, np_identity, "dtype" },
    { "np.concatenate", 1, 2, np_concatenate, "axis" },
    { "np.save", 2, 2, np_save, NULL },
    { NULL, 0, 0, NULL, NULL },
};

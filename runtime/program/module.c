/* Modules: what imports bind, and what paths like "math.pi" stand for. */
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"
#include "runtime/values/values.h"

#include <math.h>

/* ---- paths ---------------------------------------------------------------------------------- */

static const HostBuiltin *const tables[] = {
    make_functions,       create_functions,     elementwise_functions, numpy_functions,
    reduction_functions,  order_functions,      array_methods,         cuda_functions,
    device_functions,     random_functions,     pick_functions,        python_functions,
    dict_functions,       collection_functions, type_functions,        math_functions,
    complex_functions,    cmath_functions,      printing_functions,    list_methods,
    string_methods,       compiled_functions,   iterator_functions,    ufunc_functions,
    operator_functions,   partial_functions,    class_functions,       method_functions,
    text_array_functions, object_functions,     enum_functions,        namedtuple_functions,
    numba_type_functions, exception_functions,  set_functions,         hash_functions,
    reflect_functions,    file_functions,       data_functions,        digest_functions,
};

/* The names that are modules. */
static const char *const spaces[] = {
    "math",
    "cmath",
    "time",
    "sys",
    "np",
    "np.random",
    "np.linalg",
    "np.testing",
    "numba",
    "cuda",
    "cuda.random",
    "np.fft",
    "np.mgrid",
    "np.ogrid",
    "np.c_",
    "np.r_",
    "np.s_",
    "os",
    "os.path",
    "kjit",
    "np.lib",
    "np.lib.stride_tricks",
    "random",
    "itertools",
    "functools",
    "operator",
    "timeit",
    "collections",
    "enum",
    "typing",
    "json",
    "argparse",
    "dataclasses",
    "traceback",
    "np.exceptions",
    "contextlib",
};

static const struct {
    const char *path;
    double value;
} constants[] = {
    { "math.pi", 3.14159265358979323846 },
    { "math.e", 2.71828182845904523536 },
    { "math.tau", 6.28318530717958647693 },
    { "math.inf", (double)INFINITY },
    { "math.nan", (double)__builtin_nan("1") }, /* Python's is another than NumPy's */
    { "cmath.pi", 3.14159265358979323846 },
    { "cmath.e", 2.71828182845904523536 },
    { "cmath.tau", 6.28318530717958647693 },
    { "cmath.inf", (double)INFINITY },
    { "cmath.nan", (double)__builtin_nan("1") },
    { "np.pi", 3.14159265358979323846 },
    { "np.e", 2.71828182845904523536 },
    { "np.inf", (double)INFINITY },
    { "np.nan", (double)NAN },
};

/* What is built in, by its name: filled once, for all programs. */
enum { SLOTS = 2048 };

static const HostBuiltin *slots[SLOTS];

/* Where a name is, or would be. */
static const HostBuiltin **slot_of(const char *name)
{
    size_t at = 5381;
    for (const char *c = name; *c; c++)
        at = at * 33 + (unsigned char)*c;
    for (at %= SLOTS; slots[at] && strcmp(slots[at]->name, name) != 0;)
        at = (at + 1) % SLOTS;
    return &slots[at];
}

static void fill_slots(void)
{
    for (size_t t = 0; t < ARRAY_COUNT(tables); t++)
        for (const HostBuiltin *row = tables[t]; row->name; row++)
            *slot_of(row->name) = row;
}

static const HostBuiltin *find_builtin(const char *name)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_slots);
    return *slot_of(name);
}

bool module_is_space(const char *path)
{
    return TEXT_IS_AMONG(path, spaces) || modules_have(path);
}

const char *module_canonical(Arena *arena, const char *path)
{
    static const char *const names[][2] = { { "numba.cuda.types", "numba" },
                                            { "numba.errors", "numba.core.errors" },
                                            { "numba.types", "numba" },
                                            { "numba.core.types", "numba" },
                                            { "cuda.types", "numba" },
                                            { "numba.cuda", "cuda" },
                                            { "kjit.cuda", "cuda" },
                                            { "kjit.types", "numba" },
                                            { "numpy", "np" },
                                            { "cupy", "np" } };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        size_t length = strlen(names[i][0]);
        if (strncmp(path, names[i][0], length) == 0 && (!path[length] || path[length] == '.'))
            return arena_printf(arena, "%s%s", names[i][1], path + length);
    }
    if (strncmp(path, "kjit.", 5) == 0 && strncmp(path, "kjit.rank", 9) != 0)
        return arena_printf(arena, "numba.%s", path + 5); /* whose names the Python package has */
    return arena_strdup(arena, path);
}

static bool is_dtype_path(const char *path, HostValue *out)
{
    const char *name = strncmp(path, "np.", 3) == 0      ? path + 3
                       : strncmp(path, "numba.", 6) == 0 ? path + 6
                       : strncmp(path, "cuda.", 5) == 0  ? path + 5
                                                         : "";
    kjit_dtype dtype = value_dtype_named(name);
    if (strcmp(path, "cuda.random.xoroshiro128p_dtype") == 0)
        return host_give(out, dtype_value(KJIT_DTYPE_RECORD, kjit_xoroshiro128p_record()));
    bool python = strcmp(name, "int") == 0 || strcmp(name, "float") == 0;
    if (dtype == KJIT_DTYPE_NONE || dtype_is_time(dtype) || python)
        return false;
    return host_give(out, (HostValue){ .kind = HOST_DTYPE, .dtype = dtype });
}

bool module_path(Program *p, const char *path, HostValue *out)
{
    const HostBuiltin *builtin = value_is_text(p) ? value_function(path) : NULL;
    if (!builtin && p->eval && strncmp(path, "np.random.", 10) == 0) /* of a seed */
        builtin = find_builtin(path + 10);
    if (!builtin)
        builtin = find_builtin(path);
    if (builtin && strncmp(path, "cuda.", 5) == 0 && !program_context(p))
        return false;
    if (builtin)
        return host_give(out, (HostValue){ .kind = HOST_BUILTIN, .builtin = builtin });
    if (exception_path(path, out))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++)
        if (strcmp(constants[i].path, path) == 0)
            return host_give(out, host_float(constants[i].value));
    if (strcmp(path, "kjit.rank") == 0 || strcmp(path, "kjit.ranks") == 0) { /* docs/many.md */
        bool all = path[strlen("kjit.rank")] == 's';
        return host_give(out, host_int(!p->group ? all
                                       : all     ? kjit_group_ranks(p->group)
                                                 : kjit_group_rank(p->group)));
    }
    if (strcmp(path, "sys.argv") == 0 && p->module) { /* values are given by name, NAME=VALUE */
        const HostValue file = host_text(p, p->module->main->path);
        return host_give(out, host_items(p, HOST_LIST, &file, 1));
    }
    if (strcmp(path, "np.True_") == 0 || strcmp(path, "np.False_") == 0) {
        const kjit_arg truth = kjit_arg_bool(path[3] == 'T');
        return host_give(out, host_number(KJIT_DTYPE_BOOL, &truth));
    }
    if (strcmp(path, "np.newaxis") == 0)
        return host_give(out, host_none());
    if (strcmp(path, "cuda.warpsize") == 0 || strcmp(path, "sys.maxsize") == 0)
        return host_give(out, host_int(*path == 'c' ? 32 : INT64_MAX));
    if (stream_path(p, path, out))
        return true;
    if (module_is_space(path))
        return host_give(out,
                         (HostValue){ .kind = HOST_MODULE, .text = arena_strdup(p->arena, path) });
    return is_dtype_path(path, out) || numba_type_path(path, out) || modules_find(p, path, out);
}

/* In an expression given as text names need no module in front. */
static bool without_module(Program *p, const char *name, HostValue *out)
{
    static const char *const modules[] = { "math", "np", "cuda", "cuda.random" };
    for (size_t i = 0; i < ARRAY_COUNT(modules) && !p->failed; i++)
        if (module_path(p, arena_printf(&p->scratch, "%s.%s", modules[i], name), out))
            return true;
    return false;
}

size_t value_names(const char **names, size_t count, size_t most)
{
    find_builtin("");
    for (size_t i = 0; i < SLOTS && count < most; i++) {
        const char *name = slots[i] ? slots[i]->name : "", *dot = strchr(name, '.');
        bool bare =
            *name && (!dot || strncmp(name, "math.", 5) == 0 || strncmp(name, "np.", 3) == 0);
        if (bare && !(dot && strchr(dot + 1, '.')))
            names[count++] = dot ? dot + 1 : name;
    }
    return count;
}

/* The name that was meant by the last one of a path, " (did you mean 'zeros'?)" of np.zeross. */
const char *module_near(Program *p, const char *path)
{
    const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    const size_t length = (size_t)(name - path), most = SLOTS + ARRAY_COUNT(spaces);
    const char **names = arena_array(&p->scratch, const char *, most);
    size_t count = 0;
    find_builtin("");
    for (size_t i = 0; i < most; i++) {
        const char *known = i >= SLOTS ? spaces[i - SLOTS] : slots[i] ? slots[i]->name : "";
        if (strncmp(known, path, length) == 0 && known[length] && !strchr(known + length, '.'))
            names[count++] = known + length;
    }
    const char *near = diag_nearest(name, names, count);
    return near ? arena_printf(&p->scratch, " (did you mean '%s'?)", near) : "";
}

bool module_builtin(Program *p, const char *name, HostValue *out)
{
    const HostBuiltin *builtin = find_builtin(name); /* no name has a point in it */
    const char *class_ = builtin ? NULL : exception_class(name);
    if (builtin)
        *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = builtin };
    else if (class_)
        *out = (HostValue){ .kind = HOST_EXCEPTION_CLASS, .text = class_ };
    if (builtin || class_)
        return true;
    if (strcmp(name, "NotImplemented") == 0)
        return host_give(out, (HostValue){ .kind = HOST_ELLIPSIS, .integer = 1 });
    if (strcmp(name, "object") == 0)
        return host_give(out, class_object(p));
    static const char *const known[] = { "cuda", "np", "numba" }; /* without an import, too */
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (strcmp(known[i], name) == 0)
            return host_give(out, (HostValue){ .kind = HOST_MODULE, .text = known[i] });
    if (modules_define("builtins", name))
        return modules_find(p, arena_printf(&p->scratch, "builtins.%s", name), out);
    bool bare = p->eval || p->given_value;
    if (bare && (strcmp(name, "math") == 0 || strcmp(name, "random") == 0))
        return host_give(
            out, (HostValue){ .kind = HOST_MODULE, .text = *name == 'm' ? "math" : "np.random" });
    return bare && without_module(p, name, out);
}

/* ---- attributes ----------------------------------------------------------------------------- */

static bool module_attribute(Program *p, HostValue module, const AstExpr *expr, HostValue *out)
{
    const char *name = expr->attribute.name;
    const char *path =
        module_canonical(&p->scratch, arena_printf(&p->scratch, "%s.%s", module.text, name));
    if (module_path(p, path, out) || (p->eval && module_builtin(p, name, out)))
        return true;
    bool python = strcmp(module.text, "math") == 0 || strcmp(module.text, "time") == 0;
    if (python)
        return host_raise(p, host_span(expr), "AttributeError", "module '%s' has no attribute '%s'",
                          module.text, name);
    return host_give(out,
                     (HostValue){ .kind = HOST_FOREIGN, .text = arena_strdup(p->arena, path) });
}

/* str.lower: a method whose first argument is the object that it is of. */
static bool type_method(Program *p, const char *type, const char *name, HostValue *out)
{
    static const char *const types[] = { "str",       "list",  "dict", "set",
                                         "frozenset", "tuple", "int",  "float" };
    const HostBuiltin *builtin = find_builtin(arena_printf(&p->scratch, "%s.%s", type, name));
    if (!TEXT_IS_AMONG(type, types))
        return false;
    for (int i = 0; i < 2 && !builtin; i++) {
        const char *made = arena_printf(&p->scratch, "%s_%s%s", type, i ? "of_" : "", name);
        if (modules_define("_methods", made))
            return modules_find(p, arena_printf(&p->scratch, "_methods.%s", made), out);
    }
    if (!builtin)
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self.kind = HOST_KINDS;
    method->builtin = builtin;
    return host_give(out, host_object(method));
}

bool module_method(Program *p, const char *type, HostValue object, const char *name, HostValue *out)
{
    const HostBuiltin *builtin = is_set(object)
                                     ? host_set_method(object.kind, name)
                                     : find_builtin(arena_printf(&p->scratch, "%s.%s", type, name));
    const char *written = arena_printf(&p->scratch, "%s_%s", type, name);
    HostValue function = host_none();
    if (!builtin &&
        (!modules_define("_methods", written) ||
         !modules_find(p, arena_printf(&p->scratch, "_methods.%s", written), &function)))
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = object;
    method->builtin = builtin;
    method->function = function;
    return host_give(out, host_object(method));
}

static bool range_part(const HostRange *range, const char *name, HostValue *out)
{
    const bool start = strcmp(name, "start") == 0, stop = strcmp(name, "stop") == 0;
    *out = host_int(start ? range->start : stop ? range->stop : range->step);
    return start || stop || strcmp(name, "step") == 0;
}

static bool slice_part(const HostSlice *slice, const char *name, HostValue *out)
{
    static const char *const names[] = { "start", "stop", "step" };
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0)
            return host_give(out, slice->parts[i]);
    return false;
}

/* The methods of a ufunc: its own, as np.add has its sums, or those that all ufuncs have. */
static bool ufunc_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    if (object.kind == HOST_UFUNC)
        return object.ufunc->kind == UFUNC_VECTORIZED && modules_method(p, object, name, out);
    if (object.kind == HOST_FUNCTION)
        return modules_have_function(p, "np", object.function) &&
               modules_method(p, object, name, out);
    if (object.kind != HOST_BUILTIN || strncmp(object.builtin->name, "np.", 3) != 0)
        return false;
    return module_path(p, arena_printf(&p->scratch, "%s.%s", object.builtin->name, name), out) ||
           modules_method(p, object, name, out);
}

/* The name of the module that a function stands in. */
static bool module_name(const HostFunction *function, HostValue *out)
{
    const HostName *slot = env_find(env_module(function->closure), "__name__");
    return slot && host_give(out, slot->value);
}

/* The defaults of parameters that may be given by place; None: there are none. */
static HostValue defaults_of(Program *p, const HostFunction *function)
{
    const AstParams *params = &function->code->ast->params;
    const HostValue made = host_room(p, HOST_TUPLE, (size_t)params->count);
    for (int i = 0; i < params->count; i++)
        if (function->defaults[i].kind != HOST_KINDS && !params->items[i].keyword_only)
            host_append(p, made.list, function->defaults[i]);
    return made.list->count ? made : host_none();
}

/* What was assigned to an attribute of a function, or what its text says. */
static bool own_attribute(Program *p, const HostFunction *function, const char *name,
                          HostValue *out)
{
    const HostName *slot = function->fields ? env_find(function->fields, name) : NULL;
    const char *doc = function->code->ast->docstring;
    if (slot)
        *out = slot->value;
    else if (strcmp(name, "__doc__") == 0)
        *out = doc ? host_text(p, doc) : host_none();
    else if (strcmp(name, "__name__") == 0)
        *out = host_text(p, function->code->name);
    else if (strcmp(name, "__qualname__") == 0)
        *out = host_text(p, qualified_name(p, function));
    else if (strcmp(name, "__dict__") == 0)
        *out = object_vars(p, host_object((void *)(uintptr_t)function));
    else if (strcmp(name, "__defaults__") == 0)
        *out = defaults_of(p, function);
    else if (strcmp(name, "__closure__") == 0)
        *out = host_none(); /* inspect asks whether there is one */
    else if (strcmp(name, "__module__") == 0)
        return module_name(function, out);
    else
        return false;
    return true;
}

static bool function_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    const HostValue made_of = kernel_function(object);
    if (made_of.kind == HOST_FUNCTION && own_attribute(p, made_of.function, name, out))
        return true;
    if (object.kind == HOST_KERNEL && strcmp(name, "py_func") == 0)
        return host_give(out, object);
    if (object.kind == HOST_METHOD && strcmp(name, "__self__") == 0)
        return host_give(out, object.method->self);
    if (object.kind == HOST_METHOD && !object.method->builtin &&
        object.method->function.kind == HOST_FUNCTION &&
        own_attribute(p, object.method->function.function, name, out))
        return true;
    if (object.kind == HOST_PARTIAL)
        return partial_attribute(object.partial, name, out);
    if (object.kind == HOST_UFUNC && strcmp(name, "py_func") == 0)
        return host_give(out, object.ufunc->function);
    if (object.kind == HOST_UFUNC && strcmp(name, "__name__") == 0)
        return host_give(out, host_text(p, object.ufunc->name));
    if (object.kind == HOST_DEVICE)
        return device_attribute(p, name, out);
    if (object.kind == HOST_FUNCTION && strcmp(name, "py_func") == 0)
        return host_give(out, host_py_func(p, object.function));
    if (object.kind == HOST_FLAGS && host_flag(object, name, false, out))
        return true;
    if (object.kind == HOST_LIMITS)
        return host_limits_attribute(p, object.dtype, name, out);
    if (ufunc_attribute(p, object, name, out))
        return true;
    if (object.kind == HOST_BUILTIN && strcmp(object.builtin->name, "dict") == 0 &&
        strcmp(name, "fromkeys") == 0)
        return module_path(p, "dict.fromkeys", out);
    if (object.kind == HOST_BUILTIN && type_method(p, object.builtin->name, name, out))
        return true;
    if (object.kind == HOST_BUILTIN && object_of_held(p, object.builtin, name, out))
        return true;
    if (object.kind == HOST_SLICE && slice_part(object.slice, name, out))
        return true;
    if (object.kind == HOST_RANGE && range_part(object.range, name, out))
        return true;
    if (object.kind == HOST_DTYPE)
        return dtype_attribute(p, object, name, out);
    const bool named = strcmp(name, "__name__") == 0 || strcmp(name, "__qualname__") == 0;
    if (object.kind == HOST_BUILTIN && named) {
        const char *dot = strrchr(object.builtin->name, '.');
        return host_give(out, host_text(p, dot ? dot + 1 : object.builtin->name));
    }
    if (object.kind == HOST_EXCEPTION_CLASS && named) {
        const char *dot = strrchr(object.text, '.'), *shown = dot ? dot + 1 : object.text;
        if (name[2] == 'n' && strcmp(shown, "_UFuncOutputCastingError") == 0)
            shown = "UFuncTypeError"; /* NumPy gives it the name of its base */
        return host_give(out, host_text(p, shown));
    }
    if (object.kind == HOST_EXCEPTION_CLASS && exception_method(p, object, name, out))
        return true;
    if (object.kind == HOST_EXCEPTION_CLASS && strcmp(name, "__mro__") == 0) {
        *out = host_room(p, HOST_TUPLE, 4);
        exception_order(p, object.text, out->list);
        host_append(p, out->list, class_object(p));
        return true;
    }
    return false;
}

/* What a NumPy scalar has of an array without axes. */
static bool scalar_attribute(Program *p, HostValue number, const char *name, HostValue *out)
{
    static const char *const names[] = { "shape", "size", "ndim", "itemsize", "nbytes", "strides" };
    HostArray *array;
    if (strcmp(name, "T") == 0)
        return host_give(out, number);
    if (TEXT_IS_AMONG(name, names))
        return host_array_from(p, number, KJIT_DTYPE_NONE, &array) &&
               host_array_attribute(p, host_object(array), name, out);
    const bool ratio = strcmp(name, "is_integer") == 0 || strcmp(name, "as_integer_ratio") == 0;
    return ratio && dtype_is_float(number.dtype) && module_method(p, "float", number, name, out);
}

/* What NumPy has of arrays, and kjit has not. */
static bool is_of_numpy(HostValue object, const char *name)
{
    static const char *const arrays[] = {
        "setflags", "dump", "byteswap", "choose",   "compress",
        "base",     "data", "ctypes",   "getfield", "newbyteorder"
    };
    return is_arrays(object) && TEXT_IS_AMONG(name, arrays);
}

static bool no_attribute(Program *p, HostValue object, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    const bool array = is_arrays(object), lacks = lacks_attribute(object, name);
    if (is_of_numpy(object, name) || (lacks && object.kind == HOST_STRING && *name != '_'))
        return host_refuse(p, host_span(expr), "%s.%s is not there: docs/programs.md lists what is",
                           array ? "ndarray" : host_type_name(p, object), name);
    if (object.kind == HOST_CLASS)
        host_raise(p, host_span(expr), "AttributeError", "type object '%s' has no attribute '%s'",
                   object.class_->name, name);
    else
        host_raise(p, host_span(expr), "AttributeError", "'%s' object has no attribute '%s'",
                   host_type_name(p, object), name);
    p->exception->final = lacks;
    return false;
}

bool eval_attribute(Program *p, HostValue object, const AstExpr *expr, HostValue *out)
{
    const char *name = expr->attribute.name;
    if (object.kind == HOST_MODULE)
        return module_attribute(p, object, expr, out);
    if (object.kind == HOST_FILE)
        return imported_name(p, object.file, name, out) ||
               host_raise(p, host_span(expr), "AttributeError", "module '%s' has no attribute '%s'",
                          object.file->name, name);
    if (object.kind == HOST_FOREIGN) {
        if (module_path(p, arena_printf(&p->scratch, "%s.%s", object.text, name), out))
            return true;
        return host_give(out,
                         (HostValue){ .kind = HOST_FOREIGN,
                                      .text = arena_printf(p->arena, "%s.%s", object.text, name) });
    }
    HostValue asked;
    if (class_attribute(p, object, name, out) ||
        (!p->failed && object.kind == HOST_EXCEPTION && exception_attribute(p, object, name, out)))
        return true;
    if (p->failed)
        return host_place(p, host_span(expr));
    const HostValue self = object;
    object = object_held(object);
    bool array =
        object.kind == HOST_ARRAY || object.kind == HOST_NUMBER || object.kind == HOST_EXPRESSION;
    const char *type = host_type_name(p, object), *methods = array ? "array" : type;
    if (object.kind == HOST_TUPLE || object.kind == HOST_STRING) /* which classes may name */
        methods = object.kind == HOST_TUPLE ? "tuple" : "str";
    const bool special = object.kind == HOST_DICT && object.dict->form >= DICT_COUNTER;
    if (object.kind == HOST_DICT)
        methods = "dict";
    if (special && module_method(p, object.dict->form == DICT_COUNTER ? "Counter" : "OrderedDict",
                                 object, name, out))
        return true;
    if (object.kind == HOST_DICT && object.dict->form == DICT_DEFAULT &&
        strcmp(name, "default_factory") == 0)
        return host_give(out, object.dict->factory);
    if (object.kind == HOST_GENERATOR)
        methods = object.generator->source.modern ? "Generator" : "RandomState";
    if (object.kind == HOST_ARRAY && host_array_attribute(p, object, name, out))
        return true;
    if (complex_attribute(object, name, out))
        return true;
    bool number = object.kind == HOST_NUMBER || (p->eval && host_is_number(object));
    if (number && strcmp(name, "dtype") == 0)
        return host_give(out, dtype_value(host_dtype_of(object), NULL));
    if (object.kind == HOST_NUMBER && scalar_attribute(p, object, name, out))
        return true;
    if ((object.kind == HOST_FUNCTION && modules_part(object.function, name, out)) ||
        function_attribute(p, object, name, out) || module_method(p, methods, object, name, out) ||
        ((array || object.kind == HOST_GENERATOR) && modules_method(p, object, name, out)))
        return true;
    if (p->failed)
        return host_place(p, host_span(expr));
    if (object_has(self, "__getattr__")) {
        asked = host_text(p, name);
        return object_calls(p, self, "__getattr__", &asked, 1, out) ||
               host_place(p, host_span(expr));
    }
    return value_special(p, self, name, out) || no_attribute(p, self, expr);
}

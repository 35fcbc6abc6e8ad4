/* Modules: what imports bind, and what paths like "math.pi" stand for. */
#include "runtime/program/fuse.h"
#include "runtime/program/kernels.h"
#include "runtime/program/ufunc.h"
#include "runtime/values/values.h"

#include <math.h>

/* ---- paths ---------------------------------------------------------------------------------- */

static const HostBuiltin *const tables[] = {
    make_functions,       create_functions,    elementwise_functions, numpy_functions,
    reduction_functions,  order_functions,     array_methods,         cuda_functions,
    system_functions,     device_functions,    random_functions,      pick_functions,
    python_functions,     dict_functions,      collection_functions,  type_functions,
    math_functions,       complex_functions,   cmath_functions,       printing_functions,
    list_methods,         string_methods,      compiled_functions,    attribute_functions,
    iterator_functions,   ufunc_functions,     operator_functions,    partial_functions,
    class_functions,      object_functions,    enum_functions,        namedtuple_functions,
    numba_type_functions, exception_functions, set_functions,
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

static bool is_space(const char *path)
{
    return TEXT_IS_AMONG(path, spaces);
}

/* "numpy.random" is "np.random", "numba.cuda" is "cuda". */
static const char *canonical(Arena *arena, const char *path)
{
    static const char *const names[][2] = { { "numba.cuda.types", "numba" },
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
    bool python = strcmp(name, "int") == 0 || strcmp(name, "float") == 0;
    if (dtype == KJIT_DTYPE_NONE || dtype_is_time(dtype) || python)
        return false;
    *out = (HostValue){ .kind = HOST_DTYPE, .dtype = dtype };
    return true;
}

bool module_path(Program *p, const char *path, HostValue *out)
{
    const HostBuiltin *builtin = p->eval ? value_function(path) : NULL;
    if (!builtin && p->eval && strncmp(path, "np.random.", 10) == 0) /* of a seed */
        builtin = find_builtin(path + 10);
    if (!builtin)
        builtin = find_builtin(path);
    if (builtin && strncmp(path, "cuda.", 5) == 0 && !program_context(p))
        return false;
    if (builtin) {
        *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = builtin };
        return true;
    }
    if (exception_path(path, out))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++)
        if (strcmp(constants[i].path, path) == 0) {
            *out = host_float(constants[i].value);
            return true;
        }
    if (strcmp(path, "kjit.rank") == 0 || strcmp(path, "kjit.ranks") == 0) { /* docs/many.md */
        bool all = path[strlen("kjit.rank")] == 's';
        *out = host_int(!p->group ? all
                        : all     ? kjit_group_ranks(p->group)
                                  : kjit_group_rank(p->group));
        return true;
    }
    if (strcmp(path, "sys.argv") == 0 && p->module) { /* values are given by name, NAME=VALUE */
        const HostValue file = host_text(p, p->module->main->path);
        *out = host_items(p, HOST_LIST, &file, 1);
        return true;
    }
    if (strcmp(path, "np.True_") == 0 || strcmp(path, "np.False_") == 0) {
        const kjit_arg truth = kjit_arg_bool(path[3] == 'T');
        *out = host_number(KJIT_DTYPE_BOOL, &truth);
        return true;
    }
    if (strcmp(path, "np.newaxis") == 0) {
        *out = host_none();
        return true;
    }
    if (strcmp(path, "cuda.warpsize") == 0 || strcmp(path, "sys.maxsize") == 0) {
        *out = host_int(*path == 'c' ? 32 : INT64_MAX);
        return true;
    }
    if (is_space(path) || strcmp(path, "sys.stderr") == 0 || strcmp(path, "sys.stdout") == 0) {
        *out = (HostValue){ .kind = HOST_MODULE, .text = arena_strdup(p->arena, path) };
        return true;
    }
    return is_dtype_path(path, out) || numba_type_path(path, out) || interpreted_find(p, path, out);
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
    static const char *const known[] = { "cuda", "np", "numba" }; /* without an import, too */
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (strcmp(known[i], name) == 0) {
            *out = (HostValue){ .kind = HOST_MODULE, .text = known[i] };
            return true;
        }
    bool bare = p->eval || p->given_value;
    if (bare && (strcmp(name, "math") == 0 || strcmp(name, "random") == 0)) {
        *out = (HostValue){ .kind = HOST_MODULE, .text = *name == 'm' ? "math" : "np.random" };
        return true;
    }
    return bare && without_module(p, name, out);
}

/* ---- imports -------------------------------------------------------------------------------- */

/* What kjit has not, where a handler says what is to be done without it. */
static bool not_there(Program *p, const AstStmt *stmt, const char *path)
{
    if (!p->frame->seeks)
        return true;
    return host_raise(p, stmt->span, "ModuleNotFoundError", "No module named '%s'", path);
}

/* A module, or what no kjit has. */
static HostValue module_value(Program *p, const char *path)
{
    HostValue value = { .kind = HOST_FOREIGN, .text = canonical(p->arena, path) };
    if (is_space(value.text))
        value.kind = HOST_MODULE;
    return value;
}

static bool import_module(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const char *dot = strchr(alias->name, '.');
    HostValue file = host_none();
    if (!is_space(canonical(&p->scratch, alias->name)) && (alias->as || !dot) &&
        !imported_find(p, alias->name, &file))
        return false;
    if (file.kind != HOST_FILE && module_value(p, alias->name).kind == HOST_FOREIGN &&
        !not_there(p, stmt, alias->name))
        return false;
    if (alias->as || file.kind == HOST_FILE) {
        env_write(p, alias->as ? alias->as : alias->name,
                  file.kind == HOST_FILE ? file : module_value(p, alias->name));
        return true;
    }
    const char *head =
        dot ? arena_strndup(p->arena, alias->name, (size_t)(dot - alias->name)) : alias->name;
    env_write(p, head, module_value(p, head));
    return true;
}

/* What a file calls a name, or the file of that name in a folder of files. */
static bool import_from(Program *p, const char *module, const AstAlias *alias, const HostFile *file)
{
    const char *point = module[strlen(module) - 1] == '.' ? "" : ".";
    HostValue value = host_none();
    if (!imported_name(p, file, alias->name, &value) &&
        !imported_find(p, arena_printf(&p->scratch, "%s%s%s", module, point, alias->name), &value))
        return false;
    if (value.kind == HOST_NONE && !imported_name(p, file, alias->name, &value))
        return host_raise(p, alias->span, "ImportError", "cannot import name '%s' from '%s'",
                          alias->name, file->name);
    env_write(p, alias->as ? alias->as : alias->name, value);
    return true;
}

/* "..a.b" */
static const char *import_path(Program *p, const AstStmt *stmt)
{
    static const char dots[] = "........";
    int level = stmt->import.level < (int)sizeof dots ? stmt->import.level : (int)sizeof dots - 1;
    return arena_printf(&p->scratch, "%.*s%s", level, dots, stmt->import.module);
}

/* from a import * */
static bool import_all(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const HostValue module = module_value(p, stmt->import.module);
    HostValue file = host_none();
    if ((stmt->import.level || module.kind == HOST_FOREIGN) &&
        !imported_find(p, import_path(p, stmt), &file))
        return false;
    if (file.kind == HOST_FILE)
        return imported_all(p, alias, file.file);
    if (module.kind == HOST_FOREIGN)
        return host_refuse(p, stmt->span,
                           "kjit has no module '%s': name what is to be imported, instead of *",
                           stmt->import.module);
    imported_star(p, module);
    return true;
}

static bool import_name(Program *p, const AstStmt *stmt, const AstAlias *alias)
{
    const char *module = canonical(p->arena, stmt->import.module);
    const char *path = canonical(p->arena, arena_printf(&p->scratch, "%s.%s", module, alias->name));
    HostValue value;
    bool known = !stmt->import.level && is_space(module);
    if (strcmp(alias->name, "*") == 0)
        return import_all(p, stmt, alias);
    if (!is_space(module) && !imported_find(p, import_path(p, stmt), &value))
        return false;
    if (!is_space(module) && value.kind == HOST_FILE)
        return import_from(p, import_path(p, stmt), alias, value.file);
    if (!module_path(p, path, &value)) {
        bool python = strcmp(module, "math") == 0 || strcmp(module, "time") == 0;
        if (known && python)
            return host_raise(p, stmt->span, "ImportError", "cannot import name '%s' from '%s'",
                              alias->name, module);
        if (!not_there(p, stmt, known ? path : module))
            return false;
        value = (HostValue){ .kind = HOST_FOREIGN, .text = path };
    }
    env_write(p, alias->as ? alias->as : alias->name, value);
    return true;
}

bool host_import(Program *p, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        if (stmt->kind == AST_IMPORT ? !import_module(p, stmt, alias)
                                     : !import_name(p, stmt, alias))
            return false;
    }
    return true;
}

/* A bar of progress, which is what it goes over. */
static bool is_tqdm(HostValue value)
{
    return strncmp(value.text, "tqdm", 4) == 0;
}

static HostValue value_of(const Program *p, const char *name)
{
    for (const HostEnv *at = p->frame->env; at; at = at->outer) {
        const HostName *slot = env_find(at, name);
        if (slot)
            return slot->value;
    }
    return host_none();
}

/* What a statement is for that only uses a module which kjit does not know. */
static bool only_uses(const AstExpr *expr)
{
    return expr->kind == AST_CALL || expr->kind == AST_ATTRIBUTE || expr->kind == AST_INDEX;
}

/* Names of kernels and functions among arguments. */
typedef struct Runners {
    const Program *program;
    bool any;
} Runners;

static void find_runner(void *context, const AstExpr *expr)
{
    Runners *runners = context;
    if (expr->kind == AST_NAME) {
        const HostValue value = value_of(runners->program, expr->name.name);
        runners->any |= foreign_is_kernel(value) || value.kind == HOST_FUNCTION;
    } else if (expr->kind != AST_ATTRIBUTE) {
        ast_each_child(expr, find_runner, context);
    }
}

/* Whether a call may launch a kernel, which is not to be passed over: of what an index or a call
** gives, of a name for such, or one whose arguments are kernels or call functions. */
static bool may_launch(const Program *p, const AstExpr *expr)
{
    const AstExpr *function = expr->kind == AST_CALL ? expr->call.function : NULL;
    Runners runners = { .program = p };
    if (!function || function->kind == AST_INDEX || function->kind == AST_CALL)
        return function;
    if (function->kind == AST_NAME && foreign_launches(value_of(p, function->name.name)))
        return true;
    for (int i = 0; i < expr->call.args.count; i++)
        find_runner(&runners, expr->call.args.items[i]);
    for (int i = 0; i < expr->call.keyword_count; i++)
        find_runner(&runners, expr->call.keywords[i].value);
    return runners.any;
}

bool host_passes_over(Program *p, const AstExpr *expr)
{
    const AstExpr *root = only_uses(expr) ? ast_root(expr) : NULL;
    const HostValue value = root ? value_of(p, root->name.name) : host_none();
    if (value.kind != HOST_FOREIGN || is_tqdm(value) || may_launch(p, expr))
        return false;
    foreign_note(p, value, expr->span);
    return true;
}

/* ---- attributes ----------------------------------------------------------------------------- */

static bool module_attribute(Program *p, HostValue module, const AstExpr *expr, HostValue *out)
{
    const char *name = expr->attribute.name;
    const char *path =
        canonical(&p->scratch, arena_printf(&p->scratch, "%s.%s", module.text, name));
    if (module_path(p, path, out) || (p->eval && module_builtin(p, name, out)))
        return true;
    bool python = strcmp(module.text, "math") == 0 || strcmp(module.text, "time") == 0;
    if (python)
        return host_raise(p, host_span(expr), "AttributeError", "module '%s' has no attribute '%s'",
                          module.text, name);
    *out = (HostValue){ .kind = HOST_FOREIGN, .text = arena_strdup(p->arena, path) };
    return true;
}

static bool find_method(Program *p, const char *type, HostValue object, const char *name,
                        HostValue *out)
{
    const HostBuiltin *builtin = is_set(object)
                                     ? host_set_method(object.kind, name)
                                     : find_builtin(arena_printf(&p->scratch, "%s.%s", type, name));
    if (!builtin)
        return false;
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = object;
    method->builtin = builtin;
    *out = host_object(method);
    return true;
}

static bool slice_part(const HostSlice *slice, const char *name, HostValue *out)
{
    static const char *const names[] = { "start", "stop", "step" };
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *out = slice->parts[i];
            return true;
        }
    return false;
}

/* The methods of a ufunc: its own, as np.add has its sums, or those that all ufuncs have. */
static bool ufunc_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    if (object.kind == HOST_UFUNC)
        return object.ufunc->kind == UFUNC_VECTORIZED && interpreted_method(p, object, name, out);
    if (object.kind == HOST_FUNCTION)
        return interpreted_has(p, object.function) && interpreted_method(p, object, name, out);
    if (object.kind != HOST_BUILTIN || strncmp(object.builtin->name, "np.", 3) != 0)
        return false;
    return module_path(p, arena_printf(&p->scratch, "%s.%s", object.builtin->name, name), out) ||
           interpreted_method(p, object, name, out);
}

static bool function_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    if (object.kind == HOST_PARTIAL)
        return partial_attribute(object.partial, name, out);
    if (object.kind == HOST_UFUNC && strcmp(name, "py_func") == 0) {
        *out = object.ufunc->function;
        return true;
    }
    if (object.kind == HOST_UFUNC && strcmp(name, "__name__") == 0) {
        *out = host_text(p, object.ufunc->name);
        return true;
    }
    if (object.kind == HOST_DEVICE)
        return device_attribute(p, name, out);
    if (object.kind == HOST_FUNCTION && strcmp(name, "py_func") == 0) {
        *out = host_py_func(p, object.function);
        return true;
    }
    if (object.kind == HOST_FLAGS && host_flag(object, name, false, out))
        return true;
    if (object.kind == HOST_LIMITS)
        return host_limits_attribute(p, object.dtype, name, out);
    if (ufunc_attribute(p, object, name, out))
        return true;
    if (object.kind == HOST_BUILTIN && strcmp(object.builtin->name, "dict") == 0 &&
        strcmp(name, "fromkeys") == 0)
        return module_path(p, "dict.fromkeys", out);
    if (object.kind == HOST_SLICE && slice_part(object.slice, name, out))
        return true;
    if (object.kind == HOST_FUNCTION && strcmp(name, "__name__") == 0) {
        *out = host_text(p, object.function->code->name);
        return true;
    }
    if (object.kind == HOST_DTYPE && strcmp(name, "itemsize") == 0) {
        bool record = object.dtype == KJIT_DTYPE_RECORD;
        *out = host_int((int64_t)(record ? object.record->bytes : kjit_dtype_bytes(object.dtype)));
        return true;
    }
    if (object.kind == HOST_BUILTIN && strcmp(name, "__name__") == 0) {
        const char *dot = strrchr(object.builtin->name, '.');
        *out = host_text(p, dot ? dot + 1 : object.builtin->name);
        return true;
    }
    if (object.kind == HOST_EXCEPTION_CLASS && strcmp(name, "__name__") == 0) {
        const char *dot = strrchr(object.text, '.');
        *out = host_text(p, dot ? dot + 1 : object.text);
        return true;
    }
    if (object.kind == HOST_EXCEPTION_CLASS && exception_method(p, object, name, out))
        return true;
    if (object.kind == HOST_DTYPE && strcmp(name, "names") == 0) {
        const bool record = object.dtype == KJIT_DTYPE_RECORD;
        *out = record ? record_names(p, object.record) : host_none();
        return true;
    }
    if (object.kind == HOST_DTYPE && strcmp(name, "kind") == 0) {
        bool natural = object.dtype >= KJIT_DTYPE_UINT8 && object.dtype <= KJIT_DTYPE_UINT64;
        *out = host_text(p, object.dtype == KJIT_DTYPE_BOOL   ? "b"
                            : dtype_is_float(object.dtype)    ? "f"
                            : dtype_is_complex(object.dtype)  ? "c"
                            : !dtype_is_integer(object.dtype) ? "V"
                            : natural                         ? "u"
                                                              : "i");
        return true;
    }
    if (object.kind == HOST_DTYPE && strcmp(name, "type") == 0) {
        *out = (HostValue){ .kind = HOST_DTYPE, .dtype = object.dtype };
        return true;
    }
    if (object.kind == HOST_DTYPE && (strcmp(name, "__name__") == 0 || strcmp(name, "name") == 0)) {
        *out = host_text(p, kjit_dtype_name(object.dtype));
        return true;
    }
    return false;
}

/* What a NumPy scalar has of an array without axes. */
static bool scalar_attribute(Program *p, HostValue number, const char *name, HostValue *out)
{
    static const char *const names[] = { "shape", "size", "ndim", "itemsize", "nbytes", "strides" };
    HostArray *array;
    if (strcmp(name, "T") == 0) {
        *out = number;
        return true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return host_array_from(p, number, KJIT_DTYPE_NONE, &array) &&
                   host_array_attribute(p, host_object(array), name, out);
    return false;
}

/* What NumPy has of arrays, and kjit has not. */
static bool is_of_numpy(HostValue object, const char *name)
{
    static const char *const arrays[] = { "setflags", "tobytes", "tofile",   "dump",
                                          "byteswap", "choose",  "compress", "base",
                                          "data",     "ctypes",  "getfield", "newbyteorder" };
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
        *out = (HostValue){ .kind = HOST_FOREIGN,
                            .text = arena_printf(p->arena, "%s.%s", object.text, name) };
        return true;
    }
    if (class_attribute(p, object, name, out) ||
        (!p->failed && object.kind == HOST_EXCEPTION && exception_attribute(p, object, name, out)))
        return true;
    if (p->failed)
        return host_place(p, host_span(expr));
    bool array =
        object.kind == HOST_ARRAY || object.kind == HOST_NUMBER || object.kind == HOST_EXPRESSION;
    const char *type = host_type_name(p, object), *methods = array ? "array" : type;
    if (object.kind == HOST_TUPLE)
        methods = "tuple";
    const bool special = object.kind == HOST_DICT && object.dict->form >= DICT_COUNTER;
    if (object.kind == HOST_DICT)
        methods = "dict";
    if (special && interpreted_method(p, object, name, out))
        return true;
    if (object.kind == HOST_DICT && object.dict->form == DICT_DEFAULT &&
        strcmp(name, "default_factory") == 0) {
        *out = object.dict->factory;
        return true;
    }
    if (object.kind == HOST_GENERATOR)
        methods = object.generator->source.modern ? "Generator" : "RandomState";
    if (object.kind == HOST_ARRAY && host_array_attribute(p, object, name, out))
        return true;
    if (complex_attribute(object, name, out))
        return true;
    bool number = object.kind == HOST_NUMBER || (p->eval && host_is_number(object));
    if (number && strcmp(name, "dtype") == 0) {
        *out = dtype_value(host_dtype_of(object), NULL);
        return true;
    }
    if (object.kind == HOST_NUMBER && scalar_attribute(p, object, name, out))
        return true;
    if ((object.kind == HOST_FUNCTION && interpreted_part(p, object.function, name, out)) ||
        function_attribute(p, object, name, out) || find_method(p, methods, object, name, out) ||
        ((array || object.kind == HOST_GENERATOR) && interpreted_method(p, object, name, out)))
        return true;
    if (p->failed)
        return host_place(p, host_span(expr));
    return no_attribute(p, object, expr);
}

/* ---- getattr, hasattr ----------------------------------------------------------------------- */

/* Finds whether an object has an attribute; a name that kjit does not know in a module is none.
** False for all errors but a missing attribute, which leaves an AttributeError in `p`. */
static bool attribute_of(Program *p, const HostArgs *args, HostValue *out, bool *has)
{
    if (args->values[1].kind != HOST_STRING)
        return host_fail(p, "TypeError", "attribute name must be string, not '%s'",
                         host_type_name(p, args->values[1]));
    AstExpr *expr = arena_new(&p->scratch, AstExpr);
    expr->kind = AST_ATTRIBUTE;
    expr->span = args->call ? args->call->span : (Span){ 0 };
    expr->attribute.name = args->values[1].string->text;
    *has = eval_attribute(p, args->values[0], expr, out) &&
           (out->kind != HOST_FOREIGN || args->values[0].kind == HOST_FOREIGN);
    return *has || !p->failed || exception_is(p->exception, "AttributeError");
}

static bool builtin_hasattr(Program *p, HostArgs *args, HostValue *out)
{
    bool has;
    if (!attribute_of(p, args, out, &has))
        return false;
    host_forget(p);
    *out = host_bool(has);
    return true;
}

static bool builtin_getattr(Program *p, HostArgs *args, HostValue *out)
{
    bool has;
    if (!attribute_of(p, args, out, &has))
        return false;
    if (has)
        return true;
    if (args->count < 3)
        return !p->failed && host_fail(p, "AttributeError", "there is no attribute '%s'",
                                       args->values[1].string->text);
    host_forget(p);
    *out = args->values[2];
    return true;
}

static bool builtin_setattr(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue object = args->values[0], name = args->values[1];
    *out = host_none();
    if (name.kind != HOST_STRING)
        return host_fail(p, "TypeError", "attribute name must be string, not '%s'",
                         host_type_name(p, name));
    if (object.kind == HOST_INSTANCE || object.kind == HOST_EXCEPTION)
        return object_set(p, object, host_word(p, name.string), args->values[2]);
    return host_fail(p, "AttributeError", "'%s' object has no attribute '%s'",
                     host_type_name(p, object), name.string->text);
}

const HostBuiltin attribute_functions[] = {
    { "setattr", 3, 3, builtin_setattr, NULL },
    { "hasattr", 2, 2, builtin_hasattr, NULL },
    { "getattr", 2, 3, builtin_getattr, NULL },
    { NULL, 0, 0, NULL, NULL },
};

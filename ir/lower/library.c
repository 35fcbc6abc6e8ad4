/* Built-in names whose definition is a function of the language itself: cmath.sqrt, np.sign,
** numba.cuda.random's. Each such namespace is a module of the standard library, which is parsed
** when a kernel first uses one of its names, so that others cost nothing. Names that begin with an
** underscore are the module's own. */
#include "ir/lower/function.h"

/* The module, parsed at its first use; NULL if there is none or it is broken. */
static const Module *load(FnState *f, const char *name, Span span)
{
    const LowerRequest *request = f->lower->request;
    Module *module = table_get(&f->lower->libraries, name);
    if (!module && request->library)
        module = request->library(request->library_context, name, span, NULL);
    if (module)
        table_put(&f->lower->libraries, name, module);
    return module;
}

static const Module *module_of(FnState *f, const char *path, Span span)
{
    const char *name = builtin_library(path);
    return name ? load(f, name, span) : NULL;
}

Operand library_find(FnState *f, const char *path, Span span)
{
    path = builtin_canonical(f->arena, path);
    const Module *module = module_of(f, path, span);
    Symbol *symbol = module ? module_symbol(module, strrchr(path, '.') + 1) : NULL;
    if (!symbol || symbol->module != module)
        return operand_error(span);
    return lower_symbol(f, symbol, span);
}

/* A function of NumPy's that makes arrays, of constants; NULL if there is no such. */
static Symbol *array_function(FnState *f, const char *path, Span span)
{
    static const char *const modules[] = { "arrays", "derived", "linear" };
    if (strncmp(path, "np.", 3) != 0 || path[3] == '_')
        return NULL;
    char *name = arena_strdup(f->arena, path + 3);
    for (char *dot; (dot = strchr(name, '.'));) /* np.linalg.inv */
        *dot = '_';
    for (size_t i = 0; i < ARRAY_COUNT(modules); i++) {
        const Module *module = load(f, modules[i], span);
        Symbol *symbol = module ? module_symbol(module, name) : NULL;
        if (symbol && symbol->module == module)
            return symbol;
    }
    return NULL;
}

Operand library_find_array(FnState *f, const char *path, Span span)
{
    path = builtin_canonical(f->arena, path);
    Symbol *symbol = f->constant_only ? array_function(f, path, span) : NULL;
    return symbol ? lower_symbol(f, symbol, span) : operand_error(span);
}

const Function *library_reduction(FnState *f, const Function *called, const char *name, Span span)
{
    const Module *module = name && *name != '_' ? load(f, "reductions", span) : NULL;
    const bool other =
        called && called->module != module && called->module != load(f, "numpy", span);
    return module && !other ? module_function(module, name) : NULL;
}

const Function *library_own(FnState *f, const char *name, Span span)
{
    const Module *module = load(f, "builtins", span);
    return module ? module_function(module, name) : NULL;
}

/* The module of a library's namedtuple, and what the names of its methods begin with. */
static const Module *module_of_methods(FnState *f, const Type *type, const char **prefix, Span span)
{
    const char *name = type_is_tuple(type) && type->tuple.names ? type->tuple.names->name : "";
    const char *dot = strchr(name, '.');
    if (!dot)
        return NULL;
    *prefix = arena_printf(f->arena, "_%s_", dot + 1);
    return module_of(f, arena_printf(f->arena, "cuda.%s", name), span);
}

const Function *library_method(FnState *f, const Type *type, const char *name, Span span)
{
    const char *prefix;
    const Module *module = module_of_methods(f, type, &prefix, span);
    return module ? module_function(module, arena_printf(f->arena, "%s%s", prefix, name)) : NULL;
}

bool library_lacks_method(FnState *f, const Type *type, const char *name, Span span)
{
    const char *prefix;
    const Module *module = module_of_methods(f, type, &prefix, span);
    if (!module)
        return false;
    int count = 0, own = 0;
    const char **names = module_names(module, f->arena, &count);
    for (int i = 0; i < count; i++)
        if (strncmp(names[i], prefix, strlen(prefix)) == 0)
            names[own++] = names[i] + strlen(prefix);
    const char *near = diag_nearest(name, names, (size_t)own);
    fail(f, span, "a %s has no method '%s'%s%s%s", type->tuple.names->name, name,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return true;
}

/* The library's own name that is nearest to what a path ends in. */
static const char *nearest_of_its_own(FnState *f, const char *path, Span span)
{
    const Module *module = module_of(f, path, span);
    if (!module)
        return NULL;
    int count = 0, own = 0;
    const char **names = module_names(module, f->arena, &count);
    for (int i = 0; i < count; i++)
        if (names[i][0] != '_')
            names[own++] = names[i];
    return diag_nearest(strrchr(path, '.') + 1, names, (size_t)own);
}

void library_missing(FnState *f, const char *path, Span span)
{
    const char *refusal = builtin_refusal(f->arena, path);
    const char *known = builtin_canonical(f->arena, path), *both[2];
    bool constant = !f->constant_only && array_function(f, known, span);
    if (refusal || constant) {
        fail(f, span, "kernels cannot use '%s': %s%s", path,
             refusal ? refusal : "it is of arrays as wholes",
             constant ? "; or make it a constant of the module" : "");
        return;
    }
    size_t count = 0;
    if ((both[count] = nearest_of_its_own(f, known, span)))
        count++;
    if ((both[count] = builtin_nearest(f->arena, known)))
        count++;
    const char *dot = strrchr(path, '.'), *near = diag_nearest(dot ? dot + 1 : path, both, count);
    if (near)
        fail(f, span, "kernels cannot use '%s'; did you mean '%.*s%s'?", path,
             dot ? (int)(dot + 1 - path) : 0, path, near);
    else
        fail(f, span, "kernels cannot use '%s': kjit knows nothing of that name", path);
}

bool library_is_namespace(const Lower *lower, const Module *module)
{
    const char *name;
    for (size_t i = 0; (name = builtin_library_name(i)); i++)
        if (table_get(&lower->libraries, name) == module)
            return true;
    return false;
}

bool library_hides(const FnState *f)
{
    return f->lower->library_called && module_is_standard(f->module);
}

bool library_divides(const Lower *lower, const Module *module)
{
    bool imported = module_is_standard(module) && module != lower->request->module;
    return imported && table_get(&lower->libraries, "operator") != module;
}

const char *library_shown_name(const Function *function)
{
    return function->name + (function->name[0] == '_');
}

const char *library_function_name(const Lower *lower, const Function *function)
{
    const char *name;
    for (size_t i = 0; (name = builtin_library_name(i)); i++)
        if (table_get(&lower->libraries, name) == function->module)
            return arena_printf(lower->arena, "%s_%s", name, library_shown_name(function));
    return function->name;
}

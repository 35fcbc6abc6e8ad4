/* Imports: what is built in, other files, and what is neither, which is no error until a kernel
** reads it. */
#include "ir/names/scope.h"

bool resolve_is_of_python(const char *module)
{
#define M(name) #name,
    static const char *const names[] = {
#include "ir/names/tables/python_modules.def"
    };
#undef M
    size_t length = strcspn(module, ".");
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strncmp(module, names[i], length) == 0 && !names[i][length])
            return true;
    return false;
}

static bool is_builtin_module(Resolver *r, const char *name)
{
    return builtin_is_namespace(builtin_canonical(r->arena, name)) || strcmp(name, "types") == 0 ||
           strcmp(name, "numba.types") == 0;
}

bool resolve_refused(Resolver *r, const char *path, Span span)
{
    const char *reason = path ? builtin_refusal(r->arena, path) : NULL;
    if (reason)
        diag_error(r->diags, span, "kernels cannot use '%s': %s", path, reason);
    return reason != NULL;
}

static Module *find(Resolver *r, const char *name, Span span, const char **why)
{
    *why = NULL;
    return r->finder ? r->finder(r->context, name, span, why) : NULL;
}

/* The end of a complaint of what a module that is not there should have. */
static const char *lost(Resolver *r, const char *module)
{
    return arena_printf(r->arena,
                        resolve_is_of_python(module)
                            ? "comes from Python's own module '%s', which kjit does not run: give "
                              "what is made of it with -D NAME=VALUE, or an argument"
                            : "comes from the module '%s', which is not there",
                        module);
}

static void define_lost(Resolver *r, const char *name, const char *module, Span span,
                        const char *where)
{
    scope_define_unknown(r, name, span, lost(r, module))->unknown.where =
        resolve_is_of_python(module) ? NULL : where;
}

/* ---- import a.b as c ------------------------------------------------------------------------- */

/* Loads a, a.b and so on, each a part of the one before; gives the last and, through `first`, the
** first. */
static Module *find_chain(Resolver *r, const char *name, Span span, Module **first,
                          const char **why)
{
    Module *package = NULL;
    *first = NULL;
    for (const char *end = name; end; end = strchr(end, '.')) {
        end += *end == '.';
        size_t length = strcspn(end, ".") + (size_t)(end - name);
        Module *module = find(r, arena_strndup(r->arena, name, length), span, why);
        if (!module)
            return NULL;
        if (package)
            module_add_part(package, arena_strndup(r->arena, end, length - (size_t)(end - name)),
                            module);
        else
            *first = module;
        package = module;
    }
    return package;
}

static void import_whole(Resolver *r, const AstAlias *alias)
{
    const char *dot = strchr(alias->name, '.'), *why;
    const char *name = alias->as ? alias->as
                       : dot     ? arena_strndup(r->arena, alias->name, (size_t)(dot - alias->name))
                                 : alias->name;
    Module *first = NULL, *last = NULL;
    bool builtin = is_builtin_module(r, alias->name);
    if (!builtin)
        last = find_chain(r, alias->name, alias->span, &first, &why);
    if (last) {
        scope_define(r, name, SYMBOL_MODULE, alias->span)->of = alias->as ? last : first;
        return;
    }
    if (builtin || (dot && !alias->as && is_builtin_module(r, name))) { /* import numpy.linalg */
        scope_define(r, name, SYMBOL_BUILTIN, alias->span)->path =
            builtin_canonical(r->arena, alias->as ? alias->name : name);
        return;
    }
    resolve_refused(r, alias->name, alias->span);
    define_lost(r, name, alias->name, alias->span, why);
}

void resolve_import(Resolver *r, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++)
        import_whole(r, &stmt->import.names[i]);
}

/* ---- from a import b ------------------------------------------------------------------------- */

typedef struct StarImport {
    Resolver *resolver;
    Span span;
} StarImport;

static void define_starred(void *context, const char *path)
{
    const StarImport *star = context;
    scope_define(star->resolver, strrchr(path, '.') + 1, SYMBOL_BUILTIN, star->span)->path = path;
}

static void import_builtin(Resolver *r, const char *module, const AstAlias *alias)
{
    const char *name = alias->as ? alias->as : alias->name;
    if (strcmp(alias->name, "*") == 0) {
        StarImport star = { r, alias->span };
        const char *space = builtin_canonical(r->arena, module);
        builtin_each_in(space, define_starred, &star);
        array_push(r->arena, r->module->spaces, r->module->space_count, r->module->space_capacity) =
            space;
        if (strcmp(builtin_canonical(r->arena, module), "cuda") == 0)
            define_starred(&star, "cuda.jit");
        return;
    }
    const char *path = arena_printf(r->arena, "%s.%s", module, alias->name);
    path = builtin_canonical(r->arena, path);
    bool decorator = strcmp(path, "cuda.jit") == 0 || strcmp(path, "numba.jit") == 0 ||
                     strcmp(path, "numba.njit") == 0 || strcmp(path, "cuda.declare_device") == 0;
    scope_define(r, name, SYMBOL_BUILTIN, alias->span)->path = path;
    if (decorator || strcmp(path, "numba") == 0 ||
        builtin_find(r->arena, path, alias->span).kind != OPD_ERROR ||
        builtin_refusal(r->arena, path) || builtin_library(path))
        return;
    const char *near = builtin_nearest(r->arena, path);
    diag_error(r->diags, alias->span, "'%s' has nothing called '%s' that kernels can use%s%s%s",
               module, alias->name, near ? "; did you mean '" : "", near ? near : "",
               near ? "'?" : "");
}

static void import_symbol(Resolver *r, Module *from, const char *module, const AstAlias *alias)
{
    const char *why;
    const Symbol *there = module_binding(from, alias->name);
    bool known = there && there->kind != SYMBOL_CHOICE; /* which may bind nothing */
    Symbol *here = scope_define(r, alias->as ? alias->as : alias->name, SYMBOL_IMPORT, alias->span);
    here->import.from = from;
    here->import.name = alias->name;
    here->import.module = module;
    if (known)
        return;
    size_t length = strlen(module);
    bool dots = length && module[length - 1] == '.';
    Module *part = find(r, arena_printf(r->arena, "%s%s%s", module, dots ? "" : ".", alias->name),
                        alias->span, &why);
    if (part)
        module_add_part(from, alias->name, part);
}

/* Binds all names that a module has; what it binds later, as modules may that import one another,
** is looked for in it. */
static void import_all(Resolver *r, Module *from, const char *module, const AstAlias *star)
{
    for (int i = 0, count = from->count; i < count; i++) {
        const char *name = from->list[i]->name;
        if (name[0] != '_' && table_get(&from->symbols, name) == from->list[i])
            import_symbol(r, from, module, &(AstAlias){ .name = name, .span = star->span });
    }
    array_push(r->arena, r->module->starred, r->module->starred_count,
               r->module->starred_capacity) = from;
}

static void import_unknown(Resolver *r, const char *module, const char *why, const AstAlias *alias)
{
    if (strcmp(alias->name, "*") != 0) {
        define_lost(r, alias->as ? alias->as : alias->name, module, alias->span, why);
        return;
    }
    Symbol *star = arena_new(r->arena, Symbol);
    *star = (Symbol){ .kind = SYMBOL_UNKNOWN,
                      .name = module,
                      .module = r->module,
                      .span = alias->span,
                      .unknown = { .reason = lost(r, module), .where = why } };
    r->module->lost_star = star;
}

void resolve_from_import(Resolver *r, const AstStmt *stmt)
{
    static const char dots[] = "................................";
    int level = stmt->import.level < (int)sizeof dots ? stmt->import.level : (int)sizeof dots - 1;
    const char *module = stmt->import.module, *why = NULL;
    bool builtin = !level && is_builtin_module(r, module);
    if (strcmp(module, "__future__") == 0)
        return;
    if (level)
        module = arena_printf(r->arena, "%.*s%s", level, dots, module);
    if (!builtin && !level)
        resolve_refused(r, module, stmt->import.module_span);
    Module *from = builtin ? NULL : find(r, module, stmt->import.module_span, &why);
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        size_t mark = r->diags->count;
        int first = r->module->count;
        if (builtin) {
            import_builtin(r, module, alias);
            scope_keep_complaints(r, mark, first); /* the others are none the worse for it */
        } else if (!from &&
                   is_builtin_module(r, arena_printf(r->arena, "%s.%s", module, alias->name)))
            import_builtin(r, module, alias); /* from numba.core import types */
        else if (!from)
            import_unknown(r, module, why, alias);
        else if (strcmp(alias->name, "*") != 0)
            import_symbol(r, from, module, alias);
        else
            import_all(r, from, module, alias);
    }
}

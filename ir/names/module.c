/* Names at module level: imports, constants, functions; and what decorators say of functions. */
#include "base/table.h"
#include "ir/names/operand.h"

#include <string.h>

struct Module {
    Arena *arena;
    Table symbols;
    Symbol **list; /* in order of definition */
    int count, capacity;
    KernelInfo *kernels;
    int kernel_count, kernel_capacity;
    bool standard; /* a module of the standard library */
};

typedef struct Resolver {
    Arena *arena;
    Diags *diags;
    Module *module;
    ModuleFinder *finder;
    void *context;
} Resolver;

Symbol *module_symbol(const Module *module, const char *name)
{
    return table_get(&module->symbols, name);
}

const char **module_names(const Module *module, Arena *arena, int *count)
{
    const char **names = arena_array(arena, const char *, module->count + 1);
    for (int i = 0; i < module->count; i++)
        names[i] = module->list[i]->name;
    *count = module->count;
    return names;
}

Function *module_function(const Module *module, const char *name)
{
    Symbol *symbol = module_symbol(module, name);
    return symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->function : NULL;
}

const AstExpr *module_namedtuple(const Module *module, const char *name)
{
    const Symbol *symbol = module_symbol(module, name);
    const AstExpr *value = symbol && symbol->kind == SYMBOL_CONSTANT && symbol->constant.item < 0
                               ? symbol->constant.value
                               : NULL;
    const AstExpr *function = value && value->kind == AST_CALL ? value->call.function : NULL;
    const char *called = function && function->kind == AST_NAME        ? function->name.name
                         : function && function->kind == AST_ATTRIBUTE ? function->attribute.name
                                                                       : "";
    return strcmp(called, "namedtuple") == 0 ? value : NULL;
}

bool module_has_constant(const Module *module, const char *name)
{
    const Symbol *symbol = module_symbol(module, name);
    return symbol && symbol->kind == SYMBOL_CONSTANT;
}

bool module_is_standard(const Module *module)
{
    return module->standard;
}

int module_kernels(const Module *module, const KernelInfo **kernels)
{
    *kernels = module->kernels;
    return module->kernel_count;
}

/* A name that is bound again is no longer the kernel's. */
static void forget_kernel(Module *module, const char *name)
{
    for (int i = 0; i < module->kernel_count; i++)
        if (strcmp(module->kernels[i].name, name) == 0) {
            module->kernel_count--;
            memmove(&module->kernels[i], &module->kernels[i + 1],
                    (size_t)(module->kernel_count - i) * sizeof *module->kernels);
            return;
        }
}

static Symbol *define(Resolver *r, const char *name, SymbolKind kind, Span span)
{
    forget_kernel(r->module, name);
    Symbol *symbol = arena_new(r->arena, Symbol);
    *symbol = (Symbol){ .kind = kind, .name = name, .module = r->module, .span = span };
    table_put(&r->module->symbols, name, symbol);
    array_push(r->arena, r->module->list, r->module->count, r->module->capacity) = symbol;
    return symbol;
}

/* ---- imports -------------------------------------------------------------------------- */

static bool is_builtin_module(Resolver *r, const char *name)
{
    return builtin_is_namespace(builtin_canonical(r->arena, name)) || strcmp(name, "types") == 0 ||
           strcmp(name, "numba.types") == 0;
}

/* Complains of a name that kernels cannot use for a reason that is known. */
static bool refused(Resolver *r, const char *path, Span span)
{
    const char *reason = path ? builtin_refusal(r->arena, path) : NULL;
    if (reason)
        diag_error(r->diags, span, "kernels cannot use '%s': %s", path, reason);
    return reason != NULL;
}

/* `import a.b` binds a, which stands for the namespace a; `as` binds the whole path. */
static void resolve_import(Resolver *r, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        if (!is_builtin_module(r, alias->name) && refused(r, alias->name, alias->span))
            continue;
        if (!is_builtin_module(r, alias->name)) {
            diag_error(r->diags, alias->span, "there is no module '%s' to import whole",
                       alias->name);
            diag_note(r->diags, alias->span,
                      "'import' knows math, cmath, operator, numpy and numba; take what you need "
                      "from a .k file with 'from %s import NAME'",
                      alias->name);
            continue;
        }
        const char *dot = strchr(alias->name, '.');
        const char *name = alias->as ? alias->as
                           : dot ? arena_strndup(r->arena, alias->name, (size_t)(dot - alias->name))
                                 : alias->name;
        define(r, name, SYMBOL_BUILTIN, alias->span)->path =
            builtin_canonical(r->arena, alias->as ? alias->name : name);
    }
}

typedef struct StarImport {
    Resolver *resolver;
    Span span;
} StarImport;

static void define_starred(void *context, const char *path)
{
    const StarImport *star = context;
    define(star->resolver, strrchr(path, '.') + 1, SYMBOL_BUILTIN, star->span)->path = path;
}

static void import_builtin(Resolver *r, const char *module, const AstAlias *alias)
{
    if (strcmp(alias->name, "*") == 0) {
        StarImport star = { r, alias->span };
        builtin_each_in(builtin_canonical(r->arena, module), define_starred, &star);
        if (strcmp(builtin_canonical(r->arena, module), "cuda") == 0)
            define_starred(&star, "cuda.jit");
        return;
    }
    const char *path = arena_printf(r->arena, "%s.%s", module, alias->name);
    path = builtin_canonical(r->arena, path);
    bool decorator = strcmp(path, "cuda.jit") == 0 || strcmp(path, "numba.jit") == 0 ||
                     strcmp(path, "numba.njit") == 0;
    if (!decorator && strcmp(path, "numba") != 0 &&
        builtin_find(r->arena, path, alias->span).kind == OPD_ERROR) {
        if (builtin_refusal(r->arena, path) || builtin_library(path)) { /* told if it is used */
            define(r, alias->as ? alias->as : alias->name, SYMBOL_BUILTIN, alias->span)->path =
                path;
            return;
        }
        const char *near = builtin_nearest(r->arena, path);
        diag_error(r->diags, alias->span, "'%s' has nothing called '%s' that kernels can use%s%s%s",
                   module, alias->name, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
        return;
    }
    define(r, alias->as ? alias->as : alias->name, SYMBOL_BUILTIN, alias->span)->path = path;
}

static void import_symbol(Resolver *r, const Module *from, const AstStmt *stmt,
                          const AstAlias *alias)
{
    const Symbol *symbol = module_symbol(from, alias->name);
    if (!symbol) {
        int count;
        const char **names = module_names(from, r->arena, &count);
        const char *near = diag_nearest(alias->name, names, (size_t)count);
        diag_error(r->diags, alias->span, "module '%s' has no '%s'%s%s%s", stmt->import.module,
                   alias->name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return;
    }
    Symbol *here = define(r, alias->as ? alias->as : alias->name, symbol->kind, alias->span);
    const char *name = here->name;
    *here = *symbol;
    here->name = name;
}

static void resolve_from_import(Resolver *r, const AstStmt *stmt)
{
    const char *module = stmt->import.module;
    if (strcmp(module, "__future__") == 0 || strcmp(module, "typing") == 0)
        return;
    bool builtin = is_builtin_module(r, module);
    if (!builtin && refused(r, module, stmt->import.module_span))
        return;
    Module *from = builtin ? NULL : r->finder(r->context, module, stmt->import.module_span);
    if (!builtin && !from)
        return;
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        if (builtin)
            import_builtin(r, module, alias);
        else if (strcmp(alias->name, "*") != 0)
            import_symbol(r, from, stmt, alias);
        else
            for (int k = 0; k < from->count; k++) {
                AstAlias each = { .name = from->list[k]->name, .span = alias->span };
                if (each.name[0] != '_')
                    import_symbol(r, from, stmt, &each);
            }
    }
}

/* ---- decorators ------------------------------------------------------------------------ */

/* "cuda.jit" for the expression cuda.jit under this module's imports; NULL if it is no path. */
static const char *dotted_path(Resolver *r, const AstExpr *expr)
{
    if (expr->kind == AST_NAME) {
        const Symbol *symbol = module_symbol(r->module, expr->name.name);
        return symbol && symbol->kind == SYMBOL_BUILTIN ? symbol->path : expr->name.name;
    }
    if (expr->kind != AST_ATTRIBUTE)
        return NULL;
    const char *object = dotted_path(r, expr->attribute.object);
    return object ? builtin_canonical(r->arena,
                                      arena_printf(r->arena, "%s.%s", object, expr->attribute.name))
                  : NULL;
}

/* Every signature of a decorator: one expression or string, a list of them, or a constant that
** holds one of these. */
static void take_signature(Resolver *r, Function *function, AstExpr *expr, int depth)
{
    const Symbol *symbol =
        expr->kind == AST_NAME ? module_symbol(r->module, expr->name.name) : NULL;
    bool held = symbol && symbol->kind == SYMBOL_CONSTANT && symbol->constant.item < 0;
    if (held && depth < 8) /* `A = A` is complained of where it is read */
        take_signature(r, function, (AstExpr *)symbol->constant.value, depth + 1);
    else if (expr->kind == AST_LIST)
        for (int i = 0; i < expr->list.items.count; i++)
            take_signature(r, function, expr->list.items.items[i], depth + 1);
    else
        array_push(r->arena, function->signatures.items, function->signatures.count,
                   function->signatures.capacity) = expr;
}

/* Takes a decorator that has to be called, and stands there once. */
static void take_once(Resolver *r, AstExpr *decorator, bool called, const char *uncalled,
                      const char *again, AstExpr **taken)
{
    if (!called)
        diag_error(r->diags, decorator->span, "%s", uncalled);
    else if (*taken)
        diag_error(r->diags, decorator->span, "%s", again);
    else
        *taken = decorator;
}

static void take_decorator(Resolver *r, Function *function, AstExpr *decorator)
{
    bool called = decorator->kind == AST_CALL;
    const AstExpr *callee = called ? decorator->call.function : decorator;
    const char *path = dotted_path(r, callee);
    if (path && strcmp(path, "example") == 0) {
        take_once(r, decorator, called, "@example takes values: @example(x=zeros(10))",
                  "a kernel has one @example: put all into one", &function->example);
        return;
    }
    if (path && strcmp(path, "tune") == 0) {
        take_once(r, decorator, called, "@tune takes what to try: @tune(TILE=[16, 32])",
                  "a kernel has one @tune: put all into one", &function->tune);
        return;
    }
    bool jit = path && (strcmp(path, "cuda.jit") == 0 || strcmp(path, "kernel") == 0);
    bool host = path && (strcmp(path, "numba.jit") == 0 || strcmp(path, "numba.njit") == 0 ||
                         strcmp(path, "njit") == 0 || strcmp(path, "jit") == 0);
    if (!jit && !host && !(path && strcmp(path, "device") == 0)) {
        function->kernel = true; /* the likelier intention: no complaints that follow from it */
        if (refused(r, path, decorator->span))
            return;
        diag_error(
            r->diags, decorator->span,
            "unknown decorator; use @cuda.jit for a kernel, @cuda.jit(device=True) for a "
            "device function, @example for the values to run it with, @tune for what to try");
        return;
    }
    function->kernel = jit;
    AstExprs args = called ? decorator->call.args : (AstExprs){ 0 };
    if (args.count)
        take_signature(r, function, args.items[0], 0);
    if (args.count > 1)
        diag_error(
            r->diags, args.items[1]->span,
            "one signature, or a list of them, stands here; options have names: device=True");
    for (int i = 0; called && i < decorator->call.keyword_count; i++)
        options_take(r->arena, r->diags, function, &decorator->call.keywords[i]);
    if (!function->kernel && function->options.deterministic)
        diag_error(r->diags, function->deterministic,
                   "deterministic= is for kernels: the one that calls this function says so");
}

static void check_kernel_params(Resolver *r, const AstFunction *ast)
{
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        if (param->star)
            diag_error(r->diags, param->span, "a kernel cannot take *%s: name each parameter",
                       param->name);
        else if (param->default_value)
            diag_error(r->diags, param->default_value->span,
                       "a kernel's parameters have no default values; give '%s' at the launch",
                       param->name);
    }
}

static void resolve_function(Resolver *r, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    Function *function = arena_new(r->arena, Function);
    *function = (Function){
        .name = ast->name, .module = r->module, .ast = ast, .options = { .opt = 3, .carveout = -1 }
    };
    for (int i = 0; i < ast->decorators.count; i++)
        take_decorator(r, function, ast->decorators.items[i]);
    define(r, ast->name, SYMBOL_FUNCTION, ast->name_span)->function = function;
    if (!function->kernel) {
        if (function->example)
            diag_error(r->diags, function->example->span,
                       "@example is for kernels, and '%s' is a device function", ast->name);
        if (function->tune)
            diag_error(r->diags, function->tune->span,
                       "@tune is for kernels, and '%s' is a device function: tune the kernel that "
                       "calls it",
                       ast->name);
        return;
    }
    check_kernel_params(r, ast);
    if (function->example)
        example_check(r->arena, r->diags, function->example, ast);
    KernelInfo info = { ast->name, ast, function->example,
                        function->signatures.count ? function->signatures.items[0] : NULL,
                        function->tune ? tune_read(r->arena, r->diags, function->tune, ast)
                                       : NULL };
    array_push(r->arena, r->module->kernels, r->module->kernel_count, r->module->kernel_capacity) =
        info;
}

/* ---- enumerations ---------------------------------------------------------------------- */

static bool is_member(const AstStmt *stmt)
{
    return stmt->kind == AST_ASSIGN && stmt->assign.targets.count == 1 &&
           stmt->assign.targets.items[0]->kind == AST_NAME;
}

/* Whether all that is said of a class is @unique. */
static bool is_unique(Resolver *r, const AstClass *ast)
{
    for (int i = 0; i < ast->decorators.count; i++) {
        const AstExpr *decorator = ast->decorators.items[i];
        const char *path = dotted_path(r, decorator);
        if ((!path || strcmp(path, "enum.unique") != 0) && !refused(r, path, decorator->span))
            diag_error(r->diags, decorator->span, "an enumeration has no decorator but @unique");
    }
    return ast->decorators.count > 0;
}

static void resolve_class(Resolver *r, const AstStmt *stmt)
{
    static const char *const value[] = { "value" };
    const AstClass *ast = &stmt->class_;
    const AstExpr *base = ast->bases.count ? ast->bases.items[0] : NULL;
    const char *path = base ? dotted_path(r, base) : NULL;
    bool integer = path && strcmp(path, "enum.IntEnum") == 0;
    if (!integer && !(path && strcmp(path, "enum.Enum") == 0)) {
        diag_error(r->diags, ast->name_span,
                   "a class can derive from Enum and IntEnum alone: from enum import Enum");
        return;
    }
    for (int i = 0; i < ast->body.count; i++) {
        const AstStmt *member = ast->body.items[i];
        bool text = member->kind == AST_EXPR_STMT && member->expr.value->kind == AST_STRING;
        if (!is_member(member) && member->kind != AST_PASS && !text)
            diag_error(r->diags, member->span,
                       "an enumeration holds members alone: NAME = VALUE, a line each");
    }
    EnumClass *class = arena_new(r->arena, EnumClass);
    *class = (EnumClass){ .names = { ast->name, value },
                          .module = r->module,
                          .integer = integer,
                          .unique = is_unique(r, ast),
                          .ast = stmt };
    define(r, ast->name, SYMBOL_ENUM, ast->name_span)->enumeration = class;
}

/* ---- constants ------------------------------------------------------------------------- */

static void define_constant(Resolver *r, const AstExpr *target, const AstExpr *value)
{
    if (target->kind == AST_NAME) {
        Symbol *symbol = define(r, target->name.name, SYMBOL_CONSTANT, target->span);
        symbol->constant.value = value;
        symbol->constant.item = -1;
        return;
    }
    if (target->kind != AST_TUPLE) {
        diag_error(r->diags, target->span, "a module's constants are plain names: NAME = VALUE");
        return;
    }
    for (int i = 0; i < target->list.items.count; i++) {
        const AstExpr *item = target->list.items.items[i];
        if (item->kind != AST_NAME) {
            diag_error(r->diags, item->span, "a module's constants are plain names: A, B = 1, 2");
            continue;
        }
        Symbol *symbol = define(r, item->name.name, SYMBOL_CONSTANT, item->span);
        symbol->constant.value = value;
        symbol->constant.item = i;
    }
}

static void resolve_statement(Resolver *r, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_IMPORT:
        resolve_import(r, stmt);
        return;
    case AST_FROM_IMPORT:
        resolve_from_import(r, stmt);
        return;
    case AST_DEF:
        resolve_function(r, stmt);
        return;
    case AST_CLASS:
        resolve_class(r, stmt);
        return;
    case AST_ASSIGN:
        for (int i = 0; i < stmt->assign.targets.count; i++)
            define_constant(r, stmt->assign.targets.items[i], stmt->assign.value);
        return;
    case AST_ANN_ASSIGN:
        if (stmt->ann_assign.value)
            define_constant(r, stmt->ann_assign.target, stmt->ann_assign.value);
        return;
    case AST_PASS:
        return;
    case AST_EXPR_STMT:
        if (stmt->expr.value->kind == AST_STRING)
            return;
        break;
    default:
        break;
    }
    diag_error(r->diags, stmt->span,
               "only imports, constants and functions may stand at module level; launch kernels "
               "with 'kjit run'");
}

Module *module_resolve(Arena *arena, Diags *diags, const AstModule *ast, ModuleFinder *finder,
                       void *context)
{
    Module *module = arena_new(arena, Module);
    module->arena = arena;
    module->standard = strncmp(ast->source->name, "std:", 4) == 0;
    table_init(&module->symbols, arena);
    Resolver r = { arena, diags, module, finder, context };
    size_t errors = diags->errors;
    for (int i = 0; i < ast->body.count; i++)
        resolve_statement(&r, ast->body.items[i]);
    return diags->errors == errors ? module : NULL;
}

/* Functions, and what decorators say of them. */
#include "ir/names/scope.h"

#include <string.h>

const char *module_path_of(Arena *arena, const Module *module, const AstExpr *expr)
{
    if (expr->kind == AST_NAME) {
        const Symbol *symbol = module_symbol(module, expr->name.name);
        return !symbol ? expr->name.name : symbol->kind == SYMBOL_BUILTIN ? symbol->path : NULL;
    }
    if (expr->kind != AST_ATTRIBUTE)
        return NULL;
    const char *object = module_path_of(arena, module, expr->attribute.object);
    return object ? builtin_canonical(arena,
                                      arena_printf(arena, "%s.%s", object, expr->attribute.name))
                  : NULL;
}

const char *resolve_path(Resolver *r, const AstExpr *expr)
{
    return module_path_of(r->arena, r->module, expr);
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

/* ---- decorators ------------------------------------------------------------------------------ */

typedef enum Maker { MAKES_NOTHING, MAKES_KERNEL, MAKES_FUNCTION } Maker;

/* What a decorator makes of a function. */
static Maker maker_of(const char *path)
{
    static const char *const kernels[] = { "cuda.jit", "kernel" };
    static const char *const functions[] = { "numba.jit", "numba.njit", "njit", "jit", "device" };
    for (size_t i = 0; path && i < ARRAY_COUNT(kernels); i++)
        if (strcmp(path, kernels[i]) == 0)
            return MAKES_KERNEL;
    for (size_t i = 0; path && i < ARRAY_COUNT(functions); i++)
        if (strcmp(path, functions[i]) == 0)
            return MAKES_FUNCTION;
    return MAKES_NOTHING;
}

/* What cuda.jit(...) is given beside the function. */
static void take_options(Resolver *r, Function *function, const AstExpr *call, int first)
{
    AstExprs args = call->call.args;
    if (args.count > first)
        take_signature(r, function, args.items[first], 0);
    if (args.count > first + 1)
        diag_error(
            r->diags, args.items[first + 1]->span,
            "one signature, or a list of them, stands here; options have names: device=True");
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        bool signature = keyword->name && (strcmp(keyword->name, "func_or_sig") == 0 ||
                                           strcmp(keyword->name, "signature") == 0);
        if (signature && keyword->value->kind == AST_NONE)
            continue;
        if (signature)
            take_signature(r, function, keyword->value, 0);
        else
            options_take(r->arena, r->diags, function, keyword);
    }
    if (!function->kernel && function->options.deterministic)
        diag_error(r->diags, function->deterministic,
                   "deterministic= is for kernels: the one that calls this function says so");
}

/* Complains of a decorator that kjit knows nothing of. One that looks misspelt makes a kernel, the
** likelier intention, so that it is reported. */
static void unknown_decorator(Resolver *r, Function *function, const AstExpr *decorator,
                              const char *path)
{
    bool method = path && strcmp(path, "property") == 0;
    if (path && r->module->is_class && strcmp(path, "classmethod") == 0) {
        function->of_class = true;
        return;
    }
    if (path && strcmp(path, "staticmethod") == 0)
        return;
    if (resolve_refused(r, path, decorator->span))
        return;
    function->kernel |= path && !method && (strncmp(path, "cuda.", 5) == 0 || !strchr(path, '.'));
    diag_error(r->diags, decorator->span,
               "unknown decorator; use @cuda.jit for a kernel, @cuda.jit(device=True) for a "
               "device function, @example for the values to run it with, @tune for what to try");
}

static void take_decorator(Resolver *r, Function *function, AstExpr *decorator)
{
    bool called = decorator->kind == AST_CALL;
    const char *path = resolve_path(r, called ? decorator->call.function : decorator);
    Maker maker = maker_of(path);
    if (path && strcmp(path, "example") == 0) {
        take_once(r, decorator, called, "@example takes values: @example(x=zeros(10))",
                  "a kernel has one @example: put all into one", &function->example);
    } else if (path && strcmp(path, "tune") == 0) {
        take_once(r, decorator, called, "@tune takes what to try: @tune(TILE=[16, 32])",
                  "a kernel has one @tune: put all into one", &function->tune);
    } else if (maker == MAKES_NOTHING) {
        unknown_decorator(r, function, decorator, path);
    } else {
        function->kernel = maker == MAKES_KERNEL;
        if (called)
            take_options(r, function, decorator, 0);
    }
}

static void check_kernel_params(Resolver *r, const AstFunction *ast)
{
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        if (param->star)
            diag_error(r->diags, param->span, "a kernel cannot take *%s: name each parameter",
                       param->name);
        else if (param->double_star)
            diag_error(r->diags, param->span, "a kernel cannot take **%s: name each parameter",
                       param->name);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

Function *function_new(Resolver *r, const AstFunction *ast)
{
    Function *function = arena_new(r->arena, Function);
    *function = (Function){ .name = ast->name,
                            .module = (Module *)(uintptr_t)module_around_class(r->module),
                            .ast = ast,
                            .scope = r->module,
                            .order = r->module->order,
                            .options = { .opt = 3, .carveout = -1 } };
    return function;
}

/* The types that annotations name, as a signature; NULL if not every parameter has one. */
static AstExpr *annotated_signature(Resolver *r, const AstParams *params)
{
    AstExpr *signature = arena_new(r->arena, AstExpr);
    AstExprs *items = &signature->list.items;
    signature->kind = AST_TUPLE;
    for (int i = 0; i < params->count; i++) {
        AstExpr *annotation = params->items[i].annotation;
        if (!annotation || !names_type(annotation))
            return NULL;
        signature->span = annotation->span;
        array_push(r->arena, items->items, items->count, items->capacity) = annotation;
    }
    return items->count ? signature : NULL;
}

static void add_kernel(Resolver *r, const char *name, Function *function)
{
    const AstFunction *ast = function->ast;
    Module *file = scope_file(r->module);
    check_kernel_params(r, ast);
    if (function->example)
        example_check(r->arena, r->diags, function->example, ast);
    KernelInfo info = { scope_path(r, name),
                        ast,
                        function->example,
                        function->signatures.count ? function->signatures.items[0]
                                                   : annotated_signature(r, &ast->params),
                        function->tune ? tune_read(r->arena, r->diags, function->tune, ast) : NULL,
                        { 0 } };
    array_push(r->arena, file->kernels, file->kernel_count, file->kernel_capacity) = info;
}

static void check_device_function(Resolver *r, const Function *function)
{
    const char *name = function->ast->name;
    if (function->example)
        diag_error(r->diags, function->example->span,
                   "@example is for kernels, and '%s' is a device function", name);
    if (function->tune)
        diag_error(r->diags, function->tune->span,
                   "@tune is for kernels, and '%s' is a device function: tune the kernel that "
                   "calls it",
                   name);
}

/* Whether an expression looks like cuda.jit(f) or cuda.jit(...)(f). */
static bool is_jit_call(const AstExpr *expr)
{
    while (expr->kind == AST_CALL)
        expr = expr->call.function;
    const char *name = expr->kind == AST_NAME        ? expr->name.name
                       : expr->kind == AST_ATTRIBUTE ? expr->attribute.name
                                                     : "";
    return strcmp(name, "jit") == 0 || strcmp(name, "njit") == 0;
}

/* Whether something in the body is a function with a decorator, a class, or made by cuda.jit(f). */
static bool has_kernels(const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt->kind == AST_CLASS ||
            (stmt->kind == AST_DEF && stmt->def.function.decorators.count))
            return true;
        if (stmt->kind == AST_DEF && has_kernels(&stmt->def.function.body))
            return true;
        if (stmt->kind == AST_ASSIGN && is_jit_call(stmt->assign.value))
            return true;
        for (int k = ast_bodies(stmt, bodies); k-- > 0;)
            if (has_kernels(bodies[k]))
                return true;
    }
    return false;
}

/* The names inside a function that makes kernels: its parameters are what their defaults say, or
** -D does. */
static void resolve_factory(Resolver *r, const AstFunction *ast)
{
    Resolver inner = *r;
    inner.module = scope_new(r->arena, ast->name, r->module, false);
    module_add_part(r->module, ast->name, inner.module);
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        if (param->default_value)
            resolve_constant(&inner, param->name, param->span, param->default_value, -1);
        else
            scope_define_unknown(&inner, param->name, param->span,
                                 arena_printf(r->arena,
                                              "is a parameter of '%s', and has no value: give it "
                                              "one with -D %s=VALUE",
                                              ast->name, param->name));
    }
    resolve_body(&inner, &ast->body);
}

void resolve_function(Resolver *r, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    Function *function = function_new(r, ast);
    for (int i = ast->decorators.count; i-- > 0;)
        take_decorator(r, function, ast->decorators.items[i]);
    scope_define(r, ast->name, SYMBOL_FUNCTION, ast->name_span)->function = function;
    if (!function->kernel)
        check_device_function(r, function);
    if (function->kernel || function->example || function->tune) /* the latter, to be told of */
        add_kernel(r, ast->name, function);
    if (!function->kernel && !r->module->standard && has_kernels(&ast->body))
        resolve_factory(r, ast);
}

/* The function that a name stands for, or that a lambda is. */
static const AstFunction *given_function(Resolver *r, const AstExpr *expr)
{
    const Symbol *symbol =
        expr->kind == AST_NAME ? module_symbol(r->module, expr->name.name) : NULL;
    if (expr->kind == AST_LAMBDA)
        return ast_lambda_function(r->arena, expr);
    return symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->function->ast : NULL;
}

bool resolve_jitted(Resolver *r, const char *name, Span span, const AstExpr *value)
{
    if (value->kind != AST_CALL || !value->call.args.count)
        return false;
    /* cuda.jit(f, ...), or cuda.jit(...)(f) */
    const AstExpr *callee = value->call.function;
    bool twice = callee->kind == AST_CALL;
    Maker maker = maker_of(resolve_path(r, twice ? callee->call.function : callee));
    const AstFunction *ast =
        maker == MAKES_NOTHING ? NULL : given_function(r, value->call.args.items[0]);
    if (!ast)
        return false;
    Function *function = function_new(r, ast);
    const AstExpr *given = value->call.args.items[0];
    if (given->kind == AST_NAME) {
        const Function *named = module_symbol(r->module, given->name.name)->function;
        function->module = named->module;
        function->scope = named->scope;
        function->order = named->order;
    }
    function->kernel = maker == MAKES_KERNEL;
    take_options(r, function, twice ? callee : value, twice ? 0 : 1);
    scope_define(r, name, SYMBOL_FUNCTION, span)->function = function;
    if (function->kernel)
        add_kernel(r, name, function);
    return true;
}

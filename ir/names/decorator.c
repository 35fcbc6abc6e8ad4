/* Functions, and what decorators say of them. */
#include "ir/names/scope.h"

/* A built-in's path; of what either branch of an `if` binds, that of the first that binds one. */
static const char *path_of_symbol(const Symbol *symbol, bool either)
{
    if (!symbol || symbol->kind != SYMBOL_CHOICE || !either)
        return symbol && symbol->kind == SYMBOL_BUILTIN ? symbol->path : NULL;
    const char *then = path_of_symbol(symbol_imported(symbol->choice.then), true);
    return then ? then : path_of_symbol(symbol_imported(symbol->choice.otherwise), true);
}

static const char *path_of(Arena *arena, const Module *module, const AstExpr *expr, bool either)
{
    if (expr->kind == AST_NAME) {
        const Symbol *symbol = module_symbol(module, expr->name.name);
        return symbol ? path_of_symbol(symbol, either) : expr->name.name;
    }
    if (expr->kind != AST_ATTRIBUTE)
        return NULL;
    const char *object = path_of(arena, module, expr->attribute.object, either);
    return object ? builtin_canonical(arena,
                                      arena_printf(arena, "%s.%s", object, expr->attribute.name))
                  : NULL;
}

const char *module_path_of(Arena *arena, const Module *module, const AstExpr *expr)
{
    return path_of(arena, module, expr, false);
}

const char *decorator_path(const Module *module, const AstExpr *expr)
{
    return path_of(module->arena, module, expr, true);
}

const char *resolve_path(Resolver *r, const AstExpr *expr)
{
    return module_path_of(r->arena, r->module, expr);
}

static void add_signature(Resolver *r, Function *function, AstExpr *expr)
{
    if (expr->kind != AST_LIST) {
        array_push(r->arena, function->signatures.items, function->signatures.count,
                   function->signatures.capacity) = expr;
        return;
    }
    for (int i = 0; i < expr->list.items.count; i++)
        add_signature(r, function, expr->list.items.items[i]);
}

/* Every signature of a decorator: one expression or string, or a list of them. */
static void take_signature(Resolver *r, Function *function, const Module *module,
                           const AstExpr *expr)
{
    function->signed_in = r->module;
    function->signed_at = r->module->order;
    add_signature(r, function, signature_expand(r->arena, module, expr));
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

typedef struct Taken {
    Resolver *r;
    Function *function;
    Maker maker;
    const Module *module; /* in which what is taken is written */
} Taken;

/* Options of numba's jit for the processor: they say nothing of what is called in a kernel, which
** is compiled as that is. */
static bool is_for_processor(const char *name)
{
    static const char *const names[] = {
        "fastmath", "parallel", "nogil",  "boundscheck",        "error_model",      "locals",
        "looplift", "forceobj", "target", "no_cpython_wrapper", "no_cfunc_wrapper", "pipeline_class"
    };
    return TEXT_IS_AMONG(name, names);
}

static void take_option(void *context, const AstKeyword *keyword)
{
    const Taken *taken = context;
    Function *function = taken->function;
    bool signature =
        strcmp(keyword->name, "func_or_sig") == 0 || strcmp(keyword->name, "signature") == 0;
    if (taken->maker == MAKES_FUNCTION && is_for_processor(keyword->name))
        return;
    if (!signature && !options_wait(keyword))
        options_take(taken->r->arena, taken->r->diags, function, keyword);
    else if (!signature)
        array_push(taken->r->arena, function->pending, function->pending_count,
                   function->pending_capacity) =
            (PendingOption){ *keyword, taken->module,
                             taken->module == taken->r->module ? taken->module->order : ORDER_END };
    else if (keyword->value->kind != AST_NONE)
        take_signature(taken->r, taken->function, taken->module, keyword->value);
}

/* What cuda.jit(...) is given beside the function. */
static void take_options(Resolver *r, Function *function, Maker maker, const JitCall *call)
{
    Taken taken = { r, function, maker, call->module };
    AstExprs args = call->call->call.args;
    AstExpr *signature = jit_signature(call);
    if (signature)
        take_signature(r, function, call->module, signature);
    if (args.count > call->first + 1 && !call->inside)
        diag_error(
            r->diags, args.items[call->first + 1]->span,
            "one signature, or a list of them, stands here; options have names: device=True");
    jit_options(call, take_option, &taken);
    if (!function->kernel && function->options.deterministic)
        diag_error(r->diags, function->deterministic,
                   "deterministic= is for kernels: the one that calls this function says so");
}

/* `jit` is meant of a namespace; without one, what kjit defines, too. */
static void unknown_decorator(Resolver *r, const AstExpr *decorator, const char *path)
{
    static const char *const known[] = { "jit", "example", "tune", "schedule" };
    const char *dot = path ? strrchr(path, '.') : NULL;
    const char *name = dot ? dot + 1 : path;
    const char *near = name ? diag_nearest(name, known, dot ? 1 : ARRAY_COUNT(known)) : NULL;
    if (near)
        diag_error(r->diags, decorator->span,
                   "there is no decorator '@%s'; did you mean '@%.*s%s'?", path,
                   dot ? (int)(dot + 1 - path) : 0, path, near);
    else
        diag_error(r->diags, decorator->span,
                   "unknown decorator; use @cuda.jit for a kernel, @cuda.jit(device=True) for a "
                   "device function, @example for the values to run it with, @tune for what to "
                   "try, @schedule for how it is optimised");
}

/* A decorator that is not jit. One that looks misspelt makes a kernel, the likelier intention, so
** that it is reported. */
static void other_decorator(Resolver *r, Function *function, const AstExpr *decorator,
                            const char *path)
{
    const char *name = ast_last_name(decorator);
    if (path && r->module->is_class && strcmp(path, "classmethod") == 0) {
        function->of_class = true;
        return;
    }
    if (path && strcmp(path, "staticmethod") == 0) {
        function->of_none = true;
        return;
    }
    if (r->module->is_class &&
        (strcmp(name, "property") == 0 || strcmp(name, "cached_property") == 0)) {
        function->property = true;
        return;
    }
    if (resolve_refused(r, path, decorator->span))
        return;
    switch (wrapper_of(r, decorator)) {
    case WRAPPER_NONE:
        break;
    case WRAPPER_SAME:
        return;
    case WRAPPER_OTHER:
        function->wrapped = decorator;
        return;
    case WRAPPER_UNKNOWN:
        function->assumed = decorator;
        return;
    }
    function->kernel |= path && (strncmp(path, "cuda.", 5) == 0 || !strchr(path, '.'));
    unknown_decorator(r, decorator, path);
}

static void take_decorator(Resolver *r, Function *function, AstExpr *decorator)
{
    bool called = decorator->kind == AST_CALL;
    const char *path = decorator_path(r->module, called ? decorator->call.function : decorator);
    Jit jit;
    if (path && strcmp(path, "example") == 0) {
        take_once(r, decorator, called, "@example takes values: @example(x=zeros(10))",
                  "a kernel has one @example: put all into one", &function->example);
    } else if (path && strcmp(path, "tune") == 0) {
        take_once(r, decorator, called, "@tune takes what to try: @tune(TILE=[16, 32])",
                  "a kernel has one @tune: put all into one", &function->tune);
    } else if (path && strcmp(path, "schedule") == 0) {
        take_once(r, decorator, called, "@schedule takes a text: @schedule(\"jam x 4\")",
                  "a kernel has one @schedule: put all into one", &function->schedule);
    } else if (!jit_find(r, decorator, &jit)) {
        other_decorator(r, function, decorator, path);
    } else {
        if (function->wrapped)
            diag_error(r->diags, function->wrapped->span,
                       "what this makes of '%s' cannot be compiled: it belongs above the decorator "
                       "that compiles",
                       function->name);
        function->kernel = jit.maker == MAKES_KERNEL;
        function->compiled = true;
        for (int i = 0; i < jit.count; i++)
            take_options(r, function, jit.maker, &jit.calls[i]);
    }
}

static void check_kernel_def(Resolver *r, const AstFunction *ast)
{
    if (ast->is_async)
        diag_error(r->diags, ast->name_span,
                   "a kernel cannot be 'async': every thread runs by itself");
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

/* Where the text of @schedule stands: in the file itself, so that complaints show its lines, unless
** it has escapes or is put together. */
static Span schedule_text(Resolver *r, const AstExpr *call)
{
    const AstExpr *text = call->call.args.count == 1 ? call->call.args.items[0] : NULL;
    if (!text || call->call.keyword_count || text->kind != AST_STRING) {
        diag_error(r->diags, call->span, "@schedule takes a text: @schedule(\"jam x 4\")");
        return (Span){ NULL, 0, 0 };
    }
    Span span = text->span;
    size_t length = text->string.length, quotes = (span.end - span.begin - length) / 2;
    const char *inside = span.source->text + span.begin + quotes;
    if ((quotes == 1 || quotes == 3) && span.end - span.begin == length + 2 * quotes &&
        memcmp(inside, text->string.text, length) == 0)
        return (Span){ span.source, span.begin + (uint32_t)quotes, span.end - (uint32_t)quotes };
    const Source *own = source_new(r->arena, "<schedule>", text->string.text, length);
    return (Span){ own, 0, (uint32_t)length };
}

void resolve_kernel(Resolver *r, const char *name, Symbol *symbol)
{
    Function *function = symbol->function;
    const AstFunction *ast = function->ast;
    Module *file = scope_file(r->module);
    check_kernel_def(r, ast);
    if (function->example)
        example_check(r->arena, r->diags, function->example, ast);
    KernelInfo info = { scope_path(r, name),
                        ast,
                        function->example,
                        function->signatures.count ? function->signatures.items[0]
                                                   : annotated_signature(r, &ast->params),
                        function->tune ? tune_read(r->arena, r->diags, function->tune, ast) : NULL,
                        function->schedule ? schedule_text(r, function->schedule) : (Span){ 0 },
                        .symbol = symbol };
    array_push(r->arena, file->kernels, file->kernel_count, file->kernel_capacity) = info;
}

static void check_device_function(Resolver *r, const Function *function)
{
    const char *name = function->ast->name;
    if (function->example)
        diag_error(r->diags, function->example->span,
                   "@example is for kernels, and '%s' is a device function; a kernel has "
                   "@cuda.jit above it",
                   name);
    if (function->tune)
        diag_error(r->diags, function->tune->span,
                   "@tune is for kernels, and '%s' is a device function: tune the kernel that "
                   "calls it",
                   name);
    if (function->schedule)
        diag_error(r->diags, function->schedule->span,
                   "@schedule is for kernels, and '%s' is a device function", name);
}

/* Whether an expression reads a name that stands for nothing here: a comprehension's, say. */
static void find_unbound(void *context, const AstExpr *expr)
{
    Taken *taken = context;
    ast_each_child(expr, find_unbound, context);
    if (expr->kind == AST_NAME && !module_symbol(taken->module, expr->name.name) &&
        builtin_find_bare(taken->r->arena, expr->name.name, expr->span).kind == OPD_ERROR)
        taken->function = NULL;
}

static bool reads_unbound(Resolver *r, const AstExpr *expr)
{
    Function any;
    Taken taken = { r, &any, MAKES_NOTHING, r->module };
    find_unbound(&taken, expr);
    return !taken.function;
}

/* cuda.jit(f) in an expression, f being a function of the module or function: a kernel by f's own
** name. */
static void make_given(void *context, const AstExpr *expr)
{
    Resolver *r = context;
    ast_each_child(expr, make_given, context);
    const AstExpr *given =
        expr->kind == AST_CALL && expr->call.args.count ? expr->call.args.items[0] : NULL;
    Symbol *symbol =
        given && given->kind == AST_NAME ? table_get(&r->module->symbols, given->name.name) : NULL;
    for (Module *at = r->module->outer; given && given->kind == AST_NAME && at && !symbol;
         at = at->outer)
        symbol = at->is_class ? NULL : table_get(&at->symbols, given->name.name);
    Jit jit;
    if (!symbol || symbol->kind != SYMBOL_FUNCTION || symbol->function->kernel ||
        !symbol->function->ast || symbol->function->ast->decorators.count ||
        symbol->function->signatures.count || !jit_find(r, expr->call.function, &jit) ||
        jit.maker != MAKES_KERNEL)
        return;
    Resolver around = *r;
    around.module = symbol->module;
    Function *function = symbol->function;
    size_t mark = r->diags->count;
    function->kernel = true;
    for (int i = 0; i < jit.count; i++)
        take_options(r, function, jit.maker, &jit.calls[i]);
    take_options(r, function, jit.maker,
                 &(JitCall){ .call = expr, .first = 1, .module = r->module }); /* device=True */
    for (int i = 0; i < function->signatures.count; i++)
        if (reads_unbound(r, function->signatures.items[i]))
            function->signatures.count = 0; /* the call's types will do */
    if (function->kernel)
        resolve_kernel(&around, symbol->name, symbol);
    diags_truncate(r->diags, mark); /* reported where its own decorator is read */
}

void resolve_given(Resolver *r, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        bool named = stmt->kind == AST_ASSIGN && stmt->assign.targets.count == 1 &&
                     stmt->assign.targets.items[0]->kind == AST_NAME &&
                     stmt->assign.value->kind == AST_CALL;
        if (!named) /* else that name is the kernel's */
            ast_each_value(stmt, make_given, r);
        if (stmt->kind == AST_DEF)
            resolve_given(r, &stmt->def.function.body);
        if (stmt->kind == AST_CLASS)
            resolve_given(r, &stmt->class_.body);
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            resolve_given(r, bodies[k]);
    }
}

void resolve_function(Resolver *r, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    Function *function = function_new(r, ast);
    for (int i = ast->decorators.count; i-- > 0;)
        take_decorator(r, function, ast->decorators.items[i]);
    if (!function->compiled && function->assumed)
        function->kernel = function->example || asks_for_thread(r, &ast->body);
    Symbol *symbol = scope_define(r, ast->name, SYMBOL_FUNCTION, ast->name_span);
    Module *file = scope_file(r->module);
    symbol->function = function;
    array_push(r->arena, file->described, file->described_count, file->described_capacity) =
        function;
    if (!function->kernel)
        check_device_function(r, function);
    if (function->kernel || function->example || function->tune ||
        function->schedule) /* the latter, to be reported */
        resolve_kernel(r, ast->name, symbol);
    if (!function->kernel && !r->module->standard && has_kernels(&ast->body))
        symbol->inside = resolve_factory(r, function, ast->name, NULL);
}

/* The function that an expression stands for, or that a lambda is; NULL: none. */
static const AstFunction *given_function(Resolver *r, const AstExpr *expr, Module **module)
{
    if (expr->kind == AST_LAMBDA)
        return ast_lambda_function(r->arena, expr);
    const bool text = expr->kind == AST_ATTRIBUTE && strcmp(expr->attribute.name, "py_func") == 0;
    const Symbol *symbol = module_path_symbol(r->module, text ? expr->attribute.object : expr);
    if (!symbol || symbol->kind != SYMBOL_FUNCTION)
        return NULL;
    *module = symbol->function->module;
    return symbol->function->ast;
}

bool resolve_jitted(Resolver *r, const char *name, Span span, const AstExpr *value)
{
    if (value->kind == AST_LAMBDA) {
        scope_define(r, name, SYMBOL_FUNCTION, span)->function =
            function_new(r, ast_lambda_function(r->arena, value));
        return true;
    }
    if (value->kind != AST_CALL || !value->call.args.count)
        return false;
    Function *function = NULL;
    Module *module = r->module;
    const AstFunction *ast = given_function(r, value->call.args.items[0], &module);
    Jit jit;
    if (!ast || !jit_find(r, value->call.function, &jit))
        return false;
    function = function_new(r, ast);
    const Symbol *named = module_path_symbol(r->module, value->call.args.items[0]);
    if (value->call.args.items[0]->kind != AST_LAMBDA) {
        function->module = module;
        if (named && named->kind == SYMBOL_FUNCTION) {
            function->scope = named->function->scope;
            function->order = named->function->order;
        }
    }
    function->kernel = jit.maker == MAKES_KERNEL;
    for (int i = 0; i < jit.count; i++)
        take_options(r, function, jit.maker, &jit.calls[i]);
    const JitCall own = { .call = value, .first = 1, .module = r->module };
    take_options(r, function, jit.maker, &own); /* cuda.jit(f, ...) */
    Symbol *symbol = scope_define(r, name, SYMBOL_FUNCTION, span);
    symbol->function = function;
    if (function->kernel)
        resolve_kernel(r, name, symbol);
    return true;
}

/* What a decorator comes to: jit itself, a name for a call of it, functools.partial of it, and
** functions and classes of the program that call it for their argument. Nothing of these is run:
** what their text says of options counts, with the arguments that the decorator is given. */
#include "ir/names/scope.h"

enum { FAR = 8 };

/* What a path makes of a function. */
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

bool module_is_jit(const Module *module, const AstExpr *expr)
{
    bool name = expr->kind == AST_NAME || expr->kind == AST_ATTRIBUTE;
    return name && maker_of(decorator_path(module, expr)) != MAKES_NOTHING;
}

bool module_is_kernel_jit(const Module *module, const AstExpr *expr)
{
    return module_is_jit(module, expr) && maker_of(decorator_path(module, expr)) == MAKES_KERNEL;
}

/* ---- searching ------------------------------------------------------------------------------- */

typedef struct JitSearch {
    Jit *jit;
    const JitCall *in; /* the decorator whose text is searched, and what it is given */
    const AstBody *text;
    int depth;
    bool found;
} JitSearch;

static bool find(const Module *module, const AstExpr *expr, Jit *jit, int depth);

static void add_call(Jit *jit, const AstExpr *call, int first, const Module *module,
                     const JitCall *in)
{
    if (jit->count < FAR)
        jit->calls[jit->count++] = (JitCall){ call,
                                              first,
                                              module,
                                              in ? in->function : NULL,
                                              in ? in->given : NULL,
                                              in ? in->given_in : NULL,
                                              in != NULL };
}

/* Whether a function only calls another with what it is given itself: `return f(*args)`. */
static bool passes_through(const AstFunction *ast)
{
    const AstStmt *last = ast->body.count ? ast->body.items[ast->body.count - 1] : NULL;
    const AstExpr *call = !last                         ? NULL
                          : last->kind == AST_RETURN    ? last->return_.value
                          : last->kind == AST_EXPR_STMT ? last->expr.value
                                                        : NULL;
    int plain = 0;
    if (!call || call->kind != AST_CALL || call->call.function->kind != AST_NAME)
        return false;
    for (int i = 0; i + 1 < ast->body.count; i++)
        if (ast->body.items[i]->kind != AST_EXPR_STMT ||
            ast->body.items[i]->expr.value->kind != AST_STRING)
            return false;
    for (int i = 0; i < ast->params.count; i++) {
        const AstParam *param = &ast->params.items[i];
        const AstExpr *given = plain < call->call.args.count ? call->call.args.items[plain] : NULL;
        if (param->double_star)
            continue;
        if (given && given->kind == AST_STARRED)
            given = param->star ? given->starred.value : NULL;
        if (!given || given->kind != AST_NAME || strcmp(given->name.name, param->name) != 0)
            return false;
        plain++;
    }
    return plain == call->call.args.count;
}

/* The function that a body defines under a name, at any depth. */
static const AstFunction *defined_in(const AstBody *body, const char *name)
{
    const AstFunction *found = NULL;
    for (int i = 0; i < body->count && !found; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, name) == 0)
            return &stmt->def.function;
        if (stmt->kind == AST_DEF)
            found = defined_in(&stmt->def.function.body, name);
        for (int k = ast_bodies(stmt, bodies); !found && k-- > 0;)
            found = defined_in(bodies[k], name);
    }
    return found;
}

/* Whether a call gives jit a function of the decorator's own, which is not what the decorator was
** given. */
static bool gives_another(const JitSearch *search, const AstExpr *call)
{
    const AstExpr *first = call->call.args.count ? call->call.args.items[0] : NULL;
    const AstFunction *own = NULL;
    if (first && first->kind == AST_NAME)
        own = defined_in(search->text, first->name.name);
    if (first && first->kind == AST_LAMBDA)
        own = ast_lambda_function(search->in->module->arena, first);
    return own && !passes_through(own);
}

static void search_expr(void *context, const AstExpr *expr)
{
    JitSearch *search = context;
    const Module *module = search->in->module;
    if (search->found || (expr->kind == AST_CALL && gives_another(search, expr)))
        return;
    if (expr->kind == AST_CALL) {
        Jit inner = { .maker = MAKES_NOTHING };
        const char *path = decorator_path(module, expr->call.function);
        const Symbol *callee = module_path_symbol(module, expr->call.function);
        const bool program = callee && callee->kind == SYMBOL_FUNCTION;
        const bool itself = program && callee->function->ast == search->in->function;
        inner.maker = maker_of(path);
        if (inner.maker == MAKES_NOTHING && expr->call.function->kind != AST_CALL && !itself)
            find(module, expr->call.function, &inner, search->depth + 1);
        if (inner.maker != MAKES_NOTHING) {
            search->found = true;
            search->jit->maker = inner.maker;
            for (int i = 0; i < inner.count && search->jit->count < FAR; i++)
                search->jit->calls[search->jit->count++] = inner.calls[i];
            if (!program) /* whose arguments are its own */
                add_call(search->jit, expr, 0, module, search->in);
            return;
        }
    }
    ast_each_child(expr, search_expr, search);
}

static void search_body(JitSearch *search, const AstBody *body)
{
    for (int i = 0; i < body->count && !search->found; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt->kind == AST_DEF && passes_through(&stmt->def.function))
            for (int k = 0; k < stmt->def.function.decorators.count; k++)
                search_expr(search, stmt->def.function.decorators.items[k]);
        ast_each_value(stmt, search_expr, search);
        if (stmt->kind == AST_DEF)
            search_body(search, &stmt->def.function.body);
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            search_body(search, bodies[k]);
    }
}

/* Whether a function ends in returning one of its own that jit compiles, which is not what it was
** given: a factory. */
static bool returns_own(const Module *module, const AstFunction *ast)
{
    const AstStmt *last = ast->body.count ? ast->body.items[ast->body.count - 1] : NULL;
    const AstExpr *value = last && last->kind == AST_RETURN ? last->return_.value : NULL;
    const AstFunction *own =
        value && value->kind == AST_NAME ? defined_in(&ast->body, value->name.name) : NULL;
    bool jitted = false;
    for (int i = 0; own && !passes_through(own) && i < own->decorators.count; i++) {
        const AstExpr *decorator = own->decorators.items[i];
        if (decorator->kind == AST_CALL)
            decorator = decorator->call.function;
        jitted |= maker_of(decorator_path(module, decorator)) != MAKES_NOTHING;
    }
    return jitted;
}

/* A function or class of the program: the first call of jit in its text says what it makes. */
static bool find_in_symbol(const Symbol *symbol, Jit *jit, const JitCall *given, int depth)
{
    bool function = symbol->kind == SYMBOL_FUNCTION && symbol->function->ast &&
                    !symbol->function->kernel && !module_is_standard(symbol->module);
    bool class = symbol->kind == SYMBOL_MODULE && symbol->of->class_ast;
    if ((!function && !class) ||
        (function && returns_own(symbol->function->module, symbol->function->ast)))
        return false;
    JitCall in = *given;
    in.function = function ? symbol->function->ast : NULL;
    in.module = function ? symbol->function->module : symbol->module;
    const AstBody *text = function ? &symbol->function->ast->body : &symbol->of->class_ast->body;
    JitSearch search = { jit, &in, text, depth, false };
    search_body(&search, text);
    return search.found;
}

static bool find_in_constant(const Symbol *symbol, const AstExpr *call, const Module *module,
                             Jit *jit, int depth)
{
    if (!find(symbol->module, symbol->constant.value, jit, depth))
        return false;
    if (call)
        add_call(jit, call, 0, module, NULL);
    return true;
}

/* What a name of the program comes to that `call` calls, if it is called, in a module. */
static bool find_by_symbol(const Symbol *symbol, const AstExpr *call, const Module *module,
                           Jit *jit, int depth);

/* `a if c else b`: by the condition if that is written out, else the one that makes kernels. */
static bool take_either(const AstExpr *condition, const Jit *then, const Jit *otherwise, Jit *jit)
{
    bool first = condition->kind == AST_TRUE ||
                 (condition->kind != AST_FALSE && otherwise->maker != MAKES_KERNEL);
    *jit = first ? *then : *otherwise;
    return jit->maker != MAKES_NOTHING;
}

static bool find_either(const Module *module, const AstExpr *expr, Jit *jit, int depth)
{
    Jit then = { .maker = MAKES_NOTHING }, otherwise = { .maker = MAKES_NOTHING };
    find(module, expr->if_expr.then, &then, depth + 1);
    find(module, expr->if_expr.otherwise, &otherwise, depth + 1);
    return take_either(expr->if_expr.condition, &then, &otherwise, jit);
}

/* The same of a name that an `if` binds; of one that only one branch binds it is that. */
static bool find_by_choice(const Symbol *choice, const AstExpr *call, const Module *module,
                           Jit *jit, int depth)
{
    Jit then = { .maker = MAKES_NOTHING }, otherwise = { .maker = MAKES_NOTHING };
    find_by_symbol(symbol_imported(choice->choice.then), call, module, &then, depth);
    find_by_symbol(symbol_imported(choice->choice.otherwise), call, module, &otherwise, depth);
    return take_either(choice->choice.condition, &then, &otherwise, jit);
}

static bool find_by_symbol(const Symbol *symbol, const AstExpr *call, const Module *module,
                           Jit *jit, int depth)
{
    JitCall given = { .given = call, .given_in = module };
    if (!symbol || depth == FAR)
        return false;
    if (symbol->kind == SYMBOL_CHOICE)
        return find_by_choice(symbol, call, module, jit, depth + 1);
    if (symbol->kind == SYMBOL_CONSTANT && symbol->constant.item < 0)
        return find_in_constant(symbol, call, module, jit, depth + 1);
    return find_in_symbol(symbol, jit, &given, depth + 1);
}

static bool find(const Module *module, const AstExpr *expr, Jit *jit, int depth)
{
    if (expr->kind == AST_IF_EXPR && depth < FAR)
        return find_either(module, expr, jit, depth);
    bool called = expr->kind == AST_CALL;
    const AstExpr *callee = called ? expr->call.function : expr;
    const char *path = decorator_path(module, callee);
    if (depth == FAR)
        return false;
    jit->maker = ast_ends_in(callee, "register_jitable") ? MAKES_FUNCTION : maker_of(path);
    if (jit->maker != MAKES_NOTHING) {
        if (called)
            add_call(jit, expr, 0, module, NULL);
        return true;
    }
    if (called && ast_ends_in(callee, "partial") && expr->call.args.count) {
        if (!find(module, expr->call.args.items[0], jit, depth + 1))
            return false;
        add_call(jit, expr, 1, module, NULL);
        return true;
    }
    const Symbol *symbol = path ? NULL : module_path_symbol(module, callee);
    return find_by_symbol(symbol, called ? expr : NULL, module, jit, depth);
}

bool jit_find(Resolver *r, const AstExpr *expr, Jit *jit)
{
    *jit = (Jit){ .maker = MAKES_NOTHING };
    return find(r->module, expr, jit, 0);
}

/* ---- what it is given ------------------------------------------------------------------------ */

const AstExpr *call_argument(const AstExpr *given, const AstParams *params, int at)
{
    const AstExpr *named = given ? ast_given_keyword(given, params->items[at].name) : NULL;
    if (named)
        return named;
    return given && at < given->call.args.count && !params->items[at].keyword_only
               ? given->call.args.items[at]
               : NULL;
}

static const AstExpr *value_of(const JitCall *call, const AstExpr *expr);

/* 2 * WARP, of numbers that are known; else the expression. */
static const AstExpr *whole_number(const JitCall *call, const Module *module, const AstExpr *expr)
{
    JitCall here = *call;
    here.module = module;
    const AstExpr *a = value_of(&here, expr->binary.left);
    const AstExpr *b = value_of(&here, expr->binary.right);
    if (!a || !b || a->kind != AST_INT || b->kind != AST_INT)
        return expr;
    uint64_t x = a->integer.value, y = b->integer.value;
    AstOp op = expr->binary.op;
    if ((op != AST_ADD && op != AST_SUB && op != AST_MUL && op != AST_FLOORDIV) ||
        (op == AST_FLOORDIV && !y) || (op == AST_SUB && x < y))
        return expr;
    AstExpr *number = arena_new(module->arena, AstExpr);
    *number = *a;
    number->span = expr->span;
    number->integer.value = op == AST_ADD   ? x + y
                            : op == AST_SUB ? x - y
                            : op == AST_MUL ? x * y
                                            : x / y;
    return number;
}

/* What a name or an expression stands for: arguments of the decorator, constants, of constants what
** they are. NULL: what it is only shows when the program runs. */
static const AstExpr *value_of(const JitCall *call, const AstExpr *expr)
{
    const Module *module = call->module;
    const AstParams *params = call->function ? &call->function->params : NULL;
    for (int i = 0; params && expr->kind == AST_NAME && i < params->count; i++) {
        if (strcmp(params->items[i].name, expr->name.name) != 0)
            continue;
        const AstExpr *given = call_argument(call->given, params, i);
        if (!given && (!(given = params->items[i].default_value) || given->kind == AST_NONE))
            return NULL;
        module = given == params->items[i].default_value ? module : call->given_in;
        expr = given;
        break;
    }
    for (int i = 0; i < FAR && (expr->kind == AST_NAME || expr->kind == AST_ATTRIBUTE); i++) {
        const Symbol *symbol = module_path_symbol(module, expr);
        if (!symbol || symbol->kind != SYMBOL_CONSTANT || symbol->constant.item >= 0)
            break;
        expr = symbol->constant.value;
        module = symbol->module;
    }
    return expr->kind == AST_BINARY ? whole_number(call, module, expr) : expr;
}

/* Whether parameter `name` of the decorator's function is given what has no other. */
static bool is_rest(const JitCall *call, const AstExpr *expr)
{
    const AstParams *params = call->function ? &call->function->params : NULL;
    for (int i = 0; params && expr->kind == AST_NAME && i < params->count; i++)
        if (params->items[i].double_star && strcmp(params->items[i].name, expr->name.name) == 0)
            return true;
    return false;
}

static bool is_parameter(const AstParams *params, const char *name)
{
    for (int i = 0; i < params->count; i++)
        if (!params->items[i].double_star && strcmp(params->items[i].name, name) == 0)
            return true;
    return false;
}

/* The keywords that a call spreads by '**': those of the decorator, or of a dictionary. */
static void spread(const JitCall *call, const AstExpr *expr, JitOption *take, void *context)
{
    const AstExpr *given = call->given;
    if (is_rest(call, expr)) {
        for (int i = 0; given && i < given->call.keyword_count; i++) {
            const AstKeyword *keyword = &given->call.keywords[i];
            if (keyword->name && !is_parameter(&call->function->params, keyword->name))
                take(context, keyword);
        }
        return;
    }
    const AstExpr *dict = value_of(call, expr);
    for (int i = 0; dict && dict->kind == AST_CALL && i < dict->call.keyword_count; i++)
        if (dict->call.keywords[i].name)
            take(context, &dict->call.keywords[i]);
    for (int i = 0; dict && dict->kind == AST_DICT && i < dict->dict.keys.count; i++) {
        const AstExpr *key = dict->dict.keys.items[i];
        if (key && key->kind == AST_STRING) {
            AstKeyword *keyword = arena_new(call->module->arena, AstKeyword);
            *keyword = (AstKeyword){ .name = key->string.text,
                                     .value = dict->dict.values.items[i],
                                     .span = key->span };
            take(context, keyword);
        }
    }
}

void jit_options(const JitCall *call, JitOption *take, void *context)
{
    for (int i = 0; i < call->call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call->call.keywords[i];
        bool early = call->function || (keyword->name && strcmp(keyword->name, "device") == 0);
        const AstExpr *value = !keyword->name ? NULL
                               : early        ? value_of(call, keyword->value)
                                              : keyword->value;
        if (!keyword->name) {
            spread(call, keyword->value, take, context);
        } else if (value) {
            AstKeyword *known = arena_new(call->module->arena, AstKeyword);
            *known = *keyword;
            known->value = (AstExpr *)(uintptr_t)value;
            take(context, known);
        }
    }
}

AstExpr *jit_signature(const JitCall *call)
{
    const AstExprs *args = &call->call->call.args;
    AstExpr *first = call->first < args->count ? args->items[call->first] : NULL;
    if (!first || !call->inside)
        return first;
    bool parameter = call->function && first->kind == AST_NAME &&
                     is_parameter(&call->function->params, first->name.name);
    const AstExpr *given = parameter && call->given ? value_of(call, first) : NULL;
    return given && given->kind != AST_LAMBDA ? (AstExpr *)(uintptr_t)given : NULL;
}

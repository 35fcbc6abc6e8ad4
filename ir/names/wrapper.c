/* Decorators that are not jit. What they make of a function is not run, so
** - those of Python's that leave it what it is, and those of the program that return what they are
**   given, say nothing;
** - of others of the program, which wrap it (`@timed`), a kernel that jit has made is taken as it
**   stands below them, since its name stands for that; but nothing calls it, for a call
**   would be one of the wrapper;
** - of those of modules that are not there nothing is known: they are passed over, and the function
**   is a kernel if it reads the index of its thread. A remark says so. */
#include "ir/names/scope.h"

static bool is_of_python(const char *name)
{
    static const char *const names[] = { "lru_cache",      "cache",    "wraps",
                                         "abstractmethod", "override", "no_type_check",
                                         "final",          "overload", "staticmethod" };
    return TEXT_IS_AMONG(name, names);
}

/* ---- decorators of the program --------------------------------------------------------------- */

/* Whether every `return` of a body returns that name, and one does. */
static bool returns_only(const AstBody *body, const char *name, bool *any)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        if (stmt->kind == AST_RETURN) {
            const AstExpr *value = stmt->return_.value;
            if (!value || value->kind != AST_NAME || strcmp(value->name.name, name) != 0)
                return false;
            *any = true;
        }
        if (stmt->kind == AST_TRY || stmt->kind == AST_WITH || stmt->kind == AST_MATCH)
            return false;
        for (int k = ast_bodies(stmt, bodies); k-- > 0;)
            if (!returns_only(bodies[k], name, any))
                return false;
    }
    return true;
}

/* def register(f): ...; return f */
static bool gives_back(const AstFunction *ast)
{
    bool any = false;
    const char *param = ast->params.count ? ast->params.items[0].name : NULL;
    return param && !names_assigned(&ast->body, param) && returns_only(&ast->body, param, &any) &&
           any;
}

/* def register(key): def add(f): ...; return f; return add */
static bool gives_back_called(const AstFunction *ast)
{
    for (int i = 0; i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        bool any = false;
        if (stmt->kind == AST_DEF && gives_back(&stmt->def.function) &&
            !names_count(&ast->body, stmt->def.function.name))
            return returns_only(&ast->body, stmt->def.function.name, &any) && any;
    }
    return false;
}

/* ---- which kind it is ------------------------------------------------------------------------ */

Wrapper wrapper_of(Resolver *r, const AstExpr *decorator)
{
    bool called = decorator->kind == AST_CALL;
    const AstExpr *callee = called ? decorator->call.function : decorator;
    const AstExpr *root = ast_root(callee);
    const Symbol *known = root ? module_symbol(r->module, root->name.name) : NULL;
    const Symbol *symbol = module_path_symbol(r->module, callee);
    if (!known || known->kind == SYMBOL_BUILTIN)
        return WRAPPER_NONE;
    if (symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->ast) {
        const AstFunction *ast = symbol->function->ast;
        return (called ? gives_back_called : gives_back)(ast) ? WRAPPER_SAME : WRAPPER_OTHER;
    }
    if (symbol && symbol->kind == SYMBOL_MODULE)
        return WRAPPER_OTHER;
    return is_of_python(ast_last_name(callee)) ? WRAPPER_SAME : WRAPPER_UNKNOWN;
}

/* ---- kernels by what they do ----------------------------------------------------------------- */

typedef struct Asking {
    Resolver *r;
    bool asks;
} Asking;

static void find_thread(void *context, const AstExpr *expr)
{
    static const char *const names[] = { "cuda.grid",     "cuda.gridsize", "cuda.threadIdx",
                                         "cuda.blockIdx", "cuda.blockDim", "cuda.gridDim" };
    Asking *asking = context;
    const char *path = expr->kind == AST_ATTRIBUTE || expr->kind == AST_NAME
                           ? resolve_path(asking->r, expr)
                           : NULL;
    for (size_t i = 0; path && i < ARRAY_COUNT(names); i++)
        asking->asks |= strcmp(path, names[i]) == 0;
    ast_each_child(expr, find_thread, context);
}

bool asks_for_thread(Resolver *r, const AstBody *body)
{
    Asking asking = { r, false };
    for (int i = 0; i < body->count && !asking.asks; i++) {
        const AstBody *bodies[2];
        ast_each_value(body->items[i], find_thread, &asking);
        ast_each_target(body->items[i], find_thread, &asking);
        for (int k = ast_bodies(body->items[i], bodies); k-- > 0;)
            asking.asks |= asks_for_thread(r, bodies[k]);
    }
    return asking.asks;
}

/* The shared arrays that a kernel's text declares for certain: in the kernel, and in functions that
** it calls, where no condition that is known beforehand keeps the program away. */
#include "ir/names/operand.h"

typedef struct SharedSearch {
    const SharedQuery *query;
    const Module *module;        /* in which names are looked up */
    const AstFunction *function; /* whose variables are not known */
    Arena *arena;
    const Symbol **found; /* the kernel and what it calls, each once */
    int count, capacity;
} SharedSearch;

/* Whether the function has a variable of a name that an expression reads. */
static void find_own(void *context, const AstExpr *expr)
{
    SharedSearch *search = context;
    if (expr->kind == AST_NAME && search->function) {
        const AstFunction *function = search->function;
        bool own = names_assigned(&function->body, expr->name.name);
        for (int i = 0; i < function->params.count; i++)
            own = own || strcmp(function->params.items[i].name, expr->name.name) == 0;
        if (own)
            search->function = NULL;
    }
    ast_each_child(expr, find_own, search);
}

/* Whether it reads none of the function's variables. */
static bool is_outside(const SharedSearch *search, const AstExpr *expr)
{
    SharedSearch own = *search;
    find_own(&own, expr);
    return own.function;
}

static bool is_named(const AstExpr *expr, const char *name)
{
    return (expr->kind == AST_NAME && strcmp(expr->name.name, name) == 0) ||
           (expr->kind == AST_ATTRIBUTE && strcmp(expr->attribute.name, name) == 0);
}

static void note_function(SharedSearch *search, const char *name)
{
    const Symbol *symbol = module_symbol(search->module, name);
    if (!symbol || symbol->kind != SYMBOL_FUNCTION)
        return;
    for (int i = 0; i < search->count; i++)
        if (search->found[i]->function == symbol->function)
            return;
    array_push(search->arena, search->found, search->count, search->capacity) = symbol;
}

static void visit_expr(void *context, const AstExpr *expr)
{
    SharedSearch *search = context;
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    if (expr->kind == AST_NAME)
        note_function(search, expr->name.name);
    ast_each_child(expr, visit_expr, search);
    if (!callee || callee->kind != AST_ATTRIBUTE || !is_named(callee, "array") ||
        !is_named(callee->attribute.object, "shared"))
        return;
    const AstExpr *shape = ast_call_argument(expr, 0, "shape"),
                  *dtype = ast_call_argument(expr, 1, "dtype");
    if (shape && dtype && is_outside(search, shape) && is_outside(search, dtype))
        search->query->visit(search->query->context, shape, dtype);
}

/* 1 or 0 where it is known which way a branch goes, else -1. */
static int decide(const SharedSearch *search, const AstStmt *stmt)
{
    const AstExpr *condition = stmt->kind == AST_IF ? stmt->if_.condition : NULL;
    bool outside = condition && is_outside(search, condition);
    return outside ? search->query->decide(search->query->context, condition) : -1;
}

/* Whether the program leaves the function in it, for certain. */
static bool visit_body(SharedSearch *search, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        int known = decide(search, stmt), leaves = 0;
        ast_each_value(stmt, visit_expr, search);
        if (stmt->kind == AST_RETURN)
            return true;
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            if (known < 0 || known == !k)
                leaves += visit_body(search, bodies[k]);
        if (stmt->kind == AST_IF && leaves == (known < 0 ? 2 : 1))
            return true;
    }
    return false;
}

void module_each_shared(Arena *arena, const Module *module, const char *kernel,
                        const SharedQuery *query)
{
    SharedSearch search = { .query = query, .module = module, .arena = arena };
    note_function(&search, kernel);
    for (int i = 0; i < search.count; i++) {
        search.module = search.found[i]->module;
        search.function = search.found[i]->function->ast;
        visit_body(&search, &search.function->body);
    }
}

/* What the grammar cannot say about whole functions: where return, yield, await, break, continue
** and others may be.
**
** This walks the finished tree. Statements with mistakes are not in it, so that a `break` below
** a misspelt `for` gives no echo. */
#include "parser/build.h"

typedef struct Place {
    bool in_function, in_async, in_class, in_loop, in_star_handler;
    Diags *diags;
} Place;

static void check_body(const AstBody *body, Place place);

/* ---- expressions ------------------------------------------------------------------------ */

static void check_expr(void *context, const AstExpr *expr)
{
    const Place *place = context;

    if (expr->kind == AST_YIELD && !place->in_function)
        diag_error(place->diags, expr->span, "'yield' outside of a function");
    else if (expr->kind == AST_AWAIT && !place->in_async)
        diag_error(place->diags, expr->span, "'await' outside of an async function");
    if (expr->kind == AST_LAMBDA) {
        Place inside = { .in_function = true, .diags = place->diags };
        check_expr(&inside, expr->lambda.body);
        return;
    }
    ast_each_child(expr, check_expr, (void *)place);
}

/* ---- statements ------------------------------------------------------------------------- */

static void check_async(const AstStmt *stmt, bool is_async, Place place)
{
    if (is_async && !place.in_async)
        diag_error(place.diags, stmt->span, "'async %s' outside of an async function",
                   stmt->kind == AST_FOR ? "for" : "with");
}

static void check_jump(const AstStmt *stmt, Place place)
{
    const char *word = stmt->kind == AST_BREAK      ? "break"
                       : stmt->kind == AST_CONTINUE ? "continue"
                                                    : "return";

    if (place.in_star_handler)
        diag_error(place.diags, stmt->span, "'%s' cannot leave an 'except*'", word);
    else if (stmt->kind == AST_RETURN ? !place.in_function : !place.in_loop)
        diag_error(place.diags, stmt->span, "'%s' outside of a %s", word,
                   stmt->kind == AST_RETURN ? "function" : "loop");
}

static void check_try(const AstTry *stmt, Place place)
{
    Place handler = place;

    check_body(&stmt->body, place);
    for (int i = 0; i < stmt->handlers.count; i++) {
        if (stmt->handlers.items[i].star) {
            handler.in_star_handler = true;
            handler.in_loop = false;
        }
        check_body(&stmt->handlers.items[i].body, handler);
    }
    check_body(&stmt->otherwise, place);
    check_body(&stmt->finally, place);
}

static void check_import(const AstStmt *stmt, Place place)
{
    bool inside = place.in_function || place.in_class;

    for (int i = 0; i < stmt->import.count; i++)
        if (inside && strcmp(stmt->import.names[i].name, "*") == 0)
            diag_error(place.diags, stmt->span, "'import *' stands at module level alone");
}

static void check_stmt(const AstStmt *stmt, Place place)
{
    Place loop = place;

    loop.in_loop = true;
    loop.in_star_handler = false;
    ast_each_value(stmt, check_expr, &place);
    ast_each_target(stmt, check_expr, &place);
    switch (stmt->kind) {
    case AST_RETURN:
    case AST_BREAK:
    case AST_CONTINUE:
        check_jump(stmt, place);
        break;
    case AST_NONLOCAL:
        if (!place.in_function && !place.in_class)
            diag_error(place.diags, stmt->span, "'nonlocal' at module level");
        break;
    case AST_FROM_IMPORT:
        check_import(stmt, place);
        break;
    case AST_IF:
        check_body(&stmt->if_.then, place);
        check_body(&stmt->if_.otherwise, place);
        break;
    case AST_WHILE:
        check_body(&stmt->while_.body, loop);
        check_body(&stmt->while_.otherwise, place);
        break;
    case AST_FOR:
        check_async(stmt, stmt->for_.is_async, place);
        check_body(&stmt->for_.body, loop);
        check_body(&stmt->for_.otherwise, place);
        break;
    case AST_TRY:
        check_try(&stmt->try_, place);
        break;
    case AST_WITH:
        check_async(stmt, stmt->with.is_async, place);
        check_body(&stmt->with.body, place);
        break;
    case AST_MATCH:
        for (int i = 0; i < stmt->match.cases.count; i++)
            check_body(&stmt->match.cases.items[i].body, place);
        break;
    case AST_DEF:
        check_body(&stmt->def.function.body, (Place){ .in_function = true,
                                                      .in_async = stmt->def.function.is_async,
                                                      .diags = place.diags });
        break;
    case AST_CLASS:
        check_body(&stmt->class_.body, (Place){ .in_class = true, .diags = place.diags });
        break;
    case AST_EXPR_STMT:
    case AST_ASSIGN:
    case AST_AUG_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_PASS:
    case AST_ASSERT:
    case AST_RAISE:
    case AST_DEL:
    case AST_GLOBAL:
    case AST_TYPE_ALIAS:
    case AST_IMPORT:
    case AST_STMT_KINDS:
        break;
    }
}

static void check_body(const AstBody *body, Place place)
{
    for (int i = 0; i < body->count; i++)
        check_stmt(body->items[i], place);
}

void parse_check(Diags *diags, const AstBody *body)
{
    check_body(body, (Place){ .diags = diags });
}

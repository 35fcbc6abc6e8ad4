/* What the grammar cannot say about whole functions: where return, break and continue may be.
**
** This walks the finished tree. Statements with mistakes are not in it, so that a `break` below
** a misspelt `for` gives no echo. */
#include "parser/build.h"

typedef struct Place {
    bool in_function, in_loop;
} Place;

static void check_body(Diags *diags, const AstBody *body, Place place);

static void check_stmt(Diags *diags, const AstStmt *stmt, Place place)
{
    Place loop = { place.in_function, true };

    switch (stmt->kind) {
    case AST_RETURN:
        if (!place.in_function)
            diag_error(diags, stmt->span, "'return' outside of a function");
        break;
    case AST_BREAK:
    case AST_CONTINUE:
        if (!place.in_loop)
            diag_error(diags, stmt->span, "'%s' outside of a loop",
                       stmt->kind == AST_BREAK ? "break" : "continue");
        break;
    case AST_IF:
        check_body(diags, &stmt->if_.then, place);
        check_body(diags, &stmt->if_.otherwise, place);
        break;
    case AST_WHILE:
        check_body(diags, &stmt->while_.body, loop);
        check_body(diags, &stmt->while_.otherwise, place);
        break;
    case AST_FOR:
        check_body(diags, &stmt->for_.body, loop);
        check_body(diags, &stmt->for_.otherwise, place);
        break;
    case AST_DEF:
        check_body(diags, &stmt->def.function.body, (Place){ true, false });
        break;
    case AST_CLASS:
        check_body(diags, &stmt->class_.body, (Place){ false, false });
        break;
    case AST_EXPR_STMT:
    case AST_ASSIGN:
    case AST_AUG_ASSIGN:
    case AST_ANN_ASSIGN:
    case AST_PASS:
    case AST_ASSERT:
    case AST_RAISE:
    case AST_IMPORT:
    case AST_FROM_IMPORT:
    case AST_STMT_KINDS:
        break;
    }
}

static void check_body(Diags *diags, const AstBody *body, Place place)
{
    for (int i = 0; i < body->count; i++)
        check_stmt(diags, body->items[i], place);
}

void parse_check(Diags *diags, const AstBody *body)
{
    check_body(diags, body, (Place){ false, false });
}

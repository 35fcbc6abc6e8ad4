/* class Point(NamedTuple), whose methods stay the host's, is namedtuple("Point", ["x", "y"],
** defaults=(0,)). */
#include "ir/names/scope.h"

static AstExpr *expr_of(Resolver *r, AstExprKind kind, Span span)
{
    AstExpr *expr = arena_new(r->arena, AstExpr);
    *expr = (AstExpr){ .kind = kind, .span = span };
    return expr;
}

static void push(Resolver *r, AstExprs *list, AstExpr *item)
{
    array_push(r->arena, list->items, list->count, list->capacity) = item;
}

static AstExpr *text_of(Resolver *r, const char *text, Span span)
{
    AstExpr *expr = expr_of(r, AST_STRING, span);
    expr->string.text = text;
    expr->string.length = strlen(text);
    return expr;
}

/* The fields of the class, and what the last of them have by themselves; false of other classes. */
static bool read_fields(Resolver *r, const AstClass *ast, AstExprs *fields, AstExprs *defaults)
{
    for (int i = 0; i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        bool text = stmt->kind == AST_EXPR_STMT && stmt->expr.value->kind == AST_STRING;
        if (stmt->kind == AST_PASS || stmt->kind == AST_DEF || text)
            continue;
        if (stmt->kind != AST_ANN_ASSIGN || stmt->ann_assign.target->kind != AST_NAME)
            return false;
        push(r, fields, text_of(r, stmt->ann_assign.target->name.name, stmt->span));
        if (stmt->ann_assign.value)
            push(r, defaults, stmt->ann_assign.value);
    }
    return true;
}

/* collections.namedtuple */
static AstExpr *maker(Resolver *r, Span span)
{
    AstExpr *maker = expr_of(r, AST_ATTRIBUTE, span), *space = expr_of(r, AST_NAME, span);
    space->name.name = "collections";
    maker->attribute.object = space;
    maker->attribute.name = "namedtuple";
    maker->attribute.name_span = span;
    return maker;
}

bool resolve_named_tuple(Resolver *r, const AstClass *ast)
{
    const Span span = ast->name_span;
    AstExpr *fields = expr_of(r, AST_LIST, span), *defaults = expr_of(r, AST_TUPLE, span);
    if (ast->bases.count != 1 || !ast_ends_in(ast->bases.items[0], "NamedTuple") ||
        !read_fields(r, ast, &fields->list.items, &defaults->list.items))
        return false;
    AstExpr *call = expr_of(r, AST_CALL, span);
    call->call.function = maker(r, span);
    push(r, &call->call.args, text_of(r, ast->name, span));
    push(r, &call->call.args, fields);
    call->call.keywords = arena_array(r->arena, AstKeyword, 1);
    call->call.keywords[0] = (AstKeyword){ .name = "defaults", .span = span, .value = defaults };
    call->call.keyword_count = 1;
    resolve_constant(r, ast->name, span, call, -1);
    return true;
}

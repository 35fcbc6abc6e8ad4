/* Constructors of dicts and comprehensions. */
#include "parser/build.h"

AstExpr *ast_dict(Parse *ps)
{
    return ast_expr(ps, AST_DICT, (Span){ 0 });
}

AstExpr *ast_dict_item(Parse *ps, AstExpr *dict, AstExpr *key, AstExpr *value)
{
    dict->dict.keys = ast_exprs(ps, dict->dict.keys, ast_hang(ps, dict, key));
    dict->dict.values = ast_exprs(ps, dict->dict.values, ast_hang(ps, dict, value));
    return dict;
}

AstExpr *ast_display(Parse *ps, Token first, AstExpr *dict, Token last)
{
    dict->span = span_join(parse_span(ps, first), parse_span(ps, last));
    return dict;
}

AstClause ast_clause(Parse *ps, bool is_async, AstExpr *target, AstExpr *iterable,
                     AstExprs conditions)
{
    ast_check_target(ps, target);
    return (AstClause){ target, iterable, conditions, is_async };
}

AstComprehension *ast_clauses(Parse *ps, AstComprehension *list, AstClause clause)
{
    if (!list)
        list = arena_new(ps->arena, AstComprehension);
    array_push(ps->arena, list->clauses, list->count, list->capacity) = clause;
    return list;
}

AstExpr *ast_comprehension(Parse *ps, AstExprKind kind, Token first, AstExpr *element,
                           AstExpr *value, AstComprehension *clauses, Token last)
{
    Span span = span_join(parse_span(ps, first), parse_span(ps, last));
    AstExpr *expr = ast_expr(ps, AST_COMPREHENSION, span);

    if (element->kind == AST_STARRED)
        diag_error(ps->diags, element->span, "a comprehension's element cannot be starred");
    clauses->kind = kind;
    clauses->element = ast_hang(ps, expr, element);
    clauses->value = ast_hang(ps, expr, value);
    for (int i = 0; i < clauses->count; i++) {
        const AstClause *clause = &clauses->clauses[i];
        ast_hang(ps, expr, clause->target);
        ast_hang(ps, expr, clause->iterable);
        for (int k = 0; k < clause->conditions.count; k++)
            ast_hang(ps, expr, clause->conditions.items[k]);
    }
    expr->comprehension = clauses;
    return expr;
}

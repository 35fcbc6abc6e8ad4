/* Constructors of f-strings: a list of strings and fields. */
#include "parser/build.h"

AstExpr *ast_fstring(Parse *ps, Token first, AstExprs parts, Token last)
{
    Span span = span_join(parse_span(ps, first), parse_span(ps, last));
    AstExpr *expr = ast_expr(ps, AST_FSTRING, span);

    for (int i = 0; i < parts.count; i++)
        ast_hang(ps, expr, parts.items[i]);
    expr->list.items = parts;
    return expr;
}

AstExpr *ast_format(Parse *ps, Token colon, AstExprs parts)
{
    Token last = colon;

    if (parts.count)
        last.end = parts.items[parts.count - 1]->span.end;
    return ast_fstring(ps, colon, parts, last);
}

AstExpr *ast_field(Parse *ps, Token first, AstExpr *value, bool shown, Token conversion,
                   AstExpr *format, Token last)
{
    Span span = span_join(parse_span(ps, first), parse_span(ps, last));
    AstExpr *expr = ast_expr(ps, AST_FIELD, span);
    char letter = conversion.end ? ps->source->text[conversion.begin] : 0;

    if (letter && (conversion.end - conversion.begin > 1 || !strchr("rsa", letter)))
        diag_error(ps->diags, parse_span(ps, conversion),
                   "a field is converted by !r, !s or !a alone");
    expr->field.value = ast_hang(ps, expr, value);
    expr->field.format = ast_hang(ps, expr, format);
    expr->field.conversion = letter;
    expr->field.shown = shown;
    return expr;
}

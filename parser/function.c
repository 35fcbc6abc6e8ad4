/* Constructors of functions, classes and what stands in their heads. */
#include "parser/build.h"
#include "parser/grammar.h"

AstStmt *ast_def(Parse *ps, Token word, Token name, AstTypeParams types, AstParams params,
                 AstExpr *returns, AstBody body)
{
    AstStmt *stmt = ast_stmt(ps, AST_DEF, span_join(parse_span(ps, word), parse_span(ps, name)));
    AstFunction *function = &stmt->def.function;

    function->name = ast_text(ps, name);
    function->name_span = parse_span(ps, name);
    function->type_params = types;
    function->params = params;
    function->returns = returns;
    function->docstring = ast_docstring(&body);
    function->body = ast_hang_body(ps, stmt, body);
    return stmt;
}

AstStmt *ast_class(Parse *ps, Token word, Token name, AstTypeParams types, AstExpr *call,
                   AstBody body)
{
    AstStmt *stmt = ast_stmt(ps, AST_CLASS, span_join(parse_span(ps, word), parse_span(ps, name)));

    stmt->class_ = (AstClass){ .name = ast_text(ps, name),
                               .name_span = parse_span(ps, name),
                               .type_params = types,
                               .docstring = ast_docstring(&body) };
    if (call) {
        stmt->class_.bases = call->call.args;
        stmt->class_.keywords = call->call.keywords;
        stmt->class_.keyword_count = call->call.keyword_count;
    }
    stmt->class_.body = ast_hang_body(ps, stmt, body);
    ast_private(ps->arena, stmt);
    return stmt;
}

AstStmt *ast_decorate(AstStmt *def, AstExprs decorators)
{
    if (def->kind == AST_DEF)
        def->def.function.decorators = decorators;
    else
        def->class_.decorators = decorators;
    return def;
}

/* ---- parameters ------------------------------------------------------------------------- */

AstParam ast_param(Parse *ps, Token name, AstExpr *annotation, AstExpr *value, int stars)
{
    return (AstParam){ .name = ast_text(ps, name),
                       .annotation = annotation,
                       .default_value = value,
                       .star = stars == 1,
                       .double_star = stars == 2,
                       .span = parse_span(ps, name) };
}

AstParam ast_param_mark(Parse *ps, Token mark)
{
    return (AstParam){ .star = mark.kind == TK_STAR, .span = parse_span(ps, mark) };
}

/* Complains if `param` does not go with those before it. */
static void check_param(Parse *ps, const AstParams *list, const AstParam *param)
{
    enum { COMPARED = 1000 };
    const AstParam *last = list->count ? &list->items[list->count - 1] : NULL;

    for (int i = 0; i < list->count && i < COMPARED; i++) {
        if (strcmp(list->items[i].name, param->name) != 0)
            continue;
        diag_error(ps->diags, param->span, "two parameters are called '%s'", param->name);
        return;
    }
    if (last && last->double_star)
        diag_error(ps->diags, param->span, "no parameter may follow '**%s'", last->name);
    else if (last && last->default_value && !param->default_value && !param->star &&
             !param->double_star && !param->keyword_only)
        diag_error(ps->diags, param->span,
                   "a parameter without a default follows one that has a default");
}

static bool has_star(const AstParams *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i].star)
            return true;
    return list->bare_star.end > 0;
}

/* Takes a '*' or '/' that stands alone. */
static AstParams take_mark(Parse *ps, AstParams list, const AstParam *mark)
{
    if (list.count && list.items[list.count - 1].double_star)
        diag_error(ps->diags, mark->span, "no parameter may follow '**%s'",
                   list.items[list.count - 1].name);
    else if (mark->star && has_star(&list))
        diag_error(ps->diags, mark->span, "there is a '*' already");
    else if (mark->star)
        list.bare_star = mark->span;
    else if (has_star(&list))
        diag_error(ps->diags, mark->span, "'/' stands before '*'");
    else if (list.positional_only)
        diag_error(ps->diags, mark->span, "there is a '/' already");
    else if (!list.count)
        diag_error(ps->diags, mark->span, "a parameter must stand before '/'");
    else
        list.positional_only = list.count;
    return list;
}

AstParams ast_params(Parse *ps, AstParams list, AstParam param)
{
    if (!param.name)
        return take_mark(ps, list, &param);
    if (param.star && has_star(&list))
        diag_error(ps->diags, param.span, "there is a '*' already");
    param.keyword_only = !param.star && !param.double_star && has_star(&list);
    check_param(ps, &list, &param);
    if (list.capacity == 0) {
        list.items = arena_array(ps->arena, AstParam, 4);
        list.capacity = 4;
    }
    array_push(ps->arena, list.items, list.count, list.capacity) = param;
    return list;
}

AstParams ast_params_end(Parse *ps, AstParams list)
{
    const AstParam *last = list.count ? &list.items[list.count - 1] : NULL;

    if (list.bare_star.end && !(last && last->keyword_only) &&
        !(last && last->double_star && list.count > 1 && last[-1].keyword_only))
        diag_error(ps->diags, list.bare_star, "a parameter must follow '*'");
    return list;
}

AstTypeParams ast_type_param(Parse *ps, AstTypeParams list, Token name, int stars, AstExpr *bound,
                             AstExpr *value)
{
    AstTypeParam param = { ast_text(ps, name), bound, value, stars, parse_span(ps, name) };

    for (int i = 0; i < list.count; i++) {
        if (strcmp(list.items[i].name, param.name) == 0)
            diag_error(ps->diags, param.span, "two type parameters are called '%s'", param.name);
        else if (i == list.count - 1 && list.items[i].default_value && !value)
            diag_error(ps->diags, param.span,
                       "a type parameter without a default follows one that has a default");
    }
    array_push(ps->arena, list.items, list.count, list.capacity) = param;
    return list;
}

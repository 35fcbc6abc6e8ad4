/* Constructors of statements. */
#include "parser/build.h"
#include "parser/grammar.h"

AstStmt *ast_stmt(Parse *ps, AstStmtKind kind, Span span)
{
    AstStmt *stmt = arena_new(ps->arena, AstStmt);

    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}

/* From `word` to the end of `last`, or to its own if there is none. */
static Span span_to(const Parse *ps, Token word, const AstExpr *last)
{
    return (Span){ ps->source, word.begin, last ? last->span.end : word.end };
}

/* ---- bodies --------------------------------------------------------------------------- */

AstBody ast_single(Parse *ps, AstStmt *stmt)
{
    AstStmt **items = arena_new(ps->arena, AstStmt *);

    *items = stmt;
    return (AstBody){ items, 1, 1 };
}

AstBody ast_extend(Parse *ps, AstBody body, AstBody more)
{
    if (body.count == 0)
        return more;
    for (int i = 0; i < more.count; i++)
        array_push(ps->arena, body.items, body.count, body.capacity) = more.items[i];
    return body;
}

AstBody ast_missing_block(Parse *ps, Token line_end)
{
    diag_error(ps->diags, parse_span(ps, line_end), "an indented block must follow this line");
    return (AstBody){ 0 };
}

AstBody ast_hang_body(Parse *ps, AstStmt *stmt, AstBody body)
{
    for (int i = 0; i < body.count; i++) {
        if (body.items[i]->depth == AST_MAX_DEPTH) {
            parse_too_deep(ps, stmt->span, "this statement is");
            return (AstBody){ 0 };
        }
        if (body.items[i]->depth >= stmt->depth)
            stmt->depth = (short)(body.items[i]->depth + 1);
    }
    return body;
}

const char *ast_docstring(const AstBody *body)
{
    const AstStmt *first = body->count ? body->items[0] : NULL;

    if (!first || first->kind != AST_EXPR_STMT || first->expr.value->kind != AST_STRING)
        return NULL;
    return first->expr.value->string.text;
}

/* ---- simple statements ---------------------------------------------------------------- */

AstStmt *ast_expr_stmt(Parse *ps, AstExpr *value)
{
    AstStmt *stmt = ast_stmt(ps, AST_EXPR_STMT, value->span);

    stmt->expr.value = value;
    return stmt;
}

AstStmt *ast_assign(Parse *ps, AstExpr *target, AstExpr *value)
{
    AstStmt *stmt = ast_stmt(ps, AST_ASSIGN, span_join(target->span, value->span));

    ast_check_target(ps, target);
    stmt->assign.targets = ast_exprs(ps, (AstExprs){ 0 }, target);
    stmt->assign.value = value;
    return stmt;
}

AstStmt *ast_assign_chain(Parse *ps, AstStmt *assign, AstExpr *value)
{
    ast_check_target(ps, assign->assign.value);
    assign->assign.targets = ast_exprs(ps, assign->assign.targets, assign->assign.value);
    assign->assign.value = value;
    assign->span.end = value->span.end;
    return assign;
}

AstStmt *ast_aug_assign(Parse *ps, AstExpr *target, Token op, AstExpr *value)
{
    AstStmt *stmt = ast_stmt(ps, AST_AUG_ASSIGN, span_join(target->span, value->span));

    ast_check_single_target(ps, target,
                            "%s cannot be updated in place; update its items one by one");
    stmt->aug_assign.target = target;
    stmt->aug_assign.op = ast_binary_op(op.kind);
    stmt->aug_assign.value = value;
    return stmt;
}

AstStmt *ast_ann_assign(Parse *ps, AstExpr *target, AstExpr *annotation, AstExpr *value)
{
    const AstExpr *last = value ? value : annotation;
    AstStmt *stmt = ast_stmt(ps, AST_ANN_ASSIGN, span_join(target->span, last->span));

    ast_check_single_target(ps, target, "only a single name can be annotated, not %s");
    stmt->ann_assign.target = target;
    stmt->ann_assign.annotation = annotation;
    stmt->ann_assign.value = value;
    return stmt;
}

AstStmt *ast_word(Parse *ps, AstStmtKind kind, Token word)
{
    return ast_stmt(ps, kind, parse_span(ps, word));
}

AstStmt *ast_return(Parse *ps, Token word, AstExpr *value)
{
    AstStmt *stmt = ast_stmt(ps, AST_RETURN, span_to(ps, word, value));

    stmt->return_.value = value;
    return stmt;
}

AstStmt *ast_assert(Parse *ps, Token word, AstExpr *condition, AstExpr *message)
{
    AstStmt *stmt = ast_stmt(ps, AST_ASSERT, span_to(ps, word, message ? message : condition));

    stmt->assert_.condition = condition;
    stmt->assert_.message = message;
    return stmt;
}

AstStmt *ast_raise(Parse *ps, Token word, AstExpr *exception, AstExpr *cause)
{
    AstStmt *stmt = ast_stmt(ps, AST_RAISE, span_to(ps, word, cause ? cause : exception));

    stmt->raise.exception = exception;
    stmt->raise.cause = cause;
    return stmt;
}

AstStmt *ast_del(Parse *ps, Token word, AstExpr *targets)
{
    AstStmt *stmt = ast_stmt(ps, AST_DEL, span_to(ps, word, targets));

    ast_check_deleted(ps, targets);
    stmt->del.targets = ast_exprs(ps, (AstExprs){ 0 }, targets);
    if (targets->kind == AST_TUPLE && !targets->in_brackets)
        stmt->del.targets = targets->list.items;
    return stmt;
}

AstStmt *ast_global(Parse *ps, AstStmtKind kind, Token word, AstExprs names)
{
    AstStmt *stmt = ast_stmt(ps, kind, span_to(ps, word, names.items[names.count - 1]));

    stmt->global.names = names;
    return stmt;
}

AstStmt *ast_type_alias(Parse *ps, Token word, Token name, AstTypeParams params, AstExpr *value)
{
    AstStmt *stmt = ast_stmt(ps, AST_TYPE_ALIAS, span_to(ps, word, value));

    stmt->type_alias.name = ast_name(ps, name);
    stmt->type_alias.params = params;
    stmt->type_alias.value = value;
    return stmt;
}

/* ---- imports -------------------------------------------------------------------------- */

/* A dotted name without the space that may stand in it. */
static const char *dotted_name(Parse *ps, Token token)
{
    const char *text = ps->source->text + token.begin;
    size_t length = token.end - token.begin, count = 0;
    char *name = arena_alloc(ps->arena, length + 1);

    for (size_t i = 0; i < length; i++) {
        if (!strchr(" \t\f\\\r\n", text[i]))
            name[count++] = text[i];
    }
    return name;
}

AstAliases ast_alias(Parse *ps, AstAliases list, Token name, Token as)
{
    const char *bound = as.end ? ast_text(ps, as) : NULL;

    array_push(ps->arena, list.items, list.count, list.capacity) =
        (AstAlias){ dotted_name(ps, name), bound, parse_span(ps, name) };
    return list;
}

AstStmt *ast_import(Parse *ps, Token word, AstAliases names)
{
    Span last = names.items[names.count - 1].span;
    AstStmt *stmt = ast_stmt(ps, AST_IMPORT, span_join(parse_span(ps, word), last));

    stmt->import.names = names.items;
    stmt->import.count = names.count;
    return stmt;
}

/* How many dots there are, with blanks among them. */
static int count_dots(const Parse *ps, Token dots)
{
    int count = 0;

    for (uint32_t at = dots.begin; at < dots.end; at++)
        count += ps->source->text[at] == '.';
    return count;
}

AstStmt *ast_from_import(Parse *ps, Token word, Token dots, Token module, AstAliases names)
{
    AstStmt *stmt = ast_import(ps, word, names);
    Token whole = { 0, dots.end ? dots.begin : module.begin, module.end ? module.end : dots.end };

    stmt->kind = AST_FROM_IMPORT;
    stmt->import.module = dotted_name(ps, module);
    stmt->import.module_span = parse_span(ps, whole);
    stmt->import.level = count_dots(ps, dots);
    return stmt;
}

/* ---- blocks --------------------------------------------------------------------------- */

AstStmt *ast_if(Parse *ps, Token word, AstExpr *condition, AstBody then)
{
    AstStmt *stmt = ast_stmt(ps, AST_IF, span_to(ps, word, condition));

    stmt->if_.condition = condition;
    stmt->if_.then = ast_hang_body(ps, stmt, then);
    return stmt;
}

AstStmt *ast_if_chain(Parse *ps, AstStmt *first, AstBody elifs, AstBody otherwise)
{
    for (int i = elifs.count - 1; i >= 0; i--) {
        AstStmt *elif = elifs.items[i];
        elif->if_.otherwise = ast_hang_body(ps, elif, otherwise);
        otherwise = ast_single(ps, elif);
    }
    first->if_.otherwise = ast_hang_body(ps, first, otherwise);
    return first;
}

AstStmt *ast_while(Parse *ps, Token word, AstExpr *condition, AstBody body, AstBody otherwise)
{
    AstStmt *stmt = ast_stmt(ps, AST_WHILE, span_to(ps, word, condition));

    stmt->while_.condition = condition;
    stmt->while_.body = ast_hang_body(ps, stmt, body);
    stmt->while_.otherwise = ast_hang_body(ps, stmt, otherwise);
    return stmt;
}

AstStmt *ast_for(Parse *ps, Token word, AstExpr *target, AstExpr *iterable, AstBody body,
                 AstBody otherwise)
{
    AstStmt *stmt = ast_stmt(ps, AST_FOR, span_to(ps, word, iterable));

    ast_check_target(ps, target);
    stmt->for_.target = target;
    stmt->for_.iterable = iterable;
    stmt->for_.body = ast_hang_body(ps, stmt, body);
    stmt->for_.otherwise = ast_hang_body(ps, stmt, otherwise);
    return stmt;
}

AstStmt *ast_async(Token word, AstStmt *stmt)
{
    if (stmt->kind == AST_FOR)
        stmt->for_.is_async = true;
    else if (stmt->kind == AST_WITH)
        stmt->with.is_async = true;
    else
        stmt->def.function.is_async = true;
    stmt->span.begin = word.begin;
    return stmt;
}

/* ---- try, with ------------------------------------------------------------------------ */

AstHandlers ast_handler(Parse *ps, AstHandlers list, Token word, bool star, AstExpr *class_,
                        Token name, AstBody body)
{
    const AstHandler *last = list.count ? &list.items[list.count - 1] : NULL;
    AstHandler handler = { star, class_, name.end ? ast_text(ps, name) : NULL, body,
                           span_to(ps, word, class_) };

    if (last && !last->class_)
        diag_error(ps->diags, last->span, "an 'except' of everything must be the last");
    if (last && last->star != star)
        diag_error(ps->diags, handler.span, "'except' and 'except*' do not go together");
    array_push(ps->arena, list.items, list.count, list.capacity) = handler;
    return list;
}

AstStmt *ast_try(Parse *ps, Token word, AstBody body, AstHandlers handlers, AstBody otherwise,
                 AstBody finally)
{
    AstStmt *stmt = ast_stmt(ps, AST_TRY, parse_span(ps, word));

    stmt->try_.body = ast_hang_body(ps, stmt, body);
    for (int i = 0; i < handlers.count; i++)
        ast_hang_body(ps, stmt, handlers.items[i].body);
    stmt->try_.handlers = handlers;
    stmt->try_.otherwise = ast_hang_body(ps, stmt, otherwise);
    stmt->try_.finally = ast_hang_body(ps, stmt, finally);
    return stmt;
}

AstWith *ast_with_item(Parse *ps, AstWith *list, AstExpr *value, AstExpr *target)
{
    if (!list)
        list = arena_new(ps->arena, AstWith);
    if (target)
        ast_check_target(ps, target);
    array_push(ps->arena, list->items, list->count, list->capacity) =
        (AstWithItem){ value, target };
    return list;
}

/* `with (a, b):` names two, not a tuple. */
static AstWith *spread_group(Parse *ps, AstWith *items)
{
    const AstExpr *only = items->items[0].value;
    AstWith *spread = NULL;

    if (items->count > 1 || items->items[0].target || only->kind != AST_TUPLE ||
        !only->in_brackets || !only->list.items.count)
        return items;
    for (int i = 0; i < only->list.items.count; i++)
        spread = ast_with_item(ps, spread, only->list.items.items[i], NULL);
    return spread;
}

AstStmt *ast_with(Parse *ps, Token word, AstWith *items, AstBody body)
{
    AstStmt *stmt = ast_stmt(ps, AST_WITH, (Span){ 0 });

    items = spread_group(ps, items);
    stmt->with = *items;
    stmt->span = span_to(ps, word, items->items[items->count - 1].value);
    stmt->with.body = ast_hang_body(ps, stmt, body);
    return stmt;
}

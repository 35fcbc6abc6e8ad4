/* Constructors of statements, and what may be assigned to. */
#include "parser/build.h"
#include "parser/grammar.h"

#include <string.h>

static AstStmt *node(Parse *ps, AstStmtKind kind, Span span)
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

static const char *text_of(Parse *ps, Token token)
{
    return arena_strndup(ps->arena, ps->source->text + token.begin, token.end - token.begin);
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

/* Puts `body` below `stmt`, unless the tree would be too deep. */
static AstBody hang(Parse *ps, AstStmt *stmt, AstBody body)
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

/* ---- targets -------------------------------------------------------------------------- */

/* What an expression that is no target is called. */
static const char *describe(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
        return "a number";
    case AST_STRING:
        return "a string";
    case AST_TRUE:
        return "True";
    case AST_FALSE:
        return "False";
    case AST_NONE:
        return "None";
    case AST_ELLIPSIS:
        return "'...'";
    case AST_CALL:
        return "a call";
    case AST_COMPARE:
        return "a comparison";
    case AST_IF_EXPR:
        return "a conditional expression";
    case AST_LAMBDA:
        return "a lambda";
    case AST_WALRUS:
        return "an assignment";
    case AST_TUPLE:
        return "a tuple";
    case AST_LIST:
        return "a list";
    case AST_STARRED:
        return "a starred expression";
    case AST_UNARY:
    case AST_BINARY:
    case AST_BOOLEAN:
    case AST_NAME:
    case AST_ATTRIBUTE:
    case AST_INDEX:
    case AST_SLICE:
    case AST_EXPR_KINDS:
        break;
    }
    return "an expression";
}

static void check_target(Parse *ps, const AstExpr *target);

static void check_targets(Parse *ps, const AstExprs *targets)
{
    const AstExpr *starred = NULL;

    for (int i = 0; i < targets->count; i++) {
        const AstExpr *item = targets->items[i];
        if (item->kind != AST_STARRED) {
            check_target(ps, item);
            continue;
        }
        if (starred)
            diag_error(ps->diags, item->span, "only one target may be starred");
        starred = item;
        check_target(ps, item->starred.value);
    }
}

/* Complains if nothing can be assigned to `target`. */
static void check_target(Parse *ps, const AstExpr *target)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        check_targets(ps, &target->list.items);
    else if (target->kind != AST_NAME && target->kind != AST_ATTRIBUTE &&
             target->kind != AST_INDEX && target->kind != AST_STARRED)
        diag_error(ps->diags, target->span, "cannot assign to %s", describe(target));
}

/* As check_target(), where no tuple will do. */
static void check_single_target(Parse *ps, const AstExpr *target, const char *message)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        diag_error(ps->diags, target->span, message, describe(target));
    else
        check_target(ps, target);
}

/* ---- simple statements ---------------------------------------------------------------- */

AstStmt *ast_expr_stmt(Parse *ps, AstExpr *value)
{
    AstStmt *stmt = node(ps, AST_EXPR_STMT, value->span);

    stmt->expr.value = value;
    return stmt;
}

AstStmt *ast_assign(Parse *ps, AstExpr *target, AstExpr *value)
{
    AstStmt *stmt = node(ps, AST_ASSIGN, span_join(target->span, value->span));

    check_target(ps, target);
    stmt->assign.targets = ast_exprs(ps, (AstExprs){ 0 }, target);
    stmt->assign.value = value;
    return stmt;
}

AstStmt *ast_assign_chain(Parse *ps, AstStmt *assign, AstExpr *value)
{
    check_target(ps, assign->assign.value);
    assign->assign.targets = ast_exprs(ps, assign->assign.targets, assign->assign.value);
    assign->assign.value = value;
    assign->span.end = value->span.end;
    return assign;
}

static AstOp augmented_op(int kind)
{
    switch (kind) {
    case TK_ADD_EQ:
        return AST_ADD;
    case TK_SUB_EQ:
        return AST_SUB;
    case TK_MUL_EQ:
        return AST_MUL;
    case TK_MATMUL_EQ:
        return AST_MATMUL;
    case TK_DIV_EQ:
        return AST_DIV;
    case TK_FLOOR_EQ:
        return AST_FLOORDIV;
    case TK_MOD_EQ:
        return AST_MOD;
    case TK_POW_EQ:
        return AST_POW;
    case TK_LSHIFT_EQ:
        return AST_LSHIFT;
    case TK_RSHIFT_EQ:
        return AST_RSHIFT;
    case TK_AND_EQ:
        return AST_BITAND;
    case TK_OR_EQ:
        return AST_BITOR;
    case TK_XOR_EQ:
        return AST_BITXOR;
    }
    return AST_OP_COUNT;
}

AstStmt *ast_aug_assign(Parse *ps, AstExpr *target, Token op, AstExpr *value)
{
    AstStmt *stmt = node(ps, AST_AUG_ASSIGN, span_join(target->span, value->span));

    check_single_target(ps, target, "%s cannot be updated in place; update its items one by one");
    stmt->aug_assign.target = target;
    stmt->aug_assign.op = augmented_op(op.kind);
    stmt->aug_assign.value = value;
    return stmt;
}

AstStmt *ast_ann_assign(Parse *ps, AstExpr *target, AstExpr *annotation, AstExpr *value)
{
    const AstExpr *last = value ? value : annotation;
    AstStmt *stmt = node(ps, AST_ANN_ASSIGN, span_join(target->span, last->span));

    check_single_target(ps, target, "only a single name can be annotated, not %s");
    stmt->ann_assign.target = target;
    stmt->ann_assign.annotation = annotation;
    stmt->ann_assign.value = value;
    return stmt;
}

AstStmt *ast_word(Parse *ps, AstStmtKind kind, Token word)
{
    return node(ps, kind, parse_span(ps, word));
}

AstStmt *ast_return(Parse *ps, Token word, AstExpr *value)
{
    AstStmt *stmt = node(ps, AST_RETURN, span_to(ps, word, value));

    stmt->return_.value = value;
    return stmt;
}

AstStmt *ast_assert(Parse *ps, Token word, AstExpr *condition, AstExpr *message)
{
    AstStmt *stmt = node(ps, AST_ASSERT, span_to(ps, word, message ? message : condition));

    stmt->assert_.condition = condition;
    stmt->assert_.message = message;
    return stmt;
}

AstStmt *ast_raise(Parse *ps, Token word, AstExpr *exception)
{
    AstStmt *stmt = node(ps, AST_RAISE, span_to(ps, word, exception));

    stmt->raise.exception = exception;
    return stmt;
}

void ast_refuse_cause(Parse *ps, Token from, AstExpr *cause)
{
    diag_error(ps->diags, span_to(ps, from, cause),
               "an exception has no cause in the kernel language; leave the 'from' out");
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
    const char *bound = as.end ? text_of(ps, as) : NULL;

    array_push(ps->arena, list.items, list.count, list.capacity) =
        (AstAlias){ dotted_name(ps, name), bound, parse_span(ps, name) };
    return list;
}

AstStmt *ast_import(Parse *ps, Token word, AstAliases names)
{
    Span last = names.items[names.count - 1].span;
    AstStmt *stmt = node(ps, AST_IMPORT, span_join(parse_span(ps, word), last));

    stmt->import.names = names.items;
    stmt->import.count = names.count;
    return stmt;
}

AstStmt *ast_from_import(Parse *ps, Token word, Token module, AstAliases names)
{
    AstStmt *stmt = ast_import(ps, word, names);

    stmt->kind = AST_FROM_IMPORT;
    stmt->import.module = dotted_name(ps, module);
    stmt->import.module_span = parse_span(ps, module);
    return stmt;
}

/* ---- blocks --------------------------------------------------------------------------- */

AstStmt *ast_if(Parse *ps, Token word, AstExpr *condition, AstBody then)
{
    AstStmt *stmt = node(ps, AST_IF, span_to(ps, word, condition));

    stmt->if_.condition = condition;
    stmt->if_.then = hang(ps, stmt, then);
    return stmt;
}

AstStmt *ast_if_chain(Parse *ps, AstStmt *first, AstBody elifs, AstBody otherwise)
{
    for (int i = elifs.count - 1; i >= 0; i--) {
        AstStmt *elif = elifs.items[i];
        elif->if_.otherwise = hang(ps, elif, otherwise);
        otherwise = ast_single(ps, elif);
    }
    first->if_.otherwise = hang(ps, first, otherwise);
    return first;
}

AstStmt *ast_while(Parse *ps, Token word, AstExpr *condition, AstBody body, AstBody otherwise)
{
    AstStmt *stmt = node(ps, AST_WHILE, span_to(ps, word, condition));

    stmt->while_.condition = condition;
    stmt->while_.body = hang(ps, stmt, body);
    stmt->while_.otherwise = hang(ps, stmt, otherwise);
    return stmt;
}

AstStmt *ast_for(Parse *ps, Token word, AstExpr *target, AstExpr *iterable, AstBody body,
                 AstBody otherwise)
{
    AstStmt *stmt = node(ps, AST_FOR, span_to(ps, word, iterable));

    check_target(ps, target);
    stmt->for_.target = target;
    stmt->for_.iterable = iterable;
    stmt->for_.body = hang(ps, stmt, body);
    stmt->for_.otherwise = hang(ps, stmt, otherwise);
    return stmt;
}

/* ---- functions ------------------------------------------------------------------------ */

AstStmt *ast_def(Parse *ps, Token word, Token name, AstParams params, AstExpr *returns,
                 AstBody body)
{
    AstStmt *stmt = node(ps, AST_DEF, span_join(parse_span(ps, word), parse_span(ps, name)));
    AstFunction *function = &stmt->def.function;

    function->name = text_of(ps, name);
    function->name_span = parse_span(ps, name);
    function->params = params;
    function->returns = returns;
    function->docstring = ast_docstring(&body);
    function->body = hang(ps, stmt, body);
    return stmt;
}

const char no_classes[] = "classes are not part of the kernel language, but for Enum and IntEnum; "
                          "use functions and arrays";

static bool is_enumeration(const AstExpr *call)
{
    if (!call || call->call.args.count != 1 || call->call.keyword_count)
        return false;
    const AstExpr *base = call->call.args.items[0];
    const char *name = base->kind == AST_NAME        ? base->name.name
                       : base->kind == AST_ATTRIBUTE ? base->attribute.name
                                                     : "";
    return strcmp(name, "Enum") == 0 || strcmp(name, "IntEnum") == 0;
}

AstStmt *ast_class(Parse *ps, Token word, Token name, AstExpr *call, AstBody body)
{
    Span span = span_join(parse_span(ps, word), parse_span(ps, name));
    if (!is_enumeration(call)) {
        diag_error(ps->diags, parse_span(ps, word), "%s", no_classes);
        return node(ps, AST_PASS, span);
    }
    AstStmt *stmt = node(ps, AST_CLASS, span);
    stmt->class_ = (AstClass){ .name = text_of(ps, name),
                               .name_span = parse_span(ps, name),
                               .base = call->call.args.items[0],
                               .body = hang(ps, stmt, body) };
    return stmt;
}

AstStmt *ast_decorate(AstStmt *def, AstExprs decorators)
{
    if (def->kind == AST_DEF)
        def->def.function.decorators = decorators;
    else if (def->kind == AST_CLASS)
        def->class_.decorators = decorators;
    return def;
}

AstParam ast_param(Parse *ps, Token name, AstExpr *annotation, AstExpr *value, bool star)
{
    return (AstParam){ text_of(ps, name), annotation, value, star, parse_span(ps, name) };
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
    if (last && last->star)
        diag_error(ps->diags, param->span, "no parameter may follow '*%s'", last->name);
    else if (last && last->default_value && !param->default_value && !param->star)
        diag_error(ps->diags, param->span,
                   "a parameter without a default follows one that has a default");
}

AstParams ast_params(Parse *ps, AstParams list, AstParam param)
{
    if (!param.name)
        return list;
    check_param(ps, &list, &param);
    if (list.capacity == 0) {
        list.items = arena_array(ps->arena, AstParam, 4);
        list.capacity = 4;
    }
    array_push(ps->arena, list.items, list.count, list.capacity) = param;
    return list;
}

void ast_refuse_param(Parse *ps, Token first, Token last, const char *message)
{
    diag_error(ps->diags, span_join(parse_span(ps, first), parse_span(ps, last)), "%s", message);
}

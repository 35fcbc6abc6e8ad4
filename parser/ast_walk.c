/* Walks over a tree. */
#include "parser/ast.h"

static void visit_some(AstExpr *const *exprs, int count, AstVisitor *visit, void *context)
{
    for (int i = 0; i < count; i++)
        if (exprs[i])
            visit(context, exprs[i]);
}

static void visit_call(const AstExpr *call, AstVisitor *visit, void *context)
{
    visit(context, call->call.function);
    visit_some(call->call.args.items, call->call.args.count, visit, context);
    for (int i = 0; i < call->call.keyword_count; i++)
        visit(context, call->call.keywords[i].value);
}

static void visit_lambda(const AstExpr *lambda, AstVisitor *visit, void *context)
{
    const AstParams *params = &lambda->lambda.params;

    for (int i = 0; i < params->count; i++)
        if (params->items[i].default_value)
            visit(context, params->items[i].default_value);
    visit(context, lambda->lambda.body);
}

static void visit_comprehension(const AstComprehension *it, AstVisitor *visit, void *context)
{
    for (int i = 0; i < it->count; i++) {
        const AstClause *clause = &it->clauses[i];
        visit(context, clause->target);
        visit(context, clause->iterable);
        visit_some(clause->conditions.items, clause->conditions.count, visit, context);
    }
    visit(context, it->element);
    visit_some(&it->value, 1, visit, context);
}

/* What stands in brackets of its own, or in quotes. Names and literals have no parts. */
static void visit_display(const AstExpr *expr, AstVisitor *visit, void *context)
{
    switch (expr->kind) {
    case AST_TUPLE:
    case AST_LIST:
    case AST_SET:
    case AST_FSTRING:
        visit_some(expr->list.items.items, expr->list.items.count, visit, context);
        return;
    case AST_DICT:
        visit_some(expr->dict.keys.items, expr->dict.keys.count, visit, context);
        visit_some(expr->dict.values.items, expr->dict.values.count, visit, context);
        return;
    case AST_FIELD: {
        AstExpr *const parts[] = { expr->field.value, expr->field.format };
        visit_some(parts, ARRAY_COUNT(parts), visit, context);
        return;
    }
    case AST_COMPREHENSION:
        visit_comprehension(expr->comprehension, visit, context);
        return;
    default:
        return;
    }
}

void ast_each_child(const AstExpr *expr, AstVisitor *visit, void *context)
{
    switch (expr->kind) {
    case AST_UNARY:
        visit(context, expr->unary.operand);
        return;
    case AST_BINARY:
    case AST_BOOLEAN:
        visit(context, expr->binary.left);
        visit(context, expr->binary.right);
        return;
    case AST_COMPARE:
        visit(context, expr->compare.first);
        visit_some(expr->compare.rest, expr->compare.count, visit, context);
        return;
    case AST_IF_EXPR:
        visit(context, expr->if_expr.condition);
        visit(context, expr->if_expr.then);
        visit(context, expr->if_expr.otherwise);
        return;
    case AST_LAMBDA:
        visit_lambda(expr, visit, context);
        return;
    case AST_CALL:
        visit_call(expr, visit, context);
        return;
    case AST_ATTRIBUTE:
        visit(context, expr->attribute.object);
        return;
    case AST_INDEX:
        visit(context, expr->index.object);
        visit(context, expr->index.index);
        return;
    case AST_SLICE: {
        AstExpr *const parts[] = { expr->slice.start, expr->slice.stop, expr->slice.step };
        visit_some(parts, ARRAY_COUNT(parts), visit, context);
        return;
    }
    case AST_STARRED:
    case AST_AWAIT:
        visit(context, expr->starred.value);
        return;
    case AST_WALRUS:
        visit(context, expr->walrus.value);
        return;
    case AST_YIELD:
        visit_some(&expr->yield.value, 1, visit, context);
        return;
    default:
        visit_display(expr, visit, context);
        return;
    }
}

void ast_each_captured(const AstExpr *pattern, void (*note)(void *context, const char *name),
                       void *context)
{
    const AstExprs *items = NULL;
    switch (pattern->kind) {
    case AST_NAME:
        if (strcmp(pattern->name.name, "_") != 0)
            note(context, pattern->name.name);
        return;
    case AST_WALRUS:
        ast_each_captured(pattern->walrus.value, note, context);
        note(context, pattern->walrus.name);
        return;
    case AST_STARRED:
        ast_each_captured(pattern->starred.value, note, context);
        return;
    case AST_BINARY:
        ast_each_captured(pattern->binary.left, note, context);
        ast_each_captured(pattern->binary.right, note, context);
        return;
    case AST_TUPLE:
    case AST_LIST:
        items = &pattern->list.items;
        break;
    case AST_DICT:
        items = &pattern->dict.values;
        break;
    case AST_CALL:
        items = &pattern->call.args;
        for (int i = 0; i < pattern->call.keyword_count; i++)
            ast_each_captured(pattern->call.keywords[i].value, note, context);
        break;
    default:
        return;
    }
    for (int i = 0; i < items->count; i++)
        ast_each_captured(items->items[i], note, context);
}

/* What a statement computes: at most two expressions, NULL for one that is not there. */
static void values_of(const AstStmt *stmt, AstExpr *values[2])
{
    values[0] = values[1] = NULL;
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        values[0] = stmt->expr.value;
        return;
    case AST_ASSIGN:
        values[0] = stmt->assign.value;
        return;
    case AST_AUG_ASSIGN:
        values[0] = stmt->aug_assign.value;
        return;
    case AST_ANN_ASSIGN:
        values[0] = stmt->ann_assign.value;
        return;
    case AST_IF:
        values[0] = stmt->if_.condition;
        return;
    case AST_WHILE:
        values[0] = stmt->while_.condition;
        return;
    case AST_FOR:
        values[0] = stmt->for_.iterable;
        return;
    case AST_RETURN:
        values[0] = stmt->return_.value;
        return;
    case AST_ASSERT:
        values[0] = stmt->assert_.condition;
        values[1] = stmt->assert_.message;
        return;
    case AST_RAISE:
        values[0] = stmt->raise.exception;
        values[1] = stmt->raise.cause;
        return;
    case AST_MATCH:
        values[0] = stmt->match.subject;
        return;
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_DEF:
    case AST_CLASS:
    case AST_IMPORT:
    case AST_FROM_IMPORT:
    case AST_DEL:
    case AST_GLOBAL:
    case AST_NONLOCAL:
    case AST_TRY:
    case AST_WITH:
    case AST_TYPE_ALIAS:
    case AST_STMT_KINDS:
        return;
    }
}

void ast_each_value(const AstStmt *stmt, AstVisitor *visit, void *context)
{
    AstExpr *values[2];

    if (stmt->kind == AST_WITH)
        for (int i = 0; i < stmt->with.count; i++)
            visit(context, stmt->with.items[i].value);
    values_of(stmt, values);
    visit_some(values, ARRAY_COUNT(values), visit, context);
}

void ast_each_target(const AstStmt *stmt, AstVisitor *visit, void *context)
{
    if (stmt->kind == AST_ASSIGN)
        visit_some(stmt->assign.targets.items, stmt->assign.targets.count, visit, context);
    else if (stmt->kind == AST_AUG_ASSIGN)
        visit(context, stmt->aug_assign.target);
    else if (stmt->kind == AST_ANN_ASSIGN)
        visit(context, stmt->ann_assign.target);
    else if (stmt->kind == AST_FOR)
        visit(context, stmt->for_.target);
    else if (stmt->kind == AST_WITH)
        for (int i = 0; i < stmt->with.count; i++)
            visit_some(&stmt->with.items[i].target, 1, visit, context);
}

typedef struct Mention {
    const char *name;
    bool found;
} Mention;

static void look_for_name(void *context, const AstExpr *expr)
{
    Mention *mention = context;
    if (expr->kind == AST_NAME && strcmp(expr->name.name, mention->name) == 0)
        mention->found = true;
    if (!mention->found)
        ast_each_child(expr, look_for_name, mention);
}

bool ast_mentions(const AstExpr *expr, const char *name)
{
    Mention mention = { name, false };
    look_for_name(&mention, expr);
    return mention.found;
}

const char *ast_last_name(const AstExpr *expr)
{
    return expr->kind == AST_NAME        ? expr->name.name
           : expr->kind == AST_ATTRIBUTE ? expr->attribute.name
                                         : "";
}

bool ast_ends_in(const AstExpr *expr, const char *name)
{
    return strcmp(ast_last_name(expr), name) == 0;
}

bool ast_is_decorated(const AstFunction *function, const char *name)
{
    for (int i = 0; i < function->decorators.count; i++)
        if (ast_ends_in(function->decorators.items[i], name))
            return true;
    return false;
}

const AstExpr *ast_root(const AstExpr *expr)
{
    while (expr->kind == AST_CALL || expr->kind == AST_ATTRIBUTE || expr->kind == AST_INDEX)
        expr = expr->kind == AST_CALL        ? expr->call.function
               : expr->kind == AST_ATTRIBUTE ? expr->attribute.object
                                             : expr->index.object;
    return expr->kind == AST_NAME ? expr : NULL;
}

int ast_find_keyword(const AstExpr *call, const char *name)
{
    for (int i = 0; i < call->call.keyword_count; i++)
        if (call->call.keywords[i].name && strcmp(call->call.keywords[i].name, name) == 0)
            return i;
    return -1;
}

AstExpr *ast_given_keyword(const AstExpr *call, const char *name)
{
    int at = ast_find_keyword(call, name);
    return at < 0 ? NULL : call->call.keywords[at].value;
}

const AstExpr *ast_call_argument(const AstExpr *call, int index, const char *name)
{
    return index < call->call.args.count ? call->call.args.items[index]
                                         : ast_given_keyword(call, name);
}

int ast_bodies(const AstStmt *stmt, const AstBody *bodies[2])
{
    if (stmt->kind == AST_IF) {
        bodies[0] = &stmt->if_.then;
        bodies[1] = &stmt->if_.otherwise;
    } else if (stmt->kind == AST_WHILE) {
        bodies[0] = &stmt->while_.body;
        bodies[1] = &stmt->while_.otherwise;
    } else if (stmt->kind == AST_FOR) {
        bodies[0] = &stmt->for_.body;
        bodies[1] = &stmt->for_.otherwise;
    } else if (stmt->kind == AST_TRY) {
        bodies[0] = &stmt->try_.body;
        bodies[1] = &stmt->try_.finally;
    } else if (stmt->kind == AST_WITH) {
        bodies[0] = &stmt->with.body;
        return 1;
    } else {
        return 0;
    }
    return 2;
}

const AstBody *ast_body(const AstStmt *stmt, int i)
{
    const AstBody *bodies[2];
    int count = ast_bodies(stmt, bodies), more = i - count;

    if (more < 0)
        return bodies[i];
    if (stmt->kind == AST_MATCH)
        return more < stmt->match.cases.count ? &stmt->match.cases.items[more].body : NULL;
    if (stmt->kind != AST_TRY || more > stmt->try_.handlers.count)
        return NULL;
    return more < stmt->try_.handlers.count ? &stmt->try_.handlers.items[more].body
                                            : &stmt->try_.otherwise;
}

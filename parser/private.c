/* Private names: what begins with two underscores in a class, and does not end in them, is the
** class's own. `__k` of a class `Base` means `_Base__k` wherever it stands in the class, so that a
** class made of it may have another `__k`. A class inside of another was renamed before it. */
#include "parser/build.h"

typedef struct Owner {
    Arena *arena;
    const char *class_; /* without underscores in front */
} Owner;

static void rename_body(const Owner *owner, const AstBody *body);

static bool is_private(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length > 2 && strncmp(name, "__", 2) == 0 && !strchr(name, '.') &&
           strcmp(name + length - 2, "__") != 0;
}

static void rename_one(const Owner *owner, const char **name)
{
    if (is_private(*name))
        *name = arena_printf(owner->arena, "_%s%s", owner->class_, *name);
}

static void rename_params(const Owner *owner, const AstParams *params);

/* The tree is the parser's own until it is finished. */
static void rename_expr(void *context, const AstExpr *visited)
{
    const Owner *owner = context;
    AstExpr *expr = (AstExpr *)(uintptr_t)visited;
    if (expr->kind == AST_NAME)
        rename_one(owner, &expr->name.name);
    else if (expr->kind == AST_ATTRIBUTE)
        rename_one(owner, &expr->attribute.name);
    else if (expr->kind == AST_WALRUS)
        rename_one(owner, &expr->walrus.name);
    else if (expr->kind == AST_LAMBDA)
        rename_params(owner, &expr->lambda.params);
    for (int i = 0; expr->kind == AST_CALL && i < expr->call.keyword_count; i++)
        rename_one(owner, &expr->call.keywords[i].name);
    ast_each_child(expr, rename_expr, context);
}

static void rename_some(const Owner *owner, const AstExprs *exprs)
{
    for (int i = 0; i < exprs->count; i++)
        rename_expr((void *)(uintptr_t)owner, exprs->items[i]);
}

static void rename_if_there(const Owner *owner, AstExpr *expr)
{
    if (expr)
        rename_expr((void *)(uintptr_t)owner, expr);
}

/* Defaults of a lambda are its children; renaming a name again does nothing. */
static void rename_params(const Owner *owner, const AstParams *params)
{
    for (int i = 0; i < params->count; i++) {
        rename_one(owner, &params->items[i].name);
        rename_if_there(owner, params->items[i].annotation);
        rename_if_there(owner, params->items[i].default_value);
    }
}

static void rename_def(const Owner *owner, AstFunction *function)
{
    rename_one(owner, &function->name);
    rename_params(owner, &function->params);
    rename_if_there(owner, function->returns);
    rename_some(owner, &function->decorators);
    rename_body(owner, &function->body);
}

static void rename_class(const Owner *owner, AstClass *class_)
{
    rename_one(owner, &class_->name);
    rename_some(owner, &class_->bases);
    rename_some(owner, &class_->decorators);
    for (int i = 0; i < class_->keyword_count; i++)
        rename_if_there(owner, class_->keywords[i].value);
    rename_body(owner, &class_->body);
}

static void rename_imports(const Owner *owner, const AstStmt *stmt)
{
    for (int i = 0; i < stmt->import.count; i++) {
        AstAlias *alias = &stmt->import.names[i];
        if (!alias->as && is_private(alias->name))
            alias->as = alias->name;
        rename_one(owner, &alias->as);
    }
}

static void rename_stmt(const Owner *owner, AstStmt *stmt)
{
    ast_each_value(stmt, rename_expr, (void *)(uintptr_t)owner);
    ast_each_target(stmt, rename_expr, (void *)(uintptr_t)owner);
    if (stmt->kind == AST_DEF)
        rename_def(owner, &stmt->def.function);
    else if (stmt->kind == AST_CLASS)
        rename_class(owner, &stmt->class_);
    else if (stmt->kind == AST_DEL)
        rename_some(owner, &stmt->del.targets);
    else if (stmt->kind == AST_GLOBAL || stmt->kind == AST_NONLOCAL)
        rename_some(owner, &stmt->global.names);
    else if (stmt->kind == AST_ANN_ASSIGN)
        rename_if_there(owner, stmt->ann_assign.annotation);
    else if (stmt->kind == AST_IMPORT || stmt->kind == AST_FROM_IMPORT)
        rename_imports(owner, stmt);
    for (int i = 0; stmt->kind == AST_TRY && i < stmt->try_.handlers.count; i++) {
        rename_if_there(owner, stmt->try_.handlers.items[i].class_);
        rename_one(owner, &stmt->try_.handlers.items[i].name);
    }
    for (int i = 0; stmt->kind == AST_MATCH && i < stmt->match.cases.count; i++) {
        rename_if_there(owner, stmt->match.cases.items[i].pattern);
        rename_if_there(owner, stmt->match.cases.items[i].guard);
    }
}

static void rename_body(const Owner *owner, const AstBody *body)
{
    const AstBody *inner;
    for (int i = 0; i < body->count; i++) {
        rename_stmt(owner, body->items[i]);
        for (int k = 0; (inner = ast_body(body->items[i], k)) != NULL; k++)
            rename_body(owner, inner);
    }
}

void ast_private(Arena *arena, const AstStmt *class_)
{
    Owner owner = { arena, class_->class_.name };
    while (*owner.class_ == '_')
        owner.class_++;
    if (*owner.class_)
        rename_body(&owner, &class_->class_.body);
}

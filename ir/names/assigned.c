/* Which names the statements of a body assign and read, as the tree alone tells it. */
#include "ir/names/operand.h"

typedef struct AssignedSearch {
    const char *name;
    bool found;
    int count; /* of the places that assign it */
} AssignedSearch;

static void count_walrus(void *context, const AstExpr *expr)
{
    AssignedSearch *search = context;
    search->count += expr->kind == AST_WALRUS && strcmp(expr->walrus.name, search->name) == 0;
    ast_each_child(expr, count_walrus, search);
}

static void count_assigned(void *context, const AstExpr *target)
{
    AssignedSearch *search = context;
    if (target->kind == AST_NAME)
        search->count += strcmp(target->name.name, search->name) == 0;
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST || target->kind == AST_STARRED)
        ast_each_child(target, count_assigned, search);
    else
        count_walrus(search, target);
}

int names_count(const AstBody *body, const char *name)
{
    AssignedSearch search = { .name = name };
    for (int i = 0; i < body->count; i++) {
        ast_each_target(body->items[i], count_assigned, &search);
        ast_each_value(body->items[i], count_walrus, &search);
        const AstBody *inner;
        for (int k = 0; (inner = ast_body(body->items[i], k)); k++)
            search.count += names_count(inner, name);
    }
    return search.count;
}

bool names_assigned(const AstBody *body, const char *name)
{
    return names_count(body, name) > 0;
}

static void find_read(void *context, const AstExpr *expr)
{
    AssignedSearch *search = context;
    search->found = search->found || ast_mentions(expr, search->name);
}

static void find_read_in_target(void *context, const AstExpr *target)
{
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, find_read_in_target, context);
    else if (target->kind != AST_NAME)
        find_read(context, target);
}

/* Whether all that the loop's body reads of `name` is the loop's own counter. */
static bool counts_in(const AstStmt *stmt, const char *name)
{
    return stmt->kind == AST_FOR && stmt->for_.target->kind == AST_NAME &&
           strcmp(stmt->for_.target->name.name, name) == 0 &&
           !names_assigned(&stmt->for_.body, name);
}

bool names_read_outside(const AstBody *body, const char *name)
{
    AssignedSearch search = { .name = name };
    for (int i = 0; i < body->count && !search.found; i++) {
        const AstStmt *stmt = body->items[i];
        bool reads_target = stmt->kind == AST_AUG_ASSIGN;
        ast_each_value(stmt, find_read, &search);
        ast_each_target(stmt, reads_target ? find_read : find_read_in_target, &search);
        const AstBody *bodies[2];
        int count = ast_bodies(stmt, bodies);
        for (int k = counts_in(stmt, name) ? 1 : 0; k < count; k++)
            search.found |= names_read_outside(bodies[k], name);
    }
    return search.found;
}

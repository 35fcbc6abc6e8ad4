/* Which names the statements of a body assign, and which they read: what loops must know of their
** bodies before these are lowered. */
#include "ir/lower/lower.h"

#include <string.h>

/* ---- assigned ---------------------------------------------------------------------------- */

typedef struct Collector {
    FnState *f;
    Names *names;
} Collector;

static void collect_name(Collector *c, const char *text)
{
    Name *name = env_name(c->f, text);
    for (int i = 0; i < c->names->count; i++)
        if (c->names->items[i] == name)
            return;
    array_push(c->f->arena, c->names->items, c->names->count, c->names->capacity) = name;
}

/* The names that ':=' assigns inside an expression. */
static void collect_value(void *context, const AstExpr *expr)
{
    if (expr->kind == AST_WALRUS)
        collect_name(context, expr->walrus.name);
    ast_each_child(expr, collect_value, context);
}

static void collect_target(void *context, const AstExpr *target)
{
    if (target->kind == AST_NAME)
        collect_name(context, target->name.name);
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, collect_target, context);
    else
        collect_value(context, target);
}

static void collect_body(Collector *c, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        ast_each_target(body->items[i], collect_target, c);
        ast_each_value(body->items[i], collect_value, c);
        const AstBody *bodies[2];
        int count = ast_bodies(body->items[i], bodies);
        for (int k = 0; k < count; k++)
            collect_body(c, bodies[k]);
    }
}

void names_of_target(FnState *f, const AstExpr *target, Names *names)
{
    collect_target(&(Collector){ f, names }, target);
}

void names_of_value(FnState *f, const AstExpr *expr, Names *names)
{
    collect_value(&(Collector){ f, names }, expr);
}

void names_of_body(FnState *f, const AstBody *body, Names *names)
{
    collect_body(&(Collector){ f, names }, body);
}

/* ---- looked for -------------------------------------------------------------------------- */

typedef struct Search {
    const char *name;
    bool found;
    int count; /* of the places that assign it */
} Search;

static void find_walrus(void *context, const AstExpr *expr)
{
    Search *search = context;
    if (expr->kind == AST_WALRUS && strcmp(expr->walrus.name, search->name) == 0)
        search->found = true;
    if (!search->found)
        ast_each_child(expr, find_walrus, search);
}

static void find_assigned(void *context, const AstExpr *target)
{
    Search *search = context;
    if (target->kind == AST_NAME)
        search->found |= strcmp(target->name.name, search->name) == 0;
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, find_assigned, search);
    else
        find_walrus(search, target);
}

bool names_assigned(const AstBody *body, const char *name)
{
    Search search = { .name = name };
    for (int i = 0; i < body->count && !search.found; i++) {
        ast_each_target(body->items[i], find_assigned, &search);
        ast_each_value(body->items[i], find_walrus, &search);
        const AstBody *bodies[2];
        int count = ast_bodies(body->items[i], bodies);
        for (int k = 0; k < count; k++)
            search.found |= names_assigned(bodies[k], name);
    }
    return search.found;
}

static void count_walrus(void *context, const AstExpr *expr)
{
    Search *search = context;
    search->count += expr->kind == AST_WALRUS && strcmp(expr->walrus.name, search->name) == 0;
    ast_each_child(expr, count_walrus, search);
}

static void count_assigned(void *context, const AstExpr *target)
{
    Search *search = context;
    if (target->kind == AST_NAME)
        search->count += strcmp(target->name.name, search->name) == 0;
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, count_assigned, search);
    else
        count_walrus(search, target);
}

int names_count(const AstBody *body, const char *name)
{
    Search search = { .name = name };
    for (int i = 0; i < body->count; i++) {
        ast_each_target(body->items[i], count_assigned, &search);
        ast_each_value(body->items[i], count_walrus, &search);
        const AstBody *bodies[2];
        int count = ast_bodies(body->items[i], bodies);
        for (int k = 0; k < count; k++)
            search.count += names_count(bodies[k], name);
    }
    return search.count;
}

static void find_read(void *context, const AstExpr *expr)
{
    Search *search = context;
    if (expr->kind == AST_NAME && strcmp(expr->name.name, search->name) == 0)
        search->found = true;
    if (!search->found)
        ast_each_child(expr, find_read, search);
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
    Search search = { .name = name };
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

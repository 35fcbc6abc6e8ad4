/* The names that the statements of a body assign, as a function has them: what loops must know
** of their bodies before these are lowered. */
#include "ir/lower/lower.h"

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

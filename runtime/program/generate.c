/* Generators: functions that yield, and generator expressions. program.h has the idea. */
#include "runtime/program/program.h"

/* ---- where statements go on ----------------------------------------------------------------- */

bool generator_resumes(Program *p, HostPoint *point)
{
    HostProducer *self = p->frame->generator;
    if (!self || !self->count)
        return false;
    *point = self->points[--self->count];
    point->resumed = true;
    return true;
}

HostFlow generator_leaves(Program *p, HostFlow left, HostPoint point)
{
    HostProducer *self = p->frame->generator;
    if (left != FLOW_YIELD)
        return left;
    if (!memory_more(self->points, self->count, self->capacity))
        arena_give_up(p->arena);
    self->points[self->count++] = point;
    return left;
}

/* ---- yield ---------------------------------------------------------------------------------- */

/* What throw() was given is raised where the generator stopped. */
static HostFlow yield_throws(Program *p, const AstExpr *expr)
{
    HostException *const thrown = p->frame->generator->thrown;
    p->frame->generator->thrown = NULL;
    host_raise_exception(p, expr->span, thrown);
    return FLOW_FAILED;
}

/* Gives the next item of what `yield from` goes over. */
static HostFlow yield_next(Program *p, const AstExpr *expr, HostPoint point, HostValue *out)
{
    HostProducer *self = p->frame->generator;
    HostProducer *inner = point.it.over.kind == HOST_PRODUCER ? point.it.over.producer : NULL;
    HostValue value;
    host_keep(p, point.it.over); /* which the path holds no more */
    if (inner)
        inner->passed = self->passed;
    if (self->thrown && !(inner && inner->body && !inner->finished))
        return yield_throws(p, expr);
    if (inner && self->thrown) {
        inner->thrown = self->thrown;
        self->thrown = NULL;
    }
    if (host_next(p, &point.it, &value)) {
        p->result = value;
        return generator_leaves(p, FLOW_YIELD, point);
    }
    *out = inner && inner->body ? inner->passed : host_none();
    return p->failed && !host_place(p, expr->span) ? FLOW_FAILED : FLOW_NEXT;
}

HostFlow generator_yield(Program *p, const AstExpr *expr, HostValue *out)
{
    HostPoint point = { .at = 0 };
    HostValue value = host_none();
    const bool from = expr->yield.from;
    if (!p->frame->generator) /* which says so */
        return host_eval(p, expr, out) ? FLOW_NEXT : FLOW_FAILED;
    if (generator_resumes(p, &point)) {
        *out = p->frame->generator->passed;
        if (from)
            return yield_next(p, expr, point, out);
        return p->frame->generator->thrown ? yield_throws(p, expr) : FLOW_NEXT;
    }
    if (expr->yield.value && !host_eval(p, expr->yield.value, &value))
        return FLOW_FAILED;
    if (from ? !host_iterate(p, value, &point.it) : !host_settle(p, &value)) {
        host_place(p, expr->span);
        return FLOW_FAILED;
    }
    if (from)
        return yield_next(p, expr, point, out);
    p->result = value;
    return generator_leaves(p, FLOW_YIELD, point);
}

/* ---- the generator -------------------------------------------------------------------------- */

/* Runs the body to its next yield. */
static bool generate(Program *p, HostProducer *self, HostValue *out)
{
    HostFrame frame = { .name = self->name, .env = self->env, .generator = self };
    self->started = true;
    self->guarded = false;
    const HostFlow left = host_run(p, &frame, self->body, out);
    self->passed = left == FLOW_RETURN ? *out : host_none();
    if (left == FLOW_FAILED && exception_is(p->exception, "StopIteration")) {
        HostException *const stop = host_caught(p);
        host_fail(p, "RuntimeError", "generator raised StopIteration");
        p->exception->cause = p->exception->context = stop;
        p->exception->from = true;
    }
    return left == FLOW_YIELD;
}

HostValue generator_new(Program *p, const char *name, const AstBody *body, HostEnv *env)
{
    HostProducer *self = host_producer(p, "generator", generate);
    self->name = name;
    self->body = body;
    self->env = env;
    return host_object(self);
}

/* ---- generator expressions ------------------------------------------------------------------ */

/* What the first clause goes over, which is computed where the expression stands. */
static const char first[] = ".0";

static AstBody body_of(Arena *arena, AstStmtKind kind, Span span, AstStmt **stmt)
{
    AstBody body = { .items = NULL };
    *stmt = arena_new(arena, AstStmt);
    **stmt = (AstStmt){ .kind = kind, .span = span };
    array_push(arena, body.items, body.count, body.capacity) = *stmt;
    return body;
}

/* The clauses from the last one on are statements around `yield element`. */
static const AstBody *body_of_expression(Arena *arena, const AstExpr *expr)
{
    const AstComprehension *all = expr->comprehension;
    AstExpr *yield = ast_new(arena, AST_YIELD, all->element->span);
    AstStmt *stmt;
    AstBody *body = arena_new(arena, AstBody);
    *body = body_of(arena, AST_EXPR_STMT, expr->span, &stmt);
    yield->yield.value = all->element;
    stmt->expr.value = yield;
    for (int i = all->count; i-- > 0;) {
        const AstClause *clause = &all->clauses[i];
        for (int k = clause->conditions.count; k-- > 0;) {
            const AstBody then = *body;
            *body = body_of(arena, AST_IF, expr->span, &stmt);
            stmt->if_.condition = clause->conditions.items[k];
            stmt->if_.then = then;
        }
        const AstBody inner = *body;
        *body = body_of(arena, AST_FOR, expr->span, &stmt);
        stmt->for_.target = clause->target;
        stmt->for_.iterable = i ? clause->iterable : ast_new(arena, AST_NAME, expr->span);
        stmt->for_.body = inner;
        if (!i)
            stmt->for_.iterable->name.name = first;
    }
    return body;
}

bool eval_generator(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstExpr *iterable = expr->comprehension->clauses[0].iterable;
    HostValue value;
    HostIterator it;
    if (!host_eval(p, iterable, &value))
        return false;
    if (!host_iterate(p, value, &it))
        return host_place(p, iterable->span);
    const char *key = arena_printf(&p->scratch, "generator %p", (const void *)expr);
    const AstBody *body = table_get(&p->codes, key);
    if (!body) {
        body = body_of_expression(p->arena, expr);
        table_put(&p->codes, arena_strdup(p->arena, key), (void *)(uintptr_t)body);
    }
    HostEnv *env = env_new(p, p->frame->env, NULL);
    env_set(p, env, first, it.over);
    return host_give(out, generator_new(p, "<genexpr>", body, env));
}

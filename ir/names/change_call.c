/* What calls at module level change: functions of the file and of those that it imports are looked
** into, methods, constructors and lambdas too, with what they are given in the place of their
** parameters.
**
** Calls under `if __name__ == "__main__"` are not looked into: there programs launch what is
** compiled here. Nor is it known what calls do that lie deeper or are more than DEPTH_MAX and
** CALLS_MAX say. */
#include "ir/names/change.h"

#include <string.h>

enum { DEPTH_MAX = 8, CALLS_MAX = 2000 };

static const char by_function[] = "is changed by a function that kjit cannot run: write its "
                                  "value at once";

/* A call of a function, and the one that makes it. */
typedef struct Frame {
    Resolver *r;
    const AstFunction *function; /* NULL: the module */
    const AstExpr *call;
    const struct Frame *outer,
        *around;         /* which calls it; in whose function it is written, or NULL */
    const AstExpr *self; /* what stands before the arguments, or NULL */
    bool bound;          /* something does */
    Span span;           /* of the statement of the module */
    const char *reason;
    int depth;
    int *calls; /* looked into for the statement: no more than CALLS_MAX */
} Frame;

static void change_in_call(const Frame *frame, const AstExpr *call);

static bool declares_global(const AstBody *body, const char *name)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        for (int k = 0; stmt->kind == AST_GLOBAL && k < stmt->global.names.count; k++)
            if (strcmp(stmt->global.names.items[k]->name.name, name) == 0)
                return true;
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            if (declares_global(inner, name))
                return true;
    }
    return false;
}

typedef struct Assigned {
    const char *name;
    bool found;
} Assigned;

static void find_assigned(void *context, const AstExpr *target)
{
    Assigned *assigned = context;
    if (target->kind == AST_NAME)
        assigned->found |= strcmp(target->name.name, assigned->name) == 0;
    else if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, find_assigned, context);
}

static void change_named(const Frame *frame, const char *name, const char *reason);
static void change_in_body(Frame *frame, const AstBody *body);

/* Changes what a value of a function looks at, or is made of. */
static void change_seen(const Frame *frame, const AstExpr *value, const char *but,
                        const char *reason);

typedef struct Seen {
    const Frame *frame;
    const char *but, *reason; /* but the name that is changed already */
} Seen;

static void change_seen_below(void *context, const AstExpr *expr)
{
    const Seen *seen = context;
    change_seen(seen->frame, expr, seen->but, seen->reason);
}

static void change_seen(const Frame *frame, const AstExpr *value, const char *but,
                        const char *reason)
{
    const AstExpr *name = change_seen_through(frame->r, value);
    if (change_part(frame->r, value, frame->span, reason))
        return;
    if (name && strcmp(name->name.name, but) != 0)
        change_named(frame, name->name.name, reason);
    else if (!name && change_holds_others(frame->r, value))
        ast_each_child(value, change_seen_below, &(Seen){ frame, but, reason });
}

/* Changes what a function's own name looks at: `y = x[1:]`, `for y in x`. */
static void change_behind(const Frame *frame, const AstBody *body, const char *name,
                          const char *reason)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        Assigned assigned = { name, false };
        if (stmt->kind == AST_ASSIGN || stmt->kind == AST_FOR)
            ast_each_target(stmt, find_assigned, &assigned);
        if (assigned.found)
            change_seen(frame, stmt->kind == AST_FOR ? stmt->for_.iterable : stmt->assign.value,
                        name, reason);
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            change_behind(frame, inner, name, reason);
    }
}

static bool assigns(const AstBody *body, const char *name)
{
    Assigned assigned = { name, false };
    for (int i = 0; i < body->count && !assigned.found; i++) {
        const AstBody *inner;
        ast_each_target(body->items[i], find_assigned, &assigned);
        for (int k = 0; (inner = ast_body(body->items[i], k)); k++)
            assigned.found |= assigns(inner, name);
    }
    return assigned.found;
}

/* All arguments of a call, as a tuple. */
static const AstExpr *all_arguments(const Frame *frame)
{
    AstExpr *all = arena_new(frame->r->arena, AstExpr);
    all->kind = AST_TUPLE;
    all->span = frame->call->span;
    all->list.items = frame->call->call.args;
    return all;
}

/* What a parameter was given, by name, by place, in what a star spreads, or by default. */
static const AstExpr *given_to(const Frame *frame, int i)
{
    const AstParam *param = &frame->function->params.items[i];
    const AstExpr *spread = NULL;
    int place = i - frame->bound;
    if (place < 0)
        return frame->self;
    for (int k = 0; k < frame->call->call.keyword_count; k++) {
        const AstKeyword *keyword = &frame->call->call.keywords[k];
        if (keyword->name && strcmp(keyword->name, param->name) == 0)
            return keyword->value;
        spread = keyword->name ? spread : keyword->value;
    }
    for (int k = 0; k < frame->call->call.args.count && !param->keyword_only; k++)
        if (frame->call->call.args.items[k]->kind == AST_STARRED || param->star)
            return all_arguments(frame);
    if (place < frame->call->call.args.count && !param->keyword_only)
        return frame->call->call.args.items[place];
    return spread ? spread : param->default_value;
}

/* The same of the parameter of that name; NULL: it has none, or was given nothing. */
static const AstExpr *given(const Frame *frame, const char *name, bool *parameter)
{
    const AstParams *params = &frame->function->params;
    for (int i = 0; i < params->count; i++)
        if (strcmp(params->items[i].name, name) == 0) {
            *parameter = true;
            return given_to(frame, i);
        }
    return NULL;
}

/* A name that is none of a function's own. */
static void change_around(const Frame *frame, const char *name, const char *reason)
{
    if (frame->around && !declares_global(&frame->function->body, name))
        change_named(frame->around, name, reason);
    else
        change_name(frame->r, name, frame->span, reason);
}

/* The name, in a function or where it was called from, is changed. */
static void change_named(const Frame *frame, const char *name, const char *reason)
{
    bool parameter = false;
    if (!frame->function) {
        change_name(frame->r, name, frame->span, reason);
        return;
    }
    const AstExpr *value = given(frame, name, &parameter);
    if (value)
        change_seen(frame->outer, value, "", reason);
    else if (!parameter && (declares_global(&frame->function->body, name) ||
                            !assigns(&frame->function->body, name)))
        change_around(frame, name, reason);
    else if (!parameter && frame->depth < DEPTH_MAX) {
        Frame deeper = *frame; /* names may look at one another in a circle */
        deeper.depth++;
        change_behind(&deeper, &frame->function->body, name, reason);
    }
}

/* Changes an attribute of a class or module that is no name of the function's own. */
static bool change_global(const Frame *frame, const AstExpr *target, const char *root)
{
    bool parameter = false;
    given(frame, root, &parameter);
    return !parameter && !assigns(&frame->function->body, root) &&
           change_attribute(frame->r, target, frame->span, frame->reason);
}

static void change_in_target(void *context, const AstExpr *target)
{
    const Frame *frame = context;
    const AstExpr *root = change_root_of(target);
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, change_in_target, context);
    else if (change_global_name(target))
        change_name(frame->r, change_global_name(target), frame->span, frame->reason);
    else if (root && target == root) {
        if (declares_global(&frame->function->body, root->name.name))
            change_named(frame, root->name.name, frame->reason);
    } else if (root && !change_global(frame, target, root->name.name) &&
               !change_part(frame->r, target, frame->span, frame->reason))
        change_named(frame, root->name.name, frame->reason);
}

static void change_in_comprehension(const Frame *frame, const AstComprehension *it);

static void change_in_value(void *context, const AstExpr *expr)
{
    if (expr->kind == AST_LAMBDA)
        return;
    if (expr->kind == AST_COMPREHENSION) {
        change_in_comprehension(context, expr->comprehension);
        return;
    }
    ast_each_child(expr, change_in_value, context);
    if (expr->kind == AST_CALL)
        change_in_call(context, expr);
}

static void change_in_body(Frame *frame, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstBody *inner;
        ast_each_target(body->items[i], change_in_target, frame);
        ast_each_value(body->items[i], change_in_value, frame);
        for (int k = 0; (inner = ast_body(body->items[i], k)); k++)
            change_in_body(frame, inner);
    }
}

/* What a function that is not of this file writes to: x.sort(), np.copyto(x, y), np.add.at(x, ...);
** NULL: nothing that is known. */
static const AstExpr *written_by(Resolver *r, const AstExpr *call)
{
    static const char *const methods[] = { "fill",        "sort",    "resize",     "put",
                                           "partition",   "itemset", "byteswap",   "setfield",
                                           "append",      "extend",  "insert",     "remove",
                                           "pop",         "popitem", "clear",      "reverse",
                                           "update",      "discard", "setdefault", "__setitem__",
                                           "__delitem__", "__iadd__" };
    static const char *const others[] = { "setattr",     "delattr",      "shuffle", "__setattr__",
                                          "heapify",     "heappush",     "heappop", "heapreplace",
                                          "heappushpop", "insort",       "setitem", "delitem",
                                          "insort_left", "insort_right", "iadd",    "iconcat" };
    static const char *const functions[] = { "copyto",  "put", "place",         "putmask",
                                             "shuffle", "at",  "fill_diagonal", "put_along_axis" };
    const AstExpr *callee = call->call.function;
    const char *name = callee->kind == AST_NAME        ? callee->name.name
                       : callee->kind == AST_ATTRIBUTE ? callee->attribute.name
                                                       : "";
    if (text_is_among(name, others, ARRAY_COUNT(others)))
        return call->call.args.count ? call->call.args.items[0] : NULL;
    if (callee->kind != AST_ATTRIBUTE)
        return change_is_object(r, callee) ? callee : NULL;
    if (change_is_object(r, callee->attribute.object))
        return callee->attribute.object;
    if (text_is_among(callee->attribute.name, functions, ARRAY_COUNT(functions)) &&
        resolve_path(r, callee))
        return call->call.args.count ? call->call.args.items[0] : NULL;
    return text_is_among(callee->attribute.name, methods, ARRAY_COUNT(methods))
               ? callee->attribute.object
               : NULL;
}

/* ---- what is called -------------------------------------------------------------------------- */

static const AstFunction *method_of(const AstClass *class, const char *name)
{
    for (int i = class ? class->body.count : 0; i-- > 0;) {
        const AstStmt *stmt = class->body.items[i];
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, name) == 0)
            return &stmt->def.function;
    }
    return NULL;
}

static void look_into(const Frame *frame, const Frame *called)
{
    Frame inner = *called;
    if (frame->depth >= DEPTH_MAX || ++*frame->calls > CALLS_MAX)
        return;
    inner.outer = frame;
    inner.span = frame->span;
    inner.reason = by_function;
    inner.depth = frame->depth + 1;
    inner.calls = frame->calls;
    change_in_body(&inner, &inner.function->body);
}

/* A method of a class or of one of its bases. */
static void look_into_method(const Frame *frame, const AstExpr *call, const Module *class,
                             const char *name, const AstExpr *self, bool bound)
{
    const Module *order[CLASS_ORDER_MAX];
    Resolver inside = change_in_file(frame->r, class->outer);
    for (int i = 0, count = module_class_order(class, order); i < count; i++) {
        const AstFunction *method = method_of(module_class(order[i]), name);
        bool plain = method && method->decorators.count &&
                     method->decorators.items[0]->kind == AST_NAME &&
                     strcmp(method->decorators.items[0]->name.name, "staticmethod") == 0;
        bool of_class = method && method->decorators.count && !plain;
        if (!method)
            continue;
        look_into(frame, &(Frame){ .r = &inside,
                                   .function = method,
                                   .call = call,
                                   .self = self,
                                   .bound = (bound || of_class) && !plain });
        return;
    }
}

/* x.m(): a method of that name, of whichever class of the file x is. */
static void look_into_methods(const Frame *frame, const AstExpr *call, const AstExpr *callee,
                              const char *name, const AstExpr *self)
{
    const Symbol *owner = module_path_symbol(frame->r->module, self);
    const Module *file = scope_file(frame->r->module);
    if (owner && owner->kind == SYMBOL_MODULE) {
        if (module_is_class(owner->of))
            look_into_method(frame, call, owner->of, name, self, false);
        return;
    }
    if (resolve_path(frame->r, callee))
        return;
    for (int i = 0, count = file->count; i < count; i++) {
        const Symbol *symbol = file->list[i];
        if (symbol->kind == SYMBOL_MODULE && module_is_class(symbol->of) &&
            method_of(module_class(symbol->of), name))
            look_into_method(frame, call, symbol->of, name, self, true);
    }
}

/* A function that is defined in a body, or in what that runs; NULL: none of that name. */
static const AstFunction *nested_function(const AstBody *body, const char *name)
{
    const AstFunction *found = NULL;
    for (int i = 0; i < body->count && !found; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        if (stmt->kind == AST_DEF && strcmp(stmt->def.function.name, name) == 0)
            found = &stmt->def.function;
        for (int k = 0; !found && (inner = ast_body(stmt, k)); k++)
            found = nested_function(inner, name);
    }
    return found;
}

static bool look_into_nested(const Frame *frame, const AstExpr *call, const char *name)
{
    for (const Frame *at = frame; at && at->function; at = at->around) {
        const AstFunction *nested = nested_function(&at->function->body, name);
        if (!nested)
            continue;
        look_into(frame, &(Frame){ .r = frame->r, .function = nested, .call = call, .around = at });
        return true;
    }
    return false;
}

static void look_into_callee(const Frame *frame, const AstExpr *call, const AstExpr *callee,
                             int depth);

static void look_into_symbol(const Frame *frame, const AstExpr *call, const AstExpr *callee,
                             const Symbol *symbol, int depth)
{
    static const char *const makers[] = { "__new__", "__init__", "__post_init__" };
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    Resolver inside = change_in_file(frame->r, symbol->module);
    if (symbol->module->standard)
        return;
    if (symbol->kind == SYMBOL_FUNCTION && symbol->function->ast)
        look_into(frame, &(Frame){ .r = &inside, .function = symbol->function->ast, .call = call });
    else if (symbol->kind == SYMBOL_MODULE && module_is_class(symbol->of))
        for (size_t i = 0; i < ARRAY_COUNT(makers); i++)
            look_into_method(frame, call, symbol->of, makers[i], NULL, true);
    else if (value && change_is_object(frame->r, callee))
        look_into_methods(frame, call, callee, "__call__", callee);
    else if (value)
        look_into_callee(frame, call, value, depth + 1);
}

static void look_into_callee(const Frame *frame, const AstExpr *call, const AstExpr *callee,
                             int depth)
{
    const Symbol *symbol = module_path_symbol(frame->r->module, callee);
    bool of_file = symbol && symbol->kind == SYMBOL_FUNCTION && !module_is_class(symbol->module);
    if (depth > DEPTH_MAX ||
        (callee->kind == AST_NAME && look_into_nested(frame, call, callee->name.name)))
        return;
    if (callee->kind == AST_LAMBDA)
        look_into(frame, &(Frame){ .r = frame->r,
                                   .function = ast_lambda_function(frame->r->arena, callee),
                                   .call = call,
                                   .around = frame->function ? frame : NULL });
    else if (callee->kind == AST_ATTRIBUTE && !of_file)
        look_into_methods(frame, call, callee, callee->attribute.name, callee->attribute.object);
    else if (symbol)
        look_into_symbol(frame, call, callee, symbol, depth);
}

/* [e for x in s] as the loop that it is, in a function of its own. */
static void change_in_comprehension(const Frame *frame, const AstComprehension *it)
{
    Arena *arena = frame->r->arena;
    AstFunction *function = arena_new(arena, AstFunction);
    AstBody *body = &function->body;
    AstExpr *const values[] = { it->element, it->value };
    for (int i = 0; i < it->count; i++) {
        const AstClause *clause = &it->clauses[i];
        AstStmt *loop = arena_new(arena, AstStmt);
        loop->kind = AST_FOR;
        loop->for_.target = clause->target;
        loop->for_.iterable = clause->iterable;
        array_push(arena, body->items, body->count, body->capacity) = loop;
        body = &loop->for_.body;
    }
    for (size_t i = 0; i < ARRAY_COUNT(values); i++) {
        AstStmt *stmt = arena_new(arena, AstStmt);
        stmt->kind = AST_EXPR_STMT;
        stmt->expr.value = values[i];
        if (values[i])
            array_push(arena, body->items, body->count, body->capacity) = stmt;
    }
    Frame inner = *frame;
    inner.function = function;
    inner.around = inner.outer = frame;
    inner.call = NULL;
    inner.depth++;
    if (frame->depth < DEPTH_MAX)
        change_in_body(&inner, &function->body);
}

static void change_in_call(const Frame *frame, const AstExpr *call)
{
    const AstExpr *callee = call->call.function;
    if (callee->kind == AST_INDEX) /* kernel[grid, block](x, y) */
        callee = callee->index.object;
    look_into_callee(frame, call, callee, 0);
    const AstExpr *written = written_by(frame->r, call);
    if (written)
        change_seen(frame, written, "", frame->reason);
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (keyword->name && strcmp(keyword->name, "out") == 0 && keyword->value->kind == AST_NAME)
            change_named(frame, keyword->value->name.name, frame->reason);
    }
}

/* What is evaluated where a function is defined, and whom it is given to. */
static void change_by_definition(const Frame *frame, const AstFunction *ast)
{
    for (int i = 0; i < ast->params.count; i++)
        if (ast->params.items[i].default_value)
            change_in_value((void *)frame, ast->params.items[i].default_value);
    for (int i = 0; i < ast->decorators.count; i++) {
        AstExpr *call = arena_new(frame->r->arena, AstExpr);
        call->kind = AST_CALL;
        call->span = ast->decorators.items[i]->span;
        call->call.function = ast->decorators.items[i];
        change_in_value((void *)frame, call);
    }
}

void change_by_calls(Resolver *r, const AstStmt *stmt)
{
    int calls = 0;
    Frame frame = { .r = r, .span = stmt->span, .reason = change_in_place, .calls = &calls };
    if (r->in_main)
        return;
    if (stmt->kind == AST_DEF)
        change_by_definition(&frame, &stmt->def.function);
    else if (stmt->kind != AST_CLASS)
        ast_each_value(stmt, change_in_value, &frame);
    for (int i = 0; stmt->kind == AST_WITH && i < stmt->with.count; i++)
        if (change_is_object(r, stmt->with.items[i].value)) /* __enter__ may change it */
            change_name(r, stmt->with.items[i].value->name.name, stmt->span, change_in_place);
}

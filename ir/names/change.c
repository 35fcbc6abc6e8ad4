/* What statements of a module change in place: an element, an attribute, an array that is given to
** a function that writes to it, a global of a function that is called. kjit runs no statements, so
** the name stands for nothing that kernels can use from there on, nor does any that looks at the
** same memory: `B = A`, `B = A[1:]`, `B = A.T`.
**
** Calls under `if __name__ == "__main__"` are not looked into: there programs launch what is
** compiled here. Nor is it known what functions of other files do to what they are
** given, nor what calls do that lie deeper or are more than DEPTH_MAX and CALLS_MAX say. */
#include "ir/names/scope.h"

#include <string.h>

enum { DEPTH_MAX = 8, CALLS_MAX = 2000 };

static const char in_place[] = "is changed in place, by a statement that kjit does not run: write "
                               "its value at once";
static const char by_function[] = "is changed by a function that kjit does not run: write its "
                                  "value at once";

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The name that an element or attribute belongs to; NULL: no single one. */
static const AstExpr *root_of(const AstExpr *expr)
{
    while (expr->kind == AST_INDEX || expr->kind == AST_ATTRIBUTE || expr->kind == AST_CALL)
        expr = expr->kind == AST_INDEX       ? expr->index.object
               : expr->kind == AST_ATTRIBUTE ? expr->attribute.object
                                             : expr->call.function;
    return expr->kind == AST_NAME ? expr : NULL;
}

/* The name whose memory an expression looks at: x[1:], x.T, x.reshape(n), np.reshape(x, n). NULL:
** none, or memory of its own. */
static const AstExpr *seen_through(Resolver *r, const AstExpr *expr)
{
    static const char *const views[] = { "reshape", "ravel",    "view",    "transpose",
                                         "squeeze", "swapaxes", "asarray", "ascontiguousarray" };

    while (expr && expr->kind != AST_NAME) {
        const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
        bool looks = callee && callee->kind == AST_ATTRIBUTE &&
                     is_among(callee->attribute.name, views, ARRAY_COUNT(views));
        if (looks && resolve_path(r, callee))
            expr = expr->call.args.count ? expr->call.args.items[0] : NULL;
        else if (looks)
            expr = callee->attribute.object;
        else
            expr = expr->kind == AST_INDEX       ? expr->index.object
                   : expr->kind == AST_ATTRIBUTE ? expr->attribute.object
                                                 : NULL;
    }
    return expr;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has_value(const Symbol *symbol)
{
    return symbol && (symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_CHOICE);
}

/* The name that a symbol's value looks at, of those bound before it and not bound anew; or NULL. */
static const char *original_of(Resolver *r, const Symbol *symbol)
{
    if (symbol->kind != SYMBOL_CONSTANT || symbol->constant.item >= 0)
        return NULL;
    const AstExpr *seen = seen_through(r, symbol->constant.value);
    const Symbol *original = seen ? table_get(&r->module->symbols, seen->name.name) : NULL;
    return original && original->order < symbol->order ? seen->name.name : NULL;
}

/* Whether a list, tuple or dictionary, or an object of a class, is made with a name in it. */
static bool holds(Resolver *r, const AstExpr *expr, const char *name)
{
    const Symbol *class =
        expr->kind == AST_CALL ? module_path_symbol(r->module, expr->call.function) : NULL;
    const AstExprs *items = expr->kind == AST_DICT                  ? &expr->dict.values
                            : class && class->kind == SYMBOL_MODULE ? &expr->call.args
                                                                    : NULL;
    if (expr->kind == AST_LIST || expr->kind == AST_TUPLE)
        items = &expr->list.items;
    for (int i = 0; items && i < items->count; i++)
        if ((items->items[i]->kind == AST_NAME && strcmp(items->items[i]->name.name, name) == 0) ||
            holds(r, items->items[i], name))
            return true;
    for (int i = 0; items == (expr->kind == AST_CALL ? &expr->call.args : NULL) && items &&
                    i < expr->call.keyword_count;
         i++)
        if (expr->call.keywords[i].value->kind == AST_NAME &&
            strcmp(expr->call.keywords[i].value->name.name, name) == 0)
            return true;
    return false;
}

static void change_name(Resolver *r, const char *name, Span span, const char *reason);

/* Changes what looks at the same memory as a name. */
static void change_others(Resolver *r, const char *name, Span span, const char *reason)
{
    const char *original = original_of(r, table_get(&r->module->symbols, name));
    int count = r->module->count;
    for (int i = 0; i < count; i++) {
        const Symbol *other = r->module->list[i];
        const char *of = has_value(other) ? original_of(r, other) : NULL;
        bool inside = has_value(other) && other->kind == SYMBOL_CONSTANT &&
                      holds(r, other->constant.value, name);
        if (((of && strcmp(of, name) == 0) || inside) &&
            table_get(&r->module->symbols, other->name) == other)
            scope_define_unknown(r, other->name, span, reason);
    }
    if (original)
        change_name(r, original, span, reason);
}

static void change_name(Resolver *r, const char *name, Span span, const char *reason)
{
    if (!has_value(table_get(&r->module->symbols, name)))
        return;
    change_others(r, name, span, reason);
    scope_define_unknown(r, name, span, reason);
}

/* Whether a name stands for an array that NumPy has made, for a part of one, or for a list. */
static bool is_array(Resolver *r, const Symbol *symbol)
{
    for (const char *name; (name = original_of(r, symbol));)
        symbol = table_get(&r->module->symbols, name);
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    const char *path =
        value && value->kind == AST_CALL ? resolve_path(r, value->call.function) : NULL;
    if (value && (value->kind == AST_LIST || value->kind == AST_COMPREHENSION))
        return true;
    return path && strncmp(path, "np.", 3) == 0 &&
           builtin_find(r->arena, path, symbol->span).kind != OPD_TYPE;
}

void change_augmented(Resolver *r, const AstExpr *target)
{
    const Symbol *symbol =
        target->kind == AST_NAME ? table_get(&r->module->symbols, target->name.name) : NULL;
    if (has_value(symbol) && is_array(r, symbol))
        change_others(r, target->name.name, target->span, in_place);
}

void change_target(Resolver *r, const AstExpr *target)
{
    const AstExpr *root = root_of(target);
    const Symbol *owner = target->kind == AST_ATTRIBUTE
                              ? module_path_symbol(r->module, target->attribute.object)
                              : NULL;
    Resolver inside = *r;
    if (owner && owner->kind == SYMBOL_MODULE) {
        inside.module = owner->of;
        scope_define_unknown(&inside, target->attribute.name, target->span, in_place);
    } else if (root) {
        change_name(r, root->name.name, target->span, in_place);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A call of a function of this file, and the one that makes it. */
typedef struct Frame {
    Resolver *r;
    const AstFunction *function;
    const AstExpr *call;
    const struct Frame *outer;
    Span span; /* of the statement of the module */
    const char *reason;
    int depth;
    int *calls; /* looked into for the statement: no more than CALLS_MAX */
} Frame;

static void change_in_call(const Frame *frame, const AstExpr *call);

static bool declares_global(const AstBody *body, const char *name)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        for (int k = 0; stmt->kind == AST_GLOBAL && k < stmt->global.names.count; k++)
            if (strcmp(stmt->global.names.items[k]->name.name, name) == 0)
                return true;
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            if (declares_global(bodies[k], name))
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

/* Changes what a function's own name looks at: `y = x[1:]`. */
static void change_behind(const Frame *frame, const AstBody *body, const char *name,
                          const char *reason)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *bodies[2];
        for (int k = 0; stmt->kind == AST_ASSIGN && k < stmt->assign.targets.count; k++) {
            const AstExpr *target = stmt->assign.targets.items[k];
            const AstExpr *seen = seen_through(frame->r, stmt->assign.value);
            if (target->kind == AST_NAME && strcmp(target->name.name, name) == 0 && seen &&
                strcmp(seen->name.name, name) != 0)
                change_named(frame, seen->name.name, reason);
        }
        for (int k = 0, count = ast_bodies(stmt, bodies); k < count; k++)
            change_behind(frame, bodies[k], name, reason);
    }
}

static bool assigns(const AstBody *body, const char *name)
{
    Assigned assigned = { name, false };
    for (int i = 0; i < body->count && !assigned.found; i++) {
        const AstBody *bodies[2];
        ast_each_target(body->items[i], find_assigned, &assigned);
        for (int k = 0, count = ast_bodies(body->items[i], bodies); k < count; k++)
            assigned.found |= assigns(bodies[k], name);
    }
    return assigned.found;
}

/* What the parameter of that name was given; NULL: it has none, or nothing by position or name. */
static const AstExpr *given(const Frame *frame, const char *name, bool *parameter)
{
    const AstParams *params = &frame->function->params;
    for (int i = 0; i < params->count; i++) {
        if (strcmp(params->items[i].name, name) != 0)
            continue;
        *parameter = true;
        for (int k = 0; k < frame->call->call.keyword_count; k++) {
            const AstKeyword *keyword = &frame->call->call.keywords[k];
            if (keyword->name && strcmp(keyword->name, name) == 0)
                return keyword->value;
        }
        return i < frame->call->call.args.count ? frame->call->call.args.items[i] : NULL;
    }
    return NULL;
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
    const AstExpr *seen = value ? seen_through(frame->r, value) : NULL;
    if (seen)
        change_named(frame->outer, seen->name.name, reason);
    else if (!parameter && (declares_global(&frame->function->body, name) ||
                            !assigns(&frame->function->body, name)))
        change_name(frame->r, name, frame->span, reason);
    else if (!parameter && frame->depth < DEPTH_MAX) {
        Frame deeper = *frame; /* names may look at one another in a circle */
        deeper.depth++;
        change_behind(&deeper, &frame->function->body, name, reason);
    }
}

static void change_in_target(void *context, const AstExpr *target)
{
    const Frame *frame = context;
    const AstExpr *root = root_of(target);
    if (target->kind == AST_TUPLE || target->kind == AST_LIST)
        ast_each_child(target, change_in_target, context);
    else if (root && (target != root || declares_global(&frame->function->body, root->name.name)))
        change_named(frame, root->name.name, frame->reason);
}

static void change_in_value(void *context, const AstExpr *expr)
{
    if (expr->kind == AST_LAMBDA)
        return;
    ast_each_child(expr, change_in_value, context);
    if (expr->kind == AST_CALL)
        change_in_call(context, expr);
}

static void change_in_body(Frame *frame, const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstBody *bodies[2];
        ast_each_target(body->items[i], change_in_target, frame);
        ast_each_value(body->items[i], change_in_value, frame);
        for (int k = 0, count = ast_bodies(body->items[i], bodies); k < count; k++)
            change_in_body(frame, bodies[k]);
    }
}

/* Whether an expression is the name of an object of a class of a file's: any of its methods may
** change it. */
static bool is_object(Resolver *r, const AstExpr *expr)
{
    const Symbol *symbol =
        expr->kind == AST_NAME ? table_get(&r->module->symbols, expr->name.name) : NULL;
    const AstExpr *value =
        symbol && symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    const Symbol *class = value && value->kind == AST_CALL
                              ? module_path_symbol(r->module, value->call.function)
                              : NULL;
    return class && class->kind == SYMBOL_MODULE;
}

/* What a function that is not of this file writes to: x.sort(), np.copyto(x, y), np.add.at(x, ...);
** NULL: nothing that is known. */
static const AstExpr *written_by(Resolver *r, const AstExpr *call)
{
    static const char *const methods[] = { "fill",      "sort",    "resize",    "put",
                                           "partition", "itemset", "byteswap",  "setfield",
                                           "append",    "extend",  "insert",    "remove",
                                           "pop",       "popitem", "clear",     "reverse",
                                           "update",    "discard", "setdefault" };
    static const char *const others[] = { "setattr", "delattr", "shuffle" };
    static const char *const functions[] = { "copyto",  "put", "place",         "putmask",
                                             "shuffle", "at",  "fill_diagonal", "put_along_axis" };
    const AstExpr *callee = call->call.function;
    const char *name = callee->kind == AST_NAME        ? callee->name.name
                       : callee->kind == AST_ATTRIBUTE ? callee->attribute.name
                                                       : "";
    if (is_among(name, others, ARRAY_COUNT(others)))
        return call->call.args.count ? call->call.args.items[0] : NULL;
    if (callee->kind != AST_ATTRIBUTE)
        return NULL;
    if (is_object(r, callee->attribute.object))
        return callee->attribute.object;
    if (is_among(callee->attribute.name, functions, ARRAY_COUNT(functions)) &&
        resolve_path(r, callee))
        return call->call.args.count ? call->call.args.items[0] : NULL;
    return is_among(callee->attribute.name, methods, ARRAY_COUNT(methods))
               ? callee->attribute.object
               : NULL;
}

static void change_in_call(const Frame *frame, const AstExpr *call)
{
    const AstExpr *callee = call->call.function;
    if (callee->kind == AST_INDEX) /* kernel[grid, block](x, y) */
        callee = callee->index.object;
    const Symbol *symbol =
        callee->kind == AST_NAME ? module_symbol(frame->r->module, callee->name.name) : NULL;
    if (symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->ast &&
        symbol->module == frame->r->module && frame->depth < DEPTH_MAX &&
        ++*frame->calls <= CALLS_MAX) {
        Frame inner = { frame->r,    symbol->function->ast, call,        frame, frame->span,
                        by_function, frame->depth + 1,      frame->calls };
        change_in_body(&inner, &inner.function->body);
        return;
    }
    const AstExpr *written = written_by(frame->r, call);
    const AstExpr *seen = written ? seen_through(frame->r, written) : NULL;
    if (seen)
        change_named(frame, seen->name.name, frame->reason);
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (keyword->name && strcmp(keyword->name, "out") == 0 && keyword->value->kind == AST_NAME)
            change_named(frame, keyword->value->name.name, frame->reason);
    }
}

void change_by_calls(Resolver *r, const AstStmt *stmt)
{
    int calls = 0;
    Frame frame = { .r = r, .span = stmt->span, .reason = in_place, .calls = &calls };
    if (!r->in_main && stmt->kind != AST_DEF && stmt->kind != AST_CLASS)
        ast_each_value(stmt, change_in_value, &frame);
}

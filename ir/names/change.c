/* What statements of a module change in place: an element, an attribute, an array that is given to
** a function that writes to it, a global of a function that is called. kjit runs no statements, so
** the name stands for nothing that kernels can use from there on, nor does any that looks at the
** same memory: `B = A`, `B = A[1:]`, `B = A.T`, `B = [A]`.
** change_call.c looks into what is called. */
#include "ir/names/change.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

const char change_in_place[] = "is changed in place, by a statement that kjit cannot run: write "
                               "its value at once";

const AstExpr *change_root_of(const AstExpr *expr)
{
    while (expr->kind == AST_INDEX || expr->kind == AST_ATTRIBUTE || expr->kind == AST_CALL) {
        const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
        if (callee && callee->kind == AST_NAME && expr->call.args.count)
            callee = expr->call.args.items[0];
        expr = callee                    ? callee
               : expr->kind == AST_INDEX ? expr->index.object
                                         : expr->attribute.object;
    }
    return expr->kind == AST_NAME ? expr : NULL;
}

const AstExpr *change_seen_through(Resolver *r, const AstExpr *expr)
{
    static const char *const views[] = { "reshape", "ravel",    "view",    "transpose",
                                         "squeeze", "swapaxes", "asarray", "ascontiguousarray" };

    while (expr && expr->kind != AST_NAME) {
        const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
        bool looks = callee && callee->kind == AST_ATTRIBUTE &&
                     text_is_among(callee->attribute.name, views, ARRAY_COUNT(views));
        if (looks && resolve_path(r, callee))
            expr = expr->call.args.count ? expr->call.args.items[0] : NULL;
        else if (looks)
            expr = callee->attribute.object;
        else
            expr = expr->kind == AST_INDEX       ? expr->index.object
                   : expr->kind == AST_ATTRIBUTE ? expr->attribute.object
                   : expr->kind == AST_WALRUS    ? expr->walrus.value
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
    const AstExpr *seen = change_seen_through(r, symbol->constant.value);
    const Symbol *original = seen ? table_get(&r->module->symbols, seen->name.name) : NULL;
    return original && original->order < symbol->order ? seen->name.name : NULL;
}

static bool is_display(const AstExpr *value)
{
    return value->kind == AST_LIST || value->kind == AST_TUPLE || value->kind == AST_DICT;
}

bool change_holds_others(Resolver *r, const AstExpr *value)
{
    static const char *const builtins[] = { "list", "tuple",    "dict", "zip",   "enumerate",
                                            "iter", "reversed", "next", "sorted" };
    static const char *const methods[] = { "get", "values", "items", "pop", "setdefault" };
    const AstExpr *callee = value->kind == AST_CALL ? value->call.function : NULL;
    const Symbol *class = callee ? module_path_symbol(r->module, callee) : NULL;

    if (callee && callee->kind == AST_ATTRIBUTE &&
        text_is_among(callee->attribute.name, methods, ARRAY_COUNT(methods)))
        return true;
    if (callee && callee->kind == AST_NAME &&
        text_is_among(callee->name.name, builtins, ARRAY_COUNT(builtins)))
        return true;
    if (value->kind == AST_BINARY)
        return is_display(value->binary.left) || is_display(value->binary.right);
    return is_display(value) || value->kind == AST_COMPREHENSION || value->kind == AST_STARRED ||
           value->kind == AST_IF_EXPR || value->kind == AST_BOOLEAN ||
           (class && (class->kind == SYMBOL_MODULE || class->kind == SYMBOL_FUNCTION));
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

static bool is_changeable(Resolver *r, Symbol *symbol);

static void change_inside(void *context, const AstExpr *expr);

typedef struct Inside {
    Resolver *r;
    Span span;
    const char *reason;
    const char *name; /* of what holds them */
    int depth;        /* of functions that return what others return */
} Inside;

/* Changes what a function returns: `def get(): return A`, then `get()[0] = 1`. */
static void change_returned(const Inside *inside, const AstBody *body)
{
    Inside deeper = *inside;
    if (++deeper.depth > DEPTH_MAX)
        return;
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        const AstBody *inner;
        if (stmt->kind == AST_RETURN && stmt->return_.value)
            change_inside(&deeper, stmt->return_.value);
        for (int k = 0; (inner = ast_body(stmt, k)); k++)
            change_returned(&deeper, inner);
    }
}

/* Changes what an expression looks at, or what it is made of: `T = (A, B)`, `for q in (A, B)`. */
static void change_inside(void *context, const AstExpr *expr)
{
    const Inside *inside = context;
    const AstExpr *seen = change_seen_through(inside->r, expr);
    const char *name = seen ? seen->name.name : NULL;
    const Symbol *called =
        expr->kind == AST_CALL ? module_path_symbol(inside->r->module, expr->call.function) : NULL;
    if (called && called->kind == SYMBOL_FUNCTION && called->function->ast)
        change_returned(inside, &called->function->ast->body);
    if (!name && change_holds_others(inside->r, expr))
        ast_each_child(expr, change_inside, context);
    else if (name && strcmp(name, inside->name) != 0 &&
             is_changeable(inside->r, table_get(&inside->r->module->symbols, name)))
        change_name(inside->r, name, inside->span, inside->reason);
}

/* Makes unknown what shares the memory of a name; whether there is such a thing. */
static bool change_others(Resolver *r, const char *name, Span span, const char *reason)
{
    const char *original = original_of(r, table_get(&r->module->symbols, name));
    int count = r->module->count;
    bool some = false;
    for (int i = 0; i < count; i++) {
        const Symbol *other = r->module->list[i];
        const char *of = has_value(other) ? original_of(r, other) : NULL;
        bool inside = has_value(other) && other->kind == SYMBOL_CONSTANT &&
                      holds(r, other->constant.value, name);
        if (((of && strcmp(of, name) == 0) || inside) &&
            table_get(&r->module->symbols, other->name) == other) {
            scope_define_unknown(r, other->name, span, reason);
            some = true;
        }
    }
    if (original)
        change_name(r, original, span, reason);
    return some || original;
}

/* Changes what the values of a name are made of, one for each branch that binds it. */
static void change_values(const Inside *inside, const Symbol *symbol)
{
    const AstExpr *value = !symbol                           ? NULL
                           : symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value
                           : symbol->kind == SYMBOL_UNKNOWN  ? symbol->unknown.from
                                                             : NULL;
    if (symbol && symbol->kind == SYMBOL_CHOICE) {
        change_values(inside, symbol->choice.then);
        change_values(inside, symbol->choice.otherwise);
    }
    if (symbol && symbol->kind == SYMBOL_FUNCTION && symbol->function->ast)
        change_returned(inside, &symbol->function->ast->body);
    if (value)
        change_inside((void *)inside, value);
}

Resolver change_in_file(const Resolver *r, Module *module)
{
    Resolver inside = *r;
    inside.module = module;
    if (scope_file(module) != scope_file(r->module))
        inside.running = NULL; /* no statement of that file */
    return inside;
}

/* Changes what a name stands for that comes from another file; false if it does not. */
static bool change_imported(const Resolver *r, const Symbol *symbol, Span span, const char *reason)
{
    if (!symbol || symbol->kind != SYMBOL_IMPORT)
        return false;
    const Symbol *meant = module_symbol(r->module, symbol->name);
    Resolver inside = change_in_file(r, meant->module);
    if (meant->kind != SYMBOL_IMPORT && !meant->module->standard)
        change_name(&inside, meant->name, span, reason);
    return true;
}

void change_name(Resolver *r, const char *name, Span span, const char *reason)
{
    Resolver at = *r;
    while (!table_get(&at.module->symbols, name) && at.module->outer)
        at.module = at.module->outer;
    const Symbol *symbol = table_get(&at.module->symbols, name);
    if (change_imported(&at, symbol, span, reason))
        return;
    Resolver others = at; /* which running the statement for this name does not tell of */
    others.running = NULL;
    const Inside inside = { &others, span, reason, name, 0 };
    bool class = symbol && symbol->kind == SYMBOL_MODULE && module_is_class(symbol->of);
    bool known = has_value(symbol) || class;
    bool run = symbol && symbol->kind == SYMBOL_UNKNOWN && symbol->unknown.by;
    if (known || run || (symbol && symbol->kind == SYMBOL_UNKNOWN && symbol->unknown.from)) {
        bool shared = change_others(&others, name, span, reason);
        if (shared || at.module != r->module)
            scope_define_unknown(&at, name, span, reason);
        else if (!run || symbol->unknown.by != r->running)
            scope_define_run(&at, name, span, reason);
    }
    change_values(&inside, symbol);
}

static bool is_array_within(Resolver *r, Symbol *symbol, int depth);

/* Whether a value, which reads what is bound before `order`, is an array that NumPy has made, what
** its operators and methods make of one, or a list. What is made in too many steps may be. */
static bool makes_array(Resolver *r, const AstExpr *value, int order, int depth)
{
    enum { DEEPEST = 1000 };
    Symbol *symbol = value->kind == AST_NAME
                         ? symbol_before(table_get(&r->module->symbols, value->name.name), order)
                         : NULL;
    const AstExpr *callee = value->kind == AST_CALL ? value->call.function : NULL;
    const char *path = callee ? resolve_path(r, callee) : NULL;
    if (path)
        return strncmp(path, "np.", 3) == 0 &&
               builtin_find(r->arena, path, value->span).kind != OPD_TYPE;
    if (depth > DEEPEST)
        return true;
    if (callee && callee->kind == AST_ATTRIBUTE)
        return makes_array(r, callee->attribute.object, order, depth + 1);
    if (value->kind == AST_BINARY)
        return makes_array(r, value->binary.left, order, depth + 1) ||
               makes_array(r, value->binary.right, order, depth + 1);
    if (value->kind == AST_UNARY)
        return makes_array(r, value->unary.operand, order, depth + 1);
    return value->kind == AST_LIST || value->kind == AST_COMPREHENSION ||
           (symbol && is_array_within(r, symbol, depth + 1));
}

static bool is_array_within(Resolver *r, Symbol *symbol, int depth)
{
    for (const char *name; (name = original_of(r, symbol));)
        symbol = table_get(&r->module->symbols, name);
    if (symbol->kind != SYMBOL_CONSTANT || symbol->constant.value->kind == AST_NAME)
        return false;
    if (symbol->array == ARRAY_NOT_ASKED) /* once: names may be made of one another in many steps */
        symbol->array =
            makes_array(r, symbol->constant.value, symbol->order, depth) ? ARRAY_YES : ARRAY_NO;
    return symbol->array == ARRAY_YES;
}

/* Whether a name stands for an array, for a part of one, or for a list. */
static bool is_array(Resolver *r, Symbol *symbol)
{
    return is_array_within(r, symbol, 0);
}

/* Whether a name stands for an object of a class of a file's. */
static bool is_object(Resolver *r, const Symbol *symbol)
{
    for (const char *name; (name = original_of(r, symbol));)
        symbol = table_get(&r->module->symbols, name);
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    const Symbol *class = value && value->kind == AST_CALL
                              ? module_path_symbol(r->module, value->call.function)
                              : NULL;
    return class && class->kind == SYMBOL_MODULE;
}

bool change_is_object(Resolver *r, const AstExpr *expr)
{
    const Symbol *symbol =
        expr->kind == AST_NAME ? table_get(&r->module->symbols, expr->name.name) : NULL;
    if (symbol && symbol->kind == SYMBOL_IMPORT)
        symbol = module_symbol(r->module, symbol->name);
    if (!symbol)
        return false;
    Resolver inside = change_in_file(r, symbol->module);
    return is_object(&inside, symbol);
}

/* Whether a name stands for what can be changed in place. */
static bool is_changeable(Resolver *r, Symbol *symbol)
{
    bool class = symbol && symbol->kind == SYMBOL_MODULE && module_is_class(symbol->of);
    if (!has_value(symbol) || symbol->kind != SYMBOL_CONSTANT)
        return class || (symbol && symbol->kind == SYMBOL_CHOICE);
    for (const char *name; (name = original_of(r, symbol));)
        symbol = table_get(&r->module->symbols, name);
    const AstExpr *value = symbol->kind == SYMBOL_CONSTANT ? symbol->constant.value : NULL;
    return is_array(r, symbol) || is_object(r, symbol) ||
           (value && (value->kind == AST_DICT || value->kind == AST_TUPLE));
}

void change_augmented(Resolver *r, const AstExpr *target)
{
    Symbol *symbol =
        target->kind == AST_NAME ? table_get(&r->module->symbols, target->name.name) : NULL;
    if (has_value(symbol) && (is_array(r, symbol) || is_object(r, symbol)))
        change_others(r, target->name.name, target->span, change_in_place);
}

bool change_part(Resolver *r, const AstExpr *expr, Span span, const char *reason)
{
    while (expr->kind == AST_INDEX || expr->kind == AST_ATTRIBUTE || expr->kind == AST_CALL) {
        const AstExpr *object = expr->kind == AST_INDEX       ? expr->index.object
                                : expr->kind == AST_ATTRIBUTE ? expr->attribute.object
                                                              : expr->call.function;
        const Symbol *owner =
            expr->kind == AST_ATTRIBUTE ? module_path_symbol(r->module, object) : NULL;
        if (owner && owner->kind == SYMBOL_MODULE && !module_is_class(owner->of)) {
            Resolver inside = change_in_file(r, owner->of);
            if (!owner->of->standard)
                change_name(&inside, expr->attribute.name, span, reason);
            return true;
        }
        expr = object;
    }
    return false;
}

bool change_attribute(Resolver *r, const AstExpr *target, Span span, const char *reason)
{
    const Symbol *owner = target->kind == AST_ATTRIBUTE
                              ? module_path_symbol(r->module, target->attribute.object)
                              : NULL;
    Resolver inside = *r;
    if (!owner || owner->kind != SYMBOL_MODULE)
        return false;
    inside.module = owner->of;
    scope_define_unknown(&inside, target->attribute.name, span, reason);
    return true;
}

const char *change_global_name(const AstExpr *target)
{
    static const char *const tables[] = { "globals", "locals", "vars" };
    const AstExpr *call = target->kind == AST_INDEX ? target->index.object : NULL;
    bool table = call && call->kind == AST_CALL && call->call.function->kind == AST_NAME &&
                 !call->call.args.count &&
                 text_is_among(call->call.function->name.name, tables, ARRAY_COUNT(tables));
    return table && target->index.index->kind == AST_STRING ? target->index.index->string.text
                                                            : NULL;
}

void change_target(Resolver *r, const AstExpr *target)
{
    if (change_global_name(target))
        scope_define_unknown(r, change_global_name(target), target->span, change_in_place);
    const AstExpr *root = change_root_of(target);
    if (!change_attribute(r, target, target->span, change_in_place) &&
        !change_part(r, target, target->span, change_in_place) && root)
        change_name(r, root->name.name, target->span, change_in_place);
}

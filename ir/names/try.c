/* `try` at module level, and in classes and functions that hold kernels. Nothing is run, so what it
** leaves is known in two cases: an import in its body that kjit does not find raises, and the
** handler of that is run; or nothing in its body can raise. Else what the names are bound to in the
** end is not known, but for those that one way alone binds: on the others the program ends, or has
** no such name. What Python's own library has is taken to be there. */
#include "ir/names/scope.h"

static const char not_known[] =
    "is bound by a 'try' whose statements may raise, and kjit does not run "
    "them: give its value with -D";
static const char not_known_function[] =
    "is defined in a 'try' whose statements may raise, and kjit "
    "does not run them: define it outside";

/* ---- imports --------------------------------------------------------------------------------- */

/* Whether something that was bound from number `order` on is not there. */
static bool is_lost(const Module *module, int order)
{
    for (int i = 0; i < module->count; i++) {
        const Symbol *symbol = table_get(&module->symbols, module->list[i]->name);
        bool missing =
            symbol->kind == SYMBOL_UNKNOWN || symbol->complaints.count ||
            (symbol->kind == SYMBOL_IMPORT && module_symbol(module, symbol->name) == symbol);
        if (symbol->order >= order && missing)
            return true;
    }
    return false;
}

/* Whether a statement imports something that is not of Python's own library, which is always there
** though kernels cannot use it. */
static bool imports_more_than_python(const AstStmt *stmt)
{
    bool more = stmt->kind == AST_FROM_IMPORT &&
                (stmt->import.level || !resolve_is_of_python(stmt->import.module));
    for (int i = 0; stmt->kind == AST_IMPORT && i < stmt->import.count; i++)
        more |= !resolve_is_of_python(stmt->import.names[i].name);
    return more;
}

/* Whether a handler takes what an import raises that is not there. */
static bool handles_imports(const AstExpr *class_)
{
    static const char *const names[] = { "ImportError", "ModuleNotFoundError", "Exception",
                                         "BaseException" };
    bool some = !class_;
    for (size_t i = 0; class_ && i < ARRAY_COUNT(names); i++)
        some |= ast_ends_in(class_, names[i]);
    for (int i = 0; class_ && class_->kind == AST_TUPLE && i < class_->list.items.count; i++)
        some |= handles_imports(class_->list.items.items[i]);
    return some;
}

/* ---- what may raise -------------------------------------------------------------------------- */

/* What a statement may raise, the more the later. */
typedef enum Risk { RISK_NONE, RISK_NO_IMPORT_ERROR, RISK_ANY } Risk;

typedef struct Risks {
    Resolver *r;
    Risk most;
} Risks;

static void add_risk(Risks *risks, Risk risk)
{
    if (risk > risks->most)
        risks->most = risk;
}

static bool is_number(const AstExpr *expr)
{
    if (expr->kind == AST_UNARY)
        return expr->unary.op != AST_NOT && is_number(expr->unary.operand);
    if (expr->kind == AST_BINARY)
        return expr->binary.op <= AST_MUL && is_number(expr->binary.left) &&
               is_number(expr->binary.right);
    return expr->kind == AST_INT || expr->kind == AST_FLOAT;
}

/* Whether a name, or a path as np.float32, is bound. */
static bool is_bound(Resolver *r, const AstExpr *expr)
{
    if (expr->kind == AST_NAME && module_symbol(r->module, expr->name.name))
        return true;
    const char *path = resolve_path(r, expr);
    if (!path && expr->kind == AST_NAME)
        return builtin_find_bare(r->arena, expr->name.name, expr->span).kind != OPD_ERROR;
    return path && builtin_find(r->arena, path, expr->span).kind != OPD_ERROR;
}

static void meet_expr(void *context, const AstExpr *expr)
{
    Risks *risks = context;
    Risk own = RISK_NO_IMPORT_ERROR;
    switch (expr->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
    case AST_STRING:
    case AST_BYTES:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
    case AST_ELLIPSIS:
    case AST_LAMBDA:
        return;
    case AST_NAME:
    case AST_ATTRIBUTE:
        if (is_bound(risks->r, expr))
            return;
        break;
    case AST_UNARY:
    case AST_BINARY:
        if (is_number(expr))
            return;
        break;
    case AST_FSTRING:
    case AST_FIELD:
    case AST_TUPLE:
    case AST_LIST:
    case AST_DICT:
    case AST_WALRUS:
        own = RISK_NONE;
        break;
    case AST_CALL:
        own = ast_ends_in(expr->call.function, "print") ? RISK_NONE : RISK_ANY;
        break;
    case AST_YIELD:
    case AST_AWAIT:
        own = RISK_ANY;
        break;
    default:
        break;
    }
    add_risk(risks, own);
    ast_each_child(expr, meet_expr, context);
}

/* Names are bound without an exception; elements, attributes and parts of a value are not. */
static void meet_target(void *context, const AstExpr *target)
{
    Risks *risks = context;
    if (target->kind != AST_NAME)
        add_risk(risks, RISK_NO_IMPORT_ERROR);
}

static void meet_stmt(Risks *risks, const AstStmt *stmt)
{
    const AstBody *inner;
    switch (stmt->kind) {
    case AST_DEF:
    case AST_CLASS:
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        return;
    case AST_RAISE:
    case AST_WITH:
        add_risk(risks, RISK_ANY);
        break;
    case AST_AUG_ASSIGN:
    case AST_ASSERT:
    case AST_DEL:
    case AST_MATCH:
        add_risk(risks, RISK_NO_IMPORT_ERROR);
        break;
    default:
        break;
    }
    ast_each_value(stmt, meet_expr, risks);
    ast_each_target(stmt, meet_target, risks);
    for (int k = 0; (inner = ast_body(stmt, k)); k++)
        for (int i = 0; i < inner->count; i++)
            meet_stmt(risks, inner->items[i]);
}

/* Whether a handler takes some of what may be raised. */
static bool handles(const AstExpr *class_, Risk risk)
{
    bool some = !class_;
    if (class_ && class_->kind == AST_TUPLE)
        for (int i = 0; i < class_->list.items.count; i++)
            some |= handles(class_->list.items.items[i], risk);
    else if (class_)
        some = !ast_ends_in(class_, "ImportError") && !ast_ends_in(class_, "ModuleNotFoundError");
    return risk == RISK_ANY || (risk == RISK_NO_IMPORT_ERROR && some);
}

/* Whether the program ends with a body. */
static bool ends_program(const AstBody *body)
{
    static const char *const names[] = { "exit", "_exit", "quit", "abort" };
    const AstStmt *last = body->count ? body->items[body->count - 1] : NULL;
    const AstExpr *call = last && last->kind == AST_EXPR_STMT ? last->expr.value : NULL;
    bool ends = last && last->kind == AST_RAISE;
    for (size_t i = 0; call && call->kind == AST_CALL && i < ARRAY_COUNT(names); i++)
        ends |= ast_ends_in(call->call.function, names[i]);
    return ends;
}

/* ---- ways through a try ---------------------------------------------------------------------- */

static bool is_value(const Symbol *symbol)
{
    return symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_CHOICE ||
           symbol->kind == SYMBOL_FUNCTION || symbol->kind == SYMBOL_UNKNOWN;
}

/* The last symbol of each name that was bound from number `begin` on. */
static Symbol **bound_since(Resolver *r, int begin, int *count)
{
    Symbol **bound = arena_array(r->arena, Symbol *, r->module->count + 1);
    *count = 0;
    for (int i = 0; i < r->module->count; i++) {
        Symbol *symbol = r->module->list[i];
        if (symbol->order >= begin && is_value(symbol) &&
            table_get(&r->module->symbols, symbol->name) == symbol)
            bound[(*count)++] = symbol;
    }
    return bound;
}

static Symbol *forget(Resolver *r, const Symbol *symbol)
{
    return scope_define_unknown(r, symbol->name, symbol->span,
                                symbol->kind == SYMBOL_FUNCTION ? not_known_function : not_known);
}

/* A handler that may run or not. Where it binds a name that another way binds too, that is lost. */
static void resolve_handler(Resolver *r, const AstBody *body)
{
    int first = r->module->order, count;
    resolve_body(r, body);
    Symbol **bound = bound_since(r, first, &count);
    for (int i = 0; i < count; i++)
        if (symbol_before(bound[i], first))
            forget(r, bound[i]);
}

/* Handlers find nothing known of what the body has bound from number `begin` on. Behind them that
** is known again, unless it was bound before: then the body may have ended without it. */
static void resolve_handlers(Resolver *r, const AstTry *stmt, Risk risk, int begin)
{
    int count;
    Symbol **body = bound_since(r, begin, &count);
    Symbol **hidden = arena_array(r->arena, Symbol *, count + 1);
    for (int i = 0; i < count; i++)
        hidden[i] = body[i]->kind == SYMBOL_FUNCTION ? body[i] : forget(r, body[i]);
    bool some = false;
    for (int i = 0; i < stmt->handlers.count; i++) {
        const AstHandler *handler = &stmt->handlers.items[i];
        if (!handles(handler->class_, risk) || ends_program(&handler->body))
            continue;
        resolve_handler(r, &handler->body);
        some = true;
    }
    for (int i = 0; i < count; i++) {
        if (table_get(&r->module->symbols, body[i]->name) != hidden[i])
            continue;
        if (!some || !symbol_before(body[i], begin))
            table_put(&r->module->symbols, body[i]->name, body[i]);
        else if (hidden[i] == body[i])
            forget(r, body[i]);
    }
}

/* The body as far as an import that is not there; whether there is one. From number `*begin` on a
** statement may have raised what `*risk` says. */
static bool resolve_until_lost(Resolver *r, const AstBody *body, Risk *risk, int *begin)
{
    Risks risks = { r, RISK_NONE };
    bool lost = false;
    for (int i = 0; i < body->count && !lost; i++) {
        const AstStmt *stmt = body->items[i];
        int order = r->module->order;
        if (!risks.most)
            *begin = order;
        meet_stmt(&risks, stmt);
        resolve_statement(r, stmt);
        lost = imports_more_than_python(stmt) && is_lost(r->module, order);
    }
    *risk = risks.most;
    return lost;
}

void resolve_try(Resolver *r, const AstTry *stmt)
{
    Risk risk;
    int begin = r->module->order;
    bool lost = resolve_until_lost(r, &stmt->body, &risk, &begin);
    if (!lost)
        resolve_body(r, &stmt->otherwise);
    if (!lost && risk)
        resolve_handlers(r, stmt, risk, begin);
    for (int i = 0; i < stmt->handlers.count && lost; i++)
        if (handles_imports(stmt->handlers.items[i].class_)) {
            resolve_body(r, &stmt->handlers.items[i].body);
            break;
        }
    resolve_body(r, &stmt->finally);
}

bool with_suppresses(const AstWith *stmt)
{
    for (int i = 0; i < stmt->count; i++) {
        const AstExpr *value = stmt->items[i].value;
        if (value->kind == AST_CALL && ast_ends_in(value->call.function, "suppress"))
            return true;
    }
    return false;
}

void resolve_with_body(Resolver *r, const AstWith *stmt)
{
    AstHandler nothing = { 0 };
    AstTry tried = { .body = stmt->body, .handlers = { &nothing, 1, 1 } };
    if (with_suppresses(stmt))
        resolve_try(r, &tried);
    else
        resolve_branch(r, &stmt->body);
}

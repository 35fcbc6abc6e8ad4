/* Branches, and what follows them: what `if` binds is a choice by its condition, which is evaluated
** where the name is read (lower/decide.c).
**
**     if c: return a          what is returned is a choice by c, of a and of what the rest of the
**     ...                     body returns: branches that may return go on with it, each by itself
**     return b */
#include "ir/names/scope.h"

/* ---- what follows ---------------------------------------------------------------------------- */

static bool may_return(const AstStmt *stmt)
{
    const AstBody *inner;
    for (int k = 0; stmt->kind != AST_DEF && stmt->kind != AST_CLASS && (inner = ast_body(stmt, k));
         k++)
        for (int i = 0; i < inner->count; i++)
            if (may_return(inner->items[i]))
                return true;
    return stmt->kind == AST_RETURN;
}

/* A statement that may return where only running it tells: what is returned in the end is not
** known. */
static void lose_return(Resolver *r, const AstStmt *stmt)
{
    Symbol *symbol = scope_define_unknown(r, RETURNED, stmt->span, "is what a function returns");
    symbol->result = symbol;
}

/* Whether what follows a statement is read as a part of it. */
static bool goes_on(const AstStmt *stmt)
{
    return stmt->kind == AST_IF || (stmt->kind == AST_WITH && !with_suppresses(&stmt->with));
}

/* Branches that may return go on, each by itself, with what follows them. */
static void resolve_rest(Resolver *r, const Rest *rest)
{
    const Rest *outer = r->rest;
    for (; rest; rest = rest->outer)
        for (int i = rest->from; i < rest->body->count; i++) {
            const AstStmt *stmt = rest->body->items[i];
            const Rest behind = { rest->body, i + 1, rest->outer };
            bool returns = r->module->outer && !r->module->is_class && may_return(stmt);
            bool branches = returns && goes_on(stmt);
            r->rest = branches ? &behind : NULL;
            resolve_statement(r, stmt);
            r->rest = outer;
            if (branches || stmt->kind == AST_RETURN || stmt->kind == AST_RAISE)
                return;
            if (returns) {
                resolve_rest(r, &behind);
                lose_return(r, stmt);
                return;
            }
        }
}

void resolve_body(Resolver *r, const AstBody *body)
{
    resolve_rest(r, &(Rest){ body, 0, NULL });
}

/* A part of the statement at hand, and what follows that if it may return. */
void resolve_branch(Resolver *r, const AstBody *body)
{
    resolve_rest(r, &(Rest){ body, 0, r->rest });
}

/* What a name is bound to in front of number `order`. Of an if around it, whose else or elif is
** being read, the first branch has not run. */
static Symbol *bound_before(const Resolver *r, Symbol *last, int order)
{
    Symbol *symbol = symbol_before(last, order);
    for (const BranchNotRun *other = r->other; symbol && other; other = other->outer)
        if (other->module == symbol->module && symbol->order >= other->begin &&
            symbol->order < other->end)
            symbol = symbol_before(symbol, other->begin);
    return symbol;
}

Symbol *scope_bound(const Resolver *r, const char *name)
{
    Symbol *symbol = bound_before(r, table_get(&r->module->symbols, name), r->module->order);
    int order = r->module->at;
    for (const Module *at = r->module->outer; at && !symbol; order = at->at, at = at->outer)
        if (!at->is_class)
            symbol = order < 0 ? table_get(&at->symbols, name)
                               : bound_before(r, table_get(&at->symbols, name), order);
    return symbol;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* What `__name__ == "__main__"`, its contrary and TYPE_CHECKING are: 1, 0, or -1 for other
** conditions. */
static int known_by_name(const Resolver *r, const AstExpr *expr)
{
    const AstExpr *name = expr->kind == AST_COMPARE ? expr->compare.first : expr;
    if (name == expr)
        return ast_ends_in(name, "TYPE_CHECKING") ? 0 : -1;
    if (expr->compare.count != 1 || name->kind != AST_NAME || !ast_ends_in(name, "__name__"))
        return -1;
    const AstExpr *other = expr->compare.rest[0];
    AstOp op = expr->compare.ops[0];
    bool main = other->kind == AST_STRING && strcmp(other->string.text, "__main__") == 0;
    bool known = main || (r->is_main && other->kind == AST_STRING);
    return known && (op == AST_EQ || op == AST_NE) ? (main && r->is_main) == (op == AST_EQ) : -1;
}

/* The same of any condition that is known as it stands: there is a GPU, as lower/value/facts.c
** says. */
static int known_condition(Resolver *r, const AstExpr *expr)
{
    int operand = -1;
    if (expr->kind == AST_UNARY && expr->unary.op == AST_NOT)
        operand = known_condition(r, expr->unary.operand);
    if (operand >= 0)
        return !operand;
    const char *path = expr->kind == AST_CALL ? resolve_path(r, expr->call.function) : NULL;
    return path && strcmp(path, "cuda.is_available") == 0 ? 1 : known_by_name(r, expr);
}

/* What a branch, the symbols from number `from` on before `to`, leaves of a name; NULL: nothing. */
static Symbol *left_by(Symbol *last, int from, int to)
{
    Symbol *symbol = symbol_before(last, to);
    return symbol && symbol->order >= from ? symbol : NULL;
}

/* Binds a name that one or both branches, of these orders, have bound to a choice between what they
** leave. */
static Symbol *choice_new(Resolver *r, const AstExpr *condition, Symbol *last, int begin,
                          int middle, int end)
{
    Symbol *then = left_by(last, begin, middle), *otherwise = left_by(last, middle, end);
    Symbol *before = bound_before(r, last, begin), *symbol = arena_new(r->arena, Symbol);
    *symbol = (Symbol){ .kind = SYMBOL_CHOICE,
                        .name = last->name,
                        .module = r->module,
                        .span = then ? then->span : otherwise->span,
                        .previous = symbol_before(last, begin),
                        .order = r->module->order++ };
    symbol->choice.condition = condition;
    symbol->choice.then = then ? then : before;
    symbol->choice.otherwise = otherwise ? otherwise : before;
    symbol->choice.last = last;
    symbol->choice.begin = begin;
    symbol->choice.middle = middle;
    symbol->choice.end = end;
    table_put(&r->module->symbols, symbol->name, symbol);
    return symbol;
}

/* Whether a body ends by leaving the function it is of. */
static bool leaves(const AstBody *body)
{
    const AstStmt *last = body->count ? body->items[body->count - 1] : NULL;
    if (last && last->kind == AST_IF)
        return leaves(&last->if_.then) && leaves(&last->if_.otherwise);
    return last && (last->kind == AST_RETURN || last->kind == AST_RAISE ||
                    (last->kind == AST_WITH && leaves(&last->with.body)));
}

/* Whether a name is bound in one branch alone and the other one leaves: whoever reads it has come
** by the one. */
static bool binds_alone(const Resolver *r, const AstStmt *stmt, Symbol *last, int begin, int middle)
{
    bool then = left_by(last, begin, middle), otherwise = left_by(last, middle, r->module->order);
    return r->rest && !bound_before(r, last, begin) && strcmp(last->name, RETURNED) != 0 &&
           ((!then && leaves(&stmt->if_.then)) || (!otherwise && leaves(&stmt->if_.otherwise)));
}

void resolve_if(Resolver *r, const AstStmt *stmt)
{
    Module *module = r->module;
    int known = known_condition(r, stmt->if_.condition), first = module->count, kept = first;
    int begin = module->order;
    if (known >= 0) {
        bool in_main = r->in_main;
        r->in_main |= known_by_name(r, stmt->if_.condition) >= 0;
        resolve_branch(r, known ? &stmt->if_.then : &stmt->if_.otherwise);
        r->in_main = in_main;
        return;
    }
    resolve_branch(r, &stmt->if_.then);
    int middle = module->order;
    BranchNotRun other = { module, begin, middle, r->other };
    r->other = &other;
    resolve_branch(r, &stmt->if_.otherwise);
    r->other = other.outer;
    int end = module->order;
    for (int i = first; i < module->count; i++) {
        Symbol *last = table_get(&module->symbols, module->list[i]->name);
        if (last == module->list[i])
            module->list[kept++] =
                binds_alone(r, stmt, last, begin, middle)
                    ? last
                    : choice_new(r, stmt->if_.condition, last, begin, middle, end);
    }
    module->count = kept; /* the choices stand for what is in the branches */
}

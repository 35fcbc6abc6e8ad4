/* `match` on literals, as the tree of what it means:
**
**     match x:                      if True:
**         case 1 | 2: ...               _subject = x
**         case n if n > 9: ...          if _subject == 1 or _subject == 2: ...
**         case other: ...               elif (True, n := _subject)[0] and n > 9: ...
**                                       elif True: other = _subject; ...
**
** One with a case that has no value to compare with, a sequence or a class, stays an AST_MATCH. */
#include "parser/build.h"
#include "parser/grammar.h"

static const char subject_name[] = "_subject";

AstCases ast_case(Parse *ps, Token word, AstExpr *pattern, AstExpr *guard, AstBody body)
{
    AstCase item = { pattern, guard, body, { ps->source, word.begin, pattern->span.end } };

    return ast_cases(ps, (AstCases){ 0 }, item);
}

AstExpr *ast_pattern_string(Parse *ps, AstExpr *string)
{
    if (string->kind == AST_FSTRING)
        diag_error(ps->diags, string->span, "a pattern is no f-string: its text must be known");
    return string;
}

/* `pattern as name` is kept as `name := pattern`. */
AstExpr *ast_pattern_as(Parse *ps, AstExpr *pattern, Token name)
{
    AstExpr *both = ast_walrus(ps, name, pattern);

    both->span = (Span){ ps->source, pattern->span.begin, name.end };
    return both;
}

AstCases ast_cases(Parse *ps, AstCases list, AstCase item)
{
    array_push(ps->arena, list.items, list.count, list.capacity) = item;
    return list;
}

/* ---- trees ---------------------------------------------------------------------------- */

static AstExpr *subject_at(Parse *ps, Span span)
{
    AstExpr *expr = ast_expr(ps, AST_NAME, span);

    expr->name.name = subject_name;
    return expr;
}

static AstExpr *same(Parse *ps, AstOp op, AstExpr *pattern)
{
    return ast_compare(ps, subject_at(ps, pattern->span), op, pattern);
}

static AstExpr *joined(Parse *ps, int kind, AstExpr *left, AstExpr *right)
{
    Token op = { kind, left->span.end, right->span.begin };

    return ast_boolean(ps, op, left, right);
}

/* Binds the name, and is true: (True, name := _subject)[0]. */
static AstExpr *capture(Parse *ps, const AstExpr *name)
{
    Token word = { TK_NAME, name->span.begin, name->span.end };
    AstExpr *yes = ast_expr(ps, AST_TRUE, name->span), *first = ast_expr(ps, AST_INT, name->span);
    AstExprs items = ast_exprs(ps, (AstExprs){ 0 }, yes);

    items = ast_exprs(ps, items, ast_walrus(ps, word, subject_at(ps, name->span)));
    return ast_index(ps, ast_group(ps, items, true), first, word);
}

/* ---- patterns --------------------------------------------------------------------------- */

static bool is_wildcard(const AstExpr *pattern)
{
    return pattern->kind == AST_NAME && strcmp(pattern->name.name, "_") == 0;
}

static bool is_number(const AstExpr *pattern)
{
    switch (pattern->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
        return true;
    case AST_UNARY:
        return pattern->unary.op == AST_NEG && is_number(pattern->unary.operand);
    case AST_BINARY: /* 1 + 2j */
        return (pattern->binary.op == AST_ADD || pattern->binary.op == AST_SUB) &&
               is_number(pattern->binary.left) && pattern->binary.right->kind == AST_IMAG;
    default:
        return false;
    }
}

/* Whether a pattern has a value to compare with, or takes everything. */
static bool is_plain(const AstExpr *pattern)
{
    switch (pattern->kind) {
    case AST_NAME:
    case AST_NONE:
    case AST_TRUE:
    case AST_FALSE:
    case AST_STRING:
    case AST_ATTRIBUTE:
        return true;
    case AST_WALRUS:
        return is_plain(pattern->walrus.value);
    case AST_BINARY:
        if (pattern->binary.op == AST_BITOR)
            return is_plain(pattern->binary.left) && is_plain(pattern->binary.right);
        break;
    default:
        break;
    }
    return is_number(pattern);
}

/* The condition under which a plain pattern fits; NULL if that is always. */
static AstExpr *condition_of(Parse *ps, AstExpr *pattern)
{
    if (is_wildcard(pattern))
        return NULL;
    switch (pattern->kind) {
    case AST_NAME:
        return capture(ps, pattern);
    case AST_NONE:
    case AST_TRUE:
    case AST_FALSE:
        return same(ps, pattern->kind == AST_NONE ? AST_IS : AST_EQ, pattern);
    case AST_STRING:
    case AST_ATTRIBUTE:
        return same(ps, AST_EQ, pattern);
    case AST_WALRUS: { /* pattern as name */
        AstExpr *fits = condition_of(ps, pattern->walrus.value);
        AstExpr *bound = capture(ps, ast_expr(ps, AST_NAME, pattern->walrus.name_span));
        return fits ? joined(ps, TK_AND, fits, bound) : bound;
    }
    case AST_BINARY:
        if (pattern->binary.op == AST_BITOR) {
            AstExpr *left = condition_of(ps, pattern->binary.left);
            AstExpr *right = condition_of(ps, pattern->binary.right);
            return left && right ? joined(ps, TK_OR, left, right) : NULL;
        }
        break;
    default:
        break;
    }
    return same(ps, AST_EQ, pattern);
}

/* Whether a case takes whatever comes to it. */
static bool takes_all(const AstCase *item)
{
    return !item->guard && item->pattern->kind == AST_NAME;
}

static AstStmt *branch(Parse *ps, const AstCase *item)
{
    bool plain = takes_all(item);
    AstExpr *condition = plain ? NULL : condition_of(ps, item->pattern);
    AstBody body = item->body;
    Token word = { TK_IF, item->span.begin, item->span.begin };

    if (!condition)
        condition = item->guard ? item->guard : ast_expr(ps, AST_TRUE, item->span);
    else if (item->guard)
        condition = joined(ps, TK_AND, condition, item->guard);
    if (plain && !is_wildcard(item->pattern)) {
        AstExpr *held = subject_at(ps, item->pattern->span);
        body = ast_extend(ps, ast_single(ps, ast_assign(ps, item->pattern, held)), body);
    }
    return ast_if(ps, word, condition, body);
}

/* Complains of a case behind one that takes everything; whether all patterns are plain. */
static bool check_cases(Parse *ps, const AstCases *cases)
{
    bool plain = true;

    for (int i = 0; i < cases->count; i++) {
        plain &= is_plain(cases->items[i].pattern);
        if (takes_all(&cases->items[i]) && i + 1 < cases->count)
            diag_error(ps->diags, cases->items[i].pattern->span,
                       "this case takes everything: those behind it are never reached");
    }
    return plain;
}

static AstStmt *plain_match(Parse *ps, Token word, AstExpr *subject, const AstCases *cases)
{
    AstExpr *yes = ast_expr(ps, AST_TRUE, subject->span);
    AstBody elifs = { 0 }, body;

    for (int i = 0; i < cases->count; i++)
        elifs = ast_extend(ps, elifs, ast_single(ps, branch(ps, &cases->items[i])));
    AstStmt *first = elifs.items[0];
    elifs.items++;
    elifs.count--;
    elifs.capacity = elifs.count;
    body = ast_single(ps, ast_assign(ps, subject_at(ps, subject->span), subject));
    body = ast_extend(ps, body, ast_single(ps, ast_if_chain(ps, first, elifs, (AstBody){ 0 })));
    return ast_if(ps, word, yes, body);
}

AstStmt *ast_match(Parse *ps, Token word, AstExpr *subject, AstCases cases)
{
    if (check_cases(ps, &cases))
        return plain_match(ps, word, subject, &cases);
    AstStmt *stmt = ast_stmt(ps, AST_MATCH, span_join(parse_span(ps, word), subject->span));
    stmt->match.subject = subject;
    for (int i = 0; i < cases.count; i++)
        ast_hang_body(ps, stmt, cases.items[i].body);
    stmt->match.cases = cases;
    return stmt;
}

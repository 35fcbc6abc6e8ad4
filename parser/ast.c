/* Constructors of expressions.
**
** Each holds the depth of the tree below it, and one that would be too deep stops the parse:
** so may every later walk recurse. */
#include "parser/build.h"
#include "parser/grammar.h"

const char *ast_op_spelling(AstOp op)
{
    static const char *const spellings[AST_OP_COUNT] = {
        [AST_ADD] = "+",         [AST_SUB] = "-",       [AST_MUL] = "*",         [AST_MATMUL] = "@",
        [AST_DIV] = "/",         [AST_FLOORDIV] = "//", [AST_MOD] = "%",         [AST_POW] = "**",
        [AST_LSHIFT] = "<<",     [AST_RSHIFT] = ">>",   [AST_BITAND] = "&",      [AST_BITOR] = "|",
        [AST_BITXOR] = "^",      [AST_NEG] = "-",       [AST_POS] = "+",         [AST_INVERT] = "~",
        [AST_NOT] = "not",       [AST_AND] = "and",     [AST_OR] = "or",         [AST_EQ] = "==",
        [AST_NE] = "!=",         [AST_LT] = "<",        [AST_LE] = "<=",         [AST_GT] = ">",
        [AST_GE] = ">=",         [AST_IS] = "is",       [AST_IS_NOT] = "is not", [AST_IN] = "in",
        [AST_NOT_IN] = "not in",
    };

    return spellings[op];
}

Span parse_span(const Parse *ps, Token token)
{
    return (Span){ ps->source, token.begin, token.end };
}

void parse_too_deep(Parse *ps, Span span, const char *what)
{
    if (!ps->stop)
        diag_error(ps->diags, span, "%s nested too deeply; split it up", what);
    ps->stop = true;
}

AstExpr *ast_new(Arena *arena, AstExprKind kind, Span span)
{
    AstExpr *expr = arena_new(arena, AstExpr);

    expr->kind = kind;
    expr->span = span;
    return expr;
}

AstExpr *ast_expr(Parse *ps, AstExprKind kind, Span span)
{
    return ast_new(ps->arena, kind, span);
}

AstExpr *ast_hang(Parse *ps, AstExpr *parent, AstExpr *child)
{
    if (!child || child->depth < parent->depth)
        return child;
    if (child->depth == AST_MAX_DEPTH)
        parse_too_deep(ps, parse_span(ps, ps->before), "this expression is");
    else
        parent->depth = (short)(child->depth + 1);
    return child;
}

const char *ast_text(Parse *ps, Token token)
{
    return name_normal(ps->arena, ps->source->text + token.begin, token.end - token.begin);
}

AstExpr *ast_leaf(Parse *ps, AstExprKind kind, Token token)
{
    return ast_expr(ps, kind, parse_span(ps, token));
}

AstExpr *ast_name(Parse *ps, Token token)
{
    AstExpr *expr = ast_leaf(ps, AST_NAME, token);

    expr->name.name = ast_text(ps, token);
    return expr;
}

/* ---- operators ------------------------------------------------------------------------ */

AstOp ast_binary_op(int kind)
{
    switch (kind) {
    case TK_PLUS:
    case TK_ADD_EQ:
        return AST_ADD;
    case TK_MINUS:
    case TK_SUB_EQ:
        return AST_SUB;
    case TK_STAR:
    case TK_MUL_EQ:
        return AST_MUL;
    case TK_AT:
    case TK_MATMUL_EQ:
        return AST_MATMUL;
    case TK_SLASH:
    case TK_DIV_EQ:
        return AST_DIV;
    case TK_DSLASH:
    case TK_FLOOR_EQ:
        return AST_FLOORDIV;
    case TK_PERCENT:
    case TK_MOD_EQ:
        return AST_MOD;
    case TK_POWER:
    case TK_POW_EQ:
        return AST_POW;
    case TK_LSHIFT:
    case TK_LSHIFT_EQ:
        return AST_LSHIFT;
    case TK_RSHIFT:
    case TK_RSHIFT_EQ:
        return AST_RSHIFT;
    case TK_AMP:
    case TK_AND_EQ:
        return AST_BITAND;
    case TK_BAR:
    case TK_OR_EQ:
        return AST_BITOR;
    case TK_CARET:
    case TK_XOR_EQ:
        return AST_BITXOR;
    }
    return AST_OP_COUNT;
}

AstOp ast_comparison(Token op)
{
    switch (op.kind) {
    case TK_EQ:
        return AST_EQ;
    case TK_NE:
        return AST_NE;
    case TK_LT:
        return AST_LT;
    case TK_LE:
        return AST_LE;
    case TK_GT:
        return AST_GT;
    case TK_GE:
        return AST_GE;
    case TK_IN:
        return AST_IN;
    }
    return AST_OP_COUNT;
}

AstExpr *ast_unary(Parse *ps, Token op, AstExpr *operand)
{
    AstExpr *expr = ast_expr(ps, AST_UNARY, span_join(parse_span(ps, op), operand->span));

    expr->unary.op = op.kind == TK_MINUS  ? AST_NEG
                     : op.kind == TK_PLUS ? AST_POS
                     : op.kind == TK_NOT  ? AST_NOT
                                          : AST_INVERT;
    expr->unary.operand = ast_hang(ps, expr, operand);
    return expr;
}

static AstExpr *two(Parse *ps, AstExprKind kind, AstOp op, Token at, AstExpr *left, AstExpr *right)
{
    AstExpr *expr = ast_expr(ps, kind, span_join(left->span, right->span));

    expr->binary.op = op;
    expr->binary.op_span = parse_span(ps, at);
    expr->binary.left = ast_hang(ps, expr, left);
    expr->binary.right = ast_hang(ps, expr, right);
    return expr;
}

AstExpr *ast_binary(Parse *ps, Token op, AstExpr *left, AstExpr *right)
{
    return two(ps, AST_BINARY, ast_binary_op(op.kind), op, left, right);
}

AstExpr *ast_boolean(Parse *ps, Token op, AstExpr *left, AstExpr *right)
{
    return two(ps, AST_BOOLEAN, op.kind == TK_AND ? AST_AND : AST_OR, op, left, right);
}

/* Whether an array of `count` items that doubles from 2 is full. */
static bool is_full(int count)
{
    return count == 0 || (count >= 2 && (count & (count - 1)) == 0);
}

/* `a < b < c` is one comparison, `(a < b) < c` is two. */
AstExpr *ast_compare(Parse *ps, AstExpr *left, AstOp op, AstExpr *right)
{
    AstExpr *expr = left;

    if (left->kind != AST_COMPARE || left->in_brackets) {
        expr = ast_expr(ps, AST_COMPARE, left->span);
        expr->compare.first = ast_hang(ps, expr, left);
    }
    int count = expr->compare.count;
    if (is_full(count)) {
        size_t room = count ? 2 * (size_t)count : 2, used = (size_t)count;
        expr->compare.ops =
            arena_grow(ps->arena, expr->compare.ops, used * sizeof(AstOp), room * sizeof(AstOp));
        expr->compare.rest = arena_grow(ps->arena, expr->compare.rest, used * sizeof(AstExpr *),
                                        room * sizeof(AstExpr *));
    }
    expr->compare.ops[count] = op;
    expr->compare.rest[count] = ast_hang(ps, expr, right);
    expr->compare.count++;
    expr->span.end = right->span.end;
    return expr;
}

AstExpr *ast_if_expr(Parse *ps, AstExpr *then, AstExpr *condition, AstExpr *otherwise)
{
    AstExpr *expr = ast_expr(ps, AST_IF_EXPR, span_join(then->span, otherwise->span));

    expr->if_expr.then = ast_hang(ps, expr, then);
    expr->if_expr.condition = ast_hang(ps, expr, condition);
    expr->if_expr.otherwise = ast_hang(ps, expr, otherwise);
    return expr;
}

AstExpr *ast_lambda(Parse *ps, Token first, AstParams params, AstExpr *body)
{
    AstExpr *expr = ast_expr(ps, AST_LAMBDA, span_join(parse_span(ps, first), body->span));

    for (int i = 0; i < params.count; i++)
        ast_hang(ps, expr, params.items[i].default_value);
    expr->lambda.params = params;
    expr->lambda.body = ast_hang(ps, expr, body);
    return expr;
}

AstExpr *ast_walrus(Parse *ps, Token name, AstExpr *value)
{
    AstExpr *expr = ast_expr(ps, AST_WALRUS, span_join(parse_span(ps, name), value->span));

    expr->walrus.name = ast_text(ps, name);
    expr->walrus.name_span = parse_span(ps, name);
    expr->walrus.value = ast_hang(ps, expr, value);
    return expr;
}

AstExpr *ast_starred(Parse *ps, Token star, AstExpr *value)
{
    AstExpr *expr = ast_expr(ps, AST_STARRED, span_join(parse_span(ps, star), value->span));

    expr->starred.value = ast_hang(ps, expr, value);
    return expr;
}

/* ---- what follows an operand ---------------------------------------------------------- */

AstExpr *ast_attribute(Parse *ps, AstExpr *object, Token name)
{
    Span span = parse_span(ps, name);
    AstExpr *expr = ast_expr(ps, AST_ATTRIBUTE, span_join(object->span, span));

    expr->attribute.object = ast_hang(ps, expr, object);
    expr->attribute.name = ast_text(ps, name);
    expr->attribute.name_span = span;
    return expr;
}

AstExpr *ast_index(Parse *ps, AstExpr *object, AstExpr *index, Token last)
{
    AstExpr *expr = ast_expr(ps, AST_INDEX, span_join(object->span, parse_span(ps, last)));

    expr->index.object = ast_hang(ps, expr, object);
    expr->index.index = ast_hang(ps, expr, index);
    return expr;
}

AstExpr *ast_slice(Parse *ps, Token first, Token last, AstExpr *start, AstExpr *stop, AstExpr *step)
{
    AstExpr *end = step ? step : last.begin == first.begin ? stop : NULL;
    AstExpr *expr = ast_expr(ps, AST_SLICE, parse_span(ps, first));

    expr->span.begin = start ? start->span.begin : first.begin;
    expr->span.end = end ? end->span.end : last.end;
    expr->slice.start = ast_hang(ps, expr, start);
    expr->slice.stop = ast_hang(ps, expr, stop);
    expr->slice.step = ast_hang(ps, expr, step);
    return expr;
}

AstExpr *ast_arguments(Parse *ps)
{
    return ast_expr(ps, AST_CALL, (Span){ 0 });
}

AstExpr *ast_argument(Parse *ps, AstExpr *call, AstExpr *value)
{
    bool starred = value->kind == AST_STARRED;
    bool after_splat = false;

    for (int i = 0; i < call->call.keyword_count; i++)
        after_splat |= call->call.keywords[i].name == NULL;
    if (starred ? after_splat : call->call.keyword_count > 0)
        diag_error(ps->diags, value->span, "a positional argument follows a keyword argument");
    call->call.args = ast_exprs(ps, call->call.args, ast_hang(ps, call, value));
    return call;
}

static AstExpr *add_keyword(Parse *ps, AstExpr *call, const char *name, Span span, AstExpr *value)
{
    int count = call->call.keyword_count;

    if (is_full(count))
        call->call.keywords =
            arena_grow(ps->arena, call->call.keywords, (size_t)count * sizeof(AstKeyword),
                       (count ? 2 * (size_t)count : 2) * sizeof(AstKeyword));
    call->call.keywords[count] = (AstKeyword){ name, ast_hang(ps, call, value), span };
    call->call.keyword_count++;
    return call;
}

AstExpr *ast_keyword(Parse *ps, AstExpr *call, Token name, AstExpr *value)
{
    enum { COMPARED = 1000 }; /* a call with more is not looked through: it would take too long */
    const char *text = ast_text(ps, name);

    for (int i = 0; i < call->call.keyword_count && i < COMPARED; i++) {
        const char *other = call->call.keywords[i].name;
        if (!other || strcmp(other, text) != 0)
            continue;
        diag_error(ps->diags, parse_span(ps, name), "the argument '%s' is given twice", text);
        break;
    }
    return add_keyword(ps, call, text, parse_span(ps, name), value);
}

AstExpr *ast_generator_argument(Parse *ps, Token first, AstExpr *generator, Token last)
{
    generator->span = span_join(parse_span(ps, first), parse_span(ps, last));
    return ast_argument(ps, ast_arguments(ps), generator);
}

AstExpr *ast_keyword_splat(Parse *ps, AstExpr *call, Token stars, AstExpr *value)
{
    return add_keyword(ps, call, NULL, span_join(parse_span(ps, stars), value->span), value);
}

AstExpr *ast_call(Parse *ps, AstExpr *function, AstExpr *call, Token last)
{
    call->span = span_join(function->span, parse_span(ps, last));
    call->call.function = ast_hang(ps, call, function);
    return call;
}

/* ---- sequences ------------------------------------------------------------------------ */

AstExprs ast_exprs(Parse *ps, AstExprs list, AstExpr *item)
{
    if (list.capacity == 0) {
        list.items = arena_array(ps->arena, AstExpr *, 2);
        list.capacity = 2;
    }
    array_push(ps->arena, list.items, list.count, list.capacity) = item;
    return list;
}

static AstExpr *sequence(Parse *ps, AstExprKind kind, Span span, AstExprs items)
{
    AstExpr *expr = ast_expr(ps, kind, span);

    for (int i = 0; i < items.count; i++)
        ast_hang(ps, expr, items.items[i]);
    expr->list.items = items;
    return expr;
}

static Span span_of_items(AstExprs items)
{
    return span_join(items.items[0]->span, items.items[items.count - 1]->span);
}

AstExpr *ast_group(Parse *ps, AstExprs items, bool comma)
{
    if (comma || items.count > 1)
        return sequence(ps, AST_TUPLE, span_of_items(items), items);
    if (items.items[0]->kind == AST_STARRED && !items.items[0]->in_brackets)
        diag_error(ps->diags, items.items[0]->span,
                   "a starred expression stands only in a tuple, a list or a call");
    return items.items[0];
}

AstExpr *ast_subscripts(Parse *ps, AstExprs items, bool comma)
{
    if (comma || items.count > 1 || items.items[0]->kind == AST_STARRED)
        return sequence(ps, AST_TUPLE, span_of_items(items), items);
    return items.items[0];
}

AstExpr *ast_bracketed(Parse *ps, Token first, AstExpr *inner, Token last)
{
    inner->in_brackets = true;
    inner->span = span_join(parse_span(ps, first), parse_span(ps, last));
    return inner;
}

AstExpr *ast_sequence(Parse *ps, AstExprKind kind, Token first, AstExprs items, Token last)
{
    return sequence(ps, kind, span_join(parse_span(ps, first), parse_span(ps, last)), items);
}

AstExpr *ast_yield(Parse *ps, Token word, AstExpr *value, bool from)
{
    Span span = parse_span(ps, word);
    AstExpr *expr = ast_expr(ps, AST_YIELD, value ? span_join(span, value->span) : span);

    expr->yield.value = ast_hang(ps, expr, value);
    expr->yield.from = from;
    return expr;
}

AstExpr *ast_await(Parse *ps, Token word, AstExpr *value)
{
    AstExpr *expr = ast_expr(ps, AST_AWAIT, span_join(parse_span(ps, word), value->span));

    expr->starred.value = ast_hang(ps, expr, value);
    return expr;
}

AstFunction *ast_lambda_function(Arena *arena, const AstExpr *lambda)
{
    AstFunction *function = arena_new(arena, AstFunction);
    AstStmt *stmt = arena_new(arena, AstStmt);
    *stmt = (AstStmt){ .kind = AST_RETURN, .span = lambda->lambda.body->span };
    stmt->return_.value = lambda->lambda.body;
    *function = (AstFunction){ .name = "lambda",
                               .name_span = lambda->span,
                               .params = lambda->lambda.params };
    array_push(arena, function->body.items, function->body.count, function->body.capacity) = stmt;
    return function;
}

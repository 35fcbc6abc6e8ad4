/* Trees as text.
**
** An expression is written as source again. ast_print_expr() brackets only where precedence
** asks for it; the dump of a module brackets every operation inside another, so that its text
** shows the shape of the tree. */
#define _GNU_SOURCE
#include "parser/parser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How tightly an expression holds together, loosest first. */
typedef enum Level {
    LEVEL_TUPLE,
    LEVEL_WALRUS,
    LEVEL_LAMBDA,
    LEVEL_IF,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_BITOR,
    LEVEL_BITXOR,
    LEVEL_BITAND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_SIGN,
    LEVEL_POWER,
    LEVEL_PRIMARY
} Level;

typedef struct Printer {
    Buf *out;
    bool explicit; /* brackets round every operation inside another */
    int indent;
} Printer;

static void put(Printer *p, const AstExpr *expr, Level least);

static Level operator_level(AstOp op)
{
    switch (op) {
    case AST_ADD:
    case AST_SUB:
        return LEVEL_SUM;
    case AST_MUL:
    case AST_MATMUL:
    case AST_DIV:
    case AST_FLOORDIV:
    case AST_MOD:
        return LEVEL_PRODUCT;
    case AST_POW:
        return LEVEL_POWER;
    case AST_LSHIFT:
    case AST_RSHIFT:
        return LEVEL_SHIFT;
    case AST_BITAND:
        return LEVEL_BITAND;
    case AST_BITOR:
        return LEVEL_BITOR;
    case AST_BITXOR:
        return LEVEL_BITXOR;
    case AST_NEG:
    case AST_POS:
    case AST_INVERT:
        return LEVEL_SIGN;
    case AST_NOT:
        return LEVEL_NOT;
    case AST_AND:
        return LEVEL_AND;
    case AST_OR:
        return LEVEL_OR;
    case AST_EQ:
    case AST_NE:
    case AST_LT:
    case AST_LE:
    case AST_GT:
    case AST_GE:
    case AST_IS:
    case AST_IS_NOT:
    case AST_IN:
    case AST_NOT_IN:
    case AST_OP_COUNT:
        return LEVEL_COMPARE;
    }
    return LEVEL_PRIMARY;
}

static Level level_of(const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_UNARY:
        return operator_level(expr->unary.op);
    case AST_BINARY:
    case AST_BOOLEAN:
        return operator_level(expr->binary.op);
    case AST_COMPARE:
        return LEVEL_COMPARE;
    case AST_IF_EXPR:
        return LEVEL_IF;
    case AST_LAMBDA:
        return LEVEL_LAMBDA;
    case AST_WALRUS:
        return LEVEL_WALRUS;
    case AST_NAME:
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAG:
    case AST_STRING:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
    case AST_ELLIPSIS:
    case AST_TUPLE:
    case AST_LIST:
    case AST_CALL:
    case AST_ATTRIBUTE:
    case AST_INDEX:
    case AST_SLICE:
    case AST_STARRED:
    case AST_EXPR_KINDS:
        break;
    }
    return LEVEL_PRIMARY;
}

/* ---- leaves --------------------------------------------------------------------------- */

/* The shortest decimal that reads back as `value`. */
static void put_float(Buf *out, double value)
{
    char text[DECIMAL_TEXT];

    if (isinf(value)) {
        buf_puts(out, "1e999");
        return;
    }
    decimal_text(text, value, 1);
    if (value >= 1 && value < 1e16 && strchr(text, 'e'))
        snprintf(text, sizeof text, "%.0f", value);
    buf_puts(out, text);
    if (!strpbrk(text, ".e"))
        buf_puts(out, ".0");
}

static void put_string(Buf *out, const char *text, size_t length)
{
    buf_putc(out, '\'');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\\' || c == '\'')
            buf_printf(out, "\\%c", c);
        else if (c == '\n')
            buf_puts(out, "\\n");
        else if (c == '\t')
            buf_puts(out, "\\t");
        else if (c < ' ' || c == 0x7f)
            buf_printf(out, "\\x%02x", c);
        else
            buf_putc(out, (char)c);
    }
    buf_putc(out, '\'');
}

static void put_integer(Printer *p, const AstExpr *expr)
{
    if (expr->integer.too_big)
        buf_put(p->out, expr->span.source->text + expr->span.begin,
                expr->span.end - expr->span.begin);
    else
        buf_printf(p->out, "%llu", (unsigned long long)expr->integer.value);
}

/* ---- operators ------------------------------------------------------------------------ */

/* An operand, in brackets if it holds less tightly than `least`. */
static void put_operand(Printer *p, const AstExpr *expr, Level least)
{
    put(p, expr, p->explicit ? LEVEL_PRIMARY : least);
}

static void put_unary(Printer *p, const AstExpr *expr)
{
    buf_printf(p->out, "%s%s", ast_op_spelling(expr->unary.op),
               expr->unary.op == AST_NOT ? " " : "");
    put_operand(p, expr->unary.operand, level_of(expr));
}

static void put_binary(Printer *p, const AstExpr *expr)
{
    Level level = level_of(expr);
    bool power = expr->binary.op == AST_POW;

    put_operand(p, expr->binary.left, power ? level + 1 : level);
    buf_printf(p->out, " %s ", ast_op_spelling(expr->binary.op));
    put_operand(p, expr->binary.right, power ? LEVEL_SIGN : level + 1);
}

static void put_compare(Printer *p, const AstExpr *expr)
{
    put_operand(p, expr->compare.first, LEVEL_BITOR);
    for (int i = 0; i < expr->compare.count; i++) {
        buf_printf(p->out, " %s ", ast_op_spelling(expr->compare.ops[i]));
        put_operand(p, expr->compare.rest[i], LEVEL_BITOR);
    }
}

static void put_if_expr(Printer *p, const AstExpr *expr)
{
    put_operand(p, expr->if_expr.then, LEVEL_OR);
    buf_puts(p->out, " if ");
    put_operand(p, expr->if_expr.condition, LEVEL_OR);
    buf_puts(p->out, " else ");
    put_operand(p, expr->if_expr.otherwise, LEVEL_LAMBDA);
}

static void put_params(Printer *p, const AstParams *params)
{
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        buf_printf(p->out, "%s%s%s", i ? ", " : "", param->star ? "*" : "", param->name);
        if (param->annotation) {
            buf_puts(p->out, ": ");
            put(p, param->annotation, LEVEL_LAMBDA);
        }
        if (param->default_value) {
            buf_puts(p->out, param->annotation ? " = " : "=");
            put(p, param->default_value, LEVEL_LAMBDA);
        }
    }
}

static void put_lambda(Printer *p, const AstExpr *expr)
{
    buf_puts(p->out, expr->lambda.params.count ? "lambda " : "lambda");
    put_params(p, &expr->lambda.params);
    buf_puts(p->out, ": ");
    put_operand(p, expr->lambda.body, LEVEL_LAMBDA);
}

/* ---- the rest ------------------------------------------------------------------------- */

static void put_items(Printer *p, const AstExprs *items)
{
    for (int i = 0; i < items->count; i++) {
        buf_puts(p->out, i ? ", " : "");
        put(p, items->items[i], LEVEL_WALRUS);
    }
}

static void put_tuple(Printer *p, const AstExpr *expr)
{
    buf_putc(p->out, '(');
    put_items(p, &expr->list.items);
    buf_puts(p->out, expr->list.items.count == 1 ? ",)" : ")");
}

static void put_call(Printer *p, const AstExpr *expr)
{
    put(p, expr->call.function, LEVEL_PRIMARY);
    buf_putc(p->out, '(');
    put_items(p, &expr->call.args);
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        buf_puts(p->out, i || expr->call.args.count ? ", " : "");
        buf_printf(p->out, "%s%s", keyword->name ? keyword->name : "**", keyword->name ? "=" : "");
        put(p, keyword->value, LEVEL_LAMBDA);
    }
    buf_putc(p->out, ')');
}

/* What an attribute or index is taken of: `1 .x` would read as a float. */
static void put_object(Printer *p, const AstExpr *object, bool dot)
{
    put(p, object, LEVEL_PRIMARY);
    if (dot && object->kind == AST_INT)
        buf_putc(p->out, ' ');
}

static void put_slice(Printer *p, const AstExpr *expr)
{
    if (expr->slice.start)
        put(p, expr->slice.start, LEVEL_LAMBDA);
    buf_putc(p->out, ':');
    if (expr->slice.stop)
        put(p, expr->slice.stop, LEVEL_LAMBDA);
    if (expr->slice.step) {
        buf_putc(p->out, ':');
        put(p, expr->slice.step, LEVEL_LAMBDA);
    }
}

/* Several indices stand bare: `a[i, j]`; `a[()]` and `a[i,]` are no more than they look. */
static void put_index(Printer *p, const AstExpr *expr)
{
    const AstExpr *index = expr->index.index;

    put_object(p, expr->index.object, false);
    buf_putc(p->out, '[');
    if (index->kind == AST_TUPLE && index->list.items.count > 0) {
        put_items(p, &index->list.items);
        buf_puts(p->out, index->list.items.count == 1 ? "," : "");
    } else {
        put(p, index, LEVEL_WALRUS);
    }
    buf_putc(p->out, ']');
}

static void put_bare(Printer *p, const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_NAME:
        buf_puts(p->out, expr->name.name);
        break;
    case AST_INT:
        put_integer(p, expr);
        break;
    case AST_FLOAT:
    case AST_IMAG:
        put_float(p->out, expr->number.value);
        buf_puts(p->out, expr->kind == AST_IMAG ? "j" : "");
        break;
    case AST_STRING:
        put_string(p->out, expr->string.text, expr->string.length);
        break;
    case AST_TRUE:
        buf_puts(p->out, "True");
        break;
    case AST_FALSE:
        buf_puts(p->out, "False");
        break;
    case AST_NONE:
        buf_puts(p->out, "None");
        break;
    case AST_ELLIPSIS:
        buf_puts(p->out, "...");
        break;
    case AST_TUPLE:
        put_tuple(p, expr);
        break;
    case AST_LIST:
        buf_putc(p->out, '[');
        put_items(p, &expr->list.items);
        buf_putc(p->out, ']');
        break;
    case AST_UNARY:
        put_unary(p, expr);
        break;
    case AST_BINARY:
    case AST_BOOLEAN:
        put_binary(p, expr);
        break;
    case AST_COMPARE:
        put_compare(p, expr);
        break;
    case AST_IF_EXPR:
        put_if_expr(p, expr);
        break;
    case AST_LAMBDA:
        put_lambda(p, expr);
        break;
    case AST_CALL:
        put_call(p, expr);
        break;
    case AST_ATTRIBUTE:
        put_object(p, expr->attribute.object, true);
        buf_printf(p->out, ".%s", expr->attribute.name);
        break;
    case AST_INDEX:
        put_index(p, expr);
        break;
    case AST_SLICE:
        put_slice(p, expr);
        break;
    case AST_STARRED:
        buf_putc(p->out, '*');
        put_operand(p, expr->starred.value, LEVEL_BITOR);
        break;
    case AST_WALRUS:
        buf_printf(p->out, "%s := ", expr->walrus.name);
        put(p, expr->walrus.value, LEVEL_LAMBDA);
        break;
    case AST_EXPR_KINDS:
        break;
    }
}

static void put(Printer *p, const AstExpr *expr, Level least)
{
    bool brackets = level_of(expr) < least;

    buf_puts(p->out, brackets ? "(" : "");
    put_bare(p, expr);
    buf_puts(p->out, brackets ? ")" : "");
}

void ast_print_expr(Buf *out, const AstExpr *expr)
{
    Printer p = { out, false, 0 };

    put(&p, expr, LEVEL_LAMBDA);
}

/* ---- statements ----------------------------------------------------------------------- */

static void put_body(Printer *p, const AstBody *body);

static void begin_line(Printer *p, const char *word)
{
    for (int i = 0; i < p->indent; i++)
        buf_puts(p->out, "    ");
    buf_puts(p->out, word);
}

/* A line of a word and an expression, which may be missing. */
static void put_line(Printer *p, const char *word, const AstExpr *expr)
{
    begin_line(p, word);
    if (expr) {
        buf_putc(p->out, ' ');
        put(p, expr, LEVEL_LAMBDA);
    }
    buf_putc(p->out, '\n');
}

static void put_else(Printer *p, const AstBody *body)
{
    if (body->count == 0)
        return;
    put_line(p, "else", NULL);
    put_body(p, body);
}

static void put_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    for (int i = 0; i < stmt->assign.targets.count; i++) {
        put(p, stmt->assign.targets.items[i], LEVEL_LAMBDA);
        buf_puts(p->out, " = ");
    }
    put(p, stmt->assign.value, LEVEL_LAMBDA);
    buf_putc(p->out, '\n');
}

static void put_aug_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    put(p, stmt->aug_assign.target, LEVEL_LAMBDA);
    buf_printf(p->out, " %s= ", ast_op_spelling(stmt->aug_assign.op));
    put(p, stmt->aug_assign.value, LEVEL_LAMBDA);
    buf_putc(p->out, '\n');
}

static void put_ann_assign(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    put(p, stmt->ann_assign.target, LEVEL_LAMBDA);
    buf_puts(p->out, ": ");
    put(p, stmt->ann_assign.annotation, LEVEL_LAMBDA);
    if (stmt->ann_assign.value) {
        buf_puts(p->out, " = ");
        put(p, stmt->ann_assign.value, LEVEL_LAMBDA);
    }
    buf_putc(p->out, '\n');
}

static void put_for(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "for ");
    put(p, stmt->for_.target, LEVEL_LAMBDA);
    buf_puts(p->out, " in ");
    put(p, stmt->for_.iterable, LEVEL_LAMBDA);
    buf_putc(p->out, '\n');
    put_body(p, &stmt->for_.body);
    put_else(p, &stmt->for_.otherwise);
}

static void put_assert(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "assert ");
    put(p, stmt->assert_.condition, LEVEL_LAMBDA);
    if (stmt->assert_.message) {
        buf_puts(p->out, ", ");
        put(p, stmt->assert_.message, LEVEL_LAMBDA);
    }
    buf_putc(p->out, '\n');
}

static void put_decorators(Printer *p, const AstExprs *decorators)
{
    for (int i = 0; i < decorators->count; i++) {
        begin_line(p, "@");
        put(p, decorators->items[i], LEVEL_LAMBDA);
        buf_putc(p->out, '\n');
    }
}

static void put_function(Printer *p, const AstFunction *function)
{
    put_decorators(p, &function->decorators);
    begin_line(p, "function ");
    buf_printf(p->out, "%s(", function->name);
    put_params(p, &function->params);
    buf_putc(p->out, ')');
    if (function->returns) {
        buf_puts(p->out, " -> ");
        put(p, function->returns, LEVEL_LAMBDA);
    }
    buf_putc(p->out, '\n');
    put_body(p, &function->body);
}

static void put_class(Printer *p, const AstClass *class)
{
    put_decorators(p, &class->decorators);
    begin_line(p, "class ");
    buf_printf(p->out, "%s(", class->name);
    put(p, class->base, LEVEL_LAMBDA);
    buf_puts(p->out, ")\n");
    put_body(p, &class->body);
}

static void put_import(Printer *p, const AstStmt *stmt)
{
    begin_line(p, "");
    if (stmt->kind == AST_FROM_IMPORT)
        buf_printf(p->out, "from %s ", stmt->import.module);
    buf_puts(p->out, "import ");
    for (int i = 0; i < stmt->import.count; i++) {
        const AstAlias *alias = &stmt->import.names[i];
        buf_printf(p->out, "%s%s%s%s", i ? ", " : "", alias->name, alias->as ? " as " : "",
                   alias->as ? alias->as : "");
    }
    buf_putc(p->out, '\n');
}

static void put_stmt(Printer *p, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_EXPR_STMT:
        begin_line(p, "");
        put(p, stmt->expr.value, LEVEL_LAMBDA);
        buf_putc(p->out, '\n');
        break;
    case AST_ASSIGN:
        put_assign(p, stmt);
        break;
    case AST_AUG_ASSIGN:
        put_aug_assign(p, stmt);
        break;
    case AST_ANN_ASSIGN:
        put_ann_assign(p, stmt);
        break;
    case AST_IF:
        put_line(p, "if", stmt->if_.condition);
        put_body(p, &stmt->if_.then);
        put_else(p, &stmt->if_.otherwise);
        break;
    case AST_WHILE:
        put_line(p, "while", stmt->while_.condition);
        put_body(p, &stmt->while_.body);
        put_else(p, &stmt->while_.otherwise);
        break;
    case AST_FOR:
        put_for(p, stmt);
        break;
    case AST_BREAK:
        put_line(p, "break", NULL);
        break;
    case AST_CONTINUE:
        put_line(p, "continue", NULL);
        break;
    case AST_PASS:
        put_line(p, "pass", NULL);
        break;
    case AST_RETURN:
        put_line(p, "return", stmt->return_.value);
        break;
    case AST_ASSERT:
        put_assert(p, stmt);
        break;
    case AST_RAISE:
        put_line(p, "raise", stmt->raise.exception);
        break;
    case AST_DEF:
        put_function(p, &stmt->def.function);
        break;
    case AST_CLASS:
        put_class(p, &stmt->class_);
        break;
    case AST_IMPORT:
    case AST_FROM_IMPORT:
        put_import(p, stmt);
        break;
    case AST_STMT_KINDS:
        break;
    }
}

static void put_body(Printer *p, const AstBody *body)
{
    p->indent++;
    for (int i = 0; i < body->count; i++)
        put_stmt(p, body->items[i]);
    p->indent--;
}

void ast_print_module(Buf *out, const AstModule *module)
{
    Printer p = { out, true, -1 };

    put_body(&p, &module->body);
}

void ast_print_function(Buf *out, const AstFunction *function)
{
    Printer p = { out, true, 0 };

    put_function(&p, function);
}

void ast_print_body(Buf *out, const AstBody *body)
{
    Printer p = { out, true, -1 };

    put_body(&p, body);
}

/* Expressions as text.
**
** An expression is written as source again. ast_print_expr() brackets only where precedence needs
** it; the dump of a module brackets every operation inside another, so that its text shows the
** shape of the tree. */
#define _GNU_SOURCE
#include "parser/parser.h"
#include "parser/print.h"

#include <math.h>

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
    case AST_YIELD:
        return LEVEL_TUPLE;
    case AST_AWAIT:
        return LEVEL_POWER;
    case AST_BYTES:
    case AST_FSTRING:
    case AST_FIELD:
    case AST_SET:
    case AST_DICT:
    case AST_COMPREHENSION:
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
        else if (c < ' ' || c == 0x7f || (c >= 0x80 && !utf8_length(text + i, text + length)))
            buf_printf(out, "\\x%02x", c);
        else if (c >= 0xc0) /* whole, so that what follows is not looked at by itself */
            for (size_t more = utf8_length(text + i, text + length); more; more--, i += more > 0)
                buf_putc(out, text[i]);
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

/* What stands before a parameter: a mark for it, and what of '/' and '*' comes first. */
static void put_marks(Printer *p, const AstParams *params, int i)
{
    const AstParam *param = &params->items[i];
    bool first = param->keyword_only && (i == 0 || !params->items[i - 1].keyword_only);

    buf_puts(p->out, i ? ", " : "");
    if (i && i == params->positional_only)
        buf_puts(p->out, "/, ");
    if (first && params->bare_star.end)
        buf_puts(p->out, "*, ");
    buf_puts(p->out, param->star ? "*" : param->double_star ? "**" : "");
}

void print_params(Printer *p, const AstParams *params)
{
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        put_marks(p, params, i);
        buf_puts(p->out, param->name);
        if (param->annotation) {
            buf_puts(p->out, ": ");
            put(p, param->annotation, LEVEL_LAMBDA);
        }
        if (param->default_value) {
            buf_puts(p->out, param->annotation ? " = " : "=");
            put(p, param->default_value, LEVEL_LAMBDA);
        }
    }
    if (params->count && params->positional_only == params->count)
        buf_puts(p->out, ", /");
}

static void put_lambda(Printer *p, const AstExpr *expr)
{
    buf_puts(p->out, expr->lambda.params.count ? "lambda " : "lambda");
    print_params(p, &expr->lambda.params);
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
    print_arguments(p, &expr->call.args, expr->call.keywords, expr->call.keyword_count);
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

static void put_dict(Printer *p, const AstExpr *expr)
{
    buf_putc(p->out, '{');
    for (int i = 0; i < expr->dict.values.count; i++) {
        const AstExpr *key = expr->dict.keys.items[i];
        buf_puts(p->out, i ? ", " : "");
        if (key)
            put(p, key, LEVEL_LAMBDA);
        buf_puts(p->out, key ? ": " : "**");
        put(p, expr->dict.values.items[i], key ? LEVEL_LAMBDA : LEVEL_BITOR);
    }
    buf_putc(p->out, '}');
}

static void put_clause(Printer *p, const AstClause *clause)
{
    buf_puts(p->out, clause->is_async ? " async for " : " for ");
    put(p, clause->target, LEVEL_LAMBDA);
    buf_puts(p->out, " in ");
    put(p, clause->iterable, LEVEL_OR);
    for (int i = 0; i < clause->conditions.count; i++) {
        buf_puts(p->out, " if ");
        put(p, clause->conditions.items[i], LEVEL_OR);
    }
}

static void put_comprehension(Printer *p, const AstComprehension *it)
{
    const char *brackets = it->kind == AST_TUPLE ? "()" : it->kind == AST_LIST ? "[]" : "{}";

    buf_putc(p->out, brackets[0]);
    put(p, it->element, LEVEL_WALRUS);
    if (it->value) {
        buf_puts(p->out, ": ");
        put(p, it->value, LEVEL_LAMBDA);
    }
    for (int i = 0; i < it->count; i++)
        put_clause(p, &it->clauses[i]);
    buf_putc(p->out, brackets[1]);
}

/* An f-string as one that is written in fields alone, text being strings in them. */
static void put_fstring(Printer *p, const AstExpr *expr)
{
    buf_puts(p->out, "f(");
    put_items(p, &expr->list.items);
    buf_putc(p->out, ')');
}

static void put_field(Printer *p, const AstExpr *expr)
{
    buf_putc(p->out, '{');
    put(p, expr->field.value, LEVEL_TUPLE);
    buf_puts(p->out, expr->field.shown ? "=" : "");
    if (expr->field.conversion)
        buf_printf(p->out, "!%c", expr->field.conversion);
    if (expr->field.format) {
        buf_putc(p->out, ':');
        put_fstring(p, expr->field.format);
    }
    buf_putc(p->out, '}');
}

static void put_yield(Printer *p, const AstExpr *expr)
{
    buf_puts(p->out, expr->yield.from ? "yield from" : "yield");
    if (expr->yield.value) {
        buf_putc(p->out, ' ');
        put(p, expr->yield.value, LEVEL_LAMBDA);
    }
}

/* A name, or a literal. */
static void put_atom(Printer *p, const AstExpr *expr)
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
    case AST_BYTES:
        buf_putc(p->out, 'b');
        put_string(p->out, expr->string.text, expr->string.length);
        break;
    default:
        break;
    }
}

/* What stands in brackets of its own, or in quotes, and has parts. */
static void put_display(Printer *p, const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_TUPLE:
        put_tuple(p, expr);
        break;
    case AST_LIST:
        buf_putc(p->out, '[');
        put_items(p, &expr->list.items);
        buf_putc(p->out, ']');
        break;
    case AST_FSTRING:
        put_fstring(p, expr);
        break;
    case AST_FIELD:
        put_field(p, expr);
        break;
    case AST_SET:
        buf_putc(p->out, '{');
        put_items(p, &expr->list.items);
        buf_putc(p->out, '}');
        break;
    case AST_DICT:
        put_dict(p, expr);
        break;
    case AST_COMPREHENSION:
        put_comprehension(p, expr->comprehension);
        break;
    default:
        put_atom(p, expr);
        break;
    }
}

static void put_bare(Printer *p, const AstExpr *expr)
{
    switch (expr->kind) {
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
    case AST_YIELD:
        put_yield(p, expr);
        break;
    case AST_AWAIT:
        buf_puts(p->out, "await ");
        put_operand(p, expr->starred.value, LEVEL_PRIMARY);
        break;
    default:
        put_display(p, expr);
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

void print_expr(Printer *p, const AstExpr *expr)
{
    put(p, expr, LEVEL_LAMBDA);
}

void print_arguments(Printer *p, const AstExprs *args, const AstKeyword *keywords, int count)
{
    buf_putc(p->out, '(');
    put_items(p, args);
    for (int i = 0; i < count; i++) {
        buf_puts(p->out, i || args->count ? ", " : "");
        buf_printf(p->out, "%s%s", keywords[i].name ? keywords[i].name : "**",
                   keywords[i].name ? "=" : "");
        put(p, keywords[i].value, LEVEL_LAMBDA);
    }
    buf_putc(p->out, ')');
}

const char *ast_expr_text(Arena *arena, const AstExpr *expr)
{
    Buf out = buf_in(arena);
    ast_print_expr(&out, expr);
    return buf_text(&out);
}

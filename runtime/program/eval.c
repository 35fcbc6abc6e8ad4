/* Expressions. What one comes to is kept until its statement is done. */
#include "runtime/program/arrays.h"

#include <ctype.h>

bool host_deep(Program *p, Span span)
{
    const char here = 0;
    size_t used = (size_t)(p->stack > &here ? p->stack - &here : &here - p->stack);
    if (used < p->stack_limit)
        return true;
    host_fail(p, "RecursionError", "maximum recursion depth exceeded");
    return span.source ? host_place(p, span) : false;
}

Span host_span(const AstExpr *expr)
{
    Span span = expr->span;
    if (!expr->in_brackets || expr->kind == AST_TUPLE || expr->kind == AST_COMPREHENSION)
        return span;
    const char *text = span.source->text;
    for (span.begin++; isspace((unsigned char)text[span.begin]);)
        span.begin++;
    for (span.end--; isspace((unsigned char)text[span.end - 1]);)
        span.end--;
    return span;
}

/* One that 64 bits do not hold is read from its text. */
static bool wide_literal(Program *p, const AstExpr *expr, bool negative, HostValue *out)
{
    const char *text = expr->span.source->text + expr->span.begin;
    const size_t length = expr->span.end - expr->span.begin;
    const int letter = text[0] == '0' && length > 2 ? text[1] | 32 : 0;
    const uint32_t base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    char *digits = arena_alloc(&p->scratch, length);
    size_t count = 0;
    for (size_t i = base == 10 ? 0 : 2; i < length; i++)
        if (text[i] != '_')
            digits[count++] = text[i];
    return wide_parse(p, digits, count, base, negative, out);
}

static bool eval_int(Program *p, const AstExpr *expr, bool negative, HostValue *out)
{
    const uint64_t most = (uint64_t)INT64_MAX + negative, value = expr->integer.value;
    if (p->eval && !expr->integer.too_big && value > most)
        return host_give(out, (HostValue){ .kind = HOST_NUMBER,
                                           .dtype = KJIT_DTYPE_UINT64,
                                           .integer = (int64_t)value });
    if (expr->integer.too_big || value > most)
        return wide_literal(p, expr, negative, out) || host_place(p, expr->span);
    return host_give(out, host_int(negative ? (int64_t)(0 - value) : (int64_t)value));
}

static bool eval_items(Program *p, const AstExpr *expr, HostKind kind, HostValue *out)
{
    *out = host_room(p, kind, (size_t)expr->list.items.count);
    HostList *list = out->list;
    for (int i = 0; i < expr->list.items.count; i++) {
        const AstExpr *item = expr->list.items.items[i];
        HostIterator it;
        HostValue value;
        if (!host_eval(p, item->kind == AST_STARRED ? item->starred.value : item, &value))
            return false;
        if (item->kind != AST_STARRED) {
            if (!host_settle(p, &value))
                return host_place(p, host_span(item));
            host_append(p, list, value);
            continue;
        }
        if (!host_iterate(p, value, &it))
            return host_place(p, item->span);
        while (host_next(p, &it, &value))
            host_append(p, list, value);
        if (p->failed)
            return host_place(p, item->span);
    }
    return true;
}

static bool eval_dict(Program *p, const AstExpr *expr, HostValue *out)
{
    *out = host_dict(p);
    for (int i = 0; i < expr->dict.values.count; i++) {
        const AstExpr *key = expr->dict.keys.items[i];
        HostValue name, value;
        if ((key && !host_eval(p, key, &name)) || !host_eval(p, expr->dict.values.items[i], &value))
            return false;
        if (!key && object_held(value).kind != HOST_DICT && !object_has(value, "keys"))
            return host_raise(p, host_span(expr), "TypeError", "'%s' object is not a mapping",
                              host_type_name(p, value));
        const bool fine = key ? host_settle(p, &name) && host_settle(p, &value) &&
                                    dict_put(p, out->dict, name, value)
                              : dict_update(p, out->dict, value);
        if (!fine)
            return host_place(p, host_span(expr));
    }
    return true;
}

/* 2 ** 63 and 1 << 63, which 64 bits hold if they are negated. */
static bool is_beyond_by_one(const AstExpr *expr)
{
    if (expr->kind != AST_BINARY || expr->binary.left->kind != AST_INT ||
        expr->binary.right->kind != AST_INT || expr->binary.right->integer.value != 63)
        return false;
    uint64_t base = expr->binary.left->integer.value;
    return (expr->binary.op == AST_POW && base == 2) ||
           (expr->binary.op == AST_LSHIFT && base == 1);
}

static bool eval_unary(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstExpr *operand = expr->unary.operand;
    HostValue value;
    bool truth;
    if (expr->unary.op == AST_NEG && operand->kind == AST_INT)
        return eval_int(p, operand, true, out);
    if (expr->unary.op == AST_NEG && is_beyond_by_one(operand))
        return host_give(out, host_int(INT64_MIN));
    if (!host_eval(p, operand, &value))
        return false;
    if (expr->unary.op != AST_NOT)
        return host_unary(p, expr->unary.op, value, out) || host_place(p, host_span(expr));
    if (!host_truth(p, value, &truth))
        return host_place(p, host_span(expr));
    return host_give(out, host_bool(!truth));
}

/* Methods that are functions of elements or reductions: an expression becomes part of them. */
static bool method_takes_expression(const char *name)
{
    static const char *const names[] = { "sum", "prod", "min", "max", "any",
                                         "all", "mean", "var", "std", "clip" };
    return TEXT_IS_AMONG(name, names);
}

static void find_call(void *context, const AstExpr *expr)
{
    bool *found = context;
    bool of_module = expr->kind == AST_CALL && expr->call.function->kind == AST_ATTRIBUTE;
    *found |= expr->kind == AST_CALL && !of_module;
    if (!*found)
        ast_each_child(expr, find_call, found);
}

bool host_calls_something(const AstExpr *expr)
{
    bool found = false;
    find_call(&found, expr);
    return found;
}

static bool eval_binary(Program *p, const AstExpr *expr, HostValue *out)
{
    HostValue left, right;
    if (!host_eval(p, expr->binary.left, &left))
        return false;
    if (left.kind == HOST_EXPRESSION && host_calls_something(expr->binary.right) &&
        !host_settle(p, &left)) /* what is called may change the arrays */
        return host_place(p, host_span(expr));
    host_keep(p, left);
    return host_eval(p, expr->binary.right, &right) &&
           (host_binary(p, expr->binary.op, left, right, out) || host_place(p, host_span(expr)));
}

static bool eval_boolean(Program *p, const AstExpr *expr, HostValue *out)
{
    bool truth;
    if (!host_eval(p, expr->binary.left, out))
        return false;
    if (!host_truth(p, *out, &truth))
        return host_place(p, host_span(expr->binary.left));
    return truth == (expr->binary.op == AST_OR) || host_eval(p, expr->binary.right, out);
}

static bool eval_compare(Program *p, const AstExpr *expr, HostValue *out)
{
    HostValue left, right;
    bool truth = true;
    if (!host_eval(p, expr->compare.first, &left))
        return false;
    for (int i = 0; i < expr->compare.count && truth; i++) {
        if (!host_eval(p, expr->compare.rest[i], &right))
            return false;
        if (!host_compare(p, expr->compare.ops[i], left, right, out))
            return host_place(p, host_span(expr));
        if (i + 1 < expr->compare.count && !host_truth(p, *out, &truth))
            return host_place(p, host_span(expr));
        left = right;
    }
    return true;
}

static bool eval_choice(Program *p, const AstExpr *expr, HostValue *out)
{
    bool truth;
    if (!host_eval(p, expr->if_expr.condition, out))
        return false;
    if (out->kind == HOST_FOREIGN) /* which it hangs on */
        return true;
    if (!host_truth(p, *out, &truth))
        return host_place(p, host_span(expr->if_expr.condition));
    return host_eval(p, truth ? expr->if_expr.then : expr->if_expr.otherwise, out);
}

static bool eval_slice(Program *p, const AstExpr *expr, HostValue *out)
{
    const AstExpr *parts[] = { expr->slice.start, expr->slice.stop, expr->slice.step };
    HostSlice *slice = host_new(p, HOST_SLICE, sizeof *slice);
    *out = host_object(slice);
    for (int i = 0; i < 3; i++)
        if (parts[i] && !host_eval(p, parts[i], &slice->parts[i]))
            return false;
    return true;
}

static bool eval_index(Program *p, const AstExpr *expr, HostValue *out)
{
    HostValue object, index;
    return host_eval(p, expr->index.object, &object) && host_eval(p, expr->index.index, &index) &&
           (host_index(p, object, index, out) || host_place(p, host_span(expr)));
}

static bool eval_object_attribute(Program *p, const AstExpr *expr, HostValue *out)
{
    HostValue object;
    bool called = p->called == expr; /* at once: x.sum() takes an expression as it is */
    if (!host_eval(p, expr->attribute.object, &object))
        return false;
    if (!(called && method_takes_expression(expr->attribute.name)) && !host_settle(p, &object))
        return host_place(p, host_span(expr->attribute.object));
    host_keep(p, object);
    return eval_attribute(p, object, expr, out);
}

static bool is_constant(const AstExpr *expr)
{
    bool constant = expr->kind == AST_TUPLE;
    for (int i = 0; constant && i < expr->list.items.count; i++)
        constant = is_constant(expr->list.items.items[i]);
    return constant || expr->kind == AST_INT || expr->kind == AST_FLOAT || expr->kind == AST_IMAG ||
           expr->kind == AST_STRING || expr->kind == AST_BYTES || expr->kind == AST_TRUE ||
           expr->kind == AST_FALSE || expr->kind == AST_NONE || expr->kind == AST_ELLIPSIS ||
           (expr->kind == AST_UNARY && is_constant(expr->unary.operand));
}

static bool eval_walrus(Program *p, const AstExpr *expr, HostValue *out)
{
    if (!host_eval(p, expr->walrus.value, out))
        return false;
    HostEnv *const here = p->frame->env;
    while (p->frame->env->outer && !p->frame->env->code) /* around the comprehensions */
        p->frame->env = p->frame->env->outer;
    env_write(p, expr->walrus.name, *out);
    p->frame->env = here;
    return true;
}

static bool eval_lambda(Program *p, const AstExpr *expr, HostValue *out)
{
    const char *key = arena_printf(&p->scratch, "lambda %p", (const void *)expr);
    AstFunction *ast = table_get(&p->codes, key);
    if (!ast) {
        ast = ast_lambda_function(p->arena, expr);
        ast->name = "<lambda>";
        table_put(&p->codes, arena_strdup(p->arena, key), ast);
    }
    return host_function(p, ast, out);
}

static bool refuse(Program *p, const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_YIELD:
        return host_refuse(p, expr->span,
                           "'yield' stands alone, or is all that is assigned or returned: give "
                           "what it is worth a name first");
    case AST_AWAIT:
        return host_refuse(p, expr->span, "there is no 'await': call functions one by one");
    default:
        return host_raise(p, expr->span, "SyntaxError", "this cannot stand here");
    }
}

static bool eval_kind(Program *p, const AstExpr *expr, HostValue *out)
{
    switch (expr->kind) {
    case AST_NAME:
        return env_read(p, expr, out);
    case AST_INT:
        return eval_int(p, expr, false, out);
    case AST_FLOAT:
        return host_give(out, host_float(expr->number.value));
    case AST_IMAG:
        return host_give(out, host_complex(0, expr->number.value));
    case AST_STRING:
        if (expr->string.unnamed)
            return host_refuse(p, expr->span,
                               "characters have no names (\\N{...}) here: write the character "
                               "itself, or its number, \\u00b0");
        *out = host_string(p, expr->string.text, expr->string.length);
        return host_give(out, host_constant(*out));
    case AST_BYTES:
        if (!bytes_value(p, expr->string.text, expr->string.length, out))
            return host_place(p, expr->span);
        return host_give(out, host_constant(*out));
    case AST_FSTRING:
        return eval_fstring(p, expr, out);
    case AST_TRUE:
    case AST_FALSE:
        return host_give(out, host_bool(expr->kind == AST_TRUE));
    case AST_NONE:
        return host_give(out, host_none());
    case AST_ELLIPSIS:
        return host_give(out, (HostValue){ .kind = HOST_ELLIPSIS });
    case AST_TUPLE:
        return eval_items(p, expr, HOST_TUPLE, out) &&
               host_give(out, is_constant(expr) ? host_constant(*out) : *out);
    case AST_LIST:
        return value_is_text(p) && value_is_fields(expr) ? value_fields(p, expr, out)
                                                         : eval_items(p, expr, HOST_LIST, out);
    case AST_SET:
        return eval_set(p, expr, out);
    case AST_DICT:
        return eval_dict(p, expr, out);
    case AST_COMPREHENSION:
        return eval_comprehension(p, expr, out);
    case AST_UNARY:
        return eval_unary(p, expr, out);
    case AST_BINARY:
        return eval_binary(p, expr, out);
    case AST_BOOLEAN:
        return eval_boolean(p, expr, out);
    case AST_COMPARE:
        return eval_compare(p, expr, out);
    case AST_IF_EXPR:
        return eval_choice(p, expr, out);
    case AST_LAMBDA:
        return eval_lambda(p, expr, out);
    case AST_CALL:
        return eval_call(p, expr, out);
    case AST_ATTRIBUTE:
        return eval_object_attribute(p, expr, out);
    case AST_INDEX:
        return eval_index(p, expr, out);
    case AST_SLICE:
        return eval_slice(p, expr, out);
    case AST_WALRUS:
        return eval_walrus(p, expr, out);
    default:
        return refuse(p, expr);
    }
}

bool host_eval(Program *p, const AstExpr *expr, HostValue *out)
{
    *out = host_none();
    if (!host_deep(p, expr->span) || !eval_kind(p, expr, out))
        return false;
    if (p->failed) /* amid a text, in a method of an object */
        return host_place(p, host_span(expr));
    host_keep(p, *out);
    return true;
}

/* Conditions in value expressions: comparisons, and, or, in, if else. */
#include "runtime/values/values.h"

#include <string.h>

static Value truth_value(Span span, bool truth)
{
    Value value = { .kind = VALUE_ARG, .span = span };

    value.arg.kind = KJIT_ARG_SCALAR;
    value.arg.dtype = KJIT_DTYPE_BOOL;
    value.arg.as.integer = truth;
    return value;
}

bool value_truth(Eval *eval, Span span, const Value *value, bool *truth)
{
    const kjit_arg *arg = &value->arg;
    bool scalar = value->kind == VALUE_ARG && arg->kind == KJIT_ARG_SCALAR;

    if (value->kind == VALUE_NONE) {
        *truth = false;
    } else if (value->kind == VALUE_STRING) {
        *truth = *value->text != '\0';
    } else if (scalar && dtype_is_float(arg->dtype)) {
        *truth = arg->as.number != 0;
    } else if (scalar && !dtype_is_complex(arg->dtype)) {
        *truth = arg->as.integer != 0;
    } else {
        diag_error(eval->diags, span, "a condition is a number, True or False");
        return false;
    }
    return true;
}

/* ---- comparing ---------------------------------------------------------------------------- */

typedef enum Order { LESS = -1, SAME = 0, MORE = 1, UNORDERED = 2 } Order;

static Order order_of_integers(const kjit_arg *a, const kjit_arg *b)
{
    bool a_big = a->dtype == KJIT_DTYPE_UINT64 && a->as.integer < 0;
    bool b_big = b->dtype == KJIT_DTYPE_UINT64 && b->as.integer < 0;

    if (a_big != b_big)
        return a_big ? MORE : LESS;
    return a->as.integer < b->as.integer ? LESS : a->as.integer > b->as.integer ? MORE : SAME;
}

static Order order_of_scalars(const kjit_arg *a, const kjit_arg *b)
{
    if (dtype_is_complex(a->dtype) || dtype_is_complex(b->dtype)) {
        kjit_arg left = scalar_cast(a, KJIT_DTYPE_COMPLEX128);
        kjit_arg right = scalar_cast(b, KJIT_DTYPE_COMPLEX128);
        bool same = left.as.complex_parts[0] == right.as.complex_parts[0] &&
                    left.as.complex_parts[1] == right.as.complex_parts[1];
        return same ? SAME : UNORDERED;
    }
    if (!dtype_is_float(a->dtype) && !dtype_is_float(b->dtype))
        return order_of_integers(a, b);
    double left = scalar_cast(a, KJIT_DTYPE_FLOAT64).as.number;
    double right = scalar_cast(b, KJIT_DTYPE_FLOAT64).as.number;
    return left < right ? LESS : left > right ? MORE : left == right ? SAME : UNORDERED;
}

static bool same_args(const kjit_arg *a, const kjit_arg *b)
{
    if (a->kind != b->kind || a->kind == KJIT_ARG_ARRAY)
        return false;
    if (a->kind == KJIT_ARG_SCALAR)
        return order_of_scalars(a, b) == SAME;
    bool same = a->as.tuple.count == b->as.tuple.count;
    for (size_t i = 0; same && i < a->as.tuple.count; i++)
        same = same_args(&a->as.tuple.items[i], &b->as.tuple.items[i]);
    return same;
}

static bool same_values(const Value *a, const Value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_ARG:
        return same_args(&a->arg, &b->arg);
    case VALUE_STRING:
        return strcmp(a->text, b->text) == 0;
    case VALUE_DTYPE:
        return a->dtype == b->dtype && a->record == b->record;
    case VALUE_NONE:
    case VALUE_MISSING:
        break;
    }
    return true;
}

static bool is_scalar(const Value *value)
{
    return value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR;
}

/* One of ==, !=, is, is not, <, <=, >, >=. */
static bool compare(Eval *eval, Span span, AstOp op, const Value *a, const Value *b, bool *truth)
{
    bool equality = op == AST_EQ || op == AST_NE || op == AST_IS || op == AST_IS_NOT;

    if (equality) {
        *truth = same_values(a, b) == (op == AST_EQ || op == AST_IS);
        return true;
    }
    if (!is_scalar(a) || !is_scalar(b) || dtype_is_complex(a->arg.dtype) ||
        dtype_is_complex(b->arg.dtype)) {
        diag_error(eval->diags, span, "'%s' compares real numbers", ast_op_spelling(op));
        return false;
    }
    Order order = order_of_scalars(&a->arg, &b->arg);
    *truth = op == AST_LT   ? order == LESS
             : op == AST_LE ? order == LESS || order == SAME
             : op == AST_GT ? order == MORE
                            : order == MORE || order == SAME;
    return true;
}

/* Whether an item is in a list, or in a tuple, that is written out or not. */
static bool find_in(Eval *eval, const Value *item, const AstExpr *list, bool *found)
{
    bool written = list->kind == AST_LIST || list->kind == AST_TUPLE;
    Value value;

    *found = false;
    for (int i = 0; written && i < list->list.items.count; i++) {
        if (!value_eval(eval, list->list.items.items[i], &value))
            return false;
        *found = *found || same_values(item, &value);
    }
    if (written)
        return true;
    if (!value_eval(eval, list, &value))
        return false;
    if (value.kind != VALUE_ARG || value.arg.kind != KJIT_ARG_TUPLE) {
        diag_error(eval->diags, list->span, "'in' looks into a list or a tuple: x in (1, 2, 4)");
        return false;
    }
    for (size_t i = 0; i < value.arg.as.tuple.count; i++) {
        const Value one = { .kind = VALUE_ARG, .arg = value.arg.as.tuple.items[i] };
        *found = *found || same_values(item, &one);
    }
    return true;
}

/* a < b <= c: as far as the first that does not hold. */
static bool eval_compare(Eval *eval, const AstExpr *expr, Value *out)
{
    Value left, right;
    bool truth = true;

    if (!value_eval(eval, expr->compare.first, &left))
        return false;
    for (int i = 0; i < expr->compare.count && truth; i++) {
        AstOp op = expr->compare.ops[i];
        const AstExpr *next = expr->compare.rest[i];
        bool in = op == AST_IN || op == AST_NOT_IN;
        if (in ? !find_in(eval, &left, next, &truth)
               : !value_eval(eval, next, &right) ||
                     !compare(eval, expr->span, op, &left, &right, &truth))
            return false;
        truth = truth != (op == AST_NOT_IN);
        if (in && i + 1 < expr->compare.count && !value_eval(eval, next, &right))
            return false;
        left = right;
    }
    *out = truth_value(expr->span, truth);
    return true;
}

/* `a and b` is one of the two, and where a decides, b is not looked at. */
static bool eval_boolean(Eval *eval, const AstExpr *expr, Value *out)
{
    bool truth;

    if (!value_eval(eval, expr->binary.left, out) ||
        !value_truth(eval, expr->binary.left->span, out, &truth))
        return false;
    if (truth == (expr->binary.op == AST_OR))
        return true;
    return value_eval(eval, expr->binary.right, out);
}

static bool eval_choice(Eval *eval, const AstExpr *expr, Value *out)
{
    Value condition;
    bool truth;

    return value_eval(eval, expr->if_expr.condition, &condition) &&
           value_truth(eval, expr->if_expr.condition->span, &condition, &truth) &&
           value_eval(eval, truth ? expr->if_expr.then : expr->if_expr.otherwise, out);
}

bool value_condition(Eval *eval, const AstExpr *expr, Value *out)
{
    if (expr->kind == AST_COMPARE)
        return eval_compare(eval, expr, out);
    return expr->kind == AST_BOOLEAN ? eval_boolean(eval, expr, out) : eval_choice(eval, expr, out);
}

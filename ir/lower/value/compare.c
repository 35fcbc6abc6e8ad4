/* Comparisons: == < is in, of numbers, tuples and what is known while compiling; and chains of
** them. */
#include "ir/clone.h"
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

enum { SUM_DEPTH = 2 };

/* ---- values ---------------------------------------------------------------------------------- */

/* (a, b) == (c, d), item by item; tuples of other lengths differ. */
static IrValue *compare_tuples(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    bool equal = op == AST_EQ;
    if (!equal && op != AST_NE)
        return tuple_order(f, op, left, right, span);
    if (left->type->tuple.count != right->type->tuple.count)
        return ir_integer(f->arena, type_bool, !equal, span);
    IrValue *result = ir_integer(f->arena, type_bool, equal, span);
    for (int i = 0; i < left->type->tuple.count; i++) {
        IrValue *item = compare_values(f, op, ir_item(f->arena, left, i, span),
                                       ir_item(f->arena, right, i, span), span);
        result = i == 0 ? item
                        : ir_binary(f->arena, equal ? OP_and_then : OP_or_else, result, item, span);
    }
    return result;
}

IrValue *compare_values(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    if (is_poison(left) || is_poison(right))
        return lower_poison(f, span);
    if (f->constant_only && (type_is_array(left->type) || type_is_array(right->type)))
        return lower_table_compare(f, op, left, right, span);
    left = array_single(f, left);
    right = array_single(f, right);
    if (type_is_enum(left->type) || type_is_enum(right->type))
        return compare_members(f, op, left, right, span);
    if (type_is_time(left->type) || type_is_time(right->type))
        return time_compare(f, op, left, right, span);
    bool thing = type_is_thing(left->type) || type_is_thing(right->type);
    if (thing && (op == AST_EQ || op == AST_NE) && !type_is_range(left->type) &&
        !type_is_slice(left->type))
        return ir_integer(f->arena, type_bool, (left->type == right->type) == (op == AST_EQ), span);
    if (!thing && type_is_tuple(left->type) && type_is_tuple(right->type))
        return compare_tuples(f, op, left, right, span);
    Typing typing = typing_compare(op, left->type, right->type);
    const Type *common = is_nep50(f) && left->weak != right->weak && typing.result
                             ? nep50_common(f, left, right)
                             : NULL;
    if (common && !type_is_integer(common)) /* integers compare as they are */
        typing.left = typing.right = common;
    if (!typing.result) {
        fail(f, span, "cannot compare %s and %s with '%s'%s", type_name(f->arena, left->type),
             type_name(f->arena, right->type), ast_op_spelling(op),
             operation_advice(left->type, right->type));
        note_types(f, left, right);
        return lower_poison(f, span);
    }
    return lower_compute(f, op, convert(f, left, typing.left, span),
                         convert(f, right, typing.right, span), span);
}

/* x in (a, b), for tuples: compared item by item. */
static IrValue *lower_contains(FnState *f, IrValue *item, IrValue *tuple, bool negate, Span span)
{
    if (is_poison(item) || is_poison(tuple))
        return lower_poison(f, span);
    if (type_is_array(tuple->type) && !type_is_record_ref(tuple->type)) {
        Operand args[] = { operand_value(tuple), operand_value(item) };
        const AstExpr place = { .kind = AST_COMPARE, .span = span };
        Operand found = lower_library_call(f, &place, "_in", args, 2);
        if (found.kind != OPD_VALUE)
            return lower_poison(f, span);
        return negate ? ir_unary(f->arena, OP_not, found.value, span) : found.value;
    }
    if (!type_is_tuple(tuple->type)) {
        fail(f, span, "'in' looks into tuples, arrays and ranges, and this is %s",
             describe(f, operand_value(tuple)));
        note_types(f, tuple, NULL);
        return lower_poison(f, span);
    }
    item = lower_stable(f, item, "_item");
    IrValue *found = ir_integer(f->arena, type_bool, 0, span);
    for (int i = 0; i < tuple->type->tuple.count; i++) {
        IrValue *same = compare_values(f, AST_EQ, item, ir_item(f->arena, tuple, i, span), span);
        found =
            i == 0 || is_poison(same) ? same : ir_binary(f->arena, OP_or_else, found, same, span);
    }
    return negate ? ir_unary(f->arena, OP_not, found, span) : found;
}

/* ---- what is no value ------------------------------------------------------------------------ */

/* `is` between compile-time things: None, types, functions. */
static IrValue *compare_identity(FnState *f, AstOp op, Operand a, Operand b, Span span)
{
    return ir_integer(f->arena, type_bool, operand_same(&a, &b) == (op == AST_IS || op == AST_EQ),
                      span);
}

static bool is_compile_time(Operand operand)
{
    return operand.kind == OPD_NONE || operand.kind == OPD_TYPE || operand.kind == OPD_STRING ||
           operand.kind == OPD_FUNCTION || operand.kind == OPD_INTRINSIC ||
           operand.kind == OPD_FIXED;
}

/* "a" < "b": UTF-8 is in the order of its letters' codes. */
static bool compare_written(AstOp op, const Operand *left, const Operand *right)
{
    const size_t a = left->string.length, b = right->string.length;
    const int common = memcmp(left->string.text, right->string.text, a < b ? a : b);
    const int order = common ? common : (a > b) - (a < b);
    return op == AST_LT   ? order < 0
           : op == AST_LE ? order <= 0
           : op == AST_GT ? order > 0
                          : order >= 0;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* One link of a chain; `*right` may be given a variable if more links follow. */
static IrValue *lower_link(FnState *f, AstOp op, Operand left, Operand right,
                           const AstExpr *left_expr, const AstExpr *right_expr, Span span)
{
    bool identity = op == AST_IS || op == AST_IS_NOT;
    IrValue *optional = optional_compare(f, op, left, right, span);
    if (optional)
        return optional;
    bool texts = (left.kind == OPD_VALUE && is_characters(left.value)) ||
                 (right.kind == OPD_VALUE && is_characters(right.value));
    if (texts && !identity && op != AST_IN && op != AST_NOT_IN)
        return characters_compare(f, op, &left, &right, span);
    if (is_compile_time(left) || is_compile_time(right)) {
        if (identity || op == AST_EQ || op == AST_NE)
            return compare_identity(f, op, left, right, span);
    }
    if (op >= AST_LT && op <= AST_GE && left.kind == OPD_STRING && right.kind == OPD_STRING &&
        left.string.bytes == right.string.bytes)
        return ir_integer(f->arena, type_bool, compare_written(op, &left, &right), span);
    if ((op == AST_IN || op == AST_NOT_IN) && left.kind == OPD_STRING && right.kind == OPD_STRING)
        return ir_integer(f->arena, type_bool,
                          (strstr(right.string.text, left.string.text) != NULL) == (op == AST_IN),
                          span);
    if ((op == AST_IN || op == AST_NOT_IN) && is_compile_time(left) && left.kind != OPD_NONE &&
        right.kind == OPD_VALUE && type_is_tuple(right.value->type))
        return ir_integer(f->arena, type_bool,
                          thing_is_in(&left, right.value->type) == (op == AST_IN), span);
    if ((op == AST_IN || op == AST_NOT_IN) && right.kind == OPD_BUNDLE &&
        bundle_count(f, right.bundle) >= 0)
        return ir_integer(f->arena, type_bool, bundle_has(f, right.bundle, &left) == (op == AST_IN),
                          span);
    if ((op == AST_IN || op == AST_NOT_IN) && right.kind == OPD_RANGE) {
        IrValue *found = range_contains(f, &right, operand_as_value(f, left, left_expr), span);
        return op == AST_IN || is_poison(found) ? found : ir_unary(f->arena, OP_not, found, span);
    }
    IrValue *a = operand_as_value(f, left, left_expr), *b = operand_as_value(f, right, right_expr);
    if (op == AST_IN || op == AST_NOT_IN)
        return lower_contains(f, a, b, op == AST_NOT_IN, span);
    return compare_values(f, op, a, b, span);
}

/* A sum of variables and numbers, which costs no more than to keep it. */
static bool is_cheap(const IrValue *value, int depth)
{
    bool sum = value->op == OP_add || value->op == OP_sub;
    if (!type_is_integer(value->type) || (sum && !depth))
        return false;
    if (value->op == OP_cast && ir_keeps_value(value))
        return is_cheap(value->operands[0], depth);
    return sum ? is_cheap(value->operands[0], depth - 1) && is_cheap(value->operands[1], depth - 1)
               : value->op == OP_var || ir_is_constant(value);
}

/* Both links read what stands between them; variables serve until what follows changes them. */
static void stabilize_middle(FnState *f, Operand *middle)
{
    if (middle->kind == OPD_VALUE && !is_cheap(middle->value, SUM_DEPTH))
        middle->value = lower_stable(f, middle->value, "_middle");
}

/* What stood between, for the next link, which has a tree of its own. */
static Operand read_again(FnState *f, Operand middle)
{
    if (middle.kind == OPD_VALUE && middle.value->op != OP_var)
        middle.value = ir_clone_value(&(IrClone){ .arena = f->arena }, middle.value);
    return middle;
}

/* a < b < c: b is evaluated once, c only if a < b. */
Operand lower_compare(FnState *f, const AstExpr *expr)
{
    AstExpr *const first[] = { expr->compare.first, expr->compare.rest[0] };
    Operand operands[2];
    lower_list(f, first, 2, operands);
    if (expr->compare.count > 1)
        stabilize_middle(f, &operands[1]);
    IrValue *result = lower_link(f, expr->compare.ops[0], operands[0], operands[1],
                                 expr->compare.first, expr->compare.rest[0], expr->span);
    Operand left = read_again(f, operands[1]);
    for (int i = 1; i < expr->compare.count; i++) {
        Apart apart;
        apart_open(f, &apart);
        Operand right = lower_maybe(f, expr->compare.rest[i]);
        if (left.kind == OPD_VALUE)
            keep_before(f, f->region->first, &left.value);
        if (i + 1 < expr->compare.count)
            stabilize_middle(f, &right);
        IrValue *link = lower_link(f, expr->compare.ops[i], left, right, expr->compare.rest[i - 1],
                                   expr->compare.rest[i], expr->span);
        apart_close(f, &apart);
        result = apart_combine(f, OP_and_then, result, &apart, link, expr->span);
        left = i + 1 < expr->compare.count ? read_again(f, right) : right;
    }
    return operand_value(result);
}

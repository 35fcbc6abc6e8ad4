/* Tuples: slices, order, and loops that are unrolled over items of several types. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

Operand *tuple_operands(FnState *f, IrValue *tuple, const char *name, int *count, Span span)
{
    tuple = stable_tuple(f, tuple, name);
    *count = tuple->type->tuple.count;
    Operand *operands = arena_array(f->arena, Operand, *count + 1);
    for (int i = 0; i < *count; i++)
        operands[i] = thing_operand(f, operand_value(ir_item(f->arena, tuple, i, span)));
    return operands;
}

/* ---- slices ------------------------------------------------------------------------------- */

/* A bound of a slice as Python clips it; false after a complaint. */
static bool read_bound(FnState *f, IrValue *value, int64_t otherwise, int64_t *bound)
{
    IrValue *known = value ? literal_value(f, value) : NULL;
    *bound = otherwise;
    if (!value)
        return true;
    if (!known || !type_is_integer(known->type))
        return fail(f, value->span,
                    "the bounds of a tuple's slice are known when the kernel is compiled");
    *bound = known->constant.integer;
    return true;
}

static int64_t clip(int64_t bound, int64_t count, int64_t low, int64_t high)
{
    bound += bound < 0 ? count : 0;
    return bound < low ? low : bound > high ? high : bound;
}

Operand tuple_slice(FnState *f, IrValue *tuple, const Operand *slice, Span span)
{
    int64_t count = tuple->type->tuple.count, step, start, stop;
    if (!read_bound(f, slice->slice.step, 1, &step))
        return operand_error(span);
    if (step == 0)
        return fail_operand(f, span, "the step of a slice cannot be 0");
    bool back = step < 0;
    bool given_start = slice->slice.start, given_stop = slice->slice.stop;
    if (!read_bound(f, slice->slice.start, back ? count - 1 : 0, &start) ||
        !read_bound(f, slice->slice.stop, back ? -1 : count, &stop))
        return operand_error(span);
    if (given_start)
        start = clip(start, count, back ? -1 : 0, back ? count - 1 : count);
    if (given_stop)
        stop = clip(stop, count, back ? -1 : 0, back ? count - 1 : count);
    if (step > count + 1 || step < -count - 1) /* one item, whichever: no overflow below */
        step = back ? -count - 1 : count + 1;
    int64_t length = back ? (start - stop - step - 1) / -step : (stop - start + step - 1) / step;
    length = length < 0 ? 0 : length;
    tuple = stable_tuple(f, tuple, "_tuple");
    IrValue *part = ir_value(f->arena, OP_tuple, type_error, span, (int)length);
    const Type **types = arena_array(f->arena, const Type *, length + 1);
    for (int i = 0; i < (int)length; i++) {
        part->operands[i] = ir_item(f->arena, tuple, (int)(start + i * step), span);
        types[i] = part->operands[i]->type;
    }
    part->type = type_tuple(f->types, types, (int)length);
    return operand_value(part);
}

/* ---- repetition, and what is in a tuple ------------------------------------------------------ */

IrValue *tuple_repeat(FnState *f, IrValue *tuple, IrValue *times, Span span)
{
    enum { MOST = 1024 };
    IrValue *known = literal_value(f, times);
    int64_t iterations = known && known->constant.integer > 0 ? known->constant.integer : 0;
    int items = tuple->type->tuple.count;
    if (!known || iterations * items > MOST || iterations > MOST)
        return fail_value(
            f, times->span,
            "a tuple is repeated a number of times that is known when the kernel is compiled, to "
            "at "
            "most %d items",
            MOST);
    int count = items * (int)iterations;
    tuple = stable_tuple(f, tuple, "_tuple");
    IrValue *result = ir_value(f->arena, OP_tuple, type_error, span, count);
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++) {
        result->operands[i] = ir_item(f->arena, tuple, i % items, span);
        types[i] = result->operands[i]->type;
    }
    result->type = type_tuple(f->types, types, count);
    return result;
}

/* point._replace(x=1): a namedtuple with other items. */
static Operand items_replaced(FnState *f, const Call *call, IrValue *tuple)
{
    int count = tuple->type->tuple.count;
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *made = ir_value(f->arena, OP_tuple, tuple->type, call->span, count);
    tuple = lower_stable(f, tuple, "_tuple");
    for (int i = 0; i < count; i++)
        made->operands[i] = ir_item(f->arena, tuple, i, call->span);
    for (int i = 0; i < call->expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->expr->call.keywords[i];
        int at = keyword->name ? type_find_item(tuple->type, keyword->name) : -1;
        if (at < 0)
            return fail_operand(f, keyword->span, "%s has no '%s'",
                                describe(f, operand_value(tuple)),
                                keyword->name ? keyword->name : "**");
        made->operands[at] = operand_as_value(f, call->args[call->count + i], keyword->value);
        if (is_poison(made->operands[at]))
            return operand_error(call->span);
    }
    for (int i = 0; i < count; i++)
        types[i] = made->operands[i]->type;
    made->type = type_tuple_named(f->types, types, count, tuple->type->tuple.names);
    return operand_value(made);
}

Operand lower_tuple_method(FnState *f, const Call *call, IrValue *tuple, const char *name)
{
    if (strcmp(name, "_replace") == 0 && call->count == 0)
        return items_replaced(f, call, tuple);
    bool count = strcmp(name, "count") == 0;
    if (!count && strcmp(name, "index") != 0)
        return fail_operand(f, call->span, "a tuple has the methods count and index, not '%s'",
                            name);
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    Operand args[] = { operand_value(tuple), call->args[0] };
    return lower_library_call(f, call->expr, count ? "_count" : "_index", args, 2);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* The first items that differ decide; if none do, the lengths. From the back: the rest decides
** where this pair is equal. */
IrValue *tuple_order(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    int a = left->type->tuple.count, b = right->type->tuple.count, both = a < b ? a : b;
    bool less = op == AST_LT || op == AST_LE;
    bool rest = a == b ? op != AST_LT && op != AST_GT : less ? a < b : a > b;
    IrValue *result = ir_integer(f->arena, type_bool, rest, span);
    left = stable_tuple(f, left, "_left");
    right = stable_tuple(f, right, "_right");
    for (int i = both - 1; i >= 0; i--) {
        IrValue *x = lower_stable(f, ir_item(f->arena, left, i, span), "_x");
        IrValue *y = lower_stable(f, ir_item(f->arena, right, i, span), "_y");
        IrValue *same = compare_values(f, AST_EQ, x, y, span);
        IrValue *decides = compare_values(f, less ? AST_LT : AST_GT, x, y, span);
        if (is_poison(same) || is_poison(decides))
            return lower_poison(f, span);
        result = ir_select(f->arena, same, result, decides, span);
    }
    return result;
}

/* ---- literal_unroll ------------------------------------------------------------------------- */

static bool leaves_loop(const AstBody *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstStmt *stmt = body->items[i];
        if (stmt->kind == AST_BREAK || stmt->kind == AST_CONTINUE)
            return true;
        const AstBody *bodies[2];
        int count = ast_bodies(stmt, bodies);
        bool loop = stmt->kind == AST_FOR || stmt->kind == AST_WHILE;
        for (int k = loop ? 1 : 0; k < count; k++)
            if (leaves_loop(bodies[k]))
                return true;
    }
    return false;
}

void lower_unrolled(FnState *f, const AstStmt *stmt, IrValue *tuple)
{
    if (leaves_loop(&stmt->for_.body)) {
        fail(f, stmt->span,
             "a loop over literal_unroll() is no loop when it runs: it has no "
             "'break' and no 'continue'");
        return;
    }
    tuple = stable_tuple(f, tuple, "_tuple");
    for (int i = 0; i < tuple->type->tuple.count && f->reachable; i++) {
        lower_assign(f, stmt->for_.target,
                     operand_value(ir_item(f->arena, tuple, i, stmt->for_.iterable->span)));
        lower_body(f, &stmt->for_.body);
    }
    if (f->reachable)
        lower_body(f, &stmt->for_.otherwise);
}

/* range(...): a compile-time thing that loops walk, that has a length, holds numbers and gives them
** by index. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* numba's type of a range's counter: of int32, int64 and uint64 what the bounds become with the
** least harm, and the first of these where that is the same. */
static const Type *range_type(IrValue *const *bounds, int count)
{
    static const int harm[] = {
        [CONVERSION_PROMOTE] = 1, [CONVERSION_SAFE] = 8, [CONVERSION_UNSAFE] = 64
    };
    const Type *counters[] = { type_int32, type_int64, type_uint64 }, *best = NULL;
    int least = 0;
    for (size_t i = 0; i < ARRAY_COUNT(counters); i++) {
        int sum = 0;
        for (int k = 0; k < count; k++)
            sum += harm[typing_conversion(bounds[k]->type, counters[i])];
        if (best && sum >= least)
            continue;
        best = counters[i];
        least = sum;
    }
    return best;
}

/* range(..., unroll=N): so many iterations side by side, True for all of them. */
static bool read_unroll(FnState *f, const Call *call, int *unroll)
{
    const AstExpr *expr = call->expr;
    *unroll = 0;
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        if (!keyword->name || strcmp(keyword->name, "unroll") != 0)
            return fail(f, keyword->span, "range has no keyword '%s'; it has 'unroll'",
                        keyword->name ? keyword->name : "**");
        const Operand *given = &call->args[call->count + i];
        IrValue *value = given->kind == OPD_VALUE ? literal_value(f, given->value) : NULL;
        bool flag = value && value->type->kind == TY_BOOL;
        int64_t number =
            value && (flag || type_is_integer(value->type)) ? value->constant.integer : -1;
        if (number < 0 || number > UNROLL_ALL)
            return fail(
                f, keyword->value->span,
                "unroll takes a number from 0 to %d, known when the kernel is compiled, or True",
                UNROLL_ALL);
        *unroll = flag ? (number ? UNROLL_ALL : 1) : number ? (int)number : 1;
    }
    return true;
}

/* Whether a number can be a bound; complains if not. Floats are truncated, as by numba, where
** Python raises. */
static bool is_bound(FnState *f, const Call *call, int index, const IrValue *bound)
{
    if (type_is_float(bound->type)) {
        remark_truncated(f, bound, call->args[index].span);
        return true;
    }
    if (type_is_integer(bound->type) || bound->type->kind == TY_BOOL)
        return true;
    if (!is_poison(bound))
        fail(f, call->args[index].span, "range takes integers, and this is %s",
             describe(f, call->args[index]));
    return false;
}

Operand lower_range(FnState *f, const Call *call)
{
    int unroll;
    if (!call_takes(f, call, 1, 3) || !read_unroll(f, call, &unroll))
        return operand_error(call->span);
    IrValue *bounds[3];
    for (int i = 0; i < call->count; i++) {
        bounds[i] = call_value(f, call, i);
        if (!is_bound(f, call, i, bounds[i]))
            return operand_error(call->span);
    }
    const Type *type = range_type(bounds, call->count);
    Operand range = { .kind = OPD_RANGE, .span = call->span };
    range.unroll = unroll;
    IrValue *zero = ir_integer(f->arena, type, 0, call->span);
    range.range[0] = call->count == 1 ? zero : cast(f, type, bounds[0]);
    range.range[1] = cast(f, type, bounds[call->count == 1 ? 0 : 1]);
    range.range[2] =
        call->count == 3 ? cast(f, type, bounds[2]) : ir_integer(f->arena, type, 1, call->span);
    if (ir_is_constant(range.range[2]) && range.range[2]->constant.integer == 0)
        return fail_operand(f, call->args[2].span,
                            type_is_float(bounds[2]->type)
                                ? "a range counts in integers, and this is 0 as one"
                                : "the step of a range cannot be 0");
    if (is_reported(f)) {
        range.range[2] = lower_stable(f, range.range[2], "_step");
        lower_fault_if(f, ir_binary(f->arena, OP_eq, range.range[2], zero, call->span),
                       "ValueError: the step of a range is zero", call->span);
    }
    return range;
}

/* ---- as an object ---------------------------------------------------------------------------- */

/* How many iterations a range takes, as int64; counted in uint64, which holds every distance. */
IrValue *range_length(FnState *f, const Operand *range, Span span)
{
    Arena *arena = f->arena;
    IrValue *start = range->range[0], *stop = range->range[1], *step = range->range[2];
    IrValue *zero = ir_integer(arena, step->type, 0, span);
    IrValue *one = ir_integer(arena, type_uint64, 1, span);
    IrValue *forward = ir_binary(arena, OP_gt, step, zero, span);
    IrValue *some = ir_select(arena, forward, ir_binary(arena, OP_lt, start, stop, span),
                              ir_binary(arena, OP_gt, start, stop, span), span);
    start = cast(f, type_uint64, start);
    stop = cast(f, type_uint64, stop);
    step = cast(f, type_uint64, step);
    IrValue *distance = ir_select(arena, forward, ir_binary(arena, OP_sub, stop, start, span),
                                  ir_binary(arena, OP_sub, start, stop, span), span);
    IrValue *stride = ir_select(
        arena, forward, step,
        ir_binary(arena, OP_sub, ir_integer(arena, type_uint64, 0, span), step, span), span);
    IrValue *iterations = ir_binary(
        arena, OP_add,
        ir_binary(arena, OP_floordiv, ir_binary(arena, OP_sub, distance, one, span), stride, span),
        one, span);
    return ir_select(arena, some, ir_cast(arena, type_int64, iterations, span),
                     ir_integer(arena, type_int64, 0, span), span);
}

IrValue *range_item(FnState *f, const Operand *range, IrValue *index, Span span)
{
    const Type *type = range->range[0]->type;
    IrValue *step = ir_binary(f->arena, OP_mul, cast(f, type, index), range->range[2], span);
    return ir_binary(f->arena, OP_add, range->range[0], step, span);
}

Operand range_attribute(FnState *f, const Operand *range, const AstExpr *expr)
{
    static const char *const names[] = { "start", "stop", "step" };
    for (int i = 0; i < 3; i++)
        if (strcmp(expr->attribute.name, names[i]) == 0)
            return operand_value(range->range[i]);
    return fail_operand(f, expr->attribute.name_span, "a range has start, stop and step");
}

/* Python's index: a negative one counts from the end. Those out of range are reported under
** debug. */
Operand range_index(FnState *f, Operand *range, IrValue *index, Span span)
{
    for (int i = 0; i < 3; i++)
        range->range[i] = lower_stable(f, range->range[i], "_range");
    index = lower_stable(f, cast(f, type_int64, index), "_index");
    IrValue *zero = ir_integer(f->arena, type_int64, 0, span);
    IrValue *length = range_length(f, range, span);
    IrValue *from_end = ir_binary(f->arena, OP_add, index, length, span);
    IrValue *negative = ir_binary(f->arena, OP_lt, index, zero, span);
    IrValue *at = ir_select(f->arena, negative, from_end, index, span);
    if (is_reported(f)) {
        at = lower_stable(f, at, "_index");
        IrValue *low = ir_binary(f->arena, OP_lt, at, zero, span);
        IrValue *high = ir_binary(f->arena, OP_ge, at, length, span);
        lower_fault_if(f, ir_binary(f->arena, OP_or, low, high, span),
                       "IndexError: the index is out of range for a range", span);
    }
    return operand_value(range_item(f, range, at, span));
}

/* a - b of two int64, of which a is not less, as a uint64. */
static IrValue *difference(FnState *f, IrValue *a, IrValue *b, Span span)
{
    return ir_binary(f->arena, OP_sub, ir_cast(f->arena, type_uint64, a, span),
                     ir_cast(f->arena, type_uint64, b, span), span);
}

IrValue *range_contains(FnState *f, Operand *range, IrValue *value, Span span)
{
    if (!type_is_integer(value->type) && value->type->kind != TY_BOOL) {
        if (!is_poison(value))
            fail(f, value->span, "a range holds integers, and this is %s",
                 describe(f, operand_value(value)));
        return lower_poison(f, span);
    }
    for (int i = 0; i < 3; i++)
        range->range[i] = lower_stable(f, range->range[i], "_range");
    value = lower_stable(f, cast(f, type_int64, value), "_item");
    IrValue *start = cast(f, type_int64, range->range[0]);
    IrValue *stop = cast(f, type_int64, range->range[1]);
    IrValue *step = cast(f, type_int64, range->range[2]);
    IrValue *zero = ir_integer(f->arena, type_int64, 0, span);
    IrValue *up = lower_stable(f, ir_binary(f->arena, OP_gt, step, zero, span), "_up");
    IrValue *above =
        ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_le, start, value, span),
                  ir_binary(f->arena, OP_lt, value, stop, span), span);
    IrValue *below = ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_lt, stop, value, span),
                               ir_binary(f->arena, OP_le, value, start, span), span);
    /* Without sign, as the distance of two int64 may be beyond them. */
    IrValue *distance = difference(f, ir_select(f->arena, up, value, start, span),
                                   ir_select(f->arena, up, start, value, span), span);
    IrValue *size = difference(f, ir_select(f->arena, up, step, zero, span),
                               ir_select(f->arena, up, zero, step, span), span);
    IrValue *on = ir_binary(f->arena, OP_eq, ir_binary(f->arena, OP_mod, distance, size, span),
                            ir_integer(f->arena, type_uint64, 0, span), span);
    return ir_binary(f->arena, OP_and_then, ir_select(f->arena, up, above, below, span), on, span);
}

/* The lesser or greater of sums that may take a bit more than an int32 has, of which the low 32
** alone are asked for:
**
**     least: int64 = min(add(cast<int64>(a), 1), add(cast<int64>(b), cost))
**     store row[j] = cast<int32>(least)
** becomes
**     least: int32 = add(min(a, b), select(lt(a, b), 1, cost))
**     store row[j] = least
**
** (the sum by unsigned numbers, which may overflow), where cost is 0 or 1. So do tables of
** distances and of scores, in which each element comes of its neighbours.
**
** LEGAL if a and b are numbers of 32 bits, and what is added to one of them is always as much as
** what is added to the other, or one more. Then a + 1 < b + cost is a < b or, where it is not, both
** sums are the same: the lesser sum is that of the lesser of a and b. Where both add the same
** number, nothing need be chosen.
**
** PAYS where the sums do not fit, which a GPU adds and compares by several instructions. */
#include "ir/clone.h"
#include "ir/simplify/narrow.h"

typedef struct LeastTerm {
    IrValue *base;     /* an int32 */
    const IrValue *by; /* what is added to it; NULL: nothing */
    Interval range;    /* of that */
} LeastTerm;

static bool is_least(const IrValue *value)
{
    return value->op == OP_intrinsic && value->count == 2 && value->type == type_int64 &&
           (value->intrinsic == INTR_min || value->intrinsic == INTR_max);
}

static IrValue *int32_least(const Narrow *n, IrIntrinsic which, IrValue *a, IrValue *b, Span span)
{
    return ir_intrinsic(n->arena, which, type_int32, span, a, b, NULL);
}

static bool term_of(Narrow *n, const IrValue *value, LeastTerm *term)
{
    if (narrow_fits(n, value)) {
        *term = (LeastTerm){ narrow_as_int32(n, value), NULL, interval_from(0, 0) };
        return true;
    }
    for (int i = 0; i < 2 && value->op == OP_add; i++) {
        const IrValue *base = value->operands[i], *by = value->operands[1 - i];
        Interval range = bounds_of(n->bounds, by);
        if (!narrow_fits(n, base) || !interval_within(range, interval_from(-1, 1)))
            continue;
        *term = (LeastTerm){ narrow_as_int32(n, base), by, range };
        return true;
    }
    LeastTerm terms[2];
    if (!is_least(value) || !term_of(n, value->operands[0], &terms[0]) ||
        !term_of(n, value->operands[1], &terms[1]) || terms[0].range.low != terms[0].range.high ||
        !interval_same(terms[0].range, terms[1].range))
        return false;
    *term = terms[0];
    term->base = int32_least(n, value->intrinsic, terms[0].base, terms[1].base, value->span);
    return true;
}

/* What is added, an int32. */
static IrValue *added(Narrow *n, const LeastTerm *term)
{
    return term->by ? narrow_as_int32(n, term->by)
                    : ir_integer(n->arena, type_int32, 0, term->base->span);
}

static IrValue *wrapping_sum(Narrow *n, IrValue *base, IrValue *by)
{
    Span span = base->span;
    IrValue *sum = ir_binary(n->arena, OP_add, ir_cast(n->arena, type_uint32, base, span),
                             ir_cast(n->arena, type_uint32, by, span), span);
    return ir_cast(n->arena, type_int32, sum, span);
}

/* Whether what is added to the second is as much as what is added to the first, or up to `less`
** less and `more` more. */
static bool differs(const LeastTerm *terms, int less, int more)
{
    return terms[1].range.low - terms[0].range.high >= -less &&
           terms[1].range.high - terms[0].range.low <= more;
}

IrValue *narrow_least(Narrow *n, const IrValue *value)
{
    LeastTerm terms[2], all;
    if (!is_least(value) || ir_value_effects(value) & EFFECT_ORDERED)
        return NULL;
    if (term_of(n, value, &all))
        return all.by ? wrapping_sum(n, all.base, added(n, &all)) : all.base;
    for (int i = 0; i < 2; i++)
        if (!term_of(n, value->operands[i], &terms[i]))
            return NULL;
    const Span span = value->span;
    bool least = value->intrinsic == INTR_min, strict = differs(terms, 1, 0);
    if (!strict && !differs(terms, 0, 1))
        return NULL;
    IrOp first = least ? (strict ? OP_lt : OP_le) : (strict ? OP_ge : OP_gt);
    IrValue *is_first = ir_binary(n->arena, first, terms[0].base, terms[1].base, span);
    IrValue *by = ir_select(n->arena, is_first, added(n, &terms[0]), added(n, &terms[1]), span);
    IrValue *base = int32_least(n, value->intrinsic, ir_copy_value(n->arena, terms[0].base),
                                ir_copy_value(n->arena, terms[1].base), span);
    return wrapping_sum(n, base, by);
}

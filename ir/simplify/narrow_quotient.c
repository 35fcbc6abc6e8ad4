/* Quotients and remainders by what may take more than 32 bits:
**
**     q = floordiv(i, mul(w, h))
** becomes, of an int32 i
**     q = floordiv(i, cast<int32>(max(min(mul(w, h), 2147483647), -2147483647)))
**
** LEGAL where 0 <= i < 2147483647: the greatest int32 is as good a divisor as any greater one, and
** the least but one as good as any below, whose quotients are 0 and -1, too. Remainders by negative
** numbers are not those.
**
** PAYS always: the divisor is the same for all threads, and a division of 64 bits takes a GPU a
** hundred instructions. */
#include "ir/simplify/narrow.h"

static bool is_served(Narrow *n, const IrValue *value)
{
    Interval range = bounds_of(n->bounds, value->operands[0]);
    Interval by = bounds_of(n->bounds, value->operands[1]);
    return type_is_signed(value->type) && range.low >= 0 && range.high < INT32_MAX &&
           !interval_fits(by, type_int32) && (value->op == OP_floordiv || by.low >= 1);
}

static IrValue *clamped(const Narrow *n, IrIntrinsic which, IrValue *value, int64_t number)
{
    return ir_intrinsic(n->arena, which, value->type, value->span, value,
                        ir_integer(n->arena, value->type, number, value->span), NULL);
}

IrValue *narrow_quotient(Narrow *n, const IrValue *value)
{
    if ((value->op != OP_floordiv && value->op != OP_mod) || !is_served(n, value))
        return NULL;
    bool positive = bounds_of(n->bounds, value->operands[1]).low >= 1;
    IrValue *by = narrow_value(n, value->operands[1]);
    ir_take_sign(by, positive);
    by = clamped(n, INTR_min, by, INT32_MAX);
    by = positive ? by : clamped(n, INTR_max, by, -INT32_MAX);
    by = ir_cast(n->arena, type_int32, by, value->span);
    by->index = CAST_FITS;
    IrValue *made =
        ir_binary(n->arena, value->op, narrow_as_int32(n, value->operands[0]), by, value->span);
    ir_take_sign(made->operands[0], true);
    return made;
}

#include "ir/analysis/range/interval.h"
#include "base/arith.h"

enum { BEYOND_MAX = 1 << 30 };

static IrWide least(IrWide a, IrWide b)
{
    return a < b ? a : b;
}

static IrWide most(IrWide a, IrWide b)
{
    return a > b ? a : b;
}

Interval interval_of_type(const Type *type)
{
    if (type->kind == TY_BOOL)
        return interval_from(0, 1);
    if (!type_is_integer(type))
        return interval_everything();
    int bits = (int)type_size(type) * 8;
    if (type_is_unsigned(type))
        return interval_from(0, ((IrWide)1 << bits) - 1);
    return interval_from(-((IrWide)1 << (bits - 1)), ((IrWide)1 << (bits - 1)) - 1);
}

/* What launches promise of a sum: NARROW_SLACK is kept for what a pass adds. */
static IrWide reach_limit(int reach)
{
    if (reach == REACH_THREADS)
        return NARROW_THREADS;
    return reach == REACH_EXTENT ? (IrWide)INT32_MAX - NARROW_SLACK - 1
                                 : (IrWide)INT32_MAX - NARROW_SLACK;
}

/* Makes the upper ends agree, and forgets a reach that says nothing. */
static Interval settle(Interval a)
{
    if (a.beyond > BEYOND_MAX || a.beyond < -BEYOND_MAX)
        a.reach = 0;
    if (a.reach)
        a.high = least(a.high, reach_limit(a.reach) + a.beyond);
    else
        a.beyond = 0;
    return a;
}

Interval interval_reaching(IrWide low, int reach, int64_t beyond)
{
    return settle((Interval){ low, INTERVAL_EDGE, reach, beyond });
}

bool interval_fits(Interval a, const Type *type)
{
    return interval_within(a, interval_of_type(type));
}

/* Extents and numbers of threads are never negative: what is at most a number is at most that
** beyond them. */
static int64_t beyond_of(Interval a)
{
    if (a.reach)
        return a.beyond;
    return (int64_t)most(least(a.high, (IrWide)1 << 40), -((IrWide)1 << 40));
}

Interval interval_join(Interval a, Interval b)
{
    if (interval_empty(a))
        return b;
    if (interval_empty(b))
        return a;
    int64_t x = beyond_of(a), y = beyond_of(b);
    return settle((Interval){ .low = least(a.low, b.low),
                              .high = most(a.high, b.high),
                              .reach = a.reach | b.reach,
                              .beyond = x > y ? x : y });
}

Interval interval_meet(Interval a, Interval b)
{
    bool other =
        b.reach && (!a.reach || b.reach < a.reach || (b.reach == a.reach && b.beyond < a.beyond));
    return settle((Interval){ .low = most(a.low, b.low),
                              .high = least(a.high, b.high),
                              .reach = other ? b.reach : a.reach,
                              .beyond = other ? b.beyond : a.beyond });
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* The reach of a sum: of both, or of one and the other's number. */
static void add_reach(Interval *sum, Interval a, Interval b)
{
    IrWide beyond = (IrWide)(a.reach ? a.beyond : a.high) + (b.reach ? b.beyond : b.high);

    if (a.reach & b.reach) /* twice the same is not bounded: one by its number */
        beyond = (IrWide)a.beyond + b.high;
    sum->reach = a.reach & b.reach ? a.reach : a.reach | b.reach;
    if (beyond > BEYOND_MAX || beyond < -BEYOND_MAX)
        sum->reach = 0;
    sum->beyond = sum->reach ? (int64_t)beyond : 0;
}

Interval interval_add_reaching(Interval a, Interval b)
{
    Interval sum = interval_from(a.low + b.low, a.high + b.high);
    add_reach(&sum, a, b);
    return settle(sum);
}

Interval interval_scale(Interval a, int64_t factor)
{
    if (factor == 1)
        return a;
    if (interval_empty(a))
        return interval_none();
    if (!interval_tame(a) || !interval_tame(interval_from(factor, factor)))
        return interval_everything();
    IrWide low = a.low * factor, high = a.high * factor;
    Interval product = factor < 0 ? interval_from(high, low) : interval_from(low, high);
    return interval_within(product, interval_everything()) ? product : interval_everything();
}

Interval interval_multiply(Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_none();
    if (!interval_tame(a) || !interval_tame(b))
        return interval_everything();
    IrWide p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    IrWide low = least(least(p, q), least(r, s)), high = most(most(p, q), most(r, s));
    if (low < -INTERVAL_WHOLE || high > INTERVAL_WHOLE)
        return interval_everything();
    return interval_from(low, high);
}

/* Numbers of 64 bits are divided in a tenth of the time. */
static IrWide floor_divide(IrWide a, IrWide b)
{
    if (a == (int64_t)a && b == (int64_t)b && b > 0)
        return floor_quotient((int64_t)a, (int64_t)b);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* By what is certain to be above 0. */
static Interval divide(Interval a, Interval b)
{
    if (b.low < 0 || (b.low == 0 && a.low < 0)) { /* by 1 or -1 is the farthest from 0 */
        IrWide far = most(most(a.high, -a.low), 0);
        return interval_from(-far, far);
    }
    if (b.low == 0) { /* by 0 gives 0 */
        a.low = 0;
        return a;
    }
    Interval quotient =
        interval_from(least(floor_divide(a.low, b.low), floor_divide(a.low, b.high)),
                      most(floor_divide(a.high, b.low), floor_divide(a.high, b.high)));
    if (a.low >= 0) {
        quotient.reach = a.reach;
        quotient.beyond = a.beyond;
    }
    return settle(quotient);
}

static Interval modulo(Interval a, Interval b)
{
    if (b.low < 0) /* nearer to 0 than the divisor, whose sign it has */
        return interval_from(b.low + 1, most(b.high - 1, 0));
    Interval rest = interval_add(b, interval_from(-1, -1));
    rest.low = 0;
    rest.high = most(rest.high, 0);
    if (rest.beyond < 0)
        rest.reach = 0;
    if (b.low > a.high && a.low >= 0)
        return a;
    if (a.low >= 0)
        rest.high = least(rest.high, a.high);
    return settle(rest);
}

static Interval shift_right(Interval a, Interval b)
{
    if (b.low < 0 || b.high > 63)
        return interval_everything();
    return divide(a, interval_from((IrWide)1 << (int)b.low, (IrWide)1 << (int)b.high));
}

static Interval shift_left(Interval a, Interval b)
{
    if (b.low < 0 || b.high > 60)
        return interval_everything();
    return interval_multiply(a, interval_from((IrWide)1 << (int)b.low, (IrWide)1 << (int)b.high));
}

/* One less than the power of two above what is not negative. */
static IrWide all_bits(IrWide high)
{
    IrWide bits = 0;
    while (bits < high)
        bits = bits * 2 + 1;
    return bits;
}

static Interval bitwise(IrOp op, Interval a, Interval b)
{
    if (op == OP_and && (a.low >= 0 || b.low >= 0)) {
        IrWide high = a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high);
        return interval_from(0, high);
    }
    if (a.low >= 0 && b.low >= 0)
        return interval_from(0, all_bits(most(a.high, b.high)));
    IrWide bits = all_bits(most(most(a.high, b.high), most(-1 - a.low, -1 - b.low)));
    return interval_from(-1 - bits, bits);
}

Interval interval_binary(IrOp op, Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_none();
    switch ((int)op) {
    case OP_add:
        return interval_add(a, b);
    case OP_sub:
        return interval_add(a, interval_negate(b));
    case OP_mul:
        return interval_multiply(a, b);
    case OP_floordiv:
        return divide(a, b);
    case OP_mod:
        return modulo(a, b);
    case OP_shl:
        return shift_left(a, b);
    case OP_shr:
        return shift_right(a, b);
    case OP_and:
    case OP_or:
    case OP_xor:
        return bitwise(op, a, b);
    default:
        return interval_everything();
    }
}

Interval interval_min(Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_none();
    Interval both = interval_meet(a, b);
    both.low = least(a.low, b.low);
    return both;
}

Interval interval_max(Interval a, Interval b)
{
    if (interval_empty(a) || interval_empty(b))
        return interval_none();
    Interval both = interval_join(a, b);
    both.low = most(a.low, b.low);
    return both;
}

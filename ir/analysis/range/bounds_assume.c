/* What holds where a condition does, or does not. */
#include "ir/analysis/range/bounds_state.h"

#include <math.h>

/* ---- integers -------------------------------------------------------------------------------- */

/* As a sum, if need be of an atom made for it. */
static BoundedValue with_form(IrBounds *b, BoundedValue known)
{
    if (known.form.count < 0)
        known.form = linear_of_atom(bounds_new_atom(b, known.range));
    return known;
}

static BoundedValue summed(IrBounds *b, const IrValue *value)
{
    return with_form(b, bounds_known(b, value));
}

/* x <= y - less */
static void assume_at_most(IrBounds *b, const BoundedValue *x, const BoundedValue *y, int less)
{
    Interval any = interval_everything();
    Interval high = interval_add(y->range, interval_from(-less, -less)), low = any;
    Linear difference = linear_add(b, &y->form, &x->form, -1);
    Linear number = linear_number(-less);

    if (interval_empty(x->range) || interval_empty(y->range))
        return;
    high.low = any.low;
    low.low = x->range.low + less;
    bounds_tighten(b, &x->form, high);
    bounds_tighten(b, &y->form, low);
    difference = linear_add(b, &difference, &number, 1);
    if (difference.count < 0)
        return;
    bounds_tighten(b, &difference, interval_from(0, any.high));
    bounds_add_fact(b, &difference);
}

void bounds_assume_less(IrBounds *b, const BoundedValue *x, const BoundedValue *y)
{
    BoundedValue less = with_form(b, *x), more = with_form(b, *y);
    assume_at_most(b, &less, &more, 1);
}

/* x != y, which says something where one is at an end of what the other can be. */
static void assume_differs(IrBounds *b, const BoundedValue *x, const BoundedValue *y)
{
    Interval range = x->range;
    if (y->range.low != y->range.high)
        return;
    range.low += range.low == y->range.low;
    range.high -= range.high == y->range.low;
    bounds_tighten(b, &x->form, range);
}

static bool is_choice(const IrValue *value, IrIntrinsic which)
{
    return value->op == OP_intrinsic && value->intrinsic == which;
}

static void assume_integers(IrBounds *b, IrOp op, const IrValue *left, const IrValue *right)
{
    bool less = op == OP_lt || op == OP_le, more = op == OP_gt || op == OP_ge;
    /* less than the least, or more than the most: than both */
    if ((less && is_choice(right, INTR_min)) || (more && is_choice(right, INTR_max)))
        for (int i = 0; i < 2; i++)
            assume_integers(b, op, left, right->operands[i]);
    if ((less && is_choice(left, INTR_max)) || (more && is_choice(left, INTR_min)))
        for (int i = 0; i < 2; i++)
            assume_integers(b, op, left->operands[i], right);
    BoundedValue x = summed(b, left), y = summed(b, right);
    switch ((int)op) {
    case OP_lt:
    case OP_le:
        assume_at_most(b, &x, &y, op == OP_lt);
        return;
    case OP_gt:
    case OP_ge:
        assume_at_most(b, &y, &x, op == OP_gt);
        return;
    case OP_eq:
        assume_at_most(b, &x, &y, 0);
        assume_at_most(b, &y, &x, 0);
        return;
    case OP_ne:
        assume_differs(b, &x, &y);
        assume_differs(b, &y, &x);
        return;
    default:
        return;
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* Beyond what any integer of 64 bits is. */
#define FAR 0x1p70

static bool float_range(IrBounds *b, const IrValue *value, double *low, double *high);

/* The ends of two operands, which are numbers that are finite. */
static bool operand_ranges(IrBounds *b, const IrValue *value, double ends[2][2])
{
    for (int i = 0; i < 2; i++)
        if (!float_range(b, value->operands[i], &ends[i][0], &ends[i][1]) ||
            fabs(ends[i][0]) > FAR || fabs(ends[i][1]) > FAR)
            return false;
    return true;
}

/* What rounding may take away or add where a product and a sum are rounded once or twice, or terms
** of that size in another order. Rounding by itself keeps the order of numbers. */
static double slack_of(const IrValue *value, double size)
{
    return size * (value->type == type_float32 ? 0x1p-20 : 0x1p-48);
}

static bool sum_range(IrBounds *b, const IrValue *value, double *low, double *high)
{
    double ends[2][2];
    if (!operand_ranges(b, value, ends))
        return false;
    bool minus = value->op == OP_sub;
    *low = minus ? ends[0][0] - ends[1][1] : ends[0][0] + ends[1][0];
    *high = minus ? ends[0][1] - ends[1][0] : ends[0][1] + ends[1][1];
    if (value->type != type_float64) {
        double size = 0;
        for (int i = 0; i < 2; i++)
            size += fmax(fabs(ends[i][0]), fabs(ends[i][1]));
        *low -= slack_of(value, size);
        *high += slack_of(value, size);
    }
    return true;
}

/* Products, and quotients by what is never 0: the ends are at ends of both. */
static bool product_range(IrBounds *b, const IrValue *value, double *low, double *high)
{
    double ends[2][2];
    bool divides = value->op == OP_div;
    if (!operand_ranges(b, value, ends) || (divides && ends[1][0] <= 0 && ends[1][1] >= 0))
        return false;
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double x = ends[0][i / 2], y = ends[1][i % 2], number = divides ? x / y : x * y;
        *low = fmin(*low, number);
        *high = fmax(*high, number);
    }
    double size = fmax(fabs(*low), fabs(*high));
    *low -= slack_of(value, size);
    *high += slack_of(value, size);
    return size <= FAR;
}

/* Of functions that keep the order of numbers. */
static bool intrinsic_range(IrBounds *b, const IrValue *value, double *low, double *high)
{
    double (*whole)(double) = value->intrinsic == INTR_floor  ? floor
                              : value->intrinsic == INTR_ceil ? ceil
                                                              : NULL;
    if (!whole || !float_range(b, value->operands[0], low, high))
        return false;
    *low = whole(*low);
    *high = whole(*high);
    return true;
}

/* Of a variable that holds a number: what is known of it lacks the fraction. */
static bool var_range(const IrBounds *b, const IrValue *value, double *low, double *high)
{
    const IrVar *var = bounds_float_var(value);
    int atom = var ? linear_atom(&b->vars[var->id].now.form) : -1;
    if (atom < 0 || !b->atoms[atom].number)
        return false;
    *low = (double)(b->atoms[atom].range.low - 1);
    *high = (double)(b->atoms[atom].range.high + 1);
    return true;
}

static bool cast_range(IrBounds *b, const IrValue *value, double *low, double *high)
{
    const IrValue *from = value->operands[0];
    if (type_is_float(from->type))
        return type_size(from->type) < type_size(value->type) && float_range(b, from, low, high);
    Interval range = bounds_of(b, from);
    if (!type_is_integer(from->type) || interval_empty(range))
        return false;
    bool single = value->type == type_float32;
    if (!single && value->type != type_float64)
        return false;
    *low = single ? (double)(float)range.low : (double)range.low; /* rounded as the cast does */
    *high = single ? (double)(float)range.high : (double)range.high;
    return true;
}

/* What a float can be, if it is known to be no NaN. */
static bool float_range(IrBounds *b, const IrValue *value, double *low, double *high)
{
    double number;
    switch ((int)value->op) {
    case OP_constant:
        number = value->constant.number;
        *low = *high = value->type == type_float32 ? (double)(float)number : number;
        return number == number;
    case OP_var:
        return var_range(b, value, low, high);
    case OP_add:
    case OP_sub:
        return sum_range(b, value, low, high);
    case OP_mul:
    case OP_div:
        return product_range(b, value, low, high);
    case OP_intrinsic:
        return intrinsic_range(b, value, low, high);
    case OP_cast:
        return cast_range(b, value, low, high);
    default:
        return false;
    }
}

bool bounds_is_number(IrBounds *b, const IrValue *value)
{
    double low, high;
    return float_range(b, value, &low, &high) && fabs(low) <= FAR && fabs(high) <= FAR;
}

/* Without its fraction. What lies beyond all that intervals reach, as infinities do, is at their
** end. */
static IrWide whole(double number)
{
    Interval all = interval_everything();
    return number >= (double)all.high  ? all.high
           : number <= (double)all.low ? all.low
                                       : (IrWide)number;
}

/* Where a value lies if it is no NaN: one of two, or beyond neither, if that one is a number. */
static void float_ends(IrBounds *b, const IrValue *value, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    bool least = ir_is_intrinsic(value, INTR_min);
    if (!least && !ir_is_intrinsic(value, INTR_max)) {
        double ends[2];
        if (float_range(b, value, &ends[0], &ends[1])) {
            *low = ends[0];
            *high = ends[1];
        }
        return;
    }
    double lows[2], highs[2];
    for (int i = 0; i < 2; i++)
        float_ends(b, value->operands[i], &lows[i], &highs[i]);
    *low = fmin(lows[0], lows[1]);
    *high = fmax(highs[0], highs[1]);
    for (int i = 0; i < 2; i++) {
        double ends[2];
        if (!float_range(b, value->operands[i], &ends[0], &ends[1]))
            continue;
        *low = least ? *low : fmax(*low, ends[0]);
        *high = least ? fmin(*high, ends[1]) : *high;
    }
}

Interval bounds_of_float(IrBounds *b, const IrValue *value)
{
    double low, high;
    if (value->type != type_float32 && value->type != type_float64)
        return interval_everything();
    float_ends(b, value, &low, &high);
    return interval_from(whole(low), whole(high));
}

/* The variable lies between `low` and `high`, or, if these do not count themselves, inside: without
** its fraction it lies between them without theirs, or one nearer to 0 if they have none. */
static void refine_float(IrBounds *b, const IrVar *var, double low, double high, bool within)
{
    int atom = linear_atom(&b->vars[var->id].now.form);
    Interval range = interval_from(whole(low), whole(high));
    if (atom < 0)
        return;
    if (within && high >= 1 && high < FAR && high == floor(high))
        range.high--;
    if (within && low <= -1 && low > -FAR && low == floor(low))
        range.low++;
    bounds_refine(b, atom, range, true);
}

/* x < y or x <= y holds, so neither is a NaN. */
static void assume_floats(IrBounds *b, const IrValue *x, const IrValue *y, bool within)
{
    const IrVar *left = bounds_float_var(x), *right = bounds_float_var(y);
    const IrVar *size = ir_is_intrinsic(x, INTR_fabs) ? bounds_float_var(x->operands[0]) : NULL;
    double low, high;
    if (size && float_range(b, y, &low, &high))
        refine_float(b, size, -high, high, within);
    if (left)
        refine_float(b, left, -FAR, float_range(b, y, &low, &high) ? high : FAR, within);
    if (right)
        refine_float(b, right, float_range(b, x, &low, &high) ? low : -FAR, FAR, within);
}

/* ---- conditions ------------------------------------------------------------------------------ */

static void assume_comparison(IrBounds *b, const IrValue *condition, bool holds)
{
    const IrValue *x = condition->operands[0], *y = condition->operands[1];
    if (type_is_integer(x->type)) {
        assume_integers(b, holds ? condition->op : ir_opposite(condition->op), x, y);
        return;
    }
    if (!type_is_float(x->type) || !holds) /* what does not hold may be for a NaN */
        return;
    if (condition->op == OP_lt || condition->op == OP_le)
        assume_floats(b, x, y, condition->op == OP_lt);
    else if (condition->op == OP_gt || condition->op == OP_ge)
        assume_floats(b, y, x, condition->op == OP_gt);
}

void bounds_assume(IrBounds *b, const IrValue *condition, bool holds)
{
    bool all = condition->op == OP_and_then || condition->op == OP_and;
    bool any = condition->op == OP_or_else || condition->op == OP_or;

    if (condition->op == OP_var) {
        if (b->vars[condition->var->id].holds)
            bounds_assume(b, b->vars[condition->var->id].holds, holds);
    } else if (condition->op == OP_not) {
        bounds_assume(b, condition->operands[0], !holds);
    } else if (ir_is_comparison(condition->op)) {
        assume_comparison(b, condition, holds);
    } else if ((all && holds) || (any && !holds)) {
        bounds_assume(b, condition->operands[0], holds);
        bounds_assume(b, condition->operands[1], holds);
    }
}

int bounds_enter(IrBounds *b, const IrValue *value, int i)
{
    int mark = bounds_mark(b);
    if (i > 0 && (value->op == OP_and_then || value->op == OP_or_else))
        bounds_assume(b, value->operands[0], value->op == OP_and_then);
    else if (i > 0 && value->op == OP_select)
        bounds_assume(b, value->operands[0], i == 1);
    return mark;
}

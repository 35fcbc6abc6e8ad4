/* Arithmetic of integers that differ from thread to thread, and evenly from block to block.
**
** Lanes of threads that are not at work hold anything, so all is computed as unsigned; whether
** anything overflows is asked of those at work only. */
#include "base/arith.h"
#include "ir/predict/rehearsal.h"

Spread spread_unknown(void)
{
    return (Spread){ 0 };
}

Spread spread_number(int64_t value)
{
    if (value <= -SPREAD_LIMIT || value >= SPREAD_LIMIT)
        return spread_unknown();
    return (Spread){ .known = true, .base = value, .low = value, .high = value };
}

/* How much the block's index adds, at least and at most. */
static void spread_slopes(const Rehearsal *r, const int64_t slope[3], Wide *low, Wide *high)
{
    *low = *high = 0;
    for (int k = 0; k < 3; k++) {
        Wide first = (Wide)slope[k] * r->box.first[k], last = (Wide)slope[k] * r->box.last[k];
        *low += first < last ? first : last;
        *high += first < last ? last : first;
    }
}

static int64_t clamp(Wide value)
{
    return value < -SPREAD_LIMIT  ? -SPREAD_LIMIT
           : value > SPREAD_LIMIT ? SPREAD_LIMIT
                                  : (int64_t)value;
}

static void lane_bounds(const Rehearsal *r, const int64_t *lanes, const Mask *mask, int64_t *low,
                        int64_t *high)
{
    int64_t least = INT64_MAX, most = INT64_MIN;

    for (int i = 0; i < r->threads; i++) {
        int64_t up = mask->on[i] ? lanes[i] : INT64_MAX, down = mask->on[i] ? lanes[i] : INT64_MIN;
        least = up < least ? up : least;
        most = down > most ? down : most;
    }
    *low = least;
    *high = most;
}

void spread_bounds(const Rehearsal *r, const Spread *a, const Mask *mask, int64_t *low,
                   int64_t *high)
{
    Wide least, most;
    int64_t first = 0, last = 0;

    spread_slopes(r, a->slope, &least, &most);
    if (a->lanes)
        lane_bounds(r, a->lanes, mask, &first, &last);
    *low = clamp(least + a->base + first);
    *high = clamp(most + a->base + last);
}

Spread spread_lanes(Rehearsal *r, const int64_t *lanes, const Mask *mask)
{
    Spread a = { .known = true, .lanes = lanes };

    rehearsal_work(r, (uint64_t)r->threads);
    spread_bounds(r, &a, mask, &a.low, &a.high);
    return a;
}

static bool is_within(int64_t low, int64_t high, const Type *type)
{
    int bits = (int)(8 * type_size(type));

    if (low <= -SPREAD_LIMIT || high >= SPREAD_LIMIT)
        return false;
    if (type == type_bool)
        return low >= 0 && high <= 1;
    if (type_is_unsigned(type))
        return low >= 0 && (bits == 64 || high < (int64_t)1 << bits);
    return bits == 64 || (low >= -((int64_t)1 << (bits - 1)) && high < (int64_t)1 << (bits - 1));
}

bool spread_fits(const Rehearsal *r, const Spread *a, const Type *type, const Mask *mask)
{
    int64_t low, high;

    if (is_within(a->low, a->high, type))
        return true;
    spread_bounds(r, a, mask, &low, &high);
    return is_within(low, high, type);
}

/* A result, whose bounds are `low` and `high` or better. */
static Spread finish(Rehearsal *r, Spread a, const Type *type, Wide low, Wide high,
                     const Mask *mask)
{
    a.low = clamp(low);
    a.high = clamp(high);
    if (is_within(a.low, a.high, type))
        return a;
    rehearsal_work(r, (uint64_t)r->threads);
    spread_bounds(r, &a, mask, &a.low, &a.high);
    if (!is_within(a.low, a.high, type))
        rehearsal_give_up(r);
    return a;
}

static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* a + by * b. */
static int64_t *add_lanes(Rehearsal *r, const int64_t *a, const int64_t *b, int64_t by)
{
    int64_t *to = rehearsal_room(r);

    for (int i = 0; i < r->threads; i++)
        to[i] = add(a ? a[i] : 0, multiply(b[i], by));
    return to;
}

static int64_t limited(Rehearsal *r, Wide value)
{
    if (value <= -SPREAD_LIMIT || value >= SPREAD_LIMIT)
        rehearsal_give_up(r);
    return (int64_t)value;
}

Spread spread_add(Rehearsal *r, const Type *type, Spread a, Spread b, int sign, const Mask *mask)
{
    Spread sum = { .known = true, .lanes = a.lanes };

    sum.base = limited(r, (Wide)a.base + (Wide)sign * b.base);
    for (int k = 0; k < 3; k++)
        sum.slope[k] = limited(r, (Wide)a.slope[k] + (Wide)sign * b.slope[k]);
    if (b.lanes)
        sum.lanes = add_lanes(r, a.lanes, b.lanes, sign);
    if (sign > 0)
        return finish(r, sum, type, (Wide)a.low + b.low, (Wide)a.high + b.high, mask);
    return finish(r, sum, type, (Wide)a.low - b.high, (Wide)a.high - b.low, mask);
}

static bool is_number(const Spread *a)
{
    return !a->lanes && !a->slope[0] && !a->slope[1] && !a->slope[2];
}

static Spread scale(Rehearsal *r, Spread a, int64_t by)
{
    Spread scaled = { .known = true, .base = limited(r, (Wide)a.base * by) };

    for (int k = 0; k < 3; k++)
        scaled.slope[k] = limited(r, (Wide)a.slope[k] * by);
    if (a.lanes)
        scaled.lanes = add_lanes(r, NULL, a.lanes, by);
    return scaled;
}

Spread spread_settled(Rehearsal *r, Spread a)
{
    for (int k = 0; k < 3; k++) {
        if (!a.slope[k])
            continue;
        if (r->box.first[k] != r->box.last[k])
            rehearsal_split(r, k, r->box.first[k] + (r->box.last[k] - r->box.first[k]) / 2);
        a.base = limited(r, (Wide)a.base + (Wide)a.slope[k] * r->box.first[k]);
        a.slope[k] = 0;
    }
    return a;
}

/* What each thread has, without slopes. */
static int64_t *flat_lanes(Rehearsal *r, const Spread *a)
{
    int64_t *to = rehearsal_room(r);

    for (int i = 0; i < r->threads; i++)
        to[i] = add(a->base, a->lanes ? a->lanes[i] : 0);
    return to;
}

static void product_bounds(Spread a, Spread b, Wide *low, Wide *high)
{
    Wide ends[] = { (Wide)a.low * b.low, (Wide)a.low * b.high, (Wide)a.high * b.low,
                    (Wide)a.high * b.high };

    *low = *high = ends[0];
    for (int i = 1; i < 4; i++) {
        *low = ends[i] < *low ? ends[i] : *low;
        *high = ends[i] > *high ? ends[i] : *high;
    }
}

Spread spread_multiply(Rehearsal *r, const Type *type, Spread a, Spread b, const Mask *mask)
{
    Spread product = { .known = true };
    Wide low, high;

    product_bounds(a, b, &low, &high);
    if (is_number(&b))
        return finish(r, scale(r, a, b.base), type, low, high, mask);
    if (is_number(&a))
        return finish(r, scale(r, b, a.base), type, low, high, mask);
    a = spread_settled(r, a);
    b = spread_settled(r, b);
    if (low <= -SPREAD_LIMIT || high >= SPREAD_LIMIT)
        rehearsal_give_up(r);
    int64_t *lanes = flat_lanes(r, &a), *by = flat_lanes(r, &b);
    for (int i = 0; i < r->threads; i++)
        lanes[i] = multiply(lanes[i], by[i]);
    product.lanes = lanes;
    return finish(r, product, type, low, high, mask);
}

static int64_t compute(IrOp op, int64_t a, int64_t b)
{
    switch ((int)op) {
    case OP_floordiv:
        return has_quotient(a, b) ? floor_quotient(a, b) : 0; /* of threads not at work: any b */
    case OP_mod:
        return b ? floor_rest(a, b) : a;
    case OP_and:
        return a & b;
    case OP_or:
        return a | b;
    case OP_xor:
        return a ^ b;
    case OP_shl:
        return multiply(a, (int64_t)(UINT64_C(1) << (b & 63)));
    default: /* OP_shr */
        return a >> (b & 63);
    }
}

Spread spread_binary(Rehearsal *r, IrOp op, const Type *type, Spread a, Spread b, const Mask *mask)
{
    if (op == OP_shl) /* as the product that it is, for it may overflow */
        return is_number(&b) && b.base < 61
                   ? spread_multiply(r, type, a, spread_number((int64_t)1 << b.base), mask)
                   : (rehearsal_give_up(r), a);
    a = spread_settled(r, a);
    b = spread_settled(r, b);
    if (is_number(&a) && is_number(&b)) {
        Spread number = spread_number(compute(op, a.base, b.base));
        return number.known ? finish(r, number, type, number.base, number.base, mask) : number;
    }
    int64_t *lanes = flat_lanes(r, &a), *by = flat_lanes(r, &b);
    for (int i = 0; i < r->threads; i++)
        lanes[i] = compute(op, lanes[i], by[i]);
    rehearsal_work(r, 4 * (uint64_t)r->threads);
    Spread result = { .known = true, .lanes = lanes };
    spread_bounds(r, &result, mask, &result.low, &result.high);
    return finish(r, result, type, result.low, result.high, mask);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* A block behind which the difference of a and b has another sign for some thread: near the middle,
** along the axis on which most blocks differ. */
static void split_for(Rehearsal *r, const int64_t slope[3], const Spread *less, const Mask *mask)
{
    int axis = -1;

    for (int k = 0; k < 3; k++)
        if (slope[k] && r->box.last[k] > r->box.first[k] &&
            (axis < 0 || r->box.last[k] - r->box.first[k] > r->box.last[axis] - r->box.first[axis]))
            axis = k;
    if (axis < 0)
        rehearsal_give_up(r);
    uint32_t first = r->box.first[axis], last = r->box.last[axis];
    uint32_t middle = first + (last - first) / 2;
    /* Where all threads but those of one block agree, that block is alone what differs. */
    int64_t low, high, s = slope[axis] < 0 ? -slope[axis] : slope[axis];
    Spread at = *less;
    at.slope[axis] = 0;
    spread_bounds(r, &at, mask, &low, &high);
    Wide from = slope[axis] > 0 ? -(Wide)high : (Wide)low; /* blocks before it: one sign */
    Wide to = slope[axis] > 0 ? -(Wide)low : (Wide)high;
    Wide before = from / s - 1, after = to / s + 1;
    if (before >= first && before < last)
        middle = (uint32_t)before;
    else if (after >= first && after < last)
        middle = (uint32_t)after;
    rehearsal_split(r, axis, middle);
}

/* What comparing a - b with 0 gives if the difference is in a range; -1: either. */
static int decided(IrOp op, Wide low, Wide high)
{
    switch ((int)op) {
    case OP_lt:
        return high < 0 ? 1 : low >= 0 ? 0 : -1;
    case OP_le:
        return high <= 0 ? 1 : low > 0 ? 0 : -1;
    case OP_gt:
        return low > 0 ? 1 : high <= 0 ? 0 : -1;
    case OP_ge:
        return low >= 0 ? 1 : high < 0 ? 0 : -1;
    case OP_eq:
        return low == 0 && high == 0 ? 1 : low > 0 || high < 0 ? 0 : -1;
    default:
        return low > 0 || high < 0 ? 1 : low == 0 && high == 0 ? 0 : -1;
    }
}

Spread spread_compare(Rehearsal *r, IrOp op, Spread a, Spread b, const Mask *mask)
{
    Spread less = { .known = true, .base = a.base - b.base, .lanes = a.lanes };
    Wide low, high;

    if (decided(op, (Wide)a.low - b.high, (Wide)a.high - b.low) >= 0)
        return spread_number(decided(op, (Wide)a.low - b.high, (Wide)a.high - b.low));
    for (int k = 0; k < 3; k++)
        less.slope[k] = limited(r, (Wide)a.slope[k] - b.slope[k]);
    if (b.lanes)
        less.lanes = add_lanes(r, a.lanes, b.lanes, -1);
    spread_slopes(r, less.slope, &low, &high);
    if (!less.lanes && decided(op, low + less.base, high + less.base) >= 0)
        return spread_number(decided(op, low + less.base, high + less.base));
    int64_t *lanes = rehearsal_room(r);
    for (int i = 0; i < r->threads; i++) {
        Wide own = less.lanes ? (Wide)less.base + less.lanes[i] : less.base;
        int answer = mask->on[i] ? decided(op, own + low, own + high) : 0;
        if (answer < 0)
            split_for(r, less.slope, &less, mask);
        lanes[i] = answer;
    }
    rehearsal_work(r, (uint64_t)r->threads);
    return spread_lanes(r, lanes, mask);
}

Spread spread_merge(Rehearsal *r, Spread a, const Mask *mask, Spread b)
{
    Spread merged = { .known = true };

    if (!a.known || !b.known || a.memory || b.memory)
        return spread_unknown();
    if (memcmp(a.slope, b.slope, sizeof a.slope) != 0) {
        a = spread_settled(r, a);
        b = spread_settled(r, b);
    }
    memcpy(merged.slope, a.slope, sizeof a.slope);
    int64_t *lanes = flat_lanes(r, &b);
    for (int i = 0; i < r->threads; i++)
        if (mask->on[i])
            lanes[i] = add(a.base, a.lanes ? a.lanes[i] : 0);
    rehearsal_work(r, (uint64_t)r->threads);
    merged.lanes = lanes;
    merged.low = a.low < b.low ? a.low : b.low;
    merged.high = a.high > b.high ? a.high : b.high;
    return merged;
}

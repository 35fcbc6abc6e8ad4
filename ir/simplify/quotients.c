/* Parts of an index that is taken apart become quotients of the index itself, and remainders of
** these, whatever they are computed from:
**
**     f = mod(floordiv(i, mul(w, h)), n)
**     rest = sub(i, mul(f, mul(w, h)))
**     y = floordiv(rest, w)
**     x = mod(rest, w)
** becomes
**     f = mod(floordiv(floordiv(i, w), h), n)
**     rest = mod(i, mul(w, h))
**     y = mod(floordiv(i, w), h)
**     x = mod(i, w)
**
** LEGAL if all factors are positive, of quotients of what is not negative all but the first, or
** if none is negative:
** floor(i / (w * h)) is floor(floor(i / w) / h) then, and what is left of i beyond so many times
** w * h is its remainder, of which floor(rest / w) is that of floor(i / w) by h. That the product
** does not overflow is what is taken of all signed products.
**
** PAYS where an index that the text takes apart is one of few bits: each of the factors is as well,
** where their product may have more, so that 32 bits do; and i / w is often there already, by which
** it is divided first, then. What of an index is left is also plain to see then. */
#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"
#include "ir/optimise.h"

enum { FACTORS = 8, ROUNDS = 4 }; /* of a divisor; while quotients give way to others */

typedef struct Quotients {
    IrUnit *unit;
    IrSets sets;
    bool changed;
    const IrValue **by; /* what is divided by numbers that are no products, and these */
    int by_count, by_capacity;
} Quotients;

/* The value that stands for a name, where it may be computed again. */
static const IrValue *behind(const Quotients *q, const IrValue *value)
{
    const IrValue *found = sets_behind(&q->sets, value);
    return found == value || sets_stable(&q->sets, found) ? found : value;
}

/* The product that a divisor is, or stands for. */
static const IrValue *product_of(const Quotients *q, const IrValue *divisor)
{
    const IrValue *value = behind(q, divisor);
    return value->op == OP_mul ? value : NULL;
}

static bool is_signed_integer(const IrValue *value)
{
    return type_is_integer(value->type) && type_is_signed(value->type);
}

/* ---- factors --------------------------------------------------------------------------------- */

typedef struct Factors {
    const IrValue *list[FACTORS];
    int count;
    bool fine; /* these are all, of one type */
} Factors;

/* Squares of squares have too many to go through all. */
static void add_factors(const Quotients *q, Factors *f, const IrValue *value)
{
    const IrValue *product = f->fine ? product_of(q, value) : NULL;
    if (product) {
        add_factors(q, f, product->operands[0]);
        add_factors(q, f, product->operands[1]);
        return;
    }
    f->fine &= f->count < FACTORS && (!f->count || f->list[0]->type == value->type);
    if (f->fine)
        f->list[f->count++] = value;
}

static Factors factors_of(const Quotients *q, const IrValue *value)
{
    Factors f = { .fine = is_signed_integer(value) };
    add_factors(q, &f, value);
    return f;
}

/* Takes the factors of `part` out; false if one of them is not there. */
static bool take_out(Factors *from, const Factors *part)
{
    for (int k = 0; k < part->count; k++) {
        int at = 0;
        while (at < from->count && !ir_same_value(from->list[at], part->list[k]))
            at++;
        if (at == from->count)
            return false;
        from->list[at] = from->list[--from->count];
    }
    return from->fine && part->fine;
}

static bool are_positive(const Factors *f)
{
    for (int i = 0; i < f->count; i++)
        if (!ir_positive(f->list[i]))
            return false;
    return f->fine;
}

static IrValue *product(const Quotients *q, const Factors *f, Span span)
{
    IrValue *all = ir_copy_value(q->unit->arena, f->list[0]);
    for (int i = 1; i < f->count; i++)
        all =
            ir_binary(q->unit->arena, OP_mul, all, ir_copy_value(q->unit->arena, f->list[i]), span);
    return all;
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* The divisor d of a difference  x - x / d * d;  NULL of another value. */
static const IrValue *left_by(const Quotients *q, const IrValue *value)
{
    Factors all = factors_of(q, value->operands[1]);
    for (int i = 0; i < all.count && value->op == OP_sub; i++) {
        const IrValue *quotient = behind(q, all.list[i]);
        if (quotient->op != OP_floordiv || quotient->type != value->type ||
            !ir_same_value(quotient->operands[0], value->operands[0]))
            continue;
        Factors rest = all, by = factors_of(q, quotient->operands[1]);
        rest.list[i] = rest.list[--rest.count];
        if (are_positive(&by) && take_out(&rest, &by) && !rest.count)
            return quotient->operands[1];
    }
    return NULL;
}

/* Of a part of a remainder  x mod (a * b):  by a it is  x / a mod b,  and beyond multiples of b it
** is  x mod b. */
static IrValue *part_of_rest(const Quotients *q, const IrValue *value)
{
    const IrValue *rest = behind(q, value->operands[0]);
    if (rest->op != OP_mod || rest->type != value->type)
        return NULL;
    Factors all = factors_of(q, rest->operands[1]), by = factors_of(q, value->operands[1]);
    if (!are_positive(&all) || !take_out(&all, &by) || !all.count)
        return NULL;
    Arena *arena = q->unit->arena;
    IrValue *part = ir_binary(arena, value->op, ir_copy_value(arena, rest->operands[0]),
                              value->operands[1], value->span);
    return value->op == OP_mod
               ? part
               : ir_binary(arena, OP_mod, part, product(q, &all, value->span), value->span);
}

static IrValue *simpler(const Quotients *q, const IrValue *value)
{
    if (value->count != 2 || !is_signed_integer(value))
        return NULL;
    const IrValue *by = value->op == OP_sub ? left_by(q, value) : NULL;
    if (by)
        return ir_binary(q->unit->arena, OP_mod, value->operands[0],
                         ir_copy_value(q->unit->arena, by), value->span);
    return value->op == OP_mod || value->op == OP_floordiv ? part_of_rest(q, value) : NULL;
}

static void simplify(void *context, IrValue **slot)
{
    Quotients *q = context;
    for (int i = 0; i < (*slot)->count; i++)
        simplify(context, &(*slot)->operands[i]);
    IrValue *made = simpler(q, *slot);
    q->changed |= made != NULL;
    *slot = made ? made : *slot;
}

/* ---- by one factor after the other ----------------------------------------------------------- */

static void note_divisor(void *context, IrValue *value)
{
    Quotients *q = context;
    if ((value->op != OP_floordiv && value->op != OP_mod) || !is_signed_integer(value) ||
        product_of(q, value->operands[1]))
        return;
    array_push(q->unit->arena, q->by, q->by_count, q->by_capacity) = value;
}

static bool is_divided(const Quotients *q, const IrValue *value, const IrValue *by)
{
    for (int i = 0; i < q->by_count; i++)
        if (ir_same_value(q->by[i]->operands[0], value) && ir_same_value(q->by[i]->operands[1], by))
            return true;
    return false;
}

/* Which factor of a product to divide by first, as the other one is positive; -1: neither is. By
** what may be -1, the least number of all would have no quotient. What is divided by 0 is 0, so
** that of what is not negative factors may be 0. */
static int first_factor(const Quotients *q, const IrValue *value, const IrValue *product)
{
    bool positive[2] = { ir_positive(product->operands[0]), ir_positive(product->operands[1]) };
    bool whole = ir_nonnegative(product->operands[0]) && ir_nonnegative(product->operands[1]);
    if ((positive[0] && positive[1]) || (whole && ir_nonnegative(value)))
        return is_divided(q, value, product->operands[1]);
    if (!ir_nonnegative(value))
        return -1;
    return positive[1] ? 0 : positive[0] ? 1 : -1;
}

static IrValue *divided(const Quotients *q, IrValue *value, const IrValue *by)
{
    const IrValue *product = product_of(q, by);
    int first = product && type_is_signed(product->type) && product->type == value->type
                    ? first_factor(q, value, product)
                    : -1;
    if (first >= 0)
        return divided(q, divided(q, value, product->operands[first]), product->operands[!first]);
    return ir_binary(q->unit->arena, OP_floordiv, value, ir_copy_value(q->unit->arena, by),
                     by->span);
}

static void divide(void *context, IrValue **slot)
{
    const Quotients *q = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        divide(context, &value->operands[i]);
    if (value->op == OP_floordiv && type_is_integer(value->type) &&
        value->operands[0]->type == value->type && product_of(q, value->operands[1]) &&
        factors_of(q, value->operands[1]).fine)
        *slot = divided(q, value->operands[0], value->operands[1]);
}

void ir_quotients(IrUnit *unit)
{
    IrRegion *body = &unit->kernel->body;
    Quotients q = { .unit = unit, .changed = true };
    ir_range(unit); /* which divisors are positive */
    for (int round = 0; round < ROUNDS && q.changed; round++) {
        q.sets = ir_sets(unit->arena, unit->kernel, body);
        q.changed = false;
        ir_each_slot_in(body, simplify, &q);
    }
    q.sets = ir_sets(unit->arena, unit->kernel, body);
    ir_each_node_in(body, note_divisor, &q);
    ir_each_slot_in(body, divide, &q);
}

/* Remainders of a ring's indices, by divisors w that are positive int32:
**
**     if lt(x, w)
**         p = load(f, mod(add(sub(x, cast<int64>(load(e, k))), w), w))
** becomes
**         p = load(f, around(sub(x, mod_positive(load(e, k), w)), w))
**
** around(a, b) is a if that is not negative, else a + b: a % b, where -b <= a < b. mod_positive(a,
** b) is a % b for b > 0, without a branch.
**
** LEGAL by bounds at that point, if the dividend, but for multiples of the divisor, is the sum of a
** number from 0 up to the divisor and of another int32. That is reduced first: two such remainders
** differ by less than the divisor. No sum of few numbers of 32 bits overflows 64.
**
** PAYS where the dividend is no int32: a division of 64 bits takes a GPU a hundred instructions,
** and branches, behind which no later loads begin.
**
** What a number is added to takes no division at all, if the divisor is no less than the number:
** by 1, if it is an axis or an argument that launches show to be long, or if conditions say so:
**
**     p = load(f, mod(add(x, 2), w))    =>    p = load(f, around(sub(x, sub(w, 2)), w))
*/
#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"
#include "ir/simplify/narrow.h"

enum { TERMS_MOST = 6, TERM_BITS = 40 }; /* of a dividend; with room for their sum */

/* What a remainder's dividend adds up; a multiple of the divisor is left out. */
typedef struct Ring {
    Narrow *n;
    const IrValue *dividend, *by;
    const IrValue *terms[TERMS_MOST];
    bool less[TERMS_MOST]; /* it is subtracted */
    int count;
} Ring;

static bool add_terms(Ring *r, const IrValue *value, bool less)
{
    const IrValue *by = r->by;
    if (ir_same_value(value, by) && ir_value_effects(by) == EFFECT_NONE)
        return true;
    if ((value->op == OP_add || value->op == OP_sub) && value->type == by->type)
        return add_terms(r, value->operands[0], less) &&
               add_terms(r, value->operands[1], less != (value->op == OP_sub));
    Interval range = bounds_of(r->n->bounds, value);
    IrWide most = (IrWide)1 << TERM_BITS;
    if (r->count == TERMS_MOST || value->type != by->type ||
        !interval_within(range, interval_from(-most, most)))
        return false;
    r->terms[r->count] = value;
    r->less[r->count++] = less;
    return true;
}

/* The sum of the terms but the one numbered `without`, or what that sum is below 0; NULL: 0. */
static IrValue *sum_of(const Ring *r, int without, bool below)
{
    Arena *arena = r->n->arena;
    IrValue *sum = NULL;
    for (int i = 0; i < r->count; i++) {
        bool less = r->less[i] != below;
        IrValue *term = (IrValue *)r->terms[i];
        if (i != without && less)
            sum = sum ? ir_binary(arena, OP_sub, sum, term, term->span)
                      : ir_unary(arena, OP_neg, term, term->span);
        else if (i != without)
            sum = sum ? ir_binary(arena, OP_add, sum, term, term->span) : term;
    }
    return sum;
}

static bool fits(const Ring *r, const IrValue *value)
{
    return interval_fits(bounds_of(r->n->bounds, value), type_int32);
}

/* Whether a value lies from 0 up to the divisor. */
static bool is_reduced(const Ring *r, const IrValue *value)
{
    Interval over = bounds_difference(r->n->bounds, value, r->by);
    return bounds_of(r->n->bounds, value).low >= 0 && !interval_empty(over) && over.high <= -1;
}

/* Of an int32 that lies from -b up to b. */
static IrValue *around(const Ring *r, IrValue *value)
{
    return ir_never_negative(ir_intrinsic(r->n->arena, INTR_around, type_int32, value->span, value,
                                          narrow_as_int32(r->n, r->by), NULL));
}

/* Whether launches show the divisor to be LONG_AXIS or more. */
static bool is_long(const Ring *r)
{
    const IrSets sets = ir_sets(r->n->arena, r->n->fn, &r->n->fn->body);
    const IrValue *by = sets_behind_casts(&sets, r->by);
    const IrValue *of = by->op == OP_extent ? by->operands[0] : by;
    int param = ir_array_param(of);
    return param >= 0 && (of == by || of->type->array.rank < 3) &&
           launch_axes_from_128(r->n->unit->launch, param);
}

/* The remainder of the term numbered `at`, which is reduced, and a number that is no greater than
** the divisor; NULL if there is more beside it. */
static IrValue *of_number(const Ring *r, int at)
{
    const IrValue *other = r->count == 2 ? r->terms[1 - at] : NULL;
    if (!other || !ir_is_constant(other))
        return NULL;
    Arena *arena = r->n->arena;
    int64_t number = r->less[1 - at] ? -other->constant.integer : other->constant.integer;
    int64_t far = number < 0 ? -number : number;
    if (far > bounds_of(r->n->bounds, r->by).low && (far > LONG_AXIS || !is_long(r)))
        return NULL;
    IrValue *less = ir_integer(arena, type_int32, far, other->span);
    if (number > 0)
        less = ir_binary(arena, OP_sub, narrow_as_int32(r->n, r->by), less, other->span);
    return around(r,
                  ir_binary(arena, OP_sub, narrow_as_int32(r->n, r->terms[at]), less, other->span));
}

/* The remainder of the term numbered `at`, which is reduced, and the others. */
static IrValue *of_two(const Ring *r, int at)
{
    Arena *arena = r->n->arena;
    IrValue *number = of_number(r, at);
    if (number || fits(r, r->dividend))
        return number;
    IrValue *added = sum_of(r, at, false), *taken = sum_of(r, at, true);
    bool adds = added && fits(r, added);
    IrValue *other = adds ? added : taken;
    if (!other || !fits(r, other))
        return NULL;
    Span span = other->span;
    IrValue *by = narrow_as_int32(r->n, r->by);
    IrValue *rest = ir_intrinsic(arena, INTR_mod_positive, type_int32, span,
                                 narrow_as_int32(r->n, other), by, NULL);
    if (adds)
        rest = ir_binary(arena, OP_sub, rest, ir_copy_value(arena, by), span);
    return around(r, ir_binary(arena, adds ? OP_add : OP_sub, narrow_as_int32(r->n, r->terms[at]),
                               rest, span));
}

IrValue *narrow_ring(Narrow *n, const IrValue *value)
{
    const IrValue *by = value->operands[1];
    Ring r = { .n = n, .dividend = value->operands[0], .by = by };
    IrValue *made = NULL;
    if (value->op != OP_mod || value->type != type_int64 || ir_is_constant(by) || !fits(&r, by) ||
        bounds_of(n->bounds, by).low < 1 || !add_terms(&r, r.dividend, false))
        return NULL;
    for (int i = 0; i < r.count && !made; i++)
        if (!r.less[i] && is_reduced(&r, r.terms[i]))
            made = of_two(&r, i);
    return made;
}

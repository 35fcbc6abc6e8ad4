/* Leaves out what is settled where it stands:
**
**     if and_then(lt(0, i), lt(i, sub(extent(x, 0), 1)))
**         store y[i] = load(x, mod(add(i, 1), extent(x, 0)))
** becomes
**         store y[i] = load(x, add(i, 1))
**
** comparisons of integers that hold or do not, the lesser and the greater of two, remainders and
** quotients of what is less than the divisor, and the branches that depend on such.
**
** Legal by what bounds prove of integers at that point (ir/analysis/range/bounds.h): nothing is
** assumed. It pays always; most where something was just put under a condition that says more. */
#include "ir/analysis/affine.h"
#include "ir/analysis/range/bounds.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Settle {
    Arena *arena;
    IrBounds *bounds;
} Settle;

static bool is_signed_integer(const Type *type)
{
    return type_is_integer(type) && type_is_signed(type);
}

/* Whether it is at least `low`, and there is such a number at all. */
static bool at_least(Interval range, int64_t low)
{
    return !interval_empty(range) && range.low >= low;
}

static bool at_most(Interval range, int64_t high)
{
    return !interval_empty(range) && range.high <= high;
}

/* 1 or 0 if a comparison of a with b is known, else -1. */
static int decided(IrOp op, Interval apart)
{
    switch ((int)op) {
    case OP_lt:
        return at_most(apart, -1) ? 1 : at_least(apart, 0) ? 0 : -1;
    case OP_le:
        return at_most(apart, 0) ? 1 : at_least(apart, 1) ? 0 : -1;
    case OP_gt:
        return at_least(apart, 1) ? 1 : at_most(apart, 0) ? 0 : -1;
    case OP_ge:
        return at_least(apart, 0) ? 1 : at_most(apart, -1) ? 0 : -1;
    default: { /* eq, ne */
        bool differ = at_least(apart, 1) || at_most(apart, -1);
        bool same = at_least(apart, 0) && at_most(apart, 0);
        return differ ? op == OP_ne : same ? op == OP_eq : -1;
    }
    }
}

static IrValue *settle_comparison(Settle *s, IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    if (!is_signed_integer(a->type))
        return value;
    int known = decided(value->op, bounds_difference(s->bounds, a, b));
    return known < 0 ? value : ir_integer(s->arena, type_bool, known, value->span);
}

/* A sum without one of its terms, which is added; NULL if it is none of them. */
static IrValue *without(Settle *s, IrValue *sum, const IrValue *term)
{
    if (sum->op != OP_add && sum->op != OP_sub)
        return NULL;
    IrValue *a = sum->operands[0], *b = sum->operands[1];
    if (sum->op == OP_add && ir_same_value(b, term))
        return a;
    if (sum->op == OP_add && ir_same_value(a, term))
        return b;
    IrValue *left = without(s, a, term);
    if (left)
        return ir_binary(s->arena, sum->op, left, b, sum->span);
    IrValue *right = sum->op == OP_add ? without(s, b, term) : NULL;
    return right ? ir_binary(s->arena, OP_add, a, right, sum->span) : NULL;
}

/* a % b, where all that a can be has one quotient by a number b: that is known from 1 up. */
static IrValue *settle_remainder(Settle *s, IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    int64_t by = ir_is_constant(b) ? b->constant.integer : 0;
    Interval range = by > 0 ? bounds_of(s->bounds, a) : (Interval){ 0 };
    if (by <= 0 || !at_least(range, by) || !at_most(range, INT32_MAX) ||
        range.low / by != range.high / by)
        return NULL;
    int64_t added, whole = (int64_t)(range.low / by) * by;
    const IrValue *rest = affine_split(NULL, a, &added);
    IrOp op = added < whole ? OP_sub : OP_add;
    IrValue *off =
        ir_integer(s->arena, a->type, op == OP_sub ? whole - added : added - whole, value->span);
    return rest ? ir_binary(s->arena, op, (IrValue *)rest, off, value->span) : NULL;
}

/* a // b and a % b where 0 <= a < b; a % b where b <= a < 2 * b. */
static IrValue *settle_division(Settle *s, IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    if (!is_signed_integer(value->type))
        return value;
    Interval over = bounds_difference(s->bounds, a, b);
    if (at_least(bounds_of(s->bounds, a), 0) && at_most(over, -1))
        return value->op == OP_mod ? a : ir_integer(s->arena, value->type, 0, value->span);
    IrValue *less = value->op == OP_mod ? settle_remainder(s, value) : NULL;
    if (less)
        return less;
    if (value->op != OP_mod || ir_value_effects(b) != EFFECT_NONE)
        return value;
    IrValue *rest = without(s, a, b);
    if (!rest || !at_least(bounds_of(s->bounds, rest), 0) ||
        !at_most(bounds_difference(s->bounds, rest, b), -1))
        return value;
    return rest;
}

static IrValue *settle_outer(Settle *s, IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    if (!is_signed_integer(value->type) || a->type != value->type || b->type != value->type)
        return value;
    Interval apart = bounds_difference(s->bounds, a, b);
    bool least = value->intrinsic == INTR_min;
    return at_least(apart, 0) ? (least ? b : a) : at_most(apart, 0) ? (least ? a : b) : value;
}

static IrValue *settle_choice(IrValue *value)
{
    IrValue *a = value->operands[0], *b = value->operands[1];
    bool both = value->op == OP_and_then;
    if (ir_is_constant(a))
        return (a->constant.integer != 0) == both ? b : a;
    return ir_is_constant(b) && (b->constant.integer != 0) == both ? a : value;
}

/* The only number that a sum, or the like, can be; NULL of others. */
static IrValue *settle_number(Settle *s, const IrValue *value)
{
    bool leaf = !value->count && value->op != OP_var;
    if (leaf || !is_signed_integer(value->type) || ir_value_effects(value) != EFFECT_NONE)
        return NULL;
    Interval range = bounds_of(s->bounds, value);
    if (interval_empty(range) || range.low != range.high)
        return NULL;
    return ir_integer(s->arena, value->type, (int64_t)range.low, value->span);
}

static IrValue *settled(Settle *s, IrValue *value)
{
    IrValue *number = settle_number(s, value);
    if (number)
        return number;
    if (ir_is_comparison(value->op))
        return settle_comparison(s, value);
    switch ((int)value->op) {
    case OP_mod:
    case OP_floordiv:
        return settle_division(s, value);
    case OP_and_then:
    case OP_or_else:
        return settle_choice(value);
    case OP_not:
        return ir_unary(s->arena, OP_not, value->operands[0], value->span);
    case OP_select:
        return ir_select(s->arena, value->operands[0], value->operands[1], value->operands[2],
                         value->span);
    case OP_intrinsic:
        return value->intrinsic == INTR_min || value->intrinsic == INTR_max ? settle_outer(s, value)
                                                                            : value;
    default:
        return value;
    }
}

/* Operands that are evaluated only sometimes are seen from there. */
static void settle_slot(Settle *s, IrValue **slot)
{
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(s->bounds, value, i);
        settle_slot(s, &value->operands[i]);
        bounds_forget(s->bounds, mark);
    }
    *slot = settled(s, value);
    ir_take_sign(*slot, value->nonnegative);
}

static void settle_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    (void)bounds;
    for_each_slot (slot, stmt)
        settle_slot(context, slot);
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The arm that is always taken stands in the branch's place. */
static void splice(void *context, IrRegion *region, IrStmt *stmt)
{
    (void)context;
    if (stmt->kind != IR_IF || !ir_is_constant(stmt->if_.condition))
        return;
    ir_insert_region(region, stmt,
                     stmt->if_.condition->constant.integer ? stmt->if_.then : stmt->if_.otherwise);
    ir_remove(region, stmt);
}

void ir_settle(IrUnit *unit)
{
    Settle s = { unit->arena, ir_bounds(unit) };
    bounds_walk(s.bounds, settle_stmt, &s);
    ir_change_stmts(&unit->kernel->body, splice, NULL);
}

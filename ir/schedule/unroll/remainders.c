/* Remainders of what grows with a counter are carried from iteration to iteration:
**
**                                         _by = max(n, 1)
**                                         _left = _by - mod(k, _by)
**                                         _rest = 0
**     for t in 0 to n by 1                for t in 0 to n by 1
**         s += load(x, mod(k * t, n))         s += load(x, _rest)
**                                   =>        _sum = sub(_rest, _left)
**                                             _rest = _sum, or _sum + _by where _sum < 0
**
** So do Fourier transforms by tables, and walks around a ring in steps of any length.
**
** LEGAL where the dividend is the counter times what the loop leaves as it is, and a sum of such,
** of numbers so small that nothing wraps, in any integer types; where the divisor is positive
** wherever it divides, and the loop leaves it as it is; and where each iteration after which
** another one begins comes to the loop's end. Of unsigned numbers, whose remainder by 0 is 0, as
** that by 1 is, nothing is asked of the divisor, but no part of the dividend may be negative.
**
** PAYS for products of the counter with what is no constant that are of more than 32 bits, and
** divisors that are none: that division takes a GPU some seventy instructions. Of a mere sum the
** remainder takes less (wraps_once.c, narrow.c). */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/schedule/unroll/unroll.h"

enum {
    SMALL_BITS = 31, /* of what is divided, or divides, as an int32 */
    EXACT_BITS = 62, /* of a dividend that does not wrap */
    PARTS_MOST = 32
};

typedef struct Remainders {
    IrUnit *unit;
    IrBuilder b[1];
    IrSets names;
    IrMagnitude *magnitude;
    const IrValue **list; /* those whose divisor is positive */
    int count, capacity;
    bool asked; /* `list` is there */
    /* of the loop at hand */
    IrStmt *loop;
    IrSets sets;
    IrRegion front, end; /* what comes in front of it, and at the end of its body */
    const Type *type;    /* of the remainder at hand */
    int parts;
} Remainders;

/* ---- positive divisors ----------------------------------------------------------------------- */

static bool is_remainder(const IrValue *value)
{
    return value->op == OP_mod && (value->type == type_int64 || value->type == type_uint64) &&
           !ir_is_constant(value->operands[1]);
}

static void note(Remainders *r, IrBounds *bounds, IrValue *value)
{
    for (int i = 0; i < value->count; i++) {
        int mark = bounds_enter(bounds, value, i);
        note(r, bounds, value->operands[i]);
        bounds_forget(bounds, mark);
    }
    if (!is_remainder(value))
        return;
    Interval by = bounds_of(bounds, value->operands[1]);
    if (!interval_empty(by) && by.low >= 1)
        array_push(r->unit->arena, r->list, r->count, r->capacity) = value;
}

static void note_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    for_each_slot (slot, stmt)
        note(context, bounds, *slot);
}

/* Asked of what all else speaks for, as bounds are dear. */
static bool is_positive(Remainders *r, const IrValue *value)
{
    if (!r->asked)
        bounds_walk(ir_bounds(r->unit), note_stmt, r);
    r->asked = true;
    for (int i = 0; i < r->count; i++)
        if (r->list[i] == value)
            return true;
    return false;
}

/* ---- what grows with the counter ------------------------------------------------------------- */

static bool stays(const Remainders *r, const IrValue *value)
{
    return ir_value_effects(value) == EFFECT_NONE && sets_invariant(&r->sets, value, NULL);
}

static IrValue *sum(const Remainders *r, IrOp op, IrValue *a, IrValue *b)
{
    return !b ? a : a ? build_op(r->b, op, a, b) : op == OP_add ? b : build_op(r->b, op, 0, b);
}

/* Whether a value is what its operands come to in numbers of any size. */
static bool is_exact(const Remainders *r, const IrValue *value)
{
    if (value->op == OP_cast && !type_is_integer(value->operands[0]->type))
        return false;
    if (value->op == OP_cast && ir_keeps_value(value))
        return true;
    bool signs = type_is_signed(value->type);
    for (int i = 0; i < value->count && !signs; i++)
        if (!ir_nonnegative(value->operands[i]))
            return false;
    return (signs || value->op != OP_sub) &&
           magnitude_open_bits(r->magnitude, value) < magnitude_type_bits(value->type);
}

/* Whether a number may be a part of the dividend. */
static bool may_be_part(const Remainders *r, const IrValue *value)
{
    return type_is_integer(value->type) && (type_is_signed(r->type) || ir_nonnegative(value));
}

static IrValue *part(const Remainders *r, const IrValue *value)
{
    return ir_cast(r->unit->arena, r->type, build_copy(r->b, value), r->b->span);
}

/* A value as slope * counter + rest, of which either may be NULL: nothing. */
static bool take_apart(Remainders *r, const IrValue *value, IrValue **slope, IrValue **rest)
{
    *slope = *rest = NULL;
    if (r->parts++ == PARTS_MOST || !may_be_part(r, value))
        return false;
    if (stays(r, value)) {
        *rest = part(r, value);
        return true;
    }
    if (ir_is_var(value, r->loop->for_.var)) {
        *slope = build_integer(r->b, r->type, 1);
        return true;
    }
    const IrValue *named = value->op == OP_var ? sets_value(&r->names, value->var) : NULL;
    if (named && sets_stable(&r->names, named))
        return take_apart(r, named, slope, rest);
    if (!is_exact(r, value))
        return false;
    if (value->op == OP_cast)
        return take_apart(r, value->operands[0], slope, rest);
    if (value->op == OP_mul) {
        int fixed = stays(r, value->operands[1]);
        const IrValue *times = value->operands[fixed];
        if (!stays(r, times) || !may_be_part(r, times) ||
            !take_apart(r, value->operands[!fixed], slope, rest))
            return false;
        *slope = *slope ? build_op(r->b, OP_mul, *slope, part(r, times)) : NULL;
        *rest = *rest ? build_op(r->b, OP_mul, *rest, part(r, times)) : NULL;
        return true;
    }
    IrValue *slopes[2], *rests[2];
    if ((value->op != OP_add && value->op != OP_sub) ||
        !take_apart(r, value->operands[0], &slopes[0], &rests[0]) ||
        !take_apart(r, value->operands[1], &slopes[1], &rests[1]))
        return false;
    *slope = sum(r, value->op, slopes[0], slopes[1]);
    *rest = sum(r, value->op, rests[0], rests[1]);
    return true;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static IrVar *variable(Remainders *r, const char *name, const Type *type, IrValue *value)
{
    IrVar *var = build_temporary(r->b, name, type);
    var->nonnegative = true;
    build_set(r->b, var, ir_cast(r->unit->arena, type, value, r->b->span), &r->front);
    return var;
}

/* Whether remainders by such a divisor can be carried. */
static bool may_divide(Remainders *r, const IrValue *value, const IrValue *by)
{
    if (type_is_unsigned(value->type))
        return magnitude_bits(r->magnitude, by) <= EXACT_BITS && ir_positive(r->loop->for_.step);
    return is_positive(r, value);
}

/* What stands for a remainder, or the value itself. */
static IrValue *carried(Remainders *r, IrValue *value)
{
    IrBuilder *b = r->b;
    IrValue *slope, *rest, *by = value->operands[1];
    const Type *whole = r->type = value->type;
    r->parts = 0;
    b->span = value->span;
    if (!is_remainder(value) || !stays(r, by) ||
        !take_apart(r, value->operands[0], &slope, &rest) || !slope || ir_is_constant(slope))
        return value;
    int bits = magnitude_bits(r->magnitude, value->operands[0]);
    if (bits <= SMALL_BITS || bits > EXACT_BITS || !may_divide(r, value, by))
        return value;
    bool small = magnitude_bits(r->magnitude, by) <= SMALL_BITS;
    const Type *type = small ? type_int32 : type_int64;
    IrValue *least = ir_intrinsic(b->arena, INTR_max, whole, b->span, build_copy(b, by),
                                  build_integer(b, whole, 1), NULL);
    IrVar *divisor = variable(r, "_by", whole, least);
    divisor->positive = true;
    IrValue *begin = build_op(b, OP_mul, build_copy(b, slope), part(r, r->loop->for_.start));
    IrValue *pace = build_op(b, OP_mul, slope, part(r, r->loop->for_.step));
    IrVar *at =
        variable(r, "_rest", type, build_op(b, OP_mod, sum(r, OP_add, begin, rest), divisor));
    IrValue *left = build_op(b, OP_sub, divisor, build_op(b, OP_mod, pace, divisor));
    IrVar *back = variable(r, "_left", type, left);
    IrVar *end = variable(r, "_end", type, build_var(b, divisor));
    IrVar *next = build_temporary(b, "_sum", type);
    build_set(b, next, build_op(b, OP_sub, at, back), &r->end);
    IrValue *below = build_op(b, OP_lt, next, build_integer(b, type, 0));
    build_set(b, at,
              ir_select(r->unit->arena, below, build_op(b, OP_add, next, end), build_var(b, next),
                        b->span),
              &r->end);
    return ir_cast(r->unit->arena, whole, ir_never_negative(build_var(b, at)), b->span);
}

static void visit_slot(Remainders *r, IrValue **slot)
{
    for (int i = 0; i < (*slot)->count; i++)
        visit_slot(r, &(*slot)->operands[i]);
    if ((*slot)->op == OP_mod)
        *slot = carried(r, *slot);
}

static void visit_body(void *context, IrStmt *stmt)
{
    for_each_slot (slot, stmt)
        visit_slot(context, slot);
}

static void visit_loop(void *context, IrRegion *region, IrStmt *stmt)
{
    Remainders *r = context;
    if (stmt->kind != IR_FOR || flow_ways_out(&stmt->for_.body) & OUT_ITERATION ||
        !ir_is_constant(stmt->for_.step) || stmt->for_.var->type != type_int64 ||
        !ir_region_has_node(&stmt->for_.body, is_remainder))
        return;
    r->loop = stmt;
    r->sets = ir_sets_of_loop(r->unit->arena, r->unit->kernel, stmt);
    r->front = r->end = (IrRegion){ NULL, NULL };
    if (!stays(r, stmt->for_.start) || sets_only(&r->sets, stmt->for_.var) != stmt)
        return;
    ir_each_stmt(&stmt->for_.body, visit_body, r);
    if (!r->front.first)
        return;
    ir_insert_region(region, stmt, r->front);
    ir_append_region(&stmt->for_.body, r->end);
    ir_remark(r->unit, stmt->span, "a remainder is carried from iteration to iteration");
}

void unroll_carry_remainders(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!ir_region_has_node(&fn->body, is_remainder))
        return;
    Remainders r = { .unit = unit,
                     .b = { { unit->arena, fn, fn->span } },
                     .names = ir_sets(unit->arena, fn, &fn->body),
                     .magnitude = ir_magnitude(unit->arena, fn, unit->launch) };
    ir_change_stmts(&fn->body, visit_loop, &r);
}

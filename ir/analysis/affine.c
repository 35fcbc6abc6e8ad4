/* Everything is read from the bottom up: of sums, differences and products with constants, through
** variables that are set once. */
#include "base/arith.h"
#include "ir/analysis/affine.h"

enum { MULTIPLE_MAX = 64 }; /* what is a multiple of more counts as one of this */

/* ---- variables ------------------------------------------------------------------------------- */

/* What loops leave, found when it is asked for. */
struct IrLeft {
    Arena *arena;
    const IrFunc *fn;
    const bool *vars; /* by IrVar.id; NULL: not asked yet */
};

static IrLeft *new_left(Arena *arena, const IrFunc *fn)
{
    IrLeft *left = arena_new(arena, IrLeft);
    *left = (IrLeft){ .arena = arena, .fn = fn };
    return left;
}

static bool is_left(const IrAffine *affine, const IrVar *var)
{
    IrLeft *left = affine->left;
    if (!left->vars)
        left->vars = ir_left_by_loops(left->arena, left->fn, &left->fn->body);
    return left->vars[var->id];
}

IrAffine ir_affine(const IrUnit *unit, const IrRegion *within)
{
    const IrFunc *fn = unit->kernel;
    return (IrAffine){ .divergence = ir_divergence(unit, within),
                       .sets = ir_sets(unit->arena, fn, &fn->body),
                       .magnitude = ir_magnitude(unit->arena, fn, unit->launch),
                       .left = new_left(unit->arena, fn),
                       .unit = { 1, 1, 1 } };
}

bool affine_varies(const IrAffine *affine, const IrValue *value, int axis)
{
    int bits = ir_divergence_of(&affine->divergence, value);
    int index = affine->in_block ? DIVERGES_THREAD : DIVERGES_THREAD | DIVERGES_BLOCK;
    return bits & (DIVERGES_OTHER | index << axis);
}

bool affine_shared(const IrAffine *affine, const IrValue *value, int axis)
{
    if (!affine_varies(affine, value, axis))
        return true;
    value = sets_behind_casts(&affine->sets, value);
    if (!sets_is_short(&affine->sets, value) || value->op == OP_load)
        return false;
    if (value->op == OP_floordiv && !affine_varies(affine, value->operands[1], axis))
        return true;
    bool shared = value->count > 0;
    for (int i = 0; i < value->count && shared; i++)
        shared = affine_shared(affine, value->operands[i], axis);
    return shared;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

static bool slope_of_var(const IrAffine *affine, const IrVar *var, int axis, int64_t *slope)
{
    const IrValue *set = sets_value(&affine->sets, var);
    const IrStmt *loop = affine->estimate ? sets_loop(&affine->sets, var) : NULL;
    if (loop && !affine_varies(affine, loop->for_.step, axis))
        set = loop->for_.start;
    return set && sets_is_short(&affine->sets, set) && affine_slope(affine, set, axis, slope);
}

static bool slope_of_cast(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope)
{
    bool keeps = affine->estimate
                     ? type_is_integer(value->type) && type_is_integer(value->operands[0]->type)
                     : ir_keeps_value(value);
    return keeps && affine_slope(affine, value->operands[0], axis, slope);
}

static bool slope_of_sum(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope)
{
    int64_t left, right;
    if (!affine_slope(affine, value->operands[0], axis, &left) ||
        !affine_slope(affine, value->operands[1], axis, &right))
        return false;
    return value->op == OP_add ? !__builtin_add_overflow(left, right, slope)
                               : !__builtin_sub_overflow(left, right, slope);
}

/* The number that a value is divided by, rounded down; 0: it is no such quotient. */
static int64_t divisor(const IrValue *value)
{
    bool quotient = value->op == OP_floordiv || value->op == OP_shr;
    if (!quotient || !ir_is_constant(value->operands[1]))
        return 0;
    int64_t by = value->operands[1]->constant.integer;
    if (value->op == OP_floordiv)
        return by > 0 ? by : 0;
    return by >= 0 && by < 63 ? (int64_t)1 << by : 0;
}

/* For an estimate: what a quotient by a number grows by on average, times `factor`, and by one at
** least if that is one. */
static bool slope_of_quotient(const IrAffine *affine, const IrValue *value, int64_t factor,
                              int axis, int64_t *slope)
{
    int64_t inside, by = affine->estimate ? divisor(value) : 0;
    if (by == 0 || !affine_slope(affine, value->operands[0], axis, &inside) ||
        __builtin_mul_overflow(inside, factor, slope))
        return false;
    *slope /= by;
    if (*slope == 0 && inside)
        *slope = (inside < 0) == (factor < 0) ? 1 : -1;
    return true;
}

static bool slope_of_product(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope)
{
    const IrValue *a = value->operands[0], *b = value->operands[1];
    const IrValue *factor = ir_is_constant(b) ? b : a;
    int64_t other;
    if (ir_is_constant(factor) &&
        slope_of_quotient(affine, factor == b ? a : b, factor->constant.integer, axis, slope))
        return true;
    return ir_is_constant(factor) && affine_slope(affine, factor == b ? a : b, axis, &other) &&
           !__builtin_mul_overflow(other, factor->constant.integer, slope);
}

static bool is_outer(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_min || value->intrinsic == INTR_max);
}

/* An index that wraps around or is held at an array's ends moves, for an estimate, as it does where
** neither happens. */
static bool slope_inside(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope)
{
    bool held = is_outer(value) || ir_is_intrinsic(value, INTR_around);
    bool wraps = value->op == OP_mod || value->op == OP_and;
    if (!affine->estimate || (!held && !wraps) || affine_varies(affine, value->operands[1], axis))
        return false;
    return affine_slope(affine, value->operands[0], axis, slope);
}

bool affine_slope(const IrAffine *affine, const IrValue *value, int axis, int64_t *slope)
{
    *slope = 0;
    if (!affine_varies(affine, value, axis))
        return true;
    /* unsigned sums may wrap */
    if (!affine->estimate && !type_is_signed(value->type) && value->op != OP_cast &&
        value->op != OP_var)
        return false;
    switch ((int)value->op) {
    case OP_var:
        return slope_of_var(affine, value->var, axis, slope);
    case OP_cast:
        return slope_of_cast(affine, value, axis, slope);
    case OP_add:
    case OP_sub:
        return slope_of_sum(affine, value, axis, slope);
    case OP_mul:
        return slope_of_product(affine, value, axis, slope);
    case OP_intrinsic:
        *slope = 1; /* it varies */
        return value->intrinsic == INTR_grid ||
               (affine->in_block && value->intrinsic == INTR_thread_idx) ||
               slope_inside(affine, value, axis, slope);
    case OP_mod:
        if (ir_steady_axis(&affine->divergence, value) == axis)
            return affine_slope(affine, value->operands[0], axis, slope);
        return slope_inside(affine, value, axis, slope);
    case OP_floordiv:
    case OP_shr:
        return slope_of_quotient(affine, value, 1, axis, slope);
    default:
        return slope_inside(affine, value, axis, slope);
    }
}

/* ---- multiples ------------------------------------------------------------------------------- */

static int64_t multiple_of_number(int64_t number)
{
    int64_t lowest = number & -number;
    return number == 0 || lowest > MULTIPLE_MAX || lowest < 0 ? MULTIPLE_MAX : lowest;
}

static int64_t multiple_of_var(const IrAffine *affine, const IrValue *value)
{
    if (affine->launch && value->var->kind == VAR_PARAM)
        return launch_multiple(affine->launch, value->var->param, 16)  ? 16
               : launch_multiple(affine->launch, value->var->param, 4) ? 4
                                                                       : 1;
    const IrValue *set = sets_value(&affine->sets, value->var);
    const IrStmt *loop = sets_loop(&affine->sets, value->var);
    if (loop)
        return integer_min(affine_multiple(affine, loop->for_.start),
                           affine_multiple(affine, loop->for_.step));
    return set && sets_is_short(&affine->sets, set) ? affine_multiple(affine, set) : 1;
}

int64_t affine_multiple(const IrAffine *affine, const IrValue *value)
{
    int64_t a, b;
    if (!type_is_integer(value->type))
        return 1;
    switch ((int)value->op) {
    case OP_constant:
        return multiple_of_number(value->constant.integer);
    case OP_zero:
        return MULTIPLE_MAX;
    case OP_var:
        return multiple_of_var(affine, value);
    case OP_cast: /* what is cut off leaves the low bits as they were */
        return affine_multiple(affine, value->operands[0]);
    case OP_mod: /* a less a multiple of b */
    case OP_add:
    case OP_sub:
        return integer_min(affine_multiple(affine, value->operands[0]),
                           affine_multiple(affine, value->operands[1]));
    case OP_mul:
        return integer_min(MULTIPLE_MAX, affine_multiple(affine, value->operands[0]) *
                                             affine_multiple(affine, value->operands[1]));
    case OP_and: /* it has the low zeros of both */
        a = affine_multiple(affine, value->operands[0]);
        b = affine_multiple(affine, value->operands[1]);
        return a > b ? a : b;
    case OP_intrinsic:
        if (is_outer(value))
            return integer_min(affine_multiple(affine, value->operands[0]),
                               affine_multiple(affine, value->operands[1]));
        return value->intrinsic == INTR_grid ? affine->unit[value->index] : 1;
    default:
        return 1;
    }
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The parts of a sum with a constant, which is wholly signed: it cannot wrap. */
static const IrValue *other_part(const IrValue *value, int64_t *constant)
{
    const IrValue *a = value->operands[0], *b = value->operands[1];
    if (ir_is_constant(b)) {
        *constant = value->op == OP_add ? b->constant.integer : -b->constant.integer;
        return a;
    }
    *constant = a->op == OP_constant ? a->constant.integer : 0;
    return ir_is_constant(a) && value->op == OP_add ? b : NULL;
}

/* Whether a variable that is set to a value is looked through: it names a sum, or another. */
static bool names_sum(const IrSets *sets, const IrValue *set)
{
    return set && (set->op == OP_add || set->op == OP_sub || set->op == OP_var) &&
           sets_stable(sets, set);
}

const IrValue *affine_split(const IrSets *sets, const IrValue *value, int64_t *constant)
{
    *constant = 0;
    if (ir_is_constant(value)) {
        *constant = value->constant.integer;
        return NULL;
    }
    const IrValue *inner = NULL;
    int64_t added = 0;
    if (value->op == OP_var) {
        inner = sets ? sets_value(sets, value->var) : NULL;
        inner = names_sum(sets, inner) ? inner : NULL;
    } else if ((value->op == OP_add || value->op == OP_sub) && type_is_signed(value->type)) {
        inner = other_part(value, &added);
    }
    if (!inner)
        return value;
    const IrValue *rest = affine_split(sets, inner, constant);
    if (__builtin_add_overflow(*constant, added, constant)) {
        *constant = 0;
        return value;
    }
    return value->op == OP_var && *constant == 0 ? value : rest;
}

const IrValue *affine_without(Arena *arena, const IrValue *value, const IrVar *var)
{
    if (ir_is_var(value, var))
        return ir_integer(arena, value->type, 0, value->span);
    if ((value->op != OP_add && value->op != OP_sub) || !type_is_signed(value->type))
        return NULL;
    int side = ir_mentions(value->operands[1], var) != 0; /* in which it is added */
    IrValue *other = value->operands[!side];
    if (ir_mentions(other, var) || (side && value->op == OP_sub))
        return NULL;
    const IrValue *rest = affine_without(arena, value->operands[side], var);
    if (!rest || ir_is_integer(other, 0))
        return rest;
    if (ir_is_integer(rest, 0) && value->op == OP_add)
        return other;
    return ir_binary(arena, value->op, (IrValue *)rest, other, value->span);
}

/* ---- equality -------------------------------------------------------------------------------- */

/* Whether a value depends on nothing but its operands, and has no effect. */
static bool is_pure(const IrValue *value)
{
    if (value->op == OP_intrinsic)
        return ir_intrinsics[value->intrinsic].effect == EFFECT_NONE;
    return value->op != OP_call && value->op != OP_load && value->op != OP_view &&
           value->op != OP_recast;
}

bool affine_same(const IrValue *a, const IrValue *b)
{
    if (!ir_same_operation(a, b) || !is_pure(a))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!affine_same(a->operands[i], b->operands[i]))
            return false;
    return true;
}

/* What a name stands for wherever it is read. */
static const IrValue *behind_names(const IrAffine *affine, const IrValue *value)
{
    while (value->op == OP_var && sets_value(&affine->sets, value->var) &&
           !is_left(affine, value->var))
        value = sets_value(&affine->sets, value->var);
    return value;
}

/* Whether a variable is the same wherever it is read in one iteration of the loops around. */
static bool is_one(const IrAffine *affine, const IrValue *var)
{
    return sets_stable(&affine->sets, var) &&
           (var->var->kind != VAR_LOCAL || !is_left(affine, var->var));
}

bool affine_same_apart(const IrAffine *affine, const IrValue *a, const IrValue *b)
{
    if (a->op == OP_var && b->op == OP_var && a->var == b->var)
        return is_one(affine, a);
    a = behind_names(affine, a);
    b = behind_names(affine, b);
    if (!ir_same_operation(a, b) || !is_pure(a) || (a->op == OP_var && !is_one(affine, a)))
        return false;
    for (int i = 0; i < a->count; i++)
        if (!affine_same_apart(affine, a->operands[i], b->operands[i]))
            return false;
    return true;
}

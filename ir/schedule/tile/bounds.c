/* What is the same for all threads of a tile, and which conditions bound their indices.
**
** A condition between sums of which one grows by 1 from each index along an axis to the next is a
** bound on these indices: `i - j < n` is one on i. What stands on the other side must be the same
** for all threads, cheap, and far from the ends of 64 bits unless nothing is added to it. */
#include "ir/schedule/tile/tiles.h"

/* ---- values ------------------------------------------------------------------------------- */

int tiles_bits(const Tiles *tiles, const IrValue *value)
{
    int bits = ir_divergence_of(&tiles->affine.divergence, value);
    return tiles->block ? bits & ~DIVERGES_BLOCKS : bits;
}

/* Whether an operation costs next to nothing, and harms no thread that would not come to it. */
static bool is_cheap_op(const IrValue *value)
{
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
    case OP_var:
    case OP_extent:
    case OP_stride:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_neg:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_cast:
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_eq:
    case OP_ne:
    case OP_not:
    case OP_and_then:
    case OP_or_else:
    case OP_select:
        return true;
    case OP_div:
        return type_is_float(value->type);
    case OP_floordiv:
    case OP_mod:
    case OP_shl:
    case OP_shr:
        return ir_is_constant(value->operands[1]) && type_is_integer(value->type);
    case OP_intrinsic:
        return value->intrinsic <= INTR_gridsize || value->intrinsic == INTR_min ||
               value->intrinsic == INTR_max;
    default:
        return false;
    }
}

bool tiles_made_of(const Tiles *tiles, const IrValue *value, Made made)
{
    if (!is_cheap_op(value))
        return false;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL) {
        const int id = value->var->id;
        return tiles->vars[id] == TILE_VAR_ONCE
                   ? !(made & MADE_STABLE) || !tiles->common[id]
                   : (made & MADE_AGAIN) && tiles->vars[id] == TILE_VAR_AGAIN;
    }
    if (value->op == OP_var && value->var->kind != VAR_PARAM && value->var->kind != VAR_CONSTANT)
        return false;
    for (int i = 0; i < value->count; i++)
        if (!tiles_made_of(tiles, value->operands[i], made))
            return false;
    return true;
}

bool tiles_outside(const Tiles *tiles, const IrValue *value)
{
    return !tiles_bits(tiles, value) && tiles_made_of(tiles, value, MADE_OUTSIDE);
}

IrValue *tiles_base(Arena *arena, const IrValue *grid)
{
    IrValue *factors[2];
    for (int i = 0; i < 2; i++) {
        IrIntrinsic intrinsic = i ? INTR_block_dim : INTR_block_idx;
        factors[i] = ir_intrinsic(arena, intrinsic, type_int32, grid->span, NULL, NULL, NULL);
        factors[i]->index = grid->index;
        factors[i] = ir_cast(arena, type_int64, factors[i], grid->span);
    }
    return ir_binary(arena, OP_mul, factors[0], factors[1], grid->span);
}

static IrValue *plus(Arena *arena, IrValue *a, IrValue *b)
{
    if (a->op == OP_constant && a->type == b->type && a->constant.integer == 0)
        return b;
    if (b->op == OP_constant && a->type == b->type && b->constant.integer == 0)
        return a;
    return ir_binary(arena, OP_add, a, b, a->span);
}

typedef struct Resolve {
    const Tiles *tiles;
    int axis;
} Resolve;

static IrValue *resolve_value(const IrClone *clone, const IrValue *value)
{
    const Resolve *r = clone->context;
    if (value->op == OP_cast && type_is_integer(value->type)) /* of 0 is 0 */
        return ir_cast(clone->arena, value->type, ir_clone_value(clone, value->operands[0]),
                       value->span);
    if (value->op == OP_add)
        return plus(clone->arena, ir_clone_value(clone, value->operands[0]),
                    ir_clone_value(clone, value->operands[1]));
    bool index = value->op == OP_intrinsic && value->index == r->axis;
    if (index && value->intrinsic == INTR_grid && r->tiles->block)
        return tiles_base(clone->arena, value);
    if (index && (value->intrinsic == INTR_grid || value->intrinsic == INTR_thread_idx))
        return ir_integer(clone->arena, value->type, 0, value->span);
    IrValue *set = value->op == OP_var && r->tiles->vars[value->var->id] == TILE_VAR_AGAIN
                       ? sets_value(&r->tiles->affine.sets, value->var)
                       : NULL;
    return set ? ir_clone_value(clone, set) : NULL;
}

static IrValue *resolve(const Tiles *tiles, const IrValue *value, int axis)
{
    Resolve r = { tiles, axis };
    IrClone clone = { .arena = tiles->unit->arena, .value = resolve_value, .context = &r };
    return ir_clone_value(&clone, value);
}

/* ---- branches ------------------------------------------------------------------------------ */

/* a - b. */
static IrValue *minus(Arena *arena, IrValue *a, IrValue *b)
{
    if (ir_is_integer(b, 0))
        return a;
    bool negated = b->op == OP_sub && ir_is_integer(b->operands[0], 0);
    if (negated && ir_is_integer(a, 0))
        return b->operands[1];
    return negated ? plus(arena, a, b->operands[1]) : ir_binary(arena, OP_sub, a, b, a->span);
}

static IrValue *wide(Arena *arena, IrValue *value)
{
    return value->type == type_int64 ? value : ir_cast(arena, type_int64, value, value->span);
}

/* Whether a difference of two values is far from the ends of 64 bits. */
static bool is_tame(const Tiles *tiles, const IrValue *value)
{
    return magnitude_bits(tiles->affine.magnitude, value) < FAR_BITS;
}

/* `left < right` (`or_equal`: <=) as a bound on the indices along one axis. */
static bool find_bound(const Tiles *tiles, const IrValue *left, const IrValue *right, bool or_equal,
                       TileBound *bound)
{
    Arena *arena = tiles->unit->arena;
    int64_t slope = 0, a, b;
    bound->axis = -1;
    for (int axis = 0; axis < 3; axis++) {
        if (!affine_slope(&tiles->affine, left, axis, &a) ||
            !affine_slope(&tiles->affine, right, axis, &b))
            return false;
        if (a == b)
            continue;
        if (bound->axis >= 0 || __builtin_sub_overflow(a, b, &slope))
            return false;
        bound->axis = axis;
    }
    if (bound->axis < 0 || (slope != 1 && slope != -1) ||
        ((tiles_bits(tiles, left) | tiles_bits(tiles, right)) & DIVERGES_OTHER) ||
        !tiles_made_of(tiles, left, MADE_AGAIN) || !tiles_made_of(tiles, right, MADE_AGAIN))
        return false;
    bool plain = ir_is_constant(right) || tiles_bits(tiles, right) == 0;
    IrValue *l = wide(arena, resolve(tiles, left, bound->axis));
    IrValue *r = wide(arena, resolve(tiles, right, bound->axis));
    if (!tiles_outside(tiles, l) || !tiles_outside(tiles, r))
        return false;
    bool whole = ir_is_integer(l, 0) && plain && slope == 1 && !or_equal;
    if (!is_tame(tiles, left) || (!whole && !is_tame(tiles, right)))
        return false;
    bound->high = slope > 0;
    bound->end = bound->high ? minus(arena, r, l) : minus(arena, l, r);
    if (bound->high == or_equal)
        bound->end = plus(arena, bound->end, ir_integer(arena, type_int64, 1, l->span));
    return true;
}

/* One of a quotient as one of what is divided: `a // 8 < b` is `a < b * 8`, and `b < a // 8` is
** `b * 8 + 7 < a`. False if neither is a quotient by a number. */
static bool multiply(const Tiles *tiles, const IrValue **left, const IrValue **right, bool or_equal)
{
    Arena *arena = tiles->unit->arena;
    for (int side = 0; side < 2; side++) {
        const IrValue **quotient = side ? right : left, **other = side ? left : right;
        const IrValue *value = sets_behind_casts(&tiles->affine.sets, *quotient);
        const IrValue *by = value->op == OP_floordiv ? value->operands[1] : NULL;
        if (!by || !ir_is_constant(by) || !type_is_signed(by->type) || by->constant.integer < 1 ||
            by->constant.integer > INT16_MAX || !tiles_outside(tiles, *other))
            continue;
        IrValue *number = ir_integer(arena, type_int64, by->constant.integer, by->span);
        IrValue *times = ir_binary(arena, OP_mul, wide(arena, (IrValue *)*other), number, by->span);
        IrValue *rest = ir_integer(arena, type_int64, by->constant.integer - 1, by->span);
        if (side ? !or_equal : or_equal)
            times = plus(arena, times, rest);
        if (!is_tame(tiles, times))
            return false;
        *quotient = wide(arena, value->operands[0]);
        *other = times;
        return true;
    }
    return false;
}

/* The same, where a side may be a quotient. */
static bool find_bound_of(const Tiles *tiles, const IrValue *left, const IrValue *right,
                          bool or_equal, TileBound *bound)
{
    return find_bound(tiles, left, right, or_equal, bound) ||
           (multiply(tiles, &left, &right, or_equal) &&
            find_bound(tiles, left, right, or_equal, bound));
}

/* The bounds that a condition is; returns how many. */
static int bounds_of_term(const Tiles *tiles, const IrValue *term, TileBound bounds[2])
{
    if (term->count != 2 || !type_is_integer(term->operands[0]->type) ||
        !type_is_signed(term->operands[0]->type))
        return 0;
    const IrValue *a = term->operands[0], *b = term->operands[1];
    switch ((int)term->op) {
    case OP_lt:
        return find_bound_of(tiles, a, b, false, bounds);
    case OP_le:
        return find_bound_of(tiles, a, b, true, bounds);
    case OP_gt:
        return find_bound_of(tiles, b, a, false, bounds);
    case OP_ge:
        return find_bound_of(tiles, b, a, true, bounds);
    case OP_eq:
        return find_bound_of(tiles, a, b, true, &bounds[0]) &&
                       find_bound_of(tiles, b, a, true, &bounds[1])
                   ? 2
                   : 0;
    default:
        return 0;
    }
}

/* A condition with the variables that it was set aside in resolved. */
static IrValue *spelled_out(const Tiles *tiles, IrValue *condition)
{
    Arena *arena = tiles->unit->arena;
    IrValue *set = condition->op == OP_var ? sets_value(&tiles->affine.sets, condition->var) : NULL;
    if (set && tiles_made_of(tiles, set, MADE_AGAIN | MADE_STABLE))
        return spelled_out(tiles, set);
    if (condition->op == OP_not)
        return ir_unary(arena, OP_not, spelled_out(tiles, condition->operands[0]), condition->span);
    if (condition->op == OP_and_then || condition->op == OP_or_else)
        return ir_binary(arena, condition->op, spelled_out(tiles, condition->operands[0]),
                         spelled_out(tiles, condition->operands[1]), condition->span);
    return condition;
}

IrValue *tiles_clip(const Tiles *tiles, const IrValue *condition, bool wanted, TilePart *clip)
{
    Arena *arena = tiles->unit->arena;
    Terms terms = { 0 };
    IrValue *rest = NULL;
    guard_terms(arena, &terms, spelled_out(tiles, (IrValue *)condition), wanted);
    for (int i = 0; i < terms.count; i++) {
        IrValue *term = (IrValue *)terms.list[i];
        TileBound bounds[2];
        int count = bounds_of_term(tiles, term, bounds);
        for (int k = 0; k < count; k++) {
            bounds[k].only = count == 2;
            array_push(arena, clip->bounds, clip->bound_count, clip->bound_capacity) = bounds[k];
        }
        if (!count)
            rest = ir_both(arena, rest, term);
    }
    return rest;
}

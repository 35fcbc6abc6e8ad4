/* What a value is, from what its operands are. */
#include "ir/analysis/range/bounds_state.h"

static BoundedValue of_range(Interval range)
{
    return (BoundedValue){ range, linear_unknown() };
}

static BoundedValue of_atom(IrBounds *b, int atom)
{
    return (BoundedValue){ b->atoms[atom].range, linear_of_atom(atom) };
}

/* What a sum is whose value was computed from what `range` says. Beyond the type it wraps, and is
** no sum any more. */
static BoundedValue of_sum(IrBounds *b, const Type *type, Interval range, Linear form)
{
    range = interval_meet(range, linear_range(b, &form));
    if (!interval_fits(range, type))
        return of_range(interval_of_type(type));
    return (BoundedValue){ range, form };
}

static BoundedValue of_operation(const Type *type, Interval range)
{
    return of_range(interval_fits(range, type) ? range : interval_of_type(type));
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* Blocks of a number of threads that the text has written down, as in `blockIdx.x * 16`, are
** looked at more closely. */
static void ask_block(IrBounds *b)
{
    if (b->asked_block || b->unit->shape.free)
        return;
    b->asked_block = b->changed = true;
    b->sets++;
    b->knows_block = launch_block(b->unit->launch, b->block);
}

static uint32_t at_least_one(uint32_t number)
{
    return number ? number : 1;
}

/* Threads of the blocks asked for, along the axis asked for that one of what is launched stands
** for; how many such blocks one of these stands for. */
static uint32_t asked_threads(const IrBounds *b, int axis)
{
    return b->block[launch_axis(&b->unit->shape, axis)];
}

static uint32_t merged_blocks(const IrBounds *b, int axis)
{
    const IrShape *shape = &b->unit->shape;
    return shape->changed && !shape->free ? at_least_one(shape->merge[axis]) : 1;
}

static Interval thread_range(const IrBounds *b, int axis)
{
    const IrShape *shape = &b->unit->shape;
    if (b->knows_block)
        return interval_from(0, (IrWide)asked_threads(b, axis) /
                                        at_least_one(shape->changed ? shape->divide[axis] : 1) -
                                    1);
    return interval_from(0, (axis == 2 ? BLOCK_DEEP : BLOCK_THREADS) - 1);
}

static Interval blocks_range(const IrBounds *b, int axis, int least)
{
    Interval range = interval_reaching(least, REACH_THREADS, least - 1);
    if (axis > 0)
        range = interval_meet(range, interval_from(least, BLOCKS_HIGH + least - 1));
    uint32_t each = merged_blocks(b, axis) * (b->knows_block ? asked_threads(b, axis) : 1);
    if (b->unit->shape.changed && b->unit->shape.team)
        each = (uint32_t)launch_together(&b->unit->shape, axis);
    if (each > 1)
        range = interval_meet(range, interval_from(least, NARROW_THREADS / each + least));
    return range;
}

/* As many threads as a grid may have along y or z, in blocks that are known if that was asked. */
static int64_t threads_high(const IrBounds *b, int axis)
{
    const IrLaunch *launch = b->unit->launch;
    uint32_t known = launch && launch->asked.block[0] ? launch->facts.block[axis] : 0;
    return (int64_t)BLOCKS_HIGH * (known ? known : axis == 2 ? BLOCK_DEEP : BLOCK_THREADS);
}

static Interval grid_range(const IrBounds *b, int axis)
{
    const IrShape *shape = &b->unit->shape;
    Interval range = interval_reaching(0, REACH_THREADS, -1);
    if (axis > 0 && !shape->changed)
        range = interval_meet(range, interval_from(0, threads_high(b, axis) - 1));
    if (shape->changed && shape->free && shape->tile[axis] > 1)
        range = interval_meet(range, interval_from(0, NARROW_THREADS / shape->tile[axis] - 1));
    return range;
}

static Interval thread_index_range(const IrBounds *b, IrIntrinsic intrinsic, int axis)
{
    switch ((int)intrinsic) {
    case INTR_thread_idx:
        return thread_range(b, axis);
    case INTR_block_idx:
        return blocks_range(b, axis, 0);
    case INTR_grid_dim:
        return blocks_range(b, axis, 1);
    case INTR_block_dim:
        return interval_meet(interval_reaching(1, REACH_THREADS, 0),
                             interval_from(1, axis == 2 ? BLOCK_DEEP : BLOCK_THREADS));
    case INTR_grid:
        return grid_range(b, axis);
    default: /* gridsize */
        return interval_reaching(1, REACH_THREADS, 0);
    }
}

int bounds_thread_index(IrBounds *b, IrIntrinsic intrinsic, int axis)
{
    return bounds_atom(b, (Key){ KEY_THREAD_INDEX, intrinsic, axis },
                       thread_index_range(b, intrinsic, axis));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Whether an array is known to have 1 to 4096 elements because that was asked already. */
static bool has_to_4096(const IrLaunch *launch, int param)
{
    if (!launch)
        return false;
    uint64_t known = (launch->asked.elements_to_4096 & launch->facts.elements_to_4096) |
                     (launch->asked.elements_to_256 & launch->facts.elements_to_256);
    return param < LAUNCH_PARAMS && known >> param & 1;
}

static Interval extent_range(const IrBounds *b, const IrValue *array)
{
    Interval longest = interval_reaching(0, REACH_EXTENT, 0);
    const IrValue *at = array;
    while (at->op == OP_cast || at->op == OP_transpose || at->op == OP_view)
        at = at->operands[0];
    bool known = at->op == OP_var && at->var->kind == VAR_PARAM && !b->vars[at->var->id].version;
    if (known && has_to_4096(b->unit->launch, at->var->param))
        return interval_meet(longest, interval_from(1, ELEMENTS_4096));
    return known || !b->reshapes ? longest : interval_from(0, INT64_MAX);
}

BoundedValue bounds_of_extent(IrBounds *b, const IrValue *array, int axis)
{
    if (array->op != OP_var) {
        if (array->op == OP_recast) /* as it says itself */
            return bounds_known(b, array->operands[1 + axis]);
        if (array->op == OP_field)
            return of_range(interval_from(0, INT64_MAX));
        return of_range(extent_range(b, array));
    }
    if (array->var->extents && axis > 0)
        return bounds_known(b, array->var->extents[axis - 1]);
    if (array->var->shape && array->var->shape[axis] != EXTENT_UNKNOWN)
        return (BoundedValue){ interval_from(array->var->shape[axis], array->var->shape[axis]),
                               linear_number(array->var->shape[axis]) };
    Key key = { KEY_EXTENT, array->var->id,
                axis + (int64_t)RANK_MAX * b->vars[array->var->id].version };
    return of_atom(b, bounds_atom(b, key, extent_range(b, array)));
}

/* The axes of one parameter, dense and never set, whose extents a product of atoms multiplies: a
** bit each; 0 if it is no such product. */
static unsigned extents_in(const IrBounds *b, int atom, int64_t *var)
{
    Key key = b->atoms[atom].key;
    if (key.kind == KEY_EXTENT && key.b < RANK_MAX && (*var < 0 || *var == key.a)) {
        *var = key.a;
        return 1u << key.b;
    }
    if (key.kind != KEY_PRODUCT)
        return 0;
    unsigned x = extents_in(b, (int)key.a, var), y = extents_in(b, (int)key.b, var);
    return x && y && !(x & y) ? x | y : 0;
}

/* Whether a product is that of all extents of an array without gaps: the elements it spans. */
static bool is_size(const IrBounds *b, int atom)
{
    int64_t id = -1;
    unsigned axes = extents_in(b, atom, &id);
    if (!axes)
        return false;
    const IrVar *var = b->fn->vars[id];
    return var->kind == VAR_PARAM && var->type->array.layout != LAYOUT_A &&
           axes == (1u << var->type->array.rank) - 1;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static bool is_place_atom(const IrBounds *b, int atom, IrIntrinsic intrinsic)
{
    return b->atoms[atom].key.kind == KEY_THREAD_INDEX &&
           b->atoms[atom].key.a == (int64_t)intrinsic;
}

/* The axis of two atoms that are these indices, in either order; -1. */
static int index_axis(const IrBounds *b, int x, int y, IrIntrinsic one, IrIntrinsic other)
{
    bool both = (is_place_atom(b, x, one) && is_place_atom(b, y, other)) ||
                (is_place_atom(b, x, other) && is_place_atom(b, y, one));
    return both && b->atoms[x].key.b == b->atoms[y].key.b ? (int)b->atoms[x].key.b : -1;
}

/* Whether an atom is made of extents alone. Their product, as a number of elements or threads is,
** is taken not to wrap, as range.c takes signed products. */
static bool is_extents(const IrBounds *b, int atom)
{
    Key key = b->atoms[atom].key;
    if (key.kind == KEY_PRODUCT)
        return is_extents(b, (int)key.a) && is_extents(b, (int)key.b);
    return key.kind == KEY_EXTENT || (key.kind == KEY_QUOTIENT && is_extents(b, (int)key.a));
}

static BoundedValue of_atoms_product(IrBounds *b, const Type *type, int x, int y)
{
    Interval range = interval_multiply(b->atoms[x].range, b->atoms[y].range);
    int axis = index_axis(b, x, y, INTR_block_dim, INTR_grid_dim);
    if (axis >= 0)
        return of_atom(b, bounds_thread_index(b, INTR_gridsize, axis));
    Key key = { KEY_PRODUCT, x < y ? x : y, x < y ? y : x };
    int atom = bounds_atom(b, key, interval_everything()); /* whatever type it is of */
    if (index_axis(b, x, y, INTR_block_idx, INTR_block_dim) >= 0)
        range = interval_meet(range, interval_reaching(0, REACH_THREADS, -1));
    else if (is_size(b, atom))
        range = interval_meet(range, interval_reaching(0, REACH_EXTENT, 0));
    else if (type == type_int64 && !interval_fits(range, type) && is_extents(b, x) &&
             is_extents(b, y))
        range = interval_from(0, INT64_MAX);
    if (!interval_fits(range, type))
        return of_range(interval_of_type(type));
    bounds_refine(b, atom, range, false);
    return of_atom(b, atom);
}

/* `blockIdx.x * 16`: as many threads as blocks of 16 have, if they have that many. */
static Interval blocks_times(IrBounds *b, int atom, int64_t factor)
{
    Interval range = interval_scale(b->atoms[atom].range, factor);
    if (factor < 2 || !is_place_atom(b, atom, INTR_block_idx))
        return range;
    int axis = (int)b->atoms[atom].key.b;
    if (axis == 0)
        ask_block(b);
    int64_t threads = b->knows_block ? asked_threads(b, axis) : 1;
    if (factor <= threads * merged_blocks(b, axis))
        range = interval_meet(range, interval_reaching(0, REACH_THREADS, -threads));
    return range;
}

static BoundedValue of_product(IrBounds *b, const IrValue *value)
{
    BoundedValue x = bounds_known(b, value->operands[0]), y = bounds_known(b, value->operands[1]);
    if (x.form.count == 0) {
        BoundedValue swapped = x;
        x = y;
        y = swapped;
    }
    int atom = linear_atom(&x.form), other = linear_atom(&y.form);
    Interval range = interval_multiply(x.range, y.range);
    /* Elements that are read twice are the same, unless threads race. */
    if (range.low < 0 && ir_same_value(value->operands[0], value->operands[1]))
        range.low = 0;
    if (y.form.count == 0) {
        if (atom >= 0)
            range = interval_meet(range, blocks_times(b, atom, y.form.rest));
        return of_sum(b, value->type, range, linear_scale(&x.form, y.form.rest));
    }
    if (atom >= 0 && other >= 0)
        return of_atoms_product(b, value->type, atom, other);
    return of_operation(value->type, range);
}

/* a // n and a % n, the same wherever a and n are. */
static BoundedValue of_quotient(IrBounds *b, const IrValue *value)
{
    BoundedValue x = bounds_known(b, value->operands[0]), y = bounds_known(b, value->operands[1]);
    Interval range = interval_binary(value->op, x.range, y.range);
    int atom = linear_atom(&x.form), by = linear_atom(&y.form);
    bool number = y.form.count == 0, rest = value->op == OP_mod;
    if (atom < 0 || (!number && by < 0) || !interval_fits(range, value->type))
        return of_operation(value->type, range);
    Key key = { number ? (rest ? KEY_REST : KEY_QUOTIENT) : (rest ? KEY_REST_BY : KEY_QUOTIENT_BY),
                atom, number ? y.form.rest : by };
    int quotient = bounds_atom(b, key, interval_everything());
    bounds_refine(b, quotient, range, false);
    return of_atom(b, quotient);
}

static BoundedValue of_binary(IrBounds *b, const IrValue *value)
{
    if (!type_is_integer(value->type))
        return of_range(interval_of_type(value->type));
    if (value->op == OP_mul)
        return of_product(b, value);
    if (value->op == OP_floordiv || value->op == OP_mod)
        return of_quotient(b, value);
    BoundedValue x = bounds_known(b, value->operands[0]), y = bounds_known(b, value->operands[1]);
    Interval range = interval_binary(value->op, x.range, y.range);
    if (value->op == OP_add || value->op == OP_sub)
        return of_sum(b, value->type, range,
                      linear_add(b, &x.form, &y.form, value->op == OP_add ? 1 : -1));
    return of_operation(value->type, range);
}

static BoundedValue of_neg(IrBounds *b, const IrValue *value)
{
    BoundedValue x = bounds_known(b, value->operands[0]);
    return of_sum(b, value->type, interval_negate(x.range), linear_scale(&x.form, -1));
}

static BoundedValue of_select(IrBounds *b, const IrValue *value)
{
    Interval arms[2];
    for (int i = 0; i < 2; i++) {
        int mark = bounds_mark(b);
        bounds_assume(b, value->operands[0], i == 0);
        arms[i] = bounds_known(b, value->operands[i + 1]).range;
        bounds_forget(b, mark);
    }
    return of_range(interval_join(arms[0], arms[1]));
}

/* ---- casts ----------------------------------------------------------------------------------- */

const IrVar *bounds_float_var(const IrValue *value)
{
    while (value->op == OP_cast && type_is_float(value->type) &&
           type_is_float(value->operands[0]->type) &&
           type_size(value->type) > type_size(value->operands[0]->type))
        value = value->operands[0];
    return value->op == OP_var && type_is_float(value->type) ? value->var : NULL;
}

static int float_atom(const IrBounds *b, const IrValue *value)
{
    const IrVar *var = bounds_float_var(value);
    return var ? linear_atom(&b->vars[var->id].now.form) : -1;
}

bool bounds_float_fits(IrBounds *b, const IrValue *value, const Type *type)
{
    int atom = float_atom(b, value);
    return atom >= 0 && b->atoms[atom].number &&
           interval_within(b->atoms[atom].range, interval_of_type(type));
}

/* Casts hold what is too large at the type's ends, and make 0 of NaN. To bool nothing is cut: 0.75
** is true. */
static BoundedValue of_float(IrBounds *b, const IrValue *value)
{
    Interval type = interval_of_type(value->type);
    if (value->type->kind == TY_BOOL)
        return of_range(type);
    int atom = float_atom(b, value->operands[0]);
    Interval range = atom < 0 ? bounds_of_float(b, value->operands[0]) : b->atoms[atom].range;
    if (interval_empty(range))
        return of_range(type);
    if (atom < 0 || !b->atoms[atom].number)
        range = interval_join(range, interval_from(0, 0));
    return of_range(interval_within(range, type) ? range : type);
}

static BoundedValue of_cast(IrBounds *b, const IrValue *value)
{
    const Type *from = value->operands[0]->type;
    if (type_is_float(from))
        return of_float(b, value);
    if (!type_is_integer(from) && from->kind != TY_BOOL)
        return of_range(interval_of_type(value->type));
    BoundedValue x = bounds_known(b, value->operands[0]);
    return interval_fits(x.range, value->type) ? x : of_range(interval_of_type(value->type));
}

/* ---- the rest -------------------------------------------------------------------------------- */

static BoundedValue of_two(IrBounds *b, const IrValue *value)
{
    Interval x = bounds_known(b, value->operands[0]).range;
    Interval y = bounds_known(b, value->operands[1]).range;
    return of_range(value->intrinsic == INTR_min ? interval_min(x, y) : interval_max(x, y));
}

static BoundedValue of_abs(IrBounds *b, const IrValue *value)
{
    BoundedValue x = bounds_known(b, value->operands[0]);
    if (x.range.low >= 0)
        return x;
    Interval range = interval_max(x.range, interval_negate(x.range));
    range.low = range.low < 0 ? 0 : range.low;
    return of_operation(value->type, range);
}

static BoundedValue of_intrinsic(IrBounds *b, const IrValue *value)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_grid:
    case INTR_gridsize:
        return of_atom(b, bounds_thread_index(b, value->intrinsic, value->index));
    case INTR_laneid:
        return of_range(interval_from(0, WARP_LANES - 1));
    case INTR_warpsize:
        return (BoundedValue){ interval_from(WARP_LANES, WARP_LANES), linear_number(WARP_LANES) };
    case INTR_popc:
    case INTR_clz:
    case INTR_ffs:
        return of_range(interval_from(0, 64));
    case INTR_syncthreads_count:
        return of_range(interval_from(0, BLOCK_THREADS));
    case INTR_min:
    case INTR_max:
        return of_two(b, value);
    case INTR_abs:
        return type_is_integer(value->operands[0]->type) ? of_abs(b, value)
                                                         : of_range(interval_everything());
    default:
        return of_range(interval_of_type(value->type));
    }
}

static BoundedValue of_var(IrBounds *b, const IrValue *value)
{
    VarState *var = &b->vars[value->var->id];
    int atom = linear_atom(&var->now.form);
    int guess = atom < 0 ? 0 : b->atoms[atom].guess;
    if (guess && (!var->guessed || guess < var->guessed))
        var->guessed = guess;
    var->uncounted |= !var->counts;
    if (var->counts && !var->inside) { /* past its loop */
        var->unfit = true;
        return of_range(interval_of_type(value->type));
    }
    if (var->now.form.count < 0) /* no integer */
        return of_range(interval_of_type(value->type));
    return (BoundedValue){ interval_meet(var->now.range, linear_range(b, &var->now.form)),
                           var->now.form };
}

static BoundedValue of_constant(const IrValue *value)
{
    IrWide number = value->constant.integer;
    if (value->type->kind == TY_UINT64)
        number = (uint64_t)value->constant.integer;
    return (BoundedValue){ interval_from(number, number), number <= INT64_MAX
                                                              ? linear_number((int64_t)number)
                                                              : linear_unknown() };
}

static BoundedValue of_operands(IrBounds *b, const IrValue *value)
{
    if (!type_is_integer(value->type) && value->type->kind != TY_BOOL)
        return of_range(interval_everything());
    switch ((int)value->op) {
    case OP_constant:
        return of_constant(value);
    case OP_zero:
        return (BoundedValue){ interval_from(0, 0), linear_number(0) };
    case OP_var:
        return of_var(b, value);
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_floordiv:
    case OP_mod:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_shl:
    case OP_shr:
        return of_binary(b, value);
    case OP_neg:
        return of_neg(b, value);
    case OP_select:
        return of_select(b, value);
    case OP_cast:
        return of_cast(b, value);
    case OP_extent:
        return bounds_of_extent(b, value->operands[0], value->index);
    case OP_intrinsic:
        return of_intrinsic(b, value);
    default:
        return of_range(interval_of_type(value->type));
    }
}

static BoundedValue find_known(IrBounds *b, const IrValue *value)
{
    BoundedValue known = of_operands(b, value);
    if (value->nonnegative)
        known.range = interval_meet(known.range, interval_from(0, INT64_MAX));
    return known;
}

/* Operations are asked about again and again at one place, with all that they are made of. */
BoundedValue bounds_known(IrBounds *b, const IrValue *value)
{
    KeptValue *kept = &b->values[((uintptr_t)value >> 5) % VALUES_KEPT];
    if (value->count < 2)
        return find_known(b, value);
    if (kept->value != value || kept->state != b->state || kept->sets != b->sets) {
        BoundedValue known = find_known(b, value);
        *kept = (KeptValue){ value, b->state, b->sets, known };
    }
    return kept->known;
}

Interval bounds_of(IrBounds *b, const IrValue *value)
{
    return bounds_known(b, value).range;
}

static bool is_extreme(const IrValue *value)
{
    return value->op == OP_intrinsic && type_is_integer(value->type) &&
           (value->intrinsic == INTR_min || value->intrinsic == INTR_max);
}

/* Of minima and maxima what it is of their parts, so many of them in one another. */
static Interval difference(IrBounds *b, const IrValue *x, const IrValue *y, int deep)
{
    BoundedValue a = bounds_known(b, x), c = bounds_known(b, y);
    Linear form = linear_add(b, &a.form, &c.form, -1);
    Interval found =
        interval_meet(interval_binary(OP_sub, a.range, c.range), linear_range(b, &form));
    const IrValue *extreme = is_extreme(x) ? x : y;
    if (!deep || !is_extreme(extreme))
        return found;
    Interval parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] = extreme == x ? difference(b, x->operands[i], y, deep - 1)
                                : difference(b, x, y->operands[i], deep - 1);
    bool least = (extreme->intrinsic == INTR_min) == (extreme == x);
    return interval_meet(found, least ? interval_min(parts[0], parts[1])
                                      : interval_max(parts[0], parts[1]));
}

Interval bounds_difference(IrBounds *b, const IrValue *x, const IrValue *y)
{
    return difference(b, x, y, LEAST_MOST);
}

bool bounds_beside(IrBounds *b, const IrValue *value, const IrVar *var, int64_t *factor,
                   Interval *rest)
{
    BoundedValue known = bounds_known(b, value);
    int atom = linear_atom(&b->vars[var->id].now.form);

    *factor = 0;
    if (known.form.count < 0 || atom < 0)
        return false;
    for (int i = 0; i < known.form.count; i++)
        if (known.form.term[i].atom == atom)
            *factor = known.form.term[i].factor;
    const Linear one = linear_of_atom(atom), form = linear_add(b, &known.form, &one, -*factor);
    *rest = linear_range(b, &form);
    return form.count >= 0;
}

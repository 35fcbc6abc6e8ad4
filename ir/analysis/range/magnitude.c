/* How large integers are, from the bottom up: of all that sets a variable, whatever the order. */
#include "ir/analysis/range/bounds.h"

/* A launch has at most 2^31 blocks of 2^10 threads along an axis, and no memory holds more elements
** than that; one that is narrow has NARROW_THREADS and less than 2^31 elements.
** What begins at no more than START_BITS and grows in steps of at most STEP_BITS, as by
** the number of threads, counts something: it is taken to end before COUNTED_BITS. */
enum {
    BLOCK_BITS = 11,
    GRID_BITS = 31,
    AXIS_BITS = 41,
    NARROW_BITS = 31,
    BIT_NUMBER_BITS = 7,
    SMALL_BITS = 30, /* LIMIT_30_BITS */
    START_BITS = 61,
    STEP_BITS = 48,
    COUNTED_BITS = 62,
    DEPTH_MAX = 12
};

/* ---- what sets variables --------------------------------------------------------------------- */

static void note_set(void *context, IrStmt *stmt)
{
    IrMagnitude *m = context;
    const IrVar *var = ir_set_var(stmt);
    if (!var)
        return;
    IrSetStmt *set = arena_new(m->arena, IrSetStmt);
    *set = (IrSetStmt){ stmt, m->sets[var->id] };
    m->sets[var->id] = set;
}

static void find_sets(IrMagnitude *m)
{
    if (m->sets)
        return;
    m->sets = arena_array(m->arena, const IrSetStmt *, m->fn->var_count + 1);
    m->bits = arena_array(m->arena, int, m->fn->var_count + 1);
    ir_each_stmt(&m->fn->body, note_set, m);
}

IrMagnitude *ir_magnitude(Arena *arena, const IrFunc *fn, IrLaunch *launch)
{
    IrMagnitude *m = arena_new(arena, IrMagnitude);
    *m = (IrMagnitude){ .arena = arena, .fn = fn, .launch = launch };
    return m;
}

const IrSetStmt *magnitude_sets(IrMagnitude *m, const IrVar *var)
{
    find_sets(m);
    return m->sets[var->id];
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* What an unknown number of a type takes, without its sign. */
int magnitude_type_bits(const Type *type)
{
    int bits = type->kind == TY_BOOL ? 1 : (int)type_size(type) * 8;

    return type_is_signed(type) ? bits - 1 : bits;
}

static int constant_bits(const IrValue *value)
{
    uint64_t number = (uint64_t)value->constant.integer;
    int bits = 0;

    if (type_is_signed(value->type) && value->constant.integer < 0)
        number = 0 - number;
    for (; number; number >>= 1)
        bits++;
    return bits;
}

static int bits_of(IrMagnitude *m, const IrValue *value, int depth);

static int most_bits(IrMagnitude *m, const IrValue *value, int from, int depth)
{
    int most = 0;

    for (int i = from; i < value->count; i++) {
        int bits = bits_of(m, value->operands[i], depth);
        most = bits > most ? bits : most;
    }
    return most;
}

/* What steps begin with, and whether all of them are small. */
typedef struct StepsSize {
    int begin;
    bool any, large;
} StepsSize;

static void add_steps(IrMagnitude *m, StepsSize *steps, const IrValue *begin, const IrValue *by,
                      int depth)
{
    int bits = begin ? bits_of(m, begin, depth) : 0;

    steps->begin = bits > steps->begin ? bits : steps->begin;
    steps->any |= by != NULL;
    steps->large |= by && bits_of(m, by, depth) > STEP_BITS;
}

/* Whether a small number may become a large one, as -1 does in an unsigned type. */
static bool may_wrap_up(const IrValue *value)
{
    const Type *from = value->count ? value->operands[0]->type : NULL;

    if (!type_is_unsigned(value->type))
        return false;
    return value->op == OP_sub || value->op == OP_neg || value->op == OP_invert ||
           (value->op == OP_cast && type_is_integer(from) && !ir_nonnegative(value->operands[0]));
}

/* x + by, as x is set to it; not one that may step below an unsigned type's zero. */
static bool is_step_of(const IrValue *value, const IrVar *var)
{
    return (value->op == OP_add || value->op == OP_sub) && !may_wrap_up(value) &&
           ir_is_var(value->operands[0], var);
}

static int counted_bits(const IrMagnitude *m, const StepsSize *steps, const Type *type)
{
    if (!steps->any)
        return steps->begin;
    bool far = m->steps_count && !steps->large && steps->begin <= START_BITS;
    return far ? COUNTED_BITS : magnitude_type_bits(type);
}

/* A counter lies between where it begins and where it stops. */
static int counter_bits(IrMagnitude *m, const IrStmt *stmt, int depth)
{
    StepsSize steps = { 0 };
    int stop = bits_of(m, stmt->for_.stop, depth), bits;

    add_steps(m, &steps, stmt->for_.start, stmt->for_.step, depth);
    bits = counted_bits(m, &steps, stmt->for_.var->type);
    stop = stop > steps.begin ? stop : steps.begin;
    return bits < stop ? bits : stop;
}

static int bits_of_sets(IrMagnitude *m, const IrVar *var, int depth)
{
    StepsSize steps = { 0 };
    int bits;

    for (const IrSetStmt *set = m->sets[var->id]; set; set = set->next) {
        if (set->stmt->kind == IR_FOR) {
            bits = counter_bits(m, set->stmt, depth);
            steps.begin = bits > steps.begin ? bits : steps.begin;
        } else if (is_step_of(set->stmt->set.value, var)) {
            add_steps(m, &steps, NULL, set->stmt->set.value->operands[1], depth);
        } else {
            add_steps(m, &steps, set->stmt->set.value, NULL, depth);
        }
    }
    return counted_bits(m, &steps, var->type);
}

/* Found once; while it is being found nothing is known of the variable. */
static int var_bits(IrMagnitude *m, const IrVar *var, int depth)
{
    if (var->kind == VAR_PARAM && launch_scalar_30_bits(m->launch, var->param))
        return SMALL_BITS;
    find_sets(m);
    if (!m->sets[var->id])
        return magnitude_type_bits(var->type);
    if (!m->bits[var->id]) {
        m->bits[var->id] = 1 + magnitude_type_bits(var->type);
        m->bits[var->id] = 1 + bits_of_sets(m, var, depth);
    }
    return m->bits[var->id] - 1;
}

static int axis_bits(const IrMagnitude *m)
{
    return launch_narrow(m->launch) ? NARROW_BITS : AXIS_BITS;
}

/* What a value is no more than, of either sign, sums added up to the end. */
static IrWide most_of(IrMagnitude *m, const IrValue *value, int depth)
{
    bool sum = (value->op == OP_add || value->op == OP_sub) && !may_wrap_up(value);
    if (!sum || depth > DEPTH_MAX)
        return ((IrWide)1 << bits_of(m, value, depth)) - (value->op == OP_constant);
    IrWide room = (IrWide)1 << magnitude_type_bits(value->type);
    IrWide most =
        most_of(m, value->operands[0], depth + 1) + most_of(m, value->operands[1], depth + 1);
    return most > room ? room : most;
}

static int sum_bits(IrMagnitude *m, const IrValue *value, int depth)
{
    IrWide most = most_of(m, value->operands[0], depth) + most_of(m, value->operands[1], depth);
    int bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* Of a minimum. */
static int min_bits(IrMagnitude *m, const IrValue *value, int depth)
{
    int least = magnitude_type_bits(value->type);
    for (int i = 0; i < value->count; i++) {
        int bits = bits_of(m, value->operands[i], depth);
        if (!m->least || !ir_nonnegative(value->operands[i]))
            return most_bits(m, value, 0, depth);
        least = bits < least ? bits : least;
    }
    return least;
}

static int intrinsic_bits(IrMagnitude *m, const IrValue *value, int depth)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_dim:
        return BLOCK_BITS;
    case INTR_block_idx:
    case INTR_grid_dim:
        return GRID_BITS;
    case INTR_grid:
        return axis_bits(m) - launch_narrow(m->launch); /* less than the most threads */
    case INTR_gridsize:
        return axis_bits(m);
    case INTR_laneid:
    case INTR_warpsize:
    case INTR_popc:
    case INTR_clz:
    case INTR_ffs:
        return BIT_NUMBER_BITS;
    case INTR_min:
        return min_bits(m, value, depth);
    case INTR_max:
    case INTR_abs:
        return most_bits(m, value, 0, depth);
    default:
        return magnitude_type_bits(value->type);
    }
}

static int open_bits(IrMagnitude *m, const IrValue *value, int depth)
{
    if (may_wrap_up(value))
        return magnitude_type_bits(value->type);
    switch ((int)value->op) {
    case OP_constant:
        return constant_bits(value);
    case OP_zero:
        return 0;
    case OP_var:
        return var_bits(m, value->var, depth);
    case OP_extent:
        return axis_bits(m);
    case OP_intrinsic:
        return intrinsic_bits(m, value, depth);
    case OP_cast:
        return type_is_integer(value->operands[0]->type) ? most_bits(m, value, 0, depth)
                                                         : magnitude_type_bits(value->type);
    case OP_add:
    case OP_sub:
        return sum_bits(m, value, depth);
    case OP_mul:
        return bits_of(m, value->operands[0], depth) + bits_of(m, value->operands[1], depth);
    case OP_select:
        return most_bits(m, value, 1, depth);
    case OP_neg:
    case OP_invert:
    case OP_floordiv:
    case OP_mod:
    case OP_and:
    case OP_or:
    case OP_xor:
        return most_bits(m, value, 0, depth);
    case OP_shr:
        return bits_of(m, value->operands[0], depth);
    default:
        return magnitude_type_bits(value->type);
    }
}

/* So many bits hold the number's size. */
static int bits_of(IrMagnitude *m, const IrValue *value, int depth)
{
    if (!type_is_integer(value->type))
        return magnitude_type_bits(type_int64);
    int room = magnitude_type_bits(value->type);
    if (depth > DEPTH_MAX)
        return room;
    int bits = open_bits(m, value, depth + 1);
    return bits < room ? bits : room;
}

int magnitude_bits(IrMagnitude *m, const IrValue *value)
{
    return bits_of(m, value, 0);
}

int magnitude_open_bits(IrMagnitude *m, const IrValue *value)
{
    return open_bits(m, value, 0);
}

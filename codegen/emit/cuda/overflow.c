/* DIALECT_CUDA: signed integers that may overflow. NVRTC knows no -fwrapv: it takes it that they do
** not, and `a + 1 > a` for true. Where an operation may overflow it is done with unsigned numbers,
** which wrap. Most of what kernels compute are places in arrays, which are too small for that: they
** stay as they are written. */
#include "codegen/emit/emit.h"

/* A launch has at most 2^31 blocks of 2^10 threads along an axis, and no memory holds more elements
** than that. What begins at no more than START_BITS and grows in steps of at most STEP_BITS, as by
** the number of threads, does not grow beyond COUNTED_BITS in the time that anyone has. */
enum {
    BLOCK_BITS = 11,
    GRID_BITS = 31,
    AXIS_BITS = 41,
    BIT_NUMBER_BITS = 7,
    START_BITS = 61,
    STEP_BITS = 48,
    COUNTED_BITS = 62,
    DEPTH_MAX = 12
};

/* What an unknown number of a type takes, without its sign. */
static int type_bits(const Type *type)
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

static int bits_of(const Emitter *e, const IrValue *value, int depth);

static int most_bits(const Emitter *e, const IrValue *value, int from, int depth)
{
    int most = 0;

    for (int i = from; i < value->count; i++) {
        int bits = bits_of(e, value->operands[i], depth);
        most = bits > most ? bits : most;
    }
    return most;
}

/* What steps begin with, and whether all of them are small. */
typedef struct Steps {
    int begin;
    bool any, large;
} Steps;

static void add_steps(const Emitter *e, Steps *steps, const IrValue *begin, const IrValue *by,
                      int depth)
{
    int bits = begin ? bits_of(e, begin, depth) : 0;

    steps->begin = bits > steps->begin ? bits : steps->begin;
    steps->any |= by != NULL;
    steps->large |= by && bits_of(e, by, depth) > STEP_BITS;
}

/* Whether a small number may become a large one, as -1 does in an unsigned type. */
static bool may_wrap_up(const IrValue *value)
{
    const Type *from = value->count ? value->operands[0]->type : NULL;

    if (!type_is_unsigned(value->type))
        return false;
    return value->op == OP_sub || value->op == OP_neg || value->op == OP_invert ||
           (value->op == OP_cast && type_is_integer(from) && type_is_signed(from));
}

/* x + by, as x is set to it; not one that may step below an unsigned type's zero. */
static bool is_step_of(const IrValue *value, const IrVar *var)
{
    return (value->op == OP_add || value->op == OP_sub) && !may_wrap_up(value) &&
           value->operands[0]->op == OP_var && value->operands[0]->var == var;
}

static int counted_bits(const Steps *steps, const Type *type)
{
    if (!steps->any)
        return steps->begin;
    return steps->large || steps->begin > START_BITS ? type_bits(type) : COUNTED_BITS;
}

/* A counter lies between where it begins and where it stops. */
static int counter_bits(const Emitter *e, const IrStmt *stmt, int depth)
{
    Steps steps = { 0 };
    int stop = bits_of(e, stmt->for_.stop, depth), bits;

    add_steps(e, &steps, stmt->for_.start, stmt->for_.step, depth);
    bits = counted_bits(&steps, stmt->for_.var->type);
    stop = stop > steps.begin ? stop : steps.begin;
    return bits < stop ? bits : stop;
}

static int bits_of_sets(const Emitter *e, const IrVar *var, int depth)
{
    Steps steps = { 0 };
    int bits;

    for (const VarSet *set = e->vars[var->id].all_sets; set; set = set->next) {
        if (set->stmt->kind == IR_FOR) {
            bits = counter_bits(e, set->stmt, depth);
            steps.begin = bits > steps.begin ? bits : steps.begin;
        } else if (is_step_of(set->stmt->set.value, var)) {
            add_steps(e, &steps, NULL, set->stmt->set.value->operands[1], depth);
        } else {
            add_steps(e, &steps, set->stmt->set.value, NULL, depth);
        }
    }
    return counted_bits(&steps, var->type);
}

/* Found once; while it is being found nothing is known of the variable. */
static int var_bits(const Emitter *e, const IrVar *var, int depth)
{
    VarInfo *info = &e->vars[var->id];

    if (!info->all_sets)
        return type_bits(var->type);
    if (!info->bits) {
        info->bits = 1 + type_bits(var->type);
        info->bits = 1 + bits_of_sets(e, var, depth);
    }
    return info->bits - 1;
}

static int intrinsic_bits(const Emitter *e, const IrValue *value, int depth)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_dim:
        return BLOCK_BITS;
    case INTR_block_idx:
    case INTR_grid_dim:
        return GRID_BITS;
    case INTR_grid:
    case INTR_gridsize:
        return AXIS_BITS;
    case INTR_laneid:
    case INTR_warpsize:
    case INTR_popc:
    case INTR_clz:
    case INTR_ffs:
        return BIT_NUMBER_BITS;
    case INTR_min:
    case INTR_max:
    case INTR_abs:
        return most_bits(e, value, 0, depth);
    default:
        return type_bits(value->type);
    }
}

/* Without regard to what the type has room for. */
static int open_bits(const Emitter *e, const IrValue *value, int depth)
{
    if (may_wrap_up(value))
        return type_bits(value->type);
    switch ((int)value->op) {
    case OP_constant:
        return constant_bits(value);
    case OP_zero:
        return 0;
    case OP_var:
        return var_bits(e, value->var, depth);
    case OP_extent:
        return AXIS_BITS;
    case OP_intrinsic:
        return intrinsic_bits(e, value, depth);
    case OP_cast:
        return type_is_integer(value->operands[0]->type) ? most_bits(e, value, 0, depth)
                                                         : type_bits(value->type);
    case OP_add:
    case OP_sub:
        return most_bits(e, value, 0, depth) + 1;
    case OP_mul:
        return bits_of(e, value->operands[0], depth) + bits_of(e, value->operands[1], depth);
    case OP_select:
        return most_bits(e, value, 1, depth);
    case OP_neg:
    case OP_invert:
    case OP_floordiv:
    case OP_mod:
    case OP_and:
    case OP_or:
    case OP_xor:
        return most_bits(e, value, 0, depth);
    case OP_shr:
        return bits_of(e, value->operands[0], depth);
    default:
        return type_bits(value->type);
    }
}

/* So many bits hold the number's size. */
static int bits_of(const Emitter *e, const IrValue *value, int depth)
{
    int room, bits;

    if (!type_is_integer(value->type))
        return type_bits(type_int64);
    room = type_bits(value->type);
    if (depth > DEPTH_MAX)
        return room;
    bits = open_bits(e, value, depth + 1);
    return bits < room ? bits : room;
}

int value_bits(const Emitter *e, const IrValue *value)
{
    return bits_of(e, value, 0);
}

bool may_overflow(const Emitter *e, const IrValue *value)
{
    const Type *type = value->type;

    if (e->dialect != DIALECT_CUDA || !type_is_integer(type))
        return false;
    if (value->op == OP_intrinsic)
        return value->intrinsic == INTR_abs && open_bits(e, value, 0) >= type_bits(type);
    if (type_size(type) < 4) /* C computes with int */
        return value->op == OP_mul && open_bits(e, value, 0) > 31;
    if (!type_is_signed(type))
        return false;
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        /* Of 32 bits narrow.c alone makes them, of what fits; a negation may be the user's. */
        return !(type_size(type) == 4 && e->unit->narrow) &&
               open_bits(e, value, 0) > type_bits(type);
    case OP_neg:
        return open_bits(e, value, 0) >= type_bits(type);
    default:
        return false;
    }
}

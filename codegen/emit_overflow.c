/* DIALECT_CUDA: signed integers that may overflow. NVRTC knows no -fwrapv: it takes it that they do
** not, and `a + 1 > a` for true. Where an operation may overflow it is done with unsigned numbers,
** which wrap. Most of what kernels compute are places in arrays, which are too small for that: they
** stay as they are written. */
#include "codegen/emit.h"

/* No launch has so many threads along an axis, and no array so many elements, that a number of them
** takes more bits; and no thread counts further in one loop. */
enum { AXIS_BITS = 31, COUNTER_BITS = 32, DEPTH_MAX = 12 };

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

static int var_bits(const Emitter *e, const IrValue *value, int depth)
{
    const VarInfo *info = &e->vars[value->var->id];

    if (value->var->kind == VAR_PARAM || info->sets != 1)
        return type_bits(value->type);
    return info->only ? bits_of(e, info->only, depth) : COUNTER_BITS;
}

static int intrinsic_bits(const Emitter *e, const IrValue *value, int depth)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_grid:
    case INTR_gridsize:
    case INTR_laneid:
    case INTR_warpsize:
    case INTR_popc:
    case INTR_clz:
    case INTR_ffs:
        return AXIS_BITS;
    case INTR_min:
    case INTR_max:
        return most_bits(e, value, 0, depth);
    default:
        return type_bits(value->type);
    }
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
        return var_bits(e, value, depth);
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

bool may_overflow(const Emitter *e, const IrValue *value)
{
    const Type *type = value->type;

    if (e->dialect != DIALECT_CUDA || !type_is_integer(type))
        return false;
    if (type_size(type) < 4) /* C computes with int */
        return value->op == OP_mul && open_bits(e, value, 0) > 31;
    if (!type_is_signed(type) || (type_size(type) == 4 && e->unit->narrow)) /* ir/narrow.c */
        return false;
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        return open_bits(e, value, 0) > type_bits(type);
    case OP_neg:
        return open_bits(e, value, 0) >= type_bits(type);
    default:
        return false;
    }
}

bool may_overflow_in_place(const Emitter *e, const IrStmt *stmt, const IrValue *value)
{
    bool step = stmt->kind == IR_SET && (value->op == OP_add || value->op == OP_sub) &&
                bits_of(e, value->operands[1], 0) <= COUNTER_BITS;

    return !step && may_overflow(e, value);
}

/* Values, as far as they are known: an operation at a time, for all threads of a block. */
#include "ir/predict/rehearsal.h"

/* ---- branches -------------------------------------------------------------------------------- */

static Mask no_threads(const Rehearsal *r, const Mask *like)
{
    return (Mask){ r->none, 0, like->sure };
}

/* Those of both. */
static Mask join(Rehearsal *r, const Mask *a, const Mask *b)
{
    bool sure = a->sure && b->sure;

    if (!a->count || !b->count)
        return (Mask){ a->count ? a->on : b->on, a->count + b->count, sure };
    Mask both = rehearsal_mask(r, a);
    both.sure = sure;
    both.count = 0;
    for (int i = 0; i < r->threads; i++) {
        both.on[i] |= b->on[i];
        both.count += both.on[i];
    }
    return both;
}

void value_part(Rehearsal *r, const Spread *is, const Mask *mask, Mask *yes, Mask *no)
{
    if (!is->lanes) {
        *yes = is->base ? *mask : no_threads(r, mask);
        *no = is->base ? no_threads(r, mask) : *mask;
        return;
    }
    *yes = rehearsal_mask(r, mask);
    *no = rehearsal_mask(r, mask);
    yes->count = 0;
    for (int i = 0; i < r->threads; i++) {
        uint8_t on = mask->on[i] & (uint8_t)(is->base + is->lanes[i]);
        yes->on[i] = on;
        no->on[i] = mask->on[i] ^ on;
        yes->count += on;
    }
    no->count = mask->count - yes->count;
    rehearsal_work(r, (uint64_t)r->threads);
}

static void branch_and(Rehearsal *r, const IrValue *value, const Mask *mask, Mask *yes, Mask *no)
{
    Mask first, outer, inner;

    value_branch(r, value->operands[0], mask, &first, &outer);
    value_branch(r, value->operands[1], &first, yes, &inner);
    *no = join(r, &outer, &inner);
}

static void branch_or(Rehearsal *r, const IrValue *value, const Mask *mask, Mask *yes, Mask *no)
{
    Mask first, outer, inner;

    value_branch(r, value->operands[0], mask, &outer, &first);
    value_branch(r, value->operands[1], &first, &inner, no);
    *yes = join(r, &outer, &inner);
}

void value_branch(Rehearsal *r, const IrValue *condition, const Mask *mask, Mask *yes, Mask *no)
{
    if (!mask->count) {
        *yes = no_threads(r, mask);
        *no = no_threads(r, mask);
        return;
    }
    switch ((int)condition->op) {
    case OP_and_then:
        branch_and(r, condition, mask, yes, no);
        return;
    case OP_or_else:
        branch_or(r, condition, mask, yes, no);
        return;
    case OP_not:
        value_branch(r, condition->operands[0], mask, no, yes);
        return;
    default:
        break;
    }
    Spread is = value_of(r, condition, mask, false);
    if (is.known) {
        value_part(r, &is, mask, yes, no);
        return;
    }
    *yes = *no = (Mask){ mask->on, mask->count, false };
}

/* A bool that branches as it is computed. */
static Spread branching_bool(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    Mask yes, no;

    value_branch(r, value, mask, &yes, &no);
    if (yes.count + no.count != mask->count) /* some may do either */
        return spread_unknown();
    if (!yes.count || !no.count)
        return spread_number(yes.count > 0);
    int64_t *lanes = rehearsal_room(r);
    for (int i = 0; i < r->threads; i++)
        lanes[i] = yes.on[i];
    return spread_lanes(r, lanes, mask);
}

static Spread select_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    Mask yes, no;
    Spread a = spread_unknown(), b = spread_unknown();

    value_branch(r, value->operands[0], mask, &yes, &no);
    if (yes.count)
        a = value_of(r, value->operands[1], &yes, index);
    if (no.count)
        b = value_of(r, value->operands[2], &no, index);
    if (yes.count + no.count != mask->count)
        return spread_unknown();
    return !no.count ? a : !yes.count ? b : spread_merge(r, a, &yes, b);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* What the checker tells of where it happens: a divisor of 0, a count beyond the bits. */
static void check_operand(Rehearsal *r, const IrValue *value, const Spread *last, const Mask *mask)
{
    bool shifts = value->op == OP_shl || value->op == OP_shr;
    int64_t low, high;

    if (!shifts && value->op != OP_floordiv && value->op != OP_mod)
        return;
    if (!last->known)
        rehearsal_give_up(r);
    if (shifts) {
        spread_bounds(r, last, mask, &low, &high);
        if (low < 0 || high >= (int64_t)(8 * type_size(value->type)))
            rehearsal_give_up(r);
        return;
    }
    Spread zero = spread_compare(r, OP_eq, *last, spread_number(0), mask);
    spread_bounds(r, &zero, mask, &low, &high);
    if (high)
        rehearsal_give_up(r);
}

/* Of numbers of which some are not known. */
static Spread unknown_arithmetic(Rehearsal *r, const IrValue *value, bool index)
{
    bool wraps = value->op == OP_add || value->op == OP_sub || value->op == OP_mul ||
                 value->op == OP_shl || value->op == OP_neg || value->op == OP_pow;

    if (index && wraps)
        rehearsal_give_up(r);
    return spread_unknown();
}

static Spread binary_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    IrOp op = value->op;
    bool goes_on = index && op != OP_mod && op != OP_and && op != OP_shr && !ir_is_comparison(op);
    Spread a = value_of(r, value->operands[0], mask, goes_on);
    Spread b = value_of(r, value->operands[1], mask, goes_on);
    const Type *type = value->operands[0]->type;

    if (!type_is_integral(type))
        return spread_unknown();
    if (type != type_bool)
        check_operand(r, value, &b, mask);
    if (!a.known || !b.known)
        return unknown_arithmetic(r, value, index);
    if (ir_is_comparison(op))
        return spread_compare(r, op, a, b, mask);
    switch ((int)op) {
    case OP_add:
    case OP_sub:
        return spread_add(r, type, a, b, op == OP_add ? 1 : -1, mask);
    case OP_mul:
        return spread_multiply(r, type, a, b, mask);
    case OP_pow:
    case OP_div:
        return unknown_arithmetic(r, value, index);
    default:
        return spread_binary(r, op, type, a, b, mask);
    }
}

static Spread unary_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    Spread a = value_of(r, value->operands[0], mask, index && value->op == OP_neg);
    const Type *type = value->type;

    if (!type_is_integral(type))
        return spread_unknown();
    if (!a.known)
        return unknown_arithmetic(r, value, index);
    if (value->op == OP_neg)
        return spread_add(r, type, spread_number(0), a, -1, mask);
    if (value->op == OP_not || type == type_bool)
        return spread_add(r, type_bool, spread_number(1), a, -1, mask);
    if (type_is_unsigned(type))
        return spread_unknown();
    return spread_add(r, type, spread_number(-1), a, -1, mask);
}

static Spread cast_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    const Type *from = value->operands[0]->type, *to = value->type;
    bool cuts = type_is_integer(from) && type_size(to) < type_size(from);
    Spread a = value_of(r, value->operands[0], mask, index && !(cuts && type_is_unsigned(to)));

    if (type_is_array(to))
        return a;
    if (!type_is_integral(from)) {
        if (type_is_integer(to))
            rehearsal_give_up(r); /* it may be beyond */
        return spread_unknown();
    }
    if (!type_is_integral(to))
        return spread_unknown();
    if (!a.known) {
        if (index && cuts && type_is_signed(to))
            rehearsal_give_up(r);
        return a;
    }
    if (to == type_bool && from != type_bool)
        return spread_compare(r, OP_ne, a, spread_number(0), mask);
    if (!spread_fits(r, &a, to, mask))
        rehearsal_give_up(r);
    return a;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static Spread along(Rehearsal *r, const IrValue *value)
{
    const RehearsalRequest *request = r->request;
    int k = value->index;
    Spread index;

    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return r->place[k];
    case INTR_block_idx:
    case INTR_grid:
        index = value->intrinsic == INTR_grid ? r->place[k] : spread_number(0);
        index.slope[k] = value->intrinsic == INTR_grid ? request->block[k] : 1;
        index.low += index.slope[k] * r->box.first[k];
        index.high += index.slope[k] * r->box.last[k];
        return index;
    case INTR_block_dim:
        return spread_number(request->block[k]);
    case INTR_grid_dim:
        return spread_number(request->grid[k]);
    default: /* INTR_gridsize */
        return spread_number((int64_t)request->grid[k] * request->block[k]);
    }
}

static Spread extreme_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    Spread a = value_of(r, value->operands[0], mask, index);
    Spread b = value_of(r, value->operands[1], mask, index);

    if (!a.known || !b.known || !type_is_integral(value->type))
        return spread_unknown();
    IrOp op = value->intrinsic == INTR_min ? OP_le : OP_ge;
    Spread first = spread_compare(r, op, a, b, mask);
    Mask yes, no;
    value_part(r, &first, mask, &yes, &no);
    return !no.count ? a : !yes.count ? b : spread_merge(r, a, &yes, b);
}

/* A function of numbers, that does nothing else. */
static Spread function_of(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    bool floats = false;

    if (ir_intrinsics[value->intrinsic].effect != EFFECT_NONE)
        rehearsal_give_up(r);
    for (int i = 0; i < value->count; i++) {
        value_of(r, value->operands[i], mask, false);
        floats |= !type_is_integral(value->operands[i]->type);
    }
    if (floats && type_is_integer(value->type))
        rehearsal_give_up(r);
    return spread_unknown();
}

static Spread intrinsic_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_grid:
    case INTR_gridsize:
        return along(r, value);
    case INTR_laneid:
        return r->lane;
    case INTR_min:
    case INTR_max:
        return extreme_of(r, value, mask, index);
    default:
        return function_of(r, value, mask);
    }
}

static Spread array_of(Rehearsal *r, const IrVar *var)
{
    Memory *memory = r->memories[var->id];

    if (!memory && !r->set[var->id])
        rehearsal_give_up(r);
    return memory ? (Spread){ .memory = memory } : r->vars[var->id];
}

static Spread var_of(Rehearsal *r, const IrVar *var)
{
    if (type_is_array(var->type))
        return array_of(r, var);
    if (var->kind == VAR_PARAM) {
        const RehearsalArg *arg = &r->request->args[var->param];
        return arg->known ? spread_number(arg->value) : spread_unknown();
    }
    return r->vars[var->id];
}

static Spread load_of(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    Spread array = value_of(r, value->operands[0], mask, false);

    if (!array.memory)
        rehearsal_give_up(r);
    memory_access(r, array.memory, value->operands + 1, value->count - 1, ACCESS_READ, mask);
    return spread_unknown();
}

static Spread extent_of(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    Spread array = value_of(r, value->operands[0], mask, false);

    if (!array.memory)
        rehearsal_give_up(r);
    return spread_number(array.memory->shape[value->index]);
}

/* Parts put together, and taken out: none of them is known. */
static Spread parts_of(Rehearsal *r, const IrValue *value, const Mask *mask)
{
    for (int i = 0; i < value->count; i++)
        if (type_is_array(value->operands[i]->type))
            rehearsal_give_up(r);
        else
            value_of(r, value->operands[i], mask, false);
    if (type_is_array(value->type))
        rehearsal_give_up(r);
    return spread_unknown();
}

static Spread constant_of(const IrValue *value)
{
    int64_t number = value->constant.integer;

    if (!type_is_integral(value->type) || (value->type == type_uint64 && number < 0))
        return spread_unknown();
    return spread_number(number);
}

Spread value_of(Rehearsal *r, const IrValue *value, const Mask *mask, bool index)
{
    rehearsal_work(r, 16);
    if (value->unset) /* it may be read */
        rehearsal_give_up(r);
    switch ((int)value->op) {
    case OP_constant:
        return constant_of(value);
    case OP_zero:
        return type_is_integral(value->type) ? spread_number(0) : spread_unknown();
    case OP_var:
        return var_of(r, value->var);
    case OP_and_then:
    case OP_or_else:
        return branching_bool(r, value, mask);
    case OP_select:
        return select_of(r, value, mask, index);
    case OP_neg:
    case OP_invert:
    case OP_not:
        return unary_of(r, value, mask, index);
    case OP_cast:
        return cast_of(r, value, mask, index);
    case OP_extent:
        return extent_of(r, value, mask);
    case OP_load:
        return load_of(r, value, mask);
    case OP_intrinsic:
        return intrinsic_of(r, value, mask, index);
    case OP_item_at:
    case OP_stride:
    case OP_view:
    case OP_field:
    case OP_recast:
    case OP_transpose:
    case OP_data:
    case OP_call:
        rehearsal_give_up(r);
    case OP_bits:
    case OP_tuple:
    case OP_item:
    case OP_real:
    case OP_imag:
    case OP_complex:
        return parts_of(r, value, mask);
    default:
        return binary_of(r, value, mask, index);
    }
}

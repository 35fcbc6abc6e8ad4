/* Values as the pass `narrow` copies them: of their own type, or, what is certain to fit, as an
** int32, or the low 32 bits of what may not. narrow.c says what is legal. */
#include "ir/simplify/narrow.h"

/* How many numbers may be added to an index one after the other, and how large each may be: narrow
** launches have room for all of them. */
enum { MOST_DEPTH = 16, MOST_NEAR = NARROW_SLACK / MOST_DEPTH };

static IrValue *low_bits(Narrow *n, const IrValue *value);
static IrValue *on_low_bits(Narrow *n, const IrValue *value);

/* ---- what can be narrow ---------------------------------------------------------------------- */

bool narrow_is_wide(const Type *type)
{
    return type == type_int64 || type == type_uint64;
}

bool narrow_fits(Narrow *n, const IrValue *value)
{
    if (value->op == OP_var && n->narrowed[value->var->id]) /* all that it is ever set to does */
        return true;
    Interval range = bounds_of(n->bounds, value);
    return type_is_integer(value->type) && interval_fits(range, type_int32);
}

/* By a shift that int32 has, too. */
static bool shifts_narrow(Narrow *n, const IrValue *value)
{
    return (value->op != OP_shl && value->op != OP_shr) ||
           interval_within(bounds_of(n->bounds, value->operands[1]), interval_from(0, 31));
}

/* Shifts by a lane's number are vectors for a processor if they shift 32 bits. */
bool narrow_keeps_low_bits(Narrow *n, const IrValue *value)
{
    switch ((int)value->op) {
    case OP_neg:
    case OP_invert:
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_and:
    case OP_or:
    case OP_xor:
        return true;
    case OP_shl:
        return (n->unit->processor || value->operands[1]->op == OP_constant) &&
               shifts_narrow(n, value);
    default:
        return false;
    }
}

/* Whether a value that fits comes out narrow by itself, without being cut. */
static bool is_native(const Narrow *n, const IrValue *value)
{
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
    case OP_load:
    case OP_call:
    case OP_item:
    case OP_item_at:
    case OP_bits:
    case OP_pow:
        return false;
    case OP_var:
        return n->narrowed[value->var->id];
    case OP_cast:
        return !narrow_is_wide(value->operands[0]->type) || is_native(n, value->operands[0]);
    case OP_intrinsic:
        return value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize ||
               value->intrinsic == INTR_min || value->intrinsic == INTR_max ||
               value->intrinsic == INTR_abs;
    default:
        return true;
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* A copy that has no operands yet. */
static IrValue *hollow(const Narrow *n, const IrValue *value, const Type *type)
{
    IrValue *copy = ir_value(n->arena, value->op, type, value->span, value->count);
    IrValue **operands = copy->operands;
    *copy = *value;
    copy->type = type;
    copy->operands = operands;
    return copy;
}

/* Of what was cut to 32 bits before, from what that was cut from. */
static IrValue *cast_to(const Narrow *n, const Type *type, IrValue *value)
{
    bool cut = value->op == OP_cast && type_is_integer(type) && type_size(type) <= 4 &&
               (value->type == type_int32 || value->type == type_uint32) &&
               type_is_integer(value->operands[0]->type);
    if (cut && value->type != type)
        value = value->operands[0];
    return ir_cast(n->arena, type, value, value->span);
}

/* The exponent of a constant that is a power of two, above 1; -1. */
static int power_of_two(const IrValue *value)
{
    int64_t number = value->op == OP_constant ? value->constant.integer : 0;
    return number > 1 && !(number & (number - 1)) ? __builtin_ctzll((uint64_t)number) : -1;
}

/* a // 2^k and a % 2^k as a >> k and a & (2^k - 1), of an `a` already written; or NULL. */
static IrValue *strength_reduced(const Narrow *n, const IrValue *value, IrValue *a)
{
    int exponent = power_of_two(value->operands[1]);
    if ((value->op != OP_floordiv && value->op != OP_mod) || exponent < 0 ||
        !type_is_integer(value->type))
        return NULL;
    bool shift = value->op == OP_floordiv;
    int64_t by = shift ? exponent : value->operands[1]->constant.integer - 1;
    return ir_binary(n->arena, shift ? OP_shr : OP_and, a,
                     ir_integer(n->arena, a->type, by, value->span), value->span);
}

/* ---- indices --------------------------------------------------------------------------------- */

/* Whether an index that is right is less than 2^31: of what spans no more elements than the
** arguments do. */
static bool has_narrow_axes(const Narrow *n, const IrValue *array)
{
    while (array->op == OP_cast || array->op == OP_view || array->op == OP_transpose ||
           array->op == OP_field || (array->op == OP_recast && !narrow_shrinks(array)))
        array = array->operands[0];
    if (array->op == OP_var && array->var->kind != VAR_LOCAL)
        return true;
    return !narrow_shrinks(array) && !n->shrinks;
}

/* Sums in indices: for the processor they are computed as its addresses are, so that the C compiler
** sees that they do not wrap from one iteration of a loop to the next. */
static bool stays_wide(const Narrow *n, const IrValue *index)
{
    return n->unit->processor && (index->op == OP_add || index->op == OP_sub ||
                                  (index->op == OP_var && !is_native(n, index)));
}

IrValue *narrow_wide_sum(Narrow *n, const IrValue *value)
{
    bool sum = value->op == OP_add || value->op == OP_sub;
    bool narrow = !sum && is_native(n, value) && narrow_fits(n, value);
    if (!narrow_is_wide(value->type) || (!sum && !narrow))
        return narrow_value(n, value);
    if (!sum)
        return cast_to(n, value->type, narrow_as_int32(n, value));
    IrValue *copy = hollow(n, value, value->type);
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = narrow_wide_sum(n, value->operands[i]);
    return copy;
}

/* Whether a value is a number so small that an index plus it fits where the index does. */
static bool is_near(const IrValue *value)
{
    int64_t number = value->op == OP_constant ? value->constant.integer : INT64_MAX;
    return narrow_is_wide(value->type) && number >= -MOST_NEAR && number <= MOST_NEAR;
}

/* Whether an operand fits where the sum or product does, of which nothing is negative: it is no
** greater than the sum, nor than the product by what is not 0. */
static bool fits_within(Narrow *n, const IrValue *value, int operand)
{
    const IrValue *it = value->operands[operand], *other = value->operands[1 - operand];
    if (narrow_fits(n, it))
        return true;
    if (value->op == OP_mul && bounds_of(n->bounds, other).low < 1)
        return false;
    return narrow_nonnegative(n, it) && narrow_nonnegative(n, other);
}

/* An index that is right, or a part of one that fits if it is, as an int32 that overflows nowhere.
** So compilers see what lies apart by a constant, and what moves by the same from one iteration to
** the next. */
static IrValue *part_of_index(Narrow *n, const IrValue *value, int depth)
{
    bool sum = value->op == OP_add || value->op == OP_sub;
    bool near = sum && is_near(value->operands[1]);
    bool parts = near || ((value->op == OP_add || value->op == OP_mul) &&
                          fits_within(n, value, 0) && fits_within(n, value, 1));
    if (narrow_fits(n, value))
        return narrow_as_int32(n, value);
    if (!parts || !type_is_signed(value->type) || depth == MOST_DEPTH)
        return cast_to(n, type_int32, low_bits(n, value));
    IrValue *copy = hollow(n, value, type_int32);
    for (int i = 0; i < 2; i++)
        copy->operands[i] = part_of_index(n, value->operands[i], depth + 1);
    return copy;
}

/* An index of an array; with `accessed` the element there is read or written, so that the index is
** right, else it may lie outside. */
static IrValue *index_of(Narrow *n, const IrValue *array, const IrValue *index, bool accessed)
{
    bool positive = narrow_nonnegative(n, index);
    IrValue *copy;
    if (!narrow_is_wide(index->type))
        return narrow_value(n, index);
    if (stays_wide(n, index))
        copy = narrow_wide_sum(n, index);
    else if (narrow_fits(n, index))
        copy = narrow_as_int32(n, index);
    else if (has_narrow_axes(n, array) && !n->unit->processor)
        copy = accessed ? part_of_index(n, index, 0) : cast_to(n, type_int32, low_bits(n, index));
    else
        copy = narrow_value(n, index);
    bool shows = narrow_fits(n, index) && ir_nonnegative(copy);
    copy->nonnegative |= positive && !shows;
    return copy;
}

IrValue *narrow_index(Narrow *n, const IrValue *array, const IrValue *index)
{
    return index_of(n, array, index, true);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void copy_operands(Narrow *n, IrValue *copy, const IrValue *value)
{
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = narrow_value(n, value->operands[i]);
}

/* The operands from `first` up to `end` as indices of `array`. */
static void copy_indices(Narrow *n, IrValue *copy, const IrValue *value, int array, int first,
                         int end)
{
    copy_operands(n, copy, value);
    for (int i = first; i < end; i++)
        copy->operands[i] = narrow_index(n, value->operands[array], value->operands[i]);
}

static void copy_view(Narrow *n, IrValue *copy, const IrValue *view)
{
    int operand = 1;
    copy_operands(n, copy, view);
    for (const char *axis = view->axes; *axis; axis++) {
        if (*axis == 'i')
            copy->operands[operand] =
                index_of(n, view->operands[0], view->operands[operand], false);
        operand += *axis == 'i' ? 1 : *axis == 's' ? 3 : 0;
    }
}

/* Of operands that are several arrays, each with an index an axis behind it but for those whose
** elements are not named. */
static void copy_tiles(Narrow *n, IrValue *copy, const IrValue *value)
{
    const IrValue *array = NULL;
    int indices = 0;
    copy_operands(n, copy, value);
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        if (type_is_array(operand->type)) {
            array = operand;
            indices = array->type->array.rank;
        } else if (indices-- > 0) {
            copy->operands[i] = index_of(n, array, operand, false);
        }
    }
}

static void copy_intrinsic(Narrow *n, IrValue *copy, const IrValue *value)
{
    IrIntrinsic intrinsic = value->intrinsic;
    bool two = intrinsic == INTR_atomic_cas || intrinsic == INTR_atomic_compare_and_swap ||
               intrinsic == INTR_atomic_add_each;
    if (ir_intrinsics[intrinsic].effect & EFFECT_ATOMIC)
        copy_indices(n, copy, value, 0, 1, value->count - 1 - two);
    else if (intrinsic == INTR_wide_load || intrinsic == INTR_rows_load)
        copy_indices(n, copy, value, 1, 2, value->count);
    else if (intrinsic == INTR_async_copy || intrinsic == INTR_tile_product ||
             intrinsic == INTR_tile_ahead || intrinsic == INTR_tile_rest ||
             intrinsic == INTR_tile_split || intrinsic == INTR_tile_load ||
             intrinsic == INTR_tile_expect || intrinsic == INTR_tile_ready)
        copy_tiles(n, copy, value);
    else if (intrinsic == INTR_wide_store)
        copy_indices(n, copy, value, 0, 1, value->count - 1);
    else
        copy_operands(n, copy, value);
}

/* What `make` makes of an operand that is evaluated only where the first one holds, or does not. */
static IrValue *under(Narrow *n, const IrValue *value, int i,
                      IrValue *(*make)(Narrow *, const IrValue *))
{
    int mark = bounds_enter(n->bounds, value, i);
    IrValue *made = make(n, value->operands[i]);
    bounds_forget(n->bounds, mark);
    return made;
}

/* A select whose arms `make` makes. */
static IrValue *select_of(Narrow *n, const IrValue *value, const Type *type,
                          IrValue *(*make)(Narrow *, const IrValue *))
{
    IrValue *copy = hollow(n, value, type);
    copy->operands[0] = narrow_value(n, value->operands[0]);
    copy->operands[1] = under(n, value, 1, make);
    copy->operands[2] = under(n, value, 2, make);
    return copy;
}

static IrValue *comparison(Narrow *n, const IrValue *value)
{
    const IrValue *a = value->operands[0], *b = value->operands[1];
    IrValue *copy = hollow(n, value, value->type);
    bool narrow = narrow_is_wide(a->type) && narrow_fits(n, a) && narrow_fits(n, b);
    copy->operands[0] = narrow ? narrow_as_int32(n, a) : narrow_value(n, a);
    copy->operands[1] = narrow ? narrow_as_int32(n, b) : narrow_value(n, b);
    return copy;
}

/* A float that becomes an integer of type `to`. */
static IrValue *float_cast(Narrow *n, const IrValue *value, const Type *to)
{
    const IrValue *from = value->operands[0];
    IrValue *copy = hollow(n, value, to);
    copy->operands[0] = narrow_value(n, from);
    copy->index = to == type_int32 && bounds_float_fits(n->bounds, from, to);
    return copy;
}

static IrValue *cast_of(Narrow *n, const IrValue *value)
{
    const IrValue *from = value->operands[0];
    if (narrow_is_wide(from->type) && type_is_scalar(value->type)) {
        if (narrow_fits(n, from) && is_native(n, from))
            return cast_to(n, value->type, narrow_as_int32(n, from));
        bool cuts = type_is_integer(value->type) && type_size(value->type) <= 4;
        IrValue *least = cuts ? narrow_least(n, from) : NULL;
        if (least || (cuts && narrow_keeps_low_bits(n, from)))
            return cast_to(n, value->type, least ? least : low_bits(n, from));
    }
    if (type_is_float(from->type) && value->type == type_int32 && narrow_fits(n, value))
        return float_cast(n, value, type_int32);
    IrValue *copy = hollow(n, value, value->type);
    copy_operands(n, copy, value);
    return copy;
}

static IrValue *copied(Narrow *n, const IrValue *value);

/* Of a sum that stays wide: a GPU has one instruction for a product of two int32 as an int64, and
** none but a sign's for what is made an int64 behind a product. */
static IrValue *addend(Narrow *n, const IrValue *value)
{
    bool product = value->op == OP_mul && narrow_is_wide(value->type) && !n->unit->processor;
    return product ? copied(n, value) : narrow_value(n, value);
}

/* Without looking at whether it fits itself. */
static IrValue *copied(Narrow *n, const IrValue *value)
{
    if (ir_is_comparison(value->op))
        return comparison(n, value);
    if (value->op == OP_cast)
        return cast_of(n, value);
    if (value->op == OP_select)
        return select_of(n, value, value->type, narrow_value);
    IrValue *copy = hollow(n, value, value->type), *reduced;
    switch ((int)value->op) {
    case OP_and_then:
    case OP_or_else:
        copy->operands[0] = narrow_value(n, value->operands[0]);
        copy->operands[1] = under(n, value, 1, narrow_value);
        return copy;
    case OP_add:
    case OP_sub:
        for (int i = 0; i < 2; i++)
            copy->operands[i] = addend(n, value->operands[i]);
        return copy;
    case OP_load:
        copy_indices(n, copy, value, 0, 1, value->count);
        return copy;
    case OP_view:
        copy_view(n, copy, value);
        return copy;
    case OP_intrinsic:
        copy_intrinsic(n, copy, value);
        return copy;
    default:
        copy_operands(n, copy, value);
        reduced = value->count == 2 ? strength_reduced(n, value, copy->operands[0]) : NULL;
        return reduced ? reduced : copy;
    }
}

IrValue *narrow_value(Narrow *n, const IrValue *value)
{
    bool widens = value->op == OP_cast && type_is_integer(value->operands[0]->type) &&
                  !narrow_is_wide(value->operands[0]->type);
    if (!widens && narrow_is_wide(value->type) && is_native(n, value) && narrow_fits(n, value))
        return cast_to(n, value->type, narrow_as_int32(n, value));
    return copied(n, value);
}

/* Of a variable that is cut there may be more than its low bits. */
static bool all_fit(Narrow *n, const IrValue *value)
{
    for (int i = 0; i < value->count; i++) {
        const IrValue *it = value->operands[i];
        if (!narrow_fits(n, it) || !interval_fits(bounds_of(n->bounds, it), type_int32))
            return false;
    }
    return true;
}

/* A divisor that conditions around keep positive: said so by what it is then. */
static IrValue *at_least_one(const Narrow *n, IrValue *by)
{
    return ir_intrinsic(n->arena, INTR_max, by->type, by->span, by,
                        ir_integer(n->arena, by->type, 1, by->span), NULL);
}

/* Of integers that fit: the operation itself, on int32. */
static IrValue *on_int32(Narrow *n, const IrValue *value)
{
    IrValue *copy = hollow(n, value, type_int32), *reduced;
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = narrow_as_int32(n, value->operands[i]);
    if (value->op != OP_floordiv && value->op != OP_mod)
        return copy;
    reduced = strength_reduced(n, value, copy->operands[0]);
    if (reduced)
        return reduced;
    ir_take_sign(copy->operands[0], bounds_of(n->bounds, value->operands[0]).low >= 0);
    ir_take_sign(copy->operands[1], narrow_nonnegative(n, value->operands[1]));
    if (ir_nonnegative(copy->operands[0]) && !ir_positive(copy->operands[1]) &&
        bounds_of(n->bounds, value->operands[1]).low >= 1)
        copy->operands[1] = at_least_one(n, copy->operands[1]);
    return copy;
}

static IrValue *cut(Narrow *n, const IrValue *value)
{
    IrValue *made = cast_to(n, type_int32, copied(n, value));
    if (made->op == OP_cast && value->op == OP_var && ir_positive(value) && narrow_fits(n, value))
        made->index = CAST_FITS; /* a divisor stays one */
    return made;
}

static IrValue *cast_as_int32(Narrow *n, const IrValue *value)
{
    const IrValue *from = value->operands[0];
    if (type_is_float(from->type))
        return float_cast(n, value, type_int32);
    if (narrow_is_wide(from->type) && narrow_fits(n, from))
        return narrow_as_int32(n, from);
    if (narrow_is_wide(from->type))
        return cut(n, value);
    return cast_to(n, type_int32, narrow_value(n, from));
}

static IrValue *on_low_bits(Narrow *n, const IrValue *value)
{
    IrValue *copy = hollow(n, value, type_uint32);
    for (int i = 0; i < value->count; i++)
        copy->operands[i] = low_bits(n, value->operands[i]);
    return copy;
}

/* Whether a value would fit a uint32. */
static bool fits_unsigned(Narrow *n, const IrValue *value)
{
    return interval_fits(bounds_of(n->bounds, value), type_uint32);
}

/* By a number that means the same to a uint32. */
static bool divides_unsigned(Narrow *n, const IrValue *value)
{
    const IrValue *by = value->operands[1];
    int64_t number = by->op == OP_constant ? by->constant.integer : -1;
    return value->op == OP_shr ? shifts_narrow(n, value) : number > 0 && number <= INT32_MAX;
}

/* A quotient, remainder or shift right of what fits a uint32 alone. */
static IrValue *on_unsigned(Narrow *n, const IrValue *value)
{
    IrValue *copy = hollow(n, value, type_uint32), *reduced;
    copy->operands[0] = low_bits(n, value->operands[0]);
    copy->operands[1] = low_bits(n, value->operands[1]);
    reduced = strength_reduced(n, value, copy->operands[0]);
    return reduced ? reduced : copy;
}

static IrValue *operation_as_int32(Narrow *n, const IrValue *value)
{
    IrValue *ring = narrow_ring(n, value);
    if (ring)
        return ring;
    IrValue *quotient = narrow_quotient(n, value);
    if (quotient)
        return quotient;
    switch ((int)value->op) {
    case OP_neg:
    case OP_invert:
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
        if (all_fit(n, value) && shifts_narrow(n, value))
            return on_int32(n, value);
        if ((value->op == OP_floordiv || value->op == OP_mod) &&
            fits_unsigned(n, value->operands[0]) && fits_unsigned(n, value->operands[1]))
            return cast_to(n, type_int32, on_unsigned(n, value));
        return narrow_keeps_low_bits(n, value) ? cast_to(n, type_int32, on_low_bits(n, value))
                                               : cut(n, value);
    default:
        return cut(n, value);
    }
}

IrValue *narrow_as_int32(Narrow *n, const IrValue *value)
{
    if (!narrow_is_wide(value->type))
        return cast_to(n, type_int32, narrow_value(n, value));
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
        return ir_integer(n->arena, type_int32, value->op == OP_zero ? 0 : value->constant.integer,
                          value->span);
    case OP_var:
        return n->narrowed[value->var->id] ? hollow(n, value, type_int32) : cut(n, value);
    case OP_extent: {
        IrValue *copy = hollow(n, value, type_int32);
        copy_operands(n, copy, value);
        return copy;
    }
    case OP_cast:
        return cast_as_int32(n, value);
    case OP_select:
        return select_of(n, value, type_int32, narrow_as_int32);
    case OP_shr:
    case OP_floordiv:
    case OP_mod:
        if (fits_unsigned(n, value->operands[0]) && !narrow_fits(n, value->operands[0]) &&
            divides_unsigned(n, value))
            return cast_to(n, type_int32, on_unsigned(n, value));
        break;
    case OP_intrinsic:
        if (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize)
            return hollow(n, value, type_int32);
        if (is_native(n, value) && all_fit(n, value))
            return on_int32(n, value);
        return cut(n, value);
    default:
        break;
    }
    return operation_as_int32(n, value);
}

IrValue *narrow_cut(Narrow *n, const IrValue *value)
{
    return cast_to(n, type_int32, low_bits(n, value));
}

/* The low 32 bits of an integer of 64, as a uint32. */
static IrValue *low_bits(Narrow *n, const IrValue *value)
{
    IrValue *least = narrow_least(n, value);
    if (least)
        return cast_to(n, type_uint32, least);
    if (narrow_fits(n, value))
        return cast_to(n, type_uint32, narrow_as_int32(n, value));
    if (value->op == OP_select)
        return select_of(n, value, type_uint32, low_bits);
    if (value->op == OP_cast && type_is_integer(value->operands[0]->type)) {
        const IrValue *from = value->operands[0];
        return narrow_is_wide(from->type) ? low_bits(n, from)
                                          : cast_to(n, type_uint32, narrow_value(n, from));
    }
    if (value->op == OP_shr && fits_unsigned(n, value->operands[0]) && shifts_narrow(n, value))
        return on_unsigned(n, value);
    return narrow_keeps_low_bits(n, value) ? on_low_bits(n, value)
                                           : cast_to(n, type_uint32, copied(n, value));
}

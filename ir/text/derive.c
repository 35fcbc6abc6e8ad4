/* The types that operations have by their operands, so that no text need write them. */
#include "ir/text/parts.h"

/* ---- arrays -------------------------------------------------------------------------------- */

static const Type *view_type(Types *types, const IrValue *value, const Type *array)
{
    int rank = ir_view_rank(value->axes, array->array.rank);
    if (rank < 0)
        return NULL;
    return type_array_like(types, array, array->array.element, rank, rank ? LAYOUT_A : LAYOUT_C,
                           array->array.unaligned);
}

static const Type *field_type(Types *types, const IrValue *value, const Type *array)
{
    const Type *record = array->array.element;
    if (!type_is_record(record) || value->index < 0 || value->index >= record->record.count)
        return NULL;
    const RecordField *field = &record->record.fields[value->index];
    int rank = array->array.rank + field->rank;
    bool unaligned = record_field_unaligned(record, field) ||
                     (array->array.unaligned && type_align(field->type) > 1);
    if (rank > RANK_MAX)
        return NULL;
    return type_array_like(types, array, field->type, rank, array->array.rank ? LAYOUT_A : LAYOUT_C,
                           unaligned);
}

static const Type *transposed_type(Types *types, const Type *array)
{
    static const ArrayLayout flipped[] = {
        [LAYOUT_C] = LAYOUT_F, [LAYOUT_F] = LAYOUT_C, [LAYOUT_A] = LAYOUT_A
    };
    return type_array_like(types, array, array->array.element, array->array.rank,
                           flipped[array->array.layout], array->array.unaligned);
}

static const Type *array_operation(Types *types, const IrValue *value, const Type *array)
{
    if (!type_is_array(array))
        return NULL;
    switch (value->op) {
    case OP_extent:
    case OP_stride:
        return type_int64;
    case OP_load:
        return array->array.element;
    case OP_view:
        return view_type(types, value, array);
    case OP_field:
        return field_type(types, value, array);
    case OP_transpose:
        return transposed_type(types, array);
    case OP_data:
        return type_uint64;
    default:
        return NULL;
    }
}

/* ---- tuples and complex numbers ------------------------------------------------------------ */

static const Type *tuple_type(Types *types, const IrValue *value)
{
    const Type **items = arena_array(types->arena, const Type *, value->count + 1);
    for (int i = 0; i < value->count; i++)
        items[i] = value->operands[i]->type;
    return type_tuple(types, items, value->count);
}

static const Type *item_type(const IrValue *value, const Type *tuple)
{
    int index = value->op == OP_item ? value->index : 0;
    if (!type_has_items(tuple) || index < 0 || index >= tuple->tuple.count)
        return NULL;
    return tuple->tuple.items[index];
}

static const Type *complex_of(const Type *part)
{
    return part == type_float32   ? type_of(COMPLEX64)
           : part == type_float64 ? type_of(COMPLEX128)
                                  : NULL;
}

/* ---- intrinsics ---------------------------------------------------------------------------- */

/* What comes of nothing: the place of a thread, or an effect. */
static const Type *given_type(const IrValue *value)
{
    if (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize)
        return type_int64;
    return ir_intrinsics[value->intrinsic].effect == EFFECT_NONE ? type_int32 : type_none;
}

static const Type *intrinsic_type(const IrValue *value)
{
    const IrIntrinsicInfo *info = &ir_intrinsics[value->intrinsic];
    if (value->count == 0)
        return given_type(value);
    const Type *first = value->operands[0]->type;
    switch ((int)value->intrinsic) {
    case INTR_isnan:
    case INTR_isinf:
    case INTR_isfinite:
    case INTR_all_sync:
    case INTR_any_sync:
    case INTR_eq_sync:
        return type_bool;
    case INTR_ballot_sync:
    case INTR_match_any_sync:
        return type_int32;
    case INTR_ffs:
        return type_uint32;
    case INTR_round:
        return type_int64;
    case INTR_syncwarp:
    case INTR_nanosleep:
    case INTR_wide_load:
    case INTR_rows_load:
    case INTR_wide_store:
    case INTR_async_copy:
    case INTR_async_commit:
    case INTR_async_wait:
    case INTR_tile_product:
    case INTR_tile_ahead:
    case INTR_tile_rest:
    case INTR_tile_split:
    case INTR_tile_begin:
    case INTR_tile_expect:
    case INTR_tile_load:
    case INTR_tile_ready:
    case INTR_tile_fence:
    case INTR_tile_wait:
    case INTR_prefetch:
    case INTR_atomic_add_each:
    case INTR_progressed:
        return type_none;
    default:
        if (info->effect & EFFECT_WARP_SYNC) /* a mask, then what it is of */
            return value->operands[value->count > 1]->type;
        return type_is_array(first) ? first->array.element : first;
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

const Type *derived_type(Types *types, const IrValue *value)
{
    const IrOpInfo *info = &ir_ops[value->op];
    const Type *first = value->count ? value->operands[0]->type : NULL;
    if (info->result == RESULT_BOOL)
        return type_bool;
    if (info->result == RESULT_SAME)
        return first;
    switch (value->op) {
    case OP_pow:
        return first;
    case OP_select:
        return value->count > 1 ? value->operands[1]->type : NULL;
    case OP_tuple:
        return tuple_type(types, value);
    case OP_item:
    case OP_item_at:
        return first ? item_type(value, first) : NULL;
    case OP_real:
    case OP_imag:
        return first && type_is_complex(first) ? type_complex_part(first) : NULL;
    case OP_complex:
        return first ? complex_of(first) : NULL;
    case OP_intrinsic:
        return intrinsic_type(value);
    case OP_call:
        return value->callee->result;
    default:
        return first ? array_operation(types, value, first) : NULL;
    }
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool same_items(const Type *a, const Type *b)
{
    bool same = a->tuple.count == b->tuple.count && a->tuple.optional == b->tuple.optional &&
                type_same_names(a, b);
    for (int i = 0; same && i < a->tuple.count; i++)
        same = types_same(a->tuple.items[i], b->tuple.items[i]);
    return same;
}

bool types_same(const Type *a, const Type *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->kind != b->kind)
        return false;
    if (type_is_array(a))
        return types_same(a->array.element, b->array.element) && a->array.rank == b->array.rank &&
               a->array.layout == b->array.layout && a->array.readonly == b->array.readonly &&
               a->array.unaligned == b->array.unaligned;
    if (type_is_record(a))
        return record_equal(a, b);
    return type_has_items(a) && same_items(a, b);
}

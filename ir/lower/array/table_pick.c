/* What arrays of bools and integers pick from constant arrays: array[picks]; and where the extremes
** of these are. */
#include "ir/lower/array/table.h"
#include "ir/lower/builtin.h"

/* The number that an integer picks of so many, -1 after a complaint. */
static int64_t picked(FnState *f, const IrValue *pick, int64_t count, Span span)
{
    int64_t at = pick->constant.integer + (pick->constant.integer < 0 ? count : 0);
    if (at >= 0 && at < count)
        return at;
    fail(f, span, "an index is out of range");
    return -1;
}

int table_picks(FnState *f, const IrValue *array, const IrValue *picks, int64_t **at, Span span)
{
    TableView view, of;
    const Type *element = picks->type->array.element;
    bool bools = element->kind == TY_BOOL;
    if (!ir_table_view(picks, &view) || !ir_table_view(array, &of) || !of.rank ||
        !(bools || type_is_integer(element)) || view.rank != 1 ||
        (bools && view.shape[0] != of.shape[0])) {
        fail(f, span, "an array that picks has one axis here, of integers or as many bools");
        return -1;
    }
    int count = 0;
    *at = arena_array(f->arena, int64_t, (size_t)view.shape[0] + 1);
    TableWalk walk = table_walk(&view);
    const unsigned char *from;
    for (int64_t i = 0; (from = table_next(&walk)); i++) {
        const IrValue *pick = ir_table_get(f->arena, element, from, span);
        if (bools && !pick->constant.integer)
            continue;
        if (((*at)[count++] = bools ? i : picked(f, pick, of.shape[0], span)) < 0)
            return -1;
    }
    return count;
}

Operand lower_table_pick(FnState *f, IrValue *array, IrValue *picks, Span span)
{
    int64_t *at, shape[RANK_MAX];
    TableView view;
    bool all = picks->type->array.element->kind == TY_BOOL && picks->type->array.rank > 1 &&
               picks->type->array.rank == array->type->array.rank;
    if (all) { /* in the order of the rows */
        array = array_flat(f, lower_table_copy(f, array), span);
        picks = array_flat(f, lower_table_copy(f, picks), span);
    }
    int count = table_picks(f, array, picks, &at, span);
    if (count < 0 || !ir_table_view(array, &view))
        return operand_error(span);
    const Type *element = array->type->array.element;
    for (int axis = 1; axis < view.rank; axis++)
        shape[axis] = view.shape[axis];
    shape[0] = count;
    IrTable *table = maker_table(f, element, view.rank, shape, span);
    unsigned char *to = table ? (unsigned char *)(uintptr_t)table->bytes : NULL;
    for (int i = 0; table && i < count; i++) {
        TableView row = view;
        row.shape[0] = 1;
        row.offset += at[i] * view.strides[0];
        TableWalk walk = table_walk(&row);
        for (const unsigned char *from; (from = table_next(&walk)); to += type_size(element))
            memcpy(to, from, type_size(element));
    }
    return table ? operand_value(lower_table_value(f, table, span)) : operand_error(span);
}

/* ---- extremes -------------------------------------------------------------------------------- */

/* Whether `x` is beyond `y`, the first NaN being beyond everything. */
static bool is_beyond(FnState *f, bool greatest, IrValue *x, IrValue *y)
{
    const bool floats = type_is_float(x->type);
    const bool nan = floats && x->constant.number != x->constant.number;
    return ir_binary(f->arena, greatest ? OP_gt : OP_lt, x, y, x->span)->constant.integer ||
           (nan && y->constant.number == y->constant.number);
}

/* np._extreme(row, greatest): where it is, of a constant array that is not empty. */
Operand lower_extreme_place(FnState *f, const Call *call)
{
    IrValue *row = call_value(f, call, 0), *greatest = call_value(f, call, 1), *best = NULL;
    TableView view;
    if (!type_is_array(row->type) || !ir_table_view(row, &view) || !ir_is_constant(greatest))
        return call_refuse(f, call, 0, "a constant array");
    const Type *element = row->type->array.element;
    TableWalk walk = table_walk(&view);
    const unsigned char *from;
    int64_t place = 0;
    for (int64_t i = 0; (from = table_next(&walk)); i++) {
        IrValue *x = array_read(f, ir_table_get(f->arena, element, from, call->span));
        x = element->kind == TY_BOOL ? convert(f, x, type_int64, call->span) : x;
        if (best && !is_beyond(f, greatest->constant.integer, x, best))
            continue;
        best = x;
        place = i;
    }
    return operand_value(ir_integer(f->arena, type_int64, place, call->span));
}

/* What an array has: extents, strides, attributes, and other names for what it is. */
#include "ir/lower/array.h"

/* ---- extents --------------------------------------------------------------------------------- */

IrValue *array_extent(FnState *f, IrValue *array, int axis, Span span)
{
    IrValue *known = view_extent(f, array, axis, span);
    if (known)
        return known;
    const int64_t *shape = array->op == OP_var ? array->var->shape : NULL;
    if (shape)
        return ir_integer(f->arena, type_int64, shape[axis], span);
    return ir_extent(f->arena, array, axis, span);
}

IrValue *array_stride(FnState *f, IrValue *array, int axis, Span span)
{
    TableView view;
    if (f->constant_only && ir_table_view(array, &view))
        return ir_integer(f->arena, type_int64, view.strides[axis], span);
    IrValue *stride = ir_value(f->arena, OP_stride, type_int64, span, 1);
    stride->operands[0] = array;
    stride->index = axis;
    return stride;
}

IrValue *array_size(FnState *f, IrValue *array, Span span)
{
    IrValue *size = ir_integer(f->arena, type_int64, 1, span);
    for (int axis = 0; axis < array->type->array.rank; axis++) {
        IrValue *extent = array_extent(f, array, axis, span);
        size = axis == 0 ? extent : ir_binary(f->arena, OP_mul, size, extent, span);
    }
    return size;
}

static IrValue *axis_tuple(FnState *f, IrValue *array,
                           IrValue *of_axis(FnState *, IrValue *, int, Span), Span span)
{
    int rank = array->type->array.rank;
    const Type *types[RANK_MAX];
    IrValue *tuple = ir_value(f->arena, OP_tuple, NULL, span, rank);
    for (int axis = 0; axis < rank; axis++) {
        types[axis] = type_int64;
        tuple->operands[axis] = of_axis(f, array, axis, span);
    }
    tuple->type = type_tuple(f->types, types, rank);
    return tuple;
}

IrValue *array_shape(FnState *f, IrValue *array, Span span)
{
    return axis_tuple(f, array, array_extent, span);
}

IrValue *array_single(FnState *f, IrValue *value)
{
    bool single =
        type_is_array(value->type) && value->type->array.rank == 0 && !is_of_records(value);
    return single ? array_element(f, value, NULL, value->span) : value;
}

/* ---- attributes ------------------------------------------------------------------------------ */

Operand array_transposed(FnState *f, IrValue *array, Span span)
{
    static const ArrayLayout flipped[] = {
        [LAYOUT_C] = LAYOUT_F, [LAYOUT_F] = LAYOUT_C, [LAYOUT_A] = LAYOUT_A
    };
    const Type *type = array->type;
    if (type->array.rank < 2)
        return operand_value(array);
    IrValue *value = ir_value(f->arena, OP_transpose,
                              type_array_like(f->types, type, type->array.element, type->array.rank,
                                              flipped[type->array.layout], type->array.unaligned),
                              span, 1);
    value->operands[0] = array;
    return operand_value(value);
}

Operand array_attribute(FnState *f, IrValue *array, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    Span span = expr->span;
    const Type *element = array->type->array.element;
    int field = type_is_record(element) ? record_find(element, name) : -1;
    if (field >= 0 && array->type->array.rank == 0)
        return operand_value(lower_field_value(f, lower_field(f, array, field, span), span));
    int64_t bytes = (int64_t)type_size(element);
    if (strcmp(name, "shape") == 0)
        return operand_value(array_shape(f, array, span));
    if (strcmp(name, "strides") == 0)
        return operand_value(axis_tuple(f, array, array_stride, span));
    if (strcmp(name, "size") == 0)
        return operand_value(array_size(f, array, span));
    if (strcmp(name, "ndim") == 0)
        return operand_value(ir_integer(f->arena, type_int64, array->type->array.rank, span));
    if (strcmp(name, "itemsize") == 0)
        return operand_value(ir_integer(f->arena, type_int64, bytes, span));
    if (strcmp(name, "nbytes") == 0)
        return operand_value(ir_binary(f->arena, OP_mul, array_size(f, array, span),
                                       ir_integer(f->arena, type_int64, bytes, span), span));
    if (strcmp(name, "dtype") == 0)
        return (Operand){ .kind = OPD_TYPE, .span = span, .type = element };
    if (strcmp(name, "T") == 0)
        return array_transposed(f, array, span);
    if (field >= 0)
        return operand_value(lower_field(f, array, field, span));
    if (strcmp(name, "flat") == 0)
        return lower_flat(f, array, span);
    if (type_is_complex(element) && (strcmp(name, "real") == 0 || strcmp(name, "imag") == 0))
        return operand_value(array_part(f, stable_array(f, array), *name == 'i', span));
    if (strcmp(name, "real") == 0)
        return operand_value(array);
    return (Operand){ .kind = OPD_METHOD, .span = span, .method = { array, name } };
}

/* x.flags.c_contiguous and x.ctypes.data */
Operand part_attribute(FnState *f, Operand part, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    IrValue *array = part.method.object;
    bool flags = type_is_array(array->type) && strcmp(part.method.name, "flags") == 0;
    if (flags) {
        ArrayLayout layout = array->type->array.layout;
        bool c = layout == LAYOUT_C, one = array->type->array.rank < 2;
        bool fortran = layout == LAYOUT_F || (c && one);
        bool both = strcmp(name, "contiguous") == 0;
        if (both || strcmp(name, "c_contiguous") == 0)
            return operand_value(
                ir_integer(f->arena, type_bool, c || (both && fortran), expr->span));
        if (strcmp(name, "f_contiguous") == 0)
            return operand_value(ir_integer(f->arena, type_bool, fortran, expr->span));
    }
    if (type_is_array(array->type) && strcmp(part.method.name, "ctypes") == 0 &&
        strcmp(name, "data") == 0) {
        IrValue *data = ir_value(f->arena, OP_data, type_uint64, expr->span, 1);
        data->operands[0] = array;
        return operand_value(data);
    }
    if (flags)
        fail(f, expr->attribute.name_span,
             "the flags of an array are c_contiguous, f_contiguous and contiguous");
    else
        fail(f, expr->attribute.name_span, "%s has no attribute '%s'", describe(f, part), name);
    return operand_error(expr->span);
}

/* Arrays: attributes and elements; and what is stored. */
#include "ir/lower.h"

#include <string.h>

/* ---- extents ------------------------------------------------------------------------------ */

static const int64_t *fixed_shape(const IrValue *array)
{
    return array->op == OP_var ? array->var->shape : NULL;
}

IrValue *array_extent(FnState *f, IrValue *array, int axis, Span span)
{
    IrValue *known = view_extent(f, array, axis, span);
    if (known)
        return known;
    const int64_t *shape = fixed_shape(array);
    if (shape)
        return ir_integer(f->arena, type_int64, shape[axis], span);
    IrValue *extent = ir_value(f->arena, OP_extent, type_int64, span, 1);
    extent->operands[0] = array;
    extent->index = axis;
    return extent;
}

IrValue *array_stride(FnState *f, IrValue *array, int axis, Span span)
{
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

/* ---- attributes ---------------------------------------------------------------------------- */

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

static Operand array_attribute(FnState *f, IrValue *array, const AstExpr *expr)
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
static Operand part_attribute(FnState *f, Operand part, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    IrValue *array = part.method.object;
    if (type_is_array(array->type) && strcmp(part.method.name, "flags") == 0) {
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
    fail(f, expr->attribute.name_span, "%s has no attribute '%s'", describe(f, part), name);
    return operand_error(expr->span);
}

/* x.dtype.type, float32.itemsize */
static Operand type_attribute(FnState *f, Operand type, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    if (strcmp(name, "type") == 0)
        return type;
    if (strcmp(name, "itemsize") == 0)
        return operand_value(
            ir_integer(f->arena, type_int64, (int64_t)type_size(type.type), expr->span));
    fail(f, expr->attribute.name_span, "%s has no attribute '%s'", describe(f, type), name);
    return operand_error(expr->span);
}

static Operand scalar_attribute(FnState *f, IrValue *value, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    bool real = strcmp(name, "real") == 0, imag = strcmp(name, "imag") == 0;
    if (!real && !imag)
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { value, name } };
    if (!type_is_complex(value->type))
        return operand_value(real ? value : ir_zero(f->arena, value->type, expr->span));
    if (ir_is_constant(value)) {
        double number = real ? value->constant.complex.real : value->constant.complex.imag;
        return operand_value(
            ir_number(f->arena, type_complex_part(value->type), number, expr->span));
    }
    IrValue *part =
        ir_value(f->arena, real ? OP_real : OP_imag, type_complex_part(value->type), expr->span, 1);
    part->operands[0] = value;
    return operand_value(part);
}

static Operand namespace_attribute(FnState *f, const char *path, const AstExpr *expr)
{
    const char *whole = arena_printf(f->arena, "%s.%s", path, expr->attribute.name);
    Operand found = builtin_find(f->arena, whole, expr->span);
    if (found.kind == OPD_ERROR)
        found = library_find(f, whole, expr->span);
    if (found.kind != OPD_ERROR)
        return lower_builtin(f, found);
    library_missing(f, whole, expr->span);
    return found;
}

/* cuda.threadIdx.x */
static Operand dim3_attribute(FnState *f, IrIntrinsic intrinsic, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    if (strlen(name) != 1 || !strchr("xyz", name[0])) {
        fail(f, expr->attribute.name_span, "%s has x, y and z", ir_intrinsics[intrinsic].path);
        return operand_error(expr->span);
    }
    IrValue *value = ir_intrinsic(f->arena, intrinsic, type_int32, expr->span, NULL, NULL, NULL);
    value->index = name[0] - 'x';
    return operand_value(value);
}

/* cuda.cg.this_grid().sync */
static Operand grid_attribute(FnState *f, const AstExpr *expr)
{
    if (strcmp(expr->attribute.name, "sync") != 0) {
        fail(f, expr->attribute.name_span, "a grid has sync() alone, not '%s'",
             expr->attribute.name);
        return operand_error(expr->span);
    }
    return (Operand){ .kind = OPD_INTRINSIC, .span = expr->span, .intrinsic = INTR_grid_sync };
}

/* What slice() was not given is what numba makes of it: as far as 64 bits go. */
static Operand slice_attribute(FnState *f, const Operand *slice, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    IrValue *step =
        slice->slice.step ? slice->slice.step : ir_integer(f->arena, type_int64, 1, expr->span);
    IrValue *least = ir_integer(f->arena, type_int64, INT64_MIN, expr->span);
    IrValue *most = ir_integer(f->arena, type_int64, INT64_MAX, expr->span);
    IrValue *zero = ir_integer(f->arena, type_int64, 0, expr->span);
    IrValue *back = ir_binary(f->arena, OP_lt, step, zero, expr->span);
    if (strcmp(name, "step") == 0)
        return operand_value(step);
    if (strcmp(name, "start") == 0)
        return operand_value(slice->slice.start
                                 ? slice->slice.start
                                 : ir_select(f->arena, back, most, zero, expr->span));
    if (strcmp(name, "stop") == 0)
        return operand_value(slice->slice.stop
                                 ? slice->slice.stop
                                 : ir_select(f->arena, back, least, most, expr->span));
    fail(f, expr->attribute.name_span, "a slice has start, stop and step");
    return operand_error(expr->span);
}

Operand lower_attribute(FnState *f, const AstExpr *expr)
{
    const AstExpr *owner = expr->attribute.object;
    Operand object =
        owner->kind == AST_ATTRIBUTE ? lower_attribute(f, owner) : lower_expr(f, owner);
    switch (object.kind) {
    case OPD_ERROR:
        return operand_error(expr->span);
    case OPD_NAMESPACE:
        return namespace_attribute(f, object.path, expr);
    case OPD_INTRINSIC:
        if (ir_intrinsics[object.intrinsic].rule == RULE_DIM3)
            return dim3_attribute(f, object.intrinsic, expr);
        if (object.intrinsic == INTR_grid_group)
            return grid_attribute(f, expr);
        break;
    case OPD_LIMITS:
        return limits_attribute(f, &object, expr);
    case OPD_RANGE:
        return range_attribute(f, &object, expr);
    case OPD_METHOD:
        return part_attribute(f, object, expr);
    case OPD_TYPE:
        return type_attribute(f, object, expr);
    case OPD_ENUM:
        return enum_member(f, object.enumeration, expr->attribute.name, expr->attribute.name_span);
    case OPD_VALUE:
        if (object.value->type->kind == TY_ERROR)
            return operand_error(expr->span);
        if (type_is_array(object.value->type))
            return array_attribute(f, object.value, expr);
        if (type_is_scalar(object.value->type))
            return scalar_attribute(f, object.value, expr);
        if (type_has_items(object.value->type))
            return tuple_attribute(f, object.value, expr);
        break;
    case OPD_SLICE:
        return slice_attribute(f, &object, expr);
    default:
        break;
    }
    fail(f, expr->attribute.name_span, "%s has no attribute '%s'", describe(f, object),
         expr->attribute.name);
    return operand_error(expr->span);
}

/* ---- indices ------------------------------------------------------------------------------- */

/* What cannot be indexed has its type from an assignment or, a parameter, from the call: says so. */
static void note_parameter(FnState *f, const AstExpr *object, const IrValue *value)
{
    if (value->op != OP_var || value->var->kind != VAR_PARAM)
        note_types(f, value, NULL);
    else if (object->kind == AST_NAME)
        diag_note(f->lower->diags, value->var->span, "'%s' is %s in this call", object->name.name,
                  type_name(f->arena, value->type));
}

/* Names of fields are for records. */
static bool refuse_name(FnState *f, const Operand *object, const Operand *indices, int count)
{
    for (int i = 0; i < count; i++)
        if (indices[i].kind == OPD_STRING &&
            !(object->kind == OPD_VALUE && names_field(object->value, indices, count))) {
            fail(f, indices[i].span, "only records have fields, and this is %s",
                 describe(f, *object));
            return true;
        }
    return false;
}

/* The indices between brackets, one operand an axis; tuples of integers are taken apart. */
static Operand *index_operands(FnState *f, const AstExpr *index, int *count)
{
    if (index->kind == AST_TUPLE) {
        *count = index->list.items.count;
        Operand *operands = arena_array(f->arena, Operand, *count + 1);
        lower_list(f, index->list.items.items, *count, operands);
        return operands;
    }
    Operand whole = lower_expr(f, index);
    if (whole.kind == OPD_VALUE && type_is_tuple(whole.value->type))
        return tuple_operands(f, whole.value, "_index", count, index->span);
    Operand *operands = arena_new(f->arena, Operand);
    operands[0] = whole;
    *count = 1;
    return operands;
}

static bool is_plain_index(Operand operand)
{
    return operand.kind == OPD_VALUE || operand.kind == OPD_ERROR;
}

static bool all_plain(const Operand *operands, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_plain_index(operands[i]))
            return false;
    return true;
}

IrValue *array_single(FnState *f, IrValue *value)
{
    bool single =
        type_is_array(value->type) && value->type->array.rank == 0 && !is_of_records(value);
    return single ? array_element(f, value, NULL, value->span) : value;
}

IrValue *cast_index(FnState *f, Operand operand, bool floats)
{
    if (operand.kind == OPD_ERROR || (operand.kind == OPD_VALUE && is_poison(operand.value)))
        return NULL;
    if (operand.kind != OPD_VALUE) {
        fail(f, operand.span, "an index is an integer, and this is %s", describe(f, operand));
        return NULL;
    }
    IrValue *value = array_single(f, operand.value);
    value = plain_value(f, value);
    if (type_is_unsigned(value->type))
        return ir_cast(f->arena, type_uint64, value, operand.span);
    if (type_is_integer(value->type) || (floats && type_is_real(value->type)))
        return ir_cast(f->arena, type_int64, value, operand.span);
    fail(f, value->span, "an index is an integer, and this is %s%s", describe(f, operand),
         type_is_float(value->type)   ? "; convert it with int()"
         : type_is_array(value->type) ? "; what it picks would be a copy, which needs a heap: loop "
                                        "over it"
                                      : "");
    note_types(f, value, NULL);
    return NULL;
}

static IrValue **cast_indices(FnState *f, const Operand *operands, int count, bool floats)
{
    IrValue **indices = arena_array(f->arena, IrValue *, count + 1);
    bool ok = true;
    for (int i = 0; i < count; i++)
        ok &= (indices[i] = cast_index(f, operands[i], floats)) != NULL;
    return ok ? indices : NULL;
}

/* Complains of too many indices, or too few. */
static void fail_count(FnState *f, const IrValue *array, int count, Span span)
{
    int rank = array->type->array.rank;
    fail(f, span, "%d %s given for an array of %d ax%cs", count,
         count == 1 ? "index is" : "indices are", rank, rank == 1 ? 'i' : 'e');
}

IrValue **lower_indices(FnState *f, IrValue *array, Operand index, bool floats, int *count)
{
    Operand single = index;
    const Operand *operands = &single;
    *count = 1;
    if (index.kind == OPD_VALUE && type_is_tuple(index.value->type))
        operands = tuple_operands(f, index.value, "_index", count, index.span);
    if (*count != array->type->array.rank && index.kind != OPD_ERROR) {
        fail_count(f, array, *count, index.span);
        return NULL;
    }
    return cast_indices(f, operands, *count, floats);
}

/* Whether index lies in [-extent, extent); an unsigned one in [0, extent). */
static IrValue *in_range(FnState *f, IrValue *index, IrValue *extent, Span span)
{
    if (type_is_unsigned(index->type))
        return ir_binary(f->arena, OP_lt, index, ir_cast(f->arena, type_uint64, extent, span),
                         span);
    IrValue *low = ir_unary(f->arena, OP_neg, extent, span);
    return ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_ge, index, low, span),
                     ir_binary(f->arena, OP_lt, index, extent, span), span);
}

void lower_bound(FnState *f, IrValue *array, int axis, IrValue **index, Span span)
{
    if (!is_debugged(f))
        return;
    *index = lower_stable(f, *index, "_index");
    IrValue *extent = array_extent(f, array, axis, span);
    IrValue *ok = in_range(f, *index, extent, span);
    const char *message =
        arena_printf(f->arena, "IndexError: index %%%c is out of range for axis %d of size %%d",
                     type_is_unsigned((*index)->type) ? 'u' : 'd', axis);
    lower_fault_of(f, ir_unary(f->arena, OP_not, ok, span), message, *index, extent, span);
}

void lower_bounds(FnState *f, IrValue *array, IrValue **indices, Span span)
{
    for (int axis = 0; axis < array->type->array.rank; axis++)
        lower_bound(f, array, axis, &indices[axis], span);
}

IrValue *lower_load(FnState *f, IrValue *array, IrValue **indices, Span span)
{
    int rank = array->type->array.rank;
    IrValue *known = lower_table_load(f, array, indices, span);
    if (known)
        return known;
    lower_bounds(f, array, indices, span);
    if (is_of_records(array)) { /* which are referred to */
        Operand *operands = arena_array(f->arena, Operand, rank + 1);
        for (int axis = 0; axis < rank; axis++)
            operands[axis] = operand_value(indices[axis]);
        return rank ? lower_view(f, array, operands, rank, span).value : array;
    }
    IrValue *load = ir_value(f->arena, OP_load, array->type->array.element, span, rank + 1);
    load->operands[0] = array;
    for (int axis = 0; axis < rank; axis++)
        load->operands[axis + 1] = indices[axis];
    return load;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A tuple's item: a constant index picks it, any other needs items of one type. */
static Operand index_tuple(FnState *f, IrValue *tuple, const AstExpr *expr, Operand index)
{
    Span span = expr->span;
    if (index.kind == OPD_SLICE)
        return tuple_slice(f, tuple, &index, span);
    IrValue *at = cast_index(f, index, false);
    int64_t count = tuple->type->tuple.count;
    if (!at)
        return operand_error(span);
    IrValue *known = literal_known(f, at);
    if (count == 0) {
        fail(f, span, "an empty tuple has no items");
        return operand_error(span);
    }
    at = known ? known : at;
    if (ir_is_constant(at)) {
        int64_t i = at->constant.integer < 0 ? at->constant.integer + count : at->constant.integer;
        if (i < 0 || i >= count) {
            fail(f, span, "the index %lld is out of range for a tuple of %lld",
                 (long long)at->constant.integer, (long long)count);
            return operand_error(span);
        }
        return operand_value(ir_item(f->arena, tuple, (int)i, span));
    }
    if (!type_is_uniform(tuple->type)) {
        literal_value(f, at); /* the function is lowered again if the call has a constant */
        fail(f, span, "the items of %s have several types, so its index must be a constant",
             type_name(f->arena, tuple->type));
        return operand_error(span);
    }
    IrValue *item = ir_value(f->arena, OP_item_at, tuple->type->tuple.items[0], span, 2);
    item->operands[0] = tuple;
    at = ir_cast(f->arena, type_int64, lower_stable(f, at, "_index"), span);
    if (is_debugged(f)) {
        IrValue *ok = in_range(f, at, ir_integer(f->arena, type_int64, count, span), span);
        const char *message = "IndexError: tuple index out of range: %d in a tuple of %d";
        lower_fault_of(f, ir_unary(f->arena, OP_not, ok, span), message, at,
                       ir_integer(f->arena, type_int64, count, span), span);
    }
    IrValue *negative =
        ir_binary(f->arena, OP_lt, at, ir_integer(f->arena, type_int64, 0, span), span);
    item->operands[1] = ir_select(
        f->arena, negative,
        ir_binary(f->arena, OP_add, at, ir_integer(f->arena, type_int64, count, span), span), at,
        span);
    return operand_value(item);
}

/* x.flat[i], where the elements do not lie in that order: becomes x[i0, i1]. */
static bool index_walk(FnState *f, Operand *object, Operand **indices, int *count, Span span)
{
    IrValue *extents[RANK_MAX], *cast = NULL;
    int rank = object->walk.rank;
    if (object->walk.kind == INTR_np_ravel && *count == 1)
        cast = cast_index(f, (*indices)[0], false);
    if (!cast) {
        fail(f, span, "cannot index %s so", describe(f, *object));
        return false;
    }
    IrValue *size = walk_length(f, object, span), *zero = ir_integer(f->arena, type_int64, 0, span);
    cast = lower_stable(f, ir_cast(f->arena, type_int64, cast, span), "_index");
    cast = ir_select(f->arena, ir_binary(f->arena, OP_lt, cast, zero, span),
                     ir_binary(f->arena, OP_add, cast, size, span), cast, span);
    walk_indices(f, object, lower_stable(f, cast, "_index"), extents, span);
    *indices = arena_array(f->arena, Operand, rank + 1);
    for (int axis = 0; axis < rank; axis++)
        (*indices)[axis] = operand_value(extents[axis]);
    *count = rank;
    *object = operand_value(object->walk.array);
    return true;
}

/* The object and the indices of `object[indices]`, in Python's order; false after a complaint. */
static bool lower_subscript(FnState *f, const AstExpr *expr, Operand *object, Operand **indices,
                            int *count)
{
    *object = lower_expr(f, expr->index.object);
    IrStmt *last = f->region->last;
    *indices = index_operands(f, expr->index.index, count);
    IrStmt *place = statement_after(f, last);
    if (object->kind == OPD_VALUE)
        keep_before(f, place, &object->value);
    if (object->kind == OPD_ERROR)
        return false;
    for (int i = 0; i < *count; i++)
        if ((*indices)[i].kind == OPD_ERROR ||
            ((*indices)[i].kind == OPD_VALUE && (*indices)[i].value->type->kind == TY_ERROR))
            return false;
    if (object->kind == OPD_RANGE && *count == 1 && (*indices)[0].kind == OPD_VALUE)
        return true;
    if (object->kind == OPD_ENUM && *count == 1 && (*indices)[0].kind == OPD_STRING)
        return true;
    if (object->kind == OPD_WALK && !index_walk(f, object, indices, count, expr->span))
        return false;
    if (object->kind != OPD_VALUE) {
        fail(f, expr->index.object->span, "cannot index %s", describe(f, *object));
        return false;
    }
    if (object->value->type->kind == TY_ERROR)
        return false;
    if (!type_is_array(object->value->type) && !type_is_tuple(object->value->type)) {
        fail(f, expr->index.object->span, "cannot index %s", describe(f, *object));
        note_parameter(f, expr->index.object, object->value);
        return false;
    }
    return !refuse_name(f, object, *indices, *count);
}

Operand lower_index(FnState *f, const AstExpr *expr)
{
    Operand object, *indices;
    int count;
    if (!lower_subscript(f, expr, &object, &indices, &count))
        return operand_value(lower_poison(f, expr->span));
    if (object.kind == OPD_ENUM)
        return enum_member(f, object.enumeration, indices[0].string.text, indices[0].span);
    if (object.kind == OPD_RANGE) {
        IrValue *index = cast_index(f, indices[0], false);
        return index ? range_index(f, &object, index, expr->span) : operand_error(expr->span);
    }
    IrValue *array = object.value;
    if (type_is_tuple(array->type)) {
        if (count != 1 || !(is_plain_index(indices[0]) || indices[0].kind == OPD_SLICE)) {
            fail(f, expr->span, "a tuple is indexed by one integer or slice");
            return operand_error(expr->span);
        }
        return index_tuple(f, array, expr, indices[0]);
    }
    if (names_field(array, indices, count))
        return operand_value(
            lower_field_value(f, lower_field_at(f, array, indices[0]), expr->span));
    int rank = array->type->array.rank;
    if (all_plain(indices, count) && count > rank) {
        fail_count(f, array, count, expr->span);
        note_parameter(f, expr->index.object, array);
        return operand_value(lower_poison(f, expr->span));
    }
    if (!all_plain(indices, count) || count < rank) {
        Operand view = lower_view(f, array, indices, count, expr->span);
        return view.kind == OPD_ERROR ? operand_value(lower_poison(f, expr->span)) : view;
    }
    IrValue **cast = cast_indices(f, indices, count, false);
    return operand_value(cast ? lower_load(f, array, cast, expr->span)
                              : lower_poison(f, expr->span));
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A field that is assigned as a whole, as the place of its one element; NULL after a complaint. */
static IrValue **field_place(FnState *f, const AstExpr *target, IrValue *field, IrValue **array,
                             bool *whole)
{
    *array = field;
    if (is_poison(field))
        return NULL;
    if (field->type->array.readonly) {
        lower_readonly(f, field, target->span);
        return NULL;
    }
    *whole = field->type->array.rank > 0;
    return arena_new(f->arena, IrValue *);
}

/* The place that `owner.name` is, likewise. */
static IrValue **attribute_place(FnState *f, const AstExpr *target, IrValue **array, bool *whole)
{
    Operand owner = lower_expr(f, target->attribute.object);
    const char *name = target->attribute.name;
    bool records = owner.kind == OPD_VALUE && is_of_records(owner.value);
    int index = records ? record_find(owner.value->type->array.element, name) : -1;
    if (index >= 0)
        return field_place(f, target, lower_field(f, owner.value, index, target->span), array,
                           whole);
    if (records)
        lower_no_field(f, owner.value, name, target->attribute.name_span);
    else if (owner.kind == OPD_VALUE && type_has_items(owner.value->type) &&
             owner.value->type->tuple.names)
        fail(f, target->span, "the parts of a value cannot be assigned one by one: make a new %s",
             owner.value->type->tuple.names->name);
    else if (owner.kind != OPD_ERROR && !(owner.kind == OPD_VALUE && is_poison(owner.value)))
        fail(f, target->span, "the attributes of %s cannot be assigned", describe(f, owner));
    return NULL;
}

/* The array and indices that a target names, checked for writing; NULL after a complaint. Of a whole
** view, `*array` is the view and `*whole` set. */
static IrValue **store_place(FnState *f, const AstExpr *target, IrValue **array, bool *whole)
{
    *whole = false;
    Operand object, *operands;
    int count;
    if (target->kind == AST_ATTRIBUTE)
        return attribute_place(f, target, array, whole);
    if (!lower_subscript(f, target, &object, &operands, &count))
        return NULL;
    *array = object.value;
    if (names_field(object.value, operands, count))
        return field_place(f, target, lower_field_at(f, object.value, operands[0]), array, whole);
    if (type_is_tuple(object.value->type)) {
        fail(f, target->span, "a tuple cannot be changed; use cuda.local.array");
        return NULL;
    }
    if (object.value->type->array.readonly) {
        lower_readonly(f, object.value, target->span);
        note_parameter(f, target->index.object, object.value);
        return NULL;
    }
    int rank = object.value->type->array.rank;
    if (all_plain(operands, count) && count > rank) {
        fail_count(f, object.value, count, target->span);
        note_parameter(f, target->index.object, object.value);
        return NULL;
    }
    if (!all_plain(operands, count) || count < rank) {
        Operand view = lower_view(f, *array, operands, count, target->span);
        if (view.kind != OPD_VALUE)
            return NULL;
        *whole = true;
        *array = view.value;
        return arena_new(f->arena, IrValue *);
    }
    return cast_indices(f, operands, count, false);
}

static IrValue *stored_value(FnState *f, IrValue *array, IrValue *value, const AstExpr *target)
{
    const Type *element = array->type->array.element;
    if (type_is_record_ref(value->type) && value->type->array.element == element) {
        IrValue *load = ir_value(f->arena, OP_load, element, value->span, 1);
        load->operands[0] = value;
        return load;
    }
    if (typing_can_store(value->type, element))
        return convert(f, value, element, target->span);
    fail(f, target->span, "cannot store %s in %s %s", describe(f, operand_value(value)),
         array->op == OP_field ? "a field of type" : "an array of", type_name(f->arena, element));
    note_types(f, value, array);
    return NULL;
}

void lower_store(FnState *f, const AstExpr *target, Operand value)
{
    IrStmt *last = f->region->last;
    bool whole;
    IrValue *array, **indices = store_place(f, target, &array, &whole);
    if (!indices || value.kind == OPD_ERROR)
        return;
    if (value.kind != OPD_VALUE) {
        fail(f, target->span, "%s cannot be stored in an array", describe(f, value));
        return;
    }
    keep_before(f, statement_after(f, last), &value.value);
    value.value = array_single(f, value.value);
    if (whole) {
        lower_fill(f, array, value.value, target->span);
        return;
    }
    IrValue *stored = stored_value(f, array, value.value, target);
    if (!stored || stored->type->kind == TY_ERROR)
        return;
    lower_bounds(f, array, indices, target->span);
    array_store(f, array, indices, stored, target->span);
}

/* a[1:3] += e */
static void aug_assign_view(FnState *f, const AstStmt *stmt, IrValue *view)
{
    view = stable_array(f, view);
    IrStmt *last = f->region->last;
    IrValue *operand = lower_value(f, stmt->aug_assign.value);
    keep_before(f, statement_after(f, last), &view);
    lower_fill_op(f, view, stmt->aug_assign.op, array_single(f, operand), stmt->span);
}

/* a[i] += e: the place is found once, then read, computed and written. */
static void aug_assign_element(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    bool whole;
    IrValue *array, **indices = store_place(f, target, &array, &whole);
    if (!indices) {
        lower_expr(f, stmt->aug_assign.value);
        return;
    }
    if (whole) {
        aug_assign_view(f, stmt, array);
        return;
    }
    for (int axis = 0; axis < array->type->array.rank; axis++)
        if (ir_value_effects(indices[axis]) & EFFECT_READ)
            indices[axis] = lower_stable(f, indices[axis], "_index");
    IrValue *old = lower_load(f, array, indices, target->span);
    IrStmt *last = f->region->last;
    IrValue *operand = array_single(f, lower_value(f, stmt->aug_assign.value));
    IrStmt *place = statement_after(f, last);
    keep_before(f, place, &old);
    keep_before(f, place, &array);
    for (int axis = 0; axis < array->type->array.rank; axis++)
        keep_before(f, place, &indices[axis]);
    IrValue *value = lower_binary(f, stmt->aug_assign.op, old, operand, stmt->span);
    IrValue *stored = stored_value(f, array, value, target);
    if (stored && stored->type->kind != TY_ERROR)
        array_store(f, array, indices, stored, stmt->span);
}

/* x += e of an array changes the array, as in Python. */
static void aug_assign_array(FnState *f, const AstStmt *stmt, IrValue *array, IrValue *operand)
{
    if (array->type->array.readonly)
        lower_readonly(f, array, stmt->span);
    else
        lower_fill_op(f, array, stmt->aug_assign.op, array_single(f, operand), stmt->span);
}

void lower_aug_assign(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    if (stmt->aug_assign.op == AST_MATMUL) {
        fail(f, stmt->span, "'@=' multiplies whole matrices; kernels work on elements");
        return;
    }
    if (target->kind != AST_NAME) {
        aug_assign_element(f, stmt);
        return;
    }
    AstExpr *const operands[] = { (AstExpr *)target, stmt->aug_assign.value };
    Operand values[2];
    lower_list(f, operands, 2, values);
    IrValue *left = operand_as_value(f, values[0], operands[0]);
    IrValue *right = operand_as_value(f, values[1], operands[1]);
    if (type_is_array(left->type)) {
        aug_assign_array(f, stmt, left, right);
        return;
    }
    lower_bind(f, target->name.name,
               operand_value(lower_binary(f, stmt->aug_assign.op, left, right, stmt->span)),
               target->span);
}

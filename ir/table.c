/* Constant arrays: their elements as bytes, and what a tree of views makes of them.
**
** A view is followed down to the array itself by its offset and strides, as memory would be; that
** fails, without a complaint, where a part of it is known at run time only. */
#include "ir/ir.h"

/* ---- elements ------------------------------------------------------------------------------ */

static double real_part(const IrValue *value)
{
    const Type *type = value->type;
    if (type_is_complex(type))
        return value->constant.complex.real;
    if (type_is_float(type))
        return value->constant.number;
    return type->kind == TY_UINT64 ? (double)(uint64_t)value->constant.integer
                                   : (double)value->constant.integer;
}

static void put_complex(unsigned char *to, const Type *type, const IrValue *value)
{
    double parts[] = { real_part(value),
                       type_is_complex(value->type) ? value->constant.complex.imag : 0 };
    float halves[] = { (float)parts[0], (float)parts[1] };
    if (type->kind == TY_COMPLEX64)
        memcpy(to, halves, sizeof halves);
    else
        memcpy(to, parts, sizeof parts);
}

static void put_float(unsigned char *to, const Type *type, double number)
{
    float single = (float)number;
    uint16_t half = type->kind == TY_FLOAT16 ? float16_bits(number) : bfloat16_bits(number);
    uint8_t eighth = float8_bits(number, type->kind == TY_FLOAT8_E5M2);
    if (type == type_float64)
        memcpy(to, &number, sizeof number);
    else if (type == type_float32)
        memcpy(to, &single, sizeof single);
    else if (type_is_float8(type))
        *to = eighth;
    else
        memcpy(to, &half, sizeof half);
}

void ir_table_put(Arena *arena, unsigned char *to, const Type *type, const IrValue *value)
{
    if (type_is_complex(type)) {
        put_complex(to, type, value);
        return;
    }
    const IrValue *cast = type == value->type ? value : fold_cast(arena, type, value, value->span);
    if (type_is_float(type))
        put_float(to, type, real_part(cast));
    else
        memcpy(to, &cast->constant.integer, type_size(type)); /* little-endian */
}

static double get_float(const Type *type, const unsigned char *from)
{
    double number;
    float single;
    uint16_t half;
    if (type == type_float64) {
        memcpy(&number, from, sizeof number);
        return number;
    }
    if (type == type_float32) {
        memcpy(&single, from, sizeof single);
        return (double)single;
    }
    if (type_is_float8(type))
        return float8_number(*from, type->kind == TY_FLOAT8_E5M2);
    memcpy(&half, from, sizeof half);
    return type->kind == TY_FLOAT16 ? float16_number(half) : bfloat16_number(half);
}

IrValue *ir_table_get(Arena *arena, const Type *type, const unsigned char *from, Span span)
{
    if (type_is_complex(type)) {
        const Type *part = type_complex_part(type);
        return ir_complex(arena, type, ir_number(arena, part, get_float(part, from), span),
                          ir_number(arena, part, get_float(part, from + type_size(part)), span),
                          span);
    }
    if (type_is_float(type))
        return ir_number(arena, type, get_float(type, from), span);
    uint64_t bits = 0;
    memcpy(&bits, from, type_size(type));
    IrValue *integer = ir_integer(arena, type, (int64_t)bits, span); /* which extends the sign */
    integer->numpys = true;
    return integer;
}

/* ---- views --------------------------------------------------------------------------------- */

static bool integer_of(const IrValue *value, int64_t *integer)
{
    *integer = ir_is_constant(value) ? value->constant.integer : 0;
    return ir_is_constant(value);
}

static void dense(TableView *view, const Type *element)
{
    int64_t stride = (int64_t)type_size(element);
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        view->strides[axis] = stride;
        stride *= view->shape[axis];
    }
}

static void transpose(const TableView *from, TableView *view)
{
    for (int axis = 0; axis < from->rank; axis++) {
        view->shape[axis] = from->shape[from->rank - 1 - axis];
        view->strides[axis] = from->strides[from->rank - 1 - axis];
    }
}

static bool slice(const IrValue *value, const TableView *from, TableView *view)
{
    IrValue *const *operand = value->operands + 1;
    int axis = 0, at = 0;
    for (const char *kind = value->axes; *kind; kind++) {
        int64_t start = 0, count = 1, step = 0;
        if (*kind == 'n') {
            view->shape[at] = 1;
            view->strides[at++] = 0;
            continue;
        }
        if (!integer_of(operand[0], &start) ||
            (*kind == 's' && !(integer_of(operand[1], &count) && integer_of(operand[2], &step))))
            return false;
        start += *kind == 'i' && start < 0 ? from->shape[axis] : 0;
        if (*kind == 'i' && (start < 0 || start >= from->shape[axis]))
            return false;
        view->offset += count ? start * from->strides[axis] : 0;
        if (*kind == 's') {
            view->shape[at] = count;
            view->strides[at++] = from->strides[axis] * step;
        }
        operand += *kind == 's' ? 3 : 1;
        axis++;
    }
    for (; axis < from->rank; axis++, at++) {
        view->shape[at] = from->shape[axis];
        view->strides[at] = from->strides[axis];
    }
    return true;
}

/* The same memory read otherwise: see OP_recast. */
static bool recast(const IrValue *value, TableView *view)
{
    bool strided = value->type->array.layout == LAYOUT_A;
    for (int axis = 0; axis < view->rank; axis++) {
        if (!integer_of(value->operands[1 + axis], &view->shape[axis]))
            return false;
        if (strided && !integer_of(value->operands[1 + view->rank + axis], &view->strides[axis]))
            return false;
    }
    view->offset += value->index;
    if (!strided)
        dense(view, value->type->array.element);
    return value->type->array.layout != LAYOUT_F;
}

static void field(const IrValue *value, const TableView *from, TableView *view)
{
    const RecordField *of = &value->operands[0]->type->array.element->record.fields[value->index];
    int64_t stride = (int64_t)type_size(of->type);
    memcpy(view->shape, from->shape, sizeof view->shape);
    memcpy(view->strides, from->strides, sizeof view->strides);
    view->offset += (int64_t)of->offset;
    for (int axis = of->rank - 1; axis >= 0; axis--) {
        view->shape[from->rank + axis] = of->shape[axis];
        view->strides[from->rank + axis] = stride;
        stride *= of->shape[axis];
    }
}

bool ir_table_view(const IrValue *array, TableView *view)
{
    TableView from;
    if (array->op == OP_var) {
        if (array->var->kind != VAR_CONSTANT)
            return false;
        *view = (TableView){ .table = array->var->table, .rank = array->type->array.rank };
        memcpy(view->shape, view->table->shape, sizeof view->shape);
        dense(view, view->table->element);
        return true;
    }
    if (array->count < 1 || !type_is_array(array->operands[0]->type) ||
        !ir_table_view(array->operands[0], &from))
        return false;
    *view = from;
    view->rank = array->type->array.rank;
    switch (array->op) {
    case OP_cast:
        return true;
    case OP_transpose:
        transpose(&from, view);
        return true;
    case OP_view:
        return slice(array, &from, view);
    case OP_recast:
        return recast(array, view);
    case OP_field:
        field(array, &from, view);
        return true;
    default:
        return false;
    }
}

const unsigned char *ir_table_at(const TableView *view, const int64_t *indices)
{
    int64_t offset = view->offset;
    for (int axis = 0; axis < view->rank; axis++) {
        int64_t index = indices[axis] + (indices[axis] < 0 ? view->shape[axis] : 0);
        if (index < 0 || index >= view->shape[axis])
            return NULL;
        offset += index * view->strides[axis];
    }
    return view->table->bytes + offset;
}

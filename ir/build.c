/* Constructors for the IR. What they are given must fit ops.def; operations on constants come out
** as constants. */
#include "ir/ir.h"

const IrOpInfo ir_ops[OP_COUNT] = {
#define ANY -1
#define OP(name, operands, result, effect)                                                         \
    [OP_##name] = { #name, operands, RESULT_##result, EFFECT_##effect },
#include "ir/ops.def"
#undef ANY
};

const char *const ir_cache_names[] = { "",   "ca", "cg", "cs",  "lu",  "cv",  "cg",
                                       "cs", "wb", "wt", "at2", "at4", "at8", "at16" };

IrVar *ir_var_new(Arena *arena, IrFunc *fn, const char *name, const Type *type, IrVarKind kind,
                  Span span)
{
    IrVar *var = arena_new(arena, IrVar);
    *var = (IrVar){ .name = name, .type = type, .kind = kind, .span = span, .id = fn->var_count };
    array_push(arena, fn->vars, fn->var_count, fn->var_capacity) = var;
    return var;
}

IrVar *ir_temporary(Arena *arena, IrFunc *fn, const char *name, const Type *type, Span span)
{
    IrVar *var = ir_var_new(arena, fn, name, type, VAR_LOCAL, span);
    var->temporary = true;
    return var;
}

IrVar *ir_counter(Arena *arena, IrFunc *fn, const char *name, Span span)
{
    IrVar *var = ir_temporary(arena, fn, name, type_int64, span);
    var->nonnegative = true;
    return var;
}

IrVar *ir_var_like(Arena *arena, IrFunc *fn, const IrVar *var, const char *name)
{
    IrVar *made = ir_var_new(arena, fn, name, var->type, VAR_LOCAL, var->span);
    made->temporary = var->temporary;
    made->nonnegative = var->nonnegative;
    made->positive = var->positive;
    return made;
}

/* The type of a variable that has it already, else a new one. */
static const Type *array_type(Arena *arena, const IrFunc *fn, const Type *element, int rank)
{
    for (int i = 0; i < fn->var_count; i++) {
        const Type *type = fn->vars[i]->type;
        if (type_is_array(type) && fn->vars[i]->kind != VAR_LOCAL &&
            fn->vars[i]->kind != VAR_PARAM && type->array.element == element &&
            type->array.rank == rank && type->array.layout == LAYOUT_C && !type->array.readonly &&
            !type->array.unaligned)
            return type;
    }
    Type *type = arena_new(arena, Type);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = element;
    type->array.rank = rank;
    type->array.layout = LAYOUT_C;
    return type;
}

IrVar *ir_array_var(Arena *arena, IrFunc *fn, const char *name, const Type *element, IrVarKind kind,
                    const int64_t *shape, int rank, Span span)
{
    const Type *type = array_type(arena, fn, element, rank);
    IrVar *var = ir_var_new(arena, fn, name, type, kind, span);
    if (shape)
        var->shape = memcpy(arena_array(arena, int64_t, rank), shape, sizeof *shape * (size_t)rank);
    return var;
}

IrValue *ir_value(Arena *arena, IrOp op, const Type *type, Span span, int count)
{
    IrValue *value = arena_new(arena, IrValue);
    *value = (IrValue){ .op = op, .type = type, .span = span, .count = count };
    value->operands = count ? arena_array(arena, IrValue *, count) : NULL;
    return value;
}

/* An integer's low bits, extended again as its type reads them. */
static int64_t wrap_to(const Type *type, int64_t value)
{
    switch (type->kind) {
    case TY_BOOL:
        return value != 0;
    case TY_INT8:
        return (int8_t)value;
    case TY_INT16:
        return (int16_t)value;
    case TY_INT32:
        return (int32_t)value;
    case TY_UINT8:
        return (uint8_t)value;
    case TY_UINT16:
        return (uint16_t)value;
    case TY_UINT32:
        return (uint32_t)value;
    default:
        return value;
    }
}

IrValue *ir_integer(Arena *arena, const Type *type, int64_t value, Span span)
{
    IrValue *constant = ir_value(arena, OP_constant, type, span, 0);
    constant->constant.integer = wrap_to(type, value);
    return constant;
}

static bool is_e5m2(const Type *type)
{
    return type->kind == TY_FLOAT8_E5M2;
}

IrValue *ir_number(Arena *arena, const Type *type, double value, Span span)
{
    IrValue *constant = ir_value(arena, OP_constant, type, span, 0);
    constant->constant.number =
        type->kind == TY_FLOAT32    ? (double)(float)value
        : type->kind == TY_FLOAT16  ? float16_number(float16_bits(value))
        : type->kind == TY_BFLOAT16 ? bfloat16_number(bfloat16_bits(value))
        : type_is_float8(type) ? float8_number(float8_bits(value, is_e5m2(type)), is_e5m2(type))
                               : value;
    return constant;
}

IrValue *ir_zero(Arena *arena, const Type *type, Span span)
{
    bool plain = type_is_real(type);
    return ir_value(arena, plain ? OP_constant : OP_zero, type, span, 0);
}

IrValue *ir_unset(Arena *arena, const Type *type, Span span)
{
    IrValue *zero = ir_zero(arena, type, span);
    zero->unset = true;
    return zero;
}

IrValue *ir_var(Arena *arena, IrVar *var, Span span)
{
    IrValue *value = ir_value(arena, OP_var, var->type, span, 0);
    value->var = var;
    return value;
}

static const Type *result_type(IrOp op, const Type *operand)
{
    return ir_ops[op].result == RESULT_BOOL ? type_bool : operand;
}

/* A constant computed with numbers of NumPy is one of these. */
static IrValue *of_numpy(IrValue *folded, bool numpys)
{
    folded->numpys = numpys;
    return folded;
}

IrValue *ir_unary(Arena *arena, IrOp op, IrValue *a, Span span)
{
    const Type *type = result_type(op, a->type);
    IrValue *folded = fold_unary(arena, op, type, a, span);
    if (folded)
        return of_numpy(folded, a->numpys);
    IrValue *value = ir_value(arena, op, type, span, 1);
    value->operands[0] = a;
    return value;
}

/* The operand that an operation on integers leaves as it is: x + 0, x * 1. NULL if it is none. */
static IrValue *identity(IrOp op, IrValue *a, IrValue *b)
{
    if ((op == OP_add || op == OP_sub) && ir_is_integer(b, 0))
        return a;
    if (op == OP_add && ir_is_integer(a, 0))
        return b;
    if (op == OP_mul && ir_is_integer(b, 1))
        return a;
    return op == OP_mul && ir_is_integer(a, 1) ? b : NULL;
}

IrValue *ir_binary(Arena *arena, IrOp op, IrValue *a, IrValue *b, Span span)
{
    const Type *type = result_type(op, a->type);
    IrValue *folded = fold_binary(arena, op, type, a, b, span);
    if (folded)
        return of_numpy(folded, a->numpys || b->numpys);
    folded = identity(op, a, b);
    if (folded)
        return folded;
    IrValue *value = ir_value(arena, op, type, span, 2);
    value->operands[0] = a;
    value->operands[1] = b;
    return value;
}

IrValue *ir_cast(Arena *arena, const Type *type, IrValue *a, Span span)
{
    if (a->type == type || a->type->kind == TY_ERROR)
        return a;
    IrValue *folded = fold_cast(arena, type, a, span);
    if (folded)
        return of_numpy(folded, a->numpys);
    if (type_is_float8(type) && a->op == OP_cast && a->operands[0]->type == type)
        return a->operands[0]; /* as it came out of an array, so it goes into one */
    if (type_is_float8(type) && a->type != type_float32)
        a = ir_cast(arena, type_float32, a, span);
    IrValue *value = ir_value(arena, OP_cast, type, span, 1);
    value->operands[0] = a;
    return value;
}

IrValue *ir_complex(Arena *arena, const Type *type, IrValue *real, IrValue *imag, Span span)
{
    if (ir_is_constant(real) && ir_is_constant(imag)) {
        IrValue *constant = ir_value(arena, OP_constant, type, span, 0);
        constant->constant.complex.real = real->constant.number;
        constant->constant.complex.imag = imag->constant.number;
        return constant;
    }
    IrValue *value = ir_value(arena, OP_complex, type, span, 2);
    value->operands[0] = real;
    value->operands[1] = imag;
    return value;
}

IrValue *ir_select(Arena *arena, IrValue *condition, IrValue *a, IrValue *b, Span span)
{
    if (ir_is_constant(condition))
        return condition->constant.integer ? a : b;
    IrValue *value = ir_value(arena, OP_select, a->type, span, 3);
    value->operands[0] = condition;
    value->operands[1] = a;
    value->operands[2] = b;
    return value;
}

IrValue *ir_item(Arena *arena, IrValue *tuple, int index, Span span)
{
    if (tuple->op == OP_tuple)
        return tuple->operands[index];
    IrValue *value = ir_value(arena, OP_item, tuple->type->tuple.items[index], span, 1);
    value->operands[0] = tuple;
    value->index = index;
    return value;
}

IrValue *ir_intrinsic(Arena *arena, IrIntrinsic intrinsic, const Type *type, Span span, IrValue *a,
                      IrValue *b, IrValue *c)
{
    IrValue *operands[] = { a, b, c };
    int count = 0;
    while (count < 3 && operands[count])
        count++;
    IrValue *value = ir_value(arena, OP_intrinsic, type, span, count);
    value->intrinsic = intrinsic;
    for (int i = 0; i < count; i++)
        value->operands[i] = operands[i];
    return value;
}

IrValue *ir_min(Arena *arena, IrValue *a, IrValue *b, Span span)
{
    return ir_intrinsic(arena, INTR_min, type_int64, span, a, b, NULL);
}

IrValue *ir_max(Arena *arena, IrValue *a, IrValue *b, Span span)
{
    return ir_intrinsic(arena, INTR_max, type_int64, span, a, b, NULL);
}

IrValue *ir_axis(Arena *arena, IrIntrinsic intrinsic, int axis, Span span)
{
    bool whole = intrinsic == INTR_grid || intrinsic == INTR_gridsize;
    IrValue *value =
        ir_intrinsic(arena, intrinsic, whole ? type_int64 : type_int32, span, NULL, NULL, NULL);
    value->index = axis;
    return value;
}

IrValue *ir_extent(Arena *arena, IrValue *array, int axis, Span span)
{
    IrValue *value = ir_value(arena, OP_extent, type_int64, span, 1);
    value->operands[0] = array;
    value->index = axis;
    return value;
}

IrValue *ir_load(Arena *arena, IrValue *array, IrValue *const *indices, int count, Span span)
{
    IrValue *value = ir_value(arena, OP_load, array->type->array.element, span, count + 1);
    value->operands[0] = array;
    for (int i = 0; i < count; i++)
        value->operands[i + 1] = indices[i];
    return value;
}

IrValue *ir_both(Arena *arena, IrValue *a, IrValue *b)
{
    return a && b ? ir_binary(arena, OP_and_then, a, b, b->span) : a ? a : b;
}

IrStmt *ir_stmt(Arena *arena, IrStmtKind kind, Span span)
{
    IrStmt *stmt = arena_new(arena, IrStmt);
    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}

IrStmt *ir_set(Arena *arena, IrVar *var, IrValue *value, Span span)
{
    IrStmt *stmt = ir_stmt(arena, IR_SET, span);
    stmt->set.var = var;
    stmt->set.value = value;
    return stmt;
}

IrStmt *ir_eval(Arena *arena, IrValue *value, Span span)
{
    IrStmt *stmt = ir_stmt(arena, IR_EVAL, span);
    stmt->eval.value = value;
    return stmt;
}

IrStmt *ir_barrier(Arena *arena, Span span)
{
    return ir_eval(arena, ir_intrinsic(arena, INTR_syncthreads, type_none, span, NULL, NULL, NULL),
                   span);
}

IrStmt *ir_store(Arena *arena, IrValue *array, IrValue *const *indices, int count, IrValue *value,
                 Span span)
{
    IrStmt *stmt = ir_stmt(arena, IR_STORE, span);
    stmt->store.array = array;
    stmt->store.indices = arena_array(arena, IrValue *, count + 1);
    stmt->store.count = count;
    stmt->store.value = value;
    for (int i = 0; i < count; i++)
        stmt->store.indices[i] = indices[i];
    return stmt;
}

IrStmt *ir_if(Arena *arena, IrValue *condition, Span span)
{
    IrStmt *stmt = ir_stmt(arena, IR_IF, span);
    stmt->if_.condition = condition;
    return stmt;
}

IrStmt *ir_for(Arena *arena, IrVar *var, IrValue *start, IrValue *stop, IrValue *step, Span span)
{
    IrStmt *stmt = ir_stmt(arena, IR_FOR, span);
    stmt->for_.var = var;
    stmt->for_.start = start;
    stmt->for_.stop = stop;
    stmt->for_.step = step;
    return stmt;
}

void ir_append(IrRegion *region, IrStmt *stmt)
{
    ir_insert_before(region, NULL, stmt);
}

void ir_insert_before(IrRegion *region, IrStmt *at, IrStmt *stmt)
{
    IrStmt *before = at ? at->prev : region->last;
    stmt->prev = before;
    stmt->next = at;
    *(before ? &before->next : &region->first) = stmt;
    *(at ? &at->prev : &region->last) = stmt;
}

void ir_remove(IrRegion *region, IrStmt *stmt)
{
    *(stmt->prev ? &stmt->prev->next : &region->first) = stmt->next;
    *(stmt->next ? &stmt->next->prev : &region->last) = stmt->prev;
    stmt->next = stmt->prev = NULL;
}

bool ir_is_load(const IrValue *value)
{
    return value->op == OP_load;
}

bool ir_is_constant(const IrValue *value)
{
    return value->op == OP_constant;
}

int64_t ir_trip_count(const IrStmt *loop)
{
    const IrValue *start = loop->for_.start, *stop = loop->for_.stop, *step = loop->for_.step;
    int64_t from, to, by, distance;
    if (!ir_is_constant(start) || !ir_is_constant(stop) || !ir_is_constant(step))
        return -1;
    from = start->constant.integer, to = stop->constant.integer, by = step->constant.integer;
    if (by == 0 || by == INT64_MIN || __builtin_sub_overflow(to, from, &distance) ||
        distance == INT64_MIN)
        return -1;
    if (by < 0)
        by = -by, distance = -distance;
    return distance <= 0 ? 0 : (distance - 1) / by + 1;
}

/* ---- parameters of more axes than they come with --------------------------------------------- */

int ir_given_axes(const IrVar *array)
{
    return array->extents ? 1 : array->type->array.rank;
}

const IrVar *ir_length_param(const IrValue *length)
{
    if (length->op == OP_cast)
        length = length->operands[0];
    return length->op == OP_var ? length->var : NULL;
}

bool ir_has_length(const IrVar *array, const IrVar *param)
{
    for (int i = 0; array->extents && i < array->type->array.rank - 1; i++)
        if (ir_length_param(array->extents[i]) == param)
            return true;
    return false;
}

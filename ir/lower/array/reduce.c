/* sum(), prod(), mean(), min(), max(), argmin(), argmax(), any() and all() of arrays, as loops over
** their elements in the order of the indices. Numba has them only where there is a heap; the types
** are its: integers are summed in 64 bits, floats in their own type, and NaN is less and greater
** than anything. NumPy sums in pairs, so the last digits of float sums may differ. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"

typedef struct Reduction {
    FnState *f;
    IrValue *array;
    Span span;
    Nest nest;
} Reduction;

static Reduction reduction_open(FnState *f, IrValue *array, Span span)
{
    Reduction r = { .f = f, .array = array, .span = span };
    IrValue *extents[RANK_MAX];
    stable_extents(f, array, extents, span);
    nest_open(f, &r.nest, extents, array->type->array.rank, span);
    return r;
}

static IrValue *element_of(Reduction *r)
{
    return array_element(r->f, r->array, r->nest.at, r->span);
}

bool reduction_refused(FnState *f, const Call *call, IrValue *array)
{
    if (!type_is_scalar(array->type->array.element)) {
        fail(f, call->span, "%s takes an array of numbers, and this is %s", call->name,
             describe(f, operand_value(array)));
        return true;
    }
    if (call->count == 0)
        return false;
    fail(f, call->span, "%s goes over the whole array; for one axis write the loop", call->name);
    return true;
}

static IrVar *variable(FnState *f, const char *name, IrValue *start, Span span)
{
    IrVar *var = ir_temporary(f->arena, f->fn, name, start->type, span);
    emit(f, ir_set(f->arena, var, start, span));
    return var;
}

static const Type *sum_type(const Type *element)
{
    if (type_is_unsigned(element))
        return type_uint64;
    if (type_is_integer(element) || element->kind == TY_BOOL)
        return type_int64;
    return type_is_float8(element) ? type_float32 : element;
}

static IrValue *one_of(FnState *f, const Type *type, int64_t number, Span span)
{
    return convert(f, ir_integer(f->arena, type_int64, number, span), type, span);
}

Operand lower_sum(FnState *f, const Call *call, IrValue *array)
{
    bool product = call->intrinsic == INTR_np_prod, mean = call->intrinsic == INTR_np_mean;
    const Type *element = array->type->array.element, *type = sum_type(element);
    if (reduction_refused(f, call, array))
        return operand_error(call->span);
    if (mean && type_is_integer(type))
        type = type_float64;
    IrVar *total = variable(f, product ? "_product" : "_sum", one_of(f, type, product, call->span),
                            call->span);
    Reduction r = reduction_open(f, array, call->span);
    IrValue *so_far = ir_var(f->arena, total, call->span);
    IrValue *next = lower_binary(f, product ? AST_MUL : AST_ADD, so_far,
                                 convert(f, element_of(&r), type, call->span), call->span);
    emit(f, ir_set(f->arena, total, convert(f, next, type, call->span), call->span));
    nest_close(f, &r.nest);
    IrValue *result = ir_var(f->arena, total, call->span);
    if (!mean)
        return operand_value(result);
    const Type *part = type_is_complex(type) ? type_complex_part(type) : type;
    IrValue *count = convert(
        f, ir_cast(f->arena, part, array_size(f, array, call->span), call->span), type, call->span);
    return operand_value(
        convert(f, lower_binary(f, AST_DIV, result, count, call->span), type, call->span));
}

/* Whether `value` takes the place of `best`: it lies beyond it, or is the first NaN. */
static IrValue *is_better(FnState *f, IrValue *value, IrValue *best, bool greatest, Span span)
{
    Arena *arena = f->arena;
    IrValue *beyond = ir_binary(arena, greatest ? OP_gt : OP_lt, value, best, span);
    if (!type_is_float(value->type))
        return beyond;
    IrValue *nan = ir_binary(arena, OP_ne, value, value, span);
    IrValue *number = ir_binary(arena, OP_eq, best, best, span);
    return ir_binary(arena, OP_or_else, beyond, ir_binary(arena, OP_and_then, nan, number, span),
                     span);
}

Operand lower_extreme(FnState *f, const Call *call, IrValue *array)
{
    bool where = call->intrinsic == INTR_np_argmin || call->intrinsic == INTR_np_argmax;
    bool greatest = call->intrinsic == INTR_np_max || call->intrinsic == INTR_np_argmax;
    const Type *element = array->type->array.element;
    IrValue *zeros[RANK_MAX], *zero = ir_integer(f->arena, type_int64, 0, call->span);
    if (reduction_refused(f, call, array))
        return operand_error(call->span);
    if (type_is_complex(element))
        return fail_operand(f, call->span, "complex numbers have no order");
    for (int axis = 0; axis < array->type->array.rank; axis++)
        zeros[axis] = zero;
    if (is_reported(f))
        lower_fault_if(
            f, ir_binary(f->arena, OP_eq, array_size(f, array, call->span), zero, call->span),
            "ValueError: an empty array has no least and no greatest element", call->span);
    IrVar *best = variable(f, greatest ? "_max" : "_min",
                           array_element(f, array, zeros, call->span), call->span);
    IrVar *at = where ? variable(f, "_at", zero, call->span) : NULL;
    IrVar *count = where ? variable(f, "_seen", zero, call->span) : NULL;
    Reduction r = reduction_open(f, array, call->span);
    IrValue *value = lower_stable(f, element_of(&r), "_value");
    IrStmt *check = ir_stmt(f->arena, IR_IF, call->span);
    const Type *order = value->type->kind == TY_BOOL ? type_int64 : value->type;
    check->if_.condition =
        is_better(f, ir_cast(f->arena, order, value, call->span),
                  ir_cast(f->arena, order, ir_var(f->arena, best, call->span), call->span),
                  greatest, call->span);
    ir_append(&check->if_.then, ir_set(f->arena, best, value, call->span));
    if (where)
        ir_append(&check->if_.then,
                  ir_set(f->arena, at, ir_var(f->arena, count, call->span), call->span));
    emit(f, check);
    if (where)
        emit(f, ir_set(f->arena, count,
                       ir_binary(f->arena, OP_add, ir_var(f->arena, count, call->span),
                                 ir_integer(f->arena, type_int64, 1, call->span), call->span),
                       call->span));
    nest_close(f, &r.nest);
    return operand_value(ir_var(f->arena, where ? at : best, call->span));
}

Operand lower_all(FnState *f, const Call *call, IrValue *array)
{
    bool all = call->intrinsic == INTR_np_all;
    if (reduction_refused(f, call, array))
        return operand_error(call->span);
    IrVar *result = variable(f, all ? "_all" : "_any",
                             ir_integer(f->arena, type_bool, all, call->span), call->span);
    Reduction r = reduction_open(f, array, call->span);
    IrValue *truth = lower_truth(f, element_of(&r), call->span);
    IrStmt *check =
        ir_if(f->arena, all ? ir_unary(f->arena, OP_not, truth, call->span) : truth, call->span);
    ir_append(
        &check->if_.then,
        ir_set(f->arena, result, ir_integer(f->arena, type_bool, !all, call->span), call->span));
    emit(f, check);
    nest_close(f, &r.nest);
    return operand_value(ir_var(f->arena, result, call->span));
}

/* Loads and stores that say how caches should treat them: cuda.ldcg(a, i), cuda.stcs(a, i, x). They
** are plain loads and stores with a word more, which the processor does not heed. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"

static bool has_cache_hint(const Type *type)
{
    return type_is_integer(type) ||
           (type_is_float(type) && type->kind != TY_BFLOAT16 && !type_is_float8(type));
}

/* The array and its indices, checked; NULL after a complaint. */
static IrValue **cache_place(FnState *f, const Call *call, IrValue **array, int *rank)
{
    *array = call_value(f, call, 0);
    if ((*array)->type->kind == TY_ERROR)
        return NULL;
    if (!type_is_array((*array)->type) || !has_cache_hint((*array)->type->array.element))
        return fail_null(f, call->args[0].span,
                         "%s takes an array of integers or floats first, and this is %s",
                         call->name, describe(f, call->args[0]));
    IrValue **indices = lower_indices(f, *array, call->args[1], false, rank);
    if (indices)
        lower_bounds(f, *array, indices, call->span);
    return indices;
}

Operand lower_cache_load(FnState *f, const Call *call)
{
    int rank;
    IrValue *array;
    if (!call_takes(f, call, 2, 2))
        return operand_error(call->span);
    IrValue **indices = cache_place(f, call, &array, &rank);
    if (!indices)
        return operand_error(call->span);
    IrValue *load = lower_load(f, array, indices, call->span);
    load->index = 1 + (int)(call->intrinsic - INTR_ldca);
    return operand_value(load);
}

Operand lower_cache_store(FnState *f, const Call *call)
{
    int rank;
    IrValue *array;
    if (!call_takes(f, call, 3, 3))
        return operand_error(call->span);
    IrValue **indices = cache_place(f, call, &array, &rank);
    if (!indices)
        return operand_error(call->span);
    const Type *element = array->type->array.element;
    IrValue *value = call_value(f, call, 2);
    if (is_poison(value))
        return operand_error(call->span);
    if (array->type->array.readonly) {
        lower_readonly(f, array, call->args[0].span);
        return operand_error(call->span);
    }
    if (!typing_can_store(value->type, element))
        return fail_operand(f, call->args[2].span, "cannot store %s in %s",
                            describe(f, call->args[2]), describe(f, operand_value(array)));
    value = convert(f, value, element, call->span);
    IrStmt *stmt = ir_store(f->arena, array, indices, rank, value, call->span);
    stmt->store.cache = 1 + (int)(call->intrinsic - INTR_ldca);
    emit(f, stmt);
    return operand_value(ir_value(f->arena, OP_zero, type_none, call->span, 0));
}

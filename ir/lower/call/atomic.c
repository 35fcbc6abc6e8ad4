/* Atomic operations on arrays. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

/* numba has 32- and 64-bit types alone, and exch and cas for integers. */
static bool atomic_type(const Type *type, Rule rule)
{
    if (type_is_float8(type))
        return false;
    switch (rule) {
    case RULE_ATOMIC_SUM:
        return type_is_integer(type) || type_is_float(type) || type_is_complex(type);
    case RULE_ATOMIC_UINT:
        return type->kind == TY_UINT32 || type->kind == TY_UINT64;
    case RULE_ATOMIC_INT:
        return type_is_integer(type);
    default:
        return type_is_integer(type) || type_is_float(type);
    }
}

static const char *wanted_types(Rule rule)
{
    return rule == RULE_ATOMIC_SUM    ? "numbers"
           : rule == RULE_ATOMIC_UINT ? "uint32 and uint64"
           : rule == RULE_ATOMIC_INT  ? "integers"
                                      : "integers and floats";
}

/* Whether there are an array, an index and so many values; complains if not. */
static bool atomic_takes(FnState *f, const Call *call, int values)
{
    if (call->count == 2 + values)
        return true;
    return fail(f, call->span, "%s takes an array, an index and %s, and %d argument%s given",
                call->name, values == 1 ? "a value" : "two values", call->count,
                call->count == 1 ? " is" : "s are");
}

/* The array to work on, checked; NULL after a complaint. */
static IrValue *atomic_array(FnState *f, const Call *call, Rule rule)
{
    IrValue *array = call_value(f, call, 0);
    if (array->type->kind == TY_ERROR)
        return NULL;
    if (!type_is_array(array->type))
        return fail_null(f, call->args[0].span, "%s takes an array first, and this is %s",
                         call->name, describe(f, call->args[0]));
    if (array->type->array.readonly) {
        lower_readonly(f, array, call->args[0].span);
        return NULL;
    }
    if (array->type->array.unaligned)
        return fail_null(
            f, call->args[0].span,
            "%s needs elements that are aligned, and this field of a packed record is not; "
            "align=True in its dtype makes it so",
            call->name);
    if (!atomic_type(array->type->array.element, rule))
        return fail_null(f, call->args[0].span, "%s works on arrays of %s, not on %s", call->name,
                         wanted_types(rule), type_name(f->arena, array->type->array.element));
    return array;
}

static IrValue *atomic_operand(FnState *f, const Call *call, int index, const Type *element)
{
    IrValue *value = call_value(f, call, index);
    if (value->type->kind == TY_ERROR)
        return NULL;
    if (!type_is_scalar(value->type) || (type_is_complex(value->type) && !type_is_complex(element)))
        return fail_null(f, call->args[index].span, "%s takes a real number here, and this is %s",
                         call->name, describe(f, call->args[index]));
    return ir_cast(f->arena, element, value, value->span);
}

/* atomic.op(array, index, value); cas has (array, index, old, value), compare_and_swap works on
** element 0. */
Operand lower_atomic(FnState *f, const Call *call)
{
    Rule rule = (Rule)ir_intrinsics[call->intrinsic].rule;
    bool first = rule == RULE_ATOMIC_CAS0;
    int values = rule == RULE_ATOMIC_CAS || first ? 2 : 1, before = first ? 1 : 2;
    if (first ? !call_takes(f, call, 3, 3) : !atomic_takes(f, call, values))
        return operand_error(call->span);
    IrValue *array = atomic_array(f, call, rule);
    if (!array)
        return operand_error(call->span);
    Operand index =
        first ? operand_value(ir_integer(f->arena, type_int64, 0, call->span)) : call->args[1];
    index.span = first ? call->span : call->args[1].span;
    int rank;
    IrValue **indices = lower_indices(f, array, index, true, &rank);
    if (!indices)
        return operand_error(call->span);
    lower_bounds(f, array, indices, call->span);
    const Type *element = array->type->array.element;
    IrValue *atomic = ir_value(f->arena, OP_intrinsic, element, call->span, 1 + rank + values);
    atomic->intrinsic = first ? INTR_atomic_cas : call->intrinsic;
    atomic->operands[0] = array;
    for (int axis = 0; axis < rank; axis++)
        atomic->operands[1 + axis] = indices[axis];
    for (int i = 0; i < values; i++)
        if (!(atomic->operands[1 + rank + i] = atomic_operand(f, call, before + i, element)))
            return operand_error(call->span);
    return lower_effect(f, call->expr, atomic);
}

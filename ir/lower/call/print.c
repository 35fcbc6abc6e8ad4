/* print(...): numbers, tuples of them, and text. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

/* threadIdx and its kin print as (x, y, z). */
static IrValue *dim3_tuple(FnState *f, const Operand *dim3)
{
    const Type *types[3] = { type_int32, type_int32, type_int32 };
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, 3), dim3->span, 3);
    for (int axis = 0; axis < 3; axis++)
        tuple->operands[axis] = ir_axis(f->arena, dim3->intrinsic, axis, dim3->span);
    return tuple;
}

/* Scalars and tuples of them, without anything that may be None. */
static bool is_printed(const Type *type)
{
    if (!type_is_tuple(type) || type_is_optional(type) || type_is_thing(type))
        return type_is_scalar(type);
    for (int i = 0; i < type->tuple.count; i++)
        if (!is_printed(type->tuple.items[i]))
            return false;
    return true;
}

Operand lower_print(FnState *f, const Call *call)
{
    IrStmt *stmt = ir_stmt(f->arena, IR_PRINT, call->span);
    stmt->print.items = arena_array(f->arena, IrPrintItem, call->count + 1);
    stmt->print.count = call->count;
    for (int i = 0; i < call->count; i++) {
        Operand arg = call->args[i];
        bool value = arg.kind == OPD_VALUE && is_printed(arg.value->type);
        if (arg.kind == OPD_VALUE && type_is_optional(arg.value->type))
            return fail_operand(
                f, arg.span, "this may be None, which print() cannot tell; test it with 'is None'");
        if (arg.kind == OPD_STRING)
            stmt->print.items[i].text = arg.string.text;
        else if (arg.kind == OPD_NONE)
            stmt->print.items[i].text = "None";
        else if (arg.kind == OPD_INTRINSIC && ir_intrinsics[arg.intrinsic].rule == RULE_DIM3)
            stmt->print.items[i].value = dim3_tuple(f, &arg);
        else if (value)
            stmt->print.items[i].value = arg.value;
        else
            return call_refuse(f, call, i, "numbers, tuples and strings");
    }
    emit(f, stmt);
    return operand_value(ir_value(f->arena, OP_zero, type_none, call->span, 0));
}

/* np.finfo(float32).eps, np.iinfo(int16).max: constants. Those of floats are of the type they tell
** of, those of integers of the type that a literal has, as they are Python's integers in NumPy. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

/* np.finfo(type or value), np.iinfo(type or value) */
Operand lower_limits(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    bool floats = call->intrinsic == INTR_finfo;
    Operand arg = call->args[0];
    const Type *type = arg.kind == OPD_TYPE    ? arg.type
                       : arg.kind == OPD_VALUE ? arg.value->type
                                               : type_none;
    if (arg.kind == OPD_INTRINSIC && arg.intrinsic == (floats ? INTR_float_ : INTR_int_))
        type = floats ? type_float64 : type_int64;
    if (floats && type_is_complex(type))
        type = type_complex_part(type);
    if (floats ? type_is_float(type) : type_is_integer(type))
        return (Operand){ .kind = OPD_LIMITS, .span = call->span, .type = type };
    if (arg.kind != OPD_ERROR && type->kind != TY_ERROR)
        fail(f, arg.span, "%s takes %s, and this is %s", call->name,
             floats ? "a type of floats" : "a type of integers", describe(f, arg));
    return operand_error(call->span);
}

Operand limits_attribute(FnState *f, const Operand *limits, const AstExpr *expr)
{
    const char *name = expr->attribute.name;
    const Type *type = limits->type;
    bool most = strcmp(name, "max") == 0, floats = type_is_float(type);
    if (strcmp(name, "bits") == 0)
        return operand_value(
            ir_integer(f->arena, type_int64, 8 * (int)type_size(type), expr->span));
    if (strcmp(name, "dtype") == 0)
        return (Operand){ .kind = OPD_TYPE, .span = expr->span, .type = type };
    double number;
    if (floats && type_float_limit(type, name, &number))
        return operand_value(ir_number(f->arena, type, number, expr->span));
    if (!floats && (most || strcmp(name, "min") == 0))
        return operand_value(ir_integer(f->arena, most && type == type_uint64 ? type : type_int64,
                                        type_integer_limit(type, most), expr->span));
    return fail_operand(
        f, expr->attribute.name_span, "%s have %s", describe(f, *limits),
        floats ? "bits, dtype, eps, epsneg, max, min, tiny, smallest_normal and smallest_subnormal"
               : "bits, dtype, max and min");
}

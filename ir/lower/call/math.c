/* The functions of math, and those of bits, by the types that numba has for them. */
#include "ir/lower/builtin.h"

#include <math.h>

/* ---- bits ------------------------------------------------------------------------------------ */

Operand lower_bits(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0);
    if (value->type->kind == TY_BOOL)
        value = cast(f, type_of(INT8), value);
    if (!type_is_integer(value->type))
        return call_refuse(f, call, 0, "an integer");
    if (call->intrinsic == INTR_brev)
        value = cast(f, type_size(value->type) == 8 ? type_uint64 : type_uint32, value);
    if (call->intrinsic == INTR_ffs && type_size(value->type) < 4)
        value = cast(f, type_is_signed(value->type) ? type_int32 : type_uint32, value);
    return call_intrinsic(f, call, call->intrinsic == INTR_ffs ? type_uint32 : value->type, value,
                          NULL, NULL);
}

/* cuda.selp(c, a, b): both are computed, and no branch chooses. As an intrinsic: a, b, c. */
Operand lower_selp(FnState *f, const Call *call)
{
    IrValue *condition = call_value(f, call, 0);
    IrValue *a = call_value(f, call, 1), *b = call_value(f, call, 2);
    if (is_poison(condition) || is_poison(a) || is_poison(b))
        return call_poison(f, call);
    const Type *type = lower_common(f, a, b);
    if (!type || !type_is_scalar(type))
        return call_refuse(f, call, 2, "two numbers of one type");
    return call_intrinsic(f, call, type, convert(f, a, type, call->span),
                          convert(f, b, type, call->span), lower_truth(f, condition, call->span));
}

/* ---- mathematics ----------------------------------------------------------------------------- */

/* The float type that a math function works in for an argument; NULL if it takes no such thing. */
static const Type *math_type(const Type *type)
{
    if (!type_is_scalar(type) || !type_is_real(type))
        return NULL;
    if (type_is_float(type))
        return type_size(type) == 2 ? type_float32 : type;
    return type_float64;
}

/* The functions that numba has for a half float give one; the others work in float32. */
static bool has_half_form(IrIntrinsic intrinsic, const Type *type)
{
    static const IrIntrinsic halves[] = { INTR_trunc, INTR_ceil,  INTR_floor, INTR_sqrt,
                                          INTR_log,   INTR_log10, INTR_exp,   INTR_exp2,
                                          INTR_tanh,  INTR_cos,   INTR_sin };
    if (intrinsic == INTR_log2 || intrinsic == INTR_fabs)
        return type->kind == TY_FLOAT16;
    for (size_t i = 0; i < ARRAY_COUNT(halves); i++)
        if (halves[i] == intrinsic)
            return true;
    return false;
}

static Operand lower_math1_of(FnState *f, const Call *call, int index)
{
    IrValue *value = call_value(f, call, index);
    const Type *type =
        call->intrinsic == INTR_cbrt ? typing_float(value->type) : math_type(value->type);
    if (!type)
        return call_refuse(f, call, index, "a real number");
    IrValue *argument = cast(f, type, value);
    if (f->constant_only && ir_is_constant(argument))
        return operand_value(constant_math(f, call, type, argument->constant.number, NULL));
    IrValue *result = call_intrinsic(f, call, type, argument, NULL, NULL).value;
    bool half = type_is_float(value->type) && type_size(value->type) == 2;
    return operand_value(half && has_half_form(call->intrinsic, value->type)
                             ? cast(f, value->type, result)
                             : result);
}

/* math.sqrt(x); math.log(x[, base]) */
Operand lower_math1(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, call->intrinsic == INTR_log ? 2 : 1))
        return call_poison(f, call);
    Operand first = lower_math1_of(f, call, 0);
    if (call->count == 1 || first.kind != OPD_VALUE || is_poison(first.value))
        return first;
    Operand base = lower_math1_of(f, call, 1);
    if (base.kind != OPD_VALUE || is_poison(base.value))
        return base;
    return operand_value(lower_binary(f, AST_DIV, first.value, base.value, call->span));
}

/* A function of two of the arguments' values. */
static Operand math2_of(FnState *f, const Call *call, IrValue *a, IrValue *b)
{
    const Type *ta = typing_float(a->type), *tb = typing_float(b->type);
    bool integers = !type_is_float(a->type) && !type_is_float(b->type);
    bool has_integer_form = call->intrinsic == INTR_atan2 || call->intrinsic == INTR_hypot;
    bool by_power =
        b->type->kind == TY_INT32 || (b->type->kind == TY_UINT16 && a->type->kind == TY_FLOAT32);
    if (call->intrinsic == INTR_math_pow && by_power) { /* numba's powi */
        IrValue *power = ir_value(f->arena, OP_pow, ta, call->span, 2);
        power->operands[0] = cast(f, ta, a);
        power->operands[1] = cast(f, type_int64, b);
        return operand_value(power);
    }
    const Type *type = ta == type_float32 && tb == type_float32 && !(integers && has_integer_form)
                           ? type_float32
                           : type_float64;
    if (is_nep50(f) && !integers && nep50_common(f, a, b) == type_float32)
        type = type_float32;
    remark_meeting(f, a, b, type);
    a = cast(f, type, a);
    b = cast(f, type, b);
    if (f->constant_only && ir_is_constant(a) && ir_is_constant(b))
        return operand_value(constant_math(f, call, type, a->constant.number, &b->constant.number));
    return call_intrinsic(f, call, type, a, b, NULL);
}

/* math.pow(x, y) and its kin; math.hypot takes any number of coordinates, two by two. */
Operand lower_math2(FnState *f, const Call *call)
{
    bool any = call->intrinsic == INTR_hypot;
    if (!call_takes(f, call, any ? 1 : 2, any ? ANY_COUNT : 2))
        return call_poison(f, call);
    for (int i = 0; i < call->count; i++)
        if (!typing_float(call_value(f, call, i)->type))
            return call_refuse(f, call, i, "real numbers");
    IrValue *first = call_value(f, call, 0);
    if (call->count == 1)
        return math2_of(f, call, first,
                        first->type == type_float32
                            ? ir_number(f->arena, type_float32, 0, call->span)
                            : ir_integer(f->arena, type_int64, 0, call->span));
    Operand result = math2_of(f, call, first, call_value(f, call, 1));
    for (int i = 2; i < call->count; i++)
        result = math2_of(f, call, result.value, call_value(f, call, i));
    return result;
}

Operand lower_math_test(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0);
    const Type *type = math_type(value->type);
    if (!type)
        return call_refuse(f, call, 0, "a real number");
    if (!type_is_float(value->type)) /* integers are finite */
        return operand_value(
            ir_integer(f->arena, type_bool, call->intrinsic == INTR_isfinite, call->span));
    if (f->constant_only && ir_is_constant(value)) {
        double x = value->constant.number;
        bool holds = call->intrinsic == INTR_isnan   ? isnan(x)
                     : call->intrinsic == INTR_isinf ? isinf(x)
                                                     : isfinite(x);
        return operand_value(ir_integer(f->arena, type_bool, holds, call->span));
    }
    return call_intrinsic(f, call, type_bool, cast(f, type, value), NULL, NULL);
}

Operand lower_ldexp(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0), *exponent = call_value(f, call, 1);
    const Type *type = typing_float(value->type);
    if (!type)
        return call_refuse(f, call, 0, "a real number");
    if (!type_is_scalar(exponent->type) || !type_is_real(exponent->type))
        return call_refuse(f, call, 1, "an integer exponent");
    return call_intrinsic(f, call, type, cast(f, type, value), cast(f, type_int32, exponent), NULL);
}

Operand lower_split_float(FnState *f, const Call *call)
{
    bool exponent = call->intrinsic == INTR_frexp;
    IrValue *value = call_value(f, call, 0);
    const Type *type = exponent ? typing_float(value->type) : math_type(value->type);
    if (!type)
        return call_refuse(f, call, 0, "a real number");
    const Type *items[] = { type, exponent ? type_int32 : type };
    return call_intrinsic(f, call, type_tuple(f->types, items, 2), cast(f, type, value), NULL,
                          NULL);
}

Operand lower_fma(FnState *f, const Call *call)
{
    IrValue *values[3];
    const Type *type = type_float32;
    for (int i = 0; i < 3; i++) {
        values[i] = call_value(f, call, i);
        const Type *own = typing_float(values[i]->type);
        if (!own)
            return call_refuse(f, call, i, "real numbers");
        type = own == type_float64 ? own : type;
    }
    return call_intrinsic(f, call, type, cast(f, type, values[0]), cast(f, type, values[1]),
                          cast(f, type, values[2]));
}

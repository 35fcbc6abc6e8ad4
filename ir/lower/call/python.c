/* Python's own functions of numbers: abs, min and max, round, int and float, divmod, pow, type. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <math.h>

Operand lower_abs(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0);
    const Type *type = value->type;
    if (type->kind == TY_TIMEDELTA)
        return operand_value(time_abs(f, value, call->span));
    if (!type_is_scalar(type))
        return call_refuse(f, call, 0, "a number");
    if (type->kind == TY_BOOL)
        return operand_value(cast(f, type_of(INT8), value));
    if (type_is_unsigned(type))
        return operand_value(value);
    if (type_size(type) == 2 && type_is_float(type))
        return operand_value(cast(
            f, type,
            call_intrinsic(f, call, type_float32, cast(f, type_float32, value), NULL, NULL).value));
    if (ir_is_constant(value) && type_is_integer(type))
        return operand_value(
            ir_integer(f->arena, type, llabs(value->constant.integer), call->span));
    if (ir_is_constant(value) && type_is_float(type))
        return operand_value(ir_number(f->arena, type, fabs(value->constant.number), call->span));
    if (f->constant_only && ir_is_constant(value) && type_is_complex(type))
        return operand_value(ir_number(
            f->arena, type_complex_part(type),
            hypot(value->constant.complex.real, value->constant.complex.imag), call->span));
    return call_intrinsic(f, call, type_is_complex(type) ? type_complex_part(type) : type, value,
                          NULL, NULL);
}

/* Whether numba takes fmin and fmax of two, which see NaN as missing. */
static bool ignores_nan(FnState *f, const Call *call)
{
    for (int i = 0; i < call->count; i++) {
        const Type *type = call_value(f, call, i)->type;
        if (!type_is_float(type) || type_size(type) < 4)
            return false;
    }
    return call->count == 2 && !f->constant_only;
}

/* The smaller or greater of two of one type. Without `ignores_nan` it is as Python has it: the
 * first unless the other is beyond it, which NaN and NaT never are. */
static IrValue *pick(FnState *f, const Call *call, IrValue *first, IrValue *other, bool ignores_nan)
{
    AstOp op = call->intrinsic == INTR_min ? AST_LT : AST_GT;
    bool is_known = ir_is_constant(first) && ir_is_constant(other);
    if (ignores_nan && is_known && ir_is_constant(first) && isnan(first->constant.number))
        return other;
    if (!is_known && (ignores_nan || !(type_is_float(first->type) || type_is_time(first->type))))
        return ir_intrinsic(f->arena, call->intrinsic, first->type, call->span, first, other, NULL);
    first = lower_stable(f, first, "_first");
    other = lower_stable(f, other, "_other");
    return ir_select(f->arena, compare_values(f, op, other, first, call->span), other, first,
                     call->span);
}

/* Booleans go with booleans only, as numba has it. */
static Operand refuse_mixed(FnState *f, const Call *call, int index, const IrValue *before)
{
    bool is_bool = call_value(f, call, index)->type->kind == TY_BOOL;
    Span span = call->args[is_bool ? index : 0].span;

    fail(f, call->args[index].span, "%s takes booleans or numbers, not both: %s and %s", call->name,
         type_name(f->arena, before->type), type_name(f->arena, call_value(f, call, index)->type));
    diag_note(f->lower->diags, span, "int(...) makes a number of a boolean");
    return call_poison(f, call);
}

Operand lower_minmax(FnState *f, const Call *whole)
{
    Call call = call_spread(f, whole, "_tuple");
    bool tuple_given = call.args != whole->args;
    const Operand *only = call.count == 1 ? call.args : NULL;
    if (only && only->kind == OPD_ERROR)
        return *only;
    bool is_range = only && only->kind == OPD_RANGE;
    if (is_range)
        call.args[0] = thing_settled(f, *only);
    if (is_range || (only && only->kind == OPD_VALUE && type_is_array(only->value->type)))
        return lower_library_call(f, call.expr, call.intrinsic == INTR_min ? "_min" : "_max",
                                  call.args, 1);
    if (!call_takes(f, &call, tuple_given ? 1 : 2, ANY_COUNT))
        return call_poison(f, &call);
    bool of_two_floats = !tuple_given && ignores_nan(f, &call);
    IrValue *result = NULL;
    for (int i = 0; i < call.count; i++) {
        IrValue *value = call_value(f, &call, i);
        if (is_poison(value))
            return call_poison(f, &call);
        if (type_is_time(value->type) && (!result || result->type == value->type)) {
            result = result ? pick(f, &call, result, value, false) : value;
            continue;
        }
        if (!type_is_scalar(value->type) || !type_is_real(value->type))
            return call_refuse(f, &call, i, "integers and floats");
        if (result && (value->type->kind == TY_BOOL) != (result->type->kind == TY_BOOL))
            return refuse_mixed(f, &call, i, result);
        if (!result) {
            result = value;
            continue;
        }
        const Type *type =
            is_nep50(f) ? nep50_common(f, result, value) : lower_common(f, result, value);
        result = pick(f, &call, cast(f, type, result), cast(f, type, value), of_two_floats);
    }
    return operand_value(result);
}

Operand lower_round(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0);
    const Type *type = typing_float(value->type);
    if (!type)
        return call_refuse(f, call, 0, "a real number");
    IrValue *known = lower_constant_round(
        f, value, call->count == 2 ? call_value(f, call, 1) : NULL, call->span);
    if (known)
        return operand_value(known);
    if (call->count == 2) {
        IrValue *digits = call_value(f, call, 1);
        if (!type_is_integer(digits->type) && digits->type->kind != TY_BOOL)
            return call_refuse(f, call, 1, "a number of digits, an integer");
        IrValue *result = ir_intrinsic(f->arena, INTR_round_digits, type, call->span,
                                       cast(f, type, value), cast(f, type_int64, digits), NULL);
        return operand_value(result);
    }
    if (!type_is_float(value->type))
        return operand_value(cast(f, type_int64, value));
    return call_intrinsic(f, call, type_int64, cast(f, type, value), NULL, NULL);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* float("nan"), float("-inf"), float("1e3") */
static Operand lower_float_of_text(FnState *f, const Call *call)
{
    Operand text = call->args[0];
    double number;
    const char *wrong = float_of_text(f->arena, text.string.text, text.string.length, &number);
    if (!wrong)
        return operand_value(ir_number(f->arena, type_float64, number, call->span));
    return operand_value(fail_value(f, text.span, "this text is no number for float(): %s", wrong));
}

/* bool(x), int(x), float(x), complex(re, im) */
Operand lower_conversion(FnState *f, const Call *call)
{
    bool complex = call->intrinsic == INTR_complex_;
    if (!call_takes(f, call, 1, complex ? 2 : 1))
        return call_poison(f, call);
    if (call->intrinsic == INTR_float_ && call->args[0].kind == OPD_STRING)
        return lower_float_of_text(f, call);
    if (call->intrinsic == INTR_bool_ && call->args[0].kind == OPD_STRING)
        return operand_value(
            ir_integer(f->arena, type_bool, call->args[0].string.length > 0, call->span));
    IrValue *value = call_value(f, call, 0);
    const Type *type = value->type;
    if (is_poison(value))
        return call_poison(f, call);
    if (call->intrinsic == INTR_bool_)
        return operand_value(lower_truth(f, value, call->span));
    if (type_is_time(type) && call->intrinsic == INTR_int_)
        return operand_value(ir_item(f->arena, value, 0, call->span));
    if (!type_is_scalar(type) || (!complex && type_is_complex(type)))
        return call_refuse(f, call, 0, "a real number");
    if (call->intrinsic == INTR_int_)
        return operand_value(type_is_integer(type) ? value : cast(f, type_int64, value));
    if (call->intrinsic == INTR_float_)
        return operand_value(type_is_float(type) ? value : cast(f, type_float64, value));
    IrValue *imaginary = call->count == 2 ? call_value(f, call, 1) : NULL;
    if (type_is_complex(type) || (imaginary && !type_is_real(imaginary->type)))
        return call->count == 1 ? operand_value(cast(f, type_of(COMPLEX128), value))
                                : call_refuse(f, call, 1, "real parts");
    bool single = type->kind == TY_FLOAT32 && (!imaginary || imaginary->type->kind == TY_FLOAT32);
    const Type *result = single ? type_of(COMPLEX64) : type_of(COMPLEX128);
    const Type *part = type_complex_part(result);
    return operand_value(
        ir_complex(f->arena, result, cast(f, part, value),
                   imaginary ? cast(f, part, imaginary) : ir_number(f->arena, part, 0, call->span),
                   call->span));
}

/* type(x) */
Operand lower_type_of(FnState *f, const Call *call)
{
    const Type *type = call_value(f, call, 0)->type;
    if (!type_is_scalar(type))
        return call_refuse(f, call, 0, "numbers");
    return (Operand){ .kind = OPD_TYPE, .span = call->span, .type = type };
}

/* ---- divmod and pow -------------------------------------------------------------------------- */

/* divmod of integers is typed by itself, not as // and %: both operands become the least of int64,
** uint64 and float64 that numba's conversions lead to. */
static const Type *divmod_type(const Type *a, const Type *b)
{
    const Type *types[] = { a, b };
    bool is_signed = false, is_unsigned = false, is_wide = false;
    for (int i = 0; i < 2; i++) {
        if (!type_is_integer(types[i]) && types[i]->kind != TY_BOOL)
            return NULL;
        is_signed |= type_is_signed(types[i]);
        is_unsigned |= type_is_unsigned(types[i]);
        is_wide |= types[i]->kind == TY_UINT64;
    }
    return is_signed && is_wide        ? type_float64
           : is_unsigned && !is_signed ? type_uint64
                                       : type_int64;
}

Operand lower_divmod(FnState *f, const Call *call)
{
    IrValue *a = lower_stable(f, call_value(f, call, 0), "_a");
    IrValue *b = lower_stable(f, call_value(f, call, 1), "_b");
    const Type *common = is_nep50(f) ? NULL : divmod_type(a->type, b->type);
    if (common) {
        a = cast(f, common, a);
        b = cast(f, common, b);
    }
    IrValue *quotient = lower_binary(f, AST_FLOORDIV, a, b, call->span);
    IrValue *rest = is_poison(quotient) ? quotient : lower_binary(f, AST_MOD, a, b, call->span);
    if (is_poison(rest))
        return call_poison(f, call);
    const Type *types[] = { quotient->type, rest->type };
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, 2), call->span, 2);
    tuple->operands[0] = quotient;
    tuple->operands[1] = rest;
    return operand_value(tuple);
}

Operand lower_pow(FnState *f, const Call *call)
{
    return operand_value(
        lower_binary(f, AST_POW, call_value(f, call, 0), call_value(f, call, 1), call->span));
}

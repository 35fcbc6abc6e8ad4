/* What stdlib/numpy/numpy.k builds NumPy's functions with: the types that numba's ufuncs compute
** in, and a way to refuse an argument in words. No user's name; kernels reach them through that
** module. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

static const Type *argument_type(FnState *f, const Call *call, int index)
{
    Operand arg = call->args[index];
    if (arg.kind != OPD_VALUE) {
        if (arg.kind != OPD_ERROR)
            fail(f, arg.span, "this takes numbers, and not %s", describe(f, arg));
        return type_error;
    }
    const Type *type = call_value(f, call, index)->type;
    if (type->kind == TY_ERROR || type_is_scalar(type))
        return type;
    fail(f, call->args[index].span,
         "this takes numbers; for whole arrays give an array to write to as the last argument");
    return type_error;
}

/* What two operands are computed in; NULL if the function does not take them. */
static const Type *ufunc_type(IrIntrinsic intrinsic, const Type *a, const Type *b)
{
    const Type *type = typing_ufunc(a, b);
    bool bools = type->kind == TY_BOOL, whole = bools || type_is_integer(type);
    switch ((int)intrinsic) {
    case INTR_ufunc_floating:
        return typing_ufunc_float(a, b);
    case INTR_ufunc_whole:
        return bools ? type_of(INT8) : type_is_complex(type) ? NULL : type;
    case INTR_ufunc_integers:
        return bools ? type_of(INT8) : whole ? type : NULL;
    case INTR_ufunc_bits:
        return whole ? type : NULL;
    default:
        return type;
    }
}

/* What the function takes, where that is less than numbers. */
static const char *kind_wanted(IrIntrinsic intrinsic)
{
    switch ((int)intrinsic) {
    case INTR_ufunc_integers:
        return "integers";
    case INTR_ufunc_bits:
        return "integers and bools";
    case INTR_ufunc_whole:
        return "real numbers";
    default:
        return "numbers of other types";
    }
}

/* np._common(a[, b]); np._floating: in floats at least; np._whole: bools as int8, nothing complex;
** np._integers: these alone, bools as int8; np._bits: integers and bools. */
Operand lower_ufunc_type(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 2))
        return operand_error(call->span);
    const Type *left = argument_type(f, call, 0);
    const Type *right = call->count == 2 ? argument_type(f, call, 1) : left;
    if (left->kind == TY_ERROR || right->kind == TY_ERROR)
        return operand_error(call->span);
    const Type *type = ufunc_type(call->intrinsic, left, right);
    if (type)
        return (Operand){ .kind = OPD_TYPE, .span = call->span, .type = type };
    const char *wanted = kind_wanted(call->intrinsic);
    if (left == right)
        fail(f, call->span, "this takes %s, and not %s", wanted, type_name(f->arena, left));
    else
        fail(f, call->span, "this takes %s, and not %s and %s", wanted, type_name(f->arena, left),
             type_name(f->arena, right));
    return operand_error(call->span);
}

/* np._known(value, what): a number that must be known while compiling */
Operand lower_known(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return operand_error(call->span);
    IrValue *value = call_value(f, call, 0), *known = literal_value(f, value);
    if (known || is_poison(value))
        return operand_value(known ? known : value);
    return fail_operand(f, call->span, "%s must be known when the kernel is compiled",
                        call->args[1].string.text);
}

/* np._refuse("why", ...): the texts in a row. np._refuse_this(argument, "what is wanted", ...) says
** as well what is there in place of it. */
Operand lower_refuse(FnState *f, const Call *call)
{
    bool this = call->intrinsic == INTR_ufunc_refuse_this;
    if (!call_takes(f, call, 1 + this, ANY_COUNT))
        return operand_error(call->span);
    Buf text = buf_in(f->arena);
    for (int i = this; i < call->count; i++)
        if (call->args[i].kind == OPD_STRING)
            buf_puts(&text, call->args[i].string.text);
    if (this)
        buf_printf(&text, ", and this is %s", describe(f, call->args[0]));
    return fail_operand(f, call->span, "%s", buf_text(&text));
}

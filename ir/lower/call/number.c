/* Methods of numbers: item, conjugate, bit_count, view. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

static Operand conjugate(FnState *f, IrValue *value, Span span)
{
    if (!type_is_complex(value->type))
        return operand_value(value);
    const Type *part = type_complex_part(value->type);
    IrValue *whole = ir_value(f->arena, OP_complex, value->type, span, 2);
    value = lower_stable(f, value, "_z");
    for (int i = 0; i < 2; i++) {
        whole->operands[i] = ir_value(f->arena, i ? OP_imag : OP_real, part, span, 1);
        whole->operands[i]->operands[0] = value;
    }
    whole->operands[1] = ir_unary(f->arena, OP_neg, whole->operands[1], span);
    return operand_value(whole);
}

/* x.bit_count(): as numba has it, of the two's complement. */
static Operand bit_count(FnState *f, const Call *call, IrValue *value)
{
    if (type_is_integer(value->type))
        return operand_value(
            ir_intrinsic(f->arena, INTR_popc, value->type, call->span, value, NULL, NULL));
    return fail_operand(f, call->span, "%s has no bits to count",
                        describe(f, operand_value(value)));
}

/* x.view(dtype): the same bits. */
static Operand view(FnState *f, const Call *call, IrValue *value)
{
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    const Type *type = call->args[0].kind == OPD_TYPE ? call->args[0].type : NULL;
    bool real = type && type_is_real(type) && type_is_real(value->type) && type->kind != TY_BOOL &&
                value->type->kind != TY_BOOL;
    if (!real || type_size(type) != type_size(value->type))
        return fail_operand(f, call->span, "view takes a type of %d bytes, as %s has",
                            (int)type_size(value->type), type_name(f->arena, value->type));
    if (type == value->type)
        return operand_value(value);
    IrValue *bits = ir_value(f->arena, OP_bits, type, call->span, 1);
    bits->operands[0] = value;
    return operand_value(array_read(f, bits));
}

Operand lower_number_method(FnState *f, const Call *call, IrValue *object, const char *name)
{
    if (strcmp(name, "view") == 0)
        return view(f, call, object);
    bool known = strcmp(name, "item") == 0 || strcmp(name, "conjugate") == 0 ||
                 strcmp(name, "conj") == 0 || strcmp(name, "bit_count") == 0;
    if (!known)
        return fail_operand(f, call->span,
                            "%s has no method '%s'; it has item, conjugate, bit_count and view",
                            describe(f, operand_value(object)), name);
    if (!call_takes(f, call, 0, 0))
        return operand_error(call->span);
    if (strcmp(name, "item") == 0)
        return operand_value(object);
    return strcmp(name, "bit_count") == 0 ? bit_count(f, call, object)
                                          : conjugate(f, object, call->span);
}

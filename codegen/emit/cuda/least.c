/* DIALECT_CUDA: the least number of a type, which is its own negative and absolute value.
**
** LLVM makes an abs of what chooses between a number and its negative, in as few bits as the result
** needs, and ptxas 13.0 takes no result of an abs to be negative. So a negative that may be the
** least number is computed of a number that is hidden (operator.c), and one that only becomes it
** when it is cut to 32 bits is hidden before (cast.c); wrapping_abs() and cut() of the prelude do
** the same for abs() and for 16 bits.
**
** And negatives of 32 bits or fewer: for sm_90 on ptxas 13.0 makes one VIMNMX3 of a signed
** minimum, or maximum, of three, and forgets the sign of an operand that is a negative. It does not
** recognise one that was computed in 64 bits (negated() of the prelude), which costs nothing. Those
** that NVVM makes itself, as of ~x + 1, are found in its PTX (runtime/cuda/negatives.c). */
#include "codegen/emit/emit.h"

/* -1, or the number of an unsigned type that it becomes. */
static bool is_minus_one(const IrValue *value)
{
    return ir_is_integer(value, -1) ||
           (value->type == type_uint32 && ir_is_integer(value, UINT32_MAX));
}

const IrValue *negated_value(const IrValue *value)
{
    IrValue **at = value->operands;

    switch ((int)value->op) {
    case OP_neg:
        return at[0];
    case OP_sub:
        return ir_is_integer(at[0], 0) ? at[1] : NULL;
    case OP_mul:
        return is_minus_one(at[1]) ? at[0] : is_minus_one(at[0]) ? at[1] : NULL;
    default:
        return NULL;
    }
}

/* Looks at each variable once for one question, whatever leads to it. */
static bool may_be(const Emitter *e, const IrValue *value)
{
    bool chooses = value->op == OP_select || value->op == OP_cast;

    if (!type_is_integer(value->type))
        return false;
    if (ir_is_intrinsic(value, INTR_abs))
        return true;
    if (value->op == OP_intrinsic)
        chooses = value->intrinsic == INTR_min || value->intrinsic == INTR_max ||
                  value->intrinsic == INTR_selp;
    if (negated_value(value))
        return true;
    for (int i = 0; chooses && i < value->count; i++)
        if (may_be(e, value->operands[i]))
            return true;
    if (value->op != OP_var || e->vars[value->var->id].question == e->question)
        return false;
    e->vars[value->var->id].question = e->question;
    for (const IrSetStmt *set = magnitude_sets(e->magnitude, value->var); set; set = set->next)
        if (set->stmt->kind == IR_SET && may_be(e, set->stmt->set.value))
            return true;
    return false;
}

bool may_be_negated(Emitter *e, const IrValue *value)
{
    e->question++;
    return e->dialect == DIALECT_CUDA && may_be(e, value);
}

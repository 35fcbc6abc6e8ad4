/* DIALECT_CUDA: comparisons of floats that choose between zeros.
**
** NVVM makes min.f64 of `x < y ? x : y`, and of branches that do the same, where it knows that one
** of the two is no NaN: a constant, or what is made of integers alone. Of -0.0 and 0.0 a minimum is
** -0.0, whichever the comparison chooses. Likewise with maxima. Of <= and >= it makes none. */
#include "codegen/emit/emit.h"
#include "ir/clone.h"

#include <math.h>

static bool compares_floats(const IrValue *value)
{
    return (value->op == OP_lt || value->op == OP_gt) && type_is_float(value->operands[0]->type);
}

/* The operand of a comparison of floats that is 0.0 and bounds the other from above, or is -0.0 and
** bounds it from below; or -1. */
static int bounding_zero(const IrValue *value)
{
    if (!compares_floats(value))
        return -1;
    for (int i = 0; i < 2; i++) {
        const IrValue *zero = value->operands[i];
        bool is_upper = (value->op == OP_lt) == (i == 1);

        if (zero->op == OP_constant && zero->constant.number == 0 &&
            is_upper == !signbit(zero->constant.number))
            return i;
    }
    return -1;
}

/* What a zero that is hidden is compared with stays a float32 if it is one: NVVM would see that of
** a zero that it knows. */
static void take_float32(IrValue *comparison, int zero)
{
    const IrValue *cast = comparison->operands[!zero];
    if (cast->op != OP_cast || cast->type != type_float64 ||
        cast->operands[0]->type != type_float32)
        return;
    comparison->operands[!zero] = cast->operands[0];
    comparison->operands[zero]->type = type_float32;
}

/* NVVM makes `min.f64 x, 0.0` of `x < 0.0 ? x : 0.0` and of branches that do the same: for -0.0 it
** gives -0.0, where the comparison chooses 0.0. It leaves alone what compares with a zero of the
** other sign than the chosen one has, which is the same comparison. Likewise x > -0.0. */
const IrValue *against_other_zero(Emitter *e, const IrValue *value)
{
    int zero = e->dialect == DIALECT_CUDA ? bounding_zero(value) : -1;

    if (zero < 0)
        return value;
    IrValue *same = ir_copy_value(e->arena, value);
    same->operands[zero]->constant.number = -same->operands[zero]->constant.number;
    take_float32(same, zero);
    return same;
}

/* Whether a float is computed of floats from memory, or of a kernel's arguments: of others NVVM may
** know that they are no NaN. What functions get and give it sees when it inlines them. */
static bool reads_floats(Emitter *e, const IrValue *value)
{
    if (!type_is_float(value->type) || value->op == OP_constant || value->op == OP_call)
        return false;
    if (value->op == OP_load)
        return true;
    if (value->op != OP_var) {
        for (int i = 0; i < value->count; i++)
            if (reads_floats(e, value->operands[i]))
                return true;
        return false;
    }
    if (value->var->kind == VAR_PARAM)
        return e->fn->kernel;
    if (e->vars[value->var->id].question == e->question)
        return false;
    e->vars[value->var->id].question = e->question;
    for (const IrSetStmt *set = magnitude_sets(e->magnitude, value->var); set; set = set->next)
        if (set->stmt->kind == IR_SET && reads_floats(e, set->stmt->set.value))
            return true;
    return false;
}

static bool is_zero_without_nan(Emitter *e, const IrValue *value)
{
    e->question++;
    return value->op == OP_constant ? value->constant.number == 0 : !reads_floats(e, value);
}

/* Of a variable each value that it is given counts for itself: a loop's first iteration may be
** compiled apart. */
static bool may_lack_nan(Emitter *e, const IrValue *value)
{
    if (value->op != OP_var || value->var->kind == VAR_PARAM)
        return is_zero_without_nan(e, value);
    for (const IrSetStmt *set = magnitude_sets(e->magnitude, value->var); set; set = set->next)
        if (set->stmt->kind == IR_SET && is_zero_without_nan(e, set->stmt->set.value))
            return true;
    return false;
}

int side_without_nan(Emitter *e, const IrValue *value)
{
    if (e->dialect != DIALECT_CUDA || !compares_floats(value) ||
        value->operands[0]->op == OP_constant || value->operands[1]->op == OP_constant)
        return -1;
    for (int i = 0; i < 2; i++)
        if (may_lack_nan(e, value->operands[i]))
            return i;
    return -1;
}

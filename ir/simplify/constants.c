/* Puts extents and scalars that a kernel has in launch after launch in place of its parameters:
**
**     for k in 0 to extent(a, 1) by 1          becomes      for k in 0 to 512 by 1
**
** Legal for a variant that serves launches with just these values; that is seen to at the launch.
** It pays where loops unroll, strides become part of addresses and guards disappear: whether it
** does is measured, and the variant used only if so (runtime/launch/hot.c). */
#include "ir/optimise.h"

typedef struct Constants {
    IrUnit *unit;
    const int64_t *values;
    int *first; /* by parameter: the number of its first value */
} Constants;

/* How many values a parameter has. */
static int count_values(const Type *type)
{
    if (type_is_array(type))
        return type->array.rank;
    return type_is_real(type);
}

/* Strides follow from extents, and are nowhere said. */
static void fix_shapes(const Constants *c, IrFunc *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (type_is_array(fn->vars[i]->type))
            fn->vars[i]->shape = c->values + c->first[i];
}

static IrValue *scalar(const Constants *c, const IrVar *param, Span span)
{
    int64_t bits = c->values[c->first[param->param]];
    double number;
    if (!type_is_float(param->type))
        return ir_integer(c->unit->arena, param->type, bits, span);
    memcpy(&number, &bits, sizeof number);
    return ir_number(c->unit->arena, param->type, number, span);
}

static void replace(void *context, IrValue **slot)
{
    Constants *c = context;
    IrValue *value = *slot;
    if (value->op == OP_extent) {
        int param = ir_array_param(value->operands[0]);
        if (param >= 0)
            *slot = ir_integer(c->unit->arena, value->type,
                               c->values[c->first[param] + value->index], value->span);
        return;
    }
    if (value->op == OP_var && value->var->kind == VAR_PARAM && type_is_real(value->type))
        *slot = scalar(c, value->var, value->span);
    for (int i = 0; i < value->count; i++)
        replace(c, &value->operands[i]);
}

void ir_constants(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Constants c = { .unit = unit, .values = launch_values(unit->launch) };
    if (!c.values)
        return;
    c.first = arena_array(unit->arena, int, fn->param_count + 1);
    for (int i = 0, next = 0; i < fn->param_count; next += count_values(fn->vars[i++]->type))
        c.first[i] = next;
    ir_each_slot_in(&fn->body, replace, &c);
    fix_shapes(&c, fn);
    ir_forward(unit);
    ir_dce(unit);
    ir_remark(unit, fn->span, "the arrays' extents and the scalars are constants here");
}

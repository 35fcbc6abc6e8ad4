/* Puts extents and scalars that a kernel has in launch after launch in place of its parameters:
**
**     for k in 0 to extent(a, 1) by 1          becomes      for k in 0 to 512 by 1
**
** Legal for a variant that serves launches with just these values; that is seen to at the launch.
** It pays where loops unroll, strides become part of addresses and guards disappear: whether it
** does is measured, and the variant used only if so (runtime/launch/hot.c).
**
** How many elements a row of points, colours or boxes has is put in place in any launch, where it
** is one of few numbers (launch_width): that is the same from launch to launch, and pays always
** (the pass widths). */
#include "ir/optimise.h"

typedef struct Constants {
    IrUnit *unit;
    const int64_t *values; /* NULL: widths alone are known */
    int *first;            /* by parameter: the number of its first value; */
    int64_t *widths;       /* and how many elements its last axis has, 0: that is not known */
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

static bool is_known(const Constants *c, int param, int axis)
{
    int last = c->unit->kernel->vars[param]->type->array.rank - 1;
    return c->values || (axis == last && c->widths[param]);
}

static int64_t extent_of(const Constants *c, int param, int axis)
{
    return c->values ? c->values[c->first[param] + axis] : c->widths[param];
}

static void replace(void *context, IrValue **slot)
{
    Constants *c = context;
    IrValue *value = *slot;
    if (value->op == OP_extent) {
        int param = ir_array_param(value->operands[0]);
        if (param >= 0 && is_known(c, param, value->index))
            *slot = ir_integer(c->unit->arena, value->type, extent_of(c, param, value->index),
                               value->span);
        return;
    }
    if (c->values && value->op == OP_var && value->var->kind == VAR_PARAM &&
        type_is_real(value->type))
        *slot = scalar(c, value->var, value->span);
    for (int i = 0; i < value->count; i++)
        replace(c, &value->operands[i]);
}

/* Of arrays whose rows lie one behind the other. */
static bool find_widths(Constants *c)
{
    const IrFunc *fn = c->unit->kernel;
    bool any = false;
    for (int i = 0; i < fn->param_count; i++) {
        IrVar *var = fn->vars[i];
        int rank = type_is_array(var->type) ? var->type->array.rank : 0;
        if (rank < 2 || var->type->array.layout != LAYOUT_C || var->shape)
            continue;
        any |= (c->widths[i] = launch_width(c->unit->launch, i)) > 0;
        if (!c->widths[i])
            continue;
        int64_t *shape = arena_array(c->unit->arena, int64_t, rank);
        for (int axis = 0; axis < rank; axis++)
            shape[axis] = axis < rank - 1 ? EXTENT_UNKNOWN : c->widths[i];
        var->shape = shape;
    }
    return any;
}

static void put_in_place(Constants *c)
{
    IrFunc *fn = c->unit->kernel;
    for (int i = 0, next = 0; i < fn->param_count; next += count_values(fn->vars[i++]->type))
        c->first[i] = next;
    ir_each_slot_in(&fn->body, replace, c);
    if (c->values)
        fix_shapes(c, fn);
    ir_forward(c->unit);
    ir_dce(c->unit);
}

static Constants constants_of(IrUnit *unit)
{
    size_t count = (size_t)unit->kernel->param_count + 1;
    return (Constants){ .unit = unit,
                        .first = arena_array(unit->arena, int, count),
                        .widths = arena_array(unit->arena, int64_t, count) };
}

void ir_constants(IrUnit *unit)
{
    Constants c = constants_of(unit);
    c.values = launch_values(unit->launch);
    if (!c.values)
        return;
    put_in_place(&c);
    ir_remark(unit, unit->kernel->span, "the arrays' extents and the scalars are constants here");
}

void ir_widths(IrUnit *unit)
{
    Constants c = constants_of(unit);
    if (find_widths(&c))
        put_in_place(&c);
}

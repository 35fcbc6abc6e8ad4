/* What values come to in a launch: what it shows of arguments, indices in the middle of the grid,
** and what is computed of these. */
#include "ir/schedule/cost_value.h"

#include <math.h>

/* Set as those of cost.c. */
enum { SOME = 16 }; /* iterations of a loop that is not counted */

static double value_of(const CostWalk *w, const IrValue *value, int depth);

static double of_intrinsic(const CostWalk *w, const IrValue *value, int depth)
{
    int k = value->index < 3 ? value->index : 0;
    double a, b;
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return (w->block[k] - 1) / 2.0;
    case INTR_block_idx:
        return (w->grid[k] - 1) / 2.0;
    case INTR_block_dim:
        return w->block[k];
    case INTR_grid_dim:
        return w->grid[k];
    case INTR_grid:
        return ((double)w->grid[k] * w->block[k] - 1) / 2;
    case INTR_gridsize:
        return (double)w->grid[k] * w->block[k];
    case INTR_min:
    case INTR_max:
        a = value_of(w, value->operands[0], depth);
        b = value_of(w, value->operands[1], depth);
        if (isnan(a) || isnan(b))
            return NAN;
        return value->intrinsic == INTR_min ? (a < b ? a : b) : a > b ? a : b;
    default:
        return NAN;
    }
}

/* What a hidden parameter holds. */
static double of_hidden(const CostWalk *w, const IrVar *var)
{
    const IrHidden *hidden = ir_hidden_of(w->unit, var);
    if (!hidden || hidden->kind == HIDDEN_MAP)
        return NAN;
    double blocks = w->launch->grid[hidden->axis];
    return hidden->kind == HIDDEN_BLOCKS ? blocks : blocks * w->launch->block[hidden->axis];
}

double cost_launched(const CostWalk *w, const IrVar *param, int axis)
{
    const IrFacts *facts = w->launch->facts;
    int at = w->first_value[param->param] + (axis < 0 ? 0 : axis);
    if (!facts || !facts->values || w->first_value[param->param] < 0 || at >= facts->value_count)
        return NAN;
    if (axis < 0 && type_is_float(param->type))
        return NAN;
    return (double)facts->values[at];
}

double cost_array_bytes(const CostWalk *w, const IrVar *array)
{
    double bytes = (double)type_size(array->type->array.element);
    for (int k = 0; k < ir_given_axes(array); k++)
        bytes *= cost_launched(w, array, k);
    return bytes;
}

static double of_extent(const CostWalk *w, const IrValue *value)
{
    const IrVar *var = value->operands[0]->op == OP_var ? value->operands[0]->var : NULL;
    if (var && var->shape && var->shape[value->index] != EXTENT_UNKNOWN)
        return (double)var->shape[value->index];
    return var && var->kind == VAR_PARAM && !var->extents ? cost_launched(w, var, value->index)
                                                          : NAN;
}

/* A loop's counter, in the middle or at the end. */
static double of_counter(const CostWalk *w, const IrStmt *loop, int depth)
{
    double from = value_of(w, loop->for_.start, depth), to = value_of(w, loop->for_.stop, depth),
           by = value_of(w, loop->for_.step, depth), count = ceil((to - from) / by);
    return w->last ? from + (count - 1) * by : (from + to) / 2;
}

static double of_variable(const CostWalk *w, const IrVar *var, int depth)
{
    if (var->kind == VAR_PARAM && var->param < w->unit->kernel->param_count - w->unit->hidden_count)
        return cost_launched(w, var, -1);
    const IrStmt *loop = sets_loop(&w->sets, var);
    const IrValue *set = sets_value(&w->sets, var);
    if (loop)
        return of_counter(w, loop, depth);
    if (var->kind == VAR_PARAM)
        return of_hidden(w, var);
    return set ? value_of(w, set, depth) : w->held[var->id];
}

static double of_operation(IrOp op, double a, double b)
{
    switch ((int)op) {
    case OP_add:
        return a + b;
    case OP_sub:
        return a - b;
    case OP_mul:
        return a * b;
    case OP_div:
        return a / b;
    case OP_floordiv:
        return b != 0 ? floor(a / b) : NAN;
    case OP_shr:
        return floor(a / exp2(b));
    case OP_shl:
        return a * exp2(b);
    case OP_lt:
        return isnan(a) || isnan(b) ? NAN : a < b;
    default:
        return NAN;
    }
}

/* What a value is, for threads in the middle; NAN: it is not known. */
static double value_of(const CostWalk *w, const IrValue *value, int depth)
{
    enum { DEEP = 24 }; /* names that are looked through */
    if (++depth > DEEP)
        return NAN;
    if (ir_is_constant(value))
        return type_is_float(value->type) ? value->constant.number
                                          : (double)value->constant.integer;
    if (value->op == OP_var)
        return of_variable(w, value->var, depth);
    if (value->op == OP_cast)
        return value_of(w, value->operands[0], depth);
    if (value->op == OP_intrinsic)
        return of_intrinsic(w, value, depth);
    if (value->op == OP_select)
        return value_of(w, value->operands[value_of(w, value->operands[0], depth) == 0 ? 2 : 1],
                        depth);
    if (value->op == OP_extent)
        return of_extent(w, value);
    if (value->count != 2)
        return NAN;
    return of_operation(value->op, value_of(w, value->operands[0], depth),
                        value_of(w, value->operands[1], depth));
}

/* Whether a value is a thread's index in the grid, or its block's. */
static bool is_place(const CostWalk *w, const IrValue *value)
{
    while (value->op == OP_cast)
        value = value->operands[0];
    const IrValue *set = value->op == OP_var ? sets_value(&w->sets, value->var) : NULL;
    if (set)
        return is_place(w, set);
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_grid || value->intrinsic == INTR_block_idx);
}

double cost_number(const CostWalk *w, const IrValue *value)
{
    return value_of(w, value, 0);
}

double cost_iterations(const CostWalk *w, const IrStmt *loop)
{
    if (loop->kind != IR_FOR)
        return SOME;
    double from = cost_number(w, loop->for_.start), to = cost_number(w, loop->for_.stop),
           by = cost_number(w, loop->for_.step), count = (to - from) / by;
    if (is_place(w, loop->for_.start))
        count = to / by; /* all threads share them */
    if (!isnan(count) && !isinf(count))
        return count < 0 ? 0 : count;
    return by > 1 ? fmax(1, SOME / by) : SOME;
}

/* Steps come from the bottom up: a thread's index has step 1 along its axis, sums add, products
** with constants multiply, and what does not vary along the axis has step 0. */
#include "ir/analysis/step.h"

typedef struct SetVisit {
    IrSteps *steps;
    bool *many; /* by IrVar.id: set more than once */
} SetVisit;

static void note_set(SetVisit *v, const IrVar *var, const IrValue *value)
{
    v->many[var->id] |= v->steps->sets[var->id] != NULL || !value;
    v->steps->sets[var->id] = value;
}

/* Whether a loop's step is plainly one for all threads. */
static bool is_common(const IrValue *step)
{
    return ir_is_constant(step) || (step->op == OP_intrinsic && step->intrinsic == INTR_gridsize) ||
           (step->op == OP_cast && is_common(step->operands[0]));
}

/* Iteration by iteration, a loop's counter differs between threads as its start does. */
static void visit_stmt(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_SET)
        note_set(context, stmt->set.var, stmt->set.value);
    else if (stmt->kind == IR_FOR)
        note_set(context, stmt->for_.var, is_common(stmt->for_.step) ? stmt->for_.start : NULL);
}

typedef struct Branches {
    Arena *arena;
    const IrRegion **list;
    int count, capacity;
} Branches;

static void note_branches(void *context, IrStmt *stmt)
{
    Branches *b = context;
    IrRegion *regions[2];
    int count = stmt->kind == IR_IF ? ir_regions(stmt, regions) : 0;
    for (int i = 0; i < count; i++)
        array_push(b->arena, b->list, b->count, b->capacity) = regions[i];
}

/* As the threads see it that get everywhere. */
static IrDivergence divergence_of_all(const IrUnit *unit)
{
    Branches b = { .arena = unit->arena };
    ir_each_stmt(&unit->kernel->body, note_branches, &b);
    return ir_divergence_by(unit, &(IrDivergenceRules){ b.list, b.count, NULL });
}

IrSteps ir_steps(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    IrSteps steps = { divergence_of_all(unit),
                      arena_array(unit->arena, const IrValue *, fn->var_count + 1) };
    SetVisit v = { &steps, arena_array(unit->arena, bool, fn->var_count + 1) };
    ir_each_stmt(&fn->body, visit_stmt, &v);
    for (int i = 0; i < fn->var_count; i++)
        if (v.many[i])
            steps.sets[i] = NULL;
    return steps;
}

/* Of a sum or difference of two. */
static bool step_of_sum(const IrSteps *steps, const IrValue *value, int axis, int64_t *step)
{
    int64_t left, right;
    if (!ir_step(steps, value->operands[0], axis, &left) ||
        !ir_step(steps, value->operands[1], axis, &right))
        return false;
    return value->op == OP_add ? !__builtin_add_overflow(left, right, step)
                               : !__builtin_sub_overflow(left, right, step);
}

static bool step_of_product(const IrSteps *steps, const IrValue *value, int axis, int64_t *step)
{
    const IrValue *a = value->operands[0], *b = value->operands[1];
    const IrValue *factor = ir_is_constant(b) ? b : a;
    int64_t other;
    return ir_is_constant(factor) && ir_step(steps, factor == b ? a : b, axis, &other) &&
           !__builtin_mul_overflow(other, factor->constant.integer, step);
}

static bool step_of_intrinsic(const IrValue *value, int64_t *step)
{
    *step = 1; /* where it varies at all */
    return value->intrinsic == INTR_thread_idx || value->intrinsic == INTR_grid;
}

bool ir_step(const IrSteps *steps, const IrValue *value, int axis, int64_t *step)
{
    *step = 0;
    if (!(ir_divergence_of(&steps->divergence, value) & (DIVERGES_THREAD << axis | DIVERGES_OTHER)))
        return true;
    switch ((int)value->op) {
    case OP_var: {
        const IrValue *set = value->var->kind == VAR_LOCAL ? steps->sets[value->var->id] : NULL;
        return set && ir_step(steps, set, axis, step);
    }
    case OP_cast:
        return type_is_integer(value->type) && type_is_integer(value->operands[0]->type) &&
               ir_step(steps, value->operands[0], axis, step);
    case OP_add:
    case OP_sub:
        return step_of_sum(steps, value, axis, step);
    case OP_mul:
        return step_of_product(steps, value, axis, step);
    case OP_intrinsic:
        return step_of_intrinsic(value, step);
    default:
        return false;
    }
}

/* Elements from one to the next along an axis of an array; false if the text does not tell. */
static bool elements_along(const IrValue *array, int axis, int64_t *elements)
{
    const Type *type = array->type;
    const int64_t *shape = array->op == OP_var ? array->var->shape : NULL;
    int last = type->array.layout == LAYOUT_F ? 0 : type->array.rank - 1;
    *elements = 1;
    if (type->array.layout == LAYOUT_A || (axis != last && !shape))
        return false;
    for (int k = axis; k != last; k += last ? 1 : -1)
        *elements *= shape[k + (last ? 1 : -1)];
    return true;
}

IrReach ir_reach(const IrSteps *steps, const IrValue *array, IrValue *const *indices, int count,
                 int axis, int64_t *distance)
{
    enum { NEAR = 4096 };
    *distance = 0;
    if (ir_divergence_of(&steps->divergence, array) & (DIVERGES_THREAD << axis | DIVERGES_OTHER))
        return REACH_FAR;
    for (int k = 0; k < count; k++) {
        int64_t step, elements;
        if (!ir_step(steps, indices[k], axis, &step))
            return REACH_FAR;
        if (step == 0)
            continue;
        if (!elements_along(array, k, &elements) || step > NEAR || step < -NEAR)
            return REACH_FAR;
        *distance += step * elements;
    }
    return *distance == 0                      ? REACH_SAME
           : *distance == 1 || *distance == -1 ? REACH_NEXT
                                               : REACH_NEAR;
}

IrVar *ir_memory_of(const IrValue *array)
{
    while (array->op != OP_var && array->count && type_is_array(array->operands[0]->type))
        array = array->operands[0];
    return array->op == OP_var && array->var->kind != VAR_LOCAL ? array->var : NULL;
}

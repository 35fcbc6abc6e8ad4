/* Whether the order of atomics shows in what a kernel leaves: then deterministic=True has to do
** something about it.
**
** Sums of floats are rounded, so they depend on the order of what is added. What an atomic found
** tells who was first, as do exchanges. Sums of integers, maxima, minima and bits do not, while
** nobody looks at what they found. */
#include "ir/ir.h"

static bool is_atomic(const IrValue *value)
{
    return value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC;
}

/* Of an atomic whose result is not used. */
static bool order_shows(const IrValue *atomic)
{
    const Type *element = atomic->operands[0]->type->array.element;
    switch ((int)atomic->intrinsic) {
    case INTR_atomic_add:
    case INTR_atomic_sub:
        return !type_is_integer(element);
    case INTR_atomic_max:
    case INTR_atomic_min:
    case INTR_atomic_nanmax:
    case INTR_atomic_nanmin:
    case INTR_atomic_and:
    case INTR_atomic_or:
    case INTR_atomic_xor:
    case INTR_atomic_inc:
    case INTR_atomic_dec:
        return false;
    default:
        return true;
    }
}

static void visit_stmt(void *context, IrStmt *stmt)
{
    const IrValue **found = context;
    const IrValue *value = stmt->kind == IR_SET    ? stmt->set.value
                           : stmt->kind == IR_EVAL ? stmt->eval.value
                                                   : NULL;
    if (!*found && value && is_atomic(value) && (stmt->kind == IR_SET || order_shows(value)))
        *found = value;
}

const IrValue *ir_order_shows(const IrUnit *unit)
{
    const IrValue *found = NULL;
    for (int i = 0; i < unit->count; i++)
        ir_each_stmt(&unit->functions[i]->body, visit_stmt, &found);
    ir_each_stmt(&unit->kernel->body, visit_stmt, &found);
    return found;
}

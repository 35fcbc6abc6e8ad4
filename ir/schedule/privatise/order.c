/* Whether the order of atomics shows in what a kernel leaves: then deterministic=True has to do
** something about it.
**
** Sums of floats are rounded, so they depend on the order of what is added. The result of an atomic
** depends on the order, as do exchanges, and counters that wrap at a limit. Sums of integers,
** maxima, minima and bits do not, while what they found is not used, and all atomics of the kernel
** are of one kind: a sum and a maximum of one element show which came first. Nor does it in sums
** that are kept exactly (exact.c). */
#include "ir/analysis/accesses.h"
#include "ir/schedule/privatise/privatise.h"

static bool is_exact(const IrValue *atomic)
{
    const IrVar *param = privatise_whole(atomic->operands[0]);
    return param && param->exact;
}

/* Of an atomic whose result is not used. */
static bool order_shows(const IrValue *atomic)
{
    return !atomic_is_plain(atomic) || (atomic_combine(atomic) == COMBINE_SUM &&
                                        !type_is_integer(atomic->operands[0]->type->array.element));
}

typedef struct OrderSearch {
    const IrValue *found, *first;
} OrderSearch;

/* Subtracting is adding. */
static bool same_kind(const IrValue *a, const IrValue *b)
{
    IrIntrinsic one = a->intrinsic, other = b->intrinsic;
    one = one == INTR_atomic_sub ? INTR_atomic_add : one;
    return one == (other == INTR_atomic_sub ? INTR_atomic_add : other);
}

static void visit_stmt(void *context, IrStmt *stmt)
{
    OrderSearch *search = context;
    const IrValue *value = ir_stmt_value(stmt);
    if (search->found || !value || !ir_is_atomic(value) || is_exact(value))
        return;
    if (!search->first)
        search->first = value;
    if (stmt->kind == IR_SET || order_shows(value) || !same_kind(search->first, value))
        search->found = value;
}

const IrValue *ir_order_shows(const IrUnit *unit)
{
    OrderSearch search = { NULL, NULL };
    for (int i = 0; i < unit->count; i++)
        ir_each_stmt(&unit->functions[i]->body, visit_stmt, &search);
    ir_each_stmt(&unit->kernel->body, visit_stmt, &search);
    return search.found;
}

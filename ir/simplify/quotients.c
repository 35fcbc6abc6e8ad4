/* Division by a product becomes division by one factor after the other:
**
**     f = mod(floordiv(i, mul(w, h)), n)
** becomes
**     f = mod(floordiv(floordiv(i, w), h), n)
**
** LEGAL if both factors are positive: floor(i / (w * h)) is floor(floor(i / w) / h) then. That the
** product does not overflow is what is taken of all signed products.
**
** PAYS where an index that the text takes apart is one of few bits: each of the factors is as well,
** where their product may have more, so that 32 bits do; and i / w is often there already. What of
** an index is left is also plain to see then. */
#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Quotients {
    IrUnit *unit;
    IrSets sets;
} Quotients;

/* The product that a divisor is, or stands for. */
static const IrValue *product_of(const Quotients *q, const IrValue *divisor)
{
    const IrValue *value = sets_behind(&q->sets, divisor);
    return value->op == OP_mul && (value == divisor || sets_stable(&q->sets, value)) ? value : NULL;
}

static IrValue *divided(const Quotients *q, IrValue *value, const IrValue *by)
{
    const IrValue *product = product_of(q, by);
    if (product && type_is_signed(product->type) && ir_positive(product->operands[0]) &&
        ir_positive(product->operands[1]) && product->type == value->type)
        return divided(q, divided(q, value, product->operands[0]), product->operands[1]);
    return ir_binary(q->unit->arena, OP_floordiv, value, ir_copy_value(q->unit->arena, by),
                     by->span);
}

static void visit(void *context, IrValue **slot)
{
    const Quotients *q = context;
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        visit(context, &value->operands[i]);
    if (value->op == OP_floordiv && type_is_integer(value->type) &&
        value->operands[0]->type == value->type && product_of(q, value->operands[1]))
        *slot = divided(q, value->operands[0], value->operands[1]);
}

void ir_quotients(IrUnit *unit)
{
    Quotients q = { unit, ir_sets(unit->arena, unit->kernel, &unit->kernel->body) };
    ir_range(unit); /* which divisors are positive */
    ir_each_slot_in(&unit->kernel->body, visit, &q);
}

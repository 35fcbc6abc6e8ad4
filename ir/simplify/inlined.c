/* Puts device functions in place of their calls, so that the other passes see a kernel whole:
**
**     total = add(total, square(load(x, i)))
** becomes
**     a = load(x, i)
**     total = add(total, mul(a, a))
**
** Legal for every function that does not call itself and of which no call stands where it may not
** be made (take_calls.c). It pays as long as the text does not grow out of bounds: else all calls
** stay. */
#include "ir/optimise.h"

enum { MOST_STATEMENTS = 2000 };

static void replace_unit(IrUnit *unit, const IrUnit *made)
{
    unit->kernel = made->kernel;
    unit->functions = made->functions;
    unit->count = made->count;
    unit->capacity = made->capacity;
}

static bool hands_out(const IrFunc *callee)
{
    return callee->hands_out;
}

void ir_handed_out(IrUnit *unit)
{
    const IrUnit *made = ir_inline(unit->arena, unit, hands_out);
    if (made != unit)
        replace_unit(unit, made);
}

enum { MOST_FUNCTIONS = 16 };

void ir_inlined(IrUnit *unit)
{
    if (unit->count > MOST_FUNCTIONS) /* they may double at each level */
        return;
    if (!unit->count)
        return;
    ir_take_calls(unit);
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
    const IrFunc *large = ir_inline_excess(unit, ir_is_inlined, MOST_STATEMENTS);
    if (large) {
        ir_remark(unit, large->span,
                  "the calls of '%s' stay calls: in their place its statements "
                  "would be too many",
                  large->name);
        return;
    }
    replace_unit(unit, ir_inline(unit->arena, unit, ir_is_inlined));
}

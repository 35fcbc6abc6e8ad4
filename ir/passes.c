/* What happens to a unit between lowering and code generation, in order. */
#include "ir/ir.h"

typedef struct Pass {
    const char *name;
    void (*run)(IrUnit *unit);
} Pass;

static const Pass passes[] = {
    { "forward", ir_forward }, /* variables that name a value give way to it             */
    { "dce", ir_dce },         /* sets that nobody reads disappear                       */
    { "effects", ir_effects }, /* what functions read, write and wait for                */
    { "cover", ir_cover },     /* arrays that are overwritten whole                      */
    { "range", ir_range },     /* integers that are never negative                       */
    { "uniform", ir_uniform }, /* values that all threads of a block share               */
};

void ir_run_passes(IrUnit *unit)
{
#ifdef KJIT_DEBUG
    ir_verify(unit, "lower");
#endif
    for (size_t i = 0; i < ARRAY_COUNT(passes); i++) {
        passes[i].run(unit);
#ifdef KJIT_DEBUG
        ir_verify(unit, passes[i].name);
#endif
    }
}

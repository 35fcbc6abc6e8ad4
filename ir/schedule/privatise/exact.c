/* For deterministic=True: sums of floats by atomics are kept exactly beside the array, and rounded
** when the kernel is over:
**
**     eval atomic_add(total, i, load(x, j))
** stays as it is, but `total` is by then marked, and its elements are not accessed: each has a row
** of integers, as wide as all numbers of its type need, to which the parts of what is added are
** added. Integers come to the same in any order; so do the bits that they are rounded to, whatever
** the grid, the device and the number of its threads. It is the accumulator of Kulisch ("Computer
** arithmetic and validity", 2008), with digits of 32 bits in integers of 64, so that carries wait
** for the end (Neal, "Fast exact summation using small and large superaccumulators", 2015).
**
** Legal for an array parameter in one piece that nothing else in the kernel accesses, and whose
** sums no thread of the launch can wait for (privatise.c). That no other argument lies there is
** seen at the launch.
**
** The arithmetic is codegen/prelude/exact.c, which uses the numbers of ir_exact_words() too; where
** it is called is codegen/emit/threads/exact.c; what a launch on a GPU brings is
** runtime/cuda/launch.c. */
#include "ir/schedule/privatise/privatise.h"

int ir_exact_words(const Type *element)
{
    enum { FLAGS = 1 };
    /* every bit from the least subnormal to the largest number, in digits of 32 */
    return (element->kind == TY_FLOAT32 ? 9 : 66) + FLAGS;
}

void ir_exact(IrUnit *unit)
{
    Private *chosen[EXACT_ARRAYS];
    if (!unit->kernel->options.deterministic)
        return;
    if (!unit->kernel->options.debug)
        ir_inlined(unit);
    int count = privatise_choose(unit, PRIVATE_EXACT, chosen, EXACT_ARRAYS);
    for (int i = 0; i < count; i++)
        chosen[i]->param->exact = true;
}

/* For the processor: atomics on arrays of few elements go to copies, one for each of its threads
** that run blocks, which are merged at the end:
**
**     eval atomic_add(counts, load(x, i), 1)
** stays as it is, but counts is by then an array of the worker's own, to which it adds without
** atomics; when the worker has run its last block, what it has counted is added to the true one by
** atomics.
**
** Legal as `privatise` is (privatise.c), for arrays that lie in one piece; barriers do not matter
** here, as nothing waits for the merging. It pays always: a worker runs many threads.
**
** The rest is done by the emitter for IrVar.merged (codegen/emit/threads/merge.c). */
#include "ir/schedule/privatise/privatise.h"

void ir_merge(IrUnit *unit)
{
    Private *chosen[SHAPE_ARRAYS];
    if (!unit->processor)
        return;
    int count = privatise_choose(unit, PRIVATE_WORKER, chosen, SHAPE_ARRAYS);
    count = privatise_keep(unit, DO_WORKER, chosen, count);
    for (int i = 0; i < count; i++) {
        chosen[i]->param->merged = chosen[i]->combine;
        ir_remark(unit, chosen[i]->span,
                  "atomics on '%s' go to a copy of each of the processor's threads, merged at the "
                  "end",
                  chosen[i]->param->name);
    }
}

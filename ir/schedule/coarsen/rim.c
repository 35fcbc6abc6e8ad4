/* Whether tiles that are whole, but do not lie well inside (inside.c), are better jammed, too.
**
** Each thread of such a tile by itself makes the loops of all that it stands for one after the
** other, while the rest of the grid has finished: a few of them are as long as a grid of many.
** Jammed, they ask at their borders at each iteration, but make each loop once. That is more text,
** for windows and sums that are long enough to be waited for. */
#include "base/arith.h"
#include "ir/schedule/coarsen/coarsen.h"

enum {
    RIM_WAITS = 128, /* iterations that a thread would make, one after the other, */
    RIM_NODES = 6000 /* and what it may have if it does so for several at once */
};

/* How many iterations a thread makes in all, RIM_WAITS of loops of which that is not known. */
static int64_t iterations_of(const IrRegion *region)
{
    int64_t all = 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        int64_t inside = 0, trips = stmt->kind == IR_FOR ? ir_trip_count(stmt) : 1;
        for_each_region (inner, stmt)
            inside += iterations_of(inner);
        if (stmt->kind == IR_FOR)
            inside = integer_min(trips < 0 ? RIM_WAITS : trips, RIM_WAITS) * (inside ? inside : 1);
        all = integer_min(all + inside, RIM_WAITS);
    }
    return all;
}

/* Whether each loop is one that several threads make at once. */
static bool go_together(const Jam *rim, const IrRegion *rest)
{
    bool together = !ir_region_has(rest, 1 << IR_WHILE);
    for (int i = 0; i < rim->affine->sets.var_count && together; i++) {
        const IrStmt *loop = sets_loop(&rim->affine->sets, rim->unit->kernel->vars[i]);
        together = !loop || jam_var_steps(rim, loop->for_.var) != jam_all_steps(rim);
    }
    return together;
}

bool rim_pays(const Jam *rim, const IrRegion *rest)
{
    int threads = tile_size(rim->tile);
    return threads * iterations_of(rest) >= RIM_WAITS &&
           threads * ir_node_count_in(rest) <= RIM_NODES && go_together(rim, rest);
}

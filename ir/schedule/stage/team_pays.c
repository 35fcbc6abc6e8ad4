/* What of a team pays: how long its loops are, how many warps it has. See team.c. */
#include "ir/schedule/stage/team.h"

#include "base/arith.h"

/* Whether a loop goes over the first axis of an array of many elements, of which few threads take
** one along another axis each. */
static bool is_tall(const Team *t, const IrValue *stop)
{
    stop = sets_behind_casts(&t->affine.sets, stop);
    int param = stop->op == OP_extent && !stop->index ? ir_array_param(stop->operands[0]) : -1;
    return param >= 0 && (t->adds || launch_large_grid(t->unit->launch, GRID_BELOW_1024)) &&
           !launch_elements_to_4096(t->unit->launch, param);
}

bool team_is_long(const Team *t)
{
    bool tallies = false, all = true, others = true;
    for (int i = 0; i < t->count; i++) {
        const IrStmt *loop = t->loops[i].loop;
        bool is_long = front_is_long(t->unit, &t->affine.sets, loop, loop->for_.stop) ||
                       is_tall(t, loop->for_.stop);
        tallies |= is_long && t->loops[i].tally_count;
        all &= is_long;
        others &= is_long || (t->loops[i].outer && !t->loops[i].tally_count);
    }
    return t->all && (all || (tallies && others));
}

int64_t team_warps_with_room(const Team *t, int64_t count)
{
    int64_t bytes = 0;
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < t->loops[i].sum_count; k++)
            bytes += WARP_LANES * (int64_t)type_size(t->loops[i].sums[k].var->type);
    count = count < 2 ? 2 : count > WARP_LANES ? WARP_LANES : count;
    return count * bytes <= BROUGHT_BYTES ? count : BROUGHT_BYTES / bytes;
}

int64_t team_warps_of_row(const Team *t)
{
    enum { SHARE = 512, WARPS_LEAST = 4 };
    int64_t warps = 0, length = 0;
    for (int i = 0; i < t->count; i++)
        if (t->loops[i].reads)
            length = integer_max(length, front_length(t->unit, &t->affine.sets, t->loops[i].loop));
    if (t->again && t->along > t->across && length > SLIM_AXIS)
        for (warps = WARPS_LEAST; warps < TEAM_WARPS && 2 * warps * SHARE <= length;)
            warps *= 2;
    return warps;
}

#include "ir/analysis/warp.h"

enum {
    BANKS = 32, /* of shared memory */
    BANK = 4,   /* bytes side by side in one */
    PIECE = 32  /* bytes of global memory that come together */
};

IrMoves ir_moves(const IrSteps *steps, const IrValue *array, IrValue *const *indices)
{
    static const int64_t far[3] = { 0x10000040, 0x3000004c0, 0x5000005040 };
    const IrVar *var = ir_memory_of(array);
    int64_t bytes = (int64_t)type_size(array->type->array.element);
    IrMoves moves = { .shared =
                          var && (var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC) };
    for (int axis = 0; axis < 3; axis++) {
        int64_t distance;
        int rank = array->type->array.rank;
        IrReach reach = ir_reach(steps, array, indices, rank, axis, &distance);
        moves.by[axis] = reach != REACH_FAR ? distance * bytes
                         : moves.shared     ? 4 * BANK /* who knows: not well, not badly */
                                            : far[axis];
    }
    return moves;
}

/* Where the lanes find their elements, from where the first does. */
static void lane_offsets(const uint32_t block[3], const IrMoves *moves, int64_t offsets[WARP_LANES])
{
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t left = lane;
        offsets[lane] = 0;
        for (int k = 0; k < 3; k++) {
            offsets[lane] += moves->by[k] * (left % block[k]);
            left /= block[k];
        }
    }
}

static int64_t unit_of(int64_t offset, int64_t bytes)
{
    return offset >= 0 ? offset / bytes : ~(~offset / bytes);
}

/* How many units of so many bytes the offsets lie in. */
static int64_t count_units(const int64_t offsets[WARP_LANES], int64_t bytes)
{
    int64_t count = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++)
            seen = unit_of(offsets[i], bytes) == unit_of(offsets[k], bytes);
        count += !seen;
    }
    return count;
}

/* How many different words of one bank the offsets lie in, at most. */
static int64_t count_conflicts(const int64_t offsets[WARP_LANES])
{
    int64_t most = 1;
    for (int i = 0; i < WARP_LANES; i++) {
        int64_t own = 1;
        for (int k = 0; k < i; k++) {
            int64_t apart = unit_of(offsets[i], BANK) - unit_of(offsets[k], BANK);
            own += apart != 0 && apart % BANKS == 0;
        }
        most = own > most ? own : most;
    }
    return most;
}

int64_t ir_warp_cost(const uint32_t block[3], const IrMoves *moves)
{
    int64_t offsets[WARP_LANES];
    lane_offsets(block, moves, offsets);
    return moves->shared ? count_conflicts(offsets) : count_units(offsets, PIECE);
}

int64_t ir_warp_queue(const uint32_t block[3], const IrMoves *moves)
{
    int64_t offsets[WARP_LANES];
    lane_offsets(block, moves, offsets);
    return WARP_LANES - count_units(offsets, 1);
}

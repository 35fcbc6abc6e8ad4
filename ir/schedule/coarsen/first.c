/* Where the tile of a real thread begins: which thread is which. */
#include "ir/schedule/coarsen/coarsen.h"

IrValue *tile_times(Arena *arena, IrValue *value, int64_t factor)
{
    return ir_binary(arena, OP_mul, value, ir_integer(arena, type_int64, factor, value->span),
                     value->span);
}

static int side_of(const Tile *tile, int k)
{
    return tile->launched[k] == tile->axis[LANES]    ? LANES
           : tile->launched[k] == tile->axis[ACROSS] ? ACROSS
                                                     : SIDES;
}

IrValue *first_in_turn(const Jam *jam, int k, int side, Span span)
{
    Arena *arena = jam->unit->arena;
    const Tile *tile = jam->tile;
    int near = tile->count[side][NEAR];
    if (tile->count[side][APART] == 1)
        return tile_times(arena, ir_axis(arena, INTR_grid, k, span), near);
    IrValue *block =
        tile_times(arena, ir_cast(arena, type_int64, ir_axis(arena, INTR_block_idx, k, span), span),
                   (int64_t)tile->block[k] * tile_along(tile, side));
    IrValue *thread = ir_cast(arena, type_int64, ir_axis(arena, INTR_thread_idx, k, span), span);
    return ir_binary(arena, OP_add, block, tile_times(arena, thread, near), span);
}

/* The index of the first thread of a real thread's tile, along axis k of what is launched. What
** stands in front of it goes to `out`. */
static IrValue *first_index(Jam *jam, int k, Span span, IrRegion *out)
{
    const Tile *tile = jam->tile;
    int side = side_of(tile, k), axis = tile->launched[k];
    if (side == SIDES)
        return ir_axis(jam->unit->arena, INTR_grid, k, span);
    int near = tile->count[side][NEAR], apart = tile->count[side][APART];
    int64_t width = (int64_t)tile->block[k] * tile_along(tile, side);
    if (shift_may(jam, axis))
        return shift_tiles(jam,
                           &(Shift){ axis, k, near, apart, tile->gap[side], width,
                                     jam->wide[side] || jam->steady[side] ? near : 1 },
                           span, out);
    return first_in_turn(jam, k, side, span);
}

void first_new(Jam *jam, Span span)
{
    Arena *arena = jam->unit->arena;
    for (int k = 0; k < 3; k++) {
        int axis = jam->tile->launched[k];
        jam->first[axis] = ir_counter(arena, jam->unit->kernel,
                                      arena_printf(arena, "first_%c", "xyz"[axis]), span);
        int side = side_of(jam->tile, k);
        if (side != SIDES && shift_owns(jam, axis))
            jam->own[axis] = ir_counter(arena, jam->unit->kernel,
                                        arena_printf(arena, "own_%c", "xyz"[axis]), span);
        if (side == SIDES || !shift_threads(jam, axis))
            continue;
        int apart = jam->tile->count[side][APART];
        jam->group[axis] = arena_array(arena, IrVar *, apart);
        for (int i = 0; i < apart; i++)
            jam->group[axis][i] = ir_counter(arena, jam->unit->kernel,
                                             arena_printf(arena, "from_%c", "xyz"[axis]), span);
    }
}

void first_set(Jam *jam, IrRegion *out, Span span)
{
    for (int k = 0; k < 3; k++) {
        IrValue *index = first_index(jam, k, span, out);
        ir_append(out, ir_set(jam->unit->arena, jam->first[jam->tile->launched[k]], index, span));
    }
}

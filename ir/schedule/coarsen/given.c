/* The tile that a schedule asks for, and the directives that say which tile was made. */
#include "ir/schedule/coarsen/coarsen.h"

static Directive lanes_of(const Tile *tile)
{
    Directive lanes = { DO_LANES, .axes = { (uint8_t)tile->axis[LANES] }, .axis_count = 1 };
    if (tile->axis[ACROSS] >= 0)
        lanes.axes[lanes.axis_count++] = (uint8_t)tile->axis[ACROSS];
    return lanes;
}

/* Along the lanes, across and, if need be, along the third axis. */
static Directive block_of(const Tile *tile)
{
    Directive block = { DO_BLOCK, .numbers = { tile->block[0], tile->block[1] } };
    if (tile->block[1] == 1)
        block.numbers[1] = 0;
    else if (tile->launched[1] != tile->axis[ACROSS])
        block.numbers[1] = 1, block.numbers[2] = tile->block[1];
    return block;
}

static Directive jam_of(const Tile *tile, int side, bool wide)
{
    const int *count = tile->count[side];
    return (Directive){ DO_JAM,
                        .axes = { (uint8_t)tile->axis[side] },
                        .axis_count = 1,
                        .near = count[NEAR],
                        .apart = count[APART] > 1 ? count[APART] : 0,
                        .vector = wide };
}

static void note_done(IrUnit *unit, Directive own)
{
    Directive *directive = schedule_take(unit, own, true);
    if (directive)
        schedule_done(directive);
}

void tile_done(IrUnit *unit, const Tile *tile, const bool wide[SIDES])
{
    note_done(unit, lanes_of(tile));
    note_done(unit, block_of(tile));
    for (int side = 0; side < SIDES; side++)
        if (tile->axis[side] >= 0 && tile_along(tile, side) > 1)
            note_done(unit, jam_of(tile, side, wide[side]));
}

/* The axes that a schedule names: lanes go along the first. */
static void take_lanes(IrUnit *unit, Tile *tile)
{
    const Directive *given = schedule_take(unit, (Directive){ .primitive = DO_LANES }, false);
    if (given) {
        tile->axis[LANES] = given->axes[0];
        tile->axis[ACROSS] = given->axis_count > 1 ? given->axes[1] : -1;
    }
}

static bool take_block(IrUnit *unit, Tile *tile)
{
    const Directive *given = schedule_take(unit, (Directive){ .primitive = DO_BLOCK }, false);
    const Span nowhere = { 0 };
    bool flat = tile->axis[ACROSS] < 0;
    int64_t along = flat ? 256 : 32, across = flat ? 1 : 8, third = 1;
    if (given) {
        along = given->numbers[0];
        across = given->numbers[1] ? given->numbers[1] : 1;
        third = given->numbers[2] ? given->numbers[2] : 1;
    }
    bool fits = along <= BLOCK_THREADS && across <= BLOCK_THREADS && third <= BLOCK_THREADS &&
                along * across <= BLOCK_THREADS && along * third <= BLOCK_THREADS;
    bool named = third > 1 ? !flat && across == 1 : !flat || across == 1;
    if (!fits || !named)
        schedule_refuse_all(unit, DO_BLOCK, nowhere,
                            fits ? "it has as many numbers as `bind lanes` has axes"
                                 : "a block has 1024 threads at most");
    else
        tile_set_block(tile, tile->axis[LANES], (uint32_t)along,
                       (uint32_t)(third > 1 ? third : across));
    if (fits && named && third > 1)
        tile_swap_block(tile);
    return fits && named;
}

/* How many neighbours a thread stands for along an axis. */
static bool take_jam(IrUnit *unit, int axis, Tile *tile)
{
    Directive own = { DO_JAM, .axes = { (uint8_t)axis }, .axis_count = 1 };
    const Directive *given = schedule_take(unit, own, false);
    int side = axis == tile->axis[LANES] ? LANES : axis == tile->axis[ACROSS] ? ACROSS : SIDES;
    if (!given)
        return true;
    const Span nowhere = { 0 };
    int64_t near = given->near, apart = given->apart ? given->apart : 1;
    bool fits = near <= TILE_MAX && apart <= TILE_MAX && near * apart <= TILE_MAX;
    if (side == SIDES || !fits) {
        schedule_refuse(unit, own, nowhere,
                        fits ? "it is an axis that `bind lanes` does not name"
                             : "a thread stands for 64 at most");
        return false;
    }
    tile->count[side][NEAR] = (int)near;
    tile->count[side][APART] = (int)apart;
    tile->scalar[side] = !given->vector;
    return true;
}

bool tile_given(IrUnit *unit, bool privates, Tile *tile)
{
    const Span nowhere = { 0 };
    if (!schedule_has(unit, DO_LANES) && !schedule_has(unit, DO_BLOCK) &&
        !schedule_has(unit, DO_JAM))
        return false;
    take_lanes(unit, tile);
    bool fine = tile->axis[LANES] >= 0 && take_block(unit, tile);
    for (int axis = 0; axis < 3 && fine; axis++)
        fine = take_jam(unit, axis, tile);
    if (fine && tile_size(tile) > TILE_MAX) {
        schedule_refuse_all(unit, DO_JAM, nowhere, "a thread stands for 64 at most");
        fine = false;
    }
    if (fine && privates && tile_size(tile) > 1) {
        schedule_refuse_all(unit, DO_JAM, nowhere, "a thread has an array of its own");
        fine = false;
    }
    return fine;
}

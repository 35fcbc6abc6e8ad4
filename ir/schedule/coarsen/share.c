/* Threads whose loads jump, as at coordinates, and how large a tile of them pays by what those of a
** row, and those of a column, compute alike:
**
**     fx = x * scale - 0.5         the same for all of a column
**     fy = y * scale - 0.5         the same for all of a row
**     out[y, x] = ...              of its own for each
**
** A thread that stands for some of both computes the first two once for several of the third. A
** tile grows while that leaves out a twentieth of the instructions for each result; accesses that
** become wide ones along the lanes count as well. */
#include "ir/schedule/coarsen/count.h"
#include "ir/schedule/cost.h"

#include <math.h>

enum {
    OUTPUTS_MOST = 8, /* results of a thread, */
    DOWN_MOST = 4,    /* and of these in a column */
    ACCESS = 4,       /* instructions that a multiprocessor's four schedulers begin while its one
                         path to memory begins an access of a warp */
    WORD_BYTES = 4    /* of neighbours along the lanes: one access has as many */
};

/* Instructions of a thread, by whether what they give varies along the lanes and across. */
typedef struct Alike {
    const Count *c;
    const Tile *tile;
    double work[2][2];
} Alike;

static void add_work(void *context, IrValue *value)
{
    Alike *a = context;
    const IrAffine *affine = a->c->affine;
    bool along = affine_varies(affine, value, a->tile->axis[LANES]);
    bool across = affine_varies(affine, value, a->tile->axis[ACROSS]);
    a->work[along][across] += cost_instructions(value);
}

/* For each result of a tile. */
static double work_of(const Alike *a, int along, int down)
{
    return a->work[true][true] + a->work[true][false] / down + a->work[false][true] / along +
           a->work[false][false] / (along * down);
}

/* How many neighbours along the lanes and down a column one thread stands for. */
static void share(const Count *c, const Guarded *guarded, Tile *tile)
{
    const double pays = 0.95; /* of the instructions for each result before */
    const IrRegion rest = { (IrStmt *)guarded->rest, NULL };
    const int bytes = (int)c->along[tile->axis[LANES]].bytes,
              wide = c->along[tile->axis[LANES]].wide;
    Alike alike = { .c = c, .tile = tile };
    int along = 1, down = 2;
    alike.work[true][true] = ACCESS * (c->total - wide);
    alike.work[false][true] = ACCESS * wide;
    ir_each_node_in(&rest, add_work, &alike);
    while (along * down < OUTPUTS_MOST && !guard_has_loop(guarded)) {
        double now = work_of(&alike, along, down);
        bool widens = bytes && 2 * along * bytes <= WORD_BYTES;
        double broad = widens ? work_of(&alike, 2 * along, down) : now;
        double tall = down < DOWN_MOST ? work_of(&alike, along, 2 * down) : now;
        if (fmin(broad, tall) >= now * pays)
            break;
        *(broad <= tall ? &along : &down) *= 2;
    }
    tile->count[LANES][NEAR] = along;
    tile->count[ACROSS][NEAR] = down;
}

/* Accesses that are known to be of a sector of their own for each thread along an axis. */
static int leaps(const Along *along)
{
    return along->far - along->jumping;
}

/* Loads at indices of which it is not known how they move, as at coordinates: two threads of a
** column have twice as many under way, and wait once. Not where functions take longer than that.
** Lanes go along stores, if accesses do not leap more there. */
bool tile_jumping(const Count *c, const Guarded *guarded, Tile *tile)
{
    int lanes = tile->axis[LANES], across = tile->axis[ACROSS];
    const bool swaps = !c->along[lanes].stored;
    if (!c->along[lanes].jumping || c->functions || !tile_has_plenty(c) ||
        (swaps && leaps(&c->along[across]) > leaps(&c->along[lanes])))
        return false;
    if (swaps) {
        tile->axis[LANES] = across;
        tile->axis[ACROSS] = lanes;
        tile_set_block(tile, across, 32, 8);
    }
    const Along *along = &c->along[tile->axis[LANES]];
    share(c, guarded, tile);
    return along->stored && !along->queued && !c->divergent[tile->axis[LANES]];
}

/* The same where channels, which lie one behind the other, are too few for the lanes of a warp:
** these go along the pixels of a row, which lie behind the channels in memory. */
bool tile_pixels(const Count *c, const Guarded *guarded, Tile *tile)
{
    int channels = tile->axis[LANES], one = (channels + 1) % 3, two = (channels + 2) % 3;
    bool first = c->along[one].apart < c->along[two].apart;
    int lanes = first ? one : two, across = first ? two : one;
    const Along *along = &c->along[lanes];
    if (!along->used || !c->along[across].used || along->apart != 2 || !along->jumping ||
        along->queued || c->functions || c->divergent[lanes] || c->divergent[across] ||
        !tile_has_plenty(c) || !launch_along_64(c->unit->launch, lanes) ||
        !launch_along_64(c->unit->launch, across))
        return false;
    tile->axis[LANES] = lanes;
    tile->axis[ACROSS] = across;
    tile_set_block(tile, lanes, 32, 8);
    share(c, guarded, tile);
    return true;
}

/* How large a tile pays by what the threads of a row, and those of a column, compute alike:
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
    OUTPUTS_MOST = 8, /* of a thread */
    DOWN_MOST = 4,    /* of these in a column */
    ACCESS = 4,       /* instructions that one of a warp takes as long as */
    WORD_BYTES = 4 /* that neighbours along the lanes have: their accesses stay as few as one's */
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

void tile_share(const Count *c, const Guarded *guarded, Tile *tile)
{
    const double pays = 0.95;
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

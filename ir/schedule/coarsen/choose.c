/* Which tile pays: counted from what the kernel reads and writes.
**
** Lanes go along the axis of the grid along which most accesses move by one element, so that a
** warp's accesses are coalesced. A thread then does the work of
**
**     neighbours along the lanes, as many as fill 16 bytes,    y[i] = f(x[i])
**         if half of the accesses become wide ones by that
**     a tile of two axes, where loops load what threads along  c[i, j] += a[i, k] * b[k, j]
**         either share
**     a square, where some accesses move along one axis and    b[j, i] = a[i, j]
**         some along the other; of rows that begin anywhere
**         several threads a block apart, lanes along stores
**     several of a column, where rows begin anywhere           y[i, j] = x[i - 1, j] + x[i + 1, j]
**     several a block apart of one axis, which compute         y[i] = x[i // w * w2 + i % w]
**         their indices
**
** Where none of that pays, blocks still have warps that go along memory. */
#include "ir/schedule/coarsen/count.h"

enum {
    NEIGHBOURS_MAX = 8,   /* that a thread takes along the lanes, */
    SQUARE_MAX = 4,       /* and along both axes of a square */
    STORES_APART = 4,     /* of the axis across, where lanes go along stores */
    COMPUTED_APART = 4,   /* threads of one axis that compute functions alike in loops, or find */
    COMPUTED_LOADS = 24,  /* what they read by computed indices, these at most so many loads */
    BLOCK_LARGE = 256,    /* threads: BLOCKS_4096 of these are a million */
    ROWS_MAX = 8,         /* of the axis across that a thread goes down */
    ROWS_WORDS = 4,       /* the same, of elements of 4 bytes or more */
    SUMMED_MOST = 16,     /* of an axis whose threads add to one element by atomics */
    ROWS_BYTES = 16,      /* that a thread is to have under way at once */
    HELD_BYTES = 128,     /* that the loads of two threads may bring, of 8 bytes each */
    NODES_MAX = 6000,     /* that the jammed statements may have, */
    COLUMN_NODES = 12000, /* and those of a column */
    WAITING_NODES = 32,   /* to an access: threads that compute no more wait for memory */
    DOUBLES_MOST = 3      /* functions of float64: more keep a multiprocessor busy by themselves */
};

/* The axis along which most accesses move by one element, less those that move otherwise; of equal
** ones the one along which more stay in a row, then the first. */
static int best_lanes(const Count *c)
{
    int best = -1;
    for (int axis = 0; axis < 3; axis++) {
        const Along *a = &c->along[axis], *other = best < 0 ? NULL : &c->along[best];
        int more = other ? (a->dense - a->far) - (other->dense - other->far) : 1;
        if (a->used && (more > 0 || (more == 0 && a->inside > other->inside)))
            best = axis;
    }
    return best;
}

/* Whether two values differ by a constant, wherever they are computed; and by which. */
static bool are_off(const Count *c, IrValue *a, IrValue *b, int64_t *by)
{
    int64_t one, other;
    const IrValue *left = affine_split(&c->affine->sets, a, &one);
    const IrValue *right = affine_split(&c->affine->sets, b, &other);
    if (left && right && affine_same(left, right))
        return !__builtin_sub_overflow(one, other, by);
    IrPolynomial more = polynomial_of(&c->sums, a), less = polynomial_of(&c->sums, b);
    IrPolynomial off = polynomial_plus(&more, &less, -1);
    *by = off.count == 1 ? off.terms[0].factor : 0;
    return off.count == 0 || (off.count == 1 && off.terms[0].count == 0);
}

/* Whether one load in one thread and the other in another thread, some way along an axis, are of
** the same element. */
static bool are_apart(const Count *c, const IrValue *a, const IrValue *b, int axis)
{
    bool apart = false;
    if (a->operands[0]->op != OP_var || b->operands[0]->op != OP_var ||
        a->operands[0]->var != b->operands[0]->var)
        return false;
    for (int i = 1; i < a->count; i++) {
        int64_t off, slope;
        if (!are_off(c, a->operands[i], b->operands[i], &off) ||
            !affine_slope(c->affine, a->operands[i], axis, &slope) ||
            (off && (slope == 0 || off % slope)))
            return false;
        apart |= off != 0;
    }
    return apart;
}

/* How many loads are of elements that threads some way along an axis load, too. */
static int count_reused(const Count *c, int axis)
{
    int reused = 0;
    for (int i = 0; i < c->load_count; i++) {
        bool found = false;
        for (int k = 0; k < i && !found; k++)
            found = are_apart(c, c->loads[i], c->loads[k], axis) ||
                    count_apart_in_rows(c, c->loads[i], c->loads[k], axis);
        reused += found;
    }
    return reused;
}

/* Accesses that a tile along an axis saves: those that its threads share, less those of which each
** element of a tile of this axis and the lanes' is another one. */
static int gain_across(const Along *along, int lanes)
{
    return along->shared + along->dense - along->both[lanes];
}

/* The other axis, along which a tile saves most; of equal ones the one along which threads load
** more of what others load, then the one whose threads are farthest apart in memory. */
static int best_across(const Count *c, int lanes)
{
    int best = -1;
    for (int axis = 0; axis < 3; axis++) {
        const Along *a = &c->along[axis];
        if (axis == lanes || !a->used)
            continue;
        const Along *other = best < 0 ? NULL : &c->along[best];
        int more = other ? gain_across(a, lanes) - gain_across(other, lanes) : 1;
        if (more == 0)
            more = count_reused(c, axis) - count_reused(c, best);
        if (more > 0 || (more == 0 && a->apart > other->apart))
            best = axis;
    }
    return best;
}

static int neighbours(size_t bytes, int most)
{
    int count = bytes ? (int)(WIDE_BYTES / bytes) : 1;
    return count < 1 ? 1 : count > most ? most : count;
}

void tile_set_block(Tile *tile, int lanes, uint32_t along, uint32_t across)
{
    int next = 1;
    tile->launched[0] = (uint8_t)lanes;
    tile->block[0] = along;
    for (int axis = 0; axis < 3; axis++)
        if (axis != lanes && axis == tile->axis[ACROSS])
            tile->launched[next++] = (uint8_t)axis;
    for (int axis = 0; axis < 3; axis++)
        if (axis != lanes && axis != tile->axis[ACROSS])
            tile->launched[next++] = (uint8_t)axis;
    tile->block[1] = across;
    tile->block[2] = 1;
}

/* Whether some condition around all compares indices along both of a tile's axes, as triangles
** have: then tiles along its edge are not whole, and their threads go one after the other. */
static bool has_slant(const Count *c, const Guarded *guarded, const Tile *tile)
{
    for (int i = 0; i < guarded->term_count; i++)
        if (affine_varies(c->affine, guarded->terms[i], tile->axis[LANES]) &&
            affine_varies(c->affine, guarded->terms[i], tile->axis[ACROSS]))
            return true;
    return false;
}

/* Whether loops have loads for either side of the tile that are the same along that one alone, as a
** product's two factors are. */
static bool is_product(const Count *c, const Tile *tile)
{
    int lanes = tile->axis[LANES], across = tile->axis[ACROSS];
    return across >= 0 && c->along[lanes].spread[across] && c->along[across].spread[lanes];
}

/* How many accesses move by one along the lanes: where conditions in loops differ within a tile
** only those that no condition leaves out. */
static int along_lanes(const Count *c, const Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    bool asked = c->asked[tile->axis[LANES]] || c->asked[tile->axis[ACROSS]];
    return asked ? lanes->always : lanes->dense;
}

/* The work that a thread of a product may do so that each multiprocessor still gets some blocks:
** that of 64 threads, or of 16; of 8, in blocks of half as many threads; else that of four. */
typedef enum Supply { FOR_64, FOR_16, FOR_8, FOR_4 } Supply;

/* `wide`: the neighbours along the lanes that a thread takes. */
static Supply supply_of(const IrUnit *unit, const Count *c, int wide, bool slant)
{
    IrLaunch *launch = unit->launch;
    if (wide == 4 && !slant && c->nodes * 64 <= NODES_MAX &&
        launch_large_grid(launch, GRID_COARSENS_64) && launch_large_grid(launch, GRID_BROAD))
        return FOR_64;
    if (launch_large_grid(launch, GRID_COARSENS_16) ||
        (wide == 4 && launch_large_grid(launch, GRID_BROAD)))
        return FOR_16;
    return launch_large_grid(launch, GRID_COARSENS_8) ? FOR_8 : FOR_4;
}

/* Products of matrices and the like: tiles of both axes, small ones in triangles, and where lanes
** have a short axis. Blocks have half as many threads where there are few, and where loops begin or
** end at the index, so that what is left of a block waits for less. */
static bool choose_product(IrUnit *unit, const Count *c, const Guarded *guarded, bool short_lanes,
                           Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    if (!is_product(c, tile) || !along_lanes(c, tile))
        return false;
    bool slant = has_slant(c, guarded, tile);
    int wide = slant && !short_lanes ? 4 : neighbours(lanes->bytes, short_lanes ? 2 : 4);
    Supply supply = supply_of(unit, c, wide, slant);
    bool twice = supply == FOR_16 && wide < 4 && !short_lanes; /* instead of wide accesses */
    bool longer = supply == FOR_16 && short_lanes;
    tile->count[LANES][NEAR] = supply == FOR_4 && wide > 2 ? 2 : wide;
    tile->count[LANES][APART] = supply == FOR_64 || twice ? 2 : 1;
    tile->count[ACROSS][NEAR] = supply == FOR_64 || longer ? 8 : supply == FOR_4 ? 2 : 4;
    tile_set_block(tile, tile->axis[LANES], 16, supply >= FOR_8 || c->slants ? 8 : 16);
    return true;
}

/* The same of few channels, as convolutions have them: blocks are long, if all axes are but that of
** the channels, and their threads go through GRID_CHANNELS of these. Borders may be asked along the
** lanes. */
static bool choose_channels(IrUnit *unit, const Count *c, const Guarded *guarded, Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    if (!is_product(c, tile))
        return false;
    bool bordered = c->asked[tile->axis[LANES]] && !c->asked[tile->axis[ACROSS]];
    int loaded = bordered ? lanes->dense : along_lanes(c, tile);
    if (loaded <= lanes->stored || has_slant(c, guarded, tile) ||
        !launch_large_grid(unit->launch, GRID_COARSENS_16) ||
        !launch_along_32(unit->launch, tile->axis[ACROSS]))
        return false;
    bool wide = lanes->wide + lanes->sliding > 0;
    tile->count[LANES][NEAR] = wide ? neighbours(lanes->bytes, 4) : 2;
    tile->count[LANES][APART] = wide ? 1 : 2;
    int across = launch_large_grid(unit->launch, GRID_BROAD) ? 4 : 8;
    tile->count[ACROSS][NEAR] = GRID_CHANNELS / across;
    tile_set_block(tile, tile->axis[LANES], across == 4 ? 64 : 16, (uint32_t)across);
    return true;
}

static void swap_axes(Tile *tile)
{
    int lanes = tile->axis[LANES];
    tile->axis[LANES] = tile->axis[ACROSS];
    tile->axis[ACROSS] = lanes;
}

/* Rows that begin anywhere: lanes go along stores, as memory would have to merge parts of a sector;
** sectors that are loaded in parts stay in the cache meanwhile. */
static bool choose_stores(const Along along[3], Tile *tile)
{
    if (along[tile->axis[ACROSS]].stored > along[tile->axis[LANES]].stored)
        swap_axes(tile);
    tile->count[ACROSS][APART] = STORES_APART;
    tile_set_block(tile, tile->axis[LANES], 32, 8);
    return true;
}

/* Transposes: some accesses move along one axis, some along the other. */
static bool choose_square(const Count *c, Tile *tile)
{
    if (tile->axis[ACROSS] < 0)
        return false;
    const Along *lanes = &c->along[tile->axis[LANES]], *across = &c->along[tile->axis[ACROSS]];
    size_t bytes = lanes->bytes > across->bytes ? lanes->bytes : across->bytes;
    if (!lanes->always || !across->turned || (lanes->always + across->always) * 2 < c->total)
        return false;
    if (!lanes->wide && !across->wide)
        return choose_stores(c->along, tile);
    tile->count[LANES][NEAR] = tile->count[ACROSS][NEAR] = neighbours(bytes, SQUARE_MAX);
    tile_set_block(tile, tile->axis[LANES], 8, 32);
    return true;
}

/* Neighbours along the lanes: where accesses become wide, where windows slide along with the index
** so that neighbours share most of what they load, or, in loops that each thread makes by itself,
** as over rows of compressed matrices, where they share loads. */
static bool choose_row(const Count *c, bool together, Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    int wide = lanes->wide + lanes->sliding;
    int shared = lanes->sliding || !together ? lanes->shared : 0;
    /* where most jump, lanes that have neighbours of their own reach more sectors at once, as where
    ** stores go to interleaved channels: memory would have to merge parts of them */
    if ((wide + shared) * 2 < c->total || wide <= lanes->jumping || lanes->queued || lanes->spaced)
        return false;
    tile->count[LANES][NEAR] = neighbours(lanes->bytes, NEIGHBOURS_MAX);
    return true;
}

/* Whether enough threads are left to hide the latency of memory: those with loops wait for it again
** and again. */
static bool hides_enough(IrUnit *unit, const Guarded *guarded)
{
    return !guard_has_loop(guarded) || launch_large_grid(unit->launch, GRID_COARSENS_64);
}

/* Whether most loads slide, or are the same for all: neighbours that make them once for all wait
** less often, so that fewer threads are enough. */
static bool slides_enough(const Count *c, const Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    return lanes->sliding && (lanes->sliding + lanes->shared) * 2 >= c->total &&
           launch_large_grid(c->unit->launch, GRID_COARSENS_16);
}

/* Not where rows may be short and threads have loops: the last thread of each row, whose tile is
** not whole, would make its loops for one neighbour after the other while its warp waits. */
static bool is_row(const Count *c, const Guarded *guarded, bool enough, bool together, Tile *tile)
{
    if (tile->axis[ACROSS] >= 0 && guard_has_loop(guarded) &&
        !launch_large_grid(c->unit->launch, GRID_BROAD))
        return false;
    return (enough || hides_enough(c->unit, guarded) || slides_enough(c, tile)) &&
           choose_row(c, together, tile);
}

/* Whether what goes along lanes is the same down a column, as in sums of rows and columns. */
static bool is_down_columns(const Count *c, const Tile *tile)
{
    for (int i = 0; i < c->load_count; i++) {
        const IrValue *load = c->loads[i];
        if (count_varies(c, load->operands[0], load->operands + 1, tile->axis[LANES]) &&
            !count_varies(c, load->operands[0], load->operands + 1, tile->axis[ACROSS]))
            return true;
    }
    return false;
}

void tile_swap_block(Tile *tile)
{
    uint8_t third = tile->launched[2];
    tile->launched[2] = tile->launched[1];
    tile->launched[1] = third;
}

/* Blocks of columns are long, so that neighbouring warps load from the same rows; or, with a third
** axis, they go along that one, so that the planes on either side are loaded by one block, unless
** no plane's threads load what others do. */
static void set_column_block(const Count *c, Tile *tile)
{
    uint8_t third = tile->launched[2];
    if (tile->axis[ACROSS] < 0 || tile->axis[ACROSS] != tile->launched[1])
        return;
    if (!c->along[third].used) {
        tile_set_block(tile, tile->axis[LANES], 128, 2);
        return;
    }
    bool planes = c->along[third].apart > 1 && !count_reused(c, third);
    if (!planes || !count_reused(c, tile->axis[ACROSS]))
        tile_swap_block(tile);
}

bool tile_has_plenty(const Count *c)
{
    return launch_large_grid(c->unit->launch, GRID_COARSENS_64) ||
           launch_blocks_from_4096(c->unit->launch);
}

static bool is_loaded_before(const Count *c, int index)
{
    bool before = false;
    for (int k = 0; k < index && !before; k++)
        before = ir_same_value(c->loads[index], c->loads[k]);
    return before;
}

/* How many elements a thread loads. */
static int count_own(const Count *c)
{
    int count = 0;
    for (int i = 0; i < c->load_count; i++)
        count += !is_loaded_before(c, i);
    return count;
}

/* Whether what two threads load has room in registers. */
static bool fits_twice(const Count *c)
{
    int bytes = 0;
    for (int i = 0; i < c->load_count; i++)
        bytes += is_loaded_before(c, i) ? 0 : (int)type_size(c->loads[i]->type);
    return 2 * bytes <= HELD_BYTES;
}

/* Whether conditions in loops differ along the lanes, but are the same for all of a column. */
static bool asks_together(const Count *c, const Tile *tile)
{
    int across = tile->axis[ACROSS];
    return across >= 0 && c->asked[tile->axis[LANES]] && !c->asked[across];
}

/* The bytes that a lane brings, less those that all lanes or its neighbours bring; all, if none. */
static int bytes_brought(const Count *c, int axis)
{
    int bytes = 0;
    for (int i = 0; i < c->load_count; i++) {
        const IrValue *load = c->loads[i];
        bool again =
            is_loaded_before(c, i) || !count_varies(c, load->operands[0], load->operands + 1, axis);
        for (int k = 0; k < i && !again; k++)
            again = are_apart(c, load, c->loads[k], axis);
        bytes += again ? 0 : (int)type_size(load->type);
    }
    return bytes ? bytes : c->bytes;
}

/* How many threads of a column one stands for: as many as bring ROWS_BYTES at once; more where they
** share loads, as far as registers hold these, and most where elements are small or conditions in
** loops are shared, too. */
static int column_of(const Count *c, const Along *lanes, bool reused, bool asks)
{
    bool flat = !(c->along[0].used && c->along[1].used && c->along[2].used);
    int words = flat && lanes->bytes > 4 ? (fits_twice(c) ? ROWS_WORDS / 2 : 1) : ROWS_WORDS;
    int shared = lanes->bytes > 2 && !asks ? words : ROWS_MAX;
    int count = reused ? shared : ROWS_BYTES / bytes_brought(c, (int)(lanes - c->along));
    int most = tile_has_plenty(c) ? ROWS_MAX : 2;
    while (count > 1 && (count > most || count * c->nodes > COLUMN_NODES || (count & (count - 1))))
        count--;
    return count < 1 ? 1 : count;
}

/* Whether a third of the accesses are loads in loops that all of a column share, and so many
** threads were asked for that a quarter of them still hides the latency of memory. */
static bool shares_in_loops(const Count *c, const Tile *tile)
{
    uint32_t block[3];
    return tile->axis[ACROSS] >= 0 && c->along[tile->axis[ACROSS]].shared * 3 >= c->total &&
           launch_blocks_from_4096(c->unit->launch) && launch_block(c->unit->launch, block) &&
           block[0] * block[1] * block[2] >= BLOCK_LARGE;
}

/* Several threads of a column, as rows may begin anywhere: windows share loads, and more loads are
** under way at once. Of threads of one axis several a block apart, if all accesses move by one. Not
** where words are stored to channels side by side, which other rows' stores would come between. */
static bool choose_column(const Count *c, bool both, Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    bool shares = both && shares_in_loops(c, tile);
    if (lanes->dense + lanes->close < lanes->far || (!c->bytes && !shares) ||
        (lanes->spaced > 1 && lanes->spaced == lanes->close) ||
        (!both && lanes->far + lanes->strided) || lanes->dense + lanes->close <= lanes->jumping)
        return false;
    bool reused =
        !c->bytes || (both && (count_reused(c, tile->axis[ACROSS]) || is_down_columns(c, tile)));
    tile->count[both ? ACROSS : LANES][both ? NEAR : APART] =
        column_of(c, lanes, reused, asks_together(c, tile));
    set_column_block(c, tile);
    return true;
}

static bool is_column(const Count *c, const Guarded *guarded, bool both, Tile *tile)
{
    return (hides_enough(c->unit, guarded) || (both && shares_in_loops(c, tile))) &&
           choose_column(c, both, tile);
}

/* Threads of one axis without loops that compute the indices of their loads: several a block apart
** have more loads under way, and stores still lie side by side, all of them or in pieces. A thread
** of many loads has enough under way, and several of them would take too many registers. */
static bool choose_computed(const Count *c, const Guarded *guarded, Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    if (!lanes->jumping || lanes->far > lanes->jumping || lanes->strided || lanes->queued ||
        lanes->stored + lanes->pieces == 0 || c->unit->kernel->effects & EFFECT_ATOMIC ||
        guard_has_loop(guarded) || !tile_has_plenty(c) ||
        COMPUTED_APART * count_own(c) > COMPUTED_LOADS)
        return false;
    tile->count[LANES][APART] = COMPUTED_APART;
    return true;
}

/* Threads of one axis whose loops compute functions that are the same for all of them: several a
** block apart compute these once. */
static bool choose_alike(const Count *c, Tile *tile)
{
    if (!c->alike || !tile_has_plenty(c) || c->along[tile->axis[LANES]].queued)
        return false;
    tile->count[LANES][APART] = COMPUTED_APART;
    return true;
}

/* Two rows of wide accesses, where windows of threads below one another share loads. */
static void choose_second_row(const Count *c, Tile *tile)
{
    if (count_reused(c, tile->axis[ACROSS]) && tile_has_plenty(c) &&
        2 * tile_size(tile) * c->nodes <= NODES_MAX)
        tile->count[ACROSS][NEAR] = 2;
}

/* Checkerboards: of two neighbours one has work, the same one in each lane of a warp. With three
** axes blocks have more rows of one plane, as windows reach the rows on either side. */
static bool choose_checkered(const Count *c, Tile *tile)
{
    int other = 3 - tile->axis[LANES] - tile->axis[ACROSS];
    bool space = tile->axis[ACROSS] >= 0 && c->along[other].used;
    tile->count[LANES][NEAR] = 2;
    if (space && c->along[other].apart < c->along[tile->axis[ACROSS]].apart)
        tile->axis[ACROSS] = other;
    if (tile->axis[ACROSS] >= 0)
        tile_set_block(tile, tile->axis[LANES], space ? 32 : 64, space ? 8 : 4);
    return true;
}

/* Threads along an axis that add to one element by atomics: a tile of them adds once, of as many as
** leave enough threads. Where all lanes add to one element, the threads of a tile lie a block
** apart, so that rows may begin anywhere, unless they are loaded by wide accesses or are neighbours
** with one quotient. What lanes still share is left to `runs`. */
static bool choose_summed(const Count *c, bool both, Tile *tile)
{
    const Along *lanes = &c->along[tile->axis[LANES]];
    const Along *across = both ? &c->along[tile->axis[ACROSS]] : NULL;
    bool down = across && across->summed;
    int most = tile_has_plenty(c) ? SUMMED_MOST : SUMMED_MOST / 4;
    if ((!lanes->summed && !down) || lanes->dense + lanes->close <= lanes->far || !c->bytes)
        return false;
    if (down)
        tile->count[ACROSS][NEAR] = lanes->summed || across->grouped ? most / 2 : most;
    if (lanes->summed && lanes->wide)
        tile->count[LANES][NEAR] = neighbours(lanes->bytes, NEIGHBOURS_MAX);
    else if (lanes->summed && !lanes->grouped)
        tile->count[LANES][APART] = down ? 2 : most;
    int *count = tile->count[down ? ACROSS : LANES];
    int *longest = count[NEAR] > count[APART] ? &count[NEAR] : &count[APART];
    while (*longest > 1 && tile_size(tile) * c->nodes > COLUMN_NODES)
        *longest /= 2;
    return true;
}

/* Whether threads do the work of several, and which tile: none where the iterations of loops differ
** along the lanes; where they differ along the other axis alone, neighbours along the lanes. */
static bool is_tiled(IrUnit *unit, const Count *c, const Guarded *guarded, bool enough, Tile *tile)
{
    bool together = tile->axis[ACROSS] < 0 || !c->divergent[tile->axis[ACROSS]];
    if (c->privates || c->divergent[tile->axis[LANES]] || c->doubles > DOUBLES_MOST)
        return false;
    bool short_lanes = !enough && !launch_along_64(unit->launch, tile->axis[LANES]);
    if (!enough && !launch_large_grid(unit->launch, GRID_COARSENS_4))
        return false;
    if (short_lanes && !launch_along_32(unit->launch, tile->axis[LANES]))
        return tile_pixels(c, guarded, tile) && tile_size(tile) * c->nodes <= COLUMN_NODES;
    bool loops = false;
    for (int axis = 0; axis < 3; axis++)
        for (int other = 0; other < 3; other++)
            loops |= c->along[axis].spread[other] > 0;
    bool both =
        together && tile->axis[ACROSS] >= 0 && launch_along_64(unit->launch, tile->axis[ACROSS]);
    if (c->checkered[tile->axis[LANES]] && !enough && hides_enough(unit, guarded))
        return choose_checkered(c, tile);
    if (!enough && together && !short_lanes && choose_summed(c, both, tile))
        return tile_size(tile) > 1;
    bool tiled = both && (loops ? choose_product(unit, c, guarded, short_lanes, tile)
                                : !short_lanes && choose_square(c, tile));
    if (!tiled && short_lanes)
        return false;
    tiled = tiled || (!both && together && loops && choose_channels(unit, c, guarded, tile));
    bool row = !tiled && is_row(c, guarded, enough, together, tile);
    if (row && both)
        choose_second_row(c, tile);
    if (!tiled && !row && (enough || !together)) /* loops by strides go by neighbours alone */
        return false;
    if (!tiled && !row && !is_column(c, guarded, both, tile) &&
        !(both ? tile_jumping(c, guarded, tile)
               : choose_computed(c, guarded, tile) || choose_alike(c, tile)))
        return false;
    int most = tiled || row ? NODES_MAX : COLUMN_NODES;
    return tile_size(tile) > 1 && tile_size(tile) * c->nodes <= most;
}

/* Threads that do their own work alone, in blocks whose warps go along memory, where the blocks
** that were asked for have others. */
static bool goes_along_memory(IrUnit *unit, const Count *c, Tile *tile)
{
    int axis = tile->axis[LANES];
    const Along *lanes = &c->along[axis];
    bool near = lanes->dense + lanes->close > lanes->far + lanes->jumping ||
                (axis != 0 && lanes->inside > c->along[0].inside);
    uint32_t block[3];
    return tile->axis[ACROSS] >= 0 && !c->divergent[axis] && c->nodes <= WAITING_NODES * c->total &&
           near && launch_large_grid(unit->launch, GRID_COARSENS_4) &&
           launch_along_64(unit->launch, axis) && launch_block(unit->launch, block) &&
           (axis != 0 || block[0] < tile->block[0]);
}

static void set_gaps(Tile *tile)
{
    for (int side = 0; side < SIDES; side++)
        tile->gap[side] = tile->count[side][NEAR] * (int64_t)tile->block[side];
}

bool tile_choose(IrUnit *unit, const IrAffine *affine, const Guarded *guarded, bool enough,
                 Tile *tile)
{
    const Tile none = { .count = { { 1, 1 }, { 1, 1 } } };
    Count c = { .unit = unit, .affine = affine, .weight = 1 };
    c.sums = ir_polynomials(unit->arena, unit->kernel);
    c.sums.whole = true;
    count_all(&c, unit, guarded);
    *tile = none;
    tile->axis[LANES] = best_lanes(&c);
    if (tile->axis[LANES] < 0 || !c.total)
        return false;
    tile->axis[ACROSS] = best_across(&c, tile->axis[LANES]);
    if (schedule_is_given(unit)) {
        bool given = tile_given(unit, c.privates, tile);
        set_gaps(tile);
        return given;
    }
    bool flat = tile->axis[ACROSS] < 0;
    tile_set_block(tile, tile->axis[LANES], flat ? 256 : 32, flat ? 1 : 8);
    const Tile alone = *tile;
    bool pays = is_tiled(unit, &c, guarded, enough, tile);
    if (!pays) {
        *tile = alone;
        pays = !enough && goes_along_memory(unit, &c, tile);
    }
    set_gaps(tile);
    return pays;
}

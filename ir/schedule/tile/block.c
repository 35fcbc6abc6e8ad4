/* Threads that know their block, share its memory and meet: loops as in tiles.c, with a block for a
** tile.
**
**     part[t] = x[grid(0)]                for at_x in 0 to 256 any order
**     eval syncthreads()                      part[at_x] = x[block_x + at_x]
**     half = 128                          half = 128
**     while half > 0                      while half > 0
**         if t < half                         end_x = min(256, half)
**             part[t] += part[t + half]       for at_x in 0 to end_x any order
**         eval syncthreads()      becomes         part[at_x] += part[at_x + half]
**         half = half // 2                    half = half // 2
**
** What stands between two meetings is one or more nests of loops over the threads of the block; a
** bound on the index in the block is a bound of these; the meetings are gone. Loops by the stride
** of the grid or of the block access what lies side by side.
**
** Legal where
** - all threads come to each syncthreads(): what stands around one depends on values that are the
**   same for all of the block, cheap and read no memory, and no thread ends before;
** - between two meetings threads are on their own (independent.c): they wait for no other, do not
**   use what an atomic found, exchange nothing in a warp, order nothing by fences. A program
**   without races cannot tell then in which order they run, statement by statement.
** - The block's size is known: that is asked of the launch.
** It pays wherever it can be done. Other kernels that meet are split by the emitter
** (codegen/emit/threads/split_barriers.c). */
#include "ir/schedule/schedule.h"
#include "ir/schedule/tile/tiles.h"

/* The axes along which a block has more than one thread, 1 << axis; one at least. */
static unsigned set_sizes(Tiles *tiles, const uint32_t block[3])
{
    unsigned axes = 0;
    for (int axis = 0; axis < 3; axis++) {
        tiles->along[axis] = block[axis];
        axes |= (block[axis] > 1) << axis;
    }
    return axes ? axes : 1;
}

static bool plan(Tiles *tiles, const uint32_t *sizes, const char **why)
{
    IrUnit *unit = tiles->unit;
    uint32_t block[3];
    *why = ir_dependent_in_block(unit, &tiles->where);
    if (*why)
        return false;
    if (!launch_block(unit->launch, block)) {
        *why = "how large a block is is not known";
        tiles->where = unit->kernel->span;
        return false;
    }
    unsigned axes = set_sizes(tiles, sizes ? sizes : block);
    tiles_begin_strides(unit, sizes ? sizes : block);
    if (!tiles_plan(tiles)) {
        *why = tiles->why;
        return false;
    }
    if (tiles_kept_bytes(tiles) * block[0] * block[1] * block[2] > STACK_MOST) {
        *why = "each keeps too much";
        tiles->where = unit->kernel->span;
        return false;
    }
    tiles_choose_order(tiles, axes);
    return true;
}

/* What the schedule has; NULL: nothing. */
static Directive *take(Tiles *tiles)
{
    Directive own = { DO_BLOCK_LOOPS, .axis_count = tiles->axes };
    unsigned axes = 0;
    for (int i = 0; i < tiles->axes; i++) {
        own.axes[i] = (uint8_t)tiles->order[i];
        axes |= 1u << own.axes[i];
    }
    Directive *given = schedule_take(tiles->unit, own, true);
    for (int i = 0; given && i < given->axis_count; i++)
        axes &= ~(1u << given->axes[i]);
    if (given && (given->axis_count != tiles->axes || axes)) {
        schedule_refuse(tiles->unit, own, (Span){ 0 }, "it names other axes than the block has");
        return NULL;
    }
    for (int i = 0; given && i < given->axis_count; i++)
        tiles->order[i] = given->axes[i];
    return given;
}

void tiles_of_block(IrUnit *unit, const uint32_t *block)
{
    Tiles tiles = { .unit = unit, .block = true };
    const char *why;
    Span span = unit->kernel->body.first->span;
    if (!plan(&tiles, block, &why)) {
        schedule_refuse_all(unit, DO_BLOCK_LOOPS, tiles.where, why);
        ir_remark(unit, tiles.where, "threads of a block are not loops along memory: %s", why);
        return;
    }
    Directive *directive = take(&tiles);
    if (!directive)
        return;
    unit->kernel->body = tiles_make(&tiles, NULL);
    schedule_done(directive);
    unit->shape.whole = true;
    ir_effects(unit);
    ir_dce(unit);
    tiles_through(unit);
    ir_remark(unit, span, "threads of a block are loops, the innermost along %c",
              "xyz"[tiles.order[tiles.axes - 1]]);
}

/* A thread's index among all, however it is written, as grid(axis), and their number as
** gridsize(axis):
**
**     pos = add(cast<int64>(tx), mul(cast<int64>(ty), cast<int64>(bw)))
** becomes, where tx is set to thread_idx(0), ty to block_idx(0) and bw to block_dim(0),
**     pos = grid(0)
**
** Along an axis of which blocks have one thread, as launches show, a block's index is grid(axis),
** too, and the number of blocks gridsize(axis); a thread's index in the block is 0:
**
**     c = block_idx(1)
** becomes
**     c = cast<int32, fits>(grid(1))
** But where threads of a block wait for one another it counts for more that all of them have the
** same index of their block: conditions and loops around barriers ask for it.
**
** Legal everywhere, since sums and products of indices are taken not to overflow; what is said of
** blocks of one thread only as long as no pass has given blocks another shape. It pays before
** passes that look for grid(). */
#include "ir/schedule/coarsen/coarsen.h"

typedef struct Grid {
    Arena *arena;
    IrUnit *unit;
    IrSets sets;
} Grid;

/* Whether blocks are known to have one thread along an axis: those that the launch asks for, as
** long as no pass has given them another shape. */
static bool is_single(const Grid *p, int axis)
{
    const IrShape *shape = &p->unit->shape;
    uint32_t block[3];
    return !shape->changed && launch_block(p->unit->launch, block) &&
           block[launch_axis(shape, axis)] == 1;
}

/* A number of the grid along an axis, which launches of few threads have as an int32, too. */
static IrValue *of_grid(const Grid *p, IrIntrinsic asked, const IrValue *value)
{
    IrValue *made = ir_cast(p->arena, value->type,
                            ir_axis(p->arena, asked, value->index, value->span), value->span);
    if (made->op == OP_cast && launch_narrow(p->unit->launch))
        made->index = CAST_FITS;
    return made;
}

/* What stands for a place among blocks of one thread, or for their number; NULL: it is neither. */
static IrValue *of_single(void *context, IrValue *value)
{
    const Grid *p = context;
    if (value->op != OP_intrinsic || value->intrinsic > INTR_grid_dim ||
        !is_single(p, value->index))
        return NULL;
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return ir_integer(p->arena, value->type, 0, value->span);
    case INTR_block_dim:
        return ir_integer(p->arena, value->type, 1, value->span);
    case INTR_block_idx:
        return of_grid(p, INTR_grid, value);
    case INTR_grid_dim:
        return of_grid(p, INTR_gridsize, value);
    default:
        return NULL;
    }
}

/* An index or a number of threads that is written out. */
static IrValue *of_parts(void *context, IrValue *value)
{
    const Grid *p = context;
    int index = value->op == OP_add ? ir_thread_axis(&p->sets, value) : -1;
    int threads = value->op == OP_mul ? ir_threads_axis(&p->sets, value) : -1;
    if (!type_is_integer(value->type) || (index < 0 && threads < 0))
        return NULL;
    IrValue *grid = index >= 0 ? ir_axis(p->arena, INTR_grid, index, value->span)
                               : ir_axis(p->arena, INTR_gridsize, threads, value->span);
    return ir_cast(p->arena, value->type, grid, value->span);
}

void ir_grid_indices(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    Grid p = { unit->arena, unit, ir_sets(unit->arena, fn, &fn->body) };
    ir_replace_in(&fn->body, of_parts, &p);
    ir_dce(unit); /* names of the parts: what is left of these asks for the block's shape */
    if (!(fn->effects & EFFECT_BLOCK_SYNC))
        ir_replace_in(&fn->body, of_single, &p);
}

static bool is_one(const IrUnit *unit, const IrSets *sets, const IrValue *value)
{
    if (ir_uniform_value(value))
        return true;
    const IrValue *held = value->op == OP_var ? sets_value(sets, value->var) : NULL;
    if (held)
        return is_one(unit, sets, held);
    if (ir_is_intrinsic(value, INTR_grid))
        return unit->shape.free && unit->shape.block[value->index] == 1;
    bool one = value->count > 0 && ir_value_effects(value) == EFFECT_NONE;
    for (int i = 0; i < value->count; i++)
        one = one && is_one(unit, sets, value->operands[i]);
    return one;
}

bool ir_one_of_block(const IrUnit *unit, const IrSets *sets, const IrValue *value)
{
    return sets_is_short(sets, value) && is_one(unit, sets, value);
}

/* ---- others in their stead ------------------------------------------------------------------- */

typedef struct Put {
    Arena *arena;
    IrVar *const *indices, *const *threads;
} Put;

static IrValue *put_for(void *context, IrValue *value)
{
    const Put *put = context;
    IrIntrinsic asked = value->op == OP_intrinsic ? value->intrinsic : INTR_COUNT;
    if (asked == INTR_grid && put->indices)
        return ir_var(put->arena, put->indices[value->index], value->span);
    return asked == INTR_gridsize ? ir_var(put->arena, put->threads[value->index], value->span)
                                  : NULL;
}

void ir_put_indices(Arena *arena, const IrRegion *body, IrVar *const *indices,
                    IrVar *const *threads)
{
    Put put = { arena, indices, threads };
    ir_replace_in(body, put_for, &put);
}

/* ---- which axes ---------------------------------------------------------------------------- */

typedef struct Asked {
    int axes;
    bool fine, size;
} Asked;

static void note_index(void *context, IrValue *value)
{
    Asked *asked = context;
    if (ir_is_intrinsic(value, INTR_grid))
        asked->fine &= value->index < asked->axes;
    if (ir_is_intrinsic(value, INTR_gridsize))
        asked->fine &= asked->size && value->index < asked->axes;
}

static void note_axis(void *context, IrValue *value)
{
    if (ir_is_intrinsic(value, INTR_grid))
        *(unsigned *)context |= 1u << value->index;
}

unsigned ir_axes_asked(const IrFunc *fn)
{
    unsigned axes = 0;
    ir_each_node_in(&fn->body, note_axis, &axes);
    return axes;
}

bool ir_goes_along(const IrFunc *fn, int axes, bool size)
{
    Asked asked = { axes, true, size };
    ir_each_node_in(&fn->body, note_index, &asked);
    return asked.fine;
}

void ir_shape_blocks(IrUnit *unit, int threads)
{
    IrShape *shape = &unit->shape;
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = (uint8_t)launch_axis(shape, k);
        shape->block[k] = k ? 1 : (uint32_t)threads;
        shape->tile[k] = 1;
    }
    shape->changed = shape->free = true;
    unit->kernel->options.launch_threads = threads;
    unit->kernel->options.launch_blocks = 0;
}

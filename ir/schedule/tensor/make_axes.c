/* The tiles of a block, where the kernel got its axes from unfold.c: tiles are numbered, and blocks
** go through them by the stride of the grid.
**
**     for tile in block to tiles by blocks
**         first row, first column, layer = where that tile begins
**
** Where one index was split (Axes.levels), tiles end at the last row and column that a thread was
** asked for; what the last row lacks is left out by axes_have(). */
#include "ir/schedule/tensor/make.h"

static IrValue *divided_up(const TensorBuild *m, IrValue *value, IrValue *by)
{
    IrValue *more = build_plus(m->b, build_copy(m->b, by), -1);
    return build_op(m->b, OP_floordiv, build_op(m->b, OP_add, value, more), by);
}

static IrValue *at_least(const TensorBuild *m, IrValue *value, int64_t least)
{
    return ir_is_constant(value) && value->constant.integer >= least
               ? value
               : build_max(m->b, value, least);
}

/* The divisor of an index at a level. */
static IrValue *divisor(const TensorBuild *m, int level)
{
    return at_least(m, build_copy(m->b, m->p->axes.count[level]), 1);
}

/* Sets m->flat: how many values the index that is split has. As many as threads were asked for, or
** iterations, or fewer, if a condition bounds it. */
static void append_flat(TensorBuild *m, IrRegion *out)
{
    IrValue *flat = m->p->axes.flat;
    IrValue *threads = flat ? build_copy(m->b, flat) : build_var(m->b, m->threads[0]);
    IrValue *end = m->p->flat_end ? build_copy(m->b, m->p->flat_end) : NULL;
    m->flat = build_let(m->b, "_flat",
                        at_least(m, end ? build_min(m->b, threads, end) : threads, 0), out);
}

/* How many indices there are along x or y, if the index that is split has `all` values. */
static IrValue *along_flat(const TensorBuild *m, int axis, IrValue *all)
{
    if (axis == 0)
        return build_min(m->b, divisor(m, 0), all);
    IrValue *rows = divided_up(m, all, divisor(m, 0));
    return m->p->axes.levels > 1 ? build_min(m->b, divisor(m, 1), rows) : rows;
}

/* How many layers there are; one, if nothing goes along the third axis. */
static IrValue *layers(const TensorBuild *m)
{
    const Axes *axes = &m->p->axes;
    if (axes->levels)
        return axes->levels == 1 ? build_int(m->b, 1)
                                 : divided_up(m, build_var(m->b, m->flat),
                                              build_op(m->b, OP_mul, divisor(m, 0), divisor(m, 1)));
    const IrValue *count = axes->count[m->p->layer];
    return count ? at_least(m, build_copy(m->b, count), 0)
                 : build_var(m->b, m->threads[m->p->layer]);
}

/* How many indices a factor's axis has. `all`: how many values the index that is split has; NULL:
** none is split. */
static IrValue *count_of_factor(const TensorBuild *m, int f, const IrVar *all)
{
    const Product *p = m->p;
    int axis = p->factor[f].axis;
    IrValue *count = p->axes.levels        ? along_flat(m, axis, build_var(m->b, all))
                     : p->axes.count[axis] ? build_copy(m->b, p->axes.count[axis])
                                           : build_var(m->b, m->threads[axis]);
    return at_least(
        m, p->end[axis] ? build_min(m->b, count, build_copy(m->b, p->end[axis])) : count, 0);
}

/* How many values of the index that is split there are from the layer at hand on. */
static IrVar *append_rest(const TensorBuild *m, IrRegion *out)
{
    if (m->p->axes.levels < 2)
        return m->flat;
    IrValue *before = build_op(m->b, OP_mul, m->index[m->p->layer],
                               build_op(m->b, OP_mul, divisor(m, 0), divisor(m, 1)));
    return build_let(m->b, "_rest", build_op(m->b, OP_sub, m->flat, before), out);
}

static IrValue *block_axis(const TensorBuild *m, IrIntrinsic which)
{
    return build_cast(m->b, type_int64, ir_axis(m->b->arena, which, 0, m->b->span));
}

/* The loop over the tiles of a block; gives its body. */
static IrRegion *append_tile_loop(const TensorBuild *m, IrVar *tile, IrValue *tiles, IrRegion *out)
{
    IrStmt *loop = ir_for(m->b->arena, tile, block_axis(m, INTR_block_idx), tiles,
                          block_axis(m, INTR_grid_dim), m->b->span);
    ir_append(out, loop);
    return &loop->for_.body;
}

static IrValue *tile_part(const TensorBuild *m, IrOp op, const IrVar *tile, const IrVar *count)
{
    return build_op(m->b, op, build_var(m->b, tile), at_least(m, build_var(m->b, count), 1));
}

IrRegion *axes_tiles(TensorBuild *m, IrRegion *out)
{
    IrVar *tiles[FACTORS], *tile = build_counter(m->b, "_tile");
    if (m->p->axes.levels)
        append_flat(m, out);
    for (int f = 0; f < FACTORS; f++)
        tiles[f] = build_let(
            m->b, f == FACTOR_ROWS ? "_rows_of_tiles" : "_columns_of_tiles",
            divided_up(m, count_of_factor(m, f, m->flat), build_int(m->b, m->tile->size[f])), out);
    IrValue *a_layer = build_op(m->b, OP_mul, tiles[FACTOR_ROWS], tiles[FACTOR_COLUMNS]);
    out = append_tile_loop(m, tile, build_op(m->b, OP_mul, a_layer, layers(m)), out);

    IrVar *above =
        build_let(m->b, "_above", tile_part(m, OP_floordiv, tile, tiles[FACTOR_COLUMNS]), out);
    m->index[m->p->layer] =
        build_let(m->b, "_layer", tile_part(m, OP_floordiv, above, tiles[FACTOR_ROWS]), out);
    IrVar *rest = m->p->axes.levels ? append_rest(m, out) : NULL;
    for (int f = 0; f < FACTORS; f++) {
        bool rows = f == FACTOR_ROWS;
        IrValue *number = tile_part(m, OP_mod, rows ? above : tile, tiles[f]);
        m->first[f] = build_let(m->b, rows ? "_row_first" : "_column_first",
                                build_times(m->b, number, m->tile->size[f]), out);
        m->end[f] = build_let(m->b, rows ? "_rows" : "_columns", count_of_factor(m, f, rest), out);
    }
    return out;
}

IrValue *axes_have(const TensorBuild *m)
{
    return m->flat ? build_op(m->b, OP_lt, put(m, m->p->axes.index), m->flat) : NULL;
}

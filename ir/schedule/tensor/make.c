/* The tiled product: what a block's threads load, what its warps multiply, what becomes of the
** sums. See tensor.c. */
#include "ir/schedule/tensor/make.h"

enum { ALL_THREADS = 1 << 28 }; /* for a block to stand for all of an axis's threads */

/* ---- the block ------------------------------------------------------------------------------- */

/* Axis of the launch that stands for a factor's: columns come first. */
static int launched(int factor)
{
    return factor == FACTOR_COLUMNS ? 0 : 1;
}

/* How many indices there are along an axis. */
static IrValue *count_along(const TensorBuild *m, int axis)
{
    IrValue *threads = build_var(m->b, m->threads[axis]);
    return m->p->end[axis] ? build_min(m->b, threads, m->p->end[axis]) : threads;
}

/* The number of the block along a factor's axis. Of two that are joined there are as many as would
** do for each index of the farther one: more than enough. */
static IrValue *block_number(const TensorBuild *m, int f)
{
    const Product *p = m->p;
    IrValue *block =
        build_cast(m->b, type_int64, ir_axis(m->b->arena, INTR_block_idx, launched(f), m->b->span));
    if (!is_joined(m, f))
        return block;
    IrValue *behind = build_plus(m->b, m->threads[p->joined_to], m->tile->size[f] - 1);
    IrValue *blocks = build_op(m->b, OP_floordiv, behind, m->tile->size[f]);
    IrValue *far =
        build_cast(m->b, type_int64, ir_axis(m->b->arena, INTR_block_idx, 2, m->b->span));
    return build_op(m->b, OP_add, block, build_op(m->b, OP_mul, far, blocks));
}

/* Where a factor's indices end: those of two axes are no more than an array has elements. */
static IrValue *end_of(TensorBuild *m, int f, IrRegion *out)
{
    IrValue *end = count_along(m, m->p->factor[f].axis);
    if (!is_joined(m, f))
        return end;
    m->width = build_let(m->b, "_width", build_max(m->b, end, 0), out);
    IrVar *high = build_let(m->b, "_high", build_max(m->b, count_along(m, m->p->joined), 0), out);
    return build_min(m->b, build_op(m->b, OP_mul, m->width, high),
                     build_int(m->b, INT32_MAX - NARROW_SLACK));
}

/* Sets where the block's tile begins and where all end; gives the region for what it does. */
static IrRegion *append_block(TensorBuild *m, IrRegion *out)
{
    if (m->p->axes.made)
        return axes_tiles(m, out);
    static const char *const names[][2] = { { "_row", "_rows" }, { "_column", "_columns" } };
    for (int f = 0; f < FACTORS; f++) {
        m->first[f] = build_let(m->b, arena_printf(m->b->arena, "%s_first", names[f][0]),
                                build_times(m->b, block_number(m, f), m->tile->size[f]), out);
        IrValue *end = end_of(m, f, out);
        m->end[f] = build_temporary(m->b, names[f][1], type_int64);
        build_set(m->b, m->end[f], end, out);
    }
    if (m->p->joined < 0)
        m->index[m->p->layer] =
            build_let(m->b, "_layer", ir_axis(m->b->arena, INTR_grid, 2, m->b->span), out);
    return out;
}

static IrValue *has_places(const TensorBuild *m)
{
    return ir_both(m->b->arena, below(m, m->first[FACTOR_ROWS], m->end[FACTOR_ROWS]),
                   below(m, m->first[FACTOR_COLUMNS], m->end[FACTOR_COLUMNS]));
}

/* `all`, and that the kernel's conditions hold that are the same for all threads of a block, or of
** a part of it. */
static IrValue *has_work(TensorBuild *m, IrValue *all)
{
    const Guarded *guarded = &m->p->guarded;
    for (int i = 0; i < guarded->term_count; i++) {
        const IrValue *term = guarded->terms[i];
        bool own = false;
        for (int f = 0; f < FACTORS; f++)
            own |= affine_varies(&m->p->affine, term, m->p->factor[f].axis) ||
                   (is_joined(m, f) && affine_varies(&m->p->affine, term, m->p->joined));
        if (!own)
            all = ir_both(m->b->arena, all, put(m, term));
    }
    return ir_both(m->b->arena, all, slant_any(m));
}

static void append_warp(TensorBuild *m, IrRegion *out)
{
    const TensorTile *tile = m->tile;
    IrValue *warp = build_thread_index(m->b, 1);
    int64_t across = tile->warps[FACTOR_COLUMNS];
    m->lane = build_let(m->b, "_lane", build_thread_index(m->b, 0), out);
    m->self =
        build_let(m->b, "_self", sum_of(m, m->lane, build_times(m->b, warp, WARP_LANES)), out);
    for (int f = 0; f < FACTORS; f++) {
        IrValue *at = build_thread_index(m->b, 1);
        if (across == 1)
            at = f == FACTOR_ROWS ? at : build_int(m->b, 0);
        else
            at = build_op(m->b, f == FACTOR_ROWS ? OP_floordiv : OP_mod, at, across);
        m->warp[f] = build_let(m->b, f == FACTOR_ROWS ? "_warp_row" : "_warp_column",
                               build_times(m->b, at, tile->size[f] / tile->warps[f]), out);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* The first element that a warp reads of a tile, or its group. */
static void product_indices(const TensorBuild *m, int f, IrVar *buffer, IrValue *indices[3])
{
    bool deep = m->p->factor[f].deep;
    IrValue *along = build_var(m->b, m->warp[f]);
    if (is_grouped(m, f) && f == FACTOR_ROWS)
        along =
            build_times(m->b, build_op(m->b, OP_floordiv, along, TILE_GROUP_ROWS), TILE_GROUP_ROWS);
    bool rows = deep || is_grouped(m, f);
    indices[0] = build_var(m->b, buffer);
    indices[1] = rows ? along : build_int(m->b, 0);
    indices[2] = rows ? build_int(m->b, 0) : along;
}

/* A tile_product, tile_ahead or tile_rest. */
static IrStmt *product_stmt(const TensorBuild *m, IrIntrinsic intrinsic, IrVar *buffer)
{
    IrValue *product = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span,
                                TILE_PRODUCT_OPERANDS + (m->held != NULL));
    IrValue **at = product->operands;
    product->intrinsic = intrinsic;
    *at++ = build_var(m->b, m->sums);
    for (int f = 0; f < FACTORS; f++) {
        *at++ = build_var(m->b, m->near[f]);
        product_indices(m, f, buffer, at);
        at += 3;
    }
    *at++ = build_var(m->b, ir_tile_grouped(m->tile->form) ? m->self : m->lane);
    for (int f = 0; f < FACTORS; f++)
        *at++ = build_int(m->b, !m->p->factor[f].deep);
    *at++ = build_int(m->b, m->form);
    if (m->held)
        *at = build_var(m->b, m->held);
    return ir_eval(m->b->arena, product, m->b->span);
}

static IrVar *append_buffer(const TensorBuild *m, const IrVar *step, IrRegion *out)
{
    return build_let(m->b, "_buffer", buffer_of(m, step, m->stages), out);
}

static void append_indexed(TensorBuild *m, IrVar *step, IrVar *buffer, bool rolled, IrRegion *out)
{
    for (int f = 0; f < FACTORS; f++)
        append_tile(m, f, step, buffer, rolled, out);
}

/* Whether a step lies within the loop. */
static IrValue *is_whole(const TensorBuild *m, IrVar *step)
{
    IrValue *behind = build_plus(m->b, step, m->depth);
    return build_op(m->b, OP_le, behind, build_var(m->b, m->stop));
}

static IrStmt *append_branch(const TensorBuild *m, IrValue *condition, IrRegion *out)
{
    IrStmt *branch = ir_if(m->b->arena, condition, m->b->span);
    ir_append(out, branch);
    return branch;
}

/* What comes as boxes, for all of a step. */
static void append_boxed(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out)
{
    IrStmt *branch = append_branch(m, is_whole(m, step), out);
    boxes_load(m, step, buffer, &branch->if_.then);
    append_indexed(m, step, buffer, true, &branch->if_.otherwise);
    boxes_skip(m, buffer, &branch->if_.otherwise);
}

/* What is loaded by places in memory where it can be, for all of a step. */
static void append_gathered(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out)
{
    IrStmt *branch = append_branch(m, is_whole(m, step), out);
    for (int f = 0; f < FACTORS; f++)
        if (m->gather[f].load)
            gather_tile(m, f, step, buffer, &branch->if_.then);
        else
            append_tile(m, f, step, buffer, false, &branch->if_.then);
    append_indexed(m, step, buffer, true, &branch->if_.otherwise);
}

/* Whether all is copied by several neighbours at once, for which blocks without a border of the
** result need no conditions. Sums that are done once more are rare: their text stays short. */
static bool has_inside(const TensorBuild *m)
{
    return !m->part && m->form == m->tile->form && m->p->factor[FACTOR_ROWS].wide &&
           m->p->factor[FACTOR_COLUMNS].wide;
}

/* What is copied for all of a step: without conditions where all of both tiles is there. */
static void append_wide_tiles(TensorBuild *m, IrVar *step, IrVar *buffer, IrRegion *out)
{
    IrValue *all = is_whole(m, step);
    for (int f = 0; f < FACTORS; f++) {
        IrValue *end = build_plus(m->b, m->first[f], m->tile->size[f]);
        all = ir_both(m->b->arena, all, build_op(m->b, OP_le, end, m->end[f]));
    }
    IrStmt *branch = append_branch(m, all, out);
    m->inside = true;
    append_indexed(m, step, buffer, false, &branch->if_.then);
    m->inside = false;
    append_indexed(m, step, buffer, false, &branch->if_.otherwise);
}

/* What is loaded for the iterations from `step` on, if the loop makes any of them. */
static void append_tiles(TensorBuild *m, IrVar *step, bool gathered, IrRegion *out)
{
    IrRegion *body = build_if(m->b, below(m, step, m->stop), out);
    IrVar *buffer = append_buffer(m, step, body);
    if (m->ready)
        append_boxed(m, step, buffer, body);
    else if (gathered)
        append_gathered(m, step, buffer, body);
    else if (has_inside(m))
        append_wide_tiles(m, step, buffer, body);
    else
        append_indexed(m, step, buffer, gather_any(m), body);
}

static void append_call(const TensorBuild *m, IrIntrinsic intrinsic, IrValue *operand,
                        IrRegion *out)
{
    ir_append(out, ir_eval(m->b->arena,
                           ir_intrinsic(m->b->arena, intrinsic, type_none, m->b->span, operand,
                                        NULL, NULL),
                           m->b->span));
}

/* Begins to load what the loop reads from a step on, as a group of copies, be there any or not. */
static void append_group(TensorBuild *m, IrVar *step, bool gathered, IrRegion *out)
{
    append_tiles(m, step, gathered, out);
    append_call(m, INTR_async_commit, NULL, out);
}

/* What is there of a step, as a group of warps multiplies it. */
static void append_ready(TensorBuild *m, IrVar *buffer, IrRegion *out)
{
    if (m->form == TILE_TF32X3_GROUP)
        append_split(m, FACTOR_COLUMNS, buffer, out);
    append_call(m, INTR_tile_fence, NULL, out);
}

/* Begins to load what is `behind` iterations ahead of a step. */
static void append_next(TensorBuild *m, IrVar *step, int64_t behind, IrRegion *out)
{
    IrVar *next = build_let(m->b, "_next", build_plus(m->b, step, behind), out);
    append_group(m, next, gather_any(m), out);
    if (gather_any(m))
        gather_steps(m, build_plus(m->b, next, m->depth), out);
}

/* One step: the products of what is there, and in front of them, or behind those that go on by
** themselves, the loads of what is `behind` iterations ahead. */
static void append_step(TensorBuild *m, IrVar *step, int64_t behind, IrRegion *out)
{
    append_call(m, INTR_async_wait, build_integer(m->b, type_int32, m->ahead - 1), out);
    bool group = ir_tile_grouped(m->form);
    IrVar *buffer = group ? append_buffer(m, step, out) : NULL;
    if (m->ready)
        boxes_wait(m, step, buffer, out);
    if (group)
        append_ready(m, buffer, out);
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    if (ir_tile_overlaps(m->form))
        ir_append(out, product_stmt(m, INTR_tile_product, buffer));
    append_next(m, step, behind, out);
    if (!ir_tile_overlaps(m->form))
        ir_append(
            out, product_stmt(m, INTR_tile_product, buffer ? buffer : append_buffer(m, step, out)));
}

/* Waits for a step's tiles, and takes what their product begins with, behind the rest of the last
** one. */
static void append_taken(TensorBuild *m, IrIntrinsic intrinsic, IrVar *step, IrRegion *out)
{
    append_call(m, INTR_async_wait, build_integer(m->b, type_int32, m->ahead - 1), out);
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
    ir_append(out, product_stmt(m, intrinsic, append_buffer(m, step, out)));
}

/* One step of a form that works ahead: between both halves of the products the loads of what is
** `behind` iterations ahead, and the wait for the next step's tiles. */
static void append_halves(TensorBuild *m, IrVar *step, int64_t behind, IrRegion *out)
{
    ir_append(out, product_stmt(m, INTR_tile_product, append_buffer(m, step, out)));
    append_next(m, step, behind, out);
    IrVar *after = build_let(m->b, "_after", build_plus(m->b, step, m->depth), out);
    append_taken(m, INTR_tile_rest, after, out);
}

/* The loads of the steps in front of which nothing is multiplied. What there is of a step for
** places in memory is read behind a barrier, and overwritten two steps later. */
static void append_ahead(TensorBuild *m, IrVar *start, int64_t behind, IrRegion *out)
{
    IrVar *first = build_counter(m->b, "_ahead");
    IrStmt *ahead = build_for(m->b, first, start, build_plus(m->b, start, behind), m->depth, 1);
    IrRegion *body = &ahead->for_.body;
    if (gather_any(m)) {
        gather_begin(m, out);
        gather_steps(m, build_var(m->b, first), body);
        ir_append(body, ir_barrier(m->b->arena, m->b->span));
    }
    append_group(m, first, gather_any(m), body);
    ir_append(out, ahead);
    if (gather_any(m))
        gather_steps(m, build_plus(m->b, start, behind), out);
}

/* The loop by steps of some iterations: while the warps multiply, what comes next is on its way. */
static void append_steps(TensorBuild *m, IrRegion *out)
{
    IrVar *start = append_bounds(m, out), *step = build_counter(m->b, "_step");
    if (m->ready)
        boxes_begin(m, out);
    int64_t behind = (int64_t)m->depth * m->ahead;
    append_ahead(m, start, behind, out);
    if (m->held)
        append_taken(m, INTR_tile_ahead, start, out);
    IrStmt *steps = build_for(m->b, step, start, m->stop, m->depth, 1);
    IrRegion *body = &steps->for_.body;
    ir_append(out, steps);
    (m->held ? append_halves : append_step)(m, step, behind, body);
    if (ir_tile_overlaps(m->form))
        append_call(m, INTR_tile_wait, build_var(m->b, m->sums), out);
}

/* Where a block has sums that are not finite, which numbers beyond a form's range may have made of
** them, all its sums once more, in the form that handles such. */
static void append_again(TensorBuild *m, IrRegion *out)
{
    IrVar *odd = append_odd(m, out);
    IrVar *again = build_temporary(m->b, "_again", type_int32);
    IrValue *any = ir_intrinsic(m->b->arena, INTR_syncthreads_or, type_int32, m->b->span,
                                build_var(m->b, odd), NULL, NULL);
    build_set(m->b, again, any, out);
    IrRegion *work =
        build_if(m->b, build_op(m->b, OP_ne, again, build_integer(m->b, type_int32, 0)), out);
    m->form = ir_tile_grouped(m->form) ? TILE_TF32X3_GROUP_MASKED : TILE_TF32X3_MASKED;
    m->ready = NULL;
    append_begin(m, work);
    append_steps(m, work);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Blocks along one axis, for a number of tiles that is known only in the kernel: where an index was
** split at least as many as tiles, where loops became axes enough for any GPU. Blocks without a
** tile end at once. */
static void share_among_blocks(IrShape *shape, const TensorTile *tile)
{
    int sums = tile->size[FACTOR_ROWS] * tile->size[FACTOR_COLUMNS];
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = (uint8_t)k;
        shape->tile[k] = k ? ALL_THREADS : (uint32_t)sums / 2 / shape->block[0];
    }
    shape->least = LEAST_BLOCKS;
}

static void set_shape(const TensorBuild *m)
{
    IrUnit *unit = m->p->unit;
    const TensorTile *tile = m->tile;
    IrShape *shape = &unit->shape;
    uint32_t warps = (uint32_t)block_threads(tile) / WARP_LANES;
    *shape = (IrShape){ .changed = true, .free = true, .block = { WARP_LANES, warps, 1 } };
    for (int f = 0; f < FACTORS; f++) {
        int k = launched(f);
        shape->axis[k] = (uint8_t)m->p->factor[f].axis;
        shape->tile[k] = (uint32_t)tile->size[f] / shape->block[k];
    }
    shape->axis[2] = (uint8_t)m->p->layer;
    shape->tile[2] = 1;
    if (m->p->axes.made)
        share_among_blocks(shape, tile);
    unit->kernel->options.launch_threads = block_threads(tile);
    unit->kernel->options.launch_blocks = tile->blocks;
}

/* How many steps shared memory holds, and how many of these are loaded before they are multiplied:
** all but the one that is at hand, and with groups the one before, which they may be at still. More
** than that take no more of a thread's instructions where both factors are copied at once or by
** places. */
static void set_stages(TensorBuild *m)
{
    int in_use = ir_tile_overlaps(m->form) ? 2 : 1;
    bool quick = true;
    for (int f = 0; f < FACTORS; f++)
        quick = quick && (m->p->factor[f].wide || m->gather[f].load);
    m->stages = quick ? m->tile->stages : in_use + 1;
    m->ahead = m->stages - in_use;
}

/* The sums of a block, or of each of its parts. */
static void append_sums(TensorBuild *m, IrRegion *work)
{
    append_begin(m, work);
    append_steps(m, work);
    if (m->p->form == TILE_TF32X3 && !m->p->guards.count)
        append_again(m, work);
    append_end(m, work);
}

/* What a block does if it has any of the indices. Before it loads for the next part all its warps
** are done with the last. */
static void append_work(TensorBuild *m, IrRegion *out)
{
    slant_ends(m, out);
    if (!m->p->part) {
        IrRegion *work = build_if(m->b, has_work(m, has_places(m)), out);
        append_warp(m, work);
        append_sums(m, work);
        if (m->p->axes.made) /* before the next tile is loaded, as below */
            ir_append(work, ir_barrier(m->b->arena, m->b->span));
        return;
    }
    IrRegion *work = build_if(m->b, has_places(m), out);
    append_warp(m, work);
    work = append_parts_of_block(m, work);
    IrValue *all = has_work(m, NULL);
    append_sums(m, all ? build_if(m->b, all, work) : work);
    ir_append(work, ir_barrier(m->b->arena, m->b->span));
}

void product_make(Product *p, const TensorTile *tile, IrVar *const *threads)
{
    IrUnit *unit = p->unit;
    TensorBuild make = { .b = { { unit->arena, unit->kernel, p->loop->span } },
                         .p = p,
                         .tile = tile,
                         .threads = threads,
                         .form = tile->form,
                         .depth = ir_tile_depth(tile->form) };
    TensorBuild *m = &make;
    gather_find(m);
    set_stages(m);
    if (tile->map[0])
        boxes_new(m);
    IrRegion out = { NULL, NULL };
    IrRegion *work = append_block(m, &out);
    for (int f = 0; f < FACTORS; f++)
        m->near[f] = new_near(m, f);
    new_sums(m);
    append_work(m, work);
    unit->kernel->body = out;
    set_shape(m);
}

/* The tiled product: what a block's threads load, what its warps multiply, what becomes of the
** sums. See tensor.c. */
#include "ir/schedule/tensor/make.h"

enum { STAGES_LEAST = 2 };

/* ---- the block ------------------------------------------------------------------------------- */

/* Axis of the launch that stands for a factor's: columns come first. */
static int launched(int factor)
{
    return factor == FACTOR_COLUMNS ? 0 : 1;
}

static void append_block(Build *m, IrRegion *out)
{
    static const char *const names[][2] = { { "_row", "_rows" }, { "_column", "_columns" } };
    for (int f = 0; f < FACTORS; f++) {
        int axis = m->p->factor[f].axis;
        IrValue *block = build_cast(m->b, type_int64,
                                    ir_axis(m->b->arena, INTR_block_idx, launched(f), m->b->span));
        m->first[f] = build_let(m->b, arena_printf(m->b->arena, "%s_first", names[f][0]),
                                build_times(m->b, block, m->tile->size[f]), out);
        IrValue *end = build_var(m->b, m->threads[axis]);
        if (m->p->end[axis])
            end = smaller(m, end, m->p->end[axis]);
        m->end[f] = build_temporary(m->b, names[f][1], type_int64);
        build_set(m->b, m->end[f], end, out);
    }
    m->index[m->p->layer] =
        build_let(m->b, "_layer", ir_axis(m->b->arena, INTR_grid, 2, m->b->span), out);
}

/* Whether the block has anything to do: the same for all its threads. */
static IrValue *has_work(Build *m)
{
    const Guarded *guarded = &m->p->guarded;
    IrValue *all = ir_both(m->b->arena, below(m, m->first[FACTOR_ROWS], m->end[FACTOR_ROWS]),
                           below(m, m->first[FACTOR_COLUMNS], m->end[FACTOR_COLUMNS]));
    for (int i = 0; i < guarded->term_count; i++) {
        const IrValue *term = guarded->terms[i];
        bool own = false;
        for (int f = 0; f < FACTORS; f++)
            own |= affine_varies(&m->p->affine, term, m->p->factor[f].axis);
        if (!own)
            all = ir_both(m->b->arena, all, put(m, term));
    }
    return all;
}

static void append_warp(Build *m, IrRegion *out)
{
    const TensorTile *tile = m->tile;
    IrValue *warp = build_thread_index(m->b, 1);
    int64_t across = tile->warps[FACTOR_COLUMNS];
    m->lane = build_let(m->b, "_lane", build_thread_index(m->b, 0), out);
    m->self = build_let(m->b, "_self", sum_of(m, m->lane, build_times(m->b, warp, WARP)), out);
    for (int f = 0; f < FACTORS; f++) {
        IrValue *at = build_op(m->b, f == FACTOR_ROWS ? OP_floordiv : OP_mod,
                               build_thread_index(m->b, 1), build_int(m->b, across));
        m->warp[f] = build_let(m->b, f == FACTOR_ROWS ? "_warp_row" : "_warp_column",
                               build_times(m->b, at, tile->size[f] / tile->warps[f]), out);
    }
}

/* ---- products -------------------------------------------------------------------------------- */

static IrStmt *product_stmt(const Build *m, IrVar *buffer)
{
    IrValue *product =
        ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, TILE_PRODUCT_OPERANDS);
    IrValue **at = product->operands;
    product->intrinsic = INTR_tile_product;
    *at++ = build_var(m->b, m->sums);
    for (int f = 0; f < FACTORS; f++) {
        *at++ = build_var(m->b, m->near[f]);
        near_indices(m, f, buffer, m->warp[f], NULL, at);
        at += 3;
    }
    *at++ = build_var(m->b, m->lane);
    for (int f = 0; f < FACTORS; f++)
        *at++ = build_int(m->b, !m->p->factor[f].deep);
    *at++ = build_int(m->b, m->form);
    return ir_eval(m->b->arena, product, m->b->span);
}

/* Which of the buffers holds the iterations from `step` on. */
static IrVar *append_buffer(const Build *m, const IrVar *step, IrRegion *out)
{
    IrValue *number = build_op(m->b, OP_floordiv, build_var(m->b, step), build_int(m->b, m->depth));
    return build_let(m->b, "_buffer", build_op(m->b, OP_mod, number, build_int(m->b, m->stages)),
                     out);
}

/* What is loaded for the iterations from `step` on, if the loop makes any of them. */
static void append_tiles(Build *m, IrVar *step, IrRegion *out)
{
    IrRegion *body = build_if(m->b, below(m, step, m->stop), out);
    IrVar *buffer = append_buffer(m, step, body);
    for (int f = 0; f < FACTORS; f++)
        append_tile(m, f, step, buffer, body);
}

/* async_commit, or async_wait with a number. */
static void append_async(const Build *m, IrIntrinsic intrinsic, int64_t number, IrRegion *out)
{
    IrValue *operand =
        intrinsic == INTR_async_wait ? build_integer(m->b, type_int32, number) : NULL;
    ir_append(out, ir_eval(m->b->arena,
                           ir_intrinsic(m->b->arena, intrinsic, type_none, m->b->span, operand,
                                        NULL, NULL),
                           m->b->span));
}

/* Begins to load what the loop reads from a step on, as a group of copies, be there any or not. */
static void append_group(Build *m, IrVar *step, IrRegion *out)
{
    append_tiles(m, step, out);
    append_async(m, INTR_async_commit, 0, out);
}

/* The loop by steps of some iterations: while the warps multiply, what comes next is on its way. */
static void append_steps(Build *m, IrRegion *out)
{
    const IrStmt *loop = m->p->loop;
    IrVar *start = build_let(m->b, "_start", put(m, loop->for_.start), out);
    IrVar *step = build_counter(m->b, "_step");
    m->stop = build_temporary(m->b, "_stop", type_int64);
    build_set(m->b, m->stop, put(m, loop->for_.stop), out);
    int64_t behind = (int64_t)m->depth * (m->stages - 1);
    IrVar *first = build_counter(m->b, "_ahead");
    IrStmt *ahead = build_for(m->b, first, build_var(m->b, start),
                              build_plus(m->b, build_var(m->b, start), behind), m->depth, 1);
    append_group(m, first, &ahead->for_.body);
    ir_append(out, ahead);

    IrStmt *steps =
        build_for(m->b, step, build_var(m->b, start), build_var(m->b, m->stop), m->depth, 1);
    IrRegion *body = &steps->for_.body;
    ir_append(out, steps);
    append_async(m, INTR_async_wait, m->stages - 2, body);
    ir_append(body, ir_barrier(m->b->arena, m->b->span));
    IrVar *next = build_let(m->b, "_next", build_plus(m->b, build_var(m->b, step), behind), body);
    append_group(m, next, body);
    ir_append(body, product_stmt(m, append_buffer(m, step, body)));
}

/* Where a block has sums that are not finite, which numbers beyond a form's range may have made of
** them, all its sums once more, as that form has them which knows of such. */
static void append_again(Build *m, IrRegion *out)
{
    IrVar *odd = append_odd(m, out);
    IrVar *again = build_temporary(m->b, "_again", type_int32);
    IrValue *any = ir_intrinsic(m->b->arena, INTR_syncthreads_or, type_int32, m->b->span,
                                build_var(m->b, odd), NULL, NULL);
    build_set(m->b, again, any, out);
    IrRegion *work = build_if(
        m->b, build_op(m->b, OP_ne, build_var(m->b, again), build_integer(m->b, type_int32, 0)),
        out);
    m->form = TILE_TF32X3_MASKED;
    append_begin(m, work);
    append_steps(m, work);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void set_shape(const Build *m)
{
    IrUnit *unit = m->p->unit;
    const TensorTile *tile = m->tile;
    IrShape *shape = &unit->shape;
    uint32_t warps = (uint32_t)block_threads(tile) / WARP;
    *shape = (IrShape){ .changed = true, .free = true, .block = { WARP, warps, 1 } };
    for (int f = 0; f < FACTORS; f++) {
        int k = launched(f);
        shape->axis[k] = (uint8_t)m->p->factor[f].axis;
        shape->tile[k] = (uint32_t)tile->size[f] / shape->block[k];
    }
    shape->axis[2] = (uint8_t)m->p->layer;
    shape->tile[2] = 1;
    unit->kernel->options.launch_threads = block_threads(tile);
    unit->kernel->options.launch_blocks = tile->blocks;
}

void product_make(Product *p, const TensorTile *tile, IrVar *const *threads)
{
    IrUnit *unit = p->unit;
    Build make = { .b = { { unit->arena, unit->kernel, p->loop->span } },
                   .p = p,
                   .tile = tile,
                   .threads = threads,
                   .form = p->form,
                   .depth = ir_tile_depth(p->form),
                   .stages = p->factor[FACTOR_ROWS].wide && p->factor[FACTOR_COLUMNS].wide
                                 ? tile->stages
                                 : STAGES_LEAST };
    Build *m = &make;
    IrRegion out = { NULL, NULL };
    append_block(m, &out);
    for (int f = 0; f < FACTORS; f++)
        m->near[f] = new_near(m, f);
    new_sums(m);
    IrRegion *work = build_if(m->b, has_work(m), &out);
    append_warp(m, work);
    append_begin(m, work);
    append_steps(m, work);
    if (p->form == TILE_TF32X3)
        append_again(m, work);
    append_end(m, work);
    unit->kernel->body = out;
    set_shape(m);
}

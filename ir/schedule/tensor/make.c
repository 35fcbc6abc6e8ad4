/* The tiled product: what a block's threads load, what its warps multiply, what becomes of the
** sums. See tensor.c. */
#include "ir/schedule/tensor/tensor.h"

enum {
    WARP = 32,
    SUM_ROWS = 16, /* of one instruction */
    SUM_COLUMNS = 8,
    SUMS = 4,      /* that a lane has of these */
    AT_A_TIME = 8, /* rounds of a block's threads over a tile that are laid side by side at most */
    STAGES_LEAST = 2
};

typedef struct Build {
    IrBuilder b[1];
    Product *p;
    const TensorTile *tile;
    IrVar *const *threads;
    IrVar *index[3]; /* by axis of the grid: what stands for grid(axis) where a value is put */
    IrVar *k;        /* what stands for the loop's counter */
    IrVar *first[FACTORS], *end[FACTORS]; /* of the block's indices; of all */
    IrVar *self, *lane;                   /* a thread's number in the block, and in its warp */
    IrVar *warp[FACTORS];                 /* where its warp's sums begin in the tile */
    IrVar *near[FACTORS], *sums;
    IrVar *stop;
    TileForm form; /* by which it multiplies */
    int depth;     /* iterations of a step */
    int stages;    /* steps that shared memory has room for */
} Build;

/* ---- values of the kernel -------------------------------------------------------------------- */

/* What stands for a value of the kernel where indices and counter are held in variables. */
static IrValue *elsewhere(const IrClone *clone, const IrValue *value)
{
    const Build *m = clone->context;
    const Product *p = m->p;
    if (value->op == OP_intrinsic && value->intrinsic == INTR_grid)
        return build_var(m->b, m->index[value->index]);
    if (value->op == OP_intrinsic && value->intrinsic == INTR_gridsize)
        return build_var(m->b, m->threads[value->index]);
    if (value->op != OP_var || value->var->kind != VAR_LOCAL || value->var == p->sum ||
        sets_any(&p->behind, value->var))
        return NULL;
    if (value->var == p->loop->for_.var)
        return build_var(m->b, m->k);
    return ir_clone_value(clone, sets_value(&p->affine.sets, value->var));
}

static IrClone clone_of(const Build *m)
{
    return (IrClone){ .arena = m->b->arena, .value = elsewhere, .context = (void *)m };
}

static IrValue *put(const Build *m, const IrValue *value)
{
    IrClone clone = clone_of(m);
    return ir_clone_value(&clone, value);
}

static IrValue *sum_of(const Build *m, const IrVar *a, IrValue *b)
{
    return build_op(m->b, OP_add, build_var(m->b, a), b);
}

static IrValue *below(const Build *m, const IrVar *index, const IrVar *end)
{
    return build_op(m->b, OP_lt, build_var(m->b, index), build_var(m->b, end));
}

static IrValue *smaller(const Build *m, IrValue *a, IrValue *b)
{
    return ir_intrinsic(m->b->arena, INTR_min, type_int64, m->b->span, a, b, NULL);
}

/* A loop of so many iterations that are laid side by side; gives its body. */
static IrRegion *append_unrolled(const Build *m, IrVar *var, int64_t count, IrRegion *out)
{
    IrStmt *loop = build_for(m->b, var, build_int(m->b, 0), build_int(m->b, count), 1, UNROLL_ALL);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* ---- the block ------------------------------------------------------------------------------- */

static int block_threads(const TensorTile *tile)
{
    return WARP * tile->warps[FACTOR_ROWS] * tile->warps[FACTOR_COLUMNS];
}

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

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Elements between rows of a tile, so that a warp meets in no bank twice: lanes read 4 or 8 bytes
** each from 8 rows of one order, and from 4 of the other; ldmatrix reads 16 bytes of 8 rows of
** either. Rows begin at multiples of 16 bytes. */
static int room_of(const Factor *factor)
{
    int size = (int)type_size(factor->type);
    if (size == 4)
        return factor->deep ? 4 : 8;
    return size == 8 ? 4 : WIDE_BYTES / size;
}

static IrVar *new_near(const Build *m, int f)
{
    const Factor *factor = &m->p->factor[f];
    int64_t size = m->tile->size[f];
    const int64_t shape[] = { m->stages, factor->deep ? size : m->depth,
                              (factor->deep ? m->depth : size) + room_of(factor) };
    const char *name = factor->load && factor->load->operands[0]->op == OP_var
                           ? factor->load->operands[0]->var->name
                       : f == FACTOR_ROWS ? "rows"
                                          : "columns";
    IrVar *var = ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", name),
                              factor->type, VAR_SHARED, shape, 3, m->b->span);
    var->alignment = WIDE_BYTES;
    return var;
}

/* The element of a tile; k is 0 if it is NULL. */
static void near_indices(const Build *m, int f, IrVar *buffer, IrVar *at, IrVar *k,
                         IrValue *indices[3])
{
    IrValue *along = build_var(m->b, at), *depth = k ? build_var(m->b, k) : build_int(m->b, 0);
    bool deep = m->p->factor[f].deep;
    indices[0] = build_var(m->b, buffer);
    indices[1] = deep ? along : depth;
    indices[2] = deep ? depth : along;
}

static IrStmt *copy_stmt(const Build *m, int f, IrValue *const near[3], int count)
{
    const IrValue *load = put(m, m->p->factor[f].load);
    IrValue *copy = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, 5 + load->count);
    copy->intrinsic = INTR_async_copy;
    copy->operands[0] = build_var(m->b, m->near[f]);
    for (int i = 0; i < 3; i++)
        copy->operands[1 + i] = near[i];
    for (int i = 0; i < load->count; i++)
        copy->operands[4 + i] = load->operands[i];
    copy->operands[4 + load->count] = build_int(m->b, count);
    return ir_eval(m->b->arena, copy, m->b->span);
}

static IrStmt *fill_stmt(const Build *m, int f, IrValue *const near[3], IrValue *value)
{
    return ir_store(m->b->arena, build_var(m->b, m->near[f]), near, 3, value, m->b->span);
}

/* The index in the grid of what is at a place of the tile; with `held`, that of the last there is
** for those beyond. */
static IrVar *append_own(Build *m, int f, IrValue *at, bool held, IrRegion *out)
{
    IrValue *own = sum_of(m, m->first[f], at);
    if (held)
        own = smaller(m, own, build_plus(m->b, build_var(m->b, m->end[f]), -1));
    IrVar *var = build_let(m->b, f == FACTOR_ROWS ? "_i" : "_j", own, out);
    m->index[m->p->factor[f].axis] = var;
    return var;
}

/* What stands for the loop's counter, so many iterations behind a step. */
static void append_counter(Build *m, IrVar *step, IrVar *behind, IrRegion *out)
{
    m->k =
        build_let(m->b, m->p->loop->for_.var->name, sum_of(m, step, build_var(m->b, behind)), out);
}

/* What stands for a factor where the loop ends before: a zero. */
static IrValue *filling(const Build *m, int f)
{
    const Type *type = m->p->factor[f].type;
    if (type_is_integer(type))
        return build_integer(m->b, type, 0);
    return ir_number(m->b->arena, type, f == FACTOR_ROWS ? -0.0 : 0.0, m->b->span);
}

/* One element of a tile: that of index `at` in it, or of the last there is, and of `k` from `step`
** on. Where the loop ends before, -0.0 and 0.0 stand for the factors: their product changes no sum,
** not even one of -0.0. */
static void append_element(Build *m, int f, IrVar *step, IrVar *buffer, IrValue *at, IrValue *k,
                           IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    bool copied = factor->load && type_size(factor->type) >= 4;
    IrVar *near_at = build_let(m->b, "_at", at, out), *near_k = build_let(m->b, "_near_k", k, out);
    IrValue *near[3];
    append_own(m, f, build_var(m->b, near_at), true, out);
    append_counter(m, step, near_k, out);
    IrStmt *branch = ir_if(m->b->arena, below(m, m->k, m->stop), m->b->span);
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.then,
              copied ? copy_stmt(m, f, near, 1) : fill_stmt(m, f, near, put(m, factor->value)));
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.otherwise, fill_stmt(m, f, near, filling(m, f)));
    ir_append(out, branch);
}

/* Whether what lies behind an element is within the loop and the last row or column, too. */
static IrValue *is_whole(const Build *m, int f, const IrVar *own)
{
    bool deep = m->p->factor[f].deep;
    int behind = factor_width(&m->p->factor[f]) - 1;
    IrValue *k = build_plus(m->b, build_var(m->b, m->k), deep ? behind : 0);
    IrValue *both = build_op(m->b, OP_lt, k, build_var(m->b, m->stop));
    if (deep)
        return both;
    IrValue *next = build_plus(m->b, build_var(m->b, own), behind);
    return ir_both(m->b->arena, build_op(m->b, OP_lt, next, build_var(m->b, m->end[f])), both);
}

/* Neighbours one by one: two side by side, more in a loop. */
static void append_each(Build *m, int f, IrVar *step, IrVar *buffer, IrVar *at, IrVar *k,
                        IrRegion *out)
{
    bool deep = m->p->factor[f].deep;
    int width = factor_width(&m->p->factor[f]);
    for (int i = 0; i < width && width == 2; i++)
        append_element(m, f, step, buffer, build_plus(m->b, build_var(m->b, at), deep ? 0 : i),
                       build_plus(m->b, build_var(m->b, k), deep ? i : 0), out);
    if (width == 2)
        return;
    IrVar *one = build_counter(m->b, "_one");
    IrStmt *loop = build_for(m->b, one, build_int(m->b, 0), build_int(m->b, width), 1, 1);
    IrVar *moved = deep ? k : at;
    IrValue *place = sum_of(m, moved, build_var(m->b, one));
    append_element(m, f, step, buffer, deep ? build_var(m->b, at) : place,
                   deep ? place : build_var(m->b, k), &loop->for_.body);
    ir_append(out, loop);
}

/* Elements that lie side by side, 16 bytes from a multiple of these on: at once where all are
** there. */
static void append_wide(Build *m, int f, IrVar *step, IrVar *buffer, IrValue *at, IrValue *k,
                        IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    IrVar *near_at = build_let(m->b, "_at", at, out), *near_k = build_let(m->b, "_near_k", k, out);
    IrValue *near[3];
    IrVar *own = append_own(m, f, build_var(m->b, near_at), factor->deep, out);
    append_counter(m, step, near_k, out);
    IrStmt *branch = ir_if(m->b->arena, is_whole(m, f, own), m->b->span);
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.then, copy_stmt(m, f, near, factor_width(factor)));
    append_each(m, f, step, buffer, near_at, near_k, &branch->if_.otherwise);
    ir_append(out, branch);
}

/* The place of a thread's elements in a tile along the axis in which they lie side by side, and
** along the other, for one round of its threads: `width` at a time. */
static void places(const Build *m, int f, IrVar *round, int64_t width, IrValue **near,
                   IrValue **far)
{
    int64_t threads = block_threads(m->tile);
    int64_t inner = (m->p->factor[f].deep ? m->depth : m->tile->size[f]) / width;
    IrValue *self = build_var(m->b, m->self), *count = build_var(m->b, round);
    *near = build_op(m->b, OP_mod, self, build_int(m->b, inner));
    *near = width > 1 ? build_times(m->b, *near, width) : *near;
    *far = build_op(m->b, OP_add,
                    build_op(m->b, OP_floordiv, build_copy(m->b, self), build_int(m->b, inner)),
                    build_times(m->b, count, threads / inner));
}

/* What the block loads of a factor for the iterations from `step` on: neighbours in memory go to
** neighbouring threads. A block has as many threads as a tile has rows or columns, or more. */
static void append_tile(Build *m, int f, IrVar *step, IrVar *buffer, IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    int64_t width = factor->wide ? factor_width(factor) : 1;
    int64_t rounds = m->tile->size[f] * m->depth / width / block_threads(m->tile);
    IrVar *round = build_counter(m->b, "_round");
    IrStmt *loop =
        build_for(m->b, round, build_int(m->b, 0), build_int(m->b, rounds), 1,
                  type_size(factor->type) < 4 && rounds > AT_A_TIME ? AT_A_TIME : UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    ir_append(out, loop);
    IrValue *near, *far;
    places(m, f, round, width, &near, &far);
    (factor->wide ? append_wide : append_element)(m, f, step, buffer, factor->deep ? far : near,
                                                  factor->deep ? near : far, body);
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

/* ---- sums ------------------------------------------------------------------------------------ */

/* Indices of a lane's sums, counters of three loops. */
typedef struct SumIndex {
    IrVar *m, *n, *e;
} SumIndex;

static int sums_along(const Build *m, int f)
{
    return m->tile->size[f] / m->tile->warps[f] / (f == FACTOR_ROWS ? SUM_ROWS : SUM_COLUMNS);
}

static void new_sums(Build *m)
{
    const int64_t shape[] = { sums_along(m, FACTOR_ROWS), sums_along(m, FACTOR_COLUMNS), SUMS };
    m->sums =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_sums", m->p->sum->name),
                     ir_tile_sums(m->p->form), VAR_PRIVATE, shape, 3, m->b->span);
}

static IrRegion *append_each_sum(const Build *m, SumIndex *at, IrRegion *out)
{
    at->m = build_counter(m->b, "_m");
    at->n = build_counter(m->b, "_n");
    at->e = build_counter(m->b, "_e");
    out = append_unrolled(m, at->m, sums_along(m, FACTOR_ROWS), out);
    out = append_unrolled(m, at->n, sums_along(m, FACTOR_COLUMNS), out);
    return append_unrolled(m, at->e, SUMS, out);
}

static void sum_indices(const Build *m, const SumIndex *at, IrValue *indices[3])
{
    indices[0] = build_var(m->b, at->m);
    indices[1] = build_var(m->b, at->n);
    indices[2] = build_var(m->b, at->e);
}

/* Of which row and which column of the result a sum is; gives the branch for those there are. */
static IrRegion *append_place(Build *m, const SumIndex *at, IrRegion *out)
{
    IrValue *lane = build_var(m->b, m->lane), *e = build_var(m->b, at->e), *place[FACTORS];
    place[FACTOR_ROWS] =
        build_op(m->b, OP_add, build_op(m->b, OP_floordiv, lane, build_int(m->b, 4)),
                 build_times(m->b, build_op(m->b, OP_floordiv, e, build_int(m->b, 2)), 8));
    place[FACTOR_COLUMNS] = build_op(
        m->b, OP_add,
        build_times(m->b, build_op(m->b, OP_mod, build_copy(m->b, lane), build_int(m->b, 4)), 2),
        build_op(m->b, OP_mod, build_copy(m->b, e), build_int(m->b, 2)));
    IrValue *all = NULL;
    for (int f = 0; f < FACTORS; f++) {
        IrVar *index, *count = f == FACTOR_ROWS ? at->m : at->n;
        IrValue *base = sum_of(m, m->first[f], build_var(m->b, m->warp[f]));
        IrValue *more =
            build_times(m->b, build_var(m->b, count), f == FACTOR_ROWS ? SUM_ROWS : SUM_COLUMNS);
        base = build_op(m->b, OP_add, base, place[f]);
        index = build_let(m->b, f == FACTOR_ROWS ? "_i" : "_j", build_op(m->b, OP_add, base, more),
                          out);
        m->index[m->p->factor[f].axis] = index;
        all = ir_both(m->b->arena, all, below(m, index, m->end[f]));
    }
    return build_if(m->b, all, out);
}

/* A value as one of another type, or as it is. */
static IrValue *as_type(const Build *m, const Type *type, IrValue *value)
{
    return value->type == type ? value : build_cast(m->b, type, value);
}

static IrValue *no_sum(const Build *m)
{
    return ir_zero(m->b->arena, ir_tile_sums(m->p->form), m->b->span);
}

/* What is added up in int32 begins with 0, whatever the sum does. */
static void append_begin(Build *m, IrRegion *out)
{
    bool bytes = m->p->form == TILE_I8;
    bool constant = bytes || ir_is_constant(m->p->begin);
    SumIndex at;
    IrValue *indices[3];
    IrRegion *body = append_each_sum(m, &at, out), *set = body;
    if (!constant) {
        sum_indices(m, &at, indices);
        ir_append(body, ir_store(m->b->arena, build_var(m->b, m->sums), indices, 3, no_sum(m),
                                 m->b->span));
        set = append_place(m, &at, body);
    }
    sum_indices(m, &at, indices);
    IrValue *begin = bytes ? no_sum(m) : as_type(m, ir_tile_sums(m->p->form), put(m, m->p->begin));
    ir_append(set, ir_store(m->b->arena, build_var(m->b, m->sums), indices, 3, begin, m->b->span));
}

/* What the kernel's sum is then. */
static IrValue *whole_sum(const Build *m, IrValue *sum)
{
    const Product *p = m->p;
    IrValue *own = as_type(m, p->sum->type, sum);
    if (p->form != TILE_I8)
        return own;
    return build_op(m->b, p->less ? OP_sub : OP_add, put(m, p->begin), own);
}

/* What followed the loop, for each sum. */
static void append_end(Build *m, IrRegion *out)
{
    SumIndex at;
    IrValue *indices[3];
    IrRegion *body = append_place(m, &at, append_each_sum(m, &at, out));
    IrClone clone = clone_of(m);
    sum_indices(m, &at, indices);
    IrValue *sum = ir_load(m->b->arena, build_var(m->b, m->sums), indices, 3, m->b->span);
    build_set(m->b, m->p->sum, whole_sum(m, sum), body);
    for (const IrStmt *stmt = m->p->loop->next; stmt; stmt = stmt->next)
        ir_append(body, ir_clone_stmt(&clone, stmt));
}

/* Whether any of a lane's sums is infinite or NaN. */
static IrVar *append_odd(Build *m, IrRegion *out)
{
    SumIndex at;
    IrValue *indices[3];
    IrVar *odd = build_temporary(m->b, "_odd", type_int32);
    build_set(m->b, odd, build_integer(m->b, type_int32, 0), out);
    IrRegion *body = append_each_sum(m, &at, out);
    sum_indices(m, &at, indices);
    IrValue *sum = ir_load(m->b->arena, build_var(m->b, m->sums), indices, 3, m->b->span);
    IrValue *finite =
        ir_intrinsic(m->b->arena, INTR_isfinite, type_bool, m->b->span, sum, NULL, NULL);
    IrRegion *not = build_if(m->b, ir_unary(m->b->arena, OP_not, finite, m->b->span), body);
    build_set(m->b, odd, build_integer(m->b, type_int32, 1), not );
    return odd;
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

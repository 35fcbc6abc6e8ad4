/* What a block's threads load of the factors into shared memory. */
#include "ir/schedule/tensor/make.h"

enum {
    AT_A_TIME = 8 /* rounds of a block's threads over a tile that are laid side by side at most */
};

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

bool is_grouped(const TensorBuild *m, int f)
{
    return ir_tile_grouped(m->form) &&
           (f == FACTOR_COLUMNS || !ir_tile_split(m->form) || m->tile->map[f]);
}

/* How many tiles there are, and the rows and columns of each; those that a group reads are as wide
** as it asks for. */
static void near_shape(const TensorBuild *m, int f, int64_t shape[3])
{
    const Factor *factor = &m->p->factor[f];
    int64_t size = m->tile->size[f];
    bool grouped = is_grouped(m, f);
    bool rests = f == FACTOR_COLUMNS && m->form == TILE_TF32X3_GROUP;
    shape[0] = m->stages * (rests ? 2 : 1);
    shape[1] = factor->deep || grouped ? size : m->depth;
    shape[2] = factor->deep || grouped ? m->depth : size;
    shape[2] += grouped ? 0 : room_of(factor);
}

IrVar *new_near(const TensorBuild *m, int f)
{
    const Factor *factor = &m->p->factor[f];
    int64_t shape[3];
    near_shape(m, f, shape);
    const char *name = factor->load && factor->load->operands[0]->op == OP_var
                           ? factor->load->operands[0]->var->name
                       : f == FACTOR_ROWS ? "rows"
                                          : "columns";
    IrVar *var = ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_near", name),
                              factor->type, VAR_SHARED, shape, 3, m->b->span);
    var->alignment = is_grouped(m, f) ? 8 * TILE_ROW_BYTES : WIDE_BYTES;
    return var;
}

/* The element of a tile; k is 0 if it is NULL. */
/* An index within a row, moved as the row's number says: ir.h. */
static IrValue *moved(const TensorBuild *m, int f, IrValue *index, IrValue *row)
{
    IrValue *number = build_op(m->b, OP_mod, row, 8);
    return build_op(m->b, OP_xor, index, build_times(m->b, number, factor_width(&m->p->factor[f])));
}

/* Likewise, in the order of groups. */
static void group_indices(const TensorBuild *m, int f, IrVar *at, IrVar *k, IrValue *indices[2])
{
    IrValue *along = build_var(m->b, at), *depth = build_var(m->b, k);
    if (m->p->factor[f].deep) {
        indices[0] = along;
        indices[1] = moved(m, f, depth, build_copy(m->b, along));
        return;
    }
    IrValue *within = build_op(m->b, OP_mod, along, m->depth);
    IrValue *rows = build_op(m->b, OP_floordiv, build_copy(m->b, along), m->depth);
    indices[0] = build_op(m->b, OP_add, build_times(m->b, rows, m->depth), depth);
    indices[1] = moved(m, f, within, build_copy(m->b, depth));
}

void near_indices(const TensorBuild *m, int f, IrVar *buffer, IrVar *at, IrVar *k,
                  IrValue *indices[3])
{
    bool deep = m->p->factor[f].deep;
    indices[0] = build_var(m->b, buffer);
    if (is_grouped(m, f)) {
        group_indices(m, f, at, k, indices + 1);
        return;
    }
    IrValue *along = build_var(m->b, at), *depth = build_var(m->b, k);
    indices[1] = deep ? along : depth;
    indices[2] = deep ? depth : along;
}

IrStmt *async_copy_stmt(const TensorBuild *m, int f, IrValue *const near[3], IrValue *array,
                        IrValue *const *indices, int rank, int count)
{
    IrValue *copy = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, 6 + rank);
    IrValue **at = copy->operands;
    copy->intrinsic = INTR_async_copy;
    *at++ = build_var(m->b, m->near[f]);
    for (int i = 0; i < 3; i++)
        *at++ = near[i];
    *at++ = array;
    for (int i = 0; i < rank; i++)
        *at++ = indices[i];
    *at = build_int(m->b, count);
    return ir_eval(m->b->arena, copy, m->b->span);
}

static IrStmt *copy_stmt(const TensorBuild *m, int f, IrValue *const near[3], int count)
{
    const IrValue *load = put(m, m->p->factor[f].load);
    return async_copy_stmt(m, f, near, load->operands[0], load->operands + 1, load->count - 1,
                           count);
}

IrStmt *fill_stmt(const TensorBuild *m, int f, IrValue *const near[3], IrValue *value)
{
    return ir_store(m->b->arena, build_var(m->b, m->near[f]), near, 3, value, m->b->span);
}

IrVar *append_own(TensorBuild *m, int f, IrValue *at, bool held, IrRegion *out)
{
    IrValue *own = sum_of(m, m->first[f], at);
    put_in_part(m);
    if (held && m->part && m->p->factor[f].axis == m->p->part_axis)
        own = build_min(m->b, build_max(m->b, own, m->at_part[0]), m->at_part[1]);
    else if (held)
        own = build_min(m->b, own, build_plus(m->b, m->end[f], -1));
    IrVar *var = build_let(m->b, f == FACTOR_ROWS ? "_i" : "_j", own, out);
    put_index(m, f, var, out);
    return var;
}

IrValue *filling(const TensorBuild *m, int f)
{
    const Type *type = m->p->factor[f].type;
    if (type_is_integer(type))
        return build_integer(m->b, type, 0);
    return ir_number(m->b->arena, type, f == FACTOR_ROWS ? -0.0 : 0.0, m->b->span);
}

/* One element of a tile: that of index `at` in it, or of the last there is, and of `k` from `step`
** on. Where the loop ends before, -0.0 and 0.0 stand for the factors: their product changes no sum,
** not even one of -0.0. Where conditions leave a factor out, its own stands for it (guards.c). */
static void append_element(TensorBuild *m, int f, IrVar *step, IrVar *buffer, IrValue *at,
                           IrValue *k, IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    bool copied = factor->load && type_size(factor->type) >= 4;
    IrVar *near_at = build_let(m->b, "_at", at, out), *near_k = build_let(m->b, "_near_k", k, out);
    IrValue *near[3];
    append_own(m, f, build_var(m->b, near_at), true, out);
    append_counters(m, step, near_k, out);
    IrValue *there = hold(m, &factor->mask, below(m, m->k, m->stop));
    IrStmt *branch = ir_if(m->b->arena, hold(m, &factor->bounds, there), m->b->span);
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.then,
              copied ? copy_stmt(m, f, near, 1) : fill_stmt(m, f, near, put(m, factor->value)));
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.otherwise, fill_stmt(m, f, near, filling(m, f)));
    ir_append(out, branch);
}

/* Whether what lies behind an element is within the loop and the last row or column, too. */
static IrValue *is_whole(const TensorBuild *m, int f, const IrVar *own)
{
    bool deep = m->p->factor[f].deep;
    int behind = factor_width(&m->p->factor[f]) - 1;
    IrValue *k = build_plus(m->b, m->k, deep ? behind : 0);
    IrValue *both = build_op(m->b, OP_lt, k, m->stop);
    if (deep)
        return both;
    IrValue *next = build_plus(m->b, own, behind);
    return ir_both(m->b->arena, build_op(m->b, OP_lt, next, m->end[f]), both);
}

/* Neighbours one by one: two side by side, more in a loop. */
static void append_each(TensorBuild *m, int f, IrVar *step, IrVar *buffer, IrVar *at, IrVar *k,
                        IrRegion *out)
{
    bool deep = m->p->factor[f].deep;
    int width = factor_width(&m->p->factor[f]);
    for (int i = 0; i < width && width == 2; i++)
        append_element(m, f, step, buffer, build_plus(m->b, at, deep ? 0 : i),
                       build_plus(m->b, k, deep ? i : 0), out);
    if (width == 2)
        return;
    IrVar *one = build_counter(m->b, "_one");
    IrStmt *loop = build_for(m->b, one, 0, width, 1, 1);
    IrVar *moved = deep ? k : at;
    IrValue *place = sum_of(m, moved, build_var(m->b, one));
    append_element(m, f, step, buffer, deep ? build_var(m->b, at) : place,
                   deep ? place : build_var(m->b, k), &loop->for_.body);
    ir_append(out, loop);
}

/* Elements that lie side by side, 16 bytes from a multiple of these on: at once where all are
** there. */
static void append_wide(TensorBuild *m, int f, IrVar *step, IrVar *buffer, IrValue *at, IrValue *k,
                        IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    IrVar *near_at = build_let(m->b, "_at", at, out), *near_k = build_let(m->b, "_near_k", k, out);
    IrValue *near[3];
    IrVar *own = append_own(m, f, build_var(m->b, near_at), factor->deep && !m->inside, out);
    append_counters(m, step, near_k, out);
    if (m->inside) {
        near_indices(m, f, buffer, near_at, near_k, near);
        ir_append(out, copy_stmt(m, f, near, factor_width(factor)));
        return;
    }
    IrStmt *branch = ir_if(m->b->arena, is_whole(m, f, own), m->b->span);
    near_indices(m, f, buffer, near_at, near_k, near);
    ir_append(&branch->if_.then, copy_stmt(m, f, near, factor_width(factor)));
    append_each(m, f, step, buffer, near_at, near_k, &branch->if_.otherwise);
    ir_append(out, branch);
}

/* The place of a thread's elements in a tile along the axis in which they lie side by side, and
** along the other, for one round of its threads: `width` at a time. */
static void places(const TensorBuild *m, int f, IrVar *round, int64_t width, IrValue **near,
                   IrValue **far)
{
    int64_t threads = block_threads(m->tile);
    int64_t inner = (m->p->factor[f].deep ? m->depth : m->tile->size[f]) / width;
    IrValue *self = build_var(m->b, m->self), *count = build_var(m->b, round);
    *near = build_op(m->b, OP_mod, self, inner);
    *near = width > 1 ? build_times(m->b, *near, width) : *near;
    *far = build_op(m->b, OP_add, build_op(m->b, OP_floordiv, build_copy(m->b, self), inner),
                    build_times(m->b, count, threads / inner));
}

/* How often a block's threads go over a tile. */
static int64_t rounds_of(const TensorBuild *m, int f, int64_t width)
{
    return m->tile->size[f] * m->depth / width / block_threads(m->tile);
}

/* What the block loads of a factor for the iterations from `step` on: neighbours in memory go to
** neighbouring threads. A block has as many threads as a tile has rows or columns, or more. */
void append_tile(TensorBuild *m, int f, IrVar *step, IrVar *buffer, bool rolled, IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    int64_t width = factor->wide ? factor_width(factor) : 1;
    int64_t rounds = rounds_of(m, f, width);
    IrVar *round = build_counter(m->b, "_round");
    bool many = type_size(factor->type) < 4 && rounds > AT_A_TIME;
    IrStmt *loop = build_for(m->b, round, 0, rounds, 1, rolled ? 1 : many ? AT_A_TIME : UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    ir_append(out, loop);
    IrValue *near, *far;
    places(m, f, round, width, &near, &far);
    (factor->wide ? append_wide : append_element)(m, f, step, buffer, factor->deep ? far : near,
                                                  factor->deep ? near : far, body);
}

/* What a thread has loaded of a factor, as it is multiplied. */
void append_split(TensorBuild *m, int f, IrVar *buffer, IrRegion *out)
{
    const Factor *factor = &m->p->factor[f];
    int64_t width = factor->wide ? factor_width(factor) : 1;
    IrVar *round = build_counter(m->b, "_round");
    IrStmt *loop = build_for(m->b, round, 0, rounds_of(m, f, width), 1, UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    ir_append(out, loop);
    IrValue *near, *far, *split = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, 6);
    places(m, f, round, width, &near, &far);
    IrVar *at = build_let(m->b, "_at", factor->deep ? far : near, body);
    IrVar *k = build_let(m->b, "_near_k", factor->deep ? near : far, body);
    split->intrinsic = INTR_tile_split;
    split->operands[0] = build_var(m->b, m->near[f]);
    near_indices(m, f, buffer, at, k, split->operands + 1);
    split->operands[4] = build_int(m->b, width);
    split->operands[5] = build_int(m->b, m->form);
    ir_append(body, ir_eval(m->b->arena, split, m->b->span));
}

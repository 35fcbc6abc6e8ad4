/* Lanes as an axis of their own: of a block of 256 threads a row of 32 for each warp.
**
**     lane = thread_idx(0) % 32                      lane = thread_idx(0)
**     row = grid(0) // 32                            row = block_idx(0) * 8 + thread_idx(1)
**     for k in lane to n by 32              becomes  for k in thread_idx(0) to n by 32
**         sum = sum + a[row, k]                          sum = sum + a[row, k]
**
** The loops of a warp go along memory then, and what a warp's lanes have alike is a bound or an
** index of another axis.
** Legal where a block has one axis; the rest is arithmetic.
** Warps of a block that do not meet come one after the other, in a loop: what a warp's lanes have
** alike is one value then. Not with atomics, whose results are not used in loops (independent.c).
** It pays where lanes go through loops like that one, or load what all of a warp do, as votes are,
** and not by the stride of the grid. */
#include "ir/schedule/tile/warps.h"

typedef struct Fold {
    const Warps *w;
    IrSets sets;
    bool lanes, strides; /* there are loops of either kind */
    IrVar *warp;         /* counts them, one after the other; NULL: they are an axis */
} Fold;

static bool is_first_index(const Fold *f, const IrValue *value)
{
    return warps_is_first_index(&f->sets, value);
}

/* Whether a value is the number of the lane, or of the warp, in the block or the grid. */
static bool is_lane(const Fold *f, const IrValue *value)
{
    bool rest = (value->op == OP_mod && ir_is_integer(value->operands[1], WARP_LANES)) ||
                (value->op == OP_and && ir_is_integer(value->operands[1], WARP_LANES - 1));
    return rest && is_first_index(f, value->operands[0]);
}

static bool is_warp(const Fold *f, const IrValue *value)
{
    bool quotient = (value->op == OP_floordiv && ir_is_integer(value->operands[1], WARP_LANES)) ||
                    (value->op == OP_shr && ir_is_integer(value->operands[1], 5));
    return quotient && is_first_index(f, value->operands[0]);
}

/* Whether a loop begins at the lane, or at that and where a row begins. */
static bool begins_at_lane(const Fold *f, const IrValue *start)
{
    start = sets_behind_casts(&f->sets, start);
    return is_lane(f, start) || (start->op == OP_add && (begins_at_lane(f, start->operands[0]) ||
                                                         begins_at_lane(f, start->operands[1])));
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    Fold *f = context;
    if (stmt->kind != IR_FOR)
        return;
    bool lanes = ir_is_integer(stmt->for_.step, WARP_LANES) &&
                 sets_is_short(&f->sets, stmt->for_.start) && begins_at_lane(f, stmt->for_.start);
    f->lanes |= lanes;
    f->strides |= ir_stride_axis(&f->sets, stmt) == 0;
}

/* Whether it is an index in the whole grid, rather than in the block. */
static bool is_of_grid(const Fold *f, const IrValue *value)
{
    return ir_thread_axis(&f->sets, value) == 0;
}

static IrValue *block_times(const Fold *f, int64_t number)
{
    const IrBuilder *b = f->w->b;
    return build_op(b, OP_mul,
                    build_cast(b, type_int64, ir_axis(b->arena, INTR_block_idx, 0, b->span)),
                    number);
}

/* The number of the warp in the block. */
static IrValue *warp_of(const Fold *f, const IrBuilder *b)
{
    return f->warp ? build_var(b, f->warp) : build_thread_index(b, 1);
}

static IrValue *fold_index(const Fold *f, const IrValue *value)
{
    const IrBuilder *b = f->w->b;
    if (value->index > 0) {
        IrValue *block =
            build_cast(b, value->type, ir_axis(b->arena, INTR_block_idx, value->index, b->span));
        return value->intrinsic == INTR_grid ? block : build_integer(b, value->type, 0);
    }
    IrValue *index = build_op(b, OP_mul, warp_of(f, b), WARP_LANES);
    index = build_op(b, OP_add, index, build_thread_index(b, 0));
    if (value->intrinsic == INTR_grid)
        index = build_op(b, OP_add, block_times(f, f->w->block[0]), index);
    return build_cast(b, value->type, index);
}

static IrValue *fold_value(const IrClone *clone, const IrValue *value)
{
    const Fold *f = clone->context;
    IrBuilder b = { clone->arena, f->w->b->fn, value->span };
    if (is_lane(f, value))
        return build_cast(&b, value->type, build_thread_index(&b, 0));
    if (is_warp(f, value)) {
        IrValue *warp = warp_of(f, &b);
        if (is_of_grid(f, value->operands[0]))
            warp = build_op(&b, OP_add, block_times(f, f->w->block[0] / WARP_LANES), warp);
        return build_cast(&b, value->type, warp);
    }
    if (value->op != OP_intrinsic)
        return NULL;
    if (value->intrinsic == INTR_block_dim)
        return build_integer(&b, value->type, f->w->block[value->index]);
    return value->intrinsic == INTR_thread_idx || value->intrinsic == INTR_grid
               ? fold_index(f, value)
               : NULL;
}

bool warps_fold(Warps *w, IrRegion *body)
{
    Fold f = { .w = w, .lanes = w->alike, .sets = ir_sets(w->unit->arena, w->b->fn, body) };
    if (w->block[1] != 1 || w->block[2] != 1)
        return false;
    ir_each_stmt(body, look_at_stmt, &f);
    if (!f.lanes || f.strides)
        return false;
    int count = (int)w->block[0] / WARP_LANES;
    if (count > 1 && !(w->b->fn->effects & (EFFECT_BLOCK_SYNC | EFFECT_ATOMIC)))
        f.warp = build_counter(w->b, "warp");
    IrClone clone = { .arena = w->unit->arena, .value = fold_value, .context = &f };
    IrRegion folded = { NULL, NULL };
    ir_clone_region(&clone, body, &folded);
    *body = folded;
    w->block[1] = f.warp ? 1 : (uint32_t)count;
    w->block[0] = WARP_LANES;
    if (f.warp) {
        IrStmt *loop = build_for(w->b, f.warp, 0, count, 1, 0);
        loop->for_.body = folded;
        *body = (IrRegion){ NULL, NULL };
        ir_append(body, loop);
    }
    return true;
}

/* A kernel for a tile of threads, from its plan. */
#include "ir/schedule/tile/make.h"

/* The lesser of two values, or the greater. */
static IrValue *outer(const TileBuild *m, bool lesser, IrValue *a, IrValue *b)
{
    return ir_intrinsic(m->arena, lesser ? INTR_min : INTR_max, type_int64, a->span, a, b, NULL);
}

static void make_parts(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out);

static void make_clip(const TileBuild *m, const TilePart *part, Range range, IrRegion *out)
{
    Span span = part->stmt->span;
    const IrBuilder b[1] = { make_at(m, span) };
    for (int i = 0; i < part->bound_count; i++) {
        const TileBound *bound = &part->bounds[i];
        IrVar **side = bound->high ? range.high : range.low;
        IrVar *end = make_var(
            m, arena_printf(m->arena, "%s_%c", bound->high ? "end" : "begin", "xyz"[bound->axis]),
            span);
        IrVar *shift = range.shift[bound->axis];
        IrValue *limit = make_outside(m, bound->end), *now = make_read(m, side[bound->axis], span);
        end->nonnegative = !bound->high;
        if (shift) /* which the limit, if it is near the end of 64 bits, must not be added to */
            now = build_op(b, OP_sub, now, shift);
        IrValue *cut = outer(m, bound->high, now, limit);
        if (shift)
            cut = build_op(b, OP_add, cut, shift);
        build_set(b, end, cut, out);
        side[bound->axis] = end;
        range.only |= (unsigned)bound->only << bound->axis;
    }
    make_parts(m, part->then, &range, out);
}

/* Whether the threads of a range that is whole are neighbours from the tile's first on. */
static bool can_transpose(const TileBuild *m, const Range *range)
{
    int axis = m->tiles->order[0];
    return m->tiles->along[axis] == ROWS_LOADED && !range->shift[axis] &&
           range->low[axis] == range->origin[axis];
}

static void make_loop(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
    TileStage transposed = tiles_transposed(m->tiles, part);
    if (transposed.count && can_transpose(m, range)) {
        make_transposed(m, part, &transposed, range, out);
        return;
    }
    IrStmt *loop =
        make_for(m, stmt->for_.var, make_outside(m, stmt->for_.start),
                 make_outside(m, stmt->for_.stop), make_outside(m, stmt->for_.step), stmt->span);
    loop->for_.bounded = stmt->for_.bounded;
    loop->for_.unroll = stmt->for_.unroll;
    make_parts(m, part->then, range, &loop->for_.body);
    ir_append(out, loop);
}

/* Whether iterations of a loop by strides are best taken several at a time: what a thread keeps is
** then read and written once for all of them. So far where adding up is all that they do. */
static bool takes_iterations(const TileBuild *m, const TilePart *part)
{
    enum { STATEMENTS = 3 };
    const TilePart *nest = part->then;
    bool keeps = false;
    if (!nest || nest->kind != TILE_NEST || nest->next || nest->count > STATEMENTS ||
        magnitude_bits(m->tiles->affine.magnitude, part->stmt->for_.stop) > FAR_BITS)
        return false;
    for (int i = 0; i < nest->count; i++)
        if (nest->stmts[i]->kind != IR_SET || ir_stmt_effects(nest->stmts[i]) & ~EFFECT_READ)
            return false;
    for (int i = 0; i < m->var_count; i++)
        keeps |= m->kept[i] && (nest->uses[i] & USE_SET) && (nest->uses[i] & USE_INCOMING);
    return keeps;
}

/* What the iterations of a loop by strides have in common. */
typedef struct Stride {
    const TilePart *part;
    Range range;
    IrVar *stop, *step;
    Span span;
} Stride;

static IrValue *steps_of(const TileBuild *m, const Stride *s, int count)
{
    const IrBuilder b[1] = { make_at(m, s->span) };
    IrValue *step = make_read(m, s->step, s->span);
    return count == 1 ? step : build_op(b, OP_mul, step, count);
}

/* The range of an iteration that begins at `low`. Of several at once it is known to lie before the
** end of the stride, but saying so lets the C compiler see that nothing wraps. */
static Range iteration_range(const TileBuild *m, const Stride *s, IrVar *low, IrRegion *out)
{
    const Span span = s->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = s->part->axis;
    Range iteration = s->range;
    iteration.low[axis] = low;
    iteration.high[axis] = make_var(m, arena_printf(m->arena, "end_%c", "xyz"[axis]), span);
    iteration.shift[axis] = make_var(m, "shift", span);
    iteration.origin[axis] = make_var(m, arena_printf(m->arena, "origin_%c", "xyz"[axis]), span);
    IrValue *shift =
        make_distance(m, make_read(m, low, span), make_read(m, s->range.low[axis], span));
    IrValue *high =
        build_op(b, OP_add, make_read(m, s->range.high[axis], span), iteration.shift[axis]);
    IrValue *origin =
        build_op(b, OP_add, make_read(m, m->first[axis], span), iteration.shift[axis]);
    high = outer(m, true, high, make_read(m, s->stop, span));
    build_set(b, iteration.shift[axis], shift, out);
    build_set(b, iteration.origin[axis], origin, out);
    build_set(b, iteration.high[axis], high, out);
    return iteration;
}

/* One iteration after the other. */
static IrStmt *make_iterations(const TileBuild *m, const Stride *s, IrValue *start, IrValue *stop)
{
    int axis = s->part->axis;
    IrVar *low = make_var(m, arena_printf(m->arena, "iteration_%c", "xyz"[axis]), s->span);
    IrStmt *loop = make_for(m, low, start, stop, make_read(m, s->step, s->span), s->span);
    Range iteration = iteration_range(m, s, low, &loop->for_.body);
    IrValue *step = make_read(m, s->step, s->span);
    TileIteration piece = { low, iteration.high[axis], step, 1 };
    tiles_prefetch(m->tiles, s->part, &piece, &loop->for_.body);
    make_parts(m, s->part->then, &iteration, &loop->for_.body);
    return loop;
}

/* for iteration_x in start to stop by 4 * step: if iteration_x + 3 * step + (high - low) <= stop,
** four iterations at once; else for iteration_x_2 in iteration_x to min(iteration_x + 4 * step,
** stop) by step, one. */
static IrStmt *make_several_iterations(const TileBuild *m, const Stride *s, IrValue *start,
                                       IrRegion *out)
{
    const Span span = s->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = s->part->axis;
    Iterations iterations = { .iteration = s->part->stmt->for_.var };
    for (int u = 1; u < ITERATIONS; u++) {
        iterations.ahead[u] = make_var(m, "ahead", span);
        build_set(b, iterations.ahead[u], steps_of(m, s, u), out);
    }
    IrVar *low = make_var(m, arena_printf(m->arena, "iteration_%c", "xyz"[axis]), span);
    IrStmt *loop =
        make_for(m, low, start, make_read(m, s->stop, span), steps_of(m, s, ITERATIONS), span);
    IrValue *along = build_op(b, OP_sub, make_read(m, s->range.high[axis], span),
                              make_read(m, s->range.low[axis], span));
    IrValue *last = build_op(b, OP_add, low, iterations.ahead[ITERATIONS - 1]);
    last = build_op(b, OP_add, last, along);
    IrStmt *branch = ir_if(m->arena, build_op(b, OP_le, last, s->stop), span);
    Range iteration = iteration_range(m, s, low, &branch->if_.then);
    TileIteration piece = { low, iteration.high[axis], make_read(m, s->step, span), ITERATIONS };
    tiles_prefetch(m->tiles, s->part, &piece, &branch->if_.then);
    make_nest(m, s->part->then, &iteration, &iterations, &branch->if_.then);
    IrValue *end = build_op(b, OP_add, low, steps_of(m, s, ITERATIONS));
    ir_append(&branch->if_.otherwise,
              make_iterations(m, s, make_read(m, low, span),
                              outer(m, true, end, make_read(m, s->stop, span))));
    ir_append(&loop->for_.body, branch);
    return loop;
}

typedef struct FindRow {
    const TileBuild *make;
    TileRow row;
} FindRow;

static void find_row(void *context, IrValue *value)
{
    FindRow *f = context;
    const IrVar *off = f->row.off;
    if (value->op != OP_add || !ir_is_var(value->operands[1], off) ||
        value->operands[0]->op != OP_var)
        return;
    const IrVar *begin = value->operands[0]->var;
    if (!begin->nonnegative && f->make->tiles->vars[begin->id] == TILE_VAR_ONCE)
        f->row.begin = begin;
}

/* The row that a stride goes along, if it may begin before an array. */
static TileRow row_of(const TileBuild *m, const IrStmt *loop)
{
    FindRow f = { m, { NULL, loop->for_.var } };
    if (loop->for_.var->nonnegative)
        ir_each_node_in(&loop->for_.body, find_row, &f);
    return f.row;
}

/* All iterations of a loop at once. */
static void make_whole(const TileBuild *m, const TilePart *part, Range range, IrRegion *out)
{
    const Span span = part->stmt->span;
    IrVar *stop = make_var(m, "stop", span);
    stop->nonnegative = false;
    ir_append(out, ir_set(m->arena, stop, make_outside(m, part->stmt->for_.stop), span));
    for (int axis = 0; axis < 3; axis++) {
        if (!(part->whole >> axis & 1))
            continue;
        range.low[axis] = range.origin[axis] = (IrVar *)&m->none;
        range.high[axis] = axis == part->axis ? stop : (IrVar *)&m->one;
        range.shift[axis] = NULL;
    }
    make_parts(m, part->then, &range, out);
}

/* for low_2 in low to stop by threads: what lies from there to min(low_2 + high - low, stop) */
static void make_stride(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
    const Span span = stmt->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = part->axis;
    Stride s = { part, *range, make_var(m, "stop", span), make_var(m, "step", span), span };
    s.stop->nonnegative = false;
    build_set(b, s.stop, make_outside(m, stmt->for_.stop), out);
    IrValue *step = build_cast(b, type_int64, make_outside(m, stmt->for_.step));
    build_set(b, s.step, step, out);
    IrValue *start = make_read(m, range->low[axis], span);
    if (m->tiles->block && !part->of_block)
        start = build_op(b, OP_add, m->base[axis], start);
    s.range.row = (TileRow){ NULL, NULL };
    TileRow row = row_of(m, stmt);
    if (row.begin) { /* indices that may count from the end are no vectors */
        IrStmt *branch = ir_if(m->arena, build_op(b, OP_ge, row.begin, 0), span);
        ir_append(&branch->if_.otherwise,
                  make_iterations(m, &s, build_copy(b, start), make_read(m, s.stop, span)));
        s.range.row = row;
        ir_append(out, branch);
        out = &branch->if_.then;
    }
    ir_append(out, takes_iterations(m, part)
                       ? make_several_iterations(m, &s, start, out)
                       : make_iterations(m, &s, start, make_read(m, s.stop, span)));
}

static void make_while(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out)
{
    IrStmt *loop = ir_stmt(m->arena, IR_WHILE, part->stmt->span);
    loop->while_.condition = make_outside(m, part->stmt->while_.condition);
    make_parts(m, part->then, range, &loop->while_.body);
    ir_append(out, loop);
}

static void make_branch(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out)
{
    IrStmt *branch = ir_if(m->arena, make_outside(m, part->stmt->if_.condition), part->stmt->span);
    make_parts(m, part->then, range, &branch->if_.then);
    make_parts(m, part->otherwise, range, &branch->if_.otherwise);
    ir_append(out, branch);
}

static void make_parts(const TileBuild *m, const TilePart *part, const Range *range, IrRegion *out)
{
    for (; part; part = part->next) {
        switch (part->kind) {
        case TILE_NEST:
            make_nest(m, part, range, NULL, out);
            break;
        case TILE_ONCE:
            ir_append(out, ir_set(m->arena, part->stmt->set.var,
                                  make_outside(m, part->stmt->set.value), part->stmt->span));
            break;
        case TILE_IF:
            make_branch(m, part, range, out);
            break;
        case TILE_CLIP:
            make_clip(m, part, *range, out);
            break;
        case TILE_LOOP:
            make_loop(m, part, range, out);
            break;
        case TILE_WHILE:
            make_while(m, part, range, out);
            break;
        case TILE_STRIDE:
            if (part->whole)
                make_whole(m, part, *range, out);
            else
                make_stride(m, part, range, out);
            break;
        }
    }
}

/* The end of the tile along an axis: there may be fewer threads. */
static IrValue *end_of_tile(const TileBuild *m, IrVar *first, int axis, Span span)
{
    const IrBuilder b[1] = { make_at(m, span) };
    IrValue *end = build_op(b, OP_add, make_read(m, first, span), m->tiles->along[axis]);
    return m->tiles->block ? make_number(m, m->tiles->along[axis], span)
                           : outer(m, true, end, make_read(m, m->threads[axis], span));
}

/* The indices of the tile that there are. */
static Range whole_range(TileBuild *m, IrRegion *out, Span span)
{
    const IrBuilder b[1] = { make_at(m, span) };
    Range range = { .low = { NULL } };
    for (int i = 0; i < m->tiles->axes; i++) {
        int axis = m->tiles->order[i];
        IrValue *grid = ir_axis(m->arena, INTR_grid, tiles_launched(m->tiles, axis), span);
        range.low[axis] = range.origin[axis] = m->first[axis] =
            make_var(m, arena_printf(m->arena, "first_%c", "xyz"[axis]), span);
        range.high[axis] = make_var(m, arena_printf(m->arena, "end_%c", "xyz"[axis]), span);
        IrValue *low = m->tiles->block ? make_number(m, 0, span)
                                       : build_op(b, OP_mul, grid, m->tiles->along[axis]);
        build_set(b, range.low[axis], low, out);
        build_set(b, range.high[axis], end_of_tile(m, m->first[axis], axis, span), out);
    }
    return range;
}

/* Where a block begins, along all axes: what is not asked for goes again. */
static void set_block(TileBuild *m, IrRegion *out, Span span)
{
    const IrBuilder b[1] = { make_at(m, span) };
    for (int axis = 0; axis < 3; axis++) {
        IrValue *grid = ir_axis(m->arena, INTR_grid, axis, span);
        m->base[axis] = make_var(m, arena_printf(m->arena, "block_%c", "xyz"[axis]), span);
        build_set(b, m->base[axis], make_outside(m, tiles_base(m->arena, grid)), out);
    }
}

IrRegion tiles_make(const Tiles *tiles, IrVar *const *threads)
{
    IrFunc *fn = tiles->unit->kernel;
    Arena *arena = tiles->unit->arena;
    TileBuild m = { .tiles = tiles,
                    .arena = arena,
                    .fn = fn,
                    .threads = threads,
                    .kept = arena_array(arena, IrVar *, fn->var_count + 1),
                    .var_count = fn->var_count };
    Span span = fn->body.first->span;
    IrRegion out = { NULL, NULL };
    make_kept(&m);
    if (tiles->block)
        set_block(&m, &out, span);
    Range range = whole_range(&m, &out, span);
    make_clear(&m, &range, &out, span);
    make_parts(&m, tiles->plan, &range, &out);
    return out;
}

/* A kernel for a tile of threads, from its plan. */
#include "ir/schedule/tile/tiles.h"

#include <math.h>

/* What is being made. */
typedef struct Make {
    const Tiles *tiles;
    Arena *arena;
    IrFunc *fn;
    IrVar *const *threads;  /* by axis: how many there are in all */
    IrVar *first[3];        /* by axis: the tile's first index, in a block 0 */
    IrVar *base[3];         /* of a block, by axis: the grid's index of its first thread */
    IrVar **kept;           /* by IrVar.id: the array; NULL: none */
    const Type *arrays[16]; /* of kept variables */
    int array_count;
    int var_count; /* of the kernel as it was */
} Make;

/* Where the loops at hand begin and end, by axis. In a loop by strides they count what that counts:
** `shift` beyond a thread's index; NULL: it is its index. `origin` is what they count for the first
** thread of the tile. */
typedef struct Range {
    IrVar *low[3], *high[3], *origin[3], *shift[3];
} Range;

static IrValue *make_number(const Make *m, int64_t value, Span span)
{
    return ir_integer(m->arena, type_int64, value, span);
}

/* A block's first thread is at 0. */
static IrValue *make_read(const Make *m, IrVar *var, Span span)
{
    for (int axis = 0; axis < 3 && m->tiles->block; axis++)
        if (var == m->first[axis])
            return make_number(m, 0, span);
    return ir_var(m->arena, var, span);
}

static bool is_zero(const IrValue *value)
{
    return value->op == OP_constant && value->constant.integer == 0;
}

/* a - b, which is not negative. */
static IrValue *make_distance(const Make *m, IrValue *a, IrValue *b)
{
    if (is_zero(b))
        return a;
    a = ir_binary(m->arena, OP_sub, a, b, a->span);
    a->nonnegative = true;
    return a;
}

static IrVar *make_var(const Make *m, const char *name, Span span)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, type_int64, span);
    var->nonnegative = true;
    var->uniform = true;
    return var;
}

/* The lesser of two values, or the greater. */
static IrValue *outer(const Make *m, bool lesser, IrValue *a, IrValue *b)
{
    return ir_intrinsic(m->arena, lesser ? INTR_min : INTR_max, type_int64, a->span, a, b, NULL);
}

/* ---- values for a thread, and for the tile -------------------------------------------------- */

typedef struct Here {
    const Make *make;
    const Range *range;
    IrVar *at[3]; /* by axis: the counter of the loop over its indices; NULL: there is none */
} Here;

/* A thread's index along an axis, counted as the loops count; NULL: there is no loop. */
static IrValue *counted(const IrClone *clone, const Here *p, int axis, Span span)
{
    if (!p->at[axis])
        return NULL;
    IrValue *at = ir_var(clone->arena, p->at[axis], span);
    IrVar *shift = p->range->shift[axis];
    if (shift) {
        at = ir_binary(clone->arena, OP_sub, at, ir_var(clone->arena, shift, span), span);
        at->nonnegative = true;
    }
    return at;
}

/* What a thread of a block asks for. */
static IrValue *index_in_block(const IrClone *clone, const Here *p, const IrValue *value)
{
    const int axis = value->index;
    const Span span = value->span;
    IrValue *at = counted(clone, p, axis, span);
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return at ? ir_cast(clone->arena, value->type, at, span)
                  : ir_integer(clone->arena, value->type, 0, span);
    case INTR_block_dim:
        return ir_integer(clone->arena, value->type, p->make->tiles->along[axis], span);
    case INTR_grid: {
        IrValue *base = ir_var(clone->arena, p->make->base[axis], span);
        return at ? ir_binary(clone->arena, OP_add, base, at, span) : base;
    }
    default:
        return NULL;
    }
}

/* Whether a value is an index and little more, which stands for itself wherever it is read: the C
** compiler sees better through sums than through narrow variables. */
static bool is_simple(const IrValue *value, int *nodes)
{
    enum { MOST = 8 };
    bool integer = type_is_integer(value->type);
    bool sum = value->op == OP_add || value->op == OP_sub || value->op == OP_cast;
    bool leaf = value->op == OP_var || value->op == OP_constant || value->op == OP_intrinsic;
    if (!integer || ++*nodes > MOST || (!sum && (!leaf || value->count)))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_simple(value->operands[i], nodes))
            return false;
    return true;
}

/* What stands for a variable that is computed again, if that is simple; else NULL. */
static const IrValue *make_simple(const Make *m, const IrVar *var)
{
    int nodes = 0;
    bool again = var->kind == VAR_LOCAL && var->id < m->var_count &&
                 m->tiles->vars[var->id] == TILE_VAR_AGAIN;
    const IrValue *set = again ? m->tiles->affine.sets[var->id] : NULL;
    return set && is_simple(set, &nodes) ? set : NULL;
}

static IrValue *again_value(const IrClone *clone, const IrValue *value)
{
    const Here *p = clone->context;
    const IrValue *set = make_simple(p->make, value->var);
    if (!set)
        return NULL;
    IrValue *copy = ir_clone_value(clone, set);
    copy->nonnegative |= value->var->nonnegative;
    return copy;
}

static IrValue *make_value(const IrClone *clone, const IrValue *value)
{
    const Here *p = clone->context;
    if (value->op == OP_var)
        return again_value(clone, value);
    if (value->op != OP_intrinsic)
        return NULL;
    if (p->make->tiles->block)
        return index_in_block(clone, p, value);
    if (value->intrinsic == INTR_grid)
        return counted(clone, p, value->index, value->span);
    if (value->intrinsic == INTR_gridsize)
        return ir_var(clone->arena, p->make->threads[value->index], value->span);
    return NULL;
}

static IrValue *make_outside(const Make *m, const IrValue *value)
{
    Here none = { .make = m };
    IrClone clone = { .arena = m->arena, .value = make_value, .context = &none };
    return ir_clone_value(&clone, value);
}

/* ---- what is kept -------------------------------------------------------------------------- */

static const Type *array_type(Make *m, const Type *element)
{
    for (int i = 0; i < m->array_count; i++)
        if (m->arrays[i]->array.element == element)
            return m->arrays[i];
    Type *type = arena_new(m->arena, Type);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = element;
    type->array.rank = m->tiles->axes;
    type->array.layout = LAYOUT_C;
    if (m->array_count < (int)ARRAY_COUNT(m->arrays))
        m->arrays[m->array_count++] = type;
    return type;
}

static void make_kept(Make *m)
{
    for (int i = 0; i < m->var_count; i++) {
        const IrVar *var = m->fn->vars[i];
        if (m->tiles->vars[i] != TILE_VAR_KEPT)
            continue;
        IrVar *kept = ir_var_new(m->arena, m->fn, arena_printf(m->arena, "%s_kept", var->name),
                                 array_type(m, var->type), VAR_PRIVATE, var->span);
        int64_t *shape = arena_array(m->arena, int64_t, m->tiles->axes);
        for (int k = 0; k < m->tiles->axes; k++)
            shape[k] = m->tiles->along[m->tiles->order[k]];
        kept->shape = shape;
        kept->alignment = 64;
        kept->temporary = true;
        m->kept[i] = kept;
    }
}

/* A thread's index in the tile, along axis number i of the loops. */
static IrValue *index_of(const Make *m, const Here *here, int i, Span span)
{
    int axis = m->tiles->order[i];
    return make_distance(m, make_read(m, here->at[axis], span),
                         make_read(m, here->range->origin[axis], span));
}

static IrValue *load_kept(const Make *m, int id, const Here *here, Span span)
{
    int axes = m->tiles->axes;
    IrValue *load = ir_value(m->arena, OP_load, m->fn->vars[id]->type, span, 1 + axes);
    load->operands[0] = ir_var(m->arena, m->kept[id], span);
    for (int i = 0; i < axes; i++)
        load->operands[1 + i] = index_of(m, here, i, span);
    return load;
}

static IrStmt *store_kept(const Make *m, int id, const Here *here, IrValue *value, Span span)
{
    IrStmt *store = ir_stmt(m->arena, IR_STORE, span);
    store->store.array = ir_var(m->arena, m->kept[id], span);
    store->store.count = m->tiles->axes;
    store->store.indices = arena_array(m->arena, IrValue *, store->store.count);
    for (int i = 0; i < store->store.count; i++)
        store->store.indices[i] = index_of(m, here, i, span);
    store->store.value = value;
    return store;
}

/* ---- nests --------------------------------------------------------------------------------- */

static IrStmt *make_for(const Make *m, IrVar *var, IrValue *start, IrValue *stop, IrValue *step,
                        Span span)
{
    IrStmt *loop = ir_stmt(m->arena, IR_FOR, span);
    loop->for_.var = var;
    loop->for_.start = start;
    loop->for_.stop = stop;
    loop->for_.step = step;
    loop->for_.bounded = true;
    return loop;
}

/* Loops over all indices of the range; gives the innermost one's body. */
static IrRegion *append_loops(const Make *m, const Range *range, Here *here, bool any_order,
                              IrStmt **innermost, IrRegion *out, Span span)
{
    for (int i = 0; i < m->tiles->axes; i++) {
        int axis = m->tiles->order[i];
        IrVar *var = make_var(m, arena_printf(m->arena, "at_%c", "xyz"[axis]), span);
        var->uniform = false;
        IrStmt *loop =
            make_for(m, var, make_read(m, range->low[axis], span),
                     make_read(m, range->high[axis], span), make_number(m, 1, span), span);
        loop->for_.any_order = any_order && i == m->tiles->axes - 1;
        ir_append(out, loop);
        *innermost = loop;
        here->at[axis] = var;
        out = &loop->for_.body;
    }
    return out;
}

static IrVar *copy_var(const Make *m, const IrVar *var)
{
    IrVar *copy = ir_var_new(m->arena, m->fn, var->name, var->type, VAR_LOCAL, var->span);
    copy->nonnegative = var->nonnegative;
    copy->temporary = var->temporary;
    return copy;
}

/* Marks the variables that are computed again and that a value reads, and what these read. */
typedef struct Want {
    const Make *make;
    bool *wanted;
} Want;

static void want_node(void *context, IrValue *value)
{
    Want *w = context;
    if (value->op != OP_var || value->var->id >= w->make->var_count ||
        w->make->tiles->vars[value->var->id] != TILE_VAR_AGAIN || w->wanted[value->var->id])
        return;
    w->wanted[value->var->id] = true;
    const IrValue *set = w->make->tiles->affine.sets[value->var->id];
    if (set)
        ir_each_node((IrValue *)set, want_node, w);
}

static Want want_none(const Make *m)
{
    return (Want){ m, arena_array(m->arena, bool, m->var_count + 1) };
}

static void append_again(const Make *m, Want w, const Here *here, IrClone *clone, IrRegion *out)
{
    for (int i = 0; i < m->tiles->again_count; i++) {
        const IrStmt *stmt = m->tiles->again[i];
        IrVar *var = stmt->kind == IR_SET ? stmt->set.var : stmt->for_.var;
        if (!w.wanted[var->id] || make_simple(m, var))
            continue;
        if (stmt->kind == IR_FOR) { /* a stride's: what the loop over the threads counts */
            clone->vars[var->id] = here->at[m->tiles->stride_axes[var->id]];
            continue;
        }
        IrValue *value = ir_clone_value(clone, stmt->set.value);
        clone->vars[var->id] = copy_var(m, var);
        ir_append(out, ir_set(m->arena, clone->vars[var->id], value, stmt->span));
    }
}

/* Several iterations of a loop by strides at once, one behind the other for each thread: how far
** each is beyond the first. */
enum { ITERATIONS = 4 };
typedef struct Iterations {
    const IrVar *iteration;
    IrVar *ahead[ITERATIONS]; /* of the first NULL */
} Iterations;

typedef struct InNest {
    Here here; /* comes first: make_value() is told of the whole */
    const TileSums *sums;
    const TileStage *stage;
    IrVar **near;           /* by number of the load: what was collected */
    const IrVar *iteration; /* what the stride counts, */
    IrVar *ahead;           /* and how far beyond that the iteration at hand is; NULL: it is that */
} InNest;

static bool nest_stmt(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const InNest *in = clone->context;
    return tiles_sums_stmt(clone, in->sums, stmt, out);
}

/* Whether a variable is new in this nest, and in others. */
static bool is_of_each_nest(const Make *m, const TilePart *nest, int id)
{
    int nests = 0;
    for (int i = 0; i < m->tiles->nest_count; i++)
        nests += (m->tiles->nests[i]->uses[id] & TILE_MENTIONED) != 0;
    return m->fn->vars[id]->kind == VAR_LOCAL && m->tiles->vars[id] == TILE_VAR_OWN &&
           (nest->uses[id] & TILE_SET) && nests > 1;
}

/* ---- what is collected for all rows --------------------------------------------------------- */

/* Where the lane at hand finds what was collected for it. */
static IrValue *lane_of(const Make *m, const Here *here, Span span)
{
    return index_of(m, here, m->tiles->axes - 1, span);
}

static IrValue *iteration_ahead(const IrClone *clone, const InNest *in, const IrValue *value)
{
    int axis = in->here.make->tiles->stride_axes[value->var->id];
    return ir_binary(clone->arena, OP_add, ir_var(clone->arena, in->here.at[axis], value->span),
                     ir_var(clone->arena, in->ahead, value->span), value->span);
}

static IrValue *nest_value(const IrClone *clone, const IrValue *value)
{
    const InNest *in = clone->context;
    if (value->op == OP_var && in->ahead && value->var == in->iteration)
        return iteration_ahead(clone, in, value);
    for (int i = 0; value->op == OP_load && i < in->stage->count; i++) {
        if (in->stage->loads[i] != value)
            continue;
        IrValue *load = ir_value(clone->arena, OP_load, value->type, value->span, 2);
        load->operands[0] = ir_var(clone->arena, in->near[i], value->span);
        load->operands[1] = lane_of(in->here.make, &in->here, value->span);
        return load;
    }
    return make_value(clone, value);
}

static IrVar *near_array(const Make *m, const IrValue *load)
{
    Type *type = arena_new(m->arena, Type);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = load->type;
    type->array.rank = 1;
    type->array.layout = LAYOUT_C;
    IrVar *near = ir_var_new(m->arena, m->fn, "near", type, VAR_PRIVATE, load->span);
    int64_t *shape = arena_array(m->arena, int64_t, 1);
    shape[0] = m->tiles->along[m->tiles->order[m->tiles->axes - 1]];
    near->shape = shape;
    near->alignment = 64;
    near->temporary = true;
    return near;
}

/* Where there are threads along all axes but the lanes'. */
static IrRegion *where_rows_are(const Make *m, const Range *range, IrRegion *out, Span span)
{
    for (int i = 0; i < m->tiles->axes - 1; i++) {
        int axis = m->tiles->order[i];
        IrStmt *branch = ir_stmt(m->arena, IR_IF, span);
        branch->if_.condition = ir_binary(m->arena, OP_lt, make_read(m, range->low[axis], span),
                                          make_read(m, range->high[axis], span), span);
        ir_append(out, branch);
        out = &branch->if_.then;
    }
    return out;
}

static IrVar **make_stage(const Make *m, const TilePart *nest, const TileStage *stage,
                          const Range *range, IrRegion *out)
{
    IrVar **near = arena_array(m->arena, IrVar *, stage->count + 1);
    if (!stage->count)
        return near;
    Span span = nest->stmts[0]->span;
    int lanes = m->tiles->order[m->tiles->axes - 1];
    Here here = { .make = m, .range = range };
    IrClone clone = { .arena = m->arena,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1),
                      .value = make_value,
                      .context = &here };
    IrVar *at = here.at[lanes] = make_var(m, "lane", span);
    at->uniform = false;
    IrStmt *loop = make_for(m, at, make_read(m, range->low[lanes], span),
                            make_read(m, range->high[lanes], span), make_number(m, 1, span), span);
    Want want = want_none(m);
    for (int i = 0; i < stage->count; i++)
        ir_each_node((IrValue *)stage->loads[i], want_node, &want);
    append_again(m, want, &here, &clone, &loop->for_.body);
    for (int i = 0; i < stage->count; i++) {
        IrStmt *store = ir_stmt(m->arena, IR_STORE, span);
        near[i] = near_array(m, stage->loads[i]);
        store->store.array = ir_var(m->arena, near[i], span);
        store->store.count = 1;
        store->store.indices = arena_array(m->arena, IrValue *, 1);
        store->store.indices[0] = lane_of(m, &here, span);
        store->store.value = ir_clone_value(&clone, stage->loads[i]);
        ir_append(&loop->for_.body, store);
    }
    ir_append(where_rows_are(m, range, out, span), loop);
    return near;
}

static void make_nest(const Make *m, const TilePart *nest, const Range *range,
                      const Iterations *iterations, IrRegion *out)
{
    Span span = nest->stmts[0]->span;
    TileSums sums = tiles_sums(m->tiles, nest);
    TileStage stage = { 0 };
    if (!iterations) /* of several, each has its own */
        stage = tiles_stage(m->tiles, nest);
    InNest in = { .here = { .make = m, .range = range },
                  .sums = &sums,
                  .stage = &stage,
                  .near = make_stage(m, nest, &stage, range, out),
                  .iteration = iterations ? iterations->iteration : NULL };
    Here *here = &in.here;
    tiles_sums_begin(m->tiles, &sums, out);
    IrStmt *loop = NULL;
    IrRegion *body = append_loops(m, range, here, sums.whole && !tiles_along_any(m->tiles, nest),
                                  &loop, out, span);
    loop->for_.sums = tiles_sums_vars(m->tiles, &sums, &loop->for_.sum_count);
    IrClone clone = { .arena = m->arena,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1),
                      .value = nest_value,
                      .stmt = nest_stmt,
                      .context = &in };
    Want want = want_none(m);
    for (int i = 0; i < nest->count; i++)
        ir_each_node_of(nest->stmts[i], want_node, &want);
    append_again(m, want, here, &clone, body);
    for (int i = 0; i < m->var_count; i++) {
        if (!(m->kept[i] ? nest->uses[i] & TILE_MENTIONED : is_of_each_nest(m, nest, i)))
            continue;
        clone.vars[i] = copy_var(m, m->fn->vars[i]);
        if (!m->kept[i])
            continue;
        if (nest->uses[i] & TILE_INCOMING)
            ir_append(body, ir_set(m->arena, clone.vars[i], load_kept(m, i, here, span), span));
    }
    for (int u = 0; u < (iterations ? ITERATIONS : 1); u++) {
        in.ahead = iterations ? iterations->ahead[u] : NULL;
        for (int i = 0; i < nest->count; i++)
            if (!nest_stmt(&clone, nest->stmts[i], body))
                ir_append(body, ir_clone_stmt(&clone, nest->stmts[i]));
    }
    for (int i = 0; i < m->var_count; i++)
        if (m->kept[i] && (nest->uses[i] & TILE_SET))
            ir_append(body, store_kept(m, i, here, ir_var(m->arena, clone.vars[i], span), span));
    Here none = { .make = m };
    IrClone outside = { .arena = m->arena, .value = make_value, .context = &none };
    tiles_sums_end(m->tiles, &sums, &outside, out);
}

/* ---- what stands around ---------------------------------------------------------------------- */

static void make_parts(Make *m, const TilePart *part, const Range *range, IrRegion *out);

static void make_clip(Make *m, const TilePart *part, Range range, IrRegion *out)
{
    Span span = part->stmt->span;
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
            now = ir_binary(m->arena, OP_sub, now, make_read(m, shift, span), span);
        IrValue *cut = outer(m, bound->high, now, limit);
        if (shift)
            cut = ir_binary(m->arena, OP_add, cut, make_read(m, shift, span), span);
        ir_append(out, ir_set(m->arena, end, cut, span));
        side[bound->axis] = end;
    }
    make_parts(m, part->then, &range, out);
}

static void make_loop(Make *m, const TilePart *part, const Range *range, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
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
static bool takes_iterations(const Make *m, const TilePart *part)
{
    enum { STATEMENTS = 3 };
    const TilePart *nest = part->then;
    bool keeps = false;
    if (!nest || nest->kind != TILE_NEST || nest->next || nest->count > STATEMENTS ||
        !isfinite(affine_most(&m->tiles->affine, m->tiles->unit->launch, part->stmt->for_.stop)))
        return false;
    for (int i = 0; i < nest->count; i++)
        if (nest->stmts[i]->kind != IR_SET || ir_stmt_effects(nest->stmts[i]) & ~EFFECT_READ)
            return false;
    for (int i = 0; i < m->var_count; i++)
        keeps |= m->kept[i] && (nest->uses[i] & TILE_SET) && (nest->uses[i] & TILE_INCOMING);
    return keeps;
}

/* What the iterations of a loop by strides have in common. */
typedef struct Stride {
    const TilePart *part;
    Range range;
    IrVar *stop, *step;
    Span span;
} Stride;

static IrValue *steps_of(const Make *m, const Stride *s, int count)
{
    IrValue *step = make_read(m, s->step, s->span);
    return count == 1 ? step
                      : ir_binary(m->arena, OP_mul, step, make_number(m, count, s->span), s->span);
}

/* The range of an iteration that begins at `low`. Of several at once it is known to lie before the
** end of the stride, but saying so lets the C compiler see that nothing wraps. */
static Range iteration_range(const Make *m, const Stride *s, IrVar *low, IrRegion *out)
{
    const Span span = s->span;
    int axis = s->part->axis;
    Range iteration = s->range;
    iteration.low[axis] = low;
    iteration.high[axis] = make_var(m, arena_printf(m->arena, "end_%c", "xyz"[axis]), span);
    iteration.shift[axis] = make_var(m, "shift", span);
    iteration.origin[axis] = make_var(m, arena_printf(m->arena, "origin_%c", "xyz"[axis]), span);
    IrValue *shift =
        make_distance(m, make_read(m, low, span), make_read(m, s->range.low[axis], span));
    IrValue *high = ir_binary(m->arena, OP_add, make_read(m, s->range.high[axis], span),
                              make_read(m, iteration.shift[axis], span), span);
    IrValue *origin = ir_binary(m->arena, OP_add, make_read(m, m->first[axis], span),
                                make_read(m, iteration.shift[axis], span), span);
    high = outer(m, true, high, make_read(m, s->stop, span));
    ir_append(out, ir_set(m->arena, iteration.shift[axis], shift, span));
    ir_append(out, ir_set(m->arena, iteration.origin[axis], origin, span));
    ir_append(out, ir_set(m->arena, iteration.high[axis], high, span));
    return iteration;
}

/* One iteration after the other. */
static IrStmt *make_iterations(Make *m, const Stride *s, IrValue *start, IrValue *stop)
{
    int axis = s->part->axis;
    IrVar *low = make_var(m, arena_printf(m->arena, "iteration_%c", "xyz"[axis]), s->span);
    IrStmt *loop = make_for(m, low, start, stop, make_read(m, s->step, s->span), s->span);
    Range iteration = iteration_range(m, s, low, &loop->for_.body);
    IrValue *step = make_read(m, s->step, s->span);
    TileIteration piece = { low, iteration.high[axis], step };
    tiles_prefetch(m->tiles, s->part, &piece, &loop->for_.body);
    make_parts(m, s->part->then, &iteration, &loop->for_.body);
    return loop;
}

/* for iteration_x in start to stop by 4 * step: if iteration_x + 3 * step + (high - low) <= stop,
** four iterations at once; else for iteration_x_2 in iteration_x to min(iteration_x + 4 * step,
** stop) by step, one. */
static IrStmt *make_several_iterations(Make *m, const Stride *s, IrValue *start, IrRegion *out)
{
    const Span span = s->span;
    int axis = s->part->axis;
    Iterations iterations = { .iteration = s->part->stmt->for_.var };
    for (int u = 1; u < ITERATIONS; u++) {
        iterations.ahead[u] = make_var(m, "ahead", span);
        ir_append(out, ir_set(m->arena, iterations.ahead[u], steps_of(m, s, u), span));
    }
    IrVar *low = make_var(m, arena_printf(m->arena, "iteration_%c", "xyz"[axis]), span);
    IrStmt *loop =
        make_for(m, low, start, make_read(m, s->stop, span), steps_of(m, s, ITERATIONS), span);
    IrStmt *branch = ir_stmt(m->arena, IR_IF, span);
    IrValue *along = ir_binary(m->arena, OP_sub, make_read(m, s->range.high[axis], span),
                               make_read(m, s->range.low[axis], span), span);
    IrValue *last = ir_binary(m->arena, OP_add, make_read(m, low, span),
                              make_read(m, iterations.ahead[ITERATIONS - 1], span), span);
    last = ir_binary(m->arena, OP_add, last, along, span);
    branch->if_.condition = ir_binary(m->arena, OP_le, last, make_read(m, s->stop, span), span);
    Range iteration = iteration_range(m, s, low, &branch->if_.then);
    make_nest(m, s->part->then, &iteration, &iterations, &branch->if_.then);
    IrValue *end =
        ir_binary(m->arena, OP_add, make_read(m, low, span), steps_of(m, s, ITERATIONS), span);
    ir_append(&branch->if_.otherwise,
              make_iterations(m, s, make_read(m, low, span),
                              outer(m, true, end, make_read(m, s->stop, span))));
    ir_append(&loop->for_.body, branch);
    return loop;
}

/* for low_2 in low to stop by threads: what lies from there to min(low_2 + high - low, stop) */
static void make_stride(Make *m, const TilePart *part, const Range *range, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
    const Span span = stmt->span;
    int axis = part->axis;
    Stride s = { part, *range, make_var(m, "stop", span), make_var(m, "step", span), span };
    s.stop->nonnegative = false;
    ir_append(out, ir_set(m->arena, s.stop, make_outside(m, stmt->for_.stop), span));
    IrValue *step = ir_cast(m->arena, type_int64, make_outside(m, stmt->for_.step), span);
    ir_append(out, ir_set(m->arena, s.step, step, span));
    IrValue *start = make_read(m, range->low[axis], span);
    if (m->tiles->block && !part->of_block)
        start = ir_binary(m->arena, OP_add, make_read(m, m->base[axis], span), start, span);
    ir_append(out, takes_iterations(m, part)
                       ? make_several_iterations(m, &s, start, out)
                       : make_iterations(m, &s, start, make_read(m, s.stop, span)));
}

static void make_while(Make *m, const TilePart *part, const Range *range, IrRegion *out)
{
    IrStmt *loop = ir_stmt(m->arena, IR_WHILE, part->stmt->span);
    loop->while_.condition = make_outside(m, part->stmt->while_.condition);
    make_parts(m, part->then, range, &loop->while_.body);
    ir_append(out, loop);
}

static void make_branch(Make *m, const TilePart *part, const Range *range, IrRegion *out)
{
    IrStmt *branch = ir_stmt(m->arena, IR_IF, part->stmt->span);
    branch->if_.condition = make_outside(m, part->stmt->if_.condition);
    make_parts(m, part->then, range, &branch->if_.then);
    make_parts(m, part->otherwise, range, &branch->if_.otherwise);
    ir_append(out, branch);
}

static void make_parts(Make *m, const TilePart *part, const Range *range, IrRegion *out)
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
            make_stride(m, part, range, out);
            break;
        }
    }
}

/* The end of the tile along an axis: there may be fewer threads. */
static IrValue *end_of_tile(const Make *m, IrVar *first, int axis, Span span)
{
    IrValue *end = ir_binary(m->arena, OP_add, make_read(m, first, span),
                             make_number(m, m->tiles->along[axis], span), span);
    return m->tiles->block ? make_number(m, m->tiles->along[axis], span)
                           : outer(m, true, end, make_read(m, m->threads[axis], span));
}

/* The indices of the tile that there are. */
static Range whole_range(Make *m, IrRegion *out, Span span)
{
    Range range = { .low = { NULL } };
    for (int i = 0; i < m->tiles->axes; i++) {
        int axis = m->tiles->order[i];
        IrValue *grid = ir_intrinsic(m->arena, INTR_grid, type_int64, span, NULL, NULL, NULL);
        grid->index = axis;
        range.low[axis] = range.origin[axis] = m->first[axis] =
            make_var(m, arena_printf(m->arena, "first_%c", "xyz"[axis]), span);
        range.high[axis] = make_var(m, arena_printf(m->arena, "end_%c", "xyz"[axis]), span);
        IrValue *low = m->tiles->block
                           ? make_number(m, 0, span)
                           : ir_binary(m->arena, OP_mul, grid,
                                       make_number(m, m->tiles->along[axis], span), span);
        ir_append(out, ir_set(m->arena, range.low[axis], low, span));
        ir_append(out, ir_set(m->arena, range.high[axis],
                              end_of_tile(m, m->first[axis], axis, span), span));
    }
    return range;
}

/* Where a block begins, along all axes: what is not asked for goes again. */
static void set_block(Make *m, IrRegion *out, Span span)
{
    for (int axis = 0; axis < 3; axis++) {
        IrValue *grid = ir_intrinsic(m->arena, INTR_grid, type_int64, span, NULL, NULL, NULL);
        grid->index = axis;
        m->base[axis] = make_var(m, arena_printf(m->arena, "block_%c", "xyz"[axis]), span);
        ir_append(out, ir_set(m->arena, m->base[axis], make_outside(m, tiles_base(m->arena, grid)),
                              span));
    }
}

/* Variables that may be read before they are set begin as 0, as they do elsewhere. */
static void make_clear(Make *m, const Range *range, IrRegion *out, Span span)
{
    bool *seen = arena_array(m->arena, bool, m->var_count + 1);
    bool *clear = arena_array(m->arena, bool, m->var_count + 1), any = false;
    for (int n = 0; n < m->tiles->nest_count; n++)
        for (int i = 0; i < m->var_count; i++) {
            int uses = m->tiles->nests[n]->uses[i];
            if (!m->kept[i] || seen[i] || !(uses & TILE_MENTIONED))
                continue;
            seen[i] = true;
            clear[i] = uses & TILE_INCOMING;
            any |= clear[i];
        }
    if (!any)
        return;
    Here here = { .make = m, .range = range };
    IrStmt *loop = NULL;
    IrRegion *body = append_loops(m, range, &here, true, &loop, out, span);
    for (int i = 0; i < m->var_count; i++)
        if (clear[i])
            ir_append(body,
                      store_kept(m, i, &here, ir_zero(m->arena, m->fn->vars[i]->type, span), span));
}

IrRegion tiles_make(const Tiles *tiles, IrVar *const *threads)
{
    IrFunc *fn = tiles->unit->kernel;
    Arena *arena = tiles->unit->arena;
    Make m = { .tiles = tiles,
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

/* Nests: loops over the threads of a tile around statements of one thread; what such loops keep for
** one another, and what is collected in front of them. */
#include "ir/schedule/tile/make.h"

/* ---- what is kept -------------------------------------------------------------------------- */

/* As what elements keep a variable: integers that fit take 32 bits. */
static const Type *kept_type(const TileBuild *m, const IrVar *var)
{
    const IrValue *value = ir_var(m->arena, (IrVar *)var, var->span);
    bool fits = var->type == type_int64 && magnitude_bits(m->tiles->affine.magnitude, value) <=
                                               magnitude_type_bits(type_int32);
    return fits ? type_int32 : var->type;
}

void make_kept(TileBuild *m)
{
    for (int i = 0; i < m->var_count; i++) {
        const IrVar *var = m->fn->vars[i];
        if (m->tiles->vars[i] != TILE_VAR_KEPT)
            continue;
        int64_t shape[3];
        for (int k = 0; k < m->tiles->axes; k++)
            shape[k] = m->tiles->along[m->tiles->order[k]];
        IrVar *kept =
            ir_array_var(m->arena, m->fn, arena_printf(m->arena, "%s_kept", var->name),
                         kept_type(m, var), VAR_PRIVATE, shape, m->tiles->axes, var->span);
        kept->alignment = 64;
        kept->temporary = true;
        m->kept[i] = kept;
    }
}

/* A thread's index in the tile, along axis number i of the loops. */
static IrValue *index_of(const TileBuild *m, const Here *here, int i, Span span)
{
    int axis = m->tiles->order[i];
    return make_distance(m, make_read(m, here->at[axis], span),
                         make_read(m, here->range->origin[axis], span));
}

static IrValue *load_kept(const TileBuild *m, int id, const Here *here, Span span)
{
    IrValue *indices[3];
    int axes = m->tiles->axes;
    for (int i = 0; i < axes; i++)
        indices[i] = index_of(m, here, i, span);
    IrValue *load = ir_load(m->arena, ir_var(m->arena, m->kept[id], span), indices, axes, span);
    return ir_cast(m->arena, m->fn->vars[id]->type, load, span);
}

static IrStmt *store_kept(const TileBuild *m, int id, const Here *here, IrValue *value, Span span)
{
    IrValue *indices[3];
    int axes = m->tiles->axes;
    for (int i = 0; i < axes; i++)
        indices[i] = index_of(m, here, i, span);
    value = ir_cast(m->arena, m->kept[id]->type->array.element, value, span);
    return ir_store(m->arena, ir_var(m->arena, m->kept[id], span), indices, axes, value, span);
}

/* ---- nests --------------------------------------------------------------------------------- */

IrStmt *make_for(const TileBuild *m, IrVar *var, IrValue *start, IrValue *stop, IrValue *step,
                 Span span)
{
    IrStmt *loop = ir_for(m->arena, var, start, stop, step, span);
    loop->for_.bounded = true;
    return loop;
}

/* Loops over all indices of the range; gives the innermost one's body. */
static IrRegion *append_loops(const TileBuild *m, const Range *range, Here *here, bool any_order,
                              IrStmt **innermost, IrRegion *out, Span span)
{
    for (int i = 0; i < m->tiles->axes; i++) {
        int axis = m->tiles->order[i];
        IrVar *var = make_var(m, arena_printf(m->arena, "at_%c", "xyz"[axis]), span);
        var->uniform = false;
        IrStmt *loop =
            make_for(m, var, make_read(m, range->low[axis], span),
                     make_read(m, range->high[axis], span), make_number(m, 1, span), span);
        loop->for_.any_order = any_order && i == m->tiles->axes - 1 && !(range->only >> axis & 1);
        ir_append(out, loop);
        *innermost = loop;
        here->at[axis] = var;
        out = &loop->for_.body;
    }
    return out;
}

static IrVar *copy_var(const TileBuild *m, const IrVar *var)
{
    return ir_var_like(m->arena, m->fn, var, var->name);
}

/* Marks the variables that are computed again and that a value reads, and what these read. */
typedef struct Want {
    const TileBuild *make;
    bool *wanted;
} Want;

static void want_node(void *context, IrValue *value)
{
    Want *w = context;
    if (value->op != OP_var || value->var->id >= w->make->var_count ||
        w->make->tiles->vars[value->var->id] != TILE_VAR_AGAIN || w->wanted[value->var->id])
        return;
    w->wanted[value->var->id] = true;
    const IrValue *set = sets_value(&w->make->tiles->affine.sets, value->var);
    if (set)
        ir_each_node((IrValue *)set, want_node, w);
}

static Want want_none(const TileBuild *m)
{
    return (Want){ m, arena_array(m->arena, bool, m->var_count + 1) };
}

static void append_again(const TileBuild *m, Want w, const Here *here, IrClone *clone,
                         IrRegion *out)
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

void make_again(const TileBuild *m, const TileStage *loads, const Here *here, IrClone *clone,
                IrRegion *out)
{
    Want want = want_none(m);
    for (int i = 0; i < loads->count; i++)
        ir_each_node((IrValue *)loads->loads[i], want_node, &want);
    append_again(m, want, here, clone, out);
}

typedef struct InNest {
    Here here; /* comes first: make_value() gets the whole */
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

/* Whether a variable is new in this nest, and in others; `again`: the nest itself is made twice. */
static bool is_of_each_nest(const TileBuild *m, const TilePart *nest, int id, bool again)
{
    int nests = 0;
    for (int i = 0; i < m->tiles->nest_count; i++)
        nests += (m->tiles->nests[i]->uses[id] & USE_MENTIONED) != 0;
    return m->fn->vars[id]->kind == VAR_LOCAL && m->tiles->vars[id] == TILE_VAR_OWN &&
           (nest->uses[id] & USE_SET) && nests + again > 1;
}

/* ---- what is collected for all rows --------------------------------------------------------- */

/* Where the lane at hand finds what was collected for it. */
static IrValue *lane_of(const TileBuild *m, const Here *here, Span span)
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
        const Transposed *t = in->here.range->transposed;
        IrValue *indices[] = { t ? ir_var(clone->arena, t->column, value->span) : NULL,
                               lane_of(in->here.make, &in->here, value->span) };
        return ir_load(clone->arena, ir_var(clone->arena, in->near[i], value->span), indices + !t,
                       1 + (t != NULL), value->span);
    }
    return make_value(clone, value);
}

IrVar *make_near(const TileBuild *m, const IrValue *load, const int64_t *shape, int rank)
{
    IrVar *near =
        ir_array_var(m->arena, m->fn, "near", load->type, VAR_PRIVATE, shape, rank, load->span);
    near->alignment = 64;
    near->temporary = true;
    return near;
}

/* Where there are threads along all axes but the lanes'. */
static IrRegion *where_rows_are(const TileBuild *m, const Range *range, IrRegion *out, Span span)
{
    const IrBuilder b[1] = { make_at(m, span) };
    for (int i = 0; i < m->tiles->axes - 1; i++) {
        int axis = m->tiles->order[i];
        IrStmt *branch = ir_if(m->arena,
                               build_op(b, OP_lt, make_read(m, range->low[axis], span),
                                        make_read(m, range->high[axis], span)),
                               span);
        ir_append(out, branch);
        out = &branch->if_.then;
    }
    return out;
}

static IrVar **make_stage(const TileBuild *m, const TilePart *nest, const TileStage *stage,
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
    make_again(m, stage, &here, &clone, &loop->for_.body);
    for (int i = 0; i < stage->count; i++) {
        IrValue *lane = lane_of(m, &here, span);
        near[i] = make_near(m, stage->loads[i], &m->tiles->along[lanes], 1);
        ir_append(&loop->for_.body, ir_store(m->arena, ir_var(m->arena, near[i], span), &lane, 1,
                                             ir_clone_value(&clone, stage->loads[i]), span));
    }
    ir_append(where_rows_are(m, range, out, span), loop);
    return near;
}

void make_nest(const TileBuild *m, const TilePart *nest, const Range *range,
               const Iterations *iterations, IrRegion *out)
{
    Span span = nest->stmts[0]->span;
    const IrBuilder b[1] = { make_at(m, span) };
    TileSums sums = tiles_sums(m->tiles, nest);
    TileStage stage = { 0 };
    if (range->transposed)
        stage = range->transposed->stage;
    else if (!iterations) /* of several, each has its own */
        stage = tiles_stage(m->tiles, nest);
    InNest in = { .here = { .make = m, .range = range },
                  .sums = &sums,
                  .stage = &stage,
                  .near = range->transposed ? range->transposed->near
                                            : make_stage(m, nest, &stage, range, out),
                  .iteration = iterations ? iterations->iteration : NULL };
    Here *here = &in.here;
    tiles_sums_begin(m->tiles, &sums, out);
    IrStmt *loop = NULL;
    IrRegion *body = append_loops(m, range, here,
                                  sums.whole && !nest->in_order && !tiles_along_any(m->tiles, nest),
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
        if (!(m->kept[i] ? nest->uses[i] & USE_MENTIONED
                         : is_of_each_nest(m, nest, i, range->transposed)))
            continue;
        clone.vars[i] = copy_var(m, m->fn->vars[i]);
        if (!m->kept[i])
            continue;
        if (nest->uses[i] & USE_INCOMING)
            build_set(b, clone.vars[i], load_kept(m, i, here, span), body);
    }
    for (int u = 0; u < (iterations ? ITERATIONS : 1); u++) {
        in.ahead = iterations ? iterations->ahead[u] : NULL;
        for (int i = 0; i < nest->count; i++)
            if (!nest_stmt(&clone, nest->stmts[i], body))
                ir_append(body, ir_clone_stmt(&clone, nest->stmts[i]));
    }
    for (int i = 0; i < m->var_count; i++)
        if (m->kept[i] && (nest->uses[i] & USE_SET))
            ir_append(body, store_kept(m, i, here, ir_var(m->arena, clone.vars[i], span), span));
    Here none = { .make = m };
    IrClone outside = { .arena = m->arena, .value = make_value, .context = &none };
    tiles_sums_end(m->tiles, &sums, &outside, out);
}

void make_clear(const TileBuild *m, const Range *range, IrRegion *out, Span span)
{
    bool *seen = arena_array(m->arena, bool, m->var_count + 1);
    bool *clear = arena_array(m->arena, bool, m->var_count + 1), any = false;
    for (int n = 0; n < m->tiles->nest_count; n++)
        for (int i = 0; i < m->var_count; i++) {
            int uses = m->tiles->nests[n]->uses[i];
            if (!m->kept[i] || seen[i] || !(uses & USE_MENTIONED))
                continue;
            seen[i] = true;
            clear[i] = uses & USE_INCOMING;
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

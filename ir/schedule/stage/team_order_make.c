/* Loops in order, of what goes through shared memory. See team_order.c. */
#include "ir/schedule/stage/team_make.h"

enum { HALVES = 2 }; /* of a slot: one is read while the other is filled */

typedef struct OrderBuild {
    const TeamBuild *m;
    const TeamLoop *loop;
    int tile;      /* iterations whose terms are in shared memory at a time */
    IrClone clone; /* of what the thread has whose row the warp takes */
    IrVar *doer;   /* whether there is one to load for */
    /* Shared: [side and iteration][thread]; or along rows, and where a block has a multiprocessor
    ** for itself, [side and thread][iteration], which the warp that makes the iterations reads 16
    ** bytes at a time then; or [side][iteration] (TeamSlot.same). */
    IrVar *near[TEAM_TERMS];
    IrVar *held[HALVES][TEAM_TERMS]; /* of a thread's own: loads of the tiles to come, by piece */
    IrVar *early[TEAM_TERMS]; /* the same of terms under conditions, of the next tile alone */
    IrVar *known[TEAM_TERMS]; /* those of the iteration at hand */
    IrVar *iteration, *left;  /* the first of the tile at hand, and how many are left from there */
    int side;                 /* of the tile at hand: tiles have both halves of memory in turn */
    IrVar *piece, *counter;   /* of what is loaded, or made, at hand */
} OrderBuild;

/* ---- pieces of a tile ------------------------------------------------------------------------ */

static int pieces_of(const OrderBuild *o)
{
    int share = o->loop->along ? WARP_LANES : o->m->size;
    return (o->tile + share - 1) / share;
}

/* Which iteration of a tile a piece is. */
static IrValue *iteration_of(const OrderBuild *o)
{
    const IrBuilder *b = o->m->b;
    int share = o->loop->along ? WARP_LANES : o->m->size;
    return build_op(b, OP_add, build_times(b, o->piece, share),
                    build_var(b, o->loop->along ? o->m->lane : o->m->member));
}

/* What is done with a piece at hand. */
typedef void PieceMaker(OrderBuild *o, IrRegion *out);

/* Over the pieces that a thread brings, as far as there are that many iterations left; NULL: all of
** a tile's are. */
static void append_each(OrderBuild *o, IrValue *first, IrValue *left, PieceMaker *make,
                        IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    bool even = o->loop->along || o->tile % o->m->size == 0;
    o->piece = build_counter(b, "_piece");
    IrStmt *loop =
        build_for(b, o->piece, build_int(b, 0), build_int(b, pieces_of(o)), 1, UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    ir_append(out, loop);
    if (left)
        body = build_if(b, build_op(b, OP_lt, iteration_of(o), left), body);
    if (!even)
        body = build_if(b, build_op(b, OP_lt, iteration_of(o), build_int(b, o->tile)), body);
    o->counter = build_own(b, o->loop->loop->for_.var);
    build_set(b, o->counter, build_op(b, OP_add, first, iteration_of(o)), body);
    make(o, body);
}

/* The same. Whole tiles, as nearly all are, ask once whether they are. */
static void append_pieces(OrderBuild *o, IrValue *first, IrValue *left, PieceMaker *make,
                          IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    IrStmt *whole = ir_if(b->arena, build_op(b, OP_ge, left, build_int(b, o->tile)), b->span);
    ir_append(build_if(b, build_var(b, o->doer), out), whole);
    append_each(o, first, NULL, make, &whole->if_.then);
    append_each(o, build_copy(b, first), build_copy(b, left), make, &whole->if_.otherwise);
}

static IrValue *value_of_piece(const IrClone *clone, const IrValue *value)
{
    const OrderBuild *o = clone->context;
    if (ir_is_var(value, o->loop->loop->for_.var))
        return build_var(o->m->b, o->counter);
    return o->loop->along ? o->clone.value(&o->clone, value) : NULL;
}

/* The same with what is held in place of loads. */
static IrValue *value_of_held(const IrClone *clone, const IrValue *value)
{
    const OrderBuild *o = clone->context;
    for (int i = 0; i < o->loop->load_count && value->op == OP_load; i++)
        if (ir_same_value(o->loop->loads[i], value))
            return build_load(o->m->b, o->held[o->side][i], build_var(o->m->b, o->piece), NULL);
    return value_of_piece(clone, value);
}

static IrClone clone_of(OrderBuild *o, IrValue *(*value)(const IrClone *, const IrValue *))
{
    return (
        IrClone){ .arena = o->m->b->arena, .vars = o->clone.vars, .value = value, .context = o };
}

static void load_piece(OrderBuild *o, IrRegion *out)
{
    IrClone clone = clone_of(o, value_of_piece);
    for (int i = 0; i < o->loop->load_count; i++)
        build_store(o->m->b, o->held[o->side][i], build_var(o->m->b, o->piece), NULL,
                    ir_clone_value(&clone, o->loop->loads[i]), out);
}

static void append_loads(OrderBuild *o, IrValue *first, IrValue *left, IrRegion *out)
{
    if (o->loop->load_count)
        append_pieces(o, first, left, load_piece, out);
}

static void make_early(OrderBuild *o, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    IrClone clone = clone_of(o, value_of_held);
    for (int i = 0; i < o->loop->term_count; i++) {
        if (!o->early[i])
            continue;
        build_store(b, o->early[i], build_var(b, o->piece), NULL,
                    ir_zero(b->arena, o->loop->terms[i]->type, b->span), out);
        IrRegion *where = build_if(b, ir_clone_value(&clone, o->loop->only_if[i]), out);
        build_store(b, o->early[i], build_var(b, o->piece), NULL,
                    ir_clone_value(&clone, o->loop->terms[i]), where);
    }
}

/* Terms under conditions, of a tile whose other loads are held on this side. */
static void append_early(OrderBuild *o, IrValue *first, IrValue *left, int side, IrRegion *out)
{
    OrderBuild of_side = *o;
    bool any = false;
    of_side.side = side;
    for (int i = 0; i < o->loop->term_count; i++)
        any |= o->early[i] != NULL;
    if (any)
        append_pieces(&of_side, first, left, make_early, out);
}

static bool is_same(const OrderBuild *o, int term)
{
    return o->m->t->slots[o->loop->slots[term]].same;
}

static bool is_by_thread(const OrderBuild *o)
{
    return o->loop->along || o->m->alone;
}

static IrValue *near_row(const OrderBuild *o, int term, IrVar *thread, IrValue *iteration)
{
    if (is_same(o, term))
        return build_int(o->m->b, o->side);
    return is_by_thread(o)
               ? build_plus(o->m->b, build_var(o->m->b, thread), (int64_t)o->side * o->m->lanes)
               : build_plus(o->m->b, iteration, (int64_t)o->side * o->tile);
}

static IrValue *near_column(const OrderBuild *o, int term, IrVar *thread, IrValue *iteration)
{
    return is_by_thread(o) || is_same(o, term) ? iteration : build_var(o->m->b, thread);
}

static void bring_terms(OrderBuild *o, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    IrVar *thread = o->loop->along ? o->m->member : o->m->lane;
    IrClone clone = clone_of(o, value_of_held);
    for (int i = 0; i < o->loop->term_count; i++) {
        IrValue *value = o->early[i] ? build_load(b, o->early[i], o->piece, NULL)
                                     : ir_clone_value(&clone, o->loop->terms[i]);
        build_store(b, o->near[i], near_row(o, i, thread, iteration_of(o)),
                    near_column(o, i, thread, iteration_of(o)), value, out);
    }
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* What was brought of a term for the iteration at hand. */
static IrValue *brought(const OrderBuild *o, int term)
{
    IrValue *at = build_var(o->m->b, o->piece);
    return build_load(o->m->b, o->near[term], near_row(o, term, o->m->lane, at),
                      near_column(o, term, o->m->lane, build_copy(o->m->b, at)));
}

static IrValue *value_of_term(const IrClone *clone, const IrValue *value)
{
    const OrderBuild *o = clone->context;
    for (int i = 0; i < o->loop->term_count; i++)
        if (ir_same_value(o->loop->terms[i], value))
            return o->known[i] ? build_var(o->m->b, o->known[i]) : brought(o, i);
    return NULL;
}

/* Reads terms under conditions whether these hold or not: loads of many iterations go together. */
static void append_known(OrderBuild *o, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    for (int i = 0; i < o->loop->term_count; i++) {
        o->known[i] = o->early[i] ? build_temporary(b, "_term", o->loop->terms[i]->type) : NULL;
        if (o->known[i])
            build_set(b, o->known[i], brought(o, i), out);
    }
}

/* So many iterations from the tile's first on. */
static void append_iterations(OrderBuild *o, IrValue *count, int unroll, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    IrVar *counter = o->loop->loop->for_.var, *own;
    o->piece = build_counter(b, "_k");
    IrStmt *loop = build_for(b, o->piece, 0, count, 1, unroll);
    own = build_own(b, counter);
    IrClone clone = { .arena = b->arena,
                      .vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1),
                      .value = value_of_term,
                      .context = o };
    clone.vars[counter->id] = own;
    build_set(b, own, build_op(b, OP_add, o->iteration, o->piece), &loop->for_.body);
    append_known(o, &loop->for_.body);
    ir_clone_region(&clone, &o->loop->loop->for_.body, &loop->for_.body);
    ir_append(out, loop);
}

static IrRegion *append_if_first(const OrderBuild *o, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    IrValue *first = build_op(b, OP_eq, o->m->member, 0);
    return build_if(b, build_op(b, OP_and_then, first, o->m->active), out);
}

/* Iterations side by side: while what is brought for the next ones is read, these are computed; the
** first of them wait for it. */
static int unroll_of(const OrderBuild *o)
{
    enum { LEAST = 32, MOST = 128, NODES = 1024 }; /* iterations, and their text */
    int nodes = ir_node_count_in(&o->loop->loop->for_.body), unroll = MOST;
    while (unroll > LEAST && unroll * nodes > NODES)
        unroll /= 2;
    return unroll;
}

static void append_made(OrderBuild *o, IrRegion *out)
{
    enum { UNROLL_REST = 16 }; /* iterations of the last tile, which is not full */
    const IrBuilder *b = o->m->b;
    IrStmt *full = ir_if(b->arena, build_op(b, OP_ge, o->left, o->tile), b->span);
    ir_append(append_if_first(o, out), full);
    append_iterations(o, build_int(b, o->tile), unroll_of(o), &full->if_.then);
    append_iterations(o, build_var(b, o->left), UNROLL_REST, &full->if_.otherwise);
}

/* So many iterations behind the tile at hand. */
static IrValue *ahead(const OrderBuild *o, int tiles)
{
    return build_plus(o->m->b, build_var(o->m->b, o->iteration), (int64_t)tiles * o->tile);
}

static IrValue *left_ahead(const OrderBuild *o, int tiles)
{
    return build_plus(o->m->b, build_var(o->m->b, o->left), -(int64_t)tiles * o->tile);
}

/* A tile: what is held goes to shared memory, where a barrier shows it; loads of the tile that has
** this side next are on their way while one warp makes the iterations, which loads its own behind
** them: all others wait for it. Its memory is stored to again behind the other side's barrier, to
** which that warp comes then. */
static void append_tile(OrderBuild *o, IrVar *iteration, IrVar *stop, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    o->iteration = iteration;
    o->left = build_let(b, "_left",
                        build_op(b, OP_sub, build_var(b, stop), build_var(b, iteration)), out);
    append_pieces(o, build_var(b, o->iteration), build_var(b, o->left), bring_terms, out);
    ir_append(out, ir_barrier(b->arena, b->span));
    append_made(o, out);
    append_early(o, ahead(o, 1), left_ahead(o, 1), 1 - o->side, out);
    append_loads(o, ahead(o, HALVES), left_ahead(o, HALVES), out);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static IrVar *let_bound(const IrBuilder *b, const char *name, const IrValue *value, IrRegion *out)
{
    IrVar *var = build_temporary(b, name, type_int64);
    ir_take_range(var, value);
    build_set(b, var, build_copy(b, value), out);
    return var;
}

static IrVar *near_of(const OrderBuild *o, TeamSlot *slot)
{
    const IrBuilder *b = o->m->b;
    int64_t rows = HALVES * (slot->same ? 1 : is_by_thread(o) ? o->m->lanes : slot->tile);
    int64_t columns = slot->same       ? slot->tile
                      : o->m->alone    ? team_slot_columns(slot)
                      : o->loop->along ? slot->tile + 1
                                       : o->m->lanes;
    if (slot->near)
        return slot->near;
    slot->near = ir_array_var(b->arena, b->fn, "_terms", slot->element, VAR_SHARED,
                              (int64_t[]){ rows, columns }, 2, b->span);
    slot->near->alignment = o->m->alone ? WIDE_BYTES : 0;
    return slot->near;
}

static IrVar *own_pieces(const OrderBuild *o, const Type *element)
{
    const IrBuilder *b = o->m->b;
    return ir_array_var(b->arena, b->fn, "_held", element, VAR_PRIVATE, (int64_t[]){ pieces_of(o) },
                        1, b->span);
}

static void take_memory(OrderBuild *o)
{
    for (int i = 0; i < o->loop->term_count; i++) {
        TeamSlot *slot = &o->m->t->slots[o->loop->slots[i]];
        o->near[i] = near_of(o, slot);
        o->tile = !o->tile || slot->tile < o->tile ? slot->tile : o->tile;
    }
    for (int i = 0; i < HALVES * o->loop->load_count; i++)
        o->held[i % HALVES][i / HALVES] = own_pieces(o, o->loop->loads[i / HALVES]->type);
    for (int i = 0; i < o->loop->term_count; i++)
        o->early[i] = o->loop->only_if[i] ? own_pieces(o, o->loop->terms[i]->type) : NULL;
}

static void append_tiles(OrderBuild *o, IrVar *first, IrVar *stop, IrRegion *out)
{
    const IrBuilder *b = o->m->b;
    out = build_if(b, build_op(b, OP_lt, first, stop), out);
    o->iteration = first;
    o->left = build_let(b, "_left", build_op(b, OP_sub, stop, first), out);
    for (o->side = 0; o->side < HALVES; o->side++)
        append_loads(o, ahead(o, o->side), left_ahead(o, o->side), out);
    append_early(o, ahead(o, 0), left_ahead(o, 0), 0, out);
    IrVar *iteration = build_temporary(b, "_iteration", type_int64);
    iteration->nonnegative = first->nonnegative;
    IrStmt *tiles = build_for(b, iteration, first, stop, HALVES * (int64_t)o->tile, 1);
    IrRegion *body = &tiles->for_.body;
    ir_append(out, tiles);
    for (o->side = 0; o->side < HALVES; o->side++) {
        IrVar *at = o->side ? build_let(b, "_iteration", ahead(o, 1), body) : iteration;
        if (o->side)
            body = build_if(b, build_op(b, OP_lt, at, stop), body);
        append_tile(o, at, stop, body);
    }
}

void team_in_order(const TeamBuild *m, const TeamLoop *loop, IrRegion *out)
{
    const IrBuilder *b = m->b;
    IrVar *parts[TEAM_SUMS];
    OrderBuild o = { .m = m, .loop = loop, .doer = loop->along ? m->taken : m->active };
    IrVar *first = let_bound(b, "_first", loop->start, out);
    IrVar *stop = let_bound(b, "_stop", loop->stop, out);
    first->nonnegative = true;
    take_memory(&o);
    ir_append(out, ir_barrier(b->arena, b->span));
    if (loop->along)
        o.clone = team_hand_over(m, loop->loop, build_if(b, m->taken, out));
    append_tiles(&o, first, stop, out);
    IrRegion *own = append_if_first(&o, out);
    for (int i = 0; i < loop->sum_count; i++) {
        parts[i] = team_parts(m, loop->sums[i].var);
        build_store(b, parts[i], m->lane, NULL, loop->sums[i].var, own);
    }
    team_spread(m, loop, parts, out);
}

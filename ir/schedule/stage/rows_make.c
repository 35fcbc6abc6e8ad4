/* Loops along rows, through shared memory. See rows.c. */
#include "ir/schedule/stage/front.h"
#include "ir/schedule/stage/rows.h"

enum { LEFT_UNROLL = 4 }; /* iterations at once of those that are left over */

/* ---- iterations ------------------------------------------------------------------------------ */

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const RowsBuild *m = clone->context;
    const Row *row = value->op == OP_load ? rows_find(m->r, m->loop, value->operands[0],
                                                      value->operands + 1, value->count - 1)
                                          : NULL;
    if (!row)
        return NULL;
    IrVar *own = m->own[row - m->loop->rows];
    if (own)
        return build_load(m->b, own, build_var(m->b, m->counter), NULL);
    if (row->along >= 0)
        return build_load(m->b, rows_near(m, row), build_var(m->b, m->row),
                          build_var(m->b, m->counter));
    return build_load(m->b, rows_near(m, row), rows_common(m, build_var(m->b, m->counter)), NULL);
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const RowsBuild *m = clone->context;
    const Row *row = stmt->kind == IR_STORE ? rows_find(m->r, m->loop, stmt->store.array,
                                                        stmt->store.indices, stmt->store.count)
                                            : NULL;
    if (!row)
        return false;
    build_store(m->b, rows_near(m, row), m->row, m->counter,
                ir_clone_value(clone, stmt->store.value), out);
    return true;
}

static void count_node(void *context, IrValue *value)
{
    (void)value;
    ++*(int *)context;
}

static void count_nodes(void *context, IrStmt *stmt)
{
    ++*(int *)context;
    ir_each_node_of(stmt, count_node, context);
}

/* How many iterations are laid out one behind the other: as many as there are, of short ones. */
static int unroll_of(const IrRegion *body)
{
    enum { SHORT = 24, LONG = 160 }; /* nodes, those in loops counted once more */
    int nodes = 0;
    ir_each_stmt(body, count_nodes, &nodes);
    return nodes <= SHORT ? UNROLL_ALL : nodes <= LONG ? 4 : 1;
}

static void find_store(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_STORE && stmt->store.array->op == OP_var &&
                        stmt->store.array->var->kind == VAR_PRIVATE;
}

/* Where iterations store into arrays of the thread's own, which may lie in shared memory too
** (slots), the device's compiler cannot tell these from what the iterations behind load: so all of
** that comes first. */
static void append_own(RowsBuild *m, IrRegion *out)
{
    bool stores = false;
    ir_each_stmt(&m->loop->loop->for_.body, find_store, &stores);
    bool all = m->r->lanes == WARP_LANES && unroll_of(&m->loop->loop->for_.body) == UNROLL_ALL;
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        m->own[i] = NULL;
        if (m->left || !stores || !all || !row->loads || row->along < 0)
            continue;
        m->own[i] = rows_array(m, row, "own", VAR_PRIVATE, ROW_ITERATIONS, 0);
        IrVar *at = build_counter(m->b, "_at");
        IrStmt *loop = build_for(m->b, at, 0, ROW_ITERATIONS, 1, UNROLL_ALL);
        build_store(m->b, m->own[i], at, NULL, build_load(m->b, rows_near(m, row), m->row, at),
                    &loop->for_.body);
        ir_append(out, loop);
    }
}

static void append_iterations(RowsBuild *m, IrRegion *out)
{
    const IrStmt *from = m->loop->loop;
    IrVar *counter = from->for_.var;
    IrVar *own = build_own(m->b, counter);
    m->counter = build_counter(m->b, "_k");
    int unroll = unroll_of(&from->for_.body);
    if (unroll == UNROLL_ALL && m->left)
        unroll = LEFT_UNROLL;
    else if (unroll == UNROLL_ALL && m->r->lanes < WARP_LANES)
        unroll = ROW_ITERATIONS;
    IrStmt *loop = m->left ? build_for(m->b, m->counter, 0, m->left, 1, unroll)
                           : build_for(m->b, m->counter, 0, rows_width(m->r), 1, unroll);
    IrClone clone = { .arena = m->b->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    build_set(m->b, own, rows_counter(m, build_op(m->b, OP_add, m->iteration, m->counter)),
              &loop->for_.body);
    ir_clone_region(&clone, &from->for_.body, &loop->for_.body);
    ir_append(build_if(m->b, m->active, out), loop);
}

/* ---- loops --------------------------------------------------------------------------------- */

/* The loop once more, with a counter of its own. */
static IrStmt *clone_loop(const RowsBuild *m)
{
    IrVar *counter = m->loop->loop->for_.var;
    IrVar *own = build_own(m->b, counter);
    IrClone clone = { .arena = m->b->arena,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1) };
    clone.vars[counter->id] = own;
    return ir_clone_stmt(&clone, m->loop->loop);
}

static IrVar *let_bound(const RowsBuild *m, IrRegion *out, const char *name, const IrValue *value)
{
    IrVar *var = build_temporary(m->b, name, type_int64);
    ir_take_range(var, value);
    build_set(m->b, var, build_copy(m->b, value), out);
    return var;
}

/* Where a thread's own iterations end; those of active threads that end before `stop` do without
** shared memory, all of them. */
static IrVar *take_whole(RowsBuild *m, IrVar *stop, IrRegion *out)
{
    IrValue *own = m->loop->loop->for_.stop;
    IrVar *end = build_temporary(m->b, "_end", type_int64);
    build_set(m->b, end, stop, out);
    build_set(m->b, end, build_copy(m->b, own), build_if(m->b, m->active, out));
    IrValue *whole = build_op(m->b, OP_ge, end, stop);
    IrVar *active = build_temporary(m->b, "_whole", type_bool);
    build_set(m->b, active, build_op(m->b, OP_and_then, m->active, whole), out);
    m->active = active;
    m->mask = front_vote(m->b, active, out);
    return end;
}

/* Iterations from `m->iteration` on, whose elements are in shared memory. */
static void append_near(RowsBuild *m, IrRegion *out)
{
    append_iterations(m, out);
    front_meet(m->b, out);
    rows_store(m, out);
}

/* As many as go through shared memory at once, whose loads are held; and loads for those behind, if
** they begin before `last`. */
static void append_tile(RowsBuild *m, IrVar *last, IrRegion *out)
{
    IrValue *coming = build_plus(m->b, m->iteration, rows_width(m->r));
    rows_bring(m, out);
    front_meet(m->b, out);
    append_own(m, out);
    rows_load(m, coming, build_if(m->b, build_op(m->b, OP_lt, coming, last), out));
    append_near(m, out);
}

/* Those that are left over, which are fewer: found without the others' counter, of which the
** device's compiler would make addresses for both. */
static void append_left(RowsBuild *m, IrVar *first, IrVar *stop, IrRegion *out)
{
    IrValue *all = ir_never_negative(build_op(m->b, OP_sub, stop, first));
    m->left = build_let(m->b, "_left", build_op(m->b, OP_mod, all, rows_width(m->r)), out);
    m->iteration = build_let(m->b, "_begin", build_op(m->b, OP_sub, stop, m->left), out);
    m->iteration->nonnegative = first->nonnegative;
    IrRegion *then = build_if(m->b, build_op(m->b, OP_gt, m->left, build_int(m->b, 0)), out);
    rows_load(m, build_var(m->b, m->iteration), then);
    rows_bring(m, then);
    m->group = build_counter(m->b, "_group");
    IrStmt *groups = build_for(m->b, m->group, 0, ROW_ITERATIONS, ROW_GROUP, 1);
    rows_load(m, build_var(m->b, m->iteration), &groups->for_.body);
    rows_bring(m, &groups->for_.body);
    if (groups->for_.body.first)
        ir_append(then, groups);
    m->group = NULL;
    front_meet(m->b, then);
    append_own(m, then); /* that there are none */
    append_near(m, then);
    m->left = NULL;
}

/* What active threads do without shared memory: all iterations if theirs end before the others', or
** what is left over. */
static void append_rest(const RowsBuild *m, IrVar *next, IrVar *end, IrVar *active, IrRegion *out)
{
    IrStmt *rest = clone_loop(m);
    IrValue *own = ir_unary(m->b->arena, OP_not, build_var(m->b, m->active), m->b->span);
    IrValue *wanted = build_var(m->b, active);
    if (m->loop->ends)
        wanted = build_op(m->b, OP_and_then, wanted, own);
    else if (m->loop->own)
        build_set(m->b, next, build_copy(m->b, m->loop->loop->for_.start),
                  build_if(m->b, own, out));
    if (!m->loop->ends)
        rest->for_.start = rows_counter(m, build_var(m->b, next));
    if (!m->top)
        rest->for_.stop = build_var(m->b, end);
    ir_append(build_if(m->b, wanted, out), rest);
}

/* Long loops through shared memory, others as they were. */
static void append_loop(RowsBuild *m, const RowLoop *loop, IrRegion *out)
{
    const int64_t width = rows_width(m->r);
    IrVar *active = m->active, *mask = m->mask;
    m->loop = loop;
    m->b->span = loop->loop->span;
    const IrValue *start = loop->loop->for_.start, *last_stop = loop->stop;
    m->top = loop->down ? let_bound(m, out, "_top", start) : NULL;
    if (m->top) {
        last_stop = rows_counter(m, build_copy(m->b, loop->stop));
        start = build_int(m->b, 0);
    }
    IrVar *next = let_bound(m, out, "_next", start);
    IrVar *stop = let_bound(m, out, "_stop", last_stop);
    IrVar *end = loop->own ? take_whole(m, stop, out) : stop;
    m->iteration = build_temporary(m->b, "_iteration", type_int64);
    m->iteration->nonnegative = next->nonnegative;

    /* the first says that the difference is not less than 0, unless it overflows */
    IrValue *any = m->top ? build_op(m->b, OP_lt, build_copy(m->b, loop->stop), m->top)
                          : build_op(m->b, OP_lt, next, stop);
    IrValue *is_long = build_op(m->b, OP_and_then, any,
                                build_op(m->b, OP_ge, build_op(m->b, OP_sub, stop, next),
                                         m->r->lanes < WARP_LANES ? width
                                         : loop->ends             ? ROW_ITERATIONS
                                                                  : ROW_LEAST));
    IrStmt *branch = ir_if(m->b->arena, is_long, m->b->span);
    ir_append(out, branch);
    IrRegion *then = &branch->if_.then;
    front_meet(m->b, then);
    rows_load(m, build_var(m->b, next), then);
    IrVar *last = build_temporary(m->b, "_last", type_int64);
    build_set(m->b, last, build_op(m->b, OP_sub, stop, width - 1), then);
    IrStmt *tiles = build_for(m->b, m->iteration, next, last, width, 1);
    ir_append(then, tiles);
    IrRegion *body = &tiles->for_.body;
    append_tile(m, last, body);
    if (loop->ends)
        append_left(m, next, stop, then);
    else
        build_set(m->b, next, build_plus(m->b, m->iteration, width), body);
    if (loop->own || !loop->ends)
        append_rest(m, next, end, active, then);
    ir_append(build_if(m->b, active, &branch->if_.otherwise), clone_loop(m));
    m->active = active;
    m->mask = mask;
}

/* Statements from `stmt` on: what has no such loop in it for active threads alone, but for names of
** what all lanes know. */
static void append_region(RowsBuild *m, IrStmt *stmt, IrRegion *out)
{
    IrRegion *own = NULL;
    for (IrStmt *next; stmt; stmt = next) {
        next = stmt->next;
        const RowLoop *loop = rows_loop(m->r, stmt);
        if (rows_names(m->r, stmt)) {
            stmt->next = stmt->prev = NULL;
            ir_append(out, stmt);
            own = NULL;
            continue;
        }
        if (!rows_inside(m->r, stmt)) {
            if (!own)
                own = build_if(m->b, m->active, out);
            stmt->next = stmt->prev = NULL;
            ir_append(own, stmt);
            continue;
        }
        own = NULL;
        if (loop) {
            append_loop(m, loop, out);
            continue;
        }
        stmt->next = stmt->prev = NULL;
        ir_append(out, stmt);
        for_each_region (inner, stmt) {
            IrStmt *first = inner->first;
            *inner = (IrRegion){ NULL, NULL };
            append_region(m, first, inner);
        }
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Where rows lie in shared memory, of which a warp has fewer than lanes. */
static void take_fewer(RowsBuild *m, IrRegion *out)
{
    IrValue *warp = build_op(m->b, OP_floordiv, m->self, WARP_LANES);
    m->base = build_let(m->b, "_base", build_times(m->b, warp, m->r->lanes), out);
    m->row = build_let(m->b, "_own", build_op(m->b, OP_add, m->base, m->lane), out);
    m->common = build_let(m->b, "_common",
                          build_times(m->b, build_copy(m->b, warp), rows_width(m->r)), out);
}

static void append_front(RowsBuild *m, const Guarded *guarded, IrVar *threads, IrRegion *out)
{
    if (m->r->lanes < WARP_LANES && ir_axes_asked(m->b->fn) > 1)
        front_beside(m->b, m->beside, out);
    Front f = front_make(m->b, guarded, threads, m->r->lanes, out);
    m->active = f.active;
    m->self = m->row = f.self;
    m->lane = f.lane;
    m->base = m->common = f.base;
    m->first = f.first;
    m->place = f.place;
    if (m->r->lanes < WARP_LANES)
        take_fewer(m, out);
    m->mask = front_vote(m->b, m->active, out);
}

/* Each thread's index is its place, if a block has fewer of these than threads; and there are as
** many as were asked for. */
static void put_places(const RowsBuild *m, IrVar *threads, IrRegion *body)
{
    bool few = m->r->lanes < WARP_LANES;
    IrVar *places[] = { m->place, m->beside[0], m->beside[1] };
    ir_put_indices(m->b->arena, body, few ? places : NULL, (IrVar *[]){ threads, NULL, NULL });
    if (few)
        m->r->unit->shape.team = (uint32_t)rows_pieces(m->r);
}

static void say(const Rows *r)
{
    for (int i = 0; i < r->loop_count; i++) {
        const RowLoop *loop = &r->loops[i];
        for (int k = 0; k < loop->count; k++)
            if (loop->rows[k].along >= 0)
                ir_remark(r->unit, loop->loop->span,
                          "rows of '%s' go through shared memory, %d iterations at a time",
                          loop->rows[k].array->name, (int)rows_width(r));
    }
}

void rows_make(Rows *r, Guarded *guarded)
{
    IrUnit *unit = r->unit;
    RowsBuild m = { .b = { { unit->arena, unit->kernel, guarded->rest->span } }, .r = r };
    IrRegion body = { NULL, NULL };
    IrVar *threads = ir_hidden(unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    rows_look(r, guarded);
    append_front(&m, guarded, threads, &body);
    append_region(&m, (IrStmt *)guarded->rest, &body);
    unit->kernel->body = body;
    ir_shape_blocks(unit, FRONT_THREADS);
    put_places(&m, threads, &unit->kernel->body);
    say(r);
}

/* Loops along rows, through shared memory. See rows.c. */
#include "ir/schedule/stage/front.h"
#include "ir/schedule/stage/rows.h"

typedef struct RowsBuild {
    IrBuilder b[1];
    Rows *r;
    IrVar *active;              /* the thread does something */
    IrVar *mask;                /* of the warp's lanes whose threads do: uint32 */
    IrVar *self, *lane;         /* the thread in the block, and in the warp; */
    IrVar *base, *first;        /* lane 0 of the warp: in the block, and its index in the grid */
    const RowLoop *loop;        /* at hand, */
    IrVar *iteration, *counter; /* its first iteration at hand, and those from there */
    IrVar *own[ROW_ARRAYS];     /* private arrays of what these read of a row; NULL: none */
} RowsBuild;

/* ---- values -------------------------------------------------------------------------------- */

static void append_meeting(const RowsBuild *m, IrRegion *out)
{
    front_meet(m->b, out);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static IrVar *new_array(const RowsBuild *m, const Row *row, const char *what, IrVarKind kind,
                        int64_t rows, int64_t cols)
{
    return ir_array_var(
        m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_%s", row->array->name, what),
        row->array->type->array.element, kind, (int64_t[]){ rows, cols }, cols ? 2 : 1, m->b->span);
}

static IrVar *near_of(const RowsBuild *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    if (!slot->near)
        slot->near = new_array(m, row, "near", VAR_SHARED, FRONT_THREADS,
                               slot->along ? ROW_ITERATIONS + 1 : 0);
    return slot->near;
}

static IrVar *held_of(const RowsBuild *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    if (!slot->held)
        slot->held = new_array(m, row, "held", VAR_PRIVATE, slot->along ? ROW_ITERATIONS : 1, 0);
    return slot->held;
}

/* The indices of the element that this lane has to do with: of a row of the warp's, counted from
** lane 0's, in the iterations from `iteration` on. */
static IrValue **indices(const RowsBuild *m, const Row *row, IrVar *which, IrValue *iteration)
{
    IrValue **index = arena_array(m->b->arena, IrValue *, row->count);
    for (int i = 0; i < row->count; i++) {
        if (i == row->counter)
            index[i] = build_plus(
                m->b, build_op(m->b, OP_add, build_copy(m->b, iteration), build_var(m->b, m->lane)),
                row->iteration);
        else if (i == row->along)
            index[i] = build_plus(
                m->b, build_op(m->b, OP_add, build_var(m->b, m->first), build_var(m->b, which)),
                row->shift);
        else
            index[i] = build_copy(m->b, row->index[i]);
    }
    return index;
}

static IrValue *elsewhere(const RowsBuild *m, const Row *row, IrVar *which, IrValue *iteration)
{
    IrValue **index = indices(m, row, which, iteration);
    return ir_load(m->b->arena, build_var(m->b, row->array), index, row->count, m->b->span);
}

/* A loop over the warp's rows; gives its body. */
static IrRegion *append_rows(const RowsBuild *m, IrVar **which, IrRegion *out)
{
    *which = build_counter(m->b, "_row");
    IrStmt *loop =
        build_for(m->b, *which, build_int(m->b, 0), build_int(m->b, ROW_ITERATIONS), 1, UNROLL_ALL);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* Whether the thread of a row, counted from lane 0's, does anything. */
static IrValue *is_active(const RowsBuild *m, IrVar *row)
{
    IrValue *one = build_integer(m->b, type_uint32, 1);
    IrValue *bits = build_op(m->b, OP_shr, build_var(m->b, m->mask),
                             build_cast(m->b, type_uint32, build_var(m->b, row)));
    return build_op(m->b, OP_ne, build_op(m->b, OP_and, bits, one),
                    build_integer(m->b, type_uint32, 0));
}

static IrValue *any_active(const RowsBuild *m)
{
    return build_op(m->b, OP_ne, build_var(m->b, m->mask), build_integer(m->b, type_uint32, 0));
}

/* What the iterations from `iteration` on read, to be held. */
static void append_loads(const RowsBuild *m, IrValue *iteration, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->loads)
            continue;
        if (row->along < 0) {
            IrRegion *body = build_if(m->b, any_active(m), out);
            build_store(m->b, held_of(m, row), build_int(m->b, 0), NULL,
                        elsewhere(m, row, NULL, iteration), body);
            continue;
        }
        IrRegion *body = append_rows(m, &which, out);
        body = build_if(m->b, is_active(m, which), body);
        build_store(m->b, held_of(m, row), build_var(m->b, which), NULL,
                    elsewhere(m, row, which, iteration), body);
    }
}

/* A row of the warp's in a shared array. */
static IrValue *near_row(const RowsBuild *m, IrVar *which)
{
    return build_op(m->b, OP_add, build_var(m->b, m->base), build_var(m->b, which));
}

/* What is held goes where all lanes can read it. */
static void append_sharing(const RowsBuild *m, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->loads)
            continue;
        if (row->along < 0) {
            build_store(m->b, near_of(m, row), build_var(m->b, m->self), NULL,
                        build_load(m->b, held_of(m, row), build_int(m->b, 0), NULL), out);
            continue;
        }
        IrRegion *body = append_rows(m, &which, out);
        build_store(m->b, near_of(m, row), near_row(m, which), build_var(m->b, m->lane),
                    build_load(m->b, held_of(m, row), build_var(m->b, which), NULL), body);
    }
}

/* What the iterations at hand have stored goes to where it belongs. */
static void append_stores(const RowsBuild *m, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->stores)
            continue;
        any = true;
        IrRegion *body = append_rows(m, &which, out);
        body = build_if(m->b, is_active(m, which), body);
        IrValue **at = indices(m, row, which, build_var(m->b, m->iteration));
        IrValue *value =
            build_load(m->b, near_of(m, row), near_row(m, which), build_var(m->b, m->lane));
        ir_append(body, ir_store(m->b->arena, build_var(m->b, row->array), at, row->count, value,
                                 m->b->span));
    }
    if (any)
        append_meeting(m, out);
}

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
        return build_load(m->b, near_of(m, row), build_var(m->b, m->self),
                          build_var(m->b, m->counter));
    return build_load(m->b, near_of(m, row), near_row(m, m->counter), NULL);
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const RowsBuild *m = clone->context;
    const Row *row = stmt->kind == IR_STORE ? rows_find(m->r, m->loop, stmt->store.array,
                                                        stmt->store.indices, stmt->store.count)
                                            : NULL;
    if (!row)
        return false;
    build_store(m->b, near_of(m, row), build_var(m->b, m->self), build_var(m->b, m->counter),
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
    enum { SHORT = 24, LONG = 160 };
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
    bool all = unroll_of(&m->loop->loop->for_.body) == UNROLL_ALL;
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        m->own[i] = NULL;
        if (!stores || !all || !row->loads || row->along < 0)
            continue;
        m->own[i] = new_array(m, row, "own", VAR_PRIVATE, ROW_ITERATIONS, 0);
        IrVar *at = build_counter(m->b, "_at");
        IrStmt *loop =
            build_for(m->b, at, build_int(m->b, 0), build_int(m->b, ROW_ITERATIONS), 1, UNROLL_ALL);
        build_store(
            m->b, m->own[i], build_var(m->b, at), NULL,
            build_load(m->b, near_of(m, row), build_var(m->b, m->self), build_var(m->b, at)),
            &loop->for_.body);
        ir_append(out, loop);
    }
}

static void append_iterations(RowsBuild *m, IrRegion *out)
{
    const IrStmt *from = m->loop->loop;
    IrVar *counter = from->for_.var;
    IrVar *own = build_temporary(m->b, counter->name, type_int64);
    own->nonnegative = counter->nonnegative;
    m->counter = build_counter(m->b, "_k");
    IrStmt *loop = build_for(m->b, m->counter, build_int(m->b, 0), build_int(m->b, ROW_ITERATIONS),
                             1, unroll_of(&from->for_.body));
    IrClone clone = { .arena = m->b->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    build_set(m->b, own,
              build_op(m->b, OP_add, build_var(m->b, m->iteration), build_var(m->b, m->counter)),
              &loop->for_.body);
    ir_clone_region(&clone, &from->for_.body, &loop->for_.body);
    ir_append(build_if(m->b, build_var(m->b, m->active), out), loop);
}

/* ---- loops --------------------------------------------------------------------------------- */

/* The loop once more, with a counter of its own. */
static IrStmt *clone_loop(const RowsBuild *m)
{
    IrVar *counter = m->loop->loop->for_.var;
    IrVar *own = build_temporary(m->b, counter->name, type_int64);
    own->nonnegative = counter->nonnegative;
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

/* Long loops through shared memory, others as they were. */
static void append_loop(RowsBuild *m, const RowLoop *loop, IrRegion *out)
{
    m->loop = loop;
    m->b->span = loop->loop->span;
    IrVar *next = let_bound(m, out, "_next", loop->loop->for_.start);
    IrVar *stop = let_bound(m, out, "_stop", loop->loop->for_.stop);
    m->iteration = build_temporary(m->b, "_iteration", type_int64);
    m->iteration->nonnegative = next->nonnegative;

    /* the first says that the difference does not overflow, unless it goes from far below 0 */
    IrValue *is_long = build_op(
        m->b, OP_and_then, build_op(m->b, OP_lt, build_var(m->b, next), build_var(m->b, stop)),
        build_op(m->b, OP_ge, build_op(m->b, OP_sub, build_var(m->b, stop), build_var(m->b, next)),
                 build_int(m->b, ROW_LEAST)));
    IrStmt *branch = ir_if(m->b->arena, is_long, m->b->span);
    ir_append(out, branch);
    IrRegion *then = &branch->if_.then;
    append_meeting(m, then);
    append_loads(m, build_var(m->b, next), then);
    IrVar *last = build_temporary(m->b, "_last", type_int64);
    build_set(m->b, last,
              build_op(m->b, OP_sub, build_var(m->b, stop), build_int(m->b, ROW_ITERATIONS - 1)),
              then);
    IrStmt *tiles = build_for(m->b, m->iteration, build_var(m->b, next), build_var(m->b, last),
                              ROW_ITERATIONS, 1);
    ir_append(then, tiles);
    IrRegion *body = &tiles->for_.body;
    append_sharing(m, body);
    append_meeting(m, body);
    append_own(m, body);
    IrValue *coming = build_plus(m->b, build_var(m->b, m->iteration), ROW_ITERATIONS);
    append_loads(m, coming,
                 build_if(m->b, build_op(m->b, OP_lt, coming, build_var(m->b, last)), body));
    append_iterations(m, body);
    append_meeting(m, body);
    append_stores(m, body);
    build_set(m->b, next, build_copy(m->b, coming), body);

    IrStmt *rest = clone_loop(m), *whole = clone_loop(m);
    rest->for_.start = build_var(m->b, next);
    rest->for_.stop = build_var(m->b, stop);
    ir_append(build_if(m->b, build_var(m->b, m->active), then), rest);
    ir_append(build_if(m->b, build_var(m->b, m->active), &branch->if_.otherwise), whole);
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
                own = build_if(m->b, build_var(m->b, m->active), out);
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
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        for (int i = 0; i < count; i++) {
            IrStmt *first = regions[i]->first;
            *regions[i] = (IrRegion){ NULL, NULL };
            append_region(m, first, regions[i]);
        }
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void append_front(RowsBuild *m, const Guarded *guarded, IrVar *threads, IrRegion *out)
{
    Front f = front_make(m->b, guarded, threads, out);
    m->active = f.active;
    m->self = f.self;
    m->lane = f.lane;
    m->base = f.base;
    m->first = f.first;
    m->mask = front_vote(m->b, m->active, out);
}

static void say(const Rows *r)
{
    for (int i = 0; i < r->loop_count; i++) {
        const RowLoop *loop = &r->loops[i];
        for (int k = 0; k < loop->count; k++)
            if (loop->rows[k].along >= 0)
                ir_remark(r->unit, loop->loop->span,
                          "rows of '%s' go through shared memory, %d iterations at a time",
                          loop->rows[k].array->name, ROW_ITERATIONS);
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
    front_shape(unit);
    say(r);
}

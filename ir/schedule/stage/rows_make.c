/* Loops along rows, through shared memory. See rows.c. */
#include "ir/schedule/stage/rows.h"

typedef struct Make {
    Rows *r;
    Arena *arena;
    IrFunc *fn;
    Span span;
    IrVar *active;              /* the thread does something */
    IrVar *mask;                /* of the warp's lanes whose threads do: uint32 */
    IrVar *self, *lane;         /* the thread in the block, and in the warp; */
    IrVar *base, *first;        /* lane 0 of the warp: in the block, and its index in the grid */
    const RowLoop *loop;        /* at hand, */
    IrVar *iteration, *counter; /* its first iteration at hand, and those from there */
} Make;

/* ---- values -------------------------------------------------------------------------------- */

static IrValue *get(const Make *m, IrVar *var)
{
    return ir_var(m->arena, var, m->span);
}

static IrValue *number(const Make *m, int64_t value)
{
    return ir_integer(m->arena, type_int64, value, m->span);
}

static IrValue *binary(const Make *m, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(m->arena, op, a, b, m->span);
}

static IrValue *plus(const Make *m, IrValue *a, int64_t b)
{
    return b ? binary(m, OP_add, a, number(m, b)) : a;
}

static IrValue *copy(const Make *m, const IrValue *value)
{
    return ir_clone_value(&(IrClone){ .arena = m->arena }, value);
}

static IrVar *new_var(const Make *m, const char *name)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, type_int64, m->span);
    var->nonnegative = true;
    return var;
}

static IrVar *let(const Make *m, IrRegion *out, const char *name, IrValue *value)
{
    IrVar *var = new_var(m, name);
    ir_append(out, ir_set(m->arena, var, value, m->span));
    return var;
}

static IrStmt *new_loop(const Make *m, IrVar *var, IrValue *start, IrValue *stop, int64_t step,
                        int unroll)
{
    IrStmt *loop = ir_stmt(m->arena, IR_FOR, m->span);
    loop->for_.var = var;
    loop->for_.start = start;
    loop->for_.stop = stop;
    loop->for_.step = number(m, step);
    loop->for_.unroll = unroll;
    return loop;
}

static IrRegion *append_if(const Make *m, IrValue *condition, IrRegion *out)
{
    IrStmt *branch = ir_stmt(m->arena, IR_IF, m->span);
    branch->if_.condition = condition;
    ir_append(out, branch);
    return &branch->if_.then;
}

static void append_meeting(const Make *m, IrRegion *out)
{
    IrStmt *eval = ir_stmt(m->arena, IR_EVAL, m->span);
    eval->eval.value =
        ir_intrinsic(m->arena, INTR_syncwarp, type_none, m->span,
                     ir_integer(m->arena, type_uint32, 0xffffffff, m->span), NULL, NULL);
    ir_append(out, eval);
}

static IrValue *element(const Make *m, IrVar *array, IrValue *a, IrValue *b)
{
    IrValue *load = ir_value(m->arena, OP_load, array->type->array.element, m->span, b ? 3 : 2);
    load->operands[0] = get(m, array);
    load->operands[1] = a;
    if (b)
        load->operands[2] = b;
    return load;
}

static void append_store(const Make *m, IrVar *array, IrValue *a, IrValue *b, IrValue *value,
                         IrRegion *out)
{
    IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
    store->store.array = get(m, array);
    store->store.indices = arena_array(m->arena, IrValue *, 2);
    store->store.indices[0] = a;
    store->store.indices[1] = b;
    store->store.count = b ? 2 : 1;
    store->store.value = value;
    ir_append(out, store);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static IrVar *new_array(const Make *m, const Row *row, const char *what, IrVarKind kind,
                        int64_t rows, int64_t cols)
{
    Type *type = arena_new(m->arena, Type);
    int64_t *shape = arena_array(m->arena, int64_t, 2);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = row->array->type->array.element;
    type->array.rank = cols ? 2 : 1;
    type->array.layout = LAYOUT_C;
    shape[0] = rows;
    shape[1] = cols;
    IrVar *var =
        ir_var_new(m->arena, m->fn, arena_printf(m->arena, "%s_%s", row->array->name, what), type,
                   kind, m->span);
    var->shape = shape;
    return var;
}

static IrVar *near_of(const Make *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    if (!slot->near)
        slot->near = new_array(m, row, "near", VAR_SHARED, ROW_THREADS,
                               slot->along ? ROW_ITERATIONS + 1 : 0);
    return slot->near;
}

static IrVar *held_of(const Make *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    if (!slot->held)
        slot->held = new_array(m, row, "held", VAR_PRIVATE, slot->along ? ROW_ITERATIONS : 1, 0);
    return slot->held;
}

/* The indices of the element that this lane has to do with: of a row of the warp's, counted from
** lane 0's, in the iterations from `iteration` on. */
static IrValue **indices(const Make *m, const Row *row, IrVar *which, IrValue *iteration)
{
    IrValue **index = arena_array(m->arena, IrValue *, row->count);
    for (int i = 0; i < row->count; i++) {
        if (i == row->counter)
            index[i] =
                plus(m, binary(m, OP_add, copy(m, iteration), get(m, m->lane)), row->iteration);
        else if (i == row->along)
            index[i] = plus(m, binary(m, OP_add, get(m, m->first), get(m, which)), row->shift);
        else
            index[i] = copy(m, row->index[i]);
    }
    return index;
}

static IrValue *elsewhere(const Make *m, const Row *row, IrVar *which, IrValue *iteration)
{
    IrValue **index = indices(m, row, which, iteration);
    IrValue *load =
        ir_value(m->arena, OP_load, row->array->type->array.element, m->span, row->count + 1);
    load->operands[0] = get(m, (IrVar *)row->array);
    for (int i = 0; i < row->count; i++)
        load->operands[1 + i] = index[i];
    return load;
}

/* A loop over the warp's rows; gives its body. */
static IrRegion *append_rows(const Make *m, IrVar **which, IrRegion *out)
{
    *which = new_var(m, "_row");
    IrStmt *loop = new_loop(m, *which, number(m, 0), number(m, ROW_ITERATIONS), 1, UNROLL_ALL);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* Whether the thread of a row, counted from lane 0's, does anything. */
static IrValue *is_active(const Make *m, IrVar *row)
{
    IrValue *one = ir_integer(m->arena, type_uint32, 1, m->span);
    IrValue *bits =
        binary(m, OP_shr, get(m, m->mask), ir_cast(m->arena, type_uint32, get(m, row), m->span));
    return binary(m, OP_ne, binary(m, OP_and, bits, one),
                  ir_integer(m->arena, type_uint32, 0, m->span));
}

static IrValue *any_active(const Make *m)
{
    return binary(m, OP_ne, get(m, m->mask), ir_integer(m->arena, type_uint32, 0, m->span));
}

/* What the iterations from `iteration` on read, to be held. */
static void append_loads(const Make *m, IrValue *iteration, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->loads)
            continue;
        if (row->along < 0) {
            IrRegion *body = append_if(m, any_active(m), out);
            append_store(m, held_of(m, row), number(m, 0), NULL, elsewhere(m, row, NULL, iteration),
                         body);
            continue;
        }
        IrRegion *body = append_rows(m, &which, out);
        body = append_if(m, is_active(m, which), body);
        append_store(m, held_of(m, row), get(m, which), NULL, elsewhere(m, row, which, iteration),
                     body);
    }
}

/* A row of the warp's in a shared array. */
static IrValue *near_row(const Make *m, IrVar *which)
{
    return binary(m, OP_add, get(m, m->base), get(m, which));
}

/* What is held goes where all lanes can read it. */
static void append_sharing(const Make *m, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->loads)
            continue;
        if (row->along < 0) {
            append_store(m, near_of(m, row), get(m, m->self), NULL,
                         element(m, held_of(m, row), number(m, 0), NULL), out);
            continue;
        }
        IrRegion *body = append_rows(m, &which, out);
        append_store(m, near_of(m, row), near_row(m, which), get(m, m->lane),
                     element(m, held_of(m, row), get(m, which), NULL), body);
    }
}

/* What the iterations at hand have stored goes to where it belongs. */
static void append_stores(const Make *m, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which;
        if (!row->stores)
            continue;
        any = true;
        IrRegion *body = append_rows(m, &which, out);
        body = append_if(m, is_active(m, which), body);
        IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
        store->store.array = get(m, (IrVar *)row->array);
        store->store.indices = indices(m, row, which, get(m, m->iteration));
        store->store.count = row->count;
        store->store.value = element(m, near_of(m, row), near_row(m, which), get(m, m->lane));
        ir_append(body, store);
    }
    if (any)
        append_meeting(m, out);
}

/* ---- iterations ------------------------------------------------------------------------------ */

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const Make *m = clone->context;
    const Row *row = value->op == OP_load ? rows_find(m->r, m->loop, value->operands[0],
                                                      value->operands + 1, value->count - 1)
                                          : NULL;
    if (!row)
        return NULL;
    if (row->along >= 0)
        return element(m, near_of(m, row), get(m, m->self), get(m, m->counter));
    return element(m, near_of(m, row), near_row(m, m->counter), NULL);
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const Make *m = clone->context;
    const Row *row = stmt->kind == IR_STORE ? rows_find(m->r, m->loop, stmt->store.array,
                                                        stmt->store.indices, stmt->store.count)
                                            : NULL;
    if (!row)
        return false;
    append_store(m, near_of(m, row), get(m, m->self), get(m, m->counter),
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

static void append_iterations(Make *m, IrRegion *out)
{
    const IrStmt *from = m->loop->loop;
    IrVar *counter = from->for_.var;
    IrVar *own = ir_temporary(m->arena, m->fn, counter->name, type_int64, m->span);
    own->nonnegative = counter->nonnegative;
    m->counter = new_var(m, "_k");
    IrStmt *loop = new_loop(m, m->counter, number(m, 0), number(m, ROW_ITERATIONS), 1,
                            unroll_of(&from->for_.body));
    IrClone clone = { .arena = m->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    ir_append(&loop->for_.body,
              ir_set(m->arena, own, binary(m, OP_add, get(m, m->iteration), get(m, m->counter)),
                     m->span));
    ir_clone_region(&clone, &from->for_.body, &loop->for_.body);
    ir_append(append_if(m, get(m, m->active), out), loop);
}

/* ---- loops --------------------------------------------------------------------------------- */

/* The loop once more, with a counter of its own. */
static IrStmt *clone_loop(const Make *m)
{
    IrVar *counter = m->loop->loop->for_.var;
    IrVar *own = ir_temporary(m->arena, m->fn, counter->name, type_int64, m->span);
    own->nonnegative = counter->nonnegative;
    IrClone clone = { .arena = m->arena,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1) };
    clone.vars[counter->id] = own;
    return ir_clone_stmt(&clone, m->loop->loop);
}

static IrVar *let_bound(const Make *m, IrRegion *out, const char *name, const IrValue *value)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, type_int64, m->span);
    var->nonnegative = ir_nonnegative(value);
    ir_append(out, ir_set(m->arena, var, copy(m, value), m->span));
    return var;
}

/* Long loops through shared memory, others as they were. */
static void append_loop(Make *m, const RowLoop *loop, IrRegion *out)
{
    m->loop = loop;
    m->span = loop->loop->span;
    IrVar *next = let_bound(m, out, "_next", loop->loop->for_.start);
    IrVar *stop = let_bound(m, out, "_stop", loop->loop->for_.stop);
    m->iteration = ir_temporary(m->arena, m->fn, "_iteration", type_int64, m->span);
    m->iteration->nonnegative = next->nonnegative;

    IrStmt *branch = ir_stmt(m->arena, IR_IF, m->span);
    /* the first says that the difference does not overflow, unless it goes from far below 0 */
    branch->if_.condition = binary(
        m, OP_and_then, binary(m, OP_lt, get(m, next), get(m, stop)),
        binary(m, OP_ge, binary(m, OP_sub, get(m, stop), get(m, next)), number(m, ROW_LEAST)));
    ir_append(out, branch);
    IrRegion *then = &branch->if_.then;
    append_meeting(m, then);
    append_loads(m, get(m, next), then);
    IrVar *last = ir_temporary(m->arena, m->fn, "_last", type_int64, m->span);
    ir_append(then,
              ir_set(m->arena, last, binary(m, OP_sub, get(m, stop), number(m, ROW_ITERATIONS - 1)),
                     m->span));
    IrStmt *tiles = new_loop(m, m->iteration, get(m, next), get(m, last), ROW_ITERATIONS, 1);
    ir_append(then, tiles);
    IrRegion *body = &tiles->for_.body;
    append_sharing(m, body);
    append_meeting(m, body);
    IrValue *coming = plus(m, get(m, m->iteration), ROW_ITERATIONS);
    append_loads(m, coming, append_if(m, binary(m, OP_lt, coming, get(m, last)), body));
    append_iterations(m, body);
    append_meeting(m, body);
    append_stores(m, body);
    ir_append(body, ir_set(m->arena, next, copy(m, coming), m->span));

    IrStmt *rest = clone_loop(m), *whole = clone_loop(m);
    rest->for_.start = get(m, next);
    rest->for_.stop = get(m, stop);
    ir_append(append_if(m, get(m, m->active), then), rest);
    ir_append(append_if(m, get(m, m->active), &branch->if_.otherwise), whole);
}

/* Statements from `stmt` on: what has no such loop in it for active threads alone. */
static void append_region(Make *m, IrStmt *stmt, IrRegion *out)
{
    IrRegion *own = NULL;
    for (IrStmt *next; stmt; stmt = next) {
        next = stmt->next;
        const RowLoop *loop = rows_loop(m->r, stmt);
        if (!rows_inside(m->r, stmt)) {
            if (!own)
                own = append_if(m, get(m, m->active), out);
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

static IrValue *dimension(const Make *m, IrIntrinsic intrinsic, const Type *type)
{
    return ir_intrinsic(m->arena, intrinsic, type, m->span, NULL, NULL, NULL);
}

/* What lane 0 has of something that is one more with each lane. */
static IrVar *let_before(const Make *m, IrRegion *out, const char *name, IrVar *own)
{
    IrValue *value = binary(m, OP_sub, get(m, own), get(m, m->lane));
    value->nonnegative = true;
    return let(m, out, name, value);
}

static void append_front(Make *m, const Guarded *guarded, IrVar *threads, IrRegion *out)
{
    for (int i = 0; i < guarded->set_count; i++)
        ir_append(out, ir_set(m->arena, guarded->sets[i]->set.var, guarded->sets[i]->set.value,
                              guarded->sets[i]->span));
    m->self =
        let(m, out, "_self",
            ir_cast(m->arena, type_int64, dimension(m, INTR_thread_idx, type_int32), m->span));
    m->lane = let(m, out, "_lane", binary(m, OP_mod, get(m, m->self), number(m, ROW_ITERATIONS)));
    IrVar *place = let(m, out, "_place", dimension(m, INTR_grid, type_int64));
    m->base = let_before(m, out, "_base", m->self);
    m->first = let_before(m, out, "_first", place);
    IrValue *active = binary(m, OP_lt, get(m, place), get(m, threads));
    for (int i = 0; i < guarded->term_count; i++)
        active = binary(m, OP_and_then, active, (IrValue *)guarded->terms[i]);
    m->active = ir_temporary(m->arena, m->fn, "_active", type_bool, m->span);
    ir_append(out, ir_set(m->arena, m->active, active, m->span));
    IrVar *votes = ir_temporary(m->arena, m->fn, "_votes", type_int32, m->span);
    ir_append(out, ir_set(m->arena, votes,
                          ir_intrinsic(m->arena, INTR_ballot_sync, type_int32, m->span,
                                       ir_integer(m->arena, type_uint32, 0xffffffff, m->span),
                                       get(m, m->active), NULL),
                          m->span));
    m->mask = ir_temporary(m->arena, m->fn, "_mask", type_uint32, m->span);
    ir_append(out, ir_set(m->arena, m->mask, ir_cast(m->arena, type_uint32, get(m, votes), m->span),
                          m->span));
}

static void set_shape(IrUnit *unit)
{
    IrShape *shape = &unit->shape;
    shape->changed = shape->free = true;
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = (uint8_t)k;
        shape->block[k] = k ? 1 : ROW_THREADS;
        shape->tile[k] = 1;
    }
    unit->kernel->options.launch_threads = ROW_THREADS;
    unit->kernel->options.launch_blocks = 0;
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
    Make m = { .r = r, .arena = unit->arena, .fn = unit->kernel };
    IrRegion body = { NULL, NULL };
    m.span = guarded->rest->span;
    IrVar *threads = ir_hidden(unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    rows_look(r, guarded);
    append_front(&m, guarded, threads, &body);
    append_region(&m, (IrStmt *)guarded->rest, &body);
    unit->kernel->body = body;
    set_shape(unit);
    say(r);
}

/* What a warp loads and stores of its rows, and shared memory between. See rows.c. */
#include "ir/schedule/stage/front.h"
#include "ir/schedule/stage/rows.h"

enum { WARPS = FRONT_THREADS / WARP_LANES };

IrVar *rows_array(const RowsBuild *m, const Row *row, const char *what, IrVarKind kind,
                  int64_t rows, int64_t cols)
{
    return ir_array_var(
        m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_%s", row->array->name, what),
        row->array->type->array.element, kind, (int64_t[]){ rows, cols }, cols ? 2 : 1, m->b->span);
}

IrVar *rows_near(const RowsBuild *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    if (!slot->near)
        slot->near = rows_array(m, row, "near", VAR_SHARED,
                                WARPS * (slot->along ? m->r->lanes : rows_width(m->r)),
                                slot->along ? rows_width(m->r) + 1 : 0);
    return slot->near;
}

static IrVar *held_of(const RowsBuild *m, const Row *row)
{
    RowSlot *slot = &m->r->slots[row->slot];
    IrVar **held = m->left ? &slot->rest : &slot->held;
    if (!*held)
        *held = rows_array(m, row, m->left ? "rest" : "held", VAR_PRIVATE,
                           !slot->along ? rows_pieces(m->r)
                           : m->left    ? ROW_GROUP
                                        : ROW_ITERATIONS,
                           0);
    return *held;
}

IrValue *rows_counter(const RowsBuild *m, IrValue *iteration)
{
    return m->top ? build_op(m->b, OP_sub, m->top, iteration) : iteration;
}

/* Of what a warp loads at once, one after the other: the row, and where in it. */
static IrValue *row_of(const RowsBuild *m, IrVar *which)
{
    int pieces = rows_pieces(m->r);
    IrValue *value = build_var(m->b, which);
    return pieces == 1 ? value : build_op(m->b, OP_floordiv, value, pieces);
}

static IrValue *place_of(const RowsBuild *m, const Row *row, IrVar *which)
{
    int pieces = rows_pieces(m->r);
    IrValue *lane = build_var(m->b, m->lane);
    if (pieces == 1)
        return lane;
    IrValue *piece = build_var(m->b, which);
    if (row->along >= 0)
        piece = build_op(m->b, OP_mod, piece, pieces);
    return build_op(m->b, OP_add, build_times(m->b, piece, ROW_ITERATIONS), lane);
}

static IrValue *thread_of_row(const IrClone *clone, const IrValue *value)
{
    const RowsBuild *m = clone->context;
    return ir_thread_axis(&m->r->affine.sets, value) == 0 ? build_copy(m->b, m->at_row) : NULL;
}

/* The index along of the row of the warp's that is at hand. */
static IrValue *index_along(const RowsBuild *m, const Row *row, IrVar *which, IrValue *place)
{
    RowsBuild at = *m;
    at.at_row = build_op(m->b, OP_add, m->first, row_of(m, which));
    if (!row->base)
        return build_plus(m->b, at.at_row, row->shift);
    IrClone clone = { .arena = m->b->arena, .value = thread_of_row, .context = &at };
    IrValue *value = ir_clone_value(&clone, row->base);
    if (row->along == row->counter)
        value = build_op(m->b, OP_add, value, place);
    return ir_nonnegative(row->index[row->along]) ? ir_never_negative(value) : value;
}

/* The indices of the element that this lane has to do with: of a row of the warp's, counted from
** its first, in the iterations from `iteration` on. */
static IrValue **indices(const RowsBuild *m, const Row *row, IrVar *which, IrValue *iteration)
{
    IrValue **index = arena_array(m->b->arena, IrValue *, row->count);
    IrValue *place = rows_counter(
        m, build_op(m->b, OP_add, build_copy(m->b, iteration), place_of(m, row, which)));
    for (int i = 0; i < row->count; i++) {
        if (i == row->along)
            index[i] = index_along(m, row, which, place);
        else if (i == row->counter)
            index[i] = build_plus(m->b, place, row->iteration);
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

/* A loop over what the warp loads or stores of its rows, or of what they have in common; gives its
** body. `*held` is where of what is held. */
static IrRegion *append_rows(const RowsBuild *m, const Row *row, IrVar **which, IrVar **held,
                             IrRegion *out)
{
    bool group = m->group && row->along >= 0;
    int count = group ? ROW_GROUP : row->along >= 0 ? ROW_ITERATIONS : rows_pieces(m->r);
    *held = build_counter(m->b, "_row");
    IrStmt *loop = build_for(m->b, *held, 0, count, 1, UNROLL_ALL);
    IrValue *first = group ? build_op(m->b, OP_add, m->group, *held) : NULL;
    *which = group ? build_let(m->b, "_row", first, &loop->for_.body) : *held;
    ir_append(out, loop);
    return &loop->for_.body;
}

/* Whether a row is loaded now: of iterations that are left over what rows have in common comes
** first. */
static bool is_loaded(const RowsBuild *m, const Row *row)
{
    return row->loads && (!m->left || !m->group == (row->along < 0));
}

/* Whether the thread of a row, counted from lane 0's, does anything. */
static IrValue *is_active(const RowsBuild *m, IrVar *row)
{
    IrValue *one = build_integer(m->b, type_uint32, 1);
    IrValue *bits = build_op(m->b, OP_shr, m->mask, build_cast(m->b, type_uint32, row_of(m, row)));
    return build_op(m->b, OP_ne, build_op(m->b, OP_and, bits, one),
                    build_integer(m->b, type_uint32, 0));
}

/* And has an iteration where this lane accesses its row. */
static IrValue *is_wanted(const RowsBuild *m, const Row *row, IrVar *which, IrValue *active)
{
    return m->left ? build_op(m->b, OP_and_then, active,
                              build_op(m->b, OP_lt, place_of(m, row, which), m->left))
                   : active;
}

static IrValue *any_active(const RowsBuild *m)
{
    return build_op(m->b, OP_ne, build_var(m->b, m->mask), build_integer(m->b, type_uint32, 0));
}

void rows_load(const RowsBuild *m, IrValue *iteration, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which = NULL, *at = NULL;
        if (!is_loaded(m, row))
            continue;
        bool one = row->along < 0 && rows_pieces(m->r) == 1;
        IrRegion *body = one ? out : append_rows(m, row, &which, &at, out);
        IrValue *active = row->along < 0 ? any_active(m) : is_active(m, which);
        body = build_if(m->b, is_wanted(m, row, which, active), body);
        build_store(m->b, held_of(m, row), one ? build_int(m->b, 0) : build_var(m->b, at), NULL,
                    elsewhere(m, row, which, iteration), body);
    }
}

/* A row of the warp's in a shared array. */
static IrValue *near_row(const RowsBuild *m, IrVar *which)
{
    return build_op(m->b, OP_add, build_var(m->b, m->base), row_of(m, which));
}

IrValue *rows_common(const RowsBuild *m, IrValue *place)
{
    return build_op(m->b, OP_add, build_var(m->b, m->common), place);
}

void rows_bring(const RowsBuild *m, IrRegion *out)
{
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which = NULL, *at = NULL;
        if (!is_loaded(m, row))
            continue;
        if (row->along < 0 && rows_pieces(m->r) == 1) {
            build_store(m->b, rows_near(m, row), m->self, NULL,
                        build_load(m->b, held_of(m, row), 0, NULL), out);
            continue;
        }
        IrRegion *body = append_rows(m, row, &which, &at, out);
        IrValue *place = place_of(m, row, which);
        IrValue *held = build_load(m->b, held_of(m, row), at, NULL);
        if (row->along < 0)
            build_store(m->b, rows_near(m, row), rows_common(m, place), NULL, held, body);
        else
            build_store(m->b, rows_near(m, row), near_row(m, which), place, held, body);
    }
}

void rows_store(const RowsBuild *m, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < m->loop->count; i++) {
        const Row *row = &m->loop->rows[i];
        IrVar *which, *at;
        if (!row->stores)
            continue;
        any = true;
        IrRegion *body = append_rows(m, row, &which, &at, out);
        if (m->left)
            out->last->for_.unroll = ROW_GROUP;
        body = build_if(m->b, is_wanted(m, row, which, is_active(m, which)), body);
        IrValue **index = indices(m, row, which, build_var(m->b, m->iteration));
        IrValue *value =
            build_load(m->b, rows_near(m, row), near_row(m, which), place_of(m, row, which));
        ir_append(body, ir_store(m->b->arena, build_var(m->b, row->array), index, row->count, value,
                                 m->b->span));
    }
    if (any)
        front_meet(m->b, out);
}

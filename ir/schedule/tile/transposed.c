/* Threads that go along a row of memory each, some of them and some iterations at once:
**
**     for k in 0 to n                         k_done = 0
**         for x in first_x to end_x           if end_x - first_x == 16
**             sum[x] = sum[x] + a[x, k]           for k_done in 0 to n - 15 by 16
**                                                     eval rows_load(near, a, first_x, k_done,
**                                                                    first_x + 1, k_done)
**                                                     for column in 0 to 16
**                                                         for x in 0 to 16
**                                                             sum[x] = sum[x] + near[column, x]
**                                     becomes     for x in first_x to end_x
**                                                     for k in k_done to n
**                                                         sum[x] = sum[x] + a[x, k]
**
** Vectors over the threads would have to be gathered from as many rows. rows_load reads each row as
** it lies, and transposes in registers.
**
** Legal for arrays that the kernel does not write, by no other name either, where every thread of
** the nest comes to the load in every iteration: then nothing is read that would not have been, and
** it is the same whenever it is read. The rows lie equally far apart: what the first and the second
** have for indices says where the others are; no index counts from the end. The iterations that are
** left are each thread's own: threads are independent (tiles.c). */
#include "ir/schedule/tile/make.h"

/* ---- which loads --------------------------------------------------------------------------- */

static bool depends_on(const Tiles *tiles, const IrValue *value, const IrVar *counter)
{
    const IrValue *set = NULL;
    if (value->op == OP_var) {
        set = sets_value(&tiles->affine.sets, value->var);
        return value->var == counter || (set && depends_on(tiles, set, counter));
    }
    for (int i = 0; i < value->count; i++)
        if (depends_on(tiles, value->operands[i], counter))
            return true;
    return false;
}

static bool goes_along(const Tiles *tiles, const IrStmt *loop, const IrValue *load)
{
    const IrValue *array = load->operands[0];
    IrValue *const *indices = load->operands + 1;
    int dense = array->op == OP_var ? dense_axis(array->type) : -1;
    bool varies = false;
    if (dense < 0 || !tiles_is_counter(tiles, loop->for_.var, indices[dense]))
        return false;
    for (int i = 0; i < array->type->array.rank; i++) {
        int64_t slope;
        if (!ir_nonnegative(indices[i]) || !tiles_made_of(tiles, indices[i], MADE_AGAIN) ||
            !affine_slope(&tiles->affine, indices[i], tiles->order[0], &slope) ||
            (i != dense && depends_on(tiles, indices[i], loop->for_.var)))
            return false;
        varies |= i != dense && slope != 0;
    }
    return varies;
}

static bool is_loaded(const Tiles *tiles, const IrStmt *loop, const IrValue *load)
{
    bool number = type_is_number(load->type);
    size_t bytes = number ? type_size(load->type) : 0;
    return (bytes == 4 || bytes == 8) && tiles_read_only(tiles->unit, load->operands[0]) &&
           goes_along(tiles, loop, load);
}

static void find_in(const Tiles *tiles, const IrStmt *loop, const IrValue *value, TileStage *stage)
{
    if (value->op == OP_load && is_loaded(tiles, loop, value)) {
        array_push(tiles->unit->arena, stage->loads, stage->count, stage->capacity) = value;
        return;
    }
    for (int i = 0; i < ir_certain_operands(value); i++)
        find_in(tiles, loop, value->operands[i], stage);
}

TileStage tiles_transposed(const Tiles *tiles, const TilePart *loop)
{
    TileStage stage = { 0 };
    const TilePart *nest = loop->then;
    if (loop->kind != TILE_LOOP || tiles->axes != 1 || tiles->block || !nest || nest->next ||
        nest->kind != TILE_NEST || loop->stmt->for_.var->type != type_int64 ||
        !ir_is_integer(loop->stmt->for_.step, 1) || !ir_nonnegative(loop->stmt->for_.start) ||
        magnitude_bits(tiles->affine.magnitude, loop->stmt->for_.stop) > FAR_BITS)
        return stage;
    for (int i = 0; i < nest->count; i++) {
        const IrStmt *stmt = nest->stmts[i];
        if (stmt->kind == IR_SET)
            find_in(tiles, loop->stmt, stmt->set.value, &stage);
        else if (stmt->kind == IR_STORE)
            find_in(tiles, loop->stmt, stmt->store.value, &stage);
        else
            break;
    }
    return stage;
}

/* ---- whether all ---------------------------------------------------------------------------- */

typedef struct RowsLook {
    const Tiles *tiles;
    const TileStage *stage;
    bool other; /* some access varies by the threads and is not in the stage */
} RowsLook;

static bool varies(const RowsLook *look, const IrValue *array, IrValue *const *indices)
{
    for (int i = 0; i < array->type->array.rank; i++)
        if (affine_varies(&look->tiles->affine, indices[i], look->tiles->order[0]))
            return true;
    return false;
}

static void look_at_node(void *context, IrValue *value)
{
    RowsLook *look = context;
    if (value->op != OP_load || !varies(look, value->operands[0], value->operands + 1))
        return;
    for (int i = 0; i < look->stage->count; i++)
        if (look->stage->loads[i] == value)
            return;
    look->other = true;
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    RowsLook *look = context;
    look->other |= stmt->kind != IR_SET;
    ir_each_own_node(stmt, look_at_node, look);
}

/* Counts loops whose loads all are; -1: some other loop does not do so. */
static int transposed_in(const Tiles *tiles, const TilePart *part)
{
    int count = 0;
    for (; part && count >= 0; part = part->next) {
        if (part->kind == TILE_NEST && part->repeated)
            return -1;
        if (part->kind == TILE_LOOP) {
            TileStage stage = tiles_transposed(tiles, part);
            RowsLook look = { tiles, &stage, !stage.count };
            ir_each_stmt(&part->stmt->for_.body, look_at_stmt, &look);
            count = look.other ? -1 : count + 1;
            continue;
        }
        int then = transposed_in(tiles, part->then);
        int otherwise = transposed_in(tiles, part->otherwise);
        count = then < 0 || otherwise < 0 ? -1 : count + then + otherwise;
    }
    return count;
}

bool tiles_transposed_all(const Tiles *tiles)
{
    return !tiles->inside && transposed_in(tiles, tiles->plan) > 0;
}

/* ---- making --------------------------------------------------------------------------------- */

enum { FEW = 4 }; /* statements, of iterations that are laid out: sums stay in registers then */

/* Appends the indices that a load of a thread has. */
static void push_indices(IrValue *eval, const IrClone *clone, const IrValue *load)
{
    for (int i = 1; i < load->count; i++)
        eval->operands[eval->count++] = ir_clone_value(clone, load->operands[i]);
}

/* rows_load of each load, `counter` standing for what the loop counts. */
static void make_loads(const TileBuild *m, const TilePart *part, Transposed *t, const Range *range,
                       IrVar *counter, IrRegion *out)
{
    const int64_t shape[] = { ROWS_LOADED, ROWS_LOADED };
    const Span span = part->stmt->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = m->tiles->order[0];
    Here here[2] = { { .make = m, .range = range }, { .make = m, .range = range } };
    IrClone clones[2];
    here[0].at[axis] = make_var(m, "row", span);
    here[1].at[axis] = make_var(m, "row", span);
    for (int k = 0; k < 2; k++) {
        clones[k] = (IrClone){ .arena = m->arena,
                               .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1),
                               .value = make_value,
                               .context = &here[k] };
        clones[k].vars[part->stmt->for_.var->id] = counter;
        build_set(b, here[k].at[axis], k, out);
        make_again(m, &t->stage, &here[k], &clones[k], out);
    }
    for (int i = 0; i < t->stage.count; i++) {
        const IrValue *load = t->stage.loads[i];
        IrValue *eval = ir_intrinsic(m->arena, INTR_rows_load, type_none, span, NULL, NULL, NULL);
        t->near[i] = make_near(m, load, shape, 2);
        eval->operands = arena_array(m->arena, IrValue *, 2 * load->count);
        eval->operands[0] = ir_var(m->arena, t->near[i], span);
        eval->operands[1] = ir_clone_value(&clones[0], load->operands[0]);
        eval->count = 2;
        push_indices(eval, &clones[0], load);
        push_indices(eval, &clones[1], load);
        ir_append(out, ir_eval(m->arena, eval, span));
    }
}

/* The iterations from `done` on that come by ROWS_LOADED, of as many threads. */
static void make_whole(const TileBuild *m, const TilePart *part, const TileStage *stage,
                       const Range *range, IrVar *done, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
    const Span span = stmt->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = m->tiles->order[0];
    Transposed t = { *stage, arena_array(m->arena, IrVar *, stage->count), NULL };
    Range whole = *range;
    whole.base[axis] = range->low[axis];
    whole.low[axis] = whole.origin[axis] = (IrVar *)&m->none;
    whole.high[axis] = (IrVar *)&m->all;
    IrVar *from = ir_var_like(m->arena, m->fn, stmt->for_.var, "from");
    IrValue *stop = build_op(b, OP_sub, make_outside(m, stmt->for_.stop),
                             build_integer(b, stmt->for_.var->type, ROWS_LOADED - 1));
    IrStmt *loop = make_for(m, from, make_outside(m, stmt->for_.start), stop,
                            ir_integer(m->arena, from->type, ROWS_LOADED, span), span);
    make_loads(m, part, &t, &whole, from, &loop->for_.body);
    t.column = make_var(m, "column", span);
    IrStmt *columns = make_for(m, t.column, make_number(m, 0, span),
                               make_number(m, ROWS_LOADED, span), make_number(m, 1, span), span);
    columns->for_.unroll = part->then->count <= FEW ? ROWS_LOADED : 0;
    IrValue *now = build_cast(b, from->type, t.column);
    now = build_op(b, OP_add, from, now);
    build_set(b, stmt->for_.var, now, &columns->for_.body);
    whole.transposed = &t;
    make_nest(m, part->then, &whole, NULL, &columns->for_.body);
    ir_append(&loop->for_.body, columns);
    now = build_op(b, OP_add, from, build_integer(b, from->type, ROWS_LOADED));
    build_set(b, done, now, &loop->for_.body);
    ir_append(out, loop);
}

void make_transposed(const TileBuild *m, const TilePart *part, const TileStage *stage,
                     const Range *range, IrRegion *out)
{
    const IrStmt *stmt = part->stmt;
    const Span span = stmt->span;
    const IrBuilder b[1] = { make_at(m, span) };
    int axis = m->tiles->order[0];
    IrVar *done = ir_var_like(m->arena, m->fn, stmt->for_.var, "done");
    build_set(b, done, make_outside(m, stmt->for_.start), out);
    IrValue *threads = build_op(b, OP_sub, make_read(m, range->high[axis], span),
                                make_read(m, range->low[axis], span));
    IrStmt *branch = ir_if(m->arena, build_op(b, OP_eq, threads, ROWS_LOADED), span);
    make_whole(m, part, stage, range, done, &branch->if_.then);
    ir_append(out, branch);
    IrClone clone = { .arena = m->arena,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1) };
    clone.vars[stmt->for_.var->id] = ir_var_like(m->arena, m->fn, stmt->for_.var, "rest");
    IrStmt *rest = ir_clone_stmt(&clone, stmt);
    rest->for_.start = ir_var(m->arena, done, span);
    /* what is computed again, in front of that loop too, asks for the counter itself */
    ir_append(out, ir_set(m->arena, stmt->for_.var, ir_var(m->arena, done, span), span));
    ir_insert_before(
        &rest->for_.body, rest->for_.body.first,
        ir_set(m->arena, stmt->for_.var, ir_var(m->arena, rest->for_.var, span), span));
    TilePart nest = *part->then;
    const IrStmt *stmts[] = { rest };
    nest.stmts = stmts;
    nest.count = 1;
    nest.in_order = true;
    make_nest(m, &nest, range, NULL, out);
}

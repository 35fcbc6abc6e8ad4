/* Which loops by the size of a block take all threads through all iterations at once:
**
**     for k in thread_idx(0) to 324 by 256        for k in 0 to 324 any order
**         tile[k // 18, k % 18] = ...    becomes      tile[k // 18, k % 18] = ...
**
** as those that fill a tile with what lies around it, where a last iteration has few threads. The
** index a loop begins with is that along one axis, or the number of the thread in the block.
**
** Legal where all threads come to the loop and know nothing there but the counter: they read no
** variable and no index of their own, leave none behind, and store in each iteration elsewhere,
** into arrays that they do not read; between two barriers no other thread reads them. Two stores of
** an iteration are into one element, or into arrays that do not overlap, as a thread's own
** iterations have an order. */
#include "ir/analysis/points_to.h"
#include "ir/schedule/tile/tiles.h"

typedef struct WholeLoop {
    const Tiles *tiles;
    const IrStmt *loop;
    unsigned axes;    /* 1 << axis: of which they may not know the index */
    const bool *left; /* by IrVar.id: read outside of the loop that sets it */
    IrSets sets;      /* of the loop */
    IrPointsTo points_to;
    bool knows; /* more than that */
} WholeLoop;

static bool is_counter(const WholeLoop *w, const IrValue *value)
{
    value = sets_behind_casts(&w->tiles->affine.sets, value);
    return ir_is_var(value, w->loop->for_.var);
}

/* Whether a value is the counter and what does not change. */
static bool counts(const WholeLoop *w, const IrValue *value)
{
    value = sets_behind_casts(&w->tiles->affine.sets, value);
    if (value->op != OP_add && value->op != OP_sub)
        return is_counter(w, value);
    return counts(w, value->operands[0]) && tiles_outside(w->tiles, value->operands[1]);
}

/* Whether two indices are the quotient and the remainder of the counter by one number. */
static bool counts_in_two(const WholeLoop *w, const IrValue *row, const IrValue *column)
{
    const IrSets *sets = &w->tiles->affine.sets;
    row = sets_behind_casts(sets, row);
    column = sets_behind_casts(sets, column);
    return row->op == OP_floordiv && column->op == OP_mod && counts(w, row->operands[0]) &&
           counts(w, column->operands[0]) && ir_is_constant(row->operands[1]) &&
           ir_is_constant(column->operands[1]) && row->operands[1]->constant.integer > 0 &&
           row->operands[1]->constant.integer == column->operands[1]->constant.integer;
}

/* Whether a loop around goes by the size of the block along another axis, and counts in it. */
static bool counts_along_another(const WholeLoop *w, const IrVar *var)
{
    return w->tiles->vars[var->id] == TILE_VAR_AGAIN && sets_loop(&w->tiles->affine.sets, var) &&
           !(w->axes >> w->tiles->stride_axes[var->id] & 1);
}

static void look_at_node(void *context, IrValue *value)
{
    WholeLoop *w = context;
    const IrVar *var = value->op == OP_var ? value->var : NULL;
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_thread_idx || value->intrinsic == INTR_grid))
        w->knows |= w->axes >> value->index & 1;
    if (value->op == OP_load)
        w->knows |= value->operands[0]->op != OP_var ||
                    (!tiles_read_only(w->tiles->unit, value->operands[0]) &&
                     value->operands[0]->var->kind != VAR_SHARED);
    if (!var || var->kind == VAR_PARAM || var->kind == VAR_SHARED || sets_any(&w->sets, var) ||
        !tiles_bits(w->tiles, value) || counts_along_another(w, var))
        return;
    IrValue *set = sets_value(&w->tiles->affine.sets, var);
    if (set && type_is_scalar(var->type) && sets_is_short(&w->tiles->affine.sets, set) &&
        !ir_value_effects(set))
        ir_each_node(set, look_at_node, w);
    else
        w->knows = true;
}

typedef struct Stored {
    WholeLoop *loop;
    const IrStmt *stmt;
    const IrVar *array;
    bool read;
} Stored;

static void find_read(void *context, IrValue *value)
{
    Stored *s = context;
    s->read |= value->op == OP_load && ir_is_var(value->operands[0], s->array);
}

/* Whether two stores are into one element in an iteration, and there alone. */
static bool store_in_one(const WholeLoop *w, const IrStmt *a, const IrStmt *b)
{
    bool same = ir_same_value(a->store.array, b->store.array) &&
                a->store.array->type->array.layout != LAYOUT_A;
    for (int i = 0; i < a->store.count && same; i++) {
        IrValue *one = a->store.indices[i], *other = b->store.indices[i];
        same = affine_same_apart(&w->tiles->affine, one, other) && ir_nonnegative(one) &&
               ir_nonnegative(other);
    }
    return same;
}

static void find_store(void *context, IrStmt *stmt)
{
    const Stored *s = context;
    WholeLoop *w = s->loop;
    const IrVar *own, *other;
    w->knows |= stmt->kind == IR_STORE && stmt != s->stmt && !store_in_one(w, s->stmt, stmt) &&
                ir_may_alias(&w->points_to, w->tiles->unit->launch,
                             ir_pointees(&w->points_to, s->stmt->store.array),
                             ir_pointees(&w->points_to, stmt->store.array), &own, &other);
}

static void look_at_store(WholeLoop *w, const IrStmt *stmt)
{
    Stored s = { w, stmt, stmt->store.array->op == OP_var ? stmt->store.array->var : NULL, false };
    bool apart = false;
    for (int i = 0; i < stmt->store.count; i++)
        w->knows |= !sets_is_short(&w->tiles->affine.sets, stmt->store.indices[i]);
    for (int i = 0; i < stmt->store.count && !w->knows; i++) {
        apart |= counts(w, stmt->store.indices[i]);
        for (int k = 0; k < stmt->store.count; k++)
            apart |= counts_in_two(w, stmt->store.indices[i], stmt->store.indices[k]);
    }
    ir_each_node_in(&w->loop->for_.body, find_read, &s);
    ir_each_stmt(&w->loop->for_.body, find_store, &s);
    w->knows |=
        !apart || !s.array || s.read || (s.array->kind != VAR_SHARED && s.array->kind != VAR_PARAM);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    WholeLoop *w = context;
    const IrVar *var = ir_set_var(stmt);
    w->knows |= var && (w->left[var->id] || !sets_only(&w->tiles->affine.sets, var));
    w->knows |= (ir_stmt_effects(stmt) & ~(EFFECT_READ | EFFECT_WRITE)) != 0;
    if (stmt->kind == IR_STORE)
        look_at_store(w, stmt);
    ir_each_own_node(stmt, look_at_node, w);
}

/* What a sum of products of indices in the block, its sizes and numbers is for a thread; false: it
** is none. */
static bool number_of(const Tiles *tiles, const IrValue *value, const int64_t thread[3],
                      int64_t *number)
{
    int64_t a, b;
    value = sets_behind_casts(&tiles->affine.sets, value);
    if (value->op == OP_constant && type_is_integer(value->type)) {
        *number = value->constant.integer;
        return true;
    }
    if (ir_is_intrinsic(value, INTR_thread_idx)) {
        *number = thread[value->index];
        return true;
    }
    if (ir_is_intrinsic(value, INTR_block_dim)) {
        *number = tiles->along[value->index];
        return true;
    }
    return (value->op == OP_add || value->op == OP_mul) &&
           number_of(tiles, value->operands[0], thread, &a) &&
           number_of(tiles, value->operands[1], thread, &b) &&
           !(value->op == OP_add ? __builtin_add_overflow(a, b, number)
                                 : __builtin_mul_overflow(a, b, number));
}

/* Whether a value is the number of the thread in a block of several axes. */
static bool is_number_in_block(const Tiles *tiles, const IrValue *value)
{
    int64_t before = 1, number, slope;
    for (int axis = -1; axis < 3; axis++) {
        int64_t thread[3] = { axis == 0, axis == 1, axis == 2 };
        if (axis >= 0 && tiles->along[axis] == 1)
            continue;
        if (!number_of(tiles, value, thread, &number) || number != (axis < 0 ? 0 : before) ||
            (axis >= 0 && (!affine_slope(&tiles->affine, value, axis, &slope) || slope != before)))
            return false;
        before *= axis < 0 ? 1 : tiles->along[axis];
    }
    return true;
}

unsigned tiles_whole(const Tiles *tiles, const IrStmt *loop, const bool *left)
{
    static const int64_t first[3] = { 0, 0, 0 };
    const IrValue *start = sets_behind_casts(&tiles->affine.sets, loop->for_.start);
    bool of_axis = ir_is_intrinsic(start, INTR_thread_idx);
    int64_t step, size = 1;
    WholeLoop w = { .tiles = tiles, .loop = loop, .left = left };
    for (int axis = 0; axis < 3; axis++) {
        if (tiles->along[axis] == 1 || (of_axis && axis != start->index))
            continue;
        w.axes |= 1u << axis;
        size *= tiles->along[axis];
    }
    if (!tiles->block || !sets_is_short(&tiles->affine.sets, loop->for_.start) ||
        !sets_is_short(&tiles->affine.sets, loop->for_.step) ||
        !number_of(tiles, loop->for_.step, first, &step) || step != size ||
        loop->for_.var->type != type_int64 || !(of_axis || is_number_in_block(tiles, start)) ||
        !tiles_outside(tiles, loop->for_.stop))
        return 0;
    w.sets = ir_sets_of_loop(tiles->unit->arena, tiles->unit->kernel, loop);
    w.points_to = ir_points_to(tiles->unit->arena, tiles->unit->kernel);
    ir_each_stmt(&loop->for_.body, look_at_stmt, &w);
    return w.knows ? 0 : w.axes;
}

/* Does to several threads at once what a kernel does to one: unroll and jam.
**
**     t = load(x, i)                      t_0 = load(x, i_0)
**     for k in 0 to n by 1                t_1 = load(x, i_1)
**         t = add(t, load(w, k))          for k in 0 to n by 1
**                                             w_1 = load(w, k)
**                                             t_0 = add(t_0, w_1)
**                                             t_1 = add(t_1, w_1)
**
** Each statement is there once for every combination of steps that what it sets varies by, with
** variables of their own; what does not vary stands there once. Loops and branches whose iterations
** and conditions are the same for all stay one, with jammed bodies; others are repeated whole.
**
** Legal for threads that are on their own (independent.c): what comes out is one of the orders in
** which the threads' statements could have run, namely each statement by all threads before the
** next. Within a statement all of them may read before the first one writes: reading and writing
** are two steps, and between threads these too come in any order. A variable that does not vary is
** set by one for all: they would set the same, as threads that read one element at one point see
** one value unless the program has a race, and with one, seeing the same is one of the outcomes. So
** none of this needs to know whether arrays overlap. What is written atomically is never left
** out, but may be written at once (jam_sums.c). */
#include "ir/schedule/coarsen/coarsen.h"

/* ---- coordinates ----------------------------------------------------------------------------- */

int tile_along(const Tile *tile, int side)
{
    return tile->count[side][NEAR] * tile->count[side][APART];
}

int tile_size(const Tile *tile)
{
    return tile_along(tile, LANES) * tile_along(tile, ACROSS);
}

/* How far a thread of the tile is from the first along the side's axis. */
static int64_t tile_offset(const Tile *tile, const TileCoord *coord, int side)
{
    return coord->at[side][NEAR] + coord->at[side][APART] * tile->gap[side];
}

/* The steps of both sides that have more than one. */
static Steps tile_steps(const Tile *tile)
{
    Steps steps = 0;
    for (int i = 0; i < STEP_BITS; i++)
        if (tile->count[i / STEPS][i % STEPS] > 1)
            steps |= 1u << i;
    return steps;
}

bool coord_next(const Tile *tile, Steps steps, TileCoord *coord)
{
    for (int i = 0; i < STEP_BITS; i++) {
        int *at = &coord->at[i / STEPS][i % STEPS];
        if (!(steps >> i & 1))
            continue;
        if (++*at < tile->count[i / STEPS][i % STEPS])
            return true;
        *at = 0;
    }
    return false;
}

int coord_number(const Tile *tile, Steps steps, TileCoord coord)
{
    int number = 0;
    for (int i = STEP_BITS; i-- > 0;)
        number = number * tile->count[i / STEPS][i % STEPS] +
                 (steps >> i & 1 ? coord.at[i / STEPS][i % STEPS] : 0);
    return number;
}

/* ---- what varies ----------------------------------------------------------------------------- */

static Steps steps_of(const Jam *jam, int bits)
{
    Steps steps = 0;
    for (int side = 0; side < SIDES; side++) {
        int axis = jam->tile->axis[side];
        if (axis >= 0 && bits & (DIVERGES_OTHER | (DIVERGES_THREAD | DIVERGES_BLOCK) << axis))
            steps |= ((1u << STEPS) - 1) << side * STEPS;
    }
    return steps & tile_steps(jam->tile);
}

Steps jam_steps(const Jam *jam, const IrValue *value)
{
    return steps_of(jam, ir_divergence_of(&jam->affine->divergence, value));
}

Steps jam_var_steps(const Jam *jam, const IrVar *var)
{
    return steps_of(jam, jam->affine->divergence.vars[var->id]);
}

Steps jam_all_steps(const Jam *jam)
{
    return tile_steps(jam->tile);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* `total_1_2` for the thread one step along the lanes, two across. */
static const char *copy_name(Jam *jam, const IrVar *var, TileCoord coord, Steps steps)
{
    const char *name = var->name;
    for (int side = 0; side < SIDES; side++) {
        int number = coord.at[side][APART] * jam->tile->count[side][NEAR] + coord.at[side][NEAR];
        if (steps >> side * STEPS & ((1u << STEPS) - 1))
            name = arena_printf(jam->unit->arena, "%s_%d", name, number);
    }
    return name;
}

IrVar *jam_var(Jam *jam, const IrVar *var, TileCoord coord)
{
    Arena *arena = jam->unit->arena;
    if (var->kind != VAR_LOCAL || var->id >= jam->affine->sets.var_count ||
        (jam->outside && jam->outside[var->id]))
        return (IrVar *)var;
    IrVar ***copies = &jam->copies[var->id];
    Steps steps = jam_var_steps(jam, var);
    if (!*copies)
        *copies = arena_array(arena, IrVar *, tile_size(jam->tile));
    IrVar **copy = &(*copies)[coord_number(jam->tile, steps, coord)];
    if (!*copy)
        *copy = ir_var_like(arena, jam->unit->kernel, var, copy_name(jam, var, coord, steps));
    return *copy;
}

IrValue *jam_index(const Jam *jam, int axis, TileCoord coord, Span span)
{
    Arena *arena = jam->unit->arena;
    IrValue *index = ir_var(arena, jam->first[axis], span);
    for (int side = 0; side < SIDES; side++) {
        int64_t offset = tile_offset(jam->tile, &coord, side);
        if (jam->tile->axis[side] != axis)
            continue;
        if (jam->group[axis]) {
            index = ir_var(arena, jam->group[axis][coord.at[side][APART]], span);
            offset = coord.at[side][NEAR];
        }
        index = ir_binary(arena, OP_add, index, ir_integer(arena, type_int64, offset, span), span);
    }
    return index;
}

typedef struct JamAt {
    Jam *jam;
    TileCoord coord;
} JamAt;

/* What stands instead of a value, where it is another. */
static IrValue *replaced(const IrClone *clone, const IrValue *value)
{
    const JamAt *at = clone->context;
    Jam *jam = at->jam;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL)
        return ir_var(clone->arena, jam_var(jam, value->var, at->coord), value->span);
    if (ir_is_intrinsic(value, INTR_grid))
        return jam_index(jam, value->index, at->coord, value->span);
    if (ir_is_intrinsic(value, INTR_gridsize))
        return ir_var(clone->arena, jam->threads[value->index], value->span);
    return value->op == OP_load ? jam_loaded(jam, value, at->coord) : NULL;
}

IrValue *jam_value(Jam *jam, const IrValue *value, TileCoord coord)
{
    JamAt at = { jam, coord };
    IrClone clone = { .arena = jam->unit->arena, .value = replaced, .context = &at };
    return ir_clone_value(&clone, value);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void jam_set(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    Steps own = jam_var_steps(jam, stmt->set.var), steps = own & ~fixed;
    if (fixed & ~own) /* it would be set again and again */
        jam->broken = true;
    jam_load_ahead(jam, stmt, coord, steps, false, out);
    do {
        IrVar *var = jam_var(jam, stmt->set.var, coord);
        ir_append(
            out, ir_set(jam->unit->arena, var, jam_value(jam, stmt->set.value, coord), stmt->span));
    } while (coord_next(jam->tile, steps, &coord));
    jam_loads_done(jam);
}

static IrStmt *store_at(Jam *jam, const IrStmt *stmt, TileCoord coord)
{
    Arena *arena = jam->unit->arena;
    IrValue *array = jam_value(jam, stmt->store.array, coord), *indices[RANK_MAX];
    for (int i = 0; i < stmt->store.count; i++)
        indices[i] = jam_value(jam, stmt->store.indices[i], coord);
    IrStmt *store = ir_store(arena, array, indices, stmt->store.count,
                             jam_value(jam, stmt->store.value, coord), stmt->span);
    store->store.cache = stmt->store.cache;
    return store;
}

IrRegion *jam_own(const Jam *jam, TileCoord coord, Span span, IrRegion *out)
{
    IrValue *index[3];
    for (int axis = 0; axis < 3; axis++)
        index[axis] = jam->own[axis] ? jam_index(jam, axis, coord, span) : NULL;
    IrValue *own = shift_is_own(jam, index, span);
    if (!own)
        return out;
    IrStmt *branch = ir_if(jam->unit->arena, own, span);
    ir_append(out, branch);
    return &branch->if_.then;
}

static void jam_store(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    Steps steps = jam_steps(jam, stmt->store.array) | jam_steps(jam, stmt->store.value);
    for (int i = 0; i < stmt->store.count; i++)
        steps |= jam_steps(jam, stmt->store.indices[i]);
    bool asks = jam->own[0] || jam->own[1] || jam->own[2];
    steps = (asks ? tile_steps(jam->tile) : steps) & ~fixed;
    jam_load_ahead(jam, stmt, coord, steps, true, out);
    if (!jam_store_wide(jam, stmt, coord, steps, out)) {
        do
            ir_append(jam_own(jam, coord, stmt->span, out), store_at(jam, stmt, coord));
        while (coord_next(jam->tile, steps, &coord));
    }
    jam_loads_done(jam);
}

/* What is done for its effect is done by every thread, or once for what all of them do. */
static void jam_eval(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    Steps steps = tile_steps(jam->tile) & ~fixed;
    jam_load_ahead(jam, stmt, coord, steps, true, out);
    if (!jam_sums(jam, stmt, coord, steps, out)) {
        do
            ir_append(out, ir_eval(jam->unit->arena, jam_value(jam, stmt->eval.value, coord),
                                   stmt->span));
        while (coord_next(jam->tile, steps, &coord));
    }
    jam_loads_done(jam);
}

/* ---- branches and loops ---------------------------------------------------------------------- */

/* Bits of the conditions under which a loop's iteration, or the loop, is left. */
static int leaving(const Jam *jam, const IrRegion *region, int around, int *skipped)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE)
            *skipped |= around;
        if (stmt->kind != IR_IF)
            continue;
        int bits = around | ir_divergence_of(&jam->affine->divergence, stmt->if_.condition);
        leaving(jam, &stmt->if_.then, bits, skipped);
        leaving(jam, &stmt->if_.otherwise, bits, skipped);
    }
    return *skipped;
}

/* In front of branches that threads take one by one, what those share that take one. */
static void share_loads(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, Steps steps,
                        IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    IrStmt *any = ir_if(arena, NULL, stmt->span);
    if (!steps || ir_value_effects(stmt->if_.condition) != EFFECT_NONE ||
        !jam_load_shared(jam, stmt, coord, steps, fixed, &any->if_.then))
        return;
    do {
        IrValue *is = jam_value(jam, stmt->if_.condition, coord), *others = any->if_.condition;
        any->if_.condition = others ? ir_binary(arena, OP_or_else, others, is, stmt->span) : is;
    } while (coord_next(jam->tile, steps, &coord));
    ir_append(out, any);
}

static void jam_if(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    Steps steps = jam_steps(jam, stmt->if_.condition) & ~fixed;
    int kept = jam->kept;
    if (steps && jam_sums(jam, stmt, coord, tile_steps(jam->tile) & ~fixed, out)) {
        jam_loads_done(jam);
        return;
    }
    share_loads(jam, stmt, coord, fixed, steps, out);
    do {
        IrStmt *branch =
            ir_if(jam->unit->arena, jam_value(jam, stmt->if_.condition, coord), stmt->span);
        jam_stmts(jam, stmt->if_.then.first, coord, fixed | steps, &branch->if_.then);
        jam_stmts(jam, stmt->if_.otherwise.first, coord, fixed | steps, &branch->if_.otherwise);
        ir_append(out, branch);
    } while (coord_next(jam->tile, steps, &coord));
    jam->kept = kept;
    jam_loads_done(jam);
}

static void jam_while(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    int skipped = ir_divergence_of(&jam->affine->divergence, stmt->while_.condition);
    Steps steps = steps_of(jam, leaving(jam, &stmt->while_.body, 0, &skipped)) & ~fixed;
    do {
        IrStmt *loop = ir_stmt(jam->unit->arena, IR_WHILE, stmt->span);
        loop->while_.condition = jam_value(jam, stmt->while_.condition, coord);
        jam_stmts(jam, stmt->while_.body.first, coord, fixed | steps, &loop->while_.body);
        ir_append(out, loop);
    } while (coord_next(jam->tile, steps, &coord));
}

static void jam_for(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    Steps steps = jam_var_steps(jam, stmt->for_.var) & ~fixed;
    if (fixed & ~jam_var_steps(jam, stmt->for_.var))
        jam->broken = true;
    do {
        IrStmt *loop =
            ir_for(jam->unit->arena, jam_var(jam, stmt->for_.var, coord),
                   jam_value(jam, stmt->for_.start, coord), jam_value(jam, stmt->for_.stop, coord),
                   jam_value(jam, stmt->for_.step, coord), stmt->span);
        loop->for_.unroll = stmt->for_.unroll;
        loop->for_.rest = stmt->for_.rest;
        jam_stmts(jam, stmt->for_.body.first, coord, fixed | steps, &loop->for_.body);
        ir_append(out, loop);
    } while (coord_next(jam->tile, steps, &coord));
}

static void jam_stmt(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps fixed, IrRegion *out)
{
    switch (stmt->kind) {
    case IR_SET:
        jam_set(jam, stmt, coord, fixed, out);
        return;
    case IR_STORE:
        jam_store(jam, stmt, coord, fixed, out);
        return;
    case IR_EVAL:
        jam_eval(jam, stmt, coord, fixed, out);
        return;
    case IR_IF:
        jam_if(jam, stmt, coord, fixed, out);
        return;
    case IR_WHILE:
        jam_while(jam, stmt, coord, fixed, out);
        return;
    case IR_FOR:
        jam_for(jam, stmt, coord, fixed, out);
        return;
    case IR_BREAK:
    case IR_CONTINUE:
        ir_append(out, ir_stmt(jam->unit->arena, stmt->kind, stmt->span));
        return;
    case IR_RETURN:
    case IR_PRINT:
    case IR_FAULT:
    case IR_STOP:
        jam->broken = true;
        return;
    }
}

void jam_stmts(Jam *jam, const IrStmt *first, TileCoord coord, Steps fixed, IrRegion *out)
{
    for (const IrStmt *stmt = first; stmt && !jam->broken; stmt = stmt->next)
        jam_stmt(jam, stmt, coord, fixed, out);
}

Jam jam_new(IrUnit *unit, const IrAffine *affine, const Tile *tile)
{
    return (Jam){ .unit = unit,
                  .tile = tile,
                  .affine = affine,
                  .copies = arena_array(unit->arena, IrVar **, affine->sets.var_count + 1) };
}

/* Gives each real thread several of the threads asked for, and lanes the axis along which memory
** lies, where it is unobservable:
**
**     i = grid(0)                         first = mul(grid(0), 4)
**     if lt(i, extent(x, 0))              i_0 = first ... i_3 = add(first, 3)
**         store x[i] = f(load(x, i))      if and_then(lt(i_3, threads), lt(i_3, extent(x, 0)))
**                                             eval wide_load(x_wide, x, i_0)
** becomes                                     store y_wide[0] = f(load(x_wide, 0)) ...
**                                             eval wide_store(x, i_0, y_wide)
**                                         else
**                                             for each of the four: as it was, if lt(i, threads)
**
** A thread's index in the grid and the grid's size become numbers of what was asked: `threads` is a
** parameter that the launch fills in. The launch itself gets a shape of its own
** (IrShape.free). If all threads of a tile pass the conditions that stand around the whole kernel,
** their statements run jammed (jam.c), with what lies side by side loaded and stored at once; else
** each runs by itself, in a loop.
**
** Legal where threads are on their own (independent.c): then which real thread stands for which of
** those asked for shows nowhere, and jam.c says why jamming them does not.
** It pays as choose.c counts; the launch must have threads enough to fill the machine with
** what is left of them. */
#include "ir/schedule/coarsen/coarsen.h"

/* ---- the fast path --------------------------------------------------------------------------- */

static TileCoord last_spot(const Tile *tile)
{
    TileCoord coord;
    for (int i = 0; i < STEP_BITS; i++)
        coord.at[i / STEPS][i % STEPS] = tile->count[i / STEPS][i % STEPS] - 1;
    return coord;
}

/* `index < threads` for the thread at `coord`, along all axes. */
static IrValue *is_asked(Jam *jam, TileCoord coord, Span span)
{
    Arena *arena = jam->unit->arena;
    IrValue *all = NULL;
    for (int axis = 0; axis < 3; axis++) {
        if (!jam->threads[axis])
            continue;
        IrValue *index = jam_index(jam, axis, coord, span);
        all =
            ir_both(arena, all,
                    ir_binary(arena, OP_lt, index, ir_var(arena, jam->threads[axis], span), span));
    }
    return all;
}

/* Whether a value goes one way from thread to thread, and not round. */
static bool stays(const Jam *jam, const IrValue *value)
{
    return !jam_steps(jam, value) || magnitude_bits(jam->affine->magnitude, value) <= FAR_BITS;
}

/* Whether a comparison holds for all threads of a tile if it does for one, at *coord. */
static bool decides(const Jam *jam, const IrValue *term, TileCoord *coord)
{
    bool less = term->op == OP_lt || term->op == OP_le;
    TileCoord last = last_spot(jam->tile);
    *coord = (TileCoord){ { { 0 } } };
    if (!less && term->op != OP_gt && term->op != OP_ge)
        return false;
    for (int side = 0; side < SIDES; side++) {
        int64_t a, b, slope;
        int axis = jam->tile->axis[side];
        if (axis < 0)
            continue;
        if (!affine_slope(jam->affine, term->operands[0], axis, &a) ||
            !affine_slope(jam->affine, term->operands[1], axis, &b) ||
            __builtin_sub_overflow(a, b, &slope))
            return false;
        if (less ? slope > 0 : slope < 0)
            for (int step = 0; step < STEPS; step++)
                coord->at[side][step] = last.at[side][step];
    }
    return stays(jam, term->operands[0]) && stays(jam, term->operands[1]);
}

/* That a condition around the whole kernel holds for all threads of the tile. */
static IrValue *holds_for_all(Jam *jam, const IrValue *term, IrValue *all)
{
    Arena *arena = jam->unit->arena;
    Steps steps = jam_steps(jam, term);
    TileCoord coord;
    if (decides(jam, term, &coord))
        return ir_both(arena, all, jam_value(jam, term, coord));
    coord = (TileCoord){ { { 0 } } };
    do
        all = ir_both(arena, all, jam_value(jam, term, coord));
    while (coord_next(jam->tile, steps, &coord));
    return all;
}

static void append_sets(Jam *jam, const Guarded *guarded, IrRegion *out)
{
    for (int i = 0; i < guarded->set_count; i++) {
        const IrStmt *set = guarded->sets[i];
        Steps steps = jam_var_steps(jam, set->set.var);
        TileCoord coord = { { { 0 } } };
        do
            ir_append(out, ir_set(jam->unit->arena, jam_var(jam, set->set.var, coord),
                                  jam_value(jam, set->set.value, coord), set->span));
        while (coord_next(jam->tile, steps, &coord));
    }
}

/* ---- the slow path --------------------------------------------------------------------------- */

/* The kernel as it was, for one thread at indices held in variables. */
static void append_plain(Jam *jam, IrVar **indices, IrRegion body, IrRegion *out)
{
    ir_put_indices(jam->unit->arena, &body, indices, jam->threads);
    ir_append_region(out, body);
}

/* A loop over the steps of one kind; gives its body. */
static IrRegion *append_loop(Jam *jam, int side, int step, IrVar **counter, IrRegion *out,
                             Span span)
{
    Arena *arena = jam->unit->arena;
    *counter = ir_counter(arena, jam->unit->kernel, step == NEAR ? "near" : "apart", span);
    IrStmt *loop = ir_for(arena, *counter, ir_integer(arena, type_int64, 0, span),
                          ir_integer(arena, type_int64, jam->tile->count[side][step], span),
                          ir_integer(arena, type_int64, 1, span), span);
    loop->for_.unroll = 1;
    ir_append(out, loop);
    return &loop->for_.body;
}

/* Each thread of the tile by itself. */
static void append_each(Jam *jam, IrRegion body, IrRegion *out, Span span)
{
    Arena *arena = jam->unit->arena;
    const Tile *tile = jam->tile;
    IrValue *at[3], *asked = NULL;
    IrVar *indices[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = jam->first[axis] ? ir_var(arena, jam->first[axis], span) : NULL;
    for (int i = STEP_BITS; i-- > 0;) {
        int side = i / STEPS, step = i % STEPS, axis = tile->axis[side];
        IrVar *counter;
        if (tile->count[side][step] == 1)
            continue;
        out = append_loop(jam, side, step, &counter, out, span);
        at[axis] = ir_binary(
            arena, OP_add, at[axis],
            tile_times(arena, ir_var(arena, counter, span), step == NEAR ? 1 : tile->gap[side]),
            span);
    }
    for (int axis = 0; axis < 3; axis++) {
        indices[axis] = jam->first[axis];
        if (!jam->threads[axis])
            continue;
        if (at[axis]->op != OP_var) {
            indices[axis] = ir_counter(arena, jam->unit->kernel,
                                       arena_printf(arena, "index_%c", "xyz"[axis]), span);
            ir_append(out, ir_set(arena, indices[axis], at[axis], span));
        }
        asked = ir_both(arena, asked,
                        ir_binary(arena, OP_lt, ir_var(arena, indices[axis], span),
                                  ir_var(arena, jam->threads[axis], span), span));
    }
    IrValue *index[3];
    for (int axis = 0; axis < 3; axis++)
        index[axis] = indices[axis] ? ir_var(arena, indices[axis], span) : NULL;
    IrStmt *branch = ir_if(arena, ir_both(arena, asked, shift_is_own(jam, index, span)), span);
    append_plain(jam, indices, body, &branch->if_.then);
    ir_append(out, branch);
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* Loops that are a thread's only now and then stay short in the text, but for innermost ones of any
** length, whose loads would wait for one another. */
static void keep_rolled(void *context, IrStmt *stmt)
{
    (void)context;
    if (stmt->kind != IR_FOR || stmt->for_.unroll)
        return;
    bool any = !ir_is_constant(stmt->for_.start) || !ir_is_constant(stmt->for_.stop);
    if (!any || ir_has_loop(&stmt->for_.body))
        stmt->for_.unroll = 1;
}

static bool append_jammed(Jam *jam, const Guarded *guarded, IrRegion body, IrRegion *out,
                          Span span);

/* Tiles that are whole, but not well inside, do the plain work jammed as well, where that has loops
** for which the grid would wait: each asks at its borders. False: it is of no use. */
static bool append_rim(Jam *jam, IrRegion body, IrRegion *out, Span span)
{
    IrUnit *unit = jam->unit;
    IrFunc *fn = unit->kernel;
    IrRegion now = fn->body, made = { NULL, NULL };
    fn->body = body;
    Guarded guarded = guard_find_loops(unit->arena, fn);
    IrAffine affine = ir_affine(unit, guarded.within);
    Tile tile = *jam->tile;
    tile.scalar[LANES] = tile.scalar[ACROSS] = true;
    Jam rim = jam_new(unit, &affine, &tile);
    for (int axis = 0; axis < 3; axis++) {
        rim.first[axis] = jam->first[axis];
        rim.group[axis] = jam->group[axis];
        rim.own[axis] = jam->own[axis];
        rim.threads[axis] = jam->threads[axis];
    }
    bool pays = rim_pays(&rim, &(IrRegion){ (IrStmt *)guarded.rest, NULL }) &&
                append_jammed(&rim, &guarded, body, &made, span);
    fn->body = now;
    if (!pays)
        return false;
    ir_each_stmt(&made.last->if_.then, keep_rolled, NULL);
    ir_append_region(out, made);
    return true;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The jammed kernel; the plain one is what `body` was. False if it is of no use. */
static bool append_jammed(Jam *jam, const Guarded *guarded, IrRegion body, IrRegion *out, Span span)
{
    append_sets(jam, guarded, out);
    IrValue *all = is_asked(jam, last_spot(jam->tile), span);
    if (jam->steadies)
        all = ir_both(jam->unit->arena, all, steady_asked(jam, jam->steadies));
    for (int i = 0; i < guarded->term_count; i++)
        all = holds_for_all(jam, guarded->terms[i], all);
    IrStmt *branch = ir_if(jam->unit->arena, all, span);
    jam_stmts(jam, guarded->rest, (TileCoord){ { { 0 } } }, 0, &branch->if_.then);
    if (jam->broken)
        return false;
    if (!jam->inside || !append_rim(jam, body, &branch->if_.otherwise, span))
        append_each(jam, body, &branch->if_.otherwise, span);
    ir_append(out, branch);
    return true;
}

static void set_shape(IrUnit *unit, const Tile *tile)
{
    IrShape *shape = &unit->shape;
    IrOptions *options = &unit->kernel->options;
    shape->changed = shape->free = true;
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = tile->launched[k];
        shape->block[k] = tile->block[k];
        shape->tile[k] = 1;
        for (int side = 0; side < SIDES; side++)
            if (tile->axis[side] == tile->launched[k])
                shape->tile[k] = (uint32_t)tile_along(tile, side);
    }
    options->launch_threads = (int)(tile->block[0] * tile->block[1] * tile->block[2]);
    options->launch_blocks = 0;
}

static void say(IrUnit *unit, const Jam *jam, Span span)
{
    const Tile *tile = jam->tile;
    tile_done(unit, tile, jam->wide);
    const char *wide = jam->wide[LANES] || jam->wide[ACROSS] ? ", in wide accesses" : "";
    char lanes = "xyz"[tile->axis[LANES]];
    if (tile->axis[LANES] != 0 || tile_size(tile) == 1)
        ir_remark(unit, span, "neighbouring threads go along %c of the grid, as memory does",
                  lanes);
    if (tile_size(tile) == 1)
        return;
    if (tile_along(tile, ACROSS) > 1)
        ir_remark(unit, span, "each thread does the work of %d x %d, along %c and %c of the grid%s",
                  tile_along(tile, LANES), tile_along(tile, ACROSS), lanes,
                  "xyz"[tile->axis[ACROSS]], wide);
    else
        ir_remark(unit, span, "each thread does the work of %d, along %c of the grid%s",
                  tile_along(tile, LANES), lanes, wide);
}

/* `body` is what a thread that is no part of a whole tile does. False if it is of no use. */
static bool rebuild(Jam *jam, const Steady *steady, const Guarded *guarded, IrRegion body)
{
    IrUnit *unit = jam->unit;
    const Tile *tile = jam->tile;
    IrFunc *fn = unit->kernel;
    IrRegion out = { NULL, NULL }, rest = { NULL, NULL };
    Span span = body.first->span;
    for (int axis = 0; axis < 3; axis++)
        jam->threads[axis] = ir_hidden(unit, HIDDEN_THREADS, axis);
    jam->loops = guard_has_loop(guarded);
    jam->steadies = steady;
    shift_note_ends(jam, body);
    for (int i = 0; i < steady->sure; i++)
        for (int side = 0; side < SIDES; side++)
            jam->steady[side] |= tile->axis[side] == steady->list[i].axis;
    first_new(jam, span);
    jam_note_rows(jam, guarded->rest);
    if (tile_size(tile) == 1)
        append_each(jam, body, &rest, span);
    else if (!append_jammed(jam, guarded, body, &rest, span))
        return false;
    first_set(jam, &out, span); /* where depends on what is wide */
    ir_append_region(&out, rest);
    fn->body = out;
    set_shape(unit, tile);
    return true;
}

/* Tiles for what the kernel's body is now, whose threads do `plain` where they are not whole. False
** if none pays, or where loops were split that are none along which a tile has neighbours. */
static bool coarsen_as(IrUnit *unit, IrRegion plain, const Slants *slants)
{
    Tile tile;
    Steady steady;
    Guarded guarded = guard_find_loops(unit->arena, unit->kernel);
    if (!guarded.rest || !steady_choose(unit, &guarded, &steady, &tile))
        return false;
    if (tile_size(&tile) == 1 && plain.first != unit->kernel->body.first)
        return false; /* what lies well inside is for tiles */
    if (slants && !slant_pays(slants, &tile))
        return false;
    for (int axis = 0; axis < 3; axis++) /* which makes variables new numbers */
        ir_hidden(unit, HIDDEN_THREADS, axis);
    IrAffine affine = steady_affine(unit, guarded.within, &steady);
    for (int side = 0; side < SIDES; side++)
        if (tile.axis[side] >= 0)
            affine.unit[tile.axis[side]] = tile.count[side][NEAR];
    Jam jam = jam_new(unit, &affine, &tile);
    jam.inside = plain.first != unit->kernel->body.first && !slants;
    if (!rebuild(&jam, &steady, &guarded, plain))
        return false;
    say(unit, &jam, plain.first->span);
    return true;
}

bool coarsen_jam(IrUnit *unit, int axis, int count)
{
    Tile tile = { .axis = { axis, -1 },
                  .count = { { count, 1 }, { 1, 1 } },
                  .gap = { count, 1 },
                  .scalar = { true, true } };
    const Steady none = { 0 };
    Guarded guarded = guard_find_loops(unit->arena, unit->kernel);
    if (!guarded.rest || count < 2)
        return false;
    tile_set_block(&tile, axis, 1, 1);
    for (int k = 0; k < 3; k++) /* which makes variables new numbers */
        ir_hidden(unit, HIDDEN_THREADS, k);
    IrAffine affine = ir_affine(unit, guarded.within);
    affine.unit[axis] = count;
    Jam jam = jam_new(unit, &affine, &tile);
    return rebuild(&jam, &none, &guarded, unit->kernel->body);
}

/* ---- loops by strides of the grid ------------------------------------------------------------ */

static const bool *set_in_front(IrUnit *unit, const IrRegion *body, const IrStmt *loop)
{
    bool *outside = arena_array(unit->arena, bool, unit->kernel->var_count + 1);
    for (const IrStmt *stmt = body->first; stmt != loop; stmt = stmt->next)
        outside[stmt->set.var->id] = true;
    return outside;
}

/* `for first in grid(0) * width to stop by gridsize(0) * width`, of the real grid; gives its body.
** What stood in front stays there. */
static IrRegion *append_strides(Jam *jam, const IrStmt *loop, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    Span span = loop->span;
    IrVar *stop = ir_temporary(arena, jam->unit->kernel, "stop", type_int64, span);
    int width = tile_along(jam->tile, LANES);
    jam->first[0] = ir_counter(arena, jam->unit->kernel, "first_x", span);
    jam->threads[0] = stop;
    ir_append(out, ir_set(arena, stop, loop->for_.stop, span));
    IrStmt *strides =
        ir_for(arena, jam->first[0], first_in_turn(jam, 0, LANES, span), ir_var(arena, stop, span),
               tile_times(arena, ir_axis(arena, INTR_gridsize, 0, span), width), span);
    ir_append(out, strides);
    return &strides->for_.body;
}

/* The iterations of `loop` are threads of their own for a while: i = grid(0). */
static IrRegion as_threads(IrUnit *unit, IrStmt *loop)
{
    Arena *arena = unit->arena;
    IrValue *index = ir_axis(arena, INTR_grid, 0, loop->span);
    IrRegion iterations = loop->for_.body;
    ir_insert_before(&iterations, iterations.first,
                     ir_set(arena, loop->for_.var, index, loop->span));
    return iterations;
}

/* Shares the iterations of a loop out anew, several to each. No index along another axis is asked
** for, so that blocks have one thread along it. False if that would not pay: all is as it was. */
static bool coarsen_strides(IrUnit *unit, IrStmt *loop)
{
    IrFunc *fn = unit->kernel;
    IrRegion before = fn->body, out = { NULL, NULL }, iterations;
    Tile tile;
    const bool *outside = set_in_front(unit, &before, loop);
    fn->body = iterations = as_threads(unit, loop);
    Guarded guarded = guard_find(unit->arena, fn);
    IrAffine affine = ir_affine(unit, guarded.within);
    bool pays = guarded.rest && tile_choose(unit, &affine, &guarded, true, &tile) &&
                tile.axis[LANES] == 0 && tile.block[1] == 1 && tile_along(&tile, ACROSS) == 1;
    if (pays) {
        Jam jam = jam_new(unit, &affine, &tile);
        affine.unit[0] = tile.count[LANES][NEAR];
        jam.outside = outside;
        IrRegion *body = append_strides(&jam, loop, &out);
        pays = append_jammed(&jam, &guarded, iterations, body, loop->span);
        if (pays) {
            ir_remove(&before, loop);
            ir_append_region(&before, out);
            fn->body = before;
            set_shape(unit, &tile);
            unit->shape.tile[0] = 1;
            unit->shape.least = LEAST_BLOCKS;
            say(unit, &jam, loop->span);
            return true;
        }
    }
    ir_remove(&iterations, iterations.first);
    fn->body = before;
    return false;
}

/* Says what prevents it, where it would have paid. */
static void say_why(IrUnit *unit, Span span, const char *why)
{
    IrLaunch *launch = unit->launch, before = *launch;
    Guarded guarded = guard_find(unit->arena, unit->kernel);
    IrAffine affine = ir_affine(unit, guarded.within);
    Tile tile;
    for (Primitive primitive = DO_LANES; primitive <= DO_JAM; primitive++)
        schedule_refuse_all(unit, primitive, span, why);
    if (!schedule_is_given(unit) && guarded.rest &&
        tile_choose(unit, &affine, &guarded, false, &tile) && tile_size(&tile) > 1)
        ir_remark(unit, span, "a thread stands for itself alone: %s", why);
    *launch = before; /* the code depends on none of that */
}

/* Tiles that have the kernel's copy for what lies well inside, if that is wanted. False if there
** are none. */
static bool coarsen_inside(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    IrRegion plain = fn->body, inside;
    int vars = fn->var_count, params = fn->param_count;
    Directive own = { DO_INSIDE, .site = fn, .span = fn->span };
    /* made though a given schedule has it not: indices are bounded by what it asks of the launch */
    if (!inside_copy(unit, &inside)) {
        schedule_refuse(unit, own, fn->span, "it has no borders, and no loops of few iterations");
        return false;
    }
    bool wanted = !schedule_is_given(unit) || schedule_has(unit, DO_INSIDE);
    fn->body = inside;
    if (wanted && coarsen_as(unit, plain, NULL)) {
        schedule_done(schedule_take(unit, own, true));
        return true;
    }
    fn->body = plain;
    inside_discard(unit, vars + fn->param_count - params);
    return false;
}

/* Tiles of a copy whose loops are split where neighbours come together. False if none pays. */
static bool coarsen_slanted(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    IrRegion plain = fn->body, copy;
    int vars = fn->var_count, params = fn->param_count;
    Slants slants;
    if ((schedule_is_given(unit) && !schedule_has(unit, DO_SPLIT)) ||
        !slant_copy(unit, &slants, &copy))
        return false;
    fn->body = copy;
    if (coarsen_as(unit, plain, &slants)) {
        slant_done(unit, &slants);
        return true;
    }
    fn->body = plain;
    inside_discard(unit, vars + fn->param_count - params);
    return false;
}

/* Tiles of threads that are on their own. */
static bool coarsen_free(IrUnit *unit)
{
    IrAffine affine = ir_affine(unit, NULL);
    IrStmt *strides = strides_find(unit, &affine, NULL, 0);
    return (strides && coarsen_strides(unit, strides)) || coarsen_inside(unit) ||
           coarsen_slanted(unit) || coarsen_as(unit, unit->kernel->body, NULL);
}

/* The same where blocks' indices get an axis of their own. */
static bool coarsen_apart(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    IrLaunch asked = *unit->launch;
    const IrShape shape = unit->shape;
    IrRegion before = { NULL, NULL };
    Span span;
    ir_clone_region(&(IrClone){ .arena = unit->arena }, &fn->body, &before);
    if (apart_put(unit) && !ir_dependent(unit, &span)) {
        Directive own = { DO_APART, .site = fn, .span = fn->span };
        Directive *directive =
            schedule_take(unit, own, !launch_large_grid(unit->launch, GRID_TALL));
        ir_range(unit);
        if (directive && coarsen_free(unit)) {
            schedule_done(directive);
            ir_remark(unit, fn->span, "blocks' indices go along an axis of the grid of their own");
            return true;
        }
    }
    fn->body = before;
    unit->shape = shape;
    *unit->launch = asked;
    ir_range(unit);
    return false;
}

void ir_coarsen(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Span span;
    ir_effects(unit);
    if (unit->shape.changed || !fn->body.first || ir_is_bound(&fn->options))
        return;
    if (!ir_shows_order(fn))
        ir_grid_indices(unit);
    guard_split(unit->arena, fn);
    ir_range(unit);
    const char *why = ir_dependent(unit, &span);
    if (!why)
        coarsen_free(unit);
    else if (unit->launch && (ir_shows_order(fn) || !coarsen_apart(unit)))
        say_why(unit, span, why);
}

/* For the processor: a kernel's threads as loops of its own, a tile of them at a time.
**
**     i = grid(0)                         first_x = grid(0) * 8
**     j = grid(1)                         end_x = min(first_x + 8, threads); ...
**     if and_then(lt(i, n), lt(j, m))     end_x = min(end_x, n); end_y = min(end_y, m)
**         sum = 0.0                       for x in first_x to end_x
**         for k in 0 to depth                 for y in first_y to end_y any order
**             sum = sum + a[i, k] * b[k, j]       sum_kept[...] = 0.0
**         c[i, j] = sum               for k in 0 to depth
**                                         for x in first_x to end_x
** becomes                                     for y in first_y to end_y any order
**                                                 sum_kept[...] = sum_kept[...] + a[x, k] * b[k, y]
**                                     for x ...: for y ...: c[x, y] = sum_kept[...]
**
** What makes C fast then happens by itself: the innermost loop goes along memory, has plain bounds
** and is a vector loop; rows are used again while they are near; a loop by the stride of the grid
** accesses what lies side by side.
**
** - Conditions that bound a thread's index become bounds of the loops.
** - Loops whose iterations are the same for all threads stand around the loops over them, as do
**   loops from grid(axis) by gridsize(axis). A variable that is carried on from one of the nests
**   that this makes to another is an element of an array, unless it is cheap to compute again.
** - The axis along which most accesses go by one element is the innermost, and the one that moves
**   them farthest the outermost. Blocks are launched in the same order, so that those that follow
**   each other access what lies side by side.
**
** Legal where threads are on their own (independent.c): each thread's statements keep their order,
** and those of different threads may be in any. What a thread adds up comes out bit for bit
** as it was.
** It pays wherever it can be done. How large a tile is says choose_sizes(). */
#include "ir/schedule/schedule.h"
#include "ir/schedule/tile/tiles.h"

/* ---- which axis ----------------------------------------------------------------------------- */

typedef struct Survey {
    Tiles *tiles;
    unsigned used;        /* axes that the kernel asks for: 1 << axis */
    int dense[3], far[3]; /* by axis: accesses that go by one element, and by more */
    int outer[3];         /* how many axes of arrays those lie outside of the dense one */
    int weight;
    size_t bytes; /* the largest element of an array */
} Survey;

bool tiles_go_by_stride(const Tiles *tiles, const IrValue *array, IrValue *const *indices, int axis)
{
    int dense = dense_axis(array->type);
    const IrValue *index = dense < 0 ? NULL : indices[dense];
    while (index && index->op == OP_cast)
        index = index->operands[0];
    if (!index || index->op != OP_var || tiles->vars[index->var->id] != TILE_VAR_AGAIN ||
        !sets_loop(&tiles->affine.sets, index->var) || tiles->stride_axes[index->var->id] != axis)
        return false;
    for (int i = 0; i < array->type->array.rank; i++)
        if (i != dense && affine_varies(&tiles->affine, indices[i], axis))
            return false;
    return true;
}

static void survey_access(Survey *s, const IrValue *array, IrValue *const *indices, int weight)
{
    size_t bytes = type_size(array->type->array.element);
    s->bytes = bytes > s->bytes ? bytes : s->bytes;
    int dense = dense_axis(array->type);
    for (int axis = 0; axis < 3; axis++) {
        bool varies = false;
        for (int i = 0; i < array->type->array.rank; i++) {
            if (!affine_varies(&s->tiles->affine, indices[i], axis))
                continue;
            varies = true;
            s->outer[axis] += dense < 0 ? 0 : weight * abs(i - dense);
        }
        if (varies && (moves_by_one(&s->tiles->affine, array, indices, axis) ||
                       tiles_go_by_stride(s->tiles, array, indices, axis)))
            s->dense[axis] += weight;
        else if (varies)
            s->far[axis] += weight;
    }
}

static void survey_node(void *context, IrValue *value)
{
    enum { LOADED = 2 };
    Survey *s = context;
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_grid || value->intrinsic == INTR_thread_idx))
        s->used |= 1u << value->index;
    if (value->op == OP_load)
        survey_access(s, value->operands[0], value->operands + 1, LOADED * s->weight);
}

static void survey_stmt(void *context, IrStmt *stmt)
{
    enum { STORED = 3 };
    Survey *s = context;
    ir_each_own_node(stmt, survey_node, s);
    if (stmt->kind == IR_STORE)
        survey_access(s, stmt->store.array, stmt->store.indices, STORED * s->weight);
}

static Survey survey(Tiles *tiles)
{
    enum { OFTEN = 8 };
    Survey s = { .tiles = tiles, .weight = 0 };
    ir_each_stmt(&tiles->unit->kernel->body, survey_stmt, &s); /* which axes there are */
    for (int i = 0; i < tiles->nest_count; i++) {
        s.weight = tiles->nests[i]->repeated ? OFTEN : 1;
        for (int k = 0; k < tiles->nests[i]->count; k++)
            ir_each_stmt_of(tiles->nests[i]->stmts[k], survey_stmt, &s);
    }
    return s;
}

static void choose_order(Tiles *tiles, const Survey *s, unsigned axes)
{
    tiles->axes = 0;
    for (int axis = 2; axis >= 0; axis--) {
        int at = tiles->axes, worth = s->dense[axis] - s->far[axis];
        if (!(axes >> axis & 1))
            continue;
        for (; at > 0; at--) {
            int before = tiles->order[at - 1];
            int other = s->dense[before] - s->far[before];
            if (other < worth || (other == worth && s->outer[before] >= s->outer[axis]))
                break;
            tiles->order[at] = before;
        }
        tiles->order[at] = axis;
        tiles->axes++;
    }
}

void tiles_choose_order(Tiles *tiles, unsigned axes)
{
    Survey s = survey(tiles);
    choose_order(tiles, &s, axes | s.used);
}

int tiles_launched(const Tiles *tiles, int axis)
{
    bool used[3] = { false };
    int at = tiles->axes;
    for (int i = 0; i < tiles->axes; i++) {
        int k = tiles->axes - 1 - i;
        if (tiles->order[i] == axis)
            return tiles->across && k < 2 ? 1 - k : k;
        used[tiles->order[i]] = true;
    }
    for (int before = 0; before < axis; before++)
        at += !used[before];
    return at;
}

/* ---- how large ------------------------------------------------------------------------------ */

int64_t tiles_kept_bytes(const Tiles *tiles)
{
    const IrFunc *fn = tiles->unit->kernel;
    int64_t bytes = 0;
    for (int i = 0; i < fn->var_count; i++)
        if (tiles->vars[i] == TILE_VAR_KEPT)
            bytes += (int64_t)type_size(fn->vars[i]->type);
    return bytes;
}

/* All that is kept lies on the stack. */
static void fit_kept(Tiles *tiles)
{
    int64_t bytes = tiles_kept_bytes(tiles), *along = tiles->along;
    while (bytes * along[0] * along[1] * along[2] > STACK_MOST) {
        int64_t *most = along[0] > along[1] ? &along[0] : &along[1];
        most = along[2] > *most ? &along[2] : most;
        if (*most == 1)
            return;
        *most /= 2;
    }
}

static bool has_stride(const TilePart *part)
{
    for (; part; part = part->next)
        if (part->kind == TILE_STRIDE || has_stride(part->then) || has_stride(part->otherwise))
            return true;
    return false;
}

/* Where a thread goes through much by the stride of a small grid, long tiles would leave most of
** the processor without work. */
static int64_t line_of(const Tiles *tiles)
{
    bool few = !tiles->shared && has_stride(tiles->plan) &&
               !launch_large_grid(tiles->unit->launch, GRID_TILES);
    return few ? GRID_SHORT : GRID_LONG;
}

/* Tiles are large enough that starting one costs nothing, and small enough that what it keeps stays
** in the nearest cache, and that there are enough of them. Where lanes go far, they are as few as a
** vector has: each has a line of the cache to itself. Where memory lies along another axis as well,
** as in transposes, tiles reach some lines along that one, too, and follow each other along it, as
** what is read then lies side by side; longer ones along the lanes would lie in few sets of the
** cache. */
static void choose_sizes(Tiles *tiles, const Survey *s)
{
    enum { ROW_BYTES = 32768, ROWS = 8, PLANES = 4, KEPT_ROW = 1024, KEPT_ROWS = 4 };
    enum { HEAVY = 256, HEAVY_ROWS = 8, VECTOR = 16, STAGED = 32 };
    enum { LINE_BYTES = 64, WIDE = 8, SIDE = 64, SIDE_WIDE = 128 };
    int lanes = tiles->order[tiles->axes - 1];
    int second = tiles->axes > 1 ? tiles->order[tiles->axes - 2] : -1;
    int third = tiles->axes > 2 ? tiles->order[0] : -1;
    tiles->along[0] = tiles->along[1] = tiles->along[2] = 1;
    if (tiles->heavy && tiles_stage_any(tiles)) {
        tiles->along[lanes] = tiles->along[second] = STAGED;
    } else if (tiles->heavy || tiles->inside) {
        tiles->along[lanes] = s->far[lanes] ? VECTOR : HEAVY;
        if (second >= 0)
            tiles->along[second] = HEAVY_ROWS;
    } else if (second >= 0 && s->dense[second]) {
        bool wide = s->bytes >= WIDE;
        tiles->across = true;
        tiles->along[lanes] = wide ? SIDE_WIDE : SIDE;
        tiles->along[second] = 2 * LINE_BYTES / (wide ? WIDE : 4);
    } else {
        bool keeps = tiles_kept_bytes(tiles) > 0;
        int64_t row = ROW_BYTES / (int64_t)(s->bytes ? s->bytes : WIDE);
        tiles->along[lanes] = second < 0 ? line_of(tiles) : keeps ? KEPT_ROW : row;
        if (second >= 0)
            tiles->along[second] = keeps ? KEPT_ROWS : ROWS;
        if (third >= 0 && !keeps)
            tiles->along[third] = PLANES;
    }
}

/* Whether the kernel is a loop by the stride of the grid whose iterations any number of threads may
** share, so that each tile takes one: a small grid would leave all but a few of the processor's
** threads without work, and go through memory by leaps. Does the iteration have loops? */
static bool find_iterations(IrUnit *unit, const Survey *s, IrShape *shape, bool *loops)
{
    IrAffine affine = ir_affine(unit, NULL);
    const IrStmt *loop = s->used == 1 ? strides_find(unit, &affine, NULL, 0) : NULL;
    if (!loop || !strides_count(&affine, loop, shape))
        return false;
    *loops = ir_has_loop(&loop->for_.body);
    return true;
}

static void set_shape(Tiles *tiles, bool loops)
{
    enum { LIGHT = 32768 }; /* threads of few statements: some microseconds */
    IrShape *shape = &tiles->unit->shape;
    int64_t size = tiles->along[0] * tiles->along[1] * tiles->along[2];
    shape->changed = shape->free = true;
    shape->light = loops || size >= LIGHT ? 1 : (uint32_t)(LIGHT / size);
    for (int axis = 0; axis < 3; axis++) {
        int k = tiles_launched(tiles, axis);
        shape->axis[k] = (uint8_t)axis;
        shape->block[k] = 1;
        shape->tile[k] = (uint32_t)tiles->along[axis];
    }
}

/* What the schedule has; NULL: nothing. */
static Directive *take(Tiles *tiles)
{
    enum { MOST = 1 << 24 };
    Directive own = { DO_LOOPS, .axis_count = tiles->axes };
    unsigned axes = 0;
    for (int i = 0; i < tiles->axes; i++) {
        own.axes[i] = (uint8_t)tiles->order[i];
        own.numbers[i] = tiles->along[tiles->order[i]];
        axes |= 1u << tiles->order[i];
    }
    Directive *given = schedule_take(tiles->unit, own, true);
    if (!given || !schedule_is_given(tiles->unit))
        return given;
    int64_t size = 1, kept = tiles_kept_bytes(tiles);
    for (int i = 0; i < given->axis_count; i++) {
        int64_t along = given->numbers[i] ? given->numbers[i] : 1;
        size = along > MOST || size > MOST ? MOST + 1 : size * along;
        axes &= ~(1u << given->axes[i]);
        tiles->order[i] = given->axes[i];
        tiles->along[given->axes[i]] = along;
    }
    const char *why = given->axis_count != tiles->axes || axes
                          ? "it names other axes than the kernel has"
                      : size > MOST || size * kept > STACK_MOST ? "tiles would be too large"
                                                                : NULL;
    if (why)
        schedule_refuse(tiles->unit, own, (Span){ 0 }, why);
    return why ? NULL : given;
}

/* ---- the pass ------------------------------------------------------------------------------- */

static void say(const Tiles *tiles, Span span)
{
    int lanes = tiles->order[tiles->axes - 1];
    ir_remark(tiles->unit, span, "threads are loops, the innermost along %c of the grid%s",
              "xyz"[lanes], tiles -> heavy ? ", inside of the kernel's own" : "");
}

/* The kernel's statements, with what is known of a block of that size: loops in which it meets are
** laid out, lanes that meet do so in shared memory; else gives the reason. */
static const char *lay_block(IrUnit *unit, IrRegion *body, uint32_t block[3], Span *where)
{
    if (launch_block(unit->launch, block))
        tiles_inside(unit, block);
    if (unit->kernel->effects & EFFECT_WARP_SYNC)
        return tiles_lay_warps(unit, body, block, where);
    *body = unit->kernel->body;
    if (launch_block(unit->launch, block))
        ir_unroll_meetings(unit, &unit->kernel->body, block, body);
    return NULL;
}

/* The kernel stays as it was if its block does not become loops. */
static void tile_block(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    const IrRegion before = fn->body;
    IrRegion body = { NULL, NULL };
    bool warps = fn->effects & EFFECT_WARP_SYNC;
    int count = fn->var_count;
    uint32_t block[3];
    Span where;
    const char *why = lay_block(unit, &body, block, &where);
    if (why) {
        ir_remark(unit, where, "threads of a block are not loops along memory: %s", why);
    } else {
        fn->body = body;
        tiles_join_conditions(unit);
        ir_effects(unit);
        ir_dce(unit);
        ir_range(unit);
        tiles_of_block(unit, warps ? block : NULL);
    }
    if (unit->shape.whole)
        return;
    fn->body = before;
    fn->var_count = count;
    ir_effects(unit);
}

void ir_tiles(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Tiles tiles = { .unit = unit };
    IrVar *threads[3] = { NULL, NULL, NULL };
    Span span;

    if (!unit->processor || unit->shape.changed || !fn->body.first)
        return;
    ir_effects(unit);
    if (fn->effects & (EFFECT_GRID_SYNC | EFFECT_FENCE | EFFECT_IO | EFFECT_STOP) ||
        ir_has_kind(fn, VAR_PRIVATE))
        return;
    ir_grid_indices(unit);
    tiles_join_conditions(unit);
    tiles_ask_in_windows(unit);
    ir_range(unit);
    if (fn->effects & EFFECT_WARP_SYNC || ir_dependent(unit, &span)) {
        tile_block(unit);
        return;
    }
    if (!tiles_plan(&tiles)) {
        schedule_refuse_all(unit, DO_LOOPS, tiles.where, tiles.why);
        ir_remark(unit, tiles.where, "threads are not loops along memory: %s", tiles.why);
        return;
    }
    Survey s = survey(&tiles);
    choose_order(&tiles, &s, s.used);
    if (!tiles.axes)
        return;
    IrShape shape = unit->shape;
    bool loops = ir_has_loop(&fn->body);
    tiles.shared = find_iterations(unit, &s, &shape, &loops);
    if ((tiles.heavy || tiles.inside) && tiles_jam_rows(&tiles))
        return;
    choose_sizes(&tiles, &s);
    fit_kept(&tiles);
    Directive *directive = take(&tiles);
    if (!directive)
        return;
    for (int axis = 0; axis < 3; axis++) /* which makes variables new numbers */
        threads[axis] = ir_hidden(unit, HIDDEN_THREADS, axis);
    if (!tiles_plan(&tiles))
        return;
    span = fn->body.first->span;
    fn->body = tiles_make(&tiles, threads);
    unit->shape = shape;
    set_shape(&tiles, loops);
    schedule_done(directive);
    say(&tiles, span);
    if (tiles.shared)
        ir_remark(unit, span, "as many threads as there are iterations: the grid does not show");
}

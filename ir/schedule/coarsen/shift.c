/* Tiles at the end of what a kernel works on move back until they are whole.
**
**     first_x = block_idx(0) * 128 + thread_idx(0) * 4
** becomes, with two of four neighbours 64 apart in a tile,
**     _block = min(block_idx(0) * 128, threads)
**     _begin = _block < end ? min(_block, max(end - 128, 0)) : _block
**     first_x = _begin + thread_idx(0) * 4
** and with loops where there may be less than a block is wide,
**     _most = max(end - _begin - 4, 0)
**     from_x = _begin + min(thread_idx(0) * 4, _most)
**     from_x.2 = _begin + min(thread_idx(0) * 4 + 64, _most)
**
** where no thread at `end` or beyond does anything: because it was not asked for, or because a
** condition around the whole kernel says so, as it is written: what stands around a copy for
** threads well inside (inside.c) holds no thread back from the rest. Blocks that lie beyond stay
** there; first_x is where the threads of a tile begin that is not whole all the same, as there are
** fewer than four. Without this, the thread of a tile that is not whole does the work of its
** threads one after the other, and where that is a loop, the grid waits for its edges.
**
** Legal where doing a thread's work twice leaves what doing it once does: it writes no array that
** it reads, nor any that overlaps another argument, and nothing atomically. Both then write the
** same; but not where ranks share the launch, of which each has what its own threads read.
**
** Where it writes an array that it reads, as in c[i, j] += ..., what a block does again it does not
** store: stores ask whether the index is at or behind `_block`, which then is `own_x`. What such a
** thread computes may be anything, as it reads what another block may have stored by then: so no
** index, bound, condition or divisor is made of it, and no loop may wait for it; and the grid has
** to be as wide as a block.
**
** Pays for tiles along two axes: the others' edges are short; where stores have to ask, for loops.
** That grids are wider than a block along each axis is asked of the launch, which is cheaper than
** to have each thread move back. */
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

/* Whether work that is done twice shows, where arrays that are written are `accessed` like that at
** most. */
static bool may_repeat(const IrUnit *unit, int accessed)
{
    const IrFunc *fn = unit->kernel;
    if (launch_in_parts(unit->launch))
        return false;
    for (int i = 0; i < fn->param_count; i++) {
        int access = fn->access[i];
        if (ir_writes(fn, i) && (access & ~accessed || !launch_alone(unit->launch, i)))
            return false;
    }
    return true;
}

typedef struct Steering {
    const IrFunc *fn;
    bool *vars; /* by IrVar.id: that what steers is made of */
    bool changed, found;
} Steering;

static bool is_written(const IrFunc *fn, const IrValue *array)
{
    int param = ir_array_param(array);
    return param < 0 ? array->op != OP_var || array->var->kind != VAR_CONSTANT
                     : ir_writes(fn, param);
}

static void note_steering(void *context, IrValue *value)
{
    Steering *s = context;
    s->found |=
        value->op == OP_call || (value->op == OP_load && is_written(s->fn, value->operands[0]));
    if (value->op == OP_var) {
        s->changed |= !s->vars[value->var->id];
        s->vars[value->var->id] = true;
    }
}

/* The operands that say where a thread goes on or what it accesses. */
static void find_steering(void *context, IrValue *value)
{
    bool divides = value->op == OP_floordiv || value->op == OP_mod;
    bool either = value->op == OP_select || value->op == OP_and_then || value->op == OP_or_else;
    bool accesses = value->op == OP_load || value->op == OP_view || value->op == OP_call;
    for (int i = 0; i < value->count; i++)
        if (accesses || (either && i == 0) || (divides && i == 1))
            ir_each_node(value->operands[i], note_steering, context);
}

static void find_steering_of(void *context, IrStmt *stmt)
{
    Steering *s = context;
    bool all = stmt->kind == IR_IF || stmt->kind == IR_FOR ||
               (stmt->kind == IR_SET && s->vars[stmt->set.var->id]);
    for_each_value (value, stmt) {
        ir_each_node(value, find_steering, s);
        if (all)
            ir_each_node(value, note_steering, s);
    }
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        ir_each_node(stmt->store.indices[i], note_steering, s);
}

/* Whether something that the kernel writes says what it accesses, or where it goes on. */
static bool is_steered(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    Steering s = { fn, arena_array(unit->arena, bool, fn->var_count + 1), true, false };
    while (s.changed && !s.found) {
        s.changed = false;
        ir_each_stmt((IrRegion *)&fn->body, find_steering_of, &s);
    }
    return s.found;
}

static IrValue *choose(Arena *arena, IrIntrinsic which, IrValue *a, IrValue *b)
{
    return ir_intrinsic(arena, which, type_int64, a->span, a, b, NULL);
}

/* Whether tiles along the axis are those of two axes. */
static bool is_square(const Jam *jam, int axis)
{
    return jam->threads[axis] && tile_along(jam->tile, ACROSS) > 1 &&
           tile_along(jam->tile, LANES) > 1;
}

bool shift_owns(const Jam *jam, int axis)
{
    const IrUnit *unit = jam->unit;
    return is_square(jam, axis) && jam->loops && !may_repeat(unit, ACCESS_WRITE) &&
           may_repeat(unit, ACCESS_WRITE | ACCESS_READ) &&
           !ir_region_has(&unit->kernel->body, 1 << IR_WHILE) && !is_steered(unit) &&
           launch_large_grid(unit->launch, GRID_BROAD);
}

bool shift_may(const Jam *jam, int axis)
{
    return is_square(jam, axis) && (may_repeat(jam->unit, ACCESS_WRITE) || shift_owns(jam, axis));
}

bool shift_threads(const Jam *jam, int axis)
{
    return jam->loops && is_square(jam, axis) && may_repeat(jam->unit, ACCESS_WRITE) &&
           !launch_large_grid(jam->unit->launch, GRID_BROAD);
}

IrValue *shift_is_own(const Jam *jam, IrValue *const indices[3], Span span)
{
    Arena *arena = jam->unit->arena;
    IrValue *all = NULL;
    for (int axis = 0; axis < 3; axis++)
        if (jam->own[axis])
            all = ir_both(
                arena, all,
                ir_binary(arena, OP_ge, indices[axis], ir_var(arena, jam->own[axis], span), span));
    return all;
}

void shift_note_ends(Jam *jam, IrRegion body)
{
    IrFunc *fn = jam->unit->kernel;
    Arena *arena = jam->unit->arena;
    IrRegion now = fn->body;
    fn->body = body;
    Guarded guarded = guard_find(arena, fn);
    IrAffine affine = ir_affine(jam->unit, guarded.within);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < guarded.term_count; i++) {
            IrValue *end = guard_end(arena, &affine, guarded.terms[i], axis),
                    *before = jam->end[axis];
            if (end)
                jam->end[axis] = before ? choose(arena, INTR_min, before, end) : end;
        }
    fn->body = now;
}

/* From which index on along an axis no thread does anything. */
static IrValue *end_along(const Jam *jam, int axis, Span span)
{
    IrValue *threads = ir_var(jam->unit->arena, jam->threads[axis], span);
    return jam->end[axis] ? choose(jam->unit->arena, INTR_min, threads, jam->end[axis]) : threads;
}

/* max(value, 0), and up to a multiple. */
static IrValue *at_least_none(const IrBuilder *b, IrValue *value, int64_t multiple)
{
    value = choose(b->arena, INTR_max, value, build_int(b, 0));
    return multiple == 1 ? value
                         : build_op(b, OP_and, build_plus(b, value, multiple - 1), -multiple);
}

/* Where a block begins that would begin at `block`. */
static IrVar *shift_block(const IrBuilder *b, const IrVar *block, const IrVar *end,
                          const Shift *shift, IrRegion *out)
{
    IrValue *last = at_least_none(b, build_op(b, OP_sub, end, shift->width), shift->multiple);
    IrValue *within = build_op(b, OP_lt, block, end);
    IrValue *moved = choose(b->arena, INTR_min, build_var(b, block), last);
    return build_let(b, "_begin", ir_select(b->arena, within, moved, build_var(b, block), b->span),
                     out);
}

/* Where a block begins: along x no further than there are threads, so that 32 bits do. */
static IrValue *block_begin(const Jam *jam, const IrBuilder *b, const Shift *shift)
{
    IrValue *index = ir_axis(b->arena, INTR_block_idx, shift->launched, b->span);
    IrValue *begin = build_times(b, build_cast(b, type_int64, index), shift->width);
    IrValue *threads = ir_never_negative(build_var(b, jam->threads[shift->axis]));
    return shift->launched ? begin : choose(b->arena, INTR_min, begin, threads);
}

IrValue *shift_tiles(Jam *jam, const Shift *shift, Span span, IrRegion *out)
{
    IrBuilder b[1] = { { jam->unit->arena, jam->unit->kernel, span } };
    IrVar *block = build_let(b, "_block", block_begin(jam, b, shift), out);
    IrVar *end = build_temporary(b, "_end", type_int64);
    build_set(b, end, end_along(jam, shift->axis, span), out);
    IrVar *begin = shift_block(b, block, end, shift, out);
    if (jam->own[shift->axis])
        build_set(b, jam->own[shift->axis], block, out);
    IrValue *first = build_op(b, OP_add, begin,
                              build_times(b, build_thread_index(b, shift->launched), shift->near));
    if (!jam->group[shift->axis])
        return first;
    IrValue *room = build_op(b, OP_sub, end, begin);
    IrVar *most = build_let(
        b, "_most", at_least_none(b, build_op(b, OP_sub, room, shift->near), shift->multiple), out);
    for (int i = 0; i < shift->apart; i++) {
        IrValue *thread = build_times(b, build_thread_index(b, shift->launched), shift->near);
        IrValue *along =
            choose(b->arena, INTR_min, build_plus(b, thread, i * shift->gap), build_var(b, most));
        build_set(b, jam->group[shift->axis][i], build_op(b, OP_add, begin, along), out);
    }
    return first;
}

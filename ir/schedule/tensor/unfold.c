/* Gives a kernel the axes of the grid that products of matrices need, where each thread computes
** several sums in loops, or where one axis counts all sums:
**
**     for i in grid(0) to n by gridsize(0)        i = grid(0)
**         for j in 0 to m by 1             ->     if i < n
**             ...                                     j = grid(1)
**                                                     if j < m
**                                                         ...
**
**     t = grid(0)                                 t = grid(1) * m + grid(0)
**     i = t / m, j = t % m                 ->     i = grid(1), j = grid(0)
**     if t < n * m                                if t < n * m
**
** or both, an index that goes by the stride of the grid and is then divided:
**
**     for t in grid(0) to n * m by gridsize(0)    t = grid(1) * m + grid(0)
**         i = t / m, j = t % m             ->     if t < n * m
**         ...                                         ...
**
** The grid that is launched is then not the one that was asked for: its blocks share the tiles of
** these axes (make_axes.c). The kernel stays as it was if no product is found with these axes.
**
** Legal for loops around all that a kernel does if
** - they count by ones from 0, or by the stride of the grid from the thread's index, which is then
**   read nowhere else, to an end that is computed from arguments, and are not left earlier;
** - no variable is carried from iteration to iteration;
** - one array is stored to, which overlaps no other, and each iteration accesses elements of its
**   own: each counter, plus the same constant everywhere, is one of its indices, or all that one
**   was divided into are;
** - there are no atomics.
** Legal for an index that is divided if the divisors are computed from arguments, and positive:
** what is computed is just what the threads that were asked for compute, in the last row, too. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/tensor/tensor.h"

enum { LOOPS_MOST = 3 };

typedef struct Unfold {
    IrUnit *unit;
    IrAffine affine;
    Axes *axes;
    IrStmt *loop[LOOPS_MOST];
    IrRegion *region[LOOPS_MOST]; /* in which each stands */
    int count;
    bool strides[3]; /* axes along which loops go by the stride of the grid */
    bool used[3];    /* axes that the kernel asks for */
    bool bad;
    /* of the array that is stored to: along which of its axes a loop counts, or the index along an
    ** axis of the grid that it was divided into, and from where */
    const IrVar *stored;
    int counters;
    bool divided;
    int own[LOOPS_MOST];
    int64_t offset[LOOPS_MOST];
} Unfold;

static bool is_grid(const IrValue *value, IrIntrinsic intrinsic, int axis)
{
    return value->op == OP_intrinsic && value->intrinsic == intrinsic && value->index == axis;
}

static bool is_harmless_set(const IrStmt *stmt)
{
    return stmt->kind == IR_SET && ir_stmt_effects(stmt) == EFFECT_NONE;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Notes the loops around all that a region does, the outermost first. In front of them are only
** sets without effects, each the only one of its variable. */
static void find_loops(Unfold *u, IrRegion *region)
{
    while (region && region->last && !u->bad) {
        IrStmt *last = region->last;
        bool loop = last->kind == IR_FOR && ir_region_has(&last->for_.body, 1 << IR_STORE);
        if (!loop && last->kind != IR_IF)
            return;
        for (const IrStmt *stmt = region->first; stmt != last; stmt = stmt->next)
            u->bad |= !is_harmless_set(stmt) || !sets_value(&u->affine.sets, stmt->set.var);
        u->bad |= loop && u->count == LOOPS_MOST;
        if (loop && !u->bad) {
            u->region[u->count] = region;
            u->loop[u->count++] = last;
        }
        region = loop ? &last->for_.body : ir_only_way(last);
    }
}

static void note_axes(void *context, IrValue *value)
{
    Unfold *u = context;
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize))
        u->used[value->index] = true;
}

static int free_axis(const Unfold *u)
{
    for (int axis = 0; axis < 3; axis++)
        if (!u->used[axis])
            return axis;
    return -1;
}

/* The axis that a loop becomes; -1: none. */
static int axis_for(Unfold *u, const IrStmt *loop)
{
    const IrSets *sets = &u->affine.sets;
    int axis = ir_stride_axis(sets, loop);
    if (loop->for_.var->type != type_int64 || sets_loop(sets, loop->for_.var) != loop ||
        flow_ways_out(&loop->for_.body))
        return -1;
    if (axis >= 0) {
        bool again = u->strides[axis];
        u->strides[axis] = true;
        return again ? -1 : axis;
    }
    return ir_is_integer(loop->for_.start, 0) && ir_is_integer(loop->for_.step, 1) ? free_axis(u)
                                                                                   : -1;
}

/* Whether a value is computed from the index along an axis of a grid-stride loop. */
static bool asks_for_stride(const Unfold *u, const IrValue *value)
{
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_grid || value->intrinsic == INTR_gridsize))
        return u->strides[value->index];
    const IrValue *set = value->op == OP_var ? sets_value(&u->affine.sets, value->var) : NULL;
    if (set && asks_for_stride(u, set))
        return true;
    for (int i = 0; i < value->count; i++)
        if (asks_for_stride(u, value->operands[i]))
            return true;
    return false;
}

/* ---- what iterations access ------------------------------------------------------------------ */

static bool is_counter(const Unfold *u, int i, const IrValue *value)
{
    if (!u->divided)
        return ir_is_var(value, u->loop[i]->for_.var);
    value = sets_behind_casts(&u->affine.sets, value);
    return is_grid(value, INTR_grid, i) || ir_same_value(value, u->axes->index);
}

/* The index that is a counter plus a constant; -1: none is. */
static int own_index(const Unfold *u, int counter, IrValue *const *indices, int count,
                     int64_t *offset)
{
    for (int i = 0; i < count; i++) {
        const IrValue *rest = affine_split(&u->affine.sets, indices[i], offset);
        if (rest && is_counter(u, counter, rest) && *offset >= 0)
            return i;
    }
    return -1;
}

/* Checks an access of the array that is stored to: each iteration has to access one element. */
static void check_own(Unfold *u, const IrVar *array, IrValue *const *indices, int count)
{
    bool first = !u->stored;
    u->bad |= !first && array != u->stored;
    u->stored = array;
    for (int i = 0; i < u->counters && !u->bad; i++) {
        int64_t offset = 0;
        int own = own_index(u, i, indices, count, &offset);
        u->bad |= own < 0 || (!first && (own != u->own[i] || offset != u->offset[i]));
        u->own[i] = own;
        u->offset[i] = offset;
    }
}

static void check_stored(void *context, IrStmt *stmt)
{
    Unfold *u = context;
    u->bad |= stmt->kind == IR_EVAL || stmt->kind == IR_WHILE;
    if (stmt->kind != IR_STORE)
        return;
    const IrValue *array = stmt->store.array;
    int param = ir_array_param(array);
    if (param < 0 || dense_axis(array->type) < 0 || !launch_alone(u->unit->launch, param)) {
        u->bad = true;
        return;
    }
    check_own(u, array->var, stmt->store.indices, stmt->store.count);
}

static void check_node(void *context, IrValue *value)
{
    Unfold *u = context;
    bool load = value->op == OP_load;
    u->bad |= value->op == OP_call || ir_is_atomic(value);
    for (int i = 0; i < value->count; i++) {
        const IrValue *operand = value->operands[i];
        if (!ir_is_var(operand, u->stored) || value->op == OP_extent)
            continue;
        if (load && i == 0)
            check_own(u, operand->var, value->operands + 1, value->count - 1);
        else
            u->bad = true;
    }
}

static void check_stride_node(void *context, IrValue *value)
{
    Unfold *u = context;
    if (value->op == OP_intrinsic || value->op == OP_var)
        u->bad |= asks_for_stride(u, value);
}

/* Checks what a region stores. */
static void check_accesses(Unfold *u, const IrRegion *region, int counters)
{
    u->counters = counters;
    ir_each_stmt(region, check_stored, u);
    ir_each_node_in(region, check_node, u);
    u->bad |= !u->stored;
}

/* Checks that the innermost loop's body does not ask for strides, nor conditions around loops. */
static void check_strides(Unfold *u)
{
    const IrRegion *body = &u->loop[u->count - 1]->for_.body;
    ir_each_node_in(body, check_stride_node, u);
    for (IrRegion *at = &u->unit->kernel->body; at && at != body;) {
        IrStmt *last = at->last;
        if (last->kind == IR_IF)
            ir_each_node(last->if_.condition, check_stride_node, u);
        at = last->kind == IR_IF ? ir_only_way(last) : &last->for_.body;
    }
}

/* ---- loops as axes --------------------------------------------------------------------------- */

/* Replaces a loop by a branch for the threads whose index is an iteration. All threads set the
** counter at the kernel's beginning: so it varies along one axis alone. */
static void make_axis(Unfold *u, int i, int axis)
{
    Arena *arena = u->unit->arena;
    IrStmt *loop = u->loop[i];
    Span span = loop->span;
    IrValue *index = ir_axis(arena, INTR_grid, axis, span);
    IrValue *counter = ir_var(arena, loop->for_.var, span);
    IrStmt *branch = ir_if(arena, ir_binary(arena, OP_lt, counter, loop->for_.stop, span), span);
    branch->if_.then = loop->for_.body;
    IrRegion *body = &u->unit->kernel->body;
    ir_insert_before(u->region[i], loop, branch);
    ir_remove(u->region[i], loop);
    ir_insert_before(body, body->first, ir_set(arena, loop->for_.var, index, span));
}

static bool unfold_loops(Unfold *u)
{
    int axis[LOOPS_MOST];
    find_loops(u, &u->unit->kernel->body);
    if (u->bad || !u->count)
        return false;
    for (int i = 0; i < u->count; i++) {
        const IrStmt *loop = u->loop[i];
        axis[i] = axis_for(u, loop);
        IrValue *stop = guard_in_arguments(u->unit->arena, &u->affine, loop->for_.stop);
        if (axis[i] < 0 || !stop)
            return false;
        u->used[axis[i]] = true;
        u->axes->count[axis[i]] = stop;
    }
    check_accesses(u, &u->loop[u->count - 1]->for_.body, u->count);
    check_strides(u);
    if (u->bad)
        return false;
    for (int i = u->count; i-- > 0;)
        make_axis(u, i, axis[i]);
    return true;
}

/* ---- one index as several -------------------------------------------------------------------- */

static bool is_positive(const Unfold *u, const IrValue *value)
{
    value = sets_behind_casts(&u->affine.sets, value);
    if (value->op == OP_var && value->var->kind == VAR_PARAM)
        return launch_positive_scalar(u->unit->launch, value->var->param);
    return ir_is_constant(value) ? value->constant.integer > 0 : ir_nonnegative(value);
}

/* How many times a value is the index along x divided, each time by the divisor of that level; 0:
** it is that index. -1: it is another value. */
static int level_of(const Unfold *u, const IrValue *value)
{
    value = sets_behind_casts(&u->affine.sets, value);
    if (is_grid(value, INTR_grid, 0))
        return 0;
    int level = value->op == OP_floordiv ? level_of(u, value->operands[0]) : -1;
    const IrValue *by = level >= 0 && level < 2 ? u->axes->count[level] : NULL;
    IrValue *own = by ? guard_in_arguments(u->unit->arena, &u->affine, value->operands[1]) : NULL;
    return own && ir_same_value(own, by) ? level + 1 : -1;
}

/* Notes the divisor of a level, if a value is a quotient or remainder of that level's index. */
static void find_divisor(void *context, IrValue *value)
{
    Unfold *u = context;
    int level = u->count;
    if ((value->op != OP_floordiv && value->op != OP_mod) || level == 2 || u->axes->count[level] ||
        level_of(u, value->operands[0]) != level || !is_positive(u, value->operands[1]))
        return;
    u->axes->count[level] = guard_in_arguments(u->unit->arena, &u->affine, value->operands[1]);
}

/* The index of a level, computed from those of the axes. */
static IrValue *index_of(const Unfold *u, int level, Span span)
{
    Arena *arena = u->unit->arena;
    IrValue *own = ir_axis(arena, INTR_grid, level, span);
    if (level == u->count)
        return own;
    IrValue *number = ir_copy_value(arena, u->axes->count[level]);
    IrValue *above = ir_binary(arena, OP_mul, index_of(u, level + 1, span), number, span);
    return ir_binary(arena, OP_add, above, own, span);
}

/* Whether a value is the remainder of an index: `t % m`, or `t - t / m * m`. */
static int remainder_of(const Unfold *u, const IrValue *value)
{
    if (value->op != OP_mod && value->op != OP_sub)
        return -1;
    int level = level_of(u, value->operands[0]);
    if (level < 0 || level >= u->count)
        return -1;
    const IrValue *by = sets_behind_casts(&u->affine.sets, value->operands[1]);
    if (value->op == OP_sub) {
        if (by->op != OP_mul || level_of(u, by->operands[0]) != level + 1)
            return -1;
        by = by->operands[1];
    }
    IrValue *own = guard_in_arguments(u->unit->arena, &u->affine, by);
    return own && ir_same_value(own, u->axes->count[level]) ? level : -1;
}

static IrValue *taken_apart(const IrClone *clone, const IrValue *value)
{
    const Unfold *u = clone->context;
    if (!type_is_integer(value->type) || value->op == OP_var || value->op == OP_cast)
        return NULL;
    int rest = remainder_of(u, value), level = rest < 0 ? level_of(u, value) : -1;
    if (rest < 0 && level < 0)
        return NULL;
    IrValue *index = rest >= 0 ? ir_axis(u->unit->arena, INTR_grid, rest, value->span)
                               : index_of(u, level, value->span);
    return ir_cast(u->unit->arena, value->type, index, value->span);
}

static bool is_other(const IrValue *value)
{
    return value->op == OP_intrinsic &&
           (value->intrinsic == INTR_gridsize || (value->intrinsic == INTR_grid && value->index));
}

static bool unfold_index(Unfold *u)
{
    IrFunc *fn = u->unit->kernel;
    bool other = ir_region_has_node(&fn->body, is_other);
    for (u->count = 0; u->count < 2 && !other; u->count++) {
        ir_each_node_in(&fn->body, find_divisor, u);
        if (!u->axes->count[u->count])
            break;
    }
    if (other || !u->count)
        return false;
    IrClone clone = { .arena = u->unit->arena, .value = taken_apart, .context = u };
    IrRegion body = { NULL, NULL };
    ir_clone_region(&clone, &fn->body, &body);
    fn->body = body;
    u->axes->levels = u->count;
    u->axes->index = index_of(u, 0, fn->span);
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* A loop by the stride of the grid along x as one thread's index. */
static bool unfold_stride(Unfold *u)
{
    IrRegion *body = &u->unit->kernel->body;
    find_loops(u, body);
    if (u->bad || u->count != 1 || axis_for(u, u->loop[0]) != 0 || !u->strides[0])
        return false;
    IrValue *stop = guard_in_arguments(u->unit->arena, &u->affine, u->loop[0]->for_.stop);
    check_strides(u);
    if (u->bad || !stop)
        return false;
    make_axis(u, 0, 0);
    ir_dce(u->unit);
    u->affine = ir_affine(u->unit, body);
    if (!unfold_index(u))
        return false;
    u->affine = ir_affine(u->unit, body);
    u->axes->flat = stop;
    u->divided = true;
    check_accesses(u, body, u->count + 1);
    return !u->bad;
}

/* ---- all ------------------------------------------------------------------------------------- */

bool axes_unfold(IrUnit *unit, Axes *axes, int way)
{
    static bool (*const ways[AXES_WAYS])(Unfold *) = { unfold_loops, unfold_index, unfold_stride };
    IrFunc *fn = unit->kernel;
    IrRegion before = fn->body, body = { NULL, NULL };
    if (launch_in_parts(unit->launch))
        return false;
    ir_clone_region(&(IrClone){ .arena = unit->arena }, &before, &body);
    fn->body = body;
    Unfold u = { .unit = unit, .affine = ir_affine(unit, &fn->body), .axes = axes };
    ir_each_node_in(&fn->body, note_axes, &u);
    *axes = (Axes){ .made = true };
    if (!ways[way](&u)) {
        *axes = (Axes){ 0 };
        fn->body = before;
        return false;
    }
    axes->before = before;
    ir_range(unit);
    return true;
}

void axes_fold(IrUnit *unit, Axes *axes)
{
    unit->kernel->body = axes->before;
    *axes = (Axes){ 0 };
    ir_range(unit);
}

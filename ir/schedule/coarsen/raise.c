/* Loops by the strides of the grid around all that a kernel does become threads of their own:
**
**     for y in grid(1) to extent(a, 0) by gridsize(1)          y = grid(1)
**         for x in grid(0) to extent(a, 1) by gridsize(0)  =>  x = grid(0)
**             store b[y, x] = f(load(a, y, x))                 if y < extent(a, 0)
**                                                                  if x < extent(a, 1)
**                                                                      store b[y, x] = ...
**
** whatever grid was asked for: the launch gets one with a thread for each iteration
** (IrShape.raised), and the passes behind find threads as kernels without such loops have them.
** Loops may go by the blocks of the grid and the threads of a block, too, from block_idx(0) by
** grid_dim(0) and from thread_idx(0) by block_dim(0): each is an axis of its own. An axis that goes
** along memory is x; conditions between loops stay, and threads may have one index along an axis
** beside them, as they had. Where loops go by a block's threads alone, the block's index may be it:
** it gets an axis along which blocks have one thread and nothing is asked for (apart.c).
**
** LEGAL where it is unobservable which thread does what (independent.c), as for threads of one
** iteration, and if of a thread's own iterations none has to do with another:
** - the loops are the last that is done in each of them, are never left, end where arguments say
**   and ask for the index or the grid nowhere else; between them are only sets without
**   effects, each the only one of its variable, and conditions, so that no iteration reads what
**   another one has set;
** - there are no atomics, and no arrays of a thread's own;
** - what is stored to overlaps no other argument, and each iteration accesses elements of its own:
**   along an axis of the array for each loop, indices are the counter plus the same constant, not
**   less than 0, and no two elements lie at one address.
** What the grid needs is counted by an extent or a scalar of the launch, which may be more than the
** iterations, as conditions are left for these to end by.
**
** It PAYS for loops in loops: they get no schedule as loops. A single one that has none inside is
** shared out as it is (strides.c), by coarsen and unroll. */
#include "ir/analysis/flow/flow.h"
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

enum { LEVELS_MOST = 3 }; /* loops in one another: a grid has as many axes */
/* Threads in front of where a loop begins, which do nothing: so tiles begin where rows do. */
enum { FROM_MOST = 64 };

/* What of the launch a loop goes by. */
typedef enum Stride { STRIDE_GRID = 1, STRIDE_BLOCKS = 2, STRIDE_THREADS = 4 } Stride;

typedef struct Level {
    IrStmt *loop;
    IrValue *stop; /* of what is known in front of the kernel */
    ShapeCount count;
    int64_t from; /* its first iteration */
    int asked;    /* the axis that it goes by, */
    int axis;     /* and the one that it becomes */
} Level;

typedef struct Raise {
    IrUnit *unit;
    IrAffine affine;
    Level levels[LEVELS_MOST]; /* the outermost first */
    int count;
    int strides[3]; /* by axis: which Stride loops go by along it */
    int *at;        /* by parameter, of an array that is stored to: the axis of it along which each
                       level counts, plus 1, LEVELS_MOST each; 0: it is not stored to */
    int64_t *from;  /* likewise: what is added to the counter there */
    bool bad, others; /* the kernel asks for the index along other axes */
    unsigned blocks;  /* axes along which it asks for the block's index beside loops by threads, */
    int to[3];        /* and where that goes */
} Raise;

/* ---- the loops ------------------------------------------------------------------------------- */

static int axis_of(const Raise *r, const IrValue *value, IrIntrinsic which)
{
    value = sets_behind_casts(&r->affine.sets, value);
    return value->op == OP_intrinsic && value->intrinsic == which ? value->index : -1;
}

/* Which Stride a loop goes by, from an index that is `from` less than where it begins; 0: none. */
static int stride_of(const Raise *r, const IrStmt *loop, const IrValue *start, int *axis)
{
    const IrSets *sets = &r->affine.sets;
    *axis = ir_thread_axis(sets, start);
    if (*axis >= 0 && *axis == ir_threads_axis(sets, loop->for_.step))
        return STRIDE_GRID;
    *axis = axis_of(r, start, INTR_block_idx);
    if (*axis >= 0 && *axis == axis_of(r, loop->for_.step, INTR_grid_dim))
        return STRIDE_BLOCKS;
    *axis = axis_of(r, start, INTR_thread_idx);
    return *axis >= 0 && *axis == axis_of(r, loop->for_.step, INTR_block_dim) ? STRIDE_THREADS : 0;
}

/* What a launch shows of a value that is none of a sum; false: nothing. */
static bool count_part(const Raise *r, const IrValue *value, ShapeCount *count);

/* The number that bounds a value, and is it where nothing is taken away. */
static bool count_of(const Raise *r, const IrValue *value, ShapeCount *count)
{
    int64_t plus;
    const IrValue *rest = affine_split(&r->affine.sets, value, &plus);
    *count = (ShapeCount){ .any = true, .param = -1, .over = 1 };
    return (!rest || count_part(r, sets_behind_casts(&r->affine.sets, rest), count)) &&
           !__builtin_mul_overflow(plus, count->over, &plus) &&
           !__builtin_add_overflow(count->plus, plus, &count->plus);
}

/* Of two numbers that bound a value: not a scalar, which may be any, if the other is not one. */
static bool count_least(const Raise *r, IrValue *const *of, ShapeCount *count)
{
    ShapeCount other;
    bool first = count_of(r, of[0], count), second = count_of(r, of[1], &other);
    if (second && (!first || (count->param >= 0 && count->axis < 0)))
        *count = other;
    return first || second;
}

static bool count_part(const Raise *r, const IrValue *value, ShapeCount *count)
{
    IrValue *const *of = value->operands;
    if (ir_is_intrinsic(value, INTR_min))
        return count_least(r, of, count);
    if (value->op == OP_sub && type_is_signed(value->type) && ir_nonnegative(of[1]))
        return count_of(r, of[0], count);
    if (value->op == OP_floordiv && ir_is_constant(of[1]) && of[1]->constant.integer > 0) {
        bool fine = count_of(r, of[0], count) && count->over == 1;
        count->over = of[1]->constant.integer;
        return fine;
    }
    if (value->op == OP_extent && !of[0]->var->extents)
        count->param = ir_array_param(of[0]);
    else if (value->op == OP_var && value->var->kind == VAR_PARAM && type_is_integer(value->type) &&
             (type_is_signed(value->type) || type_size(value->type) < 8))
        count->param = value->var->param;
    count->axis = value->op == OP_extent ? value->index : -1;
    return count->param >= 0;
}

static bool is_of_grid(const IrValue *value)
{
    return value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize;
}

static bool find_level(Raise *r, IrStmt *loop)
{
    Level *level = &r->levels[r->count];
    const IrValue *start = affine_split(&r->affine.sets, loop->for_.start, &level->from);
    int by = start && r->count < LEVELS_MOST ? stride_of(r, loop, start, &level->asked) : 0;
    if (!by || loop->for_.var->type != type_int64 || level->from < 0 || level->from > FROM_MOST ||
        sets_loop(&r->affine.sets, loop->for_.var) != loop || flow_ways_out(&loop->for_.body))
        return false;
    int taken = r->strides[level->asked];
    level->loop = loop;
    level->stop = guard_in_front(r->unit->arena, &r->affine, loop->for_.stop);
    if (!level->stop || ir_has_node(level->stop, is_of_grid) ||
        !count_of(r, level->stop, &level->count) || taken & by ||
        (taken && (taken | by) & STRIDE_GRID))
        return false;
    r->strides[level->asked] |= by;
    r->count++;
    return true;
}

static bool are_harmless(const Raise *r, const IrRegion *region, const IrStmt *last)
{
    for (const IrStmt *stmt = region->first; stmt != last; stmt = stmt->next)
        if (stmt->kind != IR_SET || ir_stmt_effects(stmt) & EFFECT_ORDERED ||
            type_holds_arrays(stmt->set.var->type) || !sets_value(&r->affine.sets, stmt->set.var))
            return false;
    return true;
}

/* Notes the loops around all that a region does. */
static void find_levels(Raise *r, IrRegion *region)
{
    while (region && region->last && are_harmless(r, region, region->last)) {
        IrStmt *last = region->last;
        if (last->kind == IR_FOR && find_level(r, last))
            region = &last->for_.body;
        else
            region = last->kind == IR_IF ? ir_only_way(last) : NULL;
    }
}

/* ---- what iterations access ------------------------------------------------------------------ */

/* The axis of an array along which an index is a level's counter and a constant; -1: none. */
static int own_axis(const Raise *r, int level, IrValue *const *indices, int count, int64_t *from)
{
    for (int i = 0; i < count; i++) {
        const IrValue *rest = affine_split(&r->affine.sets, indices[i], from);
        rest = rest ? sets_behind_casts(&r->affine.sets, rest) : NULL;
        if (rest && ir_is_var(rest, r->levels[level].loop->for_.var) && *from >= 0)
            return i;
    }
    return -1;
}

static void check_own(Raise *r, int param, IrValue *const *indices, int count)
{
    for (int i = 0; i < r->count; i++) {
        int *at = &r->at[param * LEVELS_MOST + i];
        int64_t *own = &r->from[param * LEVELS_MOST + i], from = 0;
        int axis = own_axis(r, i, indices, count, &from);
        r->bad |= axis < 0 || (*at && (*at != axis + 1 || *own != from));
        *at = axis + 1;
        *own = from;
    }
}

static void check_store(void *context, IrStmt *stmt)
{
    Raise *r = context;
    if (stmt->kind != IR_STORE)
        return;
    int param = ir_array_param(stmt->store.array);
    r->bad |= param < 0 || dense_axis(stmt->store.array->type) < 0 ||
              !launch_alone(r->unit->launch, param);
    if (!r->bad)
        check_own(r, param, stmt->store.indices, stmt->store.count);
}

/* An array that is stored to stands nowhere else but in loads of own elements. */
static void check_node(void *context, IrValue *value)
{
    Raise *r = context;
    r->bad |= value->op == OP_call || ir_is_atomic(value);
    for (int i = 0; i < value->count; i++) {
        int param = ir_array_param(value->operands[i]);
        if (param < 0 || !r->at[param * LEVELS_MOST] || value->op == OP_extent)
            continue;
        if (value->op == OP_load && i == 0)
            check_own(r, param, value->operands + 1, value->count - 1);
        else
            r->bad = true;
    }
}

static void check_accesses(Raise *r)
{
    const IrFunc *fn = r->unit->kernel;
    int params = fn->param_count * LEVELS_MOST + 1;
    r->at = arena_array(r->unit->arena, int, params);
    r->from = arena_array(r->unit->arena, int64_t, params);
    for (int i = fn->param_count; i < fn->var_count; i++)
        r->bad |= fn->vars[i]->kind != VAR_LOCAL && fn->vars[i]->kind != VAR_CONSTANT;
    ir_each_stmt(&fn->body, check_store, r);
    ir_each_node_in(&fn->body, check_node, r);
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* How many arrays that are stored to have their last axis along a level. */
static int along_memory(const Raise *r, int level)
{
    const IrFunc *fn = r->unit->kernel;
    int along = 0;
    for (int i = 0; i < fn->param_count; i++)
        along += r->at[i * LEVELS_MOST] && type_is_array(fn->vars[i]->type) &&
                 r->at[i * LEVELS_MOST + level] == dense_axis(fn->vars[i]->type) + 1;
    return along;
}

/* The levels' axes: those that they go by, and more where two went by one; x for the level that
** goes along memory, if it is among them, and the innermost of the others first. */
static bool choose_axes(Raise *r, unsigned asked)
{
    unsigned axes = 0;
    int lanes = r->count - 1, axis = 0;
    for (int i = 0; i < r->count; i++) {
        axes |= 1u << r->levels[i].asked;
        lanes = along_memory(r, i) > along_memory(r, lanes) ? i : lanes;
    }
    for (int i = __builtin_popcount(axes); i < r->count; i++) {
        unsigned left = ~(axes | asked);
        axes |= left & -left;
    }
    if (axes > 7)
        return false;
    for (int i = r->count; i >= 0; i--) {
        int level = i == r->count ? lanes : i;
        if (i == lanes)
            continue;
        while (!(axes >> axis & 1))
            axis++;
        r->levels[level].axis = axis++;
    }
    return true;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static bool is_block_of_threads(const Raise *r, const IrValue *value)
{
    return ir_is_intrinsic(value, INTR_block_idx) && r->strides[value->index] == STRIDE_THREADS;
}

static void note_indices(void *context, IrValue *value)
{
    Raise *r = context;
    if (is_block_of_threads(r, value))
        r->blocks |= 1u << value->index;
    else
        r->bad |= is_of_grid(value) && r->strides[value->index] != 0;
}

static IrValue *along_own_axis(void *context, IrValue *value)
{
    const Raise *r = context;
    return is_block_of_threads(r, value)
               ? apart_index(r->unit, value, INTR_grid, r->to[value->index])
               : NULL;
}

/* Gives blocks whose threads loops go by an axis of their own; false if there is none. */
static bool take_blocks_apart(Raise *r)
{
    unsigned asked = ir_axes_asked(r->unit->kernel);
    for (int axis = 0; axis < 3; axis++)
        asked |= r->strides[axis] ? 1u << axis : 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(r->blocks >> axis & 1))
            continue;
        r->to[axis] = apart_axis(r->unit, &asked);
        if (r->to[axis] < 0)
            return false;
        r->unit->shape.raised[r->to[axis]] =
            (ShapeCount){ .any = true, .param = -1, .axis = axis, .over = 1 };
    }
    ir_replace_in(&r->unit->kernel->body, along_own_axis, r);
    return true;
}

/* Whether a branch asks whether a loop in it makes an iteration, as it does where something was
** taken in front of the loop. */
static bool asks_for_first(const IrStmt *branch, const IrStmt *loop)
{
    const IrValue *asked = branch->if_.condition;
    return branch->if_.then.last == loop && asked->op == OP_lt &&
           affine_same(asked->operands[0], loop->for_.start) &&
           affine_same(asked->operands[1], loop->for_.stop);
}

/* Puts what loops do where they stand. */
static void take_out(Raise *r)
{
    IrRegion *region = &r->unit->kernel->body;
    for (int i = 0; i < r->count;) {
        IrStmt *last = region->last, *loop = r->levels[i].loop;
        if (last != loop && !asks_for_first(last, loop)) {
            region = ir_only_way(last);
            continue;
        }
        ir_remove(region, last);
        ir_append_region(region, last == loop ? loop->for_.body : last->if_.then);
        i += last == loop;
    }
}

/* Puts the levels' indices and ends around the kernel. */
static void put_around(Raise *r)
{
    IrUnit *unit = r->unit;
    IrRegion body = { NULL, NULL }, *within = &body;
    for (int i = 0; i < r->count; i++) {
        const Level *level = &r->levels[i];
        const IrBuilder b[1] = { { unit->arena, unit->kernel, level->loop->span } };
        build_set(b, level->loop->for_.var, ir_axis(unit->arena, INTR_grid, level->axis, b->span),
                  &body);
    }
    for (int i = 0; i < r->count; i++) {
        const Level *level = &r->levels[i];
        const IrBuilder b[1] = { { unit->arena, unit->kernel, level->loop->span } };
        if (level->from)
            within = build_if(b, build_op(b, OP_ge, level->loop->for_.var, level->from), within);
        within = build_if(b, build_op(b, OP_lt, level->loop->for_.var, level->stop), within);
        unit->shape.raised[level->axis] = level->count;
    }
    ir_append_region(within, unit->kernel->body);
    unit->kernel->body = body;
}

/* The kernel with threads instead of loops; false if it cannot be. */
static bool make(Raise *r)
{
    IrUnit *unit = r->unit;
    Span where;
    take_out(r);
    ir_dce(unit); /* indices that only loops began at */
    ir_each_node_in(&unit->kernel->body, note_indices, r);
    if (r->bad || !take_blocks_apart(r) || !choose_axes(r, ir_axes_asked(unit->kernel)))
        return false;
    put_around(r);
    ir_range(unit);
    return !ir_dependent(unit, &where);
}

static void note_other(void *context, IrValue *value)
{
    Raise *r = context;
    r->others |= is_of_grid(value) && value->index != r->levels[0].asked;
}

static bool pays(Raise *r)
{
    const IrFunc *fn = r->unit->kernel;
    if (r->count == 1)
        ir_each_node_in(&fn->body, note_other, r);
    bool loops = r->count > 1 || (!r->others && ir_has_loop(&r->levels[0].loop->for_.body));
    return loops && !launch_large_grid(r->unit->launch, GRID_TALL);
}

void ir_raise(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    IrRegion before = { NULL, NULL };
    if (!unit->launch || launch_in_parts(unit->launch) || !ir_has_loop(&fn->body) ||
        !guard_begin(unit) || fn->effects & EFFECT_ATOMIC)
        return;
    Raise r = { .unit = unit, .affine = ir_affine(unit, NULL) };
    IrLaunch asked = *unit->launch;
    const IrShape shape = unit->shape;
    find_levels(&r, &fn->body);
    if (!r.count)
        return;
    check_accesses(&r);
    const IrStmt *loop = r.levels[r.count - 1].loop;
    Directive own = { DO_RAISE, .loop = schedule_loop(loop), .site = fn, .span = loop->span };
    unit->launch->raised = true;
    Directive *directive = r.bad ? NULL : schedule_take(unit, own, pays(&r));
    if (!directive) {
        *unit->launch = asked;
        return;
    }
    ir_clone_region(&(IrClone){ .arena = unit->arena }, &fn->body, &before);
    if (make(&r)) {
        schedule_done(directive);
        ir_remark(unit, loop->span, "the iterations of all these loops are threads of their own");
        return;
    }
    fn->body = before;
    unit->shape = shape;
    *unit->launch = asked;
    ir_range(unit);
}

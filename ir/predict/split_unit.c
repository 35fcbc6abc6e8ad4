/* The kernel as a split looks at it: functions in place of their calls, extents, scalars and sizes
** of the launch as numbers, and around all of it what is known of its threads:
**
**     if thread_idx(0) < 64 and block_idx(0) * 64 + thread_idx(0) >= FIRST and ... < BEHIND ...
**         ...
**
** A loop by the stride of the grid along the axis that is split becomes
**
**     for u in 0 to N by gridsize                 for i in grid(0) to n by gridsize(0)
**         i = grid(0) + u
**
** so that an index that moves with u tells its period. It is looked at and never run. */
#include "ir/analysis/flow/sets.h"
#include "ir/optimise.h"
#include "ir/predict/split_parts.h"

/* ---- what no split may do -------------------------------------------------------------------- */

typedef struct SplitRefusal {
    const char *why;
    Span where;
} SplitRefusal;

static void refuse(SplitRefusal *look, const char *why, Span where)
{
    if (!look->why) {
        look->why = why;
        look->where = where;
    }
}

static void look_at_value(void *context, IrValue *value)
{
    int effect = value->op == OP_intrinsic ? ir_intrinsics[value->intrinsic].effect : EFFECT_NONE;
    if (value->op == OP_call)
        refuse(context, "it calls a function that cannot be looked into", value->span);
    if (value->op == OP_data)
        refuse(context, "it hands out the address of an array", value->span);
    if (effect & EFFECT_GRID_SYNC)
        refuse(context, "its blocks wait for one another", value->span);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_PRINT)
        refuse(context, "it prints", stmt->span);
    ir_each_own_node(stmt, look_at_value, context);
}

IrUnit *split_inlined(IrUnit *unit)
{
    enum { MOST_STATEMENTS = 20000 };

    if (!unit->count)
        return unit;
    ir_take_calls(unit);
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
    return ir_inline_excess(unit, ir_is_inlined, MOST_STATEMENTS)
               ? unit
               : ir_inline(unit->arena, unit, ir_is_inlined);
}

const char *split_refused(IrUnit **unit, Span *where)
{
    SplitRefusal look = { 0 };
    const IrStmt *spin = ir_spin((*unit)->arena, *unit);
    *unit = split_inlined(*unit);
    if (spin)
        refuse(&look, "it waits in a loop for what another thread does", spin->span);
    if ((*unit)->linked_count)
        refuse(&look, "it calls code that is linked to it", (*unit)->kernel->span);
    ir_each_stmt(&(*unit)->kernel->body, look_at_stmt, &look);
    *where = look.where;
    return look.why;
}

/* ---- loops by the stride of the grid --------------------------------------------------------- */

typedef struct Making {
    SplitUnit *split;
    const SplitRequest *request;
    IrUnit *unit;
    IrSets sets;
    Arena *arena;
    Span span;
} Making;

static IrValue *number(const Making *m, int64_t value)
{
    return ir_integer(m->arena, type_int64, value, m->span);
}

static IrValue *wide(const Making *m, IrValue *value)
{
    return ir_cast(m->arena, type_int64, value, m->span);
}

static int64_t threads_along(const SplitRequest *request, int axis)
{
    return (int64_t)request->grid[axis] * request->block[axis];
}

/* Has the loop count from 0, and its body set what it counted. */
static void separate(Making *m, IrStmt *loop)
{
    SplitUnit *s = m->split;
    IrVar *counter = ir_temporary(m->arena, m->unit->kernel, "_gone", type_int64, m->span);
    int at = s->stride_count;
    IrValue *begin = wide(m, loop->for_.start);
    IrValue *here = ir_binary(m->arena, OP_add, begin, ir_var(m->arena, counter, m->span), m->span);
    IrVar *var = loop->for_.var;

    array_push(m->arena, s->strides, s->stride_count, s->stride_capacity) = counter;
    s->steps[at] = threads_along(m->request, s->axis);
    IrStmt *set = ir_set(m->arena, var, ir_cast(m->arena, var->type, here, m->span), m->span);
    ir_insert_before(&loop->for_.body, loop->for_.body.first, set);
    loop->for_.start = number(m, 0);
    loop->for_.stop = wide(m, loop->for_.stop);
    loop->for_.step = number(m, s->steps[at]);
    loop->for_.var = counter;
}

static int count_loops(const IrRegion *region)
{
    int count = 0;
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        count += stmt->kind == IR_FOR;
        for_each_region (inner, stmt)
            count += count_loops(inner);
    }
    return count;
}

static bool goes_by_stride(const Making *m, const IrStmt *stmt)
{
    return stmt->kind == IR_FOR && ir_stride_axis(&m->sets, stmt) == m->split->axis &&
           sets_stable(&m->sets, stmt->for_.start);
}

static void separate_all(Making *m, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool strides = goes_by_stride(m, stmt);
        for_each_region (inner, stmt)
            separate_all(m, inner);
        if (strides)
            separate(m, stmt);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static IrValue *place(const Making *m, IrIntrinsic intrinsic, int axis)
{
    return wide(m, ir_never_negative(ir_axis(m->arena, intrinsic, axis, m->span)));
}

/* block_idx * N + thread_idx */
static IrValue *thread_number(const Making *m, int axis)
{
    IrValue *threads = ir_binary(m->arena, OP_mul, place(m, INTR_block_idx, axis),
                                 number(m, m->request->block[axis]), m->span);
    return ir_binary(m->arena, OP_add, threads, place(m, INTR_thread_idx, axis), m->span);
}

/* What a value comes to in this launch, int64; NULL: that is not known. */
static IrValue *known(const Making *m, const IrValue *value)
{
    const SplitRequest *request = m->request;
    int axis = value->index;

    if (value->op == OP_extent) {
        int param = ir_array_param(value->operands[0]);
        return param >= 0 && request->args[param].array
                   ? number(m, request->args[param].shape[value->index])
                   : NULL;
    }
    if (value->op == OP_var && value->var->kind == VAR_PARAM &&
        (type_is_integer(value->type) || value->type == type_bool))
        return request->args[value->var->param].known
                   ? number(m, request->args[value->var->param].value)
                   : NULL;
    if (value->op != OP_intrinsic)
        return NULL;
    switch ((int)value->intrinsic) {
    case INTR_block_dim:
        return number(m, request->block[axis]);
    case INTR_grid_dim:
        return number(m, request->grid[axis]);
    case INTR_gridsize:
        return number(m, threads_along(request, axis));
    case INTR_grid:
        return thread_number(m, axis);
    default:
        return NULL;
    }
}

static IrValue *replacement(void *context, IrValue *value)
{
    Making *m = context;
    IrValue *other = known(m, value);
    if (other && other->op == OP_constant)
        return ir_integer(m->arena, value->type, other->constant.integer, value->span);
    return other ? ir_cast(m->arena, value->type, other, value->span) : NULL;
}

/* Extents, where arrays stand for themselves. */
static void fix_shapes(const Making *m)
{
    IrFunc *fn = m->unit->kernel;
    for (int i = 0; i < fn->param_count; i++)
        if (type_is_array(fn->vars[i]->type) && m->request->args[i].array)
            fn->vars[i]->shape = m->request->args[i].shape;
}

/* ---- what is known of threads ---------------------------------------------------------------- */

static IrValue *less(const Making *m, IrIntrinsic intrinsic, int axis, IrValue *bound)
{
    return ir_binary(m->arena, OP_lt, place(m, intrinsic, axis), bound, m->span);
}

/* The threads of the rank, and the blocks that have them. */
static IrValue *of_rank(const Making *m)
{
    SplitUnit *s = m->split;
    s->first = number(m, 0);
    s->behind = number(m, 0);
    s->first_block = number(m, 0);
    s->behind_block = number(m, 0);
    IrValue *from = ir_binary(m->arena, OP_ge, thread_number(m, s->axis), s->first, m->span);
    IrValue *to = ir_binary(m->arena, OP_lt, thread_number(m, s->axis), s->behind, m->span);
    IrValue *block =
        ir_binary(m->arena, OP_ge, place(m, INTR_block_idx, s->axis), s->first_block, m->span);
    return ir_both(m->arena, block, ir_both(m->arena, from, to));
}

static void guard(const Making *m)
{
    SplitUnit *s = m->split;
    IrFunc *fn = m->unit->kernel;
    IrValue *condition = NULL;

    for (int k = 0; k < 3; k++) {
        IrValue *blocks = number(m, m->request->grid[k]);
        IrValue *threads = number(m, m->request->block[k]);
        condition = ir_both(m->arena, condition, less(m, INTR_block_idx, k, blocks));
        condition = ir_both(m->arena, condition, less(m, INTR_thread_idx, k, threads));
    }
    condition = ir_both(m->arena, condition, of_rank(m));
    condition = ir_both(m->arena, condition, less(m, INTR_block_idx, s->axis, s->behind_block));
    IrStmt *stmt = ir_if(m->arena, condition, m->span);
    stmt->if_.then = fn->body;
    fn->body = (IrRegion){ stmt, stmt };
}

SplitUnit split_unit(const SplitRequest *request, const IrUnit *unit, int axis)
{
    SplitUnit split = { .unit = ir_copy_unit(unit->arena, unit), .axis = axis };
    Making m = { .split = &split,
                 .request = request,
                 .unit = split.unit,
                 .arena = unit->arena,
                 .span = unit->kernel->span };
    IrFunc *fn = m.unit->kernel;

    m.sets = ir_sets(m.arena, fn, &fn->body);
    split.steps = arena_array(m.arena, int64_t, count_loops(&fn->body) + 1);
    separate_all(&m, &fn->body);
    ir_replace_in(&fn->body, replacement, &m);
    fix_shapes(&m);
    ir_forward(m.unit);
    ir_range(m.unit);
    ir_uniform(m.unit);
    ir_views(m.unit);
    guard(&m);
    return split;
}

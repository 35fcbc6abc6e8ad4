/* Loops over all that a grid has to do, each thread by strides of the whole grid:
**
**     for i in grid(0) to n by gridsize(0)
**         store y[i] = f(load(x, i))
**
** Any number of threads does the same, in any order, if no iteration has to do with another. It is
** LEGAL to share the iterations out otherwise if
** - the loop is the last that the kernel does, along one axis, is never left, and nothing before it
**   or in it else asks for the thread's index or the grid's size;
** - no variable is carried from iteration to iteration: none that is set in the loop is set outside
**   of it;
** - what is stored to is alone, and each iteration accesses elements of its own: along one axis of
**   the array, all indices are i plus the same constant, and elements have a place each (it is not
**   of any strides);
** - there are no atomics but those whose order is unobservable, on arrays that the processor's
**   threads have copies of (merge.c), or blocks (persist.c).
**
** It PAYS as for threads of one element each; and even if there are few threads, as they can be
** more. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/privatise/privatise.h"

typedef struct StrideLoop {
    IrUnit *unit;
    const IrAffine *affine;
    const IrStmt *loop;
    Private *const *counted; /* arrays whose atomics have an unobservable order */
    int counted_count;
    IrSets inside;   /* of all that the loop repeats */
    bool *of_grid;   /* by IrVar.id: set in front of the loop, to what has to do with the grid */
    int64_t *offset; /* by parameter, of an array that is stored to: what is added to i, */
    int *axis;       /* along this axis, plus 1; 0: it is not stored to */
    bool bad;
} StrideLoop;

/* The axis of an array along which an index is the counter plus a constant, or -1. */
static int own_axis(const StrideLoop *t, IrValue *const *indices, int count, int64_t *offset)
{
    for (int i = 0; i < count; i++) {
        const IrValue *rest = affine_split(&t->affine->sets, indices[i], offset);
        if (rest && ir_is_var(rest, t->loop->for_.var) && *offset >= 0)
            return i;
    }
    return -1;
}

static void note_store(StrideLoop *t, const IrStmt *stmt)
{
    int param = ir_array_param(stmt->store.array);
    int64_t offset = 0;
    int axis = own_axis(t, stmt->store.indices, stmt->store.count, &offset);
    if (param < 0 || axis < 0 || dense_axis(stmt->store.array->type) < 0 ||
        !launch_alone(t->unit->launch, param) ||
        (t->axis[param] && (t->axis[param] != axis + 1 || t->offset[param] != offset))) {
        t->bad = true;
        return;
    }
    t->axis[param] = axis + 1;
    t->offset[param] = offset;
}

/* An atomic whose result is not used, on an array with which the kernel does nothing else. */
static bool is_merged(const StrideLoop *t, const IrStmt *stmt)
{
    if (stmt->kind != IR_EVAL || !ir_is_atomic(stmt->eval.value))
        return false;
    const IrVar *param = privatise_whole(stmt->eval.value->operands[0]);
    return (param && param->merged) ||
           privatise_find(t->counted, t->counted_count, stmt->eval.value);
}

/* Effects of the statement but for those of the statements in it. */
static unsigned own_effects(const IrStmt *stmt)
{
    unsigned effects = 0;
    if (stmt->kind != IR_IF && stmt->kind != IR_FOR)
        return (unsigned)ir_stmt_effects(stmt);
    for_each_value (value, stmt)
        effects |= (unsigned)ir_value_effects(value);
    return effects;
}

static void note_stmt(void *context, IrStmt *stmt)
{
    StrideLoop *t = context;
    if (stmt->kind == IR_STORE)
        note_store(t, stmt);
    if (stmt->kind == IR_WHILE ||
        (!is_merged(t, stmt) && (own_effects(stmt) & (EFFECT_ORDERED & ~EFFECT_WRITE))))
        t->bad = true;
}

static void check_node(void *context, IrValue *value)
{
    StrideLoop *t = context;
    if (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize)
        t->bad = true;
    if (value->op == OP_view || value->op == OP_recast || value->op == OP_field ||
        value->op == OP_transpose || value->op == OP_data || value->op == OP_call)
        t->bad = true;
    if (value->op == OP_var && type_is_array(value->type) && value->var->kind != VAR_PARAM &&
        value->var->kind != VAR_CONSTANT)
        t->bad = true;
    int param = value->op == OP_load ? ir_array_param(value->operands[0]) : -1;
    if (param < 0 || !t->axis[param])
        return;
    int64_t offset;
    int axis = own_axis(t, value->operands + 1, value->count - 1, &offset);
    if (axis + 1 != t->axis[param] || offset != t->offset[param])
        t->bad = true;
}

static void check_outer_node(void *context, IrValue *value)
{
    StrideLoop *t = context;
    if (value->op != OP_var || value->var->kind != VAR_LOCAL || sets_any(&t->inside, value->var))
        return;
    if (t->affine->divergence.vars[value->var->id] || t->of_grid[value->var->id])
        t->bad = true; /* it has to do with the thread's index, or with how many there are */
}

static bool is_of_grid(const StrideLoop *t, const IrValue *value)
{
    if ((value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize) ||
        (value->op == OP_var && t->of_grid[value->var->id]))
        return true;
    for (int i = 0; i < value->count; i++)
        if (is_of_grid(t, value->operands[i]))
            return true;
    return false;
}

/* What stands in front of the loop. */
static void check_front(StrideLoop *t, const IrRegion *body)
{
    for (const IrStmt *stmt = body->first; stmt != t->loop; stmt = stmt->next) {
        if (stmt->kind != IR_SET || ir_value_effects(stmt->set.value) != EFFECT_NONE ||
            sets_any(&t->inside, stmt->set.var) || type_holds_arrays(stmt->set.var->type)) {
            t->bad = true;
            return;
        }
        t->of_grid[stmt->set.var->id] |= is_of_grid(t, stmt->set.value);
    }
}

IrStmt *strides_find(IrUnit *unit, const IrAffine *affine, Private *const *counted, int count)
{
    const IrFunc *fn = unit->kernel;
    IrStmt *loop = fn->body.last;
    if (!loop || loop->kind != IR_FOR || loop->for_.var->type != type_int64 ||
        ir_stride_axis(&affine->sets, loop) != 0 || flow_ways_out(&loop->for_.body) ||
        sets_loop(&affine->sets, loop->for_.var) != loop)
        return NULL;
    StrideLoop t = { .unit = unit,
                     .affine = affine,
                     .loop = loop,
                     .counted = counted,
                     .counted_count = count,
                     .inside = ir_sets_of_loop(unit->arena, fn, loop),
                     .of_grid = arena_array(unit->arena, bool, fn->var_count + 1),
                     .offset = arena_array(unit->arena, int64_t, fn->param_count + 1),
                     .axis = arena_array(unit->arena, int, fn->param_count + 1) };
    ir_each_stmt(&loop->for_.body, note_stmt, &t);
    check_front(&t, &fn->body);
    for (const IrStmt *stmt = loop->for_.body.first; stmt && !t.bad; stmt = stmt->next) {
        ir_each_node_of(stmt, check_node, &t);
        ir_each_node_of(stmt, check_outer_node, &t);
    }
    ir_each_node(loop->for_.stop, check_node, &t);
    ir_each_node(loop->for_.stop, check_outer_node, &t);
    return t.bad ? NULL : loop;
}

bool strides_count(const IrAffine *affine, const IrStmt *loop, IrShape *shape)
{
    const IrValue *rest = affine_split(&affine->sets, loop->for_.stop, &shape->iterations.plus);
    while (rest && rest->op == OP_cast && rest->type == type_int64)
        rest = rest->operands[0];
    shape->iterations.any =
        !rest || (rest->op == OP_extent && ir_array_param(rest->operands[0]) >= 0 &&
                  !rest->operands[0]->var->extents);
    shape->iterations.param =
        rest && shape->iterations.any ? ir_array_param(rest->operands[0]) : -1;
    shape->iterations.axis = rest ? rest->index : 0;
    shape->iterations.over = 1;
    return shape->iterations.any;
}

/* For the processor: loads that are the same in all iterations of a loop are made before it, and
** those of some threads before the branch that these take.
**
**     for j in 0 to n                            own = x[i, 0]
**         if j != i                              for j in 0 to n
**             d = x[j, 0] - x[i, 0]    becomes       other = x[j, 0]
**             ...                                    if j != i
**                                                        d = other - own
**
** Threads are loops inside of that loop, in the end (tiles.c). There each iteration would gather
** from as many rows as a vector has elements; what is loaded before the loop lies side by side. C
** compilers make no vectors of such loads under a condition, and of those that are the same for all
** threads.
**
** LEGAL where nothing in the kernel writes the array, by any name, nothing in the loop or branch
** sets what the indices are made of, and these lie in the array wherever it is come to, by bounds:
** there may be no thread that comes to the load.
** PAYS where threads load from different rows, and before a branch where all load the same. */
#include "ir/analysis/range/bounds.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/tile/tiles.h"

enum { LOADS_MOST = 8 };

/* Loads that come before a statement. */
typedef struct LoadedAhead {
    Arena *arena;
    const IrStmt *stmt;
    const IrValue *loads[LOADS_MOST];
    IrVar *vars[LOADS_MOST];
    int count;
    struct LoadedAhead *next;
} LoadedAhead;

typedef struct Invariants {
    IrUnit *unit;
    IrBounds *bounds;
    IrSets sets; /* of what is looked at */
    LoadedAhead *at, *all;
} Invariants;

static bool lies_inside(Invariants *v, const IrValue *array, const IrValue *index, int axis)
{
    const int64_t *shape = array->var->shape;
    bool known = shape && shape[axis] != EXTENT_UNKNOWN;
    Arena *arena = v->unit->arena;
    IrValue *extent = known ? ir_integer(arena, type_int64, shape[axis], index->span)
                            : ir_extent(arena, ir_copy_value(arena, array), axis, index->span);
    Interval over = bounds_difference(v->bounds, index, extent);
    return bounds_of(v->bounds, index).low >= 0 && !interval_empty(over) && over.high <= -1;
}

/* Whether threads have rows of their own, and one element of each. */
static bool goes_across(const IrValue *load)
{
    int dense = dense_axis(load->operands[0]->type), rank = load->count - 1;
    bool across = false;
    for (int axis = 0; axis < rank; axis++)
        across |= axis != dense && !ir_uniform_value(load->operands[1 + axis]);
    return across && dense >= 0 && ir_uniform_value(load->operands[1 + dense]);
}

/* Whether a condition is made of comparisons of integers alone, which become bounds of the loops
** over the threads (bounds.c): then nothing may stand in front of it. */
static bool is_bound(const IrValue *condition)
{
    switch ((int)condition->op) {
    case OP_and_then:
    case OP_or_else:
        return is_bound(condition->operands[0]) && is_bound(condition->operands[1]);
    case OP_not:
        return is_bound(condition->operands[0]);
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_eq:
        return type_is_integer(condition->operands[0]->type);
    default:
        return false;
    }
}

static bool pays(const Invariants *v, const IrValue *load)
{
    return goes_across(load) || (v->at->stmt->kind == IR_IF && ir_uniform_value(load));
}

static bool can_come_first(Invariants *v, const IrValue *load)
{
    const IrValue *array = load->operands[0];
    if (load->op != OP_load || load->index || !type_is_scalar(load->type) ||
        array->type->array.unaligned || !tiles_read_only(v->unit, array) || !pays(v, load))
        return false;
    for (int axis = 0; axis < load->count - 1; axis++) {
        const IrValue *index = load->operands[1 + axis];
        if (!sets_invariant(&v->sets, index, NULL) || !lies_inside(v, array, index, axis))
            return false;
    }
    return true;
}

static void look_at_node(void *context, IrValue *value)
{
    Invariants *v = context;
    LoadedAhead *at = v->at;
    if (value->op != OP_load || at->count == LOADS_MOST || !can_come_first(v, value))
        return;
    for (int i = 0; i < at->count; i++)
        if (ir_same_value(at->loads[i], value))
            return;
    at->loads[at->count++] = value;
}

static void look_at_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Invariants *v = context;
    bool branch = stmt->kind == IR_IF && !ir_uniform_value(stmt->if_.condition) &&
                  !is_bound(stmt->if_.condition);
    if (!branch && stmt->kind != IR_FOR)
        return;
    Arena *arena = v->unit->arena;
    v->bounds = bounds;
    v->at = arena_new(arena, LoadedAhead);
    v->at->arena = arena;
    v->at->stmt = stmt;
    v->sets = ir_sets_of_loop(arena, v->unit->kernel, stmt);
    for_each_region (inner, stmt)
        ir_each_node_in(inner, look_at_node, v);
    if (!v->at->count)
        return;
    v->at->next = v->all;
    v->all = v->at;
}

static void replace(void *context, IrValue **slot)
{
    const LoadedAhead *at = context;
    for (int i = 0; i < at->count; i++)
        if ((*slot)->op == OP_load && ir_same_value(at->loads[i], *slot)) {
            *slot = ir_var(at->arena, at->vars[i], (*slot)->span);
            return;
        }
    for (int i = 0; i < (*slot)->count; i++)
        replace(context, &(*slot)->operands[i]);
}

static void change_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    const Invariants *v = context;
    LoadedAhead *at = v->all;
    while (at && at->stmt != stmt)
        at = at->next;
    for (int i = 0; at && i < at->count; i++) {
        const IrBuilder b = { at->arena, v->unit->kernel, at->loads[i]->span };
        at->vars[i] = build_temporary(&b, "own", at->loads[i]->type);
        ir_insert_before(
            region, stmt,
            ir_set(at->arena, at->vars[i], ir_copy_value(at->arena, at->loads[i]), b.span));
    }
    for_each_region (inner, stmt)
        if (at)
            ir_each_slot_in(inner, replace, at);
}

void ir_invariants(IrUnit *unit)
{
    Invariants v = { .unit = unit };
    if (!unit->processor || !ir_has_loop(&unit->kernel->body))
        return;
    tiles_join_conditions(unit);
    ir_effects(unit);
    ir_uniform(unit);
    bounds_walk(ir_bounds(unit), look_at_stmt, &v);
    if (v.all)
        ir_change_stmts(&unit->kernel->body, change_stmt, &v);
}

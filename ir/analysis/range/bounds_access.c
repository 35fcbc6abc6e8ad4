/* What accesses say of their indices: where an access is right they lie within the array, and so
** does behind it what they are computed of. A stack's height is bounded so, which nothing else
** bounds:
**
**     top = sub(top, 1)
**     node = load(stack, top)      top is not less than -32 and less than 32 from here on
**
** Of arrays that a variable holds and whose indices stay in their rows; not of accesses that a
** condition inside of the statement may pass over. What the counter of a loop is an index of in
** every iteration bounds it in all of the iteration, in front of the access, too. */
#include "ir/analysis/flow/flow.h"
#include "ir/analysis/range/bounds_state.h"

/* The least that an axis can be long: an access at a number shows it. */
static IrWide least_extent(IrBounds *b, const IrValue *array, const IrValue *index, int axis)
{
    IrWide least = bounds_of_extent(b, array, axis).range.low;
    int64_t number = index->op == OP_constant ? index->constant.integer : 0;
    IrWide shown = number < 0 ? -(IrWide)number : (IrWide)number + 1;
    return least > shown ? least : shown;
}

/* What an extent is at most: the elements of an array without gaps come to fewer than 2^31. */
static Interval extent_beside(IrBounds *b, const IrValue *array, IrValue *const *indices, int rank,
                              int axis)
{
    Interval extent = bounds_of_extent(b, array, axis).range;
    IrWide others = 1;
    if (array->var->kind != VAR_PARAM || array->type->array.layout == LAYOUT_A || !extent.reach)
        return extent;
    for (int i = 0; i < rank && others < extent.high; i++)
        others *= i == axis ? 1 : least_extent(b, array, indices[i], i);
    return others > 1 ? interval_from(0, extent.high / others) : extent;
}

static void assume_index(IrBounds *b, const IrValue *array, IrValue *const *indices, int rank,
                         int axis)
{
    BoundedValue index = bounds_known(b, indices[axis]);
    if (index.form.count < 1)
        return;
    Interval extent = extent_beside(b, array, indices, rank, axis);
    if (interval_empty(extent) || extent.high < 1)
        return;
    Interval range = interval_add(extent, interval_from(-1, -1));
    range.low = -extent.high;
    bounds_tighten(b, &index.form, range);
}

/* Whether an access says something of its indices. */
static bool is_telling(const IrValue *array, int count)
{
    return array->op == OP_var && type_is_array(array->type) && count == array->type->array.rank &&
           !array->var->runs_on;
}

static void assume_access(IrBounds *b, const IrValue *array, IrValue *const *indices, int count)
{
    if (!is_telling(array, count))
        return;
    for (int i = 0; i < count; i++)
        if (type_is_integer(indices[i]->type) && type_is_signed(indices[i]->type))
            assume_index(b, array, indices, count, i);
}

static void assume_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        assume_access(context, value->operands[0], value->operands + 1, value->count - 1);
}

void bounds_assume_accesses(IrBounds *b, const IrStmt *stmt)
{
    for_each_value (value, stmt)
        ir_each_certain(value, assume_load, b);
    if (stmt->kind == IR_STORE)
        assume_access(b, stmt->store.array, stmt->store.indices, stmt->store.count);
}

/* ---- accesses that every iteration comes to -------------------------------------------------- */

typedef struct SureIteration {
    IrBounds *b;
    const IrVar *counter;
    bool counts, same; /* an index has the counter in it, and is what it is in front, too */
} SureIteration;

static void note_index(void *context, IrValue *value)
{
    SureIteration *iteration = context;
    if (value->op == OP_load || value->op == OP_call)
        iteration->same = false;
    if (value->op != OP_var)
        return;
    iteration->counts |= value->var == iteration->counter;
    iteration->same &= value->var == iteration->counter ||
                       iteration->b->marks[value->var->id] != iteration->b->mark;
}

static void assume_same(SureIteration *iteration, const IrValue *array, IrValue *const *indices,
                        int count)
{
    if (!is_telling(array, count) || array->var->kind != VAR_PARAM)
        return;
    for (int i = 0; i < count; i++) {
        iteration->counts = false;
        iteration->same = type_is_integer(indices[i]->type) && type_is_signed(indices[i]->type);
        ir_each_node(indices[i], note_index, iteration);
        if (iteration->counts && iteration->same)
            assume_index(iteration->b, array, indices, count, i);
    }
}

static void assume_same_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        assume_same(context, value->operands[0], value->operands + 1, value->count - 1);
}

void bounds_assume_iteration(IrBounds *b, const IrStmt *loop, const SetsInside *nest)
{
    SureIteration iteration = { .b = b, .counter = loop->for_.var };
    b->mark++;
    for (int i = 0; i < nest->count; i++)
        b->marks[nest->vars[i]] = b->mark;
    if (b->marks[loop->for_.var->id] == b->mark)
        return;
    for (const IrStmt *stmt = loop->for_.body.first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_WHILE)
            return;
        for_each_value (value, stmt)
            ir_each_certain(value, assume_same_load, &iteration);
        if (stmt->kind == IR_STORE)
            assume_same(&iteration, stmt->store.array, stmt->store.indices, stmt->store.count);
        if (flow_stmt_ways_out(stmt))
            return;
    }
}

/* Reads and writes what a view is of, where a view is only a name for a window, or for the same
** elements with the axes reversed:
**
**     w = view<s>(x, sub(i, 1), 3, 1)
**     for a in 0 to extent(w, 0) by 1
**         total = add(total, load(w, a))
** becomes
**     for a in 0 to 3 by 1
**         total = add(total, load(x, add(sub(i, 1), a)))
**
** Slices hold their ends within the array; where bounds say that these lie within it anyway, what a
** view has of it is as plain as in the text (settle.c).
**
** Legal for a view of a parameter or of another such that is read where it is made, as in x[i][j],
** or that a variable is which one statement sets, at starts, counts and steps that are the same
** wherever the view is read; and for indices that do not
** count from the view's end. The index in the array is then never negative where the access is
** right. Of what else is done with the view it stays one.
**
** It pays always: passes behind see accesses of the array itself. */
#include "ir/analysis/range/bounds.h"
#include "ir/analysis/flow/sets.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Views {
    Arena *arena;
    IrSets sets;
    const bool *left;
    bool changed;
} Views;

static bool is_stable_array(const Views *v, const IrValue *array)
{
    if (array->op != OP_var)
        return false;
    return array->var->kind == VAR_PARAM ||
           (array->var->kind == VAR_LOCAL && sets_value(&v->sets, array->var) &&
            !v->left[array->var->id]);
}

static bool is_view(const IrValue *value)
{
    return value->op == OP_view || value->op == OP_transpose;
}

static bool has_places(const IrValue *view)
{
    for (int i = 1; i < view->count; i++)
        if (view->operands[i]->type != type_int64)
            return false;
    return true;
}

/* The view that an array is wherever it is read; NULL if it cannot be looked through. */
static const IrValue *view_of(const Views *v, const IrValue *array)
{
    if (is_view(array) && is_stable_array(v, array->operands[0]))
        return has_places(array) ? array : NULL;
    const IrVar *var = array->op == OP_var ? array->var : NULL;
    const IrValue *view = var && var->kind == VAR_LOCAL ? sets_value(&v->sets, var) : NULL;
    if (!view || !is_view(view) || v->left[var->id] || !is_stable_array(v, view->operands[0]))
        return NULL;
    for (int i = 1; i < view->count; i++)
        if (!sets_stable(&v->sets, view->operands[i]))
            return NULL;
    return has_places(view) ? view : NULL;
}

/* start + index * step, which lies within the array. */
static IrValue *index_behind(const Views *v, IrValue *const *slice, IrValue *index)
{
    Span span = index->span;
    IrValue *step = ir_copy_value(v->arena, slice[2]), *start = ir_copy_value(v->arena, slice[0]);
    return ir_take_sign(
        ir_binary(v->arena, OP_add, start, ir_binary(v->arena, OP_mul, index, step, span), span),
        true);
}

/* The indices of the array that a view is of, from those of the view; how many, or -1 if one of
** these may count from the view's end. */
static int indices_behind(const Views *v, const IrValue *view, IrValue *const *indices,
                          IrValue **made)
{
    IrValue *const *operand = view->operands + 1;
    int count = 0, from = 0, rank = view->operands[0]->type->array.rank;
    if (view->op == OP_transpose)
        for (; count < rank; count++)
            made[count] = indices[rank - 1 - count];
    for (const char *at = view->op == OP_view ? view->axes : ""; *at; at++) {
        if (*at == 'i') {
            made[count++] = ir_copy_value(v->arena, *operand++);
        } else if (*at == 'n') {
            from++;
        } else {
            if (indices[from]->type != type_int64 || !ir_nonnegative(indices[from]))
                return -1;
            made[count++] = index_behind(v, operand, indices[from++]);
            operand += 3;
        }
    }
    return count == rank ? count : -1;
}

static IrValue *array_behind(const Views *v, const IrValue *view)
{
    return ir_copy_value(v->arena, view->operands[0]);
}

/* The elements along an axis of a view. */
static IrValue *count_of(const Views *v, const IrValue *view, int axis)
{
    IrValue *const *operand = view->operands + 1;
    if (view->op == OP_transpose)
        return ir_extent(v->arena, array_behind(v, view), view->type->array.rank - 1 - axis,
                         view->span);
    for (const char *at = view->axes; *at; at++) {
        if (*at != 'i' && axis-- == 0)
            return *at == 's' ? ir_copy_value(v->arena, operand[1]) : NULL;
        operand += *at == 's' ? 3 : *at == 'i';
    }
    return NULL;
}

static void look_through(Views *v, IrValue **slot)
{
    IrValue *value = *slot, *made[RANK_MAX];
    for (int i = 0; i < value->count; i++)
        look_through(v, &value->operands[i]);
    const IrValue *view = value->count ? view_of(v, value->operands[0]) : NULL;
    if (!view || (value->op != OP_load && value->op != OP_extent))
        return;
    if (value->op == OP_extent) {
        IrValue *count = count_of(v, view, value->index);
        bool fits = count && count->type == value->type; /* else it was narrowed */
        *slot = fits ? count : value;
        v->changed |= fits;
        return;
    }
    int count = indices_behind(v, view, value->operands + 1, made);
    if (count < 0)
        return;
    IrValue *load = ir_load(v->arena, array_behind(v, view), made, count, value->span);
    load->index = value->index;
    *slot = load;
    v->changed = true;
}

static void look_through_stmt(void *context, IrStmt *stmt)
{
    Views *v = context;
    IrValue *made[RANK_MAX];
    for_each_slot (slot, stmt)
        look_through(v, slot);
    const IrValue *view = stmt->kind == IR_STORE ? view_of(v, stmt->store.array) : NULL;
    int count = view ? indices_behind(v, view, stmt->store.indices, made) : -1;
    if (count < 0)
        return;
    stmt->store.array = array_behind(v, view);
    stmt->store.indices = arena_array(v->arena, IrValue *, count + 1);
    memcpy(stmt->store.indices, made, sizeof *made * (size_t)count);
    stmt->store.count = count;
    v->changed = true;
}

void ir_views(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Views v = { .arena = unit->arena };
    if (!ir_region_has_node(&fn->body, is_view))
        return;
    ir_settle(unit);
    ir_forward(unit);
    do {
        v.changed = false;
        v.sets = ir_sets(unit->arena, fn, &fn->body);
        v.left = ir_left_by_loops(unit->arena, fn, &fn->body);
        ir_each_stmt(&fn->body, look_through_stmt, &v);
    } while (v.changed);
    ir_settle(unit);
    ir_dce(unit);
    ir_range(unit);
}

/* Computes in 32 bits what fits them:
**
**     for i: int64 in grid(0) to extent(x, 0) by gridsize(0)
**         store x[i] = cast<float32>(add(i, 1))
** becomes
**     for i: int32 in grid(0) to extent(x, 0) by gridsize(0)
**         store x[i] = cast<float32>(add(i, 1:int32))
**
** Legal for a value that is certain to fit (ir/analysis/range/bounds.h), if what it is computed of
** fits too or the operation is one whose low bits depend on low bits alone: then it is done with
** unsigned numbers, which may overflow. Variables become int32 if all that they are ever set to
** fits; counters of loops if a step beyond the last iteration fits too. An index needs no more than
** its low bits either way: where the access is right it lies inside the array, and no array spans
** 2^31 elements. That is why all of this is only for launches that are narrow (ir/launch.h). Parts
** of such an index fit, too, if none is negative or all but one are small numbers: they are done as
** signed numbers, which do not overflow.
**
** An index that is never negative is marked as such, so that no wrapping is tested for. Quotients
** and remainders by powers of two become shifts and masks, which floor as Python does. Floats that
** become an integer where comparisons have shown that it fits need no care for what does not.
**
** It pays always: a GPU computes with 32 bits at a time. */
#include "ir/simplify/narrow.h"
#include "ir/analysis/flow/sets.h"

bool narrow_nonnegative(Narrow *n, const IrValue *value)
{
    bool adds_up = (value->op == OP_add || value->op == OP_mul) && type_is_signed(value->type);
    if (ir_nonnegative(value) || bounds_of(n->bounds, value).low >= 0)
        return true;
    /* of more bits than there are, but taken not to overflow */
    return adds_up && narrow_nonnegative(n, value->operands[0]) &&
           narrow_nonnegative(n, value->operands[1]);
}

/* ---- statements ------------------------------------------------------------------------------ */

bool narrow_shrinks(const IrValue *array)
{
    return array->op == OP_recast && type_size(array->type->array.element) <
                                         type_size(array->operands[0]->type->array.element);
}

static void narrow_set(Narrow *n, IrStmt *stmt)
{
    const IrValue *value = stmt->set.value;
    if (!n->narrowed[stmt->set.var->id]) {
        bool index = n->index[stmt->set.var->id];
        stmt->set.value = index ? narrow_wide_sum(n, value) : narrow_value(n, value);
        return;
    }
    bool cut = n->cut[stmt->set.var->id];
    stmt->set.value = cut ? narrow_cut(n, value) : narrow_as_int32(n, value);
    ir_take_sign(stmt->set.value, !cut && narrow_nonnegative(n, value));
}

static void narrow_store(Narrow *n, IrStmt *stmt)
{
    const IrValue *array = stmt->store.array;
    for (int i = 0; i < stmt->store.count; i++)
        stmt->store.indices[i] = narrow_index(n, array, stmt->store.indices[i]);
    stmt->store.array = narrow_value(n, array);
    stmt->store.value = narrow_value(n, stmt->store.value);
}

static void narrow_for(Narrow *n, IrStmt *stmt)
{
    IrValue **ends[] = { &stmt->for_.start, &stmt->for_.stop, &stmt->for_.step };
    bool narrow = n->narrowed[stmt->for_.var->id];
    const IrValue *step = stmt->for_.step;
    stmt->for_.rises |=
        step->op != OP_constant && step->op != OP_intrinsic && bounds_of(n->bounds, step).low >= 1;
    for (int i = 0; i < 3; i++) {
        const IrValue *value = *ends[i];
        bool positive = narrow_nonnegative(n, value);
        *ends[i] = narrow ? narrow_as_int32(n, value) : narrow_value(n, value);
        ir_take_sign(*ends[i], positive);
    }
    stmt->for_.bounded |= narrow;
}

static void narrow_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Narrow *n = context;
    (void)bounds;
    switch (stmt->kind) {
    case IR_SET:
        narrow_set(n, stmt);
        return;
    case IR_STORE:
        narrow_store(n, stmt);
        return;
    case IR_FOR:
        narrow_for(n, stmt);
        return;
    default:
        for_each_slot (slot, stmt)
            *slot = narrow_value(n, *slot);
        return;
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool becomes_narrow(const Narrow *n, const IrVar *var)
{
    Interval all = bounds_of_var(n->bounds, var);
    return var->kind == VAR_LOCAL && narrow_is_wide(var->type) && !interval_empty(all) &&
           interval_fits(all, type_int32) && bounds_count_fits(n->bounds, var);
}

/* Variables whose low bits alone are asked for, by IrVar.id, as far as is known. */
typedef struct NarrowUses {
    Narrow *n;
    bool *cut;
    bool changed;
} NarrowUses;

static void keeps_all(NarrowUses *uses, const IrVar *var)
{
    uses->changed |= uses->cut[var->id];
    uses->cut[var->id] = false;
}

/* `low`: of a value its low bits alone are asked for. */
static void note_uses(NarrowUses *uses, const IrValue *value, bool low)
{
    if (value->op == OP_var && !low)
        keeps_all(uses, value->var);
    bool cast = value->op == OP_cast && type_is_integer(value->type);
    bool cuts = cast && (low || type_size(value->type) <= 4);
    bool keeps = low && value->op != OP_shl && narrow_keeps_low_bits(uses->n, value);
    for (int i = 0; i < value->count; i++)
        note_uses(uses, value->operands[i],
                  cuts || keeps || (low && value->op == OP_select && i > 0));
}

/* What is set by other statements than sets, or by what stands alone, keeps all of its bits. */
static void note_uses_of(void *context, IrStmt *stmt)
{
    NarrowUses *uses = context;
    const IrVar *var = ir_set_var(stmt);
    if (var && (stmt->kind != IR_SET || ir_value_effects(stmt->set.value) & EFFECT_ORDERED))
        keeps_all(uses, var);
    for (int i = 0; stmt->kind == IR_FOR && i < stmt->for_.sum_count; i++)
        keeps_all(uses, stmt->for_.sums[i]);
    for_each_value (value, stmt)
        note_uses(uses, value, stmt->kind == IR_SET && uses->cut[stmt->set.var->id]);
}

/* A variable that is set to what is made of another's low bits, or of its own, may be one if that
** other is. */
static void find_cut(Narrow *n)
{
    NarrowUses uses = { .n = n, .cut = arena_array(n->arena, bool, n->fn->var_count + 1) };
    bool any = false;
    for (int i = 0; i < n->fn->var_count; i++) {
        const IrVar *var = n->fn->vars[i];
        uses.cut[i] =
            var->kind == VAR_LOCAL && narrow_is_wide(var->type) && !becomes_narrow(n, var);
        any |= uses.cut[i];
    }
    for (uses.changed = any; uses.changed;) {
        uses.changed = false;
        ir_each_stmt(&n->fn->body, note_uses_of, &uses);
    }
    n->cut = uses.cut;
}

/* How often variables are read as parts of sums that are indices, or compared. */
typedef struct IndexUses {
    const Narrow *n;
    IrSets sets;
    int *all, *index, *compared; /* by IrVar.id */
} IndexUses;

static void count_parts(const IndexUses *uses, int *counts, const IrValue *value)
{
    if (value->op == OP_add || value->op == OP_sub || value->op == OP_cast)
        for (int i = 0; i < value->count; i++)
            count_parts(uses, counts, value->operands[i]);
    if (value->op == OP_var)
        counts[value->var->id]++;
}

static void count_index_node(void *context, IrValue *value)
{
    const IndexUses *uses = context;
    if (value->op == OP_var)
        uses->all[value->var->id]++;
    for (int i = 1; value->op == OP_load && i < value->count; i++)
        count_parts(uses, uses->index, value->operands[i]);
    for (int i = 0; ir_is_comparison(value->op) && i < 2; i++)
        count_parts(uses, uses->compared, value->operands[i]);
}

static void count_index_stmt(void *context, IrStmt *stmt)
{
    const IndexUses *uses = context;
    ir_each_own_node(stmt, count_index_node, context);
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        count_parts(uses, uses->index, stmt->store.indices[i]);
    if (stmt->kind == IR_SET && uses->n->index[stmt->set.var->id])
        count_parts(uses, uses->index, stmt->set.value);
}

static bool is_index_sum(const IndexUses *uses, int id)
{
    const IrValue *set = sets_value(&uses->sets, uses->n->fn->vars[id]);
    return set && set->type == type_int64 && (set->op == OP_add || set->op == OP_sub) &&
           uses->index[id] && uses->index[id] + uses->compared[id] == uses->all[id];
}

/* Variables that are sums for indices alone: to the C compiler what they hold moves by one where
** the counter does, as a sum of 32 bits, which may wrap, does not. */
static void find_index_sums(Narrow *n)
{
    enum { ROUNDS = 3 }; /* sums of sums */
    int count = n->fn->var_count + 1;
    n->index = arena_array(n->arena, bool, count);
    IndexUses uses = { .n = n, .sets = ir_sets(n->arena, n->fn, &n->fn->body) };
    for (int round = 0; n->unit->processor && round < ROUNDS; round++) {
        uses.all = arena_array(n->arena, int, count);
        uses.index = arena_array(n->arena, int, count);
        uses.compared = arena_array(n->arena, int, count);
        ir_each_stmt(&n->fn->body, count_index_stmt, &uses);
        for (int i = 0; i < n->fn->var_count; i++)
            n->index[i] = is_index_sum(&uses, i);
    }
}

static void narrow_variables(Narrow *n)
{
    n->narrowed = arena_array(n->arena, bool, n->fn->var_count + 1);
    find_cut(n);
    find_index_sums(n);
    for (int i = 0; i < n->fn->var_count; i++) {
        IrVar *var = n->fn->vars[i];
        n->narrowed[i] = n->cut[i] || (becomes_narrow(n, var) && !n->index[i]);
        if (!n->narrowed[i])
            continue;
        var->nonnegative =
            !n->cut[i] && (var->nonnegative || bounds_of_var(n->bounds, var).low >= 0);
        var->positive &= !n->cut[i];
        var->type = type_int32;
    }
}

void ir_narrow(IrUnit *unit)
{
    Narrow n = { .unit = unit, .fn = unit->kernel, .arena = unit->arena };

    if (!launch_narrow(unit->launch)) {
        ir_remark(unit, n.fn->span,
                  "indices have 64 bits: elements and threads come to more than 2^31");
        return;
    }
    if (unit->narrow) /* it was read so */
        return;
    n.shrinks = ir_region_has_node(&n.fn->body, narrow_shrinks);
    for (int i = 0; i < unit->count; i++)
        n.shrinks |= ir_region_has_node(&unit->functions[i]->body, narrow_shrinks);
    ir_range(unit);
    n.bounds = ir_bounds(unit);
    narrow_variables(&n);
    bounds_walk(n.bounds, narrow_stmt, &n);
    unit->narrow = true;
}

/* What threads of a tile do by atomics to one element they do to it at once:
**
**     eval atomic_add(sums, i, load(x, i, j))      sum = load(x, i, j_0)
**                                                  sum = add(sum, load(x, i, j_1))
** becomes                                          eval atomic_add(sums, i, sum)
**
** Legal for sums, maxima, minima and bits of integers whose results are unused: that all threads of
** a tile come one directly after the other is one of the orders in which they could. Of floats sums
** alone, where the kernel does nothing else with the array and no other argument lies there: sums
** of floats by atomics are of no certain order anyway. Elements that stand for an exact sum, or for
** a copy of another array's, are left to the passes that made them so.
**
** Neighbours whose indices are quotients, as i // cols in sums of rows of an array in one axis, ask
** whether these are the same.
**
** What is added where data says so, `if lt(0.5, load(x, i, j)): eval atomic_add(counts, i, 1)`, is
** added up where it does, and brought to the element if it did for any. */
#include "ir/analysis/accesses.h"
#include "ir/schedule/coarsen/coarsen.h"

bool jam_adds_up(const IrUnit *unit, const IrStmt *stmt)
{
    const IrValue *atomic = stmt->kind == IR_EVAL ? atomic_of(stmt) : NULL;
    Combine combine = atomic ? atomic_combine(atomic) : COMBINE_NONE;
    const IrVar *param = combine ? privatise_whole(atomic->operands[0]) : NULL;
    if (!param || param->exact || param->merged || param->type->array.unaligned)
        return false;
    const Type *element = param->type->array.element;
    bool alone = unit->kernel->access[param->param] == ACCESS_ATOMIC &&
                 launch_alone(unit->launch, param->param);
    return (type_is_integer(element) && type_size(element) >= 4) ||
           (type_is_float(element) && type_size(element) >= 4 && combine == COMBINE_SUM && alone);
}

/* What a thread brings, as an element. */
static IrValue *added(Jam *jam, const IrValue *atomic, TileCoord coord)
{
    Arena *arena = jam->unit->arena;
    const Type *element = atomic->operands[0]->type->array.element;
    IrValue *value = jam_value(jam, atomic->operands[atomic->count - 1], coord);
    return value->type == element ? value : ir_cast(arena, element, value, atomic->span);
}

static IrValue *combined(Jam *jam, Combine combine, IrVar *total, IrValue *more)
{
    static const IrOp ops[] = {
        [COMBINE_SUM] = OP_add, [COMBINE_AND] = OP_and, [COMBINE_OR] = OP_or, [COMBINE_XOR] = OP_xor
    };
    Arena *arena = jam->unit->arena;
    IrValue *before = ir_var(arena, total, more->span);
    if (combine == COMBINE_MAX || combine == COMBINE_MIN)
        return ir_intrinsic(arena, combine == COMBINE_MAX ? INTR_max : INTR_min, total->type,
                            more->span, before, more, NULL);
    return ir_binary(arena, ops[combine], before, more, more->span);
}

/* What sums and bits of integers begin with where no thread may bring any; of floats -0.0, as
** 0.0 + -0.0 is 0.0. */
static IrValue *nothing(Arena *arena, const Type *element, Span span)
{
    return type_is_float(element) ? ir_number(arena, element, -0.0, span)
                                  : ir_zero(arena, element, span);
}

/* The total with a value, where a thread's condition holds, which is noted; else as it is. */
static IrValue *where_holds(Jam *jam, const IrStmt *branch, TileCoord coord, IrVar *any,
                            IrVar *total, IrValue *value, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    Span span = branch->span;
    IrVar *holds = ir_temporary(arena, jam->unit->kernel, "holds", type_bool, span);
    ir_append(out, ir_set(arena, holds, jam_value(jam, branch->if_.condition, coord), span));
    ir_append(out, ir_set(arena, any,
                          ir_binary(arena, OP_or_else, ir_var(arena, any, span),
                                    ir_var(arena, holds, span), span),
                          span));
    return ir_select(arena, ir_var(arena, holds, span), value, ir_var(arena, total, span), span);
}

/* Does once what threads do that differ in `shared` alone, from `coord` on; of a branch, where its
** condition holds for any. */
static void append_sum(Jam *jam, const IrStmt *branch, const IrStmt *stmt, TileCoord coord,
                       Steps shared, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    const IrValue *atomic = stmt->eval.value;
    const Type *element = atomic->operands[0]->type->array.element;
    IrVar *total = ir_temporary(arena, jam->unit->kernel, "sum", element, stmt->span), *any = NULL;
    TileCoord first = coord;
    if (branch) {
        any = ir_temporary(arena, jam->unit->kernel, "any", type_bool, stmt->span);
        ir_append(out, ir_set(arena, any, ir_integer(arena, type_bool, 0, stmt->span), stmt->span));
        ir_append(out, ir_set(arena, total, nothing(arena, element, stmt->span), stmt->span));
    }
    for (bool more = true, begun = branch; more; begun = true) {
        IrValue *value = added(jam, atomic, coord);
        if (begun)
            value = combined(jam, atomic_combine(atomic), total, value);
        if (branch)
            value = where_holds(jam, branch, coord, any, total, value, out);
        ir_append(out, ir_set(arena, total, value, stmt->span));
        more = coord_next(jam->tile, shared, &coord);
    }
    IrValue *once = jam_value(jam, atomic, first);
    once->operands[once->count - 1] = ir_var(arena, total, stmt->span);
    IrStmt *around = any ? ir_if(arena, ir_var(arena, any, stmt->span), stmt->span) : NULL;
    ir_append(around ? &around->if_.then : out, ir_eval(arena, once, stmt->span));
    if (around)
        ir_append(out, around);
}

const IrStmt *jam_only_sum(const IrUnit *unit, const IrStmt *stmt)
{
    if (stmt->kind != IR_IF)
        return jam_adds_up(unit, stmt) ? stmt : NULL;
    const IrStmt *only = stmt->if_.otherwise.first ? NULL : stmt->if_.then.first;
    if (!only || only->next || !jam_adds_up(unit, only) ||
        ir_value_effects(stmt->if_.condition) & ~EFFECT_READ)
        return NULL;
    Combine combine = atomic_combine(only->eval.value);
    return combine == COMBINE_SUM || combine == COMBINE_OR || combine == COMBINE_XOR ? only : NULL;
}

/* Whether indices differ between neighbours along the lanes as quotients alone do. */
static bool are_quotients(const Jam *jam, const IrValue *atomic)
{
    for (int i = 1; i < atomic->count - 1; i++)
        if (ir_value_effects(atomic->operands[i]) != EFFECT_NONE ||
            !affine_shared(jam->affine, atomic->operands[i], jam->tile->axis[LANES]))
            return false;
    return true;
}

/* Whether an index is a quotient as a whole, which goes one way from neighbour to neighbour. */
static bool is_quotient(const Jam *jam, const IrValue *index)
{
    int64_t slope;
    index = sets_behind_casts(&jam->affine->sets, index);
    return index->op == OP_floordiv &&
           affine_slope(jam->affine, index->operands[0], jam->tile->axis[LANES], &slope);
}

/* That all neighbours name one element: quotients do if those of the first and the last do. */
static IrValue *are_same(Jam *jam, const IrValue *atomic, TileCoord coord, Steps near)
{
    TileCoord first = coord;
    IrValue *all = NULL;
    int last = jam->tile->count[LANES][NEAR] - 1;
    while (coord_next(jam->tile, near, &coord))
        for (int i = 1; i < atomic->count - 1; i++) {
            const IrValue *index = atomic->operands[i];
            if (!(jam_steps(jam, index) & near) ||
                (coord.at[LANES][NEAR] < last && is_quotient(jam, index)))
                continue;
            IrValue *same = ir_binary(jam->unit->arena, OP_eq, jam_value(jam, index, first),
                                      jam_value(jam, index, coord), atomic->span);
            all = ir_both(jam->unit->arena, all, same);
        }
    return all;
}

/* Once for all neighbours if they name one element; else by each. */
static void append_either(Jam *jam, const IrStmt *branch, const IrStmt *stmt, TileCoord coord,
                          Steps shared, Steps near, IrRegion *out)
{
    IrStmt *fork =
        ir_if(jam->unit->arena, are_same(jam, stmt->eval.value, coord, near), stmt->span);
    append_sum(jam, branch, stmt, coord, shared | near, &fork->if_.then);
    do
        append_sum(jam, branch, stmt, coord, shared, &fork->if_.otherwise);
    while (coord_next(jam->tile, near, &coord));
    ir_append(out, fork);
}

bool jam_sums(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, IrRegion *out)
{
    const IrStmt *only = jam_only_sum(jam->unit, stmt);
    const IrValue *atomic = only ? only->eval.value : NULL;
    Steps own = 0;
    if (!only)
        return false;
    for (int i = 0; i < atomic->count - 1; i++)
        own |= jam_steps(jam, atomic->operands[i]) & steps;
    Steps near = own & 1u << (LANES * STEPS + NEAR), shared = steps & ~own;
    near = near && are_quotients(jam, atomic) ? near : 0;
    if (own == steps && !near)
        return false;
    if (stmt != only)
        jam_load_ahead(jam, stmt, coord, steps, true, out);
    const IrStmt *branch = stmt == only ? NULL : stmt;
    do
        if (near)
            append_either(jam, branch, only, coord, shared, near, out);
        else
            append_sum(jam, branch, only, coord, shared, out);
    while (coord_next(jam->tile, own & ~near, &coord));
    return true;
}

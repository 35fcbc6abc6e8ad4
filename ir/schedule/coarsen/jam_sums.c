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
** a copy of another array's, are left to the passes that made them so. */
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

/* What threads do that differ in `shared` alone, from `coord` on. */
static void append_sum(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps shared, IrRegion *out)
{
    Arena *arena = jam->unit->arena;
    const IrValue *atomic = stmt->eval.value;
    const Type *element = atomic->operands[0]->type->array.element;
    IrVar *total = ir_temporary(arena, jam->unit->kernel, "sum", element, stmt->span);
    TileCoord first = coord;
    ir_append(out, ir_set(arena, total, added(jam, atomic, coord), stmt->span));
    while (coord_next(jam->tile, shared, &coord))
        ir_append(out,
                  ir_set(arena, total,
                         combined(jam, atomic_combine(atomic), total, added(jam, atomic, coord)),
                         stmt->span));
    IrValue *once = jam_value(jam, atomic, first);
    once->operands[once->count - 1] = ir_var(arena, total, stmt->span);
    ir_append(out, ir_eval(arena, once, stmt->span));
}

bool jam_sums(Jam *jam, const IrStmt *stmt, TileCoord coord, Steps steps, IrRegion *out)
{
    const IrValue *atomic = stmt->eval.value;
    Steps own = 0;
    if (!jam_adds_up(jam->unit, stmt))
        return false;
    for (int i = 0; i < atomic->count - 1; i++)
        own |= jam_steps(jam, atomic->operands[i]) & steps;
    if (own == steps)
        return false;
    do
        append_sum(jam, stmt, coord, steps & ~own, out);
    while (coord_next(jam->tile, own, &coord));
    return true;
}

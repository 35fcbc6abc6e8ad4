/* Atomic sums in a tile: threads that add to one element add to a variable, which is added to the
** element once:
**
**     for x in first_x to end_x               sum = 0
**         eval atomic_add(total, 0, f(x))     for x in first_x to end_x in any order, sums sum
**                                   becomes       sum = sum + f(x)
**                                             if sum != 0: eval atomic_add(total, 0, sum)
**
** Legal where what the atomic finds is not used, as in all that comes here, and nothing else in the
** kernel accesses the array: then sums by atomics are of no certain order. No other may come to an
** element that no thread would have come to: it may not be there. So sums of floats, which may be 0
** all the same, count the additions. Of many -0.0 and nothing else the sum may be 0.0. */
#include "ir/schedule/tile/tiles.h"

typedef struct TileSumUses {
    const IrVar *var;
    int adds, others;
} TileSumUses;

static void note_use(void *context, IrValue *value)
{
    TileSumUses *uses = context;
    bool mine = value->count && ir_is_var(value->operands[0], uses->var);
    uses->adds += mine && ir_is_intrinsic(value, INTR_atomic_add);
    uses->others += ir_counts_access(value, uses->var);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    TileSumUses *uses = context;
    ir_each_own_node(stmt, note_use, uses);
    uses->others += ir_set_var(stmt) == uses->var;
}

/* Whether all that happens to an array is that atomics add to it. */
static bool is_only_added_to(const Tiles *tiles, const IrVar *array)
{
    TileSumUses uses = { .var = array };
    if (!launch_alone(tiles->unit->launch, array->param))
        return false;
    ir_each_stmt(&tiles->unit->kernel->body, note_stmt, &uses);
    return uses.others == uses.adds;
}

static bool is_sum(const Tiles *tiles, const IrStmt *stmt)
{
    if (stmt->kind != IR_EVAL || !ir_is_intrinsic(stmt->eval.value, INTR_atomic_add))
        return false;
    const IrValue *atomic = stmt->eval.value, *array = atomic->operands[0];
    const Type *element = array->type->array.element;
    size_t bytes = type_size(element);
    bool number = type_is_number(element) && bytes >= 4;
    if (!number || array->op != OP_var || array->var->kind != VAR_PARAM ||
        !is_only_added_to(tiles, array->var))
        return false;
    for (int i = 1; i < atomic->count - 1; i++)
        if (!tiles_outside(tiles, atomic->operands[i]))
            return false;
    return true;
}

typedef struct TileSumSearch {
    const Tiles *tiles;
    TileSums *sums;
} TileSumSearch;

static void find_stmt(void *context, IrStmt *stmt)
{
    TileSumSearch *f = context;
    IrRegion *regions[2];
    if (is_sum(f->tiles, stmt)) {
        array_push(f->tiles->unit->arena, f->sums->list, f->sums->count, f->sums->capacity) =
            (struct TileSum){ .stmt = stmt };
        return;
    }
    if (!ir_regions(stmt, regions) && (ir_stmt_effects(stmt) & EFFECT_ORDERED & ~EFFECT_WRITE))
        f->sums->whole = false;
}

TileSums tiles_sums(const Tiles *tiles, const TilePart *nest)
{
    TileSums sums = { .whole = true };
    TileSumSearch f = { tiles, &sums };
    for (int i = 0; i < nest->count; i++)
        ir_each_stmt_of(nest->stmts[i], find_stmt, &f);
    return sums;
}

/* What changes nothing when added: of floats -0, which leaves -0 as it is. */
static IrValue *nothing(Arena *arena, const Type *type, Span span)
{
    return type_is_float(type) ? ir_number(arena, type, -0.0, span)
                               : ir_integer(arena, type, 0, span);
}

void tiles_sums_begin(const Tiles *tiles, TileSums *sums, IrRegion *out)
{
    Arena *arena = tiles->unit->arena;
    for (int i = 0; i < sums->count; i++) {
        struct TileSum *sum = &sums->list[i];
        const Type *type = sum->stmt->eval.value->operands[0]->type->array.element;
        Span span = sum->stmt->span;
        sum->sum = ir_temporary(arena, tiles->unit->kernel, "sum", type, span);
        ir_append(out, ir_set(arena, sum->sum, nothing(arena, type, span), span));
        if (!type_is_float(type))
            continue;
        sum->met = ir_temporary(arena, tiles->unit->kernel, "met", type_int64, span);
        ir_append(out, ir_set(arena, sum->met, nothing(arena, type_int64, span), span));
    }
}

static IrStmt *add_to(Arena *arena, IrVar *var, IrValue *value, Span span)
{
    return ir_set(arena, var, ir_binary(arena, OP_add, ir_var(arena, var, span), value, span),
                  span);
}

bool tiles_sums_stmt(const IrClone *clone, const TileSums *sums, const IrStmt *stmt, IrRegion *out)
{
    Arena *arena = clone->arena;
    for (int i = 0; i < sums->count; i++) {
        const struct TileSum *sum = &sums->list[i];
        if (sum->stmt != stmt)
            continue;
        const IrValue *atomic = stmt->eval.value;
        ir_append(out,
                  add_to(arena, sum->sum,
                         ir_clone_value(clone, atomic->operands[atomic->count - 1]), stmt->span));
        if (sum->met)
            ir_append(out, add_to(arena, sum->met, ir_integer(arena, type_int64, 1, stmt->span),
                                  stmt->span));
        return true;
    }
    return false;
}

void tiles_sums_end(const Tiles *tiles, const TileSums *sums, const IrClone *outside, IrRegion *out)
{
    Arena *arena = tiles->unit->arena;
    for (int i = 0; i < sums->count; i++) {
        const struct TileSum *sum = &sums->list[i];
        Span span = sum->stmt->span;
        IrVar *tell = sum->met ? sum->met : sum->sum;
        IrValue *atomic = ir_clone_value(outside, sum->stmt->eval.value);
        atomic->operands[atomic->count - 1] = ir_var(arena, sum->sum, span);
        IrValue *any = ir_binary(arena, OP_ne, ir_var(arena, tell, span),
                                 ir_integer(arena, tell->type, 0, span), span);
        IrStmt *branch = ir_if(arena, any, span);
        ir_append(&branch->if_.then, ir_eval(arena, atomic, span));
        ir_append(out, branch);
    }
}

IrVar **tiles_sums_vars(const Tiles *tiles, const TileSums *sums, int *count)
{
    IrVar **vars = arena_array(tiles->unit->arena, IrVar *, 2 * sums->count + 1);
    *count = 0;
    for (int i = 0; i < sums->count; i++) {
        vars[(*count)++] = sums->list[i].sum;
        if (sums->list[i].met)
            vars[(*count)++] = sums->list[i].met;
    }
    return vars;
}

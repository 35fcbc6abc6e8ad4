/* What each function does: its effects as a whole, and what it does to the memory behind each of
** its parameters.
**
** A function's findings feed its callers', so callees come first, and a recursive function is gone
** over until nothing changes. */
#include "ir/analysis/points_to.h"

typedef struct Effects {
    IrFunc *fn;
    IrPointsTo points_to;
    Arena *arena;
    int effects;
    bool changed;
} Effects;

static void mark_access(Effects *e, const IrValue *array, int access)
{
    const uint64_t *set = ir_pointees(&e->points_to, array);
    for (int i = 0; i < e->fn->param_count; i++) {
        if (!ir_pointees_have(set, i) || (e->fn->access[i] & access) == access)
            continue;
        e->fn->access[i] |= access;
        e->changed = true;
    }
}

static void access_of_node(void *context, IrValue *value)
{
    Effects *e = context;
    e->effects |= ir_own_effects(value);
    if (value->op == OP_load)
        mark_access(e, value->operands[0], ACCESS_READ);
    else if (value->op == OP_intrinsic &&
             (value->intrinsic == INTR_wide_load || value->intrinsic == INTR_rows_load))
        mark_access(e, value->operands[1], ACCESS_READ);
    else if (ir_is_intrinsic(value, INTR_async_copy))
        mark_access(e, value->operands[ir_async_source(value)], ACCESS_READ);
    else if (ir_is_intrinsic(value, INTR_tile_load))
        mark_access(e, value->operands[TILE_LOAD_SOURCE], ACCESS_READ);
    else if (ir_is_intrinsic(value, INTR_wide_store))
        mark_access(e, value->operands[0], ACCESS_WRITE);
    else if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC)
        mark_access(e, value->operands[0], ACCESS_ATOMIC);
    else if (value->op == OP_call)
        for (int i = 0; i < value->count; i++)
            if (value->callee->access && value->callee->access[i])
                mark_access(e, value->operands[i], value->callee->access[i]);
}

static void access_of_stmt(void *context, IrStmt *stmt)
{
    Effects *e = context;
    ir_each_own_node(stmt, access_of_node, e);
    e->effects |= ir_kind_effects(stmt->kind);
    if (stmt->kind == IR_STORE)
        mark_access(e, stmt->store.array, ACCESS_WRITE);
}

/* What is linked is not looked into: it may do all but wait for the block. */
int ir_function_effects(const IrFunc *fn)
{
    const int any = EFFECT_READ | EFFECT_WRITE | EFFECT_ATOMIC | EFFECT_FENCE | EFFECT_IO;
    if (!fn->foreign)
        return ir_region_effects(&fn->body);
    return any | (fn->foreign->cooperative ? EFFECT_BLOCK_SYNC | EFFECT_GRID_SYNC : 0);
}

/* Goes over one function once; true if it does more than was known. */
static bool visit_function(Arena *arena, IrFunc *fn)
{
    Effects e = { .fn = fn, .points_to = ir_points_to(arena, fn), .arena = arena };
    ir_each_stmt(&fn->body, access_of_stmt, &e);
    if (fn->foreign)
        e.effects = ir_function_effects(fn);
    e.changed |= e.effects != fn->effects;
    fn->effects = e.effects;
    return e.changed;
}

static void start_over(Arena *arena, IrFunc *fn)
{
    fn->effects = EFFECT_NONE;
    fn->access = arena_array(arena, int, fn->param_count + 1);
    for (int i = 0; fn->foreign && i < fn->param_count; i++)
        if (type_is_array(fn->vars[i]->type))
            fn->access[i] = ACCESS_READ | ACCESS_WRITE | ACCESS_ATOMIC;
}

void ir_effects(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        start_over(unit->arena, unit->functions[i]);
    start_over(unit->arena, unit->kernel);
    bool changed;
    do {
        changed = false;
        for (int i = 0; i < unit->count; i++)
            changed |= visit_function(unit->arena, unit->functions[i]);
    } while (changed);
    visit_function(unit->arena, unit->kernel);
}

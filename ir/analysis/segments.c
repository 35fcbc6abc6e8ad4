#include "ir/analysis/segments.h"

#include "ir/analysis/points_to.h"

bool ir_waits(const IrStmt *stmt)
{
    return ir_stmt_effects(stmt) & EFFECT_BLOCK_SYNC;
}

/* ---- exchanges without a barrier ------------------------------------------------------------- */

typedef struct SegmentStores {
    const IrStmt **list;
    int count, capacity;
    IrPointsTo points_to;
    IrLaunch *launch;
    bool exchanges;
} SegmentStores;

/* Whether an array may lie in shared memory. */
static bool may_be_shared(const SegmentStores *s, const IrValue *array)
{
    const uint64_t *set = ir_pointees(&s->points_to, array);
    for_each_pointee (id, &s->points_to, set)
        if (ir_is_shared(s->points_to.fn->vars[id]))
            return true;
    return ir_pointees_elsewhere(&s->points_to, set);
}

static bool may_meet(const SegmentStores *s, const IrValue *a, const IrValue *b)
{
    const IrVar *one, *other;
    return ir_may_alias(&s->points_to, s->launch, ir_pointees(&s->points_to, a),
                        ir_pointees(&s->points_to, b), &one, &other);
}

/* Whether a load finds what the store has left, if that is another thread's. */
static bool is_of_another(const SegmentStores *s, const IrStmt *store, const IrValue *load)
{
    if (!may_meet(s, store->store.array, load->operands[0]))
        return false;
    if (store->store.count != load->count - 1 || store->store.array->op != OP_var ||
        !ir_is_var(load->operands[0], store->store.array->var))
        return true;
    for (int i = 0; i < store->store.count; i++)
        if (!ir_same_value(store->store.indices[i], load->operands[i + 1]))
            return true;
    return false;
}

static void visit_node(void *context, IrValue *value)
{
    SegmentStores *s = context;
    for (int i = 0; value->op == OP_load && i < s->count; i++)
        s->exchanges |= is_of_another(s, s->list[i], value);
}

/* In the order of the text; what a loop stores is there in its next iteration. */
static void visit_region(SegmentStores *s, const IrRegion *region);

static void visit_loop(SegmentStores *s, const IrStmt *stmt)
{
    const IrRegion *body = ir_loop_body(stmt);
    visit_region(s, body);
    visit_region(s, body);
}

static void visit_stmt(SegmentStores *s, const IrStmt *stmt)
{
    ir_each_own_node(stmt, visit_node, s);
    if (stmt->kind == IR_STORE && may_be_shared(s, stmt->store.array))
        array_push(s->points_to.arena, s->list, s->count, s->capacity) = stmt;
    if ((stmt->kind == IR_EVAL || stmt->kind == IR_SET) && ir_waits(stmt))
        s->count = 0;
    if (stmt->kind == IR_IF) {
        visit_region(s, &stmt->if_.then);
        visit_region(s, &stmt->if_.otherwise);
    } else if (ir_is_loop(stmt)) {
        visit_loop(s, stmt);
    }
}

static void visit_region(SegmentStores *s, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt && !s->exchanges; stmt = stmt->next)
        visit_stmt(s, stmt);
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool is_lane(const IrValue *value)
{
    return ir_is_intrinsic(value, INTR_laneid);
}

const char *ir_warp_hindrance(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    SegmentStores s = { .points_to = ir_points_to(unit->arena, fn), .launch = unit->launch };
    if (ir_region_has_node(&fn->body, is_lane))
        return "lanes are asked for";
    if (unit->count)
        return "it calls functions that are not inlined";
    if (ir_region_effects(&fn->body) & EFFECT_WARP_SYNC)
        return "the kernel works by warps";
    if (fn->options.launch_cluster)
        return "the kernel is launched in clusters";
    visit_region(&s, &fn->body);
    return s.exchanges ? "threads read what others wrote without a barrier between" : NULL;
}

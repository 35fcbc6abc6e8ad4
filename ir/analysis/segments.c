#include "ir/analysis/segments.h"

#include "ir/analysis/accesses.h"
#include "ir/analysis/step.h"

bool ir_waits(const IrStmt *stmt)
{
    return ir_stmt_effects(stmt) & EFFECT_BLOCK_SYNC;
}

/* ---- exchanges without a barrier ------------------------------------------------------------- */

typedef struct Stores {
    const IrStmt **list;
    int count, capacity;
    Arena *arena;
    bool exchanges;
} Stores;

static bool is_shared(const IrVar *var)
{
    return var && (var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC);
}

/* Whether a load finds what the store has left, if that is another thread's. */
static bool is_of_another(const IrStmt *store, const IrValue *load)
{
    if (ir_memory_of(store->store.array) != ir_memory_of(load->operands[0]))
        return false;
    if (store->store.count != load->count - 1 || store->store.array->op != OP_var ||
        load->operands[0]->op != OP_var)
        return true;
    for (int i = 0; i < store->store.count; i++)
        if (!ir_same_value(store->store.indices[i], load->operands[i + 1]))
            return true;
    return false;
}

static void visit_node(void *context, IrValue *value)
{
    Stores *s = context;
    for (int i = 0; value->op == OP_load && i < s->count; i++)
        s->exchanges |= is_of_another(s->list[i], value);
}

static void visit_root(void *context, IrValue *value)
{
    ir_each_node(value, visit_node, context);
}

/* In the order of the text; what a loop stores is there in its next iteration. */
static void visit_region(Stores *s, const IrRegion *region);

static void visit_loop(Stores *s, const IrStmt *stmt)
{
    const IrRegion *body = stmt->kind == IR_FOR ? &stmt->for_.body : &stmt->while_.body;
    visit_region(s, body);
    visit_region(s, body);
}

static void visit_stmt(Stores *s, const IrStmt *stmt)
{
    ir_each_value(stmt, visit_root, s);
    if (stmt->kind == IR_STORE && is_shared(ir_memory_of(stmt->store.array)))
        array_push(s->arena, s->list, s->count, s->capacity) = stmt;
    if ((stmt->kind == IR_EVAL || stmt->kind == IR_SET) && ir_waits(stmt))
        s->count = 0;
    if (stmt->kind == IR_IF) {
        visit_region(s, &stmt->if_.then);
        visit_region(s, &stmt->if_.otherwise);
    } else if (stmt->kind == IR_FOR || stmt->kind == IR_WHILE) {
        visit_loop(s, stmt);
    }
}

static void visit_region(Stores *s, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt && !s->exchanges; stmt = stmt->next)
        visit_stmt(s, stmt);
}

/* ---- all of it --------------------------------------------------------------------------- */

static void find_lane(void *context, IrValue *value)
{
    *(bool *)context |= value->op == OP_intrinsic && value->intrinsic == INTR_laneid;
}

const char *ir_warp_hindrance(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    Stores s = { .arena = unit->arena };
    bool lane = false;
    for (const IrStmt *stmt = fn->body.first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, find_lane, &lane);
    if (lane)
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

/* Thread axes in the right order.
**
**     x, y = cuda.grid(2)                threads beside each other along x walk down the rows of a
**     out[x, y] = a[x, k] * b[k, y]      and out: each access of a warp is 32 pieces of memory
**
** The launch is carried out with its axes exchanged: what the text calls x is the hardware's y, and
** the other way round. Every question after a thread's place, a block's, or their numbers is asked
** of the axis that stands for the one in the text; so each thread computes what it did, and only
** which threads share a warp has changed.
**
** It is LEGAL if nothing tells which threads share a warp: no operation of warps, no lane numbers,
** no clusters; and no thread reads what another has written to shared memory without a barrier
** between them, which programs for old devices could do within a warp.
**
** It PAYS if more accesses, those in loops counting more, are to neighbouring elements along the
** axis that comes first then: neighbours in a warp share pieces of 32 bytes of global memory, and
** should not meet in the banks of shared memory. Without a clear gain things stay as they are. */
#include "ir/optimise.h"
#include "ir/segments.h"
#include "ir/step.h"

enum {
    BANKS = 32,         /* of shared memory */
    BANK = 4,           /* bytes side by side in one */
    SHORT = 8,          /* a block's axis with fewer threads is no better in front */
    LOOP_WEIGHT = 8,    /* that the text of a loop is run so much more often than what is around */
    LOOP_DEPTH_MAX = 4, /* deeper ones count as much as this */
};

typedef struct Axes {
    IrUnit *unit;
    IrSteps steps;
    bool asked[3]; /* the kernel asks for threads' places along the axis */
    int64_t weight;
    int64_t cost[3];        /* of all accesses, by which axis comes first */
    int64_t worst;          /* what the access costs that is the dearest now */
    Span worst_span;        /* where that is */
    const IrVar *worst_var; /* and of what */
} Axes;

/* ---- what accesses cost ---------------------------------------------------------------------- */

typedef enum Access { REACHED_LOAD, REACHED_STORE, REACHED_UPDATE } Access;

/* A warp's access to global memory: as many pieces as it touches, about. Atomic updates of one
** element queue up. */
static int64_t global_cost(IrReach reach, int64_t distance, int64_t bytes, Access access)
{
    int64_t apart = (distance < 0 ? -distance : distance) * bytes;
    switch (reach) {
    case REACH_SAME:
        return access == REACHED_LOAD ? 1 : access == REACHED_STORE ? 4 : 32;
    case REACH_NEXT:
        return 4;
    case REACH_NEAR:
        return apart < 32 ? apart : 32;
    case REACH_FAR:
        return 32;
    }
    return 32;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

/* A warp's access to shared memory: how many of its threads meet in one bank. */
static int64_t shared_cost(IrReach reach, int64_t distance, int64_t bytes)
{
    int64_t apart = (distance < 0 ? -distance : distance) * bytes / BANK;
    if (reach == REACH_SAME || apart <= 1)
        return 1;
    return reach == REACH_FAR ? 4 : greatest_divisor(apart, BANKS);
}

static void count_access(Axes *a, const IrValue *array, IrValue *const *indices, Access access,
                         Span span)
{
    const IrVar *var = ir_memory_of(array);
    bool shared = var && (var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC);
    int64_t bytes = (int64_t)type_size(array->type->array.element);
    if (var && (var->kind == VAR_PRIVATE || var->kind == VAR_CONSTANT))
        return;
    for (int axis = 0; axis < 3; axis++) {
        int64_t distance, cost;
        IrReach reach =
            ir_reach(&a->steps, array, indices, array->type->array.rank, axis, &distance);
        cost = shared ? shared_cost(reach, distance, bytes)
                      : global_cost(reach, distance, bytes, access);
        a->cost[axis] += cost * a->weight;
        if (axis == 0 && cost * a->weight > a->worst) {
            a->worst = cost * a->weight;
            a->worst_span = span;
            a->worst_var = var;
        }
    }
}

static void count_node(void *context, IrValue *value)
{
    bool atomic =
        value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC;
    if (value->op == OP_load || atomic)
        count_access(context, value->operands[0], value->operands + 1,
                     atomic ? REACHED_UPDATE : REACHED_LOAD, value->span);
}

static void count_root(void *context, IrValue *value)
{
    ir_each_node(value, count_node, context);
}

static void count_region(Axes *a, const IrRegion *region, int depth)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        ir_each_value(stmt, count_root, a);
        if (stmt->kind == IR_STORE)
            count_access(a, stmt->store.array, stmt->store.indices, REACHED_STORE, stmt->span);
        bool loop = (stmt->kind == IR_FOR || stmt->kind == IR_WHILE) && depth < LOOP_DEPTH_MAX;
        int64_t outer = a->weight;
        IrRegion *regions[2];
        a->weight *= loop ? LOOP_WEIGHT : 1;
        for (int i = 0, count = ir_regions(stmt, regions); i < count; i++)
            count_region(a, regions[i], depth + loop);
        a->weight = outer;
    }
}

/* ---- whether ----------------------------------------------------------------------------- */

static void find_axes(void *context, IrValue *value)
{
    bool *asked = context;
    if (value->op == OP_intrinsic &&
        (value->intrinsic == INTR_thread_idx || value->intrinsic == INTR_grid))
        asked[value->index] = true;
}

/* Along which axes the kernel asks for a thread's place; whether beyond the first. */
static bool find_asked(Axes *a)
{
    const IrRegion *body = &a->unit->kernel->body;
    for (const IrStmt *stmt = body->first; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, find_axes, a->asked);
    return a->asked[1] || a->asked[2];
}

/* The axis that should come first. */
static int best_axis(Axes *a)
{
    uint32_t block[3];
    int best = 0;
    bool known = launch_block(a->unit->launch, block);
    count_region(a, &a->unit->kernel->body, 0);
    if (known && block[0] < SHORT)
        return 0; /* its warps are others than this pass takes them for */
    for (int axis = 1; axis < 3; axis++)
        if (a->asked[axis] && a->cost[axis] < a->cost[best] && (!known || block[axis] >= SHORT))
            best = axis;
    return a->cost[best] * 5 < a->cost[0] * 4 ? best : 0;
}

/* ---- how ------------------------------------------------------------------------------------- */

static void turn_node(void *context, IrValue *value)
{
    const IrShape *shape = context;
    if (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize)
        value->index = shape->axis[value->index];
}

static void turn_root(void *context, IrValue *value)
{
    ir_each_node(value, turn_node, context);
}

static void turn_stmt(void *context, IrStmt *stmt)
{
    ir_each_value(stmt, turn_root, context);
}

void ir_axes(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Axes a = { .unit = unit, .weight = 1 };
    if (unit->shape.changed || !find_asked(&a))
        return;
    a.steps = ir_steps(unit);
    int best = best_axis(&a);
    if (best == 0)
        return;
    const char *hindrance = ir_warp_hindrance(unit);
    if (hindrance) {
        ir_remark(unit, a.worst_span,
                  "threads along x are far apart here; those along %c would be closer, but %s",
                  "xyz"[best], hindrance);
        return;
    }
    unit->shape = (IrShape){
        .changed = true, .axis = { 0, 1, 2 }, .divide = { 1, 1, 1 }, .merge = { 1, 1, 1 }
    };
    unit->shape.axis[0] = (uint8_t)best;
    unit->shape.axis[best] = 0;
    ir_each_stmt(&fn->body, turn_stmt, &unit->shape);
    ir_remark(unit, a.worst_span,
              "threads along x are far apart here: x and %c are exchanged, so that a warp's "
              "threads are neighbours along %c",
              "xyz"[best], "xyz"[best]);
}

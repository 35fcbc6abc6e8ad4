/* Thread axes in the right order.
**
**     x, y = cuda.grid(2)                threads beside each other along x walk down the rows of a
**     out[x, y] = a[x, k] * b[k, y]      and out: each access of a warp is 32 pieces of memory
**
** The launch is carried out with its axes in another order: what the text calls x is then the
** hardware's y, and the other way round. Every question after a thread's place, a block's, or their
** numbers is asked of the axis that stands for the one in the text; so each thread computes what it
** did, and only which threads share a warp has changed.
**
** It is LEGAL if nothing tells which threads share a warp: no operation of warps, no lane numbers,
** no clusters; and no thread reads what another has written to shared memory without a barrier
** between them, which programs for old devices could do within a warp.
**
** It PAYS if the first warp's accesses, those in loops counting more, then touch fewer pieces of 32
** bytes of global memory, and meet less in the banks of shared memory. Without a clear gain things
** stay as they are. */
#include "ir/optimise.h"
#include "ir/segments.h"
#include "ir/step.h"

enum {
    LANES = 32,
    BANKS = 32,         /* of shared memory */
    BANK = 4,           /* bytes side by side in one */
    PIECE = 32,         /* bytes of global memory that come together */
    DEEP_BLOCK = 64,    /* threads that a block may have along its last axis */
    ORDERS = 6,         /* of axes */
    LOOP_WEIGHT = 8,    /* that the text of a loop is run so much more often than what is around */
    LOOP_DEPTH_MAX = 4, /* deeper ones count as much as this */
};

/* The program's axes in the order in which the hardware has them. */
static const uint8_t orders[ORDERS][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 1, 0 },
                                           { 0, 2, 1 }, { 1, 2, 0 }, { 2, 0, 1 } };

typedef struct Axes {
    IrUnit *unit;
    IrSteps steps;
    bool asked[3]; /* the kernel asks for threads' places along the axis */
    uint32_t block[3];
    int64_t weight;
    int64_t cost[ORDERS]; /* of all accesses */
    int64_t worst;        /* what the access costs that is the dearest now */
    Span worst_span;      /* where that is */
} Axes;

/* ---- what accesses cost ---------------------------------------------------------------------- */

typedef enum Access { LOADS, STORES, UPDATES } Access;

/* How far an access moves with each thread along each of the program's axes, in bytes. */
typedef struct Moves {
    int64_t by[3];
    bool shared;
    Access access;
} Moves;

/* Where a warp's lanes find their elements, from where its first does. */
static void place_lanes(const Axes *a, const uint8_t order[3], const Moves *moves,
                        int64_t places[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t left = lane;
        places[lane] = 0;
        for (int k = 0; k < 3; k++) {
            uint32_t threads = a->block[order[k]];
            places[lane] += moves->by[order[k]] * (left % threads);
            left /= threads;
        }
    }
}

/* How many of a warp's places lie in different units of so many bytes. */
static int64_t count_units(const int64_t places[LANES], int64_t bytes)
{
    int64_t count = 0;
    for (int i = 0; i < LANES; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++)
            seen = (places[i] >= 0 ? places[i] / bytes : ~(~places[i] / bytes)) ==
                   (places[k] >= 0 ? places[k] / bytes : ~(~places[k] / bytes));
        count += !seen;
    }
    return count;
}

/* How many different words of one bank a warp asks for, at most. */
static int64_t count_conflicts(const int64_t places[LANES])
{
    int64_t most = 1;
    for (int i = 0; i < LANES; i++) {
        int64_t own = 1;
        for (int k = 0; k < i; k++) {
            int64_t apart = (places[i] - places[k]) / BANK;
            own += apart != 0 && apart % BANKS == 0;
        }
        most = own > most ? own : most;
    }
    return most;
}

/* Atomic updates of one element queue up. */
static int64_t cost_of(const Axes *a, const uint8_t order[3], const Moves *moves)
{
    int64_t places[LANES];
    place_lanes(a, order, moves, places);
    int64_t pieces = moves->shared ? count_conflicts(places) : count_units(places, PIECE);
    return moves->access == UPDATES  ? pieces + LANES - count_units(places, 1)
           : moves->access == STORES ? pieces + 1
                                     : pieces;
}

static Moves moves_of(const Axes *a, const IrValue *array, IrValue *const *indices, Access access)
{
    static const int64_t far_global[3] = { 0x10000040, 0x3000004c0, 0x5000005040 };
    const IrVar *var = ir_memory_of(array);
    int64_t bytes = (int64_t)type_size(array->type->array.element);
    Moves moves = { .access = access };
    moves.shared = var && (var->kind == VAR_SHARED || var->kind == VAR_SHARED_DYNAMIC);
    for (int axis = 0; axis < 3; axis++) {
        int64_t distance;
        IrReach reach =
            ir_reach(&a->steps, array, indices, array->type->array.rank, axis, &distance);
        moves.by[axis] = reach != REACH_FAR ? distance * bytes
                         : moves.shared     ? 4 * BANK /* who knows: not well, not badly */
                                            : far_global[axis];
    }
    return moves;
}

static void count_access(Axes *a, const IrValue *array, IrValue *const *indices, Access access,
                         Span span)
{
    const IrVar *var = ir_memory_of(array);
    if (var && (var->kind == VAR_PRIVATE || var->kind == VAR_CONSTANT))
        return;
    Moves moves = moves_of(a, array, indices, access);
    for (int i = 0; i < ORDERS; i++) {
        int64_t cost = cost_of(a, orders[i], &moves) * a->weight;
        a->cost[i] += cost;
        if (i == 0 && cost > a->worst) {
            a->worst = cost;
            a->worst_span = span;
        }
    }
}

static void count_node(void *context, IrValue *value)
{
    bool atomic =
        value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC;
    if (value->op == OP_load || atomic)
        count_access(context, value->operands[0], value->operands + 1, atomic ? UPDATES : LOADS,
                     value->span);
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
            count_access(a, stmt->store.array, stmt->store.indices, STORES, stmt->span);
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

/* Unknown, it is as if each axis filled a warp. */
static void find_block(Axes *a)
{
    if (!launch_block(a->unit->launch, a->block))
        for (int k = 0; k < 3; k++)
            a->block[k] = LANES;
}

/* The order of axes that is best: its number. */
static int best_order(Axes *a)
{
    int best = 0;
    find_block(a);
    count_region(a, &a->unit->kernel->body, 0);
    for (int i = 1; i < ORDERS; i++)
        if (a->asked[orders[i][0]] && a->block[orders[i][2]] <= DEEP_BLOCK &&
            a->cost[i] < a->cost[best])
            best = i;
    return a->cost[best] * 5 < a->cost[0] * 4 ? best : 0;
}

/* ---- how ------------------------------------------------------------------------------------- */

static void turn_node(void *context, IrValue *value)
{
    const int *now = context; /* where each of the program's axes is */
    if (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize)
        value->index = now[value->index];
}

static void turn_root(void *context, IrValue *value)
{
    ir_each_node(value, turn_node, context);
}

static void turn_stmt(void *context, IrStmt *stmt)
{
    ir_each_value(stmt, turn_root, context);
}

static void turn(IrUnit *unit, const uint8_t order[3])
{
    int now[3];
    unit->shape = (IrShape){ .changed = true, .divide = { 1, 1, 1 }, .merge = { 1, 1, 1 } };
    for (int k = 0; k < 3; k++) {
        unit->shape.axis[k] = order[k];
        now[order[k]] = k;
    }
    ir_each_stmt(&unit->kernel->body, turn_stmt, now);
}

void ir_axes(IrUnit *unit)
{
    Axes a = { .unit = unit, .weight = 1 };
    if (unit->shape.changed || !find_asked(&a))
        return;
    a.steps = ir_steps(unit);
    int best = best_order(&a);
    if (best == 0)
        return;
    const uint8_t *order = orders[best];
    const char *hindrance = ir_warp_hindrance(unit);
    if (hindrance) {
        ir_remark(unit, a.worst_span,
                  "a warp's threads are far apart here; in the order %c, %c, %c of axes they would "
                  "be closer, but %s",
                  "xyz"[order[0]], "xyz"[order[1]], "xyz"[order[2]], hindrance);
        return;
    }
    turn(unit, order);
    ir_remark(unit, a.worst_span,
              "a warp's threads are far apart here: axes come in the order %c, %c, %c, which makes "
              "them neighbours along %c",
              "xyz"[order[0]], "xyz"[order[1]], "xyz"[order[2]], "xyz"[order[0]]);
}

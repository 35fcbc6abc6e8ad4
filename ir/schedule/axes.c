/* Thread axes in the right order.
**
**     x, y = cuda.grid(2)                threads beside each other along x walk down the rows of a
**     out[x, y] = a[x, k] * b[k, y]      and out: each access of a warp is 32 pieces of memory
**
** The launch is carried out with its axes in another order: what the text calls x is then the
** hardware's y, and the other way round. Every question after a thread's index, a block's, or their
** numbers is asked of the axis that stands for the one in the text; so each thread computes what it
** did, and only which threads share a warp has changed.
**
** It is LEGAL if nothing tells which threads share a warp: no operation of warps, no lane numbers,
** no clusters; and no thread reads what another has written to shared memory without a barrier
** between them, which programs for old devices could do within a warp.
**
** It PAYS if the first warp's accesses, those in loops counting more, then access fewer pieces of
** 32 bytes of global memory, and meet less in the banks of shared memory. Without a clear gain
** things stay as they are; and with less than half where stores would be further apart, for which
** no cache makes up as it does for loads along a row. */
#include "ir/analysis/segments.h"
#include "ir/analysis/warp.h"
#include "ir/schedule/schedule.h"

enum {
    MOST_CONFLICTS = 4, /* of lanes in banks: against worse, rows are given room (pad.c) */
    ORDERS = 6,         /* of axes */
};

/* The program's axes in the order in which the hardware has them. */
static const uint8_t orders[ORDERS][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 1, 0 },
                                           { 0, 2, 1 }, { 1, 2, 0 }, { 2, 0, 1 } };

typedef struct AxesOrder {
    IrUnit *unit;
    IrAffine steps;
    bool asked[3]; /* the kernel asks for threads' indices along the axis */
    uint32_t block[3];
    int64_t cost[ORDERS]; /* of all accesses, */
    int64_t kept[ORDERS]; /* and of stores and atomics among them */
    int64_t worst;        /* what the access costs that is the dearest now */
    Span worst_span;      /* where that is */
} AxesOrder;

/* ---- what accesses cost ---------------------------------------------------------------------- */

/* Atomic updates of one element queue up. */
static int64_t cost_of(const AxesOrder *a, const uint8_t order[3], const IrMoves *moves,
                       IrEffect effect)
{
    const uint32_t block[3] = { a->block[order[0]], a->block[order[1]], a->block[order[2]] };
    const IrMoves exchanged = { { moves->by[order[0]], moves->by[order[1]], moves->by[order[2]] },
                                moves->shared };
    int64_t pieces = ir_warp_cost(block, &exchanged);
    if (moves->shared && pieces > MOST_CONFLICTS)
        pieces = MOST_CONFLICTS;
    return effect == EFFECT_ATOMIC  ? pieces + ir_warp_queue(block, &exchanged)
           : effect == EFFECT_WRITE ? pieces + 1
                                    : pieces;
}

static void count_access(void *context, const WarpAccess *access)
{
    AxesOrder *a = context;
    const IrVar *var = ir_array_base(access->array);
    if (var && (var->kind == VAR_PRIVATE || var->kind == VAR_CONSTANT))
        return;
    IrMoves moves = ir_moves(&a->steps, access->array, access->indices);
    for (int i = 0; i < ORDERS; i++) {
        int64_t cost = cost_of(a, orders[i], &moves, access->effect) * access->weight;
        a->cost[i] += cost;
        a->kept[i] += access->effect == EFFECT_READ ? 0 : cost;
        if (i == 0 && cost > a->worst) {
            a->worst = cost;
            a->worst_span = access->span;
        }
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

/* Along which axes the kernel asks for a thread's index; whether beyond the first. */
static bool find_asked(AxesOrder *a)
{
    ir_each_node_in(&a->unit->kernel->body, find_axes, a->asked);
    return a->asked[1] || a->asked[2];
}

/* Unknown, it is as if each axis filled a warp. */
static void find_block(AxesOrder *a)
{
    if (!launch_block(a->unit->launch, a->block))
        for (int k = 0; k < 3; k++)
            a->block[k] = WARP_LANES;
}

/* The order of axes that is best: its number. */
static int best_order(AxesOrder *a)
{
    int best = 0;
    find_block(a);
    ir_each_warp_access(&a->unit->kernel->body, count_access, a);
    for (int i = 1; i < ORDERS; i++)
        if (a->asked[orders[i][0]] && a->block[orders[i][2]] <= BLOCK_DEEP &&
            a->cost[i] < a->cost[best])
            best = i;
    if (a->kept[best] > a->kept[0])
        return a->cost[best] * 2 < a->cost[0] ? best : 0;
    return a->cost[best] * 5 < a->cost[0] * 4 ? best : 0;
}

/* ---- how ------------------------------------------------------------------------------------- */

static void exchange_node(void *context, IrValue *value)
{
    const int *now = context; /* where each of the program's axes is */
    if (value->op == OP_intrinsic && value->intrinsic <= INTR_gridsize)
        value->index = now[value->index];
}

static void exchange(IrUnit *unit, const uint8_t order[3])
{
    int now[3];
    IrShape *shape = &unit->shape;
    shape->changed = true;
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = order[k];
        shape->divide[k] = shape->merge[k] = 1;
        now[order[k]] = k;
    }
    ir_each_node_in(&unit->kernel->body, exchange_node, now);
}

/* Axes that a directive does not name come behind the others, in their order. */
static void complete_order(const Directive *directive, uint8_t order[3])
{
    int count = directive->axis_count;
    memcpy(order, directive->axes, 3);
    for (uint8_t axis = 0; axis < 3 && count < 3; axis++)
        if (!memchr(order, axis, (size_t)count))
            order[count++] = axis;
}

void ir_axes(IrUnit *unit)
{
    AxesOrder a = { .unit = unit };
    if (unit->shape.changed || !find_asked(&a))
        return;
    a.steps = ir_steps(unit);
    int best = best_order(&a);
    Directive own = { DO_AXES, .axis_count = 3 };
    memcpy(own.axes, orders[best], sizeof own.axes);
    Directive *directive = schedule_take(unit, own, best != 0);
    if (!directive)
        return;
    uint8_t order[3];
    complete_order(directive, order);
    const char *hindrance = ir_warp_hindrance(unit);
    if (hindrance) {
        schedule_refuse_all(unit, DO_AXES, a.worst_span, hindrance);
        ir_remark(unit, a.worst_span,
                  "a warp's threads are far apart here; in the order %c, %c, %c of axes they would "
                  "be closer, but %s",
                  "xyz"[order[0]], "xyz"[order[1]], "xyz"[order[2]], hindrance);
        return;
    }
    exchange(unit, order);
    schedule_done(directive);
    ir_remark(unit, a.worst_span,
              "a warp's threads are far apart here: axes come in the order %c, %c, %c, which makes "
              "them neighbours along %c",
              "xyz"[order[0]], "xyz"[order[1]], "xyz"[order[2]], "xyz"[order[0]]);
}

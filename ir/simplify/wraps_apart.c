/* Loops over all others than the thread's own index are split where that lies:
**
**     i = grid(0)                                  low = sub(i, thread_idx(0))
**     for j in 0 to n by 1                         high = and(add(low, block_dim(0), 15), -16)
**         if ne(j, i)                              for j in 0 to min(n, low) by 1
**             s = add(s, load(x, j))                   s = add(s, load(x, j))
** becomes                                          for j in max(0, low) to min(n, high) by 1
**                                                      if ne(j, i)
**                                                          s = add(s, load(x, j))
**                                                  for j in max(0, high) to n by 1
**                                                      s = add(s, load(x, j))
**
** Legal in loops that count by one, which nothing leaves early, and whose counter nothing reads
** elsewhere, of an index that the loop does not set: the same iterations come in the same order,
** and the counter is not the index in the first and the last.
**
** Pays where the condition guards what is loaded: without it the loads come in every iteration, can
** be wide, and what does not change is loaded once. Where the index is the thread's the bounds are
** the block's, so that a warp stays together. */
#include "ir/analysis/flow/flow.h"
#include "ir/simplify/wraps.h"

enum {
    NODES_MOST = 120, /* of a loop, of which three are made */
    ALIGNED = 16      /* the last begins at a multiple, as wide loads do */
};

typedef struct WrapsApart {
    const Wraps *w;
    const IrVar *counter;
    IrSets sets;          /* of the loop */
    const IrValue *index; /* that the counter is compared with */
    int axis;
    int nodes;  /* of the loop */
    int *reads; /* in the loop, by IrVar.id */
} WrapsApart;

/* The thread's index that a comparison has the counter beside, and the axis of the grid; or -1. */
static int compared(const WrapsApart *a, const IrValue *value, const IrValue **index)
{
    if (value->op != OP_ne && value->op != OP_eq)
        return -1;
    for (int i = 0; i < 2; i++) {
        const IrValue *it = value->operands[i], *other = value->operands[1 - i];
        if (!ir_is_var(it, a->counter) || other->type != it->type)
            continue;
        *index = other;
        return sets_invariant(&a->sets, other, NULL) ? ir_thread_axis(&a->w->sets, other) : -1;
    }
    return -1;
}

/* The first condition of the kind that stands in the loop itself. */
static void find_condition(WrapsApart *a, const IrRegion *body)
{
    for (const IrStmt *stmt = body->first; stmt && a->axis < 0; stmt = stmt->next)
        a->axis = stmt->kind == IR_IF ? compared(a, stmt->if_.condition, &a->index) : -1;
}

/* Of a branch by the condition, the arm for where the counter is not the index. */
static bool take_arm(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const WrapsApart *a = clone->context;
    const IrValue *index = NULL, *condition = stmt->kind == IR_IF ? stmt->if_.condition : NULL;
    if (!condition || compared(a, condition, &index) != a->axis || !ir_same_value(index, a->index))
        return false;
    ir_clone_region(clone, condition->op == OP_ne ? &stmt->if_.then : &stmt->if_.otherwise, out);
    return true;
}

/* The loop once more between other bounds, without the condition. */
static IrStmt *beside(const WrapsApart *a, const IrBuilder *b, const IrStmt *loop, IrValue *start,
                      IrValue *stop)
{
    IrVar *counter = build_own(b, a->counter);
    IrClone clone = { .arena = b->arena,
                      .vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1),
                      .stmt = take_arm,
                      .context = (void *)a };
    IrStmt *made = ir_for(b->arena, counter, start, stop, build_int(b, 1), b->span);
    wraps_take_own(a->w, b, (IrUses){ a->sets.count, a->reads }, clone.vars);
    clone.vars[a->counter->id] = counter;
    ir_clone_region(&clone, &loop->for_.body, &made->for_.body);
    return made;
}

/* Where a piece begins or ends beside a bound of the loop. */
static IrValue *outer(const IrBuilder *b, IrIntrinsic which, IrValue *bound, const IrVar *var)
{
    return ir_intrinsic(b->arena, which, type_int64, b->span, build_copy(b, bound),
                        build_var(b, var), NULL);
}

/* What is the same wherever the loop goes on, or a name for it. */
static IrValue *bound_of(const IrBuilder *b, const char *name, IrValue *value, IrRegion *out)
{
    return ir_is_constant(value) ? value : build_var(b, build_let(b, name, value, out));
}

static void add_piece(Wraps *w, IrRegion *region, IrStmt *loop)
{
    array_push(w->unit->arena, w->pieces, w->piece_count, w->piece_capacity) =
        (WrapsPiece){ region, loop };
}

/* The loop is what is left of it around the index, between two others. */
static void split(const WrapsApart *a, Wraps *w, IrRegion *region, IrStmt *loop)
{
    const IrBuilder b[1] = { { w->unit->arena, w->unit->kernel, loop->span } };
    IrRegion front = { NULL, NULL };
    IrValue *start = bound_of(b, "_start", loop->for_.start, &front);
    IrValue *stop = bound_of(b, "_stop", loop->for_.stop, &front);
    IrValue *self = ir_axis(b->arena, INTR_thread_idx, a->axis, b->span);
    IrValue *size = ir_axis(b->arena, INTR_block_dim, a->axis, b->span);
    IrValue *first = build_op(b, OP_sub, build_copy(b, a->index), build_cast(b, type_int64, self));
    IrVar *low = build_let(b, "_low", first, &front);
    IrValue *end =
        build_plus(b, build_op(b, OP_add, low, build_cast(b, type_int64, size)), ALIGNED - 1);
    IrVar *high = build_let(b, "_high", build_op(b, OP_and, end, -ALIGNED), &front);
    IrStmt *before = beside(a, b, loop, start, outer(b, INTR_min, stop, low));
    IrStmt *behind = beside(a, b, loop, outer(b, INTR_max, start, high), build_copy(b, stop));
    ir_append(&front, before);
    ir_insert_before(region, loop->next, behind);
    loop->for_.start = outer(b, INTR_max, start, low);
    loop->for_.stop = outer(b, INTR_min, stop, high);
    loop->for_.unroll = 1;
    loop->for_.rest = true;
    ir_insert_region(region, loop, front);
    add_piece(w, region, before);
    add_piece(w, region, behind);
}

bool wraps_split_apart(Wraps *w, IrRegion *region, IrStmt *loop)
{
    const IrVar *counter = loop->for_.var;
    WrapsApart a = { .w = w, .counter = counter, .axis = -1 };
    if (counter->type != type_int64 || !ir_is_integer(loop->for_.step, 1) || loop->for_.sum_count ||
        loop->for_.unroll || ir_trip_count(loop) >= 0 || sets_loop(&w->sets, counter) != loop ||
        flow_ways_out(&loop->for_.body) & OUT_LOOP)
        return false;
    a.sets = ir_sets_of_loop(w->unit->arena, w->unit->kernel, loop);
    a.reads = ir_reads(w->unit->arena, w->unit->kernel, &loop->for_.body);
    find_condition(&a, &loop->for_.body);
    a.nodes = ir_node_count_in(&loop->for_.body);
    if (a.axis < 0 || a.nodes > NODES_MOST || a.reads[counter->id] != w->reads[counter->id] ||
        !ir_region_has_node(&loop->for_.body, ir_is_load) ||
        ir_stmt_effects(loop) & ~(EFFECT_READ | EFFECT_WRITE))
        return false;
    split(&a, w, region, loop);
    return true;
}

/* Claims about values: what they can be, as sums, and where they are the same. */
#include "tests/brute/brute.h"

#include "ir/analysis/affine.h"
#include "ir/analysis/range/bounds.h"
#include "ir/analysis/flow/flow.h"

#include <stdlib.h>
#include <string.h>

/* What is claimed of a value wherever it stands. */
typedef struct Claims {
    bool nonnegative, uniform;
    Interval range;
    int bits;
    int64_t multiple;
    const IrValue *rest; /* NULL: none */
    int64_t constant;
    int thread_axis, threads_axis;
    int divergence;
    bool sloped[2][2]; /* by whether in the block, and axis */
    int64_t slope[2][2];
} Claims;

struct ValueClaims {
    Run *run;
    Claims *claims; /* by node */
    IrLaunch *launch;
    IrBounds *bounds;
    IrAffine affine[2]; /* of the grid, of a block */
};

/* ---- what is claimed ------------------------------------------------------------------------ */

static bool is_integer(const ValueClaims *c, int node)
{
    return type_is_integer(c->run->nodes[node].value->type);
}

/* The walk is at a statement: asks of each value that hangs on it. */
static void ask_bounds(void *context, IrBounds *b, IrStmt *stmt)
{
    ValueClaims *c = context;
    for (int i = 0; i < c->run->node_count; i++)
        if (c->run->nodes[i].stmt == stmt && is_integer(c, i))
            c->claims[i].range = bounds_of(b, c->run->nodes[i].value);
}

static void ask_sums(ValueClaims *c, Claims *claims, const IrValue *value)
{
    const IrAffine *affine = &c->affine[0];
    claims->nonnegative = ir_nonnegative(value);
    claims->bits = magnitude_bits(affine->magnitude, value);
    claims->multiple = affine_multiple(affine, value);
    claims->rest = affine_split(&affine->sets, value, &claims->constant);
    claims->thread_axis = ir_thread_axis(&affine->sets, value);
    claims->threads_axis = ir_threads_axis(&affine->sets, value);
    for (int in_block = 0; in_block < 2; in_block++)
        for (int axis = 0; axis < 2; axis++)
            claims->sloped[in_block][axis] =
                affine_slope(&c->affine[in_block], value, axis, &claims->slope[in_block][axis]);
}

static void ask_all(ValueClaims *c)
{
    for (int i = 0; i < c->run->node_count; i++) {
        const IrValue *value = c->run->nodes[i].value;
        c->claims[i].uniform = ir_uniform_value(value);
        c->claims[i].divergence = ir_divergence_of(&c->affine[0].divergence, value);
        if (is_integer(c, i))
            ask_sums(c, &c->claims[i], value);
    }
}

/* ---- at each value -------------------------------------------------------------------------- */

/* The most that an interval lets a value be in this launch. */
static IrWide highest(const Run *run, const Interval *range)
{
    IrWide longest = 0, threads = 0;
    for (int i = 0; i < ARRAYS; i++)
        if (launch_elements(run->launch, i) > longest)
            longest = launch_elements(run->launch, i);
    for (int k = 0; k < 3; k++) {
        IrWide own = run->launch->grid[k] * run->launch->block[k];
        threads = own > threads ? own : threads;
    }
    IrWide reach = range->beyond + (range->reach & REACH_EXTENT ? longest : 0) +
                   (range->reach & REACH_THREADS ? threads : 0);
    return range->reach && reach < range->high ? reach : range->high;
}

static IrWide exact(const Type *type, int64_t value)
{
    return type_is_signed(type) ? (IrWide)value : (IrWide)(uint64_t)value;
}

static int64_t index_in_grid(const Run *run, int thread, int axis)
{
    uint32_t thread_idx[3], block_idx[3];
    launch_place(run->launch, thread, thread_idx, block_idx);
    return (int64_t)block_idx[axis] * run->launch->block[axis] + thread_idx[axis];
}

static void compare_sum(const ValueClaims *c, const Node *node, const Claims *claims, int64_t value)
{
    int64_t rest = 0;
    if (!claims->rest || claims->rest == node->value)
        rest = claims->rest ? value : 0;
    else if (!run_value(c->run, claims->rest, &rest))
        return;
    if ((int64_t)((uint64_t)rest + (uint64_t)claims->constant) != value)
        claim_fails(c->run, node->stmt, node->value, "affine_split: %lld is %lld plus %lld",
                    (long long)value, (long long)rest, (long long)claims->constant);
}

static void compare_value(void *context, Run *run, int number, int64_t value)
{
    ValueClaims *c = context;
    const Node *node = &run->nodes[number];
    const Claims *claims = &c->claims[number];
    if (!is_integer(c, number))
        return;
    IrWide is = exact(node->value->type, value);
    if (claims->nonnegative && is < 0)
        claim_fails(run, node->stmt, node->value, "ir_nonnegative: %lld", (long long)value);
    if (is < claims->range.low || is > highest(run, &claims->range))
        claim_fails(run, node->stmt, node->value, "bounds_of: %lld is not in %lld to %lld",
                    (long long)value, (long long)claims->range.low,
                    (long long)highest(run, &claims->range));
    if ((is < 0 ? -is : is) > (IrWide)1 << claims->bits)
        claim_fails(run, node->stmt, node->value, "magnitude_bits: %lld does not take %d",
                    (long long)value, claims->bits);
    if (value % claims->multiple)
        claim_fails(run, node->stmt, node->value, "affine_multiple: %lld is no multiple of %lld",
                    (long long)value, (long long)claims->multiple);
    compare_sum(c, node, claims, value);
}

static void compare_axes(const ValueClaims *c, const Event *event)
{
    const Run *run = c->run;
    const Node *node = &run->nodes[event->node];
    const Claims *claims = &c->claims[event->node];
    int axis = claims->thread_axis, all = claims->threads_axis;
    if (!is_integer(c, event->node))
        return;
    if (axis >= 0 && index_in_grid(run, event->thread, axis) != event->value)
        claim_fails(run, node->stmt, node->value, "ir_thread_axis: axis %d, %lld", axis,
                    (long long)event->value);
    if (all >= 0 && (int64_t)run->launch->grid[all] * run->launch->block[all] != event->value)
        claim_fails(run, node->stmt, node->value, "ir_threads_axis: axis %d, %lld", all,
                    (long long)event->value);
}

/* ---- from thread to thread ------------------------------------------------------------------ */

static int by_point(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    if (x->node != y->node)
        return x->node - y->node;
    if (x->when != y->when)
        return x->when < y->when ? -1 : 1;
    return x->thread - y->thread;
}

/* Where two threads' indices differ: as DIVERGES_ bits. */
static int difference(const Run *run, int a, int b)
{
    uint32_t thread[2][3], block[2][3];
    int bits = 0;
    launch_place(run->launch, a, thread[0], block[0]);
    launch_place(run->launch, b, thread[1], block[1]);
    for (int k = 0; k < 3; k++) {
        bits |= thread[0][k] != thread[1][k] ? DIVERGES_THREAD << k : 0;
        bits |= block[0][k] != block[1][k] ? DIVERGES_BLOCK << k : 0;
    }
    return bits;
}

static void compare_slopes(const ValueClaims *c, const Event *a, const Event *b, int bits)
{
    const Node *node = &c->run->nodes[a->node];
    const Claims *claims = &c->claims[a->node];
    for (int axis = 0; axis < 2; axis++) {
        int64_t step =
            index_in_grid(c->run, b->thread, axis) - index_in_grid(c->run, a->thread, axis);
        bool alone = !(bits & ~((DIVERGES_THREAD | DIVERGES_BLOCK) << axis));
        for (int in_block = 0; in_block < 2; in_block++) {
            bool same_block = !(bits & DIVERGES_BLOCKS);
            if (claims->sloped[in_block][axis] && alone && (same_block || !in_block) &&
                exact(node->value->type, b->value) - exact(node->value->type, a->value) !=
                    (IrWide)step * claims->slope[in_block][axis])
                claim_fails(c->run, node->stmt, node->value,
                            "affine_slope%s: %lld along axis %d, but %lld and %lld",
                            in_block ? " in a block" : "", (long long)claims->slope[in_block][axis],
                            axis, (long long)a->value, (long long)b->value);
        }
    }
}

/* Two threads at one point. */
static void compare_threads(const ValueClaims *c, const Event *a, const Event *b)
{
    const Node *node = &c->run->nodes[a->node];
    const Claims *claims = &c->claims[a->node];
    int bits = difference(c->run, a->thread, b->thread);
    if (a->value != b->value && claims->uniform && !(bits & DIVERGES_BLOCKS))
        claim_fails(c->run, node->stmt, node->value, "ir_uniform_value: %lld and %lld",
                    (long long)a->value, (long long)b->value);
    if (a->value != b->value && !(claims->divergence & (bits | DIVERGES_OTHER)))
        claim_fails(c->run, node->stmt, node->value, "ir_divergence_of: %lld and %lld",
                    (long long)a->value, (long long)b->value);
    if (is_integer(c, a->node))
        compare_slopes(c, a, b, bits);
}

static void compare_points(const ValueClaims *c)
{
    const Run *run = c->run;
    qsort(run->events, (size_t)run->event_count, sizeof *run->events, by_point);
    for (int i = 0, end; i < run->event_count; i = end) {
        const Event *first = &run->events[i];
        for (end = i; end < run->event_count && run->events[end].node == first->node &&
                      run->events[end].when == first->when;)
            end++;
        for (int a = i; a < end && !run->racy; a++)
            for (int b = a + 1; b < end; b++)
                compare_threads(c, &run->events[a], &run->events[b]);
    }
}

/* ---- in loops ------------------------------------------------------------------------------- */

/* The nodes of one thread's events are sorted by when they were. */
static int by_thread(const void *a, const void *b)
{
    const Event *x = a, *y = b;
    if (x->node != y->node)
        return x->node - y->node;
    if (x->thread != y->thread)
        return x->thread - y->thread;
    return x->when < y->when ? -1 : x->when > y->when;
}

/* A value is the same in all that happens in one iteration of the outer `depth` loops. */
static bool is_same_inside(const Run *run, int node, int first, int depth)
{
    for (int i = first + 1; i < run->event_count && run->events[i].node == node; i++) {
        const Event *a = &run->events[i - 1], *b = &run->events[i];
        if (a->thread == b->thread && a->value != b->value &&
            when_outside(a->when, depth) == when_outside(b->when, depth))
            return false;
    }
    return true;
}

static void compare_invariance(const ValueClaims *c, const int *firsts, const IrStmt *loop,
                               int depth)
{
    const Run *run = c->run;
    IrSets sets = ir_sets_of_loop(run->arena, run->unit->kernel, loop);
    const IrVar *counter = loop->kind == IR_FOR ? loop->for_.var : NULL;
    for (int i = 0; i < run->node_count; i++) {
        const Node *node = &run->nodes[i];
        if (node->depth <= depth || node->loops[depth] != loop || firsts[i] < 0)
            continue;
        if (sets_invariant(&sets, node->value, NULL) && !is_same_inside(run, i, firsts[i], depth))
            claim_fails(run, node->stmt, node->value, "sets_invariant");
        if (counter && sets_invariant(&sets, node->value, counter) &&
            !is_same_inside(run, i, firsts[i], depth + 1))
            claim_fails(run, node->stmt, node->value, "sets_invariant but for the counter");
    }
}

static int common_depth(const Node *a, const Node *b)
{
    int depth = 0;
    while (depth < a->depth && depth < b->depth && a->loops[depth] == b->loops[depth])
        depth++;
    return depth;
}

/* Two values are equal in each iteration of the outer `depth` loops in which a thread has both. */
static bool are_equal(const Run *run, int a, int b, int depth)
{
    for (int i = a; i < run->event_count && run->events[i].node == run->events[a].node; i++)
        for (int k = b; k < run->event_count && run->events[k].node == run->events[b].node; k++) {
            const Event *x = &run->events[i], *y = &run->events[k];
            if (x->thread == y->thread && x->value != y->value &&
                when_outside(x->when, depth) == when_outside(y->when, depth))
                return false;
        }
    return true;
}

static void compare_equality(const ValueClaims *c, const int *firsts, int a, int b)
{
    const Run *run = c->run;
    const Node *x = &run->nodes[a], *y = &run->nodes[b];
    if (x->stmt == y->stmt && x->stmt->kind != IR_FOR && affine_same(x->value, y->value) &&
        !are_equal(run, firsts[a], firsts[b], x->depth))
        claim_fails(run, x->stmt, x->value, "affine_same");
    if ((x->root || y->root) && affine_same_apart(&c->affine[0], x->value, y->value) &&
        !are_equal(run, firsts[a], firsts[b], common_depth(x, y)))
        claim_fails(run, y->stmt, y->value, "affine_same_apart");
}

static void compare_loops(const ValueClaims *c)
{
    const Run *run = c->run;
    int *firsts = arena_array(run->arena, int, run->node_count + 1);
    qsort(run->events, (size_t)run->event_count, sizeof *run->events, by_thread);
    for (int i = 0; i < run->node_count; i++)
        firsts[i] = -1;
    for (int i = run->event_count; i-- > 0;)
        firsts[run->events[i].node] = i;
    const IrStmt *seen = NULL;
    for (int i = 0; i < run->node_count; i++) {
        const Node *node = &run->nodes[i];
        for (int depth = 0; depth < node->depth && node->stmt != seen; depth++)
            if (i == 0 || run->nodes[i - 1].depth <= depth ||
                run->nodes[i - 1].loops[depth] != node->loops[depth])
                compare_invariance(c, firsts, node->loops[depth], depth);
        seen = node->stmt;
        for (int k = i + 1; k < run->node_count && firsts[i] >= 0; k++)
            if (firsts[k] >= 0 && node->value->op == run->nodes[k].value->op)
                compare_equality(c, firsts, i, k);
    }
}

/* ---- how statements end --------------------------------------------------------------------- */

static void compare_exits(const ValueClaims *c)
{
    const Run *run = c->run;
    for (int i = 0; i < run->exit_count; i++) {
        const Exit *exit = &run->exits[i];
        const IrStmt *stmt = exit->stmt;
        if (exit->ways & ~flow_stmt_ways_out(stmt))
            claim_fails(run, stmt, NULL, "flow_stmt_ways_out: %d", exit->ways);
        if (stmt->kind == IR_FOR && ir_trip_count(stmt) >= 0 &&
            !(flow_ways_out(&stmt->for_.body) & (OUT_LOOP | OUT_THREAD)) &&
            exit->iterations != ir_trip_count(stmt))
            claim_fails(run, stmt, NULL, "ir_trip_count: %lld, not %lld",
                        (long long)ir_trip_count(stmt), (long long)exit->iterations);
        if (exit->iterations < 0 || run->racy || !ir_uniform_loop(stmt))
            continue;
        for (int k = 0; k < i; k++)
            if (run->exits[k].stmt == stmt && run->exits[k].when == exit->when &&
                !(difference(run, run->exits[k].thread, exit->thread) & DIVERGES_BLOCKS) &&
                run->exits[k].iterations != exit->iterations && !exit->ways && !run->exits[k].ways)
                claim_fails(run, stmt, NULL, "ir_uniform_loop: %lld and %lld iterations",
                            (long long)exit->iterations, (long long)run->exits[k].iterations);
    }
}

static void compare_counters(const ValueClaims *c)
{
    const Run *run = c->run;
    for (int i = 0; i < run->event_count; i++) {
        const Event *event = &run->events[i];
        const IrValue *value = run->nodes[event->node].value;
        if (value->op != OP_var || !type_is_integer(value->type))
            continue;
        Interval all = bounds_of_var(c->bounds, value->var);
        IrWide is = exact(value->type, event->value);
        if (value->var->kind == VAR_LOCAL && (is < all.low || is > highest(run, &all)))
            claim_fails(run, run->nodes[event->node].stmt, value, "bounds_of_var: %lld",
                        (long long)event->value);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

ValueClaims *values_ask(Run *run)
{
    ValueClaims *c = arena_new(run->arena, ValueClaims);
    *c = (ValueClaims){ .run = run, .launch = run->unit->launch };
    c->claims = arena_array(run->arena, Claims, run->node_count + 1);
    for (int i = 0; i < run->node_count; i++)
        c->claims[i].range = interval_everything();
    c->affine[0] = c->affine[1] = ir_affine(run->unit, NULL);
    c->affine[1].in_block = true;
    c->bounds = ir_bounds((IrUnit *)run->unit);
    bounds_walk(c->bounds, ask_bounds, c);
    ask_all(c);
    run->each = compare_value;
    run->context = c;
    return c;
}

void values_compare(ValueClaims *c)
{
    const Run *run = c->run;
    for (int i = 0; i < run->event_count; i++)
        compare_axes(c, &run->events[i]);
    compare_points(c);
    compare_loops(c);
    compare_exits(c);
    compare_counters(c);
}

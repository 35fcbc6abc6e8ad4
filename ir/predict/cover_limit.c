/* How far along each axis of the grid a kernel has anything to do: what bounds the positions of the
** threads, or the blocks, that come to an access of an array.
**
** A condition that holds there is brought into the form  weight * position + rest < 0,  where the
** position is that of a thread along an axis of the grid (its position in its block, plus the
** block's times the threads of a block), or of a block, and the rest is the same for the whole
** launch. An index is a condition, too: it is less than the extent of its axis. Then positions from
** ceil(-rest / weight) on do nothing. Other axes' positions and the iterations of loops are taken
** to be 0, where they only make the sum larger.
**
** A loop over the blocks of the grid, `for t in range(cuda.gridDim.x)`, goes as far as there are
** blocks, so what bounds its iterations bounds the grid too: that is how a product of matrices goes
** along the axis that it sums over.
**
** Conditions that are not understood are left out, so the answer may be too far. It sizes launches
** whose grid is not given; no result depends on it. */
#include "ir/predict/cover_parts.h"

enum { MOST_LIMITS = 96 }; /* more are not worth the time */

typedef struct Limits {
    Arena *arena;
    IrCovers *covers;
    const Guard *guards;
    int access, first; /* the access's limits are those from `first` on */
    bool required;
} Limits;

/* What a fact is multiplied by in a sum, as a sum; a fact that occurs twice in a term: NULL. */
static const IrSum *weight_of(Arena *arena, const IrSum *sum, IrFactKind kind, int axis)
{
    const IrSum *weight = sum_constant(arena, 0);
    for (int i = 0; i < sum->count; i++) {
        const IrTerm *term = &sum->terms[i];
        int place = term_varying(term);
        if (place < 0 || term->facts[place].kind != kind || term->facts[place].axis != axis)
            continue;
        weight = sum_add(arena, weight, 1, term_without(arena, term, place));
    }
    return weight;
}

/* Whether a sum is not negative where scalars are not. Whether a weight is negative is tested where
** the grid is sized. */
static bool only_adds(const IrSum *sum)
{
    for (int i = 0; i < sum->count; i++) {
        if (sum->terms[i].factor < 0)
            return false;
    }
    return true;
}

/* Whether everything in the sum that differs within a launch, but along `axis`, only adds. */
static bool others_only_add(const IrSum *sum, int axis)
{
    for (int i = 0; i < sum->count; i++) {
        const IrTerm *term = &sum->terms[i];
        int place = term_varying(term);
        if (place == -2)
            return false;
        if (place < 0)
            continue;
        const IrFact *fact = &term->facts[place];
        bool other = fact->kind == FACT_ITERATION || fact->axis != axis;
        if (other && term->factor < 0)
            return false;
    }
    return true;
}

/* Whether the size of the grid occurs in a sum, which is what is asked for. */
static bool names_grid(const IrSum *sum)
{
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < TERM_FACTS; k++) {
            if (sum->terms[i].facts[k].kind == FACT_GRID)
                return true;
        }
    }
    return false;
}

static bool is_limited(const Limits *l, int axis, bool blocks)
{
    for (int i = l->first; i < l->covers->limit_count; i++) {
        const IrLimit *limit = &l->covers->limits[i];
        if (limit->axis == axis && limit->blocks == blocks && !limit->required)
            return true;
    }
    return false;
}

static void keep_limit(Limits *l, int axis, bool blocks, const IrSum *weight, const IrSum *bound)
{
    IrCovers *covers = l->covers;
    IrLimit limit = { .axis = axis, .access = l->access, .blocks = blocks };
    if (!bound || names_grid(bound) || names_grid(weight) || covers->limit_count == MOST_LIMITS)
        return;
    limit.required = l->required && !is_limited(l, axis, blocks);
    cover_keep_sum(l->arena, covers, weight, &limit.weight, &limit.weight_count);
    cover_keep_sum(l->arena, covers, bound, &limit.bound, &limit.bound_count);
    array_push(l->arena, covers->limits, covers->limit_count, covers->limit_capacity) = limit;
}

/* What `sum < 0` says of the positions along an axis. */
static void limit_axis(Limits *l, const IrSum *sum, int axis)
{
    const IrSum *thread = weight_of(l->arena, sum, FACT_THREAD_AT, axis);
    const IrSum *block = weight_of(l->arena, sum, FACT_BLOCK_AT, axis);
    if (!thread || !block || !block->count || !only_adds(block) || !only_adds(thread) ||
        !others_only_add(sum, axis))
        return;
    const IrSum *width = sum_fact(l->arena, FACT_BLOCK, axis, 0);
    const IrSum *bound =
        sum_add(l->arena, sum_constant(l->arena, 0), -1, sum_settled(l->arena, sum));
    bool blocks = !sum_equal(block, sum_mul(l->arena, thread, width));
    keep_limit(l, axis, blocks, blocks ? block : thread, bound);
}

/* The loop that a guard keeps to one iteration for each block along an axis: its number, or -1. */
static int loop_over_blocks(const Guard *guard, int *axis)
{
    const IrSum *a = guard->a, *b = guard->b;
    bool plain = guard->kind == GUARD_LT && a->count == 1 && b->count == 1 &&
                 a->terms[0].factor == 1 && b->terms[0].factor == 1;
    const IrFact *turn = a->terms[0].facts, *grid = b->terms[0].facts;
    if (!plain || turn[0].kind != FACT_ITERATION || turn[1].kind || grid[0].kind != FACT_GRID ||
        grid[1].kind)
        return -1;
    *axis = grid[0].axis;
    return turn[0].index;
}

/* What `sum < 0` says of a loop's iterations, and with that of the blocks along an axis. */
static void limit_loop(Limits *l, const IrSum *sum, int loop, int axis)
{
    const IrSum *weight = sum_constant(l->arena, 0);
    for (int i = 0; weight && i < sum->count; i++) {
        const IrTerm *term = &sum->terms[i];
        int place = term_varying(term);
        if (place == -2 || (place >= 0 && term->factor < 0))
            return;
        if (place >= 0 && term->facts[place].kind == FACT_ITERATION &&
            term->facts[place].index == loop)
            weight = sum_add(l->arena, weight, 1, term_without(l->arena, term, place));
    }
    if (weight && weight->count && only_adds(weight))
        keep_limit(l, axis, true, weight,
                   sum_add(l->arena, sum_constant(l->arena, 0), -1, sum_settled(l->arena, sum)));
}

static void limit_all(Limits *l, const IrSum *sum)
{
    for (int axis = 0; sum && axis < 3; axis++)
        limit_axis(l, sum, axis);
    for (const Guard *guard = l->guards; sum && guard; guard = guard->next) {
        int axis, loop = loop_over_blocks(guard, &axis);
        if (loop >= 0)
            limit_loop(l, sum, loop, axis);
    }
}

/* a < b, or a <= b. */
static void limit_less(Limits *l, const IrSum *a, const IrSum *b, bool or_equal)
{
    const IrSum *sum = sum_add(l->arena, a, -1, b);
    if (or_equal)
        sum = sum_add(l->arena, sum, -1, sum_constant(l->arena, 1));
    limit_all(l, sum);
}

static void limit_guard(Limits *l, const Guard *guard)
{
    switch (guard->kind) {
    case GUARD_LT:
    case GUARD_LE:
        limit_less(l, guard->a, guard->b, guard->kind == GUARD_LE);
        break;
    case GUARD_GT:
    case GUARD_GE:
        limit_less(l, guard->b, guard->a, guard->kind == GUARD_GE);
        break;
    case GUARD_EQ:
        limit_less(l, guard->a, guard->b, true);
        limit_less(l, guard->b, guard->a, true);
        break;
    case GUARD_NE: /* says nothing of where positions end */
        break;
    }
}

void cover_limit(Arena *arena, const Write *element, const Guard *guards, bool required,
                 IrCovers *covers)
{
    int access = covers->limit_count ? covers->limits[covers->limit_count - 1].access + 1 : 0;
    Limits limits = { arena, covers, guards, access, covers->limit_count, false };
    for (; guards; guards = guards->next)
        limit_guard(&limits, guards);
    limits.required = required;
    for (int axis = 0; element && axis < element->rank; axis++)
        limit_less(&limits, element->index[axis], write_extent(arena, element, axis), false);
}

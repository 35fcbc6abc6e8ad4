/* Loops that begin or end where the thread's index lies, as those of triangles and of pairs do, are
** split where neighbours come together:
**
**     i = grid(0)                           _near = mul(floordiv(grid(0), 8), 8)
**     for k in add(i, 1) to n by 1          _mid = add(add(_near, 7), 1)
**         s = add(s, load(x, k))            for k in add(i, 1) to min(_mid, n) by 1 unroll 1
** becomes                                       s = add(s, load(x, k))
**                                           for k in _mid to n by 1
**                                               s = add(s, load(x, k))
**
** and where the end moves, the part that all make comes first. Eight neighbours, from a multiple of
** eight on, make the same iterations of one of the two loops, and at most seven each of the other:
** the quotient is steady (steady.c), so that tiles jam the one and repeat the other.
**
** Legal in loops that count by one, which nothing leaves early, whose counter nothing reads
** elsewhere, and of which one bound moves by one with the index along an axis of the grid, up or
** down, and the other with none: each thread makes the same iterations in the same order. A bound
** is evaluated again in front of the second loop: of a loop that writes memory it reads none.
**
** Pays where a tile takes neighbours along that axis, that is, where they share what the loop
** reads; else the copy is thrown away. */
#include "ir/analysis/flow/flow.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/simplify/wraps.h"

enum {
    NEIGHBOURS = 8,  /* a multiple of what a tile takes along an axis */
    NODES_MOST = 200 /* of a loop, of which two are made */
};

typedef struct Slanting {
    Wraps w; /* whose variables a loop's copy has for its own */
    IrAffine affine;
    Slants *slants;
    int capacity;
} Slanting;

/* ---- what moves ------------------------------------------------------------------------------ */

static bool moves(const Slanting *s, const IrValue *value)
{
    return ir_divergence_of(&s->affine.divergence, value) != 0;
}

/* The axis along which a bound moves by one from each thread to the next, and along no other, and
** whether upward; -1: along none. */
static int moving_axis(const Slanting *s, const IrValue *bound, bool *up)
{
    int found = -1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t slope;
        if (!affine_varies(&s->affine, bound, axis))
            continue;
        if (found >= 0 || !affine_slope(&s->affine, bound, axis, &slope) ||
            (slope != 1 && slope != -1))
            return -1;
        found = axis;
        *up = slope == 1;
    }
    return found;
}

static void note_narrow(void *context, IrValue *value)
{
    *(bool *)context |= value->type != type_int64 && value->op != OP_var && value->op != OP_extent;
}

typedef struct Another {
    int axis;
    IrValue *index;
} Another;

static IrValue *another_index(const IrClone *clone, const IrValue *value)
{
    const Another *a = clone->context;
    return ir_is_intrinsic(value, INTR_grid) && value->index == a->axis
               ? ir_copy_value(clone->arena, a->index)
               : NULL;
}

/* A bound as the first of the neighbours has it, or the last; NULL: it is not made of int64 alone,
** so that it might wrap there. */
static IrValue *bound_of_neighbour(const Slanting *s, const IrBuilder *b, const IrValue *bound,
                                   int axis, bool last)
{
    IrValue *value = guard_in_front(b->arena, &s->affine, bound);
    bool narrow = false;
    if (!value)
        return NULL;
    ir_each_node(value, note_narrow, &narrow);
    IrValue *near = build_op(b, OP_floordiv, ir_axis(b->arena, INTR_grid, axis, b->span),
                             build_int(b, NEIGHBOURS));
    Another another = { axis, build_plus(b, build_times(b, near, NEIGHBOURS),
                                         last ? NEIGHBOURS - 1 : 0) };
    IrClone clone = { .arena = b->arena, .value = another_index, .context = &another };
    return narrow ? NULL : ir_clone_value(&clone, value);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static Directive split_of(const IrVar *counter, Span span)
{
    return (Directive){ DO_SPLIT, .loop = counter->name, .site = counter, .span = span };
}

/* Whether a bound is the same behind the loop. */
static bool stays(const IrStmt *loop, const IrValue *bound)
{
    int effects = ir_value_effects(bound);
    return effects == EFFECT_NONE ||
           (effects == EFFECT_READ && !(ir_region_effects(&loop->for_.body) & EFFECT_ORDERED));
}

static bool may_split(Slanting *s, const IrStmt *loop, const int *reads)
{
    const IrVar *counter = loop->for_.var;
    return counter->type == type_int64 && ir_is_integer(loop->for_.step, 1) &&
           !loop->for_.sum_count && !loop->for_.unroll &&
           sets_loop(&s->affine.sets, counter) == loop && stays(loop, loop->for_.start) &&
           stays(loop, loop->for_.stop) && !(flow_ways_out(&loop->for_.body) & OUT_LOOP) &&
           ir_node_count_in(&loop->for_.body) <= NODES_MOST &&
           reads[counter->id] == s->w.reads[counter->id];
}

/* A copy of the loop, whose variables are its own, and that later passes leave as it is. */
static IrStmt *few_of(Slanting *s, const IrBuilder *b, const IrStmt *loop, const int *reads)
{
    IrVar *counter = build_own(b, loop->for_.var);
    IrSets sets = ir_sets_of_loop(b->arena, b->fn, loop);
    IrClone clone = { .arena = b->arena,
                      .vars = arena_array(b->arena, IrVar *, b->fn->var_count + 1) };
    if (sets_arrays(&sets, b->fn))
        return NULL;
    wraps_take_own(&s->w, b, (IrUses){ sets.count, reads }, clone.vars);
    clone.vars[loop->for_.var->id] = counter;
    IrStmt *made = ir_for(b->arena, counter, build_copy(b, loop->for_.start),
                          build_copy(b, loop->for_.stop), build_int(b, 1), b->span);
    made->for_.unroll = 1;
    made->for_.rest = true;
    ir_clone_region(&clone, &loop->for_.body, &made->for_.body);
    return made;
}

/* Of one bound and another, the greater or the lesser. */
static IrValue *between(const IrBuilder *b, IrIntrinsic which, IrValue *bound, const IrVar *mid)
{
    return ir_intrinsic(b->arena, which, type_int64, b->span, bound, build_var(b, mid), NULL);
}

static void split(Slanting *s, IrRegion *region, IrStmt *loop)
{
    const IrBuilder b[1] = { { s->w.unit->arena, s->w.unit->kernel, loop->span } };
    const int *reads = ir_reads(b->arena, b->fn, &loop->for_.body);
    bool starts = moves(s, loop->for_.start), up = false;
    if (!may_split(s, loop, reads) || starts == moves(s, loop->for_.stop))
        return;
    IrValue *bound = starts ? loop->for_.start : loop->for_.stop;
    int axis = moving_axis(s, bound, &up);
    IrValue *at = axis >= 0 ? bound_of_neighbour(s, b, bound, axis, starts == up) : NULL;
    IrStmt *few = at ? few_of(s, b, loop, reads) : NULL;
    if (!few || !schedule_take(s->w.unit, split_of(loop->for_.var, loop->span), true))
        return;
    IrVar *mid = build_temporary(b, "_mid", type_int64);
    ir_insert_before(region, loop, ir_set(b->arena, mid, at, b->span));
    if (starts) {
        few->for_.stop = between(b, INTR_min, few->for_.stop, mid);
        ir_insert_before(region, loop, few);
        loop->for_.start = build_var(b, mid);
    } else {
        few->for_.start = between(b, INTR_max, few->for_.start, mid);
        ir_insert_before(region, loop->next, few);
        loop->for_.stop = build_var(b, mid);
    }
    array_push(b->arena, s->slants->list, s->slants->count, s->capacity) =
        (Slant){ loop->for_.var, axis, loop->span };
}

static void split_all(Slanting *s, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        if (stmt->kind == IR_FOR)
            split(s, region, stmt);
        for_each_region (inner, stmt)
            split_all(s, inner);
    }
}

bool slant_copy(IrUnit *unit, Slants *slants, IrRegion *copy)
{
    IrFunc *fn = unit->kernel;
    IrRegion body = fn->body, whole = { NULL, NULL };
    int count = fn->var_count;
    *slants = (Slants){ 0 };
    if (!ir_has_loop(&body))
        return false;
    ir_clone_region(&(IrClone){ .arena = unit->arena }, &body, &whole);
    fn->body = whole;
    Guarded guarded = guard_find_loops(unit->arena, fn);
    Slanting s = { .w = { .unit = unit,
                          .sets = ir_sets(unit->arena, fn, &fn->body),
                          .reads = ir_reads(unit->arena, fn, &fn->body) },
                   .affine = ir_affine(unit, guarded.within),
                   .slants = slants };
    if (guarded.rest)
        split_all(&s, (IrRegion *)guarded.within);
    if (slants->count)
        inside_range(unit, count);
    else
        inside_discard(unit, count);
    *copy = fn->body;
    fn->body = body;
    return slants->count > 0;
}

bool slant_pays(const Slants *slants, const Tile *tile)
{
    for (int i = 0; i < slants->count; i++)
        for (int side = 0; side < SIDES; side++)
            if (tile->axis[side] == slants->list[i].axis && tile->count[side][NEAR] > 1)
                return true;
    return false;
}

void slant_done(IrUnit *unit, const Slants *slants)
{
    for (int i = 0; i < slants->count; i++) {
        const Slant *slant = &slants->list[i];
        schedule_done(schedule_take(unit, split_of(slant->counter, slant->span), true));
        ir_remark(unit, slant->span,
                  "neighbours make together the iterations of the loop that all of them make");
    }
}

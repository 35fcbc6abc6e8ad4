/* Which role each array has when a launch is split, and along which axis of the grid that costs
** least. */
#include "ir/predict/split.h"

#include "ir/analysis/range/interval.h"
#include "ir/predict/split_parts.h"

typedef struct Splitting {
    const SplitRequest *request;
    Arena *arena;
    const IrFunc *fn;
    SplitPlan *plan;
    SplitAccess **accesses; /* by rank, then by parameter */
} Splitting;

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    Combine combine;
} combines[] = { { "sum", COMBINE_SUM }, { "max", COMBINE_MAX }, { "min", COMBINE_MIN },
                 { "and", COMBINE_AND }, { "or", COMBINE_OR },   { "xor", COMBINE_XOR } };

Combine split_combine(const char *name, size_t length)
{
    for (size_t i = 0; i < ARRAY_COUNT(combines); i++)
        if (strlen(combines[i].name) == length && strncmp(combines[i].name, name, length) == 0)
            return combines[i].combine;
    return COMBINE_NONE;
}

const char *split_combine_name(Combine combine)
{
    for (size_t i = 0; i < ARRAY_COUNT(combines); i++)
        if (combines[i].combine == combine)
            return combines[i].name;
    return "";
}

/* ---- stretches ------------------------------------------------------------------------------- */

int64_t split_runs(SplitStretch stretch, int64_t extent,
                   void (*each)(void *context, int64_t low, int64_t high), void *context)
{
    int64_t count = 0, width = stretch.high - stretch.low + 1, low = stretch.low;

    if (stretch.low > stretch.high || extent < 1)
        return 0;
    if (stretch.period && width >= stretch.period) {
        stretch.period = 0;
        stretch.high = extent - 1;
        low = 0;
    } else if (stretch.period) {
        low -= stretch.low / stretch.period * stretch.period;
        low -= low + width > stretch.period ? stretch.period : 0; /* it may begin before 0 */
    }
    for (; low < extent; low += stretch.period) {
        int64_t high = stretch.period ? low + width - 1 : stretch.high;
        int64_t from = low < 0 ? 0 : low, to = high < extent ? high : extent - 1;
        if (from <= to && each)
            each(context, from, to);
        count += from <= to ? to - from + 1 : 0;
        if (!stretch.period)
            break;
    }
    return count;
}

static uint64_t elements_of(const SplitArg *arg, int rank, int but)
{
    uint64_t elements = 1;
    for (int k = 0; k < rank; k++)
        elements *= k == but ? 1 : (uint64_t)arg->shape[k];
    return elements;
}

uint64_t split_bytes(const SplitArg *arg, int rank, int axis, SplitStretch stretch)
{
    return (uint64_t)split_runs(stretch, arg->shape[axis], NULL, NULL) *
           elements_of(arg, rank, axis) * arg->item;
}

/* Whether no index of one is one of the other. */
static bool apart(SplitStretch a, SplitStretch b)
{
    int64_t period = a.period ? a.period : b.period;

    if (a.low > a.high || b.low > b.high)
        return true;
    if (!period)
        return a.high < b.low || b.high < a.low;
    if (a.period && b.period && a.period != b.period)
        return false;
    int64_t up = b.low - a.high; /* the least move of a that reaches b, in periods */
    int64_t times = up >= 0 ? (up + period - 1) / period : -(-up / period);
    return a.low + times * period > b.high;
}

/* ---- one array ------------------------------------------------------------------------------- */

static int rank_of(const Splitting *s, int param)
{
    const Type *type = s->fn->vars[param]->type;
    return type_is_array(type) ? type->array.rank : 0;
}

/* What all ranks do to a parameter, and where the first of each stands. */
static SplitAccess together(const Splitting *s, int param)
{
    SplitAccess all = { 0 };
    for (int r = 0; r < s->request->ranks; r++) {
        const SplitAccess *access = &s->accesses[r][param];
        if (access->reads && !all.reads)
            all.read = access->read;
        if (access->writes && !all.writes)
            all.write = access->write;
        if (access->atomics && !all.atomics)
            all.atomic = access->atomic;
        all.mixed |=
            access->mixed || (all.combine && access->combine && all.combine != access->combine);
        all.reads |= access->reads;
        all.writes |= access->writes;
        all.atomics |= access->atomics;
        all.used |= access->used;
        all.combine = access->combine ? access->combine : all.combine;
    }
    return all;
}

/* Whether no rank accesses, along an axis, what another one writes. */
static bool parts_along(const Splitting *s, int param, int axis)
{
    for (int r = 0; r < s->request->ranks; r++)
        for (int q = 0; q < s->request->ranks; q++)
            if (q != r &&
                !apart(s->accesses[r][param].written[axis], s->accesses[q][param].accessed[axis]))
                return false;
    return true;
}

static uint64_t held_bytes(const Splitting *s, int param, int axis)
{
    uint64_t bytes = 0;
    for (int r = 0; r < s->request->ranks; r++)
        bytes += split_bytes(&s->request->args[param], rank_of(s, param), axis,
                             s->accesses[r][param].accessed[axis]);
    return bytes;
}

static uint64_t whole_bytes(const Splitting *s, int param)
{
    const SplitArg *arg = &s->request->args[param];
    return elements_of(arg, rank_of(s, param), -1) * arg->item;
}

/* The axis along which the least is held, of those that `parts`; -1: none. */
static int best_axis(const Splitting *s, int param, bool writes)
{
    uint64_t least = UINT64_MAX;
    int best = -1;
    for (int k = 0; k < rank_of(s, param); k++) {
        if (writes && !parts_along(s, param, k))
            continue;
        uint64_t bytes = held_bytes(s, param, k);
        if (bytes < least) {
            least = bytes;
            best = k;
        }
    }
    return best;
}

/* How many indices neighbours both hold, at the most. */
static int64_t shared_by_neighbours(const SplitArray *array, int ranks)
{
    const SplitStretch *before = NULL;
    int64_t most = 0;

    for (int r = 0; r < ranks; r++) {
        const SplitStretch *held = &array->held[r];
        if (held->low > held->high || held->period)
            continue;
        if (before && before->high - held->low + 1 > most)
            most = before->high - held->low + 1;
        before = held;
    }
    return most;
}

/* Parts as they are accessed. */
static void take_parts(const Splitting *s, int param, int axis, SplitArray *array)
{
    array->role = SPLIT_PARTS;
    array->axis = axis;
    array->held = arena_array(s->arena, SplitStretch, s->request->ranks);
    array->own = arena_array(s->arena, SplitStretch, s->request->ranks);
    for (int r = 0; r < s->request->ranks; r++) {
        const SplitAccess *access = &s->accesses[r][param];
        array->held[r] = access->accessed[axis];
        array->own[r] = access->written[axis];
    }
    array->shared = shared_by_neighbours(array, s->request->ranks);
    array->held_bytes_all = held_bytes(s, param, axis);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static void refuse(const Splitting *s, Span where, const char *why, const char *help)
{
    if (s->plan->why)
        return;
    s->plan->why = why;
    s->plan->help = help;
    s->plan->where = where;
}

static const char *name_of(const Splitting *s, int param)
{
    return s->fn->vars[param]->name;
}

/* Whether no two ranks write the same along an axis. */
static bool writes_apart(const Splitting *s, int param, int axis)
{
    for (int r = 0; r < s->request->ranks; r++)
        for (int q = 0; q < r; q++)
            if (!apart(s->accesses[r][param].written[axis], s->accesses[q][param].written[axis]))
                return false;
    return true;
}

/* A stretch with so many indices more on either side. */
static SplitStretch widened(SplitStretch own, int64_t halo, int64_t extent)
{
    if (own.low > own.high || own.period)
        return own;
    own.low = own.low > halo ? own.low - halo : 0;
    own.high = extent - 1 - own.high > halo ? own.high + halo : extent - 1;
    return own;
}

static void take_whole(const Splitting *s, int param, SplitRole role, SplitArray *array)
{
    array->role = role;
    array->held_bytes_all = whole_bytes(s, param) * (uint64_t)s->request->ranks;
}

/* No rank reads what another one writes: that is said, and need not be shown. Where it is known
** what each writes that is its part; else each has all of it, and what they change is put
** together. */
static void wished_parts(const Splitting *s, int param, SplitArray *array)
{
    const SplitArg *arg = &s->request->args[param];
    const SplitWish *wish = &arg->wish;
    int axis = wish->axis;

    if (!writes_apart(s, param, axis)) {
        take_whole(s, param, SPLIT_MERGED, array);
        return;
    }
    take_parts(s, param, axis, array);
    if (!wish->has_halo || !array->writes)
        return;
    array->held_bytes_all = 0;
    for (int r = 0; r < s->request->ranks; r++) {
        array->held[r] = widened(array->own[r], wish->halo, arg->shape[axis]);
        array->held_bytes_all += split_bytes(arg, rank_of(s, param), axis, array->held[r]);
    }
    array->shared = shared_by_neighbours(array, s->request->ranks);
}

static bool can_combine(const Type *element, Combine combine)
{
    bool bits = combine == COMBINE_AND || combine == COMBINE_OR || combine == COMBINE_XOR;
    return type_is_integer(element) ||
           (!bits && (element == type_float32 || element == type_float64));
}

static void take_reduced(const Splitting *s, int param, Combine combine, Span where,
                         SplitArray *array)
{
    const Type *element = s->fn->vars[param]->type->array.element;
    if (!can_combine(element, combine))
        refuse(s, where,
               arena_printf(s->arena,
                            "'%s' would be put together with %s, which is not there for "
                            "its elements",
                            name_of(s, param), split_combine_name(combine)),
               NULL);
    array->role = SPLIT_REDUCED;
    array->combine = combine;
    array->held_bytes_all = whole_bytes(s, param) * (uint64_t)s->request->ranks;
}

/* Carries out the roles that the caller gave. */
static void take_wish(const Splitting *s, int param, const SplitAccess *all, SplitArray *array)
{
    const SplitWish *wish = &s->request->args[param].wish;
    bool changes = all->writes || all->atomics;

    if (wish->role == SPLIT_PARTS) {
        if (all->atomics)
            refuse(s, all->atomic,
                   arena_printf(s->arena, "--split is for what no atomics change, as they do '%s'",
                                name_of(s, param)),
                   NULL);
        wished_parts(s, param, array);
    } else if (wish->role == SPLIT_REDUCED) {
        if (all->reads && wish->combine == COMBINE_SUM &&
            !type_is_integer(s->fn->vars[param]->type->array.element))
            refuse(s, all->read,
                   arena_printf(s->arena,
                                "'%s' is to be reduced, and is read here: sums of floats "
                                "begin with 0 on each rank",
                                name_of(s, param)),
                   NULL);
        take_reduced(s, param, wish->combine, all->write, array);
    } else {
        if (changes)
            refuse(s, all->writes ? all->write : all->atomic,
                   arena_printf(s->arena, "--copy is for what is only read, and '%s' is written",
                                name_of(s, param)),
                   NULL);
        take_whole(s, param, SPLIT_COPIED, array);
    }
}

/* ---- roles ----------------------------------------------------------------------------------- */

static void refuse_array(const Splitting *s, int param, const SplitAccess *all)
{
    const char *name = name_of(s, param);
    const char *split = arena_printf(
        s->arena, "--split %s=0 says that no rank reads what another one writes", name);

    if (all->atomics && all->used)
        refuse(s, all->atomic,
               arena_printf(s->arena,
                            "what an atomic on '%s' gives is used, and hangs on what blocks of "
                            "other ranks did",
                            name),
               NULL);
    else if (all->atomics && (all->reads || all->writes))
        refuse(s, all->reads ? all->read : all->write,
               arena_printf(s->arena, "'%s' is changed by atomics, and %s here", name,
                            all->reads ? "read" : "written"),
               NULL);
    else if (all->atomics)
        refuse(s, all->atomic,
               arena_printf(s->arena,
                            "'%s' is changed by atomics that no one operation puts together", name),
               NULL);
    else
        refuse(s, all->read,
               arena_printf(s->arena,
                            "'%s' is written, and read at elements that blocks of other ranks may "
                            "write",
                            name),
               split);
}

static void take_role(const Splitting *s, int param, SplitArray *array)
{
    SplitAccess all = together(s, param);
    bool changes = all.writes || all.atomics, array_itself = rank_of(s, param) > 0;
    uint64_t whole = whole_bytes(s, param) * (uint64_t)s->request->ranks;

    array->reads = all.reads;
    array->writes = all.writes;
    array->atomics = all.atomics;
    if (!all.reads && !changes)
        return;
    if (!array_itself) {
        take_whole(s, param, SPLIT_COPIED, array);
        if (changes)
            refuse(
                s, all.writes ? all.write : all.atomic,
                arena_printf(s->arena, "'%s' is written as an item of a tuple", name_of(s, param)),
                "pass the array by itself");
        return;
    }
    if (s->request->args[param].wish.role) {
        take_wish(s, param, &all, array);
        return;
    }
    int axis = best_axis(s, param, changes);
    if (axis >= 0 && (changes || held_bytes(s, param, axis) < whole))
        take_parts(s, param, axis, array);
    else if (!changes)
        take_whole(s, param, SPLIT_COPIED, array);
    else if (all.writes && !all.reads && !all.atomics)
        take_whole(s, param, SPLIT_MERGED, array);
    else if (all.atomics && !all.reads && !all.writes && !all.used && !all.mixed)
        take_reduced(s, param, all.combine, all.atomic, array);
    else
        refuse_array(s, param, &all);
}

/* ---- one axis of the grid -------------------------------------------------------------------- */

static uint64_t threads_along(const SplitRequest *request, int axis)
{
    return (uint64_t)request->grid[axis] * request->block[axis];
}

/* How many stretches of threads that are not split there are. */
static uint64_t units_along(const SplitRequest *request, int axis)
{
    uint64_t each = request->together[axis];
    return (threads_along(request, axis) + each - 1) / each;
}

static void share_threads(SplitPlan *plan, Arena *arena, const SplitRequest *request)
{
    uint64_t units = units_along(request, plan->axis), threads = threads_along(request, plan->axis);
    uint64_t ranks = (uint64_t)plan->ranks;

    plan->first = arena_array(arena, uint64_t, plan->ranks + 1);
    for (uint64_t r = 0; r <= ranks; r++) {
        uint64_t first = (units * r + ranks - 1) / ranks * request->together[plan->axis];
        plan->first[r] = first < threads ? first : threads;
    }
}

/* What has to be brought to the ranks, and back; parts that lie scattered count for a little
** more. */
static uint64_t cost_of(const Splitting *s, int param)
{
    const SplitArray *array = &s->plan->arrays[param];
    uint64_t back = 0;
    const Type *type = s->fn->vars[param]->type;
    int outer = rank_of(s, param) && type->array.layout == LAYOUT_F ? rank_of(s, param) - 1 : 0;
    bool scattered = array->role == SPLIT_PARTS && array->axis != outer;

    if (array->role == SPLIT_REDUCED || array->role == SPLIT_MERGED)
        back = array->held_bytes_all;
    for (int r = 0;
         array->role == SPLIT_PARTS && (array->writes || array->atomics) && r < s->request->ranks;
         r++)
        back +=
            split_bytes(&s->request->args[param], rank_of(s, param), array->axis, array->own[r]);
    back += array->held_bytes_all;
    return back + (scattered ? back / 4 : 0);
}

/* Whether what some threads access of each array in parts no other rank does. */
static bool is_inner(const Splitting *s, int rank, const SplitAccess *accesses)
{
    for (int i = 0; i < s->fn->param_count; i++) {
        const SplitArray *array = &s->plan->arrays[i];
        for (int r = 0; array->role == SPLIT_PARTS && r < s->request->ranks; r++)
            if (r != rank && !apart(accesses[i].accessed[array->axis], array->held[r]))
                return false;
    }
    return true;
}

/* The threads of each rank without some at either end: one stretch that is not split, or a few. */
static void find_inner(const Splitting *s, const SplitUnit *split)
{
    enum { MOST = 4 };
    SplitPlan *plan = s->plan;
    uint64_t unit = s->request->together[plan->axis];

    plan->inner = arena_array(s->arena, uint64_t, 2 * s->request->ranks);
    for (int i = 0; i < s->fn->param_count; i++)
        plan->arrays[i].inner = arena_array(s->arena, SplitStretch, s->request->ranks);
    for (int r = 0; r < s->request->ranks; r++)
        for (uint64_t edge = unit; edge <= MOST * unit; edge *= 2) {
            uint64_t from = plan->first[r] + edge, to = plan->first[r + 1] / unit * unit;
            if (to < from + edge + unit)
                break;
            SplitAccess *accesses = split_walk(s->request, split, from, to - edge);
            if (!is_inner(s, r, accesses))
                continue;
            plan->inner[2 * r] = from;
            plan->inner[2 * r + 1] = to - edge;
            for (int i = 0; i < s->fn->param_count; i++)
                plan->arrays[i].inner[r] = accesses[i].accessed[plan->arrays[i].axis];
            break;
        }
}

static SplitPlan split_along(const SplitRequest *request, const IrUnit *unit, int axis)
{
    Arena *arena = unit->arena;
    SplitPlan plan = { .axis = axis, .ranks = request->ranks, .request = request };
    Splitting s = { .request = request, .arena = arena, .fn = unit->kernel, .plan = &plan };
    SplitUnit split = split_unit(request, unit, axis);

    share_threads(&plan, arena, request);
    plan.arrays = arena_array(arena, SplitArray, s.fn->param_count + 1);
    plan.names = arena_array(arena, const char *, s.fn->param_count + 1);
    s.accesses = arena_array(arena, SplitAccess *, request->ranks);
    for (int r = 0; r < request->ranks; r++)
        s.accesses[r] = split_walk(request, &split, plan.first[r], plan.first[r + 1]);
    for (int i = 0; i < s.fn->param_count; i++) {
        plan.names[i] = name_of(&s, i);
        if (type_holds_arrays(s.fn->vars[i]->type))
            take_role(&s, i, &plan.arrays[i]);
        plan.cost += cost_of(&s, i);
    }
    if (!plan.why && request->wants_inner)
        find_inner(&s, &split);
    return plan;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Ranks with something to do. */
static uint64_t busy(const SplitRequest *request, int axis)
{
    uint64_t ranks = (uint64_t)request->ranks, units = units_along(request, axis);
    return units < ranks ? units : ranks;
}

/* A plan that is carried out before one that is not; more ranks at work before fewer; then what
** costs less. */
static bool is_better(const SplitRequest *request, const SplitPlan *a, const SplitPlan *b)
{
    if (!a->why != !b->why)
        return !a->why;
    if (busy(request, a->axis) != busy(request, b->axis))
        return busy(request, a->axis) > busy(request, b->axis);
    return a->cost < b->cost;
}

static bool is_too_large(const SplitRequest *request)
{
    for (int k = 0; k < 3; k++)
        if ((uint64_t)request->grid[k] * request->block[k] > NARROW_THREADS)
            return true;
    return false;
}

SplitPlan ir_split(const SplitRequest *request)
{
    IrUnit *unit = request->unit;
    SplitPlan best = { .request = request, .ranks = request->ranks };
    bool any = false;

    best.why = split_refused(&unit, &best.where);
    if (!best.why && is_too_large(request))
        best = (SplitPlan){ .why = "its grid has more than 2^30 threads along an axis",
                            .where = unit->kernel->span };
    if (best.why)
        return best;
    for (int k = 2; k >= 0; k--) {
        bool wanted = request->axis < 0 ? k == 0 || request->grid[k] > 1 : k == request->axis;
        if (!wanted)
            continue;
        SplitPlan plan = split_along(request, unit, k);
        if (!any || is_better(request, &plan, &best))
            best = plan;
        any = true;
    }
    return best;
}

/* Atomics on arrays of few elements go to copies in shared memory, which are merged at the end:
**
**     for i in grid(0) to extent(x, 0) by gridsize(0)
**         eval atomic_add(counts, load(x, i), 1)
** becomes
**     <every copy's every element is 0>
**     eval syncthreads()
**     for i in grid(0) to extent(x, 0) by gridsize(0)
**         eval atomic_add(_counts, add(mul(load(x, i), _counts_copies), _counts_mine), 1)
**     eval syncthreads()
**     <the sum over the copies of each element, unless it is 0, is added to that of counts>
**
** The copies of an element lie side by side, and the lanes of a warp have one each, or as many as
** there is room for: threads that count the same then neither wait for one another nor for a bank.
** Where they go to one column of several rows, `atomic_add(sums, key, k, load(x, i, k))` with k a
** loop's counter, those would lie in a few banks: the place in a line of banks is mixed with the
** line's number then.
**
** Legal for an array parameter that nothing else in the kernel accesses and that has no byte in
** common with another argument, if
** - it has few elements, by the launch's facts, of 4 or 8 bytes, or some more, as long as all
**   arrays of so many take SOME_MOST bytes (those of the processor's threads lie on their stacks);
** - all atomics on it go together: sums and differences, or one of max, min, and, or, xor; their
**   results are unused. Sums of floats were of no certain order before. (Atomics in global memory
**   take float32 numbers below 2^-126 for 0, those in shared memory do not.) nanmax and nanmin of
**   floats are left alone: no number stands for "nothing yet";
** - all threads of a block come to both barriers: nothing ends a thread, returns become branches
**   (none may stand in a kernel that synchronises), what waits does so uniformly;
** - no thread can wait for the counts while the kernel runs: no fences, no grid's synchronisation;
** - the kernel has no dynamic shared memory of its own.
**
** Pays when threads come to one element often: with a loop around the atomic always, else when the
** array is tiny, that is, hardly larger than a block, and not just one thread of a block comes
** there, once, as with what the block has summed. Sums of floats in shared memory take a loop of
** compare-and-swap, which is still faster than a queue for one address in global memory. */
#include "ir/analysis/accesses.h"
#include "ir/schedule/privatise/privatise.h"

#include "ir/analysis/flow/sets.h"

/* Why an array was never meant: a lock, a number that is drawn. */
static const char NOT_NEARLY[] = "";

enum { SOME_MOST = 64 << 10 }; /* bytes of a block, for one copy of each array */

typedef struct Privatise {
    IrUnit *unit;
    IrFunc *fn;
    Private *arrays; /* by parameter */
    int loops;       /* around the statement at hand */
    IrSets sets;
    unsigned
        pinned; /* axes, 1 << axis, along which all threads of a block that come to it are one */
} Privatise;

/* ---- which atomics --------------------------------------------------------------------------- */

static Combine combine_of(const IrValue *atomic)
{
    bool whole = type_is_integer(atomic->operands[0]->type->array.element);
    if (whole && atomic->intrinsic == INTR_atomic_nanmax)
        return COMBINE_MAX;
    if (whole && atomic->intrinsic == INTR_atomic_nanmin)
        return COMBINE_MIN;
    return atomic_combine(atomic);
}

IrVar *privatise_whole(const IrValue *array)
{
    while (array->op == OP_cast)
        array = array->operands[0];
    return array->op == OP_var && array->var->kind == VAR_PARAM ? array->var : NULL;
}

Private *privatise_find(Private *const *arrays, int count, const IrValue *value)
{
    if (!ir_is_atomic(value))
        return NULL;
    const IrVar *param = privatise_whole(value->operands[0]);
    for (int i = 0; i < count; i++)
        if (arrays[i]->param == param)
            return arrays[i];
    return NULL;
}

/* ---- what the kernel does with its arrays ---------------------------------------------------- */

static Private *array_of(const Privatise *p, const IrVar *param)
{
    return param && type_is_array(param->type) ? &p->arrays[param->param] : NULL;
}

static void refuse(Private *array, const char *why)
{
    if (array && !array->why)
        array->why = why;
}

/* Any other use of an array than by an atomic; its extents and strides may be asked. */
static void visit_use(const Privatise *p, const IrValue *value)
{
    if ((value->op == OP_extent || value->op == OP_stride) && privatise_whole(value->operands[0]))
        return;
    if (value->op == OP_var && value->var->kind == VAR_PARAM)
        refuse(array_of(p, value->var), "it is also used otherwise");
    for (int i = 0; i < value->count; i++)
        visit_use(p, value->operands[i]);
}

/* The parameter that an atomic's array is, or part of, if that can be seen. */
static IrVar *root_of(const IrValue *array)
{
    while (array->op == OP_view || array->op == OP_transpose || array->op == OP_cast)
        array = array->operands[0];
    return privatise_whole(array);
}

unsigned privatise_pinned(const IrSets *sets, const IrValue *condition)
{
    condition = sets_behind_casts(sets, condition);
    if (condition->op == OP_and_then)
        return privatise_pinned(sets, condition->operands[0]) |
               privatise_pinned(sets, condition->operands[1]);
    if (condition->op != OP_eq)
        return 0;
    for (int side = 0; side < 2; side++) {
        const IrValue *index = sets_behind_casts(sets, condition->operands[side]);
        if (ir_is_intrinsic(index, INTR_thread_idx) && ir_is_constant(condition->operands[!side]))
            return 1u << index->index;
    }
    return 0;
}

/* Whether one thread of a block comes to the statement at hand, at most. */
static bool is_one_thread(const Privatise *p)
{
    uint32_t block[3] = { 0 };
    if (!p->pinned || (!p->unit->shape.changed && !launch_block(p->unit->launch, block)))
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (block[axis] != 1 && !(p->pinned & 1u << axis))
            return false;
    return true;
}

/* Whether a value is made of numbers, arguments and counters that go by a number, which hardly
** differ in a warp. */
static bool is_steady(const Privatise *p, const IrValue *value)
{
    value = sets_behind_casts(&p->sets, value);
    if (value->op == OP_add || value->op == OP_sub)
        return is_steady(p, value->operands[0]) && is_steady(p, value->operands[1]);
    const IrStmt *loop = value->op == OP_var ? sets_loop(&p->sets, value->var) : NULL;
    return ir_is_constant(value) || (value->op == OP_var && value->var->kind == VAR_PARAM) ||
           (loop && ir_is_constant(loop->for_.step));
}

/* Whether a value is known to be a multiple of four. */
static bool is_multiple(const Privatise *p, const IrValue *value)
{
    value = sets_behind_casts(&p->sets, value);
    if (value->op == OP_var && value->var->kind == VAR_PARAM)
        return launch_multiple(p->unit->launch, value->var->param, 4);
    return ir_is_constant(value) && value->constant.integer % 4 == 0;
}

/* Whether a value may be where a row begins, in one of a few banks. */
static bool begins_row(const Privatise *p, const IrValue *value)
{
    value = sets_behind_casts(&p->sets, value);
    return value->op == OP_mul &&
           (is_multiple(p, value->operands[0]) || is_multiple(p, value->operands[1]));
}

/* Whether an atomic's element is in a column that is much the same for all threads, of rows that
** differ and begin in few banks. Of a tiny array nearly every lane has a copy. */
static bool is_pitched(const Privatise *p, const IrValue *atomic, const IrVar *param)
{
    int rank = atomic->count - 2;
    const IrValue *last = sets_behind_casts(&p->sets, atomic->operands[rank]);
    if (launch_elements_to_256(p->unit->launch, param->param))
        return false;
    if (rank > 1)
        return launch_aligned(p->unit->launch, param->param) && is_steady(p, last) &&
               !is_steady(p, atomic->operands[rank - 1]);
    if (last->op != OP_add)
        return false;
    for (int side = 0; side < 2; side++)
        if (begins_row(p, last->operands[side]) && is_steady(p, last->operands[!side]))
            return true;
    return false;
}

/* An atomic; `unused` is its result. */
static void visit_atomic(const Privatise *p, const IrValue *atomic, bool unused)
{
    IrVar *param = root_of(atomic->operands[0]);
    Private *array = array_of(p, param);
    Combine combine = combine_of(atomic);
    if (!array) {
        visit_use(p, atomic);
        return;
    }
    if (!array->param) {
        array->span = atomic->span;
        array->combine = combine;
        array->param = param;
    }
    if (param != privatise_whole(atomic->operands[0]))
        refuse(array, "they go to a part of it");
    if (!param->type->array.rank)
        refuse(array, "the array has no axis");
    array->looped |= p->loops > 0;
    array->often |= p->loops > 0 || !is_one_thread(p);
    array->pitched |= is_pitched(p, atomic, param);
    if (!unused)
        refuse(array, NOT_NEARLY);
    if (combine == COMBINE_NONE)
        refuse(array, NOT_NEARLY);
    if (combine != array->combine)
        refuse(array, "sums, maxima, minima and bits on one array do not go together");
    for (int i = 1; i < atomic->count; i++)
        visit_use(p, atomic->operands[i]);
}

static void visit_region(Privatise *p, const IrRegion *region);

static void visit_stmt(Privatise *p, IrStmt *stmt)
{
    const IrValue *value = ir_stmt_value(stmt);
    if (value && ir_is_atomic(value))
        visit_atomic(p, value, stmt->kind == IR_EVAL);
    else
        for_each_value (used, stmt)
            visit_use(p, used);
    IrRegion *regions[2];
    int count = ir_regions(stmt, regions), loop = ir_is_loop(stmt);
    unsigned pinned = p->pinned;
    p->loops += loop;
    for (int i = 0; i < count; i++) {
        if (stmt->kind == IR_IF && i == 0)
            p->pinned |= privatise_pinned(&p->sets, stmt->if_.condition);
        visit_region(p, regions[i]);
        p->pinned = pinned;
    }
    p->loops -= loop;
}

static void visit_region(Privatise *p, const IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        visit_stmt(p, stmt);
}

/* ---- names of parameters --------------------------------------------------------------------- */

/* The parameter that a variable merely names, or NULL. */
static IrValue *named(const IrSets *sets, const IrVar *var)
{
    IrValue *of = type_is_array(var->type) ? sets_value(sets, var) : NULL;
    return of && privatise_whole(of) ? of : NULL;
}

static IrValue *named_by(void *context, IrValue *value)
{
    return value->op == OP_var ? named(context, value->var) : NULL;
}

static void put_names(IrSets *sets, IrRegion *region)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        next = stmt->next;
        if (stmt->kind == IR_SET && named(sets, stmt->set.var)) {
            ir_remove(region, stmt);
            continue;
        }
        for_each_slot (slot, stmt)
            ir_replace(slot, named_by, sets);
        for_each_region (inner, stmt)
            put_names(sets, inner);
    }
}

/* Parameters in place of variables that merely name them, as those of functions that were put
** in place of their calls do. */
static void resolve_names(Arena *arena, IrFunc *fn)
{
    IrSets sets = ir_sets(arena, fn, &fn->body);
    put_names(&sets, &fn->body);
}

/* ---- whether --------------------------------------------------------------------------------- */

/* What in the kernel as a whole prevents it, or NULL. */
static const char *obstacle(const IrFunc *fn, PrivateTo to)
{
    int effects = ir_region_effects(&fn->body);
    if (to != PRIVATE_BLOCK && to != PRIVATE_ITERATIONS)
        return effects & (EFFECT_FENCE | EFFECT_GRID_SYNC) ? "other blocks may wait for them"
                                                           : NULL;
    if (ir_has_kind(fn, VAR_SHARED_DYNAMIC))
        return "the kernel has dynamic shared memory of its own";
    if (effects & (EFFECT_FENCE | EFFECT_GRID_SYNC))
        return "other blocks may wait for them";
    if (effects & EFFECT_STOP)
        return "a thread may end before they are merged";
    if (effects & EFFECT_MEETS &&
        (ir_region_has(&fn->body, 1 << IR_RETURN) || ir_syncs_divergently(fn)))
        return "not all threads of a block may come to where others wait";
    return NULL;
}

static const char *exact_obstacle(const Private *array)
{
    const Type *type = array->param->type, *element = type->array.element;
    if (array->combine != COMBINE_SUM || !type_is_float(element))
        return NOT_NEARLY;
    if (type_size(element) < 4 || type->array.unaligned)
        return "its elements are not of float32 or float64";
    if (type->array.layout == LAYOUT_A)
        return "it may lie in pieces";
    return NULL;
}

static const char *array_obstacle(const IrUnit *unit, const Private *array, PrivateTo to)
{
    const Type *type = array->param->type, *element = type->array.element;
    size_t bytes = type_size(element);
    bool number = type_is_number(element) && (bytes == 4 || bytes == 8);
    if (array->why)
        return array->why;
    if (to == PRIVATE_EXACT)
        return exact_obstacle(array);
    if (!number || type->array.unaligned)
        return "its elements are not numbers of 4 or 8 bytes";
    if (!launch_elements_to_4096(unit->launch, array->param->param) &&
        (to == PRIVATE_WORKER || !launch_elements_to_8192(unit->launch, array->param->param)))
        return "it has too many elements";
    if (to == PRIVATE_WORKER && type->array.layout == LAYOUT_A)
        return "it may lie in pieces";
    if (to == PRIVATE_BLOCK && !array->looped &&
        !launch_elements_to_256(unit->launch, array->param->param))
        return "it has more elements than a block comes to";
    if (to == PRIVATE_BLOCK && !array->often)
        return "one thread of a block comes to it, once";
    if (!launch_alone(unit->launch, array->param->param))
        return "it may overlap another argument";
    return NULL;
}

static const char *const elsewhere[] = {
    [PRIVATE_BLOCK] = "stay in global memory",
    [PRIVATE_ITERATIONS] = "stay in global memory",
    [PRIVATE_WORKER] = "stay in common memory",
    [PRIVATE_EXACT] = "are done in order",
};

/* What an array of more than few elements takes; 0: it has few. */
static size_t room_of(const IrUnit *unit, const Private *array)
{
    if (launch_elements_to_4096(unit->launch, array->param->param))
        return 0;
    return ELEMENTS_8192 * type_size(array->param->type->array.element);
}

/* Fills `chosen`, `most` of them at most, and tells of the others. */
static int choose(const Privatise *p, PrivateTo to, Private **chosen, int most)
{
    const char *whole = obstacle(p->fn, to);
    size_t left = SOME_MOST;
    int count = 0;
    for (int i = 0; i < p->fn->param_count; i++) {
        Private *array = &p->arrays[i];
        if (!array->param)
            continue;
        const char *why = whole ? whole : array_obstacle(p->unit, array, to);
        size_t room = why || to == PRIVATE_EXACT ? 0 : room_of(p->unit, array);
        if (!why && (count == most || room > left))
            why = "there are too many such arrays";
        left -= why ? 0 : room;
        if (!why)
            chosen[count++] = array;
        else if (array->why != NOT_NEARLY && why != NOT_NEARLY)
            ir_remark(p->unit, array->span, "atomics on '%s' %s: %s", array->param->name,
                      elsewhere[to], why);
        if (why && (to == PRIVATE_BLOCK || to == PRIVATE_WORKER))
            schedule_refuse(p->unit,
                            (Directive){ to == PRIVATE_BLOCK ? DO_PRIVATISE : DO_WORKER,
                                         .array = array->param->name },
                            array->span, why == NOT_NEARLY ? "it is not for atomics alone" : why);
    }
    return count;
}

int privatise_choose(IrUnit *unit, PrivateTo to, Private **chosen, int most)
{
    IrFunc *fn = unit->kernel;
    Privatise p = { .unit = unit,
                    .fn = fn,
                    .arrays = arena_array(unit->arena, Private, fn->param_count + 1),
                    .loops = to == PRIVATE_ITERATIONS };

    if (!(ir_region_effects(&fn->body) & EFFECT_ATOMIC))
        return 0;
    resolve_names(unit->arena, fn);
    p.sets = ir_sets(unit->arena, fn, &fn->body);
    visit_region(&p, &fn->body);
    return choose(&p, to, chosen, most);
}

int privatise_keep(IrUnit *unit, Primitive primitive, Private **chosen, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const IrVar *param = chosen[i]->param;
        Directive own = { primitive, .array = param->name, .site = param, .span = chosen[i]->span };
        Directive *directive = schedule_take(unit, own, true);
        if (!directive)
            continue;
        schedule_done(directive);
        chosen[kept++] = chosen[i];
    }
    return kept;
}

void ir_privatise(IrUnit *unit)
{
    /* Bytes for copies that each thread brings: those of the 2048 threads of a multiprocessor fit
    ** into its shared memory; and where a thread comes to one element only once. */
    enum { ROOM = 96, ONCE = 16 };
    Private *chosen[SHAPE_ARRAYS];
    int count =
        privatise_choose(unit, PRIVATE_BLOCK, chosen, SHAPE_ARRAYS - unit->shape.shared_count);

    count = privatise_keep(unit, DO_PRIVATISE, chosen, count);
    if (count == 0)
        return;
    for (int i = 0; i < count; i++)
        chosen[i]->room = (uint32_t)((chosen[i]->looped ? ROOM : ONCE) / count / 8 * 8);
    privatise_make(unit, chosen, count);
    for (int i = 0; i < count; i++)
        ir_remark(unit, chosen[i]->span,
                  "atomics on '%s' go to copies in shared memory, merged at the end",
                  chosen[i]->param->name);
}

/* What a tile need not ask that lies well inside of what a kernel works on:
**
**     i = grid(0)
**     if lt(i, n)
**         for d in -1 to 2 by 1
**             if and_then(le(0, add(i, d)), lt(add(i, d), n))
**                 total = add(total, load(x, add(i, d)))
** becomes, as what tiles do that are whole,
**     if lt(i, n)
**         if and_then(ge(grid(0), 1), lt(grid(0), sub(n, 1)))
**             total = add(total, load(x, sub(i, 1))) ...
**
** Loops of few known iterations, as windows have them, are laid out (unroll/whole.c). Where the
** text compares an index in the grid that is some elements off with 0, or with the end that a
** condition around the whole kernel holds the index to, be that a number that is not far from it,
** or with an array's extent, nearly all threads find the same: that becomes one more condition
** around, and what follows of it is settled (settle.c). So are remainders of indices that wrap
** around and those that are held at the ends. That divisors made of arguments are positive is asked
** then, too. Threads that do not meet the condition run the kernel as it is written: the copy is
** for the fast path alone.
**
** Legal always: the copy is entered only where the conditions hold. It pays if the tile does that
** is chosen for it, and only where no loop is left, or what is left asks something at each
** iteration (borders.c); else it is thrown away. */
#include "ir/schedule/coarsen/coarsen.h"

enum {
    LIMITS = 8,          /* conditions that are put around, at most, and divisors */
    EDGE_MOST = 64,      /* elements between an index and a border */
    TIMES_MOST = 8,      /* factor of an index that is compared */
    WINDOW_NODES = 9600, /* of the kernel with its windows laid out */
    ROUNDS = 2,          /* that settle what follows from what was settled */
    SHORT = 16           /* elements of an axis that has no inside worth the text */
};

/* grid(axis) * times at least `number`; or, with an end, less than end + number. */
typedef struct Limit {
    int axis, times;
    const IrValue *end; /* NULL: a lower one */
    int64_t number;
} Limit;

typedef struct Inside {
    IrUnit *unit;
    IrAffine affine;
    const Guarded *guarded;
    Limit limits[LIMITS];
    int count;
    IrValue *divisors[LIMITS]; /* to be positive */
    int divisor_count;
    bool sees; /* that they are: they are put around all that has them */
} Inside;

/* ---- sums of an index and an end ------------------------------------------------------------- */

/* index * grid(axis) + ends * end + number */
typedef struct IndexParts {
    int axis, index, ends;
    const IrValue *end;
    int64_t number;
    int seen; /* values that were looked at */
} IndexParts;

enum { PARTS_MOST = 1000 }; /* values that are looked at for a sum */

/* Adds factor times a value, 1 or -1; false if it is no such sum. In code that is never reached a
** variable may be set from itself alone. */
static bool add_parts(const Inside *in, const IrValue *value, int factor, IndexParts *parts)
{
    if (parts->seen++ == PARTS_MOST)
        return false;
    value = sets_behind_casts(&in->affine.sets, value);
    if (ir_is_constant(value) && type_is_signed(value->type) &&
        value->constant.integer > -EDGE_MOST && value->constant.integer < EDGE_MOST) {
        parts->number += factor * value->constant.integer;
        return true;
    }
    if (ir_is_intrinsic(value, INTR_grid)) {
        if (parts->index && parts->axis != value->index)
            return false;
        parts->axis = value->index;
        parts->index += factor;
        return true;
    }
    if (value->op == OP_add || value->op == OP_sub)
        return add_parts(in, value->operands[0], factor, parts) &&
               add_parts(in, value->operands[1], value->op == OP_add ? factor : -factor, parts);
    if (value->op == OP_mul && type_is_signed(value->type))
        for (int i = 0; i < 2; i++) {
            const IrValue *times = value->operands[i];
            if (ir_is_constant(times) && times->constant.integer > 0 &&
                times->constant.integer <= TIMES_MOST)
                return add_parts(in, value->operands[!i], factor * (int)times->constant.integer,
                                 parts);
        }
    if (!guard_of_arguments(value) || (parts->ends && !affine_same(parts->end, value)))
        return false;
    parts->end = value;
    parts->ends += factor;
    return true;
}

static bool difference(const Inside *in, const IrValue *a, const IrValue *b, IndexParts *parts)
{
    *parts = (IndexParts){ 0 };
    if (!add_parts(in, a, 1, parts))
        return false;
    int index = parts->index;
    return add_parts(in, b, -1, parts) && (!index || parts->index == index || !parts->index);
}

/* Whether conditions around the kernel end an index along an axis where a value says, or close to
** it. */
static bool is_held(const Inside *in, int axis, const IrValue *end)
{
    for (int i = 0; i < in->guarded->term_count; i++) {
        const IrValue *of = guard_end(in->unit->arena, &in->affine, in->guarded->terms[i], axis);
        IndexParts parts = { 0 };
        if (of && add_parts(in, of, 1, &parts) && !parts.index && parts.ends == 1 &&
            affine_same(parts.end, end))
            return true;
    }
    return false;
}

/* Whether an index along an axis ends there. */
static bool is_end(const Inside *in, int axis, const IrValue *end)
{
    return end->op == OP_extent || is_held(in, axis, end);
}

/* The number by which conditions around hold an index that is taken so many times, if another is
** not far from it: `*number` grows by how far. NULL: there is none. */
static const IrValue *held_number(const Inside *in, const IndexParts *parts, const IrValue *end,
                                  int64_t *number)
{
    for (int i = 0; i < in->guarded->term_count; i++) {
        const IrValue *of =
            guard_end(in->unit->arena, &in->affine, in->guarded->terms[i], parts->axis);
        int64_t whole, far;
        if (!of || !ir_is_constant(of) ||
            __builtin_mul_overflow(of->constant.integer, parts->index, &whole) ||
            __builtin_sub_overflow(end->constant.integer, whole, &far) || far > EDGE_MOST ||
            far < -EDGE_MOST)
            continue;
        *number += far;
        return ir_integer(in->unit->arena, type_int64, whole, end->span);
    }
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void add_limit(Inside *in, const IndexParts *parts, const IrValue *end, int64_t number)
{
    int axis = parts->axis, times = parts->index;
    bool counted = end && ir_is_constant(end);
    if (counted && !(end = held_number(in, parts, end, &number)))
        return;
    if (number > EDGE_MOST || number < -EDGE_MOST ||
        (end && !counted && times == 1 && !is_end(in, axis, end)))
        return;
    for (int i = 0; i < in->count; i++) {
        Limit *limit = &in->limits[i];
        if (limit->axis != axis || limit->times != times ||
            (limit->end ? !end || !affine_same(limit->end, end) : end != NULL))
            continue;
        if (end ? number < limit->number : number > limit->number)
            limit->number = number;
        return;
    }
    if (in->count < LIMITS)
        in->limits[in->count++] = (Limit){ axis, times, end, number };
}

/* A number by which conditions around hold an index below, if another is nearer to it than to 0;
** 0: there is none. */
static int64_t nearer_end(const Inside *in, int axis, int64_t number)
{
    for (int i = 0; i < in->guarded->term_count; i++) {
        const IrValue *of = guard_end(in->unit->arena, &in->affine, in->guarded->terms[i], axis);
        if (of && ir_is_constant(of) && of->constant.integer - number < number)
            return of->constant.integer;
    }
    return 0;
}

/* So that what parts come to is `least` or more where an index begins, less than it where it
** ends. */
static void hold_apart(Inside *in, const IndexParts *parts, int64_t least)
{
    int64_t number = least - parts->number;
    int64_t end = parts->index == 1 && !parts->ends ? nearer_end(in, parts->axis, number) : 0;
    if (end >= SHORT)
        add_limit(in, parts, ir_integer(in->unit->arena, type_int64, number, (Span){ 0 }), 0);
    else if (end > 0) /* few threads are inside of a short axis */
        return;
    else if (parts->index > 0 && parts->ends == 0)
        add_limit(in, parts, NULL, number);
    else if (parts->index > 0 && parts->ends == -1)
        add_limit(in, parts, parts->end, number);
}

/* Comparisons have one result inside: index + number < end, and not 0. */
static void look_at_comparison(Inside *in, const IrValue *value)
{
    IndexParts parts;
    IrOp op = value->op;
    if (!type_is_integer(value->operands[0]->type) ||
        !difference(in, value->operands[0], value->operands[1], &parts))
        return;
    bool turned = parts.index < 0;
    if (turned) {
        difference(in, value->operands[1], value->operands[0], &parts);
        op = op == OP_lt   ? OP_gt
             : op == OP_le ? OP_ge
             : op == OP_gt ? OP_lt
             : op == OP_ge ? OP_le
                           : op;
    }
    bool lower = parts.ends == 0, strict = op == OP_lt || op == OP_ge; /* 0 counts as more */
    if (op == OP_eq || op == OP_ne)
        strict = !lower;
    hold_apart(in, &parts, strict ? 0 : 1);
}

/* What a minimum or maximum with a number is taken of, else the value itself: in min(max(i, 0), n)
** the outer one limits `i`, too, as far as the inner one leaves it as it is. */
static const IrValue *held(const Inside *in, const IrValue *value)
{
    value = sets_behind_casts(&in->affine.sets, value);
    bool outer =
        value->op == OP_intrinsic && (value->intrinsic == INTR_min || value->intrinsic == INTR_max);
    return outer && ir_is_constant(value->operands[1]) ? value->operands[0] : value;
}

/* The lesser or the greater of two is the one that it is inside. */
static void look_at_outer(Inside *in, const IrValue *value)
{
    IndexParts parts;
    const IrValue *a = held(in, value->operands[0]), *b = held(in, value->operands[1]);
    if (!type_is_integer(value->type) || !difference(in, a, b, &parts))
        return;
    if (parts.index < 0)
        difference(in, b, a, &parts);
    hold_apart(in, &parts, parts.ends ? 1 : 0);
}

/* A sum by a number is what is off from the multiple of it that is nearest. */
static void take_multiples(IndexParts *parts, const IrValue *by)
{
    int64_t n = by->constant.integer;
    if (parts->ends && (!ir_is_constant(parts->end) || parts->end->constant.integer > INT32_MAX ||
                        parts->end->constant.integer < -INT32_MAX))
        return;
    int64_t whole = parts->number + (parts->ends ? parts->ends * parts->end->constant.integer : 0);
    int64_t rest = n > 0 ? ((whole % n) + n) % n : whole;
    parts->ends = 0;
    parts->number = rest > n / 2 ? rest - n : rest;
}

/* Of (i + 1) % n and (i + n - 1) % n nothing is left inside but i + 1 and i - 1; i % n takes an
** index apart that nothing keeps below n. */
static void look_at_remainder(Inside *in, const IrValue *value)
{
    const IrValue *end = sets_behind_casts(&in->affine.sets, value->operands[1]);
    IndexParts parts = { 0 };
    if (!type_is_signed(value->type) || !add_parts(in, value->operands[0], 1, &parts))
        return;
    if (ir_is_constant(end))
        take_multiples(&parts, end);
    if (parts.index != 1 || parts.ends < 0 || parts.ends > 1 || !guard_of_arguments(end) ||
        (parts.ends && !affine_same(parts.end, end)))
        return;
    add_limit(in, &parts, NULL, -parts.number);
    if (parts.ends || parts.number || is_held(in, parts.axis, end))
        add_limit(in, &parts, end, -parts.number);
}

static void look(void *context, IrValue *value)
{
    Inside *in = context;
    if (ir_is_comparison(value->op))
        look_at_comparison(in, value);
    else if (value->op == OP_mod)
        look_at_remainder(in, value);
    else if (value->op == OP_intrinsic &&
             (value->intrinsic == INTR_min || value->intrinsic == INTR_max))
        look_at_outer(in, value);
}

static IrValue *limit_condition(const Inside *in, const Limit *limit, Span span)
{
    Arena *arena = in->unit->arena;
    IrValue *index = ir_axis(arena, INTR_grid, limit->axis, span);
    if (limit->times > 1)
        index = ir_binary(arena, OP_mul, index, ir_integer(arena, type_int64, limit->times, span),
                          span);
    int64_t far = limit->number;
    bool less = limit->end && far < 0;
    IrValue *end = ir_integer(arena, type_int64, less ? -far : far, span);
    if (limit->end)
        end = ir_binary(arena, less ? OP_sub : OP_add,
                        ir_cast(arena, type_int64,
                                ir_clone_value(&(IrClone){ .arena = arena }, limit->end), span),
                        end, span);
    return ir_binary(arena, limit->end ? OP_lt : OP_ge, index, end, span);
}

/* ---- divisors -------------------------------------------------------------------------------- */

/* Whether a value is among those that are to be positive, or has become one. */
static bool is_to_be_positive(Inside *in, IrValue *value)
{
    for (int i = 0; i < in->divisor_count; i++)
        if (affine_same(in->divisors[i], value))
            return true;
    if (in->sees || in->divisor_count == LIMITS)
        return false;
    in->divisors[in->divisor_count++] = value;
    return true;
}

/* A divisor that is seen to be positive, of arguments whose sign alone keeps it from being known;
** each factor of a product is. Else as it is. */
static IrValue *as_positive(Inside *in, IrValue *by)
{
    Arena *arena = in->unit->arena;
    if (ir_positive(by) || by->type != type_int64)
        return by;
    if (by->op == OP_mul)
        return ir_binary(arena, OP_mul, as_positive(in, by->operands[0]),
                         as_positive(in, by->operands[1]), by->span);
    IrValue *divisor = guard_in_arguments(arena, &in->affine, by);
    if (!divisor || !is_to_be_positive(in, divisor) || !in->sees)
        return by;
    return ir_max(arena, by, ir_integer(arena, type_int64, 1, by->span), by->span);
}

static void look_at_divisor(void *context, IrValue *value)
{
    if (value->op == OP_floordiv || value->op == OP_mod)
        value->operands[1] = as_positive(context, value->operands[1]);
}

static IrValue *positive(const Inside *in, IrValue *divisor, Span span)
{
    return ir_binary(in->unit->arena, OP_ge, divisor,
                     ir_integer(in->unit->arena, type_int64, 1, span), span);
}

/* ---- the copy -------------------------------------------------------------------------------- */

void inside_put_under(IrUnit *unit, IrRegion *region, IrValue *condition)
{
    IrStmt *branch = ir_if(unit->arena, condition, region->first->span);
    branch->if_.then = *region;
    *region = (IrRegion){ NULL, NULL };
    ir_append(region, branch);
}

/* Puts what limits say around all that the kernel does under its own conditions. */
static void put_around(Inside *in)
{
    IrRegion *within = (IrRegion *)in->guarded->within;
    IrValue *all = NULL;
    Span span = in->guarded->rest->span;
    for (int i = 0; i < in->count; i++)
        all = ir_both(in->unit->arena, all, limit_condition(in, &in->limits[i], span));
    for (int i = 0; i < in->divisor_count; i++)
        all = ir_both(in->unit->arena, all, positive(in, in->divisors[i], span));
    if (all)
        inside_put_under(in->unit, within, all);
}

/* Whether there are any. */
static bool add_limits(Inside *in)
{
    IrUnit *unit = in->unit;
    Guarded guarded = guard_find(unit->arena, unit->kernel);
    if (!guarded.rest)
        return false;
    in->affine = ir_affine(unit, guarded.within);
    in->guarded = &guarded;
    for (const IrStmt *stmt = guarded.rest; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, look, in);
    for (const IrStmt *stmt = guarded.rest; in->count && stmt; stmt = stmt->next)
        ir_each_node_of(stmt, look_at_divisor, in);
    put_around(in);
    return in->count;
}

/* Has divisors that are positive seen to be, so that quotients by products come apart. */
static void divide_by_positive(Inside *in)
{
    IrUnit *unit = in->unit;
    Guarded guarded = guard_find(unit->arena, unit->kernel);
    if (!in->divisor_count || !guarded.rest)
        return;
    in->affine = ir_affine(unit, guarded.within);
    in->sees = true;
    for (const IrStmt *stmt = guarded.rest; stmt; stmt = stmt->next)
        ir_each_node_of(stmt, look_at_divisor, in);
    ir_quotients(unit);
}

/* What ranges say of variables that the kernel has already stays, while another body stands in
** it. */
static void range_of_copy(IrUnit *unit, int count, Inside *in)
{
    IrFunc *fn = unit->kernel;
    bool *nonnegative = arena_array(unit->arena, bool, count + 1);
    bool *positive = arena_array(unit->arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        nonnegative[i] = fn->vars[i]->nonnegative;
        positive[i] = fn->vars[i]->positive;
    }
    if (in)
        divide_by_positive(in);
    ir_range(unit);
    for (int i = 0; i < count; i++) {
        fn->vars[i]->nonnegative = nonnegative[i];
        fn->vars[i]->positive = positive[i];
    }
}

void inside_range(IrUnit *unit, int count)
{
    range_of_copy(unit, count, NULL);
}

void inside_discard(IrUnit *unit, int count)
{
    unit->kernel->var_count = count;
}

/* Settles what depends on borders that follow from others: y < n, where y is 0 - i or i. */
static void settle_rest(IrUnit *unit)
{
    ir_forward(unit);
    for (int i = 0; i < ROUNDS; i++) {
        Inside in = { .unit = unit };
        if (!add_limits(&in))
            return;
        ir_settle(unit);
        ir_forward(unit);
    }
}

bool inside_copy(IrUnit *unit, IrRegion *copy)
{
    IrFunc *fn = unit->kernel;
    IrRegion body = fn->body, whole = { NULL, NULL };
    Inside in = { .unit = unit };
    int count = fn->var_count;
    ir_clone_region(&(IrClone){ .arena = unit->arena }, &body, &whole);
    fn->body = whole;
    bool clipped = clipped_leave(unit), differs = false;
    int laid = ir_unroll_whole(unit, &fn->body, WINDOW_NODES, NULL, copy);
    if (laid >= 0) {
        fn->body = *copy;
        ir_forward(unit);
        differs =
            ir_has_loop(copy) ? borders_leave(unit) || add_limits(&in) : add_limits(&in) || laid;
        differs |= clipped;
    }
    if (differs) {
        ir_settle(unit);
        if (!ir_has_loop(copy))
            settle_rest(unit);
        ir_dce(unit);
        range_of_copy(unit, count, &in);
        *copy = fn->body;
    } else {
        inside_discard(unit, count);
    }
    fn->body = body;
    return differs;
}

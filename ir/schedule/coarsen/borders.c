/* What loops ask at borders that holds at each iteration, if at the first or the last:
**
**     i = grid(0)
**     if lt(i, n)
**         for k in 0 to m by 1
**             if ge(sub(i, k), 0)
**                 total = add(total, load(x, sub(i, k)))
** becomes, as what tiles do that lie well inside (inside.c),
**     if lt(i, n)
**         if ge(sub(grid(0), sub(m, 1)), 0)
**             for k in 0 to m by 1
**                 total = add(total, load(x, sub(i, k)))
**
** so for windows as long as an argument says; and the remainder of an index that wraps around is
** that index, and the lesser or greater of two, as of indices that are held at the ends, is one of
** them. Legal for a comparison of sums of an index in the grid, counters that go by ones from where
** arguments say to where they say, or an argument times one, and arguments: such a sum grows with a
** counter or falls, so it is least or greatest where that begins or ends. All of them are integers
** that the launch shows to be small, so no sum overflows. If a loop makes no iteration, nothing
** asks.
**
** Pays where nearly all threads find the same, as inside.c says: the index is held apart from 0 or
** from its end, by loops that do not go to an end themselves. */
#include "ir/schedule/coarsen/coarsen.h"

/* At most: loops in one another, conditions that are asked in front; terms of a sum that are not
** constants, and values that are looked at for it. */
enum { DEPTH = 4, ASKED = 8, LEAVES = 8, PARTS = 64 };

/* A sum of an index in the grid, of counters of loops around, and of arguments; or one less
** another. */
typedef struct Sum {
    int axis, index; /* of the grid, so many times; axis -1: none */
    int counters[DEPTH];
    bool either[DEPTH]; /* of these, those that are multiplied by an argument of either sign */
    int ends;           /* so many times an end of the index */
    int count;          /* of arguments */
    const IrValue *leaves[LEAVES];
    int parts;    /* of all these and numbers */
    int numbers;  /* of arguments and numbers */
    int products; /* of counters by arguments */
} Sum;

typedef struct Borders {
    IrUnit *unit;
    IrAffine affine;
    const Guarded *guarded;
    const IrStmt *loops[DEPTH];
    int depth;
    IrValue *asked[ASKED];
    int count;
} Borders;

/* ---- sums ------------------------------------------------------------------------------------ */

static int loop_of(const Borders *b, const IrValue *value)
{
    for (int i = 0; i < b->depth; i++)
        if (ir_is_var(value, b->loops[i]->for_.var))
            return i;
    return -1;
}

/* An argument, an extent, or a part of one. */
static bool is_leaf(const IrValue *value)
{
    if (value->op == OP_floordiv && ir_is_constant(value->operands[1]) &&
        value->operands[1]->constant.integer > 0)
        value = value->operands[0];
    while (value->op == OP_cast && type_is_signed(value->type))
        value = value->operands[0];
    bool own = (value->op == OP_var && value->var->kind == VAR_PARAM) ||
               (value->op == OP_extent && ir_array_param(value->operands[0]) >= 0);
    return own && type_is_integer(value->type) && type_is_signed(value->type);
}

static bool is_small_number(const IrValue *value)
{
    enum { MOST = 1 << 30 };
    return ir_is_constant(value) && value->constant.integer > -MOST &&
           value->constant.integer < MOST;
}

/* Whether a number is one that is not far from another: with what is added to it. */
static bool is_about(const IrValue *a, const IrValue *b)
{
    if (!is_small_number(a) || !is_small_number(b))
        return false;
    int64_t far = a->constant.integer - b->constant.integer;
    return 8 * (far < 0 ? -far : far) <= b->constant.integer;
}

/* What a condition around holds an index below. */
static bool is_end(const Borders *b, const IrValue *leaf)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < b->guarded->term_count; i++) {
            const IrValue *end = guard_end(b->unit->arena, &b->affine, b->guarded->terms[i], axis);
            if (end &&
                (is_about(leaf, end) || affine_same(sets_behind_casts(&b->affine.sets, end), leaf)))
                return true;
        }
    return false;
}

static bool add_leaf(const Borders *b, const IrValue *value, int factor, Sum *sum)
{
    if (!is_leaf(value) || sum->count == LEAVES)
        return false;
    sum->leaves[sum->count++] = value;
    sum->ends += value->op == OP_extent || is_end(b, value) ? factor : 0;
    return true;
}

/* The loop whose counter a product has as one factor, the other being an argument; -1: none. */
static int loop_times(const Borders *b, const IrValue *value, const IrValue **leaf)
{
    for (int side = 0; side < 2 && value->op == OP_mul && value->type == type_int64; side++) {
        int loop = loop_of(b, sets_behind_casts(&b->affine.sets, value->operands[side]));
        *leaf = sets_behind_casts(&b->affine.sets, value->operands[!side]);
        if (loop >= 0 && is_leaf(*leaf) && !is_end(b, *leaf))
            return loop;
    }
    return -1;
}

static bool add_product(const Borders *b, const IrValue *value, int factor, Sum *sum)
{
    const IrValue *leaf;
    int loop = loop_times(b, value, &leaf);
    if (loop < 0 || leaf->op == OP_extent || !add_leaf(b, leaf, 0, sum))
        return false;
    sum->counters[loop] += factor;
    sum->either[loop] = true;
    sum->products++;
    return true;
}

/* Adds factor times a value, 1 or -1; false if it is no such sum. */
static bool add_to(const Borders *b, const IrValue *value, int factor, Sum *sum)
{
    value = sets_behind_casts(&b->affine.sets, value);
    int loop = loop_of(b, value);
    if (!type_is_integer(value->type) || !type_is_signed(value->type) || sum->parts++ == PARTS)
        return false;
    if (loop >= 0) {
        sum->counters[loop] += factor;
        return true;
    }
    if (ir_is_intrinsic(value, INTR_grid)) {
        bool same = sum->axis < 0 || sum->axis == value->index;
        sum->axis = value->index;
        sum->index += factor;
        return same;
    }
    if ((value->op == OP_add || value->op == OP_sub) && value->type == type_int64)
        return add_to(b, value->operands[0], factor, sum) &&
               add_to(b, value->operands[1], value->op == OP_add ? factor : -factor, sum);
    if (value->op == OP_neg && value->type == type_int64)
        return add_to(b, value->operands[0], -factor, sum);
    sum->numbers++;
    if (is_small_number(value)) {
        sum->ends += is_end(b, value) ? factor : 0;
        return true;
    }
    return add_leaf(b, value, factor, sum) || add_product(b, value, factor, sum);
}

/* The same sum anew, with counters at the end of their loops where `last` says so, else where they
** begin. */
static IrValue *at_ends(const Borders *b, const IrValue *value, const bool *last)
{
    Arena *arena = b->unit->arena;
    value = sets_behind_casts(&b->affine.sets, value);
    int loop = loop_of(b, value);
    if (loop >= 0 && !last[loop])
        return at_ends(b, b->loops[loop]->for_.start, last);
    if (loop >= 0)
        return ir_binary(arena, OP_sub, at_ends(b, b->loops[loop]->for_.stop, last),
                         ir_integer(arena, type_int64, 1, value->span), value->span);
    if (value->op == OP_add || value->op == OP_sub || value->op == OP_mul)
        return ir_binary(arena, value->op, at_ends(b, value->operands[0], last),
                         at_ends(b, value->operands[1], last), value->span);
    if (value->op == OP_neg)
        return ir_unary(arena, OP_neg, at_ends(b, value->operands[0], last), value->span);
    return ir_cast(arena, type_int64, ir_clone_value(&(IrClone){ .arena = arena }, value),
                   value->span);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Whether a bound of a loop is a sum of such. */
static bool is_bound(const Borders *b, const IrValue *value)
{
    Sum sum = { .axis = -1 };
    bool fine = value->type == type_int64 && add_to(b, value, 1, &sum) && sum.axis < 0;
    for (int i = 0; i < sum.count; i++)
        fine &= !is_end(b, sum.leaves[i]);
    for (int i = 0; i < b->depth; i++)
        fine &= sum.counters[i] == 0;
    return fine;
}

static bool is_counted(const Borders *b, const IrStmt *loop)
{
    return b->depth < DEPTH && ir_is_integer(loop->for_.step, 1) && is_bound(b, loop->for_.start) &&
           is_bound(b, loop->for_.stop) && sets_only(&b->affine.sets, loop->for_.var) == loop;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* What the launch shows of all that is added up. */
static bool are_small(const Borders *b, const Sum *sum)
{
    for (int i = 0; i < sum->count; i++) {
        const IrValue *leaf = sum->leaves[i];
        while (leaf->op == OP_cast || leaf->op == OP_floordiv)
            leaf = leaf->operands[0];
        if (leaf->op == OP_var && !launch_scalar_30_bits(b->unit->launch, leaf->var->param))
            return false;
    }
    return launch_narrow(b->unit->launch);
}

/* Whether the launch shows that windows are short whose lengths these are: asked when all else is
** fine, since what is asked of a launch other passes know from then on. */
static bool are_short(const Borders *b, const Sum *sum)
{
    for (int i = 0; i < sum->count; i++)
        if (sum->leaves[i]->op == OP_extent &&
            !launch_elements_to_256(b->unit->launch, ir_array_param(sum->leaves[i]->operands[0])))
            return false;
    return true;
}

/* The same of where a counter in a sum begins or ends; a product of it is less than LIMIT_30_BITS
** squared for each number that the bound is a sum of, and FIT of these add up to an int64. */
static bool end_is_small(const Borders *b, const Sum *sum, int loop, const IrValue *bound)
{
    enum { FIT = 4 };
    Sum end = { .axis = -1 };
    return add_to(b, bound, 1, &end) && are_short(b, &end) && are_small(b, &end) &&
           (!sum->either[loop] || end.numbers * sum->products <= FIT);
}

static bool ends_are_small(const Borders *b, const Sum *sum)
{
    for (int i = 0; i < b->depth; i++)
        if ((sum->counters[i] || sum->either[i]) &&
            (!end_is_small(b, sum, i, b->loops[i]->for_.start) ||
             !end_is_small(b, sum, i, b->loops[i]->for_.stop)))
            return false;
    return true;
}

static bool ask(Borders *b, IrValue *condition)
{
    for (int i = 0; i < b->count; i++)
        if (ir_same_value(b->asked[i], condition))
            return true;
    if (b->count == ASKED)
        return false;
    b->asked[b->count++] = condition;
    return true;
}

/* Asks for a comparison where counters are as `last` says; of one whose factor may have either
** sign, for both of its ends. */
static bool ask_at(Borders *b, const IrValue *value, IrOp op, const Sum *sum, bool *last)
{
    int either = -1, count = b->count;
    for (int i = 0; i < b->depth; i++) {
        if (sum->either[i] && either >= 0)
            return false;
        either = sum->either[i] ? i : either;
    }
    for (int times = 0; times < (either >= 0 ? 2 : 1); times++) {
        if (either >= 0)
            last[either] = times;
        IrValue *asked = ir_binary(b->unit->arena, op, at_ends(b, value->operands[0], last),
                                   at_ends(b, value->operands[1], last), value->span);
        if (!ask(b, asked)) {
            b->count = count;
            return false;
        }
    }
    return true;
}

/* What a comparison is for threads well inside, at each iteration: 1 or 0, or -1 if that is not
** known. What has to hold for that is asked. */
static int settled(Borders *b, const IrValue *value)
{
    const IrValue *left = value->operands[0], *right = value->operands[1];
    Sum sum = { .axis = -1 };
    bool last[DEPTH], counts = false;
    if (!add_to(b, left, 1, &sum) || !add_to(b, right, -1, &sum) || sum.axis < 0 ||
        (sum.index != 1 && sum.index != -1))
        return -1;
    int ends = sum.index * sum.ends; /* 0: apart from 0; -1: from its end */
    bool more = value->op == OP_gt || value->op == OP_ge;
    bool holds = (sum.index == 1) == (ends == 0) ? more : !more;
    IrOp op = holds ? value->op : ir_opposite(value->op);
    bool least = op == OP_gt || op == OP_ge; /* is what decides */
    for (int i = 0; i < b->depth; i++) {
        counts |= sum.counters[i] != 0;
        last[i] = least ? sum.counters[i] < 0 : sum.counters[i] > 0;
    }
    if ((ends != 0 && ends != -1) || !counts || !are_small(b, &sum) || !ends_are_small(b, &sum))
        return -1;
    return ask_at(b, value, op, &sum, last) ? holds : -1;
}

/* The lesser or the greater of two is the one that it is inside. */
static void settle_outer(Borders *b, IrValue **slot)
{
    IrValue *value = *slot;
    IrValue *less =
        ir_binary(b->unit->arena, OP_lt, value->operands[0], value->operands[1], value->span);
    int known = less->op == OP_lt ? settled(b, less) : -1;
    if (known >= 0)
        *slot = value->operands[(value->intrinsic == INTR_min) != known];
}

/* Whether all ends in a sum are one, which a remainder is of. */
static bool is_of(const Borders *b, const Sum *sum, const IrValue *by)
{
    for (int i = 0; i < sum->count; i++)
        if ((sum->leaves[i]->op == OP_extent || is_end(b, sum->leaves[i])) &&
            !affine_same(sum->leaves[i], by))
            return false;
    return (is_leaf(by) || is_small_number(by)) && (by->op == OP_extent || is_end(b, by));
}

/* (i + k) % n, and (i + k + n) % n, are i + k where it is at least 0 and less than n. */
static void settle_remainder(Borders *b, IrValue **slot)
{
    Arena *arena = b->unit->arena;
    IrValue *value = *slot, *by = value->operands[1];
    const IrValue *end = sets_behind_casts(&b->affine.sets, by);
    IrValue *rest = value->operands[0];
    Sum sum = { .axis = -1 };
    if (!add_to(b, rest, 1, &sum) || sum.axis < 0 || sum.index != 1 || !is_of(b, &sum, end) ||
        sum.ends < 0 || sum.ends > 1)
        return;
    if (sum.ends)
        rest = ir_binary(arena, OP_sub, rest, by, value->span);
    IrValue *none = ir_integer(arena, type_int64, 0, value->span);
    int count = b->count;
    if (settled(b, ir_binary(arena, OP_ge, rest, none, value->span)) == 1 &&
        settled(b, ir_binary(arena, OP_lt, rest, by, value->span)) == 1)
        *slot = rest;
    else
        b->count = count;
}

static void settle(Borders *b, IrValue **slot)
{
    IrValue *value = *slot;
    IrOp op = value->op;
    for (int i = 0; i < value->count; i++)
        settle(b, &value->operands[i]);
    if (b->depth && op == OP_intrinsic && value->type == type_int64 &&
        (value->intrinsic == INTR_min || value->intrinsic == INTR_max))
        settle_outer(b, slot);
    if (b->depth && op == OP_mod && value->type == type_int64)
        settle_remainder(b, slot);
    if (!b->depth || (op != OP_lt && op != OP_le && op != OP_gt && op != OP_ge))
        return;
    int known = settled(b, value);
    if (known >= 0)
        *slot = ir_integer(b->unit->arena, type_bool, known, value->span);
}

static void visit(Borders *b, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool counted = stmt->kind == IR_FOR && is_counted(b, stmt);
        for_each_slot (slot, stmt)
            settle(b, slot);
        if (counted)
            b->loops[b->depth++] = stmt;
        for_each_region (inner, stmt)
            visit(b, inner);
        b->depth -= counted;
    }
}

bool borders_leave(IrUnit *unit)
{
    Guarded guarded = guard_find(unit->arena, unit->kernel);
    if (!guarded.rest)
        return false;
    Borders b = { .unit = unit, .affine = ir_affine(unit, guarded.within), .guarded = &guarded };
    IrRegion *within = (IrRegion *)guarded.within;
    visit(&b, within);
    IrValue *all = NULL;
    for (int i = 0; i < b.count; i++)
        all = ir_both(unit->arena, all, b.asked[i]);
    if (all)
        inside_put_under(unit, within, all);
    return all != NULL;
}

/* What values are, in terms of a launch: integers as sums of facts, bools as guards.
**
** Arithmetic of 64 bits becomes sums, and casts that lose nothing; that of 32 bits, and min() and
** max() where they only keep a part of an array within it, loose ones. */
#include "ir/predict/cover_parts.h"

enum { FEW_GUARDS = 24 }; /* more are not worth the time */

/* ---- values -------------------------------------------------------------------------------- */

static const ArrayView *known_view(const Knowledge *k, const IrValue *value)
{
    const ArrayView *of = known_array(k, value->operands[0]);
    const IrSum **operands = arena_array(k->arena, const IrSum *, value->count);
    for (int i = 1; of && i < value->count; i++)
        operands[i - 1] = known_sum(k, value->operands[i]);
    return of ? view_within(k->arena, of, value->axes, operands) : NULL;
}

const ArrayView *known_array(const Knowledge *k, const IrValue *value)
{
    if (value->op == OP_view)
        return known_view(k, value);
    if (value->op == OP_transpose) {
        const ArrayView *of = known_array(k, value->operands[0]);
        return of ? view_transposed(k->arena, of) : NULL;
    }
    return value->op == OP_var || value->op == OP_item ? known_value(k, value).array : NULL;
}

VarValue known_value(const Knowledge *k, const IrValue *value)
{
    if (value->op == OP_var)
        return k->vars[value->var->id];
    if (value->op == OP_item) {
        const VarValue tuple = known_value(k, value->operands[0]);
        return tuple.items ? tuple.items[value->index] : (VarValue){ 0 };
    }
    VarValue known = { .array = known_array(k, value),
                       .sum = known_sum(k, value),
                       .split = known_split(k, value) };
    if (value->type->kind == TY_BOOL) {
        Guards yes = known_guards(k, value, true), no = known_guards(k, value, false);
        known.yes = yes.list;
        known.no = no.list;
        known.has_yes = yes.known;
        known.has_no = no.known;
    }
    if (value->op == OP_tuple) {
        VarValue *items = arena_array(k->arena, VarValue, value->count + 1);
        for (int i = 0; i < value->count; i++)
            items[i] = known_value(k, value->operands[i]);
        known.items = items;
    }
    return known;
}

static bool is_launch_sized(const IrSum *sum)
{
    return sum && sum->count == 1 && sum->terms[0].factor == 1 && !sum->terms[0].facts[1].kind &&
           sum->terms[0].facts[0].kind != FACT_EXTENT &&
           sum->terms[0].facts[0].kind != FACT_SCALAR &&
           sum->terms[0].facts[0].kind != FACT_ITERATION;
}

/* Casts that keep the number, or its bits where all 64 of them are kept; to 32 bits it is loose. */
static const IrSum *sum_of_cast(const Knowledge *k, const IrValue *value)
{
    const Type *to = value->type, *from = value->operands[0]->type;
    if (!type_is_integer(from))
        return NULL;
    const IrSum *sum = known_sum(k, value->operands[0]);
    bool wider = type_size(to) > type_size(from);
    if (type_size(to) == 8 || (wider && (type_is_signed(to) || type_is_unsigned(from))))
        return sum;
    /* places and sizes of a launch fit 31 bits */
    if (type_size(to) < 4)
        return NULL;
    return is_launch_sized(sum) ? sum : sum_loose(k->arena, sum);
}

/* min() or max() of two sums that differ by a number, or are a number and something larger. */
static const IrSum *sum_of_choice(const Knowledge *k, const IrValue *value)
{
    const IrSum *a = known_sum(k, value->operands[0]), *b = known_sum(k, value->operands[1]);
    bool least = value->intrinsic == INTR_min;
    int64_t more, number;
    if (sum_is_constant(sum_add(k->arena, a, -1, b), &more))
        return sum_loose(k->arena, (more < 0) == least ? a : b);
    if (a && sum_is_constant(b, &number))
        return sum_loose(k->arena, least ? b : a);
    return b && sum_is_constant(a, &number) ? sum_loose(k->arena, least ? a : b) : NULL;
}

static const IrSum *position(const Knowledge *k, IrFactKind kind, int axis)
{
    return sum_fact(k->arena, kind, axis, 0);
}

static const IrSum *sum_of_intrinsic(const Knowledge *k, const IrValue *value)
{
    const int axis = value->index;
    const IrSum *block = position(k, FACT_BLOCK, axis);
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
        return position(k, FACT_THREAD_AT, axis);
    case INTR_block_idx:
        return position(k, FACT_BLOCK_AT, axis);
    case INTR_block_dim:
        return block;
    case INTR_grid_dim:
        return position(k, FACT_GRID, axis);
    case INTR_grid:
        return sum_add(k->arena, position(k, FACT_THREAD_AT, axis), 1,
                       sum_mul(k->arena, position(k, FACT_BLOCK_AT, axis), block));
    case INTR_gridsize:
        return sum_mul(k->arena, position(k, FACT_GRID, axis), block);
    case INTR_min:
    case INTR_max:
        return sum_of_choice(k, value);
    default:
        return NULL;
    }
}

static const IrSum *sum_of_operation(const Knowledge *k, const IrValue *value)
{
    const IrSum *a = known_sum(k, value->operands[0]);
    if (value->op == OP_neg)
        return sum_add(k->arena, sum_constant(k->arena, 0), -1, a);
    const IrSum *b = known_sum(k, value->operands[1]);
    if (value->op == OP_mul)
        return sum_mul(k->arena, a, b);
    return sum_add(k->arena, a, value->op == OP_sub ? -1 : 1, b);
}

/* Narrower arithmetic wraps elsewhere. */
static const IrSum *sum_of_width(const Knowledge *k, const IrValue *value)
{
    if (type_size(value->type) == 8)
        return sum_of_operation(k, value);
    return type_size(value->type) == 4 ? sum_loose(k->arena, sum_of_operation(k, value)) : NULL;
}

const IrSum *known_sum(const Knowledge *k, const IrValue *value)
{
    if (!type_is_integer(value->type))
        return NULL;
    switch ((int)value->op) {
    case OP_constant:
        return sum_constant(k->arena, value->constant.integer);
    case OP_zero:
        return sum_constant(k->arena, 0);
    case OP_var:
    case OP_item:
        return known_value(k, value).sum;
    case OP_cast:
        return sum_of_cast(k, value);
    case OP_neg:
    case OP_add:
    case OP_sub:
    case OP_mul:
        return sum_of_width(k, value);
    case OP_extent: {
        const ArrayView *array = known_array(k, value->operands[0]);
        return array ? array->extent[value->index] : NULL;
    }
    case OP_intrinsic:
        return sum_of_intrinsic(k, value);
    default:
        return NULL;
    }
}

/* ---- guards -------------------------------------------------------------------------------- */

static const Guard *join_lists(Arena *arena, const Guard *a, const Guard *b)
{
    for (; a; a = a->next) {
        Guard *copy = arena_new(arena, Guard);
        *copy = *a;
        copy->next = b;
        b = copy;
    }
    return b;
}

static int count(const Guard *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

Guards guards_join(Arena *arena, Guards a, Guards b)
{
    if (count(a.list) + count(b.list) > FEW_GUARDS)
        return (Guards){ false, a.list };
    return (Guards){ a.known && b.known, join_lists(arena, a.list, b.list) };
}

Guards guard_new(Arena *arena, GuardKind kind, bool is_unsigned, const IrSum *a, const IrSum *b)
{
    if (!a || !b)
        return (Guards){ false, NULL };
    Guard *made = arena_new(arena, Guard);
    *made = (Guard){ kind, is_unsigned, a, b, NULL };
    return (Guards){ !a->loose && !b->loose, made };
}

static bool is_choice(const IrValue *value, IrIntrinsic of)
{
    return value->op == OP_intrinsic && value->intrinsic == of;
}

/* a < min(b, c) is a < b and a < c. */
static Guards guards_between(const Knowledge *k, GuardKind kind, const IrValue *a, const IrValue *b)
{
    bool less = kind == GUARD_LT || kind == GUARD_LE, more = kind == GUARD_GT || kind == GUARD_GE;
    bool left = (less && is_choice(a, INTR_max)) || (more && is_choice(a, INTR_min));
    bool right = (less && is_choice(b, INTR_min)) || (more && is_choice(b, INTR_max));
    if (left)
        return guards_join(k->arena, guards_between(k, kind, a->operands[0], b),
                           guards_between(k, kind, a->operands[1], b));
    if (right)
        return guards_join(k->arena, guards_between(k, kind, a, b->operands[0]),
                           guards_between(k, kind, a, b->operands[1]));
    if (kind == GUARD_GT && !known_sum(k, b))
        return guards_between(k, GUARD_LT, b, a);
    const Split *split = kind == GUARD_LT && !known_sum(k, a) ? known_split(k, a) : NULL;
    if (split && !split->below) /* n // m < b, where m is not negative, is n < b * m */
        return guard_new(k->arena, kind, type_is_unsigned(a->type), split->of,
                         sum_mul(k->arena, known_sum(k, b), split->by));
    return guard_new(k->arena, kind, type_is_unsigned(a->type), known_sum(k, a), known_sum(k, b));
}

static Guards guards_of_comparison(const Knowledge *k, const IrValue *value, bool truth)
{
    GuardKind kind;
    switch ((int)value->op) {
    case OP_lt:
        kind = truth ? GUARD_LT : GUARD_GE;
        break;
    case OP_le:
        kind = truth ? GUARD_LE : GUARD_GT;
        break;
    case OP_gt:
        kind = truth ? GUARD_GT : GUARD_LE;
        break;
    case OP_ge:
        kind = truth ? GUARD_GE : GUARD_LT;
        break;
    default:
        kind = (value->op == OP_eq) == truth ? GUARD_EQ : GUARD_NE;
    }
    return guards_between(k, kind, value->operands[0], value->operands[1]);
}

Guards known_guards(const Knowledge *k, const IrValue *value, bool truth)
{
    if (value->type->kind != TY_BOOL)
        return (Guards){ false, NULL };
    switch ((int)value->op) {
    case OP_constant:
        return (Guards){ (value->constant.integer != 0) == truth, NULL };
    case OP_var: {
        const VarValue *known = &k->vars[value->var->id];
        return truth ? (Guards){ known->has_yes, known->yes }
                     : (Guards){ known->has_no, known->no };
    }
    case OP_not:
        return known_guards(k, value->operands[0], !truth);
    case OP_and_then:
    case OP_and:
    case OP_or_else:
    case OP_or:
        if ((value->op == OP_and_then || value->op == OP_and) != truth)
            return (Guards){ false, NULL };
        return guards_join(k->arena, known_guards(k, value->operands[0], truth),
                           known_guards(k, value->operands[1], truth));
    case OP_lt:
    case OP_le:
    case OP_gt:
    case OP_ge:
    case OP_eq:
    case OP_ne:
        return guards_of_comparison(k, value, truth);
    default:
        return (Guards){ false, NULL };
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

void known_set(Knowledge *k, const IrVar *var, VarValue known)
{
    array_push(k->arena, k->trail, k->trail_count, k->trail_capacity) =
        (KnownBefore){ var->id, k->vars[var->id] };
    k->vars[var->id] = known;
}

void known_go_back(Knowledge *k, int count)
{
    while (k->trail_count > count) {
        const KnownBefore *step = &k->trail[--k->trail_count];
        k->vars[step->var] = step->known;
    }
}

static void forget_set(void *context, IrStmt *stmt)
{
    if (ir_set_var(stmt))
        known_set(context, ir_set_var(stmt), (VarValue){ 0 });
}

void known_forget(Knowledge *k, const IrRegion *region)
{
    ir_each_stmt(region, forget_set, k);
}

/* ---- branches -------------------------------------------------------------------------------- */

static const IrVar *condition_var(const IrValue *condition, bool *truth)
{
    *truth = condition->op != OP_not;
    if (condition->op == OP_not)
        condition = condition->operands[0];
    return condition->op == OP_var ? condition->var : NULL;
}

VarValue known_of_condition(const Knowledge *k, const IrValue *condition)
{
    bool truth;
    const IrVar *var = condition_var(condition, &truth);
    return var ? k->vars[var->id] : (VarValue){ 0 };
}

static bool same_known(const VarValue *a, const VarValue *b)
{
    return a->sum == b->sum && a->yes == b->yes && a->no == b->no && a->array == b->array &&
           a->items == b->items && a->split == b->split && a->has_yes == b->has_yes &&
           a->has_no == b->has_no;
}

void known_meet_condition(Knowledge *k, const IrValue *condition, const VarValue *before,
                          const VarValue ends[2])
{
    bool truth;
    const IrVar *var = condition_var(condition, &truth);
    VarValue known = { 0 };
    bool any = before->has_yes || before->has_no || before->yes || before->no;
    if (!var || !any || !same_known(&ends[1], before) || same_known(&ends[0], before))
        return;
    if (truth) {
        Guards yes = guards_join(k->arena, (Guards){ before->has_yes, before->yes },
                                 (Guards){ ends[0].has_yes, ends[0].yes });
        known.yes = yes.list;
        known.has_yes = yes.known;
    } else {
        Guards no = guards_join(k->arena, (Guards){ before->has_no, before->no },
                                (Guards){ ends[0].has_no, ends[0].no });
        known.no = no.list;
        known.has_no = no.known;
    }
    known_set(k, var, known);
}

/* What values are, in terms of a launch: integers as sums of facts, bools as guards.
**
** Only arithmetic of 64 bits becomes sums, and casts that lose nothing. */
#include "ir/predict/cover_parts.h"

enum { FEW_GUARDS = 24 }; /* more are not worth the time */

/* ---- values -------------------------------------------------------------------------------- */

const IrVar *known_array(const Knowledge *k, const IrValue *value)
{
    return value->op == OP_var ? k->vars[value->var->id].array : NULL;
}

static bool is_launch_sized(const IrSum *sum)
{
    return sum && sum->count == 1 && sum->terms[0].factor == 1 && !sum->terms[0].facts[1].kind &&
           sum->terms[0].facts[0].kind != FACT_EXTENT &&
           sum->terms[0].facts[0].kind != FACT_SCALAR &&
           sum->terms[0].facts[0].kind != FACT_ITERATION;
}

/* Casts that keep the number, or its bits where all 64 of them are kept. */
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
    return type_size(to) >= 4 && is_launch_sized(sum) ? sum : NULL;
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
    default:
        return NULL;
    }
}

static const IrSum *sum_of_operation(const Knowledge *k, const IrValue *value)
{
    if (type_size(value->type) != 8) /* narrower ones wrap elsewhere */
        return NULL;
    const IrSum *a = known_sum(k, value->operands[0]);
    if (value->op == OP_neg)
        return sum_add(k->arena, sum_constant(k->arena, 0), -1, a);
    const IrSum *b = known_sum(k, value->operands[1]);
    if (value->op == OP_mul)
        return sum_mul(k->arena, a, b);
    return sum_add(k->arena, a, value->op == OP_sub ? -1 : 1, b);
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
        return k->vars[value->var->id].sum;
    case OP_cast:
        return sum_of_cast(k, value);
    case OP_neg:
    case OP_add:
    case OP_sub:
    case OP_mul:
        return sum_of_operation(k, value);
    case OP_extent: {
        const IrVar *array = known_array(k, value->operands[0]);
        return array ? sum_fact(k->arena, FACT_EXTENT, value->index, array->param) : NULL;
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
    return (Guards){ true, made };
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
    return guard_new(k->arena, kind, type_is_unsigned(value->operands[0]->type),
                     known_sum(k, value->operands[0]), known_sum(k, value->operands[1]));
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
    if (stmt->kind == IR_SET)
        known_set(context, stmt->set.var, (VarValue){ 0 });
    else if (stmt->kind == IR_FOR)
        known_set(context, stmt->for_.var, (VarValue){ 0 });
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
           a->has_yes == b->has_yes && a->has_no == b->has_no;
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

/* Loops whose indices add up variables that are set in front of them ask once whether these are
** negative, and not at each access:
**
**     x = cast<int32>(load(at, i))             x = cast<int32>(load(at, i))
**     for c in 0 to n by 1                     if ge(x, 0)
**         s = add(s, load(g, add(x, c)))           for c in 0 to n by 1
**                                                      s = add(s, load(g, add(x, c)))
** becomes                                      else
**                                                  for c.2 in 0 to n by 1
**                                                      s = add(s, load(g, add(x, c.2)))
**
** Legal always, as both branches compute the same, except for loops that synchronise with other
** threads: all of these must come to the same barrier. Other passes find what follows from the
** condition.
**
** Pays where an index is a sum of invariants, of products of them, and of what is never negative:
** then no access in the first loop asks whether it counts from the end. The condition also keeps
** factors so small that no product wraps. Loops that passes made are left as they are: they do what
** other loops leave over, few iterations. */
#include "ir/simplify/wraps.h"
#include "ir/analysis/range/bounds.h"

enum {
    INVARIANTS_MOST = 8,
    NODES_MOST = 400, /* of a loop, which is copied */
    FACTORS_MOST = 4,
    INDEX_BITS = 31,  /* no array has more elements */
    PRODUCT_BITS = 60 /* with room for numbers, and sums */
};

/* A variable that the loop does not set, in an index. */
typedef struct Invariant {
    const IrVar *var;
    int factors; /* of the longest product that it is in, without constants; 1: it is in none */
} Invariant;

typedef struct Once {
    Wraps *w;
    IrSets sets; /* of the loop */
    int *reads;  /* in the loop, by IrVar.id */
    Invariant invariants[INVARIANTS_MOST];
    int count, nodes;
    const IrValue **asked; /* indices that are sums of invariants */
    int asked_count, asked_capacity;
    bool pays; /* one of these may be negative */
} Once;

static bool add_invariant(Once *o, const IrVar *var, int factors)
{
    int i = 0;
    while (i < o->count && o->invariants[i].var != var)
        i++;
    if (i == INVARIANTS_MOST || factors > FACTORS_MOST || !type_is_signed(var->type) ||
        type_size(var->type) < 4)
        return false;
    if (i == o->count)
        o->invariants[o->count++] = (Invariant){ var, 1 };
    o->invariants[i].factors =
        factors > o->invariants[i].factors ? factors : o->invariants[i].factors;
    return true;
}

static const IrValue *behind_casts(const IrValue *value)
{
    while (value->op == OP_cast && ir_keeps_value(value))
        value = value->operands[0];
    return value;
}

/* The number of factors of the longest product that an index adds up. */
static int degree(const IrValue *value)
{
    value = behind_casts(value);
    if (value->op != OP_add && value->op != OP_mul)
        return value->op != OP_constant;
    int left = degree(value->operands[0]), right = degree(value->operands[1]);
    return value->op == OP_mul ? left + right : left > right ? left : right;
}

/* Whether an index is a sum of invariants, products of them and what is never negative. */
static bool is_of_invariants(Once *o, const IrValue *value, int factors)
{
    value = behind_casts(value);
    if (value->op == OP_mul && factors == 1)
        factors = degree(value);
    if (value->op == OP_add || value->op == OP_mul)
        return is_of_invariants(o, value->operands[0], factors) &&
               is_of_invariants(o, value->operands[1], factors);
    if (value->op != OP_var || !type_is_integer(value->type))
        return ir_nonnegative(value);
    if (!sets_any(&o->sets, value->var))
        return (ir_nonnegative(value) && factors < 2) || add_invariant(o, value->var, factors);
    const IrValue *set = sets_value(&o->w->sets, value->var);
    return ir_nonnegative(value) || (set && is_of_invariants(o, set, factors));
}

static void look_at_index(Once *o, const IrValue *index)
{
    int before = o->count;
    if (ir_nonnegative(index) || !sets_is_short(&o->w->sets, index))
        return;
    if (is_of_invariants(o, index, 1))
        array_push(o->w->unit->arena, o->asked, o->asked_count, o->asked_capacity) = index;
    else
        o->count = before;
}

static void look_at_value(void *context, IrValue *value)
{
    Once *o = context;
    o->nodes++;
    if (value->op == OP_var)
        o->reads[value->var->id]++;
    for (int i = 1; i < value->count && value->op == OP_load; i++)
        look_at_index(o, value->operands[i]);
}

static void look_at_stmt(void *context, IrStmt *stmt)
{
    Once *o = context;
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        look_at_index(o, stmt->store.indices[i]);
}

/* ---- what conditions around already say ------------------------------------------------------ */

typedef struct Point {
    Once *once;
    IrBounds *bounds;
} Point;

static void ask_bounds(Point *p, const IrValue *index)
{
    for (int i = 0; i < p->once->asked_count && !p->once->pays; i++)
        p->once->pays = p->once->asked[i] == index && bounds_of(p->bounds, index).low < 0;
}

static void visit_node(void *context, IrValue *value)
{
    for (int i = 1; i < value->count && value->op == OP_load; i++)
        ask_bounds(context, value->operands[i]);
}

static void visit_stmt(void *context, IrBounds *bounds, IrStmt *stmt)
{
    Point p = { context, bounds };
    for (int i = 0; stmt->kind == IR_STORE && i < stmt->store.count; i++)
        ask_bounds(&p, stmt->store.indices[i]);
    ir_each_own_node(stmt, visit_node, &p);
}

/* ---- the copy -------------------------------------------------------------------------------- */

/* The condition under which no invariant is negative and no product wraps; NULL: always. */
static IrValue *condition_of(const Once *o, const IrBuilder *b)
{
    IrMagnitude *magnitude = ir_magnitude(b->arena, b->fn, o->w->unit->launch);
    IrValue *all = NULL;
    for (int i = 0; i < o->count; i++) {
        const IrVar *var = o->invariants[i].var;
        int room = PRODUCT_BITS / o->invariants[i].factors;
        int bits = room < INDEX_BITS ? room : INDEX_BITS;
        if (!var->nonnegative)
            all = ir_both(b->arena, all, build_op(b, OP_ge, var, build_integer(b, var->type, 0)));
        if (magnitude_bits(magnitude, build_var(b, var)) > bits)
            all = ir_both(
                b->arena, all,
                build_op(b, OP_le, var, build_integer(b, var->type, (INT64_C(1) << bits) - 1)));
    }
    return all;
}

bool wraps_ask_once(Wraps *w, IrRegion *region, IrStmt *loop)
{
    Arena *arena = w->unit->arena;
    int count = w->unit->kernel->var_count;
    const IrBuilder b[1] = { { arena, w->unit->kernel, loop->span } };
    Once o = { .w = w,
               .sets = ir_sets_of_loop(arena, w->unit->kernel, loop),
               .reads = arena_array(arena, int, count + 1) };
    IrClone clone = { .arena = arena, .vars = arena_array(arena, IrVar *, count + 1) };
    ir_each_stmt(&loop->for_.body, look_at_stmt, &o);
    ir_each_node_in(&loop->for_.body, look_at_value, &o);
    if (!o.asked_count || loop->for_.var->temporary || o.nodes > NODES_MOST ||
        ir_stmt_effects(loop) & EFFECT_BEYOND_MEMORY)
        return false;
    bounds_walk(ir_bounds(w->unit), visit_stmt, &o);
    IrValue *condition = o.pays ? condition_of(&o, b) : NULL;
    if (!condition || sets_arrays(&o.sets, b->fn))
        return false;
    wraps_take_own(w, b, (IrUses){ o.sets.count, o.reads }, clone.vars);
    ir_ask_loop(&clone, region, loop, condition);
    return true;
}

/* Which loads may become one, by where what is made of them meets:
**
**     v = load(x, i)
**     if c
**         v = load(out, j)
**
** LLVM makes one of two such loads, of an address that is chosen, and before that of two operations
** of a kind that differ in an operand (InstCombine's folding of phis, SimplifyCFG's sinking). So
** two values that meet are compared from their roots on, as long as operations are of a kind: where
** there are loads of both in a place, these may be one. */
#include "ir/analysis/mingled.h"

#include "ir/analysis/flow/flow.h"
#include "ir/analysis/flow/sets.h"
#include "ir/analysis/points_to.h"

enum {
    STEPS_MOST = 1 << 14, /* pairs of values compared; more are taken to have such loads */
    PAIRS_MOST = 1024,    /* likewise, of variables with several sets and what they were met by */
    MET_SLOTS = 2 * PAIRS_MOST,
    SIZE_ANY = -1 /* bytes of what functions and wide intrinsics load */
};

/* Of what a value loads by itself: how large it is, and what becomes of the arrays. */
typedef struct Leaf {
    bool loads, only_read, written;
    int bytes;
} Leaf;

typedef struct SetOf {
    const IrValue *value;
    const struct SetOf *next;
} SetOf;

/* A variable that is, or was, compared with a value. */
typedef struct Met {
    const IrVar *var;
    const IrValue *by;
} Met;

typedef struct Mingling {
    Arena *arena;
    const IrFunc *fn;
    IrPointsTo points_to;
    IrSets sets;
    const SetOf **sets_of;  /* by IrVar.id */
    const IrStmt **effects; /* in the text's order */
    int effect_count;
    Met *met; /* hashed, MET_SLOTS of them; NULL: none yet */
    int met_count, steps;
    bool leaves; /* something goes out of a region */
    bool found;
} Mingling;

static void meet(Mingling *m, const IrValue *a, const IrValue *b);

static bool is_choice(const IrValue *value)
{
    return value->op == OP_select || value->op == OP_and_then || value->op == OP_or_else;
}

/* ---- what loads ------------------------------------------------------------------------------ */

/* Adds an array, or what a tuple has of them. */
static void add_array(const Mingling *m, Leaf *leaf, const IrValue *array)
{
    const uint64_t *set = ir_pointees(&m->points_to, array);
    leaf->loads = true;
    for_each_pointee (id, &m->points_to, set) {
        const IrVar *var = m->fn->vars[id];
        int access = var->kind == VAR_PARAM ? m->fn->access[var->param] : 0;
        bool written = access & (ACCESS_WRITE | ACCESS_ATOMIC);
        leaf->written |= access & ACCESS_READ && written;
        leaf->only_read |= access & ACCESS_READ && !written;
    }
}

static Leaf leaf_of(const Mingling *m, const IrValue *value)
{
    Leaf leaf = { .bytes = SIZE_ANY };
    if (value->op == OP_load && type_is_scalar(value->type))
        leaf.bytes = (int)type_size(value->type);
    if ((value->op != OP_load && value->op != OP_call && value->op != OP_intrinsic) ||
        ir_is_atomic(value))
        return leaf;
    for (int i = 0; i < value->count; i++)
        if (type_holds_arrays(value->operands[i]->type))
            add_array(m, &leaf, value->operands[i]);
    return leaf;
}

/* ---- what meets ------------------------------------------------------------------------------ */

/* Behind casts and names that are set once. */
static const IrValue *plain(const Mingling *m, const IrValue *value)
{
    for (;;) {
        const IrValue *behind = value->op == OP_cast ? value->operands[0]
                                : value->op == OP_var && value->var->kind == VAR_LOCAL
                                    ? sets_value(&m->sets, value->var)
                                    : NULL;
        if (!behind)
            return value;
        value = behind;
    }
}

static bool was_met(Mingling *m, const IrVar *var, const IrValue *by)
{
    if (!m->met)
        m->met = arena_array(m->arena, Met, MET_SLOTS);
    size_t slot = ((uintptr_t)by / sizeof *by + (size_t)var->id * 31) % MET_SLOTS;
    for (; m->met[slot].var; slot = (slot + 1) % MET_SLOTS)
        if (m->met[slot].var == var && m->met[slot].by == by)
            return true;
    m->found |= m->met_count++ == PAIRS_MOST;
    m->met[slot] = (Met){ var, by };
    return m->found;
}

/* Whether a value is one or the other, each of which meets `b` then. */
static bool meet_choices(Mingling *m, const IrValue *a, const IrValue *b)
{
    if (is_choice(a)) {
        meet(m, a->operands[a->count - 2], b);
        meet(m, a->operands[a->count - 1], b);
        return true;
    }
    const SetOf *set = a->op == OP_var ? m->sets_of[a->var->id] : NULL;
    if (!set || was_met(m, a->var, b))
        return set != NULL;
    for (; set; set = set->next)
        meet(m, set->value, b);
    return true;
}

static void meet_operands(Mingling *m, const IrValue *a, const IrValue *b)
{
    if (a->op != b->op || a->count != b->count ||
        (a->op == OP_intrinsic && a->intrinsic != b->intrinsic))
        return;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) /* any operand: sums may be the other way round */
            if ((i == k || a->count == 2) && !type_holds_arrays(a->operands[i]->type) &&
                !type_holds_arrays(b->operands[k]->type))
                meet(m, a->operands[i], b->operands[k]);
}

static void meet(Mingling *m, const IrValue *a, const IrValue *b)
{
    a = plain(m, a);
    b = plain(m, b);
    m->found |= ++m->steps > STEPS_MOST;
    if (m->found || a == b || (a->op == OP_var && b->op == OP_var && a->var == b->var) ||
        meet_choices(m, a, b) || meet_choices(m, b, a))
        return;
    const Leaf one = leaf_of(m, a), other = leaf_of(m, b);
    bool alike = one.bytes == SIZE_ANY || other.bytes == SIZE_ANY || one.bytes == other.bytes;
    m->found |= one.loads && other.loads && alike &&
                ((one.only_read && other.written) || (one.written && other.only_read));
    meet_operands(m, a, b); /* indices are chosen, too */
}

/* ---- where ----------------------------------------------------------------------------------- */

static void note_set(void *context, IrStmt *stmt)
{
    Mingling *m = context;
    if (stmt->kind != IR_SET || type_holds_arrays(stmt->set.var->type) ||
        sets_value(&m->sets, stmt->set.var))
        return;
    const SetOf **sets = &m->sets_of[stmt->set.var->id];
    SetOf *set = arena_new(m->arena, SetOf);
    *set = (SetOf){ stmt->set.value, *sets };
    *sets = set;
}

/* Two ways of a choice, and arrays that may be several. */
static void meet_within(void *context, IrValue *value)
{
    Mingling *m = context;
    const Leaf leaf = leaf_of(m, value);
    m->found |= leaf.only_read && leaf.written;
    if (is_choice(value))
        meet(m, value->operands[value->count - 2], value->operands[value->count - 1]);
}

/* Two sets of a variable. */
static void meet_sets(Mingling *m)
{
    for (int i = 0; i < m->fn->var_count; i++)
        for (const SetOf *a = m->sets_of[i]; a; a = a->next)
            for (const SetOf *b = a->next; b; b = b->next)
                meet(m, a->value, b->value);
}

static bool is_near(const IrStmt *stmt)
{
    const IrValue *array = stmt->kind == IR_STORE ? stmt->store.array : NULL;
    return array && array->op == OP_var && array->var->kind != VAR_PARAM &&
           array->var->kind != VAR_LOCAL;
}

static void meet_values(Mingling *m, const IrValue *value, const IrStmt *stmt)
{
    for_each_value (other, (IrStmt *)stmt)
        meet(m, value, other);
}

/* Stores to memory of the block or the thread are never one with others. */
static void meet_effects(Mingling *m, const IrStmt *a, const IrStmt *b)
{
    if (a->kind != b->kind || is_near(a) != is_near(b))
        return;
    for_each_value (value, (IrStmt *)a)
        meet_values(m, value, b);
}

/* Notes what is done in a region; what two arms of a branch do meets. */
static void find_effects(Mingling *m, const IrRegion *region)
{
    m->leaves |= flow_ways_out(region) != 0;
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        int arms[3] = { m->effect_count, m->effect_count, m->effect_count }, arm = 0;
        if (stmt->kind == IR_STORE || stmt->kind == IR_EVAL)
            m->effects[m->effect_count++] = stmt;
        for_each_region (inner, stmt) {
            find_effects(m, inner);
            arms[++arm] = m->effect_count;
        }
        for (int i = arms[0]; arm == 2 && i < arms[1]; i++)
            for (int k = arms[1]; k < arms[2]; k++)
                meet_effects(m, m->effects[i], m->effects[k]);
    }
}

static void count_stmt(void *context, IrStmt *stmt)
{
    (void)stmt;
    ++*(int *)context;
}

/* Whether there are loads of both kinds at all. */
static bool has_both(const IrFunc *fn)
{
    bool only_read = false, written = false;
    for (int i = 0; i < fn->param_count; i++)
        if (fn->access[i] & ACCESS_READ) {
            bool writes = ir_writes(fn, i);
            written |= writes;
            only_read |= !writes;
        }
    return only_read && written;
}

bool ir_mingles_reads(Arena *arena, const IrFunc *fn)
{
    IrRegion *body = (IrRegion *)&fn->body;
    if (!has_both(fn))
        return false;
    Mingling m = { .arena = arena, .fn = fn, .points_to = ir_points_to(arena, fn) };
    int statements = 0;
    m.sets = ir_sets(arena, fn, body);
    ir_each_stmt(body, count_stmt, &statements);
    m.sets_of = arena_array(arena, const SetOf *, fn->var_count + 1);
    m.effects = arena_array(arena, const IrStmt *, statements + 1);
    ir_each_stmt(body, note_set, &m);
    ir_each_node_in(body, meet_within, &m);
    meet_sets(&m);
    find_effects(&m, body);
    for (int i = 0; m.leaves && i < m.effect_count;
         i++) /* an arm may go on wherever another does */
        for (int k = 0; k < i; k++)
            meet_effects(&m, m.effects[i], m.effects[k]);
    return m.found;
}

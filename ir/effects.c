/* What each function does: its effects as a whole, and what it does to the memory behind each of
** its parameters.
**
** Every variable that holds an array, or a tuple with arrays in it, has a set of the parameters
** whose memory it may point into. The sets ignore the order of statements: an assignment only adds.
** A function's findings feed its callers', so callees come first, and a recursive function is gone
** over until nothing changes. */
#include <string.h>
#include "ir/ir.h"

enum { WORD_BITS = 64 };

typedef struct Effects {
    IrFunc *fn;
    int words;       /* in a set */
    uint64_t **sets; /* the roots of each variable, by its id */
    Arena *arena;
    bool changed;
} Effects;

/* Adds to `set` the parameters that `value` may point into. */
static void add_roots(const Effects *e, uint64_t *set, const IrValue *value)
{
    if (!type_holds_arrays(value->type))
        return;
    if (value->op == OP_var) {
        for (int i = 0; i < e->words; i++)
            set[i] |= e->sets[value->var->id][i];
        return;
    }
    for (int i = 0; i < value->count; i++)
        add_roots(e, set, value->operands[i]);
}

/* Adds the roots of `value` to a set; true if there were new ones. */
static bool grow_set(const Effects *e, uint64_t *set, const IrValue *value)
{
    uint64_t *wider = arena_array(e->arena, uint64_t, e->words);
    memcpy(wider, set, sizeof(*set) * (size_t)e->words);
    add_roots(e, wider, value);
    bool grew = memcmp(wider, set, sizeof(*set) * (size_t)e->words) != 0;
    memcpy(set, wider, sizeof(*set) * (size_t)e->words);
    return grew;
}

static void flow_stmt(void *context, IrStmt *stmt)
{
    Effects *e = context;
    if (stmt->kind == IR_SET && type_holds_arrays(stmt->set.var->type))
        e->changed |= grow_set(e, e->sets[stmt->set.var->id], stmt->set.value);
}

static void find_roots(Effects *e)
{
    e->words = e->fn->param_count / WORD_BITS + 1;
    e->sets = arena_array(e->arena, uint64_t *, e->fn->var_count + 1);
    for (int i = 0; i < e->fn->var_count; i++) {
        const IrVar *var = e->fn->vars[i];
        e->sets[i] = arena_array(e->arena, uint64_t, e->words);
        if (var->kind == VAR_PARAM)
            e->sets[i][var->param / WORD_BITS] |= UINT64_C(1) << var->param % WORD_BITS;
    }
    do {
        e->changed = false;
        ir_each_stmt(&e->fn->body, flow_stmt, e);
    } while (e->changed);
}

static void mark_access(Effects *e, const IrValue *array, int access)
{
    uint64_t *set = arena_array(e->arena, uint64_t, e->words);
    add_roots(e, set, array);
    for (int i = 0; i < e->fn->param_count; i++) {
        if (!(set[i / WORD_BITS] >> i % WORD_BITS & 1) || (e->fn->access[i] & access) == access)
            continue;
        e->fn->access[i] |= access;
        e->changed = true;
    }
}

static void access_of_node(void *context, IrValue *value)
{
    Effects *e = context;
    if (value->op == OP_load)
        mark_access(e, value->operands[0], ACCESS_READ);
    else if (value->op == OP_intrinsic && value->intrinsic == INTR_wide_load)
        mark_access(e, value->operands[1], ACCESS_READ);
    else if (value->op == OP_intrinsic && value->intrinsic == INTR_wide_store)
        mark_access(e, value->operands[0], ACCESS_WRITE);
    else if (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ATOMIC)
        mark_access(e, value->operands[0], ACCESS_ATOMIC);
    else if (value->op == OP_call)
        for (int i = 0; i < value->count; i++)
            if (value->callee->access && value->callee->access[i])
                mark_access(e, value->operands[i], value->callee->access[i]);
}

static void access_of_root(void *context, IrValue *value)
{
    ir_each_node(value, access_of_node, context);
}

static void access_of_stmt(void *context, IrStmt *stmt)
{
    Effects *e = context;
    ir_each_value(stmt, access_of_root, e);
    if (stmt->kind == IR_STORE)
        mark_access(e, stmt->store.array, ACCESS_WRITE);
}

/* Goes over one function once; true if it does more than was known. */
static bool visit_function(Arena *arena, IrFunc *fn)
{
    Effects e = { .fn = fn, .arena = arena };
    find_roots(&e);
    e.changed = false;
    ir_each_stmt(&fn->body, access_of_stmt, &e);
    int effects = ir_region_effects(&fn->body);
    e.changed |= effects != fn->effects;
    fn->effects = effects;
    return e.changed;
}

static void start_over(Arena *arena, IrFunc *fn)
{
    fn->effects = EFFECT_NONE;
    fn->access = arena_array(arena, int, fn->param_count + 1);
}

void ir_effects(IrUnit *unit)
{
    for (int i = 0; i < unit->count; i++)
        start_over(unit->arena, unit->functions[i]);
    start_over(unit->arena, unit->kernel);
    bool changed;
    do {
        changed = false;
        for (int i = 0; i < unit->count; i++)
            changed |= visit_function(unit->arena, unit->functions[i]);
    } while (changed);
    visit_function(unit->arena, unit->kernel);
}

/* Makes one store of two that go to the same element either way:
**
**     if gt(load(x, i), 0.0)                  x_1 = load(x, i)
**         store y[i] = load(x, i)      =>     store y[i] = select(gt(x_1, 0.0), x_1, mul(a, x_1))
**     else
**         store y[i] = mul(a, load(x, i))
**
** An element that a statement reads surely, and again perhaps only on one way, is read once.
**
** Legal where both arms do nothing but store, array and indices are the same text, and they and
** the values have no effect: each value is still computed on its own way alone. What a statement
** reads it reads before it writes, so that in it an element is what it is; what the text says of
** caches stays.
**
** It pays always: what is certain to be written can be written wide. */
#include "ir/clone.h"
#include "ir/optimise.h"

enum { READS = 8 };

/* ---- stores ---------------------------------------------------------------------------------- */

static const IrStmt *only_store(const IrRegion *arm)
{
    const IrStmt *stmt = arm->first;
    return stmt && !stmt->next && stmt->kind == IR_STORE && !stmt->store.cache &&
                   !(ir_stmt_effects(stmt) & EFFECT_ORDERED & ~EFFECT_WRITE)
               ? stmt
               : NULL;
}

/* Values that are computed again and again are the same: nothing is read. */
static bool is_same_element(const IrStmt *a, const IrStmt *b)
{
    if (a->store.count != b->store.count || !ir_same_value(a->store.array, b->store.array) ||
        ir_value_effects(a->store.array) != EFFECT_NONE)
        return false;
    for (int i = 0; i < a->store.count; i++)
        if (!ir_same_value(a->store.indices[i], b->store.indices[i]) ||
            ir_value_effects(a->store.indices[i]) != EFFECT_NONE)
            return false;
    return true;
}

/* Whether each index is as certain not to count from the end on one way as on the other. */
static void join_signs(const IrStmt *a, const IrStmt *b)
{
    for (int i = 0; i < a->store.count; i++)
        a->store.indices[i]->nonnegative &= b->store.indices[i]->nonnegative;
}

static IrStmt *one_store(Arena *arena, const IrStmt *branch)
{
    const IrStmt *then = only_store(&branch->if_.then);
    const IrStmt *otherwise = only_store(&branch->if_.otherwise);
    if (!then || !otherwise || !is_same_element(then, otherwise) ||
        then->store.value->type != otherwise->store.value->type ||
        ir_value_effects(branch->if_.condition) & EFFECT_ORDERED)
        return NULL;
    join_signs(then, otherwise);
    return ir_store(arena, then->store.array, then->store.indices, then->store.count,
                    ir_select(arena, branch->if_.condition, then->store.value,
                              otherwise->store.value, branch->span),
                    branch->span);
}

/* ---- loads ----------------------------------------------------------------------------------- */

typedef struct SureReads {
    IrValue *list[READS]; /* that happen surely */
    IrVar *vars[READS];
    int times[READS];
    int count;
} SureReads;

static int find_read(const SureReads *reads, const IrValue *load)
{
    for (int i = 0; i < reads->count; i++)
        if (ir_same_value(reads->list[i], load) && reads->list[i]->index == load->index)
            return i;
    return -1;
}

static bool is_plain_load(const IrValue *value)
{
    return value->op == OP_load && !value->index && type_is_scalar(value->type) &&
           value->operands[0]->op == OP_var && value->operands[0]->var->kind == VAR_PARAM;
}

static void note_sure(SureReads *reads, IrValue *value)
{
    for (int i = 0; i < ir_certain_operands(value); i++)
        note_sure(reads, value->operands[i]);
    if (is_plain_load(value) && find_read(reads, value) < 0 && reads->count < READS)
        reads->list[reads->count++] = value;
}

static void count_read(void *context, IrValue *value)
{
    SureReads *reads = context;
    int found = is_plain_load(value) ? find_read(reads, value) : -1;
    if (found >= 0)
        reads->times[found]++;
}

static void put_read(SureReads *reads, IrValue **slot)
{
    IrValue *value = *slot;
    int found = is_plain_load(value) ? find_read(reads, value) : -1;
    if (found >= 0 && reads->vars[found]) {
        value->op = OP_var;
        value->var = reads->vars[found];
        value->count = 0;
        value->nonnegative = false;
        return;
    }
    for (int i = 0; i < value->count; i++)
        put_read(reads, &value->operands[i]);
}

/* The loads of a store's value that are done more than once stand in front of it. */
static void read_once(void *context, IrRegion *region, IrStmt *store)
{
    IrUnit *unit = context;
    Arena *arena = unit->arena;
    SureReads reads = { .count = 0 };
    if (store->kind != IR_STORE || store->store.value->op != OP_select)
        return;
    note_sure(&reads, store->store.value);
    ir_each_node(store->store.value, count_read, &reads);
    for (int i = 0; i < reads.count; i++) {
        if (reads.times[i] < 2)
            continue;
        IrValue *load = ir_clone_value(&(IrClone){ .arena = arena }, reads.list[i]);
        IrVar *var = ir_temporary(arena, unit->kernel,
                                  arena_printf(arena, "%s_1", load->operands[0]->var->name),
                                  load->type, load->span);
        ir_insert_before(region, store, ir_set(arena, var, load, load->span));
        reads.list[i] = load;
        reads.vars[i] = var;
    }
    put_read(&reads, &store->store.value);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

typedef struct Selects {
    IrUnit *unit;
    bool any;
} Selects;

/* Inner branches first, which may become what an outer one's arm does. */
static void join_stores(void *context, IrRegion *region, IrStmt *stmt)
{
    Selects *s = context;
    IrStmt *store = stmt->kind == IR_IF ? one_store(s->unit->arena, stmt) : NULL;
    if (!store)
        return;
    ir_insert_before(region, stmt, store);
    ir_remove(region, stmt);
    s->any = true;
}

void ir_selects(IrUnit *unit)
{
    Selects s = { unit, false };
    ir_change_stmts(&unit->kernel->body, join_stores, &s);
    if (s.any)
        ir_change_stmts(&unit->kernel->body, read_once, unit);
}

/* Makes one store of two that go to the same element either way:
**
**     if gt(load(x, i), 0.0)                  x_1 = load(x, i)
**         store y[i] = load(x, i)      =>     store y[i] = select(gt(x_1, 0.0), x_1, mul(a, x_1))
**     else
**         store y[i] = mul(a, load(x, i))
**
** Where arms do more than that, the store comes behind the branch:
**
**     if ge(v, 128)                                 if ge(v, 128)
**         store y[i] = 255                              _stored = 255
**         error = sub(v, 255)             =>            error = sub(v, 255)
**     else                                          else
**         store y[i] = 0                                _stored = 0
**         error = v                                     error = v
**                                                   store y[i] = _stored
**
** An element that a statement reads surely, and again perhaps only on one way, is read once.
**
** Arms that divide the same way, but for numbers, divide once, of the number that is chosen:
**
**     select(a, add(mod(sub(v, 65), n), 65),         add(mod(sub(v, k), n), k), where k is
**               add(mod(sub(v, 97), n), 97))    =>   select(a, 65, 97)
**
** and so does an arm with one that is behind it in a chain of conditions. Only of integers: what a
** float comes to could depend on what the device's compiler contracts.
**
** Legal where array and indices are the same text and have no effect: each value is still computed
** on its own way alone. For a select both arms do nothing but store, and the values have no effect
** either. For a store behind the branch, each arm has that store and behind it nothing but sets
** that neither read nor write memory, nor change what the indices read. What a statement
** reads it reads before it writes, so that in it an element is what it is; what the text says of
** caches stays.
**
** It pays always: what is certain to be written can be written wide, or go by rows. But a store
** stays in an arm that has a loop: there the time goes, and passes that share it among threads look
** for loops whose result is stored behind them under the same condition. */
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

/* ---- stores behind branches ------------------------------------------------------------------ */

/* Whether a store may come behind a statement that follows it. */
static bool may_follow(const IrStmt *store, const IrStmt *stmt)
{
    if (stmt->kind != IR_SET || ir_stmt_effects(stmt) != EFFECT_NONE)
        return false;
    int reads = ir_mentions(store->store.array, stmt->set.var);
    for (int i = 0; i < store->store.count; i++)
        reads += ir_mentions(store->store.indices[i], stmt->set.var);
    return !reads;
}

/* The store that could be an arm's last statement; NULL: there is none. */
static IrStmt *last_store(const IrRegion *arm)
{
    IrStmt *store = NULL;
    for (IrStmt *stmt = arm->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_STORE)
            store = stmt->store.cache ? NULL : stmt;
        else if (store && !may_follow(store, stmt))
            store = NULL;
    }
    return store;
}

/* Puts the value of an arm's store in a variable. */
static void keep_value(Arena *arena, IrRegion *arm, IrStmt *store, IrVar *var)
{
    ir_insert_before(arm, store, ir_set(arena, var, store->store.value, store->span));
    ir_remove(arm, store);
}

/* The store of both arms, to come behind the branch; NULL: there is none. */
static IrStmt *store_behind(IrUnit *unit, IrStmt *branch)
{
    Arena *arena = unit->arena;
    IrStmt *then = last_store(&branch->if_.then), *otherwise = last_store(&branch->if_.otherwise);
    if (!then || !otherwise || ir_has_loop(&branch->if_.then) ||
        ir_has_loop(&branch->if_.otherwise) || !is_same_element(then, otherwise) ||
        !type_is_scalar(then->store.value->type) ||
        then->store.value->type != otherwise->store.value->type)
        return NULL;
    join_signs(then, otherwise);
    IrVar *var =
        ir_temporary(arena, unit->kernel, "_stored", then->store.value->type, branch->span);
    keep_value(arena, &branch->if_.then, then, var);
    keep_value(arena, &branch->if_.otherwise, otherwise, var);
    return ir_store(arena, then->store.array, then->store.indices, then->store.count,
                    ir_var(arena, var, branch->span), branch->span);
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

/* ---- quotients ------------------------------------------------------------------------------- */

enum { CHOICES = 4 }; /* of numbers, as many as a quotient is worth */

typedef struct Joining {
    Arena *arena;
    const IrValue *condition;
    int choices;
    bool quotient, failed;
} Joining;

static IrValue *copy_of(const Joining *j, const IrValue *value)
{
    return ir_clone_value(&(IrClone){ .arena = j->arena }, value);
}

/* A number, or one that is chosen. */
static bool is_number(const IrValue *value)
{
    return ir_is_constant(value) || (value->op == OP_select && is_number(value->operands[1]) &&
                                     is_number(value->operands[2]));
}

static bool is_arithmetic(const IrValue *value)
{
    return type_is_integer(value->type) && value->count > 0 &&
           type_is_integer(value->operands[0]->type) &&
           (value->op == OP_cast || ir_ops[value->op].result == RESULT_SAME);
}

/* What `a` is where the condition holds and `b` is where it does not. */
static IrValue *join_values(Joining *j, IrValue *a, IrValue *b)
{
    if (ir_same_value(a, b))
        return a;
    bool same = a->op == b->op && a->type == b->type && a->count == b->count &&
                a->index == b->index; /* what is said of casts */
    if (!same || !is_arithmetic(a) || !is_arithmetic(b)) {
        j->failed |= a->type != b->type || !is_number(a) || !is_number(b) || ++j->choices > CHOICES;
        return j->failed ? a : ir_select(j->arena, copy_of(j, j->condition), a, b, a->span);
    }
    bool divides = a->op == OP_mod || a->op == OP_floordiv;
    IrValue *joined = copy_of(j, a);
    j->quotient |= divides;
    /* by a number that is known it is a product */
    j->failed |= divides && !ir_same_value(a->operands[1], b->operands[1]);
    joined->nonnegative &= b->nonnegative;
    for (int i = 0; i < a->count; i++)
        joined->operands[i] = join_values(j, a->operands[i], b->operands[i]);
    return joined;
}

static IrValue *join_arms(Arena *arena, IrValue *value)
{
    if (value->op != OP_select || !is_arithmetic(value->operands[1]))
        return value;
    IrValue *condition = value->operands[0], *other = value->operands[2];
    other = value->operands[2] = join_arms(arena, other);
    bool chain = other->op == OP_select;
    Joining j = { .arena = arena, .condition = condition };
    if (ir_value_effects(condition) & EFFECT_ORDERED)
        return value;
    IrValue *joined = join_values(&j, value->operands[1], chain ? other->operands[1] : other);
    if (j.failed || !j.quotient)
        return value;
    return !chain
               ? joined
               : ir_select(arena,
                           ir_binary(arena, OP_or_else, condition, other->operands[0], value->span),
                           joined, other->operands[2], value->span);
}

static void join_quotients(void *context, IrStmt *stmt)
{
    Arena *arena = context;
    if (stmt->kind == IR_STORE)
        stmt->store.value = join_arms(arena, stmt->store.value);
    else if (stmt->kind == IR_SET)
        stmt->set.value = join_arms(arena, stmt->set.value);
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
    if (store) {
        ir_insert_before(region, stmt, store);
        ir_remove(region, stmt);
        s->any = true;
    } else if (stmt->kind == IR_IF && (store = store_behind(s->unit, stmt))) {
        ir_insert_before(region, stmt->next, store);
    }
}

void ir_selects(IrUnit *unit)
{
    Selects s = { unit, false };
    ir_change_stmts(&unit->kernel->body, join_stores, &s);
    ir_each_stmt(&unit->kernel->body, join_quotients, unit->arena);
    if (s.any)
        ir_change_stmts(&unit->kernel->body, read_once, unit);
}

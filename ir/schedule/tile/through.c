/* For the processor: what only goes through shared memory is read where it lies.
**
**     for at_y in 0 to m                           for at_y in 0 to n
**         for at_x in 0 to n                           for at_x in 0 to m
**             tile[at_y, at_x] = a[at_y, at_x]             b[at_y, at_x] = a[at_x, at_y]
**     for at_y in 0 to n                        becomes
**         for at_x in 0 to m
**             b[at_y, at_x] = tile[at_x, at_y]
**
** On a GPU the tile lets both sides go along memory. Here the cache is such a tile already.
** Legal where one store fills the array, each element from arrays that the kernel does not write by
** any name, and loops of the same bounds read it: then what is read was stored. It pays where each
** element is read once; what is read again and again is better off near. */
#include "ir/schedule/tile/tiles.h"

#include "ir/clone.h"

enum { DEEP = 3 };

typedef struct ThroughNest {
    const IrRegion *region; /* in which the outermost of the loops stands */
    const IrStmt *loops[DEEP];
    int depth;
} ThroughNest;

typedef struct Through {
    IrUnit *unit;
    const IrAffine *affine;
    const IrVar *tile;
    ThroughNest from;    /* the loops around the store */
    const IrStmt *store; /* NULL: none so far */
    ThroughNest nest;    /* the loops around what is looked at */
    int loads;
    bool bad;
} Through;

/* ---- loops ----------------------------------------------------------------------------------- */

/* The variable that an index of a place in a block is, whose few places fit 32 bits; or NULL. */
static IrVar *counter_of(const IrValue *index)
{
    while (index->op == OP_cast && (index->type == type_int64 || index->type == type_int32))
        index = index->operands[0];
    return index->op == OP_var ? index->var : NULL;
}

/* The loop of the nest that counts in the variable that an index is, from 0 by 1. */
static const IrStmt *loop_of(const ThroughNest *nest, const IrValue *index)
{
    const IrVar *counter = counter_of(index);
    for (int i = 0; i < nest->depth && counter; i++) {
        const IrStmt *loop = nest->loops[i];
        if (loop->for_.var == counter)
            return ir_is_integer(loop->for_.start, 0) && ir_is_integer(loop->for_.step, 1) ? loop
                                                                                           : NULL;
    }
    return NULL;
}

/* Whether the indices are the counters of all loops of the nest, each once. */
static bool are_counters(const ThroughNest *nest, IrValue *const *indices, int rank)
{
    if (nest->depth != rank)
        return false;
    for (int i = 0; i < rank; i++) {
        if (!loop_of(nest, indices[i]))
            return false;
        for (int k = 0; k < i; k++)
            if (counter_of(indices[k]) == counter_of(indices[i]))
                return false;
    }
    return true;
}

static bool same_bounds(const Through *t, IrValue *const *from, IrValue *const *to, int rank)
{
    for (int i = 0; i < rank; i++) {
        const IrValue *a = loop_of(&t->from, from[i])->for_.stop;
        const IrValue *b = loop_of(&t->nest, to[i])->for_.stop;
        if (!affine_same_apart(t->affine, a, b))
            return false;
    }
    return true;
}

/* ---- what is stored and what is read --------------------------------------------------------- */

/* What can be computed in the other loops as well as in those of the store. */
static void check_stored(void *context, IrValue *value)
{
    Through *t = context;
    const IrVar *var = value->op == OP_var ? value->var : NULL;
    bool fixed = !var || var->kind == VAR_PARAM || var->kind == VAR_CONSTANT ||
                 (var->kind == VAR_LOCAL && sets_only(&t->affine->sets, var));
    if (!fixed || value->op == OP_call || value->op == OP_intrinsic ||
        (value->op == OP_load && !tiles_read_only(t->unit, value->operands[0])))
        t->bad = true;
}

/* Nothing but the store stands in its loops. */
static bool is_alone(const ThroughNest *nest, const IrStmt *store)
{
    for (int i = 0; i < nest->depth; i++) {
        const IrStmt *inner = i + 1 < nest->depth ? nest->loops[i + 1] : store;
        if (nest->loops[i]->for_.body.first != inner || inner->next)
            return false;
    }
    return true;
}

static void note_store(Through *t, const IrStmt *stmt)
{
    if (t->store || stmt->store.value->op != OP_load ||
        !are_counters(&t->nest, stmt->store.indices, stmt->store.count) ||
        !is_alone(&t->nest, stmt)) {
        t->bad = true;
        return;
    }
    t->store = stmt;
    t->from = t->nest;
    ir_each_node(stmt->store.value, check_stored, t);
}

static void look_at(Through *t, const IrValue *value)
{
    const bool loads = value->op == OP_load && ir_is_var(value->operands[0], t->tile);
    if (ir_is_var(value, t->tile))
        t->bad = true;
    if (loads) {
        IrValue *const *indices = value->operands + 1;
        const int rank = value->count - 1;
        t->loads++;
        if (!t->store || t->nest.region != t->from.region ||
            !are_counters(&t->nest, indices, rank) ||
            !same_bounds(t, t->store->store.indices, indices, rank))
            t->bad = true;
    }
    for (int i = loads; i < value->count; i++)
        look_at(t, value->operands[i]);
}

static void look_in(Through *t, const IrRegion *region)
{
    const ThroughNest around = t->nest;
    for (const IrStmt *stmt = region->first; stmt && !t->bad; stmt = stmt->next) {
        if (stmt->kind == IR_STORE && ir_is_var(stmt->store.array, t->tile)) {
            note_store(t, stmt);
            look_at(t, stmt->store.value);
            continue;
        }
        for_each_value (value, stmt)
            look_at(t, value);
        const bool loop = stmt->kind == IR_FOR && stmt->for_.bounded && t->nest.depth < DEEP;
        if (loop && !t->nest.depth)
            t->nest.region = region;
        if (loop)
            t->nest.loops[t->nest.depth++] = stmt;
        for_each_region (inner, stmt) {
            if (stmt->kind != IR_IF && !loop)
                t->nest = (ThroughNest){ 0 };
            look_in(t, inner);
        }
        t->nest = around;
    }
}

/* ---- the change ------------------------------------------------------------------------------ */

static IrValue *instead(const IrClone *clone, const IrValue *value)
{
    const Through *t = clone->context;
    if (value->op != OP_load || !ir_is_var(value->operands[0], t->tile))
        return NULL;
    IrClone other = { .arena = clone->arena,
                      .vars = arena_array(clone->arena, IrVar *, t->affine->sets.var_count + 1) };
    for (int i = 0; i < t->store->store.count; i++)
        other.vars[counter_of(t->store->store.indices[i])->id] = counter_of(value->operands[i + 1]);
    return ir_clone_value(&other, t->store->store.value);
}

static bool drop(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const Through *t = clone->context;
    (void)out;
    return stmt == t->from.loops[0];
}

static void read_where_it_lies(Through *t)
{
    IrClone clone = { .arena = t->unit->arena, .value = instead, .stmt = drop, .context = t };
    IrRegion body = { NULL, NULL };
    ir_clone_region(&clone, &t->unit->kernel->body, &body);
    t->unit->kernel->body = body;
    ir_remark(t->unit, t->store->span, "what goes through '%s' is read where it lies",
              t->tile->name);
}

void tiles_through(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *tile = fn->vars[i];
        if (tile->kind != VAR_SHARED || !type_is_scalar(tile->type->array.element))
            continue;
        const IrAffine affine = ir_affine(unit, NULL);
        Through t = { .unit = unit, .affine = &affine, .tile = tile };
        look_in(&t, &fn->body);
        if (t.store && t.loads == 1 && !t.bad)
            read_where_it_lies(&t);
    }
}

/* Sums by atomics where neighbours often come to one element, as the data says: sorted keys, edges
** of a graph by their nodes, matrices by coordinates, pictures.
**
**     eval atomic_add(y, load(row, i), v)
** becomes
**     eval atomic_add_runs(y, load(row, i), v)
**
** by which, of lanes side by side that name the same element, the first adds what all of them have
** (the prelude has it). Lanes ask their neighbour first: where few name the same element, each adds
** its own.
**
** Legal for an array parameter that nothing in the kernel accesses but sums and differences by
** atomics, whose results are unused, and that has no byte in common with another argument: a thread
** that never sees the array does not see who adds for it, nor when, and sums come in any order. (A
** maximum that follows a sum does not: nothing keeps it behind what another lane adds.) Sums of
** floats by atomics were of no certain order before. Nor may other threads learn when one has
** added: the kernel has no fences and does not wait for the grid. Kernels that ask for lanes are
** left as they are.
**
** Pays in global memory where indices are keys, which lanes read side by side, where they are
** quotients of the thread's, and where all lanes have the same: an element is added to by one
** thread at a time, and what lanes ask each other takes less time than the data. Indices that move
** with the thread's are no two the same, nor are columns of rows that lanes go along, each its own.
** What all lanes read in a loop that some of them come to, as a table of sines, is no key.
*/
#include "ir/analysis/accesses.h"
#include "ir/analysis/affine.h"
#include "ir/schedule/privatise/privatise.h"

typedef struct Runs {
    IrUnit *unit;
    IrAffine affine;
    const char *why;        /* the kernel as a whole forbids it; NULL: it does not */
    bool pinned;            /* one lane of a warp comes to the statement at hand, if it has many */
    const IrRegion *within; /* what holds the loops around it; NULL: there are none */
    bool *seen; /* by parameter: atomics do not only add to it, or what they found is used, or a
                        function has it */
} Runs;

static void note_call(void *context, IrValue *value)
{
    Runs *r = context;
    for (int i = 0; i < value->count && value->op == OP_call; i++) {
        const IrVar *var = ir_array_base(value->operands[i]);
        if (var && var->kind == VAR_PARAM)
            r->seen[var->param] = true;
    }
}

static void note_seen(void *context, IrStmt *stmt)
{
    Runs *r = context;
    const IrValue *atomic = atomic_of(stmt);
    const IrVar *var = atomic ? ir_array_base(atomic->operands[0]) : NULL;
    bool adds = stmt->kind == IR_EVAL && atomic && atomic_combine(atomic) == COMBINE_SUM;
    if (var && var->kind == VAR_PARAM && !adds)
        r->seen[var->param] = true;
    ir_each_own_node(stmt, note_call, r);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* What lanes read that lies side by side, and not where other data says. */
typedef struct Keys {
    const IrFunc *fn;
    const IrAffine *affine;
    IrDivergence divergence; /* between the threads that come to the loops around */
    bool *read;              /* by IrVar.id: it may come from memory */
    const IrVar *held;       /* an array of the thread's own whose elements are looked at */
    bool memory, more, found;
} Keys;

static void note_memory(void *context, IrValue *value)
{
    Keys *keys = context;
    keys->memory |= value->op == OP_load || (value->op == OP_var && keys->read[value->var->id]);
}

static void note_read(void *context, IrStmt *stmt)
{
    Keys *keys = context;
    const IrVar *var = ir_set_var(stmt);
    if (!var || keys->read[var->id])
        return;
    keys->memory = false;
    ir_each_own_node(stmt, note_memory, keys);
    keys->read[var->id] = keys->memory;
    keys->more |= keys->memory;
}

static Keys keys_new(const Runs *r)
{
    const IrFunc *fn = r->unit->kernel;
    Keys keys = { .fn = fn,
                  .affine = &r->affine,
                  .divergence =
                      r->within ? ir_divergence(r->unit, r->within) : r->affine.divergence };
    keys.read = arena_array(r->unit->arena, bool, fn->var_count + 1);
    do {
        keys.more = false;
        ir_each_stmt(&fn->body, note_read, &keys);
    } while (keys.more);
    return keys;
}

static void note_load(void *context, IrValue *load);

/* Whether what is read at the indices from operand `first` on may be a key. */
static void note_indices(Keys *keys, const IrValue *value, int first)
{
    int bits = 0;
    keys->memory = false;
    for (int i = first; i < value->count; i++) {
        bits |= ir_divergence_of(&keys->divergence, value->operands[i]);
        ir_each_node(value->operands[i], note_memory, keys);
    }
    keys->found |= !keys->memory && bits & (DIVERGES_OTHER | DIVERGES_THREAD);
}

static void note_held(void *context, IrStmt *stmt)
{
    Keys *keys = context;
    if (stmt->kind == IR_STORE && ir_array_base(stmt->store.array) == keys->held)
        sets_each_load(&keys->affine->sets, stmt->store.value, note_load, keys);
    const IrValue *wide = stmt->kind == IR_EVAL ? stmt->eval.value : NULL;
    if (wide && wide->count > 0 && ir_array_base(wide->operands[0]) == keys->held)
        note_indices(keys, wide, 2);
}

/* A load of an array of the thread's own is one of what it holds. */
static void note_load(void *context, IrValue *load)
{
    Keys *keys = context;
    const IrVar *base = ir_array_base(load->operands[0]);
    if (!base || base->kind != VAR_PRIVATE || keys->held) {
        note_indices(keys, load, 1);
        return;
    }
    keys->held = base;
    ir_each_stmt(&keys->fn->body, note_held, keys);
    keys->held = NULL;
}

/* ---- which pay ------------------------------------------------------------------------------- */

/* Whether data says which element it is, more than the thread's index does, or lanes share it: all
** of them, or those with one quotient. What is one element for the whole grid the device's compiler
** joins itself. */
static bool pays(const Runs *r, const IrValue *atomic)
{
    Keys keys = keys_new(r);
    bool shared = true;
    int bits = 0;
    for (int i = 1; i < atomic->count - 1; i++) {
        int64_t slope;
        const IrValue *index = atomic->operands[i];
        bool known = affine_slope(&r->affine, index, 0, &slope);
        if (known && slope != 0)
            return false;
        sets_each_load(&r->affine.sets, index, note_load, &keys);
        shared &= known || affine_shared(&r->affine, index, 0);
        bits |= ir_divergence_of(&r->affine.divergence, index);
    }
    return keys.found || (bits && shared && !r->pinned);
}

/* A difference of floats is a sum, of what is negated. */
static bool is_sum(const IrValue *value)
{
    return ir_is_intrinsic(value, INTR_atomic_add) ||
           (ir_is_intrinsic(value, INTR_atomic_sub) && type_is_float(value->type));
}

static const char *obstacle(const Runs *r, const IrValue *atomic)
{
    const IrVar *param = privatise_whole(atomic->operands[0]);
    const Type *element = atomic->operands[0]->type->array.element;
    size_t bytes = type_size(element);
    if (r->why || !param)
        return r->why ? r->why : "it is no argument as a whole";
    if (r->unit->kernel->access[param->param] != ACCESS_ATOMIC || r->seen[param->param])
        return "the array is also accessed otherwise";
    if (param->exact || param->merged || param->type->array.unaligned || !type_is_number(element) ||
        (bytes != 4 && bytes != 8))
        return "its elements are not numbers of 4 or 8 bytes";
    if (!launch_alone(r->unit->launch, param->param))
        return "it may overlap another argument";
    return NULL;
}

static void visit_stmt(Runs *r, IrStmt *stmt)
{
    IrValue *atomic = stmt->kind == IR_EVAL ? stmt->eval.value : NULL;
    if (!atomic || !is_sum(atomic))
        return;
    const IrVar *param = ir_array_base(atomic->operands[0]);
    if (!param || param->kind != VAR_PARAM)
        return;
    Directive own = { DO_RUNS, .array = param->name, .site = stmt, .span = stmt->span };
    bool wanted = pays(r, atomic) || schedule_is_given(r->unit);
    const char *why = wanted ? obstacle(r, atomic) : NULL;
    if (why)
        schedule_refuse(r->unit, own, stmt->span, why);
    Directive *directive = why ? NULL : schedule_take(r->unit, own, wanted);
    if (!directive)
        return;
    IrValue **value = &atomic->operands[atomic->count - 1];
    if (atomic->intrinsic == INTR_atomic_sub)
        *value = ir_unary(r->unit->arena, OP_neg, *value, (*value)->span);
    atomic->intrinsic = INTR_atomic_add_runs;
    ir_remark(r->unit, stmt->span, "neighbours that add to one element of '%s' add at once",
              param->name);
    schedule_done(directive);
}

static void visit_region(Runs *r, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        int count = ir_regions(stmt, regions);
        bool pinned = r->pinned;
        const IrRegion *within = r->within;
        r->within = within || !ir_is_loop(stmt) ? within : region;
        visit_stmt(r, stmt);
        for (int i = 0; i < count; i++) {
            r->pinned = pinned || (stmt->kind == IR_IF && i == 0 &&
                                   privatise_pinned(&r->affine.sets, stmt->if_.condition) & 1);
            visit_region(r, regions[i]);
        }
        r->pinned = pinned;
        r->within = within;
    }
}

void ir_runs(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Runs r = { .unit = unit };
    if (!ir_region_has_node(&fn->body, is_sum))
        return;
    ir_effects(unit);
    if (fn->effects & (EFFECT_FENCE | EFFECT_GRID_SYNC | EFFECT_WARP_SYNC))
        r.why = "threads may learn when others have added";
    r.affine = ir_affine(unit, NULL);
    r.seen = arena_array(unit->arena, bool, fn->param_count + 1);
    ir_each_stmt(&fn->body, note_seen, &r);
    visit_region(&r, &fn->body);
}

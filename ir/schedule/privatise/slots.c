/* Small private arrays with indices that threads compute lie in shared memory, a bank a thread:
**
**     private counts: int32[::1] of 16           shared counts_slots: int32[:, ::1] of 16 x 128
**     for k in 0 to n by 1                       _self = thread_idx(0)
**         store counts[load(a, i, k)] =    =>    for k in 0 to n by 1
**             add(load(counts, ...), 1)              store counts_slots[load(a, i, k), _self] =
**                                                        add(load(counts_slots, ..., _self), 1)
**
** Registers have no index, so the compiler puts such an array into the thread's local memory. That
** lies as this does, element by element for all of a warp's threads, but in global memory and its
** caches, which serve one piece of 128 bytes at a time: as many as there are different indices in
** the warp. Of shared memory each lane has a bank to itself, wherever in the array it looks.
**
** Legal where the number of a block's threads is known, for an array that is only ever accessed
** element by element: nothing but its own thread comes to an element, so no barrier is needed.
**
** Pays if some index differs between the threads of a block, and does so by more than a constant:
** else the array is in registers, or all lanes find one piece; and if an array takes few enough
** bytes of each thread that a quarter of the threads of a multiprocessor or more have room at a
** time, and a block's arrays stay within 48 KB. */
#include "ir/analysis/divergence.h"
#include "ir/analysis/flow/sets.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/schedule.h"

enum {
    MOST_OWN = 384,  /* bytes of a thread, all its arrays together */
    ELEMENT_MOST = 8 /* bytes that a thread has a bank, or two, for */
};

typedef struct Slots {
    IrBuilder b[1];
    IrUnit *unit;
    IrDivergence divergence; /* once it is asked for */
    IrSets sets;
    int *others;    /* by IrVar.id: how often a private array is named other than to access it */
    bool *apart;    /* by IrVar.id: threads differ in an index */
    int *counted;   /* by IrVar.id: how many loops of known iterations count in it */
    int count;      /* of variables, then */
    bool by_bounds; /* loops with the same bounds have the same iterations */
    IrVar **near;   /* by IrVar.id: the shared array that takes its place */
    int64_t threads, bytes, own;
    IrVar *self;
} Slots;

/* ---- which ----------------------------------------------------------------------------------- */

static const IrVar *private_array(const IrValue *value)
{
    return value->op == OP_var && value->var->kind == VAR_PRIVATE ? value->var : NULL;
}

/* Whether nothing but loops whose iterations are known set a variable: copies of one loop may. */
static bool counts_known(const Slots *s, const IrVar *var)
{
    return s->counted[var->id] && s->counted[var->id] == s->sets.count[var->id];
}

/* Whether threads that come to one point together may have different values there. A loop whose
** bounds are the same has the same iterations in all threads that enter it; which the device's
** compiler sees of numbers alone. */
static bool is_apart(Slots *s, const IrValue *value)
{
    enum { APART = 7 * DIVERGES_THREAD | DIVERGES_OTHER };
    const IrStmt *loop = value->op == OP_var ? sets_loop(&s->sets, value->var) : NULL;
    if (value->op == OP_var && counts_known(s, value->var))
        return false;
    const IrValue *named = value->op == OP_var ? sets_value(&s->sets, value->var) : NULL;
    if (named && sets_is_short(&s->sets, named) && sets_stable(&s->sets, named))
        return is_apart(s, named);
    if (loop && s->by_bounds)
        return is_apart(s, loop->for_.start) || is_apart(s, loop->for_.stop) ||
               is_apart(s, loop->for_.step);
    bool leaf = value->count == 0 && value->op != OP_constant;
    if (leaf && !s->divergence.vars)
        s->divergence = ir_divergence(s->unit, NULL);
    bool apart = leaf && ir_divergence_of(&s->divergence, value) & APART;
    for (int i = 0; i < value->count && !apart; i++)
        apart = is_apart(s, value->operands[i]);
    return apart || value->op == OP_call;
}

static void note_access(Slots *s, const IrValue *array, IrValue *const *index, int count)
{
    const IrVar *var = private_array(array);
    for (int i = 0; var && i < count; i++)
        s->apart[var->id] |= is_apart(s, index[i]);
    if (var)
        s->others[var->id]--;
}

static void note_node(void *context, IrValue *value)
{
    Slots *s = context;
    if (private_array(value))
        s->others[value->var->id]++;
    if (value->op == OP_load)
        note_access(s, value->operands[0], value->operands + 1, value->count - 1);
}

static void note_stmt(void *context, IrStmt *stmt)
{
    Slots *s = context;
    if (stmt->kind == IR_STORE)
        note_access(s, stmt->store.array, stmt->store.indices, stmt->store.count);
}

static void note_loop(void *context, IrStmt *stmt)
{
    Slots *s = context;
    if (stmt->kind == IR_FOR && ir_trip_count(stmt) >= 0)
        s->counted[stmt->for_.var->id]++;
}

static bool is_candidate(const Slots *s, const IrVar *var)
{
    return var->kind == VAR_PRIVATE && s->apart[var->id] && !s->others[var->id] &&
           var->type->array.layout == LAYOUT_C && var->type->array.rank < RANK_MAX &&
           type_is_scalar(var->type->array.element) &&
           type_size(var->type->array.element) <= ELEMENT_MOST;
}

static bool has_room(const Slots *s, const IrVar *var)
{
    int64_t own = ir_array_bytes(var);
    return s->own + own <= MOST_OWN && s->bytes + own * s->threads <= SHARED_BYTES;
}

/* ---- in its place ---------------------------------------------------------------------------- */

static IrVar *new_near(const Slots *s, const IrVar *var)
{
    int rank = var->type->array.rank;
    int64_t shape[RANK_MAX];
    for (int k = 0; k < rank; k++)
        shape[k] = var->shape[k];
    shape[rank] = s->threads;
    return ir_array_var(s->b->arena, s->b->fn, arena_printf(s->b->arena, "%s_slots", var->name),
                        var->type->array.element, VAR_SHARED, shape, rank + 1, var->span);
}

static IrVar *near_of(const Slots *s, const IrValue *array)
{
    const IrVar *var = private_array(array);
    return var && var->id < s->count ? s->near[var->id] : NULL;
}

static IrValue **with_self(const Slots *s, IrValue *const *index, int count)
{
    IrValue **all = arena_array(s->b->arena, IrValue *, count + 1);
    for (int i = 0; i < count; i++)
        all[i] = index[i];
    all[count] = build_var(s->b, s->self);
    return all;
}

static void change_load(const Slots *s, IrValue **slot)
{
    IrValue *value = *slot;
    for (int i = 0; i < value->count; i++)
        change_load(s, &value->operands[i]);
    IrVar *near = value->op == OP_load ? near_of(s, value->operands[0]) : NULL;
    if (near)
        *slot =
            ir_load(s->b->arena, build_var(s->b, near),
                    with_self(s, value->operands + 1, value->count - 1), value->count, value->span);
}

static void change_stmt(void *context, IrStmt *stmt)
{
    Slots *s = context;
    for_each_slot (slot, stmt)
        change_load(s, slot);
    IrVar *near = stmt->kind == IR_STORE ? near_of(s, stmt->store.array) : NULL;
    if (!near)
        return;
    stmt->store.indices = with_self(s, stmt->store.indices, stmt->store.count);
    stmt->store.count++;
    stmt->store.array = build_var(s->b, near);
}

/* The thread's number in the block. */
static IrVar *let_self(const Slots *s, const uint32_t block[3], IrRegion *out)
{
    IrValue *self = build_int(s->b, 0);
    for (int axis = 2; axis >= 0; axis--)
        if (block[axis] > 1)
            self = build_op(s->b, OP_add, build_times(s->b, self, block[axis]),
                            build_thread_index(s->b, axis));
    return build_let(s->b, "_self", self, out);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* The block as it is launched, if nothing else shares its memory by the launch's own account. */
static bool find_block(IrUnit *unit, uint32_t block[3])
{
    const IrShape *shape = &unit->shape;
    if (shape->shared_count || (shape->changed && !shape->free))
        return false;
    if (!shape->changed)
        return launch_block(unit->launch, block);
    for (int k = 0; k < 3; k++)
        block[k] = shape->block[k];
    return true;
}

static void count_shared(Slots *s)
{
    for (int i = 0; i < s->b->fn->var_count; i++) {
        const IrVar *var = s->b->fn->vars[i];
        if (var->kind == VAR_SHARED)
            s->bytes += ir_array_bytes(var);
        else if (var->kind == VAR_SHARED_DYNAMIC)
            s->bytes = SHARED_BYTES;
    }
}

static bool choose(Slots *s)
{
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        const IrVar *var = s->b->fn->vars[i];
        Directive own = { DO_SLOTS, .array = var->name, .site = var, .span = var->span };
        if (!is_candidate(s, var))
            continue;
        if (!has_room(s, var))
            schedule_refuse(s->unit, own, var->span, "shared memory has no room for all threads");
        Directive *directive = has_room(s, var) ? schedule_take(s->unit, own, true) : NULL;
        if (!directive)
            continue;
        schedule_done(directive);
        s->own += ir_array_bytes(var);
        s->bytes += ir_array_bytes(var) * s->threads;
        s->near[i] = new_near(s, var);
        ir_remark(s->unit, var->span, "'%s' lies in shared memory: threads compute its indices",
                  var->name);
        any = true;
    }
    return any;
}

static Slots look(IrUnit *unit, bool by_bounds)
{
    IrFunc *fn = unit->kernel;
    Slots s = { .b = { { unit->arena, fn, fn->span } },
                .unit = unit,
                .sets = ir_sets(unit->arena, fn, &fn->body),
                .count = fn->var_count,
                .by_bounds = by_bounds,
                .others = arena_array(unit->arena, int, fn->var_count + 1),
                .apart = arena_array(unit->arena, bool, fn->var_count + 1),
                .counted = arena_array(unit->arena, int, fn->var_count + 1),
                .near = arena_array(unit->arena, IrVar *, fn->var_count + 1) };
    ir_each_stmt(&fn->body, note_loop, &s);
    ir_each_node_in(&fn->body, note_node, &s);
    ir_each_stmt(&fn->body, note_stmt, &s);
    return s;
}

bool *ir_computed_arrays(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    bool any = false;
    if (!ir_has_kind(fn, VAR_PRIVATE))
        return NULL;
    Slots s = look(unit, false);
    bool *found = arena_array(unit->arena, bool, s.count + 1);
    for (int i = 0; i < s.count; i++)
        any |= found[i] = is_candidate(&s, fn->vars[i]);
    return any ? found : NULL;
}

void ir_slots(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    uint32_t block[3];
    bool found = false;
    if (!ir_has_kind(fn, VAR_PRIVATE))
        return;
    Slots s = look(unit, true);
    for (int i = 0; i < fn->var_count; i++)
        found |= is_candidate(&s, fn->vars[i]);
    if (!found || !find_block(unit, block))
        return;
    s.threads = (int64_t)block[0] * block[1] * block[2];
    count_shared(&s);
    if (!choose(&s))
        return;
    IrRegion body = { NULL, NULL };
    s.self = let_self(&s, block, &body);
    ir_each_stmt(&fn->body, change_stmt, &s);
    ir_append_region(&body, fn->body);
    fn->body = body;
}

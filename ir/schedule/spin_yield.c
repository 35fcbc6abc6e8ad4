/* For the processor: loops that wait for other threads (spin.c) let them run.
**
**     while true
**         _t = atomic_cas(lock, 0, 0, 1)
**         if not(ne(_t, 0))
**             break
** becomes
**     eval progressed(true)
**     while true
**         _t = atomic_cas(lock, 0, 0, 1)
**         eval progressed(eq(_t, 0))
**         if not(ne(_t, 0))
**             break
**         eval progressed(ne(_t, _seen))
**         _seen = _t
**         eval yield()
**
** At yield() the thread stops, and goes on when the others have run. progressed(c) says, where c
** holds, that the thread has made progress: it came to the loop, changed memory, or changed a
** variable that decides what the loop does or how often it repeats. When all threads have made an
** iteration, or wait at barriers, and none has made progress, none ever will: a deadlock. */
#include "ir/analysis/accesses.h"
#include "ir/analysis/spin.h"

typedef struct SpinLoop {
    const IrStmt *stmt;
    IrVar **vars, **seen; /* those it depends on that it sets, and what they held */
    int count, capacity;
    bool moves; /* something of it cannot be compared */
} SpinLoop;

typedef struct Spins {
    IrUnit *unit;
    IrPointsTo points_to;
    const uint64_t *written;
    SpinLoop **loops;
    int count, capacity;
} Spins;

/* Where a statement stands. */
typedef struct InsideSpin {
    const SpinLoop *innermost; /* if that waits */
    bool any;                  /* in a loop that waits */
} InsideSpin;

static bool is_comparable(const Type *type)
{
    return type_is_real(type);
}

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct Collect {
    Spins *spins;
    SpinLoop *loop;
    const SpinSlice *slice;
} Collect;

static void collect_var(void *context, IrStmt *stmt)
{
    const Collect *c = context;
    IrVar *var = ir_set_var(stmt);
    SpinLoop *loop = c->loop;

    if (!var || !c->slice->vars[var->id])
        return;
    loop->moves |= !is_comparable(var->type);
    for (int i = 0; i < loop->count; i++)
        if (loop->vars[i] == var)
            return;
    array_push(c->spins->unit->arena, loop->vars, loop->count, loop->capacity) = var;
}

static void find_loop(void *context, IrStmt *stmt)
{
    Spins *spins = context;

    if (!ir_is_loop(stmt) || !spin_waits(&spins->points_to, spins->written, stmt))
        return;
    SpinLoop *loop = arena_new(spins->unit->arena, SpinLoop);
    SpinSlice slice = { .points_to = &spins->points_to, .effects = true };
    spin_slice(&slice, stmt);
    loop->stmt = stmt;
    loop->moves = stmt->kind == IR_FOR;
    ir_each_stmt(slice.body, collect_var, &(Collect){ spins, loop, &slice });
    array_push(spins->unit->arena, spins->loops, spins->count, spins->capacity) = loop;
}

static const SpinLoop *waiting_loop(const Spins *spins, const IrStmt *stmt)
{
    for (int i = 0; i < spins->count; i++)
        if (spins->loops[i]->stmt == stmt)
            return spins->loops[i];
    return NULL;
}

static void name_seen(const Spins *spins)
{
    Arena *arena = spins->unit->arena;

    for (int i = 0; i < spins->count; i++) {
        SpinLoop *loop = spins->loops[i];
        loop->seen = arena_array(arena, IrVar *, loop->count + 1);
        for (int k = 0; k < loop->count && !loop->moves; k++)
            loop->seen[k] = ir_temporary(arena, spins->unit->kernel, "_seen", loop->vars[k]->type,
                                         loop->stmt->span);
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static IrStmt *eval(const Spins *spins, IrIntrinsic intrinsic, IrValue *operand, Span span)
{
    IrStmt *stmt = ir_eval(
        spins->unit->arena,
        ir_intrinsic(spins->unit->arena, intrinsic, type_none, span, operand, NULL, NULL), span);
    return stmt;
}

/* `condition`: NULL: always. */
static IrStmt *moved(const Spins *spins, IrValue *condition, Span span)
{
    if (!condition)
        condition = ir_integer(spins->unit->arena, type_bool, 1, span);
    return eval(spins, INTR_progressed, condition, span);
}

/* Inserts before `at`, NULL for the region's end, by what an iteration of the loop ends. */
static void end_iteration(const Spins *spins, const SpinLoop *loop, IrRegion *region, IrStmt *at)
{
    Arena *arena = spins->unit->arena;
    Span span = loop->stmt->span;

    if (loop->moves)
        ir_insert_before(region, at, moved(spins, NULL, span));
    for (int i = 0; i < loop->count && !loop->moves; i++) {
        IrValue *now = ir_var(arena, loop->vars[i], span);
        IrValue *before = ir_var(arena, loop->seen[i], span);
        ir_insert_before(region, at,
                         moved(spins, ir_binary(arena, OP_ne, now, before, span), span));
        ir_insert_before(region, at, ir_set(arena, loop->seen[i], now, span));
    }
    ir_insert_before(region, at, eval(spins, INTR_yield, NULL, span));
}

/* Whether an atomic operation that found `old` has changed something; NULL: that is not known. */
static IrValue *has_changed(Arena *arena, const IrValue *atomic, IrVar *var)
{
    Span span = atomic->span;
    IrValue *old = ir_var(arena, var, span), *given = atomic->operands[atomic->count - 1];

    if (ir_mentions(atomic, var) || !is_comparable(var->type))
        return NULL;
    switch ((int)atomic->intrinsic) {
    case INTR_atomic_cas:
    case INTR_atomic_compare_and_swap:
        return ir_binary(arena, OP_eq, old, atomic->operands[atomic->count - 2], span);
    case INTR_atomic_exch:
        return ir_binary(arena, OP_ne, old, given, span);
    case INTR_atomic_max:
        return ir_binary(arena, OP_lt, old, given, span);
    case INTR_atomic_min:
        return ir_binary(arena, OP_gt, old, given, span);
    case INTR_atomic_and:
        return ir_binary(arena, OP_ne, ir_binary(arena, OP_and, old, given, span), old, span);
    case INTR_atomic_or:
        return ir_binary(arena, OP_ne, ir_binary(arena, OP_or, old, given, span), old, span);
    default:
        return NULL;
    }
}

static void watch_atomic(const Spins *spins, IrRegion *region, IrStmt *stmt)
{
    Arena *arena = spins->unit->arena;
    IrValue *atomic = (IrValue *)atomic_of(stmt);

    if (spin_only_reads(atomic))
        return;
    if (stmt->kind == IR_EVAL) {
        stmt->kind = IR_SET;
        stmt->set.var = ir_temporary(arena, spins->unit->kernel, "_old", atomic->type, stmt->span);
        stmt->set.value = atomic;
    }
    ir_insert_before(region, stmt->next,
                     moved(spins, has_changed(arena, atomic, stmt->set.var), stmt->span));
}

static void watch_store(const Spins *spins, IrRegion *region, IrStmt *stmt)
{
    Arena *arena = spins->unit->arena;
    const Type *element = stmt->store.array->type->array.element;
    IrValue *changes = NULL;

    if (is_comparable(element)) {
        IrValue *load =
            ir_load(arena, stmt->store.array, stmt->store.indices, stmt->store.count, stmt->span);
        changes = ir_binary(arena, OP_ne, load, stmt->store.value, stmt->span);
    }
    ir_insert_before(region, stmt, moved(spins, changes, stmt->span));
}

/* A statement in a loop that waits: says what it changes. */
static void watch(const Spins *spins, IrRegion *region, IrStmt *stmt)
{
    IrRegion *regions[2];

    if (stmt->kind == IR_STORE)
        watch_store(spins, region, stmt);
    else if (atomic_of(stmt))
        watch_atomic(spins, region, stmt);
    else if (!ir_regions(stmt, regions) &&
             ir_stmt_effects(stmt) & (EFFECT_WRITE | EFFECT_ATOMIC | EFFECT_IO))
        ir_insert_before(region, stmt, moved(spins, NULL, stmt->span));
}

static bool meets(const IrStmt *stmt)
{
    IrRegion *regions[2];

    return !ir_regions((IrStmt *)stmt, regions) && ir_stmt_effects(stmt) & EFFECT_MEETS;
}

static void change_region(const Spins *spins, IrRegion *region, InsideSpin inside)
{
    for (IrStmt *stmt = region->first, *next; stmt; stmt = next) {
        const SpinLoop *loop = waiting_loop(spins, stmt);
        bool any_loop = ir_is_loop(stmt);
        InsideSpin in = { any_loop ? loop : inside.innermost, inside.any || loop };

        next = stmt->next;
        if (inside.any)
            watch(spins, region, stmt);
        else if (meets(stmt))
            ir_insert_before(region, next, moved(spins, NULL, stmt->span));
        if (stmt->kind == IR_CONTINUE && inside.innermost)
            end_iteration(spins, inside.innermost, region, stmt);
        for_each_region (inner, stmt)
            change_region(spins, inner, in);
        if (!loop)
            continue;
        ir_insert_before(region, stmt, moved(spins, NULL, stmt->span));
        end_iteration(spins, loop, ir_loop_body(stmt), NULL);
    }
}

IrUnit *ir_yield_in_waits(Arena *arena, const IrUnit *unit)
{
    IrUnit *whole = ir_spin(arena, unit) ? spin_whole(arena, unit) : NULL;

    if (!whole || whole->kernel->effects & EFFECT_YIELD || unit->shape.whole)
        return NULL;
    for (int i = 0; i < whole->kernel->param_count; i++)
        if (whole->kernel->vars[i]->exact)
            return NULL;
    for (int i = 0; i < whole->kernel->param_count; i++) /* blocks go from worker to worker */
        whole->kernel->vars[i]->merged = COMBINE_NONE;
    Spins spins = { .unit = whole, .points_to = ir_points_to(arena, whole->kernel) };
    spins.written = spin_written(&spins.points_to);
    ir_each_stmt(&whole->kernel->body, find_loop, &spins);
    name_seen(&spins);
    change_region(&spins, &whole->kernel->body, (InsideSpin){ NULL, false });
    ir_effects(whole);
    return whole;
}

/* Loops that wait for other threads.
**
**     while atomic_cas(lock, 0, 0, 1) != 0:
**         pass
** repeats until another thread does something. A GPU runs that thread meanwhile; on the
** processor it has to be let run.
**
** A loop waits if it reads memory by atomic operations, or reads what the kernel writes, or makes
** fences, and if some path through an iteration could be repeated for ever by this thread alone:
** it changes no memory that the loop reads, and what it sets of the variables that end the loop
** comes from memory. A loop that only counts how often it tries waits as well. One in which a
** failed compare-and-swap means that another thread has succeeded does not: it is lock-free, and
** ends by itself. To take a loop wrongly for one that waits costs time and nothing else, so a loop
** with more paths than are looked at is taken for one. */
#include "ir/analysis/spin.h"

#include "ir/analysis/accesses.h"
#include "ir/analysis/flow/sets.h"

/* Statements that are followed through iterations; statements of callees that are seen through. */
enum { STEPS_MOST = 20000, STATEMENTS_MOST = 4000 };

/* ---- what decides ---------------------------------------------------------------------------- */

static bool spin_meets(const IrPointsTo *points_to, const uint64_t *a, const uint64_t *b)
{
    uint64_t any_a = 0, any_b = 0, both = 0;

    for (int i = 0; i < points_to->words; i++) {
        any_a |= a[i];
        any_b |= b[i];
        both |= a[i] & b[i];
    }
    return both || (any_b && ir_pointees_elsewhere(points_to, a)) ||
           (any_a && ir_pointees_elsewhere(points_to, b));
}

static void mark_memory(SpinSlice *slice, const IrValue *array)
{
    const uint64_t *set = ir_pointees(slice->points_to, array);

    for (int i = 0; i < slice->points_to->words; i++) {
        slice->changed |= (set[i] & ~slice->memory[i]) != 0;
        slice->memory[i] |= set[i];
    }
}

static void mark_node(void *context, IrValue *value)
{
    SpinSlice *slice = context;

    if (value->op == OP_var) {
        slice->changed |= !slice->vars[value->var->id];
        slice->vars[value->var->id] = true;
    } else if (value->op == OP_load || ir_is_atomic(value)) {
        mark_memory(slice, value->operands[0]);
        slice->atomics |= ir_is_atomic(value);
    } else if (value->op == OP_call) {
        for (int i = 0; i < value->count; i++)
            if (type_holds_arrays(value->operands[i]->type))
                mark_memory(slice, value->operands[i]);
    }
}

/* Whether the statement itself, regions left out, has to do with what is decided. `depth`: of loops
** inside of the one that is looked at. */
static bool decides(const SpinSlice *slice, const IrStmt *stmt, int depth)
{
    enum { DOES = EFFECT_WRITE | EFFECT_ATOMIC | EFFECT_IO | EFFECT_STOP };
    bool ends = stmt->kind == IR_RETURN || stmt->kind == IR_STOP || stmt->kind == IR_FAULT;

    if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE)
        return depth == 0;
    if (stmt->kind == IR_STORE && !slice->effects)
        return spin_meets(slice->points_to, ir_pointees(slice->points_to, stmt->store.array),
                          slice->memory);
    if (stmt->kind == IR_SET && slice->vars[stmt->set.var->id])
        return true;
    IrRegion *regions[2];
    return ends ||
           (slice->effects && !ir_regions((IrStmt *)stmt, regions) && ir_stmt_effects(stmt) & DOES);
}

static bool mark_region(SpinSlice *slice, const IrRegion *region, int depth)
{
    bool any = false;

    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool loop = ir_is_loop(stmt), here;
        here = decides(slice, stmt, depth);
        here |= stmt->kind == IR_FOR && slice->vars[stmt->for_.var->id];
        for_each_region (inner, stmt)
            here |= mark_region(slice, inner, depth + loop);
        if (here)
            ir_each_own_node(stmt, mark_node, slice);
        any |= here;
    }
    return any;
}

void spin_slice(SpinSlice *slice, const IrStmt *loop)
{
    const IrPointsTo *points_to = slice->points_to;

    slice->body = ir_loop_body(loop);
    slice->vars = arena_array(points_to->arena, bool, points_to->fn->var_count + 1);
    slice->memory = arena_array(points_to->arena, uint64_t, points_to->words);
    slice->atomics = false;
    ir_each_own_node(loop, mark_node, slice);
    do {
        slice->changed = false;
        mark_region(slice, slice->body, 0);
    } while (slice->changed);
}

/* ---- ways round a loop ----------------------------------------------------------------------- */

/* A variable that was set on the way: what it depends on of what variables held at the begin of the
** iteration, and whether it comes from memory. */
typedef struct VarOrigin {
    const struct VarOrigin *before;
    const IrVar *var; /* NULL: the operands of an atomic operation that may be waited at */
    const uint64_t *begun;
    bool memory;
} VarOrigin;

/* Where it goes on behind a region. */
typedef struct After {
    const IrStmt *next;
    const struct After *outer;
    bool loop; /* the region is a loop's */
} After;

typedef struct SpinWay {
    const VarOrigin *known;
    bool idle; /* it does nothing to any memory */
} SpinWay;

typedef struct SpinSearch {
    const IrPointsTo *points_to;
    SpinSlice slice;
    IrSets sets; /* of the loop */
    int words;
    int steps;
    bool barrier; /* the threads of a block repeat the loop together */
    bool counted; /* it ends by itself */
    bool found;
} SpinSearch;

typedef struct Depends {
    const SpinSearch *s;
    const VarOrigin *known;
    uint64_t *begun;
    bool memory;
} Depends;

static void depend_on(void *context, IrValue *value)
{
    Depends *d = context;
    const VarOrigin *known = d->known;

    d->memory |=
        value->op == OP_load || value->op == OP_call ||
        (value->op == OP_intrinsic && ir_intrinsics[value->intrinsic].effect & EFFECT_ORDERED);
    if (value->op != OP_var)
        return;
    while (known && known->var != value->var)
        known = known->before;
    if (!known && !sets_any(&d->s->sets, value->var))
        return;
    if (!known) {
        d->begun[value->var->id / 64] |= UINT64_C(1) << value->var->id % 64;
        return;
    }
    for (int i = 0; i < d->s->words; i++)
        d->begun[i] |= known->begun[i];
    d->memory |= known->memory;
}

static Depends depends(const SpinSearch *s, const VarOrigin *known)
{
    return (Depends){ s, known, arena_array(s->points_to->arena, uint64_t, s->words), false };
}

static const VarOrigin *learn(const SpinSearch *s, const VarOrigin *before, const IrVar *var,
                              Depends d)
{
    VarOrigin *known = arena_new(s->points_to->arena, VarOrigin);

    *known = (VarOrigin){ before, var, d.begun, d.memory };
    return known;
}

/* Which variables hold at the end of the way what they would hold after going it again. */
static void find_settled(const SpinSearch *s, const VarOrigin *last, bool *settled)
{
    int count = s->points_to->fn->var_count;
    const VarOrigin **final = arena_array(s->points_to->arena, const VarOrigin *, count + 1);
    bool changed = true;

    for (const VarOrigin *known = last; known; known = known->before)
        if (known->var && !final[known->var->id])
            final[known->var->id] = known;
    for (int i = 0; i < count; i++)
        settled[i] = !final[i];
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++) {
            bool now = !settled[i];
            for (int k = 0; now && k < count; k++)
                now = settled[k] || !(final[i]->begun[k / 64] >> k % 64 & 1);
            settled[i] |= now;
            changed |= now;
        }
    }
}

/* At the end of a way round: whether it can be gone for ever. */
static void come_round(SpinSearch *s, SpinWay way)
{
    int count = s->points_to->fn->var_count;
    bool *settled = arena_array(s->points_to->arena, bool, count + 1);
    bool same = !s->counted;

    find_settled(s, way.known, settled);
    for (int i = 0; i < count; i++)
        same &= settled[i] || !s->slice.vars[i];
    s->found |= same;
    for (const VarOrigin *known = way.known; known && way.idle && !s->found;
         known = known->before) {
        bool alike = !known->var;
        for (int i = 0; i < count && alike; i++)
            alike = settled[i] || !(known->begun[i / 64] >> i % 64 & 1);
        s->found |= alike;
    }
}

/* ---- steps of a way -------------------------------------------------------------------------- */

static bool is_zero(const IrValue *value)
{
    while (value->op == OP_cast)
        value = value->operands[0];
    if (value->op == OP_zero)
        return true;
    return value->op == OP_constant && (type_is_float(value->type) ? value->constant.number == 0
                                                                   : value->constant.integer == 0);
}

bool spin_only_reads(const IrValue *atomic)
{
    switch ((int)atomic->intrinsic) {
    case INTR_atomic_add:
    case INTR_atomic_sub:
    case INTR_atomic_or:
    case INTR_atomic_xor:
        return is_zero(atomic->operands[atomic->count - 1]);
    default:
        return false;
    }
}

/* Whether an atomic operation whose result is looked at leaves memory as it is when it is done once
** more, so that one may wait for what it finds. */
static bool is_waited_at(const SpinSearch *s, const IrValue *atomic, const VarOrigin *known)
{
    Depends expected = depends(s, known);

    switch ((int)atomic->intrinsic) {
    case INTR_atomic_cas:
    case INTR_atomic_compare_and_swap:
        ir_each_node(atomic->operands[atomic->count - 2], depend_on, &expected);
        return !expected.memory;
    case INTR_atomic_exch:
    case INTR_atomic_max:
    case INTR_atomic_min:
    case INTR_atomic_and:
    case INTR_atomic_or:
        return true;
    default:
        return spin_only_reads(atomic);
    }
}

static bool accesses_slice(const SpinSearch *s, const IrValue *array)
{
    return spin_meets(s->points_to, ir_pointees(s->points_to, array), s->slice.memory);
}

/* A store to what is looked at is progress, but that one thread tells the others of its block what
** it has seen. */
static bool stores_on(const SpinSearch *s, const IrStmt *stmt, SpinWay *way)
{
    Depends value = depends(s, way->known);
    bool none = true;

    way->idle = false;
    if (!accesses_slice(s, stmt->store.array))
        return true;
    ir_each_node(stmt->store.value, depend_on, &value);
    for (int i = 0; i < s->words; i++)
        none &= !value.begun[i];
    return s->barrier && value.memory && none &&
           !(ir_value_effects(stmt->store.value) & EFFECT_READ);
}

/* One statement without regions; false: the way is none that could be gone for ever. */
static bool step_on(const SpinSearch *s, const IrStmt *stmt, SpinWay *way)
{
    const IrValue *atomic = atomic_of(stmt);
    const IrVar *var = stmt->kind == IR_SET ? stmt->set.var : NULL;
    Depends d = depends(s, way->known);

    if (stmt->kind == IR_STORE)
        return stores_on(s, stmt, way);
    if (stmt->kind == IR_PRINT)
        way->idle = false;
    if (stmt->kind != IR_SET && stmt->kind != IR_EVAL)
        return true;
    const IrValue *value = var ? stmt->set.value : stmt->eval.value;
    if (value->op == OP_call && value->callee->effects & (EFFECT_WRITE | EFFECT_ATOMIC))
        return false;
    ir_each_node((IrValue *)value, depend_on, &d);
    if (atomic && !(var ? is_waited_at(s, atomic, way->known) : spin_only_reads(atomic))) {
        way->idle = false;
        if (accesses_slice(s, atomic->operands[0]))
            return false;
    } else if (atomic && var && s->slice.vars[var->id]) {
        Depends operands = d;
        way->known = learn(s, way->known, NULL, operands);
    }
    if (var && s->slice.vars[var->id])
        way->known = learn(s, way->known, var, d);
    return true;
}

static const After *new_after(const SpinSearch *s, const IrStmt *next, const After *outer,
                              bool loop)
{
    After *after = arena_new(s->points_to->arena, After);

    *after = (After){ next, outer, loop };
    return after;
}

static void follow(SpinSearch *s, const IrStmt *stmt, const After *after, SpinWay way);

/* Both sides of a branch; one after the other where some threads of the block take one and some the
** other. The side that is left to follow comes back. */
static const IrStmt *follow_branch(SpinSearch *s, const IrStmt *stmt, const After **after,
                                   SpinWay way)
{
    enum { JUMPS = 1 << IR_BREAK | 1 << IR_CONTINUE | 1 << IR_RETURN };
    const IrRegion *then = &stmt->if_.then, *otherwise = &stmt->if_.otherwise;

    *after = new_after(s, stmt->next, *after, false);
    if (s->barrier && !ir_uniform_value(stmt->if_.condition) && !ir_region_has(then, JUMPS) &&
        !ir_region_has(otherwise, JUMPS)) {
        *after = new_after(s, otherwise->first, *after, false);
        return then->first;
    }
    follow(s, then->first, *after, way);
    return otherwise->first;
}

/* A loop inside: gone through once, or passed by. */
static const IrStmt *follow_loop(SpinSearch *s, const IrStmt *stmt, const After **after,
                                 SpinWay *way)
{
    const IrRegion *body = ir_loop_body(stmt);
    const IrValue *condition = stmt->kind == IR_WHILE ? stmt->while_.condition : NULL;
    bool passed = !s->barrier && !(condition && condition->op == OP_constant);
    const VarOrigin *known = way->known;

    if (stmt->kind == IR_FOR && s->slice.vars[stmt->for_.var->id]) {
        Depends d = depends(s, known);
        ir_each_node(stmt->for_.start, depend_on, &d);
        ir_each_node(stmt->for_.stop, depend_on, &d);
        ir_each_node(stmt->for_.step, depend_on, &d);
        known = learn(s, known, stmt->for_.var, d);
    }
    if (passed)
        follow(s, stmt->next, *after, *way);
    way->known = known;
    *after = new_after(s, stmt->next, *after, true);
    return body->first;
}

/* Follows the ways from a statement on. */
static void follow(SpinSearch *s, const IrStmt *stmt, const After *after, SpinWay way)
{
    while (!s->found && s->steps++ < STEPS_MOST) {
        if (!stmt && !after) {
            come_round(s, way);
            return;
        }
        if (!stmt) {
            stmt = after->next;
            after = after->outer;
        } else if (stmt->kind == IR_IF) {
            stmt = follow_branch(s, stmt, &after, way);
        } else if (ir_is_loop(stmt)) {
            stmt = follow_loop(s, stmt, &after, &way);
        } else if (stmt->kind == IR_BREAK || stmt->kind == IR_CONTINUE) {
            while (after && !after->loop)
                after = after->outer;
            if (!after && stmt->kind == IR_BREAK)
                return;
            stmt = after ? after->next : NULL;
            after = after ? after->outer : NULL;
        } else if (stmt->kind == IR_RETURN || stmt->kind == IR_STOP || stmt->kind == IR_FAULT ||
                   !step_on(s, stmt, &way)) {
            return;
        } else {
            stmt = stmt->next;
        }
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Whether the loop says that what it waits for is done by blocks that run already. */
static bool is_begun(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next)
        if (stmt->kind == IR_EVAL && ir_is_intrinsic(stmt->eval.value, INTR_begun))
            return true;
    return false;
}

bool spin_waits(const IrPointsTo *points_to, const uint64_t *written, const IrStmt *loop)
{
    SpinSearch s = { .points_to = points_to,
                     .slice = { .points_to = points_to },
                     .words = points_to->fn->var_count / 64 + 1,
                     .barrier = ir_stmt_effects(loop) & EFFECT_BLOCK_SYNC,
                     .counted = loop->kind == IR_FOR };

    if (is_begun(ir_loop_body(loop)))
        return false;
    spin_slice(&s.slice, loop);
    s.sets = ir_sets(points_to->arena, points_to->fn, s.slice.body);
    if (s.slice.atomics || spin_meets(points_to, s.slice.memory, written) ||
        ir_region_effects(s.slice.body) & EFFECT_FENCE)
        follow(&s, s.slice.body->first, NULL, (SpinWay){ .idle = true });
    return s.found || s.steps > STEPS_MOST;
}

typedef struct Written {
    const IrPointsTo *points_to;
    uint64_t *set;
} Written;

static void write_array(const Written *w, const IrValue *array)
{
    const uint64_t *set = ir_pointees(w->points_to, array);

    for (int i = 0; i < w->points_to->words; i++)
        w->set[i] |= set[i];
}

static void write_stmt(void *context, IrStmt *stmt)
{
    const IrValue *atomic = atomic_of(stmt);
    const IrValue *value = ir_stmt_value(stmt);

    if (stmt->kind == IR_STORE)
        write_array(context, stmt->store.array);
    else if (atomic)
        write_array(context, atomic->operands[0]);
    else if (value && value->op == OP_call)
        for (int i = 0; i < value->count; i++)
            if (ir_writes(value->callee, i))
                write_array(context, value->operands[i]);
}

uint64_t *spin_written(const IrPointsTo *points_to)
{
    Written w = { points_to, arena_array(points_to->arena, uint64_t, points_to->words) };

    ir_each_stmt(&points_to->fn->body, write_stmt, &w);
    for (int i = 0; i < points_to->fn->var_count; i++) /* an array of the thread is its own */
        if (points_to->fn->vars[i]->kind == VAR_PRIVATE)
            w.set[i / POINTEES_BITS] &= ~(UINT64_C(1) << i % POINTEES_BITS);
    return w.set;
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool is_seen_through(const IrFunc *callee)
{
    for (int i = 0; i < callee->var_count; i++)
        if (ir_is_shared(callee->vars[i]))
            return true;
    return callee->effects & EFFECT_ORDERED;
}

IrUnit *spin_whole(Arena *arena, const IrUnit *unit)
{
    return ir_inline_excess(unit, is_seen_through, STATEMENTS_MOST)
               ? NULL
               : ir_inline(arena, unit, is_seen_through);
}

/* Whether there is a loop at all that a thread might wait in. */
static bool may_wait(const IrUnit *unit)
{
    bool loops = ir_has_loop(&unit->kernel->body);

    for (int i = 0; i < unit->count; i++)
        loops |= ir_has_loop(&unit->functions[i]->body);
    return loops && unit->kernel->effects & (EFFECT_READ | EFFECT_ATOMIC);
}

typedef struct WriteSearch {
    const IrPointsTo *points_to;
    const uint64_t *written;
    const IrStmt *found;
} WriteSearch;

static void find_stmt(void *context, IrStmt *stmt)
{
    WriteSearch *find = context;

    if (!find->found && ir_is_loop(stmt) && ir_stmt_effects(stmt) & (EFFECT_READ | EFFECT_ATOMIC) &&
        spin_waits(find->points_to, find->written, stmt))
        find->found = stmt;
}

const IrStmt *ir_spin(Arena *arena, const IrUnit *unit)
{
    const IrUnit *whole = may_wait(unit) ? spin_whole(arena, unit) : NULL;

    if (!whole)
        return NULL;
    const IrPointsTo points_to = ir_points_to(arena, whole->kernel);
    WriteSearch find = { &points_to, spin_written(&points_to), NULL };
    ir_each_stmt(&whole->kernel->body, find_stmt, &find);
    return find.found;
}

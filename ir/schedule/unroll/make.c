/* The unrolled loop: what is loaded first, the iterations, what is stored last. See unroll.c. */
#include "ir/schedule/unroll/unroll.h"

#include "ir/builder.h"

enum { FEW = 4 }; /* iterations at once, where there are not more */

/* ---- values ---------------------------------------------------------------------------------- */

IrValue *unroll_number(const UnrollBuild *m, int64_t value)
{
    return build_integer(m->b, m->type, value);
}

static IrVar *new_var(const UnrollBuild *m, const char *name)
{
    IrVar *var = build_temporary(m->b, name, m->type);
    var->nonnegative = ir_nonnegative(m->u->loop->for_.start);
    return var;
}

/* A variable that is set to a value that is counted on. */
IrVar *unroll_let(const UnrollBuild *m, IrRegion *out, const char *name, IrValue *value)
{
    IrVar *var = new_var(m, name);
    ir_take_range(var, value);
    var->uniform = ir_uniform_value(value);
    build_set(m->b, var, value, out);
    return var;
}

/* The step, which may be said again. */
static IrValue *let_step(const UnrollBuild *m, IrRegion *out)
{
    IrValue *step = m->u->loop->for_.step;
    return ir_is_constant(step) ? step : build_var(m->b, unroll_let(m, out, "_step", step));
}

IrValue *unroll_steps(const UnrollBuild *m, const IrValue *step, int count)
{
    return build_op(m->b, OP_mul, build_copy(m->b, step), unroll_number(m, count));
}

IrStmt *unroll_new_loop(const UnrollBuild *m, const char *name, IrValue *start, IrValue *stop,
                        IrValue *step, int unroll)
{
    IrStmt *loop = ir_for(m->b->arena, new_var(m, name), start, stop, step, m->b->span);
    loop->for_.var->nonnegative |= ir_nonnegative(start);
    loop->for_.unroll = unroll;
    return loop;
}

/* ---- what is held ---------------------------------------------------------------------------- */

IrVar *unroll_held(const UnrollBuild *m, const Access *access, int count)
{
    const IrVar *array = access->array->var;
    IrVar *var =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_held", array->name),
                     array->type->array.element, VAR_PRIVATE, (int64_t[]){ count }, 1, m->b->span);
    var->alignment = WIDE_BYTES;
    return var;
}

static void hold(const UnrollBuild *m, int count)
{
    for (int i = 0; i < m->u->count; i++)
        m->u->lifted[i].held = unroll_held(m, m->u->lifted[i].access, count);
}

/* The window that has what a load needs, or NULL. */
static Window *window_of(const UnrollBuild *m, const Lifted *lifted)
{
    return m->u->rows && lifted->window != NO_WINDOW ? &m->u->windows[lifted->window] : NULL;
}

/* What the iterations at hand need: each load by itself, or its window. */
static void hold_iterations(const UnrollBuild *m)
{
    Unroll *u = m->u;
    for (int i = 0; i < u->count; i++)
        if (!window_of(m, &u->lifted[i]))
            u->lifted[i].held = unroll_held(m, u->lifted[i].access, u->iterations);
    for (int i = 0; i < u->window_count && u->rows; i++)
        u->windows[i].held =
            unroll_held(m, u->windows[i].access, windows_pieces(u, &u->windows[i]) * u->width);
}

static void set_held_element(const UnrollBuild *m, const Lifted *lifted, IrValue *value,
                             IrRegion *out)
{
    build_store(m->b, lifted->held, m->held_at, NULL, value, out);
}

/* ---- copies of iterations -------------------------------------------------------------------- */

static const Lifted *lifted_load(const Unroll *u, const IrValue *value)
{
    for (int i = 0; i < u->count && value->op == OP_load; i++)
        if (u->lifted[i].access->load && ir_same_value(u->lifted[i].access->load, value))
            return &u->lifted[i];
    return NULL;
}

/* sqrt(x), or a name for it. */
static bool is_root(const UnrollBuild *m, const IrValue *value)
{
    value = sets_behind(&m->u->accesses.sets, value);
    return ir_is_intrinsic(value, INTR_sqrt);
}

/* What stands for square roots, and for 1 / x of these, of float32: the device's own have a branch
** each, so that no iteration begins one before the last has come to its end. */
static IrValue *without_branch(const IrClone *clone, const IrValue *value)
{
    const UnrollBuild *m = clone->context;
    if (value->type != type_float32 || m->b->fn->options.fastmath)
        return NULL;
    bool root = ir_is_intrinsic(value, INTR_sqrt);
    bool one_by = value->op == OP_div && ir_is_constant(value->operands[0]) &&
                  value->operands[0]->constant.number == 1 && is_root(m, value->operands[1]);
    if (!root && !one_by)
        return NULL;
    IrValue *of = ir_clone_value(clone, value->operands[one_by]);
    return ir_intrinsic(m->b->arena, root ? INTR_straight_sqrt : INTR_straight_one_by, type_float32,
                        value->span, of, NULL, NULL);
}

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const UnrollBuild *m = clone->context;
    const Lifted *lifted = lifted_load(m->u, value);
    const Window *window = lifted ? window_of(m, lifted) : NULL;
    IrVar *held = window ? window->held : lifted ? lifted->held : NULL;
    if (lifted && lifted->near)
        return ring_load(m, lifted);
    if (!held)
        return without_branch(clone, value);
    IrValue *at = build_var(m->b, m->held_at);
    return build_load(m->b, held, window ? build_plus(m->b, at, lifted->ahead) : at, NULL);
}

static void store_claimed(const UnrollBuild *m, const Claim *claim, IrValue *value, IrRegion *out)
{
    build_store(m->b, claim->held, m->held_at, NULL, value, out);
}

/* An iteration comes to an atomic that comes before all of them. */
static void append_claiming(const IrClone *clone, const Claim *claim, IrRegion *out)
{
    const UnrollBuild *m = clone->context;
    const IrStmt *stmt = claim->stmt;
    if (claim->one) {
        store_claimed(m, claim, build_integer(m->b, stmt->set.value->type, 1), out);
        return;
    }
    IrVar *found = ir_clone_var(clone, stmt->set.var);
    build_set(m->b, found, ir_clone_value(clone, stmt->set.value), out);
    store_claimed(m, claim, build_var(m->b, found), out);
}

/* It has come before. */
static void append_claimed(const IrClone *clone, const Claim *claim, IrRegion *out)
{
    const UnrollBuild *m = clone->context;
    build_set(m->b, ir_clone_var(clone, claim->stmt->set.var),
              build_load(m->b, claim->held, m->held_at, NULL), out);
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const UnrollBuild *m = clone->context;
    for (int i = 0; i < m->u->count; i++)
        if (m->u->lifted[i].access->kind == ACCESS_STORE && m->u->lifted[i].access->stmt == stmt) {
            IrValue *value = ir_clone_value(clone, stmt->store.value);
            set_held_element(m, &m->u->lifted[i], value, out);
            return true;
        }
    for (int i = 0; i < m->u->claim_count; i++)
        if (m->u->claims[i].stmt == stmt && m->u->claims[i].held) {
            (m->claimed == &m->u->claims[i] ? append_claiming
                                            : append_claimed)(clone, &m->u->claims[i], out);
            return true;
        }
    return false;
}

/* Variables of its own for what only concerns the iteration. */
static IrVar **new_vars(const UnrollBuild *m)
{
    const Unroll *u = m->u;
    IrVar **vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1);
    for (int i = 0, count = u->accesses.sets.var_count; i < count; i++) {
        const IrVar *var = m->b->fn->vars[i];
        if (!u->own[i] || var->kind != VAR_LOCAL || var == u->loop->for_.var)
            continue;
        vars[i] = ir_var_like(m->b->arena, m->b->fn, var, var->name);
        vars[i]->uniform = var->uniform;
    }
    return vars;
}

/* For copies of an iteration, at which the counter is `at`. */
static IrClone clone_at(UnrollBuild *m, IrValue *at, IrRegion *out)
{
    IrClone clone = { .arena = m->b->arena, .vars = new_vars(m), .context = m };
    IrVar *counter = m->u->loop->for_.var;
    IrVar *own = build_own(m->b, counter);
    clone.vars[counter->id] = own;
    clone.value = value_of_iteration;
    clone.stmt = stmt_of_iteration;
    build_set(m->b, own, at, out);
    return clone;
}

/* Appends an iteration at which the counter is `at`. */
static void append_iteration(UnrollBuild *m, IrValue *at, IrRegion *out)
{
    const IrClone clone = clone_at(m, at, out);
    ir_clone_region(&clone, &m->u->loop->for_.body, out);
}

/* A copy of a value in which the counter is `at`. */
IrValue *unroll_at(const UnrollBuild *m, const IrValue *value, IrVar *at)
{
    IrVar **vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1);
    const IrClone clone = { .arena = m->b->arena, .vars = vars };
    vars[m->u->loop->for_.var->id] = at;
    return ir_clone_value(&clone, value);
}

IrValue *unroll_wide(const UnrollBuild *m, const Access *access, IrVar *here, IrVar *at)
{
    bool load = access->kind == ACCESS_LOAD;
    IrValue *value = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, access->count + 2);
    value->intrinsic = load ? INTR_wide_load : INTR_wide_store;
    value->operands[load] = build_copy(m->b, access->array);
    value->operands[load ? 0 : access->count + 1] = build_var(m->b, here);
    for (int i = 0; i < access->count; i++)
        value->operands[i + 1 + load] = unroll_at(m, access->indices[i], at);
    return value;
}

/* A wide access where the counter is `at`. */
static void append_wide(const UnrollBuild *m, const Lifted *lifted, IrVar *at, IrRegion *out)
{
    IrValue *value = unroll_wide(m, lifted->access, lifted->held, at);
    ir_append(out, ir_eval(m->b->arena, value, m->b->span));
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static IrValue *times_width(const UnrollBuild *m, IrValue *value)
{
    return build_op(m->b, OP_mul, value, unroll_number(m, m->u->width));
}

/* The chunks c, c + step, ..., `iterations` of them: all loads, then iteration by iteration. */
static void append_chunks(UnrollBuild *m, IrVar *chunk, IrValue *step, int iterations,
                          IrRegion *out)
{
    Unroll *u = m->u;
    IrVar *first[CHUNKS_MOST], *held[CHUNKS_MOST][LIFTED_MOST];
    for (int t = 0; t < iterations; t++) {
        IrValue *number_of =
            t ? build_op(m->b, OP_add, chunk, unroll_steps(m, step, t)) : build_var(m->b, chunk);
        first[t] = unroll_let(m, out, "_first", times_width(m, number_of));
        hold(m, u->width);
        for (int i = 0; i < u->count; i++) {
            held[t][i] = u->lifted[i].held;
            if (u->lifted[i].access->kind == ACCESS_LOAD)
                append_wide(m, &u->lifted[i], first[t], out);
        }
    }
    for (int t = 0; t < iterations; t++) {
        IrStmt *loop = unroll_new_loop(m, "_k", unroll_number(m, 0), unroll_number(m, u->width),
                                       unroll_number(m, 1), UNROLL_ALL);
        m->held_at = loop->for_.var;
        for (int i = 0; i < u->count; i++)
            u->lifted[i].held = held[t][i];
        append_iteration(m, build_op(m->b, OP_add, first[t], m->held_at), &loop->for_.body);
        ir_append(out, loop);
        for (int i = 0; i < u->count; i++)
            if (u->lifted[i].access->kind == ACCESS_STORE)
                append_wide(m, &u->lifted[i], first[t], out);
    }
}

/* The loop over `iterations` chunks at once from `next` on, which then says where it ended. */
static IrStmt *loop_of_chunks(UnrollBuild *m, IrVar *next, IrVar *chunks, IrValue *step,
                              int iterations)
{
    IrValue *stop = iterations > 1
                        ? build_op(m->b, OP_sub, chunks, unroll_steps(m, step, iterations - 1))
                        : build_var(m->b, chunks);
    IrValue *by = unroll_steps(m, step, iterations);
    IrStmt *loop = unroll_new_loop(m, "_c", build_var(m->b, next), stop, by, 1);
    loop->for_.var->nonnegative = true;
    append_chunks(m, loop->for_.var, step, iterations, &loop->for_.body);
    if (iterations > 1)
        build_set(m->b, next,
                  build_op(m->b, OP_add, loop->for_.var, unroll_steps(m, step, iterations)),
                  &loop->for_.body);
    return loop;
}

static void make_chunks(UnrollBuild *m, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = u->loop;
    int shift = 0;
    u->unit->exchanged = true;
    while (1 << shift < u->width)
        shift++;
    IrVar *stop = unroll_let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *start = unroll_let(m, out, "_start", loop->for_.start);
    IrVar *chunks =
        unroll_let(m, out, "_chunks", build_op(m->b, OP_shr, stop, unroll_number(m, shift)));
    IrVar *next = unroll_let(m, out, "_next", build_var(m->b, start));
    if (u->iterations > 1)
        ir_append(out, loop_of_chunks(m, next, chunks, step, u->iterations));
    ir_append(out, loop_of_chunks(m, next, chunks, step, 1));
    loop->for_.start = build_op(m->b, OP_add, times_width(m, build_var(m->b, chunks)), start);
    loop->for_.stop = build_var(m->b, stop);
    loop->for_.step = unroll_steps(m, step, 1);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* The region for what is done only if the iteration at `at` exists: if `at` is below `stop`, which
** is NULL where all exist. */
static IrRegion *if_there(const UnrollBuild *m, const IrVar *stop, IrValue *at, IrRegion *out)
{
    return stop ? build_if(m->b, build_op(m->b, OP_lt, at, stop), out) : out;
}

/* The region for a load that is done only if the conditions around it hold when the counter is
** `at`. */
static IrRegion *if_guarded(const UnrollBuild *m, const Lifted *lifted, IrVar *at, IrRegion *out)
{
    for (int i = 0; i < lifted->guards.count; i++) {
        IrValue *holds = unroll_at(m, lifted->guards.branches[i]->if_.condition, at);
        if (!lifted->guards.wanted[i])
            holds = ir_unary(m->b->arena, OP_not, holds, holds->span);
        out = build_if(m->b, holds, out);
    }
    return out;
}

/* Where the counter is in the iteration at hand of those from `first` on. */
static IrValue *counter_of(const UnrollBuild *m, IrVar *first, const IrValue *step)
{
    IrValue *steps = build_op(m->b, OP_mul, m->held_at, unroll_steps(m, step, m->u->down ? -1 : 1));
    return build_op(m->b, m->u->down ? OP_sub : OP_add, build_var(m->b, first), steps);
}

/* Loads what the iterations i, i + step, ... need. */
static void append_loads(UnrollBuild *m, IrVar *counter, IrValue *step, const IrVar *stop,
                         IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = unroll_new_loop(m, "_k", unroll_number(m, 0), unroll_number(m, u->iterations),
                                   unroll_number(m, 1), UNROLL_ALL);
    m->held_at = loop->for_.var;
    IrVar *own =
        unroll_let(m, &loop->for_.body, u->loop->for_.var->name, counter_of(m, counter, step));
    own->nonnegative = u->loop->for_.var->nonnegative;
    bool any = false;
    for (int i = 0; i < u->window_count && u->rows; i++)
        windows_load(m, &u->windows[i], counter, out);
    for (int i = 0; i < u->count; i++) {
        const Lifted *lifted = &u->lifted[i];
        if (window_of(m, lifted))
            continue;
        if (u->rows && lifted->wide) {
            append_wide(m, lifted, counter, out);
            continue;
        }
        any = true;
        set_held_element(
            m, lifted, unroll_at(m, lifted->access->load, own),
            if_guarded(m, lifted, own, if_there(m, stop, build_var(m->b, own), &loop->for_.body)));
    }
    if (any)
        ir_append(out, loop);
}

/* A loop over the iterations at hand. */
static IrStmt *loop_of_iterations(UnrollBuild *m, IrRegion *out)
{
    IrStmt *loop = unroll_new_loop(m, "_k", unroll_number(m, 0), unroll_number(m, m->u->iterations),
                                   unroll_number(m, 1), UNROLL_ALL);
    m->held_at = loop->for_.var;
    ir_append(out, loop);
    return loop;
}

/* The one atomic for all that a private array says come to it. */
static void append_each(const UnrollBuild *m, const Claim *claim, IrRegion *out)
{
    const IrValue *atomic = claim->stmt->set.value;
    int64_t added = atomic->operands[atomic->count - 1]->constant.integer;
    IrValue *each = ir_value(m->b->arena, OP_intrinsic, type_none, atomic->span, atomic->count + 1);
    each->intrinsic = INTR_atomic_add_each;
    for (int i = 0; i < atomic->count - 1; i++)
        each->operands[i] = build_copy(m->b, atomic->operands[i]);
    if (atomic->intrinsic == INTR_atomic_sub)
        added = (int64_t)(0 - (uint64_t)added);
    each->operands[atomic->count - 1] = build_var(m->b, claim->held);
    each->operands[atomic->count] = build_integer(m->b, atomic->type, added);
    ir_append(out, ir_eval(m->b->arena, each, atomic->span));
}

/* The atomics of all iterations from `first` on. */
static void append_claim(UnrollBuild *m, Claim *claim, IrVar *first, const IrValue *step,
                         const IrVar *stop, IrRegion *out)
{
    const Type *type = claim->stmt->set.value->type;
    claim->held = ir_array_var(m->b->arena, m->b->fn, "_claimed", type, VAR_PRIVATE,
                               (int64_t[]){ m->u->iterations }, 1, m->b->span);
    IrStmt *loop = loop_of_iterations(m, out);
    IrRegion *body = &loop->for_.body;
    if (claim->one)
        store_claimed(m, claim, build_integer(m->b, type, 0), body);
    body = if_there(m, stop, counter_of(m, first, step), body);
    m->claimed = claim;
    const IrClone clone = clone_at(m, counter_of(m, first, step), body);
    unroll_clone_way(&clone, m->u, claim, body);
    m->claimed = NULL;
    if (claim->one)
        append_each(m, claim, out);
}

/* The loop over `iterations` of them at once. Up to an `end` those beyond the last are left out one
** by one; `*whole` says that nothing is left over. */
static IrStmt *loop_of_many(UnrollBuild *m, IrVar *next, IrVar *stop, IrVar *end, IrValue *step,
                            bool *whole)
{
    Unroll *u = m->u;
    IrValue *last = build_var(m->b, stop), *by = unroll_steps(m, step, u->iterations);
    if (!end)
        last = build_op(m->b, OP_sub, last,
                        unroll_steps(m, step, u->iterations - 1 + windows_beyond(u)));
    IrStmt *outer = unroll_new_loop(m, "_i", build_var(m->b, next), last, by, 1);
    IrRegion *body = &outer->for_.body;
    hold_iterations(m);
    append_loads(m, outer->for_.var, step, end, body);
    for (int i = 0; i < u->claim_count; i++)
        append_claim(m, &u->claims[i], outer->for_.var, step, end, body);
    IrStmt *inner = loop_of_iterations(m, body);
    append_iteration(m, counter_of(m, outer->for_.var, step),
                     if_there(m, end, counter_of(m, outer->for_.var, step), &inner->for_.body));
    IrValue *condition = unroll_may_look_ahead(m, next, stop, step);
    *whole = end && !condition;
    if (!*whole)
        build_set(m->b, next,
                  build_op(m->b, OP_add, outer->for_.var, unroll_steps(m, step, u->iterations)),
                  body);
    if (!condition)
        return outer;
    IrStmt *branch = ir_if(m->b->arena, condition, m->b->span);
    ir_append(&branch->if_.then, outer);
    return branch;
}

void unroll_group(UnrollBuild *m, IrVar *first, const IrValue *step, IrRegion *out)
{
    IrStmt *loop = loop_of_iterations(m, out);
    append_iteration(m, counter_of(m, first, step), &loop->for_.body);
}

typedef struct First {
    const IrVar *var;
    int64_t number;
} First;

static IrValue *first_number(const IrClone *clone, const IrValue *value)
{
    const First *first = clone->context;
    bool is = ir_is_var(value, first->var);
    return is ? ir_integer(clone->arena, value->type, first->number, value->span) : NULL;
}

/* All iterations that there are, so many at once: indices of the thread's own arrays stay numbers
** and counters of loops that are laid out. */
static void append_all(UnrollBuild *m, IrRegion *out)
{
    const IrStmt *loop = m->u->loop;
    int64_t start = loop->for_.start->constant.integer, trips = ir_trip_count(loop);
    IrValue *one = unroll_number(m, 1);
    for (int64_t i = 0; i < trips; i += m->u->iterations) {
        First first = { build_temporary(m->b, "_first", m->type), start + i };
        IrClone clone = { .arena = m->b->arena, .value = first_number, .context = &first };
        IrRegion group = { NULL, NULL };
        hold_iterations(m);
        append_loads(m, (IrVar *)first.var, one, NULL, &group);
        unroll_group(m, (IrVar *)first.var, one, &group);
        ir_clone_region(&clone, &group, out);
    }
    m->whole = true;
}

/* Through a ring, if there is one; else several at once. */
static void append_many(UnrollBuild *m, IrVar *next, IrVar *stop, IrValue *step, IrRegion *out)
{
    if (!m->u->groups) {
        IrVar *end = m->u->claim_count ? stop : NULL; /* no atomic has to queue alone */
        ir_append(out, loop_of_many(m, next, stop, end, step, &m->whole));
        return;
    }
    IrValue *condition = unroll_may_look_ahead(m, next, stop, step);
    ring_make(m, next, stop, step, condition ? build_if(m->b, condition, out) : out);
}

typedef struct Around {
    const IrStmt *loop;
    bool found;
} Around;

static void note_around(void *context, IrStmt *stmt)
{
    Around *around = context;
    for_each_region (inner, stmt)
        around->found |= (stmt->kind == IR_FOR || stmt->kind == IR_WHILE) &&
                         ir_region_holds(inner, around->loop);
}

/* Whether what is left over is waited for as all other iterations together are: in loops that are
** come to again and again, by warps that nothing else hides. */
static bool is_waited_for(const UnrollBuild *m)
{
    const Unroll *u = m->u;
    Around around = { u->loop, false };
    if (m->b->fn->options.launch_threads == WARP_LANES && !u->rows && !u->down)
        ir_each_stmt(&m->b->fn->body, note_around, &around);
    return around.found;
}

/* What is left over, which may be all there is: a few iterations at once, or all of it. */
static void append_rest(UnrollBuild *m, IrVar *next, IrVar *stop, IrValue *step, IrRegion *out)
{
    int few = m->u->rows ? m->u->width : FEW;
    if (m->u->groups || m->u->claim_count || m->u->iterations < 2 * few)
        return;
    IrVar *end = is_waited_for(m) ? stop : NULL;
    if (!end)
        m->u->iterations = few;
    ir_append(out, loop_of_many(m, next, stop, end, step, &m->whole));
}

static void make_iterations(UnrollBuild *m, IrRegion *out)
{
    IrStmt *loop = m->u->loop;
    IrVar *stop = unroll_let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *next = unroll_let(m, out, "_next", loop->for_.start);
    if (m->u->down)
        next->nonnegative = next->positive = false; /* it ends at `stop` */
    append_many(m, next, stop, step, out);
    append_rest(m, next, stop, step, out);
    loop->for_.start = build_var(m->b, next);
    loop->for_.stop = build_var(m->b, stop);
    loop->for_.step = unroll_steps(m, step, 1);
}

void unroll_make(Unroll *u)
{
    UnrollBuild m = { .b = { { u->unit->arena, u->unit->kernel, u->loop->span } },
                      .u = u,
                      .type = u->loop->for_.var->type };
    IrRegion out = { NULL, NULL };
    if (u->chunks)
        make_chunks(&m, &out);
    else if (u->all)
        append_all(&m, &out);
    else
        make_iterations(&m, &out);
    u->loop->for_.unroll = 1;
    ir_insert_region(u->region, u->loop, out);
    if (m.whole)
        ir_remove(u->region, u->loop);
}

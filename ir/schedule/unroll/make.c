/* The unrolled loop: what is loaded first, the iterations, what is stored last. See unroll.c. */
#include "ir/schedule/unroll/unroll.h"

#include "ir/analysis/affine.h"
#include "ir/builder.h"
#include "ir/clone.h"

/* Some iterations on their way. */
typedef struct UnrollBuild {
    IrBuilder b[1];
    Unroll *u;
    const Type *type; /* the counter's */
    IrVar *counter;   /* in its place in the iteration that is copied */
    IrVar *held_at;   /* counts the elements of Lifted.held */
} UnrollBuild;

/* ---- values ---------------------------------------------------------------------------------- */

static IrValue *number(const UnrollBuild *m, int64_t value)
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
static IrVar *let(const UnrollBuild *m, IrRegion *out, const char *name, IrValue *value)
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
    return ir_is_constant(step) ? step : build_var(m->b, let(m, out, "_step", step));
}

static IrValue *steps(const UnrollBuild *m, const IrValue *step, int count)
{
    return build_op(m->b, OP_mul, build_copy(m->b, step), number(m, count));
}

static IrStmt *new_loop(const UnrollBuild *m, const char *name, IrValue *start, IrValue *stop,
                        IrValue *step, int unroll)
{
    IrStmt *loop = ir_for(m->b->arena, new_var(m, name), start, stop, step, m->b->span);
    loop->for_.unroll = unroll;
    return loop;
}

/* ---- what is held ---------------------------------------------------------------------------- */

static IrVar *new_held(const UnrollBuild *m, const Lifted *lifted, int count)
{
    const IrVar *array = lifted->access->array->var;
    IrVar *var =
        ir_array_var(m->b->arena, m->b->fn, arena_printf(m->b->arena, "%s_held", array->name),
                     array->type->array.element, VAR_PRIVATE, (int64_t[]){ count }, 1, m->b->span);
    var->alignment = WIDE_BYTES;
    return var;
}

static void hold(const UnrollBuild *m, int count)
{
    for (int i = 0; i < m->u->count; i++)
        m->u->lifted[i].held = new_held(m, &m->u->lifted[i], count);
}

static void set_held_element(const UnrollBuild *m, const Lifted *lifted, IrValue *value,
                             IrRegion *out)
{
    build_store(m->b, lifted->held, build_var(m->b, m->held_at), NULL, value, out);
}

/* ---- copies of iterations -------------------------------------------------------------------- */

static const Lifted *lifted_load(const Unroll *u, const IrValue *value)
{
    for (int i = 0; i < u->count && value->op == OP_load; i++)
        if (u->lifted[i].access->load && ir_same_value(u->lifted[i].access->load, value))
            return &u->lifted[i];
    return NULL;
}

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const UnrollBuild *m = clone->context;
    const Lifted *lifted = lifted_load(m->u, value);
    if (!lifted || !lifted->held)
        return NULL;
    return build_load(m->b, lifted->held, build_var(m->b, m->held_at), NULL);
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
        vars[i] = ir_var_new(m->b->arena, m->b->fn, var->name, var->type, VAR_LOCAL, var->span);
        vars[i]->temporary = var->temporary;
        vars[i]->nonnegative = var->nonnegative;
        vars[i]->uniform = var->uniform;
    }
    return vars;
}

/* Appends an iteration at which the counter is `at`. */
static void append_iteration(UnrollBuild *m, IrValue *at, IrRegion *out)
{
    IrClone clone = { .arena = m->b->arena, .vars = new_vars(m), .context = m };
    IrVar *counter = m->u->loop->for_.var;
    IrVar *own = new_var(m, counter->name);
    own->nonnegative = counter->nonnegative;
    clone.vars[counter->id] = own;
    clone.value = value_of_iteration;
    clone.stmt = stmt_of_iteration;
    build_set(m->b, own, at, out);
    ir_clone_region(&clone, &m->u->loop->for_.body, out);
}

/* A copy of a value in which the counter is `at`. */
static IrValue *at_counter(const UnrollBuild *m, const IrValue *value, IrVar *at)
{
    IrVar **vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1);
    const IrClone clone = { .arena = m->b->arena, .vars = vars };
    vars[m->u->loop->for_.var->id] = at;
    return ir_clone_value(&clone, value);
}

/* A wide access where the counter is `at`. */
static void append_wide(const UnrollBuild *m, const Lifted *lifted, IrVar *at, IrRegion *out)
{
    const Access *access = lifted->access;
    bool load = access->kind == ACCESS_LOAD;
    IrValue *value = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, access->count + 2);
    value->intrinsic = load ? INTR_wide_load : INTR_wide_store;
    value->operands[load] = build_copy(m->b, access->array);
    value->operands[load ? 0 : access->count + 1] = build_var(m->b, lifted->held);
    for (int i = 0; i < access->count; i++)
        value->operands[i + 1 + load] = at_counter(m, access->indices[i], at);
    ir_append(out, ir_eval(m->b->arena, value, m->b->span));
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static IrValue *times_width(const UnrollBuild *m, IrValue *value)
{
    return build_op(m->b, OP_mul, value, number(m, m->u->width));
}

/* The chunks c, c + step, ..., `iterations` of them: all loads, then iteration by iteration. */
static void append_chunks(UnrollBuild *m, IrVar *chunk, IrValue *step, int iterations,
                          IrRegion *out)
{
    Unroll *u = m->u;
    IrVar *first[CHUNKS_MOST], *held[CHUNKS_MOST][LIFTED_MOST];
    for (int t = 0; t < iterations; t++) {
        IrValue *number_of = t ? build_op(m->b, OP_add, build_var(m->b, chunk), steps(m, step, t))
                               : build_var(m->b, chunk);
        first[t] = let(m, out, "_first", times_width(m, number_of));
        hold(m, u->width);
        for (int i = 0; i < u->count; i++) {
            held[t][i] = u->lifted[i].held;
            if (u->lifted[i].access->kind == ACCESS_LOAD)
                append_wide(m, &u->lifted[i], first[t], out);
        }
    }
    for (int t = 0; t < iterations; t++) {
        IrStmt *loop =
            new_loop(m, "_k", number(m, 0), number(m, u->width), number(m, 1), UNROLL_ALL);
        loop->for_.var->nonnegative = true;
        m->held_at = loop->for_.var;
        for (int i = 0; i < u->count; i++)
            u->lifted[i].held = held[t][i];
        append_iteration(
            m, build_op(m->b, OP_add, build_var(m->b, first[t]), build_var(m->b, m->held_at)),
            &loop->for_.body);
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
    IrValue *stop = iterations > 1 ? build_op(m->b, OP_sub, build_var(m->b, chunks),
                                              steps(m, step, iterations - 1))
                                   : build_var(m->b, chunks);
    IrValue *by = steps(m, step, iterations);
    IrStmt *loop = new_loop(m, "_c", build_var(m->b, next), stop, by, 1);
    loop->for_.var->nonnegative = true;
    append_chunks(m, loop->for_.var, step, iterations, &loop->for_.body);
    if (iterations > 1)
        build_set(
            m->b, next,
            build_op(m->b, OP_add, build_var(m->b, loop->for_.var), steps(m, step, iterations)),
            &loop->for_.body);
    return loop;
}

static void make_chunks(UnrollBuild *m, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = u->loop;
    int shift = 0;
    while (1 << shift < u->width)
        shift++;
    IrVar *stop = let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *start = let(m, out, "_start", loop->for_.start);
    IrVar *chunks =
        let(m, out, "_chunks", build_op(m->b, OP_shr, build_var(m->b, stop), number(m, shift)));
    IrVar *next = let(m, out, "_next", build_var(m->b, start));
    if (u->iterations > 1)
        ir_append(out, loop_of_chunks(m, next, chunks, step, u->iterations));
    ir_append(out, loop_of_chunks(m, next, chunks, step, 1));
    loop->for_.start =
        build_op(m->b, OP_add, times_width(m, build_var(m->b, chunks)), build_var(m->b, start));
    loop->for_.stop = build_var(m->b, stop);
    loop->for_.step = steps(m, step, 1);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Loads what the iterations i, i + step, ... need. */
static void append_loads(UnrollBuild *m, IrVar *counter, IrValue *step, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop =
        new_loop(m, "_k", number(m, 0), number(m, u->iterations), number(m, 1), UNROLL_ALL);
    loop->for_.var->nonnegative = true;
    m->held_at = loop->for_.var;
    IrVar *own =
        let(m, &loop->for_.body, u->loop->for_.var->name,
            build_op(m->b, OP_add, build_var(m->b, counter),
                     build_op(m->b, OP_mul, build_var(m->b, m->held_at), steps(m, step, 1))));
    own->nonnegative = u->loop->for_.var->nonnegative;
    bool any = false;
    for (int i = 0; i < u->count; i++) {
        const Lifted *lifted = &u->lifted[i];
        if (u->rows && lifted->wide) {
            append_wide(m, lifted, counter, out);
            continue;
        }
        any = true;
        set_held_element(m, lifted, at_counter(m, lifted->access->load, own), &loop->for_.body);
    }
    if (any)
        ir_append(out, loop);
}

/* That `stop` is not so near where numbers end that a few steps beyond it wrap; NULL: it is
** sure. */
static IrValue *far_from_end(const UnrollBuild *m, IrVar *stop)
{
    const int64_t near = INT64_C(1) << FAR_BITS;
    const IrStmt *loop = m->u->loop;
    if (ir_is_constant(loop->for_.step) && loop->for_.step->constant.integer == 1)
        return NULL;
    const IrUnit *unit = m->u->unit;
    if (magnitude_bits(ir_magnitude(unit->arena, unit->kernel, unit->launch), loop->for_.stop) <=
        FAR_BITS)
        return NULL;
    return build_op(m->b, OP_le, build_var(m->b, stop), number(m, near));
}

/* Whether `stop` less some steps cannot wrap, being as small as it gets or they as large, nor
** the counter behind it: else there are not several iterations. NULL: that is sure. */
static IrValue *may_look_ahead(const UnrollBuild *m, IrVar *next, IrVar *stop, const IrValue *step)
{
    IrValue *few =
        m->u->small_step ? NULL : build_op(m->b, OP_le, steps(m, step, 1), number(m, STEP_MOST));
    few = ir_both(m->b->arena, few, far_from_end(m, stop));
    if (stop->nonnegative)
        return few;
    return ir_both(m->b->arena, build_op(m->b, OP_lt, build_var(m->b, next), build_var(m->b, stop)),
                   few);
}

static void make_iterations(UnrollBuild *m, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = u->loop;
    IrVar *stop = let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *next = let(m, out, "_next", loop->for_.start);
    IrValue *ahead = steps(m, step, u->iterations - 1), *by = steps(m, step, u->iterations);
    IrStmt *outer = new_loop(m, "_i", build_var(m->b, next),
                             build_op(m->b, OP_sub, build_var(m->b, stop), ahead), by, 1);
    IrRegion *body = &outer->for_.body;
    hold(m, u->iterations);
    append_loads(m, outer->for_.var, step, body);

    IrStmt *inner =
        new_loop(m, "_k", number(m, 0), number(m, u->iterations), number(m, 1), UNROLL_ALL);
    inner->for_.var->nonnegative = true;
    m->held_at = inner->for_.var;
    IrValue *at = build_op(m->b, OP_add, build_var(m->b, outer->for_.var),
                           build_op(m->b, OP_mul, build_var(m->b, m->held_at), steps(m, step, 1)));
    append_iteration(m, at, &inner->for_.body);
    ir_append(body, inner);
    build_set(
        m->b, next,
        build_op(m->b, OP_add, build_var(m->b, outer->for_.var), steps(m, step, u->iterations)),
        body);
    IrValue *condition = may_look_ahead(m, next, stop, step);
    if (condition) {
        IrStmt *branch = ir_if(m->b->arena, condition, m->b->span);
        ir_append(&branch->if_.then, outer);
        outer = branch;
    }
    ir_append(out, outer);
    loop->for_.start = build_var(m->b, next);
    loop->for_.stop = build_var(m->b, stop);
    loop->for_.step = steps(m, step, 1);
}

void unroll_make(Unroll *u)
{
    UnrollBuild m = { .b = { { u->unit->arena, u->unit->kernel, u->loop->span } },
                      .u = u,
                      .type = u->loop->for_.var->type };
    IrRegion out = { NULL, NULL };
    if (u->chunks)
        make_chunks(&m, &out);
    else
        make_iterations(&m, &out);
    u->loop->for_.unroll = 1;
    for (IrStmt *stmt = out.first, *next; stmt; stmt = next) {
        next = stmt->next;
        ir_insert_before(u->region, u->loop, stmt);
    }
}

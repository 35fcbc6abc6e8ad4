/* The unrolled loop: what is loaded first, the iterations, what is stored last. See unroll.c. */
#include "ir/schedule/unroll/unroll.h"

#include "ir/analysis/affine.h"
#include "ir/clone.h"

/* Some iterations on their way. */
typedef struct Make {
    Unroll *u;
    Arena *arena;
    IrFunc *fn;
    Span span;
    const Type *type; /* the counter's */
    IrVar *counter;   /* in its place in the iteration that is copied */
    IrVar *held_at;   /* counts the elements of Lifted.held */
} Make;

/* ---- values ---------------------------------------------------------------------------------- */

static IrValue *get(const Make *m, IrVar *var)
{
    return ir_var(m->arena, var, m->span);
}

static IrValue *number(const Make *m, int64_t value)
{
    return ir_integer(m->arena, m->type, value, m->span);
}

static IrValue *binary(const Make *m, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(m->arena, op, a, b, m->span);
}

static IrVar *new_var(const Make *m, const char *name)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, m->type, m->span);
    var->nonnegative = ir_nonnegative(m->u->loop->for_.start);
    return var;
}

/* A variable that is set to a value that is counted on. */
static IrVar *let(const Make *m, IrRegion *out, const char *name, IrValue *value)
{
    IrVar *var = new_var(m, name);
    var->nonnegative = ir_nonnegative(value);
    var->uniform = ir_uniform_value(value);
    ir_append(out, ir_set(m->arena, var, value, m->span));
    return var;
}

/* The step, which may be said again. */
static IrValue *let_step(const Make *m, IrRegion *out)
{
    IrValue *step = m->u->loop->for_.step;
    return ir_is_constant(step) ? step : get(m, let(m, out, "_step", step));
}

static IrValue *steps(const Make *m, const IrValue *step, int count)
{
    IrValue *again = ir_clone_value(&(IrClone){ .arena = m->arena }, step);
    return binary(m, OP_mul, again, number(m, count));
}

static IrStmt *new_loop(const Make *m, const char *name, IrValue *start, IrValue *stop,
                        IrValue *step, int unroll)
{
    IrStmt *loop = ir_stmt(m->arena, IR_FOR, m->span);
    loop->for_.var = new_var(m, name);
    loop->for_.start = start;
    loop->for_.stop = stop;
    loop->for_.step = step;
    loop->for_.unroll = unroll;
    return loop;
}

/* ---- what is held ---------------------------------------------------------------------------- */

static IrVar *new_held(const Make *m, const Lifted *lifted, int count)
{
    const IrVar *array = lifted->access->array->var;
    Type *type = arena_new(m->arena, Type);
    int64_t *shape = arena_array(m->arena, int64_t, 1);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = array->type->array.element;
    type->array.rank = 1;
    type->array.layout = LAYOUT_C;
    shape[0] = count;
    IrVar *var = ir_var_new(m->arena, m->fn, arena_printf(m->arena, "%s_held", array->name), type,
                            VAR_PRIVATE, m->span);
    var->shape = shape;
    var->alignment = WIDE_BYTES;
    return var;
}

static void hold(const Make *m, int count)
{
    for (int i = 0; i < m->u->count; i++)
        m->u->lifted[i].held = new_held(m, &m->u->lifted[i], count);
}

static IrValue *held_element(const Make *m, const Lifted *lifted)
{
    const Type *element = lifted->held->type->array.element;
    IrValue *load = ir_value(m->arena, OP_load, element, m->span, 2);
    load->operands[0] = get(m, lifted->held);
    load->operands[1] = get(m, m->held_at);
    return load;
}

static IrStmt *set_held_element(const Make *m, const Lifted *lifted, IrValue *value)
{
    IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
    store->store.array = get(m, lifted->held);
    store->store.indices = arena_array(m->arena, IrValue *, 1);
    store->store.indices[0] = get(m, m->held_at);
    store->store.count = 1;
    store->store.value = value;
    return store;
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
    const Make *m = clone->context;
    const Lifted *lifted = lifted_load(m->u, value);
    return lifted && lifted->held ? held_element(m, lifted) : NULL;
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const Make *m = clone->context;
    for (int i = 0; i < m->u->count; i++)
        if (m->u->lifted[i].access->kind == ACCESS_STORE && m->u->lifted[i].access->stmt == stmt) {
            IrValue *value = ir_clone_value(clone, stmt->store.value);
            ir_append(out, set_held_element(m, &m->u->lifted[i], value));
            return true;
        }
    return false;
}

/* Variables of its own for what only concerns the iteration. */
static IrVar **new_vars(const Make *m)
{
    const Unroll *u = m->u;
    IrVar **vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1);
    for (int i = 0, count = u->accesses.var_count; i < count; i++) {
        const IrVar *var = m->fn->vars[i];
        if (!u->own[i] || var->kind != VAR_LOCAL || var == u->loop->for_.var)
            continue;
        vars[i] = ir_var_new(m->arena, m->fn, var->name, var->type, VAR_LOCAL, var->span);
        vars[i]->temporary = var->temporary;
        vars[i]->nonnegative = var->nonnegative;
        vars[i]->uniform = var->uniform;
    }
    return vars;
}

/* Appends an iteration at which the counter is `at`. */
static void append_iteration(Make *m, IrValue *at, IrRegion *out)
{
    IrClone clone = { .arena = m->arena, .vars = new_vars(m), .context = m };
    IrVar *counter = m->u->loop->for_.var;
    IrVar *own = new_var(m, counter->name);
    own->nonnegative = counter->nonnegative;
    clone.vars[counter->id] = own;
    clone.value = value_of_iteration;
    clone.stmt = stmt_of_iteration;
    ir_append(out, ir_set(m->arena, own, at, m->span));
    ir_clone_region(&clone, &m->u->loop->for_.body, out);
}

/* A copy of a value in which the counter is `at`. */
static IrValue *at_counter(const Make *m, const IrValue *value, IrVar *at)
{
    IrVar **vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1);
    const IrClone clone = { .arena = m->arena, .vars = vars };
    vars[m->u->loop->for_.var->id] = at;
    return ir_clone_value(&clone, value);
}

/* A wide access where the counter is `at`. */
static void append_wide(const Make *m, const Lifted *lifted, IrVar *at, IrRegion *out)
{
    const Access *access = lifted->access;
    bool load = access->kind == ACCESS_LOAD;
    IrStmt *eval = ir_stmt(m->arena, IR_EVAL, m->span);
    IrValue *value = ir_value(m->arena, OP_intrinsic, type_none, m->span, access->count + 2);
    value->intrinsic = load ? INTR_wide_load : INTR_wide_store;
    value->operands[load] = ir_clone_value(&(IrClone){ .arena = m->arena }, access->array);
    value->operands[load ? 0 : access->count + 1] = get(m, lifted->held);
    for (int i = 0; i < access->count; i++)
        value->operands[i + 1 + load] = at_counter(m, access->indices[i], at);
    eval->eval.value = value;
    ir_append(out, eval);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static IrValue *times_width(const Make *m, IrValue *value)
{
    return binary(m, OP_mul, value, number(m, m->u->width));
}

/* The chunks c, c + step, ..., `iterations` of them: all loads, then iteration by iteration. */
static void append_chunks(Make *m, IrVar *chunk, IrValue *step, int iterations, IrRegion *out)
{
    Unroll *u = m->u;
    IrVar *first[CHUNKS_MOST], *held[CHUNKS_MOST][LIFTED_MOST];
    for (int t = 0; t < iterations; t++) {
        IrValue *number_of =
            t ? binary(m, OP_add, get(m, chunk), steps(m, step, t)) : get(m, chunk);
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
        append_iteration(m, binary(m, OP_add, get(m, first[t]), get(m, m->held_at)),
                         &loop->for_.body);
        ir_append(out, loop);
        for (int i = 0; i < u->count; i++)
            if (u->lifted[i].access->kind == ACCESS_STORE)
                append_wide(m, &u->lifted[i], first[t], out);
    }
}

/* The loop over `iterations` chunks at once from `next` on, which then says where it ended. */
static IrStmt *loop_of_chunks(Make *m, IrVar *next, IrVar *chunks, IrValue *step, int iterations)
{
    IrValue *stop = iterations > 1
                        ? binary(m, OP_sub, get(m, chunks), steps(m, step, iterations - 1))
                        : get(m, chunks);
    IrValue *by = steps(m, step, iterations);
    IrStmt *loop = new_loop(m, "_c", get(m, next), stop, by, 1);
    loop->for_.var->nonnegative = true;
    append_chunks(m, loop->for_.var, step, iterations, &loop->for_.body);
    if (iterations > 1)
        ir_append(&loop->for_.body,
                  ir_set(m->arena, next,
                         binary(m, OP_add, get(m, loop->for_.var), steps(m, step, iterations)),
                         m->span));
    return loop;
}

static void make_chunks(Make *m, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = u->loop;
    int shift = 0;
    while (1 << shift < u->width)
        shift++;
    IrVar *stop = let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *start = let(m, out, "_start", loop->for_.start);
    IrVar *chunks = let(m, out, "_chunks", binary(m, OP_shr, get(m, stop), number(m, shift)));
    IrVar *next = let(m, out, "_next", get(m, start));
    if (u->iterations > 1)
        ir_append(out, loop_of_chunks(m, next, chunks, step, u->iterations));
    ir_append(out, loop_of_chunks(m, next, chunks, step, 1));
    loop->for_.start = binary(m, OP_add, times_width(m, get(m, chunks)), get(m, start));
    loop->for_.stop = get(m, stop);
    loop->for_.step = steps(m, step, 1);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Loads what the iterations i, i + step, ... need. */
static void append_loads(Make *m, IrVar *counter, IrValue *step, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop =
        new_loop(m, "_k", number(m, 0), number(m, u->iterations), number(m, 1), UNROLL_ALL);
    loop->for_.var->nonnegative = true;
    m->held_at = loop->for_.var;
    IrVar *own = let(m, &loop->for_.body, u->loop->for_.var->name,
                     binary(m, OP_add, get(m, counter),
                            binary(m, OP_mul, get(m, m->held_at), steps(m, step, 1))));
    own->nonnegative = u->loop->for_.var->nonnegative;
    bool any = false;
    for (int i = 0; i < u->count; i++) {
        const Lifted *lifted = &u->lifted[i];
        if (u->rows && lifted->wide) {
            append_wide(m, lifted, counter, out);
            continue;
        }
        any = true;
        ir_append(&loop->for_.body,
                  set_held_element(m, lifted, at_counter(m, lifted->access->load, own)));
    }
    if (any)
        ir_append(out, loop);
}

/* That `stop` is not so near where numbers end that a few steps beyond it wrap; NULL: it is
** sure. */
static IrValue *far_from_end(const Make *m, IrVar *stop)
{
    const int64_t near = INT64_C(1) << 62;
    const IrStmt *loop = m->u->loop;
    if (ir_is_constant(loop->for_.step) && loop->for_.step->constant.integer == 1)
        return NULL;
    IrAffine affine = ir_affine(m->u->unit, NULL);
    if (affine_most(&affine, m->u->unit->launch, loop->for_.stop) < (double)near)
        return NULL;
    return binary(m, OP_le, get(m, stop), number(m, near));
}

static IrValue *both(const Make *m, IrValue *a, IrValue *b)
{
    return a && b ? binary(m, OP_and_then, a, b) : a ? a : b;
}

/* Whether `stop` less some steps cannot wrap, being as small as it gets or they as large, nor
** the counter behind it: else there are not several iterations. NULL: that is sure. */
static IrValue *may_look_ahead(const Make *m, IrVar *next, IrVar *stop, const IrValue *step)
{
    IrValue *few =
        m->u->small_step ? NULL : binary(m, OP_le, steps(m, step, 1), number(m, STEP_MOST));
    few = both(m, few, far_from_end(m, stop));
    if (stop->nonnegative)
        return few;
    return both(m, binary(m, OP_lt, get(m, next), get(m, stop)), few);
}

static void make_iterations(Make *m, IrRegion *out)
{
    Unroll *u = m->u;
    IrStmt *loop = u->loop;
    IrVar *stop = let(m, out, "_stop", loop->for_.stop);
    IrValue *step = let_step(m, out);
    IrVar *next = let(m, out, "_next", loop->for_.start);
    IrValue *ahead = steps(m, step, u->iterations - 1), *by = steps(m, step, u->iterations);
    IrStmt *outer = new_loop(m, "_i", get(m, next), binary(m, OP_sub, get(m, stop), ahead), by, 1);
    IrRegion *body = &outer->for_.body;
    hold(m, u->iterations);
    append_loads(m, outer->for_.var, step, body);

    IrStmt *inner =
        new_loop(m, "_k", number(m, 0), number(m, u->iterations), number(m, 1), UNROLL_ALL);
    inner->for_.var->nonnegative = true;
    m->held_at = inner->for_.var;
    IrValue *at = binary(m, OP_add, get(m, outer->for_.var),
                         binary(m, OP_mul, get(m, m->held_at), steps(m, step, 1)));
    append_iteration(m, at, &inner->for_.body);
    ir_append(body, inner);
    ir_append(body,
              ir_set(m->arena, next,
                     binary(m, OP_add, get(m, outer->for_.var), steps(m, step, u->iterations)),
                     m->span));
    IrValue *condition = may_look_ahead(m, next, stop, step);
    if (condition) {
        IrStmt *branch = ir_stmt(m->arena, IR_IF, m->span);
        branch->if_.condition = condition;
        ir_append(&branch->if_.then, outer);
        outer = branch;
    }
    ir_append(out, outer);
    loop->for_.start = get(m, next);
    loop->for_.stop = get(m, stop);
    loop->for_.step = steps(m, step, 1);
}

void unroll_make(Unroll *u)
{
    IrFunc *fn = u->unit->kernel;
    Make m = { .u = u,
               .arena = u->unit->arena,
               .fn = fn,
               .span = u->loop->span,
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

/* Loops along rows that end where the next thread's begin, through shared memory. See ragged.c. */
#include "ir/clone.h"
#include "ir/schedule/stage/ragged.h"

enum {
    STEP = RAGGED_GROUP * WARP_LANES,                            /* iterations loaded at once */
    PLACES = RAGGED_ITERATIONS + RAGGED_ITERATIONS / WARP_LANES, /* elements of a warp */
    WARPS = FRONT_THREADS / WARP_LANES,
    REST_ITERATIONS = 4 /* at once, of rows that are not in shared memory */
};

typedef struct RaggedBuild {
    IrBuilder b[1];
    Ragged *r;
    Front front;
    IrVar *warp;        /* where the warp's elements begin in shared arrays */
    IrVar *active;      /* the thread comes to what is at hand */
    RaggedLoop *loop;   /* at hand, */
    IrVar *from, *to;   /* the thread's iterations, none if it does not come there, */
    IrVar *lo, *hi;     /* and the warp's */
    IrVar *base, *size; /* the first that has its elements in shared memory; how many have */
    IrVar *held_at;     /* counts the elements of `held` */
} RaggedBuild;

/* ---- values ---------------------------------------------------------------------------------- */

static IrVar *let(const RaggedBuild *m, const char *name, IrValue *value, IrRegion *out)
{
    IrVar *var = build_temporary(m->b, name, value->type);
    build_set(m->b, var, value, out);
    return var;
}

/* What another lane has of a number. */
static IrValue *of_lane(const RaggedBuild *m, IrIntrinsic which, const IrVar *own, IrValue *lane)
{
    return ir_intrinsic(m->b->arena, which, own->type, m->b->span,
                        build_integer(m->b, type_uint32, 0xffffffff), build_var(m->b, own),
                        build_cast(m->b, type_int32, lane));
}

/* Where an element lies in a shared array, by the number of its iteration from `base` on: with room
** after every 32, so that rows of powers of two do not begin in one bank. */
static IrValue *place(const RaggedBuild *m, const IrVar *far, IrRegion *out)
{
    IrValue *room = build_op(m->b, OP_floordiv, far, WARP_LANES);
    return build_var(
        m->b, build_let(m->b, "_near",
                        build_op(m->b, OP_add, m->warp, build_op(m->b, OP_add, far, room)), out));
}

/* ---- elements -------------------------------------------------------------------------------- */

/* A shared array that no element of the loop at hand has yet. */
static IrVar *near_for(const RaggedBuild *m, const RaggedElement *element)
{
    const Type *type = element->array->type->array.element;
    for (int l = 0; l < m->r->count; l++)
        for (int i = 0; i < m->r->loops[l].count; i++) {
            IrVar *near = m->r->loops[l].elements[i].near;
            bool taken = !near || near->type->array.element != type;
            for (int k = 0; k < m->loop->count; k++)
                taken |= m->loop->elements[k].near == near;
            if (!taken)
                return near;
        }
    return ir_array_var(m->b->arena, m->b->fn,
                        arena_printf(m->b->arena, "%s_near", element->array->name), type,
                        VAR_SHARED, (int64_t[]){ WARPS * PLACES }, 1, m->b->span);
}

static void take_memory(const RaggedBuild *m)
{
    for (int i = 0; i < m->loop->count; i++) {
        RaggedElement *element = &m->loop->elements[i];
        if (element->used || element->stored)
            element->near = near_for(m, element);
        if (element->loaded)
            element->held = ir_array_var(m->b->arena, m->b->fn,
                                         arena_printf(m->b->arena, "%s_held", element->array->name),
                                         element->array->type->array.element, VAR_PRIVATE,
                                         (int64_t[]){ RAGGED_GROUP }, 1, m->b->span);
    }
}

/* What stands in place of a value where another lane computes it: names are what they are set to,
** elements what the lane has loaded of them. */
static IrValue *value_elsewhere(const IrClone *clone, const IrValue *value)
{
    const RaggedBuild *m = clone->context;
    const RaggedElement *element =
        value->op == OP_load
            ? ragged_find(m->loop, value->operands[0], value->operands + 1, value->count - 1)
            : NULL;
    if (element)
        return build_load(m->b, element->held, build_var(m->b, m->held_at), NULL);
    if (value->op != OP_var || value->var->kind != VAR_LOCAL ||
        value->var == m->loop->loop->for_.var)
        return NULL;
    return ir_clone_value(clone, sets_value(&m->r->sets, value->var));
}

/* A clone for the iteration of that number from `base` on. */
static IrClone clone_at(RaggedBuild *m, const IrVar *far, IrRegion *out)
{
    IrVar *counter = m->loop->loop->for_.var;
    IrVar *own = build_temporary(m->b, counter->name, counter->type);
    own->nonnegative = true;
    build_set(m->b, own, build_cast(m->b, counter->type, build_op(m->b, OP_add, m->base, far)),
              out);
    IrClone clone = { .arena = m->b->arena,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    return clone;
}

/* A loop over those of a step's iterations that are this lane's, which gives their numbers;
** `held_at` counts them. */
static IrRegion *append_own(RaggedBuild *m, const IrVar *step, IrVar **far, IrRegion *out)
{
    m->held_at = build_counter(m->b, "_k");
    IrStmt *loop = build_for(m->b, m->held_at, 0, RAGGED_GROUP, 1, UNROLL_ALL);
    ir_append(out, loop);
    IrValue *lane =
        build_op(m->b, OP_add, build_times(m->b, m->held_at, WARP_LANES), m->front.lane);
    *far = build_let(m->b, "_far", build_op(m->b, OP_add, step, lane), &loop->for_.body);
    return &loop->for_.body;
}

/* Where that is an iteration at hand. */
static IrRegion *append_within(const RaggedBuild *m, const IrVar *far, IrRegion *out)
{
    return build_if(m->b, build_op(m->b, OP_lt, far, m->size), out);
}

/* A loop over the steps of what is at hand. */
static IrRegion *append_steps(const RaggedBuild *m, IrVar **step, IrRegion *out)
{
    *step = build_counter(m->b, "_step");
    IrStmt *loop = build_for(m->b, *step, 0, m->size, STEP, 1);
    ir_append(out, loop);
    return &loop->for_.body;
}

static IrValue **indices(const IrClone *clone, const RaggedElement *element)
{
    IrValue **index = arena_array(clone->arena, IrValue *, element->count);
    for (int i = 0; i < element->count; i++)
        index[i] = ir_clone_value(clone, element->index[i]);
    return index;
}

/* All that a step loads of one element, before anything waits for it. */
static void append_load(RaggedBuild *m, const RaggedElement *element, const IrVar *step,
                        IrRegion *out)
{
    IrVar *far;
    IrRegion *own = append_own(m, step, &far, out);
    own = append_within(m, far, own);
    IrClone clone = clone_at(m, far, own);
    clone.value = value_elsewhere;
    build_store(m->b, element->held, m->held_at, NULL,
                ir_load(m->b->arena, build_var(m->b, element->array), indices(&clone, element),
                        element->count, m->b->span),
                own);
}

static void append_loads(RaggedBuild *m, IrRegion *out)
{
    IrVar *step, *far;
    IrRegion *body = append_steps(m, &step, out);
    for (int i = 0; i < m->loop->count; i++)
        if (m->loop->elements[i].loaded)
            append_load(m, &m->loop->elements[i], step, body);
    IrRegion *own = append_own(m, step, &far, body);
    IrValue *near = place(m, far, own);
    for (int i = 0; i < m->loop->count; i++) {
        const RaggedElement *element = &m->loop->elements[i];
        if (element->loaded && element->near)
            build_store(m->b, element->near, build_copy(m->b, near), NULL,
                        build_load(m->b, element->held, m->held_at, NULL), own);
    }
}

/* What the iterations at hand have stored goes to where it belongs. */
static void append_stores(RaggedBuild *m, IrRegion *out)
{
    bool any = false;
    for (int i = 0; i < m->loop->count; i++)
        any |= m->loop->elements[i].stored;
    if (!any)
        return;
    front_meet(m->b, out);
    IrVar *step, *far;
    IrRegion *body = append_steps(m, &step, out);
    IrRegion *own = append_own(m, step, &far, body);
    own = append_within(m, far, own);
    IrValue *near = place(m, far, own);
    IrClone clone = clone_at(m, far, own);
    clone.value = value_elsewhere;
    for (int i = 0; i < m->loop->count; i++) {
        const RaggedElement *element = &m->loop->elements[i];
        if (element->stored)
            ir_append(own, ir_store(m->b->arena, build_var(m->b, element->array),
                                    indices(&clone, element), element->count,
                                    build_load(m->b, element->near, build_copy(m->b, near), NULL),
                                    m->b->span));
    }
}

/* ---- iterations ------------------------------------------------------------------------------ */

typedef struct RaggedIteration {
    const RaggedBuild *m;
    IrValue *near;
} RaggedIteration;

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const RaggedIteration *iteration = clone->context;
    const RaggedBuild *m = iteration->m;
    const RaggedElement *element =
        value->op == OP_load
            ? ragged_find(m->loop, value->operands[0], value->operands + 1, value->count - 1)
            : NULL;
    return element ? build_load(m->b, element->near, build_copy(m->b, iteration->near), NULL)
                   : NULL;
}

static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const RaggedIteration *iteration = clone->context;
    const RaggedBuild *m = iteration->m;
    const RaggedElement *element =
        stmt->kind == IR_STORE
            ? ragged_find(m->loop, stmt->store.array, stmt->store.indices, stmt->store.count)
            : NULL;
    if (!element)
        return false;
    build_store(m->b, element->near, build_copy(m->b, iteration->near), NULL,
                ir_clone_value(clone, stmt->store.value), out);
    return true;
}

/* How far a bound of the thread's lies from `base` on. */
static IrValue *from_base(const RaggedBuild *m, const IrVar *bound)
{
    return build_op(m->b, OP_sub, build_cast(m->b, type_int64, bound), build_var(m->b, m->base));
}

/* Those of the thread's own that have their elements in shared memory. */
static void append_iterations(RaggedBuild *m, IrRegion *out)
{
    IrVar *far = build_counter(m->b, "_far");
    IrRegion *own = build_if(m->b, m->active, out);
    IrVar *first = build_let(m->b, "_first", build_max(m->b, from_base(m, m->from), 0), own);
    IrVar *end = let(m, "_end", build_min(m->b, from_base(m, m->to), m->size), own);
    IrStmt *loop = build_for(m->b, far, first, end, 1, 4);
    ir_append(own, loop);
    RaggedIteration iteration = { m, place(m, far, &loop->for_.body) };
    IrClone clone = clone_at(m, far, &loop->for_.body);
    clone.value = value_of_iteration;
    clone.stmt = stmt_of_iteration;
    clone.context = &iteration;
    ir_clone_region(&clone, &m->loop->loop->for_.body, &loop->for_.body);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Sets the thread's iterations; none where it does not come. */
static void append_bounds(RaggedBuild *m, IrRegion *out)
{
    const Type *counter = m->loop->loop->for_.var->type;
    const Type *type = type_size(counter) < 4 ? type_int32 : counter;
    m->from = let(m, "_from", build_integer(m->b, type, 0), out);
    m->to = let(m, "_to", build_integer(m->b, type, 0), out);
    IrRegion *own = build_if(m->b, m->active, out);
    build_set(m->b, m->from, build_cast(m->b, type, m->loop->loop->for_.start), own);
    build_set(m->b, m->to, build_cast(m->b, type, m->loop->loop->for_.stop), own);
}

/* The bit of the next lane in a mask of lanes, as a condition. */
static IrValue *has_next(const RaggedBuild *m, const IrVar *mask)
{
    IrValue *from_lane = build_op(m->b, OP_shr, mask, build_cast(m->b, type_uint32, m->front.lane));
    IrValue *bits = build_op(m->b, OP_shr, from_lane, build_integer(m->b, type_uint32, 1));
    return build_op(m->b, OP_ne, build_op(m->b, OP_and, bits, build_integer(m->b, type_uint32, 1)),
                    build_integer(m->b, type_uint32, 0));
}

/* Which lanes' iterations do not end where the next lane's begin, as a mask of lanes. */
static IrVar *append_odd(const RaggedBuild *m, const IrVar *mask, IrRegion *out)
{
    IrVar *next =
        let(m, "_after", of_lane(m, INTR_shfl_down_sync, m->from, build_int(m->b, 1)), out);
    IrValue *apart =
        build_op(m->b, OP_and_then, has_next(m, mask), build_op(m->b, OP_ne, m->to, next));
    IrValue *back = build_op(m->b, OP_gt, m->from, m->to);
    return front_vote(m->b, let(m, "_odd", build_op(m->b, OP_or_else, back, apart), out), out);
}

/* Sets the warp's iterations; gives whether they are those of its lanes one behind the other, none
** before 0 and no more than RAGGED_MOST. */
static IrValue *append_warp(RaggedBuild *m, IrRegion *out)
{
    IrVar *mask = front_vote(m->b, m->active, out), *odd = append_odd(m, mask, out);
    IrValue *popc = ir_intrinsic(m->b->arena, INTR_popc, type_int32, m->b->span,
                                 build_var(m->b, mask), NULL, NULL);
    IrVar *count = let(m, "_count", build_cast(m->b, type_int64, popc), out);
    IrValue *last = build_op(m->b, OP_mod, build_plus(m->b, count, WARP_LANES - 1), WARP_LANES);
    IrVar *begin = let(m, "_begin", of_lane(m, INTR_shfl_sync, m->from, build_int(m->b, 0)), out);
    IrVar *end = let(m, "_end", of_lane(m, INTR_shfl_sync, m->to, last), out);
    m->lo = let(m, "_lo", build_cast(m->b, type_int64, begin), out);
    m->hi = let(m, "_hi", build_cast(m->b, type_int64, end), out);
    IrValue *none = build_integer(m->b, type_uint32, 0);
    IrValue *more = build_op(m->b, OP_add, mask, build_integer(m->b, type_uint32, 1));
    IrValue *terms[] = {
        build_op(m->b, OP_eq, odd, none),
        build_op(m->b, OP_eq, build_op(m->b, OP_and, mask, more), build_copy(m->b, none)),
        build_op(m->b, OP_ge, m->lo, 0),
        build_op(m->b, OP_le, build_op(m->b, OP_sub, m->hi, m->lo), RAGGED_MOST),
    };
    IrValue *all = NULL;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        all = ir_both(m->b->arena, all, terms[i]);
    return all;
}

static void append_loop(RaggedBuild *m, RaggedLoop *loop, IrRegion *out)
{
    m->loop = loop;
    m->b->span = loop->loop->span;
    take_memory(m);
    append_bounds(m, out);
    IrStmt *branch = ir_if(m->b->arena, append_warp(m, out), m->b->span);
    ir_append(out, branch);
    m->base = build_counter(m->b, "_base");
    IrStmt *chunks = build_for(m->b, m->base, m->lo, m->hi, RAGGED_ITERATIONS, 1);
    ir_append(&branch->if_.then, chunks);
    IrRegion *body = &chunks->for_.body;
    IrValue *left = build_op(m->b, OP_sub, m->hi, m->base);
    m->size = build_let(m->b, "_size", build_min(m->b, left, RAGGED_ITERATIONS), body);
    front_meet(m->b, body); /* all have done with what was there, and see what others wrote */
    append_loads(m, body);
    front_meet(m->b, body);
    append_iterations(m, body);
    append_stores(m, body);
    front_meet(m->b, &branch->if_.then);
    loop->loop->next = loop->loop->prev = NULL;
    if (!loop->loop->for_.unroll) /* more would take registers from what most warps do */
        loop->loop->for_.unroll = REST_ITERATIONS;
    ir_append(build_if(m->b, m->active, &branch->if_.otherwise), loop->loop);
}

/* What comes only for some threads is asked once, so that all lanes can go along. */
static void append_region(RaggedBuild *m, IrStmt *stmt, IrRegion *out);

static void append_branch(RaggedBuild *m, IrStmt *branch, IrRegion *out)
{
    IrVar *outer = m->active;
    IrVar *inner = build_temporary(m->b, "_comes", type_bool);
    build_set(m->b, inner, build_integer(m->b, type_bool, 0), out);
    build_set(m->b, inner, branch->if_.condition, build_if(m->b, outer, out));
    m->active = inner;
    append_region(m, branch->if_.then.first, out);
    m->active = outer;
}

static void append_region(RaggedBuild *m, IrStmt *stmt, IrRegion *out)
{
    IrRegion *own = NULL;
    for (IrStmt *next; stmt; stmt = next) {
        next = stmt->next;
        stmt->next = stmt->prev = NULL;
        RaggedLoop *loop = (RaggedLoop *)ragged_loop(m->r, stmt);
        if (loop) {
            append_loop(m, loop, out);
        } else if (ragged_inside(m->r, stmt)) {
            append_branch(m, stmt, out);
        } else {
            own = own ? own : build_if(m->b, m->active, out);
            ir_append(own, stmt);
            continue;
        }
        own = NULL;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void say(const Ragged *r)
{
    for (int i = 0; i < r->count; i++) {
        ir_remark(r->unit, r->loops[i].loop->span,
                  "a warp's 32 rows, as long as they are, go through shared memory where each "
                  "begins at the end of the one before");
        schedule_done(r->loops[i].directive);
    }
}

void ragged_make(Ragged *r, Guarded *guarded)
{
    IrUnit *unit = r->unit;
    RaggedBuild m = { .b = { { unit->arena, unit->kernel, guarded->rest->span } }, .r = r };
    IrRegion body = { NULL, NULL };
    IrVar *threads = ir_hidden(unit, HIDDEN_THREADS, 0); /* which gives variables new numbers */
    ragged_look(r, guarded);
    m.front = front_make(m.b, guarded, threads, WARP_LANES, &body);
    m.active = m.front.active;
    m.warp = build_let(
        m.b, "_warp",
        build_times(m.b, build_op(m.b, OP_floordiv, m.front.self, WARP_LANES), PLACES), &body);
    append_region(&m, (IrStmt *)guarded->rest, &body);
    unit->kernel->body = body;
    ir_shape_blocks(unit, FRONT_THREADS);
    say(r);
}

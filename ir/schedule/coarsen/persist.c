/* Few threads that stay, for many that add to few elements:
**
**     i = grid(0)                           stop = min(threads, extent(x, 0))
**     if lt(i, extent(x, 0))                for i in grid(0) to stop by gridsize(0)
**         eval atomic_add(counts,               eval atomic_add(counts, load(x, i), 1)
**                         load(x, i), 1)
**
** becomes what stands beside it, where a launch gets as many blocks as the GPU can have at a time,
** and `threads` is the number of threads asked for. `privatise`, which comes later, has each block
** count in shared memory and add that up once, at its end: a block that does the work of a hundred
** makes a hundredth of the sums in global memory; and `unroll` finds a loop whose iterations it can
** take 16 bytes at a time. A loop by strides of the grid is such already, and gets other blocks
** alone. (Persistent threads: Gupta, Stuart and Owens, "A study of persistent threads style GPU
** programming for GPGPU workloads", 2012.)
**
** Legal where it is unobservable which thread does what, and in which order: independent.c says it
** of threads, strides.c of iterations. What is atomic is the same in any order, or of no certain
** one. Threads without loops may use what an atomic found: one after the other, each wholly, is an
** order that they could have come in.
**
** Pays where atomics go to arrays of which each block can have its copies (privatise.c), or where
** what they found of one counter is used, which a thread then asks for many at once
** (unroll/claims.c); if that leaves the GPU enough to do: there are many threads, without loops of
** their own unless these ask nothing of the grid; of threads with loops fewer are enough. Lanes go
** along the axis along which most is read in a row. */
#include "ir/analysis/accesses.h"
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/schedule.h"

enum {
    INT64_BITS = 63,     /* without its sign */
    THREADS = 256,       /* of a block, */
    THREADS_LARGE = 512, /* where more threads share more copies of what has many elements */
    STAY = 8,            /* blocks of so many that a multiprocessor has at a time */
    WORK_TO_256 = 16,    /* that a thread has to do at least, for copies of hardly more elements
                         ** than a block has threads, or where there is hardly more for each
                         ** multiprocessor, */
    WORK_BEYOND = 64,    /* and of more: adding up copies is work, too; */
    WORK_LOOPS = 4       /* where threads have loops, and are no more than GRID_THREADS_16 */
};

typedef struct Persist {
    IrUnit *unit;
    Private *counted[SHAPE_ARRAYS]; /* where the atomics go to */
    int count;
    const IrValue *counter; /* an atomic that counts, whose result is used; NULL: there is none */
    bool rereads;           /* it reads what the kernel may write */
    int lanes;              /* the axis asked for that lanes go along */
    bool *in_front;         /* by IrVar.id: set once, in front of the loop */
} Persist;

/* ---- whether --------------------------------------------------------------------------------- */

/* Which arrays `privatise` will take once there is a loop. It tells of the others later. */
static bool find_private(Persist *p)
{
    Diags *remarks = p->unit->remarks;
    p->unit->remarks = NULL;
    p->count = privatise_choose(p->unit, PRIVATE_ITERATIONS, p->counted, SHAPE_ARRAYS);
    p->unit->remarks = remarks;
    return p->count > 0;
}

/* Whether each array has 1 to 256 elements, hardly more than a block has threads. */
static bool have_to_256(const Persist *p)
{
    bool all = true;
    for (int i = 0; i < p->count; i++)
        all &= launch_elements_to_256(p->unit->launch, p->counted[i]->param->param);
    return all;
}

static uint32_t work_of(const Persist *p)
{
    bool much = launch_large_grid(p->unit->launch, GRID_COARSENS_64);
    return have_to_256(p) || !much ? WORK_TO_256 : WORK_BEYOND;
}

typedef struct DenseReads {
    const IrAffine *affine;
    int dense[3]; /* by axis: that go along it element by element */
} DenseReads;

static void note_read(void *context, IrValue *value)
{
    DenseReads *reads = context;
    if (value->op != OP_load)
        return;
    for (int axis = 0; axis < 3; axis++)
        reads->dense[axis] +=
            moves_by_one(reads->affine, value->operands[0], value->operands + 1, axis);
}

static void note_reads(void *context, IrStmt *stmt)
{
    ir_each_node_of(stmt, note_read, context);
}

static int lanes_axis(const IrUnit *unit, const IrAffine *affine)
{
    DenseReads reads = { affine, { 0 } };
    int lanes = 0;
    ir_each_stmt(&unit->kernel->body, note_reads, &reads);
    for (int axis = 1; axis < 3; axis++)
        if (reads.dense[axis] > reads.dense[lanes])
            lanes = axis;
    return lanes;
}

static void note_gridsize(void *context, IrValue *value)
{
    bool *asked = context;
    if (ir_is_intrinsic(value, INTR_gridsize))
        asked[value->index] = true;
}

/* By axis, whether the kernel asks how many threads there are. */
static void ask_gridsizes(const IrUnit *unit, bool asked[3])
{
    memset(asked, 0, 3 * sizeof *asked);
    ir_each_node_in(&unit->kernel->body, note_gridsize, asked);
}

static void note_looped(void *context, IrStmt *stmt)
{
    bool *looped = context;
    const IrRegion *body = stmt->kind == IR_FOR     ? &stmt->for_.body
                           : stmt->kind == IR_WHILE ? &stmt->while_.body
                                                    : NULL;
    *looped |= body && ir_region_has_node(body, ir_is_atomic);
}

/* Whether threads go through loops and then add once to what a block has merged by each of its
** threads once: that is little beside the loops, which more threads overlap. */
static bool adds_behind_loops(const Persist *p)
{
    bool looped = false;
    ir_each_stmt(&p->unit->kernel->body, note_looped, &looped);
    return !looped && ir_has_loop(&p->unit->kernel->body) && have_to_256(p);
}

/* Whether a part of the threads is enough to fill a GPU, and does the work of all. */
static bool has_threads_to_spare(const Persist *p)
{
    IrLaunch *launch = p->unit->launch;
    bool asked[3];
    bool loops = ir_has_loop(&p->unit->kernel->body);
    ask_gridsizes(p->unit, asked);
    if (((asked[0] || asked[1] || asked[2]) && loops) || (p->count && adds_behind_loops(p)))
        return false;
    return launch_large_grid(launch, loops ? GRID_COARSENS_8 : GRID_COARSENS_16) &&
           launch_along_64(launch, p->lanes) && launch_large_grid(launch, GRID_BROAD);
}

/* ---- the launch ------------------------------------------------------------------------------ */

static void set_shape(const Persist *p, uint32_t work)
{
    IrShape *shape = &p->unit->shape;
    IrOptions *options = &p->unit->kernel->options;
    int k = 1;
    shape->changed = shape->free = true;
    uint32_t threads = have_to_256(p) ? THREADS : THREADS_LARGE;
    shape->stay = (int)(STAY * THREADS / threads);
    shape->axis[0] = (uint8_t)p->lanes;
    for (int axis = 0; axis < 3; axis++)
        if (axis != p->lanes)
            shape->axis[k++] = (uint8_t)axis;
    for (k = 0; k < 3; k++) {
        shape->block[k] = k ? 1 : threads;
        shape->tile[k] = k ? 1 : work;
    }
    options->launch_threads = (int)threads;
    options->launch_blocks = 0;
}

static void say(const Persist *p)
{
    if (p->counter) {
        ir_remark(p->unit, p->counter->span,
                  "few blocks do the work of all, so that '%s' is added to for many at once",
                  p->counter->operands[0]->var->name);
        return;
    }
    const Private *array = p->counted[0];
    ir_remark(p->unit, array->span,
              "few blocks do the work of all, so that '%s' is added to once a block",
              array->param->name);
}

static Directive *take(Persist *p, uint32_t work, bool pays)
{
    Directive own = { DO_PERSIST, .axes = { (uint8_t)p->lanes }, .axis_count = 1, .number = work };
    Directive *directive = schedule_take(p->unit, own, pays);
    if (directive)
        p->lanes = directive->axes[0];
    return directive;
}

/* ---- loops by strides of the grid ------------------------------------------------------------ */

static bool persist_strides(Persist *p)
{
    IrAffine affine = ir_affine(p->unit, NULL);
    IrShape shape = p->unit->shape;
    const IrStmt *loop = strides_find(p->unit, &affine, p->counted, p->count);
    if (!loop || !strides_count(&affine, loop, &shape))
        return false;
    Directive *directive = take(p, ir_has_loop(&loop->for_.body) ? 1 : work_of(p), true);
    if (!directive || p->lanes)
        return false;
    p->unit->shape = shape;
    set_shape(p, (uint32_t)directive->number);
    schedule_done(directive);
    return true;
}

/* ---- threads of one iteration ---------------------------------------------------------------- */

static IrValue *choose(const Persist *p, IrIntrinsic which, IrValue *a, IrValue *b)
{
    return ir_intrinsic(p->unit->arena, which, type_int64, a->span, a, b, NULL);
}

static IrVar *new_index(const Persist *p, int axis, Span span)
{
    return ir_counter(p->unit->arena, p->unit->kernel,
                      arena_printf(p->unit->arena, "index_%c", "xyz"[axis]), span);
}

/* The variable that the kernel keeps the lanes' index in, of which the set is dropped; or a new
** one. */
static IrVar *lanes_index(const Persist *p, const IrAffine *affine, Guarded *guarded, Span span)
{
    for (int i = 0; i < guarded->set_count; i++) {
        IrVar *var = guarded->sets[i]->set.var;
        const IrValue *value = guarded->sets[i]->set.value;
        if (!ir_is_intrinsic(value, INTR_grid) || value->index != p->lanes ||
            var->type != type_int64 || !sets_value(&affine->sets, var))
            continue;
        memmove(&guarded->sets[i], &guarded->sets[i + 1],
                (size_t)(guarded->set_count - i - 1) * sizeof *guarded->sets);
        guarded->set_count--;
        return var;
    }
    return new_index(p, p->lanes, span);
}

/* The indices along other axes are those of the grid that is launched. */
static void set_indices(const Persist *p, IrVar *indices[3], IrRegion *out, Span span)
{
    int k = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == p->lanes)
            continue;
        indices[axis] = new_index(p, axis, span);
        ir_append(out, ir_set(p->unit->arena, indices[axis],
                              ir_axis(p->unit->arena, INTR_grid, k++, span), span));
    }
}

typedef struct InFront {
    const Persist *persist;
    bool all;
} InFront;

static void note_local(void *context, IrValue *value)
{
    InFront *front = context;
    if (value->op == OP_var && value->var->kind == VAR_LOCAL)
        front->all &= front->persist->in_front[value->var->id];
}

/* Whether a value is the same for all indices along the lanes' axis, and can be had in front. */
static bool is_fixed(const Persist *p, const IrAffine *affine, const IrValue *value)
{
    InFront front = { p, !affine_varies(affine, value, p->lanes) };
    ir_each_node((IrValue *)value, note_local, &front);
    return front.all;
}

/* Sets that are the same for all iterations come before them. */
static void take_fixed_sets(const Persist *p, const IrAffine *affine, Guarded *guarded,
                            IrRegion *out)
{
    int left = 0;
    for (int i = 0; i < guarded->set_count; i++) {
        const IrStmt *set = guarded->sets[i];
        if (sets_value(&affine->sets, set->set.var) && is_fixed(p, affine, set->set.value)) {
            ir_append(out, ir_set(p->unit->arena, set->set.var, set->set.value, set->span));
            p->in_front[set->set.var->id] = true;
        } else {
            guarded->sets[left++] = set;
        }
    }
    guarded->set_count = left;
}

/* Where the indices end that have something to do; the conditions that it stands for are
** dropped. */
static IrValue *take_end(const Persist *p, const IrAffine *affine, Guarded *guarded,
                         IrValue *threads)
{
    Arena *arena = p->unit->arena;
    IrValue *end = threads, *fixed = NULL, *zero = ir_integer(arena, type_int64, 0, threads->span);
    IrMagnitude *magnitude = ir_magnitude(arena, p->unit->kernel, p->unit->launch);
    bool nonnegative = true; /* no operand of `end` is negative; a product that may wrap may be */
    int left = 0;
    for (int i = 0; i < guarded->term_count; i++) {
        IrValue *term = (IrValue *)guarded->terms[i];
        bool below = term->op == OP_lt || term->op == OP_gt; /* nothing is added that wraps */
        IrValue *own = below ? guard_end(arena, affine, term, p->lanes) : NULL;
        if (own) {
            end = choose(p, INTR_min, end, own);
            nonnegative &= ir_nonnegative(own) && magnitude_open_bits(magnitude, own) <= INT64_BITS;
        } else if (is_fixed(p, affine, term)) {
            fixed = ir_both(arena, fixed, term);
        } else {
            guarded->terms[left++] = term;
        }
    }
    guarded->term_count = left;
    if (!nonnegative)
        end = choose(p, INTR_max, end, zero);
    return fixed ? ir_select(arena, fixed, end, zero, end->span) : end;
}

/* What is left of the kernel to do for each index. */
static IrRegion iteration_of(const Persist *p, const Guarded *guarded)
{
    Arena *arena = p->unit->arena;
    IrRegion iteration = { NULL, NULL }, *within = (IrRegion *)guarded->within, *out = &iteration;
    IrStmt *first = (IrStmt *)guarded->rest;
    IrValue *all = NULL;
    for (int i = 0; i < guarded->set_count; i++)
        ir_append(&iteration, ir_set(arena, guarded->sets[i]->set.var, guarded->sets[i]->set.value,
                                     guarded->sets[i]->span));
    for (int i = 0; i < guarded->term_count; i++)
        all = ir_both(arena, all, (IrValue *)guarded->terms[i]);
    if (all) {
        IrStmt *branch = ir_if(arena, all, all->span);
        ir_append(&iteration, branch);
        out = &branch->if_.then;
    }
    if (first->prev)
        ir_append_region(out, ir_take_rest(within, first->prev));
    else
        ir_append_region(out, *within);
    return iteration;
}

static void rebuild(Persist *p)
{
    IrUnit *unit = p->unit;
    Arena *arena = unit->arena;
    Span span = unit->kernel->body.first->span;
    IrVar *threads[3] = { NULL }, *indices[3];
    IrRegion body = { NULL, NULL }, front = { NULL, NULL };
    bool asked[3];
    ask_gridsizes(unit, asked);
    for (int axis = 0; axis < 3; axis++) /* which gives variables new numbers */
        if (asked[axis] || axis == p->lanes)
            threads[axis] = ir_hidden(unit, HIDDEN_THREADS, axis);
    guard_split(arena, unit->kernel);
    Guarded guarded = guard_find(arena, unit->kernel);
    IrAffine affine = ir_affine(unit, NULL);
    IrVar *stop = ir_counter(arena, unit->kernel, "stop", span);
    set_indices(p, indices, &body, span);
    indices[p->lanes] = lanes_index(p, &affine, &guarded, span);
    IrStmt *loop = ir_for(arena, indices[p->lanes], ir_axis(arena, INTR_grid, 0, span),
                          ir_var(arena, stop, span), ir_axis(arena, INTR_gridsize, 0, span), span);
    p->in_front = arena_array(arena, bool, unit->kernel->var_count + 1);
    take_fixed_sets(p, &affine, &guarded, &front);
    IrValue *end = take_end(p, &affine, &guarded, ir_var(arena, threads[p->lanes], span));
    ir_append(&front, ir_set(arena, stop, end, span));
    loop->for_.body = iteration_of(p, &guarded);
    ir_put_indices(arena, &front, indices, threads);
    ir_put_indices(arena, &loop->for_.body, indices, threads);
    ir_append_region(&body, front);
    ir_append(&body, loop);
    unit->kernel->body = body;
}

/* Whether threads add to one element along one axis, and to another along another, as sums of rows
** or columns do: tiles of them add at once (jam_sums.c), and copies are work, too. */
static bool adds_lines(const Persist *p, const IrAffine *affine, const Guarded *guarded)
{
    unsigned axes = ir_axes_asked(p->unit->kernel);
    bool lines = !have_to_256(p) && !guard_has_loop(guarded);
    for (const IrStmt *stmt = guarded->rest; stmt && lines; stmt = stmt->next) {
        const IrStmt *sum = jam_only_sum(p->unit, stmt);
        const IrValue *atomic = sum ? sum->eval.value : NULL;
        unsigned varies = 0;
        for (int i = 1; atomic && i < atomic->count - 1; i++)
            for (int axis = 0; axis < 3; axis++)
                varies |= affine_varies(affine, atomic->operands[i], axis) ? 1u << axis : 0;
        lines = sum ? varies && axes & ~varies : !(ir_stmt_effects(stmt) & EFFECT_ATOMIC);
    }
    return lines;
}

static bool persist_threads(Persist *p)
{
    IrAffine affine = ir_affine(p->unit, NULL);
    p->lanes = lanes_axis(p->unit, &affine);
    Guarded guarded = guard_find(p->unit->arena, p->unit->kernel);
    bool pays = !schedule_is_given(p->unit) && has_threads_to_spare(p) &&
                !(guarded.rest && adds_lines(p, &affine, &guarded));
    bool few = pays && !launch_large_grid(p->unit->launch, GRID_COARSENS_16);
    uint32_t work = few ? WORK_LOOPS : pays ? work_of(p) : 1;
    Directive *directive = guarded.rest ? take(p, work, pays) : NULL;
    if (!directive)
        return false;
    rebuild(p);
    set_shape(p, (uint32_t)directive->number);
    schedule_done(directive);
    return true;
}

/* ---- counters ------------------------------------------------------------------------------- */

static void note_written(void *context, IrValue *value)
{
    Persist *p = context;
    int param = value->op == OP_load ? ir_array_param(value->operands[0]) : -1;
    if (value->op == OP_load && (param < 0 || ir_writes(p->unit->kernel, param)))
        p->rereads = true;
}

static void note_counter(void *context, IrStmt *stmt)
{
    Persist *p = context;
    const IrValue *atomic = stmt->kind == IR_SET ? atomic_of(stmt) : NULL;
    if (atomic && atomic_counts(atomic))
        p->counter = atomic;
    ir_each_node_of(stmt, note_written, p);
}

/* Whether there is a counter that `unroll` can ask for several numbers at once, or one that
** `privatise` takes. */
static bool find_counter(Persist *p)
{
    ir_uniform(p->unit);
    ir_each_stmt(&p->unit->kernel->body, note_counter, p);
    return (find_private(p) || p->counter) && !p->rereads;
}

/* ---- the pass -------------------------------------------------------------------------------- */

void ir_persist(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    Persist p = { .unit = unit };
    Span span;
    ir_effects(unit);
    if (unit->shape.changed || !fn->body.first || ir_is_bound(&fn->options) ||
        !(fn->effects & EFFECT_ATOMIC) || ir_shows_order(fn))
        return;
    ir_grid_indices(unit);
    ir_range(unit);
    IrLaunch before = *unit->launch;
    const char *why = ir_dependent(unit, &span);
    if (why)
        schedule_refuse_all(unit, DO_PERSIST, span, why);
    if (!why && find_private(&p) && (persist_strides(&p) || persist_threads(&p))) {
        say(&p);
        return;
    }
    if (!p.count && !ir_dependent_but_found(unit, &span) && find_counter(&p) &&
        persist_threads(&p)) {
        say(&p);
        return;
    }
    if (!p.count)
        *unit->launch = before; /* the code depends on none of what was asked */
}

/* Loops that read memory begin several iterations at once, by accesses of 16 bytes where they can:
**
**     for i in grid(0) to n by gridsize(0)
**         store y[i] = mul(load(x, i), 2)
** becomes
**     _chunks = shr(n, 2)
**     for _c in grid(0) to _chunks by gridsize(0)
**         eval wide_load(x_held, x, mul(_c, 4))
**         for _k in 0 to 4 by 1 unroll
**             store y_held[_k] = mul(load(x_held, _k), 2)
**         eval wide_store(y, mul(_c, 4), y_held)
**     for i in add(mul(_chunks, 4), grid(0)) to n by gridsize(0)
**         store y[i] = mul(load(x, i), 2)
**
** In general a loop's iterations are taken several at a time: first all loads that come in every
** iteration and whose indices are known before it, and those under conditions that are known
** before it, as `if j != i`, where these hold; then the iterations as they stand, one after the
** other, each with what was loaded for it; what is left over goes on as before. Sums come out bit
** for bit.
**
** Square roots of float32 in them, and what 1 is divided by that is one, lose their branches: they
** come to the same number without, and iterations overlap.
**
** Legal for a loop that counts upward, or downward to a number that is known, without another loop,
** break, return or synchronisation in it, for a load of a whole array if the loop writes nothing
** that may lie in that array; or only the element that was loaded, later in the same iteration, at
** an index that is the counter, never negative.
**
** Sharing out anew among all threads of the grid, 16 bytes of neighbours to each, is legal besides
** if
** - every thread takes part, from its number in the grid on, by the number of threads;
** - the iteration depends on nothing else of the thread, passes no value to the next, and leaves
**   nothing but what it writes: arrays that overlap no others and that the kernel accesses nowhere
**   else, each at the counter itself, or by atomics whose results are unused;
** - what is read at the counter lies one behind the other and begins at multiples of 16 bytes.
**
** Pays wherever the memory's answers are waited for: as many loads are under way as registers and
** text allow; more where blocks are a warp each, fewer where they are many, and ENOUGH where no
** more come sooner by it. Loops of few iterations, and those that add up one array, are left to the
** device's compiler; those through arrays of a thread's own are better laid out whole. */
#include "ir/schedule/cost.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/unroll.h"

enum {
    ITERATIONS_MOST = 16,
    ITERATIONS_MANY = 8,   /* by blocks that are so many that registers are scarce */
    ITERATIONS_ALONE = 32, /* of a warp that is a block, as there are few */
    WORDS_SMALL = 64, /* of 4 bytes that the loads bring, for blocks of up to BLOCK_SMALL threads */
    WORDS_ALONE = 128,          /* of blocks of a warp, */
    WORDS_LARGE = 32,           /* and for others */
    WORDS_FLYING = 132 * 10240, /* that keep the memory of an H200 busy: 40 KB a multiprocessor */
    BLOCK_SMALL = 256,
    NODES_PLAIN = 8, /* of an iteration that adds one element up */
    ENOUGH = 4,      /* iterations where loads have a short latency, or many are under way */
    FEW_ALONE = 8,   /* iterations of a warp that is a block, which nothing else hides, */
    ROWS_ALONE = 16, /* and by wide loads, which are fewer */
    NODES_LEAST = 8  /* of a loop whose length is asked before its text is counted */
};

/* ---- what an iteration is -------------------------------------------------------------------- */

typedef struct Iteration {
    int nodes;
    bool slow;   /* it takes functions of floats, float64 or atomics */
    bool simple; /* nothing in it but sets, stores, ifs, continues and evaluations */
} Iteration;

static void count_node(void *context, IrValue *value)
{
    Iteration *iteration = context;
    iteration->nodes++;
    iteration->simple &= value->op != OP_call;
    iteration->slow |= cost_is_special(value) || ir_is_atomic(value) ||
                       (value->type == type_float64 && value->op != OP_load && value->count > 1);
}

static void count_stmt(void *context, IrStmt *stmt)
{
    Iteration *iteration = context;
    ir_each_own_node(stmt, count_node, iteration);
    iteration->nodes++;
    iteration->simple &= stmt->kind == IR_SET || stmt->kind == IR_STORE || stmt->kind == IR_IF ||
                         stmt->kind == IR_CONTINUE || stmt->kind == IR_EVAL;
}

/* ---- how ----------------------------------------------------------------------------------- */

/* Whether another load has brought what a load of a window needs, but for a little. */
static bool is_brought(const Unroll *u, int index)
{
    for (int i = 0; i < index; i++)
        if (u->lifted[i].window != NO_WINDOW && u->lifted[i].window == u->lifted[index].window)
            return true;
    return false;
}

static int words_of(const Unroll *u)
{
    int bytes = 0;
    for (int i = 0; i < u->count; i++)
        if (u->lifted[i].access->kind == ACCESS_LOAD && !is_brought(u, i))
            bytes += (int)type_size(u->lifted[i].access->array->type->array.element);
    return (bytes * (u->chunks || u->rows ? u->width : 1) + 3) / 4;
}

/* Whether blocks are a warp each, as there are few threads: what they wait for nothing hides. */
static bool is_alone(const Unroll *u)
{
    return u->unit->kernel->options.launch_threads == WARP_LANES;
}

/* Whether loads stand in branches, of which an iteration takes one. */
static bool has_guarded(const Unroll *u)
{
    for (int i = 0; i < u->count; i++)
        if (u->lifted[i].guards.count)
            return true;
    return false;
}

/* How many nodes so many iterations may have: those of windows mostly tell constants apart, and
** nothing but a few iterations hides what a warp waits for that is alone. */
static int nodes_allowed(const Unroll *u, int iterations)
{
    bool few = is_alone(u) && iterations <= (u->rows ? ROWS_ALONE : FEW_ALONE);
    bool either = is_alone(u) && (has_guarded(u) || iterations > ITERATIONS_ALONE);
    return few ? 4 * NODES_MOST : u->window_count || either ? 2 * NODES_MOST : NODES_MOST;
}

static int words_allowed(const Unroll *u)
{
    uint32_t block[3];
    if (is_alone(u))
        return WORDS_ALONE;
    bool small = launch_block(u->unit->launch, block) &&
                 (uint64_t)block[0] * block[1] * block[2] <= BLOCK_SMALL;
    return small ? WORDS_SMALL : WORDS_LARGE;
}

/* Of blocks of a warp: twice as many where they are so few, and bring so little, that memory has
** less to do than it can. */
static int iterations_alone(const Unroll *u)
{
    IrLaunch *launch = u->unit->launch;
    /* no more than these, as far as the grid's size is known */
    int threads = launch_large_grid(launch, GRID_BELOW_8192) ? 8192 : 32768;
    int apart = unroll_count_apart(u, DIVERGES_THREAD << launch_axis(&u->unit->shape, 0));
    bool idle = !u->ringed && !launch_large_grid(launch, GRID_FROM_32768) &&
                threads * ITERATIONS_ALONE * apart <= WORDS_FLYING;
    return idle && !ring_shares(u) ? 2 * ITERATIONS_ALONE : ITERATIONS_ALONE;
}

static int iterations_allowed(const Unroll *u, int nodes)
{
    int words = words_of(u), most = words_allowed(u);
    bool many = unroll_goes_by_block(u) && launch_large_grid(u->unit->launch, GRID_COARSENS_64);
    int usual = many ? ITERATIONS_MANY : ITERATIONS_MOST;
    int iterations = u->chunks ? CHUNKS_MOST : is_alone(u) ? iterations_alone(u) : usual;
    int each = u->chunks ? u->width * nodes : nodes;
    while (iterations > 1 &&
           (iterations * words > most || iterations * each > nodes_allowed(u, iterations)))
        iterations /= 2;
    return iterations;
}

/* As many as were asked for, if the text is not too long. Chunks count by their elements, and rows
** that are loaded at once have as many iterations as that brings, or are not. */
static void take_wish(Unroll *u, int nodes)
{
    int iterations = u->unit->unroll;
    while (iterations > 1 && iterations * nodes > NODES_MOST)
        iterations /= 2;
    u->rows = u->rows && iterations == u->width;
    u->iterations = !u->chunks ? iterations : iterations > u->width ? iterations / u->width : 1;
}

/* Whether most loads have wide pieces of rows, or there is a window that does. */
static bool has_wide_pieces(const Unroll *u)
{
    int wide = 0;
    bool any = false;
    for (int i = 0; i < u->count; i++) {
        wide += u->lifted[i].wide;
        any |= u->lifted[i].window != NO_WINDOW;
    }
    return 2 * wide > u->count || any;
}

/* Whether the counter begins at a multiple of a power of two, whatever the launch. */
static bool starts_at_multiple(const Unroll *u, int64_t of)
{
    const IrAffine affine = { .sets = u->names, .unit = { 1, 1, 1 } };
    return affine_multiple(&affine, u->loop->for_.start) >= of;
}

/* Whether the counter goes along rows, of which loads have wide pieces. */
static bool goes_along_rows(Unroll *u)
{
    const IrValue *start = u->loop->for_.start;
    if (!ir_is_integer(u->loop->for_.step, 1) || !ir_nonnegative(start) || !has_wide_pieces(u))
        return false;
    u->width = unroll_width_of(u);
    return u->width > 1 && starts_at_multiple(u, u->width);
}

/* Whether so many iterations along rows are whole wide accesses, and come from such a place on. */
static bool are_whole_rows(const Unroll *u, int64_t iterations)
{
    int64_t bytes = 1;
    for (int i = 0; i < u->count; i++) {
        int64_t own = (int64_t)type_size(u->lifted[i].access->array->type->array.element);
        bytes = own > bytes ? own : bytes;
    }
    return iterations >= u->width && (iterations & (iterations - 1)) == 0 &&
           iterations * bytes <= WIDEST_BYTES && starts_at_multiple(u, iterations);
}

/* Iterations along rows: several wide accesses of each array at once, if all are little enough. */
static int iterations_along_rows(const Unroll *u, int nodes)
{
    int more = 1, words = words_of(u);
    while (are_whole_rows(u, 2 * more * u->width) && 2 * more * words <= words_allowed(u) &&
           2 * more * u->width * nodes <= nodes_allowed(u, 2 * more * u->width))
        more *= 2;
    return more * u->width;
}

/* Whether a loop that is laid out anyhow goes along rows: each thread along one of its own. */
static bool are_own_rows(Unroll *u, int nodes)
{
    int64_t trips = ir_trip_count(u->loop);
    for (int i = 0; i < u->count; i++)
        if (!u->lifted[i].wide)
            return false;
    if ((!unroll_is_short(u->loop, nodes) && !unroll_through_own(u->loop)) ||
        trips > ITERATIONS_ALONE || !goes_along_rows(u) || trips <= u->width || trips % u->width ||
        u->window_count || u->claim_count)
        return false;
    return unroll_count_apart(u, UNROLL_ANY_THREAD) == u->count;
}

static bool may_unroll(const IrStmt *stmt)
{
    return stmt->kind == IR_FOR && !stmt->for_.unroll && stmt->for_.body.first &&
           (unroll_counts_upward(stmt) || unroll_counts_downward(stmt));
}

/* ---- which ----------------------------------------------------------------------------------- */

Directive unroll_directive(const Unroll *u, Primitive primitive)
{
    return (Directive){ primitive, .loop = schedule_loop(u->loop), .site = u->loop,
                        .span = u->loop->span };
}

static Directive *refuse(const Unroll *u, const char *why)
{
    schedule_refuse(u->unit, unroll_directive(u, DO_UNROLL), u->loop->span, why);
    schedule_refuse(u->unit, unroll_directive(u, DO_VECTORISE), u->loop->span, why);
    return NULL;
}

/* What was given to be shared out anew. */
static Directive *take_shared(Unroll *u, Directive *given, int axis)
{
    if (!unroll_can_share(u, axis))
        return refuse(u, "its iterations cannot be shared out anew by wide accesses");
    if (given->width != u->width)
        return refuse(u, "its wide accesses have another number of elements");
    if (given->at_once > CHUNKS_MOST)
        return refuse(u, "at most 8 wide accesses are begun at once");
    u->chunks = true;
    u->iterations = (int)given->at_once;
    return given;
}

static Directive *take_plain(Unroll *u, Directive *given, int nodes)
{
    u->rows = given->vector && goes_along_rows(u);
    u->iterations = (int)given->number;
    u->all = u->rows && are_own_rows(u, nodes) && ir_trip_count(u->loop) % u->iterations == 0;
    if (given->vector && !u->rows)
        return refuse(u, "its counter does not go along rows that are known to be aligned");
    if (u->rows && !are_whole_rows(u, u->iterations))
        return refuse(u, "its wide loads have another number of elements");
    if (u->count == 0 && u->claim_count == 0)
        return refuse(u, "no load of it can come before the iteration");
    if (u->iterations < 2 || u->iterations > UNROLL_MOST)
        return refuse(u, "it takes 2 to 64 iterations");
    return given;
}

/* What the schedule has for the loop. */
static Directive *take_given(Unroll *u, int axis, int nodes)
{
    Directive *shared = schedule_take(u->unit, unroll_directive(u, DO_VECTORISE), false);
    Directive *plain = schedule_take(u->unit, unroll_directive(u, DO_UNROLL), false);
    return shared ? take_shared(u, shared, axis) : plain ? take_plain(u, plain, nodes) : NULL;
}

/* Whether the device's compiler does as well by itself: of iterations that add up what an array
** has, from one element to the next, by the grid's stride, or by a number that is not known, it
** begins as many at once, and spends fewer registers. */
static bool is_plain(const Unroll *u, int axis, int nodes)
{
    const IrValue *step = u->loop->for_.step;
    bool known = ir_is_constant(step);
    bool regular = axis >= 0 || !known || ir_is_integer(step, u->down ? -1 : 1);
    return regular && u->count == 1 && u->accesses.count == 1 && nodes <= NODES_PLAIN &&
           (!known || !u->unit->shape.changed) && ir_array_param(u->lifted[0].access->array) >= 0 &&
           (axis >= 0 || unroll_count_apart(u, UNROLL_ANY_THREAD) == 1);
}

/* Whether the counter is no load's last index: what it goes along lies far apart. */
static bool goes_across_rows(const Unroll *u)
{
    for (int i = 0; i < u->count; i++) {
        const Access *access = u->lifted[i].access;
        if (!sets_invariant(&u->accesses.sets, access->indices[access->count - 1], NULL))
            return false;
    }
    return true;
}

/* Whether few iterations at once are enough, and more are in the way: where the first cache has
** what all threads read of rows, and iterations take their time, or wait for more; and where memory
** has enough to answer as many threads go across rows, or a block at a time, and would turn from
** reads to writes and back. */
static bool is_enough(Unroll *u, const Iteration *iteration)
{
    bool apart = unroll_goes_by_block(u) || unroll_count_apart(u, UNROLL_ANY_THREAD) > 0;
    if (!apart)
        return u->rows && !is_alone(u) && (iteration->slow || unroll_waits(u));
    return unroll_stores(u) && (goes_across_rows(u) || unroll_goes_by_block(u)) &&
           launch_large_grid(u->unit->launch, GRID_COARSENS_4);
}

/* Whether a loop by the stride of the grid reads and writes what lies side by side, and has threads
** enough: these have as much under way as memory answers, which would turn from reads to writes and
** back. */
static bool is_busy(Unroll *u, int axis)
{
    return axis >= 0 && !u->chunks && unroll_stores(u) && !unroll_waits(u) &&
           launch_large_grid(u->unit->launch, GRID_COARSENS_8);
}

/* What pays for the loop; NULL: nothing. */
static Directive *choose(Unroll *u, int axis, const Iteration *iteration)
{
    int nodes = iteration->nodes, enough = u->width > ENOUGH ? u->width : ENOUGH;
    u->all = !u->unit->unroll && are_own_rows(u, nodes);
    bool pays = u->all || (!unroll_is_short(u->loop, nodes) && !unroll_through_own(u->loop));
    bool scattered = unroll_is_scattered(u);
    u->chunks = pays && !u->all && unroll_can_share(u, axis) && !scattered;
    u->rows = pays && !u->chunks && goes_along_rows(u);
    pays &= u->chunks || u->rows || u->count > 0 || u->claim_count > 0;
    pays &=
        u->chunks || u->rows || u->unit->unroll || !(is_plain(u, axis, nodes) || is_busy(u, axis));
    if (pays && u->unit->unroll)
        take_wish(u, nodes);
    else if (pays)
        u->iterations = u->rows ? iterations_along_rows(u, nodes) : iterations_allowed(u, nodes);
    if (pays && !u->unit->unroll && !u->chunks && u->iterations > enough &&
        (scattered || is_enough(u, iteration)))
        u->iterations = enough;
    if (u->all && ir_trip_count(u->loop) % u->iterations)
        u->iterations = u->width;
    pays &= u->chunks || u->all ||
            (u->iterations >= 2 && u->iterations * nodes <= nodes_allowed(u, u->iterations));
    Directive shared = unroll_directive(u, DO_VECTORISE), plain = unroll_directive(u, DO_UNROLL);
    shared.width = u->width;
    shared.at_once = plain.number = u->iterations;
    plain.vector = u->rows;
    Directive *first = schedule_take(u->unit, shared, pays && u->chunks);
    Directive *second = schedule_take(u->unit, plain, pays && !u->chunks);
    return first ? first : second;
}

/* Of a loop in which what atomics found is used; false: it stays as it is. */
static bool take_claims(Unroll *u)
{
    ir_effects(u->unit);
    if (!unroll_only_read(u))
        return false;
    unroll_find_claims(u);
    return true;
}

static void say_claims(const Unroll *u)
{
    for (int i = 0; i < u->claim_count; i++) {
        const IrValue *atomic = u->claims[i].stmt->set.value;
        ir_remark(
            u->unit, atomic->span,
            u->claims[i].one
                ? "a warp adds to '%s' once for all iterations that it begins at once"
                : "atomics on '%s' of all iterations at once come before what they found is used",
            atomic->operands[0]->var->name);
    }
}

static void try_loop(IrUnit *unit, IrRegion *region, IrStmt *loop)
{
    const IrRegion *body = &unit->kernel->body;
    IrPointsTo points_to = ir_points_to(unit->arena, unit->kernel);
    Unroll u = {
        .unit = unit, .region = region, .loop = loop, .down = unroll_counts_downward(loop)
    };
    u.names = ir_sets(unit->arena, unit->kernel, body);
    Iteration iteration = { .simple = true };
    ir_each_stmt(&loop->for_.body, count_stmt, &iteration);
    u.accesses = accesses_of(unit, &points_to, loop);
    bool found = u.accesses.found && !u.down;
    if (!iteration.simple || (u.accesses.why && !found) ||
        !unroll_find_own(&u, ir_reads(unit->arena, unit->kernel, body),
                         ir_reads(unit->arena, unit->kernel, &loop->for_.body))) {
        refuse(&u, !iteration.simple ? "an iteration may leave the loop, calls or loops itself"
                   : u.accesses.why && !found ? u.accesses.why
                                              : "its counter is read behind the loop");
        return;
    }
    unroll_lift_loads(&u);
    if (!u.down)
        windows_find(&u);
    if (found && !take_claims(&u)) {
        refuse(&u, u.accesses.why);
        return;
    }
    iteration.nodes += iteration.nodes * u.claim_count / 2; /* the way to each, once more */
    u.small_step =
        ir_is_constant(loop->for_.step) || ir_threads_axis(&u.names, loop->for_.step) >= 0;
    int axis = found ? -1 : ir_stride_axis(&u.names, loop);
    if (axis < 0 && !u.down && !goes_along_rows(&u))
        u.ringed = ring_try(u, iteration.nodes);
    if (axis < 0 && !found && !goes_along_rows(&u))
        unroll_lift_guarded(&u);
    Directive *directive = schedule_is_given(unit) ? take_given(&u, axis, iteration.nodes)
                                                   : choose(&u, axis, &iteration);
    if (!directive)
        return;
    if (u.chunks)
        ir_remark(unit, loop->span, "the loop takes %d elements at a time, %d times at once",
                  u.width, u.iterations);
    else
        ir_remark(unit, loop->span, "the loop begins %d iterations at once%s", u.iterations,
                  u.rows ? ", by wide loads" : "");
    unroll_make(&u);
    schedule_done(directive);
    say_claims(&u);
}

/* Innermost loops, each once: what is put in front of one is not come to. */
static void visit_stmt(void *context, IrRegion *region, IrStmt *stmt)
{
    IrUnit *unit = context;
    if (!may_unroll(stmt) || unit->unroll == 1)
        return;
    if (!ir_has_loop(&stmt->for_.body) && !unroll_is_short(stmt, NODES_LEAST))
        unroll_spell(unit, stmt);
    try_loop(unit, region, stmt);
}

void ir_unroll(IrUnit *unit)
{
    unroll_widen(unit);
    unroll_bound_ends(unit);
    unroll_carry_remainders(unit);
    if (!unit->unroll)
        unroll_mask(unit);
    ir_change_stmts(&unit->kernel->body, visit_stmt, unit);
    if (!unit->unroll && !unit->processor)
        ir_unroll_shared(unit);
}

/* Several threads' work for one, in kernels whose threads meet at barriers.
**
**     near_b[y, x] = b[i + y, col]         near_b[y, x] = b[i + y, col]
**     cuda.syncthreads()                   near_b[y + 8, x] = b[i + y + 8, col]
**     for k in range(16):                  cuda.syncthreads()
**         total += near_a[y, k] * \        for k in range(16):
**                  near_b[k, x]                total += near_a[y, k] * near_b[k, x]
**     cuda.syncthreads()                       total_1 += near_a[y + 8, k] * near_b[k, x]
**                                          cuda.syncthreads()
**
** A block is carried out by fewer threads than were asked for, each of which stands for 2 or 4 that
** lie evenly apart along an axis; and one block for 2 or 4 neighbours, with a copy of each shared
** array that these would fill differently. Between two barriers, every statement is copied for the
** threads that it varies by. What it does not vary by is done once: that is the gain.
**
** It is LEGAL if
** - the block's shape is known, and divisible so;
** - all threads of a block come to each barrier that any comes to, as far as that is for loops to
**   say; a branch with a barrier may be left out by some, who are then held back statement by
**   statement;
** - nothing tells threads of one warp from others, waits for another thread but at barriers (that
**   is, no fences and locks), prints or reports; barriers count nothing;
** - shared and private arrays are only ever accessed element by element.
** The order of a thread's own accesses stays; between two barriers there is no other. Blocks that
** are merged see their own shared memory; those at the grid's end, where some are missing, are
** carried out one by one.
**
** It PAYS to divide a block if its threads along the axis read some of the same elements in a loop,
** or have neither loops of their own nor such as read without a barrier: then more accesses are
** under way at once. It pays to merge
** blocks if they read the same elements of shared memory in a loop, and there are blocks enough; or
** if they have few threads, as those of 8 x 8 pixels, whose begin takes a multiprocessor as long as
** their work. In all of this a thread's variables must stay in registers, and the block's arrays
** within 48 KB. */
#include "ir/analysis/segments.h"
#include "ir/schedule/replicate/replicas.h"
#include "ir/schedule/schedule.h"

enum {
    LEAST_THREADS = 64,    /* that a block must keep */
    MOST_WORDS = 64,       /* 4 bytes each, that loops may carry in variables of one thread */
    MOST_WORDS_LARGE = 32, /* the same of blocks of more than LARGE_BLOCK threads */
    LARGE_BLOCK = 256,
    SMALL_BLOCK = 64,       /* threads of a block that takes no longer than its begin */
    MOST_STATEMENTS = 4096, /* that it may make of a kernel */
    MOST_OF_TEXT = 400,     /* statements that a kernel may have, to be looked at */
};

/* ---- what loops carry ---------------------------------------------------------------------- */

typedef struct Sizes {
    const Replicas *r;
    const IrFunc *fn;
    bool *carried;      /* by IrVar.id: set in a loop to what it was before and something more */
    int64_t words;      /* of what loops carry, for one thread */
    int64_t shared;     /* bytes of shared arrays */
    int64_t statements; /* of the body when it is copied */
} Sizes;

static int64_t copies_of(const Replicas *r, int bits)
{
    int dims = replicas_of_bits(r, bits);
    int64_t copies = 1;
    for (int d = 0; d < r->dim_count; d++)
        copies *= dims >> d & 1 ? r->dims[d].count : 1;
    return copies;
}

static int64_t elements_of(const IrVar *var)
{
    int64_t elements = 1;
    for (int k = 0; k < var->type->array.rank; k++)
        elements *= var->shape[k];
    return elements;
}

static void size_region(Sizes *s, const IrRegion *region, bool looped)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool loop = ir_is_loop(stmt);
        s->statements++;
        if (stmt->kind == IR_SET && looped)
            s->carried[stmt->set.var->id] |= ir_mentions(stmt->set.value, stmt->set.var) != 0;
        for_each_region (inner, stmt)
            size_region(s, inner, looped || loop);
    }
}

static void size_var(Sizes *s, const IrVar *var)
{
    int64_t copies = copies_of(s->r, s->r->joints.divergence.vars[var->id]);
    if (var->kind == VAR_PRIVATE)
        s->words += copies * elements_of(var) * (int64_t)type_size(var->type->array.element) / 4;
    else if (var->kind == VAR_SHARED)
        s->shared += copies * elements_of(var) * (int64_t)type_size(var->type->array.element);
    else if (var->kind == VAR_LOCAL && s->carried[var->id])
        s->words += copies * (int64_t)((type_size(var->type) + 3) / 4);
}

static uint32_t threads_of(const Replicas *r)
{
    uint32_t threads = r->block[0] * r->block[1] * r->block[2];
    for (int d = 0; d < r->dim_count; d++)
        threads /= r->dims[d].merges ? 1 : (uint32_t)r->dims[d].count;
    return threads;
}

/* Whether a kernel copied by these dims is still of a reasonable size. */
static bool fits(const Replicas *r)
{
    const IrFunc *fn = r->unit->kernel;
    Sizes s = { .r = r, .fn = fn };
    s.carried = arena_array(r->unit->arena, bool, fn->var_count + 1);
    size_region(&s, &fn->body, false);
    for (int i = 0; i < fn->var_count; i++)
        size_var(&s, fn->vars[i]);
    return s.words <= (threads_of(r) > LARGE_BLOCK ? MOST_WORDS_LARGE : MOST_WORDS) &&
           s.shared <= SHARED_BYTES && s.statements * copies_of(r, ~0) <= MOST_STATEMENTS;
}

/* ---- what threads have in common ------------------------------------------------------------- */

typedef struct Reuse {
    const IrDivergence *divergence;
    bool shared_only; /* loads of shared memory alone count */
    int bit;
    int64_t weight;
    int64_t same, all; /* loads in loops: those that do not vary by `bit`, and all */
    bool loops;        /* a loop makes other iterations for threads that differ in it */
    bool follows;      /* loads of a loop without barriers, which follow one another */
} Reuse;

static void reuse_of_node(void *context, IrValue *value)
{
    Reuse *u = context;
    const IrVar *var = value->op == OP_load ? ir_array_base(value->operands[0]) : NULL;
    bool shared = var && ir_is_shared(var);
    if (value->op != OP_load || (u->shared_only && !shared))
        return;
    u->all += u->weight;
    if (!(ir_divergence_of(u->divergence, value) & (u->bit | DIVERGES_OTHER)))
        u->same += u->weight;
}

static void reuse_of_region(Reuse *u, const IrRegion *region, int64_t weight)
{
    enum { ITERATIONS = 8 }; /* that a loop is taken to make */
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool loop = ir_is_loop(stmt);
        int64_t inside = !loop ? weight : weight ? weight * ITERATIONS : 1;
        u->weight = weight;
        if (weight)
            ir_each_own_node(stmt, reuse_of_node, u);
        if (loop)
            u->loops |= ir_divergence_of_loop(u->divergence, stmt) & (u->bit | DIVERGES_OTHER);
        for_each_region (inner, stmt) {
            u->follows |= loop && !ir_waits(stmt) && ir_region_has_node(inner, ir_is_load);
            reuse_of_region(u, inner, inside);
        }
    }
}

/* Of what loops read, at least a quarter is common to threads that differ in `bit` alone. */
static bool reads_in_common(Reuse *u, const Replicas *r, int bit, bool shared_only)
{
    *u = (Reuse){ .divergence = &r->joints.divergence, .bit = bit, .shared_only = shared_only };
    reuse_of_region(u, &r->unit->kernel->body, 0);
    return u->same && u->same * 4 >= u->all;
}

/* ---- how much ------------------------------------------------------------------------------- */

/* Adds the largest of 4 and 2 that fits. */
static bool add_dim(Replicas *r, int axis, bool merges)
{
    ReplicaDim *dim = &r->dims[r->dim_count++];
    for (int count = 4; count > 1; count /= 2) {
        *dim = (ReplicaDim){ merges, axis, count };
        bool divides =
            merges || (r->block[axis] % (uint32_t)count == 0 && threads_of(r) >= LEAST_THREADS);
        if (divides && fits(r))
            return true;
    }
    r->dim_count--;
    return false;
}

static Directive directive_of(const Replicas *r, const ReplicaDim *dim)
{
    return (Directive){ dim->merges ? DO_MERGE : DO_DIVIDE,
                        .axes = { (uint8_t)launch_axis(&r->unit->shape, dim->axis) },
                        .axis_count = 1, .number = dim->count };
}

/* Adds what the schedule has for an axis. */
static void add_given(Replicas *r, int axis, bool merges)
{
    enum { MOST = 16 }; /* threads for one, of a schedule that is given */
    ReplicaDim dim = { merges, axis, 1 };
    Directive *given = schedule_take(r->unit, directive_of(r, &dim), false);
    const Span nowhere = { 0 };
    if (!given)
        return;
    dim.count = given->number > MOST ? MOST + 1 : (int)given->number;
    bool odd = !merges && r->block[axis] % (uint32_t)dim.count != 0;
    if (dim.count < 2 || dim.count > MOST || odd) {
        schedule_refuse(r->unit, *given, nowhere,
                        odd ? "it does not divide the threads of a block along that axis"
                            : "it takes 2 to 16");
    } else if (merges && ir_has_kind(r->unit->kernel, VAR_SHARED_DYNAMIC)) {
        schedule_refuse(r->unit, *given, nowhere, "the kernel has dynamic shared memory");
    } else if (r->dim_count == REPLICA_DIMS) {
        schedule_refuse(r->unit, *given, nowhere, "there are four of the kind already");
    } else {
        r->dims[r->dim_count++] = dim;
    }
}

/* Along the first axis the threads of a warp stay neighbours. */
static void divide(Replicas *r)
{
    if (schedule_is_given(r->unit)) {
        for (int axis = 0; axis < 3; axis++)
            add_given(r, axis, false);
        return;
    }
    for (int axis = 1; axis < 3; axis++) {
        Reuse u;
        bool common = reads_in_common(&u, r, DIVERGES_THREAD << axis, false);
        bool alone = !u.loops && !u.follows;
        if (r->block[axis] > 1 && (common || alone) && add_dim(r, axis, false))
            return;
    }
}

/* Whether loops carry a variable that blocks along an axis have for themselves. */
static bool carries(const Replicas *r, int axis)
{
    const IrFunc *fn = r->unit->kernel;
    Sizes s = { .carried = arena_array(r->unit->arena, bool, fn->var_count + 1) };
    size_region(&s, &fn->body, false);
    for (int i = 0; i < fn->var_count; i++)
        if (s.carried[i] && r->joints.divergence.vars[i] & (DIVERGES_BLOCK << axis))
            return true;
    return false;
}

/* Of blocks of few threads, of which there are many along an axis. */
static void merge_small(Replicas *r)
{
    if (threads_of(r) > SMALL_BLOCK || ir_has_kind(r->unit->kernel, VAR_SHARED_DYNAMIC) ||
        !launch_large_grid(r->unit->launch, GRID_COARSENS_16))
        return;
    for (int axis = 0; axis < 3; axis++)
        if (r->block[axis] * 4 < GRID_ALONG && launch_along_64(r->unit->launch, axis) &&
            add_dim(r, axis, true))
            return;
}

static void merge(Replicas *r)
{
    if (schedule_is_given(r->unit)) {
        for (int axis = 0; axis < 3; axis++)
            add_given(r, axis, true);
        return;
    }
    for (int axis = 0; axis < 3 && r->dim_count < REPLICA_DIMS; axis++) {
        Reuse u;
        if (!ir_has_kind(r->unit->kernel, VAR_SHARED_DYNAMIC) && carries(r, axis) &&
            reads_in_common(&u, r, DIVERGES_BLOCK << axis, true) &&
            launch_blocks_from_4096(r->unit->launch))
            add_dim(r, axis, true);
    }
    if (!r->dim_count)
        merge_small(r);
}

/* ---- the pass ------------------------------------------------------------------------------ */

static Span first_barrier(const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (!ir_waits(stmt))
            continue;
        for_each_region (inner, stmt)
            if (ir_region_effects(inner) & EFFECT_BLOCK_SYNC)
                return first_barrier(inner);
        return stmt->span;
    }
    return (Span){ 0 };
}

static void note_shape(Replicas *r)
{
    IrShape *shape = &r->unit->shape;
    if (!shape->changed)
        *shape = (IrShape){ .axis = { 0, 1, 2 }, .divide = { 1, 1, 1 }, .merge = { 1, 1, 1 } };
    shape->changed = true;
    for (int d = 0; d < r->dim_count; d++) {
        uint32_t *sizes = r->dims[d].merges ? shape->merge : shape->divide;
        sizes[r->dims[d].axis] = (uint32_t)r->dims[d].count;
    }
}

static void remark_done(Replicas *r, Span span)
{
    for (int d = 0; d < r->dim_count; d++) {
        const ReplicaDim *dim = &r->dims[d];
        char axis = "xyz"[r->unit->shape.axis[dim->axis]];
        if (dim->merges)
            ir_remark(r->unit, span, "one block does the work of %d along %c", dim->count, axis);
        else
            ir_remark(r->unit, span, "each thread does the work of %d along %c", dim->count, axis);
    }
}

static void note_directives(Replicas *r)
{
    for (int d = 0; d < r->dim_count; d++) {
        Directive *directive = schedule_take(r->unit, directive_of(r, &r->dims[d]), true);
        if (directive)
            schedule_done(directive);
    }
}

/* Parameters change the numbers of variables. */
static void ask_for_blocks(Replicas *r)
{
    const uint8_t *axis = r->unit->shape.axis;
    for (int d = 0; d < r->dim_count; d++)
        if (r->dims[d].merges)
            r->blocks[r->dims[d].axis] = ir_hidden(r->unit, HIDDEN_BLOCKS, axis[r->dims[d].axis]);
    r->joints = ir_joints(r->unit);
}

static void count_stmt(void *context, IrStmt *stmt)
{
    (void)stmt;
    ++*(int *)context;
}

static bool is_candidate(const IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    int statements = 0;
    ir_each_stmt(&fn->body, count_stmt, &statements);
    return statements <= MOST_OF_TEXT && ir_region_effects(&fn->body) & EFFECT_BLOCK_SYNC &&
           !unit->shape.free && !fn->options.max_registers;
}

void ir_blocks(IrUnit *unit)
{
    Replicas r = { .unit = unit };
    uint32_t block[3];
    if (!is_candidate(unit) || !launch_block(unit->launch, block))
        return;
    for (int k = 0; k < 3; k++)
        r.block[k] = block[launch_axis(&unit->shape, k)];
    r.joints = ir_joints(unit);
    divide(&r);
    merge(&r);
    if (!r.dim_count)
        return;
    Span span = first_barrier(&unit->kernel->body);
    const char *hindrance = replicas_hindrance(&r, &span);
    if (hindrance) {
        ir_remark(unit, span, "a thread could do the work of several, but %s", hindrance);
        schedule_refuse_all(unit, DO_DIVIDE, span, hindrance);
        schedule_refuse_all(unit, DO_MERGE, span, hindrance);
        return;
    }
    note_directives(&r);
    note_shape(&r);
    ask_for_blocks(&r);
    replicas_build(&r);
    remark_done(&r, span);
}

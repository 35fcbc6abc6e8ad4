/* What the threads of a block read again and again goes through shared memory.
**
**     for k in 0 to n by 1                      _full = all threads of the block have whole tiles
**         a_0 = load(a, y_0, k)                 if _full
**         ...                                       for _iteration in 0 to n - 15 by 16
**         eval wide_load(b_wide, b, k, x_0)             eval syncthreads()
**         total = total + a_0 * b_wide[0]               for each element of a and b that the block
**                                                       reads in 16 iterations, by one of its
**                                                       threads:
** becomes                                                   store a_near[..] = load(a, ..)
**                                                       eval syncthreads()
**                                                       for _k in 0 to 16 by 1 unroll
**                                                           a_0 = load(a_near, _k, ..)
**                                                           total = total + a_0 * ...
**                                               for k in what is left over: as it was
**
** With `ahead N` a_near has N + 1 parts: threads begin to copy what N rounds of iterations further
** on is read, asynchronously, and go on with the iterations at hand. One barrier a round is enough:
** what it fills was last read before the barrier.
**
** For kernels of which each thread already does the work of a tile along two axes (coarsen.c): of
** 256 threads of 8 x 8 each, sixteen read the same row, and sixteen the same column.
**
** Legal if
** - all threads of the block come to the loop and make the same iterations, under no conditions but
**   such as are the same for all of them. That all take the branch of whole tiles they find out
**   together, at a barrier that all come to;
** - every iteration makes the same reads, of arrays that nothing writes and that overlap no other
**   argument. Then it is unobservable which thread reads an element, and how many iterations before
**   it is used. What is loaded is just what the threads would load, no element more.
** The order of a thread's own operations stays, and sums come out bit for bit.
**
** Pays if elements along both axes of the tile are read by threads that differ along the other. */
#include "ir/schedule/coarsen/coarsen.h"
#include "ir/schedule/stage/stage.h"

enum {
    ITERATIONS_LARGE = 16, /* that are staged at once, */
    ITERATIONS_SMALL = 8,  /* where more have no room */
    BYTES_ROOMY =
        56 << 10,     /* for BROUGHT_BYTES where a multiprocessor has room for two such blocks */
    LEAST_TILE = 2,   /* threads' work along each of two axes */
    LEAST_ACROSS = 4, /* threads that read the same */
    AHEAD_MOST = 3,   /* rounds that are on their way meanwhile */
    ARCH_ASYNC = 80   /* GPUs that copy asynchronously, from here on */
};

/* ---- indices ------------------------------------------------------------------------------- */

static IrValue *sum(const Stage *s, IrValue *a, IrValue *b)
{
    if (!a || !b)
        return a ? a : b;
    return ir_binary(s->unit->arena, OP_add, a, b, a->span);
}

static IrValue *scaled(const Stage *s, IrValue *value, int64_t factor)
{
    if (!value)
        return NULL;
    return ir_binary(s->unit->arena, OP_mul, value,
                     ir_integer(s->unit->arena, type_int64, factor, value->span), value->span);
}

static IrValue *block_index(const Stage *s, int axis, Span span)
{
    Arena *arena = s->unit->arena;
    return ir_cast(arena, type_int64, ir_axis(arena, INTR_block_idx, axis, span), span);
}

/* A thread's own index in its block. */
static void add_thread(const Stage *s, TileIndex *index, int axis)
{
    if (s->block[axis] > 1)
        index->slope[axis]++;
}

/* Whether a value is one for all threads of the block and all iterations, and cheap to have again.
** What changes in front of the loop is not: an index may have been made of it before. */
static bool is_fixed(const Stage *s, const IrValue *value)
{
    return ir_one_of_block(s->unit, &s->affine.sets, value) &&
           sets_invariant(&s->inside, value, NULL) && sets_stable(&s->affine.sets, value);
}

static bool take_apart(const Stage *s, const IrValue *value, TileIndex *index);

static bool varies(const TileIndex *index)
{
    return index->slope[0] || index->slope[1] || index->slope[2];
}

/* min(of the threads' own indices, what is the same for the block). */
static bool take_least(const Stage *s, const IrValue *value, TileIndex *index)
{
    IrValue *most = value->operands[1];
    if (!is_fixed(s, most) || !take_apart(s, value->operands[0], index) || index->block ||
        index->most)
        return false;
    index->most = most;
    index->within = index->number;
    index->number = 0;
    return true;
}

static bool take_sum(const Stage *s, const IrValue *value, TileIndex *index)
{
    TileIndex other;
    if (!take_apart(s, value->operands[0], index) || !take_apart(s, value->operands[1], &other))
        return false;
    if ((index->most && varies(&other)) || (other.most && varies(index)))
        return false;
    index->block = sum(s, index->block, other.block);
    for (int k = 0; k < 3; k++)
        index->slope[k] += other.slope[k];
    index->most = other.most ? other.most : index->most;
    index->within += other.within;
    return !__builtin_add_overflow(index->number, other.number, &index->number);
}

static bool take_product(const Stage *s, const IrValue *value, TileIndex *index)
{
    const IrValue *factor = value->operands[1];
    if (!ir_is_constant(factor) || factor->constant.integer < 0 ||
        factor->constant.integer > SPAN_MOST || !take_apart(s, value->operands[0], index) ||
        index->most)
        return false;
    int64_t by = factor->constant.integer;
    index->block = scaled(s, index->block, by);
    for (int k = 0; k < 3; k++) {
        if (index->slope[k] > SPAN_MOST)
            return false;
        index->slope[k] *= by;
    }
    return !__builtin_mul_overflow(index->number, by, &index->number);
}

static bool take_intrinsic(const Stage *s, const IrValue *value, TileIndex *index)
{
    if (value->intrinsic == INTR_thread_idx) {
        add_thread(s, index, value->index);
        return true;
    }
    if (value->intrinsic == INTR_min)
        return take_least(s, value, index);
    if (value->intrinsic != INTR_grid)
        return false;
    index->block = scaled(s, block_index(s, value->index, value->span), s->block[value->index]);
    add_thread(s, index, value->index);
    return true;
}

/* What a variable holds that is set once, outside of the loop. */
static const IrValue *held_in(const Stage *s, const IrVar *var)
{
    return sets_any(&s->inside, var) ? NULL : sets_value(&s->affine.sets, var);
}

/* Takes an index apart; false if it is no such sum. */
static bool take_apart(const Stage *s, const IrValue *value, TileIndex *index)
{
    *index = (TileIndex){ 0 };
    if (!type_is_integer(value->type) || type_size(value->type) < 4 || !ir_nonnegative(value))
        return false;
    if (ir_is_constant(value)) {
        index->number = value->constant.integer;
        return true;
    }
    if (value->op == OP_cast && type_is_integer(value->operands[0]->type))
        return ir_keeps_value(value) && take_apart(s, value->operands[0], index);
    if (value->op == OP_add && take_sum(s, value, index))
        return true;
    *index = (TileIndex){ 0 };
    if (value->op == OP_mul && take_product(s, value, index))
        return true;
    *index = (TileIndex){ 0 };
    if (value->op == OP_intrinsic && take_intrinsic(s, value, index))
        return true;
    const IrValue *held = value->op == OP_var ? held_in(s, value->var) : NULL;
    *index = (TileIndex){ 0 };
    if (held && take_apart(s, held, index))
        return true;
    *index = (TileIndex){ 0 };
    if (!is_fixed(s, value))
        return false;
    index->block = ir_cast(s->unit->arena, type_int64, (IrValue *)value, value->span);
    return true;
}

static bool is_counter(const Stage *s, const IrValue *value)
{
    while (value->op == OP_cast && type_is_integer(value->type) && type_size(value->type) >= 8)
        value = value->operands[0];
    return ir_is_var(value, s->loop->for_.var);
}

/* ---- reads --------------------------------------------------------------------------------- */

bool staged_read(const IrValue *value, StageRead *read)
{
    bool wide = ir_is_intrinsic(value, INTR_wide_load);
    if (!wide && (value->op != OP_load || value->index))
        return false;
    const IrValue *array = value->operands[wide];
    if (array->op != OP_var || array->var->kind != VAR_PARAM)
        return false;
    *read = (StageRead){ array->var, value->operands + 1 + wide, value->count - 1 - wide, 1 };
    if (wide)
        read->width = (int)value->operands[0]->var->shape[0];
    return read->count == array->type->array.rank;
}

/* The index along which neighbours lie side by side. */
static int dense_index(const Type *array)
{
    return array->array.layout == LAYOUT_F ? 0 : array->array.rank - 1;
}

/* Which index is the counter and which an index of the tile; false if there is not one of each. */
static bool find_roles(const Stage *s, const StageRead *read, Staged *roles, TileIndex *index)
{
    *roles = (Staged){ .array = read->array, .index = read->index, .count = read->count };
    roles->counter = roles->along = -1;
    for (int i = 0; i < read->count; i++) {
        TileIndex own;
        if (is_counter(s, read->index[i])) {
            if (roles->counter >= 0)
                return false;
            roles->counter = i;
            continue;
        }
        if (!take_apart(s, read->index[i], &own))
            return false;
        for (int k = 0; k < 3; k++) {
            if (!own.slope[k])
                continue;
            if (roles->along >= 0)
                return false;
            roles->along = i;
            roles->axis = k;
            *index = own;
        }
    }
    roles->first = index->block;
    roles->most = index->most;
    return roles->counter >= 0 && roles->along >= 0 &&
           (read->width == 1 || roles->along == dense_index(read->array->type));
}

static bool same_or_none(const IrValue *a, const IrValue *b)
{
    return a && b ? ir_same_value(a, b) : a == b;
}

static bool belongs(const Staged *staged, const Staged *read)
{
    bool same = staged->array == read->array && staged->counter == read->counter &&
                staged->along == read->along && staged->axis == read->axis &&
                same_or_none(staged->first, read->first) && same_or_none(staged->most, read->most);
    for (int i = 0; i < read->count && same; i++)
        if (i != read->counter && i != read->along)
            same = ir_same_value(staged->index[i], read->index[i]);
    return same;
}

static Staged *find(Stage *s, const Staged *read)
{
    for (int i = 0; i < s->count; i++)
        if (belongs(&s->staged[i], read))
            return &s->staged[i];
    return NULL;
}

/* The first and the last index that the block's threads read; false if that is too far. */
static bool find_ends(const Stage *s, int axis, const TileIndex *index, int width, int64_t *first,
                      int64_t *last)
{
    int64_t slope = index->slope[axis];
    *first = index->number + index->within;
    if (index->number < 0 || index->within < 0 || *first < 0 || *first >= SPAN_MOST ||
        slope > SPAN_MOST)
        return false;
    *last = *first + slope * ((int64_t)s->block[axis] - 1) + width - 1;
    return *last < SPAN_MOST;
}

Staged *staged_find(Stage *s, const StageRead *read, TileIndex *index)
{
    Staged roles;
    int64_t first, last;
    *index = (TileIndex){ 0 };
    Staged *staged = find_roles(s, read, &roles, index) ? find(s, &roles) : NULL;
    bool has = staged && find_ends(s, staged->axis, index, read->width, &first, &last) &&
               first >= staged->low && last < staged->low + staged->span;
    return has ? staged : NULL;
}

/* Notes which elements the block's threads read; false if they are too far apart. */
static bool note_indices(const Stage *s, Staged *staged, const TileIndex *index, int width)
{
    int64_t first, last;
    if (!find_ends(s, staged->axis, index, width, &first, &last))
        return false;
    for (int64_t at = first; at <= last - width + 1; at += index->slope[staged->axis])
        for (int i = 0; i < width; i++)
            staged->seen[at + i] = true;
    if (index->number + width - 1 > staged->reach)
        staged->reach = index->number + width - 1;
    if (staged->group && (index->slope[staged->axis] != staged->group ||
                          index->within % staged->group || staged->reach >= staged->group))
        staged->group = 0;
    return true;
}

typedef struct StageReads {
    Stage *s;
    bool fit; /* STAGED_MOST and SPAN_MOST are enough */
} StageReads;

static void note_read(StageReads *reads, const IrValue *value)
{
    Stage *s = reads->s;
    StageRead read;
    Staged roles;
    TileIndex index = { 0 };
    if (!reads->fit || !staged_read(value, &read) || !find_roles(s, &read, &roles, &index) ||
        read.array->type->array.layout == LAYOUT_A || !ir_only_read(s->unit, read.array))
        return;
    Staged *staged = find(s, &roles);
    if (!staged) {
        reads->fit = s->count < STAGED_MOST;
        if (!reads->fit)
            return;
        staged = &s->staged[s->count++];
        *staged = roles;
        staged->group = index.slope[roles.axis];
        staged->width = read.width;
    }
    if (read.width != staged->width)
        staged->width = 1;
    reads->fit = note_indices(s, staged, &index, read.width);
}

/* Notes what is read whatever comes: others may lie beyond an array's end. */
static void note_certain(StageReads *reads, const IrValue *value)
{
    note_read(reads, value);
    for (int i = 0; i < ir_certain_operands(value); i++)
        note_certain(reads, value->operands[i]);
}

/* Fills low and span; false if some elements between the first and the last are not read. */
static bool measure(Staged *staged)
{
    int64_t low = 0, high = SPAN_MOST;
    while (!staged->seen[low])
        low++;
    while (!staged->seen[high - 1])
        high--;
    staged->low = low;
    staged->span = high - low;
    if (staged->most || low % staged->width || staged->span % staged->width)
        staged->width = 1;
    for (int64_t at = low; at < high; at++)
        if (!staged->seen[at])
            return false;
    return true;
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Whether an iteration is nothing but sets, private stores and wide loads, one after the other. */
static bool is_plain(const IrRegion *body)
{
    for (const IrStmt *stmt = body->first; stmt; stmt = stmt->next) {
        bool stores = stmt->kind == IR_STORE && stmt->store.array->op == OP_var &&
                      stmt->store.array->var->kind == VAR_PRIVATE;
        bool loads = stmt->kind == IR_EVAL && ir_is_intrinsic(stmt->eval.value, INTR_wide_load);
        if (stmt->kind != IR_SET && !stores && !loads)
            return false;
        if (ir_stmt_effects(stmt) & ~(EFFECT_READ | (loads || stores ? EFFECT_WRITE : 0)))
            return false;
    }
    return body->first != NULL;
}

/* Iterations that go up by one and that all threads of the block make. */
static bool counts(const IrStmt *loop)
{
    const IrValue *step = loop->for_.step, *stop = loop->for_.stop;
    return loop->for_.var->type == type_int64 && !loop->for_.unroll && ir_is_integer(step, 1) &&
           ir_uniform_value(loop->for_.start) && ir_uniform_value(stop) &&
           ir_nonnegative(loop->for_.start);
}

static int64_t row_of(const Staged *staged)
{
    return staged->span + WIDE_BYTES / (int64_t)type_size(staged->array->type->array.element);
}

static size_t element_bytes(const Staged *staged)
{
    return type_size(staged->array->type->array.element);
}

/* Whether what is read can be copied asynchronously: by the processor it is copied all the same. */
static bool may_be_ahead(const Stage *s)
{
    bool may = s->unit->processor || s->unit->arch >= ARCH_ASYNC;
    for (int i = 0; i < s->count; i++)
        may = may && (element_bytes(&s->staged[i]) == 4 || element_bytes(&s->staged[i]) == 8);
    return may;
}

static int64_t bytes_of_iteration(const Stage *s)
{
    int64_t bytes = 0;
    for (int i = 0; i < s->count; i++)
        bytes +=
            row_of(&s->staged[i]) * (int64_t)type_size(s->staged[i].array->type->array.element);
    return bytes;
}

/* How much of shared memory a block may take. */
static int64_t most_bytes(const Stage *s)
{
    bool roomy = s->unit->arch == 80 || s->unit->arch == 90 || s->unit->arch == 100;
    return roomy || s->unit->processor ? BYTES_ROOMY : BROUGHT_BYTES;
}

/* How many iterations fit shared memory, twice if the next are on their way; 0: too few. */
static int iterations_that_fit(const Stage *s, int ahead)
{
    int64_t bytes = bytes_of_iteration(s) * (1 + ahead);
    for (int iterations = ITERATIONS_LARGE; iterations >= ITERATIONS_SMALL; iterations /= 2)
        if (bytes * iterations <= BROUGHT_BYTES)
            return iterations;
    return 0;
}

/* How far ahead iterations are on their way: twice where as many as fit once have room so. */
static int best_ahead(const Stage *s)
{
    if (!may_be_ahead(s) || !iterations_that_fit(s, 1))
        return 0;
    int64_t bytes = bytes_of_iteration(s) * iterations_that_fit(s, 1);
    return bytes * 3 <= most_bytes(s) ? 2 : 1;
}

/* Elements along two axes, each read by threads that differ along the other. */
static bool pays(const Stage *s)
{
    bool axis[3] = { false };
    int axes = 0;
    for (int i = 0; i < s->count; i++)
        axis[s->staged[i].axis] = true;
    for (int k = 0; k < 3; k++)
        axes += axis[k] && s->block[k] >= LEAST_ACROSS && s->unit->shape.tile[k] >= LEAST_TILE;
    return axes == 2;
}

/* ---- which ----------------------------------------------------------------------------------- */

static Directive directive_of(const Stage *s, const Staged *staged)
{
    return (Directive){ DO_STAGE,
                        .array = staged->array->name,
                        .loop = schedule_loop(s->loop),
                        .site = staged->index,
                        .span = s->loop->span,
                        .iterations = s->iterations,
                        .ahead = s->ahead };
}

static void refuse_all(const Stage *s, const char *why)
{
    for (int i = 0; i < s->count; i++)
        schedule_refuse(s->unit, directive_of(s, &s->staged[i]), s->loop->span, why);
}

/* Keeps what the schedule has of what could be staged; false if that is nothing, or cannot be. */
static bool take_given(Stage *s)
{
    enum { MOST = 64 }; /* iterations of a schedule that is given */
    int kept = 0, iterations = 0, ahead = 0;
    for (int i = 0; i < s->count; i++) {
        Staged staged = s->staged[i];
        Directive *given = schedule_take(s->unit, directive_of(s, &staged), false);
        if (!given)
            continue;
        if (given->iterations > MOST || given->ahead > AHEAD_MOST ||
            (kept && (given->iterations != iterations || given->ahead != ahead))) {
            refuse_all(s, "all that a loop stages is staged for as many iterations, at most 64, "
                          "and as far ahead, at most 3 times");
            return false;
        }
        iterations = (int)given->iterations;
        ahead = (int)given->ahead;
        staged.directive = given;
        s->staged[kept++] = staged;
    }
    s->count = kept;
    s->iterations = iterations;
    s->ahead = ahead;
    if (kept && bytes_of_iteration(s) * iterations * (1 + ahead) > most_bytes(s)) {
        refuse_all(s, "it would take more shared memory than a block is to have");
        return false;
    }
    if (ahead && !may_be_ahead(s)) {
        refuse_all(s, "asynchronous copies are of elements of 4 or 8 bytes, on GPUs from sm_80 on");
        return false;
    }
    return kept > 0;
}

static bool choose(Stage *s)
{
    s->ahead = best_ahead(s);
    s->iterations = iterations_that_fit(s, s->ahead > 0);
    bool worth = pays(s) && s->iterations;
    for (int i = 0; i < s->count; i++)
        s->staged[i].directive = schedule_take(s->unit, directive_of(s, &s->staged[i]), worth);
    return worth;
}

static bool try_loop(Stage *s, IrStmt *loop)
{
    s->loop = loop;
    s->count = 0;
    if (loop->kind != IR_FOR || !counts(loop) || !is_plain(&loop->for_.body))
        return false;
    s->inside = ir_sets_of_loop(s->unit->arena, s->unit->kernel, loop);
    StageReads reads = { s, true };
    for (IrStmt *stmt = loop->for_.body.first; stmt; stmt = stmt->next)
        for_each_value (value, stmt)
            note_certain(&reads, value);
    for (int i = 0; i < s->count && reads.fit; i++)
        reads.fit = measure(&s->staged[i]);
    if (!reads.fit)
        refuse_all(s, "the block's threads read elements that are too far apart");
    if (!reads.fit || !(schedule_is_given(s->unit) ? take_given(s) : choose(s)))
        return false;
    stage_make(s);
    for (int i = 0; i < s->count; i++)
        schedule_done(s->staged[i].directive);
    ir_remark(s->unit, loop->span,
              "the block's threads share what they read in the loop, through shared memory, %d "
              "iterations at a time%s",
              s->iterations, s->ahead ? ", while what comes next is on its way" : "");
    return true;
}

/* The first loop of a region that can be staged: all threads of a block come there together, under
** conditions that are the same for all of them, too. */
static bool try_region(Stage *s, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool branch = stmt->kind == IR_IF && ir_uniform_value(stmt->if_.condition);
        s->region = region;
        if (try_loop(s, stmt) ||
            (branch && (try_region(s, &stmt->if_.then) || try_region(s, &stmt->if_.otherwise))))
            return true;
    }
    return false;
}

/* The branch that a whole tile takes: the last statement of the kernel. */
static IrStmt *tile_branch(const IrUnit *unit)
{
    IrStmt *last = unit->kernel->body.last;
    return last && last->kind == IR_IF && unit->shape.changed && unit->shape.free ? last : NULL;
}

void ir_stage(IrUnit *unit)
{
    Stage s = { .unit = unit, .branch = tile_branch(unit) };
    if (!s.branch)
        schedule_refuse_all(unit, DO_STAGE, unit->kernel->span,
                            "no thread does the work of several: that takes `jam`");
    if (!s.branch)
        return;
    for (int k = 0; k < 3; k++)
        s.block[k] = unit->shape.block[k];
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
    s.affine = ir_affine(unit, NULL);
    try_region(&s, &s.branch->if_.then);
}

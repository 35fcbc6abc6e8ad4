/* The staged loop: what the block's threads load for some iterations, the iterations, what is left
** over. See stage.c. */
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/stage/stage.h"

typedef struct StageBuild {
    IrBuilder b[1];
    Stage *s;
    IrVar *iteration;    /* the first of the iterations at hand */
    IrVar *buffer;       /* the part of the shared arrays that they are in; NULL: there is one */
    IrVar *counter;      /* counts them from 0 */
    IrVar *start, *stop; /* of the loop */
} StageBuild;

/* ---- values -------------------------------------------------------------------------------- */

/* A thread's number in its block. */
static IrValue *thread_number(const StageBuild *m)
{
    const uint32_t *block = m->s->block;
    IrValue *all = build_thread_index(m->b, 0);
    int64_t before = block[0];
    for (int k = 1; k < 3; before *= block[k++])
        if (block[k] > 1)
            all =
                build_op(m->b, OP_add, all, build_times(m->b, build_thread_index(m->b, k), before));
    return all;
}

/* ---- what is staged ------------------------------------------------------------------------ */

/* Rows have room between them, so that threads that store at one index for several iterations do
** not meet in one bank; and begin where wide accesses may. */
static IrVar *new_near(const StageBuild *m, const Staged *staged)
{
    const Type *element = staged->array->type->array.element;
    const int64_t shape[] = { 1 + m->s->ahead, m->s->iterations,
                              staged->span + WIDE_BYTES / (int64_t)type_size(element) };
    int parts = m->s->ahead > 0;
    IrVar *var = ir_array_var(m->b->arena, m->b->fn,
                              arena_printf(m->b->arena, "%s_near", staged->array->name), element,
                              VAR_SHARED, shape + 1 - parts, 2 + parts, m->b->span);
    var->alignment = WIDE_BYTES;
    return var;
}

/* Where something lies in a shared array: by iteration, counted from the first at hand, and place
** along the tile. How many indices that takes. */
static int near_indices(const StageBuild *m, IrValue *iteration, IrValue *along,
                        IrValue *indices[3])
{
    int count = 0;
    if (m->buffer)
        indices[count++] = build_var(m->b, m->buffer);
    indices[count++] = iteration;
    indices[count++] = along;
    return count;
}

/* Where tiles move back from an end: what a place in the shared array holds, of neighbours that
** move together; or no index beyond the last that is read. */
static IrValue *moved_back(const StageBuild *m, const Staged *staged, IrValue *index)
{
    IrValue *most = build_copy(m->b, staged->most);
    if (!staged->group)
        return build_min(m->b, index, build_plus(m->b, most, staged->reach));
    IrValue *number = build_op(m->b, OP_mod, index, staged->group);
    IrValue *first = build_times(
        m->b, build_op(m->b, OP_floordiv, build_copy(m->b, index), staged->group), staged->group);
    return build_op(m->b, OP_add, build_min(m->b, first, most), number);
}

/* The index of what is `along` behind the first that the block's threads may read. */
static IrValue *index_along(const StageBuild *m, const Staged *staged, IrValue *along)
{
    IrValue *index = build_plus(m->b, along, staged->low);
    if (staged->most)
        index = moved_back(m, staged, index);
    return staged->first ? build_op(m->b, OP_add, build_copy(m->b, staged->first), index) : index;
}

/* The element that an iteration, counted from the first at hand, and an index along the tile stand
** for. */
static IrValue *element(const StageBuild *m, const Staged *staged, IrValue *iteration,
                        IrValue *along)
{
    IrValue *indices[RANK_MAX];
    for (int i = 0; i < staged->count; i++) {
        IrValue *index;
        if (i == staged->counter)
            index = build_op(m->b, OP_add, m->iteration, iteration);
        else if (i != staged->along)
            index = build_copy(m->b, staged->index[i]);
        else
            index = index_along(m, staged, along);
        indices[i] = index;
    }
    return ir_load(m->b->arena, build_var(m->b, staged->array), indices, staged->count, m->b->span);
}

/* How many elements a thread copies at a time: only asynchronous copies are wide. */
static int64_t width_of(const StageBuild *m, const Staged *staged)
{
    int64_t bytes = staged->width * (int64_t)type_size(staged->array->type->array.element);
    return m->buffer && bytes <= WIDE_BYTES ? staged->width : 1;
}

/* Begins to copy elements from `load` on to a place in the shared array. */
static IrStmt *copy_stmt(const StageBuild *m, const Staged *staged, IrValue *const near[3],
                         const IrValue *load)
{
    IrValue *copy = ir_value(m->b->arena, OP_intrinsic, type_none, m->b->span, 5 + load->count);
    copy->intrinsic = INTR_async_copy;
    copy->operands[0] = build_var(m->b, staged->near);
    for (int i = 0; i < 3; i++)
        copy->operands[1 + i] = near[i];
    for (int i = 0; i < load->count; i++)
        copy->operands[4 + i] = load->operands[i];
    copy->operands[4 + load->count] = build_int(m->b, width_of(m, staged));
    return ir_eval(m->b->arena, copy, m->b->span);
}

/* One element a thread, or the neighbours that go at once; neighbours in memory to neighbours. */
static void append_element(const StageBuild *m, const Staged *staged, IrVar *at, IrRegion *out)
{
    bool rows =
        staged->along ==
        (staged->array->type->array.layout == LAYOUT_F ? 0 : staged->array->type->array.rank - 1);
    int64_t width = width_of(m, staged);
    int64_t inner = rows ? staged->span / width : m->s->iterations;
    IrValue *first = build_op(m->b, OP_mod, at, inner);
    IrVar *near = build_let(m->b, "_inner", build_times(m->b, first, width), out);
    IrVar *far = build_let(m->b, "_outer", build_op(m->b, OP_floordiv, at, inner), out);
    IrVar *iteration = rows ? far : near, *index = rows ? near : far;
    IrValue *indices[3];
    int count = near_indices(m, build_var(m->b, iteration), build_var(m->b, index), indices);
    IrValue *load = element(m, staged, build_var(m->b, iteration), build_var(m->b, index));
    ir_append(out, m->buffer ? copy_stmt(m, staged, indices, load)
                             : ir_store(m->b->arena, build_var(m->b, staged->near), indices, count,
                                        load, m->b->span));
}

/* All that the block's threads read of an array in the iterations at hand. */
static void append_staging(const StageBuild *m, const Staged *staged, IrVar *self, IrRegion *out)
{
    int64_t threads = (int64_t)m->s->block[0] * m->s->block[1] * m->s->block[2];
    int64_t elements = m->s->iterations * staged->span / width_of(m, staged);
    IrVar *round = build_counter(m->b, "_round");
    IrStmt *loop = build_for(m->b, round, 0, (elements + threads - 1) / threads, 1, UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    IrVar *at = build_let(m->b, "_at",
                          build_op(m->b, OP_add, self, build_times(m->b, round, threads)), body);
    if (elements % threads)
        body = build_if(m->b, build_op(m->b, OP_lt, at, elements), body);
    append_element(m, staged, at, body);
    ir_append(out, loop);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Where a thread finds the element that is `more` behind the first of a read. */
static IrValue *from_near(const StageBuild *m, const Staged *staged, const TileIndex *index,
                          int more)
{
    IrValue *at = NULL;
    for (int k = 0; k < 3; k++) {
        if (!index->slope[k])
            continue;
        IrValue *along = build_times(m->b, build_thread_index(m->b, k), index->slope[k]);
        at = at ? build_op(m->b, OP_add, at, along) : along;
    }
    at = build_plus(m->b, at, index->within);
    if (index->most && !staged->group)
        at = build_min(m->b, at, build_copy(m->b, index->most));
    IrValue *indices[3];
    int count = near_indices(m, build_var(m->b, m->counter),
                             build_plus(m->b, at, index->number + more - staged->low), indices);
    return ir_load(m->b->arena, build_var(m->b, staged->near), indices, count, m->b->span);
}

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const StageBuild *m = clone->context;
    StageRead read;
    TileIndex index;
    const Staged *staged =
        value->op == OP_load && staged_read(value, &read) ? staged_find(m->s, &read, &index) : NULL;
    return staged ? from_near(m, staged, &index, 0) : NULL;
}

/* Wide loads fill their private arrays element by element. */
static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const StageBuild *m = clone->context;
    StageRead read;
    TileIndex index;
    if (stmt->kind != IR_EVAL || !staged_read(stmt->eval.value, &read))
        return false;
    const Staged *staged = staged_find(m->s, &read, &index);
    for (int i = 0; staged && i < read.width; i++) {
        IrValue *to = build_copy(m->b, stmt->eval.value->operands[0]), *at = build_int(m->b, i);
        ir_append(out,
                  ir_store(m->b->arena, to, &at, 1, from_near(m, staged, &index, i), m->b->span));
    }
    return staged != NULL;
}

static void append_iterations(StageBuild *m, IrRegion *out)
{
    Stage *s = m->s;
    IrVar *counter = s->loop->for_.var, *own = build_counter(m->b, counter->name);
    m->counter = build_counter(m->b, "_k");
    IrStmt *loop = build_for(m->b, m->counter, 0, s->iterations, 1, UNROLL_ALL);
    IrClone clone = { .arena = m->b->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    build_set(m->b, own, build_op(m->b, OP_add, m->iteration, m->counter), &loop->for_.body);
    ir_clone_region(&clone, &s->loop->for_.body, &loop->for_.body);
    ir_append(out, loop);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Whether all threads of the block have whole tiles: tested where all of them pass. */
static IrVar *ask_block(const StageBuild *m)
{
    IrStmt *branch = m->s->branch;
    IrVar *whole = build_temporary(m->b, "_whole", type_bool);
    IrVar *all = build_temporary(m->b, "_all", type_int32);
    IrVar *full = build_temporary(m->b, "_full", type_bool);
    IrValue *mine = build_cast(m->b, type_int32, whole);
    IrValue *meet =
        ir_intrinsic(m->b->arena, INTR_syncthreads_and, type_int32, m->b->span, mine, NULL, NULL);
    IrValue *zero = build_integer(m->b, type_int32, 0);
    ir_insert_before(&m->b->fn->body, branch,
                     ir_set(m->b->arena, whole, branch->if_.condition, m->b->span));
    ir_insert_before(&m->b->fn->body, branch, ir_set(m->b->arena, all, meet, m->b->span));
    ir_insert_before(&m->b->fn->body, branch,
                     ir_set(m->b->arena, full, build_op(m->b, OP_ne, all, zero), m->b->span));
    branch->if_.condition = build_var(m->b, whole);
    return full;
}

/* The loop by so many iterations as are staged at once; gives its body. */
static IrRegion *append_rounds(const StageBuild *m, IrVar *counter, IrValue *stop, IrRegion *out)
{
    IrStmt *loop = build_for(m->b, counter, m->start, stop, m->s->iterations, 1);
    ir_append(out, loop);
    return &loop->for_.body;
}

/* The first iteration of a round of which not all are there. */
static IrValue *last_round(const StageBuild *m)
{
    return build_op(m->b, OP_sub, build_var(m->b, m->stop), build_int(m->b, m->s->iterations - 1));
}

static void append_barrier(const StageBuild *m, IrRegion *out)
{
    ir_append(out, ir_barrier(m->b->arena, m->b->span));
}

/* Which part of the shared arrays holds the iterations from `first` on. */
static IrVar *append_buffer(const StageBuild *m, IrVar *first, IrRegion *out)
{
    IrValue *round = build_op(m->b, OP_floordiv, first, m->s->iterations);
    return build_let(m->b, "_buffer", build_op(m->b, OP_mod, round, 1 + m->s->ahead), out);
}

/* Begins to copy what the round from `first` on reads, a group of copies, be there one or not. */
static void append_group(StageBuild *m, IrVar *first, IrVar *self, IrRegion *out)
{
    IrRegion *body = build_if(m->b, build_op(m->b, OP_lt, first, last_round(m)), out);
    m->iteration = first;
    m->buffer = append_buffer(m, first, body);
    for (int i = 0; i < m->s->count; i++)
        append_staging(m, &m->s->staged[i], self, body);
    build_call(m->b, INTR_async_commit, NULL, out);
}

/* Rounds that find what they read on its way. Nothing is copied over what an earlier loop's threads
** may still read: hence the barrier in front. */
static IrRegion *append_ahead(StageBuild *m, IrVar *iteration, IrVar *self, IrRegion *out)
{
    int64_t ahead = (int64_t)m->s->iterations * m->s->ahead;
    IrVar *first = build_counter(m->b, "_ahead");
    append_barrier(m, out);
    append_group(m, first, self, append_rounds(m, first, build_plus(m->b, m->start, ahead), out));

    IrRegion *body = append_rounds(m, iteration, last_round(m), out);
    build_call(m->b, INTR_async_wait, build_integer(m->b, type_int32, m->s->ahead - 1), body);
    append_barrier(m, body);
    first = build_let(m->b, "_ahead", build_plus(m->b, iteration, ahead), body);
    append_group(m, first, self, body);
    m->iteration = iteration;
    m->buffer = append_buffer(m, iteration, body);
    return body;
}

/* Rounds that wait for what they read. */
static IrRegion *append_waiting(StageBuild *m, IrVar *iteration, IrVar *self, IrRegion *out)
{
    IrRegion *body = append_rounds(m, iteration, last_round(m), out);
    m->iteration = iteration;
    append_barrier(m, body);
    for (int i = 0; i < m->s->count; i++)
        append_staging(m, &m->s->staged[i], self, body);
    append_barrier(m, body);
    return body;
}

void stage_make(Stage *s)
{
    IrUnit *unit = s->unit;
    StageBuild make = { .b = { { unit->arena, unit->kernel, s->loop->span } }, .s = s };
    StageBuild *m = &make;
    IrRegion *region = s->region;
    IrStmt *loop = s->loop;
    IrVar *full = ask_block(m), *next = build_counter(m->b, "_next");
    IrVar *iteration = build_counter(m->b, "_iteration");

    m->start = build_temporary(m->b, "_start", type_int64);
    m->stop = build_temporary(m->b, "_stop", type_int64);
    for (int i = 0; i < s->count; i++)
        s->staged[i].near = new_near(m, &s->staged[i]);
    ir_insert_before(region, loop, ir_set(m->b->arena, m->start, loop->for_.start, m->b->span));
    ir_insert_before(region, loop,
                     ir_set(m->b->arena, next, build_var(m->b, m->start), m->b->span));
    ir_insert_before(region, loop, ir_set(m->b->arena, m->stop, loop->for_.stop, m->b->span));
    /* the end is behind the begin, and so no few iterations from where numbers end */
    IrValue *runs = build_op(m->b, OP_lt, m->start, m->stop);
    runs = build_op(m->b, OP_and_then, full, runs);
    IrStmt *branch = ir_if(m->b->arena, runs, m->b->span);
    ir_insert_before(region, loop, branch);

    IrVar *self = build_let(m->b, "_self", thread_number(m), &branch->if_.then);
    IrRegion *body =
        (s->ahead ? append_ahead : append_waiting)(m, iteration, self, &branch->if_.then);
    append_iterations(m, body);
    build_set(m->b, next, build_plus(m->b, iteration, s->iterations), body);
    loop->for_.start = build_var(m->b, next);
    loop->for_.stop = build_var(m->b, m->stop); /* iterations may change what it was made of */
    loop->for_.unroll = 1;
}

/* The staged loop: what the block's threads load for some iterations, the iterations, what is left
** over. See stage.c. */
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/schedule/stage/stage.h"

typedef struct StageBuild {
    IrBuilder b[1];
    Stage *s;
    IrVar *iteration; /* the first of the iterations at hand */
    IrVar *counter;   /* counts them from 0 */
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
    const int64_t shape[] = { m->s->iterations,
                              staged->span + STAGE_BYTES / (int64_t)type_size(element) };
    IrVar *var = ir_array_var(m->b->arena, m->b->fn,
                              arena_printf(m->b->arena, "%s_near", staged->array->name), element,
                              VAR_SHARED, shape, 2, m->b->span);
    var->alignment = STAGE_BYTES;
    return var;
}

static IrValue *smaller(const StageBuild *m, IrValue *a, IrValue *b)
{
    return ir_intrinsic(m->b->arena, INTR_min, type_int64, m->b->span, a, b, NULL);
}

/* Where tiles move back from an end: what a place in the shared array holds, of neighbours that
** move together; or no index beyond the last that is read. */
static IrValue *moved_back(const StageBuild *m, const Staged *staged, IrValue *index)
{
    IrValue *most = build_copy(m->b, staged->most);
    if (!staged->group)
        return smaller(m, index, build_plus(m->b, most, staged->reach));
    IrValue *number = build_op(m->b, OP_mod, index, build_int(m->b, staged->group));
    IrValue *first = build_times(
        m->b, build_op(m->b, OP_floordiv, build_copy(m->b, index), build_int(m->b, staged->group)),
        staged->group);
    return build_op(m->b, OP_add, smaller(m, first, most), number);
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
            index = build_op(m->b, OP_add, build_var(m->b, m->iteration), iteration);
        else if (i != staged->along)
            index = build_copy(m->b, staged->index[i]);
        else
            index = index_along(m, staged, along);
        indices[i] = index;
    }
    return ir_load(m->b->arena, build_var(m->b, staged->array), indices, staged->count, m->b->span);
}

/* One element a thread, neighbours in memory to neighbours. */
static void append_element(const StageBuild *m, const Staged *staged, IrVar *at, IrRegion *out)
{
    bool rows =
        staged->along ==
        (staged->array->type->array.layout == LAYOUT_F ? 0 : staged->array->type->array.rank - 1);
    int64_t inner = rows ? staged->span : m->s->iterations;
    IrVar *near = build_let(
        m->b, "_inner", build_op(m->b, OP_mod, build_var(m->b, at), build_int(m->b, inner)), out);
    IrVar *far =
        build_let(m->b, "_outer",
                  build_op(m->b, OP_floordiv, build_var(m->b, at), build_int(m->b, inner)), out);
    IrVar *iteration = rows ? far : near, *index = rows ? near : far;
    build_store(m->b, staged->near, build_var(m->b, iteration), build_var(m->b, index),
                element(m, staged, build_var(m->b, iteration), build_var(m->b, index)), out);
}

/* All that the block's threads read of an array in the iterations at hand. */
static void append_staging(const StageBuild *m, const Staged *staged, IrVar *self, IrRegion *out)
{
    int64_t threads = (int64_t)m->s->block[0] * m->s->block[1] * m->s->block[2];
    int64_t elements = m->s->iterations * staged->span;
    IrVar *round = build_counter(m->b, "_round");
    IrStmt *loop = build_for(m->b, round, build_int(m->b, 0),
                             build_int(m->b, (elements + threads - 1) / threads), 1, UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    IrVar *at = build_let(m->b, "_at",
                          build_op(m->b, OP_add, build_var(m->b, self),
                                   build_times(m->b, build_var(m->b, round), threads)),
                          body);
    if (elements % threads)
        body = build_if(m->b, build_op(m->b, OP_lt, build_var(m->b, at), build_int(m->b, elements)),
                        body);
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
        at = smaller(m, at, build_copy(m->b, index->most));
    return build_load(m->b, staged->near, build_var(m->b, m->counter),
                      build_plus(m->b, at, index->number + more - staged->low));
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
    IrStmt *loop = build_for(m->b, m->counter, build_int(m->b, 0), build_int(m->b, s->iterations),
                             1, UNROLL_ALL);
    IrClone clone = { .arena = m->b->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->b->arena, IrVar *, m->b->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    build_set(m->b, own,
              build_op(m->b, OP_add, build_var(m->b, m->iteration), build_var(m->b, m->counter)),
              &loop->for_.body);
    ir_clone_region(&clone, &s->loop->for_.body, &loop->for_.body);
    ir_append(out, loop);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Whether all threads of the block have whole tiles: asked where all of them come by. */
static IrVar *ask_block(const StageBuild *m)
{
    IrStmt *branch = m->s->branch;
    IrVar *whole = build_temporary(m->b, "_whole", type_bool);
    IrVar *all = build_temporary(m->b, "_all", type_int32);
    IrVar *full = build_temporary(m->b, "_full", type_bool);
    IrValue *mine = build_cast(m->b, type_int32, build_var(m->b, whole));
    IrValue *meet =
        ir_intrinsic(m->b->arena, INTR_syncthreads_and, type_int32, m->b->span, mine, NULL, NULL);
    IrValue *zero = build_integer(m->b, type_int32, 0);
    ir_insert_before(&m->b->fn->body, branch,
                     ir_set(m->b->arena, whole, branch->if_.condition, m->b->span));
    ir_insert_before(&m->b->fn->body, branch, ir_set(m->b->arena, all, meet, m->b->span));
    ir_insert_before(
        &m->b->fn->body, branch,
        ir_set(m->b->arena, full, build_op(m->b, OP_ne, build_var(m->b, all), zero), m->b->span));
    branch->if_.condition = build_var(m->b, whole);
    return full;
}

void stage_make(Stage *s)
{
    IrUnit *unit = s->unit;
    StageBuild make = { .b = { { unit->arena, unit->kernel, s->loop->span } }, .s = s };
    StageBuild *m = &make;
    IrRegion *region = &s->branch->if_.then;
    IrStmt *loop = s->loop;
    IrVar *full = ask_block(m), *next = build_counter(m->b, "_next");
    IrVar *stop = build_temporary(m->b, "_stop", type_int64);

    m->iteration = build_counter(m->b, "_iteration");
    for (int i = 0; i < s->count; i++)
        s->staged[i].near = new_near(m, &s->staged[i]);
    ir_insert_before(region, loop, ir_set(m->b->arena, next, loop->for_.start, m->b->span));
    ir_insert_before(region, loop, ir_set(m->b->arena, stop, loop->for_.stop, m->b->span));
    /* the end is behind the begin, and so no few iterations from where numbers end */
    IrValue *runs = build_op(m->b, OP_lt, build_var(m->b, next), build_var(m->b, stop));
    runs = build_op(m->b, OP_and_then, build_var(m->b, full), runs);
    IrStmt *branch = ir_if(m->b->arena, runs, m->b->span);
    ir_insert_before(region, loop, branch);

    IrStmt *staged =
        build_for(m->b, m->iteration, build_var(m->b, next),
                  build_op(m->b, OP_sub, build_var(m->b, stop), build_int(m->b, s->iterations - 1)),
                  s->iterations, 1);
    IrVar *self = build_let(m->b, "_self", thread_number(m), &branch->if_.then);
    ir_append(&branch->if_.then, staged);
    ir_append(&staged->for_.body, ir_barrier(m->b->arena, m->b->span));
    for (int i = 0; i < s->count; i++)
        append_staging(m, &s->staged[i], self, &staged->for_.body);
    ir_append(&staged->for_.body, ir_barrier(m->b->arena, m->b->span));
    append_iterations(m, &staged->for_.body);
    build_set(m->b, next, build_plus(m->b, build_var(m->b, m->iteration), s->iterations),
              &staged->for_.body);
    loop->for_.start = build_var(m->b, next);
    loop->for_.stop = build_var(m->b, stop); /* iterations may change what it was made of */
    loop->for_.unroll = 1;
}

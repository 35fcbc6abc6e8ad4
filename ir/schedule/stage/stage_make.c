/* The staged loop: what the block's threads load for some iterations, the iterations, what is left
** over. See stage.c. */
#include "ir/clone.h"
#include "ir/schedule/stage/stage.h"

typedef struct Make {
    Stage *s;
    Arena *arena;
    IrFunc *fn;
    Span span;
    IrVar *iteration; /* the first of the iterations at hand */
    IrVar *counter;   /* counts them from 0 */
} Make;

/* ---- values -------------------------------------------------------------------------------- */

static IrValue *get(const Make *m, IrVar *var)
{
    return ir_var(m->arena, var, m->span);
}

static IrValue *number(const Make *m, int64_t value)
{
    return ir_integer(m->arena, type_int64, value, m->span);
}

static IrValue *binary(const Make *m, IrOp op, IrValue *a, IrValue *b)
{
    return ir_binary(m->arena, op, a, b, m->span);
}

static IrValue *plus(const Make *m, IrValue *a, int64_t b)
{
    return b ? binary(m, OP_add, a, number(m, b)) : a;
}

static IrValue *copy(const Make *m, const IrValue *value)
{
    return ir_clone_value(&(IrClone){ .arena = m->arena }, value);
}

static IrVar *new_var(const Make *m, const char *name)
{
    IrVar *var = ir_temporary(m->arena, m->fn, name, type_int64, m->span);
    var->nonnegative = true;
    return var;
}

static IrVar *let(const Make *m, IrRegion *out, const char *name, IrValue *value)
{
    IrVar *var = new_var(m, name);
    ir_append(out, ir_set(m->arena, var, value, m->span));
    return var;
}

static IrStmt *new_loop(const Make *m, IrVar *var, IrValue *start, IrValue *stop, int64_t step,
                        int unroll)
{
    IrStmt *loop = ir_stmt(m->arena, IR_FOR, m->span);
    loop->for_.var = var;
    loop->for_.start = start;
    loop->for_.stop = stop;
    loop->for_.step = number(m, step);
    loop->for_.unroll = unroll;
    return loop;
}

static IrStmt *barrier(const Make *m)
{
    IrStmt *eval = ir_stmt(m->arena, IR_EVAL, m->span);
    eval->eval.value =
        ir_intrinsic(m->arena, INTR_syncthreads, type_none, m->span, NULL, NULL, NULL);
    return eval;
}

/* A thread's index along an axis of its block. */
static IrValue *thread_index(const Make *m, int axis)
{
    IrValue *value = ir_intrinsic(m->arena, INTR_thread_idx, type_int32, m->span, NULL, NULL, NULL);
    value->index = axis;
    return ir_cast(m->arena, type_int64, value, m->span);
}

/* A thread's number in its block. */
static IrValue *thread_number(const Make *m)
{
    const uint32_t *block = m->s->block;
    IrValue *all = thread_index(m, 0);
    int64_t before = block[0];
    for (int k = 1; k < 3; before *= block[k++])
        if (block[k] > 1)
            all = binary(m, OP_add, all, binary(m, OP_mul, thread_index(m, k), number(m, before)));
    return all;
}

/* ---- what is staged ------------------------------------------------------------------------ */

/* Rows have room between them, so that threads that store at one index for several iterations do
** not meet in one bank; and begin where wide accesses may. */
static IrVar *new_near(const Make *m, const Staged *staged)
{
    const Type *element = staged->array->type->array.element;
    Type *type = arena_new(m->arena, Type);
    int64_t *shape = arena_array(m->arena, int64_t, 2);
    *type = (Type){ .kind = TY_ARRAY };
    type->array.element = element;
    type->array.rank = 2;
    type->array.layout = LAYOUT_C;
    shape[0] = m->s->iterations;
    shape[1] = staged->span + STAGE_BYTES / (int64_t)type_size(element);
    IrVar *var = ir_var_new(m->arena, m->fn, arena_printf(m->arena, "%s_near", staged->array->name),
                            type, VAR_SHARED, m->span);
    var->shape = shape;
    var->alignment = STAGE_BYTES;
    return var;
}

/* The element that an iteration, counted from the first at hand, and an index along the tile stand
** for. */
static IrValue *element(const Make *m, const Staged *staged, IrValue *iteration, IrValue *along)
{
    IrValue *load =
        ir_value(m->arena, OP_load, staged->array->type->array.element, m->span, staged->count + 1);
    load->operands[0] = get(m, (IrVar *)staged->array);
    for (int i = 0; i < staged->count; i++) {
        IrValue *index;
        if (i == staged->counter)
            index = binary(m, OP_add, get(m, m->iteration), iteration);
        else if (i != staged->along)
            index = copy(m, staged->index[i]);
        else if (staged->first)
            index = plus(m, binary(m, OP_add, copy(m, staged->first), along), staged->low);
        else
            index = plus(m, along, staged->low);
        load->operands[1 + i] = index;
    }
    return load;
}

static IrStmt *put_near(const Make *m, const Staged *staged, IrValue *iteration, IrValue *index,
                        IrValue *value)
{
    IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
    store->store.array = get(m, staged->near);
    store->store.indices = arena_array(m->arena, IrValue *, 2);
    store->store.indices[0] = iteration;
    store->store.indices[1] = index;
    store->store.count = 2;
    store->store.value = value;
    return store;
}

/* One element a thread, neighbours in memory to neighbours. */
static void append_element(const Make *m, const Staged *staged, IrVar *at, IrRegion *out)
{
    bool rows =
        staged->along ==
        (staged->array->type->array.layout == LAYOUT_F ? 0 : staged->array->type->array.rank - 1);
    int64_t inner = rows ? staged->span : m->s->iterations;
    IrVar *near = let(m, out, "_inner", binary(m, OP_mod, get(m, at), number(m, inner)));
    IrVar *far = let(m, out, "_outer", binary(m, OP_floordiv, get(m, at), number(m, inner)));
    IrVar *iteration = rows ? far : near, *index = rows ? near : far;
    ir_append(out, put_near(m, staged, get(m, iteration), get(m, index),
                            element(m, staged, get(m, iteration), get(m, index))));
}

/* All that the block's threads read of an array in the iterations at hand. */
static void append_staging(const Make *m, const Staged *staged, IrVar *self, IrRegion *out)
{
    int64_t threads = (int64_t)m->s->block[0] * m->s->block[1] * m->s->block[2];
    int64_t elements = m->s->iterations * staged->span;
    IrVar *round = new_var(m, "_round");
    IrStmt *loop = new_loop(m, round, number(m, 0), number(m, (elements + threads - 1) / threads),
                            1, UNROLL_ALL);
    IrRegion *body = &loop->for_.body;
    IrVar *at =
        let(m, body, "_at",
            binary(m, OP_add, get(m, self), binary(m, OP_mul, get(m, round), number(m, threads))));
    if (elements % threads) {
        IrStmt *branch = ir_stmt(m->arena, IR_IF, m->span);
        branch->if_.condition = binary(m, OP_lt, get(m, at), number(m, elements));
        ir_append(body, branch);
        body = &branch->if_.then;
    }
    append_element(m, staged, at, body);
    ir_append(out, loop);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Where a thread finds the element that is `more` behind the first of a read. */
static IrValue *from_near(const Make *m, const Staged *staged, const TileIndex *index, int more)
{
    IrValue *load = ir_value(m->arena, OP_load, staged->array->type->array.element, m->span, 3);
    IrValue *at = NULL;
    for (int k = 0; k < 3; k++) {
        if (!index->slope[k])
            continue;
        IrValue *along = binary(m, OP_mul, thread_index(m, k), number(m, index->slope[k]));
        at = at ? binary(m, OP_add, at, along) : along;
    }
    load->operands[0] = get(m, staged->near);
    load->operands[1] = get(m, m->counter);
    load->operands[2] = plus(m, at, index->number + more - staged->low);
    return load;
}

static IrValue *value_of_iteration(const IrClone *clone, const IrValue *value)
{
    const Make *m = clone->context;
    StageRead read;
    TileIndex index;
    const Staged *staged =
        value->op == OP_load && staged_read(value, &read) ? staged_find(m->s, &read, &index) : NULL;
    return staged ? from_near(m, staged, &index, 0) : NULL;
}

/* Wide loads fill their private arrays element by element. */
static bool stmt_of_iteration(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    const Make *m = clone->context;
    StageRead read;
    TileIndex index;
    if (stmt->kind != IR_EVAL || !staged_read(stmt->eval.value, &read))
        return false;
    const Staged *staged = staged_find(m->s, &read, &index);
    for (int i = 0; staged && i < read.width; i++) {
        IrStmt *store = ir_stmt(m->arena, IR_STORE, m->span);
        store->store.array = copy(m, stmt->eval.value->operands[0]);
        store->store.indices = arena_array(m->arena, IrValue *, 1);
        store->store.indices[0] = number(m, i);
        store->store.count = 1;
        store->store.value = from_near(m, staged, &index, i);
        ir_append(out, store);
    }
    return staged != NULL;
}

static void append_iterations(Make *m, IrRegion *out)
{
    Stage *s = m->s;
    IrVar *counter = s->loop->for_.var, *own = new_var(m, counter->name);
    m->counter = new_var(m, "_k");
    IrStmt *loop = new_loop(m, m->counter, number(m, 0), number(m, s->iterations), 1, UNROLL_ALL);
    IrClone clone = { .arena = m->arena,
                      .value = value_of_iteration,
                      .stmt = stmt_of_iteration,
                      .vars = arena_array(m->arena, IrVar *, m->fn->var_count + 1),
                      .context = m };
    clone.vars[counter->id] = own;
    ir_append(&loop->for_.body,
              ir_set(m->arena, own, binary(m, OP_add, get(m, m->iteration), get(m, m->counter)),
                     m->span));
    ir_clone_region(&clone, &s->loop->for_.body, &loop->for_.body);
    ir_append(out, loop);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Whether all threads of the block have whole tiles: asked where all of them come by. */
static IrVar *ask_block(const Make *m)
{
    IrStmt *branch = m->s->branch;
    IrVar *whole = ir_temporary(m->arena, m->fn, "_whole", type_bool, m->span);
    IrVar *all = ir_temporary(m->arena, m->fn, "_all", type_int32, m->span);
    IrVar *full = ir_temporary(m->arena, m->fn, "_full", type_bool, m->span);
    IrValue *mine = ir_cast(m->arena, type_int32, get(m, whole), m->span);
    IrValue *meet =
        ir_intrinsic(m->arena, INTR_syncthreads_and, type_int32, m->span, mine, NULL, NULL);
    IrValue *zero = ir_integer(m->arena, type_int32, 0, m->span);
    ir_insert_before(&m->fn->body, branch, ir_set(m->arena, whole, branch->if_.condition, m->span));
    ir_insert_before(&m->fn->body, branch, ir_set(m->arena, all, meet, m->span));
    ir_insert_before(&m->fn->body, branch,
                     ir_set(m->arena, full, binary(m, OP_ne, get(m, all), zero), m->span));
    branch->if_.condition = get(m, whole);
    return full;
}

void stage_make(Stage *s)
{
    IrUnit *unit = s->unit;
    Make make = { .s = s, .arena = unit->arena, .fn = unit->kernel, .span = s->loop->span };
    Make *m = &make;
    IrRegion *region = &s->branch->if_.then;
    IrStmt *loop = s->loop, *branch = ir_stmt(m->arena, IR_IF, m->span);
    IrVar *full = ask_block(m), *next = new_var(m, "_next");
    IrVar *stop = ir_temporary(m->arena, m->fn, "_stop", type_int64, m->span);

    m->iteration = new_var(m, "_iteration");
    for (int i = 0; i < s->count; i++)
        s->staged[i].near = new_near(m, &s->staged[i]);
    ir_insert_before(region, loop, ir_set(m->arena, next, loop->for_.start, m->span));
    ir_insert_before(region, loop, ir_set(m->arena, stop, loop->for_.stop, m->span));
    /* the end is behind the begin, and so no few iterations from where numbers end */
    branch->if_.condition =
        binary(m, OP_and_then, get(m, full), binary(m, OP_lt, get(m, next), get(m, stop)));
    ir_insert_before(region, loop, branch);

    IrStmt *staged =
        new_loop(m, m->iteration, get(m, next),
                 binary(m, OP_sub, get(m, stop), number(m, s->iterations - 1)), s->iterations, 1);
    IrVar *self = let(m, &branch->if_.then, "_self", thread_number(m));
    ir_append(&branch->if_.then, staged);
    ir_append(&staged->for_.body, barrier(m));
    for (int i = 0; i < s->count; i++)
        append_staging(m, &s->staged[i], self, &staged->for_.body);
    ir_append(&staged->for_.body, barrier(m));
    append_iterations(m, &staged->for_.body);
    ir_append(&staged->for_.body,
              ir_set(m->arena, next, plus(m, get(m, m->iteration), s->iterations), m->span));
    loop->for_.start = get(m, next);
    loop->for_.stop = get(m, stop); /* iterations may change what it was made of */
    loop->for_.unroll = 1;
}

/* Atomics by a key whose result is used, as where elements take the next slot of their key, are
** done by a block for all of its threads at once:
**
**     i = grid(0)                            for each of the block's keys: _count[k] = 0
**     if lt(i, n)                            each of a thread's 16 indices i:
**         k = load(key, i)                       k = load(key, i)
**         at = atomic_add(filled, k, 1)          _rank[.] = atomic_add(_count, k, 1)
**         store order[start[k] + at] = i     syncthreads()
**                                        =>  for each key k with _count[k] != 0:
**                                                _count[k] = atomic_add(filled, k, _count[k])
**                                            syncthreads()
**                                            each of the 16 indices i again:
**                                                k = load(key, i)
**                                                at = _count[k] + _rank[.]
**                                                store order[start[k] + at] = i
**
** with _count in shared memory, where an answer takes less time, and one atomic in global
** memory for all that a block adds to a key.
**
** Legal where threads are on their own but for what atomics found, without loops (independent.c):
** that all threads of a block come to the atomic one after the other, before others, and go on then
** is an order that they could have come in. The kernel has one atomic, which adds a constant of 1
** to AMOUNT_MOST to an array of few integers of 4 or 8 bytes that nothing else accesses; in front
** of it are only sets and conditions, which read what nothing writes and are done twice.
**
** Pays where there are threads for all multiprocessors if one does the work of 16. */
#include "ir/builder.h"
#include "ir/schedule/coarsen/coarsen.h"

enum {
    THREADS = 256,        /* of a block, */
    WORK = 16,            /* and indices of each */
    AMOUNT_MOST = 1 << 15 /* what all of them add to a key fits an int32 */
};

typedef struct Ranks {
    IrUnit *unit;
    IrBuilder b[1];
    const IrStmt *claim; /* sets a variable to what the atomic found */
    const IrValue *atomic;
    IrVar *filled;
    int atomics;
    bool bad;
    IrVar *count, *rank; /* of a block, and of a thread */
    IrVar *iteration;    /* over the indices of a thread */
    IrVar *threads;      /* asked for */
    const IrStmt *last;  /* the last statement of the first part, while it is made */
} Ranks;

/* ---- whether --------------------------------------------------------------------------------- */

static const IrValue *behind_casts(const IrValue *value)
{
    while (value->op == OP_cast)
        value = value->operands[0];
    return value;
}

static void note_stmt(void *context, IrStmt *stmt)
{
    Ranks *r = context;
    const IrValue *value = stmt->kind == IR_SET ? behind_casts(stmt->set.value) : NULL;
    if (value && ir_is_atomic(value)) {
        r->claim = stmt;
        r->atomic = value;
    }
}

static void note_node(void *context, IrValue *value)
{
    Ranks *r = context;
    r->atomics += ir_is_atomic(value);
    r->bad |= value->op == OP_call;
}

static void note_read(void *context, IrValue *value)
{
    Ranks *r = context;
    const IrVar *array = value->op == OP_load ? ir_array_base(value->operands[0]) : NULL;
    if (value->op != OP_load)
        return;
    r->bad |= !array ||
              (array->kind != VAR_CONSTANT &&
               (array->kind != VAR_PARAM || r->unit->kernel->access[array->param] != ACCESS_READ));
}

/* Looks at what stands in front of the atomic; true once it was met. */
static bool check_front(Ranks *r, const IrRegion *region)
{
    for (const IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        for_each_value (value, (IrStmt *)stmt)
            ir_each_node(value, note_read, r);
        if (stmt == r->claim)
            return true;
        if (stmt->kind == IR_IF &&
            (check_front(r, &stmt->if_.then) || check_front(r, &stmt->if_.otherwise)))
            return true;
        r->bad |= ir_stmt_effects(stmt) & EFFECT_ORDERED;
        r->bad |= stmt->kind != IR_SET && stmt->kind != IR_IF;
    }
    return false;
}

/* Whether it is an atomic that a block can do for its threads. */
static bool is_claim(const Ranks *r)
{
    const IrValue *atomic = r->atomic;
    if (!atomic || !ir_is_intrinsic(atomic, INTR_atomic_add) ||
        ir_array_param(atomic->operands[0]) < 0)
        return false;
    const Type *type = atomic->operands[0]->type, *element = type->array.element;
    const IrValue *amount = behind_casts(atomic->operands[2]);
    return type->array.rank == 1 && type_is_integer(element) && type_size(element) >= 4 &&
           ir_is_constant(amount) && type_is_integer(amount->type) &&
           amount->constant.integer >= 1 && amount->constant.integer <= AMOUNT_MOST;
}

static bool may(Ranks *r)
{
    IrUnit *unit = r->unit;
    const IrFunc *fn = unit->kernel;
    Span span;
    ir_each_stmt(&fn->body, note_stmt, r);
    if (!is_claim(r))
        return false;
    r->filled = r->atomic->operands[0]->var;
    ir_each_node_in(&fn->body, note_node, r);
    for (int i = fn->param_count; i < fn->var_count; i++)
        r->bad |= fn->vars[i]->kind != VAR_LOCAL && fn->vars[i]->kind != VAR_CONSTANT;
    check_front(r, &fn->body);
    return !r->bad && r->atomics == 1 && !ir_region_has(&fn->body, 1 << IR_RETURN) &&
           ir_goes_along(fn, 1, true) && !ir_dependent_but_found(unit, &span) &&
           fn->access[r->filled->param] == ACCESS_ATOMIC &&
           launch_elements_to_4096(unit->launch, r->filled->param) && ir_writes_alone(unit);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static IrValue *sized(const Ranks *r)
{
    return ir_extent(r->b->arena, build_var(r->b, r->filled), 0, r->b->span);
}

/* The key of the atomic as an index that counts from the begin. */
static IrVar *put_key(const Ranks *r, const IrClone *clone, IrRegion *out)
{
    IrVar *asked = build_temporary(r->b, "_asked", r->atomic->operands[1]->type);
    build_set(r->b, asked, ir_clone_value(clone, r->atomic->operands[1]), out);
    IrValue *key = build_var(r->b, asked);
    if (!ir_nonnegative(r->atomic->operands[1]))
        key = ir_select(r->b->arena, build_op(r->b, OP_lt, asked, 0),
                        build_op(r->b, OP_add, asked, sized(r)), key, r->b->span);
    IrVar *at = build_temporary(r->b, "_key", type_uint64);
    build_set(r->b, at, build_cast(r->b, type_uint64, key), out);
    return at;
}

/* Adds to an element, and keeps what was there. */
static IrVar *put_add(const Ranks *r, const IrVar *to, IrVar *at, IrValue *amount, IrRegion *out)
{
    IrVar *was = build_temporary(r->b, "_was", r->atomic->type);
    build_set(r->b, was,
              ir_intrinsic(r->b->arena, INTR_atomic_add, r->atomic->type, r->b->span,
                           build_var(r->b, to), build_var(r->b, at), amount),
              out);
    return was;
}

/* In the first part the atomic goes to shared memory, and what it finds is kept. */
static bool claim_in_block(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Ranks *r = clone->context;
    if (stmt != r->claim)
        return false;
    IrVar *key = put_key(r, clone, out);
    IrVar *was = put_add(r, r->count, key, ir_clone_value(clone, r->atomic->operands[2]), out);
    build_store(r->b, r->rank, r->iteration, NULL, was, out);
    r->last = out->last;
    return true;
}

static IrValue *found(const IrClone *clone, const IrValue *value)
{
    const Ranks *r = clone->context;
    return value == r->atomic
               ? build_op(r->b, OP_add, build_load(r->b, r->count, r->last->set.var, NULL),
                          build_load(r->b, r->rank, r->iteration, NULL))
               : NULL;
}

/* In the second the thread has what its block got, and its rank in that. */
static bool take_claim(const IrClone *clone, const IrStmt *stmt, IrRegion *out)
{
    Ranks *r = clone->context;
    if (stmt != r->claim)
        return false;
    put_key(r, clone, out);
    r->last = out->last;
    build_set(r->b, ir_clone_var(clone, stmt->set.var), ir_clone_value(clone, stmt->set.value),
              out);
    return true;
}

/* Drops what comes behind the first part. */
static bool cut(const Ranks *r, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        bool then = stmt->kind == IR_IF && cut(r, &stmt->if_.then);
        bool otherwise = stmt->kind == IR_IF && !then && cut(r, &stmt->if_.otherwise);
        if (stmt != r->last && !then && !otherwise)
            continue;
        ir_take_rest(region, stmt);
        if (then || otherwise)
            *(then ? &stmt->if_.otherwise : &stmt->if_.then) = (IrRegion){ NULL, NULL };
        return true;
    }
    return false;
}

/* A part of the kernel for each of a thread's indices, with variables of its own. */
static void append_part(Ranks *r, bool first, IrRegion *out)
{
    IrFunc *fn = r->b->fn;
    int count = fn->var_count;
    IrRegion part = { NULL, NULL };
    IrVar **vars = arena_array(r->b->arena, IrVar *, count + 1);
    for (int i = fn->param_count; i < count; i++)
        vars[i] = fn->vars[i]->kind == VAR_LOCAL && first ? build_own(r->b, fn->vars[i]) : NULL;
    r->iteration = build_counter(r->b, "_iteration");
    IrStmt *loop = build_for(r->b, r->iteration, 0, WORK, 1, UNROLL_ALL);
    IrValue *block =
        build_cast(r->b, type_int64, ir_axis(r->b->arena, INTR_block_idx, 0, r->b->span));
    IrValue *begin = build_op(r->b, OP_add, build_times(r->b, block, THREADS * WORK),
                              build_op(r->b, OP_add, build_times(r->b, r->iteration, THREADS),
                                       build_thread_index(r->b, 0)));
    IrVar *index = build_let(r->b, "index_x", begin, &loop->for_.body);
    const IrClone clone = { .arena = r->b->arena,
                            .vars = vars,
                            .value = first ? NULL : found,
                            .stmt = first ? claim_in_block : take_claim,
                            .context = r };
    ir_clone_region(&clone, &fn->body, &part);
    if (first)
        cut(r, &part);
    ir_put_indices(r->b->arena, &part, &index, &r->threads);
    ir_append_region(build_if(r->b, build_op(r->b, OP_lt, index, r->threads), &loop->for_.body),
                     part);
    ir_append(out, loop);
}

/* A loop of the block over all keys; gives its body. */
static IrRegion *append_keys(const Ranks *r, IrVar **key, IrRegion *out)
{
    *key = build_counter(r->b, "_k");
    IrStmt *loop = build_for(r->b, *key, build_thread_index(r->b, 0), sized(r), THREADS, 0);
    ir_append(out, loop);
    return &loop->for_.body;
}

static void make(Ranks *r)
{
    IrFunc *fn = r->b->fn;
    const Type *element = r->filled->type->array.element;
    IrRegion out = { NULL, NULL };
    IrVar *key;
    r->threads = ir_hidden(r->unit, HIDDEN_THREADS, 0);
    r->count = ir_array_var(r->b->arena, fn, "_count", element, VAR_SHARED,
                            (int64_t[]){ ELEMENTS_4096 }, 1, r->b->span);
    r->rank = ir_array_var(r->b->arena, fn, "_rank", element, VAR_PRIVATE, (int64_t[]){ WORK }, 1,
                           r->b->span);
    IrRegion *each = append_keys(r, &key, &out);
    build_store(r->b, r->count, key, NULL, build_integer(r->b, element, 0), each);
    build_call(r->b, INTR_syncthreads, NULL, &out);
    append_part(r, true, &out);
    build_call(r->b, INTR_syncthreads, NULL, &out);
    each = append_keys(r, &key, &out);
    IrVar *all = build_temporary(r->b, "_all", element);
    build_set(r->b, all, build_load(r->b, r->count, key, NULL), each);
    IrRegion *any =
        build_if(r->b, build_op(r->b, OP_ne, all, build_integer(r->b, element, 0)), each);
    build_store(r->b, r->count, key, NULL, put_add(r, r->filled, key, build_var(r->b, all), any),
                any);
    build_call(r->b, INTR_syncthreads, NULL, &out);
    append_part(r, false, &out);
    fn->body = out;
}

static void set_shape(IrUnit *unit)
{
    IrShape *shape = &unit->shape;
    shape->changed = shape->free = true;
    for (int k = 0; k < 3; k++) {
        shape->axis[k] = (uint8_t)k;
        shape->block[k] = k ? 1 : THREADS;
        shape->tile[k] = k ? 1 : WORK;
    }
    unit->kernel->options.launch_threads = THREADS;
    unit->kernel->options.launch_blocks = 0;
}

void ir_ranks(IrUnit *unit)
{
    IrFunc *fn = unit->kernel;
    if (!unit->launch || launch_in_parts(unit->launch) || !guard_begin(unit) ||
        !(fn->effects & EFFECT_ATOMIC) || ir_has_loop(&fn->body))
        return;
    Ranks r = { .unit = unit, .b = { { unit->arena, fn, fn->body.first->span } } };
    IrLaunch asked = *unit->launch;
    Directive *directive = NULL;
    if (may(&r)) {
        Directive own = { DO_RANKS, .array = r.filled->name, .site = r.claim,
                          .span = r.claim->span };
        directive = schedule_take(unit, own, launch_large_grid(unit->launch, GRID_COARSENS_16));
    }
    if (!directive) {
        *unit->launch = asked;
        return;
    }
    make(&r);
    set_shape(unit);
    schedule_done(directive);
    ir_remark(unit, r.claim->span, "a block adds to '%s' for all of its threads at once",
              r.filled->name);
    ir_effects(unit);
    ir_range(unit);
    ir_uniform(unit);
}

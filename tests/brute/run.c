/* Runs a kernel of integers on a memory of int64, one thread after the other. That is one of the
** orders that a launch may have; where threads come to what others write, only claims that hold in
** each of them are compared (Run.racy). */
#include "tests/brute/brute.h"

#include "ir/analysis/flow.h"

#include <string.h>

/* What a pass may have copied, unset, as long as nothing comes of it. */
static const int64_t ANYTHING = 77;
enum { STEPS_MOST = 20000, ROUNDS_MOST = 300, EVENTS_MOST = 60000 };

typedef struct Thread {
    int number;
    uint32_t thread_idx[3], block_idx[3];
    int64_t *vars; /* by IrVar.id */
    bool *set;
    uint64_t when;
    int depth, steps;
} Thread;

/* Threads that came to an element of the memory: 0 none, else their number plus 1; MANY of them. */
enum { MANY = -1 };
typedef struct Traffic {
    int wrote[MEMORY], came[MEMORY];
} Traffic;

typedef struct Runner {
    Run *run;
    Thread thread;
    Traffic traffic;
} Runner;

uint64_t when_outside(uint64_t when, int depth)
{
    int bits = ORDINAL_BITS * (NESTED - depth);
    return bits >= 64 ? 0 : when >> bits << bits;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static int *slot_of(const Run *run, const IrValue *value)
{
    uint64_t hash = (uint64_t)(uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15);
    int at = (int)(hash >> 40) & (run->slot_count - 1);
    while (run->slots[at] && run->nodes[run->slots[at] - 1].value != value)
        at = (at + 1) & (run->slot_count - 1);
    return &run->slots[at];
}

typedef struct Numbering {
    Run *run;
    Node like;
} Numbering;

static void number_value(Run *run, Node like, const IrValue *value)
{
    like.value = value;
    array_push(run->arena, run->nodes, run->node_count, run->node_capacity) = like;
    like.root = false;
    for (int i = 0; i < value->count; i++)
        number_value(run, like, value->operands[i]);
}

static void number_root(void *context, IrValue *value)
{
    Numbering *n = context;
    number_value(n->run, n->like, value);
}

static void number_region(Run *run, const IrRegion *region, Node like)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        Numbering n = { run, like };
        bool loop = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
        Node inner = like;
        n.like.stmt = stmt;
        if (loop && inner.depth < NESTED)
            inner.loops[inner.depth++] = stmt;
        if (stmt->kind == IR_WHILE) {
            n.like = inner;
            n.like.stmt = stmt;
        }
        ir_each_value(stmt, number_root, &n);
        for (int i = 0, count = ir_regions(stmt, regions); i < count; i++)
            number_region(run, regions[i], inner);
    }
}

Run *run_new(Arena *arena, const IrUnit *unit, const Launch *launch)
{
    Run *run = arena_new(arena, Run);
    *run = (Run){ .arena = arena, .unit = unit, .launch = launch };
    memcpy(run->memory, launch->memory, sizeof run->memory);
    number_region(run, &unit->kernel->body, (Node){ .root = true });
    run->slot_count = 64;
    while (run->slot_count < 2 * run->node_count)
        run->slot_count *= 2;
    run->slots = arena_array(arena, int, run->slot_count);
    for (int i = 0; i < run->node_count; i++)
        *slot_of(run, run->nodes[i].value) = i + 1;
    return run;
}

static bool undefined(Run *run)
{
    run->undefined = true;
    return false;
}

static int64_t unsupported(Run *run)
{
    run->unsupported = run->undefined = true;
    return 0;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static int64_t wrapped(const Type *type, int64_t value)
{
    int unused = 64 - 8 * (int)type_size(type);
    if (type->kind == TY_BOOL)
        return value & 1;
    if (unused <= 0)
        return value;
    uint64_t high = (uint64_t)value << unused;
    return type_is_signed(type) ? (int64_t)high >> unused : (int64_t)(high >> unused);
}

/* A sum, difference or product; of signed integers it must not overflow. */
static int64_t arithmetic(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    int64_t result;
    bool over = op == OP_add   ? __builtin_add_overflow(a, b, &result)
                : op == OP_sub ? __builtin_sub_overflow(a, b, &result)
                               : __builtin_mul_overflow(a, b, &result);
    if (type_is_signed(type) && (over || wrapped(type, result) != result))
        undefined(run);
    return wrapped(type, result);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b && (a < 0) != (b < 0));
}

static int64_t divided(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (!type_is_signed(type))
        return (int64_t)(op == OP_floordiv ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    if (b == -1)
        return op == OP_mod ? 0 : arithmetic(run, OP_sub, type, 0, a);
    return op == OP_floordiv ? floor_of(a, b) : a - b * floor_of(a, b);
}

static int64_t shifted(Run *run, IrOp op, const Type *type, int64_t a, int64_t b)
{
    if (b < 0 || b >= 8 * (int64_t)type_size(type))
        return undefined(run);
    if (op == OP_shr)
        return type_is_signed(type) ? a >> b : (int64_t)((uint64_t)a >> b);
    int64_t result = wrapped(type, (int64_t)((uint64_t)a << b));
    if (type_is_signed(type) && result >> b != a)
        undefined(run);
    return result;
}

static int64_t compared(IrOp op, const Type *type, int64_t a, int64_t b)
{
    bool less = type_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b;
    switch ((int)op) {
    case OP_eq:
        return a == b;
    case OP_ne:
        return a != b;
    case OP_lt:
        return less;
    case OP_ge:
        return !less;
    case OP_le:
        return less || a == b;
    default:
        return !less && a != b;
    }
}

static int64_t binary(Run *run, const IrValue *value, int64_t a, int64_t b)
{
    if (ir_is_comparison(value->op))
        return compared(value->op, value->operands[0]->type, a, b);
    switch ((int)value->op) {
    case OP_add:
    case OP_sub:
    case OP_mul:
        return arithmetic(run, value->op, value->type, a, b);
    case OP_floordiv:
    case OP_mod:
        return divided(run, value->op, value->type, a, b);
    case OP_shl:
    case OP_shr:
        return shifted(run, value->op, value->type, a, b);
    case OP_and:
        return a & b;
    case OP_or:
        return a | b;
    case OP_xor:
        return a ^ b;
    default:
        return unsupported(run);
    }
}

/* ---- values --------------------------------------------------------------------------------- */

static int64_t evaluate(Runner *r, const IrValue *value);

static int64_t place(const Runner *r, IrIntrinsic intrinsic, int axis)
{
    const Launch *launch = r->run->launch;
    int64_t block = launch->block[axis], grid = launch->grid[axis];
    switch ((int)intrinsic) {
    case INTR_thread_idx:
        return r->thread.thread_idx[axis];
    case INTR_block_idx:
        return r->thread.block_idx[axis];
    case INTR_block_dim:
        return block;
    case INTR_grid_dim:
        return grid;
    case INTR_grid:
        return r->thread.block_idx[axis] * block + r->thread.thread_idx[axis];
    default:
        return block * grid;
    }
}

/* The extents of a parameter, which may have been given axes. */
static int64_t extent_of(Runner *r, const IrVar *array, int axis)
{
    if (!array->extents)
        return r->run->launch->shape[array->param][axis];
    if (axis > 0)
        return evaluate(r, array->extents[axis - 1]);
    int64_t row = 1;
    for (int i = 1; i < array->type->array.rank; i++)
        row *= evaluate(r, array->extents[i - 1]);
    return row ? r->run->launch->shape[array->param][0] / row : 0;
}

static void note_traffic(Runner *r, int64_t at, int how)
{
    int *wrote = &r->traffic.wrote[at], *came = &r->traffic.came[at], own = r->thread.number + 1;
    if (how & (ACCESS_WRITE | ACCESS_ATOMIC)) {
        r->run->racy |= *came && *came != own;
        *wrote = own;
    }
    r->run->racy |= *wrote && *wrote != own;
    *came = *came && *came != own ? MANY : own;
}

/* Where in the memory an element is; below 0 where that is nowhere. */
static int64_t element(Runner *r, const void *access, const IrValue *array, IrValue *const *indices,
                       int count, int how)
{
    Run *run = r->run;
    int64_t at = 0;
    if (array->op != OP_var || array->var->kind != VAR_PARAM) {
        unsupported(run);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        int64_t index = evaluate(r, indices[i]), extent = extent_of(r, array->var, i);
        if (type_is_signed(indices[i]->type) && index < 0)
            index += extent;
        if (index < 0 || index >= extent)
            undefined(run);
        at = at * extent + index;
    }
    if (run->undefined)
        return -1;
    int param = array->var->param;
    at += run->launch->base[param];
    note_traffic(r, at, how);
    if (!run->quiet)
        array_push(run->arena, run->touches, run->touch_count, run->touch_capacity) =
            (Touch){ access, param, r->thread.number, r->thread.when, at, how };
    return at;
}

static int64_t load(Runner *r, const IrValue *value)
{
    int64_t at =
        element(r, value, value->operands[0], value->operands + 1, value->count - 1, ACCESS_READ);
    return at < 0 ? 0 : r->run->memory[at];
}

static int64_t atomic(Runner *r, const IrValue *value)
{
    const IrValue *last = value->operands[value->count - 1];
    int64_t at =
        element(r, value, value->operands[0], value->operands + 1, value->count - 2, ACCESS_ATOMIC);
    int64_t by = evaluate(r, last);
    if (at < 0 || r->run->undefined)
        return 0;
    int64_t *to = &r->run->memory[at], old = *to;
    if (value->intrinsic == INTR_atomic_add)
        *to = (int64_t)((uint64_t)old + (uint64_t)by);
    else
        *to = (value->intrinsic == INTR_atomic_max) == (old < by) ? by : old;
    return old;
}

static int64_t intrinsic(Runner *r, const IrValue *value)
{
    if (value->intrinsic <= INTR_gridsize)
        return place(r, value->intrinsic, value->index);
    switch ((int)value->intrinsic) {
    case INTR_atomic_add:
    case INTR_atomic_max:
    case INTR_atomic_min:
        return atomic(r, value);
    case INTR_min:
    case INTR_max: {
        int64_t a = evaluate(r, value->operands[0]), b = evaluate(r, value->operands[1]);
        bool less = compared(OP_lt, value->type, a, b);
        return less == (value->intrinsic == INTR_min) ? a : b;
    }
    default:
        return unsupported(r->run);
    }
}

static int64_t variable(Runner *r, const IrVar *var)
{
    if (var->kind == VAR_PARAM && var->param >= ARRAYS && var->param < PARAMS)
        return r->run->launch->scalar[var->param - ARRAYS];
    if (var->kind != VAR_LOCAL)
        return unsupported(r->run);
    if (!r->thread.set[var->id] && !r->run->quiet)
        undefined(r->run);
    return r->thread.set[var->id] ? r->thread.vars[var->id] : wrapped(var->type, ANYTHING);
}

static int64_t operation(Runner *r, const IrValue *value)
{
    IrValue *const *operands = value->operands;
    switch ((int)value->op) {
    case OP_constant:
        return value->constant.integer;
    case OP_zero:
        return 0;
    case OP_var:
        return variable(r, value->var);
    case OP_neg:
        return arithmetic(r->run, OP_sub, value->type, 0, evaluate(r, operands[0]));
    case OP_invert:
        return wrapped(value->type, ~evaluate(r, operands[0]));
    case OP_not:
        return !evaluate(r, operands[0]);
    case OP_and_then:
        return evaluate(r, operands[0]) && evaluate(r, operands[1]);
    case OP_or_else:
        return evaluate(r, operands[0]) || evaluate(r, operands[1]);
    case OP_select:
        return evaluate(r, operands[evaluate(r, operands[0]) ? 1 : 2]);
    case OP_cast:
        if (value->type->kind == TY_BOOL)
            return evaluate(r, operands[0]) != 0;
        return wrapped(value->type, evaluate(r, operands[0]));
    case OP_extent:
        if (operands[0]->op != OP_var || operands[0]->var->kind != VAR_PARAM)
            return unsupported(r->run);
        return extent_of(r, operands[0]->var, value->index);
    case OP_load:
        return load(r, value);
    case OP_intrinsic:
        return intrinsic(r, value);
    default:
        break;
    }
    if (value->count != 2)
        return unsupported(r->run);
    int64_t a = evaluate(r, operands[0]);
    return binary(r->run, value, a, evaluate(r, operands[1]));
}

static bool is_number(const Type *type)
{
    return type_is_integer(type) || type->kind == TY_BOOL;
}

static int64_t evaluate(Runner *r, const IrValue *value)
{
    Run *run = r->run;
    if (run->undefined || !is_number(value->type))
        return run->undefined ? 0 : unsupported(run);
    if (++r->thread.steps > (run->quiet ? 8 * STEPS_MOST : STEPS_MOST))
        return undefined(run);
    int64_t result = operation(r, value);
    int slot = run->quiet || run->undefined ? 0 : *slot_of(run, value);
    if (!slot)
        return result;
    if (run->event_count == EVENTS_MOST)
        return undefined(run);
    array_push(run->arena, run->events, run->event_count, run->event_capacity) =
        (Event){ slot - 1, r->thread.number, r->thread.when, result };
    if (run->each)
        run->each(run->context, run, slot - 1, result);
    return result;
}

bool run_value(Run *run, const IrValue *value, int64_t *result)
{
    Runner *r = run->at;
    bool quiet = run->quiet;
    run->quiet = true;
    *result = evaluate(r, value);
    run->quiet = quiet;
    bool fine = !run->undefined;
    run->undefined = false;
    return fine;
}

/* ---- statements ----------------------------------------------------------------------------- */

static int execute(Runner *r, const IrRegion *region);

static void set(Runner *r, const IrVar *var, int64_t value)
{
    r->thread.vars[var->id] = value;
    r->thread.set[var->id] = true;
}

/* An iteration of a loop; false if it is the last. */
static bool iterate(Runner *r, const IrRegion *body, int *ways)
{
    *ways = execute(r, body);
    bool out = *ways & (OUT_LOOP | OUT_THREAD);
    *ways &= OUT_THREAD;
    return !out && !r->run->undefined;
}

/* Goes on to iteration number `ordinal` of the loop that the thread is in. */
static bool begin_round(Runner *r, uint64_t outer, int64_t ordinal)
{
    if (ordinal >= ROUNDS_MOST)
        return undefined(r->run);
    r->thread.when = outer | (uint64_t)(ordinal + 1) << (ORDINAL_BITS * (NESTED - r->thread.depth));
    return true;
}

static int64_t run_for(Runner *r, const IrStmt *stmt, uint64_t outer, int *ways)
{
    int64_t at = evaluate(r, stmt->for_.start), stop = evaluate(r, stmt->for_.stop),
            step = evaluate(r, stmt->for_.step), rounds = 0;
    const Type *type = stmt->for_.var->type;
    r->thread.depth++;
    while (!r->run->undefined && step != 0 &&
           compared(step > 0 || !type_is_signed(type) ? OP_lt : OP_gt, type, at, stop)) {
        if (!begin_round(r, outer, rounds++))
            break;
        set(r, stmt->for_.var, at);
        if (!iterate(r, &stmt->for_.body, ways) || __builtin_add_overflow(at, step, &at) ||
            wrapped(type, at) != at)
            break;
    }
    return rounds;
}

static int64_t run_while(Runner *r, const IrStmt *stmt, uint64_t outer, int *ways)
{
    int64_t rounds = 0;
    r->thread.depth++;
    while (begin_round(r, outer, rounds) && evaluate(r, stmt->while_.condition) &&
           !r->run->undefined) {
        rounds++;
        if (!iterate(r, &stmt->while_.body, ways))
            break;
    }
    return rounds;
}

static int run_loop(Runner *r, const IrStmt *stmt, int64_t *rounds)
{
    uint64_t outer = r->thread.when;
    int ways = 0;
    if (r->thread.depth == NESTED)
        return undefined(r->run);
    *rounds =
        stmt->kind == IR_FOR ? run_for(r, stmt, outer, &ways) : run_while(r, stmt, outer, &ways);
    r->thread.depth--;
    r->thread.when = outer;
    return ways;
}

static void run_store(Runner *r, const IrStmt *stmt)
{
    int64_t value = evaluate(r, stmt->store.value);
    int64_t at =
        element(r, stmt, stmt->store.array, stmt->store.indices, stmt->store.count, ACCESS_WRITE);
    if (at >= 0)
        r->run->memory[at] = value;
}

static int run_stmt(Runner *r, const IrStmt *stmt, int64_t *rounds)
{
    switch (stmt->kind) {
    case IR_SET:
        set(r, stmt->set.var, evaluate(r, stmt->set.value));
        return 0;
    case IR_STORE:
        run_store(r, stmt);
        return 0;
    case IR_EVAL:
        evaluate(r, stmt->eval.value);
        return 0;
    case IR_IF: {
        bool holds = evaluate(r, stmt->if_.condition);
        return r->run->undefined ? 0 : execute(r, holds ? &stmt->if_.then : &stmt->if_.otherwise);
    }
    case IR_WHILE:
    case IR_FOR:
        return run_loop(r, stmt, rounds);
    case IR_BREAK:
        return OUT_LOOP;
    case IR_CONTINUE:
        return OUT_ITERATION;
    case IR_RETURN:
        return OUT_THREAD;
    default:
        unsupported(r->run);
        return 0;
    }
}

static int execute(Runner *r, const IrRegion *region)
{
    Run *run = r->run;
    for (const IrStmt *stmt = region->first; stmt && !run->undefined; stmt = stmt->next) {
        int64_t rounds = -1;
        int ways = run_stmt(r, stmt, &rounds);
        if (run->undefined)
            return 0;
        if (!run->quiet)
            array_push(run->arena, run->exits, run->exit_count, run->exit_capacity) =
                (Exit){ stmt, r->thread.number, r->thread.when, rounds, ways };
        if (ways)
            return ways;
    }
    return 0;
}

void run_all(Run *run)
{
    Runner *r = arena_new(run->arena, Runner);
    int count = run->unit->kernel->var_count + 1;
    r->run = run;
    run->at = r;
    for (int i = 0; i < run->launch->threads && !run->undefined; i++) {
        r->thread = (Thread){ .number = i,
                              .vars = arena_array(run->arena, int64_t, count),
                              .set = arena_array(run->arena, bool, count) };
        launch_place(run->launch, i, r->thread.thread_idx, r->thread.block_idx);
        execute(r, &run->unit->kernel->body);
    }
}

/* Runs a kernel of integers on a memory of int64, one thread after the other. That is one of the
** orders that a launch may have; where threads come to what others write, only claims that hold in
** each of them are compared (Run.racy). */
#include "tests/brute/run.h"

#include "ir/analysis/flow/flow.h"

#include <string.h>

enum { ROUNDS_MOST = 300 };

uint64_t when_outside(uint64_t when, int depth)
{
    int bits = ORDINAL_BITS * (NESTED - depth);
    return bits >= 64 ? 0 : when >> bits << bits;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

int *run_slot(const Run *run, const IrValue *value)
{
    uint64_t hash = (uint64_t)(uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15);
    int at = (int)(hash >> 40) & (run->slot_count - 1);
    while (run->slots[at] && run->nodes[run->slots[at] - 1].value != value)
        at = (at + 1) & (run->slot_count - 1);
    return &run->slots[at];
}

static void number_value(Run *run, Node like, const IrValue *value)
{
    like.value = value;
    array_push(run->arena, run->nodes, run->node_count, run->node_capacity) = like;
    like.root = false;
    for (int i = 0; i < value->count; i++)
        number_value(run, like, value->operands[i]);
}

static void number_region(Run *run, const IrRegion *region, Node like)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        IrRegion *regions[2];
        bool loop = stmt->kind == IR_FOR || stmt->kind == IR_WHILE;
        Node inner = like;
        if (loop && inner.depth < NESTED)
            inner.loops[inner.depth++] = stmt;
        Node own = stmt->kind == IR_WHILE ? inner : like;
        own.stmt = stmt;
        for_each_value (value, stmt)
            number_value(run, own, value);
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
        *run_slot(run, run->nodes[i].value) = i + 1;
    return run;
}

bool run_undefined(Run *run)
{
    run->undefined = true;
    return false;
}

int64_t run_unsupported(Run *run)
{
    run->unsupported = run->undefined = true;
    return 0;
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
        return run_undefined(r->run);
    r->thread.when = outer | (uint64_t)(ordinal + 1) << (ORDINAL_BITS * (NESTED - r->thread.depth));
    return true;
}

static int64_t run_for(Runner *r, const IrStmt *stmt, uint64_t outer, int *ways)
{
    int64_t at = run_evaluate(r, stmt->for_.start), stop = run_evaluate(r, stmt->for_.stop),
            step = run_evaluate(r, stmt->for_.step), rounds = 0;
    const Type *type = stmt->for_.var->type;
    r->thread.depth++;
    while (!r->run->undefined && step != 0 &&
           run_compared(step > 0 || !type_is_signed(type) ? OP_lt : OP_gt, type, at, stop)) {
        if (!begin_round(r, outer, rounds++))
            break;
        set(r, stmt->for_.var, at);
        if (!iterate(r, &stmt->for_.body, ways) || __builtin_add_overflow(at, step, &at) ||
            run_wrapped(type, at) != at)
            break;
    }
    return rounds;
}

static int64_t run_while(Runner *r, const IrStmt *stmt, uint64_t outer, int *ways)
{
    int64_t rounds = 0;
    r->thread.depth++;
    while (begin_round(r, outer, rounds) && run_evaluate(r, stmt->while_.condition) &&
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
        return run_undefined(r->run);
    *rounds =
        stmt->kind == IR_FOR ? run_for(r, stmt, outer, &ways) : run_while(r, stmt, outer, &ways);
    r->thread.depth--;
    r->thread.when = outer;
    return ways;
}

static void run_store(Runner *r, const IrStmt *stmt)
{
    int64_t value = run_evaluate(r, stmt->store.value);
    int64_t at = run_element(r, stmt, stmt->store.array, stmt->store.indices, stmt->store.count,
                             ACCESS_WRITE);
    if (at >= 0)
        *run_cell(r, at) = value;
}

static int run_stmt(Runner *r, const IrStmt *stmt, int64_t *rounds)
{
    switch (stmt->kind) {
    case IR_SET:
        if (type_is_array(stmt->set.var->type)) {
            r->thread.refs[stmt->set.var->id] = run_array(r, stmt->set.value);
            r->thread.set[stmt->set.var->id] = true;
        } else {
            set(r, stmt->set.var, run_evaluate(r, stmt->set.value));
        }
        return 0;
    case IR_STORE:
        run_store(r, stmt);
        return 0;
    case IR_EVAL:
        run_evaluate(r, stmt->eval.value);
        return 0;
    case IR_IF: {
        bool holds = run_evaluate(r, stmt->if_.condition);
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
        run_unsupported(r->run);
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
                              .refs = arena_array(run->arena, Ref, count),
                              .vars = arena_array(run->arena, int64_t, count),
                              .set = arena_array(run->arena, bool, count) };
        launch_place(run->launch, i, r->thread.thread_idx, r->thread.block_idx);
        execute(r, &run->unit->kernel->body);
    }
}

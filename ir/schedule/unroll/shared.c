/* Loops over what a block has in shared memory, or a thread in arrays of its own: the device's
** compiler is asked to lay their iterations side by side.
**
**     for k in range(32):
**         total += near_a[ty, k] * near_b[k, tx]
**
** Neighbours of a row then come in one access of 16 bytes, and the answers of many accesses are
** waited for together. The compiler's own limit stops it short of this where a thread does the work
** of several: what matters most is then a loop as it was written.
**
** Legal always. Pays for loops of a known number of iterations that read shared memory and come to
** more text than the compiler would lay out by itself, for as many iterations as the text can bear:
** its size is counted in statements, those of loops inside for each of their iterations, and
** divisions and functions as several: a hundred square roots one after the other are fetched anew
** each time.
**
** Arrays of a thread's own, as row in row[y + 1] = min(row[y], up) + cost, are registers if their
** indices are numbers, and memory else: of loops whose counter is part of such an index all
** iterations are laid out, or none, as far as the text can bear them; and of a loop around them
** two, so that what one leaves the next finds where it is. */
#include "ir/schedule/cost.h"
#include "ir/schedule/schedule.h"
#include "ir/schedule/unroll/unroll.h"

enum {
    TEXT_MOST = 1280,      /* statements that a loop may come to */
    TEXT_LEAST = 128,      /* what the compiler does without being asked */
    ITERATIONS_LARGE = 16, /* where all iterations are too many */
    ITERATIONS_SMALL = 4,
    ITERATIONS_OWN = 8,   /* through arrays of a thread's own, which the compiler always lays out */
    ITERATIONS_AROUND = 2 /* of the loop around these, whose registers need not be moved then */
};

/* What a loop's text comes to. */
typedef struct Text {
    int64_t statements; /* more than TEXT_MOST: too many to count, or without a known number */
    int64_t slow;       /* as many more take what its divisions and functions come to */
    bool reads_shared;
} Text;

static void note_value(void *context, IrValue *value)
{
    enum { OF_STATEMENT = 4, SLOW = 12 }; /* instructions */
    Text *text = context;
    double instructions = cost_instructions(value);
    text->slow += instructions >= SLOW ? (int64_t)instructions / OF_STATEMENT : 0;
    const IrVar *var = value->op == OP_load ? ir_array_base(value->operands[0]) : NULL;
    text->reads_shared |= var && ir_is_shared(var);
}

static Text text_of(const IrRegion *region)
{
    Text text = { 0 };
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        int64_t iterations = stmt->kind == IR_FOR ? ir_trip_count(stmt) : 1;
        ir_each_own_node(stmt, note_value, &text);
        if (iterations <= 0 || iterations > TEXT_MOST || stmt->kind == IR_WHILE) {
            text.statements += TEXT_MOST + 1;
            iterations = 1;
        }
        text.statements++;
        for_each_region (inner, stmt) {
            Text inside = text_of(inner);
            text.reads_shared |= inside.reads_shared;
            text.statements += iterations * inside.statements;
            text.slow += iterations * inside.slow;
        }
        if (text.statements > TEXT_MOST)
            text.statements = TEXT_MOST + 1;
        if (text.slow > TEXT_MOST)
            text.slow = TEXT_MOST + 1;
    }
    return text;
}

/* How many iterations may lie side by side; 0: none. */
static int iterations_allowed(int64_t iterations, int64_t statements)
{
    if (iterations <= TEXT_MOST && iterations * statements <= TEXT_MOST)
        return UNROLL_ALL;
    for (int some = ITERATIONS_LARGE; some >= ITERATIONS_SMALL; some /= 2)
        if (iterations % some == 0 && some * statements <= TEXT_MOST)
            return some;
    return 0;
}

/* ---- arrays of a thread's own ---------------------------------------------------------------- */

typedef struct Own {
    const IrVar *counter;
    bool counts; /* it is in an index of such an array */
} Own;

static void note_counter(void *context, IrValue *value)
{
    Own *own = context;
    own->counts |= ir_is_var(value, own->counter);
}

static void note_own(Own *own, const IrValue *array, IrValue *const *indices, int count)
{
    for (int i = 0; i < count && array->op == OP_var && array->var->kind == VAR_PRIVATE; i++)
        ir_each_node(indices[i], note_counter, own);
}

static void note_own_load(void *context, IrValue *value)
{
    if (value->op == OP_load)
        note_own(context, value->operands[0], value->operands + 1, value->count - 1);
}

static void note_own_store(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_STORE)
        note_own(context, stmt->store.array, stmt->store.indices, stmt->store.count);
}

bool unroll_through_own(const IrStmt *loop)
{
    Own own = { .counter = loop->for_.var };
    int64_t iterations = ir_trip_count(loop);
    if (iterations <= ITERATIONS_OWN || iterations > UNROLL_MOST ||
        iterations * text_of(&loop->for_.body).statements > TEXT_MOST)
        return false;
    ir_each_node_in((IrRegion *)&loop->for_.body, note_own_load, &own);
    ir_each_stmt((IrRegion *)&loop->for_.body, note_own_store, &own);
    return own.counts;
}

static void note_through_own(void *context, IrStmt *stmt)
{
    *(bool *)context |= stmt->kind == IR_FOR && unroll_through_own(stmt);
}

/* Whether what a loop goes through again and again are registers: each of its iterations would
** leave what the next begins with in others, and move it. */
static bool is_around_own(IrStmt *loop, int64_t iterations, int64_t statements)
{
    bool around = false;
    if (iterations % ITERATIONS_AROUND == 0 && ITERATIONS_AROUND * statements <= TEXT_MOST)
        ir_each_stmt(&loop->for_.body, note_through_own, &around);
    return around;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static void visit_stmt(void *context, IrStmt *stmt)
{
    IrUnit *unit = context;
    int64_t iterations = stmt->kind == IR_FOR && !stmt->for_.unroll ? ir_trip_count(stmt) : 0;
    if (iterations < 2 || ir_region_effects(&stmt->for_.body) & EFFECT_BLOCK_SYNC)
        return;
    Text text = text_of(&stmt->for_.body);
    bool own_array = unroll_through_own(stmt);
    bool around = !own_array && is_around_own(stmt, iterations, text.statements);
    int64_t size = text.statements + (own_array ? 0 : text.slow);
    int some = around ? ITERATIONS_AROUND : iterations_allowed(iterations, size);
    bool pays =
        own_array || around || (text.reads_shared && iterations * size >= TEXT_LEAST && some);
    Directive own = { DO_PRAGMA, .loop = schedule_loop(stmt), .site = stmt, .span = stmt->span,
                      .number = some };
    Directive *directive = schedule_take(unit, own, pays);
    if (!directive)
        return;
    stmt->for_.unroll = (int)directive->number;
    schedule_done(directive);
    if (own_array)
        ir_remark(unit, stmt->span,
                  "the loop is laid out, so that the thread's own array lies in registers");
    else if (around)
        ir_remark(unit, stmt->span, "two iterations lie side by side, and move no registers");
    else if (text.reads_shared)
        ir_remark(unit, stmt->span, "the loop's iterations through shared memory lie side by side");
}

void ir_unroll_shared(IrUnit *unit)
{
    ir_each_stmt(&unit->kernel->body, visit_stmt, unit);
}

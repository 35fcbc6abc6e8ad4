/* Loops that count in fewer bits, as those do whose bounds are elements of int32, count in int64:
**
**     for k: int32 in load(start, r) to ...         for k.2 in cast<int64>(load(start, r)) to ...
**         s = add(s, load(x, cast<int64>(k)))  =>       k = cast<int32>(k.2)
**                                                       s = add(s, load(x, k.2))
**
** Legal if the innermost loop sets its counter nowhere else: it holds nothing that fewer bits do
** not. Pays where iterations begin several at once, which loops that count in int64 do: passes in
** front have bounds in fewer bits, as rows that go through shared memory do. */
#include "ir/schedule/unroll/unroll.h"

enum {
    SHORT = 8,       /* iterations that the device's compiler lays out itself, */
    SHORT_SMALL = 32 /* and those of little text */
};

typedef struct WideCounter {
    const IrVar *from;
    IrVar *to;
    bool set; /* the loop sets it as well */
} WideCounter;

static void note_set(void *context, IrStmt *stmt)
{
    WideCounter *w = context;
    w->set |= ir_set_var(stmt) == w->from;
}

static void put_wide(void *context, IrValue *value)
{
    const WideCounter *w = context;
    if (value->op != OP_cast || value->type != type_int64 ||
        !ir_is_var(value->operands[0], w->from))
        return;
    value->op = OP_var;
    value->var = w->to;
    value->count = 0;
}

static IrValue *widened(const IrBuilder *b, IrValue *value)
{
    return ir_is_constant(value) ? build_integer(b, type_int64, value->constant.integer)
                                 : build_cast(b, type_int64, value);
}

static void widen(void *context, IrStmt *loop)
{
    IrUnit *unit = context;
    const IrBuilder b[1] = { { unit->arena, unit->kernel, loop->span } };
    if (loop->kind != IR_FOR || loop->for_.unroll || !type_is_signed(loop->for_.var->type) ||
        type_size(loop->for_.var->type) >= type_size(type_int64) || ir_has_loop(&loop->for_.body))
        return;
    IrVar *counter = loop->for_.var;
    WideCounter w = { .from = counter };
    IrRegion *body = &loop->for_.body;
    for (IrStmt *stmt = body->first; stmt; stmt = stmt->next)
        ir_each_stmt_of(stmt, note_set, &w);
    if (w.set)
        return;
    w.to = build_counter(b, counter->name);
    w.to->temporary = counter->temporary;
    w.to->nonnegative = counter->nonnegative;
    w.to->positive = counter->positive;
    ir_each_node_in(body, put_wide, &w);
    loop->for_.var = w.to;
    loop->for_.start = widened(b, loop->for_.start);
    loop->for_.stop = widened(b, loop->for_.stop);
    loop->for_.step = widened(b, loop->for_.step);
    IrStmt *set =
        ir_set(unit->arena, counter, build_cast(b, counter->type, build_var(b, w.to)), loop->span);
    if (body->first)
        ir_insert_before(body, body->first, set);
    else
        ir_append(body, set);
}

void unroll_widen(IrUnit *unit)
{
    ir_each_stmt(&unit->kernel->body, widen, unit);
    ir_dce(unit); /* counters that nothing reads any more */
}

/* ---- how loops count ------------------------------------------------------------------------- */

bool unroll_counts_upward(const IrStmt *loop)
{
    const IrValue *step = loop->for_.step;
    return loop->for_.var->type == type_int64 &&
           (ir_is_constant(step) ? step->constant.integer > 0 && step->constant.integer <= STEP_MOST
                                 : ir_nonnegative(step));
}

/* Through numbers that are not negative. */
bool unroll_counts_downward(const IrStmt *loop)
{
    const IrValue *step = loop->for_.step, *stop = loop->for_.stop;
    return loop->for_.var->type == type_int64 && ir_is_constant(step) && ir_is_constant(stop) &&
           step->constant.integer < 0 && step->constant.integer >= -STEP_MOST &&
           stop->constant.integer >= -1 && stop->constant.integer < LIMIT_30_BITS;
}

bool unroll_is_short(const IrStmt *loop, int nodes)
{
    bool down = unroll_counts_downward(loop);
    const IrValue *start = down ? loop->for_.stop : loop->for_.start;
    const IrValue *stop = down ? loop->for_.start : loop->for_.stop, *step = loop->for_.step;
    int64_t most = SHORT_SMALL * nodes <= NODES_MOST ? SHORT_SMALL : SHORT, span;
    return ir_is_constant(start) && ir_is_constant(stop) && ir_is_constant(step) &&
           !__builtin_sub_overflow(stop->constant.integer, start->constant.integer, &span) &&
           span <= most * (down ? -step->constant.integer : step->constant.integer);
}

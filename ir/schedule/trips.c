/* Loops in which each thread of a block takes its share, and all of them as many iterations.
**
**     for row in ty to 32 by 8                 for _trip in 0 to 4 by 1
**         store near_b[row, tx] = ...              row = add(ty, mul(_trip, 8))
**                                                  store near_b[row, tx] = ...
**
** A block of known shape says what its threads' indices can be, and so how many iterations a loop
** makes that begins at an index. With the number of iterations known to the device's compiler, they
** are laid side by side and their loads are under way together; threads that one stands for
** (blocks.c) have the loop in common.
**
** Legal if the number is the same whatever the thread's index, and not 0: then what the counter
** holds behind the loop is the same, too; and if iterations do not change what the start is made
** of. Pays always. */
#include "ir/analysis/affine.h"
#include "ir/analysis/range/interval.h"
#include "ir/schedule/schedule.h"

enum {
    LONGEST = 1 << 30, /* iterations: they are counted in numbers far from any type's end */
    NAMES_DEEP = 16    /* variables that stand for one another */
};

typedef struct Trips {
    IrUnit *unit;
    IrAffine affine;
    uint32_t block[3];
} Trips;

/* ---- what a value can be ------------------------------------------------------------------- */

static Interval value_range(const Trips *t, const IrValue *value, int depth);

static Interval intrinsic_range(const Trips *t, const IrValue *value)
{
    int axis = launch_axis(&t->unit->shape, value->index);
    if (value->intrinsic == INTR_thread_idx)
        return interval_from(0, (IrWide)t->block[axis] - 1);
    if (value->intrinsic == INTR_block_dim)
        return interval_from(t->block[axis], t->block[axis]);
    return interval_everything();
}

static Interval operation_range(const Trips *t, const IrValue *value, int depth)
{
    switch ((int)value->op) {
    case OP_constant:
        return interval_from(value->constant.integer, value->constant.integer);
    case OP_var: {
        const IrValue *set = sets_value(&t->affine.sets, value->var);
        return set ? value_range(t, set, depth + 1) : interval_everything();
    }
    case OP_cast:
        return value_range(t, value->operands[0], depth);
    case OP_add:
    case OP_sub:
    case OP_mul:
    case OP_floordiv:
    case OP_mod:
        return interval_binary(value->op, value_range(t, value->operands[0], depth),
                               value_range(t, value->operands[1], depth));
    case OP_intrinsic:
        return intrinsic_range(t, value);
    default:
        return interval_everything();
    }
}

/* Of integers of at least 32 bits; none of what it says wraps. */
static Interval value_range(const Trips *t, const IrValue *value, int depth)
{
    if (!type_is_integer(value->type) || depth > NAMES_DEEP)
        return interval_everything();
    Interval range = operation_range(t, value, depth);
    return interval_fits(range, value->type) ? range : interval_everything();
}

/* ---- how many iterations --------------------------------------------------------------------- */

/* The iterations from `start` on, of a loop that counts up. */
static IrWide iterations_from(IrWide start, IrWide stop, IrWide step)
{
    return start < stop ? (stop - start + step - 1) / step : 0;
}

/* The iterations that each thread makes, for blocks of t->block; 0: not known, or not the same. And
** by how much they go up. */
static int64_t iterations_of(const Trips *t, const IrStmt *loop, int64_t *by)
{
    Interval start = value_range(t, loop->for_.start, 0), stop = value_range(t, loop->for_.stop, 0),
             step = value_range(t, loop->for_.step, 0);
    if (stop.low != stop.high || step.low != step.high || step.low <= 0 ||
        !interval_within(start, interval_from(-LONGEST, LONGEST)) ||
        !interval_within(stop, interval_from(-LONGEST, LONGEST)) || step.low > LONGEST)
        return 0;
    *by = (int64_t)step.low;
    IrWide most = iterations_from(start.low, stop.low, step.low);
    return most == iterations_from(start.high, stop.low, step.low) ? (int64_t)most : 0;
}

static bool is_index(const IrValue *value)
{
    return value->op == OP_var || value->op == OP_intrinsic;
}

/* Whether it may be such a loop; blocks of one thread are asked, so that no launch need be. */
static bool is_candidate(const Trips *t, const IrStmt *loop)
{
    Trips alone = *t;
    int64_t by;
    for (int k = 0; k < 3; k++)
        alone.block[k] = 1;
    return ir_has_node(loop->for_.start, is_index) &&
           sets_stable(&t->affine.sets, loop->for_.start) && loop->for_.var->type == type_int64 &&
           !loop->for_.unroll && iterations_of(&alone, loop, &by) > 0;
}

/* ---- the pass ------------------------------------------------------------------------------ */

static void count_iterations(Trips *t, IrStmt *loop, int64_t iterations, int64_t by)
{
    Arena *arena = t->unit->arena;
    Span span = loop->span;
    IrVar *counter = loop->for_.var;
    IrVar *trip = ir_counter(arena, t->unit->kernel, "_trip", span);
    trip->uniform = true;
    IrValue *along = ir_binary(arena, OP_mul, ir_var(arena, trip, span),
                               ir_integer(arena, type_int64, by, span), span);
    IrValue *index = ir_binary(arena, OP_add, loop->for_.start, along, span);
    ir_insert_before(&loop->for_.body, loop->for_.body.first, ir_set(arena, counter, index, span));
    loop->for_.var = trip;
    loop->for_.start = ir_integer(arena, type_int64, 0, span);
    loop->for_.stop = ir_integer(arena, type_int64, iterations, span);
    loop->for_.step = ir_integer(arena, type_int64, 1, span);
    loop->for_.bounded = true;
    ir_remark(t->unit, span, "every thread takes %lld of the loop's iterations",
              (long long)iterations);
}

static void visit_stmt(void *context, IrStmt *stmt)
{
    Trips *t = context;
    if (stmt->kind != IR_FOR || !is_candidate(t, stmt) || !launch_block(t->unit->launch, t->block))
        return;
    int64_t by, iterations = iterations_of(t, stmt, &by);
    Directive own = { DO_TRIPS, .loop = schedule_loop(stmt), .site = stmt, .span = stmt->span };
    Directive *directive = iterations ? schedule_take(t->unit, own, true) : NULL;
    if (!iterations)
        schedule_refuse(t->unit, own, stmt->span, "threads make more or fewer iterations");
    if (!directive)
        return;
    count_iterations(t, stmt, iterations, by);
    schedule_done(directive);
}

void ir_trips(IrUnit *unit)
{
    if (unit->shape.free)
        return;
    Trips t = { .unit = unit, .affine = ir_affine(unit, NULL) };
    ir_each_stmt(&unit->kernel->body, visit_stmt, &t);
}

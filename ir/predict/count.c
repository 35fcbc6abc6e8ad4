#include "ir/predict/count.h"

#include "ir/analysis/flow/flow.h"
#include "ir/clone.h"
#include "ir/optimise.h"

typedef struct Counting {
    Arena *arena;
    IrUnit *unit;
    IrFunc *fn;
    IrPointsTo points_to;
    IrCount *count;
    IrVar **counters; /* count->count of them */
    int counters_capacity;
    IrVar *params[COUNT_PARAMS];
} Counting;

/* ---- runs of statements --------------------------------------------------------------------- */

/* Statements that run as often as the first of them. */
typedef struct CountedRun {
    IrRegion *region;
    IrStmt *before; /* what stands in front of it; NULL: nothing */
    IrWork work;
} CountedRun;

static CountedRun begin_run(const Counting *c, IrRegion *region)
{
    return (CountedRun){ region, region->last, count_no_work(c->arena, c->count->params) };
}

static IrStmt *add_one(const Counting *c, IrVar *counter)
{
    IrValue *one = ir_integer(c->arena, type_int64, 1, c->fn->span);
    IrValue *now = ir_var(c->arena, counter, c->fn->span);

    return ir_set(c->arena, counter, ir_binary(c->arena, OP_add, now, one, c->fn->span),
                  c->fn->span);
}

/* A run that does something gets a counter, at its begin. */
static void end_run(Counting *c, CountedRun *run)
{
    IrCount *count = c->count;

    if (!count_is_work(&run->work, count->params))
        return;
    IrVar *counter = ir_temporary(c->arena, c->fn, "_count", type_int64, c->fn->span);
    int at = count->count;
    array_push(c->arena, count->works, count->count, count->capacity) = run->work;
    array_push(c->arena, c->counters, at, c->counters_capacity) = counter;
    IrStmt *behind = run->before ? run->before->next : run->region->first;
    ir_insert_before(run->region, behind, add_one(c, counter));
}

/* Whether a value, or anything in it, does something. */
static bool works(const Counting *c, const IrValue *value)
{
    IrWork work = count_no_work(c->arena, c->count->params);

    count_value(&c->points_to, c->count->params, &work, value);
    if (count_is_work(&work, c->count->params))
        return true;
    for (int i = 0; i < value->count; i++) {
        if (works(c, value->operands[i]))
            return true;
    }
    return false;
}

static void count_tree(Counting *c, CountedRun *run, const IrValue *value);

/* An operand that is not always evaluated: a branch for its sake alone. */
static void count_choice(Counting *c, CountedRun *run, const IrValue *value, int operand)
{
    const IrClone plain = { .arena = c->arena };
    bool then = value->op == OP_and_then || (value->op == OP_select && operand == 1);

    if (!works(c, value->operands[operand]))
        return;
    IrStmt *branch = ir_if(c->arena, ir_clone_value(&plain, value->operands[0]), value->span);
    CountedRun inner = begin_run(c, then ? &branch->if_.then : &branch->if_.otherwise);
    count_tree(c, &inner, value->operands[operand]);
    end_run(c, &inner);
    ir_append(run->region, branch);
}

static void count_tree(Counting *c, CountedRun *run, const IrValue *value)
{
    int certain = ir_certain_operands(value);

    count_value(&c->points_to, c->count->params, &run->work, value);
    for (int i = 0; i < certain; i++)
        count_tree(c, run, value->operands[i]);
    for (int i = certain; i < value->count; i++)
        count_choice(c, run, value, i);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void count_region(Counting *c, IrRegion *region);

/* What is evaluated at each iteration moves into the body of an endless loop. */
static void count_while(Counting *c, IrStmt *stmt)
{
    IrRegion body = { NULL, NULL };
    IrValue *condition = stmt->while_.condition;

    count_region(c, &stmt->while_.body);
    if (!works(c, condition))
        return;
    CountedRun run = begin_run(c, &body);
    count_tree(c, &run, condition);
    IrStmt *leave = ir_if(c->arena, ir_unary(c->arena, OP_not, condition, stmt->span), stmt->span);
    ir_append(&leave->if_.then, ir_stmt(c->arena, IR_BREAK, stmt->span));
    ir_append(&body, leave);
    end_run(c, &run);
    ir_append_region(&body, stmt->while_.body);
    stmt->while_.body = body;
    stmt->while_.condition = ir_integer(c->arena, type_bool, 1, stmt->span);
}

static void count_stmt(Counting *c, CountedRun *run, IrStmt *stmt)
{
    switch (stmt->kind) {
    case IR_WHILE:
        count_while(c, stmt);
        return;
    case IR_PRINT:
    case IR_FAULT:
        return;
    case IR_STORE:
        count_store(&c->points_to, c->count->params, &run->work, stmt);
        break;
    case IR_SET:
    case IR_EVAL:
    case IR_IF:
    case IR_FOR:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_STOP:
        break;
    }
    for_each_value (value, stmt)
        count_tree(c, run, value);
    for_each_region (inner, stmt)
        count_region(c, inner);
}

/* The region with counters, and without what prints; a fault ends the thread. */
static void count_region(Counting *c, IrRegion *region)
{
    IrStmt *stmt = region->first;

    *region = (IrRegion){ NULL, NULL };
    CountedRun run = begin_run(c, region);
    for (IrStmt *next; stmt; stmt = next) {
        next = stmt->next;
        stmt->next = stmt->prev = NULL;
        bool leaves = flow_stmt_ways_out(stmt) != 0;
        count_stmt(c, &run, stmt);
        if (stmt->kind == IR_FAULT)
            stmt->kind = IR_STOP;
        if (stmt->kind != IR_PRINT)
            ir_append(region, stmt);
        if (leaves) {
            end_run(c, &run);
            run = begin_run(c, region);
        }
    }
    end_run(c, &run);
}

/* ---- blocks that stand for others ----------------------------------------------------------- */

static IrValue *scalar(const Counting *c, int which, int axis)
{
    return ir_var(c->arena, c->params[3 * which + axis], c->fn->span);
}

static IrValue *axis_of(const Counting *c, IrIntrinsic intrinsic, int axis)
{
    return ir_cast(c->arena, type_int64,
                   ir_never_negative(ir_axis(c->arena, intrinsic, axis, c->fn->span)), c->fn->span);
}

/* first + step * blockIdx */
static IrValue *block_number(const Counting *c, int axis)
{
    Span span = c->fn->span;
    IrValue *far =
        ir_binary(c->arena, OP_mul, scalar(c, 1, axis), axis_of(c, INTR_block_idx, axis), span);

    return ir_binary(c->arena, OP_add, scalar(c, 0, axis), far, span);
}

/* What a value is in the grid that the launch stands for; NULL: what it says. */
static IrValue *in_whole_grid(const Counting *c, const IrValue *value)
{
    int axis = value->index;
    Span span = c->fn->span;

    if (value->op != OP_intrinsic)
        return NULL;
    switch (value->intrinsic) {
    case INTR_block_idx:
        return block_number(c, axis);
    case INTR_grid_dim:
        return scalar(c, 2, axis);
    case INTR_grid:
        return ir_binary(c->arena, OP_add,
                         ir_binary(c->arena, OP_mul, block_number(c, axis),
                                   axis_of(c, INTR_block_dim, axis), span),
                         axis_of(c, INTR_thread_idx, axis), span);
    case INTR_gridsize:
        return ir_binary(c->arena, OP_mul, scalar(c, 2, axis), axis_of(c, INTR_block_dim, axis),
                         span);
    default:
        return NULL;
    }
}

static IrValue *position(void *context, IrValue *value)
{
    const Counting *c = context;
    IrValue *other = in_whole_grid(c, value);
    return other ? ir_never_negative(ir_cast(c->arena, value->type, other, value->span)) : NULL;
}

/* ---- from the first statement to the last --------------------------------------------------- */

/* Counters are added to the array when a thread ends. */
static void add_up(const Counting *c, IrRegion *region, IrStmt *before)
{
    Span span = c->fn->span;

    for (int i = 0; i < c->count->count; i++) {
        IrValue *add = ir_intrinsic(c->arena, INTR_atomic_add, type_int64, span,
                                    ir_var(c->arena, c->params[COUNT_SCALARS], span),
                                    ir_integer(c->arena, type_int64, i, span),
                                    ir_var(c->arena, c->counters[i], span));
        IrStmt *eval = ir_eval(c->arena, add, span);
        ir_insert_before(region, before, eval);
    }
}

static void add_up_at_ends(const Counting *c, IrRegion *region)
{
    for (IrStmt *stmt = region->first; stmt; stmt = stmt->next) {
        if (stmt->kind == IR_STOP)
            stmt->kind = IR_RETURN;
        if (stmt->kind == IR_RETURN) {
            stmt->return_.value = NULL;
            add_up(c, region, stmt);
        }
        for_each_region (inner, stmt)
            add_up_at_ends(c, inner);
    }
}

static void begin_at_zero(const Counting *c)
{
    for (int i = 0; i < c->count->count; i++) {
        IrValue *zero = ir_integer(c->arena, type_int64, 0, c->fn->span);
        ir_insert_before(&c->fn->body, c->fn->body.first,
                         ir_set(c->arena, c->counters[i], zero, c->fn->span));
    }
}

static void add_params(Counting *c)
{
    static const Type counts = { .kind = TY_ARRAY, .array = { .element = type_int64, .rank = 1 } };

    for (int i = 0; i < COUNT_PARAMS; i++) {
        bool array = i == COUNT_SCALARS;
        const char *name = array ? "_counts"
                                 : arena_printf(c->arena, "_%s_%c",
                                                i < 3   ? "first"
                                                : i < 6 ? "step"
                                                        : "blocks",
                                                "xyz"[i % 3]);
        c->params[i] = ir_add_param(c->unit, name, array ? &counts : type_int64);
        c->params[i]->nonnegative = !array;
        c->params[i]->uniform = true;
    }
    c->params[COUNT_SCALARS]->merged = COMBINE_SUM;
}

/* The functions' bodies in place of their calls; NULL and `*why` if they cannot stand there. */
static IrUnit *without_calls(IrUnit *unit, const char **why)
{
    enum { MOST_STATEMENTS = 20000 };

    *why = NULL;
    if (!unit->count)
        return unit;
    ir_take_calls(unit);
    ir_effects(unit);
    for (int i = 0; i < unit->count && !*why; i++) {
        if (unit->functions[i]->recursive)
            *why = "calls a function that calls itself";
        else if (unit->functions[i]->stays)
            *why = "calls a function of several statements where it is not sure to be called";
    }
    if (!*why && ir_inline_excess(unit, ir_is_inlined, MOST_STATEMENTS))
        *why = "is too long with its functions in place of their calls";
    return *why ? NULL : ir_inline(unit->arena, unit, ir_is_inlined);
}

static void prepare(Counting *c)
{
    for (int i = 0; i < c->fn->param_count; i++)
        c->fn->vars[i]->exact = false; /* what it adds is not the result */
    c->fn->options.debug = c->fn->options.deterministic = false;
    c->count->params = c->fn->param_count;
    c->count->reads = arena_array(c->arena, bool, c->fn->param_count + 1);
    add_params(c);
    c->points_to = ir_points_to(c->arena, c->fn);
}

static bool *counters_by_id(const Counting *c)
{
    bool *ids = arena_array(c->arena, bool, c->fn->var_count + 1);

    for (int i = 0; i < c->count->count; i++)
        ids[c->counters[i]->id] = true;
    return ids;
}

const char *ir_count(IrUnit **unit, IrCount *count)
{
    const char *why;
    IrUnit *own = without_calls(*unit, &why);

    *count = (IrCount){ 0 };
    if (!own)
        return why;
    Counting c = { .arena = own->arena, .unit = own, .fn = own->kernel, .count = count };
    *unit = own;
    prepare(&c);
    count_region(&c, &c.fn->body);
    count_slice(c.fn, &c.points_to, counters_by_id(&c), count);
    ir_replace_in(&c.fn->body, position, &c);
    add_up_at_ends(&c, &c.fn->body);
    if (!c.fn->body.last || c.fn->body.last->kind != IR_RETURN)
        add_up(&c, &c.fn->body, NULL);
    begin_at_zero(&c);
    ir_effects(own);
    ir_range(own);
    ir_uniform(own);
#ifdef KJIT_DEBUG
    return ir_verify(own, "count");
#else
    return NULL;
#endif
}

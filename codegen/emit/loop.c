/* Heads of for statements, and pragmas of loops for the compilers. */
#include "ir/analysis/flow/sets.h"

#include "codegen/emit/emit.h"

/* ---- what is counted once --------------------------------------------------------------- */

static bool is_cheap(const Emitter *e, const IrValue *value)
{
    if (value->op == OP_pow || (e->dialect == DIALECT_CHECK && check_may_fail(e, value)))
        return false;
    for (int i = 0; i < value->count; i++)
        if (!is_cheap(e, value->operands[i]))
            return false;
    return true;
}

/* Whether a value is the same at each iteration of a loop, and cheap to say again. */
static bool is_steady(const Emitter *e, const IrValue *value, const IrStmt *loop)
{
    if (ir_is_constant(value))
        return true;
    const IrSets sets = ir_sets_of_loop(e->arena, e->fn, loop);
    return is_cheap(e, value) && sets_invariant(&sets, value, NULL);
}

/* ---- what NVVM splits ------------------------------------------------------------------ */

typedef struct Split {
    const IrVar *counter;
    bool found;
} Split;

/* Whether a value is a variable, or something added to it. */
static bool is_var_in(const IrValue *value, const IrVar *var)
{
    while (value->op == OP_cast || value->op == OP_add || value->op == OP_sub)
        value = value->operands[0];
    return ir_is_var(value, var);
}

static void find_split(void *context, IrValue *value)
{
    Split *split = context;
    bool orders =
        value->op == OP_lt || value->op == OP_le || value->op == OP_gt || value->op == OP_ge;

    for (int i = 0; orders && i < 2; i++)
        split->found |= is_var_in(value->operands[i], split->counter) &&
                        !ir_nonnegative(value->operands[1 - i]);
}

/* NVVM 13.0 makes two loops of one that compares its counter with what stays the same: up to the
** lesser of that and the stop, and from there on. If it sees that the stop is not negative, it
** takes the lesser of both without their signs, so that i < w holds for a negative w. */
static bool is_split(const Emitter *e, const IrStmt *loop)
{
    Split split = { .counter = loop->for_.var };

    if (e->dialect == DIALECT_CUDA && loop->for_.stop->op != OP_constant &&
        type_is_signed(loop->for_.var->type) && type_size(loop->for_.var->type) >= 4)
        ir_each_node_of(loop, find_split, &split);
    return split.found;
}

/* ---- what NVVM ends at ----------------------------------------------------------------- */

typedef struct Singled {
    const IrVar *counter;
    bool asked, loops;
    int branches;
} Singled;

static void find_singled(void *context, IrValue *value)
{
    Singled *singled = context;
    const bool compares = ir_is_comparison(value->op),
               equal = value->op == OP_eq || value->op == OP_ne;

    singled->branches += value->op == OP_select;
    for (int i = 0; compares && i < 2; i++)
        singled->asked |= is_var_in(value->operands[i], singled->counter) &&
                          (equal || ir_is_constant(value->operands[1 - i]));
}

static void count_branch(void *context, IrStmt *stmt)
{
    Singled *singled = context;
    singled->branches += stmt->kind == IR_IF;
    singled->loops |= ir_is_loop(stmt);
}

/* Whether it is plain that a loop does not begin at 0. */
static bool begins_elsewhere(const IrStmt *loop)
{
    return ir_is_constant(loop->for_.start) && !ir_is_integer(loop->for_.start, 0);
}

/* NVVM 13.0 makes one iteration of a loop that does something in that alone, and ends with signal
** 11 where there is a branch in it:
**
**     for (int k = 0; k < n; k++)
**         if (k == s) {
**             if (c)
**                 u += x;
**             v += y;
**         }
**
** It is content where it does not see that the loop begins at 0. */
static bool is_singled(const Emitter *e, const IrStmt *loop)
{
    Singled singled = { .counter = loop->for_.var };

    if (e->dialect != DIALECT_CUDA || begins_elsewhere(loop) ||
        !ir_is_integer(loop->for_.step, 1) || ir_is_constant(loop->for_.stop) ||
        type_size(loop->for_.var->type) < 4)
        return false;
    ir_each_stmt(&loop->for_.body, count_branch, &singled);
    ir_each_node_of(loop, find_singled, &singled);
    return singled.asked && singled.branches > 1 && !singled.loops;
}

/* ---- heads ----------------------------------------------------------------------------- */

/* The parts of a for statement's head. */
typedef struct Head {
    const IrStmt *stmt;
    const char *var;
    const char *stop, *step; /* beside the counter, as operands of + and < */
    const char *extra;       /* behind the start in the same declaration */
} Head;

/* A name for a value that is evaluated once before the loop, declared in the head where the counter
** is, else on a line before. */
static const char *hold(Emitter *e, Head *head, const char *what, const IrValue *value)
{
    const IrVar *var = head->stmt->for_.var;
    const char *name = local_name(e, arena_printf(e->arena, "%s_%s", e->vars[var->id].name, what));
    const char *text = value_text(e, value, PREC_ARGUMENT);

    if (value == head->stmt->for_.stop && is_split(e, head->stmt))
        text = arena_printf(e->arena, "%s(%s)", prelude(e, "hidden", var->type), text);
    if (declares(e, head->stmt))
        head->extra = arena_printf(e->arena, "%s, %s = %s", head->extra, name, text);
    else
        line(e, "const %s %s = %s;", type_text(e, var->type), name, text);
    return name;
}

static const char *bound_text(Emitter *e, Head *head, const char *what, const IrValue *value)
{
    bool hides = value == head->stmt->for_.stop && is_split(e, head->stmt);

    if (is_steady(e, value, head->stmt) && !hides)
        return beside_text(e, value, head->stmt->for_.var->type, PREC_SHIFT);
    return hold(e, head, what, value);
}

/* Numbers of so many bits are so far from the ends of 64 that steps do not overflow on them. */
enum { TAME_BITS = 60 };

/* What takes the counter on: `i++`, `i += step`, or a call that stops short of overflow. */
static const char *advance_text(Emitter *e, const Head *head)
{
    const IrValue *step = head->stmt->for_.step;
    const Type *type = head->stmt->for_.var->type;
    bool constant = step->op == OP_constant;
    bool tame = type_size(type) == 8 && magnitude_bits(e->magnitude, step) <= TAME_BITS &&
                magnitude_bits(e->magnitude, head->stmt->for_.stop) <= TAME_BITS &&
                (constant || ir_nonnegative(step));

    if (constant && step->constant.integer == 1)
        return arena_printf(e->arena, "%s++", head->var);
    if (constant && step->constant.integer == -1 && type_is_signed(type))
        return arena_printf(e->arena, "%s--", head->var);
    if (!tame && !head->stmt->for_.bounded)
        return arena_printf(e->arena, "%s = %s(%s, %s, %s)", head->var,
                            prelude(e, "range_next", type), head->var, head->stop, head->step);
    if (constant && *head->step == '-') /* unlike the least number of all, in brackets */
        return arena_printf(e->arena, "%s -= %s", head->var, head->step + 1);
    return arena_printf(e->arena, "%s += %s", head->var, head->step);
}

static const char *condition_text(Emitter *e, const Head *head)
{
    const IrValue *step = head->stmt->for_.step;
    const Type *type = head->stmt->for_.var->type;

    if (step->op == OP_constant && step->constant.integer != 0)
        return arena_printf(e->arena, "%s %s %s", head->var,
                            step->constant.integer < 0 && type_is_signed(type) ? ">" : "<",
                            head->stop);
    if (step->op != OP_constant && ir_rises(head->stmt))
        return arena_printf(e->arena, "%s < %s", head->var, head->stop);
    return arena_printf(e->arena, "%s(%s, %s, %s)", prelude(e, "range_short", type), head->var,
                        head->stop, head->step);
}

const char *emit_for_head(Emitter *e, const IrStmt *stmt)
{
    Head head = { .stmt = stmt, .extra = "" };
    const IrVar *var = stmt->for_.var;
    const char *start = value_text(e, stmt->for_.start, PREC_ARGUMENT);

    if (is_singled(e, stmt))
        start = arena_printf(e->arena, "%s(%s)", prelude(e, "hidden", var->type), start);
    else if (stmt->for_.any_order && index_decides(e, stmt->for_.start))
        start = arena_printf(e->arena, "(%s)%s(%s)", type_text(e, var->type),
                             prelude(e, "hidden", type_int64), start);
    head.var = var_text(e, var);
    head.stop = bound_text(e, &head, "stop", stmt->for_.stop);
    head.step = bound_text(e, &head, "step", stmt->for_.step);
    const char *advance = advance_text(e, &head), *condition = condition_text(e, &head);
    if (e->dialect == DIALECT_CHECK && !ir_uniform_loop(stmt))
        condition = check_branch_text(e, stmt->span, condition);
    return arena_printf(
        e->arena, "for (%s%s%s = %s%s; %s; %s)", declares(e, stmt) ? type_text(e, var->type) : "",
        declares(e, stmt) ? " " : "", head.var, start, head.extra, condition, advance);
}

/* ---- pragmas --------------------------------------------------------------------------- */

/* That the iterations of a loop may be mixed. */
static void emit_simd(Emitter *e, const IrStmt *stmt)
{
    const char *sums = "";
    for (int i = 0; i < stmt->for_.sum_count; i++)
        sums =
            arena_printf(e->arena, "%s%s%s", sums, i ? ", " : "", var_text(e, stmt->for_.sums[i]));
    if (emit_has_own_arrays(e->unit)) /* as EACH_THREAD_OWN of the prelude */
        line(e, "#ifndef __clang__");
    line(e, *sums ? "#pragma omp simd reduction(+ : %s)" : "#pragma omp simd%s", sums);
    if (emit_has_own_arrays(e->unit))
        line(e, "#endif");
}

typedef struct CarriesOn {
    bool carries, other; /* a number on; something is better off in a vector */
} CarriesOn;

static void look_for_vectors(void *context, IrValue *value)
{
    CarriesOn *look = context;
    bool picks =
        value->op == OP_intrinsic && (value->intrinsic == INTR_min || value->intrinsic == INTR_max);
    look->other |=
        (value->op == OP_intrinsic && !picks) || value->op == OP_call || value->op == OP_pow;
}

static void look_for_carried(void *context, IrStmt *stmt)
{
    CarriesOn *look = context;
    look->other |= ir_is_loop(stmt);
    look->carries |= stmt->kind == IR_SET && type_is_scalar(stmt->set.var->type) &&
                     ir_mentions(stmt->set.value, stmt->set.var);
    ir_each_own_node(stmt, look_for_vectors, look);
}

bool emit_carries_on(const Emitter *e, const IrStmt *loop)
{
    const IrOptions *options = &e->unit->kernel->options;
    CarriesOn look = { .other = loop->for_.any_order || options->fastmath || options->reassociate };
    if (e->dialect == DIALECT_C && !look.other)
        ir_each_stmt(&loop->for_.body, look_for_carried, &look);
    return look.carries && !look.other;
}

/* The unroll factor for the C compiler; 0: the compiler's own choice. gcc makes
** as many copies as the pragma says even where it does not see the trip count, as of a counter that
** lies in memory: so the pragma gives no more than the largest trip count, and a small number where
** that is unknown. */
static int unroll_in_c(const Emitter *e, const IrStmt *loop)
{
    int64_t count = ir_trip_count(loop),
            most = count >= 0 && count < UNROLL_MOST ? count : UNROLL_MOST;
    if (e->vars[loop->for_.var->id].storage != STORAGE_PLAIN)
        return 0;
    if (loop->for_.unroll == UNROLL_ALL)
        return count < 0 ? 0 : (int)most;
    return loop->for_.unroll < most ? loop->for_.unroll : (int)most;
}

void emit_unroll(Emitter *e, const IrStmt *stmt)
{
    int unroll = stmt->kind == IR_FOR ? stmt->for_.unroll : 0;
    if (stmt->kind == IR_FOR && stmt->for_.any_order && e->dialect == DIALECT_C) {
        emit_simd(e, stmt); /* the two do not go together: a vector has many iterations at once */
        return;
    }
    if (unroll && e->dialect == DIALECT_CUDA)
        line(e, unroll == UNROLL_ALL ? "#pragma unroll" : "#pragma unroll %d", unroll);
    else if (unroll && (unroll = unroll_in_c(e, stmt)) > 0)
        line(e, "%s(%d)", prelude(e, "UNROLL", NULL), unroll);
}

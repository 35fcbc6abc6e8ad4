/* Which integers are never negative, so that an index of them need not be tested for wrapping; and
** which are never 0 either, so that a loop whose step they are counts up and comes to its end.
**
** Every integer variable is held to be both until a set shows the contrary, and demotions go on
** until nothing changes. A device function's parameters are set by its calls. As in numba, sums and
** products of signed integers are taken not to overflow, but of numbers that alone show how large
** they may be, constants and those of smaller types: a hash wraps. Where a proof is needed,
** IrMagnitude has to agree. Of a kernel's parameters nothing is known but by a fact of the launch;
** that one is positive is asked where something is divided by it, as the sign of what comes of that
** depends on it, and where a loop goes by it. */
#include "ir/ir.h"
#include "ir/launch.h"
#include "ir/analysis/flow/sets.h"

typedef struct RangeWalk {
    IrSets sets; /* of the kernel */
    bool calls;  /* there is what may be called */
    bool changed;
} RangeWalk;

static bool all_nonnegative(const IrValue *value, int first)
{
    for (int i = first; i < value->count; i++)
        if (!ir_nonnegative(value->operands[i]))
            return false;
    return true;
}

static bool any_nonnegative(const IrValue *value)
{
    return ir_nonnegative(value->operands[0]) || ir_nonnegative(value->operands[1]);
}

bool ir_keeps_value(const IrValue *cast)
{
    const Type *to = cast->type, *from = cast->operands[0]->type;
    if (!type_is_integer(to))
        return false;
    if (from->kind == TY_BOOL)
        return true;
    if (type_is_integer(from) && cast->index == CAST_FITS)
        return true;
    if (!type_is_integer(from) || type_size(to) < type_size(from))
        return false;
    if (type_is_signed(to) == type_is_signed(from))
        return true;
    return type_is_signed(from) ? ir_nonnegative(cast->operands[0])
                                : type_size(to) > type_size(from);
}

static bool cast_nonnegative(const IrValue *value)
{
    const IrValue *from = value->operands[0];
    return ir_keeps_value(value) && (from->type->kind == TY_BOOL || ir_nonnegative(from));
}

/* Whether a number comes of a smaller type, so that it is not the least of its own. */
static bool was_smaller(const IrValue *value)
{
    return value->op == OP_cast && type_is_integer(value->operands[0]->type) &&
           type_size(value->operands[0]->type) < type_size(value->type);
}

static bool intrinsic_nonnegative(const IrValue *value)
{
    switch ((int)value->intrinsic) {
    case INTR_thread_idx:
    case INTR_block_idx:
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_grid:
    case INTR_gridsize:
    case INTR_laneid:
    case INTR_warpsize:
    case INTR_syncthreads_count:
    case INTR_syncthreads_and:
    case INTR_syncthreads_or:
    case INTR_popc:
    case INTR_clz:
    case INTR_len:
        return true;
    case INTR_abs: /* of the least number it is that number */
        return ir_nonnegative(value->operands[0]) || was_smaller(value->operands[0]);
    case INTR_min:
        return all_nonnegative(value, 0);
    case INTR_max:
        return any_nonnegative(value);
    case INTR_selp: /* its condition is no negative number either */
        return all_nonnegative(value, 0);
    default:
        return false;
    }
}

/* How many bits a number may take by what it is written as; 0 where that says nothing. */
static int shown_bits(const IrValue *value)
{
    if (value->op == OP_cast && type_is_integer(value->operands[0]->type))
        value = value->operands[0];
    if (value->op == OP_constant)
        return value->constant.integer > 0 ? 64 - __builtin_clzll((uint64_t)value->constant.integer)
                                           : 0;
    if (value->op == OP_mul && type_size(value->type) == 8)
        return shown_bits(value->operands[0]) + shown_bits(value->operands[1]);
    return type_size(value->type) == 8
               ? 0
               : 8 * (int)type_size(value->type) - type_is_signed(value->type);
}

/* Of a sum or a product of 64 bits. */
static bool overflows(const IrValue *value)
{
    const int a = shown_bits(value->operands[0]), b = shown_bits(value->operands[1]);
    const int most = a > b ? a : b;
    return type_size(value->type) == 8 && (value->op == OP_mul ? a + b : most + 1) > 63;
}

/* Of a - b: whether b is a remainder of a, which is not negative, or some of its bits. */
static bool takes_remainder(const IrValue *a, const IrValue *b)
{
    bool part = b->op == OP_and || (b->op == OP_mod && ir_positive(b->operands[1]));
    return part && ir_same_value(a, b->operands[0]) && ir_nonnegative(a) &&
           ir_value_effects(a) == EFFECT_NONE;
}

bool ir_nonnegative(const IrValue *value)
{
    if (value->type->kind == TY_BOOL || type_is_unsigned(value->type) || value->nonnegative)
        return true;
    if (!type_is_integer(value->type))
        return false;
    switch ((int)value->op) {
    case OP_constant:
        return value->constant.integer >= 0;
    case OP_zero:
    case OP_extent:
        return true;
    case OP_var:
        return value->var->nonnegative;
    case OP_add:
    case OP_mul:
        return all_nonnegative(value, 0) && !overflows(value);
    case OP_sub:
        return takes_remainder(value->operands[0], value->operands[1]);
    case OP_floordiv:
    case OP_or:
    case OP_xor:
        return all_nonnegative(value, 0);
    case OP_mod:
        return ir_nonnegative(value->operands[1]); /* it has the sign of the divisor */
    case OP_shr:
        return ir_nonnegative(value->operands[0]);
    case OP_and:
        return any_nonnegative(value);
    case OP_select:
        return all_nonnegative(value, 1);
    case OP_cast:
        return cast_nonnegative(value);
    case OP_intrinsic:
        return intrinsic_nonnegative(value);
    default:
        return false;
    }
}

/* ---- at least 1 ------------------------------------------------------------------------------ */

static bool all_positive(const IrValue *value, int first)
{
    for (int i = first; i < value->count; i++)
        if (!ir_positive(value->operands[i]))
            return false;
    return true;
}

static bool any_positive(const IrValue *value)
{
    return ir_positive(value->operands[0]) || ir_positive(value->operands[1]);
}

static bool intrinsic_positive(const IrValue *value)
{
    switch ((int)value->intrinsic) {
    case INTR_block_dim:
    case INTR_grid_dim:
    case INTR_gridsize:
    case INTR_warpsize:
        return true;
    case INTR_min:
        return all_positive(value, 0);
    case INTR_max:
        return any_positive(value);
    default:
        return false;
    }
}

bool ir_positive(const IrValue *value)
{
    const IrValue *from = value->count ? value->operands[0] : NULL;
    if (!type_is_integer(value->type))
        return false;
    switch ((int)value->op) {
    case OP_constant:
        return type_is_unsigned(value->type) ? value->constant.integer != 0
                                             : value->constant.integer > 0;
    case OP_var:
        return value->var->positive;
    case OP_add: /* unsigned sums and products may wrap to 0 */
        return type_is_signed(value->type) && all_nonnegative(value, 0) && any_positive(value) &&
               !overflows(value);
    case OP_mul:
        return type_is_signed(value->type) && all_positive(value, 0) && !overflows(value);
    case OP_or:
        return all_nonnegative(value, 0) && any_positive(value);
    case OP_select:
        return all_positive(value, 1);
    case OP_cast:
        return ir_positive(from) && ir_keeps_value(value);
    case OP_intrinsic:
        return intrinsic_positive(value);
    default:
        return false;
    }
}

IrValue *ir_never_negative(IrValue *value)
{
    value->nonnegative = true;
    return value;
}

IrValue *ir_take_sign(IrValue *value, bool nonnegative)
{
    value->nonnegative |= nonnegative && !ir_nonnegative(value);
    return value;
}

void ir_take_range(IrVar *var, const IrValue *value)
{
    var->nonnegative = ir_nonnegative(value);
    var->positive = ir_positive(value);
}

bool ir_rises(const IrStmt *loop)
{
    return loop->for_.rises || ir_positive(loop->for_.step);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Whether a loop's counter stays above -1 in its body: it counts up from there, or down to
** there. */
static bool counter_nonnegative(const IrStmt *loop)
{
    const IrValue *step = loop->for_.step, *stop = loop->for_.stop;
    if (ir_nonnegative(step))
        return ir_nonnegative(loop->for_.start);
    if (!ir_is_constant(step))
        return ir_nonnegative(loop->for_.start) && ir_nonnegative(stop);
    return ir_nonnegative(stop) || ir_is_integer(stop, -1);
}

/* Whether a value is what another is less its remainder, which has a name. */
static bool rounds_down(const RangeWalk *r, const IrValue *value)
{
    const IrValue *by = value->op == OP_sub ? sets_behind(&r->sets, value->operands[1]) : NULL;
    return by && sets_stable(&r->sets, by) && takes_remainder(value->operands[0], by);
}

/* Demotes a variable that is set to a value: what it no longer is need not be asked. */
static void set_var(RangeWalk *r, IrVar *var, const IrValue *value)
{
    bool nonnegative = var->nonnegative && (ir_nonnegative(value) || rounds_down(r, value));
    bool positive = var->positive && nonnegative && ir_positive(value);
    r->changed |= var->nonnegative != nonnegative || var->positive != positive;
    var->nonnegative = nonnegative;
    var->positive = positive;
}

static void set_counter(RangeWalk *r, IrVar *var, const IrStmt *loop)
{
    bool nonnegative = var->nonnegative && counter_nonnegative(loop);
    bool positive =
        var->positive && ir_positive(loop->for_.start) && ir_nonnegative(loop->for_.step);
    r->changed |= var->nonnegative != nonnegative || var->positive != positive;
    var->nonnegative = nonnegative;
    var->positive = positive;
}

static void visit_node(void *context, IrValue *value)
{
    if (value->op != OP_call)
        return;
    for (int i = 0; i < value->count && i < value->callee->param_count; i++)
        if (value->callee->vars[i]->nonnegative)
            set_var(context, value->callee->vars[i], value->operands[i]);
}

static void visit_stmt(void *context, IrStmt *stmt)
{
    RangeWalk *r = context;
    if (r->calls)
        ir_each_own_node(stmt, visit_node, r);
    if (stmt->kind == IR_SET && stmt->set.var->nonnegative)
        set_var(r, stmt->set.var, stmt->set.value);
    else if (stmt->kind == IR_FOR && stmt->for_.var->nonnegative)
        set_counter(r, stmt->for_.var, stmt);
}

/* Whether a loop goes by a step that does not say itself that it is positive. */
static void look_for_step(void *context, IrStmt *stmt)
{
    bool *found = context;
    *found |= stmt->kind == IR_FOR && stmt->for_.step->op != OP_constant &&
              stmt->for_.step->op != OP_intrinsic;
}

static bool has_steps(const IrUnit *unit)
{
    bool found = false;
    for (int i = 0; i < unit->count && !found; i++)
        ir_each_stmt(&unit->functions[i]->body, look_for_step, &found);
    ir_each_stmt(&unit->kernel->body, look_for_step, &found);
    return found;
}

static void note_divisor(void *context, IrValue *value)
{
    while (value->op == OP_cast)
        value = value->operands[0];
    if (value->op == OP_var)
        ((bool *)context)[value->var->id] = true;
}

static void note_step(void *context, IrStmt *stmt)
{
    if (stmt->kind == IR_FOR)
        note_divisor(context, stmt->for_.step);
}

/* Where a window ends, min(i + r + 1, n), or begins, max(i - r, 0): what its parts are. */
static void note_end(void *context, IrValue *value)
{
    bool sum = value->op == OP_add || value->op == OP_sub;
    for (int i = 0; i < 2 && sum; i++)
        note_end(context, value->operands[i]);
    if (!sum)
        note_divisor(context, value);
}

/* What is divided by, and what two values are multiplied as, of which neither is a number: the
** lengths of rows; what windows end or begin by; and what one begins before its middle by,
** range(-r, r + 1). */
static void note_division(void *context, IrValue *value)
{
    if (value->op == OP_floordiv || value->op == OP_mod)
        ir_each_node(value->operands[1], note_divisor, context);
    if (value->op == OP_neg)
        note_divisor(context, value->operands[0]);
    bool product = value->op == OP_mul && !ir_is_constant(value->operands[0]) &&
                   !ir_is_constant(value->operands[1]);
    for (int i = 0; i < 2 && product; i++)
        note_divisor(context, value->operands[i]);
    bool window = ir_is_intrinsic(value, INTR_min) || ir_is_intrinsic(value, INTR_max);
    for (int i = 0; i < value->count && window; i++)
        note_end(context, value->operands[i]);
}

/* Parameters that something is divided by, multiplied with or begins before, or that a loop goes
** by, are positive, if the launch says so. Whether any is. */
static bool find_divisors(IrUnit *unit)
{
    const IrFunc *fn = unit->kernel;
    bool *divide = arena_array(unit->arena, bool, fn->var_count + 1), any = false;
    for (int i = 0; i < fn->var_count; i++)
        any |= fn->vars[i]->kind == VAR_PARAM && type_is_integer(fn->vars[i]->type);
    if (!any)
        return false;
    ir_each_node_in(&fn->body, note_division, divide);
    ir_each_stmt(&fn->body, note_step, divide);
    any = false;
    for (int i = 0; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        if (!divide[i] || var->kind != VAR_PARAM || !type_is_integer(var->type) ||
            !launch_positive_scalar(unit->launch, var->param))
            continue;
        any = var->nonnegative = var->positive = true;
    }
    return any;
}

static void assume_all(IrFunc *fn, bool steps)
{
    for (int i = 0; i < fn->var_count; i++) {
        IrVar *var = fn->vars[i];
        bool given = var->kind == VAR_PARAM && fn->kernel;
        var->nonnegative = type_is_unsigned(var->type) || (type_is_integer(var->type) && !given);
        var->positive = steps && var->nonnegative && !given;
    }
}

static void assume_all_positive(IrFunc *fn)
{
    for (int i = 0; i < fn->var_count; i++)
        if (fn->vars[i]->kind != VAR_PARAM)
            fn->vars[i]->positive = fn->vars[i]->nonnegative;
}

void ir_range(IrUnit *unit)
{
    bool steps = has_steps(unit); /* else no one asks what is positive */
    for (int i = 0; i < unit->count; i++)
        assume_all(unit->functions[i], steps);
    assume_all(unit->kernel, steps);
    if (find_divisors(unit) && !steps) /* products of them are, then */
        assume_all_positive(unit->kernel);
    RangeWalk r = { .sets = ir_sets(unit->arena, unit->kernel, &unit->kernel->body),
                    .calls = unit->count > 0 };
    do {
        r.changed = false;
        for (int i = 0; i < unit->count; i++)
            ir_each_stmt(&unit->functions[i]->body, visit_stmt, &r);
        ir_each_stmt(&unit->kernel->body, visit_stmt, &r);
    } while (r.changed);
}

/* DIALECT_CUDA: integers that are compared for equality.
**
** ptxas 13.0 makes one instruction of `max(min(n, K), 0) == K` for sm_90, sm_100 and sm_103, a
** VIMNMX.RELU with a predicate, and takes the predicate the wrong way round. It finds the maximum
** and the minimum wherever they come from: functions, conditions, conversions of floats, lengths of
** slices, also through variables, sums with 0, and masks that change nothing. The compiler in front
** of it makes them of choices and branches.
**
** What it does not take for an equality is a difference of bits: `differing(c, K) == 0` is written
** where an operand may come from a clamp, and costs one instruction like the comparison. As the
** compiler learns nothing of it, other comparisons stay as they are. runtime/cuda/cubin.c sees to
** what slips through. */
#include "codegen/emit/emit.h"

enum { DEPTH_MAX = 12 };

static bool may_be_clamped(const Emitter *e, const IrValue *value, int depth);

static bool any_operand(const Emitter *e, const IrValue *value, int depth)
{
    for (int i = 0; i < value->count; i++)
        if (may_be_clamped(e, value->operands[i], depth + 1))
            return true;
    return false;
}

/* Counters of loops are not, nor what kernels are given. */
static bool var_may_be(const Emitter *e, const IrVar *var, int depth)
{
    const VarInfo *info = &e->vars[var->id];

    if (type_is_array(var->type))
        return var->kind == VAR_LOCAL || (var->kind == VAR_PARAM && !e->fn->kernel);
    if (var->kind == VAR_PARAM)
        return !e->fn->kernel;
    if (info->sets > 1)
        return true;
    return info->only && may_be_clamped(e, info->only, depth + 1);
}

/* An array of the thread's own, and what the kernel does to it. */
typedef struct Mentions {
    const Emitter *e;
    const IrVar *array;
    int mentions, known; /* of these: loads, and accesses that bring what is not clamped */
    int depth;
} Mentions;

static bool loads_clamped(const Emitter *e, const IrValue *array, int depth);

static void note_mention(void *context, IrValue *value)
{
    Mentions *held = context;
    held->mentions += ir_is_var(value, held->array);
    held->known += value->op == OP_load && ir_is_var(value->operands[0], held->array);
    held->known += ir_is_intrinsic(value, INTR_wide_load) &&
                   ir_is_var(value->operands[0], held->array) &&
                   !loads_clamped(held->e, value->operands[1], held->depth);
}

static void note_stored(void *context, IrStmt *stmt)
{
    Mentions *held = context;
    ir_each_own_node(stmt, note_mention, held);
    held->known += stmt->kind == IR_STORE && ir_is_var(stmt->store.array, held->array) &&
                   !may_be_clamped(held->e, stmt->store.value, held->depth);
}

/* Whether elements of an array may be what was clamped before it was stored: not of a parameter
** that is but read, nor of what holds such elements. */
static bool loads_clamped(const Emitter *e, const IrValue *array, int depth)
{
    const IrVar *var = array->op == OP_var ? array->var : NULL;
    if (var && var->kind == VAR_PARAM)
        return !e->fn->kernel || !e->fn->access || ir_writes(e->fn, var->param);
    if (!var || var->kind != VAR_PRIVATE)
        return true;
    VarInfo *info = &e->vars[var->id];
    if (info->holds == HOLDS_UNASKED) {
        Mentions held = { .e = e, .array = var, .depth = depth + 1 };
        info->holds = HOLDS_ANY; /* while it is asked */
        ir_each_stmt(&e->fn->body, note_stored, &held);
        info->holds = held.mentions == held.known ? HOLDS_READ : HOLDS_ANY;
    }
    return info->holds == HOLDS_ANY;
}

/* Whether a number may be the result of a minimum and a maximum, as far as ptxas can see. */
static bool may_be_clamped(const Emitter *e, const IrValue *value, int depth)
{
    if (depth > DEPTH_MAX)
        return true;
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
        return false;
    case OP_select:
    case OP_call:
        return true;
    case OP_load: /* the compiler forwards what was stored */
        return loads_clamped(e, value->operands[0], depth);
    case OP_var:
        return var_may_be(e, value->var, depth);
    case OP_extent:
        return value->operands[0]->op != OP_var || var_may_be(e, value->operands[0]->var, depth);
    case OP_cast:
        return type_is_float(value->operands[0]->type) || any_operand(e, value, depth);
    case OP_intrinsic:
        if (value->intrinsic == INTR_min || value->intrinsic == INTR_max ||
            value->intrinsic == INTR_selp)
            return true;
        return any_operand(e, value, depth);
    default:
        return any_operand(e, value, depth);
    }
}

/* Whether nothing that is clamped is equal to it by being at its upper end: that end is above 0. */
static bool is_no_end(const IrValue *value, const IrValue *other)
{
    if (value->op != OP_zero && (value->op != OP_constant || value->constant.integer > 0))
        return false;
    return other->op != OP_add && other->op != OP_sub && other->op != OP_xor;
}

bool equal_by_bits(const Emitter *e, const IrValue *value)
{
    if (e->dialect != DIALECT_CUDA || (value->op != OP_eq && value->op != OP_ne))
        return false;
    const IrValue *a = value->operands[0], *b = value->operands[1];
    if (!type_is_integer(a->type) || is_no_end(a, b) || is_no_end(b, a))
        return false;
    return any_operand(e, value, 0);
}

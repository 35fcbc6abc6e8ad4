/* DIALECT_CUDA: what an index is made of, where that misleads the compiler.
**
** For the generations before sm_100 NVRTC (12.9 to 13.5 are known to) compiles with LLVM 7, whose
** alias analysis takes a negative factor of 32 bits for a large positive one: where it looks
** through a conversion to 64 bits, GetLinearExpression() of its BasicAliasAnalysis.cpp extends the
** sign of the offset and not that of the factor. After a store to `x[10 - 3 * u]` with a u that is
** never negative, it goes on using what it had stored to `x[1]`. It sees factors through variables,
** inlined functions and loops that it unrolled, sums up what is the same, and makes products of 64
** bits narrow when it can.
**
** So an index of what a kernel writes to is hidden from the compiler's analysis (hidden() of the
** prelude), unless none of its factors can be negative, or only a single -1, which is no product;
** and so is a stride that may be negative where an array is made a struct. */
#include "codegen/emit/emit.h"

enum { DEPTH_MAX = 12, UP = INDEX_RISES | INDEX_RISES_FAST, DOWN = INDEX_FALLS | INDEX_FALLS_FAST };

static IndexShape kind_of(IndexShape shape)
{
    return shape & (INDEX_NUMBER | INDEX_NEGATIVE);
}

/* A negative factor remains one: in `12 - (3 - u) * 3`, which rises with u, the difference has
** it. */
static IndexShape shape_negated(IndexShape shape)
{
    return (shape & INDEX_RISES ? INDEX_FALLS : 0) | (shape & INDEX_FALLS ? INDEX_RISES : 0) |
           (shape & INDEX_RISES_FAST ? INDEX_FALLS_FAST : 0) |
           (shape & INDEX_FALLS_FAST ? INDEX_RISES_FAST | INDEX_FALLS_FAST : 0) |
           (shape & INDEX_NUMBER ? INDEX_NUMBER | INDEX_NEGATIVE : 0);
}

static IndexShape scaled(IndexShape shape)
{
    return (shape & UP ? INDEX_RISES_FAST : 0) | (shape & DOWN ? INDEX_FALLS_FAST : 0);
}

IndexShape shape_of_number(int64_t number)
{
    return number < 0 ? INDEX_NUMBER | INDEX_NEGATIVE : INDEX_NUMBER;
}

/* What is in both may be the same: u + u is 2 * u. */
IndexShape shape_plus(IndexShape a, IndexShape b)
{
    return ((a | b) & (UP | DOWN)) | scaled(a & b) | (a & b & INDEX_NUMBER ? kind_of(a | b) : 0);
}

IndexShape shape_times_number(IndexShape shape, int64_t number)
{
    if (number == 0)
        return INDEX_NUMBER;
    if (number < 0)
        shape = shape_negated(shape);
    return number == 1 || number == -1 ? shape : scaled(shape) | kind_of(shape);
}

/* By what may be a number to the compiler, and a negative one. */
static IndexShape times_one(IndexShape shape, IndexShape number)
{
    IndexShape made = number & INDEX_NUMBER ? scaled(shape) : 0;

    return number & INDEX_NEGATIVE ? made | scaled(shape_negated(shape)) : made;
}

IndexShape shape_times(IndexShape a, IndexShape b)
{
    IndexShape made = times_one(a, b) | times_one(b, a);

    if (a & b & INDEX_NUMBER)
        return made | kind_of(a | b);
    return made | INDEX_RISES; /* a product of variables is like one of them */
}

static IndexShape shape_of(const Emitter *e, const IrValue *value, int depth);

/* Adds to `steps` what a value adds to a variable: of `x + a - b` what comes behind x. Returns
** whether it is such a sum. */
static bool add_steps(const Emitter *e, const IrValue *value, const IrVar *var, IndexShape *steps,
                      int depth)
{
    if (ir_is_var(value, var))
        return true;
    if (value->op == OP_cast && type_is_integer(value->operands[0]->type))
        return add_steps(e, value->operands[0], var, steps, depth);
    if (value->op != OP_add && value->op != OP_sub)
        return false;
    const IrValue *a = value->operands[0];
    const IrValue *b = value->operands[1];
    if (add_steps(e, a, var, steps, depth)) {
        IndexShape by = shape_of(e, b, depth);
        *steps |= value->op == OP_sub ? shape_negated(by) : by;
        return true;
    }
    if (value->op == OP_sub || !add_steps(e, b, var, steps, depth))
        return false;
    *steps |= shape_of(e, a, depth);
    return true;
}

/* Of a variable that is stepped so: how often may be a factor, and steps add up. */
static IndexShape shape_of_steps(IndexShape steps)
{
    bool falls = steps & (INDEX_NEGATIVE | DOWN), rises = !(steps & INDEX_NEGATIVE) || steps & UP;

    return (rises ? UP : 0) | (falls ? DOWN | INDEX_NEGATIVE : 0);
}

/* Where a loop is laid out, its counter is a number if it starts with one, or as many less than its
** start, of which a product may become a sum. */
static IndexShape shape_of_counter(const Emitter *e, const IrStmt *loop, int depth)
{
    const IrValue *step = loop->for_.step;
    IndexShape start = shape_of(e, loop->for_.start, depth);
    IndexShape steps = step->op == OP_constant
                           ? shape_times_number(INDEX_RISES, step->constant.integer)
                           : shape_of_steps(shape_of(e, step, depth));
    bool falls = !ir_nonnegative(step), below = falls || !ir_nonnegative(loop->for_.start);

    if (!falls && !(start & INDEX_NUMBER))
        return shape_plus(start, steps);
    return shape_plus(start, steps) | INDEX_NUMBER | (below ? INDEX_NEGATIVE : 0);
}

static IndexShape shape_of_set(const Emitter *e, const IrStmt *set, int depth)
{
    IndexShape steps = 0;

    if (set->kind == IR_FOR)
        return shape_of_counter(e, set, depth);
    return add_steps(e, set->set.value, set->set.var, &steps, depth)
               ? shape_of_steps(steps)
               : shape_of(e, set->set.value, depth);
}

/* Found once. What leads back to the variable while it is being found may be anything. */
static IndexShape shape_of_var(const Emitter *e, const IrVar *var, int depth)
{
    VarInfo *info = &e->vars[var->id];

    if (var->kind == VAR_PARAM)
        return e->fn->kernel ? INDEX_RISES : INDEX_ANY;
    if (!info->shape) {
        IndexShape shape = INDEX_RISES;
        info->shape = INDEX_ANY;
        for (const IrSetStmt *set = magnitude_sets(e->magnitude, var); set; set = set->next)
            shape |= shape_of_set(e, set->stmt, depth);
        info->shape = shape;
    }
    return info->shape;
}

bool index_matters(const Emitter *e, const IrValue *array)
{
    const IrVar *var = ir_array_base(array);

    if (e->dialect != DIALECT_CUDA || (var && var->kind == VAR_CONSTANT))
        return false;
    return !var || var->kind != VAR_PARAM || !e->fn->kernel || ir_writes(e->fn, var->param);
}

/* Whether no number that the kernel has computed takes the load's place: it reads what the kernel
** only reads, or what a pass has copied of that. */
static bool is_unknown(const Emitter *e, const IrValue *load)
{
    const IrVar *var = ir_array_base(load->operands[0]);

    return var && (var->kind == VAR_PARAM ? !index_matters(e, load->operands[0]) : var->temporary);
}

static IndexShape shape_of_operands(const Emitter *e, const IrValue *value, int from, int depth)
{
    IndexShape shape = 0;

    for (int i = from; i < value->count; i++)
        if (type_is_integer(value->operands[i]->type))
            shape |= shape_of(e, value->operands[i], depth);
    return shape;
}

/* Compilers replace these by an operand, or by a product in it, where the rest changes nothing. */
static IndexShape shape_of_operation(const Emitter *e, const IrValue *value, int depth)
{
    IndexShape a = shape_of_operands(e, value, 0, depth);

    switch ((int)value->op) {
    case OP_and:
    case OP_or:
    case OP_mod:
    case OP_shr:
        return a | INDEX_RISES;
    case OP_intrinsic:
        if (value->intrinsic == INTR_min || value->intrinsic == INTR_max)
            return a | INDEX_RISES;
        if (value->intrinsic == INTR_selp)
            return shape_of_operands(e, value, 1, depth);
        return value->intrinsic == INTR_abs ? a | shape_negated(a) : INDEX_RISES;
    case OP_floordiv: /* as a shift, if both are not negative */
        return ir_nonnegative(value->operands[0]) && ir_nonnegative(value->operands[1])
                   ? a | INDEX_RISES
                   : a | shape_negated(a);
    default: /* those that may turn a sign */
        return a | shape_negated(a);
    }
}

static IndexShape shape_of_open(const Emitter *e, const IrValue *value, int depth)
{
    IrValue **at = value->operands;

    switch ((int)value->op) {
    case OP_constant:
        return shape_of_number(value->constant.integer);
    case OP_zero:
        return INDEX_NUMBER;
    case OP_var:
        return shape_of_var(e, value->var, depth);
    case OP_extent:
    case OP_stride:
        return INDEX_RISES;
    case OP_cast:
        return type_is_integer(at[0]->type) ? shape_of(e, at[0], depth) : INDEX_RISES;
    case OP_neg:
    case OP_invert:
        return shape_negated(shape_of(e, at[0], depth));
    case OP_add:
        return shape_plus(shape_of(e, at[0], depth), shape_of(e, at[1], depth));
    case OP_sub:
        return shape_plus(shape_of(e, at[0], depth), shape_negated(shape_of(e, at[1], depth)));
    case OP_mul:
        if (at[1]->op == OP_constant)
            return shape_times_number(shape_of(e, at[0], depth), at[1]->constant.integer);
        if (at[0]->op == OP_constant)
            return shape_times_number(shape_of(e, at[1], depth), at[0]->constant.integer);
        return shape_times(shape_of(e, at[0], depth), shape_of(e, at[1], depth));
    case OP_shl: {
        IndexShape shifted = shape_of(e, at[0], depth);
        return scaled(shifted) | kind_of(shifted);
    }
    case OP_select:
        return shape_of_operands(e, value, 1, depth);
    case OP_load:
        return is_unknown(e, value) ? INDEX_RISES : INDEX_ANY;
    case OP_call:
    case OP_item:
    case OP_item_at:
        return INDEX_ANY;
    default:
        return shape_of_operation(e, value, depth);
    }
}

static IndexShape shape_of(const Emitter *e, const IrValue *value, int depth)
{
    if (!type_is_integer(value->type))
        return INDEX_RISES;
    if (depth > DEPTH_MAX)
        return INDEX_ANY;
    IndexShape shape = shape_of_open(e, value, depth + 1);
    return ir_nonnegative(value) ? shape & ~(unsigned)INDEX_NEGATIVE : shape;
}

IndexShape index_shape(const Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA ? shape_of(e, value, 0) : 0;
}

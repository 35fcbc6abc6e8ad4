/* DIALECT_CUDA: what an index is made of, where that misleads the compiler.
**
** For the generations before sm_100 NVRTC (12 and 13 are known to) compiles with LLVM 7, whose
** alias analysis takes a negative factor of 32 bits for a large positive one: where it looks
** through a conversion to 64 bits, GetLinearExpression() of its BasicAliasAnalysis.cpp extends the
** sign of the offset and not that of the factor. After a store to `x[10 - 3 * u]` with a u that is
** never negative, it goes on using what it had stored to `x[1]`. It sees factors through variables,
** inlined functions and loops that it unrolled, and makes products of 64 bits narrow when it can.
**
** So an index that may have a negative factor is written as one of which the compiler knows nothing
** (hidden() of the prelude), and so is a stride that may be negative where an array is made a
** struct. A factor of -1 stays: LLVM has no product there. */
#include "codegen/emit/emit.h"

enum { DEPTH_MAX = 12 };

/* A negative factor remains one: in `12 - (3 - u) * 3`, which rises with u, the difference has
** it. */
IndexShape shape_negated(IndexShape shape)
{
    return (shape & INDEX_RISES ? INDEX_FALLS : 0) | (shape & INDEX_FALLS ? INDEX_RISES : 0) |
           (shape & INDEX_RISES_FAST ? INDEX_FALLS_FAST : 0) |
           (shape & INDEX_FALLS_FAST ? INDEX_RISES_FAST | INDEX_FALLS_FAST : 0);
}

static IndexShape scaled(IndexShape shape)
{
    return (shape & (INDEX_RISES | INDEX_RISES_FAST) ? INDEX_RISES_FAST : 0) |
           (shape & (INDEX_FALLS | INDEX_FALLS_FAST) ? INDEX_FALLS_FAST : 0);
}

IndexShape shape_times_number(IndexShape shape, int64_t number)
{
    if (number < 0)
        shape = shape_negated(shape);
    if (number == 0)
        return 0;
    return number == 1 || number == -1 ? shape : scaled(shape);
}

IndexShape shape_times(IndexShape a, IndexShape b)
{
    if (!a || !b)
        return scaled(a | b);
    return INDEX_RISES_FAST | ((a | b) & (INDEX_FALLS | INDEX_FALLS_FAST) ? INDEX_FALLS_FAST : 0);
}

static IndexShape shape_of(const Emitter *e, const IrValue *value, int depth);

/* What a variable steps by in a loop becomes a factor of its value behind it. */
static IndexShape shape_of_set(const Emitter *e, const IrStmt *set, int depth)
{
    if (set->kind == IR_FOR)
        return shape_of(e, set->for_.start, depth) |
               (set->for_.step->op == OP_constant
                    ? shape_times_number(INDEX_RISES, set->for_.step->constant.integer)
                    : INDEX_RISES_FAST);
    const IrValue *value = set->set.value;
    if ((value->op == OP_add || value->op == OP_sub) && value->operands[0]->op == OP_var &&
        value->operands[0]->var == set->set.var && value->operands[1]->op == OP_constant) {
        IndexShape step = shape_times_number(INDEX_RISES, value->operands[1]->constant.integer);
        return value->op == OP_sub ? shape_negated(step) : step;
    }
    return shape_of(e, value, depth);
}

/* Found once; while it is being found it is a plain one. */
static IndexShape shape_of_var(const Emitter *e, const IrVar *var, int depth)
{
    VarInfo *info = &e->vars[var->id];

    if (var->kind == VAR_PARAM && (!info->sets || !e->fn->kernel))
        return e->fn->kernel ? INDEX_RISES : INDEX_ANY;
    if (!info->shape) {
        IndexShape shape = info->shape = INDEX_RISES;
        for (const VarSet *set = info->all_sets; set; set = set->next)
            shape |= shape_of_set(e, set->stmt, depth);
        info->shape = shape;
    }
    return info->shape;
}

/* Whether the kernel only reads the array, so that no value it has computed takes the load's
** place. */
static bool is_read_alone(const Emitter *e, const IrValue *load)
{
    const IrValue *array = load->operands[0];

    while (array->op != OP_var && array->count)
        array = array->operands[0];
    if (array->op != OP_var || array->var->kind != VAR_PARAM)
        return array->op == OP_var && array->var->temporary; /* a copy that a pass has made */
    return e->fn->kernel && !(e->fn->access[array->var->param] & (ACCESS_WRITE | ACCESS_ATOMIC));
}

static IndexShape shape_of_product(const Emitter *e, const IrValue *value, int depth)
{
    const IrValue *a = value->operands[0], *b = value->operands[1];

    if (b->op == OP_constant)
        return shape_times_number(shape_of(e, a, depth), b->constant.integer);
    if (a->op == OP_constant)
        return shape_times_number(shape_of(e, b, depth), a->constant.integer);
    return shape_times(shape_of(e, a, depth), shape_of(e, b, depth));
}

static IndexShape shape_of(const Emitter *e, const IrValue *value, int depth)
{
    if (depth > DEPTH_MAX)
        return INDEX_ANY;
    depth++;
    switch ((int)value->op) {
    case OP_constant:
    case OP_zero:
        return 0;
    case OP_var:
        return shape_of_var(e, value->var, depth);
    case OP_cast:
        return type_is_integer(value->operands[0]->type) ? shape_of(e, value->operands[0], depth)
                                                         : INDEX_RISES;
    case OP_neg:
    case OP_invert:
        return shape_negated(shape_of(e, value->operands[0], depth));
    case OP_sub:
        return shape_of(e, value->operands[0], depth) |
               shape_negated(shape_of(e, value->operands[1], depth));
    case OP_add:
    case OP_or: /* of bits that do not meet: a sum to LLVM */
        return shape_of(e, value->operands[0], depth) | shape_of(e, value->operands[1], depth);
    case OP_mul:
        return shape_of_product(e, value, depth);
    case OP_shl:
        return scaled(shape_of(e, value->operands[0], depth));
    case OP_select:
        return shape_of(e, value->operands[1], depth) | shape_of(e, value->operands[2], depth);
    case OP_load:
        return is_read_alone(e, value) ? INDEX_RISES : INDEX_ANY;
    case OP_call:
    case OP_item:
    case OP_item_at:
        return INDEX_ANY;
    default:
        return INDEX_RISES;
    }
}

IndexShape index_shape(const Emitter *e, const IrValue *value)
{
    return e->dialect == DIALECT_CUDA ? shape_of(e, value, 0) : 0;
}

/* Sequences over all elements of an array: x.flat, np.ndindex, np.ndenumerate, np.nditer. A loop
** over one counts them all, and takes each iteration's indices from the counter. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"

static Operand make(FnState *f, IrIntrinsic kind, IrValue *array, Span span)
{
    Operand walk = { .kind = OPD_WALK, .span = span };
    walk.walk.kind = kind;
    walk.walk.array = stable_array(f, array);
    walk.walk.rank = array->type->array.rank;
    walk.walk.extents = arena_array(f->arena, IrValue *, RANK_MAX);
    stable_extents(f, walk.walk.array, walk.walk.extents, span);
    return walk;
}

Operand lower_flat(FnState *f, IrValue *array, Span span)
{
    array = stable_array(f, array);
    IrValue *flat = array_flat(f, array, span);
    return flat ? operand_value(flat) : make(f, INTR_np_ravel, array, span);
}

/* np.ndindex(2, 3) and np.ndindex((2, 3)) */
static Operand lower_ndindex(FnState *f, const Call *whole)
{
    Call spread = call_spread(f, whole, "_shape");
    const Call *call = &spread;
    Operand walk = { .kind = OPD_WALK, .span = call->span };
    walk.walk.kind = call->intrinsic;
    walk.walk.extents = arena_array(f->arena, IrValue *, RANK_MAX);
    int rank = call->count;
    if (rank > RANK_MAX || rank < 1)
        return fail_operand(f, call->span, "%s takes 1 to %d extents", call->name, RANK_MAX);
    for (int i = 0; i < rank; i++) {
        IrValue *extent = call_value(f, call, i);
        if (is_poison(extent))
            return operand_error(call->span);
        if (!type_is_integer(extent->type))
            return fail_operand(f, call->span, "%s takes integers, and one of these is %s",
                                call->name, describe(f, operand_value(extent)));
        walk.walk.extents[i] =
            lower_stable(f, ir_cast(f->arena, type_int64, extent, call->span), "_extent");
    }
    walk.walk.rank = rank;
    return walk;
}

Operand lower_walk(FnState *f, const Call *call)
{
    if (call->intrinsic == INTR_np_ndindex)
        return lower_ndindex(f, call);
    if (!call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *array = call_value(f, call, 0);
    if (is_poison(array))
        return operand_error(call->span);
    if (!type_is_array(array->type))
        return fail_operand(f, call->args[0].span, "%s takes one array, and this is %s", call->name,
                            describe(f, call->args[0]));
    return make(f, call->intrinsic, array, call->span);
}

IrValue *walk_length(FnState *f, const Operand *walk, Span span)
{
    IrValue *length = ir_integer(f->arena, type_int64, 1, span);
    for (int axis = 0; axis < walk->walk.rank; axis++)
        length = ir_binary(f->arena, OP_mul, length, walk->walk.extents[axis], span);
    return length;
}

void walk_indices(FnState *f, const Operand *walk, IrValue *counter, IrValue **indices, Span span)
{
    IrValue *rest = counter;
    for (int axis = walk->walk.rank - 1; axis >= 0; axis--) {
        IrValue *extent = walk->walk.extents[axis];
        indices[axis] =
            axis ? lower_stable(f, ir_binary(f->arena, OP_mod, rest, extent, span), "_at") : rest;
        if (axis)
            rest = lower_stable(f, ir_binary(f->arena, OP_floordiv, rest, extent, span), "_rest");
    }
}

static IrValue *tuple_of(FnState *f, IrValue *const *items, int count, Span span)
{
    const Type *types[RANK_MAX];
    IrValue *tuple = ir_value(f->arena, OP_tuple, NULL, span, count);
    for (int i = 0; i < count; i++) {
        tuple->operands[i] = items[i];
        types[i] = items[i]->type;
    }
    tuple->type = type_tuple(f->types, types, count);
    return tuple;
}

/* The element as an array without axes, which is what np.nditer gives. */
static IrValue *element_view(FnState *f, const Operand *walk, IrValue *const *indices, Span span)
{
    Operand operands[RANK_MAX];
    for (int axis = 0; axis < walk->walk.rank; axis++)
        operands[axis] = operand_value(indices[axis]);
    Operand view = lower_view(f, walk->walk.array, operands, walk->walk.rank, span);
    return view.kind == OPD_VALUE ? view.value : lower_poison(f, span);
}

IrValue *walk_item(FnState *f, const Operand *walk, IrValue *counter, Span span)
{
    IrValue *indices[RANK_MAX];
    int rank = walk->walk.rank;
    walk_indices(f, walk, counter, indices, span);
    if (walk->walk.kind == INTR_np_ndindex)
        return tuple_of(f, indices, rank, span);
    if (walk->walk.kind == INTR_np_nditer)
        return element_view(f, walk, indices, span);
    IrValue *element = array_element(f, walk->walk.array, indices, span);
    if (walk->walk.kind == INTR_np_ravel)
        return element;
    IrValue *const pair[] = { tuple_of(f, indices, rank, span), element };
    return tuple_of(f, pair, 2, span);
}

/* Where a thread is, and what threads do together: the geometry, barriers, warps. */
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"

/* ---- geometry -------------------------------------------------------------------------------- */

/* grid(1) is a number, grid(2) and grid(3) are tuples. */
Operand lower_grid(FnState *f, const Call *call)
{
    IrValue *axes = call_value(f, call, 0), *known = literal_value(f, axes);
    if (is_poison(axes))
        return call_poison(f, call);
    axes = known ? known : axes;
    if (!ir_is_constant(axes) || axes->constant.integer < 1 || axes->constant.integer > 3)
        return operand_value(fail_value(
            f, axes->span, "%s takes the number of axes: 1, 2 or 3, written out", call->name));
    int count = (int)axes->constant.integer;
    const Type *types[3] = { type_int64, type_int64, type_int64 };
    IrValue *tuple =
        ir_value(f->arena, OP_tuple, type_tuple(f->types, types, count), call->span, count);
    for (int axis = 0; axis < count; axis++)
        tuple->operands[axis] = ir_axis(f->arena, call->intrinsic, axis, call->span);
    return operand_value(count == 1 ? tuple->operands[0] : tuple);
}

/* ---- barriers -------------------------------------------------------------------------------- */

Operand lower_sync(FnState *f, const Call *call)
{
    return lower_effect(f, call->expr, call_intrinsic(f, call, type_none, NULL, NULL, NULL).value);
}

/* The grid as an object, which is no value: it only has sync(). */
Operand lower_this_grid(FnState *f, const Call *call)
{
    (void)f;
    return (Operand){ .kind = OPD_INTRINSIC, .span = call->span, .intrinsic = INTR_grid_group };
}

Operand lower_grid_sync(FnState *f, const Call *call)
{
    return lower_effect(f, call->expr, call_intrinsic(f, call, type_int32, NULL, NULL, NULL).value);
}

Operand lower_sync_if(FnState *f, const Call *call)
{
    IrValue *predicate = call_value(f, call, 0);
    if (predicate->type->kind == TY_BOOL) { /* numba has no cast of its own here */
        return operand_value(fail_value(f, call->args[0].span,
                                        "%s takes an integer, and this is a bool; write int32(...)",
                                        call->name));
    }
    if (!is_poison(predicate) && !type_is_integer(predicate->type))
        return call_refuse(f, call, 0, "an integer");
    return lower_effect(
        f, call->expr,
        call_intrinsic(f, call, type_int32, cast(f, type_int32, predicate), NULL, NULL).value);
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* The first argument, as a mask. */
static IrValue *warp_mask(FnState *f, const Call *call)
{
    IrValue *mask = call_value(f, call, 0);
    if (is_poison(mask) || type_is_integer(mask->type))
        return cast(f, type_uint32, mask);
    call_refuse(f, call, 0, "a mask of lanes, an integer, first");
    return lower_poison(f, call->span);
}

Operand lower_syncwarp(FnState *f, const Call *call)
{
    IrValue *mask = call->count ? warp_mask(f, call)
                                : ir_integer(f->arena, type_uint32, 0xffffffff, call->span);
    return lower_effect(f, call->expr, call_intrinsic(f, call, type_none, mask, NULL, NULL).value);
}

/* numba shuffles signed integers and floats of 32 and 64 bits; narrower ones travel as these, which
** hold them exactly. */
static const Type *shuffled_type(const Type *type)
{
    if (type->kind == TY_BOOL || (type_is_integer(type) && type_size(type) < 4))
        return type_int32;
    return type_is_float(type) && type_size(type) < 4 ? type_float32 : type;
}

static Operand shuffle(FnState *f, const Call *call, IrValue *mask, IrValue *value, IrValue *lane)
{
    const Type *type = shuffled_type(value->type);
    IrValue *moved =
        lower_effect(f, call->expr,
                     call_intrinsic(f, call, type, mask, cast(f, type, value), lane).value)
            .value;
    return moved->type->kind == TY_NONE ? operand_value(moved)
                                        : operand_value(cast(f, value->type, moved));
}

static Operand shuffle_complex(FnState *f, const Call *call, IrValue *mask, IrValue *value,
                               IrValue *lane)
{
    const Type *part = type_complex_part(value->type);
    IrValue *whole = ir_value(f->arena, OP_complex, value->type, call->span, 2);
    value = lower_stable(f, value, "_value");
    for (int i = 0; i < 2; i++) {
        IrValue *half = ir_value(f->arena, i ? OP_imag : OP_real, part, call->span, 1);
        half->operands[0] = value;
        whole->operands[i] = shuffle(f, call, mask, half, lane).value;
    }
    return operand_value(whole->operands[1]->type->kind == TY_NONE ? whole->operands[1] : whole);
}

Operand lower_shuffle(FnState *f, const Call *call)
{
    IrValue *mask = warp_mask(f, call), *value = call_value(f, call, 1);
    IrValue *lane = call_value(f, call, 2);
    if (!type_is_scalar(value->type))
        return call_refuse(f, call, 1, "a number");
    if (!type_is_integer(lane->type))
        return call_refuse(f, call, 2, "a lane, an integer");
    if (is_poison(mask))
        return call_poison(f, call);
    lane = cast(f, type_int32, lane);
    if (!type_is_complex(value->type))
        return shuffle(f, call, mask, value, lane);
    return shuffle_complex(f, call, lower_stable(f, mask, "_mask"), value,
                           lower_stable(f, lane, "_lane"));
}

Operand lower_match(FnState *f, const Call *call)
{
    IrValue *mask = warp_mask(f, call), *value = call_value(f, call, 1);
    if (!type_is_scalar(value->type) || type_is_complex(value->type))
        return call_refuse(f, call, 1, "an integer or a float");
    if (is_poison(mask))
        return call_poison(f, call);
    value = cast(f, shuffled_type(value->type), value);
    return lower_effect(f, call->expr,
                        call_intrinsic(f, call, type_int32, mask, value, NULL).value);
}

Operand lower_active(FnState *f, const Call *call)
{
    IrValue *all = ir_integer(f->arena, type_uint32, 0xffffffff, call->span);
    IrValue *yes = ir_integer(f->arena, type_bool, 1, call->span);
    return lower_effect(f, call->expr, call_intrinsic(f, call, type_uint32, all, yes, NULL).value);
}

Operand lower_sleep(FnState *f, const Call *call)
{
    IrValue *time = call_value(f, call, 0);
    if (!type_is_integer(time->type))
        return call_refuse(f, call, 0, "nanoseconds, an integer");
    return lower_effect(
        f, call->expr,
        call_intrinsic(f, call, type_none, cast(f, type_uint32, time), NULL, NULL).value);
}

Operand lower_vote(FnState *f, const Call *call)
{
    IrValue *mask = warp_mask(f, call), *predicate = call_value(f, call, 1);
    if (!type_is_integer(predicate->type) && predicate->type->kind != TY_BOOL)
        return call_refuse(f, call, 1, "an integer or a bool");
    if (is_poison(mask))
        return call_poison(f, call);
    const Type *type = call->intrinsic == INTR_ballot_sync ? type_int32 : type_bool;
    return lower_effect(
        f, call->expr,
        call_intrinsic(f, call, type, mask, lower_truth(f, predicate, call->span), NULL).value);
}

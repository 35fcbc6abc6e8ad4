/* What is built in, but for memory: one function a RULE_ of intrinsics.def. */
#include "ir/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------- */

bool call_takes(FnState *f, const Call *call, int least, int most)
{
    if (call->count >= least && call->count <= most)
        return true;
    if (least == most || most >= ANY_COUNT)
        fail(f, call->span, "%s takes %s%d argument%s, and %d %s given", call->name,
             least == most ? "" : "at least ", least, least == 1 ? "" : "s", call->count,
             call->count == 1 ? "was" : "were");
    else
        fail(f, call->span, "%s takes %d to %d arguments, and %d %s given", call->name, least, most,
             call->count, call->count == 1 ? "was" : "were");
    return false;
}

IrValue *call_value(FnState *f, const Call *call, int index)
{
    Operand arg = call->args[index];
    if (arg.kind == OPD_VALUE && arg.value->type->kind != TY_NONE)
        return plain_value(f, arg.value);
    if (arg.kind != OPD_ERROR)
        fail(f, arg.span, "%s takes values, and this is %s", call->name, describe(f, arg));
    call->args[index] = operand_error(arg.span); /* nothing more is to be said of it */
    return lower_poison(f, arg.span);
}

Call call_spread(FnState *f, const Call *call, const char *name)
{
    Call spread = *call;
    const Operand *only = call->count == 1 ? &call->args[0] : NULL;
    if (only && only->kind == OPD_VALUE && type_is_tuple(only->value->type))
        spread.args = tuple_operands(f, only->value, name, &spread.count, call->span);
    return spread;
}

static Operand poisoned(FnState *f, const Call *call)
{
    return operand_value(lower_poison(f, call->span));
}

static Operand refuse(FnState *f, const Call *call, int index, const char *wanted)
{
    Operand arg = call->args[index];
    if (arg.kind == OPD_ERROR || (arg.kind == OPD_VALUE && is_poison(arg.value)))
        return poisoned(f, call);
    fail(f, arg.span, "%s takes %s, and this is %s", call->name, wanted, describe(f, arg));
    if (arg.kind == OPD_VALUE)
        note_types(f, arg.value, NULL);
    return poisoned(f, call);
}

static Operand make(FnState *f, const Call *call, const Type *type, IrValue *a, IrValue *b,
                    IrValue *c)
{
    return operand_value(ir_intrinsic(f->arena, call->intrinsic, type, call->span, a, b, c));
}

static IrValue *cast(FnState *f, const Type *type, IrValue *value)
{
    return ir_cast(f->arena, type, value, value->span);
}

/* ---- geometry ------------------------------------------------------------------------------ */

Operand lower_builtin(FnState *f, Operand operand)
{
    if (operand.kind != OPD_INTRINSIC)
        return operand;
    int rule = ir_intrinsics[operand.intrinsic].rule;
    if (rule == RULE_WARP)
        return operand_value(ir_integer(f->arena, type_int32, 32, operand.span));
    if (rule == RULE_LANE)
        return operand_value(
            ir_intrinsic(f->arena, operand.intrinsic, type_int32, operand.span, NULL, NULL, NULL));
    return operand;
}

/* grid(1) is a number, grid(2) and grid(3) are tuples. */
static Operand lower_grid(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *axes = call_value(f, call, 0), *known = literal_value(f, axes);
    if (is_poison(axes))
        return poisoned(f, call);
    axes = known ? known : axes;
    if (!ir_is_constant(axes) || axes->constant.integer < 1 || axes->constant.integer > 3) {
        fail(f, axes->span, "%s takes the number of axes: 1, 2 or 3, written out", call->name);
        return poisoned(f, call);
    }
    int count = (int)axes->constant.integer;
    const Type *types[3] = { type_int64, type_int64, type_int64 };
    IrValue *tuple =
        ir_value(f->arena, OP_tuple, type_tuple(f->types, types, count), call->span, count);
    for (int axis = 0; axis < count; axis++) {
        tuple->operands[axis] =
            ir_intrinsic(f->arena, call->intrinsic, type_int64, call->span, NULL, NULL, NULL);
        tuple->operands[axis]->index = axis;
    }
    return operand_value(count == 1 ? tuple->operands[0] : tuple);
}

/* ---- barriers and warps ------------------------------------------------------------------------ */

static Operand lower_sync(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 0))
        return poisoned(f, call);
    return lower_effect(f, call->expr, make(f, call, type_none, NULL, NULL, NULL).value);
}

/* The grid as an object, which is no value: it only has sync(). */
static Operand lower_this_grid(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 0))
        return poisoned(f, call);
    return (Operand){ .kind = OPD_INTRINSIC, .span = call->span, .intrinsic = INTR_grid_group };
}

static Operand lower_grid_sync(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 0))
        return poisoned(f, call);
    return lower_effect(f, call->expr, make(f, call, type_int32, NULL, NULL, NULL).value);
}

static Operand lower_sync_if(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *predicate = call_value(f, call, 0);
    if (predicate->type->kind == TY_BOOL) { /* numba has no cast of its own here */
        fail(f, call->args[0].span, "%s takes an integer, and this is a bool; write int32(...)",
             call->name);
        return poisoned(f, call);
    }
    if (!is_poison(predicate) && !type_is_integer(predicate->type))
        return refuse(f, call, 0, "an integer");
    return lower_effect(
        f, call->expr, make(f, call, type_int32, cast(f, type_int32, predicate), NULL, NULL).value);
}

static IrValue *warp_mask(FnState *f, const Call *call, int index)
{
    IrValue *mask = call_value(f, call, index);
    if (is_poison(mask) || type_is_integer(mask->type))
        return cast(f, type_uint32, mask);
    refuse(f, call, index, "a mask of lanes, an integer, first");
    return lower_poison(f, call->span);
}

static Operand lower_syncwarp(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 1))
        return poisoned(f, call);
    IrValue *mask = call->count ? warp_mask(f, call, 0)
                                : ir_integer(f->arena, type_uint32, 0xffffffff, call->span);
    return lower_effect(f, call->expr, make(f, call, type_none, mask, NULL, NULL).value);
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
        lower_effect(f, call->expr, make(f, call, type, mask, cast(f, type, value), lane).value)
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

static Operand lower_shuffle(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 3, 3))
        return poisoned(f, call);
    IrValue *mask = warp_mask(f, call, 0), *value = call_value(f, call, 1);
    IrValue *lane = call_value(f, call, 2);
    if (!type_is_scalar(value->type))
        return refuse(f, call, 1, "a number");
    if (!type_is_integer(lane->type))
        return refuse(f, call, 2, "a lane, an integer");
    if (is_poison(mask))
        return poisoned(f, call);
    lane = cast(f, type_int32, lane);
    if (!type_is_complex(value->type))
        return shuffle(f, call, mask, value, lane);
    return shuffle_complex(f, call, lower_stable(f, mask, "_mask"), value,
                           lower_stable(f, lane, "_lane"));
}

static Operand lower_match(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return poisoned(f, call);
    IrValue *mask = warp_mask(f, call, 0), *value = call_value(f, call, 1);
    if (!type_is_scalar(value->type) || type_is_complex(value->type))
        return refuse(f, call, 1, "an integer or a float");
    if (is_poison(mask))
        return poisoned(f, call);
    value = cast(f, shuffled_type(value->type), value);
    return lower_effect(f, call->expr, make(f, call, type_int32, mask, value, NULL).value);
}

static Operand lower_active(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 0))
        return poisoned(f, call);
    IrValue *all = ir_integer(f->arena, type_uint32, 0xffffffff, call->span);
    IrValue *yes = ir_integer(f->arena, type_bool, 1, call->span);
    return lower_effect(f, call->expr, make(f, call, type_uint32, all, yes, NULL).value);
}

static Operand lower_sleep(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *time = call_value(f, call, 0);
    if (!type_is_integer(time->type))
        return refuse(f, call, 0, "nanoseconds, an integer");
    return lower_effect(f, call->expr,
                        make(f, call, type_none, cast(f, type_uint32, time), NULL, NULL).value);
}

static Operand lower_vote(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return poisoned(f, call);
    IrValue *mask = warp_mask(f, call, 0), *predicate = call_value(f, call, 1);
    if (!type_is_integer(predicate->type) && predicate->type->kind != TY_BOOL)
        return refuse(f, call, 1, "an integer or a bool");
    if (is_poison(mask))
        return poisoned(f, call);
    const Type *type = call->intrinsic == INTR_ballot_sync ? type_int32 : type_bool;
    return lower_effect(
        f, call->expr,
        make(f, call, type, mask, lower_truth(f, predicate, call->span), NULL).value);
}

/* ---- bits ---------------------------------------------------------------------------------- */

static Operand lower_bits(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    if (value->type->kind == TY_BOOL)
        value = cast(f, type_of(INT8), value);
    if (!type_is_integer(value->type))
        return refuse(f, call, 0, "an integer");
    if (call->intrinsic == INTR_brev)
        value = cast(f, type_size(value->type) == 8 ? type_uint64 : type_uint32, value);
    if (call->intrinsic == INTR_ffs && type_size(value->type) < 4)
        value = cast(f, type_is_signed(value->type) ? type_int32 : type_uint32, value);
    return make(f, call, call->intrinsic == INTR_ffs ? type_uint32 : value->type, value, NULL,
                NULL);
}

/* cuda.selp(c, a, b): both are computed, and no branch chooses. As an intrinsic: a, b, c. */
static Operand lower_selp(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 3, 3))
        return poisoned(f, call);
    IrValue *condition = call_value(f, call, 0);
    IrValue *a = call_value(f, call, 1), *b = call_value(f, call, 2);
    if (is_poison(condition) || is_poison(a) || is_poison(b))
        return poisoned(f, call);
    const Type *type = typing_unify(f->types, a->type, b->type);
    if (!type || !type_is_scalar(type))
        return refuse(f, call, 2, "two numbers of one type");
    return make(f, call, type, convert(f, a, type, call->span), convert(f, b, type, call->span),
                lower_truth(f, condition, call->span));
}

/* ---- mathematics ----------------------------------------------------------------------------- */

/* The float type that a math function works in for an argument; NULL if it takes no such thing. */
static const Type *math_type(const Type *type)
{
    if (!type_is_scalar(type) || !type_is_real(type))
        return NULL;
    if (type_is_float(type))
        return type_size(type) == 2 ? type_float32 : type;
    return type_float64;
}

/* The functions that numba has for a half float give one; the others work in float32. */
static bool has_half_form(IrIntrinsic intrinsic, const Type *type)
{
    static const IrIntrinsic halves[] = { INTR_trunc, INTR_ceil,  INTR_floor, INTR_sqrt,
                                          INTR_log,   INTR_log10, INTR_exp,   INTR_exp2,
                                          INTR_tanh,  INTR_cos,   INTR_sin };
    if (intrinsic == INTR_log2 || intrinsic == INTR_fabs)
        return type->kind == TY_FLOAT16;
    for (size_t i = 0; i < ARRAY_COUNT(halves); i++)
        if (halves[i] == intrinsic)
            return true;
    return false;
}

static Operand lower_math1_of(FnState *f, const Call *call, int index)
{
    IrValue *value = call_value(f, call, index);
    const Type *type =
        call->intrinsic == INTR_cbrt ? typing_float(value->type) : math_type(value->type);
    if (!type)
        return refuse(f, call, index, "a real number");
    IrValue *argument = cast(f, type, value);
    if (f->constant_only && ir_is_constant(argument))
        return operand_value(constant_math(f, call, argument->constant.number, NULL));
    IrValue *result = make(f, call, type, argument, NULL, NULL).value;
    bool half = type_is_float(value->type) && type_size(value->type) == 2;
    return operand_value(half && has_half_form(call->intrinsic, value->type)
                             ? cast(f, value->type, result)
                             : result);
}

/* math.sqrt(x); math.log(x[, base]) */
static Operand lower_math1(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, call->intrinsic == INTR_log ? 2 : 1))
        return poisoned(f, call);
    Operand first = lower_math1_of(f, call, 0);
    if (call->count == 1 || first.kind != OPD_VALUE || is_poison(first.value))
        return first;
    Operand base = lower_math1_of(f, call, 1);
    if (base.kind != OPD_VALUE || is_poison(base.value))
        return base;
    return operand_value(lower_binary(f, AST_DIV, first.value, base.value, call->span));
}

/* A function of two of the arguments' values. */
static Operand math2_of(FnState *f, const Call *call, IrValue *a, IrValue *b)
{
    const Type *ta = typing_float(a->type), *tb = typing_float(b->type);
    bool integers = !type_is_float(a->type) && !type_is_float(b->type);
    bool has_integer_form = call->intrinsic == INTR_atan2 || call->intrinsic == INTR_hypot;
    bool by_power =
        b->type->kind == TY_INT32 || (b->type->kind == TY_UINT16 && a->type->kind == TY_FLOAT32);
    if (call->intrinsic == INTR_math_pow && by_power) { /* numba's powi */
        IrValue *power = ir_value(f->arena, OP_pow, ta, call->span, 2);
        power->operands[0] = cast(f, ta, a);
        power->operands[1] = cast(f, type_int64, b);
        return operand_value(power);
    }
    const Type *type = ta == type_float32 && tb == type_float32 && !(integers && has_integer_form)
                           ? type_float32
                           : type_float64;
    a = cast(f, type, a);
    b = cast(f, type, b);
    if (f->constant_only && ir_is_constant(a) && ir_is_constant(b))
        return operand_value(constant_math(f, call, a->constant.number, &b->constant.number));
    return make(f, call, type, a, b, NULL);
}

/* math.pow(x, y) and its kin; math.hypot takes any number of coordinates, two by two. */
static Operand lower_math2(FnState *f, const Call *call)
{
    bool any = call->intrinsic == INTR_hypot;
    if (!call_takes(f, call, any ? 1 : 2, any ? ANY_COUNT : 2))
        return poisoned(f, call);
    for (int i = 0; i < call->count; i++)
        if (!typing_float(call_value(f, call, i)->type))
            return refuse(f, call, i, "real numbers");
    IrValue *first = call_value(f, call, 0);
    if (call->count == 1)
        return math2_of(f, call, first,
                        first->type == type_float32
                            ? ir_number(f->arena, type_float32, 0, call->span)
                            : ir_integer(f->arena, type_int64, 0, call->span));
    Operand result = math2_of(f, call, first, call_value(f, call, 1));
    for (int i = 2; i < call->count; i++)
        result = math2_of(f, call, result.value, call_value(f, call, i));
    return result;
}

static Operand lower_test(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    const Type *type = math_type(value->type);
    if (!type)
        return refuse(f, call, 0, "a real number");
    if (!type_is_float(value->type)) /* integers are finite */
        return operand_value(
            ir_integer(f->arena, type_bool, call->intrinsic == INTR_isfinite, call->span));
    return make(f, call, type_bool, cast(f, type, value), NULL, NULL);
}

static Operand lower_ldexp(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0), *exponent = call_value(f, call, 1);
    const Type *type = typing_float(value->type);
    if (!type)
        return refuse(f, call, 0, "a real number");
    if (!type_is_scalar(exponent->type) || !type_is_real(exponent->type))
        return refuse(f, call, 1, "an integer exponent");
    return make(f, call, type, cast(f, type, value), cast(f, type_int32, exponent), NULL);
}

static Operand lower_split_float(FnState *f, const Call *call, bool exponent)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    const Type *type = exponent ? typing_float(value->type) : math_type(value->type);
    if (!type)
        return refuse(f, call, 0, "a real number");
    const Type *items[] = { type, exponent ? type_int32 : type };
    return make(f, call, type_tuple(f->types, items, 2), cast(f, type, value), NULL, NULL);
}

static Operand lower_fma(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 3, 3))
        return poisoned(f, call);
    IrValue *values[3];
    const Type *type = type_float32;
    for (int i = 0; i < 3; i++) {
        values[i] = call_value(f, call, i);
        const Type *own = typing_float(values[i]->type);
        if (!own)
            return refuse(f, call, i, "real numbers");
        type = own == type_float64 ? own : type;
    }
    return make(f, call, type, cast(f, type, values[0]), cast(f, type, values[1]),
                cast(f, type, values[2]));
}

/* ---- Python's builtins ------------------------------------------------------------------------ */

static Operand lower_abs(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    const Type *type = value->type;
    if (type->kind == TY_TIMEDELTA)
        return operand_value(time_abs(f, value, call->span));
    if (!type_is_scalar(type))
        return refuse(f, call, 0, "a number");
    if (type->kind == TY_BOOL)
        return operand_value(cast(f, type_of(INT8), value));
    if (type_is_unsigned(type))
        return operand_value(value);
    if (type_size(type) == 2 && type_is_float(type))
        return operand_value(cast(
            f, type, make(f, call, type_float32, cast(f, type_float32, value), NULL, NULL).value));
    if (ir_is_constant(value) && type_is_integer(type))
        return operand_value(
            ir_integer(f->arena, type, llabs(value->constant.integer), call->span));
    if (ir_is_constant(value) && type_is_float(type))
        return operand_value(ir_number(f->arena, type, fabs(value->constant.number), call->span));
    return make(f, call, type_is_complex(type) ? type_complex_part(type) : type, value, NULL, NULL);
}

static bool is_nan(const IrValue *constant)
{
    return type_is_float(constant->type) && isnan(constant->constant.number);
}

/* The smaller or greater of two of one type; NaN counts as missing. */
static IrValue *pick(FnState *f, const Call *call, IrValue *a, IrValue *b)
{
    if (ir_is_constant(a) && ir_is_constant(b)) {
        if (is_nan(a))
            return b;
        IrOp op = call->intrinsic == INTR_min ? OP_lt : OP_gt;
        return ir_binary(f->arena, op, b, a, call->span)->constant.integer ? b : a;
    }
    if (type_size(a->type) == 2 && type_is_float(a->type)) {
        IrValue *wide = ir_intrinsic(f->arena, call->intrinsic, type_float32, call->span,
                                     cast(f, type_float32, a), cast(f, type_float32, b), NULL);
        return cast(f, a->type, wide);
    }
    return ir_intrinsic(f->arena, call->intrinsic, a->type, call->span, a, b, NULL);
}

/* As Python has it: the first unless the other is beyond it, which NaT never is. */
static IrValue *time_pick(FnState *f, const Call *call, IrValue *first, IrValue *other)
{
    AstOp op = call->intrinsic == INTR_min ? AST_LT : AST_GT;
    first = lower_stable(f, first, "_first");
    other = lower_stable(f, other, "_other");
    return ir_select(f->arena, compare_values(f, op, other, first, call->span), other, first,
                     call->span);
}

static Operand lower_minmax(FnState *f, const Call *whole)
{
    Call call = call_spread(f, whole, "_tuple");
    bool tuple_given = call.args != whole->args;
    if (call.count == 1 && call.args[0].kind == OPD_VALUE &&
        type_is_array(call.args[0].value->type))
        return lower_library_call(f, call.expr, call.intrinsic == INTR_min ? "_min" : "_max",
                                  call.args, 1);
    if (!call_takes(f, &call, tuple_given ? 1 : 2, ANY_COUNT))
        return poisoned(f, &call);
    IrValue *result = NULL;
    for (int i = 0; i < call.count; i++) {
        IrValue *value = call_value(f, &call, i);
        if (is_poison(value))
            return poisoned(f, &call);
        if (type_is_time(value->type) && (!result || result->type == value->type)) {
            result = result ? time_pick(f, &call, result, value) : value;
            continue;
        }
        if (!type_is_scalar(value->type) || !type_is_real(value->type) ||
            (result && (value->type->kind == TY_BOOL) != (result->type->kind == TY_BOOL)))
            return refuse(f, &call, i, "integers and floats");
        if (!result) {
            result = value;
            continue;
        }
        const Type *type = is_nep50(f) ? nep50_common(result, value)
                                       : typing_unify(f->types, result->type, value->type);
        result = pick(f, &call, cast(f, type, result), cast(f, type, value));
    }
    return operand_value(result);
}

static Operand lower_round(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 2))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    const Type *type = typing_float(value->type);
    if (!type)
        return refuse(f, call, 0, "a real number");
    IrValue *known = lower_constant_round(
        f, value, call->count == 2 ? call_value(f, call, 1) : NULL, call->span);
    if (known)
        return operand_value(known);
    if (call->count == 2) {
        IrValue *digits = call_value(f, call, 1);
        if (!type_is_integer(digits->type) && digits->type->kind != TY_BOOL)
            return refuse(f, call, 1, "a number of digits, an integer");
        IrValue *result = ir_intrinsic(f->arena, INTR_round_digits, type, call->span,
                                       cast(f, type, value), cast(f, type_int64, digits), NULL);
        return operand_value(result);
    }
    if (!type_is_float(value->type))
        return operand_value(cast(f, type_int64, value));
    return make(f, call, type_int64, cast(f, type, value), NULL, NULL);
}

/* float("nan"), float("-inf"), float("1e3") */
static Operand lower_float_of_text(FnState *f, const Call *call)
{
    Operand text = call->args[0];
    double number;
    const char *wrong = float_of_text(f->arena, text.string.text, text.string.length, &number);
    if (!wrong)
        return operand_value(ir_number(f->arena, type_float64, number, call->span));
    fail(f, text.span, "this text is no number for float(): %s", wrong);
    return poisoned(f, call);
}

/* bool(x), int(x), float(x), complex(re, im) */
static Operand lower_convert(FnState *f, const Call *call)
{
    bool complex = call->intrinsic == INTR_complex_;
    if (!call_takes(f, call, 1, complex ? 2 : 1))
        return poisoned(f, call);
    if (call->intrinsic == INTR_float_ && call->args[0].kind == OPD_STRING)
        return lower_float_of_text(f, call);
    IrValue *value = call_value(f, call, 0);
    const Type *type = value->type;
    if (is_poison(value))
        return poisoned(f, call);
    if (call->intrinsic == INTR_bool_)
        return operand_value(lower_truth(f, value, call->span));
    if (type_is_time(type) && call->intrinsic == INTR_int_)
        return operand_value(ir_item(f->arena, value, 0, call->span));
    if (!type_is_scalar(type) || (!complex && type_is_complex(type)))
        return refuse(f, call, 0, "a real number");
    if (call->intrinsic == INTR_int_)
        return operand_value(type_is_integer(type) ? value : cast(f, type_int64, value));
    if (call->intrinsic == INTR_float_)
        return operand_value(type_is_float(type) ? value : cast(f, type_float64, value));
    IrValue *imaginary = call->count == 2 ? call_value(f, call, 1) : NULL;
    if (type_is_complex(type) || (imaginary && !type_is_real(imaginary->type)))
        return call->count == 1 ? operand_value(cast(f, type_of(COMPLEX128), value))
                                : refuse(f, call, 1, "real parts");
    bool single = type->kind == TY_FLOAT32 && (!imaginary || imaginary->type->kind == TY_FLOAT32);
    const Type *result = single ? type_of(COMPLEX64) : type_of(COMPLEX128);
    const Type *part = type_complex_part(result);
    return operand_value(
        ir_complex(f->arena, result, cast(f, part, value),
                   imaginary ? cast(f, part, imaginary) : ir_number(f->arena, part, 0, call->span),
                   call->span));
}

/* divmod of integers is typed by itself, not as // and %: both operands become the least of int64, uint64
** and float64 that numba's conversions lead to. */
static const Type *divmod_type(const Type *a, const Type *b)
{
    const Type *types[] = { a, b };
    bool is_signed = false, is_unsigned = false, is_wide = false;
    for (int i = 0; i < 2; i++) {
        if (!type_is_integer(types[i]) && types[i]->kind != TY_BOOL)
            return NULL;
        is_signed |= type_is_signed(types[i]);
        is_unsigned |= type_is_unsigned(types[i]);
        is_wide |= types[i]->kind == TY_UINT64;
    }
    return is_signed && is_wide        ? type_float64
           : is_unsigned && !is_signed ? type_uint64
                                       : type_int64;
}

static Operand lower_divmod(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return poisoned(f, call);
    IrValue *a = lower_stable(f, call_value(f, call, 0), "_a");
    IrValue *b = lower_stable(f, call_value(f, call, 1), "_b");
    const Type *common = is_nep50(f) ? NULL : divmod_type(a->type, b->type);
    if (common) {
        a = cast(f, common, a);
        b = cast(f, common, b);
    }
    IrValue *quotient = lower_binary(f, AST_FLOORDIV, a, b, call->span);
    IrValue *rest = is_poison(quotient) ? quotient : lower_binary(f, AST_MOD, a, b, call->span);
    if (is_poison(rest))
        return poisoned(f, call);
    const Type *types[] = { quotient->type, rest->type };
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, 2), call->span, 2);
    tuple->operands[0] = quotient;
    tuple->operands[1] = rest;
    return operand_value(tuple);
}

static Operand lower_pow(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 2, 2))
        return poisoned(f, call);
    return operand_value(
        lower_binary(f, AST_POW, call_value(f, call, 0), call_value(f, call, 1), call->span));
}

/* type(x) */
static Operand lower_type_of(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    const Type *type = call_value(f, call, 0)->type;
    if (!type_is_scalar(type))
        return refuse(f, call, 0, "numbers");
    return (Operand){ .kind = OPD_TYPE, .span = call->span, .type = type };
}

/* tuple(x), of a tuple */
static Operand lower_tuple_call(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 0, 1))
        return poisoned(f, call);
    if (!call->count)
        return operand_value(
            ir_value(f->arena, OP_tuple, type_tuple(f->types, NULL, 0), call->span, 0));
    IrValue *value = call_value(f, call, 0);
    return type_is_tuple(value->type) ? operand_value(value)
                                      : refuse(f, call, 0, "a tuple, whose length is known");
}

/* slice(stop), slice(start, stop[, step]); None as if it were not there */
static Operand lower_slice_call(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 3))
        return poisoned(f, call);
    Operand slice = { .kind = OPD_SLICE, .span = call->span };
    IrValue **bounds[] = { &slice.slice.start, &slice.slice.stop, &slice.slice.step };
    for (int i = 0; i < call->count; i++) {
        int to = call->count == 1 ? 1 : i;
        if (call->args[i].kind == OPD_NONE)
            continue;
        IrValue *value = call_value(f, call, i);
        if (!type_is_integer(value->type))
            return refuse(f, call, i, "integers and None");
        *bounds[to] = lower_stable(f, cast(f, type_int64, value), "_bound");
    }
    return slice;
}

static Operand lower_unroll_call(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    IrValue *value = call_value(f, call, 0);
    if (!type_is_tuple(value->type))
        return refuse(f, call, 0, "a tuple");
    return (Operand){ .kind = OPD_UNROLL, .span = call->span, .value = value };
}

static Operand lower_len(FnState *f, const Call *call)
{
    if (!call_takes(f, call, 1, 1))
        return poisoned(f, call);
    if (call->args[0].kind == OPD_RANGE) {
        for (int i = 0; i < 3; i++)
            call->args[0].range[i] = lower_stable(f, call->args[0].range[i], "_range");
        return operand_value(range_length(f, &call->args[0], call->span));
    }
    if (call->args[0].kind == OPD_STRING)
        return operand_value(
            ir_integer(f->arena, type_int64, (int64_t)call->args[0].string.length, call->span));
    if (call->args[0].kind == OPD_WALK && call->args[0].walk.kind == INTR_np_ravel) /* x.flat */
        return operand_value(walk_length(f, &call->args[0], call->span));
    if (call->args[0].kind != OPD_VALUE)
        return refuse(f, call, 0, "an array or a tuple");
    IrValue *value = call_value(f, call, 0);
    if (type_is_tuple(value->type))
        return operand_value(
            ir_integer(f->arena, type_int64, value->type->tuple.count, call->span));
    if (type_is_array(value->type) && value->type->array.rank > 0)
        return operand_value(array_extent(f, value, 0, call->span));
    return refuse(f, call, 0, "an array or a tuple");
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* enumerate(it, start=0), zip(a, b, ...) */
static Operand lower_sequence(FnState *f, const Call *call)
{
    bool enumerates = call->intrinsic == INTR_enumerate;
    int keywords = call->expr->call.keyword_count;
    if (!call_takes(f, call, 1, enumerates ? 2 : ANY_COUNT))
        return poisoned(f, call);
    const AstKeyword *keyword = keywords ? &call->expr->call.keywords[0] : NULL;
    bool named = enumerates && keyword && keyword->name && strcmp(keyword->name, "start") == 0;
    if (keyword && (!named || keywords > 1 || call->count == 2)) {
        fail(f, keyword->span,
             named ? "enumerate is given its start twice" : "%s has no keyword '%s'", call->name,
             keyword->name ? keyword->name : "**");
        return poisoned(f, call);
    }
    Operand sequence = { .kind = OPD_SEQUENCE, .span = call->span };
    sequence.sequence.parts = call->args;
    sequence.sequence.count = enumerates ? 1 : call->count;
    if (!enumerates)
        return sequence;
    IrValue *start = ir_integer(f->arena, type_int64, 0, call->span);
    if (call->count == 2 || keywords == 1) {
        const Operand *given = &call->args[1]; /* keywords' values stand behind the others */
        if (given->kind != OPD_VALUE || !type_is_integer(given->value->type)) {
            fail(f, given->span, "enumerate starts at an integer");
            return poisoned(f, call);
        }
        start = lower_stable(f, cast(f, type_int64, given->value), "_start");
    }
    sequence.sequence.start = start;
    return sequence;
}

/* ---- print ---------------------------------------------------------------------------------- */

/* threadIdx and its kin print as (x, y, z). */
static IrValue *dim3_tuple(FnState *f, const Operand *dim3)
{
    const Type *types[3] = { type_int32, type_int32, type_int32 };
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_tuple(f->types, types, 3), dim3->span, 3);
    for (int axis = 0; axis < 3; axis++) {
        tuple->operands[axis] =
            ir_intrinsic(f->arena, dim3->intrinsic, type_int32, dim3->span, NULL, NULL, NULL);
        tuple->operands[axis]->index = axis;
    }
    return tuple;
}

/* Scalars and tuples of them, without anything that may be None. */
static bool is_printed(const Type *type)
{
    if (!type_is_tuple(type) || type_is_optional(type))
        return type_is_scalar(type);
    for (int i = 0; i < type->tuple.count; i++)
        if (!is_printed(type->tuple.items[i]))
            return false;
    return true;
}

static Operand lower_print(FnState *f, const Call *call)
{
    IrStmt *stmt = ir_stmt(f->arena, IR_PRINT, call->span);
    stmt->print.items = arena_array(f->arena, IrPrintItem, call->count + 1);
    stmt->print.count = call->count;
    for (int i = 0; i < call->count; i++) {
        Operand arg = call->args[i];
        bool value = arg.kind == OPD_VALUE && is_printed(arg.value->type);
        if (arg.kind == OPD_VALUE && type_is_optional(arg.value->type)) {
            fail(f, arg.span,
                 "this may be None, which print() cannot tell; test it with 'is None'");
            return operand_error(call->span);
        }
        if (arg.kind == OPD_STRING)
            stmt->print.items[i].text = arg.string.text;
        else if (arg.kind == OPD_NONE)
            stmt->print.items[i].text = "None";
        else if (arg.kind == OPD_INTRINSIC && ir_intrinsics[arg.intrinsic].rule == RULE_DIM3)
            stmt->print.items[i].value = dim3_tuple(f, &arg);
        else if (value)
            stmt->print.items[i].value = arg.value;
        else
            return refuse(f, call, i, "numbers, tuples and strings");
    }
    emit(f, stmt);
    return operand_value(ir_value(f->arena, OP_zero, type_none, call->span, 0));
}

/* ---- all of them ------------------------------------------------------------------------------ */

static bool takes_keywords(Rule rule)
{
    return rule == RULE_ARRAY || rule == RULE_ITERATE || rule == RULE_RANGE;
}

Operand lower_intrinsic(FnState *f, Call *call)
{
    Rule rule = (Rule)ir_intrinsics[call->intrinsic].rule;
    if (call->expr->call.keyword_count && !takes_keywords(rule)) {
        const AstKeyword *keyword = &call->expr->call.keywords[0];
        fail(f, keyword->span, "%s has no keyword '%s'", call->name,
             keyword->name ? keyword->name : "**");
        return operand_error(call->span);
    }
    switch (rule) {
    case RULE_DIM3:
    case RULE_LANE:
    case RULE_WARP:
    case RULE_GRID_GROUP:
    case RULE_LOWERED:
    case RULE_DTYPE:
    case RULE_TABLE:
    case RULE_NAMEDTUPLE:
    case RULE_ENUM:
    case RULE_ISINSTANCE: /* lower_call() sees to it */
        fail(f, call->span, "%s is not a function", call->name);
        return operand_error(call->span);
    case RULE_TIME:
        return lower_time(f, call);
    case RULE_GRID:
        return lower_grid(f, call);
    case RULE_ARRAY:
        return lower_array_intrinsic(f, call);
    case RULE_ARRAY_LIKE:
        return lower_array_like(f, call);
    case RULE_ARRAY_FUNCTION:
        return lower_array_function(f, call);
    case RULE_ARRAY_FACTS:
        return lower_array_facts(f, call);
    case RULE_WALK:
        return lower_walk(f, call);
    case RULE_SYNC:
        return lower_sync(f, call);
    case RULE_SYNC_IF:
        return lower_sync_if(f, call);
    case RULE_THIS_GRID:
        return lower_this_grid(f, call);
    case RULE_GRID_SYNC:
        return lower_grid_sync(f, call);
    case RULE_SYNCWARP:
        return lower_syncwarp(f, call);
    case RULE_SHUFFLE:
        return lower_shuffle(f, call);
    case RULE_VOTE:
        return lower_vote(f, call);
    case RULE_ATOMIC:
    case RULE_ATOMIC_SUM:
    case RULE_ATOMIC_INT:
    case RULE_ATOMIC_UINT:
    case RULE_ATOMIC_CAS:
    case RULE_ATOMIC_CAS0:
        return lower_atomic(f, call, rule);
    case RULE_MATCH:
        return lower_match(f, call);
    case RULE_ACTIVE:
        return lower_active(f, call);
    case RULE_SLEEP:
        return lower_sleep(f, call);
    case RULE_CACHE_LOAD:
        return lower_cache_load(f, call);
    case RULE_CACHE_STORE:
        return lower_cache_store(f, call);
    case RULE_BITS:
        return lower_bits(f, call);
    case RULE_FLOAT3:
        return lower_fma(f, call);
    case RULE_SELP:
        return lower_selp(f, call);
    case RULE_MATH1:
        return lower_math1(f, call);
    case RULE_MATH2:
        return lower_math2(f, call);
    case RULE_TEST1:
        return lower_test(f, call);
    case RULE_LDEXP:
        return lower_ldexp(f, call);
    case RULE_FREXP:
        return lower_split_float(f, call, true);
    case RULE_MODF:
        return lower_split_float(f, call, false);
    case RULE_ABS:
        return lower_abs(f, call);
    case RULE_MINMAX:
        return lower_minmax(f, call);
    case RULE_ROUND:
        return lower_round(f, call);
    case RULE_CONVERT:
        return lower_convert(f, call);
    case RULE_DIVMOD:
        return lower_divmod(f, call);
    case RULE_POW:
        return lower_pow(f, call);
    case RULE_LEN:
        return lower_len(f, call);
    case RULE_RANGE:
        return lower_range(f, call);
    case RULE_ITERATE:
        return lower_sequence(f, call);
    case RULE_ITER:
        return lower_iter(f, call);
    case RULE_NEXT:
        return lower_next(f, call);
    case RULE_LIMITS:
        return lower_limits(f, call);
    case RULE_TUPLE:
        return lower_tuple_call(f, call);
    case RULE_SLICE:
        return lower_slice_call(f, call);
    case RULE_UNROLL:
        return lower_unroll_call(f, call);
    case RULE_TYPE_OF:
        return lower_type_of(f, call);
    case RULE_UFUNC_TYPE:
        return lower_ufunc_type(f, call);
    case RULE_REFUSE:
        return lower_refuse(f, call);
    case RULE_PRINT:
        return lower_print(f, call);
    }
    return operand_error(call->span);
}

/* Calls of functions with fixed types: a row of a table says all (fixed.h). */
#include "ir/lower/builtin.h"

/* ---- signatures ---------------------------------------------------------------------------- */

static const Type *letter_type(char letter)
{
    static const struct {
        char letter;
        TypeKind kind;
    } letters[] = {
        { '?', TY_BOOL },    { 'c', TY_INT8 },    { 's', TY_INT16 },    { 'i', TY_INT32 },
        { 'l', TY_INT64 },   { 'C', TY_UINT8 },   { 't', TY_UINT16 },   { 'u', TY_UINT32 },
        { 'v', TY_UINT64 },  { 'h', TY_FLOAT16 }, { 'b', TY_BFLOAT16 }, { 'f', TY_FLOAT32 },
        { 'd', TY_FLOAT64 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(letters); i++)
        if (letters[i].letter == letter)
            return &type_table[letters[i].kind];
    return type_error;
}

/* The letter behind one type of a signature. */
static const char *next_type(const char *at)
{
    for (at++; *at == '/'; at += 2)
        ;
    return at;
}

static const char *operands_of(const FixedFunction *function)
{
    return strchr(function->signature, '(') + 1;
}

static int operand_count(const FixedFunction *function)
{
    int count = 0;
    for (const char *at = operands_of(function); *at != ')'; at = next_type(at))
        count++;
    return count;
}

/* ---- the call ------------------------------------------------------------------------------ */

/* An argument as what computes has it. */
static IrValue *argument(FnState *f, IrValue *value, const char *at)
{
    value = ir_cast(f->arena, letter_type(*at), value, value->span);
    for (at++; *at == '/'; at += 2)
        value = ir_cast(f->arena, letter_type(at[1]), value, value->span);
    return value;
}

/* What is computed, which is of the type that stands last, as the caller gets it. Floats become
** integers as PTX's cvt makes them: held in range. */
static IrValue *given_back(FnState *f, IrValue *value, const char *at)
{
    for (const char *from = next_type(at) - 1; from >= at; from -= 2) {
        bool clamps = type_is_float(value->type) && type_is_integer(letter_type(*from));
        value = ir_cast(f->arena, letter_type(*from), value, value->span);
        if (clamps && value->op == OP_cast)
            value->index = CAST_CLAMPS;
    }
    return value;
}

static IrValue *power(FnState *f, const Type *type, IrValue **args, Span span)
{
    IrValue *value = ir_value(f->arena, OP_pow, type, span, 2);
    value->operands[0] = args[0];
    value->operands[1] = args[1];
    return value;
}

static IrValue *compute(FnState *f, FixedTarget target, const Type *type, IrValue **args, Span span)
{
    switch (target.kind) {
    case TARGET_FUNCTION:
        return ir_intrinsic(f->arena, (IrIntrinsic)target.id, type, span, args[0], args[1],
                            args[2]);
    case TARGET_OPERATOR:
        if (target.id == OP_pow)
            return power(f, type, args, span);
        return args[1] ? ir_binary(f->arena, (IrOp)target.id, args[0], args[1], span)
                       : ir_unary(f->arena, (IrOp)target.id, args[0], span);
    case TARGET_AS_IS:
    case TARGET_NONE:
        break;
    }
    return args[0];
}

static IrValue *result(FnState *f, FixedTarget target, const char *at, IrValue **args, Span span)
{
    const Type *type = letter_type(*(next_type(at) - 1));
    return given_back(f, compute(f, target, type, args, span), at);
}

static Operand result_tuple(FnState *f, const FixedFunction *function, IrValue **args, Span span)
{
    const Type *types[FIXED_RESULTS];
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, span, FIXED_RESULTS);
    const char *at = function->signature;
    for (int i = 0; i < 3 && args[i]; i++)
        args[i] = lower_stable(f, args[i], "_t");
    for (int i = 0; i < FIXED_RESULTS; i++, at = next_type(at)) {
        tuple->operands[i] = result(f, function->targets[i], at, args, span);
        types[i] = tuple->operands[i]->type;
    }
    tuple->type = type_tuple(f->types, types, FIXED_RESULTS);
    return operand_value(tuple);
}

Operand lower_fixed(FnState *f, const Call *call, const FixedFunction *function)
{
    int count = operand_count(function);
    IrValue *args[3] = { NULL };
    const char *at = operands_of(function);
    if (call->expr->call.keyword_count || !call_takes(f, call, count, count))
        return operand_error(call->span);
    for (int i = 0; i < count; i++, at = next_type(at)) {
        IrValue *value = call_value(f, call, i);
        if (is_poison(value))
            return operand_error(call->span);
        if (!type_is_scalar(value->type) || !type_is_real(value->type))
            return fail_operand(f, call->args[i].span, "%s takes real numbers, and this is %s",
                                call->name, describe(f, call->args[i]));
        args[i] = argument(f, value, at);
    }
    if (function->targets[1].kind != TARGET_NONE)
        return result_tuple(f, function, args, call->span);
    return operand_value(result(f, function->targets[0], function->signature, args, call->span));
}

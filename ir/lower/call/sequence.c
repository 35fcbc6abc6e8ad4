/* Python's functions of sequences: tuple, slice, len, enumerate and zip; and numba's
** literal_unroll. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

/* tuple(x), of a tuple */
Operand lower_tuple_call(FnState *f, const Call *call)
{
    if (!call->count)
        return operand_value(
            ir_value(f->arena, OP_tuple, type_tuple(f->types, NULL, 0), call->span, 0));
    IrValue *value = call_value(f, call, 0);
    return type_is_tuple(value->type) ? operand_value(value)
                                      : call_refuse(f, call, 0, "a tuple, whose length is known");
}

/* slice(stop), slice(start, stop[, step]); None as if it were not there */
Operand lower_slice_call(FnState *f, const Call *call)
{
    Operand slice = { .kind = OPD_SLICE, .span = call->span };
    IrValue **bounds[] = { &slice.slice.start, &slice.slice.stop, &slice.slice.step };
    for (int i = 0; i < call->count; i++) {
        int to = call->count == 1 ? 1 : i;
        if (call->args[i].kind == OPD_NONE)
            continue;
        IrValue *value = call_value(f, call, i);
        if (!type_is_integer(value->type))
            return call_refuse(f, call, i, "integers and None");
        *bounds[to] = lower_stable(f, cast(f, type_int64, value), "_bound");
    }
    return slice;
}

Operand lower_unroll_call(FnState *f, const Call *call)
{
    IrValue *value = call_value(f, call, 0);
    if (!type_is_tuple(value->type))
        return call_refuse(f, call, 0, "a tuple");
    return (Operand){ .kind = OPD_UNROLL, .span = call->span, .value = value };
}

Operand lower_len(FnState *f, const Call *call)
{
    if (call->args[0].kind == OPD_RANGE) {
        for (int i = 0; i < 3; i++)
            call->args[0].range[i] = lower_stable(f, call->args[0].range[i], "_range");
        /* numba counts in the type of the range's counter */
        return operand_value(
            cast(f, call->args[0].range[0]->type, range_length(f, &call->args[0], call->span)));
    }
    if (call->args[0].kind == OPD_STRING)
        return operand_value(
            ir_integer(f->arena, type_int64, call->args[0].string.characters, call->span));
    if (call->args[0].kind == OPD_BUNDLE && bundle_count(f, call->args[0].bundle) >= 0)
        return operand_value(
            ir_integer(f->arena, type_int64, bundle_count(f, call->args[0].bundle), call->span));
    if (call->args[0].kind == OPD_WALK && call->args[0].walk.kind == INTR_np_ravel) /* x.flat */
        return operand_value(walk_length(f, &call->args[0], call->span));
    if (call->args[0].kind != OPD_VALUE)
        return call_refuse(f, call, 0, "an array or a tuple");
    IrValue *value = call_value(f, call, 0);
    if (is_characters(value))
        return operand_value(characters_length(f, value, call->span));
    if (type_is_tuple(value->type))
        return operand_value(
            ir_integer(f->arena, type_int64, value->type->tuple.count, call->span));
    if (type_is_array(value->type) && value->type->array.rank > 0)
        return operand_value(array_extent(f, value, 0, call->span));
    return call_refuse(f, call, 0, "an array or a tuple");
}

/* enumerate(it, start=0), zip(a, b, ...) */
Operand lower_sequence(FnState *f, const Call *call)
{
    bool enumerates = call->intrinsic == INTR_enumerate;
    int keywords = call->expr->call.keyword_count;
    if (!call_takes(f, call, 1, enumerates ? 2 : ANY_COUNT))
        return call_poison(f, call);
    const AstKeyword *keyword = keywords ? &call->expr->call.keywords[0] : NULL;
    bool named = enumerates && keyword && keyword->name && strcmp(keyword->name, "start") == 0;
    if (keyword && (!named || keywords > 1 || call->count == 2))
        return operand_value(
            fail_value(f, keyword->span,
                       named ? "enumerate is given its start twice" : "%s has no keyword '%s'",
                       call->name, keyword->name ? keyword->name : "**"));
    Operand sequence = { .kind = OPD_SEQUENCE, .span = call->span };
    sequence.sequence.parts = call->args;
    sequence.sequence.count = enumerates ? 1 : call->count;
    if (!enumerates) {
        iterator_join(f, &sequence);
        return sequence;
    }
    IrValue *start = ir_integer(f->arena, type_int64, 0, call->span);
    if (call->count == 2 || keywords == 1) {
        const Operand *given = &call->args[1]; /* keywords' values stand behind the others */
        if (given->kind != OPD_VALUE || !type_is_integer(given->value->type))
            return operand_value(fail_value(f, given->span, "enumerate starts at an integer"));
        start = lower_stable(f, cast(f, type_int64, given->value), "_start");
    }
    sequence.sequence.start = start;
    iterator_join(f, &sequence);
    return sequence;
}

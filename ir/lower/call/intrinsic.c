/* What is built in: which function lowers a call, and what those functions share. */
#include "ir/lower/builtin.h"
#include "ir/lower/values.h"

/* ---- arguments ------------------------------------------------------------------------------- */

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

Operand call_poison(FnState *f, const Call *call)
{
    return operand_value(lower_poison(f, call->span));
}

Operand call_refuse(FnState *f, const Call *call, int index, const char *wanted)
{
    Operand arg = call->args[index];
    if (arg.kind == OPD_ERROR || (arg.kind == OPD_VALUE && is_poison(arg.value)))
        return call_poison(f, call);
    bool whole =
        arg.kind == OPD_VALUE && type_is_array(arg.value->type) && arg.value->type->array.rank > 0;
    fail(f, arg.span, "%s takes %s, and this is %s%s", call->name, wanted, describe(f, arg),
         whole && strstr(wanted, "number") ? "; index it" : "");
    if (arg.kind == OPD_VALUE)
        note_types(f, arg.value, NULL);
    return call_poison(f, call);
}

Operand call_intrinsic(FnState *f, const Call *call, const Type *type, IrValue *a, IrValue *b,
                       IrValue *c)
{
    return operand_value(ir_intrinsic(f->arena, call->intrinsic, type, call->span, a, b, c));
}

IrValue *cast(FnState *f, const Type *type, IrValue *value)
{
    return ir_cast(f->arena, type, value, value->span);
}

/* ---- calls ----------------------------------------------------------------------------------- */

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

static const struct {
    Operand (*lower)(FnState *f, const Call *call);
    int least, most;
    bool takes_keywords;
} rules[] = {
#define ANY                                       INT32_MAX
#define UNCALLED(id)                              [RULE_##id] = { NULL, 0, ANY, false },
#define RULE(id, function, least, most, keywords) [RULE_##id] = { function, least, most, keywords },
#include "ir/names/tables/rules.def"
};

/* What arguments are, where their number alone does not say it. */
static const char *meaning_of_arguments(int rule)
{
    switch (rule) {
    case RULE_GRID:
        return "the number of axes";
    case RULE_SYNC_IF:
        return "a condition";
    case RULE_SHUFFLE:
        return "a mask, a value, and a lane or a distance";
    case RULE_VOTE:
    case RULE_MATCH:
        return "a mask and a value";
    case RULE_SELP:
        return "a condition and two values";
    default:
        return NULL;
    }
}

Operand lower_intrinsic(FnState *f, const Call *call)
{
    int rule = ir_intrinsics[call->intrinsic].rule;
    if (call->expr->call.keyword_count && !rules[rule].takes_keywords) {
        const AstKeyword *keyword = &call->expr->call.keywords[0];
        return fail_operand(f, keyword->span, "%s has no keyword '%s'%s", call->name,
                            keyword->name ? keyword->name : "**",
                            call->intrinsic == INTR_print
                                ? " in kernels: it puts blanks between its items, and ends the line"
                                : "");
    }
    const char *meaning = meaning_of_arguments(rule);
    if (meaning && call->count != rules[rule].least) {
        fail(f, call->span, "%s takes %s, and %d argument%s given", call->name, meaning,
             call->count, call->count == 1 ? " was" : "s were");
        return call_poison(f, call);
    }
    if (!call_takes(f, call, rules[rule].least, rules[rule].most))
        return call_poison(f, call);
    if (rules[rule].lower)
        return rules[rule].lower(f, call);
    if (rule == RULE_DIM3)
        return fail_operand(f, call->span, "%s is not a function; write %s.x", call->name,
                            call->name);
    return fail_operand(f, call->span, "%s is not a function", call->name);
}

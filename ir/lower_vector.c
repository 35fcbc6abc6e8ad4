/* Vector types and namedtuples: what is made of them, and their parts. Both are tuples in the IR, whose
** items have names. A vector is made of numbers and of shorter vectors of its own parts' type, as
** many as it takes. */
#include "ir/lower.h"

#include <string.h>

/* ---- vectors -------------------------------------------------------------------------------- */

/* How many parts an argument gives; 0 after a complaint. */
static int parts_of(FnState *f, const Type *type, Operand arg)
{
    const Type *part = type->tuple.items[0];
    const Type *given = arg.kind == OPD_VALUE ? arg.value->type : type_none;
    if (given->kind == TY_ERROR || arg.kind == OPD_ERROR)
        return 0;
    if (type_is_vector(given) && given->tuple.items[0] == part)
        return given->tuple.count;
    if (!type_is_vector(given) && type_is_scalar(given) && typing_can_store(given, part))
        return 1;
    fail(f, arg.span, "a %s is made of numbers and of vectors of %s, and this is %s",
         type->tuple.names->name, type_name(f->arena, part), describe(f, arg));
    return 0;
}

Operand lower_vector(FnState *f, const Call *call, const Type *type)
{
    int given = 0, wanted = type->tuple.count;
    if (call->expr->call.keyword_count) {
        fail(f, call->expr->call.keywords[0].span, "%s takes its parts without names", call->name);
        return operand_error(call->span);
    }
    for (int i = 0; i < call->count; i++) {
        int parts = parts_of(f, type, call->args[i]);
        if (!parts)
            return operand_error(call->span);
        given += parts;
    }
    if (given != wanted) {
        fail(f, call->span, "a %s has %d part%s, and %d %s given", type->tuple.names->name, wanted,
             wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
        return operand_error(call->span);
    }
    IrValue *vector = ir_value(f->arena, OP_tuple, type, call->span, wanted);
    for (int i = 0, at = 0; i < call->count; i++) {
        IrValue *value = call->args[i].value;
        if (!type_is_vector(value->type)) {
            vector->operands[at++] = convert(f, value, type->tuple.items[0], call->span);
            continue;
        }
        value = value->op == OP_tuple ? value : lower_stable(f, value, "_vector");
        for (int k = 0; k < value->type->tuple.count; k++)
            vector->operands[at++] = ir_item(f->arena, value, k, call->span);
    }
    return operand_value(vector);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* "x, y and z" */
static const char *listed(FnState *f, const Type *type)
{
    Buf out;
    int count = type->tuple.count;
    buf_init(&out, f->arena);
    for (int i = 0; i < count; i++)
        buf_printf(&out, "%s%s",
                   i == 0          ? ""
                   : i + 1 < count ? ", "
                                   : " and ",
                   type->tuple.names->items[i]);
    return buf_text(&out);
}

Operand tuple_attribute(FnState *f, IrValue *tuple, const AstExpr *expr)
{
    const Type *type = tuple->type;
    int index = type_find_item(type, expr->attribute.name);
    if (index >= 0)
        return operand_value(ir_item(f->arena, tuple, index, expr->span));
    const char *name = expr->attribute.name;
    if (type_is_tuple(type) && (strcmp(name, "index") == 0 || strcmp(name, "count") == 0))
        return (Operand){ .kind = OPD_METHOD, .span = expr->span, .method = { tuple, name } };
    if (type->tuple.names && type->tuple.count)
        fail(f, expr->attribute.name_span, "%s has %s, and no '%s'",
             describe(f, operand_value(tuple)), listed(f, type), name);
    else
        fail(f, expr->attribute.name_span, "%s has no attribute '%s'",
             describe(f, operand_value(tuple)), name);
    return operand_error(expr->span);
}

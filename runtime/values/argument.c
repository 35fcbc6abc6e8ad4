/* The arguments of a call in a value: bound by position and by name, and read. */
#include "runtime/values/call.h"

#include <string.h>

bool call_given(const ValueCall *call, int index)
{
    return call->args[index].kind != VALUE_MISSING && call->args[index].kind != VALUE_NONE;
}

bool call_fail(ValueCall *call, const char *message)
{
    diag_error(call->eval->diags, call->expr->span, "%s: %s", call->name, message);
    return false;
}

bool call_number(ValueCall *call, int index, double *number)
{
    const Value *value = &call->args[index];

    if (!call_given(call, index))
        return true;
    if (value->kind != VALUE_ARG || value->arg.kind != KJIT_ARG_SCALAR ||
        dtype_is_complex(value->arg.dtype)) {
        diag_error(call->eval->diags, value->span, "a number is needed here");
        return false;
    }
    *number = scalar_cast(&value->arg, KJIT_DTYPE_FLOAT64).as.number;
    return true;
}

bool call_integer(ValueCall *call, int index, int64_t *integer)
{
    return !call_given(call, index) || value_integer(call->eval, &call->args[index], integer);
}

bool call_scalar(ValueCall *call, int index, kjit_arg *scalar)
{
    const Value *value = &call->args[index];

    if (!call_given(call, index))
        return true;
    if (value->kind != VALUE_ARG || value->arg.kind != KJIT_ARG_SCALAR) {
        diag_error(call->eval->diags, value->span, "a number is needed here");
        return false;
    }
    *scalar = value->arg;
    return true;
}

bool call_dtype(ValueCall *call, int index, kjit_dtype *dtype)
{
    const Value *value = &call->args[index];
    kjit_dtype named = value->dtype;

    if (!call_given(call, index))
        return true;
    if (value->kind == VALUE_STRING)
        named = value_dtype_named(value->text);
    if (value->kind == VALUE_DTYPE && named == KJIT_DTYPE_RECORD)
        return call_fail(call, "this is for numbers, not for records");
    if ((value->kind != VALUE_DTYPE && value->kind != VALUE_STRING) || named == KJIT_DTYPE_NONE) {
        diag_error(call->eval->diags, value->span, "a dtype is needed here, like float32");
        return false;
    }
    *dtype = named;
    return true;
}

bool call_element(ValueCall *call, int index, kjit_array *like)
{
    const Value *value = &call->args[index];

    if (value->kind != VALUE_DTYPE || value->dtype != KJIT_DTYPE_RECORD)
        return call_dtype(call, index, &like->dtype);
    like->dtype = value->dtype;
    like->record = value->record;
    return true;
}

bool call_order(ValueCall *call, int index, bool *columns)
{
    const Value *value = &call->args[index];

    *columns = false;
    if (!call_given(call, index))
        return true;
    bool c = value->kind == VALUE_STRING && strcmp(value->text, "C") == 0;
    *columns = value->kind == VALUE_STRING && strcmp(value->text, "F") == 0;
    if (c || *columns)
        return true;
    diag_error(call->eval->diags, value->span, "the order is \"C\" or \"F\"");
    return false;
}

/* ---- binding ------------------------------------------------------------------------------- */

/* Whether `name` is one of the names in `param`, separated by |. */
bool param_called(const char *param, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = param; at; at = strchr(at, '|'), at = at ? at + 1 : NULL) {
        if (length && strncmp(at, name, length) == 0 && (at[length] == '|' || !at[length]))
            return true;
    }
    return false;
}

/* The value of an argument. A list is the fields of a record where a dtype is wanted. */
static bool evaluate(ValueCall *call, const ValueFunction *function, int index, const AstExpr *expr)
{
    if (expr->kind == AST_LIST && param_called(function->params[index], "dtype"))
        return value_dtype(call->eval, expr, &call->args[index]);
    return value_eval(call->eval, expr, &call->args[index]);
}

static bool bind_positions(ValueCall *call, const ValueFunction *function)
{
    const AstExprs *args = &call->expr->call.args;

    for (int i = 0; i < args->count; i++) {
        if (i >= ARGS_MAX || !function->params[i]) {
            diag_error(call->eval->diags, args->items[i]->span,
                       "%s takes %d argument%s at the most", function->name, i, i == 1 ? "" : "s");
            return false;
        }
        if (!evaluate(call, function, i, args->items[i]))
            return false;
    }
    return true;
}

static bool bind_keyword(ValueCall *call, const ValueFunction *function, const AstKeyword *keyword)
{
    for (int i = 0; keyword->name && i < ARGS_MAX && function->params[i]; i++) {
        if (!param_called(function->params[i], keyword->name))
            continue;
        if (call->args[i].kind != VALUE_MISSING) {
            diag_error(call->eval->diags, keyword->span, "'%s' is given twice", keyword->name);
            return false;
        }
        return evaluate(call, function, i, keyword->value);
    }
    diag_error(call->eval->diags, keyword->span, "%s has no parameter '%s'", function->name,
               keyword->name ? keyword->name : "**");
    return false;
}

bool call_bind(ValueCall *call, const ValueFunction *function)
{
    if (!bind_positions(call, function))
        return false;
    for (int i = 0; i < call->expr->call.keyword_count; i++) {
        if (!bind_keyword(call, function, &call->expr->call.keywords[i]))
            return false;
    }
    for (int i = 0; i < function->required; i++) {
        if (call->args[i].kind == VALUE_MISSING) {
            diag_error(call->eval->diags, call->expr->span, "%s needs '%.*s'", function->name,
                       (int)strcspn(function->params[i], "|"), function->params[i]);
            return false;
        }
    }
    return true;
}

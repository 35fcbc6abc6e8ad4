/* Values that must be known while compiling: shapes, axes of grids. Beside constants there are
** names that are assigned once, to a constant; parameters of device functions that never change,
** where the call gives a constant; and arithmetic on these. For parameters the function is
** specialised for that constant, at the first call that turns out to need it, as numba does. */
#include "ir/lower/function.h"

/* ---- names that are assigned once ------------------------------------------------------------ */

/* Whether the function has but one statement that assigns the name. */
static bool assigned_once(FnState *f, const char *name)
{
    return f->function && names_count(&f->function->ast->body, name) == 1;
}

bool literal_is(const IrValue *value)
{
    if (value->op != OP_tuple)
        return ir_is_constant(value);
    for (int i = 0; i < value->count; i++)
        if (!literal_is(value->operands[i]))
            return false;
    return true;
}

/* ---- parameters --------------------------------------------------------------------------- */

/* Which parameters of a function are to be constants: those whose items are true. */
static bool *wanted(Lower *lower, const Function *function)
{
    const char *key = function_key(lower->arena, function);
    bool *literals = table_get(&lower->literals, key);
    if (!literals) {
        literals = arena_array(lower->arena, bool, LITERAL_PARAMS);
        table_put(&lower->literals, key, literals);
    }
    return literals;
}

/* Requests a constant in place of a parameter. */
static void want_parameter(FnState *f, const IrVar *var)
{
    const AstParams *params = &f->function->ast->params;
    for (int i = 0; i < params->count && i < LITERAL_PARAMS; i++) {
        if (params->items[i].star || strcmp(params->items[i].name, var->name) != 0)
            continue;
        bool *literals = wanted(f->lower, f->function);
        if (names_assigned(&f->function->ast->body, var->name))
            return;
        literals[i] = f->specialisation->retry = true;
    }
}

static IrValue *find(FnState *f, IrValue *value, bool want);

/* What arithmetic on such values gives. */
static IrValue *find_result(FnState *f, const IrValue *value, bool want)
{
    IrValue *found[2] = { NULL, NULL };
    if (value->op == OP_select) {
        IrValue *condition = find(f, value->operands[0], want);
        return condition ? find(f, value->operands[condition->constant.integer ? 1 : 2], want)
                         : NULL;
    }
    if (ir_ops[value->op].result == RESULT_OWN && value->op != OP_cast && value->op != OP_pow)
        return NULL;
    for (int i = 0; i < value->count; i++)
        if (!(found[i] = find(f, value->operands[i], want)))
            return NULL;
    if (value->op == OP_cast)
        return fold_cast(f->arena, value->type, found[0], value->span);
    return found[1] ? fold_binary(f->arena, value->op, value->type, found[0], found[1], value->span)
                    : fold_unary(f->arena, value->op, value->type, found[0], value->span);
}

static IrValue *find(FnState *f, IrValue *value, bool want)
{
    if (literal_is(value))
        return value;
    if (value->op == OP_tuple) {
        IrValue *tuple = ir_value(f->arena, OP_tuple, value->type, value->span, value->count);
        for (int i = 0; i < value->count; i++)
            if (!(tuple->operands[i] = find(f, value->operands[i], want)))
                return NULL;
        return tuple;
    }
    if (value->op == OP_item) {
        IrValue *tuple = find(f, value->operands[0], want);
        return tuple && tuple->op == OP_tuple ? tuple->operands[value->index] : NULL;
    }
    if (f->constant_only)
        return NULL;
    if (value->op != OP_var)
        return find_result(f, value, want);
    const IrVar *var = value->var;
    if (var->kind == VAR_LOCAL && var->literal && assigned_once(f, var->name))
        return var->literal;
    if (want && var->kind == VAR_PARAM && !f->specialisation->entry)
        want_parameter(f, var);
    return NULL;
}

IrValue *literal_value(FnState *f, IrValue *value)
{
    return find(f, value, true);
}

IrValue *literal_known(FnState *f, IrValue *value)
{
    return find(f, value, false);
}

bool literal_arguments(FnState *f, const Function *function, Operand *args, int count)
{
    bool any = false;
    const bool *literals = wanted(f->lower, function);
    for (int i = 0; i < count && i < LITERAL_PARAMS; i++) {
        IrValue *value =
            literals[i] && args[i].kind == OPD_VALUE ? literal_value(f, args[i].value) : NULL;
        if (!value)
            continue;
        args[i] = (Operand){ .kind = OPD_LITERAL, .span = args[i].span, .value = value };
        any = true;
    }
    return any;
}

bool literal_same(const IrValue *a, const IrValue *b)
{
    if (a->type != b->type || a->op != b->op || a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!literal_same(a->operands[i], b->operands[i]))
            return false;
    return a->op == OP_tuple || memcmp(&a->constant, &b->constant, sizeof(a->constant)) == 0;
}

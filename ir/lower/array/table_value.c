/* Constant arrays as values: brought into the functions that read them, and
** cuda.const.array_like. */
#include "ir/lower/array/table.h"
#include "ir/lower/builtin.h"

/* ---- making -------------------------------------------------------------------------------- */

IrTable *lower_table_new(Arena *arena, const Type *element, int rank, const int64_t *shape)
{
    IrTable *table = arena_new(arena, IrTable);
    *table = (IrTable){ .element = element, .rank = rank };
    table->size = type_size(element);
    for (int axis = 0; axis < rank; axis++) {
        if (shape[axis] > TABLE_MAX || table->size * (size_t)shape[axis] > TABLE_MAX)
            return NULL;
        table->shape[axis] = shape[axis];
        table->size *= (size_t)shape[axis];
    }
    table->bytes = arena_alloc(arena, table->size + 1);
    return table;
}

static const char *table_name(const IrTable *table)
{
    return table->name ? table->name : "table"; /* a default value has none */
}

static IrVar *describe_table(IrVar *var, IrTable *table)
{
    var->table = table;
    var->shape = table->shape;
    return var;
}

IrValue *lower_table_value(FnState *f, IrTable *table, Span span)
{
    IrVar *var = arena_new(f->arena, IrVar);
    *var = (IrVar){ .name = table_name(table),
                    .type = type_array(f->types, table->element, table->rank, LAYOUT_C, true),
                    .kind = VAR_CONSTANT,
                    .span = span };
    return ir_var(f->arena, describe_table(var, table), span);
}

/* ---- in functions -------------------------------------------------------------------------- */

static IrVar *variable_for(FnState *f, const IrVar *constant, Span span)
{
    for (int i = 0; i < f->fn->var_count; i++)
        if (f->fn->vars[i]->table == constant->table)
            return f->fn->vars[i];
    IrVar *var = ir_var_new(f->arena, f->fn, table_name(constant->table), constant->type,
                            VAR_CONSTANT, span);
    return describe_table(var, constant->table);
}

IrValue *lower_table_in_function(FnState *f, IrValue *value)
{
    if (f->constant_only)
        return value;
    if (value->op == OP_var && value->var->kind == VAR_CONSTANT)
        return ir_var(f->arena, variable_for(f, value->var, value->span), value->span);
    if (value->op == OP_var && value->var->kind == VAR_PARAM)
        return captured_in_function(f, value);
    if (value->op != OP_tuple || !type_holds_arrays(value->type))
        return value;
    IrValue *tuple = ir_value(f->arena, OP_tuple, value->type, value->span, value->count);
    for (int i = 0; i < value->count; i++)
        tuple->operands[i] = lower_table_in_function(f, value->operands[i]);
    return tuple;
}

/* ---- before functions ---------------------------------------------------------------------- */

IrValue *lower_table_settle(FnState *f, IrValue *value, const char *name)
{
    TableView view;
    if (value->op == OP_tuple) {
        for (int i = 0; i < value->count; i++)
            value->operands[i] = lower_table_settle(f, value->operands[i], name);
        return value;
    }
    if (!type_is_array(value->type) || !ir_table_view(value, &view))
        return value;
    if (value->op == OP_var) {
        value->var->table->name = value->var->table->name ? value->var->table->name : name;
        return value;
    }
    const Type *element = value->type->array.element;
    IrTable *table = lower_table_new(f->arena, element, view.rank, view.shape);
    if (!table) /* a view that repeats what it looks at */
        return value;
    table->name = name;
    unsigned char *to = (unsigned char *)table->bytes;
    TableWalk walk = table_walk(&view);
    for (const unsigned char *from; (from = table_next(&walk)); to += type_size(element))
        memcpy(to, from, type_size(element));
    return lower_table_value(f, table, value->span);
}

IrValue *lower_table_load(FnState *f, IrValue *array, IrValue *const *indices, Span span)
{
    TableView view;
    int64_t at[RANK_MAX];
    const Type *element = array->type->array.element;
    if (!type_is_scalar(element))
        return NULL;
    for (int axis = 0; axis < array->type->array.rank; axis++) {
        if (!ir_is_constant(indices[axis]))
            return NULL;
        at[axis] = indices[axis]->constant.integer;
    }
    if (!ir_table_view(array, &view))
        return NULL;
    const unsigned char *from = ir_table_at(&view, at);
    return from ? ir_table_get(f->arena, element, from, span) : NULL;
}

/* ---- cuda.const.array_like ------------------------------------------------------------------- */

Operand lower_array_like(FnState *f, const Call *call)
{
    TableView view;
    if (call->expr->call.keyword_count || !call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *array = call_value(f, call, 0);
    if (array->type->kind == TY_ERROR)
        return operand_error(call->span);
    if (type_is_array(array->type) && ir_table_view(array, &view))
        return operand_value(array);
    return fail_operand(
        f, call->args[0].span,
        "cuda.const.array_like takes a constant array of the module, NAME = np.array([...]), and "
        "this is %s",
        describe(f, call->args[0]));
}

void lower_readonly(FnState *f, const IrValue *array, Span span)
{
    bool record = is_of_records(array) || array->op == OP_field;
    const char *what = record && array->type->array.rank == 0 ? "record" : "array";
    const IrValue *base = array;
    while (base->op != OP_var && base->count && type_is_array(base->operands[0]->type))
        base = base->operands[0];
    if (base->op != OP_var || base->var->kind != VAR_CONSTANT) {
        fail(f, span, "this %s is read-only", what);
        return;
    }
    fail(f, span,
         "'%s' is a constant array of the module, and read-only; pass an array as an argument, or "
         "copy it to one of cuda.local.array",
         table_name(base->var->table));
}

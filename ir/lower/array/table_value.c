/* Constant arrays as values: brought into the functions that read them, computed with before the
** kernel is compiled, and cuda.const.array_like. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"

#include <string.h>

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

static const Type *table_type(FnState *f, const IrTable *table)
{
    return type_array(f->types, table->element, table->rank, LAYOUT_C, true);
}

IrValue *lower_table_value(FnState *f, IrTable *table, Span span)
{
    IrVar *var = arena_new(f->arena, IrVar);
    *var = (IrVar){
        .name = table_name(table), .type = table_type(f, table), .kind = VAR_CONSTANT, .span = span
    };
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
    if (value->op != OP_tuple || !type_holds_arrays(value->type))
        return value;
    IrValue *tuple = ir_value(f->arena, OP_tuple, value->type, value->span, value->count);
    for (int i = 0; i < value->count; i++)
        tuple->operands[i] = lower_table_in_function(f, value->operands[i]);
    return tuple;
}

/* ---- before functions ---------------------------------------------------------------------- */

/* Goes over the elements of a view in the order of rows; each gives where it lies. */
typedef struct Walk {
    const TableView *view;
    int64_t left, at[RANK_MAX];
} Walk;

static Walk walk_begin(const TableView *view)
{
    Walk walk = { .view = view, .left = 1 };
    for (int axis = 0; axis < view->rank; axis++)
        walk.left *= view->shape[axis];
    return walk;
}

static const unsigned char *walk_next(Walk *walk)
{
    if (walk->left-- <= 0)
        return NULL;
    const unsigned char *here = ir_table_at(walk->view, walk->at);
    for (int axis = walk->view->rank - 1; axis >= 0; axis--) {
        if (++walk->at[axis] < walk->view->shape[axis])
            break;
        walk->at[axis] = 0;
    }
    return here;
}

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
    Walk walk = walk_begin(&view);
    for (const unsigned char *from; (from = walk_next(&walk)); to += type_size(element))
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

/* ---- arithmetic of whole arrays ------------------------------------------------------------ */

/* One operand of an operation on arrays: a view, or a number for each element. */
typedef struct Side {
    IrValue *value;
    TableView view;
    bool array;
    Walk walk;
} Side;

static bool open_side(FnState *f, Side *side, IrValue *value)
{
    *side = (Side){ .value = value, .array = type_is_array(value->type) };
    if (side->array
            ? ir_table_view(value, &side->view) && type_is_scalar(value->type->array.element)
            : ir_is_constant(value))
        return true;
    fail(f, value->span, "constant arrays are computed of numbers and arrays that are constant");
    return false;
}

static IrValue *next_of(FnState *f, Side *side)
{
    if (!side->array)
        return side->value;
    return ir_table_get(f->arena, side->value->type->array.element, walk_next(&side->walk),
                        side->value->span);
}

static bool same_shape(const TableView *a, const TableView *b)
{
    bool same = a->rank == b->rank;
    for (int axis = 0; same && axis < a->rank; axis++)
        same = a->shape[axis] == b->shape[axis];
    return same;
}

/* The type of the results: of NumPy's typing, found with the first elements or with zeros. */
static const Type *result_type(FnState *f, AstOp op, const Side *left, const Side *right, Span span)
{
    const Side *sides[] = { left, right };
    IrValue *samples[2];
    for (int i = 0; i < 2; i++)
        samples[i] = sides[i]->array ? ir_value(f->arena, OP_zero,
                                                sides[i]->value->type->array.element, span, 0)
                                     : sides[i]->value;
    return lower_nep50(f, op, samples[0], samples[1], span)->type;
}

IrValue *lower_table_binary(FnState *f, AstOp op, IrValue *left, IrValue *right, Span span)
{
    Side a, b;
    if (!open_side(f, &a, left) || !open_side(f, &b, right))
        return lower_poison(f, span);
    const Side *shape = a.array ? &a : &b;
    if (a.array && b.array && !same_shape(&a.view, &b.view)) {
        fail(f, span, "constant arrays are computed element by element, and these have two shapes");
        return lower_poison(f, span);
    }
    const Type *type = result_type(f, op, &a, &b, span);
    if (type->kind == TY_ERROR)
        return lower_poison(f, span);
    IrTable *table = lower_table_new(f->arena, type, shape->view.rank, shape->view.shape);
    a.walk = walk_begin(&a.view);
    b.walk = walk_begin(&b.view);
    for (size_t at = 0; table && at < table->size; at += type_size(type)) {
        IrValue *x = next_of(f, &a), *y = next_of(f, &b);
        IrValue *z = lower_nep50(f, op, x, y, span);
        if (!ir_is_constant(z)) {
            fail(f, span, "constant arrays have no '%s' of these", ast_op_spelling(op));
            return lower_poison(f, span);
        }
        ir_table_put(f->arena, (unsigned char *)table->bytes + at, type, z);
    }
    if (!table) {
        fail(f, span, "a constant array holds at most %d KB", TABLE_MAX / 1024);
        return lower_poison(f, span);
    }
    return lower_table_value(f, table, span);
}

IrValue *lower_table_negated(FnState *f, IrValue *array, Span span)
{
    bool integers = type_is_integer(array->type->array.element);
    IrValue *zero = integers ? ir_integer(f->arena, type_int64, 0, span)
                             : ir_number(f->arena, type_float64, -0.0, span);
    zero->weak = true;
    return lower_table_binary(f, AST_SUB, zero, array, span);
}

/* TABLE.astype(dtype), TABLE.copy() */
Operand lower_table_method(FnState *f, const Call *call, IrValue *array)
{
    TableView view;
    bool copy = strcmp(call->name, "copy") == 0;
    if ((!copy && strcmp(call->name, "astype") != 0) || !ir_table_view(array, &view) ||
        !type_is_scalar(array->type->array.element))
        return (Operand){ .kind = OPD_NONE, .span = call->span };
    if (!call_takes(f, call, !copy, !copy))
        return operand_error(call->span);
    const Type *from = array->type->array.element;
    const Type *type = copy ? from : dtype_argument(f, &call->args[0]);
    if (!type || !type_is_scalar(type) || !typing_can_store(from, type)) {
        if (type)
            fail(f, call->span, "an array of %s cannot become one of %s", type_name(f->arena, from),
                 type_name(f->arena, type));
        return operand_error(call->span);
    }
    IrTable *table = lower_table_new(f->arena, type, view.rank, view.shape);
    Walk walk = walk_begin(&view);
    for (size_t at = 0; table && at < table->size; at += type_size(type))
        ir_table_put(f->arena, (unsigned char *)table->bytes + at, type,
                     ir_table_get(f->arena, from, walk_next(&walk), call->span));
    if (!table)
        fail(f, call->span, "a constant array holds at most %d KB", TABLE_MAX / 1024);
    return table ? operand_value(lower_table_value(f, table, call->span))
                 : operand_error(call->span);
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
    fail(f, call->args[0].span,
         "cuda.const.array_like takes a constant array of the module, NAME = np.array([...]), and "
         "this is %s",
         describe(f, call->args[0]));
    return operand_error(call->span);
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

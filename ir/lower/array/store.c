/* What is stored: object[indices] = value, record.field = value, and op=. */
#include "ir/lower/array.h"

/* ---- places ---------------------------------------------------------------------------------- */

/* A field that is assigned as a whole, as the place of its one element; NULL after a complaint. */
static IrValue **field_place(FnState *f, const AstExpr *target, IrValue *field, IrValue **array,
                             bool *whole)
{
    *array = field;
    if (is_poison(field))
        return NULL;
    if (field->type->array.readonly) {
        lower_readonly(f, field, target->span);
        return NULL;
    }
    *whole = field->type->array.rank > 0;
    return arena_new(f->arena, IrValue *);
}

/* The place that `owner.name` is, likewise. */
static IrValue **attribute_place(FnState *f, const AstExpr *target, IrValue **array, bool *whole)
{
    Operand owner = lower_expr(f, target->attribute.object);
    const char *name = target->attribute.name;
    bool records = owner.kind == OPD_VALUE && is_of_records(owner.value);
    int index = records ? record_find(owner.value->type->array.element, name) : -1;
    if (index >= 0)
        return field_place(f, target, lower_field(f, owner.value, index, target->span), array,
                           whole);
    if (records)
        lower_no_field(f, owner.value, name, target->attribute.name_span);
    else if (owner.kind == OPD_VALUE && type_has_items(owner.value->type) &&
             owner.value->type->tuple.names)
        fail(f, target->span, "the parts of a value cannot be assigned one by one: make a new %s",
             owner.value->type->tuple.names->name);
    else if (owner.kind != OPD_ERROR && !(owner.kind == OPD_VALUE && is_poison(owner.value)))
        fail(f, target->span, "the attributes of %s cannot be assigned", describe(f, owner));
    return NULL;
}

/* The array and indices that a target names, checked for writing; NULL after a complaint. Of a
** whole view, `*array` is the view and `*whole` set. */
static IrValue **store_place(FnState *f, const AstExpr *target, IrValue **array, bool *whole)
{
    *whole = false;
    Operand object, *operands;
    int count;
    if (target->kind == AST_ATTRIBUTE)
        return attribute_place(f, target, array, whole);
    if (!lower_subscript(f, target, &object, &operands, &count))
        return NULL;
    if (object.kind != OPD_VALUE)
        return fail_null(f, target->span, "%s cannot be changed in a kernel; use cuda.local.array",
                         describe(f, object));
    *array = object.value;
    if (names_field(object.value, operands, count))
        return field_place(f, target, lower_field_at(f, object.value, operands[0]), array, whole);
    if (type_is_tuple(object.value->type))
        return fail_null(f, target->span,
                         "a tuple or a list cannot be changed in a kernel; use cuda.local.array");
    if (object.value->type->array.readonly) {
        lower_readonly(f, object.value, target->span);
        note_parameter(f, target->index.object, object.value);
        return NULL;
    }
    int rank = object.value->type->array.rank;
    if (indices_plain(operands, count) && count > rank) {
        fail_index_count(f, target, object.value, count, target->span);
        return NULL;
    }
    if (!indices_plain(operands, count) || count < rank) {
        Operand view = lower_view(f, *array, operands, count, target->span);
        if (view.kind != OPD_VALUE)
            return NULL;
        *whole = true;
        *array = view.value;
        return arena_new(f->arena, IrValue *);
    }
    return cast_indices(f, operands, count, false);
}

/* ---- stores ---------------------------------------------------------------------------------- */

const char *store_advice(const Type *from, const Type *element)
{
    return type_is_complex(from) && type_is_scalar(element) ? "; take its .real or .imag"
           : type_is_array(from) && !type_is_record_ref(from) && type_is_scalar(element)
               ? "; index it as well"
           : type_is_tuple(from) && !from->tuple.names && type_is_scalar(element)
               ? "; take one of its items"
               : "";
}

static IrValue *stored_value(FnState *f, IrValue *array, IrValue *value, const AstExpr *target)
{
    const Type *element = array->type->array.element;
    if (type_is_record_ref(value->type) && value->type->array.element == element) {
        IrValue *load = ir_value(f->arena, OP_load, element, value->span, 1);
        load->operands[0] = value;
        return load;
    }
    if (typing_can_store(value->type, element))
        return convert(f, value, element, target->span);
    fail(f, target->span, "cannot store %s in %s %s%s", describe(f, operand_value(value)),
         array->op == OP_field ? "a field of type" : "an array of", type_name(f->arena, element),
         store_advice(value->type, element));
    note_types(f, value, array);
    return NULL;
}

/* Stores a text, if the array is one of characters and the text not of just its type. */
static bool stores_characters(FnState *f, IrValue *array, IrValue **indices, bool whole,
                              Operand value, const AstExpr *target)
{
    if (!type_is_characters(array->type->array.element) ||
        (value.kind == OPD_VALUE && type_is_array(value.value->type) &&
         (value.value->type->array.element == array->type->array.element)))
        return false;
    IrValue *to = whole ? array : lower_load(f, array, indices, target->span);
    if (is_characters(to))
        characters_store(f, to, &value, target->span);
    else
        fail(f, target->span, "texts are stored one by one: write a loop");
    return true;
}

void lower_store(FnState *f, const AstExpr *target, Operand value)
{
    IrStmt *last = f->region->last;
    bool whole;
    IrValue *array, **indices = store_place(f, target, &array, &whole);
    if (!indices || value.kind == OPD_ERROR)
        return;
    if (stores_characters(f, array, indices, whole, value, target))
        return;
    if (value.kind != OPD_VALUE) {
        fail(f, target->span, "%s cannot be stored in an array", describe(f, value));
        return;
    }
    keep_before(f, statement_after(f, last), &value.value);
    value.value = array_single(f, value.value);
    if (whole) {
        lower_fill(f, array, value.value, target->span);
        return;
    }
    IrValue *stored = stored_value(f, array, value.value, target);
    if (!stored || stored->type->kind == TY_ERROR)
        return;
    lower_bounds(f, array, indices, target->span);
    array_store(f, array, indices, stored, target->span);
}

/* ---- op= ------------------------------------------------------------------------------------- */

/* a[1:3] += e */
static void aug_assign_view(FnState *f, const AstStmt *stmt, IrValue *view)
{
    view = stable_array(f, view);
    IrStmt *last = f->region->last;
    IrValue *operand = lower_value(f, stmt->aug_assign.value);
    keep_before(f, statement_after(f, last), &view);
    lower_fill_op(f, view, stmt->aug_assign.op, array_single(f, operand), stmt->span);
}

/* a[i] += e: the place is found once, then read, computed and written. */
static void aug_assign_element(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    bool whole;
    IrValue *array, **indices = store_place(f, target, &array, &whole);
    if (!indices) {
        lower_expr(f, stmt->aug_assign.value);
        return;
    }
    if (whole) {
        aug_assign_view(f, stmt, array);
        return;
    }
    for (int axis = 0; axis < array->type->array.rank; axis++)
        if (ir_value_effects(indices[axis]) & EFFECT_READ)
            indices[axis] = lower_stable(f, indices[axis], "_index");
    IrValue *old = lower_load(f, array, indices, target->span);
    IrStmt *last = f->region->last;
    IrValue *operand = array_single(f, lower_value(f, stmt->aug_assign.value));
    IrStmt *place = statement_after(f, last);
    keep_before(f, place, &old);
    keep_before(f, place, &array);
    for (int axis = 0; axis < array->type->array.rank; axis++)
        keep_before(f, place, &indices[axis]);
    IrValue *value = lower_binary(f, stmt->aug_assign.op, old, operand, stmt->span);
    IrValue *stored = stored_value(f, array, value, target);
    if (stored && stored->type->kind != TY_ERROR)
        array_store(f, array, indices, stored, stmt->span);
}

/* x += e of an array changes the array, as in Python. */
static void aug_assign_array(FnState *f, const AstStmt *stmt, IrValue *array, IrValue *operand)
{
    if (array->type->array.readonly)
        lower_readonly(f, array, stmt->span);
    else
        lower_fill_op(f, array, stmt->aug_assign.op, array_single(f, operand), stmt->span);
}

void lower_aug_assign(FnState *f, const AstStmt *stmt)
{
    const AstExpr *target = stmt->aug_assign.target;
    if (stmt->aug_assign.op == AST_MATMUL) {
        fail(f, stmt->span, "'@=' multiplies whole matrices; kernels work on elements");
        return;
    }
    if (target->kind != AST_NAME) {
        aug_assign_element(f, stmt);
        return;
    }
    AstExpr *const operands[] = { (AstExpr *)target, stmt->aug_assign.value };
    Operand values[2];
    lower_list(f, operands, 2, values);
    IrValue *left = operand_as_value(f, values[0], operands[0]);
    IrValue *right = operand_as_value(f, values[1], operands[1]);
    if (type_is_array(left->type)) {
        aug_assign_array(f, stmt, left, right);
        return;
    }
    lower_bind(f, target->name.name,
               operand_value(lower_binary(f, stmt->aug_assign.op, left, right, stmt->span)),
               target->span);
}

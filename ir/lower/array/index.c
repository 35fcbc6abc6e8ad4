/* object[indices]: what stands in the brackets, whether it is in range, and reading. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- indices --------------------------------------------------------------------------------- */

/* What cannot be indexed has its type from an assignment or, a parameter, from the call: says
** so. */
void note_parameter(FnState *f, const AstExpr *object, const IrValue *value)
{
    if (value->op != OP_var || value->var->kind != VAR_PARAM)
        note_types(f, value, NULL);
    else if (object->kind == AST_NAME && !library_hides(f))
        diag_note(f->lower->diags, value->var->span, "'%s' is %s in this call%s", object->name.name,
                  type_name(f->arena, value->type),
                  type_is_number(value->type) ? ": give it an array" : "");
}

/* Names of fields are for records. */
static bool refuse_name(FnState *f, const Operand *object, const Operand *indices, int count)
{
    for (int i = 0; i < count; i++)
        if (indices[i].kind == OPD_STRING &&
            !(object->kind == OPD_VALUE && names_field(object->value, indices, count))) {
            fail(f, indices[i].span, "only records have fields, and this is %s",
                 describe(f, *object));
            return true;
        }
    return false;
}

/* The indices between brackets, one operand an axis; tuples of integers are taken apart. */
static Operand *index_operands(FnState *f, const AstExpr *index, int *count)
{
    if (index->kind == AST_TUPLE) {
        *count = index->list.items.count;
        Operand *operands = arena_array(f->arena, Operand, *count + 1);
        lower_list(f, index->list.items.items, *count, operands);
        return operands;
    }
    Operand whole = lower_expr(f, index);
    if (whole.kind == OPD_VALUE && type_is_tuple(whole.value->type)) {
        Operand *items = tuple_operands(f, whole.value, "_index", count, index->span);
        for (int i = 0; i < *count; i++)
            if (operand_is_none(items[i]))
                items[i] = (Operand){ .kind = OPD_NONE, .span = items[i].span };
        return items;
    }
    Operand *operands = arena_new(f->arena, Operand);
    operands[0] = whole;
    *count = 1;
    return operands;
}

static bool is_plain_index(Operand operand)
{
    return operand.kind == OPD_VALUE || operand.kind == OPD_ERROR;
}

bool indices_plain(const Operand *operands, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_plain_index(operands[i]))
            return false;
    return true;
}

void note_whole(FnState *f, const IrValue *part)
{
    const IrValue *whole = part;
    while (whole->op == OP_view)
        whole = whole->operands[0];
    if (whole->op == OP_var && whole->var->kind == VAR_PARAM && !library_hides(f))
        diag_note(f->lower->diags, whole->var->span, "'%s' is %s in this call", whole->var->name,
                  type_name(f->arena, whole->type));
}

IrValue *cast_index(FnState *f, Operand operand, bool floats)
{
    if (operand.kind == OPD_ERROR || (operand.kind == OPD_VALUE && is_poison(operand.value)))
        return NULL;
    if (operand.kind != OPD_VALUE) {
        bool function = operand.kind == OPD_INTRINSIC || operand.kind == OPD_FUNCTION;
        bool axes =
            operand.kind == OPD_INTRINSIC && ir_intrinsics[operand.intrinsic].rule == RULE_DIM3;
        return fail_null(f, operand.span, "an index is an integer, and this is %s%s",
                         describe(f, operand),
                         axes       ? "; write .x behind it"
                         : function ? ", which is not called: write () behind it"
                                    : "");
    }
    IrValue *value = array_single(f, operand.value);
    value = plain_value(f, value);
    if (type_is_unsigned(value->type))
        return ir_cast(f->arena, type_uint64, value, operand.span);
    if (type_is_integer(value->type) || (floats && type_is_real(value->type)))
        return ir_cast(f->arena, type_int64, value, operand.span);
    fail(f, value->span, "an index is an integer, and this is %s%s", describe(f, operand),
         type_is_float(value->type)   ? "; convert it with int()"
         : type_is_array(value->type) ? "; what it picks would be a copy, which needs a heap: loop "
                                        "over it"
                                      : "");
    note_types(f, value, NULL);
    if (value->op == OP_view) /* a part of a parameter with more axes than the kernel knows of */
        note_whole(f, value);
    return NULL;
}

IrValue **cast_indices(FnState *f, const Operand *operands, int count, bool floats)
{
    IrValue **indices = arena_array(f->arena, IrValue *, count + 1);
    bool ok = true;
    for (int i = 0; i < count; i++)
        ok &= (indices[i] = cast_index(f, operands[i], floats)) != NULL;
    return ok ? indices : NULL;
}

/* Whether that was said of a parameter already: an array of another rank than the kernel wants is
** one mistake, wherever it is indexed. */
static bool was_said(const FnState *f, const IrValue *array, const char *message)
{
    const Diags *diags = f->lower->diags;
    if (array->op != OP_var || array->var->kind != VAR_PARAM)
        return false;
    for (size_t i = 1; i < diags->count; i++)
        if (diags->list[i].span.source == array->var->span.source &&
            diags->list[i].span.begin == array->var->span.begin &&
            strcmp(diags->list[i - 1].message, message) == 0)
            return true;
    return false;
}

/* Where a name that stands for several indices has them from. */
static void note_indices(FnState *f, const AstExpr *index)
{
    const Name *name = index->kind == AST_NAME ? table_get(&f->names, index->name.name) : NULL;
    const IrVar *var = name && name->binding.kind == BIND_VAR ? name->binding.var : NULL;
    if (var && type_is_tuple(var->type) && !library_hides(f))
        diag_note(f->lower->diags, name->binding.span, "'%s' is %s from here", var->name,
                  type_name(f->arena, var->type));
}

void fail_index_count(FnState *f, const AstExpr *at, const IrValue *array, int count, Span span)
{
    const int rank = array->type->array.rank;
    const char *message =
        arena_printf(f->arena, "%d %s given for an array of %d ax%cs", count,
                     count == 1 ? "index is" : "indices are", rank, rank == 1 ? 'i' : 'e');
    if (at && was_said(f, array, message))
        return;
    fail(f, span, "%s", message);
    if (!at)
        return;
    note_parameter(f, at->index.object, array);
    note_indices(f, at->index.index);
}

IrValue **lower_indices(FnState *f, IrValue *array, Operand index, bool floats, int *count)
{
    Operand single = index;
    const Operand *operands = &single;
    *count = 1;
    if (index.kind == OPD_VALUE && type_is_tuple(index.value->type))
        operands = tuple_operands(f, index.value, "_index", count, index.span);
    if (*count != array->type->array.rank && index.kind != OPD_ERROR) {
        fail_index_count(f, NULL, array, *count, index.span);
        return NULL;
    }
    return cast_indices(f, operands, *count, floats);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Whether index lies in [-extent, extent); an unsigned one in [0, extent). */
static IrValue *in_range(FnState *f, IrValue *index, IrValue *extent, Span span)
{
    if (type_is_unsigned(index->type))
        return ir_binary(f->arena, OP_lt, index, ir_cast(f->arena, type_uint64, extent, span),
                         span);
    IrValue *low = ir_unary(f->arena, OP_neg, extent, span);
    return ir_binary(f->arena, OP_and_then, ir_binary(f->arena, OP_ge, index, low, span),
                     ir_binary(f->arena, OP_lt, index, extent, span), span);
}

void lower_bound(FnState *f, IrValue *array, int axis, IrValue **index, Span span)
{
    if (!is_debugged(f))
        return;
    *index = lower_stable(f, *index, "_index");
    IrValue *extent = array_extent(f, array, axis, span);
    IrValue *ok = in_range(f, *index, extent, span);
    const char *message =
        arena_printf(f->arena, "IndexError: index %%%c is out of range for axis %d of size %%d",
                     type_is_unsigned((*index)->type) ? 'u' : 'd', axis);
    lower_fault_of(f, ir_unary(f->arena, OP_not, ok, span), message, *index, extent, span);
}

void lower_bounds(FnState *f, IrValue *array, IrValue **indices, Span span)
{
    for (int axis = 0; axis < array->type->array.rank; axis++)
        lower_bound(f, array, axis, &indices[axis], span);
}

/* ---- reading --------------------------------------------------------------------------------- */

IrValue *lower_load(FnState *f, IrValue *array, IrValue **indices, Span span)
{
    int rank = array->type->array.rank;
    IrValue *known = lower_table_load(f, array, indices, span);
    if (known)
        return array_read(f, known);
    lower_bounds(f, array, indices, span);
    if (is_of_records(array)) { /* which are referred to */
        Operand *operands = arena_array(f->arena, Operand, rank + 1);
        for (int axis = 0; axis < rank; axis++)
            operands[axis] = operand_value(indices[axis]);
        return rank ? lower_view(f, array, operands, rank, span).value : array;
    }
    return array_read(f, ir_load(f->arena, array, indices, rank, span));
}

/* A tuple's item: a constant index picks it, any other needs items of one type. */
static Operand index_tuple(FnState *f, IrValue *tuple, const AstExpr *expr, Operand index)
{
    Span span = expr->span;
    if (index.kind == OPD_SLICE)
        return tuple_slice(f, tuple, &index, span);
    IrValue *at = cast_index(f, index, false);
    int64_t count = tuple->type->tuple.count;
    if (!at)
        return operand_error(span);
    IrValue *known = literal_known(f, at);
    if (count == 0)
        return fail_operand(f, span, "an empty tuple has no items");
    at = known ? known : at;
    if (ir_is_constant(at)) {
        int64_t i = at->constant.integer < 0 ? at->constant.integer + count : at->constant.integer;
        const AstExpr *of = expr->kind == AST_INDEX ? expr->index.object : expr;
        if ((i < 0 || i >= count) && of->kind == AST_ATTRIBUTE &&
            strcmp(of->attribute.name, "shape") == 0)
            return fail_operand(f, span, "the array has %lld ax%s, and its shape no item %lld",
                                (long long)count, count == 1 ? "is" : "es",
                                (long long)at->constant.integer);
        if (i < 0 || i >= count)
            return fail_operand(f, span, "the index %lld is out of range for a tuple of %lld",
                                (long long)at->constant.integer, (long long)count);
        return operand_value(ir_item(f->arena, tuple, (int)i, span));
    }
    if (!type_is_uniform(tuple->type)) {
        literal_value(f, at); /* the function is lowered again if the call has a constant */
        return fail_operand(f, span,
                            "the items of %s have several types, so its index must be a constant",
                            type_name(f->arena, tuple->type));
    }
    IrValue *item = ir_value(f->arena, OP_item_at, tuple->type->tuple.items[0], span, 2);
    item->operands[0] = tuple;
    at = ir_cast(f->arena, type_int64, lower_stable(f, at, "_index"), span);
    if (is_debugged(f)) {
        IrValue *ok = in_range(f, at, ir_integer(f->arena, type_int64, count, span), span);
        const char *message = "IndexError: tuple index out of range: %d in a tuple of %d";
        lower_fault_of(f, ir_unary(f->arena, OP_not, ok, span), message, at,
                       ir_integer(f->arena, type_int64, count, span), span);
    }
    IrValue *negative =
        ir_binary(f->arena, OP_lt, at, ir_integer(f->arena, type_int64, 0, span), span);
    item->operands[1] = ir_select(
        f->arena, negative,
        ir_binary(f->arena, OP_add, at, ir_integer(f->arena, type_int64, count, span), span), at,
        span);
    return operand_value(item);
}

/* x.flat[i], where the elements do not lie in that order: becomes x[i0, i1]. */
static bool index_walk(FnState *f, Operand *object, Operand **indices, int *count, Span span)
{
    IrValue *extents[RANK_MAX], *cast = NULL;
    int rank = object->walk.rank;
    if (object->walk.kind == INTR_np_ravel && *count == 1)
        cast = cast_index(f, (*indices)[0], false);
    if (!cast)
        return fail(f, span, "cannot index %s so", describe(f, *object));
    IrValue *size = walk_length(f, object, span), *zero = ir_integer(f->arena, type_int64, 0, span);
    cast = lower_stable(f, ir_cast(f->arena, type_int64, cast, span), "_index");
    cast = ir_select(f->arena, ir_binary(f->arena, OP_lt, cast, zero, span),
                     ir_binary(f->arena, OP_add, cast, size, span), cast, span);
    walk_indices(f, object, lower_stable(f, cast, "_index"), extents, span);
    *indices = arena_array(f->arena, Operand, rank + 1);
    for (int axis = 0; axis < rank; axis++)
        (*indices)[axis] = operand_value(extents[axis]);
    *count = rank;
    *object = operand_value(object->walk.array);
    return true;
}

/* The object and the indices of `object[indices]`, in Python's order; false after a complaint. */
bool lower_subscript(FnState *f, const AstExpr *expr, Operand *object, Operand **indices,
                     int *count)
{
    *object = lower_expr(f, expr->index.object);
    characters_settle(f, object);
    IrStmt *last = f->region->last;
    *indices = index_operands(f, expr->index.index, count);
    IrStmt *place = statement_after(f, last);
    if (object->kind == OPD_VALUE)
        keep_before(f, place, &object->value);
    if (object->kind == OPD_ERROR)
        return false;
    for (int i = 0; i < *count; i++)
        if ((*indices)[i].kind == OPD_ERROR ||
            ((*indices)[i].kind == OPD_VALUE && (*indices)[i].value->type->kind == TY_ERROR))
            return false;
    if (object->kind == OPD_RANGE && *count == 1 && (*indices)[0].kind == OPD_VALUE)
        return true;
    if (object->kind == OPD_ENUM && *count == 1 && (*indices)[0].kind == OPD_STRING)
        return true;
    if (object->kind == OPD_BUNDLE && *count > 1) { /* the key is a tuple */
        **indices = tuple_of_operands(f, *indices, *count, expr->index.index->span);
        *count = 1;
    }
    if (object->kind == OPD_BUNDLE && *count == 1)
        return (*indices)->kind != OPD_ERROR;
    if (object->kind == OPD_WALK && !index_walk(f, object, indices, count, expr->span))
        return false;
    if (object->kind != OPD_VALUE)
        return fail(f, expr->index.object->span, "cannot index %s%s", describe(f, *object),
                    object->kind == OPD_FUNCTION && !f->constant_only
                        ? ": a kernel launches no other; call it, or launch both "
                          "from the host"
                        : "");
    if (object->value->type->kind == TY_ERROR)
        return false;
    if (!type_is_array(object->value->type) && !type_is_tuple(object->value->type)) {
        fail(f, expr->index.object->span, "cannot index %s", describe(f, *object));
        note_parameter(f, expr->index.object, object->value);
        return false;
    }
    return !refuse_name(f, object, *indices, *count);
}

/* array[[0, 2]], in a constant */
static Operand pick_listed(FnState *f, const AstExpr *expr)
{
    IrValue *array = lower_value(f, expr->index.object), *list = lower_value(f, expr->index.index);
    if (is_poison(array) || is_poison(list))
        return operand_error(expr->span);
    if (type_is_array(array->type) && (list = lower_table_of(f, list)))
        return lower_table_pick(f, array, list, expr->span);
    if (list)
        fail(f, expr->span, "only a constant array takes a list as an index");
    return operand_error(expr->span);
}

/* Whether an expression may be a text, and costs little to evaluate twice. */
static bool may_be_text(const AstExpr *expr)
{
    static const char *const makers[] = { "format", "str", "bin", "oct", "hex" };
    const AstExpr *callee = expr->kind == AST_CALL ? expr->call.function : NULL;
    if (callee && callee->kind == AST_NAME && TEXT_IS_AMONG(callee->name.name, makers))
        return true;
    return expr->kind == AST_NAME || expr->kind == AST_ATTRIBUTE || expr->kind == AST_STRING ||
           expr->kind == AST_FSTRING;
}

/* text[1:], in a constant. */
static bool text_item(FnState *f, const AstExpr *expr, Operand *out)
{
    if (!may_be_text(expr->index.object))
        return false;
    Attempt attempt = attempt_begin(f->lower);
    Operand text = lower_expr(f, expr->index.object);
    bool found = false;
    if (text.kind == OPD_STRING) {
        Operand index = lower_expr(f, expr->index.index);
        found = lower_text_index(f, &text, &index, expr->span, out);
    }
    if (!found)
        attempt_void(f->lower, attempt);
    return found;
}

Operand lower_index(FnState *f, const AstExpr *expr)
{
    Operand object, *indices;
    int count;
    if (f->constant_only && expr->index.index->kind == AST_LIST)
        return pick_listed(f, expr);
    if (f->constant_only && text_item(f, expr, &object))
        return object;
    if (!lower_subscript(f, expr, &object, &indices, &count))
        return operand_value(lower_poison(f, expr->span));
    if (f->constant_only && count == 1 && indices[0].kind == OPD_VALUE &&
        object.kind == OPD_VALUE && type_is_array(object.value->type)) {
        IrValue *picks = indices[0].value;
        if (type_is_array(picks->type) && picks->type->array.rank > 0)
            return lower_table_pick(f, object.value, picks, expr->span);
    }
    if (object.kind == OPD_BUNDLE)
        return bundle_item(f, object.bundle, indices[0], expr->span);
    if (object.kind == OPD_ENUM)
        return enum_member(f, object.enumeration, indices[0].string.text, indices[0].span);
    if (object.kind == OPD_RANGE) {
        IrValue *index = cast_index(f, indices[0], false);
        return index ? range_index(f, &object, index, expr->span) : operand_error(expr->span);
    }
    IrValue *array = object.value;
    if (type_is_tuple(array->type)) {
        if (count != 1 || !(is_plain_index(indices[0]) || indices[0].kind == OPD_SLICE))
            return fail_operand(f, expr->span, "a tuple is indexed by one integer or slice");
        return index_tuple(f, array, expr, indices[0]);
    }
    if (is_characters(array) && count == 1 && is_plain_index(indices[0])) {
        IrValue **at = cast_indices(f, indices, count, false);
        return at ? characters_index(f, array, at, expr->span) : operand_error(expr->span);
    }
    if (names_field(array, indices, count))
        return operand_value(
            lower_field_value(f, lower_field_at(f, array, indices[0]), expr->span));
    int rank = array->type->array.rank;
    if (indices_plain(indices, count) && count > rank) {
        fail_index_count(f, expr, array, count, expr->span);
        return operand_value(lower_poison(f, expr->span));
    }
    if (!indices_plain(indices, count) || count < rank) {
        Operand view = lower_view(f, array, indices, count, expr->span);
        return view.kind == OPD_ERROR ? operand_value(lower_poison(f, expr->span)) : view;
    }
    IrValue **cast = cast_indices(f, indices, count, false);
    return operand_value(cast ? lower_load(f, array, cast, expr->span)
                              : lower_poison(f, expr->span));
}

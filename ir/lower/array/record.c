/* Records: types made of dtypes, and fields.
**
** A record that a kernel has hold of is a reference, as in numba: an array of records without axes,
** so that `r = a[i]` is a view of a[i]. Field f of an array of records is the array, at the
** records' strides, of what the f's hold; of one record it is that without axes, whose one element
** is read or written. A field that is an array has its axes behind the records'. */
#include "ir/lower/array.h"
#include "ir/lower/function.h"

/* ---- types --------------------------------------------------------------------------------- */

/* numba.typeof(value), an array being one that may be written; NULL: another call. */
static const Type *typeof_value(FnState *f, const AstExpr *call)
{
    if (!ast_ends_in(call->call.function, "typeof") || call->call.args.count != 1)
        return NULL;
    Operand value = lower_expr(f, call->call.args.items[0]);
    if (value.kind == OPD_NONE)
        return type_none;
    const Type *type = value.kind == OPD_VALUE ? value.value->type : NULL;
    return type && type_is_array(type) ? type_array(f->types, type->array.element, type->array.rank,
                                                    type->array.layout, false)
                                       : type;
}

static const Type *named_type(void *context, const AstExpr *name)
{
    FnState *f = context;
    Operand operand = { .kind = OPD_NONE };
    bool call = name->kind == AST_CALL && name->call.function->kind == AST_NAME;
    if (call && module_namedtuple(f->module, name->call.function->name.name))
        return types_from_ast(f->types, f->lower->diags, &name->call.args);
    if (name->kind == AST_CALL && f->constant_only)
        return typeof_value(f, name);
    const Name *own = name->kind == AST_NAME ? name_bound(f, name->name.name) : NULL;
    Symbol *symbol =
        !own && name->kind == AST_NAME ? module_symbol(f->module, name->name.name) : NULL;
    if (own)
        operand = *own->binding.operand;
    if (symbol && (symbol->kind == SYMBOL_CONSTANT || symbol->kind == SYMBOL_UNKNOWN))
        operand = lower_symbol(f, symbol, name->span);
    if (operand.kind == OPD_STRING) /* np.dtype(DTYPE) of DTYPE = "float32" */
        return type_by_name(operand.string.text);
    if (operand.kind != OPD_TYPE)
        return NULL;
    f->types->padding = operand.padding;
    return operand.type;
}

static bool counted(void *context, const AstExpr *expr, int64_t *out)
{
    Operand number = lower_expr(context, expr);
    bool known = number.kind == OPD_VALUE && ir_is_constant(number.value) &&
                 type_is_integer(number.value->type);
    *out = known ? number.value->constant.integer : 0;
    return known;
}

/* Has names of types looked up in the function's module; gives what was so before. */
static Types name_types(FnState *f)
{
    Types outer = *f->types;
    f->types->named = named_type;
    f->types->counted = counted;
    f->types->named_context = f;
    return outer;
}

static void unname_types(FnState *f, Types outer)
{
    f->types->named = outer.named;
    f->types->counted = outer.counted;
    f->types->named_context = outer.named_context;
}

const Type *lower_type(FnState *f, const AstExpr *expr)
{
    Types outer = name_types(f);
    const Type *type = type_from_ast(f->types, f->lower->diags, expr);
    unname_types(f, outer);
    return type;
}

bool lower_signature(FnState *f, const AstExpr *expr, const char **name, Signature *signature)
{
    Types outer = name_types(f);
    bool fine = signature_from_ast(f->types, f->lower->diags, expr, name, signature);
    unname_types(f, outer);
    return fine;
}

Operand lower_dtype(FnState *f, const AstExpr *expr)
{
    f->types->padding = PADDING_UNKNOWN;
    const Type *type = lower_type(f, expr);
    if (!type)
        return operand_error(expr->span);
    return (Operand){
        .kind = OPD_TYPE, .span = expr->span, .type = type, .padding = f->types->padding
    };
}

/* ---- fields -------------------------------------------------------------------------------- */

IrValue *lower_field(FnState *f, IrValue *array, int index, Span span)
{
    const Type *record = array->type->array.element;
    const RecordField *field = &record->record.fields[index];
    int outer = array->type->array.rank, rank = outer + field->rank;
    if (rank > RANK_MAX)
        return fail_value(f, span, "an array has at most %d axes, and this view would have %d",
                          RANK_MAX, rank);
    bool unaligned = record_field_unaligned(record, field) ||
                     (array->type->array.unaligned && type_align(field->type) > 1);
    IrValue *value = ir_value(f->arena, OP_field,
                              type_array_like(f->types, array->type, field->type, rank,
                                              outer ? LAYOUT_A : LAYOUT_C, unaligned),
                              span, 1);
    value->operands[0] = array;
    value->index = index;
    return value;
}

bool is_of_records(const IrValue *value)
{
    return type_is_array(value->type) && type_is_record(value->type->array.element);
}

void lower_no_field(FnState *f, const IrValue *array, const char *name, Span span)
{
    const char *near = record_nearest(f->arena, array->type->array.element, name);
    fail(f, span, "%s has no field '%s'%s%s%s", describe(f, operand_value((IrValue *)array)), name,
         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

IrValue *lower_field_value(FnState *f, IrValue *field, Span span)
{
    if (is_poison(field) || field->type->array.rank > 0 || is_of_records(field))
        return field;
    return lower_load(f, field, NULL, span);
}

/* The field that what stands in brackets names: by its name, or, of one record, by its number. */
IrValue *lower_field_at(FnState *f, IrValue *array, Operand index)
{
    const Type *record = array->type->array.element;
    int number = -1;
    if (index.kind == OPD_STRING) {
        number = record_find(record, index.string.text);
        if (number < 0)
            lower_no_field(f, array, index.string.text, index.span);
    } else if (index.kind == OPD_VALUE && ir_is_constant(index.value) &&
               type_is_integer(index.value->type)) {
        int64_t at = index.value->constant.integer;
        if (at >= 0 && at < record->record.count)
            number = (int)at;
        else
            fail(f, index.span, "a record of %d field%s has no number %lld", record->record.count,
                 record->record.count == 1 ? "" : "s", (long long)at);
    } else if (index.kind != OPD_ERROR) {
        fail(f, index.span, "a record is indexed by the name of a field, and this is %s",
             describe(f, index));
    }
    return number < 0 ? lower_poison(f, index.span) : lower_field(f, array, number, index.span);
}

bool names_field(const IrValue *array, const Operand *indices, int count)
{
    return is_of_records(array) && count == 1 &&
           (indices[0].kind == OPD_STRING ||
            (array->type->array.rank == 0 && indices[0].kind == OPD_VALUE));
}

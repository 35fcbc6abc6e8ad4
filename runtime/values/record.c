/* Dtypes by their names and as they are written, those of several fields too. */
#include "runtime/values/values.h"

kjit_dtype value_dtype_named(const char *name)
{
    static const struct {
        const char *name;
        kjit_dtype dtype;
    } pythons[] = {
        { "bool", KJIT_DTYPE_BOOL },          { "bool_", KJIT_DTYPE_BOOL },
        { "int", KJIT_DTYPE_INT64 },          { "float", KJIT_DTYPE_FLOAT64 },
        { "complex", KJIT_DTYPE_COMPLEX128 }, { "half", KJIT_DTYPE_FLOAT16 },
        { "single", KJIT_DTYPE_FLOAT32 },     { "double", KJIT_DTYPE_FLOAT64 },
    };

    for (size_t i = 0; i < ARRAY_COUNT(pythons); i++) {
        if (strcmp(pythons[i].name, name) == 0)
            return pythons[i].dtype;
    }
    const Type *type = type_by_name(name);
    if (!type)
        type = type_time_by_name(name);
    return type ? type_dtype(type) : KJIT_DTYPE_NONE;
}

/* ---- dtypes ---------------------------------------------------------------------------- */

/* What a name means: a constant of the module, as a type. */
static const Type *named(void *context, const AstExpr *name)
{
    struct {
        Eval *eval;
        Types *types;
    } *from = context;
    const AstExpr *constant =
        name->kind == AST_NAME ? value_constant(from->eval, name->name.name) : NULL;

    if (!constant || from->eval->depth > 20)
        return NULL;
    from->eval->depth++;
    const Type *type = type_from_ast(from->types, from->eval->diags, constant);
    from->eval->depth--;
    return type;
}

/* The description kept with the values that equals one just made, which is kept or let go. */
static const kjit_record *keep(kjit_values *values, kjit_record *record)
{
    for (ValueRecord *known = values->records; known; known = known->next)
        if (dtype_same_record(known->record, record)) {
            memory_free(record);
            return known->record;
        }
    ValueRecord *kept = memory_alloc(sizeof *kept);
    if (!kept) {
        memory_free(record);
        return NULL;
    }
    *kept = (ValueRecord){ values->records, record };
    values->records = kept;
    return record;
}

const kjit_record *value_keep_record(kjit_values *values, kjit_record *record)
{
    return record ? keep(values, record) : NULL;
}

bool value_dtype(Eval *eval, const AstExpr *expr, Value *out)
{
    Types types;
    struct {
        Eval *eval;
        Types *types;
    } context = { eval, &types };

    types_init(&types, eval->arena);
    types.named = named;
    types.named_context = &context;
    const Type *type = expr->kind == AST_LIST ? record_from_list(&types, eval->diags, expr, false)
                                              : type_from_ast(&types, eval->diags, expr);
    if (!type)
        return false;
    out->kind = VALUE_DTYPE;
    out->span = expr->span;
    out->record = NULL;
    if (type_is_scalar(type) || type_is_time(type)) {
        out->dtype = type_dtype(type);
        return true;
    }
    out->dtype = KJIT_DTYPE_RECORD;
    out->record = value_keep_record(eval->values, dtype_make_record(type));
    if (out->record)
        return true;
    error_memory();
    eval->status = KJIT_MEMORY;
    return diag_error(eval->diags, expr->span, "there is not enough memory");
}

static void fill_field(const kjit_field *field, char *at, const kjit_arg *scalar)
{
    size_t bytes =
        field->dtype == KJIT_DTYPE_RECORD ? field->record->bytes : kjit_dtype_bytes(field->dtype);
    int64_t count = 1;

    for (int i = 0; i < field->rank; i++)
        count *= field->shape[i];
    for (int64_t k = 0; k < count; k++, at += bytes) {
        for (size_t i = 0; field->dtype == KJIT_DTYPE_RECORD && i < field->record->count; i++)
            fill_field(&field->record->fields[i], at + field->record->fields[i].offset, scalar);
        if (field->dtype != KJIT_DTYPE_RECORD) {
            kjit_arg cast = scalar_cast(scalar, field->dtype);
            scalar_store(&cast, at);
        }
    }
}

void fill_record(const kjit_record *record, void *to, const kjit_arg *scalar)
{
    for (size_t i = 0; i < record->count; i++)
        fill_field(&record->fields[i], (char *)to + record->fields[i].offset, scalar);
}

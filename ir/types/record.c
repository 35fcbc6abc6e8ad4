/* Records, NumPy's structured dtypes: where their fields lie, how they are written.
**
** A record is spelled record(x=float32, y=int32[3]) where its fields lie as C has them, one behind
** the other with padding; packed(...) where there is none; else with places and the size in bytes,
** record(16, x=float32 @ 4). A name that is none in Python stands in a pair: record(("my x",
** f4)). */
#include "ir/types/types.h"

#include <ctype.h>

/* ---- what they are ----------------------------------------------------------------------- */

int64_t record_field_count(const RecordField *field)
{
    int64_t count = 1;
    for (int axis = 0; axis < field->rank; axis++)
        count *= field->shape[axis];
    return count;
}

static size_t field_size(const RecordField *field)
{
    return type_size(field->type) * (size_t)record_field_count(field);
}

static bool lies_as(const Type *record, bool padded);

/* What a field's place in a padded record is a multiple of. As NumPy has it a record inside is
** placed by its alignment only if it was made with padding itself; where that is not known and its
** fields lie alike either way, `spaced` says so. */
static size_t padded_align(const Type *type, Padding made, bool spaced)
{
    bool on = made == PADDING_ON || type->kind != TY_RECORD;
    if (made == PADDING_UNKNOWN && !on)
        on = lies_as(type, true) && (spaced || !lies_as(type, false));
    return on ? type_align(type) : 1;
}

/* Places fields one behind the other: with C's padding, or with none (NumPy's default). Sets their
** offsets; gives the size. `made` has how each that is a record was made. */
static size_t record_lay_out(RecordField *fields, const Padding *made, int count, bool padded,
                             bool spaced)
{
    size_t size = 0, align = 1;
    for (int i = 0; i < count; i++) {
        size_t own = padded ? padded_align(fields[i].type, made[i], spaced) : 1;
        size = fields[i].offset = round_up(size, own);
        size += field_size(&fields[i]);
        align = own > align ? own : align;
    }
    return round_up(size, align);
}

const Type *type_record(Types *types, const RecordField *fields, int count, size_t size)
{
    Type candidate = { .kind = TY_RECORD, .record = { fields, count, size, 1 } };
    size_t align = 1;
    for (int i = 0; i < count; i++) {
        size_t own = type_align(fields[i].type), end = fields[i].offset + field_size(&fields[i]);
        align = own > align ? own : align;
        candidate.record.size = end > candidate.record.size ? end : candidate.record.size;
    }
    while (candidate.record.size % align)
        align /= 2;
    candidate.record.align = align;
    return type_intern(types, &candidate);
}

int record_find(const Type *record, const char *name)
{
    for (int i = 0; i < record->record.count; i++)
        if (strcmp(record->record.fields[i].name, name) == 0)
            return i;
    return -1;
}

const char *record_nearest(Arena *arena, const Type *record, const char *name)
{
    int count = record->record.count;
    const char **names = arena_array(arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        names[i] = record->record.fields[i].name;
    return diag_nearest(name, names, (size_t)count);
}

bool record_field_unaligned(const Type *record, const RecordField *field)
{
    size_t align = type_align(field->type);
    return align > record->record.align || field->offset % align != 0;
}

bool record_overlaps(const Type *record)
{
    const RecordField *fields = record->record.fields;
    for (int i = 0; i < record->record.count; i++)
        for (int k = 0; k < i; k++)
            if (fields[i].offset < fields[k].offset + field_size(&fields[k]) &&
                fields[k].offset < fields[i].offset + field_size(&fields[i]))
                return true;
    return false;
}

static bool same_field(const RecordField *a, const RecordField *b)
{
    return a->type == b->type && a->offset == b->offset && a->rank == b->rank &&
           memcmp(a->shape, b->shape, sizeof(a->shape[0]) * (size_t)a->rank) == 0 &&
           strcmp(a->name, b->name) == 0;
}

bool record_equal(const Type *a, const Type *b)
{
    if (a->record.count != b->record.count || a->record.size != b->record.size)
        return false;
    for (int i = 0; i < a->record.count; i++)
        if (!same_field(&a->record.fields[i], &b->record.fields[i]))
            return false;
    return true;
}

/* ---- as text -------------------------------------------------------------------------------- */

/* Whether the fields lie as record_lay_out() places them. */
static bool lies_as(const Type *record, bool padded)
{
    size_t at = 0, align = 1;
    for (int i = 0; i < record->record.count; i++) {
        const RecordField *field = &record->record.fields[i];
        size_t own = padded ? padded_align(field->type, PADDING_UNKNOWN, true) : 1;
        at = round_up(at, own);
        if (field->offset != at)
            return false;
        at += field_size(field);
        align = own > align ? own : align;
    }
    return record->record.size == round_up(at, align);
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

static void print_field(Buf *out, const RecordField *field, bool placed)
{
    bool plain = is_identifier(field->name);
    buf_printf(out, plain ? "%s=" : "(\"%s\", ", field->name);
    type_print(out, field->type);
    for (int axis = 0; axis < field->rank; axis++)
        buf_printf(out, "%s%lld", axis ? ", " : "[", (long long)field->shape[axis]);
    buf_puts(out, field->rank ? "]" : "");
    if (placed)
        buf_printf(out, " @ %zu", field->offset);
    buf_puts(out, plain ? "" : ")");
}

void record_print(Buf *out, const Type *record)
{
    bool padded = lies_as(record, true), placed = !padded && !lies_as(record, false);
    buf_puts(out, padded || placed ? "record(" : "packed(");
    if (placed)
        buf_printf(out, "%zu", record->record.size);
    for (int i = 0; i < record->record.count; i++) {
        buf_puts(out, i || placed ? ", " : "");
        print_field(out, &record->record.fields[i], placed);
    }
    buf_putc(out, ')');
}

/* ---- from the tree --------------------------------------------------------------------------- */

/* A record being read. */
typedef struct FieldsReader {
    Types *types;
    Diags *diags;
    RecordField *fields;
    int count, capacity;
    Padding *made; /* of each field */
    int made_capacity;
    bool padded; /* is a dtype with align=True */
    bool placed; /* offsets were given */
    size_t size; /* given, or 0 */
} FieldsReader;

static bool wrong(FieldsReader *r, Span span, const char *message)
{
    return diag_error(r->diags, span, "%s", message);
}

static bool read_count(FieldsReader *r, const AstExpr *expr, int64_t *out)
{
    size_t errors = r->diags->errors;
    if (expr->kind == AST_INT && !expr->integer.too_big && expr->integer.value <= INT32_MAX) {
        *out = (int64_t)expr->integer.value;
        return true;
    }
    if (r->types->counted && r->types->counted(r->types->named_context, expr, out) && *out >= 0 &&
        *out <= INT32_MAX)
        return true;
    return r->diags->errors == errors &&
           wrong(r, expr->span, "a whole number that is known is needed here");
}

/* Extents of a field that is an array; in front of those that its type has already. */
static bool read_shape(FieldsReader *r, const AstExpr *expr, RecordField *field)
{
    bool many = expr->kind == AST_TUPLE || expr->kind == AST_LIST;
    int count = many ? expr->list.items.count : 1;
    if (count + field->rank > RANK_MAX)
        return wrong(r, expr->span, "an array in a record has at most 8 axes");
    memmove(field->shape + count, field->shape, sizeof(field->shape[0]) * (size_t)field->rank);
    field->rank += count;
    for (int i = 0; i < count; i++) {
        const AstExpr *extent = many ? expr->list.items.items[i] : expr;
        if (!read_count(r, extent, &field->shape[i]))
            return false;
        if (field->shape[i] < 1)
            return wrong(r, extent->span, "an array in a record has at least one element");
    }
    return record_field_count(field) < (INT64_C(1) << 30) ||
           wrong(r, expr->span, "this record is too large");
}

/* A type code: "<f4", "float32", "3i4". */
static bool read_code(FieldsReader *r, const AstExpr *expr, RecordField *field)
{
    const char *text = expr->string.text;
    int64_t count = 0;
    for (; isdigit((unsigned char)*text) && count < 1000000; text++)
        count = 10 * count + (*text - '0');
    if (*text == '>')
        return wrong(r, expr->span, "kernels read little-endian numbers only: convert the data");
    text += *text && strchr("<=|", *text) ? 1 : 0;
    field->type = strcmp(text, "?") == 0 ? type_bool : type_by_name(text);
    if (!field->type)
        field->type = type_time_by_name(text);
    if (!field->type)
        field->type = type_characters_named(r->types, text);
    if (!field->type)
        return wrong(r, expr->span,
                     type_is_of_characters(text) ? NO_CHARACTERS
                                                 : "this is no dtype's name that kernels have");
    if (count) {
        field->rank = 1;
        field->shape[0] = count;
    }
    return true;
}

static bool read_type(FieldsReader *r, const AstExpr *expr, RecordField *field);

static const Type *python_type(const char *name)
{
    return strcmp(name, "int") == 0       ? type_int64
           : strcmp(name, "float") == 0   ? type_float64
           : strcmp(name, "complex") == 0 ? type_of(COMPLEX128)
                                          : NULL;
}

static bool read_type(FieldsReader *r, const AstExpr *expr, RecordField *field)
{
    if (expr->kind == AST_STRING)
        return read_code(r, expr, field);
    if (expr->kind == AST_INDEX)
        return read_type(r, expr->index.object, field) && read_shape(r, expr->index.index, field);
    if (expr->kind == AST_TUPLE && expr->list.items.count == 2)
        return read_type(r, expr->list.items.items[0], field) &&
               read_shape(r, expr->list.items.items[1], field);
    if (expr->kind == AST_LIST)
        field->type = record_from_list(r->types, r->diags, expr, r->padded);
    else if (expr->kind == AST_NAME && python_type(expr->name.name))
        field->type = python_type(expr->name.name);
    else
        field->type = type_from_ast(r->types, r->diags, expr);
    if (!field->type)
        return false;
    return type_is_scalar(field->type) || type_is_record(field->type) ||
           type_is_time(field->type) ||
           wrong(r, expr->span, "a field is a number, a record, or an array of such");
}

static void push_field(FieldsReader *r, const RecordField *field, Padding made)
{
    int count = r->count;
    array_push(r->types->arena, r->made, count, r->made_capacity) = made;
    array_push(r->types->arena, r->fields, r->count, r->capacity) = *field;
}

static bool add_field(FieldsReader *r, const RecordField *field, Padding made, Span span)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->fields[i].name, field->name) == 0)
            return wrong(r, span, "a record has each field's name once");
    if (!*field->name)
        return wrong(r, span, "a field needs a name");
    push_field(r, field, made);
    return true;
}

/* The type of a field and, behind @, its place. */
static bool read_field(FieldsReader *r, const char *name, const AstExpr *expr, Span span)
{
    RecordField field = { .name = name };
    int64_t offset = 0;
    bool placed = expr->kind == AST_BINARY && expr->binary.op == AST_MATMUL;
    if (placed && !read_count(r, expr->binary.right, &offset))
        return false;
    r->types->padding = PADDING_UNKNOWN;
    if (!read_type(r, placed ? expr->binary.left : expr, &field))
        return false;
    field.offset = (size_t)offset;
    r->placed |= placed;
    return add_field(r, &field, r->types->padding, span);
}

/* ("", "|V4"): bytes of nothing between two fields, as NumPy's files have them. */
static bool is_gap(const AstExpr *name, const AstExpr *type)
{
    return name->kind == AST_STRING && !*name->string.text && type->kind == AST_STRING &&
           strncmp(type->string.text, "|V", 2) == 0 && isdigit((unsigned char)type->string.text[2]);
}

static bool read_gap(FieldsReader *r, const AstExpr *type)
{
    RecordField gap = { .name = "", .type = type_of(UINT8), .rank = 1 };
    gap.shape[0] = strtol(type->string.text + 2, NULL, 10);
    if (gap.shape[0] < 1 || gap.shape[0] > INT32_MAX)
        return wrong(r, type->span, "this record is too large");
    push_field(r, &gap, PADDING_UNKNOWN);
    return true;
}

static void drop_gaps(FieldsReader *r)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (*r->fields[i].name)
            r->fields[kept++] = r->fields[i];
    r->count = kept;
}

/* ("x", float32), ("x", float32, (3,)), (("title", "x"), float32) */
static bool read_pair(FieldsReader *r, const AstExpr *expr)
{
    AstExprs items = expr->kind == AST_TUPLE ? expr->list.items : (AstExprs){ 0 };
    if (items.count < 2 || items.count > 3)
        return wrong(r, expr->span,
                     "a field is written (\"name\", type) or (\"name\", type, shape)");
    const AstExpr *name = items.items[0];
    if (name->kind == AST_TUPLE && name->list.items.count == 2)
        name = name->list.items.items[1];
    if (is_gap(name, items.items[1]))
        return read_gap(r, items.items[1]);
    if (name->kind != AST_STRING)
        return wrong(r, name->span, "a field's name is a string");
    if (!read_field(r, name->string.text, items.items[1], name->span))
        return false;
    return items.count == 2 || read_shape(r, items.items[2], &r->fields[r->count - 1]);
}

/* Whether fields lie alike whether the records among them were made with align=True or not. */
static bool is_certain(const FieldsReader *r)
{
    Arena *arena = r->types->arena;
    RecordField *other = arena_array(arena, RecordField, r->count + 1);
    memcpy(other, r->fields, sizeof(*other) * (size_t)r->count);
    if (record_lay_out(other, r->made, r->count, true, true) !=
        record_lay_out(r->fields, r->made, r->count, true, false))
        return false;
    for (int i = 0; i < r->count; i++)
        if (other[i].offset != r->fields[i].offset)
            return false;
    return true;
}

/* The record of the fields read, with C's padding or none. */
static const Type *finish(FieldsReader *r, Span span, bool padded)
{
    size_t size = r->placed ? 0 : record_lay_out(r->fields, r->made, r->count, padded, true);
    drop_gaps(r);
    if (r->count == 0) {
        wrong(r, span, "a record has at least one field");
        return NULL;
    }
    const Type *record =
        type_record(r->types, r->fields, r->count, r->size > size ? r->size : size);
    if (r->size && record->record.size > r->size) {
        wrong(r, span, "the fields need more bytes than the record has");
        return NULL;
    }
    return record;
}

/* Of NumPy's dtype, the same. */
static const Type *finish_dtype(FieldsReader *r, Span span, bool padded)
{
    if (padded && !r->placed && !is_certain(r)) {
        wrong(r, span,
              "where NumPy places a record inside of an aligned one depends on whether it was made "
              "with align=True itself, which is not known here: give the offsets, "
              "np.dtype({\"names\": ..., \"formats\": ..., \"offsets\": ...})");
        return NULL;
    }
    const Type *record = finish(r, span, padded);
    r->types->padding = padded ? PADDING_ON : PADDING_OFF;
    return record;
}

const Type *record_from_list(Types *types, Diags *diags, const AstExpr *list, bool padded)
{
    FieldsReader r = { .types = types, .diags = diags, .padded = padded };
    for (int i = 0; i < list->list.items.count; i++)
        if (!read_pair(&r, list->list.items.items[i]))
            return NULL;
    return finish_dtype(&r, list->span, padded);
}

/* dict(names=[...], formats=[...], offsets=[...], itemsize=n), or the same in braces. */
typedef struct Dict {
    const AstExpr *names, *formats, *offsets, *itemsize;
} Dict;

static bool take_entry(FieldsReader *r, Dict *dict, const char *key, const AstExpr *value,
                       Span span)
{
    static const char *const keys[] = { "names", "formats", "offsets", "itemsize" };
    const AstExpr **slots[] = { &dict->names, &dict->formats, &dict->offsets, &dict->itemsize };
    for (size_t i = 0; key && i < ARRAY_COUNT(keys); i++)
        if (strcmp(keys[i], key) == 0) {
            *slots[i] = value;
            return true;
        }
    if (key && (strcmp(key, "titles") == 0 || strcmp(key, "aligned") == 0))
        return true;
    return wrong(r, span, "a dtype's dict has names, formats, offsets and itemsize");
}

static bool is_list(const AstExpr *expr, int count)
{
    return expr && (expr->kind == AST_LIST || expr->kind == AST_TUPLE) &&
           (count < 0 || expr->list.items.count == count);
}

static const Type *read_dict(Types *types, Diags *diags, const AstExpr *call, bool padded)
{
    FieldsReader r = { .types = types, .diags = diags, .padded = padded };
    Dict dict = { 0 };
    for (int i = 0; call->kind == AST_CALL && i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!take_entry(&r, &dict, keyword->name, keyword->value, keyword->span))
            return NULL;
    }
    for (int i = 0; call->kind == AST_DICT && i < call->dict.values.count; i++) {
        const AstExpr *key = call->dict.keys.items[i];
        if (!take_entry(&r, &dict, key && key->kind == AST_STRING ? key->string.text : NULL,
                        call->dict.values.items[i], call->dict.values.items[i]->span))
            return NULL;
    }
    int count = is_list(dict.names, -1) ? dict.names->list.items.count : 0;
    if (!count || !is_list(dict.formats, count) ||
        (dict.offsets && !is_list(dict.offsets, count))) {
        wrong(&r, call->span, "names, formats and offsets are lists of one length");
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        const AstExpr *name = dict.names->list.items.items[i];
        int64_t offset = 0;
        if (name->kind != AST_STRING) {
            wrong(&r, name->span, "a field's name is a string");
            return NULL;
        }
        if (!read_field(&r, name->string.text, dict.formats->list.items.items[i], name->span) ||
            (dict.offsets && !read_count(&r, dict.offsets->list.items.items[i], &offset)))
            return NULL;
        r.fields[i].offset = (size_t)offset;
    }
    int64_t size = 0;
    if (dict.itemsize && !read_count(&r, dict.itemsize, &size))
        return NULL;
    r.placed = dict.offsets != NULL;
    r.size = (size_t)size;
    return finish_dtype(&r, call->span, padded);
}

static bool is_dict(const AstExpr *expr)
{
    return expr->kind == AST_DICT ||
           (expr->kind == AST_CALL && expr->call.function->kind == AST_NAME &&
            strcmp(expr->call.function->name.name, "dict") == 0);
}

/* np.dtype(what, align=True) */
static const Type *read_dtype(Types *types, Diags *diags, const AstExpr *call)
{
    FieldsReader r = { .types = types, .diags = diags };
    bool padded = false;
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!keyword->name || strcmp(keyword->name, "align") != 0 ||
            (keyword->value->kind != AST_TRUE && keyword->value->kind != AST_FALSE)) {
            wrong(&r, keyword->span, "a dtype takes its fields and align=True");
            return NULL;
        }
        padded = keyword->value->kind == AST_TRUE;
    }
    if (call->call.args.count != 1) {
        wrong(&r, call->span, "a dtype is written dtype([(\"name\", type), ...], align=True)");
        return NULL;
    }
    const AstExpr *what = call->call.args.items[0];
    RecordField field = { 0 };
    if (what->kind == AST_LIST)
        return record_from_list(types, diags, what, padded);
    if (is_dict(what))
        return read_dict(types, diags, what, padded);
    return read_type(&r, what, &field) ? field.type : NULL;
}

/* record(x=float32), packed(...), record(16, x=float32 @ 4) */
static const Type *read_record(Types *types, Diags *diags, const AstExpr *call, bool padded)
{
    FieldsReader r = { .types = types, .diags = diags };
    AstExprs args = call->call.args;
    int64_t size = 0;
    int first = args.count > 0 && args.items[0]->kind == AST_INT;
    if (first && !read_count(&r, args.items[0], &size))
        return NULL;
    for (int i = first; i < args.count; i++)
        if (!read_pair(&r, args.items[i]))
            return NULL;
    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        if (!keyword->name) {
            wrong(&r, keyword->span, "a field needs a name");
            return NULL;
        }
        if (!read_field(&r, keyword->name, keyword->value, keyword->span))
            return NULL;
    }
    r.size = (size_t)size;
    return finish(&r, call->span, padded);
}

/* numba's CharSeq(8) and UnicodeCharSeq(8) */
static const Type *read_characters(Types *types, Diags *diags, const AstExpr *call, bool unicode)
{
    FieldsReader r = { .types = types, .diags = diags };
    int64_t count = 0;
    if (call->call.args.count != 1 || call->call.keyword_count ||
        !read_count(&r, call->call.args.items[0], &count) || count < 1) {
        if (!diags->errors)
            wrong(&r, call->span, NO_CHARACTERS);
        return NULL;
    }
    return type_characters(types, unicode, count);
}

const Type *record_from_ast(Types *types, Diags *diags, const AstExpr *call)
{
    const AstExpr *function = call->call.function;
    const char *name = ast_last_name(function);
    if (strcmp(name, "record") == 0 || strcmp(name, "packed") == 0)
        return read_record(types, diags, call, *name == 'r');
    if (strcmp(name, "dtype") == 0)
        return read_dtype(types, diags, call);
    if (strcmp(name, "from_dtype") == 0 && call->call.args.count == 1 && !call->call.keyword_count)
        return type_from_ast(types, diags, call->call.args.items[0]);
    if (strcmp(name, "CharSeq") == 0 || strcmp(name, "UnicodeCharSeq") == 0)
        return read_characters(types, diags, call, *name == 'U');
    diag_error(diags, call->span, "this is not a type");
    return NULL;
}

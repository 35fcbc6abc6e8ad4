/* NumPy's names of dtypes, "<f4" and lists of fields, for files and array interfaces. */
#include "runtime/array/array.h"

kjit_dtype descr_dtype(const char *descr, bool *swapped)
{
    static const struct {
        const char *code;
        kjit_dtype dtype;
    } codes[] = {
#define TYPE(NAME, name, bytes, class, descr) { descr, KJIT_DTYPE_##NAME },
#include "ir/types/types.def"
        { "V2", KJIT_DTYPE_BFLOAT16 }, /* as saved by ml_dtypes */
        { "?", KJIT_DTYPE_BOOL },
    };

    *swapped = *descr == '>';
    descr += strchr("<>|=", *descr) && *descr ? 1 : 0;
    if ((*descr == 'M' || *descr == 'm') && type_time_by_name(descr))
        return type_dtype(type_time_by_name(descr));
    for (size_t i = 0; i < ARRAY_COUNT(codes); i++) {
        if (*codes[i].code && strcmp(codes[i].code, descr) == 0)
            return codes[i].dtype;
    }
    return KJIT_DTYPE_NONE;
}

static const char *descr_of(kjit_dtype dtype)
{
    static const char *const codes[] = {
        "",
#define TYPE(NAME, name, bytes, class, descr) descr,
#include "ir/types/types.def"
    };

    return dtype == KJIT_DTYPE_BFLOAT16 ? "V2" : codes[dtype];
}

/* Whether elements are texts of fixed length, which NumPy has a dtype for: one field of a name that
** begins as it does. */
static bool is_characters(const kjit_record *record)
{
    const kjit_field *only = &record->fields[0];

    return record->count == 1 && only->rank == 1 &&
           (strcmp(only->name, "<U") == 0 || strcmp(only->name, "|S") == 0);
}

static void characters_typestr(const kjit_record *record, char *out, size_t size)
{
    const kjit_field *only = &record->fields[0];

    snprintf(out, size, "%s%lld", only->name, (long long)only->shape[0]);
}

void descr_put_shape(Buf *out, const int64_t *shape, int rank)
{
    buf_putc(out, '(');
    for (int i = 0; i < rank; i++)
        buf_printf(out, i ? ", %lld" : "%lld", (long long)shape[i]);
    buf_puts(out, rank == 1 ? ",)" : ")");
}

void descr_typestr(kjit_dtype dtype, const kjit_record *record, char *out, size_t size)
{
    if (dtype == KJIT_DTYPE_RECORD && is_characters(record))
        characters_typestr(record, out, size);
    else if (dtype == KJIT_DTYPE_RECORD)
        snprintf(out, size, "|V%zu", record->bytes);
    else if (dtype_is_time(dtype)) /* datetime64[ns] is <M8[ns] */
        snprintf(out, size, "<%c8%s", *kjit_dtype_name(dtype) == 'd' ? 'M' : 'm',
                 kjit_dtype_name(dtype) + strcspn(kjit_dtype_name(dtype), "["));
    else
        snprintf(out, size, "%c%s", kjit_dtype_bytes(dtype) == 1 ? '|' : '<', descr_of(dtype));
}

static void put_fields(Buf *out, const kjit_record *record);

void descr_put(Buf *out, kjit_dtype dtype, const kjit_record *record)
{
    char typestr[DESCR_TYPESTR];

    if (dtype == KJIT_DTYPE_RECORD && !is_characters(record)) {
        put_fields(out, record);
        return;
    }
    descr_typestr(dtype, record, typestr, sizeof typestr);
    buf_printf(out, "'%s'", typestr);
}

static size_t field_bytes(const kjit_field *field)
{
    kjit_array one = { .dtype = field->dtype, .record = field->record };
    size_t bytes = array_item_bytes(&one);

    for (int i = 0; i < field->rank; i++)
        bytes *= (size_t)field->shape[i];
    return bytes;
}

/* The first field at or after offset `from`, or NULL. */
static const kjit_field *next_field(const kjit_record *record, size_t from)
{
    const kjit_field *next = NULL;

    for (size_t i = 0; i < record->count; i++) {
        const kjit_field *field = &record->fields[i];
        if (field->offset >= from && (!next || field->offset < next->offset))
            next = field;
    }
    return next;
}

/* The fields in order of offset, and the gaps between them. */
static void put_fields(Buf *out, const kjit_record *record)
{
    size_t at = 0;

    buf_putc(out, '[');
    for (const kjit_field *field; (field = next_field(record, at)); at += field_bytes(field)) {
        if (field->offset > at)
            buf_printf(out, "%s('', '|V%zu')", at ? ", " : "", field->offset - at);
        buf_printf(out, "%s('%s', ", field->offset ? ", " : "", field->name);
        descr_put(out, field->dtype, field->record);
        if (field->rank) {
            buf_puts(out, ", ");
            descr_put_shape(out, field->shape, field->rank);
        }
        buf_putc(out, ')');
        at = field->offset;
    }
    if (record->bytes > at)
        buf_printf(out, ", ('', '|V%zu')", record->bytes - at);
    buf_putc(out, ']');
}

/* Whether fields can be listed by offset: none overlap. */
bool descr_can_list(const kjit_record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        const kjit_field *a = &record->fields[i];
        if (strpbrk(a->name, "'\\") || (a->record && !descr_can_list(a->record)))
            return false;
        for (size_t k = 0; k < i; k++) {
            const kjit_field *b = &record->fields[k];
            if (a->offset < b->offset + field_bytes(b) && b->offset < a->offset + field_bytes(a))
                return false;
        }
    }
    return true;
}

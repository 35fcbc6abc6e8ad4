/* Dtypes of records, np.dtype([("x", np.float32), ...], align=True): what is given is written out,
** and read as kernels' dtypes are. */
#include "parser/parser.h"
#include "runtime/array/array.h"
#include "runtime/program/arrays.h"
#include "runtime/program/fuse.h"
#include "runtime/values/values.h"

static bool put_fields(Program *p, Buf *text, HostValue list, bool align);

/* Where a record begins in an aligned one NumPy decides by whether it was made with align=True
** itself, which values of other origin do not tell. */
static bool can_lie(Program *p, HostValue type, bool align)
{
    const bool record =
        type.kind == HOST_LIST || (type.kind == HOST_DTYPE && type.dtype == KJIT_DTYPE_RECORD);
    return !record || !align || type.aligned ||
           host_fail(p, "NotImplementedError",
                     "with align=True a field's records are a dtype made with align=True, too");
}

/* np.float32, "f4", another dtype of records, a list of fields, or (np.float32, 3) */
static bool put_type(Program *p, Buf *text, HostValue type, bool align)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    kjit_array like = { 0 };
    if (!can_lie(p, type, align))
        return false;
    if (type.kind == HOST_LIST)
        return put_fields(p, text, type, align);
    if (type.kind == HOST_STRING) {
        host_repr(p, text, type);
        return true;
    }
    if (type.kind == HOST_TUPLE && type.list->count == 2) {
        buf_putc(text, '(');
        if (!put_type(p, text, type.list->items[0], align) ||
            !shape_from(p, type.list->items[1], shape, &rank))
            return false;
        buf_puts(text, ", ");
        descr_put_shape(text, shape, rank);
        buf_putc(text, ')');
        return true;
    }
    if (!element_from(p, type, &like))
        return false;
    if (like.record && !descr_can_list(like.record))
        return host_fail(p, "NotImplementedError", "fields of these records share bytes");
    descr_put(text, like.dtype, like.record);
    return true;
}

/* ("x", np.float32), ("x", np.float32, 3), ("x", np.float32, (2, 3)) */
static bool put_field(Program *p, Buf *text, HostValue field, bool align)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank = 0;
    size_t count = field.kind == HOST_TUPLE ? field.list->count : 0;
    const HostValue *items = count ? field.list->items : NULL;
    if (count < 2 || count > 3 || items[0].kind != HOST_STRING)
        return host_fail(p, "TypeError",
                         "a field is written (\"x\", np.float32) or (\"x\", np.float32, shape), in "
                         "a list of such");
    buf_putc(text, '(');
    host_repr(p, text, items[0]);
    buf_puts(text, ", ");
    if (!put_type(p, text, items[1], align) ||
        (count == 3 && !shape_from(p, items[2], shape, &rank)))
        return false;
    if (rank) {
        buf_puts(text, ", ");
        descr_put_shape(text, shape, rank);
    }
    buf_puts(text, "), ");
    return true;
}

static bool put_fields(Program *p, Buf *text, HostValue list, bool align)
{
    buf_putc(text, '[');
    for (size_t i = 0; i < list.list->count; i++)
        if (!put_field(p, text, list.list->items[i], align))
            return false;
    buf_putc(text, ']');
    return true;
}

bool record_dtype(Program *p, HostValue list, bool align, HostValue *out)
{
    Diags diags;
    Value dtype = { .kind = VALUE_MISSING };
    Buf text = buf_in(&p->scratch);
    buf_puts(&text, "dtype(");
    if (!put_fields(p, &text, list, align))
        return false;
    buf_puts(&text, align ? ", align=True)" : ")");
    diags_init(&diags, &p->scratch);
    Eval eval = { .arena = p->arena, .diags = &diags, .values = p->values };
    const char *kept = arena_strndup(p->arena, buf_text(&text), strlen(buf_text(&text)));
    const AstExpr *expr =
        parse_expression(p->arena, &diags, source_new(p->arena, "<dtype>", kept, strlen(kept)));
    if (expr && value_dtype(&eval, expr, &dtype)) {
        *out = dtype_value(dtype.dtype, dtype.record);
        out->aligned = align;
        return true;
    }
    if (eval.status == KJIT_MEMORY)
        p->status = eval.status;
    return host_fail(p, "ValueError", "%s",
                     diags.count ? diags.list[0].message : "this is no dtype");
}

bool records_refused(Program *p)
{
    return host_lacks(p, "TypeError",
                      "this is for numbers, not for records: name a field of theirs, a[\"x\"]");
}

void record_dtype_text(Program *p, Buf *out, const kjit_record *record)
{
    Buf descr = buf_in(&p->scratch);
    descr_put(&descr, KJIT_DTYPE_RECORD, record);
    for (const char *at = buf_text(&descr); *at; at++) {
        if (strncmp(at, "'|b1'", 5) == 0) {
            buf_puts(out, "'?'");
            at += 4;
            continue;
        }
        buf_putc(out, *at);
        at += *at == '\'' && at[1] == '|' && at[2] != 'V';
    }
}

HostValue record_names(Program *p, const kjit_record *record)
{
    const HostValue names = host_room(p, HOST_TUPLE, record->count);
    for (size_t i = 0; i < record->count; i++)
        host_append(p, names.list, host_text(p, record->fields[i].name));
    return names;
}

/* {"x": (dtype("float32"), 0), ...} */
static bool dtype_fields(Program *p, const kjit_record *record, HostValue *out)
{
    *out = host_dict(p);
    for (size_t i = 0; i < record->count; i++) {
        const kjit_field *field = &record->fields[i];
        HostValue pair[2] = { dtype_value(field->dtype, field->record),
                              host_int((int64_t)field->offset) };
        HostValue type, parts[2] = { pair[0], shape_value(p, field->rank, field->shape) };
        HostArgs call = { .values = parts, .count = 2 };
        if (field->rank && (!modules_find(p, "_methods._FieldType", &type) ||
                            !host_call(p, type, &call, &pair[0])))
            return false;
        if (!dict_put(p, out->dict, host_text(p, field->name), host_items(p, HOST_TUPLE, pair, 2)))
            return false;
    }
    return true;
}

bool dtype_field(Program *p, const kjit_record *record, HostValue index, HostValue *out)
{
    HostValue fields, *pair = NULL;
    if (host_is_integer(index)) {
        const HostValue names = record_names(p, record);
        if (!host_index(p, names, index, &index))
            return false;
    }
    if (!dtype_fields(p, record, &fields) || !dict_find(p, fields.dict, index, &pair))
        return false;
    if (!pair)
        return host_fail(p, "KeyError", "Field named '%s' not found.", index.string->text);
    return host_give(out, pair->list->items[0]);
}

/* "<f4", "|V16" */
static HostValue dtype_text(Program *p, HostValue type, bool record)
{
    Buf text = buf_in(&p->scratch);
    if (record)
        buf_printf(&text, "'|V%zu'", type.record->bytes);
    else
        descr_put(&text, type.dtype, NULL);
    return host_string(p, buf_text(&text) + 1, text.length - 2);
}

bool dtype_attribute(Program *p, HostValue type, const char *name, HostValue *out)
{
    const bool record = type.dtype == KJIT_DTYPE_RECORD;
    const bool natural = type.dtype >= KJIT_DTYPE_UINT8 && type.dtype <= KJIT_DTYPE_UINT64;
    if (strcmp(name, "itemsize") == 0)
        *out = host_int((int64_t)(record ? type.record->bytes : kjit_dtype_bytes(type.dtype)));
    else if (strcmp(name, "names") == 0)
        *out = record ? record_names(p, type.record) : host_none();
    else if (strcmp(name, "fields") == 0)
        return record ? dtype_fields(p, type.record, out) : host_give(out, host_none());
    else if (strcmp(name, "isalignedstruct") == 0)
        *out = host_bool(record && type.aligned);
    else if (strcmp(name, "str") == 0)
        *out = dtype_text(p, type, record);
    else if (strcmp(name, "kind") == 0)
        *out = host_text(p, type.dtype == KJIT_DTYPE_BOOL   ? "b"
                            : dtype_is_float(type.dtype)    ? "f"
                            : dtype_is_complex(type.dtype)  ? "c"
                            : !dtype_is_integer(type.dtype) ? "V"
                            : natural                       ? "u"
                                                            : "i");
    else if (strcmp(name, "type") == 0)
        *out = (HostValue){ .kind = HOST_DTYPE, .dtype = type.dtype };
    else if (strcmp(name, "__name__") == 0 || strcmp(name, "name") == 0)
        *out = host_text(p, kjit_dtype_name(type.dtype));
    else
        return false;
    return true;
}

/* ---- texts ---------------------------------------------------------------------------------- */

bool record_is_text(const kjit_array *view)
{
    const char *name = view->dtype == KJIT_DTYPE_RECORD ? view->record->fields[0].name : "";
    return strcmp(name, "<U") == 0 || strcmp(name, "|S") == 0;
}

bool record_as_text(Program *p, const kjit_array *view, HostValue *out)
{
    const kjit_field *field = &view->record->fields[0];
    const char *codes = (const char *)view->data + field->offset;
    const size_t size = kjit_dtype_bytes(field->dtype);
    Buf text = buf_in(&p->scratch);
    size_t count = (size_t)field->shape[0];
    uint32_t code = 0;
    while (count && memcmp(codes + (count - 1) * size, &code, size) == 0)
        count--;
    if (size == 1)
        return bytes_value(p, codes, count, out);
    for (size_t i = 0; i < count; i++) {
        char letter[4];
        memcpy(&code, codes + i * size, size);
        buf_put(&text, letter, utf8_encode(code, letter));
    }
    *out = host_string(p, buf_text(&text), text.length);
    out->dtype = HOST_NUMPY_TEXT;
    return true;
}

bool record_texts(Program *p, HostValue *value)
{
    HostValue from = *value;
    return from.kind != HOST_ARRAY || !record_is_text(&from.array->view) ||
           modules_call(p, "_methods.record_texts", &from, 1, value);
}

static bool assign_text(Program *p, HostArray *to, HostValue value)
{
    HostValue done, values[] = { host_object(to), value };
    return modules_call(p, "_methods.record_put_text", values, 2, &done);
}

/* ---- values --------------------------------------------------------------------------------- */

static bool field_of(Program *p, HostArray *array, size_t field, HostArray **out)
{
    kjit_array view;
    kjit_status status =
        kjit_array_field(&array->view, array->view.record->fields[field].name, &view);
    if (status != KJIT_OK)
        return host_failed(p, status);
    view.flags |= array->view.flags & KJIT_READONLY;
    *out = host_array_of(p, array->block, &view);
    return true;
}

static bool assign_fields(Program *p, HostArray *to, const HostValue *values)
{
    HostArray *field = NULL;
    for (size_t i = 0; i < to->view.record->count; i++)
        if (!field_of(p, to, i, &field) || !host_array_assign(p, field, values[i]))
            return false;
    return true;
}

/* Whether a field of a record can be stored in one of another: not where NumPy would repeat it. */
static bool is_alike(const kjit_field *a, const kjit_field *b)
{
    return (a->dtype == KJIT_DTYPE_RECORD) == (b->dtype == KJIT_DTYPE_RECORD) &&
           a->rank == b->rank &&
           memcmp(a->shape, b->shape, sizeof a->shape[0] * (size_t)a->rank) == 0;
}

/* To records of another dtype: their fields in order, whatever their names are. */
static bool convert_records(Program *p, HostArray *from, HostArray *to)
{
    const kjit_record *of = from->view.record, *wanted = to->view.record;
    bool alike = of->count == wanted->count;
    for (size_t i = 0; alike && i < of->count; i++)
        alike = is_alike(&of->fields[i], &wanted->fields[i]);
    if (!alike)
        return host_fail(p, "TypeError",
                         "records become those of another dtype only if both have fields of as "
                         "many elements, in this order");
    for (size_t i = 0; i < of->count; i++) {
        HostArray *field, *place;
        if (!field_of(p, from, i, &field) || !field_of(p, to, i, &place))
            return false;
        if (!host_array_aligned(p, &field))
            return false;
        if (!host_array_assign(p, place, host_object(field)))
            return false;
    }
    return true;
}

bool record_copy(Program *p, HostArray *from, HostArray *to)
{
    if (to->view.dtype != KJIT_DTYPE_RECORD)
        return records_refused(p);
    if (from->block == to->block && !host_array_copy_as(p, from, KJIT_DTYPE_RECORD, &from))
        return false; /* what is read must not have been written */
    return dtype_same_record(from->view.record, to->view.record)
               ? expression_store(p, host_object(from), to)
               : convert_records(p, from, to);
}

/* What a field of each of the rows is, as a list. */
static HostValue column(Program *p, const HostList *rows, size_t field)
{
    const HostValue made = host_room(p, HOST_LIST, rows->count);
    for (size_t i = 0; i < rows->count; i++)
        host_append(p, made.list, rows->items[i].list->items[field]);
    return made;
}

static bool is_tuple_of(HostValue value, size_t count)
{
    return value.kind == HOST_TUPLE && value.list->count == count;
}

bool record_assign(Program *p, HostArray *to, HostValue value)
{
    const size_t count = to->view.record->count;
    const bool rows = value.kind == HOST_LIST && to->view.rank == 1 &&
                      value.list->count == (size_t)to->view.shape[0];
    HostValue *values = arena_array(p->arena, HostValue, count + 1);
    if (record_is_text(&to->view))
        return assign_text(p, to, value);
    if (rows && !value.list->count)
        return true;
    if (is_tuple_of(value, count))
        return assign_fields(p, to, value.list->items);
    for (size_t i = 0; rows && i < value.list->count; i++)
        if (!is_tuple_of(value.list->items[i], count))
            return host_fail(p, "TypeError",
                             "a record of %zu fields is a tuple of as many, not '%s'", count,
                             host_type_name(p, value.list->items[i]));
    if (!rows)
        return host_fail(
            p, "TypeError",
            "records are assigned of a tuple, a list of tuples, or field by field, not "
            "of '%s'",
            host_type_name(p, value));
    for (size_t i = 0; i < count; i++)
        values[i] = column(p, value.list, i);
    return assign_fields(p, to, values);
}

bool record_array(Program *p, HostValue value, const kjit_array *like, HostArray **out)
{
    const int64_t count = value.kind == HOST_LIST ? (int64_t)value.list->count : 0;
    if (value.kind != HOST_LIST && value.kind != HOST_TUPLE)
        return host_fail(p, "TypeError",
                         "an array of records is made of a list of tuples, not "
                         "of '%s'",
                         host_type_name(p, value));
    return host_array_like(p, like, value.kind == HOST_LIST, &count, false, false, out) &&
           record_assign(p, *out, value);
}

void record_show(Program *p, Buf *out, HostArray *record)
{
    const HostValue names = record_names(p, record->view.record);
    HostValue field, list;
    buf_putc(out, '(');
    for (size_t i = 0; i < names.list->count && !p->failed; i++) {
        buf_puts(out, i ? ", " : "");
        if (!host_array_index(p, record, names.list->items[i], &field) || !host_settle(p, &field))
            return;
        if (field.kind == HOST_ARRAY && field.array->view.dtype != KJIT_DTYPE_RECORD) {
            if (!host_array_list(p, field.array, &list))
                return;
            field = list;
        }
        if (field.kind == HOST_STRING) { /* as its dtype shows it, not np.str_('...') */
            field.dtype = KJIT_DTYPE_NONE;
            host_repr(p, out, field);
        } else {
            host_str(p, out, field);
        }
    }
    buf_puts(out, names.list->count == 1 ? ",)" : ")");
}

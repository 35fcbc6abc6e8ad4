/* A record of wisdom as a line of text, and back. */
#include "runtime/tuning/wisdom.h"

typedef enum FieldKind { FIELD_TEXT, FIELD_NUMBER, FIELD_INTS, FIELD_ITEMS } FieldKind;

/* In the order they are written. */
static const struct Field {
    const char *name;
    FieldKind kind;
    bool needed;
    size_t offset;
} fields[] = {
    { "kernel", FIELD_TEXT, true, offsetof(WisdomRecord, kernel) },
    { "configuration", FIELD_ITEMS, true, offsetof(WisdomRecord, configuration) },
    { "objective", FIELD_TEXT, true, offsetof(WisdomRecord, objective) },
    { "value", FIELD_NUMBER, true, offsetof(WisdomRecord, value) },
    { "device", FIELD_TEXT, true, offsetof(WisdomRecord, device) },
    { "arch", FIELD_TEXT, true, offsetof(WisdomRecord, arch) },
    { "types", FIELD_TEXT, true, offsetof(WisdomRecord, types) },
    { "problem", FIELD_INTS, false, offsetof(WisdomRecord, problem) },
    { "extents", FIELD_INTS, true, offsetof(WisdomRecord, extents) },
    { "shape", FIELD_ITEMS, false, offsetof(WisdomRecord, shape) },
    { "digest", FIELD_TEXT, true, offsetof(WisdomRecord, digest) },
    { "driver", FIELD_TEXT, false, offsetof(WisdomRecord, driver) },
    { "compiler", FIELD_TEXT, false, offsetof(WisdomRecord, compiler) },
    { "kjit", FIELD_TEXT, false, offsetof(WisdomRecord, kjit) },
    { "date", FIELD_TEXT, false, offsetof(WisdomRecord, date) },
};

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct RecordReader {
    Arena *arena;
    Diags *diags;
    WisdomRecord *record;
} RecordReader;

static bool read_number(const AstExpr *expr, double *number)
{
    bool minus = expr->kind == AST_UNARY && expr->unary.op == AST_NEG;
    const AstExpr *digits = minus ? expr->unary.operand : expr;

    if (digits->kind == AST_INT && !digits->integer.too_big)
        *number = (double)digits->integer.value;
    else if (digits->kind == AST_FLOAT)
        *number = digits->number.value;
    else
        return false;
    *number = minus ? -*number : *number;
    return true;
}

/* Integers from 0 on and tuples of such, flattened. */
static bool read_ints(RecordReader *r, const AstExpr *expr, WisdomInts *ints)
{
    if (expr->kind == AST_INT && !expr->integer.too_big && expr->integer.value <= INT64_MAX) {
        array_push(r->arena, ints->list, ints->count, ints->capacity) =
            (int64_t)expr->integer.value;
        return true;
    }
    bool fine = expr->kind == AST_TUPLE || expr->kind == AST_LIST;
    for (int i = 0; fine && i < expr->list.items.count; i++)
        fine = read_ints(r, expr->list.items.items[i], ints);
    return fine;
}

/* dict(NAME=VALUE, ...) */
static bool read_items(RecordReader *r, const AstExpr *expr, WisdomItems *items)
{
    if (expr->kind != AST_CALL || expr->call.function->kind != AST_NAME ||
        strcmp(expr->call.function->name.name, "dict") != 0 || expr->call.args.count)
        return false;
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        if (!keyword->name)
            return false;
        Buf text = buf_in(r->arena);
        ast_print_expr(&text, keyword->value);
        array_push(r->arena, items->list, items->count, items->capacity) =
            (WisdomItem){ keyword->name, buf_text(&text) };
    }
    return true;
}

static bool take_field(RecordReader *r, const struct Field *field, const AstExpr *value)
{
    static const char *const wanted[] = { "a text in quotes", "a number",
                                          "numbers from 0: (64, 64)", "dict(NAME=VALUE, ...)" };
    char *to = (char *)r->record + field->offset;
    bool fine = false;

    switch (field->kind) {
    case FIELD_TEXT:
        fine = value->kind == AST_STRING;
        if (fine)
            *(const char **)(void *)to = value->string.text;
        break;
    case FIELD_NUMBER:
        fine = read_number(value, (double *)(void *)to);
        break;
    case FIELD_INTS:
        fine = read_ints(r, value, (WisdomInts *)(void *)to);
        break;
    case FIELD_ITEMS:
        fine = read_items(r, value, (WisdomItems *)(void *)to);
        break;
    }
    if (!fine)
        diag_error(r->diags, value->span, "%s= takes %s", field->name, wanted[field->kind]);
    return fine;
}

static const struct Field *find_field(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++) {
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    }
    return NULL;
}

static bool unknown_field(RecordReader *r, const AstKeyword *keyword)
{
    const char *names[ARRAY_COUNT(fields)];

    for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
        names[i] = fields[i].name;
    const char *near =
        keyword->name ? diag_nearest(keyword->name, names, ARRAY_COUNT(fields)) : NULL;
    return diag_error(r->diags, keyword->span, "a record has no field '%s'%s%s%s",
                      keyword->name ? keyword->name : "**", near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "");
}

static bool take_fields(RecordReader *r, const AstExpr *call, bool newer)
{
    bool seen[ARRAY_COUNT(fields)] = { false };

    for (int i = 0; i < call->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        const struct Field *field = keyword->name ? find_field(keyword->name) : NULL;
        if (!field && newer)
            continue;
        if (!field)
            return unknown_field(r, keyword);
        if (!take_field(r, field, keyword->value))
            return false;
        seen[field - fields] = true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++) {
        if (fields[i].needed && !seen[i])
            return diag_error(r->diags, call->call.function->span,
                              "the record does not say %s=", fields[i].name);
    }
    return true;
}

bool wisdom_record_read(Arena *arena, Diags *diags, const Source *line, bool newer,
                        WisdomRecord *record)
{
    RecordReader r = { arena, diags, record };
    const AstExpr *call = parse_expression(arena, diags, line);

    *record = (WisdomRecord){ .driver = "", .compiler = "", .kjit = "", .date = "" };
    if (!call)
        return false;
    if (call->kind != AST_CALL || call->call.function->kind != AST_NAME ||
        strcmp(call->call.function->name.name, "tuned") != 0 || call->call.args.count)
        return diag_error(diags, call->span,
                          "a record is written tuned(kernel='...', ...); other lines begin with #");
    return take_fields(&r, call, newer);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Control characters are written as escapes. */
static void put_text(Buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 127) {
            buf_printf(out, "\\x%02x", (unsigned)*text);
            continue;
        }
        buf_puts(out, *text == '\'' || *text == '\\' ? "\\" : "");
        buf_putc(out, *text);
    }
    buf_putc(out, '\'');
}

static void put_number(Buf *out, double number)
{
    char text[DECIMAL_TEXT];

    decimal_text(text, number, 4);
    buf_puts(out, text);
}

static void put_ints(Buf *out, const WisdomInts *ints)
{
    buf_putc(out, '(');
    for (int i = 0; i < ints->count; i++)
        buf_printf(out, "%s%lld", i ? ", " : "", (long long)ints->list[i]);
    buf_puts(out, ints->count == 1 ? ",)" : ")");
}

static void put_items(Buf *out, const WisdomItems *items)
{
    buf_puts(out, "dict(");
    for (int i = 0; i < items->count; i++)
        buf_printf(out, "%s%s=%s", i ? ", " : "", items->list[i].name, items->list[i].text);
    buf_putc(out, ')');
}

void wisdom_record_put(Buf *out, const WisdomRecord *record)
{
    buf_puts(out, "tuned(");
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++) {
        const void *from = (const char *)record + fields[i].offset;
        buf_printf(out, "%s%s=", i ? ", " : "", fields[i].name);
        switch (fields[i].kind) {
        case FIELD_TEXT:
            put_text(out, *(const char *const *)from);
            break;
        case FIELD_NUMBER:
            put_number(out, *(const double *)from);
            break;
        case FIELD_INTS:
            put_ints(out, from);
            break;
        case FIELD_ITEMS:
            put_items(out, from);
            break;
        }
    }
    buf_puts(out, ")\n");
}

static bool same_ints(const WisdomInts *a, const WisdomInts *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->list, b->list, sizeof *a->list * (size_t)a->count) == 0);
}

/* Whether block and grid are computed alike. */
static bool same_items(const WisdomItems *a, const WisdomItems *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++) {
        if (strcmp(a->list[i].name, b->list[i].name) != 0 ||
            strcmp(a->list[i].text, b->list[i].text) != 0)
            return false;
    }
    return true;
}

bool wisdom_replaces(const WisdomRecord *a, const WisdomRecord *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->digest, b->digest) == 0 &&
           strcmp(a->device, b->device) == 0 && strcmp(a->arch, b->arch) == 0 &&
           strcmp(a->types, b->types) == 0 && strcmp(a->objective, b->objective) == 0 &&
           same_ints(&a->extents, &b->extents) &&
           (same_ints(&a->problem, &b->problem) || !same_items(&a->shape, &b->shape));
}

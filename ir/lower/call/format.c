/* Texts that constants are computed with: f"{i:08b}", format(), %, str.format(), bin(), slices,
** int(text, 2). Integers and texts are written as Python does; what else there is to format needs
** no constant, and is refused. */
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <ctype.h>

static Operand refused(FnState *f, Span span)
{
    fail(f, span, "a constant formats integers, as in {:04x}, and texts as they are");
    return operand_error(span);
}

static const IrValue *integer_of(FnState *f, const Operand *operand)
{
    IrValue *value = operand->kind == OPD_VALUE ? plain_value(f, operand->value) : NULL;
    return value && ir_is_constant(value) && type_is_integer(value->type) ? value : NULL;
}

/* ---- one value ------------------------------------------------------------------------------- */

/* [0][width][type] */
typedef struct Spec {
    bool zeros;
    int width;
    char type; /* 0: not said */
} Spec;

enum { WIDTH_MOST = 1000 };

static bool read_spec(const char *text, size_t length, Spec *spec)
{
    const char *at = length > 0 ? text : "", *end = at + length;
    *spec = (Spec){ 0 };
    if (at < end && *at == '0') {
        spec->zeros = true;
        at++;
    }
    for (; at < end && isdigit((unsigned char)*at) && spec->width < WIDTH_MOST; at++)
        spec->width = 10 * spec->width + (*at - '0');
    if (at < end)
        spec->type = *at++;
    return at == end && spec->width < WIDTH_MOST;
}

/* The digits of a number in a base, the last first; returns how many. */
static int digits_of(uint64_t number, unsigned base, bool upper, char digits[64])
{
    const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    int count = 0;
    do
        digits[count++] = set[number % base];
    while ((number /= base));
    return count;
}

static bool put_integer(Buf *out, const IrValue *value, const Spec *spec)
{
    static const char types[] = "dxXobi";
    static const unsigned bases[] = { 10, 16, 16, 8, 2, 10 };
    const char *type = strchr(types, spec->type ? spec->type : 'd');
    char digits[64];
    if (!type)
        return false;
    bool minus = value->type->kind != TY_UINT64 && value->constant.integer < 0;
    uint64_t bits = (uint64_t)value->constant.integer;
    int count = digits_of(minus ? -bits : bits, bases[type - types], *type == 'X', digits);
    int room = spec->width - count - minus;
    for (; !spec->zeros && room > 0; room--)
        buf_printf(out, " ");
    buf_printf(out, "%s", minus ? "-" : "");
    for (; room > 0; room--)
        buf_printf(out, "0");
    while (count-- > 0)
        buf_printf(out, "%c", digits[count]);
    return true;
}

static bool put_value(FnState *f, Buf *out, const Operand *operand, const char *spec_text,
                      size_t length)
{
    Spec spec;
    const IrValue *value = integer_of(f, operand);
    if (operand->kind == OPD_STRING && (length == 0 || (length == 1 && *spec_text == 's'))) {
        buf_printf(out, "%s", operand->string.text);
        return true;
    }
    return value && read_spec(spec_text, length, &spec) && put_integer(out, value, &spec);
}

static Operand text_made(FnState *f, Buf *out, Span span)
{
    const char *text = buf_text(out);
    return operand_text(f->arena, text, strlen(text), span);
}

/* ---- f-strings, format() -------------------------------------------------------------------- */

static bool put_field(FnState *f, Buf *out, const AstExpr *field)
{
    Operand value = lower_expr(f, field->field.value), spec = { .kind = OPD_STRING };
    if (field->field.format)
        spec = lower_fstring(f, field->field.format);
    if (value.kind == OPD_ERROR || spec.kind != OPD_STRING)
        return false;
    bool fine = !field->field.conversion && !field->field.shown &&
                put_value(f, out, &value, spec.string.text, spec.string.length);
    if (!fine)
        refused(f, field->span);
    return fine;
}

Operand lower_fstring(FnState *f, const AstExpr *expr)
{
    Buf out;
    buf_init(&out, f->arena);
    for (int i = 0; i < expr->list.items.count; i++) {
        const AstExpr *part = expr->list.items.items[i];
        if (part->kind == AST_STRING)
            buf_printf(&out, "%s", part->string.text);
        else if (!put_field(f, &out, part))
            return operand_error(expr->span);
    }
    return text_made(f, &out, expr->span);
}

/* The arguments of a call, evaluated; false after a complaint. */
static bool arguments(FnState *f, const AstExpr *call, Operand **args)
{
    const AstExprs *given = &call->call.args;
    *args = arena_array(f->arena, Operand, given->count + 1);
    for (int i = 0; i < given->count; i++)
        if (((*args)[i] = lower_expr(f, given->items[i])).kind == OPD_ERROR)
            return false;
    return true;
}

Operand lower_format_method(FnState *f, const AstExpr *call, const Operand *text)
{
    Buf out;
    Operand *args;
    int next = 0;
    buf_init(&out, f->arena);
    if (!arguments(f, call, &args))
        return operand_error(call->span);
    for (const char *at = text->string.text; *at; at++) {
        if ((*at == '{' || *at == '}') && at[1] == *at) {
            buf_printf(&out, "%c", *at++);
        } else if (*at != '{') {
            buf_printf(&out, "%c", *at);
        } else {
            const char *end = strchr(at, '}');
            char *rest;
            long index = isdigit((unsigned char)at[1]) ? strtol(at + 1, &rest, 10) : next++;
            rest = isdigit((unsigned char)at[1]) ? rest : (char *)(uintptr_t)at + 1;
            bool spec = *rest == ':';
            if (!end || index >= call->call.args.count || rest + spec > end ||
                (!spec && rest != end) ||
                !put_value(f, &out, &args[index], rest + spec, (size_t)(end - rest) - spec))
                return refused(f, call->span);
            at = end;
        }
    }
    return text_made(f, &out, call->span);
}

/* ---- operators ------------------------------------------------------------------------------ */

/* text % value, or % (value, ...) */
static Operand percent(FnState *f, const char *text, const Operand *given, Span span)
{
    Buf out;
    int64_t next = 0;
    bool several = given->kind == OPD_VALUE && type_is_tuple(given->value->type) &&
                   !type_is_enum(given->value->type);
    int64_t count = several ? evaluate_count(f, given) : 1;
    buf_init(&out, f->arena);
    for (; *text; text++) {
        if (*text != '%' || text[1] == '%') {
            text += *text == '%';
            buf_printf(&out, "%c", *text);
            continue;
        }
        size_t length = 1 + strspn(text + 1, "0123456789");
        Operand value = { .kind = OPD_NONE };
        if (next < count)
            value = several ? evaluate_item(f, given, next, span) : *given;
        bool plain = value.kind == OPD_STRING || text[length] != 's';
        if (next++ == count || !text[length] || strchr("bc", text[length]) ||
            !put_value(f, &out, &value, text + 1, plain ? length : length - 1))
            return refused(f, span);
        text += length;
    }
    return next == count ? text_made(f, &out, span) : refused(f, span);
}

bool lower_text_operator(FnState *f, AstOp op, const Operand *left, const Operand *right, Span span,
                         Operand *out)
{
    Buf buf;
    const IrValue *times = integer_of(f, right);
    if (left->kind != OPD_STRING)
        return false;
    if (op == AST_MOD) {
        *out = percent(f, left->string.text, right, span);
        return true;
    }
    buf_init(&buf, f->arena);
    if (op == AST_ADD && right->kind == OPD_STRING) {
        buf_printf(&buf, "%s%s", left->string.text, right->string.text);
    } else if (op == AST_MUL && times && times->constant.integer <= WIDTH_MOST) {
        for (int64_t i = 0; i < times->constant.integer; i++)
            buf_printf(&buf, "%s", left->string.text);
    } else {
        return false;
    }
    *out = text_made(f, &buf, span);
    return true;
}

static bool is_ascii(const Operand *text)
{
    for (size_t i = 0; i < text->string.length; i++)
        if (!isascii((unsigned char)text->string.text[i]))
            return false;
    return true;
}

/* A bound of a slice as Python takes it. */
static int64_t bound(const IrValue *value, int64_t otherwise, int64_t least, int64_t most,
                     int64_t length)
{
    int64_t at = value ? value->constant.integer : otherwise;
    if (value && at < 0)
        at += length;
    return at < least ? least : at > most ? most : at;
}

static bool is_known(const IrValue *value)
{
    return !value || ir_is_constant(value);
}

bool lower_text_index(FnState *f, const Operand *text, const Operand *index, Span span,
                      Operand *out)
{
    int64_t length = (int64_t)text->string.length;
    const IrValue *at = integer_of(f, index);
    Buf buf;
    buf_init(&buf, f->arena);
    if (!is_ascii(text))
        return false;
    if (at) {
        int64_t i = at->constant.integer + (at->constant.integer < 0 ? length : 0);
        if (i < 0 || i >= length)
            return false;
        *out = operand_text(f->arena, text->string.text + i, 1, span);
        return true;
    }
    if (index->kind != OPD_SLICE || !is_known(index->slice.start) || !is_known(index->slice.stop) ||
        !is_known(index->slice.step))
        return false;
    int64_t step = index->slice.step ? index->slice.step->constant.integer : 1;
    if (step == 0 || step < -length - 1 || step > length + 1)
        return false;
    bool back = step < 0;
    int64_t i = bound(index->slice.start, back ? length - 1 : 0, back ? -1 : 0,
                      back ? length - 1 : length, length);
    int64_t end = bound(index->slice.stop, back ? -1 : length, back ? -1 : 0,
                        back ? length - 1 : length, length);
    for (; back ? i > end : i < end; i += step)
        buf_printf(&buf, "%c", text->string.text[i]);
    *out = text_made(f, &buf, span);
    return true;
}

/* ---- Python's functions --------------------------------------------------------------------- */

/* int(text, base) */
static Operand integer_of_digits(FnState *f, const Operand *text, const IrValue *base, Span span)
{
    char *end;
    long long number = strtoll(text->string.text, &end, base ? (int)base->constant.integer : 10);
    if (!*end && text->string.length)
        return operand_value(ir_integer(f->arena, type_int64, number, span));
    fail(f, span, "this text is no integer");
    return operand_error(span);
}

bool lower_text_function(FnState *f, const AstExpr *call, const char *name, Operand *out)
{
    static const char *const bases[] = { "bin", "oct", "hex" };
    static const char *const prefixes[] = { "0b", "0o", "0x" };
    int count = call->call.args.count;
    bool format = strcmp(name, "format") == 0 && count == 2;
    bool digits = strcmp(name, "int") == 0 && (count == 1 || count == 2);
    int base = 3;
    while (base-- > 0 && !(strcmp(name, bases[base]) == 0 && count == 1))
        ;
    Operand *args;
    Buf buf;
    if ((!format && !digits && base < 0 && strcmp(name, "str") != 0) || count == 0 ||
        call->call.keyword_count)
        return false;
    if (!arguments(f, call, &args)) {
        *out = operand_error(call->span);
        return true;
    }
    const IrValue *value = integer_of(f, &args[0]),
                  *second = count == 2 ? integer_of(f, &args[1]) : NULL;
    if (digits && (args[0].kind != OPD_STRING || (count == 2 && !second)))
        return false;
    if (digits) {
        *out = integer_of_digits(f, &args[0], second, call->span);
        return true;
    }
    buf_init(&buf, f->arena);
    bool fine = format
                    ? args[1].kind == OPD_STRING &&
                          put_value(f, &buf, &args[0], args[1].string.text, args[1].string.length)
                : base < 0 ? put_value(f, &buf, &args[0], "", 0)
                           : value != NULL;
    if (fine && base >= 0) {
        const Spec spec = { .type = "box"[base] };
        IrValue positive = *value;
        bool minus = value->type->kind != TY_UINT64 && value->constant.integer < 0;
        if (minus)
            positive.constant.integer = -positive.constant.integer;
        buf_printf(&buf, "%s%s", minus ? "-" : "", prefixes[base]);
        put_integer(&buf, &positive, &spec);
    }
    *out = fine ? text_made(f, &buf, call->span) : refused(f, call->span);
    return true;
}

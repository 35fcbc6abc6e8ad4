/* Texts that constants are computed with: f"{i:08b}", format(), %, str.format(), bin(), slices,
** int(text, 2). Numbers and texts are written as Python does; what else there is to format needs
** no constant, and is refused. */
#include "base/format.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

#include <errno.h>
#include <ctype.h>

enum { REPEATS_MOST = 1000 };

static Operand refused(FnState *f, Span span)
{
    return fail_operand(f, span,
                        "a constant formats integers, float64s and texts, and not like this");
}

static const IrValue *integer_of(FnState *f, const Operand *operand)
{
    IrValue *value = operand->kind == OPD_VALUE ? plain_value(f, operand->value) : NULL;
    return value && ir_is_constant(value) && type_is_integer(value->type) ? value : NULL;
}

/* ---- one value ------------------------------------------------------------------------------- */

/* What is known as Python's number: an integer, or a float64. */
static const IrValue *number_of(FnState *f, const Operand *operand)
{
    IrValue *value = operand->kind == OPD_VALUE ? plain_value(f, operand->value) : NULL;
    return value && ir_is_constant(value) &&
                   (type_is_integer(value->type) || value->type == type_float64)
               ? value
               : NULL;
}

static bool put_number(FnState *f, Buf *out, const FormatSpec *spec, const IrValue *value)
{
    const bool real = type_is_float(value->type);
    if (!real && (!spec->type || strchr("dxXobn", spec->type)))
        return !format_integer(f->arena, out, spec, value->constant.integer,
                               value->type->kind == TY_UINT64);
    if (spec->type && !strchr("eEfFgGn%", spec->type))
        return false;
    format_float(f->arena, out, spec, constant_number(f->arena, value));
    return true;
}

/* As a specification that was read says; false of what it is none for. */
static bool put_field(FnState *f, Buf *out, const FormatSpec *spec, const Operand *operand)
{
    const IrValue *value = number_of(f, operand);
    if (operand->kind == OPD_STRING)
        return (!spec->type || spec->type == 's') &&
               !format_text(f->arena, out, spec, operand->string.text, operand->string.length);
    return value && put_number(f, out, spec, value);
}

static bool put_value(FnState *f, Buf *out, const Operand *operand, const char *text, size_t length)
{
    FormatSpec spec;
    return !format_read(f->arena, &spec, length ? text : "", length, "") &&
           put_field(f, out, &spec, operand);
}

static Operand text_made(FnState *f, Buf *out, Span span)
{
    const char *text = buf_text(out);
    return operand_text(f->arena, text, strlen(text), span);
}

/* ---- f-strings, format() -------------------------------------------------------------------- */

static bool put_replacement(FnState *f, Buf *out, const AstExpr *field)
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
    Buf out = buf_in(f->arena);
    for (int i = 0; i < expr->list.items.count; i++) {
        const AstExpr *part = expr->list.items.items[i];
        if (part->kind == AST_STRING)
            buf_printf(&out, "%s", part->string.text);
        else if (!put_replacement(f, &out, part))
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
    Operand *args;
    int next = 0;
    Buf out = buf_in(f->arena);
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

/* A field of %: what %s writes of a number has no sign and is not cut off. */
static bool put_percent(FnState *f, Buf *out, FormatSpec *spec, const Operand *value)
{
    const bool text = value->kind == OPD_STRING;
    if (spec->type == 's') {
        spec->sign = 0;
        spec->alternate = spec->zero = false;
        spec->align = spec->align ? spec->align : '>';
        spec->type = 0;
        return (text || spec->precision < 0) && put_field(f, out, spec, value);
    }
    format_zeros(spec);
    return !text && put_field(f, out, spec, value);
}

/* text % value, or % (value, ...) */
static Operand percent(FnState *f, const Operand *text, const Operand *given, Span span)
{
    const char *at = text->string.text, *end = at + text->string.length;
    int64_t next = 0;
    bool several = given->kind == OPD_VALUE && type_is_tuple(given->value->type) &&
                   !type_is_enum(given->value->type);
    int64_t count = several ? evaluate_count(f, given) : 1;
    Buf out = buf_in(f->arena);
    while (at < end) {
        FormatSpec spec;
        if (*at != '%' || (at + 1 < end && at[1] == '%')) {
            buf_putc(&out, *at);
            at += *at == '%' ? 2 : 1;
            continue;
        }
        at++;
        format_read_percent(&spec, &at, end, NULL, NULL);
        if (at == end || next == count)
            return refused(f, span);
        Operand value = several ? evaluate_item(f, given, next, span) : *given;
        next++;
        spec.type = *at == 'i' || *at == 'u' ? 'd' : *at;
        if (strchr("bcn%", *at) || format_check(f->arena, &spec) ||
            !put_percent(f, &out, &spec, &value))
            return refused(f, span);
        at++;
    }
    return next == count ? text_made(f, &out, span) : refused(f, span);
}

bool lower_text_operator(FnState *f, AstOp op, const Operand *left, const Operand *right, Span span,
                         Operand *out)
{
    const IrValue *times = integer_of(f, right);
    if (left->kind != OPD_STRING)
        return false;
    if (op == AST_MOD) {
        *out = percent(f, left, right, span);
        return true;
    }
    Buf buf = buf_in(f->arena);
    if (op == AST_ADD && right->kind == OPD_STRING) {
        buf_printf(&buf, "%s%s", left->string.text, right->string.text);
    } else if (op == AST_MUL && times && times->constant.integer <= REPEATS_MOST) {
        for (int64_t i = 0; i < times->constant.integer; i++)
            buf_printf(&buf, "%s", left->string.text);
    } else {
        return false;
    }
    *out = text_made(f, &buf, span);
    return true;
}

Operand lower_text_item(FnState *f, const Operand *text, int64_t index, Span span)
{
    const char *begin = text->string.text;
    const size_t length = text->string.length;
    if (text->string.characters == (int64_t)length)
        return operand_text(f->arena, begin + index, 1, span);
    begin += format_bytes(begin, length, index);
    return operand_text(f->arena, begin,
                        format_bytes(begin, (size_t)(text->string.text + length - begin), 1), span);
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
    int64_t length = text->string.characters;
    const IrValue *at = integer_of(f, index);
    Buf buf = buf_in(f->arena);
    if (at) {
        int64_t i = at->constant.integer + (at->constant.integer < 0 ? length : 0);
        if (i < 0 || i >= length)
            return false;
        *out = lower_text_item(f, text, i, span);
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
    for (; back ? i > end : i < end; i += step) {
        const Operand item = lower_text_item(f, text, i, span);
        buf_put(&buf, item.string.text, item.string.length);
    }
    *out = text_made(f, &buf, span);
    return true;
}

/* ---- Python's functions --------------------------------------------------------------------- */

/* int(text, base) */
static Operand integer_of_digits(FnState *f, const Operand *text, const IrValue *base, Span span)
{
    char *end;
    errno = 0;
    long long number = strtoll(text->string.text, &end, base ? (int)base->constant.integer : 10);
    if (!*end && text->string.length && errno != ERANGE)
        return operand_value(ir_integer(f->arena, type_int64, number, span));
    return fail_operand(f, span, "this text is no integer of 64 bits");
}

bool lower_text_function(FnState *f, const AstExpr *call, const char *name, Operand *out)
{
    static const char *const bases[] = { "bin", "oct", "hex" };
    int count = call->call.args.count;
    bool format = strcmp(name, "format") == 0 && count == 2;
    bool digits = strcmp(name, "int") == 0 && (count == 1 || count == 2);
    int base = 3;
    while (base-- > 0 && !(strcmp(name, bases[base]) == 0 && count == 1))
        ;
    Operand *args;
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
    Buf buf = buf_in(f->arena);
    bool fine = format
                    ? args[1].kind == OPD_STRING &&
                          put_value(f, &buf, &args[0], args[1].string.text, args[1].string.length)
                : base < 0 ? put_value(f, &buf, &args[0], "", 0)
                           : value != NULL;
    if (fine && base >= 0) {
        const FormatSpec spec = {
            .alternate = true, .type = "box"[base], .width = -1, .precision = -1
        };
        put_number(f, &buf, &spec, value);
    }
    *out = fine ? text_made(f, &buf, call->span) : refused(f, call->span);
    return true;
}

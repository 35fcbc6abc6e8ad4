/* format(), % and str.format; base/format.h has what a value's field is. */
#include "base/format.h"
#include "runtime/array/array.h"
#include "runtime/program/program.h"

#include <math.h>

/* Raises the ValueError that base/format.h has found, if any. */
static bool is_fine(Program *p, const char *wrong)
{
    return !wrong || host_fail(p, "ValueError", "%s", wrong);
}

static bool format_complex(Program *p, HostValue value, const FormatSpec *spec, Buf *out)
{
    Buf text = buf_in(&p->scratch);
    Buf part = buf_in(&p->scratch);
    if (*spec->fill == '0' || spec->align == '=')
        return host_fail(p, "ValueError", "%s is not allowed in complex format specifier",
                         *spec->fill == '0' ? "Zero padding" : "'=' alignment flag");
    buf_printf(&part, "%s%.1s", spec->alternate ? "#" : "", &spec->grouping);
    if (spec->precision >= 0)
        buf_printf(&part, ".%d", (int)spec->precision);
    char type = !spec->type && spec->precision >= 0 ? 'g' : spec->type;
    buf_printf(&part, "%.1s", &type);
    if (!complex_format(p, value, spec->sign, buf_text(&part), !spec->type, &text))
        return false;
    format_padded(out, spec, '>', "", buf_text(&text), text.length);
    return true;
}

static bool put_character(Program *p, Buf *out, int64_t code)
{
    if (code < 0 || code > 0x10ffff)
        return host_fail(p, "OverflowError", "%%c arg not in range(0x110000)");
    buf_put_character(out, (uint32_t)code);
    return true;
}

static bool unknown_type(Program *p, char type, const char *name)
{
    return host_fail(p, "ValueError", "Unknown format code '%c' for object of type '%s'", type,
                     name);
}

/* Whether it is an integer whose 64 bits have no sign. */
static bool is_natural(HostValue value)
{
    return value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_UINT64;
}

/* An int beyond 64 bits. */
static bool format_wide(Program *p, HostValue value, const FormatSpec *spec, Buf *out)
{
    double number;
    if (spec->type && strchr("eEfFgGn%", spec->type) && spec->type != 'n') {
        if (!wide_double(p, value, &number))
            return false;
        format_float(&p->scratch, out, spec, number);
        return true;
    }
    if (spec->type && !strchr("bdoxXn", spec->type))
        return spec->type == 'c' ? put_character(p, out, -1) : unknown_type(p, spec->type, "int");
    Buf digits = buf_in(&p->scratch);
    wide_text(p, &digits, value, format_base(spec));
    return !p->failed && is_fine(p, format_whole(&p->scratch, out, spec, value.wide->negative,
                                                 buf_text(&digits) + value.wide->negative));
}

static bool format_number(Program *p, HostValue value, const FormatSpec *spec, Buf *out)
{
    if (value.kind == HOST_WIDE)
        return format_wide(p, value, spec, out);
    bool floats = dtype_is_float(host_dtype_of(value));
    const char *integers = "bcdoxXn", *reals = "eEfFgGn%";
    if (host_is_complex(value))
        return !spec->type || (strchr(reals, spec->type) && spec->type != '%')
                   ? format_complex(p, value, spec, out)
                   : unknown_type(p, spec->type, "complex");
    if (!floats && spec->type == 'c') {
        Buf character = buf_in(&p->scratch);
        if (!put_character(p, &character, value.integer))
            return false;
        format_padded(out, spec, '>', "", buf_text(&character), character.length);
        return true;
    }
    if (!floats && (!spec->type || strchr(integers, spec->type)))
        return is_fine(p, format_integer(&p->scratch, out, spec, value.integer, is_natural(value)));
    if (!spec->type || strchr(reals, spec->type)) {
        format_float(&p->scratch, out, spec, host_as_double(value));
        return true;
    }
    return unknown_type(p, spec->type, floats ? "float" : "int");
}

static bool format_object(Program *p, HostValue object, HostValue spec, Buf *out)
{
    HostValue said;
    p->texts++;
    const bool fine = object_calls(p, object, "__format__", &spec, 1, &said);
    p->texts--;
    if (fine && said.kind != HOST_STRING)
        return host_fail(p, "TypeError", "__format__ must return a str, not %s",
                         host_type_name(p, said));
    if (fine)
        buf_put(out, said.string->text, said.string->length);
    return fine;
}

bool host_format(Program *p, HostValue value, const char *text, size_t length, Buf *out)
{
    FormatSpec spec;
    const char *type = host_type_name(p, value);
    if (object_has(value, "__format__"))
        return format_object(p, value, host_string(p, text, length), out);
    if (!length) { /* a NumPy scalar is a Python number here: 0.10000000149011612 */
        if (value.kind == HOST_NUMBER && dtype_is_float(value.dtype))
            float_repr(out, value.number);
        else
            host_str(p, out, value);
        return true;
    }
    Buf shown = buf_in(&p->scratch);
    const HostClass *class_ = value.kind <= HOST_STRING ? class_of(value) : NULL;
    const bool member = class_ && (class_->mixed || class_->form == CLASS_ENUM);
    if (member && enum_str(p, &shown, value))
        value = host_buf(p, &shown);
    if (value.kind == HOST_STRING || value.kind == HOST_WIDE || host_is_number(value)) {
        if (!is_fine(p, format_read(&p->scratch, &spec, text, length, type)))
            return false;
        if (value.kind != HOST_STRING)
            return format_number(p, value, &spec, out);
        if (spec.type && spec.type != 's')
            return unknown_type(p, spec.type, type);
        return is_fine(
            p, format_text(&p->scratch, out, &spec, value.string->text, value.string->length));
    }
    return host_fail(p, "TypeError", "unsupported format string passed to %s.__format__", type);
}

/* ---- % -------------------------------------------------------------------------------------- */

static bool percent_number(Program *p, HostValue value, FormatSpec *spec, Buf *out)
{
    const char said = spec->type, type = said == 'i' || said == 'u' ? 'd' : said;
    bool integers = strchr("dxXo", type) != NULL;
    const char *method = !integers ? "__float__" : type == 'd' ? "__int__" : "__index__";
    spec->type = type;
    if (!object_number(p, method, &value))
        return false;
    if (value.kind == HOST_WIDE)
        return format_wide(p, value, spec, out);
    if (!host_is_number(value) || host_is_complex(value) ||
        (integers && type != 'd' && dtype_is_float(host_dtype_of(value)))) {
        bool real = type == 'd';
        if (!integers)
            return host_fail(p, "TypeError", "must be real number, not %s",
                             host_type_name(p, value));
        return host_fail(p, "TypeError", "%%%c format: %s is required, not %s", said,
                         real ? "a real number" : "an integer", host_type_name(p, value));
    }
    if (!integers) {
        format_float(&p->scratch, out, spec, host_as_double(value));
        return true;
    }
    if (dtype_is_float(host_dtype_of(value)) && !host_whole(p, trunc(value.number), &value))
        return false;
    if (value.kind == HOST_WIDE)
        return format_wide(p, value, spec, out);
    return is_fine(p, format_integer(&p->scratch, out, spec, value.integer, is_natural(value)));
}

static bool percent_text(Program *p, HostValue value, const FormatSpec *spec, Buf *out)
{
    Buf text = buf_in(&p->scratch);
    if (spec->type == 'r')
        host_repr(p, &text, value);
    else if (spec->type == 'a')
        host_ascii(p, &text, value);
    else if (spec->type != 'c')
        host_str(p, &text, value);
    else if (value.kind == HOST_WIDE && !put_character(p, &text, -1))
        return false;
    else if (host_is_integer(value) && !put_character(p, &text, value.integer))
        return false;
    else if (value.kind == HOST_STRING &&
             format_characters(value.string->text, value.string->length) == 1)
        host_str(p, &text, value);
    else if (!host_is_integer(value))
        return host_fail(p, "TypeError", "%%c requires int or char");
    size_t length = text.length;
    if (spec->precision >= 0 && spec->type != 'c')
        length = format_bytes(buf_text(&text), text.length, spec->precision);
    format_padded(out, spec, '>', "", buf_text(&text), length);
    return true;
}

/* The values that % takes, one after the other. */
typedef struct Taker {
    Program *program;
    const HostValue *items;
    size_t count, at;
} Taker;

static bool take(Taker *taker, HostValue *out)
{
    if (taker->at == taker->count)
        return host_fail(taker->program, "TypeError", "not enough arguments for format string");
    return host_give(out, taker->items[taker->at++]);
}

static bool take_count(void *context, int64_t *count)
{
    Taker *taker = context;
    HostValue value;
    if (!take(taker, &value))
        return false;
    if (!host_is_integer(value))
        return host_fail(taker->program, "TypeError", "* wants int");
    *count = value.integer < 0                   ? 0
             : value.integer > FORMAT_WIDTH_MOST ? FORMAT_WIDTH_MOST
                                                 : value.integer;
    return true;
}

/* %(key)s: what a dictionary has under the key, which stands at `at`. */
static bool take_key(Program *p, HostValue dict, const char **at, const char *end, HostValue *out)
{
    const char *begin = *at, *close = begin;
    for (int depth = 1; close < end; close++) {
        depth += *close == '(' ? 1 : *close == ')' ? -1 : 0;
        if (!depth)
            break;
    }
    if (dict.kind != HOST_DICT)
        return host_fail(p, "TypeError", "format requires a mapping");
    if (close == end)
        return host_fail(p, "ValueError", "incomplete format key");
    *at = close + 1;
    return host_index(p, dict, host_string(p, begin, (size_t)(close - begin)), out);
}

static bool percent_field(Taker *taker, const char **at, const char *end, Buf *out)
{
    Program *p = taker->program;
    FormatSpec spec;
    HostValue value;
    if (!format_read_percent(&spec, at, end, take_count, taker) ||
        !is_fine(p, format_check(&p->scratch, &spec)))
        return false;
    if (*at == end)
        return host_fail(p, "ValueError", "incomplete format");
    spec.type = *(*at)++;
    if (spec.type == '%') {
        buf_putc(out, '%');
        return true;
    }
    if (!strchr("diuxXoeEfFgGrsac", spec.type))
        return host_fail(p, "ValueError", "unsupported format character '%c' (0x%x) at index %d",
                         spec.type, spec.type, 0);
    if (!take(taker, &value))
        return false;
    if (strchr("rsac", spec.type))
        return percent_text(p, value, &spec, out);
    format_zeros(&spec);
    return percent_number(p, value, &spec, out);
}

static bool percent(Program *p, const HostString *text, HostValue values, HostValue *out)
{
    bool several = values.kind == HOST_TUPLE;
    Taker taker = { p, several ? values.list->items : &values, several ? values.list->count : 1,
                    0 };
    const char *at = text->text, *end = at + text->length;
    Buf made = buf_in(&p->scratch);
    while (at < end) {
        if (*at != '%') {
            buf_putc(&made, *at++);
            continue;
        }
        HostValue value;
        Taker keyed = { p, &value, 1, 0 };
        const bool key = ++at < end && *at == '(';
        if (key && (++at, !take_key(p, values, &at, end, &value)))
            return false;
        if (!percent_field(key ? &keyed : &taker, &at, end, &made))
            return false;
    }
    if (taker.at < taker.count && values.kind != HOST_DICT)
        return host_fail(p, "TypeError", "not all arguments converted during string formatting");
    return host_give(out, host_buf(p, &made));
}

bool host_percent(Program *p, const HostString *text, HostValue values, HostValue *out)
{
    p->texts++;
    const bool fine = percent(p, text, values, out);
    p->texts--;
    return fine;
}

/* ---- str.format ----------------------------------------------------------------------------- */

/* Fields are numbered by hand, "{0}", and not by their order. */
#define MANUAL SIZE_MAX

/* The value that a field names: {}, {0}, {name}, and items behind it, {0[1]}. */
static bool field_value(Program *p, const HostArgs *args, const char *name, size_t length,
                        size_t *next, HostValue *out)
{
    size_t head = 0;
    while (head < length && name[head] != '[' && name[head] != '.')
        head++;
    const char *text = arena_strndup(&p->scratch, name, head);
    bool digits = head && strspn(text, "0123456789") == head;
    const HostValue *named = head && !digits ? args_named(args, text) : NULL;
    size_t index = digits ? (size_t)strtoull(text, NULL, 10) : *next;
    if ((digits && *next && *next != MANUAL) || (!head && *next == MANUAL))
        return host_fail(p, "ValueError", "cannot switch from %s",
                         digits ? "automatic field numbering to manual field specification"
                                : "manual field specification to automatic field numbering");
    if (digits)
        *next = MANUAL;
    if (head && !digits && !named)
        return host_fail(p, "KeyError", "%s", text);
    if (!head)
        ++*next;
    if (!named && index >= args->count)
        return host_fail(p, "IndexError",
                         "Replacement index %zu out of range for positional args tuple", index);
    *out = named ? *named : args->values[index];
    while (head < length) {
        if (name[head] == '.') {
            const size_t bytes = strcspn(name + head + 1, "[.");
            const size_t most = length - head - 1;
            AstExpr asked = { .kind = AST_ATTRIBUTE };
            asked.span = args->call ? args->call->span : (Span){ 0 };
            asked.attribute.name =
                arena_strndup(&p->scratch, name + head + 1, bytes < most ? bytes : most);
            if (!eval_attribute(p, *out, &asked, out))
                return false;
            head += 1 + (bytes < most ? bytes : most);
            continue;
        }
        if (name[head] != '[')
            return host_fail(p, "ValueError",
                             "Only '.' or '[' may follow ']' in format field specifier");
        const char *begin = name + head + 1, *end = memchr(begin, ']', length - head - 1);
        if (!end)
            return host_fail(p, "ValueError", "Missing ']' in format string");
        const size_t bytes = (size_t)(end - begin);
        const bool number = bytes && strspn(begin, "0123456789") == bytes;
        if (!host_index(p, *out,
                        number ? host_int(strtoll(begin, NULL, 10)) : host_string(p, begin, bytes),
                        out))
            return false;
        head = (size_t)(end - name) + 1;
    }
    return true;
}

static bool format_fields(Program *p, HostArgs *args, HostValue *out);

static bool format_field(Program *p, const HostArgs *args, const char *field, size_t length,
                         size_t *next, Buf *out)
{
    const char *colon = memchr(field, ':', length);
    size_t name = colon ? (size_t)(colon - field) : length;
    HostValue value, spec;
    bool converted = name >= 2 && field[name - 2] == '!';
    if (!field_value(p, args, field, converted ? name - 2 : name, next, &value))
        return false;
    if (converted && !strchr("rsa", field[name - 1]))
        return host_fail(p, "ValueError", "Unknown conversion specifier %c", field[name - 1]);
    if (converted)
        value = host_converted(p, value, field[name - 1]);
    const char *text = colon ? colon + 1 : "";
    size_t rest = colon ? length - name - 1 : 0;
    if (!memchr(text, '{', rest))
        return host_format(p, value, text, rest, out);
    HostArgs inner = *args; /* {:{width}} */
    inner.self = host_string(p, text, rest);
    if (*next != MANUAL && *next < inner.count) {
        inner.values += *next;
        inner.count -= *next;
    }
    return format_fields(p, &inner, &spec) &&
           host_format(p, value, spec.string->text, spec.string->length, out);
}

static bool format_fields(Program *p, HostArgs *args, HostValue *out)
{
    const char *at = args->self.string->text, *end = at + args->self.string->length;
    size_t next = 0;
    Buf made = buf_in(&p->scratch);
    while (at < end) {
        bool doubled = at + 1 < end && at[1] == *at;
        if ((*at != '{' && *at != '}') || doubled) {
            bool brace = *at == '{' || *at == '}';
            buf_putc(&made, *at);
            at += brace ? 2 : 1;
            continue;
        }
        if (*at == '}')
            return host_fail(p, "ValueError", "Single '}' encountered in format string");
        const char *begin = ++at;
        for (int depth = 1; at < end; at++) {
            depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
            if (!depth)
                break;
        }
        if (at == end)
            return host_fail(p, "ValueError", "expected '}' before end of string");
        if (!format_field(p, args, begin, (size_t)(at - begin), &next, &made))
            return false;
        at++;
    }
    return host_give(out, host_buf(p, &made));
}

bool string_format(Program *p, HostArgs *args, HostValue *out)
{
    p->texts++;
    const bool fine = format_fields(p, args, out);
    p->texts--;
    return fine;
}

/* format(), % and str.format: Python's "Format Specification Mini-Language". */
#include "runtime/program/program.h"
#include "runtime/array/array.h"

#include <ctype.h>
#include <math.h>

/* [[fill]align][sign][#][0][width][grouping][.precision][type] */
typedef struct Spec {
    char fill[8];
    char align, sign, grouping, type; /* 0: not said */
    bool alternate, zero;
    int64_t width, precision; /* -1: not said */
} Spec;

enum { WIDTH_MOST = 1000000 };

static bool read_count(const char **at, const char *end, int64_t *count)
{
    int64_t sum = 0;
    if (*at == end || !isdigit((unsigned char)**at))
        return false;
    for (; *at < end && isdigit((unsigned char)**at); ++*at)
        sum = sum < WIDTH_MOST ? 10 * sum + (**at - '0') : sum;
    *count = sum < WIDTH_MOST ? sum : WIDTH_MOST;
    return true;
}

static bool check_counts(Program *p, const Spec *spec)
{
    return (spec->width < WIDTH_MOST && spec->precision < WIDTH_MOST) ||
           host_fail(p, "ValueError", "widths and precisions of formats are below %d", WIDTH_MOST);
}

static void read_align(Spec *spec, const char **at, const char *end)
{
    size_t first = *at < end ? utf8_length(*at, end) : 0;
    first = first ? first : 1;
    if (*at + first < end && strchr("<>=^", (*at)[first])) {
        memcpy(spec->fill, *at, first);
        spec->fill[first] = '\0';
        spec->align = (*at)[first];
        *at += first + 1;
    } else if (*at < end && strchr("<>=^", **at)) {
        spec->align = *(*at)++;
    }
}

static bool read_spec(Program *p, Spec *spec, const char *text, size_t length, const char *type)
{
    const char *at = text, *end = text + length;
    *spec = (Spec){ .fill = " ", .width = -1, .precision = -1 };
    read_align(spec, &at, end);
    if (at < end && strchr("+- ", *at))
        spec->sign = *at++;
    if (at < end && *at == '#') {
        spec->alternate = true;
        at++;
    }
    if (at < end && *at == '0' && !spec->align) {
        spec->zero = true;
        at++;
        strcpy(spec->fill, "0");
        spec->align = '=';
    }
    read_count(&at, end, &spec->width);
    if (at < end && (*at == ',' || *at == '_'))
        spec->grouping = *at++;
    if (at < end && *at == '.') {
        at++;
        if (!read_count(&at, end, &spec->precision))
            return host_fail(p, "ValueError", "Format specifier missing precision");
    }
    if (end - at > 1)
        return host_fail(p, "ValueError", "Invalid format specifier '%.*s' for object of type '%s'",
                         (int)length, text, type);
    spec->type = at < end ? *at : 0;
    return check_counts(p, spec);
}

static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static void put_fill(Buf *out, const char *fill, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        buf_puts(out, fill);
}

/* Digits with a sign and a prefix in front, or a text, brought to the width. */
static void put_padded(Buf *out, const Spec *spec, char align, const char *sign, const char *body,
                       size_t length)
{
    int64_t used = (int64_t)(strlen(sign) + characters(body, length));
    int64_t room = spec->width > used ? spec->width - used : 0;
    if (spec->align)
        align = spec->align;
    int64_t left = align == '>' ? room : align == '^' ? room / 2 : 0;
    put_fill(out, spec->fill, left);
    buf_puts(out, sign);
    put_fill(out, spec->fill, align == '=' ? room : 0);
    buf_put(out, body, length);
    put_fill(out, spec->fill, align == '<' ? room : align == '^' ? room - left : 0);
}

/* Puts separators between every `every` digits before the point; zeros in front take part. */
static const char *group(Program *p, const Spec *spec, const char *digits, int every, size_t sign)
{
    Buf out;
    size_t whole = strspn(digits, "0123456789abcdefABCDEF"), zeros = 0;
    if (every == 3)
        whole = strspn(digits, "0123456789");
    size_t behind = strlen(digits) - whole, each = (size_t)every;
    while (spec->zero && spec->width > 0) {
        size_t count = whole + zeros, all = count + (count - 1) / each + behind + sign;
        if (all >= (size_t)spec->width)
            break;
        zeros++;
    }
    buf_init(&out, &p->scratch);
    for (size_t i = 0; i < whole + zeros; i++) {
        if (i && (whole + zeros - i) % each == 0)
            buf_putc(&out, spec->grouping);
        buf_putc(&out, i < zeros ? '0' : digits[i - zeros]);
    }
    buf_puts(&out, digits + whole);
    return buf_text(&out);
}

static void put_number(Program *p, Buf *out, const Spec *spec, bool negative, const char *prefix,
                       const char *digits, int every)
{
    char sign[8];
    const char *mark = negative ? "-" : spec->sign == '+' ? "+" : spec->sign == ' ' ? " " : "";
    snprintf(sign, sizeof sign, "%s%s", mark, prefix);
    if (spec->grouping)
        digits = group(p, spec, digits, every, strlen(sign));
    put_padded(out, spec, '>', sign, digits, strlen(digits));
}

/* ---- integers ------------------------------------------------------------------------------- */

static void put_base(char *text, uint64_t value, unsigned base, bool upper)
{
    const char *symbols = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char reversed[72];
    int count = 0;
    do
        reversed[count++] = symbols[value % base];
    while (value /= base);
    for (int i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    text[count] = '\0';
}

static bool format_integer(Program *p, int64_t value, bool natural, const Spec *spec, Buf *out)
{
    char digits[72];
    unsigned base = spec->type == 'b'                        ? 2
                    : spec->type == 'o'                      ? 8
                    : spec->type == 'x' || spec->type == 'X' ? 16
                                                             : 10;
    bool negative = value < 0 && !natural;
    const char *prefix = !spec->alternate || base == 10 ? ""
                         : base == 2                    ? "0b"
                         : base == 8                    ? "0o"
                         : spec->type == 'X'            ? "0X"
                                                        : "0x";
    if (spec->precision >= 0)
        return host_fail(p, "ValueError", "Precision not allowed in integer format specifier");
    if (spec->grouping == ',' && base != 10)
        return host_fail(p, "ValueError", "Cannot specify ',' with '%c'.", spec->type);
    put_base(digits, negative ? 0 - (uint64_t)value : (uint64_t)value, base, spec->type == 'X');
    put_number(p, out, spec, negative, prefix, digits, base == 10 ? 3 : 4);
    return true;
}

/* ---- floats --------------------------------------------------------------------------------- */

/* As repr() but with so many digits at the most: what format() does without a type. */
static void plain_digits(Program *p, Buf *digits, double number, int64_t precision)
{
    if (precision < 0) {
        float_repr(digits, number);
        return;
    }
    Buf text;
    buf_init(&text, &p->scratch);
    buf_printf(&text, "%.*g", precision ? (int)precision : 1, number);
    int power = number != 0 ? (int)floor(log10(number)) : 0;
    if (!strchr(buf_text(&text), 'e') && power >= precision - 1) {
        buf_init(&text, &p->scratch); /* it would have no digit behind */
        buf_printf(&text, "%.*e", precision > 1 ? (int)precision - 1 : 0, number);
    }
    buf_put(digits, buf_text(&text), text.length);
    if (!strpbrk(buf_text(&text), ".e"))
        buf_puts(digits, ".0");
}

static bool format_float(Program *p, double number, const Spec *spec, Buf *out)
{
    char form[16];
    bool negative = signbit(number) && !isnan(number), percent = spec->type == '%';
    double size = fabs(percent ? number * 100 : number);
    char type = percent ? 'f' : spec->type == 'n' ? 'g' : spec->type;
    Buf digits;
    buf_init(&digits, &p->scratch);
    if (!isfinite(size)) {
        bool upper = type && isupper((unsigned char)type);
        buf_puts(&digits, isnan(size) ? upper ? "NAN" : "nan" : upper ? "INF" : "inf");
    } else if (!type) {
        plain_digits(p, &digits, size, spec->precision);
    } else {
        snprintf(form, sizeof form, "%%%s.*%c", spec->alternate ? "#" : "", type);
        buf_printf(&digits, form, spec->precision < 0 ? 6 : (int)spec->precision, size);
    }
    if (percent)
        buf_putc(&digits, '%');
    put_number(p, out, spec, negative, "", buf_text(&digits), 3);
    return true;
}

static bool format_complex(Program *p, HostValue value, const Spec *spec, Buf *out)
{
    Buf text, part;
    buf_init(&text, &p->scratch);
    buf_init(&part, &p->scratch);
    if (spec->zero || spec->align == '=')
        return host_fail(p, "ValueError", "%s is not allowed in complex format specifier",
                         spec->zero ? "Zero padding" : "'=' alignment flag");
    buf_printf(&part, "%s%.1s", spec->alternate ? "#" : "", &spec->grouping);
    if (spec->precision >= 0)
        buf_printf(&part, ".%d", (int)spec->precision);
    char type = !spec->type && spec->precision >= 0 ? 'g' : spec->type;
    buf_printf(&part, "%.1s", &type);
    if (!complex_format(p, value, spec->sign, buf_text(&part), !spec->type, &text))
        return false;
    put_padded(out, spec, '>', "", buf_text(&text), text.length);
    return true;
}

/* The bytes of so many characters at the most. */
static size_t first_characters(const Buf *text, int64_t most)
{
    const char *begin = buf_text(text), *end = begin + text->length, *at = begin;
    for (int64_t i = 0; at < end && i < most; i++) {
        size_t bytes = utf8_length(at, end);
        at += bytes ? bytes : 1;
    }
    return (size_t)(at - begin);
}

static bool put_character(Program *p, Buf *out, int64_t code)
{
    if (code < 0 || code > 0x10ffff)
        return host_fail(p, "OverflowError", "%%c arg not in range(0x110000)");
    host_character(out, code);
    return true;
}

static bool format_text(Program *p, HostValue value, const Spec *spec, Buf *out)
{
    Buf text;
    buf_init(&text, &p->scratch);
    host_str(p, &text, value);
    if (spec->align == '=' && !spec->zero)
        return host_fail(p, "ValueError", "'=' alignment not allowed in string format specifier");
    if (spec->sign)
        return host_fail(p, "ValueError", "Sign not allowed in string format specifier");
    if (spec->grouping)
        return host_fail(p, "ValueError", "Cannot specify '%c' with 's'.", spec->grouping);
    Spec left = *spec;
    if (spec->zero)
        left.align = '<';
    put_padded(out, &left, '<', "", buf_text(&text),
               spec->precision >= 0 ? first_characters(&text, spec->precision) : text.length);
    return true;
}

static bool unknown_type(Program *p, char type, const char *name)
{
    return host_fail(p, "ValueError", "Unknown format code '%c' for object of type '%s'", type,
                     name);
}

static bool format_number(Program *p, HostValue value, const Spec *spec, Buf *out)
{
    bool floats = dtype_is_float(host_dtype_of(value)), natural = value.dtype == KJIT_DTYPE_UINT64;
    const char *integers = "bcdoxXn", *reals = "eEfFgGn%";
    if (host_is_complex(value))
        return !spec->type || (strchr(reals, spec->type) && spec->type != '%')
                   ? format_complex(p, value, spec, out)
                   : unknown_type(p, spec->type, "complex");
    if (!floats && spec->type == 'c') {
        Buf character;
        buf_init(&character, &p->scratch);
        if (!put_character(p, &character, value.integer))
            return false;
        put_padded(out, spec, '<', "", buf_text(&character), character.length);
        return true;
    }
    if (!floats && (!spec->type || strchr(integers, spec->type)))
        return format_integer(p, value.integer, natural && value.kind == HOST_NUMBER, spec, out);
    if (!spec->type || strchr(reals, spec->type))
        return format_float(p, host_as_double(value), spec, out);
    return unknown_type(p, spec->type, floats ? "float" : "int");
}

bool host_format(Program *p, HostValue value, const char *text, size_t length, Buf *out)
{
    Spec spec;
    const char *type = host_type_name(p, value);
    if (!length) { /* a NumPy scalar is a Python number here: 0.10000000149011612 */
        if (value.kind == HOST_NUMBER && dtype_is_float(value.dtype))
            float_repr(out, value.number);
        else
            host_str(p, out, value);
        return true;
    }
    if (value.kind == HOST_MEMBER)
        value = host_text(p, arena_printf(&p->scratch, "%s.%s", type, value.member->name));
    if (value.kind == HOST_STRING || host_is_number(value)) {
        if (!read_spec(p, &spec, text, length, type))
            return false;
        if (value.kind != HOST_STRING)
            return format_number(p, value, &spec, out);
        if (spec.type && spec.type != 's')
            return unknown_type(p, spec.type, type);
        return format_text(p, value, &spec, out);
    }
    return host_fail(p, "TypeError", "unsupported format string passed to %s.__format__", type);
}

/* ---- % -------------------------------------------------------------------------------------- */

static bool percent_number(Program *p, HostValue value, Spec *spec, Buf *out)
{
    char type = spec->type == 'i' || spec->type == 'u' ? 'd' : spec->type;
    bool integers = strchr("dxXo", type) != NULL;
    if (!host_is_number(value) || host_is_complex(value) ||
        (integers && type != 'd' && dtype_is_float(host_dtype_of(value)))) {
        bool real = type == 'd';
        if (!integers)
            return host_fail(p, "TypeError", "must be real number, not %s",
                             host_type_name(p, value));
        return host_fail(p, "TypeError", "%%%c format: %s is required, not %s", spec->type,
                         real ? "a real number" : "an integer", host_type_name(p, value));
    }
    spec->type = type;
    if (!integers)
        return format_float(p, host_as_double(value), spec, out);
    if (dtype_is_float(host_dtype_of(value)) && !host_whole(p, trunc(value.number), &value))
        return false;
    int64_t integer = value.integer;
    int64_t digits = spec->precision;
    spec->precision = -1;
    if (digits > 0 && digits < 60) { /* %.3d: at least three digits */
        char text[72];
        uint64_t size = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
        snprintf(text, sizeof text, "%0*llu", (int)digits, (unsigned long long)size);
        put_number(p, out, spec, integer < 0, "", text, 3);
        return true;
    }
    return format_integer(p, integer, false, spec, out);
}

static bool percent_text(Program *p, HostValue value, const Spec *spec, Buf *out)
{
    Buf text;
    buf_init(&text, &p->scratch);
    if (spec->type == 'r' || spec->type == 'a')
        host_repr(p, &text, value);
    else if (spec->type != 'c')
        host_str(p, &text, value);
    else if (host_is_integer(value) && !put_character(p, &text, value.integer))
        return false;
    else if (value.kind == HOST_STRING && characters(value.string->text, value.string->length) == 1)
        host_str(p, &text, value);
    else if (!host_is_integer(value))
        return host_fail(p, "TypeError", "%%c requires int or char");
    size_t length = text.length;
    if (spec->precision >= 0 && spec->type != 'c')
        length = first_characters(&text, spec->precision);
    put_padded(out, spec, '>', "", buf_text(&text), length);
    return true;
}

/* The values that % takes, one after the other. */
typedef struct Taker {
    const HostValue *items;
    size_t count, at;
} Taker;

static bool take(Program *p, Taker *taker, HostValue *out)
{
    if (taker->at == taker->count)
        return host_fail(p, "TypeError", "not enough arguments for format string");
    *out = taker->items[taker->at++];
    return true;
}

static bool take_count(Program *p, Taker *taker, const char **at, const char *end, int64_t *count)
{
    HostValue value;
    if (*at == end || **at != '*') {
        read_count(at, end, count);
        return true;
    }
    ++*at;
    if (!take(p, taker, &value))
        return false;
    if (!host_is_integer(value))
        return host_fail(p, "TypeError", "* wants int");
    *count = value.integer < 0 ? 0 : value.integer > WIDTH_MOST ? WIDTH_MOST : value.integer;
    return true;
}

static bool percent_field(Program *p, Taker *taker, const char **at, const char *end, Buf *out)
{
    Spec spec = { .fill = " ", .width = -1, .precision = -1 };
    HostValue value;
    for (; *at < end && strchr("-+ #0", **at); ++*at) {
        spec.align = **at == '-' ? '<' : spec.align;
        spec.sign = **at == '+' || (**at == ' ' && !spec.sign) ? **at : spec.sign;
        spec.alternate |= **at == '#';
        spec.zero |= **at == '0';
    }
    if (!take_count(p, taker, at, end, &spec.width))
        return false;
    if (*at < end && **at == '.') {
        ++*at;
        spec.precision = 0;
        if (!take_count(p, taker, at, end, &spec.precision))
            return false;
    }
    if (!check_counts(p, &spec))
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
    if (!take(p, taker, &value))
        return false;
    if (strchr("rsac", spec.type))
        return percent_text(p, value, &spec, out);
    if (spec.zero && !spec.align) {
        strcpy(spec.fill, "0");
        spec.align = '=';
    }
    return percent_number(p, value, &spec, out);
}

bool host_percent(Program *p, HostString *text, HostValue values, HostValue *out)
{
    bool several = values.kind == HOST_TUPLE;
    Taker taker = { several ? values.list->items : &values, several ? values.list->count : 1, 0 };
    const char *at = text->text, *end = at + text->length;
    Buf made;
    buf_init(&made, &p->scratch);
    while (at < end) {
        if (*at != '%') {
            buf_putc(&made, *at++);
            continue;
        }
        at++;
        if (!percent_field(p, &taker, &at, end, &made))
            return false;
    }
    if (taker.at < taker.count)
        return host_fail(p, "TypeError", "not all arguments converted during string formatting");
    *out = host_buf(p, &made);
    return true;
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
        return host_fail(p, "KeyError", "'%s'", text);
    if (!head)
        ++*next;
    if (!named && index >= args->count)
        return host_fail(p, "IndexError",
                         "Replacement index %zu out of range for positional args tuple", index);
    *out = named ? *named : args->values[index];
    while (head < length && name[head] == '[') {
        char *end;
        int64_t at = strtoll(name + head + 1, &end, 10);
        if (*end != ']' || !host_index(p, *out, host_int(at), out))
            return p->failed ? false : host_fail(p, "ValueError", "an index is a number");
        head = (size_t)(end - name) + 1;
    }
    if (head < length)
        return host_fail(p, "NotImplementedError", "a field has no attributes: write an f-string");
    return true;
}

static bool format_field(Program *p, const HostArgs *args, const char *field, size_t length,
                         size_t *next, Buf *out)
{
    const char *colon = memchr(field, ':', length);
    size_t name = colon ? (size_t)(colon - field) : length;
    HostValue value, spec;
    bool converted = name >= 2 && field[name - 2] == '!';
    if (!field_value(p, args, field, converted ? name - 2 : name, next, &value))
        return false;
    if (converted) {
        Buf text;
        buf_init(&text, &p->scratch);
        if (field[name - 1] == 's')
            host_str(p, &text, value);
        else
            host_repr(p, &text, value);
        value = host_buf(p, &text);
    }
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
    return string_format(p, &inner, &spec) &&
           host_format(p, value, spec.string->text, spec.string->length, out);
}

bool string_format(Program *p, HostArgs *args, HostValue *out)
{
    const char *at = args->self.string->text, *end = at + args->self.string->length;
    size_t next = 0;
    Buf made;
    buf_init(&made, &p->scratch);
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
    *out = host_buf(p, &made);
    return true;
}

#include "base/format.h"

#include <ctype.h>
#include <math.h>

static bool read_count(const char **at, const char *end, int64_t *count)
{
    int64_t sum = 0;
    if (*at == end || !isdigit((unsigned char)**at))
        return false;
    for (; *at < end && isdigit((unsigned char)**at); ++*at)
        sum = sum < FORMAT_WIDTH_MOST ? 10 * sum + (**at - '0') : sum;
    *count = sum < FORMAT_WIDTH_MOST ? sum : FORMAT_WIDTH_MOST;
    return true;
}

const char *format_check(Arena *arena, const FormatSpec *spec)
{
    return spec->width < FORMAT_WIDTH_MOST && spec->precision < FORMAT_WIDTH_MOST
               ? NULL
               : arena_printf(arena, "widths and precisions of formats are below %d",
                              FORMAT_WIDTH_MOST);
}

/* Whether it says what to fill with. */
static bool read_align(FormatSpec *spec, const char **at, const char *end)
{
    size_t first = *at < end ? utf8_length(*at, end) : 0;
    first = first ? first : 1;
    if (*at + first < end && strchr("<>=^", (*at)[first])) {
        memcpy(spec->fill, *at, first);
        spec->fill[first] = '\0';
        spec->align = (*at)[first];
        *at += first + 1;
        return true;
    }
    if (*at < end && strchr("<>=^", **at))
        spec->align = *(*at)++;
    return false;
}

const char *format_read(Arena *arena, FormatSpec *spec, const char *text, size_t length,
                        const char *type)
{
    const char *at = text, *end = text + length;
    *spec = (FormatSpec){ .fill = " ", .width = -1, .precision = -1 };
    const bool fills = read_align(spec, &at, end);
    if (at < end && strchr("+- ", *at))
        spec->sign = *at++;
    if (at < end && *at == '#') {
        spec->alternate = true;
        at++;
    }
    if (at < end && *at == '0' && !fills) {
        strcpy(spec->fill, "0");
        spec->zero = !spec->align;
        spec->align = spec->align ? spec->align : '=';
        at++;
    }
    read_count(&at, end, &spec->width);
    if (at < end && (*at == ',' || *at == '_'))
        spec->grouping = *at++;
    if (at < end && *at == '.') {
        at++;
        if (!read_count(&at, end, &spec->precision))
            return "Format specifier missing precision";
    }
    if (end - at > 1)
        return arena_printf(arena, "Invalid format specifier '%.*s' for object of type '%s'",
                            (int)length, text, type);
    spec->type = at < end ? *at : 0;
    if (spec->grouping && spec->type && strchr("cns", spec->type))
        return arena_printf(arena, "Cannot specify '%c' with '%c'.", spec->grouping, spec->type);
    return format_check(arena, spec);
}

static bool read_or_ask(const char **at, const char *end, int64_t *count,
                        bool star(void *context, int64_t *count), void *context)
{
    if (!star || *at == end || **at != '*') {
        read_count(at, end, count);
        return true;
    }
    ++*at;
    return star(context, count);
}

bool format_read_percent(FormatSpec *spec, const char **at, const char *end,
                         bool star(void *context, int64_t *count), void *context)
{
    *spec = (FormatSpec){ .fill = " ", .width = -1, .precision = -1, .percent = true };
    for (; *at < end && strchr("-+ #0", **at); ++*at) {
        spec->align = **at == '-' ? '<' : spec->align;
        spec->sign = **at == '+' || (**at == ' ' && !spec->sign) ? **at : spec->sign;
        spec->alternate |= **at == '#';
        spec->zero |= **at == '0';
    }
    if (!read_or_ask(at, end, &spec->width, star, context))
        return false;
    if (*at == end || **at != '.')
        return true;
    ++*at;
    spec->precision = 0;
    return read_or_ask(at, end, &spec->precision, star, context);
}

void format_zeros(FormatSpec *spec)
{
    if (!spec->zero || spec->align)
        return;
    strcpy(spec->fill, "0");
    spec->align = '=';
}

size_t format_characters(const char *text, size_t length)
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
void format_padded(Buf *out, const FormatSpec *spec, char align, const char *sign, const char *body,
                   size_t length)
{
    int64_t used = (int64_t)(strlen(sign) + format_characters(body, length));
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
static const char *group(Arena *arena, const FormatSpec *spec, const char *digits, int every,
                         size_t sign)
{
    size_t whole = strspn(digits, "0123456789abcdefABCDEF"), zeros = 0;
    if (every == 3)
        whole = strspn(digits, "0123456789");
    size_t behind = strlen(digits) - whole, each = (size_t)every;
    while (spec->align == '=' && *spec->fill == '0' && spec->width > 0) {
        size_t count = whole + zeros, all = count + (count - 1) / each + behind + sign;
        if (all >= (size_t)spec->width)
            break;
        zeros++;
    }
    Buf out = buf_in(arena);
    for (size_t i = 0; i < whole + zeros; i++) {
        if (i && (whole + zeros - i) % each == 0)
            buf_putc(&out, spec->grouping);
        buf_putc(&out, i < zeros ? '0' : digits[i - zeros]);
    }
    buf_puts(&out, digits + whole);
    return buf_text(&out);
}

/* A number whose digits are given, separated in groups of `every`. */
static void format_digits(Arena *arena, Buf *out, const FormatSpec *spec, bool negative,
                          const char *prefix, const char *digits, int every)
{
    char sign[8];
    const char *mark = negative ? "-" : spec->sign == '+' ? "+" : spec->sign == ' ' ? " " : "";
    snprintf(sign, sizeof sign, "%s%s", mark, prefix);
    if (spec->grouping)
        digits = group(arena, spec, digits, every, strlen(sign));
    format_padded(out, spec, '>', sign, digits, strlen(digits));
}

/* ---- integers ------------------------------------------------------------------------------- */

static const char *in_base(Arena *arena, uint64_t value, unsigned base)
{
    char reversed[72];
    int64_t count = 0;
    do
        reversed[count++] = "0123456789abcdef"[value % base];
    while (value /= base);
    Buf text = buf_in(arena);
    while (count)
        buf_putc(&text, reversed[--count]);
    return buf_text(&text);
}

unsigned format_base(const FormatSpec *spec)
{
    return spec->type == 'b'                        ? 2
           : spec->type == 'o'                      ? 8
           : spec->type == 'x' || spec->type == 'X' ? 16
                                                    : 10;
}

const char *format_whole(Arena *arena, Buf *out, const FormatSpec *spec, bool negative,
                         const char *digits)
{
    const unsigned base = format_base(spec);
    const char *prefix = !spec->alternate || base == 10 ? ""
                         : base == 2                    ? "0b"
                         : base == 8                    ? "0o"
                         : spec->type == 'X'            ? "0X"
                                                        : "0x";
    if (spec->precision >= 0 && !spec->percent)
        return "Precision not allowed in integer format specifier";
    if (spec->grouping == ',' && base != 10)
        return arena_printf(arena, "Cannot specify ',' with '%c'.", spec->type);
    Buf text = buf_in(arena);
    put_fill(&text, "0", spec->precision - (int64_t)strlen(digits));
    for (; *digits; digits++)
        buf_putc(&text, spec->type == 'X' ? (char)toupper((unsigned char)*digits) : *digits);
    format_digits(arena, out, spec, negative, prefix, buf_text(&text), base == 10 ? 3 : 4);
    return NULL;
}

const char *format_integer(Arena *arena, Buf *out, const FormatSpec *spec, int64_t value,
                           bool is_unsigned)
{
    const bool negative = value < 0 && !is_unsigned;
    const uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
    return format_whole(arena, out, spec, negative, in_base(arena, size, format_base(spec)));
}

/* ---- floats --------------------------------------------------------------------------------- */

/* The digits of a number that has a power of ten behind it, without zeros at their end; for '#'
** with these, and a point. */
static void put_power(Buf *digits, const FormatSpec *spec, const char *text, const char *power)
{
    const char *end = power;
    const bool point = memchr(text, '.', (size_t)(power - text));
    while (point && !spec->alternate && end[-1] == '0')
        end--;
    end -= point && end[-1] == '.' && !spec->alternate;
    buf_put(digits, text, (size_t)(end - text));
    buf_puts(digits, spec->alternate && !point ? "." : "");
    buf_puts(digits, power);
}

/* What C says of %#.*g, by way of the power that the rounded number has: glibc drops the zeros of a
** number that rounding carries to the next power. */
static void put_general(Arena *arena, Buf *digits, bool upper, int precision, double number)
{
    precision = precision > 1 ? precision : 1;
    Buf text = buf_in(arena);
    buf_printf(&text, upper ? "%#.*E" : "%#.*e", precision - 1, number);
    const int tens = atoi(strpbrk(buf_text(&text), "eE") + 1);
    if (tens < -4 || tens >= precision)
        buf_puts(digits, buf_text(&text));
    else
        buf_printf(digits, "%#.*f", precision - 1 - tens, number);
}

/* As repr() but with so many digits at the most: what format() does without a type. Numbers that
** would have no digit behind the point have a power of ten. */
static void plain_digits(Arena *arena, Buf *digits, const FormatSpec *spec, double number)
{
    const int precision = spec->precision > 1 ? (int)spec->precision : 1;
    Buf text = buf_in(arena);
    if (spec->precision < 0)
        float_repr(&text, number);
    else
        buf_printf(&text, spec->alternate ? "%#.*e" : "%.*e", precision - 1, number);
    const char *power = strchr(buf_text(&text), 'e');
    const int tens = power ? atoi(power + 1) : 0;
    if (!power) {
        buf_puts(digits, buf_text(&text));
    } else if (spec->precision < 0 || tens < -4 || tens >= precision - 1) {
        put_power(digits, spec, buf_text(&text), power);
    } else if (spec->alternate) {
        put_general(arena, digits, false, precision, number);
    } else {
        buf_printf(digits, "%.*g", precision, number);
        buf_puts(digits, strchr(buf_text(digits), '.') ? "" : ".0");
    }
}

void format_float(Arena *arena, Buf *out, const FormatSpec *spec, double number)
{
    char form[16];
    bool negative = signbit(number) && !isnan(number), percent = spec->type == '%';
    double size = fabs(percent ? number * 100 : number);
    char type = percent ? 'f' : spec->type == 'n' ? 'g' : spec->type;
    const int precision = spec->precision < 0 ? 6 : (int)spec->precision;
    Buf digits = buf_in(arena);
    if (!isfinite(size)) {
        bool upper = type && isupper((unsigned char)type);
        buf_puts(&digits, isnan(size) ? upper ? "NAN" : "nan" : upper ? "INF" : "inf");
    } else if (!type) {
        plain_digits(arena, &digits, spec, size);
    } else if (spec->alternate && (type == 'g' || type == 'G')) {
        put_general(arena, &digits, type == 'G', precision, size);
    } else {
        snprintf(form, sizeof form, "%%%s.*%c", spec->alternate ? "#" : "", type);
        buf_printf(&digits, form, precision, size);
    }
    if (percent)
        buf_putc(&digits, '%');
    format_digits(arena, out, spec, negative, "", buf_text(&digits), 3);
}

/* ---- texts ---------------------------------------------------------------------------------- */

size_t format_bytes(const char *text, size_t length, int64_t characters)
{
    const char *end = text + length, *at = text;
    for (int64_t i = 0; at < end && i < characters; i++) {
        size_t bytes = utf8_length(at, end);
        at += bytes ? bytes : 1;
    }
    return (size_t)(at - text);
}

const char *format_text(Arena *arena, Buf *out, const FormatSpec *spec, const char *text,
                        size_t length)
{
    if (spec->align == '=' && !spec->zero)
        return "'=' alignment not allowed in string format specifier";
    if (spec->sign)
        return spec->sign == ' ' ? "Space not allowed in string format specifier"
                                 : "Sign not allowed in string format specifier";
    if (spec->alternate)
        return "Alternate form (#) not allowed in string format specifier";
    if (spec->grouping)
        return arena_printf(arena, "Cannot specify '%c' with 's'.", spec->grouping);
    FormatSpec left = *spec;
    if (spec->zero)
        left.align = '<';
    format_padded(out, &left, '<', "", text,
                  spec->precision >= 0 ? format_bytes(text, length, spec->precision) : length);
    return NULL;
}

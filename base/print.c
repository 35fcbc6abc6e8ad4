/* vsnprintf for the formats that texts of kernels are made of. A kernel's text takes hundreds of
** small pieces, and in a process that has NumPy, whose libquadmath adds conversions of its own to
** printf, glibc reads every format by its slow way: a tenth of a compilation. */
#include "base/base.h"

/* What is written so far: `length` may be beyond the room, as with snprintf. */
typedef struct Print {
    char *to;
    size_t room, length;
} Print;

static void put(Print *print, const char *text, size_t length)
{
    if (print->length < print->room) {
        size_t left = print->room - print->length;
        memcpy(print->to + print->length, text, length < left ? length : left);
    }
    print->length += length;
}

static void put_number(Print *print, bool negative, unsigned long long number)
{
    char digits[24], *first = digits + sizeof digits;

    do
        *--first = (char)('0' + number % 10);
    while (number /= 10);
    if (negative)
        *--first = '-';
    put(print, first, (size_t)(digits + sizeof digits - first));
}

static void put_signed(Print *print, long long number)
{
    unsigned long long magnitude = (unsigned long long)number;

    put_number(print, number < 0, number < 0 ? 0 - magnitude : magnitude);
}

static void put_text(Print *print, const char *text, int most)
{
    text = text ? text : "(null)";
    put(print, text, most < 0 ? strlen(text) : strnlen(text, (size_t)most));
}

/* The conversion that `format` stands at, behind its %, and the argument that it takes; NULL if it
** is none of the few, else what stands behind it. `args` is the address of the list. */
static const char *convert(Print *print, const char *format, va_list *args)
{
    int most = -1;

    if (*format == '.' && strncmp(format, ".*s", 3) == 0) {
        most = va_arg(*args, int);
        format += 2;
    }
    switch (*format) {
    case 's':
        put_text(print, va_arg(*args, const char *), most);
        return format + 1;
    case 'd':
        put_signed(print, va_arg(*args, int));
        return format + 1;
    case 'u':
        put_number(print, false, va_arg(*args, unsigned));
        return format + 1;
    case 'c':
        put(print, &(char){ (char)va_arg(*args, int) }, 1);
        return format + 1;
    case '%':
        put(print, "%", 1);
        return format + 1;
    default:
        break;
    }
    if (strncmp(format, "lld", 3) == 0)
        put_signed(print, va_arg(*args, long long));
    else if (strncmp(format, "llu", 3) == 0)
        put_number(print, false, va_arg(*args, unsigned long long));
    else if (strncmp(format, "zu", 2) == 0)
        put_number(print, false, va_arg(*args, size_t));
    else
        return NULL;
    return format + (*format == 'z' ? 2 : 3);
}

int print_text(char *to, size_t room, const char *format, va_list args)
{
    Print print = { to, room ? room - 1 : 0, 0 };
    const char *at = format;
    va_list own;

    va_copy(own, args);
    while (at && *at) {
        size_t plain = (size_t)(strchrnul(at, '%') - at);
        put(&print, at, plain);
        at += plain;
        if (*at)
            at = convert(&print, at + 1, &own);
    }
    va_end(own);
    if (!at) /* another conversion */
        return vsnprintf(to, room, format, args);
    if (room)
        to[print.length < room ? print.length : room - 1] = '\0';
    return (int)print.length;
}

/* Numbers as text that reads back as the same number. The library lives in programs that set their
** locale, in which a decimal point may be a comma. */
#include "base/base.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>

/* A quarter of what is between 1 and the next double. */
#define QUARTER (DBL_EPSILON / 4.0L)

void decimal_text(char text[DECIMAL_TEXT], double number, int least_digits)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = (locale_t)0;

    if (c)
        before = uselocale(c);
    for (int digits = least_digits; digits <= 17; digits++) {
        snprintf(text, DECIMAL_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
        /* What is below a power of two is nearer to it than what is above: the decimal above may do
        ** where the nearest one, which is below, does not. */
        snprintf(text, DECIMAL_TEXT, "%.*Lg", digits, number * (1 + QUARTER));
        if (strtod(text, NULL) == number)
            break;
    }
    if (c) {
        uselocale(before);
        freelocale(c);
    }
}

/* The digits of a decimal text without point and leading zeros, and the power of ten that the first
** of them stands for. */
static int split_digits(const char *text, char digits[DECIMAL_TEXT], int *power)
{
    int count = 0, point = 0;
    bool behind = false;
    for (; *text && *text != 'e'; text++) {
        behind |= *text == '.';
        if (!isdigit((unsigned char)*text))
            continue;
        if (count || *text != '0')
            digits[count++] = *text;
        point += behind ? (count ? 0 : -1) : (count ? 1 : 0);
    }
    *power = point - 1 + (*text == 'e' ? atoi(text + 1) : 0);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return count;
}

void float_repr(Buf *out, double number)
{
    char text[DECIMAL_TEXT], digits[DECIMAL_TEXT];
    int power;
    if (!isfinite(number)) {
        buf_puts(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
        return;
    }
    if (signbit(number))
        buf_putc(out, '-');
    if (number == 0) {
        buf_puts(out, "0.0");
        return;
    }
    decimal_text(text, fabs(number), 1);
    int count = split_digits(text, digits, &power);
    if (power < -4 || power >= 16) {
        buf_printf(out, "%c%s%se%c%02d", digits[0], count > 1 ? "." : "", digits + 1,
                   power < 0 ? '-' : '+', abs(power));
    } else if (power < 0) {
        buf_printf(out, "0.%.*s%s", -power - 1, "0000", digits);
    } else if (count <= power + 1) {
        buf_puts(out, digits);
        for (int i = count; i <= power; i++)
            buf_putc(out, '0');
        buf_puts(out, ".0");
    } else {
        buf_printf(out, "%.*s.%s", power + 1, digits, digits + power + 1);
    }
}

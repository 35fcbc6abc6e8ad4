/* Numbers as text that reads back as the same number. The library lives in programs that set their
** locale, in which a decimal point may be a comma. */
#include "base/base.h"

#include <float.h>
#include <locale.h>

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

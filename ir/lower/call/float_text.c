/* The text that float() takes, by Python's rules (the grammar of float() in the Library Reference):
** a decimal number, an infinity or a NaN, with spaces around it and underscores between digits. */
#include "ir/lower/builtin.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The text without spaces around it and underscores between digits; NULL if there are others. */
static char *plain_text(Arena *arena, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    char *plain = arena_strndup(arena, text, length);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        if (plain[i] != '_')
            plain[kept++] = text[i];
        else if (i == 0 || !is_digit(text[i - 1]) || i + 1 == length || !is_digit(text[i + 1]))
            return NULL;
    }
    plain[kept] = '\0';
    return plain;
}

/* inf, infinity, nan */
static bool read_word(const char *text, double *number)
{
    bool infinite = strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
    if (!infinite && strcasecmp(text, "nan") != 0)
        return false;
    *number = infinite ? INFINITY : NAN;
    return true;
}

/* What is wrong with `rest`, which stands behind a number and is no part of it. */
static const char *what_follows(const char *rest)
{
    if ((*rest | 32) == 'e')
        return "its exponent has no digits";
    return *rest == ',' ? "a decimal point is a '.'" : "it goes on behind the number";
}

const char *float_of_text(Arena *arena, const char *text, size_t length, double *number)
{
    char *plain = plain_text(arena, text, length), *end;
    if (!plain)
        return "underscores stand between digits alone";
    if (!*plain)
        return "it is empty";
    const char *start = plain + (*plain == '+' || *plain == '-');
    if (!read_word(start, number)) {
        if (!is_digit(start[*start == '.']))
            return "it does not begin with a number";
        bool hexadecimal = *start == '0' && (start[1] | 32) == 'x'; /* which strtod would read */
        *number = strtod(start, &end);
        if (hexadecimal || *end || memchr(text, 0, length))
            return hexadecimal ? "it is hexadecimal" : what_follows(end);
    }
    if (*plain == '-')
        *number = -*number;
    return NULL;
}

/* Numbers and texts as Python's format() writes them: its "Format Specification Mini-Language",
** which % and f-strings are made of, too. Where a specification is wrong, the message of the
** ValueError is given back, else NULL. */
#pragma once

#include "base/base.h"

/* [[fill]align][sign][#][0][width][grouping][.precision][type] */
typedef struct FormatSpec {
    char fill[8];
    char align, sign, grouping, type; /* 0: not said */
    bool alternate, zero;
    bool percent;             /* of %, whose precision is how many digits an integer has at least */
    int64_t width, precision; /* -1: not said */
} FormatSpec;

enum { FORMAT_WIDTH_MOST = 1000000 };

/* Reads a specification for a value of a type, by Python's name of it. */
const char *format_read(Arena *arena, FormatSpec *spec, const char *text, size_t length,
                        const char *type);
/* Reads what stands between % and the type in a field of %. `star` gives what * stands for; NULL:
** nothing does. False where that failed. */
bool format_read_percent(FormatSpec *spec, const char **at, const char *end,
                         bool star(void *context, int64_t *count), void *context);
/* Zeros in front of a number in place of blanks, if % said so. */
void format_zeros(FormatSpec *spec);
/* Whether width and precision are below the most. */
const char *format_check(Arena *arena, const FormatSpec *spec);
/* A text, or digits with a sign in front, brought to the width; `align` where none is said. */
void format_padded(Buf *out, const FormatSpec *spec, char align, const char *sign, const char *body,
                   size_t length);
/* An integer: of digits in the base that the specification says, in small letters. */
unsigned format_base(const FormatSpec *spec);
const char *format_whole(Arena *arena, Buf *out, const FormatSpec *spec, bool negative,
                         const char *digits);
const char *format_integer(Arena *arena, Buf *out, const FormatSpec *spec, int64_t value,
                           bool is_unsigned);
void format_float(Arena *arena, Buf *out, const FormatSpec *spec, double number);
const char *format_text(Arena *arena, Buf *out, const FormatSpec *spec, const char *text,
                        size_t length);
/* The bytes of so many characters at the most, and how many characters bytes are. */
size_t format_bytes(const char *text, size_t length, int64_t characters);
size_t format_characters(const char *text, size_t length);

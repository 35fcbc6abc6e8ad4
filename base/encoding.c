/* Sources that are not UTF-8, and say so in a comment of their first two lines, as Python has it:
** `# -*- coding: latin-1 -*-`. */
#include "base/encoding.h"

#include <ctype.h>
#include <iconv.h>
#include <strings.h>

enum { NAME_MOST = 40 };

static bool is_comment(const char *line, size_t length)
{
    size_t blanks = strspn(line, " \t\f");

    return blanks < length && line[blanks] == '#';
}

static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\f") >= length;
}

/* The name behind `coding:` or `coding=` in a line. */
static bool read_name(const char *line, size_t length, char *name)
{
    static const char word[] = "coding", marks[] = "-_.";

    for (const char *at = line; at + sizeof word <= line + length; at++) {
        if (strncmp(at, word, sizeof word - 1) != 0 || !strchr(":=", at[sizeof word - 1]))
            continue;
        const char *from = at + sizeof word;
        from += strspn(from, " \t");
        size_t count = 0;
        while (count < NAME_MOST - 1 && from + count < line + length &&
               (isalnum((unsigned char)from[count]) || strchr(marks, from[count])))
            count++;
        memcpy(name, from, count);
        name[count] = '\0';
        return count > 0;
    }
    return false;
}

/* What the text says it is written in; false if it says nothing. */
static bool declared(const char *text, char *name)
{
    for (int i = 0; i < 2; i++) {
        size_t length = strcspn(text, "\r\n");
        if (is_comment(text, length) ? read_name(text, length, name) : !is_blank(text, length))
            return is_comment(text, length);
        text += length;
        text += text[0] == '\r' && text[1] == '\n' ? 2 : *text ? 1 : 0;
    }
    return false;
}

/* Python's names for what iconv calls otherwise. */
static iconv_t open_named(const char *name)
{
    static const struct {
        const char *python, *iconv;
    } names[] = { { "latin-1", "ISO-8859-1" },
                  { "latin_1", "ISO-8859-1" },
                  { "iso-latin-1", "ISO-8859-1" },
                  { "mac-roman", "MACINTOSH" } };

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcasecmp(name, names[i].python) == 0)
            return iconv_open("UTF-8", names[i].iconv);
    return iconv_open("UTF-8", name);
}

const char *encoding_to_utf8(Arena *arena, const char *text, size_t *length)
{
    enum { WIDEST = 4 };
    static const char mark[] = "\xef\xbb\xbf"; /* that it is UTF-8 now, whatever it says */
    char name[NAME_MOST];
    char *in = (char *)text;
    size_t left = *length, room = left * WIDEST;

    if (strncmp(text, mark, strlen(mark)) == 0 || !declared(text, name) ||
        strncasecmp(name, "utf-8", 5) == 0 || strncasecmp(name, "utf_8", 5) == 0 ||
        strcasecmp(name, "utf8") == 0)
        return text;
    iconv_t converter = open_named(name);
    if (converter == (iconv_t)-1)
        return text;
    char *converted = arena_alloc(arena, sizeof mark + room), *out = converted + strlen(mark);
    memcpy(converted, mark, strlen(mark));
    size_t wrong = iconv(converter, &in, &left, &out, &room);
    iconv_close(converter);
    if (wrong == (size_t)-1)
        return text;
    *out = '\0';
    *length = (size_t)(out - converted);
    return converted;
}

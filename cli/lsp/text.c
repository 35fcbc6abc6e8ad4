#include <ctype.h>

#include "cli/lsp/lsp.h"

/* ---- paths -------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

char *path_of_uri(const char *uri)
{
    static const char scheme[] = "file://";
    const char *from = strncmp(uri, scheme, sizeof scheme - 1) ? uri : uri + sizeof scheme - 1;
    char *path = must_strndup(from, strlen(from)), *to = path;

    for (; *from; from++) {
        bool coded =
            *from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2]);
        *to++ = coded ? (char)(16 * digit_of(from[1]) + digit_of(from[2])) : *from;
        from += coded ? 2 : 0;
    }
    *to = '\0';
    return path;
}

char *uri_of_path(const char *path)
{
    char *uri = must_alloc(3 * strlen(path) + 8), *to = uri + sprintf(uri, "file://");

    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/._-~", *path))
            *to++ = *path;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*path);
    *to = '\0';
    return uri;
}

/* ---- places ------------------------------------------------------------------------------- */

const char *line_of(const char *text, uint32_t line, size_t *length)
{
    for (const char *next; line && (next = strchr(text, '\n')); line--)
        text = next + 1;
    *length = strcspn(text, "\n");
    return text;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Units of UTF-16: characters beyond the first 65536 have two. */
static uint32_t units_of(char byte)
{
    return (unsigned char)byte >= 0xF0 ? 2 : 1;
}

static uint32_t last_line(const char *text)
{
    uint32_t lines = 0;
    while ((text = strchr(text, '\n')) != NULL && *++text)
        lines++;
    return lines;
}

json_t *place_in(const char *text, uint32_t line, uint32_t column)
{
    uint32_t last = last_line(text), at = line && line - 1 < last ? line - 1 : line ? last : 0;
    uint32_t units = 0, characters = 1;
    size_t length;
    const char *begin = line_of(text, at, &length);

    for (size_t i = 0; i < length; i++)
        if (begins_character(begin[i])) {
            if (characters++ >= column)
                break;
            units += units_of(begin[i]);
        }
    return json_pack("{s:I,s:I}", "line", (json_int_t)at, "character", (json_int_t)units);
}

json_t *range_in(const char *text, uint32_t line, uint32_t column, uint32_t end_column)
{
    return json_pack("{s:o,s:o}", "start", place_in(text, line, column), "end",
                     place_in(text, line, end_column));
}

void place_from(const char *text, const json_t *place, uint32_t *line, uint32_t *column)
{
    uint32_t wanted = json_number(place, "character"), units = 0;
    size_t length;

    *line = json_number(place, "line");
    *column = 1;
    const char *begin = line_of(text, (*line)++, &length);
    for (size_t i = 0; i < length && units < wanted; i++)
        if (begins_character(begin[i])) {
            units += units_of(begin[i]);
            ++*column;
        }
}

/* ---- JSON --------------------------------------------------------------------------------- */

const char *json_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

uint32_t json_number(const json_t *object, const char *name)
{
    json_int_t number = json_integer_value(json_object_get(object, name));
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* Answers about a document, of what the last look at it found. */
#include "cli/lsp/lsp.h"

/* ---- names ----------------------------------------------------------------------------------- */

enum { NAME_LINE, NAME_COLUMN, NAME_END, NAME_WHAT, MADE_FILE, MADE_LINE, MADE_COLUMN, MADE_END };

static uint32_t number_at(const json_t *name, int field)
{
    return (uint32_t)json_integer_value(json_array_get(name, (size_t)field));
}

static const char *text_at(const json_t *name, int field)
{
    return json_string_value(json_array_get(name, (size_t)field));
}

static const json_t *names_of(const Document *document)
{
    return json_object_get(document->known, "names");
}

/* The first of the names at the position of the request, and how many there are, with several
** types; NULL if it is none. They stand in order. */
static const json_t *name_at(const Document *document, const json_t *params, size_t *index,
                             size_t *count)
{
    const json_t *names = names_of(document), *found = NULL;
    uint32_t line, column;

    *count = 0;
    place_from(document->text, json_object_get(params, "position"), &line, &column);
    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *name = json_array_get(names, i);
        bool there = number_at(name, NAME_LINE) == line && number_at(name, NAME_COLUMN) <= column &&
                     column <= number_at(name, NAME_END);
        bool touches = there && column == number_at(name, NAME_END); /* the next may begin here */
        if (!there ||
            (found && number_at(found, NAME_COLUMN) == number_at(name, NAME_COLUMN) && ++*count))
            continue;
        if (found && touches)
            continue;
        found = name;
        *index = i;
        *count = 1;
    }
    return found;
}

static json_t *range_of_name(const Document *document, const json_t *name)
{
    return range_in(document->text, number_at(name, NAME_LINE), number_at(name, NAME_COLUMN),
                    number_at(name, NAME_END));
}

/* The text of a name, NUL-terminated, cut off where the room ends. */
static void spell(const Document *document, const json_t *name, char *room, size_t size)
{
    size_t length;
    const char *line = line_of(document->text, number_at(name, NAME_LINE) - 1, &length);
    uint32_t characters = 0, first = number_at(name, NAME_COLUMN), end = number_at(name, NAME_END);

    for (size_t i = 0; i < length && size > 1; i++) {
        characters += ((unsigned char)line[i] & 0xC0) != 0x80;
        if (characters >= first && characters < end) {
            *room++ = line[i];
            size--;
        }
    }
    *room = '\0';
}

json_t *answer_hover(const Document *document, const json_t *params)
{
    size_t index, count;
    const json_t *name = name_at(document, params, &index, &count);
    if (!name)
        return json_null();
    char spelled[128], *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return json_null();
    spell(document, name, spelled, sizeof spelled);
    fputs("```python\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s: %s\n", spelled,
                text_at(json_array_get(names_of(document), index + i), NAME_WHAT));
    fputs("```", out);
    fclose(out);
    json_t *hover = json_pack("{s:{s:s,s:s},s:o}", "contents", "kind", "markdown", "value", text,
                              "range", range_of_name(document, name));
    free(text);
    return hover;
}

json_t *answer_definition(const Document *document, const json_t *params)
{
    size_t index, count;
    const json_t *name = name_at(document, params, &index, &count);
    const char *file = name ? text_at(name, MADE_FILE) : "";

    if (file[0] != '/') /* it is built in */
        return json_null();
    bool here = !strcmp(file, document->path);
    uint32_t line = number_at(name, MADE_LINE), column = number_at(name, MADE_COLUMN);
    uint32_t end = number_at(name, MADE_END);
    json_t *range =
        here ? range_in(document->text, line, column, end)
             : json_pack("{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line", (json_int_t)line - 1,
                         "character", (json_int_t)column - 1, "end", "line", (json_int_t)line - 1,
                         "character", (json_int_t)end - 1);
    char *uri = uri_of_path(file);
    json_t *place = json_pack("{s:s,s:o}", "uri", uri, "range", range);
    free(uri);
    return place;
}

json_t *answer_references(const Document *document, const json_t *params)
{
    size_t index, count;
    const json_t *names = names_of(document), *wanted = name_at(document, params, &index, &count);
    json_t *list = json_array();
    uint32_t line = 0, column = 0; /* of the last that was added */

    for (size_t i = 0; wanted && i < json_array_size(names); i++) {
        const json_t *name = json_array_get(names, i);
        bool same = !strcmp(text_at(name, MADE_FILE), text_at(wanted, MADE_FILE)) &&
                    number_at(name, MADE_LINE) == number_at(wanted, MADE_LINE) &&
                    number_at(name, MADE_COLUMN) == number_at(wanted, MADE_COLUMN);
        if (!text_at(wanted, MADE_FILE)[0]) /* built in: by what it is */
            same = !strcmp(text_at(name, NAME_WHAT), text_at(wanted, NAME_WHAT));
        if (!same || (number_at(name, NAME_LINE) == line && number_at(name, NAME_COLUMN) == column))
            continue;
        line = number_at(name, NAME_LINE);
        column = number_at(name, NAME_COLUMN);
        json_array_append_new(list, json_pack("{s:s,s:o}", "uri", document->uri, "range",
                                              range_of_name(document, name)));
    }
    return list;
}

json_t *answer_hints(const Document *document, const json_t *params)
{
    const json_t *names = names_of(document), *range = json_object_get(params, "range");
    uint32_t first = json_number(json_object_get(range, "start"), "line") + 1;
    uint32_t last = json_number(json_object_get(range, "end"), "line") + 1;
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(names); i++) {
        const json_t *name = json_array_get(names, i);
        uint32_t line = number_at(name, NAME_LINE), column = number_at(name, NAME_COLUMN);
        bool made_here = !strcmp(text_at(name, MADE_FILE), document->path) &&
                         number_at(name, MADE_LINE) == line &&
                         number_at(name, MADE_COLUMN) == column;
        if (!made_here || line < first || line > last)
            continue;
        json_array_append_new(
            list, json_pack("{s:o,s:o,s:i}", "position",
                            place_in(document->text, line, number_at(name, NAME_END)), "label",
                            json_sprintf(": %s", text_at(name, NAME_WHAT)), "kind", 1));
    }
    return list;
}

/* ---- the text -------------------------------------------------------------------------------- */

enum { SYMBOL_CLASS = 5, SYMBOL_FUNCTION = 12 };

/* The lines that define functions and classes: also of a text that is wrong at the moment. */
json_t *answer_symbols(const Document *document)
{
    json_t *list = json_array();
    uint32_t number = 1;

    for (const char *line = document->text; line; number++) {
        const char *word = line + strspn(line, " \t");
        bool class = !strncmp(word, "class ", 6), function = !strncmp(word, "def ", 4);
        const char *name = word + (class ? 6 : 4);
        name += class || function ? strspn(name, " \t") : 0;
        size_t length = class || function ? strcspn(name, " \t(:\n") : 0;
        if (length) {
            uint32_t column = (uint32_t)(name - line) + 1;
            json_t *range = range_in(document->text, number, column, column + (uint32_t)length);
            json_array_append_new(list,
                                  json_pack("{s:o,s:i,s:o,s:O}", "name", json_stringn(name, length),
                                            "kind", class ? SYMBOL_CLASS : SYMBOL_FUNCTION, "range",
                                            range, "selectionRange", range));
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return list;
}

/* Whether a client that asks for some kinds of actions wants this one: "source" has it in it. */
static bool wants(const json_t *params, const char *kind)
{
    const json_t *only = json_object_get(json_object_get(params, "context"), "only");
    for (size_t i = 0; i < json_array_size(only); i++) {
        const char *wanted = json_string_value(json_array_get(only, i));
        size_t length = wanted ? strlen(wanted) : 0;
        if (length && !strncmp(kind, wanted, length) && (!kind[length] || kind[length] == '.'))
            return true;
    }
    return !only;
}

json_t *answer_actions(const Document *document, const json_t *params)
{
    static const char title[] = "Check with kjit: races, bounds, barriers";
    if (!wants(params, "source.kjit"))
        return json_array();
    json_t *command = json_pack("{s:s,s:s,s:[s]}", "title", title, "command", "kjit.check",
                                "arguments", document->uri);
    return json_pack("[{s:s,s:s,s:o}]", "title", title, "kind", "source.kjit", "command", command);
}

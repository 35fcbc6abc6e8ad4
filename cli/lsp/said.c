/* What the library says as text, FILE:LINE:COLUMN: LEVEL: MESSAGE with an excerpt below that marks
** the place, becomes diagnostics: a note that follows an error belongs to it. */
#include <ctype.h>

#include "cli/lsp/lsp.h"

/* A line of such a text. */
typedef struct Said {
    char *file; /* NULL: it has no place */
    uint32_t line, column, length;
    const char *level, *message; /* the message as far as the end of its line */
    int message_length;
} Said;

static const char *const levels[] = { "error", "warning", "remark", "note" };

/* The level that a text begins with, "error: "; NULL if it is none. */
static const char *level_at(const char *text)
{
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (!strncmp(text, levels[i], strlen(levels[i])) &&
            !strncmp(text + strlen(levels[i]), ": ", 2))
            return levels[i];
    return NULL;
}

/* FILE:LINE:COLUMN: before the level at `level`; false if that is something else. */
static bool read_place(const char *begin, const char *level, Said *said)
{
    const char *at = level - 2; /* at the colon behind the column */
    uint32_t *const numbers[] = { &said->column, &said->line };

    if (at < begin || *at != ':')
        return false;
    for (int i = 0; i < 2; i++) {
        const char *end = at;
        while (at > begin && isdigit((unsigned char)at[-1]))
            at--;
        if (at == end || at - 1 <= begin || at[-1] != ':')
            return false;
        *numbers[i] = (uint32_t)strtoul(at, NULL, 10);
        at--;
    }
    said->file = must_strndup(begin, (size_t)(at - begin));
    return true;
}

/* How many characters the excerpt below a line marks, if it has one. */
static uint32_t marked(const char *line)
{
    for (int i = 0; i < 2; i++) {
        line = strchr(line, '\n');
        if (!line++ || *line != ' ')
            return 1;
    }
    size_t end = strcspn(line, "\n"), mark = strcspn(line, "^");
    return mark < end ? 1 + (uint32_t)strspn(line + mark + 1, "~") : 1;
}

/* Reads a line; false if it is none of these, as those of excerpts. */
static bool read_line(const char *line, Said *said)
{
    size_t length = strcspn(line, "\n");

    *said = (Said){ 0 };
    for (const char *at = line; at < line + length; at++) {
        const char *level = at == line || at[-1] == ' ' ? level_at(at) : NULL;
        if (level && (at == line || read_place(line, at, said))) {
            said->level = level;
            said->message = at + strlen(level) + 2;
            said->message_length = (int)(line + length - said->message);
            said->length = said->file ? marked(line) : 1;
            return true;
        }
    }
    return false;
}

static int severity_of(const char *level)
{
    return !strcmp(level, "error")     ? SEVERITY_ERROR
           : !strcmp(level, "warning") ? SEVERITY_WARNING
                                       : SEVERITY_HINT;
}

static json_t *range_of(const Document *document, const Said *said)
{
    return range_in(document->text, said->line, said->column, said->column + said->length);
}

static bool is_here(const Document *document, const Said *said)
{
    return said->file && !strcmp(said->file, document->path);
}

/* Where a file is that is not open its text cannot be asked for units: characters are taken. */
static json_t *range_there(const Said *said)
{
    json_int_t line = said->line ? said->line - 1 : 0, column = said->column ? said->column - 1 : 0;
    return json_pack("{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line", line, "character", column, "end",
                     "line", line, "character", column + said->length);
}

static json_t *diagnostic_of(const Document *document, const Said *said)
{
    bool here = is_here(document, said);
    json_t *message = here || !said->file
                          ? json_stringn(said->message, (size_t)said->message_length)
                          : json_sprintf("%s:%u: %.*s", said->file, said->line,
                                         said->message_length, said->message);
    return json_pack("{s:o,s:i,s:s,s:o}", "range",
                     here ? range_of(document, said) : range_in(document->text, 1, 1, 2),
                     "severity", severity_of(said->level), "source", "kjit", "message", message);
}

/* A note, and the first that is in the document if what it belongs to is not: that moves there. */
static void add_note(json_t *diagnostic, const Document *document, const Said *note, bool *placed)
{
    bool here = is_here(document, note);
    if (!diagnostic)
        return;
    if (!note->file) {
        json_t *longer = json_sprintf("%s\n%.*s", json_text(diagnostic, "message"),
                                      note->message_length, note->message);
        json_object_set_new(diagnostic, "message", longer);
        return;
    }
    if (here && !*placed)
        json_object_set_new(diagnostic, "range", range_of(document, note));
    *placed |= here;
    json_t *related = json_object_get(diagnostic, "relatedInformation");
    if (!related) {
        related = json_array();
        json_object_set_new(diagnostic, "relatedInformation", related);
    }
    char *uri = uri_of_path(note->file);
    json_t *range = here ? range_of(document, note) : range_there(note);
    json_array_append_new(
        related, json_pack("{s:{s:s,s:o},s:o}", "location", "uri", uri, "range", range, "message",
                           json_stringn(note->message, (size_t)note->message_length)));
    free(uri);
}

/* Several kernels may report the same error. */
static void add_once(json_t *diagnostics, json_t *diagnostic)
{
    for (size_t i = 0; i < json_array_size(diagnostics); i++)
        if (json_equal(json_array_get(diagnostics, i), diagnostic)) {
            json_decref(diagnostic);
            return;
        }
    json_array_append_new(diagnostics, diagnostic);
}

void said_add(json_t *diagnostics, const Document *document, const char *message)
{
    json_t *last = NULL;
    bool placed = false;

    for (const char *line = message; line && *line;) {
        Said said;
        if (read_line(line, &said)) {
            if (!strcmp(said.level, "note")) {
                add_note(last, document, &said, &placed);
            } else {
                if (last)
                    add_once(diagnostics, last);
                last = diagnostic_of(document, &said);
                placed = is_here(document, &said);
            }
            free(said.file);
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (last)
        add_once(diagnostics, last);
}

/* ---- findings ------------------------------------------------------------------------------- */

static json_t *range_of_place(const Document *document, const kjit_check_place *at)
{
    uint32_t end = at->end_line == at->line ? at->end_column : at->column + 1;
    return range_in(document->text, at->line, at->column, end);
}

static json_t *finding_of(const Document *document, const kjit_check_finding *finding)
{
    bool here = finding->at.file && !strcmp(finding->at.file, document->path);
    json_t *message = finding->note && *finding->note
                          ? json_sprintf("%s\n%s", finding->message, finding->note)
                          : json_string(finding->message);
    json_t *diagnostic =
        json_pack("{s:o,s:i,s:s,s:s,s:o}", "range",
                  here ? range_of_place(document, &finding->at) : range_in(document->text, 1, 1, 2),
                  "severity", finding->advice ? SEVERITY_INFORMATION : SEVERITY_ERROR, "source",
                  "kjit check", "code", finding->rule, "message", message);
    if (finding->other.file && !strcmp(finding->other.file, document->path)) {
        json_t *other = json_pack("{s:{s:s,s:o},s:s}", "location", "uri", document->uri, "range",
                                  range_of_place(document, &finding->other), "message",
                                  finding->other.what ? finding->other.what : "here");
        json_object_set_new(diagnostic, "relatedInformation", json_pack("[o]", other));
    }
    return diagnostic;
}

void said_findings(json_t *diagnostics, const Document *document, kjit_context *context)
{
    size_t count;
    kjit_check_finding *list = findings_sorted(context, &count);

    for (size_t i = 0; i < count; i++)
        json_array_append_new(diagnostics, finding_of(document, &list[i]));
    free(list);
}

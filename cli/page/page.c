/* Pages of reports: page.h. */
#include "cli/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/measure/draft.h"
#include "cli/measure/memory.h"
#include "cli/measure/text.h"

static const char style[] =
#include "cli/page/page.css.inc"
    ;

static const char script[] =
#include "cli/page/page.js.inc"
    ;

/* JSON inside a script element, escaped so that no text can end the element. */
static void put_json(FILE *out, json_t *data)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
    for (const char *at = text; at && *at; at++) {
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
    }
    free(text);
}

/* What stands in a place of the page, if there is one: the length of the place. */
static size_t put_place(FILE *out, const char *at, json_t *data)
{
    const struct {
        const char *name, *text;
    } places[] = { { "@STYLE@", style }, { "@SCRIPT@", script }, { "@DATA@", NULL } };

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        size_t length = strlen(places[i].name);
        if (strncmp(at, places[i].name, length) != 0)
            continue;
        if (places[i].text)
            fputs(places[i].text, out);
        else
            put_json(out, data);
        return length;
    }
    return 0;
}

bool page_save(const char *html, json_t *data, const char *path)
{
    Draft out;
    draft_open(&out);
    for (const char *at = html; *at;) {
        size_t length = *at == '@' ? put_place(out.file, at, data) : 0;
        if (!length)
            fputc(*at++, out.file);
        at += length;
    }
    return draft_close(&out, "--report", path);
}

json_t *page_shape(const uint32_t shape[3])
{
    return json_pack("[I,I,I]", (json_int_t)shape[0], (json_int_t)(shape[1] ? shape[1] : 1),
                     (json_int_t)(shape[2] ? shape[2] : 1));
}

json_t *page_text(const char *text)
{
    char *copy = must_strndup(text, strlen(text));
    text_make_utf8(copy);
    json_t *value = json_string(copy);
    free(copy);
    return value;
}

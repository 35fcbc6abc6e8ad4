/* Reading files of wisdom, line by line. */
#include "runtime/tuning/wisdom.h"

#include <unistd.h>

enum {
    FILE_MOST = 64 << 20,
    COMPLAINTS_MOST = 8 /* lines that are reported individually */
};

static const char head[] = "# kjit wisdom ";

typedef struct WisdomReader {
    Wisdom *wisdom;
    Arena *arena;
    Diags diags;
    const char *text; /* of the file; NULL: it cannot be read, for the reason in the thread's error
                  message */
    size_t length;
    const Source *source;
    int damaged;
} WisdomReader;

/* Makes warnings located in the file of the errors in a line. */
static void place_complaints(WisdomReader *r, const Source *line, size_t before, uint32_t offset)
{
    for (size_t i = before; i < r->diags.count; i++) {
        Diag *diag = &r->diags.list[i];
        if (diag->span.source == line)
            diag->span = (Span){ r->source, diag->span.begin + offset, diag->span.end + offset };
        if (diag->level == DIAG_ERROR)
            diag->level = DIAG_WARNING;
    }
    r->diags.errors = 0;
}

static void read_record(WisdomReader *r, uint32_t offset, size_t length, uint32_t number)
{
    Wisdom *wisdom = r->wisdom;
    size_t before = r->diags.count;
    WisdomRecord record;
    const Source *line = source_new(r->arena, wisdom->path, r->text + offset, length);

    if (wisdom_record_read(r->arena, &r->diags, line, wisdom->newer, &record)) {
        record.line = number;
        array_push(r->arena, wisdom->records, wisdom->count, wisdom->capacity) = record;
    } else {
        r->damaged++;
    }
    place_complaints(r, line, before, offset);
    if (r->damaged > COMPLAINTS_MOST)
        diags_truncate(&r->diags, before);
    else if (r->diags.count > before)
        diag_note(&r->diags, r->diags.list[before].span,
                  "the record of this line is not used; mend it, or tune again and delete it");
}

/* The version in a first line; 0: it has none. */
static long read_version(const char *line, size_t length)
{
    long version = 0;
    size_t i = sizeof head - 1;

    if (length < sizeof head || memcmp(line, head, sizeof head - 1) != 0)
        return 0;
    for (; i < length && line[i] >= '0' && line[i] <= '9'; i++)
        version = version < INT32_MAX ? version * 10 + (line[i] - '0') : version;
    return i == length || strchr(" \t\r", line[i]) ? version : 0;
}

/* Checks the first line. */
static void read_head(WisdomReader *r, size_t at, size_t length)
{
    const long version = read_version(r->text + at, length);
    const Span span = { r->source, (uint32_t)at, (uint32_t)(at + length) };

    r->wisdom->other = version == 0;
    r->wisdom->newer = version > WISDOM_VERSION;
    if (r->wisdom->other)
        diag_warning(&r->diags, span, "a file of wisdom begins with the line '%s%d'", head,
                     WISDOM_VERSION);
    if (r->wisdom->newer)
        diag_warning(&r->diags, span,
                     "a newer kjit has written this file: what this one understands of it is used, "
                     "and nothing is written there");
}

static void read_lines(WisdomReader *r)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark */
    const size_t marked = sizeof mark - 1;
    uint32_t number = 0;
    bool has_mark = r->length >= marked && memcmp(r->text, mark, marked) == 0;

    for (size_t at = has_mark ? marked : 0; at < r->length; number++) {
        const char *line = r->text + at, *end = memchr(line, '\n', r->length - at);
        size_t length = end ? (size_t)(end - line) : r->length - at;
        size_t blank = strspn(line, " \t\r");
        if (number == 0)
            read_head(r, at, length);
        if (blank < length && line[blank] != '#')
            read_record(r, (uint32_t)at, length, number + 1);
        at += length + 1;
    }
    if (r->damaged > COMPLAINTS_MOST)
        diag_warning(&r->diags, (Span){ 0 }, "%s: %d more lines make no sense", r->wisdom->path,
                     r->damaged - COMPLAINTS_MOST);
}

static void tell_unreadable(WisdomReader *r)
{
    const char *why = kjit_error_message();

    r->wisdom->complaints = arena_printf(r->arena, "warning: %s\nnote: nothing of it is used",
                                         strncmp(why, "error: ", 7) == 0 ? why + 7 : why);
}

static kjit_status read_wisdom(void *context, Arena *arena)
{
    WisdomReader *r = context;

    r->arena = arena;
    diags_init(&r->diags, arena);
    r->wisdom->path = arena_strdup(arena, r->wisdom->path);
    if (!r->text) {
        tell_unreadable(r);
        return KJIT_OK;
    }
    r->source = source_new(arena, r->wisdom->path, r->text, r->length);
    read_lines(r);
    Buf out = buf_in(arena);
    diags_render(&r->diags, &out);
    r->wisdom->complaints = r->diags.count ? buf_text(&out) : NULL;
    return KJIT_OK;
}

kjit_status wisdom_read(const char *path, Wisdom **out)
{
    Wisdom *wisdom = memory_zeroed(1, sizeof *wisdom);
    WisdomReader r = { .wisdom = wisdom };
    char *text = NULL;

    *out = NULL;
    if (!wisdom)
        return error_memory();
    arena_init(&wisdom->arena, NULL);
    wisdom->path = path;
    wisdom->there = access(path, F_OK) == 0;
    kjit_status status = KJIT_OK;
    if (wisdom->there)
        status = file_read(path, FILE_MOST, &text, &r.length);
    if (status == KJIT_FILE)
        status = KJIT_OK;
    r.text = wisdom->there ? text : "";
    if (status == KJIT_OK)
        status = arena_catch(&wisdom->arena, read_wisdom, &r);
    memory_free(text);
    if (status != KJIT_OK) {
        wisdom_free(wisdom);
        return status;
    }
    *out = wisdom;
    return KJIT_OK;
}

void wisdom_free(Wisdom *wisdom)
{
    if (!wisdom)
        return;
    arena_free(&wisdom->arena);
    memory_free(wisdom);
}

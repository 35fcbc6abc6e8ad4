/* Complaints: gathered as values, rendered in one place.
**
** The excerpt is taken from the source kept in memory. It is made fit for any terminal: control
** characters and bytes that are no UTF-8 show as U+FFFD, tabs stay tabs in both of its lines, and
** of a very long line only a window round the place is shown. */
#include "base/base.h"

#include <ctype.h>

enum { WINDOW = 100, WINDOW_BEFORE = 50 }; /* characters */

static const char *const level_names[] = { "error:", "warning:", "remark:", "note:", "" };

void diags_init(Diags *diags, Arena *arena)
{
    *diags = (Diags){ .arena = arena };
}

static void add(Diags *diags, DiagLevel level, Span span, const char *format, va_list args)
{
    diags->errors += level == DIAG_ERROR;
    if (diags->errors > DIAG_MAX_ERRORS)
        return;
    const char *message = arena_vprintf(diags->arena, format, args);
    array_push(diags->arena, diags->list, diags->count, diags->capacity) =
        (Diag){ level, span, message };
}

#define COMPLAINT(name, level)                                                                     \
    bool diag_##name(Diags *diags, Span span, const char *format, ...)                             \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        add(diags, level, span, format, args);                                                     \
        va_end(args);                                                                              \
        return false;                                                                              \
    }
COMPLAINT(error, DIAG_ERROR)
COMPLAINT(warning, DIAG_WARNING)
COMPLAINT(remark, DIAG_REMARK)
COMPLAINT(note, DIAG_NOTE)
COMPLAINT(finding, DIAG_FINDING)

void diags_truncate(Diags *diags, size_t count)
{
    if (count >= diags->count)
        return;
    diags->count = count;
    diags->errors = 0;
    for (size_t i = 0; i < count; i++)
        diags->errors += diags->list[i].level == DIAG_ERROR;
}

/* ---- the excerpt ---------------------------------------------------------------------- */

/* A piece of one line: what is shown of it, and what of that is underlined. */
typedef struct Excerpt {
    const char *begin, *end;
    const char *mark, *mark_end;
    bool cut_before, cut_after;
} Excerpt;

/* The character after the one at `at`, which may be a byte that is none. */
static const char *next_char(const char *at, const char *end)
{
    size_t length = utf8_length(at, end);

    return at + (length ? length : 1);
}

/* At most `count` characters on from `at`. */
static const char *forward(const char *at, const char *end, int count)
{
    while (count-- > 0 && at < end)
        at = next_char(at, end);
    return at;
}

/* At most `count` characters back from `at`. */
static const char *back(const char *at, const char *begin, int count)
{
    while (count-- > 0 && at > begin) {
        do
            at--;
        while (at > begin && (*at & 0xc0) == 0x80);
    }
    return at;
}

static Excerpt excerpt_of(Span span, uint32_t line)
{
    const Source *source = span.source;
    const char *end = source->text + source->length;
    const char *begin = source->text + source->lines[line - 1];
    Excerpt it;

    if (line < source->line_count)
        end = source->text + source->lines[line];
    while (end > begin && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    if (line == 1 && end - begin >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3;
    it.mark = source->text + span.begin;
    it.mark = it.mark < begin ? begin : it.mark > end ? end : it.mark;
    it.begin = begin;
    if (forward(begin, end, WINDOW) < end)
        it.begin = back(it.mark, begin, WINDOW_BEFORE);
    it.end = forward(it.begin, end, WINDOW);
    it.cut_before = it.begin > begin;
    it.cut_after = it.end < end;
    it.mark_end = source->text + span.end;
    it.mark_end = it.mark_end > it.end ? it.end : it.mark_end;
    return it;
}

static void put_char(Buf *out, const char *at, const char *end)
{
    size_t length = utf8_length(at, end);

    if (*at == '\t')
        buf_putc(out, '\t');
    else if (!length || (unsigned char)*at < ' ' || *at == 0x7f)
        buf_puts(out, "\xef\xbf\xbd");
    else
        buf_put(out, at, length);
}

static void render_excerpt(Buf *out, const Excerpt *it, uint32_t line)
{
    buf_printf(out, "%5u |", (unsigned)line);
    if (it->begin < it->end)
        buf_puts(out, it->cut_before ? " ..." : " ");
    for (const char *at = it->begin; at < it->end; at = next_char(at, it->end))
        put_char(out, at, it->end);
    buf_puts(out, it->cut_after ? "...\n      | " : "\n      | ");

    if (it->cut_before)
        buf_puts(out, "   ");
    for (const char *at = it->begin; at < it->mark; at = next_char(at, it->end))
        buf_putc(out, *at == '\t' ? '\t' : ' ');
    buf_putc(out, '^');
    for (const char *at = forward(it->mark, it->end, 1); at < it->mark_end;
         at = next_char(at, it->end))
        buf_putc(out, '~');
    buf_putc(out, '\n');
}

static void render_one(Buf *out, const Diag *diag, Span span, SourcePlace place)
{
    const char *name = level_names[diag->level];

    if (span.source)
        buf_printf(out, "%s:%u:%u: ", span.source->name, (unsigned)place.line,
                   (unsigned)place.column);
    buf_printf(out, "%s%s%s\n", name, *name ? " " : "", diag->message);
}

/* Whether one before number `at` says the same of the same place. */
static bool was_said(const Diags *diags, size_t at)
{
    const Diag *diag = &diags->list[at];

    for (size_t i = 0; i < at; i++) {
        const Diag *before = &diags->list[i];
        if (before->level == diag->level && before->span.source == diag->span.source &&
            before->span.begin == diag->span.begin && before->span.end == diag->span.end &&
            strcmp(before->message, diag->message) == 0)
            return true;
    }
    return false;
}

/* An error is shown once, however often what it is in was read; so are its notes. */
void diags_render(const Diags *diags, Buf *out)
{
    const Source *shown = NULL;
    uint32_t shown_line = 0;
    bool again = false;

    for (size_t i = 0; i < diags->count; i++) {
        const Diag *diag = &diags->list[i];
        bool note = diag->level == DIAG_NOTE;
        again = note ? again : diag->level == DIAG_ERROR && was_said(diags, i);
        if (again && (!note || was_said(diags, i)))
            continue;
        const Span span = span_shown(diag->span);
        const Source *source = span.source;
        SourcePlace place = { 0, 0 };
        if (source)
            place = source_place(source, span.begin);
        render_one(out, diag, span, place);
        if (!source || (note && source == shown && place.line == shown_line))
            continue;
        Excerpt it = excerpt_of(span, place.line);
        render_excerpt(out, &it, place.line);
        shown = source;
        shown_line = place.line;
    }
    if (diags->errors > DIAG_MAX_ERRORS)
        buf_printf(out, "too many errors: the first %d are shown\n", DIAG_MAX_ERRORS);
}

/* ---- suggestions ---------------------------------------------------------------------- */

enum { NEAREST_MAX = 63 }; /* longer names are not compared */

static int least(int a, int b, int c)
{
    int ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* How many letters to add, drop, replace or swap with a neighbour to get from `a` to `b`; a
** change of case counts nothing, as long as something tells the two apart. */
static int distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][NEAREST_MAX + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];

    for (int j = 0; j <= b_length; j++)
        last[j] = j;
    for (int i = 1; i <= a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && a[i - 2] == b[j - 1] && a[i - 1] == b[j - 2])
                row[j] = least(row[j], before[j - 2] + 1, row[j]);
        }
        int *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_length];
}

/* The first candidate that goes on with further words where the name ends: `shfl_down_sync` of
** `shfl_down`. */
static const char *first_begun(const char *name, const char *const *candidates, size_t count)
{
    enum { LEAST = 3 };
    size_t length = strlen(name);

    for (size_t i = 0; length >= LEAST && i < count; i++)
        if (strncmp(name, candidates[i], length) == 0 && candidates[i][length] == '_')
            return candidates[i];
    return NULL;
}

const char *diag_nearest(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(name);
    int limit = length == 4 ? 1 : (int)(length + 2) / 3,
        best = limit + 1; /* of 4 letters, not half */

    if (length > NEAREST_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(candidates[i]);
        if (other > NEAREST_MAX || strcmp(name, candidates[i]) == 0)
            continue;
        int far = distance(name, (int)length, candidates[i], (int)other);
        /* Nothing of the name may be left: `x` is not near to `y`. */
        if (far < best && far < (int)(length > other ? length : other)) {
            best = far;
            nearest = candidates[i];
        }
    }
    return nearest ? nearest : first_begun(name, candidates, count);
}

/* Lines of the text: indented, broken at 100 columns, and where #line says they come from. */
#include "codegen/emit/emit.h"

#include <limits.h>

/* How well a line may be broken behind `text[i]`: 2 well, 1 if need be, 0 not at all. */
static int break_worth(const char *text, int i)
{
    if (text[i] != ' ' || i == 0)
        return 0;
    if (strchr(",;", text[i - 1]))
        return 2;
    if (i < 2 || !strchr(" &|", text[i - 2]))
        return 0;
    return strchr("?:+-|&", text[i - 1]) ? 2 : strchr("=*/", text[i - 1]) ? 1 : 0;
}

static bool opens(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* Where a line that is too long for `columns` is best broken: where the fewest brackets are open,
** and late; 0 if nowhere. */
static int break_column(const char *text, int columns)
{
    int depth = 0, best = 0, best_score = INT_MAX;
    bool quoted = false;

    for (int i = 0; text[i] && i < columns; i++) {
        int worth = quoted ? 0 : break_worth(text, i), score;
        if (text[i] == '\\' && quoted)
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += opens(text[i]) - closes(text[i]);
        score = 2 * depth - worth;
        if (i < columns / 3 || !worth || score > best_score)
            continue;
        best = i;
        best_score = score;
    }
    return best;
}

static void put_blanks(Buf *out, int count)
{
    static const char blanks[] = "                                ";
    const int most = (int)sizeof blanks - 1;

    for (; count > most; count -= most)
        buf_put(out, blanks, (size_t)most);
    buf_put(out, blanks, (size_t)count);
}

/* Puts a line at the depth, in pieces if it is beyond 100 columns. */
static void put_broken(Emitter *e, const char *text)
{
    enum { COLUMNS = 100 };
    int indent = 4 * e->depth;
    bool whole = *text == '#' || strchr(text, '\n') || (*text && text[strlen(text) - 1] == '\\');

    for (;;) {
        int length = (int)strlen(text), at = 0;
        if (!whole && indent + length > COLUMNS)
            at = break_column(text, COLUMNS - indent);
        put_blanks(e->out, indent);
        buf_put(e->out, text, (size_t)(at ? at : length));
        buf_putc(e->out, '\n');
        e->line++;
        if (!at)
            return;
        text += at + 1;
        indent = 4 * e->depth + 8;
    }
}

static void put_line(Emitter *e, const char *text)
{
    if (*text) {
        put_broken(e, text);
    } else {
        buf_putc(e->out, '\n');
        e->line++;
    }
    while ((text = strchr(text, '\n'))) {
        text++;
        e->line++;
    }
}

static void put_formatted(Emitter *e, const char *format, va_list args, const char *after)
{
    put_line(e, arena_printf(e->arena, "%s%s", arena_vprintf(e->arena, format, args), after));
}

void line(Emitter *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_formatted(e, format, args, "");
    va_end(args);
}

void open_block(Emitter *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_formatted(e, format, args, " {");
    va_end(args);
    e->depth++;
}

void close_block(Emitter *e, const char *after)
{
    e->depth--;
    line(e, "}%s", after);
}

/* ---- places ---------------------------------------------------------------------------- */

/* Puts #line; the name becomes a C string. */
static void put_location(Emitter *e, uint32_t number, const char *name)
{
    if (e->unit->unlined)
        return;
    buf_printf(e->out, "#line %u \"", number);
    for (const char *p = name, *plain = p; *p; plain = p) {
        while ((unsigned char)*p >= ' ' && *p != '"' && *p != '\\')
            p++;
        buf_put(e->out, plain, (size_t)(p - plain));
        if (*p == '"' || *p == '\\')
            buf_printf(e->out, "\\%c", *p);
        p += *p != 0;
    }
    buf_puts(e->out, "\"\n");
    e->line = number;
}

/* As emit_location(), but up to `late` lines too far is near enough. */
static void locate(Emitter *e, Span span, uint32_t late)
{
    enum { BLANKS_MAX = 3 };

    if (!span.source || e->unit->unlined)
        return;
    uint32_t wanted = source_place(span.source, span.begin).line;
    if (e->source == span.source && e->line >= wanted && e->line - wanted <= late)
        return;
    if (e->source != span.source || e->line > wanted || wanted - e->line > BLANKS_MAX)
        put_location(e, wanted, span.source->name);
    while (e->line < wanted)
        put_line(e, "");
    e->source = span.source;
}

void emit_location(Emitter *e, Span span)
{
    locate(e, span, 0);
}

void emit_place_near(Emitter *e, Span span)
{
    locate(e, span, 1);
}

bool emit_is_next_line(const Emitter *e, Span span)
{
    if (!span.source || e->source != span.source)
        return true;
    uint32_t wanted = source_place(span.source, span.begin).line;
    return wanted <= e->line + 1 || wanted - e->line > 4;
}

void emit_place_none(Emitter *e, const char *name)
{
    put_location(e, 1, name);
    e->source = NULL;
}

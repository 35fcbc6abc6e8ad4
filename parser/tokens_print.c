/* The form that `--emit tokens` shows. */
#include "lexer/lexer.h"
#include "parser/grammar.h"
#include "parser/parser.h"

/* A place that moves forward only, so that a line of any length is walked once. */
typedef struct Walk {
    const Source *source;
    uint32_t at;
    SourcePlace place;
} Walk;

static SourcePlace walk_to(Walk *walk, uint32_t offset)
{
    const Source *source = walk->source;

    while (walk->place.line < source->line_count && source->lines[walk->place.line] <= offset) {
        walk->at = source->lines[walk->place.line++];
        walk->place.column = 1;
    }
    if (walk->at == 0 && (unsigned char)source->text[0] == 0xef && offset >= 3)
        walk->at = 3; /* a byte order mark has no column */
    for (; walk->at < offset; walk->at++)
        walk->place.column += (source->text[walk->at] & 0xc0) != 0x80;
    return walk->place;
}

static void put_text(Buf *out, const char *text, size_t length)
{
    buf_puts(out, " '");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            buf_puts(out, "\\n");
        else if (c < ' ' || c == 0x7f)
            buf_printf(out, "\\x%02x", c);
        else
            buf_putc(out, (char)c);
    }
    buf_putc(out, '\'');
}

static bool has_text(int kind)
{
    return kind != 0 && kind != TK_NEWLINE && kind != TK_INDENT && kind != TK_DEDENT;
}

void tokens_print(Arena *arena, Buf *out, Diags *diags, const Source *source)
{
    Lexer lexer;
    Token token;
    Walk walk = { source, 0, { 1, 1 } };

    (void)arena;
    if (!lexer_init(&lexer, diags, source, true))
        return;
    do {
        token = lexer_next(&lexer);
        SourcePlace place = walk_to(&walk, token.begin);
        buf_printf(out, "%u:%u %s", (unsigned)place.line, (unsigned)place.column,
                   token_name(token.kind));
        if (has_text(token.kind))
            put_text(out, source->text + token.begin, token.end - token.begin);
        buf_putc(out, '\n');
    } while (token.kind != 0);
}

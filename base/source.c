/* Texts and places in them.
**
** A place is a byte offset; lines are found by bisecting a table made once, columns by counting
** characters from the line's start. Lines end as in Python: with LF, CR LF or a lone CR. */
#include "base/encoding.h"

static const char BOM[] = "\xef\xbb\xbf";

/* The first byte of the line after the one `at` stands in, NULL if that is the last. */
static const char *next_line(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '\n' || (*at == '\r' && (at + 1 == end || at[1] != '\n')))
            return at + 1;
    }
    return NULL;
}

/* Writes the lines' offsets to `lines`, if there is one, and counts them. */
static uint32_t index_lines(const char *text, size_t length, uint32_t *lines)
{
    uint32_t count = 0;

    for (const char *at = text; at; at = next_line(at, text + length)) {
        if (lines)
            lines[count] = (uint32_t)(at - text);
        count++;
    }
    return count;
}

Source *source_new(Arena *arena, const char *name, const char *text, size_t length)
{
    Source *source = arena_new(arena, Source);

    source->name = arena_strdup(arena, name);
    text = arena_strndup(arena, text, length);
    source->text = text = encoding_to_utf8(arena, text, &length);
    source->length = length;
    source->line_count = index_lines(source->text, length, NULL);
    source->lines = arena_array(arena, uint32_t, source->line_count);
    index_lines(source->text, length, source->lines);
    return source;
}

SourcePlace source_place(const Source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->line_count, column = 1;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    uint32_t at = source->lines[low];
    if (at == 0 && offset >= 3 && strncmp(source->text, BOM, 3) == 0)
        at = 3;
    for (; at < offset && at < source->length; at++)
        column += (source->text[at] & 0xc0) != 0x80;
    return (SourcePlace){ low + 1, column };
}

Span span_shown(Span span)
{
    const Source *source = span.source;
    return source && source->shown ? (Span){ source->shown, source->shown_begin, source->shown_end }
                                   : span;
}

Span span_join(Span a, Span b)
{
    return (Span){ a.source, a.begin, b.end };
}

uint32_t utf8_decode(const char *text, size_t length)
{
    uint32_t code = (unsigned char)text[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

size_t utf8_encode(uint32_t code, char text[4])
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3f));
    text[0] = (char)(length == 1 ? code : (0xf00u >> length & 0xff) | code);
    return length;
}

void buf_put_character(Buf *out, uint32_t code)
{
    char text[4];
    buf_put(out, text, utf8_encode(code, text));
}

size_t utf8_length(const char *text, const char *end)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t left = (size_t)(end - text);
    size_t length = left == 0      ? 0
                    : *byte < 0x80 ? 1
                    : *byte < 0xc2 ? 0
                    : *byte < 0xe0 ? 2
                    : *byte < 0xf0 ? 3
                    : *byte < 0xf5 ? 4
                                   : 0;

    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Overlong forms, surrogates, and what lies beyond the last code point. */
    if ((*byte == 0xe0 && byte[1] < 0xa0) || (*byte == 0xed && byte[1] > 0x9f) ||
        (*byte == 0xf0 && byte[1] < 0x90) || (*byte == 0xf4 && byte[1] > 0x8f))
        return 0;
    return length;
}

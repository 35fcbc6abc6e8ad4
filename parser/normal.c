/* Names as Python compares them, in Unicode's form NFKC: letters that are others in another dress
** become these. Those that programs are written with are here: Greek symbols, letters of formulas,
** ligatures and full widths; composing accents, and scripts' own forms, are left as they stand. */
#include "parser/build.h"

/* Greek letters of formulas in the order of each of their alphabets; 0 where an operator stands. */
static const uint16_t greek[] = {
    0x391, 0x392, 0x393, 0x394, 0x395, 0x396, 0x397, 0x398, 0x399, 0x39a, 0x39b, 0x39c,
    0x39d, 0x39e, 0x39f, 0x3a0, 0x3a1, 0x398, 0x3a3, 0x3a4, 0x3a5, 0x3a6, 0x3a7, 0x3a8,
    0x3a9, 0,     0x3b1, 0x3b2, 0x3b3, 0x3b4, 0x3b5, 0x3b6, 0x3b7, 0x3b8, 0x3b9, 0x3ba,
    0x3bb, 0x3bc, 0x3bd, 0x3be, 0x3bf, 0x3c0, 0x3c1, 0x3c2, 0x3c3, 0x3c4, 0x3c5, 0x3c6,
    0x3c7, 0x3c8, 0x3c9, 0,     0x3b5, 0x3b8, 0x3ba, 0x3c6, 0x3c1, 0x3c0,
};

static const struct {
    uint16_t from;
    const char *to;
} singles[] = {
    { 0xaa, "a" },          { 0xb5, "\xce\xbc" },   { 0xba, "o" },         { 0x17f, "s" },
    { 0x3d0, "\xce\xb2" },  { 0x3d1, "\xce\xb8" },  { 0x3d2, "\xce\xa5" }, { 0x3d5, "\xcf\x86" },
    { 0x3d6, "\xcf\x80" },  { 0x3f0, "\xce\xba" },  { 0x3f1, "\xcf\x81" }, { 0x3f2, "\xcf\x82" },
    { 0x3f4, "\xce\x98" },  { 0x3f5, "\xce\xb5" },  { 0x3f9, "\xce\xa3" }, { 0x2102, "C" },
    { 0x210a, "g" },        { 0x210b, "H" },        { 0x210c, "H" },       { 0x210d, "H" },
    { 0x210e, "h" },        { 0x210f, "\xc4\xa7" }, { 0x2110, "I" },       { 0x2111, "I" },
    { 0x2112, "L" },        { 0x2113, "l" },        { 0x2115, "N" },       { 0x2119, "P" },
    { 0x211a, "Q" },        { 0x211b, "R" },        { 0x211c, "R" },       { 0x211d, "R" },
    { 0x2124, "Z" },        { 0x2126, "\xce\xa9" }, { 0x2128, "Z" },       { 0x212a, "K" },
    { 0x212b, "\xc3\x85" }, { 0x212c, "B" },        { 0x212d, "C" },       { 0x212f, "e" },
    { 0x2130, "E" },        { 0x2131, "F" },        { 0x2133, "M" },       { 0x2134, "o" },
    { 0x2139, "i" },        { 0x2145, "D" },        { 0x2146, "d" },       { 0x2147, "e" },
    { 0x2148, "i" },        { 0x2149, "j" },        { 0xfb00, "ff" },      { 0xfb01, "fi" },
    { 0xfb02, "fl" },       { 0xfb03, "ffi" },      { 0xfb04, "ffl" },     { 0xfb05, "st" },
    { 0xfb06, "st" },
};

/* Subscripts 1D62..1D6A and 2090..209C, which are letters too. */
static const char subscripts[] = "iruv", low[] = "aeoxehklmnpst";

/* The letter of one alphabet that a letter of a formula or of full width is; 0: it is none. */
static uint32_t plain_letter(uint32_t code)
{
    if (code >= 0x1d400 && code <= 0x1d6a3) {
        uint32_t letter = (code - 0x1d400) % 52;
        return letter < 26 ? 'A' + letter : 'a' + letter - 26;
    }
    if (code >= 0x1d6a4 && code <= 0x1d6a5)
        return code == 0x1d6a4 ? 0x131 : 0x237;
    if (code >= 0x1d6a8 && code <= 0x1d7c9)
        return greek[(code - 0x1d6a8) % 58];
    if (code >= 0x1d7ce && code <= 0x1d7ff)
        return '0' + (code - 0x1d7ce) % 10;
    if (code >= 0xff10 && code <= 0xff5a)
        return code - 0xfee0;
    if (code >= 0x1d62 && code <= 0x1d65)
        return (unsigned char)subscripts[code - 0x1d62];
    if (code >= 0x2090 && code <= 0x209c && code != 0x2094)
        return (unsigned char)low[code - 0x2090];
    return 0;
}

static void put_normal(Buf *out, const char *at, size_t length)
{
    uint32_t code = utf8_decode(at, length), letter = plain_letter(code);
    for (size_t i = 0; !letter && i < ARRAY_COUNT(singles); i++)
        if (singles[i].from == code) {
            buf_puts(out, singles[i].to);
            return;
        }
    if (letter)
        buf_put_character(out, letter);
    else
        buf_put(out, at, length);
}

const char *name_normal(Arena *arena, const char *text, size_t length)
{
    const char *end = text + length;
    bool plain = true;
    for (const char *at = text; at < end; at++)
        plain &= (unsigned char)*at < 0x80;
    if (plain)
        return arena_strndup(arena, text, length);
    Buf out = buf_in(arena);
    for (const char *at = text; at < end;) {
        size_t bytes = (unsigned char)*at < 0x80 ? 1 : utf8_length(at, end);
        bytes = bytes ? bytes : 1;
        if (bytes == 1)
            buf_putc(&out, *at);
        else
            put_normal(&out, at, bytes);
        at += bytes;
    }
    return buf_text(&out);
}

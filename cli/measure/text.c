#include "cli/measure/text.h"

#include <stddef.h>

/* The bytes of the character that a text begins with; 0 if it begins with none. */
static size_t character(const char *text)
{
    static const struct {
        unsigned char from, to, second_from, second_to; /* the first two bytes */
        size_t length;
    } forms[] = {
        { 0x01, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    const unsigned char *bytes = (const unsigned char *)text;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (bytes[0] < forms[i].from || bytes[0] > forms[i].to)
            continue;
        if (forms[i].length > 1 &&
            (bytes[1] < forms[i].second_from || bytes[1] > forms[i].second_to))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

bool text_is_utf8(const char *text)
{
    while (*text) {
        size_t length = character(text);
        if (!length)
            return false;
        text += length;
    }
    return true;
}

void text_make_utf8(char *text)
{
    while (*text) {
        size_t length = character(text);
        if (!length)
            *text = '?';
        text += length ? length : 1;
    }
}

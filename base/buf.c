/* Text that grows at its end, in an arena. */
#include "base/base.h"

/* Makes room for `length` more bytes and the NUL. */
static void reserve(Buf *buf, size_t length)
{
    size_t capacity = buf->capacity ? buf->capacity : 256;

    if (buf->text && buf->capacity - buf->length > length)
        return;
    while (capacity - buf->length <= length)
        capacity *= 2;
    buf->text = arena_grow(buf->arena, buf->text, buf->length, capacity);
    buf->capacity = capacity;
}

void buf_put(Buf *buf, const char *text, size_t length)
{
    reserve(buf, length);
    if (length)
        memcpy(buf->text + buf->length, text, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void buf_puts(Buf *buf, const char *text)
{
    buf_put(buf, text, strlen(text));
}

void buf_putc(Buf *buf, char c)
{
    buf_put(buf, &c, 1);
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

void buf_vprintf(Buf *buf, const char *format, va_list args)
{
    va_list again;

    reserve(buf, 64);
    va_copy(again, args);
    size_t room = buf->capacity - buf->length;
    int length = print_text(buf->text + buf->length, room, format, again);
    va_end(again);
    if (length < 0)
        length = 0;
    if ((size_t)length >= room) {
        reserve(buf, (size_t)length);
        print_text(buf->text + buf->length, (size_t)length + 1, format, args);
    }
    buf->length += (size_t)length;
    buf->text[buf->length] = '\0';
}

const char *buf_text(const Buf *buf)
{
    return buf->text ? buf->text : "";
}

bool text_is_among(const char *text, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, texts[i]) == 0)
            return true;
    return false;
}

#include "base/strings.h"

#include "base/format.h"

#include <ctype.h>

/* ---- values ---------------------------------------------------------------------------------- */

static StringValue text_of(const char *text, size_t length)
{
    return (StringValue){ .kind = STRING_TEXT, .text = text, .length = length };
}

static StringValue text_of_buf(const Buf *buf)
{
    return text_of(buf_text(buf), buf->length);
}

static StringValue truth(bool holds)
{
    return (StringValue){ .kind = STRING_TRUTH, .number = holds };
}

static StringValue number(int64_t value)
{
    return (StringValue){ .kind = STRING_NUMBER, .number = value };
}

static bool raise(StringCall *call, const char *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool raise(StringCall *call, const char *error, const char *format, ...)
{
    va_list args;
    Buf text = buf_in(call->arena);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    call->error = error;
    call->message = buf_text(&text);
    return false;
}

static bool text_arg(StringCall *call, int index)
{
    return call->args[index].kind == STRING_TEXT ||
           raise(call, "TypeError", "must be str, not %s", call->args[index].type);
}

static bool number_arg(StringCall *call, int index, int64_t otherwise, int64_t *value)
{
    const StringValue *arg = &call->args[index];
    *value = arg->kind == STRING_NONE ? otherwise : arg->number;
    return (arg->kind == STRING_NONE && index >= call->count) || arg->kind == STRING_NUMBER ||
           arg->kind == STRING_TRUTH ||
           raise(call, "TypeError", "'%s' object cannot be interpreted as an integer", arg->type);
}

/* A list that grows. */
typedef struct Parts {
    StringCall *call;
    StringValue *out;
    int capacity;
} Parts;

static void add_part(Parts *parts, const char *begin, const char *end)
{
    StringValue *out = parts->out;
    array_push(parts->call->arena, out->items, out->count, parts->capacity) =
        text_of(begin, (size_t)(end - begin));
}

/* ---- searches -------------------------------------------------------------------------------- */

static const char *find(const char *at, const char *end, const StringValue *part)
{
    return part->length ? memmem(at, (size_t)(end - at), part->text, part->length) : at;
}

static const char *find_last(const StringValue *text, const StringValue *part)
{
    for (size_t left = text->length + 1; left-- > part->length;)
        if (memcmp(text->text + left - part->length, part->text, part->length) == 0)
            return text->text + left - part->length;
    return NULL;
}

/* find, index, rfind and rindex: the character at which a part begins. */
static bool method_found(StringCall *call, StringValue *out)
{
    const StringValue *self = &call->self, *part = &call->args[0];
    const bool last = *call->method == 'r', raises = strstr(call->method, "index");
    if (!text_arg(call, 0))
        return false;
    const char *at =
        last ? find_last(self, part) : find(self->text, self->text + self->length, part);
    *out = number(at ? (int64_t)format_characters(self->text, (size_t)(at - self->text)) : -1);
    return at || !raises || raise(call, "ValueError", "substring not found");
}

static bool method_counted(StringCall *call, StringValue *out)
{
    const StringValue *self = &call->self, *part = &call->args[0];
    const char *at = self->text, *end = at + self->length;
    if (!text_arg(call, 0))
        return false;
    *out = number(0);
    if (!part->length)
        out->number = (int64_t)format_characters(self->text, self->length) + 1;
    while (part->length && (at = find(at, end, part))) {
        out->number++;
        at += part->length;
    }
    return true;
}

/* Whether a part is the text's front, or its end. */
static bool stands_at(const StringValue *text, const StringValue *part, bool front)
{
    return part->length <= text->length &&
           memcmp(text->text + (front ? 0 : text->length - part->length), part->text,
                  part->length) == 0;
}

/* startswith and endswith, with a text or one of several. */
static bool method_has_end(StringCall *call, StringValue *out)
{
    const StringValue *given = &call->args[0];
    const bool several = given->kind == STRING_TUPLE;
    *out = truth(false);
    for (int i = 0; i < (several ? given->count : 1); i++) {
        const StringValue *part = several ? &given->items[i] : given;
        if (part->kind != STRING_TEXT)
            return raise(call, "TypeError", "%s first arg must be str or a tuple of str, not %s",
                         call->method, part->type);
        out->number |= stands_at(&call->self, part, *call->method == 's');
    }
    return true;
}

/* removeprefix and removesuffix: as it is if that is not there. */
static bool method_removed(StringCall *call, StringValue *out)
{
    const bool front = call->method[strlen("remove")] == 'p';
    if (!text_arg(call, 0))
        return false;
    const size_t less = stands_at(&call->self, &call->args[0], front) ? call->args[0].length : 0;
    *out = text_of(call->self.text + (front ? less : 0), call->self.length - less);
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

/* Words between blanks; from the last on, all that is left. */
static void split_blanks(Parts *parts, const char *at, const char *end, int64_t most)
{
    while (at < end) {
        while (at < end && is_blank(*at))
            at++;
        const char *begin = at;
        if (parts->out->count == most)
            at = end;
        while (at < end && !is_blank(*at))
            at++;
        if (at > begin)
            add_part(parts, begin, at);
    }
}

static bool method_split(StringCall *call, StringValue *out)
{
    const char *at = call->self.text, *end = at + call->self.length, *next;
    const StringValue *by = &call->args[0];
    Parts parts = { call, out, 0 };
    int64_t most;
    *out = (StringValue){ .kind = STRING_LIST };
    if (!number_arg(call, 1, -1, &most))
        return false;
    if (by->kind == STRING_NONE) {
        split_blanks(&parts, at, end, most);
        return true;
    }
    if (!text_arg(call, 0))
        return false;
    if (!by->length)
        return raise(call, "ValueError", "empty separator");
    while (most-- != 0 && (next = find(at, end, by))) {
        add_part(&parts, at, next);
        at = next + by->length;
    }
    add_part(&parts, at, end);
    return true;
}

static bool ends_line(char c)
{
    return (c >= '\n' && c <= '\r') || (c >= '\x1c' && c <= '\x1e');
}

static bool method_lines(StringCall *call, StringValue *out)
{
    const char *at = call->self.text, *end = at + call->self.length;
    Parts parts = { call, out, 0 };
    *out = (StringValue){ .kind = STRING_LIST };
    while (at < end) {
        const char *begin = at;
        while (at < end && !ends_line(*at))
            at++;
        add_part(&parts, begin, at);
        at += at + 1 < end && at[0] == '\r' && at[1] == '\n' ? 2 : 1;
    }
    return true;
}

/* What is before a separator, it, and what is behind it. */
static bool method_parted(StringCall *call, StringValue *out)
{
    const StringValue *self = &call->self, *by = &call->args[0];
    const char *begin = self->text, *end = begin + self->length;
    const bool last = *call->method == 'r';
    Parts parts = { call, out, 0 };
    *out = (StringValue){ .kind = STRING_TUPLE };
    if (!text_arg(call, 0))
        return false;
    if (!by->length)
        return raise(call, "ValueError", "empty separator");
    const char *at = last ? find_last(self, by) : find(begin, end, by);
    const char *from = at ? at : last ? begin : end, *to = at ? at + by->length : from;
    add_part(&parts, begin, from);
    add_part(&parts, from, to);
    add_part(&parts, to, end);
    return true;
}

/* The bytes of a character. */
static size_t character_at(const char *at, const char *end)
{
    const size_t length = utf8_length(at, end);
    return length ? length : 1;
}

/* The characters of a text, as it is gone through. */
static StringValue characters(StringCall *call, const StringValue *text)
{
    StringValue list = { .kind = STRING_LIST };
    Parts parts = { call, &list, 0 };
    for (const char *at = text->text, *end = at + text->length, *next; at < end; at = next) {
        next = at + character_at(at, end);
        add_part(&parts, at, next);
    }
    return list;
}

static bool method_joined(StringCall *call, StringValue *out)
{
    const StringValue *arg = &call->args[0];
    const StringValue given = arg->kind == STRING_TEXT ? characters(call, arg) : *arg;
    if (given.kind != STRING_LIST && given.kind != STRING_TUPLE)
        return raise(call, "TypeError", "can only join an iterable");
    Buf text = buf_in(call->arena);
    for (int i = 0; i < given.count; i++) {
        if (given.items[i].kind != STRING_TEXT)
            return raise(call, "TypeError", "sequence item %d: expected str instance, %s found", i,
                         given.items[i].type);
        if (i)
            buf_put(&text, call->self.text, call->self.length);
        buf_put(&text, given.items[i].text, given.items[i].length);
    }
    *out = text_of_buf(&text);
    return true;
}

/* ---- other texts ----------------------------------------------------------------------------- */

/* Of nothing, what stands before each character and behind the last. */
static bool method_replaced(StringCall *call, StringValue *out)
{
    const char *at = call->self.text, *end = at + call->self.length, *next;
    const StringValue *from = &call->args[0], *to = &call->args[1];
    int64_t most;
    if (!text_arg(call, 0) || !text_arg(call, 1) || !number_arg(call, 2, -1, &most))
        return false;
    Buf text = buf_in(call->arena);
    while (most-- != 0 && (next = find(at, end, from))) {
        buf_put(&text, at, (size_t)(next - at));
        buf_put(&text, to->text, to->length);
        at = next + from->length;
        if (!from->length && at == end)
            break;
        const size_t character = from->length ? 0 : character_at(at, end);
        buf_put(&text, at, character);
        at += character;
    }
    buf_put(&text, at, (size_t)(end - at));
    *out = text_of_buf(&text);
    return true;
}

static bool strips(const StringCall *call, const char *at, size_t length)
{
    const StringValue *set = &call->args[0];
    return set->kind == STRING_NONE ? is_blank(*at)
                                    : memmem(set->text, set->length, at, length) != NULL;
}

/* strip, lstrip and rstrip. */
static bool method_stripped(StringCall *call, StringValue *out)
{
    const char *begin = call->self.text, *end = begin + call->self.length;
    const bool left = *call->method != 'r', right = *call->method != 'l';
    if (call->args[0].kind != STRING_NONE && !text_arg(call, 0))
        return false;
    while (left && begin < end && strips(call, begin, character_at(begin, end)))
        begin += character_at(begin, end);
    for (const char *last; right && begin < end; end = last) {
        for (last = end - 1; last > begin && (*last & 0xc0) == 0x80;)
            last--;
        if (!strips(call, last, (size_t)(end - last)))
            break;
    }
    *out = text_of(begin, (size_t)(end - begin));
    return true;
}

static bool width_arg(StringCall *call, int64_t *width)
{
    return number_arg(call, 0, 0, width) &&
           (*width <= STRING_WIDTH_MOST ||
            raise(call, "MemoryError", "a text of %lld characters is too long", (long long)*width));
}

static void repeat(Buf *text, const char *part, size_t length, int64_t count)
{
    while (count-- > 0)
        buf_put(text, part, length);
}

/* ljust, rjust and center: of that, what is odd goes to the left where the width is odd, too. */
static bool method_justified(StringCall *call, StringValue *out)
{
    const StringValue *self = &call->self;
    StringValue fill = call->count > 1 ? call->args[1] : text_of(" ", 1);
    int64_t width;
    Buf text;
    if (!width_arg(call, &width))
        return false;
    if (fill.kind != STRING_TEXT)
        return raise(call, "TypeError", "The fill character must be a unicode character, not %s",
                     fill.type);
    if (format_characters(fill.text, fill.length) != 1)
        return raise(call, "TypeError", "The fill character must be exactly one character long");
    int64_t room = width - (int64_t)format_characters(self->text, self->length);
    room = room > 0 ? room : 0;
    int64_t left = *call->method == 'l'   ? 0
                   : *call->method == 'r' ? room
                                          : room / 2 + (room & width & 1);
    text = buf_in(call->arena);
    repeat(&text, fill.text, fill.length, left);
    buf_put(&text, self->text, self->length);
    repeat(&text, fill.text, fill.length, room - left);
    *out = text_of_buf(&text);
    return true;
}

static bool method_filled(StringCall *call, StringValue *out)
{
    const StringValue *self = &call->self;
    int64_t width;
    Buf text;
    if (!width_arg(call, &width))
        return false;
    size_t sign = self->length && memchr("+-", self->text[0], 2) ? 1 : 0;
    text = buf_in(call->arena);
    buf_put(&text, self->text, sign);
    repeat(&text, "0", 1, width - (int64_t)format_characters(self->text, self->length));
    buf_put(&text, self->text + sign, self->length - sign);
    *out = text_of_buf(&text);
    return true;
}

/* ---- letters --------------------------------------------------------------------------------- */

static bool is_ascii(StringCall *call)
{
    for (size_t i = 0; i < call->self.length; i++)
        if (call->self.text[i] & 0x80)
            return raise(call, "NotImplementedError",
                         "%s() knows the letters of ASCII alone: take the others out first",
                         call->method);
    return true;
}

/* upper, lower, casefold, capitalize, title and swapcase. */
static bool method_cased(StringCall *call, StringValue *out)
{
    const char kind = *call->method;
    char *made = arena_strndup(call->arena, call->self.text, call->self.length);
    bool first = kind == 't' || strcmp(call->method, "capitalize") == 0;
    for (size_t i = 0; i < call->self.length; i++) {
        const int c = (unsigned char)made[i];
        const bool upper = kind == 's' ? islower(c) != 0 : kind == 'u' || first;
        made[i] = (char)(upper ? toupper(c) : tolower(c));
        first = kind == 't' && !isalpha(c);
    }
    *out = text_of(made, call->self.length);
    return is_ascii(call);
}

static int is_white(int c)
{
    return is_blank((char)c);
}

static bool all_are(const StringValue *text, int test(int))
{
    for (size_t i = 0; i < text->length; i++)
        if (!test((unsigned char)text->text[i]))
            return false;
    return text->length > 0;
}

/* Whether there are letters, and none is of the other case. */
static bool has_case(const StringValue *text, int other(int))
{
    bool letters = false;
    for (size_t i = 0; i < text->length; i++) {
        if (other((unsigned char)text->text[i]))
            return false;
        letters |= isalpha((unsigned char)text->text[i]) != 0;
    }
    return letters;
}

static bool method_consists(StringCall *call, StringValue *out)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } rows[] = { { "isdigit", isdigit }, { "isdecimal", isdigit }, { "isnumeric", isdigit },
                 { "isalpha", isalpha }, { "isalnum", isalnum },   { "isspace", is_white } };
    *out = truth(has_case(&call->self, strcmp(call->method, "islower") == 0 ? isupper : islower));
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].name, call->method) == 0)
            *out = truth(all_are(&call->self, rows[i].is));
    return is_ascii(call);
}

const StringMethod *string_find(const char *name)
{
    static const StringMethod methods[] = {
#define METHOD(name, least, most, keywords, compute) { name, least, most, compute },
        STRING_METHODS(METHOD)
#undef METHOD
    };
    for (size_t i = 0; i < ARRAY_COUNT(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

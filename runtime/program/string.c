/* Methods of texts. */
#include "runtime/program/program.h"

#include <ctype.h>

static bool string_of(Program *p, HostValue value, const HostString **out)
{
    *out = value.string;
    return value.kind == HOST_STRING ||
           host_fail(p, "TypeError", "must be str, not %s", host_type_name(p, value));
}

static bool string_arg(Program *p, const HostArgs *args, size_t index, const HostString **out)
{
    return string_of(p, args->values[index], out);
}

static bool string_join(Program *p, HostArgs *args, HostValue *out)
{
    HostValue items;
    Buf text;
    if (!host_is_iterable(args->values[0]))
        return host_fail(p, "TypeError", "can only join an iterable");
    if (!host_collect(p, HOST_LIST, args->values[0], &items))
        return false;
    buf_init(&text, &p->scratch);
    for (size_t i = 0; i < items.list->count; i++) {
        HostValue item = items.list->items[i];
        if (item.kind != HOST_STRING)
            return host_fail(p, "TypeError", "sequence item %zu: expected str instance, %s found",
                             i, host_type_name(p, item));
        if (i)
            buf_put(&text, args->self.string->text, args->self.string->length);
        buf_put(&text, item.string->text, item.string->length);
    }
    *out = host_buf(p, &text);
    return true;
}

/* How often split() and replace() do it at the most: below 0, as often as there is something. */
static bool limit_of(Program *p, const HostArgs *args, size_t index, const char *name,
                     int64_t *most)
{
    return host_integer(p, args_get(args, index, name, host_int(-1)), most);
}

static bool split_blanks(Program *p, const HostString *string, int64_t most, HostList *list)
{
    const char *at = string->text, *end = at + string->length;
    while (at < end) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        const char *begin = at;
        if ((int64_t)list->count == most)
            at = end;
        while (at < end && !isspace((unsigned char)*at))
            at++;
        if (at > begin)
            host_append(p, list, host_string(p, begin, (size_t)(at - begin)));
    }
    return true;
}

static bool string_split(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *by;
    const char *at = string->text, *end = at + string->length, *next;
    int64_t most;
    *out = host_items(p, HOST_LIST, NULL, 0);
    if (!limit_of(p, args, 1, "maxsplit", &most))
        return false;
    const HostValue separator = args_get(args, 0, "sep", host_none());
    if (separator.kind == HOST_NONE)
        return split_blanks(p, string, most, out->list);
    if (!string_of(p, separator, &by))
        return false;
    if (!by->length)
        return host_fail(p, "ValueError", "empty separator");
    while (most-- != 0 && (next = memmem(at, (size_t)(end - at), by->text, by->length))) {
        host_append(p, out->list, host_string(p, at, (size_t)(next - at)));
        at = next + by->length;
    }
    host_append(p, out->list, host_string(p, at, (size_t)(end - at)));
    return true;
}

static bool in_set(const HostArgs *args, char c)
{
    if (!args->count || args->values[0].kind != HOST_STRING)
        return isspace((unsigned char)c);
    const HostString *set = args->values[0].string;
    return memchr(set->text, c, set->length) != NULL;
}

static bool string_splitlines(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string;
    const char *at = string->text, *end = at + string->length;
    *out = host_items(p, HOST_LIST, NULL, 0);
    while (at < end) {
        size_t length = strcspn(at, "\r\n");
        host_append(p, out->list, host_string(p, at, length));
        at += length;
        at += at[0] == '\r' && at[1] == '\n' ? 2 : at < end;
    }
    return true;
}

/* strip, lstrip and rstrip. */
static bool string_strip(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string;
    const char side = args->builtin->name[strlen("str.")];
    const bool left = side != 'r', right = side != 'l';
    const char *begin = string->text, *end = begin + string->length;
    while (left && begin < end && in_set(args, *begin))
        begin++;
    while (right && begin < end && in_set(args, end[-1]))
        end--;
    *out = host_string(p, begin, (size_t)(end - begin));
    return true;
}

static bool string_replace(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *from, *to;
    const char *at = string->text, *end = at + string->length, *next;
    int64_t most;
    Buf text;
    if (!string_arg(p, args, 0, &from) || !string_arg(p, args, 1, &to) ||
        !limit_of(p, args, 2, NULL, &most))
        return false;
    if (!from->length)
        return host_fail(p, "NotImplementedError", "nothing cannot be replaced: write a loop");
    buf_init(&text, &p->scratch);
    while (most-- != 0 && (next = memmem(at, (size_t)(end - at), from->text, from->length))) {
        buf_put(&text, at, (size_t)(next - at));
        buf_put(&text, to->text, to->length);
        at = next + from->length;
    }
    buf_put(&text, at, (size_t)(end - at));
    *out = host_buf(p, &text);
    return true;
}

/* Letters are those of ASCII alone. */
static bool is_ascii(Program *p, const HostArgs *args)
{
    const HostString *string = args->self.string;
    for (size_t i = 0; i < string->length; i++)
        if (string->text[i] & 0x80)
            return host_fail(p, "NotImplementedError",
                             "%s() knows the letters of ASCII alone: take the others out first",
                             args->builtin->name + strlen("str."));
    return true;
}

/* upper, lower and casefold. */
static bool string_cased(Program *p, HostArgs *args, HostValue *out)
{
    int (*const change)(int) = strcmp(args->builtin->name, "str.upper") == 0 ? toupper : tolower;
    if (!is_ascii(p, args))
        return false;
    *out = host_string(p, args->self.string->text, args->self.string->length);
    for (size_t i = 0; i < out->string->length; i++)
        out->string->text[i] = (char)change((unsigned char)out->string->text[i]);
    return true;
}

/* startswith and endswith, with a text or one of several. */
static bool string_has_end(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string;
    const HostValue given = args->values[0];
    const char *name = args->builtin->name + strlen("str.");
    const bool several = given.kind == HOST_TUPLE;
    *out = host_bool(false);
    for (size_t i = 0; i < (several ? given.list->count : 1); i++) {
        const HostValue part = several ? given.list->items[i] : given;
        if (part.kind != HOST_STRING)
            return host_fail(p, "TypeError", "%s first arg must be str or a tuple of str, not %s",
                             name, host_type_name(p, part));
        const size_t length = part.string->length, all = string->length;
        const char *at = string->text + (*name == 's' || length > all ? 0 : all - length);
        if (length <= all && memcmp(at, part.string->text, length) == 0)
            *out = host_bool(true);
    }
    return true;
}

/* The character at which a text begins in another, or -1. */
static bool find(Program *p, const HostArgs *args, int64_t *at)
{
    const HostString *string = args->self.string, *part;
    if (!string_arg(p, args, 0, &part))
        return false;
    const char *found = part->length
                            ? memmem(string->text, string->length, part->text, part->length)
                            : string->text;
    *at = found ? 0 : -1;
    for (const char *c = string->text; found && c < found; c++)
        *at += ((unsigned char)*c & 0xc0) != 0x80;
    return true;
}

static bool string_find(Program *p, HostArgs *args, HostValue *out)
{
    int64_t at;
    bool fine = find(p, args, &at);
    *out = host_int(fine ? at : -1);
    return fine;
}

static bool string_index(Program *p, HostArgs *args, HostValue *out)
{
    return string_find(p, args, out) &&
           (out->integer >= 0 || host_fail(p, "ValueError", "substring not found"));
}

static bool string_count(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *part;
    const char *at = string->text, *end = at + string->length;
    int64_t count = 0;
    if (!string_arg(p, args, 0, &part))
        return false;
    while (part->length && (at = memmem(at, (size_t)(end - at), part->text, part->length))) {
        count++;
        at += part->length;
    }
    *out = host_int(count);
    return true;
}

static bool width_of(Program *p, const HostArgs *args, int64_t *width)
{
    if (!host_integer(p, args->values[0], width))
        return false;
    return *width <= HOST_ITEMS_MOST ||
           host_fail(p, "MemoryError", "a text of %lld characters is too long", (long long)*width);
}

/* ljust and rjust. */
static bool string_just(Program *p, HostArgs *args, HostValue *out)
{
    const char *spec = strcmp(args->builtin->name, "str.ljust") == 0 ? "<" : ">";
    int64_t width;
    Buf text;
    if (!width_of(p, args, &width))
        return false;
    HostValue fill = args->count > 1 ? args->values[1] : host_text(p, " ");
    if (fill.kind != HOST_STRING)
        return host_fail(p, "TypeError", "The fill character must be a unicode character, not %s",
                         host_type_name(p, fill));
    const char *form = arena_printf(&p->scratch, "%s%s%lld", fill.string->text, spec,
                                    (long long)(width > 0 ? width : 0));
    buf_init(&text, &p->scratch);
    if (!host_format(p, args->self, form, strlen(form), &text))
        return false;
    *out = host_buf(p, &text);
    return true;
}

static bool string_zfill(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string;
    int64_t width, length;
    Buf text;
    if (!width_of(p, args, &width) || !host_length(p, args->self, &length))
        return false;
    size_t sign = string->length && strchr("+-", string->text[0]) ? 1 : 0;
    buf_init(&text, &p->scratch);
    buf_put(&text, string->text, sign);
    for (int64_t i = length; i < width; i++)
        buf_putc(&text, '0');
    buf_put(&text, string->text + sign, string->length - sign);
    *out = host_buf(p, &text);
    return true;
}

/* Python's centre: what is odd goes to the left where the width is odd, too. */
static bool string_center(Program *p, HostArgs *args, HostValue *out)
{
    int64_t width, length;
    Buf text;
    if (!width_of(p, args, &width) || !host_length(p, args->self, &length))
        return false;
    const char *fill =
        args->count > 1 && args->values[1].kind == HOST_STRING ? args->values[1].string->text : " ";
    int64_t room = width > length ? width - length : 0;
    int64_t left = room / 2 + (room & width & 1);
    buf_init(&text, &p->scratch);
    for (int64_t i = 0; i < left; i++)
        buf_puts(&text, fill);
    buf_put(&text, args->self.string->text, args->self.string->length);
    for (int64_t i = left; i < room; i++)
        buf_puts(&text, fill);
    *out = host_buf(p, &text);
    return true;
}

static bool all_are(const HostString *string, int is(int))
{
    for (size_t i = 0; i < string->length; i++)
        if (!is((unsigned char)string->text[i]))
            return false;
    return string->length > 0;
}

/* Whether there are letters, and none is of the other case. */
static bool has_case(const HostString *string, int other(int))
{
    bool letters = false;
    for (size_t i = 0; i < string->length; i++) {
        if (other((unsigned char)string->text[i]))
            return false;
        letters |= isalpha((unsigned char)string->text[i]) != 0;
    }
    return letters;
}

static bool string_is(Program *p, HostArgs *args, HostValue *out)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } rows[] = { { "isdigit", isdigit }, { "isdecimal", isdigit }, { "isnumeric", isdigit },
                 { "isalpha", isalpha }, { "isalnum", isalnum },   { "isspace", isspace } };
    const char *name = args->builtin->name + strlen("str.");
    const HostString *string = args->self.string;
    bool is = has_case(string, strcmp(name, "islower") == 0 ? isupper : islower);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            is = all_are(string, rows[i].is);
    *out = host_bool(is);
    return is_ascii(p, args);
}

/* Letters in another case: the first of each word large, of the text, or each the other way. */
static bool string_recased(Program *p, HostArgs *args, HostValue *out)
{
    const bool title = strcmp(args->builtin->name, "str.title") == 0;
    const bool swap = strcmp(args->builtin->name, "str.swapcase") == 0;
    const HostString *string = args->self.string;
    bool first = true;
    *out = host_string(p, string->text, string->length);
    for (size_t i = 0; i < string->length; i++) {
        const int c = (unsigned char)string->text[i];
        out->string->text[i] = (char)((swap ? islower(c) != 0 : first) ? toupper(c) : tolower(c));
        first = title && !isalpha(c);
    }
    return is_ascii(p, args);
}

/* The last place of a part, counted as find() does. */
static bool string_rfind(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *part;
    int64_t at = -1;
    if (!string_arg(p, args, 0, &part))
        return false;
    for (size_t i = 0, count = 0; i + part->length <= string->length; i++) {
        if (memcmp(string->text + i, part->text, part->length) == 0)
            at = (int64_t)count;
        count += ((unsigned char)string->text[i] & 0xc0) != 0x80;
    }
    *out = host_int(at);
    return at >= 0 || strcmp(args->builtin->name, "str.rfind") == 0 ||
           host_fail(p, "ValueError", "substring not found");
}

/* What is before a separator, it, and what is behind it. */
static bool string_partition(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *by;
    const bool last = strcmp(args->builtin->name, "str.rpartition") == 0;
    const char *begin = string->text, *end = begin + string->length, *found = NULL;
    if (!string_arg(p, args, 0, &by))
        return false;
    if (!by->length)
        return host_fail(p, "ValueError", "empty separator");
    for (const char *at = begin; at + by->length <= end && (last || !found); at++)
        found = memcmp(at, by->text, by->length) == 0 ? at : found;
    const char *behind = found ? found + by->length : end;
    HostValue parts[3] = { args->self, host_text(p, ""), host_text(p, "") };
    if (found) {
        parts[0] = host_string(p, begin, (size_t)(found - begin));
        parts[1] = args->values[0];
        parts[2] = host_string(p, behind, (size_t)(end - behind));
    } else if (last) {
        parts[2] = parts[0];
        parts[0] = parts[1];
    }
    *out = host_items(p, HOST_TUPLE, parts, 3);
    return true;
}

/* Without a part at its front or its end; as it is if that is not there. */
static bool string_removed(Program *p, HostArgs *args, HostValue *out)
{
    const HostString *string = args->self.string, *part;
    if (!string_arg(p, args, 0, &part))
        return false;
    *out = args->self;
    if (part->length > string->length)
        return true;
    const bool front = strcmp(args->builtin->name, "str.removeprefix") == 0;
    const size_t left = string->length - part->length;
    if (memcmp(string->text + (front ? 0 : left), part->text, part->length) == 0)
        *out = host_string(p, string->text + (front ? part->length : 0), left);
    return true;
}

const HostBuiltin string_methods[] = {
    { "str.join", 1, 1, string_join, NULL },
    { "str.split", 0, 2, string_split, "sep maxsplit" },
    { "str.splitlines", 0, 0, string_splitlines, NULL },
    { "str.strip", 0, 1, string_strip, NULL },
    { "str.lstrip", 0, 1, string_strip, NULL },
    { "str.rstrip", 0, 1, string_strip, NULL },
    { "str.replace", 2, 3, string_replace, NULL },
    { "str.upper", 0, 0, string_cased, NULL },
    { "str.lower", 0, 0, string_cased, NULL },
    { "str.startswith", 1, 1, string_has_end, NULL },
    { "str.endswith", 1, 1, string_has_end, NULL },
    { "str.find", 1, 1, string_find, NULL },
    { "str.index", 1, 1, string_index, NULL },
    { "str.count", 1, 1, string_count, NULL },
    { "str.ljust", 1, 2, string_just, NULL },
    { "str.rjust", 1, 2, string_just, NULL },
    { "str.center", 1, 2, string_center, NULL },
    { "str.zfill", 1, 1, string_zfill, NULL },
    { "str.rfind", 1, 1, string_rfind, NULL },
    { "str.rindex", 1, 1, string_rfind, NULL },
    { "str.partition", 1, 1, string_partition, NULL },
    { "str.rpartition", 1, 1, string_partition, NULL },
    { "str.removeprefix", 1, 1, string_removed, NULL },
    { "str.removesuffix", 1, 1, string_removed, NULL },
    { "str.casefold", 0, 0, string_cased, NULL },
    { "str.title", 0, 0, string_recased, NULL },
    { "str.capitalize", 0, 0, string_recased, NULL },
    { "str.swapcase", 0, 0, string_recased, NULL },
    { "str.isdigit", 0, 0, string_is, NULL },
    { "str.isdecimal", 0, 0, string_is, NULL },
    { "str.isnumeric", 0, 0, string_is, NULL },
    { "str.isalpha", 0, 0, string_is, NULL },
    { "str.isalnum", 0, 0, string_is, NULL },
    { "str.isspace", 0, 0, string_is, NULL },
    { "str.islower", 0, 0, string_is, NULL },
    { "str.isupper", 0, 0, string_is, NULL },
    { "str.format", 0, -1, string_format, "*" },
    { NULL, 0, 0, NULL, NULL },
};

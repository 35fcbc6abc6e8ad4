/* Methods of texts: base/strings.c computes them. */
#include "base/strings.h"
#include "runtime/program/program.h"

static bool given_value(Program *p, HostValue value, StringValue *out)
{
    *out = (StringValue){ .kind = STRING_OTHER, .type = host_type_name(p, value) };
    if (value.kind == HOST_STRING) {
        out->kind = STRING_TEXT;
        out->text = value.string->text;
        out->length = value.string->length;
    } else if (value.kind == HOST_NONE) {
        out->kind = STRING_NONE;
    } else if (host_is_integer(value)) {
        out->kind = STRING_NUMBER;
        return host_integer(p, value, &out->number);
    } else if (value.kind == HOST_LIST || value.kind == HOST_TUPLE) {
        out->kind = value.kind == HOST_LIST ? STRING_LIST : STRING_TUPLE;
        out->count = (int)value.list->count;
        out->items = arena_array(&p->scratch, StringValue, out->count + 1);
        for (int i = 0; i < out->count; i++) /* what is in them is a text or of no use */
            if (value.list->items[i].kind != HOST_STRING)
                out->items[i] = (StringValue){ .kind = STRING_OTHER,
                                               .type = host_type_name(p, value.list->items[i]) };
            else if (!given_value(p, value.list->items[i], &out->items[i]))
                return false;
    }
    return true;
}

static HostValue made_value(Program *p, const StringValue *made)
{
    HostValue items;
    switch (made->kind) {
    case STRING_TEXT:
        return host_string(p, made->text, made->length);
    case STRING_TRUTH:
        return host_bool(made->number);
    case STRING_NUMBER:
        return host_int(made->number);
    default:
        items =
            host_room(p, made->kind == STRING_LIST ? HOST_LIST : HOST_TUPLE, (size_t)made->count);
        for (int i = 0; i < made->count; i++)
            host_append(p, items.list, made_value(p, &made->items[i]));
        return items;
    }
}

static bool string_method(Program *p, HostArgs *args, HostValue *out)
{
    StringCall call = { .arena = &p->scratch, .method = args->builtin->name + strlen("str.") };
    StringValue made;
    HostValue values[STRING_ARGS] = { args_get(args, 0, "sep", host_none()),
                                      args_get(args, 1, "maxsplit", host_none()),
                                      args_get(args, 2, NULL, host_none()) };
    const bool joins = strcmp(call.method, "join") == 0 && host_is_iterable(values[0]);
    if ((joins && !host_collect(p, HOST_LIST, values[0], &values[0])) ||
        !given_value(p, args->self, &call.self))
        return false;
    call.count = (int)args->count;
    for (int i = 0; i < STRING_ARGS; i++)
        if (!given_value(p, values[i], &call.args[i]))
            return false;
    if (!string_find(call.method)->compute(&call, &made))
        return host_fail(p, call.error, "%s", call.message);
    return host_give(out, made_value(p, &made));
}

/* find(), count(), startswith() and their like within a part of the text. */
static bool string_within(Program *p, HostArgs *args, HostValue *out)
{
    int64_t length = 0, start = 0, stop = INT64_MAX;
    const HostValue self = args->self, first = args_get(args, 1, NULL, host_none()),
                    last = args_get(args, 2, NULL, host_none());
    if ((first.kind != HOST_NONE && !host_integer(p, first, &start)) ||
        (last.kind != HOST_NONE && !host_integer(p, last, &stop)) || !host_length(p, self, &length))
        return false;
    start = start < 0 && start + length < 0 ? 0 : start < 0 ? start + length : start;
    if (args->count > 1) {
        HostSlice *slice = host_new(p, HOST_SLICE, sizeof *slice);
        slice->parts[0] = host_int(start);
        slice->parts[1] = last;
        slice->parts[2] = host_none();
        if (!host_index(p, self, host_object(slice), &args->self))
            return false;
        args->count = 1;
    }
    if (start > length) { /* nothing is there, not even an empty text */
        const HostValue never = host_text(p, "\n");
        args->values = arena_array(&p->scratch, HostValue, 1);
        args->values[0] = never;
    }
    if (!string_method(p, args, out))
        return false;
    const char *name = args->builtin->name + strlen("str.");
    if (*name != 'c' && out->kind == HOST_INT && out->integer >= 0)
        out->integer += start;
    return true;
}

/* splitlines(True) leaves the ends of lines with them. */
static bool string_lines(Program *p, HostArgs *args, HostValue *out)
{
    HostValue function;
    bool keeps = false;
    if (!host_truth(p, args_get(args, 0, "keepends", host_bool(false)), &keeps))
        return false;
    args->count = 0;
    args->named_count = 0;
    return !keeps ? string_method(p, args, out)
                  : modules_find(p, "_methods.lines_kept", &function) &&
                        host_call_one(p, function, args->self, out);
}

#define METHOD(name, least, most, keywords, compute)                                               \
    { "str." name, least, most, string_method, keywords },

const HostBuiltin string_methods[] = {
    STRING_METHODS(METHOD){ "str.format", 0, -1, string_format, "*" },
    { "str.find", 1, 3, string_within, NULL }, /* in place of those above */
    { "str.rfind", 1, 3, string_within, NULL },
    { "str.index", 1, 3, string_within, NULL },
    { "str.rindex", 1, 3, string_within, NULL },
    { "str.count", 1, 3, string_within, NULL },
    { "str.startswith", 1, 3, string_within, NULL },
    { "str.endswith", 1, 3, string_within, NULL },
    { "str.splitlines", 0, 1, string_lines, "keepends" },
    { NULL, 0, 0, NULL, NULL },
};

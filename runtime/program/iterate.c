/* Going over what has items, and what Python has that gives them one by one. */
#include "runtime/program/arrays.h"

bool host_iterate(Program *p, HostValue value, HostIterator *it)
{
    if (value.kind == HOST_FOREIGN)
        return foreign_needed(p, value);
    if (!host_settle(p, &value))
        return false;
    host_keep(p, value);
    *it = (HostIterator){ .over = value };
    if (value.kind == HOST_ARRAY && value.array->view.rank)
        return host_array_read(p, value.array);
    if (value.kind == HOST_LIST || value.kind == HOST_TUPLE || value.kind == HOST_RANGE ||
        value.kind == HOST_STRING)
        return true;
    return host_fail(p, "TypeError", "'%s' object is not iterable", host_type_name(p, value));
}

bool host_next(Program *p, HostIterator *it, HostValue *out)
{
    const HostValue over = it->over;
    bool once = over.kind == HOST_LIST && over.list->once;
    size_t at = once ? over.list->taken : it->at;
    if (over.kind == HOST_STRING) { /* `at` counts bytes */
        const HostString *string = over.string;
        if (at >= string->length)
            return false;
        size_t bytes = utf8_length(string->text + at, string->text + string->length);
        *out = host_string(p, string->text + at, bytes ? bytes : 1);
        it->at += bytes ? bytes : 1;
        return true;
    }
    it->at++;
    if (over.kind == HOST_ARRAY)
        return (int64_t)at < over.array->view.shape[0] &&
               host_array_index(p, over.array, host_int((int64_t)at), out);
    if (over.kind == HOST_RANGE) {
        if ((int64_t)at >= over.range->count)
            return false;
        *out = host_int(over.range->start + (int64_t)at * over.range->step);
        return true;
    }
    if (at >= over.list->count)
        return false;
    over.list->taken += once;
    *out = over.list->items[at];
    return true;
}

bool host_collect(Program *p, HostKind kind, HostValue value, HostValue *out)
{
    HostIterator it;
    HostValue item;
    if (!host_iterate(p, value, &it))
        return false;
    if (value.kind == HOST_RANGE && value.range->count > HOST_ITEMS_MOST)
        return host_fail(p, "MemoryError", "a list of %lld items is too long",
                         (long long)value.range->count);
    *out = host_items(p, kind, NULL, 0);
    while (host_next(p, &it, &item))
        host_append(p, out->list, item);
    return !p->failed;
}

/* ---- enumerate, zip and the like -------------------------------------------------------------- */

static bool builtin_enumerate(Program *p, HostArgs *args, HostValue *out)
{
    HostValue items, start = args_get(args, 1, "start", host_int(0));
    int64_t number;
    if (!host_integer(p, start, &number) || !host_collect(p, HOST_LIST, args->values[0], &items))
        return false;
    for (size_t i = 0; i < items.list->count; i++) {
        HostValue pair[] = { host_int(number + (int64_t)i), items.list->items[i] };
        items.list->items[i] = host_items(p, HOST_TUPLE, pair, 2);
    }
    items.list->once = true;
    *out = items;
    return true;
}

static bool builtin_zip(Program *p, HostArgs *args, HostValue *out)
{
    HostIterator *its = arena_array(&p->scratch, HostIterator, args->count + 1);
    *out = host_items(p, HOST_LIST, NULL, 0);
    for (size_t i = 0; i < args->count; i++)
        if (!host_iterate(p, args->values[i], &its[i]))
            return false;
    for (bool more = args->count > 0; more;) {
        HostValue row = host_items(p, HOST_TUPLE, NULL, 0), item;
        for (size_t i = 0; i < args->count && more; i++) {
            more = host_next(p, &its[i], &item);
            if (more)
                host_append(p, row.list, item);
        }
        if (more)
            host_append(p, out->list, row);
    }
    out->list->once = true;
    return !p->failed;
}

static bool builtin_reversed(Program *p, HostArgs *args, HostValue *out)
{
    if (!host_collect(p, HOST_LIST, args->values[0], out))
        return false;
    HostList *list = out->list;
    for (size_t i = 0; i < list->count / 2; i++) {
        HostValue first = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = first;
    }
    list->once = true;
    return true;
}

static bool builtin_iter(Program *p, HostArgs *args, HostValue *out)
{
    bool is_one = args->values[0].kind == HOST_LIST && args->values[0].list->once;
    if (is_one)
        *out = args->values[0];
    else if (host_collect(p, HOST_LIST, args->values[0], out))
        out->list->once = true;
    return !p->failed;
}

static bool builtin_next(Program *p, HostArgs *args, HostValue *out)
{
    HostIterator it = { .over = args->values[0] };
    if (it.over.kind != HOST_LIST || !it.over.list->once)
        return host_fail(p, "TypeError", "'%s' object is not an iterator",
                         host_type_name(p, it.over));
    if (host_next(p, &it, out))
        return true;
    *out = args_get(args, 1, NULL, host_none());
    return args->count == 2 || host_fail(p, "StopIteration", "%s", "");
}

static bool builtin_map(Program *p, HostArgs *args, HostValue *out)
{
    HostArgs rows = { .values = args->values + 1, .count = args->count - 1 };
    HostValue zipped;
    if (!builtin_zip(p, &rows, &zipped))
        return false;
    *out = host_items(p, HOST_LIST, NULL, 0);
    for (size_t i = 0; i < zipped.list->count; i++) {
        HostList *row = zipped.list->items[i].list;
        HostArgs call = { .values = row->items, .count = row->count };
        HostValue value;
        if (!host_call(p, args->values[0], &call, &value))
            return false;
        host_append(p, out->list, value);
    }
    out->list->once = true;
    return true;
}

static bool builtin_filter(Program *p, HostArgs *args, HostValue *out)
{
    HostValue items, value;
    if (!host_collect(p, HOST_LIST, args->values[1], &items))
        return false;
    *out = host_items(p, HOST_LIST, NULL, 0);
    for (size_t i = 0; i < items.list->count; i++) {
        bool truth;
        value = items.list->items[i];
        if (args->values[0].kind != HOST_NONE &&
            !host_call_one(p, args->values[0], items.list->items[i], &value))
            return false;
        if (!host_truth(p, value, &truth))
            return false;
        if (truth)
            host_append(p, out->list, items.list->items[i]);
    }
    out->list->once = true;
    return true;
}

const HostBuiltin iterator_functions[] = {
    { "enumerate", 1, 2, builtin_enumerate, "start" },
    { "zip", 0, -1, builtin_zip, NULL },
    { "reversed", 1, 1, builtin_reversed, NULL },
    { "iter", 1, 1, builtin_iter, NULL },
    { "next", 1, 2, builtin_next, NULL },
    { "map", 2, -1, builtin_map, NULL },
    { "filter", 2, 2, builtin_filter, NULL },
    { NULL, 0, 0, NULL, NULL },
};

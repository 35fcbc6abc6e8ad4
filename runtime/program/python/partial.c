/* functools.partial(): a function with some of its arguments; of such a function it is one with
** more of them. */
#include "runtime/program/program.h"

/* The keywords that it has, but for those that the call gives anew, and then the call's. */
static void join_keywords(Program *p, const HostPartial *partial, const HostArgs *args,
                          HostArgs *call)
{
    const HostList *own = partial->named.list;
    const HostValue all = host_room(p, HOST_LIST, own->count + args->named_count);
    const char **names = keyword_names(partial->names);
    call->names = keyword_names(keyword_room(p, own->count + args->named_count));
    for (size_t i = 0; i < own->count; i++)
        if (!args_named(args, names[i])) {
            call->names[all.list->count] = names[i];
            host_append(p, all.list, own->items[i]);
        }
    for (size_t i = 0; i < args->named_count; i++) {
        call->names[all.list->count] = args->names[i];
        host_append(p, all.list, args->named[i]);
    }
    call->named = all.list->items;
    call->named_count = all.list->count;
}

/* Its arguments in front of those of a call, which may be where they go. */
static void join_arguments(Program *p, const HostPartial *partial, const HostArgs *args,
                           HostArgs *call)
{
    const HostList *own = partial->values.list;
    const HostValue all = host_items(p, HOST_LIST, own->items, own->count);
    HostArgs joined = { .call = args->call };
    for (size_t i = 0; i < args->count; i++)
        host_append(p, all.list, args->values[i]);
    joined.values = all.list->items;
    joined.count = all.list->count;
    join_keywords(p, partial, args, &joined);
    *call = joined;
}

static bool make_partial(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue function = args->values[0];
    HostArgs call = *args;
    HostPartial *partial = host_new(p, HOST_PARTIAL, sizeof *partial);
    call.values++;
    call.count--;
    if (function.kind == HOST_PARTIAL)
        join_arguments(p, function.partial, &call, &call);
    partial->function = function.kind == HOST_PARTIAL ? function.partial->function : function;
    partial->values = host_items(p, HOST_TUPLE, call.values, call.count);
    partial->named = host_items(p, HOST_TUPLE, call.named, call.named_count);
    partial->names = keyword_room(p, call.named_count);
    for (size_t i = 0; i < call.named_count; i++)
        keyword_names(partial->names)[i] = call.names[i];
    return host_give(out, host_object(partial));
}

bool partial_call(Program *p, const HostPartial *partial, const HostArgs *args, HostValue *out)
{
    HostArgs call;
    join_arguments(p, partial, args, &call);
    return host_call(p, partial->function, &call, out);
}

bool partial_attribute(const HostPartial *partial, const char *name, HostValue *out)
{
    const bool function = strcmp(name, "func") == 0;
    if (!function && strcmp(name, "args") != 0)
        return false;
    return host_give(out, function ? partial->function : partial->values);
}

const HostBuiltin partial_functions[] = {
    { "functools.partial", 1, -1, make_partial, "*" },
    { NULL, 0, 0, NULL, NULL },
};

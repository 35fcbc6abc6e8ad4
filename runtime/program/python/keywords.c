/* Keywords of calls, and those that **options gives. */
#include "runtime/program/program.h"

HostValue keyword_room(Program *p, size_t count)
{
    return host_string(p, NULL, count * sizeof(char *));
}

const char **keyword_names(HostValue room)
{
    return (const char **)(void *)room.string->text;
}

/* As messages call a function: "__main__.f", "dict". */
static const char *function_name(Program *p, HostValue function)
{
    return function.kind == HOST_FUNCTION
               ? arena_printf(&p->scratch, "__main__.%s", function.function->code->name)
           : function.kind == HOST_BUILTIN ? function.builtin->name
                                           : host_type_name(p, function);
}

const char *host_word(Program *p, const HostString *key)
{
    const char *known = table_get(&p->words, key->text);
    char *text = known ? NULL : arena_strdup(p->arena, key->text);
    if (text)
        table_put(&p->words, text, text);
    return known ? known : text;
}

/* Keywords on their way into a call, which has room for so many. */
typedef struct Keywords {
    HostArgs *args;
    HostList *values;
    HostValue names; /* keyword_room() */
    size_t capacity;
    HostValue function; /* that is called */
} Keywords;

static bool add_keyword(Program *p, Keywords *to, const char *name, HostValue value)
{
    HostArgs *args = to->args;
    if (args_named(args, name))
        return host_fail(p, "TypeError", "%s() got multiple values for keyword argument '%s'",
                         function_name(p, to->function), name);
    if (args->named_count == to->capacity) {
        to->capacity *= 2;
        to->names = keyword_room(p, to->capacity);
        memcpy(keyword_names(to->names), args->names, args->named_count * sizeof *args->names);
    }
    args->names = keyword_names(to->names);
    args->names[args->named_count++] = name;
    host_append(p, to->values, value);
    args->named = to->values->items;
    return true;
}

/* f(**options) */
static bool spread_keywords(Program *p, Keywords *to, HostValue value)
{
    value = object_held(value);
    if (value.kind != HOST_DICT)
        return host_fail(p, "TypeError", "%s() argument after ** must be a mapping, not %s",
                         function_name(p, to->function), host_type_name(p, value));
    for (size_t i = 0; i < value.dict->count; i++) {
        const HostEntry *entry = &value.dict->entries[i];
        if (entry->key.kind == HOST_KINDS)
            continue;
        if (entry->key.kind != HOST_STRING)
            return host_fail(p, "TypeError", "keywords must be strings");
        if (!add_keyword(p, to, host_word(p, entry->key.string), entry->value))
            return false;
    }
    return true;
}

bool keywords_eval(Program *p, const AstExpr *call, HostValue function, HostArgs *args)
{
    int count = call->call.keyword_count;
    if (!count)
        return true;
    Keywords to = { .args = args,
                    .values = host_items(p, HOST_LIST, NULL, 0).list,
                    .names = keyword_room(p, (size_t)count),
                    .capacity = (size_t)count,
                    .function = function };
    for (int i = 0; i < count; i++) {
        const AstKeyword *keyword = &call->call.keywords[i];
        HostValue value;
        if (!host_eval(p, keyword->value, &value) ||
            !(keyword->name ? add_keyword(p, &to, keyword->name, value)
                            : spread_keywords(p, &to, value)))
            return false;
    }
    return true;
}

/* Namedtuples: tuples whose items have names. A call of the class binds its arguments as a call of
** a function does. */
#include "runtime/program/python/classes.h"
#include "lexer/lexer.h"

#include <ctype.h>

void namedtuple_push(Program *p, Fields *fields, const char *name, HostValue value)
{
    array_push(p->arena, fields->list, fields->count, fields->capacity) =
        (Field){ .name = name, .value = value };
}

void class_match_args(Program *p, HostClass *class_)
{
    const AstParams *params = &class_->make->code->ast->params;
    const HostValue names = host_room(p, HOST_TUPLE, (size_t)params->count);
    for (int i = 1; i < params->count; i++)
        if (!params->items[i].keyword_only)
            host_append(p, names.list, host_text(p, params->items[i].name));
    if (!env_find(class_->names, "__match_args__"))
        env_set(p, class_->names, "__match_args__", names);
}

/* The function whose parameters are the class and the fields. */
void namedtuple_fields(Program *p, HostClass *class_, const Fields *fields)
{
    HostValue function;
    AstFunction *ast = arena_new(p->arena, AstFunction);
    ast->name = arena_printf(p->arena, "%s.%s", class_->name,
                             class_->form == CLASS_TUPLES ? "__new__" : "__init__");
    ast->params.count = fields->count + 1;
    ast->params.items = arena_array(p->arena, AstParam, ast->params.count);
    ast->params.items[0].name = "_cls";
    for (int i = 0; i < fields->count; i++)
        ast->params.items[i + 1].name = fields->list[i].name;
    host_function(p, ast, &function);
    class_->make = function.function;
    for (int i = 0; i < fields->count; i++)
        class_->make->defaults[i + 1] = fields->list[i].value;
}

static const AstParam *fields_of(const HostClass *class_, int *count)
{
    const AstParams *params = &class_->make->code->ast->params;
    *count = params->count - 1;
    return params->items + 1;
}

/* The place of a field; -1: there is none. */
static int find_field(const HostClass *class_, const char *name)
{
    int count;
    const AstParam *fields = fields_of(class_, &count);
    while (--count >= 0 && strcmp(fields[count].name, name) != 0)
        continue;
    return count;
}

bool namedtuple_call(Program *p, const HostClass *class_, const HostArgs *args, HostValue *out)
{
    HostArgs call = *args;
    const HostValue self = class_value(class_), all = host_items(p, HOST_LIST, &self, 1);
    for (size_t i = 0; i < args->count; i++)
        host_append(p, all.list, args->values[i]);
    call.values = all.list->items;
    call.count = all.list->count;
    if (!host_complete(p, class_->make, &call))
        return false;
    *out = host_items(p, HOST_TUPLE, call.values + 1, call.count - 1);
    out->list->class_ = class_;
    return true;
}

/* Point._make(items) */
static bool namedtuple_make(Program *p, HostArgs *args, HostValue *out)
{
    int count;
    const HostClass *class_ = args->self.class_;
    fields_of(class_, &count);
    if (!host_collect(p, HOST_TUPLE, args->values[0], out))
        return false;
    out->list->class_ = class_;
    return out->list->count == (size_t)count ||
           host_fail(p, "TypeError", "Expected %d arguments, got %zu", count, out->list->count);
}

/* point._replace(x=1) */
static bool namedtuple_replace(Program *p, HostArgs *args, HostValue *out)
{
    const HostList *self = args->self.list;
    *out = host_items(p, HOST_TUPLE, self->items, self->count);
    out->list->class_ = self->class_;
    for (size_t i = 0; i < args->named_count; i++) {
        const int at = find_field(self->class_, args->names[i]);
        if (at < 0)
            return host_fail(p, "ValueError", "Got unexpected field names: ['%s']", args->names[i]);
        out->list->items[at] = args->named[i];
    }
    return true;
}

static bool namedtuple_as_dictionary(Program *p, HostArgs *args, HostValue *out)
{
    const HostList *self = args->self.list;
    *out = host_dict(p);
    for (size_t i = 0; i < self->count; i++)
        if (!dict_put(p, out->dict, host_name(p, class_field(self->class_, i)), self->items[i]))
            return false;
    return true;
}

const char *class_field(const HostClass *class_, size_t index)
{
    int count;
    return fields_of(class_, &count)[index].name;
}

static bool is_identifier(const char *name)
{
    const char *at = name;
    while (isalnum((unsigned char)*at) || *at == '_' || (unsigned char)*at >= 0x80)
        at++;
    return *name && !*at && !isdigit((unsigned char)*name);
}

static bool is_named(Program *p, const char *name)
{
    if (!is_identifier(name))
        return host_fail(p, "ValueError",
                         "Type names and field names must be valid identifiers: '%s'", name);
    return !lexer_is_keyword(&p->scratch, name) ||
           host_fail(p, "ValueError", "Type names and field names cannot be a keyword: '%s'", name);
}

static bool has_field(const Fields *fields, const char *name)
{
    for (int i = 0; i < fields->count; i++)
        if (strcmp(fields->list[i].name, name) == 0)
            return true;
    return false;
}

/* `rename`: a name that cannot be had is its place. */
static bool add_field(Program *p, Fields *fields, const char *name, bool rename)
{
    if (rename && (!is_identifier(name) || lexer_is_keyword(&p->scratch, name) || *name == '_' ||
                   has_field(fields, name)))
        name = arena_printf(p->arena, "_%d", fields->count);
    else if (!is_named(p, name))
        return false;
    else if (*name == '_')
        return host_fail(p, "ValueError", "Field names cannot start with an underscore: '%s'",
                         name);
    else if (has_field(fields, name))
        return host_fail(p, "ValueError", "Encountered duplicate field name: '%s'", name);
    namedtuple_push(p, fields, name, (HostValue){ .kind = HOST_KINDS });
    return true;
}

/* "x y", "x, y" or ["x", "y"] */
static bool read_fields(Program *p, HostValue value, bool rename, Fields *fields)
{
    static const char between[] = ", \t\n";
    HostIterator it;
    HostValue item;
    if (value.kind == HOST_STRING) {
        for (const char *at = value.string->text; *(at += strspn(at, between));) {
            const size_t length = strcspn(at, between);
            if (!add_field(p, fields, arena_strndup(p->arena, at, length), rename))
                return false;
            at += length;
        }
        return true;
    }
    if (!host_iterate(p, value, &it))
        return false;
    while (host_next(p, &it, &item)) {
        if (item.kind != HOST_STRING)
            return host_fail(p, "TypeError", "Type names and field names must be strings");
        if (!add_field(p, fields, arena_strdup(p->arena, item.string->text), rename))
            return false;
    }
    return !p->failed;
}

/* defaults=(1, 2), which are the last fields'. */
static bool read_defaults(Program *p, HostValue value, const Fields *fields)
{
    HostValue all;
    if (value.kind == HOST_NONE)
        return true;
    if (!host_collect(p, HOST_TUPLE, value, &all))
        return false;
    const int given = (int)all.list->count;
    if (given > fields->count)
        return host_fail(p, "TypeError", "Got more default values than field names");
    for (int i = 0; i < given; i++)
        fields->list[fields->count - given + i].value = all.list->items[i];
    return true;
}

static bool make_namedtuple(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue name = args->values[0];
    Fields fields = { 0 };
    bool rename;
    if (name.kind != HOST_STRING)
        return host_fail(p, "TypeError", "Type names and field names must be strings");
    if (!host_truth(p, args_get(args, 2, "rename", host_bool(false)), &rename) ||
        !is_named(p, name.string->text) || !read_fields(p, args->values[1], rename, &fields) ||
        !read_defaults(p, args_get(args, 2, "defaults", host_none()), &fields))
        return false;
    HostClass *class_ = class_new(p, CLASS_TUPLES, arena_strdup(p->arena, name.string->text));
    namedtuple_fields(p, class_, &fields);
    class_match_args(p, class_);
    return host_give(out, class_value(class_));
}

bool namedtuple_attribute(Program *p, const HostClass *class_, HostValue object, const char *name,
                          HostValue *out)
{
    const bool made = object.kind == HOST_TUPLE;
    const int at = made ? find_field(class_, name) : -1;
    int count;
    const AstParam *fields = fields_of(class_, &count);
    if (at >= 0)
        return host_give(out, object.list->items[at]);
    if (strcmp(name, "_fields") == 0) {
        *out = host_room(p, HOST_TUPLE, (size_t)count);
        for (int i = 0; i < count; i++)
            host_append(p, out->list, host_text(p, fields[i].name));
        return true;
    }
    const char *path = arena_printf(&p->scratch, "namedtuple.%s", name);
    const bool of_class = strcmp(name, "_make") == 0;
    if (*name != '_' || (!made && !of_class) || !module_path(p, path, out))
        return false;
    return host_give(out, bind_method(p, of_class ? class_value(class_) : object, *out));
}

const HostBuiltin namedtuple_functions[] = {
    { "collections.namedtuple", 2, 2, make_namedtuple, "defaults module rename" },
    { "namedtuple._make", 1, 1, namedtuple_make, NULL },
    { "namedtuple._replace", 0, 0, namedtuple_replace, "*" },
    { "namedtuple._asdict", 0, 0, namedtuple_as_dictionary, NULL },
    { NULL, 0, 0, NULL, NULL },
};

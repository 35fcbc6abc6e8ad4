/* Data classes: what @dataclass and field() say, and the methods that it makes. */
#include "runtime/program/python/classes.h"

/* What a field is left out of. */
enum { WITHOUT_INIT = 1, WITHOUT_REPR = 2, WITHOUT_COMPARE = 4, BY_KEYWORD = 8 };

static const HostBuiltin field_row;

/* What field() gives: a method of its own whose object is the value, bound to a number, what the
** field is left out of; or one whose object makes the value, bound to itself. */
static bool is_field(HostValue value, HostKind bound)
{
    return value.kind == HOST_METHOD && value.method->builtin == &field_row &&
           value.method->function.kind == bound;
}

static HostValue field_value(Program *p, HostValue object, HostValue bound)
{
    const HostValue made =
        bind_method(p, object, (HostValue){ .kind = HOST_BUILTIN, .builtin = &field_row });
    made.method->function = bound;
    return made;
}

static bool make_field(Program *p, HostArgs *args, HostValue *out)
{
    static const struct {
        const char *name;
        unsigned char without;
        bool given; /* that says so */
    } words[] = { { "init", WITHOUT_INIT, false },
                  { "repr", WITHOUT_REPR, false },
                  { "compare", WITHOUT_COMPARE, false },
                  { "kw_only", BY_KEYWORD, true } };
    const HostValue *value = args_named(args, "default"),
                    *make = args_named(args, "default_factory");
    int64_t without = 0;
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        const HostValue *given = args_named(args, words[i].name);
        bool truth = !words[i].given;
        if (given && !host_truth(p, *given, &truth))
            return false;
        without |= truth == words[i].given ? words[i].without : 0;
    }
    if (value && make)
        return host_fail(p, "ValueError", "cannot specify both default and default_factory");
    HostValue held = value ? *value : (HostValue){ .kind = HOST_KINDS };
    if (make || (!value && without & WITHOUT_INIT))
        held = field_value(p, make ? *make : held,
                           (HostValue){ .kind = HOST_BUILTIN, .builtin = &field_row });
    return host_give(out, field_value(p, held, host_int(without)));
}

static bool no_call(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return host_fail(p, "NotImplementedError", "%s is there as a decorator of a class statement",
                     args->builtin->name);
}

/* ---- the class ------------------------------------------------------------------------------ */

static unsigned char without(const HostClass *class_, size_t field)
{
    return class_->without ? class_->without[field] : 0;
}

bool data_takes(const HostClass *class_, size_t field)
{
    return !(without(class_, field) & WITHOUT_INIT);
}

static size_t count_fields(const HostClass *class_)
{
    return (size_t)class_->make->code->ast->params.count - 1;
}

static bool take_word(Program *p, HostClass *class_, const AstKeyword *keyword, bool *by_keyword)
{
    const char *name = keyword->name ? keyword->name : "";
    const bool truth = keyword->value->kind == AST_TRUE;
    bool plain = false;
    bool *said = strcmp(name, "frozen") == 0        ? &class_->frozen
                 : strcmp(name, "order") == 0       ? &class_->ordered
                 : strcmp(name, "unsafe_hash") == 0 ? &class_->hashed
                 : strcmp(name, "kw_only") == 0     ? by_keyword
                                                    : &plain;
    const bool same = strcmp(name, "slots") == 0 ||
                      (truth && (strcmp(name, "eq") == 0 || strcmp(name, "repr") == 0 ||
                                 strcmp(name, "init") == 0));
    *said = truth;
    return said != &plain || same ||
           host_refuse(p, keyword->span,
                       "@dataclass is there alone, and with frozen, order, kw_only, unsafe_hash "
                       "or slots=True: write %s's methods" HOST_BY_PYTHON,
                       class_->name);
}

bool data_begin(Program *p, HostClass *class_, const AstExpr *decorator, Fields *fields, bool *data)
{
    const int count = decorator->kind == AST_CALL ? decorator->call.keyword_count : 0;
    const HostFunction *base = class_->make;
    *data = true;
    for (int i = 1; base && i < base->code->ast->params.count; i++) {
        namedtuple_push(p, fields, base->code->ast->params.items[i].name, base->defaults[i]);
        for (size_t k = 1; k < class_->order_count; k++)
            if (class_->order[k]->make == base)
                fields->list[i - 1].without = without(class_->order[k], (size_t)i - 1);
    }
    fields->by_keyword = false;
    for (int i = 0; i < count; i++)
        if (!take_word(p, class_, &decorator->call.keywords[i], &fields->by_keyword))
            return false;
    return true;
}

/* The field of that name, which a class above may have; the count: there is none. */
static int find_field(const Fields *fields, const char *name)
{
    int i = 0;
    while (i < fields->count && strcmp(fields->list[i].name, name) != 0)
        i++;
    return i;
}

bool data_push(Program *p, Fields *fields, const char *name, HostValue *value)
{
    const int at = find_field(fields, name);
    Field field = { .name = name, .value = *value };
    if (value->kind == HOST_LIST || value->kind == HOST_DICT || value->kind == HOST_SET)
        return host_fail(p, "ValueError",
                         "mutable default <class '%s'> for field %s is not allowed: use "
                         "default_factory",
                         host_type_name(p, *value), name);
    if (is_field(*value, HOST_INT)) {
        field.without = (unsigned char)value->method->function.integer;
        field.value = value->method->self;
    }
    *value = is_field(field.value, HOST_BUILTIN) ? (HostValue){ .kind = HOST_KINDS } : field.value;
    if (fields->by_keyword)
        field.without |= BY_KEYWORD;
    for (int i = 0; i < fields->count && at == fields->count; i++) {
        const Field *before = &fields->list[i];
        const bool positional = !((field.without | before->without) & (WITHOUT_INIT | BY_KEYWORD));
        if (positional && before->value.kind != HOST_KINDS && field.value.kind == HOST_KINDS)
            return host_fail(p, "TypeError", "non-default argument '%s' follows default argument",
                             name);
    }
    if (at == fields->count)
        namedtuple_push(p, fields, name, field.value);
    fields->list[at] = field;
    return true;
}

bool data_check(Program *p, const HostClass *class_, Span span)
{
    static const char *const made[] = { "__init__", "__repr__", "__eq__" };
    for (size_t i = 0; i < ARRAY_COUNT(made); i++) {
        if (class_find(class_, class_, made[i]) && !env_find(class_->names, made[i]))
            return host_refuse(p, span,
                               "a data class of a class with %s has one of its own: "
                               "write it" HOST_BY_PYTHON,
                               made[i]);
    }
    return true;
}

void data_end(Program *p, HostClass *class_, const Fields *fields)
{
    unsigned char *all = arena_array(p->arena, unsigned char, (size_t)fields->count + 1);
    AstParam *params = class_->make->code->ast->params.items + 1;
    for (int i = 0; i < fields->count; i++) {
        all[i] = fields->list[i].without;
        params[i].keyword_only = all[i] & (BY_KEYWORD | WITHOUT_INIT);
    }
    class_->without = all;
}

/* ---- its objects ---------------------------------------------------------------------------- */

/* Fields that the call is not to name. */
static bool check_names(Program *p, const HostClass *class_, const HostArgs *args)
{
    for (size_t i = 0; i < count_fields(class_); i++)
        if (!data_takes(class_, i) && args_named(args, class_field(class_, i)))
            return host_fail(p, "TypeError",
                             "%s.__init__() got an unexpected keyword argument '%s'", class_->name,
                             class_field(class_, i));
    return true;
}

bool data_call(Program *p, HostInstance *instance, HostArgs *args)
{
    const HostClass *class_ = instance->class_;
    HostValue none;
    if (!check_names(p, class_, args))
        return false;
    self_first(p, host_object(instance), args);
    if (!host_complete(p, class_->make, args))
        return false;
    for (size_t i = 1; i < args->count; i++) {
        HostValue value = args->values[i];
        HostArgs nothing = { .count = 0 };
        const bool makes = is_field(value, HOST_BUILTIN);
        if (makes && value.method->self.kind == HOST_KINDS)
            continue; /* __post_init__ sets it */
        if (makes && !host_call(p, value.method->self, &nothing, &value))
            return false;
        env_set(p, instance->fields, class_field(class_, i - 1), value);
    }
    return object_calls(p, host_object(instance), "__post_init__", NULL, 0, &none) || !p->failed;
}

/* Point(x=1, y=2) */
void data_repr(Program *p, Buf *out, const HostInstance *instance)
{
    const HostClass *class_ = instance->class_;
    HostShown shown;
    bool first = true;
    if (!repr_enter(p, &shown, instance)) {
        buf_puts(out, "...");
        return;
    }
    buf_printf(out, "%s(", class_->name);
    for (size_t i = 0; i < count_fields(class_); i++) {
        const char *name = class_field(class_, i);
        const HostName *slot = env_find(instance->fields, name);
        if (without(class_, i) & WITHOUT_REPR)
            continue;
        buf_printf(out, "%s%s=", first ? "" : ", ", name);
        host_repr(p, out, slot ? slot->value : host_none());
        first = false;
    }
    buf_putc(out, ')');
    p->shown = shown.outer;
}

HostValue data_compared(Program *p, const HostInstance *instance)
{
    const HostClass *class_ = instance->class_;
    const HostValue out = host_room(p, HOST_TUPLE, count_fields(class_));
    for (size_t i = 0; i < count_fields(class_); i++) {
        const HostName *slot = env_find(instance->fields, class_field(class_, i));
        if (!(without(class_, i) & WITHOUT_COMPARE))
            host_append(p, out.list, slot ? slot->value : host_none());
    }
    host_keep(p, out); /* what is done with it may call the program's functions */
    return out;
}

bool data_equal(Program *p, const HostInstance *a, const HostInstance *b, bool *equal)
{
    return host_deep(p, (Span){ 0 }) &&
           host_same_or_equal(p, data_compared(p, a), data_compared(p, b), equal);
}

#define FIELD_WORDS "default default_factory init repr compare hash metadata kw_only"

static const HostBuiltin field_row = { "dataclasses.field", 0, 0, make_field, FIELD_WORDS };

const HostBuiltin data_functions[] = {
    { "dataclasses.field", 0, 0, make_field, FIELD_WORDS },
    { "dataclasses.dataclass", 0, -1, no_call, "*" },
    { NULL, 0, 0, NULL, NULL },
};

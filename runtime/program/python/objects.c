/* Classes of the program's own: their objects with attributes, special methods, super(), and what
** @dataclass makes. */
#include "runtime/program/python/classes.h"

/* The special methods that mean something here; a class with another is refused. */
static const char *const specials[] = {
    "__init__", "__post_init__", "__call__", "__len__",     "__getitem__",  "__setitem__",
    "__repr__", "__str__",       "__eq__",   "__enter__",   "__exit__",     "__iter__",
    "__add__",  "__sub__",       "__mul__",  "__truediv__", "__floordiv__", "__mod__",
    "__pow__",  "__matmul__",    "__neg__",  "__hash__",
};

bool object_has_special(const char *name)
{
    return TEXT_IS_AMONG(name, specials);
}

/* What a class or one that it is made of calls a name; NULL: nothing. */
static const HostValue *find_in(const HostClass *class_, const char *name)
{
    for (; class_; class_ = class_->base) {
        const HostName *slot = env_find(class_->names, name);
        if (slot)
            return &slot->value;
    }
    return NULL;
}

/* The class of an object, or of an exception of the program's own; NULL: it is neither. */
static const HostClass *own_class(HostValue value)
{
    return value.kind == HOST_INSTANCE || value.kind == HOST_EXCEPTION ? class_of(value) : NULL;
}

bool object_has(HostValue value, const char *name)
{
    return find_in(own_class(value), name) != NULL;
}

bool object_calls(Program *p, HostValue self, const char *name, const HostValue *values,
                  size_t count, HostValue *out)
{
    const HostValue *method = find_in(own_class(self), name);
    if (!method)
        return false;
    HostValue all = host_items(p, HOST_LIST, &self, 1);
    for (size_t i = 0; i < count; i++)
        host_append(p, all.list, values[i]);
    HostArgs args = { .values = all.list->items, .count = all.list->count };
    if (!host_call(p, *method, &args, out) || !host_settle(p, out))
        return false;
    host_keep(p, *out);
    return true;
}

/* ---- made ----------------------------------------------------------------------------------- */

static HostValue self_first(Program *p, HostValue self, HostArgs *args)
{
    HostValue all = host_items(p, HOST_LIST, &self, 1);
    for (size_t i = 0; i < args->count; i++)
        host_append(p, all.list, args->values[i]);
    args->values = all.list->items;
    args->count = all.list->count;
    return all;
}

/* The arguments of a data class's call as its fields. */
static bool set_fields(Program *p, HostInstance *instance, HostArgs *args)
{
    const HostClass *class_ = instance->class_;
    HostValue none;
    self_first(p, host_object(instance), args);
    if (!host_complete(p, class_->make, args))
        return false;
    for (size_t i = 1; i < args->count; i++) {
        HostValue value = args->values[i];
        HostArgs nothing = { .count = 0 };
        if (value.kind == HOST_METHOD && value.method->builtin == field_builtin() &&
            !host_call(p, value.method->self, &nothing, &value))
            return false;
        env_set(p, instance->fields, class_field(class_, i - 1), value);
    }
    return object_calls(p, host_object(instance), "__post_init__", NULL, 0, &none) || !p->failed;
}

/* Calls __init__ of what was made. */
static bool start(Program *p, HostValue init, HostValue self, HostArgs *args)
{
    HostValue result;
    self_first(p, self, args);
    if (!host_call(p, init, args, &result))
        return false;
    return result.kind == HOST_NONE ||
           host_fail(p, "TypeError", "__init__() should return None, not '%s'",
                     host_type_name(p, result));
}

bool object_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out)
{
    const HostValue *init = find_in(class_, "__init__");
    if (class_->raises) {
        *out = host_object(exception_new(p, class_, args));
        if (!init)
            return !args->named_count ||
                   host_fail(p, "TypeError", "%s() takes no keyword arguments", class_->name);
        return start(p, *init, *out, args);
    }
    HostInstance *instance = host_new(p, HOST_INSTANCE, sizeof *instance);
    instance->class_ = class_;
    instance->fields = env_new(p, NULL, NULL);
    *out = host_object(instance);
    if (!init && class_->make)
        return set_fields(p, instance, args);
    if (!init)
        return !(args->count + args->named_count) ||
               host_fail(p, "TypeError", "%s() takes no arguments", class_->name);
    return start(p, *init, *out, args);
}

bool object_set(Program *p, HostValue object, const char *name, HostValue value)
{
    const HostClass *class_ = class_of(object);
    const HostValue *held = find_in(class_, name);
    if (object.kind == HOST_CLASS) {
        env_set(p, object.class_->names, name, value);
        return true;
    }
    if (object.kind == HOST_EXCEPTION && !object.exception->fields)
        object.exception->fields = env_new(p, NULL, NULL);
    if (class_ && class_->frozen)
        return host_fail(p, "dataclasses.FrozenInstanceError", "cannot assign to field '%s'", name);
    if (held && held->kind == HOST_FUNCTION && class_is_property(*held))
        return host_fail(p, "AttributeError", "property '%s' of '%s' object has no setter", name,
                         class_->name);
    env_set(p, object_fields(object), name, value);
    return true;
}

/* ---- super() -------------------------------------------------------------------------------- */

/* What __init__ is of a class that has none above it. */
static bool init_nothing(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    *out = host_none();
    return true;
}

static const HostBuiltin no_init = { "object.__init__", 0, 0, init_nothing, NULL };

/* What a class above the one at hand has for the object at hand. */
bool object_super(Program *p, const HostSuper *super, const char *name, HostValue *out)
{
    const HostValue *held = find_in(super->above, name);
    if (held)
        return class_bound(p, super->self, *held, out);
    if (super->self.kind == HOST_EXCEPTION)
        return exception_method(p, super->self, name, out);
    if (strcmp(name, "__init__") != 0)
        return false;
    *out = bind_method(p, super->self, (HostValue){ .kind = HOST_BUILTIN, .builtin = &no_init });
    return true;
}

/* super(): the function around says which class it stands in, and its first argument is what it is
** of. */
static bool make_super(Program *p, HostArgs *args, HostValue *out)
{
    const HostEnv *env = p->frame->env;
    const HostName *own = NULL, *self = NULL;
    (void)args;
    while (env && !env->code)
        env = env->outer;
    if (env && env->code->ast->params.count)
        self = env_find(env, env->code->ast->params.items[0].name);
    for (; env && !own; env = env->outer)
        own = env_find(env, "__class__");
    if (!own || !self)
        return host_fail(p, "RuntimeError", "super(): no arguments");
    HostSuper *super = host_new(p, HOST_SUPER, sizeof *super);
    super->above = own->value.class_->base;
    super->self = self->value;
    *out = host_object(super);
    return true;
}

/* ---- data classes --------------------------------------------------------------------------- */

static bool make_field(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue *value = args_named(args, "default"),
                    *make = args_named(args, "default_factory");
    *out = value ? *value : (HostValue){ .kind = HOST_KINDS };
    if (make)
        *out =
            bind_method(p, *make, (HostValue){ .kind = HOST_BUILTIN, .builtin = field_builtin() });
    return value || make ||
           host_fail(p, "NotImplementedError", "field() is there with default or default_factory");
}

static bool no_call(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return host_fail(p, "NotImplementedError", "%s is there as a decorator of a class statement",
                     args->builtin->name);
}

/* Point(x=1, y=2) */
static void fields_repr(Program *p, Buf *out, const HostInstance *instance)
{
    const int count = instance->class_->make->code->ast->params.count - 1;
    HostShown shown;
    if (!repr_enter(p, &shown, instance)) {
        buf_puts(out, "...");
        return;
    }
    buf_printf(out, "%s(", instance->class_->name);
    for (int i = 0; i < count; i++) {
        const char *name = class_field(instance->class_, (size_t)i);
        const HostName *slot = env_find(instance->fields, name);
        buf_printf(out, "%s%s=", i ? ", " : "", name);
        host_repr(p, out, slot ? slot->value : host_none());
    }
    buf_putc(out, ')');
    p->shown = shown.outer;
}

void object_text(Program *p, Buf *out, HostValue object, bool shown)
{
    HostValue text = host_none();
    p->texts++;
    const bool own = (!shown && object_calls(p, object, "__str__", NULL, 0, &text)) ||
                     (!p->failed && object_calls(p, object, "__repr__", NULL, 0, &text));
    p->texts--;
    if (own && text.kind == HOST_STRING)
        buf_put(out, text.string->text, text.string->length);
    else if (own)
        host_fail(p, "TypeError", "__str__ returned non-string (type %s)", host_type_name(p, text));
    else if (!p->failed && object.instance->class_->make && host_deep(p, (Span){ 0 }))
        fields_repr(p, out, object.instance);
    else if (!p->failed)
        buf_printf(out, "<__main__.%s object at %p>", class_of(object)->name,
                   (const void *)object.object);
}

bool object_equal(Program *p, HostValue a, HostValue b, bool *equal)
{
    const bool second_first =
        a.kind != HOST_INSTANCE || /* or its class is made of the other's */
        (b.kind == HOST_INSTANCE && class_of(a) != class_of(b) && class_has(class_of(a), b));
    const HostValue pair[2] = { second_first ? b : a, second_first ? a : b };
    HostValue truth;
    for (int i = 0; i < 2; i++) {
        if (object_calls(p, pair[i], "__eq__", &pair[1 - i], 1, &truth))
            return host_truth(p, truth, equal);
        if (p->failed)
            return false;
    }
    *equal = a.kind == b.kind && a.object == b.object;
    if (a.kind != b.kind || class_of(a) != class_of(b) || !class_of(a)->make)
        return true;
    if (!host_deep(p, (Span){ 0 }))
        return false;
    *equal = true;
    for (int i = 1; i < class_of(a)->make->code->ast->params.count && *equal; i++) {
        const char *name = class_field(class_of(a), (size_t)i - 1);
        const HostName *x = env_find(a.instance->fields, name);
        const HostName *y = env_find(b.instance->fields, name);
        if (x && y && !host_same_or_equal(p, x->value, y->value, equal))
            return false;
    }
    return true;
}

bool object_is_hashable(HostValue object)
{
    const HostClass *class_ = object.instance->class_;
    return !find_in(class_, "__eq__") && !class_->make;
}

bool object_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out)
{
    static const char *const names[AST_OP_COUNT] = {
        [AST_ADD] = "__add__",     [AST_SUB] = "__sub__",           [AST_MUL] = "__mul__",
        [AST_DIV] = "__truediv__", [AST_FLOORDIV] = "__floordiv__", [AST_MOD] = "__mod__",
        [AST_POW] = "__pow__",     [AST_MATMUL] = "__matmul__",
    };
    return names[op] && object_calls(p, a, names[op], &b, 1, out);
}

static const HostBuiltin field_row = { "dataclasses.field", 0, 0, make_field,
                                       "default default_factory" };

const HostBuiltin *field_builtin(void)
{
    return &field_row;
}

const HostBuiltin object_functions[] = {
    { "super", 0, 0, make_super, NULL },
    { "dataclasses.field", 0, 0, make_field, "default default_factory" },
    { "dataclasses.dataclass", 0, -1, no_call, "*" },
    { NULL, 0, 0, NULL, NULL },
};

/* Classes of the program's own: their objects with attributes, special methods, super(). */
#include "runtime/program/python/classes.h"

/* The special methods that mean something here; a class with another is refused. */
static const char *const specials[] = {
    "__init__",     "__post_init__", "__call__",     "__len__",
    "__getitem__",  "__setitem__",   "__delitem__",  "__contains__",
    "__repr__",     "__str__",       "__format__",   "__eq__",
    "__ne__",       "__lt__",        "__le__",       "__gt__",
    "__ge__",       "__hash__",      "__bool__",     "__enter__",
    "__exit__",     "__iter__",      "__next__",     "__reversed__",
    "__getattr__",  "__neg__",       "__pos__",      "__invert__",
    "__abs__",      "__round__",     "__int__",      "__float__",
    "__index__",    "__fspath__",    "__new__",      "__init_subclass__",
    "__copy__",     "__deepcopy__",  "__set_name__", "__get__",
    "__set__",      "__setattr__",   "__delattr__",  "__missing__",
    "__getstate__", "__setstate__",  "__array__",    "__floor__",
    "__ceil__",     "__trunc__",
};

/* Those of operators, of either side and in place. */
static const char *const operators[] = {
    "add",    "sub",    "mul",    "truediv", "floordiv", "mod", "pow",
    "matmul", "lshift", "rshift", "and",     "or",       "xor",
};

bool object_has_operator(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; length > 4 && i < ARRAY_COUNT(operators); i++) {
        const size_t own = strlen(operators[i]);
        const char *at = name + 2;
        if (length == own + 5 && (*at == 'r' || *at == 'i'))
            at++;
        if (strncmp(at, operators[i], own) == 0 && strcmp(at + own, "__") == 0)
            return true;
    }
    return false;
}

bool object_has_special(const char *name)
{
    return object_has_operator(name) || TEXT_IS_AMONG(name, specials);
}

bool object_has(HostValue value, const char *name)
{
    return class_find(class_of(value), NULL, name) != NULL;
}

bool object_calls(Program *p, HostValue self, const char *name, const HostValue *values,
                  size_t count, HostValue *out)
{
    const HostValue *method = class_find(class_of(self), NULL, name);
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

void self_first(Program *p, HostValue self, HostArgs *args)
{
    HostValue all = host_items(p, HOST_LIST, &self, 1);
    for (size_t i = 0; i < args->count; i++)
        host_append(p, all.list, args->values[i]);
    args->values = all.list->items;
    args->count = all.list->count;
    host_keep(p, all);
}

/* Calls __init__ of what was made. */
static bool start(Program *p, HostValue init, HostValue self, HostArgs *args)
{
    HostValue result;
    if (init.kind == HOST_CLASS) /* which would make objects of itself without end */
        return host_fail(p, "NotImplementedError", "__init__ of a class is to be a function");
    self_first(p, self, args);
    if (!host_call(p, init, args, &result))
        return false;
    return result.kind == HOST_NONE ||
           host_fail(p, "TypeError", "__init__() should return None, not '%s'",
                     host_type_name(p, result));
}

/* An object without attributes. */
static bool new_instance(Program *p, const HostClass *class_, HostValue *out)
{
    HostInstance *instance = host_new(p, HOST_INSTANCE, sizeof *instance);
    HostArgs nothing = { .builtin = class_->holds };
    instance->class_ = class_;
    instance->fields = env_new(p, NULL, NULL);
    *out = host_object(instance);
    host_keep(p, *out);
    return !class_->holds || class_->holds->call(p, &nothing, &instance->held);
}

/* A class with __new__: what that gives is started if it is of the class. */
static bool call_new(Program *p, const HostClass *class_, HostValue make, const HostValue *init,
                     HostArgs *args, HostValue *out)
{
    HostArgs again = *args;
    if (class_->raises || class_->make)
        return host_fail(p, "NotImplementedError",
                         "exceptions and data classes in programs have no __new__");
    self_first(p, class_value(class_), args);
    if (!host_call(p, make, args, out))
        return false;
    host_keep(p, *out);
    return !init || !class_has(class_, *out) || start(p, *init, *out, &again);
}

bool object_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out)
{
    const HostValue *init = class_find(class_, NULL, "__init__");
    const HostValue *make = class_find(class_, NULL, "__new__");
    if (!class_is_whole(p, class_))
        return false;
    if (make)
        return call_new(p, class_, *make, init, args, out);
    if (class_->raises) {
        *out = host_object(exception_new(p, class_, args));
        if (!init)
            return !args->named_count ||
                   host_fail(p, "TypeError", "%s() takes no keyword arguments", class_->name);
        return start(p, *init, *out, args);
    }
    if (!new_instance(p, class_, out))
        return false;
    if (!init && class_->make)
        return data_call(p, out->instance, args);
    if (!init)
        return !(args->count + args->named_count) ||
               host_fail(p, "TypeError", "%s() takes no arguments", class_->name);
    return start(p, *init, *out, args);
}

/* Calls the function of a property that sets or deletes it. */
static bool object_sets(Program *p, HostFunction *function, HostValue object,
                        const HostValue *value)
{
    HostValue values[2] = { object, value ? *value : host_none() }, none;
    HostArgs args = { .values = values, .count = value ? 2 : 1 };
    return host_call(p, host_object(function), &args, &none);
}

bool object_lose(Program *p, HostValue object, const char *name)
{
    HostName *slot = env_find(object_fields(object), name);
    if (slot)
        slot->bound = false;
    return slot || host_fail(p, "AttributeError", "'%s' object has no attribute '%s'",
                             host_type_name(p, object), name);
}

static bool object_remove(Program *p, HostValue object, const char *name)
{
    const HostValue *held = class_find(class_of(object), NULL, name);
    const bool property = held && held->kind == HOST_FUNCTION && class_is_property(*held);
    if (property && held->function->deleter)
        return object_sets(p, held->function->deleter, object, NULL);
    if (property)
        return host_fail(p, "AttributeError", "property '%s' of '%s' object has no deleter", name,
                         class_of(object)->name);
    return object_lose(p, object, name);
}

/* self.__dict__ = self, in a class made of dict. */
static bool replace_attributes(Program *p, HostInstance *object, HostValue value)
{
    object->open =
        value.kind == HOST_INSTANCE && value.instance == object && object->held.kind == HOST_DICT;
    return object->open || host_fail(p, "NotImplementedError",
                                     "__dict__ is not replaced here: self.__dict__.update(...) "
                                     "sets attributes");
}

/* Whether a class of __slots__ has a place for an attribute. */
static bool has_slot(Program *p, const HostClass *class_, const char *written, bool *has)
{
    *has = false;
    for (size_t i = 0; i < class_->order_count && !*has; i++) {
        const HostValue slots = env_find(class_->order[i]->names, "__slots__")->value;
        const HostValue name = host_text(p, class_private(class_->order[i], written));
        const bool one = slots.kind == HOST_STRING;
        if (!(one ? host_same_or_equal(p, slots, name, has) : host_contains(p, name, slots, has)))
            return false;
    }
    return true;
}

/* f.__defaults__ = (1, 2): of the last parameters that may be given by place. */
bool object_defaults(Program *p, HostFunction *function, HostValue value)
{
    const AstParams *params = &function->code->ast->params;
    int places = 0;
    if (value.kind != HOST_TUPLE && value.kind != HOST_NONE)
        return host_fail(p, "TypeError", "__defaults__ must be set to a tuple object");
    while (places < params->count && !params->items[places].keyword_only &&
           !params->items[places].star && !params->items[places].double_star)
        places++;
    const int count = value.kind == HOST_TUPLE ? (int)value.list->count : 0;
    if (count > places)
        return host_fail(p, "NotImplementedError", "%s() has %d parameters, and not %d",
                         function->code->name, places, count);
    for (int i = 0; i < places; i++)
        function->defaults[i] = i < places - count ? (HostValue){ .kind = HOST_KINDS }
                                                   : value.list->items[i - places + count];
    return true;
}

/* What object.__setattr__() does. */
static bool object_assign(Program *p, HostValue object, const char *name, HostValue value)
{
    const HostClass *class_ = class_of(object);
    const HostValue *held = class_find(class_, NULL, name);
    if (object.kind == HOST_CLASS) {
        env_set(p, object.class_->names, name, value);
        p->sets |= strcmp(name, "__setattr__") == 0;
        return true;
    }
    if (object.kind == HOST_EXCEPTION && !object.exception->fields)
        object.exception->fields = env_new(p, NULL, NULL);
    if (object.kind == HOST_FUNCTION && strcmp(name, "__defaults__") == 0)
        return object_defaults(p, object.function, value);
    if (object.kind == HOST_FUNCTION && !object.function->fields)
        object.function->fields = env_new(p, NULL, NULL);
    if (held && held->kind == HOST_FUNCTION && held->function->setter)
        return object_sets(p, held->function->setter, object, &value);
    if (held && object_has(*held, "__set__")) {
        const HostValue given[2] = { object, value };
        return object_calls(p, *held, "__set__", given, 2, &value);
    }
    if (held && held->kind == HOST_FUNCTION && class_is_property(*held))
        return host_fail(p, "AttributeError", "property '%s' of '%s' object has no setter", name,
                         class_->name);
    if (object.kind == HOST_INSTANCE && strcmp(name, "__dict__") == 0)
        return replace_attributes(p, object.instance, value);
    if (object.kind == HOST_INSTANCE && object.instance->open)
        return dict_put(p, object.instance->held.dict, host_text(p, name), value);
    bool fits = true;
    if (class_ && class_->slotted && !env_find(object_fields(object), name) &&
        !has_slot(p, class_, name, &fits))
        return false;
    if (!fits)
        return host_fail(p, "AttributeError", "'%s' object has no attribute '%s'", class_->name,
                         name);
    env_set(p, object_fields(object), name, value);
    return true;
}

bool object_set(Program *p, HostValue object, const char *name, HostValue value)
{
    const HostClass *class_ = class_of(object);
    HostValue given[2] = { host_none(), value }, none;
    if (class_ && class_->frozen)
        return host_fail(p, "dataclasses.FrozenInstanceError", "cannot assign to field '%s'", name);
    if (!p->sets || !object_has(object, "__setattr__"))
        return object_assign(p, object, name, value);
    given[0] = host_text(p, name);
    return object_calls(p, object, "__setattr__", given, 2, &none);
}

bool object_delete(Program *p, HostValue object, const char *name)
{
    const HostValue given = host_text(p, name);
    HostValue none;
    return object_calls(p, object, "__delattr__", &given, 1, &none) ||
           (!p->failed && object_remove(p, object, name));
}

/* ---- super() -------------------------------------------------------------------------------- */

/* What __init__ is of a class that has none above it. */
static bool init_nothing(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, host_none());
}

/* object.__new__(cls) */
static bool make_new(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue class_ = args->values[0];
    if (class_.kind != HOST_CLASS || class_.class_->form != CLASS_OBJECTS || class_.class_->raises)
        return host_fail(p, "TypeError", "object.__new__(X): X is not a type object (%s)",
                         host_type_name(p, class_));
    return new_instance(p, class_.class_, out);
}

/* object.__setattr__(self, name, value), whatever the class of `self` says of it, and
** object.__delattr__(self, name); of super() they have `self` already. */
static bool set_plainly(Program *p, HostArgs *args, HostValue *out)
{
    const bool sets = strcmp(args->builtin->name, "object.__setattr__") == 0;
    const bool bound = args->self.kind != HOST_NONE;
    const HostValue self = bound ? args->self : args->values[0];
    const HostValue *given = args->values + !bound;
    *out = host_none();
    if (args->count != (size_t)1 + sets + !bound || self.kind != HOST_INSTANCE ||
        given->kind != HOST_STRING)
        return host_fail(p, "TypeError", "%s() takes an object, a name%s here", args->builtin->name,
                         sets ? " and a value" : "");
    return sets ? object_assign(p, self, host_word(p, given->string), given[1])
                : object_remove(p, self, given->string->text);
}

/* What object has itself, for super() of classes that have none above them. */
static const HostBuiltin no_init = { "object.__init__", 0, 0, init_nothing, NULL },
                         no_more = { "object.__init_subclass__", 0, 0, init_nothing, NULL },
                         plain_new = { "object.__new__", 1, 1, make_new, NULL },
                         plain_set = { "object.__setattr__", 2, 3, set_plainly, NULL },
                         plain_delete = { "object.__delattr__", 1, 2, set_plainly, NULL };

bool object_own(const char *name, HostValue *out)
{
    const HostBuiltin *row = strcmp(name, "__init__") == 0            ? &no_init
                             : strcmp(name, "__init_subclass__") == 0 ? &no_more
                             : strcmp(name, "__new__") == 0           ? &plain_new
                             : strcmp(name, "__setattr__") == 0       ? &plain_set
                             : strcmp(name, "__delattr__") == 0       ? &plain_delete
                                                                      : NULL;
    *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = row };
    return row != NULL;
}

/* super().update() */
static bool held_method(Program *p, HostValue self, const char *name, HostValue *out)
{
    AstExpr asked = { .kind = AST_ATTRIBUTE, .attribute.name = name };
    const HostValue held = object_held(self);
    return held.kind != HOST_INSTANCE && eval_attribute(p, held, &asked, out);
}

bool object_of_held(Program *p, const HostBuiltin *type, const char *name, HostValue *out)
{
    const bool held = strcmp(type->name, "dict") == 0 || strcmp(type->name, "list") == 0;
    HostValue class_;
    if (!held || !object_has_special(name) || !modules_find(p, "builtins._held", &class_))
        return false;
    const HostValue *method = class_find(class_.class_, NULL, name);
    return method && host_give(out, *method);
}

/* What a class above the one at hand has for the object at hand. */
bool object_super(Program *p, const HostSuper *super, const char *name, HostValue *out)
{
    const HostValue *held = class_find(super->of, super->after, name);
    if (held)
        return method_bound(p, super->of, super->self, name, *held, out);
    if (super->self.kind == HOST_EXCEPTION)
        return exception_method(p, super->self, name, out);
    if (!object_own(name, out))
        return super->self.kind == HOST_INSTANCE && held_method(p, super->self, name, out);
    if (out->builtin != &plain_new)
        *out = bind_method(p, super->self, *out);
    return true;
}

/* super(Class, self) */
static bool super_of(Program *p, const HostValue *values, HostValue *out)
{
    const HostValue self = values[1];
    const HostClass *of = self.kind == HOST_CLASS ? self.class_ : class_of(self);
    if (!of || values[0].kind != HOST_CLASS || !class_is_made_of(of, values[0].class_))
        return host_fail(p, "TypeError",
                         "super(type, obj): obj must be an instance or subtype of type");
    HostSuper *super = host_new(p, HOST_SUPER, sizeof *super);
    super->of = of;
    super->after = values[0].class_;
    super->self = self;
    return host_give(out, host_object(super));
}

/* super(): the function around says which class it stands in, and its first argument is what it is
** of. */
static bool make_super(Program *p, HostArgs *args, HostValue *out)
{
    const HostEnv *env = p->frame->env;
    const HostName *own = NULL, *self = NULL;
    if (args->count)
        return super_of(p, args->values, out);
    while (env && !env->code)
        env = env->outer;
    if (env && env->code->ast->params.count)
        self = env_find(env, env->code->ast->params.items[0].name);
    for (; env && !own; env = env->outer)
        own = env_find(env, "__class__");
    if (!own || !self)
        return host_fail(p, "RuntimeError", "super(): no arguments");
    const HostValue values[2] = { own->value, self->value };
    return super_of(p, values, out);
}

/* ---- texts ----------------------------------------------------------------------------------- */

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
        data_repr(p, out, object.instance);
    else if (!p->failed)
        buf_printf(out, "<__main__.%s object at %p>", class_of(object)->name,
                   (const void *)object.object);
}

const HostBuiltin object_functions[] = {
    { "super", 0, 2, make_super, NULL },
    { NULL, 0, 0, NULL, NULL },
};

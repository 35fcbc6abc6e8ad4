/* Functions in classes: what their decorators make of them, and what they are for an object. */
#include "runtime/program/python/classes.h"

static bool is_word(const AstExpr *decorator, const char *word)
{
    return decorator->kind != AST_CALL && ast_ends_in(decorator, word);
}

/* What a decorator says of a function by its name alone; false: it is another. */
static bool mark(const AstExpr *decorator, HostFunction *function)
{
    static const struct {
        const char *name;
        MethodKind kind;
    } kinds[] = { { "staticmethod", METHOD_STATIC },
                  { "classmethod", METHOD_CLASS },
                  { "property", METHOD_PROPERTY },
                  { "cached_property", METHOD_CACHED },
                  { "abstractproperty", METHOD_PROPERTY } };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (is_word(decorator, kinds[i].name)) {
            function->method = kinds[i].kind;
            return true;
        }
    function->abstract |= is_word(decorator, "abstractmethod");
    return is_word(decorator, "abstractmethod");
}

/* @name.setter: the property of that name, with a function that sets it. */
static bool complete(Program *p, const AstExpr *decorator, HostValue *function, bool *done)
{
    const bool sets = is_word(decorator, "setter");
    HostValue property;
    *done = decorator->kind == AST_ATTRIBUTE && (sets || is_word(decorator, "deleter"));
    if (!*done)
        return true;
    if (!host_eval(p, decorator->attribute.object, &property))
        return false;
    if (property.kind != HOST_FUNCTION || property.function->method != METHOD_PROPERTY ||
        function->kind != HOST_FUNCTION) {
        *done = false;
        return true;
    }
    const HostValue made = host_py_func(p, property.function);
    made.function->method = METHOD_PROPERTY;
    made.function->setter = sets ? function->function : property.function->setter;
    made.function->deleter = sets ? property.function->deleter : function->function;
    *function = made;
    return true;
}

/* property(get, set, delete) and its like, called: a copy of the function. */
static bool make_method(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = args->builtin->name;
    static const char *const keys[] = { "fget", "fset", "fdel" };
    HostFunction *parts[3] = { NULL };
    for (size_t i = 0; i < 3; i++) {
        const HostValue part = args_get(args, i, keys[i], host_none());
        if (part.kind != HOST_FUNCTION && (part.kind != HOST_NONE || !i))
            return host_fail(p, "NotImplementedError",
                             "%s() takes functions that def or lambda made, not '%s'", name,
                             host_type_name(p, part));
        parts[i] = part.kind == HOST_FUNCTION ? part.function : NULL;
    }
    *out = host_py_func(p, parts[0]);
    out->function->method = strcmp(name, "property") == 0      ? METHOD_PROPERTY
                            : strcmp(name, "classmethod") == 0 ? METHOD_CLASS
                                                               : METHOD_STATIC;
    out->function->setter = parts[1];
    out->function->deleter = parts[2];
    return true;
}

const HostBuiltin method_functions[] = {
    { "property", 0, 4, make_method, "fget fset fdel doc" },
    { "classmethod", 1, 1, make_method, NULL },
    { "staticmethod", 1, 1, make_method, NULL },
    { NULL, 0, 0, NULL, NULL },
};

bool method_decorate(Program *p, const AstFunction *ast, HostValue *function)
{
    for (int i = ast->decorators.count; i-- > 0;) {
        const AstExpr *decorator = ast->decorators.items[i];
        bool done;
        if (function->kind == HOST_FUNCTION && mark(decorator, function->function))
            continue;
        if (!complete(p, decorator, function, &done))
            return false;
        if (!done && !host_decorate(p, decorator, function))
            return false;
    }
    return true;
}

HostValue bind_method(Program *p, HostValue self, HostValue function)
{
    HostMethod *method = host_new(p, HOST_METHOD, sizeof *method);
    method->self = self;
    method->builtin = function.kind == HOST_BUILTIN ? function.builtin : NULL;
    method->function = function;
    return host_object(method);
}

bool method_bound(Program *p, const HostClass *class_, HostValue object, const char *name,
                  HostValue value, HostValue *out)
{
    const bool function = value.kind == HOST_FUNCTION;
    const HostValue asked[2] = { object.kind == HOST_CLASS ? host_none() : object,
                                 class_value(class_) };
    *out = value;
    if (object_has(value, "__get__"))
        return object_calls(p, value, "__get__", asked, 2, out);
    if (function && value.function->method == METHOD_CLASS)
        *out = bind_method(p, class_value(class_), value);
    if (!function || object.kind == HOST_CLASS)
        return true;
    switch (value.function->method) {
    case METHOD_PROPERTY:
        return host_call_one(p, value, object, out);
    case METHOD_CACHED:
        if (!host_call_one(p, value, object, out))
            return false;
        env_set(p, object_fields(object), host_word(p, host_text(p, name).string), *out);
        return true;
    case METHOD_PLAIN:
        return host_give(out, bind_method(p, object, value));
    default:
        return true;
    }
}

const char *qualified_name(Program *p, const HostFunction *function)
{
    const char *name = function->code->name;
    for (const HostEnv *env = function->closure; env; env = env->outer) {
        const HostName *class_ = env_find(env, "__class__");
        if (class_ && class_->value.kind == HOST_CLASS)
            name = arena_printf(p->arena, "%s.%s", class_->value.class_->name, name);
        if (env->code)
            name = arena_printf(p->arena, "%s.<locals>.%s", env->code->name, name);
    }
    return name;
}

bool class_is_property(HostValue function)
{
    return function.function->method == METHOD_PROPERTY;
}

bool method_self(Program *p, const HostBuiltin *builtin, HostArgs *args)
{
    const char *dot = strchr(builtin->name, '.');
    const int length = (int)(dot - builtin->name);
    if (!args->count)
        return host_fail(p, "TypeError", "unbound method %s() needs an argument", builtin->name);
    args->self = object_held(*args->values++);
    args->count--;
    const char *given = host_type_name(p, args->self);
    const bool fits =
        args->self.kind == HOST_DICT
            ? strncmp(builtin->name, "dict.", 5) == 0
            : (int)strlen(given) == length && strncmp(given, builtin->name, (size_t)length) == 0;
    return fits || host_fail(p, "TypeError",
                             "descriptor '%s' for '%.*s' objects doesn't apply to a '%s' object",
                             dot + 1, length, builtin->name, given);
}

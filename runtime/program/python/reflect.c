/* Objects looked at from outside: vars(), id(), delattr(), and what the modules in
** library/python/ need to copy objects. */
#include "runtime/program/kernels.h"
#include "runtime/program/python/classes.h"

static int by_order(const void *a, const void *b)
{
    const HostName *x = *(const HostName *const *)a, *y = *(const HostName *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const HostName *const *)a)->name, (*(const HostName *const *)b)->name);
}

/* Of a call its parameters come first: by place, by name, then those with stars. */
static size_t parameters_first(const HostEnv *env, const HostName **names)
{
    const AstParams *params = &env->code->ast->params;
    size_t count = 0;
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < params->count; i++) {
            const AstParam *param = &params->items[i];
            const int own = param->star ? 2 : param->double_star ? 3 : param->keyword_only ? 1 : 0;
            const HostName *slot = own == kind ? env_find(env, param->name) : NULL;
            if (slot && slot->bound)
                names[count++] = slot;
        }
    return count;
}

static bool is_among(const HostName *const *names, size_t count, const HostName *name)
{
    while (count && names[count - 1] != name)
        count--;
    return count;
}

HostValue object_vars(Program *p, HostValue object)
{
    const HostEnv *env = object_fields(object);
    const HostName **names =
        arena_array(&p->scratch, const HostName *, env ? env->capacity + 1 : 1);
    const HostValue made = host_dict(p);
    const bool call = object.kind == HOST_ENVIRONMENT && env->code;
    const size_t first = call ? parameters_first(env, names) : 0;
    size_t count = first;
    const bool function = object.kind == HOST_FUNCTION; /* __name__ and its like are none of them */
    for (size_t i = 0; env && i < env->capacity; i++)
        if (env->slots[i].name && env->slots[i].bound &&
            !(function && strncmp(env->slots[i].name, "__", 2) == 0 &&
              strcmp(env->slots[i].name, "__wrapped__") != 0) &&
            !is_among(names, first, &env->slots[i]))
            names[count++] = &env->slots[i];
    qsort(names + first, count - first, sizeof *names, by_order);
    for (size_t i = 0; i < count; i++)
        dict_put(p, made.dict, host_name(p, names[i]->name), names[i]->value);
    made.dict->of = object.object;
    return made;
}

bool object_put(Program *p, HostValue object, HostValue name, HostValue value)
{
    if (name.kind != HOST_STRING)
        return host_fail(p, "NotImplementedError", "names in vars() of an object are texts");
    if (object.kind == HOST_ENVIRONMENT)
        return host_fail(p, "NotImplementedError",
                         "globals() and locals() are read here: assign the names");
    if (object.kind == HOST_FUNCTION && !object.function->fields)
        object.function->fields = env_new(p, NULL, NULL);
    env_set(p, object_fields(object), host_word(p, name.string), value);
    return true;
}

static HostValue names_of(Program *p, HostEnv *env)
{
    return object_vars(p, (HostValue){ .kind = HOST_ENVIRONMENT, .object = &env->head });
}

static bool builtin_globals(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    return host_give(out, names_of(p, env_module(p->frame->env)));
}

/* The function that a value calls, and how many of its parameters are bound; NULL: it is none
** of the program's. */
static const HostFunction *function_in(HostValue value, int *bound)
{
    *bound = value.kind == HOST_METHOD && !value.method->builtin;
    const HostValue function = *bound ? value.method->function : value;
    return function.kind == HOST_FUNCTION ? function.function : NULL;
}

/* sys._parameters(f): of each its name and kind, as inspect counts them, and its default value. */
static bool parameters_of(Program *p, HostArgs *args, HostValue *out)
{
    int first;
    const HostFunction *function = function_in(args->values[0], &first);
    if (!function)
        return host_fail(p, "NotImplementedError",
                         "parameters are known of functions of the program");
    const AstParams *params = &function->code->ast->params;
    *out = host_room(p, HOST_LIST, (size_t)params->count);
    for (int i = first; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        const int kind = param->star                    ? 2
                         : param->double_star           ? 4
                         : param->keyword_only          ? 3
                         : i >= params->positional_only ? 1
                                                        : 0;
        const HostValue parts[3] = { host_text(p, param->name), host_int(kind),
                                     function->defaults[i] };
        host_append(p, out->list, host_items(p, HOST_TUPLE, parts, param->default_value ? 3 : 2));
    }
    return true;
}

/* sys._annotation(f): what its first parameter that is annotated is annotated with. */
static bool first_annotation(Program *p, HostArgs *args, HostValue *out)
{
    int first;
    const HostFunction *function = function_in(args->values[0], &first);
    const AstParams *params = function ? &function->code->ast->params : NULL;
    while (params && first < params->count && !params->items[first].annotation)
        first++;
    if (!params || first >= params->count)
        return host_fail(p, "TypeError",
                         "Invalid first argument to `register()`: a class, or a function whose "
                         "first parameter is annotated with one, is needed");
    HostEnv *const around = p->frame->env;
    p->frame->env = function->closure;
    const bool fine = host_eval(p, params->items[first].annotation, out);
    p->frame->env = around;
    return fine;
}

/* sys._main(): those of the file that is run. */
static bool main_names(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    return host_give(out, names_of(p, p->globals));
}

/* Those of the call at hand, or of the module. */
static bool builtin_locals(Program *p, HostArgs *args, HostValue *out)
{
    HostEnv *env = p->frame->env;
    (void)args;
    while (env->outer && !env->code)
        env = env->outer;
    return host_give(out, names_of(p, env));
}

/* typing.cast(), NewType(): the last argument; decorators that say nothing: the function. */
static bool last_argument(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    return host_give(out, args->values[args->count - 1]);
}

static bool builtin_vars(Program *p, HostArgs *args, HostValue *out)
{
    if (args->count && args->values[0].kind == HOST_CLASS &&
        class_attribute(p, args->values[0], "__dict__", out))
        return true;
    if (args->count && !object_fields(args->values[0]))
        return host_fail(p, "NotImplementedError", "vars() is of objects of the program's classes");
    if (!args->count)
        return builtin_locals(p, args, out);
    return host_give(out, object_vars(p, args->values[0]));
}

static bool builtin_id(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue value = args->values[0];
    const bool real = host_is_number(value) && !host_is_complex(value); /* by its bits */
    uint64_t hash = 0;
    if (value.kind >= HOST_OBJECTS || value.kind == HOST_CLASS || value.kind == HOST_MEMBER)
        *out = host_int((int64_t)(uintptr_t)value.object);
    else if (host_hash(p, value, &hash))
        *out = host_int(
            (int64_t)((real ? (uint64_t)value.integer : hash) << 6 ^ (uint64_t)value.kind));
    return !p->failed;
}

static bool builtin_delattr(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    if (args->values[0].kind != HOST_INSTANCE || args->values[1].kind != HOST_STRING)
        return host_fail(p, "NotImplementedError",
                         "delattr() takes an object of the program's "
                         "classes and a name");
    return object_delete(p, args->values[0], args->values[1].string->text);
}

static bool copy_held(Program *p, HostValue held, HostValue *out)
{
    const AstExpr asked = { .kind = AST_ATTRIBUTE, .attribute.name = "copy" };
    HostArgs nothing = { .count = 0 };
    HostValue method;
    return eval_attribute(p, held, &asked, &method) && host_call(p, method, &nothing, out);
}

/* sys._held(x): the dictionary or list that an object of a class made of it holds. */
static bool held_of(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    return host_give(out, object_held(args->values[0]));
}

/* sys._constant(x): whether CPython would have one object for all constants of this value. */
static bool constant_of(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    const HostValue value = args->values[0];
    return host_give(out, host_bool(value.kind >= HOST_OBJECTS && value.kind < HOST_KINDS &&
                                    value.object->constant));
}

/* sys._same(x): another object of its class with its attributes; what has none is itself. Of a
** tuple, sys._same(t, items), a tuple of its class with these. */
static bool same(Program *p, HostArgs *args, HostValue *out)
{
    *out = args->values[0];
    if (out->kind == HOST_TUPLE && args->count > 1 && args->values[1].kind == HOST_LIST) {
        const HostList *items = args->values[1].list;
        const HostValue made = host_items(p, HOST_TUPLE, items->items, items->count);
        made.list->class_ = out->list->class_;
        *out = made;
    }
    if (out->kind != HOST_INSTANCE)
        return true;
    const HostInstance *from = out->instance;
    HostInstance *made = host_new(p, HOST_INSTANCE, sizeof *made);
    made->class_ = from->class_;
    made->fields = env_new(p, NULL, NULL);
    made->open = from->open;
    *out = host_object(made);
    host_keep(p, *out);
    if (from->held.kind != HOST_NONE && !copy_held(p, from->held, &made->held))
        return false;
    const HostValue values = object_vars(p, args->values[0]);
    for (size_t i = 0; i < values.dict->count; i++)
        env_set(p, made->fields, host_word(p, values.dict->entries[i].key.string),
                values.dict->entries[i].value);
    return true;
}

/* sys._fields(x): the names of a data class's fields; None: it is none. sys._fields(x, True): those
** that a call takes. */
static bool field_names(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue value = args->values[0];
    const HostClass *class_ = value.kind == HOST_CLASS      ? value.class_
                              : value.kind == HOST_INSTANCE ? value.instance->class_
                                                            : NULL;
    *out = host_none();
    if (!class_ || !class_->make || class_->form != CLASS_OBJECTS)
        return true;
    const int count = class_->make->code->ast->params.count;
    *out = host_room(p, HOST_TUPLE, (size_t)count);
    for (int i = 1; i < count; i++)
        if (args->count == 1 || data_takes(class_, (size_t)i - 1))
            host_append(p, out->list, host_text(p, class_field(class_, (size_t)i - 1)));
    return true;
}

/* sys._names(class): what it and those that it is made of have. */
static bool class_names(Program *p, HostArgs *args, HostValue *out)
{
    const HostClass *class_ = args->values[0].class_;
    const HostValue names = host_dict(p);
    if (!args_are(p, args, "c"))
        return false;
    for (size_t i = 0; i < class_->order_count; i++) {
        const HostEnv *env = class_->order[i]->names;
        for (size_t k = 0; k < env->capacity; k++)
            if (env->slots[k].name && env->slots[k].bound &&
                !dict_put(p, names.dict, host_text(p, env->slots[k].name), host_none()))
                return false;
    }
    return host_collect(p, HOST_LIST, names, out);
}

/* sys._classes(base): those that the program's module holds that are made of it, by their names. */
static bool classes_of(Program *p, HostArgs *args, HostValue *out)
{
    if (!args_are(p, args, "c"))
        return false;
    *out = host_room(p, HOST_LIST, 0);
    const HostName **names = arena_array(&p->scratch, const HostName *, p->globals->capacity + 1);
    size_t count = 0;
    for (size_t i = 0; i < p->globals->capacity; i++) {
        const HostName *slot = &p->globals->slots[i];
        if (slot->name && slot->bound && slot->value.kind == HOST_CLASS &&
            slot->value.class_ != args->values[0].class_ &&
            class_is_made_of(slot->value.class_, args->values[0].class_))
            names[count++] = slot;
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++)
        host_append(p, out->list, names[i]->value);
    return true;
}

/* sys._set(x, name, value): of a frozen data class, too. */
static bool set_field(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return args_are(p, args, "os.") &&
           object_put(p, args->values[0], args->values[1], args->values[2]);
}

/* ---- getattr, hasattr ----------------------------------------------------------------------- */

/* Finds whether an object has an attribute; a name that kjit does not know in a module is none.
** False for all errors but a missing attribute, which leaves an AttributeError in `p`. */
static bool attribute_of(Program *p, const HostArgs *args, HostValue *out, bool *has)
{
    if (args->values[1].kind != HOST_STRING)
        return host_fail(p, "TypeError", "attribute name must be string, not '%s'",
                         host_type_name(p, args->values[1]));
    const AstExpr expr = { .kind = AST_ATTRIBUTE,
                           .span = args->call ? args->call->span : (Span){ 0 },
                           .attribute.name = args->values[1].string->text };
    *has = eval_attribute(p, args->values[0], &expr, out) &&
           (out->kind != HOST_FOREIGN || args->values[0].kind == HOST_FOREIGN);
    return *has || !p->failed || exception_is(p->exception, "AttributeError");
}

static bool builtin_hasattr(Program *p, HostArgs *args, HostValue *out)
{
    bool has;
    if (!attribute_of(p, args, out, &has))
        return false;
    host_forget(p);
    return host_give(out, host_bool(has));
}

static bool builtin_getattr(Program *p, HostArgs *args, HostValue *out)
{
    bool has;
    if (!attribute_of(p, args, out, &has))
        return false;
    if (has)
        return true;
    if (args->count < 3)
        return !p->failed && host_fail(p, "AttributeError", "there is no attribute '%s'",
                                       args->values[1].string->text);
    host_forget(p);
    return host_give(out, args->values[2]);
}

static bool builtin_setattr(Program *p, HostArgs *args, HostValue *out)
{
    const HostValue object = kernel_function(args->values[0]), name = args->values[1];
    *out = host_none();
    if (name.kind != HOST_STRING)
        return host_fail(p, "TypeError", "attribute name must be string, not '%s'",
                         host_type_name(p, name));
    if (object_takes(object))
        return object_set(p, object, host_word(p, name.string), args->values[2]);
    return host_fail(p, "AttributeError", "'%s' object has no attribute '%s'",
                     host_type_name(p, object), name.string->text);
}

const HostBuiltin reflect_functions[] = {
    { "vars", 0, 1, builtin_vars, NULL },
    { "id", 1, 1, builtin_id, NULL },
    { "delattr", 2, 2, builtin_delattr, NULL },
    { "sys._same", 1, 2, same, NULL },
    { "sys._held", 1, 1, held_of, NULL },
    { "sys._constant", 1, 1, constant_of, NULL },
    { "globals", 0, 0, builtin_globals, NULL },
    { "sys._main", 0, 0, main_names, NULL },
    { "sys._parameters", 1, 1, parameters_of, NULL },
    { "sys._annotation", 1, 1, first_annotation, NULL },
    { "locals", 0, 0, builtin_locals, NULL },
    { "typing.cast", 2, 2, last_argument, NULL },
    { "typing.NewType", 2, 2, last_argument, NULL },
    { "typing.final", 1, 1, last_argument, NULL },
    { "typing.runtime_checkable", 1, 1, last_argument, NULL },
    { "typing.overload", 1, 1, last_argument, NULL },
    { "typing.no_type_check", 1, 1, last_argument, NULL },
    { "setattr", 3, 3, builtin_setattr, NULL },
    { "hasattr", 2, 2, builtin_hasattr, NULL },
    { "getattr", 2, 3, builtin_getattr, NULL },
    { "sys._set", 3, 3, set_field, NULL },
    { "sys._fields", 1, 2, field_names, NULL },
    { "sys._names", 1, 1, class_names, NULL },
    { "sys._classes", 1, 1, classes_of, NULL },
    { NULL, 0, 0, NULL, NULL },
};

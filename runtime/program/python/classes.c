/* The classes that programs have: of objects, which objects.c makes; and, as kernels do,
** namedtuples, by a call or by a class of fields, and enumerations, whose members enums.c makes.
** All may have methods and constants. */
#include "runtime/program/kernels.h"
#include "runtime/program/python/classes.h"

bool class_is_made_of(const HostClass *class_, const HostClass *of)
{
    for (size_t i = 0; i < class_->order_count; i++)
        if (class_->order[i] == of)
            return true;
    return false;
}

bool class_has(const HostClass *class_, HostValue value)
{
    return class_of(value) && class_is_made_of(class_of(value), class_);
}

/* Whether a value has all names of a protocol, and of those that it is made of. */
static bool follows(Program *p, const HostClass *class_, HostValue value, bool *is)
{
    HostValue function, has = host_bool(true), given[2] = { value };
    HostArgs args = { .values = given, .count = 2 };
    *is = true;
    if (!module_builtin(p, "hasattr", &function))
        return false;
    for (size_t i = 0; i < class_->order_count; i++) {
        const HostList *names = class_->order[i]->members;
        for (size_t k = 0; class_->order[i]->protocol && k < names->count && *is; k++) {
            given[1] = names->items[k];
            if (!host_call(p, function, &args, &has))
                return false;
            *is = has.integer;
        }
    }
    return true;
}

bool class_says_instance(Program *p, const HostClass *class_, HostValue value, bool *is)
{
    if (class_->protocol)
        return follows(p, class_, value, is);
    const bool library = class_->file && class_->file->globals->library;
    const HostName *slot = library ? env_find(class_->names, "_is_instance") : NULL;
    HostValue said;
    return !slot || (host_call_one(p, slot->value, value, &said) && host_truth(p, said, is));
}

HostClass *class_new(Program *p, ClassForm form, const char *name)
{
    HostClass *class_ = arena_new(p->arena, HostClass);
    *class_ = (HostClass){ .next = p->classes,
                           .form = form,
                           .name = name,
                           .members = host_room(p, HOST_LIST, 0).list,
                           .names = env_new(p, NULL, NULL) };
    class_->order = arena_array(p->arena, const HostClass *, 1);
    class_->order[class_->order_count++] = class_;
    p->classes = class_;
    return class_;
}

HostValue class_object(Program *p)
{
    if (!p->object)
        p->object = class_new(p, CLASS_OBJECTS, "object");
    return class_value(p->object);
}

/* ---- class statements ----------------------------------------------------------------------- */

/* What a class statement is read into. */
typedef struct Reader {
    HostClass *class_;
    Fields fields;
    HostEnv *scope; /* in which values are evaluated: the names so far are there */
    bool data;      /* @dataclass: what is annotated is a field */
} Reader;

static bool class_base(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return host_fail(p, "NotImplementedError",
                     "programs have %s as the base of a class: write a class statement",
                     strrchr(args->builtin->name, '.') + 1);
}

static bool evaluate(Program *p, const Reader *reader, const AstExpr *expr, HostValue *out)
{
    HostEnv *const around = p->frame->env;
    p->frame->env = reader->scope;
    const bool fine = host_eval(p, expr, out);
    p->frame->env = around;
    return fine && (host_settle(p, out) || host_place(p, host_span(expr)));
}

static bool is_special(const char *name)
{
    const size_t length = strlen(name);
    return strncmp(name, "__", 2) == 0 && length > 4 && strcmp(name + length - 2, "__") == 0;
}

/* What a class of namedtuples may say of its own; how tuples are compared, gone over and hashed is
** Python's. */
static bool is_of_tuples(const char *name)
{
    static const char *const names[] = { "__str__", "__repr__", "__format__", "__bool__", "__neg__",
                                         "__pos__", "__abs__",  "__invert__", "__round__" };
    return TEXT_IS_AMONG(name, names) || (object_has_operator(name) && name[2] != 'i');
}

static bool check_special(Program *p, const HostClass *class_, const char *name, Span span)
{
    return !is_special(name) || (class_->form == CLASS_OBJECTS && object_has_special(name)) ||
           (class_->form == CLASS_TUPLES && is_of_tuples(name)) ||
           (class_->form >= CLASS_ENUM && strcmp(name, "__str__") == 0) ||
           (class_->form == CLASS_ENUM && strcmp(name, "__init__") == 0) ||
           host_refuse(p, span,
                       "classes in programs have no special method %s: call it by another "
                       "name" HOST_BY_PYTHON,
                       name);
}

/* Statements of the class further down know it, too. */
static void add_to_class(Program *p, const Reader *reader, const char *name, HostValue value)
{
    env_set(p, reader->class_->names, name, value);
    env_set(p, reader->scope, name, value);
    if (reader->class_->protocol && strcmp(name, "__init__") != 0)
        host_append(p, reader->class_->members, host_text(p, name));
    p->sets |= strcmp(name, "__setattr__") == 0;
}

static bool add_method(Program *p, const Reader *reader, const AstStmt *stmt)
{
    const AstFunction *ast = &stmt->def.function;
    HostValue function;
    const bool objects = reader->class_->form == CLASS_OBJECTS;
    if (!check_special(p, reader->class_, ast->name, stmt->span))
        return false;
    if (objects && kernel_define(p, ast, &function)) {
        add_to_class(p, reader, ast->name, function);
        return true;
    }
    HostEnv *const around = p->frame->env;
    p->frame->env = reader->scope;
    bool fine = host_function(p, ast, &function);
    if (fine && objects) {
        HostEnv *const outer = function.function->closure; /* super() finds the class before it */
        function.function->closure = env_new(p, outer, NULL);
        env_set(p, function.function->closure, "__class__", class_value(reader->class_));
    }
    if (fine && strcmp(ast->name, "__new__") == 0)
        function.function->method = METHOD_STATIC;
    if (fine && strcmp(ast->name, "__init_subclass__") == 0)
        function.function->method = METHOD_CLASS;
    fine = fine && method_decorate(p, ast, &function);
    p->frame->env = around;
    if (!fine)
        return false;
    add_to_class(p, reader, ast->name, function);
    return true;
}

/* A name in the class: a member of an enumeration, a constant of others. */
static bool add_name(Program *p, Reader *reader, const AstExpr *target, HostValue value)
{
    HostClass *class_ = reader->class_;
    const char *name = target->name.name;
    if (target->kind != AST_NAME)
        return host_refuse(p, target->span, "classes in programs assign names alone");
    if (value.kind == HOST_FUNCTION && !check_special(p, class_, name, target->span))
        return false; /* __radd__ = __add__ */
    if (class_->form < CLASS_ENUM || value.kind == HOST_FUNCTION ||
        class_private(class_, name) != name) {
        add_to_class(p, reader, name, value);
        return true;
    }
    if (strncmp(name, "__", 2) == 0) /* Python's own, no member */
        return true;
    if (!enum_add(p, class_, name, target->span, &value))
        return false;
    env_set(p, reader->scope, name, value);
    return true;
}

static bool add_names(Program *p, Reader *reader, const AstExpr *target, HostValue value)
{
    HostValue all;
    if (target->kind != AST_TUPLE)
        return add_name(p, reader, target, value);
    if (!host_collect(p, HOST_LIST, value, &all))
        return host_place(p, target->span);
    const size_t count = (size_t)target->list.items.count;
    if (all.list->count != count)
        return host_raise(p, target->span, "ValueError", "%zu values for %zu names",
                          all.list->count, count);
    for (size_t i = 0; i < count; i++)
        if (!add_name(p, reader, target->list.items.items[i], all.list->items[i]))
            return false;
    return true;
}

static bool add_assigned(Program *p, Reader *reader, const AstStmt *stmt)
{
    HostValue value;
    if (!evaluate(p, reader, stmt->assign.value, &value))
        return false;
    for (int i = 0; i < stmt->assign.targets.count; i++)
        if (!add_names(p, reader, stmt->assign.targets.items[i], value))
            return false;
    return true;
}

/* ClassVar, ClassVar[int] */
static bool is_class_variable(const AstExpr *annotation)
{
    return ast_ends_in(annotation->kind == AST_INDEX ? annotation->index.object : annotation,
                       "ClassVar");
}

/* x: float, or x: float = 1 */
static bool add_annotated(Program *p, Reader *reader, const AstStmt *stmt)
{
    const AstExpr *target = stmt->ann_assign.target, *expr = stmt->ann_assign.value;
    const Fields *fields = &reader->fields;
    HostValue value = { .kind = HOST_KINDS };
    if (expr && !evaluate(p, reader, expr, &value))
        return false;
    const bool data = reader->data && !is_class_variable(stmt->ann_assign.annotation);
    if (reader->class_->protocol && target->kind == AST_NAME && !expr)
        host_append(p, reader->class_->members, host_text(p, target->name.name));
    if (!data && (reader->class_->form != CLASS_TUPLES || reader->class_->make))
        return !expr || add_name(p, reader, target, value);
    if (target->kind != AST_NAME || (!data && *target->name.name == '_'))
        return host_refuse(p, target->span, "a field has a name that begins with a letter");
    if (data) {
        if (!data_push(p, &reader->fields, target->name.name, &value))
            return host_place(p, stmt->span);
        if (value.kind != HOST_KINDS)
            add_to_class(p, reader, target->name.name, value);
        return true;
    }
    if (!expr && fields->count && fields->list[fields->count - 1].value.kind != HOST_KINDS)
        return host_raise(p, stmt->span, "TypeError",
                          "Non-default namedtuple field %s cannot follow default field %s",
                          target->name.name, fields->list[fields->count - 1].name);
    namedtuple_push(p, &reader->fields, target->name.name, value);
    return true;
}

/* A class in a class. */
static bool add_class(Program *p, const Reader *reader, const AstStmt *stmt)
{
    HostEnv *const around = p->frame->env;
    p->frame->env = reader->scope;
    const bool fine = class_define(p, stmt);
    p->frame->env = around;
    if (fine)
        add_to_class(p, reader, stmt->class_.name,
                     env_find(reader->scope, stmt->class_.name)->value);
    return fine;
}

static bool read_statement(Program *p, Reader *reader, const AstStmt *stmt)
{
    switch (stmt->kind) {
    case AST_PASS:
        return true;
    case AST_EXPR_STMT:
        if (stmt->expr.value->kind == AST_STRING || stmt->expr.value->kind == AST_ELLIPSIS)
            return true;
        break;
    case AST_DEF:
        return add_method(p, reader, stmt);
    case AST_CLASS:
        if (reader->class_->form != CLASS_OBJECTS)
            break;
        return add_class(p, reader, stmt);
    case AST_ASSIGN:
        return add_assigned(p, reader, stmt);
    case AST_ANN_ASSIGN:
        return add_annotated(p, reader, stmt);
    default:
        break;
    }
    return host_refuse(p, stmt->span,
                       "classes in programs hold fields or members, methods, constants and "
                       "classes alone");
}

/* @unique */
static bool check_unique(Program *p, const HostClass *class_, Span span)
{
    for (size_t i = 0; i < class_->names->capacity; i++) {
        const HostName *slot = &class_->names->slots[i];
        HostValue name;
        if (!slot->name || !class_of(slot->value))
            continue;
        enum_attribute(p, slot->value, "name", &name);
        if (name.kind == HOST_STRING && strcmp(name.string->text, slot->name) != 0)
            return host_raise(p, span, "ValueError",
                              "duplicate values found in <enum '%s'>: %s -> %s", class_->name,
                              slot->name, name.string->text);
    }
    return true;
}

/* @dataclass, or a call of it. */
static bool is_dataclass(Program *p, const AstExpr *decorator)
{
    const AstExpr *name = decorator->kind == AST_CALL ? decorator->call.function : decorator;
    HostValue value;
    if (!ast_ends_in(name, "dataclass"))
        return false;
    return host_eval(p, name, &value) && value.kind == HOST_BUILTIN &&
           strcmp(value.builtin->name, "dataclasses.dataclass") == 0;
}

static bool decorate(Program *p, const HostClass *class_, const AstExpr *decorator, HostValue *made)
{
    HostValue value;
    if (class_->form == CLASS_OBJECTS && is_dataclass(p, decorator))
        return true;
    if (p->failed)
        return false;
    if (!host_eval(p, decorator, &value))
        return false;
    const bool unique =
        value.kind == HOST_BUILTIN && strcmp(value.builtin->name, "enum.unique") == 0;
    if (!unique && class_->form == CLASS_OBJECTS)
        return host_call_one(p, value, *made, made) || host_place(p, decorator->span);
    if (!unique)
        return host_refuse(
            p, decorator->span,
            "enumerations and namedtuples in programs have no decorator but @unique");
    return check_unique(p, class_, decorator->span);
}

bool class_is_base(HostValue base, const HostClass *class_, bool *has)
{
    ClassForm form;
    if (base.kind != HOST_BUILTIN || !class_form_of(base, &form))
        return false;
    *has = class_ && (class_->form == form || (form == CLASS_ENUM && class_->form >= CLASS_ENUM));
    return true;
}

/* The imported file whose statements run; NULL: they are the program's own. */
static const HostFile *file_of(const Program *p)
{
    const HostEnv *globals = env_module(p->frame->env);
    const HostFile *file = globals->library ? p->libraries : p->files;
    while (file && file->globals != globals)
        file = file->next;
    return file;
}

/* What has __set_name__ hears what the class calls it. */
static bool tell_names(Program *p, const HostClass *class_, const AstStmt *stmt)
{
    HostValue none;
    for (size_t i = 0; i < class_->names->capacity; i++) {
        const HostName slot = class_->names->slots[i];
        if (!slot.name || !slot.bound || !object_has(slot.value, "__set_name__"))
            continue;
        const HostValue given[2] = { class_value(class_), host_text(p, slot.name) };
        if (!object_calls(p, slot.value, "__set_name__", given, 2, &none))
            return host_place(p, stmt->span);
    }
    return true;
}

/* Calls __init_subclass__ of what a class is made of, with the keywords of its statement. */
static bool tell_bases(Program *p, const HostClass *class_, const AstStmt *stmt)
{
    const HostValue *method = class_find(class_, class_, "__init_subclass__");
    const AstClass *ast = &stmt->class_;
    HostValue self = class_value(class_), none;
    HostArgs args = { .values = &self, .count = 1 };
    args.names = arena_array(p->arena, const char *, ast->keyword_count + 1);
    args.named = arena_array(p->arena, HostValue, ast->keyword_count + 1);
    for (int i = 0; method && i < ast->keyword_count; i++) {
        const AstKeyword *keyword = &ast->keywords[i];
        if (!keyword->name || strcmp(keyword->name, "metaclass") == 0)
            continue;
        args.names[args.named_count] = keyword->name;
        if (!host_eval(p, keyword->value, &args.named[args.named_count++]))
            return false;
    }
    return !method || host_call(p, *method, &args, &none) || host_place(p, stmt->span);
}

bool class_define(Program *p, const AstStmt *stmt)
{
    const AstClass *ast = &stmt->class_;
    Reader reader = { .class_ = class_new(p, CLASS_OBJECTS, ast->name),
                      .scope = env_new(p, p->frame->env, NULL) };
    HostClass *class_ = reader.class_;
    reader.scope->of_class = true;
    if (!class_bases(p, class_, stmt))
        return false;
    const ClassForm form = class_->form;
    class_->file = file_of(p);
    class_->doc = ast->docstring;
    for (int i = 0; form == CLASS_OBJECTS && i < ast->decorators.count; i++)
        if (is_dataclass(p, ast->decorators.items[i]) &&
            !data_begin(p, class_, ast->decorators.items[i], &reader.fields, &reader.data))
            return false;
    for (int i = 0; i < ast->body.count && !p->failed; i++)
        if (!read_statement(p, &reader, ast->body.items[i]))
            return false;
    if (reader.data && !data_check(p, class_, stmt->span))
        return false;
    const bool fields = reader.data || (form == CLASS_TUPLES && !class_->make);
    if (fields)
        namedtuple_fields(p, class_, &reader.fields);
    if (reader.data)
        data_end(p, class_, &reader.fields);
    if (fields)
        class_match_args(p, class_);
    HostValue made = class_value(class_);
    class_->slotted = !class_->holds && form == CLASS_OBJECTS;
    for (size_t i = 0; i < class_->order_count; i++)
        class_->slotted &= env_find(class_->order[i]->names, "__slots__") != NULL;
    if (form == CLASS_OBJECTS && (!tell_names(p, class_, stmt) || !tell_bases(p, class_, stmt)))
        return false;
    if (!enum_init(p, class_))
        return host_place(p, stmt->span);
    for (int i = ast->decorators.count; i-- > 0;)
        if (!decorate(p, class_, ast->decorators.items[i], &made))
            return false;
    env_write(p, ast->name, made);
    return true;
}

/* ---- what they have ------------------------------------------------------------------------- */

bool class_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out)
{
    if (!host_settle_all(p, args->values, args->count) ||
        !host_settle_all(p, args->named, args->named_count))
        return false;
    if (class_->form == CLASS_OBJECTS)
        return object_call(p, class_, args, out);
    if (class_->form == CLASS_TUPLES)
        return namedtuple_call(p, class_, args, out);
    if (args->count != 1 || args->named_count)
        return host_fail(p, "NotImplementedError",
                         "a call of an enumeration gives the member of one value: write a class "
                         "statement to make another");
    return enum_call(p, class_, args->values[0], out);
}

/* What Python has of a class beside that, and what gives the same here; NULL: it is none. */
static const char *instead_of(const HostClass *class_, const char *name)
{
    if (class_->form == CLASS_OBJECTS)
        return NULL;
    if (class_->form != CLASS_TUPLES)
        return strcmp(name, "__members__") == 0 ? "{m.name: m for m in %s} has the members" : NULL;
    return strcmp(name, "_field_defaults") == 0 || strcmp(name, "__annotations__") == 0
               ? "%s._fields has the names"
               : NULL;
}

/* A class in the order of another, where what holds a dictionary is Python's own `dict`. */
static HostValue shown_class(const HostClass *class_, const HostClass *part)
{
    return part->holds || !class_->holds || part->base_count
               ? class_value(part)
               : (HostValue){ .kind = HOST_BUILTIN, .builtin = class_->holds };
}

/* The names of a class itself, as they are now. */
static HostValue own_names(Program *p, const HostClass *class_)
{
    const HostValue made =
        object_vars(p, (HostValue){ .kind = HOST_ENVIRONMENT, .object = &class_->names->head });
    made.dict->of = NULL;
    dict_put(p, made.dict, host_text(p, "__doc__"),
             class_->doc ? host_text(p, class_->doc) : host_none());
    return made;
}

/* Base.__subclasses__(): those made of it directly, in the order in which they came. */
static bool subclasses_of(Program *p, HostArgs *args, HostValue *out)
{
    const HostClass *base = args->self.class_;
    *out = host_room(p, HOST_LIST, 0);
    for (const HostClass *class_ = p->classes; class_; class_ = class_->next)
        for (size_t i = 0; i < class_->base_count; i++)
            if (class_->bases[i] == base)
                host_append(p, out->list, class_value(class_));
    for (size_t i = 0, k = out->list->count; i + 1 < k; i++) {
        const HostValue last = out->list->items[--k];
        out->list->items[k] = out->list->items[i];
        out->list->items[i] = last;
    }
    return true;
}

/* What Python says of a class by itself. */
static bool described(Program *p, const HostClass *class_, const char *name, HostValue *out)
{
    if (strcmp(name, "__name__") == 0 || strcmp(name, "__qualname__") == 0)
        return host_give(out, host_text(p, class_->name));
    if (strcmp(name, "__dict__") == 0 && class_->form == CLASS_OBJECTS)
        return host_give(out, own_names(p, class_));
    if (strcmp(name, "__subclasses__") == 0 && module_path(p, "type.__subclasses__", out))
        return host_give(out, bind_method(p, class_value(class_), *out));
    const bool all = strcmp(name, "__mro__") == 0, bases = strcmp(name, "__bases__") == 0;
    if (class_->form != CLASS_OBJECTS || !(all || bases))
        return false;
    *out = host_room(p, HOST_TUPLE, class_->order_count + 1);
    size_t count = 0;
    for (size_t i = bases; i < class_->order_count; i++) {
        bool direct = all;
        for (size_t k = 0; bases && k < class_->base_count; k++)
            direct |= class_->bases[k] == class_->order[i];
        if (direct && class_->order[i] != p->object && ++count)
            host_append(p, out->list, shown_class(class_, class_->order[i]));
    }
    if (class_->raises && all)
        exception_order(p, class_->raises, out->list);
    else if (class_->raises && !count)
        host_append(p, out->list,
                    (HostValue){ .kind = HOST_EXCEPTION_CLASS, .text = class_->raises });
    if (all || (!count && !class_->raises))
        host_append(p, out->list, class_object(p));
    return true;
}

bool class_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    const HostClass *class_ = object.kind == HOST_CLASS ? object.class_ : class_of(object);
    const HostName *own = NULL;
    if (object.kind == HOST_SUPER)
        return object_super(p, object.super, name, out);
    if (!class_)
        return false;
    if (object_fields(object))
        own = env_find(object_fields(object), name);
    const HostValue *held = class_find(class_, NULL, name);
    if (held && (!own || object_has(*held, "__set__")))
        return method_bound(p, class_, object, name, *held, out);
    if (own)
        return host_give(out, own->value);
    if (object.kind == HOST_INSTANCE && strcmp(name, "__dict__") == 0)
        return host_give(out, object_vars(p, object));
    if (object.kind == HOST_CLASS && strncmp(name, "__", 2) == 0 && described(p, class_, name, out))
        return true;
    if (strcmp(name, "__doc__") == 0 && class_->form == CLASS_OBJECTS)
        return host_give(out, class_->doc ? host_text(p, class_->doc) : host_none());
    if (object.kind != HOST_CLASS && strcmp(name, "__class__") == 0)
        return host_give(out, class_value(class_));
    const char *instead = instead_of(class_, name);
    if (instead)
        return host_fail(p, "NotImplementedError", "there is no %s: %s", name,
                         arena_printf(&p->scratch, instead, class_->name));
    HostValue *item = NULL;
    if (object.kind == HOST_INSTANCE && object.instance->open &&
        !dict_find(p, object.instance->held.dict, host_text(p, name), &item))
        return false;
    if (item)
        return host_give(out, *item);
    if (class_->form == CLASS_OBJECTS)
        return class_ == p->object && object_own(name, out);
    if (class_->form == CLASS_TUPLES)
        return namedtuple_attribute(p, class_, object, name, out);
    return object.kind != HOST_CLASS && enum_attribute(p, object, name, out);
}

const HostBuiltin class_functions[] = {
    { "typing.NamedTuple", 0, -1, class_base, "*" },
    { "enum.Enum", 0, -1, class_base, "*" },
    { "enum.IntEnum", 0, -1, class_base, "*" },
    { "enum.IntFlag", 0, -1, class_base, "*" },
    { "enum.StrEnum", 0, -1, class_base, "*" },
    { "enum.Flag", 0, -1, class_base, "*" },
    { "type.__subclasses__", 0, 0, subclasses_of, NULL },
    { NULL, 0, 0, NULL, NULL },
};

/* Classes of programs: what namedtuple.c and objects.c have for classes.c, and it for them. */
#pragma once

#include "runtime/program/program.h"

typedef struct Field {
    const char *name;
    HostValue value;       /* without an argument; HOST_KINDS: it needs one */
    unsigned char without; /* of data classes: what it is left out of */
} Field;

typedef struct Fields {
    Field *list;
    int count, capacity;
    bool by_keyword; /* @dataclass(kw_only=True): those from here on */
} Fields;

/* bases.c: what a class statement says that it is made of. */
bool class_bases(Program *p, HostClass *class_, const AstStmt *stmt);
/* The kind of class that comes of a base; false: of none that programs have. */
bool class_form_of(HostValue base, ClassForm *form);
/* What a class, or those behind `after` in its order, call a name; NULL: nothing. */
const HostValue *class_find(const HostClass *class_, const HostClass *after, const char *name);
/* `__name` of `_Class__name`, which it means in the class; others are themselves. */
const char *class_private(const HostClass *class_, const char *name);
/* Whether none of its methods is an abstract one; false after a TypeError. */
bool class_is_whole(Program *p, const HostClass *class_);
HostClass *class_new(Program *p, ClassForm form, const char *name);
static inline HostValue class_value(const HostClass *class_)
{
    return (HostValue){ .kind = HOST_CLASS, .class_ = class_ };
}
/* A function, or what is built in, whose first argument is `self`. */
HostValue bind_method(Program *p, HostValue self, HostValue function);

/* Appends a field; `value` is its default, of the kind HOST_KINDS where it has none. */
void namedtuple_push(Program *p, Fields *fields, const char *name, HostValue value);
/* The class has these fields. */
void namedtuple_fields(Program *p, HostClass *class_, const Fields *fields);
/* Its __match_args__, the fields that a call takes by their places. */
void class_match_args(Program *p, HostClass *class_);
bool namedtuple_call(Program *p, const HostClass *class_, const HostArgs *args, HostValue *out);
/* What every such class has, or a tuple of it. */
bool namedtuple_attribute(Program *p, const HostClass *class_, HostValue object, const char *name,
                          HostValue *out);

/* What the decorators of a function in a class make of it. */
bool method_decorate(Program *p, const AstFunction *ast, HostValue *function);
/* What a name in a class is for the class, or for an object of it. */
bool method_bound(Program *p, const HostClass *class_, HostValue object, const char *name,
                  HostValue value, HostValue *out);
/* Whether a function in a class is a property of its objects. */
bool class_is_property(HostValue function);

/* Whether classes of objects may have a special method of that name. */
bool object_has_special(const char *name);
bool object_has_operator(const char *name);
bool object_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out);
/* What `object` has under a name, for all classes. */
bool object_own(const char *name, HostValue *out);
/* Puts `self` in front of arguments. */
void self_first(Program *p, HostValue self, HostArgs *args);

/* dataclasses.c: what @dataclass says and the fields of the class above; a field with its value or
** what field() gave, and after it what the class calls the name, HOST_KINDS for nothing; what is
** done where the class statement ends. */
bool data_begin(Program *p, HostClass *class_, const AstExpr *decorator, Fields *fields,
                bool *data);
bool data_push(Program *p, Fields *fields, const char *name, HostValue *value);
bool data_check(Program *p, const HostClass *class_, Span span);
void data_end(Program *p, HostClass *class_, const Fields *fields);
/* Whether a call of a data class takes a field. */
bool data_takes(const HostClass *class_, size_t field);
/* An object's fields from the arguments of a call, and as a text. */
bool data_call(Program *p, HostInstance *instance, HostArgs *args);
void data_repr(Program *p, Buf *out, const HostInstance *instance);
/* Of two objects of one data class: whether what is compared of their fields is equal. */
bool data_equal(Program *p, const HostInstance *a, const HostInstance *b, bool *equal);

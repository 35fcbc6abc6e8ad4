/* Classes of programs: what namedtuple.c and objects.c have for classes.c, and it for them. */
#pragma once

#include "runtime/program/program.h"

typedef struct Field {
    const char *name;
    HostValue value; /* without an argument; HOST_KINDS: it needs one */
} Field;

typedef struct Fields {
    Field *list;
    int count, capacity;
} Fields;

HostClass *class_new(Program *p, ClassForm form, const char *name);
static inline HostValue class_value(const HostClass *class_)
{
    return (HostValue){ .kind = HOST_CLASS, .class_ = class_ };
}
/* A function, or what is built in, whose first argument is `self`. */
HostValue bind_method(Program *p, HostValue self, HostValue function);

void namedtuple_push(Program *p, Fields *fields, const char *name, HostValue value);
/* The class has these fields. */
void namedtuple_fields(Program *p, HostClass *class_, const Fields *fields);
bool namedtuple_call(Program *p, const HostClass *class_, const HostArgs *args, HostValue *out);
/* What every such class has, or a tuple of it. */
bool namedtuple_attribute(Program *p, const HostClass *class_, HostValue object, const char *name,
                          HostValue *out);

/* What a name in a class is for an object of it. */
bool class_bound(Program *p, HostValue object, HostValue value, HostValue *out);
/* Whether a function in a class is a property of its objects. */
bool class_is_property(HostValue function);

/* Whether classes of objects may have a special method of that name. */
bool object_has_special(const char *name);
bool object_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out);
/* dataclasses.field(default_factory=...), which a value bound to it is made by. */
const HostBuiltin *field_builtin(void);

/* What python/ does: dictionaries, sets, classes, exceptions and the statements about them. */
#pragma once

#include "runtime/program/model/state.h"

/* ---- python/exceptions.c ------------------------------------------------------------------- */

/* The class of exceptions of that name that is built in, or NULL. */
const char *exception_class(const char *name);
/* np.linalg.LinAlgError and its like, by their paths. */
bool exception_path(const char *path, HostValue *out);
/* Whether it is of a class that is built in, or of one that is made of it. */
bool exception_is(const HostException *exception, const char *class_);
/* The same of a class of either kind, or of several in a tuple. False after a TypeError. */
bool exception_matches(Program *p, const HostException *exception, HostValue class_, bool *is);
bool exception_class_is(const char *class_, const char *base);
/* Adds a class of Python's, and those above it. */
void exception_order(Program *p, const char *class_, HostList *out);
/* ValueError(...) */
bool exception_call(Program *p, const char *class_, HostArgs *args, HostValue *out);
/* Raises what the number says of a file; false. */
bool exception_of_file(Program *p, int number, const char *path);
/* A new one, of MyError(...) */
HostException *exception_new(Program *p, const HostClass *class_, const HostArgs *args);
/* exception.args, and what super() of one has. */
bool exception_attribute(Program *p, HostValue object, const char *name, HostValue *out);
/* The methods that all have, of `self` or of its class. */
bool exception_method(Program *p, HostValue self, const char *name, HostValue *out);
HostValue exception_type(const HostException *exception);
void exception_str(Program *p, Buf *out, HostValue exception);
void exception_repr(Program *p, Buf *out, HostValue exception);

/* ---- python/hash.c --------------------------------------------------------------------------- */

/* A hash of a key, the same for keys that are equal: CPython's, as far as that is the same in all
** its runs. False after a TypeError. */
bool host_hash(Program *p, HostValue key, uint64_t *hash);

/* ---- python/dict.c --------------------------------------------------------------------------- */

/* An empty dictionary. */
HostValue host_dict(Program *p);
/* An empty one of the same class. */
HostValue dict_like(Program *p, const HostDict *like);
HostValue dict_view(Program *p, HostDict *dict, HostViewOf of);
/* *found: the value under a key, until the next change; NULL: there is none. False after a
** TypeError. */
bool dict_find(Program *p, const HostDict *dict, HostValue key, HostValue **found);
/* dict[key] */
bool dict_index(Program *p, HostDict *dict, HostValue key, HostValue *out);
/* Puts or replaces. */
bool dict_put(Program *p, HostDict *dict, HostValue key, HostValue value);
/* *value: what was removed, which may be NULL. */
bool dict_remove(Program *p, HostDict *dict, HostValue key, HostValue *value, bool *found);
/* As a name in a module: "collections.Counter". */
const char *dict_path(const HostDict *dict);
/* Adds the entries of a dictionary, or of pairs. */
bool dict_update(Program *p, HostDict *dict, HostValue from);
/* The same of what is given, and then of the keywords. */
bool dict_update_by(Program *p, HostDict *dict, const HostArgs *args);
void dict_clear(HostDict *dict);
bool dict_equal(Program *p, HostValue a, HostValue b, bool *equal);
/* As sets, unless they are of values. */
bool views_equal(Program *p, HostValue a, HostValue b, bool *equal);
/* Raises a KeyError of a key; false. */
bool dict_missing(Program *p, HostValue key);
/* An entry with its part of the iterator's view, all of a dictionary being its keys. */
bool dict_next(Program *p, HostIterator *it, HostValue *out);
/* The dictionary that a value is or is a view of; NULL: it is neither. */
static inline HostDict *dict_of(HostValue value)
{
    return value.kind == HOST_DICT ? value.dict : value.kind == HOST_VIEW ? value.view->dict : NULL;
}

/* ---- python/set.c, sets.c ------------------------------------------------------------------- */

static inline bool is_set(HostValue value)
{
    return value.kind == HOST_SET || value.kind == HOST_FROZEN_SET;
}
/* Keys and items of a dictionary are like sets. */
static inline bool is_like_set(HostValue value)
{
    return is_set(value) || (value.kind == HOST_VIEW && value.view->of != VIEW_VALUES);
}
HostValue host_set(Program *p, bool frozen);
bool host_set_add(Program *p, HostSet *set, HostValue item);
bool host_set_contains(Program *p, const HostSet *set, HostValue item, bool *found);
/* Adds the items of a set or of what can be gone over. */
bool host_set_update(Program *p, HostSet *set, HostValue from);
bool host_set_next(Program *p, HostIterator *it, HostValue *out);
bool eval_set(Program *p, const AstExpr *expr, HostValue *out);
void host_set_repr(Program *p, Buf *out, HostValue value);
/* a | b and its like, of sets and of keys of dictionaries; false without an error: there is no such
** operator. The other, for a |= b, changes `a`. */
bool host_set_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_set_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool host_set_compare(Program *p, AstOp op, HostValue a, HostValue b, bool *truth);
bool host_set_equal(Program *p, HostValue a, HostValue b, bool *equal);
const HostBuiltin *host_set_method(HostKind kind, const char *name);

/* ---- python/collections.c -------------------------------------------------------------------- */

/* a | b, and what counters have beside that; false without an error: there is no such operator. */
bool dict_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
/* The same for a |= b, which changes `a`. */
bool dict_augmented(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);

/* ---- python/lacks.c ------------------------------------------------------------------------ */

/* Whether Python has a name built in that programs have not; an attribute, of an object that has
** none such here. */
bool lacks_builtin(const char *name);
bool lacks_attribute(HostValue object, const char *name);

/* ---- python/unwind.c ----------------------------------------------------------------------- */

/* The statements that raise, handle what was raised, and look after things left by it. */
/* An exception, or a new one of a class; *out: NULL where it is neither. False after an error. */
bool exception_of(Program *p, HostValue value, HostException **out);
bool exec_assert(Program *p, const AstStmt *stmt);
bool exec_raise(Program *p, const AstStmt *stmt);
/* A loop over a generator that nothing else holds was left in this way: the generator ends. */
HostFlow exec_leaves(Program *p, HostFlow left, HostProducer *generator);
HostFlow exec_try(Program *p, const AstStmt *stmt);
HostFlow exec_with(Program *p, const AstStmt *stmt);

/* ---- python/patterns.c ---------------------------------------------------------------------- */

/* Executes a match statement. */
HostFlow exec_match(Program *p, const AstStmt *stmt);

/* ---- python/keywords.c ----------------------------------------------------------------------- */

/* A text as a name, which stays when the text does not. */
const char *host_word(Program *p, const HostString *text);
/* A text that is room for the names of so many keywords. */
HostValue keyword_room(Program *p, size_t count);
const char **keyword_names(HostValue room);
/* Evaluates the keywords of a call into `args`. */
bool keywords_eval(Program *p, const AstExpr *call, HostValue function, HostArgs *args);

/* ---- python/partial.c ------------------------------------------------------------------------ */

/* Calls its function with the arguments that it has in front of those of the call. */
bool partial_call(Program *p, const HostPartial *partial, const HostArgs *args, HostValue *out);
/* partial.func and partial.args */
bool partial_attribute(const HostPartial *partial, const char *name, HostValue *out);

/* ---- python/classes.c ------------------------------------------------------------------------ */

/* The class that an object, a namedtuple or a member is of; NULL: it is none of them. */
static inline const HostClass *class_of(HostValue value)
{
    const bool may = value.kind == HOST_INT || value.kind == HOST_STRING;
    return value.kind == HOST_TUPLE       ? value.list->class_
           : value.kind == HOST_INSTANCE  ? value.instance->class_
           : value.kind == HOST_MEMBER    ? value.member->class_
           : value.kind == HOST_EXCEPTION ? value.exception->of
           : may && value.enumerated      ? value.enumerated->class_
                                          : NULL;
}
/* Whether a class is another, or is made of it. */
bool class_is_made_of(const HostClass *class_, const HostClass *of);
/* Whether a value is of a class, or of one that is made of it. */
bool class_has(const HostClass *class_, HostValue value);
/* Asks _is_instance() of a class of the library, as Iterable has one. */
bool class_says_instance(Program *p, const HostClass *class_, HostValue value, bool *is);
/* Whether a base of classes is one that such a class has, which may be NULL; false: `base` is
** none. */
bool class_is_base(HostValue base, const HostClass *class_, bool *has);
/* The class of a class statement, which is refused if it is another; what it is decorated with is
** looked at, too. */
bool class_define(Program *p, const AstStmt *stmt);
/* Python's `object`. */
HostValue class_object(Program *p);
bool class_call(Program *p, const HostClass *class_, HostArgs *args, HostValue *out);
/* What a class, a namedtuple or a member has; false where it has none such, or after an error. */
bool class_attribute(Program *p, HostValue object, const char *name, HostValue *out);
/* The name of a field of namedtuples. */
const char *class_field(const HostClass *class_, size_t index);

/* ---- python/methods.c ------------------------------------------------------------------------ */

/* "Class.method", "f.<locals>.g" */
const char *qualified_name(Program *p, const HostFunction *function);
/* Of str.lower(text) the first argument is what the method is of; false after a TypeError. */
bool method_self(Program *p, const HostBuiltin *builtin, HostArgs *args);

/* ---- python/objects.c ------------------------------------------------------------------------ */

/* Whether a value is an object whose class has a special method. */
bool object_has(HostValue value, const char *name);
/* Calls a special method, as __len__; false without an error: the value has none such. */
bool object_calls(Program *p, HostValue self, const char *name, const HostValue *values,
                  size_t count, HostValue *out);
/* The attributes that an object has of its own; NULL: it can have none. */
static inline HostEnv *object_fields(HostValue object)
{
    return object.kind == HOST_INSTANCE      ? object.instance->fields
           : object.kind == HOST_EXCEPTION   ? object.exception->fields
           : object.kind == HOST_MEMBER      ? object.member->fields
           : object.kind == HOST_FUNCTION    ? object.function->fields
           : object.kind == HOST_ENVIRONMENT ? (HostEnv *)object.object
                                             : NULL;
}
/* The dictionary or list that an object of a class made of it holds; others are themselves. */
static inline HostValue object_held(HostValue value)
{
    const bool holds = value.kind == HOST_INSTANCE && value.instance->held.kind != HOST_NONE;
    return holds ? value.instance->held : value;
}
/* Whether a class is made of what is built in under a name. */
bool class_holds(const HostClass *class_, const char *name);
/* Whether attributes of an object can be assigned. */
static inline bool object_takes(HostValue object)
{
    return object.kind == HOST_INSTANCE || object.kind == HOST_EXCEPTION ||
           object.kind == HOST_FUNCTION || (object.kind == HOST_MEMBER && object.member->fields) ||
           (object.kind == HOST_CLASS && object.class_->form == CLASS_OBJECTS);
}
/* object.name = value, of a class, too */
bool object_set(Program *p, HostValue object, const char *name, HostValue value);
bool object_defaults(Program *p, HostFunction *function, HostValue value);
bool object_delete(Program *p, HostValue object, const char *name);
/* An attribute of its own is one no more. */
bool object_lose(Program *p, HostValue object, const char *name);
bool object_super(Program *p, const HostSuper *super, const char *name, HostValue *out);
/* dict.__setitem__, as what is made of dict has it; false: `type` is none such, or has none. */
bool object_of_held(Program *p, const HostBuiltin *type, const char *name, HostValue *out);
/* repr() if it is `shown`, else str(). A method that fails leaves p->failed. */
void object_text(Program *p, Buf *out, HostValue object, bool shown);
/* Of two values one of which is an object. */
bool object_equal(Program *p, HostValue a, HostValue b, bool *equal);
/* What __eq__ gives; false: neither has one, or an error. */
bool object_says_equal(Program *p, HostValue a, HostValue b, HostValue *out);
bool object_is_hashable(HostValue object);

/* ---- python/dataclasses.c -------------------------------------------------------------------- */

/* What is compared of the fields of a data class's object, a tuple. */
HostValue data_compared(Program *p, const HostInstance *instance);

/* ---- python/reflect.c ----------------------------------------------------------------------- */

/* The attributes of an object, in the order in which they came: what is put into it is put into
** the object, too. */
HostValue object_vars(Program *p, HostValue object);
/* Sets an attribute, whatever its class says of it. */
bool object_put(Program *p, HostValue object, HostValue name, HostValue value);

/* ---- python/files.c ------------------------------------------------------------------------- */

/* An object of the library's class bytes. */
bool bytes_value(Program *p, const void *data, size_t length, HostValue *out);
/* The path that a text or a Path is; false after a TypeError. */
bool path_text(Program *p, HostValue value, const char **text);

/* Whether the arguments are such values, a letter each: s a text, a an array, b one of bytes, c a
** class, o an object, . any. False after a TypeError. */
bool args_are(Program *p, const HostArgs *args, const char *kinds);

/* ---- python/specials.c ---------------------------------------------------------------------- */

/* False without an error: there is no such operator. */
bool object_binary(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_in_place(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_unary(Program *p, AstOp op, HostValue a, HostValue *out);
bool object_ordered(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);
bool object_differs(Program *p, HostValue a, HostValue b, HostValue *out);
/* The number that an object stands for by its method, "__int__", "__float__" or "__index__", in its
** place; left alone if it has none. */
bool object_number(Program *p, const char *name, HostValue *value);
/* value.__len__ and its like, of what is built in and of objects whose class has none; false: it
** has no such. */
bool value_special(Program *p, HostValue value, const char *name, HostValue *out);
/* Whether it is known which of what is built in has a special method. */
bool special_is_known(const char *name);

/* ---- python/enums.c -------------------------------------------------------------------------- */

/* A new member, or another name of one with the same value; false after an error. */
bool enum_add(Program *p, HostClass *class_, const char *name, Span span, HostValue *value);
/* The member of that value. */
/* Calls __init__ of each member with its value, the items of a tuple. */
bool enum_init(Program *p, const HostClass *class_);
bool enum_call(Program *p, const HostClass *class_, HostValue value, HostValue *out);
bool enum_index(Program *p, const HostClass *class_, HostValue name, HostValue *out);
bool enum_contains(Program *p, const HostClass *class_, HostValue value, bool *found);
/* member.name and member.value */
bool enum_attribute(Program *p, HostValue member, const char *name, HostValue *out);
/* <Color.RED: 1> */
void enum_repr(Program *p, Buf *out, HostValue member);
/* str() of a member, if it is another than that of its value: by the __str__ of its class, or
** "Color.RED"; false: it is that. */
bool enum_str(Program *p, Buf *out, HostValue member);
/* Whether it is a member of an IntFlag, and the members that are in it, a list. */
bool enum_has_flags(HostValue value);
int64_t enum_bits(HostValue flag);
HostValue enum_members(Program *p, HostValue flags);
/* What `| & ^` make of flags, and ~ of one; false if these are none. */
bool enum_flags(Program *p, AstOp op, HostValue a, HostValue b, HostValue *out);

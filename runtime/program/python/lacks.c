/* What Python has and programs have not: to ask for it is no mistake of the program's, so that no
** handler may take it for one. */
#include "runtime/program/program.h"

bool lacks_builtin(const char *name)
{
    static const char *const names[] = {
        "Ellipsis", "aiter", "anext",      "breakpoint", "compile",    "eval",
        "exec",     "help",  "memoryview", "input",      "__import__", "__builtins__",
    };
    return TEXT_IS_AMONG(name, names);
}

/* Attributes of every object, as far as programs have no use for them. */
static bool of_all(const char *name)
{
    static const char *const names[] = {
        "__annotations__", "__delattr__",  "__dir__",     "__doc__",   "__eq__",
        "__format__",      "__ge__",       "__gt__",      "__hash__",  "__init__",
        "__le__",          "__lt__",       "__module__",  "__mro__",   "__ne__",
        "__new__",         "__qualname__", "__reduce__",  "__repr__",  "__setattr__",
        "__sizeof__",      "__str__",      "__weakref__", "__bases__", "mro",
        "__subclasses__",
    };
    return TEXT_IS_AMONG(name, names);
}

static bool of_builtin(HostKind kind, const char *name)
{
    static const char *const numbers[] = { "as_integer_ratio", "bit_count",   "bit_length",
                                           "conjugate",        "denominator", "from_bytes",
                                           "fromhex",          "hex",         "numerator",
                                           "to_bytes" };
    static const char *const texts[] = { "translate",  "maketrans",    "format_map",
                                         "expandtabs", "isidentifier", "isprintable",
                                         "isascii",    "istitle",      "rsplit" };
    static const char *const ranges[] = { "count", "index", "start", "step", "stop", "indices" };
    switch (kind) {
    case HOST_BOOL:
    case HOST_INT:
    case HOST_WIDE:
    case HOST_FLOAT:
    case HOST_COMPLEX:
        return TEXT_IS_AMONG(name, numbers);
    case HOST_STRING:
        return TEXT_IS_AMONG(name, texts);
    case HOST_RANGE:
    case HOST_SLICE:
        return TEXT_IS_AMONG(name, ranges);
    default:
        return false;
    }
}

bool lacks_attribute(HostValue object, const char *name)
{
    switch (object.kind) {
    case HOST_NONE:
    case HOST_BOOL:
    case HOST_INT:
    case HOST_WIDE:
    case HOST_FLOAT:
    case HOST_COMPLEX:
    case HOST_STRING:
    case HOST_TUPLE:
    case HOST_LIST:
    case HOST_DICT:
    case HOST_VIEW:
    case HOST_SET:
    case HOST_FROZEN_SET:
    case HOST_RANGE:
    case HOST_SLICE:
        return (strncmp(name, "__", 2) == 0 && !special_is_known(name)) ||
               of_builtin(object.kind, name);
    case HOST_INSTANCE: /* Python's own class may have more */
        return of_all(name) ||
               (object.instance->class_->file && !object.instance->class_->file->module);
    case HOST_EXCEPTION:
    case HOST_SUPER:
    case HOST_CLASS:
    case HOST_MEMBER:
    case HOST_FILE:
        return of_all(name);
    default: /* NumPy's and numba's, of which much is not there */
        return true;
    }
}

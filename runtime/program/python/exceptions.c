/* Exceptions: the classes that are built in, those that programs make of them, what an exception
** has, and its text. unwind.c has the statements. */
#include "runtime/program/python/classes.h"

#include <errno.h>

static const struct {
    const char *name, *base;
} classes[] = {
    { "BaseException", NULL },
    { "Exception", "BaseException" },
    { "GeneratorExit", "BaseException" },
    { "KeyboardInterrupt", "BaseException" },
    { "SystemExit", "BaseException" },
    { "ArithmeticError", "Exception" },
    { "FloatingPointError", "ArithmeticError" },
    { "OverflowError", "ArithmeticError" },
    { "ZeroDivisionError", "ArithmeticError" },
    { "AssertionError", "Exception" },
    { "AttributeError", "Exception" },
    { "BufferError", "Exception" },
    { "EOFError", "Exception" },
    { "ImportError", "Exception" },
    { "ModuleNotFoundError", "ImportError" },
    { "LookupError", "Exception" },
    { "IndexError", "LookupError" },
    { "KeyError", "LookupError" },
    { "MemoryError", "Exception" },
    { "NameError", "Exception" },
    { "UnboundLocalError", "NameError" },
    { "OSError", "Exception" },
    { "BlockingIOError", "OSError" },
    { "ChildProcessError", "OSError" },
    { "ConnectionError", "OSError" },
    { "BrokenPipeError", "ConnectionError" },
    { "ConnectionAbortedError", "ConnectionError" },
    { "ConnectionRefusedError", "ConnectionError" },
    { "ConnectionResetError", "ConnectionError" },
    { "FileExistsError", "OSError" },
    { "FileNotFoundError", "OSError" },
    { "InterruptedError", "OSError" },
    { "IsADirectoryError", "OSError" },
    { "NotADirectoryError", "OSError" },
    { "PermissionError", "OSError" },
    { "ProcessLookupError", "OSError" },
    { "TimeoutError", "OSError" },
    { "ReferenceError", "Exception" },
    { "RuntimeError", "Exception" },
    { "NotImplementedError", "RuntimeError" },
    { "RecursionError", "RuntimeError" },
    { "StopAsyncIteration", "Exception" },
    { "StopIteration", "Exception" },
    { "SyntaxError", "Exception" },
    { "IndentationError", "SyntaxError" },
    { "SystemError", "Exception" },
    { "TypeError", "Exception" },
    { "ValueError", "Exception" },
    { "UnicodeError", "ValueError" },
    { "UnicodeDecodeError", "UnicodeError" },
    { "UnicodeEncodeError", "UnicodeError" },
    { "Warning", "Exception" },
    { "DeprecationWarning", "Warning" },
    { "FutureWarning", "Warning" },
    { "RuntimeWarning", "Warning" },
    { "UserWarning", "Warning" },
    { "BytesWarning", "Warning" },
    { "EncodingWarning", "Warning" },
    { "ImportWarning", "Warning" },
    { "PendingDeprecationWarning", "Warning" },
    { "ResourceWarning", "Warning" },
    { "SyntaxWarning", "Warning" },
    { "UnicodeWarning", "Warning" },
    { "numpy.linalg.LinAlgError", "ValueError" },
    { "numpy.exceptions.AxisError", "ValueError" }, /* and of IndexError */
    { "numpy._core._exceptions._UFuncOutputCastingError", "TypeError" },
    { "dataclasses.FrozenInstanceError", "AttributeError" },
};

/* Other names of some of them. */
static const struct {
    const char *path, *name;
} paths[] = {
    { "IOError", "OSError" },
    { "EnvironmentError", "OSError" },
    { "np.linalg.LinAlgError", "numpy.linalg.LinAlgError" },
    { "np.exceptions.AxisError", "numpy.exceptions.AxisError" },
    { "dataclasses.FrozenInstanceError", "dataclasses.FrozenInstanceError" },
};

static const char *find_class(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(classes); i++)
        if (strcmp(classes[i].name, name) == 0)
            return classes[i].name;
    return NULL;
}

static const char *base_of(const char *class_)
{
    for (size_t i = 0; i < ARRAY_COUNT(classes); i++)
        if (strcmp(classes[i].name, class_) == 0)
            return classes[i].base;
    return NULL;
}

const char *exception_class(const char *name)
{
    HostValue value;
    if (exception_path(name, &value))
        return value.text;
    return strchr(name, '.') ? NULL : find_class(name);
}

bool exception_path(const char *path, HostValue *out)
{
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        if (strcmp(paths[i].path, path) == 0)
            return host_give(out, (HostValue){ .kind = HOST_EXCEPTION_CLASS,
                                               .text = find_class(paths[i].name) });
    return false;
}

bool exception_class_is(const char *class_, const char *base)
{
    if (strcmp(class_, "numpy.exceptions.AxisError") == 0 && strcmp(base, "IndexError") == 0)
        return true;
    while (class_ && strcmp(class_, base) != 0)
        class_ = base_of(class_);
    return class_ != NULL;
}

void exception_order(Program *p, const char *class_, HostList *out)
{
    for (; class_; class_ = base_of(class_))
        host_append(p, out, (HostValue){ .kind = HOST_EXCEPTION_CLASS, .text = class_ });
}

bool exception_is(const HostException *exception, const char *class_)
{
    return exception_class_is(exception->of ? exception->of->raises : exception->class_, class_);
}

bool exception_matches(Program *p, const HostException *exception, HostValue class_, bool *is)
{
    const HostValue value = host_object((void *)(uintptr_t)exception);
    *is = false;
    if (class_.kind == HOST_TUPLE) {
        for (size_t i = 0; i < class_.list->count && !*is; i++)
            if (!exception_matches(p, exception, class_.list->items[i], is))
                return false;
        return true;
    }
    if (class_.kind == HOST_EXCEPTION_CLASS)
        *is = exception_is(exception, class_.text);
    else if (class_.kind == HOST_CLASS && class_.class_->raises)
        *is = class_has(class_.class_, value);
    else if (class_.kind != HOST_FOREIGN) /* of a module that kjit has not, which raises none */
        return host_fail(p, "TypeError",
                         "catching classes that do not inherit from BaseException is not allowed");
    return true;
}

/* OSError(2, "...") is of the class that the number means. */
static const char *class_of_number(const HostArgs *args)
{
    static const struct {
        int number;
        const char *class_;
    } numbers[] = { { ENOENT, "FileNotFoundError" }, { EEXIST, "FileExistsError" },
                    { EACCES, "PermissionError" },   { EPERM, "PermissionError" },
                    { EISDIR, "IsADirectoryError" }, { ENOTDIR, "NotADirectoryError" },
                    { ETIMEDOUT, "TimeoutError" },   { EPIPE, "BrokenPipeError" },
                    { EINTR, "InterruptedError" } };
    for (size_t i = 0; args->count > 1 && i < ARRAY_COUNT(numbers); i++)
        if (args->values[0].kind == HOST_INT && args->values[0].integer == numbers[i].number)
            return numbers[i].class_;
    return "OSError";
}

bool exception_call(Program *p, const char *class_, HostArgs *args, HostValue *out)
{
    if (args->named_count)
        return host_fail(p, "TypeError", "%s() takes no keyword arguments", class_);
    if (!host_settle_all(p, args->values, args->count))
        return false;
    if (strcmp(class_, "OSError") == 0)
        class_ = class_of_number(args);
    const HostValue list = host_items(p, HOST_TUPLE, args->values, args->count);
    return host_give(out, host_object(host_exception(p, class_, list)));
}

bool exception_of_file(Program *p, int number, const char *path)
{
    HostValue values[3] = { host_int(number), host_text(p, strerror(number)), host_text(p, path) };
    HostArgs args = { .values = values, .count = 3 };
    HostValue exception;
    return exception_call(p, "OSError", &args, &exception) &&
           host_fail_exception(p, exception.exception);
}

HostException *exception_new(Program *p, const HostClass *class_, const HostArgs *args)
{
    HostException *exception =
        host_exception(p, class_->name, host_items(p, HOST_TUPLE, args->values, args->count));
    if (class_->file)
        exception->class_ = arena_printf(p->arena, "%s.%s", class_->file->name, class_->name);
    exception->of = class_;
    exception->fields = env_new(p, NULL, NULL);
    return exception;
}

/* ---- attributes ----------------------------------------------------------------------------- */

static bool take_self(Program *p, HostArgs *args, HostException **self)
{
    HostValue value = args->self;
    if (value.kind != HOST_EXCEPTION && args->count) { /* Exception.__init__(self, text) */
        value = args->values[0];
        args->values++;
        args->count--;
    }
    *self = value.kind == HOST_EXCEPTION ? value.exception : NULL;
    return *self || host_fail(p, "TypeError",
                              "descriptor '__init__' of 'BaseException' object "
                              "needs an argument");
}

static bool exception_init(Program *p, HostArgs *args, HostValue *out)
{
    HostException *self;
    *out = host_none();
    if (!take_self(p, args, &self))
        return false;
    self->args = host_items(p, HOST_TUPLE, args->values, args->count);
    return true;
}

static void default_text(Program *p, Buf *out, const HostException *exception)
{
    const HostList *args = exception->args.list;
    if (args->count == 1 && exception_is(exception, "KeyError")) {
        host_repr(p, out, args->items[0]);
    } else if (args->count == 1) {
        host_str(p, out, args->items[0]);
    } else if ((args->count == 2 || args->count == 3) && exception_is(exception, "OSError")) {
        buf_puts(out, "[Errno ");
        host_str(p, out, args->items[0]);
        buf_puts(out, "] ");
        host_str(p, out, args->items[1]);
        if (args->count == 3) {
            buf_puts(out, ": ");
            host_repr(p, out, args->items[2]);
        }
    } else if (args->count) {
        host_repr(p, out, exception->args);
    }
}

static bool exception_default_str(Program *p, HostArgs *args, HostValue *out)
{
    HostException *self;
    if (!take_self(p, args, &self))
        return false;
    Buf text = buf_in(&p->scratch);
    default_text(p, &text, self);
    *out = host_buf(p, &text);
    return !p->failed;
}

/* What a class of the program's own has for its text; false: nothing, or it has failed. */
static bool own_text(Program *p, Buf *out, HostValue exception, const char *name)
{
    HostValue text = host_none();
    p->texts++;
    const bool own = object_calls(p, exception, name, NULL, 0, &text);
    p->texts--;
    if (own && text.kind == HOST_STRING)
        buf_put(out, text.string->text, text.string->length);
    else if (own)
        host_fail(p, "TypeError", "%s returned non-string (type %s)", name,
                  host_type_name(p, text));
    return own;
}

void exception_str(Program *p, Buf *out, HostValue exception)
{
    const bool own =
        exception.exception->of != NULL; /* others have their text amid a failure, too */
    if (!own || (!own_text(p, out, exception, "__str__") && !p->failed))
        default_text(p, out, exception.exception);
}

void exception_repr(Program *p, Buf *out, HostValue value)
{
    const HostException *exception = value.exception;
    if (exception->of && (own_text(p, out, value, "__repr__") || p->failed))
        return;
    const char *dot = strrchr(exception->class_, '.');
    buf_puts(out, dot ? dot + 1 : exception->class_);
    if (exception->args.list->count != 1) {
        host_repr(p, out, exception->args);
        return;
    }
    buf_putc(out, '(');
    host_repr(p, out, exception->args.list->items[0]);
    buf_putc(out, ')');
}

static HostValue or_none(HostException *exception)
{
    return exception ? host_object(exception) : host_none();
}

/* What some classes call their arguments. */
static bool argument_attribute(const HostException *exception, const char *name, HostValue *out)
{
    static const struct {
        const char *class_, *name;
        size_t index, least;
    } named[] = { { "StopIteration", "value", 0, 1 },
                  { "SystemExit", "code", 0, 1 },
                  { "OSError", "errno", 0, 2 },
                  { "OSError", "strerror", 1, 2 },
                  { "OSError", "filename", 2, 3 } };
    const HostList *args = exception->args.list;
    for (size_t i = 0; i < ARRAY_COUNT(named); i++)
        if (strcmp(named[i].name, name) == 0 && exception_is(exception, named[i].class_))
            return host_give(out, args->count >= named[i].least ? args->items[named[i].index]
                                                                : host_none());
    return false;
}

HostValue exception_type(const HostException *exception)
{
    return exception->of ? class_value(exception->of)
                         : (HostValue){ .kind = HOST_EXCEPTION_CLASS, .text = exception->class_ };
}

/* exception.add_note(text): a line of its own in tracebacks. */
static bool exception_note(Program *p, HostArgs *args, HostValue *out)
{
    HostException *self;
    *out = host_none();
    if (!take_self(p, args, &self))
        return false;
    if (args->count != 1 || args->values[0].kind != HOST_STRING)
        return host_fail(p, "TypeError", "note must be a str, not '%s'",
                         args->count ? host_type_name(p, args->values[0]) : "NoneType");
    if (!self->fields)
        self->fields = env_new(p, NULL, NULL);
    if (!env_find(self->fields, "__notes__"))
        env_set(p, self->fields, "__notes__", host_room(p, HOST_LIST, 1));
    host_append(p, env_find(self->fields, "__notes__")->value.list, args->values[0]);
    return true;
}

static const HostBuiltin note_row = { "BaseException.add_note", 0, -1, exception_note, NULL };
static const HostBuiltin init_row = { "BaseException.__init__", 0, -1, exception_init, NULL };
static const HostBuiltin str_row = { "BaseException.__str__", 0, 1, exception_default_str, NULL };

/* The methods that every class of exceptions has. */
bool exception_method(Program *p, HostValue self, const char *name, HostValue *out)
{
    const HostBuiltin *row = strcmp(name, "__init__") == 0   ? &init_row
                             : strcmp(name, "__str__") == 0  ? &str_row
                             : strcmp(name, "add_note") == 0 ? &note_row
                                                             : NULL;
    if (!row)
        return false;
    *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = row };
    if (self.kind == HOST_EXCEPTION)
        *out = bind_method(p, self, *out);
    return true;
}

bool exception_attribute(Program *p, HostValue object, const char *name, HostValue *out)
{
    const HostException *exception = object.exception;
    const HostName *own = exception->fields ? env_find(exception->fields, name) : NULL;
    if (own)
        *out = own->value;
    else if (strcmp(name, "args") == 0)
        *out = exception->args;
    else if (strcmp(name, "__class__") == 0)
        *out = exception_type(exception);
    else if (strcmp(name, "__cause__") == 0)
        *out = or_none(exception->cause);
    else if (strcmp(name, "__context__") == 0)
        *out = or_none(exception->context);
    else if (strcmp(name, "__suppress_context__") == 0)
        *out = host_bool(exception->from);
    else if (strcmp(name, "__traceback__") == 0)
        *out = (HostValue){ .kind = HOST_FOREIGN, .text = "__traceback__" };
    else if (strcmp(name, "with_traceback") == 0)
        return host_fail(p, "NotImplementedError", "exceptions in programs have no %s()", name);
    else
        return argument_attribute(exception, name, out) || exception_method(p, object, name, out);
    return true;
}

/* ---- traceback ------------------------------------------------------------------------------ */

/* traceback.format_exc() and print_exc() */
static bool traceback_text(Program *p, HostArgs *args, HostValue *out)
{
    Buf text = buf_in(&p->scratch);
    if (p->handling)
        host_traceback(p, &text, p->handling);
    buf_puts(&text, p->handling ? "\n" : "NoneType: None\n");
    if (p->failed)
        return false;
    *out = host_buf(p, &text);
    if (strcmp(args->builtin->name, "traceback.format_exc") == 0)
        return true;
    const HostValue file = args_get(args, SIZE_MAX, "file", host_none());
    const HostValue text_out = *out;
    *out = host_none();
    return stream_put(p, file, true, text_out);
}

const HostBuiltin exception_functions[] = {
    { "traceback.format_exc", 0, 0, traceback_text, NULL },
    { "traceback.print_exc", 0, 0, traceback_text, "file" },
    { NULL, 0, 0, NULL, NULL },
};

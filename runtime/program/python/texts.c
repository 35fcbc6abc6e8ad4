/* Arrays of texts, which are objects of a class of the library, library/python/data/_texts.k: what
** is called with them, or makes them of lists of texts, is a function there. */
#include "runtime/array/array.h"
#include "runtime/program/arrays.h"

static bool is_texts(HostValue value)
{
    const HostClass *class_ = value.kind == HOST_INSTANCE ? value.instance->class_ : NULL;
    return class_ && class_->file && strcmp(class_->file->name, "_texts") == 0 &&
           strcmp(class_->name, "ndarray") == 0;
}

bool texts_is_array(HostValue value)
{
    return is_texts(value);
}

/* The first of what lists in lists hold. */
static HostValue first_leaf(HostValue value)
{
    for (int depth = 0; depth < KJIT_RANK_MAX; depth++) {
        const bool list = value.kind == HOST_LIST || value.kind == HOST_TUPLE;
        if (!list || !value.list->count)
            break;
        value = value.list->items[0];
    }
    return value;
}

/* Whether a dtype is none of records or times, whose values texts are read as. */
static bool takes_texts(HostValue dtype)
{
    if (dtype.kind == HOST_STRING)
        return !strchr("Mm|VO", dtype.string->text[0]) && !strstr(dtype.string->text, "time");
    return dtype.kind != HOST_LIST &&
           !(dtype.kind == HOST_DTYPE &&
             (dtype.dtype == KJIT_DTYPE_RECORD || dtype_is_time(dtype.dtype)));
}

/* str, "U8", "<U8" */
static bool says_texts(HostValue dtype)
{
    if (dtype.kind == HOST_BUILTIN)
        return strcmp(dtype.builtin->name, "str") == 0;
    if (dtype.kind != HOST_STRING)
        return false;
    const char *text = dtype.string->text;
    text += strspn(text, "<=|");
    return *text == 'U' && text[1 + strspn(text + 1, "0123456789")] == '\0';
}

/* Whether a function of NumPy's is asked for texts: by an array of them, or by texts where it
** takes elements. */
static bool concerns(Program *p, const char *name, const HostArgs *args, bool *arrays)
{
    const bool makes = strcmp(name, "array") == 0 || strcmp(name, "asarray") == 0,
               fills = strcmp(name, "where") == 0 || strcmp(name, "full") == 0;
    bool any = false;
    if (strcmp(name, "zeros") == 0 || strcmp(name, "empty") == 0)
        return !p->eval && says_texts(args_get(args, 1, "dtype", host_none()));
    for (size_t i = 0; i < args->count; i++) {
        const HostValue value = args->values[i];
        const HostValue leaf = value.kind == HOST_INSTANCE ? value : first_leaf(value);
        *arrays |= is_texts(leaf);
        any |= leaf.kind == HOST_STRING &&
               (fills ? i > 0 : !i && (makes || value.kind != HOST_STRING));
    }
    if (makes && any)
        return !p->eval && takes_texts(args_get(args, 1, "dtype", host_none()));
    return *arrays || (any && !p->eval);
}

bool texts_call(Program *p, const char *name, bool numpy, HostArgs *args, HostValue *out)
{
    HostValue function;
    bool arrays = false;
    for (size_t i = 0; numpy && i < args->count; i++)
        if (!record_texts(p, &args->values[i]))
            return true;
    if (!concerns(p, name, args, &arrays))
        return false;
    if (!modules_define("_texts", name) || strcmp(name, "ndarray") == 0) {
        if (arrays && numpy)
            host_fail(p, "NotImplementedError", "np.%s() is not there for arrays of texts", name);
        return arrays && numpy;
    }
    if (modules_find(p, arena_printf(&p->scratch, "_texts.%s", name), &function))
        host_call(p, function, args, out);
    return true;
}

/* os._of_numpy(text): as an element of such an array, which a repr() shows as one. */
static bool of_numpy(Program *p, HostArgs *args, HostValue *out)
{
    *out = args->values[0];
    if (out->kind != HOST_STRING)
        return host_fail(p, "TypeError", "a text is needed here, not '%s'",
                         host_type_name(p, *out));
    out->dtype = HOST_NUMPY_TEXT;
    return true;
}

static bool line_width(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    return host_give(out, host_int((int64_t)p->printing.line));
}

const HostBuiltin text_array_functions[] = {
    { "os._of_numpy", 1, 1, of_numpy, NULL },
    { "os._line_width", 0, 0, line_width, NULL },
    { NULL, 0, 0, NULL, NULL },
};

/* Python's types as functions, what they make of one another, and questions about types. */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

bool host_whole(Program *p, double number, HostValue *out)
{
    if (isnan(number))
        return host_fail(p, "ValueError", "cannot convert float NaN to integer");
    if (isinf(number))
        return host_fail(p, "OverflowError", "cannot convert float infinity to integer");
    if (!(number >= -0x1p63 && number < 0x1p63))
        return wide_whole(p, number, out);
    return host_give(out, host_int((int64_t)number));
}

/* An array of one element as that; false after a complaint about another. */
static bool only_element(Program *p, HostValue *value)
{
    int64_t index[KJIT_RANK_MAX] = { 0 };
    if (value->kind != HOST_ARRAY)
        return true;
    if (value->array->view.rank)
        return host_fail(p, "TypeError",
                         "only 0-dimensional arrays can be converted to Python "
                         "scalars");
    if (value->array->view.dtype == KJIT_DTYPE_RECORD)
        return records_refused(p);
    if (!host_array_read(p, value->array))
        return false;
    *value = host_array_element(&value->array->view, index);
    return true;
}

/* ---- conversions ---------------------------------------------------------------------------- */

/* A number's text without the underscores that stand between two digits. */
static char *without_underscores(Program *p, const HostString *string)
{
    char *plain = arena_strndup(&p->scratch, string->text, string->length);
    size_t kept = 0;
    for (size_t i = 0; i < string->length; i++) {
        const char *at = string->text + i;
        bool between = i && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
        if (*at != '_' || !between)
            plain[kept++] = *at;
    }
    plain[kept] = '\0';
    return plain;
}

/* Digits, with 0x or the like in front where the base is not said, and blanks behind. */
static bool wide_digits(Program *p, const char *text, uint32_t base, bool negative, HostValue *out)
{
    const bool hex = text[0] == '0' && (text[1] | 32) == 'x' && (base == 0 || base == 16);
    text += hex ? 2 : 0;
    const size_t length = strcspn(text, " \t\n\r");
    return wide_parse(p, text, length, hex ? 16 : base ? base : 10, negative, out);
}

static bool text_to_int(Program *p, const HostString *string, int64_t base, HostValue *out)
{
    char *plain = without_underscores(p, string), *end;
    const char *sign = plain + strspn(plain, " \t+-");
    int letter = sign[0] == '0' ? sign[1] | 32 : 0;
    bool prefix =
        (letter == 'b' && (base == 0 || base == 2)) || (letter == 'o' && (base == 0 || base == 8));
    if (prefix) { /* strtoll() takes 0x alone */
        base = letter == 'b' ? 2 : 8;
        memmove(plain + (sign - plain), sign + 2, strlen(sign + 2) + 1);
    }
    errno = 0;
    int64_t value = strtoll(plain, &end, (int)base);
    bool some_digits = end > plain && strlen(string->text) == string->length;
    end += strspn(end, " \t\n\r");
    if (some_digits && !*end && errno == ERANGE)
        return wide_digits(p, sign, (uint32_t)base, sign > plain && sign[-1] == '-', out);
    if (some_digits && !*end)
        return host_give(out, host_int(value));
    Buf text = buf_in(&p->scratch);
    host_repr(p, &text, host_object((void *)(uintptr_t)string));
    return host_fail(p, "ValueError", "invalid literal for int() with base %lld: %s",
                     (long long)base, buf_text(&text));
}

static bool builtin_int(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args_get(args, 0, NULL, host_int(0)),
              base = args_get(args, 1, "base", host_int(10));
    int64_t number;
    bool has_base = args->count > 1 || args_named(args, "base");
    if (!host_integer(p, base, &number))
        return false;
    if (number && (number < 2 || number > 36))
        return host_fail(p, "ValueError", "int() base must be >= 2 and <= 36, or 0");
    if (has_base && value.kind != HOST_STRING)
        return host_fail(p, "TypeError", "int() can't convert non-string with explicit base");
    if (value.kind == HOST_STRING)
        return text_to_int(p, value.string, number, out);
    if (!object_number(p, "__int__", &value))
        return false;
    if (!only_element(p, &value))
        return false;
    if (value.kind == HOST_WIDE)
        return host_give(out, value);
    if (!host_is_number(value) || host_is_complex(value))
        return host_fail(p, "TypeError",
                         "int() argument must be a string, a bytes-like object or a real number, "
                         "not '%s'",
                         host_type_name(p, value));
    if (dtype_is_float(host_dtype_of(value)))
        return host_whole(p, trunc(value.number), out);
    if (value.kind == HOST_NUMBER && value.dtype == KJIT_DTYPE_UINT64 && value.integer < 0)
        return wide_plain(p, value, out);
    return host_give(out, host_int(value.integer));
}

static bool text_to_float(Program *p, const HostString *string, HostValue *out)
{
    char *end;
    const char *plain = without_underscores(p, string);
    const char *text = plain + strspn(plain, " \t\n\r");
    double number = strtod(text, &end);
    bool fine = end > text && !strpbrk(text, "xX(") && strlen(string->text) == string->length;
    end += strspn(end, " \t\n\r");
    if (fine && !*end)
        return host_give(out, number == number ? host_float(number) : host_nan(p));
    Buf shown = buf_in(&p->scratch);
    host_repr(p, &shown, host_object((void *)(uintptr_t)string));
    return host_fail(p, "ValueError", "could not convert string to float: %s", buf_text(&shown));
}

static bool builtin_float(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args_get(args, 0, NULL, host_int(0));
    if (value.kind == HOST_STRING)
        return text_to_float(p, value.string, out);
    if (!object_number(p, "__float__", &value))
        return false;
    if (!only_element(p, &value) || !wide_as(p, KJIT_DTYPE_FLOAT64, &value))
        return false;
    if (!host_is_number(value) || host_is_complex(value))
        return host_fail(p, "TypeError",
                         "float() argument must be a string or a real number, not '%s'",
                         host_type_name(p, value));
    return host_give(out, host_float(host_as_double(value)));
}

static bool builtin_bool(Program *p, HostArgs *args, HostValue *out)
{
    bool truth = false;
    bool fine = host_truth(p, args_get(args, 0, NULL, host_bool(false)), &truth);
    *out = host_bool(truth);
    return fine;
}

static bool builtin_str(Program *p, HostArgs *args, HostValue *out)
{
    Buf text = buf_in(&p->scratch);
    if (args->count)
        host_str(p, &text, args->values[0]);
    *out = host_buf(p, &text);
    return !p->failed;
}

/* repr(), ascii() */
static bool builtin_repr(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_converted(p, args->values[0], args->builtin->name[0]);
    return !p->failed;
}

static bool builtin_format(Program *p, HostArgs *args, HostValue *out)
{
    HostValue spec = args_get(args, 1, NULL, host_text(p, ""));
    Buf text = buf_in(&p->scratch);
    if (spec.kind != HOST_STRING)
        return host_fail(p, "TypeError", "format() argument 2 must be str, not %s",
                         host_type_name(p, spec));
    if (!host_format(p, args->values[0], spec.string->text, spec.string->length, &text))
        return false;
    return host_give(out, host_buf(p, &text));
}

/* hex, oct and bin. */
static bool builtin_in_base(Program *p, HostArgs *args, HostValue *out)
{
    const char *name = args->builtin->name;
    const char spec[] = { '#', *name == 'h' ? 'x' : *name, '\0' };
    int64_t integer;
    Buf text = buf_in(&p->scratch);
    HostValue value = args->values[0];
    if (object_number(p, "__index__", &value) && value.kind != HOST_WIDE &&
        host_integer(p, value, &integer))
        value = host_int(integer);
    if (p->failed || !host_format(p, value, spec, 2, &text))
        return false;
    return host_give(out, host_buf(p, &text));
}

static bool builtin_chr(Program *p, HostArgs *args, HostValue *out)
{
    int64_t code;
    if (!host_integer(p, args->values[0], &code))
        return false;
    if (code < 0 || code > 0x10ffff)
        return host_fail(p, "ValueError", "chr() arg not in range(0x110000)");
    if (code >= 0xd800 && code < 0xe000)
        return host_fail(p, "NotImplementedError", "surrogates are not characters of UTF-8");
    Buf text = buf_in(&p->scratch);
    buf_put_character(&text, (uint32_t)code);
    return host_give(out, host_buf(p, &text));
}

static bool builtin_ord(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    int64_t length;
    if (value.kind != HOST_STRING)
        return host_fail(p, "TypeError", "ord() expected string of length 1, but %s found",
                         host_type_name(p, value));
    if (!host_length(p, value, &length))
        return false;
    if (length != 1)
        return host_fail(p, "TypeError",
                         "ord() expected a character, but string of length %lld found",
                         (long long)length);
    const unsigned char *text = (const unsigned char *)value.string->text;
    static const unsigned char heads[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    int64_t code = text[0] & heads[value.string->length];
    for (size_t i = 1; i < value.string->length; i++)
        code = code << 6 | (text[i] & 63);
    return host_give(out, host_int(code));
}

/* ---- types ---------------------------------------------------------------------------------- */

/* NumPy's classes of scalars. */
static const struct {
    const char *name;
    bool signs, naturals, floats, complexes, bools;
} abstract[] = {
    { "np.generic", true, true, true, true, true },
    { "np.number", true, true, true, true, false },
    { "np.integer", true, true, false, false, false },
    { "np.signedinteger", true, false, false, false, false },
    { "np.unsignedinteger", false, true, false, false, false },
    { "np.floating", false, false, true, false, false },
    { "np.inexact", false, false, true, true, false },
    { "np.complexfloating", false, false, false, true, false },
};

static bool is_abstract(const char *name, HostValue value, bool *is)
{
    kjit_dtype dtype = value.kind == HOST_NUMBER ? value.dtype : KJIT_DTYPE_NONE;
    for (size_t i = 0; i < ARRAY_COUNT(abstract); i++)
        if (strcmp(abstract[i].name, name) == 0) {
            *is = dtype_is_float(dtype)     ? abstract[i].floats
                  : dtype_is_complex(dtype) ? abstract[i].complexes
                  : dtype_is_integer(dtype)
                      ? dtype < KJIT_DTYPE_UINT8 ? abstract[i].signs : abstract[i].naturals
                      : dtype == KJIT_DTYPE_BOOL && abstract[i].bools;
            return true;
        }
    return false;
}

static bool abstract_class(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    return host_fail(p, "TypeError", "cannot create '%s' instances", args->builtin->name);
}

static const char none_type[] = "types.NoneType";

static bool make_none(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    return host_give(out, host_none());
}

/* numba's name for the class of device arrays. */
static const char device_type[] = "cuda.cudadrv.devicearray.DeviceNDArray";

/* NumPy's functions take arrays of both kinds: to the library all are NumPy's. */
static const char *array_type(const Program *p, HostValue array)
{
    const bool device = array.array->block->of_device && !env_module(p->frame->env)->library;
    return device ? device_type : "np.ndarray";
}

bool host_is_instance(Program *p, HostValue value, HostValue type, bool *is)
{
    *is = false;
    if (!host_deep(p, (Span){ 0 }))
        return false;
    if (type.kind == HOST_TUPLE) {
        for (size_t i = 0; i < type.list->count && !*is; i++)
            if (!host_is_instance(p, value, type.list->items[i], is))
                return false;
        return true;
    }
    if (type.kind == HOST_DTYPE) {
        *is = value.kind == HOST_NUMBER && value.dtype == type.dtype;
        return true;
    }
    if (type.kind == HOST_EXCEPTION_CLASS) {
        *is = value.kind == HOST_EXCEPTION && exception_is(value.exception, type.text);
        return true;
    }
    if (type.kind == HOST_CLASS) {
        *is = type.class_ == p->object || class_has(type.class_, value);
        return *is || class_says_instance(p, type.class_, value, is);
    }
    if (type.kind == HOST_FOREIGN || (value.kind == HOST_FOREIGN && type.kind != HOST_TUPLE))
        return foreign_needed(p, type.kind == HOST_FOREIGN ? type : value);
    if (type.kind != HOST_BUILTIN)
        return host_fail(p, "TypeError",
                         "isinstance() arg 2 must be a type, a tuple of types, or a union");
    const char *name = type.builtin->name;
    if (strcmp(name, none_type) == 0 || strcmp(name, "np.dtype") == 0) {
        *is = *name == 'n' ? value.kind == HOST_DTYPE && value.integer : value.kind == HOST_NONE;
        return true;
    }
    if (strcmp(name, "type") == 0) {
        *is = host_is_type(value);
        return true;
    }
    if (strcmp(name, "np.ndarray") == 0 && texts_is_array(value)) {
        *is = true;
        return true;
    }
    if (is_abstract(name, value, is) || class_is_base(type, class_of(value), is))
        return true;
    if (value.kind == HOST_INSTANCE) {
        *is = class_holds(class_of(value), name);
        return true;
    }
    if (strcmp(name, "np.ndarray") == 0 || strcmp(name, device_type) == 0) {
        *is = value.kind == HOST_ARRAY && strcmp(array_type(p, value), name) == 0;
        return true;
    }
    if (value.kind == HOST_DICT) {
        *is = strcmp(name, "dict") == 0 || strcmp(name, dict_path(value.dict)) == 0;
        return true;
    }
    *is = strcmp(host_type_name(p, value), name) == 0 ||
          (strcmp(name, "tuple") == 0 && value.kind == HOST_TUPLE) ||
          (strcmp(name, "str") == 0 && value.kind == HOST_STRING) ||
          (strcmp(name, "int") == 0 && value.kind == HOST_INT) ||
          (strcmp(name, "int") == 0 && value.kind == HOST_BOOL) ||
          (value.kind == HOST_NUMBER &&
           ((strcmp(name, "float") == 0 && value.dtype == KJIT_DTYPE_FLOAT64) ||
            (strcmp(name, "complex") == 0 && value.dtype == KJIT_DTYPE_COMPLEX128)));
    return true;
}

static bool builtin_isinstance(Program *p, HostArgs *args, HostValue *out)
{
    bool is;
    if (!host_is_instance(p, args->values[0], args->values[1], &is))
        return false;
    return host_give(out, host_bool(is));
}

static bool is_subclass(Program *p, HostValue class_, HostValue of, bool *is)
{
    *is = false;
    if (of.kind == HOST_TUPLE) {
        for (size_t i = 0; i < of.list->count && !*is; i++)
            if (!is_subclass(p, class_, of.list->items[i], is))
                return false;
        return true;
    }
    const char *raises = class_.kind == HOST_EXCEPTION_CLASS ? class_.text
                         : class_.kind == HOST_CLASS         ? class_.class_->raises
                                                             : NULL;
    if (of.kind == HOST_EXCEPTION_CLASS && host_is_type(class_))
        *is = raises && exception_class_is(raises, of.text);
    else if (of.kind == HOST_BUILTIN && class_.kind == HOST_CLASS &&
             class_.class_->form == CLASS_OBJECTS)
        *is = class_holds(class_.class_, of.builtin->name);
    else if (of.kind == HOST_BUILTIN && class_.kind == HOST_BUILTIN && host_is_type(class_) &&
             host_is_type(of))
        *is = of.builtin == class_.builtin ||
              (strcmp(class_.builtin->name, "bool") == 0 && strcmp(of.builtin->name, "int") == 0);
    else if (of.kind == HOST_CLASS && host_is_type(class_))
        *is = of.class_ == p->object ||
              (class_.kind == HOST_CLASS && class_is_made_of(class_.class_, of.class_));
    else
        return host_fail(p, "NotImplementedError",
                         "issubclass() is there for classes of the program and exceptions");
    return true;
}

static bool builtin_issubclass(Program *p, HostArgs *args, HostValue *out)
{
    bool is;
    if (!is_subclass(p, args->values[0], args->values[1], &is))
        return false;
    return host_give(out, host_bool(is));
}

/* The class of a value, as far as a name stands for it. */
static bool builtin_type(Program *p, HostArgs *args, HostValue *out)
{
    HostValue value = args->values[0];
    const char *name = value.kind == HOST_ARRAY  ? array_type(p, value)
                       : value.kind == HOST_NONE ? none_type
                       : value.kind == HOST_DICT ? dict_path(value.dict)
                                                 : host_type_name(p, value);
    if (value.kind == HOST_STRING && value.dtype == HOST_NUMPY_TEXT)
        name = "text in an array";
    if (class_of(value))
        *out = (HostValue){ .kind = HOST_CLASS, .class_ = class_of(value) };
    else if (value.kind == HOST_NUMBER)
        *out = (HostValue){ .kind = HOST_DTYPE, .dtype = value.dtype };
    else if (value.kind == HOST_EXCEPTION)
        *out = exception_type(value.exception);
    else if (!module_path(p, name, out) || !host_is_type(*out))
        return host_fail(p, "NotImplementedError", "there is no type of a %s: ask isinstance()",
                         name);
    return true;
}

bool host_is_type(HostValue value)
{
    static const char *const names[] = { "int",
                                         "float",
                                         "bool",
                                         "str",
                                         "list",
                                         "dict",
                                         "set",
                                         "frozenset",
                                         "tuple",
                                         "range",
                                         "complex",
                                         "np.ndarray",
                                         device_type,
                                         none_type,
                                         "type",
                                         "collections.defaultdict",
                                         "collections.Counter",
                                         "collections.OrderedDict" };
    for (size_t i = 0; value.kind == HOST_BUILTIN && i < ARRAY_COUNT(names); i++)
        if (strcmp(value.builtin->name, names[i]) == 0)
            return true;
    for (size_t i = 0; value.kind == HOST_BUILTIN && i < ARRAY_COUNT(abstract); i++)
        if (strcmp(value.builtin->name, abstract[i].name) == 0)
            return true;
    return value.kind == HOST_EXCEPTION_CLASS || value.kind == HOST_CLASS ||
           (value.kind == HOST_DTYPE && !value.integer);
}

static bool builtin_slice(Program *p, HostArgs *args, HostValue *out)
{
    HostSlice *slice = host_new(p, HOST_SLICE, sizeof *slice);
    *out = host_object(slice);
    for (size_t i = 0; i < args->count; i++)
        slice->parts[args->count == 1 ? 1 : i] = args->values[i];
    return true;
}

static bool no_input(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    (void)out;
    return host_fail(p, "NotImplementedError", "there is no input(): give the value as NAME=VALUE");
}

static bool builtin_callable(Program *p, HostArgs *args, HostValue *out)
{
    HostKind kind = args->values[0].kind;
    (void)p;
    return host_give(
        out, host_bool(kind == HOST_FUNCTION || kind == HOST_BUILTIN || kind == HOST_METHOD ||
                       kind == HOST_PARTIAL || kind == HOST_DTYPE || kind == HOST_EXCEPTION_CLASS ||
                       kind == HOST_CLASS || kind == HOST_KERNEL || kind == HOST_LAUNCH ||
                       kind == HOST_UFUNC || object_has(args->values[0], "__call__")));
}

static bool builtin_exit(Program *p, HostArgs *args, HostValue *out)
{
    HostValue list = host_items(p, HOST_TUPLE, args->values, args->count);
    (void)out;
    return host_fail_exception(p, host_exception(p, "SystemExit", list));
}

const HostBuiltin type_functions[] = {
    { "int", 0, 2, builtin_int, "base" },
    { "float", 0, 1, builtin_float, NULL },
    { "bool", 0, 1, builtin_bool, NULL },
    { "str", 0, 1, builtin_str, NULL },
    { "repr", 1, 1, builtin_repr, NULL },
    { "ascii", 1, 1, builtin_repr, NULL },
    { "format", 1, 2, builtin_format, NULL },
    { "hex", 1, 1, builtin_in_base, NULL },
    { "bin", 1, 1, builtin_in_base, NULL },
    { "oct", 1, 1, builtin_in_base, NULL },
    { "chr", 1, 1, builtin_chr, NULL },
    { "ord", 1, 1, builtin_ord, NULL },
    { "isinstance", 2, 2, builtin_isinstance, NULL },
    { "issubclass", 2, 2, builtin_issubclass, NULL },
    { "type", 1, 1, builtin_type, NULL },
    { "slice", 1, 3, builtin_slice, NULL },
    { "input", 0, -1, no_input, NULL },
    { "np.generic", 0, -1, abstract_class, NULL },
    { "np.number", 0, -1, abstract_class, NULL },
    { "np.integer", 0, -1, abstract_class, NULL },
    { "np.floating", 0, -1, abstract_class, NULL },
    { "np.signedinteger", 0, -1, abstract_class, NULL },
    { "np.unsignedinteger", 0, -1, abstract_class, NULL },
    { "np.inexact", 0, -1, abstract_class, NULL },
    { "np.complexfloating", 0, -1, abstract_class, NULL },
    { none_type, 0, 0, make_none, NULL },
    { "callable", 1, 1, builtin_callable, NULL },
    { "exit", 0, 1, builtin_exit, NULL },
    { "sys.exit", 0, 1, builtin_exit, NULL },
    { NULL, 0, 0, NULL, NULL },
};

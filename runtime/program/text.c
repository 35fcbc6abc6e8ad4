/* Values as texts: str() and repr(). */
#include "runtime/program/arrays.h"
#include "runtime/array/array.h"

#include <math.h>

enum { REPR_DEPTH = 100 };

static void string_repr(Buf *out, const HostString *string)
{
    bool single = memchr(string->text, '\'', string->length) != NULL;
    bool quotes = memchr(string->text, '"', string->length) != NULL;
    char quote = single && !quotes ? '"' : '\'';
    buf_putc(out, quote);
    for (size_t i = 0; i < string->length; i++) {
        unsigned char c = (unsigned char)string->text[i];
        if (c == '\\' || c == quote)
            buf_printf(out, "\\%c", c);
        else if (c == '\n' || c == '\t' || c == '\r')
            buf_puts(out, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
        else if (c < 32 || c == 127)
            buf_printf(out, "\\x%02x", c);
        else
            buf_putc(out, (char)c);
    }
    buf_putc(out, quote);
}

static void put_repr(Program *p, Buf *out, HostValue value, int depth);

bool repr_enter(Program *p, HostShown *shown, const void *object)
{
    for (const HostShown *at = p->shown; at; at = at->outer)
        if (at->object == object)
            return false;
    *shown = (HostShown){ object, p->shown };
    p->shown = shown;
    return true;
}

static void items_repr(Program *p, Buf *out, const HostList *list, int depth)
{
    bool tuple = list->head.kind == HOST_TUPLE;
    HostShown shown;
    const bool whole = depth < REPR_DEPTH && repr_enter(p, &shown, list);
    buf_putc(out, tuple ? '(' : '[');
    for (size_t i = 0; whole && i < list->count; i++) {
        buf_puts(out, i ? ", " : "");
        put_repr(p, out, list->items[i], depth + 1);
    }
    if (whole)
        p->shown = shown.outer;
    else
        buf_puts(out, "...");
    buf_puts(out, whole && tuple && list->count == 1 ? ",)" : tuple ? ")" : "]");
}

static void dict_repr(Program *p, Buf *out, const HostDict *dict, int depth)
{
    const char *between = "";
    HostShown shown;
    const bool whole = depth < REPR_DEPTH && repr_enter(p, &shown, dict);
    buf_puts(out, whole ? "{" : "{...");
    for (size_t i = 0; whole && i < dict->count; i++) {
        const HostEntry entry = dict->entries[i]; /* which a __repr__ may move */
        if (entry.key.kind == HOST_KINDS)
            continue;
        buf_puts(out, between);
        put_repr(p, out, entry.key, depth + 1);
        buf_puts(out, ": ");
        put_repr(p, out, entry.value, depth + 1);
        between = ", ";
    }
    buf_putc(out, '}');
    if (whole)
        p->shown = shown.outer;
}

/* The entries' numbers, the greatest values first. */
static HostValue by_count(Program *p, const HostDict *counter)
{
    const HostValue order = host_items(p, HOST_LIST, NULL, 0);
    for (size_t i = 0; i < counter->count; i++) {
        const HostValue rank[2] = { counter->entries[i].value, host_int(-(int64_t)i) };
        if (counter->entries[i].key.kind != HOST_KINDS)
            host_append(p, order.list, host_items(p, HOST_TUPLE, rank, 2));
    }
    if (!host_sort(p, order.list, host_none(), true))
        host_forget(p); /* they have no order */
    return order;
}

/* Counter({'a': 2}), the greatest counts first */
static void counter_repr(Program *p, Buf *out, const HostDict *dict, int depth)
{
    const HostValue order = by_count(p, dict), shown = host_dict(p);
    buf_puts(out, "Counter(");
    for (size_t i = 0; i < dict->live; i++) {
        const HostEntry *entry = &dict->entries[-order.list->items[i].list->items[1].integer];
        dict_put(p, shown.dict, entry->key, entry->value);
    }
    if (dict->live)
        dict_repr(p, out, shown.dict, depth);
    buf_putc(out, ')');
}

/* OrderedDict([('a', 1)]) */
static void ordered_repr(Program *p, Buf *out, HostDict *dict, int depth)
{
    HostValue items;
    HostShown shown;
    if (!repr_enter(p, &shown, dict)) {
        buf_puts(out, "...");
        return;
    }
    buf_puts(out, "OrderedDict(");
    if (dict->live && host_collect(p, HOST_LIST, dict_view(p, dict, VIEW_ITEMS), &items))
        items_repr(p, out, items.list, depth);
    buf_putc(out, ')');
    p->shown = shown.outer;
}

/* defaultdict(<class 'int'>, {'a': 1}) */
static void default_repr(Program *p, Buf *out, const HostDict *dict, int depth)
{
    buf_puts(out, "defaultdict(");
    put_repr(p, out, dict->factory, depth + 1);
    buf_puts(out, ", ");
    dict_repr(p, out, dict, depth);
    buf_putc(out, ')');
}

static void any_dict_repr(Program *p, Buf *out, HostDict *dict, int depth)
{
    if (dict->form == DICT_COUNTER)
        counter_repr(p, out, dict, depth);
    else if (dict->form == DICT_ORDERED)
        ordered_repr(p, out, dict, depth);
    else if (dict->form == DICT_DEFAULT)
        default_repr(p, out, dict, depth);
    else
        dict_repr(p, out, dict, depth);
}

/* dict_keys(['a', 'b']) */
static void view_repr(Program *p, Buf *out, HostValue view, int depth)
{
    HostValue items;
    buf_printf(out, "%s(", host_type_name(p, view));
    if (host_collect(p, HOST_LIST, view, &items))
        items_repr(p, out, items.list, depth);
    buf_putc(out, ')');
}

static void range_repr(Buf *out, const HostRange *range)
{
    buf_printf(out, "range(%lld, %lld", (long long)range->start, (long long)range->stop);
    if (range->step != 1)
        buf_printf(out, ", %lld", (long long)range->step);
    buf_putc(out, ')');
}

/* A NumPy scalar without its type. */
static void number_text(Buf *out, HostValue value)
{
    if (value.dtype == KJIT_DTYPE_BOOL)
        buf_puts(out, value.integer ? "True" : "False");
    else if (dtype_is_complex(value.dtype))
        complex_text(out, value);
    else if (dtype_is_float(value.dtype))
        numpy_float(out, value.dtype, value.number);
    else if (value.dtype == KJIT_DTYPE_UINT64)
        buf_printf(out, "%llu", (unsigned long long)value.integer);
    else
        buf_printf(out, "%lld", (long long)value.integer);
}

static void number_repr(Buf *out, HostValue value)
{
    if (value.dtype == KJIT_DTYPE_BOOL) {
        buf_puts(out, value.integer ? "np.True_" : "np.False_");
        return;
    }
    bool brackets = dtype_is_complex(value.dtype) && (value.number != 0 || signbit(value.number));
    buf_printf(out, "np.%s%s", kjit_dtype_name(value.dtype), brackets ? "" : "(");
    number_text(out, value);
    buf_puts(out, brackets ? "" : ")");
}

static void slice_repr(Program *p, Buf *out, const HostSlice *slice, int depth)
{
    for (int i = 0; i < 3; i++) {
        buf_puts(out, i ? ", " : "slice(");
        put_repr(p, out, slice->parts[i], depth + 1);
    }
    buf_putc(out, ')');
}

static void namedtuple_repr(Program *p, Buf *out, HostValue tuple, int depth)
{
    const HostList *list = tuple.list;
    if (object_has(tuple, "__repr__")) {
        object_text(p, out, tuple, true);
        return;
    }
    buf_printf(out, "%s(", list->class_->name);
    for (size_t i = 0; i < list->count && depth < REPR_DEPTH; i++) {
        buf_printf(out, "%s%s=", i ? ", " : "", class_field(list->class_, i));
        put_repr(p, out, list->items[i], depth + 1);
    }
    buf_puts(out, depth < REPR_DEPTH ? ")" : "...)");
}

static void class_repr(Program *p, Buf *out, const HostClass *class_)
{
    const char *module = class_->file ? class_->file->name : "__main__";
    if (class_ == p->object || strcmp(module, "builtins") == 0)
        buf_printf(out, "<class '%s'>", class_->name);
    else if (class_->form < CLASS_ENUM)
        buf_printf(out, "<class '%s.%s'>", module, class_->name);
    else
        buf_printf(out, "<%s '%s'>", class_->form == CLASS_FLAGS ? "flag" : "enum", class_->name);
}

/* A list of fields, or that of a text, <U5, without the quotes that repr() has. */
static void record_dtype_str(Program *p, Buf *out, const kjit_record *record)
{
    Buf text = buf_in(&p->scratch);
    record_dtype_text(p, &text, record);
    const size_t quote = *buf_text(&text) == '\'';
    buf_put(out, buf_text(&text) + quote, text.length - 2 * quote);
}

static void dtype_value_repr(Program *p, Buf *out, HostValue value)
{
    if (value.dtype == KJIT_DTYPE_RECORD) {
        buf_puts(out, "dtype(");
        record_dtype_text(p, out, value.record);
        buf_putc(out, ')');
    } else if (value.integer) {
        buf_printf(out, "dtype('%s')", kjit_dtype_name(value.dtype));
    } else {
        buf_printf(out, "<class 'numpy.%s'>", kjit_dtype_name(value.dtype));
    }
}

static void builtin_repr(Buf *out, HostValue value)
{
    const char *name = value.builtin->name;
    const bool numpy = strncmp(name, "np.", 3) == 0;
    if (!host_is_type(value)) {
        buf_printf(out, "<built-in function %s>", name);
        return;
    }
    name += numpy ? 3 : strncmp(name, "types.", 6) == 0 ? 6 : 0;
    buf_printf(out, "<class '%s%s'>",
               numpy                            ? "numpy."
               : strncmp(name, "cuda.", 5) == 0 ? "numba."
                                                : "",
               name);
}

/* What has a name, or nothing else to show than what it is. */
static void named_repr(Program *p, Buf *out, HostValue value)
{
    switch (value.kind) {
    case HOST_CLASS:
        class_repr(p, out, value.class_);
        break;
    case HOST_EXCEPTION_CLASS:
        buf_printf(out, "<class '%s'>", value.text);
        break;
    case HOST_FUNCTION:
        buf_printf(out, "<function %s>", value.function->code->name);
        break;
    case HOST_FOREIGN:
        if (strchr(value.text, '(')) /* a result: whoever reads it would take it for one */
            foreign_needed(p, value);
        buf_printf(out, "<%s, which kjit has not>", value.text);
        break;
    case HOST_DEVICE:
        buf_printf(out, "<CUDA device 0 '%s'>", kjit_device_model(p->context));
        break;
    case HOST_TYPE:
        buf_puts(out, value.text);
        break;
    case HOST_MODULE:
        buf_printf(out, "<module '%s'>", value.text);
        break;
    case HOST_FILE:
        buf_printf(out, "<module '%s' from '%s'>", value.file->name,
                   value.file->module->main->path);
        break;
    case HOST_BUILTIN:
        builtin_repr(out, value);
        break;
    default:
        buf_printf(out, "<%s>", host_type_name(p, value));
        break;
    }
}

/* What has no items. */
static void single_repr(Program *p, Buf *out, HostValue value)
{
    switch (value.kind) {
    case HOST_NONE:
        buf_puts(out, "None");
        break;
    case HOST_BOOL:
        buf_puts(out, value.integer ? "True" : "False");
        break;
    case HOST_ELLIPSIS:
        buf_puts(out, value.integer ? "NotImplemented" : "Ellipsis");
        break;
    case HOST_INT:
        buf_printf(out, "%lld", (long long)value.integer);
        break;
    case HOST_WIDE:
        wide_text(p, out, value, 10);
        break;
    case HOST_FLOAT:
        float_repr(out, value.number);
        break;
    case HOST_COMPLEX:
        complex_text(out, value);
        break;
    case HOST_NUMBER:
        number_repr(out, value);
        break;
    case HOST_STRING:
        buf_puts(out, value.dtype == HOST_NUMPY_TEXT ? "np.str_(" : "");
        string_repr(out, value.string);
        buf_puts(out, value.dtype == HOST_NUMPY_TEXT ? ")" : "");
        break;
    case HOST_DTYPE:
        dtype_value_repr(p, out, value);
        break;
    case HOST_RANGE:
        range_repr(out, value.range);
        break;
    case HOST_INSTANCE:
        object_text(p, out, value, true);
        break;
    case HOST_EXCEPTION:
        exception_repr(p, out, value);
        break;
    default:
        named_repr(p, out, value);
        break;
    }
}

static void put_repr(Program *p, Buf *out, HostValue value, int depth)
{
    const bool may = value.kind == HOST_INT || value.kind == HOST_STRING;
    if (value.kind == HOST_MEMBER || (may && value.enumerated)) {
        enum_repr(p, out, value);
        return;
    }
    switch (value.kind) {
    case HOST_TUPLE:
    case HOST_LIST:
        if (value.list->class_)
            namedtuple_repr(p, out, value, depth);
        else
            items_repr(p, out, value.list, depth);
        break;
    case HOST_DICT:
        any_dict_repr(p, out, value.dict, depth);
        break;
    case HOST_SET:
    case HOST_FROZEN_SET:
        host_set_repr(p, out, value);
        break;
    case HOST_VIEW:
        view_repr(p, out, value, depth);
        break;
    case HOST_SLICE:
        slice_repr(p, out, value.slice, depth);
        break;
    case HOST_ARRAY:
        host_array_text(p, out, value.array, true);
        break;
    default:
        single_repr(p, out, value);
        break;
    }
}

void host_repr(Program *p, Buf *out, HostValue value)
{
    put_repr(p, out, value, 0);
}

void host_ascii(Program *p, Buf *out, HostValue value)
{
    Buf text = buf_in(&p->scratch);
    host_repr(p, &text, value);
    const char *at = buf_text(&text), *end = at + text.length;
    for (size_t length; at < end; at += length) {
        length = utf8_length(at, end);
        length = length ? length : 1;
        uint32_t code = length > 1 ? utf8_decode(at, length) : (unsigned char)*at;
        if (code < 0x80)
            buf_putc(out, *at);
        else
            buf_printf(out,
                       code < 0x100     ? "\\x%02x"
                       : code < 0x10000 ? "\\u%04x"
                                        : "\\U%08x",
                       code);
    }
}

void host_str(Program *p, Buf *out, HostValue value)
{
    const HostClass *class_ = value.kind <= HOST_STRING ? class_of(value) : NULL;
    if (class_ && enum_str(p, out, value))
        return;
    if (value.kind == HOST_STRING)
        buf_put(out, value.string->text, value.string->length);
    else if (value.kind == HOST_ARRAY)
        host_array_text(p, out, value.array, false);
    else if (value.kind == HOST_DTYPE && value.dtype == KJIT_DTYPE_RECORD)
        record_dtype_str(p, out, value.record);
    else if (value.kind == HOST_DTYPE && value.integer) /* x.dtype, not the type */
        buf_puts(out, kjit_dtype_name(value.dtype));
    else if (value.kind == HOST_INT)
        buf_printf(out, "%lld", (long long)value.integer);
    else if (value.kind == HOST_INSTANCE ||
             (value.kind == HOST_TUPLE && object_has(value, "__str__")))
        object_text(p, out, value, false);
    else if (value.kind == HOST_NUMBER)
        number_text(out, value);
    else if (value.kind == HOST_EXCEPTION)
        exception_str(p, out, value);
    else
        put_repr(p, out, value, 0);
}

HostValue host_converted(Program *p, HostValue value, char conversion)
{
    Buf text = buf_in(&p->scratch);
    if (conversion == 's')
        host_str(p, &text, value);
    else if (conversion == 'a')
        host_ascii(p, &text, value);
    else
        host_repr(p, &text, value);
    return host_buf(p, &text);
}

/* ---- np.set_printoptions() ------------------------------------------------------------------ */

static bool option(Program *p, const HostArgs *args, const char *name, int least, int *out)
{
    int64_t number;
    const HostValue value = args_get(args, SIZE_MAX, name, host_none());
    if (value.kind == HOST_NONE)
        return true;
    if (value.kind == HOST_FLOAT && value.number >= INT32_MAX) { /* threshold=np.inf */
        {
            *out = INT32_MAX;
            return true;
        }
    }
    if (!host_integer(p, value, &number))
        return false;
    if (number < least)
        return host_fail(p, "ValueError", "%s must be at least %d", name, least);
    *out = number > INT32_MAX ? INT32_MAX : (int)number;
    return true;
}

static bool set_floats(Program *p, const HostValue *mode, char *out)
{
    static const char *const modes[] = { "maxprec", "maxprec_equal", "fixed", "unique" };
    static const char letters[] = { 0, 'e', 'f', 'u' };
    if (!mode || mode->kind == HOST_NONE)
        return true;
    for (size_t i = 0; mode->kind == HOST_STRING && i < ARRAY_COUNT(modes); i++)
        if (strcmp(modes[i], mode->string->text) == 0) {
            *out = letters[i];
            return true;
        }
    return host_fail(p, "ValueError",
                     "floatmode option must be one of 'fixed', 'unique', 'maxprec' and "
                     "'maxprec_equal'");
}

/* Each call sets it anew. */
static bool set_formatter(Program *p, const HostValue *formatter)
{
    p->printing.formatter = NULL;
    if (!formatter || formatter->kind == HOST_NONE)
        return true;
    if (formatter->kind != HOST_DICT)
        return host_fail(p, "TypeError", "formatter is a dictionary of functions");
    if (!p->formatters)
        p->formatters = host_room(p, HOST_LIST, 1).list;
    host_append(p, p->formatters, *formatter);
    p->printing.formatter = formatter->dict;
    return true;
}

static bool np_set_printoptions(Program *p, HostArgs *args, HostValue *out)
{
    PrintOptions *options = &p->printing;
    const HostValue *suppress = args_named(args, "suppress");
    *out = host_none();
    if (!option(p, args, "precision", 0, &options->precision) ||
        !option(p, args, "threshold", 0, &options->threshold) ||
        !option(p, args, "edgeitems", 0, &options->edge) ||
        !option(p, args, "linewidth", 1, &options->line))
        return false;
    if (options->precision > 30)
        options->precision = 30;
    if (!set_floats(p, args_named(args, "floatmode"), &options->floats) ||
        !set_formatter(p, args_named(args, "formatter")))
        return false;
    const HostValue *separator = args_named(args, "_separator");
    options->separator = separator ? host_word(p, separator->string) : NULL;
    return !suppress || suppress->kind == HOST_NONE || host_truth(p, *suppress, &options->suppress);
}

/* Of a `with`, at whose end they are again what they were. */
static bool np_printoptions(Program *p, HostArgs *args, HostValue *out)
{
    const bool fine = np_set_printoptions(p, args, out);
    *out = (HostValue){ .kind = HOST_MODULE, .text = "np.printoptions" };
    return fine;
}

#define PRINT_OPTIONS                                                                              \
    "precision threshold edgeitems linewidth suppress floatmode formatter _separator"

const HostBuiltin printing_functions[] = {
    { "np.set_printoptions", 0, 0, np_set_printoptions, PRINT_OPTIONS },
    { "np.printoptions", 0, 0, np_printoptions, PRINT_OPTIONS },
    { NULL, 0, 0, NULL, NULL },
};

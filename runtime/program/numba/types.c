/* numba's types that are no dtypes: of arrays, of tuples, of calls: sig = void(float64[:], int32).
**
** A program does nothing with one but hand it on, so it is its text; decorators read it. */
#include "runtime/array/array.h"
#include "runtime/program/arrays.h"
#include "runtime/program/kernels.h"

bool numba_type_text(HostValue value, Buf *out)
{
    if (value.kind == HOST_TYPE) {
        buf_puts(out, value.text);
    } else if (value.kind != HOST_DTYPE) {
        return false;
    } else if (value.dtype == KJIT_DTYPE_RECORD) { /* as its fields, and what lies between them */
        buf_puts(out, "np.dtype(");
        descr_put(out, KJIT_DTYPE_RECORD, value.record);
        buf_putc(out, ')');
        return descr_can_list(value.record);
    } else {
        buf_puts(out, kjit_dtype_name(value.dtype));
    }
    return true;
}

static HostValue type_named(Program *p, const char *text)
{
    return (HostValue){ .kind = HOST_TYPE, .text = arena_strdup(p->arena, text) };
}

bool numba_type_path(const char *path, HostValue *out)
{
    *out = (HostValue){ .kind = HOST_TYPE, .text = "void" };
    return strcmp(path, "numba.void") == 0 || strcmp(path, "numba.none") == 0;
}

/* What stands in the brackets of one axis: ":" or "::1". */
static bool axis_text(HostValue item, Buf *out)
{
    const HostValue *parts = item.kind == HOST_SLICE ? item.slice->parts : NULL;
    if (!parts || parts[0].kind != HOST_NONE || parts[1].kind != HOST_NONE ||
        (parts[2].kind != HOST_NONE && (parts[2].kind != HOST_INT || parts[2].integer != 1)))
        return false;
    buf_puts(out, parts[2].kind == HOST_NONE ? ":" : "::1");
    return true;
}

bool numba_type_index(Program *p, HostValue type, HostValue index, HostValue *out)
{
    if (type.dtype == KJIT_DTYPE_RECORD && (index.kind == HOST_STRING || host_is_integer(index)))
        return dtype_field(p, type.record, index, out);
    const HostValue *items = index.kind == HOST_TUPLE ? index.list->items : &index;
    const size_t count = index.kind == HOST_TUPLE ? index.list->count : 1;
    Buf text = buf_in(&p->scratch);
    bool known = numba_type_text(type, &text) && count > 0;
    for (size_t i = 0; known && i < count; i++) {
        buf_puts(&text, i ? ", " : "[");
        known = axis_text(items[i], &text);
    }
    if (!known)
        return host_fail(p, "TypeError",
                         "a type of arrays is written with an axis a ':', float32[:, ::1]");
    buf_putc(&text, ']');
    return host_give(out, type_named(p, buf_text(&text)));
}

static bool types_text(const HostValue *values, size_t count, Buf *out)
{
    for (size_t i = 0; i < count; i++) {
        const bool list = values[i].kind == HOST_TUPLE || values[i].kind == HOST_LIST;
        buf_puts(out, i ? ", " : "(");
        if (list ? !types_text(values[i].list->items, values[i].list->count, out)
                 : !numba_type_text(values[i], out))
            return false;
    }
    buf_puts(out, count == 1 ? ",)" : count ? ")" : "()");
    return true;
}

bool numba_type_call(Program *p, HostValue result, const HostArgs *args, HostValue *out)
{
    Buf text = buf_in(&p->scratch);
    if (!numba_type_text(result, &text) || args->named_count ||
        !types_text(args->values, args->count, &text))
        return host_fail(p, "TypeError", "a signature is of types: void(float32[:], int32)");
    return host_give(out, type_named(p, buf_text(&text)));
}

/* types.UniTuple(float64, 2), types.Tuple((float64, int32)), types.Array(float64, 1, "C") */
static bool make_type(Program *p, HostArgs *args, HostValue *out)
{
    Buf text = buf_in(&p->scratch);
    buf_printf(&text, "%s(", args->builtin->name);
    for (size_t i = 0; i < args->count; i++) {
        const HostValue value = args->values[i];
        const bool list = value.kind == HOST_TUPLE || value.kind == HOST_LIST;
        buf_puts(&text, i ? ", " : "");
        if (host_is_integer(value) || value.kind == HOST_STRING)
            host_repr(p, &text, value);
        else if (list ? !types_text(value.list->items, value.list->count, &text)
                      : !numba_type_text(value, &text))
            return host_fail(p, "TypeError", "%s is made of types", args->builtin->name);
    }
    buf_putc(&text, ')');
    return host_give(out, type_named(p, buf_text(&text)));
}

const HostBuiltin numba_type_functions[] = {
    { "numba.UniTuple", 2, 2, make_type, NULL },
    { "numba.Tuple", 1, 1, make_type, NULL },
    { "numba.optional", 1, 1, make_type, NULL },
    { "numba.Optional", 1, 1, make_type, NULL },
    { "numba.readonly", 1, 1, make_type, NULL },
    { "numba.Array", 3, 3, make_type, NULL },
    { NULL, 0, 0, NULL, NULL },
};

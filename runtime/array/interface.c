/* Python's __array_interface__ and __cuda_array_interface__, both of version 3. */
#include "runtime/array/array.h"

/* ---- to the fields -------------------------------------------------------------------- */

/* The interface numbers default streams as CUDA does. */
static uint64_t stream_number(void *handle)
{
    return handle ? (uint64_t)(uintptr_t)handle : 1;
}

kjit_status kjit_array_interface(kjit_context *context, const kjit_stream *stream,
                                 const kjit_array *array, kjit_interface *interface)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_interface made = { .size = interface->size, .version = 3, .rank = array->rank };
    uint64_t bytes;
    void *handle;

    if (!array_check(array, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (array->dtype == KJIT_DTYPE_RECORD)
        KJIT_TRY(dtype_check_record(array->record, "the array"));
    KJIT_TRY(stream_handle(context, stream, &handle));
    descr_typestr(array->dtype, array->record, made.typestr, sizeof made.typestr);
    memcpy(made.shape, array->shape, sizeof made.shape);
    memcpy(made.strides, array->strides, sizeof made.strides);
    made.has_strides = array_layout(array) != LAYOUT_C;
    made.data = bytes ? array->data : NULL;
    made.readonly = (array->flags & KJIT_READONLY) != 0;
    made.record = array->record;
    if (array->flags & KJIT_ON_DEVICE && device_is_gpu(context->device))
        made.stream = stream_number(handle);
    SIZED_GIVE(interface, &made);
    return KJIT_OK;
}

/* ---- back from them -------------------------------------------------------------------- */

/* What is to be done about a typestr of no dtype. */
static const char *remedy_of(const char *typestr)
{
    switch (typestr[0] ? typestr[1] : 0) {
    case 'O':
        return "\nnote: kernels have no objects of Python's: convert the array, as by "
               "array.astype(float)";
    case 'V':
        return "\nnote: records ('|V12') are described by the `record` beside it";
    default:
        return "";
    }
}

static kjit_status read_typestr(const kjit_interface *interface, kjit_array *array)
{
    const char *text = interface->typestr;
    bool swapped = false;
    char wanted[sizeof interface->typestr];

    if (!memchr(text, '\0', sizeof interface->typestr))
        return error_set(KJIT_ARGUMENT, "error: the typestr does not end");
    if (interface->record) {
        KJIT_TRY(dtype_check_record(interface->record, "the interface"));
        descr_typestr(KJIT_DTYPE_RECORD, interface->record, wanted, sizeof wanted);
        if (strcmp(text, wanted) != 0)
            return error_set(KJIT_ARGUMENT,
                             "error: the typestr is '%s', and that of the record is '%s'", text,
                             wanted);
        array->dtype = KJIT_DTYPE_RECORD;
        array->record = interface->record;
        return KJIT_OK;
    }
    array->dtype = descr_dtype(text, &swapped);
    if (array->dtype == KJIT_DTYPE_NONE)
        return error_set(KJIT_ARGUMENT, "error: the typestr '%s' is of no dtype that kjit has%s",
                         text, remedy_of(text));
    if (swapped && kjit_dtype_bytes(array->dtype) > 1)
        return error_set(KJIT_ARGUMENT,
                         "error: the typestr '%s' is big-endian, and this machine little-endian\n"
                         "note: convert the array, as by a.astype(a.dtype.newbyteorder('='))",
                         text);
    return KJIT_OK;
}

kjit_status kjit_interface_array(const kjit_interface *interface, uint32_t flags, kjit_array *array)
{
    kjit_interface given = { 0 };
    kjit_array made = { 0 };
    uint64_t bytes;

    memset(array, 0, sizeof *array);
    SIZED_TAKE(&given, interface);
    if (given.has_mask)
        return error_set(KJIT_ARGUMENT, "error: the array has a mask, which kjit's have not\n"
                                        "note: pass the mask as an array of its own");
    if (given.version < 1)
        return error_set(KJIT_ARGUMENT, "error: the interface is of version %d, and begins with 1",
                         given.version);
    if (given.rank < 0 || given.rank > KJIT_RANK_MAX)
        return error_set(KJIT_ARGUMENT, "error: the array has %d axes, and kjit's have 0 to %d",
                         given.rank, KJIT_RANK_MAX);
    KJIT_TRY(read_typestr(&given, &made));
    made.data = given.data;
    made.rank = given.rank;
    made.flags = flags | (given.readonly ? KJIT_READONLY : 0);
    memcpy(made.shape, given.shape, sizeof made.shape);
    array_set_strides(&made, false);
    if (given.has_strides)
        memcpy(made.strides, given.strides, sizeof made.strides);
    if (!array_check(&made, "the array", &bytes))
        return KJIT_ARGUMENT;
    *array = made;
    return KJIT_OK;
}

/* ---- as text -------------------------------------------------------------------------- */

typedef struct DictText {
    const kjit_interface *interface;
    char **text;
} DictText;

static kjit_status print_dict(void *context, Arena *arena)
{
    DictText *dict = context;
    const kjit_interface *from = dict->interface;
    size_t length;
    Buf out = buf_in(arena);
    buf_puts(&out, "{'shape': ");
    descr_put_shape(&out, from->shape, from->rank);
    buf_printf(&out, ", 'typestr': '%s', ", from->typestr);
    if (from->record && descr_can_list(from->record)) {
        buf_puts(&out, "'descr': ");
        descr_put(&out, KJIT_DTYPE_RECORD, from->record);
        buf_puts(&out, ", ");
    }
    buf_printf(&out, "'data': (%llu, %s), 'strides': ", (unsigned long long)(uintptr_t)from->data,
               from->readonly ? "True" : "False");
    if (from->has_strides)
        descr_put_shape(&out, from->strides, from->rank);
    else
        buf_puts(&out, "None");
    buf_printf(&out, ", 'version': %d", from->version);
    if (from->stream)
        buf_printf(&out, ", 'stream': %llu", (unsigned long long)from->stream);
    buf_putc(&out, '}');
    return give_text(buf_text(&out), out.length, dict->text, &length);
}

kjit_status kjit_interface_text(const kjit_interface *interface, char **text)
{
    kjit_interface given = { 0 };
    DictText dict = { &given, text };
    kjit_array array;

    *text = NULL;
    SIZED_TAKE(&given, interface);
    KJIT_TRY(kjit_interface_array(&given, 0, &array));
    return arena_run(print_dict, &dict);
}

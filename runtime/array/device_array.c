/* Public functions that allocate arrays and copy them. */
#include "runtime/array/array.h"

/* ---- making and freeing ----------------------------------------------------------------- */

/* Allocates memory for an array, and registers it in the context. */
static kjit_status allocate(kjit_context *context, kjit_array *array, uint64_t bytes,
                            const kjit_array_options *options)
{
    Device *device = context->device;
    Block block = { .bytes = (size_t)bytes,
                    .kind = options->memory,
                    .ordered = options->stream != NULL,
                    .tag = array_tag_new() };
    void *stream;

    KJIT_TRY(stream_handle(context, options->stream, &stream));
    KJIT_TRY(refuse_recording(device, stream, "allocating memory"));
    KJIT_TRY(device->ops->alloc(device, &block, stream));
    if (!blocks_add(&context->blocks, &block)) {
        error_quiet(true);
        device->ops->release(device, &block, stream);
        error_quiet(false);
        return error_memory();
    }
    array->data = block.memory;
    array->flags = block.tag << ARRAY_TAG_SHIFT;
    return KJIT_OK;
}

static uint32_t flags_of(kjit_memory memory)
{
    switch (memory) {
    case KJIT_MEMORY_PINNED:
        return 0;
    case KJIT_MEMORY_MAPPED:
    case KJIT_MEMORY_MANAGED:
        return KJIT_ON_DEVICE | KJIT_ON_HOST;
    default:
        return KJIT_ON_DEVICE;
    }
}

kjit_status kjit_array_new(kjit_context *context, kjit_dtype dtype, int32_t rank,
                           const int64_t *shape, const kjit_array_options *options,
                           kjit_array *array)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_array_options wanted = { .size = sizeof wanted };
    uint64_t bytes;

    memset(array, 0, sizeof *array);
    SIZED_TAKE(&wanted, options);
    if ((unsigned)wanted.memory > KJIT_MEMORY_MANAGED)
        return error_set(KJIT_ARGUMENT, "error: there is no kind of memory %d", (int)wanted.memory);
    if (wanted.stream && wanted.memory != KJIT_MEMORY_DEVICE)
        return error_set(KJIT_ARGUMENT, "error: only memory of the device comes in the order of a "
                                        "stream");
    kjit_array made = kjit_host_array(NULL, dtype, rank, shape);
    made.record = wanted.record;
    if (rank >= 0 && rank <= KJIT_RANK_MAX)
        array_set_strides(&made, wanted.columns != 0);
    /* array_check() requires a data pointer: any will do. */
    made.data = array;
    if (!array_check(&made, "the array", &bytes))
        return KJIT_ARGUMENT;
    KJIT_TRY(allocate(context, &made, bytes, &wanted));
    made.flags |= flags_of(wanted.memory);
    *array = made;
    return KJIT_OK;
}

/* Frees an array's memory, with `ordered` in the order of `stream`. */
static kjit_status free_array(kjit_context *context, kjit_array *array, bool ordered, void *stream)
{
    Device *device = context->device;
    Block block;

    if (!array || !array->data)
        return KJIT_OK;
    if (array_is_gone(array)) {
        array->data = NULL;
        return error_set(KJIT_ARGUMENT, "error: the array was freed before");
    }
    if (!blocks_take(&context->blocks, array->data, &block)) {
        array->data = NULL;
        return error_set(KJIT_ARGUMENT,
                         "error: the memory is not an array of this context, or was freed before\n"
                         "note: views are not freed, only the array they are of");
    }
    block.ordered = ordered;
    kjit_status status = device->ops->release(device, &block, stream);
    /* A failure can be retried, except on a broken device, where the memory is lost. */
    bool stays = block.memory && status != KJIT_BROKEN && blocks_add(&context->blocks, &block);
    if (!stays)
        array->data = NULL;
    return status;
}

kjit_status kjit_array_free(kjit_context *context, kjit_array *array)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    return free_array(context, array, false, NULL);
}

kjit_status kjit_array_free_on(kjit_context *context, kjit_stream *stream, kjit_array *array)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    void *handle;

    KJIT_TRY(stream_handle(context, stream, &handle));
    KJIT_TRY(refuse_recording(context->device, handle, "freeing memory"));
    return free_array(context, array, true, handle);
}

/* ---- copies --------------------------------------------------------------------------- */

static kjit_status check_same(const kjit_array *to, const kjit_array *from)
{
    if (to->dtype != from->dtype || !dtype_same_record(to->record, from->record))
        return error_set(KJIT_ARGUMENT,
                         "error: the array to copy to is of %s, and the other %s%s\n"
                         "note: copies convert nothing",
                         kjit_dtype_name(to->dtype), to->dtype == from->dtype ? "of another " : "",
                         kjit_dtype_name(from->dtype));
    if (to->rank != from->rank)
        return error_set(KJIT_ARGUMENT, "error: the array to copy to has %d axes, and the other %d",
                         to->rank, from->rank);
    for (int i = 0; i < to->rank; i++) {
        if (to->shape[i] != from->shape[i])
            return error_set(KJIT_ARGUMENT,
                             "error: axis %d has %lld elements in the array to copy to, and %lld "
                             "in the other\nnote: kjit_array_broadcast() repeats elements",
                             i, (long long)to->shape[i], (long long)from->shape[i]);
    }
    return KJIT_OK;
}

static kjit_status check_copy(const kjit_array *to, const kjit_array *from)
{
    uint64_t bytes;

    if (!array_check(to, "the array to copy to", &bytes) ||
        !array_check(from, "the array to copy from", &bytes))
        return KJIT_ARGUMENT;
    KJIT_TRY(check_same(to, from));
    if (to->flags & KJIT_READONLY)
        return error_set(KJIT_ARGUMENT, "error: the array to copy to is read-only");
    return KJIT_OK;
}

kjit_status kjit_copy_on(kjit_context *context, kjit_stream *stream, const kjit_array *to,
                         const kjit_array *from)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    void *handle;
    bool records;

    KJIT_TRY(check_copy(to, from));
    KJIT_TRY(stream_handle(context, stream, &handle));
    KJIT_TRY(stream_records(context->device, handle, &records));
    return copy_arrays(context->device, handle, records, to, from);
}

kjit_status kjit_copy(kjit_context *context, const kjit_array *to, const kjit_array *from)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    KJIT_TRY(kjit_copy_on(context, NULL, to, from));
    return context->device->ops->stream_synchronize(context->device, NULL);
}

kjit_status kjit_copy_to_host(kjit_context *context, const kjit_array *device,
                              const kjit_array *host)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    if (!(device->flags & KJIT_ON_DEVICE) || (host->flags & KJIT_ON_DEVICE))
        return error_set(KJIT_ARGUMENT, "error: kjit_copy_to_host() copies from a device array to "
                                        "a host array");
    return kjit_copy(context, host, device);
}

kjit_status kjit_to_device(kjit_context *context, const kjit_array *host, kjit_array *device)
{
    if (!HANDLE_IS(CONTEXT, context)) {
        device->data = NULL;
        return KJIT_ARGUMENT;
    }
    kjit_array_options options = { .size = sizeof options };
    kjit_array made = *host;
    uint64_t bytes;

    memset(device, 0, sizeof *device);
    if (!array_check(host, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (host->flags & KJIT_ON_DEVICE)
        return error_set(KJIT_ARGUMENT, "error: the array is on a device already");
    if (array_layout(host) == LAYOUT_A)
        array_set_strides(&made, false);
    KJIT_TRY(allocate(context, &made, bytes, &options));
    made.flags |= KJIT_ON_DEVICE;
    kjit_status status = kjit_copy(context, &made, host);
    if (status != KJIT_OK) {
        error_quiet(true);
        kjit_array_free(context, &made);
        error_quiet(false);
        return status;
    }
    *device = made;
    return KJIT_OK;
}

/* Zeroes host memory, which the device cannot write, after the stream has finished. */
static kjit_status zero_host(Device *device, void *stream, void *memory, size_t bytes)
{
    KJIT_TRY(refuse_recording(device, stream, "setting a host array to 0"));
    KJIT_TRY(device->ops->stream_synchronize(device, stream));
    memset(memory, 0, bytes);
    return KJIT_OK;
}

kjit_status kjit_array_zero(kjit_context *context, kjit_stream *stream, const kjit_array *array)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    Device *device = context->device;
    uint64_t bytes;
    void *handle;
    int64_t low, high;

    if (!array_check(array, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (array->flags & KJIT_READONLY)
        return error_set(KJIT_ARGUMENT, "error: the array is read-only");
    KJIT_TRY(stream_handle(context, stream, &handle));
    if (!bytes)
        return KJIT_OK;
    if (!array_is_dense(array))
        return error_set(KJIT_ARGUMENT, "error: the array has gaps between its elements");
    array_span(array, &low, &high);
    if (!(array->flags & KJIT_ON_DEVICE) && !device->ops->host_memory)
        return zero_host(device, handle, (char *)array->data + low, (size_t)(high - low));
    return device->ops->zero(device, (char *)array->data + low, (size_t)(high - low), handle);
}

/* ---- single elements -------------------------------------------------------------------- */

/* One element as an array without axes; `index` has one number per axis. */
static kjit_status element_at(const kjit_array *array, const int64_t *index, kjit_array *element)
{
    kjit_slice slices[KJIT_RANK_MAX] = { 0 };
    uint64_t bytes;

    if (!array_check(array, "the array", &bytes))
        return KJIT_ARGUMENT;
    if (array->dtype == KJIT_DTYPE_RECORD)
        return error_set(KJIT_ARGUMENT, "error: the elements are records, not numbers\n"
                                        "note: kjit_array_field() makes arrays of their fields, "
                                        "and kjit_copy() copies whole ones");
    for (int i = 0; i < array->rank; i++)
        slices[i] = (kjit_slice)KJIT_AT(index[i]);
    return kjit_array_slice(array, slices, (size_t)array->rank, element);
}

kjit_status kjit_array_get(kjit_context *context, const kjit_array *array, const int64_t *index,
                           kjit_arg *value)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    char memory[16];
    kjit_array element;

    memset(value, 0, sizeof *value);
    KJIT_TRY(element_at(array, index, &element));
    kjit_array here = kjit_host_array(memory, array->dtype, 0, NULL);
    KJIT_TRY(kjit_copy(context, &here, &element));
    *value = scalar_load(array->dtype, memory);
    return KJIT_OK;
}

kjit_status kjit_array_set(kjit_context *context, const kjit_array *array, const int64_t *index,
                           kjit_arg value)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    char memory[16];
    kjit_array element;

    KJIT_TRY(element_at(array, index, &element));
    if (value.kind != KJIT_ARG_SCALAR || !kjit_dtype_bytes(value.dtype))
        return error_set(KJIT_ARGUMENT, "error: an element is set to a number, not to an %s",
                         value.kind == KJIT_ARG_ARRAY ? "array" : "argument of another kind");
    value = scalar_cast(&value, array->dtype);
    scalar_store(&value, memory);
    kjit_array here = kjit_host_array(memory, array->dtype, 0, NULL);
    return kjit_copy(context, &element, &here);
}

/* ---- page-locking, figures -------------------------------------------------------------- */

static kjit_status host_span(const kjit_array *host, char **low, size_t *bytes)
{
    int64_t begin, end;
    uint64_t ignored;

    if (!array_check(host, "the array", &ignored))
        return KJIT_ARGUMENT;
    if (host->flags & KJIT_ON_DEVICE)
        return error_set(KJIT_ARGUMENT, "error: the array is on a device");
    array_span(host, &begin, &end);
    *low = (char *)host->data + begin;
    *bytes = (size_t)(end - begin);
    return KJIT_OK;
}

kjit_status kjit_pin(kjit_context *context, const kjit_array *host)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    char *low;
    size_t bytes;

    KJIT_TRY(host_span(host, &low, &bytes));
    return bytes ? context->device->ops->pin(context->device, low, bytes) : KJIT_OK;
}

kjit_status kjit_unpin(kjit_context *context, const kjit_array *host)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    char *low;
    size_t bytes;

    KJIT_TRY(host_span(host, &low, &bytes));
    return bytes ? context->device->ops->unpin(context->device, low) : KJIT_OK;
}

kjit_status kjit_memory_usage(kjit_context *context, kjit_memory_info *info)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_memory_info all = { .size = info->size };
    Blocks *blocks = &context->blocks;

    pthread_mutex_lock(&blocks->lock);
    all.arrays = blocks->count;
    all.bytes = blocks->bytes;
    pthread_mutex_unlock(&blocks->lock);
    KJIT_TRY(context->device->ops->memory_info(context->device, &all));
    SIZED_GIVE(info, &all);
    return KJIT_OK;
}

kjit_status kjit_memory_trim(kjit_context *context, uint64_t keep)
{
    KJIT_TRY(HANDLE(CONTEXT, context));
    return context->device->ops->trim(context->device, keep);
}

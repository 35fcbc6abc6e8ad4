/* numba's host side: arrays of the device, streams, events. */
#include "runtime/program/kernels.h"

/* ---- arrays --------------------------------------------------------------------------------- */

/* A copy, which is on the device as soon as a kernel takes it; what is on it already is that array
** itself, as numba has it. */
static bool cuda_to_device(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array;
    bool copy;
    const HostValue to = args_get(args, 3, "to", host_none());
    if (!host_truth(p, args_get(args, 2, "copy", host_bool(true)), &copy) ||
        !host_array_from(p, args->values[0], KJIT_DTYPE_NONE, &array))
        return false;
    if (to.kind != HOST_NONE) {
        *out = to;
        if (to.kind != HOST_ARRAY)
            return host_fail(p, "TypeError", "to= takes an array of the device, not '%s'",
                             host_type_name(p, to));
        return !copy || host_array_assign(p, to.array, host_object(array));
    }
    bool same = args->values[0].kind == HOST_ARRAY && !array->block->of_device;
    if (same && !host_array_copy_as(p, array, array->view.dtype, &array))
        return false;
    array->block->of_device = true;
    return host_give(out, host_object(array));
}

static bool cuda_device_array(Program *p, HostArgs *args, HostValue *out)
{
    int64_t shape[KJIT_RANK_MAX];
    int rank;
    kjit_array like = { .dtype = KJIT_DTYPE_FLOAT64 };
    HostArray *array;
    const HostValue order = args_get(args, 3, "order", host_none());
    if (args_get(args, 2, "strides", host_none()).kind != HOST_NONE)
        return host_fail(p, "NotImplementedError", "%s() has no strides: order=\"F\" has columns",
                         args->builtin->name);
    const bool columns = order.kind == HOST_STRING && strcmp(order.string->text, "F") == 0;
    if (!shape_from(p, args_get(args, 0, "shape", host_none()), shape, &rank) ||
        !element_from(p, args_get(args, 1, "dtype", host_none()), &like) ||
        !host_array_like(p, &like, rank, shape, columns, false, &array))
        return false;
    array->block->unwritten = true;
    array->block->of_device = true;
    return host_give(out, host_object(array));
}

static bool copy_to_host(Program *p, HostArgs *args, HostValue *out)
{
    HostArray *array = args->self.array, *made;
    HostValue to = args_get(args, 0, "ary", host_none());
    if (to.kind == HOST_ARRAY) {
        *out = to;
        return host_array_assign(p, to.array, args->self);
    }
    if (to.kind != HOST_NONE)
        return host_fail(p, "TypeError", "copy_to_host() takes an array, not '%s'",
                         host_type_name(p, to));
    if (!host_array_read(p, array) || !host_array_copy_as(p, array, array->view.dtype, &made))
        return false;
    return host_give(out, host_object(made));
}

static bool copy_to_device(Program *p, HostArgs *args, HostValue *out)
{
    *out = host_none();
    return host_array_assign(p, args->self.array, args->values[0]);
}

/* The class of device arrays, for type() and isinstance(). */
static bool make_device_array(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    (void)out;
    return host_fail(p, "NotImplementedError",
                     "device arrays are made by cuda.to_device() and cuda.device_array()");
}

/* ---- streams and events --------------------------------------------------------------------- */

void stream_free(HostObject *object)
{
    if (object->kind == HOST_STREAM)
        kjit_stream_close(((HostStream *)object)->stream);
    else
        kjit_event_close(((HostEvent *)object)->event);
}

static bool cuda_synchronize(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    (void)out;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = p->group ? kjit_group_synchronize(p->group) : kjit_synchronize(p->context);
    return status == KJIT_OK || host_failed(p, status);
}

static bool cuda_stream(Program *p, HostArgs *args, HostValue *out)
{
    HostStream *stream = host_new(p, HOST_STREAM, sizeof *stream);
    (void)args;
    *out = host_object(stream);
    kjit_status status = kjit_stream_new(p->context, NULL, &stream->stream);
    return status == KJIT_OK || host_failed(p, status);
}

static bool cuda_default_stream(Program *p, HostArgs *args, HostValue *out)
{
    (void)args;
    return host_give(out, host_object(host_new(p, HOST_STREAM, sizeof(HostStream))));
}

static bool stream_synchronize(Program *p, HostArgs *args, HostValue *out)
{
    kjit_stream *stream = args->self.stream->stream;
    (void)out;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = stream ? kjit_stream_synchronize(stream) : kjit_synchronize(p->context);
    return status == KJIT_OK || host_failed(p, status);
}

/* with stream.auto_synchronize(): the stream is waited for behind it. */
static bool stream_auto(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    return host_give(out, args->self);
}

/* with cuda.pinned(x): memory is what it is. */
static bool nothing_around(Program *p, HostArgs *args, HostValue *out)
{
    (void)p, (void)args;
    return host_give(out, (HostValue){ .kind = HOST_MODULE, .text = "contextlib.nothing" });
}

static bool cuda_event(Program *p, HostArgs *args, HostValue *out)
{
    HostEvent *event = host_new(p, HOST_EVENT, sizeof *event);
    bool timed = true;
    *out = host_object(event);
    if (!host_truth(p, args_get(args, 0, "timing", host_bool(true)), &timed))
        return false;
    kjit_status status = kjit_event_new(p->context, timed, &event->event);
    return status == KJIT_OK || host_failed(p, status);
}

static kjit_stream *stream_of(const HostArgs *args)
{
    const HostValue value = args_get(args, 0, "stream", host_none());
    return value.kind == HOST_STREAM ? value.stream->stream : NULL;
}

static bool event_record(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = kjit_event_record(args->self.event->event, stream_of(args));
    return status == KJIT_OK || host_failed(p, status);
}

static bool event_wait(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    kjit_status status = repeats_flush(p);
    if (status == KJIT_OK)
        status = kjit_event_wait(args->self.event->event, stream_of(args));
    return status == KJIT_OK || host_failed(p, status);
}

static bool event_synchronize(Program *p, HostArgs *args, HostValue *out)
{
    (void)out;
    kjit_status status = kjit_event_synchronize(args->self.event->event);
    return status == KJIT_OK || host_failed(p, status);
}

static bool event_query(Program *p, HostArgs *args, HostValue *out)
{
    int done = 0;
    kjit_status status = kjit_event_query(args->self.event->event, &done);
    *out = host_bool(done);
    return status == KJIT_OK || host_failed(p, status);
}

static bool elapsed(Program *p, HostValue from, HostValue to, HostValue *out)
{
    double ms = 0;
    if (from.kind != HOST_EVENT || to.kind != HOST_EVENT)
        return host_fail(p, "TypeError", "the time between two events is asked for");
    kjit_status status = kjit_event_elapsed(from.event->event, to.event->event, &ms);
    *out = host_float(ms);
    return status == KJIT_OK || host_failed(p, status);
}

static bool event_elapsed(Program *p, HostArgs *args, HostValue *out)
{
    return elapsed(p, args->self, args->values[0], out);
}

static bool cuda_event_elapsed(Program *p, HostArgs *args, HostValue *out)
{
    return elapsed(p, args->values[0], args->values[1], out);
}

static bool cuda_is_available(Program *p, HostArgs *args, HostValue *out)
{
    (void)p;
    (void)args;
    *out = host_bool(true); /* kernels run, whatever the device is */
    return true;
}

/* ---- cuda.jit called ------------------------------------------------------------------------ */

/* cuda.jit(f); with options alone it is what a function is given to next. */
static bool cuda_jit(Program *p, HostArgs *args, HostValue *out)
{
    HostValue function = args->count ? args->values[0] : host_none();
    *out = (HostValue){ .kind = HOST_BUILTIN, .builtin = args->builtin };
    if (function.kind == HOST_KERNEL)
        return host_give(out, function);
    if (function.kind != HOST_FUNCTION)
        return true;
    if (kernel_define(p, function.function->code->ast, out))
        return true;
    *out = function; /* a device function */
    return true;
}

const HostBuiltin cuda_functions[] = {
    { "cuda.cudadrv.devicearray.DeviceNDArray", 0, -1, make_device_array, "*" },
    { "cuda.to_device", 1, 4, cuda_to_device, "stream copy to" },
    { "cuda.device_array", 1, 2, cuda_device_array, "shape dtype strides order stream" },
    { "cuda.pinned_array", 1, 2, cuda_device_array, "shape dtype strides order" },
    { "cuda.mapped_array", 1, 2, cuda_device_array, "shape dtype strides order stream" },
    { "cuda.managed_array", 1, 2, cuda_device_array, "shape dtype strides order stream" },
    { "cuda.synchronize", 0, 0, cuda_synchronize, NULL },
    { "np.cuda.Stream.null.synchronize", 0, 0, cuda_synchronize, NULL }, /* of cupy */
    { "np.cuda.runtime.deviceSynchronize", 0, 0, cuda_synchronize, NULL },
    { "cuda.stream", 0, 0, cuda_stream, NULL },
    { "cuda.default_stream", 0, 0, cuda_default_stream, NULL },
    { "cuda.event", 0, 1, cuda_event, "timing" },
    { "cuda.event_elapsed_time", 2, 2, cuda_event_elapsed, NULL },
    { "cuda.is_available", 0, 0, cuda_is_available, NULL },
    { "cuda.jit", 0, -1, cuda_jit, "*" },
    { "array.copy_to_host", 0, 2, copy_to_host, "ary stream" },
    { "array.get", 0, 0, copy_to_host, NULL }, /* CuPy's */
    { "array.copy_to_device", 1, 2, copy_to_device, "stream" },
    { "stream.synchronize", 0, 0, stream_synchronize, NULL },
    { "stream.auto_synchronize", 0, 0, stream_auto, NULL },
    { "cuda.pinned", 0, -1, nothing_around, NULL },
    { "cuda.mapped", 0, -1, nothing_around, NULL },
    { "cuda.defer_cleanup", 0, 0, nothing_around, NULL },
    { "np.errstate", 0, 0, nothing_around, "*" },
    { "event.record", 0, 1, event_record, "stream" },
    { "event.wait", 0, 1, event_wait, "stream" },
    { "event.synchronize", 0, 0, event_synchronize, NULL },
    { "event.query", 0, 0, event_query, NULL },
    { "event.elapsed_time", 1, 1, event_elapsed, NULL },
    { "kernel.forall", 1, 4, kernel_forall, "tpb stream sharedmem" },
    { NULL, 0, 0, NULL, NULL },
};

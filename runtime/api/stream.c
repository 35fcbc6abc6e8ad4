/* Streams, events and graphs as programs see them: the device's handles, with whose they are and
** whether a reset has taken them. */
#include "runtime/runtime.h"

struct kjit_event {
    HandleHead self;
    kjit_context *context;
    void *handle;
    bool timed;
    atomic_bool recorded; /* not into a graph, if that was the last time */
    atomic_bool in_graph; /* into one */
    unsigned lifetime;
};

struct kjit_graph {
    HandleHead self;
    kjit_context *context;
    void *handle;
    unsigned lifetime;
};

unsigned device_lifetime(const Device *device)
{
    return atomic_load_explicit(&device->lifetime, memory_order_relaxed);
}

kjit_status check_alive(const Device *device, unsigned lifetime, const char *what)
{
    if (lifetime == device_lifetime(device))
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT, "error: the %s was lost in kjit_reset()\nnote: make a new one",
                     what);
}

/* ---- streams -------------------------------------------------------------------------- */

kjit_status stream_handle(const kjit_context *context, const kjit_stream *stream, void **handle)
{
    *handle = NULL;
    if (!stream)
        return KJIT_OK;
    KJIT_TRY(HANDLE(STREAM, stream));
    if (stream->context != context &&
        strcmp(stream->context->device->name, context->device->name) != 0)
        return error_set(KJIT_ARGUMENT, "error: the stream is of %s, and the work is for %s",
                         stream->context->device->name, context->device->name);
    KJIT_TRY(check_alive(stream->context->device, stream->lifetime, "stream"));
    *handle = stream->handle;
    return KJIT_OK;
}

static kjit_status wrap_stream(kjit_context *context, void *handle, bool owned,
                               kjit_stream **stream)
{
    kjit_stream *made = memory_zeroed(1, sizeof *made);

    *stream = NULL;
    if (!made)
        return error_memory();
    head_open(&made->self, HANDLE_STREAM, &context->self);
    made->context = context;
    made->handle = handle;
    made->owned = owned;
    made->lifetime = device_lifetime(context->device);
    *stream = made;
    return KJIT_OK;
}

kjit_status kjit_stream_new(kjit_context *context, const kjit_stream_options *options,
                            kjit_stream **stream)
{
    *stream = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    kjit_stream_options wanted = { .size = sizeof wanted };
    Device *device = context->device;
    void *handle;

    SIZED_TAKE(&wanted, options);
    KJIT_TRY(device->ops->stream_new(device, wanted.independent, wanted.priority, &handle));
    kjit_status status = wrap_stream(context, handle, true, stream);
    if (status != KJIT_OK)
        device->ops->stream_close(device, handle);
    return status;
}

kjit_status kjit_stream_default(kjit_context *context, kjit_stream **stream)
{
    *stream = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    return wrap_stream(context, NULL, false, stream);
}

kjit_status kjit_stream_per_thread(kjit_context *context, kjit_stream **stream)
{
    *stream = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    /* CU_STREAM_PER_THREAD */
    void *handle = !device_is_gpu(context->device) ? NULL : (void *)(uintptr_t)2;

    return wrap_stream(context, handle, false, stream);
}

kjit_status kjit_stream_foreign(kjit_context *context, void *handle, kjit_stream **stream)
{
    *stream = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    if (!device_is_gpu(context->device))
        return error_set(KJIT_UNSUPPORTED, "error: the processor has no streams of others\n"
                                           "note: kjit_stream_new() makes one that runs here too");
    return wrap_stream(context, handle, false, stream);
}

void *kjit_stream_handle(const kjit_stream *stream)
{
    if (!HANDLE_IS(STREAM, stream))
        return NULL;
    return !device_is_gpu(stream->context->device) ? NULL : stream->handle;
}

void kjit_stream_close(kjit_stream *stream)
{
    if (!stream || !HANDLE_IS(STREAM, stream))
        return;
    Device *device = stream->context->device;
    if (stream->owned && stream->lifetime == device_lifetime(stream->context->device))
        device->ops->stream_close(device, stream->handle);
    head_free(&stream->self);
}

kjit_status stream_records(Device *device, void *handle, bool *records)
{
    *records = false;
    return handle ? device->ops->stream_records(device, handle, records) : KJIT_OK;
}

kjit_status refuse_recording(Device *device, void *handle, const char *what)
{
    bool records;

    KJIT_TRY(stream_records(device, handle, &records));
    if (!records)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: the stream is recording a graph, and %s cannot be recorded\n"
                     "note: kjit_capture_end() ends the recording",
                     what);
}

kjit_status kjit_stream_synchronize(kjit_stream *stream)
{
    KJIT_TRY(HANDLE(STREAM, stream));
    Device *device = stream->context->device;

    KJIT_TRY(check_alive(stream->context->device, stream->lifetime, "stream"));
    KJIT_TRY(refuse_recording(device, stream->handle, "waiting for it"));
    return watch_wait(device, device->ops->stream_synchronize, stream->handle);
}

kjit_status kjit_stream_query(kjit_stream *stream, int *done)
{
    KJIT_TRY(HANDLE(STREAM, stream));
    *done = 0;
    Device *device = stream->context->device;
    bool empty = false;

    KJIT_TRY(check_alive(stream->context->device, stream->lifetime, "stream"));
    KJIT_TRY(refuse_recording(device, stream->handle, "asking whether it is done"));
    KJIT_TRY(device->ops->stream_query(device, stream->handle, &empty));
    *done = empty;
    return KJIT_OK;
}

kjit_status kjit_stream_callback(kjit_stream *stream, void (*function)(void *), void *data)
{
    KJIT_TRY(HANDLE(STREAM, stream));
    Device *device = stream->context->device;

    KJIT_TRY(check_alive(stream->context->device, stream->lifetime, "stream"));
    return device->ops->stream_call(device, stream->handle, function, data);
}

/* ---- events --------------------------------------------------------------------------- */

kjit_status kjit_event_new(kjit_context *context, int timed, kjit_event **event)
{
    *event = NULL;
    KJIT_TRY(HANDLE(CONTEXT, context));
    Device *device = context->device;
    void *handle;

    KJIT_TRY(device->ops->event_new(device, timed != 0, &handle));
    kjit_event *made = memory_zeroed(1, sizeof *made);
    if (!made) {
        device->ops->event_close(device, handle);
        return error_memory();
    }
    head_open(&made->self, HANDLE_EVENT, &context->self);
    made->context = context;
    made->handle = handle;
    made->timed = timed != 0;
    made->lifetime = device_lifetime(context->device);
    *event = made;
    return KJIT_OK;
}

void kjit_event_close(kjit_event *event)
{
    if (!event || !HANDLE_IS(EVENT, event))
        return;
    Device *device = event->context->device;
    if (event->lifetime == device_lifetime(event->context->device))
        device->ops->event_close(device, event->handle);
    head_free(&event->self);
}

kjit_status kjit_event_record(kjit_event *event, kjit_stream *stream)
{
    KJIT_TRY(HANDLE(EVENT, event));
    Device *device = event->context->device;
    void *handle;
    bool records;

    KJIT_TRY(check_alive(device, event->lifetime, "event"));
    KJIT_TRY(stream_handle(event->context, stream, &handle));
    KJIT_TRY(stream_records(device, handle, &records));
    KJIT_TRY(device->ops->event_record(device, event->handle, handle));
    event->in_graph = records;
    event->recorded = !records;
    return KJIT_OK;
}

/* What was recorded into a graph is nothing that happens by itself. */
static kjit_status refuse_in_graph(const kjit_event *event)
{
    if (!event->in_graph)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: the event was recorded into a graph, where it orders the work and "
                     "nothing else\nnote: kjit_event_record() behind kjit_graph_launch() can be "
                     "waited for");
}

kjit_status kjit_event_wait(kjit_event *event, kjit_stream *stream)
{
    KJIT_TRY(HANDLE(EVENT, event));
    kjit_context *context = stream ? stream->context : event->context;
    void *handle;

    KJIT_TRY(check_alive(event->context->device, event->lifetime, "event"));
    KJIT_TRY(stream_handle(context, stream, &handle));
    if (context->device->ops != event->context->device->ops)
        return kjit_event_synchronize(event);
    return context->device->ops->stream_wait(context->device, handle, event->handle);
}

kjit_status kjit_event_synchronize(kjit_event *event)
{
    KJIT_TRY(HANDLE(EVENT, event));
    Device *device = event->context->device;

    KJIT_TRY(check_alive(event->context->device, event->lifetime, "event"));
    KJIT_TRY(refuse_in_graph(event));
    return watch_wait(device, device->ops->event_synchronize, event->handle);
}

kjit_status kjit_event_query(kjit_event *event, int *done)
{
    KJIT_TRY(HANDLE(EVENT, event));
    Device *device = event->context->device;
    bool passed = false;

    *done = 0;
    KJIT_TRY(check_alive(event->context->device, event->lifetime, "event"));
    KJIT_TRY(refuse_in_graph(event));
    KJIT_TRY(device->ops->event_query(device, event->handle, &passed));
    *done = passed;
    return KJIT_OK;
}

/* Devices have clocks of their own. */
static kjit_status check_one_clock(const kjit_event *from, const kjit_event *to)
{
    const char *first = from->context->device->name, *second = to->context->device->name;

    if (strcmp(first, second) == 0)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: the first event is of %s and the second of %s, which have no common "
                     "clock",
                     first, second);
}

kjit_status kjit_event_elapsed(kjit_event *from, kjit_event *to, double *ms)
{
    KJIT_TRY(HANDLE(EVENT, from));
    KJIT_TRY(HANDLE(EVENT, to));
    Device *device = from->context->device;

    *ms = 0;
    KJIT_TRY(check_alive(from->context->device, from->lifetime, "event"));
    KJIT_TRY(check_alive(to->context->device, to->lifetime, "event"));
    KJIT_TRY(check_one_clock(from, to));
    if (!from->timed || !to->timed)
        return error_set(KJIT_ARGUMENT, "error: the %s event was made without timing",
                         from->timed ? "second" : "first");
    KJIT_TRY(refuse_in_graph(from));
    KJIT_TRY(refuse_in_graph(to));
    if (!from->recorded || !to->recorded)
        return error_set(KJIT_ARGUMENT, "error: the %s event was never recorded",
                         from->recorded ? "second" : "first");
    return device->ops->event_elapsed(device, from->handle, to->handle, ms);
}

/* ---- graphs --------------------------------------------------------------------------- */

kjit_status kjit_capture_begin(kjit_stream *stream)
{
    KJIT_TRY(HANDLE(STREAM, stream));
    Device *device = stream->context->device;
    bool records;

    KJIT_TRY(check_alive(stream->context->device, stream->lifetime, "stream"));
    if (!stream->owned && !stream->handle)
        return error_set(KJIT_ARGUMENT, "error: a default stream cannot record a graph\n"
                                        "note: make one with kjit_stream_new()");
    KJIT_TRY(stream_records(device, stream->handle, &records));
    if (records)
        return error_set(KJIT_ARGUMENT, "error: the stream is recording a graph already");
    KJIT_TRY(device->ops->capture_begin(device, stream->handle));
    stream->capturing = true;
    return KJIT_OK;
}

kjit_status kjit_capture_end(kjit_stream *stream, kjit_graph **graph)
{
    *graph = NULL;
    KJIT_TRY(HANDLE(STREAM, stream));
    Device *device = stream->context->device;
    kjit_graph *made = memory_zeroed(1, sizeof *made);
    void *handle;

    kjit_status status = check_alive(stream->context->device, stream->lifetime, "stream");
    if (status == KJIT_OK && !atomic_exchange(&stream->capturing, false))
        status = error_set(KJIT_ARGUMENT, "error: the stream is not recording a graph that "
                                          "kjit_capture_begin() began on it");
    if (status == KJIT_OK)
        status = device->ops->capture_end(device, stream->handle, &handle);
    if (status == KJIT_OK && !made) {
        device->ops->graph_close(device, handle);
        status = error_memory();
    }
    if (status != KJIT_OK) {
        memory_free(made);
        return status;
    }
    *made =
        (kjit_graph){ .context = stream->context, .handle = handle, .lifetime = stream->lifetime };
    head_open(&made->self, HANDLE_GRAPH, &stream->context->self);
    *graph = made;
    return KJIT_OK;
}

kjit_status kjit_graph_launch(kjit_graph *graph, kjit_stream *stream)
{
    KJIT_TRY(HANDLE(GRAPH, graph));
    kjit_context *context = graph->context;
    void *handle;

    KJIT_TRY(check_alive(context->device, graph->lifetime, "graph"));
    KJIT_TRY(stream_handle(context, stream, &handle));
    KJIT_TRY(refuse_recording(context->device, handle, "launching another graph"));
    KJIT_TRY(context->device->ops->graph_launch(context->device, graph->handle, handle));
    counters_add(&context->counters, COUNT_GRAPH_LAUNCHES, 1);
    return KJIT_OK;
}

void kjit_graph_close(kjit_graph *graph)
{
    if (!graph || !HANDLE_IS(GRAPH, graph))
        return;
    Device *device = graph->context->device;
    if (graph->lifetime == device_lifetime(graph->context->device))
        device->ops->graph_close(device, graph->handle);
    head_free(&graph->self);
}

/* The processor's streams, events and graphs. Work is done when it is asked for, so a stream is
** only somebody who may be recording: a graph is the list of what was asked meanwhile, of that
** stream and of those that waited for an event that it had recorded, as CUDA has it. */
#include "runtime/runtime.h"

#include <string.h>

typedef enum StepKind { STEP_LAUNCH, STEP_COPY, STEP_ZERO, STEP_CALL } StepKind;

typedef struct Graph Graph;

typedef struct Event {
    double ms;
    Graph *graph; /* being recorded, into which the event was; else NULL */
    struct Event *next;
} Event;

typedef struct Stream {
    Graph *recording; /* NULL unless it records */
    struct Stream *next;
} Stream;

/* One thing that was asked for. */
typedef struct Step {
    struct Step *next;
    StepKind kind;
    union {
        struct {
            Code *code;
            LaunchRequest request; /* its slots and parameters lie behind the step */
        } launch;
        CopyRequest copy;
        struct {
            void *memory;
            size_t bytes;
        } zero;
        struct {
            void (*function)(void *);
            void *data;
        } call;
    } as;
} Step;

struct Graph {
    Step *first, **last;
    Stream *streams; /* that record into it */
    Event *events;   /* recorded into it; both only until the recording ends */
};

/* ---- recording ------------------------------------------------------------------------ */

static Step *add_step(Graph *graph, StepKind kind, size_t more)
{
    Step *step = memory_zeroed(1, sizeof *step + more);

    if (!step)
        return NULL;
    step->kind = kind;
    *graph->last = step;
    graph->last = &step->next;
    return step;
}

static Graph *recording_of(void *stream)
{
    return stream ? ((Stream *)stream)->recording : NULL;
}

kjit_status cpu_record_launch(void *stream, Code *code, const LaunchRequest *request,
                              bool *recorded)
{
    Graph *graph = recording_of(stream);
    size_t slots = request->slot_count, params = request->param_count;

    *recorded = graph != NULL;
    if (!graph)
        return KJIT_OK;
    Step *step = add_step(graph, STEP_LAUNCH, 16 + 8 * slots + sizeof(void *) * params);
    if (!step)
        return error_memory();
    /* Values of 16 bytes stay aligned. */
    uint64_t *values = (uint64_t *)(((uintptr_t)(step + 1) + 15) & ~(uintptr_t)15);
    void **pointers = (void **)(values + slots);
    memcpy(values, request->slots, 8 * slots);
    for (size_t i = 0; i < params; i++)
        pointers[i] = values + ((const uint64_t *)request->params[i] - request->slots);
    step->as.launch.code = code;
    step->as.launch.request = *request;
    step->as.launch.request.stream = NULL;
    step->as.launch.request.slots = values;
    step->as.launch.request.params = pointers;
    return KJIT_OK;
}

kjit_status cpu_record_copy(void *stream, const CopyRequest *request, bool *recorded)
{
    Graph *graph = recording_of(stream);
    Step *step = graph ? add_step(graph, STEP_COPY, 0) : NULL;

    *recorded = graph != NULL;
    if (step) {
        step->as.copy = *request;
        step->as.copy.stream = NULL;
    }
    return graph && !step ? error_memory() : KJIT_OK;
}

kjit_status cpu_record_zero(void *stream, void *memory, size_t bytes, bool *recorded)
{
    Graph *graph = recording_of(stream);
    Step *step = graph ? add_step(graph, STEP_ZERO, 0) : NULL;

    *recorded = graph != NULL;
    if (step) {
        step->as.zero.memory = memory;
        step->as.zero.bytes = bytes;
    }
    return graph && !step ? error_memory() : KJIT_OK;
}

/* ---- streams -------------------------------------------------------------------------- */

kjit_status cpu_stream_new(Device *device, bool independent, int priority, void **stream)
{
    (void)device, (void)independent, (void)priority;
    *stream = memory_zeroed(1, sizeof(Stream));
    return *stream ? KJIT_OK : error_memory();
}

/* The stream records into the graph from now on. */
static void join(Stream *stream, Graph *graph)
{
    stream->recording = graph;
    stream->next = graph->streams;
    graph->streams = stream;
}

static void leave(Stream *stream)
{
    Stream **at = &stream->recording->streams;

    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    stream->recording = NULL;
}

/* Nothing records into the graph any more. */
static void end_recording(Graph *graph)
{
    while (graph->streams)
        leave(graph->streams);
    for (Event *event = graph->events; event; event = event->next)
        event->graph = NULL;
    graph->events = NULL;
}

void cpu_stream_close(Device *device, void *stream)
{
    Graph *graph = recording_of(stream);

    if (graph)
        leave(stream);
    if (graph && !graph->streams) { /* nobody is left who could end it */
        end_recording(graph);
        cpu_graph_close(device, graph);
    }
    memory_free(stream);
}

kjit_status cpu_stream_synchronize(Device *device, void *stream)
{
    (void)device, (void)stream;
    return KJIT_OK;
}

kjit_status cpu_stream_query(Device *device, void *stream, bool *done)
{
    (void)device, (void)stream;
    *done = true;
    return KJIT_OK;
}

kjit_status cpu_stream_wait(Device *device, void *stream, void *event)
{
    Graph *graph = ((Event *)event)->graph;

    (void)device;
    if (!graph || recording_of(stream) == graph)
        return KJIT_OK;
    if (!stream || recording_of(stream))
        return error_set(KJIT_ARGUMENT,
                         "error: the event belongs to a recording that %s cannot join",
                         stream ? "a stream that records another" : "the default stream");
    join(stream, graph);
    return KJIT_OK;
}

kjit_status cpu_stream_call(Device *device, void *stream, void (*function)(void *), void *data)
{
    Graph *graph = recording_of(stream);
    Step *step = graph ? add_step(graph, STEP_CALL, 0) : NULL;

    (void)device;
    if (step) {
        step->as.call.function = function;
        step->as.call.data = data;
    } else if (!graph) {
        function(data);
    }
    return graph && !step ? error_memory() : KJIT_OK;
}

/* ---- events --------------------------------------------------------------------------- */

kjit_status cpu_event_new(Device *device, bool timed, void **out)
{
    Event *event = memory_zeroed(1, sizeof *event);

    (void)device, (void)timed;
    *out = event;
    return event ? KJIT_OK : error_memory();
}

/* Takes the event out of the recording that it is in. */
static void forget_graph(Event *event)
{
    if (!event->graph)
        return;
    Event **at = &event->graph->events;
    while (*at != event)
        at = &(*at)->next;
    *at = event->next;
    event->graph = NULL;
}

void cpu_event_close(Device *device, void *event)
{
    (void)device;
    forget_graph(event);
    memory_free(event);
}

kjit_status cpu_event_record(Device *device, void *handle, void *stream)
{
    Graph *graph = recording_of(stream);
    Event *event = handle;

    (void)device;
    forget_graph(event);
    event->ms = clock_ms();
    event->graph = graph;
    if (graph) {
        event->next = graph->events;
        graph->events = event;
    }
    return KJIT_OK;
}

kjit_status cpu_event_synchronize(Device *device, void *event)
{
    (void)device, (void)event;
    return KJIT_OK;
}

kjit_status cpu_event_query(Device *device, void *event, bool *done)
{
    (void)device, (void)event;
    *done = true;
    return KJIT_OK;
}

kjit_status cpu_event_elapsed(Device *device, void *from, void *to, double *ms)
{
    (void)device;
    *ms = ((Event *)to)->ms - ((Event *)from)->ms;
    return KJIT_OK;
}

/* ---- graphs --------------------------------------------------------------------------- */

kjit_status cpu_capture_begin(Device *device, void *stream)
{
    Graph *graph = memory_zeroed(1, sizeof *graph);

    (void)device;
    if (!graph)
        return error_memory();
    graph->last = &graph->first;
    join(stream, graph);
    return KJIT_OK;
}

kjit_status cpu_capture_end(Device *device, void *stream, void **graph)
{
    (void)device;
    *graph = recording_of(stream);
    end_recording(*graph);
    return KJIT_OK;
}

static kjit_status do_step(Device *device, const Step *step, void *stream)
{
    switch (step->kind) {
    case STEP_LAUNCH: {
        LaunchRequest request = step->as.launch.request;
        request.stream = stream;
        return device->ops->launch(device, step->as.launch.code, &request);
    }
    case STEP_COPY: {
        CopyRequest request = step->as.copy;
        request.stream = stream;
        return device->ops->copy(device, &request);
    }
    case STEP_ZERO:
        return device->ops->zero(device, step->as.zero.memory, step->as.zero.bytes, stream);
    case STEP_CALL:
        return cpu_stream_call(device, stream, step->as.call.function, step->as.call.data);
    }
    return KJIT_OK;
}

kjit_status cpu_graph_launch(Device *device, void *graph, void *stream)
{
    const Graph *steps = graph;

    for (const Step *step = steps->first; step; step = step->next)
        KJIT_TRY(do_step(device, step, stream));
    return KJIT_OK;
}

void cpu_graph_close(Device *device, void *graph)
{
    Step *next;

    (void)device;
    for (Step *step = ((Graph *)graph)->first; step; step = next) {
        next = step->next;
        memory_free(step);
    }
    memory_free(graph);
}
